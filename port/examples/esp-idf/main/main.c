/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the hash of the state on the console. */

#include <stdio.h>

#include "../../scene.h"
#include "esp_timer.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

void app_main(void)
{
    vsp_body_id top;
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);
    int64_t begin = esp_timer_get_time();

    if (!world)
        return;
    for (int i = 0; i < SCENE_STEPS; i++)
        vsp_world_step(world);
    printf("%d us a step\n", (int)(esp_timer_get_time() - begin) / SCENE_STEPS);
    printf(SCENE_ROW, (unsigned long)vsp_world_hash(world));
}
