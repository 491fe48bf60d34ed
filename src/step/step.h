/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Module step: gaps after a move, events, sleep, bullets, loads of joints,
 * shells, unions, and the four steppers, which call all modules below.
 * vsp_world_step, in step.c, is declared in vsp.h. */

#ifndef VSP_STEP_H
#define VSP_STEP_H

#include "../collide/collide.h"
#include "../solve/solve.h"


/* ---- refresh.c: contacts after a move ------------------------------------ */

/* Measures the gaps of a manifold of a list again, at the present poses.
 * Points keep their features; the witness points of spheres, capsules,
 * cylinders, cones and tapered capsules are recomputed. */
void vsp__refresh_manifold(vsp_world *world, uint32_t list, uint32_t manifold);

/* Returns whether the step needs the after list, that is a second detection: if
 * positions were corrected, or a shape moved farther than an eighth of the
 * envelope along some axis since the move began.  Two bodies whose shapes all
 * moved less cannot touch now if they were not near before: their manifolds of
 * the solved list are flagged VSP__STILL, unless a shape rolls, so the after
 * list copies them; they are measured again if positions were corrected. */
bool vsp__needs_detection_again(vsp_world *world, bool is_corrected);


/* ---- event.c: events of a step, sensors ---------------------------------- */

/* Clears the events of the last step. */
void vsp__clear_events(vsp_world *world);

/* Reports that a body fell asleep or woke up. */
void vsp__report_sleep(vsp_world *world, uint32_t body, bool is_asleep);

/* Reports that a body was stopped on its path. */
void vsp__report_stop(vsp_world *world, uint32_t body);

/* Reports that a joint reached a limit or broke. */
void vsp__report_joint(vsp_world *world, vsp_joint_id joint,
                       const vsp__joint *j, vsp_event_type type);

/* Reports that a body is now in the union of another, its root. */
void vsp__report_split(vsp_world *world, uint32_t body, uint32_t root);

/* Renames the bodies of shapes and joints in all events. */
void vsp__name_event_bodies(vsp_world *world);

/* Returns whether the shape in a slot is a sensor. */
bool vsp__is_sensor(const vsp_world *world, uint32_t shape);

/* Stores the pairs that the detection sensed as the state of all sensors, and
 * reports the shapes that entered or left. */
void vsp__update_sensors(vsp_world *world);

/* Flags the manifolds of pairs that touched in the step before, and reports the
 * end of contact for pairs that have no manifold now.  Call it after the
 * detection, while the warm records of the last step still exist. */
void vsp__mark_touched(vsp_world *world);

/* Reports which pairs touch.  Call it while points have their impulses, before
 * these become warm records. */
void vsp__report_contacts(vsp_world *world);

/* Whether a build reports hits. */
#define VSP__HITS (VSP_EVENTS && VSP_PAIR_RULES)

/* Reports hits by the velocities before the solve.  Call it after
 * vsp__find_biases. */
void vsp__find_hits(vsp_world *world);

/* Removes the hits of contacts without an impulse.  Call it when the points
 * have their impulses. */
void vsp__drop_missed_hits(vsp_world *world);


/* ---- sleep.c: falling asleep and waking up ------------------------------- */

/* Wakes a body and the sleeping bodies near it, in a build with sleep.  API
 * calls use it before they move or destroy a body or its shape, and after they
 * create or change one. */
void vsp__wake_near_body(vsp_world *world, uint32_t body);

void vsp__wake_all_bodies(vsp_world *world);

/* Returns whether a step can be skipped: nothing is awake or moves, there are
 * no sensors, and no pair ends. */
bool vsp__is_all_at_rest(const vsp_world *world);

/* Detects the contacts of the solved list, and wakes each island that something
 * awake touches: then no body of the list is asleep. */
void vsp__detect_and_wake(vsp_world *world);

/* Counts how long bodies have been calm, and puts islands to sleep.  Call it
 * after the last move, before forces are cleared. */
void vsp__update_sleep(vsp_world *world);


/* ---- ccd.c: continuous collision of bullets ------------------------------ */

/* Sets the budget of a step for impacts. */
void vsp__start_impacts(vsp_world *world);

/* Moves each bullet to the first thing that it will hit in the step by its
 * velocity, and sets world->flown.  Call it before contacts are detected, after
 * the joints of bodies are listed. */
void vsp__fly_to_impacts(vsp_world *world);

/* Computes how long each of the bodies stack_order[first] to stack_order[last -
 * 1] moves: h, or less for a bullet that moved before the solve or hits
 * something.  The result is the body's pass.move.time, s.  Call it before the
 * move, with the velocities of the solve. */
void vsp__find_times_of_impact(vsp_world *world, uint32_t first, uint32_t last,
                               vsp__num h, bool is_layer);

/* Slows the fall of a body that is stopped before the h seconds of a move end.
 * Returns how long it moves. */
vsp__num vsp__cut_move(vsp_world *world, uint32_t body, vsp__num h);


/* ---- joint_load.c: limits and breaks of joints --------------------------- */

/* Breaks overloaded joints, and reports limits and breaks.  Call it at the end
 * of a step, before vsp__update_sleep. */
void vsp__finish_joints(vsp_world *world);


/* Return the squared ratio of a load to a strength: of the vector `sum` to
 * `most`, or of a joint's impulses to its strengths, the larger ratio of its
 * anchor and axes.  A joint breaks above 1. */
vsp__wide vsp__square_of_load(const vsp__wide *sum, vsp__wide most);
vsp__wide vsp__square_of_joint_load(const vsp__joint *j,
                                    const vsp__wide *impulse);

void vsp__break_joint(vsp_world *world, vsp__joint *j);

/* Reports a joint in a slot that reached a limit or broke. */
void vsp__report_joint_news(vsp_world *world, uint32_t slot, uint32_t news);


/* ---- retake.c: steps that are retaken ------------------------------------ */

/* Saves the state that a step changes, if it may be retaken, or has unions.
 * Call it before the step. */
void vsp__save_step(vsp_world *world);

/* Undoes a step.  If keeps_breaks, joints that began to bend or break stay
 * so. */
void vsp__take_step_back(vsp_world *world, bool keeps_breaks);


/* ---- path.c: shells keep apart ------------------------------------------- */

/* Counts the shells, and clears the paths of the last step.  Call it before a
 * step. */
void vsp__start_paths(vsp_world *world);

/* Stores the start poses of a try; the first try also predicts the end
 * poses. */
void vsp__open_paths(vsp_world *world);

/* Ends a try: if a shell would come too near to a shape on its path, requests
 * another try or changes the end poses. */
void vsp__clear_paths(vsp_world *world);

/* Returns whether the step must be retaken, and then undoes it. */
bool vsp__retakes_paths(vsp_world *world);


/* ---- union.c: bodies that move as one ------------------------------------ */

#if VSP_UNIONS

/* Returns the end of the union that begins at this index of the order. */
uint32_t vsp__end_of_union(const vsp__unions *u, uint32_t first);

#endif

/* Returns whether a joint may break or bend under its load. */
bool vsp__is_weak(const vsp__joint *j);

/* Computes a vector times the mass of a body, as its momentum from a velocity,
 * or its weight from gravity; and the angular momentum about its centre of mass
 * with this spin, kg m^2/s. */
void vsp__times_mass(const vsp__body *b, const vsp__v3 *v, vsp__wide3 *p);
void vsp__momentum_of_spin(const vsp__body *b, const vsp__v3 *spin,
                           vsp__wide3 *p);

/* Looks for rigid joints.  Call it before a step. */
void vsp__start_unions(vsp_world *world);

/* Returns whether there are rigid joints; *may_break is whether some may break
 * or bend. */
bool vsp__has_unions(const vsp_world *world, bool *may_break);

/* Returns whether this step was undone because unions bend or break. */
bool vsp__are_unions_broken(const vsp_world *world);

/* Returns whether a body is in a union that is one body now. */
bool vsp__is_in_union(const vsp_world *world, uint32_t body);

/* Replaces each union by one body.  Call it at the start of a step. */
void vsp__join_unions(vsp_world *world);

/* Restores the bodies of unions, at their new poses.  Call it after everything
 * that needs contacts, layers or sleep.  The joints inside unions keep the flag
 * VSP__JOINT_IN_UNION. */
void vsp__part_unions(vsp_world *world);

/* Finds the present unions, with joints that bend. */
void vsp__find_pieces(vsp_world *world);


/* ---- union_load.c: loads of joints inside unions ------------------------- */

/* Computes the loads of joints inside unions, and clears VSP__JOINT_IN_UNION.
 * If some are too large, undoes the step and returns true: the step must be
 * retaken, and those joints then transmit no more than their strength.
 * Otherwise breaks or bends joints, and reports them.  Call it after
 * vsp__part_unions. */
bool vsp__finish_unions(vsp_world *world);

#endif /* VSP_STEP_H */
