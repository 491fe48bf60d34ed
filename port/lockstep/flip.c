/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "flip.h"

#include "../../vsp_internal.h"

/* One that is lower gets lost before it has moved anything. */
#define BIT 14

uint32_t flip_bit(vsp_world *world)
{
    union {
        vsp__real real;
        uint32_t bits;
    } it;
    vsp_real fastest = VSP_R(0.0);
    uint32_t slot, which = 0;

    for (slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_real speed = vsp_body_velocity(world, vsp_body_at(world, slot)).x;

        if (speed < VSP_R(0.0))
            speed = -speed;
        if (speed > fastest) {
            fastest = speed;
            which = slot;
        }
    }
    it.real = world->bodies[which].velocity.x;
    it.bits ^= (uint32_t)1 << BIT;
    world->bodies[which].velocity.x = it.real;
    return which;
}
