/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Words, numbers and bytes of any record: compared, cleared. */

#include "words.h"

bool vsp__words_differ(const void *a, const void *b, uint32_t count)
{
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    uint32_t i;

    for (i = 0; i < count; i++)
        if (vsp__load_word(x + 4u * i) !=
            (y != NULL ? vsp__load_word(y + 4u * i) : 0))
            return true;
    return false;
}

bool vsp__are_zero(const vsp__num *a, uint32_t count)
{
    uint32_t bits = 0;

    for (; count > 0; count -= 3, a += 3)
        bits |= r_bits(a[0]) | r_bits(a[1]) | r_bits(a[2]);
    return (VSP_FIXED ? bits : bits << 1) == 0; /* -0 has a sign */
}

#if defined __OPTIMIZE_SIZE__
bool vsp__are_three_zero(const vsp__num *a)
{
    return vsp__are_zero(a, 3);
}
#endif

void vsp__zero_bytes(void *state, size_t size)
{
    unsigned char *bytes = (unsigned char *)state;

    while (size-- > 0)
        *bytes++ = 0;
}
