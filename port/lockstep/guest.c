/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The demo game on a bare machine, against another machine: port/link.  Player
 * 0 has the other player on line 0, and after the state guest_join a watcher on
 * line 1; both of these have player 0 on line 0.  Inputs are functions of seed
 * and step, so all machines make the same states.  There is no clock: the lines
 * set the pace.  The match ends after guest_steps certain states, or when
 * machines diverged; then the guest prints results for the runner.  In this
 * order: the match, a turn, the end, the report. */

#include "../guest/measure.h"
#include "flip.h"
#include "tally.h"
#include "wire.h"

/* constants that port/link defines */
extern const uint32_t guest_player; /* 0 or 1; 2: the watcher */
extern const uint32_t guest_seed, guest_steps;
extern const uint32_t guest_spoilt; /* corrupts one byte in this many; 0:
                                     * none */
extern const uint32_t guest_join;   /* state after which the watcher may join;
                                     * 0: no watcher */
extern const uint32_t guest_flip;   /* step after which a bit of the world is
                                     * flipped; 0: none */

#define WATCHER 2u
#define WIRES 2u
#define PACE 8u         /* most steps of a turn */
#define PATIENCE 25u    /* ms of waiting for a message */
#define MOST_UNHEARD 3u /* silent turns after which the wait stops doubling */
#define LINGER 60u      /* turns for the peer to finish its own search */
#define FAREWELL 8u     /* turns that send the leave message */

#define DEPTH 24u
#define KEPT 72u
#define HISTORY 1024u
#define LOCKSTEP_BYTES                                                \
    VSP_LOCKSTEP_BYTES(GAME_PLAYERS, GAME_INPUT_BYTES, KEPT, HISTORY, \
                       GAME_SNAPSHOT_BYTES, GAME_WORDS)

VSP_ARENA(arena, VSP_WORLD_BYTES);
VSP_ARENA(spare_arena, VSP_WORLD_BYTES);
VSP_ARENA(lockstep_arena, LOCKSTEP_BYTES);
static unsigned char scratch[GAME_SNAPSHOT_BYTES];
static unsigned char message[WIRE_MAX_MESSAGE];
static wire wires[WIRES];
static uint32_t wire_count;
static uint32_t moved;   /* bytes sent and received on all lines */
static uint32_t unheard; /* turns in a row without a message */
static game state;
static bool is_let_in; /* whether the watcher is connected */


/* ---- The match ----------------------------------------------------------- */

static vsp_status play_turn(void *user, vsp_recorder *recorder,
                            const vsp_turn *turn)
{
    vsp_status status = game_step(user, recorder, turn);

    if (guest_flip > 0u && turn->step == guest_flip)
        (void)flip_bit(recorder->world, GAME_FIRST_BALL);
    return status;
}

static void open_wires(void)
{
    uint32_t i;

    wire_count = guest_player == 0 && guest_join > 0 ? 2 : 1;
    for (i = 0; i < wire_count; i++) {
        wires[i].number = i;
        wires[i].random = 1000u * guest_seed + 10u * guest_player + i + 1u;
        wires[i].one_in = guest_spoilt;
        port_line_open(i);
    }
}

static bool connect_peer(vsp_lockstep *lockstep, uint32_t peer)
{
    uint32_t player = guest_player == 0 ? peer == 0 ? 1u : VSP_WATCHER : 0u;

    return vsp_lockstep_connect(lockstep, peer, player,
                                guest_player == WATCHER) >= 0;
}

/* Returns the match, or null if the engine refused it. */
static vsp_lockstep *begin_game(void)
{
    vsp_world_def setup = game_world_def();
    vsp_lockstep_def def = {0};
    vsp_lockstep *lockstep;
    vsp_world *world;

    if (vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world) < 0 ||
        vsp_world_create(spare_arena.mem, sizeof spare_arena.mem, &setup,
                         &def.spare) < 0 ||
        !game_begin(&state, world, guest_seed))
        return NULL;
    game_define(&state, &def.rollback);
    def.rollback.step = play_turn;
    def.rollback.depth = DEPTH;
    def.rollback.kept = KEPT;
    def.rollback.history = HISTORY;
    def.session = guest_seed;
    def.player = guest_player == WATCHER ? VSP_WATCHER : guest_player;
    def.delay = TALLY_DELAY;
    def.hash_interval = 10;
    def.peers = wire_count;
    def.is_late = guest_player == WATCHER;
    if (vsp_lockstep_create(lockstep_arena.mem, sizeof lockstep_arena.mem, &def,
                            &lockstep) < 0 ||
        !connect_peer(lockstep, 0))
        return NULL;
    return lockstep;
}


/* ---- A turn -------------------------------------------------------------- */

/* Receives what has arrived.  Returns whether there was a message. */
static bool receive_messages(vsp_lockstep *lockstep)
{
    bool is_heard = false;
    uint32_t i;

    for (i = 0; i < wire_count; i++)
        if (wire_poll(&wires[i])) {
            is_heard = true;
            (void)vsp_lockstep_receive(lockstep, i, wires[i].receiver.bytes,
                                       wires[i].receiver.size);
        }
    return is_heard;
}

static bool is_idle(void)
{
    return wire_is_idle(&wires[0]) && wire_is_idle(&wires[1]);
}

/* Whether bytes were sent or received since the last call. */
static bool has_moved(void)
{
    uint32_t old = moved;

    moved = wires[0].moved + wires[1].moved;
    return moved != old;
}

static void send_messages(vsp_lockstep *lockstep)
{
    size_t size;
    uint32_t i;

    for (i = 0; i < wire_count; i++)
        if (vsp_lockstep_send(lockstep, i, message, sizeof message, &size) >=
                0 &&
            size > 0)
            wire_send(&wires[i], message, size);
}

/* Makes at most PACE steps, as far as inputs allow. */
static void advance_game(vsp_lockstep *lockstep, tally *seen)
{
    vsp_rollback *rollback = vsp_lockstep_rollback(lockstep);
    vsp_status status = VSP_OK;
    uint32_t i;

    for (i = 0; i < PACE && status >= 0 && status != VSP_WAIT; i++) {
        uint32_t now = vsp_rollback_get_stats(rollback).step;
        unsigned char input = tally_input(guest_seed, guest_player,
                                          now + TALLY_DELAY);

        status = vsp_lockstep_advance(lockstep,
                                      guest_player == WATCHER ? NULL : &input);
        tally_take(seen, rollback, guest_steps);
    }
    if (guest_join > 0u && guest_player == 0 && !is_let_in &&
        seen->next > guest_join)
        is_let_in = connect_peer(lockstep, 1);
}

/* Makes a turn: waits until the lines are idle and a message has arrived, or
 * patience runs out; then makes steps, and sends. */
static void take_turn(vsp_lockstep *lockstep, tally *seen)
{
    uint32_t patience = PATIENCE << unheard;
    bool is_heard = false;

    while (!is_idle() || (!is_heard && patience > 0)) {
        is_heard = receive_messages(lockstep) || is_heard;
        if (!has_moved()) {
            port_line_wait();
            patience -= patience > 0;
        }
    }
    if (is_heard)
        unheard = 0;
    else if (unheard < MOST_UNHEARD)
        unheard++;
    advance_game(lockstep, seen);
    send_messages(lockstep);
}


/* ---- The end ------------------------------------------------------------- */

/* Whether a peer needs nothing more from this machine.  The watcher, peer 1 of
 * player 0, needs the other player's inputs too; it leaves when it has them. */
static bool has_all(const vsp_lockstep *lockstep, uint32_t peer)
{
    vsp_peer_stats it = vsp_lockstep_peer(lockstep, peer);

    return it.drop != VSP_DROP_NOT ||
           (peer == 0 && it.acknowledged >= guest_steps);
}

static bool is_over(const vsp_lockstep *lockstep, const tally *seen)
{
    vsp_phase phase = vsp_lockstep_get_stats(lockstep).phase;

    if (phase == VSP_PHASE_DIVERGED || phase == VSP_PHASE_OVER)
        return true;
    if (seen->next <= guest_steps) /* states are missing: end only if the peer
                                    * is silent and was dropped */
        return unheard == MOST_UNHEARD &&
               vsp_lockstep_peer(lockstep, 0).drop != VSP_DROP_NOT;
    return guest_player == WATCHER ||
           (has_all(lockstep, 0) && (wire_count == 1 || has_all(lockstep, 1)));
}

static void play_game(vsp_lockstep *lockstep, tally *seen)
{
    uint32_t i;

    tally_take(seen, vsp_lockstep_rollback(lockstep), guest_steps);
    while (!is_over(lockstep, seen))
        take_turn(lockstep, seen);
    if (vsp_lockstep_get_stats(lockstep).phase == VSP_PHASE_DIVERGED)
        for (i = 0; i < LINGER; i++)
            take_turn(lockstep, seen);
    for (i = 0; i < wire_count; i++)
        (void)vsp_lockstep_drop(lockstep, i);
    for (i = 0; i < FAREWELL; i++)
        take_turn(lockstep, seen);
}


/* ---- Report -------------------------------------------------------------- */

static void print_number(const char *name, uint32_t number)
{
    port_text(name);
    port_number(number);
}

static void print_hex(const char *name, uint32_t number)
{
    port_text(name);
    port_hex(number, 8);
}

static void print_wire(const vsp_lockstep *lockstep, uint32_t i)
{
    vsp_peer_stats peer = vsp_lockstep_peer(lockstep, i);
    const wire *it = &wires[i];

    print_number("line ", i);
    print_number(" frames ", it->frames);
    print_number(" bytes ", it->bytes);
    print_number(" spoilt ", it->spoilt);
    print_number(" good ", it->receiver.good);
    print_number(" bad ", it->receiver.bad);
    print_number(" refused ", peer.refused);
    print_number(" again ", peer.again);
    print_number(" drop ", (uint32_t)peer.drop);
    port_text("\n");
}

static void print_match(const vsp_lockstep *lockstep, const tally *seen)
{
    vsp_lockstep_stats it = vsp_lockstep_get_stats(lockstep);

    print_number("states ", seen->count);
    print_hex(" tally ", seen->all);
    print_hex(" ", seen->late);
    print_number("\nmatch hashes ", it.hash_count);
    print_number(" rollbacks ", it.rollback.rollback_count);
    print_number(" again ", it.rollback.again_count);
    print_number(" deepest ", it.rollback.deepest);
    print_number(" ticks ", it.tick_count);
    print_number(" waits ", it.wait_count);
    print_number(" longest ", it.longest_wait);
    port_text("\n");
}

static void print_desync(const vsp_desync *it)
{
    print_number("desync step ", it->step);
    print_hex(" ours ", it->ours);
    print_hex(" theirs ", it->theirs);
    print_number(" words ", it->count);
    if (it->count > 0) {
        port_text(" part ");
        port_text(it->first.part);
        print_number(" ", it->first.index);
        port_text(" field ");
        port_text(it->first.field);
        print_number(" component ", it->first.component);
        print_hex(" bits ", it->first.a);
        print_hex(" ", it->first.b);
    }
    port_text("\n");
}

static bool print_bytes(void *user, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    size_t i;

    (void)user;
    port_text("@ ");
    for (i = 0; i < size; i++)
        port_hex(byte[i], 2);
    port_text("\n");
    return true;
}

/* Prints the replay of the step in which the machines diverged. */
static void print_record(vsp_lockstep *lockstep)
{
    vsp_record_def def = {0};
    vsp_status status;
    size_t size;

    def.write = print_bytes;
    def.scratch = scratch;
    def.scratch_size = sizeof scratch;
    status = vsp_lockstep_record(lockstep, &def, &size);
    if (status < 0)
        port_text(vsp_status_name(status));
    port_text("\n");
}

int main(void)
{
    vsp_lockstep *lockstep;
    vsp_desync desync;
    tally seen = {0};
    uint32_t i;

    measure_begin();
    open_wires();
    lockstep = begin_game();
    if (lockstep == NULL)
        port_fault("match refused", 0);
    play_game(lockstep, &seen);
    print_match(lockstep, &seen);
    for (i = 0; i < wire_count; i++)
        print_wire(lockstep, i);
    if (vsp_lockstep_desync(lockstep, &desync) == VSP_DIVERGED) {
        print_desync(&desync);
        print_record(lockstep);
    }
    measure_print();
    return seen.next > guest_steps ? 0 : 1;
}
