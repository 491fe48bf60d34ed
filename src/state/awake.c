/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Bodies asleep and awake: the flags of a body, and how long it has been
 * calm. */

#include "state.h"

/* flags of a body that sleep does not change */
#define LASTING_FLAGS (VSP__ASLEEP - 1u)

void vsp__clear_sleep(vsp__body *body)
{
    body->flags &= LASTING_FLAGS;
}

#if VSP_SLEEP || VSP_SHELLS || VSP_SUBSPACE

bool vsp__is_moving_kinematic(const vsp__body *b)
{
    return b->type == (uint32_t)VSP_KINEMATIC + 1u && !vsp__is_at_rest(b);
}

#endif

#if VSP_SLEEP

uint32_t vsp__calm_parts(const vsp__body *b)
{
    return (uint32_t)b->flags >> VSP__CALM_SHIFT;
}

void vsp__set_calm_parts(vsp__body *b, uint32_t parts)
{
    b->flags = (uint16_t)((b->flags & (LASTING_FLAGS | VSP__ASLEEP)) |
                          parts << VSP__CALM_SHIFT);
}

void vsp__fall_asleep(vsp_world *world, uint32_t body)
{
    vsp__body *b = &world->bodies[body];

    b->velocity = b->spin = v3_zero();
    b->flags = (uint16_t)((b->flags & LASTING_FLAGS) | VSP__ASLEEP);
}

void vsp__wake_body(vsp_world *world, uint32_t body)
{
    vsp__clear_sleep(&world->bodies[body]);
}

bool vsp__is_any_asleep(const vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (vsp__is_asleep(&world->bodies[i]))
            return true;
    return false;
}

bool vsp__is_sleeping_pair(const vsp_world *world, const vsp__warm_record *warm)
{
    const vsp__body *a = &world->bodies[world->shapes[warm->pair >> 16].body];
    const vsp__body *b =
        &world->bodies[world->shapes[warm->pair & 0xffffu].body];

    return (vsp__is_asleep(a) || vsp__is_asleep(b)) && !vsp__is_awake(a) &&
           !vsp__is_awake(b) && !vsp__is_disabled(a) && !vsp__is_disabled(b);
}

#endif /* VSP_SLEEP */
