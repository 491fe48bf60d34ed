/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Reading a lockstep message from arbitrary bytes: its checksum and head; the
 * head of a section at every position; then the check and the use of each
 * section that such a head admits, at the end of a buffer. ci/prove names the
 * function where the analysis begins. */

#include "any.h"

#define VSP_CONFIG "tests/prove/small.h"
#include "src/number/vector.c"
#include "src/number/float.c"
#include "src/number/fixed.c"
#include "src/number/rotation.c"

#include "src/state/words.c"

#include "src/record/rollback.c"

#include "src/record/lockstep_search.c"
#include "src/record/lockstep_write.c"
#include "src/record/lockstep_read.c"

#define MOST_BYTES 128u /* of a message */
#define MOST_BODY 44u   /* of a section */
#define HISTORY 4u
#define KEPT 2u

/* Sizes of a match. */
#define GAME_WORDS 2u
#define STATE_BYTES 180u
#define STATE_ROOM (VSP__ROUND_UP(STATE_BYTES) + VSP__ROUND_UP(4u * GAME_WORDS))
#define LEAST_STATE (4u * GAME_WORDS + VSP__SNAPSHOT_HEAD_BYTES)
#define MOST_STATE (4u * GAME_WORDS + STATE_BYTES)

/* The memory of a rollback and of a match, without a byte more. */
static uint32_t
    rollback[VSP_ROLLBACK_BYTES(VSP_MAX_PLAYERS, VSP_MAX_INPUT, KEPT, HISTORY,
                                STATE_BYTES, GAME_WORDS) /
             4u];
static uint32_t match[(VSP__LOCKSTEP_HEAD_BYTES + 2u * STATE_ROOM) / 4u];

static bool any_is_input(void *user, uint32_t player,
                         const unsigned char *input)
{
    (void)user;
    return player < VSP_MAX_PLAYERS && *input < any_uint(0, 256);
}

/* A match of some players, at any step, in any phase; what vsp_lockstep_create
 * checks is as it was checked. */
static vsp_lockstep *any_match(uint32_t players, uint32_t input_size)
{
    vsp_lockstep *l = (vsp_lockstep *)(void *)match;
    vsp_rollback *r = (vsp_rollback *)(void *)rollback;
    vsp_rollback_def *def = &r->def;

    Frama_C_make_unknown((char *)rollback, sizeof rollback);
    Frama_C_make_unknown((char *)match, sizeof match);
    r->magic = ROLLBACK_MAGIC;
    def->players = players;
    def->input_size = input_size;
    def->kept = KEPT;
    def->history = HISTORY;
    def->snapshot_size = STATE_BYTES;
    def->game_words = GAME_WORDS;
    def->is_input = any_bool() ? any_is_input : NULL;
    r->slot_size = (size_t)slot_bytes(def);
    r->row_size = (size_t)(players * input_size);
    l->def.rollback = *def;
    l->rollback = r;
    l->def.player = any_bool() ? any_uint(0, players - 1u) : VSP_WATCHER;
    l->def.hash_interval = any_uint(1, KEPT / 2u);
    l->def.is_late = any_bool();
    l->is_returning = any_bool();
    return l;
}

/* The peer that sends; the others are like it.  Messages of 32 ticks, which the
 * flood limits, add at most 65,535 each to lead_sum. */
#define PEER 1u
#define MOST_LEADS ((600 + 4 * 32) * 65535)

static vsp__peer_state *any_peer(vsp_lockstep *l)
{
    vsp__peer_state *p = l->peers + PEER;

    p->is_relay = any_bool();
    p->lead_sum = any_int(-MOST_LEADS, MOST_LEADS);
    return p;
}

/* Reads the head of a section at a position of a message. */
static void try_head(const vsp_lockstep *l, const unsigned char *bytes,
                     uint32_t size, uint32_t at)
{
    uint32_t next = at;
    message_section s;

    if (!read_section(l, bytes, size, &next, &s))
        return;
    /*@ assert next <= size; */
    /*@ assert s.at == bytes + at + 4; */
    /*@ assert s.body <= size - at - 4; */
}

/* messages of each length */
void prove_heads(void)
{
    static unsigned char bytes[MOST_BYTES];
    uint32_t size, at;
    vsp_lockstep *l = any_match(any_uint(1, VSP_MAX_PLAYERS),
                                any_uint(1, VSP_MAX_INPUT));
    vsp__peer_state *p = any_peer(l);

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    PROVE(check_head(l, p, bytes));
    PROVE((apply_head(l, p, bytes), 0));
    PROVE(is_new_sequence(p, any_word()));
    PROVE((vsp__compare_hashes(l, PEER), 0));
    /*@ loop unroll 129; */
    for (size = 0; size <= MOST_BYTES; size++) {
        PROVE(check_bytes(bytes, size));
        /*@ loop unroll 33; */
        for (at = VSP__MESSAGE_HEAD; at < size && size % 4u == 0; at += 4)
            PROVE((try_head(l, bytes, size, at), 0));
    }
}

/* A section of a match whose body has the size that its head says. */
static void any_section(const vsp_lockstep *l, uint32_t kind, uint32_t count,
                        message_section *s)
{
    s->kind = kind;
    s->count = count;
    s->arg = any_uint(0, 255);
    s->body = body_bytes(l, s);
}

/* Checks a section whose body ends where a buffer ends, and uses it if it is
 * good. */
static void try_section(uint32_t players, uint32_t input_size, uint32_t kind,
                        uint32_t count)
{
    static unsigned char bytes[MOST_BODY];
    vsp_lockstep *l = any_match(players, input_size);
    message_section s;
    vsp__peer_state *p = any_peer(l);

    any_section(l, kind, count, &s);
    if (s.body > MOST_BODY)
        return;
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    s.at = bytes + MOST_BODY - s.body;
    if (check_section(l, p, &s) != VSP_DROP_NOT)
        return;
    if (kind == VSP__SECTION_ACKS)
        apply_acks(p, &s);
    else if (kind == VSP__SECTION_HASHES)
        apply_hashes(l, p, &s);
    else if (kind == VSP__SECTION_SEARCH)
        apply_search(l, PEER, &s);
    else if (kind == VSP__SECTION_WANT)
        apply_want(p, &s);
    else if (kind == VSP__SECTION_INPUTS)
        apply_inputs(l, PEER, &s);
}

void prove_sections(void)
{
    static const uint32_t players[] = {1, VSP_MAX_PLAYERS};
    static const uint32_t sizes[] = {VSP_MAX_INPUT, 3};
    uint32_t i, kind, count;

    /*@ loop unroll 2; */
    for (i = 0; i < 2; i++)
        /*@ loop unroll 9; */
        for (kind = 0; kind <= VSP__SECTION_BYE + 1; kind++)
            /*@ loop unroll 11; */
            for (count = 0; count <= 10; count++)
                if (any_bool() && kind != VSP__SECTION_STATE)
                    try_section(players[i], sizes[i], kind, count);
}

/* Checks and stores a piece of a state that says it has this size, and begins
 * at an offset. */
static void try_piece(uint32_t size, uint32_t offset, uint32_t count)
{
    static unsigned char bytes[12 + 12];
    vsp_lockstep *l = any_match(1, 1);
    message_section s;
    vsp__peer_state *p = any_peer(l);

    any_section(l, VSP__SECTION_STATE, count, &s);
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    s.at = bytes + sizeof bytes - s.body;
    vsp__set_word(bytes + sizeof bytes - s.body + 4, size);
    vsp__set_word(bytes + sizeof bytes - s.body + 8, offset);
    if (check_section(l, p, &s) == VSP_DROP_NOT)
        apply_state_piece(l, PEER, &s);
}

/* sizes that are refused or just not; offsets up to the last bytes of the
 * snapshot, through the program's words and beyond */
void prove_pieces(void)
{
    static const uint32_t sizes[] = {LEAST_STATE - 1u, LEAST_STATE, MOST_STATE,
                                     MOST_STATE + 1u};
    static const uint32_t counts[] = {0, 1, 2, 12};
    uint32_t i, k, offset;

    /*@ loop unroll 4; */
    for (i = 0; i < 4; i++)
        /*@ loop unroll 4; */
        for (k = 0; k < 4; k++)
            /*@ loop unroll 16; */
            for (offset = sizes[i] - 13u; offset < sizes[i] + 2u; offset++)
                PROVE((try_piece(sizes[i], offset, counts[k]), 0));
}
