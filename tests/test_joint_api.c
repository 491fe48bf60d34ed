/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Calls of joints: every call with every sort of wrong argument, ids and slots,
 * reading back, waking, vsp_joint_place, snapshots; and, with invented
 * multipliers, breaking and reports. */

#include "fixture.h"
#include "src/record/record.h"

#include <math.h>
#include <string.h>

#define PI VSP_R(3.1415927)

static vsp_world *world;      /* of the current test */
static vsp_body_id post;      /* static */
static vsp_body_id ball, box; /* dynamic */

static void set_up_with(uint32_t joints, uint32_t reports)
{
    vsp_world_def def = vsp_world_def_default();

    def.capacity.joints = joints;
    def.reports = reports;
    world = new_world_of(&def);
    post = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 3, 0);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 4, 1, 0);
    box = add_cube(world, 8, 2, 1);
}

static void set_up(void)
{
    set_up_with(VSP_MAX_JOINTS, 0);
}

static vsp_joint_def def_of(vsp_joint_type type)
{
    vsp_joint_def def = vsp_joint_def_default();

    def.type = type;
    def.body_a = ball;
    def.body_b = box;
    return def;
}

static vsp_joint_id add_joint(vsp_joint_type type)
{
    vsp_joint_def def = def_of(type);
    vsp_joint_id id;

    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &id));
    return id;
}

/* Returns a definition that uses every number that its type has. */
static vsp_joint_def full_def(vsp_joint_type type)
{
    vsp_joint_def def = def_of(type);
    bool has_motor = type == VSP_JOINT_HINGE || type == VSP_JOINT_SLIDER;

    def.frame_a.position = real3(0.3, -0.7, 1.1);
    def.frame_a.rotation = turn(33, 0.6, 0.8, 0);
    def.frame_b.position = real3(-0.1, 0.01, 2.3);
    def.frame_b.rotation = turn(200, 0, 0.6, -0.8);
    def.collide = true;
    def.enable_limit = type != VSP_JOINT_FIXED;
    def.low = real(type == VSP_JOINT_DISTANCE ? 0.1 : -0.7);
    def.high = real(1.3);
    if (type == VSP_JOINT_BALL)
        def.cone = real(0.9);
    def.enable_motor = has_motor;
    def.motor_speed = real(-1.7);
    def.motor_max = real(123.4);
    def.break_impulse = real(77.7);
    def.break_turn = real(0.013);
    def.user = 0xabcdef01u;
    return def;
}

static vsp_status create_joint(const vsp_joint_def *def)
{
    vsp_joint_id id = {1}; /* anything but null */
    vsp_status status = vsp_joint_create(world, def, &id);

    CHECK((status == VSP_OK) == (id.bits != 0));
    return status;
}

static void refuse_joint(void *def)
{
    CHECK_REFUSED(VSP_ERR_ARG, create_joint((const vsp_joint_def *)def));
}

static void accept_joint(void *def)
{
    vsp_joint_id id = {0};

    CHECK_STATUS(VSP_OK,
                 vsp_joint_create(world, (const vsp_joint_def *)def, &id));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id));
}


/* ---- Definitions --------------------------------------------------------- */

static void defaults_are_as_documented(void)
{
    vsp_joint_def def = vsp_joint_def_default();

    CHECK_UINT(VSP_JOINT_NONE, def.type);
    CHECK_HEX(0, def.body_a.bits | def.body_b.bits | def.user);
    CHECK_NEAR(1.0, num(def.frame_a.rotation.w), 0.0);
    CHECK_NEAR(1.0, num(def.frame_b.rotation.w), 0.0);
    CHECK(!def.collide && !def.enable_limit && !def.enable_motor);
    CHECK_NEAR(3.14159265, num(def.cone), 1e-7);
    CHECK_NEAR(0.0, num(def.break_impulse), 0.0);
}

#define JOINT_FIELD(member, low, high)                      \
    {                                                       \
#member, offsetof(vsp_joint_def, member), low, high \
    }

static void numbers_are_checked(void)
{
    static const field fields[] = {
        JOINT_FIELD(frame_a.position.x, -VSP_MAX_POSITION, VSP_MAX_POSITION),
        JOINT_FIELD(frame_a.position.z, -VSP_MAX_POSITION, VSP_MAX_POSITION),
        JOINT_FIELD(frame_b.position.y, -VSP_MAX_POSITION, VSP_MAX_POSITION),
        JOINT_FIELD(low, -PI, PI),
        JOINT_FIELD(high, -PI, PI),
        JOINT_FIELD(limit_hertz, VSP_R(0.0), VSP_R(1000.0)),
        JOINT_FIELD(limit_damping, VSP_R(0.0), VSP_R(1000.0)),
        JOINT_FIELD(motor_speed, -VSP_MAX_SPEED, VSP_MAX_SPEED),
        JOINT_FIELD(motor_max, VSP_R(0.0), VSP_MAX_FORCE),
        JOINT_FIELD(break_impulse, VSP_R(0.0), VSP_MAX_FORCE),
        JOINT_FIELD(break_turn, VSP_R(0.0), VSP_MAX_FORCE),
    };
    vsp_joint_def def;

    set_up();
    def = def_of(VSP_JOINT_HINGE);
    def.low = -PI;
    def.high = PI;
    try_fields(&def, sizeof def, fields, COUNT_OF(fields), refuse_joint,
               accept_joint);
}

/* The allowed values of limits depend on the type. */
static void limits_are_checked(void)
{
    static const field cone[] = {JOINT_FIELD(cone, VSP_R(0.0), PI)};
    static const field slide[] = {
        JOINT_FIELD(low, -VSP_MAX_POSITION, VSP_MAX_POSITION),
        JOINT_FIELD(high, -VSP_MAX_POSITION, VSP_MAX_POSITION)};
    static const field distance[] = {
        JOINT_FIELD(low, VSP_R(0.0), VSP_MAX_POSITION),
        JOINT_FIELD(high, VSP_R(0.0), VSP_MAX_POSITION)};
    vsp_joint_def def;

    set_up();
    def = def_of(VSP_JOINT_BALL);
    try_fields(&def, sizeof def, cone, COUNT_OF(cone), refuse_joint,
               accept_joint);
    def = def_of(VSP_JOINT_SLIDER);
    def.low = -VSP_MAX_POSITION;
    def.high = VSP_MAX_POSITION;
    try_fields(&def, sizeof def, slide, COUNT_OF(slide), refuse_joint,
               accept_joint);
    def.type = VSP_JOINT_DISTANCE;
    def.low = 0;
    try_fields(&def, sizeof def, distance, COUNT_OF(distance), refuse_joint,
               accept_joint);
    def.low = VSP_R(2.0);
    def.high = VSP_R(1.0);
    refuse_joint(&def);
}

static void rotations_are_checked(void)
{
    vsp_joint_def def;
    vsp_quat *q[2];
    uint32_t i, k;

    set_up();
    for (i = 0; i < 2; i++) {
        def = def_of(VSP_JOINT_BALL);
        q[0] = &def.frame_a.rotation;
        q[1] = &def.frame_b.rotation;
        q[i]->w = 0;
        refuse_joint(&def);
        for (k = 0; k < BAD_REALS; k++) {
            q[i]->w = VSP_R(1.0);
            q[i]->y = bad_real(k);
            refuse_joint(&def);
        }
        q[i]->y = 0;
        q[i]->w = VSP_R(2.0); /* is normalised */
        accept_joint(&def);
    }
}

static void defs_are_checked(void)
{
    vsp_joint_def def;
    int32_t type;

    set_up();
    CHECK_REFUSED(VSP_ERR_ARG, create_joint(NULL));
    for (type = -1; type <= 6; type++) {
        def = def_of((vsp_joint_type)type);
        test_note("type %d", (int)type);
        if (type >= 1 && type <= 5)
            accept_joint(&def);
        else
            refuse_joint(&def);
    }
    test_note("");
    def = def_of(VSP_JOINT_BALL);
    def.cookie++;
    refuse_joint(&def);
}

/* A field that a type does not have must be refused. */
static void types_have_what_they_have(void)
{
    uint32_t type;

    set_up();
    for (type = VSP_JOINT_BALL; type <= VSP_JOINT_DISTANCE; type++) {
        vsp_joint_def def = def_of((vsp_joint_type)type);

        test_note("type %u", type);
        def.enable_limit = true;
        (type == VSP_JOINT_FIXED ? refuse_joint : accept_joint)(&def);
        def = def_of((vsp_joint_type)type);
        def.enable_motor = true;
        (type == VSP_JOINT_HINGE || type == VSP_JOINT_SLIDER
             ? accept_joint
             : refuse_joint)(&def);
        def = def_of((vsp_joint_type)type);
        def.cone = VSP_R(1.0);
        (type == VSP_JOINT_BALL ? accept_joint : refuse_joint)(&def);
    }
    test_note("");
}

static void bodies_are_checked(void)
{
    vsp_joint_def def;

    set_up();
    def = def_of(VSP_JOINT_BALL);
    def.body_b = ball; /* the same body twice */
    refuse_joint(&def);
    def.body_a = post;
    def.body_b = add_body(world, VSP_KINEMATIC, vsp_sphere(VSP_R(1.0)), 0, 0,
                          0);
    refuse_joint(&def); /* none of them is dynamic */
    def.body_a = ball;
    accept_joint(&def);
    def.body_b.bits = 0;
    CHECK_REFUSED(VSP_ERR_ID, create_joint(&def));
    def.body_b = ball;
    def.body_a.bits = box.bits + 0x10000u;
    CHECK_REFUSED(VSP_ERR_ID, create_joint(&def));
    def.body_a = box;
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, box));
    CHECK_REFUSED(VSP_ERR_ID, create_joint(&def));
}


/* ---- Ids and slots ------------------------------------------------------- */

static void null_worlds_are_refused(void)
{
    vsp_joint_def def;
    vsp_joint_id id = {7};
    vsp_joint_state state;

    set_up();
    def = def_of(VSP_JOINT_BALL);
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_create(NULL, &def, &id));
    CHECK_HEX(0, id.bits);
    id = add_joint(VSP_JOINT_HINGE);
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_destroy(NULL, id));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_get(NULL, id, &def));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_get(world, id, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_read(NULL, id, &state));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_read(world, id, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_set_limit(NULL, id, true, 0, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_set_cone(NULL, id, PI));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_set_motor(NULL, id, true, 0, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_set_strength(NULL, id, 0, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_set_spring(NULL, id, 0, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_joint_set_user(NULL, id, 0));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_joint_place(NULL, &def, real3(0, 0, 0), real3(1, 0, 0)));
    CHECK_HEX(0, vsp_joint_at(NULL, 0).bits);
}

static void check_id_refused(uint32_t bits)
{
    vsp_joint_def def;
    vsp_joint_id id;
    vsp_joint_state state;

    id.bits = bits;
    test_note("id %x", (unsigned)bits);
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_destroy(world, id));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_get(world, id, &def));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_read(world, id, &state));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_limit(world, id, true, 0, 0));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_cone(world, id, PI));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_motor(world, id, true, 0, 0));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_strength(world, id, 0, 0));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_spring(world, id, 0, 0));
    CHECK_REFUSED(VSP_ERR_ID, vsp_joint_set_user(world, id, 0));
}

static void ids_are_checked(void)
{
    vsp_joint_id id;

    set_up();
    check_id_refused(0);
    check_id_refused(1);
    id = add_joint(VSP_JOINT_BALL);
    check_id_refused(id.bits + 1u);
    check_id_refused(id.bits + 0x10000u);
    check_id_refused(id.bits | 0xffffu);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id));
    check_id_refused(id.bits);
    CHECK(add_joint(VSP_JOINT_BALL).bits == id.bits + 0x10000u);
    check_id_refused(id.bits);
    test_note("");
}

static void pools_fill_up(void)
{
    vsp_joint_def def;
    vsp_joint_id id[VSP_MAX_JOINTS];
    uint32_t i;

    set_up();
    for (i = 0; i < VSP_MAX_JOINTS; i++)
        id[i] = add_joint(VSP_JOINT_BALL);
    def = def_of(VSP_JOINT_BALL);
    CHECK_REFUSED(VSP_ERR_FULL, create_joint(&def));
    CHECK_UINT(VSP_MAX_JOINTS, vsp_world_stats(world).joint_count);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id[1]));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id[0]));
    CHECK_HEX(0, vsp_joint_at(world, 0).bits);
    CHECK_HEX(id[2].bits, vsp_joint_at(world, 2).bits);
    CHECK_HEX(0, vsp_joint_at(world, VSP_MAX_JOINTS).bits);
    CHECK_UINT(1, add_joint(VSP_JOINT_BALL).bits & 0xffffu); /* the lowest
                                                              * slot */
    CHECK_UINT(2, add_joint(VSP_JOINT_BALL).bits & 0xffffu);
    CHECK_REFUSED(VSP_ERR_FULL, create_joint(&def));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    for (i = 0; i < VSP_MAX_JOINTS; i++)
        CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, vsp_joint_at(world, i)));
    CHECK_UINT(0, vsp_world_stats(world).joint_count);
    CHECK_UINT(VSP_MAX_JOINTS, vsp_world_stats(world).joint_high);
}

/* A world may be created without joints. */
static void capacities_count(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other;
    vsp_joint_def joint;

    set_up_with(1, 0);
    CHECK_UINT(1, vsp_world_capacity(world).joints);
    joint = def_of(VSP_JOINT_BALL);
    CHECK_STATUS(VSP_OK, create_joint(&joint));
    CHECK_REFUSED(VSP_ERR_FULL, create_joint(&joint));
    set_up_with(0, 0);
    joint = def_of(VSP_JOINT_BALL);
    CHECK_REFUSED(VSP_ERR_FULL, create_joint(&joint));
    def.capacity.joints = VSP_MAX_JOINTS + 1;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_create(arena(1), VSP_WORLD_BYTES, &def, &other));
}

static void joints_go_with_their_bodies(void)
{
    vsp_joint_def def;
    vsp_joint_id first, second;

    set_up();
    first = add_joint(VSP_JOINT_BALL);
    def = def_of(VSP_JOINT_HINGE);
    def.body_a = post;
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &second));
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, box, false));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, ball));
    check_id_refused(first.bits);
    test_note("");
    CHECK(vsp_body_is_awake(world, box));
    CHECK_HEX(second.bits, vsp_joint_at(world, 1).bits);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, post));
    CHECK_UINT(0, vsp_world_stats(world).joint_count);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}


/* ---- Setting and reading ------------------------------------------------- */

static vsp_joint_def read_back(vsp_joint_id id)
{
    vsp_joint_def def;

    memset(&def, 0, sizeof def); /* clears the padding between its numbers
                                  * too */
    CHECK_STATUS(VSP_OK, vsp_joint_get(world, id, &def));
    return def;
}

static void what_is_read_makes_the_same_joint(void)
{
    uint32_t type;

    for (type = VSP_JOINT_BALL; type <= VSP_JOINT_DISTANCE; type++) {
        vsp_joint_def def, again;
        vsp_joint_id one, two;

        set_up();
        test_note("type %u", type);
        def = full_def((vsp_joint_type)type);
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &one));
        again = read_back(one);
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &again, &two));
        def = read_back(two);
        CHECK_BYTES(&again, &def, sizeof def);
        CHECK_UINT(type, def.type);
        CHECK_HEX(ball.bits, def.body_a.bits);
        CHECK_HEX(box.bits, def.body_b.bits);
        CHECK_NEAR(-0.7, num(def.frame_a.position.y), 1e-6);
        CHECK_NEAR(2.3, num(def.frame_b.position.z), 1e-6);
        CHECK_NEAR(1.3, num(def.high), 1e-6);
        CHECK_NEAR(77.7, num(def.break_impulse), 1e-5);
        CHECK_NEAR(-1.7, num(def.motor_speed), 1e-5);
        CHECK_NEAR(123.4, num(def.motor_max), 1e-5);
        CHECK(def.collide && def.user == 0xabcdef01u);
        CHECK(def.enable_limit == (type != VSP_JOINT_FIXED));
    }
    test_note("");
}

static void what_is_set_is_read_back(void)
{
    vsp_joint_id id;
    vsp_joint_def def;

    set_up();
    id = add_joint(VSP_JOINT_HINGE);
    CHECK_STATUS(
        VSP_OK, vsp_joint_set_limit(world, id, true, VSP_R(-0.5), VSP_R(0.25)));
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_motor(world, id, true, VSP_R(-3.0), VSP_R(8.0)));
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_strength(world, id, VSP_R(16.0), VSP_R(4.0)));
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_spring(world, id, VSP_R(8.0), VSP_R(0.5)));
    CHECK_STATUS(VSP_OK, vsp_joint_set_user(world, id, 99));
    def = read_back(id);
    CHECK_NEAR(8.0, num(def.limit_hertz), 0.0);
    CHECK_NEAR(0.5, num(def.limit_damping), 0.0);
    CHECK(def.enable_limit && def.enable_motor && def.user == 99);
    CHECK_NEAR(-0.5, num(def.low), 0.0);
    CHECK_NEAR(0.25, num(def.high), 0.0);
    CHECK_NEAR(-3.0, num(def.motor_speed), 0.0);
    CHECK_NEAR(8.0, num(def.motor_max), 0.0);
    CHECK_NEAR(16.0, num(def.break_impulse), 0.0);
    CHECK_NEAR(4.0, num(def.break_turn), 0.0);
    CHECK_STATUS(VSP_OK, vsp_joint_set_limit(world, id, false, 0, 0));
    CHECK(!read_back(id).enable_limit);
    id = add_joint(VSP_JOINT_BALL);
    CHECK_STATUS(VSP_OK, vsp_joint_set_cone(world, id, VSP_R(0.5)));
    CHECK_NEAR(0.5, num(read_back(id).cone), 0.0);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id));
    id = add_joint(VSP_JOINT_DISTANCE); /* always has its limits */
    CHECK_STATUS(VSP_OK, vsp_joint_set_limit(world, id, false, 0, VSP_R(2.0)));
    CHECK(read_back(id).enable_limit);
}

static void setters_check_numbers(void)
{
    vsp_real bad, most = next_above(VSP_MAX_FORCE);
    vsp_joint_id hinge, fixed, joint;
    uint32_t i;

    set_up();
    hinge = add_joint(VSP_JOINT_HINGE);
    fixed = add_joint(VSP_JOINT_FIXED);
    for (i = 0; i < BAD_REALS; i++) {
        bad = bad_real(i);
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_joint_set_limit(world, hinge, false, bad, PI));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_joint_set_limit(world, hinge, true, 0, bad));
        CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_cone(world, hinge, bad));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_joint_set_motor(world, hinge, true, bad, 0));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_joint_set_motor(world, hinge, false, 0, bad));
        CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_spring(world, hinge, bad, 0));
        CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_spring(world, hinge, 0, bad));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_joint_set_strength(world, hinge, bad, 0));
        CHECK_REFUSED(VSP_ERR_ARG,
                      vsp_joint_set_strength(world, hinge, 0, bad));
    }
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_limit(world, hinge, true,
                                                   VSP_R(1.0), VSP_R(0.5)));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_motor(world, hinge, true, 0, most));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_motor(world, hinge, true, 0, VSP_R(-1.0)));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_strength(world, hinge, VSP_R(-1.0), 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_cone(world, hinge, VSP_R(1.0)));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_limit(world, fixed, true, 0, 0));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_joint_set_motor(world, fixed, true, 0, 0));
    joint = add_joint(VSP_JOINT_BALL);
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_spring(world, joint, VSP_R(1.0), 0));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_spring(world, fixed, VSP_R(1.0), 0));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_joint_set_spring(world, hinge, VSP_R(-1.0), 0));
}

/* Makes a call that wakes bodies.  A second call passes the same numbers. */
static vsp_status change_joint(vsp_joint_id id, uint32_t what)
{
    switch (what) {
    case 0:
        return vsp_joint_set_limit(world, id, true, VSP_R(-1.0), VSP_R(1.0));
    case 1:
        return vsp_joint_set_motor(world, id, true, VSP_R(1.0), VSP_R(1.0));
    case 2:
        return vsp_joint_set_spring(world, id, VSP_R(1.0), VSP_R(1.0));
    default:
        return vsp_joint_set_strength(world, id, VSP_R(1.0), VSP_R(1.0));
    }
}

static void put_to_sleep(void)
{
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, ball, false));
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, box, false));
}

static void check_awake(bool expected)
{
    CHECK(vsp_body_is_awake(world, ball) == expected);
    CHECK(vsp_body_is_awake(world, box) == expected);
}

static void calls_wake_both_bodies(void)
{
    vsp_joint_id id;
    uint32_t what;

    set_up();
    put_to_sleep();
    id = add_joint(VSP_JOINT_HINGE);
    check_awake(true);
    for (what = 0; what < 4; what++) {
        test_note("change %u", what);
        put_to_sleep();
        CHECK_STATUS(VSP_OK, change_joint(id, what));
        check_awake(true);
        put_to_sleep();
        CHECK_STATUS(VSP_OK, change_joint(id, what));
        check_awake(false);
    }
    CHECK_STATUS(VSP_OK, vsp_joint_set_user(world, id, 7));
    check_awake(false);
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id));
    check_awake(true);
    test_note("");
}

/* A call that moves a body must not change its joints. */
static void joints_stay_when_bodies_are_put_elsewhere(void)
{
    vsp_transform pose = vsp_body_def_default().pose;
    vsp_joint_id id;

    set_up();
    id = add_joint(VSP_JOINT_BALL);
    pose.position = real3(-20, 5, 3);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, ball, pose));
    CHECK_HEX(id.bits, vsp_joint_at(world, 0).bits);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}


/* ---- Placing ------------------------------------------------------------- */

/* rotates a vector from a rotation's frame to the world's axes */
static void turn_double(vsp_quat q, const double v[3], double out[3])
{
    double x = num(q.x), y = num(q.y), z = num(q.z), w = num(q.w);
    double tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]);
    double tz = 2 * (x * v[1] - y * v[0]);

    out[0] = v[0] + w * tx + y * tz - z * ty;
    out[1] = v[1] + w * ty + z * tx - x * tz;
    out[2] = v[2] + w * tz + x * ty - y * tx;
}

/* Computes the anchor and an axis of a body's frame in the world. */
static void frame_in_world(vsp_body_id body, const vsp_transform *frame,
                           uint32_t axis, double anchor[3], double way[3])
{
    vsp_transform pose = vsp_body_transform(world, body);
    double local[3], unit[3] = {0, 0, 0};

    unit[axis] = 1;
    turn_double(frame->rotation, unit, local);
    turn_double(pose.rotation, local, way);
    local[0] = num(frame->position.x);
    local[1] = num(frame->position.y);
    local[2] = num(frame->position.z);
    turn_double(pose.rotation, local, anchor);
    anchor[0] += num(pose.position.x);
    anchor[1] += num(pose.position.y);
    anchor[2] += num(pose.position.z);
}

static void check_placed(double x, double y, double z)
{
    vsp_joint_def def = def_of(VSP_JOINT_HINGE);
    double length = sqrt(x * x + y * y + z * z), a[2][3], v[2][2][3];
    uint32_t i;

    test_note("axis %g %g %g", x, y, z);
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, real3(5, 1.5, -2),
                                         real3(x, y, z)));
    CHECK_STATUS(VSP_OK, create_joint(&def));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, vsp_joint_at(world, 0)));
    for (i = 0; i < 2; i++) {
        frame_in_world(ball, &def.frame_a, i, a[0], v[i][0]);
        frame_in_world(box, &def.frame_b, i, a[1], v[i][1]);
    }
    CHECK_NEAR(x / length, v[0][0][0], 1e-6);
    CHECK_NEAR(y / length, v[0][0][1], 1e-6);
    CHECK_NEAR(z / length, v[0][0][2], 1e-6);
    for (i = 0; i < 3; i++) {
        CHECK_NEAR(v[0][0][i], v[0][1][i], 1e-6); /* the frame of b is equal */
        CHECK_NEAR(v[1][0][i], v[1][1][i], 1e-6); /* y axes too, so the angle is
                                                   * 0 */
        CHECK_NEAR(i == 0 ? 5 : i == 1 ? 1.5 : -2, a[0][i], 4e-6);
        CHECK_NEAR(a[0][i], a[1][i], 4e-6);
    }
}

static void frames_are_placed(void)
{
    vsp_transform pose = vsp_body_def_default().pose;
    int i, k, l;

    set_up();
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_mass(world, ball, VSP_R(2.0),
                                   real3(0.1, 0.2, 0.3), real3(1, 1, 1)));
    pose.position = real3(3, 2, 1);
    pose.rotation = turn(70, 0.6, 0, 0.8);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, ball, pose));
    for (i = -1; i <= 1; i++)
        for (k = -1; k <= 1; k++)
            for (l = -1; l <= 1; l++)
                if (i != 0 || k != 0 || l != 0)
                    check_placed(i, 3 * k, l);
    check_placed(-1, 1e-4, 0);
    check_placed(-10, 0, -1e-4);
    check_placed(0, 0.25, 0);
    check_placed(0, -300, 0);
    check_placed(1e-4, 1, 0);
    check_placed(-1e-4, 1, 1);
    test_note("");
}

static void placing_is_checked(void)
{
    vsp_joint_def def;
    uint32_t i;

    set_up();
    def = def_of(VSP_JOINT_BALL);
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_joint_place(world, NULL, real3(0, 0, 0), real3(1, 0, 0)));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(0, 0, 0)));
    for (i = 0; i < BAD_REALS; i++) {
        vsp_vec3 bad = real3(0, 0, 0);

        bad.y = bad_real(i);
        CHECK_STATUS(VSP_ERR_ARG,
                     vsp_joint_place(world, &def, bad, real3(1, 0, 0)));
        CHECK_STATUS(VSP_ERR_ARG,
                     vsp_joint_place(world, &def, real3(0, 0, 0), bad));
    }
    def.body_a.bits = 0;
    CHECK_STATUS(VSP_ERR_ID,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(1, 0, 0)));
    def = def_of(VSP_JOINT_BALL);
    def.body_b.bits = 0;
    CHECK_STATUS(VSP_ERR_ID,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(1, 0, 0)));
    def.cookie = 0;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_joint_place(world, &def, real3(0, 0, 0), real3(1, 0, 0)));
}


/* ---- Reading joint coordinates ------------------------------------------- */

/* Adds a joint between the ball and the box at their present poses, with this x
 * axis. */
static vsp_joint_id add_placed(vsp_joint_type type, vsp_vec3 anchor,
                               vsp_vec3 axis)
{
    vsp_joint_def def = def_of(type);
    vsp_joint_id id = {0};

    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def, anchor, axis));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &id));
    return id;
}

static vsp_joint_state read_state(vsp_joint_id id)
{
    vsp_joint_state state = {0};

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, id, &state));
    return state;
}

static void put_box(double x, double y, double z, vsp_quat rotation)
{
    vsp_transform pose;

    pose.position = real3(x, y, z);
    pose.rotation = rotation;
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, box, pose));
}

/* The box rotates about an axis along z through its centre. */
static void angles_of_hinges_are_read(void)
{
    vsp_joint_id id;
    vsp_joint_state state;
    int degrees;

    set_up();
    id = add_placed(VSP_JOINT_HINGE, real3(8, 2, 1), real3(0, 0, 1));
    state = read_state(id);
    CHECK_NEAR(0.0, num(state.place), 1e-6);
    CHECK_NEAR(0.0, num(state.error), 2e-6);
    CHECK_NEAR(0.0, num(state.angle_error), 1e-6);
    for (degrees = -170; degrees <= 170; degrees += 10) {
        put_box(8, 2, 1, turn(degrees, 0, 0, 1));
        test_note("%d degrees", degrees);
        state = read_state(id);
        CHECK_NEAR(degrees * 3.14159265 / 180, num(state.place), 2e-6);
    }
    test_note("");
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, box, real3(1, 2, 3),
                                               real3(4, 5, 6)));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, ball, real3(0, 0, 0),
                                               real3(0, 0, 2)));
    CHECK_NEAR(4.0, num(read_state(id).speed), 1e-5);
    put_box(8, 2, 1.25, turn(3, 1, 0, 0));
    state = read_state(id);
    CHECK_NEAR(0.25, num(state.error), 4e-6);
    CHECK_NEAR(3 * 3.14159265 / 180, num(state.angle_error), 1e-4);
}

static void places_on_slides_are_read(void)
{
    vsp_joint_id id;
    vsp_joint_state state;

    set_up();
    id = add_placed(VSP_JOINT_SLIDER, real3(8, 2, 1), real3(0, 1, 0));
    put_box(8, 2.75, 1.5, turn(0, 0, 0, 1));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, box, real3(1, -2, 3),
                                               real3(0, 0, 0)));
    state = read_state(id);
    CHECK_NEAR(0.75, num(state.place), 4e-6);
    CHECK_NEAR(0.5, num(state.error), 4e-6);
    CHECK_NEAR(-2.0, num(state.speed), 1e-5);
    CHECK_NEAR(0.0, num(state.angle_error), 1e-6);
    CHECK_NEAR(0.0, num(state.swing), 0.0);
}

static void distances_are_read(void)
{
    vsp_joint_id id;
    vsp_joint_state state;

    set_up(); /* the ball is at 4 1 0, the box at 8 2 1 */
    id = add_joint(VSP_JOINT_DISTANCE);
    CHECK_STATUS(VSP_OK,
                 vsp_joint_set_limit(world, id, true, VSP_R(1.0), VSP_R(4.0)));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, box, real3(1, 1, 1),
                                               real3(0, 0, 0)));
    state = read_state(id);
    CHECK_NEAR(sqrt(18.0), num(state.place), 4e-6);
    CHECK_NEAR(sqrt(18.0) - 4, num(state.error), 4e-6);
    CHECK_NEAR(6 / sqrt(18.0), num(state.speed), 1e-5);
    put_box(4, 1, 0.5, turn(0, 0, 0, 1));
    CHECK_NEAR(0.5, num(read_state(id).error), 4e-6);
    put_box(4, 3, 0, turn(0, 0, 0, 1));
    CHECK_NEAR(0.0, num(read_state(id).error), 0.0);
}

/* x swings by 40 degrees about y, after a twist of 30 degrees about x. */
static void twist_and_swing_are_read(void)
{
    vsp_quat twist = turn(30, 1, 0, 0), swing = turn(40, 0, 1, 0), both;
    vsp_joint_state state;
    double s = num(twist.x), c = num(twist.w);
    double t = num(swing.y), d = num(swing.w);
    vsp_joint_id id;

    set_up();
    id = add_placed(VSP_JOINT_BALL, real3(8, 2, 1), real3(1, 0, 0));
    both.x = real(s * d);
    both.y = real(c * t);
    both.z = real(-s * t);
    both.w = real(c * d);
    put_box(8, 2, 1, both);
    state = read_state(id);
    CHECK_NEAR(30 * 3.14159265 / 180, num(state.place), 2e-6);
    CHECK_NEAR(40 * 3.14159265 / 180, num(state.swing), 2e-6);
    CHECK_NEAR(0.0, num(state.angle_error), 0.0);
    CHECK_NEAR(0.0, num(state.error), 4e-6);
}


/* ---- State --------------------------------------------------------------- */

static vsp__joint *joint_in(uint32_t slot)
{
    return &vsp__joint_pool_of(world)->joints[slot];
}

/* Sets a multiplier, as a float, to an invented value. */
static void set_impulse(vsp__joint *j, uint32_t row, double impulse)
{
    j->impulse[row] = w_read(real(impulse));
}

/* Slot 0 is free, slot 1 has everything a slider can have, slot 2 is broken. */
static void set_up_state(void)
{
    vsp_joint_def def;
    uint32_t k;

    set_up();
    add_joint(VSP_JOINT_BALL);
    def = full_def(VSP_JOINT_SLIDER);
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
    for (k = 0; k < VSP__JOINT_ROWS; k++)
        set_impulse(joint_in(1), k, 0.5 * k - 1.25);
    joint_in(1)->flags |= VSP__JOINT_BEARS;
    add_joint(VSP_JOINT_FIXED);
    joint_in(2)->flags |= VSP__JOINT_BROKEN;
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, vsp_joint_at(world, 0)));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void snapshots_hold_joints(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other = new_world_at(&def, 1, 0);
    vsp_difference found[4];
    size_t size;
    uint32_t count;

    set_up_state();
    size = save_world(world, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
    CHECK_HEX(vsp_world_hash(world), vsp_world_hash(other));
    CHECK_BYTES(joint_in(0), vsp__joint_pool_of(other)->joints,
                VSP_MAX_JOINTS * sizeof(vsp__joint));
    CHECK_UINT(2, vsp_world_stats(other).joint_count);
    CHECK_STATUS(VSP_OK, vsp_world_validate(other, NULL));
    CHECK_UINT((uint32_t)size, (uint32_t)save_world(other, 1));
    CHECK_BYTES(saved(0), saved(1), size);
    /* both worlds continue equally */
    CHECK_HEX(add_joint(VSP_JOINT_BALL).bits, 0x20001u);
    vsp__destroy_joints_of(other, 2);
    CHECK_UINT(0, vsp_world_stats(other).joint_count);
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(world, other, found, 4, &count));
    CHECK(strcmp(found[0].part, "joint") == 0);
    CHECK(strcmp(found[0].field, "generation") == 0);
    CHECK_UINT(2, found[0].a);
    CHECK_UINT(1, found[0].b);
    CHECK(strcmp(found[1].field, "type") == 0);
}

/* Limits for the size of the largest record, and of the usual one. */
static void snapshots_of_joints_are_small(void)
{
    size_t none, one, two;

    set_up();
    none = save_world(world, 0);
    add_joint(VSP_JOINT_BALL);
    one = save_world(world, 0);
    CHECK_UINT(8, (uint32_t)(one - none)); /* defaults everywhere */
    add_joint(VSP_JOINT_HINGE);
    two = save_world(world, 0);
    CHECK_UINT(8, (uint32_t)(two - one));
    set_up_state();
    CHECK_AT_MOST((double)VSP_SNAPSHOT_BYTES, (double)save_world(world, 0));
}

#define HASH_PARTS 9

static vsp_status change_part(vsp_joint_id id, uint32_t part)
{
    switch (part) {
    case 0:
        return vsp_joint_set_limit(world, id, true, 0, 0);
    case 1:
        return vsp_joint_set_limit(world, id, false, 0, VSP_R(1.0));
    case 2:
        return vsp_joint_set_motor(world, id, false, VSP_R(1.0), 0);
    case 3:
        return vsp_joint_set_motor(world, id, false, 0, VSP_R(1.0));
    case 4:
        return vsp_joint_set_strength(world, id, VSP_R(1.0), 0);
    case 5:
        return vsp_joint_set_strength(world, id, 0, VSP_R(1.0));
    case 6:
        return vsp_joint_set_spring(world, id, VSP_R(1.0), 0);
    case 7:
        return vsp_joint_set_spring(world, id, 0, VSP_R(1.0));
    default:
        return vsp_joint_set_user(world, id, 1);
    }
}

static void hashes_see_every_part(void)
{
    uint32_t hash, part;
    vsp_joint_id id;
    size_t size;

    set_up();
    id = add_joint(VSP_JOINT_HINGE);
    hash = vsp_world_hash(world);
    size = save_world(world, 0);
    for (part = 0; part < HASH_PARTS; part++) {
        test_note("part %u", part);
        CHECK_STATUS(VSP_OK, change_part(id, part));
        CHECK(vsp_world_hash(world) != hash);
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        CHECK_HEX(hash, vsp_world_hash(world));
    }
    test_note("");
}


/* ---- Load and breaking --------------------------------------------------- */

/* Adds a joint of this type with this multiplier in a row, as after a step. */
static vsp__joint *set_up_bearing(vsp_joint_type type, uint32_t row,
                                  double impulse)
{
    vsp_joint_def def;

    set_up_with(VSP_MAX_JOINTS, VSP_REPORT_JOINT);
    def = full_def(type);
    def.break_impulse = def.break_turn = 0;
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
    set_impulse(joint_in(0), row, impulse);
    return joint_in(0);
}

/* Ends a step in which no sleeping body took part. */
static void end_joints(uint32_t event)
{
    const vsp_event *events;
    uint32_t count;

    vsp__clear_events(world);
    vsp__step_joints_of(vsp__joint_pool_of(world))[0].layer =
        vsp_body_is_awake(world, ball) ? 0 : VSP__NO_LAYER;
    vsp__finish_joints(world);
    events = vsp_world_events(world, &count);
    CHECK_UINT(event != VSP_EVENT_NONE, count);
    if (count == 0)
        return;
    CHECK_UINT(event, events[0].type);
    CHECK_HEX(ball.bits, events[0].body_a.bits);
    CHECK_HEX(box.bits, events[0].body_b.bits);
    CHECK_HEX(vsp_joint_at(world, 0).bits, events[0].joint.bits);
    CHECK_HEX(0, events[0].shape_a.bits);
    CHECK_UINT(VSP_NO_CONTACT, events[0].contact);
}

static bool is_at_limit(void)
{
    vsp_joint_state state;

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, vsp_joint_at(world, 0), &state));
    return state.at_limit;
}

/* A limit is reported when it begins to act, and again when it begins again. */
static void limits_are_reported_once(void)
{
    vsp__joint *j = set_up_bearing(VSP_JOINT_HINGE, VSP__ROW_TURN_X, -0.25);

    end_joints(VSP_EVENT_LIMIT);
    CHECK(is_at_limit());
    end_joints(VSP_EVENT_NONE);
    set_impulse(j, VSP__ROW_TURN_X, 0);
    end_joints(VSP_EVENT_NONE);
    CHECK(!is_at_limit());
    set_impulse(j, VSP__ROW_TURN_X, 1e-6);
    end_joints(VSP_EVENT_LIMIT);
    world->params.reports = VSP_REPORT_SLEEP;
    set_impulse(j, VSP__ROW_TURN_X, 0);
    end_joints(VSP_EVENT_NONE);
    set_impulse(j, VSP__ROW_TURN_X, 1);
    end_joints(VSP_EVENT_NONE); /* reports are off */
    CHECK(is_at_limit());
}

/* Only multipliers of limited rows may report a limit. */
static void limits_have_rows(void)
{
    static const uint32_t rows[] = {
        0, /* by type */
        1u << VSP__ROW_TURN_X | 1u << VSP__ROW_TURN_Y,
        1u << VSP__ROW_TURN_X,
        1u << VSP__ROW_X,
        0,
        1u << VSP__ROW_X,
    };
    uint32_t type, row;

    for (type = VSP_JOINT_BALL; type <= VSP_JOINT_DISTANCE; type++)
        for (row = 0; row < VSP__JOINT_ROWS; row++) {
            test_note("type %u, row %u", type, row);
            set_up_bearing((vsp_joint_type)type, row, 1);
            end_joints(rows[type] >> row & 1u ? VSP_EVENT_LIMIT
                                              : VSP_EVENT_NONE);
        }
    test_note("rod");
    set_up_bearing(VSP_JOINT_DISTANCE, VSP__ROW_X, 1)->low = joint_in(0)->high;
    end_joints(VSP_EVENT_NONE);
    test_note("");
}

static void check_broken(const vsp__joint *j, bool expected)
{
    vsp_joint_state state;
    uint32_t k;

    CHECK_STATUS(VSP_OK, vsp_joint_read(world, vsp_joint_at(world, 0), &state));
    CHECK(state.is_broken == expected);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    if (!expected)
        return;
    CHECK(!state.at_limit);
    for (k = 0; k < VSP__JOINT_ROWS; k++)
        CHECK(w_is_zero(j->impulse[k]));
}

/* 3 and 4 in two rows are 5 together, and one row alone may be too much. */
static void joints_break(void)
{
    uint32_t turns;

    for (turns = 0; turns < 2; turns++) {
        uint32_t first = turns ? VSP__ROW_TURN_X : VSP__ROW_X;
        vsp__joint *j = set_up_bearing(VSP_JOINT_FIXED, first, -3);
        vsp__wide *most = turns ? &j->break_turn : &j->break_impulse;

        test_note("turns %u", turns);
        set_impulse(j, first + 2, 4);
        end_joints(VSP_EVENT_NONE); /* can never break */
        *most = w_read(VSP_R(5.001));
        end_joints(VSP_EVENT_NONE);
        check_broken(j, false);
        *most = w_read(VSP_R(4.999));
        end_joints(VSP_EVENT_BREAK);
        check_broken(j, true);
        end_joints(VSP_EVENT_NONE); /* once */
        j = set_up_bearing(VSP_JOINT_FIXED, first + 1, -3);
        *(turns ? &j->break_turn : &j->break_impulse) = w_read(VSP_R(2.5));
        end_joints(VSP_EVENT_BREAK);
        check_broken(j, true);
    }
    test_note("");
}

/* The motor of a slider pushes, that of a hinge turns. */
static void motors_count_as_load(void)
{
    vsp__joint *j = set_up_bearing(VSP_JOINT_HINGE, VSP__ROW_MOTOR, 3);

    j->break_impulse = w_read(VSP_R(2.0));
    end_joints(VSP_EVENT_NONE);
    j->break_turn = w_read(VSP_R(2.0));
    end_joints(VSP_EVENT_BREAK);
    check_broken(j, true);
    j = set_up_bearing(VSP_JOINT_SLIDER, VSP__ROW_MOTOR, 3);
    j->break_turn = w_read(VSP_R(2.0));
    end_joints(VSP_EVENT_NONE);
    set_impulse(j, VSP__ROW_X, -2); /* reduces it */
    j->break_impulse = w_read(VSP_R(2.0));
    end_joints(VSP_EVENT_LIMIT);
    set_impulse(j, VSP__ROW_X, 0);
    end_joints(VSP_EVENT_BREAK);
    check_broken(j, true);
}

/* Strengths of every size must be compared equally. */
static void strengths_have_all_sizes(void)
{
    static const double sizes[] = {1e-8, 1e-5, 1.0, 1e5, 2e8};
    uint32_t i;

    for (i = 0; i < COUNT_OF(sizes); i++) {
        vsp__joint *j = set_up_bearing(VSP_JOINT_BALL, VSP__ROW_X,
                                       3 * sizes[i]);

        test_note("size %g", sizes[i]);
        set_impulse(j, VSP__ROW_Y, 4 * sizes[i]);
        j->break_impulse = w_read(real(5.5 * sizes[i]));
        end_joints(VSP_EVENT_NONE);
        j->break_impulse = w_read(real(4.5 * sizes[i]));
        end_joints(VSP_EVENT_BREAK);
    }
    test_note("");
}

/* The joints of sleeping bodies must keep their state. */
static void joints_of_sleepers_rest(void)
{
    vsp__joint *j = set_up_bearing(VSP_JOINT_HINGE, VSP__ROW_TURN_X, 1);

    j->break_turn = w_read(VSP_R(0.5));
    put_to_sleep();
    end_joints(VSP_EVENT_NONE);
    check_awake(false);
    CHECK(!is_at_limit());
    vsp__wake_body(world, 1);
    end_joints(VSP_EVENT_BREAK);
    check_awake(true); /* both */
}

/* Along the axes of frame A, on body B. */
static void impulses_are_read_in_the_world(void)
{
    vsp__joint *j = set_up_bearing(VSP_JOINT_SLIDER, VSP__ROW_X, 1);
    vsp_transform pose = vsp_body_def_default().pose;
    vsp_joint_state state;

    j->frame[0].rotation = q_identity();
    pose.rotation = turn(90, 0, 0, 1); /* x becomes y, y becomes -x */
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, ball, pose));
    set_impulse(j, VSP__ROW_Y, 3);
    set_impulse(j, VSP__ROW_Z, -4);
    set_impulse(j, VSP__ROW_TURN_X, 5);
    set_impulse(j, VSP__ROW_TURN_Z, 6);
    set_impulse(j, VSP__ROW_MOTOR, 7);
    CHECK_STATUS(VSP_OK, vsp_joint_read(world, vsp_joint_at(world, 0), &state));
    CHECK_NEAR(-3.0, num(state.impulse.x), 1e-5);
    CHECK_NEAR(8.0, num(state.impulse.y), 1e-5);
    CHECK_NEAR(-4.0, num(state.impulse.z), 1e-5);
    CHECK_NEAR(0.0, num(state.turn.x), 1e-5);
    CHECK_NEAR(5.0, num(state.turn.y), 1e-5);
    CHECK_NEAR(6.0, num(state.turn.z), 1e-5);
    CHECK_NEAR(7.0, num(state.motor), 1e-5);
}


static const test tests[] = {
    TEST(defaults_are_as_documented),
    TEST(numbers_are_checked),
    TEST(limits_are_checked),
    TEST(rotations_are_checked),
    TEST(defs_are_checked),
    TEST(types_have_what_they_have),
    TEST(bodies_are_checked),
    TEST(null_worlds_are_refused),
    TEST(ids_are_checked),
    TEST(pools_fill_up),
    TEST(capacities_count),
    TEST(joints_go_with_their_bodies),
    TEST(what_is_read_makes_the_same_joint),
    TEST(what_is_set_is_read_back),
    TEST(setters_check_numbers),
    TEST(calls_wake_both_bodies),
    TEST(joints_stay_when_bodies_are_put_elsewhere),
    TEST(frames_are_placed),
    TEST(placing_is_checked),
    TEST(angles_of_hinges_are_read),
    TEST(places_on_slides_are_read),
    TEST(distances_are_read),
    TEST(twist_and_swing_are_read),
    TEST(snapshots_hold_joints),
    TEST(snapshots_of_joints_are_small),
    TEST(hashes_see_every_part),
    TEST(limits_are_reported_once),
    TEST(limits_have_rows),
    TEST(joints_break),
    TEST(motors_count_as_load),
    TEST(strengths_have_all_sizes),
    TEST(joints_of_sleepers_rest),
    TEST(impulses_are_read_in_the_world),
    TEST_END,
};

const test_suite joint_api_suite = {"joint_api", tests};
