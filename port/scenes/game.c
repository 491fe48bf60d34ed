/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The game of port/examples/game, played by its bots or, in the page, by a
 * person and a bot. */

#include "scene_table.h"

#if SCENES_GAME

#include "port/examples/game/level.c"
#include "port/examples/game/words.c"
#include "port/examples/game/play.c"
#include "port/examples/game/machines.c"
#include "port/examples/game/bot.c"

/* The scene's number has the stages at which both begin: 42 means that the
 * first begins at stage 2, the second at stage 4.  Marks: see level.h. */
void build_game(scene_run *run)
{
    uint32_t number = (uint32_t)run->variant.number;
    uint32_t stages[LEVEL_PLAYERS];

    stages[0] = number % 10u % LEVEL_STAGES;
    stages[1] = number / 10u % LEVEL_STAGES;
    if (!level_begin(&run->game, scene_recorder(run), stages))
        run->failures++;
    level_bots_begin(run->bots, stages);
    run->held = 0;
}

void drive_game(scene_run *run, uint32_t step)
{
    unsigned char inputs[LEVEL_PLAYERS];
    uint32_t p;

    (void)step;
    run->game.world = run->world;
    for (p = 0; p < LEVEL_PLAYERS; p++)
        inputs[p] = level_bot_input(&run->bots[p], &run->game);
    if (run->held != 0)
        inputs[0] = (unsigned char)(run->held & (SCENE_HELD - 1u));
    if (level_act(&run->game, scene_recorder(run), inputs) < 0)
        run->failures++;
}

#else
typedef int game_is_left_out;
#endif
