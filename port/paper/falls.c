/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Figures 1 and 15 to 19: four large scenes, contacts and time of each step,
 * and cost by contacts.  The animals hit the ground at half a body length a
 * step. */

#include "experiments.h"
#include "fit.h"
#include "port/measure/fields.h"
#include "watch.h"

#define MAX_STEPS 800
#define LOOK 10    /* steps between two measurements of overlap */
#define LEAST 1e-3 /* ms: the axis of times is logarithmic */

static const struct large {
    const char *scene, *title;
    double paper_ms; /* worst step of the paper, 1.7 GHz, 2007 */
    uint32_t steps, quick_steps;
    uint32_t at[4];   /* steps of pictures; 0: none */
    bool is_fast;     /* drawn in quick runs too */
    double elevation; /* of the camera, degrees */
    bounds frame;     /* of the pictures */
} scenes_of_paper[] = {
    {"silo:3000",
     "silo (1)",
     1100,
     400,
     40,
     {200, 400, 0, 0},
     true,
     50,
     {{-6, 0, -6}, {6, 12, 6}}},
    {"animals:250",
     "animals (15)",
     1200,
     400,
     40,
     {100, 200, 300, 400},
     true,
     25,
     {{-7, 0, -7}, {7, 4, 7}}},
    {"falling-roof",
     "roof (16)",
     250,
     600,
     40,
     {200, 500, 0, 0},
     true,
     15,
     {{-12, 0, -12}, {12, 43, 12}}},
    {"letters:1000",
     "letters (17)",
     180,
     500,
     40,
     {500, 0, 0, 0},
     false,
     45,
     {{-4, 0, -3}, {4, 2, 3}}},
};

#define SCENES (int)(sizeof scenes_of_paper / sizeof scenes_of_paper[0])
#define ANIMALS 1
#define ROOF 2

typedef struct course {
    double contacts[MAX_STEPS];
    double ms[MAX_STEPS];        /* of a step, CPU time */
    double detect_ms[MAX_STEPS]; /* of these, to detect contacts */
    uint32_t steps;
    int bodies;
    double mean_ms, worst_ms, most_contacts;
} course;

static course courses[SCENES];

/* What the animals' oracle saw. */
static struct {
    plot_panel panel;
    double length;  /* m: of an animal */
    double hit;     /* speed of the fastest animal before the first contact, m/s
                     */
    double deepest; /* overlap, m */
    double at_end;  /* overlap at the end, m */
    int below;      /* animals whose centre is below the ground at the end */
} seen;

enum { SOLVE, DETECT, BY_STEP, TIMES };

static plot_panel times[TIMES];


/* ---- Animals ------------------------------------------------------------- */

/* Throws all dynamic bodies down, from three metres higher: as if they had
 * fallen from far above. */
static void throw_down(vsp_world *world, double speed)
{
    vsp_vec3 down = {0, scene_real(-speed), 0}, still = {0, 0, 0};

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        vsp_transform pose = vsp_body_transform(world, id);

        if (id.bits == 0 || vsp_body_get_type(world, id) != VSP_DYNAMIC)
            continue;
        pose.position.y = scene_real(vsp_to_double(pose.position.y) + 3.0);
        (void)vsp_body_set_transform(world, id, pose);
        (void)vsp_body_set_velocity(world, id, down, still);
    }
}

static int read_solids(const watch *it, const solid **out)
{
    static solid solids[VSP_MAX_SHAPES];

    *out = solids;
    return solids_read(it->run.world, solids);
}

static void begin_animals(const watch *it)
{
    const solid *solids;
    int count = read_solids(it, &solids);

    for (int i = 0; i < count; i++)
        if (solids[i].type == VSP_SHAPE_SDF)
            seen.length = field_length(solids[i].table);
    throw_down(it->run.world, 0.5 * seen.length / it->dt);
    seen.hit = watch_speed(it);
}

static void look_at_animals(const watch *it)
{
    const solid *solids;
    int count = read_solids(it, &solids);

    seen.at_end = fields_penetration(solids, count);
    seen.deepest = fmax(seen.deepest, seen.at_end);
    seen.below = 0;
    for (int i = 0; i < count; i++)
        seen.below += solids[i].type == VSP_SHAPE_SDF &&
                      solids[i].center.y < 0.0;
    plot_add(&seen.panel.curves[0], it->step * it->dt, 1e3 * seen.at_end);
}


/* ---- A run --------------------------------------------------------------- */

static void draw_now(page *to, const watch *it, const struct large *from)
{
    render_options options = render_options_default();
    char caption[96];
    bool is_last = to->is_quick && from->is_fast &&
                   it->step == from->quick_steps;

    options.width = options.height = 320;
    options.elevation = from->elevation;
    for (int i = 0; i < 4; i++)
        if (from->at[i] == it->step || (i == 0 && is_last)) {
            snprintf(caption, sizeof caption, "%s after %.1f s", from->title,
                     it->step * it->dt);
            watch_draw(it, to, &from->frame, &options, caption);
        }
}

static bool take_step(watch *it, course *out)
{
    uint32_t i = it->step;
    double before = it->total_ms;
    vsp_stats stats;
    double ticks;

    if (!watch_run(it, i + 1))
        return false;
    stats = vsp_world_stats(it->run.world);
    ticks = (double)stats.detect_ticks + stats.solve_ticks +
            stats.correct_ticks + stats.rest_ticks;
    out->ms[i] = it->total_ms - before;
    out->detect_ms[i] = ticks > 0.0 ? out->ms[i] * stats.detect_ticks / ticks
                                    : 0.0;
    out->contacts[i] = stats.contact_count;
    out->most_contacts = fmax(out->most_contacts, out->contacts[i]);
    return true;
}

static bool take_run(page *to, int index)
{
    static watch it;
    const struct large *from = &scenes_of_paper[index];
    course *out = &courses[index];
    vsp_world_def def = watch_def(from->scene, VSP_STEPPER_CARRY);

    def.enable_sleep = false;
    def.dt = VSP_R(0.01); /* as in the paper */
    if (!watch_start(&it, from->scene, &def))
        return false;
    if (index == ANIMALS)
        begin_animals(&it);
    out->steps = to->is_quick ? from->quick_steps : from->steps;
    out->bodies = simulation_bodies(it.run.world);
    while (it.step < out->steps) {
        if (!take_step(&it, out))
            return false;
        if (index == ANIMALS && it.step % LOOK == 0)
            look_at_animals(&it);
        draw_now(to, &it, from);
    }
    out->mean_ms = it.total_ms / it.step;
    out->worst_ms = it.worst_ms;
    return true;
}


/* ---- Plots --------------------------------------------------------------- */

static double cost_of(const course *from, uint32_t step, int what)
{
    return what == DETECT ? from->detect_ms[step]
                          : from->ms[step] - from->detect_ms[step];
}

static void label_steps(plot_panel *panel)
{
    panel->x_label = "step";
    for (int i = 0; i < SCENES; i++) {
        panel->curves[i].name = scenes_of_paper[i].title;
        panel->x_high = fmax(panel->x_high, courses[i].steps);
    }
    panel->x_tick = panel->x_high / 4;
    panel->count = SCENES;
}

static void fill_contacts(plot_panel *panel)
{
    label_steps(panel);
    panel->title = "contact points";
    panel->y_label = "points";
    panel->is_y_linear = true;
    for (int i = 0; i < SCENES; i++)
        for (uint32_t k = 0; k < courses[i].steps; k++)
            plot_add(&panel->curves[i], k, courses[i].contacts[k]);
}

static void fill_times(plot_panel *panel)
{
    label_steps(panel);
    panel->title = "time of each step";
    panel->y_label = "ms";
    for (int i = 0; i < SCENES; i++)
        for (uint32_t k = 0; k < courses[i].steps; k++)
            plot_add(&panel->curves[i], k, fmax(LEAST, courses[i].ms[k]));
}

/* Cost of each step against its contacts. */
static void fill_cost(plot_panel *panel, int what)
{
    panel->title = what == DETECT ? "detection (figure 19)"
                                  : "time stepping (figure 18)";
    panel->x_label = "contact points";
    panel->y_label = "ms a step";
    panel->is_y_linear = true;
    panel->count = SCENES;
    for (int i = 0; i < SCENES; i++) {
        const course *from = &courses[i];

        panel->curves[i].name = scenes_of_paper[i].title;
        panel->curves[i].is_dots = panel->curves[i].has_fit = true;
        for (uint32_t k = 0; k < from->steps; k++)
            plot_add(&panel->curves[i], from->contacts[k],
                     cost_of(from, k, what));
        panel->x_high = fmax(panel->x_high, from->most_contacts);
    }
    panel->x_tick = ceil(panel->x_high / 4000.0) * 1000.0;
    panel->x_high = 4 * panel->x_tick;
}

static void draw_plots(page *to)
{
    static plot_panel contacts;

    fill_contacts(&contacts);
    seen.panel.title = "deepest overlap of animals";
    seen.panel.x_label = "time, s";
    seen.panel.y_label = "mm";
    seen.panel.is_y_linear = true;
    seen.panel.x_high = courses[ANIMALS].steps * 0.01;
    seen.panel.x_tick = seen.panel.x_high / 4;
    seen.panel.curves[0].name = "animals (15)";
    seen.panel.count = 1;
    page_plots(to, "large-contacts", &contacts, 1, 1);
    page_plots(to, "animals-overlap", &seen.panel, 1, 1);
    page_plots(to, "large-times", times, TIMES, 3);
}


/* ---- Report -------------------------------------------------------------- */

/* Writes us a contact and how well the line fits; - where contacts stay the
 * same. */
static void write_slope(char *out, size_t size, const plot_curve *from)
{
    fit line = fit_line(from, -HUGE_VAL, HUGE_VAL, false, false);

    if (isfinite(line.slope))
        snprintf(out, size, "%.2f (%.2f)", 1e3 * line.slope, line.explained);
    else
        snprintf(out, size, "-");
}

static void write_table(page *to)
{
    char stepping[32], detection[32];

    page_table(to, "scene (figure)|bodies|most contacts|mean ms a step|worst|"
                   "worst of the paper|ratio|us a contact: stepping|"
                   "us a contact: detection");
    for (int i = 0; i < SCENES; i++) {
        write_slope(stepping, sizeof stepping, &times[SOLVE].curves[i]);
        write_slope(detection, sizeof detection, &times[DETECT].curves[i]);
        page_row(to, "%s|%d|%.0f|%.2f|%.2f|%.0f|%.0f|%s|%s",
                 scenes_of_paper[i].title, courses[i].bodies,
                 courses[i].most_contacts, courses[i].mean_ms,
                 courses[i].worst_ms, scenes_of_paper[i].paper_ms,
                 scenes_of_paper[i].paper_ms / courses[i].worst_ms, stepping,
                 detection);
    }
    page_table_end(to);
}

/* Returns a fit of the exponent p: cost grows as contacts^p, over the steps of
 * a scene with 100 contacts or more. */
static fit fit_exponent(int scene_index, int what)
{
    static plot_curve steps;
    const plot_curve *from = &times[what].curves[scene_index];

    steps.count = 0;
    for (int i = 0; i < from->count; i++)
        if (from->points[i].y > 0)
            plot_add(&steps, from->points[i].x, from->points[i].y);
    return fit_line(&steps, 100, HUGE_VAL, true, true);
}

static void write_exponents(page *to)
{
    page_table(to, "exponent of contacts (R^2)|time stepping|detection");
    for (int i = 0; i < SCENES; i++) {
        fit solve = fit_exponent(i, SOLVE), detect = fit_exponent(i, DETECT);

        page_row(to, "%s|%.2f (%.2f)|%.2f (%.2f)", scenes_of_paper[i].title,
                 solve.slope, solve.explained, detect.slope, detect.explained);
    }
    page_table_end(to);
    page_text(to,
              "These are times of CARRY, our default, not of figure 14's "
              "method, with which the paper made figures 18 and 19. CARRY ends "
              "its sweeps when they change little, and keeps contacts from "
              "step to step, so the number of contacts explains less of a "
              "step's time than in the paper: a line with a small R^2 says "
              "little. The roof's contacts hardly change, so it is left out "
              "of the claims.");
}

/* Claims on the exponents of all scenes but the roof. */
static void claim_exponents(page *to)
{
    claim linear = {"largest exponent of time stepping in contacts", "linear",
                    -HUGE_VAL, AT_MOST, 1.3};
    claim detection = {"largest exponent of detection in contacts",
                       "no worse than linear", -HUGE_VAL, AT_MOST, 1.3};
    claim line = {"least R^2 of time stepping by contacts", "linear dependence",
                  1, AT_LEAST, 0.5};

    for (int i = 0; i < SCENES; i++) {
        if (i == ROOF)
            continue;
        linear.ours = fmax(linear.ours, fit_exponent(i, SOLVE).slope);
        detection.ours = fmax(detection.ours, fit_exponent(i, DETECT).slope);
        line.ours = fmin(line.ours, fit_line(&times[SOLVE].curves[i], -HUGE_VAL,
                                             HUGE_VAL, false, false)
                                        .explained);
    }
    page_claim(to, &linear);
    page_claim(to, &detection);
    page_claim(to, &line);
}

static void write_claims(page *to)
{
    claim below = {"animals that fell through the ground", "robust: none",
                   seen.below, AT_MOST, 0};
    claim rest = {"animals: deepest overlap at the end, mm",
                  "penetrates deeply when it hits, corrected by projection",
                  1e3 * seen.at_end, AT_MOST, 50};

    for (int i = 0; i < SCENES; i++) {
        char what[64], paper[32];
        claim speed = {what, paper, courses[i].worst_ms, AT_MOST,
                       scenes_of_paper[i].paper_ms};

        snprintf(what, sizeof what, "%s: worst step, ms",
                 scenes_of_paper[i].title);
        snprintf(paper, sizeof paper, "%.0f ms in 2007",
                 scenes_of_paper[i].paper_ms);
        page_paper_claim(to, &speed);
    }
    page_claim(to, &below);
    if (to->is_quick)
        return;
    claim_exponents(to);
    page_claim(to, &rest);
}

bool run_falls(page *to)
{
    page_pictures(to);
    for (int i = 0; i < SCENES; i++)
        if (!take_run(to, i))
            return false;
    page_pictures_end(to);
    fill_cost(&times[SOLVE], SOLVE);
    fill_cost(&times[DETECT], DETECT);
    fill_times(&times[BY_STEP]);
    write_table(to);
    page_text(to,
              "The animals, %.2f m long, hit the ground at %.0f m/s, half "
              "their length a step, as after a fall of %.0f m; they do not "
              "fall so far, but are thrown down at this speed from 3 m above "
              "their places. Deepest "
              "overlap %.0f mm, by points of each surface in the fields of "
              "the others and in the ground. Steps are of 0.01 s, by CARRY "
              "without sleep; times are of one core. Costs a contact are "
              "slopes of least-squares lines, with the part of the variance "
              "that they explain; contacts of the roof's tower hardly change.",
              seen.length, seen.hit, seen.hit * seen.hit / 19.62,
              1e3 * seen.deepest);
    if (!to->is_quick)
        write_exponents(to);
    draw_plots(to);
    write_claims(to);
    return true;
}
