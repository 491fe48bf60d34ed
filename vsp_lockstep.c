/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Lockstep: what peers tell each other, so that all make the same steps.
 * Optional: nothing else of the engine calls it.  In this order: the memory,
 * peers, states that are sent as bytes, hashes and the search for where they
 * part, writing a message, checking one, doing what it says, ticks, what a
 * program calls.
 *
 * A message is made anew each time, of all that its reader has not yet said
 * to have: what is lost is so sent again, and no timers are needed.  A message
 * that came is first checked from end to end; only then anything is changed.
 * The bytes: SPEC.md, "Lockstep messages". */

#include "vsp_internal.h"

#define LOCKSTEP_MAGIC 0x4c505356u /* "VSPL" */
#define LAST_STEP 0x7fffffffu
#define ANY_STATE 0xffffffffu /* as a wanted step: the newest */

/* a message's words */
#define AT_MAGIC 0u
#define AT_BUILD 4u
#define AT_MATCH 8u
#define AT_SEQUENCE 12u
#define AT_TICK 16u
#define AT_ECHO 20u
#define AT_STEP 24u
#define AT_CONFIRMED 28u
#define AT_PLAYER 32u /* a byte */
#define AT_PHASE 33u  /* a byte, with TAKES_RELAYS */
#define AT_LEAD 34u   /* two bytes */
#define AT_CHECKSUM 36u
#define MESSAGE_HEAD 40u
#define TAKES_RELAYS 0x80u

/* sections of a message, in this order */
enum {
    SECTION_ACKS = 1,
    SECTION_HASHES,
    SECTION_SEARCH,
    SECTION_WANT,
    SECTION_INPUTS,
    SECTION_STATE,
    SECTION_BYE
};
#define SECTION_HEAD 4u
#define FOR_JOIN 0u
#define FOR_SEARCH 1u

#define SENT_HASHES 4u  /* in a message */
#define OWN_HASHES 32u  /* that are remembered: of the last states */
#define PEER_HASHES 16u /* that wait until our own is known */

#define MOST_BLAME 128u /* at which a peer is dropped: */
#define BLAME 16u       /* for a message that was refused */
#define PRAISE 4u       /* for one that was not */
#define MOST_FLOOD 600u /* messages at once, ten seconds late */
#define FLOOD_A_TICK 4u /* and on average */
#define MOST_OLD 300u
#define OLD_A_TICK 2u
#define FAREWELLS 8u      /* messages to one that was dropped */
#define SEARCH_TICKS 2000u /* until it is given up */
#define SYNC_TICKS 32u    /* over which clocks are compared */
#define MOST_SKIPS 8u
#define MOST_STEPS 4u /* a tick, of one that is behind */


/* ---- Memory ----------------------------------------------------------------
 * The head; the state that is sent; the state that is received; the rollback.
 */

typedef struct peer_hash {
    uint32_t number; /* 1 + its state's; 0: none */
    uint32_t hash;
} peer_hash;

typedef struct lockstep_peer {
    vsp_peer_stats stats;
    bool is_open;      /* connected, and not dropped since */
    bool is_relay;     /* may send inputs of others */
    bool takes_relays; /* and wants to have them */
    bool has_acks;
    bool is_playing;
    bool has_want;
    bool is_served;    /* is being sent the state */
    uint8_t want_for;  /* FOR_JOIN, FOR_SEARCH */
    uint8_t farewells; /* still to be sent */
    uint32_t blame, flood, old;
    uint32_t sequence; /* of the last message sent */
    uint32_t newest;   /* the highest that came */
    uint64_t window;   /* bit i: newest - i came */
    uint32_t tick;     /* its own, in the newest message */
    uint32_t heard;    /* our tick when the last one came */
    int32_t lead;      /* steps that we were ahead of its newest message */
    int32_t lead_sum;  /* of that less what it says of us: twice as far as we
                          are ahead, lead_count times */
    uint32_t lead_count;
    uint32_t known[VSP_MAX_PLAYERS]; /* its first steps not told */
    uint32_t agreed;  /* 1 + the newest state with an equal hash; 0: none */
    uint32_t pending; /* bit i: hash i waits for ours */
    peer_hash hashes[PEER_HASHES];
    uint32_t want_step, want_offset;
    uint32_t sent_offset; /* bytes of the state sent, from want_offset on */
    uint32_t search_at;   /* state whose hash is sent next */
} lockstep_peer;

/* A state as bytes: a snapshot, then the program's words. */
typedef struct state_bytes {
    uint32_t step;
    uint32_t size; /* 0: none */
    uint32_t have;
} state_bytes;

struct vsp_lockstep {
    uint32_t magic;
    vsp_lockstep_def def;
    vsp_rollback *rollback;
    uint32_t build, match; /* digests that messages bear */
    vsp_phase phase;
    vsp_status status; /* why it is over */
    uint32_t tick_count, hash_count, wait_count, longest_wait;
    uint32_t waiting; /* ticks since the last step */
    uint32_t skips;   /* ticks to be skipped: others are behind */
    bool is_returning; /* a player who does not yet know its own inputs */
    uint32_t first;   /* step of the state from which it began */
    uint32_t first_hash, next_hash; /* states whose own hashes are kept */
    uint32_t hashes[OWN_HASHES];
    state_bytes outgoing, incoming;
    /* of the search: the first state that differs is one from low to high,
     * and high differs */
    uint32_t suspect, low, high, their_oldest, search_ticks;
    vsp_desync desync;
    lockstep_peer peers[VSP_MAX_PEERS];
};

VSP_STATIC_ASSERT(lockstep_head_fits,
                  sizeof(vsp_lockstep) <= VSP__LOCKSTEP_HEAD_BYTES);

static uint64_t state_room(const vsp_rollback_def *def)
{
    return VSP__ROUND_UP((uint64_t)def->snapshot_size) +
           VSP__ROUND_UP(4u * (uint64_t)def->game_words);
}

static uint64_t before_rollback(const vsp_rollback_def *def)
{
    return VSP__LOCKSTEP_HEAD_BYTES + 2u * state_room(def);
}

static unsigned char *outgoing_bytes(vsp_lockstep *l)
{
    return (unsigned char *)l + VSP__LOCKSTEP_HEAD_BYTES;
}

static unsigned char *incoming_bytes(vsp_lockstep *l)
{
    return outgoing_bytes(l) + (size_t)state_room(&l->def.rollback);
}

static bool is_lockstep(const vsp_lockstep *l)
{
    return l != NULL && l->magic == LOCKSTEP_MAGIC;
}

static bool is_watcher(const vsp_lockstep *l)
{
    return l->def.player == VSP_WATCHER;
}

static uint32_t known_of(const vsp_lockstep *l, uint32_t player)
{
    return vsp_rollback_known(l->rollback, player);
}

static uint32_t next_step(const vsp_lockstep *l)
{
    return vsp_rollback_get_stats(l->rollback).step;
}

static uint32_t confirmed_step(const vsp_lockstep *l)
{
    return vsp_rollback_get_stats(l->rollback).confirmed;
}

static uint32_t digest_words(const uint32_t *words, uint32_t count)
{
    uint32_t digest = 0, i;

    for (i = 0; i < count; i++)
        digest = vsp__mix(digest, words[i]);
    return vsp__avalanche(digest);
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}


/* ---- Peers --------------------------------------------------------------- */

static void drop_peer(lockstep_peer *p, vsp_drop reason)
{
    p->stats.drop = reason;
    p->is_open = false;
    p->farewells = FAREWELLS;
}

/* Refuses a message: a few may be nobody's fault. */
static vsp_status refuse(lockstep_peer *p, vsp_drop reason, vsp_status status)
{
    bool is_grave = reason == VSP_DROP_INPUT || reason == VSP_DROP_CHANGED ||
                    reason == VSP_DROP_STATE;

    p->stats.refused++;
    p->blame += BLAME;
    if (is_grave || p->blame > MOST_BLAME)
        drop_peer(p, reason);
    return status;
}

static void leak(uint32_t *level, uint32_t amount)
{
    *level -= lesser(*level, amount);
}

/* Whether a message with this number has not come before. */
static bool is_news(const lockstep_peer *p, uint32_t sequence)
{
    uint32_t back = p->newest - sequence;

    return sequence > p->newest || (back < 64u && !(p->window >> back & 1u));
}

static void remember_sequence(lockstep_peer *p, uint32_t sequence)
{
    uint32_t ahead = sequence - p->newest;

    if (sequence > p->newest) {
        p->window = ahead < 64u ? p->window << ahead : 0;
        p->newest = sequence;
    }
    p->window |= (uint64_t)1 << (p->newest - sequence);
}

/* Once a tick. */
static void watch_peers(vsp_lockstep *l)
{
    uint32_t i;

    for (i = 0; i < l->def.peers; i++) {
        lockstep_peer *p = &l->peers[i];

        leak(&p->flood, FLOOD_A_TICK);
        leak(&p->old, OLD_A_TICK);
        if (p->is_open && l->def.patience > 0 &&
            l->tick_count - p->heard > l->def.patience)
            drop_peer(p, VSP_DROP_SILENCE);
    }
}


/* ---- States as bytes ----------------------------------------------------- */

static uint32_t game_bytes(const vsp_lockstep *l)
{
    return 4u * l->def.rollback.game_words;
}

/* The place of a byte of a state: the program's words stand where they are
 * aligned, behind the room for a snapshot. */
static unsigned char *state_byte(const vsp_lockstep *l, unsigned char *bytes,
                                 const state_bytes *s, uint32_t at)
{
    uint32_t snapshot = s->size - game_bytes(l);

    if (at < snapshot)
        return bytes + at;
    return bytes + (size_t)VSP__ROUND_UP(l->def.rollback.snapshot_size) +
           (at - snapshot);
}

/* Copies a state that is kept, to be sent. */
static bool take_state(vsp_lockstep *l, uint32_t step)
{
    unsigned char *bytes = outgoing_bytes(l);
    state_bytes *s = &l->outgoing;
    vsp_kept kept;
    uint32_t i;

    if (step > confirmed_step(l) ||
        vsp_rollback_state(l->rollback, step, &kept) != VSP_OK)
        return false;
    s->step = step;
    s->size = (uint32_t)kept.size + game_bytes(l);
    vsp__copy(bytes, kept.bytes, kept.size);
    bytes = state_byte(l, bytes, s, (uint32_t)kept.size);
    for (i = 0; i < l->def.rollback.game_words; i++)
        vsp__set_word(bytes + 4u * (size_t)i, kept.game[i]);
    return true;
}

/* Whether the inputs since the state that is sent will last as long as it
 * takes to send it. */
static bool can_follow(const vsp_lockstep *l)
{
    return l->outgoing.size > 0 &&
           next_step(l) - l->outgoing.step < l->def.rollback.history / 2u;
}

/* Whether some peer is being sent that state: it must not change then, as the
 * pieces would not fit together. */
static bool is_being_sent(const vsp_lockstep *l)
{
    uint32_t i;

    for (i = 0; i < l->def.peers; i++) {
        const lockstep_peer *p = &l->peers[i];

        if (p->is_open && p->has_want && p->is_served)
            return true;
    }
    return false;
}

static bool has_parted(const vsp_lockstep *l)
{
    return l->phase == VSP_PHASE_SEARCHING ||
           l->phase == VSP_PHASE_DIVERGED;
}

/* Has the state ready that a peer wants; *offset is where it goes on.  A
 * search that we know nothing of must not disturb one that joins. */
static bool ready_state(vsp_lockstep *l, lockstep_peer *p, uint32_t *offset)
{
    bool is_join = p->want_for == FOR_JOIN;
    bool is_good = is_join ? can_follow(l) && is_being_sent(l)
                           : l->outgoing.size > 0 &&
                                 l->outgoing.step == p->want_step;

    if (!is_join && !has_parted(l))
        return false;
    if (!is_good &&
        !take_state(l, is_join ? confirmed_step(l) : p->want_step))
        return false;
    p->is_served = true;
    *offset = p->want_step == l->outgoing.step &&
              p->want_offset < l->outgoing.size ? p->want_offset : 0;
    return true;
}

/* What came, as a state: once, when all of it is there. */
static vsp_kept came_state(vsp_lockstep *l)
{
    const state_bytes *s = &l->incoming;
    unsigned char *bytes = incoming_bytes(l);
    uint32_t snapshot = s->size - game_bytes(l), i;
    uint32_t *game = (uint32_t *)(void *)state_byte(l, bytes, s, snapshot);
    vsp_kept kept;

    for (i = 0; i < l->def.rollback.game_words; i++)
        game[i] = vsp__get_word((const unsigned char *)&game[i]);
    kept.step = s->step;
    kept.bytes = bytes;
    kept.size = snapshot;
    kept.game = game;
    kept.hash = vsp__kept_hash(bytes, game, l->def.rollback.game_words);
    return kept;
}

static bool has_come(const vsp_lockstep *l)
{
    return l->incoming.size > 0 && l->incoming.have == l->incoming.size;
}


/* ---- Hashes, and where they part ------------------------------------------
 * Of two confirmed states with different hashes.  From then on both sides send
 * the hashes of all states between the last that was equal and the one that
 * was not, until the first that differs is known; then they fetch it. */

static uint32_t *own_hash(vsp_lockstep *l, uint32_t step)
{
    return &l->hashes[step / l->def.hash_interval % OWN_HASHES];
}

static bool has_own_hash(const vsp_lockstep *l, uint32_t step)
{
    return step >= l->first_hash && step < l->next_hash &&
           l->next_hash - step <= OWN_HASHES * l->def.hash_interval;
}

/* Keeps the hashes of states that have become certain. */
static void keep_hashes(vsp_lockstep *l)
{
    uint32_t confirmed = confirmed_step(l);
    vsp_kept kept;

    for (; l->next_hash <= confirmed; l->next_hash += l->def.hash_interval)
        if (vsp_rollback_state(l->rollback, l->next_hash, &kept) == VSP_OK)
            *own_hash(l, l->next_hash) = kept.hash;
}

static void begin_hashes(vsp_lockstep *l, uint32_t step)
{
    uint32_t interval = l->def.hash_interval;

    l->first = step;
    l->first_hash = l->next_hash = (step + interval - 1u) / interval *
                                   interval;
    keep_hashes(l);
}

static uint32_t oldest_kept(const vsp_lockstep *l)
{
    uint32_t step = next_step(l), back = l->def.rollback.kept - 1u;

    return step - l->first > back ? step - back : l->first;
}

static void begin_searching(vsp_lockstep *l, uint32_t peer, uint32_t step)
{
    uint32_t agreed = l->peers[peer].agreed;

    l->phase = VSP_PHASE_SEARCHING;
    l->suspect = peer;
    l->high = step;
    l->low = agreed <= step ? agreed : 0;
    l->their_oldest = l->search_ticks = 0;
    vsp__clear(&l->incoming, sizeof l->incoming);
}

/* Whether nothing lower can be found out. */
static bool is_narrowed(const vsp_lockstep *l)
{
    return l->high == l->low || l->high <= l->their_oldest ||
           l->high <= oldest_kept(l);
}

/* Compares those hashes of a peer to which ours have come. */
static void compare_hashes(vsp_lockstep *l, uint32_t peer)
{
    lockstep_peer *p = &l->peers[peer];
    uint32_t i;

    for (i = 0; i < PEER_HASHES; i++) {
        uint32_t number = p->hashes[i].number;

        if (!(p->pending >> i & 1u) || number > l->next_hash)
            continue;
        p->pending &= ~((uint32_t)1 << i);
        if (!has_own_hash(l, number - 1u))
            continue;
        if (*own_hash(l, number - 1u) == p->hashes[i].hash) {
            l->hash_count++;
            if (number > p->agreed)
                p->agreed = number;
        } else if (l->phase == VSP_PHASE_PLAYING) {
            begin_searching(l, peer, number - 1u);
        }
    }
}

static void compare_all(vsp_lockstep *l)
{
    uint32_t i;

    for (i = 0; i < l->def.peers; i++)
        if (l->peers[i].is_open)
            compare_hashes(l, i);
}

static void note_hash(vsp_lockstep *l, lockstep_peer *p, uint32_t step,
                      uint32_t hash)
{
    uint32_t i = step / l->def.hash_interval % PEER_HASHES;
    peer_hash *h = &p->hashes[i];

    if (step < h->number)
        return;
    h->number = step + 1u;
    h->hash = hash;
    p->pending |= (uint32_t)1 << i;
}

/* Narrows the search by the hash of one state, or begins it. */
static void search_hash(vsp_lockstep *l, uint32_t peer, uint32_t step,
                        uint32_t hash)
{
    vsp_kept kept;
    bool is_equal;

    if (step > confirmed_step(l) ||
        vsp_rollback_state(l->rollback, step, &kept) != VSP_OK)
        return;
    is_equal = kept.hash == hash;
    if (l->phase == VSP_PHASE_PLAYING && !is_equal)
        begin_searching(l, peer, step);
    if (l->phase != VSP_PHASE_SEARCHING || l->suspect != peer)
        return;
    if (is_equal && step < l->high && step >= l->low)
        l->low = step + 1u;
    else if (!is_equal && step < l->high && step >= l->low)
        l->high = step;
}

/* Names what differs between our state and theirs.  Worlds are lent for it:
 * ours is put back. */
static void compare_worlds(vsp_lockstep *l, const vsp_kept *ours,
                           const vsp_kept *theirs)
{
    vsp_world *world = l->def.rollback.world;
    vsp_desync *d = &l->desync;
    vsp_kept now;

    if (vsp_world_restore(l->def.spare, theirs->bytes, theirs->size) < 0) {
        drop_peer(&l->peers[l->suspect], VSP_DROP_STATE);
        return;
    }
    if (vsp_world_restore(world, ours->bytes, ours->size) == VSP_OK)
        (void)vsp_world_diff(world, l->def.spare, &d->first, 1, &d->count);
    if (vsp_rollback_state(l->rollback, next_step(l), &now) == VSP_OK)
        (void)vsp_world_restore(world, now.bytes, now.size);
}

static void report_desync(vsp_lockstep *l)
{
    vsp_desync *d = &l->desync;
    vsp_kept ours, theirs;

    l->phase = VSP_PHASE_DIVERGED;
    d->peer = l->suspect;
    d->step = l->high - 1u;
    d->game_word = l->def.rollback.game_words;
    if (vsp_rollback_state(l->rollback, l->high, &ours) != VSP_OK)
        return;
    d->ours = ours.hash;
    if (!has_come(l))
        return;
    theirs = came_state(l);
    d->theirs = theirs.hash;
    for (d->game_word = 0; d->game_word < l->def.rollback.game_words;
         d->game_word++)
        if (ours.game[d->game_word] != theirs.game[d->game_word])
            break;
    if (l->def.spare != NULL)
        compare_worlds(l, &ours, &theirs);
}

/* Once a tick.  There is no answer from one who went away, or when that state
 * is not kept any more. */
static void keep_searching(vsp_lockstep *l)
{
    bool is_given_up = ++l->search_ticks > SEARCH_TICKS ||
                       !l->peers[l->suspect].is_open ||
                       l->high < l->their_oldest || l->high < oldest_kept(l);

    if (is_given_up || (is_narrowed(l) && has_come(l)))
        report_desync(l);
}


/* ---- Writing a message --------------------------------------------------- */

typedef struct letter {
    unsigned char *bytes;
    uint32_t size, room;
} letter;

/* what goes before inputs and states */
VSP_STATIC_ASSERT(message_has_room,
                  MESSAGE_HEAD + 4u * SECTION_HEAD + 4u * VSP_MAX_PLAYERS +
                          4u + 4u * SENT_HASHES + 8u + 64u <=
                      VSP_MIN_MESSAGE);

/* The body of a new section, for which there is room. */
static unsigned char *add_section(letter *m, uint32_t kind, uint32_t arg,
                                  uint32_t count, uint32_t body)
{
    unsigned char *at = m->bytes + m->size;

    vsp__set_word(at, kind | arg << 8 | count << 16);
    m->size += SECTION_HEAD + body;
    return at + SECTION_HEAD;
}

/* bytes that are left for the body of one more section */
static uint32_t room_for_body(const letter *m)
{
    uint32_t left = m->room - m->size;

    return left > SECTION_HEAD ? left - SECTION_HEAD : 0;
}

static void tell_acks(const vsp_lockstep *l, letter *m)
{
    uint32_t players = l->def.rollback.players, p;
    unsigned char *at = add_section(m, SECTION_ACKS, 0, players,
                                    4u * players);

    for (p = 0; p < players; p++, at += 4)
        vsp__set_word(at, known_of(l, p));
}

/* The newest of those that are exchanged anyway. */
static void tell_hashes(vsp_lockstep *l, letter *m)
{
    uint32_t interval = l->def.hash_interval, step;
    uint32_t count = (l->next_hash - l->first_hash) / interval;
    unsigned char *at;

    count = lesser(count, SENT_HASHES);
    if (count == 0)
        return;
    step = l->next_hash - count * interval;
    at = add_section(m, SECTION_HASHES, 0, count, 4u + 4u * count);
    vsp__set_word(at, step);
    for (; step < l->next_hash; step += interval)
        vsp__set_word(at += 4, *own_hash(l, step));
}

/* Those of the search, as many as half of the room takes, in turn. */
static void tell_search(vsp_lockstep *l, lockstep_peer *p, letter *m)
{
    uint32_t oldest = oldest_kept(l), low, count;
    unsigned char *at;
    vsp_kept kept;

    low = l->low > oldest + 1u ? l->low - 1u : oldest;
    if (p->search_at < low || p->search_at > l->high)
        p->search_at = low;
    count = low > l->high ? 0
                          : lesser(l->high - p->search_at + 1u,
                                   room_for_body(m) / 8u - 2u);
    at = add_section(m, SECTION_SEARCH, 0, count, 8u + 4u * count);
    vsp__set_word(at, oldest);
    vsp__set_word(at += 4, p->search_at);
    for (; count > 0; count--, p->search_at++) {
        (void)vsp_rollback_state(l->rollback, p->search_at, &kept);
        vsp__set_word(at += 4, kept.hash);
    }
}

/* What state is wanted of a peer, and from which byte on. */
static void tell_want(const vsp_lockstep *l, uint32_t peer, letter *m)
{
    bool is_join = l->phase == VSP_PHASE_JOINING && peer == 0;
    bool is_search = l->phase == VSP_PHASE_SEARCHING && peer == l->suspect &&
                     is_narrowed(l);
    uint32_t step = l->incoming.size > 0 ? l->incoming.step : ANY_STATE;
    unsigned char *at;

    if ((!is_join && !is_search) || has_come(l))
        return;
    at = add_section(m, SECTION_WANT, is_join ? FOR_JOIN : FOR_SEARCH, 0, 8);
    vsp__set_word(at, is_join ? step : l->high);
    vsp__set_word(at + 4, l->incoming.have);
}

/* A player's inputs from the first that the peer does not know. */
static void tell_run(const vsp_lockstep *l, const lockstep_peer *p,
                     uint32_t player, uint32_t space, letter *m)
{
    uint32_t size = l->def.rollback.input_size, known = known_of(l, player);
    uint32_t step = p->known[player], count, i;
    unsigned char input[VSP_MAX_INPUT], *at;

    if (step >= known || space < SECTION_HEAD + 4u + VSP_MAX_INPUT)
        return;
    /* it is too late for a watcher that fell behind: this will tell it so.
     * Behind a state that came there may be none at all */
    if (vsp_rollback_told(l->rollback, player, step, input) != VSP_OK)
        step = known - 1u;
    if (vsp_rollback_told(l->rollback, player, step, input) != VSP_OK)
        step = known;
    count = (space - SECTION_HEAD - 4u) / 4u * 4u / size;
    count = lesser(count, known - step);
    at = add_section(m, SECTION_INPUTS, player, count,
                     4u + (count * size + 3u) / 4u * 4u);
    vsp__set_word(at, step);
    at += 4;
    for (i = 0; i < count; i++, at += size) {
        (void)vsp_rollback_told(l->rollback, player, step + i, input);
        vsp__copy(at, input, size);
    }
    for (i = count * size; i % 4u != 0; i++)
        *at++ = 0;
}

/* All players' share the room, of which a state that is wanted has half. */
static void tell_inputs(const vsp_lockstep *l, const lockstep_peer *p,
                        letter *m)
{
    uint32_t player, left = l->def.rollback.players;
    uint32_t kept = p->has_want ? (m->room - m->size) / 2u : 0;

    for (player = 0; p->has_acks && left > 0; player++, left--) {
        uint32_t room = m->room - m->size - kept;

        if (p->takes_relays)
            tell_run(l, p, player, room / left, m);
        else if (player == l->def.player)
            tell_run(l, p, player, room, m);
    }
}

/* The next piece of the state that is wanted.  Pieces go on from what was
 * sent last; back to what is wanted when the answer to that should be here. */
static void tell_state(vsp_lockstep *l, lockstep_peer *p, letter *m)
{
    uint32_t room = room_for_body(m) / 4u * 4u, offset, count, window, i;
    unsigned char *at;

    p->is_served = p->is_served && p->has_want;
    if (!p->has_want || room < 32u || !ready_state(l, p, &offset))
        return;
    room -= 12u;
    window = room * (lesser(p->stats.round_trip, 1000) + 4u);
    if (p->sent_offset <= offset || p->sent_offset >= l->outgoing.size ||
        p->sent_offset - offset >= window)
        p->sent_offset = offset;
    count = lesser(room, l->outgoing.size - p->sent_offset);
    at = add_section(m, SECTION_STATE, p->want_for, count,
                     12u + (count + 3u) / 4u * 4u);
    vsp__set_word(at, l->outgoing.step);
    vsp__set_word(at + 4, l->outgoing.size);
    vsp__set_word(at + 8, p->sent_offset);
    at += 12;
    for (i = 0; i < count; i++, p->sent_offset++)
        *at++ = *state_byte(l, outgoing_bytes(l), &l->outgoing,
                            p->sent_offset);
    for (; i % 4u != 0; i++)
        *at++ = 0;
}

/* How many steps we are ahead of what a peer said, within what a message can
 * say. */
static int32_t lead_over(const vsp_lockstep *l, uint32_t step)
{
    int32_t lead = (int32_t)(next_step(l) - step);

    return lead > 30000 ? 30000 : lead < -30000 ? -30000 : lead;
}

/* Sums all words but the one for it. */
static uint32_t sum_message(const unsigned char *bytes, uint32_t size)
{
    uint32_t sum = 0, at;

    for (at = 0; at < size; at += 4)
        if (at != AT_CHECKSUM)
            sum = vsp__mix(sum, vsp__get_word(bytes + at));
    return vsp__avalanche(sum);
}

static void tell_head(const vsp_lockstep *l, lockstep_peer *p, letter *m)
{
    vsp_rollback_stats stats = vsp_rollback_get_stats(l->rollback);
    unsigned char *bytes = m->bytes;

    vsp__set_word(bytes + AT_MAGIC, LOCKSTEP_MAGIC);
    vsp__set_word(bytes + AT_BUILD, l->build);
    vsp__set_word(bytes + AT_MATCH, l->match);
    vsp__set_word(bytes + AT_SEQUENCE, ++p->sequence);
    vsp__set_word(bytes + AT_TICK, l->tick_count);
    vsp__set_word(bytes + AT_ECHO, p->tick);
    vsp__set_word(bytes + AT_STEP, stats.step);
    vsp__set_word(bytes + AT_CONFIRMED, stats.confirmed);
    vsp__set_word(bytes + AT_PLAYER,
                  (l->def.player & 0xffu) | (uint32_t)l->phase << 8 |
                      (p->is_relay ? TAKES_RELAYS << 8 : 0) |
                      ((uint32_t)p->lead & 0xffffu) << 16);
    vsp__set_word(bytes + AT_CHECKSUM, sum_message(bytes, m->size));
}

static void tell_sections(vsp_lockstep *l, uint32_t peer, letter *m)
{
    lockstep_peer *p = &l->peers[peer];

    if (l->phase != VSP_PHASE_JOINING)
        tell_acks(l, m);
    if (l->phase == VSP_PHASE_PLAYING)
        tell_hashes(l, m);
    if (has_parted(l))
        tell_search(l, p, m);
    tell_want(l, peer, m);
    tell_inputs(l, p, m);
    tell_state(l, p, m);
}


/* ---- Checking a message ---------------------------------------------------
 * Nothing is changed. */

typedef struct section {
    uint32_t kind, arg, count, body;
    const unsigned char *at;
} section;

#define NO_LENGTH 0xffffffffu

/* Bytes of a section's body. */
static uint32_t body_bytes(const vsp_lockstep *l, const section *s)
{
    switch (s->kind) {
    case SECTION_ACKS:
        return s->count == l->def.rollback.players ? 4u * s->count
                                                   : NO_LENGTH;
    case SECTION_HASHES:
        return 4u + 4u * s->count;
    case SECTION_SEARCH:
        return 8u + 4u * s->count;
    case SECTION_WANT:
        return 8u;
    case SECTION_INPUTS:
        return 4u + (s->count * l->def.rollback.input_size + 3u) / 4u * 4u;
    case SECTION_STATE:
        return 12u + (s->count + 3u) / 4u * 4u;
    case SECTION_BYE:
        return 0;
    default:
        return NO_LENGTH;
    }
}

/* Reads the head of a section and goes behind it; false when it is none. */
static bool read_section(const vsp_lockstep *l, const unsigned char *bytes,
                         uint32_t size, uint32_t *at, section *s)
{
    uint32_t head = vsp__get_word(bytes + *at);

    s->kind = head & 0xffu;
    s->arg = head >> 8 & 0xffu;
    s->count = head >> 16;
    s->body = body_bytes(l, s);
    s->at = bytes + *at + SECTION_HEAD;
    if (s->body > size - *at - SECTION_HEAD)
        return false;
    *at += SECTION_HEAD + s->body;
    return true;
}

static uint32_t section_word(const section *s, uint32_t index)
{
    return vsp__get_word(s->at + 4u * (size_t)index);
}

/* Nobody knows more of our inputs than we do; but one that comes back may
 * have forgotten them. */
static bool are_acks(const vsp_lockstep *l, const section *s)
{
    uint32_t p;

    for (p = 0; p < s->count; p++)
        if (section_word(s, p) > LAST_STEP + 1u ||
            (p == l->def.player && !l->def.is_late &&
             section_word(s, p) > known_of(l, p)))
            return false;
    return true;
}

static bool is_run_of_steps(uint32_t first, uint32_t count, uint32_t interval)
{
    return first % interval == 0 && first <= LAST_STEP &&
           count <= (LAST_STEP - first) / interval;
}

/* What is wrong with the input of one step. */
static vsp_drop check_input(const vsp_lockstep *l, uint32_t player,
                            uint32_t step, const unsigned char *input)
{
    unsigned char told[VSP_MAX_INPUT];

    if (step >= known_of(l, player))
        return vsp__is_input(&l->def.rollback, player, input)
                   ? VSP_DROP_NOT
                   : VSP_DROP_INPUT;
    if (vsp_rollback_told(l->rollback, player, step, told) != VSP_OK ||
        vsp__is_same_input(told, input, l->def.rollback.input_size))
        return VSP_DROP_NOT;
    return VSP_DROP_CHANGED;
}

static vsp_drop check_inputs(const vsp_lockstep *l, const lockstep_peer *p,
                             const section *s)
{
    uint32_t player = s->arg, first = section_word(s, 0), i;
    vsp_drop reason = VSP_DROP_NOT;

    if (player >= l->def.rollback.players ||
        !is_run_of_steps(first, s->count, 1))
        return VSP_DROP_RANGE;
    if (player != p->stats.player && !p->is_relay)
        return VSP_DROP_INPUT;
    if (l->phase == VSP_PHASE_JOINING)
        return VSP_DROP_NOT;
    if (player == l->def.player && !l->is_returning &&
        first + s->count > known_of(l, player))
        return VSP_DROP_INPUT;
    for (i = 0; i < s->count && reason == VSP_DROP_NOT; i++)
        reason = check_input(l, player, first + i,
                             s->at + 4u +
                                 (size_t)(i * l->def.rollback.input_size));
    return reason;
}

static vsp_drop check_state(const vsp_lockstep *l, const section *s)
{
    uint32_t size = section_word(s, 1), offset = section_word(s, 2);

    if (section_word(s, 0) > LAST_STEP || offset > size ||
        s->count > size - offset)
        return VSP_DROP_RANGE;
    return size <= game_bytes(l) ||
                   size - game_bytes(l) > l->def.rollback.snapshot_size
               ? VSP_DROP_STATE
               : VSP_DROP_NOT;
}

static vsp_drop check_section(const vsp_lockstep *l, const lockstep_peer *p,
                              const section *s)
{
    bool is_good = true;

    switch (s->kind) {
    case SECTION_ACKS:
        is_good = are_acks(l, s);
        break;
    case SECTION_HASHES:
        is_good = is_run_of_steps(section_word(s, 0), s->count,
                                  l->def.hash_interval);
        break;
    case SECTION_SEARCH:
        is_good = section_word(s, 0) <= LAST_STEP &&
                  is_run_of_steps(section_word(s, 1), s->count, 1);
        break;
    case SECTION_WANT:
        is_good = section_word(s, 0) <= LAST_STEP ||
                  (s->arg == FOR_JOIN && section_word(s, 0) == ANY_STATE);
        break;
    case SECTION_INPUTS:
        return check_inputs(l, p, s);
    case SECTION_STATE:
        return check_state(l, s);
    default:
        break;
    }
    return is_good ? VSP_DROP_NOT : VSP_DROP_RANGE;
}

/* Sections stand in order, each at most once. */
static vsp_drop check_sections(const vsp_lockstep *l, const lockstep_peer *p,
                               const unsigned char *bytes, uint32_t size)
{
    uint32_t at = MESSAGE_HEAD, order = 0;
    vsp_drop reason = VSP_DROP_NOT;
    section s;

    while (at < size && reason == VSP_DROP_NOT) {
        if (!read_section(l, bytes, size, &at, &s) ||
            (s.kind << 8 | s.arg) <= order)
            return VSP_DROP_LENGTH;
        order = s.kind << 8 | s.arg;
        reason = check_section(l, p, &s);
    }
    return reason;
}

static vsp_drop check_head(const vsp_lockstep *l, const lockstep_peer *p,
                           const unsigned char *bytes)
{
    uint32_t step = vsp__get_word(bytes + AT_STEP);

    if (vsp__get_word(bytes + AT_BUILD) != l->build)
        return VSP_DROP_VERSION;
    if (vsp__get_word(bytes + AT_MATCH) != l->match)
        return VSP_DROP_SESSION;
    if (vsp__get_word(bytes + AT_SEQUENCE) == 0 ||
        step > LAST_STEP + 1u ||
        vsp__get_word(bytes + AT_CONFIRMED) > step ||
        bytes[AT_PLAYER] != (p->stats.player & 0xffu) ||
        (bytes[AT_PHASE] & ~TAKES_RELAYS) > VSP_PHASE_OVER)
        return VSP_DROP_RANGE;
    return VSP_DROP_NOT;
}


/* ---- Doing what it says -------------------------------------------------- */

static void hear_acks(lockstep_peer *p, const section *s)
{
    uint32_t i;

    p->has_acks = true;
    for (i = 0; i < s->count; i++)
        if (section_word(s, i) > p->known[i])
            p->known[i] = section_word(s, i);
}

static void hear_hashes(vsp_lockstep *l, lockstep_peer *p, const section *s)
{
    uint32_t step = section_word(s, 0), i;

    for (i = 0; i < s->count; i++, step += l->def.hash_interval)
        note_hash(l, p, step, section_word(s, 1u + i));
}

static void hear_search(vsp_lockstep *l, uint32_t peer, const section *s)
{
    uint32_t i;

    for (i = 0; i < s->count; i++)
        search_hash(l, peer, section_word(s, 1) + i, section_word(s, 2u + i));
    if (l->phase == VSP_PHASE_SEARCHING && l->suspect == peer)
        l->their_oldest = section_word(s, 0);
}

static void hear_want(lockstep_peer *p, const section *s)
{
    p->has_want = true;
    p->want_for = (uint8_t)s->arg;
    p->want_step = section_word(s, 0);
    p->want_offset = section_word(s, 1);
}

/* Asks for a state, as one does that comes late. */
static void join_anew(vsp_lockstep *l)
{
    l->phase = VSP_PHASE_JOINING;
    l->is_returning = !is_watcher(l);
    vsp__clear(&l->incoming, sizeof l->incoming);
}

static void hear_inputs(vsp_lockstep *l, uint32_t peer, const section *s)
{
    uint32_t step = section_word(s, 0), i;
    const unsigned char *at = s->at + 4;

    if (l->phase == VSP_PHASE_PLAYING && l->def.is_late && peer == 0 &&
        step > known_of(l, s->arg))
        join_anew(l);
    if (l->phase == VSP_PHASE_JOINING || step > known_of(l, s->arg))
        return;
    for (i = 0; i < s->count; i++, at += l->def.rollback.input_size)
        (void)vsp_rollback_input(l->rollback, s->arg, step + i, at);
}

static void hear_state(vsp_lockstep *l, uint32_t peer, const section *s)
{
    state_bytes *in = &l->incoming;
    uint32_t step = section_word(s, 0), size = section_word(s, 1), i;
    bool is_join = l->phase == VSP_PHASE_JOINING && peer == 0;
    bool is_search = l->phase == VSP_PHASE_SEARCHING && peer == l->suspect &&
                     is_narrowed(l) && step == l->high;

    if ((!is_join && !is_search) || has_come(l))
        return;
    if (in->step != step || in->size != size) {
        in->step = step;
        in->size = size;
        in->have = 0;
    }
    if (section_word(s, 2) != in->have)
        return;
    for (i = 0; i < s->count; i++)
        *state_byte(l, incoming_bytes(l), in, in->have++) = s->at[12u + i];
}

/* What an older message asks for and has got does not count any more. */
static void hear_sections(vsp_lockstep *l, uint32_t peer,
                          const unsigned char *bytes, uint32_t size,
                          bool is_newest)
{
    lockstep_peer *p = &l->peers[peer];
    uint32_t at = MESSAGE_HEAD;
    section s;

    while (at < size) {
        (void)read_section(l, bytes, size, &at, &s);
        if (s.kind == SECTION_ACKS && is_newest)
            hear_acks(p, &s);
        else if (s.kind == SECTION_HASHES)
            hear_hashes(l, p, &s);
        else if (s.kind == SECTION_SEARCH)
            hear_search(l, peer, &s);
        else if (s.kind == SECTION_WANT && is_newest)
            hear_want(p, &s);
        else if (s.kind == SECTION_INPUTS)
            hear_inputs(l, peer, &s);
        else if (s.kind == SECTION_STATE)
            hear_state(l, peer, &s);
        else if (s.kind == SECTION_BYE)
            drop_peer(p, VSP_DROP_LEFT);
    }
}

/* What the newest message says of its sender.  One that waits for a state
 * knows no inputs, whatever it knew before. */
static void hear_head(vsp_lockstep *l, lockstep_peer *p,
                      const unsigned char *bytes)
{
    uint32_t echo = vsp__get_word(bytes + AT_ECHO);
    int32_t lead = (int32_t)((bytes[AT_LEAD] | (uint32_t)bytes[AT_LEAD + 1]
                                                   << 8) ^ 0x8000u) - 0x8000;
    uint32_t phase = bytes[AT_PHASE] & ~TAKES_RELAYS;

    p->is_playing = phase == VSP_PHASE_PLAYING;
    if (phase == VSP_PHASE_JOINING) {
        p->has_acks = false;
        vsp__clear(p->known, sizeof p->known);
    }
    p->takes_relays = (bytes[AT_PHASE] & TAKES_RELAYS) != 0;
    p->tick = vsp__get_word(bytes + AT_TICK);
    if (echo != 0 && echo <= l->tick_count)
        p->stats.round_trip = l->tick_count - echo;
    p->lead = lead_over(l, vsp__get_word(bytes + AT_STEP));
    p->lead_sum += p->lead - lead;
    p->lead_count++;
    p->has_want = false;
}

/* What is no message of this protocol at all. */
static vsp_status check_bytes(const unsigned char *bytes, size_t size)
{
    if (size < MESSAGE_HEAD || size > VSP_MAX_MESSAGE || size % 4u != 0)
        return VSP_ERR_TRUNCATED;
    if (vsp__get_word(bytes + AT_MAGIC) != LOCKSTEP_MAGIC)
        return VSP_ERR_DATA;
    return sum_message(bytes, (uint32_t)size) ==
                   vsp__get_word(bytes + AT_CHECKSUM)
               ? VSP_OK
               : VSP_ERR_CHECKSUM;
}

static vsp_status read_message(vsp_lockstep *l, uint32_t peer,
                               const unsigned char *bytes, uint32_t size)
{
    lockstep_peer *p = &l->peers[peer];
    uint32_t sequence = vsp__get_word(bytes + AT_SEQUENCE);
    vsp_drop reason = check_head(l, p, bytes);
    bool is_newest;

    if (reason != VSP_DROP_NOT)
        return refuse(p, reason, reason == VSP_DROP_VERSION ? VSP_ERR_VERSION
                                                            : VSP_ERR_DATA);
    if (!is_news(p, sequence)) {
        p->stats.again++;
        p->old++;
        if (p->old > MOST_OLD)
            drop_peer(p, VSP_DROP_OLD);
        return VSP_OK;
    }
    reason = check_sections(l, p, bytes, size);
    if (reason != VSP_DROP_NOT)
        return refuse(p, reason, VSP_ERR_DATA);
    p->stats.received++;
    p->heard = l->tick_count;
    leak(&p->blame, PRAISE);
    is_newest = sequence > p->newest;
    if (is_newest)
        hear_head(l, p, bytes);
    remember_sequence(p, sequence);
    hear_sections(l, peer, bytes, size, is_newest);
    if (l->phase == VSP_PHASE_PLAYING)
        compare_hashes(l, peer);
    return VSP_OK;
}


/* ---- Ticks --------------------------------------------------------------- */

/* The first step of which some player but our own is not known. */
static uint32_t others_known(const vsp_lockstep *l)
{
    uint32_t lowest = 0xffffffffu, p;

    for (p = 0; p < l->def.rollback.players; p++)
        if (p != l->def.player)
            lowest = lesser(lowest, known_of(l, p));
    return lowest;
}

/* Finds out now and then whether we are ahead of others, whose inputs we will
 * have to guess: half of that is ours to wait. */
static void compare_clocks(vsp_lockstep *l)
{
    int32_t most = 0;
    uint32_t i;

    if (l->tick_count % SYNC_TICKS != 0)
        return;
    for (i = 0; i < l->def.peers; i++) {
        lockstep_peer *p = &l->peers[i];
        int32_t count = 2 * (int32_t)p->lead_count;

        if (p->is_open && p->is_playing && count > 0 &&
            p->stats.player != VSP_WATCHER && p->lead_sum / count > most)
            most = p->lead_sum / count;
        p->lead_sum = 0;
        p->lead_count = 0;
    }
    l->skips = lesser(((uint32_t)most + 1u) / 2u, MOST_SKIPS);
}

static vsp_status wait_for_others(vsp_lockstep *l)
{
    vsp_status status = vsp_rollback_settle(l->rollback);

    return status < 0 ? status : VSP_WAIT;
}

/* Makes steps that are certain, more of them the more there are. */
static vsp_status catch_up(vsp_lockstep *l)
{
    uint32_t known = others_known(l), count;
    vsp_status status, worst = VSP_OK;

    if (!is_watcher(l))
        known = lesser(known, known_of(l, l->def.player));
    count = known - lesser(known, next_step(l));
    if (count == 0)
        return wait_for_others(l);
    for (count = lesser(1u + count / 8u, MOST_STEPS); count > 0; count--) {
        status = vsp_rollback_advance(l->rollback);
        if (status < 0)
            return status;
        if (status > worst)
            worst = status;
        keep_hashes(l); /* of a state that may be gone after the next step */
    }
    return worst;
}

/* Whether our own inputs are known beyond the next step's, or peer 0 has more
 * of them than we: after coming back. */
static bool is_behind(vsp_lockstep *l)
{
    uint32_t known = known_of(l, l->def.player);

    if (l->is_returning && l->peers[0].has_acks &&
        l->peers[0].known[l->def.player] <= known)
        l->is_returning = false;
    return l->is_returning || known > next_step(l) + l->def.delay + 1u;
}

static vsp_status play(vsp_lockstep *l, const void *input)
{
    uint32_t step = next_step(l), known = others_known(l), own;

    for (own = known_of(l, l->def.player); own <= step + l->def.delay; own++)
        (void)vsp_rollback_input(l->rollback, l->def.player, own, input);
    if (step >= known && step - known >= l->def.rollback.depth)
        return wait_for_others(l);
    if (l->skips > 0 && l->tick_count % 2u == 0) {
        l->skips--;
        return wait_for_others(l);
    }
    return vsp_rollback_advance(l->rollback);
}

/* Begins with the state that came. */
static vsp_status join(vsp_lockstep *l)
{
    vsp_kept state;
    vsp_status status;

    if (!has_come(l))
        return VSP_WAIT;
    state = came_state(l);
    status = vsp_rollback_load(l->rollback, &state);
    vsp__clear(&l->incoming, sizeof l->incoming);
    if (status < 0) {
        drop_peer(&l->peers[0], VSP_DROP_STATE);
        return VSP_WAIT;
    }
    begin_hashes(l, state.step);
    l->peers[0].agreed = state.step + 1u;
    l->phase = VSP_PHASE_PLAYING;
    return VSP_WAIT;
}

static vsp_status tick_of_play(vsp_lockstep *l, const void *input)
{
    vsp_status status = is_watcher(l) || is_behind(l) ? catch_up(l)
                                                      : play(l, input);

    if (status < 0) {
        l->phase = VSP_PHASE_OVER;
        l->status = status;
        return status;
    }
    l->waiting = status == VSP_WAIT ? l->waiting + 1u : 0;
    l->wait_count += status == VSP_WAIT;
    if (l->waiting > l->longest_wait)
        l->longest_wait = l->waiting;
    keep_hashes(l);
    compare_all(l);
    return l->phase == VSP_PHASE_PLAYING ? status : VSP_DIVERGED;
}


/* ---- What a program calls ------------------------------------------------ */

static bool is_lockstep_def(const vsp_lockstep_def *def)
{
    const vsp_rollback_def *r = &def->rollback;

    return (def->player < r->players || def->player == VSP_WATCHER) &&
           r->kept <= 1001u && def->delay <= r->kept &&
           def->hash_interval >= 1 && def->hash_interval <= r->kept / 2u &&
           r->history >= 2u * (r->kept + def->delay) && def->peers >= 1 &&
           def->peers <= VSP_MAX_PEERS &&
           (def->spare == NULL || (vsp__is_world(def->spare) &&
                                   def->spare != r->world));
}

/* What peers must have in common. */
static void make_digests(vsp_lockstep *l)
{
    const vsp_rollback_def *def = &l->def.rollback;
    uint32_t words[5];

    words[0] = VSP_LOCKSTEP_VERSION;
    words[1] = VSP_VERSION;
    words[2] = VSP_FORMAT_VERSION;
    words[3] = VSP_BITS_VERSION;
    words[4] = VSP_FIXED ? 2u : 1u;
    l->build = digest_words(words, 5);
    words[0] = l->def.session;
    words[1] = def->players;
    words[2] = def->input_size;
    words[3] = def->game_words;
    words[4] = l->def.hash_interval;
    l->match = digest_words(words, 5);
}

/* The inputs before the first that acts. */
static bool tell_first_inputs(vsp_lockstep *l)
{
    static const unsigned char zeros[VSP_MAX_INPUT];
    uint32_t step;

    for (step = 0; step < l->def.delay; step++)
        if (vsp_rollback_input(l->rollback, l->def.player, step, zeros) !=
            VSP_OK)
            return false;
    return true;
}

vsp_status vsp_lockstep_create(void *memory, size_t size,
                               const vsp_lockstep_def *def,
                               vsp_lockstep **lockstep)
{
    vsp_lockstep *l = (vsp_lockstep *)memory;
    uint64_t before;
    vsp_status status;

    if (lockstep != NULL)
        *lockstep = NULL;
    if (memory == NULL || def == NULL || lockstep == NULL ||
        !is_lockstep_def(def))
        return VSP_ERR_ARG;
    before = before_rollback(&def->rollback);
    if ((uintptr_t)memory % VSP_WORLD_ALIGN != 0 || size < before ||
        def->rollback.snapshot_size > size)
        return VSP_ERR_MEMORY;
    vsp__clear(l, sizeof *l);
    l->def = *def;
    status = vsp_rollback_create((unsigned char *)memory + (size_t)before,
                                 size - (size_t)before, &def->rollback, 0,
                                 &l->rollback);
    if (status < 0)
        return status;
    make_digests(l);
    l->phase = VSP_PHASE_PLAYING;
    if (def->is_late)
        join_anew(l);
    else if (!is_watcher(l) && !tell_first_inputs(l))
        return VSP_ERR_ARG;
    begin_hashes(l, 0);
    l->magic = LOCKSTEP_MAGIC;
    *lockstep = l;
    return VSP_OK;
}

vsp_status vsp_lockstep_connect(vsp_lockstep *lockstep, uint32_t peer,
                                uint32_t player, bool is_relay)
{
    lockstep_peer *p;
    uint32_t sequence;

    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers ||
        (player != VSP_WATCHER &&
         (player >= lockstep->def.rollback.players ||
          player == lockstep->def.player)))
        return VSP_ERR_ARG;
    p = &lockstep->peers[peer];
    sequence = p->sequence;
    vsp__clear(p, sizeof *p);
    p->sequence = sequence;
    p->stats.player = player;
    p->is_open = true;
    p->is_relay = is_relay;
    p->heard = lockstep->tick_count;
    return VSP_OK;
}

vsp_status vsp_lockstep_receive(vsp_lockstep *lockstep, uint32_t peer,
                                const void *bytes, size_t size)
{
    const unsigned char *message = (const unsigned char *)bytes;
    lockstep_peer *p;
    vsp_status status;

    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers ||
        bytes == NULL)
        return VSP_ERR_ARG;
    p = &lockstep->peers[peer];
    if (!p->is_open)
        return VSP_ERR_FULL;
    if (++p->flood > MOST_FLOOD) {
        drop_peer(p, VSP_DROP_FLOOD);
        return VSP_ERR_FULL;
    }
    status = check_bytes(message, size);
    if (status < 0)
        return refuse(p, VSP_DROP_GARBAGE, status);
    return read_message(lockstep, peer, message, (uint32_t)size);
}

vsp_status vsp_lockstep_send(vsp_lockstep *lockstep, uint32_t peer,
                             void *bytes, size_t capacity, size_t *size)
{
    lockstep_peer *p;
    letter m;

    if (size != NULL)
        *size = 0;
    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers ||
        bytes == NULL || size == NULL)
        return VSP_ERR_ARG;
    if (capacity < VSP_MIN_MESSAGE)
        return VSP_ERR_MEMORY;
    p = &lockstep->peers[peer];
    if (!p->is_open && p->farewells == 0)
        return VSP_OK;
    m.bytes = (unsigned char *)bytes;
    m.size = MESSAGE_HEAD;
    m.room = capacity < VSP_MAX_MESSAGE ? (uint32_t)capacity / 4u * 4u
                                        : VSP_MAX_MESSAGE;
    if (p->is_open) {
        tell_sections(lockstep, peer, &m);
    } else {
        p->farewells--;
        (void)add_section(&m, SECTION_BYE, 0, (uint32_t)p->stats.drop, 0);
    }
    tell_head(lockstep, p, &m);
    p->stats.sent++;
    *size = m.size;
    return VSP_OK;
}

vsp_status vsp_lockstep_advance(vsp_lockstep *lockstep, const void *input)
{
    if (!is_lockstep(lockstep) ||
        (!is_watcher(lockstep) &&
         (input == NULL ||
          !vsp__is_input(&lockstep->def.rollback, lockstep->def.player,
                         (const unsigned char *)input))))
        return VSP_ERR_ARG;
    lockstep->tick_count++;
    watch_peers(lockstep);
    compare_clocks(lockstep);
    switch (lockstep->phase) {
    case VSP_PHASE_JOINING:
        return join(lockstep);
    case VSP_PHASE_PLAYING:
        return tick_of_play(lockstep, input);
    case VSP_PHASE_SEARCHING:
        keep_searching(lockstep);
        return VSP_DIVERGED;
    case VSP_PHASE_DIVERGED:
        return VSP_DIVERGED;
    default:
        return lockstep->status;
    }
}

vsp_status vsp_lockstep_drop(vsp_lockstep *lockstep, uint32_t peer)
{
    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers ||
        !lockstep->peers[peer].is_open)
        return VSP_ERR_ARG;
    drop_peer(&lockstep->peers[peer], VSP_DROP_LEFT);
    return VSP_OK;
}

vsp_lockstep_stats vsp_lockstep_get_stats(const vsp_lockstep *lockstep)
{
    static const vsp_lockstep_stats none;
    vsp_lockstep_stats stats = none;

    if (!is_lockstep(lockstep))
        return none;
    stats.phase = lockstep->phase;
    stats.status = lockstep->status;
    stats.rollback = vsp_rollback_get_stats(lockstep->rollback);
    stats.tick_count = lockstep->tick_count;
    stats.wait_count = lockstep->wait_count;
    stats.longest_wait = lockstep->longest_wait;
    stats.hash_count = lockstep->hash_count;
    return stats;
}

vsp_peer_stats vsp_lockstep_peer(const vsp_lockstep *lockstep, uint32_t peer)
{
    static const vsp_peer_stats none;
    vsp_peer_stats stats;

    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers)
        return none;
    stats = lockstep->peers[peer].stats;
    if (!is_watcher(lockstep))
        stats.acknowledged = lockstep->peers[peer].known[lockstep->def.player];
    return stats;
}

vsp_rollback *vsp_lockstep_rollback(vsp_lockstep *lockstep)
{
    return is_lockstep(lockstep) ? lockstep->rollback : NULL;
}

vsp_status vsp_lockstep_desync(const vsp_lockstep *lockstep,
                               vsp_desync *desync)
{
    if (!is_lockstep(lockstep) || desync == NULL)
        return VSP_ERR_ARG;
    if (lockstep->phase == VSP_PHASE_SEARCHING)
        return VSP_WAIT;
    if (lockstep->phase != VSP_PHASE_DIVERGED)
        return VSP_OK;
    *desync = lockstep->desync;
    return VSP_DIVERGED;
}

vsp_status vsp_lockstep_record(vsp_lockstep *lockstep,
                               const vsp_record_def *def, size_t *size)
{
    vsp_lockstep *l = lockstep;
    vsp_kept theirs;

    if (!is_lockstep(l) || l->phase != VSP_PHASE_DIVERGED)
        return VSP_ERR_ARG;
    if (!has_come(l))
        return VSP_END;
    theirs.step = l->high;
    theirs.hash = l->desync.theirs;
    theirs.bytes = incoming_bytes(l);
    theirs.size = l->incoming.size - game_bytes(l);
    theirs.game = (const uint32_t *)(const void *)state_byte(
        l, incoming_bytes(l), &l->incoming, (uint32_t)theirs.size);
    return vsp_rollback_record(l->rollback, l->desync.step, &theirs, def,
                               size);
}
