/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Vectors in double precision, for code that measures a world from outside. */

#ifndef VEC_H
#define VEC_H

#include "vsp.h"

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 vec_make(double x, double y, double z)
{
    vec3 v = {x, y, z};

    return v;
}

static inline vec3 vec_from(vsp_vec3 v)
{
    return vec_make(vsp_to_double(v.x), vsp_to_double(v.y), vsp_to_double(v.z));
}

static inline vec3 vec_add(vec3 a, vec3 b)
{
    return vec_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3 vec_sub(vec3 a, vec3 b)
{
    return vec_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vec3 vec_scale(vec3 a, double s)
{
    return vec_make(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline vec3 vec_mad(vec3 a, double s, vec3 b)
{
    return vec_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double vec_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec_cross(vec3 a, vec3 b)
{
    return vec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                    a.x * b.y - a.y * b.x);
}

#endif
