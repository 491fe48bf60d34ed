/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Types of stacks, and the matrices A and T of their first step: Erleben 2007,
 * figures 2 to 4, section 3.1. */

#include "experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit.h"
#include "spectrum.h"

/* Cases of the paper's figures come first. */
#define CASES 5
#define FIGURE_CASES 2
#define MOST_SERIES 12

/* Two of a case's names: the scene, and that of a shorter run. */
typedef struct matrix_case {
    const char *scene, *quick, *title;
} matrix_case;

static const matrix_case cases[CASES] = {
    {"ball-grid", "ball-grid", "ball grid"},
    {"wall:4", "wall:3", "wall"},
    {"tower:2", "tower:1", "tower"},
    {"pyramid:7", "pyramid:5", "pyramid"},
    {"box-stack", "box-stack", "box stack"},
};

/* A scene at sizes or mass ratios up to one of 0. */
typedef struct matrix_series {
    const char *format; /* of the scene's name */
    const char *title, *x_label, *about;
    double x_low, x_high, x_tick;
    double values[MOST_SERIES];
} matrix_series;

static const matrix_series series[2] = {
    {"column:%.0f",
     "Slowest mode by height",
     "cubes",
     "cubes on each other",
     1.0,
     100.0,
     1.0,
     {2, 3, 4, 5, 7, 10, 14, 20, 28, 0}},
    {"heavy:%.0f",
     "Slowest mode by mass ratio",
     "mass of the top cube over that of the five below",
     "a heavy cube on five",
     1.0,
     1e6,
     1.0,
     {1, 10, 100, 1000, 10000, 100000, 1000000, 0}},
};


/* ---- Figure 2 ------------------------------------------------------------ */

typedef struct stacking {
    const char *scene, *caption;
    uint32_t steps;
    double elevation; /* of the camera, degrees */
} stacking;

static const stacking stackings[3] = {
    {"pyramid-3d:8", "Dense and structured: each box rests on four", 0, 20.0},
    {"card-house:4", "Sparse and structured: cards lean on each other", 0,
     20.0},
    {"bin:100", "Random: capsules, hulls and compounds fall into a bin", 160,
     65.0},
};

static bool draw_stacking(page *to, const stacking *it)
{
    render_options options = render_options_default();
    simulation_options plain = simulation_options_default();
    scene_run run;
    bounds frame;

    options.width = 480;
    options.height = 320;
    options.elevation = it->elevation;
    if (!simulation_start(&run, it->scene, &plain))
        return false;
    for (uint32_t i = 0; i < it->steps; i++)
        if (scene_step(&run, i) < 0)
            return false;
    frame = render_bounds(run.world);
    page_world(to, run.world, &frame, &options, it->caption);
    return true;
}


/* ---- Figures 3 and 4 ----------------------------------------------------- */

static void draw_matrices(page *to, const spectrum *of)
{
    plot_matrix pictures[2 * FIGURE_CASES];
    char titles[2 * FIGURE_CASES][64];

    for (int i = 0; i < FIGURE_CASES; i++) {
        plot_matrix a = {titles[2 * i], of[i].rows, of[i].rows, of[i].a_set};
        plot_matrix t = {titles[2 * i + 1], of[i].rows, of[i].rows,
                         of[i].t_set};

        snprintf(titles[2 * i], sizeof titles[0], "A of the %s, not 0",
                 cases[i].title);
        snprintf(titles[2 * i + 1], sizeof titles[0], "T of the %s, not 0",
                 cases[i].title);
        pictures[2 * i] = a;
        pictures[2 * i + 1] = t;
    }
    page_matrices(to, "vsp-matrices-entries", pictures, 2 * FIGURE_CASES, 2);
}

static void draw_spectra(page *to, const spectrum *of)
{
    static plot_panel panels[2 * FIGURE_CASES];
    static char titles[2 * FIGURE_CASES][64];

    for (int i = 0; i < 2 * FIGURE_CASES; i++) {
        plot_panel *it = &panels[i];
        const spectrum *from = &of[i / 2];
        bool is_t = i % 2 == 1;

        snprintf(titles[i], sizeof titles[0], "Eigenvalues of %c, %s",
                 is_t ? 'T' : 'A', cases[i / 2].title);
        it->title = titles[i];
        it->x_label = "index, largest first";
        it->y_label = is_t ? "magnitude" : "eigenvalue, 1/kg";
        it->x_high = 200.0 * ceil(from->rows / 200.0);
        it->x_tick = 200.0;
        it->is_y_linear = true;
        spectrum_add_curve(it, is_t ? "|eigenvalue of T|" : "eigenvalue of A",
                           is_t ? from->t_values : from->a_values, from->rows);
    }
    page_plots(to, "vsp-matrices-spectra", panels, 2 * FIGURE_CASES, 2);
}

static void write_row(page *to, const char *title, const char *rows,
                      const spectrum *of)
{
    page_row(to, "%s, %s|%d|%d|%d|%.1f %%|%.1f %%|%.0f %%|%d|%d|%.6f|%.2g",
             title, rows, of->bodies, of->points, of->rows, 100.0 * of->a_share,
             100.0 * of->t_share, 100.0 * of->lower_share, of->a_zeros,
             of->t_ones, of->slowest, of->condition);
}

static void write_table(page *to, const spectrum *of, const spectrum *normals)
{
    page_table(to, "case|bodies|contact points|rows of A|A not 0|T not 0|"
                   "of these lower|zeros of A|ones of T|largest other of T|"
                   "condition of A without zeros");
    for (int i = 0; i < CASES; i++) {
        write_row(to, cases[i].title, "friction", &of[i]);
        write_row(to, cases[i].title, "normals", &normals[i]);
    }
    page_table_end(to);
    page_text(to,
              "First step of each scene.  Friction: three rows for each "
              "contact point, as in the paper and the figures; normals: one.  "
              "Rows are in the order of detection.  Lower: entries of T "
              "at or below its diagonal.  Zeros: dimension of the null space.  "
              "The wall has fewer bricks than the 200 of figure 10, as all "
              "eigenvalues of a dense T are found, in time that grows with "
              "the cube of the rows.");
}


/* ---- Slow modes ---------------------------------------------------------- */

/* Adds a point for each value: how many iterations the slowest mode of T takes
 * to decay by a factor of e. */
static bool find_series(const matrix_series *from, double most, plot_panel *to)
{
    plot_curve *curve = &to->curves[to->count++];

    to->title = from->title;
    to->x_label = from->x_label;
    to->y_label = "iterations for a factor of e";
    to->is_x_log = true;
    to->x_low = from->x_low;
    to->x_high = from->x_high;
    to->x_tick = from->x_tick;
    curve->name = from->about;
    for (int i = 0; from->values[i] > 0.0 && from->values[i] <= most; i++) {
        char name[32];
        spectrum it;

        snprintf(name, sizeof name, from->format, from->values[i]);
        if (!spectrum_of_scene(&it, name, true, 0.0))
            return false;
        plot_add(curve, from->values[i], -1.0 / log(it.slowest));
        spectrum_end(&it);
    }
    return true;
}

/* The paper: ratios of masses affect the magnitude of eigenvalues. */
static bool draw_series(page *to)
{
    static plot_panel panels[2];
    const plot_curve *column = panels[0].curves, *heavy = panels[1].curves;
    claim height = {"iterations for a factor of e of the slowest mode, as a "
                    "power of the height of a column",
                    "poor convergence of the stack of 25", 0.0, AT_LEAST, 1.0};
    claim ratio = {"iterations for a factor of e of the slowest mode, 1000:1 "
                   "over 1:1",
                   "large mass ratios affect the spectral radius", 0.0,
                   AT_LEAST, 10.0};

    if (!find_series(&series[0], to->is_quick ? 14.0 : 1e9, &panels[0]) ||
        !find_series(&series[1], 1e9, &panels[1]))
        return false;
    page_plots(to, "vsp-matrices-modes", panels, 2, 2);
    height.ours = fit_line(column, 1.0, 100.0, true, true).slope;
    page_claim(to, &height);
    ratio.ours = heavy->points[3].y / heavy->points[0].y;
    page_claim(to, &ratio);
    return true;
}


/* ---- Claims -------------------------------------------------------------- */

static void claim_one(page *to, int index, const char *what, const char *paper,
                      double ours, relation side, double bound)
{
    char text[160];
    claim it = {text, paper, ours, side, bound};

    snprintf(text, sizeof text, "%s: %s", cases[index].title, what);
    page_claim(to, &it);
}

static void claim_matrices(page *to, int i, const spectrum *of)
{
    claim_one(to, i, "entries of A that are not 0, %", "extremely sparse",
              100.0 * of->a_share, AT_MOST, 10.0);
    claim_one(to, i,
              "largest difference of A and its transpose, over its "
              "largest entry",
              "symmetric", of->asymmetry, AT_MOST, 1e-14);
    claim_one(to, i, "null space of A, % of its rows", "large null spaces",
              100.0 * of->a_zeros / of->rows, AT_LEAST, 20.0);
    claim_one(to, i, "rows for each degree of freedom of the bodies",
              "highly overdetermined", of->rows / (6.0 * of->bodies), AT_LEAST,
              1.0);
    claim_one(to, i, "eigenvalues of T that are 1, % of its rows",
              "many have the value 1", 100.0 * of->t_ones / of->rows, AT_LEAST,
              20.0);
    claim_one(to, i, "entries of T at or below its diagonal, %",
              "T is more of a lower diagonal", 100.0 * of->lower_share,
              AT_LEAST, 50.0);
}

static double difference(const spectrum *of)
{
    return fabs((double)of->a_zeros - of->t_ones);
}

/* The reason for the ones of T: A x = 0 means T x = x. */
static void claim_reason(page *to, const spectrum *of, const spectrum *normals)
{
    claim zeros = {"largest difference of the zeros of A and the ones of T, "
                   "all cases",
                   "ours: A x = 0 means T x = x", 0.0, AT_MOST, 0.0};
    claim radius = {"1 less the largest eigenvalue of T that is not 1, all "
                    "cases",
                    "must be less than 1 to converge at all", 1.0, AT_LEAST,
                    1e-9};

    for (int i = 0; i < CASES; i++) {
        zeros.ours = fmax(zeros.ours, difference(&of[i]));
        zeros.ours = fmax(zeros.ours, difference(&normals[i]));
        radius.ours = fmin(radius.ours, 1.0 - of[i].slowest);
        radius.ours = fmin(radius.ours, 1.0 - normals[i].slowest);
    }
    page_claim(to, &zeros);
    page_claim(to, &radius);
    page_text(to, "The spectral radius is 1, not less, in every case with a "
                  "null space: multipliers move within it without an effect "
                  "on velocities, so Gauss-Seidel converges all the same, at "
                  "the rate of the largest other eigenvalue.");
}

static bool find_spectra(bool is_quick, spectrum *of, spectrum *normals)
{
    for (int i = 0; i < CASES; i++) {
        const char *name = is_quick ? cases[i].quick : cases[i].scene;

        if (!spectrum_of_scene(&of[i], name, true, 0.0) ||
            !spectrum_of_scene(&normals[i], name, false, 0.0))
            return false;
    }
    return true;
}

bool run_matrices(page *to)
{
    static spectrum of[CASES], normals[CASES];

    page_pictures(to);
    for (int i = 0; i < 3; i++)
        if (!draw_stacking(to, &stackings[i]))
            return false;
    page_pictures_end(to);
    if (!find_spectra(to->is_quick, of, normals))
        return false;
    draw_matrices(to, of);
    draw_spectra(to, of);
    write_table(to, of, normals);
    for (int i = 0; i < FIGURE_CASES; i++)
        claim_matrices(to, i, &of[i]);
    claim_reason(to, of, normals);
    for (int i = 0; i < CASES; i++) {
        spectrum_end(&of[i]);
        spectrum_end(&normals[i]);
    }
    return draw_series(to);
}
