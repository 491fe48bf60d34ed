/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The random calls that both scenes of random calls make; random_calls.c
 * defines them. */

#ifndef RANDOM_CALLS_H
#define RANDOM_CALLS_H

#include "scene.h"

typedef vsp_status random_call(scene_run *run);

/* The last body made in this slot, or in another one with the same mark; only
 * the floor has mark 0. */
vsp_body_id *last_made(scene_run *run, uint32_t slot);

/* The body of a random slot, except the floor's; one time in run->stale, the
 * last one that was made there, which may be gone. */
vsp_body_id some_body(scene_run *run);

/* The shape of a random slot; half as often as for bodies, one that may be
 * gone. */
vsp_shape_id some_shape(scene_run *run);
bool is_floor(const scene_run *run, vsp_shape_id id);

random_call call_set_gravity, call_body_destroy, call_set_transform,
    call_set_mass, call_set_damping, call_set_gravity_scale, call_set_user;
random_call call_force, call_center_force, call_torque, call_impulse,
    call_center_impulse, call_angular_impulse;
random_call call_shape_destroy, call_set_material;

/* Makes one of `count` calls; its answer goes into the sequence. */
void call_one(scene_run *run, random_call *const *from, size_t count);

/* Of random_calls_all.c: makes one of all calls that change a world; asks a
 * query; looks at events and contacts of the last step and at a joint.  Their
 * answers go into the sequence and into the world. */
void call_any(scene_run *run);
void ask_any(scene_run *run);
void look_around(scene_run *run);

#endif
