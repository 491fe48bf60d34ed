/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Module number: scalars, vectors, matrices, rotations.  All products,
 * quotients and roots of the engine are functions of this module.
 *
 * A build has numbers of one kind: float.h or fixed.h, which have the same
 * functions.  vector.h and matrix.h are written once, on top of either.
 *
 * In both kinds a number has one of four formats, by what it measures:
 *
 *     format  for                               in fixed point     functions
 *     real    lengths (m), coefficients         20 binary places   r_, v3_
 *     rate    velocities, spins (m/s, rad/s)    17 binary places   rate_, r_
 *     unit    at most about 1: directions,      29 binary places   u_, u3_
 *             rotations, shares, time step (s)
 *     wide    masses, forces, impulses (SI)     24 bits and an     w_
 *                                               exponent
 *
 * In the float kind each of them is a float.  In the fixed kind no single
 * format of 32 bits has both the largest value of a mass and the resolution of
 * a direction.  There a real, rate or unit is an integer in [-2^30, 2^30), the
 * limits of its format: within 1,024 m, 8,192 m/s or 2.  The spare bit lets a
 * sum of two fit 32 bits, and a sum of four products 64.  "A place", without
 * more, is one unit in the last binary place of a format.
 *
 * Real, rate and unit are one C type, vsp__num: the compiler cannot distinguish
 * them, so the caller must choose the function for the formats.
 *
 *     r_add(a, b)   any format, the same for both and the sum
 *     r_mul(a, b)   real by real is a real, rate by real a rate
 *     u_mul(a, b)   one factor is a unit; the format of the other one
 *     r_div(a, b)   two of one format: a real; by a real: the format of a
 *     u_div(a, b)   two of one format: a unit; by a unit: the format of a
 *
 * Constants: VSP__REAL(0.5), VSP__RATE(0.5), VSP__UNIT(0.5), VSP__W_ONE; 0 is 0
 * in all formats but wide.  A vsp__square is a product of two reals, m^2, which
 * is exact in fixed point; a vsp__total is a sum of many reals.
 *
 * If a function is both inlined and called, the engine writes r_x, and
 * vsp__r_x is the called form: builds for size call it, others inline r_x. */

#ifndef VSP_NUMBER_H
#define VSP_NUMBER_H

#include "../../vsp.h"

/* GCC 12 rebases some loop addresses to 0, mistakes them for null pointers, and
 * removes the code after the access, even calls. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-delete-null-pointer-checks")
/* With -Os it keeps in memory, for want of registers, what it moves out of
 * loops or keeps during calls; it mixes what the same conditions skip; and some
 * forms are longer than plain ones: tables of jumps, and several places that
 * save registers. */
#if defined __OPTIMIZE_SIZE__
#pragma GCC optimize("no-move-loop-invariants", "no-tree-loop-im")
#pragma GCC optimize("no-schedule-insns2", "no-jump-tables")
#pragma GCC optimize("no-caller-saves", "no-shrink-wrap")
#endif
#endif

/* Keeps small functions from being inlined, which gcc -Os would do although
 * calls of them are smaller. */
#if defined __GNUC__ && defined __OPTIMIZE_SIZE__
#define VSP__CALLED __attribute__((noinline))
#else
#define VSP__CALLED
#endif

#define VSP_STATIC_ASSERT(name, condition) \
    typedef char vsp__assert_##name[(condition) ? 1 : -1]

#if VSP_FIXED
#include "fixed.h"
#else
#include "float.h"
#endif


/* ---- vector.c: scalars --------------------------------------------------- */

/* r_flush of consecutive numbers, as in a vector or a matrix. */
void vsp__flush_each(void *numbers, uint32_t count);

/* Returns whether none of the numbers is infinite or NaN; always true in fixed
 * point. */
bool vsp__are_finite(const vsp__num *numbers, uint32_t count);

/* a, or -a */
static inline vsp__num r_signed(vsp__num a, bool is_negative)
{
    return is_negative ? r_neg(a) : a;
}

VSP__CALLED vsp__num vsp__r_min(vsp__num a, vsp__num b);
VSP__CALLED vsp__num vsp__r_max(vsp__num a, vsp__num b);
VSP__CALLED vsp__num vsp__r_clamp(vsp__num a, vsp__num low, vsp__num high);

#if defined __OPTIMIZE_SIZE__
#define r_min vsp__r_min
#define r_max vsp__r_max
#define r_clamp vsp__r_clamp
#else
static inline vsp__num r_min(vsp__num a, vsp__num b)
{
    return a < b ? a : b;
}

static inline vsp__num r_max(vsp__num a, vsp__num b)
{
    return a > b ? a : b;
}

static inline vsp__num r_clamp(vsp__num a, vsp__num low, vsp__num high)
{
    return a < low ? low : a > high ? high : a;
}
#endif

/* Returns the larger of what is the largest so far, at least 0, and b; a float
 * that is no number does not count.  So the order of numbers does not matter,
 * whatever workers share. */
static inline vsp__num r_largest(vsp__num largest, vsp__num b)
{
    return b > largest ? b : largest;
}

/* a clamped to [-limit, limit] */
#if VSP_FIXED
static inline vsp__wide w_clamp(vsp__wide a, vsp__wide limit)
{
    if (w_less(limit, a))
        return limit;
    return w_less(a, w_neg(limit)) ? w_neg(limit) : a;
}
#else
static inline vsp__wide w_clamp(vsp__wide a, vsp__wide limit)
{
    return r_clamp(a, -limit, limit);
}
#endif


/* ---- Cuts ------------------------------------------------------------------
 * Rounding to nearest loses a change of less than half a place in every step:
 * in fixed point a weak pull would never move a body, and a slow body would not
 * move at all.  So changes that recur in each step are rounded by a cut, a
 * fraction of a place with 32 binary places: a number is rounded up if its
 * fraction and the cut together make a whole place.  Cuts run through all
 * values from step to step, so the sum of many steps is right within a few
 * places.  Whole numbers of places do not change.  Floats do not need this.
 *
 * An even cut is the fraction of 1/2 plus the tick times an irrational number.
 * Such multiples are spread so evenly that errors of a constant gain do not
 * grow.  If one rounding follows from another, each has its own irrational
 * number; with the same number their errors would not cancel. */

#define VSP__EVEN_FORCE 0x9e3779b9u  /* golden ratio - 1: forces, damping */
#define VSP__EVEN_ROWS 0xbb67ae85u   /* sqrt 3 - 1: changes that rows make */
#define VSP__EVEN_CONE 0xa54ff53au   /* sqrt 7 - 2: the radius of a cone */
#define VSP__EVEN_SLIDE 0x510e527fu  /* sqrt 11 - 3: tangents on a cone */
#define VSP__EVEN_WAY 0x6a09e667u    /* sqrt 2 - 1: positions */
#define VSP__EVEN_WAY_64 0x9b05688cu /* sqrt 13 - 3: once in 64 steps */

static inline uint32_t vsp__even_cut(uint32_t tick, uint32_t number)
{
    return VSP_FIXED ? tick * number + VSP__NEAREST : 0;
}

/* The displacements of a body that gains speed evenly have fractions as regular
 * as even cuts, and may stay in phase with these: hence a second number. */
static inline uint32_t vsp__way_cut(uint32_t tick)
{
    return vsp__even_cut(tick, VSP__EVEN_WAY) + (tick >> 6) * VSP__EVEN_WAY_64;
}

/* If the rounding of one step affects the rounding of the next, as in a weld
 * that computes spins or shares loads, a regular cut stays in phase with it,
 * and errors add up.  Such cuts are random: a hash of the tick, or its product
 * with an odd number. */

#define VSP__NOISE_SPIN 1u
#define VSP__NOISE_LOAD 0x9e3779b1u

uint32_t vsp__noise_of(uint32_t tick);

static inline uint32_t vsp__noise_cut(uint32_t tick, uint32_t number)
{
    return VSP_FIXED ? vsp__noise_of(tick) * number : 0;
}


/* ---- Signs and zeros ----------------------------------------------------- */

/* 0 or -0 */
static inline bool w_is_zero(vsp__wide a)
{
    return w_bits(a) << 1 == 0;
}

static inline vsp__square r_square(vsp__num a)
{
    return r_product(a, a);
}


/* ---- float.c, fixed.c: roots --------------------------------------------- */

#if !VSP_FIXED
/* 1 / sqrt(a) to 5 bits, a > 0 and normal, by halving the exponent. */
static inline vsp__num vsp__guess_root(vsp__num a)
{
    return r_from_bits(0x5f375a86u - (r_bits(a) >> 1));
}

/* A Newton step from y towards 1 / sqrt(a); half is a / 2.  Four steps from the
 * guess give a full float. */
static inline vsp__num vsp__refine_root(vsp__num half, vsp__num y)
{
    return r_mul(y, 1.5f - r_mul(r_mul(half, y), y));
}
#endif

/* sqrt(a) as a real; 0 for a < 0.  Rounded down in fixed point; in floats 0 for
 * a below 1e-30. */
vsp__num vsp__square_root(vsp__square a);

/* 1 / a as a unit, of a real a >= 1; within 3 places in fixed point */
#if VSP_FIXED
vsp__num vsp__reciprocal(vsp__num a);
#else
static inline vsp__num vsp__reciprocal(vsp__num a)
{
    return r_div(1.0f, a);
}
#endif

/* 1 / sqrt(a) as a real, of a unit a > 0; in fixed point within a place and
 * 2^-28 of it */
vsp__num vsp__rsqrt_unit(vsp__num a);

/* sqrt(a b), of two reals or two units, both >= 0 */
vsp__num vsp__geometric_mean(vsp__num a, vsp__num b);


/* ---- angle.c: angles ----------------------------------------------------- */

/* rad: the largest angle that has a sine here; larger ones count as 0 */
#define VSP__MOST_ANGLE VSP_R(8192.0)

/* Computes the sine and cosine of an angle, rad, as units, within 2e-8, in
 * floats 1e-7. */
void vsp__sine_cosine(vsp_real angle, vsp__num *sine, vsp__num *cosine);

/* atan2: the angle of (x, y) from the x axis, rad, -pi to pi, a real; x and y
 * of any format.  0 for (0, 0). */
vsp__num vsp__angle_of(vsp__num y, vsp__num x);


/* ---- Friction cones: float.c, fixed.c ------------------------------------ */

/* Returns the unit that scales (t1, t2), which is outside, onto the circle of
 * radius limit >= 0.  In fixed point the scaled vector is exact within 2
 * places. */
vsp__num vsp__disc_scale(vsp__num limit, vsp__num t1, vsp__num t2);

static inline bool vsp__is_in_disc(vsp__num limit, vsp__num t1, vsp__num t2)
{
    return r_square(t1) + r_square(t2) <= r_square(limit);
}

/* Scales (t1, t2) onto the circle unless it is inside; both are rounded by the
 * cut. */
static inline void vsp__clamp_to_disc(vsp__num limit, uint32_t cut,
                                      vsp__num *t1, vsp__num *t2)
{
    vsp__num k;

    if (vsp__is_in_disc(limit, *t1, *t2))
        return;
    k = vsp__disc_scale(limit, *t1, *t2);
    *t1 = u_mul_cut(*t1, k, cut);
    *t2 = u_mul_cut(*t2, k, cut);
}

#include "vector.h"
#include "matrix.h"

#endif /* VSP_NUMBER_H */
