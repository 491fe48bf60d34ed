/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What play.c and machines.c share. */

#ifndef PLAY_H
#define PLAY_H

#include "level.h"

/* What a step needs, and its first error. */
typedef struct moment {
    level_game *it;
    vsp_recorder *recorder;
    const unsigned char *inputs;
    vsp_status status;
} moment;

/* Keeps the first error. */
static inline void note_status(moment *s, vsp_status status)
{
    if (status < 0 && s->status >= 0)
        s->status = status;
}

static inline bool is_within(vsp_real x, vsp_real y, vsp_real most)
{
    return x - y < most && y - x < most;
}

/* Moves a body and stops it. */
static inline void put_body(moment *s, vsp_body_id id, vsp_transform pose)
{
    const vsp_vec3 none = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};

    note_status(s, vsp_record_body_set_transform(s->recorder, id, pose));
    note_status(s, vsp_record_body_set_velocity(s->recorder, id, none, none));
}

/* A player shoots, if it wants to. */
void play_gun(moment *s, uint32_t player);

/* All that moves but heroes, after they have moved. */
void play_machines(moment *s);

#endif
