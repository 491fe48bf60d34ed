/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "flip.h"

#include "../../vsp_internal.h"

void flip_bit(vsp_world *world, uint32_t slot)
{
    union {
        vsp__real real;
        uint32_t bits;
    } it;

    it.real = world->bodies[slot].velocity.x;
    it.bits ^= 1u;
    world->bodies[slot].velocity.x = it.real;
}
