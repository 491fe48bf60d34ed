/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What touches a signed-distance solid, in this order: its grid, read between
 * points; the place of its surface that is nearest to a point; a sphere felt
 * by a grid or a half-space; the spheres of a solid, as a tree; what a convex
 * solid is felt at; and the functions that vsp_internal.h promises.
 *
 * Every contact is that of a sphere, of radius 0 for a corner, with something
 * that answers "how far, and which way out".  A solid feels others with the
 * leaves of its tree, and is felt by others in its grid: Guendelman, Bridson,
 * Fedkiw, "Nonconvex rigid bodies with stacking", 2003, who sample a surface
 * by points; spheres are fewer, and their normals do not depend on where in a
 * cell they are. */

#include "vsp_internal.h"

/* below this, m, a direction between two points is noise */
#define NO_WAY VSP__R(1e-6)
/* part of a cell: where distances rise less than this over a cell, two sides
 * of the solid are equally near */
#define LEAST_SLOPE VSP__U(0.0625)
/* part of its radius by which a sphere feels around its nearest point */
#define FEELER VSP__U(0.25)
/* cosine: below it a second normal is that of another wall */
#define OTHER_WALL VSP__U(0.9)
/* spheres along a segment, besides its ends */
#define SEGMENT_PARTS 16u


/* ---- The grid ------------------------------------------------------------ */

/* Keeps a point within the grid, from its first point; *end is the last. */
static void clamp_to_grid(const vsp_sdf *sdf, vsp__vec3 *at, vsp__vec3 *end)
{
    vsp__real cell = r_of_place(sdf->cell);
    vsp__real *x = &at->x, *high = &end->x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        high[k] = r_times(cell, sdf->count[k] - 1);
        x[k] = r_clamp(x[k], 0, high[k]);
    }
}

/* Splits a coordinate, from 0 to the end of the grid, into a cell and, in
 * its place, the part of it. */
static uint32_t split_cell(vsp__real *at, vsp__real cell, uint32_t count)
{
    vsp__real cells = r_div(*at, cell);
    uint32_t i = (uint32_t)r_to_int(cells);

    if (i > count - 2u)
        i = count - 2u;
    *at = r_flush(u_of_real(r_sub(cells, r_from_int((int32_t)i))));
    return i;
}

/* Pairs of numbers side by side: what is between them, in the place of the
 * first ones; and how far apart they are. */
static void mix_pairs(vsp__real *v, uint32_t count, vsp__real part)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        v[i] = r_flush(r_add(v[2 * i],
                             u_mul(part, r_sub(v[2 * i + 1], v[2 * i]))));
}

static void pair_ways(const vsp__real *v, uint32_t count, vsp__real *ways)
{
    for (; count > 0; count--, v += 2)
        *ways++ = r_flush(r_sub(v[1], v[0]));
}

/* The distance at a point, from the first of the grid, and how it grows over
 * a cell along the axes: both of the trilinear interpolation. */
static vsp__real grid_read(const vsp_sdf *sdf, vsp__vec3 at,
                           vsp__vec3 *growth)
{
    vsp__real cell = r_of_place(sdf->cell), step = r_of_place(sdf->step);
    vsp__real v[8], way[4];
    vsp__real *part = &at.x;
    const int16_t *corner = sdf->distances, *from;
    size_t stride = 1, strides[3];
    uint32_t n;

    for (n = 0; n < 3; n++) {
        strides[n] = stride;
        corner += stride * split_cell(&part[n], cell, sdf->count[n]);
        stride *= sdf->count[n];
    }
    for (n = 0; n < 8; n++) {
        from = corner + (n & 1u);
        from += (n & 2u) != 0 ? strides[1] : 0;
        from += (n & 4u) != 0 ? strides[2] : 0;
        v[n] = r_times(step, *from);
    }
    pair_ways(v, 4, way);
    mix_pairs(v, 4, at.x);
    mix_pairs(way, 2, at.y);
    mix_pairs(way, 1, at.z);
    growth->x = way[0];
    pair_ways(v, 2, way);
    mix_pairs(v, 2, at.y);
    mix_pairs(way, 1, at.z);
    growth->y = way[0];
    pair_ways(v, 1, &growth->z);
    mix_pairs(v, 1, at.z);
    return v[0];
}


/* ---- The nearest place of a surface -------------------------------------- */

/* what a point is told: in the frame of what it asks */
typedef struct answer {
    vsp__real distance; /* negative inside */
    vsp__vec3 normal;   /* outward */
    vsp__vec3 on;       /* the surface there */
} answer;

/* Asks at the point of the grid that is nearest to one, from its first point.
 * Midway between two sides the way out is that from the middle. */
static void ask_inside(const vsp_sdf *sdf, vsp__vec3 *at, answer *a)
{
    vsp__vec3 *n = &a->normal, middle;

    clamp_to_grid(sdf, at, &middle);
    a->distance = grid_read(sdf, *at, n);
    if (v3_size_at(n) < u_mul(LEAST_SLOPE, r_of_place(sdf->cell))) {
        u3_scale_in(&middle, VSP__U(0.5));
        vsp__way(&middle, at, n);
        if (v3_size_at(n) < NO_WAY)
            n->y = VSP__R(1.0);
    }
    vsp__flushed_normalize(n);
    a->on = *at;
    u3_move(&a->on, r_neg(a->distance), n);
}

/* The same for a point that is not at the place of the surface: its distance
 * from there, and the way.  Returns false, and changes nothing, where it as
 * good as is. */
static bool look_from(const vsp__vec3 *at, answer *a)
{
    vsp__vec3 way;
    vsp__real distance;

    vsp__way(&a->on, at, &way);
    distance = v3_length_at(&way);
    if (!(distance > NO_WAY))
        return false;
    vsp__direct(&way, distance);
    v3_flush_in(&way);
    a->normal = way;
    a->distance = distance;
    return true;
}

/* Asks again on the way from the surface to a point outside of the solid,
 * less far out: what is nearest there is no farther from the point, as a
 * detour is not shorter. */
static void ask_nearer(const vsp_sdf *sdf, const vsp__vec3 *at, answer *a)
{
    vsp__real cells = r_times(r_of_place(sdf->cell), 4);
    vsp__vec3 step = a->on;

    u3_move(&step, r_min(cells, a->distance), &a->normal);
    v3_flush_in(&step);
    ask_inside(sdf, &step, a);
    (void)look_from(at, a);
}

/* Asks at any point.  Returns false when that is farther from the grid than
 * a reach. */
static bool ask_grid(const vsp_sdf *sdf, vsp__vec3 at, vsp__real reach,
                     answer *a)
{
    vsp__vec3 low, in, out;
    uint32_t i;

    vsp__place(&sdf->low, &low);
    vsp__way(&low, &at, &at);
    in = at;
    clamp_to_grid(sdf, &in, &a->on);
    vsp__way(&in, &at, &out);
    if (v3_square_at(&out) > r_square(reach))
        return false;
    ask_inside(sdf, &in, a);
    if (v3_square_at(&out) > 0 && look_from(&at, a))
        for (i = 0; i < 3; i++)
            ask_nearer(sdf, &at, a);
    v3_add_in(&a->on, &low);
    return true;
}


/* ---- A sphere that is felt ----------------------------------------------- */

/* Who feels what.  What is felt is a when contacts are made, unless they are
 * flipped. */
typedef struct feeling {
    const vsp_sdf *grid;  /* felt; null: a half-space */
    const vsp__pose *pose; /* of what is felt */
    vsp__vec3 offset;     /* from there to what feels, world's axes */
    vsp__pose seen;       /* the frame of what feels, from there */
    vsp__real envelope;
    bool is_flipped;
    vsp__gather *gather;
} feeling;

static void begin_feeling(feeling *m, const vsp_sdf *grid,
                          const vsp__pose *pose, const vsp__pose *other)
{
    uint32_t k;

    m->grid = grid;
    m->pose = pose;
    vsp__way(&pose->position, &other->position, &m->offset);
    vsp__tmul(&pose->axes, &m->offset, &m->seen.position);
    for (k = 0; k < 3; k++)
        vsp__tmul(&pose->axes, other->axes.axis + k, m->seen.axes.axis + k);
    vsp__flush(&m->seen, 12);
}

/* a point of what feels becomes one of what is felt */
static void to_felt(const feeling *m, vsp__vec3 *at)
{
    vsp__mul(&m->seen.axes, at, at);
    v3_add_in(at, &m->seen.position);
    v3_flush_in(at);
}

static bool ask(const feeling *m, const vsp__vec3 *at, vsp__real reach,
                answer *a)
{
    if (m->grid)
        return ask_grid(m->grid, *at, reach, a);
    a->distance = at->y;
    a->normal = v3(0, VSP__U(1.0), 0);
    a->on = v3(at->x, 0, at->z);
    return true;
}

/* Makes a contact of an answer to the centre of a sphere. */
static void add_answer(const feeling *m, const answer *a, vsp__real radius,
                       uint32_t part)
{
    vsp__touch *t = &m->gather->part;
    vsp__touch_point *point = &t->points[0];

    t->count = 1;
    point->gap = r_sub(a->distance, radius);
    point->feature = 0;
    if (!(point->gap < m->envelope))
        return;
    vsp__mul(&m->pose->axes, &a->normal, &t->normal);
    v3_flush_in(&t->normal);
    vsp__mul(&m->pose->axes, &a->on, &point->on[0]);
    point->on[1] = point->on[0];
    u3_move(&point->on[1], r_flush(point->gap), &t->normal);
    v3_sub_in(&point->on[1], &m->offset);
    if (m->is_flipped)
        vsp__swap_point(t);
    vsp__gather_add(m->gather, t, part);
}

/* A sphere about a point, seen from what is felt. */
static void feel_sphere(const feeling *m, const vsp__vec3 *center,
                        vsp__real radius, uint32_t part)
{
    answer a;

    if (ask(m, center, r_add(radius, m->envelope), &a))
        add_answer(m, &a, radius, part);
}

/* Asks halfway back to a ball from where a wall is: nearer to what is right
 * below its centre.  Returns false when that is no wall. */
static bool ask_wall(const feeling *m, const vsp__vec3 *center, answer *a)
{
    vsp__vec3 at = a->on;

    u3_move(&at, u_mul(VSP__U(0.5), a->distance), &a->normal);
    v3_flush_in(&at);
    return ask(m, &at, a->distance, a) && a->distance > 0 &&
           look_from(center, a);
}

/* A ball in a groove rests on both walls, and its centre is told but one:
 * asks again a little to each of four sides, and takes what has another
 * normal.  Nearer than half a cell all walls look round. */
static void feel_walls(const feeling *m, const vsp__vec3 *center,
                       vsp__real radius)
{
    vsp__real reach = r_add(radius, m->envelope);
    vsp__vec3 tangent[2], at;
    answer a, wall;
    uint32_t i;

    if (!ask(m, center, reach, &a) || !(a.distance < reach) ||
        a.distance < u_mul(VSP__U(0.5), r_of_place(m->grid->cell)))
        return;
    vsp__tangents(a.normal, &tangent[0], &tangent[1]);
    for (i = 0; i < 4; i++) {
        at = *center;
        u3_move(&at, r_signed(u_mul(FEELER, radius), i >= 2),
                &tangent[i & 1u]);
        v3_flush_in(&at);
        if (ask(m, &at, r_add(reach, radius), &wall) && wall.distance > 0 &&
            look_from(center, &wall) &&
            u3_dot_at(&wall.normal, &a.normal) < OTHER_WALL &&
            ask_wall(m, center, &wall) && ask_wall(m, center, &wall))
            add_answer(m, &wall, radius, i);
    }
}


/* ---- The spheres of a solid ---------------------------------------------- */

/* Whether the sphere of a node is near what is felt; the contact of a leaf.
 * The distance that a grid tells is doubtful by a cell. */
static bool feel_node(const feeling *m, const vsp_sphere_node *node,
                      uint32_t part, bool is_leaf)
{
    vsp__real radius = r_of_place(node->radius);
    vsp__real reach = r_add(radius, m->envelope);
    vsp__vec3 center;
    answer a;

    vsp__place(&node->center, &center);
    to_felt(m, &center);
    if (m->grid)
        reach = r_add(reach, r_of_place(m->grid->cell));
    if (!ask(m, &center, reach, &a) || a.distance > reach)
        return false;
    if (is_leaf)
        add_answer(m, &a, radius, part);
    return true;
}

/* The same for a node of what is felt, and a convex solid that feels it: both
 * where the first one is, so that, far from the origin, nothing is lost. */
static bool touch_node(const feeling *m, const vsp_sphere_node *node,
                       const vsp__convex *other, uint32_t part, bool is_leaf)
{
    vsp__pose pose = *other->pose, node_pose = *m->pose;
    vsp__convex sphere = *other, solid = *other;
    vsp__touch *t = &m->gather->part;

    vsp__place(&node->center, &node_pose.position);
    vsp__flushed_mul(&m->pose->axes, &node_pose.position);
    pose.position = m->offset;
    solid.pose = &pose;
    sphere.pose = &node_pose;
    sphere.core = VSP__POINT;
    sphere.radius = r_of_place(node->radius);
    if (!vsp__touch_convex(&sphere, &solid, m->envelope, t))
        return false;
    v3_add_in(&t->points[0].on[0], &node_pose.position);
    if (is_leaf)
        vsp__gather_add(m->gather, t, part);
    return true;
}

/* What the leaves of a solid feel; of another one when it is not null, else
 * of what is felt. */
static void feel_tree(const feeling *m, const vsp_sdf *sdf,
                      const vsp__convex *other)
{
    uint32_t i = 0;

    while (i < sdf->node_count) {
        const vsp_sphere_node *node = sdf->nodes + i;
        bool is_leaf = node->next == i + 1;
        bool is_near = other ? touch_node(m, node, other, i, is_leaf)
                             : feel_node(m, node, i, is_leaf);

        i = is_near ? i + 1 : node->next;
    }
}


/* ---- Convex solids in a grid --------------------------------------------- */

/* How many places of a core are felt: of a capsule spheres in a row, of what
 * has faces its corners. */
static uint32_t place_count(const vsp__convex *c)
{
    return c->core == VSP__SEGMENT ? SEGMENT_PARTS + 1u
                                   : vsp__core_corners(c);
}

static void core_place(const vsp__convex *c, uint32_t i, vsp__vec3 *at)
{
    vsp__real part = u_mul(VSP__U(2.0 / SEGMENT_PARTS), c->half.y);

    vsp__core_corner(c, i, at);
    if (c->core == VSP__SEGMENT)
        at->y = r_sub(r_times(part, (int32_t)i), c->half.y);
}


/* ---- Over a surface ------------------------------------------------------ */

/* Whether any triangle is near the sphere of a node; below a height field all
 * are. */
static bool has_ground(const vsp__surface *surface, const vsp__convex *sphere,
                    vsp__real envelope, vsp__gather *scratch)
{
    vsp__real reach = r_add(sphere->radius, envelope);
    vsp__vec3 at = sphere->pose->position, corners[3];
    vsp__bounds bounds;
    uint32_t index;

    if (surface->field)
        return true;
    v3_sub_in(&at, &surface->pose->position);
    vsp__tmul(&surface->pose->axes, &at, &at);
    vsp__bounds_of(&at, &bounds);
    vsp__bounds_grow(&bounds, reach);
    vsp__triangles_near(&scratch->near[0], surface, &bounds);
    return vsp__next_triangle(&scratch->near[0], corners, &index);
}


/* ---- What is promised ---------------------------------------------------- */

vsp__real vsp__sdf_distance(const vsp_sdf *sdf, const vsp__vec3 *point,
                            vsp__vec3 *normal)
{
    answer a;

    (void)ask_grid(sdf, *point, VSP__R(VSP_FIXED ? 1000.0 : 1e6), &a);
    *normal = a.normal;
    return a.distance;
}

vsp__real vsp__sdf_gap(const vsp_sdf *sdf, const vsp__pose *pose,
                       const vsp__convex *b)
{
    vsp__real gap = r_read(VSP_MAX_SIZE);
    uint32_t count = place_count(b), i;
    feeling m;

    begin_feeling(&m, sdf, pose, b->pose);
    for (i = 0; i < count; i++) {
        vsp__vec3 at, normal;

        core_place(b, i, &at);
        to_felt(&m, &at);
        gap = r_min(gap, vsp__sdf_distance(sdf, &at, &normal));
    }
    return r_sub(gap, b->radius);
}

void vsp__touch_sdf(const vsp__sdf *a, const vsp__convex *b,
                    vsp__real envelope, vsp__gather *gather)
{
    uint32_t count = place_count(b), i;
    feeling m;

    m.envelope = envelope;
    m.gather = gather;
    m.is_flipped = false;
    begin_feeling(&m, a->table, a->pose, b->pose);
    for (i = 0; i < count; i++) {
        vsp__vec3 center;

        core_place(b, i, &center);
        to_felt(&m, &center);
        feel_sphere(&m, &center, b->radius, 128u + i);
    }
    if (b->core == VSP__POINT)
        feel_walls(&m, &m.seen.position, b->radius);
    else if (b->core != VSP__SEGMENT)
        feel_tree(&m, a->table, b);
}

void vsp__touch_surface_sdf(const vsp__surface *a, const vsp__sdf *b,
                            vsp__real envelope, vsp__gather *gather)
{
    const vsp_sdf *sdf = b->table;
    vsp__pose pose = *b->pose;
    vsp__convex leaf;
    uint32_t i = 0;

    leaf.pose = &pose;
    leaf.core = VSP__POINT;
    leaf.half = v3_zero();
    leaf.hull = (const vsp_hull *)0;
    leaf.corners = (const vsp__vec3 *)0;
    while (i < sdf->node_count) {
        const vsp_sphere_node *node = sdf->nodes + i;

        vsp__place(&node->center, &gather->arm);
        vsp__flushed_mul(&b->pose->axes, &gather->arm);
        pose.position = b->pose->position;
        v3_add_in(&pose.position, &gather->arm);
        v3_flush_in(&pose.position);
        leaf.radius = r_of_place(node->radius);
        if (node->next == i + 1)
            vsp__touch_surface(a, &leaf, envelope, gather);
        else if (!has_ground(a, &leaf, envelope, gather)) {
            i = node->next;
            continue;
        }
        i++;
    }
}

void vsp__touch_sdfs(const vsp__sdf *a, const vsp__sdf *b,
                     vsp__real envelope, vsp__gather *gather)
{
    feeling m;

    m.envelope = envelope;
    m.gather = gather;
    m.is_flipped = false;
    begin_feeling(&m, a->table, a->pose, b->pose);
    feel_tree(&m, b->table, (const vsp__convex *)0);
    if (!a->table)
        return;
    m.is_flipped = true;
    begin_feeling(&m, b->table, b->pose, a->pose);
    feel_tree(&m, a->table, (const vsp__convex *)0);
}
