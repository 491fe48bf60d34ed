/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts with signed-distance solids, in this order: the grid, interpolated;
 * the nearest point of a surface; one sphere in a grid or a half-space; the
 * sphere tree of a solid; the sample points of a convex solid; spheres and a
 * mesh or height field; the functions of collide.h.
 *
 * Every contact is that of a sphere (of radius 0 for a corner).  It touches a
 * field: a grid of signed distances or a half-space, which gives the distance
 * of a point and the outward direction.  Spheres of a tree also touch convex
 * solids and surfaces.  Of a pair of solids, the spheres of either one's tree
 * are tested in the other's grid.  Guendelman, Bridson, Fedkiw, "Nonconvex
 * rigid bodies with stacking", 2003, test surface points instead; spheres are
 * fewer, and their normals depend less on the cell they are in. */

#include "collide.h"

#if VSP_SDFS

/* below this, m, a direction between two points is noise */
#define MIN_WAY VSP__REAL(1e-6)

/* fraction of a cell: if distances change by less than this over a cell, two
 * sides of the solid are about equally near */
#define MIN_SLOPE VSP__UNIT(0.0625)

/* fraction of its radius by which a sphere is shifted to find more walls */
#define PROBE_STEP VSP__UNIT(0.25)

/* below this cosine, a second normal belongs to another wall */
#define OTHER_WALL_COSINE VSP__UNIT(0.9)

/* parts into which spheres divide a segment */
#define SEGMENT_PARTS 16u


/* ---- The grid ------------------------------------------------------------ */

/* Clamps a point to the grid, and sets *end to the grid's last point.  Both are
 * relative to the first point of the grid. */
static void clamp_to_grid(const vsp_sdf *sdf, vsp__v3 *at, vsp__v3 *end)
{
    vsp__num cell = r_of_place(sdf->cell);
    vsp__num *x = &at->x, *high = &end->x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        high[k] = r_times(cell, sdf->count[k] - 1);
        x[k] = r_clamp(x[k], 0, high[k]);
    }
}

/* Returns the cell of a coordinate, and replaces *at by the position in the
 * cell, 0 to 1 (a unit). */
static uint32_t split_cell(vsp__num *at, vsp__num cell, uint32_t count)
{
    vsp__num cells = r_div(*at, cell);
    uint32_t i = (uint32_t)r_to_int(cells);

    if (i > count - 2u)
        i = count - 2u;
    *at = r_flush(u_of_real(r_sub(cells, r_from_int((int32_t)i))));
    return i;
}

/* Interpolates between the two numbers of each of `count` pairs. */
static void interpolate_pairs(vsp__num *v, uint32_t count, vsp__num part)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        v[i] = r_flush(
            r_add(v[2 * i], u_mul(part, r_sub(v[2 * i + 1], v[2 * i]))));
}

/* Computes the differences of `count` pairs of neighbours. */
static void subtract_pairs(const vsp__num *v, uint32_t count, vsp__num *ways)
{
    for (; count > 0; count--, v += 2)
        *ways++ = r_flush(r_sub(v[1], v[0]));
}

/* Returns the distance at a point, which is relative to the grid's first, by
 * trilinear interpolation; growth is its change per cell along each axis. */
static vsp__num interpolate_grid(const vsp_sdf *sdf, vsp__v3 at,
                                 vsp__v3 *growth)
{
    vsp__num cell = r_of_place(sdf->cell), step = r_of_place(sdf->step);
    vsp__num v[8], way[4];
    vsp__num *part = &at.x;
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
    subtract_pairs(v, 4, way);
    interpolate_pairs(v, 4, at.x);
    interpolate_pairs(way, 2, at.y);
    interpolate_pairs(way, 1, at.z);
    growth->x = way[0];
    subtract_pairs(v, 2, way);
    interpolate_pairs(v, 2, at.y);
    interpolate_pairs(way, 1, at.z);
    growth->y = way[0];
    subtract_pairs(v, 1, &growth->z);
    interpolate_pairs(v, 1, at.z);
    return v[0];
}


/* ---- The nearest point of a surface -------------------------------------- */

/* the nearest surface at a point according to a field, in the field's frame */
typedef struct field_sample {
    vsp__num distance; /* negative inside */
    vsp__v3 normal;    /* outward */
    vsp__v3 on;        /* nearest point of the surface */
} field_sample;

/* Clamps a point to the grid, and samples there; all is relative to the
 * grid's first point.  Midway between two sides the normal is from the
 * grid's middle. */
static void sample_clamped(const vsp_sdf *sdf, vsp__v3 *at, field_sample *a)
{
    vsp__v3 *n = &a->normal, middle;

    clamp_to_grid(sdf, at, &middle);
    a->distance = interpolate_grid(sdf, *at, n);
    if (v3_size_at(n) < u_mul(MIN_SLOPE, r_of_place(sdf->cell))) {
        u3_scale_in(&middle, VSP__UNIT(0.5));
        vsp__v3_from_to(&middle, at, n);
        if (v3_size_at(n) < MIN_WAY)
            n->y = VSP__REAL(1.0);
    }
    vsp__v3_normalize_flushed(n);
    a->on = *at;
    u3_move(&a->on, r_neg(a->distance), n);
}

/* Replaces distance and normal by those from the sample's surface point to
 * another point.  Returns false, and changes nothing, if they coincide. */
static bool measure_from(const vsp__v3 *at, field_sample *a)
{
    vsp__v3 way;
    vsp__num distance;

    vsp__v3_from_to(&a->on, at, &way);
    distance = v3_length_at(&way);
    if (!(distance > MIN_WAY))
        return false;
    vsp__v3_normalize_by(&way, distance);
    v3_flush_in(&way);
    a->normal = way;
    a->distance = distance;
    return true;
}

/* Samples again between the surface and a point outside of the grid, at most
 * four cells from the surface.  By the triangle inequality, the nearest
 * surface point of the new sample is no farther from the outer point than
 * the old one. */
static void refine_sample(const vsp_sdf *sdf, const vsp__v3 *at,
                          field_sample *a)
{
    vsp__num cells = r_times(r_of_place(sdf->cell), 4);
    vsp__v3 step = a->on;

    u3_move(&step, r_min(cells, a->distance), &a->normal);
    v3_flush_in(&step);
    sample_clamped(sdf, &step, a);
    (void)measure_from(at, a);
}

/* Samples at any point in the table's frame.  Returns false if the point is
 * farther from the grid than `reach`, m. */
static bool sample_grid(const vsp_sdf *sdf, const vsp__v3 *point,
                        vsp__num reach, field_sample *a)
{
    vsp__v3 low, at, in, out;
    uint32_t i;

    vsp__place_to_v3(&sdf->low, &low);
    vsp__v3_from_to(&low, point, &at);
    in = at;
    clamp_to_grid(sdf, &in, &a->on);
    vsp__v3_from_to(&in, &at, &out);
    if (v3_square_at(&out) > r_square(reach))
        return false;
    sample_clamped(sdf, &in, a);
    if (v3_square_at(&out) > 0 && measure_from(&at, a))
        for (i = 0; i < 3; i++)
            refine_sample(sdf, &at, a);
    v3_add_in(&a->on, &low);
    return true;
}


/* ---- Spheres in a field -------------------------------------------------- */

/* A solid with spheres, the prober, and a solid with a field.  The latter is
 * shape a of the contacts, or b if they are flipped. */
typedef struct sdf_probe {
    const vsp_sdf *grid;   /* grid of the field; null: a half-space */
    const vsp__pose *pose; /* pose of the field */
    vsp__v3 offset;        /* from the field to the prober, in world axes */
    vsp__pose prober;      /* pose in the field's frame */
    vsp__num envelope;
    bool is_flipped;
    vsp__reducer *reducer;
} sdf_probe;

static void start_probe(sdf_probe *probe, const vsp_sdf *grid,
                        const vsp__pose *pose, const vsp__pose *other)
{
    uint32_t k;

    probe->grid = grid;
    probe->pose = pose;
    probe->is_flipped = false;
    vsp__v3_from_to(&pose->position, &other->position, &probe->offset);
    vsp__m3_tmul_to(&pose->axes, &probe->offset, &probe->prober.position);
    for (k = 0; k < 3; k++)
        vsp__m3_tmul_to(&pose->axes, other->axes.axis + k,
                        probe->prober.axes.axis + k);
    vsp__flush_each(&probe->prober, 12);
}

/* converts a point from the prober's frame to the field's */
static void to_field_frame(const sdf_probe *probe, vsp__v3 *at)
{
    vsp__m3_mul_to(&probe->prober.axes, at, at);
    v3_add_in(at, &probe->prober.position);
    v3_flush_in(at);
}

static bool sample_field(const sdf_probe *probe, const vsp__v3 *at,
                         vsp__num reach, field_sample *a)
{
    if (probe->grid)
        return sample_grid(probe->grid, at, reach, a);
    a->distance = at->y;
    a->normal = v3(0, VSP__UNIT(1.0), 0);
    a->on = v3(at->x, 0, at->z);
    return true;
}

/* Adds the contact of a sphere from the sample at its centre, if it is closer
 * than the envelope. */
static void add_sphere_contact(const sdf_probe *probe, const field_sample *a,
                               vsp__num radius, uint32_t part)
{
    vsp__touch *t = &probe->reducer->part;
    vsp__touch_point *point = &t->points[0];

    t->count = 1;
    point->gap = r_sub(a->distance, radius);
    point->feature = 0;
    if (!(point->gap < probe->envelope))
        return;
    vsp__m3_mul_to(&probe->pose->axes, &a->normal, &t->normal);
    v3_flush_in(&t->normal);
    vsp__m3_mul_to(&probe->pose->axes, &a->on, &point->on[0]);
    point->on[1] = point->on[0];
    u3_move(&point->on[1], r_flush(point->gap), &t->normal);
    v3_sub_in(&point->on[1], &probe->offset);
    if (probe->is_flipped)
        vsp__swap_touch(t);
    vsp__reducer_add(probe->reducer, t, part);
}

/* Samples and adds a sphere, whose centre is in the field's frame. */
static void probe_sphere(const sdf_probe *probe, const vsp__v3 *center,
                         vsp__num radius, uint32_t part)
{
    field_sample a;

    if (sample_field(probe, center, r_add(radius, probe->envelope), &a))
        add_sphere_contact(probe, &a, radius, part);
}

/* Samples halfway between a ball's centre and a point of a wall, which gives a
 * nearer point.  Returns false if there is no wall. */
static bool refine_wall(const sdf_probe *probe, const vsp__v3 *center,
                        field_sample *a)
{
    vsp__v3 at = a->on;

    u3_move(&at, u_mul(VSP__UNIT(0.5), a->distance), &a->normal);
    v3_flush_in(&at);
    return sample_field(probe, &at, a->distance, a) && a->distance > 0 &&
           measure_from(center, a);
}

/* A ball in a groove rests on both walls, but a sample at its centre gives only
 * the nearer one.  So this also samples beside it in four directions, and adds
 * each wall with another normal.  If the centre is closer than half a cell,
 * nothing is added: at this scale interpolation rounds all corners. */
static void probe_walls(const sdf_probe *probe, const vsp__v3 *center,
                        vsp__num radius)
{
    vsp__num reach = r_add(radius, probe->envelope);
    vsp__v3 tangent[2], at;
    field_sample a, wall;
    uint32_t i;

    if (!sample_field(probe, center, reach, &a) || !(a.distance < reach) ||
        a.distance < u_mul(VSP__UNIT(0.5), r_of_place(probe->grid->cell)))
        return;
    vsp__make_tangents(&a.normal, &tangent[0], &tangent[1]);
    for (i = 0; i < 4; i++) {
        at = *center;
        u3_move(&at, r_signed(u_mul(PROBE_STEP, radius), i >= 2),
                &tangent[i & 1u]);
        v3_flush_in(&at);
        if (sample_field(probe, &at, r_add(reach, radius), &wall) &&
            wall.distance > 0 && measure_from(center, &wall) &&
            u3_dot_at(&wall.normal, &a.normal) < OTHER_WALL_COSINE &&
            refine_wall(probe, center, &wall) &&
            refine_wall(probe, center, &wall))
            add_sphere_contact(probe, &wall, radius, i);
    }
}


/* ---- The sphere tree of a solid ------------------------------------------ */

/* Tests whether the sphere of a prober's node is near the field, and adds its
 * contact if it is a leaf.  Distances of a grid are uncertain by a cell. */
static bool probe_node(const sdf_probe *probe, const vsp_sphere_node *node,
                       uint32_t part, bool is_leaf)
{
    vsp__num radius = r_of_place(node->radius);
    vsp__num reach = r_add(radius, probe->envelope);
    vsp__v3 center;
    field_sample a;

    vsp__place_to_v3(&node->center, &center);
    to_field_frame(probe, &center);
    if (probe->grid)
        reach = r_add(reach, r_of_place(probe->grid->cell));
    if (!sample_field(probe, &center, reach, &a) || a.distance > reach)
        return false;
    if (is_leaf)
        add_sphere_contact(probe, &a, radius, part);
    return true;
}

/* Tests a node of the field's solid with a convex solid, and adds its contact
 * if it is a leaf.  Both are placed relative to the field's solid, so that no
 * digits are lost far from the world's origin. */
static bool touch_node(const sdf_probe *probe, const vsp_sphere_node *node,
                       const vsp__convex *other, uint32_t part, bool is_leaf)
{
    vsp__pose pose = *other->pose, node_pose = *probe->pose;
    vsp__convex sphere = *other, solid = *other;
    vsp__touch *t = &probe->reducer->part;

    vsp__place_to_v3(&node->center, &node_pose.position);
    vsp__m3_mul_flushed(&probe->pose->axes, &node_pose.position);
    pose.position = probe->offset;
    solid.pose = &pose;
    sphere.pose = &node_pose;
    sphere.core = VSP__CORE_POINT;
    sphere.radius = r_of_place(node->radius);
    VSP__SET_WORK(t, VSP__ALL_WORK);
    if (!vsp__touch_convex(&sphere, &solid, probe->envelope, t))
        return false;
    v3_add_in(&t->points[0].on[0], &node_pose.position);
    if (is_leaf)
        vsp__reducer_add(probe->reducer, t, part);
    return true;
}

/* Adds the contacts of all leaves of a tree: with a convex solid or, if that is
 * null, with the field. */
static void probe_tree(const sdf_probe *probe, const vsp_sdf *sdf,
                       const vsp__convex *other)
{
    bool is_plain = !other || other->core == VSP__CORE_BRICK;
    uint32_t cost = is_plain ? VSP__SPHERE_COST : VSP__SPHERE_SOLID_COST, i = 0;

    while (i < sdf->node_count && vsp__reducer_pay(probe->reducer, cost)) {
        const vsp_sphere_node *node = sdf->nodes + i;
        bool is_leaf = node->next == i + 1;
        bool is_near = other ? touch_node(probe, node, other, i, is_leaf)
                             : probe_node(probe, node, i, is_leaf);

        i = is_near ? i + 1 : node->next;
    }
}


/* ---- Sample points of a convex solid ------------------------------------- */

/* Whether a core is sampled along its axis, not at its corners. */
static bool has_row(const vsp__convex *c)
{
    return c->core == VSP__CORE_SEGMENT || vsp__is_taper_core(c);
}

/* Returns how many points of a core are sampled: a row along a segment or the
 * axis of a tapered capsule, else the corners. */
static uint32_t sample_point_count(const vsp__convex *c)
{
    return has_row(c) ? SEGMENT_PARTS + 1u : vsp__core_corner_count(c);
}

/* Returns the radius of a core around a sample point. */
static VSP__CALLED vsp__num sample_radius(const vsp__convex *c,
                                          const vsp__v3 *at)
{
    return vsp__is_taper_core(c) ? vsp__taper_radius(&c->half, at->y) : 0;
}

static VSP__CALLED void core_sample_point(const vsp__convex *c, uint32_t i,
                                          vsp__v3 *at)
{
    vsp__num part = u_mul(VSP__UNIT(2.0 / SEGMENT_PARTS), c->half.y);

    vsp__core_corner(c, i, at);
    if (has_row(c))
        at->y = r_sub(r_times(part, (int32_t)i), c->half.y);
}


/* ---- Spheres and a surface ----------------------------------------------- */

/* Whether any triangle is near the sphere of a node.  True for height fields,
 * which are solid at any depth. */
static bool is_near_surface(const vsp__surface *surface,
                            const vsp__convex *sphere, vsp__num envelope,
                            vsp__reducer *scratch)
{
    vsp__num reach = r_add(sphere->radius, envelope);
    vsp__v3 at, corners[3];
    vsp__aabb bounds;
    uint32_t index;
    bool is_near;

    if (surface->field)
        return true;
    v3_sub_to(&sphere->pose->position, &surface->pose->position, &at);
    vsp__m3_tmul_to(&surface->pose->axes, &at, &at);
    vsp__bounds_of_point(&at, &bounds);
    vsp__bounds_grow(&bounds, reach);
    vsp__start_triangles(&scratch->walks[0], surface, &bounds);
    scratch->walks[0].left = scratch->left;
    is_near = vsp__next_triangle(&scratch->walks[0], corners, &index);
    scratch->left = scratch->walks[0].left;
    return is_near;
}


/* ---- Functions of collide.h ---------------------------------------------- */

vsp__num vsp__sdf_distance(const vsp_sdf *sdf, const vsp__v3 *point,
                           vsp__v3 *normal)
{
    field_sample a;

    (void)sample_grid(sdf, point, VSP__REAL(VSP_FIXED ? 1000.0 : 1e6), &a);
    *normal = a.normal;
    return a.distance;
}

vsp__num vsp__sdf_gap(const vsp_sdf *sdf, const vsp__pose *pose,
                      const vsp__convex *b)
{
    vsp__num gap = r_read(VSP_MAX_SIZE);
    uint32_t count = sample_point_count(b), i;
    sdf_probe probe;

    start_probe(&probe, sdf, pose, b->pose);
    for (i = 0; i < count; i++) {
        vsp__v3 at, normal;
        vsp__num radius;

        core_sample_point(b, i, &at);
        radius = sample_radius(b, &at);
        to_field_frame(&probe, &at);
        gap = r_min(gap, r_sub(vsp__sdf_distance(sdf, &at, &normal), radius));
    }
    return r_sub(gap, b->radius);
}

void vsp__touch_sdf_convex(const vsp__placed_sdf *a, const vsp__convex *b,
                           vsp__num envelope, vsp__reducer *reducer)
{
    uint32_t count = sample_point_count(b), i;
    sdf_probe probe;

    probe.envelope = envelope;
    probe.reducer = reducer;
    start_probe(&probe, a->table, a->pose, b->pose);
    for (i = 0; i < count; i++) {
        vsp__v3 center;
        vsp__num radius;

        core_sample_point(b, i, &center);
        radius = r_add(b->radius, sample_radius(b, &center));
        to_field_frame(&probe, &center);
        probe_sphere(&probe, &center, radius, 128u + i);
    }
    if (b->core == VSP__CORE_POINT)
        probe_walls(&probe, &probe.prober.position, b->radius);
    else if (!has_row(b))
        probe_tree(&probe, a->table, b);
}

void vsp__touch_surface_sdf(const vsp__surface *a, const vsp__placed_sdf *b,
                            vsp__num envelope, vsp__reducer *reducer)
{
    const vsp_sdf *sdf = b->table;
    vsp__pose pose = *b->pose;
    vsp__convex leaf;
    uint32_t i = 0;

    leaf.pose = &pose;
    leaf.core = VSP__CORE_POINT;
    leaf.half = v3_zero();
    leaf.hull = (const vsp_hull *)0;
    leaf.corners = (const vsp__v3 *)0;
    while (i < sdf->node_count && vsp__reducer_pay(reducer, VSP__SPHERE_COST)) {
        const vsp_sphere_node *node = sdf->nodes + i;

        vsp__place_to_v3(&node->center, &reducer->part_offset);
        vsp__m3_mul_flushed(&b->pose->axes, &reducer->part_offset);
        v3_add_to(&b->pose->position, &reducer->part_offset, &pose.position);
        v3_flush_in(&pose.position);
        leaf.radius = r_of_place(node->radius);
        if (node->next == i + 1)
            vsp__touch_surface(a, &leaf, envelope, reducer);
        else if (!is_near_surface(a, &leaf, envelope, reducer)) {
            i = node->next;
            continue;
        }
        i++;
    }
}

void vsp__touch_two_sdfs(const vsp__placed_sdf *a, const vsp__placed_sdf *b,
                         vsp__num envelope, vsp__reducer *reducer)
{
    sdf_probe probe;

    probe.envelope = envelope;
    probe.reducer = reducer;
    start_probe(&probe, a->table, a->pose, b->pose);
    probe_tree(&probe, b->table, (const vsp__convex *)0);
    if (!a->table)
        return;
    start_probe(&probe, b->table, b->pose, a->pose);
    probe.is_flipped = true;
    probe_tree(&probe, a->table, (const vsp__convex *)0);
}

#endif /* VSP_SDFS */
