/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Random arguments for random calls: integers, then reals, some of them
 * invalid, then structures of reals. */

#ifndef RANDOM_ARGUMENTS_H
#define RANDOM_ARGUMENTS_H

#include "scene.h"

static inline uint32_t next_bits(scene_run *run)
{
    uint32_t x = run->random;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    run->random = x;
    return x;
}

/* Returns 0 to count - 1. */
static inline uint32_t pick_below(scene_run *run, uint32_t count)
{
    return (next_bits(run) >> 8) % count;
}

/* Bits of numbers that most calls refuse.  Floats: a NaN, an infinity, two that
 * are large.  Fixed point: both ends of the range, 2^30 (all zero in its low
 * word) and almost -10^9. */
#if VSP_FIXED
typedef uint64_t real_bits;
static const real_bits bad_bits[4] = {0x8000000000000000u, 0x7fffffffffffffffu,
                                      0x4000000000000000u, 0xc465360080000000u};
#else
typedef uint32_t real_bits;
static const real_bits bad_bits[4] = {0x7fc00000u, 0xff800000u, 0x7f7fffffu,
                                      0xd368d4a5u};
#endif

static inline vsp_real real_of(real_bits bits)
{
    union {
        real_bits bits;
        vsp_real real;
    } it;

    it.bits = bits;
    return it.real;
}

/* Returns an end of one of the ranges of vsp.h, or that divided by a power of
 * two. */
static inline vsp_real wild_number(scene_run *run)
{
    static const vsp_real ends[] = {
        VSP_MAX_POSITION, VSP_MAX_SPEED, VSP_MIN_SIZE,   VSP_MAX_SIZE,
        VSP_MIN_MASS,     VSP_MAX_MASS,  VSP_MAX_FORCE,  VSP_MIN_DT,
        VSP_R(0.0),       VSP_R(1.0),    VSP_R(100.0),   VSP_R(1000.0),
        VSP_R(1.0e-9),    VSP_R(1.0e-6), VSP_R(3.14159), VSP_R(10.0),
    };
    vsp_real end = ends[pick_below(run, sizeof ends / sizeof ends[0])];

    if (pick_below(run, 2))
        end = -end;
    return pick_below(run, 3)
               ? end
               : end / (vsp_real)((uint32_t)1 << pick_below(run, 24));
}

/* Returns a number from low to high.  One in 128 is invalid, and one in
 * run->wild (0: none) may be out of range. */
static inline vsp_real number(scene_run *run, double low, double high)
{
    double part = (double)pick_below(run, 65536) / 65536.0;

    if (run->wild > 0 && pick_below(run, run->wild) == 0)
        return wild_number(run);
    if (pick_below(run, 128) == 0)
        return real_of(bad_bits[pick_below(run, 4)]);
    return scene_real(low + (high - low) * part);
}

static inline vsp_vec3 vector(scene_run *run, double size)
{
    vsp_vec3 v;

    v.x = number(run, -size, size);
    v.y = number(run, -size, size);
    v.z = number(run, -size, size);
    return v;
}

/* Returns a random pose above the floor. */
static inline vsp_transform pick_place(scene_run *run)
{
    vsp_transform pose;

    pose.position = vector(run, 0.8);
    pose.position.y = number(run, 0.2, 1.5);
    pose.rotation.x = number(run, -1.0, 1.0);
    pose.rotation.y = number(run, -1.0, 1.0);
    pose.rotation.z = number(run, -1.0, 1.0);
    pose.rotation.w = number(run, 0.5, 1.0);
    return pose;
}

static inline vsp_material material(scene_run *run)
{
    vsp_material it;

    it.friction = number(run, 0.0, 1.0);
    it.restitution = number(run, 0.0, 0.8);
    it.friction_rule = (vsp_rule)pick_below(run, 5);
    it.restitution_rule = (vsp_rule)pick_below(run, 5);
    return it;
}

#endif
