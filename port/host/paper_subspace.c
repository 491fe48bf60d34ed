/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Merit against work, in this order: one step, work, curves, the clock, the
 * CSV file, the SVG file, the table. */

#define _POSIX_C_SOURCE 200112L

#include "paper_subspace.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "port/measure/work_cost.h"

#define MOST_WORK 1500 /* PGS iterations, as in figure 3 */
#define SWEEPS 25      /* k_pgs */
#define TRIES 2        /* k_sm: a larger number gains nothing */
#define STEPS 60       /* of conjugate gradients in a try */
#define MAX_POINTS 256
#define APART 10    /* work between points at which curves are compared */
#define FLOOR 1e-14 /* merit that floats end at, in round figures */
#define CLOCKED 15  /* times that a solve is timed */
#define CASES 8

typedef struct test_case {
    const char *scene, *title;
} test_case;

static const test_case cases[CASES] = {
    {"snake", "(a) arched snake"},
    {"snake-heavy", "(b) heavy box on arched snake"},
    {"stack", "(c) large stack of boxes"},
    {"heavy-on-small", "(d) heavy box on light boxes"},
    {"incline", "(e) boxes on inclined surface"},
    {"gears:3", "(f) small pyramid of gears"},
    {"gears:6", "(g) medium pyramid of gears"},
    {"leaning", "(h) friction dependent structure"},
};

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
    double rest; /* those computed besides the velocity solve */
    curve pgs, sm;
    double first; /* work at which SM is first as good as the last PGS; or -1 */
    int compared, above;    /* points of work, and those where SM is worse */
    double worst, worst_at; /* largest ratio of SM to PGS at one, and where */
    double clock;    /* time of the last point of SM, in PGS iterations */
    uint32_t rounds; /* of the last point of SM */
} outcome;


/* ---- One step ------------------------------------------------------------ */

typedef struct solve {
    uint32_t sweeps; /* a round */
    uint32_t rounds, tries, steps;
    vsp_stats stats; /* of the step */
    double ms;       /* it took */
} solve;

VSP_ARENA(arena, VSP_WORLD_BYTES);

/* Where bodies are when the step begins that is measured. */
typedef struct motion {
    vsp_transform pose;
    vsp_vec3 velocity, spin;
} motion;

static motion motions[VSP_MAX_BODIES];

static bool start_scene(scene_run *run, const char *name,
                        const vsp_world_def *def)
{
    scene_variant variant;
    const scene *which = scene_find(name, &variant);

    if (vsp_world_create(arena.mem, sizeof arena.mem, def, &run->world) < 0 ||
        !scene_start(run, which, variant)) {
        fprintf(stderr, "vsp: cannot start '%s'\n", name);
        return false;
    }
    return true;
}

/* Runs the scene for a while, and keeps where its bodies are. */
static bool find_motions(const char *name, const paper_options *options)
{
    scene_variant variant;
    vsp_world_def def = scene_world_def(scene_find(name, &variant));
    scene_run run;

    def.enable_sleep = false;
    if (!start_scene(&run, name, &def))
        return false;
    for (uint32_t i = 0; i < options->after; i++)
        if (scene_step(&run, i) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", name);
            return false;
        }
    for (uint32_t i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(run.world, i);

        motions[i].pose = vsp_body_transform(run.world, id);
        motions[i].velocity = vsp_body_velocity(run.world, id);
        motions[i].spin = vsp_body_spin(run.world, id);
    }
    return true;
}

static void set_motions(vsp_world *world)
{
    for (uint32_t i = 0; i < VSP_MAX_BODIES; i++) {
        vsp_body_id id = vsp_body_at(world, i);

        if (vsp_body_get_type(world, id) != VSP_DYNAMIC)
            continue;
        (void)vsp_body_set_transform(world, id, motions[i].pose);
        (void)vsp_body_set_velocity(world, id, motions[i].velocity,
                                    motions[i].spin);
    }
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The world of the experiments: nothing ends a solve but its work. */
static vsp_world_def world_def(const char *name, const paper_options *options,
                               const solve *it)
{
    scene_variant variant;
    vsp_world_def def = scene_world_def(scene_find(name, &variant));

    def.stepper = VSP_STEPPER_SUBSPACE;
    def.friction = options->friction;
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

/* Takes the one step. */
static bool run_solve(const char *name, const paper_options *options, solve *it)
{
    vsp_world_def def = world_def(name, options, it);
    scene_run run;

    if (!start_scene(&run, name, &def))
        return false;
    if (options->after > 0)
        set_motions(run.world);
    it->ms = now_ms();
    if (vsp_world_step(run.world) < 0) {
        fprintf(stderr, "vsp: a step of '%s' failed\n", name);
        return false;
    }
    it->ms = now_ms() - it->ms;
    it->stats = vsp_world_stats(run.world);
    return true;
}

static solve sweeps_only(uint32_t sweeps)
{
    solve it;

    memset(&it, 0, sizeof it);
    it.sweeps = sweeps;
    it.rounds = 1;
    it.steps = 1; /* none, without tries */
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
 * Multipliers computed tell how much was done: those of sweeps are known, and
 * those of positions, found with one sweep, are always about as many; what is
 * left are passes of conjugate gradients. */

static bool weigh_passes(const char *name, const paper_options *options,
                         outcome *out)
{
    solve one = sweeps_only(1), many = sweeps_only(1001);

    if (!run_solve(name, options, &one) || !run_solve(name, options, &many))
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

        if (!run_solve(name, options, &it))
            return false;
        add_point(&out->pgs, sweeps, &it);
        sweeps += sweeps < 5 ? 1 : sweeps < APART ? 5 : APART;
    }
    return true;
}

/* Adds a point of SM, unless more sweeps or rounds did no more work. */
static bool add_sm(const char *name, const paper_options *options, outcome *out,
                   const solve *from)
{
    solve it = *from;
    double work;

    if (!run_solve(name, options, &it))
        return false;
    work = work_of(out, &it);
    out->rounds = it.rounds;
    if (out->sm.count == 0 || work > last_point(&out->sm)->work)
        add_point(&out->sm, work, &it);
    return true;
}

/* First points within the first round, with hardly any search; then one point a
 * round. */
static bool find_sm(const char *name, const paper_options *options,
                    outcome *out)
{
    uint32_t i;

    for (i = 1; i <= SWEEPS; i++) {
        solve it = searches(1, 1);

        it.sweeps = i;
        it.steps = 1;
        if (!add_sm(name, options, out, &it))
            return false;
    }
    for (i = 1; last_point(&out->sm)->work < MOST_WORK; i++) {
        solve it = searches(i, TRIES);

        if (!add_sm(name, options, out, &it))
            return false;
    }
    return true;
}

/* Returns the least merit that was found with at most that work. */
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

/* Finds the first point of SM that is as good as the end of PGS. */
static void find_crossing(outcome *out)
{
    out->first = -1.0;
    for (int i = 0; i < out->sm.count && out->first < 0.0; i++)
        if (out->sm.points[i].merit <= last_point(&out->pgs)->merit)
            out->first = out->sm.points[i].work;
}


/* ---- The clock ----------------------------------------------------------- */

/* The shortest of some times that the same step took, ms. */
static bool time_solve(const char *name, const paper_options *options,
                       const solve *which, double *ms)
{
    *ms = 1e30;
    for (int i = 0; i < CLOCKED; i++) {
        solve it = *which;

        if (!run_solve(name, options, &it))
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

static bool find_outcome(const char *name, const paper_options *options,
                         outcome *out)
{
    scene_run run;
    vsp_world_def def = vsp_world_def_default();

    memset(out, 0, sizeof *out);
    if (!start_scene(&run, name, &def))
        return false;
    out->bodies = simulation_bodies(run.world);
    if ((options->after > 0 && !find_motions(name, options)) ||
        !weigh_passes(name, options, out) || !find_pgs(name, options, out) ||
        !find_sm(name, options, out) || !read_clock(name, options, out))
        return false;
    find_crossing(out);
    count_above(out);
    return true;
}


/* ---- Files --------------------------------------------------------------- */

static FILE *open_file(const paper_options *options, const char *name)
{
    char path[1024];
    int size = snprintf(path, sizeof path, "%s/%s", options->directory, name);
    FILE *out = size > 0 && size < (int)sizeof path ? fopen(path, "w") : NULL;

    if (!out)
        fprintf(stderr, "vsp: cannot write '%s/%s'\n", options->directory,
                name);
    return out;
}

static bool close_file(FILE *out, const paper_options *options,
                       const char *name)
{
    bool is_done = !ferror(out);

    if (fclose(out) != 0)
        is_done = false;
    if (is_done)
        printf("%s/%s\n", options->directory, name);
    else
        fprintf(stderr, "vsp: cannot write '%s/%s'\n", options->directory,
                name);
    return is_done;
}

static void write_points(FILE *out, const char *name, const char *method,
                         const curve *it)
{
    for (int i = 0; i < it->count; i++)
        fprintf(out, "%s,%s,%.1f,%.6g\n", name, method, it->points[i].work,
                it->points[i].merit);
}

static bool write_csv(const paper_options *options, const outcome *outcomes)
{
    FILE *out = open_file(options, "subspace.csv");

    if (!out)
        return false;
    fprintf(out, "case,method,work,merit\n");
    for (int i = 0; i < CASES; i++) {
        write_points(out, cases[i].scene, "pgs", &outcomes[i].pgs);
        write_points(out, cases[i].scene, "subspace", &outcomes[i].sm);
    }
    return close_file(out, options, "subspace.csv");
}


/* ---- The figure ---------------------------------------------------------- */

#define PANEL_WIDTH 330
#define PANEL_HEIGHT 250
#define LEFT 58 /* of a panel: position of its frame */
#define TOP 30
#define INNER_WIDTH 252
#define INNER_HEIGHT 170

/* A panel, and the decades that it shows. */
typedef struct panel {
    FILE *out;
    int x, y; /* of its frame */
    int low, high;
} panel;

static void include_curve(panel *it, const curve *from)
{
    for (int i = 0; i < from->count; i++) {
        double merit = from->points[i].merit;

        if (!(merit > 0.0))
            continue;
        it->low = (int)fmin(it->low, floor(log10(merit)));
        it->high = (int)fmax(it->high, ceil(log10(merit)));
    }
}

static double place_x(const panel *it, double work)
{
    return it->x + INNER_WIDTH * work / MOST_WORK;
}

static double place_y(const panel *it, double merit)
{
    double decade = merit > 0.0 ? log10(merit) : it->low;

    return it->y + INNER_HEIGHT * (it->high - decade) / (it->high - it->low);
}

/* Lines and numbers of the decades, and of the work. */
static void draw_axes(const panel *it, const char *title)
{
    int step = (it->high - it->low + 5) / 6;

    fprintf(it->out, "<text x='%d' y='%d' class='title'>%s</text>\n",
            it->x + INNER_WIDTH / 2, it->y - 10, title);
    for (int decade = it->high; decade >= it->low; decade -= step) {
        double y = place_y(it, pow(10.0, decade));

        fprintf(it->out,
                "<path class='grid' d='M%d %.1fh%d'/>"
                "<text x='%d' y='%.1f' class='left'>1e%d</text>\n",
                it->x, y, INNER_WIDTH, it->x - 5, y + 4.0, decade);
    }
    for (int work = 0; work <= MOST_WORK; work += 500) {
        double x = place_x(it, work);

        fprintf(it->out,
                "<path class='grid' d='M%.1f %dv%d'/>"
                "<text x='%.1f' y='%d' class='below'>%d</text>\n",
                x, it->y, INNER_HEIGHT, x, it->y + INNER_HEIGHT + 15, work);
    }
    fprintf(it->out,
            "<clipPath id='f%d-%d'><rect x='%d' y='%d' width='%d' "
            "height='%d'/></clipPath>\n",
            it->x, it->y, it->x, it->y, INNER_WIDTH, INNER_HEIGHT);
    fprintf(it->out,
            "<rect class='frame' x='%d' y='%d' width='%d' height='%d'/>\n"
            "<text x='%d' y='%d' class='below'>PGS iterations</text>\n",
            it->x, it->y, INNER_WIDTH, INNER_HEIGHT, it->x + INNER_WIDTH / 2,
            it->y + INNER_HEIGHT + 32);
    fprintf(it->out,
            "<text class='below' transform='translate(%d %d) rotate(-90)'>"
            "psi, (m/s)^2</text>\n",
            it->x - 44, it->y + INNER_HEIGHT / 2);
}

/* A curve with dots where it was measured; what is outside of the frame is
 * cut off. */
static void draw_curve(const panel *it, const curve *from, const char *class)
{
    fprintf(it->out, "<path class='%s' clip-path='url(#f%d-%d)' d='", class,
            it->x, it->y);
    for (int i = 0; i < from->count; i++)
        fprintf(it->out, "%c%.1f %.1f", i == 0 ? 'M' : 'L',
                place_x(it, from->points[i].work),
                place_y(it, from->points[i].merit));
    fprintf(it->out, "'/>\n");
    for (int i = 0; i < from->count && from->points[i].work <= MOST_WORK; i++)
        fprintf(it->out, "<circle class='%s' cx='%.1f' cy='%.1f' r='1.8'/>\n",
                class, place_x(it, from->points[i].work),
                place_y(it, from->points[i].merit));
}

static void draw_legend(const panel *it)
{
    int x = it->x + INNER_WIDTH - 78, y = it->y + 16;

    fprintf(it->out,
            "<path class='pgs' d='M%d %dh18'/><text x='%d' y='%d'>PGS</text>\n"
            "<path class='sm' d='M%d %dh18'/>"
            "<text x='%d' y='%d'>PGS-SM</text>\n",
            x, y, x + 24, y + 4, x, y + 15, x + 24, y + 19);
}

static void draw_panel(FILE *out, int index, const outcome *from)
{
    panel it;

    it.out = out;
    it.x = LEFT + index % 4 * PANEL_WIDTH;
    it.y = TOP + index / 4 * PANEL_HEIGHT;
    it.low = 1000;
    it.high = -1000;
    include_curve(&it, &from->pgs);
    include_curve(&it, &from->sm);
    if (it.low >= it.high)
        it.low = it.high - 1;
    draw_axes(&it, cases[index].title);
    draw_curve(&it, &from->pgs, "pgs");
    draw_curve(&it, &from->sm, "sm");
    draw_legend(&it);
}

static bool write_svg(const paper_options *options, const outcome *outcomes)
{
    FILE *out = open_file(options, "subspace.svg");

    if (!out)
        return false;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "font-family='sans-serif' font-size='11'>\n<style>\n"
            "text { fill: #222 }\n"
            ".title { text-anchor: middle; font-size: 13px }\n"
            ".left { text-anchor: end }\n.below { text-anchor: middle }\n"
            "path { fill: none; stroke-width: 1.5 }\n"
            ".grid { stroke: #ddd; stroke-width: 1 }\n"
            ".frame { fill: none; stroke: #222 }\n"
            "path.pgs { stroke: #1f5fa8 }\ncircle.pgs { fill: #1f5fa8 }\n"
            "path.sm { stroke: #b03a1a }\ncircle.sm { fill: #b03a1a }\n"
            "</style>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
            4 * PANEL_WIDTH, 2 * PANEL_HEIGHT);
    for (int i = 0; i < CASES; i++)
        draw_panel(out, i, &outcomes[i]);
    fprintf(out, "</svg>\n");
    return close_file(out, options, "subspace.svg");
}


/* ---- The table ----------------------------------------------------------- */

static void print_head(void)
{
    printf("%-15s %6s %6s %10s %10s %10s %7s %7s %11s %10s %7s %5s\n", "case",
           "bodies", "rows", "PGS 1500", "PGS-SM", "ratio", "passed", "work",
           "clock/work", "above", "worst", "at");
}

/* The last point within the figure. */
static const point *end_of(const curve *it)
{
    int i = it->count - 1;

    while (i > 0 && it->points[i].work > MOST_WORK)
        i--;
    return &it->points[i];
}

static void print_row(const char *name, const outcome *it)
{
    const point *pgs = last_point(&it->pgs), *sm = end_of(&it->sm);
    char first[16] = "-";

    if (it->first >= 0.0)
        snprintf(first, sizeof first, "%.0f", it->first);
    printf("%-15s %6d %6.0f %10.3g %10.3g %10.3g %7s %7.0f %11.2f "
           "%3d of %3d %7.2f %5.0f\n",
           name, it->bodies, it->rows, pgs->merit, sm->merit,
           sm->merit / pgs->merit, first, sm->work,
           it->clock / last_point(&it->sm)->work, it->above, it->compared,
           it->worst, it->worst_at);
    fflush(stdout);
}

static void print_foot(void)
{
    printf("above: points of work, every %d, at which PGS-SM is above PGS and "
           "%.0e;\nworst ratio at one.  A sweep with momentum counts %.2f, or "
           "%.2f of joints; a CG step %.1f.\n",
           APART, FLOOR, WORK_SWEEP_COST(false), WORK_SWEEP_COST(true),
           WORK_PASS_COST);
}

paper_options paper_options_default(void)
{
    paper_options options = {".", VSP_FRICTION_PYRAMID, 0};

    return options;
}

bool paper_subspace(const paper_options *options)
{
    static outcome outcomes[CASES];

    print_head();
    for (int i = 0; i < CASES; i++) {
        if (!find_outcome(cases[i].scene, options, &outcomes[i]))
            return false;
        print_row(cases[i].scene, &outcomes[i]);
    }
    print_foot();
    return write_csv(options, outcomes) && write_svg(options, outcomes);
}
