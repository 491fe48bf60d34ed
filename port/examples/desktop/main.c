/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the height of the top box, and the hash of the state. */

#include <stdio.h>

#include "../scene.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

int main(void)
{
    vsp_body_id top;
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);

    if (!world)
        return 1;
    for (int i = 0; i < SCENE_STEPS; i++)
        vsp_world_step(world);
    printf("top at %.3f m, room for %d bodies\n",
           vsp_to_double(vsp_body_transform(world, top).position.y),
           VSP_MAX_BODIES);
    printf(SCENE_ROW, (unsigned long)vsp_world_hash(world));
    return 0;
}
