/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Pictures of the cases of figure 2, and snakes after some seconds with PGS and
 * with the engine's stepper of it, SUBSPACE. */

#include <math.h>
#include <stdio.h>

#include "experiments.h"
#include "sm_scene.h"

#define TIME 4.0 /* duration of a run, s */
#define SWEEPS 20

static render_options small_picture(double azimuth)
{
    render_options options = render_options_default();

    options.width = 320;
    options.height = 240;
    options.azimuth = azimuth;
    return options;
}

static bool draw_case(page *to, const sm_case *which)
{
    render_options options = small_picture(30);
    vsp_world_def def = vsp_world_def_default();
    scene_run run;
    bounds frame;

    if (!simulation_start_in(&run, which->scene, &def))
        return false;
    frame = render_bounds(run.world);
    page_world(to, run.world, &frame, &options, which->title);
    return true;
}


/* ---- Snakes -------------------------------------------------------------- */

typedef struct trial {
    vsp_stepper stepper;
    uint32_t sweeps;
    double work;   /* computed multipliers a step */
    double height; /* of the highest body, m, at the end */
} trial;

static double top_of(const vsp_world *world)
{
    double top = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (vsp_body_get_type(world, id) == VSP_DYNAMIC)
            top = fmax(top, vsp_to_double(vsp_body_center(world, id).y));
    }
    return top;
}

/* Each step starts from zero multipliers and computes nearly all of its
 * sweeps. */
static bool run_trial(const char *name, trial *it, scene_run *run)
{
    scene_variant variant;
    vsp_world_def def = scene_world_def(scene_find(name, &variant));
    uint32_t steps = (uint32_t)(TIME / vsp_to_double(def.dt) + 0.5);

    def.stepper = it->stepper;
    def.sweeps = it->sweeps;
    def.friction = VSP_FRICTION_PYRAMID;
    def.enable_warm_start = false;
    def.enable_sleep = false;
    def.sweep_limit = 100000;
    if (!simulation_start_in(run, name, &def))
        return false;
    it->work = 0;
    for (uint32_t i = 0; i < steps; i++) {
        if (scene_step(run, i) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", name);
            return false;
        }
        it->work += vsp_world_stats(run->world).row_updates / steps;
    }
    it->height = top_of(run->world);
    return true;
}

static void draw_trial(page *to, const scene_run *run, const trial *it,
                       const bounds *frame, const char *title)
{
    render_options options = small_picture(0);
    char caption[160];

    snprintf(caption, sizeof caption,
             "%s after %.0f s: %s, %u sweeps, %.0f multipliers a step", title,
             TIME, it->stepper == VSP_STEPPER_PGS ? "PGS" : "our SUBSPACE",
             (unsigned)it->sweeps, it->work);
    page_world(to, run->world, frame, &options, caption);
}

/* PGS with as many sweeps; PGS with as much work as SUBSPACE; SUBSPACE. */
static bool draw_snakes(page *to, const char *name, const char *title)
{
    trial few = {VSP_STEPPER_PGS, SWEEPS, 0, 0};
    trial many = few, sm = {VSP_STEPPER_SUBSPACE, SWEEPS, 0, 0};
    claim it = {"", "more plausible", 0, AT_MOST, 1};
    vsp_world_def def = vsp_world_def_default();
    scene_run run;
    bounds frame;
    double start;
    char what[160];

    if (!simulation_start_in(&run, name, &def))
        return false;
    frame = render_bounds(run.world);
    start = top_of(run.world);
    if (!run_trial(name, &few, &run))
        return false;
    draw_trial(to, &run, &few, &frame, title);
    if (!run_trial(name, &sm, &run))
        return false;
    draw_trial(to, &run, &sm, &frame, title);
    many.sweeps = (uint32_t)ceil(few.sweeps * sm.work / few.work);
    if (!run_trial(name, &many, &run))
        return false;
    draw_trial(to, &run, &many, &frame, title);
    snprintf(
        what, sizeof what,
        "%s, sinking of the highest box in %.0f s, our SUBSPACE over PGS with "
        "as much work",
        name, TIME);
    it.what = what;
    it.ours = (start - sm.height) / (start - many.height);
    page_claim(to, &it);
    return true;
}

bool run_sm_pictures(page *to)
{
    for (int i = 0; i < SM_CASES; i++)
        if (!draw_case(to, &sm_cases[i]))
            return false;
    page_text(
        to,
        "Below, snakes that stood as in (a) and (b), and should still "
        "stand so. The paper does not mention warm starts; here each step "
        "starts cold. A sweep computes each multiplier once; our "
        "SUBSPACE, the paper's PGS-SM, has up to three rounds of sweeps, and "
        "searches.");
    return draw_snakes(to, "snake", "snake") &&
           draw_snakes(to, "snake-heavy", "heavy box on snake");
}
