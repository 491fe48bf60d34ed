/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Drives: springs swing with their frequency and damping, at any stiffness they
 * hold; servos go where and as fast as they should, with no more than their
 * force; a ball's motor turns and aims; AXES does what a HINGE does; a WHEEL
 * sags, steers, drives and brakes; wrong drives are refused. */

#include "port/vec.h"
#include "scene_fixture.h"
#include "port/measure/simulation.h"

#include <math.h>
#include <stdio.h>

#if VSP_JOINTS && VSP_DRIVES

#define G 9.81
#define STEP (1.0 / 60.0)
#define TURNS (VSP_LOCK_TURN_X | VSP_LOCK_TURN_Y | VSP_LOCK_TURN_Z)
#define PLACES (VSP_LOCK_X | VSP_LOCK_Y | VSP_LOCK_Z)

static vsp_world *world;
static vsp_body_id base; /* static, without a shape */


/* ---- Worlds -------------------------------------------------------------- */

static void begin_world(vsp_stepper stepper, double gravity)
{
    world = new_joint_world(stepper, STEP, gravity, &base);
}

static vsp_body_id add_ball(double x, double y)
{
    return add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.2)), x, y, 0);
}

static vsp_joint_def joint_to(vsp_joint_type type, vsp_body_id body)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = type;
    def.body_a = base;
    def.body_b = body;
    def.enable_motor = true;
    def.motor_max = real(1e6);
    return def;
}

static vsp_joint_state state_of(vsp_joint_id id)
{
    vsp_joint_state state;

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
    return state;
}


/* ---- Springs ------------------------------------------------------------- */

/* Finds trace and determinant of x' = trace x - determinant x_before, the
 * motion of an oscillator sampled at steps, by least squares. */
static void fit_motion(const double *x, int count, double *trace, double *det)
{
    double aa = 0, ab = 0, bb = 0, ac = 0, bc = 0;

    for (int i = 2; i < count; i++) {
        aa += x[i - 1] * x[i - 1];
        ab += x[i - 1] * x[i - 2];
        bb += x[i - 2] * x[i - 2];
        ac += x[i - 1] * x[i];
        bc += x[i - 2] * x[i];
    }
    *trace = (ac * bb - bc * ab) / (aa * bb - ab * ab);
    *det = -(aa * bc - ab * ac) / (aa * bb - ab * ab);
}

/* Lets a ball swing on a joint, and compares frequency and damping. */
static void check_spring(vsp_joint_type type, double hertz, double damping)
{
    double x[90], trace, det, rate, angle, w;
    vsp_body_id ball = add_ball(1.5, 0);
    vsp_joint_def def = joint_to(type, ball);
    int count = (int)fmin(90, 1.5 / (hertz * STEP) + 8);

    test_note("type %d, %g Hz, damping %g", type, hertz, damping);
    def.motor_mode = VSP_MOTOR_SPRING;
    def.motor_target = real(1);
    def.motor_hertz = real(hertz);
    def.motor_damping = real(damping);
    def.high = real(type == VSP_JOINT_DISTANCE ? 100 : 0);
    def.locked = type == VSP_JOINT_AXES ? 62 : 0;
    def.driven = type == VSP_JOINT_AXES ? VSP_LOCK_X : 0;
    (void)create_joint(world, &def);
    for (int i = 0; i < count; i++) {
        x[i] = num(vsp_body_center(world, ball).x) - 1;
        step_world(world, 1);
    }
    fit_motion(x, count, &trace, &det);
    rate = -log(det) / 2 / STEP; /* z w */
    angle = acos(trace / 2 / sqrt(det)) / STEP;
    w = sqrt(rate * rate + angle * angle);
    CHECK_NEAR(2 * PI * hertz, w, 0.01 * 2 * PI * hertz);
    CHECK_NEAR(damping, rate / w, 0.01 * damping + TOLERANCE(0.0002, 0.002));
}

static void check_springs(vsp_stepper stepper)
{
    static const double hertz[] = {0.5, 2, 5, 10};
    static const double damping[] = {0, 0.1, 0.5, 0.9};
    static const vsp_joint_type types[] = {VSP_JOINT_SLIDER, VSP_JOINT_AXES,
                                           VSP_JOINT_DISTANCE};

    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            begin_world(stepper, 0);
            check_spring(types[(i + k) % 3], hertz[i], damping[k]);
        }
}

static void springs_swing_with_their_frequency(void)
{
    each_stepper(check_springs);
}

/* Lets a bar swing on the spring of a hinge, or of AXES like one, at
 * `arm`, m, from its centre.  The spring turns it by 0.4 rad. */
static vsp_joint_id add_sprung_bar(vsp_joint_type type, double arm,
                                   double hertz, double damping)
{
    vsp_shape_def box = vsp_box(real(0.5), real(0.05), real(0.05));
    vsp_body_id bar = add_body(world, VSP_DYNAMIC, box, arm, 0, 0);
    vsp_joint_def def = joint_to(type, bar);

    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 0, 1)));
    def.motor_mode = VSP_MOTOR_SPRING;
    def.motor_target = real(0.4);
    def.motor_hertz = real(hertz);
    def.motor_damping = real(damping);
    if (type == VSP_JOINT_AXES) {
        def.locked = PLACES | VSP_LOCK_TURN_Y | VSP_LOCK_TURN_Z;
        def.driven = VSP_LOCK_TURN_X;
    }
    return create_joint(world, &def);
}

/* Steps a joint, and compares the frequency and damping of its place about a
 * target.  A hinge that holds the bodies elsewhere than at their centres makes
 * the spring `slower`, as its stiffness is that for their inertias about their
 * centres. */
static void compare_swing(vsp_joint_id id, double target, double hertz,
                          double damping, double slower)
{
    double x[90], trace, det, rate, angle, w;
    int count = (int)fmin(90, 1.5 / (hertz * slower * STEP) + 8);

    for (int i = 0; i < count; i++) {
        x[i] = num(state_of(id).place) - target;
        step_world(world, 1);
    }
    fit_motion(x, count, &trace, &det);
    rate = -log(det) / 2 / STEP;
    angle = acos(trace / 2 / sqrt(det)) / STEP;
    w = sqrt(rate * rate + angle * angle);
    if (shows())
        printf("%g Hz: %.4f of %.4f Hz, damping %.4f of %.4f\n", hertz,
               w / 2 / PI, hertz * slower, rate / w, damping * slower);
    CHECK_NEAR(2 * PI * hertz * slower, w, 0.01 * 2 * PI * hertz * slower);
    CHECK_NEAR(damping * slower, rate / w,
               0.01 * damping * slower +
                   TOLERANCE(slower < 1 ? 0.0015 : 0.0002, 0.002));
}

static void check_hinge_spring(vsp_joint_type type, double arm, double hertz,
                               double damping)
{
    double about = (1.0 + 0.01) / 12.0;

    test_note("type %d at %g m, %g Hz, damping %g", type, arm, hertz, damping);
    compare_swing(add_sprung_bar(type, arm, hertz, damping), 0.4, hertz,
                  damping, sqrt(about / (about + arm * arm)));
}

static void check_hinge_springs(vsp_stepper stepper)
{
    static const double hertz[] = {0.5, 2, 5, 10};
    static const double damping[] = {0, 0.1, 0.5, 0.9};

    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            begin_world(stepper, 0);
            check_hinge_spring(VSP_JOINT_HINGE, i % 2 == k / 2 ? 0.5 : 0,
                               hertz[i], damping[k]);
            begin_world(stepper, 0);
            check_hinge_spring(VSP_JOINT_AXES, i % 2 == k / 2 ? 0 : 0.5,
                               hertz[i], damping[k]);
        }
}

static void springs_of_hinges_swing_with_their_frequency(void)
{
    each_stepper(check_hinge_springs);
}

/* The motor of a ball, which springs back about three axes at once, swings an
 * arm as that of a hinge does, here by 0.4 rad about its z axis. */
static void check_ball_spring(vsp_stepper stepper, double hertz, double damping)
{
    vsp_shape_def box = vsp_box(real(0.5), real(0.05), real(0.05));
    double about = (1.0 + 0.01) / 12.0;
    vsp_joint_def def;

    test_note("%g Hz, damping %g", hertz, damping);
    begin_world(stepper, 0);
    def = joint_to(VSP_JOINT_AXES,
                   add_body(world, VSP_DYNAMIC, box, 0.5, 0, 0));
    def.frame_b.position = real3(-0.5, 0, 0);
    def.frame_b.rotation = turn(-90, 0, 1, 0); /* x along z */
    def.frame_a.rotation = vsp_quat_mul(turn(23, 0, 0, 1),
                                        def.frame_b.rotation);
    def.locked = PLACES;
    def.driven = TURNS;
    def.motor_mode = VSP_MOTOR_SPRING;
    def.motor_hertz = real(hertz);
    def.motor_damping = real(damping);
    compare_swing(create_joint(world, &def), 0, hertz, damping,
                  sqrt(about / (about + 0.25)));
}

static void check_ball_springs(vsp_stepper stepper)
{
    static const double hertz[] = {0.5, 2, 5, 10};
    static const double damping[] = {0, 0.1, 0.5, 0.9};

    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            check_ball_spring(stepper, hertz[i], damping[k]);
}

static void springs_of_balls_swing_with_their_frequency(void)
{
    each_stepper(check_ball_springs);
}

/* Two free bars at a right angle, from hinge to hinge end, swing a little about
 * it.  With levers l of the hinge's rows across its axis, a reduced mass m and
 * inertia i the spring has the mass 1 / (2 / i - c (2 / m + l.l / i)^-1 c). */
static void check_free_bars(vsp_stepper stepper, double hertz, double damping)
{
    vsp_shape_def box = vsp_box(real(0.5), real(0.05), real(0.05));
    vsp_shape_def tall = vsp_box(real(0.05), real(0.5), real(0.05));
    vsp_joint_def def;
    double mass, i, held;

    test_note("%g Hz, damping %g", hertz, damping);
    begin_world(stepper, 0);
    def = joint_to(VSP_JOINT_HINGE,
                   add_body(world, VSP_DYNAMIC, tall, 0, 0.5, 0));
    def.body_a = add_body(world, VSP_DYNAMIC, box, -0.5, 0, 0);
    mass = num(vsp_body_mass(world, def.body_a));
    i = mass * 1.01 / 12;
    held = 2 / i - 2 * (0.25 / i / i) / (2 / mass + 0.25 / i);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 0, 1)));
    def.motor_mode = VSP_MOTOR_SPRING;
    def.motor_target = real(0.02);
    def.motor_hertz = real(hertz);
    def.motor_damping = real(damping);
    compare_swing(create_joint(world, &def), 0.02, hertz, damping,
                  sqrt(held * i / 2));
}

static void check_free_hinges(vsp_stepper stepper)
{
    static const double hertz[] = {0.5, 2, 5, 10};

    for (size_t i = 0; i < 8; i++)
        check_free_bars(stepper, hertz[i / 2], i % 2 ? 0.5 : 0.1);
}

static void springs_between_free_bars_have_their_frequency(void)
{
    each_stepper(check_free_hinges);
}

/* The spring of a hinge of any stiffness does not turn the bar farther and
 * farther. */
static void check_stiff_hinge(vsp_stepper stepper)
{
    static const double hertz[] = {1, 10, 11.5, 15, 22, 60, 250, 1000};

    for (size_t i = 0; i < 2 * COUNT_OF(hertz); i++) {
        double worst[3] = {0}; /* in 100 steps each */
        vsp_joint_id id;

        test_note("%g Hz", hertz[i / 2]);
        begin_world(stepper, 0);
        id = add_sprung_bar(VSP_JOINT_HINGE, i % 2 ? 0.5 : 0, hertz[i / 2], 0);
        for (int k = 0; k < 300; k++) {
            step_world(world, 1);
            worst[k / 100] = fmax(worst[k / 100],
                                  fabs(num(state_of(id).place) - 0.4));
        }
        if (shows())
            printf("%s hinge of %g Hz: %.4f, %.4f, %.4f rad\n",
                   i % 2 ? "end" : "middle", hertz[i / 2], worst[0], worst[1],
                   worst[2]);
        /* samples of a fast spring miss the most; the few sweeps of PGS leave
         * errors, which add up to a seventh of the amplitude */
        CHECK_AT_MOST(0.4 * 1.25, worst[0]);
        CHECK_AT_MOST(1.1 * worst[0], worst[2]);
    }
}

static void springs_of_hinges_hold_at_any_stiffness(void)
{
    each_stepper(check_stiff_hinge);
}

/* A ball between eight springs, of all stiffnesses, never gets faster or goes
 * farther than it may. */
static void check_stiff(vsp_stepper stepper)
{
    static const double hertz[] = {1, 10, 11.5, 15, 22, 60, 250, 1000};

    for (size_t i = 0; i < COUNT_OF(hertz); i++) {
        double farthest[3] = {0}, fastest[3] = {0}; /* in 100 steps each */
        vsp_body_id ball;

        test_note("%g Hz", hertz[i]);
        begin_world(stepper, 0);
        ball = add_ball(0, 0);
        for (int k = 0; k < 8; k++) {
            vsp_joint_def def = joint_to(VSP_JOINT_AXES, ball);

            def.driven = PLACES | TURNS;
            def.motor_mode = VSP_MOTOR_SPRING;
            def.motor_hertz = real(hertz[i]);
            def.frame_b.position = real3(k & 1 ? 0.2 : -0.2, k & 2 ? 0.2 : -0.2,
                                         k & 4 ? 0.2 : -0.2);
            def.frame_a.position = def.frame_b.position;
            (void)create_joint(world, &def);
        }
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, ball, real3(1, 0.5, 0),
                                           real3(0, 0, 2)));
        for (int k = 0; k < 300; k++) {
            vsp_vec3 at, v;

            step_world(world, 1);
            at = vsp_body_center(world, ball);
            v = vsp_body_velocity(world, ball);
            farthest[k / 100] = fmax(farthest[k / 100],
                                     hypot(num(at.x), num(at.y)));
            fastest[k / 100] = fmax(fastest[k / 100],
                                    hypot(num(v.x), num(v.y)));
        }
        /* the first step moves by v dt before a spring pulls */
        CHECK_AT_MOST(1.12 * (1 / (2 * PI * hertz[i]) + STEP) + 0.001,
                      farthest[0]);
        CHECK_AT_MOST(1.05 * farthest[0], farthest[2]);
        /* at rest a speed in fixed point is noise of some last places */
        CHECK_AT_MOST(fmax(1.05 * fastest[0], TOLERANCE(0, 1e-4)), fastest[2]);
    }
}

static void springs_of_any_stiffness_hold(void)
{
    each_stepper(check_stiff);
}

/* Springs whose lines miss the centre of mass of a body that turns feed no
 * energy, also without damping: its motion is as fast as in the beginning, at
 * most. */
static void check_levers(vsp_stepper stepper)
{
    static const double hertz[] = {2, 5, 10}, anchor[] = {0.3, 1};
    double fastest[2];

    for (int i = 0; i < 12; i++) {
        vsp_joint_def def;
        vsp_body_id box;
        double way = anchor[i % 2], push = i < 6 ? 2 : 20;

        test_note("%g Hz, %g m, %g m/s", hertz[i / 2 % 3], way, push);
        begin_world(stepper, 0);
        box = add_body(world, VSP_DYNAMIC,
                       vsp_box(real(0.5), real(0.2), real(0.3)), 0, 0, 0);
        def = joint_to(VSP_JOINT_AXES, box);
        def.driven = PLACES | TURNS;
        def.motor_mode = VSP_MOTOR_SPRING;
        def.motor_hertz = real(hertz[i / 2 % 3]);
        def.motor_max = VSP_MAX_FORCE;
        def.frame_a.position = def.frame_b.position = real3(0, way, way / 2);
        (void)create_joint(world, &def);
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, box,
                                           real3(push, 0.3 * push, -0.7 * push),
                                           real3(push, -push, 0.5 * push)));
        fastest[0] = fastest[1] = 0;
        for (int k = 0; k < 1000; k++) {
            vsp_vec3 v = vsp_body_velocity(world, box);

            step_world(world, 1);
            fastest[k >= 500] = fmax(
                fastest[k >= 500], hypot(hypot(num(v.x), num(v.y)), num(v.z)));
        }
        CHECK_AT_MOST(1.3 * push, fastest[0]);
        CHECK_AT_MOST(fastest[0], fastest[1]);
    }
}

static void springs_with_levers_feed_no_energy(void)
{
    each_stepper(check_levers);
}

/* Springs whose numbers vanish do not act. */
static void check_soft(vsp_stepper stepper)
{
    static const double hertz[] = {1e-6, 1e-9, 1e-18, 1e-30};

    for (size_t i = 0; i < COUNT_OF(hertz); i++) {
        vsp_joint_def def;
        vsp_body_id ball;

        test_note("%g Hz", hertz[i]);
        begin_world(stepper, 0);
        ball = add_ball(0, 0);
        def = joint_to(VSP_JOINT_AXES, ball);
        def.driven = PLACES | TURNS;
        def.motor_mode = VSP_MOTOR_SPRING;
        def.motor_hertz = real(hertz[i]);
        def.motor_damping = real(1);
        if (def.motor_hertz == 0) /* fixed point */
            continue;
        (void)create_joint(world, &def);
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(1, 0, 0),
                                                   real3(0, 0, 1)));
        step_world(world, 60);
        CHECK_NEAR(1, num(vsp_body_velocity(world, ball).x), 1e-3);
        CHECK_NEAR(1, num(vsp_body_spin(world, ball).z), 1e-3);
    }
}

static void springs_of_no_stiffness_do_nothing(void)
{
    each_stepper(check_soft);
}

/* A damped spring sags by m g / k, and its N/m are converted. */
static void check_sag(vsp_stepper stepper)
{
    vsp_real hertz, ratio;
    vsp_joint_def def;
    vsp_body_id ball;
    double mass, stiffness = 2000;

    begin_world(stepper, G);
    ball = add_ball(0, 0);
    mass = num(vsp_body_mass(world, ball));
    CHECK_STATUS(VSP_OK,
                 vsp_joint_find_spring(world, base, ball, real(stiffness),
                                       real(2 * 0.8 * sqrt(stiffness * mass)),
                                       &hertz, &ratio));
    CHECK_NEAR(sqrt(stiffness / mass) / 2 / PI, num(hertz), 0.0005);
    CHECK_NEAR(0.8, num(ratio), 0.0005);
    def = joint_to(VSP_JOINT_AXES, ball);
    def.locked = 61;
    def.driven = VSP_LOCK_Y;
    def.motor_mode = VSP_MOTOR_SPRING;
    def.motor_hertz = hertz;
    def.motor_damping = ratio;
    (void)create_joint(world, &def);
    step_world(world, 300);
    CHECK_NEAR(-mass * G / stiffness, num(vsp_body_center(world, ball).y),
               0.01 * mass * G / stiffness);
}

static void springs_sag_as_their_stiffness_says(void)
{
    each_stepper(check_sag);
}


/* ---- Servos -------------------------------------------------------------- */

/* A slider lifts a load at the speed and to the place asked for; with less than
 * its weight it cannot. */
static void check_servo(vsp_stepper stepper)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id ball;
    double weight, before;

    begin_world(stepper, G);
    ball = add_ball(0, 0);
    weight = num(vsp_body_mass(world, ball)) * G;
    def = joint_to(VSP_JOINT_SLIDER, ball);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 1, 0)));
    def.motor_mode = VSP_MOTOR_SERVO;
    def.motor_speed = real(0.5);
    def.motor_max = real(1.5 * weight);
    def.motor_target = real(1);
    id = create_joint(world, &def);
    step_world(world, 60);
    CHECK_NEAR(0.5, num(state_of(id).speed), 0.005);
    step_world(world, 120);
    CHECK_NEAR(1, num(state_of(id).place), 0.01);
    CHECK_NEAR(weight * STEP, num(state_of(id).motor), 0.01 * weight * STEP);
    CHECK_STATUS(VSP_OK, vsp_joint_set_motor(world, id, true, real(0.5),
                                             real(0.5 * weight)));
    step_world(world, 30);
    before = num(state_of(id).speed);
    step_world(world, 30);
    CHECK_NEAR(-0.5 * G * 0.5, num(state_of(id).speed) - before, 0.03);
}

static void servos_lift_to_their_target(void)
{
    each_stepper(check_servo);
}

/* A hinge turns a load to an angle the shorter way, and holds it. */
static void check_turning_servo(vsp_stepper stepper)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id ball;

    begin_world(stepper, G);
    ball = add_ball(0.5, 0);
    def = joint_to(VSP_JOINT_HINGE, ball);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 0, 1)));
    def.motor_mode = VSP_MOTOR_SERVO;
    def.motor_speed = real(2);
    def.motor_target = real(2.5);
    id = create_joint(world, &def);
    step_world(world, 30);
    CHECK_NEAR(2, num(state_of(id).speed), 0.02);
    step_world(world, 90);
    CHECK_NEAR(2.5, num(state_of(id).place), 0.01);
    CHECK_STATUS(VSP_OK, vsp_joint_set_target(world, id, real(-2.5)));
    step_world(world, 20);
    CHECK_NEAR(2, num(state_of(id).speed), 0.02);
    step_world(world, 60);
    CHECK_NEAR(-2.5, num(state_of(id).place), 0.01);
    /* many turns away, which are left out: 79.5 of them */
    CHECK_STATUS(VSP_OK, vsp_joint_set_target(world, id, real(499.5)));
    step_world(world, 180);
    CHECK_NEAR(499.5 - 79.5 * 2 * PI, num(state_of(id).place) - PI, 0.01);
}

static void servos_turn_the_shorter_way(void)
{
    each_stepper(check_turning_servo);
}


/* ---- AXES ---------------------------------------------------------------- */

static vsp_joint_id add_ball_motor(vsp_body_id body, vsp_motor_mode mode)
{
    vsp_joint_def def = joint_to(VSP_JOINT_AXES, body);

    def.locked = PLACES;
    def.driven = TURNS;
    def.motor_mode = mode;
    def.motor_speed = real(3);
    return create_joint(world, &def);
}

/* The motor of a ball turns at its speed about x of frame A, then aims. */
static void check_ball_motor(vsp_stepper stepper)
{
    vsp_joint_id id;
    vsp_body_id body;
    vsp_quat aim = turn(120, 0.6, 0, 0.8), now;
    vsp_vec3 spin;
    double dot;

    begin_world(stepper, G);
    body = add_body(world, VSP_DYNAMIC,
                    vsp_box(real(0.1), real(0.2), real(0.4)), 0, 0, 0);
    id = add_ball_motor(body, VSP_MOTOR_SPEED);
    CHECK_STATUS(VSP_OK, vsp_joint_set_frame(world, id, turn(90, 0, 0, 1)));
    step_world(world, 10);
    spin = vsp_body_spin(world, body);
    CHECK_NEAR(3, num(spin.y), 0.03);
    CHECK_NEAR(0, hypot(num(spin.x), num(spin.z)), 0.03);
    CHECK_STATUS(VSP_OK, vsp_joint_set_drive(world, id, VSP_MOTOR_SERVO, 0, 0));
    CHECK_STATUS(VSP_OK, vsp_joint_set_frame(world, id, aim));
    step_world(world, 120);
    now = vsp_body_transform(world, body).rotation;
    dot = num(aim.x) * num(now.x) + num(aim.y) * num(now.y) +
          num(aim.z) * num(now.z) + num(aim.w) * num(now.w);
    CHECK_NEAR(1, fabs(dot), 0.00001); /* within 0.01 rad */
    CHECK_AT_MOST(0.001, num(state_of(id).error));
}

static void ball_motors_turn_and_aim(void)
{
    each_stepper(check_ball_motor);
}

/* A bar on AXES at its end: the motor of its ball, whose first axis is z of the
 * world, is to hold it 30 degrees above the level. */
static vsp_joint_id add_arm(double most)
{
    vsp_shape_def box = vsp_box(real(0.5), real(0.05), real(0.05));
    vsp_joint_def def = joint_to(VSP_JOINT_AXES,
                                 add_body(world, VSP_DYNAMIC, box, 0.5, 0, 0));

    def.frame_b.position = real3(-0.5, 0, 0);
    def.frame_b.rotation = turn(-90, 0, 1, 0);
    def.frame_a.rotation = vsp_quat_mul(turn(30, 0, 0, 1),
                                        def.frame_b.rotation);
    def.locked = PLACES;
    def.driven = TURNS;
    def.motor_mode = VSP_MOTOR_SERVO;
    def.motor_speed = real(1);
    def.motor_max = real(most);
    return create_joint(world, &def);
}

/* With more torque than its weight needs, an arm is lifted and held; with less
 * it falls as fast as the rest of its weight lets it. */
static void check_arm(vsp_stepper stepper)
{
    double mass = 10, weight = mass * G * 0.5, inertia = mass * 4.01 / 12;
    vsp_joint_id id;
    vsp_joint_state state;

    test_note("stepper %d", (int)stepper);
    begin_world(stepper, G);
    id = add_arm(1.2 * weight);
    step_world(world, 28);
    CHECK_NEAR(1, num(state_of(id).speed), 0.01);
    step_world(world, 60);
    state = state_of(id);
    CHECK_NEAR(0, num(state.place), 0.005);
    CHECK_NEAR(weight * cos(PI / 6), num(state.motor) / STEP, 0.01 * weight);
    begin_world(stepper, G);
    id = add_arm(0.8 * weight);
    step_world(world, 12);
    state = state_of(id);
    CHECK_NEAR(0.8 * weight, num(state.motor) / STEP, 0.001 * weight);
    CHECK_NEAR(-0.2 * weight / inertia * 12 * STEP, num(state.speed),
               0.01 * 0.2 * weight / inertia * 12 * STEP);
}

static void arms_are_held_within_their_torque(void)
{
    each_stepper(check_arm);
}

/* A pendulum on AXES swings as on a HINGE, to its limits, too. */
static void check_axes(vsp_stepper stepper)
{
    vsp_vec3 at[2];

    for (int i = 0; i < 2; i++) {
        vsp_joint_def def;
        vsp_body_id body;

        begin_world(stepper, G);
        body = add_body(world, VSP_DYNAMIC,
                        vsp_box(real(0.5), real(0.1), real(0.2)), 0.5, 0, 0);
        def = joint_to(i == 0 ? VSP_JOINT_HINGE : VSP_JOINT_AXES, body);
        CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(0, 0, 0),
                                             real3(0, 0, 1)));
        def.enable_motor = false;
        def.enable_limit = true;
        def.low = real(-2.2);
        def.high = real(0.3);
        def.locked = i == 0 ? 0 : 63 & ~VSP_LOCK_TURN_X;
        def.limited = i == 0 ? 0 : VSP_LOCK_TURN_X;
        (void)create_joint(world, &def);
        step_world(world, 50);
        at[i] = vsp_body_center(world, body);
    }
    CHECK_NEAR(num(at[0].x), num(at[1].x), 0.002);
    CHECK_NEAR(num(at[0].y), num(at[1].y), 0.002);
}

static void axes_are_hinges_too(void)
{
    each_stepper(check_axes);
}


/* ---- Wheels -------------------------------------------------------------- */

static vsp_joint_def wheel_on(vsp_body_id body)
{
    vsp_joint_def def = joint_to(VSP_JOINT_WHEEL, body);

    /* x up, y along z of the world: the axle; z along x of the world */
    def.frame_a.rotation = def.frame_b.rotation = turn(120, 0.57735, 0.57735,
                                                       0.57735);
    def.enable_motor = false;
    return def;
}

static void check_wheel(vsp_stepper stepper)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id ball;
    vsp_joint_state state;
    double inertia, w = 2 * PI * 2;

    begin_world(stepper, G);
    ball = add_ball(0, 0);
    inertia = 0.4 * num(vsp_body_mass(world, ball)) * 0.04;
    def = wheel_on(ball);
    def.frame_a.rotation = turn(120, 0.57735, 0.57735, 0.57735);
    def.limit_hertz = real(2);
    def.limit_damping = real(0.8);
    def.enable_limit = true;
    def.low = real(-0.2);
    def.high = real(0.1);
    id = create_joint(world, &def);
    step_world(world, 120);
    state = state_of(id);
    test_note("travel %g %g %g", num(state.slide.x), num(state.slide.y),
              num(state.slide.z));
    CHECK_NEAR(G / (w * w),
               hypot(num(state.slide.x),
                     hypot(num(state.slide.y), num(state.slide.z))),
               0.01 * G / (w * w));
    for (int i = 1; i <= 20; i++) {
        CHECK_STATUS(VSP_OK, vsp_joint_set_target(world, id, real(0.02 * i)));
        step_world(world, 1);
    }
    CHECK_NEAR(0.4, num(state_of(id).angles.x), 0.004);
    CHECK_AT_MOST(0.002, num(state_of(id).angle_error));
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_motor(world, id, true, real(20), real(1e6)));
    step_world(world, 20);
    CHECK_NEAR(20, num(state_of(id).wheel_speed), 0.2);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_motor(world, id, true, 0, real(10 * inertia)));
    step_world(world, 60);
    CHECK_NEAR(10, num(state_of(id).wheel_speed), 0.1); /* braked 10 rad/s^2 */
    CHECK_NEAR(0.4, num(state_of(id).angles.x), 0.004);
}

static void wheels_sag_steer_drive_and_brake(void)
{
    each_stepper(check_wheel);
}


/* ---- A car --------------------------------------------------------------- */

#define RADIUS 0.3
#define HALF_TRACK 0.95
#define WHEEL_BASE 1.8

typedef struct car {
    vsp_body_id body;
    vsp_joint_id wheel[4]; /* the front ones first; x of the world is ahead */
} car;

/* Makes a car on a floor, in a gravity that leans by an angle, rad. */
static car new_car(vsp_stepper stepper, double slope)
{
    vsp_shape_def box = vsp_box(real(1.2), real(0.15), real(0.6));
    vsp_shape_def floor = vsp_half_space();
    car it;

    begin_world(stepper, G);
    CHECK_STATUS(VSP_OK,
                 vsp_world_set_gravity(
                     world, real3(-G * sin(slope), -G * cos(slope), 0)));
    floor.material.friction = real(0.9);
    (void)add_body(world, VSP_STATIC, floor, 0, 0, 0);
    box.density = real(900);
    it.body = add_body(world, VSP_DYNAMIC, box, 0, 0.5, 0);
    for (int i = 0; i < 4; i++) {
        vsp_shape_def ball = vsp_sphere(real(RADIUS));
        double x = i < 2 ? WHEEL_BASE / 2 : -WHEEL_BASE / 2;
        double z = i % 2 ? HALF_TRACK : -HALF_TRACK;
        vsp_joint_def def;

        ball.density = real(200);
        ball.material.friction = real(0.9);
        def = joint_to(VSP_JOINT_WHEEL,
                       add_body(world, VSP_DYNAMIC, ball, x, RADIUS, z));
        def.body_a = it.body;
        CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(x, RADIUS, z),
                                             real3(0, 1, 0)));
        /* y of both frames, the axle, is -z of the world: ahead is x */
        def.frame_a.rotation = def.frame_b.rotation = turn(120, 0.57735,
                                                           0.57735, 0.57735);
        def.limit_hertz = real(5.35);
        def.limit_damping = real(1.5);
        def.enable_limit = true;
        def.low = real(-0.12);
        def.high = real(0.12);
        def.motor_max = real(400);
        it.wheel[i] = create_joint(world, &def);
    }
    return it;
}

/* Drives the hind wheels, each at the speed of its own circle, as by a
 * differential; the front wheels roll freely. */
static void drive_car(const car *it, double speed, double angle)
{
    for (int i = 0; i < 4; i++) {
        double side = i % 2 ? HALF_TRACK : -HALF_TRACK;
        double own = speed * (1 + side * tan(angle) / WHEEL_BASE);

        CHECK_STATUS(VSP_OK,
                     vsp_joint_set_motor(world, it->wheel[i], i >= 2,
                                         real(own / RADIUS), real(400)));
        CHECK_STATUS(VSP_OK, vsp_joint_set_target(world, it->wheel[i],
                                                  real(i < 2 ? angle : 0)));
    }
}

/* the height of the car's up axis: 1 if it is level */
static double up_of(vsp_body_id body)
{
    vsp_quat q = vsp_body_transform(world, body).rotation;

    return 1 - 2 * (num(q.x) * num(q.x) + num(q.z) * num(q.z));
}

/* Returns the angle of a board on a hinge along z, with its other turns locked
 * or not, after a servo has turned it for a third of a second. */
static double turn_board(vsp_stepper stepper, uint32_t locks)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id board;

    begin_world(stepper, G);
    board = add_body(world, VSP_DYNAMIC,
                     vsp_box(real(0.125), real(1.17), real(0.9)), 0, -1.17, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_locks(world, board, locks));
    def = joint_to(VSP_JOINT_HINGE, board);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 0, 1)));
    def.motor_mode = VSP_MOTOR_SERVO;
    def.motor_target = real(1.5);
    def.motor_speed = real(2.5);
    def.motor_max = real(20000);
    id = create_joint(world, &def);
    step_world(world, 20);
    return num(state_of(id).place);
}

/* Returns how far a car with two drums for wheels drives in a second. */
static double drive_drums(vsp_stepper stepper, uint32_t locks)
{
    vsp_shape_def box = vsp_box(real(1.4), real(0.2), real(0.7));
    vsp_shape_def drum = vsp_cylinder(real(0.45), real(0.6));
    vsp_body_id body;

    begin_world(stepper, G);
    (void)add_ground(world);
    box.density = real(150);
    drum.density = real(50);
    body = add_body(world, VSP_DYNAMIC, box, 0, 0.86, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_locks(world, body, locks));
    for (int side = -1; side <= 1; side += 2) {
        vsp_joint_def def = joint_to(
            VSP_JOINT_WHEEL, add_turned(world, VSP_DYNAMIC, drum, side * 0.95,
                                        0.46, 0, turn(90, 1, 0, 0)));

        def.body_a = body;
        def.frame_a.position = real3(side * 0.95, -0.4, 0);
        def.frame_a.rotation = turn(120, 0.57735, 0.57735, 0.57735);
        def.limit_hertz = real(3);
        def.limit_damping = real(0.7);
        def.motor_speed = real(-14);
        def.motor_max = real(300);
        (void)create_joint(world, &def);
    }
    step_world(world, 60);
    CHECK_NEAR(0.75, num(vsp_body_center(world, body).y), 0.1);
    return num(vsp_body_center(world, body).x);
}

/* Rows of a joint along locked turns must not hold the turns that are free. */
static void check_locks(vsp_stepper stepper)
{
    uint32_t flat = VSP_LOCK_Z | VSP_LOCK_TURN_X | VSP_LOCK_TURN_Y;

    CHECK_NEAR(turn_board(stepper, 0), turn_board(stepper, flat), 0.002);
    CHECK_NEAR(turn_board(stepper, 0), turn_board(stepper, VSP_LOCK_TURN_X),
               0.002);
    CHECK_AT_LEAST(0.5, turn_board(stepper, 0));
    CHECK_NEAR(drive_drums(stepper, 0), drive_drums(stepper, flat), 0.05);
    CHECK_AT_LEAST(1.5, drive_drums(stepper, flat));
}

static void locks_leave_free_turns_free(void)
{
    each_stepper(check_locks);
}

/* With its brakes on, a car stands on a slope of 25 degrees; with too weak
 * ones it rolls off. */
static void check_slope(vsp_stepper stepper)
{
    car it = new_car(stepper, 25 * PI / 180);
    double before;

    step_world(world, 60);
    before = num(vsp_body_center(world, it.body).x);
    step_world(world, 180);
    CHECK_NEAR(before, num(vsp_body_center(world, it.body).x), 0.01);
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(VSP_OK, vsp_joint_set_motor(world, it.wheel[i], true, 0,
                                                 real(100)));
    step_world(world, 60);
    CHECK(num(vsp_body_center(world, it.body).x) < before - 0.2);
}

static void cars_hold_a_slope(void)
{
    each_stepper(check_slope);
}

/* On a circle a car of track 2 t and height h tips at v^2 = g r t / h.  At 0.6
 * of this speed it stays level, and the circle is that of its steering. */
static void check_circle(vsp_stepper stepper)
{
    double angle = 0.12, radius = WHEEL_BASE / tan(angle), height = 0.45;
    double tips = sqrt(G * radius * HALF_TRACK / height), v = 0.6 * tips;
    car it = new_car(stepper, 0);
    double lowest = 1, spin = 0, speed = 0;

    v = fmin(v, 0.5 * sqrt(0.9 * G * radius)); /* and it does not slide */
    for (int i = 0; i < 480; i++) {
        vsp_vec3 velocity;

        drive_car(&it, v * fmin(1, i / 120.0), angle * fmin(1, i / 120.0));
        step_world(world, 1);
        lowest = fmin(lowest, up_of(it.body));
        velocity = vsp_body_velocity(world, it.body);
        if (i < 300)
            continue;
        spin += fabs(num(vsp_body_spin(world, it.body).y)) / 180;
        speed += hypot(num(velocity.x), num(velocity.z)) / 180;
    }
    CHECK(lowest > cos(0.06));
    CHECK_NEAR(v, speed, 0.05 * v);
    CHECK_NEAR(radius, speed / spin, 0.1 * radius);
}

static void cars_stay_level_on_a_circle(void)
{
    each_stepper(check_circle);
}


#if VSP_QUERIES && VSP_MATH

/* The cosine between the car's up axis and the normal of the ground below; -1
 * if there is none within 3 m. */
static double lean_of(vsp_body_id body)
{
    vsp_transform at = vsp_body_transform(world, body);
    vsp_query query = vsp_query_default();
    vsp_vec3 way = real3(0, -3, 0), up;
    vsp_hit hit;

    query.except = body;
    up = vsp_quat_rotate(at.rotation, real3(0, 1, 0));
    if (vsp_ray_cast(world, at.position, way, &query, &hit) < 0 ||
        hit.body.bits == 0)
        return -1;
    return num(up.x) * num(hit.normal.x) + num(up.y) * num(hit.normal.y) +
           num(up.z) * num(hit.normal.z);
}

#else

#define lean_of(body) 1.0

#endif

/* The scene of a car on hills: it climbs, stays on its wheels, which is judged
 * by the ground below once it has landed, and stands when it brakes. */
static void check_hills(vsp_stepper stepper)
{
    simulation_options options = simulation_options_default();
    double low = 100, high = -100, climbed = 0, level = 1, lean = 1;
    static scene_run run;
    vec3 before = {0, 0, 0};

    options.stepper = stepper;
    if (!CHECK(simulation_start(&run, "rally", &options)))
        return;
    world = run.world;
    for (uint32_t i = 0; i < 400; i++) {
        double y;

        play_steps(&run, i, i + 1);
        y = mark_position(&run, 0).y;
        level = fmin(level, up_of(run.marks[0]));
        if (i < 60)
            continue;
        lean = i < 90 ? 1 : fmin(lean, lean_of(run.marks[0]));
        low = fmin(low, y);
        high = fmax(high, y);
        climbed = fmax(climbed, y - low);
        if (i == 369)
            before = mark_position(&run, 0);
    }
    if (shows())
        printf("climbs %.3f m of %.3f m, up axis at least %.3f, %.3f to the "
               "ground, creeps %.4f\n",
               climbed, high - low, level, lean,
               vec_length(vec_sub(mark_position(&run, 0), before)));
    CHECK(climbed > 0.5);
    CHECK(level > 0.8);
    CHECK(lean > 0.85);
    CHECK_AT_MOST(0.01, vec_length(vec_sub(mark_position(&run, 0), before)));
}

static void cars_climb_hills(void)
{
    each_stepper(check_hills);
}


/* ---- Wrong arguments ----------------------------------------------------- */

static void refuse_drive(const vsp_joint_def *def)
{
    vsp_joint_id id = {1};

    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_create(world, def, &id));
    CHECK_HEX(0, id.bits);
}

static void wrong_drives_are_refused(void)
{
    vsp_body_id none = {0};
    vsp_joint_def good, bad;
    vsp_joint_id axes, hinge, wheel, fixed, socket;
    vsp_real out[2];
    vsp_body_id ball;

    begin_world(VSP_STEPPER_CARRY, G);
    ball = add_ball(0, 0);
    good = joint_to(VSP_JOINT_AXES, ball);
    refuse_drive(&good); /* no axis is used */
    good.locked = 1;
    good.driven = 2;
    axes = create_joint(world, &good);
    for (int i = 0; i < 9; i++) {
        bad = good;
        if (i == 0)
            bad.driven = 3; /* locked, too */
        if (i == 1)
            bad.limited = 64;
        if (i == 2)
            bad.driven = bad.limited = 6; /* two axes */
        if (i == 3)
            bad.motor_mode = VSP_MOTOR_SPRING; /* 0 Hz */
        if (i == 4)
            bad.motor_hertz = real(1); /* SPEED */
        if (i == 5)
            bad.motor_mode = VSP_MOTOR_MODES;
        if (i == 6)
            bad.limit_hertz = real(1);
        if (i == 7)
            bad.yield_torque = real(1);
        if (i == 8) {
            bad.motor_mode = VSP_MOTOR_SPRING;
            bad.motor_hertz = real(1);
            bad.motor_damping = real(-0.5);
        }
        test_note("case %d", i);
        refuse_drive(&bad);
    }
    bad = joint_to(VSP_JOINT_DISTANCE, ball);
    refuse_drive(&bad); /* SPEED */
    bad = joint_to(VSP_JOINT_WHEEL, ball);
    bad.motor_target = real(1.6);
    refuse_drive(&bad);
    bad.motor_target = 0;
    wheel = create_joint(world, &bad);
    bad.type = VSP_JOINT_HINGE;
    hinge = create_joint(world, &bad);
    bad.locked = 1;
    refuse_drive(&bad);
    bad = joint_to(VSP_JOINT_FIXED, ball);
    bad.enable_motor = false;
    fixed = create_joint(world, &bad);
    bad.type = VSP_JOINT_BALL;
    socket = create_joint(world, &bad);
    bad.motor_target = real(0.1);
    refuse_drive(&bad);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_target(world, fixed, 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_target(world, wheel, real(1.6)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_target(NULL, wheel, 0));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_drive(world, wheel, VSP_MOTOR_SERVO, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_drive(world, fixed, VSP_MOTOR_SPEED, 0, 0));
    CHECK_REFUSED(
        VSP_ERR_ARG,
        vsp_joint_set_drive(world, hinge, VSP_MOTOR_SPRING, real(1001), 0));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_drive(world, socket, VSP_MOTOR_SPEED, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_drive(world, hinge, VSP_MOTOR_SPRING, real(1),
                                      real(-0.001)));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_drive(world, wheel, VSP_MOTOR_SPEED, real(1),
                                      real(-0.001)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_spring(world, axes, real(7), 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_spring(world, axes, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_axes(world, hinge, 1, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_axes(world, axes, 1, 0, 1));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_axes(world, axes, 1, 0, 64));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_frame(world, hinge, turn(1, 1, 0, 0)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_find_spring(world, base, base, real(1),
                                                     0, &out[0], &out[1]));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_find_spring(world, base, ball, 0, 0,
                                                     &out[0], &out[1]));
    CHECK_REFUSED(
        VSP_ERR_ARG, /* 1,100 Hz */
        vsp_joint_find_spring(world, base, ball,
                              real(4.8e7 * num(vsp_body_mass(world, ball))), 0,
                              &out[0], &out[1]));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_find_spring(world, base, none, real(1),
                                                    0, &out[0], &out[1]));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, axes));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_axes(world, axes, 1, 0, 0));
    CHECK_REFUSED(VSP_ERR_ID,
                  vsp_joint_set_frame(world, axes, turn(1, 1, 0, 0)));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_target(world, axes, 0));
    CHECK_REFUSED(VSP_ERR_ID,
                  vsp_joint_set_drive(world, axes, VSP_MOTOR_SPEED, 0, 0));
}

/* What is created is read back; changed, it survives a snapshot. */
static void drives_are_read_back(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    vsp_joint_def def, back;
    vsp_joint_id id;
    uint32_t hash;
    size_t size;

    begin_world(VSP_STEPPER_CARRY, G);
    def = joint_to(VSP_JOINT_AXES, add_ball(0, 0));
    def.locked = 1;
    def.limited = 8;
    def.enable_limit = true;
    def.driven = 8 | 2;
    def.motor_mode = VSP_MOTOR_SERVO;
    def.motor_speed = real(1);
    id = create_joint(world, &def);
    CHECK_STATUS(VSP_OK, vsp_joint_set_axes(world, id, 4, 16, 16 | 32));
    CHECK_STATUS(VSP_OK, vsp_joint_set_target(world, id, real(0.75)));
    CHECK_STATUS(VSP_OK, vsp_joint_set_drive(world, id, VSP_MOTOR_SPRING,
                                             real(3), real(0.5)));
    step_world(world, 5);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, id, &back));
    CHECK_UINT(4, back.locked);
    CHECK_UINT(16, back.limited);
    CHECK_UINT(48, back.driven);
    CHECK_UINT(VSP_MOTOR_SPRING, back.motor_mode);
    CHECK_NEAR(0.75, num(back.motor_target), 1e-6);
    CHECK_NEAR(3, num(back.motor_hertz), 1e-6);
    CHECK_NEAR(0.5, num(back.motor_damping), 1e-6);
    CHECK_NEAR(0, num(back.limit_hertz), 0);
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    step_world(world, 3);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
    CHECK_HEX(hash, vsp_world_hash(world));
}


/* ---- Random calls -------------------------------------------------------- */

static uint32_t dice;

static uint32_t pick_below(uint32_t count)
{
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 16) % count;
}

static vsp_real some(double low, double high)
{
    return real(low + (high - low) * (pick_below(1000) / 999.0));
}

static vsp_quat some_turn(void)
{
    return turn(pick_below(360), 0.6, pick_below(2) ? 0.8 : 0,
                pick_below(2) ? 0 : 0.8);
}

/* Returns a joint that may be wrong. */
static vsp_joint_def some_joint(vsp_body_id a, vsp_body_id b)
{
    vsp_joint_def def = joint_to((vsp_joint_type)(1 + pick_below(7)), b);

    def.body_a = a;
    def.frame_a.rotation = some_turn();
    def.enable_motor = def.type != VSP_JOINT_BALL &&
                       def.type != VSP_JOINT_FIXED && pick_below(4);
    def.enable_limit = def.type != VSP_JOINT_FIXED && pick_below(2);
    def.high = some(0, 1);
    def.motor_mode = (vsp_motor_mode)pick_below(3);
    def.motor_speed = some(-3, 3);
    def.motor_hertz = def.motor_mode == VSP_MOTOR_SPRING ? some(0, 40) : 0;
    if (def.type != VSP_JOINT_AXES)
        return def;
    def.locked = pick_below(64);
    def.limited = pick_below(64) & ~def.locked;
    def.driven = pick_below(64) & ~def.locked & ~def.limited;
    return def;
}

/* Makes a call, which may be refused. */
static void call_drive(const vsp_body_id *bodies)
{
    vsp_joint_id id = vsp_joint_at(world, pick_below(6));
    vsp_joint_def def = some_joint(bodies[pick_below(4)],
                                   bodies[pick_below(4)]);

    switch (pick_below(7)) {
    case 0:
        (void)vsp_joint_create(world, &def, NULL);
        break;
    case 1:
        (void)vsp_joint_set_drive(world, id, def.motor_mode, def.motor_hertz,
                                  some(0, 2));
        break;
    case 2:
        (void)vsp_joint_set_target(world, id, some(-2, 2));
        break;
    case 3:
        (void)vsp_joint_set_axes(world, id, def.locked, def.limited,
                                 def.driven);
        break;
    case 4:
        (void)vsp_joint_set_frame(world, id, some_turn());
        break;
    case 5:
        (void)vsp_joint_set_motor(world, id, pick_below(2) == 0, some(-5, 5),
                                  some(0, 1000));
        break;
    default:
        if (pick_below(4) == 0)
            (void)vsp_joint_destroy(world, id);
    }
}

/* After random calls a world is valid, and goes on equally from a snapshot. */
static void check_calls(vsp_stepper stepper)
{
    vsp_body_id bodies[4];

    for (uint32_t seed = 1; seed <= 40; seed++) {
        dice = seed;
        test_note("seed %u", seed);
        begin_world(stepper, G);
        bodies[0] = base;
        for (int i = 1; i < 4; i++)
            bodies[i] = add_ball(i, 0.2 * i);
        for (int i = 0; i < 60; i++) {
            call_drive(bodies);
            step_world(world, 1);
        }
        if (!check_replays(world, 5))
            return;
    }
}

static void random_drives_leave_valid_worlds(void)
{
    each_stepper(check_calls);
}


static const test tests[] = {
    TEST(springs_swing_with_their_frequency),
    TEST(springs_of_hinges_swing_with_their_frequency),
    TEST(springs_of_balls_swing_with_their_frequency),
    TEST(springs_of_any_stiffness_hold),
    TEST(springs_between_free_bars_have_their_frequency),
    TEST(springs_of_hinges_hold_at_any_stiffness),
    TEST(springs_with_levers_feed_no_energy),
    TEST(springs_of_no_stiffness_do_nothing),
    TEST(springs_sag_as_their_stiffness_says),
    TEST(servos_lift_to_their_target),
    TEST(servos_turn_the_shorter_way),
    TEST(ball_motors_turn_and_aim),
    TEST(arms_are_held_within_their_torque),
    TEST(axes_are_hinges_too),
    TEST(wheels_sag_steer_drive_and_brake),
    TEST(locks_leave_free_turns_free),
    TEST(cars_hold_a_slope),
    TEST(cars_stay_level_on_a_circle),
    TEST(cars_climb_hills),
    TEST(wrong_drives_are_refused),
    TEST(drives_are_read_back),
    TEST(random_drives_leave_valid_worlds),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

const test_suite drive_suite = {"drive", tests};
