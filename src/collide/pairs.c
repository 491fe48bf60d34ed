/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Which pairs of shapes are listed: rules of filters, sensors, joints and
 * sleep; then the pairs with a half-space, which are not in the tree. */

#include "collide.h"

bool vsp__do_filters_match(const vsp_filter *f, const vsp_filter *g)
{
    if (f->group == g->group && f->group != 0)
        return f->group > 0;
    return (f->category & g->mask) != 0 && (g->category & f->mask) != 0;
}

/* See vsp__pair_scope.  Without VSP_SLEEP every dynamic body is awake. */
static bool is_pair_in_scope(const vsp_world *world, const vsp__body *a,
                             const vsp__body *b)
{
    if (!vsp__is_dynamic(a) && !vsp__is_dynamic(b))
        return false;
    if (!VSP_SLEEP || world->pair_scope == VSP__PAIRS_ALL)
        return true;
    if (world->pair_scope == VSP__PAIRS_AWAKE &&
        (vsp__is_asleep(a) || vsp__is_asleep(b)))
        return false;
    return vsp__is_awake(a) || vsp__is_awake(b) ||
           vsp__is_moving_kinematic(a) || vsp__is_moving_kinematic(b);
}

uint32_t vsp__count_sensors(const vsp__shape *a, const vsp__shape *b)
{
    return VSP_EVENTS ? (uint32_t)((a->rules & VSP__SENSOR) +
                                   (b->rules & VSP__SENSOR)) /
                            VSP__SENSOR
                      : 0;
}

/* Whether a rule of the pair forbids contacts. */
static bool is_kept_apart(const vsp_world *world, const vsp__shape *a,
                          const vsp__shape *b)
{
    uint32_t named;
    const vsp__pair_record *rule = vsp__find_pair_rule(world, &a->filter,
                                                       &b->filter, &named);

    return rule != NULL && (rule->flags & VSP_PAIR_NO_CONTACT) != 0;
}

/* Whether filters, rules and joints allow a contact of two shapes of two
 * bodies. *left: see vsp__are_joined. */
static bool are_allowed_to_touch(const vsp_world *world, const vsp__shape *a,
                                 const vsp__shape *b, uint32_t *left)
{
    return vsp__do_filters_match(&a->filter, &b->filter) &&
           !is_kept_apart(world, a, b) &&
           !(VSP_JOINTS && vsp__are_joined(world, a, b, left));
}

/* Whether a pair whose bounds overlap is listed.  A sensor ignores joints and
 * sleep, and two sensors do not sense each other. */
static bool is_pair_wanted(const vsp_world *world, uint32_t a, uint32_t b,
                           uint32_t *left)
{
    const vsp__shape *shape_a = world->shapes + a;
    const vsp__shape *shape_b = world->shapes + b;
    const vsp__body *body_a = world->bodies + shape_a->body;
    const vsp__body *body_b = world->bodies + shape_b->body;
    uint32_t sensors = vsp__count_sensors(shape_a, shape_b);

    if (shape_a->body == shape_b->body || sensors > 1)
        return false;
    if (sensors == 1)
        return !(vsp__is_static(body_a) && vsp__is_static(body_b)) &&
               vsp__do_filters_match(&shape_a->filter, &shape_b->filter);
    return is_pair_in_scope(world, body_a, body_b) &&
           are_allowed_to_touch(world, shape_a, shape_b, left);
}

bool vsp__may_collide(const vsp_world *world, uint32_t a, uint32_t b)
{
    const vsp__shape *shape_a = world->shapes + a;
    const vsp__shape *shape_b = world->shapes + b;
    uint32_t left = 0;

    return shape_a->body != shape_b->body && vsp__is_present(world, shape_a) &&
           vsp__is_present(world, shape_b) &&
           vsp__count_sensors(shape_a, shape_b) == 0 &&
           are_allowed_to_touch(world, shape_a, shape_b, &left);
}

void vsp__add_pair(vsp__pair_list *list, uint32_t a, uint32_t b)
{
    if (!is_pair_wanted(list->world, a, b, &list->left))
        return;
    if (list->count == list->most)
        list->dropped++;
    else
        list->pairs[list->count++] = a << 16 | b;
}

bool vsp__bounds_reach(const vsp__aabb *bounds, const vsp__pose *plane,
                       vsp__num margin)
{
    const vsp__v3 *n = &plane->axes.axis[1];
    vsp__v3 low = bounds->low;
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (!(v3_part(n, k) > 0))
            v3_parts(&low)[k] = v3_part(&bounds->high, k);
    v3_sub_in(&low, &plane->position);
    return u3_dot_at(n, &low) <= margin;
}

void vsp__pair_half_spaces(vsp__pair_list *list, uint32_t bounded_count)
{
    const vsp_world *world = list->world;
    vsp__num margin = u_mul(VSP__UNIT(0.5), world->params.envelope);
    uint32_t i, k;

    for (i = 0; i < world->shape_limit; i++) {
        if (world->shapes[i].type != VSP_SHAPE_HALF_SPACE ||
            !vsp__is_present(world, world->shapes + i))
            continue;
        for (k = 0; k < bounded_count && list->left > 0; k++, list->left--) {
            uint32_t other = vsp__find_of(world)->sort_order[k];

            if (vsp__bounds_reach(vsp__find_of(world)->bounds + other,
                                  vsp__find_of(world)->poses + i, margin))
                vsp__add_pair(list, i, other);
        }
    }
}
