/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Computes mass and inertia of a solid or a sheet of triangles. */

#ifndef MASS_PROPERTIES_H
#define MASS_PROPERTIES_H

#include "port/vec_libm.h"

/* Computes the mass properties of a closed surface; points in m, corners
 * anticlockwise seen from outside.  Returns false if there is no volume or the
 * centre is farther than 100 m from the origin. */
bool find_bulk(vsp_bulk *out, const vec3 *points, uint32_t (*triangles)[3],
               size_t count);

/* Computes the mass properties of an open or closed sheet without thickness:
 * volume is the area in m^2, inertia that of one kilogram. */
bool find_sheet_bulk(vsp_bulk *out, const vec3 *points,
                     uint32_t (*triangles)[3], size_t count);

/* Convert between a number and the bits of the nearest binary32. */
uint32_t float_bits(double number);
double float_number(uint32_t bits);

#endif
