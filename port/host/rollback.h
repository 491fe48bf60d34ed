/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What it takes to go back in time. */

#ifndef ROLLBACK_H
#define ROLLBACK_H

/* Times a pile of boxes that is awake, prints a table, and returns the exit
 * status. */
int rollback_bench(void);

#endif
