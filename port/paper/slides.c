/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The slides: drift after 4 s by number of iterations; a stack of boxes by ISP
 * and VSP; balls at 2, 4, 6 and 8 s. */

#include "experiments.h"
#include "literal.h"
#include "watch.h"

#define LOOK 10 /* steps between two points of a curve */

enum { STACKS = 3, COUNTS = 4 };

static const char *const stacks[STACKS] = {"box-stack", "wall", "tower"};
static const int counts[COUNTS] = {10, 20, 50, 100}; /* slides: 10, 100 */

enum { GRID, STACK_DRIFT, STACK_ENERGY, PANELS };


/* ---- Convergence after 4 s ----------------------------------------------- */

/* Runs a stack by plain PGS.  Returns its drift, mm; below 0, and prints why on
 * stderr, if that failed. */
static double drift_by_sweeps(const char *stack, int sweeps, uint32_t steps)
{
    static watch it;
    literal_setting setting = {
        .method = LITERAL_PGS, .sweeps = sweeps, .corrections = 5};
    vsp_world_def def = contact_detector_def(stack);

    if (!watch_start(&it, stack, &def))
        return -1;
    literal_begin(&setting);
    it.advance = literal_step;
    return watch_run(&it, steps) ? 1e3 * watch_look(&it).drift : -1;
}

/* Quick runs measure two numbers of iterations, for 0.3 s. */
static bool fill_grid(page *to, plot_panel *panel)
{
    uint32_t steps = to->is_quick ? 30 : 400;

    panel->title = to->is_quick ? "drift after 0.3 s" : "drift after 4 s";
    panel->x_label = "iterations of plain PGS";
    panel->y_label = "mm";
    panel->x_high = 100;
    panel->x_tick = 25;
    panel->count = STACKS;
    for (int i = 0; i < STACKS; i++) {
        panel->curves[i].name = stacks[i];
        for (int k = 0; k < COUNTS; k += to->is_quick ? 3 : 1) {
            double drift = drift_by_sweeps(stacks[i], counts[k], steps);

            if (drift < 0)
                return false;
            plot_add(&panel->curves[i], counts[k], fmax(1e-3, drift));
        }
    }
    return true;
}


/* ---- A stack by ISP and VSP ---------------------------------------------- */

static const struct method {
    const char *name;
    bool is_literal;
    literal_setting setting;
} methods[] = {
    {"ISP (Guendelman 2003)", true, {.method = LITERAL_ISP}},
    {"VSP as printed", true, LITERAL_AS_PRINTED},
    {"our CARRY", false, {.method = 0}},
};

#define METHODS (int)(sizeof methods / sizeof methods[0])

static bool run_stack(page *to, int method, plot_panel *panels)
{
    static watch it;
    const struct method *how = &methods[method];
    vsp_world_def def = how->is_literal
                            ? contact_detector_def(stacks[0])
                            : watch_def(stacks[0], VSP_STEPPER_CARRY);
    uint32_t end = to->is_quick ? 200 : 800;

    def.enable_sleep = false;
    panels[STACK_DRIFT].curves[method].name = how->name;
    panels[STACK_ENERGY].curves[method].name = how->name;
    if (!watch_start(&it, stacks[0], &def))
        return false;
    literal_begin(&how->setting);
    if (how->is_literal)
        it.advance = literal_step;
    for (uint32_t step = LOOK; step <= end; step += LOOK) {
        sight now;

        if (!watch_run(&it, step))
            return false;
        now = watch_look(&it);
        plot_add(&panels[STACK_DRIFT].curves[method], step * it.dt,
                 fmax(1e-3, 1e3 * now.drift));
        plot_add(&panels[STACK_ENERGY].curves[method], step * it.dt,
                 fmax(1e-9, now.kinetic));
    }
    return true;
}

static bool fill_stack(page *to, plot_panel *panels)
{
    panels[STACK_DRIFT].title = "stack of 25 boxes: drift";
    panels[STACK_DRIFT].y_label = "mm";
    panels[STACK_ENERGY].title = "stack of 25 boxes: kinetic energy";
    panels[STACK_ENERGY].y_label = "J";
    for (int i = STACK_DRIFT; i <= STACK_ENERGY; i++) {
        panels[i].x_label = "time, s";
        panels[i].x_high = to->is_quick ? 2 : 8;
        panels[i].x_tick = panels[i].x_high / 4;
        panels[i].count = METHODS;
    }
    for (int i = 0; i < METHODS; i++)
        if (!run_stack(to, i, panels))
            return false;
    return true;
}


/* ---- Balls --------------------------------------------------------------- */

#define BALLS "silo:1000"

/* Pictures at 2, 4, 6 and 8 s; of quick runs, at 0.3 s. */
static bool draw_balls(page *to)
{
    static watch it;
    const bounds frame = {{-6, 0, -6}, {6, 12, 6}};
    vsp_world_def def = watch_def(BALLS, VSP_STEPPER_CARRY);
    render_options options = render_options_default();
    uint32_t span = to->is_quick ? 30 : 200;
    char caption[64];

    options.width = options.height = 320;
    options.elevation = 55;
    if (!watch_start(&it, BALLS, &def))
        return false;
    page_pictures(to);
    for (int i = 1; i <= (to->is_quick ? 1 : 4); i++) {
        if (!watch_run(&it, (uint32_t)i * span))
            return false;
        snprintf(caption, sizeof caption, "1,000 balls in a silo after %.1f s",
                 it.step * it.dt);
        watch_draw(&it, to, &frame, &options, caption);
    }
    page_pictures_end(to);
    return true;
}

static double last_value(const plot_curve *curve)
{
    return curve->points[curve->count - 1].y;
}

/* Claims that a stack drifts less with most iterations than with fewest. */
static void claim_grid(page *to, const plot_curve *curve)
{
    const plot_point *end = &curve->points[curve->count - 1];
    char what[96];
    claim it = {what, "10 against 100: better", end->y / curve->points[0].y,
                AT_MOST, 1};

    snprintf(what, sizeof what,
             "%s: drift with %.0f iterations over that of "
             "%.0f",
             curve->name, end->x, curve->points[0].x);
    page_claim(to, &it);
}

static void write_claims(page *to, const plot_panel *panels)
{
    const plot_curve *drifts = panels[STACK_DRIFT].curves;
    claim vsp = {"stack of 25, VSP as printed: drift at the end, mm", "stands",
                 last_value(&drifts[1]), AT_MOST, 10};
    claim isp = {"stack of 25, ISP: drift at the end, mm", "ours: stands",
                 last_value(&drifts[0]), AT_MOST, 500};
    claim falls = {"stack of 25, 100 iterations of PGS: drift after 4 s, mm",
                   "falls", last_value(&panels[GRID].curves[0]), AT_LEAST, 500};

    page_claim(to, &vsp);
    page_claim(to, &isp);
    for (int i = 1; i < STACKS; i++)
        claim_grid(to, &panels[GRID].curves[i]);
    if (!to->is_quick)
        page_claim(to, &falls);
}

bool run_slides(page *to)
{
    static plot_panel panels[PANELS];

    page_text(to,
              "Pictures of the roof tower at 2, 4, 6 and 8 s: vsp-isp; of "
              "the animals at 1, 2, 3 and 4 s: vsp-animals; of the stacks "
              "after 4 s with 10 and 100 iterations: vsp-iterations. Balls on "
              "letters: vsp-animals; here they fall into a silo.");
    if (!draw_balls(to) || !fill_grid(to, &panels[GRID]) ||
        !fill_stack(to, panels))
        return false;
    page_plots(to, "slides", panels, PANELS, 3);
    write_claims(to, panels);
    return true;
}
