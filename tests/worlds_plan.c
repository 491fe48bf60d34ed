/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The settings of sequences. */

#include "worlds.h"

#include "port/scenes/random_arguments.h"

/* Returns mostly the usual number, else an end of the range, or one between. */
static vsp_real setting(scene_run *dice, double low, double high, double usual)
{
    switch (pick_below(dice, 8)) {
    case 0:
        return scene_real(low);
    case 1:
        return scene_real(high);
    case 2:
        return scene_real(low +
                          (high - low) * pick_below(dice, 65536) / 65536.0);
    default:
        return scene_real(usual);
    }
}

/* Sets capacities.  Steps of many bodies take long and reach little that those
 * of a few do not, so they are rare. */
static void set_capacity(scene_run *dice, vsp_capacity *capacity)
{
    uint32_t most = 8;

    if (pick_below(dice, 20) == 0)
        return;
    if (pick_below(dice, 8) == 0)
        most = VSP_MAX_BODIES - 3;
    capacity->bodies = 4 + pick_below(dice, most);
    capacity->shapes = capacity->bodies + pick_below(dice, capacity->bodies);
    if (capacity->shapes > VSP_MAX_SHAPES)
        capacity->shapes = VSP_MAX_SHAPES;
    if (pick_below(dice, 3))
        return;
    capacity->shapes = 4 + pick_below(dice, capacity->shapes - 3);
    capacity->pairs = 1 + pick_below(dice, VSP_MAX_PAIRS);
    capacity->manifolds = 1 + pick_below(dice, VSP_MAX_MANIFOLDS);
    capacity->contacts = 4 + pick_below(dice, VSP_MAX_CONTACTS - 3);
    capacity->sensed = 1 + pick_below(dice, VSP_MAX_SENSED);
    capacity->joints = pick_below(dice, VSP_MAX_JOINTS + 1);
}

static void set_subspace(scene_run *dice, vsp_subspace *subspace)
{
    subspace->search = pick_below(dice, 4);
    subspace->steps = 10;
    if (pick_below(dice, 4))
        return;
    subspace->rounds = 1 + pick_below(dice, 6);
    subspace->tries = pick_below(dice, 6);
    subspace->steps = 1 + pick_below(dice, 200);
    subspace->friction_damping = setting(dice, 0.0, 1.0, 0.5);
}

/* Sets sweeps.  Steps with the most sweeps take long, so these are rare, and of
 * few bodies. */
static void set_sweeps(scene_run *dice, vsp_world_def *def)
{
    static const uint16_t sweeps[] = {1, 2, 3, 7, 40, 150};
    uint32_t count = def->capacity.bodies > 8 ? 5 : 6;

    if (pick_below(dice, 200) == 0) {
        def->sweeps = 10000;
        def->capacity.bodies = 4;
    } else if (pick_below(dice, 3) == 0)
        def->sweeps = sweeps[pick_below(dice, count)];
    if (pick_below(dice, 4) == 0)
        def->correction_sweeps = sweeps[pick_below(dice, count)];
}

/* Turns off what is on by default, and on what is not. */
static void set_switches(scene_run *dice, vsp_world_def *def)
{
    def->enable_warm_start = pick_below(dice, 8) != 0;
    def->enable_sleep = pick_below(dice, 8) != 0;
    def->enable_continuous = pick_below(dice, 6) != 0;
    def->enable_ranges = pick_below(dice, 6) != 0;
    def->enable_hinge_loops = pick_below(dice, 6) != 0;
    def->enable_seams = pick_below(dice, 6) != 0;
    if (def->stepper == VSP_STEPPER_PGS)
        def->enable_supports = pick_below(dice, 2) != 0;
}

#define MOST_SPEED (VSP_FIXED ? 500.0 : 10000.0)

/* Sets gravity.  The strongest carries all bodies to the ends of the world,
 * where they no longer touch, so it is rare. */
static void set_gravity(scene_run *dice, vsp_vec3 *gravity)
{
    if (pick_below(dice, 8) == 0)
        gravity->y = VSP_R(0.0);
    if (pick_below(dice, 6))
        return;
    gravity->x = setting(dice, -MOST_SPEED, MOST_SPEED, 0.0);
    gravity->y = setting(dice, -MOST_SPEED, MOST_SPEED, -9.81);
}

static vsp_world_def settings(scene_run *dice)
{
    vsp_world_def def = vsp_world_def_default();

    def.dt = setting(dice, 0.0001, 0.1, 0.02);
    set_gravity(dice, &def.gravity);
    def.stepper = (vsp_stepper)(pick_below(dice, 2) ? 0 : pick_below(dice, 4));
    def.friction = (vsp_friction)(pick_below(dice, 4) == 0);
    set_switches(dice, &def);
    def.envelope = setting(dice, 0.0001, 0.1, 0.01);
    def.tolerance = setting(dice, 0.0, 1.0, 0.0001);
    set_capacity(dice, &def.capacity);
    set_sweeps(dice, &def);
    def.fraction = setting(dice, 0.0, 1.0, 0.00125);
    set_subspace(dice, &def.subspace);
    def.sleep_speed = setting(dice, 0.0, 1.0, 0.1);
    def.sleep_time = setting(dice, 0.0, 60.0, 0.05);
    def.reports = pick_below(dice, 4) ? 127u : pick_below(dice, 128);
    return def;
}

/* Returns how many tables a world has at the beginning.  One of six has shells,
 * most of them of few triangles. */
static uint32_t pick_tables(scene_run *dice)
{
    if (pick_below(dice, 6) == 0)
        return SOLID_TABLES + 1 + pick_below(dice, pick_below(dice, 4) ? 2 : 5);
    return FIRST_TABLES + pick_below(dice, SOLID_TABLES + 1 - FIRST_TABLES);
}

static uint32_t smaller_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Makes sequences small whose steps take long, or that have many. */
static void limit_work(scene_run *dice, plan *it)
{
    uint32_t *bodies = &it->def.capacity.bodies;

    if (it->def.sweeps > 1000)
        it->steps = 15;
    if (it->steps > 1000) {
        it->tables = smaller_of(it->tables, SOLID_TABLES);
        *bodies = smaller_of(*bodies, 6);
    }
    if (*bodies > 12)
        it->steps = smaller_of(it->steps, 25);
    if (it->tables <= SOLID_TABLES)
        return;
    it->steps = smaller_of(it->steps, 60);
    *bodies = smaller_of(*bodies, pick_below(dice, 8) ? 6 : 12);
}

plan make_plan(uint32_t seed)
{
    static const uint8_t wild[] = {0, 3, 10, 30, 100};
    scene_run dice = {0};
    plan it;

    dice.random = seed * 2654435761u + 12345u;
    dice.random += dice.random == 0;
    it.wild = wild[pick_below(&dice, 5)];
    it.calls = 1 + pick_below(&dice, pick_below(&dice, 4) ? 4 : 40);
    it.steps = seed % 40 == 39 ? 1500 : 30 + pick_below(&dice, 120);
    it.tables = pick_tables(&dice);
    it.is_shared = pick_below(&dice, 4) == 0;
    it.def = settings(&dice);
    it.is_default = it.def.sweeps == 20 && it.def.correction_sweeps == 5 &&
                    it.def.stepper != VSP_STEPPER_SUBSPACE;
    limit_work(&dice, &it);
    return it;
}
