/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* File names, one picture, the pictures of one scene, and the gallery. */

#define _POSIX_C_SOURCE 200112L

#include "picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "port/render/png.h"

#define MAX_PATH 1024

/* Replaces the characters of a scene's variant that file names should not
 * have. */
static void make_plain(char *name)
{
    for (; *name != '\0'; name++)
        if (strchr(":~@/", *name))
            *name = '_';
}

static bool make_path(char path[MAX_PATH], const char *directory,
                      const char *name, uint32_t step)
{
    int size = snprintf(path, MAX_PATH, "%s/%s-%04u.png", directory, name,
                        (unsigned)step);

    if (size < 0 || size >= MAX_PATH)
        return false;
    make_plain(path + strlen(directory) + 1);
    return true;
}

static bool make_directory(const char *directory)
{
    if (mkdir(directory, 0777) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr, "vsp: cannot make directory '%s'\n", directory);
    return false;
}

static bool draw_scene(const scene_run *run, const bounds *frame,
                       const char *path, const render_options *options)
{
    size_t pixels = (size_t)options->width * (size_t)options->height;
    unsigned char *rgb = malloc(3 * pixels);
    bool is_done = false;

    if (!rgb || !render_world(run->world, frame, options, rgb))
        fprintf(stderr, "vsp: no memory for a picture\n");
    else if (!png_write(path, options->width, options->height, rgb))
        fprintf(stderr, "vsp: cannot write '%s'\n", path);
    else
        is_done = true;
    free(rgb);
    if (is_done) {
        printf("%s\n", path);
        fflush(stdout);
    }
    return is_done;
}

/* Whether the caller wants a picture after this step. */
static bool is_wanted(const picture_options *options, uint32_t step)
{
    for (int i = 0; i < options->count; i++)
        if (options->at[i] == step)
            return true;
    return false;
}

static uint32_t last_wanted(const picture_options *options)
{
    uint32_t last = 0;

    for (int i = 0; i < options->count; i++)
        last = options->at[i] > last ? options->at[i] : last;
    return last;
}

/* Returns the smaller of two frames, that of the start and that of the first
 * picture: bodies dropped into a bin begin far apart, an explosion ends far
 * apart. */
static bounds smaller_of(bounds a, bounds b)
{
    vec3 of_a = vec_sub(a.high, a.low), of_b = vec_sub(b.high, b.low);

    return vec_dot(of_b, of_b) < vec_dot(of_a, of_a) ? b : a;
}

bool picture_scene(const char *name, const simulation_options *simulation,
                   const picture_options *options)
{
    char path[MAX_PATH];
    scene_run run;
    bounds frame;
    bool is_framed = false;

    if (!make_directory(options->directory) ||
        !simulation_start(&run, name, simulation))
        return false;
    frame = render_bounds(run.world);
    for (uint32_t step = 0;; step++) {
        if (is_wanted(options, step) && !is_framed) {
            frame = smaller_of(frame, render_bounds(run.world));
            is_framed = true;
        }
        if (is_wanted(options, step) &&
            (!make_path(path, options->directory, name, step) ||
             !draw_scene(&run, &frame, path, &options->render)))
            return false;
        if (step >= last_wanted(options))
            return true;
        if (scene_step(&run, step) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", name);
            return false;
        }
    }
}


/* ---- Gallery ------------------------------------------------------------ */

/* A scene, the step after which it is drawn, and the view. */
typedef struct exhibit {
    const char *scene;
    uint32_t at[4];
    int count;
    double azimuth, elevation; /* degrees */
    bool show_contacts, show_layers;
} exhibit;

static const exhibit exhibits[] = {
    {"tower", {500}, 1, 30.0, 14.0, false, false},
    {"wall", {500}, 1, 25.0, 10.0, false, true},
    {"pyramid", {500}, 1, 25.0, 10.0, true, false},
    {"roof-tower", {100, 220, 430, 560}, 4, 30.0, 10.0, false, false},
    {"falling-roof", {640}, 1, 60.0, 12.0, false, false},
    {"pyramid-3d-shot", {150}, 1, 30.0, 22.0, false, false},
    {"card-house", {500}, 1, 25.0, 12.0, false, false},
    {"silo", {60}, 1, 30.0, 58.0, false, false},
    {"dominoes", {600}, 1, 20.0, 30.0, false, false},
    {"house", {100, 260}, 2, -35.0, 22.0, false, false},
    {"cannon", {130}, 1, 40.0, 14.0, false, false},
    {"seesaw", {30}, 1, 20.0, 10.0, false, false},
    {"bin:200", {60, 240}, 2, 30.0, 35.0, false, false},
    {"marbles", {60, 190}, 2, 30.0, 20.0, false, false},
    {"hills", {70}, 1, 60.0, 25.0, false, false},
    {"animals:100", {50, 200}, 2, 30.0, 22.0, false, false},
    {"letters:400", {300}, 1, 20.0, 45.0, false, false},
    {"bullets", {6}, 1, 50.0, 10.0, false, false},
    {"belt", {150}, 1, 30.0, 20.0, false, false},
    {"whip", {60}, 1, 20.0, 8.0, false, false},
    {"bridge:20", {200}, 1, 35.0, 18.0, false, false},
    {"ropes", {60}, 1, 30.0, 12.0, false, false},
    {"hooks", {60}, 1, 25.0, 12.0, false, false},
    {"car:3", {130}, 1, 35.0, 20.0, false, false},
    {"mill", {150}, 1, 20.0, 12.0, false, false},
    {"door", {40}, 1, 30.0, 25.0, false, false},
    {"hoist", {150}, 1, 35.0, 15.0, false, false},
    {"ragdoll", {0, 50, 150}, 3, 30.0, 14.0, false, false},
    {"ragdolls", {60, 400}, 2, 30.0, 22.0, false, false},
    {"ring", {300}, 1, 30.0, 20.0, false, false},
    {"crossbow", {40, 120}, 2, 30.0, 20.0, false, false},
    {"cube", {60, 150}, 2, 30.0, 18.0, false, false},
    {"girder", {200, 260}, 2, 30.0, 14.0, false, false},
    {"truss", {60, 100}, 2, 30.0, 14.0, false, false},
    {"crane", {60, 100}, 2, 30.0, 14.0, false, false},
    {"vase", {5, 150}, 2, 30.0, 18.0, false, false},
    {"shot-wall", {40}, 1, 30.0, 14.0, false, false},
    {"mail", {0, 150}, 2, 30.0, 8.0, false, false},
    {"bowls", {200}, 1, 30.0, 25.0, false, false},
    {"leaves", {30, 90, 180}, 3, 30.0, 45.0, false, false},
    {"boats", {10, 60}, 2, 30.0, 40.0, false, false},
    {"pegs", {60}, 1, 30.0, 25.0, false, false},
    {"snake", {300}, 1, 25.0, 12.0, false, false},
    {"snake-heavy", {300}, 1, 25.0, 12.0, false, false},
    {"stack", {300}, 1, 30.0, 14.0, false, false},
    {"heavy-on-small", {300}, 1, 30.0, 14.0, false, false},
    {"incline", {300}, 1, 30.0, 18.0, false, false},
    {"gears:3", {300}, 1, 25.0, 12.0, false, false},
    {"gears:6", {300}, 1, 25.0, 12.0, false, false},
    {"leaning", {300}, 1, 25.0, 12.0, false, false},
};

static bool draw_exhibit(const exhibit *it, const char *directory,
                         const simulation_options *simulation)
{
    picture_options options;

    options.render = render_options_default();
    options.render.azimuth = it->azimuth;
    options.render.elevation = it->elevation;
    options.render.show_contacts = it->show_contacts;
    options.render.show_layers = it->show_layers;
    options.directory = directory;
    options.count = it->count;
    for (int i = 0; i < it->count; i++)
        options.at[i] = it->at[i];
    return picture_scene(it->scene, simulation, &options);
}

bool picture_gallery(const char *directory,
                     const simulation_options *simulation)
{
    size_t count = sizeof exhibits / sizeof exhibits[0];

    for (size_t i = 0; i < count; i++)
        if (!draw_exhibit(&exhibits[i], directory, simulation))
            return false;
    return true;
}
