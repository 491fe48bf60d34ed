/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A match on this computer: a process for each machine, datagrams between
 * them through the loopback interface, and a referee that gives the ticks and
 * compares the hashes of every state that is certain. */

#ifndef MATCH_H
#define MATCH_H

#include "machine.h"

typedef struct match_def {
    uint32_t steps;
    uint32_t seed;
    faults_def faults;
    uint32_t flip;         /* step at which player 1's bit is flipped; or
                              MACHINE_NEVER */
    uint32_t late;         /* tick at which a watcher joins; 0: none does */
    const char *directory; /* for replays; or null */
    const char *picture;   /* file for one, of the middle; or null */
} match_def;

/* Plays the match and prints the result.  Returns whether all hashes were equal
 * or, if a bit was flipped, whether both machines found it. */
bool match_run(const match_def *def);

#endif
