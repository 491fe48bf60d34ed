/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The colours of bodies: linear red, green, blue in x, y, z, 0 to 1. */

#ifndef COLOUR_H
#define COLOUR_H

#include "port/measure/solid.h"

/* Converts the colour values of a screen to linear ones. */
vec3 colour_from_display(double red, double green, double blue);

/* Writes a colour for each solid by its type, with slight variations between
 * bodies. */
void colour_bodies(const solid *solids, int count, vec3 *out);

/* Returns the colour of a material of a table, by its number, on a solid of
 * this colour. */
vec3 colour_material(vec3 tint, int number);

/* Writes a colour for each solid by the stack layer of its body: blue at the
 * bottom, red at the top, grey without support. */
void colour_layers(const vsp_world *world, const solid *solids, int count,
                   vec3 *out);

#endif
