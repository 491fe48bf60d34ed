/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hashes that every compiler, optimisation level and machine must get.
 * tests/golden.inc holds them, one line a run, as build/golden prints them;
 * after a change that means other bits, and a new VSP_BITS_VERSION:
 *
 *     make golden */

#ifndef GOLDEN_H
#define GOLDEN_H

#include "../vsp.h"

typedef enum golden_setting {
    GOLDEN_DEFAULT,
    GOLDEN_COLD,    /* no warm starting */
    GOLDEN_PYRAMID, /* friction pyramid */
    GOLDEN_PGS,
    GOLDEN_SHOCK
} golden_setting;

typedef struct golden_run {
    const char *scene;
    golden_setting setting;
} golden_run;

#define GOLDEN_POINTS 5

extern const golden_run golden_runs[];
extern const uint32_t golden_run_count;

/* after how many steps hashes are taken */
extern const uint32_t golden_steps[GOLDEN_POINTS];

/* Runs a scene and takes its hashes.  Returns false when it cannot. */
bool golden_take(const golden_run *which, uint32_t hashes[GOLDEN_POINTS]);

#endif
