/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the hash of the state on the screen. */

#include <libdragon.h>
#include <stdio.h>

#include "../scene.h"

VSP_ARENA(arena, VSP_WORLD_BYTES); /* in RDRAM, cached */

int main(void)
{
    vsp_body_id top;
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);

    console_init();
    if (!world)
        return 1;
    for (int i = 0; i < SCENE_STEPS; i++)
        vsp_world_step(world);
    printf(SCENE_ROW, (unsigned long)vsp_world_hash(world));
    console_render();
    for (;;)
        continue;
}
