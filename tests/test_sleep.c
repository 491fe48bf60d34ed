/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sleep: which bodies fall asleep, which must not, which calls and contacts
 * wake them and their neighbours, the cost, and that all of it depends on the
 * state alone. */

#include "fixture.h"
#include "port/scenes/scene.h"

#include <math.h>
#include <string.h>

#define DEGREES (3.14159265358979323846 / 180.0)


/* ---- Helpers ------------------------------------------------------------- */

static vsp_world_def sleepy_def(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.enable_sleep = true;
    return def;
}

/* Returns settings in which the floor, y = 0, is a slope: gravity is tilted
 * towards x. */
static vsp_world_def slope_def(double degrees, double gravity, double dt)
{
    vsp_world_def def = sleepy_def();

    def.gravity = real3(gravity * sin(degrees * DEGREES),
                        -gravity * cos(degrees * DEGREES), 0);
    def.dt = real(dt);
    return def;
}

static uint32_t awake_bodies(const vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(world, i);

        if (vsp_body_get_type(world, id) == VSP_DYNAMIC &&
            vsp_body_is_awake(world, id))
            count++;
    }
    return count;
}

/* Steps until all bodies sleep.  Returns the number of steps; limit if they
 * never do. */
static uint32_t steps_to_sleep(vsp_world *world, uint32_t limit)
{
    uint32_t i;

    for (i = 0; i < limit && awake_bodies(world) > 0; i++)
        step_world(world, 1);
    return i;
}

static vsp_shape_def cube_shape(void)
{
    return vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
}

/* stacks cubes on each other at x */
static void add_stack(vsp_world *world, double x, uint32_t count,
                      vsp_body_id *ids)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        ids[i] = add_cube(world, x, 0.5 + i, 0);
}

static bool all_are(const vsp_world *world, const vsp_body_id *ids,
                    uint32_t count, bool is_awake)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (vsp_body_is_awake(world, ids[i]) != is_awake)
            return false;
    return true;
}


/* ---- What falls asleep --------------------------------------------------- */

static bool is_at_rest(const vsp_world *world, vsp_body_id id)
{
    vsp_vec3 v = vsp_body_velocity(world, id), w = vsp_body_spin(world, id);

    return v.x == 0 && v.y == 0 && v.z == 0 && w.x == 0 && w.y == 0 && w.z == 0;
}

static void falls_asleep_after_sleep_time(void)
{
    static const double dts[] = {0.001, 0.01, 1.0 / 60.0, 0.05};
    static const double times[] = {0.2, 0.5, 3.0};
    uint32_t i, k;

    for (i = 0; i < COUNT_OF(dts); i++)
        for (k = 0; k < COUNT_OF(times); k++) {
            vsp_world_def def = slope_def(0, 9.81, dts[i]);
            uint32_t steps = (uint32_t)(times[k] / dts[i] + 0.5);
            vsp_body_id box;
            vsp_world *world;

            def.sleep_time = real(times[k]);
            world = new_world_of(&def);
            test_note("dt %g, %g s", dts[i], times[k]);
            add_ground(world);
            box = add_cube(world, 0, 0.5, 0);
            step_world(world, steps - steps / 50 - 1);
            CHECK(vsp_body_is_awake(world, box));
            step_world(world, steps / 25 + 2);
            CHECK(!vsp_body_is_awake(world, box));
            CHECK(is_at_rest(world, box));
        }
    test_note("");
}

static void stays_where_it_was(void)
{
    vsp_world_def def = sleepy_def();
    vsp_world *sleepy = new_world_at(&def, 0, 0), *twin;
    vsp_body_id id[2][3];
    uint32_t i;

    def.enable_sleep = false;
    twin = new_world_at(&def, 1, 0);
    add_ground(sleepy);
    add_ground(twin);
    add_stack(sleepy, 0, 3, id[0]);
    add_stack(twin, 0, 3, id[1]);
    step_world(sleepy, 300);
    step_world(twin, 300);
    CHECK_UINT(0, awake_bodies(sleepy));
    CHECK_UINT(3, awake_bodies(twin));
    for (i = 0; i < 3; i++)
        CHECK_NEAR(num(vsp_body_center(twin, id[1][i]).y),
                   num(vsp_body_center(sleepy, id[0][i]).y),
                   TOLERANCE(1e-6, 4e-6));
}

static void whole_island_or_none(void)
{
    vsp_world_def def = sleepy_def();
    vsp_world *world = new_world_of(&def);
    vsp_body_id calm[2], busy[3];
    uint32_t i;

    add_ground(world);
    add_stack(world, 0, 2, calm);
    add_stack(world, 5, 3, busy);
    CHECK_STATUS(VSP_OK, vsp_body_enable_sleep(world, busy[2], false));
    for (i = 0; i < 200; i++) {
        step_world(world, 1);
        CHECK(all_are(world, busy, 3, true));
    }
    CHECK(all_are(world, calm, 2, false));
    CHECK_UINT(3, vsp_world_stats(world).awake_count);
    CHECK_STATUS(VSP_OK, vsp_body_enable_sleep(world, busy[2], true));
    step_world(world, 200);
    CHECK(all_are(world, busy, 3, false));
    CHECK_UINT(0, vsp_world_stats(world).awake_count);
}

static void off_means_off(void)
{
    vsp_world_def def = sleepy_def();
    vsp_world *world;
    vsp_body_id box;

    def.enable_sleep = false;
    world = new_world_of(&def);
    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    step_world(world, 300);
    CHECK(vsp_body_is_awake(world, box));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_awake(world, box, false));
}

static void set_awake_refuses(void)
{
    vsp_world_def def = sleepy_def();
    vsp_world *world = new_world_of(&def);
    vsp_body_id ground = add_ground(world), box = add_cube(world, 0, 9, 0);
    vsp_body_id none = {0};

    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_awake(world, ground, false));
    CHECK_REFUSED(VSP_ERR_ID, vsp_body_set_awake(world, none, false));
    CHECK_STATUS(VSP_OK, vsp_body_enable_sleep(world, box, false));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_awake(world, box, false));
    CHECK_STATUS(VSP_OK, vsp_body_enable_sleep(world, box, true));
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, box, false));
    step_world(world, 100); /* by a call, even in the air */
    CHECK_NEAR(9, num(vsp_body_center(world, box).y), 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, box, true));
    step_world(world, 10);
    CHECK_AT_MOST(8.95, num(vsp_body_center(world, box).y));
}


/* ---- Bodies that must not sleep ------------------------------------------
 * Each of these bodies moves, if slowly, in a world without sleep.  With sleep
 * it must move in the same way, to the bit. */

typedef vsp_body_id put_body(vsp_world *world);

/* Checks that a body stays awake for some seconds, moves by at least `least`,
 * and ends where a twin in a world without sleep ends. */
static void stays_awake(const vsp_world_def *def, put_body *put, double seconds,
                        double least)
{
    uint32_t steps = (uint32_t)(seconds / num(def->dt)), i;
    vsp_world_def off = *def;
    vsp_world *world = new_world_at(def, 0, 0), *twin;
    vsp_body_id id = put(world), other;
    vsp_vec3 from = vsp_body_center(world, id), a, b;

    off.enable_sleep = false;
    twin = new_world_at(&off, 1, 0);
    other = put(twin);
    for (i = 0; i < steps; i++) {
        step_world(world, 1);
        if (!CHECK(vsp_body_is_awake(world, id)))
            return;
    }
    step_world(twin, steps);
    a = vsp_body_center(world, id);
    b = vsp_body_center(twin, other);
    CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
    CHECK_AT_LEAST(least,
                   hypot(num(a.x) - num(from.x), num(a.y) - num(from.y)));
}

static vsp_body_id put_box(vsp_world *world)
{
    add_ground(world);
    return add_cube(world, 0, 0.5, 0);
}

static vsp_body_id put_ball(vsp_world *world)
{
    add_ground(world);
    return add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 0.5, 0);
}

/* four boxes on each other, the lowest of which slides */
static vsp_body_id put_stack(vsp_world *world)
{
    vsp_body_id ids[4];

    add_ground(world);
    add_stack(world, 0, 4, ids);
    return ids[2];
}

static const double slow_dts[] = {1.0 / 480.0, 1.0 / 240.0, 0.01, 1.0 / 60.0,
                                  1.0 / 30.0};
static const double slow_gravities[] = {1.62, 9.81, 25.0};

/* half of the distance that an acceleration covers in this time */
static double half_way(double acceleration, double seconds)
{
    return 0.25 * acceleration * seconds * seconds;
}

static void slides(void)
{
    double angle = atan(0.5) / DEGREES + 0.05;
    uint32_t i, k;

    for (i = 0; i < COUNT_OF(slow_dts); i++)
        for (k = 0; k < COUNT_OF(slow_gravities); k++) {
            double g = slow_gravities[k];
            vsp_world_def def = slope_def(angle, g, slow_dts[i]);
            double a = g * (sin(angle * DEGREES) - 0.5 * cos(angle * DEGREES));

            test_note("dt %g, gravity %g", slow_dts[i], g);
            stays_awake(&def, put_box, 3, half_way(a, 3));
            stays_awake(&def, put_stack, 3, half_way(a, 3));
        }
    test_note("");
}

static void rolls(void)
{
    uint32_t i, k;

    for (i = 0; i < COUNT_OF(slow_dts); i++)
        for (k = 0; k < COUNT_OF(slow_gravities); k++) {
            double g = slow_gravities[k];
            vsp_world_def def = slope_def(0.05, g, slow_dts[i]);
            double a = 5.0 / 7.0 * g * sin(0.05 * DEGREES);

            test_note("dt %g, gravity %g", slow_dts[i], g);
            stays_awake(&def, put_ball, 3, half_way(a, 3));
        }
    test_note("");
}

/* The other steppers must do the same. */
static void every_stepper(void)
{
    vsp_stepper stepper;

    for (stepper = VSP_STEPPER_CARRY; stepper <= VSP_STEPPER_SHOCK;
         stepper = (vsp_stepper)(stepper + 1)) {
        vsp_world_def def = slope_def(0.05, 9.81, 1.0 / 60.0);
        vsp_world *world;

        test_note("stepper %d", (int)stepper);
        def.stepper = stepper;
        stays_awake(&def, put_ball, 3,
                    half_way(9.81 * sin(0.05 * DEGREES) / 1.4, 3));
        def = slope_def(atan(0.5) / DEGREES + 0.05, 9.81, 1.0 / 60.0);
        def.stepper = stepper;
        stays_awake(&def, put_box, 3, 0.01);
        def = slope_def(atan(0.5) / DEGREES - 1.0, 9.81, 1.0 / 60.0);
        def.stepper = stepper;
        world = new_world_of(&def);
        put_box(world);
        CHECK_AT_MOST(120, steps_to_sleep(world, 121));
    }
    test_note("");
}

/* rolls up the slope, slower and slower, and down again */
static vsp_body_id put_returning_ball(vsp_world *world)
{
    vsp_body_id ball = put_ball(world);

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(-0.01, 0, 0),
                                               real3(0, 0, 0.02)));
    return ball;
}

static void returns(void)
{
    vsp_world_def def = slope_def(0.05, 9.81, 1.0 / 60.0);

    stays_awake(&def, put_returning_ball, 5, 0.01);
    def.sleep_time = real(0.1);
    stays_awake(&def, put_returning_ball, 5, 0.01);
}

/* A board on its edge, tilted a little more than the angle at which it tips. */
static vsp_body_id put_tipping(vsp_world *world)
{
    double half = atan(0.1 / 1.0) + 0.02 * DEGREES;
    vsp_body_def def = body_def(
        VSP_DYNAMIC, vsp_box(VSP_R(0.1), VSP_R(1.0), VSP_R(0.5)), 0, 0, 0);
    vsp_body_id id;

    add_ground(world);
    def.pose.rotation = turn(-half / DEGREES, 0, 0, 1);
    def.pose.position.y = real(cos(half) + 0.1 * sin(half));
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

static void tips(void)
{
    uint32_t i;

    for (i = 0; i < COUNT_OF(slow_dts); i++) {
        vsp_world_def def = slope_def(0, 9.81, slow_dts[i]);

        test_note("dt %g", slow_dts[i]);
        stays_awake(&def, put_tipping, 2, 0.025);
    }
    test_note("");
}

/* thrown up so that its speed is 0 at the end of a step */
static vsp_body_id put_thrown(vsp_world *world)
{
    vsp_body_id id = add_cube(world, 0, 0.5, 0);

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, 1, 0),
                                               real3(0, 0, 0)));
    return id;
}

/* thrown up along a wall without friction */
static vsp_body_id put_thrown_at_wall(vsp_world *world)
{
    vsp_shape_def wall = vsp_box(VSP_R(0.5), VSP_R(9.0), VSP_R(5.0));

    wall.material.friction = 0;
    add_body(world, VSP_STATIC, wall, 1, 0, 0);
    return put_thrown(world);
}

/* two bodies that touch only each other */
static vsp_body_id put_thrown_pair(vsp_world *world)
{
    vsp_body_id top = add_cube(world, 0, 1.5, 0);

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, top, real3(0, 1, 0),
                                               real3(0, 0, 0)));
    return put_thrown(world);
}

static void turns_round_in_the_air(void)
{
    vsp_world_def def = slope_def(0, 8, 1.0 / 64.0);

    def.sleep_time = 0;
    stays_awake(&def, put_thrown, 1, 2.9);
    stays_awake(&def, put_thrown_at_wall, 1, 2.9);
    stays_awake(&def, put_thrown_pair, 1, 2.9);
    def.sleep_time = real(0.02);
    stays_awake(&def, put_thrown, 1, 2.9);
    stays_awake(&def, put_thrown_at_wall, 1, 2.9);
}

/* two bodies in the air that touch only each other, with a limit of speed below
 * the threshold of sleep */
static vsp_body_id put_sinking(vsp_world *world)
{
    vsp_body_id low = add_cube(world, 0, 5, 0), top = add_cube(world, 0, 6, 0);

    CHECK_STATUS(VSP_OK, vsp_body_set_max_speed(world, low, real(0.0002)));
    CHECK_STATUS(VSP_OK, vsp_body_set_max_speed(world, top, real(0.0002)));
    return low;
}

static void sinks(void)
{
    vsp_world_def def = slope_def(0, 9.81, 1.0 / 60.0);

    stays_awake(&def, put_sinking, 3, 0.0003);
}

/* a spinning top, whose centre does not move */
static vsp_body_id put_top(vsp_world *world)
{
    vsp_body_id ball = put_ball(world);

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(0, 0, 0),
                                               real3(0, 0.01, 0)));
    return ball;
}

static void spins(void)
{
    vsp_world_def def = slope_def(0, 9.81, 1.0 / 60.0);

    stays_awake(&def, put_top, 3, 0);
}

/* A box that is hit when it has almost fallen asleep, and stops again, must
 * count its time at rest from 0. */
static void counts_anew(void)
{
    vsp_world_def def = sleepy_def();
    vsp_world *world = new_world_of(&def);
    vsp_body_def ball = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), -2.75,
                                 0.5, 0);
    vsp_body_id box;

    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    ball.velocity = real3(5, 0, 0);
    ball.gravity_scale = 0;
    ball.shape.material.restitution = VSP_R(1.0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &ball, NULL));
    step_world(world, 45);
    CHECK_AT_LEAST(0.01, num(vsp_body_center(world, box).x));
    CHECK(vsp_body_is_awake(world, box));
    step_world(world, 10);
    CHECK(vsp_body_is_awake(world, box));
    step_world(world, 20);
    CHECK(!vsp_body_is_awake(world, box));
}

/* drifts in space for ever, below sleep_speed */
static vsp_body_id put_drifting(vsp_world *world)
{
    vsp_body_id id = add_cube(world, 0, 0, 0);

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0.001, 0, 0),
                                               real3(0, 0, 0)));
    return id;
}

static void drifts(void)
{
    vsp_world_def def = slope_def(0, 0, 1.0 / 60.0);
    vsp_world *world;
    vsp_body_id id;

    stays_awake(&def, put_drifting, 3, 0.0029);
    world = new_world_of(&def); /* a body that damping brings to rest must
                                 * sleep */
    id = put_drifting(world);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_damping(world, id, VSP_R(1.0), VSP_R(1.0)));
    step_world(world, 100);
    CHECK(!vsp_body_is_awake(world, id));
}

/* pushed in every step, by a force too small to move it */
static void pushed_stays_awake(void)
{
    vsp_world_def def = sleepy_def();
    vsp_world *world = new_world_of(&def);
    vsp_body_id box;
    uint32_t i;

    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    for (i = 0; i < 100; i++) {
        CHECK_STATUS(VSP_OK,
                     vsp_body_apply_center_force(world, box, real3(100, 0, 0)));
        step_world(world, 1);
    }
    CHECK(vsp_body_is_awake(world, box));
    CHECK_AT_MOST(60, steps_to_sleep(world, 100));
}

/* on a slow belt that is too smooth to move the body, and on a slow platform */
static void carried_stays_awake(void)
{
    vsp_shape_def board = vsp_box(VSP_R(5.0), VSP_R(0.5), VSP_R(5.0));
    vsp_world_def def = sleepy_def();
    vsp_world *world = new_world_of(&def);
    vsp_body_id belt, platform, on_belt, on_platform;
    vsp_vec3 slow = real3(0.0005, 0, 0), still = real3(0, 0, 0);

    board.material.friction = 0;
    board.material.friction_rule = VSP_RULE_MIN;
    board.surface_velocity = real3(1, 0, 0);
    belt = add_body(world, VSP_STATIC, board, 0, -0.5, 0);
    on_belt = add_cube(world, 0, 0.5, 0);
    board.surface_velocity = still;
    platform = add_body(world, VSP_KINEMATIC, board, 50, -0.5, 0);
    on_platform = add_cube(world, 50, 0.5, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, platform, slow, still));
    step_world(world, 100);
    CHECK(vsp_body_is_awake(world, on_belt));
    CHECK(vsp_body_is_awake(world, on_platform));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, platform, still, still));
    CHECK_STATUS(VSP_OK, vsp_shape_set_surface_velocity(
                             world, vsp_shape_at(world, 0), still));
    step_world(world, 100);
    CHECK(!vsp_body_is_awake(world, on_belt));
    CHECK(!vsp_body_is_awake(world, on_platform));
    (void)belt;
}


/* ---- Waking --------------------------------------------------------------
 * Two stacks of three cubes, each on its own board, and a platform at rest, all
 * asleep.  A call or event concerns the first stack. */

enum { LOW, MIDDLE, TOP, STACK };

typedef struct bedroom {
    vsp_world *world;
    vsp_body_id board, platform;
    vsp_body_id stack[STACK], other[STACK];
} bedroom;

static bool make_bedroom(bedroom *room, bool is_warm)
{
    vsp_shape_def board = vsp_box(VSP_R(2.0), VSP_R(0.5), VSP_R(2.0));
    vsp_world_def def = sleepy_def();
    vsp_world *world;

    def.enable_warm_start = is_warm;
    world = room->world = new_world_of(&def);
    room->board = add_body(world, VSP_STATIC, board, 0, -0.5, 0);
    add_body(world, VSP_STATIC, board, 8, -0.5, 0);
    add_stack(world, 0, STACK, room->stack);
    add_stack(world, 8, STACK, room->other);
    room->platform = add_body(world, VSP_KINEMATIC, cube_shape(), -4, 0.5, 0);
    return CHECK_AT_MOST(60, steps_to_sleep(world, 100));
}

static vsp_shape_id shape_of(const vsp_world *world, vsp_body_id body)
{
    uint32_t i;

    for (i = 0; i < VSP_MAX_SHAPES; i++) {
        vsp_shape_id id = vsp_shape_at(world, i);

        if (id.bits != 0 && vsp_shape_body(world, id).bits == body.bits)
            return id;
    }
    return vsp_shape_at(world, VSP_MAX_SHAPES);
}

/* the pose of a body after a shift */
static vsp_transform moved(const vsp_world *world, vsp_body_id body, double x,
                           double y)
{
    vsp_transform pose = vsp_body_transform(world, body);

    pose.position.x = real(num(pose.position.x) + x);
    pose.position.y = real(num(pose.position.y) + y);
    return pose;
}

typedef vsp_status happening(const bedroom *room);

#define ONE real3(1, 0, 0)
#define ZERO real3(0, 0, 0)

/* clang-format off */
static vsp_status force(const bedroom *r)
{ return vsp_body_apply_force(r->world, r->stack[TOP], ONE, ZERO); }
static vsp_status center_force(const bedroom *r)
{ return vsp_body_apply_center_force(r->world, r->stack[LOW], ONE); }
static vsp_status torque(const bedroom *r)
{ return vsp_body_apply_torque(r->world, r->stack[MIDDLE], ONE); }
static vsp_status impulse(const bedroom *r)
{ return vsp_body_apply_impulse(r->world, r->stack[TOP], ONE, ZERO); }
static vsp_status center_impulse(const bedroom *r)
{ return vsp_body_apply_center_impulse(r->world, r->stack[TOP], ONE); }
static vsp_status angular_impulse(const bedroom *r)
{ return vsp_body_apply_angular_impulse(r->world, r->stack[TOP], ONE); }
static vsp_status velocity(const bedroom *r)
{ return vsp_body_set_velocity(r->world, r->stack[TOP], ONE, ZERO); }
static vsp_status mass(const bedroom *r)
{ return vsp_body_set_mass(r->world, r->stack[TOP], VSP_R(9.0), ZERO, ZERO); }
static vsp_status gravity_scale(const bedroom *r)
{ return vsp_body_set_gravity_scale(r->world, r->stack[LOW], VSP_R(-1.0)); }
static vsp_status locks(const bedroom *r)
{ return vsp_body_set_locks(r->world, r->stack[LOW], VSP_LOCK_X); }
static vsp_status sleepless(const bedroom *r)
{ return vsp_body_enable_sleep(r->world, r->stack[LOW], false); }
static vsp_status set_awake(const bedroom *r)
{ return vsp_body_set_awake(r->world, r->stack[MIDDLE], true); }
static vsp_status transform(const bedroom *r)
{ return vsp_body_set_transform(r->world, r->stack[MIDDLE],
                                moved(r->world, r->stack[MIDDLE], 0, 9)); }
static vsp_status destroy_body(const bedroom *r)
{ return vsp_body_destroy(r->world, r->stack[MIDDLE]); }
static vsp_status destroy_board(const bedroom *r)
{ return vsp_body_destroy(r->world, r->board); }
static vsp_status move_board(const bedroom *r)
{ return vsp_body_set_transform(r->world, r->board,
                                moved(r->world, r->board, 0, -9)); }
static vsp_status strip_board(const bedroom *r)
{ return vsp_shape_destroy(r->world, shape_of(r->world, r->board)); }
static vsp_status surface(const bedroom *r)
{ return vsp_shape_set_surface_velocity(
    r->world, shape_of(r->world, r->board), ONE); }
static vsp_status move_platform(const bedroom *r)
{ return vsp_body_set_transform(r->world, r->platform,
                                moved(r->world, r->platform, 3, 0)); }
/* clang-format on */

static vsp_status material_of(const bedroom *r, vsp_body_id body)
{
    vsp_material slippery = cube_shape().material;

    slippery.friction = 0;
    return vsp_shape_set_material(r->world, shape_of(r->world, body), slippery);
}

static vsp_status filter_of(const bedroom *r, vsp_body_id body)
{
    vsp_filter nobody = {0, 0, 0};

    return vsp_shape_set_filter(r->world, shape_of(r->world, body), nobody);
}

static vsp_status material(const bedroom *r)
{
    return material_of(r, r->stack[LOW]);
}

static vsp_status board_material(const bedroom *r)
{
    return material_of(r, r->board);
}

static vsp_status filter(const bedroom *r)
{
    return filter_of(r, r->stack[MIDDLE]);
}

static vsp_status board_filter(const bedroom *r)
{
    return filter_of(r, r->board);
}

static vsp_status create_shape(const bedroom *r)
{
    vsp_shape_def more = vsp_sphere(VSP_R(0.1));

    more.pose.position = real3(0.5, 0.5, 0);
    return vsp_shape_create(r->world, r->stack[MIDDLE], &more, NULL);
}

/* at the side of the stack */
static vsp_status create_on_board(const bedroom *r)
{
    vsp_shape_def more = vsp_sphere(VSP_R(0.25));

    more.pose.position = real3(0.745, 1, 0);
    return vsp_shape_create(r->world, r->board, &more, NULL);
}

static vsp_status create_static(const bedroom *r)
{
    vsp_body_def def = body_def(VSP_STATIC, vsp_sphere(VSP_R(0.25)), 0.745, 1.5,
                                0);

    return vsp_body_create(r->world, &def, NULL);
}

/* touches the stack in its first step */
static vsp_status create_dynamic(const bedroom *r)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0.745,
                                1.5, 0);

    return vsp_body_create(r->world, &def, NULL);
}

static vsp_status create_mover(const bedroom *r)
{
    vsp_body_def def = body_def(VSP_KINEMATIC, vsp_sphere(VSP_R(0.25)), 0.745,
                                1.5, 0);

    def.velocity = real3(-1, 0, 0);
    return vsp_body_create(r->world, &def, NULL);
}

typedef struct named_happening {
    const char *name;
    happening *happen;
} named_happening;

#define HAPPENING(name) \
    {                   \
#name, name     \
    }

static const named_happening wakers[] = {
    HAPPENING(force),          HAPPENING(center_force),
    HAPPENING(torque),         HAPPENING(impulse),
    HAPPENING(center_impulse), HAPPENING(angular_impulse),
    HAPPENING(velocity),       HAPPENING(mass),
    HAPPENING(gravity_scale),  HAPPENING(locks),
    HAPPENING(sleepless),      HAPPENING(set_awake),
    HAPPENING(transform),      HAPPENING(destroy_body),
    HAPPENING(destroy_board),  HAPPENING(move_board),
    HAPPENING(strip_board),    HAPPENING(surface),
    HAPPENING(material),       HAPPENING(board_material),
    HAPPENING(filter),         HAPPENING(board_filter),
    HAPPENING(create_shape),   HAPPENING(create_on_board),
    HAPPENING(create_static),  HAPPENING(create_dynamic),
    HAPPENING(create_mover),   HAPPENING(move_platform),
};

/* The whole stack must be awake, except destroyed bodies, and the other stack
 * must not, whether multipliers are kept or not. */
static void wakes_all_of_its_island_alone(void)
{
    uint32_t i, k, warm;
    bedroom room;

    for (i = 0; i < COUNT_OF(wakers); i++)
        for (warm = 0; warm < 2; warm++) {
            test_note("%s, warm start %u", wakers[i].name, (unsigned)warm);
            if (!make_bedroom(&room, warm != 0))
                return;
            CHECK_STATUS(VSP_OK, wakers[i].happen(&room));
            CHECK_STATUS(VSP_OK, vsp_world_step(room.world));
            for (k = 0; k < STACK; k++)
                CHECK(!vsp_body_is_valid(room.world, room.stack[k]) ||
                      vsp_body_is_awake(room.world, room.stack[k]));
            CHECK(all_are(room.world, room.other, STACK, false));
            CHECK_STATUS(VSP_OK, vsp_world_validate(room.world, NULL));
        }
    test_note("");
}

/* clang-format off */
static vsp_status no_force(const bedroom *r)
{ return vsp_body_apply_center_force(r->world, r->stack[TOP], ZERO); }
static vsp_status no_velocity(const bedroom *r)
{ return vsp_body_set_velocity(r->world, r->stack[TOP], ZERO, ZERO); }
static vsp_status user(const bedroom *r)
{ return vsp_body_set_user(r->world, r->stack[TOP], 9); }
static vsp_status damping(const bedroom *r)
{ return vsp_body_set_damping(r->world, r->stack[TOP], 0, 0); }
static vsp_status same_gravity(const bedroom *r)
{ return vsp_world_set_gravity(r->world, vsp_world_gravity(r->world)); }
static vsp_status sleep_more(const bedroom *r)
{ return vsp_body_enable_sleep(r->world, r->stack[TOP], true); }
static vsp_status far_platform(const bedroom *r)
{ return vsp_body_set_velocity(r->world, r->platform, ONE, ZERO); }
static vsp_status no_platform(const bedroom *r)
{ return vsp_body_destroy(r->world, r->platform); }
/* clang-format on */

static void nothing_wakes_for_nothing(void)
{
    static const named_happening others[] = {
        HAPPENING(no_force),     HAPPENING(no_velocity),  HAPPENING(user),
        HAPPENING(damping),      HAPPENING(same_gravity), HAPPENING(sleep_more),
        HAPPENING(far_platform), HAPPENING(no_platform),
    };
    bedroom room;
    uint32_t i;

    for (i = 0; i < COUNT_OF(others); i++) {
        test_note("%s", others[i].name);
        if (!make_bedroom(&room, true))
            return;
        CHECK_STATUS(VSP_OK, others[i].happen(&room));
        step_world(room.world, 10);
        CHECK_UINT(0, awake_bodies(room.world));
    }
    test_note("");
}

static void gravity_wakes_all(void)
{
    bedroom room;

    if (!make_bedroom(&room, true))
        return;
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(room.world, ZERO));
    CHECK_UINT(6, awake_bodies(room.world));
}

/* A platform comes from far away: the stack must wake when it arrives. */
static void platform_wakes_when_it_comes(void)
{
    bedroom room;
    uint32_t steps = 0;

    if (!make_bedroom(&room, true))
        return;
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(room.world, room.platform, ONE, ZERO));
    while (steps < 400 && awake_bodies(room.world) == 0) {
        step_world(room.world, 1);
        steps++;
    }
    CHECK_NEAR(180, steps, 3);
    CHECK_UINT(3, awake_bodies(room.world));
}

/* A ball hits a box in space that sleeps, or one that cannot sleep: both must
 * get the same momentum, in the step in which the contact is found. */
static void passes_momentum_on(void)
{
    vsp_world_def def = slope_def(0, 0, 1.0 / 60.0);
    vsp_world *world[2];
    vsp_body_id box[2], ball[2];
    double m, v[2][2], at[2];
    uint32_t i;

    for (i = 0; i < 2; i++) {
        def.enable_sleep = i == 0;
        world[i] = new_world_at(&def, i, 0);
        box[i] = add_cube(world[i], 0, 0, 0);
        ball[i] = add_body(world[i], VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), -5,
                           0, 0);
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world[i], ball[i], real3(4, 0, 0),
                                           real3(0, 0, 0)));
        step_world(world[i], 60);
        CHECK(vsp_body_is_awake(world[i], box[i]) == (i == 1));
        step_world(world[i], 30);
        CHECK(vsp_body_is_awake(world[i], box[i]));
        v[i][0] = num(vsp_body_velocity(world[i], box[i]).x);
        v[i][1] = num(vsp_body_velocity(world[i], ball[i]).x);
        at[i] = num(vsp_body_center(world[i], ball[i]).x);
    }
    m = num(vsp_body_mass(world[0], ball[0]));
    CHECK_NEAR(v[1][0], v[0][0], TOLERANCE(1e-5, 4e-5));
    CHECK_NEAR(v[1][1], v[0][1], TOLERANCE(1e-5, 4e-5));
    CHECK_NEAR(at[1], at[0], TOLERANCE(1e-4, 4e-4));
    CHECK_NEAR(4 * m, 1000 * v[0][0] + m * v[0][1], TOLERANCE(0.001, 0.02));
}

/* Each domino must wake the next when it falls on it, and not before. */
static void dominoes_wake_one_another(void)
{
    vsp_shape_def board = vsp_box(VSP_R(0.1), VSP_R(1.0), VSP_R(0.5));
    vsp_world_def def = sleepy_def();
    vsp_world *world = new_world_of(&def);
    vsp_body_id boards[10];
    uint32_t i, most = 0, steps;

    add_ground(world);
    for (i = 0; i < 10; i++)
        boards[i] = add_body(world, VSP_DYNAMIC, board, 1.0 * i, 1, 0);
    step_world(world, 60);
    CHECK_UINT(0, awake_bodies(world));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, boards[0], real3(1, 0, 0),
                                               real3(0, 0, -1)));
    for (steps = 0; steps < 600; steps++) {
        uint32_t count = 0;

        step_world(world, 1);
        while (count < 10 && vsp_body_is_awake(world, boards[count]))
            count++;
        CHECK(count < most || count <= most + 1); /* one at a time */
        most = count > most ? count : most;
    }
    CHECK_UINT(10, most);
    for (i = 0; i < 10; i++) /* all lie */
        CHECK_AT_MOST(0.8, num(vsp_body_center(world, boards[i]).y));
    CHECK_AT_MOST(600, steps_to_sleep(world, 601));
}


/* ---- Cost ---------------------------------------------------------------- */

/* Starts a scene in buffer `index`. */
static void start_scene(scene_run *run, const char *name, uint32_t index)
{
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    vsp_world_def def;

    if (!CHECK(found != NULL))
        return;
    def = scene_world_def(found);
    run->world = new_world_at(&def, index, 0);
    CHECK(scene_start(run, found, variant));
}

static void step_scene(scene_run *run, uint32_t from, uint32_t to)
{
    for (; from < to; from++)
        CHECK(scene_step(run, from) >= 0);
}

static void city_sleeps_for_nothing(void)
{
    vsp_body_def far_ball = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 50,
                                     0);
    vsp_stats awake, asleep;
    scene_run run;

    start_scene(&run, "city", 0);
    step_scene(&run, 0, 10);
    awake = vsp_world_stats(run.world);
    CHECK_UINT(1000, awake.awake_count);
    CHECK_AT_LEAST(1000, awake.pair_count);
    step_scene(&run, 10, 90);
    asleep = vsp_world_stats(run.world);
    CHECK_UINT(0, asleep.awake_count);
    CHECK_UINT(0, asleep.pair_count);
    CHECK_UINT(0, asleep.row_updates);
    CHECK_UINT(0, vsp_contact_count(run.world));
    CHECK_STATUS(VSP_OK, vsp_body_create(run.world, &far_ball, NULL));
    step_world(run.world, 1);
    asleep = vsp_world_stats(run.world);
    CHECK_UINT(1, asleep.awake_count);
    CHECK_UINT(0, asleep.pair_count);
    CHECK_UINT(0, asleep.row_updates);
}

/* Bodies must wake along the path of the ball, and nowhere else. */
static void city_wakes_where_hit(void)
{
    scene_run run;
    uint32_t woken;

    start_scene(&run, "city", 0);
    step_scene(&run, 0, 100);
    CHECK_UINT(0, awake_bodies(run.world));
    step_scene(&run, 100, 180);
    woken = awake_bodies(run.world);
    CHECK_AT_LEAST(6, woken);
    CHECK_AT_MOST(150, woken);
    CHECK_UINT(woken, vsp_world_stats(run.world).awake_count);
}


/* ---- State --------------------------------------------------------------- */

/* A world that is restored in the middle must continue with the same bits. */
static void restored_goes_on(void)
{
    scene_run run, other;
    uint32_t step, least = 99;
    size_t size;

    start_scene(&run, "nap", 0);
    start_scene(&other, "nap", 1);
    for (step = 0; step < 400; step++) {
        uint32_t count = awake_bodies(run.world);

        least = count < least ? count : least;
        test_note("step %u", (unsigned)step);
        if (step % 20 == 7) {
            vsp_world *fresh;
            vsp_world_def def = sleepy_def();

            size = save_world(run.world, 0);
            fresh = new_world_at(&def, 1, 0);
            CHECK_STATUS(VSP_OK, vsp_world_restore(fresh, saved(0), size));
            other.world = fresh;
            memcpy(other.marks, run.marks, sizeof run.marks);
        }
        CHECK(scene_step(&run, step) == scene_step(&other, step));
        if (!CHECK_HEX(vsp_world_hash(run.world), vsp_world_hash(other.world)))
            return;
    }
    test_note("");
    CHECK_UINT(0, least);
}

/* Random calls, some of which put bodies to sleep.  A world that is sometimes
 * restored must keep the same bits, be valid, and its sleepers must not
 * move. */
static void random_calls(void)
{
    static const char *const names[] = {"calls:8~1", "calls:16~2", "calls:32~3",
                                        "calls:32~4"};
    vsp_world_def def = sleepy_def();
    uint32_t i, step, slept = 0;

    def.sleep_time = real(0.05);
    def.dt = real(0.01);
    for (i = 0; i < COUNT_OF(names); i++) {
        scene_run run, other;

        def.stepper = (vsp_stepper)(i % 3);
        start_scene(&run, names[i], 2); /* for its settings */
        run.world = new_world_at(&def, 0, 0);
        CHECK(scene_start(&run, run.scene, run.variant));
        for (step = 0; step < 400; step++) {
            vsp_body_id some = vsp_body_at(run.world, step % 7);
            vsp_vec3 from = vsp_body_center(run.world, some), to;
            bool was_asleep;

            test_note("%s, step %u", names[i], (unsigned)step);
            if (step % 16 == 0) {
                size_t size = save_world(run.world, 0);

                other = run;
                other.world = new_world_at(&def, 1, 0);
                CHECK_STATUS(VSP_OK,
                             vsp_world_restore(other.world, saved(0), size));
            }
            (void)vsp_body_set_awake(run.world, some, step % 5 != 0);
            (void)vsp_body_set_awake(other.world, some, step % 5 != 0);
            scene_drive(&run, step);
            scene_drive(&other, step);
            from = vsp_body_center(run.world, some);
            was_asleep = vsp_body_is_valid(run.world, some) &&
                         !vsp_body_is_awake(run.world, some);
            CHECK(vsp_world_step(run.world) >= 0);
            CHECK(vsp_world_step(other.world) >= 0);
            if (!CHECK_HEX(vsp_world_hash(run.world),
                           vsp_world_hash(other.world)) ||
                !CHECK_STATUS(VSP_OK, vsp_world_validate(run.world, NULL)))
                return;
            to = vsp_body_center(run.world, some);
            if (!was_asleep || vsp_body_is_awake(run.world, some))
                continue;
            CHECK(from.x == to.x && from.y == to.y && from.z == to.z);
            slept++;
        }
    }
    test_note("");
    CHECK_AT_LEAST(50, slept);
}

static void snapshot_of(uint32_t sleep, bool is_asleep, vsp_status expected)
{
    vsp_world_def def = sleepy_def();
    vsp_world *world;
    vsp_body_id box;
    size_t size;

    def.enable_sleep = sleep != 0;
    world = new_world_of(&def);
    box = add_cube(world, 0, 0.5, 0);
    if (is_asleep)
        CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, box, false));
    size = save_world(world, 0);
    CHECK_STATUS(expected, vsp_world_restore(world, saved(0), size));
    CHECK(vsp_body_is_awake(world, box) != is_asleep);
}

static void flags_are_state(void)
{
    snapshot_of(0, false, VSP_OK);
    snapshot_of(1, false, VSP_OK);
    snapshot_of(1, true, VSP_OK);
}

/* Sleeping bodies keep their multipliers, which use capacity: a world full of
 * them drops contacts, and must still be saved and restored. */
static void kept_multipliers_take_room(void)
{
    vsp_world_def def = sleepy_def();
    vsp_world *world;
    vsp_body_id ids[6];
    size_t size;
    uint32_t hash;

    def.capacity.contacts = 27; /* six bodies rest on four points each */
    world = new_world_of(&def);
    add_ground(world);
    add_stack(world, 0, 6, ids);
    CHECK_AT_MOST(60, steps_to_sleep(world, 100));
    add_cube(world, 5, 0.5, 0);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    CHECK_UINT(1, awake_bodies(world));
    hash = vsp_world_hash(world);
    size = save_world(world, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(world));
    CHECK(all_are(world, ids, 6, false));
}


/* ---- Events and sensors -------------------------------------------------- */

/* number of events of a type in the last step */
static uint32_t events_of(const vsp_world *world, vsp_event_type type)
{
    uint32_t i, all, count = 0;
    const vsp_event *events = vsp_world_events(world, &all);

    for (i = 0; i < all; i++)
        count += events[i].type == (uint32_t)type;
    return count;
}

/* Sleeping shapes keep touching: no contact ends or begins again, even in steps
 * in which another body falls. */
static void sleep_is_reported(void)
{
    vsp_world_def def = sleepy_def();
    uint32_t i, begun = 0, ended = 0, asleep = 0, woken = 0, warm;
    vsp_body_id stack[STACK];

    for (warm = 0; warm < 2; warm++) {
        vsp_world *world;

        def.enable_warm_start = warm != 0;
        def.reports = VSP_REPORT_BEGIN | VSP_REPORT_END | VSP_REPORT_SLEEP;
        world = new_world_of(&def);
        begun = ended = asleep = woken = 0;
        add_ground(world);
        add_stack(world, 0, STACK, stack);
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 500, 0);
        for (i = 0; i < 120; i++) {
            if (i == 80)
                CHECK_STATUS(VSP_OK, vsp_body_apply_center_impulse(
                                         world, stack[TOP], real3(10, 0, 0)));
            step_world(world, 1);
            begun += events_of(world, VSP_EVENT_BEGIN);
            ended += events_of(world, VSP_EVENT_END);
            asleep += events_of(world, VSP_EVENT_SLEEP);
            woken += events_of(world, VSP_EVENT_WAKE);
        }
        CHECK_UINT(STACK, begun);
        CHECK_UINT(0, ended);
        CHECK_UINT(2 * STACK, asleep);
        CHECK_UINT(STACK - 1, woken); /* a call woke the top */
    }
}

/* A body that sleeps in a sensor must be detected, also by a sensor that is
 * created later. */
static void sleeps_in_a_sensor(void)
{
    vsp_shape_def zone = vsp_box(VSP_R(1.0), VSP_R(1.0), VSP_R(1.0));
    vsp_world_def def = sleepy_def();
    vsp_world *world;
    vsp_body_id box, place;
    vsp_shape_id sensor;

    zone.is_sensor = true;
    world = new_world_of(&def);
    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    CHECK_AT_MOST(60, steps_to_sleep(world, 100));
    place = add_body(world, VSP_STATIC, zone, 0, 1, 0);
    sensor = shape_of(world, place);
    step_world(world, 1);
    CHECK(!vsp_body_is_awake(world, box));
    CHECK_UINT(1, vsp_shape_sensed(world, sensor, NULL, 0));
    step_world(world, 1);
    CHECK_UINT(1, vsp_shape_sensed(world, sensor, NULL, 0));
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, place,
                                                moved(world, place, 5, 0)));
    step_world(world, 1);
    CHECK_UINT(0, vsp_shape_sensed(world, sensor, NULL, 0));
    CHECK(!vsp_body_is_awake(world, box));
}

static const test tests[] = {
    TEST(falls_asleep_after_sleep_time),
    TEST(stays_where_it_was),
    TEST(whole_island_or_none),
    TEST(off_means_off),
    TEST(set_awake_refuses),
    TEST(slides),
    TEST(rolls),
    TEST(every_stepper),
    TEST(returns),
    TEST(tips),
    TEST(turns_round_in_the_air),
    TEST(sinks),
    TEST(spins),
    TEST(counts_anew),
    TEST(drifts),
    TEST(pushed_stays_awake),
    TEST(carried_stays_awake),
    TEST(wakes_all_of_its_island_alone),
    TEST(nothing_wakes_for_nothing),
    TEST(gravity_wakes_all),
    TEST(platform_wakes_when_it_comes),
    TEST(passes_momentum_on),
    TEST(dominoes_wake_one_another),
    TEST(city_sleeps_for_nothing),
    TEST(city_wakes_where_hit),
    TEST(restored_goes_on),
    TEST(random_calls),
    TEST(flags_are_state),
    TEST(kept_multipliers_take_room),
    TEST(sleep_is_reported),
    TEST(sleeps_in_a_sensor),
    TEST_END,
};

const test_suite sleep_suite = {"sleep", tests};
