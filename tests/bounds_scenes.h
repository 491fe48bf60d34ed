/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds whose steps cost as much as legal calls can make them cost, and for
 * each kind a busy world of the same capacity. */

#ifndef BOUNDS_SCENES_H
#define BOUNDS_SCENES_H

#include "fixture.h"

typedef enum bounds_part {
    BOUNDS_QUICK,
    BOUNDS_SLOW,  /* to simulate */
    BOUNDS_HULLS, /* slow, with many hulls */
} bounds_part;

typedef struct bounds_scene {
    const char *name;
    vsp_stepper stepper;
    void (*build)(vsp_world *world);
    void (*before)(vsp_world *world, uint32_t step); /* or null */
    uint32_t steps;                                  /* to look at */
    bool is_busy; /* many bodies meet, as in a game; the first ones */
    bounds_part part;
} bounds_scene;

/* The first one is the busy one; a null name ends the list. */
extern const bounds_scene bounds_scenes[];

/* Makes the tables of the scenes, once. */
void bounds_tables(void);

/* Returns a world of a scene, in buffer 0. */
vsp_world *bounds_start(const bounds_scene *scene);

#endif
