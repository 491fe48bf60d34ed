/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Integer products and quotients that some CPUs and their gcc libraries
 * lack. */

#include <stdbool.h>
#include <stdint.h>

uint32_t __udivsi3(uint32_t a, uint32_t b);
uint32_t __umodsi3(uint32_t a, uint32_t b);
int32_t __divsi3(int32_t a, int32_t b);
int32_t __modsi3(int32_t a, int32_t b);
uint64_t __muldi3(uint64_t a, uint64_t b);
uint64_t __udivdi3(uint64_t a, uint64_t b);
int64_t __divdi3(int64_t a, int64_t b);

/* Returns the quotient; *rest gets the remainder.  A division by 0 gives some
 * result, but ends. */
static uint32_t divide_words(uint32_t a, uint32_t b, uint32_t *rest)
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

    return divide_words(a, b, &rest);
}

uint32_t __umodsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;

    divide_words(a, b, &rest);
    return rest;
}

int32_t __divsi3(int32_t a, int32_t b)
{
    uint32_t rest;
    uint32_t quotient = divide_words(a < 0 ? 0u - (uint32_t)a : (uint32_t)a,
                                     b < 0 ? 0u - (uint32_t)b : (uint32_t)b,
                                     &rest);

    return (int32_t)((a < 0) == (b < 0) ? quotient : 0u - quotient);
}

int32_t __modsi3(int32_t a, int32_t b)
{
    uint32_t rest;

    divide_words(a < 0 ? 0u - (uint32_t)a : (uint32_t)a,
                 b < 0 ? 0u - (uint32_t)b : (uint32_t)b, &rest);
    return (int32_t)(a < 0 ? 0u - rest : rest);
}

/* Returns the product of the lower halves of a and b.  A 68000 has an
 * instruction for it, but gcc calls __mulsi3. */
#ifdef __m68k__
static uint32_t halves(uint32_t a, uint32_t b)
{
    __asm__("mulu.w %1, %0" : "+d"(a) : "d"(b) : "cc");
    return a;
}
#else
static uint32_t halves(uint32_t a, uint32_t b)
{
    return (a & 0xffffu) * (b & 0xffffu);
}
#endif

/* Returns the product of an upper half and the other factor.  The upper half is
 * mostly just a sign, so 0 and -1 are quick. */
static uint32_t upper_times(uint32_t upper, uint32_t b)
{
    return upper == 0 ? 0 : upper == UINT32_MAX ? 0u - b : upper * b;
}

uint64_t __muldi3(uint64_t a, uint64_t b)
{
    uint32_t left = (uint32_t)a, right = (uint32_t)b;
    uint32_t low = halves(left, right);
    uint32_t cross = halves(left >> 16, right) + (low >> 16);
    uint32_t other = halves(left, right >> 16) + (cross & 0xffffu);
    uint32_t high = halves(left >> 16, right >> 16) + (cross >> 16) +
                    (other >> 16) + upper_times((uint32_t)(a >> 32), right) +
                    upper_times((uint32_t)(b >> 32), left);

    return (uint64_t)high << 32 | other << 16 | (low & 0xffffu);
}

/* Shifts by one bit only, since longer shifts may be calls too. */
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
