/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Merit by work, in this order: one step, work, curves, the clock, Fischer's
 * psi, the figure, the table. */

#include "experiments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "port/measure/simulation.h"
#include "port/measure/work_cost.h"
#include "sm_scene.h"
#include "watch.h"

#define MOST_WORK 1500 /* PGS iterations, as in figure 3 */
#define SWEEPS 25      /* k_pgs */
#define TRIES 2        /* k_sm: a larger number gains nothing */
#define STEPS 60       /* steps of conjugate gradients in a try */
#define MAX_POINTS PLOT_POINTS
#define APART 10 /* work between points where curves are compared */
#define QUICK_APART 50
#define FLOOR 1e-14 /* least merit that counts: floats get no lower */
#define CLOCKED 15  /* times that a solve is timed */
#define QUICK_CLOCKED 3

typedef struct paper_options {
    uint32_t apart; /* sweeps between points of PGS */
    int clocked;    /* times that a solve is timed; the least counts */
} paper_options;

/* claimed merit of our SUBSPACE over that of PGS, of each of sm_cases */
static const double claimed[SM_CASES] = {1e-4, 1e-4, 2, 1e-4, 2, 2, 2, 2};

typedef struct point {
    double work;  /* PGS iterations */
    double merit; /* (m/s)^2 */
} point;

typedef struct curve {
    point points[MAX_POINTS];
    int count;
} curve;

typedef struct outcome {
    int bodies;
    double rows; /* multipliers that a sweep computes */
    double rest; /* multipliers computed outside of the velocity solve */
    curve pgs, sm;
    double first; /* least work at which SM is as good as the last point of PGS;
                   * -1: none */
    int compared, above;    /* points of work compared; those where SM is
                             * worse */
    double worst, worst_at; /* largest merit of SM over that of PGS, and its
                             * work */
    double clock;    /* time of the last point of SM, in PGS iterations */
    uint32_t rounds; /* rounds of the last point of SM */
    double pgs_psi, sm_psi; /* Fischer's psi of the last points, (m/s)^2 */
} outcome;


/* ---- One step ------------------------------------------------------------ */

typedef struct solve {
    uint32_t sweeps; /* sweeps of a round */
    uint32_t rounds, tries, steps;
    vsp_stats stats; /* statistics of the step */
    double ms;       /* duration of the step */
} solve;

/* Returns the definition of the measured world: tolerance 0, so a solve does
 * all of its sweeps and rounds. */
static vsp_world_def world_def(const char *name, const solve *it)
{
    scene_variant variant;
    vsp_world_def def = scene_world_def(scene_find(name, &variant));

    def.stepper = VSP_STEPPER_SUBSPACE;
    def.friction = VSP_FRICTION_PYRAMID;
    def.enable_warm_start = false;
    def.enable_sleep = false;
    def.tolerance = VSP_R(0.0);
    def.correction_sweeps = 1;
    def.sweeps = it->sweeps;
    def.subspace.rounds = it->rounds;
    def.subspace.tries = it->tries;
    def.subspace.steps = it->steps;
    return def;
}

/* Makes the measured step. */
static bool run_solve(const char *name, solve *it)
{
    vsp_world_def def = world_def(name, it);
    scene_run run;

    if (!simulation_start_in(&run, name, &def))
        return false;
    it->ms = 1e3 * cpu_seconds();
    if (vsp_world_step(run.world) < 0) {
        fprintf(stderr, "vsp: a step of '%s' failed\n", name);
        return false;
    }
    it->ms = 1e3 * cpu_seconds() - it->ms;
    it->stats = vsp_world_stats(run.world);
    return true;
}

static solve sweeps_only(uint32_t sweeps)
{
    solve it;

    memset(&it, 0, sizeof it);
    it.sweeps = sweeps;
    it.rounds = 1;
    it.steps = 1; /* without effect: there are no tries */
    return it;
}

static solve searches(uint32_t rounds, uint32_t tries)
{
    solve it = sweeps_only(SWEEPS);

    it.rounds = rounds;
    it.tries = tries;
    it.steps = STEPS;
    return it;
}


/* ---- Work ----------------------------------------------------------------
 * Work is counted in computed multipliers.  The number of a sweep is known.
 * Position correction, with one sweep, always computes about as many.  The rest
 * are passes of conjugate gradients. */

static bool weigh_passes(const char *name, outcome *out)
{
    solve one = sweeps_only(1), many = sweeps_only(1001);

    if (!run_solve(name, &one) || !run_solve(name, &many))
        return false;
    out->rows = floor((many.stats.row_updates - one.stats.row_updates) / 1e3 +
                      0.5);
    out->rest = one.stats.row_updates - out->rows;
    if (out->rows > 0.0)
        return true;
    fprintf(stderr, "vsp: nothing touches in '%s'\n", name);
    return false;
}

static double passes_of(const outcome *out, const solve *it)
{
    double sweeps = (double)it->sweeps * it->rounds;

    return fmax(0.0, (it->stats.row_updates - out->rest) / out->rows - sweeps);
}

static double work_of(const outcome *out, const solve *it)
{
    double sweeps = (double)it->sweeps * it->rounds;
    double plain = fmin(sweeps, WORK_PLAIN_SWEEPS);
    double cost = WORK_SWEEP_COST(it->stats.joint_count > 0);

    return plain + cost * (sweeps - plain) +
           WORK_PASS_COST * passes_of(out, it) +
           WORK_ROUND_COST * (it->rounds - 1) + WORK_ANEW_COST * it->rounds;
}


/* ---- Curves -------------------------------------------------------------- */

static void add_point(curve *it, double work, const solve *from)
{
    if (it->count == MAX_POINTS)
        return;
    it->points[it->count].work = work;
    it->points[it->count].merit = vsp_to_double(from->stats.merit);
    it->count++;
}

static const point *last_point(const curve *it)
{
    return &it->points[it->count - 1];
}

static bool find_pgs(const char *name, const paper_options *options,
                     outcome *out)
{
    uint32_t sweeps = 1;

    while (sweeps <= MOST_WORK) {
        solve it = sweeps_only(sweeps);

        if (!run_solve(name, &it))
            return false;
        add_point(&out->pgs, sweeps, &it);
        sweeps += sweeps < 5                ? 1
                  : sweeps < APART          ? 5
                  : sweeps < options->apart ? APART
                                            : options->apart;
    }
    return true;
}

/* Adds a point of SM, unless it took no more work than the last one. */
static bool add_sm(const char *name, outcome *out, const solve *from)
{
    solve it = *from;
    double work;

    if (!run_solve(name, &it))
        return false;
    work = work_of(out, &it);
    out->rounds = it.rounds;
    if (out->sm.count == 0 || work > last_point(&out->sm)->work)
        add_point(&out->sm, work, &it);
    return true;
}

/* Adds points of one round with 1 to SWEEPS sweeps and hardly any search; then
 * a point for each number of rounds. */
static bool find_sm(const char *name, outcome *out)
{
    uint32_t i;

    for (i = 1; i <= SWEEPS; i++) {
        solve it = searches(1, 1);

        it.sweeps = i;
        it.steps = 1;
        if (!add_sm(name, out, &it))
            return false;
    }
    for (i = 1; last_point(&out->sm)->work < MOST_WORK; i++) {
        solve it = searches(i, TRIES);

        if (!add_sm(name, out, &it))
            return false;
    }
    return true;
}

/* Returns the least merit that was found with at most this work. */
static double merit_at(const curve *it, double work)
{
    double least = HUGE_VAL;

    for (int i = 0; i < it->count && it->points[i].work <= work; i++)
        least = fmin(least, it->points[i].merit);
    return least;
}

/* Compares both curves at every APART of work, and counts where SM is worse. */
static void count_above(outcome *out)
{
    for (int work = 2 * APART; work <= MOST_WORK; work += APART) {
        double sm = merit_at(&out->sm, work);
        double ratio = sm / fmax(FLOOR, merit_at(&out->pgs, work));

        out->compared++;
        out->above += ratio > 1.0;
        if (ratio > out->worst) {
            out->worst = ratio;
            out->worst_at = work;
        }
    }
}

/* Finds the least work at which SM is as good as the last point of PGS. */
static void find_crossing(outcome *out)
{
    out->first = -1.0;
    for (int i = 0; i < out->sm.count && out->first < 0.0; i++)
        if (out->sm.points[i].merit <= last_point(&out->pgs)->merit)
            out->first = out->sm.points[i].work;
}


/* ---- The clock ----------------------------------------------------------- */

/* Times the same step again and again.  *ms is the shortest time. */
static bool time_solve(const char *name, const paper_options *options,
                       const solve *which, double *ms)
{
    *ms = 1e30;
    for (int i = 0; i < options->clocked; i++) {
        solve it = *which;

        if (!run_solve(name, &it))
            return false;
        *ms = fmin(*ms, it.ms);
    }
    return true;
}

static bool read_clock(const char *name, const paper_options *options,
                       outcome *out)
{
    solve one = sweeps_only(1), many = sweeps_only(MOST_WORK);
    solve sm = searches(out->rounds, TRIES);
    double first, last, all, sweep;

    if (!time_solve(name, options, &one, &first) ||
        !time_solve(name, options, &many, &last) ||
        !time_solve(name, options, &sm, &all))
        return false;
    sweep = (last - first) / (MOST_WORK - 1);
    out->clock = (all - first) / sweep + 1.0;
    return true;
}


/* ---- Fischer's psi --------------------------------------------------------
 */

/* Repeats a solve, and computes psi from its impulses, in double. */
static bool find_psi(const char *name, const solve *which, double *psi)
{
    static sm_scene stage;
    static sm_problem problem;
    static double multipliers[SM_MAX_ROWS], velocities[SM_MAX_BODIES * 6];
    solve it = *which;
    sm_point merit;

    if (!sm_scene_start(&stage, name) || !sm_scene_problem(&stage, &problem) ||
        !run_solve(name, &it))
        return false;
    sm_scene_impulses(&stage, stage.run.world, multipliers);
    sm_velocities(&problem, multipliers, velocities);
    sm_merit(&problem, multipliers, velocities, &merit);
    *psi = merit.psi;
    return true;
}

static bool find_both_psi(const char *name, outcome *out)
{
    solve many = sweeps_only(MOST_WORK), sm = searches(out->rounds, TRIES);

    return find_psi(name, &many, &out->pgs_psi) &&
           find_psi(name, &sm, &out->sm_psi);
}

static bool find_outcome(const char *name, const paper_options *options,
                         outcome *out)
{
    scene_run run;
    vsp_world_def def = vsp_world_def_default();

    memset(out, 0, sizeof *out);
    if (!simulation_start_in(&run, name, &def))
        return false;
    out->bodies = simulation_bodies(run.world);
    if (!weigh_passes(name, out) || !find_pgs(name, options, out) ||
        !find_sm(name, out) || !read_clock(name, options, out) ||
        !find_both_psi(name, out))
        return false;
    find_crossing(out);
    count_above(out);
    return true;
}


/* ---- The figure ---------------------------------------------------------- */

static void add_to_panel(plot_panel *panel, const char *name, const curve *from)
{
    plot_curve *to = &panel->curves[panel->count++];

    to->name = name;
    to->count = from->count;
    for (int i = 0; i < from->count; i++) {
        to->points[i].x = from->points[i].work;
        to->points[i].y = from->points[i].merit;
    }
}

static void draw_panels(page *to, const outcome *outcomes)
{
    static plot_panel panels[SM_CASES];

    for (int i = 0; i < SM_CASES; i++) {
        plot_panel *it = &panels[i];

        it->title = sm_cases[i].title;
        it->x_label = "PGS iterations";
        it->y_label = "theta, (m/s)^2";
        it->x_high = MOST_WORK;
        it->x_tick = 500;
        add_to_panel(it, "PGS", &outcomes[i].pgs);
        add_to_panel(it, "our SUBSPACE", &outcomes[i].sm);
    }
    page_plots(to, to->name, panels, SM_CASES, 4);
}


/* ---- The table ----------------------------------------------------------- */

/* Returns the last point with at most MOST_WORK, the end of the figure's
 * axis. */
static const point *end_of(const curve *it)
{
    int i = it->count - 1;

    while (i > 0 && it->points[i].work > MOST_WORK)
        i--;
    return &it->points[i];
}

static void write_row(page *to, const char *name, const outcome *it)
{
    const point *pgs = last_point(&it->pgs), *sm = end_of(&it->sm);
    char first[16] = "-";

    if (it->first >= 0.0)
        snprintf(first, sizeof first, "%.0f", it->first);
    page_row(
        to,
        "%s|%d|%.0f|%.3g|%.3g|%.3g|%.3g|%.3g|%s|%.0f|%.2f|%d of %d|%.2f|%.0f",
        name, it->bodies, it->rows, pgs->merit, it->pgs_psi, sm->merit,
        it->sm_psi, sm->merit / pgs->merit, first, sm->work,
        it->clock / last_point(&it->sm)->work, it->above, it->compared,
        it->worst, it->worst_at);
}

static void write_foot(page *to)
{
    page_text(to,
              "theta: the engine's merit, eq. 37 and 38 of the shock paper, "
              "of floats. psi: Fischer's function of the same impulses, in "
              "double; velocities follow from rounded impulses, which "
              "limits how small psi gets.");
    page_text(to,
              "above: points of work, every %d, at which SUBSPACE is above PGS "
              "and %.0e; worst ratio at one.  A sweep with momentum counts "
              "%.2f, or %.2f of joints; a CG step %.1f.",
              APART, FLOOR, WORK_SWEEP_COST(false), WORK_SWEEP_COST(true),
              WORK_PASS_COST);
}

/* The paper has only words; the bounds are ours: orders of magnitude in the
 * small cases, and never much worse. */
static void claim_ratio(page *to, const char *name, const outcome *it,
                        double most)
{
    char what[96];
    claim ratio = {what,
                   most < 1.0 ? "rather well: small configurations, joints"
                              : "in larger ones as PGS",
                   end_of(&it->sm)->merit / last_point(&it->pgs)->merit,
                   AT_MOST, most};

    snprintf(what, sizeof what, "%s, merit of our SUBSPACE over that of PGS",
             name);
    page_claim(to, &ratio);
}

bool run_subspace(page *to)
{
    static outcome outcomes[SM_CASES];
    const paper_options options = {to->is_quick ? QUICK_APART : APART,
                                   to->is_quick ? QUICK_CLOCKED : CLOCKED};

    page_table(
        to,
        "case|bodies|rows|PGS 1500: theta|psi|our SUBSPACE: theta|psi|ratio|"
        "passed|work|"
        "clock/work|above|worst|at");
    for (int i = 0; i < SM_CASES; i++) {
        if (!find_outcome(sm_cases[i].scene, &options, &outcomes[i]))
            return false;
        write_row(to, sm_cases[i].scene, &outcomes[i]);
    }
    page_table_end(to);
    write_foot(to);
    draw_panels(to, outcomes);
    for (int i = 0; i < SM_CASES; i++)
        claim_ratio(to, sm_cases[i].scene, &outcomes[i], claimed[i]);
    return true;
}
