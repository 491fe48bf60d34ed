/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "tally.h"

unsigned char tally_input(uint32_t seed, uint32_t player, uint32_t step)
{
    return step < TALLY_DELAY ? 0 : game_wander(seed, player, step);
}

/* Adds a word to a sum, as FNV-1a but by words. */
static uint32_t mixed(uint32_t sum, uint32_t word)
{
    return (sum ^ word) * 16777619u;
}

void tally_take(tally *it, vsp_rollback *rollback, uint32_t last)
{
    uint32_t confirmed = vsp_rollback_get_stats(rollback).confirmed;
    vsp_kept state;

    for (; it->next <= confirmed && it->next <= last; it->next++) {
        if (vsp_rollback_state(rollback, it->next, &state) != VSP_OK)
            continue; /* a state from before this machine joined */
        it->all = mixed(it->all, state.hash);
        if (it->next > last / 2u)
            it->late = mixed(it->late, state.hash);
        it->count++;
    }
}
