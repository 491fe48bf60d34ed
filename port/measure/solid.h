/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The shapes of a world in double precision, read through the public functions
 * alone. */

#ifndef SOLID_H
#define SOLID_H

#include "port/vec_libm.h"

typedef struct solid {
    vsp_shape_type type;
    vec3 center;       /* m; of a half-space, a point of its surface */
    vec3 axes[3];      /* of the shape in the world; a half-space ends where
                          axes[1] begins */
    vec3 half;         /* m, of a box; of a ball, the radius three times; of a
                          capsule, the radius in x, and in y half its length
                          without caps */
    double bound;      /* m, radius of the ball around it; 0 for a half-space */
    const void *table; /* of shapes that have one */
    double density;    /* kg/m^3 */
    vsp_body_id body;
    vsp_body_type body_type;
    uint32_t user;
    bool is_sensor;
} solid;

/* Writes the world's shapes in the order of their slots, at most
 * VSP_MAX_SHAPES.  Returns how many. */
int solids_read(const vsp_world *world, solid *out);

/* Returns the extent of the solid along a direction, from its center. */
double solid_reach(const solid *it, vec3 direction);

/* Convert points and directions between the solid's own axes and the
 * world's. */
vec3 solid_point(const solid *it, vec3 local);
vec3 solid_direction(const solid *it, vec3 local);
vec3 solid_local(const solid *it, vec3 point);
vec3 solid_local_direction(const solid *it, vec3 direction);

/* Numbers of tables, in metres. */
vec3 place_point(vsp_place place);
vec3 plane_normal(const vsp_plane *plane);
vec3 field_point(const vsp_height_field *field, int column, int row);

/* Distance of a point outside of a signed distance field, clamped to the grid,
 * and its gradient, of any length. */
double sdf_distance(const vsp_sdf *sdf, vec3 point);
vec3 sdf_slope(const vsp_sdf *sdf, vec3 point);

/* Returns the slot of a living body. */
uint32_t body_slot(vsp_body_id id);

#endif
