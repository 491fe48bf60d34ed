/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Reading a lockstep message (VSP_LOCKSTEP): checking it from end to end, then
 * applying it. */

#include "record.h"

#if VSP_LOCKSTEP

#define LAST_STATE (VSP__LAST_STEP + 1u)

/* Counts of a peer's faults.  Above these limits it is dropped. */
#define MAX_BLAME 128u
#define BLAME 16u    /* added to `blame` for a refused message */
#define PRAISE 4u    /* subtracted from it for each valid message */
#define MAX_OLD 300u /* messages received already */


/* ---- Checking a message ----------------------------------------------------
 * The checks change nothing.  VSP_DROP_NOT means that nothing is wrong. */

typedef struct message_section {
    uint32_t kind, arg, count;
    uint32_t body;           /* bytes */
    const unsigned char *at; /* the body */
} message_section;

#define NO_LENGTH 0xffffffffu

/* The size of a section's body, bytes; NO_LENGTH when its head is wrong. */
static uint32_t body_bytes(const vsp_lockstep *l, const message_section *s)
{
    switch (s->kind) {
    case VSP__SECTION_ACKS:
        return s->count == l->def.rollback.players ? 4u * s->count : NO_LENGTH;
    case VSP__SECTION_HASHES:
        return 4u + 4u * s->count;
    case VSP__SECTION_SEARCH:
        return 8u + 4u * s->count;
    case VSP__SECTION_WANT:
        return 8u;
    case VSP__SECTION_INPUTS:
        return 4u + (s->count * l->def.rollback.input_size + 3u) / 4u * 4u;
    case VSP__SECTION_STATE:
        return 12u + (s->count + 3u) / 4u * 4u;
    case VSP__SECTION_BYE:
        return 0;
    default:
        return NO_LENGTH;
    }
}

/* Reads the head of the section at *at, and moves *at behind the section.
 * Returns false when the head is invalid, or the section does not end within
 * the message. */
static bool read_section(const vsp_lockstep *l, const unsigned char *bytes,
                         uint32_t size, uint32_t *at, message_section *s)
{
    uint32_t head = vsp__get_word(bytes + *at);

    s->kind = head & 0xffu;
    s->arg = head >> 8 & 0xffu;
    s->count = head >> 16;
    s->body = body_bytes(l, s);
    s->at = bytes + *at + VSP__SECTION_HEAD;
    if (s->body > size - *at - VSP__SECTION_HEAD)
        return false;
    *at += VSP__SECTION_HEAD + s->body;
    return true;
}

static uint32_t section_word(const message_section *s, uint32_t index)
{
    return vsp__get_word(s->at + 4u * (size_t)index);
}

/* Whether acks are in range.  No peer can know more of our inputs than we do,
 * unless we joined late: then others may know our inputs from before. */
static bool are_acks(const vsp_lockstep *l, const message_section *s)
{
    uint32_t p;

    for (p = 0; p < s->count; p++)
        if (section_word(s, p) > LAST_STATE ||
            (p == l->def.player && !l->def.is_late &&
             section_word(s, p) > vsp__known_of(l, p)))
            return false;
    return true;
}

/* Whether `first` is a multiple of `interval`, and `count` steps or states from
 * it on, `interval` apart, end at `last` or before. */
static bool is_run(uint32_t first, uint32_t count, uint32_t interval,
                   uint32_t last)
{
    return first % interval == 0 && first <= last &&
           count <= (last - first) / interval + 1u;
}

/* Checks the input of a step: a new one by is_input, a known one against the
 * stored value. */
static vsp_drop check_input(const vsp_lockstep *l, uint32_t player,
                            uint32_t step, const unsigned char *input)
{
    unsigned char told[VSP_MAX_INPUT];

    if (step >= vsp__known_of(l, player))
        return vsp__is_valid_input(&l->def.rollback, player, input)
                   ? VSP_DROP_NOT
                   : VSP_DROP_INPUT;
    if (vsp_rollback_told(l->rollback, player, step, told) != VSP_OK ||
        vsp__is_same_input(told, input, l->def.rollback.input_size))
        return VSP_DROP_NOT;
    return VSP_DROP_CHANGED;
}

static vsp_drop check_inputs(const vsp_lockstep *l, const vsp__peer_state *p,
                             const message_section *s)
{
    uint32_t player = s->arg, first = section_word(s, 0), i;
    vsp_drop reason = VSP_DROP_NOT;

    if (player >= l->def.rollback.players ||
        !is_run(first, s->count, 1, VSP__LAST_STEP))
        return VSP_DROP_RANGE;
    if (player != p->stats.player && !p->is_relay)
        return VSP_DROP_INPUT;
    if (l->phase == VSP_PHASE_JOINING)
        return VSP_DROP_NOT;
    if (player == l->def.player && !l->is_returning &&
        first + s->count > vsp__known_of(l, player))
        return VSP_DROP_INPUT;
    for (i = 0; i < s->count && reason == VSP_DROP_NOT; i++)
        reason = check_input(l, player, first + i,
                             s->at + 4u +
                                 (size_t)(i * l->def.rollback.input_size));
    return reason;
}

/* A state contains at least the head of a snapshot, because its checksum is
 * read before the world checks the snapshot. */
static vsp_drop check_state(const vsp_lockstep *l, const message_section *s)
{
    uint32_t size = section_word(s, 1), offset = section_word(s, 2);
    uint32_t least = vsp__game_bytes(l) + (uint32_t)VSP__SNAPSHOT_HEAD_BYTES;

    if (section_word(s, 0) > LAST_STATE || offset > size ||
        s->count > size - offset)
        return VSP_DROP_RANGE;
    return size < least ||
                   size - vsp__game_bytes(l) > l->def.rollback.snapshot_size
               ? VSP_DROP_STATE
               : VSP_DROP_NOT;
}

static vsp_drop check_section(const vsp_lockstep *l, const vsp__peer_state *p,
                              const message_section *s)
{
    bool is_good = true;

    switch (s->kind) {
    case VSP__SECTION_ACKS:
        is_good = are_acks(l, s);
        break;
    case VSP__SECTION_HASHES:
        is_good = is_run(section_word(s, 0), s->count, l->def.hash_interval,
                         LAST_STATE);
        break;
    case VSP__SECTION_SEARCH:
        is_good = section_word(s, 0) <= LAST_STATE &&
                  is_run(section_word(s, 1), s->count, 1, LAST_STATE);
        break;
    case VSP__SECTION_WANT:
        is_good = section_word(s, 0) <= LAST_STATE ||
                  (s->arg == VSP__FOR_JOIN &&
                   section_word(s, 0) == VSP__ANY_STATE);
        break;
    case VSP__SECTION_INPUTS:
        return check_inputs(l, p, s);
    case VSP__SECTION_STATE:
        return check_state(l, s);
    default:
        break;
    }
    return is_good ? VSP_DROP_NOT : VSP_DROP_RANGE;
}

/* Checks all sections: in ascending order, none twice. */
static vsp_drop check_sections(const vsp_lockstep *l, const vsp__peer_state *p,
                               const unsigned char *bytes, uint32_t size)
{
    uint32_t at = VSP__MESSAGE_HEAD, order = 0;
    vsp_drop reason = VSP_DROP_NOT;
    message_section s;

    while (at < size && reason == VSP_DROP_NOT) {
        if (!read_section(l, bytes, size, &at, &s) ||
            (s.kind << 8 | s.arg) <= order)
            return VSP_DROP_LENGTH;
        order = s.kind << 8 | s.arg;
        reason = check_section(l, p, &s);
    }
    return reason;
}

static vsp_drop check_head(const vsp_lockstep *l, const vsp__peer_state *p,
                           const unsigned char *bytes)
{
    uint32_t step = vsp__get_word(bytes + VSP__AT_STEP);

    if (vsp__get_word(bytes + VSP__AT_BUILD) != l->build)
        return VSP_DROP_VERSION;
    if (vsp__get_word(bytes + VSP__AT_MATCH) != l->match)
        return VSP_DROP_SESSION;
    if (vsp__get_word(bytes + VSP__AT_SEQUENCE) == 0 || step > LAST_STATE ||
        vsp__get_word(bytes + VSP__AT_CONFIRMED) > step ||
        bytes[VSP__AT_PLAYER] != (p->stats.player & 0xffu) ||
        (bytes[VSP__AT_PHASE] & ~VSP__TAKES_RELAYS) > VSP_PHASE_OVER)
        return VSP_DROP_RANGE;
    return VSP_DROP_NOT;
}

/* Whether bytes are a message of this protocol at all. */
static vsp_status check_bytes(const unsigned char *bytes, size_t size)
{
    if (size < VSP__MESSAGE_HEAD || size > VSP_MAX_MESSAGE || size % 4u != 0)
        return VSP_ERR_TRUNCATED;
    if (vsp__get_word(bytes + VSP__AT_MAGIC) != VSP__LOCKSTEP_MAGIC)
        return VSP_ERR_DATA;
    return vsp__sum_message(bytes, (uint32_t)size) ==
                   vsp__get_word(bytes + VSP__AT_CHECKSUM)
               ? VSP_OK
               : VSP_ERR_CHECKSUM;
}


/* ---- Applying a message -------------------------------------------------- */

static void apply_acks(vsp__peer_state *p, const message_section *s)
{
    uint32_t i;

    p->has_acks = true;
    for (i = 0; i < s->count; i++)
        if (section_word(s, i) > p->known[i])
            p->known[i] = section_word(s, i);
}

/* Stores a hash of a peer until our own hash of the state is known. */
static void note_hash(vsp_lockstep *l, vsp__peer_state *p, uint32_t step,
                      uint32_t hash)
{
    uint32_t i = step / l->def.hash_interval % VSP__PEER_HASHES;
    vsp__peer_hash *h = &p->hashes[i];

    if (step < h->number)
        return;
    h->number = step + 1u;
    h->hash = hash;
    p->pending |= (uint32_t)1 << i;
}

static void apply_hashes(vsp_lockstep *l, vsp__peer_state *p,
                         const message_section *s)
{
    uint32_t step = section_word(s, 0), i;

    for (i = 0; i < s->count; i++, step += l->def.hash_interval)
        note_hash(l, p, step, section_word(s, 1u + i));
}

static void apply_search(vsp_lockstep *l, uint32_t peer,
                         const message_section *s)
{
    uint32_t i;

    for (i = 0; i < s->count; i++)
        vsp__search_hash(l, peer, section_word(s, 1) + i,
                         section_word(s, 2u + i));
    if (l->phase == VSP_PHASE_SEARCHING && l->suspect == peer)
        l->their_oldest = section_word(s, 0);
}

static void apply_want(vsp__peer_state *p, const message_section *s)
{
    p->has_want = true;
    p->want_for = (uint8_t)s->arg;
    p->want_step = section_word(s, 0);
    p->want_offset = section_word(s, 1);
}

void vsp__rejoin(vsp_lockstep *l)
{
    l->phase = VSP_PHASE_JOINING;
    l->is_returning = !vsp__is_watcher(l);
    vsp__zero_bytes(&l->incoming, sizeof l->incoming);
}

/* Passes inputs of a player to the rollback.  If peer 0 sends inputs that begin
 * after those we know, we fell too far behind; with is_late we then join
 * again. */
static void apply_inputs(vsp_lockstep *l, uint32_t peer,
                         const message_section *s)
{
    uint32_t step = section_word(s, 0), i;
    const unsigned char *at = s->at + 4;

    if (l->phase == VSP_PHASE_PLAYING && l->def.is_late && peer == 0 &&
        step > vsp__known_of(l, s->arg))
        vsp__rejoin(l);
    if (l->phase == VSP_PHASE_JOINING || step > vsp__known_of(l, s->arg))
        return;
    for (i = 0; i < s->count; i++, at += l->def.rollback.input_size)
        (void)vsp_rollback_input(l->rollback, s->arg, step + i, at);
}

/* Stores the next piece of the state that we requested.  Pieces out of order
 * are dropped; the peer sends them again. */
static void apply_state_piece(vsp_lockstep *l, uint32_t peer,
                              const message_section *s)
{
    vsp__state_bytes *in = &l->incoming;
    uint32_t step = section_word(s, 0), size = section_word(s, 1), i;
    bool is_join = l->phase == VSP_PHASE_JOINING && peer == 0;
    bool is_search = l->phase == VSP_PHASE_SEARCHING && peer == l->suspect &&
                     vsp__is_narrowed(l) && step == l->high;

    if ((!is_join && !is_search) || vsp__has_received_state(l))
        return;
    if (in->step != step || in->size != size) {
        in->step = step;
        in->size = size;
        in->have = 0;
    }
    if (section_word(s, 2) != in->have)
        return;
    for (i = 0; i < s->count; i++)
        *vsp__state_byte(l, vsp__incoming_bytes(l), in,
                         in->have++) = s->at[12u + i];
}

/* Acks and wants of a message count only when it is the newest. */
static void apply_sections(vsp_lockstep *l, uint32_t peer,
                           const unsigned char *bytes, uint32_t size,
                           bool is_newest)
{
    vsp__peer_state *p = &l->peers[peer];
    uint32_t at = VSP__MESSAGE_HEAD;
    message_section s;

    while (at < size) {
        (void)read_section(l, bytes, size, &at, &s);
        if (s.kind == VSP__SECTION_ACKS && is_newest)
            apply_acks(p, &s);
        else if (s.kind == VSP__SECTION_HASHES)
            apply_hashes(l, p, &s);
        else if (s.kind == VSP__SECTION_SEARCH)
            apply_search(l, peer, &s);
        else if (s.kind == VSP__SECTION_WANT && is_newest)
            apply_want(p, &s);
        else if (s.kind == VSP__SECTION_INPUTS)
            apply_inputs(l, peer, &s);
        else if (s.kind == VSP__SECTION_STATE)
            apply_state_piece(l, peer, &s);
        else if (s.kind == VSP__SECTION_BYE)
            vsp__drop_peer(p, VSP_DROP_LEFT);
    }
}

/* Returns how many steps we are ahead of a peer's step, clamped for the two
 * bytes in the head. */
static int32_t lead_over(const vsp_lockstep *l, uint32_t step)
{
    int32_t lead = (int32_t)(vsp__next_step(l) - step);

    return lead > 30000 ? 30000 : lead < -30000 ? -30000 : lead;
}

/* Stores the data of the newest message about its sender.  A peer that waits
 * for a state has lost the inputs that it knew. */
static void apply_head(vsp_lockstep *l, vsp__peer_state *p,
                       const unsigned char *bytes)
{
    uint32_t echo = vsp__get_word(bytes + VSP__AT_ECHO);
    int32_t lead = (int32_t)((bytes[VSP__AT_LEAD] |
                              (uint32_t)bytes[VSP__AT_LEAD + 1] << 8) ^
                             0x8000u) -
                   0x8000;
    uint32_t phase = bytes[VSP__AT_PHASE] & ~VSP__TAKES_RELAYS;

    p->is_playing = phase == VSP_PHASE_PLAYING;
    if (phase == VSP_PHASE_JOINING) {
        p->has_acks = false;
        vsp__zero_bytes(p->known, sizeof p->known);
    }
    p->takes_relays = (bytes[VSP__AT_PHASE] & VSP__TAKES_RELAYS) != 0;
    p->tick = vsp__get_word(bytes + VSP__AT_TICK);
    if (echo != 0 && echo <= l->tick_count)
        p->stats.round_trip = l->tick_count - echo;
    p->lead = lead_over(l, vsp__get_word(bytes + VSP__AT_STEP));
    p->lead_sum += p->lead - lead;
    p->lead_count++;
    p->has_want = false;
}


/* ---- The message --------------------------------------------------------- */

/* Refuses a message.  Three reasons drop the peer at once; the others may be
 * errors of the line, and drop it only when there are many. */
static vsp_status refuse_message(vsp__peer_state *p, vsp_drop reason,
                                 vsp_status status)
{
    bool is_grave = reason == VSP_DROP_INPUT || reason == VSP_DROP_CHANGED ||
                    reason == VSP_DROP_STATE;

    p->stats.refused++;
    p->blame += BLAME;
    if (is_grave || p->blame > MAX_BLAME)
        vsp__drop_peer(p, reason);
    return status;
}

/* Whether a message is newer than all that were received.  Numbers wrap; a peer
 * that connects again continues its own. */
static VSP__CALLED bool is_newest_sequence(const vsp__peer_state *p,
                                           uint32_t sequence)
{
    return p->window == 0 || (int32_t)(sequence - p->newest) > 0;
}

/* Whether no message with this number was received before.  A number 64 or more
 * below the newest counts as received. */
static bool is_new_sequence(const vsp__peer_state *p, uint32_t sequence)
{
    uint32_t back = p->newest - sequence;

    return is_newest_sequence(p, sequence) ||
           (back < 64u && !(p->window >> back & 1u));
}

static void remember_sequence(vsp__peer_state *p, uint32_t sequence)
{
    uint32_t ahead = sequence - p->newest;

    if (is_newest_sequence(p, sequence)) {
        p->window = ahead < 64u ? p->window << ahead : 0;
        p->newest = sequence;
    }
    p->window |= (uint64_t)1 << (p->newest - sequence);
}

vsp_status vsp__read_message(vsp_lockstep *l, uint32_t peer,
                             const unsigned char *bytes, size_t size)
{
    vsp__peer_state *p = &l->peers[peer];
    vsp_status status = check_bytes(bytes, size);
    uint32_t sequence;
    vsp_drop reason;
    bool is_newest;

    if (status < 0)
        return refuse_message(p, VSP_DROP_GARBAGE, status);
    sequence = vsp__get_word(bytes + VSP__AT_SEQUENCE);
    reason = check_head(l, p, bytes);
    if (reason != VSP_DROP_NOT)
        return refuse_message(p, reason,
                              reason == VSP_DROP_VERSION ? VSP_ERR_VERSION
                                                         : VSP_ERR_DATA);
    if (!is_new_sequence(p, sequence)) {
        p->stats.again++;
        p->old++;
        if (p->old > MAX_OLD)
            vsp__drop_peer(p, VSP_DROP_OLD);
        return VSP_OK;
    }
    reason = check_sections(l, p, bytes, (uint32_t)size);
    if (reason != VSP_DROP_NOT)
        return refuse_message(p, reason, VSP_ERR_DATA);
    p->stats.received++;
    p->heard = l->tick_count;
    vsp__lower_level(&p->blame, PRAISE);
    is_newest = is_newest_sequence(p, sequence);
    if (is_newest)
        apply_head(l, p, bytes);
    remember_sequence(p, sequence);
    apply_sections(l, peer, bytes, (uint32_t)size, is_newest);
    if (l->phase == VSP_PHASE_PLAYING)
        vsp__compare_hashes(l, peer);
    return VSP_OK;
}

#endif /* VSP_LOCKSTEP */
