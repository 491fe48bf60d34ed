/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Damping by gamma, constraint force mixing, and diagonal scaling: Erleben
 * 2007, section 3.2, eq. 39 to 44, figures 6 to 8. */

#include "experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "damped_stack.h"
#include "fit.h"
#include "spectrum.h"

#define SCENE "box-stack"
#define MOST 1000       /* iterations of figure 6 */
#define LATE 20000      /* iterations until c of eq. 44 is measured */
#define CONVERGED 1e-16 /* merit over that at the start: a run stops */
#define DAMPINGS 6
#define FALLING (DAMPINGS - 1) /* in its place: a gamma that falls to 0 */
#define SLIGHT 3               /* index of the gamma of figures 7 and 8 */

enum {
    DAMPED_MERIT,
    UNDAMPED_MERIT,
    FALL_BY_TIME,
    SPEED_BY_GAMMA,
    RATE_BY_GAMMA,
    SCALING,
    VALUES_OF_A,
    VALUES_OF_T,
    PANELS
};

/* Values of gamma, over the mean diagonal of A. */
static const double dampings[DAMPINGS] = {0.0, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
static const char *const names[DAMPINGS] = {
    "undamped",    "gamma 0.01 % of diag A",
    "gamma 0.1 %", "gamma 1 %",
    "gamma 10 %",  "gamma 100 %",
};

static contact_problem problem;
static contact_system built;

static system_options make_options(double gamma)
{
    system_options options = {0};

    options.touching = SYSTEM_TOUCHING;
    options.has_friction = true;
    options.gamma = gamma;
    return options;
}

static void label(plot_panel *it, const char *title, const char *x_label,
                  const char *y_label)
{
    it->title = title;
    it->x_label = x_label;
    it->y_label = y_label;
}

static plot_curve *add_curve(plot_panel *to, const char *name)
{
    plot_curve *curve = &to->curves[to->count++];

    curve->name = name;
    return curve;
}


/* ---- Merit by iteration: figure 6 ---------------------------------------- */

/* Iterates with a constant gamma or, if is_falling, with one that falls by 2 %
 * an iteration.  Adds the merits to the curves; damped may be null. */
static void run_damped(double gamma, bool is_falling, int most,
                       plot_curve *damped, plot_curve *undamped)
{
    double start;

    system_set_gamma(&built, gamma);
    system_restart(&built);
    start = system_merit(&built);
    for (int i = 0; i <= most; i++) {
        double merit = system_merit(&built);

        if (merit < CONVERGED * start)
            break;
        if (i <= 50 || i % (most / 200) == 0) {
            plot_add(undamped, i, system_undamped_merit(&built));
            if (damped)
                plot_add(damped, i, merit);
        }
        if (is_falling)
            system_set_gamma(&built, gamma * pow(0.98, i));
        system_sweep(&built, 1.0);
    }
}

static void run_dampings(double unit, plot_panel *panels)
{
    plot_panel *damped = &panels[DAMPED_MERIT];
    plot_panel *undamped = &panels[UNDAMPED_MERIT];

    label(damped, "Box stack: merit of the damped problem", "iterations",
          "merit theta");
    label(undamped, "Box stack: merit of the undamped problem", "iterations",
          "merit theta");
    damped->x_high = undamped->x_high = MOST;
    damped->x_tick = undamped->x_tick = 200;
    for (int i = 0; i < DAMPINGS; i++) {
        static plot_curve unused;
        plot_curve *other = &unused;

        if (i != FALLING)
            other = add_curve(undamped, names[i]);
        run_damped(dampings[i] * unit, false, MOST, add_curve(damped, names[i]),
                   other);
    }
    run_damped(0.1 * unit, true, MOST, NULL,
               add_curve(undamped, "gamma falls from 10 % to 0"));
    system_set_gamma(&built, 0.0);
}

/* Returns the fit of e^-kn over the second half of the iterations. */
static fit late_rate(const plot_curve *merit)
{
    double last = merit->points[merit->count - 1].x;

    return fit_line(merit, 0.5 * last, last, false, true);
}

/* Returns c of eq. 44 with p = 1; the error is the root of the merit. */
static double measure_constant(double gamma)
{
    static plot_curve merit, unused;

    merit.count = unused.count = 0;
    run_damped(gamma, false, LATE, &merit, &unused);
    return exp(0.5 * late_rate(&merit).slope);
}

/* Returns the first iteration with a millionth of the first merit, or MOST. */
static double steps_of(const plot_curve *merit)
{
    for (int i = 0; i < merit->count; i++)
        if (merit->points[i].y <= 1e-6 * merit->points[0].y)
            return merit->points[i].x;
    return merit->count > 0 && merit->points[merit->count - 1].x < MOST
               ? merit->points[merit->count - 1].x
               : MOST;
}


/* ---- The damped solution: figure 7 --------------------------------------- */

/* Pictures of the stack after 1 s; null: none. */
static const char *const captions[DAMPINGS] = {
    "after 1 s, undamped",   NULL, NULL, "after 1 s, gamma 1 %",
    "after 1 s, gamma 10 %", NULL,
};

/* Simulates a second for each gamma.  *left is the largest part of a merit that
 * a solve left. */
static bool run_stacks(page *to, double unit, plot_panel *panel, double *left)
{
    label(panel, "Box stack: fall of the top cube", "time, s", "m");
    panel->x_high = 1.0;
    panel->x_tick = 0.2;
    panel->is_y_linear = true;
    panel->y_low = 0.0;
    panel->y_high = 10.0;
    *left = 0.0;
    page_pictures(to);
    for (int i = 0; i < DAMPINGS; i++) {
        if (!damped_stack_run(to, SCENE, dampings[i] * unit, captions[i],
                              add_curve(panel, names[i]), left))
            return false;
    }
    page_pictures_end(to);
    return true;
}


/* ---- By gamma ------------------------------------------------------------ */

/* Fills both panels; *carried is the part of the weight that the ground carries
 * with the gamma of figure 7. */
static bool run_gammas(double unit, plot_panel *panels, double *carried)
{
    plot_panel *speeds = &panels[SPEED_BY_GAMMA];
    plot_panel *rates = &panels[RATE_BY_GAMMA];
    plot_curve *speed = add_curve(speeds, "top cube, first step solved");
    plot_curve *fall = add_curve(speeds, "free fall for a step");
    plot_curve *rate = add_curve(rates, "measured, Gauss-Seidel");
    plot_curve *slowest = add_curve(rates, "largest eigenvalue of T");

    for (int i = -5; i <= 1; i++) {
        double part = pow(10.0, i);
        spectrum of;

        plot_add(rate, part, measure_constant(part * unit));
        system_restart(&built);
        damped_solve(&built);
        plot_add(speed, part, damped_sinking_speed(&built));
        plot_add(fall, part, -built.options.gravity.y * built.options.dt);
        if (fabs(part / dampings[SLIGHT] - 1.0) < 1e-9)
            *carried = damped_carried_part(&built);
        if (!spectrum_begin(&of, &built))
            return false;
        plot_add(slowest, part, of.radius);
        spectrum_end(&of);
    }
    system_set_gamma(&built, 0.0);
    return true;
}

static void label_gammas(plot_panel *panels)
{
    for (int i = SPEED_BY_GAMMA; i <= RATE_BY_GAMMA; i++) {
        label(&panels[i],
              i == RATE_BY_GAMMA ? "Convergence constant c, eq. 44"
                                 : "Box stack: sinking speed",
              "gamma over the mean diagonal of A",
              i == RATE_BY_GAMMA ? "c" : "m/s");
        panels[i].is_x_log = true;
        panels[i].x_low = 1e-5;
        panels[i].x_high = 10.0;
        panels[i].x_tick = 1.0;
    }
    panels[RATE_BY_GAMMA].is_y_linear = true;
    panels[RATE_BY_GAMMA].y_low = 0.0;
    panels[RATE_BY_GAMMA].y_high = 1.2;
}


/* ---- Diagonal scaling: eq. 39 and 40 --------------------------------------
 */

/* Scaling changes no iterate of Gauss-Seidel, only how its error is
 * measured. */
static bool run_scaling(plot_panel *panel)
{
    static contact_system heavy;
    system_options options = make_options(0.0);
    plot_curve *plain = add_curve(panel, "A");
    plot_curve *scaled = add_curve(panel, "A with diagonal scaling");

    label(panel, "Cube on five, 100:1, Gauss-Seidel", "iterations",
          "merit theta");
    panel->x_high = 2000;
    panel->x_tick = 500;
    if (!system_of_scene(&heavy, &problem, "heavy:100", 0, &options))
        return false;
    for (int i = 0; i <= 2000; i++) {
        if (i <= 50 || i % 10 == 0) {
            plot_add(plain, i, system_merit(&heavy));
            plot_add(scaled, i, system_scaled_merit(&heavy));
        }
        system_sweep(&heavy, 1.0);
    }
    system_end(&heavy);
    return true;
}


/* ---- Eigenvalues: figure 8 ------------------------------------------------
 */

static void draw_matrices(page *to, const spectrum *plain,
                          const spectrum *damped)
{
    const plot_matrix pictures[4] = {
        {"A undamped, not 0", plain->rows, plain->rows, plain->a_set},
        {"T undamped, not 0", plain->rows, plain->rows, plain->t_set},
        {"A damped, not 0", damped->rows, damped->rows, damped->a_set},
        {"T damped, not 0", damped->rows, damped->rows, damped->t_set},
    };

    page_matrices(to, "vsp-damping-entries", pictures, 4, 2);
}

static void fill_values(plot_panel *panel, bool is_t, const spectrum *plain,
                        const spectrum *damped)
{
    label(panel,
          is_t ? "Box stack: eigenvalues of T" : "Box stack: eigenvalues of A",
          "index, largest first", is_t ? "magnitude" : "eigenvalue, 1/kg");
    panel->x_high = 300.0;
    panel->x_tick = 100.0;
    panel->is_y_linear = true;
    spectrum_add_curve(panel, names[0],
                       is_t ? plain->t_values : plain->a_values, plain->rows);
    spectrum_add_curve(panel, names[SLIGHT],
                       is_t ? damped->t_values : damped->a_values,
                       damped->rows);
}


/* ---- Claims ---------------------------------------------------------------
 */

/* Returns y at x, or NaN if the curve has no such point. */
static double value_at(const plot_curve *from, double x)
{
    for (int i = 0; i < from->count; i++)
        if (fabs(from->points[i].x / x - 1.0) < 1e-9)
            return from->points[i].y;
    return NAN;
}

/* Returns the largest ratio of a value to the one before. */
static double largest_ratio(const plot_curve *of)
{
    double most = 0.0;

    for (int i = 1; i < of->count; i++)
        most = fmax(most, of->points[i].y / of->points[i - 1].y);
    return most;
}

static void claim_convergence(page *to, const plot_panel *panels)
{
    const plot_curve *merits = panels[DAMPED_MERIT].curves;
    claim lower = {"c measured, over c of the next smaller gamma, largest",
                   "larger gamma means lower c",
                   largest_ratio(&panels[RATE_BY_GAMMA].curves[0]), AT_MOST,
                   1.0};
    claim radius = {"spectral radius of T, over that of the next smaller "
                    "gamma, largest",
                    "larger gamma means lower c",
                    largest_ratio(&panels[RATE_BY_GAMMA].curves[1]), AT_MOST,
                    1.0};
    claim same = {"difference of c measured and the spectral radius of T, "
                  "gamma 1 %",
                  "smaller spectral radius, faster convergence",
                  fabs(value_at(&panels[RATE_BY_GAMMA].curves[0], 1e-2) -
                       value_at(&panels[RATE_BY_GAMMA].curves[1], 1e-2)),
                  AT_MOST, 1e-3};
    claim impact = {"iterations to 1e-6 of the merit, gamma 1 % over undamped",
                    "a small gamma has a large impact on convergence",
                    steps_of(&merits[SLIGHT]) / steps_of(&merits[0]), AT_MOST,
                    0.5};
    const plot_curve *plain = &panels[SCALING].curves[0];
    claim scaling = {"change of rate k by diagonal scaling, %",
                     "does not change the asymptotic behavior", 0.0, AT_MOST,
                     2.0};

    scaling.ours = 100.0 *
                   fabs(late_rate(plain + 1).slope / late_rate(plain).slope -
                        1.0);
    page_claim(to, &lower);
    page_claim(to, &radius);
    page_claim(to, &same);
    page_claim(to, &impact);
    page_claim(to, &scaling);
}

static double last_value(const plot_curve *of)
{
    return of->points[of->count - 1].y;
}

static void claim_solution(page *to, const plot_panel *panels, double carried)
{
    const plot_curve *falls = panels[FALL_BY_TIME].curves;
    claim plain = {"the top cube falls in 1 s, undamped, mm",
                   "undamped solution of figure 7", 1e3 * last_value(&falls[0]),
                   AT_MOST, 1.0};
    claim damped = {"the top cube falls in 1 s, gamma 1 %, mm",
                    "damping on the solution is just as significant",
                    1e3 * last_value(&falls[SLIGHT]), AT_LEAST, 100.0};
    claim weaker = {"part of the weight that the ground carries, gamma 1 %",
                    "weaker constraint forces", carried, AT_MOST, 0.999};

    page_claim(to, &plain);
    page_claim(to, &damped);
    page_claim(to, &weaker);
}

static void claim_values(page *to, const spectrum *plain,
                         const spectrum *damped, double gamma)
{
    claim many = {"eigenvalues of T that are 1, undamped", "a large number",
                  plain->t_ones, AT_LEAST, 100.0};
    claim none = {"eigenvalues of T that are 1, gamma 1 %", "have disappeared",
                  damped->t_ones, AT_MOST, 0.0};
    claim definite = {"least eigenvalue of A over gamma, gamma 1 %",
                      "A' is positive definite",
                      damped->a_values[damped->rows - 1] / gamma, AT_LEAST,
                      1.0 - 1e-9};

    page_claim(to, &many);
    page_claim(to, &none);
    page_claim(to, &definite);
}

static void write_table(page *to, double unit, double left,
                        const double *constants, const plot_panel *panels)
{
    page_table(to, "box stack|gamma, 1/kg|iterations to 1e-6|c of eq. 44|top "
                   "cube falls in 1 s, m");
    for (int i = 0; i < DAMPINGS; i++) {
        const plot_curve *merit = &panels[DAMPED_MERIT].curves[i];
        double steps = steps_of(merit);

        page_row(to, "%s|%.3g|%s%.0f|%.4f|%.4g", names[i], dampings[i] * unit,
                 steps < MOST ? "" : "over ", steps, constants[i],
                 last_value(&panels[FALL_BY_TIME].curves[i]));
    }
    page_table_end(to);
    page_text(
        to,
        "gamma is given over the mean diagonal of A, %.3g 1/kg.  c: over "
        "the second half of %d iterations, or of those to a merit of "
        "%.0e of the start.  Steps that are solved: "
        "conjugate gradients to a merit of %.0e of the start or less, so what "
        "falls is the damped solution, not an error of the solver.  "
        "Gauss-Seidel makes the same iterates with and without diagonal "
        "scaling, so only the measure of its error is displaced.",
        unit, LATE, CONVERGED, left);
    page_text(to,
              "A gamma that falls to 0, as eq. 41 asks, approaches the "
              "undamped solution: its merit after %d iterations is %.2g, that "
              "of plain Gauss-Seidel %.2g.",
              MOST, last_value(&panels[UNDAMPED_MERIT].curves[FALLING]),
              last_value(&panels[UNDAMPED_MERIT].curves[0]));
}

bool run_damping(page *to)
{
    static plot_panel panels[PANELS];
    system_options options = make_options(0.0);
    spectrum plain, damped;
    double unit, left, carried = 0.0, constants[DAMPINGS];

    if (!system_of_scene(&built, &problem, SCENE, 0, &options))
        return false;
    unit = system_mean_diagonal(&built);
    run_dampings(unit, panels);
    label_gammas(panels);
    if (!run_gammas(unit, panels, &carried))
        return false;
    for (int i = 0; i < DAMPINGS; i++)
        constants[i] = measure_constant(dampings[i] * unit);
    system_end(&built);
    if (!run_stacks(to, unit, &panels[FALL_BY_TIME], &left) ||
        !run_scaling(&panels[SCALING]) ||
        !spectrum_of_scene(&plain, SCENE, true, 0.0) ||
        !spectrum_of_scene(&damped, SCENE, true, dampings[SLIGHT] * unit))
        return false;
    fill_values(&panels[VALUES_OF_A], false, &plain, &damped);
    fill_values(&panels[VALUES_OF_T], true, &plain, &damped);
    page_plots(to, "vsp-damping", panels, PANELS, 2);
    draw_matrices(to, &plain, &damped);
    write_table(to, unit, left, constants, panels);
    claim_convergence(to, panels);
    claim_solution(to, panels, carried);
    claim_values(to, &plain, &damped, dampings[SLIGHT] * unit);
    spectrum_end(&plain);
    spectrum_end(&damped);
    return true;
}
