/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The scene of the examples: three boxes fall by a metre onto the ground.  The
 * hash of its state after 94 steps is the same on every machine: the scene is
 * drop-stack in the table of golden hashes, which CI compares. */

#ifndef SCENE_H
#define SCENE_H

#include "vsp.h"

#define SCENE_STEPS 94

/* the hash's row in the table, a format for printf */
#if VSP_FIXED
#define SCENE_ROW "drop-stack carry fixed tiny 94 %08lx\n"
#else
#define SCENE_ROW "drop-stack carry float tiny 94 %08lx\n"
#endif

/* Fills the world; the last of the boxes goes to *top.  Returns false if the
 * world is too small. */
static inline bool scene_fill(vsp_world *world, vsp_body_id *top)
{
    vsp_body_def def = vsp_body_def_default();
    int i;

    def.shape = vsp_half_space(); /* solid below y = 0 */
    def.shape.material.friction = VSP_R(0.5);
    def.shape.material.restitution = VSP_R(0.5);
    if (vsp_body_create(world, &def, NULL) < 0)
        return false;
    def.type = VSP_DYNAMIC;
    def.user = 1;
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)); /* half, m */
    def.shape.material.friction = VSP_R(0.5);
    def.shape.material.restitution = VSP_R(0.5);
    def.pose.position.y = VSP_R(1.5);
    for (i = 0; i < 3; i++, def.pose.position.y += VSP_R(1.0))
        if (vsp_body_create(world, &def, top) < 0)
            return false;
    return true;
}

/* Makes the world and fills it.  Returns null if the memory is too small. */
static inline vsp_world *scene_create(void *memory, size_t size,
                                      vsp_body_id *top)
{
    const vsp_capacity capacity = {8, 8, 24, 16, 32, 1, 0};
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;

    def.dt = VSP_R(0.01);
    def.capacity = capacity; /* the hash depends on it */
    def.enable_sleep = false;
    def.enable_continuous = false;
    if (vsp_world_create(memory, size, &def, &world) < 0 ||
        !scene_fill(world, top))
        return NULL;
    return world;
}

#endif
