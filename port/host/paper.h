/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Experiments of papers, with this engine: figure 3 of Silcowitz, Niebe,
 * Erleben, Projected Gauss-Seidel Subspace Minimization Method for Interactive
 * Rigid Body Dynamics, 2010. */

#ifndef PAPER_H
#define PAPER_H

#include "simulation.h"

/* What there is beside plain sweeps, in these: by instructions of an x86-64
 * with -O2, in five scenes.
 *
 *                                          floats        fixed point
 *     a sweep with momentum, of contacts   1.19 to 1.26  1.20 to 1.29
 *     ... of joints, with contacts or not  1.36 to 1.47  1.21 to 1.27
 *     a step of conjugate gradients        1.84 to 2.31  2.7 to 3.4
 *     what comes with a try                3.0 to 3.4    2.4 to 4.0
 *     with a round: merit, the best        0.7 to 0.9    0.5 to 0.6
 *     velocities that it makes anew        -             0.8 to 1.6
 *
 * A try is a pass more than its steps, which moves nothing, and counts as one
 * in all; a sweep of joints counts in fixed point as in floats, too much.  The
 * first sweeps of a step have no momentum, and are plain ones. */
#define PAPER_PLAIN_SWEEPS 3
#define PAPER_SWEEP_COST(has_joints) ((has_joints) ? 1.4 : 1.25)
#define PAPER_PASS_COST (VSP_FIXED ? 3.2 : 2.1)
#define PAPER_ROUND_COST (VSP_FIXED ? 0.6 : 0.8)
#define PAPER_ANEW_COST (VSP_FIXED ? 1.1 : 0.0)

typedef struct paper_options {
    const char *directory;
    vsp_friction friction;
    uint32_t after;   /* steps, by the default stepper, before what is
                         measured */
} paper_options;

/* Returns the defaults. */
paper_options paper_options_default(void);

/* Solves one step of each test case of figure 2, again and again, with more
 * and more work: merit against work, by PGS and by PGS with subspace
 * minimisation.  Writes DIRECTORY/pgs-sm.csv and DIRECTORY/pgs-sm.svg, and a
 * table on stdout.  Returns false, and says why on stderr, when something
 * failed. */
bool paper_pgs_sm(const paper_options *options);

#endif
