/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The shapes of a world as an onlooker sees them: where they are, in double
 * precision, read through the public functions alone. */

#ifndef SOLID_H
#define SOLID_H

#include "vec.h"

typedef struct solid {
    vsp_shape_type type;
    vec3 center;    /* m; of a half-space, a point of its surface */
    vec3 axes[3];   /* of the shape in the world; a half-space ends where
                       axes[1] begins */
    vec3 half;      /* m, of a box; of a ball, the radius three times */
    double bound;   /* m, radius of the ball around it; 0 for a half-space */
    double density; /* kg/m^3 */
    vsp_body_id body;
    vsp_body_type body_type;
    uint32_t user;
} solid;

/* Writes the world's shapes in the order of their slots, at most
 * VSP_MAX_SHAPES.  Returns how many. */
int solids_read(const vsp_world *world, solid *out);

/* Returns how far the solid reaches along a direction from its center. */
double solid_reach(const solid *it, vec3 direction);

/* Returns the slot of a living body. */
uint32_t body_slot(vsp_body_id id);

#endif
