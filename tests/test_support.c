/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Which bodies are supported, in every stepper; and PGS with supports: it
 * freezes these bodies, and no others. */

#include "scene_fixture.h"
#include "src/state/state.h"

#include <math.h>
#include <stdio.h>

#if VSP_SUPPORTS

static vsp_world *world;


/* ---- Worlds ---------------------------------------------------------------
 */

static void begin_world(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(0.01);
    def.enable_sleep = false;
    world = new_world_of(&def);
}

static void with_each_stepper(void (*check)(void))
{
    for (int i = 0; i < 4; i++) {
        test_note("stepper %d", i);
        begin_world((vsp_stepper)i);
        check();
    }
}

static vsp_body_id add_box(double half_x, double half_y, double x, double y)
{
    return add_body(world, VSP_DYNAMIC,
                    vsp_box(real(half_x), real(half_y), real(0.5)), x, y, 0);
}

static vsp_body_id add_block(double half_x, double half_y, double x, double y)
{
    return add_body(world, VSP_STATIC,
                    vsp_box(real(half_x), real(half_y), real(0.5)), x, y, 0);
}

static bool is_supported(vsp_body_id id)
{
    return vsp_body_is_supported(world, id);
}


/* ---- Supported bodies ------------------------------------------------------
 */

static void check_floor(void)
{
    vsp_body_id ground = add_ground(world), box = add_cube(world, 0, 0.5, 0);
    vsp_body_id in_air = add_cube(world, 9, 9, 0);

    CHECK(!is_supported(box)); /* there are no contacts yet */
    step_world(world, 50);
    CHECK(is_supported(box));
    CHECK(!is_supported(in_air));
    CHECK(!is_supported(ground));
}

static void a_box_on_the_floor_is(void)
{
    with_each_stepper(check_floor);
}

/* A box with its centre beyond the edge of a block tips.  Another one has its
 * centre above the block. */
static void check_edge(void)
{
    vsp_body_id beyond, within;

    add_block(1, 0.5, 0, -0.5);
    beyond = add_cube(world, 1.05, 0.5, 0);
    within = add_cube(world, -0.9, 0.5, 0);
    for (int i = 0; i < 30; i++) {
        step_world(world, 1);
        CHECK(!is_supported(beyond));
    }
    CHECK(is_supported(within));
}

static void a_box_beyond_an_edge_is_not(void)
{
    with_each_stepper(check_edge);
}

/* A stack whose boxes are displaced by some millimetres. */
static void check_stack(void)
{
    vsp_body_id id[10];

    add_ground(world);
    for (int i = 0; i < 10; i++)
        id[i] = add_box(0.5, 0.5, 0.006 * (i % 2), 0.5 + i);
    step_world(world, 20);
    for (int i = 0; i < 10; i++)
        CHECK(is_supported(id[i]));
}

static void a_stack_is(void)
{
    with_each_stepper(check_stack);
}

/* A stack of three that leans.  The contacts of the upper box at one side are
 * beyond the hull of the middle one, so by figure 11 they do not count, and the
 * others are on a line. */
static void check_leaning_stack(void)
{
    vsp_body_id id[3];

    add_ground(world);
    for (int i = 0; i < 3; i++)
        id[i] = add_box(0.5, 0.5, 0.1 * i, 0.5 + i);
    step_world(world, 20);
    CHECK(is_supported(id[1]));
    CHECK(!is_supported(id[2]));
    CHECK_NEAR(0.2, num(vsp_body_center(world, id[2]).x), 0.001);
}

static void a_stack_that_leans_is_not(void)
{
    begin_world(VSP_STEPPER_CARRY);
    check_leaning_stack();
}

/* Figure 11, middle: a light box on a plank, beyond the block under the plank,
 * pushes with a lever, so the plank does not support it; the plank supports a
 * box in the middle. */
static void check_lever(void)
{
    vsp_body_id plank, middle, end;

    add_block(0.5, 0.5, 0, -0.5);
    plank = add_box(2, 0.2, 0, 0.2);
    middle = add_box(0.2, 0.2, 0, 0.6);
    end = add_box(0.1, 0.1, 1.5, 0.5);
    step_world(world, 50);
    CHECK(is_supported(plank));
    CHECK(is_supported(middle));
    CHECK(!is_supported(end));
    CHECK_NEAR(0.5, num(vsp_body_center(world, end).y), 0.002);
}

static void a_box_on_a_lever_is_not(void)
{
    begin_world(VSP_STEPPER_CARRY);
    check_lever();
}

/* A plank on two boxes, one of which rests on a third. */
static void check_bridge(void)
{
    vsp_body_id plank;

    add_ground(world);
    plank = add_box(2, 0.1, 0, 2.1);
    add_box(0.3, 1, -1.5, 1);
    add_box(0.3, 0.5, 1.5, 1.5);
    add_box(0.3, 0.5, 1.5, 0.5);
    step_world(world, 50);
    CHECK(is_supported(plank));
}

static void a_bridge_is(void)
{
    with_each_stepper(check_bridge);
}

/* A plate on a circle of boxes: its hull has more corners than fit into the
 * list, and those that come first are on one side. */
static void check_plate(void)
{
    vsp_shape_def foot = vsp_box(real(0.1), real(0.2), real(0.1));
    vsp_shape_def slab = vsp_box(real(4), real(0.1), real(4));
    vsp_body_id plate;

    add_ground(world);
    for (int i = 0; i < 80; i++)
        add_body(world, VSP_DYNAMIC, foot, 3 * cos(2 * PI * i / 80), 0.2,
                 3 * sin(2 * PI * i / 80));
    plate = add_body(world, VSP_DYNAMIC, slab, 0, 0.5, 0);
    step_world(world, 50);
    CHECK(is_supported(plate));
}

static void a_plate_on_many_boxes_is(void)
{
    with_each_stepper(check_plate);
}

/* Balls may roll, and a box on its edge may tip: the hull of their supports has
 * no interior. */
static void check_round(void)
{
    vsp_body_id ball, edge;

    add_ground(world);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.5)), 3, 0.5, 0);
    edge = add_turned(world, VSP_DYNAMIC,
                      vsp_box(real(0.5), real(0.5), real(0.5)), 0, sqrt(0.5), 0,
                      turn(45, 0, 0, 1));
    step_world(world, 10);
    CHECK(!is_supported(ball));
    CHECK(!is_supported(edge));
}

static void balls_and_edges_are_not(void)
{
    with_each_stepper(check_round);
}

/* On slopes friction holds one box, and the other one slides. */
static void check_slope(void)
{
    vsp_body_id held, sliding;
    vsp_shape_def box = vsp_box(real(0.5), real(0.2), real(0.5));
    vsp_quat tilt = turn(10, 0, 0, 1);
    double x = -0.2 * sin(10 * PI / 180), y = 0.2 * cos(10 * PI / 180);

    add_turned(world, VSP_STATIC, vsp_half_space(), 0, 0, 0, tilt);
    held = add_turned(world, VSP_DYNAMIC, box, x, y, 0, tilt);
    box.material.friction = real(0.05);
    sliding = add_turned(world, VSP_DYNAMIC, box, x, y, 3, tilt);
    for (int i = 0; i < 30; i++) {
        step_world(world, 1);
        CHECK(!is_supported(sliding));
    }
    CHECK(is_supported(held));
}

static void a_box_that_slides_is_not(void)
{
    with_each_stepper(check_slope);
}

/* A body's supports must not move, and must not be belts. */
static void check_moving_ground(void)
{
    vsp_shape_def slab = vsp_box(real(2), real(0.5), real(2));
    vsp_body_id platform = add_body(world, VSP_KINEMATIC, slab, 0, -0.5, 0);
    vsp_body_id rider = add_cube(world, 0, 0.5, 0), on_belt;

    slab.surface_velocity = real3(0.05, 0, 0);
    add_body(world, VSP_STATIC, slab, 6, -0.5, 0);
    on_belt = add_cube(world, 6, 0.5, 0);
    step_world(world, 30);
    CHECK(is_supported(rider));
    CHECK(!is_supported(on_belt));
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, platform, real3(0.05, 0, 0),
                                       real3(0, 0, 0)));
    step_world(world, 30);
    CHECK(!is_supported(rider));
}

static void bodies_on_moving_ground_are_not(void)
{
    with_each_stepper(check_moving_ground);
}

#if VSP_JOINTS
/* A crate on a rope, and one that rests on it. */
static void check_rope(void)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_body_def hook = vsp_body_def_default();
    vsp_body_id upper;

    hook.pose.position.y = real(5);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &hook, &def.body_a));
    def.type = VSP_JOINT_DISTANCE;
    def.body_b = add_cube(world, 0, 2, 0);
    def.frame_b.position.y = real(0.5);
    def.high = real(2.5);
    (void)create_joint(world, &def);
    upper = add_box(0.1, 0.1, 0.2, 2.6);
    for (int i = 0; i < 30; i++) {
        step_world(world, 1);
        CHECK(!is_supported(def.body_b));
        CHECK(!is_supported(upper));
    }
    CHECK_AT_LEAST(2.5, num(vsp_body_center(world, upper).y));
}
#else
static void check_rope(void)
{
}
#endif

static void a_box_on_a_rope_is_not(void)
{
    with_each_stepper(check_rope);
}

/* The direction of gravity defines what is below: along x, and of length 0. */
static void check_gravity(void)
{
    vsp_body_id box;

    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(5, 0, 0)));
    add_block(0.5, 2, 1, 0);
    box = add_cube(world, 0, 0, 0);
    step_world(world, 30);
    CHECK(is_supported(box));
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
    step_world(world, 1);
    CHECK(!is_supported(box));
}

static void gravity_tells_what_is_below(void)
{
    with_each_stepper(check_gravity);
}


/* ---- The call ------------------------------------------------------------ */

static void contacts_answer_until_they_are_gone(void)
{
    vsp_body_id box;
    size_t size;

    begin_world(VSP_STEPPER_CARRY);
    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    step_world(world, 20);
    CHECK(is_supported(box));
    size = save_world(world, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK(!is_supported(box));
    step_world(world, 1);
    CHECK(is_supported(box));
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(
                             world, box, vsp_body_transform(world, box)));
    CHECK(!is_supported(box));
}

static void bad_ids_are_not_supported(void)
{
    vsp_body_id none = {0}, box;

    begin_world(VSP_STEPPER_CARRY);
    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    add_cube(world, 3, 0.5, 0);
    step_world(world, 20);
    CHECK(is_supported(box));
    CHECK(!vsp_body_is_supported(NULL, box));
    CHECK(!is_supported(none));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, box));
    step_world(world, 1);
    CHECK(!is_supported(box));
}

#if VSP_QUERIES

static vsp_real ask_support(void *user, const vsp_hit *hit)
{
    (void)vsp_body_is_supported((vsp_world *)user, hit->body);
    return real(1);
}

/* The search uses the memory in which a query walks its tree. */
static void a_query_ends_if_its_function_asks(void)
{
    vsp_query query = vsp_query_default();
    vsp_body_id box;
    vsp_hit hit;

    begin_world(VSP_STEPPER_CARRY);
    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    step_world(world, 20);
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_ray_cast_all(world, real3(0, 5, 0), real3(0, -9, 0),
                                  &query, ask_support, world));
    CHECK(is_supported(box));
    CHECK_STATUS(VSP_OK, vsp_ray_cast(world, real3(0, 5, 0), real3(0, -9, 0),
                                      &query, &hit));
    CHECK_NEAR(4, num(hit.distance), 1e-3);
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast_all(world, real3(0, 5, 0), real3(0, -9, 0),
                                  &query, ask_support, world));
}

#endif /* VSP_QUERIES */

/* A world whose bodies are asked about in every step gets the same bits. */
static void asking_changes_no_bit(void)
{
    uint32_t hash[2];

    for (int asks = 0; asks < 2; asks++) {
        vsp_body_id box;

        begin_world(VSP_STEPPER_CARRY);
        add_ground(world);
        for (int i = 0; i < 6; i++)
            box = add_cube(world, 0.03 * i, 0.5 + 1.001 * i, 0);
        for (int i = 0; i < 60; i++) {
            step_world(world, 1);
            if (asks)
                (void)is_supported(box);
        }
        hash[asks] = vsp_world_hash(world);
    }
    CHECK(hash[0] == hash[1]);
}

static void sleeping_bodies_are_not(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id box;

    world = new_world_of(&def);
    add_ground(world);
    box = add_cube(world, 0, 0.5, 0);
    step_world(world, 20);
    CHECK(is_supported(box));
    if (!VSP_SLEEP)
        return;
    CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, box, false));
    CHECK(!is_supported(box));
    step_world(world, 1);
    CHECK(!is_supported(box));
}


/* ---- PGS with supports --------------------------------------------------- */

static vsp_world_def supports_def(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = VSP_STEPPER_PGS;
    def.enable_supports = true;
    def.enable_sleep = false;
    def.dt = real(0.01);
    def.sweeps = 8;
    def.tolerance = real(0); /* so that all sweeps are made */
    return def;
}

/* Returns how far the boxes of a stack move in a step, after half a second. */
static double motion_of_stack(bool is_frozen)
{
    vsp_world_def def = supports_def();
    vsp_body_id id[12];
    double most = 0;

    def.enable_supports = is_frozen;
    world = new_world_of(&def);
    add_ground(world);
    for (int i = 0; i < 12; i++)
        id[i] = add_cube(world, 0.01 * (i % 2), 0.5 + i, 0);
    step_world(world, 50);
    for (int i = 0; i < 12; i++) {
        CHECK(is_supported(id[i]) || !is_frozen);
        most = fmax(most,
                    vec_length(vec_from(vsp_body_velocity(world, id[i]))) +
                        vec_length(vec_from(vsp_body_spin(world, id[i]))));
    }
    return most;
}

static void supported_bodies_are_frozen(void)
{
    CHECK_NEAR(0, motion_of_stack(true), 0);
    CHECK_AT_LEAST(0.0001, motion_of_stack(false));
}

/* Returns how many of a tower's 80 bricks are frozen after 200 steps. */
static int count_frozen_bricks(int seed)
{
    vsp_world_def def = supports_def();
    scene_variant variant;
    char name[32];
    const scene *found;
    scene_run run;
    int count = 0;

    snprintf(name, sizeof name, "tower:5~%d", seed);
    found = scene_find(name, &variant);
    def.sweeps = 20;
    def.tolerance = real(0.0001);
    run.world = world = new_world_of(&def);
    if (!CHECK(found) || !CHECK(scene_start(&run, found, variant)))
        return 0;
    for (uint32_t i = 0; i < 200; i++)
        CHECK_STATUS(VSP_OK, scene_step(&run, i));
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++)
        count += is_supported(vsp_body_at(world, slot));
    return count;
}

/* Frozen bodies still carry what rests on them, so those are found again. */
static void frozen_towers_stay_supported(void)
{
    int sum = 0;

    for (int seed = 1; seed <= 8; seed++)
        sum += count_frozen_bricks(seed);
    CHECK_AT_LEAST(40, sum / 8.0);
}

/* A box bounces, one is thrown along the floor and stops where friction stops
 * it, and a box beyond an edge falls: none may be frozen during its motion. */
static void moving_bodies_are_not_frozen(void)
{
    vsp_world_def def = supports_def();
    vsp_shape_def box = vsp_box(real(0.5), real(0.5), real(0.5));
    vsp_body_id bouncing, thrown, tipping;
    double up = 0;

    world = new_world_of(&def);
    add_ground(world);
    thrown = add_cube(world, 0, 0.5, 5);
    add_block(1, 1, 0, 1);
    tipping = add_cube(world, 1.1, 2.5, 0);
    box.material.restitution = real(0.5);
    bouncing = add_body(world, VSP_DYNAMIC, box, -5, 1.5, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, thrown, real3(4, 0, 0),
                                               real3(0, 0, 0)));
    for (int i = 0; i < 200; i++) {
        step_world(world, 1);
        up = fmax(up, num(vsp_body_velocity(world, bouncing).y));
    }
    CHECK_AT_LEAST(0.45 * sqrt(2 * 9.81), up);
    CHECK_NEAR(16 / (2 * 0.5 * 9.81), num(vsp_body_center(world, thrown).x),
               0.05);
    CHECK_AT_MOST(1, num(vsp_body_center(world, tipping).y));
}

static void a_world_with_supports_is_restored(void)
{
    vsp_world_def def = supports_def();
    size_t size;
    uint32_t hash;

    world = new_world_of(&def);
    add_ground(world);
    for (int i = 0; i < 6; i++)
        add_cube(world, 0.1 * (i % 2), 0.5 + i, 0);
    step_world(world, 20);
    size = save_world(world, 0);
    step_world(world, 20);
    hash = vsp_world_hash(world);
    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    step_world(world, 20);
    CHECK_HEX(hash, vsp_world_hash(world));
}

static void other_steppers_refuse_supports(void)
{
    vsp_world_def def = supports_def();
    vsp_world *none = NULL;
    size_t size;

    for (int i = 0; i < 4; i++) {
        def.stepper = (vsp_stepper)i;
        if (def.stepper == VSP_STEPPER_PGS)
            continue;
        CHECK_STATUS(VSP_ERR_ARG,
                     vsp_world_create(arena(1), VSP_WORLD_BYTES, &def, &none));
        CHECK(none == NULL);
    }
    def = supports_def();
    def.subspace.search = VSP__FREEZES_SUPPORTED; /* set directly, not by the
                                                   * call */
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_create(arena(1), VSP_WORLD_BYTES, &def, &none));
    def = supports_def();
    world = new_world_of(&def);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    world->params.stepper = (uint32_t)VSP_STEPPER_SUBSPACE;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    size = save_world(world, 0);
    world = new_world();
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, saved(0), size));
}

static const test tests[] = {
    TEST(a_box_on_the_floor_is),
    TEST(a_box_beyond_an_edge_is_not),
    TEST(a_stack_is),
    TEST(a_stack_that_leans_is_not),
    TEST(a_box_on_a_lever_is_not),
    TEST(a_bridge_is),
    TEST(a_plate_on_many_boxes_is),
    TEST(balls_and_edges_are_not),
    TEST(a_box_that_slides_is_not),
    TEST(bodies_on_moving_ground_are_not),
    TEST(a_box_on_a_rope_is_not),
    TEST(gravity_tells_what_is_below),
    TEST(contacts_answer_until_they_are_gone),
    TEST(bad_ids_are_not_supported),
#if VSP_QUERIES
    TEST(a_query_ends_if_its_function_asks),
#endif
    TEST(asking_changes_no_bit),
    TEST(sleeping_bodies_are_not),
    TEST(supported_bodies_are_frozen),
    TEST(frozen_towers_stay_supported),
    TEST(moving_bodies_are_not_frozen),
    TEST(a_world_with_supports_is_restored),
    TEST(other_steppers_refuse_supports),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

extern const test_suite support_suite;

const test_suite support_suite = {"support", tests};
