/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws the boxes from the side, and logs the hash of the state. */

#include "../scene.h"
#include "pd_api.h"

#define SCALE 40.0 /* pixels of a metre */

VSP_ARENA(arena, VSP_WORLD_BYTES);
static PlaydateAPI *pd;
static vsp_world *world;
static int steps;

static void draw_body(vsp_body_id id)
{
    vsp_vec3 at = vsp_body_transform(world, id).position;
    int x = 200 + (int)(vsp_to_double(at.x) * SCALE);
    int y = 220 - (int)(vsp_to_double(at.y) * SCALE);

    pd->graphics->drawRect(x - 20, y - 20, 40, 40, kColorBlack);
}

static int update_game(void *user)
{
    (void)user;
    vsp_world_step(world);
    if (++steps == SCENE_STEPS)
        pd->system->logToConsole(SCENE_ROW,
                                 (unsigned long)vsp_world_hash(world));
    pd->graphics->clear(kColorWhite);
    for (uint32_t slot = 1; slot <= 3; slot++) /* 0 is the ground */
        draw_body(vsp_body_at(world, slot));
    return 1;
}

int eventHandler(PlaydateAPI *playdate, PDSystemEvent event, uint32_t argument)
{
    vsp_body_id top;

    (void)argument;
    if (event != kEventInit)
        return 0;
    pd = playdate;
    world = scene_create(arena.mem, sizeof arena.mem, &top);
    pd->system->setUpdateCallback(update_game, NULL);
    return 0;
}
