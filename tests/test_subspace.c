/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* PGS with subspace minimisation against plain PGS: merit for equal work, as in
 * the paper (Silcowitz, Niebe, Erleben 2010), and the stepper SUBSPACE in
 * scenes.  Tests of its joints are in test_joint.c. */

#include "scene_fixture.h"

#include "src/record/record.h"

#include "port/measure/measure.h"
#include "port/measure/work_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scene_run run;

/* rounds of sweeps (k_pgs), tries (k_sm) of steps */
typedef struct effort {
    uint32_t rounds, sweeps, tries, steps, search;
    double damping;
} effort;

/* Starts a scene without ranges, which would leave searches nothing to do. */
static bool start_scene(const char *name, const effort *e, bool is_warm,
                        vsp_friction friction)
{
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    vsp_world_def def;

    test_note("scene %s", name);
    if (!CHECK(found != NULL))
        return false;
    def = scene_world_def(found);
    def.stepper = VSP_STEPPER_SUBSPACE;
    def.enable_warm_start = is_warm;
    def.enable_sleep = def.enable_ranges = false;
    def.friction = friction;
    def.tolerance = real(is_warm ? 1e-4 : 0);
    def.sweeps = e->sweeps;
    def.subspace.rounds = e->rounds;
    def.subspace.tries = e->tries;
    def.subspace.steps = e->steps;
    def.subspace.search = e->search;
    def.subspace.friction_damping = real(e->damping);
    memset(&run, 0, sizeof run);
    run.world = new_world_of(&def);
    return CHECK(scene_start(&run, found, variant));
}

static double merit_of(const vsp_world *world)
{
    return num(vsp_world_stats(world).merit);
}

/* Makes a step of a copy of a world, with a single sweep over positions. */
static vsp_stats step_copy(const vsp_world *from, bool is_plain,
                           uint32_t sweeps)
{
    vsp_world *other = (vsp_world *)arena(1);

    memmove(arena(1), from, VSP_WORLD_BYTES);
    other->params.correction_sweeps = 1;
    if (is_plain) {
        other->params.rounds = 1;
        other->params.search_tries = 0;
        other->params.sweeps = sweeps;
        other->params.tolerance = 0;
    }
    CHECK_AT_LEAST(0, (int)vsp_world_step(other));
    return vsp_world_stats(other);
}

/* Makes a step of a copy with only its first sweeps, without momentum. */
static vsp_stats step_begun(const vsp_world *from)
{
    vsp_world *other = (vsp_world *)arena(1);

    memmove(arena(1), from, VSP_WORLD_BYTES);
    other->params.correction_sweeps = 1;
    other->params.rounds = 1;
    other->params.search_tries = 0;
    if (other->params.sweeps > WORK_PLAIN_SWEEPS)
        other->params.sweeps = WORK_PLAIN_SWEEPS;
    CHECK_AT_LEAST(0, (int)vsp_world_step(other));
    return vsp_world_stats(other);
}

/* Returns the merit after sweeps alone, from the state of a world. */
static double merit_of_sweeps(const vsp_world *from, double sweeps)
{
    return num(step_copy(from, true, (uint32_t)fmax(1, sweeps)).merit);
}

/* Returns the cost of a step, in plain sweeps: the multipliers that it
 * computed, over those of one sweep.  Sweeps with momentum (all but the first
 * few) and steps of conjugate gradients count by their costs
 * (port/measure/work_cost.h); a pass is added for ten steps, and the fixed cost
 * of a round.  In fixed point the last sweeps of a round have no momentum, but
 * are counted as if they had. */
static double work_from(const vsp_world *from, double *merit)
{
    double one = step_copy(from, true, 1).row_updates;
    double rows = (step_copy(from, true, 51).row_updates - one) / 50;
    vsp_stats stats = step_copy(from, false, 0);
    double passes = 1.1 * stats.search_count;
    double more = (stats.row_updates - one) / fmax(1, rows) - passes;
    double rounds = ceil((more + 1) / from->params.sweeps);
    double plain = fmin(more,
                        (step_begun(from).row_updates - one) / fmax(1, rows));

    *merit = num(stats.merit);
    return 1 + plain +
           WORK_SWEEP_COST(stats.joint_count > 0) * fmax(0, more - plain) +
           WORK_PASS_COST * passes + WORK_ROUND_COST * fmax(0, rounds - 1) +
           WORK_ANEW_COST * rounds;
}


/* ---- Merit -------------------------------------------------------------- */

/* From multipliers of 0, with half of the work, the merit must be lower by this
 * factor. */
static void check_gain(const char *name, uint32_t rounds, double gain)
{
    effort all = {0, 25, 2, 60, 0, 0};
    double plain, found, work;

    all.rounds = rounds;
    if (!start_scene(name, &all, false, VSP_FRICTION_PYRAMID))
        return;
    plain = merit_of_sweeps(run.world, 1500);
    scene_drive(&run, 0);
    work = work_from(run.world, &found);
    found = fmax(1e-15, found);
    printf("    %-14s %8.1e after 1,500 sweeps, %8.1e after the work of "
           "%.0f\n",
           name, plain, found, work);
    CHECK_AT_MOST(TOLERANCE(700, 1110), work);
    CHECK_AT_LEAST(gain, plain / found);
}

static void it_solves_what_sweeps_do_not(void)
{
    check_gain("heavy:1000", 6, TOLERANCE(1e4, 1e3));
    check_gain("heavy-on-small", VSP_FIXED ? 9 : 13, TOLERANCE(1e5, 1e3));
    check_gain("weight", VSP_FIXED ? 9 : 6, TOLERANCE(1e4, 30));
    check_gain("snake", 6, TOLERANCE(10, 0.5));
    check_gain("chain", 6, TOLERANCE(1e6, 100));
    check_gain("column:10", 9, TOLERANCE(1e3, 3));
}

/* From one state, compares a step with sweeps of the same work, and with ten
 * times as many, which is nearly the best that sweeps reach. `above` counts the
 * steps that are worse than both; `worst` is the largest factor. */
typedef struct tally {
    uint32_t steps, above;
    double worst;
} tally;

/* Returns the merit of velocities that are right except for rounding.  In the
 * fixed kind a row sums twelve products, and is off by some of the smallest
 * units, 2^-17 m/s: eight of them if it rounded to nearest.  A cut has twice
 * the variance of rounding to nearest: 1/6 of a square unit instead of 1/12. */
static double rounding_merit(const vsp_world *world)
{
    double rows = 3.0 * vsp_world_stats(world).contact_count;

    return TOLERANCE(1e-14, fmax(1e-8, 2 * 64.0 * rows / 131072.0 / 131072.0));
}

static void count_above(const char *name, const effort *e, bool is_warm,
                        uint32_t steps, tally *all)
{
    tally own = {steps, 0, 0};

    if (!start_scene(name, e, is_warm, VSP_FRICTION_CONE))
        return;
    for (uint32_t i = 0; i < steps; i++) {
        double merit, work, sweeps;

        scene_drive(&run, i);
        work = work_from(run.world, &merit);
        sweeps = merit_of_sweeps(run.world, work);
        if (merit > sweeps)
            sweeps = fmax(sweeps, merit_of_sweeps(run.world, 10 * work));
        sweeps = fmax(sweeps, rounding_merit(run.world));
        own.above += merit > sweeps;
        own.worst = fmax(own.worst, merit / sweeps);
        CHECK_AT_LEAST(0, (int)vsp_world_step(run.world));
    }
    printf("    %-14s %s above sweeps in %2u of %u steps, at worst %.2f "
           "times\n",
           name, is_warm ? "warm" : "cold", (unsigned)own.above,
           (unsigned)own.steps, own.worst);
    all->steps += own.steps;
    all->above += own.above;
    all->worst = fmax(all->worst, own.worst);
}

static const char *const hard[] = {
    "heavy:1000", "column:10",   "chain:10", "weight",         "card-house",
    "snake",      "snake-heavy", "stack",    "heavy-on-small", "incline",
    "gears:3",    "gears:6",     "leaning",
};

static void check_above(const effort *e, bool is_warm, uint32_t steps,
                        uint32_t above, double worst)
{
    tally all = {0, 0, 0};

    for (size_t i = 0; i < COUNT_OF(hard); i++)
        count_above(hard[i], e, is_warm, steps, &all);
    printf("    in all %u of %u, at worst %.2f times\n", (unsigned)all.above,
           (unsigned)all.steps, all.worst);
    CHECK_AT_MOST(above, all.above);
    CHECK_AT_MOST(worst, all.worst);
}

static const effort usual = {3, 20, 2, 60, 0, 0};
static const effort large = {8, 25, 2, 60, 0, 0}; /* up to 1,500 sweeps */

/* Where a scene goes depends on the last place of its numbers, so with any
 * change of these the counts vary by a few, and the worst of some hundred steps
 * by more.  The bars bound what all versions so far have shown. */
static void it_is_hardly_ever_worse(void)
{
    check_above(&usual, true, 10, TOLERANCE(4, 5), TOLERANCE(3.5, 4.3));
}

static void it_is_hardly_ever_worse_warm(void)
{
    check_above(&usual, true, 100, TOLERANCE(17, 51), TOLERANCE(3.5, 4.8));
}

static void it_is_hardly_ever_worse_cold(void)
{
    check_above(&usual, false, is_long() ? 100 : 40, 3, 1.5);
}

static void it_is_hardly_ever_worse_with_more_work(void)
{
    uint32_t steps = is_long() ? 30 : 12;

    check_above(&large, true, steps, TOLERANCE(1, 8), TOLERANCE(1.1, 1.3));
    check_above(&large, false, steps, TOLERANCE(0, 0), TOLERANCE(1, 1));
}


/* ---- The stepper -------------------------------------------------------- */

static void check_stands(const char *name, double drift)
{
    simulation_options options = simulation_options_default();
    measure result;

    options.steps = 300;
    options.stepper = VSP_STEPPER_SUBSPACE;
    test_note("scene %s", name);
    if (!CHECK(measure_scene(&result, name, &options)))
        return;
    CHECK_AT_MOST(drift, result.end.drift);
    CHECK_UINT(0, (uint32_t)result.moved);
}

static void stacks_stand(void)
{
    check_stands("heavy:100", 0.005);
    check_stands("column:10", TOLERANCE(0.01, 0.03));
    check_stands("heavy-on-small", 0.005);
    check_stands("gears:3", 0.005);
}

static void large_stacks_stand(void)
{
    check_stands("wall", 0.05);
    check_stands("tower", 0.05);
}

/* the largest distance of two anchors, m */
static double worst_parting(void)
{
    double worst = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_id id = vsp_joint_at(run.world, slot);
        vsp_joint_state state;

        if (id.bits != 0 && vsp_joint_read(run.world, id, &state) == VSP_OK)
            worst = fmax(worst, num(state.error));
    }
    return worst;
}

/* Plays a weight of 1,000 links on 20 links.  Returns the largest distance of
 * their anchors, and the work in *updates. */
static double play_weight(vsp_stepper stepper, const effort *e, double *updates)
{
    double worst = 0;

    *updates = 0;
    if (!start_scene("weight", e, true, VSP_FRICTION_CONE))
        return 1;
    run.world->params.stepper = (uint32_t)stepper;
    for (uint32_t i = 0; i < 1000; i++) {
        play_steps(&run, i, i + 1);
        worst = fmax(worst, worst_parting());
        *updates += vsp_world_stats(run.world).row_updates / 1000.0;
    }
    return worst;
}

static void a_weight_hangs_on_light_links(void)
{
    static const effort brief = {1, 10, 2, 60, 0, 0};
    double plain, searching;
    double far = play_weight(VSP_STEPPER_PGS, &brief, &plain);
    double near = play_weight(VSP_STEPPER_SUBSPACE, &brief, &searching);

    printf("    weight of 1,000 links on 20: %.1f mm apart with 10 sweeps, "
           "%.1f mm for %.1f times their work\n",
           1000 * far, 1000 * near, searching / plain);
    CHECK_AT_MOST(0.005, near);
    CHECK_AT_MOST(4, searching / plain);
}

/* Islands must not affect each other: two chains move as each does alone. */
static void islands_are_apart(void)
{
    static const effort brief = {2, 10, 4, 50, 0, 0};
    vec3 alone = {0, 0, 0};

    for (int others = 0; others < 2; others++) {
        if (!start_scene("heavy:100", &brief, true, VSP_FRICTION_CONE))
            return;
        for (int i = 0; i < 3 * others; i++)
            add_cube(run.world, 50, 0.5 + i, 0);
        play_steps(&run, 0, 20);
        if (!others)
            alone = mark_position(&run, 0);
    }
    CHECK_NEAR(alone.x, mark_position(&run, 0).x, 0);
    CHECK_NEAR(alone.y, mark_position(&run, 0).y, 0);
    CHECK_NEAR(alone.z, mark_position(&run, 0).z, 0);
}

/* Every option must change the result, and the gears must still stand. */
static void options_count(void)
{
    static const effort efforts[] = {
        {2, 4, 4, 60, 0, 0},
        {2, 4, 4, 60, VSP_SEARCH_LAZY, 0},
        {2, 4, 4, 60, VSP_SEARCH_STAGGERED, 0},
        {2, 4, 4, 60, 0, 0.25},
    };
    uint32_t hashes[COUNT_OF(efforts)];

    for (size_t i = 0; i < COUNT_OF(efforts); i++) {
        if (!start_scene("gears:6", &efforts[i], true, VSP_FRICTION_CONE))
            return;
        play_steps(&run, 0, 100);
        CHECK_AT_MOST(10, merit_of(run.world));
        run.world->params.search = 0;
        run.world->params.friction_damping = 0;
        hashes[i] = vsp_world_hash(run.world);
        for (size_t k = 0; k < i; k++)
            CHECK(hashes[k] != hashes[i]);
    }
}

/* A problem that neither searches nor momentum can improve must give the result
 * of sweeps.  Nothing may be read that was not written, so the old contents of
 * the buffer must not matter.  A motor without a limit must not cause an
 * infinite number. */
static uint32_t play_strange(uint32_t fill, uint32_t sweeps)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_joint_def joint = vsp_joint_def_default();
    vsp_body_id a, b;

    def.stepper = VSP_STEPPER_SUBSPACE;
    def.sweeps = sweeps;
    def.subspace.search = VSP_SEARCH_LAZY;
    for (size_t i = 0; i < VSP_WORLD_BYTES / sizeof fill; i++)
        memcpy((char *)arena(0) + i * sizeof fill, &fill, sizeof fill);
    if (!CHECK_STATUS(VSP_OK, vsp_world_create(arena(0), VSP_WORLD_BYTES, &def,
                                               &run.world)))
        return 0;
    add_ground(run.world);
    a = add_body(run.world, VSP_DYNAMIC,
                 vsp_box(real(0.01), real(0.01), real(0.01)), 0, 0.01, 0);
    b = add_body(run.world, VSP_DYNAMIC,
                 vsp_box(real(0.01), real(0.01), real(0.01)), 0.02, 0.01, 0);
    joint.type = VSP_JOINT_HINGE;
    joint.body_a = a;
    joint.body_b = b;
    joint.enable_motor = true;
    joint.motor_speed = real(3);
    joint.motor_max = VSP_MAX_FORCE;
    CHECK_STATUS(VSP_OK, vsp_joint_create(run.world, &joint, NULL));
    for (int i = 0; i < 30; i++) {
        CHECK_AT_LEAST(0, (int)vsp_world_step(run.world));
        CHECK_AT_MOST(1e12, merit_of(run.world));
    }
    return vsp_world_hash(run.world);
}

static void nothing_is_read_before_it_is_written(void)
{
    static const uint32_t fills[] = {0x7e7e7e7eu, 0x80000000u, 0x7fc00000u};

    for (uint32_t sweeps = 1; sweeps < 10; sweeps += 7)
        for (size_t i = 0; i < COUNT_OF(fills); i++)
            CHECK_HEX(play_strange(0, sweeps), play_strange(fills[i], sweeps));
}

/* The settings of sweeps and steps must bound the work of SUBSPACE, in any
 * world. */
static void work_is_bounded(void)
{
    static const effort few = {3, 2, 2, 5, 0, 0};

    if (!start_scene("card-house-shot:2", &few, false, VSP_FRICTION_CONE))
        return;
    for (uint32_t i = 0; i < 60; i++) {
        vsp_stats stats;

        CHECK_AT_LEAST(0, (int)scene_step(&run, i));
        stats = vsp_world_stats(run.world);
        CHECK_AT_MOST(3 * 2.0 * stats.body_count, stats.sweep_count);
        CHECK_AT_MOST(3 * 2 * 5.0 * stats.body_count, stats.search_count);
    }
}

static const test tests[] = {
    TEST(it_solves_what_sweeps_do_not),
    TEST(it_is_hardly_ever_worse),
    TEST(stacks_stand),
    TEST(a_weight_hangs_on_light_links),
    TEST(islands_are_apart),
    TEST(options_count),
    TEST(nothing_is_read_before_it_is_written),
    TEST(work_is_bounded),
    TEST_LONG(it_is_hardly_ever_worse_warm),
    TEST_LONG(it_is_hardly_ever_worse_cold),
    TEST_LONG(it_is_hardly_ever_worse_with_more_work),
    TEST_SLOW(large_stacks_stand),
    TEST_END,
};

const test_suite subspace_suite = {"subspace", tests};
