/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Experiments of papers, with this engine: figure 3 of Silcowitz, Niebe,
 * Erleben, Projected Gauss-Seidel Subspace Minimization Method for Interactive
 * Rigid Body Dynamics, 2010. */

#ifndef PAPER_H
#define PAPER_H

#include "simulation.h"

/* What a sweep with momentum and a pass over all rows in conjugate gradients
 * cost, in PGS iterations.  By instructions of a Cortex-M4F with -O2 a sweep
 * with momentum is 1.31 to 1.34 of contacts and 1.34 to 1.38 of joints; by
 * those of an x86-64 a pass is 1.8 to 2.2 in three of the cases.  What comes
 * with a search (choice of active rows, projection, merit) is in the last pass
 * of a try, which moves nothing, and in what the table says of the clock; what
 * comes with a round (merit, the best) is less than a sweep.  The first sweeps
 * of a step have no momentum, and are plain ones. */
#define PAPER_PLAIN_SWEEPS 3
#define PAPER_SWEEP_COST 1.35
#define PAPER_PASS_COST 2.1
#define PAPER_ROUND_COST 1.0

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
