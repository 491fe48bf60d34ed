/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Numbers as floats, with the same functions as fixed.h: formats; arithmetic;
 * the form in which rows step; squares; bits and order; conversions between
 * formats; integers; sums of many; wide numbers; callers' numbers.
 *
 * Each operation is rounded separately, to the nearest float: nothing is fused
 * or kept wider, and no library function is called. */

#ifndef VSP_FLOAT_H
#define VSP_FLOAT_H

/* Compilers may fuse a product and a sum, which are then rounded once: other
 * bits.  Pass -ffp-contract=off as well, for compilers that ignore both
 * pragmas. */
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off")
#endif


/* ---- Formats ------------------------------------------------------------- */

typedef float vsp__num;
typedef float vsp__wide;
typedef float vsp__square;
typedef float vsp__total;

#define VSP__REAL(x) ((vsp__num)(x))
#define VSP__UNIT(x) ((vsp__num)(x))
#define VSP__RATE(x) ((vsp__num)(x))
#define VSP__W_ZERO 0.0f
#define VSP__W_ONE 1.0f

/* fixed point has binary places here */
#define VSP__REAL_BITS 0
#define VSP__UNIT_BITS 0
#define VSP__RATE_BITS 0

/* larger than any number in a step */
#define VSP__REAL_MAX 1e30f

/* An inertia whose determinant is at most 2^-VSP__MIN_INERTIA_BITS times the
 * cube of its largest diagonal part is thickened: each diagonal part grows by
 * VSP__MIN_INERTIA_RATIO, a unit, times the largest. */
#define VSP__MIN_INERTIA_RATIO VSP__UNIT(1e-5)
#define VSP__MIN_INERTIA_BITS 17u

/* Whether this CPU and compiler round each operation to the nearest float: then
 * both sums are 0.  The first sum is not 0 if a product is fused or kept wide,
 * because the square of a is half-way between two floats, or if a division by 3
 * is a product with the float nearest to 1/3; the second is not 0 if it is
 * reordered or rounded down.  No fault makes both the same: the error of the
 * first is at least twice that of a reordered second. */
static inline bool r_is_exact(void)
{
    volatile vsp__num seed = 1.000244140625f; /* 1 + 2^-12 */
    vsp__num a = seed;

    return a * a - 1.00048828125f + (a / 3.0f - 0.333414704f) ==
           a - 1.4901161e-8f - a;
}


/* ---- Arithmetic ---------------------------------------------------------- */

/* In fixed point clamps a number of up to twice the limits; floats have no
 * limits that a step could exceed. */
static inline vsp__num r_saturate(vsp__num a)
{
    return a;
}

static inline vsp__num r_add(vsp__num a, vsp__num b)
{
    return a + b;
}

static inline vsp__num r_sub(vsp__num a, vsp__num b)
{
    return a - b;
}

static inline vsp__num r_neg(vsp__num a)
{
    return -a;
}

static inline vsp__num r_mul(vsp__num a, vsp__num b)
{
    return a * b;
}

/* of anything by a unit */
static inline vsp__num u_mul(vsp__num a, vsp__num b)
{
    return a * b;
}

/* b is not 0 */
static inline vsp__num r_div(vsp__num a, vsp__num b)
{
    return a / b;
}

static inline vsp__num u_div(vsp__num a, vsp__num b)
{
    return a / b;
}

/* a b + c d, and so on: r_ of reals, u_ of anything by units */
static inline vsp__num r_dot2(vsp__num a, vsp__num b, vsp__num c, vsp__num d)
{
    return a * b + c * d;
}

static inline vsp__num r_dot3(vsp__num a, vsp__num b, vsp__num c, vsp__num d,
                              vsp__num e, vsp__num f)
{
    return a * b + c * d + e * f;
}

static inline vsp__num u_dot2(vsp__num a, vsp__num b, vsp__num c, vsp__num d)
{
    return a * b + c * d;
}

static inline vsp__num u_dot3(vsp__num a, vsp__num b, vsp__num c, vsp__num d,
                              vsp__num e, vsp__num f)
{
    return a * b + c * d + e * f;
}

/* Products with a cut argument, which floats ignore. */

#define VSP__NEAREST 0u

static inline vsp__num r_mul_cut(vsp__num a, vsp__num b, uint32_t cut)
{
    (void)cut;
    return a * b;
}

static inline vsp__num u_mul_cut(vsp__num a, vsp__num b, uint32_t cut)
{
    (void)cut;
    return a * b;
}

static inline vsp__num u_dot2_cut(vsp__num a, vsp__num b, vsp__num c,
                                  vsp__num d, uint32_t cut)
{
    (void)cut;
    return a * b + c * d;
}

static inline vsp__num u_dot3_cut(vsp__num a, vsp__num b, vsp__num c,
                                  vsp__num d, vsp__num e, vsp__num f,
                                  uint32_t cut)
{
    (void)cut;
    return a * b + c * d + e * f;
}


/* ---- Shifts ----------------------------------------------------------------
 * Floats have all their places at any size. */

static inline uint32_t vsp__room_above(vsp__num size)
{
    (void)size;
    return 0;
}

static inline void vsp__shift_up_each(vsp__num *a, uint32_t count, uint32_t up)
{
    (void)a;
    (void)count;
    (void)up;
}

static inline void vsp__shift_down_each(vsp__num *a, uint32_t count,
                                        uint32_t up, uint32_t cut)
{
    (void)a;
    (void)count;
    (void)up;
    (void)cut;
}


/* ---- Rows ------------------------------------------------------------------
 * r_step changes the multiplier x of a row by -u d: u is the velocity along the
 * row with its bias, d the inverse diagonal, a unit of at most 1.  The stride
 * is d in the form that makes this step cheap. */

static inline vsp__num r_stride(vsp__num inverse)
{
    return inverse;
}

/* the inverse diagonal of a stride */
static inline vsp__num u_of_stride(vsp__num stride)
{
    return stride;
}

static inline vsp__num r_step(vsp__num x, vsp__num u, vsp__num stride)
{
    return x - u * stride;
}


/* ---- Squares ------------------------------------------------------------- */

static inline vsp__square r_product(vsp__num a, vsp__num b)
{
    return a * b;
}

/* a square times a unit of at most 1 */
static inline vsp__square r_part(vsp__square a, vsp__num unit)
{
    return a * unit;
}

static inline vsp__square square_add(vsp__square a, vsp__square b)
{
    return a + b;
}

static inline vsp__num r_of_square(vsp__square a)
{
    return a;
}


/* ---- Bits and order ------------------------------------------------------ */

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

static inline uint32_t r_bits(vsp__num a)
{
    return w_bits(a);
}

static inline vsp__num r_from_bits(uint32_t bits)
{
    return w_from_bits(bits);
}

/* Bits to sort by: as unsigned integers they sort like the numbers. */
static inline uint32_t r_order(vsp__num a)
{
    uint32_t bits = r_bits(a);

    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

#if defined __GNUC__
#define r_abs __builtin_fabsf /* an instruction where there is one */
#else
static inline vsp__num r_abs(vsp__num a)
{
    return r_from_bits(r_bits(a) & 0x7fffffffu);
}
#endif

/* |a|, in the cheapest form.  r_max_size returns the larger of such a size and
 * the size of b, which does not count if it is no number. */
static inline vsp__num r_size(vsp__num a)
{
    return r_abs(a);
}

static inline vsp__num r_max_size(vsp__num a, vsp__num b)
{
    return r_abs(b) > a ? r_abs(b) : a;
}

static inline bool r_is_finite(vsp__num a)
{
    return (r_bits(a) & 0x7f800000u) != 0x7f800000u;
}

/* Whether low <= a <= high.  False for NaN, even if the compiler assumes that
 * there is none. */
bool vsp__r_in(vsp__num a, vsp__num low, vsp__num high);

#if defined __OPTIMIZE_SIZE__
#define r_in vsp__r_in
#else
static inline bool r_in(vsp__num a, vsp__num low, vsp__num high)
{
    return r_is_finite(a) && a >= low && a <= high;
}
#endif

/* Replaces a number below 2^-50 by 0, so that no later product is subnormal:
 * some consoles trap on subnormals, and some round them twice.  Tests the
 * exponent, which is cheap without an FPU. */
VSP__CALLED vsp__num vsp__r_flush(vsp__num a);

#if defined __OPTIMIZE_SIZE__
#define r_flush vsp__r_flush
#else
static inline vsp__num r_flush(vsp__num a)
{
    return r_bits(a) << 1 < (uint32_t)(127 - 50) << 24 ? 0.0f : a;
}
#endif

static inline bool r_is_flushed(vsp__num a)
{
    return r_bits(r_flush(a)) << 1 == r_bits(a) << 1;
}


/* ---- Conversions between formats ----------------------------------------- */

static inline vsp__num r_of_unit(vsp__num a)
{
    return a;
}

static inline vsp__num u_of_real(vsp__num a)
{
    return a;
}

/* A spin times a time h, a unit, is an angle, as a unit. */
static inline vsp__num u_of_rate(vsp__num spin, vsp__num h)
{
    return spin * h;
}

/* A rate times a time h, a unit, is a displacement in m or an angle, as a
 * real. */
static inline vsp__num r_of_rate(vsp__num spin, vsp__num h)
{
    return spin * h;
}

static inline vsp__num r_of_rate_cut(vsp__num rate, vsp__num h, uint32_t cut)
{
    (void)cut;
    return rate * h;
}

/* The rate that covers a displacement, a real, in a time h, a unit. */
static inline vsp__num rate_over(vsp__num way, vsp__num h)
{
    return way / h;
}


/* ---- Integers ------------------------------------------------------------ */

/* a rounded towards 0, |a| < 2^31 */
static inline int32_t r_to_int(vsp__num a)
{
    return (int32_t)a;
}

/* |i| < 2^24 */
static inline vsp__num r_from_int(int32_t i)
{
    return (vsp__num)i;
}

/* a coordinate of a table: i / 2^20 m, |i| < 2^30 */
VSP__CALLED vsp__num vsp__r_of_place(int32_t i);

#if defined __OPTIMIZE_SIZE__
#define r_of_place vsp__r_of_place
#else
static inline vsp__num r_of_place(int32_t i)
{
    return (vsp__num)i * 9.5367431640625e-07f;
}
#endif

/* a component of a table's direction: i / 2^29 */
static inline vsp__num u_of_direction(int32_t i)
{
    return (vsp__num)i * 1.86264514923095703125e-09f;
}

/* A coordinate for a table, rounded towards 0, at most 1,023 m; in vector.c. */
VSP__CALLED int32_t vsp__r_to_place(vsp__num a);
#define r_to_place vsp__r_to_place

/* a n, |n| < 2^24; the caller ensures that it is within the limits */
static inline vsp__num r_times(vsp__num a, int32_t n)
{
    return a * (vsp__num)n;
}

/* a unit, |a| <= 1, as an integer of VSP__UNIT_PLACES binary places, rounded
 * towards 0; and such an integer as a unit, rounded */
#define VSP__UNIT_PLACES 30

static inline int32_t u_to_places(vsp__num a)
{
    return (int32_t)(a * 1073741824.0f);
}

static inline vsp__num u_of_places(int32_t i)
{
    return (vsp__num)i * 9.31322574615478515625e-10f;
}

/* the number with the magnitude of these bits, and a sign */
static inline vsp__num u_signed_bits(uint32_t bits, bool is_negative)
{
    return r_from_bits(is_negative ? bits | 0x80000000u : bits);
}


/* ---- Sums of many reals -------------------------------------------------- */

static inline void t_add(vsp__total *total, vsp__num a)
{
    *total += a;
}

/* total / count */
static inline vsp__num t_mean(vsp__total total, uint32_t count)
{
    return r_flush(total) * (1.0f / (vsp__num)count);
}

/* scale * count / total, total > 0: scale over the mean of `count` numbers with
 * this total */
static inline vsp__num t_rate(vsp__total total, uint32_t count, vsp__num scale)
{
    return (vsp__num)count / total * scale;
}


/* ---- Wide numbers -------------------------------------------------------- */

static inline vsp__wide w_mul(vsp__wide a, vsp__wide b)
{
    return a * b;
}

/* b is not 0 */
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

/* Whether low <= a <= high. */
static inline bool w_in(vsp__wide a, vsp__wide low, vsp__wide high)
{
    return r_in(a, low, high);
}

static inline vsp__wide w_of_real(vsp__num a)
{
    return a;
}

static inline vsp__wide w_of_unit(vsp__num a)
{
    return a;
}

static inline vsp__wide w_of_rate(vsp__num a)
{
    return a;
}

static inline vsp__wide w_of_square(vsp__square a)
{
    return a;
}

/* of a product of two rates */
static inline vsp__wide w_of_rate_square(vsp__square a)
{
    return a;
}

static inline vsp__num w_to_real(vsp__wide a)
{
    return a;
}

static inline vsp__num w_to_rate(vsp__wide a)
{
    return a;
}

static inline vsp__num w_to_rate_cut(vsp__wide a, uint32_t cut)
{
    (void)cut;
    return a;
}

static inline vsp__num w_to_unit(vsp__wide a)
{
    return a;
}

static inline vsp__square square_of_wide(vsp__wide a)
{
    return a;
}


/* ---- Callers' numbers ------------------------------------------------------
 * read converts a caller's number to a format, rounded; show converts back. */

static inline vsp__num r_read(vsp_real a)
{
    return a;
}

static inline vsp_real r_show(vsp__num a)
{
    return a;
}

static inline vsp__num rate_read(vsp_real a)
{
    return a;
}

static inline vsp_real rate_show(vsp__num a)
{
    return a;
}

static inline vsp__num u_read(vsp_real a)
{
    return a;
}

static inline vsp_real u_show(vsp__num a)
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

/* Whether low <= a <= high. */
static inline bool caller_in(vsp_real a, vsp_real low, vsp_real high)
{
    return r_in(a, low, high);
}

/* Arithmetic of callers' numbers. */

float vsp__square_root(float a);

static inline vsp_real vsp__caller_mul(vsp_real a, vsp_real b)
{
    return a * b;
}

static inline vsp_real vsp__caller_div(vsp_real a, vsp_real b)
{
    return a / b;
}

static inline vsp_real vsp__caller_sqrt(vsp_real a)
{
    return vsp__square_root(a);
}

static inline vsp_real vsp__caller_add(vsp_real a, vsp_real b)
{
    return a + b;
}

static inline vsp_real vsp__caller_neg(vsp_real a)
{
    return -a;
}

/* Returns whether the square of a length allows a division by the length. */
static inline bool vsp__has_direction(vsp__square square)
{
    return r_in(square, 1e-30f, 1e37f);
}

/* In fixed point a vector is scaled to fit the engine's formats. */
static inline int32_t vsp__places_down(const vsp_vec3 *a)
{
    (void)a;
    return 0;
}

static inline vsp__num vsp__read_scaled(vsp_real a, int32_t down)
{
    (void)down;
    return a;
}

static inline vsp_real vsp__show_scaled(vsp__num a, int32_t down)
{
    (void)down;
    return a;
}

#endif /* VSP_FLOAT_H */
