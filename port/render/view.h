/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A perspective camera.  The sun is one too, far away: what it shows is lit. */

#ifndef VIEW_H
#define VIEW_H

#include "port/vec_libm.h"

typedef struct view {
    vec3 eye;
    vec3 right, up, forward; /* unit vectors */
    int width, height;       /* pixels */
    double focal;            /* pixels of a length of 1 m at a depth of 1 m */
} view;

/* A box along the world's axes. */
typedef struct bounds {
    vec3 low, high;
} bounds;

/* Returns a view along a direction in which the box fills a fraction `part` of
 * the picture; angle is the vertical field of view, rad. */
view view_of_box(const bounds *box, vec3 forward, int width, int height,
                 double angle, double part);

/* Returns a point in the view's axes: right, up, and depth in z. */
vec3 view_local(const view *it, vec3 point);

/* Returns the pixel of a point in the view's axes, of a depth above 0: x, y,
 * and nearness, 1 / depth. */
vec3 view_project(const view *it, vec3 local);

/* Returns the direction of the ray through a pixel, of depth 1. */
vec3 view_ray(const view *it, double x, double y);

#endif
