/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* File names, one picture, and the pictures of one scene. */

#define _POSIX_C_SOURCE 200112L

#include "picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "port/measure/trace.h"
#include "port/render/png.h"

/* Replaces the characters of a scene's variant that file names should not
 * have. */
static void make_plain(char *name)
{
    for (; *name != '\0'; name++)
        if (strchr(":~@/", *name))
            *name = '_';
}

bool picture_path(char path[MAX_PICTURE_PATH], const char *directory,
                  const char *name, uint32_t step)
{
    int size = snprintf(path, MAX_PICTURE_PATH, "%s/%s-%04u.png", directory,
                        name, (unsigned)step);

    if (size < 0 || size >= MAX_PICTURE_PATH)
        return false;
    make_plain(path + strlen(directory) + 1);
    return true;
}

bool picture_directory(const char *directory)
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
    char path[MAX_PICTURE_PATH];
    scene_run run;
    bounds frame;
    bool is_framed = false;

    if (!picture_directory(options->directory) ||
        !simulation_start(&run, name, simulation))
        return false;
    frame = render_bounds(run.world);
    for (uint32_t step = 0;; step++) {
        if (is_wanted(options, step) && !is_framed) {
            frame = smaller_of(frame, render_bounds(run.world));
            is_framed = true;
        }
        if (is_wanted(options, step) &&
            (!picture_path(path, options->directory, name, step) ||
             !draw_scene(&run, &frame, path, &options->render)))
            return false;
        if (step >= last_wanted(options))
            return true;
        if (scene_step(&run, step) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", name);
            return false;
        }
        if (simulation->trace)
            trace_row(simulation->trace, run.world, step + 1);
    }
}
