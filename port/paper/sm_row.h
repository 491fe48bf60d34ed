/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What all of PGS-SM does with a row. */

#ifndef SM_ROW_H
#define SM_ROW_H

#include "pgs_sm.h"

/* J v of a row */
static inline double sm_motion(const sm_row *row, const double *v)
{
    double sum = 0;

    for (int side = 0; side < 2; side++) {
        const double *j = row->jacobian[side];

        if (row->body[side] < 0)
            continue;
        for (int k = 0; k < 6; k++)
            sum += j[k] * v[6 * row->body[side] + k];
    }
    return sum;
}

/* Adds M^-1 J^T of a row times x. */
static inline void sm_push(const sm_row *row, double x, double *v)
{
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        for (int k = 0; k < 6; k++)
            v[6 * row->body[side] + k] += row->moved[side][k] * x;
    }
}

/* Bounds l and u of eq. 7, for friction by the given multipliers. */
void sm_bounds(const sm_problem *problem, int i, const double *x, double *low,
               double *high);

#endif
