/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The cost of the parts of PGS with subspace minimisation, in plain sweeps. */

#ifndef WORK_COST_H
#define WORK_COST_H

#include "vsp.h"

/* Measured in instructions of an x86-64 with -O2, in five scenes, over those of
 * a plain sweep:
 *
 *                                         floats        fixed point
 *     sweep with momentum, of contacts    1.19 to 1.26  1.20 to 1.29
 *     ... of joints, with contacts or not 1.36 to 1.47  1.21 to 1.27
 *     step of conjugate gradients         1.84 to 2.31  2.7 to 3.4
 *     fixed cost of a try                 3.0 to 3.4    2.4 to 4.0
 *     cost of a round: merit, the best    0.7 to 0.9    0.5 to 0.6
 *     recomputed velocities of a round    -             0.8 to 1.6
 *
 * A try has one pass more than steps, which moves nothing; it and the fixed
 * cost of the try count as one pass.  In fixed point a sweep of joints counts
 * as in floats, which is too much.  The first sweeps of a step have no
 * momentum, and cost 1. */
#define WORK_PLAIN_SWEEPS 3
#define WORK_SWEEP_COST(has_joints) ((has_joints) ? 1.4 : 1.25)
#define WORK_PASS_COST (VSP_FIXED ? 3.2 : 2.1)
#define WORK_ROUND_COST (VSP_FIXED ? 0.6 : 0.8)
#define WORK_ANEW_COST (VSP_FIXED ? 1.1 : 0.0)

#endif
