/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The command line: its options, the commands, and their table.  Exit status: 0
 * done; 1 done, but a scene fell, a run failed or bits diverged; 2 bad
 * arguments or files. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_queries.h"
#include "bench_rollback.h"
#include "gallery.h"
#include "make_tables.h"
#include "picture.h"
#include "port/measure/measure.h"
#include "port/measure/trace.h"
#include "port/paper/experiment.h"
#include "replay.h"
#include "report.h"

#define MAX_SCENES 64
#define MAX_SWEEPS 10000 /* of vsp_world_def */

typedef struct command_line {
    const char *scenes[MAX_SCENES]; /* or names of files */
    int scene_count;
    simulation_options simulation;
    golden_run golden;
    picture_options picture;
    replay_options replay;
    make_options make;
    const char *paper_directory;
    const char *trace; /* file for a row of each step; null: none */
    bool is_quick;     /* fewer or smaller runs */
    bool is_json;
    bool is_whole; /* all pictures of the gallery */
} command_line;

static void show_usage(FILE *out)
{
    fprintf(out,
            "usage: vsp scenes\n"
            "       vsp run [SCENE...] [--steps N] [--stepper "
            "carry|shock|pgs|subspace] [--a X] [--json]\n"
            "               [--sweeps N] [--corrections N] [--dt S] [--cold] "
            "[--pyramid] [--merit]\n"
            "               [--trace FILE.csv]\n"
            "       vsp bench [SCENE...] [the same]\n"
            "       vsp queries\n"
            "       vsp rollback\n"
            "       vsp render SCENE [--at STEP,...] [-o DIR] [--contacts] "
            "[--layers]\n"
            "                  [--size WxH] [--view AZIMUTH,ELEVATION]\n"
            "                  [--stepper ... as for run]\n"
            "       vsp gallery [--all] [-o DIR]\n"
            "       vsp paper all|NAME [-o DIR] [--quick]\n"
            "       vsp record SCENE -o FILE [--steps N] [--keyframes N] "
            "[--stepper ...]\n"
            "                  [--setting carry|cold|pyramid|pgs|shock] "
            "[--class micro|tiny|small|console]\n"
            "       vsp replay FILE [--hashes | --snapshot STEP -o FILE]\n"
            "       vsp diff FILE FILE\n"
            "       vsp hull FILE.obj -o FILE.h [--name NAME] [--scale X] "
            "[--tolerance M]\n"
            "       vsp mesh FILE.obj -o FILE.h [--name NAME] [--scale X] "
            "[--leaf N]\n"
            "       vsp shell FILE.obj -o FILE.h [--name NAME] [--scale X] "
            "[--leaf N]\n"
            "       vsp field FILE.pgm|FILE.txt -o FILE.h --cell M --step M\n"
            "                 [--name NAME] [--base NUMBER] "
            "[--hole NUMBER]\n"
            "       vsp sdf FILE.obj -o FILE.h [--name NAME] [--scale X] "
            "[--cells N]\n"
            "               [--spheres N] [--depth N]\n"
            "       vsp break FILE.obj -o FILE.h [--name NAME] [--scale X] "
            "[--pieces N]\n"
            "                 [--seed N] [--strength N/m^2] [--excess PART]\n"
            "       vsp tables [-o DIR]\n"
            "numbers: %s\n",
            report_kind());
}

/* Prints the usage, then the reason, since the last line is the one people see.
 * Returns the exit status. */
static int refuse_words(const char *command, const char *reason)
{
    show_usage(stderr);
    fprintf(stderr, "vsp: %s %s\n", command, reason);
    return 2;
}


/* ---- Values ------------------------------------------------------------- */

/* Reads a whole number from low to high, and moves *text past it. */
static bool read_count(const char **text, uint32_t low, uint32_t high,
                       uint32_t *value)
{
    char *end;
    unsigned long number;

    if (**text < '0' || **text > '9')
        return false;
    number = strtoul(*text, &end, 10);
    if (number < low || number > high)
        return false;
    *value = (uint32_t)number;
    *text = end;
    return true;
}

static bool read_steps(command_line *line, const char *text)
{
    return read_count(&text, 1, 10000000, &line->simulation.steps) &&
           *text == '\0';
}

static bool read_stepper(command_line *line, const char *text)
{
    if (strcmp(text, "carry") == 0)
        line->simulation.stepper = VSP_STEPPER_CARRY;
    else if (strcmp(text, "shock") == 0)
        line->simulation.stepper = VSP_STEPPER_SHOCK;
    else if (strcmp(text, "pgs") == 0)
        line->simulation.stepper = VSP_STEPPER_PGS;
    else if (strcmp(text, "subspace") == 0)
        line->simulation.stepper = VSP_STEPPER_SUBSPACE;
    else
        return false;
    return true;
}

static bool read_fraction(command_line *line, const char *text)
{
    char *end;
    double value = strtod(text, &end);

    line->simulation.fraction = vsp_from_double(value);
    return end != text && *end == '\0' && value >= 0.0 && value <= 1.0;
}

static bool read_sweeps(command_line *line, const char *text)
{
    return read_count(&text, 1, MAX_SWEEPS, &line->simulation.sweeps) &&
           *text == '\0';
}

static bool read_corrections(command_line *line, const char *text)
{
    return read_count(&text, 1, MAX_SWEEPS, &line->simulation.corrections) &&
           *text == '\0';
}

static bool read_trace(command_line *line, const char *text)
{
    line->trace = text;
    return *text != '\0';
}

/* Sets *index to the name that equals the text. */
static bool read_name(const char *const *names, int count, const char *text,
                      int *index)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) {
            *index = i;
            return true;
        }
    return false;
}

/* A setting or a class selects the world of a row in tests/golden.txt. */
static bool read_setting(command_line *line, const char *text)
{
    int index;

    if (!read_name(golden_setting_names, GOLDEN_SETTINGS, text, &index))
        return false;
    line->golden.setting = (golden_setting)index;
    line->simulation.golden = &line->golden;
    return true;
}

static bool read_class(command_line *line, const char *text)
{
    int index;

    if (!read_name(golden_class_names, GOLDEN_CLASSES, text, &index))
        return false;
    line->golden.class = (golden_class)index;
    line->simulation.golden = &line->golden;
    return true;
}

static bool read_at(command_line *line, const char *text)
{
    picture_options *picture = &line->picture;

    picture->count = 0;
    for (;;) {
        if (picture->count == MAX_PICTURES ||
            !read_count(&text, 0, 10000000, &picture->at[picture->count]))
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
    line->paper_directory = text;
    return *text != '\0';
}

static bool read_keyframes(command_line *line, const char *text)
{
    return read_count(&text, 0, 10000000, &line->replay.keyframes) &&
           *text == '\0';
}

static bool read_snapshot(command_line *line, const char *text)
{
    line->replay.has_snapshot = true;
    return read_count(&text, 0, 4294967295u, &line->replay.snapshot) &&
           *text == '\0';
}

static bool read_size(command_line *line, const char *text)
{
    uint32_t width;
    uint32_t height;

    if (!read_count(&text, 16, 4096, &width) || *text++ != 'x' ||
        !read_count(&text, 16, 4096, &height) || *text != '\0')
        return false;
    line->picture.render.width = (int)width;
    line->picture.render.height = (int)height;
    return true;
}

/* Reads the two angles, degrees.  Rejects a view straight up or down, where
 * left and right are not defined. */
static bool read_view(command_line *line, const char *text)
{
    char *end;
    double azimuth = strtod(text, &end);
    double elevation;

    if (end == text || *end != ',')
        return false;
    text = end + 1;
    elevation = strtod(text, &end);
    line->picture.render.azimuth = azimuth;
    line->picture.render.elevation = elevation;
    return end != text && *end == '\0' && azimuth >= -360.0 &&
           azimuth <= 360.0 && elevation >= -89.0 && elevation <= 89.0;
}

/* Reads a number from low to high. */
static bool read_real(double *out, const char *text, double low, double high)
{
    char *end;
    double value = strtod(text, &end);

    *out = value;
    return end != text && *end == '\0' && value >= low && value <= high;
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

static bool read_cells(command_line *line, const char *text)
{
    return read_count(&text, 2, 250, &line->make.sdf.cells) && *text == '\0';
}

static bool read_spheres(command_line *line, const char *text)
{
    return read_count(&text, 0, SDF_MAX_SPHERES, &line->make.sdf.spheres) &&
           *text == '\0';
}

static bool read_depth(command_line *line, const char *text)
{
    return read_count(&text, 1, SDF_MAX_DEPTH, &line->make.sdf.depth) &&
           *text == '\0';
}

static bool read_pieces(command_line *line, const char *text)
{
    return read_count(&text, 1, FRACTURE_MAX, &line->make.fracture.cells) &&
           *text == '\0';
}

static bool read_seed(command_line *line, const char *text)
{
    return read_count(&text, 0, 4294967295u, &line->make.fracture.seed) &&
           *text == '\0';
}

static bool read_strength(command_line *line, const char *text)
{
    return read_real(&line->make.fracture.strength, text, 0, 1e9);
}

static bool read_excess(command_line *line, const char *text)
{
    return read_real(&line->make.fracture.excess, text, 0.001, 1);
}

static bool read_leaf(command_line *line, const char *text)
{
    return read_count(&text, 1, 8, &line->make.leaf) && *text == '\0';
}

/* Reads the name of a table, which must be a C identifier. */
static bool read_table_name(command_line *line, const char *text)
{
    size_t size = strlen(text);
    size_t good = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

    if (size == 0 || good != size || size >= MAX_TABLE_NAME ||
        (text[0] >= '0' && text[0] <= '9'))
        return false;
    memcpy(line->make.name, text, size + 1);
    return true;
}


/* ---- Options ------------------------------------------------------------ */

typedef struct option {
    const char *name;
    bool (*read)(command_line *line, const char *value);
} option;

static const option options[] = {
    {"--steps", read_steps},
    {"--stepper", read_stepper},
    {"--a", read_fraction},
    {"--at", read_at},
    {"-o", read_output},
    {"--size", read_size},
    {"--view", read_view},
    {"--keyframes", read_keyframes},
    {"--snapshot", read_snapshot},
    {"--setting", read_setting},
    {"--class", read_class},
    {"--name", read_table_name},
    {"--scale", read_scale},
    {"--tolerance", read_tolerance},
    {"--leaf", read_leaf},
    {"--cell", read_cell},
    {"--step", read_step},
    {"--base", read_base},
    {"--hole", read_hole},
    {"--cells", read_cells},
    {"--spheres", read_spheres},
    {"--depth", read_depth},
    {"--pieces", read_pieces},
    {"--seed", read_seed},
    {"--strength", read_strength},
    {"--excess", read_excess},
    {"--sweeps", read_sweeps},
    {"--corrections", read_corrections},
    {"--dt", read_dt},
    {"--trace", read_trace},
};

static void set_defaults(command_line *line)
{
    memset(line, 0, sizeof *line);
    line->simulation = simulation_options_default();
    line->golden.class = GOLDEN_CONSOLE;
    line->picture.render = render_options_default();
    line->picture.directory = ".";
    line->make = make_options_default();
    line->paper_directory = ".";
}

/* Reads an option without an argument. */
static bool read_switch(command_line *line, const char *word)
{
    if (strcmp(word, "--json") == 0)
        line->is_json = true;
    else if (strcmp(word, "--hashes") == 0)
        line->replay.is_list = true;
    else if (strcmp(word, "--contacts") == 0)
        line->picture.render.show_contacts = true;
    else if (strcmp(word, "--layers") == 0)
        line->picture.render.show_layers = true;
    else if (strcmp(word, "--all") == 0)
        line->is_whole = true;
    else if (strcmp(word, "--cold") == 0)
        line->simulation.is_cold = true;
    else if (strcmp(word, "--pyramid") == 0)
        line->simulation.is_pyramid = true;
    else if (strcmp(word, "--merit") == 0)
        line->simulation.show_merit = true;
    else if (strcmp(word, "--quick") == 0)
        line->is_quick = true;
    else
        return false;
    return true;
}

static bool read_option(command_line *line, const char *word, const char *value)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strcmp(word, options[i].name) == 0)
            return value && options[i].read(line, value);
    return false;
}

/* Reads an option with its argument, or one word without.  Returns how many
 * words it read; 0 if they are not valid. */
static int read_word(command_line *line, const char *word, const char *next)
{
    if (word[0] == '-')
        return read_switch(line, word) ? 1 : read_option(line, word, next) * 2;
    if (line->scene_count == MAX_SCENES)
        return 0;
    line->scenes[line->scene_count++] = word;
    return 1;
}

/* Reads all words up to a null. */
static bool read_words(command_line *line, char **words)
{
    while (*words) {
        int used = read_word(line, words[0], words[1]);

        if (used == 0) {
            show_usage(stderr);
            fprintf(stderr, "vsp: bad argument: %s %s\n", words[0],
                    words[1] ? words[1] : "");
            return false;
        }
        words += used;
    }
    return true;
}

static bool are_scenes_known(const command_line *line)
{
    scene_variant variant;

    for (int i = 0; i < line->scene_count; i++) {
        if (scene_find(line->scenes[i], &variant))
            continue;
        report_scenes(stderr);
        fprintf(stderr, "vsp: no scene '%s'; those above are\n",
                line->scenes[i]);
        return false;
    }
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

/* Measures each scene and passes the result to `report`.  Returns the exit
 * status. */
static int measure_all(const command_line *line,
                       void (*report)(const measure *))
{
    static measure result;
    int status = 0;

    for (int i = 0; i < line->scene_count; i++) {
        if (!measure_scene(&result, line->scenes[i], &line->simulation))
            return 2;
        report(&result);
        if (!measure_is_good(&result))
            status = 1;
    }
    return status;
}

/* Opens the trace, which is of one scene, and writes its head.  Returns false,
 * and prints why on stderr, if that fails. */
static bool open_trace(command_line *line)
{
    if (!line->trace)
        return true;
    if (line->scene_count != 1) {
        (void)refuse_words("--trace", "needs one scene");
        return false;
    }
    line->simulation.trace = fopen(line->trace, "w");
    if (!line->simulation.trace) {
        fprintf(stderr, "vsp: cannot write '%s'\n", line->trace);
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

static int run_scenes(command_line *line)
{
    static const char *const names[] = {
        "box-stack",      "column:50",   "wall",
        "tower",          "pyramid",     "ball-grid",
        "heavy-on-light", "heavy:10000", "box-stack~1",
        "wall~1",         "tower~1",     "pyramid~1",
        "pyramid-3d",     "card-house",  "large-mass-pair",
        "jammed-spheres", "roof-tower",  "cannon",
    };
    bool is_single = line->scene_count == 1;

    choose_scenes(line, names, (int)(sizeof names / sizeof names[0]));
    if (line->is_json)
        return measure_all(line, report_json);
    if (is_single)
        return measure_all(line, report_run);
    report_table_head();
    return measure_all(line, report_table_row);
}

static int bench_scenes(command_line *line)
{
    static const char *const names[] = {
        "box-stack", "wall",       "tower",          "pyramid",
        "ball-grid", "roof-tower", "heavy-on-light",
    };

    choose_scenes(line, names, (int)(sizeof names / sizeof names[0]));
    if (line->is_json)
        return measure_all(line, report_json);
    report_times_head();
    return measure_all(line, report_times_row);
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

static int render_scene(command_line *line)
{
    choose_moments(line);
    return picture_scene(line->scenes[0], &line->simulation, &line->picture)
               ? 0
               : 1;
}

static int render_gallery(command_line *line)
{
    return draw_gallery(line->picture.directory, &line->simulation,
                        line->is_whole)
               ? 0
               : 1;
}

static int record_scene(command_line *line)
{
    if (!line->replay.output)
        return refuse_words("record", "needs -o FILE");
    return replay_record(line->scenes[0], &line->simulation, &line->replay);
}

static int replay_file(command_line *line)
{
    if (line->replay.has_snapshot != (line->replay.output != NULL))
        return refuse_words("replay", "needs --snapshot and -o together");
    return replay_play(line->scenes[0], &line->replay);
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
        return refuse_words("a table", "needs -o FILE");
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
    int status = paper_run(line->scenes[0], line->paper_directory,
                           line->is_quick);

    return status != 1 ? status
                       : refuse_words(line->scenes[0],
                                      "is no experiment: see the list above");
}

#define ANY INT_MAX

typedef struct command {
    const char *name;
    int (*act)(command_line *line);
    bool is_of_files; /* whether its words are files or names, not scenes */
    int least, most;  /* number of words besides options */
} command;

static const command commands[] = {
    {"scenes", list_scenes, false, 0, 0},
    {"run", run_scenes, false, 0, ANY},
    {"bench", bench_scenes, false, 0, ANY},
    {"render", render_scene, false, 1, 1},
    {"gallery", render_gallery, false, 0, 0},
    {"record", record_scene, false, 1, 1},
    {"replay", replay_file, true, 1, 1},
    {"diff", diff_files, true, 2, 2},
    {"hull", make_hull_file, true, 1, 1},
    {"mesh", make_mesh_file, true, 1, 1},
    {"shell", make_shell_file, true, 1, 1},
    {"field", make_field_file, true, 1, 1},
    {"sdf", make_sdf_file, true, 1, 1},
    {"break", make_pieces_file, true, 1, 1},
    {"tables", make_table_files, true, 0, 0},
    {"rollback", bench_rollback, true, 0, 0},
    {"queries", bench_queries, true, 0, 0},
    {"paper", run_papers, true, 1, 1},
};

static int run_command(const command *it, command_line *line)
{
    if (line->scene_count < it->least)
        return refuse_words(it->name, it->is_of_files ? "needs a file or name"
                                                      : "needs a scene");
    if (line->scene_count > it->most)
        return refuse_words(line->scenes[it->most], "is a word too many");
    if (!it->is_of_files && !are_scenes_known(line))
        return 2;
    if (!open_trace(line))
        return 2;
    return close_trace(line, it->act(line));
}

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

    set_defaults(&line);
    if (argc < 2)
        return refuse_words("a command", "is missing");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        show_usage(stdout);
        return 0;
    }
    if (!read_words(&line, argv + 2))
        return 2;
    write_command(line.make.command, sizeof line.make.command, argv + 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return run_command(&commands[i], &line);
    return refuse_words(argv[1], "is no command");
}
