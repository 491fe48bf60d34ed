/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Times of states and of rollback, in piles of boxes with a side of a metre, at
 * rest but awake.  With a hundred boxes: a step, a snapshot and a restore.
 * With fifty, two of them pushed by players: a rollback with its steps, against
 * the same number of plain steps. */

#include "bench_rollback.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "vsp.h"

#define BOXES 100
#define FEWER 50
#define SETTLE 300 /* steps */
#define RUNS 25    /* runs of a measurement, whose median is printed */
#define STEPS 4    /* steps of a run */
#define COPIES 50
#define WARM_AT \
    40 /* offset of the number of warm records in a snapshot: SPEC.md */
#define WARM_BYTES 16
#define BACK 8 /* steps of a rollback */
#define STATE_BYTES 32768
#define MATCH_BYTES \
    VSP_ROLLBACK_BYTES(2, 1, BACK + 1, 2 * (BACK + 1), STATE_BYTES, 0)

static unsigned char memory[VSP_WORLD_BYTES + 16];
static unsigned char saved[VSP_SNAPSHOT_BYTES];
VSP_ARENA(match, MATCH_BYTES);

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

/* Drops layers of five by five, each offset a little from the one below, and
 * lets them come to rest. */
static bool drop_boxes(vsp_world *world, int count)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    for (int i = 0; i < count; i++) {
        int layer = i / 25;

        def.pose.position.x = vsp_from_double(1.1 * (i % 5) + 0.1 * layer);
        def.pose.position.y = vsp_from_double(0.6 + 1.3 * layer);
        def.pose.position.z = vsp_from_double(1.1 * (i / 5 % 5) + 0.15 * layer);
        if (vsp_body_create(world, &def, NULL) < 0)
            return false;
    }
    for (int i = 0; i < SETTLE; i++)
        vsp_world_step(world);
    return true;
}

/* Times one run.  All runs begin with the same state, and make the same
 * steps. */
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

/* Returns the median of the runs, us. */
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

static int bench_states(void)
{
    static rollback_times times;
    vsp_world *world = start_world();
    size_t ground = 0, size = 0;
    double step, part;

    if (world == NULL ||
        vsp_world_snapshot(world, saved, sizeof saved, &ground) < 0 ||
        !drop_boxes(world, BOXES) ||
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


/* ---- Rollback ------------------------------------------------------------ */

/* Each player pushes one of the last two boxes, back and forth. */
static vsp_status push_and_step(void *user, vsp_recorder *recorder,
                                const vsp_turn *turn)
{
    (void)user;
    for (uint32_t player = 0; player < 2; player++) {
        vsp_body_id box = vsp_body_at(recorder->world, FEWER - player);
        vsp_vec3 push = {VSP_R(-200.0), 0, 0};

        if (turn->inputs[player] != 0)
            push.x = -push.x;
        vsp_record_body_apply_center_impulse(recorder, box, push);
    }
    return vsp_record_step(recorder);
}

static vsp_rollback *start_match(vsp_world *world)
{
    vsp_rollback_def def = {0};
    vsp_rollback *rollback;

    def.world = world;
    def.players = 2;
    def.input_size = 1;
    def.depth = BACK;
    def.kept = BACK + 1;
    def.history = 2 * (BACK + 1);
    def.snapshot_size = STATE_BYTES;
    def.step = push_and_step;
    vsp_rollback_create(match.mem, sizeof match.mem, &def, 0, &rollback);
    return rollback;
}

/* Makes steps on a wrong guess, that the second player keeps pushing one way,
 * and times the rollback that corrects it. */
static bool time_match(vsp_rollback *rollback, const vsp_kept *first,
                       double *again)
{
    static const unsigned char forth = 1;
    double begin;

    if (vsp_rollback_load(rollback, first) < 0)
        return false;
    for (uint32_t i = 0; i < BACK; i++)
        if (vsp_rollback_input(rollback, 0, first->step + i, &forth) < 0 ||
            vsp_rollback_advance(rollback) < 0)
            return false;
    vsp_rollback_input(rollback, 1, first->step, &forth);
    begin = seconds();
    if (vsp_rollback_settle(rollback) < 0)
        return false;
    *again = seconds() - begin;
    return true;
}

/* Times plain steps with the same inputs, s a step. */
static bool time_steps(vsp_world *world, const vsp_kept *first, double *step)
{
    static const unsigned char forth[2] = {1, 1};
    vsp_recorder recorder = {0};
    vsp_turn turn = {0};
    double begin;

    recorder.world = world;
    turn.inputs = forth;
    if (vsp_world_restore(world, first->bytes, first->size) < 0)
        return false;
    begin = seconds();
    for (int i = 0; i < BACK; i++)
        push_and_step(NULL, &recorder, &turn);
    *step = (seconds() - begin) / BACK;
    return true;
}

static int bench_match(void)
{
    static double again[RUNS], step[RUNS];
    vsp_world *world = start_world();
    vsp_kept first = {0};
    vsp_rollback *rollback;
    double all, one;

    if (world == NULL || !drop_boxes(world, FEWER) ||
        (rollback = start_match(world)) == NULL ||
        vsp_world_snapshot(world, saved, sizeof saved, &first.size) < 0)
        return 1;
    first.bytes = saved;
    for (int run = 0; run < RUNS; run++)
        if (!time_match(rollback, &first, &again[run]) ||
            !time_steps(world, &first, &step[run]))
            return 1;
    if (vsp_rollback_get_stats(rollback).again_count != BACK * RUNS)
        return 1;
    all = median_us(again);
    one = median_us(step);
    printf("%d boxes, %d steps taken back and made again, in %lu bytes\n",
           FEWER, BACK, (unsigned long)MATCH_BYTES);
    printf("%-12s %9.1f us\n", "step", one);
    printf("%-12s %9.1f us, as %.1f steps\n", "rollback", all, all / one);
    return 0;
}

int rollback_bench(void)
{
    return bench_states() != 0 || bench_match() != 0;
}
