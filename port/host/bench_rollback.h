/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Measures the cost of rollback. */

#ifndef BENCH_ROLLBACK_H
#define BENCH_ROLLBACK_H

/* Times piles of boxes that are awake, prints tables, and returns the exit
 * status. */
int rollback_bench(void);

#endif
