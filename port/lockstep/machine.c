/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* One machine of a match, in this order: memory, start, tick, results. */

#define _POSIX_C_SOURCE 200112L

#include "machine.h"

#include <stdio.h>
#include <string.h>

#include "flip.h"
#include "port/file.h"

#define MEMORY_BYTES                                                 \
    VSP_LOCKSTEP_BYTES(GAME_PLAYERS, GAME_INPUT_BYTES, MACHINE_KEPT, \
                       MACHINE_HISTORY, GAME_SNAPSHOT_BYTES, GAME_WORDS)

VSP_ARENA(arena, VSP_WORLD_BYTES);
VSP_ARENA(spare, VSP_WORLD_BYTES);
VSP_ARENA(memory, MEMORY_BYTES);

/* Holds the replay of a step: two states, each stored twice. */
static unsigned char film[8u * VSP_SNAPSHOT_BYTES + 4096u];


/* ---- Beginning ----------------------------------------------------------- */

static vsp_status play_turn(void *user, vsp_recorder *recorder,
                            const vsp_turn *turn)
{
    machine *it = user;
    vsp_status status = game_step(&it->game, recorder, turn);

    /* a crate: the game sets the speed of balls in each step */
    if (turn->step == it->def.flip)
        it->flipped = flip_bit(it->game.world, GAME_FIRST_CRATE);
    return status;
}

static vsp_world *new_world(void *bytes, size_t size)
{
    vsp_world_def def = game_world_def();
    vsp_world *world;

    return vsp_world_create(bytes, size, &def, &world) < 0 ? NULL : world;
}

bool machine_begin(machine *it, const machine_def *def)
{
    vsp_world *world = new_world(arena.mem, sizeof arena.mem);
    vsp_lockstep_def lockstep;

    it->def = *def;
    it->next_hash = def->is_late ? MACHINE_NEVER : 0;
    if (!world || !game_begin(&it->game, world, def->seed))
        return false;
    memset(&lockstep, 0, sizeof lockstep);
    game_define(&it->game, &lockstep.rollback);
    lockstep.rollback.step = play_turn;
    lockstep.rollback.depth = MACHINE_DEPTH;
    lockstep.rollback.kept = MACHINE_KEPT;
    lockstep.rollback.history = MACHINE_HISTORY;
    lockstep.session = def->seed;
    lockstep.player = def->player;
    lockstep.delay = def->player == VSP_WATCHER ? 0 : MACHINE_DELAY;
    lockstep.hash_interval = MACHINE_INTERVAL;
    lockstep.peers = def->peers;
    lockstep.patience = def->patience;
    lockstep.is_late = def->is_late;
    lockstep.spare = new_world(spare.mem, sizeof spare.mem);
    if (vsp_lockstep_create(memory.mem, sizeof memory.mem, &lockstep,
                            &it->lockstep) < 0)
        return false;
    it->rollback = vsp_lockstep_rollback(it->lockstep);
    return true;
}

bool machine_connect(machine *it, uint32_t peer,
                     const struct sockaddr_in *address, uint32_t player,
                     bool is_relay)
{
    it->others[peer] = *address;
    it->links[peer].def = it->def.faults;
    it->links[peer].def.seed = it->def.faults.seed * 16u + it->def.player * 4u +
                               peer;
    return vsp_lockstep_connect(it->lockstep, peer, player, is_relay) >= 0;
}


/* ---- A tick -------------------------------------------------------------- */

void machine_deliver(machine *it)
{
    for (uint32_t peer = 0; peer < it->def.peers; peer++) {
        const unsigned char *bytes;
        size_t size;

        while ((bytes = faults_get(&it->links[peer], &size)) != NULL)
            udp_send(it->socket, &it->others[peer], bytes, size);
    }
}

static void receive_messages(machine *it)
{
    unsigned char bytes[FAULTS_MAX_SIZE + 1];
    struct sockaddr_in from;
    size_t size;

    while ((size = udp_receive(it->socket, &from, bytes, sizeof bytes)) > 0)
        for (uint32_t peer = 0; peer < it->def.peers; peer++)
            if (udp_is_same(&from, &it->others[peer]))
                vsp_lockstep_receive(it->lockstep, peer, bytes, size);
}

static void send_all(machine *it)
{
    for (uint32_t peer = 0; peer < it->def.peers; peer++) {
        unsigned char bytes[VSP_MAX_MESSAGE];
        size_t size;

        if (vsp_lockstep_send(it->lockstep, peer, bytes, sizeof bytes, &size) >=
                0 &&
            size > 0) {
            faults_put(&it->links[peer], bytes, size);
            it->bytes_sent += (uint32_t)size;
        }
        faults_tick(&it->links[peer]);
    }
}

vsp_status machine_tick(machine *it, unsigned char input)
{
    vsp_status status;

    receive_messages(it);
    status = vsp_lockstep_advance(
        it->lockstep, it->def.player == VSP_WATCHER ? NULL : &input);
    send_all(it);
    if (status == VSP_DIVERGED && it->noticed == 0)
        it->noticed = vsp_rollback_get_stats(it->rollback).confirmed;
    return status;
}


/* ---- Results ------------------------------------------------------------- */

bool machine_next_state(machine *it, vsp_kept *state)
{
    vsp_lockstep_stats stats = vsp_lockstep_get_stats(it->lockstep);

    if (stats.phase == VSP_PHASE_JOINING)
        return false;
    if (it->next_hash == MACHINE_NEVER) /* joined late: start at the state that
                                         * it received */
        it->next_hash = stats.rollback.confirmed;
    if (it->next_hash > stats.rollback.confirmed ||
        vsp_rollback_state(it->rollback, it->next_hash, state) != VSP_OK)
        return false;
    it->next_hash++;
    return true;
}

static bool write_replay(machine *it, const char *path)
{
    vsp_record_def def;
    vsp_status status;
    size_t size = 0;

    memset(&def, 0, sizeof def);
    def.buffer = film;
    def.capacity = sizeof film;
    status = vsp_lockstep_record(it->lockstep, &def, &size);
    if (status < 0 || size == 0) {
        fprintf(stderr, "lockstep: no replay: %s\n", vsp_status_name(status));
        return false;
    }
    return file_write(path, film, size);
}

bool machine_explain(machine *it, char *text, size_t size, const char *path)
{
    vsp_desync found;
    vsp_status status = vsp_lockstep_desync(it->lockstep, &found);

    if (status != VSP_DIVERGED) {
        fprintf(stderr, "lockstep: not found where: %s\n",
                vsp_status_name(status));
        return false;
    }
    snprintf(text, size,
             "step %u, %s %u, %s[%u]: %08x here, %08x there; "
             "%u words differ, seen when state %u was certain",
             (unsigned)found.step, found.count ? found.first.part : "game",
             (unsigned)(found.count ? found.first.index : found.game_word),
             found.count ? found.first.field : "word",
             (unsigned)found.first.component, (unsigned)found.first.a,
             (unsigned)found.first.b, (unsigned)found.count,
             (unsigned)it->noticed);
    return !path || write_replay(it, path);
}
