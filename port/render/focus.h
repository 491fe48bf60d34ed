/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Finds what a picture should show. */

#ifndef FOCUS_H
#define FOCUS_H

#include "port/measure/solid.h"
#include "view.h"

/* Returns bounds of nothing; adds a solid to bounds; returns bounds around two
 * others; returns the length of the diagonal, m, 0 of nothing. */
bounds bounds_none(void);
void bounds_add_solid(bounds *box, const solid *it);
bounds bounds_join(bounds a, bounds b);
double bounds_size(const bounds *box);

/* Returns the bounds of the picture: around all bodies that can move, and
 * static ones that are not huge. */
bounds render_bounds(const vsp_world *world);

/* Returns closer bounds: without bodies that are far from most others, without
 * the way that bodies are about to go, and without static bodies far away. */
bounds render_focus(const vsp_world *world);

#endif
