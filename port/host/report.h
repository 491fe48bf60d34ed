/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints measurements, for people and for programs. */

#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "port/measure/measure.h"

/* the scenes of a run that names none */
#define REPORT_SCENES 18
extern const char *const report_scene_names[REPORT_SCENES];

/* Prints the names and descriptions of the scenes. */
void report_scenes(FILE *out);

/* Returns the kind of numbers of this build. */
const char *report_kind(void);

/* Prints all measurements of one run. */
void report_run(const measure *it);

/* Print the head of a table of runs, a row, and what the columns mean. */
void report_table_head(void);
void report_table_row(const measure *it);
void report_table_legend(void);

/* Print the same of a table of times. */
void report_times_head(void);
void report_times_row(const measure *it);
void report_times_legend(void);

/* Print a table of runs that fits a terminal: its head, a row, what its columns
 * mean. */
void report_short_head(void);
void report_short_row(const measure *it);
void report_short_legend(void);

/* Prints one line of JSON. */
void report_json(const measure *it);

#endif
