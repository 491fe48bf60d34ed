/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start positions of bodies, the metrics of one step, times, a progress line,
 * and the run that uses them.  The metrics use poses and velocities alone, so
 * they are comparable between engines. */

#define _POSIX_C_SOURCE 200112L

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fields.h"
#include "oracle.h"
#include "trace.h"


/* ---- Start positions ---------------------------------------------------- */

/* The last body seen in each slot, and its start position. */
typedef struct origin {
    vsp_body_id id;
    vec3 position;
    bool is_tracked;
} origin;

static origin origins[VSP_MAX_BODIES];

static void note_origins(const vsp_world *world)
{
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        origin *it = &origins[slot];

        if (id.bits == it->id.bits)
            continue;
        it->id = id;
        it->position = vec_from(vsp_body_transform(world, id).position);
        it->is_tracked = id.bits != 0 &&
                         (vsp_body_user(world, id) & SCENE_TRACK) != 0;
    }
}

static double highest_origin(void)
{
    double top = -1e9;

    for (int i = 0; i < VSP_MAX_BODIES; i++)
        if (origins[i].is_tracked)
            top = fmax(top, origins[i].position.y);
    return top;
}

static vec3 travel(const vsp_world *world, const origin *from)
{
    vsp_transform now = vsp_body_transform(world, from->id);

    return vec_sub(vec_from(now.position), from->position);
}


/* ---- Metrics of a step -------------------------------------------------- */

static double find_drift(const vsp_world *world)
{
    double drift = 0.0;

    for (int i = 0; i < VSP_MAX_BODIES; i++) {
        vec3 way;
        double distance;

        if (!origins[i].is_tracked)
            continue;
        way = travel(world, &origins[i]);
        distance = sqrt(way.x * way.x + way.z * way.z);
        /* written so that a NaN is kept */
        if (!(distance <= drift))
            drift = distance;
    }
    return drift;
}

static double find_top_error(const vsp_world *world)
{
    double top = highest_origin();
    double error = 0.0;

    for (int i = 0; i < VSP_MAX_BODIES; i++) {
        double rise;

        if (!origins[i].is_tracked || origins[i].position.y <= top - 1e-6)
            continue;
        rise = travel(world, &origins[i]).y;
        if (!(fabs(rise) <= fabs(error)))
            error = rise;
    }
    return error;
}

static double find_speed(const vsp_world *world)
{
    double speed = 0.0;

    for (int i = 0; i < VSP_MAX_BODIES; i++)
        if (origins[i].id.bits != 0)
            speed = fmax(speed, vec_length(vec_from(
                                    vsp_body_velocity(world, origins[i].id))));
    return speed;
}

static void count_moved(measure *out, const vsp_world *world)
{
    out->tracked = 0;
    out->moved = 0;
    for (int i = 0; i < VSP_MAX_BODIES; i++) {
        if (!origins[i].is_tracked)
            continue;
        out->tracked++;
        if (!(vec_length(travel(world, &origins[i])) <= 0.5))
            out->moved++;
    }
}

static void look_at_bodies(measure *out, const vsp_world *world, uint32_t step)
{
    static solid solids[VSP_MAX_SHAPES];
    int count = solids_read(world, solids);
    checkpoint *now = &out->end;

    now->step = step;
    now->drift = find_drift(world);
    now->top_error = find_top_error(world);
    now->penetration = solids_penetration(solids, count);
    now->energy = oracle_kinetic_energy(world, solids, count);
    if (!(now->penetration <= out->peak_penetration))
        out->peak_penetration = now->penetration;
    out->peak_speed = fmax(out->peak_speed, find_speed(world));
    if (step % 100 == 0 && out->checkpoint_count < MAX_CHECKPOINTS)
        out->checkpoints[out->checkpoint_count++] = *now;
}


/* ---- Time --------------------------------------------------------------- */

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare_times(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

static void sum_up_times(measure *out, double *ms, uint32_t count)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < count; i++)
        sum += ms[i];
    qsort(ms, count, sizeof *ms, compare_times);
    out->mean_ms = sum / count;
    out->median_ms = ms[count / 2];
    out->p99_ms = ms[(uint32_t)(0.99 * count)];
    out->max_ms = ms[count - 1];
}

/* Prints a progress line that overwrites itself, if stderr is a terminal. */
static void show_progress(const measure *it)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%-20s step %u of %u", it->name,
                (unsigned)it->end.step, (unsigned)it->steps);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%60s\r", "");
}


/* ---- Run ---------------------------------------------------------------- */

/* Makes a step, and times the engine's own work alone. */
static double timed_step(measure *out, vsp_world *world)
{
    double begin = now_ms();
    vsp_status status = vsp_world_step(world);
    double end = now_ms();
    vsp_stats stats = vsp_world_stats(world);

    double part = 1e-6 / out->steps;

    out->phase_ms[0] += stats.detect_ticks * part;
    out->phase_ms[1] += stats.solve_ticks * part;
    out->phase_ms[2] += stats.correct_ticks * part;
    out->phase_ms[3] += stats.rest_ticks * part;
    out->failures += status < 0;
    out->dropped += stats.contacts_dropped;
    out->sweeps += (double)stats.sweep_count / out->steps;
    out->rows += (double)stats.row_updates / out->steps;
    return end - begin;
}

static void run_steps(measure *out, scene_run *run, double *ms)
{
    for (uint32_t step = 0; step < out->steps; step++) {
        scene_drive(run, step);
        note_origins(run->world);
        ms[step] = timed_step(out, run->world);
        if (out->options.trace)
            trace_row(out->options.trace, run->world, step + 1);
        if ((step + 1) % 5 == 0 || step + 1 == out->steps) {
            look_at_bodies(out, run->world, step + 1);
            show_progress(out);
        }
    }
    end_progress();
}

static void finish_measure(measure *out, const scene_run *run)
{
    vsp_stats stats = vsp_world_stats(run->world);

    count_moved(out, run->world);
    out->bodies = simulation_bodies(run->world);
    out->pairs = stats.manifold_count;
    out->points = stats.contact_count;
    out->layers = stats.layer_count;
    out->merit = vsp_to_double(stats.merit);
    out->failures += run->failures;
    out->failures += vsp_world_validate(run->world, NULL) < 0;
    out->hash = vsp_world_hash(run->world);
}

bool measure_scene(measure *out, const char *name,
                   const simulation_options *options)
{
    scene_run run;
    double *ms;

    memset(out, 0, sizeof *out);
    memset(origins, 0, sizeof origins);
    if (!simulation_start(&run, name, options))
        return false;
    out->name = name;
    out->scene = run.scene;
    out->options = *options;
    out->steps = simulation_steps(&run, options);
    ms = malloc(out->steps * sizeof *ms);
    if (!ms) {
        fprintf(stderr, "vsp: no memory for the times of the steps\n");
        return false;
    }
    run_steps(out, &run, ms);
    sum_up_times(out, ms, out->steps);
    free(ms);
    finish_measure(out, &run);
    return true;
}

bool measure_stands(const measure *it)
{
    return it->moved == 0;
}

bool measure_is_good(const measure *it)
{
    return it->failures == 0 && (!it->scene->is_resting || measure_stands(it));
}
