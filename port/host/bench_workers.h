/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The command workers: times of steps that are shared, measured and computed.
 */

#ifndef BENCH_WORKERS_H
#define BENCH_WORKERS_H

#include "port/measure/simulation.h"

/* Prints the head of the table. */
void workers_head(void);

/* Runs a scene alone, with threads, and with a model of workers, and prints its
 * row.  Returns false if it cannot start, or if a hash differs. */
bool workers_row(const char *scene_name, const simulation_options *options);

/* Prints what the columns mean. */
void workers_legend(void);

#endif
