/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: one run, panels, the table and claims. */

#include "experiments.h"

#include <math.h>
#include <stdio.h>

#include "port/measure/simulation.h"
#include "watch.h"

#define STEPS 200u /* most steps of a run: as many as in figure 17 */
#define QUICK_STEPS 12u
#define RUNS 5

/* Runs of figure 17: its number of bodies, including the fixed one, and its
 * time of a step, s.  The largest run is shorter, since it takes minutes. */
static const struct run {
    const char *scene;
    int bodies;
    double paper; /* s */
    uint32_t steps;
} runs[RUNS] = {
    {"boats:101", 102, 1.7, STEPS}, {"boats:251", 252, 4.8, STEPS},
    {"boats:501", 502, 9.6, STEPS}, {"boats:1001", 1002, 20.9, STEPS / 2},
    {"pegs:161", 186, 0.45, STEPS},
};

#define BOATS (RUNS - 1) /* runs[0] to runs[BOATS - 1] are of boats */

/* The results of a run. */
typedef struct finding {
    double seconds[STEPS]; /* duration of each step */
    int contacts[STEPS];   /* contact points of each step */
    double mean, worst;    /* time of a step, s */
    uint32_t steps;
} finding;

static bool take_run(const struct run *it, uint32_t steps, finding *out)
{
    simulation_options options = simulation_options_default();
    scene_run run;

    if (!simulation_start(&run, it->scene, &options))
        return false;
    out->steps = steps;
    out->mean = out->worst = 0;
    for (uint32_t i = 0; i < steps; i++) {
        double start = cpu_seconds();

        if (scene_step(&run, i) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", it->scene);
            return false;
        }
        out->seconds[i] = cpu_seconds() - start;
        out->contacts[i] = (int)vsp_world_stats(run.world).contact_count;
        out->mean += out->seconds[i] / steps;
        out->worst = fmax(out->worst, out->seconds[i]);
    }
    return true;
}


/* ---- Panels -------------------------------------------------------------- */

#define LEAST 1e-5 /* s: the axis is logarithmic */

static void add_point(plot_curve *curve, double x, double y)
{
    plot_add(curve, x, fmax(LEAST, y));
}

static void fill_scaling(const finding *found, plot_panel *panel)
{
    panel->title = "boats in a tub";
    panel->x_label = "bodies";
    panel->y_label = "a step, s";
    panel->is_x_log = true;
    panel->x_low = 100;
    panel->x_high = 1100;
    panel->x_tick = 0.30103;
    panel->count = 3;
    panel->curves[0].name = "mean";
    panel->curves[1].name = "worst";
    panel->curves[2].name = "mean of the paper, 2013";
    for (int i = 0; i < BOATS; i++) {
        add_point(&panel->curves[0], runs[i].bodies, found[i].mean);
        add_point(&panel->curves[1], runs[i].bodies, found[i].worst);
        add_point(&panel->curves[2], runs[i].bodies, runs[i].paper);
    }
}

/* Labels a panel of figure 16, a curve for each run of boats. */
static void label_course(const finding *found, plot_panel *panel)
{
    panel->x_label = "step";
    panel->x_high = found[0].steps;
    panel->x_tick = ceil(found[0].steps / 5.0);
    panel->count = BOATS;
    for (int i = 0; i < BOATS; i++)
        panel->curves[i].name = runs[i].scene;
}

static void fill_course(const finding *found, plot_panel *panel)
{
    label_course(found, panel);
    panel->title = "time of each step";
    panel->y_label = "s";
    for (int i = 0; i < BOATS; i++)
        for (uint32_t k = 0; k < found[i].steps; k++)
            add_point(&panel->curves[i], k, found[i].seconds[k]);
}

static void fill_contacts(const finding *found, plot_panel *panel)
{
    label_course(found, panel);
    panel->title = "contact points of each step";
    panel->y_label = "points";
    panel->is_y_linear = true;
    for (int i = 0; i < BOATS; i++)
        for (uint32_t k = 0; k < found[i].steps; k++)
            plot_add(&panel->curves[i], k, found[i].contacts[k]);
}

/* Contacts, which are the same in each run, have files of their own. */
static void draw_panels(page *to, const finding *found)
{
    static plot_panel times[2], contacts;

    fill_scaling(found, &times[0]);
    fill_course(found, &times[1]);
    fill_contacts(found, &contacts);
    page_plots(to, "shells", times, 2, 2);
    page_plots(to, "shells-contacts", &contacts, 1, 1);
}


/* ---- The table ----------------------------------------------------------- */

/* The ratio of a quick run, which ends before the bodies touch, would mean
 * nothing. */
static void write_run(page *to, const struct run *it, const finding *found)
{
    char ratio[16] = "-";

    if (!to->is_quick)
        snprintf(ratio, sizeof ratio, "%.1f",
                 it->paper / fmax(LEAST, found->mean));
    page_row(to, "%s|%d|%u|%.1f|%.1f|%.0f|%s", it->scene, it->bodies,
             (unsigned)found->steps, 1000 * found->mean, 1000 * found->worst,
             1000 * it->paper, ratio);
}

static void write_notes(page *to)
{
    if (to->is_quick)
        page_text(to, "These steps end before the bodies touch, so there is "
                      "no ratio and no claim; the full run has both.");
    else
        page_text(
            to, "Ratio: the paper's time over ours. Times are CPU time of "
                "one core of today; we aim at a ratio of 100. The paper's "
                "means are of 200 steps. Of 1,001 boats we run 100: once they "
                "have landed, after some 40, a step's time changes little. "
                "As steps before they touch cost next to nothing, and count "
                "twice as much here, a mean of 200 would be somewhat higher.");
    page_text(to, "Not repeated: the hanging rings (2,003 bodies, 19.1 s), "
                  "for which there is no scene; figure 18, times by length "
                  "of a step for a ball and a stack of boats; figure 19, "
                  "times by limits of iterations of the paper's method, which "
                  "this engine does not have. Figure 16 is shown by steps, "
                  "and over the steps of figure 17 instead of 10 s.");
}

/* Claims that a step takes no more than the paper's time. */
static void claim_speed(page *to, const struct run *it, const finding *found)
{
    char what[64], paper[32];
    claim speed = {what, paper, 1000 * found->mean, AT_MOST, 1000 * it->paper};

    snprintf(what, sizeof what, "%s, mean of a step, ms", it->scene);
    snprintf(paper, sizeof paper, "%.0f ms in 2013", 1000 * it->paper);
    page_paper_claim(to, &speed);
}

bool run_shells(page *to)
{
    static finding found[RUNS];

    page_text(to, "Steps of 1/24 s; ms a step.");
    page_table(to, "scene|bodies|steps|mean|worst|mean of the paper|ratio");
    for (int i = 0; i < RUNS; i++) {
        if (!take_run(&runs[i], to->is_quick ? QUICK_STEPS : runs[i].steps,
                      &found[i]))
            return false;
        write_run(to, &runs[i], &found[i]);
    }
    page_table_end(to);
    write_notes(to);
    draw_panels(to, found);
    for (int i = 0; i < RUNS && !to->is_quick; i++)
        claim_speed(to, &runs[i], &found[i]);
    return true;
}
