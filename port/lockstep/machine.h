/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* One of the machines that play: its world, its game, its peers, and the bad
 * network that it sends through.  There is one a process. */

#ifndef MACHINE_H
#define MACHINE_H

#include "faults.h"
#include "game.h"
#include "udp.h"

#define MACHINE_PEERS 2u
#define MACHINE_NEVER 0xffffffffu

#define MACHINE_DEPTH 30u    /* steps that may be guessed */
#define MACHINE_KEPT 96u     /* states */
#define MACHINE_HISTORY 512u /* steps whose inputs are known */
#define MACHINE_DELAY 3u     /* steps from a key to its effect */
#define MACHINE_INTERVAL 16u /* steps from hash to hash */

typedef struct machine_def {
    uint32_t seed;   /* of the match */
    uint32_t player; /* or VSP_WATCHER */
    uint32_t peers;
    bool is_late;
    uint32_t patience; /* ticks of silence; 0: any */
    uint32_t flip;     /* after this step a bit is flipped; or MACHINE_NEVER */
    faults_def faults;
} machine_def;

typedef struct machine {
    game game; /* first: game_step takes this for its user */
    machine_def def;
    vsp_lockstep *lockstep;
    vsp_rollback *rollback;
    int socket;
    struct sockaddr_in own;
    struct sockaddr_in others[MACHINE_PEERS];
    faults links[MACHINE_PEERS];
    uint32_t next_hash; /* step of the next state to be reported */
    uint32_t bytes_sent;
    uint32_t flipped; /* slot of the body */
    uint32_t noticed; /* certain states when hashes first differed; 0: they
                       * never did */
} machine;

/* Prepares the machine; the caller sets socket and own before. */
bool machine_begin(machine *it, const machine_def *def);

/* Begins to talk to another machine. */
bool machine_connect(machine *it, uint32_t peer,
                     const struct sockaddr_in *address, uint32_t player,
                     bool is_relay);

/* A tick has two halves: first, due messages go out; then arrived messages are
 * taken, a step is made with this input, and messages for the peers are
 * written. */
void machine_deliver(machine *it);
vsp_status machine_tick(machine *it, unsigned char input);

/* Finds the next certain state that was not returned yet.  Returns false when
 * there is none. */
bool machine_next_state(machine *it, vsp_kept *state);

/* Writes a line about the step in which this machine and another one parted,
 * and the replay of it to a file unless path is null.  Returns false, and says
 * why on stderr, when it cannot. */
bool machine_explain(machine *it, char *text, size_t size, const char *path);

#endif
