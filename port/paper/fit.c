/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "fit.h"

#include <math.h>

fit fit_line(const plot_curve *of, double x_low, double x_high, bool is_x_log,
             bool is_y_log)
{
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, syy = 0.0;
    fit out = {0.0, 0.0, 0.0};

    for (int i = 0; i < of->count; i++) {
        double x = of->points[i].x, y = of->points[i].y;

        if (x < x_low || x > x_high)
            continue;
        x = is_x_log ? log(x) : x;
        y = is_y_log ? log(y) : y;
        n += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
    }
    sxx -= sx * sx / n; /* about the means */
    sxy -= sx * sy / n;
    syy -= sy * sy / n;
    out.slope = sxy / sxx;
    out.offset = (sy - out.slope * sx) / n;
    out.explained = syy > 0.0 ? sxy * sxy / (sxx * syy) : 1.0;
    return out;
}
