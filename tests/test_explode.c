/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Casts that tell all hits, exceptions of queries, and explosions. */

#include "fixture.h"

#include <math.h>
#include <string.h>


/* ---- Casts that tell all ------------------------------------------------- */

/* A row of balls of 0.5 m along x, 2 m apart, made in another order. */
static vsp_world *new_row(vsp_body_id ball[6])
{
    static const int order[6] = {3, 0, 5, 1, 4, 2};
    vsp_world *world = new_world();

    for (int i = 0; i < 6; i++)
        ball[order[i]] = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)),
                                  2.0 * order[i], 0, 0);
    return world;
}

static void casts_tell_all(void)
{
    vsp_body_id ball[6];
    vsp_world *world = new_row(ball);
    vsp_shape_def box = vsp_box(VSP_R(0.25), VSP_R(0.25), VSP_R(0.25));
    vsp_transform pose = {real3(-2, 0, 0), no_turn()};
    vsp_hit hits[6], first;
    uint32_t count;

    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast_hits(world, real3(-2, 0, 0), real3(20, 0, 0),
                                   NULL, hits, 6, &count));
    CHECK_UINT(6, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_UINT(ball[i].bits, hits[i].body.bits);
        CHECK_NEAR(1.5 + 2.0 * i, num(hits[i].distance), 4e-6);
        CHECK_NEAR((1.5 + 2.0 * i) / 20, num(hits[i].fraction), 1e-6);
        CHECK_NEAR(-1, num(hits[i].normal.x), 1e-6);
    }
    CHECK_STATUS(VSP_OK, vsp_shape_cast_hits(world, &box, pose, real3(8, 0, 0),
                                             NULL, hits, 6, &count));
    CHECK_UINT(4, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_UINT(ball[i].bits, hits[i].body.bits);
        CHECK_NEAR(1.25 + 2.0 * i, num(hits[i].distance), 1e-3);
    }
    CHECK_STATUS(VSP_OK, vsp_shape_cast(world, &box, pose, real3(8, 0, 0), NULL,
                                        &first));
    CHECK_BYTES(&first.point, &hits[0].point, sizeof first.point);
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast_hits(world, real3(-2, 1, 0), real3(20, 0, 0),
                                   NULL, NULL, 0, &count));
    CHECK_UINT(0, count);
}

/* A short array gets the nearest hits; the count tells all. */
static void short_lists_keep_the_nearest(void)
{
    vsp_body_id ball[6];
    vsp_world *world = new_row(ball);
    vsp_hit hits[6], all[6];
    uint32_t count;

    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast_hits(world, real3(11, 0, 0), real3(-20, 0, 0),
                                   NULL, all, 6, &count));
    for (uint32_t capacity = 0; capacity < 6; capacity++) {
        memset(hits, 0, sizeof hits);
        CHECK_STATUS(VSP_OK,
                     vsp_ray_cast_hits(world, real3(11, 0, 0), real3(-20, 0, 0),
                                       NULL, hits, capacity, &count));
        CHECK_UINT(6, count);
        for (uint32_t i = 0; i < capacity; i++)
            CHECK_UINT(all[i].body.bits, hits[i].body.bits);
        CHECK_UINT(0, hits[capacity].body.bits);
    }
}

static void exceptions_are_skipped(void)
{
    vsp_body_id ball[6];
    vsp_world *world = new_row(ball);
    vsp_shape_def ball_shape = vsp_sphere(VSP_R(0.5));
    vsp_transform pose = {real3(0, 0, 0), vsp_quat_identity()};
    vsp_query query = vsp_query_default();
    vsp_hit hits[6], hit;
    uint32_t count;

    query.skip = ball;
    query.skip_count = 3;
    query.except = ball[4];
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast_hits(world, real3(-2, 0, 0), real3(20, 0, 0),
                                   &query, hits, 6, &count));
    CHECK_UINT(2, count);
    CHECK_UINT(ball[3].bits, hits[0].body.bits);
    CHECK_UINT(ball[5].bits, hits[1].body.bits);
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(-2, 0, 0), real3(20, 0, 0),
                                      &query, &hit));
    CHECK_UINT(ball[3].bits, hit.body.bits);
    CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(-2, 0, 0), VSP_R(50.0),
                                           &query, &hit));
    CHECK_UINT(ball[3].bits, hit.body.bits);
    query.skip = NULL;
    count = 77;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_ray_cast_hits(world, real3(-2, 0, 0), real3(20, 0, 0),
                                   &query, hits, 6, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_ray_cast_hits(world, real3(-2, 0, 0), real3(0, 0, 0), NULL,
                                   hits, 6, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_ray_cast_hits(world, real3(-2, 0, 0), real3(9, 0, 0), NULL,
                                   NULL, 6, &count));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_ray_cast_hits(world, real3(-2, 0, 0), real3(9, 0, 0), NULL,
                                   hits, 6, NULL));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_shape_cast_hits(world, &ball_shape, pose, real3(0, 0, 0),
                                     NULL, hits, 6, &count));
    CHECK_UINT(77, count);
}


/* ---- Explosions ---------------------------------------------------------- */

/* Balls of 0.5 m at several distances get v = J (1 - (d - radius) / falloff) /
 * m, away from the centre. */
static void impulses_fall_off(void)
{
    static const double at[5] = {1.0, 1.5, 2.5, 3.25, 4.75};
    vsp_world *world = new_world();
    vsp_explosion e = vsp_explosion_default();
    vsp_body_id ball[5];
    uint32_t count;
    double mass;

    for (int i = 0; i < 5; i++) {
        ball[i] = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)),
                           i % 2 ? at[i] : 0.6 * at[i], 1,
                           i % 2 ? 0 : 0.8 * at[i]);
        CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, ball[i], false));
    }
    mass = num(vsp_body_mass(world, ball[0]));
    e.center = real3(0, 1, 0);
    e.falloff = VSP_R(2.5);
    e.impulse = VSP_R(1000.0);
    CHECK_STATUS(VSP_OK, vsp_world_explode(world, &e, &count));
    CHECK_UINT(4, count);
    for (int i = 0; i < 5; i++) {
        double distance = at[i] - 0.5;
        double part = distance < 1 ? 1 : 1 - (distance - 1) / 2.5;
        vsp_vec3 v = vsp_body_velocity(world, ball[i]);

        part = part < 0 ? 0 : part;
        CHECK_NEAR((i % 2 ? 1 : 0.6) * part * 1000 / mass, num(v.x), 1e-4);
        CHECK_NEAR((i % 2 ? 0 : 0.8) * part * 1000 / mass, num(v.z), 1e-4);
        CHECK_NEAR(0, num(v.y), 1e-5);
        CHECK(vsp_body_is_awake(world, ball[i]) == (part > 0));
    }
    e.impulse = VSP_R(-1000.0);
    CHECK_STATUS(VSP_OK, vsp_world_explode(world, &e, NULL));
    CHECK_NEAR(0, num(vsp_body_velocity(world, ball[1]).x), 2e-5);
}

/* A plank whose end is over the centre is turned by J r / I. */
static void impulses_act_at_the_nearest_point(void)
{
    vsp_world *world = new_world();
    vsp_explosion e = vsp_explosion_default();
    vsp_body_id plank = add_body(world, VSP_DYNAMIC,
                                 vsp_box(VSP_R(2.0), VSP_R(0.125), VSP_R(0.25)),
                                 0, 1, 0);
    double mass = num(vsp_body_mass(world, plank));
    double inertia = mass * (4.0 + 0.125 * 0.125) / 3;

    e.center = real3(1.5, 0.5, 0);
    e.impulse = VSP_R(600.0);
    CHECK_STATUS(VSP_OK, vsp_world_explode(world, &e, NULL));
    CHECK_NEAR(600 / mass, num(vsp_body_velocity(world, plank).y), 1e-4);
    CHECK_NEAR(600 * 1.5 / inertia, num(vsp_body_spin(world, plank).z), 2e-4);
    /* inside, it acts at the centre of mass */
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, plank, real3(0, 0, 0),
                                               real3(0, 0, 0)));
    e.center = real3(-1, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_explode(world, &e, NULL));
    CHECK_NEAR(600 / mass, num(vsp_body_velocity(world, plank).x), 1e-4);
    CHECK_NEAR(0, num(vsp_body_spin(world, plank).z), 1e-6);
}

static void some_are_not_pushed(void)
{
    vsp_world *world = new_world();
    vsp_explosion e = vsp_explosion_default();
    vsp_shape_def ghost = vsp_sphere(VSP_R(0.5)), other = ghost;
    vsp_body_id speck;
    uint32_t count;

    ghost.is_sensor = true;
    other.filter.category = 4;
    add_body(world, VSP_KINEMATIC, vsp_sphere(VSP_R(0.5)), 0, 0, 1);
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 0, -1);
    add_body(world, VSP_DYNAMIC, ghost, 1, 0, 0);
    add_body(world, VSP_DYNAMIC, other, -1, 0, 0);
    speck = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.01)), 0, 1, 0);
    e.impulse = VSP_R(10.0);
    CHECK_STATUS(VSP_OK, vsp_world_explode(world, &e, &count));
    CHECK_UINT(VSP_FIXED ? 1 : 2, count); /* fixed: the speck is too fast */
    CHECK_NEAR(VSP_FIXED ? 0 : 10 / num(vsp_body_mass(world, speck)),
               num(vsp_body_velocity(world, speck).y), 1);
    e.filter.mask = 1;
    e.center = real3(-2, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_world_explode(world, &e, &count));
    CHECK_UINT(0, count);
    e.filter.mask = 4;
    CHECK_STATUS(VSP_OK, vsp_world_explode(world, &e, &count));
    CHECK_UINT(1, count);
    e.impulse = VSP_R(0.0);
    CHECK_REFUSED(VSP_OK, vsp_world_explode(world, &e, &count));
    CHECK_UINT(0, count);
    e.radius = VSP_R(-1.0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_explode(world, &e, &count));
    e.radius = VSP_R(1.0);
    e.impulse = bad_real(0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_explode(world, &e, &count));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_explode(world, NULL, &count));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_explode(NULL, &e, &count));
}

static const test tests[] = {
    TEST(casts_tell_all),
    TEST(short_lists_keep_the_nearest),
    TEST(exceptions_are_skipped),
    TEST(impulses_fall_off),
    TEST(impulses_act_at_the_nearest_point),
    TEST(some_are_not_pushed),
    TEST_END,
};

const test_suite explode_suite = {"explode", tests};
