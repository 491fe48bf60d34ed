/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Writing a lockstep message (VSP_LOCKSTEP).  In this order: the sections, as
 * they follow in a message, with the state that is sent; the head; the message.
 * Each message contains everything that its reader has not yet acknowledged: so
 * the next message repeats a lost one, without timers. */

#include "record.h"

#if VSP_LOCKSTEP

#define SENT_HASHES 4u /* hashes in a message, at most */

typedef struct message_writer {
    unsigned char *bytes;
    uint32_t size, room; /* bytes written; most bytes */
} message_writer;

/* In the smallest message all sections before inputs and states fit. */
VSP_STATIC_ASSERT(message_has_room, VSP__MESSAGE_HEAD + 4u * VSP__SECTION_HEAD +
                                            4u * VSP_MAX_PLAYERS + 4u +
                                            4u * SENT_HASHES + 8u + 64u <=
                                        VSP_MIN_MESSAGE);

/* Adds a section, which must fit.  Returns the address for its body of `body`
 * bytes. */
static unsigned char *add_section(message_writer *m, uint32_t kind,
                                  uint32_t arg, uint32_t count, uint32_t body)
{
    unsigned char *at = m->bytes + m->size;

    vsp__set_word(at, kind | arg << 8 | count << 16);
    m->size += VSP__SECTION_HEAD + body;
    return at + VSP__SECTION_HEAD;
}

/* Returns the bytes that are left for the body of one more section. */
static uint32_t room_for_body(const message_writer *m)
{
    uint32_t left = m->room - m->size;

    return left > VSP__SECTION_HEAD ? left - VSP__SECTION_HEAD : 0;
}

static void write_acks(const vsp_lockstep *l, message_writer *m)
{
    uint32_t players = l->def.rollback.players, p;
    unsigned char *at = add_section(m, VSP__SECTION_ACKS, 0, players,
                                    4u * players);

    for (p = 0; p < players; p++, at += 4)
        vsp__set_word(at, vsp__known_of(l, p));
}

/* Adds the newest of the hashes that peers compare during a match. */
static void write_hashes(vsp_lockstep *l, message_writer *m)
{
    uint32_t interval = l->def.hash_interval, step;
    uint32_t count = (l->next_hash - l->first_hash) / interval;
    unsigned char *at;

    count = vsp__smaller_of(count, SENT_HASHES);
    if (count == 0)
        return;
    step = l->next_hash - count * interval;
    at = add_section(m, VSP__SECTION_HASHES, 0, count, 4u + 4u * count);
    vsp__set_word(at, step);
    for (; step < l->next_hash; step += interval)
        vsp__set_word(at += 4, *vsp__own_hash(l, step));
}

/* Adds hashes of the search, in at most half of the free bytes.  The next
 * message continues behind them. */
static void write_search(vsp_lockstep *l, vsp__peer_state *p, message_writer *m)
{
    uint32_t oldest = vsp__oldest_saved_step(l), low, count;
    unsigned char *at;
    vsp_kept kept;

    low = l->low > oldest + 1u ? l->low - 1u : oldest;
    if (p->search_at < low || p->search_at > l->high)
        p->search_at = low;
    count = low > l->high ? 0
                          : vsp__smaller_of(l->high - p->search_at + 1u,
                                            room_for_body(m) / 8u - 2u);
    at = add_section(m, VSP__SECTION_SEARCH, 0, count, 8u + 4u * count);
    vsp__set_word(at, oldest);
    vsp__set_word(at += 4, p->search_at);
    for (; count > 0; count--, p->search_at++) {
        (void)vsp_rollback_state(l->rollback, p->search_at, &kept);
        vsp__set_word(at += 4, kept.hash);
    }
}

/* Asks a peer for a state, from the first byte that is missing. */
static void write_want(const vsp_lockstep *l, uint32_t peer, message_writer *m)
{
    bool is_join = l->phase == VSP_PHASE_JOINING && peer == 0;
    bool is_search = l->phase == VSP_PHASE_SEARCHING && peer == l->suspect &&
                     vsp__is_narrowed(l);
    uint32_t step = l->incoming.size > 0 ? l->incoming.step : VSP__ANY_STATE;
    unsigned char *at;

    if ((!is_join && !is_search) || vsp__has_received_state(l))
        return;
    at = add_section(m, VSP__SECTION_WANT,
                     is_join ? VSP__FOR_JOIN : VSP__FOR_SEARCH, 0, 8);
    vsp__set_word(at, is_join ? step : l->high);
    vsp__set_word(at + 4, l->incoming.have);
}

/* Adds a player's inputs from the first that the peer does not know. */
static void write_player_inputs(const vsp_lockstep *l, const vsp__peer_state *p,
                                uint32_t player, uint32_t space,
                                message_writer *m)
{
    uint32_t size = l->def.rollback.input_size,
             known = vsp__known_of(l, player);
    uint32_t step = p->known[player], count, i;
    unsigned char input[VSP_MAX_INPUT], *at;

    if (step >= known || space < VSP__SECTION_HEAD + 4u + VSP_MAX_INPUT)
        return;
    /* If the input of that step is no longer stored, the peer fell too far
     * behind, and learns this from the number of the first step.  After we
     * restored a state of another machine there may be no input at all. */
    if (vsp_rollback_told(l->rollback, player, step, input) != VSP_OK)
        step = known - 1u;
    if (vsp_rollback_told(l->rollback, player, step, input) != VSP_OK)
        step = known;
    count = (space - VSP__SECTION_HEAD - 4u) / 4u * 4u / size;
    count = vsp__smaller_of(count, known - step);
    at = add_section(m, VSP__SECTION_INPUTS, player, count,
                     4u + (count * size + 3u) / 4u * 4u);
    vsp__set_word(at, step);
    at += 4;
    for (i = 0; i < count; i++, at += size) {
        (void)vsp_rollback_told(l->rollback, player, step + i, input);
        vsp__copy_bytes(at, input, size);
    }
    for (i = count * size; i % 4u != 0; i++)
        *at++ = 0;
}

/* Adds inputs of all players, which share the free bytes.  Half of these are
 * left for a state, if one is wanted. */
static void write_inputs(const vsp_lockstep *l, const vsp__peer_state *p,
                         message_writer *m)
{
    uint32_t player, left = l->def.rollback.players;
    uint32_t spared = p->has_want ? (m->room - m->size) / 2u : 0;

    for (player = 0; p->has_acks && left > 0; player++, left--) {
        uint32_t room = m->room - m->size - spared;

        if (p->takes_relays)
            write_player_inputs(l, p, player, room / left, m);
        else if (player == l->def.player)
            write_player_inputs(l, p, player, room, m);
    }
}


/* ---- The state that is sent ---------------------------------------------- */

/* Copies a saved state that is certain, so that it can be sent.  Returns false
 * when there is no such state. */
static bool take_state(vsp_lockstep *l, uint32_t step)
{
    unsigned char *bytes = vsp__outgoing_bytes(l);
    vsp__state_bytes *s = &l->outgoing;
    vsp_kept kept;
    uint32_t i;

    if (step > vsp__confirmed_step(l) ||
        vsp_rollback_state(l->rollback, step, &kept) != VSP_OK)
        return false;
    s->step = step;
    s->size = (uint32_t)kept.size + vsp__game_bytes(l);
    vsp__copy_bytes(bytes, kept.bytes, kept.size);
    bytes = vsp__state_byte(l, bytes, s, (uint32_t)kept.size);
    for (i = 0; i < l->def.rollback.game_words; i++)
        vsp__set_word(bytes + 4u * (size_t)i, kept.game[i]);
    return true;
}

/* Whether a joiner can still catch up from the state that is being sent: it is
 * less than half of the history of inputs old. */
static bool can_follow(const vsp_lockstep *l)
{
    return l->outgoing.size > 0 &&
           vsp__next_step(l) - l->outgoing.step < l->def.rollback.history / 2u;
}

/* Whether some peer is being sent the outgoing state, which then must not
 * change: its pieces would not fit together. */
static bool is_being_sent(const vsp_lockstep *l)
{
    uint32_t i;

    for (i = 0; i < l->def.peers; i++) {
        const vsp__peer_state *p = &l->peers[i];

        if (p->is_open && p->has_want && p->is_served)
            return true;
    }
    return false;
}

/* Prepares the state that a peer wants; *offset is the first byte it lacks.
 * Returns false if the state is not available.  A search is served only after
 * we have diverged, too: before, it would replace the state for a joiner. */
static bool ready_state(vsp_lockstep *l, vsp__peer_state *p, uint32_t *offset)
{
    bool is_join = p->want_for == VSP__FOR_JOIN;
    bool is_good = is_join ? can_follow(l) && is_being_sent(l)
                           : l->outgoing.size > 0 &&
                                 l->outgoing.step == p->want_step;

    if (!is_join && !vsp__has_diverged(l))
        return false;
    if (!is_good &&
        !take_state(l, is_join ? vsp__confirmed_step(l) : p->want_step))
        return false;
    p->is_served = true;
    *offset = p->want_step == l->outgoing.step &&
                      p->want_offset < l->outgoing.size
                  ? p->want_offset
                  : 0;
    return true;
}

/* Adds the next piece of the wanted state.  It follows the piece that was sent
 * last; but if more bytes are unacknowledged than a round trip explains, it
 * starts again at the first byte that the peer lacks. */
static void write_state_piece(vsp_lockstep *l, vsp__peer_state *p,
                              message_writer *m)
{
    uint32_t room = room_for_body(m) / 4u * 4u, offset, count, window, i;
    unsigned char *at;

    p->is_served = p->is_served && p->has_want;
    if (!p->has_want || room < 32u || !ready_state(l, p, &offset))
        return;
    room -= 12u;
    window = room * (vsp__smaller_of(p->stats.round_trip, 1000) + 4u);
    if (p->sent_offset <= offset || p->sent_offset >= l->outgoing.size ||
        p->sent_offset - offset >= window)
        p->sent_offset = offset;
    count = vsp__smaller_of(room, l->outgoing.size - p->sent_offset);
    at = add_section(m, VSP__SECTION_STATE, p->want_for, count,
                     12u + (count + 3u) / 4u * 4u);
    vsp__set_word(at, l->outgoing.step);
    vsp__set_word(at + 4, l->outgoing.size);
    vsp__set_word(at + 8, p->sent_offset);
    at += 12;
    for (i = 0; i < count; i++, p->sent_offset++)
        *at++ = *vsp__state_byte(l, vsp__outgoing_bytes(l), &l->outgoing,
                                 p->sent_offset);
    for (; i % 4u != 0; i++)
        *at++ = 0;
}


/* ---- The message --------------------------------------------------------- */

uint32_t vsp__sum_message(const unsigned char *bytes, uint32_t size)
{
    uint32_t sum = 0, at;

    for (at = 0; at < size; at += 4)
        if (at != VSP__AT_CHECKSUM)
            sum = vsp__hash_word(sum, vsp__get_word(bytes + at));
    return vsp__hash_end(sum);
}

static void write_head(const vsp_lockstep *l, vsp__peer_state *p,
                       message_writer *m)
{
    vsp_rollback_stats stats = vsp_rollback_get_stats(l->rollback);
    unsigned char *bytes = m->bytes;

    vsp__set_word(bytes + VSP__AT_MAGIC, VSP__LOCKSTEP_MAGIC);
    vsp__set_word(bytes + VSP__AT_BUILD, l->build);
    vsp__set_word(bytes + VSP__AT_MATCH, l->match);
    vsp__set_word(bytes + VSP__AT_SEQUENCE, ++p->sequence);
    vsp__set_word(bytes + VSP__AT_TICK, l->tick_count);
    vsp__set_word(bytes + VSP__AT_ECHO, p->tick);
    vsp__set_word(bytes + VSP__AT_STEP, stats.step);
    vsp__set_word(bytes + VSP__AT_CONFIRMED, stats.confirmed);
    vsp__set_word(bytes + VSP__AT_PLAYER,
                  (l->def.player & 0xffu) | (uint32_t)l->phase << 8 |
                      (p->is_relay ? VSP__TAKES_RELAYS << 8 : 0) |
                      ((uint32_t)p->lead & 0xffffu) << 16);
    vsp__set_word(bytes + VSP__AT_CHECKSUM, vsp__sum_message(bytes, m->size));
}

static void write_sections(vsp_lockstep *l, uint32_t peer, message_writer *m)
{
    vsp__peer_state *p = &l->peers[peer];

    if (l->phase != VSP_PHASE_JOINING)
        write_acks(l, m);
    if (l->phase == VSP_PHASE_PLAYING)
        write_hashes(l, m);
    if (vsp__has_diverged(l))
        write_search(l, p, m);
    write_want(l, peer, m);
    write_inputs(l, p, m);
    write_state_piece(l, p, m);
}

uint32_t vsp__write_message(vsp_lockstep *l, uint32_t peer,
                            unsigned char *bytes, uint32_t room)
{
    vsp__peer_state *p = &l->peers[peer];
    message_writer m;

    m.bytes = bytes;
    m.size = VSP__MESSAGE_HEAD;
    m.room = room;
    if (p->is_open) {
        write_sections(l, peer, &m);
    } else {
        p->farewells--;
        (void)add_section(&m, VSP__SECTION_BYE, 0, (uint32_t)p->stats.drop, 0);
    }
    write_head(l, p, &m);
    p->stats.sent++;
    return m.size;
}

#endif /* VSP_LOCKSTEP */
