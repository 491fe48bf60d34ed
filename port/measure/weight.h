/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Mass and inertia of a solid, in double precision. */

#ifndef WEIGHT_H
#define WEIGHT_H

#include "solid.h"

/* Inertia is that of one kilogram about the centre of mass, along the solid's
 * axes. */
typedef struct weight {
    double mass;   /* kg */
    vec3 center;   /* of mass, in the solid's axes */
    vec3 own;      /* xx, yy, zz, m^2 */
    vec3 products; /* yz, xz, xy, m^2: minus the integrals of these products */
} weight;

/* Returns the weight of a solid; all 0 for a shape that adds no mass. */
weight weigh_solid(const solid *it);

#endif
