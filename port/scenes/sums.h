/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sums of what calls tell, which scenes add to a world's state, so that hashes
 * contain them. */

#ifndef SUMS_H
#define SUMS_H

#include "random_arguments.h"

static inline uint32_t sum_word(uint32_t sum, uint32_t word)
{
    return (sum ^ word ^ sum >> 15) * 16777619u;
}

static inline uint32_t sum_real(uint32_t sum, vsp_real real)
{
    union {
        vsp_real real;
        real_bits bits;
    } it;

    it.real = real;
    sum = sum_word(sum, (uint32_t)(it.bits & 0xffffffffu));
    return sum_word(sum, (uint32_t)((uint64_t)it.bits >> 32));
}

static inline uint32_t sum_vector(uint32_t sum, vsp_vec3 v)
{
    sum = sum_real(sum, v.x);
    sum = sum_real(sum, v.y);
    return sum_real(sum, v.z);
}

static inline uint32_t sum_rotation(uint32_t sum, vsp_quat q)
{
    sum = sum_real(sum, q.x);
    sum = sum_real(sum, q.y);
    sum = sum_real(sum, q.z);
    return sum_real(sum, q.w);
}

#if VSP_QUERIES

static inline uint32_t sum_hit(uint32_t sum, const vsp_hit *hit)
{
    sum = sum_word(sum, hit->shape.bits);
    sum = sum_word(sum, hit->body.bits);
    sum = sum_word(sum, hit->part);
    sum = sum_real(sum, hit->fraction);
    sum = sum_real(sum, hit->distance);
    sum = sum_vector(sum, hit->point);
    return sum_vector(sum, hit->normal);
}

#endif

#endif
