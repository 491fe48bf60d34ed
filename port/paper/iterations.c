/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Figures 9 to 11: the iterative solver alone, without shock propagation, by
 * the number of its iterations. */

#include "experiments.h"
#include "literal.h"
#include "watch.h"

#define LOOK 4    /* steps between two points of a curve */
#define STOP 1e-9 /* N s */

/* A run of a stack. */
static const struct trial {
    const char *scene;
    int sweeps;
    uint32_t steps, quick_steps; /* of 0.01 s; 0: no run */
    bool is_drawn;
} trials[] = {
    {"box-stack", 10, 400, 100, true},  {"box-stack", 100, 400, 100, true},
    {"box-stack", 1000, 400, 40, true}, {"box-stack", 10000, 80, 0, false},
    {"box-stack", 100000, 8, 0, false}, {"wall", 10, 400, 40, true},
    {"wall", 100, 400, 40, true},       {"tower", 10, 400, 60, true},
    {"tower", 100, 400, 40, true},
};

#define TRIALS (int)(sizeof trials / sizeof trials[0])

typedef struct finding {
    sight end;
    double speed;      /* m/s: of the fastest body at the end */
    double sweeps, ms; /* of a step */
} finding;

enum { BOX_STACK, WALL, TOWER, PANELS };

static int panel_of(const struct trial *it)
{
    return it->scene[0] == 'b' ? BOX_STACK : it->scene[0] == 'w' ? WALL : TOWER;
}

static uint32_t steps_of(const page *to, const struct trial *it)
{
    return to->is_quick ? it->quick_steps : it->steps;
}


/* ---- A run --------------------------------------------------------------- */

static bool start_trial(watch *it, const struct trial *from)
{
    literal_setting setting = {.method = LITERAL_PGS,
                               .sweeps = from->sweeps,
                               .corrections = 5,
                               .stop = STOP};
    vsp_world_def def = contact_detector_def(from->scene);

    if (!watch_start(it, from->scene, &def))
        return false;
    literal_begin(&setting);
    it->advance = literal_step;
    return true;
}

static plot_curve *next_curve(plot_panel *panel, const struct trial *from)
{
    static char names[TRIALS][32];
    plot_curve *curve = &panel->curves[panel->count++];
    char *name = names[from - trials];

    snprintf(name, sizeof names[0], "%d iterations", from->sweeps);
    curve->name = name;
    return curve;
}

static void draw_trial(page *to, const watch *it, const struct trial *from,
                       const bounds *frame)
{
    render_options options = render_options_default();
    char caption[96];

    options.width = options.height = 320;
    snprintf(caption, sizeof caption, "%s, %d iterations, after %.2f s",
             from->scene, from->sweeps, it->step * it->dt);
    watch_draw(it, to, frame, &options, caption);
}

static bool take_trial(page *to, const struct trial *from, finding *out,
                       plot_panel *panel)
{
    static watch it;
    plot_curve *curve = next_curve(panel, from);
    bounds frame;

    if (!start_trial(&it, from))
        return false;
    frame = render_bounds(it.run.world);
    for (uint32_t step = LOOK; step <= steps_of(to, from); step += LOOK) {
        if (!watch_run(&it, step))
            return false;
        out->end = watch_look(&it);
        plot_add(curve, step * it.dt, fmax(1e-3, 1e3 * out->end.drift));
    }
    out->speed = watch_speed(&it);
    out->sweeps = literal_sweeps() / it.step;
    out->ms = it.total_ms / it.step;
    if (from->is_drawn)
        draw_trial(to, &it, from, &frame);
    return true;
}


/* ---- Report -------------------------------------------------------------- */

static void label_panels(page *to, plot_panel *panels)
{
    static const char *const titles[PANELS] = {"box stack of 25 (figure 9)",
                                               "wall of 200 (figure 10)",
                                               "tower of 320 (figure 11)"};

    for (int i = 0; i < PANELS; i++) {
        panels[i].title = titles[i];
        panels[i].x_label = "time, s";
        panels[i].y_label = "drift, mm";
        panels[i].x_high = to->is_quick ? 1 : 4;
        panels[i].x_tick = panels[i].x_high / 4;
    }
}

static void write_table(page *to, const finding *found)
{
    page_table(to, "stack, iterations|time, s|made a step|drift, mm|sunk, mm|"
                   "overlap, mm|moved over 0.5 m|ms a step");
    for (int i = 0; i < TRIALS; i++) {
        const struct trial *it = &trials[i];
        const sight *end = &found[i].end;

        if (steps_of(to, it) > 0)
            page_row(to, "%s, %d|%.2f|%.0f|%.1f|%.1f|%.2f|%d of %d|%.2f",
                     it->scene, it->sweeps, steps_of(to, it) * 0.01,
                     found[i].sweeps, 1e3 * end->drift, 1e3 * end->sink,
                     1e3 * end->penetration, end->moved, end->tracked,
                     found[i].ms);
    }
    page_table_end(to);
}

static void claim_trial(page *to, const struct trial *from, double ours,
                        const char *what, const char *paper, relation way,
                        double bound)
{
    char words[96];
    claim it = {words, paper, ours, way, bound};

    snprintf(words, sizeof words, "%s, %d iterations, %.1f s: %s", from->scene,
             from->sweeps, steps_of(to, from) * 0.01, what);
    page_claim(to, &it);
}

/* Claims of figures 9 to 11, at the paper's 4 s. */
static void write_claims(page *to, const finding *found)
{
    static const char drift[] = "drift, mm", moved[] = "moved over 0.5 m";
    const char *no = "slow convergence, falls";

    for (int i = 0; i < TRIALS; i++) {
        const struct trial *it = &trials[i];

        if (it->sweeps == 10 || it->scene[0] == 'b')
            continue;
        claim_trial(to, it, found[i].end.moved, moved, "acceptable", AT_MOST,
                    0.1 * found[i].end.tracked);
    }
    if (to->is_quick)
        return;
    for (int i = 0; i < TRIALS; i++) {
        const struct trial *it = &trials[i];

        if (it->sweeps > 1000 && it->scene[0] == 'b')
            claim_trial(to, it, 1e3 * found[i].speed, "speed, mm/s",
                        "does not come to rest, not even by 100,000 iterations",
                        AT_LEAST, 0.5);
        else if (it->sweeps == 10 || it->scene[0] == 'b')
            claim_trial(to, it, 1e3 * found[i].end.drift, drift, no, AT_LEAST,
                        500);
    }
}

bool run_iterations(page *to)
{
    static finding found[TRIALS];
    static plot_panel panels[PANELS];

    label_panels(to, panels);
    page_text(to, "dynamics(dt) and correction() over all bodies, as printed "
                  "(see vsp-literal), dt = 0.01 s; 5 iterations of correction. "
                  "Iterations end early where one changes no impulse by more "
                  "than 1e-9 N s. 10,000 and 100,000 iterations are run for "
                  "shorter times, since a step takes up to a second, and on "
                  "the box stack alone, of which the paper says it. With ten "
                  "times as many the stack of 25 moves more slowly, "
                  "but moves.");
    page_pictures(to);
    for (int i = 0; i < TRIALS; i++)
        if (steps_of(to, &trials[i]) > 0 &&
            !take_trial(to, &trials[i], &found[i],
                        &panels[panel_of(&trials[i])]))
            return false;
    page_pictures_end(to);
    write_table(to, found);
    page_plots(to, "iterations", panels, PANELS, 3);
    write_claims(to, found);
    return true;
}
