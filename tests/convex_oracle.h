/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two convex solids in double precision, by exhaustive search: all pairs of
 * features for a distance, all axes for a depth.  Independent of the engine's
 * algorithms.  Also makes polyhedra, as tables, for tests. */

#ifndef CONVEX_ORACLE_H
#define CONVEX_ORACLE_H

#include "../src/record/record.h"
#include "port/geometry/hull.h"

#define ORACLE_CORNERS 64
#define ORACLE_EDGES 192
#define ORACLE_FACES 64

typedef struct point3 {
    double x, y, z;
} point3;

point3 p3(double x, double y, double z);
point3 p3_add(point3 a, point3 b);
point3 p3_sub(point3 a, point3 b);
point3 p3_scale(point3 a, double s);
point3 p3_cross(point3 a, point3 b);
double p3_dot(point3 a, point3 b);
double p3_length(point3 a);

/* Converts the engine's numbers. */
double real_of(vsp__num a);
double unit_of(vsp__num a);
point3 point_of(const vsp__v3 *v);
point3 direction_of(const vsp__v3 *v);

/* A solid: all points within a radius of these corners, edges and faces, in the
 * world.  Faces are lists of corners. */
typedef struct bulk {
    int corner_count, edge_count, face_count;
    point3 corners[ORACLE_CORNERS];
    int edges[ORACLE_EDGES][2];
    int face_first[ORACLE_FACES + 1];
    int face_corners[2 * ORACLE_EDGES];
    point3 normals[ORACLE_FACES]; /* outward */
    double radius;
    point3 origin; /* origin of its frame */
} bulk;

void hull_bulk(const vsp__convex *c, bulk *out);

/* Returns the gap from a to b along n, without radii; negative is depth. */
double bulk_separation(const bulk *a, const bulk *b, point3 n);

/* Returns the largest separation over all axes, without radii; negative is
 * depth.  With a front, skips axes that point against it. */
double bulk_best(const bulk *a, const bulk *b, const point3 *front);

/* Returns the distance of two solids that do not overlap, without radii. */
double bulk_distance(const bulk *a, const bulk *b);

/* Returns the distance from a point to the solid with its radius; 0 inside. */
double bulk_outside(const bulk *b, point3 p);

/* Makes the convex hull of points, by trying all planes through three of them.
 * Returns false if there is none, or it has too many faces. */
bool make_hull(const point3 *points, int count, hull_storage *room);

#endif
