/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Three worlds that get the same random calls: one is recorded, one is restored
 * from a snapshot of itself again and again, one moves through memory.
 * worlds_calls.c has their settings and the calls, worlds_same.c the
 * comparisons, worlds_main.c the rest. */

#ifndef WORLDS_H
#define WORLDS_H

#include "port/scenes/random_calls.h"

enum { PLAIN, RESTORED, MOVED, WORLDS };

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
    uint32_t wild;   /* see scene_run */
    uint32_t calls;  /* before a step, at most */
    bool is_default; /* default for settings that affect the work of a step */
} plan;

plan make_plan(uint32_t seed);

/* Fills a world, which has its tables, with bodies for the calls. */
void fill_world(scene_run *run, const plan *of);

/* Makes one of the calls of worlds_calls.c, or one of the scenes' calls. */
void make_call(scene_run *run);

/* Adds the tables of the first `count` that a world lacks. */
void give_tables(vsp_world *world, uint32_t count);

#define FIRST_TABLES 6u
#define ALL_TABLES 8u

/* Gives up unless the last step gave the same results in both worlds, and every
 * function returns the same for both. */
void compare_step(const vsp_world *a, const vsp_world *b);

/* Gives up unless the states of both worlds are valid and equal. */
void compare_state(const vsp_world *a, const vsp_world *b);

#endif
