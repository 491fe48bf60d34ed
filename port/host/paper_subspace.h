/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Figure 3 of Silcowitz, Niebe, Erleben, Projected Gauss-Seidel Subspace
 * Minimization Method for Interactive Rigid Body Dynamics, 2010, repeated with
 * this engine. */

#ifndef PAPER_SUBSPACE_H
#define PAPER_SUBSPACE_H

#include "port/measure/simulation.h"

typedef struct paper_options {
    const char *directory;
    vsp_friction friction;
    uint32_t after; /* steps with the default stepper before the measured
                     * step */
} paper_options;

/* Returns the defaults. */
paper_options paper_options_default(void);

/* Solves one step of each test case of figure 2 again and again, with more and
 * more work, by PGS and by PGS with subspace minimisation.  Writes merit by
 * work to DIRECTORY/subspace.csv and DIRECTORY/subspace.svg, and a table on
 * stdout.  Returns false, and prints why on stderr, if something failed. */
bool paper_subspace(const paper_options *options);

#endif
