/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Soft limits: springs sag, swing and damp as an implicit integration does in
 * double precision; they add no energy; hard limits beside them stay hard; a
 * hinge with a spring resists bending, and a crossbow shoots. */

#include "port/vec.h"
#include "scene_fixture.h"

#include <math.h>

#if VSP_JOINTS

#define G 9.81

static vsp_world *world;
static vsp_body_id base; /* static, without a shape */


/* ---- Worlds ---------------------------------------------------------------
 */

static void begin_world(vsp_stepper stepper, double dt, double gravity)
{
    world = new_joint_world(stepper, dt, gravity, &base);
}

static vsp_body_id add_ball(double x, double y, double radius)
{
    vsp_shape_def ball = vsp_sphere(real(radius));

    ball.filter.group = -1;
    return add_body(world, VSP_DYNAMIC, ball, x, y, 0);
}

static double height(vsp_body_id id)
{
    return num(vsp_body_center(world, id).y);
}

static double speed(vsp_body_id id)
{
    return num(vsp_body_velocity(world, id).y);
}

/* Returns a spring or rubber band between the centres of two bodies. */
static vsp_joint_def band(vsp_body_id a, vsp_body_id b, double low, double high,
                          double hertz, double damping)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_DISTANCE;
    def.body_a = a;
    def.body_b = b;
    def.low = real(low);
    def.high = real(high);
    def.limit_hertz = real(hertz);
    def.limit_damping = real(damping);
    return def;
}

static vsp_joint_id add_band(vsp_body_id a, vsp_body_id b, double low,
                             double high, double hertz, double damping)
{
    vsp_joint_def def = band(a, b, low, high, hertz, damping);

    return create_joint(world, &def);
}


/* ---- One mass on a spring -------------------------------------------------
 */

/* It must hang where its weight and the spring are in balance: g / w^2
 * below. */
static void check_sag(vsp_stepper stepper)
{
    static const double hertz[] = {1, 3, 10};
    vsp_joint_state state;
    vsp_joint_id id;

    for (size_t i = 0; i < COUNT_OF(hertz); i++) {
        double w = 2 * PI * hertz[i], sag = G / (w * w);
        vsp_body_id ball;

        begin_world(stepper, 1.0 / 60.0, G);
        ball = add_ball(0, -2, 0.2);
        id = add_band(base, ball, 2, 2, hertz[i], 1);
        step_world(world, 300);
        CHECK_NEAR(sag, -2 - height(ball), 0.005 * sag + 0.00005);
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
        CHECK_NEAR(0, num(state.error), 0);
        CHECK_NEAR(num(vsp_body_mass(world, ball)) * G / 60.0,
                   num(state.impulse.y),
                   0.005 * num(vsp_body_mass(world, ball)) * G / 60.0);
    }
}

static void springs_hang_as_deep_as_they_must(void)
{
    each_stepper(check_sag);
}

/* A world must do what an implicit step of a spring does in double
 * precision. */
static void check_swing(double hertz, double damping, double dt, int steps)
{
    double x = 2 * PI * hertz * dt, d = x + 2 * damping;
    double c = 0.5, v = 0, worst = 0;
    vsp_body_id ball;

    test_note("%g Hz, damping %g, dt %g", hertz, damping, dt);
    begin_world(VSP_STEPPER_CARRY, dt, 0);
    ball = add_ball(0, 2.5, 0.2);
    (void)add_band(base, ball, 2, 2, hertz, damping);
    for (int i = 0; i < steps; i++) {
        step_world(world, 1);
        v = (v - x * x * c / dt) / (1 + x * d);
        c += dt * v;
        worst = fmax(worst, fabs(c + 2 - height(ball)));
    }
    CHECK_AT_MOST(TOLERANCE(0.0005, 0.002), worst);
}

static void springs_swing_as_computed(void)
{
    static const double dts[] = {1.0 / 60.0, 0.004, 0.001};
    static const double hertz[] = {0.2, 2, 10, 200};
    static const double damping[] = {0, 0.1, 1, 20};

    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            check_swing(hertz[i], damping[k], dts[(i + k) % 3], 400);
}

/* In short steps the frequency must be that of the definition, within 1 %. */
static void springs_swing_at_their_frequency(void)
{
    vsp_body_id ball;
    int crossings = 0, step, first = 0, last = 0;
    double before;

    begin_world(VSP_STEPPER_PGS, 0.001, 0);
    ball = add_ball(0, 2.5, 0.2);
    (void)add_band(base, ball, 2, 2, 2, 0);
    before = height(ball);
    for (step = 0; step < 4000; step++) {
        step_world(world, 1);
        if ((before > 2) != (height(ball) > 2)) {
            last = step;
            if (crossings++ == 0)
                first = step;
        }
        before = height(ball);
    }
    CHECK_AT_LEAST(8, crossings);
    CHECK_NEAR(4.0, 1000.0 * (crossings - 1) / (last - first), 0.04);
}

/* A dynamic body without mass does not move, so it must hold a spring as a
 * static one does. */
static void springs_hang_on_bodies_without_mass(void)
{
    double w = 2 * PI * 2;
    vsp_body_def nothing = vsp_body_def_default();
    vsp_body_id hook, ball;

    begin_world(VSP_STEPPER_CARRY, 0.01, G);
    nothing.type = VSP_DYNAMIC;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &nothing, &hook));
    ball = add_ball(0, -2, 0.2);
    (void)add_band(hook, ball, 2, 2, 2, 1);
    step_world(world, 500);
    CHECK_NEAR(-2 - G / (w * w), height(ball), 0.001);
}

/* A band must pull only while it is longer than its length. */
static void check_band(vsp_stepper stepper)
{
    vsp_body_id ball;
    double most = -9, low = 0;

    begin_world(stepper, 0.005, G);
    ball = add_ball(0, -0.5, 0.2);
    (void)add_band(base, ball, 0, 1, 2, 0);
    for (int i = 0; i < 63; i++) { /* it falls 0.5 m in 0.32 s */
        CHECK_NEAR(-G * 0.005 * i, speed(ball), 0.01);
        step_world(world, 1);
    }
    for (int i = 0; i < 400; i++) {
        step_world(world, 1);
        low = fmin(low, height(ball));
        most = fmax(most, height(ball));
    }
    CHECK_NEAR(-1.319, low, 0.03); /* by energy: w^2 c^2 / 2 = g (0.5 + c) */
    CHECK_AT_MOST(-0.5, most);
}

static void bands_pull_when_they_are_long(void)
{
    each_stepper(check_band);
}


/* ---- Many springs ---------------------------------------------------------
 */

static double energy_of_bands(const vsp_body_id *balls, int count, double hertz)
{
    double w = 2 * PI * hertz, sum = 0;

    for (int i = 0; i < count; i++) {
        double m = num(vsp_body_mass(world, balls[i]));
        vec3 v = vec_from(vsp_body_velocity(world, balls[i]));

        sum += 0.5 * m * vec_dot(v, v);
    }
    for (int i = 0; i + 1 < count; i++) {
        vec3 apart = vec_sub(vec_from(vsp_body_center(world, balls[i + 1])),
                             vec_from(vsp_body_center(world, balls[i])));
        double m = 0.5 * num(vsp_body_mass(world, balls[i]));
        double c = vec_length(apart) - 0.5;

        sum += 0.5 * m * w * w * c * c;
    }
    return sum;
}

/* A chain of equal balls, with every spring out of rest.  Stiffness is that for
 * half the mass of a ball, the effective mass between its two ends. */
static void check_chain(vsp_stepper stepper)
{
    static const double hertz[] = {1, 5, 30, 1000};
    vsp_body_id balls[12];

    for (size_t k = 0; k < COUNT_OF(hertz); k++) {
        double start, most = 0;

        begin_world(stepper, 1.0 / 60.0, 0);
        for (int i = 0; i < 12; i++)
            balls[i] = add_ball(0.55 * i + 0.03 * (i % 3), 0.05 * (i % 4), 0.1);
        for (int i = 0; i + 1 < 12; i++)
            (void)add_band(balls[i], balls[i + 1], 0.5, 0.5, hertz[k], 0);
        start = energy_of_bands(balls, 12, hertz[k]);
        for (int i = 0; i < 600; i++) {
            step_world(world, 1);
            most = fmax(most, energy_of_bands(balls, 12, hertz[k]));
        }
        test_note("stepper %d, %g Hz", (int)stepper, hertz[k]);
        CHECK_AT_MOST(1.01, most / start);
    }
}

static void springs_add_no_energy(void)
{
    each_stepper(check_chain);
}

/* Twenty springs on one ball must be as stiff as twenty, and calm. */
static void check_parallel(vsp_stepper stepper)
{
    double w = 2 * PI * 10, sag = G / (w * w) / 20;
    vsp_body_id ball;

    begin_world(stepper, 1.0 / 60.0, G);
    ball = add_ball(0, -2, 0.2);
    for (int i = 0; i < 20; i++)
        (void)add_band(base, ball, 2, 2, 10, 0.2);
    step_world(world, 600);
    CHECK_NEAR(sag, -2 - height(ball), 0.05 * sag + TOLERANCE(0.0001, 0.0004));
    CHECK_AT_MOST(0.001, fabs(speed(ball)));
}

static void springs_side_by_side_add_up(void)
{
    each_stepper(check_parallel);
}


/* A ball between two springs that pull against each other, plucked across them:
 * it must not be thrown out, however stiff they are. */
static void check_plucked(vsp_stepper stepper)
{
    static const double hertz[] = {5, 20, 60, 1000};

    for (size_t i = 0; i < COUNT_OF(hertz); i++) {
        vsp_body_def still = vsp_body_def_default();
        vsp_body_id ball, end;
        double most = 0;

        test_note("stepper %d, %g Hz", (int)stepper, hertz[i]);
        begin_world(stepper, 1.0 / 60.0, 0);
        ball = add_ball(1, 0.02, 0.1);
        still.pose.position.x = real(2);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &still, &end));
        (void)add_band(base, ball, 0, 0.5, hertz[i], 0.2);
        (void)add_band(ball, end, 0, 0.5, hertz[i], 0.2);
        for (int k = 0; k < 600; k++) {
            step_world(world, 1);
            most = fmax(most, fabs(height(ball)));
        }
        CHECK_AT_MOST(0.022, most);
    }
}

static void plucked_springs_stay_in_line(void)
{
    each_stepper(check_plucked);
}

/* An undamped spring off the centre of a spinning box, with kinetic energy
 * alone: the energy must never grow. */
static void check_off_centre(vsp_stepper stepper)
{
    vsp_shape_def box = vsp_box(real(0.3), real(0.1), real(0.2));
    vsp_joint_def def;
    vsp_body_id body;
    double first = 0, most = 0;

    begin_world(stepper, 0.001, 0);
    box.filter.group = -1;
    body = add_body(world, VSP_DYNAMIC, box, 1, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, body, real3(0.5, 1, -0.7),
                                               real3(3, -2, 4)));
    def = band(base, body, 1.2, 1.2, 1, 0);
    def.frame_b.position = real3(0.2, 0.1, -0.15);
    def.low = def.high = real(sqrt(1.2 * 1.2 + 0.1 * 0.1 + 0.15 * 0.15));
    (void)create_joint(world, &def);
    for (int i = 0; i < 10000; i++) {
        double now;

        step_world(world, 1);
        now = total_energy(world);
        first = i == 0 ? now : first;
        most = fmax(most, now);
    }
    CHECK_AT_MOST(1.01, most / first);
}

static void springs_off_the_centre_add_no_energy(void)
{
    each_stepper(check_off_centre);
}


/* ---- Other joints ---------------------------------------------------------
 */

/* Hangs a ball with this mass from the tip of a bar, by its centre. */
static void hang_ball(vsp_body_id bar, double mass)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = VSP_JOINT_BALL;
    def.body_a = bar;
    def.body_b = add_ball(1, 0, 0.2);
    def.frame_a.position.x = real(0.5);
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, def.body_b, real(mass),
                                           real3(0, 0, 0), real3(0, 0, 0)));
    (void)create_joint(world, &def);
}

/* A bar on a hinge with a spring must sag by its moment over the stiffness.  A
 * ball at its tip has `load` times its mass. */
static void check_sag_of_bar(vsp_stepper stepper, double hertz, double load)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_joint_state state;
    vsp_shape_def box = vsp_box(real(0.5), real(0.05), real(0.05));
    double mass, moment, about, w = 2 * PI * hertz, stiff;
    vsp_joint_id id;
    vsp_body_id bar;

    begin_world(stepper, 0.01, G);
    box.filter.group = -1;
    bar = add_body(world, VSP_DYNAMIC, box, 0.5, 0, 0);
    mass = num(vsp_body_mass(world, bar));
    moment = mass * G * (0.5 + load);
    /* the row of the spring turns the bar about its centre: the hinge's other
     * rows do not count in the row's effective mass */
    about = mass * (1.0 + 0.01) / 12.0;
    stiff = about * w * w;
    def.type = VSP_JOINT_HINGE;
    def.body_a = base;
    def.body_b = bar;
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 0, 1)));
    def.enable_limit = true;
    def.limit_hertz = real(hertz);
    def.limit_damping = real(1);
    id = create_joint(world, &def);
    if (load > 0)
        hang_ball(bar, load * mass);
    step_world(world, 1000);
    CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
    CHECK_NEAR(-moment * cos(num(state.place)) / stiff, num(state.place),
               0.01 * moment / stiff);
}

static void check_bar(vsp_stepper stepper)
{
    check_sag_of_bar(stepper, 4, 0);
}

static void hinges_resist_bending(void)
{
    each_stepper(check_bar);
}

/* A load pulls at the bar, but the stiffness of the spring must not change. */
static void check_loaded_bar(vsp_stepper stepper)
{
    check_sag_of_bar(stepper, 20, 10);
}

static void hinges_resist_no_more_under_a_load(void)
{
    each_stepper(check_loaded_bar);
}

static void sliders_have_springs(void)
{
    double w = 2 * PI * 2;
    vsp_joint_def def = vsp_joint_def_default();
    vsp_body_id ball;

    begin_world(VSP_STEPPER_SUBSPACE, 0.01, G);
    ball = add_ball(0, 0, 0.2);
    def.type = VSP_JOINT_SLIDER;
    def.body_a = base;
    def.body_b = ball;
    CHECK_STATUS(VSP_OK,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 1, 0)));
    def.enable_limit = true;
    def.low = real(-0.1);
    def.high = real(0.1);
    def.limit_hertz = real(2);
    def.limit_damping = real(0.5);
    (void)create_joint(world, &def);
    step_world(world, 800);
    CHECK_NEAR(-0.1 - G / (w * w), height(ball), 0.001);
}


/* ---- State ----------------------------------------------------------------
 */

/* A setter makes a joint soft, and hard again; then the joint is at its
 * limit. */
static void springs_can_be_set(void)
{
    double w = 2 * PI * 2;
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_body_id ball;

    begin_world(VSP_STEPPER_CARRY, 0.01, G);
    ball = add_ball(0, -2, 0.2);
    id = add_band(base, ball, 0, 2, 0, 0);
    step_world(world, 200);
    CHECK_NEAR(-2, height(ball), 0.0005);
    CHECK_STATUS(VSP_OK, vsp_joint_set_spring(world, id, real(2), real(1)));
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, id, &def));
    CHECK_NEAR(2, num(def.limit_hertz), 0);
    CHECK_NEAR(1, num(def.limit_damping), 0);
    step_world(world, 600);
    CHECK_NEAR(-2 - G / (w * w), height(ball), 0.002);
    CHECK_STATUS(VSP_OK, vsp_joint_set_spring(world, id, 0, 0));
    step_world(world, 200);
    CHECK_NEAR(-2, height(ball), 0.0005);
}

/* A snapshot during a swing must continue with the same bits. */
static void springs_are_state(void)
{
    vsp_body_id ball;
    size_t size;
    uint32_t hash;

    begin_world(VSP_STEPPER_CARRY, 0.01, G);
    ball = add_ball(0.5, -2, 0.2);
    (void)add_band(base, ball, 0, 1, 3, 0.1);
    step_world(world, 30);
    size = save_world(world, 0);
    step_world(world, 60);
    hash = vsp_world_hash(world);
    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    step_world(world, 60);
    CHECK_HEX(hash, vsp_world_hash(world));
}

/* The bolt must take most of the energy of both limbs: each has 1.44 kg and,
 * about its centre, 0.0434 kg m^2, and is bent by 0.61 rad. */
static void a_crossbow_shoots(void)
{
    const double w = 2 * PI * 20, stored = 0.0434 * w * w * 0.61 * 0.61;
    scene_variant variant;
    const scene *found = scene_find("crossbow", &variant);
    vsp_world_def def;
    scene_run run;
    double v;

    if (!CHECK(found))
        return;
    def = scene_world_def(found);
    world = new_world_of(&def);
    run.world = world;
    if (!CHECK(scene_start(&run, found, variant)))
        return;
    for (uint32_t step = 0; step < 70; step++)
        CHECK_AT_LEAST(0, scene_step(&run, step));
    v = num(vsp_body_velocity(world, run.marks[0]).x);
    test_note("%g J", stored);
    CHECK_AT_MOST(stored, 0.5 * 1.44 * v * v);
    CHECK_AT_LEAST(0.75 * stored, 0.5 * 1.44 * v * v);
}


static const test tests[] = {
    TEST(springs_hang_as_deep_as_they_must),
    TEST(springs_swing_as_computed),
    TEST(springs_swing_at_their_frequency),
    TEST(springs_hang_on_bodies_without_mass),
    TEST(bands_pull_when_they_are_long),
    TEST(springs_add_no_energy),
    TEST(springs_side_by_side_add_up),
    TEST(plucked_springs_stay_in_line),
    TEST(springs_off_the_centre_add_no_energy),
    TEST(hinges_resist_bending),
    TEST(hinges_resist_no_more_under_a_load),
    TEST(sliders_have_springs),
    TEST(springs_can_be_set),
    TEST(springs_are_state),
    TEST(a_crossbow_shoots),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

extern const test_suite spring_suite;

const test_suite spring_suite = {"spring", tests};
