/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The events of a step: contacts begin, continue and end; shapes enter and
 * leave sensors. */

#include "fixture.h"
#include "port/scenes/table_sets.h"

#include <string.h>

static vsp_world *world;

/* a floor, and a wall at x = 1 that faces -x */
static const vsp_mesh corner = CORNER_MESH;

static void set_up(uint32_t reports)
{
    vsp_world_def def = vsp_world_def_default();

    def.reports = reports;
    def.enable_sleep = false;
    world = new_world_of(&def);
}

/* Returns the number of events of a type in the last step, and the last one. */
static uint32_t count_events(vsp_event_type type, vsp_event *last)
{
    uint32_t count, i, found = 0;
    const vsp_event *events = vsp_world_events(world, &count);

    for (i = 0; i < count; i++)
        if (events[i].type == (uint32_t)type) {
            found++;
            if (last)
                *last = events[i];
        }
    return found;
}

static vsp_shape_id shape_of(vsp_body_id body)
{
    uint32_t i;

    for (i = 0; i < VSP_MAX_SHAPES; i++)
        if (vsp_shape_body(world, vsp_shape_at(world, i)).bits == body.bits)
            return vsp_shape_at(world, i);
    return vsp_shape_at(world, VSP_MAX_SHAPES);
}


/* ---- Cost ---------------------------------------------------------------- */

/* Makes a heap of round bodies fall and roll, with these reports. */
static void roll_heap(uint32_t reports, vsp_transform poses[])
{
    uint32_t i;

    set_up(reports);
    add_ground(world);
    for (i = 0; i < 12; i++)
        (void)add_body(world, VSP_DYNAMIC,
                       i % 2 == 0 ? vsp_sphere(VSP_R(0.3))
                                  : vsp_capsule(VSP_R(0.2), VSP_R(0.4)),
                       0.3 * (i % 3), 0.5 + 0.6 * i, 0.2 * (i % 4));
    step_world(world, 150);
    for (i = 0; i < 12; i++)
        poses[i] = vsp_body_transform(world, vsp_body_at(world, 1 + i));
}

static void reports_change_no_pose(void)
{
    vsp_transform without[12], with[12];
    uint32_t i;

    roll_heap(0, without);
    roll_heap(VSP_REPORT_BEGIN | VSP_REPORT_PERSIST | VSP_REPORT_END, with);
    for (i = 0; i < 12; i++) {
        CHECK_NEAR(num(without[i].position.x), num(with[i].position.x), 0);
        CHECK_NEAR(num(without[i].position.y), num(with[i].position.y), 0);
        CHECK_NEAR(num(without[i].position.z), num(with[i].position.z), 0);
        CHECK_NEAR(num(without[i].rotation.w), num(with[i].rotation.w), 0);
    }
}


/* ---- Contacts ------------------------------------------------------------ */

/* A ball falls, bounces, and falls again: each landing is one begin and one
 * end, with the impulse of the landing. */
static void a_bounce_begins_and_ends(void)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(0.5));
    vsp_body_id ground, ball;
    uint32_t i, begins = 0, ends = 0;

    set_up(VSP_REPORT_BEGIN | VSP_REPORT_END);
    ground = add_ground(world);
    shape.material.restitution = VSP_R(0.8);
    ball = add_body(world, VSP_DYNAMIC, shape, 0, 2, 0);
    for (i = 0; i < 90; i++) {
        double before = num(vsp_body_velocity(world, ball).y), after;
        vsp_contact contact;
        vsp_event event;

        step_world(world, 1);
        after = num(vsp_body_velocity(world, ball).y);
        CHECK_UINT(0, count_events(VSP_EVENT_PERSIST, NULL));
        if (count_events(VSP_EVENT_BEGIN, &event) > 0) {
            begins++;
            CHECK_UINT(ground.bits, event.body_a.bits);
            CHECK_UINT(ball.bits, event.body_b.bits);
            CHECK_UINT(shape_of(ball).bits, event.shape_b.bits);
            CHECK_STATUS(VSP_OK,
                         vsp_contact_get(world, event.contact, &contact));
            CHECK_NEAR(num(vsp_body_mass(world, ball)) * (after - before),
                       num(contact.points[0].normal_impulse),
                       0.2 * num(vsp_body_mass(world, ball)));
            CHECK(after > 0);
            CHECK_NEAR(1.0, num(contact.normal.y), 1e-6);
            CHECK(contact.points[0].feature < 256);
        }
        ends += count_events(VSP_EVENT_END, NULL);
        CHECK(begins - ends <= 1);
    }
    CHECK_AT_LEAST(2, begins);
    CHECK_AT_LEAST(2, ends);
}

static void what_rests_persists(void)
{
    uint32_t i;

    set_up(VSP_REPORT_BEGIN | VSP_REPORT_PERSIST | VSP_REPORT_END);
    add_ground(world);
    add_cube(world, 0, 0.5, 0);
    add_cube(world, 0, 1.5, 0);
    for (i = 0; i < 30; i++) {
        test_note("step %u", i);
        step_world(world, 1);
        CHECK_UINT(i == 0 ? 2 : 0, count_events(VSP_EVENT_BEGIN, NULL));
        CHECK_UINT(i == 0 ? 0 : 2, count_events(VSP_EVENT_PERSIST, NULL));
        CHECK_UINT(0, count_events(VSP_EVENT_END, NULL));
    }
}

/* Counts the events of the last step that do not follow from those before:
 * touching[a][b] is whether slots a and b touch, as they tell. */
static uint32_t count_unpaired(bool touching[16][16])
{
    uint32_t count, i, bad = 0;
    const vsp_event *events = vsp_world_events(world, &count);

    for (i = 0; i < count; i++) {
        bool *touches = &touching[events[i].shape_a.bits & 15u]
                                 [events[i].shape_b.bits & 15u];

        if (*touches == (events[i].type == VSP_EVENT_BEGIN))
            bad++;
        *touches = events[i].type != VSP_EVENT_END;
    }
    return bad;
}

/* Whatever continues or ends has begun, and nothing begins twice: slabs fall in
 * a heap, where they tip and lean. */
static void check_pairing(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();
    bool touching[16][16];
    uint32_t i, bad = 0;

    memset(touching, 0, sizeof touching);
    def.reports = VSP_REPORT_BEGIN | VSP_REPORT_PERSIST | VSP_REPORT_END;
    def.stepper = stepper;
    world = new_world_of(&def);
    add_ground(world);
    for (i = 0; i < 10; i++)
        (void)add_body(world, VSP_DYNAMIC,
                       vsp_box(real(0.1 + 0.05 * (i * 7 % 10)), VSP_R(0.15),
                               real(0.1 + 0.05 * (i * 3 % 10))),
                       0.1 * (i * 9 % 7) - 0.3, 0.4 + 0.7 * i,
                       0.1 * (i * 5 % 7) - 0.3);
    for (i = 0; i < 200; i++) {
        step_world(world, 1);
        bad += count_unpaired(touching);
    }
    CHECK_UINT(0, bad);
}

static void events_come_in_pairs(void)
{
    each_stepper(check_pairing);
}

/* Two bodies that a call moves far apart have an end event without a
 * contact. */
static void what_is_far_has_parted(void)
{
    vsp_body_id cube;
    vsp_transform pose;
    vsp_event event;

    set_up(VSP_REPORT_END);
    add_ground(world);
    cube = add_cube(world, 0, 0.5, 0);
    step_world(world, 5);
    pose = vsp_body_transform(world, cube);
    pose.position.y = VSP_R(50.0);
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, cube, pose));
    step_world(world, 1);
    CHECK_UINT(1, count_events(VSP_EVENT_END, &event));
    CHECK_UINT(VSP_NO_CONTACT, event.contact);
    CHECK_UINT(cube.bits, event.body_b.bits);
    step_world(world, 1);
    CHECK_UINT(0, count_events(VSP_EVENT_END, NULL));
}

/* Without warm starting, warm records exist for events, but start no solve. */
static void cold_worlds_have_events_too(void)
{
    uint32_t hash[2], k, i, begins = 0;

    for (k = 0; k < 2; k++) {
        vsp_world_def def = vsp_world_def_default();

        def.enable_warm_start = false;
        def.enable_sleep = false;
        def.reports = k == 0 ? 0 : VSP_REPORT_BEGIN;
        world = new_world_of(&def);
        add_ground(world);
        add_cube(world, 0, 0.7, 0);
        add_cube(world, 0.3, 1.9, 0);
        for (i = 0; i < 60; i++) {
            step_world(world, 1);
            begins += count_events(VSP_EVENT_BEGIN, NULL);
        }
        hash[k] =
            (uint32_t)(1e6 *
                       num(vsp_body_center(world, vsp_body_at(world, 2)).x));
    }
    CHECK_UINT(hash[0], hash[1]);
    CHECK(begins >= 2 && begins <= 6);
}

/* A restored world must have the same events as the original. */
static void restored_worlds_have_the_same_events(void)
{
    vsp_world *one, *two;
    vsp_world_def def;
    uint32_t i, counts[2];
    size_t size;

    set_up(31);
    one = world;
    def = vsp_world_def_default();
    def.enable_sleep = false;
    def.reports = 31;
    two = new_world_at(&def, 1, 0);
    add_ground(one);
    for (i = 0; i < 6; i++)
        add_cube(one, 0.2 * i, 0.6 + 1.3 * i, 0.1 * i);
    for (i = 0; i < 80; i++) {
        const vsp_event *a, *b;

        test_note("step %u", i);
        size = save_world(one, 0);
        CHECK_STATUS(VSP_OK, vsp_world_restore(two, saved(0), size));
        step_world(one, 1);
        step_world(two, 1);
        a = vsp_world_events(one, &counts[0]);
        b = vsp_world_events(two, &counts[1]);
        if (!CHECK_UINT(counts[0], counts[1]))
            return;
        CHECK_BYTES(a, b, counts[0] * sizeof *a);
        CHECK_HEX(vsp_world_hash(one), vsp_world_hash(two));
    }
}

/* When a body is destroyed, its contacts have no event, nor has the next body
 * in its slot. */
static void the_destroyed_leave_no_event(void)
{
    vsp_body_id cube;

    set_up(31);
    add_ground(world);
    cube = add_cube(world, 0, 0.5, 0);
    step_world(world, 3);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, cube));
    add_cube(world, 0, 3, 0);
    step_world(world, 1);
    CHECK_UINT(0, count_events(VSP_EVENT_END, NULL));
    CHECK_UINT(0, count_events(VSP_EVENT_PERSIST, NULL));
}

static void nothing_is_reported_unasked(void)
{
    uint32_t count = 7;

    set_up(0);
    add_ground(world);
    add_cube(world, 0, 0.5, 0);
    step_world(world, 3);
    CHECK(vsp_world_events(world, &count) != NULL);
    CHECK_UINT(0, count);
    CHECK(vsp_world_events(NULL, &count) == NULL);
    CHECK_UINT(0, count);
    CHECK(vsp_world_events(world, NULL) != NULL);
}

/* Events that do not fit are counted. */
static void too_many_events_are_counted(void)
{
    uint32_t i, count, cubes = VSP_MAX_EVENTS + 10;

    set_up(VSP_REPORT_BEGIN);
    add_ground(world);
    for (i = 0; i < cubes; i++)
        add_cube(world, 3.0 * (i % 32), 0.5, 3.0 * (i / 32));
    step_world(world, 1);
    vsp_world_events(world, &count);
    CHECK_UINT(VSP_MAX_EVENTS, count);
    CHECK_UINT(10, vsp_world_stats(world).events_dropped);
}


/* ---- Sensors ------------------------------------------------------------- */

/* A ball falls through a sensor: it enters, is inside, leaves, and is not
 * pushed. */
static void sensors_sense(void)
{
    vsp_shape_def gate = vsp_box(VSP_R(2.0), VSP_R(0.5), VSP_R(2.0));
    vsp_body_id frame, ball;
    vsp_shape_id sensor, in[2] = {{0}, {0}};
    vsp_event event;
    uint32_t i, enters = 0, leaves = 0, inside = 0;

    set_up(31);
    gate.is_sensor = true;
    frame = add_body(world, VSP_STATIC, gate, 0, 0, 0);
    sensor = shape_of(frame);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 2, 0);
    for (i = 0; i < 90; i++) {
        step_world(world, 1);
        if (count_events(VSP_EVENT_ENTER, &event) > 0) {
            enters++;
            CHECK_UINT(sensor.bits, event.shape_a.bits);
            CHECK_UINT(shape_of(ball).bits, event.shape_b.bits);
            CHECK_UINT(ball.bits, event.body_b.bits);
            CHECK_UINT(1, vsp_shape_sensed(world, sensor, in, 2));
            CHECK_UINT(shape_of(ball).bits, in[0].bits);
        }
        leaves += count_events(VSP_EVENT_LEAVE, NULL);
        inside += vsp_shape_sensed(world, sensor, NULL, 0);
        CHECK_UINT(0, vsp_contact_count(world));
    }
    CHECK_UINT(1, enters);
    CHECK_UINT(1, leaves);
    CHECK_AT_LEAST(5, inside);
    CHECK_NEAR(-9.81 * 1.5, num(vsp_body_velocity(world, ball).y), 0.02);
}

/* A sensor on a moving body detects kinematic and static bodies, but no other
 * sensor. */
static void sensors_sense_what_moves(void)
{
    vsp_shape_def eye = vsp_sphere(VSP_R(1.0));
    vsp_body_id watcher;
    uint32_t count;

    set_up(31);
    eye.is_sensor = true;
    watcher = add_body(world, VSP_KINEMATIC, eye, 0, 0, 0);
    add_body(world, VSP_KINEMATIC, vsp_sphere(VSP_R(0.5)), 0, 1, 0);
    add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 1, 0, 0);
    add_body(world, VSP_KINEMATIC, eye, 0, 0.5, 0);
    step_world(world, 1);
    count = vsp_shape_sensed(world, shape_of(watcher), NULL, 0);
    CHECK_UINT(2, count); /* the ball, and the static one */
}

/* A half-space that is a sensor does not detect surfaces, as it never collides
 * with them; it detects a dynamic body. */
static void half_spaces_do_not_sense_surfaces(void)
{
    vsp_shape_def roof = vsp_table_shape(VSP_SHAPE_MESH, FEW_MESH);
    vsp_shape_def hills = vsp_table_shape(VSP_SHAPE_HEIGHT_FIELD, FEW_FIELD);
    vsp_shape_def deep = vsp_half_space();
    vsp_shape_id sensor;

    set_up(VSP_REPORT_SENSOR);
    CHECK(add_table_set(world, TABLES_FEW));
    add_body(world, VSP_STATIC, roof, 0, 0, 0);
    add_body(world, VSP_STATIC, hills, 0, 0, 0);
    deep.is_sensor = true;
    sensor = shape_of(add_body(world, VSP_KINEMATIC, deep, 0, 1.0, 0));
    add_body(world, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_SDF, FEW_SDF), 0,
             -1.0, 0);
    step_world(world, 1);
    CHECK_UINT(1, vsp_shape_sensed(world, sensor, NULL, 0));
}

/* A ball hovers over the floor of a corner, within the envelope, and is in its
 * wall: a pair with two touches, of which the second overlaps. */
static void sensors_sense_every_touch(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_shape_id sensor;
    uint32_t table;
    vsp_flaw flaw;

    set_up(VSP_REPORT_SENSOR);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &corner, &table, &flaw));
    ball.is_sensor = true;
    sensor = shape_of(add_body(world, VSP_KINEMATIC, ball, 0.6, 0.505, 0));
    add_body(world, VSP_STATIC, vsp_table_shape(VSP_SHAPE_MESH, table), 0, 0,
             0);
    step_world(world, 1);
    CHECK_UINT(1, vsp_shape_sensed(world, sensor, NULL, 0));
}

/* A sensor overlap that does not fit is counted once, even if a step detects
 * contacts several times to find bodies to wake. */
static void too_many_in_sensors_are_counted_once(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def zone = body_def(
        VSP_STATIC, vsp_box(VSP_R(5.0), VSP_R(5.0), VSP_R(5.0)), 0, 0, 0);
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_body_id sleeper;

    def.gravity = real3(0, 0, 0);
    def.capacity.sensed = 1;
    world = new_world_of(&def);
    zone.shape.is_sensor = true;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &zone, NULL));
    sleeper = add_body(world, VSP_DYNAMIC, ball, 0, 0, 0);
    add_body(world, VSP_DYNAMIC, ball, 0.9, 0, 0);
    add_body(world, VSP_DYNAMIC, ball, 3.0, 0, 0);
    if (VSP_SLEEP)
        CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, sleeper, false));
    step_world(world, 1);
    CHECK(vsp_body_is_awake(world, sleeper));
    CHECK_UINT(2, vsp_world_stats(world).events_dropped);
}

static void filters_hold_for_sensors(void)
{
    vsp_shape_def gate = vsp_box(VSP_R(2.0), VSP_R(2.0), VSP_R(2.0));
    vsp_body_id frame;

    set_up(31);
    gate.is_sensor = true;
    gate.filter.mask = 2;
    frame = add_body(world, VSP_STATIC, gate, 0, 0, 0);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 0, 0);
    step_world(world, 1);
    CHECK_UINT(0, vsp_shape_sensed(world, shape_of(frame), NULL, 0));
}

/* A body destroyed inside a sensor is in no sensor any more, nor is the next
 * one in its slot. */
static void the_destroyed_are_not_sensed(void)
{
    vsp_shape_def gate = vsp_box(VSP_R(2.0), VSP_R(2.0), VSP_R(2.0));
    vsp_body_id frame, ball;
    vsp_shape_id none = {0};

    set_up(31);
    gate.is_sensor = true;
    frame = add_body(world, VSP_STATIC, gate, 0, 0, 0);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 0, 0);
    step_world(world, 1);
    CHECK_UINT(1, vsp_shape_sensed(world, shape_of(frame), NULL, 0));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, ball));
    CHECK_UINT(0, vsp_shape_sensed(world, shape_of(frame), NULL, 0));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_UINT(0, vsp_shape_sensed(world, none, NULL, 0));
    CHECK_UINT(0, vsp_shape_sensed(NULL, shape_of(frame), NULL, 0));
    ball = add_cube(world, 9, 9, 9);
    CHECK_UINT(0, vsp_shape_sensed(world, shape_of(ball), NULL, 0));
}

/* The list of sensor overlaps is state: it is in the hash, and a restore checks
 * it. */
static void sensed_shapes_are_state(void)
{
    vsp_shape_def gate = vsp_box(VSP_R(2.0), VSP_R(2.0), VSP_R(2.0));
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other;
    size_t size;

    set_up(31);
    gate.is_sensor = true;
    add_body(world, VSP_STATIC, gate, 0, 0, 0);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 0, 0);
    step_world(world, 1);
    size = save_world(world, 0);
    other = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
    CHECK_HEX(vsp_world_hash(world), vsp_world_hash(other));
    CHECK_UINT(1, vsp_shape_sensed(other, vsp_shape_at(other, 0), NULL, 0));
}


static const test tests[] = {
    TEST(reports_change_no_pose),
    TEST(a_bounce_begins_and_ends),
    TEST(what_rests_persists),
    TEST(events_come_in_pairs),
    TEST(what_is_far_has_parted),
    TEST(cold_worlds_have_events_too),
    TEST(restored_worlds_have_the_same_events),
    TEST(the_destroyed_leave_no_event),
    TEST(nothing_is_reported_unasked),
    TEST(too_many_events_are_counted),
    TEST(sensors_sense),
    TEST(sensors_sense_what_moves),
    TEST(half_spaces_do_not_sense_surfaces),
    TEST(sensors_sense_every_touch),
    TEST(too_many_in_sensors_are_counted_once),
    TEST(filters_hold_for_sensors),
    TEST(the_destroyed_are_not_sensed),
    TEST(sensed_shapes_are_state),
    TEST_END,
};

const test_suite event_suite = {"event", tests};
