/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Dense square matrices in double precision, and their eigenvalues. */

#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>

typedef struct matrix {
    int size;
    double *at; /* size^2 numbers, row by row; then scratch memory */
} matrix;

/* Allocates a matrix of zeros.  Returns false, and prints why on stderr, if
 * there is no memory. */
bool matrix_begin(matrix *to, int size);

/* Allocates a copy, as matrix_begin. */
bool matrix_copy(matrix *to, const matrix *from);

/* Frees the memory; also after matrix_begin failed. */
void matrix_end(matrix *it);

static inline double *matrix_row(const matrix *it, int row)
{
    return it->at + (long)row * it->size;
}

/* Writes T = -(D + L)^-1 U of a matrix A = L + D + U, the iteration matrix of
 * Gauss-Seidel.  The diagonal of A has no zero.  Both have the same size. */
void matrix_gauss_seidel(matrix *t, const matrix *a);

/* Write all eigenvalues, and overwrite the matrix.  Symmetric: `values` is
 * sorted, largest first.  General: pairs of real and imaginary parts, in no
 * order; returns false if QR steps do not converge. */
void matrix_symmetric_eigenvalues(matrix *it, double *values);
bool matrix_eigenvalues(matrix *it, double *real, double *imaginary);

#endif
