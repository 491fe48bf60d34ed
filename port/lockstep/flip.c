/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "flip.h"

#include "../../src/record/record.h"

/* The bit to flip: a lower one would be rounded away before it moved the
 * body. */
#define BIT 14

/* Points *fastest at the speed if it is the larger one; null counts as 0. */
static void see_speed(vsp__num *speed, vsp__num **fastest)
{
    vsp__num size = *speed < 0 ? -*speed : *speed;
    vsp__num most = 0;

    if (*fastest)
        most = **fastest < 0 ? -**fastest : **fastest;
    if (size > most)
        *fastest = speed;
}

uint32_t flip_bit(vsp_world *world, uint32_t first)
{
    union {
        vsp__num real;
        uint32_t bits;
    } it;
    vsp__num *fastest = NULL, *before;
    uint32_t slot, which = 0;

    for (slot = first; slot < VSP_MAX_BODIES; slot++) {
        vsp__body *body = &world->bodies[slot];

        before = fastest;
        if (body->type == VSP_DYNAMIC + 1) {
            see_speed(&body->velocity.x, &fastest);
            see_speed(&body->velocity.y, &fastest);
            see_speed(&body->velocity.z, &fastest);
        }
        which = fastest == before ? which : slot;
    }
    if (!fastest)
        return 0; /* no body moves: one at rest may be asleep, so flip none */
    it.real = *fastest;
    it.bits ^= (uint32_t)1 << BIT;
    *fastest = it.real;
    return which;
}
