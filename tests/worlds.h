/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two worlds that get the same random calls: one is recorded and moves through
 * memory, one is restored from a snapshot of itself again and again.  A third
 * one plays the record.  worlds_plan.c has their settings, worlds_calls.c,
 * worlds_more.c and worlds_asks.c the calls, worlds_same.c the comparisons,
 * worlds_tally.c what the sequences had, worlds_main.c the rest. */

#ifndef WORLDS_H
#define WORLDS_H

#include "port/scenes/random_calls.h"

enum { RECORDED, RESTORED, WORLDS };

/* The current sequence and step, for messages. */
typedef struct place_in_time {
    uint32_t seed, step;
} place_in_time;

extern place_in_time now;

/* Prints the failure and the command that repeats this sequence; ends the
 * program. */
void give_up(const char *what);

/* The settings of a sequence. */
typedef struct plan {
    vsp_world_def def;
    uint32_t steps;
    uint32_t tables; /* at the beginning */
    uint32_t wild;   /* see scene_run */
    uint32_t calls;  /* before a step, at most */
    bool is_shared;  /* workers make most steps */
    bool is_default; /* default for settings that affect the work of a step */
} plan;

plan make_plan(uint32_t seed);

/* Fills a world, which has its tables, with bodies for the calls. */
void fill_world(scene_run *run, const plan *of);

/* Makes one of the calls of worlds_calls.c or worlds_more.c, or one of the
 * scenes' calls. */
void make_call(scene_run *run);

/* Makes one of the calls of worlds_more.c, of worlds_asks.c. */
void make_more(scene_run *run);
void ask_more(scene_run *run);

/* A shape that the scenes' calls lack, perhaps one that only bodies that are
 * not dynamic may have. */
vsp_shape_def unusual_shape(scene_run *run, bool is_fixed);

/* Creates a body of such a shape. */
random_call call_new_body;

/* An end of the range of sizes, or a usual size. */
vsp_real size_of_end(scene_run *run);

/* Adds the tables of the first `count` that a world lacks. */
void give_tables(vsp_world *world, uint32_t count);

/* Those of TABLES_FEW, then those of worlds_tables.c, the last five of which
 * are shells. */
#define FIRST_TABLES 6u
#define SOLID_TABLES 10u
#define ALL_TABLES 15u

/* A sum over what a drawing shows of the last step. */
uint32_t sum_of_results(const vsp_world *world);

/* Gives up unless the last step gave the same results in both worlds, and every
 * function returns the same for both. */
void compare_step(vsp_world *a, vsp_world *b);

/* Gives up unless the states of both worlds are valid and equal. */
void compare_state(const vsp_world *a, const vsp_world *b);

/* Counts what a world has after a step; prints the means. */
void count_step(const vsp_world *world);
void show_means(void);

#endif
