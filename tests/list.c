/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The rooms of build/tests, whose worlds have room for the scenes. */

#include "test.h"

extern const test_room snapshot_room, collide_room, material_room;
extern const test_room stats_room, physics_room, stacking_room, golden_room;
extern const test_room fixed_room;

const test_room *const test_rooms[] = {
    &collide_room, &material_room, &stats_room,    &snapshot_room,
    &golden_room,  &physics_room,  &stacking_room, &fixed_room,
    NULL,
};
