/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: bounds, velocities, merits. */

#include <math.h>
#include <string.h>

#include "sm_row.h"

void sm_bounds(const sm_problem *problem, int i, const double *x, double *low,
               double *high)
{
    const sm_row *row = &problem->rows[i];

    *low = row->is_equality ? -HUGE_VAL : 0;
    *high = HUGE_VAL;
    if (row->normal >= 0) {
        *high = row->friction * fmax(0, x[row->normal]);
        *low = -*high;
    }
}

int sm_active_rows(const sm_problem *problem, const double *lambda, int *rows)
{
    int count = 0;

    for (int i = 0; i < problem->row_count; i++) {
        double low, high;

        sm_bounds(problem, i, lambda, &low, &high);
        if (lambda[i] > low && lambda[i] < high)
            rows[count++] = i;
    }
    return count;
}

void sm_velocities(const sm_problem *problem, const double *lambda,
                   double *velocity)
{
    for (int i = 0; i < problem->body_count; i++)
        memcpy(&velocity[6 * i], problem->bodies[i].velocity,
               6 * sizeof *velocity);
    for (int i = 0; i < problem->row_count; i++)
        if (lambda[i] != 0)
            sm_push(&problem->rows[i], lambda[i], velocity);
}

/* Fischer's function sqrt(a^2 + b^2) - a - b, without cancellation. */
static double fischer(double a, double b)
{
    double size = hypot(a, b);

    if (a + b > 0)
        return -2 * a * b / (size + a + b);
    return size - a - b;
}

/* Fischer's reformulation of a row between bounds, for x and y in m/s; Billups
 * 1995. */
static double fischer_error(double x, double y, double low, double high)
{
    double above;

    if (isinf(low))
        return y;
    above = isinf(high) ? y : fischer(high - x, -y);
    return fischer(x - low, above);
}

void sm_merit(const sm_problem *problem, const double *lambda,
              const double *velocity, sm_point *to)
{
    to->psi = to->theta = 0;
    for (int i = 0; i < problem->row_count; i++) {
        const sm_row *row = &problem->rows[i];
        double y = sm_motion(row, velocity) + row->bias;
        double d = row->diagonal, x = d * lambda[i], low, high, error;

        sm_bounds(problem, i, lambda, &low, &high);
        error = fischer_error(x, y, d * low, d * high);
        to->psi += 0.5 * error * error;
        error = fmin(x - d * low, fmax(x - d * high, y)); /* eq. 10 */
        to->theta += 0.5 * error * error;
    }
}
