/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The shapes of a world in double precision, read through public functions
 * alone. */

#ifndef SOLID_H
#define SOLID_H

#include "port/vec_libm.h"

typedef struct solid {
    vsp_shape_type type;
    vec3 center;       /* m; for a half-space, a point of its surface */
    vec3 axes[3];      /* axes of the shape in the world; axes[1] points out of
                        * a half-space */
    vec3 half;         /* m: half extents of a box; a ball: its radius three
                        * times; a capsule: radius in x, and half its length
                        * without caps in y */
    double bound;      /* m: radius of the enclosing sphere; 0 for a
                        * half-space */
    const void *table; /* null for shapes without a table */
    vec3 scale;        /* of the points of a hull, mesh or height field */
    double density;    /* kg/m^3 */
    vsp_body_id body;
    vsp_body_type body_type;
    uint32_t user;
    bool is_sensor;
} solid;

/* Writes the world's shapes in the order of their slots, at most
 * VSP_MAX_SHAPES.  Returns their number. */
int solids_read(const vsp_world *world, solid *out);

/* Whether a solid is a cylinder or a cone: its half size is then the radius of
 * the lower disc, the half height, and the radius of the upper disc. */
bool is_turned_solid(const solid *it);

/* Returns the part of a cone between the balls of a tapered capsule, whose half
 * size is the radius of the lower ball, half the distance of the centres, and
 * the radius of the upper ball; the part is at *middle, m, along y from the
 * centre. */
solid taper_side(const solid *it, double *middle);

/* Returns the extent of the solid from its centre along a direction. */
double solid_reach(const solid *it, vec3 direction);

/* Writes the columns of the rotation matrix of a quaternion x, y, z, w. */
void axes_of_turn(const double q[4], vec3 axes[3]);

/* Returns the sum of axes[i] v[i], the turned vector. */
vec3 turn_vector(const vec3 axes[3], vec3 v);

/* Convert points and directions between the solid's axes and the world's. */
vec3 solid_point(const solid *it, vec3 local);
vec3 solid_direction(const solid *it, vec3 local);
vec3 solid_local(const solid *it, vec3 point);
vec3 solid_local_direction(const solid *it, vec3 direction);

/* Returns a point of the table of a hull, mesh or height field in its frame. */
vec3 solid_scaled(const solid *it, vec3 point);

/* Fills the outward normal of a face of a hull in its frame.  Returns the
 * distance of the face's plane from the origin, m. */
double solid_plane(const solid *it, int face, vec3 *normal);

/* Convert coordinates of tables to m. */
vec3 place_point(vsp_place place);
vec3 field_point(const vsp_height_field *field, int column, int row);

/* Returns the distance of a point from a signed distance field, clamped to the
 * grid. */
double sdf_distance(const vsp_sdf *sdf, vec3 point);

/* Returns the slot of an existing body. */
uint32_t body_slot(vsp_body_id id);

#endif
