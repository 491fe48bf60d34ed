/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A scene in the one world of this program. */

#ifndef SIMULATION_H
#define SIMULATION_H

#include "port/scenes/golden.h"

typedef struct simulation_options {
    uint32_t steps; /* 0: as many as the scene wants */
    vsp_stepper stepper;
    vsp_real fraction;        /* below 0: the default */
    const golden_run *golden; /* a run that gives the world its setting and
                               * class, instead; null: none */
} simulation_options;

/* Returns the defaults. */
simulation_options simulation_options_default(void);

/* Starts the scene of this name, in place of the one before.  Returns false,
 * and says why on stderr, when it cannot. */
bool simulation_start(scene_run *run, const char *name,
                      const simulation_options *options);

/* Does so in a world with this def. */
bool simulation_start_in(scene_run *run, const char *name,
                         const vsp_world_def *def);

/* Returns how many steps a run of the scene takes. */
uint32_t simulation_steps(const scene_run *run,
                          const simulation_options *options);

/* Returns the number of bodies that are not static. */
int simulation_bodies(const vsp_world *world);

#endif
