/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Experiments of Mueller, Chentanez, Macklin, Jeschke, Long Range Constraints
 * for Rigid Body Simulations, 2017, with this engine. */

#ifndef PAPER_RANGE_H
#define PAPER_RANGE_H

#include <stdbool.h>

/* A load on a chain, and a ring of hinges, each with and without long-range
 * constraints: how far the chain stretches after so many sweeps, and under so
 * heavy a load; how high the load rises in steps of so many a second; how far
 * the ring sags.  Writes DIRECTORY/range.csv and DIRECTORY/range.svg, and a
 * table on stdout.  Returns false, and says why on stderr, when something
 * failed. */
bool paper_range(const char *directory);

#endif
