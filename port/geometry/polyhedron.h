/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Closed solids of flat faces, convex or not, and cuts through them. */

#ifndef POLYHEDRON_H
#define POLYHEDRON_H

#include <stddef.h>

#include "port/vec_libm.h"

#define POLY_SURFACE (-1) /* a face that no cut made */

/* A side of a face; the solid is on its left, seen from outside. */
typedef struct poly_side {
    uint32_t tail, head; /* points */
    uint32_t face;
} poly_side;

typedef struct poly_face {
    vec3 normal; /* outward; 0 of a face without area */
    int32_t cut; /* the cut that made it, or POLY_SURFACE */
} poly_face;

/* A face is the set of its sides, in any order: one or more closed outlines,
 * holes the other way round.  Every side has a twin of another face, the other
 * way round.  Points may be at the same place. */
typedef struct polyhedron {
    vec3 *points; /* m; from malloc, as are the next */
    poly_side *sides;
    poly_face *faces;
    size_t point_count, side_count, face_count;
    bool is_lost; /* no memory: it is empty */
} polyhedron;

/* n.p = offset, n of length 1; below it n.p is smaller. */
typedef struct cut_plane {
    vec3 normal;
    double offset; /* m */
} cut_plane;

/* Makes a solid of a closed surface: points at the same place, to 2^-20 m,
 * become one.  Returns null when done, else why not.  Free it afterwards, as
 * all others. */
const char *poly_read(polyhedron *out, const vec3 *points, size_t point_count,
                      uint32_t (*triangles)[3], size_t count);
void poly_free(polyhedron *it);

/* Makes the part of a solid below a plane.  Points within 0.1 um of the plane
 * count as on it.  The new face has the number `cut`. */
void poly_cut(polyhedron *out, const polyhedron *of, const cut_plane *plane,
              int32_t cut);

/* Makes one solid of each connected part: up to `room` of them, the last with
 * all the rest.  Returns how many; 0: no memory. */
size_t poly_separate(polyhedron *out, size_t room, const polyhedron *of);

/* Returns the volume, m^3, and its centre. */
double poly_volume(const polyhedron *of, vec3 *center);

/* A side along which the solid is not convex: between its faces there is more
 * than half a turn of solid. */
typedef struct poly_dent {
    vec3 at, left, right; /* a point of it; normals of its two faces */
    double weight;        /* m: its length times the sine of the angle */
} poly_dent;

/* Writes the `room` weightiest dents, the weightiest first.  Returns how
 * many. */
size_t poly_dents(const polyhedron *of, poly_dent *out, size_t room);

#endif
