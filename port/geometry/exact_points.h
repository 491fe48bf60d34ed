/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Points of tables in integer coordinates, with exact tests. */

#ifndef EXACT_POINTS_H
#define EXACT_POINTS_H

#include "port/vec_libm.h"

#define PLACE_LIMIT (100 * VSP_PLACE) /* largest coordinate: 100 m */
#define PLACE_LEAST (VSP_PLACE / 200) /* least longest side: 5 mm */

/* Rounds a length, m, to units of VSP_PLACE.  Returns false for a NaN, or
 * beyond 100 m. */
static inline bool place_round(double length, int32_t *out)
{
    if (!(length >= -100.0 && length <= 100.0))
        return false;
    *out = (int32_t)floor(length * VSP_PLACE + 0.5);
    return true;
}

static inline bool place_from(vec3 point, vsp_place *out)
{
    return place_round(point.x, &out->x) && place_round(point.y, &out->y) &&
           place_round(point.z, &out->z);
}

static inline vsp_place place_lower(vsp_place a, vsp_place b)
{
    vsp_place out = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y,
                     a.z < b.z ? a.z : b.z};

    return out;
}

static inline vsp_place place_higher(vsp_place a, vsp_place b)
{
    vsp_place out = {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y,
                     a.z > b.z ? a.z : b.z};

    return out;
}

/* Returns the largest extent of the points along any axis. */
static inline int32_t place_spread(const vsp_place *places, size_t count)
{
    vsp_place low = places[0], high = places[0];
    int32_t x, y, z;

    for (size_t i = 1; i < count; i++) {
        low = place_lower(low, places[i]);
        high = place_higher(high, places[i]);
    }
    x = high.x - low.x;
    y = high.y - low.y;
    z = high.z - low.z;
    return x > y ? (x > z ? x : z) : y > z ? y : z;
}

/* in units of VSP_PLACE */
static inline vec3 place_vec(vsp_place a)
{
    return vec_make(a.x, a.y, a.z);
}

/* in m */
static inline vec3 place_meters(vsp_place a)
{
    return vec_scale(place_vec(a), 1.0 / VSP_PLACE);
}

static inline bool place_is_same(vsp_place a, vsp_place b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

typedef struct place_cross {
    int64_t x, y, z;
} place_cross;

/* (b - a) x (c - a): below 2^58, so exact. */
static inline place_cross place_normal(vsp_place a, vsp_place b, vsp_place c)
{
    int64_t bx = (int64_t)b.x - a.x, cx = (int64_t)c.x - a.x;
    int64_t by = (int64_t)b.y - a.y, cy = (int64_t)c.y - a.y;
    int64_t bz = (int64_t)b.z - a.z, cz = (int64_t)c.z - a.z;
    place_cross n = {by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx};

    return n;
}

static inline vec3 place_direction(place_cross n)
{
    return vec_make((double)n.x, (double)n.y, (double)n.z);
}

/* Returns 1, 0 or -1 if n.(p - a) is above, at or below 0, exactly.  Its 87
 * bits are summed in two halves, of 30 and 57 bits. */
static inline int place_side(place_cross n, vsp_place a, vsp_place p)
{
    const int64_t half = (int64_t)1 << 30;
    const int64_t factors[3] = {n.x, n.y, n.z};
    const int64_t to[3] = {(int64_t)p.x - a.x, (int64_t)p.y - a.y,
                           (int64_t)p.z - a.z};
    int64_t high = 0, low = 0;

    for (int i = 0; i < 3; i++) {
        int64_t top = factors[i] / half;

        high += top * to[i];
        low += (factors[i] - top * half) * to[i];
    }
    high += low / half;
    low %= half;
    if (high == 0)
        high = low; /* |low| is less than half a unit of high, so high
                     * decides */
    return (high > 0) - (high < 0);
}

/* Returns the height of p over the plane through a, in VSP_PLACE. n is exact;
 * the rest loses less than a millionth. */
static inline double place_height(place_cross n, vsp_place a, vsp_place p)
{
    vec3 normal = place_direction(n);

    return vec_dot(normal, vec_sub(place_vec(p), place_vec(a))) /
           vec_length(normal);
}

#endif
