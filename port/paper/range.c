/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Eight panels, in this order: one run, the quantities to measure, their series
 * of runs, those of towers, tables. */

#include "experiments.h"

#include <math.h>
#include <stdio.h>

#include "port/measure/simulation.h"
#include "port/vec.h"

#define HOOK 5.5     /* height of the hook of `weight`, m */
#define LENGTH 4.4   /* length of the chain, hook to load's centre, m */
#define GRAVITY 9.81 /* m/s^2 */
#define TIME 2.0     /* duration of a run, s */
#define LEAST 1e-6   /* m: float positions of some metres resolve no less */


/* ---- A run --------------------------------------------------------------- */

typedef struct trial {
    const char *scene;
    vsp_stepper stepper;
    double sweeps, hertz;
    bool is_long_range; /* whether ranges and hinge loops are enabled */
} trial;

/* The largest values of a run, m. */
typedef struct finding {
    double stretch; /* distance of the load from the hook, beyond LENGTH */
    double lift;    /* rise of height_of_energy of the load */
    double sag;     /* change of the height of any link of the ring */
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

/* Returns the height that a body would reach if its speed were all upward,
 * m. */
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


/* ---- Series ----------------------------------------------------------- */

typedef enum quantity {
    SWEEPS,
    RATIO,
    HERTZ,
    RING_SWEEPS,
    EXACT_DRIFT, /* first of the panels of towers, whose bricks are placed
                  * exactly */
    DRIFT,       /* bricks are displaced by millimetres */
    DEPTH,
    SUPPORTED,
    QUANTITIES
} quantity;

/* what all panels of towers share */
#define TOWER_AXIS(title, label)           \
    title, "rings", label, 5, 80, 0.30103, \
    {                                      \
        5, 10, 20, 40, 62                  \
    }

static const struct quantity_series {
    const char *name, *title, *x_label, *y_label;
    double x_low, x_high, x_tick;
    double values[10]; /* values of the x axis, up to a 0 */
} series[QUANTITIES] = {
    [SWEEPS] = {"sweeps",
                "load of 10,000 links on 20 (figure 14)",
                "sweeps",
                "stretch, m",
                1,
                1000,
                1,
                {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}},
    [RATIO] = {"ratio",
               "the same, 10 sweeps",
               "mass of load in links",
               "stretch, m",
               10,
               100000,
               1,
               {10, 30, 100, 300, 1000, 3000, 10000, 30000}},
    [HERTZ] = {"rate",
               "load of 1,000 links on 20, 20 sweeps",
               "steps a second",
               "energy gained, m of lift",
               25,
               200,
               0.30103,
               {25, 30, 40, 50, 60, 80, 100, 150, 200}},
    [RING_SWEEPS] = {"ring",
                     "ring of 132, held by a link (figure 13)",
                     "sweeps",
                     "sag, m",
                     1,
                     100,
                     1,
                     {1, 2, 5, 10, 20, 50, 100}},
    [EXACT_DRIFT] = {"exact-drift", TOWER_AXIS("exact tower", "drift, m")},
    [DRIFT] = {"drift", TOWER_AXIS("inexact tower", "drift, m")},
    [DEPTH] = {"depth", TOWER_AXIS("the same", "deepest overlap, m")},
    [SUPPORTED] = {"supported", TOWER_AXIS("the same", "bricks supported")},
};

typedef struct method {
    const char *name, *legend;
    vsp_stepper stepper;
    bool is_long_range; /* for towers: whether supports are enabled */
} method;

/* Curves of a panel: PGS and CARRY, each without and with ranges. */
#define METHODS 4

static const method methods[METHODS] = {
    {"pgs", "PGS", VSP_STEPPER_PGS, false},
    {"pgs-long", "PGS, long range", VSP_STEPPER_PGS, true},
    {"carry", "CARRY", VSP_STEPPER_CARRY, false},
    {"carry-long", "CARRY, long range", VSP_STEPPER_CARRY, true},
};

/* Curves of a panel of towers: section 3.6 of the paper. */
#define TOWER_METHODS 3

static const method tower_methods[TOWER_METHODS] = {
    {"pgs", "PGS", VSP_STEPPER_PGS, false},
    {"pgs-supports", "PGS, supports", VSP_STEPPER_PGS, true},
    {"carry", "CARRY", VSP_STEPPER_CARRY, false},
};

static const method *method_of(quantity what, int curve)
{
    return what < EXACT_DRIFT ? &methods[curve] : &tower_methods[curve];
}

/* Measures one point.  Its y is at least LEAST, since the axis is
 * logarithmic. */
static bool take_point(quantity what, const method *how, double value,
                       plot_point *point)
{
    trial it = {"weight:10000", how->stepper, 10, 100, how->is_long_range};
    char name[32];
    finding out;

    if (what == SWEEPS || what == RING_SWEEPS)
        it.sweeps = value;
    if (what == HERTZ) {
        it.scene = "weight:1000";
        it.sweeps = 20;
        it.hertz = value;
    }
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

static void label_panel(quantity what, plot_panel *panel)
{
    const struct quantity_series *from = &series[what];

    panel->title = from->title;
    panel->x_label = from->x_label;
    panel->y_label = from->y_label;
    panel->is_x_log = true;
    panel->x_low = from->x_low;
    panel->x_high = from->x_high;
    panel->x_tick = from->x_tick;
    panel->count = what < EXACT_DRIFT ? METHODS : TOWER_METHODS;
    for (int i = 0; i < panel->count; i++)
        panel->curves[i].name = method_of(what, i)->legend;
}

/* Claims about the point of a curve with this x. */
static const struct point_claim {
    quantity what;
    int curve;
    double x;
    const char *paper;
    relation relation;
    double bound;
} point_claims[] = {
    {SWEEPS, 0, 10, "substantial stretch with 10", AT_LEAST, 1},
    {SWEEPS, 0, 1000, "on the floor even with 1,000", AT_LEAST, 0.1},
    {SWEEPS, 1, 10, "the chain keeps its length with 10", AT_MOST, 0.001},
    {SWEEPS, 3, 10, "the chain keeps its length with 10", AT_MOST, 0.001},
    {RATIO, 1, 30000, "ours: the same beyond 1:10,000", AT_MOST, 0.001},
    {HERTZ, 2, 60, "ours: correction lifts the load", AT_LEAST, 0.3},
    {HERTZ, 3, 30, "ours: ranges do not lift it", AT_MOST, 0.005},
    {RING_SWEEPS, 0, 5, "completely floppy with 5", AT_LEAST, 1},
    {RING_SWEEPS, 0, 100, "still far from correct with 100", AT_LEAST, 1},
    {RING_SWEEPS, 1, 5, "planar with only 5", AT_MOST, 1e-4},
    {RING_SWEEPS, 3, 5, "planar with only 5", AT_MOST, 1e-4},
    {DRIFT, 0, 20, "ours: bricks drift without supports", AT_LEAST, 0.001},
    {DRIFT, 1, 20, "supported bodies are kept in position", AT_MOST, 0.001},
    {DRIFT, 1, 62, "supported bodies are kept in position", AT_MOST, 0.001},
    {DRIFT, 2, 20, "ours: the default stands", AT_MOST, 1e-5},
    {DRIFT, 2, 62, "ours: the default stands", AT_MOST, 1e-5},
    {SUPPORTED, 2, 20, "ours: bricks at rest are found", AT_LEAST, 300},
};

/* Returns whether a point is measured: quick runs measure those of claims. */
static bool is_wanted(quantity what, int curve, double x, bool is_quick)
{
    for (size_t i = 0; i < sizeof point_claims / sizeof point_claims[0]; i++)
        if (point_claims[i].what == what && point_claims[i].curve == curve &&
            point_claims[i].x == x)
            return true;
    return !is_quick;
}

static bool fill_curve(quantity what, int index, bool is_quick, plot_curve *to)
{
    const double *values = series[what].values;

    to->count = 0;
    for (int i = 0; i < 10 && values[i] > 0; i++)
        if (is_wanted(what, index, values[i], is_quick) &&
            !take_point(what, &methods[index], values[i],
                        &to->points[to->count++]))
            return false;
    return true;
}

static bool fill_panel(quantity what, bool is_quick, plot_panel *panel)
{
    label_panel(what, panel);
    for (int i = 0; i < METHODS; i++)
        if (!fill_curve(what, i, is_quick, &panel->curves[i]))
            return false;
    return true;
}


/* ---- Towers -------------------------------------------------------------- */

#define TOWER_STEPS 500 /* of 10 ms, so 5 s */

static double count_supported(vsp_world *world)
{
    double count = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++)
        if (vsp_body_is_supported(world, vsp_body_at(world, slot)))
            count++;
    return count;
}

/* Returns the deepest overlap of the contacts of the last step, m. */
static double deepest_contact(const vsp_world *world)
{
    vsp_contact contact;
    double depth = 0;

    for (uint32_t i = 0; vsp_contact_get(world, i, &contact) == VSP_OK; i++)
        for (uint32_t k = 0; k < contact.point_count; k++)
            depth = fmax(depth, -vsp_to_double(contact.points[k].separation));
    return depth;
}

/* Returns the largest horizontal displacement of any body since the start,
 * m. */
static double worst_drift(const vsp_world *world, const vec3 *from)
{
    double most = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vec3 way = vec_sub(place_of(world, slot), from[slot]);

        if (vsp_body_at(world, slot).bits != 0)
            most = fmax(most, hypot(way.x, way.z));
    }
    return most;
}

/* Runs a tower. out: its drift, m; the deepest overlap at the end, m; and the
 * mean number of supported bricks. */
static bool run_tower(const method *how, const char *scene_name, double out[3])
{
    static vec3 from[VSP_MAX_BODIES];
    vsp_world_def def = vsp_world_def_default();
    scene_run run;

    def.stepper = how->stepper;
    def.enable_supports = how->is_long_range;
    def.dt = scene_real(0.01);
    def.enable_sleep = false;
    if (!simulation_start_in(&run, scene_name, &def))
        return false;
    out[2] = 0;
    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++)
        from[slot] = place_of(run.world, slot);
    for (uint32_t i = 0; i < TOWER_STEPS; i++) {
        if (scene_step(&run, i) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", scene_name);
            return false;
        }
        out[2] += count_supported(run.world) / TOWER_STEPS;
    }
    out[0] = worst_drift(run.world, from);
    out[1] = deepest_contact(run.world);
    return true;
}

static void add_tower_point(plot_curve *curve, double rings, double value)
{
    plot_add(curve, rings, fmax(LEAST, value));
}

/* Adds a point to each panel of towers, for method i; has_exact: to that of
 * exact towers, too. */
static bool take_tower(int i, double rings, bool has_exact, plot_panel *panels)
{
    char name[32];
    double out[3];

    snprintf(name, sizeof name, "tower:%.0f", rings);
    if (has_exact && !run_tower(&tower_methods[i], name, out))
        return false;
    if (has_exact)
        add_tower_point(&panels[EXACT_DRIFT].curves[i], rings, out[0]);
    snprintf(name, sizeof name, "tower:%.0f~1", rings);
    if (!run_tower(&tower_methods[i], name, out))
        return false;
    for (int p = DRIFT; p < QUANTITIES; p++)
        add_tower_point(&panels[p].curves[i], rings, out[p - DRIFT]);
    return true;
}

/* Fills all panels of towers. */
static bool fill_towers(bool is_quick, plot_panel *panels)
{
    const double *rings = series[DRIFT].values;

    for (int p = EXACT_DRIFT; p < QUANTITIES; p++)
        label_panel((quantity)p, &panels[p]);
    for (int i = 0; i < TOWER_METHODS; i++)
        for (int k = 0; rings[k] > 0; k++)
            if ((is_wanted(DRIFT, i, rings[k], is_quick) ||
                 is_wanted(SUPPORTED, i, rings[k], is_quick)) &&
                !take_tower(i, rings[k], !is_quick || rings[k] <= 20, panels))
                return false;
    return true;
}


/* ---- The tables ---------------------------------------------------------- */

/* Returns y at x, or NaN if the curve has no such point. */
static double value_at(const plot_curve *from, double x)
{
    for (int i = 0; i < from->count; i++)
        if (from->points[i].x == x)
            return from->points[i].y;
    return NAN;
}

static void write_head(page *to, quantity what, const plot_panel *panel)
{
    char head[256];
    int size = snprintf(head, sizeof head, "%s", series[what].name);

    for (int i = 0; i < panel->count; i++)
        size += snprintf(head + size, sizeof head - (size_t)size, "|%s",
                         panel->curves[i].name);
    page_text(to, "%s: %s", series[what].title, series[what].y_label);
    page_table(to, head);
}

/* Writes the values at x, unless there is none. */
static void write_values(page *to, const plot_panel *panel, double x)
{
    char row[256];
    int size = snprintf(row, sizeof row, "%g", x);
    bool has_any = false;

    for (int i = 0; i < panel->count; i++) {
        double y = value_at(&panel->curves[i], x);
        size_t room = sizeof row - (size_t)size;

        size += isnan(y) ? snprintf(row + size, room, "|-")
                         : snprintf(row + size, room, "|%.3g", y);
        has_any = has_any || !isnan(y);
    }
    if (has_any)
        page_row(to, "%s", row);
}

static void write_table(page *to, quantity what, const plot_panel *panel)
{
    const double *values = series[what].values;

    write_head(to, what, panel);
    for (int i = 0; i < 10 && values[i] > 0; i++)
        write_values(to, panel, values[i]);
    page_table_end(to);
}


/* ---- Claims -------------------------------------------------------------- */

static void claim_points(page *to, const plot_panel *panels)
{
    for (size_t i = 0; i < sizeof point_claims / sizeof point_claims[0]; i++) {
        const struct point_claim *from = &point_claims[i];
        const plot_panel *panel = &panels[from->what];
        char what[160];
        claim it = {what, from->paper,
                    value_at(&panel->curves[from->curve], from->x),
                    from->relation, from->bound};

        snprintf(what, sizeof what, "%s, %s of %g, %s: %s", panel->title,
                 panel->x_label, from->x, panel->curves[from->curve].name,
                 panel->y_label);
        page_claim(to, &it);
    }
}

static void write_notes(page *to)
{
    page_text(to,
              "Chains and ring: 2 s, in steps of 0.01 s if not said otherwise. "
              "Towers: rings of 16 bricks, after 5 s in steps of 0.01 s; those "
              "of inexact ones begin some millimetres away from their places. "
              "%g m is the least "
              "value shown. CARRY solves each chain directly, so it needs no "
              "ranges to keep a chain's length, but to keep its energy.",
              LEAST);
    page_text(to,
              "Supports (section 3.6, figure 18) do not keep these towers in "
              "position, against the paper: after the first half of its "
              "sweeps PGS has not settled a tower, so some contacts still "
              "count as sliding and some bricks are too fast, and bodies on "
              "them are not frozen in the second half. With so few frozen, "
              "the others drift as far as without supports, or "
              "farther. The default, CARRY, needs no supports.");
    page_text(to, "Figures 4 to 9 are drawings of the method. Not repeated: "
                  "15, 16 and 17, a rope bridge, a crossbow and a vase: "
                  "the scenes rope-bridge, crossbow and vase show them "
                  "(vsp run), and the tests check them.");
}

bool run_range(page *to)
{
    static plot_panel panels[QUANTITIES];

    for (int i = 0; i < EXACT_DRIFT; i++)
        if (!fill_panel((quantity)i, to->is_quick, &panels[i]))
            return false;
    if (!fill_towers(to->is_quick, panels))
        return false;
    for (int i = 0; i < QUANTITIES; i++)
        write_table(to, (quantity)i, &panels[i]);
    write_notes(to);
    page_plots(to, "range", panels, QUANTITIES, 2);
    claim_points(to, panels);
    return true;
}
