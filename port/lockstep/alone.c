/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "alone.h"

#define KEPT 1u
#define HISTORY 2u

VSP_ARENA(arena, VSP_WORLD_BYTES);
VSP_ARENA(kept, VSP_ROLLBACK_BYTES(GAME_PLAYERS, GAME_INPUT_BYTES, KEPT,
                                   HISTORY, GAME_SNAPSHOT_BYTES, GAME_WORDS));
static game state;

/* Returns the match, or null if the engine refused it. */
static vsp_rollback *begin_game(uint32_t seed)
{
    vsp_world_def setup = game_world_def();
    vsp_rollback_def def = {0};
    vsp_rollback *rollback;
    vsp_world *world;

    if (vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world) < 0 ||
        !game_begin(&state, world, seed))
        return NULL;
    game_define(&state, &def);
    def.kept = KEPT;
    def.history = HISTORY;
    if (vsp_rollback_create(kept.mem, sizeof kept.mem, &def, 0, &rollback) < 0)
        return NULL;
    return rollback;
}

static vsp_status advance_game(vsp_rollback *rollback, uint32_t seed,
                               uint32_t step)
{
    uint32_t player;

    for (player = 0; player < GAME_PLAYERS; player++) {
        unsigned char input = tally_input(seed, player, step);
        vsp_status status = vsp_rollback_input(rollback, player, step, &input);

        if (status < 0)
            return status;
    }
    return vsp_rollback_advance(rollback);
}

bool alone_run(uint32_t steps, uint32_t seed, tally *seen)
{
    vsp_rollback *rollback = begin_game(seed);
    vsp_status status = rollback ? VSP_OK : VSP_ERR_ARG;
    uint32_t i;

    if (rollback)
        tally_take(seen, rollback, steps);
    for (i = 0; i < steps && status >= 0; i++) {
        status = advance_game(rollback, seed, i);
        tally_take(seen, rollback, steps);
    }
    return status >= 0;
}
