/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What pieces of a solid share: faces and, by rounding, some space. */

#ifndef SEAMS_H
#define SEAMS_H

#include "fracture.h"

/* Finds the faces that two of the parts share: opposite faces of the same cut.
 * Writes the seams, from malloc, sorted by a and b.  Returns false if there is
 * no memory, or an area is beyond 100 m. */
bool find_seams(const polyhedron *parts, size_t count, fracture_seam **seams,
                size_t *seam_count);

/* Returns the overlap of two hulls, m: how far one must move to be clear of the
 * other; 0 or less: they do not overlap. */
double hull_overlap(const vsp_hull *a, vsp_place a_at, const vsp_hull *b,
                    vsp_place b_at);

#endif
