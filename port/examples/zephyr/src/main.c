/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the hash of the state on the console. */

#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "../../scene.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

int main(void)
{
    vsp_body_id top;
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);
    uint32_t begin = k_cycle_get_32();

    if (!world)
        return 1;
    for (int i = 0; i < SCENE_STEPS; i++)
        vsp_world_step(world);
    printk("%u cycles a step\n", (k_cycle_get_32() - begin) / SCENE_STEPS);
    printk(SCENE_ROW, (unsigned long)vsp_world_hash(world));
    return 0;
}
