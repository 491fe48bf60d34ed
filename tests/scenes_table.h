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
     false, build_land, NULL},                                             \
    {"hop", "a ball hops along the floor; number: restitution", 0.015625,  \
     60, 0.5, false, false, build_hop, NULL}
/* clang-format on */

/* scenes_calls.c: random calls */
void build_calls(scene_run *run);
void drive_calls(scene_run *run, uint32_t step);

#endif
