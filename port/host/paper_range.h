/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Experiments of Mueller, Chentanez, Macklin, Jeschke, Long Range Constraints
 * for Rigid Body Simulations, 2017, repeated with this engine. */

#ifndef PAPER_RANGE_H
#define PAPER_RANGE_H

#include <stdbool.h>

/* Runs a load on a chain and a ring of hinges, with and without long-range
 * constraints, and towers, with and without supports.  Measures the stretch of
 * the chain by sweeps and by mass of the load, the rise of the load by step
 * rate, and the sag of the ring by sweeps; and by the number of rings, how far
 * bricks of towers drift and overlap, and how many are supported.  Writes
 * DIRECTORY/range.csv, DIRECTORY/range.svg, and a table on stdout.  Returns
 * false, and prints why on stderr, if something failed. */
bool paper_range(const char *directory);

#endif
