/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A match on this computer: each machine is a process, datagrams go through the
 * loopback interface, and a referee drives the ticks and compares the hashes of
 * all certain states. */

#ifndef MATCH_H
#define MATCH_H

#include "machine.h"

typedef struct match_def {
    uint32_t steps;
    uint32_t seed;
    faults_def faults;
    uint32_t flip;         /* step after which player 1's bit is flipped; or
                            * MACHINE_NEVER */
    uint32_t late;         /* tick at which a watcher joins; 0: no watcher */
    const char *directory; /* directory for replays; null: none */
    const char *picture;   /* file for a picture of the middle of the match;
                            * null: none */
} match_def;

/* Plays the match and prints the result.  Returns whether all hashes were equal
 * or, if a bit was flipped, whether both players found it. */
bool match_run(const match_def *def);

#endif
