/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Numbers in fixed point, with the same functions as float.h: formats;
 * rounding and clamping; arithmetic; the form in which rows step; squares; bits
 * and order; conversions between formats; integers; sums of many; wide numbers;
 * callers' numbers.
 *
 * A sum of products has 64 bits and is rounded once, to nearest, ties up.
 * Nothing wraps: results are clamped to [-2^30, 2^30).  A product beyond that
 * becomes the limit, apart from the last 12 bits of a real, or the last 3 of a
 * unit.  Right shifts of negative numbers must be arithmetic, as they are in
 * all compilers that have a port. */

#ifndef VSP_FIXED_H
#define VSP_FIXED_H

VSP_STATIC_ASSERT(shifts_are_arithmetic, (-2 >> 1) == -1);
VSP_STATIC_ASSERT(conversions_wrap, (int32_t)0xffffffffu == -1);

/* GCC would move the halves of 64-bit sums too far apart to stay in
 * registers. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-schedule-insns")
#endif


/* ---- Formats ------------------------------------------------------------- */

typedef int32_t vsp__num;
typedef struct vsp__wide {
    uint32_t bits; /* sign, exponent, mantissa, as in binary32 */
} vsp__wide;
typedef int64_t vsp__square; /* 40 binary places */
typedef int64_t vsp__total;  /* 20 binary places */

/* Binary places.  A rate is a real in units of 8 m/s or 8 rad/s: bodies at rest
 * need no finer unit, and within a step a light body under a load, or a thin
 * one in a contact, gets a large velocity. */
#define VSP__REAL_BITS 20
#define VSP__UNIT_BITS 29
#define VSP__RATE_BITS (VSP__REAL_BITS - 3)

/* Constants are converted through float, so that a compiler whose double is a
 * float gets the same bits. */
#define VSP__REAL(x) ((vsp__num)(1048576.0f * (float)(x)))
#define VSP__UNIT(x) ((vsp__num)(536870912.0f * (float)(x)))
#define VSP__RATE(x) ((vsp__num)(131072.0f * (float)(x)))

static const vsp__wide vsp__wide_zero = {0u}, vsp__wide_one = {0x3f800000u};
#define VSP__W_ZERO vsp__wide_zero
#define VSP__W_ONE vsp__wide_one

/* the upper limit of any format but wide */
#define VSP__REAL_MAX 0x3fffffff

/* An inertia whose determinant is at most 2^-VSP__MIN_INERTIA_BITS times the
 * cube of its largest diagonal part is thickened: each diagonal part grows by
 * VSP__MIN_INERTIA_RATIO, a unit, times the largest. */
#define VSP__MIN_INERTIA_RATIO VSP__UNIT(1e-3)
#define VSP__MIN_INERTIA_BITS 10u

/* Integers have no rounding mode, so it cannot be wrong. */
static inline bool r_is_exact(void)
{
    return true;
}


/* ---- Rounding and clamping ----------------------------------------------- */

/* Hides the value of a from compilers, but not its type. */
#if defined __GNUC__
#define VSP__HIDE(a) __asm__("" : "+r"(a))
#else
#define VSP__HIDE(a) (void)(a)
#endif

/* VSP__CLAMP clamps to a signed integer of this many bits: Cortex-M has an
 * instruction for that, which compilers do not recognise in other code.
 * VSP__HIDE_FACTOR hides that a factor is a power of two: compilers would shift
 * and add 64 bits in pieces, where Cortex-M multiplies and adds in one
 * instruction. */
#if defined __GNUC__ && defined __ARM_FEATURE_SAT
#define VSP__CLAMP(a, bits) __builtin_arm_ssat(a, bits)
#define VSP__HIDE_FACTOR(a) VSP__HIDE(a)
#else
#define VSP__CLAMP(a, bits) vsp__clamp(a, (int32_t)1 << ((bits)-1))
#define VSP__HIDE_FACTOR(a) (void)(a)

static inline int32_t vsp__clamp(int32_t a, int32_t end)
{
    return a > end - 1 ? end - 1 : a < -end ? -end : a;
}
#endif

/* Clamps a number of at most twice the limits. */
static inline vsp__num r_saturate(int32_t a)
{
    return VSP__CLAMP(a, 31);
}

#define VSP__NEAREST 0x80000000u /* half a place */

/* Round a sum of products to its format and clamp it: vsp__narrow_real of
 * products with a real, vsp__narrow_unit of products with a unit. |sum| is
 * below 2^63 - 2^31.  vsp__narrow_real_down rounds down. */
static inline vsp__num vsp__narrow_real_down(int64_t sum)
{
    int32_t high = VSP__CLAMP((int32_t)(sum >> 32), VSP__REAL_BITS - 1);

    return (int32_t)((uint32_t)high << (32 - VSP__REAL_BITS) |
                     (uint32_t)((uint64_t)sum & 0xffffffffu) >> VSP__REAL_BITS);
}

static inline vsp__num vsp__narrow_real(int64_t sum)
{
    return vsp__narrow_real_down(sum + ((int64_t)1 << (VSP__REAL_BITS - 1)));
}

/* Narrow a sum to its format, rounded by a cut (number.h); VSP__NEAREST rounds
 * to nearest. */
static inline vsp__num vsp__cut_real(int64_t sum, uint32_t cut)
{
    return vsp__narrow_real_down(sum + (cut >> (32 - VSP__REAL_BITS)));
}

static inline vsp__num vsp__cut_unit(int64_t sum, uint32_t cut)
{
    int32_t high;

    sum += cut >> (32 - VSP__UNIT_BITS);
    high = VSP__CLAMP((int32_t)(sum >> 32), VSP__UNIT_BITS - 1);
    return (int32_t)((uint32_t)high << (32 - VSP__UNIT_BITS) |
                     (uint32_t)((uint64_t)sum & 0xffffffffu) >> VSP__UNIT_BITS);
}

static inline vsp__num vsp__narrow_unit(int64_t sum)
{
    return vsp__cut_unit(sum, VSP__NEAREST);
}


/* ---- Arithmetic ---------------------------------------------------------- */

/* exact */
static inline int64_t vsp__product(vsp__num a, vsp__num b)
{
    return (int64_t)a * b;
}

static inline vsp__num r_add(vsp__num a, vsp__num b)
{
    return r_saturate(a + b);
}

static inline vsp__num r_sub(vsp__num a, vsp__num b)
{
    return r_saturate(a - b);
}

static inline vsp__num r_neg(vsp__num a)
{
    return r_saturate(-a);
}

static inline vsp__num r_mul(vsp__num a, vsp__num b)
{
    return vsp__narrow_real(vsp__product(a, b));
}

/* of anything by a unit */
static inline vsp__num u_mul(vsp__num a, vsp__num b)
{
    return vsp__narrow_unit(vsp__product(a, b));
}

/* a 2^places / b, to nearest, clamped; a limit for b = 0 */
vsp__num vsp__quotient(vsp__num a, vsp__num b, uint32_t places);

/* b is not 0 */
static inline vsp__num r_div(vsp__num a, vsp__num b)
{
    return vsp__quotient(a, b, VSP__REAL_BITS);
}

static inline vsp__num u_div(vsp__num a, vsp__num b)
{
    return vsp__quotient(a, b, VSP__UNIT_BITS);
}

/* a b + c d, and so on: r_ of reals, u_ of anything by units */
static inline vsp__num r_dot2(vsp__num a, vsp__num b, vsp__num c, vsp__num d)
{
    return vsp__narrow_real(vsp__product(a, b) + vsp__product(c, d));
}

static inline vsp__num r_dot3(vsp__num a, vsp__num b, vsp__num c, vsp__num d,
                              vsp__num e, vsp__num f)
{
    return vsp__narrow_real(vsp__product(a, b) + vsp__product(c, d) +
                            vsp__product(e, f));
}

static inline vsp__num u_dot2(vsp__num a, vsp__num b, vsp__num c, vsp__num d)
{
    return vsp__narrow_unit(vsp__product(a, b) + vsp__product(c, d));
}

static inline vsp__num u_dot3(vsp__num a, vsp__num b, vsp__num c, vsp__num d,
                              vsp__num e, vsp__num f)
{
    return vsp__narrow_unit(vsp__product(a, b) + vsp__product(c, d) +
                            vsp__product(e, f));
}

/* Products and sums of products, rounded by a cut. */

static inline vsp__num r_mul_cut(vsp__num a, vsp__num b, uint32_t cut)
{
    return vsp__cut_real(vsp__product(a, b), cut);
}

static inline vsp__num u_mul_cut(vsp__num a, vsp__num b, uint32_t cut)
{
    return vsp__cut_unit(vsp__product(a, b), cut);
}

static inline vsp__num u_dot2_cut(vsp__num a, vsp__num b, vsp__num c,
                                  vsp__num d, uint32_t cut)
{
    return vsp__cut_unit(vsp__product(a, b) + vsp__product(c, d), cut);
}

static inline vsp__num u_dot3_cut(vsp__num a, vsp__num b, vsp__num c,
                                  vsp__num d, vsp__num e, vsp__num f,
                                  uint32_t cut)
{
    return vsp__cut_unit(
        vsp__product(a, b) + vsp__product(c, d) + vsp__product(e, f), cut);
}


/* ---- Shifts ----------------------------------------------------------------
 * Small numbers are shifted up, so that a result has more binary places. */

/* by how many binary places a number of this size, or a sum of four, may be
 * shifted up */
uint32_t vsp__room_above(vsp__num size);

static inline void vsp__shift_up_each(vsp__num *a, uint32_t count, uint32_t up)
{
    int32_t times = (int32_t)1 << up;

    while (count-- > 0)
        a[count] *= times;
}

/* Shifts down again, rounded by a cut; up < 32. */
static inline void vsp__shift_down_each(vsp__num *a, uint32_t count,
                                        uint32_t up, uint32_t cut)
{
    while (count-- > 0)
        a[count] = (vsp__num)((a[count] +
                               (int64_t)((uint64_t)cut << up >> 32)) >>
                              up);
}


/* ---- Rows ------------------------------------------------------------------
 * r_step changes the multiplier x of a row by -u d: u is the velocity along the
 * row with its bias, d the inverse diagonal, a unit of at most 1.  The stride
 * is -d with 31 binary places, as -1 fits and 1 does not.  The upper word of a
 * stride times twice a rate is a rate. */

static inline int32_t r_stride(vsp__num inverse)
{
    return inverse * -4;
}

/* the inverse diagonal of a stride */
static inline vsp__num u_of_stride(int32_t stride)
{
    return -(stride >> 2);
}

/* How vsp__add_share rounds halves: add 1 to round them up. */
#define VSP__HALVES_DOWN 0x7fffffffu

/* v + part * share, rounded to nearest and clamped: v and part are rates, share
 * has 31 binary places, half is VSP__HALVES_DOWN or 1 more. */
static inline vsp__num vsp__add_share(vsp__num v, uint32_t half, vsp__num part,
                                      int32_t share)
{
    int64_t sum = (int64_t)((uint64_t)(uint32_t)v << 32 | half);

    return r_saturate((int32_t)((sum + vsp__product(part * 2, share)) >> 32));
}

static inline vsp__num r_step(vsp__num x, vsp__num u, int32_t stride)
{
    return vsp__add_share(x, VSP__HALVES_DOWN, u, stride);
}


/* ---- Squares ------------------------------------------------------------- */

/* exact */
static inline vsp__square r_product(vsp__num a, vsp__num b)
{
    return vsp__product(a, b);
}

/* a square times a unit of at most 1, rounded down */
static inline vsp__square r_part(vsp__square a, vsp__num unit)
{
    vsp__num low = (vsp__num)(a & (((int64_t)1 << VSP__UNIT_BITS) - 1));

    return (a >> VSP__UNIT_BITS) * unit +
           (vsp__product(low, unit) >> VSP__UNIT_BITS);
}

/* clamped to [-2^61, 2^61], so that a sum of many does not wrap */
static inline vsp__square square_add(vsp__square a, vsp__square b)
{
    int64_t end = (int64_t)1 << 61, sum = a + b;

    return sum > end ? end : sum < -end ? -end : sum;
}

static inline vsp__num r_of_square(vsp__square a)
{
    return vsp__narrow_real(a);
}


/* ---- Bits and order ------------------------------------------------------ */

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

static inline uint32_t r_bits(vsp__num a)
{
    return (uint32_t)a;
}

static inline vsp__num r_from_bits(uint32_t bits)
{
    return (vsp__num)bits;
}

/* Bits to sort by: as unsigned integers they sort like the numbers. */
static inline uint32_t r_order(vsp__num a)
{
    return (uint32_t)a ^ 0x80000000u;
}

static inline vsp__num r_abs(vsp__num a)
{
    return r_saturate(a < 0 ? -a : a);
}

/* |a|, but one place less for a negative a: this form is the cheapest, and does
 * not overflow.  r_max_size returns the larger of such a size and the size of
 * b. */
static inline vsp__num r_size(vsp__num a)
{
    return a ^ -(a < 0);
}

static inline vsp__num r_max_size(vsp__num a, vsp__num b)
{
    b = r_size(b);
    return a > b ? a : b;
}

static inline bool r_is_finite(vsp__num a)
{
    (void)a;
    return true;
}

/* Whether low <= a <= high. */
static inline bool r_in(vsp__num a, vsp__num low, vsp__num high)
{
    return a >= low && a <= high;
}

/* Fixed point has no subnormal numbers, so nothing is flushed. */
static inline vsp__num r_flush(vsp__num a)
{
    return a;
}

static inline bool r_is_flushed(vsp__num a)
{
    (void)a;
    return true;
}


/* ---- Conversions between formats ----------------------------------------- */

static inline vsp__num r_of_unit(vsp__num a)
{
    return (a + (1 << 8)) >> 9;
}

/* clamped */
static inline vsp__num u_of_real(vsp__num a)
{
    return a > VSP__REAL_MAX >> 9      ? VSP__REAL_MAX
           : a < -(VSP__REAL_MAX >> 9) ? -VSP__REAL_MAX
                                       : a * 512;
}

vsp__num vsp__u_of_rate(vsp__num spin, vsp__num h);
vsp__num vsp__r_of_rate(vsp__num spin, vsp__num h, uint32_t cut);

/* A spin times a time h, a unit, is an angle, as a unit. */
static inline vsp__num u_of_rate(vsp__num spin, vsp__num h)
{
    return vsp__u_of_rate(spin, h);
}

/* A rate times a time h, a unit, is a displacement in m or an angle, as a
 * real. */
static inline vsp__num r_of_rate(vsp__num spin, vsp__num h)
{
    return vsp__r_of_rate(spin, h, VSP__NEAREST);
}

static inline vsp__num r_of_rate_cut(vsp__num rate, vsp__num h, uint32_t cut)
{
    return vsp__r_of_rate(rate, h, cut);
}

/* The rate that covers a displacement, a real, in a time h, a unit. */
static inline vsp__num rate_over(vsp__num way, vsp__num h)
{
    return vsp__quotient(way, h, VSP__UNIT_BITS - 3);
}


/* ---- Integers ------------------------------------------------------------ */

/* a rounded towards 0 */
static inline int32_t r_to_int(vsp__num a)
{
    return a / ((int32_t)1 << VSP__REAL_BITS);
}

/* clamped */
static inline vsp__num r_from_int(int32_t i)
{
    return i > 1023    ? VSP__REAL_MAX
           : i < -1023 ? -VSP__REAL_MAX
                       : i * ((int32_t)1 << VSP__REAL_BITS);
}

/* a coordinate of a table: i / 2^20 m, |i| < 2^30 */
static inline vsp__num r_of_place(int32_t i)
{
    return i;
}

/* a component of a table's direction: i / 2^29 */
static inline vsp__num u_of_direction(int32_t i)
{
    return i;
}

/* a coordinate for a table */
static inline int32_t r_to_place(vsp__num a)
{
    return a;
}

/* a n; the caller ensures that it is within the limits */
static inline vsp__num r_times(vsp__num a, int32_t n)
{
    return a * n;
}

/* a unit, |a| <= 1, as an integer of VSP__UNIT_PLACES binary places, and back:
 * exact */
#define VSP__UNIT_PLACES VSP__UNIT_BITS

static inline int32_t u_to_places(vsp__num a)
{
    return a;
}

static inline vsp__num u_of_places(int32_t i)
{
    return i;
}

/* the number with the magnitude of these bits, and a sign */
static inline vsp__num u_signed_bits(uint32_t bits, bool is_negative)
{
    return r_from_bits(is_negative ? 0u - bits : bits);
}


/* ---- Sums of many reals -------------------------------------------------- */

static inline void t_add(vsp__total *total, vsp__num a)
{
    *total += a;
}

/* total / count, rounded towards 0 */
static inline vsp__num t_mean(vsp__total total, uint32_t count)
{
    return (vsp__num)(total / (int64_t)count);
}

vsp__num vsp__t_rate(vsp__total total, uint32_t count, vsp__num scale);

/* scale * count / total, total > 0, rounded down: scale over the mean of
 * `count` numbers with this total */
static inline vsp__num t_rate(vsp__total total, uint32_t count, vsp__num scale)
{
    return vsp__t_rate(total, count, scale);
}


/* ---- Wide numbers ----------------------------------------------------------
 * Errors are at most about half of the 24th bit.  Numbers below 2^-50 become 0,
 * numbers beyond 2^100 become the limit. */

vsp__wide vsp__w_mul(vsp__wide a, vsp__wide b);
vsp__wide vsp__w_div(vsp__wide a, vsp__wide b);
vsp__wide vsp__w_add(vsp__wide a, vsp__wide b);
bool vsp__w_less(vsp__wide a, vsp__wide b);

/* mantissa / 2^places */
vsp__wide vsp__w_from(int64_t mantissa, int32_t places);

/* a 2^places, to nearest, clamped to a vsp__num or to 64 bits */
vsp__num vsp__w_to(vsp__wide a, int32_t places);
int64_t vsp__w_to_long(vsp__wide a, int32_t places);

/* as a rate, rounded by a cut */
vsp__num vsp__w_to_rate_cut(vsp__wide a, uint32_t cut);

static inline vsp__wide w_mul(vsp__wide a, vsp__wide b)
{
    return vsp__w_mul(a, b);
}

/* a limit for b = 0 */
static inline vsp__wide w_div(vsp__wide a, vsp__wide b)
{
    return vsp__w_div(a, b);
}

static inline vsp__wide w_add(vsp__wide a, vsp__wide b)
{
    return vsp__w_add(a, b);
}

static inline vsp__wide w_neg(vsp__wide a)
{
    return w_from_bits(a.bits == 0 ? 0 : a.bits ^ 0x80000000u);
}

static inline bool w_less(vsp__wide a, vsp__wide b)
{
    return vsp__w_less(a, b);
}

/* Whether |a| is below 2^100, as results are; bytes from outside may be
 * larger. */
static inline bool w_is_finite(vsp__wide a)
{
    return (a.bits & 0x7f800000u) <= (uint32_t)(127 + 99) << 23;
}

static inline vsp__wide w_flush(vsp__wide a)
{
    return a.bits << 1 < (uint32_t)(127 - 50) << 24 ? VSP__W_ZERO : a;
}

/* Whether low <= a <= high, and a is flushed. */
static inline bool w_in(vsp__wide a, vsp__wide low, vsp__wide high)
{
    return w_is_finite(a) && a.bits << 1 == w_flush(a).bits << 1 &&
           !w_less(a, low) && !w_less(high, a);
}

static inline vsp__wide w_of_real(vsp__num a)
{
    return vsp__w_from(a, VSP__REAL_BITS);
}

static inline vsp__wide w_of_unit(vsp__num a)
{
    return vsp__w_from(a, VSP__UNIT_BITS);
}

static inline vsp__wide w_of_rate(vsp__num a)
{
    return vsp__w_from(a, VSP__RATE_BITS);
}

static inline vsp__wide w_of_square(vsp__square a)
{
    return vsp__w_from(a, 2 * VSP__REAL_BITS);
}

/* of a product of two rates */
static inline vsp__wide w_of_rate_square(vsp__square a)
{
    return vsp__w_from(a, 2 * VSP__RATE_BITS);
}

static inline vsp__num w_to_real(vsp__wide a)
{
    return vsp__w_to(a, VSP__REAL_BITS);
}

static inline vsp__num w_to_rate(vsp__wide a)
{
    return vsp__w_to(a, VSP__RATE_BITS);
}

static inline vsp__num w_to_rate_cut(vsp__wide a, uint32_t cut)
{
    return vsp__w_to_rate_cut(a, cut);
}

static inline vsp__num w_to_unit(vsp__wide a)
{
    return vsp__w_to(a, VSP__UNIT_BITS);
}

/* clamped to 2^20 m^2 */
static inline vsp__square square_of_wide(vsp__wide a)
{
    int64_t end = (int64_t)1 << 60, square;

    square = vsp__w_to_long(a, 2 * VSP__REAL_BITS);
    return square > end ? end : square < -end ? -end : square;
}


/* ---- Callers' numbers ------------------------------------------------------
 * They have 32 binary places in 64 bits.  read converts one to a format,
 * rounded; a number beyond the limits becomes a limit, which every check
 * refuses.  show converts back. */

static inline vsp__num r_read(vsp_real a)
{
    int64_t places = ((a >> (31 - VSP__REAL_BITS)) + 1) >> 1;

    return places > VSP__REAL_MAX        ? VSP__REAL_MAX
           : places < -VSP__REAL_MAX - 1 ? -VSP__REAL_MAX - 1
                                         : (vsp__num)places;
}

static inline vsp_real r_show(vsp__num a)
{
    return (vsp_real)a * ((vsp_real)1 << (32 - VSP__REAL_BITS));
}

static inline vsp__num rate_read(vsp_real a)
{
    return r_read(a / 8);
}

static inline vsp_real rate_show(vsp__num a)
{
    return (vsp_real)a * ((vsp_real)1 << (32 - VSP__RATE_BITS));
}

static inline vsp__num u_read(vsp_real a)
{
    int64_t places = ((a >> (31 - VSP__UNIT_BITS)) + 1) >> 1;

    return places > VSP__REAL_MAX        ? VSP__REAL_MAX
           : places < -VSP__REAL_MAX - 1 ? -VSP__REAL_MAX - 1
                                         : (vsp__num)places;
}

static inline vsp_real u_show(vsp__num a)
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

/* Whether low <= a <= high. */
static inline bool caller_in(vsp_real a, vsp_real low, vsp_real high)
{
    return a >= low && a <= high;
}

/* Arithmetic of callers' numbers.  Results are rounded to nearest and clamped
 * to 63 bits: such a limit is refused by every check. */
vsp_real vsp__caller_mul(vsp_real a, vsp_real b);
vsp_real vsp__caller_div(vsp_real a, vsp_real b); /* a limit for b = 0 */
vsp_real vsp__caller_sqrt(vsp_real a);            /* 0 for a < 0 */
vsp_real vsp__caller_add(vsp_real a, vsp_real b);

static inline vsp_real vsp__caller_neg(vsp_real a)
{
    return a < -INT64_MAX ? INT64_MAX : -a;
}

/* Returns whether the square of a length allows a division by the length. */
static inline bool vsp__has_direction(vsp__square square)
{
    return square > 0;
}

/* vsp__read_scaled shifts a number right by `down` places, rounded, or left if
 * `down` is negative.  vsp__places_down returns the `down` that gives a vector
 * 29 bits.  vsp__show_scaled shifts back, clamped. */
int32_t vsp__places_down(const vsp_vec3 *a);
vsp__num vsp__read_scaled(vsp_real a, int32_t down);
vsp_real vsp__show_scaled(vsp__num a, int32_t down);

#endif /* VSP_FIXED_H */
