/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Random legal calls to three worlds, which must stay equal to the bit:
 *
 *      worlds                 3000 steps
 *      worlds 1000000         this many
 *      worlds 1 77            one sequence, that of seed 77
 *      worlds 1000000 1 show  also what worlds had, and the slowest steps
 *
 * The first world is recorded, and moves to other buffers while its old ones
 * are freed.  The second one is restored from a snapshot of itself, in place or
 * in a fresh world.  In some sequences workers share the steps of both.  The
 * third one plays the record, undisturbed and alone.  In this order: messages,
 * memory, the worlds that are restored and moved, workers, records, the time of
 * steps, sequences. */

#include "worlds.h"

#include "port/scenes/random_arguments.h"
#include "src/record/record.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

place_in_time now;


/* ---- Messages and memory ------------------------------------------------- */

static const char *program;

void give_up(const char *what)
{
    printf("worlds: seed %lu, step %lu: %s\n    rerun: %s 1 %lu\n",
           (unsigned long)now.seed, (unsigned long)now.step, what, program,
           (unsigned long)now.seed);
    fflush(stdout);
    _Exit(1);
}

/* Also gives up when a sanitizer or an assertion of the engine ends the
 * program. */
static void on_signal(int number)
{
    (void)number;
    give_up("a signal ended the program");
}

static void must_hold(bool holds, const char *what)
{
    if (!holds)
        give_up(what);
}

/* Returns memory of exactly this size, filled with meaningless bytes. */
static void *dirty_memory(size_t size)
{
    void *memory = malloc(size);

    must_hold(memory != NULL, "there is no memory");
    memset(memory, 0xdd, size);
    return memory;
}

static vsp_world *new_world(const vsp_world_def *def)
{
    vsp_world *world;

    must_hold(vsp_world_create(dirty_memory(VSP_WORLD_BYTES), VSP_WORLD_BYTES,
                               def, &world) == VSP_OK,
              "a world is refused");
    return world;
}

/* Returns a world that can restore the state of any other. */
static vsp_world *open_world(uint32_t tables)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.sweep_limit = 0xffffffffu;
    world = new_world(&def);
    if (tables > 0)
        give_tables(world, tables);
    return world;
}


/* ---- Two worlds ---------------------------------------------------------- */

#define RECORD_BYTES ((size_t)8 << 20)

static plan of_now;
static scene_run runs[WORLDS];
static vsp_world *spare; /* buffer for the next restore */
static vsp_world *left;  /* buffer for the next move */
static unsigned char *record;
static unsigned char *kept_state; /* state to go back to */
static size_t kept_size;
static uint32_t kept_tables;

/* Returns a snapshot in a block of just its size, so that a sanitizer sees who
 * reads beyond it. */
static unsigned char *packed_state(const vsp_world *world, size_t *size)
{
    static unsigned char buffer[VSP_SNAPSHOT_BYTES];
    unsigned char *bytes;

    must_hold(vsp_world_snapshot(world, buffer, sizeof buffer, size) == VSP_OK,
              "a snapshot is refused");
    bytes = malloc(*size);
    must_hold(bytes != NULL, "there is no memory");
    memcpy(bytes, buffer, *size);
    return bytes;
}

/* Restores the world of this run, in `spare` or in place. */
static void restore_world(scene_run *run, scene_run *dice)
{
    uint32_t tables = vsp_world_table_count(run->world);
    vsp_world *from = run->world;
    size_t size;
    unsigned char *bytes = packed_state(from, &size);

    if (pick_below(dice, 16) == 0) {
        free(spare);
        spare = open_world(tables);
    }
    if (pick_below(dice, 4)) {
        give_tables(spare, tables);
        run->world = spare;
        spare = from;
    }
    must_hold(vsp_world_restore(run->world, bytes, size) == VSP_OK,
              "a restore is refused");
    free(bytes);
}

/* Moves the world of this run to `left`, and spoils its old buffer; frees the
 * buffer before that sometimes, so that a sanitizer sees who uses it. */
static void move_world(scene_run *run, scene_run *dice)
{
    vsp_world *from = run->world;

    if (pick_below(dice, 16) == 0) {
        free(left);
        left = dirty_memory(VSP_WORLD_BYTES);
    }
    memcpy(left, from, VSP_WORLD_BYTES);
    memset(from, 0xdd, VSP_WORLD_BYTES);
    run->world = left;
    left = from;
}

/* Moves or restores worlds between any two calls. */
static void disturb_runs(scene_run *dice)
{
    if (pick_below(dice, 4))
        restore_world(&runs[RESTORED], dice);
    if (pick_below(dice, 2))
        move_world(&runs[RECORDED], dice);
}

static void begin_worlds(void)
{
    for (uint32_t i = 0; i < WORLDS; i++) {
        of_now.def.sweep_limit = 0xffffffffu;
        memset(&runs[i], 0, sizeof runs[i]);
        runs[i].world = new_world(&of_now.def);
        fill_world(&runs[i], &of_now);
        if (now.seed % 4 == 0)
            runs[i].world->params.tick = 0u - 20u; /* the count of steps wraps
                                                    * soon */
    }
    spare = open_world(FIRST_TABLES);
    left = dirty_memory(VSP_WORLD_BYTES);
    kept_size = 0;
}

static void end_worlds(void)
{
    for (uint32_t i = 0; i < WORLDS; i++)
        free(runs[i].world);
    free(spare);
    free(left);
}

/* Stores the state, or restores the stored one. */
static void go_back(scene_run *dice)
{
    uint32_t tables = vsp_world_table_count(runs[RECORDED].world);

    if (pick_below(dice, 2)) {
        must_hold(vsp_world_snapshot(runs[RECORDED].world, kept_state,
                                     VSP_SNAPSHOT_BYTES, &kept_size) == VSP_OK,
                  "a snapshot is refused");
        kept_tables = tables;
    } else if (kept_size > 0)
        for (uint32_t i = 0; i < WORLDS; i++)
            must_hold(vsp_record_restore(scene_recorder(&runs[i]), kept_state,
                                         kept_size) ==
                          (tables == kept_tables ? VSP_OK : VSP_ERR_TABLE),
                      "restoring the stored state is refused");
}


/* ---- Workers ------------------------------------------------------------- */

static scene_run crew; /* its generator decides on the order of tasks */

/* Runs tasks on this thread, in random order. */
static void run_tasks(void *context, vsp_task *task, void *work, uint32_t count)
{
    uint32_t order[64];

    (void)context;
    must_hold(count >= 1 && count <= 64, "tasks beyond the limit");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = pick_below(&crew, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        task(work, order[i]);
}

/* Lets workers share the next step of this run, or not. */
static void hire_workers(scene_run *run, scene_run *dice)
{
    vsp_workers workers = {run_tasks, NULL, 0};

    crew.random = next_bits(dice);
    workers.count = 1 + pick_below(dice, pick_below(dice, 3) ? 8 : 64);
    must_hold(vsp_world_set_workers(
                  run->world, pick_below(dice, 4) ? &workers : NULL) == VSP_OK,
              "workers are refused");
}


/* ---- Records ------------------------------------------------------------- */

static void begin_record(scene_run *dice)
{
    vsp_record_def def = {0};

    def.buffer = record;
    def.capacity = RECORD_BYTES;
    def.keyframe_interval = pick_below(dice, 2) ? 0 : 1 + pick_below(dice, 50);
    must_hold(vsp_record_begin(scene_recorder(&runs[RECORDED]),
                               runs[RECORDED].world, &def) == VSP_OK,
              "a record is refused");
}

/* Seeks back to a random step, and to the end again. */
static void seek_steps(scene_run *dice, vsp_player *player)
{
    uint32_t steps = player->step_count, middle = pick_below(dice, steps);

    must_hold(vsp_play_seek(player, middle) == VSP_OK, "cannot seek back");
    must_hold(vsp_play_seek(player, steps) == VSP_OK, "cannot seek to the end");
}

/* Plays the record to its end, and sometimes to a random step. */
static void play_record(scene_run *dice, uint32_t steps)
{
    scene_run *run = &runs[RECORDED];
    vsp_world *world = open_world(vsp_world_table_count(run->world));
    vsp_player player;
    vsp_status status;
    size_t size;

    status = vsp_record_end(&run->recorder, &size);
    must_hold(status == VSP_OK, "the record failed");
    must_hold(vsp_play_begin(&player, world, record, size) == VSP_OK &&
                  player.step_count == steps,
              "the record cannot be played");
    while ((status = vsp_play_step(&player)) != VSP_END) {
        now.step = player.step;
        must_hold(status == VSP_OK, "playing the record diverges");
    }
    compare_state(run->world, world);
    compare_step(run->world, world);
    if (pick_below(dice, 10) == 0)
        seek_steps(dice, &player);
    free(world);
}


/* ---- Time ---------------------------------------------------------------- */

#define CLASSES 8u /* classes of worlds, by bodies: 4 in each */

/* The steps of worlds of similar size; `when` is the slowest one. */
static struct step_class {
    double sum;
    uint32_t count;
    clock_t most;
    place_in_time when;
    vsp_stats stats;
} classes[VSP_STEPPER_SUBSPACE][CLASSES];

static void count_time(clock_t ticks)
{
    vsp_stats stats = vsp_world_stats(runs[RECORDED].world);
    uint32_t size = stats.body_count / 4;
    struct step_class *c;

    if (!of_now.is_default || of_now.is_shared)
        return;
    c = &classes[of_now.def.stepper][size < CLASSES ? size : CLASSES - 1];
    c->sum += (double)ticks;
    c->count++;
    if (ticks > c->most) {
        c->most = ticks;
        c->when = now;
        c->stats = stats;
    }
}

static void show_class(const char *stepper, uint32_t size,
                       const struct step_class *c)
{
    double unit = 1.0e6 / (double)CLOCKS_PER_SEC;
    const vsp_stats *s = &c->stats;

    if (c->count == 0)
        return;
    printf("%s %2lu bodies: %7lu steps, mean %4.0f us, most %6.0f us (%.0f "
           "times)\n    seed %lu step %lu: %lu pairs, %lu contacts, %lu "
           "joints, %lu sweeps, %lu corrections, %lu rows, %lu slowed\n",
           stepper, (unsigned long)(4 * size), (unsigned long)c->count,
           c->sum / c->count * unit, (double)c->most * unit,
           (double)c->most * c->count / (c->sum > 0.0 ? c->sum : 1.0),
           (unsigned long)c->when.seed, (unsigned long)c->when.step,
           (unsigned long)s->pair_count, (unsigned long)s->contact_count,
           (unsigned long)s->joint_count, (unsigned long)s->sweep_count,
           (unsigned long)s->correction_count, (unsigned long)s->row_updates,
           (unsigned long)s->slowed_count);
}

static void show_times(void)
{
    static const char *const names[] = {"carry", "pgs", "shock"};

    for (uint32_t i = 0; i < VSP_STEPPER_SUBSPACE; i++)
        for (uint32_t k = 0; k < CLASSES; k++)
            show_class(names[i], k, &classes[i][k]);
}


/* ---- Sequences ----------------------------------------------------------- */

static void make_calls(scene_run *dice)
{
    uint32_t count = pick_below(dice, of_now.calls + 1);

    if (pick_below(dice, 30) == 0)
        go_back(dice);
    for (; count > 0; count--) {
        for (uint32_t i = 0; i < WORLDS; i++)
            make_call(&runs[i]);
        if (pick_below(dice, 8) == 0)
            disturb_runs(dice);
        must_hold(runs[RECORDED].random == runs[RESTORED].random,
                  "a call returns another status");
    }
}

/* Steps the worlds.  Counts the smaller of two times, which other programs
 * disturbed less. */
static void step_worlds(void)
{
    vsp_status status[WORLDS];
    clock_t ticks[WORLDS];

    for (uint32_t i = 0; i < WORLDS; i++) {
        clock_t from = clock();

        status[i] = vsp_record_step(scene_recorder(&runs[i]));
        ticks[i] = clock() - from;
    }
    must_hold(status[RECORDED] >= 0, "a step is refused");
    must_hold(status[RECORDED] == status[RESTORED],
              "a step returns another status");
    count_time(ticks[RESTORED] < ticks[RECORDED] ? ticks[RESTORED]
                                                 : ticks[RECORDED]);
}

static void take_step(scene_run *dice)
{
    for (uint32_t i = 0; i < WORLDS; i++) {
        look_around(&runs[i]);
        if (of_now.is_shared)
            hire_workers(&runs[i], dice);
    }
    if (pick_below(dice, 4) == 0)
        disturb_runs(dice);
    if (now.step % 60 < 40)
        make_calls(dice);
    disturb_runs(dice);
    step_worlds();
    compare_state(runs[RECORDED].world, runs[RESTORED].world);
    compare_step(runs[RECORDED].world, runs[RESTORED].world);
    count_step(runs[RECORDED].world);
}

static void run_sequence(void)
{
    scene_run dice = {0};

    dice.random = now.seed * 2654435761u + 1u;
    dice.random += dice.random == 0;
    of_now = make_plan(now.seed);
    begin_worlds();
    begin_record(&dice);
    for (now.step = 0; now.step < of_now.steps; now.step++)
        take_step(&dice);
    play_record(&dice, of_now.steps);
    end_worlds();
}

int main(int count, char **arguments)
{
    uint32_t steps = 3000, made = 0, sequences = 0;

    program = arguments[0];
    signal(SIGABRT, on_signal);
    signal(SIGILL, on_signal);
    signal(SIGFPE, on_signal);
    signal(SIGSEGV, on_signal);
    if (count > 1)
        steps = (uint32_t)strtoul(arguments[1], NULL, 10);
    now.seed = 1;
    if (count > 2)
        now.seed = (uint32_t)strtoul(arguments[2], NULL, 10);
    record = dirty_memory(RECORD_BYTES);
    kept_state = dirty_memory(VSP_SNAPSHOT_BYTES);
    for (; made < steps; now.seed++, sequences++) {
        run_sequence();
        made += of_now.steps;
    }
    if (count > 3) {
        show_means();
        show_times();
    }
    printf("%lu steps in %lu sequences\n", (unsigned long)made,
           (unsigned long)sequences);
    free(record);
    free(kept_state);
    return 0;
}
