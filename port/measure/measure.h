/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Runs a scene and measures how far its bodies moved and how long it took. */

#ifndef MEASURE_H
#define MEASURE_H

#include "simulation.h"

/* Metrics, taken after every fifth step and the last one. */
typedef struct checkpoint {
    uint32_t step;
    double drift;       /* largest horizontal displacement of a tracked body
                         * from its start, m */
    double top_error;   /* largest rise (positive) or fall of the tracked bodies
                         * that began highest, m */
    double penetration; /* deepest penetration of any two solids, m */
    double energy;      /* kinetic energy, J */
} checkpoint;

#define MAX_CHECKPOINTS 1000

typedef struct measure {
    const char *name; /* name of the scene, with suffixes */
    const scene *scene;
    simulation_options options;
    uint32_t steps;
    int bodies; /* number of bodies that are not static */
    int tracked;
    int moved;                                 /* tracked bodies that moved by
                                                * over 0.5 m */
    double mean_ms, median_ms, p99_ms, max_ms; /* ms a step */
    double phase_ms[4];  /* mean ms of a step: detect, solve, correct, rest; 0
                          * if the engine has no clock in ns */
    double sweeps, rows; /* mean of a step: sweeps; multipliers computed */
    checkpoint end;
    double peak_penetration; /* m */
    double peak_speed;       /* largest speed of any body's centre, m/s */
    uint32_t pairs, points, layers; /* counts of the last step */
    uint32_t dropped;               /* contacts dropped, in all steps */
    uint32_t failures;              /* refused calls, and worlds found
                                     * invalid */
    double merit;                   /* (m/s)^2: of the last step */
    uint32_t hash;                  /* hash of the final state */
    checkpoint checkpoints[MAX_CHECKPOINTS]; /* after every 100 steps */
    int checkpoint_count;
} measure;

/* Runs the scene from its start.  Returns false, and prints why on stderr, if
 * it cannot start. */
bool measure_scene(measure *out, const char *name,
                   const simulation_options *options);

/* Returns whether no tracked body moved far, as for a scene that should
 * rest. */
bool measure_stands(const measure *it);

/* Returns whether all calls and steps succeeded, and a scene that should rest
 * did. */
bool measure_is_good(const measure *it);

#endif
