/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A game for two: bring both heroes to the flag.  A crate on a plate opens the
 * gate, a bridge of ropes and planks crosses a pit, a crate that stands too
 * high must be shot away, a lift goes up, a car crosses lava, and one-way
 * ledges lead to the flag.  It is a side view: nothing leaves the plane z = 0.
 *
 * These files need the engine and no libc.  The rules (play.c, machines.c)
 * change the world only by vsp_record_... calls that depend on world, words and
 * inputs alone, so the game can be rolled back, hashed, sent and replayed. What
 * the world does not hold, as the heroes, is in the words, in the same form on
 * all machines.
 *
 * A level is 32 m wide and fits in a world of 32 bodies, 32 shapes and 8
 * joints. */

#ifndef LEVEL_H
#define LEVEL_H

#include "vsp.h"

#define LEVEL_PLAYERS 2u
#define LEVEL_INPUT_BYTES 1u

/* Bits of an input.  Left and right together are neither. */
#define LEVEL_LEFT 1u
#define LEVEL_RIGHT 2u
#define LEVEL_JUMP 4u
#define LEVEL_DOWN 8u /* drops through ledges */
#define LEVEL_SHOOT 16u
#define LEVEL_USE 32u /* enters or leaves the car */

/* slots of the bodies */
enum {
    LEVEL_ROOMS = 0, /* all that does not move */
    LEVEL_HERO = 1,  /* kinematic, of both players */
    LEVEL_GATE = 3,
    LEVEL_LIFT = 4,
    LEVEL_CAR = 5,
    LEVEL_WHEEL = 6, /* rear, front */
    LEVEL_PLANK = 8,
    LEVEL_CRATE = 12, /* for the plate; the lower and the upper of the stack */
    LEVEL_BULLET = 15,
    LEVEL_BODIES = 18
};

#define LEVEL_CRATES 3u
#define LEVEL_BULLETS 3u

/* slots of joints */
#define LEVEL_HINGE 0u /* of the gate */
#define LEVEL_AXLE 1u  /* of both wheels */

/* categories of shapes; SOLID are all that stop a hero or a bullet */
enum {
    LEVEL_WALLS = 1,
    LEVEL_LEDGES = 2, /* one way */
    LEVEL_HEROES = 4,
    LEVEL_LOOSE = 8,
    LEVEL_CARS = 16,
    LEVEL_SHOTS = 32,
    LEVEL_SOLID = LEVEL_WALLS | LEVEL_LEDGES | LEVEL_LOOSE | LEVEL_CARS
};

/* m: half sizes, radii, and where things are */
#define LEVEL_HERO_RADIUS VSP_R(0.3)
#define LEVEL_HERO_HALF VSP_R(0.45) /* without the caps */
#define LEVEL_FLAG_X VSP_R(-5.0)
#define LEVEL_FLAG_Y VSP_R(12.2)
#define LEVEL_LIFT_LOW VSP_R(3.125)
#define LEVEL_LIFT_HIGH VSP_R(8.875)
#define LEVEL_LAVA_LOW VSP_R(-4.5)
#define LEVEL_LAVA_HIGH VSP_R(3.0)
#define LEVEL_LAVA_Y VSP_R(8.9)

/* Places where a hero starts, and starts again when it is lost, in the order in
 * which it reaches them. */
enum {
    LEVEL_START = 0,
    LEVEL_BEFORE_PIT = 1,
    LEVEL_BEHIND_PIT = 2,
    LEVEL_BY_LIFT = 3,
    LEVEL_UPSTAIRS = 4,
    LEVEL_BELOW_FLAG = 5,
    LEVEL_STAGES = 6
};

typedef struct level_player {
    vsp_character hero;
    uint32_t keys;   /* the last input */
    uint32_t stage;  /* where it starts again */
    uint32_t rides;  /* 1 in the car, else 0 */
    uint32_t left;   /* 1 if it looks left, else 0 */
    uint32_t reload; /* steps until it can shoot again */
    uint32_t falls;  /* times that it started again */
} level_player;

/* The words of a player: its numbers above, and 22 of its hero, of which 19 are
 * reals. */
#define LEVEL_REAL_WORDS (VSP_FIXED ? 2u : 1u)
#define LEVEL_PLAYER_WORDS (9u + 19u * LEVEL_REAL_WORDS)
#define LEVEL_WON (LEVEL_PLAYERS * LEVEL_PLAYER_WORDS)
#define LEVEL_WORDS (LEVEL_WON + 1u)

/* Bytes that suffice for the world in any state. */
#define LEVEL_SNAPSHOT_BYTES 12288u

typedef struct level_game {
    vsp_world *world;
    uint32_t words[LEVEL_WORDS]; /* all state that is not in the world; last the
                                    number of the step that won, or 0 */
    level_player players[LEVEL_PLAYERS]; /* to read: what the words say */
} level_game;


/* ---- level.c ------------------------------------------------------------- */

/* Returns the settings of the level's world. */
vsp_world_def level_world_def(void);

/* Fills an empty world made with level_world_def.  The game starts at stages 0;
 * tests start at others.  Returns false if the build is too small. */
bool level_begin(level_game *it, vsp_recorder *recorder,
                 const uint32_t stages[LEVEL_PLAYERS]);

/* Returns where a hero of a player starts at a stage, m: the middle of its
 * capsule. */
vsp_vec3 level_start(uint32_t player, uint32_t stage);

/* Returns a position. */
vsp_vec3 level_at(vsp_real x, vsp_real y);

/* Returns the pose at a position, without a rotation. */
vsp_transform level_pose(vsp_vec3 at);

/* Return where a part of the car, 0 to 2, and a crate begin. */
vsp_transform level_car_pose(uint32_t part);
vsp_vec3 level_crate_place(uint32_t crate);

/* Returns a body by its slot. */
vsp_body_id level_body(const level_game *it, uint32_t slot);

/* Returns the shape that senses what is on the plate. */
vsp_shape_id level_plate(const level_game *it);


/* ---- words.c ------------------------------------------------------------- */

/* Writes the players to the words, or reads them from there, where any words
 * are accepted. */
void level_save(level_game *it);
void level_load(level_game *it);


/* ---- play.c -------------------------------------------------------------- */

/* Does what the inputs of both players say, before a step.  Returns the first
 * status that is an error. */
vsp_status level_act(level_game *it, vsp_recorder *recorder,
                     const unsigned char *inputs);

/* The functions of a rollback; user is the level. */
vsp_status level_step(void *user, vsp_recorder *recorder, const vsp_turn *turn);
bool level_is_input(void *user, uint32_t player, const unsigned char *input);

/* Sets the fields of a rollback_def that the level decides: world, players,
 * input_size, snapshot_size, words and functions. */
void level_define(level_game *it, vsp_rollback_def *def);


/* ---- bot.c --------------------------------------------------------------- */

/* A player that needs no person.  It is not part of the state: it only makes
 * inputs. */
typedef struct level_bot {
    uint32_t player;
    uint32_t next;  /* its next task */
    uint32_t ticks; /* that it works on this one */
    uint32_t falls; /* of its hero, which it knows of */
    bool is_alone;  /* does not wait for the other player */
} level_bot;

/* Makes bots for players that start at these stages.  Each plays alone if they
 * differ. */
void level_bots_begin(level_bot bots[LEVEL_PLAYERS],
                      const uint32_t stages[LEVEL_PLAYERS]);

/* Returns the input for the present world. */
unsigned char level_bot_input(level_bot *bot, const level_game *it);

#endif
