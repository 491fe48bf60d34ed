/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The walk of a query over the shapes of a world.  In this order: the index,
 * the limit and the displacement of a query, tests of bounds, the walk through
 * the tree.  The nearer of two nodes comes first.  A hit lowers the limit, so
 * that later nodes beyond it are skipped. */

#include "query.h"

#if VSP_QUERIES

/* A node on the stack: its level << NODE_BITS | its index in the level. */
#define NODE_BITS 17u
#define NODE_MASK (((uint32_t)1 << NODE_BITS) - 1u)

/* Builds the tree over the bounds of all shapes, in the memory of the broad
 * phase, unless nothing has changed since it was built. */
static void update_index(vsp_world *world)
{
    if (world->indexed == world->changes)
        return;
    vsp__update_shape_bounds(world);
    vsp__build_shape_tree(world);
    world->indexed = world->changes;
}


/* ---- Limit and way ------------------------------------------------------- */

void vsp__point_along(const vsp__v3 *from, const vsp__v3 *way, vsp__num t,
                      vsp__v3 *point)
{
    vsp__v3 at = *from;

    u3_move(&at, t, way);
    v3_flush_in(&at);
    *point = at;
}

void vsp__bound_segment(const vsp__v3 *a, const vsp__v3 *b,
                        const vsp__v3 *reach, vsp__aabb *bounds)
{
    const vsp__num *from = &a->x, *to = &b->x, *room = &reach->x;
    vsp__num *low = &bounds->low.x, *high = &bounds->high.x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        low[k] = r_sub(r_min(from[k], to[k]), room[k]);
        high[k] = r_add(r_max(from[k], to[k]), room[k]);
    }
}

void vsp__direction_to_world(const vsp__pose *pose, vsp__v3 *direction)
{
    v3_flush_in(direction);
    vsp__m3_mul_flushed(&pose->axes, direction);
}

vsp__num vsp__height_along(const vsp__v3 *normal, const vsp__v3 *from,
                           const vsp__v3 *at)
{
    vsp__v3 to;

    vsp__v3_from_to(from, at, &to);
    return vsp__flushed_dot(normal, &to);
}

void vsp__set_query_limit(vsp__query_state *s, vsp__num limit)
{
    vsp__v3 end;

    s->limit = limit;
    if (s->question == VSP__ASK_NEAREST)
        s->reach.x = s->reach.y = s->reach.z = r_max(limit, 0);
    vsp__way_point(s, limit, &end);
    vsp__bound_segment(&s->origin, &end, &s->reach, &s->bounds);
}

static vsp__num way_step_of(vsp__num direction)
{
    if (VSP_FIXED)
        return r_abs(direction);
    return direction == 0 ? VSP__FAR_LENGTH : r_div(VSP__REAL(1.0), direction);
}

/* The axis of the largest component. */
static uint32_t largest_axis(const vsp__v3 *v)
{
    const vsp__num *part = &v->x;
    uint32_t k, axis = 0;

    for (k = 1; k < 3; k++)
        if (r_abs(part[k]) > r_abs(part[axis]))
            axis = k;
    return axis;
}

bool vsp__set_query_way(vsp__query_state *s, const vsp_vec3 *from)
{
    vsp__v3 *way = &s->direction;
    uint32_t k;

    *way = v3_read(*from);
    if (!vsp__is_vector_in_range(from, VSP_MAX_POSITION) ||
        r_abs(v3_part(way, largest_axis(way))) < VSP__REAL(0.0001))
        return false;
    s->length = v3_length_at(way);
    vsp__v3_normalize_flushed(way);
    s->axis = largest_axis(way);
    for (k = 0; k < 3; k++)
        v3_parts(&s->steps)[k] = way_step_of(v3_part(way, k));
    vsp__bound_segment(&s->origin, &s->origin, &s->reach, &s->ends);
    s->limit = s->length;
    return true;
}


/* ---- Tests of bounds ----------------------------------------------------- */

/* Whether the ray meets bounds, by the intervals of the three slabs: the faster
 * test in floats.  It has no branches, because CPUs would mispredict them. */
static inline bool way_meets_bounds(const vsp__query_state *s,
                                    const vsp__aabb *b)
{
    const vsp__num *low = &b->low.x, *high = &b->high.x;
    const vsp__num *first = &s->ends.low.x, *last = &s->ends.high.x;
    const vsp__num *step = &s->steps.x;
    vsp__num enter = 0, exit = s->limit;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__num t = r_mul(r_sub(low[k], last[k]), step[k]);
        vsp__num u = r_mul(r_sub(high[k], first[k]), step[k]);

        enter = r_max(enter, r_min(t, u));
        exit = r_min(exit, r_max(t, u));
    }
    return enter <= exit;
}

/* Whether the line of the ray misses bounds, by separating axes across it,
 * which need no quotient (Ericson, Real-Time Collision Detection, 5.3.3). */
static bool way_misses_bounds(const vsp__query_state *s, const vsp__aabb *b)
{
    const vsp__v3 *d = &s->direction, *u = &s->steps;
    vsp__v3 low = v3_sub(b->low, s->ends.high);
    vsp__v3 high = v3_sub(b->high, s->ends.low);
    vsp__v3 size = v3_difference(high, low),
            twice = v3_difference(high, v3_neg(low));

    return r_abs(u_dot2(d->y, twice.z, -d->z, twice.y)) >
               u_dot2(u->y, size.z, u->z, size.y) ||
           r_abs(u_dot2(d->z, twice.x, -d->x, twice.z)) >
               u_dot2(u->z, size.x, u->x, size.z) ||
           r_abs(u_dot2(d->x, twice.y, -d->y, twice.x)) >
               u_dot2(u->x, size.y, u->y, size.x);
}

static inline bool is_on_way(const vsp__query_state *s, const vsp__aabb *b)
{
    if (s->length == 0)
        return vsp__bounds_overlap(&s->bounds, b);
    if (!VSP_FIXED)
        return way_meets_bounds(s, b);
    return vsp__bounds_overlap(&s->bounds, b) && !way_misses_bounds(s, b);
}

/* Whether the ray reaches bounds b before bounds a. */
static bool comes_first(const vsp__query_state *s, const vsp__aabb *a,
                        const vsp__aabb *b)
{
    uint32_t k = s->axis;

    return (v3_part(&b->low, k) < v3_part(&a->low, k)) !=
           (v3_part(&s->direction, k) < 0);
}


/* ---- Walk ---------------------------------------------------------------- */

static const vsp__aabb *node_bounds(const vsp__query_state *s, uint32_t node)
{
    return vsp__tree_node(&s->tree, node >> NODE_BITS, node & NODE_MASK);
}

/* Pushes onto the stack those children of a node that the query can hit, the
 * nearer one on top. */
static void push_children(vsp__query_state *s, uint32_t level, uint32_t i)
{
    uint32_t node = level << NODE_BITS | i, first;
    const vsp__aabb *a = node_bounds(s, node), *b = a;
    bool is_a = is_on_way(s, a), is_b = false;

    if (i + 1u < s->tree.count[level]) {
        b = node_bounds(s, node + 1u);
        is_b = is_on_way(s, b);
    }
    if (is_a & is_b) {
        first = comes_first(s, a, b);
        s->stack[s->depth] = node + 1u - first;
        s->stack[s->depth + 1u] = node + first;
        s->depth += 2u;
    } else if (is_a | is_b) {
        s->stack[s->depth++] = is_a ? node : node + 1u;
    }
}

static bool is_skipped(const vsp_query *query, uint32_t body)
{
    uint32_t i;

    for (i = 0; i < query->skip_count; i++)
        if (query->skip[i].bits == body)
            return true;
    return false;
}

/* m: a one-way shape that reaches higher over a character's foot is passed */
#define FOOT_SLACK VSP__REAL(0.001)

/* Whether a character is above the bounds of the current shape, along the
 * shape's y axis. */
static bool is_above(const vsp__query_state *s)
{
    const vsp__pose *pose = vsp__find_of(s->world)->poses + s->slot;
    vsp__v3 middle, half, d;

    vsp__shape_box(s->world, s->shape, &middle, &half);
    v3_sub_to(&s->walker->foot, &pose->position, &d);
    v3_flush_in(&d);
    return r_sub(vsp__flushed_dot(&pose->axes.axis[1], &d),
                 s->walker->radius) >=
           r_sub(r_add(middle.y, half.y), FOOT_SLACK);
}

/* Whether a character that asks passes through the current shape. */
static bool is_walked_through(const vsp__query_state *s)
{
    uint32_t named;
    const vsp__pair_record *rule = vsp__find_pair_rule(
        s->world, &s->shape->filter, &s->query->filter, &named);

    if (rule == NULL)
        return false;
    return (rule->flags & VSP_PAIR_NO_CONTACT) != 0 ||
           (named == 0 && (rule->flags & VSP_PAIR_ONE_WAY) != 0 &&
            !vsp__is_shell(s->shape) && !is_above(s));
}

/* Whether the query is one of a character that ignores the current shape. */
static bool is_left_out(const vsp__query_state *s, uint32_t body)
{
    return s->walker != NULL &&
           (s->walker->bodies[0] == body || s->walker->bodies[1] == body ||
            is_walked_through(s));
}

bool vsp__is_query_wanted(const vsp__query_state *s)
{
    const vsp_query *query = s->query;
    bool is_sensor = (s->shape->rules & VSP__SENSOR) != 0;
    uint32_t body;

    if (query == NULL)
        return !is_sensor;
    body = vsp_body_at(s->world, s->shape->body).bits;
    return (query->find_sensors || !is_sensor) &&
           vsp__do_filters_match(&query->filter, &s->shape->filter) &&
           query->except.bits != body && !is_skipped(query, body) &&
           !is_left_out(s, body);
}

/* Whether the bounds of a leaf from the stack must be tested again: without a
 * displacement, if the limit is lower now, or if the leaf is the tree's only
 * one, which was never tested. */
static bool must_test_again(const vsp__query_state *s)
{
    return s->length == 0 || s->limit < s->length || s->tree.top == 0;
}

/* Finds the index in sort_order of the next leaf whose bounds are hit. */
static bool next_place(vsp__query_state *s, uint32_t *place)
{
    while (s->depth > 0) {
        uint32_t node = s->stack[--s->depth];
        uint32_t level = node >> NODE_BITS;

        if (level > 0) {
            push_children(s, level - 1u, 2u * (node & NODE_MASK));
        } else if (!must_test_again(s) || is_on_way(s, node_bounds(s, node))) {
            *place = node;
            return true;
        }
    }
    return false;
}

bool vsp__next_query_shape(vsp__query_state *s)
{
    uint32_t place;

    do {
        if (s->plane < s->world->plane_count)
            place = VSP_MAX_SHAPES + s->plane++;
        else if (!next_place(s, &place))
            return false;
        s->slot = vsp__find_of(s->world)->sort_order[place];
        s->shape = s->world->shapes + s->slot;
        s->pose = vsp__find_of(s->world)->poses + s->slot;
    } while (!vsp__is_query_wanted(s));
    return true;
}

void vsp__start_query_walk(vsp__query_state *s)
{
    update_index(s->world);
    if (s->question != VSP__ASK_BOUNDS)
        vsp__set_query_limit(s, s->limit);
    s->changes = s->world->changes;
    s->plane = s->depth = 0;
    vsp__lay_out_tree(s->world, s->world->leaf_count, &s->tree);
    if (s->world->leaf_count > 0)
        s->stack[s->depth++] = s->tree.top << NODE_BITS;
}

#endif /* VSP_QUERIES */
