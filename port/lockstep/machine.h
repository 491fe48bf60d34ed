/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* One machine of a match: its world, game, peers, and the simulated bad network
 * that it sends through.  A process has one. */

#ifndef MACHINE_H
#define MACHINE_H

#include "faults.h"
#include "game.h"
#include "udp.h"

#define MACHINE_PEERS 2u
#define MACHINE_NEVER 0xffffffffu

#define MACHINE_DEPTH 30u    /* most steps made on guessed inputs */
#define MACHINE_KEPT 96u     /* states kept */
#define MACHINE_HISTORY 512u /* steps whose inputs are kept */
#define MACHINE_DELAY 3u     /* steps from a key press to its effect */
#define MACHINE_INTERVAL 16u /* steps between hashes that are sent */

typedef struct machine_def {
    uint32_t seed;   /* seed of the match */
    uint32_t player; /* own number, or VSP_WATCHER */
    uint32_t peers;
    bool is_late;
    uint32_t patience; /* ticks of silence before a peer is dropped; 0: never */
    uint32_t flip;     /* step after which a bit is flipped; or MACHINE_NEVER */
    faults_def faults;
} machine_def;

typedef struct machine {
    game game; /* must be first: game_step gets the machine as its user */
    machine_def def;
    vsp_lockstep *lockstep;
    vsp_rollback *rollback;
    int socket;
    struct sockaddr_in own;
    struct sockaddr_in others[MACHINE_PEERS];
    faults links[MACHINE_PEERS];
    uint32_t next_hash; /* step of the next state to report */
    uint32_t bytes_sent;
    uint32_t flipped; /* slot of the body with the flipped bit */
    uint32_t noticed; /* number of certain states when hashes first differed; 0:
                       * never */
} machine;

/* Starts a match.  The caller has set socket and own. */
bool machine_begin(machine *it, const machine_def *def);

/* Connects a peer of the lockstep to another machine's address. */
bool machine_connect(machine *it, uint32_t peer,
                     const struct sockaddr_in *address, uint32_t player,
                     bool is_relay);

/* The two halves of a tick. machine_deliver sends datagrams that are due;
 * machine_tick receives, makes a step with this input, and writes messages to
 * the simulated network. */
void machine_deliver(machine *it);
vsp_status machine_tick(machine *it, unsigned char input);

/* Returns the certain states one after another, one a call.  Returns false if
 * there is no new one. */
bool machine_next_state(machine *it, vsp_kept *state);

/* Writes a line about the step in which this machine and another one diverged,
 * and its replay to a file unless path is null.  Returns false, and prints why
 * on stderr, if that fails. */
bool machine_explain(machine *it, char *text, size_t size, const char *path);

#endif
