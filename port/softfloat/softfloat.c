/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Correctly rounded floating point for CPUs without it, under the names that
 * gcc calls: binary32 for the engine, binary64 for the scenes of the tests.  It
 * is for toolchains whose library is missing, incomplete or rounds wrongly.
 * The ABI must pass floats in integer registers.  Both formats share format.h;
 * this file has their parameters and the conversions between them. */

#include "softfloat.h"

#include <stdbool.h>

#define NUMBER(name) single_##name
#define CALLED(before, after) SOFTFLOAT_NAME(before##sf##after)
#define REAL float
#define WORD uint32_t
#define WORD_BITS 32
#define FRACTION 23
#define TOP_EXPONENT 255
#include "format.h"

#define NUMBER(name) double_##name
#define CALLED(before, after) SOFTFLOAT_NAME(before##df##after)
#define REAL double
#define WORD uint64_t
#define WORD_BITS 64
#define FRACTION 52
#define TOP_EXPONENT 2047
#include "format.h"

#define SINGLE_INFINITE 0x7f800000u
#define SINGLE_NAN 0x7fc00000u
#define DOUBLE_INFINITE ((uint64_t)0x7ff00000u << 32)
#define DOUBLE_NAN ((uint64_t)0x7ff80000u << 32)

/* Differences of the two formats: of the biases, and of the bits of the
 * fractions. */
#define BIASES (1023 - 127)
#define FRACTIONS (52 - 23)

static uint64_t widen_single(uint32_t a)
{
    uint64_t sign = (uint64_t)(a & 0x80000000u) << 32;
    uint32_t m;
    int exponent;

    a = single_magnitude(a);
    if (a >= SINGLE_INFINITE)
        return a > SINGLE_INFINITE ? DOUBLE_NAN : sign | DOUBLE_INFINITE;
    if (a == 0)
        return sign;
    m = single_unpack_normal(a, &exponent);
    return sign | (((uint64_t)(exponent + BIASES - 1) << 52) +
                   ((uint64_t)m << FRACTIONS));
}

static uint32_t narrow_double(uint64_t a)
{
    uint32_t sign = (uint32_t)(a >> 32) & 0x80000000u;
    uint64_t m;
    int exponent;

    a = double_magnitude(a);
    if (a >= DOUBLE_INFINITE)
        return a > DOUBLE_INFINITE ? SINGLE_NAN : sign | SINGLE_INFINITE;
    m = double_unpack(a, &exponent);
    if (m == 0)
        return sign;
    return single_round(sign, exponent - BIASES,
                        (uint32_t)double_shift(m, 52 - 30));
}

double SOFTFLOAT_NAME(__extendsfdf2)(float a)
{
    return double_number(widen_single(single_bits(a)));
}

float SOFTFLOAT_NAME(__truncdfsf2)(double a)
{
    return single_number(narrow_double(double_bits(a)));
}
