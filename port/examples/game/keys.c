/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A terminal does not tell when a key is released, and repeats only one of two
 * that are held.  So a hero that walks goes on until it is told to stop, and
 * other keys act for a few steps. */

#define _DEFAULT_SOURCE

#include "keys.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define KEYS 6       /* of a player, one for each bit of an input */
#define ACTS 4       /* steps for which a key acts */
#define DROP_ACTS 16 /* until a hero is through a ledge */

static struct termios before;
static bool is_taken;

static unsigned walks[LEVEL_PLAYERS];  /* left, right or neither */
static int lasts[LEVEL_PLAYERS][KEYS]; /* steps for which bits still act */

/* Gives the terminal back before the program ends by Control-C or by a signal
 * like it. */
static void end_by_signal(int number)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    signal(number, SIG_DFL);
    raise(number);
}

void keys_open(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct termios raw;

    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (signal(ends[i], end_by_signal) == SIG_IGN)
            signal(ends[i], SIG_IGN);
    is_taken = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

void keys_close(void)
{
    if (is_taken)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

/* Returns a key, or 0 if none was pressed.  Arrows, which are ESC [ and A to D,
 * are the second player's. */
static char next_key(void)
{
    struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
    char key;

    if (poll(&wait, 1, 0) <= 0 || read(STDIN_FILENO, &key, 1) != 1)
        return 0;
    return key >= 'A' && key <= 'D' ? "iklj"[key - 'A'] : key;
}

static void stop_or_drop(int p)
{
    if (walks[p] == 0)
        lasts[p][3] = DROP_ACTS;
    walks[p] = 0;
}

/* Keys of a player are left, right, jump, down, shoot, use: the order of the
 * bits of an input. */
static void press_key(int p, int bit)
{
    if (bit < 2)
        walks[p] = 1u << bit;
    else if (1u << bit == LEVEL_DOWN)
        stop_or_drop(p);
    else if (bit < KEYS)
        lasts[p][bit] = ACTS;
}

bool keys_read(unsigned char inputs[LEVEL_PLAYERS])
{
    static const char *const keys[LEVEL_PLAYERS] = {"adwsfe", "jlikou"};
    char key;

    while ((key = next_key()) != 0) {
        if (key == 'q')
            return false;
        for (int p = 0; p < (int)LEVEL_PLAYERS; p++) {
            const char *found = strchr(keys[p], key);

            if (found)
                press_key(p, (int)(found - keys[p]));
        }
    }
    for (int p = 0; p < (int)LEVEL_PLAYERS; p++) {
        unsigned input = walks[p];

        for (int bit = 2; bit < KEYS; bit++)
            if (lasts[p][bit] > 0) {
                lasts[p][bit]--;
                input |= 1u << bit;
            }
        inputs[p] = (unsigned char)input;
    }
    return true;
}
