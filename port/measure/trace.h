/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A CSV file with a row for each step of a run. */

#ifndef TRACE_H
#define TRACE_H

#include <stdio.h>

#include "vsp.h"

/* Writes the names of the columns. */
void trace_head(FILE *out);

/* Writes the row of the step that the world has just made; step: its number,
 * from 1. */
void trace_row(FILE *out, const vsp_world *world, uint32_t step);

#endif
