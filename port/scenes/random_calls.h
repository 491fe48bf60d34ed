/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Random calls that both scenes of random calls share; random_calls.c defines
 * them. */

#ifndef RANDOM_CALLS_H
#define RANDOM_CALLS_H

#include "scene.h"

typedef vsp_status random_call(scene_run *run);

/* Returns the mark of a slot: the last body created there, or in another slot
 * with the same mark.  Only the floor has mark 0. */
vsp_body_id *last_made(scene_run *run, uint32_t slot);

/* Returns the body of a random slot, but never the floor; one in run->stale is
 * the last body created there, which may be destroyed. */
vsp_body_id some_body(scene_run *run);

/* Returns the shape of a random slot; one id in 2 run->stale is not valid. */
vsp_shape_id some_shape(scene_run *run);
bool is_floor(const scene_run *run, vsp_shape_id id);

random_call call_set_gravity, call_body_destroy, call_set_transform,
    call_set_mass, call_set_damping, call_set_gravity_scale, call_set_user;
random_call call_force, call_center_force, call_torque, call_impulse,
    call_center_impulse, call_angular_impulse;
random_call call_shape_destroy, call_set_material;

/* Makes one of `count` calls, and adds its result to the generator's state. */
void call_one(scene_run *run, random_call *const *from, size_t count);

/* From random_calls_all.c: make one of all calls that change a world; make a
 * query; read events and contacts of the last step, and a joint.  Results are
 * added to the generator's state and to the world. */
void call_any(scene_run *run);
void ask_any(scene_run *run);
void look_around(scene_run *run);

/* The joint of a random slot, which may be none; a definition, which may be one
 * that is refused. */
vsp_joint_id some_joint(scene_run *run);
vsp_joint_def random_joint(scene_run *run);

/* From edits.c: makes one of the calls of VSP_EDITS and VSP_DRIVES. */
void edit_any(scene_run *run);

#endif
