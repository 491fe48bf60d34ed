/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Closed solids of plane faces, convex or not, and cuts through them. */

#ifndef POLYHEDRON_H
#define POLYHEDRON_H

#include <stddef.h>

#include "port/vec_libm.h"

#define POLY_SURFACE (-1) /* number of the cut, for faces that no cut made */

/* A side of a face; the face is on its left, seen from outside. */
typedef struct poly_side {
    uint32_t tail, head; /* points */
    uint32_t face;
} poly_side;

typedef struct poly_face {
    vec3 normal; /* outward; 0 if the face has no area */
    int32_t cut; /* number of the cut that made it, or POLY_SURFACE */
} poly_face;

/* A face is the set of its sides, in any order: one or more closed outlines;
 * holes run clockwise.  Every side has a twin in another face, in the opposite
 * direction.  Points may be at the same position. */
typedef struct polyhedron {
    vec3 *points; /* m; from malloc, as the next two */
    poly_side *sides;
    poly_face *faces;
    size_t point_count, side_count, face_count;
    bool is_lost; /* memory ran out: the solid is empty */
} polyhedron;

/* The plane n.p = offset, n of length 1; points below it have smaller n.p. */
typedef struct cut_plane {
    vec3 normal;
    double offset; /* m */
} cut_plane;

/* Makes a solid of a closed surface.  Points at the same position, to 2^-20 m,
 * become one.  Returns null if done, else the reason.  Free all solids
 * afterwards. */
const char *poly_read(polyhedron *out, const vec3 *points, size_t point_count,
                      uint32_t (*triangles)[3], size_t count);
void poly_free(polyhedron *it);

/* Makes the part of a solid below a plane.  Points within 0.1 um of the plane
 * count as on it.  The new face gets the number `cut`. */
void poly_cut(polyhedron *out, const polyhedron *of, const cut_plane *plane,
              int32_t cut);

/* Makes a solid of each connected part, at most `room`; the last one gets all
 * remaining parts.  Returns their number; 0: no memory. */
size_t poly_separate(polyhedron *out, size_t room, const polyhedron *of);

/* Returns the volume, m^3, and sets its centre. */
double poly_volume(const polyhedron *of, vec3 *center);

/* A side along which the solid is not convex: the angle in the solid between
 * its faces is more than 180 degrees. */
typedef struct poly_dent {
    vec3 at, left, right; /* a point of the side; normals of its two faces */
    double weight;        /* m: length times the sine of the angle */
} poly_dent;

/* Writes the heaviest dents, at most `room`, the heaviest first.  Returns their
 * number. */
size_t poly_dents(const polyhedron *of, poly_dent *out, size_t room);

#endif
