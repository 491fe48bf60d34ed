/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Runs a scene and measures how well it stood and how long it took. */

#ifndef MEASURE_H
#define MEASURE_H

#include "simulation.h"

/* Measured after every fifth step and the last one. */
typedef struct checkpoint {
    uint32_t step;
    double drift;       /* m: largest distance of a tracked body from its
                         * start, along the ground */
    double top_error;   /* m: largest rise (positive) or fall of the tracked
                           bodies that began highest */
    double penetration; /* m: deepest of any two solids */
    double energy;      /* J, kinetic */
} checkpoint;

#define MAX_CHECKPOINTS 1000

typedef struct measure {
    const char *name; /* of the scene, with suffixes */
    const scene *scene;
    simulation_options options;
    uint32_t steps;
    int bodies; /* not static */
    int tracked;
    int moved;                                 /* tracked, by over 0.5 m */
    double mean_ms, median_ms, p99_ms, max_ms; /* a step */
    double phase_ms[4];  /* mean: detect, solve, correct, rest; 0 where the
                            engine has no clock of ns */
    double sweeps, rows; /* mean of a step: sweeps, multipliers computed */
    checkpoint end;
    double peak_penetration;        /* m */
    double peak_speed;              /* m/s, of any body's centre */
    uint32_t pairs, points, layers; /* of the last step */
    uint32_t dropped;               /* contacts, in all */
    uint32_t failures;              /* calls refused, and a world not valid */
    uint32_t hash;                  /* of the state at the end */
    checkpoint checkpoints[MAX_CHECKPOINTS]; /* after every 100 steps */
    int checkpoint_count;
} measure;

/* Runs the scene from its start.  Returns false, and says why on stderr, when
 * it cannot be started. */
bool measure_scene(measure *out, const char *name,
                   const simulation_options *options);

/* Returns whether a scene that should rest did: no tracked body moved far. */
bool measure_stands(const measure *it);

/* Returns whether all calls and steps succeeded, and the scene rested if it
 * should. */
bool measure_is_good(const measure *it);

#endif
