/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rolling and spinning friction against what mechanics says: balls and capsules
 * that roll to a stop, stay on slopes, spin to a stop; what happens at any
 * mass, size, step and sweep; and the coefficients in state, replays,
 * differences, rollback. */

#include "scene_fixture.h"
#include "src/record/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if VSP_ROLLING

#define G 9.81
#define STEP (1.0 / 60.0)
#define RADIUS 0.25

static vsp_world *world;


/* ---- Worlds -------------------------------------------------------------- */

static vsp_world_def def_of(vsp_stepper stepper, double dt)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(dt);
    def.gravity = real3(0, -G, 0);
    def.enable_sleep = false;
    return def;
}

static void begin_world(vsp_stepper stepper, double dt)
{
    vsp_world_def def = def_of(stepper, dt);

    world = new_world_of(&def);
}

/* Gravity of a slope that falls along x, as seen by the slope. */
static void tilt(double gradient)
{
    double angle = atan(gradient);

    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(
                             world, real3(G * sin(angle), -G * cos(angle), 0)));
}

static vsp_shape_def rough_ball(double radius, double rolling, double spinning)
{
    vsp_shape_def shape = vsp_sphere(real(radius));

    shape.rolling_friction = real(rolling);
    shape.spinning_friction = real(spinning);
    return shape;
}

static vsp_body_id add_ball(double radius, double rolling)
{
    return add_body(world, VSP_DYNAMIC, rough_ball(radius, rolling, 0), 0,
                    radius, 0);
}

/* Rolls a body of this radius along x and z. */
static void roll_body(vsp_body_id id, double radius, double x, double z)
{
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, id, real3(x, 0, z),
                                       real3(z / radius, 0, -x / radius)));
}

static vsp_vec3 place_of(vsp_body_id id)
{
    return vsp_body_transform(world, id).position;
}

static double length_of(vsp_vec3 v)
{
    return sqrt(num(v.x) * num(v.x) + num(v.y) * num(v.y) +
                num(v.z) * num(v.z));
}

static double speed_of(vsp_body_id id)
{
    return length_of(vsp_body_velocity(world, id));
}

/* Steps until a body is slow.  Returns how long that takes, s. */
static double time_to_stop(vsp_body_id id, double dt, double most)
{
    double time = 0;

    while (time < most &&
           speed_of(id) + 0.1 * length_of(vsp_body_spin(world, id)) > 1e-3) {
        step_world(world, 1);
        time += dt;
    }
    return time;
}


/* ---- Rolling ------------------------------------------------------------- */

/* SHOCK moves a body by a part of its step before it solves the contact, which
 * turns with the ball meanwhile: its lever arm is this part of a step's way
 * shorter. */
static double lost_part(vsp_stepper stepper, double way, double rolling)
{
    return stepper == VSP_STEPPER_SHOCK ? 0.00125 * way / rolling : 0;
}

/* A ball at speed v rolls 7/10 v^2 r / (g mu), less half a step, in any
 * direction; its time is v over 5/7 g mu / r. */
static void check_ball(vsp_stepper stepper, double radius, double rolling,
                       double v, double angle, double dt)
{
    double slope = rolling / radius, a = 5.0 / 7.0 * G * slope, time;
    double far = 0.7 * v * v / (G * slope) - 0.5 * v * dt;
    double slack = 0.003 + lost_part(stepper, v * dt, rolling);
    vsp_body_id ball;

    begin_world(stepper, dt);
    add_ground(world);
    ball = add_ball(radius, rolling);
    step_world(world, 5);
    roll_body(ball, radius, v * cos(angle), v * sin(angle));
    time = time_to_stop(ball, dt, 3 * v / a);
    if (shows())
        printf("stepper %d radius %g rolling %g: time %g of %g, way %g of %g\n",
               (int)stepper, radius, rolling, time, v / a,
               hypot(num(place_of(ball).x), num(place_of(ball).z)), far);
    CHECK_NEAR(v / a, time, 2 * dt + slack * v / a);
    CHECK_NEAR(far * cos(angle), num(place_of(ball).x), slack * far);
    CHECK_NEAR(far * sin(angle), num(place_of(ball).z), slack * far);
    CHECK_NEAR(radius, num(place_of(ball).y), 2e-4);
}

static void check_balls(vsp_stepper stepper)
{
    check_ball(stepper, RADIUS, 0.005, 1, 0, STEP);
    check_ball(stepper, RADIUS, 0.005, 1, 2.5, STEP);
    check_ball(stepper, 0.02, 0.0005, 0.5, 0.7, STEP);
    check_ball(stepper, 2, 0.2, 3, -1, STEP);
    check_ball(stepper, RADIUS, 0.005, 1, 0, 1.0 / 15);
    check_ball(stepper, RADIUS, 0.005, 1, 0.3, 1.0 / 500);
}

static void a_ball_rolls_to_a_stop(void)
{
    each_stepper(check_balls);
}

/* A ball on a slope stays up to a gradient of mu / r, and above it rolls as
 * fast as the rest of gravity makes it. */
static void check_slope(vsp_stepper stepper, double part, double dt)
{
    double rolling = 0.01, gradient = part * rolling / RADIUS;
    double pull = G * sin(atan(gradient)) * (1 - 1 / part), time = 2;
    vsp_body_id ball;

    begin_world(stepper, dt);
    add_ground(world);
    ball = add_ball(RADIUS, rolling);
    tilt(gradient);
    step_world(world, (uint32_t)(time / dt + 0.5));
    if (shows())
        printf("stepper %d part %g: x %g, v %g of %g\n", (int)stepper, part,
               num(place_of(ball).x), num(vsp_body_velocity(world, ball).x),
               part < 1 ? 0 : 5.0 / 7 * pull * time);
    if (part < 1) {
        CHECK_NEAR(0, num(place_of(ball).x), 2e-4);
        CHECK_NEAR(0, speed_of(ball), 1e-4);
    } else {
        CHECK_NEAR(5.0 / 7 * pull * time, num(vsp_body_velocity(world, ball).x),
                   0.03 * 5.0 / 7 * pull * time);
    }
}

static void check_slopes(vsp_stepper stepper)
{
    static const double parts[] = {0.2, 0.9, 0.98, 1.1, 2, 8};

    for (uint32_t i = 0; i < COUNT_OF(parts); i++) {
        check_slope(stepper, parts[i], STEP);
        check_slope(stepper, parts[i], 1.0 / 240);
    }
}

static void balls_stay_on_slopes(void)
{
    each_stepper(check_slopes);
}

/* A ball that lies on a slope for a minute does not creep. */
static void check_creep(vsp_stepper stepper)
{
    vsp_body_id ball;

    begin_world(stepper, STEP);
    add_ground(world);
    ball = add_ball(RADIUS, 0.01);
    tilt(0.5 * 0.01 / RADIUS);
    step_world(world, 60);
    double start = num(place_of(ball).x);
    step_world(world, 3600);
    CHECK_NEAR(start, num(place_of(ball).x), TOLERANCE(1e-4, 3e-4));
}

static void resting_balls_do_not_creep(void)
{
    each_stepper(check_creep);
}

/* A capsule on its side: as a ball, with k^2 = I / m for 2/5 r^2. */
static void check_capsule(vsp_stepper stepper)
{
    double r = 0.2, half = 0.3, rolling = 0.004, v = 1;
    double tube = 2 * half, caps = 4.0 / 3 * r; /* masses over pi r^2 */
    double k = (tube * r * r / 2 + caps * 0.4 * r * r) / (tube + caps);
    double a = G * rolling / r / (1 + k / (r * r));
    double far = v * v / (2 * a) - 0.5 * v * STEP;
    vsp_shape_def shape = vsp_capsule(real(r), real(half));
    vsp_body_id id;

    begin_world(stepper, STEP);
    add_ground(world);
    shape.rolling_friction = real(rolling);
    id = add_turned(world, VSP_DYNAMIC, shape, 0, r, 0, turn(90, 1, 0, 0));
    step_world(world, 5);
    roll_body(id, r, v, 0);
    (void)time_to_stop(id, STEP, 3 * v / a);
    CHECK_NEAR(far, num(place_of(id).x), 0.01 * far);
    CHECK_NEAR(0, num(place_of(id).z), 0.002);
    CHECK_NEAR(0, speed_of(id), 1e-3);
}

/* One that rolls askew to the tangents of its contacts. */
static void check_askew(vsp_stepper stepper)
{
    double r = 0.1, half = 0.5, c = sqrt(0.5), v = 0.5;
    double tube = 2 * half, caps = 4.0 / 3 * r;
    double k = (tube / 2 + caps * 0.4) / (tube + caps);
    double a = G * 0.01 / r / (1 + k);
    vsp_shape_def shape = vsp_capsule(real(r), real(half));
    vsp_body_id id;

    begin_world(stepper, STEP);
    add_ground(world);
    shape.rolling_friction = real(0.01);
    id = add_turned(world, VSP_DYNAMIC, shape, 0, r, 0, turn(90, c, 0, c));
    step_world(world, 5);
    roll_body(id, r, v * c, v * c);
    step_world(world, 60);
    CHECK_NEAR(0, speed_of(id), 1e-4);
    CHECK_NEAR(0, length_of(vsp_body_spin(world, id)), 1e-3);
    CHECK_NEAR(num(place_of(id).x), num(place_of(id).z), 1e-3);
    CHECK_NEAR(v * v / (2 * a) - 0.5 * v * STEP,
               hypot(num(place_of(id).x), num(place_of(id).z)),
               0.01 * v * v / (2 * a));
}

static void a_capsule_rolls_to_a_stop(void)
{
    each_stepper(check_askew);
    each_stepper(check_capsule);
}

/* On a plank that slides freely a ball stops relative to the plank: momentum
 * stays, except with SHOCK, which fixates the plank. */
static void check_plank(vsp_stepper stepper, double density)
{
    vsp_shape_def plank = vsp_box(real(4), real(0.1), real(1)), ground;
    vsp_shape_def shape = rough_ball(RADIUS, 0.02, 0);
    vsp_body_id ball, board;
    double m, all;

    begin_world(stepper, STEP);
    ground = vsp_half_space();
    ground.material.friction = 0;
    ground.material.friction_rule = VSP_RULE_MIN;
    (void)add_body(world, VSP_STATIC, ground, 0, 0, 0);
    board = add_body(world, VSP_DYNAMIC, plank, 0, 0.1, 0);
    shape.density = real(density);
    ball = add_body(world, VSP_DYNAMIC, shape, -2, 0.2 + RADIUS, 0);
    m = stepper == VSP_STEPPER_SHOCK ? 0 : num(vsp_body_mass(world, ball));
    all = m + num(vsp_body_mass(world, board));
    step_world(world, 5);
    roll_body(ball, RADIUS, 1, 0);
    step_world(world, 300);
    if (shows())
        printf("stepper %d: ball %g board %g of %g\n", (int)stepper,
               num(vsp_body_velocity(world, ball).x),
               num(vsp_body_velocity(world, board).x), m / all);
    CHECK_NEAR(m / all, num(vsp_body_velocity(world, board).x),
               2e-3 + 0.01 * m / all);
    CHECK_NEAR(m / all, num(vsp_body_velocity(world, ball).x),
               2e-3 + 0.01 * m / all);
    CHECK_NEAR(0, num(vsp_body_spin(world, ball).z), 1e-2);
}

static void check_planks(vsp_stepper stepper)
{
    check_plank(stepper, 1000);
    check_plank(stepper, 50000);
}

static void momentum_stays(void)
{
    each_stepper(check_planks);
}


/* ---- Spinning ------------------------------------------------------------ */

/* A ball that spins on its place stops after 2/5 r^2 spin / (g mu), and stays
 * where it is. */
static void check_spin(vsp_stepper stepper)
{
    double spinning = 0.003, spin = 10;
    double loss = 2.5 * G * spinning / (RADIUS * RADIUS);
    uint32_t steps = (uint32_t)(0.5 * spin / loss / STEP);
    vsp_body_id ball;

    begin_world(stepper, STEP);
    add_ground(world);
    ball = add_body(world, VSP_DYNAMIC, rough_ball(RADIUS, 0, spinning), 0,
                    RADIUS, 0);
    step_world(world, 5);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(0, 0, 0),
                                               real3(0, spin, 0)));
    step_world(world, steps);
    CHECK_NEAR(spin - loss * steps * STEP, num(vsp_body_spin(world, ball).y),
               0.01 * spin);
    step_world(world, steps + 10u);
    CHECK_NEAR(0, num(vsp_body_spin(world, ball).y), 1e-3);
    CHECK_NEAR(0, length_of(place_of(ball)), RADIUS + 1e-4);
}

static void a_spinning_ball_stops(void)
{
    each_stepper(check_spin);
}

/* Without the coefficient it spins on, as before. */
static void check_free_spin(vsp_stepper stepper)
{
    vsp_body_id ball;

    begin_world(stepper, STEP);
    add_ground(world);
    ball = add_ball(RADIUS, 0.005);
    step_world(world, 5);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(0, 0, 0),
                                               real3(0, 10, 0)));
    step_world(world, 120);
    CHECK_NEAR(10, num(vsp_body_spin(world, ball).y), 0.02);
}

static void rolling_friction_does_not_stop_a_spin(void)
{
    each_stepper(check_free_spin);
}

#if VSP_BELTS && VSP_EDITS

/* A turntable takes a ball at its axis with it. */
static void check_turntable(vsp_stepper stepper)
{
    vsp_shape_def table = vsp_box(real(2), real(0.1), real(2));
    vsp_body_id ball;

    begin_world(stepper, STEP);
    table.surface_spin = real3(0, 2, 0);
    (void)add_body(world, VSP_STATIC, table, 0, -0.1, 0);
    ball = add_body(world, VSP_DYNAMIC, rough_ball(RADIUS, 0, 0.01), 0, RADIUS,
                    0);
    step_world(world, 120);
    CHECK_NEAR(2, num(vsp_body_spin(world, ball).y), 0.01);
}

static void turntables_turn_balls(void)
{
    each_stepper(check_turntable);
}

#endif


/* ---- Robustness ---------------------------------------------------------- */

/* The coefficient of either shape counts, the larger one. */
static void the_larger_coefficient_counts(void)
{
    vsp_shape_def ground = vsp_half_space();
    vsp_body_id ball;

    begin_world(VSP_STEPPER_CARRY, STEP);
    ground.rolling_friction = real(0.01);
    (void)add_body(world, VSP_STATIC, ground, 0, 0, 0);
    ball = add_ball(RADIUS, 0.005);
    step_world(world, 5);
    roll_body(ball, RADIUS, 1, 0);
    step_world(world, 60);
    CHECK_NEAR(1 - 5.0 / 7 * G * 0.01 / RADIUS,
               num(vsp_body_velocity(world, ball).x), 2e-3);
}

#if VSP_PYRAMID

/* Pyramids of friction have other tangents; rolling has its disc. */
static void check_pyramid(vsp_stepper stepper)
{
    vsp_world_def def = def_of(stepper, STEP);
    vsp_body_id ball;

    def.friction = VSP_FRICTION_PYRAMID;
    world = new_world_of(&def);
    add_ground(world);
    ball = add_ball(RADIUS, 0.01);
    step_world(world, 5);
    roll_body(ball, RADIUS, 0.6, 0.8);
    step_world(world, 60);
    CHECK_NEAR(1 - 5.0 / 7 * G * 0.01 / RADIUS, speed_of(ball), 4e-3);
    step_world(world, 240);
    CHECK_NEAR(0, speed_of(ball), 1e-4);
}

static void pyramids_roll_to_a_stop(void)
{
    each_stepper(check_pyramid);
}

#endif

#if VSP_SLEEP

static void check_sleep(vsp_stepper stepper)
{
    vsp_world_def def = def_of(stepper, STEP);
    vsp_body_id ball;

    def.enable_sleep = true;
    world = new_world_of(&def);
    add_ground(world);
    ball = add_ball(RADIUS, 0.01);
    tilt(0.3 * 0.01 / RADIUS);
    roll_body(ball, RADIUS, 0.3, 0);
    step_world(world, 300);
    CHECK(!vsp_body_is_awake(world, ball));
    vsp_vec3 there = place_of(ball);
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, ball, true));
    step_world(world, 120);
    CHECK(!vsp_body_is_awake(world, ball));
    CHECK_NEAR(num(there.x), num(place_of(ball).x), 1e-4);
}

static void balls_fall_asleep(void)
{
    each_stepper(check_sleep);
}

#endif

/* A heavy ball on a light one, and on a light plank, on a bed of light balls:
 * nothing is thrown, and no energy made. */
static void check_heavy(vsp_stepper stepper)
{
    vsp_shape_def plank = vsp_box(real(1), real(0.05), real(1));
    vsp_shape_def shape = rough_ball(RADIUS, 0.02, 0.02);
    double energy;

    begin_world(stepper, STEP);
    add_ground(world);
    plank.rolling_friction = plank.spinning_friction = real(0.02);
    for (int i = 0; i < 4; i++)
        (void)add_body(world, VSP_DYNAMIC, shape, i % 2 ? 0.6 : -0.6, RADIUS,
                       i / 2 ? 0.6 : -0.6);
    plank.density = real(100);
    (void)add_body(world, VSP_DYNAMIC, plank, 0, 2 * RADIUS + 0.05, 0);
    shape.density = real(50000);
    (void)add_body(world, VSP_DYNAMIC, shape, 0.1, 3 * RADIUS + 0.1, 0.05);
    energy = total_energy(world);
    for (int i = 0; i < 300; i++) {
        step_world(world, 1);
        if (!CHECK_AT_MOST(energy + 1e-4 * fabs(energy), total_energy(world)))
            return;
        CHECK(vsp_world_validate(world, NULL) == VSP_OK);
    }
}

static void heavy_balls_lie_on_light_ones(void)
{
    each_stepper(check_heavy);
}

static uint32_t dice;

static double some(double low, double high)
{
    dice = dice * 1664525u + 1013904223u;
    return low + (high - low) * (dice >> 8) / 16777216.0;
}

static void add_some(bool is_rough)
{
    double size = some(0.05, 0.4);
    vsp_shape_def shape = some(0, 3) < 1 ? vsp_sphere(real(size))
                          : some(0, 2) < 1
                              ? vsp_capsule(real(0.5 * size), real(size))
                              : vsp_box(real(size), real(size),
                                        real(0.5 * size));
    double rolling = some(-0.2, 0.2) * size, spinning = some(-0.2, 0.2) * size;
    vsp_body_id id;

    shape.density = real(exp(some(2, 9)));
    shape.rolling_friction = real(is_rough ? fmax(rolling, 0) : 0);
    shape.spinning_friction = real(is_rough ? fmax(spinning, 0) : 0);
    id = add_body(world, VSP_DYNAMIC, shape, some(-1, 1), some(0.5, 4),
                  some(-1, 1));
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(
                     world, id, real3(some(-2, 2), some(-2, 2), some(-2, 2)),
                     real3(some(-9, 9), some(-9, 9), some(-9, 9))));
}

/* Returns by how much the kinetic energy of a random world without gravity
 * grew in a step at most, as a part of that at its start: bodies that spin meet
 * in the middle. */
static double random_growth(vsp_stepper stepper, uint32_t seed, bool is_rough,
                            double dt)
{
    vsp_world_def def = def_of(stepper, dt);
    double start, before, most = 0;

    dice = seed;
    def.subspace.tries = 0;
    world = new_world_of(&def);
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
    for (uint32_t i = 0; i < 20; i++) {
        add_some(is_rough);
        vsp_body_id id = vsp_body_at(world, i);
        vsp_vec3 at = place_of(id);

        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id,
                                                   real3(-2 * num(at.x),
                                                         4 - 2 * num(at.y),
                                                         -2 * num(at.z)),
                                                   vsp_body_spin(world, id)));
    }
    start = before = total_energy(world);
    for (int i = 0; i < 100; i++) {
        double now;

        CHECK(vsp_world_step(world) >= 0);
        now = total_energy(world);
        most = fmax(most, (now - before) / start);
        before = now;
    }
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    return most;
}

/* Random worlds with such friction gain no more energy than without.  SUBSPACE
 * makes sweeps alone: a search that does not converge may add energy, with such
 * friction or without. */
static void check_energy(vsp_stepper stepper)
{
    static const double steps[] = {1.0 / 60, 1.0 / 15, 1.0 / 240};
    double most[2] = {0, 0};

    for (uint32_t k = 0; k < COUNT_OF(steps); k++)
        for (uint32_t seed = 1; seed <= 8; seed++) {
            test_note("stepper %d, seed %u, step %g", (int)stepper, seed,
                      steps[k]);
            for (int i = 0; i < 2; i++)
                most[i] = fmax(most[i],
                               random_growth(stepper, seed, i != 0, steps[k]));
        }
    if (shows())
        printf("stepper %d: energy grew by %g in a step, without by %g\n",
               (int)stepper, most[1], most[0]);
    CHECK_AT_MOST(most[0] + 2e-4, most[1]);
}

static void no_energy_is_made(void)
{
    each_stepper(check_energy);
}

#define SPUN_BALLS 8

/* Spins a row of small balls with so much rolling friction that it changes the
 * spin by 160 rad/s in a step, then the other way, and makes one step more with
 * a single sweep.  The impulses of the step before now push the wrong way.
 * Fills the spins of the balls. */
static void spin_balls_back(vsp_stepper stepper, bool is_warm, bool has_joints,
                            double spin[SPUN_BALLS])
{
    vsp_world_def def = def_of(stepper, 1.0 / 60.0);
    vsp_joint_def joint = vsp_joint_def_default();
    vsp_shape_def pip = vsp_sphere(real(0.02));
    vsp_body_id ball[SPUN_BALLS];
    int i;

    def.enable_warm_start = is_warm;
    def.sweeps = 1;
    world = new_world_of(&def);
    (void)add_ground(world);
    pip.density = real(10);
    pip.filter.mask = 0;
    joint.type = VSP_JOINT_BALL;
    for (i = 0; i < SPUN_BALLS; i++) {
        ball[i] = add_body(world, VSP_DYNAMIC, rough_ball(0.05, 1, 0), 0.1 * i,
                           0.05, 0);
        if (!has_joints)
            continue;
        joint.body_a = ball[i];
        joint.body_b = add_body(world, VSP_DYNAMIC, pip, 0.1 * i, 0.05, 0);
        (void)create_joint(world, &joint);
    }
    for (i = 0; i < 3; i++) {
        for (int k = 0; i % 2 == 0 && k < SPUN_BALLS; k++)
            CHECK_STATUS(VSP_OK, vsp_body_set_velocity(
                                     world, ball[k], real3(0, 0, 0),
                                     real3(0, 0, i == 0 ? -450 : 200)));
        step_world(world, 1);
    }
    for (i = 0; i < SPUN_BALLS; i++)
        spin[i] = num(vsp_body_spin(world, ball[i]).z);
}

/* A start that pushes the wrong way is dropped, whole. */
static void check_turned_back(vsp_stepper stepper, bool has_joints)
{
    double cold[SPUN_BALLS], warm[SPUN_BALLS];
    int i;

    spin_balls_back(stepper, false, has_joints, cold);
    spin_balls_back(stepper, true, has_joints, warm);
    for (i = 0; i < SPUN_BALLS; i++) {
        if (shows())
            printf("ball %d%s: %.5f and %.5f rad/s\n", i,
                   has_joints ? ", joined" : "", cold[i], warm[i]);
        CHECK_NEAR(cold[i], warm[i], 0.5);
    }
}

/* Without joints CARRY searches along the start: one that pushes the wrong way
 * is dropped to the bit, as if nothing was known of the step before. */
static void searched_starts_are_dropped(void)
{
    vsp_world_def def = def_of(VSP_STEPPER_CARRY, 1.0 / 60.0);
    vsp_vec3 spin[2];
    vsp_body_id ball;
    size_t size;
    int i;

    world = new_world_of(&def);
    (void)add_ground(world);
    ball = add_ball(0.05, 1);
    for (i = 0; i < 3; i++) {
        roll_body(ball, 0.05, i < 2 ? 20 : -20, 0);
        if (i < 2)
            step_world(world, 1);
    }
    size = save_world(world, 0);
    for (i = 0; i < 2; i++) {
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        CHECK(world->warm_count > 1);
        if (i == 1)
            world->warm_count = 0;
        step_world(world, 1);
        spin[i] = vsp_body_spin(world, ball);
    }
    if (shows())
        printf("spins %.9g and %.9g\n", num(spin[0].z), num(spin[1].z));
    CHECK_NEAR(num(spin[1].z), num(spin[0].z), 0);
}

static void wrong_starts_are_dropped(void)
{
    check_turned_back(VSP_STEPPER_CARRY, false);
    check_turned_back(VSP_STEPPER_CARRY, true);
    check_turned_back(VSP_STEPPER_PGS, true);
}


/* A ball lies still while small pushes of any direction act on it. */
static void check_noise(vsp_stepper stepper)
{
    vsp_body_id ball;

    begin_world(stepper, STEP);
    add_ground(world);
    ball = add_ball(RADIUS, 0.01);
    step_world(world, 10);
    dice = 7;
    for (int i = 0; i < 1200; i++) {
        double most = 0.5 * 0.01 / RADIUS * G * num(vsp_body_mass(world, ball));

        CHECK_STATUS(
            VSP_OK,
            vsp_body_apply_center_force(
                world, ball, real3(most * some(-1, 1), 0, most * some(-1, 1))));
        step_world(world, 1);
    }
    CHECK_NEAR(0, num(place_of(ball).x), 1e-3);
    CHECK_NEAR(0, num(place_of(ball).z), 1e-3);
}

static void small_pushes_do_not_roll_a_ball(void)
{
    each_stepper(check_noise);
}

/* A pile of rough balls spreads less than one of smooth balls, and stops. */
static double pile_radius(vsp_stepper stepper, double rolling, double *speed)
{
    vsp_body_id id[30];
    double most = 0;

    begin_world(stepper, STEP);
    add_ground(world);
    dice = 3;
    for (uint32_t i = 0; i < COUNT_OF(id); i++)
        id[i] = add_body(world, VSP_DYNAMIC, rough_ball(0.1, rolling, rolling),
                         some(-0.15, 0.15), 0.1 + 0.1 * i, some(-0.15, 0.15));
    step_world(world, 600);
    *speed = 0;
    for (uint32_t i = 0; i < COUNT_OF(id); i++) {
        vsp_vec3 at = place_of(id[i]);

        most = fmax(most, hypot(num(at.x), num(at.z)));
        *speed = fmax(*speed, speed_of(id[i]));
    }
    return most;
}

static void check_pile(vsp_stepper stepper)
{
    double speed, smooth = pile_radius(stepper, 0, &speed);
    double rough = pile_radius(stepper, 0.02, &speed);

    if (shows())
        printf("stepper %d: pile of %g, rough %g, speed %g\n", (int)stepper,
               smooth, rough, speed);
    CHECK_AT_MOST(0.5 * smooth, rough);
    CHECK_AT_MOST(5e-3, speed);
}

static void piles_of_rough_balls_stand(void)
{
    each_stepper(check_pile);
}


/* ---- State --------------------------------------------------------------- */

static vsp_shape_id shape_of(vsp_body_id id)
{
    vsp_shape_id shape = {0};

    vsp_body_shapes(world, id, &shape, 1);
    return shape;
}

static void refuse_shape(void *def)
{
    vsp_shape_id id;

    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_create(world, vsp_body_at(world, 0), def, &id));
}

static void accept_shape(void *def)
{
    vsp_shape_id id;

    CHECK_STATUS(VSP_OK,
                 vsp_shape_create(world, vsp_body_at(world, 0), def, &id));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, id));
}

static void bad_coefficients_are_refused(void)
{
    static const field fields[] = {
        {"rolling", offsetof(vsp_shape_def, rolling_friction), 0, VSP_R(100.0)},
        {"spinning", offsetof(vsp_shape_def, spinning_friction), 0,
         VSP_R(100.0)},
    };
    vsp_shape_def def = vsp_sphere(VSP_R(0.5));
    vsp_shape_id ball, none = {0};

    begin_world(VSP_STEPPER_CARRY, STEP);
    ball = shape_of(add_ball(RADIUS, 0.01));
    try_fields(&def, sizeof def, fields, COUNT_OF(fields), refuse_shape,
               accept_shape);
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_set_rolling_friction(world, ball, VSP_R(-0.01), 0));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_set_rolling_friction(world, ball, 0, VSP_R(101.0)));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_set_rolling_friction(world, ball, bad_real(0), 0));
    CHECK_REFUSED(VSP_ERR_ID,
                  vsp_shape_set_rolling_friction(world, none, 0, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_shape_set_rolling_friction(NULL, ball, 0, 0));
}

/* A world without coefficients has the hash and the snapshot that it had before
 * they were set, and its contacts take no place more. */
static void coefficients_are_read_back(void)
{
    vsp_shape_def def = vsp_sphere(VSP_R(0.5));
    vsp_shape_id ball;
    uint32_t hash;
    size_t size;

    begin_world(VSP_STEPPER_CARRY, STEP);
    add_ground(world);
    ball = shape_of(add_ball(RADIUS, 0));
    hash = vsp_world_hash(world);
    size = save_world(world, 0);
    CHECK_STATUS(VSP_OK, vsp_shape_set_rolling_friction(
                             world, ball, VSP_R(0.25), VSP_R(0.125)));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, ball, &def));
    CHECK_NEAR(0.25, num(def.rolling_friction), 0);
    CHECK_NEAR(0.125, num(def.spinning_friction), 0);
    CHECK(vsp_world_hash(world) != hash);
    CHECK_UINT((uint32_t)size + 8u, (uint32_t)save_world(world, 1));
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(1), size + 8u));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, ball, &def));
    CHECK_NEAR(0.125, num(def.spinning_friction), 0);
    step_world(world, 1);
    CHECK_UINT(2, vsp_world_stats(world).contact_count);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(world));
    step_world(world, 1);
    CHECK_UINT(1, vsp_world_stats(world).contact_count);
}

/* Two balls collide, roll and spin; a cube tips, and a capsule lies on it. */
static vsp_world *build_bowling(vsp_stepper stepper)
{
    vsp_shape_def cube = vsp_box(real(0.25), real(0.25), real(0.25));
    vsp_shape_def pin = vsp_capsule(real(0.1), real(0.3));
    vsp_world_def def = def_of(stepper, STEP);

    def.enable_sleep = VSP_SLEEP != 0;
    world = new_world_of(&def);
    add_ground(world);
    cube.rolling_friction = cube.spinning_friction = real(0.01);
    pin.rolling_friction = real(0.003);
    roll_body(add_body(world, VSP_DYNAMIC, rough_ball(RADIUS, 0.01, 0.01), -1.5,
                       RADIUS, 0),
              RADIUS, 2, 0.1);
    (void)add_body(world, VSP_DYNAMIC, rough_ball(RADIUS, 0, 0.004), 0, RADIUS,
                   0.1);
    (void)add_turned(world, VSP_DYNAMIC, cube, 1.2, 0.5, 0,
                     turn(30, 0, 0.6, 0.8));
    (void)add_turned(world, VSP_DYNAMIC, pin, 1.2, 1.2, 0, turn(80, 1, 0, 0));
    return world;
}

static void push_now(vsp_recorder *r, uint32_t step)
{
    vsp_body_id id = vsp_body_at(r->world, 1u + step / 40u % 4u);

    if (step % 40 == 17)
        CHECK_STATUS(VSP_OK, vsp_record_body_apply_angular_impulse(
                                 r, id, real3(3, 5, -2)));
}

/* A world that is restored before each step goes on equally. */
static void check_restores(vsp_stepper stepper)
{
    uint32_t hash[200];
    size_t size;

    for (int restores = 0; restores < 2; restores++) {
        build_bowling(stepper);
        for (uint32_t i = 0; i < 200; i++) {
            vsp_recorder r = {.world = world};

            push_now(&r, i);
            if (restores) {
                size = save_world(world, 0);
                begin_world(stepper, STEP);
                CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
                CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
            }
            step_world(world, 1);
            if (!restores)
                hash[i] = vsp_world_hash(world);
            else if (!CHECK_HEX(hash[i], vsp_world_hash(world)))
                return;
        }
    }
}

static void restores_change_nothing(void)
{
    each_stepper(check_restores);
}

/* The last words of this snapshot are the record of rolling friction, whose
 * normal impulse is -1. */
static void bad_records_are_refused(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    uint32_t minus_one, hash;
    size_t size;

    begin_world(VSP_STEPPER_CARRY, STEP);
    add_ground(world);
    (void)add_ball(RADIUS, 0.01);
    tilt(0.01);
    step_world(world, 30);
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    minus_one = w_bits(w_neg(VSP__W_ONE));
    CHECK_HEX(minus_one, vsp__get_word(bytes + size - 12u));
    hash = vsp_world_hash(world);
    damage_snapshot(bytes, size, 3, w_bits(w_neg(w_read(VSP_R(2.0)))));
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
    damage_snapshot(bytes, size, 3, w_bits(w_neg(w_read(VSP_R(0.5)))));
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
    damage_snapshot(bytes, size, 3, minus_one);
    damage_snapshot(bytes, size, 2, 0x7f800000u);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
    CHECK_HEX(hash, vsp_world_hash(world));
    damage_snapshot(bytes, size, 2, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
}

/* Restoring a snapshot of all flags must refuse a coefficient out of range. */
static void worlds_with_bad_coefficients_are_not_valid(void)
{
    vsp_shape_id ball;

    begin_world(VSP_STEPPER_CARRY, STEP);
    ball = shape_of(add_ball(RADIUS, 0.01));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    world->shapes[vsp__slot_of_id(ball.bits)].rolling = VSP__REAL(-0.5);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
}

/* If there are more contacts than places, the deepest are kept, those with
 * rolling friction with their place more. */
static void check_full(vsp_stepper stepper)
{
    vsp_world_def def = def_of(stepper, STEP);
    double low = 1;

    def.capacity.contacts = 21;
    world = new_world_of(&def);
    add_ground(world);
    for (int i = 0; i < 16; i++)
        (void)add_body(world, VSP_DYNAMIC, rough_ball(RADIUS, 0.01, 0.01),
                       0.6 * (i % 4), RADIUS - 0.001 * (i >= 11),
                       0.6 * (i / 4));
    for (int i = 0; i < 20; i++) {
        vsp_stats stats;

        CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
        stats = vsp_world_stats(world);
        CHECK_UINT(20, stats.contact_count);
        CHECK_UINT(10, stats.manifold_count);
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
        if (i > 0)
            continue;
        CHECK_UINT(6, stats.contacts_dropped);
        for (uint32_t k = 0; k < 5; k++) { /* the deepest are the last */
            vsp_contact contact;

            CHECK_STATUS(VSP_OK, vsp_contact_get(world, 5 + k, &contact));
            CHECK_UINT(12 + k, vsp__slot_of_id(contact.body_b.bits));
        }
    }
    for (uint32_t i = 1; i <= 16; i++)
        low = fmin(low, num(place_of(vsp_body_at(world, i)).y));
    CHECK_AT_LEAST(0.5 * RADIUS, low);
}

static void full_lists_keep_the_deepest(void)
{
    each_stepper(check_full);
}

#if VSP_DIFF

static void differences_name_coefficients(void)
{
    vsp_world_def def = def_of(VSP_STEPPER_CARRY, STEP);
    vsp_difference d[4];
    vsp_world *other;
    uint32_t count;
    size_t size;

    build_bowling(VSP_STEPPER_CARRY);
    step_world(world, 20);
    size = save_world(world, 0);
    other = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
    CHECK_STATUS(VSP_OK, vsp_world_diff(world, other, d, 4, &count));
    CHECK_STATUS(VSP_OK,
                 vsp_shape_set_rolling_friction(other, vsp_shape_at(other, 1),
                                                VSP_R(0.01), VSP_R(0.5)));
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(world, other, d, 4, &count));
    CHECK_UINT(1, count);
    CHECK(strcmp(d[0].part, "shape") == 0);
    CHECK(strcmp(d[0].field, "spinning friction") == 0);
}

#endif

/* Random coefficients, some wrong: a world stays valid, and goes on equally
 * from a snapshot. */
static void check_random(vsp_stepper stepper)
{
    for (uint32_t seed = 1; seed <= 10; seed++) {
        dice = seed;
        test_note("stepper %d, seed %u", (int)stepper, seed);
        begin_world(stepper, STEP);
        add_ground(world);
        for (int i = 0; i < 20; i++)
            add_some(true);
        for (int i = 0; i < 60; i++) {
            (void)vsp_shape_set_rolling_friction(
                world, vsp_shape_at(world, (uint32_t)some(0, 22)),
                real(exp(some(-12, 5))), real(some(-0.01, 0.1)));
            CHECK(vsp_world_step(world) >= 0);
        }
        if (!check_replays(world, 5))
            return;
    }
}

static void random_coefficients_leave_valid_worlds(void)
{
    each_stepper(check_random);
}

#if VSP_ROLLBACK

#define ROLL_STEPS 160u

static vsp_status roll_step(void *user, vsp_recorder *r, const vsp_turn *turn)
{
    vsp_shape_id ball = vsp_shape_at(r->world, 1);

    (void)user;
    push_now(r, turn->step);
    for (uint32_t p = 0; p < 2; p++)
        if (turn->inputs[p] > 0)
            CHECK_STATUS(VSP_OK, vsp_record_shape_set_rolling_friction(
                                     r, ball, real(0.001 * turn->inputs[p]),
                                     real(0.002)));
    return vsp_record_step(r);
}

static unsigned char roll_input(uint32_t player, uint32_t step)
{
    return step % 23 == 4 + 9 * player ? (unsigned char)(1u + step % 17u) : 0;
}

static void rollback_is_exact(void)
{
    static const late_match match = {build_bowling, roll_step, roll_input,
                                     ROLL_STEPS};

    check_late_matches(&match);
}

#endif /* VSP_ROLLBACK */

static const test tests[] = {
    TEST(a_ball_rolls_to_a_stop),
    TEST(balls_stay_on_slopes),
    TEST_SLOW(resting_balls_do_not_creep),
    TEST(a_capsule_rolls_to_a_stop),
    TEST(momentum_stays),
    TEST(a_spinning_ball_stops),
    TEST(rolling_friction_does_not_stop_a_spin),
#if VSP_BELTS && VSP_EDITS
    TEST(turntables_turn_balls),
#endif
    TEST(the_larger_coefficient_counts),
#if VSP_PYRAMID
    TEST(pyramids_roll_to_a_stop),
#endif
#if VSP_SLEEP
    TEST(balls_fall_asleep),
#endif
    TEST(heavy_balls_lie_on_light_ones),
    TEST_SLOW(no_energy_is_made),
    TEST(searched_starts_are_dropped),
    TEST(wrong_starts_are_dropped),
    TEST_SLOW(small_pushes_do_not_roll_a_ball),
    TEST_SLOW(piles_of_rough_balls_stand),
    TEST(bad_coefficients_are_refused),
    TEST(coefficients_are_read_back),
    TEST(restores_change_nothing),
    TEST(bad_records_are_refused),
    TEST(worlds_with_bad_coefficients_are_not_valid),
    TEST(full_lists_keep_the_deepest),
#if VSP_DIFF
    TEST(differences_name_coefficients),
#endif
    TEST(random_coefficients_leave_valid_worlds),
#if VSP_ROLLBACK
    TEST(rollback_is_exact),
#endif
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif /* VSP_ROLLING */

const test_suite rolling_suite = {"rolling", tests};
