/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Which runs have golden hashes, and how to take them. */

#include "golden.h"

#include "scenes.h"

/* Every kind of contact, event and setting, each in a few hundred bodies. */
const golden_run golden_runs[] = {
    {"rest", GOLDEN_DEFAULT},
    {"box-stack~1", GOLDEN_DEFAULT},
    {"wall~1@7", GOLDEN_DEFAULT},
    {"tower~2", GOLDEN_DEFAULT},
    {"pyramid:12~3", GOLDEN_DEFAULT},
    {"heavy:10000", GOLDEN_DEFAULT},
    {"ball-grid~1", GOLDEN_DEFAULT},
    {"random-wall:3", GOLDEN_DEFAULT},
    {"silo:150", GOLDEN_DEFAULT},
    {"pyramid-3d-shot:5", GOLDEN_DEFAULT},
    {"card-house-shot", GOLDEN_DEFAULT},
    {"dominoes", GOLDEN_DEFAULT},
    {"jammed-spheres", GOLDEN_DEFAULT},
    {"large-mass-pair", GOLDEN_DEFAULT},
    {"house", GOLDEN_DEFAULT},
    {"cannon", GOLDEN_DEFAULT},
    {"slide@30", GOLDEN_DEFAULT},
    {"slope:28@45", GOLDEN_DEFAULT},
    {"pull:5.5", GOLDEN_DEFAULT},
    {"roll", GOLDEN_DEFAULT},
    {"wedge", GOLDEN_DEFAULT},
    {"lean:10", GOLDEN_DEFAULT},
    {"plank:400", GOLDEN_DEFAULT},
    {"seesaw", GOLDEN_DEFAULT},
    {"lift", GOLDEN_DEFAULT},
    {"conveyor", GOLDEN_DEFAULT},
    {"bounce:0.8", GOLDEN_DEFAULT},
    {"drop-stack", GOLDEN_DEFAULT},
    {"free-collision", GOLDEN_DEFAULT},
    {"spin", GOLDEN_DEFAULT},
    {"cradle", GOLDEN_DEFAULT},
    {"pyramid:7~1", GOLDEN_COLD},
    {"card-house-shot:3", GOLDEN_COLD},
    {"pyramid:7~1", GOLDEN_PYRAMID},
    {"slide@30", GOLDEN_PYRAMID},
    {"card-house-shot:3", GOLDEN_PYRAMID},
    {"pyramid:7~1", GOLDEN_PGS},
    {"card-house-shot:3", GOLDEN_PGS},
    {"pyramid:7~1", GOLDEN_SHOCK},
    {"card-house-shot:3", GOLDEN_SHOCK},
};

const uint32_t golden_run_count =
    (uint32_t)(sizeof golden_runs / sizeof golden_runs[0]);

const uint32_t golden_steps[GOLDEN_POINTS] = {0, 1, 20, 100, 130};

static vsp_world_def run_def(const golden_run *which, const scene *found)
{
    vsp_world_def def = scene_world_def(found);

    switch (which->setting) {
    case GOLDEN_COLD:
        def.enable_warm_start = false;
        break;
    case GOLDEN_PYRAMID:
        def.friction = VSP_FRICTION_PYRAMID;
        break;
    case GOLDEN_PGS:
        def.stepper = VSP_STEPPER_PGS;
        break;
    case GOLDEN_SHOCK:
        def.stepper = VSP_STEPPER_SHOCK;
        break;
    default:
        break;
    }
    return def;
}

bool golden_take(const golden_run *which, uint32_t hashes[GOLDEN_POINTS])
{
    VSP_ARENA(arena, VSP_WORLD_BYTES);
    scene_variant variant;
    const scene *found = scene_find(which->scene, &variant);
    vsp_world_def def;
    scene_run run;
    uint32_t step = 0, point;

    if (!found)
        return false;
    def = run_def(which, found);
    if (vsp_world_create(arena.mem, sizeof arena.mem, &def, &run.world) < 0 ||
        !scene_start(&run, found, variant))
        return false;
    for (point = 0; point < GOLDEN_POINTS; point++) {
        for (; step < golden_steps[point]; step++)
            scene_step(&run, step);
        hashes[point] = vsp_world_hash(run.world);
    }
    return true;
}
