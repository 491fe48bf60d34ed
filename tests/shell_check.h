/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Whether sheets cross or pass through anything, found without the engine: in
 * double precision, from poses that public functions tell, and by methods that
 * the engine does not use (signs of volumes; roots of cubics). */

#ifndef SHELL_CHECK_H
#define SHELL_CHECK_H

#include "port/vec_libm.h"

/* m: distances above it are not told apart */
#define SHELL_NEAR 0.001

/* What was found, and where first.  Shapes have the numbers of their slots. */
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
    shell_fault crossings; /* edges in triangles, points in solids: each one at
                              each look */
    shell_fault passes;    /* of two features, between two looks */
    shell_fault nearest;   /* when, and of which shapes */
    double distance;       /* m, the least of all looks; SHELL_NEAR: none was
                              smaller */
} shell_check;

/* Takes the shapes of a world, and looks at them for the first time.  They must
 * stay the same.  Signed distance fields are not looked at. */
void shell_check_begin(shell_check *check, const vsp_world *world,
                       bool finds_passes);

/* Looks at the shapes where they are now, and, if that is wanted, whether
 * anything has met while all corners moved straight from where they were at the
 * last look. */
void shell_check_look(shell_check *check);

/* Frees what begin took. */
void shell_check_end(shell_check *check);

/* Tells which shapes of a pair: a text that the next call overwrites. */
const char *shell_fault_text(const shell_check *check, const shell_fault *it);

/* Features: a point x[0] and a triangle, or two edges, x[0] to x[1] and x[2] to
 * x[3]. */
double shell_feature_distance(const vec3 x[4], bool are_edges);

/* Whether two features meet, or come nearer than a radius, while their corners
 * move straight. */
bool shell_features_pass(const vec3 from[4], const vec3 to[4], bool are_edges,
                         double radius);

/* Whether a segment passes through a triangle. */
bool shell_segment_crosses(vec3 p, vec3 q, const vec3 corner[3]);

/* Returns how often one closed line goes around the other. */
int shell_links(const vec3 *a, int a_count, const vec3 *b, int b_count);

#endif
