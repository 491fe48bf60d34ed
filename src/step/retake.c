/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Retaking a step: the state that it changes is saved before, and restored. */

#include "step.h"

#if VSP_UNIONS || VSP_SHELLS

/* Returns whether unions or shells need a saved step; *all is whether the whole
 * step may be retaken. */
static bool is_step_kept(const vsp_world *world, bool *all)
{
    bool is_kept = false;

    *all = false;
    if (VSP_UNIONS)
        is_kept = vsp__has_unions(world, all);
    if (VSP_SHELLS && vsp__paths_of(world)->shell_count > 0)
        *all = true;
    return is_kept || *all;
}

static void keep_joints(vsp_world *world, bool all)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, k;

    for (i = 0; i < pool->limit; i++) {
        pool->kept[i].flags = pool->joints[i].flags;
        for (k = 0; all && k < VSP__JOINT_ROWS; k++)
            pool->kept[i].impulse[k] = pool->joints[i].impulse[k];
    }
}

void vsp__save_step(vsp_world *world)
{
    vsp__kept_step *kept = vsp__kept_step_of(world);
    bool all;
    uint32_t i;

    if (!is_step_kept(world, &all))
        return;
    for (i = 0; i < world->body_limit; i++)
        kept->bodies[i] = world->bodies[i];
    if (VSP_JOINTS)
        keep_joints(world, all);
    if (!all)
        return;
    kept->warm_count = world->warm_count;
    for (i = 0; i < kept->warm_count; i++)
        kept->warm[i] = world->problem.between.warm[i];
    kept->sensed_count = world->sensed_count;
    for (i = 0; i < kept->sensed_count; i++)
        kept->sensed[i] = world->sensed[i];
}

/* If keeps_breaks, the flags by which joints of unions bend and break stay. */
static void return_joints(vsp_world *world, bool keeps_breaks)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, k;

    for (i = 0; i < pool->limit; i++) {
        vsp__joint *j = pool->joints + i;
        uint32_t stay = keeps_breaks ? VSP__JOINT_BREAKS : 0;

        if (keeps_breaks && (pool->kept[i].flags & VSP__JOINT_RIGID) != 0)
            stay |= VSP__JOINT_BEARS;
        j->flags = (uint8_t)((pool->kept[i].flags & ~stay) | (j->flags & stay));
        for (k = 0; k < VSP__JOINT_ROWS; k++)
            j->impulse[k] = pool->kept[i].impulse[k];
    }
}

void vsp__take_step_back(vsp_world *world, bool keeps_breaks)
{
    const vsp__kept_step *kept = vsp__kept_step_of(world);
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        world->bodies[i] = kept->bodies[i];
    if (VSP_JOINTS)
        return_joints(world, keeps_breaks);
    world->warm_count = kept->warm_count;
    for (i = 0; i < kept->warm_count; i++)
        world->problem.between.warm[i] = kept->warm[i];
    world->sensed_count = kept->sensed_count;
    for (i = 0; i < kept->sensed_count; i++)
        world->sensed[i] = kept->sensed[i];
    if (VSP_EVENTS)
        vsp__clear_events(world);
    world->stats.events_dropped = 0;
}

#endif /* VSP_UNIONS || VSP_SHELLS */
