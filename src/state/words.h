/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Words of 32 bits: how the hash mixes them (SPEC.md, "The hash"); words in the
 * bytes of a file, in a fixed order; words and bytes of the state. */

#ifndef VSP_WORDS_H
#define VSP_WORDS_H

#include "../number/number.h"


/* ---- The hash ------------------------------------------------------------ */

static inline uint32_t vsp__rotl(uint32_t x, uint32_t n)
{
    return x << n | x >> (32u - n);
}

/* Returns a hash with one more word mixed in.  Each operation is invertible, so
 * that no two words give one hash the same next hash. */
static inline uint32_t vsp__hash_word(uint32_t hash, uint32_t bits)
{
    hash ^= vsp__rotl(bits * 0x85ebca77u, 13) * 0x9e3779b1u;
    return vsp__rotl(hash, 17) * 5u + 0x52dce729u;
}

/* Finishes a hash: spreads the last words over all bits. */
static inline uint32_t vsp__hash_end(uint32_t hash)
{
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    hash = (hash ^ hash >> 12) * 0x297a2d39u;
    return hash ^ hash >> 15;
}


/* ---- Words in a file ----------------------------------------------------- */

/* reads a word from four bytes, the least significant first */
static inline uint32_t vsp__get_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void vsp__set_word(unsigned char *bytes, uint32_t bits)
{
    bytes[0] = (unsigned char)(bits & 0xffu);
    bytes[1] = (unsigned char)(bits >> 8 & 0xffu);
    bytes[2] = (unsigned char)(bits >> 16 & 0xffu);
    bytes[3] = (unsigned char)(bits >> 24);
}


/* ---- Words of the state -------------------------------------------------- */

static inline void vsp__copy_bytes(void *to, const void *from, size_t size)
{
    unsigned char *out = (unsigned char *)to;
    const unsigned char *in = (const unsigned char *)from;

    while (size-- > 0)
        *out++ = *in++;
}

/* A word of a record, whatever its type: read and written as bytes in the
 * machine's own order, which compilers turn into one load or store. */
typedef union vsp__word {
    uint32_t bits;
    unsigned char bytes[4];
} vsp__word;

static inline uint32_t vsp__load_word(const void *state)
{
    const unsigned char *bytes = (const unsigned char *)state;
    vsp__word word;
    uint32_t i;

    for (i = 0; i < 4; i++)
        word.bytes[i] = bytes[i];
    return word.bits;
}

static inline void vsp__store_word(void *state, uint32_t bits)
{
    unsigned char *bytes = (unsigned char *)state;
    vsp__word word;
    uint32_t i;

    word.bits = bits;
    for (i = 0; i < 4; i++)
        bytes[i] = word.bytes[i];
}

#define VSP__COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))
#define VSP__WORDS(type) ((uint32_t)(sizeof(type) / 4u))


/* ---- words.c: compared and cleared --------------------------------------- */

/* Returns whether words differ from those at b or, if b is null, from 0. */
bool vsp__words_differ(const void *a, const void *b, uint32_t count);

/* Returns whether all numbers are 0 or -0; count is a multiple of 3. */
bool vsp__are_zero(const vsp__num *a, uint32_t count);

#if defined __OPTIMIZE_SIZE__
bool vsp__are_three_zero(const vsp__num *a);
#else
static inline bool vsp__are_three_zero(const vsp__num *a)
{
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}
#endif
void vsp__zero_bytes(void *state, size_t size);

#endif /* VSP_WORDS_H */
