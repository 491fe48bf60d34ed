/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Experiments of Mueller, Chentanez, Macklin, Jeschke, Long Range Constraints
 * for Rigid Body Simulations, 2017, with this engine. */

#ifndef PAPER_RANGE_H
#define PAPER_RANGE_H

#include <stdbool.h>

/* A load on a chain, and a ring of hinges, each with and without long-range
 * constraints; towers, with and without supports.  It measures the stretch of
 * the chain by sweeps and by mass of the load, the rise of the load by step
 * rate, the sag of the ring by sweeps; and how far bricks of towers drift and
 * overlap, and how many are supported, by rings.  Writes DIRECTORY/range.csv
 * and DIRECTORY/range.svg, and a table on stdout.  Returns false, and says why
 * on stderr, when something failed. */
bool paper_range(const char *directory);

#endif
