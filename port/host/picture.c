/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* File names, and pictures of one scene, still or moving.  A scene is run twice
 * if it has several: first to find what the camera must show. */

#define _POSIX_C_SOURCE 200112L

#include "picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apng.h"
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

/* Writes DIRECTORY/NAME and the end of a file's name.  Returns false if that is
 * too long. */
static bool join_path(char path[MAX_PICTURE_PATH], const char *directory,
                      const char *name, const char *end)
{
    int size = snprintf(path, MAX_PICTURE_PATH, "%s/%s%s", directory, name,
                        end);

    if (size < 0 || size >= MAX_PICTURE_PATH)
        return false;
    make_plain(path + strlen(directory) + 1);
    return true;
}

bool picture_path(char path[MAX_PICTURE_PATH], const char *directory,
                  const char *name, uint32_t step)
{
    char end[32];

    snprintf(end, sizeof end, "-%04u.png", (unsigned)step);
    return join_path(path, directory, name, end);
}

bool picture_movie_path(char path[MAX_PICTURE_PATH], const char *directory,
                        const char *name)
{
    return join_path(path, directory, name, "-moving.png");
}

bool picture_directory(const char *directory)
{
    if (mkdir(directory, 0777) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr, "vsp: cannot make directory '%s'\n", directory);
    return false;
}


/* ---- Runs --------------------------------------------------------------- */

/* A scene that is drawn. */
typedef struct shooting {
    const char *name;
    const simulation_options *simulation;
    const picture_options *options;
    scene_run run;
    bounds start;     /* what happens at the start */
    bounds frame;     /* what the camera shows */
    uint32_t every;   /* steps from one frame of a moving picture to the next */
    uint32_t last;    /* step */
    apng movie;       /* its pixels so far */
    bool has_picture; /* whether the camera has its place */
} shooting;

/* Whether the caller wants a picture after this step. */
static bool is_wanted(const shooting *it, uint32_t step)
{
    if (it->options->is_movie)
        return step >= it->options->at[0] &&
               (step - it->options->at[0]) % it->every == 0;
    for (int i = 0; i < it->options->count; i++)
        if (it->options->at[i] == step)
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

/* Runs the scene from its start and calls `shoot` after each step that is
 * wanted.  Returns false if something failed. */
static bool run_steps(shooting *it, bool (*shoot)(shooting *it, uint32_t step),
                      FILE *trace)
{
    if (!simulation_start(&it->run, it->name, it->simulation))
        return false;
    for (uint32_t step = 0;; step++) {
        if (is_wanted(it, step) && !shoot(it, step))
            return false;
        if (step >= it->last)
            return true;
        if (scene_step(&it->run, step) < 0) {
            fprintf(stderr, "vsp: a step of '%s' failed\n", it->name);
            return false;
        }
        if (trace)
            trace_row(trace, it->run.world, step + 1);
    }
}


/* ---- Pictures ----------------------------------------------------------- */

/* Widens the frame so that it shows what happens now. */
static bool widen_frame(shooting *it, uint32_t step)
{
    (void)step;
    it->frame = bounds_join(it->frame, render_focus(it->run.world));
    it->has_picture = true;
    return true;
}

/* Shows what happened at the start if that is less and in the same place: then
 * things fly apart. */
static void narrow_frame(shooting *it)
{
    double size = bounds_size(&it->start);
    vec3 low = vec_sub(it->frame.low, it->start.low);
    vec3 high = vec_sub(it->frame.high, it->start.high);

    if (size < bounds_size(&it->frame) &&
        vec_length(vec_add(low, high)) < 0.5 * size)
        it->frame = it->start;
}

static bool draw_still(shooting *it, uint32_t step)
{
    const render_options *options = &it->options->render;
    size_t pixels = (size_t)options->width * (size_t)options->height;
    unsigned char *rgb = malloc(3 * pixels);
    char path[MAX_PICTURE_PATH];
    bool is_done = false;

    if (!it->has_picture) {
        widen_frame(it, step);
        narrow_frame(it);
    }
    if (!picture_path(path, it->options->directory, it->name, step))
        fprintf(stderr, "vsp: the path of a picture is too long\n");
    else if (!rgb || !render_world(it->run.world, &it->frame, options, rgb))
        fprintf(stderr, "vsp: no memory for a picture\n");
    else if (!png_write(path, options->width, options->height, rgb))
        fprintf(stderr, "vsp: cannot write '%s'\n", path);
    else
        is_done = true;
    free(rgb);
    if (is_done && !it->options->is_quiet) {
        printf("%s\n", path);
        fflush(stdout);
    }
    return is_done;
}

static bool draw_frame(shooting *it, uint32_t step)
{
    size_t size = 3 * (size_t)it->movie.width * (size_t)it->movie.height;
    render_options options = it->options->render;

    (void)step;
    options.is_movie = true;
    if (!render_world(it->run.world, &it->frame, &options,
                      it->movie.rgb + size * (size_t)it->movie.count)) {
        fprintf(stderr, "vsp: no memory for a picture\n");
        return false;
    }
    it->movie.count++;
    return true;
}


/* ---- A scene ------------------------------------------------------------ */

static bool draw_stills(shooting *it)
{
    if (it->options->count > 1) {
        if (!run_steps(it, widen_frame, NULL))
            return false;
        narrow_frame(it);
    }
    return run_steps(it, draw_still, it->simulation->trace);
}

/* Draws about 25 frames a second of the scene's time. */
static bool draw_movie(shooting *it)
{
    const render_options *render = &it->options->render;
    double dt = it->simulation->dt > 0.0 ? it->simulation->dt
                                         : it->run.scene->dt;
    char path[MAX_PICTURE_PATH];
    size_t frames;
    bool is_done;

    it->every = (uint32_t)(0.04 / dt + 0.5) > 1 ? (uint32_t)(0.04 / dt + 0.5)
                                                : 1;
    frames = (it->last - it->options->at[0]) / it->every + 1;
    it->movie.width = render->width;
    it->movie.height = render->height;
    it->movie.delay = (int)(it->every * dt * 1e3 + 0.5);
    it->movie.rest = 1200;
    if (frames > MAX_FRAMES ||
        !picture_movie_path(path, it->options->directory, it->name)) {
        fprintf(stderr, "vsp: more than %d frames, or a long name\n",
                MAX_FRAMES);
        return false;
    }
    it->movie.rgb = malloc(3 * frames * (size_t)render->width *
                           (size_t)render->height);
    is_done = it->movie.rgb && run_steps(it, widen_frame, NULL) &&
              run_steps(it, draw_frame, it->simulation->trace);
    if (is_done && !apng_write(path, &it->movie)) {
        fprintf(stderr, "vsp: cannot write '%s'\n", path);
        is_done = false;
    }
    free(it->movie.rgb);
    if (is_done && !it->options->is_quiet)
        printf("%s\n", path);
    return is_done;
}

bool picture_scene(const char *name, const simulation_options *simulation,
                   const picture_options *options)
{
    static shooting it;

    memset(&it, 0, sizeof it);
    it.name = name;
    it.simulation = simulation;
    it.options = options;
    it.frame = bounds_none();
    it.last = last_wanted(options);
    it.every = 1;
    if (!picture_directory(options->directory) ||
        !simulation_start(&it.run, name, simulation))
        return false;
    it.start = render_focus(it.run.world);
    return options->is_movie ? draw_movie(&it) : draw_stills(&it);
}
