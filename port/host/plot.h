/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Curves in frames, as an SVG file, and files in a directory. */

#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>
#include <stdio.h>

#define PLOT_POINTS 256
#define PLOT_CURVES 4

typedef struct plot_point {
    double x, y;
} plot_point;

typedef struct plot_curve {
    const char *name; /* for the legend */
    plot_point points[PLOT_POINTS];
    int count;
} plot_curve;

/* A frame. y is in decades, as many as the curves need. */
typedef struct plot_panel {
    const char *title, *x_label, *y_label;
    bool is_x_log;
    double x_low, x_high;
    double x_tick; /* between lines of the grid; decades if is_x_log */
    plot_curve curves[PLOT_CURVES];
    int count;
} plot_panel;

/* Writes panels, `columns` in a row. */
void plot_write(FILE *out, const plot_panel *panels, int count, int columns);

/* Opens DIRECTORY/NAME for writing.  Returns null, and says why on stderr, when
 * it cannot. */
FILE *plot_open(const char *directory, const char *name);

/* Returns whether DIRECTORY/NAME can be written, and makes it empty, before
 * long work is done for it.  Says why on stderr when it cannot. */
bool plot_begin(const char *directory, const char *name);

/* Closes a file, and prints its path on stdout.  Returns false, and says why on
 * stderr, when it is not complete. */
bool plot_close(FILE *out, const char *directory, const char *name);

#endif
