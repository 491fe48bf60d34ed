/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two players on two machines, by UDP.  The boxes of the scene fall; then each
 * player throws the top one up now and then.
 *
 *     lockstep PLAYER PORT HOST PORT */

#define _POSIX_C_SOURCE 200112L

#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "../scene.h"

#define TICKS 300 /* of 10 ms */

VSP_ARENA(arena, VSP_WORLD_BYTES);
VSP_ARENA(memory, VSP_LOCKSTEP_BYTES(2, 1, 96, 256, VSP_SNAPSHOT_BYTES, 0));
static vsp_body_id top;

/* Opens a line from a port of this machine to a port of the other. */
static int open_line(const char *port, const char *host, const char *to)
{
    const struct addrinfo hints = {.ai_family = AF_INET,
                                   .ai_socktype = SOCK_DGRAM,
                                   .ai_flags = AI_PASSIVE};
    struct addrinfo *own, *other;
    int line;

    if (getaddrinfo(NULL, port, &hints, &own) != 0 ||
        getaddrinfo(host, to, &hints, &other) != 0)
        return -1;
    line = socket(AF_INET, SOCK_DGRAM, 0);
    if (line < 0 || bind(line, own->ai_addr, own->ai_addrlen) != 0 ||
        connect(line, other->ai_addr, other->ai_addrlen) != 0)
        return -1;
    fcntl(line, F_SETFL, O_NONBLOCK);
    return line;
}

/* What the keys of both players do, and then one step. */
static vsp_status step_game(void *user, vsp_recorder *recorder,
                            const vsp_turn *turn)
{
    const vsp_vec3 up = {VSP_R(0.0), VSP_R(2000.0), VSP_R(0.0)}; /* N s */

    (void)user;
    for (int i = 0; i < 2; i++)
        if (turn->inputs[i] & 1u)
            vsp_record_body_apply_center_impulse(recorder, top, up);
    return vsp_record_step(recorder);
}

static vsp_lockstep *create_game(vsp_world *world, uint32_t player)
{
    const vsp_lockstep_def def = {
        .rollback = {.world = world,
                     .players = 2,
                     .input_size = 1,
                     .depth = 30,
                     .kept = 96,
                     .history = 256,
                     .snapshot_size = VSP_SNAPSHOT_BYTES,
                     .step = step_game},
        .player = player,
        .peers = 1,
        .delay = 2,
        .hash_interval = 16};
    vsp_lockstep *game;

    if (vsp_lockstep_create(memory.mem, sizeof memory.mem, &def, &game) < 0 ||
        vsp_lockstep_connect(game, 0, 1 - player, false) < 0)
        return NULL;
    return game;
}

static void exchange_messages(vsp_lockstep *game, int line)
{
    unsigned char message[VSP_MAX_MESSAGE];
    ssize_t count;
    size_t size;

    while ((count = recv(line, message, sizeof message, 0)) > 0)
        vsp_lockstep_receive(game, 0, message, (size_t)count);
    vsp_lockstep_send(game, 0, message, sizeof message, &size);
    if (size > 0)
        (void)send(line, message, size, 0); /* it may be lost */
}

int main(int argc, char **argv)
{
    const struct timespec tick = {0, 10000000};
    vsp_world *world = scene_create(arena.mem, sizeof arena.mem, &top);
    uint32_t player = argc == 5 ? (uint32_t)atoi(argv[1]) : 2;
    int line = argc == 5 ? open_line(argv[2], argv[3], argv[4]) : -1;
    vsp_lockstep *game = world && player < 2 ? create_game(world, player)
                                             : NULL;
    vsp_lockstep_stats stats = {0};
    unsigned char key;

    if (line < 0 || !game)
        return 1;
    for (int i = 0; i < TICKS; i++, nanosleep(&tick, NULL)) {
        exchange_messages(game, line);
        key = i > 150 && i % 50 == (player ? 10 : 20);
        vsp_lockstep_advance(game, &key);
        if (stats.rollback.step < SCENE_STEPS &&
            vsp_lockstep_get_stats(game).rollback.step == SCENE_STEPS)
            printf(SCENE_ROW, (unsigned long)vsp_world_hash(world));
        stats = vsp_lockstep_get_stats(game);
    }
    printf("%u steps, %u hashes equal\n", (unsigned)stats.rollback.step,
           (unsigned)stats.hash_count);
    return stats.phase == VSP_PHASE_PLAYING ? 0 : 1;
}
