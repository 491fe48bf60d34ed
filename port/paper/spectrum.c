/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "spectrum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY                                                   \
    1e-12 /* an entry that is 0 but for rounding, over the largest \
           * one */
#define NO_VALUE 1e-12 /* the same for eigenvalues of A */
#define NEAR_ONE 1e-9  /* distance from 1 of eigenvalues of T that are 1 */


/* ---- Structure ----------------------------------------------------------- */

static double largest_entry(const matrix *it)
{
    double most = 0.0;

    for (long i = 0; i < (long)it->size * it->size; i++)
        most = fmax(most, fabs(it->at[i]));
    return most;
}

/* Marks entries that are not 0.  Returns their share. */
static double mark_entries(const matrix *from, unsigned char *is_set)
{
    double least = NO_ENTRY * largest_entry(from);
    long count = (long)from->size * from->size, set = 0;

    for (long i = 0; i < count; i++) {
        is_set[i] = fabs(from->at[i]) > least;
        set += is_set[i];
    }
    return (double)set / (double)count;
}

static double find_lower_share(const unsigned char *is_set, int size)
{
    long lower = 0, all = 0;

    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            bool is_there = is_set[(long)i * size + j];

            all += is_there;
            lower += is_there && j <= i;
        }
    return (double)lower / (double)all;
}

static double find_asymmetry(const matrix *a)
{
    double most = 0.0;

    for (int i = 0; i < a->size; i++)
        for (int j = 0; j < i; j++)
            most = fmax(most, fabs(matrix_row(a, i)[j] - matrix_row(a, j)[i]));
    return most / largest_entry(a);
}


/* ---- Eigenvalues --------------------------------------------------------- */

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

static void read_a(spectrum *to, matrix *a)
{
    int n = to->rows;

    matrix_symmetric_eigenvalues(a, to->a_values);
    while (to->a_zeros < n &&
           to->a_values[n - 1 - to->a_zeros] < NO_VALUE * to->a_values[0])
        to->a_values[n - 1 - to->a_zeros++] = 0.0;
    to->condition = to->a_values[0] / to->a_values[n - 1 - to->a_zeros];
}

static bool read_t(spectrum *to, matrix *t)
{
    int n = to->rows;
    double *real = to->t_values; /* until magnitudes replace them */
    double *imaginary = calloc((size_t)n, sizeof *imaginary);
    bool is_done = imaginary && matrix_eigenvalues(t, real, imaginary);

    for (int i = 0; is_done && i < n; i++) {
        double size = hypot(real[i], imaginary[i]);

        to->radius = fmax(to->radius, size);
        if (hypot(real[i] - 1.0, imaginary[i]) < NEAR_ONE)
            to->t_ones++;
        else
            to->slowest = fmax(to->slowest, size);
        to->t_values[i] = size;
    }
    qsort(to->t_values, (size_t)n, sizeof *to->t_values, falling);
    free(imaginary);
    return is_done;
}

static bool read_matrices(spectrum *to, const contact_system *of)
{
    matrix a = {0, NULL}, t = {0, NULL};
    bool is_done = matrix_begin(&a, to->rows) && matrix_begin(&t, to->rows);

    if (is_done) {
        system_matrix(of, &a);
        matrix_gauss_seidel(&t, &a);
        to->a_share = mark_entries(&a, to->a_set);
        to->t_share = mark_entries(&t, to->t_set);
        to->lower_share = find_lower_share(to->t_set, to->rows);
        to->asymmetry = find_asymmetry(&a);
        read_a(to, &a);
        is_done = read_t(to, &t);
    }
    matrix_end(&a);
    matrix_end(&t);
    return is_done;
}

bool spectrum_begin(spectrum *to, const contact_system *of)
{
    size_t n = (size_t)of->count;
    bool is_done;

    memset(to, 0, sizeof *to);
    to->bodies = of->of->body_count;
    to->rows = of->count;
    to->points = of->options.has_friction ? of->count / 3 : of->count;
    to->a_set = calloc(n * n + 1, 1);
    to->t_set = calloc(n * n + 1, 1);
    to->a_values = calloc(n + 1, sizeof *to->a_values);
    to->t_values = calloc(n + 1, sizeof *to->t_values);
    is_done = n > 0 && to->a_set && to->t_set && to->a_values && to->t_values &&
              read_matrices(to, of);
    if (!is_done) {
        fprintf(stderr, "vsp: no eigenvalues of %d rows\n", to->rows);
        spectrum_end(to);
    }
    return is_done;
}

bool spectrum_of_scene(spectrum *to, const char *scene_name, bool has_friction,
                       double gamma)
{
    static contact_problem problem;
    static contact_system built;
    system_options options = {0};
    bool is_done;

    options.touching = SYSTEM_TOUCHING;
    options.has_friction = has_friction;
    options.gamma = gamma;
    if (!system_of_scene(&built, &problem, scene_name, 0, &options))
        return false;
    is_done = spectrum_begin(to, &built);
    system_end(&built);
    return is_done;
}

void spectrum_end(spectrum *it)
{
    free(it->a_set);
    free(it->t_set);
    free(it->a_values);
    free(it->t_values);
    it->a_set = it->t_set = NULL;
    it->a_values = it->t_values = NULL;
}

void spectrum_add_curve(plot_panel *to, const char *name, const double *values,
                        int count)
{
    plot_curve *curve = &to->curves[to->count++];

    curve->name = name;
    curve->is_dots = true;
    for (int i = 0; i < count; i++)
        plot_add(curve, i + 1.0, values[i]);
}
