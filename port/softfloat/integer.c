/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What some CPUs lack, and the library of their gcc too: integer products
 * and quotients. */

#include <stdbool.h>
#include <stdint.h>

uint32_t __udivsi3(uint32_t a, uint32_t b);
uint32_t __umodsi3(uint32_t a, uint32_t b);
int32_t __divsi3(int32_t a, int32_t b);
int32_t __modsi3(int32_t a, int32_t b);
uint64_t __muldi3(uint64_t a, uint64_t b);
uint64_t __udivdi3(uint64_t a, uint64_t b);
int64_t __divdi3(int64_t a, int64_t b);

/* Returns the quotient; *rest gets the remainder.  A division by 0 has no
 * result, but ends. */
static uint32_t divide(uint32_t a, uint32_t b, uint32_t *rest)
{
    uint32_t quotient = 0, remainder = 0;

    for (int bit = 31; bit >= 0; bit--) {
        remainder = remainder << 1 | (a >> bit & 1u);
        if (remainder >= b) {
            remainder -= b;
            quotient |= (uint32_t)1 << bit;
        }
    }
    *rest = remainder;
    return quotient;
}

uint32_t __udivsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;

    return divide(a, b, &rest);
}

uint32_t __umodsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;

    divide(a, b, &rest);
    return rest;
}

int32_t __divsi3(int32_t a, int32_t b)
{
    uint32_t rest;
    uint32_t quotient = divide(a < 0 ? 0u - (uint32_t)a : (uint32_t)a,
                               b < 0 ? 0u - (uint32_t)b : (uint32_t)b, &rest);

    return (int32_t)((a < 0) == (b < 0) ? quotient : 0u - quotient);
}

int32_t __modsi3(int32_t a, int32_t b)
{
    uint32_t rest;

    divide(a < 0 ? 0u - (uint32_t)a : (uint32_t)a,
           b < 0 ? 0u - (uint32_t)b : (uint32_t)b, &rest);
    return (int32_t)(a < 0 ? 0u - rest : rest);
}

/* The upper half of a product of two 32-bit integers. */
static uint32_t upper_product(uint32_t a, uint32_t b)
{
    uint32_t low = (a & 0xffffu) * (b & 0xffffu);
    uint32_t cross = (a >> 16) * (b & 0xffffu) + (low >> 16);
    uint32_t other = (a & 0xffffu) * (b >> 16) + (cross & 0xffffu);

    return (a >> 16) * (b >> 16) + (cross >> 16) + (other >> 16);
}

uint64_t __muldi3(uint64_t a, uint64_t b)
{
    uint32_t low = (uint32_t)a, other = (uint32_t)b;
    uint32_t high = upper_product(low, other) +
                    (uint32_t)(a >> 32) * other + low * (uint32_t)(b >> 32);

    return (uint64_t)high << 32 | low * other;
}

/* Shifts by one alone: others may be calls, too. */
uint64_t __udivdi3(uint64_t a, uint64_t b)
{
    uint64_t rest = 0;

    for (int bit = 0; bit < 64; bit++) {
        bool is_over = (uint32_t)(rest >> 32) >> 31 != 0;

        rest = rest << 1 | ((uint32_t)(a >> 32) >> 31);
        a <<= 1;
        if (is_over || rest >= b) {
            rest -= b;
            a |= 1u;
        }
    }
    return a;
}

int64_t __divdi3(int64_t a, int64_t b)
{
    uint64_t quotient = __udivdi3(a < 0 ? 0u - (uint64_t)a : (uint64_t)a,
                                  b < 0 ? 0u - (uint64_t)b : (uint64_t)b);

    return (int64_t)((a < 0) == (b < 0) ? quotient : 0u - quotient);
}
