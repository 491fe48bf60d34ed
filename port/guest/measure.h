/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Measures a guest: steps made and stack used. */

#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>

/* The runner's plugin counts instructions between these two. */
void mark_step_begin(void);
void mark_step_end(void);

/* Counts a step, and marks its beginning; mark_step_end marks its end. */
void measure_step_begin(void);

/* Fills the unused stack with a pattern. */
void measure_begin(void);

/* Prints `# steps N stack BYTES`, which the runner reads.  Ends the run with a
 * fault if the stack was too small. */
void measure_print(void);

#endif
