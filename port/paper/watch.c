/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start positions, steps, and what is seen at a moment. */

#include "watch.h"

#include <string.h>
#include <time.h>

#include "port/measure/fields.h"
#include "port/measure/oracle.h"


/* ---- Start positions ----------------------------------------------------- */

/* The last body seen in each slot, and where it was first seen. */
static struct origin {
    vsp_body_id id;
    vec3 position;
    bool is_tracked;
} origins[VSP_MAX_BODIES];

static vec3 place_of(const vsp_world *world, vsp_body_id id)
{
    return vec_from(vsp_body_transform(world, id).position);
}

static void note_origins(const vsp_world *world)
{
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (id.bits == origins[slot].id.bits)
            continue;
        origins[slot].id = id;
        origins[slot].position = place_of(world, id);
        origins[slot].is_tracked = id.bits != 0 &&
                                   (vsp_body_user(world, id) & SCENE_TRACK);
    }
}


/* ---- Steps --------------------------------------------------------------- */

double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

vsp_world_def watch_def(const char *name, vsp_stepper stepper)
{
    scene_variant variant;
    const scene *which = scene_find(name, &variant);
    vsp_world_def def = which ? scene_world_def(which)
                              : vsp_world_def_default();

    def.stepper = stepper;
    if (stepper == VSP_STEPPER_SHOCK)
        def.sweeps = 10; /* as in the paper */
    return def;
}

bool watch_start(watch *it, const char *name, const vsp_world_def *def)
{
    memset(it, 0, sizeof *it);
    memset(origins, 0, sizeof origins);
    it->name = name;
    it->dt = vsp_to_double(def->dt);
    if (!simulation_start_in(&it->run, name, def))
        return false;
    note_origins(it->run.world);
    return true;
}

/* Makes the scene's changes, then the step, which alone is timed. */
static bool take_step(watch *it)
{
    double start, ms;
    bool is_done;

    scene_drive(&it->run, it->step);
    note_origins(it->run.world);
    start = cpu_seconds();
    is_done = it->advance ? it->advance(&it->run, it->step)
                          : vsp_world_step(it->run.world) >= 0;
    ms = (cpu_seconds() - start) * 1e3;
    it->total_ms += ms;
    it->worst_ms = fmax(it->worst_ms, ms);
    it->step++;
    return is_done;
}

bool watch_run(watch *it, uint32_t step)
{
    while (it->step < step)
        if (!take_step(it)) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", it->name);
            return false;
        }
    return true;
}


/* ---- Moments ------------------------------------------------------------- */

static void look_at_origins(const vsp_world *world, sight *out)
{
    for (int i = 0; i < VSP_MAX_BODIES; i++) {
        vec3 way;

        if (!origins[i].is_tracked)
            continue;
        way = vec_sub(place_of(world, origins[i].id), origins[i].position);
        out->tracked++;
        out->moved += vec_length(way) > 0.5;
        out->drift = fmax(out->drift, hypot(way.x, way.z));
        out->sink = fmax(out->sink, -way.y);
    }
}

sight watch_look(const watch *it)
{
    static solid solids[VSP_MAX_SHAPES];
    const vsp_world *world = it->run.world;
    int count = solids_read(world, solids);
    sight out = {0};

    look_at_origins(world, &out);
    out.penetration = solids_penetration(solids, count);
    out.kinetic = oracle_kinetic_energy(world, solids, count);
    out.potential = oracle_potential_energy(world);
    out.contacts = vsp_world_stats(world).contact_count;
    return out;
}

double watch_speed(const watch *it)
{
    double speed = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(it->run.world, slot);

        if (id.bits != 0)
            speed = fmax(speed, vec_length(vec_from(
                                    vsp_body_velocity(it->run.world, id))));
    }
    return speed;
}

void watch_draw(const watch *it, page *to, const bounds *frame,
                const render_options *options, const char *caption)
{
    page_world(to, it->run.world, frame, options, caption);
}
