/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Queries about two shapes: their contacts, and their distance.  Optional:
 * VSP_QUERIES. */

#include "query.h"

#if VSP_QUERIES

/* Budget of work on the tables of a pair, in costs as in vsp__reducer.left. */
#define WORK_OF_QUERY 65536u

/* Two shapes, ordered as a step orders them. */
typedef struct shape_pair {
    uint32_t slot[2];
    bool is_swapped; /* slot 0 is shape b of the call */
} shape_pair;

/* Looks up two different shapes, and updates their poses and bounds.
 * Returns VSP_OK, VSP_ERR_ARG, VSP_ERR_ID. */
static vsp_status begin_pair(vsp_world *world, vsp_shape_id a, vsp_shape_id b,
                             shape_pair *pair)
{
    const vsp__shape *shape[2];
    uint32_t rank[2], i;

    if (!vsp__is_world(world))
        return VSP_ERR_ARG;
    shape[0] = vsp__get_shape(world, a);
    shape[1] = vsp__get_shape(world, b);
    if (shape[0] == NULL || shape[1] == NULL)
        return VSP_ERR_ID;
    for (i = 0; i < 2; i++)
        rank[i] = shape[i]->type == VSP_SHAPE_HALF_SPACE
                      ? 4u
                      : vsp__pair_rank(shape[i]);
    pair->is_swapped = rank[0] != rank[1] ? rank[0] < rank[1]
                                          : shape[0] > shape[1];
    for (i = 0; i < 2; i++) {
        uint32_t slot = (uint32_t)(shape[pair->is_swapped ? 1u - i : i] -
                                   world->shapes);

        pair->slot[i] = slot;
        vsp__update_shape(world, slot, vsp__find_of(world)->poses + slot,
                          vsp__find_of(world)->bounds + slot);
    }
    return a.bits == b.bits ? VSP_ERR_ARG : VSP_OK;
}


/* ---- Contacts ------------------------------------------------------------ */

static uint32_t *shown_paths(vsp_world *world)
{
    return &vsp__paths_of(world)->shown;
}

/* Computes the touches of a pair as a step would, but without paths, and
 * without a change of counts.  Returns their number. */
static uint32_t find_pair_touches(vsp_world *world, const shape_pair *pair)
{
    vsp__counters stats = world->stats;
    uint32_t shown = VSP_SHELLS ? *shown_paths(world) : 0, count;

    if (world->shapes[pair->slot[1]].type == VSP_SHAPE_HALF_SPACE ||
        !vsp__are_bounds_near(world, pair->slot[0], pair->slot[1]))
        return 0;
    world->stats.spent = 0;
    world->part_limit = world->part_left = WORK_OF_QUERY;
    if (VSP_SHELLS)
        *shown_paths(world) = 0;
    count = vsp__touch_pair(world, pair->slot[0] << 16 | pair->slot[1]);
    if (VSP_SHELLS)
        *shown_paths(world) = shown;
    world->stats = stats;
    return count;
}

/* Fills a contact from a touch. */
static void show_touch(const vsp_world *world, const shape_pair *pair,
                       const vsp__touch *t, vsp_contact *to)
{
    const vsp__pose *poses = vsp__find_of(world)->poses;
    vsp__v3 normal = t->normal;
    uint32_t i, k;

    vsp__zero_bytes(to, sizeof *to);
    v3_flush_in(&normal);
    v3_flip_in(&normal, pair->is_swapped);
    to->shape_a = vsp_shape_at(world, pair->slot[pair->is_swapped]);
    to->shape_b = vsp_shape_at(world, pair->slot[!pair->is_swapped]);
    to->body_a = vsp_shape_body(world, to->shape_a);
    to->body_b = vsp_shape_body(world, to->shape_b);
    to->normal = u3_show(normal);
    to->point_count = t->count;
    for (i = 0; i < t->count; i++) {
        vsp__v3 middle = v3_zero();

        for (k = 0; k < 2; k++) {
            vsp__v3 on = t->points[i].on[k];

            v3_add_in(&on, &poses[pair->slot[k]].position);
            u3_move(&middle, VSP__UNIT(0.5), &on);
        }
        to->points[i].position = v3_show(middle);
        to->points[i].separation = r_show(r_flush(t->points[i].gap));
        to->points[i].feature = t->points[i].feature;
    }
}

vsp_status vsp_contacts_between(vsp_world *world, vsp_shape_id a,
                                vsp_shape_id b, vsp_contact *contacts,
                                uint32_t capacity, uint32_t *count)
{
    shape_pair pair;
    vsp_status status = begin_pair(world, a, b, &pair);
    vsp__touch *t;
    uint32_t k;

    if (count == NULL || (contacts == NULL && capacity > 0))
        return VSP_ERR_ARG;
    if (status < 0)
        return status;
    t = &vsp__find_of(world)->touch;
    *count = find_pair_touches(world, &pair);
    for (k = 0; k < *count && k < capacity; k++) {
        if (VSP__HAS_PARTS && k > 0)
            vsp__reducer_get(vsp__reducer_of(world), k, t);
        show_touch(world, &pair, t, &contacts[k]);
    }
    return VSP_OK;
}


/* ---- Distance ------------------------------------------------------------ */

static bool is_convex_or_plane(const vsp__shape *shape)
{
    return shape->type <= VSP_SHAPE_HULL || vsp__is_revolved(shape);
}

/* Computes the nearest points of a half-space, a, and a convex solid.  Returns
 * their distance, m; negative where they overlap. */
static vsp__num height_over_plane(const vsp__pose *plane, const vsp__convex *b,
                                  vsp__witness *w)
{
    vsp__v3 down, at;
    vsp__num height;

    w->normal = plane->axes.axis[1];
    v3_neg_to(&w->normal, &down);
    vsp__farthest_point(b, &down, &w->on[1]);
    u3_move(&w->on[1], b->radius, &down);
    v3_sub_to(&b->pose->position, &plane->position, &at);
    v3_add_in(&at, &w->on[1]);
    height = u3_dot_at(&w->normal, &at);
    w->on[0] = at;
    u3_move(&w->on[0], height, &down);
    return height;
}

/* Whether the shapes of a pair are too far apart for distances in fixed
 * point. */
static bool is_pair_far(const vsp_world *world, const shape_pair *pair)
{
    const vsp__pose *poses = vsp__find_of(world)->poses;
    vsp__v3 way;

    vsp__v3_from_to(&poses[pair->slot[0]].position,
                    &poses[pair->slot[1]].position, &way);
    return vsp__are_too_far_apart(v3_length_at(&way));
}

/* Computes the nearest points of a pair.  Returns their distance, m. */
static vsp__num pair_distance(const vsp_world *world, const shape_pair *pair,
                              vsp__witness *w)
{
    const vsp__pose *poses = vsp__find_of(world)->poses;
    const vsp__shape *shape = world->shapes + pair->slot[0];
    vsp__convex a, b;

    vsp__make_convex(world, world->shapes + pair->slot[1],
                     poses + pair->slot[1], &b);
    if (shape->type == VSP_SHAPE_HALF_SPACE)
        return height_over_plane(poses + pair->slot[0], &b, w);
    vsp__make_convex(world, shape, poses + pair->slot[0], &a);
    return vsp__convex_distance(&a, &b, VSP__FAR_LENGTH, w);
}

vsp_status vsp_distance_between(vsp_world *world, vsp_shape_id a,
                                vsp_shape_id b, vsp_distance *distance)
{
    shape_pair pair;
    vsp_status status = begin_pair(world, a, b, &pair);
    vsp__witness w;
    uint32_t k;

    if (distance == NULL)
        return VSP_ERR_ARG;
    if (status < 0)
        return status;
    if (!is_convex_or_plane(world->shapes + pair.slot[0]) ||
        !is_convex_or_plane(world->shapes + pair.slot[1]) ||
        world->shapes[pair.slot[1]].type == VSP_SHAPE_HALF_SPACE ||
        is_pair_far(world, &pair))
        return VSP_ERR_ARG;
    distance->distance = r_show(pair_distance(world, &pair, &w));
    for (k = 0; k < 2; k++)
        v3_add_in(&w.on[k], &vsp__find_of(world)->poses[pair.slot[k]].position);
    v3_flip_in(&w.normal, pair.is_swapped);
    distance->on_a = v3_show(w.on[pair.is_swapped]);
    distance->on_b = v3_show(w.on[!pair.is_swapped]);
    distance->normal = u3_show(w.normal);
    return VSP_OK;
}

#endif /* VSP_QUERIES */
