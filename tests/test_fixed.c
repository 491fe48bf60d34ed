/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Cases that are hard for numbers with few places: slow bodies must move, and
 * bodies at the limits must stay inside them.  The tests hold for both
 * kinds. */

#include "scene_fixture.h"

#include <math.h>

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
    /* a step moves by 1.75 last places of a position */
    CHECK_NEAR(1e-3, num(vsp_body_transform(world, ball).position.x), 1e-5);
    CHECK_NEAR(1e-3, 2 * num(vsp_body_transform(world, ball).rotation.x), 1e-4);
}

/* each step moves by a hundredth of a last place of a position */
/* A thruster of 0.003 N s a step on a ton: each impulse changes the velocity by
 * less than half a last place. */
static void small_impulses_add_up(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def ball = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 0, 0);
    vsp_body_id id;

    def.gravity = real3(0, 0, 0);
    ball.mass = real(1000);
    world = new_world_of(&def);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &ball, &id));
    for (int i = 0; i < 6000; i++) {
        CHECK_STATUS(VSP_OK, vsp_body_apply_center_impulse(world, id,
                                                           real3(0.003, 0, 0)));
        step_world(world, 1);
    }
    CHECK_NEAR(0.018, num(vsp_body_velocity(world, id).x), 0.0002);
}

static void slowest_bodies_move(void)
{
    double last = 1.0 / 131072;
    vsp_body_id ball;

    world = new_still_world(0.001);
    ball = add_ball(0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(last, 0, 0),
                                               real3(0, 0, 0)));
    step_world(world, 10000);
    CHECK_NEAR(10 * last, num(vsp_body_transform(world, ball).position.x),
               3e-6);
}


/* ---- Weak pulls -----------------------------------------------------------
 * Pulls change a velocity by less than a last place in each step, and must add
 * up to the sum that the same recursion gives in doubles: within 0.1 %, plus
 * the places of speed and position.  The velocity is off by at most a place, by
 * half of one in the mean. */

/* pulls on a ball of 2 kg */
typedef struct weak_pull {
    double gravity, force, torque, damping; /* m/s^2, N, N m, 1/s */
    double speed;                           /* initial m/s and rad/s */
} weak_pull;

#define RATE_PLACE TOLERANCE(1e-9, 1.0 / 131072)
#define WAY_PLACE TOLERANCE(1e-7, 1.0 / 1048576)

static vsp_body_id add_pulled_ball(const weak_pull *pull)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 0, 0);
    vsp_body_id id = {0};

    def.mass = VSP_R(2.0);
    def.velocity = real3(0, pull->speed, 0);
    def.spin = def.velocity;
    def.linear_damping = def.angular_damping = real(pull->damping);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

/* the step's rule for velocity and position */
static void step_in_doubles(double pull, double damping, double dt,
                            double *speed, double *way)
{
    *speed = *speed / (1 + dt * damping) + dt * pull;
    *way += dt * *speed;
}

static void check_rate(double expected, double got)
{
    CHECK_NEAR(expected, got, 0.001 * fabs(expected) + 2 * RATE_PLACE);
}

static void check_way(double expected, double got, double seconds)
{
    CHECK_NEAR(expected, got,
               0.001 * fabs(expected) + 0.7 * RATE_PLACE * seconds +
                   6 * WAY_PLACE);
}

static void check_pull(const weak_pull *pull, double dt)
{
    vsp_world_def def = vsp_world_def_default();
    double v = pull->speed, w = v, x = 0, turn = 0, inertia = 0.4 * 2 * 0.25;
    vsp_body_id ball;
    uint32_t i, steps = (uint32_t)(1 / dt + 0.5);

    test_note("pull %g %g %g, damping %g, dt %g", pull->gravity, pull->force,
              pull->torque, pull->damping, dt);
    def.gravity = real3(0, pull->gravity, 0);
    def.dt = real(dt);
    def.enable_sleep = false;
    world = new_world_of(&def);
    dt = num(vsp_world_dt(world));
    ball = add_pulled_ball(pull);
    for (i = 1; i <= 10 * steps; i++) {
        vsp_quat q;

        vsp_body_apply_center_force(world, ball, real3(0, pull->force, 0));
        vsp_body_apply_torque(world, ball, real3(0, pull->torque, 0));
        step_world(world, 1);
        step_in_doubles(pull->gravity + pull->force / 2, pull->damping, dt, &v,
                        &x);
        step_in_doubles(pull->torque / inertia, pull->damping, dt, &w, &turn);
        if (i != steps && i != 5 * steps && i != 10 * steps)
            continue;
        check_rate(v, num(vsp_body_velocity(world, ball).y));
        check_way(x, num(vsp_body_transform(world, ball).position.y), i * dt);
        check_rate(w, num(vsp_body_spin(world, ball).y));
        q = vsp_body_transform(world, ball).rotation;
        check_way(turn, 2 * atan2(num(q.y), num(q.w)), i * dt);
    }
}

static void weak_pulls_add_up(void)
{
    static const weak_pull pulls[] = {
        {-0.0856, 0, 0, 0, 0},   {-0.001, 0, 0, 0, 0}, {0, 0.002, 0.0002, 0, 0},
        {0, -0.17, 0.004, 0, 0}, {0, 0, 0, 0.1, 0.01}, {0, 0, 0, 0.05, 0.1},
    };
    uint32_t i;

    for (i = 0; i < COUNT_OF(pulls); i++) {
        check_pull(&pulls[i], 0.001);
        check_pull(&pulls[i], 1.0 / 60.0);
    }
    test_note("");
}


/* ---- Weak pulls on touching bodies --------------------------------------- */

/* Half a degree steeper than friction holds: a box must slide from the first
 * step.  The slope is a rotated floor, or tilted gravity. */
static void check_steep_slope(double dt, bool is_turned)
{
    double angle = atan(0.5) + 0.5 * 3.14159265358979 / 180, h, n, way;
    double s = sin(angle), c = cos(angle), degrees = angle * 57.295779513;
    vsp_world_def def = vsp_world_def_default();
    vsp_quat tilt = turn(is_turned ? -degrees : 0, 0, 0, 1);
    vsp_vec3 place;
    vsp_body_id box;
    uint32_t steps = (uint32_t)(1 / dt + 0.5);

    test_note("dt %g, %s", dt, is_turned ? "turned" : "leaning");
    def.dt = real(dt);
    def.gravity = is_turned ? real3(0, -9.81, 0)
                            : real3(9.81 * s, -9.81 * c, 0);
    world = new_world_of(&def);
    add_turned(world, VSP_STATIC, vsp_half_space(), 0, 0, 0, tilt);
    box = add_turned(
        world, VSP_DYNAMIC, vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)),
        is_turned ? 0.5 * s : 0, is_turned ? 0.5 * c : 0.5, 0, tilt);
    place = vsp_body_transform(world, box).position;
    step_world(world, steps);
    h = num(vsp_world_dt(world));
    n = steps;
    way = hypot(num(vsp_body_transform(world, box).position.x - place.x),
                num(vsp_body_transform(world, box).position.y - place.y));
    CHECK_NEAR(1, way / (9.81 * (s - 0.5 * c) * n * (n + 1) / 2 * h * h), 0.02);
}

static void steep_slopes_do_not_hold(void)
{
    check_steep_slope(0.0002, false);
    check_steep_slope(0.0002, true);
    check_steep_slope(0.001, false);
    check_steep_slope(0.001, true);
    test_note("");
}

/* Returns the time that a ball takes to roll off a fixed ball, from this offset
 * from the top until it is at 0.7 rad: theta'' = 5/7 g/(R + r) sin theta. */
static double time_to_roll_off(double offset, double distance)
{
    double angle = asin(offset / distance), rate = 0, t = 0, h = 1e-5;

    for (; angle < 0.7; t += h) {
        rate += h * 5 / 7 * 9.81 / distance * sin(angle);
        angle += h * rate;
    }
    return t;
}

static void check_ball_off_ball(double dt, double radius)
{
    double offset, distance = 0.5 + radius, expected, t = 0;
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id ball;
    vsp_vec3 at;

    test_note("dt %g, radius %g", dt, radius);
    def.dt = real(dt);
    def.enable_sleep = false;
    world = new_world_of(&def);
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 0, 0);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(radius)), 1e-5,
                    distance, 0);
    offset = num(vsp_body_transform(world, ball).position.x);
    expected = time_to_roll_off(offset, distance);
    do {
        step_world(world, 1);
        t += num(vsp_world_dt(world));
        at = vsp_body_transform(world, ball).position;
    } while (t < 2 * expected && atan2(num(at.x), num(at.y)) < 0.7);
    CHECK_NEAR(1, t / expected, 0.05);
}

/* offsets of 10 um, which are ten last places of a position */
static void balls_roll_off_balls(void)
{
    check_ball_off_ball(0.01, 0.5);
    check_ball_off_ball(0.001, 0.5);
    check_ball_off_ball(0.01, 0.25);
    test_note("");
}

/* exactly on top, nothing pulls it */
static void a_ball_on_a_ball_stays(void)
{
    vsp_body_id ball;

    world = new_world();
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 0, 0);
    ball = add_ball(0, 1, 0);
    step_world(world, 1000);
    CHECK_NEAR(0, num(vsp_body_transform(world, ball).position.x), 0);
    CHECK_NEAR(1, num(vsp_body_transform(world, ball).position.y), 2e-6);
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

/* Adds one body in each corner of the world, at full speed: `way` -1 inwards, 1
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

/* Between throws, energy may grow only by rounding and by the correction of
 * depth: by 0.1 % of the energy of the throw. */
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
    check_throws(is_long() ? 36000 : 3600);
}


/* A plank of 8 m that rocks on a pole must keep its spin: its inertia is large
 * compared with the distance of its centre. */
static void a_plank_rocks_on_a_pole(void)
{
    vsp_body_id plank;

    world = new_world();
    add_turned(world, VSP_STATIC, vsp_capsule(VSP_R(0.1), VSP_R(2.0)), 0, 50, 0,
               turn(90, 1, 0, 0));
    plank = add_body(world, VSP_DYNAMIC,
                     vsp_box(VSP_R(4.0), VSP_R(0.05), VSP_R(0.5)), 0, 50.15, 0);
    step_world(world, 20);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, plank, real3(-0.0125, 0, 0),
                                       real3(0, 0, 0.25)));
    step_world(world, 20);
    CHECK_NEAR(0.25, num(vsp_body_spin(world, plank).z), 0.005);
}


static const test tests[] = {
    TEST(slow_balls_roll_on),
    TEST(one_step_of_falling),
    TEST(slow_spins_turn),
    TEST(small_impulses_add_up),
    TEST(slow_bodies_move),
    TEST(slowest_bodies_move),
    TEST(weak_pulls_add_up),
    TEST(steep_slopes_do_not_hold),
    TEST(balls_roll_off_balls),
    TEST(a_ball_on_a_ball_stays),
    TEST(ranges_hold),
    TEST(throws),
    TEST_SLOW(throws_of_10_minutes),
    TEST(a_plank_rocks_on_a_pole),
    TEST_END,
};

const test_suite fixed_suite = {"fixed", tests};
