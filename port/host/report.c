/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints measurements as text, tables and JSON. */

#include "report.h"

#include <math.h>

const char *const report_scene_names[REPORT_SCENES] = {
    "box-stack",      "column:50",   "wall",
    "tower",          "pyramid",     "ball-grid",
    "heavy-on-light", "heavy:10000", "box-stack~1",
    "wall~1",         "tower~1",     "pyramid~1",
    "pyramid-3d:10",  "card-house",  "large-mass-pair",
    "jammed-spheres", "roof-tower",  "cannon",
};

const char *report_kind(void)
{
    return VSP_FIXED ? "fixed point" : "float";
}

void report_scenes(FILE *out)
{
    for (uint32_t i = 0; i < scene_count; i++)
        fprintf(out, "%-16s %s\n", scenes[i].name, scenes[i].about);
    fprintf(out, "\nname:40 sets a scene's number, name~3 jitters it with "
                 "seed 3, name@7 turns\nit by 7 degrees: column:40~3@7\n");
}

/* Prints what should happen and whether it did: stand, fall, or neither. */
static void print_verdict(const measure *it)
{
    int stay = it->tracked - it->moved;

    if (it->scene->is_resting)
        printf("%s", measure_stands(it) ? "stands, as it should"
                                        : "FALLS, but should stand");
    else if (it->scene->traits & SCENE_FALLS)
        printf("%s; %d of %d stay",
               it->moved > 0 ? "falls, as it should" : "stands so far", stay,
               it->tracked);
    else if (it->tracked > 0)
        printf("moves; %d of %d stay", stay, it->tracked);
    else
        printf("moves");
    if (it->failures > 0)
        printf(", %u FAILURES", (unsigned)it->failures);
}

static const char *stepper_name(const measure *it)
{
    if (it->options.golden)
        return golden_setting_names[it->options.golden->setting];
    switch (it->options.stepper) {
    case VSP_STEPPER_PGS:
        return "pgs";
    case VSP_STEPPER_SHOCK:
        return "shock";
    case VSP_STEPPER_SUBSPACE:
        return "subspace";
    default:
        return "carry";
    }
}


/* ---- One run ------------------------------------------------------------ */

void report_run(const measure *it)
{
    printf("%s: %s\n", it->name, it->scene->about);
    printf("  bodies       %d, %d of them watched\n", it->bodies, it->tracked);
    printf("  steps        %u of %g s, by %s, %s\n", (unsigned)it->steps,
           it->options.dt > 0 ? it->options.dt : it->scene->dt,
           stepper_name(it), report_kind());
    printf("  verdict      ");
    print_verdict(it);
    printf("\n  drift        %.3f mm sideways, %d moved by over 500 mm\n",
           it->end.drift * 1e3, it->moved);
    printf("  top error    %.3f mm, above 0: too high\n",
           it->end.top_error * 1e3);
    printf("  penetration  %.3f mm, at most %.3f mm\n",
           it->end.penetration * 1e3, it->peak_penetration * 1e3);
    printf("  energy       %.3g J kinetic, fastest %.3g m/s\n", it->end.energy,
           it->peak_speed);
    printf("  contacts     %u pairs, %u points, %u layers, %u dropped\n",
           (unsigned)it->pairs, (unsigned)it->points, (unsigned)it->layers,
           (unsigned)it->dropped);
    printf("  work a step  %.1f sweeps, %.0f row updates\n", it->sweeps,
           it->rows);
    if (it->options.show_merit)
        printf("  merit        %.3g m^2/s^2, of the last step\n", it->merit);
    printf("  ms a step    mean %.3f, median %.3f, p99 %.3f, most %.3f\n",
           it->mean_ms, it->median_ms, it->p99_ms, it->max_ms);
    printf("  hash         %08x\n", (unsigned)it->hash);
}


/* ---- Tables ------------------------------------------------------------- */

void report_table_head(void)
{
    printf("%-20s %6s %5s %9s %9s %15s %9s %11s  %s\n", "scene", "bodies",
           "steps", "drift", "top err", "penetration", "kinetic", "ms a step",
           "verdict");
    printf("%-20s %6s %5s %9s %9s %15s %9s %11s\n", report_kind(), "", "", "mm",
           "mm", "end / peak mm", "J", "mean/p99");
}

/* Prints a number in at most 9 characters, to keep columns in line. */
static void print_number(double number)
{
    printf(fabs(number) < 1e5 ? " %9.3f" : " %9.2e", number);
}

static void print_energy(double energy)
{
    /* the noise of bodies at rest prints as 0 */
    if (energy < 5e-4)
        printf(" %9s", "0");
    else
        printf(" %9.3g", energy);
}

void report_table_row(const measure *it)
{
    printf("%-20s %6d %5u", it->name, it->bodies, (unsigned)it->steps);
    print_number(it->end.drift * 1e3);
    print_number(it->end.top_error * 1e3);
    printf(" %7.3f/%7.3f", it->end.penetration * 1e3,
           it->peak_penetration * 1e3);
    print_energy(it->end.energy);
    printf(" %5.2f/%5.2f  ", it->mean_ms, it->p99_ms);
    print_verdict(it);
    if (it->options.show_merit)
        printf(", merit %.3g", it->merit);
    printf("\n");
    fflush(stdout);
}

void report_table_legend(void)
{
    printf(
        "\ndrift        farthest that a body is beside its start, in mm\n"
        "top err      how far the top is too high (+) or too low (-), in mm\n"
        "penetration  deepest overlap of two bodies, at the end / at most\n"
        "kinetic      energy of what still moves\n"
        "ms a step    mean / all but the slowest in 100 take less\n"
        "verdict      stands: no body is over 500 mm from its start\n"
        "             N of M stay: so many of the watched bodies\n"
        "name~1       bodies are off by up to 2 mm, by seed 1\n");
}

void report_short_head(void)
{
    printf("        %-15s %-5s %6s %9s %9s %6s  %s\n", "scene", "", "bodies",
           "drift, mm", "top, mm", "ms", "verdict");
}

void report_short_row(const measure *it)
{
    printf("%-15s %-5s %6d", it->name, VSP_FIXED ? "fixed" : "float",
           it->bodies);
    print_number(it->end.drift * 1e3);
    print_number(it->end.top_error * 1e3);
    printf(" %6.2f  ", it->mean_ms);
    print_verdict(it);
    printf("\n");
    fflush(stdout);
}

void report_short_legend(void)
{
    printf("\nfloat, fixed  the kind of numbers, floats or fixed point\n"
           "drift         farthest that a body is beside its start\n"
           "top           how far the top is too high (+) or too low (-)\n"
           "ms            a step takes\n"
           "name~1        bodies are off by up to 2 mm\n");
}

void report_times_head(void)
{
    printf("%-20s %6s %6s %6s %7s %7s %7s %7s %6s %5s %7s %4s %7s %8s\n",
           "scene", "bodies", "points", "layers", "mean", "median", "p99",
           "most", "detect", "solve", "correct", "rest", "sweeps", "us/point");
    printf("%-20s %6s %6s %6s %7s %7s %7s %7s %6s %5s %7s %4s %7s %8s\n",
           report_kind(), "", "", "", "ms", "ms", "ms", "ms", "%", "%", "%",
           "%", "a step", "a step");
}

void report_times_row(const measure *it)
{
    double points = it->points > 0 ? it->points : 1.0;
    const double *phase = it->phase_ms;
    double percent = 100.0 / it->mean_ms;

    printf("%-20s %6d %6u %6u %7.3f %7.3f %7.3f %7.3f", it->name, it->bodies,
           (unsigned)it->points, (unsigned)it->layers, it->mean_ms,
           it->median_ms, it->p99_ms, it->max_ms);
    printf(" %6.0f %5.0f %7.0f %4.0f %7.1f %8.2f", phase[0] * percent,
           phase[1] * percent, phase[2] * percent, phase[3] * percent,
           it->sweeps, it->median_ms * 1e3 / points);
    if (it->options.show_merit)
        printf("  merit %.3g", it->merit);
    printf("\n");
    fflush(stdout);
}

void report_times_legend(void)
{
    printf("\npoints      contact points; layers: height in bodies, from the "
           "ground\n"
           "p99         all but the slowest step in 100 take less\n"
           "detect ...  shares of a step: find contacts, solve velocities,\n"
           "            correct positions, the rest\n"
           "sweeps      passes over all contacts in a step\n"
           "us/point    median step, for each contact point\n");
}


/* ---- JSON --------------------------------------------------------------- */

/* JSON has no NaN. */
static void json_number(const char *key, double value)
{
    if (isfinite(value))
        printf(",\"%s\":%.6g", key, value);
    else
        printf(",\"%s\":null", key);
}

static void json_count(const char *key, uint32_t value)
{
    printf(",\"%s\":%u", key, (unsigned)value);
}

static void json_times(const measure *it)
{
    json_number("mean_ms", it->mean_ms);
    json_number("median_ms", it->median_ms);
    json_number("p99_ms", it->p99_ms);
    json_number("max_ms", it->max_ms);
    json_number("detect_ms", it->phase_ms[0]);
    json_number("solve_ms", it->phase_ms[1]);
    json_number("correct_ms", it->phase_ms[2]);
    json_number("rest_ms", it->phase_ms[3]);
}

static void json_metrics(const measure *it)
{
    json_number("pen_end", it->end.penetration);
    json_number("pen_peak", it->peak_penetration);
    json_number("top_err", it->end.top_error);
    json_number("drift", it->end.drift);
    json_number("ke", it->end.energy);
    json_number("peak_v", it->peak_speed);
    if (it->options.show_merit)
        json_number("merit", it->merit);
}

static void json_counts(const measure *it)
{
    json_count("moved", (uint32_t)it->moved);
    json_count("tracked", (uint32_t)it->tracked);
    json_count("pairs", it->pairs);
    json_count("points", it->points);
    json_number("sweeps", it->sweeps);
    json_number("rows", it->rows);
    json_count("layers", it->layers);
    json_count("dropped", it->dropped);
}

static void json_list_number(double value)
{
    if (isfinite(value))
        printf(",%.5g", value);
    else
        printf(",null");
}

static void json_checkpoints(const measure *it)
{
    printf(",\"checkpoints\":[");
    for (int i = 0; i < it->checkpoint_count; i++) {
        const checkpoint *at = &it->checkpoints[i];

        printf("%s[%u", i > 0 ? "," : "", (unsigned)at->step);
        json_list_number(at->drift);
        json_list_number(at->top_error);
        json_list_number(at->penetration);
        json_list_number(at->energy);
        printf("]");
    }
    printf("]");
}

void report_json(const measure *it)
{
    printf("{\"engine\":\"vsp-%s\",\"numbers\":\"%s\"", stepper_name(it),
           report_kind());
    printf(",\"scene\":\"%s\"", it->name);
    printf(",\"bodies\":%d", it->bodies);
    json_count("steps", it->steps);
    json_times(it);
    json_metrics(it);
    json_counts(it);
    printf(",\"hash\":\"%08x\"", (unsigned)it->hash);
    json_checkpoints(it);
    printf("}\n");
    fflush(stdout);
}
