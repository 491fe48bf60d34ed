/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the table of scenes takes from other files than scenes.c. */

#ifndef SCENES_TABLE_H
#define SCENES_TABLE_H

#include "scenes.h"

/* scenes_micro.c: two bodies, in numbers that are exact in a float */
void build_land(scene_run *run);
void build_hop(scene_run *run);

/* clang-format off */
#define MICRO_SCENES                                                       \
    {"land", "a tilted box lands on the floor", 0.015625, 60, 0.0, false,  \
     false, build_land, NULL, false},                                      \
    {"hop", "a ball hops along the floor; number: restitution", 0.015625,  \
     60, 0.5, false, false, build_hop, NULL, false}
/* clang-format on */

/* scenes_calls.c: random calls */
void build_calls(scene_run *run);
void drive_calls(scene_run *run, uint32_t step);

/* scenes_shapes.c: all that a build can leave out, but for sleep */
#define SCENES_SHAPES                                                    \
    (!SCENES_MICRO && VSP_CAPSULES && VSP_HULLS && VSP_MESHES &&         \
     VSP_HEIGHT_FIELDS && VSP_SDFS && VSP_EVENTS && VSP_CCD &&           \
     VSP_MAX_TABLES >= 8)

void build_bin(scene_run *run);
void build_marbles(scene_run *run);
void build_hills(scene_run *run);
void build_animals(scene_run *run);
void build_letters(scene_run *run);
void build_bullets(scene_run *run);
void build_belt(scene_run *run);
void build_sensor(scene_run *run);

/* clang-format off */
#if SCENES_SHAPES
#define SHAPE_SCENES                                                       \
    {"bin", "capsules, hulls, compounds fall in; number: how many",        \
     1.0 / 60.0, 600, 500.0, false, false, build_bin, NULL, false},        \
    {"marbles", "down a chute with bends; number: how many", 1.0 / 60.0,   \
     600, 24.0, false, false, build_marbles, NULL, false},                 \
    {"hills", "a car on hills; number: boxes in its way", 1.0 / 60.0,      \
     600, 12.0, false, false, build_hills, NULL, false},                   \
    {"animals", "fall from up to 11 m; number: how many", 1.0 / 60.0,      \
     600, 250.0, false, false, build_animals, NULL, false},                \
    {"letters", "balls on a slope with letters; number: how many",         \
     1.0 / 60.0, 600, 1000.0, false, false, build_letters, NULL, false},   \
    {"bullets", "at a wall 0.1 m thick; number: how many", 0.01,           \
     200, 1000.0, false, false, build_bullets, NULL, false},               \
    {"belt", "a belt takes what lies on it to its end", 0.01, 500, 0.0,    \
     false, false, build_belt, NULL, false},                               \
    {"sensor", "three bodies fall through a sensor", 0.01, 200, 0.0,       \
     false, false, build_sensor, NULL, false},
#else
#define SHAPE_SCENES
#endif
/* clang-format on */

/* scenes_calls2.c: random calls of all kinds */
void build_calls2(scene_run *run);
void drive_calls2(scene_run *run, uint32_t step);

/* clang-format off */
#if SCENES_ALL
#define LARGE_SCENES                                                       \
    {"calls2", "random calls of all kinds; number: capacity in bodies",    \
     0.02, 2000, 24.0, false, false, build_calls2, drive_calls2,           \
     SCENE_SLEEPY + SCENE_WATCHED},
#else
#define LARGE_SCENES
#endif
/* clang-format on */

#endif
