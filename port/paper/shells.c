/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: one run, panels, the table and claims. */

#include "experiments.h"

#include <math.h>
#include <stdio.h>

#include "port/measure/simulation.h"
#include "watch.h"

#define STEPS 200u /* most steps of a run: as many as in figure 17 */
#define RUNS 5

/* Runs of figure 17: its number of bodies, including the fixed one, and its
 * time of a step, s. */
static const struct run {
    const char *scene;
    int bodies;
    double paper; /* s */
} runs[RUNS] = {
    {"boats:101", 102, 1.7}, {"boats:251", 252, 4.8},
    {"boats:501", 502, 9.6}, {"boats:1001", 1002, 20.9},
    {"pegs:161", 186, 0.45},
};

#define BOATS (RUNS - 1) /* runs[0] to runs[BOATS - 1] are of boats */

/* The results of a run. */
typedef struct finding {
    double seconds[STEPS]; /* duration of each step */
    int contacts[STEPS];   /* contact points of each step */
    double mean, worst;    /* time of a step, s */
} finding;

static bool take_run(const struct run *it, uint32_t steps, finding *out)
{
    simulation_options options = simulation_options_default();
    scene_run run;

    if (!simulation_start(&run, it->scene, &options))
        return false;
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

static void fill_course(const finding *found, uint32_t steps, plot_panel *panel)
{
    panel->title = "time of each step";
    panel->x_label = "step";
    panel->y_label = "s";
    panel->x_high = steps;
    panel->x_tick = ceil(steps / 5.0);
    panel->count = BOATS;
    for (int i = 0; i < BOATS; i++) {
        panel->curves[i].name = runs[i].scene;
        for (uint32_t k = 0; k < steps; k++)
            add_point(&panel->curves[i], k, found[i].seconds[k]);
    }
}

static void draw_panels(page *to, const finding *found, uint32_t steps)
{
    static plot_panel panels[2];

    fill_scaling(found, &panels[0]);
    fill_course(found, steps, &panels[1]);
    page_plots(to, "shells", panels, 2, 2);
}


/* ---- The table ----------------------------------------------------------- */

static void write_run(page *to, const struct run *it, const finding *found)
{
    page_row(to, "%s|%d|%.1f|%.1f|%.0f|%.0f", it->scene, it->bodies,
             1000 * found->mean, 1000 * found->worst, 1000 * it->paper,
             it->paper / fmax(LEAST, found->mean));
}

/* Claims that a step takes a hundredth of the paper's time.  Short runs, which
 * end before the bodies touch, claim nothing. */
static void claim_speed(page *to, const struct run *it, const finding *found)
{
    char what[64], paper[32];
    claim speed = {what, paper, 1000 * found->mean, AT_MOST, 10 * it->paper};

    snprintf(what, sizeof what, "%s, mean of a step, ms", it->scene);
    snprintf(paper, sizeof paper, "%.0f ms in 2013", 1000 * it->paper);
    page_claim(to, &speed);
}

bool run_shells(page *to)
{
    static finding found[RUNS];
    uint32_t steps = to->is_quick ? 12 : STEPS;

    page_text(to, "%u steps of 1/24 s; ms a step", (unsigned)steps);
    page_table(to, "scene|bodies|mean|worst|paper|ratio");
    for (int i = 0; i < RUNS; i++) {
        if (!take_run(&runs[i], steps, &found[i]))
            return false;
        write_run(to, &runs[i], &found[i]);
    }
    page_table_end(to);
    draw_panels(to, found, steps);
    for (int i = 0; i < RUNS && !to->is_quick; i++)
        claim_speed(to, &runs[i], &found[i]);
    return true;
}
