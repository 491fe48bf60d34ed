/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hashes that every compiler, optimisation level and machine must reproduce:
 * tests/golden.txt, one row for each point of a run,
 *
 *      scene setting kind class steps hash
 *
 * The head of that file defines the classes, and which machines run them.  This
 * code needs the engine and the scenes alone.  To rewrite the table after bits
 * changed, with a new VSP_BITS_VERSION:
 *
 *      make golden */

#ifndef GOLDEN_H
#define GOLDEN_H

#include "scene.h"

/* kind of numbers of this build, and so of its rows */
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
    GOLDEN_RECORD, /* the hash is of the bytes of a recording, not of the world:
                    * any machine can play another one's recording */
    GOLDEN_SUBSPACE,
    GOLDEN_STAGGERED /* the SUBSPACE stepper with all of its options, and
                      * friction pyramids */
} golden_setting;

#define GOLDEN_SETTINGS 8

/* The capacities of a run's world, in every build: those of
 * port/template/micro.h, tiny.h, small.h and console.h.  A run has the smallest
 * class that it fits in. */
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

extern const char *const golden_setting_names[GOLDEN_SETTINGS + 1];

/* names, by class */
extern const char *const golden_class_names[GOLDEN_CLASSES + 1];
extern const vsp_capacity golden_capacities[GOLDEN_CLASSES];

/* Returns whether this build can hold the run.  Only runs that do not fit are
 * left out. */
bool golden_fits(const golden_run *run);

/* Returns the definition of the run's world. */
vsp_world_def golden_world_def(const golden_run *run, const scene *found);

/* The points at which a run is hashed: after 0, 1, 20, 100 and 500 steps, as
 * far as it goes, and at its end. */
#define GOLDEN_POINTS 6

typedef struct golden_taken {
    uint32_t count; /* number of points hashed */
    uint32_t steps[GOLDEN_POINTS];
    uint32_t hashes[GOLDEN_POINTS];
    uint32_t degraded; /* steps that dropped contacts */
} golden_taken;

/* Runs a scene and takes its hashes.  Returns false if that is impossible or if
 * a call of the scene was refused. */
bool golden_take(const golden_run *run, golden_taken *taken);

/* Writes a point's row of the table: a line with its end, and a 0. */
#define GOLDEN_ROW_BYTES 80
void golden_row(const golden_run *run, uint32_t steps, uint32_t hash,
                char row[GOLDEN_ROW_BYTES]);

#endif
