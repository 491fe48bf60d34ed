/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The variants of section 5.1 and the blow-ups of section 5.  In this order:
 * variants, one step, a simulation, spectra, tables, claims. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments.h"
#include "sm_scene.h"

#define STEP_WORK 200 /* PGS iterations of a step of a simulation */
#define BLOWN 20.0    /* m/s: after a second of free fall a body has half */
#define MANY_ROWS 600 /* more are too many for a pseudo inverse each step */


/* ---- Variants ------------------------------------------------------------ */

typedef enum variant {
    PGS,
    LITERAL,
    BEST,
    GAMMA_ALL,
    GAMMA_FRICTION,
    LAZY,
    STAGGERED,
    RELATIVE,
    SVD,
    OURS,
    VARIANTS
} variant;

#define VARIANT_HEAD                                                    \
    "|PGS|PGS-SM|best|gamma I|gamma, friction|lazy|staggered|relative|" \
    "SVD|ours"

static sm_setting setting_of(variant which)
{
    sm_setting setting = which == PGS ? sm_plain() : sm_literal();

    if (which == OURS)
        return sm_ours(true);
    setting.keeps_best = which == BEST;
    if (which == GAMMA_ALL || which == GAMMA_FRICTION) {
        setting.damping = which == GAMMA_ALL ? SM_DAMP_ALL : SM_DAMP_FRICTION;
        setting.gamma = 0.01;
    }
    setting.is_lazy = which == LAZY;
    setting.is_staggered = which == STAGGERED;
    if (which == RELATIVE)
        setting.pgs_stall = 0.01;
    setting.is_svd = which == SVD;
    return setting;
}

/* What became of a case. */
typedef struct outcome {
    int rows;
    double psi[VARIANTS];    /* of one step, at its end */
    double growth[VARIANTS]; /* as in sm_course */
    double speed[VARIANTS];  /* m/s, the largest of a simulation; -1: none */
    int steps[VARIANTS];     /* made: fewer if it blew up */
    bool has_blown[VARIANTS];
    int active, rank;
    double largest, least; /* singular values of A_AA, of its rank */
} outcome;

static sm_scene stage;
static sm_problem problem;
static sm_course course;
static double multipliers[SM_MAX_ROWS], velocities[SM_MAX_BODIES * 6];

static bool start_problem(const char *name)
{
    return sm_scene_start(&stage, name) && sm_scene_problem(&stage, &problem);
}

static void solve(const sm_setting *setting)
{
    sm_solve(&problem, setting, &course, multipliers, velocities);
}


/* ---- One step, and a simulation ------------------------------------------ */

static void solve_one(variant which, outcome *out)
{
    sm_setting setting = setting_of(which);

    solve(&setting);
    out->psi[which] = setting.keeps_best ? course.best.psi
                                         : course.points[course.count - 1].psi;
    out->growth[which] = course.growth;
}

/* Makes steps until a body is faster than BLOWN. */
static bool simulate(const char *name, variant which, int steps, outcome *out)
{
    sm_setting setting = setting_of(which);
    double speed;

    setting.most_work = STEP_WORK;
    if (!start_problem(name))
        return false;
    for (int i = 0; i < steps && !out->has_blown[which]; i++) {
        solve(&setting);
        if (!sm_scene_move(&stage, velocities) ||
            !sm_scene_problem(&stage, &problem))
            return false;
        (void)sm_scene_energy(&stage, &speed);
        out->speed[which] = fmax(out->speed[which], speed);
        out->has_blown[which] = !(speed < BLOWN);
        out->steps[which]++;
    }
    return true;
}


/* ---- Spectra ------------------------------------------------------------- */

/* The singular values of A_AA after k_pgs sweeps. */
static bool find_spectrum(const char *title, outcome *out, plot_panel *panel)
{
    static int rows[SM_MAX_ROWS];
    static sm_spectrum spectrum;
    sm_setting setting = sm_plain();
    plot_curve *curve = &panel->curves[panel->count++];

    setting.most_work = setting.sweeps;
    solve(&setting);
    out->active = sm_active_rows(&problem, multipliers, rows);
    if (!sm_pseudo_inverse(&problem, rows, out->active, NULL, NULL, &spectrum))
        return false;
    out->rank = spectrum.rank;
    out->largest = spectrum.values[0];
    out->least = spectrum.values[spectrum.rank - 1];
    panel->title = title;
    panel->x_label = "index of singular value";
    panel->y_label = "singular value of A_AA, 1/kg";
    panel->x_high = spectrum.count;
    panel->x_tick = spectrum.count > 300 ? 200 : spectrum.count > 100 ? 50 : 20;
    curve->name = "after 25 PGS iterations";
    for (int i = 0; i < spectrum.rank; i++) {
        curve->points[i].x = i + 1;
        curve->points[i].y = spectrum.values[i];
    }
    curve->count = spectrum.rank;
    return true;
}

static bool run_case(const char *name, const char *title, bool is_quick,
                     outcome *out, plot_panel *panel)
{
    int steps;

    memset(out, 0, sizeof *out);
    if (!start_problem(name))
        return false;
    out->rows = problem.row_count;
    if (!find_spectrum(title, out, panel))
        return false;
    for (variant i = PGS; i < VARIANTS; i++)
        solve_one(i, out);
    for (variant i = PGS; i < VARIANTS; i++) {
        steps = is_quick                ? (i == SVD ? 8 : 20)
                : out->rows > MANY_ROWS ? 40
                                        : 100;
        out->speed[i] = i == SVD && out->rows > MANY_ROWS ? -1 : 0;
        if (out->speed[i] == 0 && !simulate(name, i, steps, out))
            return false;
    }
    return true;
}


/* ---- Tables -------------------------------------------------------------- */

static void write_numbers(page *to, const char *head, const outcome *outcomes,
                          bool is_growth)
{
    page_table(to, head);
    for (int i = 0; i < SM_CASES; i++) {
        char text[512] = "";

        for (int k = is_growth ? LITERAL : PGS; k < VARIANTS; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "|%.1e",
                     is_growth ? outcomes[i].growth[k] : outcomes[i].psi[k]);
        page_row(to, "%s%s", sm_cases[i].title, text);
    }
    page_table_end(to);
}

static void put_run(const outcome *from, variant which, char *text, size_t size)
{
    size_t used = strlen(text);

    if (from->speed[which] < 0)
        snprintf(text + used, size - used, "|-");
    else if (from->has_blown[which])
        snprintf(text + used, size - used, "|blown, %d", from->steps[which]);
    else
        snprintf(text + used, size - used, "|%.2g", from->speed[which]);
}

static int count_blown(const outcome *outcomes, variant which)
{
    int count = 0;

    for (int i = 0; i < SM_CASES; i++)
        count += outcomes[i].has_blown[which];
    return count;
}

static void write_runs(page *to, const outcome *outcomes)
{
    char text[512] = "";

    page_table(to, "largest speed, m/s" VARIANT_HEAD);
    for (int i = 0; i < SM_CASES; i++) {
        text[0] = '\0';
        for (variant k = PGS; k < VARIANTS; k++)
            put_run(&outcomes[i], k, text, sizeof text);
        page_row(to, "%s, %d steps%s", sm_cases[i].title,
                 outcomes[i].steps[OURS], text);
    }
    text[0] = '\0';
    for (variant k = PGS; k < VARIANTS; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "|%d",
                 count_blown(outcomes, k));
    page_row(to, "cases that blow up%s", text);
    page_table_end(to);
    page_text(to,
              "Simulations of steps of 10 ms with %d PGS iterations each, from "
              "zero multipliers. Everything should stay at rest. blown: a body "
              "is faster than %.0f m/s, after so many steps. -: too many rows "
              "for a pseudo inverse in each step.",
              STEP_WORK, BLOWN);
}

static void write_spectra(page *to, const outcome *outcomes)
{
    page_table(to, "A_AA after 25 iterations|rows|active|rank|largest|least|"
                   "condition");
    for (int i = 0; i < SM_CASES; i++) {
        const outcome *it = &outcomes[i];

        page_row(to, "%s|%d|%d|%d|%.2e|%.2e|%.1e", sm_cases[i].title, it->rows,
                 it->active, it->rank, it->largest, it->least,
                 it->largest / it->least);
    }
    page_table_end(to);
    page_text(to, "Singular values by one-sided Jacobi rotations; rank: those "
                  "above 1e-10 of the largest, and least: of these. The "
                  "others of the active rows do not determine multipliers.");
}

static void write_tables(page *to, const outcome *outcomes)
{
    write_numbers(to, "psi of one step, (m/s)^2" VARIANT_HEAD, outcomes, false);
    page_text(to,
              "After 1,500 PGS iterations, or where it fell below 1e-15. "
              "PGS-SM: the paper's setting. best: its best iterate. gamma: a "
              "hundredth of the mean diagonal. lazy: bounds of the last sweep. "
              "staggered: normals and joints, then friction, by turns. "
              "relative: sweeps go on until one changes psi by less than a "
              "hundredth. SVD: pseudo inverse instead of conjugate gradients, "
              "counted as all steps of these. ours: all departures of the "
              "engine.");
    write_numbers(to,
                  "largest growth of psi in a subspace step"
                  "|PGS-SM|best|gamma I|gamma, friction|lazy|staggered|"
                  "relative|SVD|ours",
                  outcomes, true);
    write_runs(to, outcomes);
    write_spectra(to, outcomes);
}


/* ---- Claims -------------------------------------------------------------- */

static void claim_of(page *to, const char *what, const char *paper, double ours,
                     relation is, double bound)
{
    const claim it = {what, paper, ours, is, bound};

    page_claim(to, &it);
}

static double most_growth(const outcome *outcomes, variant which)
{
    double most = 0;

    for (int i = 0; i < SM_CASES; i++)
        most = fmax(most, outcomes[i].growth[which]);
    return most;
}

static void write_claims(page *to, const outcome *outcomes)
{
    int blown = count_blown(outcomes, LITERAL);

    claim_of(to, "cases that blow up with PGS", "robust",
             count_blown(outcomes, PGS), AT_MOST, 0);
    claim_of(to, "cases that blow up with PGS-SM", "blow-ups were observed",
             blown, AT_LEAST, 1);
    claim_of(to, "cases that blow up with a pseudo inverse",
             "even with a pseudo inverse", count_blown(outcomes, SVD), AT_LEAST,
             1);
    claim_of(to, "largest growth of psi with a pseudo inverse",
             "regardless of accuracy", most_growth(outcomes, SVD), AT_LEAST,
             10);
    claim_of(to, "cases that blow up with gamma I", "works quite robustly",
             count_blown(outcomes, GAMMA_ALL), AT_MOST, 0);
    claim_of(to, "cases that blow up with gamma for friction",
             "one can get away with it", count_blown(outcomes, GAMMA_FRICTION),
             AT_MOST, 0);
    claim_of(to, "more cases blow up with lazy bounds", "positive results",
             count_blown(outcomes, LAZY) - blown, AT_MOST, -1);
    claim_of(to, "more cases blow up with relative termination",
             "very beneficial", count_blown(outcomes, RELATIVE) - blown,
             AT_MOST, -1);
    claim_of(to, "cases that blow up with all departures of the engine",
             "ours: none", count_blown(outcomes, OURS), AT_MOST, 0);
}

bool run_sm_variants(page *to)
{
    static outcome outcomes[SM_CASES];
    static plot_panel panels[SM_CASES];

    for (int i = 0; i < SM_CASES; i++) {
        bool is_short = to->is_quick && strcmp(sm_cases[i].scene, "stack") == 0;

        if (!run_case(is_short ? "stack:2" : sm_cases[i].scene,
                      sm_cases[i].title, to->is_quick, &outcomes[i],
                      &panels[i]))
            return false;
    }
    write_tables(to, outcomes);
    if (to->is_quick)
        page_text(to, "Quick: (c) is a smaller stack.");
    page_text(to,
              "Why claims fail: with gamma for friction alone the reduced "
              "system of the normals stays singular, and its solution may "
              "pull where a contact can only push. With relative termination "
              "sweeps take most of the %d iterations of a step, so that little "
              "is left after a search in a wrong active set.",
              STEP_WORK);
    page_plots(to, to->name, panels, SM_CASES, 4);
    write_claims(to, outcomes);
    return true;
}
