/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The demo game: two balls push twelve crates about an arena.  Every fourth
 * crate is heavy.  A crate that reaches an end scores, for player 0 at high x
 * and for player 1 at low x, and is dropped in the middle again.  An input is
 * one byte: direction, jump, dash.  The game needs the engine and no libc, and
 * has 19 bodies (port/template/small.h).  It changes the world only by
 * vsp_record_... calls that depend on world, words and inputs alone, so it can
 * be rolled back, hashed, sent and replayed. */

#ifndef GAME_H
#define GAME_H

#include "../../vsp.h"

#define GAME_PLAYERS 2u
#define GAME_INPUT_BYTES 1u

/* Bits of an input.  Opposite directions are never set together. */
#define GAME_LEFT 1u /* towards low x */
#define GAME_RIGHT 2u
#define GAME_UP 4u /* away, to low z */
#define GAME_DOWN 8u
#define GAME_JUMP 16u /* when on the ground */
#define GAME_DASH 32u /* in the input's direction; then a pause */

/* half sizes of the arena, m; crates score where |x| is more than GAME_GOAL */
#define GAME_HALF_X VSP_R(7.0)
#define GAME_HALF_Z VSP_R(4.5)
#define GAME_GOAL VSP_R(5.5)
#define GAME_BALL VSP_R(0.5)  /* radius of a ball, m */
#define GAME_CRATE VSP_R(0.4) /* half a side of a crate, m */

/* slots of the bodies, after ground and walls */
#define GAME_FIRST_BALL 5u /* slot of player 0's ball; player 1's follows */
#define GAME_FIRST_CRATE 7u
#define GAME_CRATES 12u

/* words of state that are not in the world */
enum {
    GAME_RANDOM = 0, /* state of the generator, never 0 */
    GAME_SCORE = 1,  /* scores of both players */
    GAME_TIRED = 3,  /* of both players: steps until the next dash */
    GAME_WORDS = 5
};

/* Bytes that suffice for any state of the game: 19 bodies with their shapes,
 * and VSP_MAX_CONTACTS of port/template/small.h. */
#define GAME_SNAPSHOT_BYTES 5120u

typedef struct game {
    vsp_world *world;
    uint32_t words[GAME_WORDS];
} game;

/* Returns the settings of the game's world. */
vsp_world_def game_world_def(void);

/* Fills an empty world made with game_world_def.  Returns false if the build's
 * capacities are too small. */
bool game_begin(game *it, vsp_world *world, uint32_t seed);

/* Sets the fields of a rollback_def that the game decides: world, players,
 * input_size, snapshot_size, game words and functions. */
void game_define(game *it, vsp_rollback_def *def);

/* Functions of a rollback; user is the game. */
vsp_status game_step(void *user, vsp_recorder *recorder, const vsp_turn *turn);
bool game_is_input(void *user, uint32_t player, const unsigned char *input);

/* Returns the next number of a xorshift32 generator.  *state must not be 0. */
uint32_t game_random(uint32_t *state);

/* Returns the input of a player that moves at random, a function of the
 * arguments alone. */
unsigned char game_wander(uint32_t seed, uint32_t player, uint32_t step);

/* Returns the input of a simple bot for the present world: it goes behind a
 * crate and pushes the crate to its own goal. */
unsigned char game_bot(const game *it, uint32_t player, uint32_t seed,
                       uint32_t step);

#endif
