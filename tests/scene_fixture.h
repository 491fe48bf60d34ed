/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes for tests: started by name in the buffers of fixture.h, stepped, and
 * read in double precision. */

#ifndef SCENE_FIXTURE_H
#define SCENE_FIXTURE_H

#include "fixture.h"
#include "port/scenes/scene.h"
#include "port/vec_libm.h"

/* Start a scene in buffer 0, perhaps with another type of friction or with
 * sleep, or in buffer `index`, `offset` bytes from its start, or in steps of
 * dt, s.  On failure, fail the test and return false. */
bool play_start(scene_run *run, const char *name);
bool play_start_as(scene_run *run, const char *name, vsp_friction friction);
bool play_start_sleepy(scene_run *run, const char *name);
bool play_start_in_steps(scene_run *run, const char *name, double dt);
bool play_start_at(scene_run *run, const char *name, uint32_t index,
                   size_t offset);

/* Makes the steps from `from` to before `to`; none may be refused. */
void play_steps(scene_run *run, uint32_t from, uint32_t to);

/* Return pose and velocities of the body with a mark of the scene. */
vec3 mark_position(const scene_run *run, uint32_t mark);
vec3 mark_velocity(const scene_run *run, uint32_t mark);
vec3 mark_spin(const scene_run *run, uint32_t mark);

/* Returns the direction of an axis (0 x, 1 y, 2 z) of a body in the world. */
vec3 body_axis(const vsp_world *world, vsp_body_id id, uint32_t axis);

/* Creates a joint and returns its id; fails the test if it is refused. */
vsp_joint_id create_joint(vsp_world *world, const vsp_joint_def *def);

/* Returns kinetic and potential energy of all dynamic bodies, J. */
double total_energy(const vsp_world *world);

#endif
