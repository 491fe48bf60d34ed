/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tests whether sheets cross or pass through anything, without the engine: in
 * double precision, from poses that public functions return, and by methods
 * that the engine does not use (signs of volumes; roots of cubics). */

#ifndef SHELL_CHECK_H
#define SHELL_CHECK_H

#include "port/vec_libm.h"

/* m: larger distances all count as this */
#define SHELL_NEAR 0.001

/* How many faults, and the first of them.  Shapes are numbered by their
 * slots. */
typedef struct shell_fault {
    uint32_t count;
    uint32_t step, shapes[2];
} shell_fault;

typedef struct shell_shape shell_shape;

typedef struct shell_check {
    const vsp_world *world;
    shell_shape *shapes;
    uint32_t shape_count, steps;
    bool finds_passes;
    shell_fault crossings; /* edges in triangles, points in solids: each counts
                            * once a look */
    shell_fault passes;    /* pairs of features that met between two looks */
    shell_fault nearest;   /* time and shapes of the least distance */
    double distance;       /* least distance of all looks, m; SHELL_NEAR: none
                            * was smaller */
} shell_check;

/* Reads the shapes of a world, and looks at them for the first time.  No shape
 * may be created or destroyed later.  Signed distance fields are skipped. */
void shell_check_begin(shell_check *check, const vsp_world *world,
                       bool finds_passes);

/* Tests the shapes in their present poses and, if finds_passes, whether any
 * features met while all corners moved straight since the last look. */
void shell_check_look(shell_check *check);

/* Frees the memory of shell_check_begin. */
void shell_check_end(shell_check *check);

/* Returns a text that names the two shapes; the next call overwrites it. */
const char *shell_fault_text(const shell_check *check, const shell_fault *it);

/* Returns the distance of two features: a point x[0] and a triangle, or two
 * edges, x[0] to x[1] and x[2] to x[3]. */
double shell_feature_distance(const vec3 x[4], bool are_edges);

/* Returns whether two features meet, or come nearer than a radius, while their
 * corners move straight. */
bool shell_features_pass(const vec3 from[4], const vec3 to[4], bool are_edges,
                         double radius);

/* Returns whether a segment passes through a triangle. */
bool shell_segment_crosses(vec3 p, vec3 q, const vec3 corner[3]);

/* Returns how often one closed line winds around the other. */
int shell_links(const vec3 *a, int a_count, const vec3 *b, int b_count);

#endif
