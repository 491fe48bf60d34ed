/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: keys, the view from above, ticks paced by the clock. */

#define _POSIX_C_SOURCE 200112L

#include "play.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define COLUMNS 57 /* width of the view: 4 a metre */
#define ROWS 19    /* height of the view: 2 a metre */
#define HELD                                                                   \
    20 /* ticks for which a key counts as held: a terminal reports no release, \
        * and repeats a held key only after a while */
#define TICK_NS 16666667

static machine it;


/* ---- Keys ---------------------------------------------------------------- */

static struct termios before;

/* Gives the terminal back before the program ends by Control-C or by a signal
 * like it. */
static void end_by_signal(int number)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    signal(number, SIG_DFL);
    raise(number);
}

static bool take_keys(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct termios raw;

    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (signal(ends[i], end_by_signal) == SIG_IGN)
            signal(ends[i], SIG_IGN);
    return tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

static void give_keys_back(void)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

/* Returns a key, 0 if none was pressed.  Arrows are ESC [ A to D. */
static char next_key(void)
{
    struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
    char key;

    if (poll(&wait, 1, 0) <= 0 || read(STDIN_FILENO, &key, 1) != 1)
        return 0;
    return key;
}

static unsigned bits_of(char key)
{
    switch (key) {
    case 'a':
    case 'D':
        return GAME_LEFT;
    case 'd':
    case 'C':
        return GAME_RIGHT;
    case 'w':
    case 'A':
        return GAME_UP;
    case 's':
    case 'B':
        return GAME_DOWN;
    case ' ':
        return GAME_JUMP;
    case 'e':
        return GAME_DASH;
    default:
        return 0;
    }
}

/* Returns the input of a tick; sets *quit if q was pressed. */
static unsigned char read_input(bool *quit)
{
    static int left[6]; /* ticks for which each bit still counts as held */
    unsigned input = 0;
    char key;

    while ((key = next_key()) != 0) {
        unsigned bits = bits_of(key);

        *quit = *quit || key == 'q';
        for (int i = 0; i < 6; i++)
            if (bits & 1u << i) {
                left[i] = i < 4 ? HELD : 2;
                if (i < 4)
                    left[i ^ 1] = 0;
            }
    }
    for (int i = 0; i < 6; i++)
        if (left[i] > 0) {
            left[i]--;
            input |= 1u << i;
        }
    return (unsigned char)input;
}


/* ---- The view ------------------------------------------------------------ */

static void mark_body(char map[ROWS][COLUMNS + 1], uint32_t slot, char what)
{
    vsp_body_id id = vsp_body_at(it.game.world, slot);
    vsp_vec3 at = vsp_body_center(it.game.world, id);
    double x = vsp_to_double(at.x + GAME_HALF_X) * 4.0;
    double z = vsp_to_double(at.z + GAME_HALF_Z) * 2.0;

    if (x >= 0.0 && x < COLUMNS && z >= 0.0 && z < ROWS)
        map[(int)z][(int)x] = what;
}

static void show_game(vsp_status status)
{
    char map[ROWS][COLUMNS + 1];
    vsp_lockstep_stats stats = vsp_lockstep_get_stats(it.lockstep);
    vsp_peer_stats peer = vsp_lockstep_peer(it.lockstep, 0);

    for (int row = 0; row < ROWS; row++) {
        memset(map[row], ' ', COLUMNS);
        map[row][6] = map[row][COLUMNS - 7] = ':';
        map[row][COLUMNS] = '\0';
    }
    for (uint32_t i = 0; i < GAME_CRATES; i++)
        mark_body(map, GAME_FIRST_CRATE + i, i % 4 == 0 ? '#' : 'o');
    mark_body(map, GAME_FIRST_BALL, '0');
    mark_body(map, GAME_FIRST_BALL + 1, '1');
    printf("\033[H%u : %u   step %u, deepest rollback %u, stalls %u, "
           "round trip %u ticks  %s %s\033[K\n",
           (unsigned)it.game.words[GAME_SCORE],
           (unsigned)it.game.words[GAME_SCORE + 1],
           (unsigned)stats.rollback.step, (unsigned)stats.rollback.deepest,
           (unsigned)stats.wait_count, (unsigned)peer.round_trip,
           status == VSP_OK ? "" : vsp_status_name(status),
           peer.drop ? vsp_drop_name(peer.drop) : "");
    for (int row = 0; row < ROWS; row++)
        printf("|%s|\n", map[row]);
    printf("arrows or wasd roll, space jumps, e dashes, q leaves\033[K\n");
    fflush(stdout);
}


/* ---- By the clock -------------------------------------------------------- */

static void wait_for_tick(struct timespec *next)
{
    struct timespec now, rest;

    next->tv_nsec += TICK_NS;
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
    else if (rest.tv_sec < -1)
        *next = now; /* the process slept: do not catch up */
}

static bool begin_game(const play_def *def)
{
    machine_def setup;
    struct sockaddr_in other;

    memset(&setup, 0, sizeof setup);
    setup.seed = def->seed;
    setup.player = def->player;
    setup.peers = 1;
    setup.flip = MACHINE_NEVER;
    setup.faults = def->faults;
    it.socket = udp_open(def->port, false, &it.own);
    if (it.socket < 0 || !udp_find(def->to, &other)) {
        perror("lockstep: address");
        return false;
    }
    return machine_begin(&it, &setup) &&
           machine_connect(&it, 0, &other, 1u - def->player, false);
}

static bool is_together(void)
{
    return vsp_lockstep_peer(it.lockstep, 0).drop == VSP_DROP_NOT;
}

/* Sends the leave message several times, so that the other player does not wait
 * for a timeout. */
static void leave_game(const play_def *def)
{
    uint32_t ticks = def->faults.latency + def->faults.jitter + 8u;

    vsp_lockstep_drop(it.lockstep, 0);
    for (; ticks > 0; ticks--) {
        machine_tick(&it, 0);
        machine_deliver(&it);
    }
}

bool play_run(const play_def *def)
{
    struct timespec next;
    bool has_keys, quit = false;
    unsigned char input = 0;
    vsp_status status = VSP_OK;

    if (!begin_game(def))
        return false;
    has_keys = take_keys();
    printf("\033[2J");
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (uint32_t tick = 0; !quit && status >= 0 && is_together(); tick++) {
        unsigned char keys = read_input(&quit);

        if (!def->is_bot)
            input = keys;
        else if (tick % 8 == 0)
            input = game_bot(&it.game, def->player, def->seed, tick);
        machine_deliver(&it);
        status = machine_tick(&it, input);
        if (tick % 2 == 0)
            show_game(status);
        wait_for_tick(&next);
    }
    show_game(status);
    leave_game(def);
    if (has_keys)
        give_keys_back();
    return true;
}
