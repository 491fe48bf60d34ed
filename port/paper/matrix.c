/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Eigenvalues by Householder reduction to Hessenberg form, then QR steps:
 * Golub, Van Loan, Matrix Computations, chapters 7 and 8. */

#include "matrix.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 60 /* QR steps for an eigenvalue */


/* ---- Memory -------------------------------------------------------------- */

bool matrix_begin(matrix *to, int size)
{
    to->size = size;
    to->at = calloc(((size_t)size + 3) * (size_t)size + 1, sizeof *to->at);
    if (!to->at)
        fprintf(stderr, "vsp: no memory for a matrix of %d rows\n", size);
    return to->at != NULL;
}

bool matrix_copy(matrix *to, const matrix *from)
{
    if (!matrix_begin(to, from->size))
        return false;
    memcpy(to->at, from->at,
           (size_t)from->size * (size_t)from->size * sizeof *to->at);
    return true;
}

/* Returns memory for three numbers a row, beyond the entries. */
static double *scratch_of(const matrix *it)
{
    return matrix_row(it, it->size);
}

void matrix_end(matrix *it)
{
    free(it->at);
    it->at = NULL;
}


/* ---- The iteration matrix ------------------------------------------------ */

/* Adds s times one row to another. */
static void add_row(double *to, double s, const double *from, int size)
{
    for (int j = 0; j < size; j++)
        to[j] += s * from[j];
}

void matrix_gauss_seidel(matrix *t, const matrix *a)
{
    int n = a->size;

    for (int i = 0; i < n; i++) {
        const double *from = matrix_row(a, i);
        double *to = matrix_row(t, i);

        for (int j = 0; j < n; j++)
            to[j] = j > i ? -from[j] : 0.0;
        for (int k = 0; k < i; k++)
            if (from[k] != 0.0)
                add_row(to, -from[k], matrix_row(t, k), n);
        for (int j = 0; j < n; j++)
            to[j] /= from[i];
    }
}


/* ---- Hessenberg form ----------------------------------------------------- */

/* Writes v and returns beta such that (I - beta v v^T) x is a multiple of the
 * first unit vector; 0 if x is one already. */
static double reflector(const double *x, double *v, int count)
{
    double most = 0.0, rest = 0.0, size;

    for (int i = 1; i < count; i++)
        most = fmax(most, fabs(x[i]));
    if (most == 0.0)
        return 0.0;
    most = fmax(most, fabs(x[0])); /* squares neither overflow nor vanish */
    for (int i = 0; i < count; i++) {
        v[i] = x[i] / most;
        rest += i > 0 ? v[i] * v[i] : 0.0;
    }
    size = sqrt(v[0] * v[0] + rest);
    v[0] += v[0] < 0.0 ? -size : size;
    return 2.0 / (v[0] * v[0] + rest);
}

/* Reflects rows `first` and after from the left, in columns from `column`. */
static void reflect_rows(matrix *it, int first, int column, const double *v,
                         double beta, double *sums)
{
    int n = it->size;

    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int i = first; i < n; i++)
        add_row(sums + column, v[i - first], matrix_row(it, i) + column,
                n - column);
    for (int i = first; i < n; i++)
        add_row(matrix_row(it, i) + column, -beta * v[i - first], sums + column,
                n - column);
}

/* Reflects columns `first` and after from the right. */
static void reflect_columns(matrix *it, int first, const double *v, double beta)
{
    int count = it->size - first;

    for (int i = 0; i < it->size; i++) {
        double *row = matrix_row(it, i) + first;
        double sum = 0.0;

        for (int j = 0; j < count; j++)
            sum += row[j] * v[j];
        add_row(row, -beta * sum, v, count);
    }
}

/* Makes all entries below the subdiagonal 0 by similarity.  A symmetric matrix
 * becomes tridiagonal, up to rounding. */
static void reduce(matrix *it)
{
    int n = it->size;
    double *x = scratch_of(it), *v = x + n, *sums = v + n;

    for (int k = 0; k < n - 2; k++) {
        double beta;

        for (int i = k + 1; i < n; i++)
            x[i - k - 1] = matrix_row(it, i)[k];
        beta = reflector(x, v, n - k - 1);
        if (beta == 0.0)
            continue;
        reflect_rows(it, k + 1, k, v, beta, sums);
        reflect_columns(it, k + 1, v, beta);
        for (int i = k + 2; i < n; i++)
            matrix_row(it, i)[k] = 0.0;
    }
}


/* ---- Symmetric matrices -------------------------------------------------- */

/* Returns the number of eigenvalues below x of a tridiagonal matrix with this
 * diagonal and these squares of the subdiagonal, by its Sturm sequence. */
static int count_below(const double *diagonal, const double *squares, int n,
                       double x)
{
    double q = 1.0;
    int below = 0;

    for (int i = 0; i < n; i++) {
        q = diagonal[i] - x - (i > 0 ? squares[i - 1] / q : 0.0);
        if (fabs(q) < DBL_MIN)
            q = -DBL_MIN;
        below += q < 0.0;
    }
    return below;
}

/* Returns the eigenvalue with `rank` smaller ones by bisection of an interval
 * that contains all. */
static double bisect(const double *diagonal, const double *squares, int n,
                     int rank, double low, double high)
{
    for (int step = 0; step < 100 && low < high; step++) {
        double middle = 0.5 * (low + high);

        if (middle <= low || middle >= high)
            break;
        if (count_below(diagonal, squares, n, middle) > rank)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

void matrix_symmetric_eigenvalues(matrix *it, double *values)
{
    int n = it->size;
    double *diagonal = scratch_of(it), *squares = diagonal + n, bound = 0.0;

    reduce(it);
    for (int i = 0; i < n; i++) {
        double below = i + 1 < n ? matrix_row(it, i + 1)[i] : 0.0;

        diagonal[i] = matrix_row(it, i)[i];
        squares[i] = below * below;
        bound = fmax(bound, fabs(diagonal[i]) + 2.0 * fabs(below));
    }
    for (int i = 0; i + 1 < n; i++) /* Gershgorin's circles */
        bound = fmax(bound, fabs(diagonal[i + 1]) + sqrt(squares[i]) +
                                sqrt(squares[i + 1]));
    for (int i = 0; i < n; i++)
        values[n - 1 - i] = bisect(diagonal, squares, n, i, -bound, bound);
}


/* ---- General matrices ---------------------------------------------------- */

/* Returns the first row of the unreduced block that ends at `last`, and makes
 * the entry left of it, which is below `least`, 0. */
static int block_start(matrix *it, int last, double least)
{
    int i = last;

    while (i > 0 && fabs(matrix_row(it, i)[i - 1]) > least)
        i--;
    if (i > 0)
        matrix_row(it, i)[i - 1] = 0.0;
    return i;
}

/* Writes both eigenvalues of the 2x2 block at i. */
static void split_pair(const matrix *it, int i, double *real, double *imaginary)
{
    double a = matrix_row(it, i)[i], b = matrix_row(it, i)[i + 1];
    double c = matrix_row(it, i + 1)[i], d = matrix_row(it, i + 1)[i + 1];
    double half = 0.5 * (a - d), middle = 0.5 * (a + d);
    double square = half * half + b * c, root = sqrt(fabs(square));

    real[i] = real[i + 1] = middle;
    imaginary[i] = imaginary[i + 1] = 0.0;
    if (square < 0.0) {
        imaginary[i] = root;
        imaginary[i + 1] = -root;
    } else {
        real[i] += root;
        real[i + 1] -= root;
    }
}

/* Reflects rows and columns k to k + count - 1 within the block. */
static void reflect_block(matrix *it, int k, int count, int first, int last,
                          const double *v, double beta)
{
    int from = k > first ? k - 1 : first;
    int to = k + 3 < last ? k + 3 : last;
    double *rows[3];

    for (int i = 0; i < count; i++)
        rows[i] = matrix_row(it, k + i);
    for (int j = from; j <= last; j++) {
        double sum = 0.0;

        for (int i = 0; i < count; i++)
            sum += v[i] * rows[i][j];
        for (int i = 0; i < count; i++)
            rows[i][j] -= beta * sum * v[i];
    }
    for (int i = first; i <= to; i++) {
        double *at = matrix_row(it, i) + k, sum = 0.0;

        for (int j = 0; j < count; j++)
            sum += v[j] * at[j];
        for (int j = 0; j < count; j++)
            at[j] -= beta * sum * v[j];
    }
}

/* Shifts of a QR step: the eigenvalues of a 2x2 matrix with this diagonal and
 * this product of its other entries. */
typedef struct shifts {
    double diagonal[2], product;
} shifts;

/* Makes an implicit QR step of a block of three rows or more with both shifts
 * at once: Francis.  Shifts act as differences from the diagonal, since
 * eigenvalues may be close to each other. */
static void francis_step(matrix *it, int first, int last, const shifts *by)
{
    const double *row = matrix_row(it, first);
    const double *next = matrix_row(it, first + 1);
    double p = by->diagonal[0] - row[first], q = by->diagonal[1] - row[first];
    double x[3] = {(p * q - by->product) / next[first] + row[first + 1],
                   next[first + 1] - row[first] - p - q,
                   matrix_row(it, first + 2)[first + 1]};

    for (int k = first; k < last; k++) {
        int count = k + 2 <= last ? 3 : 2;
        double v[3], beta;

        if (k > first)
            for (int i = 0; i < count; i++)
                x[i] = matrix_row(it, k + i)[k - 1];
        beta = reflector(x, v, count);
        if (beta != 0.0)
            reflect_block(it, k, count, first, last, v, beta);
        for (int i = 1; k > first && i < count; i++)
            matrix_row(it, k + i)[k - 1] = 0.0;
    }
}

/* Makes a step with the eigenvalues of the last 2x2 block as shifts, or with
 * other ones, as the block may be a cycle. */
static void shifted_step(matrix *it, int first, int last, int step)
{
    const double *above = matrix_row(it, last - 1);
    const double *row = matrix_row(it, last);
    shifts by = {{above[last - 1], row[last]}, above[last] * row[last - 1]};

    if (step % 10 == 9) {
        double size = fabs(row[last - 1]) + fabs(above[last - 2]);

        by.diagonal[0] = by.diagonal[1] = row[last] + 0.75 * size;
        by.product = -0.4375 * size * size;
    }
    francis_step(it, first, last, &by);
}

static double largest_entry(const matrix *it)
{
    double most = DBL_MIN;

    for (long i = 0; i < (long)it->size * it->size; i++)
        most = fmax(most, fabs(it->at[i]));
    return most;
}

bool matrix_eigenvalues(matrix *it, double *real, double *imaginary)
{
    int last = it->size - 1, step = 0;
    double least;

    reduce(it);
    least = it->size * DBL_EPSILON * largest_entry(it); /* of rounding */
    while (last >= 0) {
        int first = block_start(it, last, least);

        if (last - first >= 2) {
            if (step == MOST_STEPS)
                return false;
            shifted_step(it, first, last, step++);
            continue;
        }
        if (first == last) {
            real[last] = matrix_row(it, last)[last];
            imaginary[last] = 0.0;
        } else {
            split_pair(it, first, real, imaginary);
        }
        last = first - 1;
        step = 0;
    }
    return true;
}
