/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the hash of the state after each run, again and again. */

#include <stdio.h>

#include "../scene.h"
#include "pico/stdlib.h"

VSP_ARENA(arena, VSP_WORLD_BYTES); /* in SRAM */

static void run_scene(void)
{
    vsp_body_id top;
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);
    absolute_time_t begin = get_absolute_time();

    if (!world) {
        printf("the world is too small\n");
        return;
    }
    for (int i = 0; i < SCENE_STEPS; i++)
        vsp_world_step(world);
    printf(SCENE_ROW, (unsigned long)vsp_world_hash(world));
    printf("%lu us a step\n",
           (unsigned long)absolute_time_diff_us(begin, get_absolute_time()) /
               SCENE_STEPS);
}

int main(void)
{
    stdio_init_all();
    for (;;) {
        run_scene();
        sleep_ms(1000);
    }
}
