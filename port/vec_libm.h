/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Vectors in double precision, continued: functions that need libm. */

#ifndef VEC_LIBM_H
#define VEC_LIBM_H

#include <math.h>

#include "vec.h"

#define PI 3.14159265358979323846

static inline double vec_length(vec3 a)
{
    return sqrt(vec_dot(a, a));
}

/* Returns a over its length; a is not zero. */
static inline vec3 vec_unit(vec3 a)
{
    return vec_scale(a, 1.0 / vec_length(a));
}

/* Multiplies component by component. */
static inline vec3 vec_multiply(vec3 a, vec3 b)
{
    return vec_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline vec3 vec_min(vec3 a, vec3 b)
{
    return vec_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static inline vec3 vec_max(vec3 a, vec3 b)
{
    return vec_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

#endif
