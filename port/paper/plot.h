/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Plots curves and matrices as an SVG file, and opens files in a directory. */

#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>
#include <stdio.h>

#define PLOT_POINTS 1024
#define PLOT_CURVES 6

typedef struct plot_point {
    double x, y;
} plot_point;

typedef struct plot_curve {
    const char *name; /* for the legend */
    plot_point points[PLOT_POINTS];
    int count;
    bool is_dots; /* without a line */
    bool has_fit; /* with the line of least squares, if both axes are linear */
} plot_curve;

/* Curves with their axes.  The y axis is logarithmic, and spans the decades of
 * the curves; or is_y_linear, and spans y_low to y_high, or the curves if these
 * are equal. */
typedef struct plot_panel {
    const char *title, *x_label, *y_label;
    bool is_x_log;
    double x_low, x_high;
    double x_tick; /* distance of grid lines; in decades if is_x_log */
    bool is_y_linear;
    double y_low, y_high;
    plot_curve curves[PLOT_CURVES];
    int count;
} plot_panel;

/* Which entries of a matrix are not zero. */
typedef struct plot_matrix {
    const char *title;
    int rows, columns;
    const unsigned char *is_set; /* row by row */
} plot_matrix;

/* Adds a point to a curve, unless it is full. */
void plot_add(plot_curve *to, double x, double y);

/* Writes panels in rows of `columns`. */
void plot_write(FILE *out, const plot_panel *panels, int count, int columns);

/* Writes pictures of matrices in rows of `columns`.  In a large matrix, a cell
 * of the picture stands for a square of entries, and is filled if one of them
 * is set. */
void plot_write_matrices(FILE *out, const plot_matrix *matrices, int count,
                         int columns);

/* Opens DIRECTORY/NAME for writing.  Returns null, and prints why on stderr, if
 * that fails. */
FILE *plot_open(const char *directory, const char *name);

/* Makes DIRECTORY if it is not there, and empties DIRECTORY/NAME.  Call it
 * before long work, to learn early whether the file can be written.  Returns
 * false, and prints why on stderr, if not. */
bool plot_begin(const char *directory, const char *name);

/* Closes a file, and prints its path on stdout.  Returns false, and prints why
 * on stderr, if the file is not complete. */
bool plot_close(FILE *out, const char *directory, const char *name);

#endif
