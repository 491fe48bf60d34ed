/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* One function for each experiment.  They return false, and print why on
 * stderr, if something failed. */

#ifndef EXPERIMENTS_H
#define EXPERIMENTS_H

#include "page.h"

/* matrices.c: types of stacks, sparsity and eigenvalues of A and T. */
bool run_matrices(page *to);

/* convergence.c: merit by iteration of Gauss-Seidel, Jacobi, SOR and conjugate
 * gradients, by case and by height of a stack. */
bool run_convergence(page *to);

/* damping.c: convergence, solution and eigenvalues by the damping gamma. */
bool run_damping(page *to);

/* iterations.c: stacks by the iterative solver alone. */
bool run_iterations(page *to);

/* correction.c: a grid of balls that overlap. */
bool run_correction(page *to);

/* figure14.c: VSP as printed, on three stacks. */
bool run_figure_14(page *to);

/* falls.c: silo, animals, roof, letters: contacts and time of steps. */
bool run_falls(page *to);

/* roof_tower.c: a tower under a roof and a cannonball, by VSP and ISP. */
bool run_roof_tower(page *to);

/* popcorn.c: one animal on the ground: overlap, energy; bullets. */
bool run_popcorn(page *to);

/* slides.c: drift by iterations, a stack by ISP, balls. */
bool run_slides(page *to);

/* subspace.c: one step of each test case of figure 2 is solved again and again,
 * with more and more work, by PGS and by PGS-SM. */
bool run_subspace(page *to);

/* sm_literal.c: the same in double precision with the paper's own setting, and
 * with each departure of the engine. */
bool run_sm_literal(page *to);

/* sm_variants.c: the variants of section 5.1, in one step and in simulations,
 * and singular values of the reduced systems. */
bool run_sm_variants(page *to);

/* sm_pictures.c: the cases, and snakes with and without PGS-SM. */
bool run_sm_pictures(page *to);

/* range.c: a load on a chain and a ring of hinges, with and without long-range
 * constraints, and towers, with and without supports. */
bool run_range(page *to);

/* shells.c: boats that fall into a tub, by their number, and triangles on
 * pegs. */
bool run_shells(page *to);

#endif
