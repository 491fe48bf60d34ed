/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The tables that the host tool makes: hulls, their mass, meshes, shells,
 * fields, the files that it reads; and the tables in port/scenes/tables, which
 * must equal the tool's output.  Conditions on tables are checked in
 * integers. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "port/geometry/exact_points.h"
#include "port/geometry/mass_properties.h"
#include "port/geometry/obj.h"
#include "port/geometry/standard_shapes.h"
#include "port/scenes/tables.h"
#include "src/record/record.h"

#define MAX_POINTS 4000

static hull_storage hull;
static vec3 cloud[MAX_POINTS];
static size_t cloud_size;
static uint32_t seed;

/* random, from low to high */
static double any(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (seed >> 8) / 16777216.0;
}

static void add_point(double x, double y, double z)
{
    cloud[cloud_size++] = vec_make(x, y, z);
}

/* Rotates the cloud about an axis that is no symmetry axis, and moves it. */
static void turn_cloud(double angle, vec3 move)
{
    vec3 axis = vec_unit(vec_make(1, 2, 3));

    for (size_t i = 0; i < cloud_size; i++) {
        vec3 p = cloud[i], q = vec_scale(p, cos(angle));

        q = vec_mad(q, sin(angle), vec_cross(axis, p));
        q = vec_mad(q, (1 - cos(angle)) * vec_dot(axis, p), axis);
        cloud[i] = vec_add(q, move);
    }
}

static void read_form(form it)
{
    cloud_size = 0;
    for (size_t i = 0; i < it.point_count; i++)
        cloud[cloud_size++] = it.points[i];
    form_free(&it);
}

static bool build_hull(double tolerance)
{
    const char *error = hull_build(&hull, cloud, cloud_size, tolerance);

    test_note("%s", error ? error : "");
    return CHECK(!error);
}


/* ---- Conditions on every hull -------------------------------------------- */

/* n.p - offset, times VSP_DIRECTION */
static int64_t depth_of(vsp_plane plane, vsp_place at)
{
    return (int64_t)plane.x * at.x + (int64_t)plane.y * at.y +
           (int64_t)plane.z * at.z - (int64_t)plane.offset * VSP_DIRECTION;
}

static void check_planes(const vsp_hull *it)
{
    int32_t slack = 3 + place_spread(it->vertices, it->vertex_count) / 10000;

    for (int i = 0; i < it->face_count; i++) {
        vsp_plane n = it->planes[i];

        CHECK_NEAR(VSP_DIRECTION, vec_length(vec_make(n.x, n.y, n.z)), 2);
        for (int k = 0; k < it->vertex_count; k++)
            CHECK(depth_of(n, it->vertices[k]) <= VSP_DIRECTION);
        for (int k = it->first[i]; k < it->first[i + 1]; k++)
            CHECK(depth_of(n, it->vertices[it->corners[k]]) >=
                  -slack * (int64_t)VSP_DIRECTION);
    }
}

/* Returns the largest distance by which a corner of a face is inside of the
 * line between its two neighbours, in places. */
static double dent_of(const vsp_hull *it, int face)
{
    const uint8_t *corner = it->corners + it->first[face];
    int count = it->first[face + 1] - it->first[face];
    vsp_plane n = it->planes[face];
    double worst = 0;

    for (int i = 0; i < count; i++) {
        vec3 a = place_vec(it->vertices[corner[i]]);
        vec3 b = place_vec(it->vertices[corner[(i + 1) % count]]);
        vec3 c = place_vec(it->vertices[corner[(i + 2) % count]]);
        vec3 chord = vec_unit(vec_sub(c, a));

        worst = fmax(worst, vec_dot(vec_make(n.x, n.y, n.z),
                                    vec_cross(chord, vec_sub(b, a))));
    }
    return worst / VSP_DIRECTION;
}

/* Checks that a face goes round anticlockwise, without a dent, and has each
 * corner once. */
static void check_face(const vsp_hull *it, int face)
{
    const uint8_t *corner = it->corners + it->first[face];
    int count = it->first[face + 1] - it->first[face];
    vsp_plane n = it->planes[face];
    vec3 normal = vec_make(n.x, n.y, n.z), around = vec_make(0, 0, 0);

    CHECK_AT_LEAST(3, count);
    for (int i = 0; i < count; i++) {
        CHECK(corner[i] < it->vertex_count);
        for (int k = 0; k < i; k++)
            CHECK(corner[i] != corner[k]);
        if (i > 0 && i + 1 < count)
            around = vec_add(
                around, place_direction(place_normal(
                            it->vertices[corner[0]], it->vertices[corner[i]],
                            it->vertices[corner[i + 1]])));
    }
    CHECK_AT_LEAST(0.999999 * vec_length(normal) * vec_length(around),
                   vec_dot(normal, around));
    CHECK_AT_MOST(3 + place_spread(it->vertices, it->vertex_count) / 10000.0,
                  dent_of(it, face));
}

/* Returns how often a face has the side from tail to head. */
static int count_sides(const vsp_hull *it, int face, int tail, int head)
{
    int low = it->first[face], high = it->first[face + 1], found = 0;

    for (int i = low; i < high; i++)
        found += it->corners[i] == tail &&
                 it->corners[i + 1 < high ? i + 1 : low] == head;
    return found;
}

static void check_hull(const vsp_hull *it)
{
    CHECK_HEX(VSP_TABLE_HULL, it->kind);
    CHECK(it->vertex_count >= 4 && it->vertex_count <= VSP_MAX_HULL);
    CHECK(it->face_count >= 4 && it->face_count <= VSP_MAX_HULL);
    CHECK_UINT(it->edge_count + 2u,
               (uint32_t)(it->vertex_count + it->face_count));
    CHECK_UINT(it->corner_count, it->edge_count * 2u);
    CHECK_UINT(0, it->first[0]);
    CHECK_UINT(it->corner_count, it->first[it->face_count]);
    check_planes(it);
    for (int i = 0; i < it->face_count; i++)
        check_face(it, i);
    for (int i = 0; i < it->edge_count; i++) {
        vsp_hull_edge e = it->edges[i];

        CHECK_UINT(1, (uint32_t)count_sides(it, e.left, e.tail, e.head));
        CHECK_UINT(1, (uint32_t)count_sides(it, e.right, e.head, e.tail));
        for (int k = 0; k < i; k++)
            CHECK(it->edges[k].left != e.left || it->edges[k].tail != e.tail);
    }
}

/* Returns the volume by another formula: a third of the sum of the areas of
 * faces times their distances from the origin. */
static double volume_by_planes(const vsp_hull *it)
{
    double sum = 0;

    for (int i = 0; i < it->face_count; i++)
        for (int k = it->first[i] + 1; k + 1 < it->first[i + 1]; k++) {
            const uint8_t *corner = it->corners;
            vec3 twice = place_direction(place_normal(
                it->vertices[corner[it->first[i]]], it->vertices[corner[k]],
                it->vertices[corner[k + 1]]));

            sum += vec_length(twice) / 2 * it->planes[i].offset / 3;
        }
    return sum / VSP_PLACE / VSP_PLACE / VSP_PLACE;
}

/* Checks that a world accepts a table. */
static void check_taken(const void *table)
{
    uint32_t index;
    vsp_flaw flaw = VSP_FLAW_NONE;

    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(new_world(), table, &index, &flaw));
    CHECK_UINT(VSP_FLAW_NONE, flaw);
}

static void check_counts(uint32_t vertices, uint32_t faces)
{
    CHECK_UINT(vertices, hull.hull.vertex_count);
    CHECK_UINT(faces, hull.hull.face_count);
}


/* ---- Hulls --------------------------------------------------------------- */

static void forms_become_hulls(void)
{
    read_form(form_box(1, 2, 3));
    if (build_hull(0))
        check_counts(8, 6);
    check_hull(&hull.hull);
    read_form(form_box(60, 0.002, 60)); /* thin for its size */
    if (build_hull(0))
        check_counts(8, 6);
    check_hull(&hull.hull);
    check_taken(&hull.hull);
    read_form(form_prism(24, 0.5, 0.5));
    if (build_hull(0))
        check_counts(48, 26);
    check_hull(&hull.hull);
    read_form(form_cone(24, 0.5, 0.5));
    if (build_hull(0))
        check_counts(25, 25);
    check_hull(&hull.hull);
    read_form(form_ball(0.5));
    if (build_hull(0))
        check_counts(12, 20);
    check_hull(&hull.hull);
    read_form(form_wedge(0.5, 0.25, 0.5));
    if (build_hull(0))
        check_counts(6, 5);
    check_hull(&hull.hull);
}

/* Makes points all over the sides and edges of a rotated box, with noise like
 * that of a file with few digits. */
static void box_of_many_points(void)
{
    static const double noise[3] = {0, 1e-6, 2e-5};

    seed = 1;
    for (int round = 0; round < 50; round++) {
        cloud_size = 0;
        for (int i = 0; i <= 4; i++)
            for (int k = 0; k <= 4; k++)
                for (int j = 0; j < 6; j++) {
                    double a = i * 0.5 - 1, b = k * 0.5 - 1;
                    double side = j < 3 ? -1 : 1;

                    add_point(j % 3 == 0   ? side
                              : j % 3 == 1 ? a
                                           : b,
                              j % 3 == 1   ? side
                              : j % 3 == 2 ? a
                                           : b,
                              j % 3 == 2   ? side
                              : j % 3 == 0 ? a
                                           : b);
                }
        for (size_t i = 0; i < cloud_size; i++)
            cloud[i] = vec_mad(cloud[i], noise[round % 3],
                               vec_make(any(-1, 1), any(-1, 1), any(-1, 1)));
        turn_cloud(round * 0.37, vec_make(any(-90, 90), any(-90, 90), 7));
        if (!build_hull(0))
            return;
        test_note("round %d", round);
        check_counts(8, 6);
        check_hull(&hull.hull);
        check_taken(&hull.hull);
        CHECK_NEAR(8, float_number(hull.hull.bulk.volume), 1e-3);
        CHECK_AT_MOST(2 * noise[round % 3] + 3e-6, hull.error);
    }
}

/* Noise of every size, from rounded away to large enough for slivers. */
static void noisy_boxes(void)
{
    seed = 5;
    for (int round = 0; round < 300; round++) {
        double noise = exp(any(-14, -4));

        cloud_size = 0;
        for (int i = 0; i < 125; i++)
            add_point(i % 5 * 0.5 - 1, i / 5 % 5 * 0.5 - 1, i / 25 * 0.5 - 1);
        for (size_t i = 0; i < cloud_size; i++)
            cloud[i] = vec_mad(cloud[i], noise,
                               vec_make(any(-1, 1), any(-1, 1), any(-1, 1)));
        turn_cloud(any(0, 6), vec_make(0, 0, 0));
        if (!build_hull(0))
            return;
        test_note("round %d, noise %g", round, noise);
        check_hull(&hull.hull);
        check_taken(&hull.hull);
        CHECK_AT_MOST(2 * noise + 3e-6, hull.error);
    }
}

/* A box whose lid is a roof of some sides, nearly flat. */
static void flat_roofs(void)
{
    for (int sides = 3; sides <= 12; sides++)
        for (int i = 0; i <= 60; i++) {
            read_form(form_prism(sides, 1, 1));
            add_point(0.1, 1 + i * 1e-5, 0.2);
            add_point(-0.3, 1 + i * 0.6e-5, -0.2);
            if (!build_hull(0))
                return;
            test_note("%d sides, height %d", sides, i);
            check_hull(&hull.hull);
            check_taken(&hull.hull);
            if (i < 12)
                check_counts((uint32_t)(2 * sides), (uint32_t)(sides + 2));
        }
}

/* Makes a random cloud of a type: in a ball, a box, a thin plate, or at few
 * different points. */
static void any_cloud(uint32_t kind, size_t count)
{
    double size = exp(any(-4, 4));

    cloud_size = 0;
    while (cloud_size < count) {
        vec3 p = vec_make(any(-1, 1), any(-1, 1), any(-1, 1));

        if (kind == 0 && vec_length(p) > 1)
            continue;
        if (kind == 2)
            p.y *= 0.1;
        if (kind == 3)
            p = vec_make(floor(p.x * 3), floor(p.y * 3), floor(p.z * 3));
        cloud[cloud_size++] = vec_scale(p, size / 3);
    }
}

static void random_clouds(void)
{
    seed = 2;
    for (uint32_t round = 0; round < 400; round++) {
        any_cloud(round % 4, 4 + (size_t)any(0, 20) * (round % 3 + 1));
        if (hull_build(&hull, cloud, cloud_size, 0))
            continue; /* flat */
        test_note("round %u", round);
        check_hull(&hull.hull);
        check_taken(&hull.hull);
        CHECK_NEAR(1,
                   volume_by_planes(&hull.hull) /
                       float_number(hull.hull.bulk.volume),
                   1e-3);
        if (hull.hull.face_count < VSP_MAX_HULL - 2) /* no point was left out */
            CHECK_AT_MOST(
                3e-6 + place_spread(hull.vertices, hull.hull.vertex_count) /
                           16000.0 / VSP_PLACE,
                hull.error);
    }
}

/* A ball must be reduced to a hull of at most 64 faces. */
static void too_many_corners(void)
{
    seed = 3;
    cloud_size = 0;
    while (cloud_size < 3000) {
        vec3 p = vec_make(any(-1, 1), any(-1, 1), any(-1, 1));

        if (vec_length(p) < 0.1 || vec_length(p) > 1)
            continue;
        p = vec_unit(p);
        add_point(p.x, p.y, p.z);
    }
    if (!build_hull(0))
        return;
    check_hull(&hull.hull);
    CHECK_AT_LEAST(30, hull.hull.vertex_count);
    CHECK_AT_MOST(0.2, hull.error);
    CHECK_AT_LEAST(0.75 * 4 / 3 * PI, float_number(hull.hull.bulk.volume));
}

static void tolerance_leaves_out(void)
{
    read_form(form_prism(24, 0.5, 0.5));
    if (!build_hull(0.03))
        return;
    check_hull(&hull.hull);
    CHECK_AT_MOST(40, hull.hull.vertex_count);
    CHECK_AT_LEAST(1e-3, hull.error);
    CHECK_AT_MOST(0.03, hull.error);
}

static const char *error_of_hull(double tolerance)
{
    return hull_build(&hull, cloud, cloud_size, tolerance);
}

#define CHECK_SAYS(part, call) check_says(part, call, __FILE__, __LINE__, #call)

static bool check_says(const char *part, const char *error, const char *file,
                       int line, const char *what)
{
    test_note("error: %s", error ? error : "none");
    return test_check(error && strstr(error, part), file, line, what);
}

static void hulls_that_are_none(void)
{
    read_form(form_box(1, 1, 1));
    CHECK_SAYS("tolerance", error_of_hull(-1));
    CHECK_SAYS("tolerance", error_of_hull((double)NAN));
    cloud[3].y = 100.1;
    CHECK_SAYS("100 m", error_of_hull(0));
    cloud[3].y = (double)NAN;
    CHECK_SAYS("100 m", error_of_hull(0));
    cloud_size = 3;
    CHECK_SAYS("fewer than 4", error_of_hull(0));
    read_form(form_box(1, 0.0004, 1));
    CHECK_SAYS("flat", error_of_hull(0));
    read_form(form_box(1, 0, 0));
    CHECK_SAYS("flat", error_of_hull(0));
    read_form(form_box(0, 0, 0));
    CHECK_SAYS("flat", error_of_hull(0));
    read_form(form_box(0.002, 0.002, 0.0024));
    CHECK_SAYS("5 mm", error_of_hull(0));
    /* 0.7 mm between two planes, but 1.4 mm over the plane of any three points,
     * which is thick enough */
    cloud_size = 0;
    add_point(-1, 0.0007, -1);
    add_point(-1, 0, 1);
    add_point(1, 0, -1);
    add_point(1, 0.0007, 1);
    CHECK(!error_of_hull(0));
    add_point(0.9, 0, 0.9);
    CHECK_SAYS("flat", error_of_hull(0));
}


/* ---- Mass ---------------------------------------------------------------- */

static void check_bulk(double volume, const double inertia[6], vec3 center)
{
    const vsp_bulk *bulk = &hull.hull.bulk;
    vec3 at = place_meters(bulk->center);

    CHECK_NEAR(1, float_number(bulk->volume) / volume, 1e-5);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(inertia[i], float_number(bulk->inertia[i]), 1e-5);
    CHECK_NEAR(0, vec_length(vec_sub(at, center)), 2e-6);
}

static void mass_of_a_box(void)
{
    static const double inertia[6] = {13.0 / 3, 10.0 / 3, 5.0 / 3, 0, 0, 0};

    read_form(form_box(1, 2, 3));
    turn_cloud(0, vec_make(20, -30, 40));
    if (build_hull(0))
        check_bulk(48, inertia, vec_make(20, -30, 40));
}

/* corners 0, x, y, z of length 1: 3/80 and 1/80 */
static void mass_of_a_tetrahedron(void)
{
    static const double inertia[6] = {0.075,    0.075,    0.075,
                                      1.0 / 80, 1.0 / 80, 1.0 / 80};

    cloud_size = 0;
    add_point(0, 0, 0);
    add_point(1, 0, 0);
    add_point(0, 1, 0);
    add_point(0, 0, 1);
    if (!build_hull(0))
        return;
    check_counts(4, 4);
    check_hull(&hull.hull);
    check_bulk(1.0 / 6, inertia, vec_make(0.25, 0.25, 0.25));
}

/* two thirds along the legs, in halves of a box of 2 a, 2 b, 2 c */
static void mass_of_a_wedge(void)
{
    double a = 0.5, b = 0.25, c = 0.5;
    double xx = 2 * a * a / 9, yy = 2 * b * b / 9, zz = c * c / 3;
    double inertia[6] = {yy + zz, xx + zz, xx + yy, -a * b / 9, 0, 0};

    read_form(form_wedge(a, b, c));
    if (build_hull(0))
        check_bulk(4 * a * b * c, inertia, vec_make(a / 3, -b / 3, 0));
}

/* A prism of 64 sides must have the moments of a polygon. */
static void mass_of_a_prism(void)
{
    double r = 0.5, angle = 2 * PI / 24;
    double area = 12 * r * r * sin(angle);
    double across = r * r / 12 * (2 + cos(angle));
    double inertia[6] = {
        across + 1.0 / 12, 2 * across, across + 1.0 / 12, 0, 0, 0};

    read_form(form_prism(24, r, 0.5));
    if (build_hull(0))
        check_bulk(area, inertia, vec_make(0, 0, 0));
}

static void bulk_of_no_solid(void)
{
    vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t triangles[1][3] = {{0, 1, 2}};
    vsp_bulk bulk;

    CHECK(!find_bulk(&bulk, points, triangles, 1));
    CHECK(!find_bulk(&bulk, points, triangles, 0));
}


/* ---- Conditions on every mesh -------------------------------------------- */

static bool is_in(const vsp_mesh_node *node, vsp_place at)
{
    return at.x >= node->low.x && at.x <= node->high.x && at.y >= node->low.y &&
           at.y <= node->high.y && at.z >= node->low.z && at.z <= node->high.z;
}

/* Checks that a node encloses all nodes below it, and that leaves are in the
 * order of their triangles, so none repeats. */
static uint32_t check_node(const vsp_mesh *it, uint32_t index)
{
    const vsp_mesh_node *node = &it->nodes[index];
    uint32_t covered = 0;

    CHECK(node->next > index && node->next <= it->node_count);
    CHECK(node->count <= 8 && node->reserved == 0 && node->reserved2 == 0);
    CHECK(node->count == 0 || node->next == index + 1);
    CHECK(node->count > 0 || node->next >= index + 3);
    for (uint32_t i = index; i < node->next; i++) {
        const vsp_mesh_node *below = &it->nodes[i];

        CHECK(below->next <= node->next);
        CHECK(is_in(node, below->low) && is_in(node, below->high));
        for (uint32_t k = 0; k < below->count; k++)
            for (int j = 0; j < 3; j++)
                CHECK(is_in(
                    node,
                    it->vertices[it->triangles[below->first + k].vertex[j]]));
        covered += below->count;
    }
    return covered;
}

/* Checks the tree and the triangles of a mesh or a shell. */
static void check_sheet(const vsp_mesh *it)
{
    uint32_t next = 0;

    CHECK_UINT(it->triangle_count, check_node(it, 0));
    CHECK_UINT(it->node_count, it->nodes[0].next);
    for (uint32_t i = 0; i < it->node_count; i++) {
        check_node(it, i);
        if (it->nodes[i].count == 0)
            continue;
        CHECK_UINT(next, it->nodes[i].first);
        next += it->nodes[i].count;
    }
    CHECK_UINT(it->triangle_count, next);
    for (uint32_t i = 0; i < it->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            CHECK(it->triangles[i].vertex[k] < it->vertex_count);
}

static void check_mesh(const vsp_mesh *it)
{
    CHECK_HEX(VSP_TABLE_MESH, it->kind);
    check_sheet(it);
    for (uint32_t i = 0; i < it->triangle_count; i++)
        CHECK_AT_MOST(7, it->triangles[i].marks);
}

/* Counts the sides of triangles that are flat. */
static uint32_t count_flat(const vsp_mesh *it)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < it->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            count += it->triangles[i].marks >> k & 1u;
    return count;
}

static mesh_storage mesh;

static bool build_mesh(form it, int leaf)
{
    const char *error = mesh_build(&mesh, it.points, it.point_count,
                                   it.triangles, it.triangle_count, leaf);

    form_free(&it);
    test_note("%s", error ? error : "");
    return CHECK(!error);
}


/* ---- Meshes -------------------------------------------------------------- */

/* The diagonals of the cube's sides must be flat in both triangles; its edges
 * must not. */
static void mesh_of_a_cube(void)
{
    if (!build_mesh(form_box(1, 1, 1), 4))
        return;
    check_mesh(&mesh.mesh);
    CHECK_UINT(8, mesh.mesh.vertex_count);
    CHECK_UINT(12, mesh.mesh.triangle_count);
    CHECK_UINT(12, count_flat(&mesh.mesh));
    CHECK(mesh.open == 0 && mesh.reversed == 0 && mesh.dropped == 0);
    mesh_free(&mesh);
}

/* From inside all edges are concave, so all must be flat. */
static void mesh_of_a_room(void)
{
    form it = form_box(1, 1, 1);

    for (size_t i = 0; i < it.triangle_count; i++) {
        uint32_t corner = it.triangles[i][1];

        it.triangles[i][1] = it.triangles[i][2];
        it.triangles[i][2] = corner;
    }
    if (!build_mesh(it, 4))
        return;
    check_mesh(&mesh.mesh);
    CHECK_UINT(36, count_flat(&mesh.mesh));
    mesh_free(&mesh);
}

/* All edges but those of the rim must be flat. */
static void mesh_of_a_plane(void)
{
    for (int leaf = 1; leaf <= 8; leaf++) {
        if (!build_mesh(form_plane(25, 20, 1), leaf))
            return;
        test_note("leaves of %d", leaf);
        check_mesh(&mesh.mesh);
        CHECK_UINT(1000, mesh.mesh.triangle_count);
        CHECK_UINT(3000 - 90, count_flat(&mesh.mesh));
        CHECK_UINT(90, (uint32_t)mesh.open);
        for (uint32_t i = 0; i < mesh.mesh.node_count; i++)
            CHECK_AT_MOST(leaf, mesh.nodes[i].count);
        mesh_free(&mesh);
    }
}

/* Two triangles with a common edge, bent by some degrees; above 0 is
 * upwards. */
static uint32_t flat_sides_of_bend(double degrees)
{
    vec3 points[4] = {{0, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, 0}};
    uint32_t triangles[2][3] = {{0, 2, 1}, {0, 1, 3}};
    uint32_t count;

    points[3].x = cos(degrees * PI / 180);
    points[3].y = sin(degrees * PI / 180);
    if (!CHECK(!mesh_build(&mesh, points, 4, triangles, 2, 4)))
        return 0;
    check_mesh(&mesh.mesh);
    CHECK_UINT(4, (uint32_t)mesh.open);
    CHECK_UINT(0, (uint32_t)mesh.reversed);
    count = count_flat(&mesh.mesh);
    mesh_free(&mesh);
    return count;
}

static void edges_that_bend(void)
{
    CHECK_UINT(2, flat_sides_of_bend(0));
    CHECK_UINT(2, flat_sides_of_bend(0.5));
    CHECK_UINT(2, flat_sides_of_bend(30));
    CHECK_UINT(2, flat_sides_of_bend(90));
    CHECK_UINT(2, flat_sides_of_bend(150));
    CHECK_UINT(2, flat_sides_of_bend(-0.9));
    CHECK_UINT(0, flat_sides_of_bend(-1.1));
    CHECK_UINT(0, flat_sides_of_bend(-30));
    CHECK_UINT(0, flat_sides_of_bend(-90));
    CHECK_UINT(0, flat_sides_of_bend(-179.5)); /* a sheet with two sides */
    CHECK_UINT(0, flat_sides_of_bend(179.5));
}

/* Six quads that share no point, one of them twice; also a line, and an unused
 * point: the mesh must still be a cube. */
static void mesh_of_loose_triangles(void)
{
    form box = form_box(1, 1, 1);
    vec3 points[48];
    uint32_t triangles[14][3];

    for (uint32_t i = 0; i < 12; i++)
        for (uint32_t k = 0; k < 3; k++) {
            points[i * 3 + k] = box.points[box.triangles[i][k]];
            triangles[i][k] = i * 3 + k;
        }
    points[36] = vec_make(3, 3, 3);
    points[37] = vec_make(0, 1, 1); /* between two corners */
    form_free(&box);
    triangles[12][0] = 1;
    triangles[12][1] = 2;
    triangles[12][2] = 0;
    triangles[13][0] = 22; /* an edge of side 1 with constant y and z */
    triangles[13][1] = 37;
    triangles[13][2] = 22;
    if (!CHECK(!mesh_build(&mesh, points, 38, triangles, 14, 4)))
        return;
    check_mesh(&mesh.mesh);
    CHECK_UINT(8, mesh.mesh.vertex_count);
    CHECK_UINT(12, mesh.mesh.triangle_count);
    CHECK_UINT(2, (uint32_t)mesh.dropped);
    CHECK_UINT(0, (uint32_t)mesh.open);
    CHECK_UINT(12, count_flat(&mesh.mesh));
    mesh_free(&mesh);
}

static void triangle_turned_over(void)
{
    form it = form_box(1, 1, 1);
    uint32_t corner = it.triangles[5][1];

    it.triangles[5][1] = it.triangles[5][2];
    it.triangles[5][2] = corner;
    if (!build_mesh(it, 4))
        return;
    CHECK_UINT(3, (uint32_t)mesh.reversed);
    mesh_free(&mesh);
}

static void mesh_of_any_triangles(void)
{
    static uint32_t triangles[1000][3];

    seed = 4;
    for (int round = 0; round < 10; round++) {
        any_cloud((uint32_t)round % 4, 500);
        for (int i = 0; i < 1000; i++)
            for (int k = 0; k < 3; k++)
                triangles[i][k] = (uint32_t)any(0, 500);
        if (!CHECK(
                !mesh_build(&mesh, cloud, 500, triangles, 1000, 1 + round % 8)))
            return;
        test_note("round %d", round);
        check_mesh(&mesh.mesh);
        check_taken(&mesh.mesh);
        CHECK_UINT(1000, (uint32_t)(mesh.mesh.triangle_count + mesh.dropped));
        mesh_free(&mesh);
    }
}

static const char *error_of_form(form it, int leaf)
{
    const char *error = mesh_build(&mesh, it.points, it.point_count,
                                   it.triangles, it.triangle_count, leaf);

    form_free(&it);
    CHECK(!mesh.vertices && !mesh.triangles && !mesh.nodes);
    return error;
}

static void meshes_that_are_none(void)
{
    form it = form_box(1, 1, 1);

    it.triangles[11][2] = 8;
    CHECK_SAYS("no point", error_of_form(it, 4));
    it = form_box(1, 1, 1);
    it.points[5].z = -1000;
    CHECK_SAYS("100 m", error_of_form(it, 4));
    CHECK_SAYS("1 to 8", error_of_form(form_box(1, 1, 1), 0));
    CHECK_SAYS("1 to 8", error_of_form(form_box(1, 1, 1), 9));
    CHECK_SAYS("area", error_of_form(form_box(1, 0, 0), 4));
    CHECK_SAYS("area", error_of_form(form_plane(1, 1, 1e-6), 4));
    CHECK_SAYS("5 mm", error_of_form(form_plane(1, 1, 0.0049), 4));
    it = form_box(1, 1, 1);
    it.triangle_count = 0;
    CHECK_SAYS("no triangle", error_of_form(it, 4));
    CHECK_SAYS("65535 triangles", error_of_form(form_plane(200, 200, 0.5), 8));
}


/* ---- Shells -------------------------------------------------------------- */

static shell_storage shell;

static bool build_shell(form it, int leaf)
{
    const char *error = shell_build(&shell, it.points, it.point_count,
                                    it.triangles, it.triangle_count, leaf);

    form_free(&it);
    test_note("%s", error ? error : "");
    return CHECK(!error);
}

/* Each corner and edge must be marked once: in the first triangle that has
 * it. */
static void check_marks(const vsp_mesh *it)
{
    static bool has_corner[SHELL_MAX];
    uint32_t corners = 0, edges = 0, found = 0;

    memset(has_corner, 0, sizeof has_corner);
    for (uint32_t i = 0; i < it->triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint16_t tail = it->triangles[i].vertex[k];
            uint16_t head = it->triangles[i].vertex[(k + 1) % 3];
            bool is_new = true;

            CHECK((it->triangles[i].marks >> k & 1) == !has_corner[tail]);
            corners += !has_corner[tail];
            has_corner[tail] = true;
            for (uint32_t j = 0; j < 3 * i; j++) {
                const uint16_t *of = it->triangles[j / 3].vertex;
                uint16_t a = of[j % 3], b = of[(j + 1) % 3];

                is_new = is_new && !(a == tail && b == head) &&
                         !(a == head && b == tail);
            }
            CHECK((it->triangles[i].marks >> (3 + k) & 1) == is_new);
            edges += is_new;
            found += it->triangles[i].marks >> (3 + k) & 1u;
        }
    CHECK_UINT(it->vertex_count, corners);
    CHECK_UINT(edges, found);
}

static void check_shell(const vsp_shell *it)
{
    CHECK_HEX(VSP_TABLE_SHELL, it->sheet.kind);
    check_sheet(&it->sheet);
    check_marks(&it->sheet);
    check_taken(it);
}

/* For a rectangle of sides a and b: b^2 / 12, their sum, a^2 / 12. */
static void shell_of_a_plate(void)
{
    for (int leaf = 1; leaf <= 8; leaf++) {
        const vsp_bulk *bulk = &shell.shell.bulk;

        if (!build_shell(form_plane(10, 6, 0.125), leaf))
            return;
        test_note("leaves of %d", leaf);
        check_shell(&shell.shell);
        CHECK_UINT(77, shell.shell.sheet.vertex_count);
        CHECK_UINT(120, shell.shell.sheet.triangle_count);
        CHECK_UINT(32, (uint32_t)shell.sheet.open);
        CHECK_NEAR(1.25 * 0.75, float_number(bulk->volume), 1e-6);
        CHECK_NEAR(0.75 * 0.75 / 12, float_number(bulk->inertia[0]), 1e-7);
        CHECK_NEAR(1.25 * 1.25 / 12, float_number(bulk->inertia[2]), 1e-7);
        CHECK_NEAR((0.75 * 0.75 + 1.25 * 1.25) / 12,
                   float_number(bulk->inertia[1]), 1e-7);
        for (int i = 3; i < 6; i++)
            CHECK_HEX(0, bulk->inertia[i]);
        CHECK_NEAR(0, vec_length(place_meters(bulk->center)), 1e-6);
        shell_free(&shell);
    }
}

/* A box of thin sides of 2 m: 5/18 of the square of a side. */
static void shell_of_a_box(void)
{
    if (!build_shell(form_box(1, 1, 1), 4))
        return;
    check_shell(&shell.shell);
    CHECK_UINT(8, shell.shell.sheet.vertex_count);
    CHECK_UINT(12, shell.shell.sheet.triangle_count);
    CHECK_UINT(0, (uint32_t)shell.sheet.open);
    CHECK_NEAR(24, float_number(shell.shell.bulk.volume), 1e-5);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(10.0 / 9, float_number(shell.shell.bulk.inertia[i]), 1e-6);
    shell_free(&shell);
}

/* The same plate, tilted and displaced: products of inertia, and a centre. */
static void mass_of_a_tilted_plate(void)
{
    form it = form_plane(2, 2, 0.5);
    double s = sin(0.5), c = cos(0.5);
    const vsp_bulk *bulk = &shell.shell.bulk;

    for (size_t i = 0; i < it.point_count; i++) {
        vec3 p = it.points[i];

        it.points[i] = vec_make(50 + c * p.x, s * p.x - 70, 90 + p.z);
    }
    if (!build_shell(it, 4))
        return;
    check_shell(&shell.shell);
    CHECK_NEAR(1, float_number(bulk->volume), 1e-5);
    CHECK_NEAR((1 + s * s) / 12, float_number(bulk->inertia[0]), 1e-6);
    CHECK_NEAR((1 + c * c) / 12, float_number(bulk->inertia[1]), 1e-6);
    CHECK_NEAR(1.0 / 12, float_number(bulk->inertia[2]), 1e-6);
    CHECK_NEAR(-s * c / 12, float_number(bulk->inertia[3]), 1e-6);
    CHECK_NEAR(0, float_number(bulk->inertia[4]), 1e-6);
    CHECK_NEAR(
        0,
        vec_length(vec_sub(place_meters(bulk->center), vec_make(50, -70, 90))),
        2e-6);
    shell_free(&shell);
}

/* A level grid, rolled up until its sides meet; then its ends too. */
static void grids_that_close(void)
{
    form it = form_plane(24, 4, 1);

    for (size_t i = 0; i < it.point_count; i++) {
        double a = it.points[i].x * 2 * PI / 24;

        it.points[i] = vec_make(cos(a), it.points[i].z * 0.2, sin(a));
    }
    if (!build_shell(it, 4))
        return;
    check_shell(&shell.shell);
    CHECK_UINT(24 * 5, shell.shell.sheet.vertex_count);
    CHECK_UINT(48, (uint32_t)shell.sheet.open);
    shell_free(&shell);
    it = form_plane(24, 12, 1);
    for (size_t i = 0; i < it.point_count; i++) {
        double a = it.points[i].x * 2 * PI / 24;
        double b = it.points[i].z * 2 * PI / 12, r = 1 + 0.4 * cos(b);

        it.points[i] = vec_make(r * cos(a), 0.4 * sin(b), r * sin(a));
    }
    if (!build_shell(it, 4))
        return;
    check_shell(&shell.shell);
    CHECK_UINT(24 * 12, shell.shell.sheet.vertex_count);
    CHECK_UINT(0, (uint32_t)shell.sheet.open);
    shell_free(&shell);
}

static void forms_of_shells(void)
{
    if (build_shell(form_ring(12, 0.25, 0.06), 4)) {
        check_shell(&shell.shell);
        CHECK_UINT(24, shell.shell.sheet.triangle_count);
        CHECK_UINT(24, (uint32_t)shell.sheet.open);
        shell_free(&shell);
    }
    if (build_shell(form_bowl(12, 4, 0.4, 1.35), 4)) {
        check_shell(&shell.shell);
        CHECK_UINT(84, shell.shell.sheet.triangle_count);
        CHECK_UINT(12, (uint32_t)shell.sheet.open);
        shell_free(&shell);
    }
    if (build_shell(form_leaf(), 4)) {
        check_shell(&shell.shell);
        CHECK_UINT(48, shell.shell.sheet.triangle_count);
        CHECK_UINT(20, (uint32_t)shell.sheet.open);
        shell_free(&shell);
    }
}

/* Nearly as many triangles as are allowed; then as many unconnected ones as are
 * allowed, all parallel, so that all boxes overlap. */
static void large_shells(void)
{
    static uint32_t triangles[SHELL_MAX / 3][3];
    static vec3 points[SHELL_MAX];
    form it = form_plane(45, 45, 0.05);
    uint32_t count = SHELL_MAX / 3;

    for (size_t i = 0; i < it.point_count; i++)
        it.points[i].y = 0.1 * sin(9 * it.points[i].x) * cos(it.points[i].z);
    if (build_shell(it, 4)) {
        CHECK_UINT(4050, shell.shell.sheet.triangle_count);
        check_shell(&shell.shell);
        shell_free(&shell);
    }
    for (uint32_t i = 0; i < 3 * count; i++) {
        points[i] = vec_make(i % 3 == 1, i / 3 * 0.0005 + (i % 3 > 0),
                             i % 3 == 2);
        triangles[i / 3][i % 3] = i;
    }
    if (!CHECK(!shell_build(&shell, points, 3 * count, triangles, count, 8)))
        return;
    CHECK_UINT(4095, shell.shell.sheet.vertex_count);
    check_shell(&shell.shell);
    shell_free(&shell);
}

/* Draws a few triangles with corners on a grid of 5 x 5 x 3. */
static size_t any_triangles(uint32_t triangles[8][3])
{
    size_t count = 2 + (size_t)any(0, 7);

    cloud_size = 0;
    for (int i = 0; i < 75; i++)
        add_point(i % 5, i / 5 % 5, i / 25);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            triangles[i][k] = (uint32_t)any(0, 75);
    return count;
}

/* Returns the world's flaw for triangles in a tree, whether they cross or
 * not. */
static vsp_flaw flaw_of_soup(uint32_t (*triangles)[3], size_t count)
{
    mesh_storage out;
    vsp_shell it;
    vsp_flaw flaw;
    uint32_t index;

    if (mesh_build(&out, cloud, cloud_size, triangles, count, 1 + count % 4))
        return VSP_FLAW_NULL;
    memset(&it, 0, sizeof it);
    it.sheet = out.mesh;
    it.sheet.kind = VSP_TABLE_SHELL;
    shell_mark(&it.sheet, out.triangles);
    shell_weigh(&it);
    vsp_world_add_table(new_world(), &it, &index, &flaw);
    mesh_free(&out);
    return flaw;
}

/* The tool and the world must agree on which triangles cross; each has its own
 * code for it. */
static void shells_of_any_triangles(void)
{
    uint32_t triangles[8][3], sound = 0, crossing = 0;

    seed = 6;
    for (int round = 0; round < tries_of(20000); round++) {
        size_t count = any_triangles(triangles);
        const char *error = shell_build(&shell, cloud, cloud_size, triangles,
                                        count, 1 + round % 4);

        test_note("round %d", round);
        if (error && strstr(error, "thinner"))
            continue;
        sound += !error;
        crossing += error != NULL;
        if (!error)
            check_shell(&shell.shell);
        else if (strstr(error, "cross"))
            CHECK_UINT(VSP_FLAW_CROSSING, flaw_of_soup(triangles, count));
        else
            CHECK(strstr(error, "twice") != NULL);
        shell_free(&shell);
    }
    CHECK_AT_LEAST(tries_of(20000) / 20, sound);
    CHECK_AT_LEAST(tries_of(20000) / 3, crossing);
}

static const char *error_of_shell(form it, int leaf)
{
    const char *error = shell_build(&shell, it.points, it.point_count,
                                    it.triangles, it.triangle_count, leaf);

    form_free(&it);
    CHECK(!shell.sheet.vertices && !shell.sheet.triangles);
    CHECK(!shell.sheet.nodes && shell.shell.sheet.kind == 0);
    return error;
}

static void check_bad(size_t count, size_t first, size_t second)
{
    CHECK_UINT((uint32_t)count, (uint32_t)shell.bad_count);
    CHECK_UINT((uint32_t)first, (uint32_t)shell.bad[0]);
    CHECK_UINT((uint32_t)second, (uint32_t)shell.bad[1]);
}

static void shells_that_are_none(void)
{
    form it = form_plane(2, 2, 1);

    it.triangles[7][2] = 9;
    CHECK_SAYS("no point", error_of_shell(it, 4));
    check_bad(1, 7, 0);
    it = form_plane(2, 2, 1);
    it.points[8].z = (double)NAN;
    CHECK_SAYS("100 m", error_of_shell(it, 4));
    check_bad(1, 6, 0);
    it = form_plane(2, 2, 1);
    it.triangle_count = 0;
    CHECK_SAYS("no triangle", error_of_shell(it, 4));
    check_bad(0, 0, 0);
    CHECK_SAYS("4096 triangles", error_of_shell(form_plane(1, 2049, 0.01), 4));
    CHECK_SAYS("4096 nodes", error_of_shell(form_plane(1, 2040, 0.01), 1));
    CHECK_SAYS("1 to 8", error_of_shell(form_plane(2, 2, 1), 9));
    CHECK_SAYS("5 mm", error_of_shell(form_plane(1, 1, 0.004), 4));
    CHECK_SAYS("thinner", error_of_shell(form_plane(1, 1, 0.0014), 4));
    it = form_plane(2, 2, 1);
    it.points[4] = it.points[3];
    CHECK_SAYS("thinner", error_of_shell(it, 4));
    check_bad(1, 0, 0);
}

/* Whether the tool accepts a triangle of half a base and a height, in
 * places. */
static bool is_broad(int32_t half, int32_t height)
{
    vsp_place left = {-half, 0, 0}, right = {half, 0, 0}, top = {0, 0, height};
    uint32_t triangles[1][3] = {{0, 1, 2}};
    vec3 points[3];
    const char *error;

    points[0] = place_meters(left);
    points[1] = place_meters(right);
    points[2] = place_meters(top);
    error = shell_build(&shell, points, 3, triangles, 1, 4);
    if (!error)
        check_shell(&shell.shell);
    else
        CHECK_SAYS("thinner", error);
    shell_free(&shell);
    return !error;
}

static void slim_triangles(void)
{
    CHECK(is_broad(3000, VSP_PLACE / 1000 + 1));
    CHECK(!is_broad(3000, VSP_PLACE / 1000 - 1));
    CHECK(is_broad(PLACE_LIMIT, PLACE_LIMIT / 50 + 1));
    CHECK(!is_broad(PLACE_LIMIT, PLACE_LIMIT / 50 - 1));
    CHECK(!is_broad(PLACE_LIMIT, 0));
}

static void triangles_that_cross(void)
{
    form it = form_plane(2, 2, 1);

    it.points[8] = vec_make(-0.5, 0, 0.1); /* a corner, folded back */
    CHECK_SAYS("cross", error_of_shell(it, 4));
    it = form_box(1, 1, 1);
    memcpy(it.triangles[9], it.triangles[4], sizeof it.triangles[4]);
    CHECK_SAYS("twice", error_of_shell(it, 4));
    check_bad(2, 4, 9);
    it = form_box(1, 1, 1);
    it.triangles[9][0] = it.triangles[4][1];
    it.triangles[9][1] = it.triangles[4][0];
    it.triangles[9][2] = it.triangles[4][2];
    CHECK_SAYS("twice", error_of_shell(it, 4));
    check_bad(2, 4, 9);
    it = form_box(1, 1, 1);
    it.points[7] = vec_make(-1, -1, -3); /* through the bottom */
    CHECK_SAYS("cross", error_of_shell(it, 4));
}

static void bulk_of_no_sheet(void)
{
    vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    uint32_t triangles[1][3] = {{0, 1, 2}};
    vsp_bulk bulk;

    CHECK(!find_sheet_bulk(&bulk, points, triangles, 1));
    CHECK(!find_sheet_bulk(&bulk, points, triangles, 0));
    points[2].y = 1;
    CHECK(find_sheet_bulk(&bulk, points, triangles, 1));
    CHECK_NEAR(0.5, float_number(bulk.volume), 0);
}

/* Two runs must write the same bytes, and the compiled table must be the
 * same. */
static void check_compiled(const vsp_shell *it, form from)
{
    const vsp_mesh *sheet = &it->sheet, *made = &shell.shell.sheet;

    if (!build_shell(from, MESH_LEAF))
        return;
    check_shell(it);
    CHECK_BYTES(&shell.shell.bulk, &it->bulk, sizeof it->bulk);
    if (CHECK_UINT(made->vertex_count, sheet->vertex_count))
        CHECK_BYTES(made->vertices, sheet->vertices,
                    made->vertex_count * sizeof *made->vertices);
    if (CHECK_UINT(made->triangle_count, sheet->triangle_count))
        CHECK_BYTES(made->triangles, sheet->triangles,
                    made->triangle_count * sizeof *made->triangles);
    if (CHECK_UINT(made->node_count, sheet->node_count))
        CHECK_BYTES(made->nodes, sheet->nodes,
                    made->node_count * sizeof *made->nodes);
    CHECK_HEX(vsp__digest_table(&shell.shell), vsp__digest_table(it));
    shell_free(&shell);
}

static void compiled_shells(void)
{
    check_compiled(&shell_plate, form_plane(4, 4, 0.25));
    check_compiled(&shell_leaf, form_leaf());
    check_compiled(&shell_ring, form_ring(12, 0.25, 0.06));
    check_compiled(&shell_bowl, form_bowl(12, 4, 0.4, 1.35));
    check_compiled(&shell_boat, form_boat());
    check_compiled(&shell_tub, form_bowl(16, 5, 3.0, 1.3));
    check_compiled(&shell_triangle, form_standing_triangle());
}


/* ---- Fields -------------------------------------------------------------- */

static field_heights heights;
static field_storage ground;
static const field_options plain = {1.0, 0.5, 0, (double)NAN};

static const char *parse_heights(const char *text)
{
    field_free_heights(&heights);
    return field_parse(&heights, text, strlen(text));
}

static void check_numbers(const double *numbers, uint32_t columns,
                          uint32_t rows)
{
    if (!CHECK_UINT(columns, heights.columns) ||
        !CHECK_UINT(rows, heights.rows))
        return;
    for (uint32_t i = 0; i < columns * rows; i++)
        CHECK_NEAR(numbers[i], heights.numbers[i], 0);
}

static void files_of_fields(void)
{
    static const double numbers[] = {1, 2, 3, 4, 5, 6};
    static const double wide[] = {258, 2, 3, 65535};
    static const char deep[] = "P5 2 2 65535\n\1\2\0\2\0\3\377\377";

    CHECK(!parse_heights("1 2,3\n\n4;5\t6\r\n"));
    check_numbers(numbers, 3, 2);
    CHECK(!heights.is_in_steps);
    CHECK(!parse_heights("P2 # grey\n3 2\n# highest\n6\n1 2 3\n4 5 6\n"));
    check_numbers(numbers, 3, 2);
    CHECK(heights.is_in_steps);
    CHECK(!parse_heights("P5\n3 2 255\n\1\2\3\4\5\6"));
    check_numbers(numbers, 3, 2);
    field_free_heights(&heights);
    CHECK(!field_parse(&heights, deep, sizeof deep - 1));
    check_numbers(wide, 2, 2);
    field_free_heights(&heights);
}

static void files_of_no_field(void)
{
    CHECK_SAYS("no numbers", parse_heights(""));
    CHECK_SAYS("no numbers", parse_heights(" \n \n"));
    CHECK_SAYS("different", parse_heights("1 2\n3\n"));
    CHECK_SAYS("no number", parse_heights("1 2\n3 x\n"));
    CHECK_SAYS("no number", parse_heights("1 2\n3 nan\n"));
    CHECK_SAYS("no number", parse_heights("1 2\n3 1e99\n"));
    CHECK_SAYS("no picture", parse_heights("P2 3 2"));
    CHECK_SAYS("no picture", parse_heights("P2 0 2 255 1"));
    CHECK_SAYS("no picture", parse_heights("P2 3 5000 255 1"));
    CHECK_SAYS("no picture", parse_heights("P2 3 2 70000 1"));
    CHECK_SAYS("grey", parse_heights("P2 2 2 255 1 2 3"));
    CHECK_SAYS("grey", parse_heights("P2 2 2 255 1 2 3 256"));
    CHECK_SAYS("too few", parse_heights("P5 2 2 255\n\1\2\3"));
    CHECK_SAYS("too few", parse_heights("P5 2 2 255"));
    CHECK_SAYS("above", parse_heights("P5 2 2 3\n\1\2\3\4"));
    field_free_heights(&heights);
    CHECK_SAYS("neither", field_parse(&heights, "1 2\0003 4", 7));
    field_free_heights(&heights);
}

static const char *build_field(const char *text, field_options options)
{
    const char *error = parse_heights(text);

    field_free(&ground);
    return error ? error : field_build(&ground, &heights, &options);
}

static void fields_of_numbers(void)
{
    static const int16_t plain_steps[] = {0, 3, VSP_HOLE, -4, 1, 2};
    field_options options = plain;

    options.hole = -9999;
    if (!CHECK(!build_field("0 1.5 -9999\n-2 0.4 1\n", options)))
        return;
    CHECK_HEX(VSP_TABLE_HEIGHT_FIELD, ground.field.kind);
    CHECK_UINT(3, ground.field.columns);
    CHECK_UINT(2, ground.field.rows);
    CHECK_UINT(VSP_PLACE, (uint32_t)ground.field.cell);
    CHECK_UINT(VSP_PLACE / 2, (uint32_t)ground.field.step);
    CHECK_BYTES(plain_steps, ground.heights, sizeof plain_steps);
    CHECK(ground.field.low == -4 && ground.field.high == 3);
    check_taken(&ground.field);
    options.base = 100;
    CHECK(!build_field("P2 2 2 255 100 101 99 255", options));
    CHECK(ground.field.low == -1 && ground.field.high == 155);
    CHECK(ground.heights[0] == 0 && ground.heights[1] == 1);
    options.base = 0;
    options.step = 0.001; /* 1048.576 places: samples keep their values */
    CHECK(!build_field("P2 2 2 65535 0 1 30000 32767", options));
    CHECK(ground.heights[2] == 30000 && ground.heights[3] == 32767);
    field_free(&ground);
    field_free_heights(&heights);
}

static const char *error_of_field(double cell, double step)
{
    field_options options = plain;

    options.cell = cell;
    options.step = step;
    return build_field("0 1\n2 3\n", options);
}

static void fields_that_are_none(void)
{
    field_options options = plain;

    CHECK_SAYS("2 to 4096", build_field("1 2 3", plain));
    CHECK_SAYS("2 to 4096", build_field("1\n2\n3", plain));
    CHECK_SAYS("cell", error_of_field(0, 1));
    CHECK_SAYS("cell", error_of_field(0.0001, 1));
    CHECK_SAYS("cell", error_of_field(-1, 1));
    CHECK_SAYS("cell", error_of_field((double)NAN, 1));
    CHECK_SAYS("step", error_of_field(1, 0));
    CHECK_SAYS("step", error_of_field(1, -1));
    CHECK_SAYS("step", error_of_field(1, 101));
    CHECK_SAYS("32767 steps", error_of_field(1, 1e-6));
    CHECK_SAYS("100 m", build_field("0 1\n2 101\n", plain));
    options.step = 0.7; /* 143 steps are 100.1 m */
    CHECK_SAYS("100 m", build_field("0 1\n2 99.99\n", options));
    options = plain;
    options.cell = 100;
    CHECK_SAYS("200 m", build_field("0 0 0 0\n0 0 0 0", options));
    options = plain;
    options.hole = 7;
    CHECK_SAYS("holes", build_field("7 7\n7 7", options));
    field_free(&ground);
    field_free_heights(&heights);
}


/* ---- OBJ files ----------------------------------------------------------- */

static const char *parse_obj(obj_mesh *out, const char *text, size_t *line)
{
    return obj_parse(out, text, 2.0, line);
}

static void obj_files(void)
{
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 3, 0, 1, 2, 1, 0};
    obj_mesh out;
    size_t line;

    CHECK(!parse_obj(&out,
                     "# a quad\r\no thing\nv 0 0 0\r\n  v\t1 0.5 -1e-1 1\n"
                     "v 1 1 0 # corner\nvn 0 0 1\nvt 1 2\nv 0 1 0\n"
                     "f 1/1/1 2//2 3/3 4\nf -1 -4 -3\nusemtl red\n"
                     "\tf 3 2 1",
                     &line));
    CHECK_UINT(4, (uint32_t)out.point_count);
    CHECK_NEAR(1, out.points[1].y, 0);
    CHECK_NEAR(-0.2, out.points[1].z, 1e-15);
    if (CHECK_UINT(4, (uint32_t)out.triangle_count))
        CHECK_BYTES(corners, out.triangles, sizeof corners);
    obj_free(&out);
}

static void check_obj_error(const char *part, uint32_t at, const char *text)
{
    obj_mesh out;
    size_t line;

    CHECK_SAYS(part, parse_obj(&out, text, &line));
    CHECK_UINT(at, (uint32_t)line);
    obj_free(&out);
}

static void files_that_are_no_obj(void)
{
    check_obj_error("no vertex", 1, "");
    check_obj_error("no vertex", 3, "hello\nworld\n");
    check_obj_error("three numbers", 2, "v 1 2 3\nv 1 2\nv 4 5 6");
    check_obj_error("three numbers", 1, "v 1 2 nan\n");
    check_obj_error("three numbers", 1, "v 1 2 1e10\n");
    check_obj_error("three numbers", 1, "v 1 2 x\n");
    check_obj_error("not a vertex", 4, "v 1 2 3\nv 1 2 3\n\nf 1 2 3\n");
    check_obj_error("not a vertex", 2, "v 1 2 3\nf 0 1 1\n");
    check_obj_error("not a vertex", 2, "v 1 2 3\nf -2 1 1\n");
    check_obj_error("not a vertex", 2, "v 1 2 3\nf 1 1x 1\n");
    check_obj_error("less than three", 2, "v 1 2 3\nf 1 1\n");
}


/* ---- Text ---------------------------------------------------------------- */

static void names_of_files(void)
{
    char name[8];

    CHECK(table_name("run.h", name, sizeof name) && !strcmp(name, "run"));
    CHECK(table_name("a.b/c-d.x.h", name, sizeof name) && !strcmp(name, "c_d"));
    CHECK(table_name("1.h", name, sizeof name) && !strcmp(name, "_1"));
    CHECK(!table_name("a/", name, sizeof name));
    CHECK(!table_name(".h", name, sizeof name));
    CHECK(!table_name("seven77.h", name, sizeof name));
}

/* A command must not end the comment that contains it. */
static void comments_do_not_end(void)
{
    table_origin origin = {"x", "vsp hull a*/b /*.obj", NULL};
    table_text text;

    table_begin(&text, &origin, "nothing", 0);
    if (CHECK(text.bytes != NULL)) {
        CHECK(strstr(text.bytes, "hull a*|b |*.obj\n") != NULL);
        CHECK(strstr(text.bytes, "#define X_TABLE_H\n") != NULL);
    }
    table_free(&text);
}

/* Returns a file of port/scenes/tables; empty if there is none. */
static char *read_table(const char *name)
{
    static char bytes[1000000];
    char file[100];
    FILE *in;
    size_t size = 0;

    snprintf(file, sizeof file, "port/scenes/tables/%s.h", name);
    in = fopen(file, "rb");
    if (in) {
        size = fread(bytes, 1, sizeof bytes - 1, in);
        fclose(in);
    }
    bytes[size] = '\0';
    return bytes;
}

/* Each table is made twice, because the result must not depend on tables made
 * before. */
static void checked_in_tables(void)
{
    for (int i = 0; i < 2 * FORM_COUNT; i++) {
        const char *name = form_names[i % FORM_COUNT];
        table_text text;

        if (!CHECK(!form_write(&text, i % FORM_COUNT)))
            return;
        test_note("port/scenes/tables/%s.h: `vsp tables` rewrites it", name);
        CHECK(text.bytes && strcmp(text.bytes, read_table(name)) == 0);
        table_free(&text);
    }
}

static void compiled_tables(void)
{
    static const vsp_hull *const hulls[] = {&hull_box, &hull_prism, &hull_cone,
                                            &hull_ball, &hull_wedge};

    for (uint32_t i = 0; i < COUNT_OF(hulls); i++) {
        test_note("hull %u", i);
        check_hull(hulls[i]);
        check_taken(hulls[i]);
    }
    test_note("");
    check_taken(&mesh_plane);
    check_taken(&mesh_run);
    check_taken(&field_hills);
    CHECK_NEAR(1, float_number(hull_box.bulk.volume), 0);
    check_mesh(&mesh_plane);
    check_mesh(&mesh_run);
    CHECK_UINT(1000, mesh_plane.triangle_count);
    CHECK_UINT(500, mesh_run.triangle_count);
    CHECK_NEAR(5.0, mesh_run.nodes[0].high.y / (double)VSP_PLACE, 0.6);
    CHECK_NEAR(0.5, mesh_run.nodes[0].low.y / (double)VSP_PLACE, 1e-6);
    CHECK_UINT(33, field_hills.columns);
    CHECK_UINT(33, field_hills.rows);
}


static const test tests[] = {
    TEST(forms_become_hulls),    TEST(box_of_many_points),
    TEST(noisy_boxes),           TEST(flat_roofs),
    TEST(random_clouds),         TEST(too_many_corners),
    TEST(tolerance_leaves_out),  TEST(hulls_that_are_none),
    TEST(mass_of_a_box),         TEST(mass_of_a_tetrahedron),
    TEST(mass_of_a_wedge),       TEST(mass_of_a_prism),
    TEST(bulk_of_no_solid),      TEST(mesh_of_a_cube),
    TEST(mesh_of_a_room),        TEST(mesh_of_a_plane),
    TEST(edges_that_bend),       TEST(mesh_of_loose_triangles),
    TEST(triangle_turned_over),  TEST(mesh_of_any_triangles),
    TEST(meshes_that_are_none),  TEST(shell_of_a_plate),
    TEST(shell_of_a_box),        TEST(mass_of_a_tilted_plate),
    TEST(grids_that_close),      TEST(forms_of_shells),
    TEST(large_shells),          TEST(shells_of_any_triangles),
    TEST(shells_that_are_none),  TEST(slim_triangles),
    TEST(triangles_that_cross),  TEST(bulk_of_no_sheet),
    TEST(compiled_shells),       TEST(files_of_fields),
    TEST(files_of_no_field),     TEST(fields_of_numbers),
    TEST(fields_that_are_none),  TEST(obj_files),
    TEST(files_that_are_no_obj), TEST(names_of_files),
    TEST(comments_do_not_end),   TEST(checked_in_tables),
    TEST(compiled_tables),       TEST_END,
};

const test_suite tables_suite = {"tables", tests};
