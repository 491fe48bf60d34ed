/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Ground of every kind, level at height 0, and worlds of every stepper. */

#ifndef TESTS_GROUNDS_H
#define TESTS_GROUNDS_H

#include "vsp.h"

typedef enum ground {
    GROUND_PLANE,
    GROUND_BOX,
    GROUND_MESH,
    GROUND_FIELD,
    GROUND_HULL,
    GROUND_SHELL, /* this and the next see a solid by some of its points */
    GROUND_SDF,
    GROUNDS
} ground;

extern const char *const ground_names[GROUNDS];

/* Adds ground of at least 4 m by 4 m, 16 m by 6 m if solids are exact on it. */
void add_ground_of(vsp_world *world, ground kind);

#define STEPPERS 4

extern const vsp_stepper steppers[STEPPERS];
extern const char *const stepper_names[STEPPERS];

/* Returns a new world with stepper k of these. */
vsp_world *world_of_stepper(int k);

#endif
