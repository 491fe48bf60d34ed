/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The suites of build/tests, whose worlds are large enough for the scenes. */

#include "test.h"

extern const test_suite snapshot_suite;
extern const test_suite round_suite;
extern const test_suite turned_suite;
extern const test_suite taper_suite;
extern const test_suite collide_suite;
extern const test_suite material_suite;
extern const test_suite stats_suite;
extern const test_suite physics_suite;
extern const test_suite stacking_suite;
extern const test_suite golden_suite;
extern const test_suite fixed_suite;
extern const test_suite motion_suite;
extern const test_suite sleep_suite;
extern const test_suite event_suite;
extern const test_suite tables_suite;
extern const test_suite shapes_suite;
extern const test_suite ccd_suite;
extern const test_suite surface_suite;
extern const test_suite convex_suite;
extern const test_suite sdf_suite;
extern const test_suite query_suite;
extern const test_suite calls_suite;
extern const test_suite character_suite;
extern const test_suite lockstep_suite;
extern const test_suite joint_suite;
extern const test_suite subspace_suite;
extern const test_suite rollback_suite;
extern const test_suite game_suite;
extern const test_suite level_suite;
extern const test_suite frame_suite;
extern const test_suite scenes_suite;
extern const test_suite noise_suite;
extern const test_suite rest_suite;
extern const test_suite truth_suite;
extern const test_suite floor_suite;
extern const test_suite joint_energy_suite;
extern const test_suite joint_worlds_suite;
extern const test_suite range_suite;
extern const test_suite hinge_loop_suite;
extern const test_suite spring_suite;
extern const test_suite drive_suite;
extern const test_suite gear_suite;
extern const test_suite union_suite;
extern const test_suite union_replay_suite;
extern const test_suite support_suite;
extern const test_suite impulse_suite;
extern const test_suite bounds_suite;
extern const test_suite fracture_suite;
extern const test_suite shell_suite;
extern const test_suite shell_paths_suite;
extern const test_suite shell_cases_suite;
extern const test_suite draw_suite;
extern const test_suite between_suite;
extern const test_suite math_suite;
extern const test_suite edit_suite;
extern const test_suite runtime_hull_suite;
extern const test_suite scale_suite;
extern const test_suite hull_scale_suite;
extern const test_suite explode_suite;
extern const test_suite pair_suite;
extern const test_suite rolling_suite;
extern const test_suite materials_suite;
extern const test_suite field_suite;
extern const test_suite workers_suite;

const test_suite *const test_suites[] = {
    &snapshot_suite,
    &collide_suite,
    &material_suite,
    &stats_suite,
    &physics_suite,
    &stacking_suite,
    &golden_suite,
    &fixed_suite,
    &motion_suite,
    &sleep_suite,
    &event_suite,
    &tables_suite,
    &shapes_suite,
    &ccd_suite,
    &surface_suite,
    &convex_suite,
    &sdf_suite,
    &query_suite,
    &calls_suite,
    &character_suite,
    &lockstep_suite,
    &joint_suite,
    &subspace_suite,
    &rollback_suite,
    &game_suite,
    &frame_suite,
    &scenes_suite,
    &noise_suite,
    &rest_suite,
    &truth_suite,
    &floor_suite,
    &joint_energy_suite,
    &joint_worlds_suite,
    &range_suite,
    &hinge_loop_suite,
    &spring_suite,
    &union_suite,
    &union_replay_suite,
    &support_suite,
    &impulse_suite,
    &bounds_suite,
    &fracture_suite,
    &shell_suite,
    &shell_paths_suite,
    &shell_cases_suite,
    &draw_suite,
    &between_suite,
    &math_suite,
    &drive_suite,
    &gear_suite,
    &edit_suite,
    &explode_suite,
    &pair_suite,
    &rolling_suite,
    &round_suite,
    &turned_suite,
    &level_suite,
    &taper_suite,
    &runtime_hull_suite,
    &scale_suite,
    &materials_suite,
    &hull_scale_suite,
    &field_suite,
    &workers_suite,
    NULL,
};
