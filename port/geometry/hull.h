/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Makes convex hulls of points, as tables. */

#ifndef HULL_H
#define HULL_H

#include "port/vec_libm.h"
#include "table_source.h"

/* A table and its arrays: it must stay where it was built. */
typedef struct hull_storage {
    vsp_hull hull;
    vsp_place vertices[VSP_MAX_HULL];
    vsp_plane planes[VSP_MAX_HULL];
    uint16_t first[VSP_MAX_HULL + 1];
    uint8_t corners[4 * VSP_MAX_HULL];
    vsp_hull_edge edges[2 * VSP_MAX_HULL];
    double error; /* m: most by which a point is outside a plane */
} hull_storage;

/* Builds the hull of points, in m.  May leave out points that are outside the
 * hull of the others by less than the tolerance, by less than a 16384th of the
 * longest side, or by less than a 256th of the shortest.  If the hull would
 * have more than VSP_MAX_HULL vertices or faces, leaves out more points, the
 * least important first.  Every vertex is inside every plane.  It may be off
 * the planes of its own faces by at most one and a half times the largest of
 * the three lengths above.  Returns null if done, else the reason. */
const char *hull_build(hull_storage *out, const vec3 *points, size_t count,
                       double tolerance);

/* Returns the volume of the hull of points, m^3.  May leave out points that are
 * outside by less than 2^-19 m, and the least important ones of more than 128.
 * 0: all points are in a plane, or there is no memory. */
double hull_volume(const vec3 *points, size_t count);

/* Returns the bytes of the table and its arrays on a machine with addresses of
 * 4 bytes. */
size_t hull_bytes(const vsp_hull *hull);

/* Writes the arrays of hulls, one array of each sort for all hulls; `first` has
 * face_count + 1 numbers for each hull. */
void hull_write_arrays(table_text *text, const vsp_hull *const *hulls,
                       size_t count);

void hull_write(table_text *text, const table_origin *origin,
                const vsp_hull *hull);

#endif
