/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A scene in the one world of this program. */

#ifndef SIMULATION_H
#define SIMULATION_H

#include <stdio.h>

#include "port/scenes/golden.h"

typedef struct simulation_options {
    uint32_t steps; /* steps of the run; 0: the scene's default */
    vsp_stepper stepper;
    vsp_real fraction;        /* below 0: the engine's default */
    uint32_t sweeps;          /* most sweeps of a velocity solve; 0: default */
    uint32_t corrections;     /* most sweeps of a position solve; 0: default */
    double dt;                /* s: length of a step; 0: the scene's */
    bool is_cold;             /* no warm start */
    bool is_pyramid;          /* friction pyramids instead of cones */
    bool show_merit;          /* reports show the merit of the last step */
    FILE *trace;              /* gets a row for each step; null: none */
    const golden_run *golden; /* a run whose setting and class the world gets
                               * instead; null: none */
    const struct vsp_workers *workers; /* of the world; null: none */
} simulation_options;

/* Returns the defaults. */
simulation_options simulation_options_default(void);

/* Starts the scene of this name, in place of the previous one.  Returns false,
 * and prints why on stderr, if that fails. */
bool simulation_start(scene_run *run, const char *name,
                      const simulation_options *options);

/* Starts a scene as simulation_start, in a world with this definition. */
bool simulation_start_in(scene_run *run, const char *name,
                         const vsp_world_def *def);

/* Gives a world workers, if this build has any; null: none. */
void simulation_give_workers(vsp_world *world,
                             const struct vsp_workers *workers);

/* Returns the number of steps of a run. */
uint32_t simulation_steps(const scene_run *run,
                          const simulation_options *options);

/* Returns the number of bodies that are not static. */
int simulation_bodies(const vsp_world *world);

#endif
