/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Changes of what a body or shape is: a body as a def, its shapes, joints and
 * bounds; type; disabled bodies; velocities; then shapes.  Restored and
 * replayed worlds go on equally. */

#include "fixture.h"

#include <math.h>
#include <string.h>

static double height(const vsp_world *world, vsp_body_id id)
{
    return num(vsp_body_transform(world, id).position.y);
}

/* Checks that a restored copy of a world goes on with the same bits, in all
 * steppers. */
static void check_restore(vsp_world *world)
{
    size_t size = save_world(world, 0);
    uint32_t hash = vsp_world_hash(world), later;
    vsp_difference found;
    uint32_t count = 0;
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other = new_world_at(&def, 1, 0);

    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(other));
    CHECK_STATUS(VSP_OK, vsp_world_diff(world, other, &found, 1, &count));
    CHECK_UINT(0, count);
    step_world(other, 5);
    later = vsp_world_hash(other);
    step_world(world, 5);
    CHECK_HEX(later, vsp_world_hash(world));
}

static vsp_world *world_of(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.reports = VSP_REPORT_BEGIN | VSP_REPORT_END | VSP_REPORT_SENSOR;
    return new_world_of(&def);
}

/* Returns how many events of a type the last step had. */
static uint32_t events_of(const vsp_world *world, vsp_event_type type)
{
    uint32_t count, i, found = 0;
    const vsp_event *events = vsp_world_events(world, &count);

    for (i = 0; i < count; i++)
        found += events[i].type == (uint32_t)type;
    return found;
}


/* ---- A body as it is ---------------------------------------------------- */

static vsp_body_def full_def(void)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 1, 2, 3);

    def.pose.rotation = turn(30, 0, 1, 0);
    def.velocity = real3(1, -2, 0.5);
    def.spin = real3(0.25, 0.5, -1);
    def.linear_damping = VSP_R(0.5);
    def.angular_damping = VSP_R(0.25);
    def.gravity_scale = VSP_R(-2.0);
    def.max_speed = VSP_R(50.0);
    def.locks = VSP_LOCK_Z | VSP_LOCK_TURN_X;
    def.is_bullet = true;
    def.enable_sleep = false;
    def.user = 0xabcdef01u;
    def.shape.pose.position = real3(0, 0.25, 0);
    return def;
}

/* A copy of a body has the same state, if its mass comes from its shape. */
static void a_body_can_be_copied(void)
{
    vsp_world *world = new_world();
    vsp_body_def def = full_def(), got;
    vsp_body_id one, two;

    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &one));
    memset(&got, 0xdd, sizeof got);
    CHECK_STATUS(VSP_OK, vsp_body_get(world, one, &got));
    CHECK_UINT(def.locks, got.locks);
    CHECK_HEX(def.user, got.user);
    CHECK(got.is_bullet && !got.enable_sleep && !got.is_disabled);
    CHECK_NEAR(50, num(got.max_speed), 1e-5);
    CHECK_NEAR(0, num(got.mass), 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &got, &two));
    CHECK_STATUS(VSP_OK, vsp_body_get(world, two, &def));
    CHECK_BYTES(&got.velocity, &def.velocity, sizeof got.velocity);
    CHECK_NEAR(num(vsp_body_mass(world, one)), num(vsp_body_mass(world, two)),
               0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_get(world, one, NULL));
    two.bits ^= 0x10000u;
    CHECK_REFUSED(VSP_ERR_ID, vsp_body_get(world, two, &got));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_get(NULL, one, &got));
}

/* A given inertia comes back within rounding. */
static void given_masses_are_shown(void)
{
    vsp_world *world = new_world();
    vsp_body_def def = full_def(), got;
    vsp_body_id id;

    def.mass = VSP_R(12.0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_STATUS(VSP_OK, vsp_body_get(world, id, &got));
    CHECK_NEAR(12, num(got.mass), 1e-4);
    CHECK_NEAR(0, num(got.inertia.x), 0);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_mass(world, id, VSP_R(8.0), real3(0.125, 0, 0.25),
                                   real3(2, 3, 4)));
    CHECK_STATUS(VSP_OK, vsp_body_get(world, id, &got));
    CHECK_NEAR(8, num(got.mass), 1e-4);
    CHECK_NEAR(0.25, num(got.center.z), 1e-6);
    CHECK_NEAR(2, num(got.inertia.x), 1e-4);
    CHECK_NEAR(3, num(got.inertia.y), 1e-4);
    CHECK_NEAR(4, num(got.inertia.z), 1e-4);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &got, &id));
    CHECK_NEAR(8, num(vsp_body_mass(world, id)), 1e-4);
}

static void shapes_and_joints_are_listed(void)
{
    vsp_world *world = new_world();
    vsp_body_id one = add_cube(world, 0, 1, 0), two = add_cube(world, 3, 1, 0);
    vsp_shape_def ball = vsp_sphere(VSP_R(0.25));
    vsp_shape_id shapes[3], made[3];
    vsp_joint_def joint = vsp_joint_def_default();
    vsp_joint_id joints[2], id;

    CHECK_UINT(1, vsp_body_shapes(world, one, &made[0], 1));
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, one, &ball, &made[1]));
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, one, &ball, &made[2]));
    memset(shapes, 0, sizeof shapes);
    CHECK_UINT(3, vsp_body_shapes(world, one, shapes, 2));
    CHECK_BYTES(made, shapes, 2 * sizeof made[0]);
    CHECK_UINT(0, shapes[2].bits);
    CHECK_UINT(3, vsp_body_shapes(world, one, NULL, 0));
    CHECK_UINT(3, vsp_body_shapes(world, one, shapes, 3));
    CHECK_BYTES(made, shapes, sizeof made);
    joint.type = VSP_JOINT_BALL;
    joint.body_a = one;
    joint.body_b = two;
    CHECK_UINT(0, vsp_body_joints(world, one, joints, 2));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &joint, &id));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &joint, NULL));
    CHECK_UINT(2, vsp_body_joints(world, two, joints, 1));
    CHECK_UINT(id.bits, joints[0].bits);
    CHECK_UINT(0, vsp_body_joints(NULL, two, joints, 1));
    one.bits ^= 0x10000u;
    CHECK_UINT(0, vsp_body_shapes(world, one, shapes, 3));
    CHECK_UINT(0, vsp_body_joints(world, one, joints, 2));
}

/* The box of a turned box is |R| h; a ball beside it widens that of the body.
 */
static void bounds_are_tight(void)
{
    vsp_world *world = new_world();
    vsp_body_id id = add_turned(world, VSP_DYNAMIC,
                                vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(0.25)), 2,
                                3, 4, turn(30, 0, 0, 1));
    vsp_body_id ground = add_ground(world);
    double c = cos(30 * 3.14159265358979 / 180), s = 0.5;
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_bounds b;

    CHECK_STATUS(VSP_OK, vsp_shape_bounds(world, vsp_shape_at(world, 0), &b));
    CHECK_NEAR(2 + c + 0.5 * s, num(b.high.x), 4e-6);
    CHECK_NEAR(3 - s - 0.5 * c, num(b.low.y), 4e-6);
    CHECK_NEAR(4.25, num(b.high.z), 4e-6);
    ball.pose.position = real3(0, 0, 2);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &ball, NULL));
    CHECK_STATUS(VSP_OK, vsp_body_bounds(world, id, &b));
    CHECK_NEAR(2 - c - 0.5 * s, num(b.low.x), 4e-6);
    CHECK_NEAR(3.75, num(b.low.z), 4e-6);
    CHECK_NEAR(6.5, num(b.high.z), 4e-6);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_bounds(world, ground, &b));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_bounds(world, vsp_shape_at(world, 1), &b));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_bounds(world, id, NULL));
    id.bits = 0;
    CHECK_REFUSED(VSP_ERR_ID, vsp_body_bounds(world, id, &b));
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_bounds(world, (vsp_shape_id){0}, &b));
}


/* ---- Type ---------------------------------------------------------------- */

/* A static box that becomes dynamic falls; a dynamic one that becomes static
 * stays, and carries what is on it. */
static void types_change(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_body_id low, top;
        double fell;

        test_note("stepper %d", k);
        add_ground(world);
        low = add_cube(world, 0, 2, 0);
        top = add_cube(world, 0, 3.001, 0);
        CHECK_STATUS(VSP_OK, vsp_body_set_type(world, low, VSP_STATIC));
        CHECK_NEAR(0, num(vsp_body_mass(world, low)), 0);
        step_world(world, 60);
        CHECK_NEAR(2, height(world, low), 0);
        CHECK_NEAR(3, height(world, top), 2e-3);
        check_restore(world);
        CHECK_STATUS(VSP_OK, vsp_body_set_type(world, low, VSP_DYNAMIC));
        CHECK_NEAR(1000, num(vsp_body_mass(world, low)), 0.1);
        step_world(world, 20);
        fell = 2 - height(world, low);
        CHECK_NEAR(9.81 / 2 / 9, fell, 0.05);
        step_world(world, 100);
        CHECK_NEAR(0.5, height(world, low), 3e-3);
        check_restore(world);
    }
}

/* The frame stays in place and keeps its velocity, though the centre of mass
 * moves; a given mass is lost. */
static void frames_stay_when_types_change(void)
{
    vsp_world *world = new_world();
    vsp_body_def def = full_def();
    vsp_body_id id;
    vsp_vec3 at, center;

    def.locks = 0;
    def.mass = VSP_R(5.0);
    def.velocity = real3(0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    center = vsp_body_center(world, id);
    CHECK_NEAR(2.25, num(center.y), 1e-6);
    CHECK_STATUS(VSP_OK, vsp_body_set_type(world, id, VSP_KINEMATIC));
    at = vsp_body_transform(world, id).position;
    CHECK_NEAR(1, num(at.x), 2e-6);
    CHECK_NEAR(2, num(at.y), 2e-6);
    CHECK_NEAR(2, num(vsp_body_center(world, id).y), 2e-6);
    /* w x r of the frame's origin, seen from the centre */
    CHECK_NEAR(-0.25, num(vsp_body_velocity(world, id).x), 1e-4);
    CHECK_STATUS(VSP_OK, vsp_body_set_type(world, id, VSP_DYNAMIC));
    CHECK_NEAR(2.25, num(vsp_body_center(world, id).y), 2e-6);
    CHECK_NEAR(0, num(vsp_body_velocity(world, id).x), 1e-4);
    CHECK_AT_LEAST(100, num(vsp_body_mass(world, id)));
}

static void bad_types_are_refused(void)
{
    vsp_world *world = new_world();
    vsp_body_id ground = add_ground(world), none = {0};
    vsp_shape_def light = vsp_sphere(VSP_R(0.005)), heavy;
    vsp_body_id speck;

    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_type(world, ground, VSP_DYNAMIC));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_body_set_type(world, ground, (vsp_body_type)3));
    CHECK_REFUSED(VSP_ERR_ID, vsp_body_set_type(world, none, VSP_STATIC));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_type(NULL, ground, VSP_STATIC));
    CHECK_STATUS(VSP_OK, vsp_body_set_type(world, ground, VSP_KINEMATIC));
    light.density = VSP_R(0.001);
    speck = add_body(world, VSP_STATIC, light, 0, 1, 0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_type(world, speck, VSP_DYNAMIC));
    heavy = vsp_box(VSP_R(90.0), VSP_R(90.0), VSP_R(90.0));
    heavy.density = VSP_R(1.0e9);
    speck = add_body(world, VSP_KINEMATIC, heavy, 0, 1, 0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_type(world, speck, VSP_DYNAMIC));
}

/* A pendulum whose bodies are all static hangs still, and swings on. */
static void joints_survive_changes_of_type(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_joint_def def = vsp_joint_def_default();
        vsp_body_id post, bob;
        vsp_joint_state state;
        vsp_joint_id id;

        test_note("stepper %d", k);
        post = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.25)), 0, 5, 0);
        bob = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 2, 5, 0);
        def.type = VSP_JOINT_BALL;
        def.body_a = post;
        def.body_b = bob;
        CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(0, 5, 0),
                                             real3(1, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &id));
        step_world(world, 10);
        CHECK_STATUS(VSP_OK, vsp_body_set_type(world, bob, VSP_STATIC));
        check_restore(world);
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
        CHECK_NEAR(0, num(state.impulse.y), 0);
        CHECK_AT_LEAST(4.5, height(world, bob));
        CHECK_STATUS(VSP_OK, vsp_body_set_type(world, bob, VSP_DYNAMIC));
        step_world(world, 40);
        CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
        CHECK_AT_MOST(4e-3, num(state.error)); /* of PGS; others: 0.5 mm */
        CHECK_AT_MOST(4, height(world, bob));
    }
}


/* ---- Disabled bodies ----------------------------------------------------- */

/* A box whose support is disabled falls through it, and queries do not find the
 * support; enabled again, it carries. */
static void disabled_bodies_are_not_there(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_body_id shelf, box;
        vsp_hit hit;

        test_note("stepper %d", k);
        shelf = add_body(world, VSP_STATIC,
                         vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(1.0)), 0, 4.5,
                         0);
        box = add_cube(world, 0, 5.5, 0);
        step_world(world, 90);
        CHECK_NEAR(5.5, height(world, box), 2e-3);
        CHECK(!vsp_body_is_awake(world, box) || k == 1);
        CHECK_STATUS(VSP_OK, vsp_body_enable(world, shelf, false));
        CHECK(!vsp_body_is_enabled(world, shelf));
        CHECK(vsp_body_is_enabled(world, box) && vsp_body_is_awake(world, box));
        CHECK(vsp_body_is_valid(world, shelf));
        CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0.9, 9, 0),
                                          real3(0, -9, 0), NULL, &hit));
        CHECK_UINT(0, hit.shape.bits);
        step_world(world, 1);
        CHECK_UINT(1, events_of(world, VSP_EVENT_END));
        check_restore(world);
        step_world(world, 24);
        CHECK_NEAR(5.5 - 9.81 / 2 / 4, height(world, box), 0.1);
        CHECK_STATUS(VSP_OK, vsp_body_set_transform(
                                 world, box,
                                 (vsp_transform){real3(0, 6, 0), no_turn()}));
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, box, real3(0, 0, 0),
                                                   real3(0, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_body_enable(world, shelf, true));
        step_world(world, 90);
        CHECK_NEAR(5.5, height(world, box), 2e-3);
        check_restore(world);
    }
}

/* Pairs end with an event also if all else sleeps. */
static void pairs_of_sleepers_end(void)
{
    for (int k = 0; k < 3; k++) {
        vsp_world *world = world_of(VSP_STEPPER_CARRY);
        vsp_shape_def ghost = vsp_sphere(VSP_R(1.0));
        vsp_body_id shelf, box, sensor;

        test_note("case %d", k);
        ghost.is_sensor = true;
        shelf = add_body(world, VSP_STATIC,
                         vsp_box(VSP_R(1.0), VSP_R(0.5), VSP_R(1.0)), 0, 4.5,
                         0);
        sensor = add_body(world, VSP_STATIC, ghost, 0, 6, 0);
        box = add_cube(world, 0, 5.5, 0);
        step_world(world, 90);
        CHECK(!vsp_body_is_awake(world, box));
        CHECK_STATUS(VSP_OK, vsp_body_enable(world, sensor, false));
        if (k == 2)
            CHECK_STATUS(VSP_OK, vsp_body_set_type(world, box, VSP_STATIC));
        else
            CHECK_STATUS(VSP_OK, vsp_body_enable(world, box, false));
        if (k == 1)
            CHECK_STATUS(VSP_OK, vsp_body_enable(world, shelf, false));
        step_world(world, 1);
        CHECK_UINT(1, events_of(world, VSP_EVENT_END));
        CHECK_UINT(1, events_of(world, VSP_EVENT_LEAVE));
        step_world(world, 1);
        CHECK_UINT(0, events_of(world, VSP_EVENT_END));
        CHECK_UINT(0, events_of(world, VSP_EVENT_LEAVE));
    }
}

/* A disabled dynamic body hangs in the air with its velocity, whatever pushes
 * it, its sensor is left, and its joint has no effect. */
static void disabled_bodies_do_nothing(void)
{
    vsp_world *world = world_of(VSP_STEPPER_CARRY);
    vsp_shape_def sensor = vsp_sphere(VSP_R(2.0));
    vsp_body_id one = add_cube(world, 0, 8, 0),
                two = add_cube(world, 0, 9.5, 0);
    vsp_joint_def def = vsp_joint_def_default();
    vsp_shape_id zone, found[4];

    sensor.is_sensor = true;
    sensor.density = VSP_R(0.0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, one, &sensor, &zone));
    def.type = VSP_JOINT_BALL;
    def.body_a = one;
    def.body_b = two;
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(0, 8.75, 0),
                                         real3(1, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
    step_world(world, 10);
    CHECK_UINT(1, vsp_shape_sensed(world, zone, found, 4));
    CHECK_STATUS(VSP_OK, vsp_body_enable(world, one, false));
    CHECK(!vsp_body_is_awake(world, one));
    CHECK_UINT(VSP_DYNAMIC, (uint32_t)vsp_body_get_type(world, one));
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_center_impulse(world, one, real3(0, 9000, 0)));
    CHECK_STATUS(VSP_ERR_ARG, vsp_body_set_awake(world, one, false));
    step_world(world, 1);
    CHECK_UINT(1, events_of(world, VSP_EVENT_LEAVE));
    CHECK_NEAR(8 - 9.81 * 55 / 3600, height(world, one), 2e-3);
    CHECK_NEAR(-9.81 / 6, num(vsp_body_velocity(world, one).y), 2e-3);
    check_restore(world);
    step_world(world, 24);
    CHECK_NEAR(9.5 - 9.81 * 40 * 41 / 7200, height(world, two), 5e-3);
    CHECK_STATUS(VSP_OK, vsp_body_enable(world, one, true));
    CHECK_NEAR(-9.81 / 6, num(vsp_body_velocity(world, one).y), 2e-3);
    step_world(world, 1);
    CHECK_AT_MOST(7.9, height(world, one));
}

/* A body may be created disabled, and changed while it is. */
static void disabled_bodies_can_be_changed(void)
{
    vsp_world *world = new_world();
    vsp_body_def def = full_def(), got;
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_body_id id;
    double mass;

    def.is_disabled = true;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_STATUS(VSP_OK, vsp_body_get(world, id, &got));
    CHECK(got.is_disabled && got.type == VSP_DYNAMIC);
    mass = num(vsp_body_mass(world, id));
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &ball, NULL));
    CHECK_NEAR(2 * mass, num(vsp_body_mass(world, id)), 0.01 * mass);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(1, 2, 3),
                                               real3(0, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_set_type(world, id, VSP_STATIC));
    CHECK_STATUS(VSP_ERR_ARG, vsp_body_set_velocity(world, id, real3(1, 2, 3),
                                                    real3(0, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_set_type(world, id, VSP_DYNAMIC));
    check_restore(world);
    CHECK(!vsp_body_is_enabled(world, id));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
    CHECK_REFUSED(VSP_ERR_ID, vsp_body_enable(world, id, true));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_enable(NULL, id, true));
    CHECK(!vsp_body_is_enabled(world, id));
}


/* ---- Velocities ---------------------------------------------------------- */

static void velocities_are_set_alone(void)
{
    vsp_world *world = new_world();
    vsp_body_id id = add_cube(world, 0, 1, 0), ground = add_ground(world);

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(1, 2, 3),
                                               real3(4, 5, 6)));
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_linear_velocity(world, id, real3(7, 8, 9)));
    CHECK_NEAR(9, num(vsp_body_velocity(world, id).z), 0);
    CHECK_NEAR(6, num(vsp_body_spin(world, id).z), 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_spin(world, id, real3(-1, 0, 0)));
    CHECK_NEAR(7, num(vsp_body_velocity(world, id).x), 0);
    CHECK_NEAR(-1, num(vsp_body_spin(world, id).x), 0);
    CHECK_NEAR(0, num(vsp_body_spin(world, id).y), 0);
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_body_set_spin(world, ground, real3(1, 0, 0)));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_body_set_linear_velocity(world, id, real3(0, 1e9, 0)));
    id.bits = 0;
    CHECK_REFUSED(VSP_ERR_ID,
                  vsp_body_set_linear_velocity(world, id, real3(0, 1, 0)));
}

/* The largest distance of a rotated unit vector from that of another
 * rotation. */
static double turn_error(vsp_quat a, vsp_quat b)
{
    double dot = num(a.x) * num(b.x) + num(a.y) * num(b.y) +
                 num(a.z) * num(b.z) + num(a.w) * num(b.w);
    double rest = 1 - dot * dot;

    return 2 * sqrt(rest > 0 ? rest : 0);
}

/* A kinematic body arrives at each pose of a path in one step each. */
static void kinematic_bodies_arrive(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_body_id id = add_body(world, VSP_KINEMATIC, vsp_sphere(VSP_R(0.5)),
                                  0, 1, 0);

        for (int i = 0; i < 60; i++) {
            vsp_transform pose, got;

            test_note("stepper %d, step %d", k, i);
            pose.position = real3(sin(0.1 * i), 1 + 0.05 * i, cos(0.3 * i));
            pose.rotation = turn(i % 7 == 0 ? 175.0 : 3.0 * i, 0.6, 0, 0.8);
            CHECK_STATUS(VSP_OK,
                         vsp_body_move_to(world, id, pose, VSP_R(1.0 / 60.0)));
            step_world(world, 1);
            got = vsp_body_transform(world, id);
            CHECK_NEAR(num(pose.position.x), num(got.position.x), 2e-6);
            CHECK_NEAR(num(pose.position.y), num(got.position.y), 2e-6);
            CHECK_NEAR(num(pose.position.z), num(got.position.z), 2e-6);
            /* a dot product near 1 tells an angle only within its root */
            CHECK_AT_MOST(1e-3, turn_error(pose.rotation, got.rotation));
        }
        step_world(world, 1); /* and goes on */
        CHECK_AT_LEAST(0.01, num(vsp_body_velocity(world, id).y));
    }
}

/* Too far: it goes in the right direction, as fast as it may. */
static void kinematic_bodies_keep_limits(void)
{
    vsp_world *world = new_world();
    vsp_body_id id = add_body(world, VSP_KINEMATIC, vsp_sphere(VSP_R(0.5)), 0,
                              1, 0);
    vsp_transform pose = {real3(300, 1, 400), no_turn()};
    vsp_body_id box = add_cube(world, 5, 5, 5);

    CHECK_STATUS(VSP_OK, vsp_body_set_max_speed(world, id, VSP_R(6.0)));
    CHECK_STATUS(VSP_OK, vsp_body_move_to(world, id, pose, VSP_R(0.02)));
    CHECK_NEAR(3.6, num(vsp_body_velocity(world, id).x), 1e-3);
    CHECK_NEAR(4.8, num(vsp_body_velocity(world, id).z), 1e-3);
    pose.rotation = turn(170, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_body_move_to(world, id, pose, VSP_MIN_DT));
    CHECK_AT_LEAST(VSP_FIXED ? 499 : 9999, num(vsp_body_spin(world, id).y));
    CHECK_AT_MOST(VSP_FIXED ? 500 : 10000, num(vsp_body_spin(world, id).y));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_move_to(world, box, pose, VSP_R(0.02)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_move_to(world, id, pose, VSP_R(0.0)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_move_to(world, id, pose, VSP_R(1.0)));
    pose.rotation.y = pose.rotation.w = VSP_R(0.0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_move_to(world, id, pose, VSP_R(0.02)));
    id.bits = 0;
    CHECK_REFUSED(VSP_ERR_ID, vsp_body_move_to(world, id, pose, VSP_R(0.02)));
}


/* ---- Shapes -------------------------------------------------------------- */

/* A body of a shape that was changed in place has the mass of one that was made
 * so. */
static void changed_shapes_have_their_mass(void)
{
    vsp_world *world = new_world();
    vsp_shape_def def = vsp_box(VSP_R(0.25), VSP_R(0.5), VSP_R(1.0)), got;
    vsp_transform pose = {real3(0.5, 0, 0), turn(30, 0, 1, 0)};
    vsp_body_id one = add_cube(world, 0, 5, 0), two;
    vsp_shape_id shape = vsp_shape_at(world, 0);

    def.density = VSP_R(400.0);
    def.pose = pose;
    two = add_body(world, VSP_DYNAMIC, def, 0, 5, 0);
    CHECK_STATUS(VSP_OK, vsp_shape_set_size(world, shape, def.size));
    CHECK_NEAR(1000, num(vsp_body_mass(world, one)), 0.1);
    CHECK_STATUS(VSP_OK, vsp_shape_set_density(world, shape, VSP_R(400.0)));
    CHECK_NEAR(400, num(vsp_body_mass(world, one)), 0.1);
    CHECK_STATUS(VSP_OK, vsp_shape_set_pose(world, shape, pose));
    CHECK_NEAR(0.5, num(vsp_body_center(world, one).x), 2e-6);
    CHECK_NEAR(0, num(vsp_body_transform(world, one).position.x), 2e-6);
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, shape, &got));
    CHECK_NEAR(0.25, num(got.size.x), 0);
    CHECK_STATUS(VSP_OK,
                 vsp_shape_set_filter(world, shape, (vsp_filter){1, 0, 0}));
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_angular_impulse(world, one, real3(9, 20, 30)));
    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_angular_impulse(world, two, real3(9, 20, 30)));
    CHECK_NEAR(num(vsp_body_spin(world, two).x),
               num(vsp_body_spin(world, one).x), 1e-6);
    CHECK_NEAR(num(vsp_body_spin(world, two).z),
               num(vsp_body_spin(world, one).z), 1e-6);
    check_restore(world);
}

/* A box that grows under a sleeping one lifts it. */
static void growing_shapes_push(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_body_id low, top;

        test_note("stepper %d", k);
        low = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 0, 0);
        CHECK(low.bits);
        top = add_body(world, VSP_DYNAMIC,
                       vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)), 0, 1, 0);
        CHECK_STATUS(
            VSP_OK, vsp_body_set_locks(world, top, VSP_LOCK_ALL & ~VSP_LOCK_Y));
        step_world(world, 90);
        CHECK_NEAR(1, height(world, top), 2e-3);
        CHECK_STATUS(VSP_OK, vsp_shape_set_size(world, vsp_shape_at(world, 0),
                                                real3(0.75, 0, 0)));
        step_world(world, 60);
        CHECK_NEAR(1.25, height(world, top), 2e-3);
        check_restore(world);
    }
}

/* A floor that becomes a sensor lets a box through, senses it, and stops it
 * again. */
static void floors_become_sensors(void)
{
    vsp_world *world = world_of(VSP_STEPPER_CARRY);
    vsp_body_id box, floor;
    vsp_shape_id shape, found;

    floor = add_body(world, VSP_STATIC,
                     vsp_box(VSP_R(2.0), VSP_R(0.5), VSP_R(2.0)), 0, 1.5, 0);
    CHECK(floor.bits);
    box = add_cube(world, 0, 2.5, 0);
    shape = vsp_shape_at(world, 0);
    step_world(world, 60);
    CHECK_STATUS(VSP_OK, vsp_shape_set_sensor(world, shape, true));
    step_world(world, 10);
    CHECK_UINT(1, vsp_shape_sensed(world, shape, &found, 1));
    CHECK_AT_MOST(2.4, height(world, box));
    check_restore(world);
    CHECK_STATUS(VSP_OK, vsp_shape_set_sensor(world, shape, false));
    CHECK_UINT(0, vsp_shape_sensed(world, shape, &found, 1));
    step_world(world, 120);
    CHECK_NEAR(2.5, height(world, box), 3e-3);
    check_restore(world);
}

/* Hits and events tell the user words of shapes. */
static void user_words_are_told(void)
{
    vsp_world *world = world_of(VSP_STEPPER_CARRY);
    vsp_body_def def = body_def(VSP_STATIC, vsp_half_space(), 0, 0, 0);
    vsp_shape_id ball;
    const vsp_event *events;
    uint32_t count;
    vsp_hit hit;
    vsp_shape_def got;

    def.shape.user = 65535;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 0.5, 0);
    ball = vsp_shape_at(world, 1);
    CHECK_UINT(0, vsp_shape_user(world, ball));
    CHECK_STATUS(VSP_OK, vsp_shape_set_user(world, ball, 7));
    CHECK_UINT(7, vsp_shape_user(world, ball));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, ball, &got));
    CHECK_UINT(7, got.user);
    step_world(world, 1);
    events = vsp_world_events(world, &count);
    CHECK_UINT(1, count);
    CHECK_UINT(65535, events[0].user_a);
    CHECK_UINT(7, events[0].user_b);
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0, 5, 0), real3(0, -9, 0),
                                      NULL, &hit));
    CHECK_UINT(7, hit.user);
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(3, 5, 0), real3(0, -9, 0),
                                      NULL, &hit));
    CHECK_UINT(65535, hit.user);
    check_restore(world);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_user(world, ball, 65536));
    ball.bits = 0;
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_set_user(world, ball, 1));
    CHECK_UINT(0, vsp_shape_user(world, ball));
}

/* A box in the middle of a turntable is spun up by friction, and then turns as
 * fast as its surface. */
static void turntables_turn(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_body_def def = body_def(VSP_STATIC,
                                    vsp_box(VSP_R(4.0), VSP_R(0.5), VSP_R(4.0)),
                                    1, -0.5, 2);
        vsp_body_id box;
        vsp_vec3 at;

        test_note("stepper %d", k);
        def.shape.surface_spin = real3(0, 2, 0);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
        box = add_cube(world, 1, 0.5, 2);
        step_world(world, 180);
        CHECK_NEAR(2, num(vsp_body_spin(world, box).y), 0.02);
        at = vsp_body_center(world, box);
        CHECK_NEAR(1, num(at.x), 0.01);
        CHECK_NEAR(2, num(at.z), 0.01);
        CHECK_NEAR(0.5, num(at.y), 3e-3);
        check_restore(world);
    }
}

/* A box on the rim moves along with the rim: v = w r, and friction holds it on
 * its circle as long as w^2 r < mu g. */
static void turntables_carry(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_body_def def = body_def(VSP_STATIC,
                                    vsp_box(VSP_R(4.0), VSP_R(0.5), VSP_R(4.0)),
                                    0, -0.5, 0);
        vsp_body_id box;
        vsp_vec3 at, v;

        test_note("stepper %d", k);
        def.shape.surface_spin = real3(0, 1, 0);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
        box = add_cube(world, 2, 0.5, 0);
        step_world(world, 60);
        at = vsp_body_center(world, box);
        v = vsp_body_velocity(world, box);
        /* v = w x r */
        CHECK_NEAR(num(at.z), num(v.x), 0.05);
        CHECK_NEAR(-num(at.x), num(v.z), 0.05);
        CHECK_NEAR(1, num(vsp_body_spin(world, box).y), 0.03);
        CHECK_NEAR(0, num(v.y), 0.01);
        step_world(world, 120);
        CHECK_NEAR(2,
                   hypot(num(vsp_body_center(world, box).x),
                         num(vsp_body_center(world, box).z)),
                   0.15);
        check_restore(world);
    }
}

/* A plank on a turning roller is moved at the speed of its surface, w r. */
static void rollers_move(void)
{
    for (int k = 0; k < 4; k++) {
        vsp_world *world = world_of((vsp_stepper)k);
        vsp_body_def def = body_def(VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 0,
                                    0);
        vsp_body_id plank;

        test_note("stepper %d", k);
        def.shape.surface_spin = real3(0, 0, -2);
        for (int i = 0; i < 4; i++) {
            def.pose.position = real3(i / 2 * 2.0, 0, i % 2 * 2.0);
            CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
        }
        plank = add_body(world, VSP_DYNAMIC,
                         vsp_box(VSP_R(3.0), VSP_R(0.25), VSP_R(1.5)), 1, 0.75,
                         1);
        step_world(world, 40);
        CHECK_NEAR(1, num(vsp_body_velocity(world, plank).x), 0.02);
        CHECK_NEAR(0, num(vsp_body_velocity(world, plank).z), 0.01);
        check_restore(world);
    }
}

static void bad_edits_of_shapes_are_refused(void)
{
    vsp_world *world = new_world();
    vsp_shape_id box, ground, none = {0};
    vsp_transform pose = {real3(0, 0, 0), no_turn()};
    vsp_shape_def def = vsp_sphere(VSP_R(0.5));
    vsp_body_id id = add_cube(world, 0, 1, 0);

    add_ground(world);
    box = vsp_shape_at(world, 0);
    ground = vsp_shape_at(world, 1);
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_set_size(world, ground, real3(1, 1, 1)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_size(world, box, real3(1, 0, 1)));
    CHECK_REFUSED(
        VSP_ERR_ARG,
        vsp_shape_set_size(world, box,
                           (vsp_vec3){VSP_R(1.0), bad_real(0), VSP_R(1.0)}));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_set_density(world, box, VSP_R(1.0e-9)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_density(world, box, bad_real(0)));
    pose.position.x = bad_real(1);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_pose(world, box, pose));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_shape_set_surface_spin(world, box, real3(0, 1e9, 0)));
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_set_sensor(world, none, true));
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_set_density(world, none, VSP_R(1.0)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_density(NULL, box, VSP_R(1.0)));
    def.surface_spin = def.surface_velocity = real3(1, 0, 0);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_create(world, id, &def, &none));
    def.surface_velocity = real3(0, 0, 0);
    def.user = 65536;
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_create(world, id, &def, &none));
    def.user = 1;
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &def, &none));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, none, &def));
    CHECK_NEAR(1, num(def.surface_spin.x), 0);
    CHECK_NEAR(0, num(def.surface_velocity.x), 0);
    CHECK_STATUS(VSP_OK,
                 vsp_shape_set_surface_velocity(world, none, real3(2, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, none, &def));
    CHECK_NEAR(0, num(def.surface_spin.x), 0);
    CHECK_NEAR(2, num(def.surface_velocity.x), 0);
}

static const test tests[] = {
    TEST(a_body_can_be_copied),
    TEST(given_masses_are_shown),
    TEST(shapes_and_joints_are_listed),
    TEST(bounds_are_tight),
    TEST(types_change),
    TEST(frames_stay_when_types_change),
    TEST(bad_types_are_refused),
    TEST(joints_survive_changes_of_type),
    TEST(disabled_bodies_are_not_there),
    TEST(pairs_of_sleepers_end),
    TEST(disabled_bodies_do_nothing),
    TEST(disabled_bodies_can_be_changed),
    TEST(velocities_are_set_alone),
    TEST(kinematic_bodies_arrive),
    TEST(kinematic_bodies_keep_limits),
    TEST(changed_shapes_have_their_mass),
    TEST(growing_shapes_push),
    TEST(floors_become_sensors),
    TEST(user_words_are_told),
    TEST(turntables_turn),
    TEST(turntables_carry),
    TEST(rollers_move),
    TEST(bad_edits_of_shapes_are_refused),
    TEST_END,
};

const test_suite edit_suite = {"edit", tests};
