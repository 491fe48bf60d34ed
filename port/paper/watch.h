/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A scene that runs while an experiment watches it: how far bodies moved, how
 * deep they overlap, how much energy they have, how long steps take. */

#ifndef WATCH_H
#define WATCH_H

#include "page.h"
#include "port/measure/simulation.h"
#include "port/vec_libm.h"

typedef struct watch {
    scene_run run;
    const char *name;                               /* of the scene */
    double dt;                                      /* s: length of a step */
    uint32_t step;                                  /* steps taken */
    bool (*advance)(scene_run *run, uint32_t step); /* makes a step; null: the
                                                     * engine does */
    double total_ms, worst_ms;                      /* time of the steps */
} watch;

/* What is seen at a moment. */
typedef struct sight {
    double drift;       /* m: largest horizontal displacement of a tracked body
                         * from its start */
    double sink;        /* m: largest loss of height of a tracked body */
    double penetration; /* m: deepest overlap of two solids */
    double kinetic;     /* J */
    double potential;   /* J: of dynamic bodies; 0 at height 0 */
    int moved;          /* tracked bodies that moved by over 0.5 m */
    int tracked;
    uint32_t contacts; /* contact points of the last step */
} sight;

/* Returns the definition of the scene's world with a stepper. */
vsp_world_def watch_def(const char *name, vsp_stepper stepper);

/* Starts a scene; clears *it.  Returns false, and prints why on stderr, if that
 * fails. */
bool watch_start(watch *it, const char *name, const vsp_world_def *def);

/* Runs until `step` steps are taken.  Returns as watch_start. */
bool watch_run(watch *it, uint32_t step);

sight watch_look(const watch *it);

/* Returns the speed of the fastest dynamic body, m/s. */
double watch_speed(const watch *it);

/* Draws the world as it is. */
void watch_draw(const watch *it, page *to, const bounds *frame,
                const render_options *options, const char *caption);

/* Returns CPU seconds of this process. */
double cpu_seconds(void);

#endif
