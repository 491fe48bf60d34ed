/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Inputs for the drivers that ci/prove gives to Frama-C.  An input stands for
 * all numbers of an interval at once. */

#ifndef PROVE_ANY_H
#define PROVE_ANY_H

#include <__fc_builtin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Analyses a call on a path of its own; the code after it is analysed as if the
 * call were not there. */
#define PROVE(call) \
    if (any_bool()) \
    (void)(call)

static bool any_bool(void)
{
    return Frama_C_interval(0, 1) != 0;
}

static int32_t any_int(int32_t low, int32_t high)
{
    return Frama_C_interval(low, high);
}

static int64_t any_long(int64_t low, int64_t high)
{
    return Frama_C_long_long_interval(low, high);
}

static uint32_t any_uint(uint32_t low, uint32_t high)
{
    return Frama_C_unsigned_int_interval(low, high);
}

static uint32_t any_word(void)
{
    return any_uint(0, 0xffffffffu);
}

#endif
