/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hulls made at run time: their form and mass against the host tool's, points
 * without a hull, ids; bodies of them against bodies of an equal table; the
 * state in snapshots, replays, differences, rollback. */

#include "fixture.h"
#include "port/geometry/hull.h"
#include "port/geometry/mass_properties.h"
#include "src/record/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if VSP_MAX_RUNTIME_HULLS > 0

static vsp_world *world;
static uint32_t dice;

static double some(double low, double high)
{
    dice = dice * 1664525u + 1013904223u;
    return low + (high - low) * (dice >> 8) / 16777216.0;
}

static vec3 meters_of(vsp_place p)
{
    return vec_make(p.x / (double)VSP_PLACE, p.y / (double)VSP_PLACE,
                    p.z / (double)VSP_PLACE);
}

static vsp_status make_hull(const vec3 *points, uint32_t count, uint32_t *table)
{
    vsp_vec3 real_points[VSP_MAX_HULL_POINTS + 1];

    for (uint32_t i = 0; i < count; i++)
        real_points[i] = real3(points[i].x, points[i].y, points[i].z);
    return vsp_hull_create(world, real_points, count, table);
}


/* ---- Form and mass ------------------------------------------------------- */

enum { BALL, BLOCK, SPHERE, PRISM, NEAR, FORMS };

/* Fills points of a form of about this size. */
static uint32_t strew_points(int form, double size, vec3 *points)
{
    uint32_t count = 4 + (uint32_t)some(0, 12.99);
    vec3 stretch = vec_make(some(0.1, 1), some(0.3, 1), 1);

    for (uint32_t i = 0; i < count; i++) {
        vec3 p = vec_make(some(-1, 1), some(-1, 1), some(-1, 1));

        if (form == SPHERE)
            p = vec_unit(p);
        if (form == PRISM) {
            double angle = 6.2831853 * (i / 2) / ((count + 1) / 2);

            p = vec_make(cos(angle), i % 2 ? 0.5 : -0.5, sin(angle));
        }
        if (form == BALL && vec_length(p) > 1)
            p = vec_scale(p, 0.5);
        if (form == NEAR && i > 4) /* near another one */
            p = vec_add(vec_scale(points[i - 5], 1 / size),
                        vec_scale(p, 1e-5 * (double)(i % 3)));
        if (form != NEAR)
            p = vec_make(p.x * stretch.x, p.y * stretch.y, p.z * stretch.z);
        points[i] = vec_scale(p, size);
    }
    return count;
}

/* Whether no point is outside of a hull by more than a part of its size. */
static void check_cover(const vsp_hull *hull, const vec3 *points,
                        uint32_t count, double most)
{
    for (int f = 0; f < hull->face_count; f++) {
        const vsp_plane *plane = hull->planes + f;
        vec3 n = vec_scale(vec_make(plane->x, plane->y, plane->z),
                           1.0 / VSP_DIRECTION);

        for (uint32_t i = 0; i < count; i++)
            CHECK_AT_MOST(most, vec_dot(n, points[i]) -
                                    plane->offset / (double)VSP_PLACE);
    }
}

/* Compares volume, centre and inertia with those of a polyhedron. */
static void check_bulk(const vsp_hull *a, const vsp_hull *b, double size,
                       double part)
{
    double volume = float_number(b->bulk.volume), trace = 0;
    vec3 centers = vec_sub(meters_of(a->bulk.center),
                           meters_of(b->bulk.center));

    CHECK_NEAR(volume, float_number(a->bulk.volume), part * volume);
    CHECK_AT_MOST(part * size + 2e-6, vec_length(centers));
    for (int k = 0; k < 3; k++)
        trace += float_number(b->bulk.inertia[k]);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(float_number(b->bulk.inertia[k]),
                   float_number(a->bulk.inertia[k]), part * trace);
}

/* Its own vertices and faces, in double precision. */
static void check_own_bulk(const vsp_hull *hull, double size)
{
    vec3 points[VSP_MAX_HULL_POINTS];
    uint32_t triangles[64][3];
    size_t count = 0;
    vsp_hull exact = *hull;

    for (int i = 0; i < hull->vertex_count; i++)
        points[i] = meters_of(hull->vertices[i]);
    for (int i = 0; i < hull->face_count; i++)
        for (int k = hull->first[i] + 2; k < hull->first[i + 1]; k++) {
            triangles[count][0] = hull->corners[hull->first[i]];
            triangles[count][1] = hull->corners[k - 1];
            triangles[count++][2] = hull->corners[k];
        }
    if (CHECK(find_bulk(&exact.bulk, points, triangles, count)))
        check_bulk(hull, &exact, size, 2e-5);
}

static uint32_t refused_by_one, made;

/* Makes a hull here and by the host tool, which has the same slack. */
static void check_points(int form, double size)
{
    static hull_storage tool;
    vec3 points[VSP_MAX_HULL_POINTS];
    uint32_t count = strew_points(form, size, points), table;
    const char *error = hull_build(&tool, points, count, 0);
    vsp_status status = make_hull(points, count, &table);
    vsp_hull hull;

    if ((status == VSP_OK) != (error == NULL)) {
        refused_by_one++;
        if (shows() && status != VSP_OK)
            printf("form %d size %g: %d, %s\n", form, size, (int)status,
                   error ? error : "made");
    }
    if (status != VSP_OK) {
        CHECK_STATUS(VSP_ERR_DATA, status);
        CHECK_UINT(0, table);
        return;
    }
    made++;
    CHECK_STATUS(VSP_OK, vsp_hull_get(world, table, &hull));
    check_cover(&hull, points, count, 2e-4 * size + 1e-5);
    check_own_bulk(&hull, 2 * size);
    if (!error)
        check_bulk(&hull, &tool.hull, 2 * size, 1.5e-3);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_hull_destroy(world, table));
}

static void hulls_are_those_of_the_tool(void)
{
    static const double sizes[] = {0.004, 0.03, 0.5, 1, 7, 50, 99};
    uint32_t tries = 0;

    world = new_world();
    refused_by_one = made = 0;
    for (int form = 0; form < FORMS; form++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (uint32_t seed = 1; seed <= (is_long() ? 3000u : 60u);
                 seed++, tries++) {
                dice = seed * 77u + (uint32_t)form * 1009u + (uint32_t)s;
                test_note("form %d, size %g, seed %u", form, sizes[s],
                          (unsigned)seed);
                check_points(form, sizes[s]);
            }
    if (shows())
        printf("%u of %u made; refused by one alone: %u\n", (unsigned)made,
               (unsigned)tries, (unsigned)refused_by_one);
    CHECK_AT_LEAST(0.8 * tries, made);
    CHECK_AT_MOST(0.01 * tries, refused_by_one);
}

/* Fills the corners of a turned box, of half extents x, y, z. */
static void box_corners(vec3 half, int turns, vec3 corner[8])
{
    double a = turns * 0.3, b = turns * 0.7;

    for (int i = 0; i < 8; i++) {
        vec3 p = vec_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                          i & 4 ? half.z : -half.z);
        vec3 q = vec_make(cos(a) * p.x - sin(a) * p.y,
                          sin(a) * p.x + cos(a) * p.y, p.z);

        corner[i] = vec_make(q.x, cos(b) * q.y - sin(b) * q.z,
                             sin(b) * q.y + cos(b) * q.z);
    }
}

/* Also when rounding has moved the corners out of the planes. */
static void boxes_have_six_faces(void)
{
    world = new_world();
    for (int turns = 0; turns < 20; turns++) {
        vec3 half = vec_make(0.1 + 0.05 * turns, 0.3, 0.7), corner[8];
        double volume = 8 * half.x * half.y * half.z;
        uint32_t table;
        vsp_hull hull;

        box_corners(half, turns, corner);
        CHECK_STATUS(VSP_OK, make_hull(corner, 8, &table));
        CHECK_STATUS(VSP_OK, vsp_hull_get(world, table, &hull));
        CHECK_UINT(8, hull.vertex_count);
        CHECK_UINT(6, hull.face_count);
        CHECK_UINT(12, hull.edge_count);
        CHECK_UINT(24, hull.corner_count);
        CHECK_NEAR(volume, float_number(hull.bulk.volume), 2e-5 * volume);
        if (turns == 0)
            CHECK_NEAR((0.3 * 0.3 + 0.7 * 0.7) / 3,
                       float_number(hull.bulk.inertia[0]), 1e-5);
        CHECK_STATUS(VSP_OK, vsp_hull_destroy(world, table));
    }
}


/* ---- Errors and numbers -------------------------------------------------- */

static void refuse_points(vsp_status expected, const vec3 *points,
                          uint32_t count)
{
    uint32_t table = 7;

    CHECK_REFUSED(expected, make_hull(points, count, &table));
    CHECK_UINT(0, table);
}

static void points_without_a_hull_are_refused(void)
{
    vec3 corner[8], bad[VSP_MAX_HULL_POINTS + 1] = {{0, 0, 0}};
    vsp_vec3 wild[4];
    uint32_t table;

    world = new_world();
    box_corners(vec_make(1, 1, 1), 0, corner);
    refuse_points(VSP_ERR_ARG, corner, 3);
    refuse_points(VSP_ERR_ARG, bad, VSP_MAX_HULL_POINTS + 1);
    refuse_points(VSP_ERR_DATA, bad, VSP_MAX_HULL_POINTS); /* all equal */
    refuse_points(VSP_ERR_DATA, corner, 4);                /* a square */
    for (int i = 0; i < 16; i++)
        bad[i] = vec_make(0.1 * i, 0.2 * i, -0.1 * i); /* a line */
    refuse_points(VSP_ERR_DATA, bad, 16);
    for (int i = 0; i < 16; i++) /* thinner than 1 mm */
        bad[i] = vec_make(cos(i), 0.0004 * (i % 2), sin(i));
    refuse_points(VSP_ERR_DATA, bad, 16);
    for (int i = 0; i < 8; i++)
        bad[i] = vec_scale(corner[i], 0.0024); /* smaller than 5 mm */
    refuse_points(VSP_ERR_DATA, bad, 8);
    bad[0] = corner[0];
    bad[1] = corner[1];
    bad[2] = corner[2];
    bad[3] = corner[1]; /* a duplicate */
    refuse_points(VSP_ERR_DATA, bad, 4);
    bad[3] = vec_make(0, 0, 100.001);
    refuse_points(VSP_ERR_ARG, bad, 4);
    for (int i = 0; i < 4; i++)
        wild[i] = real3(i == 1, i == 2, i == 3);
    wild[3].z = bad_real(0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_hull_create(world, wild, 4, &table));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_hull_create(world, NULL, 4, &table));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_hull_create(world, wild, 4, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_hull_create(NULL, wild, 4, &table));
}

/* Duplicates and points inside do not matter. */
static void other_points_are_left_out(void)
{
    vec3 corner[16];
    uint32_t table;
    vsp_hull hull;

    world = new_world();
    box_corners(vec_make(1, 0.5, 0.25), 3, corner);
    for (int i = 8; i < 16; i++)
        corner[i] = i < 12 ? corner[i - 8] : vec_scale(corner[i - 8], 0.5);
    CHECK_STATUS(VSP_OK, make_hull(corner, 16, &table));
    CHECK_STATUS(VSP_OK, vsp_hull_get(world, table, &hull));
    CHECK_UINT(8, hull.vertex_count);
    CHECK_UINT(6, hull.face_count);
}

static vsp_body_def rock_def(uint32_t table, double x, double y, double z)
{
    return body_def(VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, table), x, y,
                    z);
}

static void numbers_are_of_one_use(void)
{
    vec3 corner[8];
    uint32_t table, other;
    vsp_body_def def;
    vsp_shape_def got;
    vsp_body_id body;
    vsp_hull hull;

    world = new_world();
    box_corners(vec_make(0.5, 0.5, 0.5), 0, corner);
    CHECK_STATUS(VSP_OK, make_hull(corner, 8, &table));
    CHECK_UINT(table, vsp_hull_at(world, 0));
    CHECK_UINT(0, vsp_hull_at(world, 1));
    CHECK_UINT(0, vsp_hull_at(world, VSP_MAX_RUNTIME_HULLS));
    CHECK_UINT(0, vsp_hull_at(NULL, 0));
    def = rock_def(table, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &body));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, vsp_shape_at(world, 0), &got));
    CHECK_UINT(table, got.table);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_hull_destroy(world, table)); /* in use */
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, body));
    CHECK_STATUS(VSP_OK, vsp_hull_destroy(world, table));
    CHECK_UINT(0, vsp_hull_at(world, 0));
    CHECK_REFUSED(VSP_ERR_ID, vsp_hull_destroy(world, table));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &body));
    CHECK_STATUS(VSP_OK, make_hull(corner, 8, &other));
    CHECK(other != table && (other & 0xffffu) == (table & 0xffffu));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &body));
    CHECK_REFUSED(VSP_ERR_ID, vsp_hull_destroy(world, table));
    CHECK_REFUSED(VSP_ERR_ID, vsp_hull_destroy(world, 0));
    CHECK_REFUSED(VSP_ERR_ID, vsp_hull_destroy(world, 1));
    CHECK_REFUSED(VSP_ERR_ID, vsp_hull_destroy(world, 0xffffffffu));
    CHECK_STATUS(VSP_ERR_ARG, vsp_hull_destroy(NULL, other));
    CHECK_STATUS(VSP_ERR_ID, vsp_hull_get(world, table, &hull));
    CHECK_STATUS(VSP_ERR_ARG, vsp_hull_get(world, other, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_hull_get(NULL, other, &hull));
    def = body_def(VSP_STATIC, vsp_table_shape(VSP_SHAPE_MESH, other), 0, 0, 0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &body));
    def = rock_def(other & 0xffffu, 0, 1, 0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_create(world, &def, &body));
    for (uint32_t i = 1; i < VSP_MAX_RUNTIME_HULLS; i++)
        CHECK_STATUS(VSP_OK, make_hull(corner, 8, &other));
    refuse_points(VSP_ERR_FULL, corner, 8);
}


/* ---- Worlds -------------------------------------------------------------- */

#define ROCKS 3

/* A copy of a runtime hull as a table. */
typedef struct hull_copy {
    vsp_hull hull;
    vsp_place vertices[VSP_MAX_HULL_POINTS];
    vsp_plane planes[32];
    uint16_t first[33];
    uint8_t corners[96];
    vsp_hull_edge edges[48];
} hull_copy;

static void copy_hull(hull_copy *to, uint32_t table)
{
    CHECK_STATUS(VSP_OK, vsp_hull_get(world, table, &to->hull));
    memcpy(to->vertices, to->hull.vertices, sizeof to->vertices);
    memcpy(to->planes, to->hull.planes,
           to->hull.face_count * sizeof *to->planes);
    memcpy(to->first, to->hull.first,
           (to->hull.face_count + 1u) * sizeof *to->first);
    memcpy(to->corners, to->hull.corners, to->hull.corner_count);
    memcpy(to->edges, to->hull.edges, to->hull.edge_count * sizeof *to->edges);
    to->hull.vertices = to->vertices;
    to->hull.planes = to->planes;
    to->hull.first = to->first;
    to->hull.corners = to->corners;
    to->hull.edges = to->edges;
}

static vsp_world_def rocks_def(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    return def;
}

static void make_rocks(uint32_t table[ROCKS])
{
    vec3 points[VSP_MAX_HULL_POINTS];

    dice = 5;
    for (int i = 0; i < ROCKS; i++) {
        uint32_t count = strew_points(SPHERE, 0.4, points);

        CHECK_STATUS(VSP_OK, make_hull(points, count, &table[i]));
    }
}

/* Ground, a wedge, a few rocks, balls, boxes and a bullet. */
static void fill_world(const uint32_t table[ROCKS])
{
    vsp_body_def def;

    add_ground(world);
    def = rock_def(table[0], -1.2, 0.1, 0);
    def.type = VSP_STATIC;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    for (int i = 0; i < 6; i++) {
        def = rock_def(table[i % ROCKS], 0.15 * i - 0.4, 0.6 + 0.8 * i,
                       0.1 * (i % 2));
        def.spin = real3(0.5 * i, 1, -0.3 * i);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    }
    add_cube(world, 0.3, 7, 0);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), -0.3, 8, 0);
    def = rock_def(table[1], 6, 1, 0);
    def.velocity = real3(-60, 0, 0);
    def.is_bullet = true;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
}

static void build_rocks(vsp_stepper stepper)
{
    vsp_world_def def = rocks_def(stepper);
    uint32_t table[ROCKS];

    world = new_world_of(&def);
    make_rocks(table);
    fill_world(table);
}

/* A body of a runtime hull moves as that of an equal table, to the bit. */
static void check_equal_tables(vsp_stepper stepper)
{
    static hull_copy copies[ROCKS];
    vsp_world_def def = rocks_def(stepper);
    vsp_world *one, *two;
    uint32_t table[ROCKS];

    build_rocks(stepper);
    one = world;
    for (uint32_t i = 0; i < ROCKS; i++)
        copy_hull(&copies[i], vsp_hull_at(world, i));
    two = world = new_world_at(&def, 1, 0);
    for (uint32_t i = 0; i < ROCKS; i++)
        CHECK_STATUS(
            VSP_OK, vsp_world_add_table(two, &copies[i].hull, &table[i], NULL));
    fill_world(table);
    for (int step = 0; step < 150; step++) {
        step_world(one, 1);
        step_world(two, 1);
        for (uint32_t i = 0; i < 10; i++) {
            vsp_transform a = vsp_body_transform(one, vsp_body_at(one, i));
            vsp_transform b = vsp_body_transform(two, vsp_body_at(two, i));

            if (!CHECK(memcmp(&a, &b, sizeof a) == 0))
                return;
        }
    }
    for (uint32_t i = 2; i < 8; i++)
        CHECK_AT_LEAST(
            -0.4, num(vsp_body_transform(one, vsp_body_at(one, i)).position.y));
}

static void rocks_move_as_those_of_tables(void)
{
    each_stepper(check_equal_tables);
}

#if VSP_QUERIES

static void queries_meet_rocks(void)
{
    vsp_query all = vsp_query_default();
    vec3 corner[8];
    uint32_t table;
    vsp_hit hit;

    world = new_world();
    box_corners(vec_make(0.5, 0.25, 0.75), 0, corner);
    CHECK_STATUS(VSP_OK, make_hull(corner, 8, &table));
    add_body(world, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, table), 0, 2,
             0);
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0.1, 5, 0.1),
                                      real3(0, -10, 0), &all, &hit));
    CHECK_NEAR(2.25, num(hit.point.y), 1e-5);
    CHECK_NEAR(1, num(hit.normal.y), 1e-5);
    CHECK_NEAR(0.275, num(hit.fraction), 1e-5);
}

static uint32_t asked_table; /* of a query that runs */
static uint32_t found_count;

static vsp_real destroy_hull(void *user, const vsp_hit *hit)
{
    (void)user;
    (void)hit;
    found_count++;
    CHECK_STATUS(VSP_OK, vsp_hull_destroy(world, asked_table));
    return VSP_R(1.0);
}

/* The hull is free for other points while the query still moves it. */
static void queries_end_without_their_hull(void)
{
    vsp_shape_def shape;
    vsp_transform pose = {0};
    vec3 corner[8];

    world = new_world();
    add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.5)), 0, 0, 0);
    add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.5)), 0.2, 0, 0);
    box_corners(vec_make(0.5, 0.5, 0.5), 0, corner);
    CHECK_STATUS(VSP_OK, make_hull(corner, 8, &asked_table));
    shape = vsp_table_shape(VSP_SHAPE_HULL, asked_table);
    pose.rotation = vsp_quat_identity();
    found_count = 0;
    CHECK_STATUS(VSP_ERR_ARG, vsp_overlap_shape(world, &shape, pose, NULL,
                                                destroy_hull, NULL));
    CHECK_UINT(1, found_count);
}

#endif


/* ---- State --------------------------------------------------------------- */

static void check_state(vsp_stepper stepper)
{
    build_rocks(stepper);
    step_world(world, 40);
    (void)check_replays(world, 20);
}

static void restores_change_nothing(void)
{
    each_stepper(check_state);
}

/* A restore into a world without the hulls, or with others. */
static void restores_make_hulls(void)
{
    vsp_world_def def = rocks_def(VSP_STEPPER_PGS);
    vsp_world *one, *two;
    uint32_t hash, table;
    vec3 corner[8];
    size_t size;

    build_rocks(VSP_STEPPER_PGS);
    one = world;
    CHECK_STATUS(VSP_OK,
                 vsp_hull_destroy(one, vsp_hull_at(one, 2)) == VSP_ERR_ARG
                     ? VSP_OK
                     : VSP_ERR_DATA);
    size = save_world(one, 0);
    hash = vsp_world_hash(one);
    for (int others = 0; others < 2; others++) {
        two = world = new_world_at(&def, 1, 0);
        box_corners(vec_make(0.5, 0.5, 0.5), 0, corner);
        for (int i = 0; i < others * 4; i++)
            CHECK_STATUS(VSP_OK, make_hull(corner, 8, &table));
        CHECK_STATUS(VSP_OK, vsp_world_restore(two, saved(0), size));
        CHECK_HEX(hash, vsp_world_hash(two));
        CHECK_STATUS(VSP_OK, vsp_world_validate(two, NULL));
        CHECK_UINT(0, vsp_hull_at(two, 3));
        for (uint32_t i = 0; i < ROCKS; i++) {
            vsp_hull a, b;

            CHECK_UINT(vsp_hull_at(one, i), vsp_hull_at(two, i));
            vsp_hull_get(one, vsp_hull_at(one, i), &a);
            vsp_hull_get(two, vsp_hull_at(two, i), &b);
            CHECK(memcmp(&a.bulk, &b.bulk, sizeof a.bulk) == 0);
            CHECK_UINT(a.face_count, b.face_count);
            CHECK(memcmp(a.planes, b.planes, a.face_count * sizeof *a.planes) ==
                  0);
            CHECK(memcmp(a.corners, b.corners, a.corner_count) == 0);
        }
    }
    step_world(one, 30);
    step_world(two, 30);
    CHECK_HEX(vsp_world_hash(one), vsp_world_hash(two));
}

/* Nothing in a world is an address in it. */
static void worlds_with_hulls_can_move(void)
{
    vsp_world *moved = (vsp_world *)(void *)arena(1);

    build_rocks(VSP_STEPPER_CARRY);
    step_world(world, 20);
    memcpy(moved, world, VSP_WORLD_BYTES);
    step_world(world, 40);
    CHECK(vsp_world_hash(moved) != vsp_world_hash(world));
    memset(arena(0), 0xdd, VSP_WORLD_BYTES);
    step_world(moved, 40);
    build_rocks(VSP_STEPPER_CARRY);
    step_world(world, 60);
    CHECK_HEX(vsp_world_hash(world), vsp_world_hash(moved));
}

/* A refused restore leaves state and hulls as they are. */
static void check_refusal(vsp_status expected, const unsigned char *bytes,
                          size_t size)
{
    static vsp__hull_pool kept;
    uint32_t hash = vsp_world_hash(world);

    kept = *vsp__hull_pool_of(world);
    CHECK_STATUS(expected, vsp_world_restore(world, bytes, size));
    CHECK_HEX(hash, vsp_world_hash(world));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK(memcmp(&kept, vsp__hull_pool_of(world), sizeof kept) == 0);
}

/* the number of hulls in a snapshot, and the first word of the first one */
#define HULLS_WORD 12u
#define FIRST_HULL (VSP__SNAPSHOT_HEAD_BYTES / 4u)

static void snapshots_with_bad_hulls_are_refused(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    static const struct {
        uint32_t word, value;
        vsp_status status;
    } bad[] = {
        {HULLS_WORD, VSP_MAX_RUNTIME_HULLS + 1u, VSP_ERR_FULL},
        {HULLS_WORD, 0xffffffffu, VSP_ERR_FULL},
        {HULLS_WORD, 0, VSP_ERR_DATA},
        {FIRST_HULL, 1u, VSP_ERR_DATA},             /* free */
        {FIRST_HULL, 17u << 16 | 1u, VSP_ERR_DATA}, /* too many */
        {FIRST_HULL, 3u << 16 | 1u, VSP_ERR_DATA},
        {FIRST_HULL, 4u << 16 | 1u, VSP_ERR_DATA},
        {FIRST_HULL + 1, 0x7fffffffu, VSP_ERR_DATA},
        {FIRST_HULL + 1, 0x80000000u, VSP_ERR_DATA},
        {FIRST_HULL + 1, VSP_PLACE / 2, VSP_ERR_DATA}, /* a duplicate */
    };
    vec3 corner[8];
    uint32_t table;
    size_t size;

    world = new_world();
    for (int i = 0; i < 8; i++)
        corner[i] = vec_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5,
                             i & 4 ? 0.5 : -0.5);
    CHECK_STATUS(VSP_OK, make_hull(corner, 8, &table));
    add_body(world, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, table), 0, 0,
             0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        test_note("row %d", (int)i);
        CHECK_STATUS(VSP_OK,
                     vsp_world_snapshot(world, bytes, sizeof bytes, &size));
        damage_snapshot(bytes, size, (uint32_t)(size / 4u - bad[i].word),
                        bad[i].value);
        check_refusal(bad[i].status, bytes, size);
    }
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    damage_snapshot(bytes, size, (uint32_t)(size / 4u - FIRST_HULL - 1u),
                    0xfff00000u); /* another hull */
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void worlds_with_bad_hulls_are_not_valid(void)
{
    vsp__hull_pool *pool;
    vsp__runtime_hull kept;

    build_rocks(VSP_STEPPER_PGS);
    pool = vsp__hull_pool_of(world);
    kept = pool->hulls[1];
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    pool->hulls[1].planes[0].offset += VSP_PLACE;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    pool->hulls[1] = kept;
    pool->hulls[1].table.bulk.volume = float_bits(9);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    pool->hulls[1] = kept;
    pool->hulls[1].table.vertex_count = 17;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    pool->hulls[1] = kept;
    pool->used = 1;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    pool->used = VSP_MAX_RUNTIME_HULLS + 1;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    pool->used = ROCKS;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

#if VSP_DIFF

static void differences_name_hulls(void)
{
    vsp_world_def def = rocks_def(VSP_STEPPER_PGS);
    vsp_difference d[80];
    vsp_world *one, *two;
    uint32_t count, table;
    vec3 corner[8];

    build_rocks(VSP_STEPPER_PGS);
    one = world;
    two = world = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(two, saved(0), save_world(one, 0)));
    CHECK_STATUS(VSP_OK, vsp_world_diff(one, two, d, 80, &count));
    box_corners(vec_make(0.5, 0.5, 0.5), 0, corner);
    CHECK_STATUS(VSP_OK, make_hull(corner, 8, &table));
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(one, two, d, 80, &count));
    CHECK_UINT(1 + 1 + 1 + 8 * 3, count);
    CHECK(strcmp(d[0].part, "hull") == 0);
    CHECK(strcmp(d[0].field, "generation") == 0);
    CHECK_UINT(ROCKS, d[0].index);
    CHECK(vsp_world_hash(one) != vsp_world_hash(two));
}

#endif

#if VSP_ROLLBACK

#define THROW_STEPS 60u

static vsp_world *build_field(vsp_stepper stepper)
{
    vsp_world_def def = rocks_def(stepper);

    world = new_world_of(&def);
    add_ground(world);
    return world;
}

/* A player throws a new rock, and removes one that is used no more. */
static vsp_status throw_step(void *user, vsp_recorder *r, const vsp_turn *turn)
{
    (void)user;
    for (uint32_t p = 0; p < 2; p++) {
        vsp_vec3 points[VSP_MAX_HULL_POINTS];
        uint32_t table, count = 6u + turn->inputs[p];
        vsp_body_def def;

        if (turn->inputs[p] == 0)
            continue;
        dice = turn->step;
        for (uint32_t i = 0; i < count; i++)
            points[i] = real3(some(-0.4, 0.4), some(-0.4, 0.4),
                              some(-0.4, 0.4));
        if (vsp_record_hull_create(r, points, count, &table) < 0)
            continue;
        if (turn->step % 2 == 0) {
            CHECK_STATUS(VSP_OK, vsp_record_hull_destroy(r, table));
            continue;
        }
        def = rock_def(table, 0.3 * p, 1 + 0.05 * turn->step, 0);
        (void)vsp_record_body_create(r, &def, NULL);
    }
    return vsp_record_step(r);
}

static unsigned char throw_input(uint32_t player, uint32_t step)
{
    return step % 11 == 4 + 3 * player ? (unsigned char)(1u + step % 9u) : 0;
}

static void rollback_is_exact(void)
{
    static const late_match match = {build_field, throw_step, throw_input,
                                     THROW_STEPS};

    check_late_matches(&match);
}

#endif


/* ---- Forms that are awkward ---------------------------------------------- */

/* A plate that lies at 45 degrees in its own frame has a large box there, but
 * must not pass a thin wall either. */
static void thin_hulls_pass_no_wall(void)
{
    for (int speed = 2; speed <= 20; speed++) {
        double half = 0.5, thin = 0.005, c = sqrt(0.5);
        vec3 points[8];
        vsp_body_def def = vsp_body_def_default();
        vsp_body_id plate = {0};
        uint32_t table = 0;

        test_note("%d m/s", speed);
        world = new_world();
        add_body(world, VSP_STATIC,
                 vsp_box(VSP_R(2.0), VSP_R(0.005), VSP_R(2.0)), 0, 0, 0);
        for (int i = 0; i < 8; i++) {
            double x = i & 1 ? half : -half, y = i & 2 ? thin : -thin;

            points[i] = vec_make(c * (x - y), c * (x + y),
                                 i & 4 ? half : -half);
        }
        CHECK_STATUS(VSP_OK, make_hull(points, 8, &table));
        def.type = VSP_DYNAMIC;
        def.shape = vsp_table_shape(VSP_SHAPE_HULL, table);
        def.pose.position = real3(0, 0.5 + 0.013 * speed, 0);
        def.pose.rotation = turn(-45, 0, 0, 1);
        def.velocity = real3(0, -speed, 0);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &plate));
        step_world(world, 60);
        CHECK_AT_LEAST(0, num(vsp_body_center(world, plate).y));
    }
}

static const test tests[] = {
    TEST(thin_hulls_pass_no_wall),
    TEST(hulls_are_those_of_the_tool),
    TEST(boxes_have_six_faces),
    TEST(points_without_a_hull_are_refused),
    TEST(other_points_are_left_out),
    TEST(numbers_are_of_one_use),
    TEST(rocks_move_as_those_of_tables),
#if VSP_QUERIES
    TEST(queries_meet_rocks),
    TEST(queries_end_without_their_hull),
#endif
    TEST(restores_change_nothing),
    TEST(restores_make_hulls),
    TEST(worlds_with_hulls_can_move),
    TEST(snapshots_with_bad_hulls_are_refused),
    TEST(worlds_with_bad_hulls_are_not_valid),
#if VSP_DIFF
    TEST(differences_name_hulls),
#endif
#if VSP_ROLLBACK
    TEST(rollback_is_exact),
#endif
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif /* VSP_MAX_RUNTIME_HULLS */

const test_suite runtime_hull_suite = {"runtime_hull", tests};
