/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hashes that every compiler, optimisation level and machine must get:
 * tests/golden.txt, one row for each point of a run,
 *
 *      scene setting kind class steps hash
 *
 * The head of that file says how large the world of a row is and which machines
 * run it.  Needs nothing but the engine and the scenes.  After a change to
 * other bits, and a new VSP_BITS_VERSION:
 *
 *      make golden */

#ifndef GOLDEN_H
#define GOLDEN_H

#include "scene.h"

/* the kind of this build's numbers, and so of its rows */
#if VSP_FIXED
#define GOLDEN_KIND "fixed"
#else
#define GOLDEN_KIND "float"
#endif

typedef enum golden_setting {
    GOLDEN_CARRY,   /* the default */
    GOLDEN_COLD,    /* no warm starting */
    GOLDEN_PYRAMID, /* friction pyramid */
    GOLDEN_PGS,
    GOLDEN_SHOCK,
    GOLDEN_RECORD, /* hashes of the bytes of its recording, not of the world:
                    * any machine can play another's recording */
    GOLDEN_SUBSPACE,
    GOLDEN_STAGGERED /* with all its options, and friction pyramids */
} golden_setting;

#define GOLDEN_SETTINGS 8

/* The smallest capacities that a run needs.  Its world has them in every build:
 * those of port/template/micro.h, tiny.h, small.h, console.h. */
typedef enum golden_class {
    GOLDEN_MICRO,
    GOLDEN_TINY,
    GOLDEN_SMALL,
    GOLDEN_CONSOLE
} golden_class;

#define GOLDEN_CLASSES 4

typedef struct golden_run {
    const char *scene;
    golden_setting setting;
    golden_class class;
    uint32_t steps;
} golden_run;

extern const golden_run golden_runs[];
extern const uint32_t golden_run_count;

extern const char *const golden_setting_names[GOLDEN_SETTINGS];

/* by class */
extern const char *const golden_class_names[GOLDEN_CLASSES];
extern const vsp_capacity golden_capacities[GOLDEN_CLASSES];

/* Returns whether this build has room for the run.  Only runs without room are
 * left out. */
bool golden_fits(const golden_run *run);

/* Returns the def of the run's world. */
vsp_world_def golden_world_def(const golden_run *run, const scene *found);

/* The points of a run: after 0, 1, 20, 100, 500 steps, as far as it goes, and
 * at its end. */
#define GOLDEN_POINTS 6

typedef struct golden_taken {
    uint32_t count; /* points taken */
    uint32_t steps[GOLDEN_POINTS];
    uint32_t hashes[GOLDEN_POINTS];
    uint32_t degraded; /* steps that dropped contacts */
} golden_taken;

/* Runs a scene and takes its hashes.  Returns false when it cannot or when a
 * call of the scene was refused. */
bool golden_take(const golden_run *run, golden_taken *taken);

/* Writes the row of a point and a line end, as in the table, and a 0. */
#define GOLDEN_ROW_BYTES 80
void golden_row(const golden_run *run, uint32_t steps, uint32_t hash,
                char row[GOLDEN_ROW_BYTES]);

#endif
