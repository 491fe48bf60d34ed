/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Queries: random ones against an exhaustive search in double precision over
 * all shapes, without trees; then single shapes by hand, filters, order, the
 * state that a query must not change, and refused arguments. */

#include "../src/record/record.h"
#include "convex_oracle.h"
#include "fixture.h"
#include "port/scenes/tables.h"
#include "port/vec_libm.h"

#include <string.h>

static vsp_world *world;
static uint32_t seed;

static double between(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

/* a random point in a ball of radius 1 */
static vec3 any_in_ball(void)
{
    vec3 v;

    do
        v = vec_make(between(-1, 1), between(-1, 1), between(-1, 1));
    while (vec_length(v) > 1 || vec_length(v) < 0.01);
    return v;
}

static vec3 any_direction(void)
{
    return vec_unit(any_in_ball());
}

static vec3 any_within(double size)
{
    return vec_make(between(-size, size), between(-size, size),
                    between(-size, size));
}

static vsp_vec3 of_vec(vec3 v)
{
    return real3(v.x, v.y, v.z);
}

static vsp_quat any_turn(void)
{
    vec3 axis = any_direction();

    return turn(between(0, 360), axis.x, axis.y, axis.z);
}


/* ---- Shapes in double precision ------------------------------------------ */

typedef struct thing {
    vsp_shape_type type;
    vsp_shape_id shape;
    vec3 center, axes[3];
    double half[3]; /* half extents of the core, without the radius */
    double radius;
    const vsp_hull *hull;
    const bulk *bulk;
} thing;

#define MAX_BULKS 300

static thing things[VSP_MAX_SHAPES];
static bulk bulks[MAX_BULKS];
static int thing_count, bulk_count;

static vec3 vec_turned(vsp_quat q, vec3 v)
{
    vec3 u = vec_make(num(q.x), num(q.y), num(q.z));
    vec3 t = vec_scale(vec_cross(u, v), 2);

    return vec_add(vec_mad(v, num(q.w), t), vec_cross(u, t));
}

static const bulk *new_bulk(const vsp_shape_def *def, const thing *it)
{
    static vsp__pose poses[MAX_BULKS];
    vsp__pose *pose = &poses[bulk_count];
    vsp__convex c;
    int i;

    if (!CHECK(bulk_count < MAX_BULKS))
        return NULL;
    memset(&c, 0, sizeof c);
    for (i = 0; i < 3; i++)
        pose->axes.axis[i] = v3(u_read(real(it->axes[i].x)),
                                u_read(real(it->axes[i].y)),
                                u_read(real(it->axes[i].z)));
    pose->position = v3_read(of_vec(it->center));
    c.pose = pose;
    c.half = v3_read(def->size);
    c.core = def->type == VSP_SHAPE_HULL      ? VSP__CORE_POLYHEDRON
             : def->type == VSP_SHAPE_BOX     ? VSP__CORE_BRICK
             : def->type == VSP_SHAPE_CAPSULE ? VSP__CORE_SEGMENT
                                              : VSP__CORE_POINT;
    c.radius = it->radius > 0 ? r_read(real(it->radius)) : 0;
    c.hull = it->hull;
    hull_bulk(&c, &bulks[bulk_count]);
    return &bulks[bulk_count++];
}

/* Returns the shape of a definition on a body with this pose. */
static thing see_def(const vsp_shape_def *def, vsp_transform body)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    thing it;
    int i;

    memset(&it, 0, sizeof it);
    it.type = def->type;
    it.center = vec_add(
        vec_from(body.position),
        vec_turned(body.rotation, vec_from(def->pose.position)));
    for (i = 0; i < 3; i++)
        it.axes[i] = vec_turned(body.rotation,
                                vec_turned(def->pose.rotation, axes[i]));
    if (def->type == VSP_SHAPE_BOX) {
        it.half[0] = num(def->size.x);
        it.half[1] = num(def->size.y);
        it.half[2] = num(def->size.z);
    } else if (def->type == VSP_SHAPE_SPHERE) {
        it.radius = num(def->size.x);
    } else if (def->type == VSP_SHAPE_CAPSULE) {
        it.radius = num(def->size.x);
        it.half[1] = num(def->size.y);
    } else if (def->type == VSP_SHAPE_HULL) {
        it.hull = vsp_world_table(world, def->table);
        it.bulk = new_bulk(def, &it);
    }
    return it;
}

/* Reads all shapes of the world. */
static void see_things(void)
{
    uint32_t i;

    thing_count = 0;
    bulk_count = 0;
    for (i = 0; i < VSP_MAX_SHAPES; i++) {
        vsp_shape_id id = vsp_shape_at(world, i);
        vsp_shape_def def;

        if (id.bits == 0)
            continue;
        CHECK_STATUS(VSP_OK, vsp_shape_get(world, id, &def));
        things[thing_count] = see_def(
            &def, vsp_body_transform(world, vsp_shape_body(world, id)));
        things[thing_count++].shape = id;
    }
}

/* a vector along the shape's axes */
static vec3 seen(const thing *it, vec3 v)
{
    return vec_make(vec_dot(it->axes[0], v), vec_dot(it->axes[1], v),
                    vec_dot(it->axes[2], v));
}

/* n.p - offset of a hull's face, in the hull's frame */
static double above(const thing *it, int face, vec3 p, vec3 *n)
{
    const vsp_plane *plane = &it->hull->planes[face];

    *n = vec_scale(vec_make(plane->x, plane->y, plane->z), 1.0 / VSP_DIRECTION);
    return vec_dot(*n, p) - (double)plane->offset / VSP_PLACE;
}

/* Returns the distance of a point from a shape, negative inside; beyond
 * `enough`, only a lower bound. */
static double gap_within(const thing *it, vec3 p, double enough)
{
    vec3 at = seen(it, vec_sub(p, it->center)), n, out;
    double a[3] = {at.x, at.y, at.z}, most = -1e30;
    int i;

    if (it->type == VSP_SHAPE_HALF_SPACE)
        return at.y;
    if (it->type == VSP_SHAPE_HULL) {
        for (i = 0; i < it->hull->face_count; i++)
            most = fmax(most, above(it, i, at, &n));
        return most <= 0 || most > enough
                   ? most
                   : bulk_outside(it->bulk, p3(p.x, p.y, p.z));
    }
    for (i = 0; i < 3; i++)
        most = fmax(most, fabs(a[i]) - it->half[i]);
    out = vec_make(fmax(fabs(a[0]) - it->half[0], 0),
                   fmax(fabs(a[1]) - it->half[1], 0),
                   fmax(fabs(a[2]) - it->half[2], 0));
    if (it->type == VSP_SHAPE_BOX && most < 0)
        return most;
    return vec_length(out) - it->radius;
}

static double gap_of(const thing *it, vec3 p)
{
    return gap_within(it, p, 1e30);
}

/* Clips the interval [*from, *to] of p + t d to n.p <= offset. */
static void clip_range(double height, double slope, double *from, double *to)
{
    if (fabs(slope) < 1e-15) {
        if (height > 0)
            *to = -1e30;
        return;
    }
    if (slope < 0)
        *from = fmax(*from, -height / slope);
    else
        *to = fmin(*to, -height / slope);
}

static double ray_ball(vec3 p, vec3 d, double radius)
{
    double b = vec_dot(p, d), c = vec_dot(p, p) - radius * radius;
    double room = b * b - c * vec_dot(d, d);

    if (c <= 0)
        return 0;
    if (room < 0 || b > 0)
        return 1e30;
    return (-b - sqrt(room)) / vec_dot(d, d);
}

static double ray_capsule(vec3 p, vec3 d, double half, double radius)
{
    vec3 cap = vec_make(0, half, 0), flat = vec_make(p.x, 0, p.z);
    vec3 way = vec_make(d.x, 0, d.z);
    double best = fmin(ray_ball(vec_sub(p, cap), d, radius),
                       ray_ball(vec_add(p, cap), d, radius));
    double t = 1e30;

    if (vec_dot(flat, flat) <= radius * radius && fabs(p.y) <= half)
        return 0;
    if (vec_dot(way, way) > 1e-20 && vec_dot(flat, flat) > radius * radius)
        t = ray_ball(flat, way, radius);
    return fabs(p.y + t * d.y) <= half ? fmin(best, t) : best;
}

/* Returns where a ray first enters a shape grown by `grow`; 1e30 if nowhere. */
static double ray_of(const thing *it, vec3 origin, vec3 way, double grow)
{
    vec3 p = seen(it, vec_sub(origin, it->center)), d = seen(it, way), n;
    double a[3] = {p.x, p.y, p.z}, s[3] = {d.x, d.y, d.z};
    double from = 0, to = 1e29, height;
    int i;

    if (it->type == VSP_SHAPE_SPHERE)
        return ray_ball(p, d, it->radius + grow);
    if (it->type == VSP_SHAPE_CAPSULE)
        return ray_capsule(p, d, it->half[1], it->radius + grow);
    if (it->type == VSP_SHAPE_HALF_SPACE)
        clip_range(p.y - grow, d.y, &from, &to);
    for (i = 0; i < 3 && it->type == VSP_SHAPE_BOX; i++) {
        clip_range(a[i] - it->half[i] - grow, s[i], &from, &to);
        clip_range(-a[i] - it->half[i] - grow, -s[i], &from, &to);
    }
    for (i = 0; it->hull && i < it->hull->face_count; i++) {
        height = above(it, i, p, &n);
        clip_range(height - grow, vec_dot(n, d), &from, &to);
    }
    return from <= to ? from : 1e30;
}

static const thing *thing_of(vsp_shape_id id)
{
    int i;

    for (i = 0; i < thing_count; i++)
        if (things[i].shape.bits == id.bits)
            return &things[i];
    return NULL;
}


/* ---- Scenes -------------------------------------------------------------- */

static vsp_shape_def any_shape(double size)
{
    double a = between(0.1, 1) * size, b = between(0.1, 1) * size;

    switch ((uint32_t)between(0, 3.99)) {
    case 0:
        return vsp_sphere(real(a));
    case 1:
        return vsp_capsule(real(a), real(b));
    case 2:
        return vsp_table_shape(VSP_SHAPE_HULL, 1 + (uint32_t)between(0, 3.99));
    default:
        return vsp_box(real(a), real(b), real(between(0.1, 1) * size));
    }
}

static void add_table(const void *table)
{
    uint32_t index;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &index, NULL));
}

static void add_tables(void)
{
    add_table(&hull_box);
    add_table(&hull_prism);
    add_table(&hull_cone);
    add_table(&hull_wedge);
    add_table(&mesh_plane);
    add_table(&field_hills);
}

static vsp_body_id put_shape(vsp_shape_def shape, vec3 at, vsp_quat rotation)
{
    return add_turned(world, VSP_STATIC, shape, at.x, at.y, at.z, rotation);
}

static void empty_world(uint32_t first_seed)
{
    seed = first_seed;
    world = new_world();
    add_tables();
}

/* Scatters `count` shapes in a cube of `size` metres over ground; every fifth
 * shape is off the origin of its body. */
static void scatter_shapes(int count, double size, double shape_size)
{
    int i;

    empty_world(7);
    put_shape(vsp_half_space(), vec_make(0, -size / 2, 0), turn(0, 0, 1, 0));
    for (i = 1; i < count; i++) {
        vsp_shape_def shape = any_shape(shape_size);

        if (i % 5 == 0) {
            shape.pose.position = of_vec(any_in_ball());
            shape.pose.rotation = any_turn();
        }
        put_shape(shape, any_within(size / 2), any_turn());
    }
    see_things();
}


/* ---- Rays at random ------------------------------------------------------ */

/* Tolerance of a ray's hit; a grazing ray may miss. */
#define NEAR_RAY TOLERANCE(2e-4, 2e-4)

static void check_hit(const vsp_hit *hit, vec3 origin, vec3 way)
{
    const thing *it = thing_of(hit->shape);
    vec3 point = vec_from(hit->point), normal = vec_from(hit->normal);
    double length = vec_length(way), at = num(hit->fraction) * length;

    if (!CHECK(it != NULL))
        return;
    CHECK_HEX(vsp_shape_body(world, hit->shape).bits, hit->body.bits);
    CHECK_NEAR(1, vec_length(normal), 1e-5);
    CHECK_NEAR(at, num(hit->distance), 1e-5 * length + 2e-5);
    CHECK_NEAR(0, vec_length(vec_sub(point, vec_mad(origin, at / length, way))),
               1e-5 * length + 2e-5);
    if (hit->fraction == 0) {
        CHECK_AT_MOST(NEAR_RAY, gap_of(it, origin));
        return;
    }
    CHECK_NEAR(0, gap_of(it, point), NEAR_RAY);
    CHECK_NEAR(0.01, gap_of(it, vec_mad(point, 0.01, normal)),
               TOLERANCE(3e-4, 3e-4));
    CHECK_AT_MOST(1e-6, vec_dot(normal, way));
}

static void check_ray(vec3 origin, vec3 way)
{
    double length = vec_length(way), early = 1e30, late = 1e30, got;
    vec3 direction = vec_scale(way, 1 / length);
    vsp_hit hit;
    int i;

    for (i = 0; i < thing_count; i++) {
        early = fmin(early, ray_of(&things[i], origin, direction, NEAR_RAY));
        late = fmin(late, ray_of(&things[i], origin, direction, -NEAR_RAY));
    }
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast(world, of_vec(origin), of_vec(way), NULL, &hit));
    got = num(hit.distance);
    if (hit.shape.bits == 0) {
        CHECK_AT_LEAST(length - 1e-3, late);
        CHECK(hit.fraction == VSP_R(1.0) && hit.body.bits == 0);
        return;
    }
    CHECK_AT_LEAST(early - 1e-3, got);
    CHECK_AT_MOST(late + 1e-3, got);
    CHECK_AT_MOST(length + 1e-3, got);
    check_hit(&hit, origin, way);
}

static vec3 as_read(vec3 v)
{
    return vec_make(rounded(v.x), rounded(v.y), rounded(v.z));
}

static void check_rays(int count)
{
    int i;

    scatter_shapes(1000, 40, 1);
    for (i = 0; i < count; i++) {
        vec3 origin = as_read(any_within(22));
        vec3 way = vec_scale(any_direction(), between(0.1, 50));

        if (i % 4 == 0) /* along an axis */
            way = i % 3 == 0 ? vec_make(way.x, 0, 0) : vec_make(0, 0, way.z);
        if (vec_length(way) > 0.01) {
            test_note("ray %d", i);
            check_ray(origin, as_read(way));
        }
    }
    test_note("");
}

static void rays_are_where_they_must(void)
{
    check_rays(5000);
}

static void many_rays_are_where_they_must(void)
{
    check_rays(tries_of(50000));
}

typedef struct list {
    vsp_hit hits[VSP_MAX_SHAPES];
    uint32_t count;
    uint32_t end; /* number of hits that it accepts */
} list;

static list found;

static vsp_real take_hit(void *user, const vsp_hit *hit)
{
    list *to = user;

    if (to->count < VSP_MAX_SHAPES)
        to->hits[to->count++] = *hit;
    return to->end > 0 && to->count == to->end ? 0 : VSP_R(1.0);
}

static bool is_found(vsp_shape_id id)
{
    uint32_t i, times = 0;

    for (i = 0; i < found.count; i++)
        if (found.hits[i].shape.bits == id.bits)
            times++;
    return CHECK_AT_MOST(1, times) && times == 1;
}

static void clear_found(void)
{
    found.count = found.end = 0;
}

static void rays_find_all_shapes(void)
{
    int i, k;

    scatter_shapes(1000, 20, 1);
    for (i = 0; i < 300; i++) {
        vec3 origin = as_read(any_within(12));
        vec3 way = as_read(vec_scale(any_direction(), between(1, 30)));
        double length = vec_length(way);
        vec3 d = vec_scale(way, 1 / length);

        test_note("ray %d", i);
        clear_found();
        CHECK_STATUS(VSP_OK,
                     vsp_ray_cast_all(world, of_vec(origin), of_vec(way), NULL,
                                      take_hit, &found));
        for (k = 0; k < thing_count; k++) {
            bool is = is_found(things[k].shape);

            if (ray_of(&things[k], origin, d, NEAR_RAY) > length + 1e-3)
                CHECK(!is);
            if (ray_of(&things[k], origin, d, -NEAR_RAY) < length - 1e-3)
                CHECK(is);
        }
        for (k = 0; k < (int)found.count; k++)
            check_hit(&found.hits[k], origin, way);
    }
    test_note("");
}

/* Rays of a thousand metres, the limit of the fixed kind. */
static void long_rays(void)
{
    double far = TOLERANCE(500, 240);
    int i, k, hits = 0;

    empty_world(3);
    put_shape(vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)), vec_make(0, 0, 0),
              turn(30, 0.6, 0, 0.8));
    put_shape(vsp_sphere(VSP_R(0.5)), vec_make(20, 0, 0), turn(0, 0, 1, 0));
    put_shape(vsp_capsule(VSP_R(0.3), VSP_R(0.5)), vec_make(0, 20, 0),
              any_turn());
    see_things();
    for (i = 0; i < 2000; i++) {
        vec3 to = vec_mad(things[i % 3].center, 0.6, any_in_ball());
        vec3 out = vec_scale(any_direction(), far);
        vec3 origin = as_read(vec_add(to, out));
        vec3 way = as_read(vec_scale(vec_sub(to, origin), 2));
        double length = vec_length(way), early = 1e30, late = 1e30;
        vec3 d = vec_scale(way, 1 / length);
        double slack = TOLERANCE(2e-4, 1e-4);
        vsp_hit hit;

        test_note("ray %d", i);
        for (k = 0; k < thing_count; k++) {
            early = fmin(early, ray_of(&things[k], origin, d, slack));
            late = fmin(late, ray_of(&things[k], origin, d, -slack));
        }
        CHECK_STATUS(VSP_OK, vsp_ray_cast(world, of_vec(origin), of_vec(way),
                                          NULL, &hit));
        if (hit.shape.bits == 0) {
            CHECK_AT_LEAST(length, late);
            continue;
        }
        hits++;
        CHECK_AT_LEAST(early - 1e-3, num(hit.distance));
        CHECK_AT_MOST(late + 1e-3, num(hit.distance));
    }
    test_note("");
    CHECK_AT_LEAST(500, hits);
}


/* ---- Points and boxes at random ------------------------------------------ */

static void check_points(int count)
{
    int i, k;

    scatter_shapes(1000, 20, 1);
    for (i = 0; i < count; i++) {
        vec3 p = as_read(any_within(12));
        double most = between(0.01, 5), nearest = 1e30, gap;
        const thing *it;
        vsp_hit hit;

        test_note("point %d", i);
        clear_found();
        CHECK_STATUS(
            VSP_OK, vsp_point_inside(world, of_vec(p), NULL, take_hit, &found));
        for (k = 0; k < thing_count; k++) {
            bool is = is_found(things[k].shape);

            gap = gap_within(&things[k], p, fmin(nearest, most + 0.01));
            nearest = fmin(nearest, gap);
            if (fabs(gap) > 1e-4)
                CHECK(is == (gap < 0));
        }
        CHECK_STATUS(VSP_OK, vsp_closest_point(world, of_vec(p), real(most),
                                               NULL, &hit));
        if (hit.shape.bits == 0) {
            CHECK_AT_LEAST(most - 2e-4, nearest);
            continue;
        }
        CHECK_NEAR(nearest, num(hit.distance), 2e-4);
        CHECK_AT_MOST(most + 1e-4, num(hit.distance));
        it = thing_of(hit.shape);
        if (!CHECK(it != NULL))
            continue;
        CHECK_NEAR(num(hit.distance), gap_of(it, p), 2e-4);
        CHECK_NEAR(0, gap_of(it, vec_from(hit.point)), 2e-4);
        CHECK_NEAR(fabs(num(hit.distance)),
                   vec_length(vec_sub(p, vec_from(hit.point))), 2e-4);
        CHECK_NEAR(1, vec_length(vec_from(hit.normal)), 1e-5);
    }
    test_note("");
}

static void points_are_where_they_must(void)
{
    check_points(1000);
}

static void many_points_are_where_they_must(void)
{
    check_points(tries_of(50000));
}

/* Computes the bounds of a shape. */
static void bounds_of(const thing *it, vec3 *low, vec3 *high)
{
    double reach[3], *a[2];
    int axis, k;

    *low = *high = it->center;
    a[0] = &low->x;
    a[1] = &high->x;
    for (axis = 0; axis < 3; axis++) {
        reach[axis] = it->radius;
        for (k = 0; k < 3; k++)
            reach[axis] += it->half[k] * fabs((&it->axes[k].x)[axis]);
        a[0][axis] -= reach[axis];
        a[1][axis] += reach[axis];
    }
}

static bool boxes_overlap(vec3 a, vec3 b, vec3 c, vec3 d, double grow)
{
    return a.x <= d.x + grow && c.x <= b.x + grow && a.y <= d.y + grow &&
           c.y <= b.y + grow && a.z <= d.z + grow && c.z <= b.z + grow;
}

static void check_boxes(int count)
{
    int i, k;

    scatter_shapes(1000, 20, 1);
    for (i = 0; i < count; i++) {
        vec3 a = as_read(any_within(12)), b = as_read(any_within(12));
        vec3 low = vec_min(a, b), high = vec_max(a, b), from, to;

        if (i % 3 == 0) /* a small one */
            high = as_read(vec_add(low, vec_scale(vec_sub(high, low), 0.01)));
        test_note("box %d", i);
        clear_found();
        CHECK_STATUS(VSP_OK, vsp_overlap_aabb(world, of_vec(low), of_vec(high),
                                              NULL, take_hit, &found));
        for (k = 0; k < thing_count; k++) {
            const thing *it = &things[k];
            bool is = is_found(it->shape);

            if (it->type == VSP_SHAPE_HALF_SPACE) {
                CHECK(is == (low.y <= it->center.y));
                continue;
            }
            if (it->type == VSP_SHAPE_HULL) { /* the box of its vertices */
                if (gap_of(it, vec_scale(vec_add(low, high), 0.5)) < -1e-4)
                    CHECK(is);
                continue;
            }
            bounds_of(it, &from, &to);
            if (boxes_overlap(low, high, from, to, -1e-4))
                CHECK(is);
            if (!boxes_overlap(low, high, from, to, 1e-4))
                CHECK(!is);
        }
    }
    test_note("");
}

static void boxes_find_what_is_in_them(void)
{
    check_boxes(500);
}

static void many_boxes_find_what_is_in_them(void)
{
    check_boxes(tries_of(50000));
}


/* ---- Solids at random ---------------------------------------------------- */

/* Returns the distance between a moving solid, given by its bulk, and a shape;
 * negative is depth. */
static double apart(const bulk *mover, const thing *it)
{
    static const point3 up = {0, 1, 0};
    double low = 1e30, radii;
    int i;

    if (it->type == VSP_SHAPE_HALF_SPACE) {
        for (i = 0; i < mover->corner_count; i++)
            low = fmin(low, p3_dot(up, mover->corners[i]));
        return low - mover->radius - it->center.y;
    }
    radii = mover->radius + it->bulk->radius;
    if (mover->face_count > 0 || it->bulk->face_count > 0)
        low = bulk_best(mover, it->bulk, NULL);
    return (low < 0 ? low : bulk_distance(mover, it->bulk)) - radii;
}

/* Scatters a few shapes, all of which have bulks. */
static void scatter_few(void)
{
    int i;

    scatter_shapes(120, 8, 1);
    bulk_count = 0;
    for (i = 0; i < thing_count; i++) {
        vsp_shape_def def;

        CHECK_STATUS(VSP_OK, vsp_shape_get(world, things[i].shape, &def));
        if (def.type != VSP_SHAPE_HALF_SPACE)
            things[i].bulk = new_bulk(&def, &things[i]);
    }
}

static vsp_transform any_pose(double size)
{
    vsp_transform pose;

    pose.position = of_vec(any_within(size));
    pose.rotation = any_turn();
    return pose;
}

/* the moving solid's bulk, displaced */
static void move_bulk(const bulk *from, vec3 way, bulk *to)
{
    int i;

    *to = *from;
    for (i = 0; i < to->corner_count; i++)
        to->corners[i] = p3_add(to->corners[i], p3(way.x, way.y, way.z));
    to->origin = p3_add(to->origin, p3(way.x, way.y, way.z));
}

static void check_overlaps(int count)
{
    int i, k, bulks_before, sure = 0;

    scatter_few();
    bulks_before = bulk_count;
    for (i = 0; i < count; i++) {
        vsp_shape_def def = any_shape(0.8);
        vsp_transform pose = any_pose(4);
        thing mover;

        bulk_count = bulks_before;
        mover = see_def(&def, pose);
        bulk_count = bulks_before;
        mover.bulk = new_bulk(&def, &mover);
        test_note("solid %d", i);
        clear_found();
        CHECK_STATUS(VSP_OK, vsp_overlap_shape(world, &def, pose, NULL,
                                               take_hit, &found));
        for (k = 0; k < thing_count; k++) {
            bool is = is_found(things[k].shape);
            double gap = apart(mover.bulk, &things[k]);

            if (fabs(gap) > 3e-4)
                CHECK(is == (gap < 0));
            if (gap < 0)
                sure++;
        }
    }
    test_note("");
    CHECK_AT_LEAST(count, sure);
}

static void solids_find_what_they_overlap(void)
{
    check_overlaps(60);
}

static void many_solids_find_what_they_overlap(void)
{
    check_overlaps(tries_of(2000));
}

static double nearest_of(const bulk *mover, double enough)
{
    double best = 1e30;
    int i;

    for (i = 0; i < thing_count && best > enough; i++)
        best = fmin(best, apart(mover, &things[i]));
    return best;
}

/* Checks that a cast keeps its distance on its path, and is near the shape
 * where it stops. */
static void check_cast(const bulk *mover, vec3 way, const vsp_hit *hit)
{
    double part = num(hit->fraction), gap;
    static bulk moved;
    int i;

    for (i = 0; i <= 6; i++) {
        move_bulk(mover, vec_scale(way, part * i / 6.0), &moved);
        if (hit->fraction > 0)
            CHECK_AT_LEAST(0, nearest_of(&moved, -1));
    }
    if (hit->shape.bits == 0)
        return;
    gap = apart(&moved, thing_of(hit->shape));
    CHECK_AT_MOST(0.0006, gap);
    if (hit->fraction > 0) {
        CHECK_AT_LEAST(1e-5, gap);
        CHECK_AT_MOST(1e-3, vec_dot(vec_from(hit->normal), vec_unit(way)));
    }
    CHECK_NEAR(1, vec_length(vec_from(hit->normal)), 1e-5);
}

static void check_casts(int count)
{
    int i, bulks_before, hits = 0;

    scatter_few();
    bulks_before = bulk_count;
    for (i = 0; i < count; i++) {
        vsp_shape_def def = any_shape(0.5);
        vsp_transform pose = any_pose(6);
        vec3 way = as_read(vec_scale(any_direction(), between(0.1, 8)));
        vsp_hit hit;
        thing mover;

        bulk_count = bulks_before;
        mover = see_def(&def, pose);
        bulk_count = bulks_before;
        mover.bulk = new_bulk(&def, &mover);
        test_note("cast %d, type %d", i, (int)def.type);
        CHECK_STATUS(
            VSP_OK, vsp_shape_cast(world, &def, pose, of_vec(way), NULL, &hit));
        check_cast(mover.bulk, way, &hit);
        if (hit.shape.bits != 0 && hit.fraction > 0)
            hits++;
    }
    test_note("");
    CHECK_AT_LEAST(count / 10, hits);
}

static void casts_stop_where_they_touch(void)
{
    check_casts(40);
}

static void many_casts_stop_where_they_touch(void)
{
    check_casts(2000);
}


/* ---- By hand ------------------------------------------------------------- */

static vsp_transform pose_at(double x, double y, double z)
{
    vsp_transform pose;

    pose.position = real3(x, y, z);
    pose.rotation = no_turn();
    return pose;
}

static vsp_hit ray(double x, double y, double z, double dx, double dy,
                   double dz)
{
    vsp_hit hit;

    memset(&hit, 0xff, sizeof hit);
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(x, y, z), real3(dx, dy, dz),
                                      NULL, &hit));
    return hit;
}

static void check_vec(double x, double y, double z, vsp_vec3 got)
{
    CHECK_NEAR(x, num(got.x), 1e-5);
    CHECK_NEAR(y, num(got.y), 1e-5);
    CHECK_NEAR(z, num(got.z), 1e-5);
}

static void check_none(const vsp_hit *hit)
{
    CHECK_HEX(0, hit->shape.bits);
    CHECK_HEX(0, hit->body.bits);
    CHECK(hit->fraction == VSP_R(1.0));
    check_vec(0, 0, 0, hit->normal);
}

/* The ray (-4, 0, 0) + 8 x must hit a shape at x = -reach, and so must the
 * opposite ray on its other side.  It must miss the shape if it ends before,
 * leads away, or passes beside. */
static void check_shape(vsp_shape_def shape, double reach, double aside)
{
    vsp_hit hit;

    empty_world(1);
    put_shape(shape, vec_make(0, 0, 0), no_turn());
    hit = ray(-4, 0, 0, 8, 0, 0);
    CHECK_NEAR((4 - reach) / 8, num(hit.fraction), 1e-6);
    CHECK_NEAR(4 - reach, num(hit.distance), 1e-5);
    check_vec(-reach, 0, 0, hit.point);
    check_vec(-1, 0, 0, hit.normal);
    hit = ray(4, 0, 0, -8, 0, 0);
    check_vec(reach, 0, 0, hit.point);
    check_vec(1, 0, 0, hit.normal);
    hit = ray(-4, 0, 0, 4 - reach - 0.001, 0, 0);
    check_none(&hit);
    check_vec(-reach - 0.001, 0, 0, hit.point);
    hit = ray(-4, 0, 0, -8, 0, 0);
    check_none(&hit);
    hit = ray(-4, aside + 0.001, 0, 8, 0, 0);
    check_none(&hit);
    hit = ray(-4, aside - 0.001, 0, 8, 0, 0);
    CHECK(hit.shape.bits != 0);
    hit = ray(0.1, 0, 0, 0, 8, 0);
    CHECK(hit.shape.bits != 0 && hit.fraction == 0 && hit.distance == 0);
    check_vec(0, -1, 0, hit.normal);
    check_vec(0.1, 0, 0, hit.point);
}

static void a_ray_meets_each_shape(void)
{
    vsp_shape_def lying = vsp_capsule(VSP_R(0.25), VSP_R(0.5));

    check_shape(vsp_sphere(VSP_R(0.5)), 0.5, 0.5);
    check_shape(vsp_box(VSP_R(0.5), VSP_R(0.25), VSP_R(1.0)), 0.5, 0.25);
    check_shape(vsp_capsule(VSP_R(0.5), VSP_R(0.75)), 0.5, 1.25);
    lying.pose.rotation = turn(90, 0, 0, 1);
    check_shape(lying, 0.75, 0.25);
    check_shape(vsp_table_shape(VSP_SHAPE_HULL, 1), 0.5, 0.5);
}

static void a_ray_meets_a_half_space(void)
{
    vsp_hit hit;

    empty_world(1);
    add_ground(world);
    hit = ray(1, 3, 2, 0, -4, 0);
    CHECK_NEAR(0.75, num(hit.fraction), 1e-6);
    check_vec(1, 0, 2, hit.point);
    check_vec(0, 1, 0, hit.normal);
    hit = ray(1, 3, 2, 0, 4, 0);
    check_none(&hit);
    hit = ray(1, 3, 2, 4, 0, 0);
    check_none(&hit);
    hit = ray(1, 3, 2, 0, -2.999, 0);
    check_none(&hit);
    hit = ray(1, -3, 2, 0, 4, 0);
    CHECK(hit.shape.bits != 0 && hit.fraction == 0);
    check_vec(0, -1, 0, hit.normal);
}

/* Rays from above, against the plane and the heights of the triangles. */
static void rays_meet_surfaces(void)
{
    double h[4];
    int i, k, hits = 0;

    empty_world(5);
    put_shape(vsp_table_shape(VSP_SHAPE_MESH, 5), vec_make(0, -2, 0),
              turn(20, 0, 0, 1));
    put_shape(vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, 6), vec_make(0, 20, 0),
              no_turn());
    for (i = 0; i < 500; i++) {
        vec3 normal = vec_make(-sin(20 * PI / 180), cos(20 * PI / 180), 0);
        double x = between(-8, 8), z = between(-8, 8);
        double dx = between(-2, 2), dz = between(-2, 2), t;
        vsp_hit hit = ray(x, 8, z, dx, -16, dz);
        vec3 from = vec_make(rounded(x), 10, rounded(z));

        test_note("mesh %d", i);
        t = vec_dot(normal, from) /
            -vec_dot(normal, vec_make(rounded(dx), -16, rounded(dz)));
        CHECK_NEAR(t, num(hit.fraction), 1e-5);
        check_vec(normal.x, normal.y, normal.z, hit.normal);
        hit = ray(x, -30, z, dx, 32, dz);
        check_none(&hit); /* from behind */
    }
    for (i = 0; i < 500; i++) {
        const vsp_height_field *f = &field_hills;
        double cell = (double)f->cell / VSP_PLACE;
        double x = between(-8, 8), z = between(-8, 8), y;
        double u = x / cell + (f->columns - 1) / 2.0;
        double v = z / cell + (f->rows - 1) / 2.0;
        int column = (int)u, row = (int)v;
        vsp_hit hit = ray(x, 40, z, 0, -60, 0);
        bool is_hole = false;

        u -= column;
        v -= row;
        for (k = 0; k < 4; k++) {
            int16_t height =
                f->heights[(row + k / 2) * f->columns + column + k % 2];

            h[k] = (double)height * f->step / VSP_PLACE;
            is_hole = is_hole || height == VSP_HOLE;
        }
        if (is_hole)
            continue;
        hits++;
        test_note("field %d", i);
        y = h[0] + (u > v ? u * (h[1] - h[0]) + v * (h[3] - h[1])
                          : v * (h[2] - h[0]) + u * (h[3] - h[2]));
        CHECK_NEAR(20 + y, num(hit.point.y), 2e-5);
        CHECK_UINT(2u * (uint32_t)(row * (f->columns - 1) + column) +
                       (u > v ? 1 : 0),
                   hit.part);
    }
    test_note("");
    CHECK_AT_LEAST(100, hits);
}

/* A ball and a box cast at a tilted mesh and at hills: they must stop near
 * these, and an eighth of a millimetre earlier they must not overlap. */
static void casts_stop_on_surfaces(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_shape_def brick = vsp_box(VSP_R(0.3), VSP_R(0.2), VSP_R(0.4));
    int i;

    empty_world(6);
    put_shape(vsp_table_shape(VSP_SHAPE_MESH, 5), vec_make(0, 0, 0),
              turn(20, 0, 0, 1));
    put_shape(vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, 6), vec_make(0, -20, 0),
              no_turn());
    for (i = 0; i < 60; i++) {
        vec3 normal = vec_make(-sin(20 * PI / 180), cos(20 * PI / 180), 0);
        vsp_transform pose = pose_at(between(-6, 6), 6, between(-6, 6));
        vsp_hit hit;
        vec3 end;

        test_note("ball %d", i);
        CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &ball, pose,
                                            real3(0, -10, 0), NULL, &hit));
        end = vec_add(vec_from(pose.position),
                      vec_make(0, -10 * num(hit.fraction), 0));
        CHECK_NEAR(0.5, vec_dot(end, normal), 6e-4);
        check_vec(normal.x, normal.y, normal.z, hit.normal);
        CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &ball, pose, real3(0, 10, 0),
                                            NULL, &hit));
        check_none(&hit);
        test_note("brick %d", i);
        pose.position.y = VSP_R(-4.0);
        pose.rotation = any_turn();
        CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &brick, pose,
                                            real3(1, -30, 0), NULL, &hit));
        CHECK(hit.shape.bits != 0 && hit.fraction > 0);
        pose.position.x += hit.fraction; /* of 1 m */
        pose.position.y += real(-30 * num(hit.fraction));
        clear_found();
        CHECK_STATUS(VSP_OK, vsp_overlap_shape(world, &brick, pose, NULL,
                                               take_hit, &found));
        CHECK_UINT(0, found.count);
        pose.position.y -= VSP_R(0.003);
        clear_found();
        CHECK_STATUS(VSP_OK, vsp_overlap_shape(world, &brick, pose, NULL,
                                               take_hit, &found));
        CHECK_UINT(1, found.count);
    }
    test_note("");
}

/* Just outside of a hull the normal is that of the face. */
static void points_near_hulls_have_normals(void)
{
    empty_world(5);
    (void)add_table(&hull_box);
    put_shape(vsp_table_shape(VSP_SHAPE_HULL, 1), vec_make(0, 0, 0),
              turn(30, 0, 0, 1));
    for (int i = 0; i < 40; i++) {
        double off = 1e-6 * (i - 10) * (i > 10 ? i - 10 : 1);
        vec3 normal = vec_make(cos(30 * PI / 180), sin(30 * PI / 180), 0);
        vec3 at = vec_scale(normal, 0.5 + off);
        vsp_hit hit;

        test_note("%g m outside", off);
        CHECK_STATUS(VSP_OK, vsp_closest_point(world, of_vec(at), VSP_R(1.0),
                                               NULL, &hit));
        check_vec(normal.x, normal.y, normal.z, hit.normal);
    }
}

/* Where a solid meets a half-space, the point is on the half-space. */
static void cast_points_are_on_planes(void)
{
    empty_world(5);
    put_shape(vsp_half_space(), vec_make(0, 1, 0), no_turn());
    for (int i = 0; i < 100; i++) {
        vsp_shape_def solid = i % 2
                                  ? vsp_sphere(VSP_R(0.5))
                                  : vsp_box(VSP_R(0.3), VSP_R(0.1), VSP_R(0.2));
        vsp_transform pose = pose_at(between(-6, 6), between(2, 6),
                                     between(-6, 6));
        vsp_hit hit;

        test_note("cast %d", i);
        pose.rotation = any_turn();
        CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &solid, pose,
                                            real3(between(-30, 30), -10, 0),
                                            NULL, &hit));
        CHECK_NEAR(1, num(hit.point.y), 2e-5);
    }
}

/* A flat field of 2 m by 2 m at height 0. */
static const int16_t flat_heights[9];
static const vsp_height_field flat_field = {
    VSP_TABLE_HEIGHT_FIELD, 3, 3, VSP_PLACE, 1, 0, 0, flat_heights};

/* The same to the right of a hole, whose rim is at x = -1 m. */
static const int16_t hole_heights[15] = {
    VSP_HOLE, 0, 0, 0, 0, VSP_HOLE, 0, 0, 0, 0, VSP_HOLE, 0, 0, 0, 0};
static const vsp_height_field hole_field = {
    VSP_TABLE_HEIGHT_FIELD, 5, 3, VSP_PLACE, 1, 0, 0, hole_heights};

/* A solid with its centre in front of a surface that ends at x = -1 m comes
 * from beyond the rim, and moves along the face or away from it. */
static void cast_at_rim(const vsp_shape_def *solid, vsp_quat rotation,
                        double height, double rise)
{
    vsp_transform pose = pose_at(-3, height, between(-0.5, 0.5));
    double way = between(2, 2.5);
    vsp_hit hit;

    pose.rotation = rotation;
    CHECK_STATUS(VSP_OK, vsp_shape_cast(world, solid, pose,
                                        real3(way, rise * way, 0), NULL, &hit));
    if (!CHECK(hit.shape.bits != 0 && hit.fraction > 0))
        return;
    CHECK_NEAR(-1, num(hit.point.x), 2e-3);
    CHECK_NEAR(0, num(hit.point.y), 2e-3);
    CHECK_AT_MOST(-0.1, num(hit.normal.x));
    pose.position.x += real(way * num(hit.fraction) - 0.002);
    pose.position.y += real(rise * (way * num(hit.fraction) - 0.002));
    clear_found();
    CHECK_STATUS(VSP_OK,
                 vsp_overlap_shape(world, solid, pose, NULL, take_hit, &found));
    CHECK_UINT(0, found.count);
    pose.position.x += VSP_R(0.02);
    pose.position.y += real(0.02 * rise);
    clear_found();
    CHECK_STATUS(VSP_OK,
                 vsp_overlap_shape(world, solid, pose, NULL, take_hit, &found));
    CHECK_UINT(1, found.count);
}

/* At a height below the distance at which a cast counts as touching, the solid
 * passes over the face. */
static void cast_above_face(const vsp_shape_def *solid, double low)
{
    vsp_transform pose = pose_at(-3, low + 0.0001, 0);
    vsp_hit hit;

    CHECK_STATUS(VSP_OK, vsp_shape_cast(world, solid, pose, real3(3.5, 0, 0),
                                        NULL, &hit));
    check_none(&hit);
}

static void check_rim(void)
{
    vsp_shape_def solids[6];
    int i, k;

    solids[0] = vsp_box(VSP_R(0.2), VSP_R(0.2), VSP_R(0.2));
    solids[1] = vsp_sphere(VSP_R(0.2));
    solids[2] = vsp_capsule(VSP_R(0.2), VSP_R(0.3));
    solids[3] = vsp_table_shape(VSP_SHAPE_HULL, 1);
    solids[4] = vsp_cylinder(VSP_R(0.2), VSP_R(0.25));
    solids[5] = vsp_cone(VSP_R(0.25), VSP_R(0.25), VSP_R(0.1));
    for (i = 0; i < 6; i++)
        for (k = 0; k < 20; k++) {
            test_note("solid %d, try %d", i, k);
            cast_at_rim(&solids[i], i == 3 ? no_turn() : any_turn(),
                        between(0.01, 0.12), 0);
            cast_at_rim(&solids[i], i == 3 ? no_turn() : any_turn(),
                        between(0.01, 0.08), between(0.001, 0.02));
        }
    test_note("");
    cast_above_face(&solids[0], 0.2);
    cast_above_face(&solids[1], 0.2);
    cast_above_face(&solids[2], 0.5);
}

static void casts_stop_at_the_rim_of_a_surface(void)
{
    static const vsp_mesh corner = CORNER_MESH;
    uint32_t table;

    empty_world(7);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &corner, &table, NULL));
    put_shape(vsp_table_shape(VSP_SHAPE_MESH, table), vec_make(0, 0, 0),
              no_turn());
    check_rim();
    empty_world(8);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &flat_field, &table, NULL));
    put_shape(vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, table), vec_make(0, 0, 0),
              no_turn());
    check_rim();
    empty_world(8);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &hole_field, &table, NULL));
    put_shape(vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, table), vec_make(0, 0, 0),
              no_turn());
    check_rim();
}

static void the_nearest_point_of_a_surface(void)
{
    vsp_hit hit;
    int i;

    empty_world(8);
    put_shape(vsp_table_shape(VSP_SHAPE_MESH, 5), vec_make(0, 0, 0), no_turn());
    for (i = 0; i < 100; i++) {
        double x = between(-10, 10), z = between(-9, 9), y = between(0, 5);

        CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(x, y, z),
                                               VSP_R(6.0), NULL, &hit));
        CHECK_NEAR(rounded(y), num(hit.distance), 2e-4);
        check_vec(0, 1, 0, hit.normal);
        CHECK_NEAR(0, num(hit.point.y), 2e-4);
    }
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(0, 3, 0), VSP_R(2.9),
                                           NULL, &hit));
    check_none(&hit);
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(0, -1, 0), VSP_R(2.9),
                                           NULL, &hit));
    check_none(&hit); /* from behind */
}

/* Returns the distance of a point from a grid, in the grid's frame; 1
 * outside. */
static double grid_gap(const vsp_sdf *sdf, vec3 p)
{
    double at[3] = {p.x, p.y, p.z}, sum = 0, part[3];
    int32_t low[3] = {sdf->low.x, sdf->low.y, sdf->low.z};
    int cell[3], i, k;

    for (i = 0; i < 3; i++) {
        double u = (at[i] * VSP_PLACE - low[i]) / sdf->cell;

        if (u < 0 || u > sdf->count[i] - 1)
            return 1;
        cell[i] = (int)fmin(u, sdf->count[i] - 2);
        part[i] = u - cell[i];
    }
    for (k = 0; k < 8; k++) {
        int x = cell[0] + k % 2, y = cell[1] + k / 2 % 2, z = cell[2] + k / 4;
        double weight = (k % 2 ? part[0] : 1 - part[0]) *
                        (k / 2 % 2 ? part[1] : 1 - part[1]) *
                        (k / 4 ? part[2] : 1 - part[2]);

        sum += weight *
               sdf->distances[(z * sdf->count[1] + y) * sdf->count[0] + x];
    }
    return sum * sdf->step / VSP_PLACE;
}

/* Checks a ray or a ball cast at the animal at the origin: it must stop at the
 * first point within the radius. */
static void check_march(vec3 from, vec3 way, double radius, const vsp_hit *hit)
{
    double part = num(hit->fraction), t, lowest = 1, gap;

    for (t = 0; t < part; t += 0.001)
        lowest = fmin(lowest,
                      grid_gap(&sdf_animal, vec_mad(from, t, way)) - radius);
    CHECK_AT_LEAST(-0.002, lowest);
    if (hit->shape.bits == 0)
        return;
    gap = grid_gap(&sdf_animal, vec_mad(from, part, way));
    CHECK(gap < 1 || radius > 0); /* a ball's centre may be outside */
    if (gap < 1)
        CHECK_NEAR(radius, gap, 0.003);
    CHECK_NEAR(1, vec_length(vec_from(hit->normal)), 1e-4);
    CHECK_AT_MOST(0.01, vec_dot(vec_from(hit->normal), way));
}

static void signed_distances_are_found(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    int i, hits = 0, inside = 0;
    uint32_t index;
    vsp_hit hit;

    empty_world(9);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &sdf_animal, &index, NULL));
    put_shape(vsp_table_shape(VSP_SHAPE_SDF, index), vec_make(0, 0, 0),
              no_turn());
    for (i = 0; i < 200; i++) {
        vec3 from = as_read(vec_scale(any_direction(), 2));
        vec3 to = vec_multiply(any_in_ball(), vec_make(0.5, 0.3, 0.15));
        vec3 way = as_read(vec_scale(vec_sub(to, from), 1.8));
        double gap = grid_gap(&sdf_animal, to);

        test_note("%d", i);
        hit = ray(from.x, from.y, from.z, way.x, way.y, way.z);
        check_march(from, way, 0, &hit);
        if (hit.shape.bits != 0)
            hits++;
        else
            CHECK_AT_LEAST(-0.002, gap);
        CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &ball,
                                            pose_at(from.x, from.y, from.z),
                                            of_vec(way), NULL, &hit));
        check_march(from, way, 0.1, &hit);
        CHECK(hit.shape.bits != 0 || gap > 0.098);
        clear_found();
        CHECK_STATUS(VSP_OK,
                     vsp_overlap_shape(world, &ball, pose_at(to.x, to.y, to.z),
                                       NULL, take_hit, &found));
        if (fabs(gap - 0.1) > 0.002)
            CHECK_UINT(gap < 0.1, found.count);
        clear_found();
        CHECK_STATUS(VSP_OK, vsp_point_inside(world, of_vec(to), NULL, take_hit,
                                              &found));
        if (fabs(gap) > 1e-4)
            CHECK_UINT(gap < 0, found.count);
        CHECK_STATUS(VSP_OK, vsp_closest_point(world, of_vec(to), VSP_R(2.0),
                                               NULL, &hit));
        CHECK_NEAR(gap, num(hit.distance), 1e-4);
        inside += gap < 0;
    }
    test_note("");
    CHECK_AT_LEAST(100, hits);
    CHECK_AT_LEAST(50, inside);
}

static void an_empty_world_answers(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_hit hit;

    world = new_world();
    hit = ray(0, 0, 0, 1, 2, 3);
    check_none(&hit);
    check_vec(1, 2, 3, hit.point);
    clear_found();
    CHECK_STATUS(VSP_OK, vsp_ray_cast_all(world, real3(0, 0, 0), real3(1, 0, 0),
                                          NULL, take_hit, &found));
    CHECK_STATUS(VSP_OK,
                 vsp_overlap_aabb(world, real3(-9, -9, -9), real3(9, 9, 9),
                                  NULL, take_hit, &found));
    CHECK_STATUS(VSP_OK, vsp_overlap_shape(world, &ball, pose_at(0, 0, 0), NULL,
                                           take_hit, &found));
    CHECK_STATUS(VSP_OK, vsp_point_inside(world, real3(0, 0, 0), NULL, take_hit,
                                          &found));
    CHECK_UINT(0, found.count);
    CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &ball, pose_at(0, 0, 0),
                                        real3(1, 0, 0), NULL, &hit));
    check_none(&hit);
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(0, 0, 0), VSP_R(9.0),
                                           NULL, &hit));
    check_none(&hit);
}

static void of_equals_the_lower_slot_is_first(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_shape_id first;
    vsp_hit hit;
    int i;

    empty_world(1);
    for (i = 0; i < 20; i++)
        put_shape(box, vec_make(0, 0, 0), no_turn());
    first = vsp_shape_at(world, 0);
    hit = ray(-4, 0.1, 0, 8, 0, 0);
    CHECK_HEX(first.bits, hit.shape.bits);
    hit = ray(0, 0, 0, 8, 0, 0);
    CHECK_HEX(first.bits, hit.shape.bits);
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(0, 2, 0), VSP_R(9.0),
                                           NULL, &hit));
    CHECK_HEX(first.bits, hit.shape.bits);
    CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &box, pose_at(0, 3, 0),
                                        real3(0, -4, 0), NULL, &hit));
    CHECK_HEX(first.bits, hit.shape.bits);
}

/* A definition's own pose must rotate and move it like the body's pose. */
static void a_def_is_where_its_pose_says(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.1), VSP_R(0.1));
    vsp_transform pose = pose_at(0, 5, 0);
    vsp_hit hit;

    empty_world(1);
    add_ground(world);
    box.pose.position = real3(0.25, 0, 0);
    pose.rotation = turn(-90, 0, 0, 1); /* x becomes down */
    CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &box, pose, real3(0, -10, 0),
                                        NULL, &hit));
    CHECK_NEAR(4.25, num(hit.distance), 6e-4);
    box.pose.rotation = turn(90, 0, 0, 1);
    CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &box, pose, real3(0, -10, 0),
                                        NULL, &hit));
    CHECK_NEAR(4.65, num(hit.distance), 6e-4);
}


/* ---- Filters and callbacks ----------------------------------------------- */

static void filters_choose(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_query query = vsp_query_default();
    vsp_body_id near, middle, far;
    vsp_hit hit;

    empty_world(1);
    box.filter.category = 2;
    near = put_shape(box, vec_make(2, 0, 0), no_turn());
    box.filter.category = 4;
    box.filter.mask = 8;
    middle = put_shape(box, vec_make(4, 0, 0), no_turn());
    box.filter.mask = 0xffffffffu;
    box.is_sensor = VSP_EVENTS != 0;
    far = put_shape(box, vec_make(6, 0, 0), no_turn());
    hit = ray(0, 0, 0, 9, 0, 0);
    CHECK_HEX(near.bits, hit.body.bits);
    query.filter.mask = 4;
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0, 0, 0), real3(9, 0, 0),
                                      &query, &hit));
    CHECK_HEX(middle.bits, hit.body.bits);
    query.filter.category = 1; /* the filter of the middle one refuses this */
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0, 0, 0), real3(9, 0, 0),
                                      &query, &hit));
    check_none(&hit);
    query.find_sensors = true;
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0, 0, 0), real3(9, 0, 0),
                                      &query, &hit));
    CHECK_HEX(far.bits, hit.body.bits);
    query = vsp_query_default();
    query.except = near;
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0, 0, 0), real3(9, 0, 0),
                                      &query, &hit));
    CHECK_HEX(middle.bits, hit.body.bits);
    query.except.bits ^= 0x10000u; /* an earlier body in its slot */
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0, 0, 0), real3(9, 0, 0),
                                      &query, &hit));
    CHECK_HEX(near.bits, hit.body.bits);
}

/* always returns one answer, and stores the hits */
typedef struct script {
    double answer;
    int count;
    double last; /* fraction */
} script;

static vsp_real follow_script(void *user, const vsp_hit *hit)
{
    script *it = user;

    it->count++;
    it->last = num(hit->fraction);
    return it->answer > 8 ? hit->fraction : real(it->answer);
}

static script follow_ray(double answer)
{
    script it = {0, 0, 0};

    it.answer = answer;
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast_all(world, real3(0, 0, 0), real3(10, 0, 0), NULL,
                                  follow_script, &it));
    return it;
}

static void answers_steer_a_ray(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    script it;
    int i;

    empty_world(1);
    for (i = 1; i < 10; i++)
        put_shape(box, vec_make(10 - i, 0, 0), no_turn());
    CHECK_UINT(9, (uint32_t)follow_ray(1).count);
    CHECK_UINT(9, (uint32_t)follow_ray(-1).count);
    CHECK_UINT(1, (uint32_t)follow_ray(0).count);
    it = follow_ray(9); /* clips to each hit: the last one is the nearest */
    CHECK_NEAR(0.05, it.last, 1e-6);
    it = follow_ray(0.3); /* clips to x = 3 */
    CHECK_AT_MOST(4, it.count);
    CHECK_AT_LEAST(3, it.count);
    clear_found();
    found.end = 2;
    CHECK_STATUS(VSP_OK, vsp_overlap_aabb(world, real3(0, 0, 0), real3(9, 1, 1),
                                          NULL, take_hit, &found));
    CHECK_UINT(2, found.count);
}

static vsp_real destroy_hit(void *user, const vsp_hit *hit)
{
    *(int *)user += 1;
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, hit->body));
    return VSP_R(1.0);
}

static vsp_real ask_again(void *user, const vsp_hit *hit)
{
    vsp_hit other;

    *(int *)user += 1;
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast(world, hit->point, real3(0, 5, 0), NULL, &other));
    return VSP_R(1.0);
}

static void a_query_ends_when_the_world_changes(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    int i, count = 0;

    empty_world(1);
    for (i = 0; i < 9; i++)
        put_shape(box, vec_make(0, 0, 0), no_turn());
    CHECK_STATUS(VSP_OK, vsp_point_inside(world, real3(0, 0, 0), NULL,
                                          ask_again, &count));
    CHECK_UINT(9, (uint32_t)count);
    count = 0;
    CHECK_STATUS(VSP_ERR_ARG, vsp_point_inside(world, real3(0, 0, 0), NULL,
                                               destroy_hit, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_ray_cast_all(world, real3(0, 0, 0), real3(1, 0, 0), NULL,
                                  destroy_hit, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_overlap_aabb(world, real3(0, 0, 0), real3(1, 0, 0), NULL,
                                  destroy_hit, &count));
    CHECK_STATUS(VSP_ERR_ARG, vsp_overlap_shape(world, &box, pose_at(0, 0, 0),
                                                NULL, destroy_hit, &count));
    CHECK_UINT(4, (uint32_t)count);
    CHECK_UINT(5, vsp_world_stats(world).body_count);
}


/* ---- State --------------------------------------------------------------- */

/* Makes every query once. */
static void ask_all(vsp_world *of)
{
    vsp_shape_def box = vsp_box(VSP_R(2.0), VSP_R(2.0), VSP_R(2.0));
    vsp_hit hit;

    CHECK_STATUS(VSP_OK, vsp_ray_cast(of, real3(-9, 0.4, 0.1),
                                      real3(20, 0.3, 0), NULL, &hit));
    found.hits[found.count++] = hit;
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast_all(of, real3(-9, 0.4, 0.1), real3(20, 0.3, 0),
                                  NULL, take_hit, &found));
    CHECK_STATUS(VSP_OK, vsp_shape_cast(of, &box, pose_at(0, 9, 0),
                                        real3(0, -9, 0), NULL, &hit));
    found.hits[found.count++] = hit;
    CHECK_STATUS(VSP_OK, vsp_overlap_aabb(of, real3(-3, -3, -3), real3(3, 3, 3),
                                          NULL, take_hit, &found));
    CHECK_STATUS(VSP_OK, vsp_overlap_shape(of, &box, pose_at(0, 1, 0), NULL,
                                           take_hit, &found));
    CHECK_STATUS(
        VSP_OK, vsp_point_inside(of, real3(0, 0.5, 0), NULL, take_hit, &found));
    CHECK_STATUS(VSP_OK,
                 vsp_closest_point(of, real3(0, 3, 0), VSP_R(9.0), NULL, &hit));
    found.hits[found.count++] = hit;
}

/* Balls and boxes that fall onto ground. */
static void drop_some(void)
{
    int i;

    empty_world(4);
    add_ground(world);
    for (i = 0; i < 60; i++) {
        vsp_shape_def shape = i % 2
                                  ? vsp_sphere(VSP_R(0.3))
                                  : vsp_box(VSP_R(0.3), VSP_R(0.2), VSP_R(0.4));
        vsp_body_def def = body_def(VSP_DYNAMIC, shape, between(-4, 4),
                                    between(0.5, 6), between(-4, 4));

        def.pose.rotation = any_turn();
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    }
}

static void queries_change_nothing(void)
{
    static vsp_contact before[VSP_MAX_MANIFOLDS], after;
    uint32_t hash, plain[40], i, k, count;
    size_t size;

    drop_some();
    for (i = 0; i < 40; i++) {
        step_world(world, 1);
        plain[i] = vsp_world_hash(world);
    }
    drop_some();
    for (i = 0; i < 40; i++) {
        step_world(world, 1);
        CHECK_HEX(plain[i], vsp_world_hash(world));
        count = vsp_contact_count(world);
        for (k = 0; k < count; k++) {
            memset(&before[k], 0, sizeof before[k]);
            vsp_contact_get(world, k, &before[k]);
        }
        size = save_world(world, 0);
        hash = vsp_world_hash(world);
        clear_found();
        ask_all(world);
        CHECK_HEX(hash, vsp_world_hash(world));
        CHECK(save_world(world, 1) == size);
        CHECK_BYTES(saved(0), saved(1), size);
        if (!CHECK_UINT(count, vsp_contact_count(world)))
            return;
        for (k = 0; k < count; k++) {
            memset(&after, 0, sizeof after);
            vsp_contact_get(world, k, &after);
            CHECK_BYTES(&before[k], &after, sizeof after);
        }
    }
}

static bool is_same_hit(const vsp_hit *a, const vsp_hit *b)
{
    return a->shape.bits == b->shape.bits && a->body.bits == b->body.bits &&
           a->part == b->part && a->fraction == b->fraction &&
           a->distance == b->distance && a->point.x == b->point.x &&
           a->point.y == b->point.y && a->point.z == b->point.z &&
           a->normal.x == b->normal.x && a->normal.y == b->normal.y &&
           a->normal.z == b->normal.z;
}

/* A restored world must give the same answers, to the bit and in the same
 * order. */
static void a_restored_world_answers_the_same(void)
{
    static list first;
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other;
    uint32_t i, index;
    size_t size;

    drop_some();
    step_world(world, 50);
    clear_found();
    ask_all(world);
    first = found;
    CHECK_AT_LEAST(30, first.count);
    size = save_world(world, 0);
    other = new_world_at(&def, 1, 0);
    for (i = 1; vsp_world_table(world, i) != NULL; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_world_add_table(other, vsp_world_table(world, i),
                                         &index, NULL));
    clear_found();
    ask_all(other); /* now it has a tree */
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
    clear_found();
    ask_all(other);
    if (!CHECK_UINT(first.count, found.count))
        return;
    for (i = 0; i < found.count; i++)
        CHECK(is_same_hit(&first.hits[i], &found.hits[i]));
}

/* Answers must always be those of the present world. */
static void answers_follow_the_world(void)
{
    vsp_shape_def box = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    vsp_body_id id, ball;
    vsp_shape_id shape;
    vsp_hit hit;
    size_t size;

    empty_world(1);
    hit = ray(-5, 0, 0, 10, 0, 0);
    check_none(&hit);
    id = put_shape(box, vec_make(0, 0, 0), no_turn());
    hit = ray(-5, 0, 0, 10, 0, 0);
    CHECK_NEAR(0.45, num(hit.fraction), 1e-6);
    size = save_world(world, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, id, pose_at(2, 0, 0)));
    hit = ray(-5, 0, 0, 10, 0, 0);
    CHECK_NEAR(0.65, num(hit.fraction), 1e-6);
    box.pose.position = real3(-3, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &box, &shape));
    hit = ray(-5, 0, 0, 10, 0, 0);
    CHECK_NEAR(0.35, num(hit.fraction), 1e-6);
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, shape));
    hit = ray(-5, 0, 0, 10, 0, 0);
    CHECK_NEAR(0.65, num(hit.fraction), 1e-6);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    hit = ray(-5, 0, 0, 10, 0, 0);
    CHECK_NEAR(0.45, num(hit.fraction), 1e-6);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
    hit = ray(-5, 0, 0, 10, 0, 0);
    check_none(&hit);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 5, 0);
    hit = ray(0, 0, 0, 0, 10, 0);
    CHECK_NEAR(0.45, num(hit.fraction), 1e-6);
    step_world(world, 30);
    hit = ray(0, 0, 0, 0, 10, 0);
    CHECK_NEAR(num(vsp_body_center(world, ball).y) - 0.5, num(hit.distance),
               1e-5);
}


/* ---- Refusals ------------------------------------------------------------ */

static vsp_hit kept;

static vsp_status try_ray(vsp_vec3 origin, vsp_vec3 way)
{
    vsp_status status = vsp_ray_cast(world, origin, way, NULL, &kept);

    CHECK_STATUS(status,
                 vsp_ray_cast_all(world, origin, way, NULL, take_hit, &found));
    return status;
}

static void bad_points_are_refused(void)
{
    vsp_vec3 zero = real3(0, 0, 0), way = real3(0, -2, 0), bad;
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    uint32_t i, axis;

    for (i = 0; i < BAD_REALS + 2; i++)
        for (axis = 0; axis < 3; axis++) {
            vsp_real most = VSP_MAX_POSITION;
            vsp_real number = i < BAD_REALS    ? bad_real(i)
                              : i == BAD_REALS ? next_above(most)
                                               : next_below(-most);

            bad = real3(0, -2, 0);
            (&bad.x)[axis] = number;
            CHECK_REFUSED(VSP_ERR_ARG, try_ray(bad, way));
            CHECK_REFUSED(VSP_ERR_ARG, try_ray(zero, bad));
            CHECK_REFUSED(VSP_ERR_ARG,
                          vsp_shape_cast(world, &ball, pose_at(0, 0, 0), bad,
                                         NULL, &kept));
            CHECK_REFUSED(VSP_ERR_ARG,
                          vsp_overlap_aabb(world, bad, real3(1, 1, 1), NULL,
                                           take_hit, &found));
            CHECK_REFUSED(VSP_ERR_ARG,
                          vsp_overlap_aabb(world, real3(-1, -3, -1), bad, NULL,
                                           take_hit, &found));
            CHECK_REFUSED(VSP_ERR_ARG,
                          vsp_point_inside(world, bad, NULL, take_hit, &found));
            CHECK_REFUSED(VSP_ERR_ARG, vsp_closest_point(world, bad, VSP_R(1.0),
                                                         NULL, &kept));
        }
    for (i = 0; i < BAD_REALS; i++)
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_closest_point(world, zero, bad_real(i), NULL, &kept));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_closest_point(world, zero, 0, NULL, &kept));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_closest_point(world, zero, next_above(VSP_MAX_POSITION),
                                    NULL, &kept));
    CHECK_REFUSED(VSP_ERR_ARG, try_ray(zero, zero));
    CHECK_REFUSED(VSP_ERR_ARG, try_ray(zero, real3(0.00009, 0, 0.00009)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_overlap_aabb(world, real3(1, 0, 0), zero,
                                                NULL, take_hit, &found));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_overlap_aabb(world, real3(0, 1, 0), zero,
                                                NULL, take_hit, &found));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_overlap_aabb(world, real3(0, 0, 1), zero,
                                                NULL, take_hit, &found));
    CHECK_STATUS(VSP_OK, try_ray(zero, real3(0.00011, 0, 0)));
}

static void nulls_are_refused(void)
{
    vsp_vec3 zero = real3(0, 0, 0), way = real3(0, -2, 0);
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_transform pose = pose_at(0, 0, 0);
    vsp_world *worlds[2] = {NULL, world};
    int i;

    for (i = 0; i < 2; i++) {
        vsp_world *w = worlds[i];
        vsp_hit *hit = w ? NULL : &kept;
        vsp_found *to = w ? NULL : take_hit;

        CHECK_REFUSED(VSP_ERR_ARG, vsp_ray_cast(w, zero, way, NULL, hit));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_ray_cast_all(w, zero, way, NULL, to, &found));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_shape_cast(w, &ball, pose, way, NULL, hit));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_overlap_aabb(w, zero, zero, NULL, to, &found));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_overlap_shape(w, &ball, pose, NULL, to, &found));
        CHECK_REFUSED(VSP_ERR_ARG, vsp_point_inside(w, zero, NULL, to, &found));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_closest_point(w, zero, VSP_R(1.0), NULL, hit));
    }
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_cast(world, NULL, pose, way, NULL, &kept));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_overlap_shape(world, NULL, pose, NULL, take_hit, &found));
}

static void refuse_def(vsp_shape_def def, vsp_transform pose)
{
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_cast(world, &def, pose,
                                              real3(0, -2, 0), NULL, &kept));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_overlap_shape(world, &def, pose, NULL, take_hit, &found));
}

static void bad_defs_are_refused(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_transform pose = pose_at(0, 0, 0);

    refuse_def(vsp_sphere(0), pose);
    refuse_def(vsp_half_space(), pose);
    refuse_def(vsp_table_shape(VSP_SHAPE_MESH, 5), pose);
    refuse_def(vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, 6), pose);
    refuse_def(vsp_table_shape(VSP_SHAPE_HULL, 5), pose);
    refuse_def(vsp_table_shape(VSP_SHAPE_HULL, 99), pose);
    pose.position.y = bad_real(0);
    refuse_def(ball, pose);
    pose = pose_at(0, 0, 0);
    pose.rotation = (vsp_quat){0, 0, 0, 0};
    refuse_def(ball, pose);
    ball.cookie = 0;
    refuse_def(ball, pose_at(0, 0, 0));
}

/* Wrong arguments, one at a time: the call must change neither the world nor
 * the answer. */
static void what_is_wrong_is_refused(void)
{
    vsp_hit before;

    empty_world(1);
    add_ground(world);
    put_shape(vsp_sphere(VSP_R(0.5)), vec_make(0, 0, 0), no_turn());
    memset(&kept, 0x5a, sizeof kept);
    memcpy(&before, &kept, sizeof kept);
    clear_found();
    nulls_are_refused();
    bad_defs_are_refused();
    CHECK_BYTES(&before, &kept, sizeof kept);
    CHECK_UINT(0, found.count);
    bad_points_are_refused();
}

/* A square of 200 m whose middle is 640 m away, and whose corner is 498.58 m
 * away: fixed point does not measure so far, and does not find it. */
static void far_surfaces_are_not_near(void)
{
    enum { SIDE = 100 * VSP_PLACE };
    static const vsp_place corners[4] = {
        {-SIDE, 0, -SIDE}, {SIDE, 0, -SIDE}, {SIDE, 0, SIDE}, {-SIDE, 0, SIDE}};
    static const vsp_triangle halves[2] = {{{0, 2, 1}, 0}, {{0, 3, 2}, 0}};
    static const vsp_mesh_node leaf = {
        {-SIDE, 0, -SIDE}, {SIDE, 0, SIDE}, 1, 2, 0, 0, 0};
    static const vsp_mesh square = {VSP_TABLE_MESH, 4,      2,    1, 0,
                                    corners,        halves, &leaf};
    vsp_query query = vsp_query_default();
    vsp_body_def def = vsp_body_def_default();
    uint32_t number = 0;
    vsp_hit hit;

    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &square, &number, NULL));
    def.type = VSP_STATIC;
    def.shape = vsp_table_shape(VSP_SHAPE_MESH, number);
    def.pose.position = real3(320, 0, 0);
    def.pose.rotation = turn(45, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(-320, 0, 0), real(500),
                                           &query, &hit));
    if (CHECK_UINT(!VSP_FIXED, hit.shape.bits != 0) && !VSP_FIXED)
        CHECK_NEAR(640 - 100 * sqrt(2), num(hit.distance), 1e-3);
}

/* The same with a cube of 200 m whose edge is that far away. */
static void far_hulls_are_not_near(void)
{
    vsp_vec3 corners[8];
    vsp_query query = vsp_query_default();
    vsp_body_def def = vsp_body_def_default();
    uint32_t number = 0;
    vsp_hit hit;

    for (int i = 0; i < 8; i++)
        corners[i] = real3(i & 1 ? 100 : -100, i & 2 ? 100 : -100,
                           i & 4 ? 100 : -100);
    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_hull_create(world, corners, 8, &number));
    def.type = VSP_STATIC;
    def.shape = vsp_table_shape(VSP_SHAPE_HULL, number);
    def.pose.position = real3(320, 0, 0);
    def.pose.rotation = turn(45, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(-320, 0, 0), real(500),
                                           &query, &hit));
    CHECK_UINT(!VSP_FIXED, hit.shape.bits != 0);
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(-290, 0, 0), real(500),
                                           &query, &hit));
    if (CHECK(hit.shape.bits != 0))
        CHECK_NEAR(610 - 100 * sqrt(2), num(hit.distance), 1e-3);
}

/* A field of an odd cell, 195 m long: its length is no whole number of cells'
 * halves.  Rays and balls find both ends of it. */
static void fields_reach_to_both_ends(void)
{
    static int16_t heights[2 * 4096];
    vsp_height_field f = {
        VSP_TABLE_HEIGHT_FIELD, 4096, 2, 49999, 1024, 0, 0, heights};
    double half = 4095.0 * 49999 / 2 / VSP_PLACE;
    vsp_query query = vsp_query_default();
    vsp_body_def def = vsp_body_def_default();
    uint32_t number = 0;

    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &f, &number, NULL));
    def.type = VSP_STATIC;
    def.shape = vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, number);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    for (int i = 0; i < 4; i++) {
        bool is_there = i < 2;
        double x = (half + (is_there ? -0.0005 : 0.0005)) *
                   (i % 2 == 0 ? 1 : -1);
        vsp_hit hit;

        test_note("x = %.4f m", x);
        CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(x, 1, 0),
                                          real3(0, -2, 0), &query, &hit));
        CHECK_UINT(is_there, hit.shape.bits != 0);
    }
}


static const test tests[] = {
    TEST(rays_are_where_they_must),
    TEST_SLOW(many_rays_are_where_they_must),
    TEST(rays_find_all_shapes),
    TEST(long_rays),
    TEST(fields_reach_to_both_ends),
    TEST(far_surfaces_are_not_near),
    TEST(far_hulls_are_not_near),
    TEST(points_are_where_they_must),
    TEST_SLOW(many_points_are_where_they_must),
    TEST(boxes_find_what_is_in_them),
    TEST_LONG(many_boxes_find_what_is_in_them),
    TEST(solids_find_what_they_overlap),
    TEST_SLOW(many_solids_find_what_they_overlap),
    TEST(casts_stop_where_they_touch),
    TEST_LONG(many_casts_stop_where_they_touch),
    TEST(a_ray_meets_each_shape),
    TEST(a_ray_meets_a_half_space),
    TEST(rays_meet_surfaces),
    TEST(casts_stop_on_surfaces),
    TEST(casts_stop_at_the_rim_of_a_surface),
    TEST(the_nearest_point_of_a_surface),
    TEST(signed_distances_are_found),
    TEST(an_empty_world_answers),
    TEST(of_equals_the_lower_slot_is_first),
    TEST(a_def_is_where_its_pose_says),
    TEST(filters_choose),
    TEST(answers_steer_a_ray),
    TEST(points_near_hulls_have_normals),
    TEST(cast_points_are_on_planes),
    TEST(a_query_ends_when_the_world_changes),
    TEST(queries_change_nothing),
    TEST(a_restored_world_answers_the_same),
    TEST(answers_follow_the_world),
    TEST(what_is_wrong_is_refused),
    TEST_END,
};

const test_suite query_suite = {"query", tests};
