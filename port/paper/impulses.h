/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Impulse-based shock propagation: Guendelman, Bridson, Fedkiw, "Nonconvex
 * rigid bodies with stacking", 2003. */

#ifndef IMPULSES_H
#define IMPULSES_H

#include "levels.h"

/* Makes a step; uses *layers as its own.  Returns false, and prints why on
 * stderr, if detection fails. */
bool impulses_step(contact_problem *problem, levels *layers, vsp_world *world,
                   vec3 gravity, double h);

#endif
