/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The command line: its options, the commands, and their table.  Exit status: 0
 * done; 1 done, but a scene fell, a run failed or bits diverged; 2 bad
 * words or files: then nothing ran. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_queries.h"
#include "bench_rollback.h"
#include "bench_workers.h"
#include "export.h"
#include "gallery.h"
#include "make_tables.h"
#include "picture.h"
#include "port/command.h"
#include "port/measure/measure.h"
#include "port/measure/trace.h"
#include "port/paper/experiment.h"
#include "port/threads/pool.h"
#include "replay.h"
#include "report.h"

#define MAX_SCENES 64
#define MAX_SWEEPS 10000    /* of vsp_world_def */
#define MAX_NUMBER 10000000 /* of a scene */

struct command_line {
    const char *scenes[MAX_SCENES]; /* or names of files */
    int scene_count;
    simulation_options simulation;
    golden_run golden;
    picture_options picture;
    replay_options replay;
    make_options make;
    paper_options paper;
    uint32_t workers;  /* 0: none */
    const char *trace; /* file for a row of each step; null: none */
    bool is_json;
    bool is_whole; /* all pictures of the gallery */
};


/* ---- Values ------------------------------------------------------------- */

/* Returns the place of a text that is one of the choices. */
static int place_of(const char *const *choices, const char *text)
{
    int place = 0;

    while (strcmp(choices[place], text) != 0)
        place++;
    return place;
}

/* in the order of vsp_stepper */
static const char *const stepper_names[] = {"carry", "pgs", "shock", "subspace",
                                            NULL};

static bool read_stepper(command_line *line, const char *text)
{
    line->simulation.stepper = (vsp_stepper)place_of(stepper_names, text);
    return true;
}

/* Reads a decimal number, and moves *text past it.  What else strtod takes, a
 * blank, nan or 0x10, is refused. */
static bool read_decimal(double *out, const char **text)
{
    const char *start = *text;
    char *end;

    *out = strtod(start, &end);
    *text = end;
    return end != start &&
           (size_t)(end - start) <= strspn(start, "+-.0123456789eE");
}

/* Reads a number from low to high. */
static bool read_real(double *out, const char *text, double low, double high)
{
    return read_decimal(out, &text) && *text == '\0' && *out >= low &&
           *out <= high;
}

static bool read_fraction(command_line *line, const char *text)
{
    double value;

    if (!read_real(&value, text, 0.0, 1.0))
        return false;
    line->simulation.fraction = vsp_from_double(value);
    return true;
}

static bool read_trace(command_line *line, const char *text)
{
    line->trace = text;
    return *text != '\0';
}

/* A setting or a class selects the world of a row in tests/golden.txt. */
static bool read_setting(command_line *line, const char *text)
{
    line->golden.setting = (golden_setting)place_of(golden_setting_names, text);
    line->simulation.golden = &line->golden;
    return true;
}

static bool read_class(command_line *line, const char *text)
{
    line->golden.class = (golden_class)place_of(golden_class_names, text);
    line->simulation.golden = &line->golden;
    return true;
}

static bool read_at(command_line *line, const char *text)
{
    picture_options *picture = &line->picture;

    picture->count = 0;
    for (;;) {
        if (picture->count == MAX_PICTURES ||
            !command_read_count(&text, 0, 10000000,
                                &picture->at[picture->count]))
            return false;
        picture->count++;
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}

static bool read_output(command_line *line, const char *text)
{
    line->picture.directory = text;
    line->replay.output = text;
    line->make.output = text;
    line->paper.directory = text;
    return *text != '\0';
}

static bool read_peers(command_line *line, const char *text)
{
    line->paper.peers = text;
    return *text != '\0';
}

static bool read_snapshot(command_line *line, const char *text)
{
    line->replay.has_snapshot = true;
    return command_read_count(&text, 0, 4294967295u, &line->replay.snapshot) &&
           *text == '\0';
}

static bool read_size(command_line *line, const char *text)
{
    uint32_t width;
    uint32_t height;

    if (!command_read_count(&text, 16, 4096, &width) || *text++ != 'x' ||
        !command_read_count(&text, 16, 4096, &height) || *text != '\0')
        return false;
    line->picture.render.width = (int)width;
    line->picture.render.height = (int)height;
    return true;
}

/* Reads the two angles, degrees.  Rejects a view straight up or down, where
 * left and right are not defined. */
static bool read_view(command_line *line, const char *text)
{
    double azimuth, elevation;

    if (!read_decimal(&azimuth, &text) || *text++ != ',' ||
        !read_real(&elevation, text, -89.0, 89.0))
        return false;
    line->picture.render.azimuth = azimuth;
    line->picture.render.elevation = elevation;
    return azimuth >= -360.0 && azimuth <= 360.0;
}

static bool read_dt(command_line *line, const char *text)
{
    return read_real(&line->simulation.dt, text, vsp_to_double(VSP_MIN_DT),
                     vsp_to_double(VSP_MAX_DT));
}

static bool read_scale(command_line *line, const char *text)
{
    return read_real(&line->make.scale, text, 1e-6, 1e6);
}

static bool read_tolerance(command_line *line, const char *text)
{
    return read_real(&line->make.tolerance, text, 0, 100);
}

static bool read_cell(command_line *line, const char *text)
{
    return read_real(&line->make.field.cell, text, 0, 100);
}

static bool read_step(command_line *line, const char *text)
{
    return read_real(&line->make.field.step, text, 0, 100);
}

static bool read_base(command_line *line, const char *text)
{
    return read_real(&line->make.field.base, text, -1e9, 1e9);
}

static bool read_hole(command_line *line, const char *text)
{
    return read_real(&line->make.field.hole, text, -1e9, 1e9);
}

static bool read_strength(command_line *line, const char *text)
{
    return read_real(&line->make.fracture.strength, text, 0, 1e9);
}

static bool read_excess(command_line *line, const char *text)
{
    return read_real(&line->make.fracture.excess, text, 0.001, 1);
}

static bool read_materials(command_line *line, const char *text)
{
    line->make.materials = text;
    return *text != '\0';
}

static bool read_map(command_line *line, const char *text)
{
    line->make.map = text;
    return *text != '\0';
}

/* Reads the name of a table, which must be a C identifier. */
static bool read_table_name(command_line *line, const char *text)
{
    size_t size = strlen(text);
    size_t good = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

    if (size == 0 || good != size || size >= MAX_TABLE_NAME ||
        (text[0] >= '0' && text[0] <= '9') || table_is_keyword(text))
        return false;
    memcpy(line->make.name, text, size + 1);
    return true;
}


/* ---- Options ------------------------------------------------------------ */

static const option options[] = {
    {"--steps", "N", "steps to make (default: the scene's)",
     OPTION_COUNT(simulation.steps, 1, 10000000)},
    {"--stepper", "NAME", "carry (default), shock, pgs or subspace",
     OPTION_CHOICE(read_stepper, stepper_names)},
    {"--a", "X", "share of a load that is passed down, 0 to 1",
     OPTION_READ(read_fraction)},
    {"--sweeps", "N", "most sweeps of a velocity solve",
     OPTION_COUNT(simulation.sweeps, 1, MAX_SWEEPS)},
    {"--corrections", "N", "most sweeps of a position solve",
     OPTION_COUNT(simulation.corrections, 1, MAX_SWEEPS)},
    {"--dt", "S", "length of a step in s, 0.0001 to 0.1; default: the scene's",
     OPTION_READ(read_dt)},
    {"--setting", "NAME",
     "a world of tests/golden.txt: carry, cold, pyramid, pgs ...",
     OPTION_CHOICE(read_setting, golden_setting_names)},
    {"--class", "NAME", "its capacities: micro, tiny, small or console",
     OPTION_CHOICE(read_class, golden_class_names)},
    {"--trace", "FILE.csv",
     "write a row a step: contacts, sweeps, overlap, energy, times",
     OPTION_READ(read_trace)},
    {"--peers", "FILE", "show runs of other engines beside ours, of vsp-isp",
     OPTION_READ(read_peers)},
    {"--at", "STEP,...",
     "steps to draw, 0 to 10000000; default: first and last",
     OPTION_READ(read_at)},
    {"--size", "WxH", "pixels, 16 to 4096 each way", OPTION_READ(read_size)},
    {"--view", "A,E", "azimuth -360 to 360 and elevation -89 to 89, degrees",
     OPTION_READ(read_view)},
    {"--keyframes", "N", "steps between whole states in the file; 0: none",
     OPTION_COUNT(replay.keyframes, 0, 10000000)},
    {"--snapshot", "STEP", "write the state of this step into the file of -o",
     OPTION_READ(read_snapshot)},
    {"-o", "PATH", "the file or the folder to write", OPTION_READ(read_output)},
    {"--name", "NAME",
     "name of the table, a C identifier; default: from the file",
     OPTION_READ(read_table_name)},
    {"--scale", "X", "factor of all lengths, 0.000001 to 1000000",
     OPTION_READ(read_scale)},
    {"--tolerance", "M", "how far points may be left outside, 0 to 100 m",
     OPTION_READ(read_tolerance)},
    {"--leaf", "N", "most triangles of a leaf", OPTION_COUNT(make.leaf, 1, 8)},
    {"--cell", "M", "distance of two heights, to 100 m",
     OPTION_READ(read_cell)},
    {"--step", "M", "height of one unit of the file, to 100 m",
     OPTION_READ(read_step)},
    {"--base", "NUMBER", "number of the file that is height 0",
     OPTION_READ(read_base)},
    {"--hole", "NUMBER", "number of the file that means a hole",
     OPTION_READ(read_hole)},
    {"--materials", "FILE", "list of materials, of usemtl names or of a map",
     OPTION_READ(read_materials)},
    {"--map", "FILE.pgm|FILE.txt", "number of each cell's material; 0: none",
     OPTION_READ(read_map)},
    {"--cells", "N", "cells along the longest side",
     OPTION_COUNT(make.sdf.cells, 2, 250)},
    {"--spheres", "N", "most spheres of the surface",
     OPTION_COUNT(make.sdf.spheres, 0, SDF_MAX_SPHERES)},
    {"--depth", "N", "levels of the tree of spheres",
     OPTION_COUNT(make.sdf.depth, 1, SDF_MAX_DEPTH)},
    {"--pieces", "N", "pieces to break it into",
     OPTION_COUNT(make.fracture.cells, 1, FRACTURE_MAX)},
    {"--seed", "N", "another number, other pieces",
     OPTION_COUNT(make.fracture.seed, 0, UINT32_MAX)},
    {"--strength", "N/m^2", "what the seams withstand, 0 to 1e9",
     OPTION_READ(read_strength)},
    {"--excess", "PART", "share of volume that hulls may add, 0.001 to 1",
     OPTION_READ(read_excess)},
    {"--workers", "N", "threads that share a step; the bits are the same",
     OPTION_COUNT(workers, 1, 64)},
    {"--cold", NULL, "start each solve at 0, not at the last result",
     OPTION_SWITCH(simulation.is_cold)},
    {"--pyramid", NULL, "friction pyramids instead of cones",
     OPTION_SWITCH(simulation.is_pyramid)},
    {"--merit", NULL, "print the residual of the last step",
     OPTION_SWITCH(simulation.show_merit)},
    {"--json", NULL, "print JSON, a line a scene", OPTION_SWITCH(is_json)},
    {"--contacts", NULL, "draw contacts",
     OPTION_SWITCH(picture.render.show_contacts)},
    {"--layers", NULL, "colour bodies by their layer",
     OPTION_SWITCH(picture.render.show_layers)},
    {"--movie", NULL,
     "draw one moving picture, from the first step to the last",
     OPTION_SWITCH(picture.is_movie)},
    {"--all", NULL, "all pictures", OPTION_SWITCH(is_whole)},
    {"--hashes", NULL, "print the hash of each step",
     OPTION_SWITCH(replay.is_list)},
    {"--quick", NULL, "fewer or smaller runs", OPTION_SWITCH(paper.is_quick)},
    {0},
};

/* A setting and a class have a stepper of their own; --at says which step is
 * the last. */
static const option_pair rivals[] = {
    {"--stepper", "--setting"},
    {"--stepper", "--class"},
    {"--steps", "--at"},
    {"--hashes", "--snapshot"},
    {0},
};

static void set_defaults(command_line *line)
{
    memset(line, 0, sizeof *line);
    line->simulation = simulation_options_default();
    line->golden.class = GOLDEN_CONSOLE;
    line->picture.render = render_options_default();
    line->picture.directory = ".";
    line->make = make_options_default();
    line->paper.directory = ".";
}


/* ---- Words -------------------------------------------------------------- */

static bool add_word(command_line *line, const char *word)
{
    if (line->scene_count == MAX_SCENES) {
        command_reason("'%s' is a word too many\n", word);
        return false;
    }
    line->scenes[line->scene_count++] = word;
    return true;
}

/* Refuses a word that no scene's name begins; suffixes are not compared. */
static bool refuse_scene(const char *word)
{
    char name[64];
    guess near;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":~^@"), word);
    near = guess_begin(name);
    command_reason("no scene '%s'", word);
    for (uint32_t i = 0; i < scene_count; i++)
        guess_add(&near, scenes[i].name);
    guess_end(&near);
    fprintf(stderr, "`vsp scenes` lists all\n");
    return false;
}

static bool is_scene_name(const char *word)
{
    size_t size = strcspn(word, ":~^@");

    for (uint32_t i = 0; i < scene_count; i++)
        if (strlen(scenes[i].name) == size &&
            strncmp(scenes[i].name, word, size) == 0)
            return true;
    return false;
}

/* Whether a scene's number means something. */
static bool has_number(const scene *which)
{
    return which->number != 0.0 || strstr(which->about, "number");
}

/* Builds the scene once, and finds whether anything can move in it. */
static bool is_scene_populated(const command_line *line, const char *word)
{
    scene_run run;

    if (!simulation_start(&run, word, &line->simulation))
        return false;
    if (run.is_count && run.variant.number > (uint32_t)run.variant.number) {
        command_reason("'%s': its number must be whole\n", word);
        return false;
    }
    if (simulation_bodies(run.world) > 0 || run.scene->drive)
        return true;
    command_reason("nothing moves in '%s'\n", word);
    return false;
}

/* Returns false, and prints why on stderr, if a word is no scene that can
 * run. */
static bool is_scene_good(const command_line *line, const char *word)
{
    scene_variant variant;
    const scene *which = scene_find(word, &variant);

    if (!is_scene_name(word))
        return refuse_scene(word);
    if (!which)
        command_reason("'%s' must end as in column:40~3^1e-5,2@7: number, "
                       "seed, noise, degrees\n",
                       word);
    else if (strchr(word, ':') && !has_number(which))
        command_reason("'%s': %s has no number\n", word, which->name);
    else if (variant.number > MAX_NUMBER)
        command_reason("'%s': its number is over %d\n", word, MAX_NUMBER);
    else
        return is_scene_populated(line, word);
    return false;
}

/* Checks all scenes before the first one runs. */
static bool are_scenes_good(const command_line *line)
{
    for (int i = 0; i < line->scene_count; i++)
        if (!is_scene_good(line, line->scenes[i]))
            return false;
    return true;
}

/* ---- Commands ----------------------------------------------------------- */

static int list_scenes(command_line *line)
{
    (void)line;
    report_scenes(stdout);
    return 0;
}

/* Sets the scenes to measure if the command line names none. */
static void choose_scenes(command_line *line, const char *const *names,
                          int count)
{
    if (line->scene_count > 0)
        return;
    for (int i = 0; i < count; i++)
        line->scenes[i] = names[i];
    line->scene_count = count;
}

/* Opens the trace, which is of one scene, and writes its head.  Returns false,
 * and prints why on stderr, if that fails. */
static bool open_trace(command_line *line)
{
    if (!line->trace)
        return true;
    if (line->scene_count != 1) {
        command_reason("--trace '%s' needs one scene\n", line->trace);
        return false;
    }
    line->simulation.trace = fopen(line->trace, "w");
    if (!line->simulation.trace) {
        command_reason("cannot write '%s'\n", line->trace);
        return false;
    }
    trace_head(line->simulation.trace);
    return true;
}

/* Closes the trace.  Returns the status, or 2, and prints why on stderr, if the
 * file is not complete. */
static int close_trace(const command_line *line, int status)
{
    bool is_bad;

    if (!line->simulation.trace)
        return status;
    is_bad = ferror(line->simulation.trace) != 0;
    is_bad = fclose(line->simulation.trace) != 0 || is_bad;
    if (is_bad)
        fprintf(stderr, "vsp: cannot write '%s'\n", line->trace);
    return is_bad ? 2 : status;
}

#if VSP_WORKERS

/* Runs a command while its workers wait for tasks.  Returns the exit status. */
static int act_with_workers(command_line *line, int (*act)(command_line *line))
{
    pool *threads = line->workers > 0 ? pool_open(line->workers) : NULL;
    vsp_workers workers;
    int status;

    if (line->workers > 0 && !threads) {
        command_reason("cannot start %u threads\n", (unsigned)line->workers);
        return STATUS_USAGE;
    }
    if (threads) {
        workers = pool_workers(threads);
        line->simulation.workers = line->replay.workers = &workers;
    }
    status = act(line);
    pool_close(threads);
    return status;
}

#else

static int act_with_workers(command_line *line, int (*act)(command_line *line))
{
    if (line->workers == 0)
        return act(line);
    command_reason("--workers: built without VSP_WORKERS\n");
    return STATUS_USAGE;
}

#endif

/* Runs a command on scenes that are good, with the trace open.  Returns the
 * exit status. */
static int act_on_scenes(command_line *line, int (*act)(command_line *line))
{
    if (!are_scenes_good(line) || !open_trace(line))
        return STATUS_USAGE;
    return close_trace(line, act_with_workers(line, act));
}

/* Measures each scene and passes the result to `report`.  Returns the exit
 * status. */
static int measure_all(const command_line *line,
                       void (*report)(const measure *))
{
    static measure result;
    int status = 0;

    for (int i = 0; i < line->scene_count; i++) {
        if (!measure_scene(&result, line->scenes[i], &line->simulation))
            return STATUS_USAGE;
        report(&result);
        if (!measure_is_good(&result))
            status = 1;
    }
    return status;
}

static int show_runs(command_line *line)
{
    bool is_single = line->scene_count == 1;
    int status;

    choose_scenes(line, report_scene_names, REPORT_SCENES);
    if (line->is_json)
        return measure_all(line, report_json);
    if (is_single)
        return measure_all(line, report_run);
    report_table_head();
    status = measure_all(line, report_table_row);
    report_table_legend();
    return status;
}

static int run_scenes(command_line *line)
{
    return act_on_scenes(line, show_runs);
}

static int show_times(command_line *line)
{
    static const char *const names[] = {
        "box-stack", "wall",       "tower",          "pyramid",
        "ball-grid", "roof-tower", "heavy-on-light",
    };
    int status;

    choose_scenes(line, names, (int)(sizeof names / sizeof names[0]));
    if (line->is_json)
        return measure_all(line, report_json);
    report_times_head();
    status = measure_all(line, report_times_row);
    report_times_legend();
    return status;
}

static int bench_scenes(command_line *line)
{
    return act_on_scenes(line, show_times);
}

static int show_workers(command_line *line)
{
    static const char *const names[] = {"rain:2000", "roof-tower", "pyramid-3d",
                                        "ragdolls:50", "pyramid:60"};

    choose_scenes(line, names, (int)(sizeof names / sizeof names[0]));
    workers_head();
    for (int i = 0; i < line->scene_count; i++)
        if (!workers_row(line->scenes[i], &line->simulation))
            return 1;
    workers_legend();
    return 0;
}

static int bench_workers(command_line *line)
{
    return act_on_scenes(line, show_workers);
}

/* Chooses the first and the last step if the command line names none. */
static void choose_moments(command_line *line)
{
    scene_variant variant;
    const scene *which = scene_find(line->scenes[0], &variant);

    if (line->picture.count > 0)
        return;
    line->picture.at[0] = 0;
    line->picture.at[1] = line->simulation.steps > 0 ? line->simulation.steps
                                                     : which->steps;
    line->picture.count = 2;
}

static int draw_scene(command_line *line)
{
    choose_moments(line);
    return picture_scene(line->scenes[0], &line->simulation, &line->picture)
               ? 0
               : STATUS_USAGE;
}

static int render_scene(command_line *line)
{
    return act_on_scenes(line, draw_scene);
}

static int render_gallery(command_line *line)
{
    const char *directory = line->picture.directory;

    if (!gallery_draw(directory, &line->simulation, line->is_whole) ||
        !gallery_write_page(directory, line->is_whole))
        return STATUS_USAGE;
    printf("%s/index.html\n", directory);
    return 0;
}

static int write_recording(command_line *line)
{
    return replay_record(line->scenes[0], &line->simulation, &line->replay);
}

static int record_scene(command_line *line)
{
    if (!line->replay.output)
        return command_refuse("-o FILE is missing");
    return act_on_scenes(line, write_recording);
}

static int write_text(command_line *line)
{
    return export_scene(line->scenes[0], &line->simulation,
                        line->replay.output);
}

static int export_file(command_line *line)
{
    if (!line->replay.output)
        return command_refuse("-o FILE is missing");
    return act_on_scenes(line, write_text);
}

static int play_replay(command_line *line)
{
    return replay_play(line->scenes[0], &line->replay);
}

static int replay_file(command_line *line)
{
    if (line->replay.has_snapshot != (line->replay.output != NULL))
        return command_refuse("--snapshot and -o go together");
    return act_with_workers(line, play_replay);
}

static int diff_files(command_line *line)
{
    return replay_diff(line->scenes[0], line->scenes[1]);
}

/* Runs a command that makes a table, which needs an input file and the name of
 * an output file. */
static int make_table(command_line *line, int (*act)(make_options *options))
{
    if (!line->make.output)
        return command_refuse("-o FILE is missing");
    line->make.input = line->scenes[0];
    return act(&line->make);
}

static int make_hull_file(command_line *line)
{
    return make_table(line, make_hull);
}

static int make_mesh_file(command_line *line)
{
    return make_table(line, make_mesh);
}

static int make_shell_file(command_line *line)
{
    return make_table(line, make_shell);
}

static int make_field_file(command_line *line)
{
    return make_table(line, make_field);
}

static int make_sdf_file(command_line *line)
{
    return make_table(line, make_sdf);
}

static int make_pieces_file(command_line *line)
{
    return make_table(line, make_pieces);
}

static int make_table_files(command_line *line)
{
    if (!line->make.output)
        line->make.output = "port/scenes/tables";
    return make_tables(&line->make);
}

static int bench_queries(command_line *line)
{
    (void)line;
    return queries_bench();
}

static int bench_rollback(command_line *line)
{
    (void)line;
    return rollback_bench();
}

static int run_papers(command_line *line)
{
    int status = paper_run(line->scenes[0], &line->paper);
    guess near = guess_begin(line->scenes[0]);

    if (status != 1)
        return status;
    command_reason("no figure '%s'", line->scenes[0]);
    for (const experiment *it = experiments; it->name; it++)
        guess_add(&near, it->name);
    guess_end(&near);
    paper_list();
    return STATUS_USAGE;
}

#define SETTING_OPTIONS \
    "--steps --stepper --a --sweeps --corrections --dt --cold --pyramid "
#define WORLD_OPTIONS SETTING_OPTIONS "--workers "
#define GOLDEN_OPTIONS "--setting --class "

static const char stepper_notes[] =
    "steppers, as VSP_STEPPER_CARRY and so on in vsp.h:\n"
    "  carry      passes loads down the stack, then sweeps; the default\n"
    "  shock      velocity-based shock propagation, figure 14 of Erleben 2007\n"
    "  pgs        projected Gauss-Seidel, as most engines\n"
    "  subspace   PGS with subspace minimisation, PGS-SM of Silcowitz 2010\n";

static const command commands[] = {
    {"scenes", "", "lists the scenes", "", 0, 0, list_scenes, NULL},
    {"run", "[SCENE...]", "runs scenes and prints how well they stand",
     WORLD_OPTIONS GOLDEN_OPTIONS "--merit --trace --json", 0, ANY, run_scenes,
     stepper_notes},
    {"bench", "[SCENE...]", "runs scenes and prints how long steps take",
     WORLD_OPTIONS GOLDEN_OPTIONS "--merit --trace --json", 0, ANY,
     bench_scenes, stepper_notes},
    {"queries", "", "times rays, casts and overlaps", "", 0, 0, bench_queries,
     NULL},
    {"rollback", "", "times snapshots and rollbacks", "", 0, 0, bench_rollback,
     NULL},
    {"workers", "[SCENE...]", "times steps that threads share", SETTING_OPTIONS,
     0, ANY, bench_workers, NULL},
    {"render", "SCENE", "draws a scene after some steps, as PNG files",
     WORLD_OPTIONS GOLDEN_OPTIONS
     "--trace --at --size --view --contacts --layers --movie -o",
     1, 1, render_scene, stepper_notes},
    {"gallery", "", "draws many scenes, and a page that shows them", "--all -o",
     0, 0, render_gallery, NULL},
    {"paper", "NAME|all", "repeats figures of the papers, as a page",
     "--quick --peers -o", 1, 1, run_papers,
     "NAME is a figure, or the beginning of several up to a dash: pgs-sm\n"},
    {"record", "SCENE -o FILE", "runs a scene and writes its replay",
     WORLD_OPTIONS GOLDEN_OPTIONS "--keyframes -o", 1, 1, record_scene,
     stepper_notes},
    {"replay", "FILE", "plays a replay and compares every hash",
     "--hashes --snapshot --workers -o", 1, 1, replay_file,
     "exit status: 0 the same here, 1 diverged, 2 bad file\n"},
    {"diff", "FILE FILE", "names what differs in two replays or snapshots", "",
     2, 2, diff_files, "exit status: 0 equal, 1 different, 2 bad file\n"},
    {"export", "SCENE -o FILE", "writes a scene as text, for other engines",
     "--steps -o", 1, 1, export_file, NULL},
    {"hull", "FILE.obj -o FILE.h", "makes a convex hull",
     "--name --scale --tolerance -o", 1, 1, make_hull_file, NULL},
    {"mesh", "FILE.obj -o FILE.h", "makes a mesh that does not move",
     "--name --scale --leaf --materials -o", 1, 1, make_mesh_file, NULL},
    {"shell", "FILE.obj -o FILE.h", "makes a sheet without thickness",
     "--name --scale --leaf -o", 1, 1, make_shell_file, NULL},
    {"field", "FILE.pgm|FILE.txt -o FILE.h --cell M --step M",
     "makes a height field",
     "--name --cell --step --base --hole --materials --map -o", 1, 1,
     make_field_file, NULL},
    {"sdf", "FILE.obj -o FILE.h", "makes a solid of distances and spheres",
     "--name --scale --cells --spheres --depth -o", 1, 1, make_sdf_file, NULL},
    {"break", "FILE.obj -o FILE.h", "breaks a solid into convex pieces",
     "--name --scale --pieces --seed --strength --excess -o", 1, 1,
     make_pieces_file, NULL},
    {"tables", "", "writes the tables of tests and scenes", "-o", 0, 0,
     make_table_files, NULL},
    {0},
};

/* Writes the command line, for the comment in a table, cut off if it is too
 * long. */
static void write_command(char *out, size_t size, char **words)
{
    size_t used = (size_t)snprintf(out, size, "vsp");

    for (; *words && used < size; words++)
        used += (size_t)snprintf(out + used, size - used, " %s", *words);
}

int main(int argc, char **argv)
{
    static command_line line;
    static const program vsp = {
        "vsp",
        VSP_FIXED ? "runs, measures and draws worlds in fixed point"
                  : "runs, measures and draws worlds in floats",
        commands,
        options,
        rivals,
        add_word};

    set_defaults(&line);
    if (argc > 1)
        write_command(line.make.command, sizeof line.make.command, argv + 1);
    return command_run(&vsp, argc, argv, &line);
}
