/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts, read after one step without gravity: where, how deep, in which
 * direction, between whom, and in which order.  Expected values come from plane
 * geometry or from an exhaustive search in double precision over all pairs. */

#include "fixture.h"

#include <math.h>
#include <string.h>

static vsp_world *world;

static void set_up(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
}

static vsp_shape_def cube_shape(void)
{
    return vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
}

static vsp_shape_def ball_shape(void)
{
    return vsp_sphere(VSP_R(0.5));
}

/* Adds a rotated body that corrections cannot move, so contacts are read as
 * detected. */
static vsp_body_id put_body(vsp_body_type type, vsp_shape_def shape, double x,
                            double y, double z, vsp_quat rotation)
{
    vsp_body_id id = add_turned(world, type, shape, x, y, z, rotation);

    CHECK_STATUS(VSP_OK, vsp_body_set_locks(world, id, VSP_LOCK_ALL));
    return id;
}

/* Makes a step and reads the contact; there must be exactly one. */
static vsp_contact only_contact(void)
{
    vsp_contact contact;

    memset(&contact, 0, sizeof contact);
    step_world(world, 1);
    if (CHECK_UINT(1, vsp_contact_count(world)))
        CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact));
    return contact;
}

static void check_vec3(double x, double y, double z, vsp_vec3 got,
                       double tolerance)
{
    CHECK_NEAR(x, num(got.x), tolerance);
    CHECK_NEAR(y, num(got.y), tolerance);
    CHECK_NEAR(z, num(got.z), tolerance);
}

static double deepest(const vsp_contact *contact)
{
    double depth = -1e9;
    uint32_t i;

    for (i = 0; i < contact->point_count; i++)
        depth = fmax(depth, -num(contact->points[i].separation));
    return depth;
}


/* ---- Balls -------------------------------------------------------------- */

static void ball_meets_ball(void)
{
    vsp_body_id a, b;
    vsp_contact contact;

    set_up();
    a = put_body(VSP_DYNAMIC, ball_shape(), 0, 0, 0, no_turn());
    b = put_body(VSP_DYNAMIC, ball_shape(), 0.54, 0.72, 0, no_turn());
    contact = only_contact();
    CHECK_HEX(a.bits, contact.body_a.bits);
    CHECK_HEX(b.bits, contact.body_b.bits);
    CHECK_UINT(1, contact.point_count);
    CHECK_NEAR(-0.1, num(contact.points[0].separation), TOLERANCE(1e-6, 4e-6));
    check_vec3(0.6, 0.8, 0, contact.normal, 1e-6);
    check_vec3(0.27, 0.36, 0, contact.points[0].position, 1e-6);
}

static void ball_in_the_place_of_a_ball(void)
{
    vsp_contact contact;

    set_up();
    put_body(VSP_DYNAMIC, ball_shape(), 1, 2, 3, no_turn());
    put_body(VSP_DYNAMIC, ball_shape(), 1, 2, 3, no_turn());
    contact = only_contact();
    CHECK_NEAR(-1, num(contact.points[0].separation), 1e-5);
    CHECK_NEAR(1,
               hypot(hypot(num(contact.normal.x), num(contact.normal.y)),
                     num(contact.normal.z)),
               1e-5);
}

static void contacts_are_made_within_the_envelope(void)
{
    vsp_contact contact;

    set_up();
    put_body(VSP_DYNAMIC, ball_shape(), 0, 0, 0, no_turn());
    put_body(VSP_DYNAMIC, ball_shape(), 0, 1.008, 0, no_turn());
    contact = only_contact();
    CHECK_NEAR(0.008, num(contact.points[0].separation), TOLERANCE(1e-6, 4e-6));
    CHECK_NEAR(0, num(contact.points[0].normal_impulse), 0);
    set_up();
    put_body(VSP_DYNAMIC, ball_shape(), 0, 0, 0, no_turn());
    put_body(VSP_DYNAMIC, ball_shape(), 0, 1.012, 0, no_turn());
    step_world(world, 1);
    CHECK_UINT(0, vsp_contact_count(world));
}

/* Tests a ball against a cube at the origin. */
static void ball_meets_cube(double x, double y, double z, double depth,
                            double nx, double ny, double nz)
{
    vsp_contact contact;

    set_up();
    put_body(VSP_STATIC, cube_shape(), 0, 0, 0, no_turn());
    put_body(VSP_DYNAMIC, ball_shape(), x, y, z, no_turn());
    test_note("ball at %g %g %g", x, y, z);
    contact = only_contact();
    CHECK_UINT(1, contact.point_count);
    CHECK_NEAR(-depth, num(contact.points[0].separation),
               TOLERANCE(1e-6, 4e-6));
    check_vec3(nx, ny, nz, contact.normal, 1e-5);
}

static void ball_meets_box(void)
{
    double edge = 0.45 * sqrt(0.5), corner = 0.45 / sqrt(3.0);

    ball_meets_cube(0.2, 0.95, 0.1, 0.05, 0, 1, 0);
    ball_meets_cube(-0.95, 0, 0, 0.05, -1, 0, 0);
    ball_meets_cube(0.5 + edge, 0.5 + edge, 0.1, 0.05, sqrt(0.5), sqrt(0.5), 0);
    ball_meets_cube(0.5 + corner, -0.5 - corner, 0.5 + corner, 0.05,
                    1 / sqrt(3.0), -1 / sqrt(3.0), 1 / sqrt(3.0));
    /* centre inside: pushed out by the nearest face */
    ball_meets_cube(0.1, 0.2, -0.4, 0.6, 0, 0, -1);
    ball_meets_cube(0.45, 0.2, -0.4, 0.55, 1, 0, 0);
    ball_meets_cube(0.1, -0.4, 0.3, 0.6, 0, -1, 0);
}

static void ball_meets_half_space(void)
{
    vsp_contact contact;

    set_up();
    put_body(VSP_STATIC, vsp_half_space(), 0, 1, 0, turn(30, 0, 0, 1));
    put_body(VSP_DYNAMIC, ball_shape(), -0.2, 1 + 0.2 * sqrt(3.0), 0,
             no_turn());
    contact = only_contact();
    CHECK_NEAR(-0.1, num(contact.points[0].separation), TOLERANCE(1e-6, 4e-6));
    check_vec3(-0.5, sqrt(0.75), 0, contact.normal, 1e-6);
}


/* ---- Boxes -------------------------------------------------------------- */

/* Tests a rotated box that overlaps the floor by 20 mm. */
static uint32_t points_on_floor(double degrees, double x, double y, double z,
                                double reach)
{
    vsp_contact contact;

    set_up();
    put_body(VSP_STATIC, vsp_half_space(), 0, 0, 0, no_turn());
    put_body(VSP_DYNAMIC, cube_shape(), 0, reach - 0.02, 0,
             turn(degrees, x, y, z));
    contact = only_contact();
    check_vec3(0, 1, 0, contact.normal, 1e-6);
    CHECK_NEAR(0.02, deepest(&contact), 1e-5);
    return contact.point_count;
}

static void box_meets_half_space(void)
{
    double s = sqrt(0.5);

    CHECK_UINT(4, points_on_floor(0, 0, 0, 1, 0.5));
    CHECK_UINT(4, points_on_floor(30, 0, 1, 0, 0.5));
    CHECK_UINT(2, points_on_floor(45, 0, 0, 1, s));
    CHECK_UINT(1, points_on_floor(54.735610317, s, 0, s, sqrt(0.75)));
}

static void box_lies_on_box(void)
{
    vsp_contact contact;
    uint32_t i;

    set_up();
    put_body(VSP_STATIC, cube_shape(), 0, 0, 0, no_turn());
    put_body(VSP_DYNAMIC, cube_shape(), 0.25, 0.98, 0.125, no_turn());
    contact = only_contact();
    CHECK_UINT(4, contact.point_count);
    check_vec3(0, 1, 0, contact.normal, 1e-6);
    for (i = 0; i < 4; i++) {
        test_note("point %u", i);
        CHECK_NEAR(-0.02, num(contact.points[i].separation), 1e-6);
        CHECK_NEAR(0.49, num(contact.points[i].position.y), 0.011);
        /* corners of the square that both faces share */
        CHECK_NEAR(0.375, fabs(num(contact.points[i].position.x) - 0.125),
                   1e-4);
        CHECK_NEAR(0.4375, fabs(num(contact.points[i].position.z) - 0.0625),
                   1e-4);
    }
}

/* Faces whose overlap is an octagon keep at most four points, spread out. */
static void turned_box_keeps_four_points(void)
{
    vsp_contact contact;
    double least = 1, most = -1;
    uint32_t i;

    set_up();
    put_body(VSP_STATIC, cube_shape(), 0, 0, 0, no_turn());
    put_body(VSP_DYNAMIC, cube_shape(), 0, 0.98, 0, turn(45, 0, 1, 0));
    contact = only_contact();
    CHECK_UINT(4, contact.point_count);
    for (i = 0; i < contact.point_count; i++) {
        least = fmin(least, num(contact.points[i].position.x));
        most = fmax(most, num(contact.points[i].position.x));
    }
    CHECK_AT_LEAST(0.4, most - least);
}

static void edge_crosses_edge(void)
{
    vsp_contact contact;
    double reach = sqrt(0.5);

    set_up();
    put_body(VSP_STATIC, cube_shape(), 0, 0, 0, turn(45, 0, 0, 1));
    put_body(VSP_DYNAMIC, cube_shape(), 0, 2 * reach - 0.03, 0,
             turn(45, 1, 0, 0));
    contact = only_contact();
    CHECK_UINT(1, contact.point_count);
    check_vec3(0, 1, 0, contact.normal, 1e-5);
    CHECK_NEAR(-0.03, num(contact.points[0].separation), 1e-5);
    check_vec3(0, reach - 0.015, 0, contact.points[0].position, 0.016);
}

static void corner_stands_on_face(void)
{
    vsp_contact contact;
    double s = sqrt(0.5);

    set_up();
    put_body(VSP_STATIC, vsp_box(VSP_R(2.0), VSP_R(0.5), VSP_R(2.0)), 0, 0, 0,
             no_turn());
    put_body(VSP_DYNAMIC, cube_shape(), 0.3, 0.5 + sqrt(0.75) - 0.01, 0.2,
             turn(54.735610317, s, 0, s));
    contact = only_contact();
    CHECK_UINT(1, contact.point_count);
    check_vec3(0, 1, 0, contact.normal, 1e-5);
    CHECK_NEAR(-0.01, num(contact.points[0].separation), 1e-5);
    CHECK_NEAR(0.3, num(contact.points[0].position.x), 1e-4);
    CHECK_NEAR(0.2, num(contact.points[0].position.z), 1e-4);
}

static void normals_point_from_a_to_b(void)
{
    vsp_contact contact;
    uint32_t order;

    for (order = 0; order < 2; order++) {
        vsp_body_id upper;

        set_up();
        if (order == 0)
            put_body(VSP_STATIC, cube_shape(), 0, 0, 0, no_turn());
        upper = put_body(VSP_DYNAMIC, cube_shape(), 0, 0.99, 0, no_turn());
        if (order == 1)
            put_body(VSP_STATIC, cube_shape(), 0, 0, 0, no_turn());
        contact = only_contact();
        CHECK_NEAR(contact.body_b.bits == upper.bits ? 1 : -1,
                   num(contact.normal.y), 1e-6);
    }
}


/* ---- Steadiness --------------------------------------------------------- */

/* A small rotation or displacement must not change the chosen axis or
 * features. */
static void normals_are_steady(void)
{
    uint32_t i;

    for (i = 0; i < 200; i++) {
        double a = 0.05 * sin(i * 1.7), s = 0.001 * sin(i * 0.9);
        vsp_contact contact;

        set_up();
        put_body(VSP_STATIC, cube_shape(), 0, 0, 0, no_turn());
        put_body(VSP_DYNAMIC, cube_shape(), s, 0.999, -s,
                 turn(a, sin(i * 1.0), cos(i * 1.0), 0));
        test_note("turned by %g degrees", a);
        contact = only_contact();
        CHECK_UINT(4, contact.point_count);
        check_vec3(0, 1, 0, contact.normal, 0.002);
    }
}

static uint32_t feature_set(const vsp_contact *contact)
{
    uint32_t i, sum = 0;

    for (i = 0; i < contact->point_count; i++)
        sum += contact->points[i].feature * 2654435761u;
    return sum;
}

/* A box that slides and rotates a little must keep its features. */
static void features_are_steady(void)
{
    uint32_t first = 0, i;

    for (i = 0; i < 100; i++) {
        vsp_contact contact;

        set_up();
        put_body(VSP_STATIC, vsp_box(VSP_R(2.0), VSP_R(0.5), VSP_R(2.0)), 0, 0,
                 0, no_turn());
        put_body(VSP_DYNAMIC, cube_shape(), 0.001 * i, 0.999, 0,
                 turn(0.01 * i, 0, 1, 0));
        test_note("shifted by %u mm", i);
        contact = only_contact();
        if (i == 0)
            first = feature_set(&contact);
        CHECK_UINT(first, feature_set(&contact));
    }
}

static void features_of_a_contact_differ(void)
{
    uint32_t turned, i, k;

    for (turned = 0; turned < 90; turned += 5) {
        vsp_contact contact;

        set_up();
        put_body(VSP_STATIC, cube_shape(), 0, 0, 0, no_turn());
        put_body(VSP_DYNAMIC, cube_shape(), 0.1, 0.99, 0.2,
                 turn(turned, 0, 1, 0));
        contact = only_contact();
        test_note("turned by %u degrees", turned);
        for (i = 0; i < contact.point_count; i++)
            for (k = 0; k < i; k++)
                CHECK(contact.points[i].feature != contact.points[k].feature);
    }
}


/* ---- Against an exhaustive search --------------------------------------- */

static double uniform(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

typedef struct plain_box {
    double half[3], center[3], axis[3][3]; /* axis[i]: direction of axis i */
} plain_box;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void read_box(vsp_body_id id, const double *half, plain_box *box)
{
    vsp_transform pose = vsp_body_transform(world, id);
    double x = num(pose.rotation.x), y = num(pose.rotation.y);
    double z = num(pose.rotation.z), w = num(pose.rotation.w);
    plain_box it = {
        {half[0], half[1], half[2]},
        {num(pose.position.x), num(pose.position.y), num(pose.position.z)},
        {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
         {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
         {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};

    *box = it;
}

/* Returns the overlap of two boxes along a direction; 1e9 if the direction is
 * 0. */
static double overlap(const plain_box *a, const plain_box *b,
                      const double *direction)
{
    double length = sqrt(dot(direction, direction)), sum = 0, between[3];
    int i;

    if (length < 1e-3)
        return 1e9;
    for (i = 0; i < 3; i++) {
        between[i] = b->center[i] - a->center[i];
        sum += a->half[i] * fabs(dot(a->axis[i], direction)) +
               b->half[i] * fabs(dot(b->axis[i], direction));
    }
    return (sum - fabs(dot(between, direction))) / length;
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Returns the least overlap over the 15 axes; below 0 the boxes are apart. */
static double box_overlap(const plain_box *a, const plain_box *b)
{
    double least = 1e9, c[3];
    int i, k;

    for (i = 0; i < 3; i++) {
        least = fmin(least, overlap(a, b, a->axis[i]));
        least = fmin(least, overlap(a, b, b->axis[i]));
        for (k = 0; k < 3; k++) {
            cross(a->axis[i], b->axis[k], c);
            least = fmin(least, overlap(a, b, c));
        }
    }
    return least;
}

static vsp_quat random_turn(uint32_t *state)
{
    vsp_quat q;

    q.x = real(uniform(state));
    q.y = real(uniform(state));
    q.z = real(uniform(state));
    q.w = real(uniform(state) + 0.001);
    return q;
}

static void check_pair_of_boxes(uint32_t *state)
{
    double half[2][3], depth;
    plain_box box[2];
    vsp_body_id id[2];
    int i, k;

    set_up();
    for (i = 0; i < 2; i++) {
        for (k = 0; k < 3; k++)
            half[i][k] = rounded(0.6 + 0.4 * uniform(state));
        id[i] = put_body(
            i ? VSP_DYNAMIC : VSP_STATIC,
            vsp_box(real(half[i][0]), real(half[i][1]), real(half[i][2])),
            uniform(state), uniform(state), uniform(state), random_turn(state));
        read_box(id[i], half[i], &box[i]);
    }
    depth = box_overlap(&box[0], &box[1]);
    step_world(world, 1);
    if (depth > 1e-4 && CHECK_UINT(1, vsp_contact_count(world))) {
        vsp_contact contact;

        CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact));
        /* a face wins over an edge that is hardly better, and a point 1 m
         * farther out over one that is 10 mm deeper */
        CHECK_AT_LEAST(depth - 0.015, deepest(&contact));
        CHECK_AT_MOST(depth * 1.1 + 0.005, deepest(&contact));
        CHECK_AT_MOST(4, contact.point_count);
    }
    if (depth < -0.0201)
        CHECK_UINT(0, vsp_contact_count(world));
}

static void boxes_agree_with_separating_axes(void)
{
    uint32_t state = 1, i;

    for (i = 0; i < 3000; i++) {
        test_note("pair %u, state %lu", i, (unsigned long)state);
        check_pair_of_boxes(&state);
    }
}

#define CROWD 400

typedef struct crowd {
    double x[CROWD], y[CROWD], z[CROWD], radius[CROWD];
} crowd;

static double crowd_gap(const crowd *c, uint32_t i, uint32_t k)
{
    double x = c->x[i] - c->x[k], y = c->y[i] - c->y[k];
    double z = c->z[i] - c->z[k];

    return sqrt(x * x + y * y + z * z) - c->radius[i] - c->radius[k];
}

/* Balls of very different sizes in a room of size `spread`. */
static void fill_crowd(crowd *c, uint32_t seed, double spread, double far)
{
    uint32_t i;

    set_up();
    for (i = 0; i < CROWD; i++) {
        c->x[i] = rounded(far + spread * uniform(&seed));
        c->y[i] = rounded(spread * uniform(&seed));
        c->z[i] = rounded(spread * uniform(&seed) - far);
        c->radius[i] = rounded(i % 50 ? 0.1 : 2.0);
        put_body(VSP_DYNAMIC, vsp_sphere(real(c->radius[i])), c->x[i], c->y[i],
                 c->z[i], no_turn());
    }
}

static bool is_listed(uint32_t i, uint32_t k)
{
    uint32_t n, count = vsp_contact_count(world);

    for (n = 0; n < count; n++) {
        vsp_contact contact;
        uint32_t a, b;

        CHECK_STATUS(VSP_OK, vsp_contact_get(world, n, &contact));
        a = (contact.body_a.bits & 0xffffu) - 1;
        b = (contact.body_b.bits & 0xffffu) - 1;
        if ((a == i && b == k) || (a == k && b == i))
            return true;
    }
    return false;
}

static void check_crowd(uint32_t seed, double spread, double far)
{
    static crowd c;
    uint32_t i, k, least = 0, most = 0;

    fill_crowd(&c, seed, spread, far);
    step_world(world, 1);
    for (i = 0; i < CROWD; i++)
        for (k = 0; k < i; k++) {
            double gap = crowd_gap(&c, i, k);

            least += gap < 0.0099;
            most += gap < 0.0101;
            if (gap < 0.0099)
                CHECK(is_listed(i, k));
        }
    CHECK_AT_LEAST(least, vsp_contact_count(world));
    CHECK_AT_MOST(most, vsp_contact_count(world));
    CHECK_AT_LEAST(10, least); /* otherwise the test proves nothing */
}

static void broad_phase_misses_nothing(void)
{
    uint32_t seed;

    for (seed = 1; seed <= 5; seed++) {
        test_note("seed %u", seed);
        check_crowd(seed, 3, 0);
        check_crowd(seed, 10, 0);
        check_crowd(seed, 3, VSP_FIXED ? 400 : 1000);
    }
}

/* All bodies in a line: bounds without thickness. */
static void broad_phase_takes_flat_worlds(void)
{
    uint32_t i;

    set_up();
    for (i = 0; i < 500; i++)
        put_body(VSP_DYNAMIC, ball_shape(), 0.999 * i, 0, 0, no_turn());
    step_world(world, 1);
    CHECK_UINT(499, vsp_contact_count(world));
}


/* ---- Who collides ------------------------------------------------------- */

typedef struct filter_case {
    vsp_filter a, b;
    bool collide;
} filter_case;

static const filter_case filter_cases[] = {
    {{1, 0xffffffffu, 0}, {1, 0xffffffffu, 0}, true},
    {{1, 2, 0}, {2, 1, 0}, true},
    {{1, 2, 0}, {2, 2, 0}, false},
    {{1, 1, 0}, {2, 1, 0}, false},
    {{1, 0, 0}, {1, 0xffffffffu, 0}, false},
    {{0, 0xffffffffu, 0}, {1, 0xffffffffu, 0}, false},
    {{0x80000000u, 4, 0}, {4, 0x80000000u, 0}, true},
    {{1, 0, 5}, {1, 0, 5}, true},
    {{1, 0xffffffffu, -5}, {1, 0xffffffffu, -5}, false},
    {{1, 0, 5}, {1, 0, 6}, false},
    {{1, 0xffffffffu, 5}, {1, 0xffffffffu, 6}, true},
    {{1, 0xffffffffu, 5}, {1, 0xffffffffu, -5}, true},
    {{1, 0xffffffffu, -5}, {1, 0xffffffffu, -6}, true},
    {{1, 0xffffffffu, -5}, {1, 0xffffffffu, 0}, true},
    {{1, 0, 0}, {1, 0, 5}, false},
    {{1, 0xffffffffu, INT32_MIN}, {1, 0xffffffffu, INT32_MIN}, false},
};

static void filters_say_who_collides(void)
{
    vsp_shape_def shape = ball_shape();
    uint32_t i, swap;

    for (i = 0; i < COUNT_OF(filter_cases); i++)
        for (swap = 0; swap < 2; swap++) {
            const filter_case *c = &filter_cases[i];

            set_up();
            shape.filter = swap ? c->b : c->a;
            put_body(VSP_DYNAMIC, shape, 0, 0, 0, no_turn());
            shape.filter = swap ? c->a : c->b;
            put_body(VSP_DYNAMIC, shape, 0, 0.9, 0, no_turn());
            step_world(world, 1);
            test_note("case %u%s", i, swap ? ", swapped" : "");
            CHECK_UINT(c->collide, vsp_contact_count(world));
        }
}

static void a_new_filter_counts_from_the_next_step(void)
{
    vsp_filter off = {1, 0, 0};

    set_up();
    put_body(VSP_DYNAMIC, ball_shape(), 0, 0, 0, no_turn());
    put_body(VSP_DYNAMIC, ball_shape(), 0, 0.9, 0, no_turn());
    step_world(world, 1);
    CHECK_UINT(1, vsp_contact_count(world));
    CHECK_STATUS(VSP_OK,
                 vsp_shape_set_filter(world, vsp_shape_at(world, 0), off));
    CHECK_UINT(1, vsp_contact_count(world));
    step_world(world, 1);
    CHECK_UINT(0, vsp_contact_count(world));
}

static void what_does_not_move_does_not_collide(void)
{
    static const vsp_body_type still[] = {VSP_STATIC, VSP_KINEMATIC};
    uint32_t i, k;

    for (i = 0; i < 2; i++)
        for (k = 0; k < 2; k++) {
            set_up();
            put_body(still[i], ball_shape(), 0, 0, 0, no_turn());
            put_body(still[k], ball_shape(), 0, 0.9, 0, no_turn());
            put_body(still[k], vsp_half_space(), 0, 0, 0, no_turn());
            step_world(world, 1);
            CHECK_UINT(0, vsp_contact_count(world));
        }
}

static void shapes_of_one_body_do_not_collide(void)
{
    vsp_body_id id;
    vsp_shape_def more = ball_shape();

    set_up();
    id = put_body(VSP_DYNAMIC, ball_shape(), 0, 0, 0, no_turn());
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &more, NULL));
    step_world(world, 1);
    CHECK_UINT(0, vsp_contact_count(world));
}

/* A body of two balls side by side, rotated upright, on the floor. */
static void shapes_collide_where_their_body_puts_them(void)
{
    vsp_shape_def left = ball_shape(), right = ball_shape();
    vsp_body_def def = vsp_body_def_default();
    vsp_contact contact;
    vsp_body_id id = {0};
    vsp_shape_id lower = {0};

    set_up();
    put_body(VSP_STATIC, vsp_half_space(), 0, 0, 0, no_turn());
    left.pose.position = real3(-1, 0, 0);
    right.pose.position = real3(1, 0, 0);
    def.type = VSP_DYNAMIC;
    def.locks = VSP_LOCK_ALL;
    def.pose.position = real3(4, 1.45, 0);
    def.pose.rotation = turn(90, 0, 0, 1); /* x becomes up */
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &right, NULL));
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &left, &lower));
    contact = only_contact();
    CHECK_HEX(lower.bits, contact.shape_b.bits);
    CHECK_NEAR(-0.05, num(contact.points[0].separation), TOLERANCE(1e-6, 4e-6));
    CHECK_NEAR(4, num(contact.points[0].position.x), 1e-6);
}


/* ---- Order -------------------------------------------------------------- */

static uint32_t contact_key(uint32_t index)
{
    vsp_contact contact;

    CHECK_STATUS(VSP_OK, vsp_contact_get(world, index, &contact));
    return (contact.shape_a.bits & 0xffffu) << 16 |
           (contact.shape_b.bits & 0xffffu);
}

/* The same bodies in the same slots, created in another order: free slots are
 * filled from the lowest up. */
static void order_does_not_depend_on_history(void)
{
    uint32_t keys[64], i, count;

    set_up();
    add_ground(world);
    for (i = 0; i < 20; i++)
        add_cube(world, 0.99 * i, 0.5, 0);
    step_world(world, 1);
    count = vsp_contact_count(world);
    if (!CHECK(count >= 20 && count <= 64))
        return;
    for (i = 0; i < count; i++)
        keys[i] = contact_key(i);
    set_up();
    add_ground(world);
    for (i = 0; i < 20; i++)
        add_cube(world, 50, 50, 50);
    for (i = 20; i > 0; i--)
        CHECK_STATUS(VSP_OK, vsp_body_destroy(world, vsp_body_at(world, i)));
    for (i = 0; i < 20; i++)
        add_cube(world, 0.99 * i, 0.5, 0);
    step_world(world, 1);
    CHECK_UINT(count, vsp_contact_count(world));
    for (i = 0; i < count; i++)
        CHECK_HEX(keys[i], contact_key(i));
}

static void impulses_of_a_contact_are_told(void)
{
    vsp_contact contact;
    double sum = 0;
    uint32_t i;

    world = new_world(); /* with gravity */
    add_ground(world);
    add_cube(world, 0, 0.5, 0);
    step_world(world, 30);
    CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact));
    for (i = 0; i < contact.point_count; i++) {
        CHECK_AT_LEAST(0, num(contact.points[i].normal_impulse));
        sum += num(contact.points[i].normal_impulse);
    }
    CHECK_NEAR(1000 * 9.81 / 60, sum, 0.2);
}

static vsp_contact contact_after(vsp_stepper stepper, vsp_shape_def shape,
                                 double height, double spin, double speed)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_contact contact;
    vsp_body_id body;

    memset(&contact, 0, sizeof contact);
    def.stepper = stepper;
    world = new_world_of(&def);
    add_ground(world);
    body = add_turned(world, VSP_DYNAMIC, shape, 0, height, 0, no_turn());
    vsp_body_set_velocity(world, body, real3(speed, 0, 0), real3(0, 0, spin));
    step_world(world, 1);
    if (CHECK_AT_LEAST(1, vsp_contact_count(world)))
        CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact));
    return contact;
}

/* For a box that was too deep, and for a ball and a capsule that roll by a
 * radian. */
static void separations_are_those_at_the_end(void)
{
    for (int i = 0; i < 4; i++) {
        vsp_stepper stepper = (vsp_stepper)i;
        vsp_shape_def capsule = vsp_capsule(VSP_R(0.4), VSP_R(0.5));
        vsp_contact contact = contact_after(stepper, cube_shape(), 0.4, 0, 0);
        vsp_vec3 place = vsp_body_center(world, contact.body_b);

        CHECK_UINT(4, contact.point_count);
        CHECK_NEAR(num(place.y) - 0.5, -deepest(&contact), 1e-5);
        CHECK_NEAR(num(place.y) - 0.5, 2 * num(contact.points[0].position.y),
                   1e-5);

        contact = contact_after(stepper, ball_shape(), 0.45, -60, 30);
        place = vsp_body_center(world, contact.body_b);
        CHECK_NEAR(num(place.y) - 0.5, -deepest(&contact), 1e-5);

        capsule.pose.rotation = turn(90, 1, 0, 0);
        contact = contact_after(stepper, capsule, 0.35, -60, 24);
        place = vsp_body_center(world, contact.body_b);
        CHECK_NEAR(num(place.y) - 0.4, -deepest(&contact), 1e-4);
    }
}

/* Makes call number `which` of those that change shapes, mass or pose of a cube
 * on the ground, or remove them.  Returns false if there are no more. */
static bool change_cube(uint32_t which, vsp_body_id cube, vsp_shape_id shape)
{
    vsp_transform pose = vsp_body_transform(world, cube);
    vsp_vec3 none = real3(0, 0, 0);
    vsp_shape_def more = ball_shape();

    switch (which) {
    case 0:
        pose.position.x = VSP_R(20.0);
        return CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, cube, pose));
    case 1:
        return CHECK_STATUS(
            VSP_OK, vsp_body_set_mass(world, cube, VSP_R(3.0), none, none));
    case 2:
        return CHECK_STATUS(VSP_OK,
                            vsp_body_set_type(world, cube, VSP_KINEMATIC));
    case 3:
        return CHECK_STATUS(VSP_OK, vsp_body_enable(world, cube, false));
    case 4:
        return CHECK_STATUS(VSP_OK, vsp_shape_create(world, cube, &more, NULL));
    case 5:
        pose.position = real3(0, 1, 0);
        return CHECK_STATUS(VSP_OK, vsp_shape_set_pose(world, shape, pose));
    case 6:
        return CHECK_STATUS(
            VSP_OK, vsp_world_restore(world, saved(0), save_world(world, 0)));
    case 7:
        return CHECK_STATUS(VSP_OK, vsp_body_destroy(world, cube));
    default:
        return false;
    }
}

/* Neither contacts nor what is made of them: impulses of a pair. */
static void contacts_of_an_old_place_are_not_told(void)
{
    uint32_t which = 0;
    bool is_changed;

    do {
        vsp_contact contact = contact_after(VSP_STEPPER_CARRY, cube_shape(),
                                            0.5, 0, 0);
        vsp_vec3 sum;

        test_note("call %u", which);
        CHECK_STATUS(VSP_OK, vsp_pair_impulse(world, contact.shape_a,
                                              contact.shape_b, NULL, &sum));
        CHECK_AT_LEAST(100, num(sum.y));
        is_changed = change_cube(which++, contact.body_b, contact.shape_b);
        CHECK_UINT(is_changed ? 0 : 1, vsp_contact_count(world));
        CHECK_STATUS(is_changed ? VSP_ERR_ARG : VSP_OK,
                     vsp_contact_get(world, 0, &contact));
        if (vsp_shape_is_valid(world, contact.shape_b) && is_changed) {
            CHECK_STATUS(VSP_OK, vsp_pair_impulse(world, contact.shape_a,
                                                  contact.shape_b, NULL, &sum));
            CHECK_NEAR(0, num(sum.y), 0);
        }
    } while (is_changed);
    CHECK_UINT(9, which);
}

static const test tests[] = {
    TEST(ball_meets_ball),
    TEST(ball_in_the_place_of_a_ball),
    TEST(contacts_are_made_within_the_envelope),
    TEST(ball_meets_box),
    TEST(ball_meets_half_space),
    TEST(box_meets_half_space),
    TEST(box_lies_on_box),
    TEST(turned_box_keeps_four_points),
    TEST(edge_crosses_edge),
    TEST(corner_stands_on_face),
    TEST(normals_point_from_a_to_b),
    TEST(normals_are_steady),
    TEST(features_are_steady),
    TEST(features_of_a_contact_differ),
    TEST(boxes_agree_with_separating_axes),
    TEST(broad_phase_misses_nothing),
    TEST(broad_phase_takes_flat_worlds),
    TEST(filters_say_who_collides),
    TEST(a_new_filter_counts_from_the_next_step),
    TEST(what_does_not_move_does_not_collide),
    TEST(shapes_of_one_body_do_not_collide),
    TEST(shapes_collide_where_their_body_puts_them),
    TEST(order_does_not_depend_on_history),
    TEST(impulses_of_a_contact_are_told),
    TEST(separations_are_those_at_the_end),
    TEST(contacts_of_an_old_place_are_not_told),
    TEST_END,
};

const test_suite collide_suite = {"collide", tests};
