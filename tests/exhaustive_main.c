/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Compares the helpers of one number of 32 bits with integers of 64 bits and
 * long double, which hold every result exactly: for all 2^32 bit patterns or,
 * with an argument N, for 2^N of them.  Patterns that a helper does not admit
 * are left out, and counted.
 *
 *      exhaustive        all patterns
 *      exhaustive 20     2^20 of them */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/number/float.c"
#include "src/number/fixed.c"

#define REAL_BITS 20

/* result of a check of one pattern */
enum { WRONG, RIGHT, LEFT_OUT };

#if VSP_FIXED

#define RANGE ((int64_t)1 << 30)

static bool is_num(int64_t a)
{
    return a >= -RANGE && a < RANGE;
}

static int64_t clamped(int64_t a)
{
    return a < -RANGE ? -RANGE : a >= RANGE ? RANGE - 1 : a;
}

static int check_saturate(uint32_t bits)
{
    return r_saturate((int32_t)bits) == clamped((int32_t)bits);
}

static int check_negative(uint32_t bits)
{
    int64_t a = (int32_t)bits;

    return !is_num(a) ? LEFT_OUT : r_neg((vsp__num)a) == clamped(-a);
}

static int check_magnitude(uint32_t bits)
{
    int64_t a = (int32_t)bits, size = a < 0 ? -a : a;

    if (!is_num(a))
        return LEFT_OUT;
    return r_abs((vsp__num)a) == clamped(size) &&
           r_size((vsp__num)a) == (a < 0 ? size - 1 : size);
}

static int check_width(uint32_t bits)
{
    int width = bit_width32(bits);

    return width == 0 ? bits == 0 : (uint64_t)bits >> (width - 1) == 1;
}

/* 1 / sqrt(x / 2^32), within 2 places of 2^-30 */
static int check_reciprocal_root(uint32_t bits)
{
    if (bits < (uint32_t)1 << 30)
        return LEFT_OUT;
    return fabsl(reciprocal_root(bits) -
                 1073741824.0L / sqrtl(bits / 4294967296.0L)) <= 2;
}

/* within 3 places, as number.h says */
static int check_reciprocal(uint32_t bits)
{
    int64_t a = (int32_t)bits;

    if (a < (1 << REAL_BITS) || !is_num(a))
        return LEFT_OUT;
    return fabsl(vsp__reciprocal((vsp__num)a) -
                 562949953421312.0L / (long double)a) <= 3;
}

/* within a place plus 2^-28 */
static int check_rsqrt(uint32_t bits)
{
    int64_t a = (int32_t)bits;
    long double exact;

    if (a <= 0 || !is_num(a))
        return LEFT_OUT;
    exact = 1048576.0L / sqrtl((long double)a / 536870912.0L);
    if (exact > RANGE - 1)
        exact = RANGE - 1;
    return fabsl(vsp__rsqrt_unit((vsp__num)a) - exact) <=
           1 + exact / 268435456.0L;
}

/* root of the square a 2^28, rounded down */
static int check_root(uint32_t bits)
{
    uint64_t square = (uint64_t)bits << 28;
    uint64_t root = (uint64_t)vsp__square_root((vsp__square)square);

    return root * root <= square && (root + 1) * (root + 1) > square;
}

static int check_unit_and_real(uint32_t bits)
{
    int64_t a = (int32_t)bits, most = RANGE - 1, up = a * 512;

    if (!is_num(a))
        return LEFT_OUT;
    up = a > most >> 9 ? most : a < -(most >> 9) ? -most : up;
    return r_of_unit((vsp__num)a) == (int64_t)floorl(a / 512.0L + 0.5L) &&
           u_of_real((vsp__num)a) == up;
}

static int check_integers(uint32_t bits)
{
    int64_t a = (int32_t)bits, most = RANGE - 1;
    int64_t real = a > 1023 ? most : a < -1023 ? -most : a * (1 << REAL_BITS);

    return r_from_int((int32_t)a) == real &&
           (!is_num(a) ||
            r_to_int((vsp__num)a) == (int64_t)truncl(a / 1048576.0L));
}

static int check_callers(uint32_t bits)
{
    vsp__num a = (vsp__num)bits;

    if (!is_num(a))
        return LEFT_OUT;
    return r_read(r_show(a)) == a && u_read(u_show(a)) == a &&
           rate_read(rate_show(a)) == a;
}

static long double value_of(vsp__wide a)
{
    int power = (int)(a.bits >> 23 & 0xffu);
    long double size = ldexpl((long double)((a.bits & 0x7fffffu) | 0x800000u),
                              power - 150);

    return power == 0 ? 0 : a.bits & 0x80000000u ? -size : size;
}

/* a wide number to a real, and a number to a wide one */
static int check_wide(uint32_t bits)
{
    vsp__wide a = w_from_bits(bits);
    long double exact = value_of(a) * 1048576.0L;

    if (!w_is_finite(a))
        return LEFT_OUT;
    if (fabsl(exact) > RANGE - 1)
        exact = exact < 0 ? -(RANGE - 1) : RANGE - 1;
    return fabsl(w_to_real(a) - exact) <= 0.5L &&
           fabsl(value_of(w_of_real((int32_t)bits)) * 1048576.0L -
                 (int32_t)bits) <= fabsl((int32_t)bits / 16777216.0L);
}

#else

/* finite, and not subnormal */
static bool is_normal(uint32_t bits)
{
    uint32_t power = bits >> 23 & 0xffu;

    return power != 0 && power != 255;
}

static int check_bits(uint32_t bits)
{
    uint32_t power = bits >> 23 & 0xffu;
    float a = r_from_bits(bits);

    return r_is_finite(a) == (power != 255) &&
           (r_bits(r_flush(a)) == (power < 77 ? 0 : bits) || power == 255) &&
           (power == 255 || r_abs(a) == fabsf(a));
}

/* Compares each pattern with the next: the order of bits must be the order of
 * numbers. */
static int check_order(uint32_t bits)
{
    float a = r_from_bits(bits), b = r_from_bits(bits + 1);

    if (isnan(a) || isnan(b) || bits == 0x7fffffffu)
        return LEFT_OUT;
    return (r_order(a) < r_order(b)) == (a < b || bits + 1 == 0);
}

static int check_integers(uint32_t bits)
{
    float a = r_from_bits(bits);
    double place = trunc((double)a * 1048576.0);

    if (isnan(a))
        return LEFT_OUT;
    place = a < -1023 ? -1072693248 : a > 1023 ? 1072693248 : place;
    return r_to_place(a) == place &&
           (fabsf(a) >= 2147483648.0f || r_to_int(a) == trunc((double)a)) &&
           (fabsf(a) > 1 || u_to_places(a) == trunc((double)a * 1073741824.0));
}

static int check_places(uint32_t bits)
{
    int32_t i = (int32_t)bits;

    return r_of_place(i) == (float)i / 1048576.0f &&
           u_of_places(i) == (float)i / 1073741824.0f &&
           u_of_direction(i) == (float)i / 536870912.0f;
}

/* within 2 units in the last place */
static int check_reciprocal_root(uint32_t bits)
{
    float a = r_from_bits(bits);
    double exact;

    if (!is_normal(bits) || a < 0)
        return LEFT_OUT;
    exact = 1 / sqrt((double)a);
    return fabs((double)vsp__rsqrt_unit(a) - exact) <= exact / 4194304;
}

static int check_root(uint32_t bits)
{
    float a = r_from_bits(bits);
    double exact;

    if (!is_normal(bits) || a < 0)
        return LEFT_OUT;
    exact = a > 1e-30f ? sqrt((double)a) : 0;
    return fabs((double)vsp__square_root(a) - exact) <= exact / 8388608;
}

#endif

static const struct {
    const char *name;
    int (*check)(uint32_t bits);
} checks[] = {
#if VSP_FIXED
    {"r_saturate", check_saturate},
    {"r_neg", check_negative},
    {"r_abs, r_size", check_magnitude},
    {"bit_width32", check_width},
    {"reciprocal_root", check_reciprocal_root},
    {"vsp__reciprocal", check_reciprocal},
    {"vsp__rsqrt_unit", check_rsqrt},
    {"vsp__square_root", check_root},
    {"r_of_unit, u_of_real", check_unit_and_real},
    {"r_to_int, r_from_int", check_integers},
    {"read and show", check_callers},
    {"w_to_real, w_of_real", check_wide},
#else
    {"r_is_finite, r_flush, r_abs", check_bits},
    {"r_order", check_order},
    {"r_to_int, r_to_place, u_to_places", check_integers},
    {"r_of_place, u_of_places, u_of_direction", check_places},
    {"vsp__rsqrt_unit", check_reciprocal_root},
    {"vsp__square_root", check_root},
#endif
};

/* Runs a check on 2^places patterns; all of them for 32. */
static bool run_check(const char *name, int (*check)(uint32_t), int places)
{
    uint64_t count = (uint64_t)1 << places, i, wrong = 0, left_out = 0;
    uint32_t first = 0;

    for (i = 0; i < count; i++) {
        /* an odd factor: no pattern occurs twice, and all bits change */
        uint32_t bits = places == 32 ? (uint32_t)i : (uint32_t)i * 0x9e3779b1u;
        int result = check(bits);

        left_out += result == LEFT_OUT;
        if (result == WRONG && wrong++ == 0)
            first = bits;
    }
    if (wrong != 0)
        printf("%s: %llu wrong, the first for bits 0x%08x\n", name,
               (unsigned long long)wrong, (unsigned)first);
    if (left_out == count)
        printf("%s: admits no pattern\n", name);
    else if (places == 32)
        printf("%-40s %llu patterns\n", name,
               (unsigned long long)(count - left_out));
    return wrong == 0 && left_out < count;
}

int main(int argc, char **argv)
{
    int places = argc > 1 ? atoi(argv[1]) : 32, passed = 0, i;
    int count = (int)(sizeof checks / sizeof checks[0]);

    if (places < 1 || places > 32)
        return 2;
    for (i = 0; i < count; i++)
        passed += run_check(checks[i].name, checks[i].check, places);
    printf("%d passed, %d failed\n", passed, count - passed);
    return passed != count;
}
