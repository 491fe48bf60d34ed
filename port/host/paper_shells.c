/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: one run, panels, files, the table. */

#include "paper_shells.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "plot.h"
#include "port/measure/simulation.h"

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

static double seconds_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool take_run(const struct run *it, uint32_t steps, finding *out)
{
    simulation_options options = simulation_options_default();
    scene_run run;

    if (!simulation_start(&run, it->scene, &options))
        return false;
    out->mean = out->worst = 0;
    for (uint32_t i = 0; i < steps; i++) {
        double start = seconds_now();

        if (scene_step(&run, i) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", it->scene);
            return false;
        }
        out->seconds[i] = seconds_now() - start;
        out->contacts[i] = (int)vsp_world_stats(run.world).contact_count;
        out->mean += out->seconds[i] / steps;
        out->worst = fmax(out->worst, out->seconds[i]);
    }
    return true;
}


/* ---- Panels and files ---------------------------------------------------- */

#define LEAST 1e-5 /* s: the axis is logarithmic */

static void add_point(plot_curve *curve, double x, double y)
{
    plot_point at = {x, fmax(LEAST, y)};

    curve->points[curve->count++] = at;
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

static bool write_svg(const char *directory, const finding *found,
                      uint32_t steps)
{
    static plot_panel panels[2];
    FILE *out = plot_open(directory, "shells.svg");

    if (!out)
        return false;
    fill_scaling(found, &panels[0]);
    fill_course(found, steps, &panels[1]);
    plot_write(out, panels, 2, 2);
    return plot_close(out, directory, "shells.svg");
}

static bool write_csv(const char *directory, const finding *found,
                      uint32_t steps)
{
    FILE *out = plot_open(directory, "shells.csv");

    if (!out)
        return false;
    fprintf(out, "scene,bodies,step,seconds,contacts\n");
    for (int i = 0; i < RUNS; i++)
        for (uint32_t k = 0; k < steps; k++)
            fprintf(out, "%s,%d,%u,%.6f,%d\n", runs[i].scene, runs[i].bodies,
                    (unsigned)k, found[i].seconds[k], found[i].contacts[k]);
    return plot_close(out, directory, "shells.csv");
}


/* ---- The table ----------------------------------------------------------- */

static void print_run(const struct run *it, const finding *found)
{
    printf("%-10s %6d %9.1f %9.1f %9.0f %9.0f\n", it->scene, it->bodies,
           1000 * found->mean, 1000 * found->worst, 1000 * it->paper,
           it->paper / fmax(LEAST, found->mean));
    fflush(stdout);
}

bool paper_shells(const char *directory, uint32_t steps)
{
    static finding found[RUNS];

    steps = steps == 0 || steps > STEPS ? STEPS : steps;
    if (!plot_begin(directory, "shells.csv") ||
        !plot_begin(directory, "shells.svg"))
        return false;
    printf("%u steps of 1/24 s; ms a step\n", (unsigned)steps);
    printf("%-10s %6s %9s %9s %9s %9s\n", "scene", "bodies", "mean", "worst",
           "paper", "ratio");
    for (int i = 0; i < RUNS; i++) {
        if (!take_run(&runs[i], steps, &found[i]))
            return false;
        print_run(&runs[i], &found[i]);
    }
    return write_csv(directory, found, steps) &&
           write_svg(directory, found, steps);
}
