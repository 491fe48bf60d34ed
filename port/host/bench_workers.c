/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Times of shared steps.  Threads are measured by the wall, so they say what
 * this machine does now.  The model runs all tasks on one thread, measures each
 * by the time of its processor, and computes when N workers that take them in
 * order would have finished; with the rest of the step, which nobody shares,
 * that is the time of a step on N free cores.  It leaves out what a batch costs
 * to begin and end, and that cores share caches and memory. */

#define _POSIX_C_SOURCE 200809L

#include "bench_workers.h"

#include <stdio.h>
#include <time.h>

#include "port/threads/pool.h"

#if VSP_WORKERS

#define ROUNDS 3       /* of each measurement; the fastest counts */
#define MOST_STEPS 100 /* of a scene, without --steps */


/* ---- Clocks ------------------------------------------------------------- */

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double busy_seconds(void)
{
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns what a call of busy_seconds takes. */
static double cost_of_clock(void)
{
    double begin = busy_seconds();

    for (int i = 0; i < 9999; i++)
        busy_seconds();
    return (busy_seconds() - begin) / 10000;
}


/* ---- The model ---------------------------------------------------------- */

/* Workers that are computed. */
typedef struct model {
    uint32_t count;
    double clock; /* s: cost of the clock */
    double tasks; /* s: sum over all tasks */
    double spans; /* s: sum over the batches, from begin to end */
    uint32_t batches, calls;
} model;

static double *next_free(double *free_at, uint32_t count)
{
    double *first = free_at;

    for (uint32_t i = 1; i < count; i++)
        if (free_at[i] < *first)
            first = &free_at[i];
    return first;
}

/* vsp_workers.run.  Each task goes to the worker that is free first. */
static void run_model(void *context, vsp_task *task, void *work, uint32_t count)
{
    model *it = (model *)context;
    double free_at[POOL_MOST] = {0}, end = 0;

    for (uint32_t i = 0; i < count; i++) {
        double *worker = next_free(free_at, it->count);
        double took = busy_seconds();

        task(work, i);
        took = busy_seconds() - took - it->clock;
        took = took > 0 ? took : 0;
        it->tasks += took;
        *worker += took;
        end = *worker > end ? *worker : end;
    }
    it->spans += end;
    it->batches++;
    it->calls += count;
}


/* ---- Runs --------------------------------------------------------------- */

typedef struct bench_run {
    double wall, busy; /* s: of all steps */
    uint32_t steps, bodies, hash;
} bench_run;

/* Runs the scene with these workers, or none. */
static bool run_with(bench_run *out, const char *scene_name,
                     const simulation_options *options,
                     const vsp_workers *workers)
{
    simulation_options with = *options;
    scene_run run;

    with.workers = workers;
    if (!simulation_start(&run, scene_name, &with))
        return false;
    out->steps = simulation_steps(&run, options);
    if (options->steps == 0 && out->steps > MOST_STEPS)
        out->steps = MOST_STEPS;
    out->wall = out->busy = 0;
    for (uint32_t step = 0; step < out->steps; step++) {
        double wall, busy;

        scene_drive(&run, step);
        wall = seconds(CLOCK_MONOTONIC);
        busy = busy_seconds();
        (void)vsp_world_step(run.world);
        out->busy += busy_seconds() - busy;
        out->wall += seconds(CLOCK_MONOTONIC) - wall;
    }
    out->bodies = (uint32_t)simulation_bodies(run.world);
    out->hash = vsp_world_hash(run.world);
    return true;
}

/* Prints times of a step by threads, and compares the hash. */
static bool measure_threads(const bench_run *alone, const char *scene_name,
                            const simulation_options *options, uint32_t count)
{
    pool *threads = pool_open(count);
    bench_run best = {0};
    vsp_workers workers;
    bool is_same = threads != NULL;

    if (is_same)
        workers = pool_workers(threads);
    for (int i = 0; i < ROUNDS && is_same; i++) {
        bench_run now;

        is_same = run_with(&now, scene_name, options, &workers) &&
                  now.hash == alone->hash;
        if (i == 0 || now.wall < best.wall)
            best = now;
    }
    pool_close(threads);
    if (is_same)
        printf(" %7.2f", 1e3 * best.wall / best.steps);
    return is_same;
}

/* Returns the computed time of all steps by `count` workers; 0 if a hash
 * differs. */
static double compute_workers(const bench_run *alone, const char *scene_name,
                              const simulation_options *options, model *it)
{
    double clock = cost_of_clock(), best = 0;
    uint32_t count = it->count;

    for (int i = 0; i < ROUNDS; i++) {
        model now = {count, clock, 0, 0, 0, 0};
        vsp_workers workers = {run_model, &now, count};
        bench_run run;
        double rest;

        if (!run_with(&run, scene_name, options, &workers) ||
            run.hash != alone->hash)
            return 0;
        rest = run.busy - now.tasks - 2 * now.calls * clock;
        if (i == 0 || rest + now.spans < best) {
            best = rest + now.spans;
            *it = now;
        }
    }
    return best;
}

static bool compute_all(const bench_run *alone, const char *scene_name,
                        const simulation_options *options)
{
    static const uint32_t counts[] = {2, 4, 8};
    model it = {0};

    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        double took;

        it.count = counts[i];
        took = compute_workers(alone, scene_name, options, &it);
        if (took <= 0)
            return false;
        printf(" %5.2f", alone->busy / took);
    }
    printf(" %6.0f %7.0f\n", 100 * it.tasks / alone->busy,
           (double)it.batches / alone->steps);
    fflush(stdout);
    return true;
}

bool workers_row(const char *scene_name, const simulation_options *options)
{
    static const uint32_t counts[] = {1, 2, 4};
    bench_run alone, again;

    if (!run_with(&alone, scene_name, options, NULL))
        return false;
    for (int i = 1; i < ROUNDS; i++) {
        (void)run_with(&again, scene_name, options, NULL);
        alone.wall = again.wall < alone.wall ? again.wall : alone.wall;
        alone.busy = again.busy < alone.busy ? again.busy : alone.busy;
    }
    printf("%-16s %6u %8.2f", scene_name, (unsigned)alone.bodies,
           1e3 * alone.wall / alone.steps);
    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (!measure_threads(&alone, scene_name, options, counts[i]))
            return false;
    return compute_all(&alone, scene_name, options);
}

#else

bool workers_row(const char *scene_name, const simulation_options *options)
{
    (void)scene_name;
    (void)options;
    fprintf(stderr, "vsp: built without VSP_WORKERS\n");
    return false;
}

#endif

void workers_head(void)
{
    printf("%-16s %6s %8s %7s %7s %7s %5s %5s %5s %6s %7s\n", "scene", "bodies",
           "alone", "1", "2", "4", "2", "4", "8", "shared", "batches");
    printf("%-16s %6s %8s %23s %17s %6s %7s\n", "", "", "ms",
           "workers, ms, measured", "times, computed", "%", "a step");
}

void workers_legend(void)
{
    printf("\nmeasured  wall time of a step on this machine, as loaded as it "
           "is\ncomputed  how much faster than alone on so many free cores: "
           "each task is\n          measured on one thread, and the workers "
           "take tasks in their order\nshared    part of a step that tasks "
           "do, in %% of the time alone, with 8 workers\n");
}
