/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The second guest program: plays the replay that port/replay compiled in.
 * After a step whose bits differ from the recorded ones, it prints the step
 * and, in hexadecimal, a snapshot of the world. */

#include "../../vsp.h"
#include "../port.h"
#include "measure.h"
#include "port/scenes/table_sets.h"

extern const unsigned char replay_file[];
extern const uint32_t replay_size;

/* A machine without memory for a snapshot still reports the step. */
#ifndef GUEST_SNAPSHOT_BYTES
#define GUEST_SNAPSHOT_BYTES VSP_SNAPSHOT_BYTES
#endif

VSP_ARENA(arena, VSP_WORLD_BYTES);
static unsigned char snapshot[GUEST_SNAPSHOT_BYTES];

static void print_value(const char *name, uint32_t value)
{
    port_text(name);
    port_hex(value, 8);
}

static void print_snapshot(const vsp_world *world)
{
    size_t size, at;

    if (vsp_world_snapshot(world, snapshot, sizeof snapshot, &size) < 0)
        size = 0;
    for (at = 0; at < size; at++) {
        port_text(at % 32u ? "" : "\n@ ");
        port_hex(snapshot[at], 2);
    }
    port_text("\n");
}

/* Prints why playing ended.  Returns the exit status of the run. */
static int report_end(const vsp_player *player, vsp_status status)
{
    if (status == VSP_END) {
        port_text("same bits in all steps: ");
        port_number(player->step);
        port_text("\n");
        return 0;
    }
    if (status != VSP_DIVERGED) {
        port_text(vsp_status_name(status));
        port_text(" after step ");
        port_number(player->step);
        port_text("\n");
        return 2;
    }
    port_text("diverged at step ");
    port_number(player->step);
    if (player->expected == player->got) {
        port_text(": a call gave another id");
    } else {
        print_value(": expected ", player->expected);
        print_value(", got ", player->got);
    }
    print_snapshot(player->world);
    return 1;
}

/* Begins to play with the set of tables that the replay was recorded with. */
static vsp_status begin_playing(vsp_player *player)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_status status = VSP_ERR_TABLE;

    def.sweep_limit = UINT32_MAX; /* allow any file's sweeps */
    for (uint32_t set = 0; status == VSP_ERR_TABLE && set < TABLE_SETS; set++) {
        vsp_world *world;

        status = vsp_world_create(arena.mem, sizeof arena.mem, &def, &world);
        if (status < 0)
            return status;
        status = add_table_set(world, set)
                     ? vsp_play_begin(player, world, replay_file, replay_size)
                     : VSP_ERR_TABLE;
    }
    return status;
}

int main(void)
{
    vsp_player player = {0};
    vsp_status status;
    int result;

    measure_begin();
    status = begin_playing(&player);
    while (status == VSP_OK || status == VSP_DEGRADED)
        status = vsp_play_step(&player);
    result = report_end(&player, status);
    measure_print();
    return result;
}
