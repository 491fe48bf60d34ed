/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Merit by iteration, for methods and stacks: Erleben 2007, section 3, eq. 37,
 * 38 and 44, figure 5, and the slides' O(e^-kn). */

#include "experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_system.h"
#include "fit.h"

#define MOST 1000           /* iterations, as in the slides' plot */
#define MOST_OF_COLUMN 5000 /* iterations for a column */
#define CONVERGED 1e-16     /* merit over that at the start: a run stops */
#define DIVERGED 1e4
#define CASES 7
#define PANELS (CASES + 3)

typedef enum method {
    GAUSS_SEIDEL,
    SOR_UNDER,
    SOR,
    SOR_OVER,
    JACOBI,
    GRADIENTS,
    METHODS
} method;

static const char *const method_names[METHODS] = {
    "Gauss-Seidel", "SOR 0.7", "SOR 1.3",
    "SOR 1.6",      "Jacobi",  "conjugate gradients",
};

typedef enum stack_case {
    BOX_STACK,
    WALL,
    TOWER,
    BALL_GRID,
    PYRAMID,
    PILE,
    PILE_WITHOUT_FRICTION
} stack_case;

static const struct {
    const char *scene, *quick, *title;
    uint32_t after; /* steps of the engine before */
    bool has_friction;
} cases[CASES] = {
    {"box-stack", "box-stack", "box stack", 0, true},
    {"wall", "wall:8", "wall", 0, true},
    {"tower", "tower:6", "tower", 0, true},
    {"ball-grid", "ball-grid", "ball grid", 0, true},
    {"pyramid:14", "pyramid:8", "pyramid", 0, true},
    {"bin:100", "bin:100", "random pile", 150, true},
    {"bin:100", "bin:100", "random pile without friction", 150, false},
};

/* What became of a run. */
typedef struct outcome {
    double last;      /* merit at the end, over that at the start */
    int to_part[2];   /* iterations to a thousandth and a millionth of the
                       * merit at the start; -1: not reached */
    int merit_rises;  /* iterations in which the merit rose */
    int energy_rises; /* those in which the kinetic energy rose */
} outcome;

static contact_problem problem;


/* ---- A run --------------------------------------------------------------- */

static void iterate(contact_system *it, method how)
{
    switch (how) {
    case SOR_UNDER:
        system_sweep(it, 0.7);
        break;
    case SOR:
        system_sweep(it, 1.3);
        break;
    case SOR_OVER:
        system_sweep(it, 1.6);
        break;
    case JACOBI:
        system_jacobi(it, 1.0);
        break;
    case GRADIENTS:
        system_gradients(it);
        break;
    default:
        system_sweep(it, 1.0);
    }
}

static void add_point(plot_curve *to, int iteration, double merit)
{
    if (to && (iteration <= 50 || iteration % 5 == 0))
        plot_add(to, iteration, merit);
}

static void note_parts(outcome *out, int iteration)
{
    if (out->to_part[0] < 0 && out->last <= 1e-3)
        out->to_part[0] = iteration;
    if (out->to_part[1] < 0 && out->last <= 1e-6)
        out->to_part[1] = iteration;
}

/* Iterates from multipliers of 0.  Adds the merit to a curve, which may be
 * null. */
static outcome run_method(contact_system *it, method how, int most,
                          plot_curve *to)
{
    outcome out = {1.0, {-1, -1}, 0, 0};
    double start, energy;

    system_restart(it);
    start = system_merit(it);
    energy = system_energy(it);
    add_point(to, 0, start);
    for (int i = 1; i <= most; i++) {
        double merit, new_energy;

        iterate(it, how);
        merit = system_merit(it) / start;
        new_energy = system_energy(it);
        out.merit_rises += merit > out.last * 1.0001;
        out.energy_rises += new_energy > energy * 1.0001;
        out.last = merit;
        energy = new_energy;
        note_parts(&out, i);
        if (merit < CONVERGED || merit > DIVERGED)
            break;
        add_point(to, i, merit * start);
    }
    return out;
}


/* ---- Cases --------------------------------------------------------------- */

static void label_merit(plot_panel *it, const char *title)
{
    it->title = title;
    it->x_label = "iterations";
    it->y_label = "merit theta";
    it->x_high = MOST;
    it->x_tick = 200;
}

static bool begin_case(contact_system *to, int index, bool is_quick)
{
    system_options options = {0};

    options.touching = SYSTEM_TOUCHING;
    options.has_friction = cases[index].has_friction;
    return system_of_scene(to, &problem,
                           is_quick ? cases[index].quick : cases[index].scene,
                           cases[index].after, &options);
}

/* Runs all methods; adds the curve of Gauss-Seidel to the panel of all
 * cases. */
static bool run_case(int index, bool is_quick, plot_panel *all,
                     plot_panel *panel, outcome *out)
{
    static contact_system built;

    if (!begin_case(&built, index, is_quick))
        return false;
    label_merit(panel, cases[index].title);
    for (int i = 0; i < METHODS; i++) {
        plot_curve *curve = &panel->curves[panel->count++];

        curve->name = method_names[i];
        out[i] = run_method(&built, (method)i, MOST, curve);
    }
    if (index != PILE_WITHOUT_FRICTION) {
        all->curves[all->count] = panel->curves[GAUSS_SEIDEL];
        all->curves[all->count++].name = cases[index].title;
    }
    system_end(&built);
    return true;
}

static void write_count(char *to, size_t size, int count)
{
    if (count < 0)
        snprintf(to, size, "-");
    else
        snprintf(to, size, "%d", count);
}

static void write_table(page *to, outcome out[CASES][METHODS])
{
    page_table(to, "case|method|iterations to 1e-3|to 1e-6|merit at the end "
                   "over start|merit rises|kinetic energy rises");
    for (int i = 0; i < CASES; i++)
        for (int k = 0; k < METHODS; k++) {
            const outcome *it = &out[i][k];
            char thousandth[16], millionth[16];

            write_count(thousandth, sizeof thousandth, it->to_part[0]);
            write_count(millionth, sizeof millionth, it->to_part[1]);
            page_row(to, "%s|%s|%s|%s|%.2g|%d|%d", cases[i].title,
                     method_names[k], thousandth, millionth, it->last,
                     it->merit_rises, it->energy_rises);
        }
    page_table_end(to);
    page_text(to,
              "First step of each scene (random pile: a step while it falls), "
              "from multipliers of 0, in double; at most %d iterations, fewer "
              "if the merit is below %.0e or above %.0e of its start.  Rises: "
              "iterations after which it is larger than before.",
              MOST, CONVERGED, DIVERGED);
}


/* ---- Heights ------------------------------------------------------------- */

static const int heights[] = {2, 3, 4, 5, 7, 10, 14, 20, 25, 30, 40};
#define HEIGHTS ((int)(sizeof heights / sizeof heights[0]))

/* Heights with a curve of their own. */
static const char *height_name(int height)
{
    return height == 5    ? "5 cubes"
           : height == 10 ? "10 cubes"
           : height == 14 ? "14 cubes"
           : height == 20 ? "20 cubes"
           : height == 25 ? "25 cubes"
                          : NULL;
}

static bool run_height(int height, plot_curve *curve, outcome *out)
{
    static contact_system built;
    system_options options = {0};
    char name[32];

    options.touching = SYSTEM_TOUCHING;
    options.has_friction = true;
    snprintf(name, sizeof name, "column:%d", height);
    if (!system_of_scene(&built, &problem, name, 0, &options))
        return false;
    *out = run_method(&built, GAUSS_SEIDEL, MOST_OF_COLUMN, curve);
    system_end(&built);
    return true;
}

/* Fills the panel of merit by height, and that of iterations by height. */
static bool run_heights(bool is_quick, plot_panel *merits, plot_panel *counts)
{
    plot_curve *count = &counts->curves[counts->count++];

    label_merit(merits, "Columns, Gauss-Seidel");
    counts->title = "Iterations by height of a column";
    counts->x_label = "cubes";
    counts->y_label = "iterations to 1e-3 of the merit";
    counts->is_x_log = true;
    counts->x_low = 1.0;
    counts->x_high = 100.0;
    counts->x_tick = 1.0;
    count->name = "Gauss-Seidel";
    for (int i = 0; i < HEIGHTS && !(is_quick && heights[i] > 25); i++) {
        const char *name = height_name(heights[i]);
        plot_curve *curve = name ? &merits->curves[merits->count++] : NULL;
        outcome out;

        if (!run_height(heights[i], curve, &out))
            return false;
        if (curve)
            curve->name = name;
        if (out.to_part[0] >= 0)
            plot_add(count, heights[i], out.to_part[0]);
    }
    return true;
}


/* ---- Rates --------------------------------------------------------------- */

/* Returns the fit of e^-kn to a merit: beyond the first ten iterations, down to
 * a thousandth of the start, or over 200 iterations at least. */
static fit rate_of(const plot_curve *merit)
{
    double end = merit->points[merit->count - 1].x;

    for (int i = 0; i < merit->count; i++)
        if (merit->points[i].y < 1e-3 * merit->points[0].y) {
            end = fmin(end, fmax(30.0, merit->points[i].x));
            break;
        }
    return fit_line(merit, 10.0, end, false, true);
}

static void write_rates(page *to, const plot_panel *all,
                        const plot_panel *columns)
{
    page_table(to, "Gauss-Seidel|k of e^-kn|explained, R^2|c of eq. 44");
    for (int i = 0; i < all->count + columns->count; i++) {
        const plot_curve *curve = i < all->count
                                      ? &all->curves[i]
                                      : &columns->curves[i - all->count];
        fit rate = rate_of(curve);

        page_row(to, "%s|%.4f|%.3f|%.4f", curve->name, -rate.slope,
                 rate.explained, exp(0.5 * rate.slope));
    }
    page_table_end(to);
    page_text(to, "k: fit of theta from iteration 10 to a thousandth of its "
                  "start.  c: the same rate as a factor of the error, which is "
                  "the root of theta, for each iteration (p = 1).  The slides "
                  "say that more structure increases k: here it decreases k, "
                  "which agrees with their other sentence, that sparser stacks "
                  "converge faster.");
}


/* ---- Claims -------------------------------------------------------------- */

static void claim_rates(page *to, const plot_panel *all,
                        const plot_panel *columns, const plot_curve *counts)
{
    claim linear = {"least R^2 of the fit of e^-kn to the merit of "
                    "Gauss-Seidel, stacks",
                    "clearly a linear convergence rate", 1.0, AT_LEAST, 0.9};
    claim sparse = {"rate k, columns of 5 cubes over one of 25",
                    "more sparse: faster convergence (slides)", 0.0, AT_LEAST,
                    2.0};
    claim power = {"iterations to 1e-3 as a power of the height of a column",
                   "poor convergence of high stacks", 0.0, AT_LEAST, 1.0};

    for (int i = 0; i <= PYRAMID; i++)
        linear.ours = fmin(linear.ours, rate_of(&all->curves[i]).explained);
    sparse.ours = rate_of(&columns->curves[0]).slope /
                  rate_of(&columns->curves[columns->count - 1]).slope;
    power.ours = fit_line(counts, 5.0, 100.0, true, true).slope;
    page_claim(to, &linear);
    page_claim(to, &sparse);
    page_claim(to, &power);
}

static double steps_of(outcome out[CASES][METHODS], int index, method how)
{
    int count = out[index][how].to_part[0];

    return count < 0 ? MOST : count;
}

static void claim_jacobi(page *to, outcome out[CASES][METHODS])
{
    claim diverged = {"cases of 7 in which Jacobi ends with a larger merit "
                      "than it began with",
                      "terrible convergence", 0.0, AT_LEAST, 4.0};
    claim slower = {"iterations to 1e-3, Jacobi over Gauss-Seidel, least of "
                    "the other cases",
                    "terrible convergence", HUGE_VAL, AT_LEAST, 1.5};

    for (int i = 0; i < CASES; i++) {
        if (out[i][JACOBI].last > 1.0)
            diverged.ours += 1.0;
        else
            slower.ours = fmin(slower.ours, steps_of(out, i, JACOBI) /
                                                steps_of(out, i, GAUSS_SEIDEL));
    }
    page_claim(to, &diverged);
    page_claim(to, &slower);
}

static void claim_sor(page *to, outcome out[CASES][METHODS])
{
    claim over = {"random pile: iterations of SOR 1.6 in which the kinetic "
                  "energy rises",
                  "SOR suffered from energy gain",
                  out[PILE][SOR_OVER].energy_rises, AT_LEAST, 10.0};
    claim plain = {"the same, Gauss-Seidel, all cases", "practical choice", 0.0,
                   AT_MOST, 0.0};

    for (int i = 0; i < CASES; i++)
        plain.ours += out[i][GAUSS_SEIDEL].energy_rises;
    page_claim(to, &over);
    page_claim(to, &plain);
}

static void claim_gradients(page *to, outcome out[CASES][METHODS])
{
    const outcome *pile = &out[PILE][GRADIENTS];
    claim erratic = {"random pile: iterations of conjugate gradients in which "
                     "the merit rises",
                     "erratic convergence rate with friction",
                     pile->merit_rises, AT_LEAST, 100.0};
    claim lost = {"random pile: merit at the end, conjugate gradients over "
                  "Gauss-Seidel",
                  "intractable: the active set changes often",
                  pile->last / out[PILE][GAUSS_SEIDEL].last, AT_LEAST, 10.0};
    claim smooth = {"random pile without friction: merit at the end of "
                    "conjugate gradients over the start",
                    "quadratic convergence rate without friction",
                    out[PILE_WITHOUT_FRICTION][GRADIENTS].last, AT_MOST, 1e-12};
    claim stacks = {"stacks: most iterations to 1e-3, CG over PGS",
                    "intractable: the active set changes often", 0.0, AT_LEAST,
                    1.0};

    for (int i = 0; i <= PYRAMID; i++)
        stacks.ours = fmax(stacks.ours, steps_of(out, i, GRADIENTS) /
                                            steps_of(out, i, GAUSS_SEIDEL));
    page_claim(to, &erratic);
    page_claim(to, &lost);
    page_claim(to, &smooth);
    page_claim(to, &stacks);
    page_text(to, "Conjugate gradients fail on what slides and hits, as the "
                  "paper reports; on stacks at rest, where no contact slides "
                  "or opens, the active set soon stays the same, and they need "
                  "fewer iterations than Gauss-Seidel.");
}

static void claim_cases(page *to, outcome out[CASES][METHODS])
{
    claim differ = {"iterations to 1e-3 of Gauss-Seidel, slowest stack over "
                    "the fastest",
                    "each configuration behaves differently", 0.0, AT_LEAST,
                    3.0};
    claim ones = {"iterations to 1e-3 of Gauss-Seidel, ball grid over wall",
                  "best with fewer ones, T nearer to lower diagonal",
                  steps_of(out, BALL_GRID, GAUSS_SEIDEL) /
                      steps_of(out, WALL, GAUSS_SEIDEL),
                  AT_MOST, 1.0};
    double low = HUGE_VAL, high = 0.0;

    for (int i = 0; i <= PYRAMID; i++) {
        low = fmin(low, steps_of(out, i, GAUSS_SEIDEL));
        high = fmax(high, steps_of(out, i, GAUSS_SEIDEL));
    }
    differ.ours = high / low;
    page_claim(to, &differ);
    page_claim(to, &ones);
}

bool run_convergence(page *to)
{
    static plot_panel panels[PANELS];
    static outcome out[CASES][METHODS];
    plot_panel *all = &panels[0], *columns = &panels[1], *counts = &panels[2];

    label_merit(all, "All cases, Gauss-Seidel");
    for (int i = 0; i < CASES; i++)
        if (!run_case(i, to->is_quick, all, &panels[3 + i], out[i]))
            return false;
    if (!run_heights(to->is_quick, columns, counts))
        return false;
    page_plots(to, "vsp-convergence", panels, PANELS, 2);
    write_rates(to, all, columns);
    write_table(to, out);
    claim_rates(to, all, columns, counts->curves);
    claim_cases(to, out);
    claim_jacobi(to, out);
    claim_sor(to, out);
    claim_gradients(to, out);
    return true;
}
