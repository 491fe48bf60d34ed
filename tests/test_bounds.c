/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* No legal world may make a step cost more than 20 times the mean step of a
 * busy world of the same capacity.  Also tests steps that exhaust a budget. */

#include "bounds_scenes.h"
#include "scene_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>


/* ---- Work ------------------------------------------------------------------
 * Counted, so that no test depends on a clock.  Weights are nanoseconds on a
 * desktop, with floats and in fixed point.  `bounds.clock` compares this work
 * with time: they agree within a factor of 2, but for round solids and hulls,
 * whose time depends on their forms; for the search for seams, and unions that
 * break in fixed point, which no counter has; and for shells, within a factor
 * of 4. */

#define COST(in_float, in_fixed) (VSP_FIXED ? (in_fixed) : (in_float))

/* Returns how many rows of joints were computed, at least.  A contact has three
 * rows in a sweep and one in a correction; any other row is of a joint, of a
 * range or of a web, and takes longer. */
static double joint_rows(const vsp_stats *w)
{
    double of_contacts = w->contact_count *
                         (3.0 * w->sweep_count + w->correction_count);

    return fmax(0.0, w->row_updates - of_contacts);
}

static double work_of(const vsp_world *world)
{
    vsp_stats w = vsp_world_stats(world);

    return COST(8.0, 20.0) * w.row_updates +
           COST(45.0, 110.0) * joint_rows(&w) + 2000.0 * w.sweep_count +
           COST(400.0, 800.0) * (w.pair_count + w.contact_count) +
           COST(300.0, 750.0) * w.touch_count + 5.0 * w.node_count +
           COST(38.0, 85.0) * w.part_count + 90.0 * w.gap_count;
}

/* With shells a part is a pair of triangles, of which all features are tested
 * for contacts, and a gap is such a pair on its path. */
static double shell_work_of(const vsp_world *world)
{
    vsp_stats w = vsp_world_stats(world);

    return work_of(world) + 1000.0 * w.part_count + 500.0 * w.gap_count;
}

/* The cost of the steps of a scene: for each figure, the largest and the mean
 * over the steps. */
typedef struct bounds_figures {
    double most_work, mean_work;
    double most_touches, mean_touches; /* pairs of shapes tested for contacts */
} bounds_figures;

/* Measures a scene.  Busy worlds must stay within the budgets. */
static bounds_figures measure_bounds(const bounds_scene *s, uint32_t steps)
{
    vsp_world *world = bounds_start(s);
    bounds_figures f = {0, 0, 0, 0};
    uint32_t i;

    test_note("%s", s->name);
    for (i = 0; i < steps; i++) {
        double touches, work;

        if (s->before != NULL)
            s->before(world, i);
        CHECK(vsp_world_step(world) >= 0);
        if (s->is_busy)
            CHECK_UINT(0, vsp_world_stats(world).spent);
        touches = vsp_world_stats(world).touch_count;
        work = s->part == BOUNDS_SHELLS ? shell_work_of(world) : work_of(world);
        f.most_work = fmax(f.most_work, work);
        f.mean_work += work / steps;
        f.most_touches = fmax(f.most_touches, touches);
        f.mean_touches += touches / steps;
    }
    return f;
}

static const bounds_scene *find_scene(const char *name)
{
    const bounds_scene *s = bounds_scenes;

    while (strcmp(s->name, name) != 0)
        s++;
    return s;
}

static double busy_work(void)
{
    bounds_tables();
    return measure_bounds(bounds_scenes, 60).mean_work;
}

static void no_world_costs_twenty_times_a_busy_one(void)
{
    const bounds_scene *s;
    double busy = busy_work();

    for (s = bounds_scenes; s->name != NULL; s++)
        if (s->part == BOUNDS_QUICK)
            CHECK_AT_MOST(20.0, measure_bounds(s, 1).most_work / busy);
}

/* Measures a sixth of each scene's steps, with LONG=1 all. */
static void no_step_of_any_scene_does(void)
{
    const bounds_scene *s;
    double busy = busy_work();

    for (s = bounds_scenes; s->name != NULL; s++) {
        uint32_t steps = is_long() ? s->steps : (s->steps + 5) / 6;

        if (s->part == BOUNDS_QUICK || s->part == BOUNDS_SLOW)
            CHECK_AT_MOST(20.0, measure_bounds(s, steps).most_work / busy);
    }
}

/* Settings that a state may bring: as many sweeps as a world of the default def
 * takes, and none ends early. */
static void no_state_with_other_settings_does(void)
{
    static const uint32_t most_sweeps[] = {199, 497, 248, 211};
    double busy = busy_work();
    uint32_t stepper;

    for (stepper = 0; stepper < 4; stepper++) {
        vsp_world_def def = vsp_world_def_default();
        double most = 0.0;
        vsp_world *world;
        size_t size;
        uint32_t i;

        test_note("stepper %u", (unsigned)stepper);
        def.stepper = (vsp_stepper)stepper;
        def.tolerance = 0;
        def.sweeps = most_sweeps[stepper];
        world = new_world_of(&def);
        bounds_scenes[0].build(world);
        size = save_world(world, 0);
        world = new_world();
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        for (i = 0; i < 30; i++) {
            CHECK(vsp_world_step(world) >= 0);
            most = fmax(most, work_of(world));
        }
        if (shows())
            printf("    stepper %u: %.1f\n", (unsigned)stepper, most / busy);
        CHECK_AT_MOST(20.0, most / busy);
    }
}

/* Hulls cost more than boxes, so they are compared with a pile of the same
 * hulls: in work, and in pairs of shapes, each of which counts as `deep_pair`
 * pairs of the pile.  So much longer takes a pair of concentric hulls on a
 * desktop; in a pile, many pairs are soon found to be apart.
 * Compares only the sleepers, which cost most; with LONG=1 both scenes. */
static void check_hulls(const char *pile, const char *const deep[2],
                        double deep_pair)
{
    bounds_figures busy = measure_bounds(find_scene(pile), 4);
    double pairs = vsp_world_capacity(bounds_start(bounds_scenes)).pairs;
    int i;

    for (i = is_long() ? 0 : 1; i < 2; i++) {
        bounds_figures f = measure_bounds(find_scene(deep[i]), 1);

        CHECK_AT_MOST(20.0, f.most_work / busy.mean_work);
        CHECK_AT_MOST(20.0, deep_pair * f.most_touches / busy.mean_touches);
        CHECK_AT_MOST(16.0 * pairs, f.most_touches);
    }
}

/* Drums have more edges, and take twice as long, so they need LONG=1. */
static void no_hulls_cost_twenty_times_a_pile_of_them(void)
{
    static const char *const hulls[] = {"hulls at one point",
                                        "sleepers at one point"};
    static const char *const drums[] = {"drums at one point", "sleeping drums"};
    static const char *const mixed[] = {"drums and rounds", "drums and rounds"};

    bounds_tables();
    check_hulls("busy hulls", hulls, 3.0);
    if (is_long()) {
        check_hulls("busy drums", drums, 3.5);
        check_hulls("busy drums", mixed, 3.5);
    }
}

/* Hulls that a program makes at run time, and scaled ones. */
static void no_runtime_hulls_do(void)
{
    static const char *const made[] = {"runtime hulls", "runtime hulls"};
    static const char *const scaled[] = {"scaled hulls", "scaled hulls"};

    bounds_tables();
    check_hulls("busy runtime hulls", made, 3.0);
    check_hulls("busy scaled hulls", scaled, 3.0);
}

/* Shells cost far more than boxes, so a pile of leaves is the busy world.  Its
 * leaves touch from step 20 on. */
static void no_shells_cost_twenty_times_a_pile_of_leaves(void)
{
    const bounds_scene *s;
    double busy;

    bounds_tables();
    busy = measure_bounds(find_scene("busy leaves"), 60).mean_work;
    for (s = bounds_scenes; s->name != NULL; s++)
        if (s->part == BOUNDS_SHELLS)
            CHECK_AT_MOST(20.0, measure_bounds(s, s->steps).most_work / busy);
}


/* ---- Time ------------------------------------------------------------------
 * How many times as long as the mean step of the busy world of the same
 * capacity the longest step of a scene takes, in time and in work.  It is the
 * only test of work that no counter has, such as the search for seams. */

typedef struct bounds_times {
    double mean, most;           /* ms */
    double mean_work, most_work; /* ms */
} bounds_times;

static bounds_times time_scene(const bounds_scene *s, vsp_world *world)
{
    bounds_times t = {0, 0, 0, 0};
    uint32_t i;

    for (i = 0; i < s->steps && t.mean < 4000; i++) {
        double ms, work;
        clock_t start;

        if (s->before != NULL)
            s->before(world, i);
        start = clock();
        CHECK(vsp_world_step(world) >= 0);
        ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
        work = 1e-6 * (s->part == BOUNDS_SHELLS ? shell_work_of(world)
                                                : work_of(world));
        t.mean += ms;
        t.mean_work += work;
        t.most = fmax(t.most, ms);
        t.most_work = fmax(t.most_work, work);
    }
    t.mean /= i;
    t.mean_work /= i;
    return t;
}

/* The most that a step may take on a clock, in mean busy steps: twice the bound
 * of the work, as clocks are noisy. */
#define MOST_TIME 40.0

static void check_time(const bounds_scene *s, const bounds_times *busy)
{
    bounds_times t = time_scene(s, bounds_start(s));

    printf("    %-26s mean %8.2f ms, most %8.2f ms: %6.1f times the mean busy "
           "step, in work %6.1f\n",
           s->name, t.mean, t.most, t.most / busy->mean,
           t.most_work / busy->mean_work);
    fflush(stdout);
    test_note("%s", s->name);
    if (s->part != BOUNDS_HULLS && s->part != BOUNDS_SHELLS)
        CHECK_AT_MOST(MOST_TIME, t.most / busy->mean);
}

/* By a clock, so only on demand: all with SHOW=all, one with SCENE=cage. */
static void clock_of_all_scenes(void)
{
    const char *only = getenv("SCENE");
    const bounds_scene *s;
    bounds_times busy[2];
    uint32_t i, count = 0;

    if (!only && !shows())
        return;
    bounds_tables();
    for (i = 0; i < 2; i++)
        busy[i] = time_scene(
            bounds_scenes,
            bounds_start_sized(bounds_scenes, i == 1 ? SHELL_WORLD : 0));
    for (s = bounds_scenes; s->name != NULL; s++) {
        if (only && strcmp(only, s->name) != 0)
            continue;
        check_time(s, &busy[s->part == BOUNDS_SHELLS ? 1 : 0]);
        count++;
    }
    CHECK_AT_LEAST(1, count);
}


/* ---- Exhausted budgets --------------------------------------------------- */

static vsp_world *start_scene(const char *name)
{
    bounds_tables();
    return bounds_start(find_scene(name));
}

/* The step must test some of the triangles, spread over the whole box. */
static void a_large_box_lies_on_a_fine_field(void)
{
    vsp_world *world = start_scene("box on field");
    vsp_body_id box = vsp_body_at(world, 1);
    uint32_t i;

    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    CHECK_UINT(VSP_SPENT_PARTS, vsp_world_stats(world).spent);
    for (i = 0; i < 12; i++)
        CHECK(vsp_world_step(world) >= 0);
    CHECK_NEAR(1.2, num(vsp_body_center(world, box).y), 0.1);
    CHECK_AT_LEAST(0.999, body_axis(world, box, 1).y);
}

/* Without searches for nearest points, pairs still find contacts. */
static void solids_of_revolution_share_a_budget(void)
{
    vsp_world *world = start_scene("rounds at one point");
    vsp_capacity capacity = vsp_world_capacity(world);
    uint32_t i;

    for (i = 0; i < 3; i++) {
        CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
        CHECK_UINT(VSP_SPENT_PARTS, vsp_world_stats(world).spent);
        CHECK_AT_LEAST(capacity.contacts / 8,
                       vsp_world_stats(world).contact_count);
    }
}

/* Each pair gets an equal share of the budget, so all pairs find contacts. */
static void no_box_of_many_falls_through_a_mesh(void)
{
    vsp_world *world = start_scene("boxes on fan");
    uint32_t i;

    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    CHECK((vsp_world_stats(world).spent & VSP_SPENT_PARTS) != 0);
    CHECK_UINT(0, vsp_world_stats(world).spent & ~VSP_SPENT_PARTS);
    for (i = 1; i < 8; i++)
        CHECK_AT_LEAST(0.2,
                       num(vsp_body_center(world, vsp_body_at(world, i)).y));
}

static void pairs_beyond_the_budget_are_dropped(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    uint32_t i;

    def.capacity.pairs = 1;
    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    for (i = 0; i < def.capacity.bodies; i++)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 0, 0);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    CHECK_UINT(VSP_SPENT_PAIRS, vsp_world_stats(world).spent);
    CHECK_UINT(1, vsp_world_stats(world).contact_count);
    CHECK_AT_LEAST(1.0, vsp_world_stats(world).contacts_dropped);
    for (i = 2; i < def.capacity.bodies; i++)
        CHECK_STATUS(VSP_OK, vsp_body_destroy(world, vsp_body_at(world, i)));
    CHECK_STATUS(VSP_OK, vsp_world_step(world));
    CHECK_UINT(0, vsp_world_stats(world).spent);
}

/* Sticks that get no share of the budget may move by half of their half
 * extent. */
static void sticks_beyond_the_budget_are_slowed(void)
{
    vsp_world *world = start_scene("sticks");
    uint32_t count = vsp_world_stats(world).body_count;
    vsp_body_id last = vsp_body_at(world, count - 1);
    vec3 before = vec_from(vsp_body_center(world, last)), way;

    CHECK_STATUS(VSP_OK, vsp_world_step(world));
    CHECK_UINT(VSP_SPENT_GAPS, vsp_world_stats(world).spent);
    CHECK_UINT(count - 1, vsp_world_stats(world).slowed_count);
    way = vec_sub(vec_from(vsp_body_center(world, last)), before);
    CHECK_AT_MOST(0.0501, vec_length(way));
    CHECK_AT_LEAST(1e-6, vec_length(way));
}

/* Each ball overlaps the next one more deeply, and only one contact fits, so
 * each round of detection wakes one more. */
static void sleepers_that_wake_one_by_one_all_wake(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    double at = 0.0;
    uint32_t i;

    def.capacity.manifolds = 1;
    def.gravity = real3(0, 0, 0);
    world = new_world_of(&def);
    for (i = 0; i < 20; i++) {
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), at, 0, 0);
        at += 0.99 - 0.01 * i;
    }
    for (i = 1; i < 20; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_awake(world, vsp_body_at(world, i), false));
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    CHECK_UINT(VSP_SPENT_WAKES, vsp_world_stats(world).spent);
    CHECK_UINT(20, vsp_world_stats(world).awake_count);
}


/* Panes that break into more and more pieces exhaust the tries of a step. */
static void breaking_panes_run_out_of_tries(void)
{
    vsp_world *world = start_scene("panes under SHOCK");
    uint32_t i, spent = 0;

    for (i = 0; i < 20; i++) {
        CHECK(vsp_world_step(world) >= 0);
        spent |= vsp_world_stats(world).spent;
    }
    CHECK_UINT(VSP_SPENT_TRIES, spent);
}

static const test tests[] = {
    TEST_SLOW(no_world_costs_twenty_times_a_busy_one),
    TEST_SLOW(no_step_of_any_scene_does),
    TEST_SLOW(no_state_with_other_settings_does),
    TEST_LONG(no_hulls_cost_twenty_times_a_pile_of_them),
    TEST_LONG(no_runtime_hulls_do),
    TEST_LONG(no_shells_cost_twenty_times_a_pile_of_leaves),
    TEST_LONG(clock_of_all_scenes),
    TEST_SLOW(a_large_box_lies_on_a_fine_field),
    TEST(solids_of_revolution_share_a_budget),
    TEST(no_box_of_many_falls_through_a_mesh),
    TEST(pairs_beyond_the_budget_are_dropped),
    TEST(sticks_beyond_the_budget_are_slowed),
    TEST(sleepers_that_wake_one_by_one_all_wake),
    TEST(breaking_panes_run_out_of_tries),
    TEST_END,
};

const test_suite bounds_suite = {"bounds", tests};
