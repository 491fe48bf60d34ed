/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The complementarity problem of one step, Erleben 2007, eq. 20 and 27, and
 * iterative methods for it, in double precision:
 *
 *     w = A lambda + b, A = J M^-1 J^T + gamma I, low <= lambda <= high
 *
 * Three rows for each contact point: normal, then two tangents, with friction
 * within a pyramid (eq. 29); or the normal alone. */

#ifndef CONTACT_SYSTEM_H
#define CONTACT_SYSTEM_H

#include "contact_problem.h"
#include "matrix.h"

/* The width of gaps that still touch, m.  The bricks of the wall are 10 mm
 * apart side by side, at the edge of the engine's envelope. */
#define SYSTEM_TOUCHING 1e-3

typedef struct system_options {
    double dt;       /* s */
    vec3 gravity;    /* m/s^2 */
    double touching; /* m: points with wider gaps are left out */
    bool has_friction;
    double gamma; /* eq. 41, 1/kg */
} system_options;

/* A row of J with the masses it acts on. */
typedef struct system_row {
    int a, b;               /* 1 + indices of bodies; 0: static */
    vec3 way;               /* normal or tangent */
    vec3 turn_a, turn_b;    /* arm x way */
    double inverse_mass[2]; /* of a and b */
    vec3 spin_a, spin_b;    /* inverse inertia times turn_a, turn_b */
    double diagonal;        /* of A */
    double bias;            /* b of eq. 20 with 22 */
    double friction;        /* of a tangent; below 0: a normal */
} system_row;

typedef struct contact_system {
    const contact_problem *of;
    system_options options;
    system_row *rows;
    int count;      /* of rows */
    double *lambda; /* N s */
    double *work;   /* for conjugate gradients */
    double step;    /* of conjugate gradients: iterations so far */
    /* M^-1 J^T lambda, eq. 32, of body i at i + 1; 0: static */
    vec3 velocity[VSP_MAX_BODIES + 1], spin[VSP_MAX_BODIES + 1];
} contact_system;

/* Builds the rows; all multipliers are 0.  Returns false, and prints why on
 * stderr, if there is no memory. */
bool system_begin(contact_system *to, const contact_problem *of,
                  const system_options *options);

/* Builds the problem of a scene after some steps of the engine: detects
 * contacts, reads gravity and the length of a step from the scene, and builds
 * the rows.  Returns false, and prints why on stderr, if that fails. */
bool system_of_scene(contact_system *to, contact_problem *of,
                     const char *scene_name, uint32_t after,
                     const system_options *options);

/* Frees the memory. */
void system_end(contact_system *it);

/* Sets all multipliers to 0. */
void system_restart(contact_system *it);

/* Changes gamma of eq. 41; multipliers stay. */
void system_set_gamma(contact_system *it, double gamma);

/* Returns the mean of the diagonal of A, without gamma, 1/kg; 0 without
 * rows. */
double system_mean_diagonal(const contact_system *it);

/* Write A (with gamma), of size it->count; and the free velocity u + dt M^-1 f
 * of a body, eq. 18 and 19. */
void system_matrix(const contact_system *it, matrix *a);
void system_free_velocity(const contact_system *it, int body, vec3 *velocity,
                          vec3 *spin);

/* An iteration of projected Gauss-Seidel, eq. 28 to 33, with a step of omega
 * times its own: SOR. */
void system_sweep(contact_system *it, double omega);

/* An iteration of projected Jacobi: all rows from the multipliers of the last
 * iteration, with a step of omega times its own. */
void system_jacobi(contact_system *it, double omega);

/* An iteration of conjugate projected gradients (Renouf, Alart 2004). */
void system_gradients(contact_system *it);

/* Return theta, eq. 37 and 38: of this system; of that with a gamma of 0; of
 * that with the scaled matrix C A C, eq. 39 with C^2 = 1 / diag(A), and the
 * multipliers C^-1 lambda. */
double system_merit(const contact_system *it);
double system_undamped_merit(const contact_system *it);
double system_scaled_merit(const contact_system *it);

/* Returns the kinetic energy after the step, J. */
double system_energy(const contact_system *it);

/* Writes the velocity of a body after the step, eq. 19. */
void system_velocity(const contact_system *it, int body, vec3 *velocity,
                     vec3 *spin);

/* Gives the bodies the velocities after the step. */
void system_update(const contact_system *it, contact_problem *to);

#endif
