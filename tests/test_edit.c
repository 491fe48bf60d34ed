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
    TEST(disabled_bodies_do_nothing),
    TEST(disabled_bodies_can_be_changed),
    TEST(velocities_are_set_alone),
    TEST(kinematic_bodies_arrive),
    TEST(kinematic_bodies_keep_limits),
    TEST_END,
};

const test_suite edit_suite = {"edit", tests};
