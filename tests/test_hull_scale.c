/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scaled and mirrored hulls, of up to 48 corners: against tables made at that
 * size, in mass, bounds, contacts of all pairs, queries, steps and drawing;
 * errors; state. */

#include "fixture.h"
#include "port/geometry/hull.h"
#include "port/geometry/mass_properties.h"
#include "port/scenes/tables.h"
#include "src/record/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if VSP_SCALES && VSP_HULLS

static vsp_world *world;

static const double scales[][3] = {
    {2, 2, 2},    {0.5, 0.5, 0.5}, {0.5, 1, 1.5},    {0.25, 4, 1},
    {-1, 1, 1},   {1, 1, -2},      {-2, -0.5, 3},    {-1.25, -1, -1.5},
    {1, 0.25, 1}, {1.3, 2.7, 0.9}, {-0.0625, 1, 1.4}};

#define SCALES COUNT_OF(scales)

static const vsp_hull *const hulls[] = {&hull_prism, &hull_cone, &hull_ball,
                                        &hull_wedge};

#define HULLS COUNT_OF(hulls)


/* ---- Tables at a size ---------------------------------------------------- */

static hull_storage baked;

/* as the world reads it: in 2^-20, rounded in the fixed kind */
static double read_scale(double scale)
{
    double units = rounded(fabs(scale)) * 1048576 + (VSP_FIXED ? 0.5 : 0);

    return (scale < 0 ? -1 : 1) * floor(units) / 1048576;
}

static void bake_place(const vsp_place *from, const double scale[3],
                       vsp_place *to)
{
    to->x = (int32_t)lround(from->x * read_scale(scale[0]));
    to->y = (int32_t)lround(from->y * read_scale(scale[1]));
    to->z = (int32_t)lround(from->z * read_scale(scale[2]));
}

/* A plane through the farthest corner. */
static void bake_plane(const vsp_plane *from, const double scale[3],
                       vsp_plane *to)
{
    double n[3] = {from->x / read_scale(scale[0]),
                   from->y / read_scale(scale[1]),
                   from->z / read_scale(scale[2])};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), most = -1e9;

    for (int i = 0; i < 3; i++)
        n[i] /= length;
    for (int i = 0; i < baked.hull.vertex_count; i++)
        most = fmax(most, n[0] * baked.vertices[i].x +
                              n[1] * baked.vertices[i].y +
                              n[2] * baked.vertices[i].z);
    to->x = (int32_t)lround(n[0] * VSP_DIRECTION);
    to->y = (int32_t)lround(n[1] * VSP_DIRECTION);
    to->z = (int32_t)lround(n[2] * VSP_DIRECTION);
    to->offset = (int32_t)lround(most);
}

static void mirror_baked(void)
{
    for (int i = 0; i < baked.hull.face_count; i++) {
        int low = baked.first[i] + 1, high = baked.first[i + 1] - 1;

        for (; low < high; low++, high--) {
            uint8_t kept = baked.corners[low];

            baked.corners[low] = baked.corners[high];
            baked.corners[high] = kept;
        }
    }
    for (int i = 0; i < baked.hull.edge_count; i++) {
        uint8_t kept = baked.edges[i].tail;

        baked.edges[i].tail = baked.edges[i].head;
        baked.edges[i].head = kept;
    }
}

static bool bake_bulk(void)
{
    static uint32_t triangles[4 * VSP_MAX_HULL][3];
    vec3 points[VSP_MAX_HULL];
    size_t count = 0;

    for (int i = 0; i < baked.hull.vertex_count; i++)
        points[i] = vec_make((double)baked.vertices[i].x / VSP_PLACE,
                             (double)baked.vertices[i].y / VSP_PLACE,
                             (double)baked.vertices[i].z / VSP_PLACE);
    for (int i = 0; i < baked.hull.face_count; i++)
        for (int k = baked.first[i] + 1; k + 1 < baked.first[i + 1]; k++) {
            triangles[count][0] = baked.corners[baked.first[i]];
            triangles[count][1] = baked.corners[k];
            triangles[count++][2] = baked.corners[k + 1];
        }
    return find_bulk(&baked.hull.bulk, points, triangles, count);
}

/* Makes a hull at a size, with the numbering of the other. */
static bool bake_hull(const vsp_hull *from, const double scale[3])
{
    baked.hull = *from;
    baked.hull.vertices = baked.vertices;
    baked.hull.planes = baked.planes;
    baked.hull.first = baked.first;
    baked.hull.corners = baked.corners;
    baked.hull.edges = baked.edges;
    memcpy(baked.first, from->first,
           (from->face_count + 1u) * sizeof *baked.first);
    memcpy(baked.corners, from->corners, from->corner_count);
    memcpy(baked.edges, from->edges, from->edge_count * sizeof *baked.edges);
    for (int i = 0; i < from->vertex_count; i++)
        bake_place(&from->vertices[i], scale, &baked.vertices[i]);
    for (int i = 0; i < from->face_count; i++)
        bake_plane(&from->planes[i], scale, &baked.planes[i]);
    if (scale[0] * scale[1] * scale[2] < 0)
        mirror_baked();
    return CHECK(bake_bulk());
}

/* Adds a table to the world.  Returns a shape of it. */
static vsp_shape_def shape_of(const vsp_hull *hull, const double *scale)
{
    vsp_shape_def def;
    uint32_t table;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, hull, &table, NULL));
    def = vsp_table_shape(VSP_SHAPE_HULL, table);
    if (scale)
        def.size = real3(scale[0], scale[1], scale[2]);
    return def;
}

/* Fills two shapes: hull h at scale s, and the table made at that size. */
static bool make_both(size_t h, size_t s, vsp_shape_def both[2])
{
    test_note("hull %d, scale %d", (int)h, (int)s);
    if (!bake_hull(hulls[h], scales[s]))
        return false;
    both[0] = shape_of(hulls[h], scales[s]);
    both[1] = shape_of(&baked.hull, NULL);
    return true;
}

/* Checks something of all hulls and scales, in a new world for each. */
static void each_hull(void (*check)(const vsp_shape_def both[2]))
{
    vsp_shape_def both[2];

    for (size_t h = 0; h < HULLS; h++)
        for (size_t s = 0; s < SCALES; s++) {
            world = new_world();
            if (!make_both(h, s, both))
                return;
            check(both);
        }
}


/* ---- Mass, bounds -------------------------------------------------------- */

#if VSP_FIXED
#define PART_OF(s, i) ldexp((double)s3_parts(s)[i], -(s)->shift)
#else
#define PART_OF(s, i) ((double)s3_parts(s)[i])
#endif

static void compare_masses(const vsp_shape_def both[2])
{
    vsp__mass_data m[2];
    vsp__shape shape;
    double trace = 0, mass;

    for (int i = 0; i < 2; i++) {
        CHECK(vsp__read_shape(world, &both[i], &shape));
        vsp__find_shape_mass(world, &shape, &m[i]);
    }
    for (int i = 0; i < 3; i++)
        trace += PART_OF(&m[1].inertia, i);
    mass = num(w_show(m[1].mass));
    CHECK_AT_LEAST(0.01, mass);
    CHECK_NEAR(mass, num(w_show(m[0].mass)), 1e-4 * mass);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(PART_OF(&m[1].inertia, i), PART_OF(&m[0].inertia, i),
                   1e-4 * trace);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_NEAR(num(r_show(v3_part(&m[1].center, i))),
                   num(r_show(v3_part(&m[0].center, i))), 5e-6);
}

static void masses_are_scaled(void)
{
    each_hull(compare_masses);
}

/* A needle and its mirror image have the same inertia: its small moment is not
 * a difference of large ones. */
static void needles_keep_their_inertia(void)
{
    static const double needle[3] = {4, 1.0 / 16, 1.0 / 16};
    static const double mirror[3] = {-1, 1, 1};
    vsp__mass_data m[2];

    for (size_t h = 0; h < HULLS; h++) {
        world = new_world();
        test_note("hull %d", (int)h);
        if (!bake_hull(hulls[h], needle))
            return;
        for (int i = 0; i < 2; i++) {
            vsp_shape_def def = shape_of(&baked.hull, i == 0 ? NULL : mirror);
            vsp__shape shape;

            CHECK(vsp__read_shape(world, &def, &shape));
            vsp__find_shape_mass(world, &shape, &m[i]);
        }
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(PART_OF(&m[0].inertia, i), PART_OF(&m[1].inertia, i),
                       1e-5 * PART_OF(&m[0].inertia, i));
    }
}

#if VSP_EDITS

static void compare_bounds(const vsp_shape_def both[2])
{
    vsp_bounds b[2];

    for (int i = 0; i < 2; i++) {
        add_turned(world, VSP_STATIC, both[i], 1, 2, 3, turn(40, 1, 2, -3));
        CHECK_STATUS(
            VSP_OK,
            vsp_shape_bounds(world, vsp_shape_at(world, (uint32_t)i), &b[i]));
    }
    CHECK(memcmp(&b[0], &b[1], sizeof b[0]) == 0);
}

static void bounds_are_scaled(void)
{
    each_hull(compare_bounds);
}

#endif


/* ---- Contacts ------------------------------------------------------------ */

#define OTHERS 9

/* Makes another solid: one of all shapes with convex cores. */
static vsp_shape_def other_shape(uint32_t i, uint32_t table)
{
    const vsp_real a = VSP_R(0.25), b = VSP_R(0.5);
    const vsp_shape_def all[OTHERS] = {vsp_sphere(a),
                                       vsp_box(a, b, VSP_R(0.75)),
                                       vsp_capsule(a, b),
                                       vsp_cylinder(a, b),
                                       vsp_cone(b, b, a),
                                       vsp_taper(a, b, VSP_R(0.125)),
                                       vsp_table_shape(VSP_SHAPE_HULL, table),
                                       vsp_table_shape(VSP_SHAPE_HULL, table),
                                       vsp_half_space()};
    vsp_shape_def def = all[i];

    if (i == 7)
        def.size = real3(0.5, -1.5, 1);
    return def;
}

static double random_part(uint32_t *seed)
{
    return (double)random_below(seed, 20001) / 10000 - 1;
}

static vsp_quat random_turn(uint32_t *seed)
{
    double x = random_part(seed), y = random_part(seed), z = random_part(seed);

    return turn(180 * random_part(seed), x, y + 0.01, z);
}

typedef struct figures {
    uint32_t pairs, touches, differ;
    double normal, gap, point;
} figures;

static void take_most(double *most, double a)
{
    if (a > *most)
        *most = a;
}

static double apart(const vsp__v3 *a, const vsp__v3 *b)
{
    double sum = 0;

    for (uint32_t k = 0; k < 3; k++) {
        double d = (double)v3_part(a, k) - (double)v3_part(b, k);

        sum += d * d;
    }
    return sqrt(sum);
}

/* Of a face with many corners a contact keeps four, so that the points may be
 * others; the least gap may not. */
static void compare_touches(const vsp__touch *a, const vsp__touch *b,
                            figures *f)
{
    double unit = VSP_FIXED ? ldexp(1, -VSP__UNIT_BITS) : 1;
    double meter = num(r_show(VSP__REAL(1.0))) / (double)VSP__REAL(1.0);
    double least[2] = {1e9, 1e9}, normal;

    f->touches++;
    normal = unit * apart(&a->normal, &b->normal);
    if (normal > 0.001) { /* of two axes that are about equal */
        f->differ++;
        return;
    }
    for (uint32_t i = 0; i < a->count; i++)
        least[0] = fmin(least[0], meter * (double)a->points[i].gap);
    for (uint32_t i = 0; i < b->count; i++)
        least[1] = fmin(least[1], meter * (double)b->points[i].gap);
    take_most(&f->normal, normal);
    take_most(&f->gap, fabs(least[0] - least[1]));
    for (uint32_t i = 0; i < a->count && a->count == b->count; i++)
        if (a->points[i].feature == b->points[i].feature)
            for (int side = 0; side < 2; side++)
                take_most(&f->point, meter * apart(&a->points[i].on[side],
                                                   &b->points[i].on[side]));
}

static void compare_pair(const vsp_shape_def both[2],
                         const vsp_shape_def *other, uint32_t *seed, figures *f)
{
    vsp__num envelope = VSP__REAL(0.02);
    double reach = 0.5 + 0.5 * random_part(seed);
    vsp_transform at[2];
    vsp__placed_shape placed[2][2];
    vsp__shape shape[2][2];
    vsp__pose pose[2];
    vsp__touch t[2];
    bool is_near[2], is_plane = other->type == VSP_SHAPE_HALF_SPACE;

    for (int k = 0; k < 2; k++) {
        at[k].position = real3(k * random_part(seed) * reach,
                               k * random_part(seed) * reach,
                               k * random_part(seed) * reach);
        at[k].rotation = random_turn(seed);
    }
    if (!vsp__read_shape(world, other, &shape[0][0]))
        return; /* not in this build */
    f->pairs++;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            vsp__frame frame;

            CHECK(vsp__read_shape(world, k == 1 ? &both[i] : other,
                                  &shape[i][k]));
            CHECK(vsp__read_pose(&at[k], &frame));
            pose[k].position = frame.position;
            vsp__q_axes_flushed(&frame.rotation, &pose[k].axes);
            placed[i][k].shape = &shape[i][k];
            placed[i][k].pose = &pose[k];
        }
    world->params.envelope = envelope;
    for (int i = 0; i < 2; i++)
        VSP__SET_WORK(&t[i], VSP__ALL_WORK);
    for (int i = 0; i < 2; i++)
        is_near[i] = vsp__touch_solids(world, &placed[i][0], &placed[i][1],
                                       &t[i]);
    f->differ += is_near[0] != is_near[1];
    if (is_near[0] && is_near[1])
        compare_touches(&t[0], &t[1], f);
    for (int i = 0; i < 2 && !is_plane; i++)
        is_near[i] = vsp__touch_solids(world, &placed[i][1], &placed[i][0],
                                       &t[i]);
    if (!is_plane && is_near[0] && is_near[1])
        compare_touches(&t[0], &t[1], f);
}

/* The same contacts as those of a table made at that size. */
static void touches_are_those_of_a_size(void)
{
    figures f;
    uint32_t seed = 1;

    memset(&f, 0, sizeof f);
    for (size_t h = 0; h < HULLS; h++)
        for (size_t s = 0; s < SCALES; s++) {
            vsp_shape_def both[2], third;

            world = new_world();
            if (!make_both(h, s, both))
                return;
            third = shape_of(&hull_box, NULL);
            for (int i = 0; i < tries_of(40) * OTHERS; i++) {
                vsp_shape_def other = other_shape((uint32_t)i % OTHERS,
                                                  third.table);

                compare_pair(both, &other, &seed, &f);
            }
        }
    if (shows())
        printf("%u pairs, %u touches, %u differ: normal %.2g, gap %.2g, point "
               "%.2g\n",
               f.pairs, f.touches, f.differ, f.normal, f.gap, f.point);
    CHECK_AT_LEAST(f.pairs / 5, f.touches);
    CHECK_AT_MOST(f.touches / 100, f.differ);
    CHECK_AT_MOST(1e-4, f.gap);
}

/* ---- Queries ------------------------------------------------------------- */

#if VSP_QUERIES

static void compare_hits(const vsp_hit *a, const vsp_hit *b)
{
    CHECK_UINT(b->body.bits != 0, a->body.bits != 0);
    CHECK_NEAR(num(b->fraction), num(a->fraction), 2e-5);
    CHECK_NEAR(num(b->distance), num(a->distance), 2e-5);
    if (b->body.bits == 0)
        return;
    CHECK_NEAR(num(b->point.x), num(a->point.x), 5e-4);
    CHECK_NEAR(num(b->point.y), num(a->point.y), 5e-4);
    CHECK_NEAR(num(b->point.z), num(a->point.z), 5e-4);
}

/* Moves an unscaled and a scaled hull. */
static void cast_both(const vsp_shape_def both[2], vsp_vec3 from, vsp_vec3 way,
                      vsp_hit hit[2])
{
    vsp_query query = vsp_query_default();
    vsp_transform pose;

    pose.position = from;
    pose.rotation = turn(50, 1, 1, 0);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &both[i], pose, way, &query,
                                            &hit[i]));
}

static void query_both(const vsp_shape_def both[2], uint32_t *seed)
{
    vsp_query query = vsp_query_default();
    vsp_body_id id[2];
    vsp_hit hit[2];
    double size = 0.1 + random_below(seed, 50) / 10.0;

    for (int i = 0; i < 2; i++)
        id[i] = add_turned(world, VSP_STATIC, both[i], 0, 0, 0,
                           turn(30, 1, -2, 1));
    for (int k = 0; k < 20; k++) {
        double x = size * random_part(seed), y = size * random_part(seed);
        double z = size * random_part(seed);
        vsp_vec3 from = real3(2 * x, 2 * y, 12 * (k % 2) - 6);
        vsp_vec3 way = real3(-2 * x, -1.5 * y, 12 - 24 * (k % 2));

        for (int i = 0; i < 2; i++) {
            query.except = id[1 - i];
            CHECK_STATUS(VSP_OK,
                         vsp_ray_cast(world, from, way, &query, &hit[i]));
        }
        compare_hits(&hit[0], &hit[1]);
        for (int i = 0; i < 2; i++) {
            query.except = id[1 - i];
            CHECK_STATUS(VSP_OK,
                         vsp_closest_point(world, real3(x, y, z), VSP_R(50.0),
                                           &query, &hit[i]));
        }
        compare_hits(&hit[0], &hit[1]);
        cast_both(both, from, way, hit);
        CHECK_NEAR(num(hit[1].fraction), num(hit[0].fraction), 2e-5);
    }
}

static void compare_queries(const vsp_shape_def both[2])
{
    uint32_t seed = both[0].table;

    query_both(both, &seed);
}

static void queries_find_scaled_hulls(void)
{
    each_hull(compare_queries);
}

#endif


/* ---- Steps --------------------------------------------------------------- */

#define GROUNDS 6

/* Adds a ground of each sort of shape. */
static void add_kind_of_ground(uint32_t i)
{
    static const void *const tables[GROUNDS] = {
        NULL,
        NULL,
        VSP_MESHES ? &mesh_plane : NULL,
        VSP_HEIGHT_FIELDS ? &field_hills : NULL,
        VSP_SDFS ? &sdf_letters : NULL,
        VSP_SHELLS ? &shell_plate : NULL};
    static const vsp_shape_type types[GROUNDS] = {
        VSP_SHAPE_HALF_SPACE,   VSP_SHAPE_BOX, VSP_SHAPE_MESH,
        VSP_SHAPE_HEIGHT_FIELD, VSP_SHAPE_SDF, VSP_SHAPE_SHELL};
    vsp_shape_def shape = vsp_box(VSP_R(5.0), VSP_R(0.5), VSP_R(5.0));
    uint32_t table;

    if (tables[i]) {
        CHECK_STATUS(VSP_OK,
                     vsp_world_add_table(world, tables[i], &table, NULL));
        shape = vsp_table_shape(types[i], table);
    } else if (i == 0) {
        shape = vsp_half_space();
    }
    add_body(world, VSP_STATIC, shape, 0, 0, 0);
}

/* Drops a scaled hull in one world and the table of that size in another. */
static void drop_both(size_t h, size_t s, uint32_t ground)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *worlds[2];
    double near = is_long() ? 0.05 : 0.003; /* of more pairs some diverge */
    vsp_body_id id[2];
    uint32_t contacts = 0;

    for (int i = 0; i < 2; i++) {
        vsp_shape_def both[2];
        vsp_body_def body;

        worlds[i] = world = i == 0 ? new_world() : new_world_at(&def, 1, 0);
        if (!make_both(h, s, both))
            return;
        add_kind_of_ground(ground);
        body = body_def(VSP_DYNAMIC, both[i], 0.1, 5.5, 0.2);
        body.pose.rotation = turn(20, 1, 0.5, -0.3);
        body.velocity = real3(0.2, -12, 0.1);
        body.is_bullet = ground < 3; /* on hills it may graze one, or not */
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &body, &id[i]));
    }
    for (int k = 0; k < 40; k++) {
        vsp_transform at[2];

        for (int i = 0; i < 2; i++) {
            step_world(worlds[i], 1);
            at[i] = vsp_body_transform(worlds[i], id[i]);
        }
        contacts += vsp_world_stats(worlds[0]).contact_count;
        test_note("hull %d, scale %d, ground %u, step %d", (int)h, (int)s,
                  ground, k);
        CHECK_NEAR(num(at[1].position.x), num(at[0].position.x), near);
        CHECK_NEAR(num(at[1].position.y), num(at[0].position.y), near);
        if (!CHECK_NEAR(num(at[1].position.z), num(at[0].position.z), near))
            return;
    }
    if (shows() && contacts == 0)
        printf("hull %d, scale %d, ground %u: no contacts\n", (int)h, (int)s,
               ground);
    CHECK(contacts > 0 || ground == 5);
}

static void bodies_move_as_those_of_a_size(void)
{
    for (uint32_t i = 0; i < HULLS * SCALES; i += is_long() ? 1 : 3)
        drop_both(i % HULLS, i / HULLS, (uint32_t)i % GROUNDS);
}

static void check_state(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    world = new_world_of(&def);
    add_kind_of_ground(1);
    for (size_t i = 0; i < HULLS; i++)
        add_body(world, VSP_DYNAMIC, shape_of(hulls[i], scales[6 - i]), 0,
                 2.0 + 2.5 * (double)i, 0);
    step_world(world, 40);
    CHECK_AT_LEAST(2, vsp_world_stats(world).contact_count);
    (void)check_replays(world, 20);
}

static void restored_hulls_keep_their_scale(void)
{
    each_stepper(check_state);
}

#if VSP_MAX_RUNTIME_HULLS > 0

/* A runtime hull has a scale, too: a box of 1 x 1 x 1 m that is 0.5 m high
 * rests with its centre at 0.25 m. */
static void runtime_hulls_are_scaled(void)
{
    vsp_vec3 points[8];
    vsp_shape_def def;
    vsp_body_id id;
    uint32_t table;

    world = new_world();
    for (int i = 0; i < 8; i++)
        points[i] = real3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5,
                          i & 4 ? 0.5 : -0.5);
    CHECK_STATUS(VSP_OK, vsp_hull_create(world, points, 8, &table));
    def = vsp_table_shape(VSP_SHAPE_HULL, table);
    def.size = real3(-2, 0.5, 1);
    add_body(world, VSP_STATIC, vsp_half_space(), 0, 0, 0);
    id = add_body(world, VSP_DYNAMIC, def, 0, 0.3, 0);
    CHECK_NEAR(1000, num(vsp_body_mass(world, id)), 0.01);
    step_world(world, 60);
    CHECK_NEAR(0.25, num(vsp_body_transform(world, id).position.y), 5e-4);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_hull_destroy(world, table));
    (void)check_replays(world, 5);
}

#endif


/* ---- Errors, drawing ----------------------------------------------------- */

static void refuse_scale(vsp_shape_def def, double x, double y, double z)
{
    vsp_body_def body;

    def.size = real3(x, y, z);
    body = body_def(VSP_STATIC, def, 0, 0, 0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &body, NULL));
}

/* A tetrahedron of some mm, which a scale makes too thin or too small. */
static bool make_small_hull(hull_storage *out)
{
    vec3 points[4] = {{0, 0, 0}, {0.05, 0, 0}, {0, 0.003, 0}, {0, 0, 0.05}};

    return CHECK(hull_build(out, points, 4, 0) == NULL);
}

static void bad_scales_are_refused(void)
{
    static hull_storage room;
    vsp_shape_def def, small;
    vsp_body_def body;

    world = new_world();
    if (!make_small_hull(&room))
        return;
    def = shape_of(&hull_prism, NULL);
    small = shape_of(&room.hull, NULL);
    refuse_scale(def, 0, 1, 1);
    refuse_scale(def, 1, 1, 0);
    refuse_scale(def, 1, 0.0624, 1);
    refuse_scale(def, 1, 1, -16.001);
    refuse_scale(small, 1, 0.07, 1);       /* 0.21 mm thin */
    refuse_scale(small, 0.07, 0.5, -0.07); /* 3.5 mm long */
    small.size = real3(-1, 0.5, 1);
    body = body_def(VSP_DYNAMIC, small, 0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &body, NULL));
    def.size = real3(16, -16, 16);
    body = body_def(VSP_DYNAMIC, def, 0, 30, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &body, NULL));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

#if VSP_DRAW

/* All triangles show their fronts to the outside: the solid that they enclose
 * has the volume of the hull. */
static void check_drawing(const vsp_shape_def both[2])
{
    static drawn_points seen;
    double volume = 0;
    vsp_body_id id;

    world->params.gravity = v3_zero();
    id = add_body(world, VSP_DYNAMIC, both[0], 0, 0, 0);
    draw_shapes(world, &seen);
    for (uint32_t i = 0; i < seen.count; i += 3) {
        const vsp_vec3 *p = seen.points + i;
        double a[3][3];

        for (int k = 0; k < 3; k++) {
            a[k][0] = num(p[k].x);
            a[k][1] = num(p[k].y);
            a[k][2] = num(p[k].z);
        }
        volume += a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                  a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                  a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    }
    volume *= 1000.0 / 6;
    CHECK_NEAR(num(vsp_body_mass(world, id)), volume, 1e-3 * volume);
}

static void scaled_hulls_are_drawn(void)
{
    each_hull(check_drawing);
}

#endif

static const test tests[] = {
    TEST(masses_are_scaled),
    TEST(needles_keep_their_inertia),
#if VSP_EDITS
    TEST(bounds_are_scaled),
#endif
    TEST(touches_are_those_of_a_size),
#if VSP_QUERIES
    TEST(queries_find_scaled_hulls),
#endif
    TEST(bodies_move_as_those_of_a_size),
    TEST(restored_hulls_keep_their_scale),
#if VSP_MAX_RUNTIME_HULLS > 0
    TEST(runtime_hulls_are_scaled),
#endif
    TEST(bad_scales_are_refused),
#if VSP_DRAW
    TEST(scaled_hulls_are_drawn),
#endif
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif /* VSP_SCALES && VSP_HULLS */

const test_suite hull_scale_suite = {"hull_scale", tests};
