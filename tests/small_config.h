/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of the tests that fill a world: every capacity is small, and can
 * be reached before the others; and a clock. */

#ifndef TESTS_SMALL_CONFIG_H
#define TESTS_SMALL_CONFIG_H

#define VSP_MERIT 1
#define VSP_SHELLS 1
#define VSP_MAX_RUNTIME_HULLS 3
#define VSP_MAX_BODIES 8
#define VSP_MAX_SHAPES 20
#define VSP_MAX_PAIRS 12
#define VSP_MAX_MANIFOLDS 6
#define VSP_MAX_CONTACTS 12
#define VSP_MAX_JOINTS 3

/* in tests/test_api.c: one tick later at every call */
#include <stdint.h>
uint32_t test_clock(void);
#define VSP_CLOCK test_clock()

#endif
