/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A scene whose contacts and hinges are solved by pgs_sm.h instead of the
 * engine, which only detects contacts; and the eight cases of figure 2 of
 * Silcowitz, Niebe, Erleben 2010. */

#ifndef SM_SCENE_H
#define SM_SCENE_H

#include "contact_problem.h"
#include "pgs_sm.h"

#define SM_CASES 8

/* What the paper says of a case goes by its kind. */
typedef enum sm_kind { SM_JOINTS, SM_SMALL, SM_LARGER } sm_kind;

typedef struct sm_case {
    const char *scene, *title;
    sm_kind kind;
} sm_case;

extern const sm_case sm_cases[SM_CASES];

typedef struct sm_scene {
    scene_run run;
    contact_problem contacts;
    double dt; /* s */
} sm_scene;

/* Starts a scene, and detects its contacts.  Returns false, and prints why on
 * stderr, if that fails. */
bool sm_scene_start(sm_scene *it, const char *name);

/* Fills the problem of the next step: three rows for each contact point, five
 * for each hinge, and one for each of its limits.  Gaps and limits may close in
 * the step; a fifth of each error is to vanish.  Returns false, and prints why
 * on stderr, if there are too many rows or another type of joint. */
bool sm_scene_problem(const sm_scene *it, sm_problem *to);

/* Writes the multipliers of this problem from the impulses of the engine's
 * first step of the same scene, in `world`. */
void sm_scene_impulses(const sm_scene *it, const vsp_world *world,
                       double *lambda);

/* Ends a step: moves all bodies with these velocities, six numbers a body, and
 * detects contacts again. */
bool sm_scene_move(sm_scene *it, const double *velocity);

/* Returns the kinetic energy, J, and writes the largest speed of a body,
 * m/s. */
double sm_scene_energy(const sm_scene *it, double *speed);

#endif
