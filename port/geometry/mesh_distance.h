/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Distances of points to a surface of triangles, with a sign. */

#ifndef MESH_DISTANCE_H
#define MESH_DISTANCE_H

#include "port/vec_libm.h"

typedef struct distance_node {
    vec3 low, high;
    uint32_t first, count; /* interval of order[]; count 0: inner node */
    uint32_t next;         /* the next node behind this subtree */
} distance_node;

/* A surface and a tree over it.  The caller keeps points and triangles
 * alive. */
typedef struct distance_mesh {
    const vec3 *points;
    uint32_t (*triangles)[3];
    uint32_t *order; /* triangles in the order of the leaves */
    distance_node *nodes;
    uint32_t count, node_count;
} distance_mesh;

/* Builds the tree.  Returns false if there is not enough memory.  Free it
 * afterwards. */
bool distance_begin(distance_mesh *mesh, const vec3 *points,
                    uint32_t (*triangles)[3], size_t count);
void distance_free(distance_mesh *mesh);

/* Returns the distance from a point, 0 or more, if that is below the limit. */
double distance_from(const distance_mesh *mesh, vec3 point, double limit,
                     vec3 *nearest);

/* Adds to each of `count` windings, of the points low + i step along x, how
 * often the surface winds about the point: above 0 inside. */
void distance_wind(const distance_mesh *mesh, vec3 low, double step,
                   uint32_t count, int32_t *windings);

/* Returns the distance from a point, negative inside. */
double distance_signed(const distance_mesh *mesh, vec3 point, vec3 *nearest);

/* Returns the number of sides of triangles without an opposite side: 0 for a
 * closed surface.  Points at the same position count as one. */
size_t distance_count_open(const vec3 *points, size_t point_count,
                           uint32_t (*triangles)[3], size_t count);

#endif
