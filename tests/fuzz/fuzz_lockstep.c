/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Feeds arbitrary messages to a player, a watcher, a peer that waits for a
 * state, or a peer that searches for the step in which it diverged from the
 * sender.  Each message must be refused or accepted; then the world must be
 * valid after every step, and all certain states must be kept.
 *
 * The first byte of an input chooses the peer (low two bits), whether heads and
 * checksums are repaired (4), and whether the sender is a relay (8).  Then each
 * message begins with a byte.  Its low three bits choose a message of an honest
 * peer; its other bits count the words to change, each given by two bytes for
 * the position and four for the value.  If the low bits are 7, the other bits
 * count the words of a raw message that follow. */

#include <stdlib.h>
#include <string.h>

#include "fix.h"

#define INPUT_SIZE 2u
#define KEPT 24u
#define STATE_BYTES 640u
#define ROLES 4u
#define GOOD 7u
#define BYTES VSP_LOCKSTEP_BYTES(2, INPUT_SIZE, KEPT, 4u * KEPT, STATE_BYTES, 2)

VSP_ARENA(ours, VSP_WORLD_BYTES);
VSP_ARENA(theirs, VSP_WORLD_BYTES);
VSP_ARENA(spare, VSP_WORLD_BYTES);
VSP_ARENA(our_match, BYTES);
VSP_ARENA(their_match, BYTES);

/* A peer in its state before each input. */
static struct role {
    unsigned char match[BYTES], world[VSP_WORLD_BYTES];
    uint32_t game[2];
    vsp_lockstep *lockstep;
    unsigned char good[GOOD][VSP_MAX_MESSAGE]; /* the next messages it would
                                                * receive */
    size_t good_size[GOOD];
} roles[ROLES];

static uint32_t our_game[2], their_game[2];
static uint32_t parts_at; /* step in which the two games diverge */

static vsp_status play_turn(void *user, vsp_recorder *recorder,
                            const vsp_turn *turn)
{
    uint32_t *game = user;

    for (uint32_t p = 0; p < 2; p++) {
        vsp_body_id body = vsp_body_at(recorder->world, p);
        vsp_vec3 push = {0, 0, 0};

        push.x = turn->inputs[INPUT_SIZE * p] % 2 ? VSP_R(1.0) : VSP_R(-1.0);
        (void)vsp_record_body_apply_center_impulse(recorder, body, push);
        game[p] += turn->inputs[INPUT_SIZE * p + 1];
    }
    if (user == their_game && turn->step == parts_at)
        game[0] ^= 1;
    return vsp_record_step(recorder);
}

static bool is_input(void *user, uint32_t player, const unsigned char *input)
{
    (void)user;
    return player < 2 && input[0] < 4;
}

static vsp_world *make_world(void *memory)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def body = vsp_body_def_default();
    vsp_world *world;

    MUST(vsp_world_create(memory, VSP_WORLD_BYTES, &def, &world) == VSP_OK);
    body.type = VSP_DYNAMIC;
    for (int i = 0; i < 3; i++) {
        body.pose.position.x = vsp_from_double(i * 0.9);
        MUST(vsp_body_create(world, &body, NULL) == VSP_OK);
    }
    return world;
}

static vsp_lockstep *make_match(void *memory, vsp_world *world, uint32_t *game,
                                uint32_t player, bool is_late)
{
    vsp_lockstep_def def = {0};
    vsp_lockstep *lockstep;

    def.rollback.world = world;
    def.rollback.players = 2;
    def.rollback.input_size = INPUT_SIZE;
    def.rollback.depth = 8;
    def.rollback.kept = KEPT;
    def.rollback.history = 4u * KEPT;
    def.rollback.snapshot_size = STATE_BYTES;
    def.rollback.game = game;
    def.rollback.game_words = 2;
    def.rollback.step = play_turn;
    def.rollback.is_input = is_input;
    def.rollback.user = game;
    def.player = player;
    def.delay = 1;
    def.hash_interval = 6;
    def.peers = 2;
    def.is_late = is_late;
    def.spare = player == 1 ? NULL : make_world(spare.mem);
    memset(game, 0, 8);
    MUST(vsp_lockstep_create(memory, BYTES, &def, &lockstep) == VSP_OK);
    return lockstep;
}

static size_t pass_message(vsp_lockstep *from, vsp_lockstep *to,
                           unsigned char *bytes)
{
    size_t size;

    MUST(vsp_lockstep_send(from, 0, bytes, VSP_MAX_MESSAGE, &size) == VSP_OK);
    MUST(vsp_lockstep_receive(to, 0, bytes, size) == VSP_OK);
    return size;
}

/* Ticks both.  If a is a watcher, b gets player 0's input. */
static void tick_both(vsp_lockstep *a, vsp_lockstep *b, bool is_watcher)
{
    static const unsigned char input[INPUT_SIZE] = {1, 1};
    vsp_rollback *rollback = vsp_lockstep_rollback(b);

    if (is_watcher)
        MUST(vsp_rollback_input(rollback, 0, vsp_rollback_known(rollback, 0),
                                input) == VSP_OK);
    MUST(vsp_lockstep_advance(a, input) >= 0);
    MUST(vsp_lockstep_advance(b, input) >= 0);
}

static vsp_phase phase(const vsp_lockstep *l)
{
    return vsp_lockstep_get_stats(l).phase;
}

/* Plays against player 1 until the peer is in its role, and saves the messages
 * that it would receive next. */
static void make_role(struct role *r, uint32_t index)
{
    unsigned char bytes[VSP_MAX_MESSAGE];
    bool is_watcher = index == 1 || index == 2;
    vsp_lockstep *a = make_match(our_match.mem, make_world(ours.mem), our_game,
                                 is_watcher ? VSP_WATCHER : 0, index == 2);
    vsp_lockstep *b = make_match(their_match.mem, make_world(theirs.mem),
                                 their_game, 1, false);

    parts_at = index == 3 ? 20 : 0xffffffffu;
    MUST(vsp_lockstep_connect(a, 0, 1, is_watcher) == VSP_OK);
    MUST(vsp_lockstep_connect(b, 0, is_watcher ? VSP_WATCHER : 0, false) ==
         VSP_OK);
    for (int i = 0; i < 40 && phase(a) != VSP_PHASE_SEARCHING; i++) {
        tick_both(a, b, is_watcher);
        pass_message(b, a, bytes);
        if (index != 2)
            pass_message(a, b, bytes);
    }
    memcpy(r->match, our_match.mem, sizeof r->match);
    memcpy(r->world, ours.mem, sizeof r->world);
    memcpy(r->game, our_game, sizeof r->game);
    for (uint32_t i = 0; i < GOOD; i++) {
        tick_both(a, b, is_watcher);
        pass_message(a, b, bytes);
        r->good_size[i] = pass_message(b, a, r->good[i]);
    }
    r->lockstep = a;
}

static vsp_lockstep *take_role(const struct role *r)
{
    memcpy(our_match.mem, r->match, sizeof r->match);
    memcpy(ours.mem, r->world, sizeof r->world);
    memcpy(our_game, r->game, sizeof r->game);
    return r->lockstep;
}

/* Returns a hash of the certain states that are kept, up to a step. */
static uint32_t certain(vsp_lockstep *lockstep, uint32_t step)
{
    vsp_rollback *rollback = vsp_lockstep_rollback(lockstep);
    uint32_t sum = 0, first = step > KEPT / 3 ? step - KEPT / 3 : 0;
    vsp_kept kept;

    for (; first <= step; first++)
        if (vsp_rollback_state(rollback, first, &kept) == VSP_OK)
            sum = sum * 31u + kept.hash;
    return sum;
}

extern unsigned long messages_heard; /* defined for storm_main.c */
unsigned long messages_heard;

static void hear_message(vsp_lockstep *l, bool is_relay,
                         const unsigned char *bytes, size_t size)
{
    static const unsigned char input[INPUT_SIZE];
    uint32_t hash = vsp_world_hash((vsp_world *)(void *)ours.mem);
    unsigned char answer[VSP_MAX_MESSAGE];

    messages_heard++;
    (void)vsp_lockstep_receive(l, 0, bytes, size);
    MUST(vsp_world_hash((vsp_world *)(void *)ours.mem) == hash);
    (void)vsp_lockstep_advance(l, input);
    MUST(vsp_lockstep_send(l, 0, answer, 256, &size) == VSP_OK);
    MUST(size <= 256);
    MUST(vsp_world_validate((vsp_world *)(void *)ours.mem, NULL) == VSP_OK);
    if (vsp_lockstep_peer(l, 0).drop != VSP_DROP_NOT)
        MUST(vsp_lockstep_connect(l, 0, 1, is_relay) == VSP_OK);
}

/* Reads the next message (see the head of this file).  Returns the bytes after
 * it. */
static const unsigned char *read_message(const struct role *r,
                                         const unsigned char *data,
                                         const unsigned char *end,
                                         unsigned char *bytes, size_t *size)
{
    uint32_t which = *data & 7u, count = *data >> 3;

    data++;
    if (which == GOOD) {
        *size = 4u * (size_t)count;
        if (*size > (size_t)(end - data))
            *size = (size_t)(end - data) / 4 * 4;
        memcpy(bytes, data, *size);
        return data + (*size > 0 ? *size : 1);
    }
    *size = r->good_size[which];
    memcpy(bytes, r->good[which], *size);
    for (; count > 0 && end - data >= 6; count--, data += 6)
        memcpy(bytes + (data[0] + 256u * data[1]) % (*size / 4) * 4, data + 2,
               4);
    return data;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const unsigned char *end = data + size;
    unsigned char bytes[VSP_MAX_MESSAGE];
    uint32_t sequence = 1000, last, before;
    const struct role *r;
    vsp_lockstep *l;
    bool is_fixed, is_relay;

    for (uint32_t i = 0; roles[ROLES - 1].lockstep == NULL; i++)
        make_role(&roles[i], i);
    if (size == 0)
        return 0;
    r = &roles[*data % ROLES];
    is_fixed = *data & 4;
    is_relay = *data & 8;
    data++;
    l = take_role(r);
    last = vsp_lockstep_get_stats(l).rollback.confirmed;
    before = certain(l, last);
    while (data < end &&
           vsp_lockstep_get_stats(l).rollback.step < last + KEPT / 2) {
        data = read_message(r, data, end, bytes, &size);
        if (is_fixed)
            fix_message(bytes, size, r->good[0], ++sequence);
        hear_message(l, is_relay, bytes, size);
    }
    if (r != &roles[2])
        MUST(certain(l, last) == before);
    return 0;
}
