/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A camera with perspective.  The sun is one too, far away: what it sees is
 * lit. */

#ifndef VIEW_H
#define VIEW_H

#include "port/vec_libm.h"

typedef struct view {
    vec3 eye;
    vec3 right, up, forward; /* of length 1 */
    int width, height;       /* pixels */
    double focal;            /* pixels: a thing of 1 m at 1 m */
} view;

/* A box along the axes that a view shows. */
typedef struct bounds {
    vec3 low, high;
} bounds;

/* Returns a view along a direction that just shows the box, filling this part
 * of the picture; angle is the field of view across its height, in rad. */
view view_of_box(const bounds *box, vec3 forward, int width, int height,
                 double angle, double part);

/* Returns a point in the view's own axes: right, up, and depth in z. */
vec3 view_local(const view *it, vec3 point);

/* Returns the pixel of a local point with a depth above 0: x, y, and nearness,
 * 1 / depth. */
vec3 view_project(const view *it, vec3 local);

/* Returns the direction through a pixel, with a depth of 1. */
vec3 view_ray(const view *it, double x, double y);

#endif
