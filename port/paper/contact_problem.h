/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Bodies and contact points of a world, in double precision, for solvers and
 * analyses outside of the engine.  Read through public functions alone.
 *
 * To use the engine as a detector only:
 *
 *     def = contact_detector_def(name);
 *     simulation_start_in(&run, name, &def);
 *     contact_problem_read_bodies(&problem, run.world);
 *     each step:
 *         contact_problem_detect(&problem, run.world);
 *         solve, and change body->velocity and body->spin
 *         contact_body_move(body, velocity, spin, dt) for each body
 *
 * Joints, locks, damping and surface velocities are not read. */

#ifndef CONTACT_PROBLEM_H
#define CONTACT_PROBLEM_H

#include "port/measure/simulation.h"
#include "port/vec_libm.h"

/* A symmetric matrix. */
typedef struct tensor {
    double xx, yy, zz, yz, xz, xy;
} tensor;

/* A body that is not static. */
typedef struct contact_body {
    vsp_body_id id;
    uint32_t slot;
    uint32_t user;
    vec3 center;         /* of mass, m, world */
    double rotation[4];  /* x, y, z, w */
    vec3 offset;         /* centre of mass in the body's frame, m */
    vec3 velocity;       /* of the centre of mass, m/s */
    vec3 spin;           /* rad/s, world axes */
    double mass;         /* kg; 0: kinematic */
    double inverse_mass; /* 0: kinematic */
    tensor own;          /* inertia about the centre along the axes of the
                          * body's frame, kg m^2; all 0: kinematic */
    tensor inverse_own;  /* its inverse */
    tensor inertia;      /* as own, along the world's axes */
    tensor inverse_inertia;
} contact_body;

/* A contact point between two bodies, of which one at least is dynamic. */
typedef struct contact_point {
    int a, b;    /* indices of bodies; -1: static */
    vec3 point;  /* m, world: the middle between both surfaces */
    vec3 normal; /* of length 1, from a to b */
    double gap;  /* m along the normal; negative: overlap */
    double friction, restitution;
    double impulse;    /* N s along the normal, of the engine's step */
    uint32_t manifold; /* points of the same manifold are consecutive */
    uint32_t layer;    /* stack layer of the engine */
} contact_point;

typedef struct contact_problem {
    contact_body bodies[VSP_MAX_BODIES];
    int body_count;
    contact_point points[VSP_MAX_CONTACTS];
    int point_count;
    int index[VSP_MAX_BODIES]; /* of the body in a slot; -1: static or none */
} contact_problem;

/* Reads all bodies that are not static.  If the mass of a body was set, its
 * inertia is that of its shapes, scaled to the mass. */
void contact_problem_read_bodies(contact_problem *to, const vsp_world *world);

/* Reads the contacts of the last step, with gaps and positions of its end; in
 * the engine's order.  Bodies must have been read. */
void contact_problem_read_points(contact_problem *to, const vsp_world *world);

/* Returns the definition of a world for contact_problem_detect: the scene's,
 * but with the least work in a step. */
vsp_world_def contact_detector_def(const char *scene_name);

/* Moves the world's dynamic bodies to the poses of these bodies, detects and
 * reads contacts at these poses, with gaps of these poses.  Needs one step
 * without gravity and velocities, with all axes locked, so that nothing moves.
 * Then the world's bodies have the velocities of these bodies, so that pictures
 * and measurements of the world show them; and the locks that they had.  Bodies
 * that were created since (by scene_drive) must have been read before.  Returns
 * false, and prints why on stderr, if a step fails. */
bool contact_problem_detect(contact_problem *it, vsp_world *world);

/* Gives the world's body the pose and velocities of this body, for pictures and
 * measurements of the world. */
void contact_body_show(const contact_body *it, vsp_world *world);

/* Moves a body for a time: eq. 26, but with an exact rotation about the spin;
 * updates its inertia along the world's axes.  A velocity and a spin that are
 * not those of the body serve position correction (eq. 46). */
void contact_body_move(contact_body *it, vec3 velocity, vec3 spin, double dt);

/* Returns the vector of a tensor times v. */
vec3 tensor_times(const tensor *t, vec3 v);

#endif
