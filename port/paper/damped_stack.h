/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Damped steps that are solved, not iterated for a time: what falls is the
 * damped solution. */

#ifndef DAMPED_STACK_H
#define DAMPED_STACK_H

#include "contact_system.h"
#include "page.h"

/* Solves a system by conjugate gradients, from multipliers of 0.  Returns the
 * merit that is left, over that at the start. */
double damped_solve(contact_system *it);

/* Return, for a system that was solved: how fast the highest body sinks, m/s;
 * and which part of the weight of all bodies static ones carry. */
double damped_sinking_speed(const contact_system *it);
double damped_carried_part(const contact_system *it);

/* Simulates a second of a scene with steps of eq. 45, without correction.  Adds
 * to a curve how far its highest body fell, m, and draws the end, unless
 * `caption` is null.  *left becomes the merit that a solve left, if that is
 * larger.  Returns false, and prints why on stderr, if that fails. */
bool damped_stack_run(page *to, const char *scene_name, double gamma,
                      const char *caption, plot_curve *fall, double *left);

#endif
