/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Numbers: the only place where anything is multiplied or divided.  In this
 * order: the two kinds of scalars, float and fixed point, one section each
 * with the same functions; vectors, matrices and quaternions, written once
 * on top of them; functions that are too large to be copied, which are in
 * vsp_scalar.c.
 *
 * What a number measures decides how it is kept:
 *
 *     real    lengths                        VSP__R(0.5)   r_, v3_
 *     rate    velocities, spins              VSP__V(0.5)   r_, v3_
 *     unit    what is at most about 1        VSP__U(0.5)   u_, u3_
 *     wide    masses, forces, impulses       W_ONE         w_
 *     square  products of two reals, m^2     compared, added, divided
 *
 * A rate is a real in units of 8: times a real, an arm, it is a rate again,
 * and only what reads, shows or integrates one has functions of its own.
 *
 * In the float kind all of them are floats.  In the fixed kind a real has 20
 * binary places and a unit 29, both in [-2^30, 2^30) of 32 bits, so that no
 * sum of two overflows and no sum of four products overflows 64 bits; a wide
 * has a mantissa of 24 bits and an exponent; a square is 64 bits of 40 places.
 * DESIGN.md, "Fixed point", has ranges and why.
 *
 * A product with a unit has the kind of its other factor: u_mul(unit, real)
 * is a real, u_mul(unit, unit) a unit; r_mul takes and gives reals. */

#ifndef VSP_SCALAR_H
#define VSP_SCALAR_H

#include "vsp.h"

/* gcc 12 counts some addresses in loops from 0, then takes them for accesses
 * through a null pointer, and what a function does after one for not done:
 * calls of it may vanish. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-delete-null-pointer-checks")
#endif

#define VSP_STATIC_ASSERT(name, condition) \
    typedef char vsp__assert_##name[(condition) ? 1 : -1]

#if !VSP_FIXED

/* ---- Float ----------------------------------------------------------------
 * Exactly rounded operations: nothing fused, nothing wider, no libm. */

/* Compilers would fuse a product and a sum where a CPU can: other bits.  Say
 * -ffp-contract=off all the same, for those that know neither pragma. */
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off")
#endif

typedef float vsp__real;
typedef float vsp__wide;
typedef float vsp__square;
typedef float vsp__total; /* sum of many reals */

#define VSP__R(x) ((vsp__real)(x))
#define VSP__U(x) ((vsp__real)(x))
#define VSP__V(x) ((vsp__real)(x))
#define VSP__REAL_BITS 0 /* places of a fixed point: there is none */
#define VSP__UNIT_BITS 0
#define VSP__RATE_BITS 0
#define VSP__WIRE VSP__U(1e-5) /* least inertia, as a part of the largest */
#define VSP__WIRE_BITS 17u     /* for which a body is looked at */
#define VSP__REAL_MAX 1e30f /* more than any number of a step */
#define W_ZERO 0.0f
#define W_ONE 1.0f

static inline vsp__real r_mul(vsp__real a, vsp__real b)
{
    return a * b;
}

static inline vsp__real u_mul(vsp__real a, vsp__real b)
{
    return a * b;
}

/* b is never 0 */
static inline vsp__real r_div(vsp__real a, vsp__real b)
{
    return a / b;
}

static inline vsp__real u_div(vsp__real a, vsp__real b)
{
    return a / b;
}

/* what is at most twice the range, in the range: floats have none */
static inline vsp__real r_sat(vsp__real a)
{
    return a;
}

static inline vsp__real r_add(vsp__real a, vsp__real b)
{
    return a + b;
}

static inline vsp__real r_sub(vsp__real a, vsp__real b)
{
    return a - b;
}

static inline vsp__real r_neg(vsp__real a)
{
    return -a;
}

static inline vsp__real r_dot2(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d)
{
    return a * b + c * d;
}

static inline vsp__real r_dot3(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d, vsp__real e, vsp__real f)
{
    return a * b + c * d + e * f;
}

static inline vsp__real u_dot2(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d)
{
    return a * b + c * d;
}

static inline vsp__real u_dot3(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d, vsp__real e, vsp__real f)
{
    return a * b + c * d + e * f;
}

/* x - u / d, by what r_stride makes of 1 / d; and that again */
static inline vsp__real r_step(vsp__real x, vsp__real u, vsp__real stride)
{
    return x - u * stride;
}

static inline vsp__real r_stride(vsp__real inverse)
{
    return inverse;
}

static inline vsp__real u_of_stride(vsp__real stride)
{
    return stride;
}

static inline vsp__square r_product(vsp__real a, vsp__real b)
{
    return a * b;
}

static inline vsp__square r_part(vsp__square a, vsp__real unit)
{
    return a * unit;
}

static inline vsp__square square_add(vsp__square a, vsp__square b)
{
    return a + b;
}

static inline vsp__real r_of_square(vsp__square a)
{
    return a;
}

static inline vsp__real r_of_unit(vsp__real a)
{
    return a;
}

static inline vsp__real u_of_real(vsp__real a)
{
    return a;
}

/* a rate times h: an angle, as a unit; a way or an angle, as a real */
static inline vsp__real u_angle(vsp__real spin, vsp__real h)
{
    return spin * h;
}

static inline vsp__real r_way(vsp__real spin, vsp__real h)
{
    return spin * h;
}

static inline vsp__real rate_read(vsp_real a)
{
    return a;
}

static inline vsp_real rate_show(vsp__real a)
{
    return a;
}

/* a length over h: the rate of which it is the way */
static inline vsp__real rate_over(vsp__real way, vsp__real h)
{
    return way / h;
}

static inline uint32_t w_bits(vsp__wide a)
{
    union {
        vsp__wide wide;
        uint32_t bits;
    } u;

    u.wide = a;
    return u.bits;
}

static inline vsp__wide w_from_bits(uint32_t bits)
{
    union {
        vsp__wide wide;
        uint32_t bits;
    } u;

    u.bits = bits;
    return u.wide;
}

static inline uint32_t r_bits(vsp__real a)
{
    return w_bits(a);
}

static inline vsp__real r_from_bits(uint32_t bits)
{
    return w_from_bits(bits);
}

/* for sorting: larger numbers have larger ones */
static inline uint32_t r_order(vsp__real a)
{
    uint32_t bits = r_bits(a);

    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

#if defined __GNUC__
#define r_abs __builtin_fabsf /* an instruction where there is one */
#else
static inline vsp__real r_abs(vsp__real a)
{
    return r_from_bits(r_bits(a) & 0x7fffffffu);
}
#endif

/* how large a is; and the larger of a and that of b */
static inline vsp__real r_size(vsp__real a)
{
    return r_abs(a);
}

static inline vsp__real r_max_size(vsp__real a, vsp__real b)
{
    return a > r_abs(b) ? a : r_abs(b);
}

static inline bool r_is_finite(vsp__real a)
{
    return (r_bits(a) & 0x7f800000u) != 0x7f800000u;
}

/* Whether a is a number of [low, high]; false for NaN even where the
 * compiler believes there is none. */
static inline bool r_in(vsp__real a, vsp__real low, vsp__real high)
{
    return r_is_finite(a) && a >= low && a <= high;
}

/* What is too small to matter, below 2^-50, becomes zero, so that no later
 * product is subnormal: consoles trap on those, and some round them twice.
 * Told by the exponent, which is cheap without an FPU. */
vsp__real vsp__r_flush(vsp__real a);

#if defined __OPTIMIZE_SIZE__
#define r_flush vsp__r_flush
#else
static inline vsp__real r_flush(vsp__real a)
{
    return r_bits(a) << 1 < (uint32_t)(127 - 50) << 24 ? 0.0f : a;
}
#endif

static inline bool r_is_flushed(vsp__real a)
{
    return r_bits(r_flush(a)) << 1 == r_bits(a) << 1;
}

/* trunc(a), |a| < 2^31 */
static inline int32_t r_to_int(vsp__real a)
{
    return (int32_t)a;
}

/* |i| < 2^24 */
static inline vsp__real r_from_int(int32_t i)
{
    return (vsp__real)i;
}

/* i / 2^20 m, |i| < 2^30; i / 2^29 of a direction */
static inline vsp__real r_of_place(int32_t i)
{
    return (vsp__real)i * 9.5367431640625e-07f;
}

static inline vsp__real u_of_direction(int32_t i)
{
    return (vsp__real)i * 1.86264514923095703125e-09f;
}

/* a n, |n| < 2^24, when that is in the range */
static inline vsp__real r_times(vsp__real a, int32_t n)
{
    return a * (vsp__real)n;
}

/* a coordinate in places, rounded towards 0; beyond 1023 m its end */
static inline int32_t r_to_place(vsp__real a)
{
    return a < -1023.0f  ? -1072693248
           : a > 1023.0f ? 1072693248
                         : (int32_t)(a * 1048576.0f);
}

static inline void t_add(vsp__total *total, vsp__real a)
{
    *total += a;
}

/* total / count */
static inline vsp__real t_mean(vsp__total total, uint32_t count)
{
    return r_flush(total) * (1.0f / (vsp__real)count);
}

/* scale count / total: how many of so many are in a metre */
static inline vsp__real t_rate(vsp__total total, uint32_t count,
                               vsp__real scale)
{
    return (vsp__real)count / total * scale;
}

/* trunc(a 2^30), |a| <= 1, and i / 2^30, rounded */
#define UNIT_PLACES 30

static inline int32_t u_to_places(vsp__real a)
{
    return (int32_t)(a * 1073741824.0f);
}

static inline vsp__real u_of_places(int32_t i)
{
    return (vsp__real)i * 9.31322574615478515625e-10f;
}

/* bits of a number that is not negative, given a sign */
static inline vsp__real u_signed_bits(uint32_t bits, bool is_negative)
{
    return r_from_bits(is_negative ? bits | 0x80000000u : bits);
}

/* wide */

static inline vsp__wide w_mul(vsp__wide a, vsp__wide b)
{
    return a * b;
}

/* b is never 0 */
static inline vsp__wide w_div(vsp__wide a, vsp__wide b)
{
    return a / b;
}

static inline vsp__wide w_add(vsp__wide a, vsp__wide b)
{
    return a + b;
}

static inline vsp__wide w_neg(vsp__wide a)
{
    return -a;
}

static inline bool w_less(vsp__wide a, vsp__wide b)
{
    return a < b;
}

static inline bool w_is_finite(vsp__wide a)
{
    return r_is_finite(a);
}

static inline vsp__wide w_flush(vsp__wide a)
{
    return r_flush(a);
}

static inline bool w_in(vsp__wide a, vsp__wide low, vsp__wide high)
{
    return r_in(a, low, high);
}

static inline vsp__square square_of_wide(vsp__wide a)
{
    return a;
}

static inline vsp__wide w_of_real(vsp__real a)
{
    return a;
}

static inline vsp__wide w_of_unit(vsp__real a)
{
    return a;
}

static inline vsp__wide w_of_square(vsp__square a)
{
    return a;
}

static inline vsp__wide w_of_rate(vsp__real a)
{
    return a;
}

static inline vsp__wide w_of_rate_square(vsp__square a)
{
    return a;
}

static inline vsp__real w_to_real(vsp__wide a)
{
    return a;
}

static inline vsp__real w_to_rate(vsp__wide a)
{
    return a;
}

static inline vsp__real w_to_unit(vsp__wide a)
{
    return a;
}

/* to and from what callers see */

static inline vsp__real r_read(vsp_real a)
{
    return a;
}

static inline vsp_real r_show(vsp__real a)
{
    return a;
}

static inline vsp__real u_read(vsp_real a)
{
    return a;
}

static inline vsp_real u_show(vsp__real a)
{
    return a;
}

static inline vsp__wide w_read(vsp_real a)
{
    return a;
}

static inline vsp_real w_show(vsp__wide a)
{
    return a;
}

static inline vsp_real square_show(vsp__square a)
{
    return a;
}

/* Whether a caller's number is one of [low, high]. */
static inline bool a_in(vsp_real a, vsp_real low, vsp_real high)
{
    return r_in(a, low, high);
}

#else

/* ---- Fixed point ----------------------------------------------------------
 * Sums of products are made in 64 bits and rounded once, to nearest, ties
 * up.  What leaves the range becomes the end of the range: results lie in
 * [-2^30, 2^30), and a product beyond it gives its end but for the last 12
 * bits of a real, the last 3 of a unit.  Nothing wraps.  Right shifts of
 * negative numbers are arithmetic on every compiler there is a port for. */

VSP_STATIC_ASSERT(shifts_are_arithmetic, (-2 >> 1) == -1);

/* GCC would move 64-bit sums so far apart that they do not fit registers. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-schedule-insns")
#endif

typedef int32_t vsp__real;
typedef struct vsp__wide {
    uint32_t bits; /* sign, exponent, mantissa: laid out like binary32 */
} vsp__wide;
typedef int64_t vsp__square;
typedef int64_t vsp__total;

#define VSP__REAL_BITS 20
#define VSP__UNIT_BITS 29
#define VSP__REAL_MAX 0x3fffffff
/* By way of float, so that a compiler whose double is a float agrees. */
#define VSP__R(x) ((vsp__real)((float)(x) * 1048576.0f))
#define VSP__U(x) ((vsp__real)((float)(x) * 536870912.0f))
#define VSP__V(x) ((vsp__real)((float)(x) * 131072.0f))

#define VSP__WIRE VSP__U(1e-3)
#define VSP__WIRE_BITS 10u

static const vsp__wide vsp__wide_zero = {0u}, vsp__wide_one = {0x3f800000u};
#define W_ZERO vsp__wide_zero
#define W_ONE vsp__wide_one

/* What compilers are to know nothing of, but its type. */
#if defined __GNUC__
#define VSP__HIDE(a) __asm__("" : "+r"(a))
#else
#define VSP__HIDE(a) (void)(a)
#endif

/* To a number of so many bits, sign included.  Cortex-M has an instruction
 * for that, which compilers do not find among other code.  And a factor that
 * is a power of two: they would make two shifts and two sums of it there,
 * where the product is one instruction with its sum. */
#if defined __GNUC__ && defined __ARM_FEATURE_SAT
#define VSP__CLAMP(a, bits) __builtin_arm_ssat(a, bits)
#define VSP__HIDE_FACTOR(a) VSP__HIDE(a)
#else
#define VSP__CLAMP(a, bits) vsp__clamp(a, (int32_t)1 << ((bits) - 1))
#define VSP__HIDE_FACTOR(a) (void)(a)

static inline int32_t vsp__clamp(int32_t a, int32_t end)
{
    return a > end - 1 ? end - 1 : a < -end ? -end : a;
}
#endif

/* the range */
static inline vsp__real r_sat(int32_t a)
{
    return VSP__CLAMP(a, 31);
}

/* Products of two reals, and of anything and a unit, in the range; |sum| is
 * below 2^63 - 2^31.  Cut is rounded down. */
static inline vsp__real vsp__cut_real(int64_t sum)
{
    int32_t high = VSP__CLAMP((int32_t)(sum >> 32), VSP__REAL_BITS - 1);

    return (int32_t)((uint32_t)high << (32 - VSP__REAL_BITS) |
                     (uint32_t)((uint64_t)sum & 0xffffffffu) >>
                         VSP__REAL_BITS);
}

static inline vsp__real vsp__narrow_real(int64_t sum)
{
    return vsp__cut_real(sum + ((int64_t)1 << (VSP__REAL_BITS - 1)));
}

static inline vsp__real vsp__narrow_unit(int64_t sum)
{
    int32_t high;

    sum += (int64_t)1 << (VSP__UNIT_BITS - 1);
    high = VSP__CLAMP((int32_t)(sum >> 32), VSP__UNIT_BITS - 1);
    return (int32_t)((uint32_t)high << (32 - VSP__UNIT_BITS) |
                     (uint32_t)((uint64_t)sum & 0xffffffffu) >>
                         VSP__UNIT_BITS);
}

static inline int64_t vsp__product(vsp__real a, vsp__real b)
{
    return (int64_t)a * b;
}

static inline vsp__real r_mul(vsp__real a, vsp__real b)
{
    return vsp__narrow_real(vsp__product(a, b));
}

static inline vsp__real u_mul(vsp__real a, vsp__real b)
{
    return vsp__narrow_unit(vsp__product(a, b));
}

/* a 2^places / b, to nearest, in the range */
vsp__real vsp__quotient(vsp__real a, vsp__real b, uint32_t places);

/* real by real; b is never 0 */
static inline vsp__real r_div(vsp__real a, vsp__real b)
{
    return vsp__quotient(a, b, VSP__REAL_BITS);
}

/* real by real to a unit; anything by a unit */
static inline vsp__real u_div(vsp__real a, vsp__real b)
{
    return vsp__quotient(a, b, VSP__UNIT_BITS);
}

static inline vsp__real r_add(vsp__real a, vsp__real b)
{
    return r_sat(a + b);
}

static inline vsp__real r_sub(vsp__real a, vsp__real b)
{
    return r_sat(a - b);
}

static inline vsp__real r_dot2(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d)
{
    return vsp__narrow_real(vsp__product(a, b) + vsp__product(c, d));
}

static inline vsp__real r_dot3(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d, vsp__real e, vsp__real f)
{
    return vsp__narrow_real(vsp__product(a, b) + vsp__product(c, d) +
                           vsp__product(e, f));
}

static inline vsp__real u_dot2(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d)
{
    return vsp__narrow_unit(vsp__product(a, b) + vsp__product(c, d));
}

static inline vsp__real u_dot3(vsp__real a, vsp__real b, vsp__real c,
                               vsp__real d, vsp__real e, vsp__real f)
{
    return vsp__narrow_unit(vsp__product(a, b) + vsp__product(c, d) +
                           vsp__product(e, f));
}

/* What rows step by.  A stride is the inverse of a diagonal, at most 1, with
 * its sign changed and 31 places, so that -1 is there.  The upper word of its
 * product with twice a rate is a rate. */

/* of a unit, at most 1 */
static inline int32_t r_stride(vsp__real inverse)
{
    return inverse * -4;
}

/* and back */
static inline vsp__real u_of_stride(int32_t stride)
{
    return -(stride >> 2);
}

/* v + part share, in the range: two rates, and a number of 31 places.  The sum
 * begins with half a place, which rounds it to nearest: halves of what is given
 * go up, and of what is taken as if it were given. */
static inline vsp__real vsp__add_share(vsp__real v, uint32_t half,
                                       vsp__real part, int32_t share)
{
    int64_t sum = (int64_t)((uint64_t)(uint32_t)v << 32 | half);

    return r_sat((int32_t)((sum + vsp__product(part * 2, share)) >> 32));
}

#define VSP__GIVEN 0x80000000u
#define VSP__TAKEN 0x7fffffffu

static inline vsp__real r_step(vsp__real x, vsp__real u, int32_t stride)
{
    return vsp__add_share(x, VSP__TAKEN, u, stride);
}

/* exact */
static inline vsp__square r_product(vsp__real a, vsp__real b)
{
    return vsp__product(a, b);
}

/* a part of a square, rounded down; the unit is at most 1 */
static inline vsp__square r_part(vsp__square a, vsp__real unit)
{
    vsp__real low = (vsp__real)(a & (((int64_t)1 << VSP__UNIT_BITS) - 1));

    return (a >> VSP__UNIT_BITS) * unit +
           (vsp__product(low, unit) >> VSP__UNIT_BITS);
}

/* sum of many, in [-2^61, 2^61] */
static inline vsp__square square_add(vsp__square a, vsp__square b)
{
    int64_t end = (int64_t)1 << 61, sum = a + b;

    return sum > end ? end : sum < -end ? -end : sum;
}

static inline vsp__real r_of_square(vsp__square a)
{
    return vsp__narrow_real(a);
}

static inline vsp__real r_of_unit(vsp__real a)
{
    return (a + (1 << 8)) >> 9;
}

static inline vsp__real u_of_real(vsp__real a)
{
    return a > VSP__REAL_MAX >> 9        ? VSP__REAL_MAX
           : a < -(VSP__REAL_MAX >> 9) ? -VSP__REAL_MAX
                                         : a * 512;
}

/* Rates, velocities and spins, are kept in units of 8 m/s and 8 rad/s: what
 * is at rest needs no finer ones, and what a heavy body does to a light one
 * within a step, or a touch to a thin one, is fast. */
#define VSP__RATE_BITS (VSP__REAL_BITS - 3)

vsp__real vsp__u_angle(vsp__real spin, vsp__real h);
vsp__real vsp__r_way(vsp__real spin, vsp__real h);

/* a length over h: the rate of which it is the way */
static inline vsp__real rate_over(vsp__real way, vsp__real h)
{
    return vsp__quotient(way, h, VSP__UNIT_BITS - 3);
}

/* a rate times h: an angle, as a unit; a way or an angle, as a real */
static inline vsp__real u_angle(vsp__real spin, vsp__real h)
{
    return vsp__u_angle(spin, h);
}

static inline vsp__real r_way(vsp__real spin, vsp__real h)
{
    return vsp__r_way(spin, h);
}

static inline uint32_t w_bits(vsp__wide a)
{
    return a.bits;
}

static inline vsp__wide w_from_bits(uint32_t bits)
{
    vsp__wide a;

    a.bits = bits;
    return a;
}

static inline uint32_t r_bits(vsp__real a)
{
    return (uint32_t)a;
}

static inline vsp__real r_from_bits(uint32_t bits)
{
    return (vsp__real)bits;
}

static inline uint32_t r_order(vsp__real a)
{
    return (uint32_t)a ^ 0x80000000u;
}

static inline vsp__real r_neg(vsp__real a)
{
    return r_sat(-a);
}

static inline vsp__real r_abs(vsp__real a)
{
    return r_sat(a < 0 ? -a : a);
}

/* the same, of a negative one less one place */
static inline vsp__real r_size(vsp__real a)
{
    return a ^ -(a < 0);
}

static inline vsp__real r_max_size(vsp__real a, vsp__real b)
{
    b = r_size(b);
    return a > b ? a : b;
}

static inline bool r_is_finite(vsp__real a)
{
    (void)a;
    return true;
}

static inline bool r_in(vsp__real a, vsp__real low, vsp__real high)
{
    return a >= low && a <= high;
}

static inline vsp__real r_flush(vsp__real a)
{
    return a;
}

static inline bool r_is_flushed(vsp__real a)
{
    (void)a;
    return true;
}

static inline int32_t r_to_int(vsp__real a)
{
    return a / ((int32_t)1 << VSP__REAL_BITS);
}

static inline vsp__real r_from_int(int32_t i)
{
    return i > 1023    ? VSP__REAL_MAX
           : i < -1023 ? -VSP__REAL_MAX
                       : i * ((int32_t)1 << VSP__REAL_BITS);
}

static inline vsp__real r_of_place(int32_t i)
{
    return i;
}

static inline vsp__real u_of_direction(int32_t i)
{
    return i;
}

static inline vsp__real r_times(vsp__real a, int32_t n)
{
    return a * n;
}

static inline int32_t r_to_place(vsp__real a)
{
    return a;
}

static inline void t_add(vsp__total *total, vsp__real a)
{
    *total += a;
}

static inline vsp__real t_mean(vsp__total total, uint32_t count)
{
    return (vsp__real)(total / (int64_t)count);
}

/* total is positive */
vsp__real vsp__t_rate(vsp__total total, uint32_t count, vsp__real scale);

static inline vsp__real t_rate(vsp__total total, uint32_t count,
                               vsp__real scale)
{
    return vsp__t_rate(total, count, scale);
}

/* Wide: error at most half a unit of the 24th bit; below 2^-50 zero, beyond
 * 2^100 the end of the range. */
vsp__wide vsp__w_mul(vsp__wide a, vsp__wide b);
vsp__wide vsp__w_div(vsp__wide a, vsp__wide b);
vsp__wide vsp__w_add(vsp__wide a, vsp__wide b);
bool vsp__w_less(vsp__wide a, vsp__wide b);

static inline vsp__wide w_mul(vsp__wide a, vsp__wide b)
{
    return vsp__w_mul(a, b);
}

static inline vsp__wide w_div(vsp__wide a, vsp__wide b)
{
    return vsp__w_div(a, b);
}

static inline vsp__wide w_add(vsp__wide a, vsp__wide b)
{
    return vsp__w_add(a, b);
}

static inline bool w_less(vsp__wide a, vsp__wide b)
{
    return vsp__w_less(a, b);
}

/* mantissa / 2^places, and back, in the range of 32 or 64 bits */
vsp__wide vsp__w_from(int64_t mantissa, int32_t places);
vsp__real vsp__w_to(vsp__wide a, int32_t places);
int64_t vsp__w_to_long(vsp__wide a, int32_t places);

static inline vsp__wide w_neg(vsp__wide a)
{
    return w_from_bits(a.bits == 0 ? 0 : a.bits ^ 0x80000000u);
}

/* what no function here makes, but bytes may hold */
static inline bool w_is_finite(vsp__wide a)
{
    return (a.bits & 0x7f800000u) <= (uint32_t)(127 + 100) << 23;
}

static inline vsp__wide w_flush(vsp__wide a)
{
    return a.bits << 1 < (uint32_t)(127 - 50) << 24 ? W_ZERO : a;
}

static inline bool w_in(vsp__wide a, vsp__wide low, vsp__wide high)
{
    return w_is_finite(a) && a.bits << 1 == w_flush(a).bits << 1 &&
           !w_less(a, low) && !w_less(high, a);
}

/* within 2^20 m^2 */
static inline vsp__square square_of_wide(vsp__wide a)
{
    int64_t end = (int64_t)1 << 60, square;

    square = vsp__w_to_long(a, 2 * VSP__REAL_BITS);
    return square > end ? end : square < -end ? -end : square;
}

/* what a unit is, exactly */
#define UNIT_PLACES VSP__UNIT_BITS

static inline int32_t u_to_places(vsp__real a)
{
    return a;
}

static inline vsp__real u_of_places(int32_t i)
{
    return i;
}

static inline vsp__real u_signed_bits(uint32_t bits, bool is_negative)
{
    return r_from_bits(is_negative ? 0u - bits : bits);
}

static inline vsp__wide w_of_real(vsp__real a)
{
    return vsp__w_from(a, VSP__REAL_BITS);
}

static inline vsp__wide w_of_unit(vsp__real a)
{
    return vsp__w_from(a, VSP__UNIT_BITS);
}

static inline vsp__wide w_of_square(vsp__square a)
{
    return vsp__w_from(a, 2 * VSP__REAL_BITS);
}

static inline vsp__wide w_of_rate(vsp__real a)
{
    return vsp__w_from(a, VSP__RATE_BITS);
}

/* of a product of two rates */
static inline vsp__wide w_of_rate_square(vsp__square a)
{
    return vsp__w_from(a, 2 * VSP__RATE_BITS);
}

static inline vsp__real w_to_real(vsp__wide a)
{
    return vsp__w_to(a, VSP__REAL_BITS);
}

static inline vsp__real w_to_rate(vsp__wide a)
{
    return vsp__w_to(a, VSP__RATE_BITS);
}

static inline vsp__real w_to_unit(vsp__wide a)
{
    return vsp__w_to(a, VSP__UNIT_BITS);
}

/* Callers' numbers have 32 binary places in 64 bits: any of them, also what
 * is far out of range, which gives an end that every check refuses. */

static inline vsp__real r_read(vsp_real a)
{
    int64_t places = ((a >> (31 - VSP__REAL_BITS)) + 1) >> 1;

    return places > VSP__REAL_MAX        ? VSP__REAL_MAX
           : places < -VSP__REAL_MAX - 1 ? -VSP__REAL_MAX - 1
                                         : (vsp__real)places;
}

static inline vsp_real r_show(vsp__real a)
{
    return (vsp_real)a * ((vsp_real)1 << (32 - VSP__REAL_BITS));
}

static inline vsp__real rate_read(vsp_real a)
{
    return r_read(a / 8);
}

static inline vsp_real rate_show(vsp__real a)
{
    return (vsp_real)a * ((vsp_real)1 << (32 - VSP__RATE_BITS));
}

static inline vsp__real u_read(vsp_real a)
{
    int64_t places = ((a >> (31 - VSP__UNIT_BITS)) + 1) >> 1;

    return places > VSP__REAL_MAX        ? VSP__REAL_MAX
           : places < -VSP__REAL_MAX - 1 ? -VSP__REAL_MAX - 1
                                         : (vsp__real)places;
}

static inline vsp_real u_show(vsp__real a)
{
    return (vsp_real)a * ((vsp_real)1 << (32 - VSP__UNIT_BITS));
}

static inline vsp__wide w_read(vsp_real a)
{
    return vsp__w_from(a, 32);
}

static inline vsp_real w_show(vsp__wide a)
{
    return vsp__w_to_long(a, 32);
}

static inline vsp_real square_show(vsp__square a)
{
    return a >> (2 * VSP__REAL_BITS - 32);
}

static inline bool a_in(vsp_real a, vsp_real low, vsp_real high)
{
    return a >= low && a <= high;
}

#endif


/* ---- Both kinds ---------------------------------------------------------- */

/* What is done to numbers side by side. */
void vsp__flush(void *numbers, uint32_t count);
bool vsp__are_finite(const vsp__real *numbers, uint32_t count);

static inline vsp__real r_signed(vsp__real a, bool is_negative)
{
    return is_negative ? r_neg(a) : a;
}

static inline vsp__real r_min(vsp__real a, vsp__real b)
{
    return a < b ? a : b;
}

/* as with vectors: see v3_add_in */
vsp__real vsp__r_max(vsp__real a, vsp__real b);
vsp__real vsp__r_clamp(vsp__real a, vsp__real low, vsp__real high);

#if defined __OPTIMIZE_SIZE__
#define r_max vsp__r_max
#define r_clamp vsp__r_clamp
#else
static inline vsp__real r_max(vsp__real a, vsp__real b)
{
    return a > b ? a : b;
}

static inline vsp__real r_clamp(vsp__real a, vsp__real low, vsp__real high)
{
    return a < low ? low : a > high ? high : a;
}
#endif

static inline bool w_is_zero(vsp__wide a)
{
    return w_bits(a) << 1 == 0;
}

static inline vsp__square r_square(vsp__real a)
{
    return r_product(a, a);
}

/* the length whose square this is, a >= 0; rounded down in the fixed kind */
vsp__real vsp__root(vsp__square a);

/* 1 / a as a unit, a >= 1; in the fixed kind off by at most 3 */
#if VSP_FIXED
vsp__real vsp__reciprocal(vsp__real a);
#else
static inline vsp__real vsp__reciprocal(vsp__real a)
{
    return r_div(1.0f, a);
}
#endif

/* 1 / sqrt(a) of a unit, as a real; a > 0: within a place and 2^-28 of it */
vsp__real vsp__rsqrt_unit(vsp__real a);

/* sqrt(a b), a and b >= 0 */
vsp__real vsp__geometric_mean(vsp__real a, vsp__real b);

/* What takes (t1, t2), which is farther out, back onto the disc of radius
 * limit, not negative: a unit.  The product is off by at most 2. */
vsp__real vsp__disc_scale(vsp__real limit, vsp__real t1, vsp__real t2);

/* Scales (t1, t2) back onto the disc unless it is in there already. */
static inline void vsp__clamp_to_disc(vsp__real limit, vsp__real *t1,
                                      vsp__real *t2)
{
    vsp__real k;

    if (r_square(*t1) + r_square(*t2) <= r_square(limit))
        return;
    k = vsp__disc_scale(limit, *t1, *t2);
    *t1 = u_mul(*t1, k);
    *t2 = u_mul(*t2, k);
}

/* ---- Vectors ------------------------------------------------------------- */

typedef struct vsp__vec3 {
    vsp__real x, y, z;
} vsp__vec3;

typedef struct vsp__wide3 {
    vsp__wide x, y, z;
} vsp__wide3;

static inline vsp__vec3 v3(vsp__real x, vsp__real y, vsp__real z)
{
    vsp__vec3 v;

    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static inline vsp__vec3 v3_zero(void)
{
    return v3(0, 0, 0);
}

static inline vsp__vec3 v3_read(vsp_vec3 a)
{
    return v3(r_read(a.x), r_read(a.y), r_read(a.z));
}

static inline vsp_vec3 v3_show(vsp__vec3 a)
{
    vsp_vec3 v;

    v.x = r_show(a.x);
    v.y = r_show(a.y);
    v.z = r_show(a.z);
    return v;
}

/* of a unit vector */
static inline vsp_vec3 u3_show(vsp__vec3 a)
{
    vsp_vec3 v;

    v.x = u_show(a.x);
    v.y = u_show(a.y);
    v.z = u_show(a.z);
    return v;
}

static inline vsp__vec3 rate3_read(vsp_vec3 a)
{
    return v3(rate_read(a.x), rate_read(a.y), rate_read(a.z));
}

static inline vsp_vec3 rate3_show(vsp__vec3 a)
{
    vsp_vec3 v;

    v.x = rate_show(a.x);
    v.y = rate_show(a.y);
    v.z = rate_show(a.z);
    return v;
}

static inline vsp__wide3 w3_read(vsp_vec3 a)
{
    vsp__wide3 w;

    w.x = w_read(a.x);
    w.y = w_read(a.y);
    w.z = w_read(a.z);
    return w;
}

static inline vsp__vec3 v3_add(vsp__vec3 a, vsp__vec3 b)
{
    return v3(r_add(a.x, b.x), r_add(a.y, b.y), r_add(a.z, b.z));
}

static inline vsp__vec3 v3_sub(vsp__vec3 a, vsp__vec3 b)
{
    return v3(r_sub(a.x, b.x), r_sub(a.y, b.y), r_sub(a.z, b.z));
}

static inline vsp__vec3 v3_neg(vsp__vec3 a)
{
    return v3(r_neg(a.x), r_neg(a.y), r_neg(a.z));
}

static inline vsp__vec3 v3_signed(vsp__vec3 a, bool is_negative)
{
    return is_negative ? v3_neg(a) : a;
}

/* reals times a real; and with a unit on either side */
static inline vsp__vec3 v3_scale(vsp__vec3 a, vsp__real s)
{
    return v3(r_mul(a.x, s), r_mul(a.y, s), r_mul(a.z, s));
}

static inline vsp__vec3 u3_scale(vsp__vec3 a, vsp__real s)
{
    return v3(u_mul(a.x, s), u_mul(a.y, s), u_mul(a.z, s));
}

static inline vsp__real v3_dot(vsp__vec3 a, vsp__vec3 b)
{
    return r_dot3(a.x, b.x, a.y, b.y, a.z, b.z);
}

static inline vsp__real u3_dot(vsp__vec3 a, vsp__vec3 b)
{
    return u_dot3(a.x, b.x, a.y, b.y, a.z, b.z);
}

static inline vsp__square v3_product(vsp__vec3 a, vsp__vec3 b)
{
    return r_product(a.x, b.x) + r_product(a.y, b.y) + r_product(a.z, b.z);
}

static inline vsp__square v3_square(vsp__vec3 a)
{
    return v3_product(a, a);
}

static inline vsp__vec3 v3_cross(vsp__vec3 a, vsp__vec3 b)
{
    return v3(r_dot2(a.y, b.z, -a.z, b.y), r_dot2(a.z, b.x, -a.x, b.z),
              r_dot2(a.x, b.y, -a.y, b.x));
}

static inline vsp__vec3 u3_cross(vsp__vec3 a, vsp__vec3 b)
{
    return v3(u_dot2(a.y, b.z, -a.z, b.y), u_dot2(a.z, b.x, -a.x, b.z),
              u_dot2(a.x, b.y, -a.y, b.x));
}

static inline vsp__real v3_length(vsp__vec3 a)
{
    return vsp__root(v3_square(a));
}

static inline vsp__vec3 v3_abs(vsp__vec3 a)
{
    return v3(r_abs(a.x), r_abs(a.y), r_abs(a.z));
}

static inline vsp__real v3_largest(vsp__vec3 a)
{
    return r_max(a.x, r_max(a.y, a.z));
}

/* the largest magnitude of a component */
static inline vsp__real v3_size(vsp__vec3 a)
{
    return v3_largest(v3_abs(a));
}

/* a - b before it is scaled: at most twice the range */
static inline vsp__vec3 v3_way(vsp__vec3 a, vsp__vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vsp__vec3 v3_sat(vsp__vec3 a)
{
    return v3(r_sat(a.x), r_sat(a.y), r_sat(a.z));
}

static inline vsp__vec3 v3_flush(vsp__vec3 a)
{
    return v3(r_flush(a.x), r_flush(a.y), r_flush(a.z));
}

void vsp__clamp_in(vsp__real *a, uint32_t count, vsp__real limit);

/* The same in place, by address: less code where vectors are in memory.  To
 * an address means one that may be that of an operand.  A build for speed
 * copies those that follow, one for size calls them. */

void vsp__v3_add(vsp__vec3 *a, const vsp__vec3 *b);
void vsp__v3_sub(vsp__vec3 *a, const vsp__vec3 *b);
void vsp__v3_flip(vsp__vec3 *a, bool is_negative);
void vsp__v3_scale(vsp__vec3 *a, vsp__real s);
void vsp__u3_scale(vsp__vec3 *a, vsp__real s);
void vsp__u3_move(vsp__vec3 *a, vsp__real s, const vsp__vec3 *b);
void vsp__v3_flush(vsp__vec3 *a);
void vsp__v3_move(vsp__vec3 *a, vsp__real s, const vsp__vec3 *b);
vsp__real vsp__v3_dot(const vsp__vec3 *a, const vsp__vec3 *b);
vsp__real vsp__v3_length(const vsp__vec3 *a);
vsp__real vsp__u3_dot(const vsp__vec3 *a, const vsp__vec3 *b);
vsp__real vsp__v3_size(const vsp__vec3 *a);
vsp__square vsp__v3_product(const vsp__vec3 *a, const vsp__vec3 *b);
void vsp__v3_cross(const vsp__vec3 *a, const vsp__vec3 *b, vsp__vec3 *out);
void vsp__u3_cross(const vsp__vec3 *a, const vsp__vec3 *b, vsp__vec3 *out);

#if defined __OPTIMIZE_SIZE__
#define v3_add_in vsp__v3_add
#define v3_sub_in vsp__v3_sub
#define v3_flip_in vsp__v3_flip
#define v3_scale_in vsp__v3_scale
#define u3_scale_in vsp__u3_scale
#define u3_move vsp__u3_move
#define v3_move vsp__v3_move
#define v3_dot_at vsp__v3_dot
#define v3_length_at vsp__v3_length
#define v3_flush_in vsp__v3_flush
#define u3_dot_at vsp__u3_dot
#define v3_size_at vsp__v3_size
#define v3_product_at vsp__v3_product
#define v3_cross_to vsp__v3_cross
#define u3_cross_to vsp__u3_cross
#else

static inline void v3_add_in(vsp__vec3 *a, const vsp__vec3 *b)
{
    *a = v3_add(*a, *b);
}

static inline void v3_sub_in(vsp__vec3 *a, const vsp__vec3 *b)
{
    *a = v3_sub(*a, *b);
}

static inline void v3_flip_in(vsp__vec3 *a, bool is_negative)
{
    *a = v3_signed(*a, is_negative);
}

static inline void v3_scale_in(vsp__vec3 *a, vsp__real s)
{
    *a = v3_scale(*a, s);
}

static inline void u3_scale_in(vsp__vec3 *a, vsp__real s)
{
    *a = u3_scale(*a, s);
}

static inline void u3_move(vsp__vec3 *a, vsp__real s, const vsp__vec3 *b)
{
    *a = v3_add(*a, u3_scale(*b, s));
}

/* a += s b */
static inline void v3_move(vsp__vec3 *a, vsp__real s, const vsp__vec3 *b)
{
    *a = v3_add(*a, v3_scale(*b, s));
}

static inline vsp__real v3_dot_at(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return v3_dot(*a, *b);
}

static inline vsp__real v3_length_at(const vsp__vec3 *a)
{
    return v3_length(*a);
}

static inline void v3_flush_in(vsp__vec3 *a)
{
    *a = v3_flush(*a);
}

static inline vsp__real u3_dot_at(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return u3_dot(*a, *b);
}

static inline vsp__real v3_size_at(const vsp__vec3 *a)
{
    return v3_size(*a);
}

static inline vsp__square v3_product_at(const vsp__vec3 *a,
                                        const vsp__vec3 *b)
{
    return v3_product(*a, *b);
}

static inline void v3_cross_to(const vsp__vec3 *a, const vsp__vec3 *b,
                               vsp__vec3 *out)
{
    *out = v3_cross(*a, *b);
}

static inline void u3_cross_to(const vsp__vec3 *a, const vsp__vec3 *b,
                               vsp__vec3 *out)
{
    *out = u3_cross(*a, *b);
}

#endif

/* a += s |b| */
static inline void u3_move_abs(vsp__vec3 *a, vsp__real s, const vsp__vec3 *b)
{
    *a = v3_add(*a, u3_scale(v3_abs(*b), s));
}

static inline void v3_clamp_in(vsp__vec3 *a, vsp__real limit)
{
    vsp__clamp_in(&a->x, 3, limit);
}

static inline vsp__square v3_square_at(const vsp__vec3 *a)
{
    return v3_product_at(a, a);
}

/* to - from, small parts of it flushed */
void vsp__way(const vsp__vec3 *from, const vsp__vec3 *to, vsp__vec3 *way);

/* forces or impulses times k, which makes rates of them */
static inline vsp__vec3 rate3_of_wide(const vsp__wide3 *w, vsp__wide k)
{
    return v3(w_to_rate(w_mul(w->x, k)), w_to_rate(w_mul(w->y, k)),
              w_to_rate(w_mul(w->z, k)));
}

/* position += v h */
static inline void v3_travel(vsp__vec3 *position, vsp__real h,
                             const vsp__vec3 *v)
{
    vsp__vec3 way = v3(r_way(v->x, h), r_way(v->y, h), r_way(v->z, h));

    *position = v3_add(*position, way);
}

/* v /= a, a real, a > 0; in the fixed kind within half a place and 2^-27 of
 * v */
void vsp__over(vsp__vec3 *v, vsp__real a);

/* Makes a vector of reals or of units, not zero, a unit vector: of length 1
 * within 2^-27. */
void vsp__normalize(vsp__vec3 *v);

/* The same, small parts of it flushed. */
void vsp__flushed_normalize(vsp__vec3 *v);

/* vsp__normalize where the length is known. */
void vsp__direct(vsp__vec3 *v, vsp__real length);


/* a place of a table, and the normal of a plane */
void vsp__place(const vsp_place *p, vsp__vec3 *out);
void vsp__direction(const vsp_plane *p, vsp__vec3 *out);

/* A corner of a brick: bit k of its number is set where coordinate k is
 * positive. */
void vsp__corner(const vsp__vec3 *half, uint32_t number, vsp__vec3 *out);


/* ---- Matrices and quaternions -------------------------------------------- */

/* of units; columns: where the axes x, y, z go */
typedef struct vsp__mat3 {
    vsp__vec3 axis[3];
} vsp__mat3;

/* Symmetric, of any size: in the fixed kind the parts are mantissas of 28
 * bits, and what they stand for is part / 2^shift. */
typedef struct vsp__sym3 {
    vsp__real xx, yy, zz, xy, xz, yz;
#if VSP_FIXED
    int32_t shift;
#endif
} vsp__sym3;

/* Sums of products of reals, by which a vsp__sym3 is made. */
typedef struct vsp__sums {
    vsp__square xx, yy, zz, xy, xz, yz;
} vsp__sums;

typedef struct vsp__quat {
    vsp__real x, y, z, w; /* units */
} vsp__quat;

static inline vsp__vec3 m3_mul(const vsp__mat3 *m, vsp__vec3 v)
{
    const vsp__vec3 *a = m->axis;

    return v3(u_dot3(a[0].x, v.x, a[1].x, v.y, a[2].x, v.z),
              u_dot3(a[0].y, v.x, a[1].y, v.y, a[2].y, v.z),
              u_dot3(a[0].z, v.x, a[1].z, v.y, a[2].z, v.z));
}

/* transpose times v */
static inline vsp__vec3 m3_tmul(const vsp__mat3 *m, vsp__vec3 v)
{
    return v3(u3_dot(m->axis[0], v), u3_dot(m->axis[1], v),
              u3_dot(m->axis[2], v));
}

static inline vsp__quat q_identity(void)
{
    vsp__quat q = {0, 0, 0, VSP__U(1.0)};

    return q;
}

static inline vsp_quat q_show(vsp__quat a)
{
    vsp_quat q;

    q.x = u_show(a.x);
    q.y = u_show(a.y);
    q.z = u_show(a.z);
    q.w = u_show(a.w);
    return q;
}

/* These are called, not copied. */

/* a b, and a^-1 b of a turn a; out may be one of them */
void vsp__q_mul(const vsp__quat *a, const vsp__quat *b, vsp__quat *out);
void vsp__q_div(const vsp__quat *a, const vsp__quat *b, vsp__quat *out);

/* q is not of length 0 */
void vsp__q_normalize(vsp__quat *q);

/* a quaternion's squared length: a square of units */
vsp__square vsp__q_square(const vsp__quat *q);

/* Whether q is of length 1 to a thousandth. */
bool vsp__q_is_unit(const vsp__quat *q);

/* Reads a caller's rotation, and makes it of length 1 unless it is so to
 * rounding: a pose that was read can be set without a change.  Returns false
 * for what is not finite, or far too short or long to be one. */
bool vsp__q_read(vsp_quat from, vsp__quat *q);

/* The turn that a spin makes in h, a unit, seconds: (t / 2, 1) of
 * the rotation vector t, made of length 1: the Cayley map, exact up to
 * |t|^3 / 12. */
void vsp__turn_of(const vsp__vec3 *spin, vsp__real h, vsp__quat *turn);

/* The turn by a rotation vector, of units. */
void vsp__turn_by(const vsp__vec3 *angle, vsp__quat *turn);

/* m v, and the transpose of m times v; out may be v */
void vsp__mul(const vsp__mat3 *m, const vsp__vec3 *v, vsp__vec3 *out);
void vsp__tmul(const vsp__mat3 *m, const vsp__vec3 *v, vsp__vec3 *out);

#if defined __OPTIMIZE_SIZE__
#define m3_mul_to vsp__mul
#define m3_tmul_to vsp__tmul
#else
static inline void m3_mul_to(const vsp__mat3 *m, const vsp__vec3 *v,
                             vsp__vec3 *out)
{
    *out = m3_mul(m, *v);
}

static inline void m3_tmul_to(const vsp__mat3 *m, const vsp__vec3 *v,
                              vsp__vec3 *out)
{
    *out = m3_tmul(m, *v);
}
#endif

/* Both in place, small parts of what they make flushed. */
void vsp__flushed_mul(const vsp__mat3 *m, vsp__vec3 *v);
void vsp__flushed_tmul(const vsp__mat3 *m, vsp__vec3 *v);

/* where a turn takes a vector: within a place and 2^-25 of its length; out
 * may be v */
void vsp__turned(const vsp__quat *q, const vsp__vec3 *v, vsp__vec3 *out);

/* where a turn takes the axes */
vsp__mat3 vsp__axes_of(vsp__quat q);

/* the same, small parts of them flushed */
void vsp__flushed_axes(vsp__quat q, vsp__mat3 *axes);

vsp__sym3 vsp__s3_zero(void);

static inline vsp__sym3 s3_zero(void)
{
    return vsp__s3_zero();
}

/* Whether an inertia of one kilogram is as a state has it: flushed, of a size
 * that lengths can give, its diagonal positive. */
bool vsp__s3_is_kept(const vsp__sym3 *s);

static inline bool s3_is_kept(const vsp__sym3 *s)
{
    return vsp__s3_is_kept(s);
}

static inline void s3_flush(vsp__sym3 *s)
{
    vsp__flush(s, 6);
}

/* s v; out may be v */
void vsp__s3_mul(const vsp__sym3 *s, const vsp__vec3 *v, vsp__vec3 *out);

#if !VSP_FIXED
static inline vsp__vec3 s3_mul(const vsp__sym3 *s, vsp__vec3 a)
{
    return v3(r_dot3(s->xx, a.x, s->xy, a.y, s->xz, a.z),
              r_dot3(s->xy, a.x, s->yy, a.y, s->yz, a.z),
              r_dot3(s->xz, a.x, s->yz, a.y, s->zz, a.z));
}
#endif

#if VSP_FIXED || defined __OPTIMIZE_SIZE__
#define s3_mul_to vsp__s3_mul
#else
static inline void s3_mul_to(const vsp__sym3 *s, const vsp__vec3 *v,
                             vsp__vec3 *out)
{
    *out = s3_mul(s, *v);
}
#endif

/* s *= k, a unit: within 2^-28 of the largest part */
void vsp__scale(vsp__sym3 *s, vsp__real k);

/* s *= k, of any size: within 2^-23 */
void vsp__scale_by(vsp__sym3 *s, vsp__wide k);

/* sums += w (r.r 1 - r r^T): what a mass w at r adds to an inertia */
void vsp__add_spread(vsp__sums *sums, vsp__real w, const vsp__vec3 *r);

/* sums += k s, k a unit */
void vsp__add_sym(vsp__sums *sums, vsp__real k, const vsp__sym3 *s);

/* sums += a: of the matrix 1 */
static inline void vsp__add_isotropic(vsp__sums *sums, vsp__real a)
{
    vsp__square part = r_product(a, VSP__R(1.0));

    sums->xx = square_add(sums->xx, part);
    sums->yy = square_add(sums->yy, part);
    sums->zz = square_add(sums->zz, part);
}

/* The matrix that the sums have made. */
void vsp__sum_up(const vsp__sums *sums, vsp__sym3 *s);

/* s (torque k): a change of spin */
void vsp__turn_by_torque(const vsp__sym3 *s, const vsp__wide3 *torque,
                         vsp__wide k, vsp__vec3 *out);

/* a.(s a) of a unit vector: within 2^-23 of the largest part of s */
vsp__wide vsp__along(const vsp__sym3 *s, const vsp__vec3 *a);

/* (1 - a a^T) / size, a unit vector: the inverse, across a line, of a second
 * moment with this largest part */
void vsp__across(const vsp__vec3 *a, const vsp__sym3 *moment, vsp__sym3 *s);

/* s over its own size: the largest part becomes about 1 */
void vsp__shape_of(const vsp__sym3 *s, vsp__sym3 *shape);

/* s as seen from other axes: axes^T s axes, within 2^-26 of the largest
 * part */
void vsp__seen_from(const vsp__mat3 *axes, const vsp__sym3 *s,
                    vsp__sym3 *seen);

/* s of a body's frame, in the frame that m takes it to: m s m^T */
void vsp__rotate(const vsp__mat3 *m, vsp__sym3 *s);

/* Inverse by cofactors, in the fixed kind within 2^-25 of its largest part
 * times the ratio of the eigenvalues.  Returns false, and zero, when the
 * determinant is not above 2^-bits times the cube of the largest part of the
 * diagonal. */
bool vsp__invert(const vsp__sym3 *s, uint32_t bits, vsp__sym3 *inverse);

/* What follows has a part for each kind.
 *
 * vsp__turn: s c, which a row turns, in the fixed kind with 32 - k binary
 * places, k common to a manifold; returns c.(s c), a real.
 *
 * vsp__turn_scale: the k for these two inertias and arms of this size.
 *
 * vsp__begin_moving ... vsp__way_moved: the velocity of b less that of a,
 * while rows change it.
 *
 * vsp__begin_turning ... vsp__way_turned: a spin while rows change it.
 *
 * vsp__take, vsp__give: v -= part |share|, v += part share, of which one is
 * the negative of the other, to the bit: equal masses get opposite parts.
 *
 * vsp__parting: how points of two bodies go apart,
 * e + w[1] x arm[1] - w[0] x arm[0]; vsp__approach: its x, and a bias.
 *
 * vsp__turn_both: w[i] += d turn[i]. */

#if !VSP_FIXED

static inline vsp__real vsp__turn(const vsp__sym3 *s, const vsp__vec3 *c,
                                  uint32_t k, vsp__vec3 *turn)
{
    (void)k;
    s3_mul_to(s, c, turn);
    return v3_dot_at(c, turn);
}

static inline uint32_t vsp__turn_scale(const vsp__sym3 inertia[2],
                                       vsp__real arm)
{
    (void)inertia;
    (void)arm;
    return 0;
}

typedef vsp__real vsp__moved;
typedef vsp__vec3 vsp__moving;
typedef vsp__vec3 vsp__turning;

static inline void vsp__begin_moving(vsp__moving *e, const vsp__vec3 *v)
{
    *e = *v;
}

static inline void vsp__move(vsp__moved *e, vsp__real d)
{
    *e = r_add(*e, d);
}

static inline vsp__vec3 vsp__way_moved(const vsp__moving *e,
                                       const vsp__vec3 *from)
{
    return v3_way(*e, *from);
}

static inline void vsp__begin_turning(vsp__turning *t, const vsp__vec3 *w)
{
    *t = *w;
}

static inline vsp__vec3 vsp__way_turned(const vsp__turning *t,
                                        const vsp__vec3 *from)
{
    return v3_way(*t, *from);
}

static inline void vsp__take(vsp__vec3 *v, const vsp__vec3 *part,
                             vsp__real share)
{
    *v = v3_sub(*v, u3_scale(*part, r_abs(share)));
}

static inline void vsp__give(vsp__vec3 *v, const vsp__vec3 *part,
                             vsp__real share)
{
    *v = v3_add(*v, u3_scale(*part, share));
}

static inline vsp__vec3 vsp__parting(const vsp__moving *e,
                                     const vsp__turning w[2],
                                     const vsp__vec3 arm[2])
{
    vsp__vec3 a, b;

    v3_cross_to(&w[1], &arm[1], &b);
    v3_cross_to(&w[0], &arm[0], &a);
    v3_sub_in(&b, &a);
    v3_add_in(&b, e);
    return b;
}

static inline void vsp__turn_both(vsp__turning w[2], vsp__real d,
                                  const vsp__vec3 *turn0,
                                  const vsp__vec3 *turn1, uint32_t k)
{
    (void)k;
    w[0] = v3_add(w[0], v3_scale(*turn0, d)); /* in all builds copied */
    w[1] = v3_add(w[1], v3_scale(*turn1, d));
}

static inline vsp__real vsp__approach(const vsp__moving *e,
                                      const vsp__turning w[2],
                                      const vsp__vec3 arm[2], vsp__real bias)
{
    return r_add(vsp__parting(e, w, arm).x, bias);
}

#else

vsp__real vsp__turn(const vsp__sym3 *s, const vsp__vec3 *c, uint32_t k,
                    vsp__vec3 *turn);
uint32_t vsp__turn_scale(const vsp__sym3 inertia[2], vsp__real arm);

/* A component of a velocity, while rows change it, is what a product with an
 * arm is, and half a place: sums of such products begin with it. */
typedef int64_t vsp__moved;

typedef struct vsp__moving {
    vsp__moved x, y, z;
} vsp__moving;

/* A component of a spin, rounded, and below it what would be lost if each
 * row rounded it: together 64 bits.  Side by side, to be loaded at once.  A
 * row changes it by at most a 16th of the range: the twelve of a manifold
 * leave it where products of it still fit. */
typedef struct vsp__slow {
    uint32_t low;
    vsp__real high;
} vsp__slow;

typedef struct vsp__turning {
    vsp__slow x, y, z;
} vsp__turning;

static inline vsp__moved vsp__begin_move(vsp__real v)
{
    vsp__real one = VSP__R(1.0);

    VSP__HIDE_FACTOR(one);
    return (vsp__moved)((uint64_t)vsp__product(v, one) |
                        (uint32_t)1 << (VSP__REAL_BITS - 1));
}

static inline void vsp__begin_moving(vsp__moving *e, const vsp__vec3 *v)
{
    e->x = vsp__begin_move(v->x);
    e->y = vsp__begin_move(v->y);
    e->z = vsp__begin_move(v->z);
}

static inline void vsp__move(vsp__moved *e, vsp__real d)
{
    vsp__real one = VSP__R(1.0);

    VSP__HIDE_FACTOR(one);
    *e += vsp__product(d, one);
}

static inline vsp__vec3 vsp__way_moved(const vsp__moving *e,
                                       const vsp__vec3 *from)
{
    return v3(vsp__cut_real(e->x) - from->x, vsp__cut_real(e->y) - from->y,
              vsp__cut_real(e->z) - from->z);
}

static inline void vsp__begin_turning(vsp__turning *t, const vsp__vec3 *w)
{
    t->x.high = w->x;
    t->y.high = w->y;
    t->z.high = w->z;
    t->x.low = t->y.low = t->z.low = 0x80000000u;
}

/* at most twice the range */
static inline vsp__vec3 vsp__way_turned(const vsp__turning *t,
                                        const vsp__vec3 *from)
{
    return v3(t->x.high - from->x, t->y.high - from->y,
              t->z.high - from->z);
}

static inline void vsp__take(vsp__vec3 *v, const vsp__vec3 *part,
                             vsp__real share)
{
    share *= 4;
    *v = v3(vsp__add_share(v->x, VSP__TAKEN, part->x, share),
            vsp__add_share(v->y, VSP__TAKEN, part->y, share),
            vsp__add_share(v->z, VSP__TAKEN, part->z, share));
}

static inline void vsp__give(vsp__vec3 *v, const vsp__vec3 *part,
                             vsp__real share)
{
    uint32_t one = (uint32_t)share >> VSP__UNIT_BITS;

    share = (int32_t)(((uint32_t)share << 2) - one); /* 1 is one place less */
    *v = v3(vsp__add_share(v->x, VSP__GIVEN, part->x, share),
            vsp__add_share(v->y, VSP__GIVEN, part->y, share),
            vsp__add_share(v->z, VSP__GIVEN, part->z, share));
}

/* e + (a b - c d + f g - h i) */
static inline int64_t vsp__part(vsp__moved e, int32_t a, vsp__real b,
                                int32_t c, vsp__real d, int32_t f,
                                vsp__real g, int32_t h, vsp__real i)
{
    return e + vsp__product(a, b) + vsp__product(-c, d) +
           vsp__product(f, g) + vsp__product(-h, i);
}

static inline vsp__vec3 vsp__parting(const vsp__moving *e,
                                     const vsp__turning w[2],
                                     const vsp__vec3 arm[2])
{
    const vsp__vec3 *r = &arm[0], *s = &arm[1];
    int32_t vx = w[0].x.high, vy = w[0].y.high;
    int32_t vz = w[0].z.high, ux = w[1].x.high;
    int32_t uy = w[1].y.high, uz = w[1].z.high;
    int64_t x = vsp__part(e->x, uy, s->z, uz, s->y, vz, r->y, vy, r->z);
    int64_t y = vsp__part(e->y, uz, s->x, ux, s->z, vx, r->z, vz, r->x);
    int64_t z = vsp__part(e->z, ux, s->y, uy, s->x, vy, r->x, vx, r->y);

    return v3(vsp__cut_real(x), vsp__cut_real(y), vsp__cut_real(z));
}

/* by any d; and so that most are done where they are */
void vsp__turn_both_by(vsp__turning w[2], vsp__real d,
                       const vsp__vec3 *turn0, const vsp__vec3 *turn1,
                       uint32_t k);

/* Whether a change has room in 31 bits when it is moved up by k: nearly all
 * have. */
static inline bool vsp__has_room(vsp__real size, uint32_t k)
{
    return size <= VSP__REAL_MAX >> k;
}

static inline int32_t vsp__up(vsp__real d, uint32_t k)
{
    d = (int32_t)((uint32_t)d << k);
    VSP__HIDE(d); /* or products with it would be of 64 bits each */
    return d;
}

/* What a component is, with what is below a place; and what it becomes.
 * Returns it, rounded. */

static inline int64_t vsp__exact(const vsp__slow *w)
{
    uint32_t low = w->low;

    return (int64_t)((uint64_t)(uint32_t)w->high << 32 | low);
}

static inline vsp__real vsp__keep(vsp__slow *w, int64_t sum)
{
    vsp__real high = (vsp__real)(sum >> 32);

    VSP__HIDE(high);
    w->low = (uint32_t)((uint64_t)sum & 0xffffffffu);
    w->high = high;
    return high;
}

static inline vsp__real vsp__turn_one(vsp__slow *w, int32_t up,
                                      vsp__real turn)
{
    int64_t sum = vsp__exact(w);

    return vsp__keep(w, sum + vsp__product(up, turn));
}

static inline void vsp__turn_body(vsp__turning *w, int32_t up,
                                  const vsp__vec3 *turn)
{
    vsp__turn_one(&w->x, up, turn->x);
    vsp__turn_one(&w->y, up, turn->y);
    vsp__turn_one(&w->z, up, turn->z);
}

#if defined __OPTIMIZE_SIZE__

#define vsp__turn_both vsp__turn_both_by

static inline vsp__real vsp__approach(const vsp__moving *e,
                                      const vsp__turning w[2],
                                      const vsp__vec3 arm[2], vsp__real bias)
{
    vsp__moving at = *e;

    vsp__move(&at.x, bias);
    return vsp__parting(&at, w, arm).x;
}

#else

static inline void vsp__turn_both(vsp__turning w[2], vsp__real d,
                                  const vsp__vec3 *turn0,
                                  const vsp__vec3 *turn1, uint32_t k)
{
    if (vsp__has_room(r_size(d), k)) {
        int32_t up = vsp__up(d, k);

        vsp__turn_body(&w[0], up, turn0);
        vsp__turn_body(&w[1], up, turn1);
    } else {
        vsp__turn_both_by(w, d, turn0, turn1, k);
    }
}

static inline vsp__real vsp__approach(const vsp__moving *e,
                                      const vsp__turning w[2],
                                      const vsp__vec3 arm[2], vsp__real bias)
{
    const vsp__vec3 *r = &arm[0], *s = &arm[1];
    vsp__moved begin = e->x;

    vsp__move(&begin, bias);
    return vsp__cut_real(vsp__part(begin, w[1].y.high, s->z, w[1].z.high,
                                   s->y, w[0].z.high, r->y, w[0].y.high,
                                   r->z));
}

/* Several rows at once, as spins are too many for registers: each of their
 * components is loaded once.  The bits are those of vsp__turn_both. */
#define VSP__TOGETHER 1

/* vsp__turn_both, then y and z of vsp__parting */
static inline void vsp__turn_normal(const vsp__moving *e, vsp__turning w[2],
                                    vsp__real d, const vsp__vec3 arm[2],
                                    const vsp__vec3 turn[2][3], uint32_t k,
                                    vsp__real u[2])
{
    const vsp__vec3 *s = turn[0], *t = turn[1];
    int64_t y = e->y, z = e->z;
    vsp__real w_now;
    int32_t up;

    if (!vsp__has_room(r_size(d), k)) {
        vsp__turn_both_by(w, d, s, t, k);
        d = 0;
    }
    up = vsp__up(d, k);
    w_now = vsp__turn_one(&w[0].x, up, s->x);
    y += vsp__product(w_now, arm[0].z);
    z += vsp__product(-w_now, arm[0].y);
    w_now = vsp__turn_one(&w[0].y, up, s->y);
    z += vsp__product(w_now, arm[0].x);
    w_now = vsp__turn_one(&w[0].z, up, s->z);
    y += vsp__product(-w_now, arm[0].x);
    w_now = vsp__turn_one(&w[1].x, up, t->x);
    y += vsp__product(-w_now, arm[1].z);
    z += vsp__product(w_now, arm[1].y);
    w_now = vsp__turn_one(&w[1].y, up, t->y);
    z += vsp__product(-w_now, arm[1].x);
    w_now = vsp__turn_one(&w[1].z, up, t->z);
    y += vsp__product(w_now, arm[1].x);
    u[0] = vsp__cut_real(y);
    u[1] = vsp__cut_real(z);
}

static inline void vsp__turn_twice(vsp__slow *w, int32_t up1, vsp__real t1,
                                   int32_t up2, vsp__real t2)
{
    int64_t sum = vsp__exact(w);

    sum += vsp__product(up1, t1);
    sum += vsp__product(up2, t2);
    vsp__keep(w, sum);
}

/* vsp__turn_both for both tangents */
static inline void vsp__turn_tangents(vsp__turning w[2], vsp__real d1,
                                      vsp__real d2,
                                      const vsp__vec3 turn[2][3], uint32_t k)
{
    int32_t up1 = vsp__up(d1, k), up2 = vsp__up(d2, k);
    const vsp__vec3 *s = turn[0], *t = turn[1];

    if (!vsp__has_room(r_max_size(r_size(d1), d2), k)) {
        vsp__turn_both_by(w, d1, &s[1], &t[1], k);
        vsp__turn_both_by(w, d2, &s[2], &t[2], k);
        return;
    }
    vsp__turn_twice(&w[0].x, up1, s[1].x, up2, s[2].x);
    vsp__turn_twice(&w[0].y, up1, s[1].y, up2, s[2].y);
    vsp__turn_twice(&w[0].z, up1, s[1].z, up2, s[2].z);
    vsp__turn_twice(&w[1].x, up1, t[1].x, up2, t[2].x);
    vsp__turn_twice(&w[1].y, up1, t[1].y, up2, t[2].y);
    vsp__turn_twice(&w[1].z, up1, t[1].z, up2, t[2].z);
}

#endif

#endif

#ifndef VSP__TOGETHER
#define VSP__TOGETHER 0
#endif

#endif /* VSP_SCALAR_H */
