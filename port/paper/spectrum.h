/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Structure and eigenvalues of A (eq. 20) and of T, the iteration matrix of
 * Gauss-Seidel (eq. 35), without limits of the multipliers. */

#ifndef SPECTRUM_H
#define SPECTRUM_H

#include "contact_system.h"
#include "plot.h"

typedef struct spectrum {
    int bodies, points;
    int rows;                     /* of A and T */
    unsigned char *a_set, *t_set; /* entries that are not 0, row by row */
    double a_share, t_share;      /* of these entries */
    double lower_share;           /* of those of T, at or below the diagonal */
    double asymmetry; /* largest difference of A and its transpose, over the
                       * largest entry */
    double *a_values; /* eigenvalues of A, 1/kg, largest first */
    double *t_values; /* magnitudes of those of T, largest first */
    int a_zeros;      /* dimension of the null space of A */
    int t_ones;       /* eigenvalues of T that are 1 */
    double radius;    /* largest magnitude of T */
    double slowest;   /* largest magnitude of T without those that are 1 */
    double condition; /* of A, without its null space */
} spectrum;

/* Analyses a system.  Returns false, and prints why on stderr, if memory runs
 * out or eigenvalues are not found. */
bool spectrum_begin(spectrum *to, const contact_system *of);

/* Analyses the first step of a scene, as spectrum_begin. */
bool spectrum_of_scene(spectrum *to, const char *scene_name, bool has_friction,
                       double gamma);

/* Frees the memory. */
void spectrum_end(spectrum *it);

/* Adds the sorted values as a curve over their index, from 1. */
void spectrum_add_curve(plot_panel *to, const char *name, const double *values,
                        int count);

#endif
