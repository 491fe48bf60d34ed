/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The game in a terminal, against a player in another terminal. */

#ifndef PLAY_H
#define PLAY_H

#include "machine.h"

typedef struct play_def {
    uint32_t player;
    uint32_t port;  /* own UDP port */
    const char *to; /* HOST:PORT of the other player */
    uint32_t seed;  /* must be equal on both machines */
    bool is_bot;
    faults_def faults;
} play_def;

/* Plays until q is pressed, or the match is over.  Returns whether it
 * started. */
bool play_run(const play_def *def);

#endif
