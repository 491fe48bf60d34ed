/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sorting in linear time: shapes by position, pairs by key.  Both are radix
 * sorts, from the lowest digit up, by counting. */

#include "collide.h"

/* Sorts keys, and `order` with them.  Fast for a few keys only. */
static void sort_by_insertion(uint32_t *keys, uint16_t *order, uint32_t count)
{
    uint32_t i, k;

    for (i = 1; i < count; i++) {
        uint32_t key = keys[i];
        uint16_t shape = order[i];

        for (k = i; k > 0 && keys[k - 1] > key; k--) {
            keys[k] = keys[k - 1];
            order[k] = order[k - 1];
        }
        keys[k] = key;
        order[k] = shape;
    }
}

/* Sets first[d] to the index of the first key with digit d in the sorted array.
 * A digit is (key >> shift) & mask. */
static void count_digits(const uint32_t *keys, uint32_t count, uint32_t shift,
                         uint32_t mask, uint32_t *first, uint32_t digits)
{
    uint32_t i, sum = 0;

    for (i = 0; i < digits; i++)
        first[i] = 0;
    for (i = 0; i < count; i++)
        first[keys[i] >> shift & mask]++;
    for (i = 0; i < digits; i++) {
        uint32_t n = first[i];

        first[i] = sum;
        sum += n;
    }
}

/* few passes, and counters that fit a small stack */
#define DIGIT_BITS 6u
#define DIGIT_COUNT (1u << DIGIT_BITS)

/* One pass by a digit, from one half of both arrays to the other: `from` is 0
 * or VSP_MAX_SHAPES. */
static void scatter_shapes(uint32_t *keys, uint16_t *order, uint32_t count,
                           uint32_t from, uint32_t shift)
{
    uint32_t first[DIGIT_COUNT], to = VSP_MAX_SHAPES - from, i;

    count_digits(keys + from, count, shift, DIGIT_COUNT - 1u, first,
                 DIGIT_COUNT);
    for (i = 0; i < count; i++) {
        uint32_t key = keys[from + i];
        uint32_t place = to + first[key >> shift & (DIGIT_COUNT - 1u)]++;

        keys[place] = key;
        order[place] = order[from + i];
    }
}

void vsp__sort_shapes(vsp_world *world, uint32_t count)
{
    uint32_t *keys = vsp__find_of(world)->sort_keys, from = 0, shift, i;
    uint16_t *order = vsp__find_of(world)->sort_order;

    if (VSP_MAX_SHAPES <= DIGIT_COUNT || count <= DIGIT_COUNT) {
        sort_by_insertion(keys, order, count);
        return;
    }
    for (shift = 0; shift < 30; shift += DIGIT_BITS) {
        scatter_shapes(keys, order, count, from, shift);
        from = VSP_MAX_SHAPES - from;
    }
    /* after an odd number of passes the result is in the second half */
    for (i = 0; i < count; i++)
        order[i] = order[from + i];
}

/* One pass by a digit, which is one of the two slots. */
static void scatter_pairs(const vsp_world *world, const uint32_t *from,
                          uint32_t *to, uint32_t count, uint32_t shift,
                          uint32_t *first)
{
    uint32_t i;

    count_digits(from, count, shift, 0xffffu, first, world->shape_limit);
    for (i = 0; i < count; i++)
        to[first[from[i] >> shift & 0xffffu]++] = from[i];
}

void vsp__sort_pairs(vsp_world *world, uint32_t count)
{
    uint32_t *pairs = vsp__find_of(world)->pairs;
    /* the keys of shapes are no longer needed */
    uint32_t *first = vsp__find_of(world)->sort_keys;

    scatter_pairs(world, pairs, pairs + VSP_MAX_PAIRS, count, 0, first);
    scatter_pairs(world, pairs + VSP_MAX_PAIRS, pairs, count, 16, first);
}
