/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The demo game: two balls push twelve crates about an arena, some of them
 * heavy.  A crate that gets to an end scores, for player 0 at high x and for
 * player 1 at low x, and is dropped in the middle again.  An input is one byte:
 * direction, jump, dash.  The game needs the engine and no libc, and takes 19
 * bodies (port/template/small.h).  It steps only by calls with "record", from
 * world, words and inputs, so that it can be taken back, hashed, sent and
 * replayed. */

#ifndef GAME_H
#define GAME_H

#include "../../vsp.h"

#define GAME_PLAYERS 2u
#define GAME_INPUT_BYTES 1u

/* bits of an input; never left and right, or up and down, at once */
#define GAME_LEFT 1u /* to low x */
#define GAME_RIGHT 2u
#define GAME_UP 4u /* away, to low z */
#define GAME_DOWN 8u
#define GAME_JUMP 16u /* when on the ground */
#define GAME_DASH 32u /* in its direction; then not for a while */

/* the arena, m: |x| and |z| are less; crates score at its ends, beyond
 * GAME_GOAL */
#define GAME_HALF_X VSP_R(7.0)
#define GAME_HALF_Z VSP_R(4.5)
#define GAME_GOAL VSP_R(5.5)
#define GAME_BALL VSP_R(0.5)  /* radius, m */
#define GAME_CRATE VSP_R(0.4) /* half of a side, m */

/* slots of the bodies: ground and walls come first */
#define GAME_FIRST_BALL 5u /* of player 0; that of player 1 follows */
#define GAME_FIRST_CRATE 7u
#define GAME_CRATES 12u

/* the words that are state, beside the world */
enum {
    GAME_RANDOM = 0, /* never 0 */
    GAME_SCORE = 1,  /* of each player */
    GAME_TIRED = 3,  /* of each player: steps until it can dash again */
    GAME_WORDS = 5
};

/* room for any state of the game, bytes: 19 bodies with their shapes, and the
 * contact points that VSP_MAX_CONTACTS of port/template/small.h allows */
#define GAME_SNAPSHOT_BYTES 5120u

typedef struct game {
    vsp_world *world;
    uint32_t words[GAME_WORDS];
} game;

/* Returns the settings of the game's world. */
vsp_world_def game_world_def(void);

/* Fills an empty world made with game_world_def.  Returns false when the build
 * has too little room. */
bool game_begin(game *it, vsp_world *world, uint32_t seed);

/* Sets the fields of a rollback_def that the game decides: world, players,
 * input_size, snapshot_size, game words and functions. */
void game_define(game *it, vsp_rollback_def *def);

/* the functions: user is the game */
vsp_status game_step(void *user, vsp_recorder *recorder, const vsp_turn *turn);
bool game_is_input(void *user, uint32_t player, const unsigned char *input);

/* Returns the next number of a generator, xorshift32; its state is never 0. */
uint32_t game_random(uint32_t *state);

/* Returns a player's input of a step, from these numbers alone: it wanders. */
unsigned char game_wander(uint32_t seed, uint32_t player, uint32_t step);

/* Returns the input of a simple player, from the present world: it goes behind
 * a crate and pushes it to its goal. */
unsigned char game_bot(const game *it, uint32_t player, uint32_t seed,
                       uint32_t step);

#endif
