/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Signed distance fields: contacts with their grids and spheres, against
 * formulas; and the tool that makes them from meshes. */

#include "scene_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/record/record.h"
#include "port/geometry/implicit_surface.h"
#include "port/geometry/mesh_distance.h"
#include "port/geometry/sdf.h"
#include "port/scenes/tables.h"

#define ENVELOPE VSP__REAL(0.01)
#define WIDTH VSP__REAL(0.0002)


/* ---- Numbers ------------------------------------------------------------ */

static double metres(vsp__num a)
{
    return num(r_show(a));
}

static vec3 of_v3(vsp__v3 v)
{
    return vec_from(v3_show(v));
}

static vec3 of_u3(vsp__v3 v)
{
    return vec_from(u3_show(v));
}

static vsp__v3 to_v3(double x, double y, double z)
{
    return v3_read(real3(x, y, z));
}

static uint32_t random_bits;

/* returns -1 to 1 */
static double random_part(void)
{
    random_bits = random_bits * 1664525u + 1013904223u;
    return (double)(random_bits >> 8) / 8388608.0 - 1.0;
}

static vsp__pose pose_at(double x, double y, double z, vsp_quat rotation)
{
    vsp__pose pose;
    vsp__unit_quat q;

    pose.position = to_v3(x, y, z);
    CHECK(vsp__q_read(rotation, &q));
    vsp__q_axes_flushed(&q, &pose.axes);
    return pose;
}

static vsp_quat random_turn(void)
{
    vec3 axis = vec_unit(
        vec_make(random_part(), random_part(), random_part() + 0.001));

    return turn(180 * random_part(), axis.x, axis.y, axis.z);
}


/* ---- Solids of formulas -------------------------------------------------
 * A grid of 20 x 20 x 20 points, 0.1 m apart, around the origin. */

#define SIDE 20
#define CELL 0.1
#define LOW (-0.95)

static int16_t distances[SIDE * SIDE * SIDE];
static vsp_sphere_node nodes[8];
static vsp_sdf table;

/* a distance by a formula */
typedef double form(vec3 at);

static double ball(vec3 at)
{
    return vec_length(at) - 0.6;
}

/* thinner than half of a cell on both sides of y = 0 */
static double plate(vec3 at)
{
    return fabs(at.y) - 0.04;
}

static double slab(vec3 at)
{
    return at.y + 0.2;
}

/* a groove along z, with walls at 45 degrees, whose bottom is at y = 0 */
static double groove(vec3 at)
{
    return (at.y - fabs(at.x)) * sqrt(0.5);
}

static void make_table(form *f)
{
    memset(&table, 0, sizeof table);
    table.kind = VSP_TABLE_SDF;
    table.count[0] = table.count[1] = table.count[2] = SIDE;
    table.low.x = table.low.y = table.low.z = (int32_t)(LOW * VSP_PLACE);
    table.cell = (int32_t)(CELL * VSP_PLACE);
    table.step = table.cell / 1000;
    table.distances = distances;
    table.nodes = nodes;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        vec3 at = vec_make(LOW + CELL * (i % SIDE),
                           LOW + CELL * (i / SIDE % SIDE),
                           LOW + CELL * (i / SIDE / SIDE));

        distances[i] = (int16_t)floor(f(at) * VSP_PLACE / table.step + 0.5);
    }
}

static void add_sphere(double x, double y, double z, double radius)
{
    vsp_sphere_node *node = &nodes[table.node_count++];

    node->center.x = (int32_t)(x * VSP_PLACE);
    node->center.y = (int32_t)(y * VSP_PLACE);
    node->center.z = (int32_t)(z * VSP_PLACE);
    node->radius = (int32_t)(radius * VSP_PLACE);
    node->next = table.node_count;
}

static void distances_are_those_of_the_form(void)
{
    make_table(ball);
    random_bits = 1;
    for (int i = 0; i < 1000; i++) {
        vec3 at = vec_scale(
            vec_make(random_part(), random_part(), random_part()), 2.0);
        vsp__v3 normal, point = to_v3(at.x, at.y, at.z);
        double d = metres(vsp__sdf_distance(&table, &point, &normal));

        if (vec_length(at) < 0.2)
            continue;
        test_note("at %g %g %g", at.x, at.y, at.z);
        CHECK_NEAR(ball(at), d, 0.02);
        CHECK_AT_LEAST(0.97, vec_dot(of_u3(normal), vec_unit(at)));
        CHECK_NEAR(1, vec_length(of_u3(normal)), 1e-6);
    }
    test_note("");
}

static void the_middle_of_a_plate_has_a_way_out(void)
{
    make_table(plate);
    for (int i = -9; i <= 9; i++) {
        vsp__v3 normal, point = to_v3(0.1 * i, 0, 0);
        double d = metres(vsp__sdf_distance(&table, &point, &normal));

        CHECK_AT_MOST(0.05, fabs(d));
        CHECK_NEAR(1, vec_length(of_u3(normal)), 1e-6);
    }
}


/* ---- Touching ----------------------------------------------------------- */

static vsp__reducer gather;
static vsp__touch touches[VSP__REDUCER_GROUPS];
static uint32_t touch_count;

static vsp__pose here; /* pose of the solid */

static void touch_plane(const vsp__pose *plane, const vsp__placed_sdf *b,
                        vsp__num envelope)
{
    vsp__placed_sdf a = {NULL, plane};

    vsp__touch_two_sdfs(&a, b, envelope, &gather);
}

static void read_touches(void)
{
    touch_count = vsp__reducer_end(&gather, WIDTH);
    for (uint32_t i = 0; i < touch_count; i++)
        vsp__reducer_get(&gather, i, &touches[i]);
}

static void touch_solid(const vsp__pose *pose, vsp__core core, double radius,
                        double x, double y, double z)
{
    vsp__placed_sdf a;
    vsp__convex b;

    memset(&b, 0, sizeof b);
    a.table = &table;
    a.pose = &here;
    b.pose = pose;
    b.core = core;
    b.radius = r_read(real(radius));
    b.half = to_v3(x, y, z);
    vsp__reducer_begin(&gather);
    vsp__touch_sdf_convex(&a, &b, ENVELOPE, &gather);
    read_touches();
}

static void touch_ball(const vsp__pose *pose, double radius)
{
    touch_solid(pose, VSP__CORE_POINT, radius, 0, 0, 0);
}

/* Checks that the points of each touch are on the two solids, apart by the gap
 * along the normal. */
static void check_touches(const vsp__pose *a, const vsp__pose *b,
                          double envelope)
{
    vec3 offset = vec_sub(of_v3(b->position), of_v3(a->position));

    for (uint32_t i = 0; i < touch_count; i++) {
        vec3 n = of_u3(touches[i].normal);

        CHECK_NEAR(1, vec_length(n), 1e-5);
        for (uint32_t k = 0; k < touches[i].count; k++) {
            const vsp__touch_point *p = &touches[i].points[k];
            vec3 way = vec_sub(vec_add(of_v3(p->on[1]), offset),
                               of_v3(p->on[0]));

            CHECK_AT_MOST(envelope, metres(p->gap));
            if (touches[i].count == 1)
                CHECK_AT_MOST(2e-5, vec_length(vec_sub(
                                        way, vec_scale(n, metres(p->gap)))));
        }
    }
}

static double deepest_gap(void)
{
    double least = 1e9;

    for (uint32_t i = 0; i < touch_count; i++)
        for (uint32_t k = 0; k < touches[i].count; k++)
            least = fmin(least, metres(touches[i].points[k].gap));
    return least;
}

/* Also far from the origin, where floats have fewer places. */
static void a_ball_on_a_grid_is_as_on_a_ball(void)
{
    make_table(ball);
    random_bits = 2;
    for (int i = 0; i < 2000; i++) {
        vec3 way = vec_unit(
            vec_make(random_part(), random_part(), random_part() + 0.001));
        double radius = 0.05 + 0.5 * fabs(random_part());
        double gap = 0.1 * random_part();
        vsp__pose b;

        here = pose_at(200, -20, 7, random_turn());
        way = vec_scale(way, 0.6 + radius + gap);
        b = pose_at(200 + way.x, -20 + way.y, 7 + way.z, random_turn());
        touch_ball(&b, radius);
        test_note("radius %g gap %g", radius, gap);
        check_touches(&here, &b, 0.01);
        if (gap > 0.06)
            CHECK_UINT(0, touch_count);
        if (gap < -0.04) {
            CHECK_AT_LEAST(1, touch_count);
            CHECK_NEAR(gap, deepest_gap(), 0.05);
            CHECK_AT_LEAST(0.97,
                           vec_dot(of_u3(touches[0].normal), vec_unit(way)));
        }
    }
    test_note("");
}

static void a_large_ball_is_felt_from_outside_of_the_grid(void)
{
    vsp__pose b;

    make_table(ball);
    here = pose_at(0, 0, 0, turn(30, 0, 0, 1));
    b = pose_at(3.0, 4.0, 0, turn(0, 0, 0, 1));
    touch_ball(&b, 4.42);
    if (!CHECK_UINT(1, touch_count))
        return;
    CHECK_NEAR(-0.02, deepest_gap(), 0.01);
    CHECK_NEAR(0.6, of_u3(touches[0].normal).x, 0.03);
    CHECK_NEAR(0.8, of_u3(touches[0].normal).y, 0.03);
}

static void a_ball_in_a_groove_touches_both_walls(void)
{
    for (int i = -4; i <= 4; i++) {
        vsp__pose b = pose_at(0.001 * i, 0.3 * sqrt(2.0), 0.13,
                              turn(0, 0, 0, 1));
        double least = 1, most = -1;

        make_table(groove);
        here = pose_at(0, 0, 0, turn(0, 0, 0, 1));
        touch_ball(&b, 0.3);
        check_touches(&here, &b, 0.01);
        for (uint32_t k = 0; k < touch_count; k++) {
            least = fmin(least, of_u3(touches[k].normal).x);
            most = fmax(most, of_u3(touches[k].normal).x);
        }
        test_note("%d mm beside the middle", i);
        CHECK_NEAR(-sqrt(0.5), least, 0.05);
        CHECK_NEAR(sqrt(0.5), most, 0.05);
    }
    test_note("");
}

/* A lying capsule must touch at both ends. */
static void a_capsule_lies_on_its_ends(void)
{
    vsp__pose b = pose_at(0, -0.105, 0, turn(90, 0, 0, 1));
    double low = 0, high = 0;

    make_table(slab);
    here = pose_at(0, 0, 0, turn(0, 0, 0, 1));
    touch_solid(&b, VSP__CORE_SEGMENT, 0.1, 0, 0.5, 0);
    check_touches(&here, &b, 0.01);
    if (!CHECK_UINT(1, touch_count))
        return;
    CHECK_NEAR(1, of_u3(touches[0].normal).y, 1e-4);
    CHECK_NEAR(-0.005, deepest_gap(), 2e-4);
    for (uint32_t i = 0; i < touches[0].count; i++) {
        low = fmin(low, of_v3(touches[0].points[i].on[0]).x);
        high = fmax(high, of_v3(touches[0].points[i].on[0]).x);
    }
    CHECK_NEAR(-0.5, low, 1e-3);
    CHECK_NEAR(0.5, high, 1e-3);
}

static void a_box_stands_on_its_corners(void)
{
    vsp__pose b = pose_at(0.05, 0.098, 0, turn(30, 0, 1, 0));

    make_table(slab);
    here = pose_at(0, 0, 0, turn(0, 0, 0, 1));
    touch_solid(&b, VSP__CORE_BRICK, 0, 0.4, 0.3, 0.2);
    check_touches(&here, &b, 0.01);
    if (!CHECK_UINT(1, touch_count))
        return;
    CHECK_UINT(4, touches[0].count);
    CHECK_NEAR(-0.002, deepest_gap(), 2e-4);
}

/* Leaves of a tree must touch the face of a box. */
static void a_box_face_feels_leaves(void)
{
    vsp__pose b = pose_at(0, 1.59, 0.3, turn(0, 0, 1, 0));

    make_table(ball);
    here = pose_at(0, 0, 0, turn(90, 1, 0, 0));
    add_sphere(0, 0, 0, 0.6);
    touch_solid(&b, VSP__CORE_BRICK, 0, 5, 1, 5);
    check_touches(&here, &b, 0.01);
    if (!CHECK_UINT(1, touch_count))
        return;
    CHECK_UINT(1, touches[0].count);
    CHECK_NEAR(-0.01, deepest_gap(), 1e-5);
    CHECK_NEAR(0.6, of_v3(touches[0].points[0].on[0]).y, 1e-5);
    CHECK_NEAR(1, of_u3(touches[0].normal).y, 1e-5);
}

static void leaves_on_a_half_space(void)
{
    vsp__pose plane = pose_at(5, 0, 0, turn(0, 0, 0, 1));
    vsp__placed_sdf b;

    make_table(ball);
    here = pose_at(0, 0.3, 0, turn(90, 0, 0, 1));
    add_sphere(0, 0, 0, 0.7);
    nodes[0].next = 5;
    add_sphere(-0.2, 0.3, 0, 0.1); /* the lowest one, as x is up */
    add_sphere(-0.2, -0.3, 0, 0.1);
    add_sphere(-0.19, 0.0, 0.3, 0.1);
    add_sphere(0.3, 0.0, 0.3, 0.1);
    b.table = &table;
    b.pose = &here;
    vsp__reducer_begin(&gather);
    touch_plane(&plane, &b, VSP__REAL(0.05));
    read_touches();
    check_touches(&plane, &here, 0.05);
    if (!CHECK_UINT(1, touch_count))
        return;
    CHECK_UINT(3, touches[0].count);
    CHECK_NEAR(0, deepest_gap(), 1e-5);
    CHECK_NEAR(1, of_u3(touches[0].normal).y, 1e-6);
}

static void solids_feel_each_other(void)
{
    vsp__pose other = pose_at(0.72, 0.96, 0, turn(75, 0, 0, 1));
    vsp__placed_sdf a, b;

    make_table(ball);
    add_sphere(0, 0, 0, 0.6);
    here = pose_at(0, 0, 0, turn(0, 0, 0, 1));
    a.table = b.table = &table;
    a.pose = &here;
    b.pose = &other;
    vsp__reducer_begin(&gather);
    vsp__touch_two_sdfs(&a, &b, VSP__REAL(0.05), &gather);
    read_touches();
    check_touches(&here, &other, 0.05);
    CHECK_NEAR(0, deepest_gap(), 0.02);
    for (uint32_t i = 0; i < touch_count; i++)
        CHECK_AT_LEAST(
            0.97, vec_dot(of_u3(touches[i].normal), vec_make(0.6, 0.8, 0)));
    nodes[0].radius = (int32_t)(0.4 * VSP_PLACE);
    vsp__reducer_begin(&gather);
    vsp__touch_two_sdfs(&a, &b, VSP__REAL(0.05), &gather);
    CHECK_UINT(0, vsp__reducer_end(&gather, WIDTH));
}

/* Returns the gap between two fields, or a field and a half-space; 1 if they
 * are far apart. */
static double gap_of(const vsp_sdf *sdf, const vsp__pose *other, bool is_two)
{
    vsp__placed_sdf a, b;

    a.table = b.table = sdf;
    a.pose = &here;
    b.pose = other;
    vsp__reducer_begin(&gather);
    if (is_two)
        vsp__touch_two_sdfs(&a, &b, ENVELOPE, &gather);
    else
        touch_plane(other, &a, ENVELOPE);
    read_touches();
    return touch_count > 0 ? deepest_gap() : 1.0;
}

/* The tree may skip only leaves that are far away. */
static void a_tree_is_as_good_as_its_leaves(void)
{
    vsp_sdf flat;
    vsp_sphere_node leaves[64];
    sdf_storage solid;
    obj_mesh mesh;
    sdf_options options = sdf_options_default();

    if (!CHECK(make_torus_mesh(&mesh, 0.4, 0.15)) ||
        !CHECK(!sdf_build(&solid, mesh.points, mesh.point_count, mesh.triangles,
                          mesh.triangle_count, &options)))
        return;
    flat = solid.sdf;
    flat.nodes = leaves;
    flat.node_count = 0;
    for (uint32_t i = 0; i < solid.sdf.node_count; i++)
        if (solid.nodes[i].next == i + 1) {
            leaves[flat.node_count] = solid.nodes[i];
            leaves[flat.node_count].next = flat.node_count + 1u;
            flat.node_count++;
        }
    CHECK_UINT(64, flat.node_count);
    random_bits = 3;
    for (int i = 0; i < 300; i++) {
        vsp__pose other = pose_at(0.3 * random_part(), 0.3 + random_part(),
                                  0.3 * random_part(), random_turn());

        here = pose_at(0, 0, 0, random_turn());
        CHECK_NEAR(gap_of(&solid.sdf, &other, i % 2 != 0),
                   gap_of(&flat, &other, i % 2 != 0), 1e-9);
    }
    sdf_free(&solid);
    obj_free(&mesh);
}


/* Leaves must touch ground of triangles as they touch a half-space. */
static void leaves_on_triangles(void)
{
    vsp__pose plane = pose_at(0, -0.3, 0, turn(0, 0, 0, 1));
    vsp__surface surface;
    vsp__placed_sdf b;

    memset(&surface, 0, sizeof surface);
    surface.pose = &plane;
    surface.mesh = &mesh_plane;
    b.table = &sdf_animal;
    b.pose = &here;
    random_bits = 4;
    for (int i = 0; i < 200; i++) {
        double gap = 1.0;
        vec3 normal = {0, 0, 0};

        here = pose_at(5 * random_part(), 0.3 * random_part(),
                       5 * random_part(), random_turn());
        vsp__reducer_begin(&gather);
        touch_plane(&plane, &b, ENVELOPE);
        read_touches();
        if (touch_count > 0) {
            gap = deepest_gap();
            normal = of_u3(touches[0].normal);
        }
        /* a sphere that is entirely behind the triangles has no contact */
        if (gap < -0.02)
            continue;
        vsp__reducer_begin(&gather);
        vsp__touch_surface_sdf(&surface, &b, ENVELOPE, &gather);
        read_touches();
        check_touches(&plane, &here, 0.01);
        CHECK_NEAR(gap, touch_count > 0 ? deepest_gap() : 1.0,
                   TOLERANCE(1e-5, 2e-5));
        if (touch_count > 0)
            CHECK_AT_LEAST(0.9999, vec_dot(normal, of_u3(touches[0].normal)));
    }
}


/* ---- Scenes -------------------------------------------------------------- */

static vsp_shape_def shape_of(uint32_t number)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(1.0));

    shape.type = VSP_SHAPE_SDF;
    shape.size = real3(0, 0, 0);
    shape.table = number;
    return shape;
}

static vsp_world *world_of(const void *first, const void *second)
{
    vsp_world *world = new_world();
    uint32_t index = 0;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, first, &index, NULL));
    CHECK_UINT(1, index);
    if (second)
        CHECK_STATUS(VSP_OK, vsp_world_add_table(world, second, &index, NULL));
    return world;
}

/* returns the speed of the fastest body, m/s; *deepest is the deepest contact,
 * m */
static double unrest(const vsp_world *world, double *deepest)
{
    double most = 0;

    *deepest = 0;
    for (uint32_t i = 0; i < vsp_contact_count(world); i++) {
        vsp_contact contact;

        CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &contact));
        for (uint32_t k = 0; k < contact.point_count; k++)
            *deepest = fmax(*deepest, -num(contact.points[k].separation));
    }
    for (uint32_t i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(world, i);

        if (id.bits)
            most = fmax(most,
                        vec_length(vec_from(vsp_body_velocity(world, id))));
    }
    return most;
}

static void check_stands(vsp_world *world)
{
    double deepest;
    vsp_body_id id = add_body(world, VSP_DYNAMIC, shape_of(1), 0.3, 0.6, 0.2);

    step_world(world, 240);
    CHECK_AT_MOST(1e-3, unrest(world, &deepest));
    CHECK_AT_MOST(1e-3, deepest);
    /* upright, on its legs */
    CHECK_NEAR(0.39, num(vsp_body_center(world, id).y), 0.01);
    CHECK_NEAR(0.081 * 1000, num(vsp_body_mass(world, id)), 1);
}

static void an_animal_stands(void)
{
    vsp_world *world = world_of(&sdf_animal, NULL);

    add_ground(world);
    check_stands(world);
}

static void an_animal_stands_on_triangles(void)
{
    vsp_world *world = world_of(&sdf_animal, &mesh_plane);
    vsp_shape_def ground = shape_of(2);

    ground.type = VSP_SHAPE_MESH;
    add_body(world, VSP_STATIC, ground, 0, 0, 0);
    check_stands(world);
}

static void an_animal_stands_on_a_box(void)
{
    vsp_world *world = world_of(&sdf_animal, NULL);

    add_body(world, VSP_STATIC, vsp_box(VSP_R(3.0), VSP_R(0.5), VSP_R(2.0)), 0,
             -0.5, 0);
    check_stands(world);
}

/* returns energy without rotation, J: bodies hardly spin */
static double energy_of(const vsp_world *world)
{
    double sum = 0;

    for (uint32_t i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(world, i);
        vec3 v = vec_from(vsp_body_velocity(world, id));

        if (id.bits)
            sum += num(vsp_body_mass(world, id)) *
                   (9.81 * num(vsp_body_center(world, id).y) +
                    vec_dot(v, v) / 2);
    }
    return sum;
}

/* Piled animals must come to rest, not sink into each other, and gain no
 * energy. */
static void animals_pile(void)
{
    vsp_world *world = world_of(&sdf_animal, NULL);
    double deepest, lowest;

    add_ground(world);
    random_bits = 5;
    for (int i = 0; i < 12; i++) {
        vsp_body_def def = body_def(VSP_DYNAMIC, shape_of(1),
                                    0.4 * random_part(), 0.8 + 0.9 * i,
                                    0.4 * random_part());

        def.pose.rotation = random_turn();
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    }
    step_world(world, 200);
    lowest = energy_of(world);
    for (int i = 0; i < 600; i++) {
        double energy;

        step_world(world, 1);
        energy = energy_of(world);
        CHECK_AT_MOST(lowest + 20, energy);
        lowest = fmin(lowest, energy);
    }
    CHECK_AT_MOST(0.1, unrest(world, &deepest));
    CHECK_AT_MOST(0.02 * 1.2, deepest);
}

/* Balls roll down a slab and over its letters; none may fall through. */
static void balls_roll_over_letters(void)
{
    static const double radii[] = {0.06, 0.1, 0.15};
    vsp_world *world = world_of(&sdf_letters, NULL);
    vsp_body_def slab_def = body_def(VSP_STATIC, shape_of(1), 0, 0, 0);
    vsp_body_id id[60];

    slab_def.pose.rotation = turn(5, 0, 0, 1);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &slab_def, NULL));
    for (int i = 0; i < 60; i++)
        id[i] = add_body(world, VSP_DYNAMIC, vsp_sphere(real(radii[i % 3])),
                         3.5 - 0.4 * (i / 10), 0.9, 0.35 * (i % 10) - 1.6);
    for (int step = 0; step < 240; step++) {
        step_world(world, 1);
        for (int i = 0; i < 60; i++) {
            vec3 at = vec_from(vsp_body_center(world, id[i]));
            double over = at.y * cos(5 * PI / 180) - at.x * sin(5 * PI / 180);

            test_note("ball %d, step %d", i, step);
            if (fabs(at.x) > 3.8 || fabs(at.z) > 1.8)
                continue;
            CHECK_AT_LEAST(0.25 - 0.1 + 0.8 * radii[i % 3] - 0.02, over);
            CHECK_AT_MOST(
                5, vec_length(vec_from(vsp_body_velocity(world, id[i]))));
        }
    }
    test_note("");
}


/* ---- Piles --------------------------------------------------------------- */

static double of_bits(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

/* returns the energy of rotation of a ball or an animal, J/kg */
static double turning(const vsp_world *world, vsp_body_id id,
                      const vsp_shape_def *shape)
{
    vec3 w = vec_from(vsp_body_spin(world, id));
    double r = num(shape->size.x), sum = 0;
    double part[3];

    if (shape->type == VSP_SHAPE_SPHERE)
        return 0.2 * r * r * vec_dot(w, w);
    for (uint32_t k = 0; k < 3; k++)
        part[k] = vec_dot(w, body_axis(world, id, k));
    for (uint32_t k = 0; k < 3; k++)
        sum += of_bits(sdf_animal.bulk.inertia[k]) * part[k] * part[k] / 2;
    sum += of_bits(sdf_animal.bulk.inertia[3]) * part[0] * part[1];
    sum += of_bits(sdf_animal.bulk.inertia[4]) * part[0] * part[2];
    return sum + of_bits(sdf_animal.bulk.inertia[5]) * part[1] * part[2];
}

/* returns the energy of all bodies, J; all have one shape */
static double whole_energy(const vsp_world *world)
{
    double sum = energy_of(world);

    for (uint32_t i = 0; i < VSP_MAX_SHAPES; i++) {
        vsp_shape_id shape = vsp_shape_at(world, i);
        vsp_body_id id = vsp_shape_body(world, shape);
        vsp_shape_def def;

        if (shape.bits == 0 || vsp_body_get_type(world, id) != VSP_DYNAMIC)
            continue;
        CHECK_STATUS(VSP_OK, vsp_shape_get(world, shape, &def));
        sum += num(vsp_body_mass(world, id)) * turning(world, id, &def);
    }
    return sum;
}

/* Bodies fall and come to rest: no step may add energy, except a fraction of
 * the lost energy too small to see (unlike the teeth in the paper's figure
 * 29). */
static void check_pile(const char *name, uint32_t steps, double depth)
{
    scene_run run;
    double first, lowest, rise = 0, deepest;

    if (!play_start(&run, name))
        return;
    first = lowest = whole_energy(run.world);
    for (uint32_t i = 0; i < steps; i++) {
        double now;

        play_steps(&run, i, i + 1);
        now = whole_energy(run.world);
        rise = fmax(rise, now - lowest);
        lowest = fmin(lowest, now);
    }
    unrest(run.world, &deepest);
    CHECK_AT_MOST(depth, deepest);
    CHECK_AT_LEAST(0.1 * first, first - lowest);
    CHECK_AT_MOST(0.002 * (first - lowest), rise);
    CHECK_UINT(0, vsp_world_stats(run.world).contacts_dropped);
    CHECK_STATUS(VSP_OK, vsp_world_validate(run.world, NULL));
}

/* Animals are 1.2 m long, the smallest balls 0.12 m. */
static void piles_lose_energy(void)
{
    check_pile("animals:30", 300, 0.02 * 1.2);
    check_pile("letters:150", 300, 0.02 * 0.12);
}


/* ---- The tool ----------------------------------------------------------- */

static const char box_text[] = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\n"
                               "v 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
                               "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\n"
                               "f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static const char *build_text(sdf_storage *out, const char *text, double scale,
                              const sdf_options *options)
{
    obj_mesh mesh;
    size_t line;
    const char *error = obj_parse(&mesh, text, scale, &line);

    CHECK(!error);
    if (error)
        return error;
    error = sdf_build(out, mesh.points, mesh.point_count, mesh.triangles,
                      mesh.triangle_count, options);
    obj_free(&mesh);
    return error;
}

/* returns the distance from the box 0 0 0 to 1 2 3 */
static double from_box(vec3 at)
{
    vec3 out = vec_make(fabs(at.x - 0.5) - 0.5, fabs(at.y - 1) - 1,
                        fabs(at.z - 1.5) - 1.5);
    double most = fmax(out.x, fmax(out.y, out.z));

    return most <= 0 ? most : vec_length(vec_max(out, vec_make(0, 0, 0)));
}

static double bits_number(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static vec3 of_place(const vsp_place *p)
{
    return vec_scale(vec_make(p->x, p->y, p->z), 1.0 / VSP_PLACE);
}

static void check_spheres(const sdf_storage *solid, form *f, double flat)
{
    uint32_t leaves = 0;

    for (uint32_t i = 0; i < solid->sdf.node_count; i++) {
        const vsp_sphere_node *node = &solid->nodes[i];
        double radius = (double)node->radius / VSP_PLACE;

        if (node->next == i + 1) {
            leaves++;
            CHECK_AT_MOST(flat, f(of_place(&node->center)) + radius);
        }
        for (uint32_t k = i + 1; k < node->next; k++)
            CHECK_AT_MOST(radius,
                          vec_length(vec_sub(of_place(&solid->nodes[k].center),
                                             of_place(&node->center))) +
                              (double)solid->nodes[k].radius / VSP_PLACE);
    }
    CHECK_UINT(solid->sphere_count, leaves);
}

static void a_box_becomes_a_solid(void)
{
    sdf_options options = {30, 40, 3};
    sdf_storage solid;
    const vsp_sdf *sdf = &solid.sdf;
    double step;

    if (!CHECK(!build_text(&solid, box_text, 1.0, &options)))
        return;
    CHECK_UINT(33, sdf->count[2]);
    CHECK_UINT(13, sdf->count[0]);
    CHECK_UINT(VSP_FLAW_NONE, (uint32_t)vsp__check_table(sdf));
    CHECK_NEAR(6, bits_number(sdf->bulk.volume), 1e-6);
    CHECK_NEAR((4.0 + 9.0) / 12, bits_number(sdf->bulk.inertia[0]), 1e-6);
    CHECK_NEAR(0.5, of_place(&sdf->bulk.center).x, 1e-6);
    CHECK_NEAR(1.5, of_place(&sdf->bulk.center).z, 1e-6);
    step = (double)sdf->step / VSP_PLACE;
    for (int i = 0; i < sdf->count[0] * sdf->count[1] * sdf->count[2]; i++) {
        vec3 at = vec_make(i % sdf->count[0], i / sdf->count[0] % sdf->count[1],
                           i / sdf->count[0] / sdf->count[1]);

        at = vec_mad(of_place(&sdf->low), (double)sdf->cell / VSP_PLACE, at);
        CHECK_NEAR(from_box(at), solid.distances[i] * step, step * 0.51 + 1e-6);
    }
    check_spheres(&solid, from_box, 2e-6);
    CHECK_AT_MOST(40, solid.sphere_count);
    CHECK_AT_MOST(0.4, solid.uncovered);
    CHECK_AT_MOST(2e-6, solid.outside);
    sdf_free(&solid);
}

static double from_torus(vec3 at)
{
    double around = sqrt(at.x * at.x + at.z * at.z) - 0.4;

    return sqrt(around * around + at.y * at.y) - 0.15;
}

/* The hole of a mesh must be a hole of its solid. */
static void a_torus_has_a_hole(void)
{
    sdf_options options = sdf_options_default();
    sdf_storage solid;
    obj_mesh mesh;
    vsp__v3 normal, middle = to_v3(0, 0, 0), ring = to_v3(0.4, 0, 0);

    if (!CHECK(make_torus_mesh(&mesh, 0.4, 0.15)))
        return;
    CHECK(!sdf_build(&solid, mesh.points, mesh.point_count, mesh.triangles,
                     mesh.triangle_count, &options));
    CHECK_UINT(VSP_FLAW_NONE, (uint32_t)vsp__check_table(&solid.sdf));
    CHECK_NEAR(2 * PI * PI * 0.4 * 0.15 * 0.15,
               bits_number(solid.sdf.bulk.volume), 0.002);
    CHECK_NEAR(0.25, metres(vsp__sdf_distance(&solid.sdf, &middle, &normal)),
               0.01);
    CHECK_NEAR(-0.15, metres(vsp__sdf_distance(&solid.sdf, &ring, &normal)),
               0.04);
    check_spheres(&solid, from_torus, 1e-4);
    CHECK_AT_MOST(0.02, solid.uncovered);
    sdf_free(&solid);
    obj_free(&mesh);
}

static void check_refused(const char *text, double scale,
                          const sdf_options *options, const char *why)
{
    sdf_storage solid;
    const char *error = build_text(&solid, text, scale, options);

    test_note("%s", why);
    if (CHECK(error))
        CHECK(strstr(error, why));
    test_note("");
}

static void what_is_no_solid_is_refused(void)
{
    sdf_options options = sdf_options_default(), wrong = options;
    char text[sizeof box_text];

    check_refused("v 1 2 3\n", 1, &options, "no triangles");
    memcpy(text, box_text, sizeof text);
    *strstr(text, "f 4 1 5 8") = '\0';
    check_refused(text, 1, &options, "not closed");
    memcpy(text, box_text, sizeof text);
    memcpy(strstr(text, "f 4 1 5 8"), "f 1 4 8 5", 9);
    check_refused(text, 1, &options, "not closed");
    check_refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                  "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n",
                  1, &options, "inside out");
    check_refused(box_text, 1000, &options, "too large");
    check_refused(box_text, 1e-5, &options, "too small");
    wrong.cells = 1;
    check_refused(box_text, 1, &wrong, "out of range");
    wrong.cells = 251;
    check_refused(box_text, 1, &wrong, "out of range");
    wrong = options;
    wrong.spheres = SDF_MAX_SPHERES + 1;
    check_refused(box_text, 1, &wrong, "out of range");
    wrong = options;
    wrong.depth = 0;
    check_refused(box_text, 1, &wrong, "out of range");
    wrong.depth = SDF_MAX_DEPTH + 1;
    check_refused(box_text, 1, &wrong, "out of range");
}

/* clang-format off */
static const test tests[] = {
    TEST(distances_are_those_of_the_form),
    TEST(the_middle_of_a_plate_has_a_way_out),
    TEST(a_ball_on_a_grid_is_as_on_a_ball),
    TEST(a_large_ball_is_felt_from_outside_of_the_grid),
    TEST(a_ball_in_a_groove_touches_both_walls),
    TEST(a_capsule_lies_on_its_ends),
    TEST(a_box_stands_on_its_corners),
    TEST(a_box_face_feels_leaves),
    TEST(leaves_on_a_half_space),
    TEST(solids_feel_each_other),
    TEST(a_tree_is_as_good_as_its_leaves),
    TEST(leaves_on_triangles),
    TEST(an_animal_stands),
    TEST(an_animal_stands_on_triangles),
    TEST(an_animal_stands_on_a_box),
    TEST(animals_pile),
    TEST(balls_roll_over_letters),
    TEST_SLOW(piles_lose_energy),
    TEST(a_box_becomes_a_solid),
    TEST(a_torus_has_a_hole),
    TEST(what_is_no_solid_is_refused),
    TEST_END,
};
/* clang-format on */

const test_suite sdf_suite = {"sdf", tests};
