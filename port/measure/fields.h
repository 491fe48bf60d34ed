/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Penetration of signed distance fields, by points of their surfaces: what
 * oracle_penetration leaves out. */

#ifndef FIELDS_H
#define FIELDS_H

#include "solid.h"

/* Returns the depth of the deepest surface point of a signed distance field in
 * another one, or in a half-space, m; 0 if there is none.  One body at least is
 * dynamic.  Surface points are where grid lines cross the surface. */
double fields_penetration(const solid *solids, int count);

/* Returns the deepest overlap of two solids, signed distance fields among them,
 * m; NaN if a pose of a body is. */
double solids_penetration(const solid *solids, int count);

/* Returns the largest extent of a field's surface along an axis of its grid,
 * m. */
double field_length(const vsp_sdf *sdf);

#endif
