/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* One player of the lockstep game of port/lockstep: the game in the page's
 * world, its peer, and the line with faults through which the peer sends.
 * JavaScript carries what comes out of the line to the module of the other
 * player. */

#include "page.h"
#include "../lockstep/faults.h"
#include "../lockstep/flip.h"
#include "../lockstep/tally.h"

#define DEPTH 30u    /* most steps made on guessed inputs */
#define KEPT 96u     /* states kept */
#define HISTORY 512u /* steps whose inputs are kept */
#define INTERVAL 16u /* steps between hashes that are sent */
#define NEVER 0xffffffffu

typedef struct peer {
    game game; /* must be first: game_step gets the peer as its user */
    uint32_t seed, player;
    vsp_lockstep *lockstep;
    vsp_rollback *rollback;
    uint32_t flip;       /* step after which a bit is flipped; or NEVER */
    uint32_t tally_last; /* step of the last state of the tally */
    tally seen;
    faults line;
} peer;

VSP_ARENA(kept_arena,
          VSP_LOCKSTEP_BYTES(GAME_PLAYERS, GAME_INPUT_BYTES, KEPT, HISTORY,
                             GAME_SNAPSHOT_BYTES, GAME_WORDS));
static peer own;
static unsigned char message[VSP_MAX_MESSAGE];

/* Holds the replay of a step: two states, each stored twice. */
static unsigned char film[8u * GAME_SNAPSHOT_BYTES + 4096u];


/* ---- Beginning ----------------------------------------------------------- */

PAGE_EXPORT(begin_game)
int32_t begin_game(uint32_t seed, uint32_t player, uint32_t tally_last);
PAGE_EXPORT(set_line)
void set_line(uint32_t latency, uint32_t jitter, uint32_t loss,
              uint32_t duplicates);

static vsp_status play_turn(void *user, vsp_recorder *recorder,
                            const vsp_turn *turn)
{
    peer *it = user;
    vsp_status status = game_step(&it->game, recorder, turn);

    if (turn->step == it->flip &&
        flip_bit(it->game.world, GAME_FIRST_CRATE) == 0)
        it->flip++; /* no crate moves */
    return status;
}

static vsp_status create_lockstep(vsp_world *spare)
{
    vsp_lockstep_def def = {0};
    vsp_status status;

    game_define(&own.game, &def.rollback);
    def.rollback.step = play_turn;
    def.rollback.depth = DEPTH;
    def.rollback.kept = KEPT;
    def.rollback.history = HISTORY;
    def.session = own.seed;
    def.player = own.player;
    def.delay = TALLY_DELAY;
    def.hash_interval = INTERVAL;
    def.peers = 1;
    def.spare = spare;
    status = vsp_lockstep_create(kept_arena.mem, sizeof kept_arena.mem, &def,
                                 &own.lockstep);
    if (status < 0)
        return status;
    own.rollback = vsp_lockstep_rollback(own.lockstep);
    return vsp_lockstep_connect(own.lockstep, 0, 1u - own.player, false);
}

/* Begins a match as player 0 or 1, with sums over its certain states up to
 * step tally_last. */
int32_t begin_game(uint32_t seed, uint32_t player, uint32_t tally_last)
{
    static const peer none;
    vsp_world_def def = game_world_def();
    vsp_world *spare = page_spare_world(&def);
    vsp_status status = page_begin_world(&def);

    if (status < 0)
        return status;
    own = none;
    own.seed = seed;
    own.player = player;
    own.flip = NEVER;
    own.tally_last = tally_last;
    own.line.def.seed = seed * 16u + player * 4u;
    if (!spare || !game_begin(&own.game, page_run.world, seed))
        return VSP_ERR_FULL;
    status = create_lockstep(spare);
    if (status >= 0)
        tally_take(&own.seen, own.rollback, tally_last);
    return status;
}

/* Sets the faults of what this player sends: ticks and percent. */
void set_line(uint32_t latency, uint32_t jitter, uint32_t loss,
              uint32_t duplicates)
{
    own.line.def.latency = latency;
    own.line.def.jitter = jitter;
    own.line.def.loss = loss;
    own.line.def.duplicates = duplicates;
}


/* ---- A tick -------------------------------------------------------------- */

PAGE_EXPORT(message_address) unsigned char *message_address(void);
PAGE_EXPORT(receive_message) int32_t receive_message(uint32_t size);
PAGE_EXPORT(tick_game) int32_t tick_game(uint32_t input);
PAGE_EXPORT(take_message) uint32_t take_message(void);
PAGE_EXPORT(bot_input) uint32_t bot_input(uint32_t tick);
PAGE_EXPORT(wander_input) uint32_t wander_input(void);
PAGE_EXPORT(flip_next) void flip_next(void);

/* Where messages are that JavaScript reads and writes. */
unsigned char *message_address(void)
{
    return message;
}

/* Receives the message of the other player. */
int32_t receive_message(uint32_t size)
{
    return vsp_lockstep_receive(own.lockstep, 0, message, size);
}

/* Makes a step with this input, if it can, and sends.  Returns the status of
 * vsp_lockstep_advance. */
int32_t tick_game(uint32_t input)
{
    unsigned char byte = (unsigned char)input;
    unsigned char bytes[VSP_MAX_MESSAGE];
    vsp_status status = vsp_lockstep_advance(own.lockstep, &byte);
    size_t size;

    if (vsp_lockstep_send(own.lockstep, 0, bytes, sizeof bytes, &size) >= 0 &&
        size > 0)
        faults_put(&own.line, bytes, size);
    faults_tick(&own.line);
    tally_take(&own.seen, own.rollback, own.tally_last);
    return status;
}

/* Takes a message that has come to the end of the line.  Returns its size, 0 if
 * there is none. */
uint32_t take_message(void)
{
    size_t size = 0;
    const unsigned char *bytes = faults_get(&own.line, &size);

    for (size_t i = 0; bytes && i < size; i++)
        message[i] = bytes[i];
    return bytes ? (uint32_t)size : 0;
}

uint32_t bot_input(uint32_t tick)
{
    return game_bot(&own.game, own.player, own.seed, tick);
}

/* Returns the input that `build/lockstep alone` gives this player in the step
 * in which an input of the next tick acts. */
uint32_t wander_input(void)
{
    return tally_input(own.seed, own.player,
                       vsp_rollback_get_stats(own.rollback).step + TALLY_DELAY);
}

/* Flips a bit of a moving crate here, as soon as there is one. */
void flip_next(void)
{
    own.flip = vsp_rollback_get_stats(own.rollback).step;
}


/* ---- What is shown ------------------------------------------------------- */

PAGE_EXPORT(show_game) void show_game(void);
PAGE_EXPORT(show_tally) void show_tally(void);
PAGE_EXPORT(show_ball) void show_ball(void);
PAGE_EXPORT(certain_hash) double certain_hash(uint32_t step);
PAGE_EXPORT(name_desync) bool name_desync(void);
PAGE_EXPORT(record_desync) bool record_desync(void);

/* Numbers: step, certain states, rollbacks, deepest rollback; ticks without a
 * step, equal hashes, phase, round trip in ticks; messages sent, lost, doubled,
 * out of order; both scores. */
void show_game(void)
{
    vsp_lockstep_stats all = vsp_lockstep_get_stats(own.lockstep);
    vsp_peer_stats other = vsp_lockstep_peer(own.lockstep, 0);

    page_numbers[0] = all.rollback.step;
    page_numbers[1] = all.rollback.confirmed;
    page_numbers[2] = all.rollback.rollback_count;
    page_numbers[3] = all.rollback.deepest;
    page_numbers[4] = all.wait_count;
    page_numbers[5] = all.hash_count;
    page_numbers[6] = all.phase;
    page_numbers[7] = other.round_trip;
    page_numbers[8] = own.line.sent;
    page_numbers[9] = own.line.lost + own.line.overflowed;
    page_numbers[10] = own.line.duplicated;
    page_numbers[11] = own.line.reordered;
    page_numbers[12] = own.game.words[GAME_SCORE];
    page_numbers[13] = own.game.words[GAME_SCORE + 1];
}

/* Numbers: the tally, as `build/lockstep alone` prints it. */
void show_tally(void)
{
    page_numbers[0] = own.seen.count;
    page_numbers[1] = own.seen.all;
    page_numbers[2] = own.seen.late;
}

/* Numbers: where the ball of this player is. */
void show_ball(void)
{
    page_show(0, vsp_body_center(page_run.world,
                                 vsp_body_at(page_run.world,
                                             GAME_FIRST_BALL + own.player)));
}

/* Draws a rectangle on the ground, between low and high x, m. */
static void draw_floor(const vsp_draw *draw, double low, double high,
                       uint32_t color)
{
    const double z = vsp_to_double(GAME_HALF_Z), y = 0.02;
    const vsp_vec3 a = page_vec(low, y, z), b = page_vec(high, y, z);
    const vsp_vec3 c = page_vec(high, y, -z), d = page_vec(low, y, -z);

    draw->triangle(draw->user, a, b, c, color);
    draw->triangle(draw->user, a, c, d, color);
}

void page_draw_goals(const vsp_draw *draw)
{
    const double goal = vsp_to_double(GAME_GOAL);
    const double end = vsp_to_double(GAME_HALF_X);

    draw_floor(draw, goal, end, 0xe87a61u);
    draw_floor(draw, -end, -goal, 0x61a8bdu);
}

/* Returns the hash of the state before a step; -1 if it contains guesses, or is
 * no longer stored. */
double certain_hash(uint32_t step)
{
    vsp_kept state;

    if (step > vsp_rollback_get_stats(own.rollback).confirmed ||
        vsp_rollback_state(own.rollback, step, &state) != VSP_OK)
        return -1.0;
    return state.hash;
}

/* Text: part and field that differ first between both players, empty if it is
 * not known; numbers: step, index, component.  Returns false if they do not
 * differ, or the search for it is not over. */
bool name_desync(void)
{
    vsp_desync found;

    page_text[0] = '\0';
    if (vsp_lockstep_desync(own.lockstep, &found) != VSP_DIVERGED)
        return false;
    if (found.count > 0)
        page_put(page_put(page_text, found.first.part), found.first.field);
    page_numbers[0] = found.step;
    page_numbers[1] = found.first.index;
    page_numbers[2] = found.first.component;
    return true;
}

/* Passes a replay of the step that differs to JavaScript. */
bool record_desync(void)
{
    vsp_record_def def = {0};
    size_t size = 0;

    def.buffer = film;
    def.capacity = sizeof film;
    if (vsp_lockstep_record(own.lockstep, &def, &size) < 0 || size == 0)
        return false;
    page_write(film, (uint32_t)size);
    return true;
}
