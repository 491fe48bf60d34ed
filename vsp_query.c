/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What is asked of a world, in this order: the index of its shapes and the
 * walk through it; lines, and what of them is in a solid of each type; points
 * and how far outside they are; solids that move, and that overlap; the
 * calls.  Nothing here changes state. */

#include "vsp_internal.h"

/* m: beyond all that is looked at */
#define FAR_AWAY VSP__R(VSP_FIXED ? 1023.0 : 1.0e9)
/* slopes below count as none */
#define LEVEL VSP__U(1e-9)
/* m: so near a moving solid touches what it goes towards */
#define TOUCH VSP__R(0.0005)
/* m: by which it must come nearer to be stopped */
#define APPROACH VSP__R(0.00001)
/* a triangle's normal is meant where the nearest points say one so near */
#define FLAT VSP__U(0.995)
/* m: a line this far beyond the edge of a triangle still meets it, so that
 * none slips through between two */
#define SEAM VSP__R(0.00002)


/* ---- Index ----------------------------------------------------------------
 * What vsp_collide.c finds pairs with, made anew for what is there now. */

static void bring_up_to_date(vsp_world *world)
{
    if (world->indexed == world->changes)
        return;
    vsp__place_shapes(world);
    vsp__index_shapes(world);
    world->indexed = world->changes;
}


/* ---- Walk ----------------------------------------------------------------
 * From the root, what is nearer first; a node is looked at when it is its
 * turn, with all that was found before. */

#define NODE_BITS 17u /* of a node's place in its level */
#define NODE_MASK (((uint32_t)1 << NODE_BITS) - 1u)

typedef enum question {
    ASK_RAY,     /* where a point meets a shape first */
    ASK_CAST,    /* where a solid does */
    ASK_OVERLAP, /* whether a solid does where it is */
    ASK_BOUNDS,  /* whether its bounds overlap a box */
    ASK_INSIDE,  /* how deep in it a point is */
    ASK_NEAREST  /* its point nearest to another one */
} question;

/* A way as a shape sees it, from the point of it that is nearest to the
 * shape's origin: there numbers are small, and say where it is precisely. */
typedef struct line {
    vsp__vec3 at, way;
    vsp__real first, last; /* along the way, m */
    vsp__real base;        /* how far along the way `at` is */
} line;

typedef struct search {
    vsp_world *world;
    const vsp_query *query;
    question question;
    vsp__real length;    /* of the way; 0 where there is none */
    vsp__real limit;     /* farther nothing is looked for */
    vsp__vec3 origin;
    vsp__vec3 direction; /* of the way; zero where there is none */
    vsp__vec3 steps;     /* sizes of its components; float: 1 by each */
    vsp__vec3 reach;     /* half the size of what is looked with */
    vsp__bounds ends;    /* of what moves, at the origin; ASK_BOUNDS: a box */
    vsp__bounds bounds;  /* of all that is looked for */
    uint32_t axis;       /* the steepest of the way */
    uint32_t changes;    /* of the world, when it began */

    /* the shape whose turn it is */
    uint32_t slot;
    const vsp__shape *shape;
    const vsp__pose *pose;
    line line;

    /* what moves */
    vsp__convex solid;
    vsp__pose place; /* where it is now */
    vsp__vec3 start; /* where it was */

    uint32_t plane; /* half-spaces that had their turn */
    uint32_t depth; /* of the stack */
    uint32_t stack[VSP__TREE_LEVELS + 2]; /* level << NODE_BITS | place */
    vsp__tree tree;
} search;

/* the point of a way at t */
static void point_at(const vsp__vec3 *from, const vsp__vec3 *way, vsp__real t,
                     vsp__vec3 *point)
{
    vsp__vec3 at = *from;

    u3_move(&at, t, way);
    v3_flush_in(&at);
    *point = at;
}

static void way_point(const search *s, vsp__real t, vsp__vec3 *point)
{
    point_at(&s->origin, &s->direction, t, point);
}

static void line_point(const line *l, vsp__real t, vsp__vec3 *point)
{
    point_at(&l->at, &l->way, t, point);
}

/* Bounds of two points, and of what reaches so far from them. */
static void bound(const vsp__vec3 *a, const vsp__vec3 *b,
                  const vsp__vec3 *reach, vsp__bounds *bounds)
{
    const vsp__real *from = &a->x, *to = &b->x, *room = &reach->x;
    vsp__real *low = &bounds->low.x, *high = &bounds->high.x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        low[k] = r_sub(r_min(from[k], to[k]), room[k]);
        high[k] = r_add(r_max(from[k], to[k]), room[k]);
    }
}

/* A direction of the world as a pose sees it, and back. */
static void see_direction(const vsp__pose *pose, vsp__vec3 *direction)
{
    v3_flush_in(direction);
    vsp__tmul(&pose->axes, direction, direction);
    v3_flush_in(direction);
}

static void show_direction(const vsp__pose *pose, vsp__vec3 *direction)
{
    v3_flush_in(direction);
    vsp__mul(&pose->axes, direction, direction);
    v3_flush_in(direction);
}

static void difference(const vsp__vec3 *a, const vsp__vec3 *b, vsp__vec3 *out)
{
    vsp__vec3 from = *a;

    v3_sub_in(&from, b);
    v3_flush_in(&from);
    *out = from;
}

static void make_unit(vsp__vec3 *v)
{
    vsp__normalize(v);
    v3_flush_in(v);
}

static vsp__real length_of(const vsp__vec3 *v)
{
    return v3_length(*v);
}

/* how far one goes along the other, a unit vector */
static vsp__real dot_of(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return r_flush(u3_dot_at(a, b));
}

/* how far a point is beyond another along a unit vector */
static vsp__real above(const vsp__vec3 *normal, const vsp__vec3 *from,
                       const vsp__vec3 *at)
{
    vsp__vec3 to;

    difference(at, from, &to);
    return dot_of(normal, &to);
}

/* Looks no farther along the way or, without one, from the origin. */
static void set_limit(search *s, vsp__real limit)
{
    vsp__vec3 end;

    s->limit = limit;
    if (s->question == ASK_NEAREST)
        s->reach.x = s->reach.y = s->reach.z = r_max(limit, 0);
    way_point(s, limit, &end);
    bound(&s->origin, &end, &s->reach, &s->bounds);
}

static vsp__real step_of(vsp__real direction)
{
    if (VSP_FIXED)
        return r_abs(direction);
    return direction == 0 ? FAR_AWAY : r_div(VSP__R(1.0), direction);
}

/* the number of the largest component */
static uint32_t steepest(const vsp__vec3 *v)
{
    const vsp__real *part = &v->x;
    uint32_t k, axis = 0;

    for (k = 1; k < 3; k++)
        if (r_abs(part[k]) > r_abs(part[axis]))
            axis = k;
    return axis;
}

/* Reads a way; false when it is none. */
static bool set_way(search *s, const vsp_vec3 *from)
{
    vsp__vec3 *way = &s->direction;
    uint32_t k;

    *way = v3_read(*from);
    if (!vsp__v3_in(*from, VSP_MAX_POSITION) ||
        r_abs((&way->x)[steepest(way)]) < VSP__R(0.0001))
        return false;
    s->length = length_of(way);
    make_unit(way);
    s->axis = steepest(way);
    for (k = 0; k < 3; k++)
        (&s->steps.x)[k] = step_of((&way->x)[k]);
    bound(&s->origin, &s->origin, &s->reach, &s->ends);
    s->limit = s->length;
    return true;
}

/* Whether a way meets bounds: where it is between each two planes, in float
 * the faster of two tests.  No branch: which plane decides is hard to
 * foresee. */
static inline bool meets(const search *s, const vsp__bounds *b)
{
    const vsp__real *low = &b->low.x, *high = &b->high.x;
    const vsp__real *first = &s->ends.low.x, *last = &s->ends.high.x;
    const vsp__real *step = &s->steps.x;
    vsp__real enter = 0, exit = s->limit;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__real t = r_mul(r_sub(low[k], last[k]), step[k]);
        vsp__real u = r_mul(r_sub(high[k], first[k]), step[k]);

        enter = r_max(enter, r_min(t, u));
        exit = r_min(exit, r_max(t, u));
    }
    return enter <= exit;
}

/* Whether the line of the way goes by bounds: separating axes across it, which
 * take no quotient (Ericson, Real-Time Collision Detection, 5.3.3). */
static bool goes_by(const search *s, const vsp__bounds *b)
{
    const vsp__vec3 *d = &s->direction, *u = &s->steps;
    vsp__vec3 low = v3_sub(b->low, s->ends.high);
    vsp__vec3 high = v3_sub(b->high, s->ends.low);
    vsp__vec3 size = v3_way(high, low), twice = v3_way(high, v3_neg(low));

    return r_abs(u_dot2(d->y, twice.z, -d->z, twice.y)) >
               u_dot2(u->y, size.z, u->z, size.y) ||
           r_abs(u_dot2(d->z, twice.x, -d->x, twice.z)) >
               u_dot2(u->z, size.x, u->x, size.z) ||
           r_abs(u_dot2(d->x, twice.y, -d->y, twice.x)) >
               u_dot2(u->x, size.y, u->y, size.x);
}

static inline bool is_on_way(const search *s, const vsp__bounds *b)
{
    if (s->length == 0)
        return vsp__bounds_overlap(&s->bounds, b);
    if (!VSP_FIXED)
        return meets(s, b);
    return vsp__bounds_overlap(&s->bounds, b) && !goes_by(s, b);
}

/* Whether of two nodes on the way the second comes first. */
static bool comes_first(const search *s, const vsp__bounds *a,
                        const vsp__bounds *b)
{
    uint32_t k = s->axis;

    return ((&b->low.x)[k] < (&a->low.x)[k]) != ((&s->direction.x)[k] < 0);
}

static const vsp__bounds *node_bounds(const search *s, uint32_t node)
{
    return vsp__node(&s->tree, node >> NODE_BITS, node & NODE_MASK);
}

/* Puts the nodes below one on the stack that are near, the nearer of two on
 * top. */
static void push_children(search *s, uint32_t level, uint32_t i)
{
    uint32_t node = level << NODE_BITS | i, first;
    const vsp__bounds *a = node_bounds(s, node), *b = a;
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

/* see vsp_query */
static bool is_wanted(const search *s)
{
    const vsp_query *query = s->query;
    bool is_sensor = (s->shape->rules & VSP__SENSOR) != 0;

    if (query == NULL)
        return !is_sensor;
    return (query->find_sensors || !is_sensor) &&
           vsp__filter_lets(&query->filter, &s->shape->filter) &&
           query->except.bits != vsp_body_at(s->world, s->shape->body).bits;
}

/* Whether less is looked for than when a leaf may have been put on the stack;
 * the only leaf of a tree was not looked at. */
static bool is_narrower(const search *s)
{
    return s->length == 0 || s->limit < s->length || s->tree.top == 0;
}

/* The place of the next leaf that may be where it is looked for. */
static bool next_place(search *s, uint32_t *place)
{
    while (s->depth > 0) {
        uint32_t node = s->stack[--s->depth];
        uint32_t level = node >> NODE_BITS;

        if (level > 0) {
            push_children(s, level - 1u, 2u * (node & NODE_MASK));
        } else if (!is_narrower(s) || is_on_way(s, node_bounds(s, node))) {
            *place = node;
            return true;
        }
    }
    return false;
}

/* The next shape that is asked for, and may be where it is looked for. */
static bool next_shape(search *s)
{
    uint32_t place;

    do {
        if (s->plane < s->world->plane_count)
            place = VSP_MAX_SHAPES + s->plane++;
        else if (!next_place(s, &place))
            return false;
        s->slot = s->world->work.find.sort_order[place];
        s->shape = s->world->shapes + s->slot;
        s->pose = s->world->work.find.poses + s->slot;
    } while (!is_wanted(s));
    return true;
}

/* After all arguments were read: with the first shape to come. */
static void start_walk(search *s)
{
    bring_up_to_date(s->world);
    if (s->question != ASK_BOUNDS)
        set_limit(s, s->limit);
    s->changes = s->world->changes;
    s->plane = s->depth = 0;
    vsp__shape_tree(s->world, s->world->leaf_count, &s->tree);
    if (s->world->leaf_count > 0)
        s->stack[s->depth++] = s->tree.top << NODE_BITS;
}

static void see_line(search *s)
{
    line *l = &s->line;
    vsp__vec3 to;

    difference(&s->pose->position, &s->origin, &to);
    l->base = r_clamp(dot_of(&s->direction, &to), 0, s->length);
    l->at = l->way = s->direction;
    u3_scale_in(&l->at, l->base);
    v3_sub_in(&l->at, &to);
    see_direction(s->pose, &l->at);
    see_direction(s->pose, &l->way);
    l->first = r_neg(l->base);
    l->last = r_sub(s->limit, l->base);
}

/* The box of the world around what is looked with, as the shape sees it. */
static void see_reach(const search *s, vsp__vec3 *seen)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        (&seen->x)[k] = u3_dot(v3_abs(s->pose->axes.axis[k]), s->reach);
}


/* ---- What is found ------------------------------------------------------- */

typedef struct meeting {
    uint32_t slot, part;
    vsp__real at; /* m: along the way, or from the point */
    vsp__vec3 point, normal;
} meeting;

/* what begins in a solid meets it there */
static bool begins_inside(const search *s, meeting *m)
{
    m->at = 0;
    m->point = s->origin;
    m->normal = v3_neg(s->direction);
    return true;
}

/* Whether this one comes before what was found before (none: slot is
 * VSP_MAX_SHAPES): of equals the lower slot. */
static bool is_first(const meeting *best, const meeting *m)
{
    return best->slot == VSP_MAX_SHAPES || m->at < best->at ||
           (m->at == best->at && m->slot < best->slot);
}

/* What meets a shape at t of its line, and a normal of its frame. */
static bool meet_at(const search *s, vsp__real t, meeting *m)
{
    m->at = r_max(r_add(t, s->line.base), 0);
    way_point(s, m->at, &m->point);
    show_direction(s->pose, &m->normal);
    return m->at <= s->limit;
}


/* ---- Lines --------------------------------------------------------------- */

/* where a line is inside */
typedef struct passage {
    vsp__real enter, exit;
    vsp__vec3 normal; /* where it enters */
    uint32_t face;    /* of a solid that has some */
} passage;

/* How far along a line through `at` is nearest to the origin, and half of
 * what is within a radius of that; false: nothing. */
static bool cut_ball(const vsp__vec3 *at, const vsp__vec3 *way,
                     vsp__real radius, vsp__real *middle, vsp__real *half)
{
    vsp__vec3 near;
    vsp__square room;

    *middle = r_neg(dot_of(at, way));
    point_at(at, way, *middle, &near);
    room = r_square(radius) - v3_square(near);
    if (room < 0)
        return false;
    *half = vsp__root(room);
    return true;
}

/* A ball on the y axis, at a height. */
static bool pass_ball(const line *l, vsp__real height, vsp__real radius,
                      passage *p)
{
    vsp__vec3 at = l->at;
    vsp__real middle, half;

    at.y = r_flush(r_sub(at.y, height));
    if (!cut_ball(&at, &l->way, radius, &middle, &half))
        return false;
    p->enter = r_sub(middle, half);
    p->exit = r_add(middle, half);
    p->normal = at;
    u3_move(&p->normal, p->enter, &l->way);
    vsp__normalize(&p->normal);
    return true;
}

/* Where a line, seen from above, crosses the wall of a capsule at a distance
 * u along `across`: there, or through the cap that is beyond. */
static bool pass_wall(const line *l, const vsp__vec3 *size, vsp__real u,
                      vsp__real steepness, passage *p)
{
    vsp__real t, y;

    if (steepness < VSP__U(0.00001)) /* along the axis: caps alone */
        y = r_signed(FAR_AWAY, (l->way.y < 0) != (u < 0));
    else {
        t = u_div(u, steepness);
        y = r_add(l->at.y, u_mul(l->way.y, r_flush(t)));
        if (r_abs(y) <= size->y) {
            p->enter = p->exit = t;
            line_point(l, t, &p->normal);
            p->normal.y = 0;
            vsp__normalize(&p->normal);
            return true;
        }
    }
    return pass_ball(l, r_signed(size->y, y < 0), size->x, p);
}

static bool pass_capsule(const line *l, const vsp__vec3 *size, passage *p)
{
    vsp__vec3 across = l->way, at = l->at;
    vsp__real steepness, middle, half;
    passage end;

    across.y = at.y = 0;
    steepness = length_of(&across);
    if (steepness >= VSP__U(0.00001))
        vsp__normalize(&across);
    else
        across = v3_zero();
    v3_flush_in(&across);
    if (!cut_ball(&at, &across, size->x, &middle, &half))
        return false;
    half = r_max(half, VSP__R(0.00001));
    if (!pass_wall(l, size, r_sub(middle, half), steepness, p) ||
        !pass_wall(l, size, r_add(middle, half), steepness, &end))
        return false;
    p->exit = end.exit;
    return true;
}

static void pass_all(passage *p)
{
    p->enter = r_neg(FAR_AWAY);
    p->exit = FAR_AWAY;
    p->face = 0;
}

/* Cuts off what is above a plane, of a line that begins so far above it and
 * goes away from it with a slope; false when nothing is left. */
static bool cut_off(passage *p, vsp__real height, vsp__real slope,
                    uint32_t face)
{
    vsp__real t;

    if (r_abs(slope) <= LEVEL)
        return height <= 0;
    t = u_div(r_neg(height), slope);
    if (slope > 0) {
        p->exit = r_min(p->exit, t);
    } else if (t > p->enter) {
        p->enter = t;
        p->face = face;
    }
    return p->enter <= p->exit;
}

static bool pass_box(const line *l, const vsp__vec3 *middle,
                     const vsp__vec3 *half, passage *p)
{
    const vsp__real *way = &l->way.x, *h = &half->x;
    vsp__vec3 to = *middle;
    uint32_t k;

    v3_sub_in(&to, &l->at);
    pass_all(p);
    for (k = 0; k < 3; k++) {
        vsp__real c = (&to.x)[k];

        if (!cut_off(p, r_sub(c, h[k]), r_neg(way[k]), k) ||
            !cut_off(p, r_sub(r_neg(c), h[k]), way[k], k))
            return false;
    }
    p->normal = v3_zero();
    (&p->normal.x)[p->face] = r_signed(VSP__U(1.0), way[p->face] > 0);
    return true;
}

/* how far a point is above a face's plane, whose normal is found */
static vsp__real above_face(const vsp_plane *plane, const vsp__vec3 *at,
                            vsp__vec3 *normal)
{
    vsp__direction(plane, normal);
    v3_flush_in(normal);
    return r_sub(dot_of(normal, at), r_of_place(plane->offset));
}

static bool pass_hull(const line *l, const vsp_hull *hull, passage *p)
{
    vsp__real height;
    vsp__vec3 n;
    uint32_t i;

    pass_all(p);
    for (i = 0; i < hull->face_count; i++) {
        height = above_face(hull->planes + i, &l->at, &n);
        if (!cut_off(p, height, dot_of(&n, &l->way), i))
            return false;
    }
    (void)above_face(hull->planes + p->face, &l->at, &p->normal);
    return true;
}

static const vsp_hull *hull_of(const search *s)
{
    return (const vsp_hull *)s->world->tables[s->shape->table - 1u];
}

static bool ray_solid(const search *s, meeting *m)
{
    const vsp__vec3 *size = &s->shape->size;
    uint32_t type = s->shape->type;
    vsp__vec3 middle = v3_zero();
    const line *l = &s->line;
    passage p;
    bool is_met;

    if (type == VSP_SHAPE_BOX)
        is_met = pass_box(l, &middle, size, &p);
    else if (VSP_HULLS && type == VSP_SHAPE_HULL)
        is_met = pass_hull(l, hull_of(s), &p);
    else if (VSP_CAPSULES && type == VSP_SHAPE_CAPSULE)
        is_met = pass_capsule(l, size, &p);
    else
        is_met = pass_ball(l, 0, size->x, &p);
    if (!is_met || p.exit < l->first)
        return false;
    if (p.enter < l->first)
        return begins_inside(s, m);
    m->normal = p.normal;
    return meet_at(s, p.enter, m);
}


/* ---- Solids that move ------------------------------------------------------
 * Conservative advancement (Mirtich, Impulse-based Dynamic Simulation of
 * Rigid Body Systems, 1996): as far as the gap along the normal lets it go,
 * again and again.  What does not move overlaps, or meets nothing. */

#define ADVANCES 40

/* Takes what moves so far along the way. */
static void put_at(search *s, vsp__real at)
{
    point_at(&s->start, &s->direction, at, &s->place.position);
}

/* How far it can go towards a convex solid, at most to a limit; false when it
 * does not come to touch that. */
static bool move_towards(search *s, const vsp__convex *target,
                         vsp__real limit, meeting *m)
{
    vsp__real gap, closing, left, near;
    vsp__witness w;
    uint32_t i;

    s->place.position = s->start;
    m->at = 0;
    for (i = 0; i < ADVANCES; i++) {
        left = r_sub(limit, m->at);
        gap = vsp__distance(&s->solid, target, r_add(left, TOUCH), &w);
        if (!(gap > 0))
            return i > 0 || begins_inside(s, m);
        closing = dot_of(&w.normal, &s->direction);
        near = r_sub(gap, u_mul(VSP__U(0.5), TOUCH));
        if (closing <= LEVEL ||
            u_mul(closing, left) < r_max(near, i == 0 ? APPROACH : 0))
            return false;
        m->normal = v3_neg(w.normal);
        m->point = w.on[1];
        v3_add_in(&m->point, &target->pose->position);
        if (gap <= TOUCH)
            return true;
        m->at = r_min(r_add(m->at, u_div(near, closing)), limit);
        put_at(s, m->at);
    }
    return true;
}


/* ---- Half-spaces --------------------------------------------------------- */

/* The point of a box, a solid or a ray that is deepest in a half-space. */
static void deepest_point(const search *s, const vsp__vec3 *normal,
                          vsp__vec3 *point)
{
    vsp__vec3 down = v3_neg(*normal);
    uint32_t k;

    *point = s->origin;
    if (s->question == ASK_BOUNDS) {
        for (k = 0; k < 3; k++)
            (&point->x)[k] = (&normal->x)[k] > 0 ? (&s->ends.low.x)[k]
                                                 : (&s->ends.high.x)[k];
    } else if (s->question != ASK_RAY) {
        vsp__farthest(&s->solid, &down, point);
        u3_move(point, s->solid.radius, &down);
        v3_add_in(point, &s->start);
    }
}

static bool ask_plane(const search *s, meeting *m)
{
    const vsp__vec3 *n = &s->pose->axes.axis[1];
    vsp__real slope = dot_of(n, &s->direction), height, near;

    deepest_point(s, n, &m->point);
    height = near = above(n, &s->pose->position, &m->point);
    if (height <= 0)
        return begins_inside(s, m);
    if (s->question != ASK_RAY)
        near = r_sub(height, u_mul(VSP__U(0.5), TOUCH));
    if (slope >= r_neg(LEVEL) ||
        (s->question != ASK_RAY &&
         u_mul(r_neg(slope), s->limit) < r_max(near, APPROACH)))
        return false;
    m->at = r_max(u_div(near, r_neg(slope)), 0);
    u3_move(&m->point, m->at, &s->direction);
    if (s->question == ASK_RAY)
        v3_flush_in(&m->point);
    else
        u3_move(&m->point, r_neg(r_min(height, near)), n);
    m->normal = *n;
    return m->at <= s->limit;
}


/* ---- Surfaces --------------------------------------------------------------
 * Triangles near a line, piece after piece of it, so that not all within its
 * bounds have to be looked at. */

#define PIECES 8 /* of a line */

typedef struct facet {
    vsp__vec3 corners[3]; /* in the surface's frame, as all here */
    vsp__vec3 sides[3];   /* from corner k to the next, of length 1 */
    vsp__vec3 normal;
} facet;

static void find_sides(facet *f)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        difference(f->corners + (k < 2 ? k + 1 : 0), f->corners + k,
                   f->sides + k);
        make_unit(f->sides + k);
    }
    u3_cross_to(&f->sides[0], &f->sides[1], &f->normal);
    v3_flush_in(&f->normal);
    make_unit(&f->normal);
}

/* how far a point is in front of the facet */
static vsp__real above_facet(const facet *f, const vsp__vec3 *at)
{
    return above(&f->normal, &f->corners[0], at);
}

/* Whether a line meets the front of a facet, and where: not beyond a limit. */
static bool pass_facet(const line *l, const facet *f, vsp__real limit,
                       vsp__real *t)
{
    vsp__real slope = dot_of(&f->normal, &l->way);
    vsp__vec3 at, out;
    uint32_t k;

    if (slope >= r_neg(LEVEL))
        return false;
    *t = u_div(above_facet(f, &l->at), r_neg(slope));
    if (*t < l->first || *t > limit)
        return false;
    line_point(l, *t, &at);
    for (k = 0; k < 3; k++) {
        u3_cross_to(f->sides + k, &f->normal, &out);
        v3_flush_in(&out);
        if (above(&out, f->corners + k, &at) > SEAM)
            return false;
    }
    return true;
}

static void make_core(vsp__convex *c, const vsp__pose *pose, vsp__core core)
{
    vsp__clear(c, sizeof *c);
    c->pose = pose;
    c->core = core;
}

/* The nearest point of a solid, not beyond a limit. */
static bool leave_convex(const search *s, const vsp__convex *target,
                          vsp__real limit, meeting *m)
{
    vsp__witness w;

    m->at = vsp__distance(target, &s->solid, limit, &w);
    m->normal = w.normal;
    m->point = w.on[0];
    v3_add_in(&m->point, &target->pose->position);
    return m->at <= limit;
}

/* What is asked of one facet, whose limit m->at is; the normal is one of the
 * surface's frame but for solids that move. */
static bool ask_facet(search *s, const facet *f, vsp__real limit, meeting *m)
{
    const line *l = &s->line;
    vsp__vec3 at = l->at;
    vsp__convex triangle;
    vsp__real height;

    m->normal = f->normal;
    if (s->question == ASK_RAY)
        return pass_facet(l, f, limit, &m->at);
    make_core(&triangle, s->pose, VSP__TRIANGLE);
    triangle.corners = f->corners;
    if (s->question == ASK_CAST)
        line_point(l, l->first, &at);
    height = above_facet(f, &at);
    if (s->question == ASK_NEAREST) {
        if (height < 0 || height > limit ||
            !leave_convex(s, &triangle, limit, m))
            return false;
        m->normal = f->normal;
        return true;
    }
    if (s->question == ASK_CAST &&
        (height < 0 || dot_of(&f->normal, &l->way) >= 0))
        return false;
    if (!move_towards(s, &triangle, limit, m))
        return false;
    at = f->normal;
    show_direction(s->pose, &at);
    if (m->at > 0 && u3_dot_at(&at, &m->normal) > FLAT)
        m->normal = at;
    return true;
}

/* The same of all facets within bounds, after what was met before. */
static void ask_facets(search *s, const vsp__surface *surface,
                        const vsp__bounds *bounds, meeting *m)
{
    vsp__triangles list;
    meeting now;
    facet f;

    vsp__triangles_near(&list, surface, bounds);
    while (vsp__next_triangle(&list, f.corners, &now.part)) {
        find_sides(&f);
        now.slot = s->slot;
        if (ask_facet(s, &f, m->at, &now) && is_first(m, &now))
            *m = now;
    }
}

/* A piece of a line that is near a shape, and what is around it. */
typedef struct piece {
    vsp__real from, to, step;
    vsp__real end; /* of all */
    uint32_t left;
} piece;

/* The pieces of a line within reach of a shape's box; false: none. */
static bool cut_line(const search *s, const vsp__vec3 *reach, piece *cut)
{
    const line *l = &s->line;
    vsp__vec3 middle, half;
    passage p;

    vsp__shape_box(s->world, s->shape, &middle, &half);
    v3_add_in(&half, reach);
    if (!pass_box(l, &middle, &half, &p))
        return false;
    cut->from = cut->to = r_max(p.enter, l->first);
    cut->end = r_min(p.exit, l->last);
    cut->step = u_mul(VSP__U(1.0 / PIECES), r_sub(cut->end, cut->from));
    cut->left = s->length > 0 ? PIECES : 1;
    return cut->end >= cut->from;
}

/* Bounds of the next piece. */
static void next_piece(const line *l, const vsp__vec3 *reach, piece *cut,
                       vsp__bounds *bounds)
{
    vsp__vec3 a, b;

    cut->left--;
    cut->from = cut->to;
    cut->to = r_add(cut->from, cut->step);
    line_point(l, cut->from, &a);
    line_point(l, cut->to, &b);
    bound(&a, &b, reach, bounds);
}

/* Where a way first meets a surface. */
static bool cross_surface(search *s, const vsp__surface *surface, meeting *m)
{
    vsp__vec3 reach = v3(TOUCH, TOUCH, TOUCH);
    vsp__real base = 0; /* of m->at, as pieces count */
    vsp__bounds bounds;
    piece cut;

    m->at = s->line.last;
    if (s->question != ASK_RAY) {
        see_reach(s, &reach);
        base = s->line.base;
        m->at = s->limit;
    }
    if (!cut_line(s, &reach, &cut))
        return false;
    while (cut.left > 0) {
        next_piece(&s->line, &reach, &cut, &bounds);
        ask_facets(s, surface, &bounds, m);
        if (m->slot == s->slot && m->at <= r_add(cut.to, base))
            break;
    }
    return m->slot == s->slot &&
           (s->question != ASK_RAY || meet_at(s, m->at, m));
}

/* The nearest point of what is seen from its front: in rings that grow, so
 * that most is never looked at. */
static bool leave_surface(search *s, const vsp__surface *surface, meeting *m)
{
    vsp__real reach = u_mul(VSP__U(1.0 / 256.0), s->limit);
    vsp__bounds bounds;
    vsp__vec3 margin;
    uint32_t ring;

    for (ring = 0; ring < 5 && m->slot != s->slot; ring++) {
        m->at = ring < 4 ? reach : s->limit;
        margin.x = margin.y = margin.z = m->at;
        bound(&s->line.at, &s->line.at, &margin, &bounds);
        ask_facets(s, surface, &bounds, m);
        reach = r_add(r_add(reach, reach), r_add(reach, reach));
    }
    if (m->slot != s->slot)
        return false;
    show_direction(s->pose, &m->normal);
    return true;
}

static bool ask_surface(search *s, meeting *m)
{
    vsp__surface surface;

    vsp__make_surface(s->world, s->shape, s->pose, &surface);
    m->slot = VSP_MAX_SHAPES;
    if (s->question == ASK_NEAREST)
        return leave_surface(s, &surface, m);
    return s->question != ASK_INSIDE && cross_surface(s, &surface, m);
}


/* ---- Signed distances ------------------------------------------------------
 * As far as the distance says that nothing is, again and again (Hart, Sphere
 * tracing, 1996); where it is inside then, half back and forth. */

#define TRACES 160  /* steps at most; a line that takes more has gone by */
#define HALVINGS 12 /* after the last */

static void get_sdf(const search *s, vsp__sdf *sdf)
{
    sdf->table = (const vsp_sdf *)s->world->tables[s->shape->table - 1u];
    sdf->pose = s->pose;
}

/* How far apart what moved so far and a signed-distance solid are, where they
 * come nearer: at most the reach. */
static vsp__real gap_of_solid(search *s, const vsp__sdf *sdf, vsp__real at,
                              vsp__real reach, meeting *m)
{
    vsp__gather *g = vsp__gather_of(s->world);
    vsp__real gap = reach;
    vsp__touch t;
    uint32_t i, k;

    put_at(s, at);
    vsp__gather_begin(g);
    vsp__touch_sdf(sdf, &s->solid, reach, g);
    for (i = vsp__gather_end(g); i-- > 0;) {
        vsp__gather_get(g, i, &t);
        for (k = 0; k < t.count; k++) {
            if (t.points[k].gap >= gap ||
                (s->length > 0 &&
                 u3_dot_at(&t.normal, &s->direction) >= r_neg(LEVEL)))
                continue;
            gap = t.points[k].gap;
            m->normal = t.normal;
            m->point = t.points[k].on[0];
            v3_add_in(&m->point, &s->pose->position);
        }
    }
    return gap;
}

/* The same of a ray, whose t is that of its line. */
static vsp__real gap_along(search *s, const vsp__sdf *sdf, vsp__real t,
                        vsp__real reach, meeting *m)
{
    vsp__vec3 at;

    if (s->question != ASK_RAY)
        return gap_of_solid(s, sdf, t, reach, m);
    line_point(&s->line, t, &at);
    return vsp__sdf_distance(sdf->table, &at, &m->normal);
}

/* Where a gap is no longer above one so near, between two that are and are
 * not: the last that is above. */
static vsp__real halve(search *s, const vsp__sdf *sdf, vsp__real out,
                       vsp__real in, vsp__real near, vsp__real reach,
                       meeting *m)
{
    vsp__real t;
    uint32_t i;

    for (i = 0; i < HALVINGS; i++) {
        t = r_add(out, u_mul(VSP__U(0.5), r_sub(in, out)));
        if (gap_along(s, sdf, t, reach, m) > near)
            out = t;
        else
            in = t;
    }
    return out;
}

static bool ask_sdf(search *s, meeting *m)
{
    bool is_ray = s->question == ASK_RAY;
    vsp__real near = is_ray ? 0 : u_mul(VSP__U(0.5), TOUCH);
    vsp__real base = is_ray ? 0 : s->line.base;
    vsp__real begin = is_ray ? s->line.first : 0;
    vsp__real reach, least, t, gap, out;
    vsp__vec3 size;
    vsp__sdf sdf;
    piece cut;
    uint32_t i;

    get_sdf(s, &sdf);
    if (s->question == ASK_OVERLAP)
        return gap_along(s, &sdf, 0, TOUCH, m) <= 0;
    see_reach(s, &size);
    if (!cut_line(s, &size, &cut))
        return false;
    least = r_of_place(sdf.table->cell / (is_ray ? 16 : 8) + 1);
    reach = r_of_place(sdf.table->cell);
    reach = r_add(reach, reach);
    t = out = r_max(r_add(cut.from, base), begin);
    for (i = 0; i < TRACES && t <= r_add(cut.end, base); i++) {
        gap = gap_along(s, &sdf, t, reach, m);
        if (gap <= 0 && t == begin)
            return begins_inside(s, m);
        if (gap <= near) {
            m->at = halve(s, &sdf, out, t, near, reach, m);
            return is_ray ? meet_at(s, m->at, m) : m->at <= s->limit;
        }
        out = t;
        t = r_add(t, r_max(u_mul(VSP__U(0.8), gap), least));
    }
    return false;
}


/* ---- Points ----------------------------------------------------------------
 * In the shape's frame: at becomes the nearest point of its surface; each
 * returns how far outside it was, and where out is. */

static vsp__real gap_of_ball(vsp__vec3 *at, vsp__real height,
                             vsp__real radius, vsp__vec3 *normal)
{
    vsp__vec3 from = *at;
    vsp__real distance;

    from.y = r_flush(r_sub(from.y, height));
    distance = length_of(&from);
    *normal = v3(0, VSP__U(1.0), 0);
    if (distance > VSP__R(0.000001)) {
        *normal = from;
        vsp__direct(normal, distance);
        v3_flush_in(normal);
    }
    *at = *normal;
    u3_scale_in(at, radius);
    at->y = r_add(at->y, height);
    return r_sub(distance, radius);
}

static vsp__real gap_of_box(vsp__vec3 *at, const vsp__vec3 *size,
                            vsp__vec3 *normal)
{
    const vsp__real *h = &size->x;
    vsp__real *a = &at->x, outside[3], distance;
    vsp__vec3 from = *at;
    uint32_t k, best = 0;

    for (k = 0; k < 3; k++) {
        outside[k] = r_sub(r_abs(a[k]), h[k]);
        if (outside[k] > outside[best])
            best = k;
        a[k] = r_clamp(a[k], r_neg(h[k]), h[k]);
    }
    difference(&from, at, normal);
    distance = length_of(normal);
    if (distance > VSP__R(0.000001)) {
        vsp__direct(normal, distance);
        return distance;
    }
    *normal = v3_zero();
    (&normal->x)[best] = r_signed(VSP__U(1.0), a[best] < 0);
    a[best] = r_signed(h[best], a[best] < 0);
    return outside[best];
}

/* How far a point is in a hull, or, above 0, outside of one of its planes. */
static vsp__real gap_in_hull(vsp__vec3 *at, const vsp_hull *hull,
                             vsp__vec3 *normal)
{
    vsp__real gap = r_neg(FAR_AWAY), height;
    vsp__vec3 n;
    uint32_t i;

    for (i = 0; i < hull->face_count; i++) {
        height = above_face(hull->planes + i, at, &n);
        if (height > gap) {
            gap = height;
            *normal = n;
        }
    }
    u3_move(at, r_neg(gap), normal);
    return gap;
}

/* How far the origin is outside of a solid, and the nearest point of that, in
 * its frame. */
static vsp__real gap_of_point(const search *s, vsp__vec3 *at,
                              vsp__vec3 *normal)
{
    const vsp__vec3 *size = &s->shape->size;
    uint32_t type = s->shape->type;
    vsp__real gap;
    vsp__sdf sdf;

    if (type == VSP_SHAPE_BOX)
        return gap_of_box(at, size, normal);
    if (VSP_HULLS && type == VSP_SHAPE_HULL)
        return gap_in_hull(at, hull_of(s), normal);
    if (type == VSP_SHAPE_HALF_SPACE) {
        gap = at->y;
        at->y = 0;
        *normal = v3(0, VSP__U(1.0), 0);
        return gap;
    }
    if (VSP_SDFS && type == VSP_SHAPE_SDF) {
        get_sdf(s, &sdf);
        gap = vsp__sdf_distance(sdf.table, at, normal);
        v3_flush_in(normal);
        u3_move(at, r_neg(gap), normal);
        return gap;
    }
    gap = 0;
    if (VSP_CAPSULES && type == VSP_SHAPE_CAPSULE)
        gap = r_clamp(at->y, r_neg(size->y), size->y);
    return gap_of_ball(at, gap, size->x, normal);
}

/* The same in the world; false when it is farther than the limit. */
static bool leave_solid(const search *s, meeting *m)
{
    vsp__convex hull;

    m->point = s->line.at;
    m->at = gap_of_point(s, &m->point, &m->normal);
    if (m->at > s->limit)
        return false;
    if (VSP_HULLS && s->shape->type == VSP_SHAPE_HULL && m->at > 0) {
        vsp__make_convex(s->world, s->shape, s->pose, &hull);
        (void)leave_convex(s, &hull, FAR_AWAY, m);
        return m->at <= s->limit;
    }
    vsp__mul(&s->pose->axes, &m->point, &m->point);
    v3_add_in(&m->point, &s->pose->position);
    show_direction(s->pose, &m->normal);
    return true;
}


/* ---- Any shape ----------------------------------------------------------- */

/* Answers what is asked, of the shape whose turn it is. */
static bool ask_shape(search *s, meeting *m)
{
    uint32_t type = s->shape->type;
    vsp__convex target;

    m->slot = s->slot;
    m->part = 0;
    if (s->question == ASK_BOUNDS && type != VSP_SHAPE_HALF_SPACE)
        return true;
    see_line(s);
    if ((VSP_MESHES && type == VSP_SHAPE_MESH) ||
        (VSP_HEIGHT_FIELDS && type == VSP_SHAPE_HEIGHT_FIELD))
        return ask_surface(s, m);
    if (s->question >= ASK_INSIDE)
        return leave_solid(s, m);
    if (type == VSP_SHAPE_HALF_SPACE)
        return ask_plane(s, m);
    if (VSP_SDFS && type == VSP_SHAPE_SDF)
        return ask_sdf(s, m);
    if (s->question == ASK_RAY)
        return ray_solid(s, m);
    vsp__make_convex(s->world, s->shape, s->pose, &target);
    return move_towards(s, &target, s->limit, m);
}

static void show_meeting(const search *s, const meeting *m, vsp_hit *hit)
{
    vsp__real fraction = 0;

    hit->shape = vsp_shape_at(s->world, m->slot);
    hit->body = vsp_shape_body(s->world, hit->shape);
    hit->part = m->part;
    if (s->length > 0)
        fraction = r_min(u_div(m->at, s->length), VSP__U(1.0));
    hit->fraction = u_show(fraction);
    hit->distance = r_show(m->at);
    hit->point = v3_show(m->point);
    hit->normal = u3_show(m->normal);
}

/* Tells what comes first, or that there is nothing. */
static vsp_status find_first(search *s, vsp_hit *hit)
{
    meeting best, m;

    start_walk(s);
    vsp__clear(&best, sizeof best);
    best.slot = VSP_MAX_SHAPES;
    while (next_shape(s))
        if (ask_shape(s, &m) && is_first(&best, &m)) {
            best = m;
            set_limit(s, m.at);
        }
    if (best.slot == VSP_MAX_SHAPES) {
        best.at = s->limit;
        way_point(s, s->limit, &best.point);
    }
    show_meeting(s, &best, hit);
    if (best.slot == VSP_MAX_SHAPES)
        hit->fraction = VSP_R(1.0);
    return VSP_OK;
}

/* Calls the program; false when it has enough: a NaN ends, too. */
static bool tell(search *s, const meeting *m, vsp_found *found, void *user)
{
    vsp_real answer;
    vsp_hit hit;

    show_meeting(s, m, &hit);
    answer = found(user, &hit);
    if (s->question == ASK_RAY && answer > 0 && answer < VSP_R(1.0))
        set_limit(s, r_min(s->limit, u_mul(u_read(answer), s->length)));
    return s->world->changes == s->changes && (answer < 0 || answer > 0);
}

/* Tells all that is met.  Of what overlaps, point and normal do not count:
 * they are 0, or those of the signed distance looked at last. */
static vsp_status find_all(search *s, vsp_found *found, void *user)
{
    bool is_overlap = s->question == ASK_OVERLAP ||
                      s->question == ASK_BOUNDS;
    meeting m, last;
    bool is_met;

    vsp__clear(&last, sizeof last);
    start_walk(s);
    while (next_shape(s)) {
        m = last;
        is_met = ask_shape(s, &m);
        if (VSP_SDFS && s->shape->type == VSP_SHAPE_SDF)
            last = m;
        if (is_overlap) {
            m.at = 0;
            m.point = last.point;
            m.normal = last.normal;
        }
        if (is_met && !tell(s, &m, found, user))
            break;
    }
    return s->world->changes == s->changes ? VSP_OK : VSP_ERR_ARG;
}


/* ---- Calls --------------------------------------------------------------- */

vsp_query vsp_query_default(void)
{
    vsp_query query;

    query.filter.category = query.filter.mask = 0xffffffffu;
    query.filter.group = 0;
    query.find_sensors = false;
    query.except.bits = 0;
    return query;
}

static bool begin_search(search *s, question asked, vsp_world *world,
                         const vsp_query *query)
{
    s->world = world;
    s->query = query;
    s->question = asked;
    s->axis = 0;
    s->length = s->limit = 0;
    s->direction = s->reach = v3_zero();
    return vsp__is_world(world);
}

/* Begins with a point; false for what is no argument. */
static bool begin_at(search *s, question asked, vsp_world *world,
                     const vsp_query *query, const vsp_vec3 *point)
{
    s->origin = s->ends.low = v3_read(*point);
    v3_flush_in(&s->origin);
    return begin_search(s, asked, world, query) &&
           vsp__v3_in(*point, VSP_MAX_POSITION);
}

/* Begins with a solid that a caller wants to move. */
static bool begin_with(search *s, question asked, vsp_world *world,
                       const vsp_query *query, const vsp_shape_def *def,
                       const vsp_transform *from)
{
    vsp__shape shape = {0};
    vsp__transform frame;
    vsp__mat3 axes;
    vsp__vec3 half;
    uint32_t k;

    if (!begin_search(s, asked, world, query) || def == NULL ||
        !vsp__read_shape(world, def, &shape) ||
        !vsp__read_pose(from, &frame) ||
        shape.type == VSP_SHAPE_HALF_SPACE || shape.type > VSP_SHAPE_HULL)
        return false;
    vsp__make_convex(world, &shape, &s->place, &s->solid);
    vsp__flushed_axes(frame.rotation, &axes);
    vsp__flushed_axes(shape.pose.rotation, &s->place.axes);
    s->start = shape.pose.position;
    v3_flush_in(&s->start);
    vsp__mul(&axes, &s->start, &s->start);
    v3_add_in(&s->start, &frame.position);
    v3_flush_in(&s->start);
    vsp__shape_box(world, &shape, &s->origin, &half);
    s->reach = v3(TOUCH, TOUCH, TOUCH);
    for (k = 0; k < 3; k++) {
        vsp__vec3 *axis = s->place.axes.axis + k;

        vsp__mul(&axes, axis, axis);
        v3_flush_in(axis);
        u3_move_abs(&s->reach, (&half.x)[k], axis);
    }
    vsp__mul(&s->place.axes, &s->origin, &s->origin);
    v3_add_in(&s->origin, &s->start);
    v3_flush_in(&s->origin);
    return true;
}

vsp_status vsp_ray_cast(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                        const vsp_query *query, vsp_hit *hit)
{
    search s;

    if (hit == NULL || !begin_at(&s, ASK_RAY, world, query, &origin) ||
        !set_way(&s, &way))
        return VSP_ERR_ARG;
    return find_first(&s, hit);
}

vsp_status vsp_ray_cast_all(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    search s;

    if (found == NULL || !begin_at(&s, ASK_RAY, world, query, &origin) ||
        !set_way(&s, &way))
        return VSP_ERR_ARG;
    return find_all(&s, found, user);
}

vsp_status vsp_shape_cast(vsp_world *world, const vsp_shape_def *def,
                          vsp_transform pose, vsp_vec3 way,
                          const vsp_query *query, vsp_hit *hit)
{
    search s;

    if (hit == NULL || !begin_with(&s, ASK_CAST, world, query, def, &pose) ||
        !set_way(&s, &way))
        return VSP_ERR_ARG;
    return find_first(&s, hit);
}

vsp_status vsp_overlap_aabb(vsp_world *world, vsp_vec3 low, vsp_vec3 high,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    vsp__vec3 margin; /* around what the index has */
    search s;

    if (found == NULL || !begin_at(&s, ASK_BOUNDS, world, query, &low) ||
        !vsp__v3_in(high, VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    s.ends.high = v3_read(high);
    if (s.ends.low.x > s.ends.high.x || s.ends.low.y > s.ends.high.y ||
        s.ends.low.z > s.ends.high.z)
        return VSP_ERR_ARG;
    margin.x = margin.y = margin.z =
        r_neg(u_mul(VSP__U(0.5), world->params.envelope));
    bound(&s.ends.low, &s.ends.high, &margin, &s.bounds);
    return find_all(&s, found, user);
}

vsp_status vsp_overlap_shape(vsp_world *world, const vsp_shape_def *def,
                             vsp_transform pose, const vsp_query *query,
                             vsp_found *found, void *user)
{
    search s;

    if (found == NULL ||
        !begin_with(&s, ASK_OVERLAP, world, query, def, &pose))
        return VSP_ERR_ARG;
    return find_all(&s, found, user);
}

vsp_status vsp_point_inside(vsp_world *world, vsp_vec3 point,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    search s;

    if (found == NULL || !begin_at(&s, ASK_INSIDE, world, query, &point))
        return VSP_ERR_ARG;
    return find_all(&s, found, user);
}

vsp_status vsp_closest_point(vsp_world *world, vsp_vec3 point,
                             vsp_real max_distance, const vsp_query *query,
                             vsp_hit *hit)
{
    search s;

    if (hit == NULL || !begin_at(&s, ASK_NEAREST, world, query, &point) ||
        !a_in(max_distance, VSP_R(0.0001), VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    make_core(&s.solid, &s.place, VSP__POINT);
    vsp__flushed_axes(q_identity(), &s.place.axes);
    s.place.position = s.origin;
    s.limit = r_read(max_distance);
    return find_first(&s, hit);
}
