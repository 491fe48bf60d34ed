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
 * What vsp_collide.c finds pairs with, made anew for what is there now; the
 * half-spaces, which have no bounds, are listed behind its leaves. */

static void bring_up_to_date(vsp_world *world)
{
    uint32_t i, planes = 0;

    if (world->indexed == world->changes)
        return;
    for (i = 0; i < world->body_limit; i++)
        vsp__update_axes(world, i);
    world->leaf_count = vsp__index_shapes(world);
    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type == VSP_SHAPE_HALF_SPACE)
            world->work.find.sort_order[VSP_MAX_SHAPES + planes++] =
                (uint16_t)i;
    world->plane_count = planes;
    world->indexed = world->changes;
}


/* ---- Walk ----------------------------------------------------------------
 * From the root, what is nearer first; a node is looked at when it is its
 * turn, with all that was found before. */

#define NODE_BITS 17u /* of a node's place in its level */

typedef struct search {
    vsp_world *world;
    const vsp_query *query;
    vsp__vec3 origin;
    vsp__vec3 direction; /* of the way; zero where there is none */
    vsp__vec3 steps;     /* sizes of its components; float: 1 by each */
    vsp__vec3 reach;     /* half the size of what moves there */
    vsp__bounds ends;    /* of what moves, at the origin */
    vsp__real length;    /* of the way */
    vsp__real limit;     /* farther nothing is looked for */
    vsp__bounds bounds;  /* of all that is looked for */
    uint32_t axis;       /* the steepest of the way */
    uint32_t changes;    /* of the world, when it began */
    uint32_t plane;      /* half-spaces that had their turn */
    uint32_t depth;      /* of the stack */
    uint32_t stack[VSP__TREE_LEVELS + 2]; /* level << NODE_BITS | place */
    vsp__tree tree;
} search;

static void begin_search(search *s, vsp_world *world, const vsp_query *query,
                         const vsp__vec3 *origin)
{
    bring_up_to_date(world);
    s->world = world;
    s->query = query;
    s->origin = *origin;
    v3_flush_in(&s->origin);
    s->direction = s->steps = s->reach = v3_zero();
    s->length = s->limit = 0;
    s->bounds.low = s->bounds.high = s->origin;
    s->axis = 0;
    s->changes = world->changes;
    s->plane = s->depth = 0;
    vsp__shape_tree(world, world->leaf_count, &s->tree);
    if (world->leaf_count > 0)
        s->stack[s->depth++] = s->tree.top << NODE_BITS;
}

/* the point of the way at t */
static void way_point(const search *s, vsp__real t, vsp__vec3 *point)
{
    *point = s->direction;
    u3_scale_in(point, t);
    v3_add_in(point, &s->origin);
    v3_flush_in(point);
}

/* Bounds of two points, and of what reaches so far from them. */
static void bound(const vsp__vec3 *a, const vsp__vec3 *b,
                  const vsp__vec3 *reach, vsp__bounds *bounds)
{
    bounds->low = v3(r_min(a->x, b->x), r_min(a->y, b->y),
                     r_min(a->z, b->z));
    bounds->high = v3(r_max(a->x, b->x), r_max(a->y, b->y),
                      r_max(a->z, b->z));
    v3_sub_in(&bounds->low, reach);
    v3_add_in(&bounds->high, reach);
}

/* A point of the world as a pose sees it. */
static void see_point(const vsp__pose *pose, vsp__vec3 *at)
{
    v3_sub_in(at, &pose->position);
    v3_flush_in(at);
    vsp__tmul(&pose->axes, at, at);
    v3_flush_in(at);
}

/* A direction of a pose in the world. */
static void show_direction(const vsp__pose *pose, vsp__vec3 *direction)
{
    v3_flush_in(direction);
    vsp__mul(&pose->axes, direction, direction);
    v3_flush_in(direction);
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
    vsp__vec3 to = *at;

    v3_sub_in(&to, from);
    v3_flush_in(&to);
    return dot_of(normal, &to);
}

/* Looks no farther along the way. */
static void set_limit(search *s, vsp__real limit)
{
    vsp__vec3 end;

    s->limit = limit;
    way_point(s, limit, &end);
    bound(&s->origin, &end, &s->reach, &s->bounds);
}

static vsp__real step_of(vsp__real direction)
{
    if (VSP_FIXED)
        return r_abs(direction);
    return direction == 0 ? FAR_AWAY : r_div(VSP__R(1.0), direction);
}

static void set_way(search *s, const vsp__vec3 *way)
{
    vsp__vec3 slope;

    s->direction = *way;
    s->length = v3_length(*way);
    vsp__normalize(&s->direction);
    v3_flush_in(&s->direction);
    slope = v3_abs(s->direction);
    if (slope.y > slope.x)
        s->axis = 1;
    if (slope.z > r_max(slope.x, slope.y))
        s->axis = 2;
    s->steps = v3(step_of(s->direction.x), step_of(s->direction.y),
                  step_of(s->direction.z));
    bound(&s->origin, &s->origin, &s->reach, &s->ends);
    set_limit(s, s->length);
}

/* Looks no farther from the origin. */
static void set_radius(search *s, vsp__real radius)
{
    s->limit = radius;
    radius = r_max(radius, 0);
    s->reach = v3(radius, radius, radius);
    bound(&s->origin, &s->origin, &s->reach, &s->bounds);
}

/* Whether a way meets bounds: where it is between each two planes, in float
 * the faster of two tests.  No branch: which plane decides is hard to
 * foresee. */
static inline bool meets(const search *s, const vsp__bounds *b)
{
    const vsp__vec3 *k = &s->steps;
    vsp__real x = r_mul(r_sub(b->low.x, s->ends.high.x), k->x);
    vsp__real y = r_mul(r_sub(b->low.y, s->ends.high.y), k->y);
    vsp__real z = r_mul(r_sub(b->low.z, s->ends.high.z), k->z);
    vsp__real u = r_mul(r_sub(b->high.x, s->ends.low.x), k->x);
    vsp__real v = r_mul(r_sub(b->high.y, s->ends.low.y), k->y);
    vsp__real w = r_mul(r_sub(b->high.z, s->ends.low.z), k->z);
    vsp__real enter = r_max(r_min(x, u), r_max(r_min(y, v), r_min(z, w)));
    vsp__real exit = r_min(r_max(x, u), r_min(r_max(y, v), r_max(z, w)));

    return (enter <= exit) & (enter <= s->limit) & (exit >= 0);
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

/* a coordinate by its number */
static vsp__real coordinate(const vsp__vec3 *v, uint32_t axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

/* Whether of two nodes on the way the second comes first. */
static bool comes_first(const search *s, const vsp__bounds *a,
                        const vsp__bounds *b)
{
    return (coordinate(&b->low, s->axis) < coordinate(&a->low, s->axis)) !=
           (coordinate(&s->direction, s->axis) < 0);
}

/* Puts the nodes below one on the stack that are near, the nearer of two on
 * top. */
static void push_children(search *s, uint32_t level, uint32_t i)
{
    const vsp__bounds *a = vsp__node(&s->tree, level, i), *b = a;
    uint32_t node = level << NODE_BITS | i, first;
    bool is_a = is_on_way(s, a), is_b = false;

    if (i + 1u < s->tree.count[level]) {
        b = vsp__node(&s->tree, level, i + 1u);
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
static bool is_wanted(const search *s, uint32_t slot)
{
    const vsp__shape *shape = &s->world->shapes[slot];
    const vsp_query *query = s->query;

    if (query == NULL)
        return (shape->rules & VSP__SENSOR) == 0;
    return (query->find_sensors || (shape->rules & VSP__SENSOR) == 0) &&
           vsp__filter_lets(&query->filter, &shape->filter) &&
           (query->except.bits == 0 ||
            query->except.bits != vsp_body_at(s->world, shape->body).bits);
}

/* Whether less is looked for than when a leaf may have been put on the stack;
 * the only leaf of a tree was not looked at. */
static bool is_narrower(const search *s)
{
    return s->length == 0 || s->limit < s->length || s->tree.top == 0;
}

/* The next shape that is asked for, and may be where it is looked for. */
static bool next_shape(search *s, uint32_t *slot)
{
    const uint16_t *order = s->world->work.find.sort_order;

    while (s->plane < s->world->plane_count) {
        *slot = order[VSP_MAX_SHAPES + s->plane++];
        if (is_wanted(s, *slot))
            return true;
    }
    while (s->depth > 0) {
        uint32_t node = s->stack[--s->depth];
        uint32_t level = node >> NODE_BITS;
        uint32_t i = node & ((1ul << NODE_BITS) - 1u);

        if (level > 0) {
            push_children(s, level - 1u, 2u * i);
            continue;
        }
        if (is_narrower(s) && !is_on_way(s, vsp__node(&s->tree, 0, i)))
            continue;
        *slot = order[i];
        if (is_wanted(s, *slot))
            return true;
    }
    return false;
}


/* ---- What is found ------------------------------------------------------- */

typedef struct meeting {
    uint32_t slot, part;
    vsp__real at; /* m: along the way, or from the point */
    vsp__vec3 point, normal;
} meeting;

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

static void show_nothing(const search *s, vsp_hit *hit)
{
    vsp__vec3 end;

    way_point(s, s->limit, &end);
    hit->shape.bits = hit->body.bits = 0;
    hit->part = 0;
    hit->fraction = VSP_R(1.0);
    hit->distance = r_show(s->limit);
    hit->point = v3_show(end);
    hit->normal = v3_show(v3_zero());
}

/* what begins in a solid meets it there */
static void begins_inside(const search *s, const vsp__vec3 *point, meeting *m)
{
    m->at = 0;
    m->point = *point;
    m->normal = v3_neg(s->direction);
}

/* Whether this one comes before what was found before (none: slot is
 * VSP_MAX_SHAPES): of equals the lower slot. */
static bool is_first(const meeting *best, const meeting *m)
{
    return best->slot == VSP_MAX_SHAPES || m->at < best->at ||
           (m->at == best->at && m->slot < best->slot);
}


/* ---- Lines -----------------------------------------------------------------
 * A way as a solid sees it, from the point of it that is nearest to the
 * solid's origin: there numbers are small, and say where it is precisely. */

typedef struct line {
    vsp__vec3 at, way;
    vsp__real first, last; /* along the way, m */
    vsp__real base;        /* how far along the way `at` is */
} line;

/* where a line is inside */
typedef struct passage {
    vsp__real enter, exit;
    vsp__vec3 normal; /* where it enters */
} passage;

static void see_line(const search *s, const vsp__pose *pose, line *l)
{
    vsp__vec3 to = pose->position, at = s->direction;

    v3_sub_in(&to, &s->origin);
    v3_flush_in(&to);
    l->base = r_clamp(dot_of(&s->direction, &to), 0, s->length);
    u3_scale_in(&at, l->base);
    v3_sub_in(&at, &to);
    v3_flush_in(&at);
    vsp__tmul(&pose->axes, &at, &l->at);
    v3_flush_in(&l->at);
    vsp__tmul(&pose->axes, &s->direction, &l->way);
    v3_flush_in(&l->way);
    l->first = r_neg(l->base);
    l->last = r_sub(s->limit, l->base);
}

/* the point of a line at t */
static void line_point(const line *l, vsp__real t, vsp__vec3 *point)
{
    *point = l->way;
    u3_scale_in(point, t);
    v3_add_in(point, &l->at);
    v3_flush_in(point);
}

/* A ball on the y axis, at a height. */
static bool pass_ball(const line *l, vsp__real height, vsp__real radius,
                      passage *p)
{
    vsp__vec3 at = l->at, near = l->way;
    vsp__real middle, half;
    vsp__square room;

    at.y = r_flush(r_sub(at.y, height));
    middle = r_neg(dot_of(&at, &l->way));
    u3_scale_in(&near, middle);
    v3_add_in(&near, &at);
    v3_flush_in(&near);
    room = r_square(radius) - v3_square(near);
    if (room < 0)
        return false;
    half = vsp__root(room);
    p->enter = r_sub(middle, half);
    p->exit = r_add(middle, half);
    p->normal = l->way;
    u3_scale_in(&p->normal, p->enter);
    v3_add_in(&p->normal, &at);
    vsp__normalize(&p->normal);
    return true;
}

/* Where a line, seen from above, crosses the wall of a capsule at a distance
 * u along `across`: there, or through the cap that is beyond. */
static bool pass_wall(const line *l, const vsp__vec3 *size, vsp__real u,
                      vsp__real steepness, passage *p)
{
    vsp__real t, y;
    vsp__vec3 point;

    if (steepness < VSP__U(0.00001)) /* along the axis: caps alone */
        y = r_signed(FAR_AWAY, (l->way.y < 0) != (u < 0));
    else {
        t = u_div(u, steepness);
        y = r_add(l->at.y, u_mul(l->way.y, r_flush(t)));
        if (r_abs(y) <= size->y) {
            p->enter = p->exit = t;
            line_point(l, t, &point);
            point.y = 0;
            vsp__normalize(&point);
            p->normal = point;
            return true;
        }
    }
    return pass_ball(l, r_signed(size->y, y < 0), size->x, p);
}

static bool pass_capsule(const line *l, const vsp__vec3 *size, passage *p)
{
    vsp__vec3 across = v3(l->way.x, 0, l->way.z), at = v3(l->at.x, 0, l->at.z);
    vsp__real steepness = v3_length(across), middle = 0, half;
    vsp__square room;
    passage end;

    if (steepness >= VSP__U(0.00001)) {
        vsp__normalize(&across);
        v3_flush_in(&across);
        middle = r_neg(dot_of(&across, &at));
        u3_scale_in(&across, middle);
        v3_add_in(&at, &across);
        v3_flush_in(&at);
    }
    room = r_square(size->x) - v3_square(at);
    if (room < 0)
        return false;
    half = r_max(vsp__root(room), VSP__R(0.00001));
    if (!pass_wall(l, size, r_sub(middle, half), steepness, p) ||
        !pass_wall(l, size, r_add(middle, half), steepness, &end))
        return false;
    p->exit = end.exit;
    return true;
}

static bool pass_box(const line *l, const vsp__vec3 *middle,
                     const vsp__vec3 *half, passage *p)
{
    vsp__vec3 to = v3_sub(*middle, l->at);
    const vsp__real *way = &l->way.x, *c = &to.x, *h = &half->x;
    uint32_t k, axis = 0;

    p->enter = r_neg(FAR_AWAY);
    p->exit = FAR_AWAY;
    for (k = 0; k < 3; k++) {
        vsp__real size = r_signed(h[k], way[k] < 0), t;

        if (r_abs(way[k]) <= LEVEL) {
            if (r_abs(c[k]) > h[k])
                return false;
            continue;
        }
        t = u_div(r_sub(c[k], size), way[k]);
        if (t > p->enter) {
            p->enter = t;
            axis = k;
        }
        p->exit = r_min(p->exit, u_div(r_add(c[k], size), way[k]));
    }
    p->normal = v3_zero();
    (&p->normal.x)[axis] = r_signed(VSP__U(1.0), way[axis] > 0);
    return p->enter <= p->exit;
}

/* how far a point is above a face's plane */
static vsp__real above_face(const vsp_plane *plane, const vsp__vec3 *normal,
                            const vsp__vec3 *at)
{
    return r_sub(dot_of(normal, at), r_of_place(plane->offset));
}

static void hull_normal(const vsp_plane *plane, vsp__vec3 *normal)
{
    *normal = v3(u_of_direction(plane->x), u_of_direction(plane->y),
                 u_of_direction(plane->z));
    v3_flush_in(normal);
}

static bool pass_hull(const line *l, const vsp_hull *hull, passage *p)
{
    uint32_t i;

    p->enter = r_neg(FAR_AWAY);
    p->exit = FAR_AWAY;
    for (i = 0; i < hull->face_count; i++) {
        const vsp_plane *plane = &hull->planes[i];
        vsp__vec3 n;
        vsp__real above, slope, t;

        hull_normal(plane, &n);
        above = above_face(plane, &n, &l->at);
        slope = dot_of(&n, &l->way);
        if (r_abs(slope) <= LEVEL) {
            if (above > 0)
                return false;
            continue;
        }
        t = u_div(r_neg(above), slope);
        if (slope > 0) {
            p->exit = r_min(p->exit, t);
        } else if (t > p->enter) {
            p->enter = t;
            p->normal = n;
        }
        if (p->enter > p->exit)
            return false;
    }
    return true;
}

/* What meets a solid at t. */
static bool meet_at(const search *s, const vsp__pose *pose, const line *l,
                    vsp__real t, const vsp__vec3 *normal, meeting *m)
{
    m->at = r_max(r_add(t, l->base), 0);
    if (m->at > s->limit)
        return false;
    way_point(s, m->at, &m->point);
    m->normal = *normal;
    show_direction(pose, &m->normal);
    return true;
}

static bool ray_solid(const search *s, const vsp__shape *shape,
                      const vsp__pose *pose, meeting *m)
{
    vsp__vec3 middle = v3_zero();
    line l;
    passage p;
    bool is_met;

    see_line(s, pose, &l);
    if (shape->type == VSP_SHAPE_BOX)
        is_met = pass_box(&l, &middle, &shape->size, &p);
    else if (VSP_HULLS && shape->type == VSP_SHAPE_HULL)
        is_met = pass_hull(&l, (const vsp_hull *)
                           s->world->tables[shape->table - 1u], &p);
    else if (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE)
        is_met = pass_capsule(&l, &shape->size, &p);
    else
        is_met = pass_ball(&l, 0, shape->size.x, &p);
    if (!is_met || p.exit < l.first)
        return false;
    if (p.enter < l.first) {
        begins_inside(s, &s->origin, m);
        return true;
    }
    return meet_at(s, pose, &l, p.enter, &p.normal, m);
}

static bool ray_plane(const search *s, const vsp__pose *pose, meeting *m)
{
    const vsp__vec3 *n = &pose->axes.axis[1];
    vsp__real height = above(n, &pose->position, &s->origin);
    vsp__real slope = dot_of(n, &s->direction);

    if (height <= 0) {
        begins_inside(s, &s->origin, m);
        return true;
    }
    if (slope >= r_neg(LEVEL))
        return false;
    m->at = u_div(height, r_neg(slope));
    if (m->at > s->limit)
        return false;
    way_point(s, m->at, &m->point);
    m->normal = *n;
    return true;
}


/* ---- Lines and surfaces ----------------------------------------------------
 * Triangles near a line, piece after piece of it, so that not all within its
 * bounds have to be looked at. */

#define PIECES 8 /* of a line */

typedef struct facet {
    vsp__vec3 corners[3]; /* in the surface's frame, as all here */
    vsp__vec3 sides[3];   /* from corner k to the next, of length 1 */
    vsp__vec3 normal;
    uint32_t index;
} facet;

static void find_sides(facet *f)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        f->sides[k] = f->corners[k < 2 ? k + 1 : 0];
        v3_sub_in(&f->sides[k], &f->corners[k]);
        v3_flush_in(&f->sides[k]);
        vsp__normalize(&f->sides[k]);
        v3_flush_in(&f->sides[k]);
    }
    u3_cross_to(&f->sides[0], &f->sides[1], &f->normal);
    v3_flush_in(&f->normal);
    vsp__normalize(&f->normal);
    v3_flush_in(&f->normal);
}

/* how far a point is in front of the facet */
static vsp__real above_facet(const facet *f, const vsp__vec3 *at)
{
    return above(&f->normal, &f->corners[0], at);
}

/* Whether a line meets the front of a facet, and where. */
static bool pass_facet(const line *l, const facet *f, vsp__real *t)
{
    vsp__real slope = dot_of(&f->normal, &l->way);
    vsp__vec3 at, out;
    uint32_t k;

    if (slope >= r_neg(LEVEL))
        return false;
    *t = u_div(above_facet(f, &l->at), r_neg(slope));
    if (*t < l->first || *t > l->last)
        return false;
    line_point(l, *t, &at);
    for (k = 0; k < 3; k++) {
        u3_cross_to(&f->sides[k], &f->normal, &out);
        v3_flush_in(&out);
        if (above(&out, &f->corners[k], &at) > SEAM)
            return false;
    }
    return true;
}

static bool get_surface(const vsp_world *world, uint32_t slot,
                        vsp__surface *surface)
{
    const vsp__shape *shape = &world->shapes[slot];

    if (!(VSP_MESHES && shape->type == VSP_SHAPE_MESH) &&
        !(VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD))
        return false;
    vsp__make_surface(world, shape, &world->poses[slot], surface);
    return true;
}

/* A piece of a line that is near a surface, and what is around it. */
typedef struct piece {
    vsp__real from, to, step;
    vsp__real end; /* of all */
    uint32_t left;
} piece;

/* The pieces of a line within reach of a shape's box; false: none. */
static bool cut_line(const search *s, uint32_t slot, const line *l,
                     const vsp__vec3 *reach, piece *cut)
{
    vsp__vec3 middle, half;
    passage p;

    vsp__shape_box(s->world, &s->world->shapes[slot], &middle, &half);
    v3_add_in(&half, reach);
    if (!pass_box(l, &middle, &half, &p))
        return false;
    cut->from = cut->to = r_max(p.enter, l->first);
    p.exit = r_min(p.exit, l->last);
    if (p.exit < cut->from)
        return false;
    cut->end = p.exit;
    cut->step = u_mul(VSP__U(1.0 / PIECES), r_sub(p.exit, cut->from));
    cut->left = PIECES;
    return true;
}

/* Bounds of the next piece; false when there is none. */
static bool next_piece(const line *l, const vsp__vec3 *reach, piece *cut,
                       vsp__bounds *bounds)
{
    vsp__vec3 a, b;

    if (cut->left == 0)
        return false;
    cut->left--;
    cut->from = cut->to;
    cut->to = r_add(cut->from, cut->step);
    line_point(l, cut->from, &a);
    line_point(l, cut->to, &b);
    bound(&a, &b, reach, bounds);
    return true;
}

static bool ray_surface(const search *s, uint32_t slot,
                        const vsp__surface *surface, meeting *m)
{
    vsp__vec3 reach = v3(TOUCH, TOUCH, TOUCH), normal = v3_zero();
    vsp__triangles it;
    vsp__bounds bounds;
    vsp__real t;
    piece cut;
    facet f;
    line l;
    bool is_met = false;

    see_line(s, surface->pose, &l);
    if (!cut_line(s, slot, &l, &reach, &cut))
        return false;
    while (next_piece(&l, &reach, &cut, &bounds)) {
        vsp__triangles_near(&it, surface, &bounds);
        while (vsp__next_triangle(&it, f.corners, &f.index)) {
            find_sides(&f);
            if (!pass_facet(&l, &f, &t) || (is_met && t == l.last))
                continue;
            is_met = true;
            l.last = t;
            normal = f.normal;
            m->part = f.index;
        }
        if (is_met && l.last <= cut.to)
            break;
    }
    return is_met && meet_at(s, surface->pose, &l, l.last, &normal, m);
}


/* ---- Lines and signed distances --------------------------------------------
 * As far as the distance says that nothing is, again and again (Hart, Sphere
 * tracing, 1996); where it is inside then, half back and forth. */

#define TRACES 160  /* steps at most; a line that takes more has gone by */
#define HALVINGS 12 /* after the last */

static bool get_sdf(const vsp_world *world, uint32_t slot, vsp__sdf *sdf)
{
    const vsp__shape *shape = &world->shapes[slot];

    if (!VSP_SDFS || shape->type != VSP_SHAPE_SDF)
        return false;
    sdf->table = (const vsp_sdf *)world->tables[shape->table - 1u];
    sdf->pose = &world->poses[slot];
    return true;
}

static vsp__real gap_on_line(const line *l, const vsp__sdf *sdf, vsp__real t,
                             vsp__vec3 *normal)
{
    vsp__vec3 at;

    line_point(l, t, &at);
    return vsp__sdf_distance(sdf->table, &at, normal);
}

/* Between a point outside and one inside: the last that is outside. */
static vsp__real halve(const line *l, const vsp__sdf *sdf, vsp__real out,
                       vsp__real in, vsp__vec3 *normal)
{
    uint32_t i;

    for (i = 0; i < HALVINGS; i++) {
        vsp__real t = r_add(out, u_mul(VSP__U(0.5), r_sub(in, out)));

        if (gap_on_line(l, sdf, t, normal) > 0)
            out = t;
        else
            in = t;
    }
    return out;
}

static bool ray_sdf(const search *s, uint32_t slot, const vsp__sdf *sdf,
                    meeting *m)
{
    vsp__real t, before, gap, least = r_of_place(sdf->table->cell / 16 + 1);
    vsp__vec3 reach = v3_zero(), normal;
    piece cut;
    line l;
    uint32_t i;

    see_line(s, sdf->pose, &l);
    if (!cut_line(s, slot, &l, &reach, &cut))
        return false;
    t = before = cut.from;
    for (i = 0; i < TRACES && t <= cut.end; i++) {
        gap = gap_on_line(&l, sdf, t, &normal);
        if (gap <= 0 && t == l.first) {
            begins_inside(s, &s->origin, m);
            return true;
        }
        if (gap <= 0) {
            t = halve(&l, sdf, before, t, &normal);
            return meet_at(s, sdf->pose, &l, t, &normal, m);
        }
        before = t;
        t = r_add(t, r_max(u_mul(VSP__U(0.8), gap), least));
    }
    return false;
}

/* Where a way meets a shape, if not beyond the limit. */
static bool ray_shape(const search *s, uint32_t slot, meeting *m)
{
    const vsp__shape *shape = &s->world->shapes[slot];
    const vsp__pose *pose = &s->world->poses[slot];
    vsp__surface surface;
    vsp__sdf sdf;

    m->slot = slot;
    m->part = 0;
    if (shape->type == VSP_SHAPE_HALF_SPACE)
        return ray_plane(s, pose, m);
    if (get_surface(s->world, slot, &surface))
        return ray_surface(s, slot, &surface, m);
    if (get_sdf(s->world, slot, &sdf))
        return ray_sdf(s, slot, &sdf, m);
    return ray_solid(s, shape, pose, m);
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
    distance = v3_length(from);
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
    vsp__vec3 onto = *at;
    vsp__real *a = &onto.x, outside[3], distance;
    uint32_t k, best = 0;

    for (k = 0; k < 3; k++) {
        outside[k] = r_sub(r_abs(a[k]), h[k]);
        if (outside[k] > outside[best])
            best = k;
        a[k] = r_clamp(a[k], r_neg(h[k]), h[k]);
    }
    *normal = v3_sub(*at, onto);
    v3_flush_in(normal);
    distance = v3_length(*normal);
    if (distance > VSP__R(0.000001)) {
        vsp__direct(normal, distance);
        *at = onto;
        return distance;
    }
    *normal = v3_zero();
    (&normal->x)[best] = r_signed(VSP__U(1.0), a[best] < 0);
    *at = onto;
    (&at->x)[best] = r_signed(h[best], a[best] < 0);
    return outside[best];
}

/* How far a point is in a hull, or, above 0, outside of one of its planes. */
static vsp__real gap_in_hull(vsp__vec3 *at, const vsp_hull *hull,
                             vsp__vec3 *normal)
{
    vsp__real gap = r_neg(FAR_AWAY);
    uint32_t i;

    for (i = 0; i < hull->face_count; i++) {
        vsp__vec3 n;
        vsp__real above;

        hull_normal(&hull->planes[i], &n);
        above = above_face(&hull->planes[i], &n, at);
        if (above > gap) {
            gap = above;
            *normal = n;
        }
    }
    u3_move(at, r_neg(gap), normal);
    return gap;
}

/* A shape as a solid that another one may touch; false if it is none. */
static bool get_convex(const vsp_world *world, const vsp__shape *shape,
                       const vsp__pose *pose, vsp__convex *c)
{
    if (shape->type != VSP_SHAPE_SPHERE && shape->type != VSP_SHAPE_BOX &&
        !(VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) &&
        !(VSP_HULLS && shape->type == VSP_SHAPE_HULL))
        return false;
    vsp__make_convex(world, shape, pose, c);
    return true;
}

static void get_triangle(const facet *f, const vsp__pose *pose,
                         vsp__convex *c)
{
    c->pose = pose;
    c->core = VSP__TRIANGLE;
    c->radius = 0;
    c->half = v3_zero();
    c->hull = NULL;
    c->corners = f->corners;
}

/* a point of the world as a solid */
static void get_point(const vsp__vec3 *point, vsp__pose *pose,
                      vsp__convex *c)
{
    pose->position = *point;
    pose->axes.axis[0] = v3(VSP__U(1.0), 0, 0);
    pose->axes.axis[1] = v3(0, VSP__U(1.0), 0);
    pose->axes.axis[2] = v3(0, 0, VSP__U(1.0));
    c->pose = pose;
    c->core = VSP__POINT;
    c->radius = 0;
    c->half = v3_zero();
    c->hull = NULL;
    c->corners = NULL;
}

/* The nearest point of a hull, to one that is outside. */
static void leave_hull(const search *s, const vsp__convex *hull, meeting *m)
{
    vsp__convex it;
    vsp__pose pose;
    vsp__witness w;

    get_point(&s->origin, &pose, &it);
    m->at = vsp__distance(hull, &it, FAR_AWAY, &w);
    m->normal = w.normal;
    m->point = w.on[0];
    v3_add_in(&m->point, &hull->pose->position);
}

/* The nearest triangle that is seen from its front, within a reach. */
static bool nearest_facet(const search *s, const vsp__surface *surface,
                          const vsp__vec3 *at, vsp__real reach, meeting *m)
{
    vsp__vec3 margin = v3(reach, reach, reach);
    vsp__convex it, triangle;
    vsp__triangles list;
    vsp__bounds bounds;
    vsp__witness w;
    vsp__pose pose;
    vsp__real gap;
    facet f;
    bool is_found = false;

    m->at = reach;
    get_point(&s->origin, &pose, &it);
    bound(at, at, &margin, &bounds);
    vsp__triangles_near(&list, surface, &bounds);
    while (vsp__next_triangle(&list, f.corners, &f.index)) {
        find_sides(&f);
        gap = above_facet(&f, at);
        if (gap < 0 || gap > m->at)
            continue;
        get_triangle(&f, surface->pose, &triangle);
        gap = vsp__distance(&triangle, &it, m->at, &w);
        if (gap > m->at || (is_found && gap == m->at))
            continue;
        is_found = true;
        m->at = gap;
        m->part = f.index;
        m->point = w.on[0];
        m->normal = f.normal;
    }
    if (!is_found)
        return false;
    v3_add_in(&m->point, &surface->pose->position);
    show_direction(surface->pose, &m->normal);
    return true;
}

/* The same in rings that grow, so that most is never looked at. */
static bool leave_surface(const search *s, const vsp__surface *surface,
                          const vsp__vec3 *at, meeting *m)
{
    vsp__real reach = u_mul(VSP__U(1.0 / 256.0), s->limit);
    uint32_t ring;

    for (ring = 0; ring < 4; ring++) {
        if (nearest_facet(s, surface, at, reach, m))
            return true;
        reach = r_add(r_add(reach, reach), r_add(reach, reach));
    }
    return nearest_facet(s, surface, at, s->limit, m);
}

/* How far the origin is outside of a shape, and its nearest point; false when
 * that is farther than the limit. */
static bool leave_shape(const search *s, uint32_t slot, meeting *m)
{
    const vsp__shape *shape = &s->world->shapes[slot];
    const vsp__pose *pose = &s->world->poses[slot];
    vsp__vec3 at = s->origin;
    vsp__surface surface;
    vsp__convex c;
    vsp__sdf sdf;

    m->slot = slot;
    m->part = 0;
    see_point(pose, &at);
    if (get_surface(s->world, slot, &surface))
        return leave_surface(s, &surface, &at, m);
    if (shape->type == VSP_SHAPE_HALF_SPACE) {
        m->at = at.y;
        m->normal = v3(0, VSP__U(1.0), 0);
        at.y = 0;
    } else if (shape->type == VSP_SHAPE_BOX) {
        m->at = gap_of_box(&at, &shape->size, &m->normal);
    } else if (shape->type == VSP_SHAPE_SPHERE) {
        m->at = gap_of_ball(&at, 0, shape->size.x, &m->normal);
    } else if (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) {
        m->at = gap_of_ball(&at, r_clamp(at.y, r_neg(shape->size.y),
                                         shape->size.y),
                            shape->size.x, &m->normal);
    } else if (VSP_HULLS && shape->type == VSP_SHAPE_HULL) {
        (void)get_convex(s->world, shape, pose, &c);
        m->at = gap_in_hull(&at, c.hull, &m->normal);
        if (m->at > s->limit)
            return false;
        if (m->at > 0) {
            leave_hull(s, &c, m);
            return m->at <= s->limit;
        }
    } else if (get_sdf(s->world, slot, &sdf)) {
        m->at = vsp__sdf_distance(sdf.table, &at, &m->normal);
        v3_flush_in(&m->normal);
        u3_move(&at, r_neg(m->at), &m->normal);
    } else {
        return false;
    }
    vsp__mul(&pose->axes, &at, &m->point);
    v3_add_in(&m->point, &pose->position);
    show_direction(pose, &m->normal);
    return m->at <= s->limit;
}


/* ---- Solids that move ------------------------------------------------------
 * Conservative advancement (Mirtich, Impulse-based Dynamic Simulation of
 * Rigid Body Systems, 1996): as far as the gap along the normal lets it go,
 * again and again. */

#define ADVANCES 40

typedef struct mover {
    vsp__pose pose;
    vsp__convex solid;
    vsp__vec3 middle; /* of its bounds, in the world */
    vsp__vec3 reach;  /* half their size */
} mover;

/* Reads what a caller wants to move; false for what is none. */
static bool read_mover(const vsp_world *world, const vsp_shape_def *def,
                       const vsp_transform *from, mover *m)
{
    vsp__shape shape = {0};
    vsp__transform frame;
    vsp__mat3 axes;
    vsp__vec3 half, at;
    uint32_t k;

    if (def == NULL || !vsp__read_shape(world, def, &shape) ||
        !vsp__read_pose(from, &frame) ||
        !get_convex(world, &shape, &m->pose, &m->solid))
        return false;
    vsp__flushed_axes(frame.rotation, &axes);
    vsp__flushed_axes(shape.pose.rotation, &m->pose.axes);
    at = shape.pose.position;
    v3_flush_in(&at);
    vsp__mul(&axes, &at, &at);
    m->pose.position = v3_add(frame.position, at);
    v3_flush_in(&m->pose.position);
    vsp__shape_box(world, &shape, &m->middle, &half);
    m->reach = v3(TOUCH, TOUCH, TOUCH);
    for (k = 0; k < 3; k++) {
        vsp__vec3 *axis = &m->pose.axes.axis[k];

        vsp__mul(&axes, axis, axis);
        v3_flush_in(axis);
        u3_move_abs(&m->reach, (&half.x)[k], axis);
    }
    vsp__mul(&m->pose.axes, &m->middle, &m->middle);
    v3_add_in(&m->middle, &m->pose.position);
    return true;
}

/* How far a convex solid can go towards another, at most to a limit; false
 * when it does not come to touch it. */
static bool move_towards(const search *s, const mover *it,
                    const vsp__convex *target, vsp__real limit, meeting *m)
{
    vsp__convex solid = it->solid;
    vsp__pose pose = it->pose;
    vsp__real gap, closing, left, near;
    vsp__witness w;
    uint32_t i;

    solid.pose = &pose;
    m->at = 0;
    for (i = 0; i < ADVANCES; i++) {
        left = r_sub(limit, m->at);
        gap = vsp__distance(&solid, target, r_add(left, TOUCH), &w);
        if (!(gap > 0)) {
            if (i == 0)
                begins_inside(s, &s->origin, m);
            return true;
        }
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
        pose.position = it->pose.position;
        u3_move(&pose.position, m->at, &s->direction);
        v3_flush_in(&pose.position);
    }
    return true;
}

/* How high the lowest point of a solid is above a half-space. */
static vsp__real above_plane(const mover *it, const vsp__pose *plane,
                             vsp__vec3 *point)
{
    const vsp__vec3 *n = &plane->axes.axis[1];
    vsp__vec3 down = v3_neg(*n);

    vsp__farthest(&it->solid, &down, point);
    u3_move(point, it->solid.radius, &down);
    v3_add_in(point, &it->pose.position);
    return above(n, &plane->position, point);
}

static bool cast_to_plane(const search *s, const mover *it,
                          const vsp__pose *plane, meeting *m)
{
    const vsp__vec3 *n = &plane->axes.axis[1];
    vsp__real slope = dot_of(n, &s->direction), near;
    vsp__real height = above_plane(it, plane, &m->point);

    if (height <= 0) {
        begins_inside(s, &s->origin, m);
        return true;
    }
    near = r_sub(height, u_mul(VSP__U(0.5), TOUCH));
    if (slope >= r_neg(LEVEL) ||
        u_mul(r_neg(slope), s->limit) < r_max(near, APPROACH))
        return false;
    m->at = r_max(u_div(near, r_neg(slope)), 0);
    u3_move(&m->point, m->at, &s->direction);
    u3_move(&m->point, r_neg(r_min(height, near)), n);
    m->normal = *n;
    return m->at <= s->limit;
}

/* A box of the world around a solid, as seen from a frame. */
static void see_reach(const vsp__pose *pose, const vsp__vec3 *reach,
                      vsp__vec3 *seen)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        (&seen->x)[k] = u3_dot(v3_abs(pose->axes.axis[k]), *reach);
}

static bool cast_to_facet(const search *s, const mover *it, const line *l,
                          const vsp__surface *surface, const facet *f,
                          vsp__real limit, meeting *m)
{
    vsp__convex triangle;
    vsp__vec3 begin;

    line_point(l, l->first, &begin);
    if (dot_of(&f->normal, &l->way) >= 0 ||
        above_facet(f, &begin) < 0)
        return false;
    get_triangle(f, surface->pose, &triangle);
    if (!move_towards(s, it, &triangle, limit, m))
        return false;
    begin = f->normal;
    show_direction(surface->pose, &begin);
    if (m->at > 0 && u3_dot_at(&begin, &m->normal) > FLAT)
        m->normal = begin;
    return true;
}

static bool cast_to_surface(const search *s, const mover *it, uint32_t slot,
                            const vsp__surface *surface, meeting *m)
{
    vsp__triangles list;
    vsp__bounds bounds;
    vsp__vec3 reach;
    meeting now;
    piece cut;
    facet f;
    line l;
    bool is_met = false;

    see_line(s, surface->pose, &l);
    see_reach(surface->pose, &it->reach, &reach);
    if (!cut_line(s, slot, &l, &reach, &cut))
        return false;
    m->at = s->limit;
    while (next_piece(&l, &reach, &cut, &bounds)) {
        vsp__triangles_near(&list, surface, &bounds);
        while (vsp__next_triangle(&list, f.corners, &f.index)) {
            find_sides(&f);
            if (!cast_to_facet(s, it, &l, surface, &f, m->at, &now) ||
                (is_met && now.at == m->at))
                continue;
            now.part = f.index;
            now.slot = slot;
            *m = now;
            is_met = true;
        }
        if (is_met && m->at <= r_add(cut.to, l.base))
            break;
    }
    return is_met;
}

/* How far apart a solid that moved so far and a signed-distance solid are,
 * where they come nearer: at most the reach. */
static vsp__real gap_to_sdf(const search *s, const mover *it,
                            const vsp__sdf *sdf, vsp__real at,
                            vsp__real reach, meeting *m)
{
    vsp__gather *g = vsp__gather_of(s->world);
    vsp__convex solid = it->solid;
    vsp__pose pose = it->pose;
    vsp__real gap = reach;
    vsp__touch t;
    uint32_t i, k;

    solid.pose = &pose;
    u3_move(&pose.position, at, &s->direction);
    v3_flush_in(&pose.position);
    vsp__gather_begin(g);
    vsp__touch_sdf(sdf, &solid, reach, g);
    for (i = vsp__gather_end(g); i-- > 0;) {
        vsp__gather_get(g, i, &t);
        for (k = 0; k < t.count; k++) {
            if (t.points[k].gap >= gap ||
                (s->length > 0 &&
                 u3_dot_at(&t.normal, &s->direction) >= r_neg(LEVEL)))
                continue;
            gap = t.points[k].gap;
            m->normal = t.normal;
            m->point = v3_add(t.points[k].on[0], sdf->pose->position);
        }
    }
    return gap;
}

static bool cast_to_sdf(const search *s, const mover *it, uint32_t slot,
                        const vsp__sdf *sdf, meeting *m)
{
    vsp__real near = u_mul(VSP__U(0.5), TOUCH), reach, least, t, gap;
    vsp__real out, in;
    vsp__vec3 size;
    piece cut;
    line l;
    uint32_t i;

    see_line(s, sdf->pose, &l);
    see_reach(sdf->pose, &it->reach, &size);
    if (!cut_line(s, slot, &l, &size, &cut))
        return false;
    least = r_of_place(sdf->table->cell / 8 + 1);
    reach = r_of_place(sdf->table->cell);
    reach = r_add(reach, reach);
    t = out = r_max(r_add(cut.from, l.base), 0);
    in = r_add(cut.end, l.base);
    for (i = 0; i < TRACES && t <= in; i++) {
        gap = gap_to_sdf(s, it, sdf, t, reach, m);
        if (gap <= 0 && t == 0) {
            begins_inside(s, &s->origin, m);
            return true;
        }
        if (gap <= near)
            break;
        out = t;
        t = r_add(t, r_max(u_mul(VSP__U(0.8), gap), least));
    }
    if (i == TRACES || t > in)
        return false;
    in = t;
    for (i = 0; i < HALVINGS; i++) {
        t = r_add(out, u_mul(VSP__U(0.5), r_sub(in, out)));
        if (gap_to_sdf(s, it, sdf, t, reach, m) > near)
            out = t;
        else
            in = t;
    }
    m->at = out;
    return m->at <= s->limit;
}

static bool cast_to_shape(const search *s, const mover *it, uint32_t slot,
                          meeting *m)
{
    const vsp__shape *shape = &s->world->shapes[slot];
    const vsp__pose *pose = &s->world->poses[slot];
    vsp__surface surface;
    vsp__convex target;
    vsp__sdf sdf;

    m->slot = slot;
    m->part = 0;
    if (shape->type == VSP_SHAPE_HALF_SPACE)
        return cast_to_plane(s, it, pose, m);
    if (get_surface(s->world, slot, &surface))
        return cast_to_surface(s, it, slot, &surface, m);
    if (get_sdf(s->world, slot, &sdf))
        return cast_to_sdf(s, it, slot, &sdf, m);
    return get_convex(s->world, shape, pose, &target) &&
           move_towards(s, it, &target, s->limit, m);
}


/* ---- Solids that overlap ------------------------------------------------- */

static bool overlaps_surface(const search *s, const mover *it,
                             const vsp__surface *surface, meeting *m)
{
    vsp__vec3 reach, at = s->origin;
    vsp__triangles list;
    vsp__convex triangle;
    vsp__bounds bounds;
    vsp__witness w;
    facet f;

    see_reach(surface->pose, &it->reach, &reach);
    see_point(surface->pose, &at);
    bound(&at, &at, &reach, &bounds);
    vsp__triangles_near(&list, surface, &bounds);
    while (vsp__next_triangle(&list, f.corners, &f.index)) {
        get_triangle(&f, surface->pose, &triangle);
        m->part = f.index;
        if (!(vsp__distance(&it->solid, &triangle, TOUCH, &w) > 0))
            return true;
    }
    return false;
}

static bool overlaps_shape(const search *s, const mover *it, uint32_t slot,
                           meeting *m)
{
    const vsp__shape *shape = &s->world->shapes[slot];
    const vsp__pose *pose = &s->world->poses[slot];
    vsp__surface surface;
    vsp__convex other;
    vsp__witness w;
    vsp__sdf sdf;

    if (shape->type == VSP_SHAPE_HALF_SPACE)
        return above_plane(it, pose, &w.on[0]) <= 0;
    if (get_surface(s->world, slot, &surface))
        return overlaps_surface(s, it, &surface, m);
    if (get_sdf(s->world, slot, &sdf))
        return gap_to_sdf(s, it, &sdf, 0, TOUCH, m) <= 0;
    return get_convex(s->world, shape, pose, &other) &&
           !(vsp__distance(&it->solid, &other, TOUCH, &w) > 0);
}

/* Whether a half-space reaches into a box. */
static bool overlaps_box(const vsp__pose *plane, const vsp__vec3 *low,
                         const vsp__vec3 *high)
{
    const vsp__vec3 *n = &plane->axes.axis[1];
    vsp__vec3 to = v3(n->x > 0 ? low->x : high->x, n->y > 0 ? low->y : high->y,
                      n->z > 0 ? low->z : high->z);

    return above(n, &plane->position, &to) <= 0;
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

static bool read_way(vsp_vec3 from, vsp__vec3 *way)
{
    *way = v3_read(from);
    return vsp__v3_in(from, VSP_MAX_POSITION) &&
           v3_size(*way) >= VSP__R(0.0001);
}

/* Reads the arguments of a ray; false when they are none. */
static bool begin_ray(search *s, vsp_world *world, vsp_vec3 from, vsp_vec3 to,
                      const vsp_query *query)
{
    vsp__vec3 origin = v3_read(from), way;

    if (!vsp__is_world(world) || !vsp__v3_in(from, VSP_MAX_POSITION) ||
        !read_way(to, &way))
        return false;
    begin_search(s, world, query, &origin);
    set_way(s, &way);
    return true;
}

static void begin_list(meeting *m)
{
    m->slot = VSP_MAX_SHAPES;
    m->part = 0;
    m->at = 0;
    m->point = m->normal = v3_zero();
}

/* Hands over what was found.  Returns false when the world was changed. */
static bool tell(const search *s, const meeting *m, vsp_found *found,
                 void *user, vsp_real *answer)
{
    vsp_hit hit;

    show_meeting(s, m, &hit);
    *answer = found(user, &hit);
    return s->world->changes == s->changes;
}

/* a NaN ends, too */
static bool ends(vsp_real answer)
{
    return !(answer < 0 || answer > 0);
}

static vsp_status show_first(const search *s, const meeting *best,
                             vsp_hit *hit)
{
    if (best->slot == VSP_MAX_SHAPES)
        show_nothing(s, hit);
    else
        show_meeting(s, best, hit);
    return VSP_OK;
}

vsp_status vsp_ray_cast(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                        const vsp_query *query, vsp_hit *hit)
{
    search s;
    meeting best, m;
    uint32_t slot;

    if (hit == NULL || !begin_ray(&s, world, origin, way, query))
        return VSP_ERR_ARG;
    begin_list(&best);
    while (next_shape(&s, &slot))
        if (ray_shape(&s, slot, &m) && is_first(&best, &m)) {
            best = m;
            set_limit(&s, m.at);
        }
    return show_first(&s, &best, hit);
}

vsp_status vsp_ray_cast_all(vsp_world *world, vsp_vec3 origin, vsp_vec3 way,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    search s;
    meeting m;
    uint32_t slot;
    vsp_real answer;

    if (found == NULL || !begin_ray(&s, world, origin, way, query))
        return VSP_ERR_ARG;
    while (next_shape(&s, &slot)) {
        if (!ray_shape(&s, slot, &m))
            continue;
        if (!tell(&s, &m, found, user, &answer))
            return VSP_ERR_ARG;
        if (ends(answer))
            break;
        if (answer > 0 && answer < VSP_R(1.0))
            set_limit(&s, r_min(s.limit, u_mul(u_read(answer), s.length)));
    }
    return VSP_OK;
}

vsp_status vsp_shape_cast(vsp_world *world, const vsp_shape_def *def,
                          vsp_transform pose, vsp_vec3 way,
                          const vsp_query *query, vsp_hit *hit)
{
    search s;
    mover it;
    meeting best, m;
    vsp__vec3 path;
    uint32_t slot;

    if (hit == NULL || !vsp__is_world(world) || !read_way(way, &path) ||
        !read_mover(world, def, &pose, &it))
        return VSP_ERR_ARG;
    begin_search(&s, world, query, &it.middle);
    s.reach = it.reach;
    set_way(&s, &path);
    begin_list(&best);
    while (next_shape(&s, &slot))
        if (cast_to_shape(&s, &it, slot, &m) && is_first(&best, &m)) {
            best = m;
            set_limit(&s, m.at);
        }
    return show_first(&s, &best, hit);
}

vsp_status vsp_overlap_aabb(vsp_world *world, vsp_vec3 low, vsp_vec3 high,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    vsp__vec3 from = v3_read(low), to = v3_read(high), margin;
    vsp__real half;
    vsp_real answer;
    uint32_t slot;
    meeting m;
    search s;

    if (!vsp__is_world(world) || found == NULL ||
        !vsp__v3_in(low, VSP_MAX_POSITION) ||
        !vsp__v3_in(high, VSP_MAX_POSITION) || from.x > to.x ||
        from.y > to.y || from.z > to.z)
        return VSP_ERR_ARG;
    begin_search(&s, world, query, &from);
    half = u_mul(VSP__U(0.5), world->params.envelope);
    margin = v3(half, half, half); /* around what the index has */
    s.bounds.low = from;
    s.bounds.high = to;
    v3_add_in(&s.bounds.low, &margin);
    v3_sub_in(&s.bounds.high, &margin);
    begin_list(&m);
    while (next_shape(&s, &slot)) {
        if (world->shapes[slot].type == VSP_SHAPE_HALF_SPACE &&
            !overlaps_box(&world->poses[slot], &from, &to))
            continue;
        m.slot = slot;
        if (!tell(&s, &m, found, user, &answer))
            return VSP_ERR_ARG;
        if (ends(answer))
            break;
    }
    return VSP_OK;
}

vsp_status vsp_overlap_shape(vsp_world *world, const vsp_shape_def *def,
                             vsp_transform pose, const vsp_query *query,
                             vsp_found *found, void *user)
{
    search s;
    mover it;
    meeting m;
    vsp_real answer;

    if (found == NULL || !vsp__is_world(world) ||
        !read_mover(world, def, &pose, &it))
        return VSP_ERR_ARG;
    begin_search(&s, world, query, &it.middle);
    bound(&it.middle, &it.middle, &it.reach, &s.bounds);
    begin_list(&m);
    while (next_shape(&s, &m.slot)) {
        m.part = 0;
        if (!overlaps_shape(&s, &it, m.slot, &m))
            continue;
        if (!tell(&s, &m, found, user, &answer))
            return VSP_ERR_ARG;
        if (ends(answer))
            break;
    }
    return VSP_OK;
}

vsp_status vsp_point_inside(vsp_world *world, vsp_vec3 point,
                            const vsp_query *query, vsp_found *found,
                            void *user)
{
    vsp__vec3 at = v3_read(point);
    search s;
    meeting m;
    uint32_t slot;
    vsp_real answer;

    if (found == NULL || !vsp__is_world(world) ||
        !vsp__v3_in(point, VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    begin_search(&s, world, query, &at);
    while (next_shape(&s, &slot)) {
        vsp__surface surface;

        if (get_surface(world, slot, &surface) || !leave_shape(&s, slot, &m))
            continue;
        if (!tell(&s, &m, found, user, &answer))
            return VSP_ERR_ARG;
        if (ends(answer))
            break;
    }
    return VSP_OK;
}

vsp_status vsp_closest_point(vsp_world *world, vsp_vec3 point,
                             vsp_real max_distance, const vsp_query *query,
                             vsp_hit *hit)
{
    vsp__vec3 at = v3_read(point);
    vsp__real radius = r_read(max_distance);
    search s;
    meeting best, m;
    uint32_t slot;

    if (hit == NULL || !vsp__is_world(world) ||
        !vsp__v3_in(point, VSP_MAX_POSITION) ||
        !a_in(max_distance, VSP_R(0.0001), VSP_MAX_POSITION))
        return VSP_ERR_ARG;
    begin_search(&s, world, query, &at);
    set_radius(&s, radius);
    begin_list(&best);
    while (next_shape(&s, &slot))
        if (leave_shape(&s, slot, &m) && is_first(&best, &m)) {
            best = m;
            set_radius(&s, m.at);
        }
    return show_first(&s, &best, hit);
}
