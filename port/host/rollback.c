/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A hundred boxes of a metre fell into a pile and lie, but may not sleep: how
 * long a step of theirs takes, and a snapshot and a restore beside it. */

#include "rollback.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "vsp.h"

#define BOXES 100
#define SETTLE 300 /* steps */
#define RUNS 25    /* of which the median counts */
#define STEPS 4    /* in a run */
#define COPIES 50
#define WARM_AT 40 /* byte of a snapshot: how many warm records; see SPEC.md */
#define WARM_BYTES 16

static unsigned char memory[VSP_WORLD_BYTES + 16];
static unsigned char saved[VSP_SNAPSHOT_BYTES];

typedef struct rollback_times {
    double step[RUNS], snapshot[RUNS], restore[RUNS]; /* s */
} rollback_times;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static vsp_world *start_world(void)
{
    unsigned char *at = memory + 15 - ((uintptr_t)(memory + 15) & 15u);
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def ground = vsp_body_def_default();
    vsp_world *world;

    def.enable_sleep = false;
    ground.shape = vsp_half_space();
    if (vsp_world_create(at, VSP_WORLD_BYTES, &def, &world) < 0 ||
        vsp_body_create(world, &ground, NULL) < 0)
        return NULL;
    return world;
}

/* layers of five by five, each a little aside of the one below */
static bool drop_boxes(vsp_world *world)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    for (int i = 0; i < BOXES; i++) {
        int layer = i / 25;

        def.pose.position.x = vsp_from_double(1.1 * (i % 5) + 0.1 * layer);
        def.pose.position.y = vsp_from_double(0.6 + 1.3 * layer);
        def.pose.position.z =
            vsp_from_double(1.1 * (i / 5 % 5) + 0.15 * layer);
        if (vsp_body_create(world, &def, NULL) < 0)
            return false;
    }
    for (int i = 0; i < SETTLE; i++)
        vsp_world_step(world);
    return true;
}

/* All runs do the same: they begin with the same state. */
static bool time_run(vsp_world *world, size_t size, int run,
                     rollback_times *times)
{
    double begin = seconds();

    for (int i = 0; i < COPIES; i++)
        if (vsp_world_restore(world, saved, size) < 0)
            return false;
    times->restore[run] = (seconds() - begin) / COPIES;
    begin = seconds();
    for (int i = 0; i < COPIES; i++)
        if (vsp_world_snapshot(world, saved, sizeof saved, &size) < 0)
            return false;
    times->snapshot[run] = (seconds() - begin) / COPIES;
    begin = seconds();
    for (int i = 0; i < STEPS; i++)
        vsp_world_step(world);
    times->step[run] = (seconds() - begin) / STEPS;
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* the median of the runs, us */
static double median_us(double *times)
{
    qsort(times, RUNS, sizeof *times, by_size);
    return 1e6 * times[RUNS / 2];
}

static uint32_t warm_count(void)
{
    const unsigned char *at = saved + WARM_AT;

    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

int rollback_bench(void)
{
    static rollback_times times;
    vsp_world *world = start_world();
    size_t ground = 0, size = 0;
    double step, part;

    if (world == NULL ||
        vsp_world_snapshot(world, saved, sizeof saved, &ground) < 0 ||
        !drop_boxes(world) ||
        vsp_world_snapshot(world, saved, sizeof saved, &size) < 0)
        return 1;
    printf("%d boxes in a pile, awake: %u contacts\n", BOXES,
           vsp_world_stats(world).contact_count);
    for (int run = 0; run < RUNS; run++)
        if (!time_run(world, size, run, &times))
            return 1;
    step = median_us(times.step);
    printf("%-12s %9.1f us\n", "step", step);
    part = median_us(times.snapshot);
    printf("%-12s %9.1f us %6.1f %%\n", "snapshot", part, 100 * part / step);
    part = median_us(times.restore);
    printf("%-12s %9.1f us %6.1f %%\n", "restore", part, 100 * part / step);
    part = (double)size - (double)ground - WARM_BYTES * (double)warm_count();
    printf("%-12s %9.1f a body, %d a warm record; %lu in all\n", "bytes",
           part / BOXES, WARM_BYTES, (unsigned long)size);
    return 0;
}
