/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Cases that are hard for numbers of few places: slow bodies must move, and
 * bodies at the ends of the ranges must stay inside.  They hold for both
 * kinds. */

#include "scene_fixture.h"

static vsp_world *world;

static vsp_world *new_still_world(double dt)
{
    vsp_world_def def = vsp_world_def_default();

    def.gravity = real3(0, 0, 0);
    def.dt = real(dt);
    return new_world_of(&def);
}

static vsp_body_id add_ball(double x, double y, double z)
{
    return add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), x, y, z);
}


/* ---- No dead zone -------------------------------------------------------- */

static void slow_balls_roll_on(void)
{
    vsp_body_id ball;

    world = new_world();
    add_ground(world);
    ball = add_ball(0, 0.5, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(0.001, 0, 0),
                                               real3(0, 0, -0.002)));
    step_world(world, 300);
    CHECK_NEAR(0.005, num(vsp_body_transform(world, ball).position.x), 0.0005);
}

static void one_step_of_falling(void)
{
    vsp_body_id ball;
    double h;

    world = new_world();
    h = num(vsp_world_dt(world));
    ball = add_ball(0, 5, 0);
    step_world(world, 1);
    CHECK_NEAR(-9.81 * h, num(vsp_body_velocity(world, ball).y), 1e-5);
    CHECK_AT_MOST(5 - 0.4 * 9.81 * h * h,
                  num(vsp_body_transform(world, ball).position.y));
}

/* one radian an hour, for ten seconds */
static void check_slow_spin(double dt, uint32_t steps)
{
    double rate = 1.0 / 3600.0;
    vsp_body_id ball;

    test_note("steps of %g s", dt);
    world = new_still_world(dt);
    ball = add_ball(0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(0, 0, 0),
                                               real3(0, rate, 0)));
    step_world(world, steps);
    CHECK_NEAR(10 * rate, 2 * num(vsp_body_transform(world, ball).rotation.y),
               0.05 * 10 * rate);
}

static void slow_spins_turn(void)
{
    check_slow_spin(0.01, 1000);
    check_slow_spin(1.0 / 60.0, 600);
}

static void slow_bodies_move(void)
{
    vsp_body_id ball;

    world = new_still_world(1.0 / 60.0);
    ball = add_ball(0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(1e-4, 0, 0),
                                               real3(1e-4, 0, 0)));
    step_world(world, 600);
    /* a step is 1.75 last places of a position: it is rounded to 2 */
    CHECK_NEAR(1e-3, num(vsp_body_transform(world, ball).position.x),
               TOLERANCE(1e-4, 2e-4));
    CHECK_NEAR(1e-3, 2 * num(vsp_body_transform(world, ball).rotation.x), 1e-4);
}


/* ---- Ranges -------------------------------------------------------------- */

static void check_in_range(void)
{
    uint32_t slot;

    for (slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        vec3 x = vec_from(vsp_body_center(world, id));
        vec3 v = vec_from(vsp_body_velocity(world, id));

        CHECK_AT_MOST(num(VSP_MAX_POSITION),
                      fmax(fmax(fabs(x.x), fabs(x.y)), fabs(x.z)));
        CHECK_AT_MOST(num(VSP_MAX_SPEED),
                      fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z)));
    }
}

/* One body in each corner of the world, at full speed: `way` -1 inwards, 1
 * outwards. */
static void fill_corners(vsp_real size, vsp_real mass, double way)
{
    double end = num(VSP_MAX_POSITION), speed = num(VSP_MAX_SPEED);
    uint32_t i;

    world = new_world();
    add_ground(world);
    for (i = 0; i < 16; i++) {
        double x = i & 1u ? 1 : -1, y = i & 2u ? 1 : -1;
        double z = i & 4u ? 1 : -1;
        vsp_shape_def shape = i & 8u ? vsp_box(size, size, size)
                                     : vsp_sphere(size);
        vsp_body_def def = body_def(VSP_DYNAMIC, shape, end * x, end * y,
                                    end * z);

        def.mass = mass;
        def.velocity = real3(way * speed * x, way * speed * y, way * speed * z);
        def.spin = def.velocity;
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    }
}

static void ranges_hold(void)
{
    uint32_t round, step;

    for (round = 0; round < 8; round++) {
        fill_corners(round & 1u ? VSP_MAX_SIZE : VSP_MIN_SIZE,
                     round & 2u ? VSP_MAX_MASS : VSP_MIN_MASS,
                     round & 4u ? 1 : -1);
        for (step = 0; step < 200; step++) {
            test_note("round %u, step %u", round, step);
            CHECK(vsp_world_step(world) >= 0);
            CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
            check_in_range();
        }
    }
}


/* ---- Throws -------------------------------------------------------------- */

static void check_in_pit(const vsp_world *pit)
{
    uint32_t slot;

    for (slot = 5; slot < vsp_world_stats(pit).body_count; slot++) {
        vec3 x = vec_from(vsp_body_center(pit, vsp_body_at(pit, slot)));

        CHECK_AT_MOST(4, fmax(fabs(x.x), fabs(x.z)));
        CHECK_AT_LEAST(0, x.y);
    }
}

/* From one throw to the next, energy may grow only by rounding and by the
 * correction of depth: 0.1 % of the energy that the throw gave. */
static void check_throws(uint32_t steps)
{
    scene_run run;
    double given = 0;
    uint32_t i;

    play_start(&run, "pit~1");
    for (i = 0; i < steps; i++) {
        double before = total_energy(run.world), now;

        test_note("step %u", i);
        scene_drive(&run, i);
        now = total_energy(run.world);
        if (now > before || now < before) /* thrown */
            given = now;
        CHECK(vsp_world_step(run.world) >= 0);
        if (i % 10 != 9)
            continue;
        CHECK_AT_MOST(1.001 * given, total_energy(run.world));
        CHECK_STATUS(VSP_OK, vsp_world_validate(run.world, NULL));
        check_in_pit(run.world);
    }
}

static void throws(void)
{
    check_throws(720);
}

static void throws_of_10_minutes(void)
{
    check_throws(is_long() ? 36000 : 7200);
}


static const test tests[] = {
    TEST(slow_balls_roll_on),
    TEST(one_step_of_falling),
    TEST(slow_spins_turn),
    TEST(slow_bodies_move),
    TEST(ranges_hold),
    TEST(throws),
    TEST_SLOW(throws_of_10_minutes),
    TEST_END,
};

const test_suite fixed_suite = {"fixed", tests};
