/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Measures queries a second. */

#ifndef BENCH_QUERIES_H
#define BENCH_QUERIES_H

/* Makes queries of a world of a thousand boxes, prints a table, and returns the
 * exit status. */
int queries_bench(void);

#endif
