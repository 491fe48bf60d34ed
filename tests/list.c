/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The rooms of build/tests, whose worlds have room for the scenes. */

#include "test.h"

extern const test_room snapshot_room;
extern const test_room collide_room;
extern const test_room material_room;
extern const test_room stats_room;
extern const test_room physics_room;
extern const test_room stacking_room;
extern const test_room golden_room;
extern const test_room fixed_room;
extern const test_room motion_room;
extern const test_room sleep_room;
extern const test_room event_room;
extern const test_room tables_room;
extern const test_room shapes_room;
extern const test_room ccd_room;
extern const test_room surface_room;
extern const test_room convex_room;
extern const test_room sdf_room;
extern const test_room query_room;
extern const test_room calls_room;
extern const test_room character_room;
extern const test_room lockstep_room;
extern const test_room joint_room;
extern const test_room subspace_room;
extern const test_room rollback_room;
extern const test_room game_room;
extern const test_room line_room;
extern const test_room scenes_room;

const test_room *const test_rooms[] = {
    &snapshot_room,
    &collide_room,
    &material_room,
    &stats_room,
    &physics_room,
    &stacking_room,
    &golden_room,
    &fixed_room,
    &motion_room,
    &sleep_room,
    &event_room,
    &tables_room,
    &shapes_room,
    &ccd_room,
    &surface_room,
    &convex_room,
    &sdf_room,
    &query_room,
    &calls_room,
    &character_room,
    &lockstep_room,
    &joint_room,
    &subspace_room,
    &rollback_room,
    &game_room,
    &line_room,
    &scenes_room,
    NULL,
};
