/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Least squares on points of curves. */

#ifndef FIT_H
#define FIT_H

#include "plot.h"

/* y = offset + slope x, of the logarithms if so wanted. */
typedef struct fit {
    double slope, offset;
    double explained; /* part of the variance of y, R^2: 0 to 1 */
} fit;

/* Fits a line to the points with x_low <= x <= x_high, two at least.  Natural
 * logarithms: a slope in log y is a rate k of e^(k x), one in log x and log y
 * an exponent. */
fit fit_line(const plot_curve *of, double x_low, double x_high, bool is_x_log,
             bool is_y_log);

#endif
