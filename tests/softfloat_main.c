/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Compares port/softfloat, compiled under other names, with the host's FPU:
 * values at the edges of the formats crossed with each other, then random
 * pairs.  Results must have the same bits; all NaNs count as one.  Prints the
 * first failures of each operation, and ends with `N passed, N failed`,
 * counting operations. */

#define SOFTFLOAT_NAME(name) soft##name
#include "../port/softfloat/softfloat.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define RANDOM_PAIRS 1000000
#define SHOWN 3


/* ---- Formats ------------------------------------------------------------- */

typedef struct format {
    int fraction; /* bits of the fraction field */
    int bias;
} format;

static const format binary32 = {23, 127};
static const format binary64 = {52, 1023};

static float to_float(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float a;

    memcpy(&a, &word, sizeof a);
    return a;
}

static double to_double(uint64_t bits)
{
    double a;

    memcpy(&a, &bits, sizeof a);
    return a;
}

/* Maps every NaN to all bits set, which no operation returns. */
static uint64_t of_float(float a)
{
    uint32_t bits;

    memcpy(&bits, &a, sizeof bits);
    return a < 0 || a >= 0 ? bits : UINT64_MAX;
}

static uint64_t of_double(double a)
{
    uint64_t bits;

    memcpy(&bits, &a, sizeof bits);
    return a < 0 || a >= 0 ? bits : UINT64_MAX;
}

static uint64_t make_number(const format *form, uint32_t sign, int exponent,
                            uint64_t fraction)
{
    uint64_t hidden = (uint64_t)1 << form->fraction;
    uint64_t top = (uint64_t)(2 * form->bias + 2);

    return (sign * top + (uint64_t)exponent) * hidden +
           (fraction & (hidden - 1));
}


/* ---- Operations ----------------------------------------------------------
 * Each exists twice, on bits: `got` by our functions, `expected` by the
 * host. */

typedef uint64_t operation(uint64_t a, uint64_t b);

/* clang-format off */
#define PAIR(name, from, result, function, expression)                      \
    static uint64_t got_##name(uint64_t a, uint64_t b)                      \
    {                                                                       \
        return result(function(from(a), from(b)));                          \
    }                                                                       \
    static uint64_t expected_##name(uint64_t a, uint64_t b)                 \
    {                                                                       \
        return result(from(a) expression from(b));                          \
    }

#define COMPARISON(name, from, function, expression)                        \
    static uint64_t got_##name(uint64_t a, uint64_t b)                      \
    {                                                                       \
        return function(from(a), from(b)) expression 0;                     \
    }                                                                       \
    static uint64_t expected_##name(uint64_t a, uint64_t b)                 \
    {                                                                       \
        return from(a) expression from(b);                                  \
    }

#define SINGLE(name, from, result, function, expression)                    \
    static uint64_t got_##name(uint64_t a, uint64_t b)                      \
    {                                                                       \
        (void)b;                                                            \
        return result(function(from(a)));                                   \
    }                                                                       \
    static uint64_t expected_##name(uint64_t a, uint64_t b)                 \
    {                                                                       \
        (void)b;                                                            \
        return result(expression(from(a)));                                 \
    }
/* clang-format on */

static bool is_unordered(double a, double b)
{
    return !(a < b || a >= b);
}

/* Converts numbers out of range to the nearest end.  NaNs are not compared. */
static int32_t to_signed(double a)
{
    return a >= 2147483647.0    ? INT32_MAX
           : a <= -2147483648.0 ? INT32_MIN
                                : (int32_t)a;
}

static uint32_t to_unsigned(double a)
{
    a = a < 0 ? -a : a;
    return a >= 4294967295.0 ? UINT32_MAX : (uint32_t)a;
}

static int32_t float_to_signed(float a)
{
    return to_signed((double)a);
}

static uint32_t float_to_unsigned(float a)
{
    return to_unsigned((double)a);
}

static float float_or_zero(uint64_t bits)
{
    float a = to_float(bits);

    return a < 0 || a > 0 ? a : 0.0f;
}

static double double_or_zero(uint64_t bits)
{
    double a = to_double(bits);

    return a < 0 || a > 0 ? a : 0.0;
}

PAIR(add_single, to_float, of_float, soft__addsf3, +)
PAIR(sub_single, to_float, of_float, soft__subsf3, -)
PAIR(mul_single, to_float, of_float, soft__mulsf3, *)
PAIR(div_single, to_float, of_float, soft__divsf3, /)
COMPARISON(eq_single, to_float, soft__eqsf2, ==)
COMPARISON(ne_single, to_float, soft__nesf2, !=)
COMPARISON(lt_single, to_float, soft__ltsf2, <)
COMPARISON(le_single, to_float, soft__lesf2, <=)
COMPARISON(gt_single, to_float, soft__gtsf2, >)
COMPARISON(ge_single, to_float, soft__gesf2, >=)
SINGLE(from_signed_single, (int32_t), of_float, soft__floatsisf, (float))
SINGLE(from_unsigned_single, (uint32_t), of_float, soft__floatunsisf, (float))
SINGLE(to_signed_single, float_or_zero, (uint32_t), soft__fixsfsi,
       float_to_signed)
SINGLE(to_unsigned_single, float_or_zero, (uint32_t), soft__fixunssfsi,
       float_to_unsigned)
SINGLE(widen, to_float, of_double, soft__extendsfdf2, (double))

PAIR(add_double, to_double, of_double, soft__adddf3, +)
PAIR(sub_double, to_double, of_double, soft__subdf3, -)
PAIR(mul_double, to_double, of_double, soft__muldf3, *)
PAIR(div_double, to_double, of_double, soft__divdf3, /)
COMPARISON(eq_double, to_double, soft__eqdf2, ==)
COMPARISON(ne_double, to_double, soft__nedf2, !=)
COMPARISON(lt_double, to_double, soft__ltdf2, <)
COMPARISON(le_double, to_double, soft__ledf2, <=)
COMPARISON(gt_double, to_double, soft__gtdf2, >)
COMPARISON(ge_double, to_double, soft__gedf2, >=)
SINGLE(from_signed_double, (int32_t), of_double, soft__floatsidf, (double))
SINGLE(from_unsigned_double, (uint32_t), of_double, soft__floatunsidf, (double))
SINGLE(to_signed_double, double_or_zero, (uint32_t), soft__fixdfsi, to_signed)
SINGLE(to_unsigned_double, double_or_zero, (uint32_t), soft__fixunsdfsi,
       to_unsigned)
SINGLE(narrow, to_double, of_float, soft__truncdfsf2, (float))

static uint64_t got_unord_single(uint64_t a, uint64_t b)
{
    return soft__unordsf2(to_float(a), to_float(b)) != 0;
}

static uint64_t expected_unord_single(uint64_t a, uint64_t b)
{
    return is_unordered((double)to_float(a), (double)to_float(b));
}

static uint64_t got_unord_double(uint64_t a, uint64_t b)
{
    return soft__unorddf2(to_double(a), to_double(b)) != 0;
}

static uint64_t expected_unord_double(uint64_t a, uint64_t b)
{
    return is_unordered(to_double(a), to_double(b));
}

typedef struct row {
    const char *name;
    const format *form; /* format of the operands */
    operation *got, *expected;
} row;

#define ROW(name, form)                           \
    {                                             \
#name, &form, got_##name, expected_##name \
    }

static const row rows[] = {
    ROW(add_single, binary32),
    ROW(sub_single, binary32),
    ROW(mul_single, binary32),
    ROW(div_single, binary32),
    ROW(eq_single, binary32),
    ROW(ne_single, binary32),
    ROW(lt_single, binary32),
    ROW(le_single, binary32),
    ROW(gt_single, binary32),
    ROW(ge_single, binary32),
    ROW(unord_single, binary32),
    ROW(from_signed_single, binary32),
    ROW(from_unsigned_single, binary32),
    ROW(to_signed_single, binary32),
    ROW(to_unsigned_single, binary32),
    ROW(widen, binary32),
    ROW(add_double, binary64),
    ROW(sub_double, binary64),
    ROW(mul_double, binary64),
    ROW(div_double, binary64),
    ROW(eq_double, binary64),
    ROW(ne_double, binary64),
    ROW(lt_double, binary64),
    ROW(le_double, binary64),
    ROW(gt_double, binary64),
    ROW(ge_double, binary64),
    ROW(unord_double, binary64),
    ROW(from_signed_double, binary64),
    ROW(from_unsigned_double, binary64),
    ROW(to_signed_double, binary64),
    ROW(to_unsigned_double, binary64),
    ROW(narrow, binary64),
};

/* Returns the number of operands with a wrong result: 0 or 1. */
static unsigned long compare_results(const row *which, uint64_t a, uint64_t b,
                                     unsigned long failures)
{
    uint64_t expected = which->expected(a, b), got = which->got(a, b);

    if (got == expected)
        return 0;
    if (failures < SHOWN)
        printf("FAILED %s %llx %llx: expected %llx, got %llx\n", which->name,
               (unsigned long long)a, (unsigned long long)b,
               (unsigned long long)expected, (unsigned long long)got);
    return 1;
}


/* ---- Edges --------------------------------------------------------------- */

#define MAX_EDGES 600

static int make_edges(const format *form, uint64_t edges[MAX_EDGES])
{
    const int b = form->bias, f = form->fraction;
    const int exponents[] = {
        0,         1,         2,         f,         f + 1,    b / 2,
        b - f - 2, b - f - 1, b - f,     b - 2,     b - 1,    b,
        b + 1,     b + f - 1, b + f,     b + f + 1, b + 30,   b + 31,
        b + 32,    2 * b - f, 2 * b - 1, 2 * b,     2 * b + 1};
    const uint64_t half = (uint64_t)1 << (f - 1);
    const uint64_t fractions[] = {0,
                                  1,
                                  2,
                                  3,
                                  half - 1,
                                  half,
                                  half + 1,
                                  2 * half - 2,
                                  2 * half - 1,
                                  2 * half / 3};
    const size_t exponent_count = sizeof exponents / sizeof exponents[0];
    const size_t fraction_count = sizeof fractions / sizeof fractions[0];
    int count = 0;

    for (size_t e = 0; e < exponent_count; e++)
        for (size_t i = 0; i < fraction_count; i++)
            for (uint32_t sign = 0; sign < 2; sign++)
                edges[count++] = make_number(form, sign, exponents[e],
                                             fractions[i]);
    return count;
}

static unsigned long cross_edges(const row *which)
{
    uint64_t edges[MAX_EDGES];
    int count = make_edges(which->form, edges);
    unsigned long failures = 0;

    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            failures += compare_results(which, edges[i], edges[k], failures);
    return failures;
}


/* ---- Random pairs -------------------------------------------------------- */

static uint64_t random_state;

/* xorshift64 */
static uint64_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static int random_below(int limit)
{
    return (int)(random_word() >> 33) % limit;
}

/* Returns a fraction; a quarter have few ones in front, a quarter few at the
 * end, which make ties. */
static uint64_t random_fraction(const format *form)
{
    uint64_t word = random_word();
    int kind = random_below(4);

    if (kind == 0)
        return word << (form->fraction - random_below(form->fraction));
    if (kind == 1)
        return word & ((uint64_t)15 << random_below(4));
    return word;
}

/* Limits an exponent field to the format. */
static int clip_exponent(const format *form, int exponent)
{
    return exponent < 0                    ? 0
           : exponent > 2 * form->bias + 1 ? 2 * form->bias + 1
                                           : exponent;
}

/* Draws any two numbers; or two of similar size, for sums; or two whose product
 * or quotient is near the smallest or the largest number. */
static void random_pair(const format *form, uint64_t *a, uint64_t *b)
{
    int e = random_below(2 * form->bias + 2);
    int near = random_below(2 * form->fraction + 8) - form->fraction - 4;
    int others[5];

    others[0] = random_below(2 * form->bias + 2);
    others[1] = e + near;
    others[2] = form->bias - e + near;
    others[3] = e + form->bias + near;
    others[4] = 3 * form->bias - e + near;
    *a = make_number(form, random_word() & 1, e, random_fraction(form));
    *b = make_number(form, random_word() & 1,
                     clip_exponent(form, others[random_below(5)]),
                     random_fraction(form));
}

static unsigned long try_random(const row *which)
{
    unsigned long failures = 0;
    uint64_t a, b;

    random_state = 0x2545f4914f6cdd1du;
    for (int i = 0; i < RANDOM_PAIRS; i++) {
        random_pair(which->form, &a, &b);
        failures += compare_results(which, a, b, failures);
    }
    return failures;
}

int main(void)
{
    int count = (int)(sizeof rows / sizeof rows[0]), failed = 0;

    for (int i = 0; i < count; i++)
        failed += cross_edges(&rows[i]) + try_random(&rows[i]) != 0;
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
