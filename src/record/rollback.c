/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rollback: steps are made with guessed inputs, and made again when a guess
 * was wrong (VSP_ROLLBACK).  In this order: memory, inputs, states, steps,
 * public calls, the replay of a step that two machines made differently.
 *
 * vsp_rollback_input passes an input; until then it is guessed.  For each of
 * the last steps the match stores the state before it, which is a snapshot and
 * the program's own words, and the inputs with which it was made.  An input
 * that arrives late is compared with the one that was used; only the first step
 * with a wrong guess has to be stored. */

#include "record.h"

#if VSP_ROLLBACK

#define ROLLBACK_MAGIC 0x42505356u /* "VSPB" */

/* All steps are below this, so that a sum of two fits 32 bits. */
#define END_OF_STEPS 0x80000000u


/* ---- Memory ----------------------------------------------------------------
 * struct vsp_rollback; the saved states, state s in slot s % kept; the inputs
 * received, and behind them the inputs used, of step s both in row
 * s % history. */

struct vsp_rollback {
    uint32_t magic;
    vsp_status status; /* negative: the match is over */
    vsp_rollback_def def;
    vsp_rollback_stats stats;        /* confirmed is computed when asked for */
    uint32_t first;                  /* step at which the match began */
    uint32_t wrong;                  /* first step made with a wrong guess;
                                        stats.step: none */
    uint32_t known[VSP_MAX_PLAYERS]; /* first step whose input is unknown */
    size_t slot_size, row_size;      /* bytes of a state, of a step's inputs */
};

/* The head of a slot, before the snapshot and the program's own words. */
typedef struct saved_head {
    uint32_t hash;
    uint32_t step; /* or NO_STATE */
    size_t size;   /* of the snapshot, bytes */
} saved_head;

#define NO_STATE 0xffffffffu

VSP_STATIC_ASSERT(rollback_head_fits,
                  sizeof(vsp_rollback) <= VSP__ROLLBACK_HEAD_BYTES);

VSP_STATIC_ASSERT(saved_head_fits, sizeof(saved_head) <= VSP__SAVED_HEAD_BYTES);

static VSP__CALLED uint64_t slot_bytes(const vsp_rollback_def *def)
{
    return VSP__SAVED_HEAD_BYTES + VSP__ROUND_UP((uint64_t)def->snapshot_size) +
           VSP__ROUND_UP(4u * (uint64_t)def->game_words);
}

static bool fits_memory(const vsp_rollback_def *def, size_t size)
{
    uint64_t inputs = 2u * (uint64_t)def->history * def->players *
                      def->input_size;

    return def->snapshot_size <= size && VSP__ROLLBACK_HEAD_BYTES +
                                                 def->kept * slot_bytes(def) +
                                                 VSP__ROUND_UP(inputs) <=
                                             size;
}

static VSP__CALLED saved_head *saved_head_of(vsp_rollback *r, uint32_t step)
{
    size_t slot = (size_t)(step % r->def.kept);

    return (saved_head *)(void *)((unsigned char *)r +
                                  VSP__ROLLBACK_HEAD_BYTES +
                                  slot * r->slot_size);
}

static unsigned char *saved_bytes_of(saved_head *slot)
{
    return (unsigned char *)slot + VSP__SAVED_HEAD_BYTES;
}

static uint32_t *saved_game_of(const vsp_rollback *r, saved_head *slot)
{
    return (uint32_t *)(void *)(saved_bytes_of(slot) +
                                VSP__ROUND_UP(r->def.snapshot_size));
}

/* The received inputs of a step, and the inputs with which it was made. */
static unsigned char *told_inputs_of(const vsp_rollback *r, uint32_t step)
{
    size_t row = (size_t)(step % r->def.history);

    return (unsigned char *)r + VSP__ROLLBACK_HEAD_BYTES +
           (size_t)r->def.kept * r->slot_size + row * r->row_size;
}

static unsigned char *used_inputs_of(const vsp_rollback *r, uint32_t step)
{
    return told_inputs_of(r, step) + (size_t)r->def.history * r->row_size;
}

static bool is_rollback(const vsp_rollback *r)
{
    return r != NULL && r->magic == ROLLBACK_MAGIC;
}


/* ---- Inputs -------------------------------------------------------------- */

bool vsp__is_same_input(const unsigned char *a, const unsigned char *b,
                        uint32_t size)
{
    for (; size > 0; size--)
        if (*a++ != *b++)
            return false;
    return true;
}

bool vsp__is_valid_input(const vsp_rollback_def *def, uint32_t player,
                         const unsigned char *input)
{
    return def->is_input == NULL || def->is_input(def->user, player, input);
}

/* Returns the first step whose input of some player is not known. */
static VSP__CALLED uint32_t lowest_known(const vsp_rollback *r)
{
    uint32_t lowest = r->known[0], p;

    for (p = 1; p < r->def.players; p++)
        if (r->known[p] < lowest)
            lowest = r->known[p];
    return lowest;
}

/* The oldest state that is saved. */
static uint32_t oldest_state(const vsp_rollback *r)
{
    uint32_t back = r->def.kept - 1u;

    return r->stats.step - r->first > back ? r->stats.step - back : r->first;
}

/* The oldest step whose input of a player is stored. */
static uint32_t oldest_told(const vsp_rollback *r, uint32_t player)
{
    uint32_t known = r->known[player];

    return known - r->first > r->def.history ? known - r->def.history
                                             : r->first;
}

/* Returns the input of a player for a step: the received one, else the last one
 * received before it; null if none was received. */
static const unsigned char *best_input(const vsp_rollback *r, uint32_t player,
                                       uint32_t step)
{
    uint32_t known = r->known[player];

    if (known == r->first)
        return NULL;
    return told_inputs_of(r, step < known ? step : known - 1u) +
           player * r->def.input_size;
}

/* Chooses the inputs of a step: received ones or guesses; zeros before the
 * first one of a player. */
static void guess_inputs(vsp_rollback *r, uint32_t step)
{
    uint32_t size = r->def.input_size, p;
    unsigned char *used = used_inputs_of(r, step);

    for (p = 0; p < r->def.players; p++, used += size) {
        const unsigned char *best = best_input(r, p, step);

        if (best != NULL)
            vsp__copy_bytes(used, best, size);
        else
            vsp__zero_bytes(used, (size_t)size);
    }
}

/* A bit for each player whose input of a step is known. */
static uint32_t known_players(const vsp_rollback *r, uint32_t step)
{
    uint32_t players = 0, bit = 1, p;

    /* not 1 << p, for which some compilers use floats */
    for (p = 0; p < r->def.players; p++, bit += bit)
        if (step < r->known[p])
            players |= bit;
    return players;
}


/* ---- States -------------------------------------------------------------- */

static void copy_game(const vsp_rollback *r, uint32_t *to, const uint32_t *from)
{
    vsp__copy_bytes(to, from, 4u * (size_t)r->def.game_words);
}

uint32_t vsp__saved_state_hash(const void *bytes, const uint32_t *game,
                               uint32_t game_words)
{
    const unsigned char *state = (const unsigned char *)bytes;
    uint32_t hash = vsp__get_word(state + 4u * VSP__CHECKSUM_WORD), i;

    for (i = 0; i < game_words; i++)
        hash = vsp__hash_word(hash, game[i]);
    return vsp__hash_end(hash);
}

/* Saves world and game as the state before the next step.  A match with a
 * single slot checks the size first: if the state is too large, the slot still
 * holds the previous one, which make_next_step restores. */
static vsp_status save_state(vsp_rollback *r)
{
    saved_head *slot = saved_head_of(r, r->stats.step);
    size_t size;
    vsp_status status;

    if (r->def.kept == 1) {
        (void)vsp_world_snapshot(r->def.world, saved_bytes_of(slot), 0, &size);
        if (size > r->def.snapshot_size)
            return VSP_ERR_MEMORY;
    }
    slot->step = NO_STATE;
    status = vsp_world_snapshot(r->def.world, saved_bytes_of(slot),
                                r->def.snapshot_size, &size);
    if (status < 0)
        return status;
    slot->step = r->stats.step;
    slot->size = size;
    copy_game(r, saved_game_of(r, slot), r->def.game);
    slot->hash = vsp__saved_state_hash(saved_bytes_of(slot), r->def.game,
                                       r->def.game_words);
    return VSP_OK;
}

/* Restores world and game from a saved state.  Fails, and ends the match, only
 * if the program wrote into the memory or changed the world's tables. */
static vsp_status restore_state(vsp_rollback *r, uint32_t step)
{
    saved_head *slot = saved_head_of(r, step);
    vsp_status status = vsp_world_restore(r->def.world, saved_bytes_of(slot),
                                          slot->size);

    if (status < 0)
        r->status = status;
    else
        copy_game(r, r->def.game, saved_game_of(r, slot));
    return status;
}


/* ---- Steps --------------------------------------------------------------- */

/* Calls the program's step function with the chosen inputs.  Returns
 * VSP_ERR_DATA when it did not step the world exactly once. */
static vsp_status make_step(vsp_rollback *r, vsp_recorder *recorder,
                            uint32_t step, bool is_again)
{
    const vsp_world *world = r->def.world;
    uint32_t tick = vsp_world_tick(world);
    vsp_status status;
    vsp_turn turn;

    turn.step = step;
    turn.known = known_players(r, step);
    turn.is_again = is_again;
    turn.inputs = used_inputs_of(r, step);
    status = r->def.step(r->def.user, recorder, &turn);
    if (status < 0)
        return status;
    if (vsp_world_tick(world) != tick + 1u)
        return VSP_ERR_DATA;
    return status > 0 ? VSP_DEGRADED : VSP_OK;
}

/* Makes the next step and saves the state after it.  If either fails, restores
 * world and game as before the step, and ends the match. */
static vsp_status make_next_step(vsp_rollback *r, bool is_again)
{
    uint32_t step = r->stats.step;
    vsp_status status, saved = VSP_OK;
    vsp_recorder recorder;

    vsp__zero_bytes(&recorder, sizeof recorder);
    recorder.world = r->def.world;
    guess_inputs(r, step);
    status = make_step(r, &recorder, step, is_again);
    r->stats.step = r->wrong = step + 1u;
    if (status >= 0)
        saved = save_state(r);
    if (status >= 0 && saved >= 0)
        return status;
    r->stats.step = r->wrong = step;
    (void)restore_state(r, step);
    r->status = status < 0 ? status : saved;
    return r->status;
}

/* Undoes the first step made with a wrong guess and all after it, and makes
 * them again. */
static vsp_status remake_wrong_steps(vsp_rollback *r)
{
    uint32_t end = r->stats.step, count = end - r->wrong;
    vsp_status status, worst = VSP_OK;

    if (count == 0)
        return VSP_OK;
    status = restore_state(r, r->wrong);
    if (status < 0)
        return status;
    r->stats.step = r->wrong;
    r->stats.rollback_count++;
    if (count > r->stats.deepest)
        r->stats.deepest = count;
    while (r->stats.step < end) {
        status = make_next_step(r, true);
        if (status < 0)
            return status;
        r->stats.again_count++;
        if (status > worst)
            worst = status;
    }
    return worst;
}

/* Whether the next step must wait: depth steps contain guesses already. */
static bool is_guess_limit_reached(const vsp_rollback *r)
{
    uint32_t lowest = lowest_known(r);

    return r->stats.step >= lowest && r->stats.step - lowest >= r->def.depth;
}


/* ---- Public calls -------------------------------------------------------- */

static bool is_rollback_def(const vsp_rollback_def *def)
{
    return vsp__is_world(def->world) && def->step != NULL &&
           def->players >= 1 && def->players <= VSP_MAX_PLAYERS &&
           def->input_size >= 1 && def->input_size <= VSP_MAX_INPUT &&
           def->depth <= 1000u && def->kept > def->depth &&
           def->kept <= 1001u && def->history >= 2u * def->kept &&
           def->history <= 100000u && def->game_words <= 65535u &&
           (def->game_words == 0 || def->game != NULL);
}

/* Begins at a step with world and game as they are; no input is known. */
static VSP__CALLED vsp_status start_match(vsp_rollback *r, uint32_t step)
{
    uint32_t p;

    r->stats.step = r->first = r->wrong = step;
    for (p = 0; p < VSP_MAX_PLAYERS; p++)
        r->known[p] = step;
    r->status = save_state(r);
    return r->status;
}

vsp_status vsp_rollback_create(void *memory, size_t size,
                               const vsp_rollback_def *def, uint32_t first_step,
                               vsp_rollback **rollback)
{
    vsp_rollback *r = (vsp_rollback *)memory;
    vsp_status status;

    if (rollback != NULL)
        *rollback = NULL;
    if (memory == NULL || def == NULL || rollback == NULL ||
        !is_rollback_def(def) || first_step >= END_OF_STEPS)
        return VSP_ERR_ARG;
    if ((uintptr_t)memory % VSP_WORLD_ALIGN != 0 || !fits_memory(def, size))
        return VSP_ERR_MEMORY;
    vsp__zero_bytes(r, sizeof *r);
    r->def = *def;
    r->slot_size = (size_t)slot_bytes(def);
    r->row_size = (size_t)(def->players * def->input_size);
    status = start_match(r, first_step);
    if (status < 0)
        return status;
    r->magic = ROLLBACK_MAGIC;
    *rollback = r;
    return VSP_OK;
}

vsp_status vsp_rollback_input(vsp_rollback *rollback, uint32_t player,
                              uint32_t step, const void *input)
{
    vsp_rollback *r = rollback;
    const unsigned char *bytes = (const unsigned char *)input;
    unsigned char *told;
    uint32_t size;

    if (!is_rollback(r) || player >= r->def.players || input == NULL)
        return VSP_ERR_ARG;
    if (step > r->known[player])
        return VSP_ERR_TRUNCATED;
    if (step < oldest_told(r, player))
        return VSP_END;
    size = r->def.input_size;
    told = told_inputs_of(r, step) + player * size;
    if (step < r->known[player])
        return vsp__is_same_input(told, bytes, size) ? VSP_OK : VSP_ERR_DATA;
    if (!vsp__is_valid_input(&r->def, player, bytes))
        return VSP_ERR_DATA;
    if (step - oldest_state(r) >= r->def.history)
        return VSP_ERR_FULL;
    vsp__copy_bytes(told, bytes, size);
    r->known[player] = step + 1u;
    if (step < r->wrong &&
        !vsp__is_same_input(used_inputs_of(r, step) + player * size, bytes,
                            size))
        r->wrong = step;
    return VSP_OK;
}

vsp_status vsp_rollback_settle(vsp_rollback *rollback)
{
    if (!is_rollback(rollback))
        return VSP_ERR_ARG;
    return rollback->status < 0 ? rollback->status
                                : remake_wrong_steps(rollback);
}

vsp_status vsp_rollback_advance(vsp_rollback *rollback)
{
    vsp_status settled = vsp_rollback_settle(rollback), status;

    if (settled < 0)
        return settled;
    if (rollback->stats.step >= END_OF_STEPS)
        return VSP_END;
    if (is_guess_limit_reached(rollback)) {
        rollback->stats.wait_count++;
        return VSP_WAIT;
    }
    status = make_next_step(rollback, false);
    return status < 0 || status > settled ? status : settled;
}

vsp_rollback_stats vsp_rollback_get_stats(const vsp_rollback *rollback)
{
    vsp_rollback_stats stats;
    uint32_t lowest;

    vsp__zero_bytes(&stats, sizeof stats);
    if (!is_rollback(rollback))
        return stats;
    stats = rollback->stats;
    lowest = lowest_known(rollback);
    stats.confirmed = rollback->wrong < lowest ? rollback->wrong : lowest;
    return stats;
}

uint32_t vsp_rollback_known(const vsp_rollback *rollback, uint32_t player)
{
    if (!is_rollback(rollback) || player >= rollback->def.players)
        return 0;
    return rollback->known[player];
}

vsp_status vsp_rollback_told(const vsp_rollback *rollback, uint32_t player,
                             uint32_t step, void *input)
{
    uint32_t size;

    if (!is_rollback(rollback) || player >= rollback->def.players ||
        input == NULL || step >= rollback->known[player])
        return VSP_ERR_ARG;
    if (step < oldest_told(rollback, player))
        return VSP_END;
    size = rollback->def.input_size;
    vsp__copy_bytes(input, told_inputs_of(rollback, step) + player * size,
                    size);
    return VSP_OK;
}

vsp_status vsp_rollback_state(vsp_rollback *rollback, uint32_t step,
                              vsp_kept *state)
{
    saved_head *slot;

    if (!is_rollback(rollback) || state == NULL || step > rollback->stats.step)
        return VSP_ERR_ARG;
    slot = saved_head_of(rollback, step);
    if (step < oldest_state(rollback) || slot->step != step)
        return VSP_END;
    state->step = step;
    state->hash = slot->hash;
    state->bytes = saved_bytes_of(slot);
    state->size = slot->size;
    state->game = saved_game_of(rollback, slot);
    return VSP_OK;
}

vsp_status vsp_rollback_load(vsp_rollback *rollback, const vsp_kept *state)
{
    vsp_rollback *r = rollback;
    vsp_status status;

    if (!is_rollback(r) || state == NULL || state->step >= END_OF_STEPS ||
        (r->def.game_words > 0 && state->game == NULL))
        return VSP_ERR_ARG;
    if (state->size > r->def.snapshot_size)
        return VSP_ERR_MEMORY;
    status = vsp_world_restore(r->def.world, state->bytes, state->size);
    if (status < 0)
        return status;
    copy_game(r, r->def.game, state->game);
    return start_match(r, state->step);
}


/* ---- The replay of a step --------------------------------------------------
 * The step is made twice from the same state; each time the replay gets the
 * hash and the state that one of the machines claims as the result. */

/* Computes the hash of a claimed state.  Overwrites the match's world with it.
 */
static vsp_status hash_claim(vsp_rollback *r, vsp_kept *claim)
{
    vsp_status status = vsp_world_restore(r->def.world, claim->bytes,
                                          claim->size);

    claim->hash = vsp_world_hash(r->def.world);
    return status;
}

/* Records the step twice.  World and game are at the state before it. */
static vsp_status record_claims(vsp_rollback *r, uint32_t step,
                                const vsp_kept *ours, const vsp_kept *theirs,
                                const vsp_record_def *def, size_t *size)
{
    saved_head *before = saved_head_of(r, step);
    vsp_record_def sink = *def;
    vsp_status status, steps[2];
    vsp_recorder recorder;

    sink.keyframe_interval = 1;
    status = vsp_record_begin(&recorder, r->def.world, &sink);
    if (status < 0)
        return status;
    recorder.claim = ours;
    steps[0] = make_step(r, &recorder, step, true);
    status = vsp_record_restore(&recorder, saved_bytes_of(before),
                                before->size);
    copy_game(r, r->def.game, saved_game_of(r, before));
    recorder.claim = theirs;
    steps[1] = make_step(r, &recorder, step, true);
    if (status >= 0)
        status = steps[0] < 0 ? steps[0] : steps[1];
    if (status >= 0)
        return vsp_record_end(&recorder, size);
    (void)vsp_record_end(&recorder, size);
    return status;
}

vsp_status vsp_rollback_record(vsp_rollback *rollback, uint32_t step,
                               const vsp_kept *theirs,
                               const vsp_record_def *def, size_t *size)
{
    vsp_rollback *r = rollback;
    vsp_kept claims[2];
    vsp_status status;

    if (size != NULL)
        *size = 0;
    if (!is_rollback(r) || theirs == NULL || def == NULL ||
        step >= r->stats.step || theirs->step != step + 1u)
        return VSP_ERR_ARG;
    if (vsp_rollback_state(r, step, &claims[0]) != VSP_OK ||
        vsp_rollback_state(r, step + 1u, &claims[0]) != VSP_OK)
        return VSP_END;
    claims[1] = *theirs;
    status = hash_claim(r, &claims[1]);
    if (status < 0)
        return status;
    status = hash_claim(r, &claims[0]);
    if (status >= 0)
        status = restore_state(r, step);
    if (status >= 0)
        status = record_claims(r, step, &claims[0], &claims[1], def, size);
    if (restore_state(r, r->stats.step) < 0)
        return r->status;
    return status;
}

#endif /* VSP_ROLLBACK */
