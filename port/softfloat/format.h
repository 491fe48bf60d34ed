/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Arithmetic of one IEEE 754 format in integers, to be included once a format
 * with these defined (binary32's in brackets):
 *
 *     NUMBER(name)  the name of a function of this format    (single_##name)
 *     CALLED(a, b)  the name gcc calls one by   (SOFTFLOAT_NAME(a##sf##b))
 *     REAL          the type of a number                     (float)
 *     WORD          an unsigned integer as wide as it        (uint32_t)
 *     WORD_BITS     its bits                                 (32)
 *     FRACTION      bits of the fraction field               (23)
 *     TOP_EXPONENT  exponent field of infinity               (255)
 *
 * Results are rounded to nearest, ties to even; subnormals are kept; every
 * NaN that comes out is the same one.
 *
 * In order: fields and rounding; add, multiply, divide, compare and convert,
 * which work on the bits of numbers; the functions that gcc calls. */

#define SIGN ((WORD)1 << (WORD_BITS - 1))
#define INFINITE ((WORD)TOP_EXPONENT << FRACTION)
#define HIDDEN ((WORD)1 << FRACTION)
#define NOT_A_NUMBER (INFINITE | HIDDEN >> 1)
#define BIAS (TOP_EXPONENT / 2)

/* During a computation the leading one of a significand is its second highest
 * bit, so that a sum cannot overflow.  Then GUARD bits are below the last bit
 * of the result.  Their lowest bit is sticky: it is set if any one below it was
 * lost. */
#define GUARD (WORD_BITS - 2 - FRACTION)


/* ---- Fields and rounding ------------------------------------------------- */

static WORD NUMBER(magnitude)(WORD a)
{
    return a & ~SIGN;
}

static int NUMBER(exponent)(WORD a)
{
    return (int)(a >> FRACTION) & TOP_EXPONENT;
}

/* Returns the significand as an integer, and its exponent field, 1 for
 * subnormals: a is significand 2^(*exponent - BIAS - FRACTION). */
static WORD NUMBER(unpack)(WORD a, int *exponent)
{
    WORD fraction = a & (HIDDEN - 1);

    *exponent = NUMBER(exponent)(a);
    if (*exponent != 0)
        return fraction | HIDDEN;
    *exponent = 1;
    return fraction;
}

/* Unpacks a number that is not 0, and normalises a subnormal: the exponent may
 * get below 1. */
static WORD NUMBER(unpack_normal)(WORD a, int *exponent)
{
    WORD significand = NUMBER(unpack)(a, exponent);

    for (; !(significand & HIDDEN); significand <<= 1)
        --*exponent;
    return significand;
}

/* Shifts right by 0 or more; the lowest bit is sticky. */
static WORD NUMBER(shift)(WORD m, int count)
{
    if (count == 0)
        return m;
    if (count >= WORD_BITS)
        return m != 0;
    return m >> count | (m << (WORD_BITS - count) != 0);
}

/* Returns the number nearest to m 2^(exponent - BIAS - (WORD_BITS - 2)); m is
 * not 0.  A carry out of the fraction increments the exponent field, which also
 * makes infinity, so neither needs extra code. */
static WORD NUMBER(round)(WORD sign, int exponent, WORD m)
{
    if (m & SIGN) {
        m = m >> 1 | (m & 1);
        exponent++;
    }
    for (; !(m >> (WORD_BITS - 10)); m <<= 8)
        exponent -= 8;
    for (; !(m & SIGN >> 1); m <<= 1)
        exponent--;
    if (exponent < 1) {
        m = NUMBER(shift)(m, 1 - exponent);
        exponent = 1;
    }
    if (exponent >= TOP_EXPONENT)
        return sign | INFINITE;
    m += ((WORD)1 << (GUARD - 1)) - 1 + (m >> GUARD & 1);
    return sign | (((WORD)(exponent - 1) << FRACTION) + (m >> GUARD));
}


/* ---- Operations ---------------------------------------------------------- */

static WORD NUMBER(add)(WORD a, WORD b)
{
    int exponent, lower;
    WORD m, n;

    if (NUMBER(magnitude)(a) < NUMBER(magnitude)(b)) {
        WORD smaller = a;

        a = b;
        b = smaller;
    }
    if (NUMBER(magnitude)(a) >= INFINITE)
        return NUMBER(magnitude)(a) > INFINITE || b == (a ^ SIGN) ? NOT_A_NUMBER
                                                                  : a;
    if (NUMBER(magnitude)(b) == 0)
        return NUMBER(magnitude)(a) == 0 ? (a & b) : a;
    m = NUMBER(unpack)(a, &exponent) << GUARD;
    n = NUMBER(unpack)(b, &lower) << GUARD;
    n = NUMBER(shift)(n, exponent - lower);
    if (a == (b ^ SIGN))
        return 0;
    m = (a ^ b) & SIGN ? m - n : m + n;
    return NUMBER(round)(a & SIGN, exponent, m);
}

/* Returns the upper word of a product; its lowest bit is sticky. */
static WORD NUMBER(product)(WORD a, WORD b)
{
    const int half = WORD_BITS / 2;
    const WORD mask = ((WORD)1 << half) - 1;
    WORD low = (a & mask) * (b & mask);
    WORD cross = (a >> half) * (b & mask) + (low >> half);
    WORD other = (a & mask) * (b >> half) + (cross & mask);
    WORD high = (a >> half) * (b >> half) + (cross >> half) + (other >> half);

    return high | (((low | other) & mask) != 0);
}

static WORD NUMBER(multiply)(WORD a, WORD b)
{
    WORD sign = (a ^ b) & SIGN, m, n;
    int exponent, other;

    a = NUMBER(magnitude)(a);
    b = NUMBER(magnitude)(b);
    if (a >= INFINITE || b >= INFINITE)
        return a > INFINITE || b > INFINITE || a == 0 || b == 0
                   ? NOT_A_NUMBER
                   : sign | INFINITE;
    if (a == 0 || b == 0)
        return sign;
    m = NUMBER(unpack_normal)(a, &exponent);
    n = NUMBER(unpack_normal)(b, &other);
    m = NUMBER(product)(m << (GUARD + 1), n << (GUARD + 1));
    return NUMBER(round)(sign, exponent + other - BIAS + 1, m >> 1 | (m & 1));
}

/* Returns m / n in units of 2^-(FRACTION + 2), with a sticky lowest bit for the
 * remainder; n <= m < 2 n. */
static WORD NUMBER(quotient)(WORD m, WORD n)
{
    WORD quotient = 0;

    for (int i = 0; i < FRACTION + 3; i++) {
        quotient <<= 1;
        if (m >= n) {
            m -= n;
            quotient |= 1;
        }
        m <<= 1;
    }
    return quotient << (GUARD - 2) | (m != 0);
}

static WORD NUMBER(divide)(WORD a, WORD b)
{
    WORD sign = (a ^ b) & SIGN, m, n;
    int exponent, other;

    a = NUMBER(magnitude)(a);
    b = NUMBER(magnitude)(b);
    if (a > INFINITE || b > INFINITE || (a == b && (a == 0 || a == INFINITE)))
        return NOT_A_NUMBER;
    if (a == INFINITE || b == 0)
        return sign | INFINITE;
    if (a == 0 || b == INFINITE)
        return sign;
    m = NUMBER(unpack_normal)(a, &exponent);
    n = NUMBER(unpack_normal)(b, &other);
    if (m < n) {
        m <<= 1;
        exponent--;
    }
    return NUMBER(round)(sign, exponent - other + BIAS, NUMBER(quotient)(m, n));
}

static bool NUMBER(is_unordered)(WORD a, WORD b)
{
    return NUMBER(magnitude)(a) > INFINITE || NUMBER(magnitude)(b) > INFINITE;
}

/* Returns -1, 0, 1 for less, equal, greater; `unordered` if one is a NaN. */
static int NUMBER(compare)(WORD a, WORD b, int unordered)
{
    if (NUMBER(is_unordered)(a, b))
        return unordered;
    if (a == b || NUMBER(magnitude)(a | b) == 0)
        return 0;
    if ((a ^ b) & SIGN)
        return a & SIGN ? -1 : 1;
    return (a < b) == !(a & SIGN) ? -1 : 1;
}


/* ---- Integers ------------------------------------------------------------ */

static WORD NUMBER(from_integer)(bool is_negative, uint32_t magnitude)
{
    if (magnitude == 0)
        return 0;
    return NUMBER(round)(is_negative ? SIGN : 0, BIAS + WORD_BITS - 2,
                         magnitude);
}

/* Returns the integer part of a's magnitude, at most `limit`. */
static uint32_t NUMBER(whole_part)(WORD a, uint32_t limit)
{
    int exponent;
    WORD m = NUMBER(unpack)(a, &exponent);

    exponent -= BIAS;
    if (exponent < 0)
        return 0;
    if (exponent >= 32)
        return limit;
    m = exponent <= FRACTION ? m >> (FRACTION - exponent)
                             : m << (exponent - FRACTION);
    return m < limit ? (uint32_t)m : limit;
}


/* ---- Functions that gcc calls -------------------------------------------- */

static WORD NUMBER(bits)(REAL a)
{
    union {
        REAL number;
        WORD bits;
    } pun = {a};

    return pun.bits;
}

static REAL NUMBER(number)(WORD a)
{
    union {
        WORD bits;
        REAL number;
    } pun = {a};

    return pun.number;
}

REAL CALLED(__add, 3)(REAL a, REAL b)
{
    return NUMBER(number)(NUMBER(add)(NUMBER(bits)(a), NUMBER(bits)(b)));
}

REAL CALLED(__sub, 3)(REAL a, REAL b)
{
    return NUMBER(number)(NUMBER(add)(NUMBER(bits)(a), NUMBER(bits)(b) ^ SIGN));
}

REAL CALLED(__mul, 3)(REAL a, REAL b)
{
    return NUMBER(number)(NUMBER(multiply)(NUMBER(bits)(a), NUMBER(bits)(b)));
}

REAL CALLED(__div, 3)(REAL a, REAL b)
{
    return NUMBER(number)(NUMBER(divide)(NUMBER(bits)(a), NUMBER(bits)(b)));
}

/* For a < b the compiler tests __lt(a, b) < 0, and so on.  With a NaN these
 * tests are false, except that of __ne, which is true. */
int CALLED(__eq, 2)(REAL a, REAL b)
{
    return NUMBER(compare)(NUMBER(bits)(a), NUMBER(bits)(b), 1);
}

int CALLED(__ne, 2)(REAL a, REAL b)
{
    return NUMBER(compare)(NUMBER(bits)(a), NUMBER(bits)(b), 1);
}

int CALLED(__lt, 2)(REAL a, REAL b)
{
    return NUMBER(compare)(NUMBER(bits)(a), NUMBER(bits)(b), 1);
}

int CALLED(__le, 2)(REAL a, REAL b)
{
    return NUMBER(compare)(NUMBER(bits)(a), NUMBER(bits)(b), 1);
}

int CALLED(__gt, 2)(REAL a, REAL b)
{
    return NUMBER(compare)(NUMBER(bits)(a), NUMBER(bits)(b), -1);
}

int CALLED(__ge, 2)(REAL a, REAL b)
{
    return NUMBER(compare)(NUMBER(bits)(a), NUMBER(bits)(b), -1);
}

int CALLED(__unord, 2)(REAL a, REAL b)
{
    return NUMBER(is_unordered)(NUMBER(bits)(a), NUMBER(bits)(b));
}

REAL CALLED(__floatsi, )(int32_t a)
{
    uint32_t magnitude = a < 0 ? 0u - (uint32_t)a : (uint32_t)a;

    return NUMBER(number)(NUMBER(from_integer)(a < 0, magnitude));
}

REAL CALLED(__floatunsi, )(uint32_t a)
{
    return NUMBER(number)(NUMBER(from_integer)(false, a));
}

/* Converts numbers out of range to the nearest end of the range; gcc allows any
 * result. */
int32_t CALLED(__fix, si)(REAL a)
{
    WORD bits = NUMBER(bits)(a);

    if (bits & SIGN)
        return (int32_t)(0u - NUMBER(whole_part)(bits, 0x80000000u));
    return (int32_t)NUMBER(whole_part)(bits, 0x7fffffffu);
}

uint32_t CALLED(__fixuns, si)(REAL a)
{
    return NUMBER(whole_part)(NUMBER(bits)(a), 0xffffffffu);
}

#undef SIGN
#undef INFINITE
#undef HIDDEN
#undef NOT_A_NUMBER
#undef BIAS
#undef GUARD
#undef NUMBER
#undef CALLED
#undef REAL
#undef WORD
#undef WORD_BITS
#undef FRACTION
#undef TOP_EXPONENT
