/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Four panels, in this order: one run, its measured quantities, series of runs,
 * files, the table. */

#include "paper_range.h"

#include <math.h>
#include <stdio.h>

#include "plot.h"
#include "port/measure/simulation.h"
#include "port/vec.h"

#define HOOK 5.5     /* height of the hook of `weight`, m */
#define LENGTH 4.4   /* of the chain, to the middle of its load, m */
#define GRAVITY 9.81 /* m/s^2 */
#define TIME 2.0     /* of a run, s */
#define LEAST                                                      \
    1e-6 /* m: floats of scenes of some metres have no more places \
          */


/* ---- A run --------------------------------------------------------------- */

typedef struct trial {
    const char *scene;
    vsp_stepper stepper;
    double sweeps, hertz;
    bool is_long_range; /* is with ranges and hinge loops */
} trial;

/* The results of a run, m. */
typedef struct finding {
    double stretch; /* of the chain, over its length */
    double lift;    /* of the load, over the height of its energy at the
                     * start */
    double sag;     /* of the ring */
} finding;

static vec3 place_of(const vsp_world *world, uint32_t slot)
{
    return vec_from(vsp_body_center(world, vsp_body_at(world, slot)));
}

/* Returns the slot of the heaviest body. */
static uint32_t find_load(const vsp_world *world)
{
    uint32_t load = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++)
        if (vsp_body_mass(world, vsp_body_at(world, slot)) >
            vsp_body_mass(world, vsp_body_at(world, load)))
            load = slot;
    return load;
}

/* The height to which a body's energy could lift it, m. */
static double height_of_energy(const vsp_world *world, uint32_t slot)
{
    vec3 v = vec_from(vsp_body_velocity(world, vsp_body_at(world, slot)));

    return place_of(world, slot).y + vec_dot(v, v) / (2 * GRAVITY);
}

static double worst_sag(const vsp_world *world, const double *from)
{
    double most = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++)
        if (vsp_body_at(world, slot).bits != 0)
            most = fmax(most, fabs(place_of(world, slot).y - from[slot]));
    return most;
}

static bool run_trial(const trial *it, finding *out)
{
    static double from[VSP_MAX_BODIES];
    vsp_world_def def = vsp_world_def_default();
    scene_run run;
    uint32_t load;
    double start;

    def.stepper = it->stepper;
    def.sweeps = (uint32_t)it->sweeps;
    def.dt = scene_real(1.0 / it->hertz);
    def.enable_sleep = false;
    def.enable_ranges = def.enable_hinge_loops = it->is_long_range;
    if (!simulation_start_in(&run, it->scene, &def))
        return false;
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++)
        from[slot] = place_of(run.world, slot).y;
    load = find_load(run.world);
    start = height_of_energy(run.world, load);
    out->stretch = out->lift = out->sag = 0;
    for (uint32_t i = 0; i < (uint32_t)(TIME * it->hertz + 0.5); i++) {
        vec3 way;

        if (scene_step(&run, i) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", it->scene);
            return false;
        }
        way = vec_sub(place_of(run.world, load), vec_make(0, HOOK, 0));
        out->stretch = fmax(out->stretch, sqrt(vec_dot(way, way)) - LENGTH);
        out->lift = fmax(out->lift, height_of_energy(run.world, load) - start);
        out->sag = fmax(out->sag, worst_sag(run.world, from));
    }
    return true;
}


/* ---- Experiments --------------------------------------------------------- */

typedef enum quantity {
    SWEEPS,
    RATIO,
    HERTZ,
    RING_SWEEPS,
    QUANTITIES
} quantity;

static const struct experiment {
    const char *name, *title, *x_label, *y_label;
    double x_low, x_high, x_tick;
    double values[10]; /* up to a 0 */
} experiments[QUANTITIES] = {
    [SWEEPS] = {"sweeps",
                "load of 1,000 links on 20",
                "sweeps",
                "stretch, m",
                1,
                1000,
                1,
                {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}},
    [RATIO] = {"ratio",
               "20 sweeps",
               "mass of load in links",
               "stretch, m",
               10,
               100000,
               1,
               {10, 30, 100, 300, 1000, 3000, 10000, 30000}},
    [HERTZ] = {"rate",
               "load of 1,000 links on 20",
               "steps a second",
               "energy gained, m of lift",
               25,
               200,
               0.30103,
               {25, 30, 40, 50, 60, 80, 100, 150, 200}},
    [RING_SWEEPS] = {"ring",
                     "ring of 132, held by a link",
                     "sweeps",
                     "sag, m",
                     1,
                     100,
                     1,
                     {1, 2, 5, 10, 20, 50, 100}},
};

/* of each panel: PGS and CARRY, each without and with ranges */
static const struct method {
    const char *name, *legend;
    vsp_stepper stepper;
    bool is_long_range;
} methods[PLOT_CURVES] = {
    {"pgs", "PGS", VSP_STEPPER_PGS, false},
    {"pgs-long", "PGS, long range", VSP_STEPPER_PGS, true},
    {"carry", "CARRY", VSP_STEPPER_CARRY, false},
    {"carry-long", "CARRY, long range", VSP_STEPPER_CARRY, true},
};

/* Measures one point; its value is at least LEAST, as the axis is in
 * decades. */
static bool take_point(quantity what, const struct method *method, double value,
                       plot_point *point)
{
    trial it = {"weight:1000", method->stepper, 20, 100, method->is_long_range};
    char name[32];
    finding out;

    if (what == SWEEPS || what == RING_SWEEPS)
        it.sweeps = value;
    if (what == HERTZ)
        it.hertz = value;
    snprintf(name, sizeof name, "weight:%.0f", value);
    if (what == RATIO)
        it.scene = name;
    if (what == RING_SWEEPS)
        it.scene = "ring";
    if (!run_trial(&it, &out))
        return false;
    point->x = value;
    point->y = fmax(LEAST, what == HERTZ         ? out.lift
                           : what == RING_SWEEPS ? out.sag
                                                 : out.stretch);
    return true;
}

static bool fill_panel(quantity what, plot_panel *panel)
{
    const struct experiment *from = &experiments[what];

    panel->title = from->title;
    panel->x_label = from->x_label;
    panel->y_label = from->y_label;
    panel->is_x_log = true;
    panel->x_low = from->x_low;
    panel->x_high = from->x_high;
    panel->x_tick = from->x_tick;
    panel->count = PLOT_CURVES;
    for (int i = 0; i < PLOT_CURVES; i++) {
        plot_curve *to = &panel->curves[i];

        to->name = methods[i].legend;
        for (to->count = 0; to->count < 10 && from->values[to->count] > 0;
             to->count++)
            if (!take_point(what, &methods[i], from->values[to->count],
                            &to->points[to->count]))
                return false;
    }
    return true;
}


/* ---- The table and files ------------------------------------------------- */

static void print_panel(quantity what, const plot_panel *panel)
{
    printf("%s: %s\n%10s", experiments[what].title, experiments[what].y_label,
           experiments[what].name);
    for (int i = 0; i < panel->count; i++)
        printf(" %18s", panel->curves[i].name);
    printf("\n");
    for (int k = 0; k < panel->curves[0].count; k++) {
        printf("%10g", panel->curves[0].points[k].x);
        for (int i = 0; i < panel->count; i++)
            printf(" %18.3g", panel->curves[i].points[k].y);
        printf("\n");
    }
    fflush(stdout);
}

static bool write_csv(const char *directory, const plot_panel *panels)
{
    FILE *out = plot_open(directory, "range.csv");

    if (!out)
        return false;
    fprintf(out, "experiment,method,value,m\n");
    for (int p = 0; p < QUANTITIES; p++)
        for (int i = 0; i < panels[p].count; i++)
            for (int k = 0; k < panels[p].curves[i].count; k++)
                fprintf(out, "%s,%s,%g,%.6g\n", experiments[p].name,
                        methods[i].name, panels[p].curves[i].points[k].x,
                        panels[p].curves[i].points[k].y);
    return plot_close(out, directory, "range.csv");
}

static bool write_svg(const char *directory, const plot_panel *panels)
{
    FILE *out = plot_open(directory, "range.svg");

    if (!out)
        return false;
    plot_write(out, panels, QUANTITIES, 2);
    return plot_close(out, directory, "range.svg");
}

bool paper_range(const char *directory)
{
    static plot_panel panels[QUANTITIES];

    for (int i = 0; i < QUANTITIES; i++) {
        if (!fill_panel((quantity)i, &panels[i]))
            return false;
        print_panel((quantity)i, &panels[i]);
    }
    return write_csv(directory, panels) && write_svg(directory, panels);
}
