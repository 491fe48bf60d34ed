/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What rigid bodies with Coulomb friction do by theory: when they slide, tip,
 * lean and overhang, and after what time.  Where motion has no formula it is
 * integrated here in double.  Every body starts off by a hundredth of a
 * millimetre, and no two alike. */

#include "fixture.h"

#include "port/vec_libm.h"

#include <math.h>

#define G 9.81
#define DEGREE (PI / 180)

static vsp_world *world;

/* Makes a world whose gravity leans by an angle, rad, towards x: then level
 * ground is a slope. */
static void begin(vsp_stepper stepper, double dt, double lean)
{
    vsp_world_def def = vsp_world_def_default();

    test_note("stepper %d, dt %g", (int)stepper, dt);
    def.stepper = stepper;
    def.dt = real(dt);
    def.enable_sleep = false;
    def.gravity = real3(G * sin(lean), -G * cos(lean), 0);
    world = new_world_of(&def);
}

static void each_stepper(void (*check)(vsp_stepper stepper, double dt))
{
    uint32_t stepper;

    for (stepper = 0; stepper < 4; stepper++) {
        check((vsp_stepper)stepper, 0.01);
        check((vsp_stepper)stepper, 1.0 / 60);
        check((vsp_stepper)stepper, 0.004);
    }
}

static vsp_body_id add_with(vsp_body_type type, vsp_shape_def shape,
                            double friction, vec3 at, double degrees)
{
    shape.material.friction = real(friction);
    return add_turned(world, type, shape, at.x, at.y, at.z,
                      turn(degrees, 0, 0, 1));
}

static void add_floor(double friction)
{
    (void)add_with(VSP_STATIC, vsp_half_space(), friction, vec_make(0, 0, 0),
                   0);
}

static vec3 center(vsp_body_id id)
{
    return vec_from(vsp_body_center(world, id));
}


/* ---- Slopes -------------------------------------------------------------- */

/* A box on a slope that is steeper than its friction holds by so many
 * degrees, for 1 s.  A step moves by v h after v += a h.  Sweeps that begin
 * cold, as others than CARRY do, find too little friction in the first step.
 */
static void check_slope(vsp_stepper stepper, double dt, double degrees)
{
    double friction = 0.4, lean = atan(friction) + degrees * DEGREE;
    double pull = G * (sin(lean) - friction * cos(lean)), way;
    bool is_exact = stepper == VSP_STEPPER_CARRY;
    uint32_t steps = (uint32_t)floor(1 / dt + 0.5);
    vsp_body_id box;

    begin(stepper, dt, lean);
    add_floor(friction);
    box = add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.5), VSP_R(0.2), VSP_R(0.3)),
                   friction, vec_make(0, 0.20001, 0), 0);
    step_world(world, steps);
    way = degrees > 0 ? pull * dt * dt * steps * (steps + 1) / 2 : 0;
    CHECK_NEAR(way, center(box).x,
               degrees > 0 ? (is_exact ? 0.005 : 0.012) * way
                           : (is_exact ? 1e-5 : 1e-4));
}

static void check_slopes(vsp_stepper stepper, double dt)
{
    check_slope(stepper, dt, 0.5);
    check_slope(stepper, dt, -0.5);
    check_slope(stepper, dt, 10);
}

static void boxes_slide_beyond_their_friction(void)
{
    each_stepper(check_slopes);
}


/* ---- Tipping ------------------------------------------------------------- */

/* The time in which a box of these half sizes, tilted by an angle from where it
 * balances on its edge, lies on its side, s. */
static double time_to_fall(double wide, double high, double angle)
{
    double square = wide * wide + high * high, h = 1e-5, time = 0, spin = 0;
    double end = PI / 2 - atan2(wide, high); /* then its side is level */

    while (angle < end) {
        spin += 0.75 * G / sqrt(square) * sin(angle) * h;
        angle += spin * h;
        time += h;
    }
    return time;
}

/* A box on its edge, by so much beyond, or short of, where it balances. */
static void check_tipping(vsp_stepper stepper, double dt, double degrees)
{
    double wide = 0.2, high = 0.5, time = 0, balance = atan2(wide, high);
    double tilt = balance + degrees * DEGREE;
    vec3 at = vec_make(wide * cos(tilt) - high * sin(tilt),
                       wide * sin(tilt) + high * cos(tilt) + 1e-5, 0);
    vsp_body_id box;

    begin(stepper, dt, 0);
    add_floor(1.0);
    box = add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.2), VSP_R(0.5), VSP_R(0.3)),
                   1.0, at, tilt / DEGREE);
    while (time < 3 && center(box).y > wide + 1e-3) {
        step_world(world, 1);
        time += dt;
    }
    if (degrees < 0) {
        CHECK_NEAR(high, center(box).y, 1e-3);
        return;
    }
    degrees = time_to_fall(wide, high, degrees * DEGREE);
    CHECK_NEAR(degrees, time, 0.005 * degrees + dt);
}

static void check_tips(vsp_stepper stepper, double dt)
{
    check_tipping(stepper, dt, 2);
    check_tipping(stepper, dt, -2);
}

static void boxes_tip_in_their_time(void)
{
    each_stepper(check_tips);
}


/* ---- Ladders ------------------------------------------------------------- */

/* A ladder on rough ground against a smooth wall stands if its angle with the
 * ground has a tangent above 1 / (2 friction).  Returns how far its foot
 * slips in 2 s, m. */
static double slip_of_ladder(vsp_stepper stepper, double dt, double degrees)
{
    double half = 1.0, angle = degrees * DEGREE;
    vsp_body_id ladder;
    double from;

    begin(stepper, dt, 0);
    add_floor(0.5);
    (void)add_with(VSP_STATIC, vsp_box(VSP_R(0.5), VSP_R(3.0), VSP_R(1.0)), 0,
                   vec_make(-0.5, 3, 0), 0);
    ladder = add_with(
        VSP_DYNAMIC, vsp_capsule(VSP_R(0.02), real(half)), 0.5,
        vec_make(0.02 + half * cos(angle), 0.02 + half * sin(angle) + 1e-5, 0),
        90 - degrees);
    from = center(ladder).x;
    step_world(world, (uint32_t)(2 / dt));
    return fabs(center(ladder).x - from);
}

static void check_ladder(vsp_stepper stepper, double dt)
{
    double least = atan(1 / (2 * 0.5)) / DEGREE;

    CHECK_AT_MOST(0.001, slip_of_ladder(stepper, dt, least + 1));
    CHECK_AT_LEAST(0.1, slip_of_ladder(stepper, dt, least - 1));
}

static void ladders_stand_as_steep_as_they_must(void)
{
    each_stepper(check_ladder);
}


/* ---- A shaking table ----------------------------------------------------- */

/* A box on a table that swings by this acceleration at 2 Hz, for 2 s.  Coulomb
 * friction is integrated in the steps of the world. */
static void check_table(vsp_stepper stepper, double dt, double pull)
{
    double friction = 0.3, grip = friction * G, turns = 4 * PI;
    double at = 0, speed = 0, least = 0, most = 0;
    vsp_body_id table, box;
    uint32_t i, steps = (uint32_t)(2 / dt);

    begin(stepper, dt, 0);
    table = add_with(VSP_KINEMATIC, vsp_box(VSP_R(5.0), VSP_R(0.5), VSP_R(5.0)),
                     friction, vec_make(0, -0.5, 0), 0);
    box = add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.4), VSP_R(0.2), VSP_R(0.4)),
                   friction, vec_make(0, 0.20001, 0), 0);
    step_world(world, 10);
    at = center(box).x;
    for (i = 1; i <= steps; i++) {
        double table_speed = pull / turns * sin(turns * dt * i);
        double change = table_speed - speed;

        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, table,
                                                   real3(table_speed, 0, 0),
                                                   real3(0, 0, 0)));
        step_world(world, 1);
        speed += fmax(-grip * dt, fmin(grip * dt, change));
        at += speed * dt;
        least = fmin(least, at);
        most = fmax(most, at);
        CHECK_NEAR(at, center(box).x, 0.005 * (most - least) + 1e-4);
    }
}

static void check_tables(vsp_stepper stepper, double dt)
{
    check_table(stepper, dt, 2.5); /* friction holds up to 2.94 */
    check_table(stepper, dt, 3.4);
    check_table(stepper, dt, 8);
}

static void boxes_slide_on_a_shaking_table(void)
{
    each_stepper(check_tables);
}


/* ---- Overhangs ----------------------------------------------------------- */

/* Five bricks of length 1, each of which sticks out over the one below by a
 * part of 1/2, 1/4, 1/6 ... of it, the most that balances. */
static double fall_of_overhang(vsp_stepper stepper, double dt, double part)
{
    vsp_body_id bricks[5];
    double at = 0;
    uint32_t i;

    begin(stepper, dt, 0);
    add_floor(0.6);
    for (i = 0; i < 5; i++) {
        bricks[i] = add_with(
            VSP_DYNAMIC, vsp_box(VSP_R(0.5), VSP_R(0.1), VSP_R(0.2)), 0.6,
            vec_make(at, 0.1 + 0.2 * i + 1e-5 * ((i * 3) % 5), 0), 0);
        at += part / (2.0 * (4 - i));
    }
    step_world(world, (uint32_t)(3 / dt));
    return 0.9 - center(bricks[4]).y;
}

static void check_overhang(vsp_stepper stepper, double dt)
{
    if (stepper != VSP_STEPPER_PGS) /* ten sweeps do not balance it */
        CHECK_AT_MOST(0.001, fall_of_overhang(stepper, dt, 0.97));
    CHECK_AT_LEAST(0.1, fall_of_overhang(stepper, dt, 1.03));
}

static void bricks_overhang_as_far_as_they_balance(void)
{
    each_stepper(check_overhang);
}


static const test tests[] = {
    TEST(boxes_slide_beyond_their_friction),
    TEST(boxes_tip_in_their_time),
    TEST(ladders_stand_as_steep_as_they_must),
    TEST(boxes_slide_on_a_shaking_table),
    TEST(bricks_overhang_as_far_as_they_balance),
    TEST_END,
};

const test_suite truth_suite = {"truth", tests};
