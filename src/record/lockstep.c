/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Lockstep: the messages by which peers make the same steps (VSP_LOCKSTEP);
 * SPEC.md, "Lockstep messages", defines their bytes.  In this order: peers,
 * ticks, public calls. */

#include "record.h"

#if VSP_LOCKSTEP

/* Limits for a peer, beyond which it is dropped. */
#define MAX_FLOOD 600u  /* messages at once: ten seconds' worth */
#define FLOOD_A_TICK 4u /* messages a tick, on average */
#define OLD_A_TICK 2u   /* stale messages a tick, on average */

#define SYNC_TICKS 32u      /* ticks between two comparisons of clocks */
#define MAX_SKIPS 8u        /* ticks to skip after one comparison, at most */
#define MAX_STEPS_A_TICK 4u /* for a peer that is behind */

VSP_STATIC_ASSERT(lockstep_head_fits,
                  sizeof(vsp_lockstep) <= VSP__LOCKSTEP_HEAD_BYTES);


/* ---- Peers --------------------------------------------------------------- */

/* Called once a tick: lowers the counts `flood` and `old` of peers, and drops
 * peers that have been silent for too long. */
static void watch_peers(vsp_lockstep *l)
{
    uint32_t i;

    for (i = 0; i < l->def.peers; i++) {
        vsp__peer_state *p = &l->peers[i];

        vsp__lower_level(&p->flood, FLOOD_A_TICK);
        vsp__lower_level(&p->old, OLD_A_TICK);
        if (p->is_open && l->def.patience > 0 &&
            l->tick_count - p->heard > l->def.patience)
            vsp__drop_peer(p, VSP_DROP_SILENCE);
    }
}

static void compare_all_hashes(vsp_lockstep *l)
{
    uint32_t i;

    for (i = 0; i < l->def.peers; i++)
        if (l->peers[i].is_open)
            vsp__compare_hashes(l, i);
}


/* ---- Ticks --------------------------------------------------------------- */

/* Returns the first step whose input of some other player is not known. */
static uint32_t others_known(const vsp_lockstep *l)
{
    uint32_t lowest = 0xffffffffu, p;

    for (p = 0; p < l->def.rollback.players; p++)
        if (p != l->def.player)
            lowest = vsp__smaller_of(lowest, vsp__known_of(l, p));
    return lowest;
}

/* Every SYNC_TICKS: computes by how many steps we are ahead of the slowest
 * peer, and skips half as many ticks, so that we guess less. */
static void compare_clocks(vsp_lockstep *l)
{
    int32_t most = 0;
    uint32_t i;

    if (l->tick_count % SYNC_TICKS != 0)
        return;
    for (i = 0; i < l->def.peers; i++) {
        vsp__peer_state *p = &l->peers[i];
        int32_t count = 2 * (int32_t)p->lead_count;

        if (p->is_open && p->is_playing && count > 0 &&
            p->stats.player != VSP_WATCHER && p->lead_sum / count > most)
            most = p->lead_sum / count;
        p->lead_sum = 0;
        p->lead_count = 0;
    }
    l->skips = vsp__smaller_of(((uint32_t)most + 1u) / 2u, MAX_SKIPS);
}

static vsp_status wait_for_others(vsp_lockstep *l)
{
    vsp_status status = vsp_rollback_settle(l->rollback);

    return status < 0 ? status : VSP_WAIT;
}

/* Makes steps whose inputs are all known: the more there are, the more it makes
 * in a tick. */
static vsp_status catch_up_steps(vsp_lockstep *l)
{
    uint32_t known = others_known(l), count;
    vsp_status status, worst = VSP_OK;

    if (!vsp__is_watcher(l))
        known = vsp__smaller_of(known, vsp__known_of(l, l->def.player));
    count = known - vsp__smaller_of(known, vsp__next_step(l));
    if (count == 0)
        return wait_for_others(l);
    for (count = vsp__smaller_of(1u + count / 8u, MAX_STEPS_A_TICK); count > 0;
         count--) {
        status = vsp_rollback_advance(l->rollback);
        if (status < 0)
            return status;
        if (status > worst)
            worst = status;
        vsp__store_certain_hashes(l);
    }
    return worst;
}

/* Whether our player returned and is still behind.  Then peer 0 may know more
 * of our old inputs than we do, or the step in which a new input would act may
 * already have an old one. */
static bool is_behind(vsp_lockstep *l)
{
    uint32_t known = vsp__known_of(l, l->def.player);

    if (l->is_returning && l->peers[0].has_acks &&
        l->peers[0].known[l->def.player] <= known)
        l->is_returning = false;
    return l->is_returning || known > vsp__next_step(l) + l->def.delay + 1u;
}

/* Stores our input, which acts `delay` steps later, and makes a step, unless it
 * must wait. */
static vsp_status play_tick(vsp_lockstep *l, const void *input)
{
    uint32_t step = vsp__next_step(l), known = others_known(l), own;
    uint32_t last = vsp__smaller_of(step + l->def.delay, VSP__LAST_STEP);

    for (own = vsp__known_of(l, l->def.player); own <= last; own++)
        (void)vsp_rollback_input(l->rollback, l->def.player, own, input);
    if (step >= known && step - known >= l->def.rollback.depth)
        return wait_for_others(l);
    if (l->skips > 0 && l->tick_count % 2u == 0) {
        l->skips--;
        return wait_for_others(l);
    }
    return vsp_rollback_advance(l->rollback);
}

/* Joins the match with the state of peer 0, once it has arrived. */
static vsp_status join_match(vsp_lockstep *l)
{
    vsp_kept state;
    vsp_status status;

    if (!vsp__has_received_state(l))
        return VSP_WAIT;
    state = vsp__received_state(l);
    status = vsp__has_settings_of(l->def.rollback.world, state.bytes)
                 ? vsp_rollback_load(l->rollback, &state)
                 : VSP_ERR_DATA;
    vsp__zero_bytes(&l->incoming, sizeof l->incoming);
    if (status < 0) {
        vsp__drop_peer(&l->peers[0], VSP_DROP_STATE);
        return VSP_WAIT;
    }
    vsp__begin_hashes(l, state.step);
    l->peers[0].agreed = state.step + 1u;
    l->phase = VSP_PHASE_PLAYING;
    return VSP_WAIT;
}

static vsp_status tick_while_playing(vsp_lockstep *l, const void *input)
{
    vsp_status status = vsp__is_watcher(l) || is_behind(l)
                            ? catch_up_steps(l)
                            : play_tick(l, input);

    if (status < 0) {
        l->phase = VSP_PHASE_OVER;
        l->status = status;
        return status;
    }
    l->waiting = status == VSP_WAIT ? l->waiting + 1u : 0;
    l->wait_count += status == VSP_WAIT;
    if (l->waiting > l->longest_wait)
        l->longest_wait = l->waiting;
    vsp__store_certain_hashes(l);
    compare_all_hashes(l);
    return l->phase == VSP_PHASE_PLAYING ? status : VSP_DIVERGED;
}


/* ---- Public calls -------------------------------------------------------- */

/* Offset of the rollback in the memory, bytes. */
static uint64_t before_rollback(const vsp_rollback_def *def)
{
    return VSP__LOCKSTEP_HEAD_BYTES + 2u * vsp__state_room(def);
}

static bool is_lockstep(const vsp_lockstep *l)
{
    return l != NULL && l->magic == VSP__LOCKSTEP_MAGIC;
}

static uint32_t digest_words(const uint32_t *words, uint32_t count)
{
    uint32_t digest = 0, i;

    for (i = 0; i < count; i++)
        digest = vsp__hash_word(digest, words[i]);
    return vsp__hash_end(digest);
}

static bool is_lockstep_def(const vsp_lockstep_def *def)
{
    const vsp_rollback_def *r = &def->rollback;

    return (def->player < r->players || def->player == VSP_WATCHER) &&
           r->kept <= 1001u && def->delay <= r->kept &&
           def->hash_interval >= 1 && def->hash_interval <= r->kept / 2u &&
           r->history >= 2u * (r->kept + def->delay) && def->peers >= 1 &&
           def->peers <= VSP_MAX_PEERS &&
           (def->spare == NULL ||
            (vsp__is_world(def->spare) && def->spare != r->world));
}

/* Makes the digests of the settings that all peers must share. */
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

/* Stores zeros as our inputs of the steps before our first input acts. */
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
    vsp__zero_bytes(l, sizeof *l);
    l->def = *def;
    status = vsp_rollback_create((unsigned char *)memory + (size_t)before,
                                 size - (size_t)before, &def->rollback, 0,
                                 &l->rollback);
    if (status < 0)
        return status;
    make_digests(l);
    l->phase = VSP_PHASE_PLAYING;
    if (def->is_late)
        vsp__rejoin(l);
    else if (!vsp__is_watcher(l) && !tell_first_inputs(l))
        return VSP_ERR_ARG;
    vsp__begin_hashes(l, 0);
    l->magic = VSP__LOCKSTEP_MAGIC;
    *lockstep = l;
    return VSP_OK;
}

vsp_status vsp_lockstep_connect(vsp_lockstep *lockstep, uint32_t peer,
                                uint32_t player, bool is_relay)
{
    vsp__peer_state *p;
    uint32_t sequence;

    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers ||
        (player != VSP_WATCHER && (player >= lockstep->def.rollback.players ||
                                   player == lockstep->def.player)))
        return VSP_ERR_ARG;
    p = &lockstep->peers[peer];
    sequence = p->sequence;
    vsp__zero_bytes(p, sizeof *p);
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
    vsp__peer_state *p;

    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers || bytes == NULL)
        return VSP_ERR_ARG;
    p = &lockstep->peers[peer];
    if (!p->is_open)
        return VSP_ERR_FULL;
    if (++p->flood > MAX_FLOOD) {
        vsp__drop_peer(p, VSP_DROP_FLOOD);
        return VSP_ERR_FULL;
    }
    return vsp__read_message(lockstep, peer, (const unsigned char *)bytes,
                             size);
}

vsp_status vsp_lockstep_send(vsp_lockstep *lockstep, uint32_t peer, void *bytes,
                             size_t capacity, size_t *size)
{
    const vsp__peer_state *p;

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
    *size = vsp__write_message(lockstep, peer, (unsigned char *)bytes,
                               capacity < VSP_MAX_MESSAGE
                                   ? (uint32_t)capacity / 4u * 4u
                                   : VSP_MAX_MESSAGE);
    return VSP_OK;
}

vsp_status vsp_lockstep_advance(vsp_lockstep *lockstep, const void *input)
{
    if (!is_lockstep(lockstep) ||
        (!vsp__is_watcher(lockstep) &&
         (input == NULL ||
          !vsp__is_valid_input(&lockstep->def.rollback, lockstep->def.player,
                               (const unsigned char *)input))))
        return VSP_ERR_ARG;
    lockstep->tick_count++;
    watch_peers(lockstep);
    compare_clocks(lockstep);
    switch (lockstep->phase) {
    case VSP_PHASE_JOINING:
        return join_match(lockstep);
    case VSP_PHASE_PLAYING:
        return tick_while_playing(lockstep, input);
    case VSP_PHASE_SEARCHING:
        vsp__continue_search(lockstep);
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
    vsp__drop_peer(&lockstep->peers[peer], VSP_DROP_LEFT);
    return VSP_OK;
}

vsp_lockstep_stats vsp_lockstep_get_stats(const vsp_lockstep *lockstep)
{
    vsp_lockstep_stats stats;
    uint32_t i;

    vsp__zero_bytes(&stats, sizeof stats);
    if (!is_lockstep(lockstep))
        return stats;
    stats.phase = lockstep->phase;
    stats.status = lockstep->status;
    for (i = lockstep->def.peers; i-- > 0;) {
        vsp_drop drop = lockstep->peers[i].stats.drop;

        stats.dropped += drop != VSP_DROP_NOT;
        if (drop != VSP_DROP_NOT)
            stats.drop = drop;
    }
    stats.rollback = vsp_rollback_get_stats(lockstep->rollback);
    stats.tick_count = lockstep->tick_count;
    stats.wait_count = lockstep->wait_count;
    stats.longest_wait = lockstep->longest_wait;
    stats.hash_count = lockstep->hash_count;
    return stats;
}

const char *vsp_drop_name(vsp_drop drop)
{
    switch (drop) {
    case VSP_DROP_NOT:
        return "VSP_DROP_NOT";
    case VSP_DROP_GARBAGE:
        return "VSP_DROP_GARBAGE";
    case VSP_DROP_LENGTH:
        return "VSP_DROP_LENGTH";
    case VSP_DROP_VERSION:
        return "VSP_DROP_VERSION";
    case VSP_DROP_SESSION:
        return "VSP_DROP_SESSION";
    case VSP_DROP_RANGE:
        return "VSP_DROP_RANGE";
    case VSP_DROP_INPUT:
        return "VSP_DROP_INPUT";
    case VSP_DROP_CHANGED:
        return "VSP_DROP_CHANGED";
    case VSP_DROP_OLD:
        return "VSP_DROP_OLD";
    case VSP_DROP_FLOOD:
        return "VSP_DROP_FLOOD";
    case VSP_DROP_STATE:
        return "VSP_DROP_STATE";
    case VSP_DROP_SILENCE:
        return "VSP_DROP_SILENCE";
    case VSP_DROP_LEFT:
        return "VSP_DROP_LEFT";
    }
    return "unknown reason";
}

vsp_peer_stats vsp_lockstep_peer(const vsp_lockstep *lockstep, uint32_t peer)
{
    vsp_peer_stats stats;

    vsp__zero_bytes(&stats, sizeof stats);
    if (!is_lockstep(lockstep) || peer >= lockstep->def.peers)
        return stats;
    stats = lockstep->peers[peer].stats;
    if (!vsp__is_watcher(lockstep))
        stats.acknowledged = lockstep->peers[peer].known[lockstep->def.player];
    return stats;
}

vsp_rollback *vsp_lockstep_rollback(vsp_lockstep *lockstep)
{
    return is_lockstep(lockstep) ? lockstep->rollback : NULL;
}

vsp_status vsp_lockstep_desync(const vsp_lockstep *lockstep, vsp_desync *desync)
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
    if (!vsp__has_received_state(l))
        return VSP_END;
    theirs.step = l->high;
    theirs.hash = l->desync.theirs;
    theirs.bytes = vsp__incoming_bytes(l);
    theirs.size = l->incoming.size - vsp__game_bytes(l);
    theirs.game = (const uint32_t *)(const void *)vsp__state_byte(
        l, vsp__incoming_bytes(l), &l->incoming, (uint32_t)theirs.size);
    return vsp_rollback_record(l->rollback, l->desync.step, &theirs, def, size);
}

#endif /* VSP_LOCKSTEP */
