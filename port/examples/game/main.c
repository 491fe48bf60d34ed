/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The game in a terminal.  level.h says what it is about.
 *
 *     game                                 two players at one keyboard
 *     game --bot                           the second player is a bot
 *     game --watch                         both are
 *     game ... --record FILE               and a replay, for `vsp replay`
 *     game --connect PLAYER PORT HOST PORT two players on two machines: 0 or 1,
 *                                          own port, and where the other is
 *     game --demo                          bots play, nothing is shown: rows of
 *                                          tests/golden.txt, and the result */

#define _POSIX_C_SOURCE 200112L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "keys.h"
#include "line.h"
#include "screen.h"

#if VSP_FIXED
#define KIND "fixed"
#else
#define KIND "float"
#endif

#define KEPT 96u
#define HISTORY 256u
#define DELAY 2u
#define MOST_STEPS 6000u /* of a demo */

VSP_ARENA(arena, VSP_WORLD_BYTES);
VSP_ARENA(memory,
          VSP_LOCKSTEP_BYTES(LEVEL_PLAYERS, LEVEL_INPUT_BYTES, KEPT, HISTORY,
                             LEVEL_SNAPSHOT_BYTES, LEVEL_WORDS));

static unsigned char scratch[VSP_SNAPSHOT_BYTES];

static level_game game;
static vsp_recorder recorder;
static level_bot bots[LEVEL_PLAYERS];
static bool is_bot[LEVEL_PLAYERS];

/* Makes a new world and the level in it. */
static bool begin_game(uint32_t first, uint32_t second)
{
    const vsp_recorder off = {0};
    const uint32_t stages[LEVEL_PLAYERS] = {first, second};
    vsp_world_def def = level_world_def();

    recorder = off;
    level_bots_begin(bots, stages);
    return vsp_world_create(arena.mem, sizeof arena.mem, &def,
                            &recorder.world) == VSP_OK &&
           level_begin(&game, &recorder, stages);
}

static bool step_game(uint32_t step, const unsigned char *inputs)
{
    const vsp_turn turn = {.step = step, .inputs = inputs};

    return level_step(&game, &recorder, &turn) >= 0;
}

static void ask_bots(unsigned char inputs[LEVEL_PLAYERS])
{
    for (int p = 0; p < (int)LEVEL_PLAYERS; p++)
        if (is_bot[p])
            inputs[p] = level_bot_input(&bots[p], &game);
}


/* ---- A demo -------------------------------------------------------------- */

/* Plays some steps, or to the end.  Returns how many, or 0 if a call failed. */
static uint32_t play_demo(uint32_t first, uint32_t second, uint32_t steps)
{
    unsigned char inputs[LEVEL_PLAYERS];
    uint32_t step = 0;
    bool ok = begin_game(first, second);

    is_bot[0] = is_bot[1] = true;
    for (; ok && step < steps && game.words[LEVEL_WON] == 0; step++) {
        ask_bots(inputs);
        ok = step_game(step, inputs);
    }
    return ok ? step : 0;
}

static int run_demo(void)
{
    static const uint32_t rows[][3] = {{0, 3, 90}, {1, 5, 60}, {2, 4, 60}};
    uint32_t steps;

    for (int i = 0; i < 3; i++) {
        steps = play_demo(rows[i][0], rows[i][1], rows[i][2]);
        printf("game:%u%u carry " KIND " small %u %08lx\n",
               (unsigned)rows[i][1], (unsigned)rows[i][0], (unsigned)steps,
               (unsigned long)vsp_world_hash(recorder.world));
    }
    steps = play_demo(LEVEL_START, LEVEL_START, MOST_STEPS);
    printf("%s after %u steps, state %08lx\n",
           game.words[LEVEL_WON] ? "both at the flag" : "lost", (unsigned)steps,
           (unsigned long)vsp_world_hash(recorder.world));
    return game.words[LEVEL_WON] ? 0 : 1;
}


/* ---- On the screen ------------------------------------------------------- */

static void show_game(const char *note)
{
    uint32_t won = game.words[LEVEL_WON];
    uint32_t ticks = won ? won : vsp_world_tick(game.world);
    char text[160];

    snprintf(text, sizeof text, "%u.%u s   lost: red %u, blue %u   %s%s",
             (unsigned)ticks / 60, (unsigned)ticks / 6 % 10,
             (unsigned)game.players[0].falls, (unsigned)game.players[1].falls,
             won ? "You did it!  " : "Bring both to the flag.  q quits  ",
             note);
    screen_show(&game, text);
}

/* Waits for the next 60th of a second. */
static void wait_tick(struct timespec *next)
{
    struct timespec now, rest;

    next->tv_nsec += 16666667;
    if (next->tv_nsec >= 1000000000) {
        next->tv_nsec -= 1000000000;
        next->tv_sec++;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    rest.tv_sec = next->tv_sec - now.tv_sec;
    rest.tv_nsec = next->tv_nsec - now.tv_nsec;
    if (rest.tv_nsec < 0) {
        rest.tv_nsec += 1000000000;
        rest.tv_sec--;
    }
    if (rest.tv_sec >= 0)
        nanosleep(&rest, NULL);
    else
        *next = now; /* too late: do not hurry */
}

static bool write_file(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

/* Plays until q is pressed. */
static void play_here(void)
{
    unsigned char inputs[LEVEL_PLAYERS];
    struct timespec next;
    bool ok = true;

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (uint32_t step = 0; ok && keys_read(inputs); step++) {
        ask_bots(inputs);
        ok = step_game(step, inputs);
        if (step % 2 == 0)
            show_game("");
        wait_tick(&next);
    }
}

static int run_here(const char *record)
{
    FILE *file = record ? fopen(record, "wb") : NULL;
    const vsp_record_def def = {.write = write_file,
                                .user = file,
                                .scratch = scratch,
                                .scratch_size = sizeof scratch};

    if (!begin_game(LEVEL_START, LEVEL_START) || (record && !file) ||
        (record && vsp_record_begin(&recorder, recorder.world, &def) < 0))
        return 1;
    keys_open();
    screen_open(KEYS_HELP);
    play_here();
    screen_close();
    keys_close();
    return !record || (vsp_record_end(&recorder, NULL) == VSP_OK &&
                       fclose(file) == 0)
               ? 0
               : 1;
}


/* ---- On two machines ----------------------------------------------------- */

/* Whether the game is won, and no guess can change that. */
static bool has_won(uint32_t confirmed)
{
    uint32_t won = game.words[LEVEL_WON];

    return won > 0 && confirmed > won + 60;
}

static vsp_lockstep *begin_match(uint32_t player)
{
    vsp_lockstep_def def = {.player = player,
                            .delay = DELAY,
                            .hash_interval = 16,
                            .peers = 1,
                            .patience = 600};
    vsp_lockstep *match;

    level_define(&game, &def.rollback);
    def.rollback.depth = 30;
    def.rollback.kept = KEPT;
    def.rollback.history = HISTORY;
    if (vsp_lockstep_create(memory.mem, sizeof memory.mem, &def, &match) < 0 ||
        vsp_lockstep_connect(match, 0, 1 - player, false) < 0)
        return NULL;
    return match;
}

static void exchange_messages(vsp_lockstep *match)
{
    unsigned char message[VSP_MAX_MESSAGE];
    size_t size;

    while ((size = line_get(message, sizeof message)) > 0)
        vsp_lockstep_receive(match, 0, message, size);
    vsp_lockstep_send(match, 0, message, sizeof message, &size);
    if (size > 0)
        line_put(message, size);
}

/* Plays until q is pressed, the other one is gone, or a bot has won.  Both sets
 * of keys are the player's. */
static vsp_lockstep_stats play_match(vsp_lockstep *match, uint32_t player)
{
    vsp_lockstep_stats stats = vsp_lockstep_get_stats(match);
    unsigned char inputs[LEVEL_PLAYERS];
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    while (keys_read(inputs) && stats.dropped == 0 &&
           stats.phase == VSP_PHASE_PLAYING &&
           !(is_bot[player] && has_won(stats.rollback.confirmed))) {
        unsigned char input = inputs[0] | inputs[1];

        if (is_bot[player])
            input = level_bot_input(&bots[player], &game);
        exchange_messages(match);
        if (vsp_lockstep_advance(match, &input) < 0)
            break;
        stats = vsp_lockstep_get_stats(match);
        if (stats.tick_count % 2 == 0)
            show_game(stats.rollback.confirmed ? "" : "waits for the other");
        wait_tick(&next);
    }
    return stats;
}

static int run_match(uint32_t player, const char *const *where)
{
    vsp_lockstep *match;
    vsp_lockstep_stats stats;

    if (!line_open(where[0], where[1], where[2])) {
        fprintf(stderr, "game: no line to %s\n", where[1]);
        return 1;
    }
    match = begin_game(LEVEL_START, LEVEL_START) ? begin_match(player) : NULL;
    if (!match)
        return 1;
    keys_open();
    screen_open(KEYS_HELP);
    stats = play_match(match, player);
    screen_close();
    keys_close();
    vsp_lockstep_drop(match, 0); /* tells the other */
    for (int i = 0; i < 8; i++)
        exchange_messages(match);
    printf("%u steps, %u hashes equal, %s\n", (unsigned)stats.rollback.step,
           (unsigned)stats.hash_count, vsp_drop_name(stats.drop));
    return stats.phase == VSP_PHASE_PLAYING ? 0 : 1;
}


/* ---- The command --------------------------------------------------------- */

static int refuse_words(void)
{
    fprintf(stderr, "usage: game [--bot | --watch] [--record FILE]\n"
                    "       game --connect PLAYER PORT HOST PORT [--bot]\n"
                    "       game --demo\n");
    return 2;
}

int main(int argc, char **argv)
{
    const char *record = NULL;
    const char *const *where = NULL;
    bool is_demo = false;
    uint32_t player = 2;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--bot") == 0)
            is_bot[1] = true;
        else if (strcmp(argv[i], "--watch") == 0)
            is_bot[0] = is_bot[1] = true;
        else if (strcmp(argv[i], "--demo") == 0)
            is_demo = true;
        else if (strcmp(argv[i], "--record") == 0 && i + 1 < argc)
            record = argv[++i];
        else if (strcmp(argv[i], "--connect") == 0 && i + 4 < argc) {
            player = (uint32_t)strtoul(argv[i + 1], NULL, 10);
            where = (const char *const *)argv + i + 2;
            i += 4;
        } else
            return refuse_words();
    if (where && (player >= LEVEL_PLAYERS || record || is_demo))
        return refuse_words();
    if (where && is_bot[1])
        is_bot[player] = true;
    return is_demo ? run_demo()
           : where ? run_match(player, where)
                   : run_here(record);
}
