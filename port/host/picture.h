/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Runs scenes and draws them into files. */

#ifndef PICTURE_H
#define PICTURE_H

#include "port/measure/simulation.h"
#include "port/render/render.h"

#define MAX_PICTURES 64 /* pictures of one run */
#define MAX_FRAMES 500  /* of a moving picture */
#define MAX_PICTURE_PATH 1024

typedef struct picture_options {
    render_options render;
    const char *directory;
    uint32_t at[MAX_PICTURES]; /* steps taken before each picture */
    int count;
    bool is_movie; /* one moving picture, from the first to the last of these */
    bool is_quiet; /* paths are not printed */
} picture_options;

/* Runs the scene and writes a file for each picture, DIRECTORY/SCENE-0100.png
 * for the one after 100 steps, or DIRECTORY/SCENE-moving.png, and its path on
 * stdout.  The camera shows what happens in all of them.  Returns false, and
 * prints why on stderr, if something failed. */
bool picture_scene(const char *name, const simulation_options *simulation,
                   const picture_options *options);

/* Makes the directory if it is not there.  Returns as picture_scene. */
bool picture_directory(const char *directory);

/* Set the path of the picture of a scene after some steps, and of its moving
 * picture.  Return false if it is too long. */
bool picture_path(char path[MAX_PICTURE_PATH], const char *directory,
                  const char *name, uint32_t step);
bool picture_movie_path(char path[MAX_PICTURE_PATH], const char *directory,
                        const char *name);

#endif
