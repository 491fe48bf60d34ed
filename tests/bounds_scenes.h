/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds whose steps are as expensive as legal calls can make them, and for
 * each sort a busy world of the same capacity. */

#ifndef BOUNDS_SCENES_H
#define BOUNDS_SCENES_H

#include "fixture.h"

typedef enum bounds_part {
    BOUNDS_QUICK,
    BOUNDS_SLOW,   /* slow to simulate */
    BOUNDS_HULLS,  /* slow, with many hulls */
    BOUNDS_SHELLS, /* slow, with shells, in a world of SHELL_WORLD bodies */
} bounds_part;

#define SHELL_WORLD 64u

typedef struct bounds_scene {
    const char *name;
    vsp_stepper stepper;
    void (*build)(vsp_world *world);
    void (*before)(vsp_world *world, uint32_t step); /* null: none */
    uint32_t steps;                                  /* steps to measure */
    bool is_busy; /* many bodies touch, as in a game; the first scenes */
    bounds_part part;
} bounds_scene;

/* The first scene is the busy one; a null name ends the list. */
extern const bounds_scene bounds_scenes[];

/* Makes the tables of the scenes; call it once. */
void bounds_tables(void);

/* Returns the world of a scene, in buffer 0.  With `bodies` the capacities are
 * in proportion to that number of bodies, in place of those of the scene. */
vsp_world *bounds_start_sized(const bounds_scene *scene, uint32_t bodies);

/* As bounds_start_sized, with the capacities of the scene. */
vsp_world *bounds_start(const bounds_scene *scene);

#endif
