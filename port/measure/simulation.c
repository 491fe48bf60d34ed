/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The world's memory, and a scene started in it. */

#include "simulation.h"

#include <stdio.h>

VSP_ARENA(arena, VSP_WORLD_BYTES);

simulation_options simulation_options_default(void)
{
    simulation_options options = {0};

    options.stepper = VSP_STEPPER_CARRY;
    options.fraction = VSP_R(-1.0);
    return options;
}

/* Sets what the options give a value. */
static void set_solver(vsp_world_def *def, const simulation_options *options)
{
    if (options->fraction >= VSP_R(0.0))
        def->fraction = options->fraction;
    if (options->sweeps > 0)
        def->sweeps = options->sweeps;
    if (options->corrections > 0)
        def->correction_sweeps = options->corrections;
    if (options->dt > 0.0)
        def->dt = scene_real(options->dt);
    if (options->is_cold)
        def->enable_warm_start = false;
    if (options->is_pyramid)
        def->friction = VSP_FRICTION_PYRAMID;
}

static vsp_world_def make_def(const scene *which,
                              const simulation_options *options)
{
    vsp_world_def def = scene_world_def(which);

    def.stepper = options->stepper;
    if (def.stepper == VSP_STEPPER_SHOCK)
        def.sweeps = 10; /* as in the paper */
    if (options->golden)
        def = golden_world_def(options->golden, which);
    set_solver(&def, options);
    return def;
}

bool simulation_start_in(scene_run *run, const char *name,
                         const vsp_world_def *def)
{
    scene_variant variant;
    const scene *which = scene_find(name, &variant);
    vsp_status status;

    if (!which) {
        fprintf(stderr, "vsp: no scene '%s'\n", name);
        return false;
    }
    status = vsp_world_create(arena.mem, sizeof arena.mem, def, &run->world);
    if (status < 0) {
        fprintf(stderr, "vsp: no world: %s\n", vsp_status_name(status));
        return false;
    }
    if (!scene_start(run, which, variant)) {
        fprintf(stderr, "vsp: the world refused %u bodies of '%s'\n",
                (unsigned)run->failures, name);
        return false;
    }
    return true;
}

#if VSP_WORKERS
void simulation_give_workers(vsp_world *world,
                             const struct vsp_workers *workers)
{
    vsp_world_set_workers(world, workers);
}
#else
void simulation_give_workers(vsp_world *world,
                             const struct vsp_workers *workers)
{
    (void)world;
    (void)workers;
}
#endif

bool simulation_start(scene_run *run, const char *name,
                      const simulation_options *options)
{
    scene_variant variant;
    const scene *which = scene_find(name, &variant);
    vsp_world_def def = vsp_world_def_default();

    if (which)
        def = make_def(which, options);
    if (!simulation_start_in(run, name, &def))
        return false;
    simulation_give_workers(run->world, options->workers);
    return true;
}

uint32_t simulation_steps(const scene_run *run,
                          const simulation_options *options)
{
    return options->steps > 0 ? options->steps : run->scene->steps;
}

int simulation_bodies(const vsp_world *world)
{
    int count = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (id.bits != 0 && vsp_body_get_type(world, id) != VSP_STATIC)
            count++;
    }
    return count;
}
