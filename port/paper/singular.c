/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Singular values of the reduced systems, by Jacobi rotations.
 *
 * With M^-1 = C C^T and G = J C, the reduced matrix is A = G G^T.  One-sided
 * Jacobi (Hestenes 1958) rotates the columns of G until they are orthogonal.
 * Their lengths are then the singular values of G, and their directions V the
 * vectors of A = V S^2 V^T.  As A is not formed, its small values are not
 * lost in rounding. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pgs_sm.h"

#define MOST_ROUNDS 30
#define ORTHOGONAL 1e-12 /* cosine of columns that count as orthogonal */

/* Writes a row of G: a number for each degree of freedom. */
static void fill_row(const sm_problem *problem, const sm_row *row,
                     double *matrix, int stride)
{
    for (int side = 0; side < 2; side++) {
        const double *j = row->jacobian[side];
        const sm_body *body;
        double *to;

        if (row->body[side] < 0)
            continue;
        body = &problem->bodies[row->body[side]];
        to = &matrix[row->body[side] * 6 * stride];
        for (int k = 0; k < 3; k++) {
            double sum = 0;

            to[k * stride] += j[k] * sqrt(body->inverse_mass);
            for (int i = k; i < 3; i++)
                sum += j[3 + i] * body->root_inverse[i][k];
            to[(3 + k) * stride] += sum;
        }
    }
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Rotates two columns so that they are orthogonal, and updates their squared
 * lengths.  Returns whether they were not orthogonal. */
static bool rotate(double *a, double *b, int count, double *aa, double *bb)
{
    double ab = dot(a, b, count), t, c, s;

    if (!(fabs(ab) > ORTHOGONAL * sqrt(fmax(0, *aa * *bb))) || !(*aa * *bb > 0))
        return false;
    t = (*bb - *aa) / (2 * ab);
    t = copysign(1.0, t) / (fabs(t) + sqrt(1 + t * t));
    c = 1 / sqrt(1 + t * t);
    s = c * t;
    for (int i = 0; i < count; i++) {
        double x = a[i];

        a[i] = c * x - s * b[i];
        b[i] = s * x + c * b[i];
    }
    *aa -= t * ab;
    *bb += t * ab;
    return true;
}

/* One round over all pairs of columns.  `squares` gets their squared lengths.
 * Returns whether one was rotated. */
static bool run_round(double *columns, int count, int length, double *squares)
{
    bool is_rotated = false;

    for (int i = 0; i < count; i++)
        squares[i] = dot(&columns[i * length], &columns[i * length], length);
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++)
            if (rotate(&columns[i * length], &columns[k * length], length,
                       &squares[i], &squares[k]))
                is_rotated = true;
    return is_rotated;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

static void fill_spectrum(const double *squares, int count, int length,
                          sm_spectrum *out)
{
    memcpy(out->values, squares, (size_t)count * sizeof *squares);
    qsort(out->values, (size_t)count, sizeof *squares, descending);
    out->count = count < length ? count : length;
    out->rank = 0;
    while (out->rank < out->count &&
           out->values[out->rank] > SM_LEAST_VALUE * out->values[0])
        out->rank++;
}

/* Adds V S^-2 V^T r. */
static void add_inverse(const double *columns, const double *squares, int count,
                        int length, double least, const double *r, double *x)
{
    for (int k = 0; k < count; k++) {
        const double *v = &columns[k * length]; /* V S */
        double part;

        if (!(squares[k] > least))
            continue;
        part = dot(v, r, length) / (squares[k] * squares[k]);
        for (int i = 0; i < length; i++)
            x[i] += part * v[i];
    }
}

bool sm_pseudo_inverse(const sm_problem *problem, const int *active, int count,
                       const double *r, double *x, sm_spectrum *out)
{
    static double squares[SM_MAX_BODIES * 6];
    int freedom = 6 * problem->body_count;
    double *columns = calloc((size_t)freedom * (size_t)(count + 1),
                             sizeof *columns);

    memset(out, 0, sizeof *out);
    if (!columns)
        return false;
    for (int i = 0; i < count; i++)
        fill_row(problem, &problem->rows[active[i]], columns + i, count);
    for (int round = 0; round < MOST_ROUNDS; round++)
        if (!run_round(columns, freedom, count, squares))
            break;
    fill_spectrum(squares, freedom, count, out);
    if (x) {
        memset(x, 0, (size_t)count * sizeof *x);
        add_inverse(columns, squares, freedom, count,
                    SM_LEAST_VALUE * out->values[0], r, x);
    }
    free(columns);
    return true;
}
