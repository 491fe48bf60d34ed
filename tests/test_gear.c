/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Gears and pulleys: wheels turn by the ratio of their teeth, under torque and
 * on any carrier, and lose no tooth; racks run; ropes lift as Atwood's machine
 * says, and never push; momentum is kept; teeth and ropes break; both go on
 * equally from a snapshot; wrong ones are refused. */

#include "port/vec.h"
#include "scene_fixture.h"
#include "src/state/state.h"

#include <math.h>

#if VSP_JOINTS && VSP_GEARS

#define G 9.81
#define STEP (1.0 / 60.0)

static vsp_world *world;
static vsp_body_id base; /* static, without a shape */


/* ---- Worlds -------------------------------------------------------------- */

static void begin_world(vsp_stepper stepper, double gravity)
{
    world = new_joint_world(stepper, STEP, gravity, &base);
}

static vsp_joint_state state_of(vsp_joint_id id)
{
    vsp_joint_state state;

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
    return state;
}

/* Adds a ball that touches nothing. */
static vsp_body_id add_ball(double x, double y, double radius)
{
    vsp_shape_def ball = vsp_sphere(real(radius));

    ball.filter.mask = 0;
    return add_body(world, VSP_DYNAMIC, ball, x, y, 0);
}

/* Joins a ball to a body by a hinge along z through its centre. */
static vsp_joint_id hold_on(vsp_body_id holder, vsp_body_id wheel)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_HINGE;
    def.body_a = holder;
    def.body_b = wheel;
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, vsp_body_center(world, wheel),
                                 real3(0, 0, 1)));
    return create_joint(world, &def);
}

/* Adds a wheel on a hinge to the base. */
static vsp_body_id add_wheel(double x, double y, double radius)
{
    vsp_body_id wheel = add_ball(x, y, radius);

    (void)hold_on(base, wheel);
    return wheel;
}

/* The rotation of a frame whose x axis is z of its body. */
static vsp_quat along_z(void)
{
    return turn(-90, 0, 1, 0);
}

static vsp_joint_def gear_def(vsp_body_id a, vsp_body_id b, int32_t teeth_a,
                              int32_t teeth_b)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_GEAR;
    def.body_a = a;
    def.body_b = b;
    def.teeth_a = teeth_a;
    def.teeth_b = teeth_b;
    def.frame_a.rotation = along_z();
    if (teeth_b != 0)
        def.frame_b.rotation = along_z();
    return def;
}

static vsp_joint_id add_gear(vsp_body_id a, vsp_body_id b, int32_t teeth_a,
                             int32_t teeth_b)
{
    vsp_joint_def def = gear_def(a, b, teeth_a, teeth_b);

    return create_joint(world, &def);
}

static double spin_of(vsp_body_id body)
{
    return num(vsp_body_spin(world, body).z);
}

static double inertia_of(vsp_body_id ball, double radius)
{
    return 0.4 * num(vsp_body_mass(world, ball)) * radius * radius;
}

static void twist(vsp_body_id body, double torque)
{
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_torque(world, body, real3(0, 0, torque)));
}


/* ---- Gears --------------------------------------------------------------- */

/* A torque on one wheel speeds up both as their inertias at its axle say. */
static void check_torque(vsp_stepper stepper)
{
    static const int32_t teeth[][2] = {{20, 20}, {12, 36}, {50, 10}, {7, 45}};

    for (size_t i = 0; i < COUNT_OF(teeth); i++) {
        double za = teeth[i][0], zb = teeth[i][1], ratio = za / zb, all;
        vsp_body_id a, b;
        vsp_joint_id gear;

        test_note("%g to %g teeth", za, zb);
        begin_world(stepper, G);
        a = add_wheel(0, 0, 0.2);
        b = add_wheel(0.6, 0.3, 0.3);
        gear = add_gear(a, b, teeth[i][0], teeth[i][1]);
        all = inertia_of(a, 0.2) + ratio * ratio * inertia_of(b, 0.3);
        for (int k = 0; k < 60; k++) {
            twist(a, 5 * all);
            step_world(world, 1);
        }
        CHECK_NEAR(5, spin_of(a), 0.05);
        CHECK_NEAR(-5 * ratio, spin_of(b), 0.05 * ratio);
        CHECK_AT_MOST(0.001, num(state_of(gear).error));
    }
}

static void gears_turn_by_their_teeth(void)
{
    each_stepper(check_torque);
}

/* A motor drives a train of three wheels for a minute: no tooth is lost, so the
 * last wheel stands where the first one says. */
static void check_train(vsp_stepper stepper)
{
    vsp_body_id wheel[3];
    vsp_joint_id motor, last;
    double angle[2] = {0, 0}, before[2];

    begin_world(stepper, G);
    wheel[0] = add_ball(0, 0, 0.2);
    motor = hold_on(base, wheel[0]);
    wheel[1] = add_wheel(0.6, 0, 0.3);
    wheel[2] = add_ball(0.6, 0.7, 0.25);
    last = hold_on(base, wheel[2]);
    (void)add_gear(wheel[0], wheel[1], 17, 31);
    (void)add_gear(wheel[1], wheel[2], 31, 23);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_motor(world, motor, true, real(10), real(1e4)));
    before[0] = before[1] = 0;
    for (int i = 0; i < 3600; i++) {
        vsp_joint_id ends[2];

        step_world(world, 1);
        ends[0] = motor;
        ends[1] = last;
        for (int k = 0; k < 2; k++) {
            double place = num(state_of(ends[k]).place);

            angle[k] += remainder(place - before[k], 2 * PI);
            before[k] = place;
        }
    }
    CHECK(angle[0] > 590);
    CHECK_NEAR(10, spin_of(wheel[0]), 0.1);
    CHECK_NEAR(-10 * 17 / 31.0, spin_of(wheel[1]), 0.06);
    CHECK_NEAR(angle[0] * 17 / 23, angle[1], 0.01);
}

static void trains_lose_no_tooth(void)
{
    each_stepper(check_train);
}

/* Wheels that turn fast on a free carrier exchange spin by the teeth alone: all
 * momentum is kept, and the speeds relative to the carrier fit. */
static void check_carrier(vsp_stepper stepper)
{
    vsp_shape_def bar = vsp_box(real(0.5), real(0.1), real(0.1));
    vsp_body_id carrier, a, b;
    double whole, mass, turns;

    begin_world(stepper, 0);
    bar.filter.mask = 0;
    carrier = add_body(world, VSP_DYNAMIC, bar, 0, 0, 0);
    a = add_ball(-0.4, 0, 0.2);
    b = add_ball(0.4, 0, 0.2);
    (void)hold_on(carrier, a);
    (void)hold_on(carrier, b);
    (void)add_gear(a, b, 10, 30);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, a, real3(0, 0, 0),
                                               real3(0, 0, 8)));
    whole = 8 * inertia_of(a, 0.2);
    mass = num(vsp_body_mass(world, a));
    step_world(world, 60);
    turns = spin_of(carrier);
    CHECK_NEAR(-(spin_of(a) - turns) / 3, spin_of(b) - turns, 0.02);
    CHECK_NEAR(whole,
               (spin_of(a) + spin_of(b)) * inertia_of(a, 0.2) +
                   turns * (num(vsp_body_mass(world, carrier)) * (1.04 / 12) +
                            2 * mass * 0.16),
               0.01 * whole);
    CHECK_AT_MOST(0.001, fabs(num(vsp_body_center(world, carrier).x)) +
                             fabs(num(vsp_body_center(world, carrier).y)));
}

static void gears_keep_momentum(void)
{
    each_stepper(check_carrier);
}

/* A planet runs inside a ring that stands still, on an arm about the centre:
 * it turns by 1 - 60 / 20 of the angle of the arm. */
static void check_planet(vsp_stepper stepper)
{
    vsp_body_id arm, planet;
    vsp_joint_id motor, gear;

    begin_world(stepper, 0);
    arm = add_ball(0, 0, 0.1);
    motor = hold_on(base, arm);
    planet = add_ball(0.4, 0, 0.15);
    (void)hold_on(arm, planet);
    gear = add_gear(planet, base, 20, -60);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_motor(world, motor, true, real(2), real(1e4)));
    step_world(world, 300);
    CHECK_NEAR(2, spin_of(arm), 0.02);
    CHECK_NEAR(-4, spin_of(planet), 0.04);
    CHECK_AT_MOST(0.002, num(state_of(gear).error));
}

static void planets_run_in_rings(void)
{
    each_stepper(check_planet);
}

/* A rack that falls turns its wheel: a = g m / (m + I / r^2). */
static void check_rack(vsp_stepper stepper)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_shape_def bar = vsp_box(real(0.05), real(0.5), real(0.05));
    vsp_body_id wheel, rack;
    vsp_joint_id gear;
    double mass, a, r = 0.35;

    begin_world(stepper, G);
    wheel = add_wheel(0, 0, 0.3);
    bar.filter.mask = 0;
    rack = add_body(world, VSP_DYNAMIC, bar, r, 0, 0);
    def.type = VSP_JOINT_SLIDER;
    def.body_a = base;
    def.body_b = rack;
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(r, 0, 0), real3(0, 1, 0)));
    (void)create_joint(world, &def);
    def = gear_def(wheel, rack, 24, 0);
    def.frame_b.rotation = turn(90, 0, 0, 1);
    gear = create_joint(world, &def);
    mass = num(vsp_body_mass(world, rack));
    a = G * mass / (mass + inertia_of(wheel, 0.3) / (r * r));
    step_world(world, 60);
    CHECK_NEAR(-a, num(vsp_body_velocity(world, rack).y), 0.01 * a);
    CHECK_NEAR(-a / r, spin_of(wheel), 0.01 * a / r);
    step_world(world, 60);
    CHECK_NEAR(-2 * a, num(vsp_body_velocity(world, rack).y), 0.02 * a);
    CHECK_AT_MOST(0.002, num(state_of(gear).error));
}

static void racks_run(void)
{
    each_stepper(check_rack);
}

/* A call that turns a wheel by a fifth of a tooth is undone; one by a whole
 * tooth is not. */
static void check_teeth(vsp_stepper stepper)
{
    for (int i = 0; i < 2; i++) {
        double tooth = 360.0 / 20;
        vsp_body_id a, b;
        vsp_joint_id hinge;
        vsp_transform pose;

        begin_world(stepper, 0);
        a = add_wheel(0, 0, 0.2);
        b = add_ball(0.5, 0, 0.2);
        hinge = hold_on(base, b);
        (void)add_gear(a, b, 20, 20);
        step_world(world, 2);
        pose = vsp_body_transform(world, b);
        pose.rotation = turn(i == 0 ? 0.2 * tooth : tooth, 0, 0, 1);
        CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, b, pose));
        step_world(world, 10);
        CHECK_NEAR((i == 0 ? 0.1 : 1) * tooth * PI / 180,
                   num(state_of(hinge).place), 0.005);
    }
}

static void the_nearest_teeth_mesh(void)
{
    each_stepper(check_teeth);
}


/* ---- Pulleys ------------------------------------------------------------- */

static vsp_joint_def rope_def(vsp_body_id a, vsp_body_id b, double ratio,
                              double length)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_PULLEY;
    def.body_a = a;
    def.body_b = b;
    def.ratio = real(ratio);
    def.high = real(length);
    def.pulley_a = real3(num(vsp_body_center(world, a).x), 3, 0);
    def.pulley_b = real3(num(vsp_body_center(world, b).x), 3, 0);
    return def;
}

/* Atwood's machine: with tension T on a and ratio r, a_a = g - T / m_a, a_b = g
 * - r T / m_b, and a_a + r a_b = 0. */
static void check_atwood(vsp_stepper stepper)
{
    static const double ratios[] = {1, 2, 0.5, 8};
    static const double radii[] = {0.2, 0.25};

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            double r = ratios[i], ma, mb, force, a, b;
            vsp_joint_def def;
            vsp_joint_id rope;
            vsp_body_id left, right;

            test_note("ratio %g, case %d", r, k);
            begin_world(stepper, G);
            left = add_ball(-1, 0, radii[k]);
            right = add_ball(1, 0, radii[1 - k]);
            def = rope_def(left, right, r, 3 * (1 + r));
            if (k == 1)
                def.low = def.high; /* rigid */
            rope = create_joint(world, &def);
            ma = num(vsp_body_mass(world, left));
            mb = num(vsp_body_mass(world, right));
            force = G * (1 + r) / (1 / ma + r * r / mb);
            a = G - force / ma;
            b = G - r * force / mb;
            step_world(world, 20);
            CHECK_NEAR(-a / 3, num(vsp_body_velocity(world, left).y),
                       0.01 * fabs(a / 3));
            CHECK_NEAR(-b / 3, num(vsp_body_velocity(world, right).y),
                       0.01 * fabs(b / 3));
            CHECK_NEAR(r * force * STEP, num(state_of(rope).impulse.y),
                       0.01 * r * force * STEP);
            CHECK_NEAR(3 * (1 + r), num(state_of(rope).place), 0.001 * (1 + r));
            CHECK_AT_MOST(0.001 * (1 + r), num(state_of(rope).error));
        }
}

static void ropes_lift_as_atwood_says(void)
{
    each_stepper(check_atwood);
}

/* A slack rope does not act; a rope that is long enough stops the fall of a
 * body whose partner stands still.  A rigid one holds a body up, too. */
static void check_slack(vsp_stepper stepper)
{
    vsp_body_id a, b;
    vsp_joint_def def;
    vsp_joint_id rope;

    begin_world(stepper, G);
    a = add_ball(-1, 2, 0.2);
    def = rope_def(a, base, 1, 3);
    def.pulley_b = real3(0, 2, 0);
    rope = create_joint(world, &def); /* 1 and 2 m: taut */
    b = add_ball(1, 2, 0.2);
    def = rope_def(base, b, 2, 5);
    def.pulley_a = real3(0, 2, 0); /* 2 m, and 2 times 1 m: b falls by 0.5 m */
    (void)create_joint(world, &def);
    step_world(world, 6);
    CHECK_NEAR(2, num(vsp_body_center(world, a).y), 0.001);
    CHECK(state_of(rope).at_limit);
    CHECK_NEAR(-G * 0.1, num(vsp_body_velocity(world, b).y), 0.01);
    step_world(world, 60);
    CHECK_NEAR(1.5, num(vsp_body_center(world, b).y), 0.002);
    CHECK_STATUS(VSP_OK, vsp_joint_set_limit(world, rope, true, 0, real(3.5)));
    step_world(world, 60);
    CHECK_NEAR(1.5, num(vsp_body_center(world, a).y), 0.002);
}

static void ropes_never_push(void)
{
    each_stepper(check_slack);
}

/* A rope at the rim of a body turns it. */
static void check_rim(vsp_stepper stepper)
{
    vsp_body_id wheel, weight;
    vsp_joint_def def;
    double mass, a;

    begin_world(stepper, G);
    wheel = add_wheel(0, 0, 0.3);
    weight = add_ball(1, 0, 0.2);
    def = rope_def(wheel, weight, 1, 33);
    def.frame_a.position = real3(0.3, 0, 0);
    def.pulley_a = real3(0.3, 30, 0); /* far: the arm stays 0.3 m */
    (void)create_joint(world, &def);
    mass = num(vsp_body_mass(world, weight));
    a = G * mass / (mass + inertia_of(wheel, 0.3) / 0.09);
    step_world(world, 5); /* the wheel turns by 3 degrees */
    CHECK_NEAR(-a / 12, num(vsp_body_velocity(world, weight).y), 0.01 * a / 12);
    CHECK_NEAR(a / 0.3 / 12, spin_of(wheel), 0.01 * a / 0.3 / 12);
}

static void ropes_turn_bodies(void)
{
    each_stepper(check_rim);
}


/* A heavy body pulls a light one, which spins and swings, up to its pulley.
 * There it jams: the heavy one hangs on the whole rope. */
static void check_jam(vsp_stepper stepper, double ratio, bool is_light_a)
{
    double most, length = 3 * (1 + ratio), high = 0, load;
    vsp_body_id light, heavy, end[2];
    vsp_joint_def def;
    vsp_joint_id rope;
    int i;

    begin_world(stepper, G);
    light = add_ball(-1, 0, 0.12);
    heavy = add_ball(1, 0, 0.3);
    end[0] = is_light_a ? light : heavy;
    end[1] = is_light_a ? heavy : light;
    def = rope_def(end[0], end[1], ratio, length);
    (is_light_a ? &def.frame_a : &def.frame_b)->position = real3(.05, .08, .03);
    def.break_turn = real(0.1); /* which no rope has */
    rope = create_joint(world, &def);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, light, real3(.3, 0, .2),
                                               real3(3, -2, 4)));
    most = total_energy(world) + 0.5;
    for (i = 0; i < 600; i++) {
        step_world(world, 1);
        test_note("stepper %d, ratio %g, light end %c, step %d", (int)stepper,
                  ratio, is_light_a ? 'a' : 'b', i);
        CHECK_AT_MOST(most, total_energy(world));
        high = 3 - num(vsp_body_center(world, heavy).y);
        CHECK_AT_MOST(1.02 * length / (is_light_a ? ratio : 1), high);
    }
    CHECK_NEAR(length / (is_light_a ? ratio : 1), high, 0.05 * high);
    load = num(vsp_body_mass(world, heavy)) * G * STEP *
           (is_light_a ? 1 : ratio);
    CHECK_NEAR(load, vec_length(vec_from(state_of(rope).impulse)), 0.1 * load);
    CHECK(!state_of(rope).is_broken && state_of(rope).at_limit);
}

static void check_jams(vsp_stepper stepper)
{
    static const double ratios[] = {1, 0.5, 2, 3};

    for (int i = 0; i < 8; i++)
        check_jam(stepper, ratios[i / 2], i % 2 == 0);
}

static void ropes_stop_at_their_pulleys(void)
{
    each_stepper(check_jams);
}

/* A kinematic body pulls the rope out of the pulley of the other end, which
 * stays there. */
static void check_winch(vsp_stepper stepper)
{
    vsp_body_id winch, ball;
    vsp_joint_def def;
    int i;

    begin_world(stepper, G);
    winch = add_body(world, VSP_KINEMATIC, vsp_sphere(real(0.2)), -1, 0, 0);
    ball = add_ball(1, 0, 0.2);
    def = rope_def(winch, ball, 1, 6);
    def.frame_b.position = real3(0.02, 0.1, 0.03);
    (void)create_joint(world, &def);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, winch, real3(0, -1, 0),
                                               real3(0, 0, 0)));
    for (i = 0; i < 600; i++) {
        vec3 to;

        step_world(world, 1);
        test_note("stepper %d, step %d", (int)stepper, i);
        to = vec_sub(vec_from(vsp_body_center(world, ball)), vec_make(1, 3, 0));
        if (i > 240) /* the ball is there after 3 s */
            CHECK_AT_MOST(0.15, vec_length(to));
    }
}

static void ropes_stay_at_their_pulleys(void)
{
    each_stepper(check_winch);
}


/* ---- Both ---------------------------------------------------------------- */

/* A gear train with a falling weight on a pulley. */
static void build_clock(vsp_stepper stepper, vsp_joint_id *gear,
                        vsp_joint_id *rope)
{
    vsp_body_id drum, wheel, weight;
    vsp_joint_def def;

    begin_world(stepper, G);
    drum = add_wheel(0, 0, 0.3);
    wheel = add_wheel(0.5, 0, 0.2);
    weight = add_ball(-1, 0, 0.2);
    *gear = add_gear(drum, wheel, 30, 20);
    def = rope_def(drum, weight, 1, 6.5);
    def.frame_a.position = real3(-0.3, 0, 0);
    *rope = create_joint(world, &def);
}

/* A rope breaks by the impulse at its stronger end. */
static void check_strength(vsp_stepper stepper)
{
    for (int i = 0; i < 2; i++) {
        double ratio = 3, load;
        vsp_joint_id rope;
        vsp_joint_def def;
        vsp_body_id ball;

        begin_world(stepper, G);
        ball = add_ball(-2, 0, 0.2);
        def = rope_def(ball, base, ratio, 3 + 3 * ratio);
        rope = create_joint(world, &def);
        load = num(vsp_body_mass(world, ball)) * G * ratio * STEP;
        CHECK_STATUS(VSP_OK,
                     vsp_joint_set_strength(world, rope,
                                            real((i ? 0.99 : 1.01) * load), 0));
        step_world(world, 20);
        CHECK(state_of(rope).is_broken == (i == 1));
    }
}

static void ropes_break_by_their_load(void)
{
    each_stepper(check_strength);
}

/* The teeth of a wheel that another one holds still bear torque / radius. */
static void check_teeth_break(vsp_stepper stepper)
{
    for (int i = 0; i < 2; i++) {
        vsp_body_id a, b;
        vsp_joint_id gear, brake;
        double load = 4 / 0.25 * STEP; /* 4 N m, 0.25 m */

        begin_world(stepper, G);
        a = add_wheel(0, 0, 0.2);
        b = add_ball(0.5, 0, 0.2);
        brake = hold_on(base, b);
        CHECK_STATUS(VSP_OK,
                     vsp_joint_set_motor(world, brake, true, 0, real(1e4)));
        gear = add_gear(a, b, 15, 15);
        CHECK_STATUS(VSP_OK,
                     vsp_joint_set_strength(world, gear,
                                            real((i ? 0.99 : 1.01) * load), 0));
        for (int k = 0; k < 20; k++) {
            twist(a, 4);
            step_world(world, 1);
        }
        CHECK(state_of(gear).is_broken == (i == 1));
        CHECK(i == 1 ? spin_of(a) > 1 : fabs(spin_of(a)) < 0.01);
    }
}

static void teeth_break_by_their_load(void)
{
    each_stepper(check_teeth_break);
}

/* From a snapshot of each step the world goes on equally. */
static void check_snapshots(vsp_stepper stepper)
{
    vsp_joint_id gear, rope;

    build_clock(stepper, &gear, &rope);
    for (int i = 0; i < 40; i++) {
        if (!check_replays(world, 3))
            return;
    }
    CHECK(fabs(num(state_of(rope).place) - 6.5) < 0.01);
}

static void gears_go_on_from_snapshots(void)
{
    each_stepper(check_snapshots);
}

/* ---- Random gears -------------------------------------------------------- */

static uint32_t dice;

static uint32_t pick_below(uint32_t count)
{
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 8) % count;
}

static vsp_real some(double low, double high)
{
    return real(low + (high - low) * pick_below(10000) / 1e4);
}

static vsp_joint_def random_gear(const vsp_body_id *bodies)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = pick_below(2) ? VSP_JOINT_GEAR : VSP_JOINT_PULLEY;
    def.body_a = bodies[pick_below(5)];
    def.body_b = bodies[pick_below(5)];
    def.frame_a.rotation = pick_below(2) ? along_z() : no_turn();
    def.frame_b.position.x = some(-0.3, 0.3);
    def.collide = pick_below(2) == 0;
    def.break_impulse = pick_below(4) ? 0 : some(0, 3);
    if (def.type == VSP_JOINT_GEAR) {
        def.teeth_a = (int32_t)pick_below(40);
        def.teeth_b = (int32_t)pick_below(100) - 50;
    } else {
        def.ratio = some(0, 20);
        def.high = some(0, 8);
        def.low = pick_below(2) ? 0 : some(0, 8);
        def.pulley_a = real3(num(some(-3, 3)), num(some(0, 5)), 0);
        def.pulley_b = def.pulley_a;
    }
    return def;
}

/* After random calls a world is valid, its bodies are not thrown, and it goes
 * on equally from a snapshot. */
static void check_random(vsp_stepper stepper)
{
    uint32_t made = 0;

    for (uint32_t seed = 1; seed <= 30; seed++) {
        vsp_body_id bodies[5];

        dice = seed;
        test_note("seed %u", seed);
        begin_world(stepper, G);
        bodies[0] = base;
        for (int i = 1; i < 5; i++)
            bodies[i] = add_wheel(0.5 * i, 0.2 * i, 0.2);
        for (int i = 0; i < 60; i++) {
            vsp_joint_def def = random_gear(bodies);

            made += vsp_joint_create(world, &def, NULL) == VSP_OK;
            if (pick_below(2) == 0)
                (void)vsp_joint_destroy(world,
                                        vsp_joint_at(world, 4 + pick_below(6)));
            (void)vsp_joint_set_motor(world, vsp_joint_at(world, pick_below(5)),
                                      true, some(-9, 9), some(0, 50));
            step_world(world, 1);
        }
        for (int i = 1; i < 5; i++)
            CHECK_AT_MOST(60, num(vsp_body_center(world, bodies[i]).y));
        if (!check_replays(world, 5))
            return;
    }
    CHECK(made > 200);
}

static void random_gears_leave_valid_worlds(void)
{
    each_stepper(check_random);
}

/* Damaged words of a gear or a rope are refused, and a snapshot with them. */
static void damaged_gears_are_not_valid(void)
{
    vsp_joint_id gear, rope;
    vsp__joint *joints, keep;

    build_clock(VSP_STEPPER_CARRY, &gear, &rope);
    joints = vsp__joint_pool_of(world)->joints;
    for (int i = 0; i < 12; i++) {
        vsp__joint *j = joints + ((i < 7 ? gear : rope).bits & 0xffffu) - 1;

        keep = *j;
        switch (i) {
        case 0:
            j->low = VSP__REAL(2.5);
            break;
        case 1:
            j->high = r_neg(j->low);
            break;
        case 2:
            j->bent = VSP__REAL(1.0);
            break;
        case 3:
            j->break_angle = VSP__REAL(1.0);
            break;
        case 4:
            j->high = 0;
            break;
        case 5:
            j->flags |= VSP__JOINT_LIMIT;
            break;
        case 6:
            j->ratio = VSP__REAL(1.0);
            break;
        case 7:
            j->ratio = VSP__REAL(0.05);
            break;
        case 8:
            j->frame[1].rotation.w = VSP__UNIT(1.0);
            break;
        case 9:
            j->flags = 0;
            break;
        case 10:
            j->bent = VSP__REAL(0.5);
            break;
        default:
            j->type = 10;
            break;
        }
        test_note("case %d", i);
        CHECK(vsp_world_validate(world, NULL) != VSP_OK);
        *j = keep;
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    }
}

/* Defs are read back; joints go with their bodies. */
static void gears_are_read_back(void)
{
    vsp_joint_id gear, rope, ring;
    vsp_joint_def def;
    vsp_body_id drum;

    build_clock(VSP_STEPPER_CARRY, &gear, &rope);
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, gear, &def));
    drum = def.body_a;
    CHECK(def.teeth_a == 30);
    CHECK(def.teeth_b == 20);
    CHECK(def.low == 0 && def.high == 0 && def.ratio == 0 &&
          def.break_angle == 0 && def.motor_damping == 0 &&
          def.motor_hertz == 0);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, gear));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &gear));
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, rope, &def));
    CHECK_NEAR(1, num(def.ratio), 0);
    CHECK_NEAR(3, num(def.pulley_b.y), 0);
    CHECK_NEAR(-1, num(def.pulley_b.x), 0);
    CHECK_NEAR(1, num(def.frame_a.rotation.w), 0);
    CHECK_NEAR(6.5, num(def.high), 0);
    CHECK(def.limit_damping == 0 && def.teeth_a == 0);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, rope));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &rope));
    def = gear_def(drum, base, 30, -90);
    def.frame_b.position = real3(0.6, 0, 0);
    ring = create_joint(world, &def);
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_get(world, ring, NULL));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, drum));
    CHECK_STATUS(VSP_ERR_ID, vsp_joint_get(world, gear, &def));
    CHECK_STATUS(VSP_ERR_ID, vsp_joint_get(world, rope, &def));
    step_world(world, 10);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}


/* ---- Wrong arguments ----------------------------------------------------- */

static void refuse_gear(const vsp_joint_def *def)
{
    vsp_joint_id id = {1};

    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_create(world, def, &id));
    CHECK_HEX(0, id.bits);
}

static void wrong_teeth_are_refused(void)
{
    vsp_joint_def good, bad;
    vsp_joint_id gear, rope;
    vsp_body_id a, b;

    build_clock(VSP_STEPPER_CARRY, &gear, &rope);
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, gear, &good));
    a = good.body_a;
    b = good.body_b;
    for (int i = 0; i < 18; i++) {
        bad = good;
        switch (i) {
        case 0:
            bad.teeth_a = 0;
            break;
        case 1:
            bad.teeth_a = -30;
            break;
        case 2:
            bad.teeth_a = 501;
            break;
        case 3:
            bad.teeth_b = -501;
            break;
        case 4:
            bad.teeth_b = 501;
            break;
        case 5:
            bad.teeth_b = -30;
            break;
        case 6:
            bad.teeth_a = INT32_MAX;
            break;
        case 7:
            bad.teeth_b = INT32_MIN;
            break;
        case 8:
            bad.ratio = real(1);
            break;
        case 9:
            bad.pulley_b.z = real(1);
            break;
        case 10:
            bad.low = bad.high = real(1);
            break;
        case 11:
            bad.enable_limit = true;
            break;
        case 12:
            bad.enable_motor = true;
            break;
        case 13:
            bad.rigid = true;
            break;
        case 14:
            bad.limit_hertz = real(1);
            break;
        case 15:
            bad.motor_target = real(1);
            break;
        case 16:
            bad.cone = real(1);
            break;
        default:
            bad.type = VSP_JOINT_HINGE;
            break;
        }
        test_note("case %d", i);
        refuse_gear(&bad);
    }
    bad = good; /* on one axle */
    bad.frame_b.position = real3(-0.5, 0, 0);
    refuse_gear(&bad);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_limit(world, gear, false, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_spring(world, gear, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_motor(world, gear, true, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_cone(world, gear, real(1)));
    CHECK(a.bits != b.bits);
}

static void wrong_ropes_are_refused(void)
{
    vsp_joint_def good, bad;
    vsp_joint_id gear, rope;

    build_clock(VSP_STEPPER_CARRY, &gear, &rope);
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, rope, &good));
    for (int i = 0; i < 14; i++) {
        bad = good;
        switch (i) {
        case 0:
            bad.ratio = real(17);
            break;
        case 1:
            bad.ratio = real(-1);
            break;
        case 2:
            bad.ratio = real(0.05);
            break;
        case 3:
            bad.teeth_a = 1;
            break;
        case 4:
            bad.teeth_b = -1;
            break;
        case 5:
            bad.low = real(7);
            break;
        case 6:
            bad.low = real(-1);
            break;
        case 7:
            bad.enable_motor = true;
            break;
        case 8:
            bad.limit_hertz = real(1);
            break;
        case 9:
            bad.limit_damping = real(1);
            break;
        case 10:
            bad.motor_mode = VSP_MOTOR_SERVO;
            break;
        case 11:
            bad.yield_torque = real(1);
            break;
        case 12:
            bad.locked = 1;
            break;
        default:
            bad.type = VSP_JOINT_DISTANCE;
            break;
        }
        test_note("case %d", i);
        refuse_gear(&bad);
    }
    for (uint32_t i = 0; i < BAD_REALS; i++) {
        bad = good;
        bad.pulley_a.y = bad_real(i);
        refuse_gear(&bad);
        bad = good;
        bad.ratio = bad_real(i);
        refuse_gear(&bad);
    }
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_limit(world, rope, true, real(2), real(1)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_spring(world, rope, real(1), 0));
}


static const test tests[] = {
    TEST(gears_turn_by_their_teeth),
    TEST(trains_lose_no_tooth),
    TEST(gears_keep_momentum),
    TEST(planets_run_in_rings),
    TEST(racks_run),
    TEST(the_nearest_teeth_mesh),
    TEST(ropes_lift_as_atwood_says),
    TEST(ropes_never_push),
    TEST(ropes_turn_bodies),
    TEST(ropes_stop_at_their_pulleys),
    TEST(ropes_stay_at_their_pulleys),
    TEST(ropes_break_by_their_load),
    TEST(teeth_break_by_their_load),
    TEST(gears_go_on_from_snapshots),
    TEST(random_gears_leave_valid_worlds),
    TEST(damaged_gears_are_not_valid),
    TEST(gears_are_read_back),
    TEST(wrong_teeth_are_refused),
    TEST(wrong_ropes_are_refused),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

const test_suite gear_suite = {"gear", tests};
