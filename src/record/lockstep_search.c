/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* States and hashes of a lockstep match (VSP_LOCKSTEP).  In this order: states
 * as bytes; how a peer is dropped; hashes of certain states, and the search for
 * the first that differs. */

#include "record.h"

#if VSP_LOCKSTEP

#define SEARCH_TICKS 2000u /* until a search is abandoned */


/* ---- States as bytes ----------------------------------------------------- */

unsigned char *vsp__state_byte(const vsp_lockstep *l, unsigned char *bytes,
                               const vsp__state_bytes *s, uint32_t at)
{
    uint32_t snapshot = s->size - vsp__game_bytes(l);

    if (at < snapshot)
        return bytes + at;
    return bytes + (size_t)VSP__ROUND_UP(l->def.rollback.snapshot_size) +
           (at - snapshot);
}

vsp_kept vsp__received_state(vsp_lockstep *l)
{
    const vsp__state_bytes *s = &l->incoming;
    unsigned char *bytes = vsp__incoming_bytes(l);
    uint32_t snapshot = s->size - vsp__game_bytes(l), i;
    uint32_t *game = (uint32_t *)(void *)vsp__state_byte(l, bytes, s, snapshot);
    vsp_kept kept;

    for (i = 0; i < l->def.rollback.game_words; i++)
        game[i] = vsp__get_word((const unsigned char *)&game[i]);
    kept.step = s->step;
    kept.bytes = bytes;
    kept.size = snapshot;
    kept.game = game;
    kept.hash = vsp__saved_state_hash(bytes, game, l->def.rollback.game_words);
    return kept;
}

bool vsp__has_received_state(const vsp_lockstep *l)
{
    return l->incoming.size > 0 && l->incoming.have == l->incoming.size;
}


/* ---- Dropping a peer -----------------------------------------------------
 * In this file, as the other files that drop peers call this one. */

void vsp__drop_peer(vsp__peer_state *p, vsp_drop reason)
{
    p->stats.drop = reason;
    p->is_open = false;
    p->farewells = VSP__FAREWELL_COUNT;
}


/* ---- Hashes, and the search ------------------------------------------------
 * When a confirmed state has different hashes on two sides, both stop and send
 * the hashes of all states from the last equal one to this state, until the
 * first that differs is known.  Then they fetch that one from each other. */

static bool has_own_hash(const vsp_lockstep *l, uint32_t step)
{
    return step >= l->first_hash && step < l->next_hash &&
           l->next_hash - step <= VSP__OWN_HASHES * l->def.hash_interval;
}

void vsp__store_certain_hashes(vsp_lockstep *l)
{
    uint32_t confirmed = vsp__confirmed_step(l);
    vsp_kept kept;

    for (; l->next_hash <= confirmed; l->next_hash += l->def.hash_interval)
        if (vsp_rollback_state(l->rollback, l->next_hash, &kept) == VSP_OK)
            *vsp__own_hash(l, l->next_hash) = kept.hash;
}

void vsp__begin_hashes(vsp_lockstep *l, uint32_t step)
{
    uint32_t interval = l->def.hash_interval;

    l->first = step;
    l->first_hash = l->next_hash = (step + interval - 1u) / interval * interval;
    vsp__store_certain_hashes(l);
}

static VSP__CALLED void begin_searching(vsp_lockstep *l, uint32_t peer,
                                        uint32_t step)
{
    uint32_t agreed = l->peers[peer].agreed;

    l->phase = VSP_PHASE_SEARCHING;
    l->suspect = peer;
    l->high = step;
    l->low = agreed <= step ? agreed : 0;
    l->their_oldest = l->search_ticks = 0;
    vsp__zero_bytes(&l->incoming, sizeof l->incoming);
}

bool vsp__is_narrowed(const vsp_lockstep *l)
{
    return l->high == l->low || l->high <= l->their_oldest ||
           l->high <= vsp__oldest_saved_step(l);
}

void vsp__compare_hashes(vsp_lockstep *l, uint32_t peer)
{
    vsp__peer_state *p = &l->peers[peer];
    uint32_t i;

    for (i = 0; i < VSP__PEER_HASHES; i++) {
        uint32_t number = p->hashes[i].number;

        if (!(p->pending >> i & 1u) || number > l->next_hash)
            continue;
        p->pending &= ~((uint32_t)1 << i);
        if (!has_own_hash(l, number - 1u))
            continue;
        if (*vsp__own_hash(l, number - 1u) == p->hashes[i].hash) {
            l->hash_count++;
            if (number > p->agreed)
                p->agreed = number;
        } else if (l->phase == VSP_PHASE_PLAYING) {
            begin_searching(l, peer, number - 1u);
        }
    }
}

void vsp__search_hash(vsp_lockstep *l, uint32_t peer, uint32_t step,
                      uint32_t hash)
{
    vsp_kept kept;
    bool is_equal;

    if (step > vsp__confirmed_step(l) ||
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

/* Finds the first field that differs between our state and theirs.  This
 * overwrites both worlds, and at the end restores the present state of the
 * match's world. */
static void compare_worlds(vsp_lockstep *l, const vsp_kept *ours,
                           const vsp_kept *theirs)
{
    vsp_world *world = l->def.rollback.world;
    vsp_desync *d = &l->desync;
    vsp_kept now;

    if (vsp_world_restore(l->def.spare, theirs->bytes, theirs->size) < 0) {
        vsp__drop_peer(&l->peers[l->suspect], VSP_DROP_STATE);
        return;
    }
    if (vsp_world_restore(world, ours->bytes, ours->size) == VSP_OK)
        (void)vsp_world_diff(world, l->def.spare, &d->first, 1, &d->count);
    if (vsp_rollback_state(l->rollback, vsp__next_step(l), &now) == VSP_OK)
        (void)vsp_world_restore(world, now.bytes, now.size);
}

/* Ends the search, and fills l->desync with the result. */
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
    if (!vsp__has_received_state(l))
        return;
    theirs = vsp__received_state(l);
    d->theirs = theirs.hash;
    for (d->game_word = 0; d->game_word < l->def.rollback.game_words;
         d->game_word++)
        if (ours.game[d->game_word] != theirs.game[d->game_word])
            break;
    if (l->def.spare != NULL)
        compare_worlds(l, &ours, &theirs);
}

void vsp__continue_search(vsp_lockstep *l)
{
    bool is_given_up = ++l->search_ticks > SEARCH_TICKS ||
                       !l->peers[l->suspect].is_open ||
                       l->high < l->their_oldest ||
                       l->high < vsp__oldest_saved_step(l);

    if (is_given_up || (vsp__is_narrowed(l) && vsp__has_received_state(l)))
        report_desync(l);
}

#endif /* VSP_LOCKSTEP */
