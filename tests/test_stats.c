/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Statistics are correct: counts, high-water marks, layers, sweeps, and the
 * residual of a solve. */

#include "scene_fixture.h"

#include <string.h>

static vsp_world *world;

static void a_new_world_has_none(void)
{
    vsp_stats zero, stats;

    memset(&zero, 0, sizeof zero);
    world = new_world();
    stats = vsp_world_stats(world);
    CHECK_BYTES(&zero, &stats, sizeof zero);
}

static void bodies_and_shapes_are_counted(void)
{
    vsp_shape_def more = vsp_sphere(VSP_R(0.5));
    vsp_body_id id;
    vsp_stats stats;

    world = new_world();
    add_cube(world, 0, 5, 0);
    id = add_cube(world, 5, 5, 0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &more, NULL));
    stats = vsp_world_stats(world);
    CHECK_UINT(2, stats.body_count);
    CHECK_UINT(3, stats.shape_count);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
    stats = vsp_world_stats(world);
    CHECK_UINT(1, stats.body_count);
    CHECK_UINT(1, stats.shape_count);
    CHECK_UINT(2, stats.body_high);
    CHECK_UINT(3, stats.shape_high);
}

static void contacts_are_counted(void)
{
    vsp_stats stats;
    uint32_t i;

    world = new_world();
    add_ground(world);
    for (i = 0; i < 3; i++)
        add_cube(world, 0, i + 0.5, 0);
    step_world(world, 1);
    stats = vsp_world_stats(world);
    CHECK_UINT(3, stats.manifold_count);
    CHECK_UINT(12, stats.contact_count);
    CHECK_UINT(vsp_contact_count(world), stats.manifold_count);
    CHECK_AT_LEAST(3, stats.pair_count);
    CHECK_UINT(0, stats.contacts_dropped);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, vsp_body_at(world, 3)));
    step_world(world, 1);
    CHECK_UINT(8, vsp_world_stats(world).contact_count);
    CHECK_UINT(12, vsp_world_stats(world).contact_high);
    CHECK_UINT(3, vsp_world_stats(world).manifold_high);
}

/* Each contact of a column is solved one layer above the one below it. */
static void layers_are_counted_from_the_ground(void)
{
    uint32_t i;

    world = new_world();
    add_ground(world);
    for (i = 0; i < 6; i++)
        add_cube(world, 0, i + 0.5, 0);
    step_world(world, 2);
    CHECK_UINT(6, vsp_world_stats(world).layer_count);
    for (i = 0; i < 6; i++) {
        vsp_contact c;

        CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &c));
        test_note("contact %u", i);
        CHECK_UINT(i, c.layer);
    }
}

/* Two columns and a bridge: the bridge is one layer above both. */
static void layers_take_the_shortest_way_down(void)
{
    vsp_contact c;
    uint32_t i, top = 0;
    vsp_body_id bridge;

    world = new_world();
    add_ground(world);
    add_cube(world, 0, 0.5, 0);
    add_cube(world, 2, 0.5, 0);
    bridge = add_body(world, VSP_DYNAMIC,
                      vsp_box(VSP_R(1.5), VSP_R(0.1), VSP_R(0.5)), 1, 1.1, 0);
    step_world(world, 1);
    CHECK_UINT(2, vsp_world_stats(world).layer_count);
    for (i = 0; i < vsp_contact_count(world); i++) {
        CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &c));
        if (c.body_b.bits == bridge.bits || c.body_a.bits == bridge.bits)
            top += CHECK_UINT(1, c.layer);
    }
    CHECK_UINT(2, top);
}

static void sweeps_stay_within_their_limits(void)
{
    scene_run run;
    uint32_t i;

    if (!play_start(&run, "card-house-shot:3"))
        return;
    for (i = 0; i < 200; i++) {
        vsp_stats stats;

        play_steps(&run, i, i + 1);
        stats = vsp_world_stats(run.world);
        test_note("step %u", i);
        /* rounds of 10 and 20 sweeps, and 40 more in a quiet world; position
         * solves of 5 sweeps for each layer and for the whole */
        CHECK_AT_MOST(10.0 + 20.0 + 40.0, stats.sweep_count);
        CHECK_AT_MOST(5.0 * (stats.layer_count + 2), stats.correction_count);
    }
}

static vsp_stats settle_cubes(double tolerance)
{
    vsp_world_def def = vsp_world_def_default();
    uint32_t i;

    def.tolerance = real(tolerance);
    world = new_world_of(&def);
    add_ground(world);
    for (i = 0; i < 10; i++)
        add_cube(world, 0.01 * (i % 3), i + 0.5, 0);
    step_world(world, 100);
    return vsp_world_stats(world);
}

static void sweeps_end_at_the_tolerance(void)
{
    vsp_stats loose = settle_cubes(0.1), tight = settle_cubes(0);

    CHECK_AT_MOST(0.1, num(loose.residual));
    CHECK_AT_MOST(tight.sweep_count, loose.sweep_count);
    CHECK_AT_MOST(tight.row_updates, loose.row_updates);
    CHECK(loose.sweep_count < tight.sweep_count ||
          tight.residual <= VSP_R(0.0));
}

static void work_at_rest_is_little(void)
{
    vsp_stats stats = settle_cubes(0.0001);

    CHECK_AT_MOST(0.0001, num(stats.residual));
    CHECK_AT_MOST(1e-4, num(stats.merit));
    CHECK_AT_LEAST(0, num(stats.merit));
    /* 40 points of three rows */
    CHECK_AT_MOST(10.0 * 120, stats.row_updates);
}

/* Three cubes, the top one of which falls onto the others. */
static vsp_stats press_cubes(vsp_stepper stepper, double gravity)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.gravity = real3(0, -gravity, 0);
    def.dt = real(0.001);
    def.tolerance = real(0.5);
    def.sweeps = 1000;
    def.sweep_limit = 10000;
    def.subspace.tries = 0;
    def.subspace.rounds = 1;
    world = new_world_of(&def);
    add_ground(world);
    for (uint32_t i = 0; i < 3; i++)
        add_cube(world, 0, i + 0.5, 0);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, vsp_body_at(world, 3),
                                       real3(0, -0.4, 0), real3(0, 0, 0)));
    step_world(world, 1);
    return vsp_world_stats(world);
}

/* With gravity, however weak, PGS and SUBSPACE sweep until their residual is
 * small beside it. */
static void sweeps_of_short_steps_end_below_gravity(void)
{
    static const double gravities[] = {9.81, 0.5, 1e-4};

    for (int k = 0; k < 2; k++) {
        vsp_stepper stepper = k == 0 ? VSP_STEPPER_PGS : VSP_STEPPER_SUBSPACE;

        for (size_t i = 0; i < COUNT_OF(gravities); i++) {
            double most = fmax(1e-6 * gravities[i], TOLERANCE(1e-6, 1.6e-5));
            vsp_stats stats = press_cubes(stepper, gravities[i]);

            test_note("stepper %d, gravity %g", (int)stepper, gravities[i]);
            CHECK_AT_MOST(most, num(stats.residual));
            CHECK_AT_LEAST(5, stats.sweep_count);
        }
        CHECK_AT_LEAST(0.01, num(press_cubes(stepper, 0).residual));
    }
}

/* An impact that one sweep cannot solve leaves a residual. */
static void a_hard_impact_has_a_residual(void)
{
    vsp_world_def def = vsp_world_def_default();
    uint32_t i;

    def.sweeps = 1;
    def.stepper = VSP_STEPPER_PGS;
    world = new_world_of(&def);
    add_ground(world);
    for (i = 0; i < 10; i++)
        add_cube(world, 0, i + 0.5, 0);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 10.5, 0);
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, vsp_body_at(world, 11),
                                       real3(0, -50, 0), real3(0, 0, 0)));
    step_world(world, 1);
    CHECK_AT_LEAST(0.1, num(vsp_world_stats(world).residual));
    CHECK_AT_LEAST(1e-3, num(vsp_world_stats(world).merit));
    CHECK_UINT(1, vsp_world_stats(world).sweep_count);
}

/* Hangs three bodies on each other by ropes of 2 m, in gravity that adds nearly
 * VSP_MAX_SPEED in a step. */
static void hang_three(uint32_t sweeps, vsp_body_id body[3])
{
    vsp_world_def def = vsp_world_def_default();
    vsp_joint_def joint = vsp_joint_def_default();
    uint32_t i;

    def.stepper = VSP_STEPPER_PGS;
    def.sweeps = sweeps;
    def.tolerance = 0;
    def.gravity = real3(0, TOLERANCE(-4800, -240), 0);
    world = new_world_of(&def);
    joint.type = VSP_JOINT_DISTANCE;
    joint.high = VSP_R(2.0);
    joint.body_a = add_body(world, VSP_STATIC, vsp_sphere(VSP_R(0.5)), 0, 0, 0);
    for (i = 0; i < 3; i++, joint.body_a = joint.body_b) {
        vsp_body_def bob = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0,
                                    -2.0 * (i + 1), 0);

        bob.mass = real(1 + 0.3 * i);
        bob.gravity_scale = VSP_R(100.0);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &bob, &body[i]));
        joint.body_b = body[i];
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &joint, NULL));
    }
}

/* The merit of ropes is that of the speeds at which they stretch, however small
 * these are beside the ropes' pulls. */
static void small_violations_of_loaded_joints_count(void)
{
    uint32_t sweeps, small = 0, i;

    for (sweeps = 20; sweeps <= 80; sweeps++) {
        vsp_body_id body[3] = {{0}, {0}, {0}};
        double above = 0, sum = 0;

        hang_three(sweeps, body);
        step_world(world, 1);
        for (i = 0; i < 3; i++) {
            double speed = num(vsp_body_velocity(world, body[i]).y);

            sum += (speed - above) * (speed - above) / 2;
            above = speed;
        }
        test_note("%u sweeps", sweeps);
        small += sum > 1e-9 && sum < 1e-5;
        CHECK_NEAR(sum, num(vsp_world_stats(world).merit), 0.01 * sum + 1e-9);
    }
    CHECK_AT_LEAST(3, small);
}

static void an_empty_world_does_nothing(void)
{
    vsp_stats stats;

    world = new_world();
    step_world(world, 3);
    stats = vsp_world_stats(world);
    CHECK_UINT(0, stats.row_updates);
    CHECK_UINT(0, stats.contact_high);
    CHECK_UINT(0, stats.layer_count);
    CHECK_NEAR(0, num(stats.residual), 0);
    CHECK_NEAR(0, num(stats.merit), 0);
}


static const test tests[] = {
    TEST(a_new_world_has_none),
    TEST(bodies_and_shapes_are_counted),
    TEST(contacts_are_counted),
    TEST(layers_are_counted_from_the_ground),
    TEST(layers_take_the_shortest_way_down),
    TEST(sweeps_stay_within_their_limits),
    TEST(sweeps_end_at_the_tolerance),
    TEST(sweeps_of_short_steps_end_below_gravity),
    TEST(work_at_rest_is_little),
    TEST(a_hard_impact_has_a_residual),
    TEST(small_violations_of_loaded_joints_count),
    TEST(an_empty_world_does_nothing),
    TEST_END,
};

const test_suite stats_suite = {"stats", tests};
