/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* One-way surfaces (VSP_PAIR_ONE_WAY of VSP_PAIR_RULES): which touches count.
 * Nothing is stored for it: where a shape was one step ago follows from its
 * velocity, and whether it stood there from its warm records.  Velocities
 * decide only whether a touch counts, nothing else in this module. */

#include "collide.h"

#if VSP_PAIR_RULES

/* least cosine of the angle between a normal and the open side: 60 degrees */
#define LEAST_AGREEMENT VSP__UNIT(0.5)

/* Returns the slot of the one-way shape of a pair, and in *other the slot of
 * the shape that may pass it; VSP_MAX_SHAPES if none does. */
static uint32_t one_way_shape(const vsp_world *world, uint32_t a, uint32_t b,
                              uint32_t *other)
{
    const vsp__shape *first = world->shapes + a, *second = world->shapes + b;
    uint32_t named;
    const vsp__pair_record *rule = vsp__find_pair_rule(world, &first->filter,
                                                       &second->filter, &named);

    if (rule == NULL || !(rule->flags & VSP_PAIR_ONE_WAY) ||
        vsp__is_shell(first) || vsp__is_shell(second))
        return VSP_MAX_SHAPES;
    *other = named == 0 ? b : a;
    return named == 0 ? a : b;
}

/* Whether a pair was in contact before a list is detected: in the last step, as
 * warm records tell, or in the solved list.  Both are sorted by pair. */
static bool was_in_contact(const vsp_world *world, uint32_t list, uint32_t pair)
{
    bool is_warm = list == VSP__CONTACTS_SOLVED;
    uint32_t low = 0,
             high = is_warm
                        ? world->warm_count
                        : world->contacts[VSP__CONTACTS_SOLVED].manifold_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2u;
        uint32_t at = is_warm ? world->problem.between.warm[middle].pair
                              : vsp__pair_key(world->manifolds + middle);

        if (at == pair)
            return true;
        if (at < pair)
            low = middle + 1u;
        else
            high = middle;
    }
    return false;
}

/* Computes the velocity of a point of a shape, which is at `on` from the middle
 * of the shape. */
static void velocity_at(const vsp_world *world, uint32_t slot,
                        const vsp__v3 *on, vsp__v3 *u)
{
    const vsp__body *body = world->bodies + world->shapes[slot].body;
    vsp__v3 arm = vsp__find_of(world)->poses[slot].position;

    v3_sub_in(&arm, &body->position);
    v3_add_in(&arm, on);
    v3_flush_in(&arm);
    v3_cross_to(&body->spin, &arm, u);
    v3_add_in(u, &body->velocity);
}

/* Returns the deepest gap of a touch as it was one step ago by the velocities
 * of now, m. */
static vsp__num gap_before(const vsp_world *world, uint32_t pair,
                           const vsp__touch *t)
{
    const vsp__touch_point *deepest = t->points;
    vsp__v3 u[2];
    uint32_t i;

    for (i = 1; i < t->count; i++)
        if (t->points[i].gap < deepest->gap)
            deepest = t->points + i;
    for (i = 0; i < 2; i++)
        velocity_at(world, i == 0 ? pair >> 16 : pair & 0xffffu,
                    &deepest->on[i], &u[i]);
    v3_sub_in(&u[0], &u[1]);
    return r_add(deepest->gap,
                 r_of_rate(u3_dot_at(&u[0], &t->normal), world->params.dt));
}

bool vsp__is_passed(const vsp_world *world, uint32_t list, uint32_t pair,
                    const vsp__touch *t)
{
    uint32_t a = pair >> 16, other;
    uint32_t slot = one_way_shape(world, a, pair & 0xffffu, &other);
    vsp__v3 open;

    if (slot == VSP_MAX_SHAPES)
        return false;
    open = vsp__find_of(world)->poses[slot].axes.axis[1];
    v3_flip_in(&open, slot != a);
    if (u3_dot_at(&open, &t->normal) < LEAST_AGREEMENT)
        return true;
    return !was_in_contact(world, list, pair) &&
           gap_before(world, pair, t) < r_neg(world->params.envelope);
}

bool vsp__flies_through(const vsp_world *world, const uint32_t slot[2],
                        const vsp__v3 *way, const vsp__v3 *normal)
{
    uint32_t other, one = one_way_shape(world, slot[0], slot[1], &other);
    vsp__v3 open;

    if (one == VSP_MAX_SHAPES)
        return false;
    open = vsp__find_of(world)->poses[one].axes.axis[1];
    v3_flip_in(&open, one != slot[0]);
    return !(u3_dot_at(&open, way) > 0) ||
           (normal != NULL && u3_dot_at(&open, normal) < LEAST_AGREEMENT);
}

#endif /* VSP_PAIR_RULES */
