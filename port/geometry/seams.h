/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What pieces of a solid have in common: faces, and by accident space. */

#ifndef SEAMS_H
#define SEAMS_H

#include "fracture.h"

/* Finds the faces that two of the parts share: those of the same cut that look
 * at each other.  Writes the seams, from malloc, sorted by a and b.  Returns
 * false when there is no memory or an area beyond 100 m. */
bool find_seams(const polyhedron *parts, size_t count, fracture_seam **seams,
                size_t *seam_count);

/* Returns how deep two hulls overlap, m: how far one must move to be clear of
 * the other; 0 or less: not at all. */
double hull_overlap(const vsp_hull *a, vsp_place a_at, const vsp_hull *b,
                    vsp_place b_at);

#endif
