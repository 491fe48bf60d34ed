/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the program of docs/LOCKSTEP.md leaves to its reader: two processes with
 * a line between them, a tick every millisecond, and a world. */

#define _POSIX_C_SOURCE 200112L

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vsp.h"

#define TICKS 600

bool next_tick(unsigned char *keys);
bool line_get(unsigned char *message, size_t *size);
void line_put(const unsigned char *message, size_t size);
vsp_lockstep_stats play(vsp_world *world, vsp_body_id *balls, uint32_t player);

VSP_ARENA(arena, VSP_WORLD_BYTES);
static int line;
static uint32_t tick_count, noise;

bool next_tick(unsigned char *keys)
{
    const struct timespec tick = {0, 1000000};

    noise = noise * 1664525u + 1013904223u;
    *keys = (noise >> 8) % 8u == 0;
    nanosleep(&tick, NULL);
    return tick_count++ < TICKS;
}

bool line_get(unsigned char *message, size_t *size)
{
    ssize_t count = recv(line, message, VSP_MAX_MESSAGE, 0);

    *size = count > 0 ? (size_t)count : 0;
    return count > 0;
}

void line_put(const unsigned char *message, size_t size)
{
    if (size > 0 && tick_count % 10u != 0) /* loses one in ten */
        (void)!write(line, message, size);
}

static int run_player(uint32_t player)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_body_def def = vsp_body_def_default();
    vsp_lockstep_stats stats;
    vsp_body_id balls[2];
    vsp_world *world;

    vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world);
    def.shape = vsp_half_space();
    vsp_body_create(world, &def, NULL);
    def.type = VSP_DYNAMIC;
    def.shape = vsp_sphere(VSP_R(0.5));
    for (int i = 0; i < 2; i++) {
        def.pose.position.y = VSP_R(0.5) + (vsp_real)i;
        vsp_body_create(world, &def, &balls[i]);
    }
    noise = player;
    stats = play(world, balls, player);
    printf("%u steps, %u rollbacks, %u hashes equal\n",
           (unsigned)stats.rollback.step,
           (unsigned)stats.rollback.rollback_count, (unsigned)stats.hash_count);
    return stats.phase == VSP_PHASE_PLAYING && stats.hash_count >= 10 ? 0 : 1;
}

int main(void)
{
    int ends[2], status = 1;
    pid_t other;

    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
        return 2;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    other = fork();
    line = ends[other == 0];
    if (other == 0)
        return run_player(1);
    if (run_player(0) != 0 || waitpid(other, &status, 0) != other)
        return 1;
    return status == 0 ? 0 : 1;
}
