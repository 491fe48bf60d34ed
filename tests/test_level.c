/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The game of port/examples/game: that each of its parts works, that bots win
 * it, and that it can be rolled back, sent and played again. */

#include "fixture.h"
#include "port/examples/game/level.h"
#include "port/lockstep/faults.h"

#include <string.h>

#define MOST_STEPS 1600u

static level_game it;
static vsp_recorder recorder;
static level_bot bots[LEVEL_PLAYERS];
static uint32_t step;

/* inputs of both players, of a game that bots played */
static unsigned char script[MOST_STEPS][LEVEL_PLAYERS];


/* ---- A game -------------------------------------------------------------- */

static vsp_stepper stepper; /* of new worlds; 0, the default, is CARRY */

/* Makes the level in a world in buffer `index`. */
static void make_level(level_game *level, uint32_t index, uint32_t first,
                       uint32_t second)
{
    const uint32_t stages[LEVEL_PLAYERS] = {first, second};
    const vsp_recorder off = {0};
    vsp_world_def def = level_world_def();
    vsp_recorder by = off;

    def.stepper = stepper;
    by.world = new_world_at(&def, index, 0);
    CHECK(level_begin(level, &by, stages));
}

static void begin_game(uint32_t first, uint32_t second)
{
    const uint32_t stages[LEVEL_PLAYERS] = {first, second};

    memset(&recorder, 0, sizeof recorder);
    make_level(&it, 0, first, second);
    recorder.world = it.world;
    level_bots_begin(bots, stages);
    step = 0;
}

static void play_keys(unsigned first, unsigned second)
{
    const unsigned char inputs[LEVEL_PLAYERS] = {(unsigned char)first,
                                                 (unsigned char)second};
    vsp_turn turn = {0, 3, false, inputs};

    turn.step = step++;
    CHECK_STATUS(VSP_OK, level_step(&it, &recorder, &turn));
}

/* The first player holds keys for some steps. */
static void hold_keys(unsigned keys, int steps)
{
    while (steps-- > 0)
        play_keys(keys, 0);
}

static void play_bots(void)
{
    unsigned char *inputs = script[step];

    for (uint32_t p = 0; p < LEVEL_PLAYERS; p++)
        inputs[p] = level_bot_input(&bots[p], &it);
    play_keys(inputs[0], inputs[1]);
}

static double hero_x(uint32_t p)
{
    return num(it.players[p].hero.position.x);
}

static double hero_y(uint32_t p)
{
    return num(it.players[p].hero.position.y);
}

static double body_x(uint32_t slot)
{
    return num(vsp_body_center(it.world, level_body(&it, slot)).x);
}

static double body_y(uint32_t slot)
{
    return num(vsp_body_center(it.world, level_body(&it, slot)).y);
}

static double gate_angle(void)
{
    vsp_joint_state state;

    CHECK_STATUS(
        VSP_OK,
        vsp_joint_read(it.world, vsp_joint_at(it.world, LEVEL_HINGE), &state));
    return num(state.place);
}


/* ---- Its parts ----------------------------------------------------------- */

static void heroes_walk_and_jump(void)
{
    double x, top = 0;

    begin_game(LEVEL_START, LEVEL_START);
    hold_keys(0, 10);
    x = hero_x(0);
    hold_keys(LEVEL_LEFT, 30);
    CHECK_NEAR(x - 2.5, hero_x(0), 0.01);
    hold_keys(LEVEL_LEFT | LEVEL_RIGHT, 30);
    CHECK_NEAR(x - 2.5, hero_x(0), 0.01);
    for (int i = 0; i < 40; i++) {
        hold_keys(LEVEL_JUMP, 1);
        top = hero_y(0) > top ? hero_y(0) : top;
    }
    CHECK_NEAR(3.77 + 1.83, top, 0.1); /* v^2 / 2g, less half a step */
    CHECK_NEAR(x + 0.7, hero_x(1), 0.01);
    CHECK(it.players[0].left == 1 && it.players[1].left == 0);
}

/* The gate stops a hero until one is on the plate, and shuts after it. */
static void the_plate_opens_the_gate(void)
{
    begin_game(LEVEL_START, LEVEL_BEFORE_PIT);
    for (int i = 0; i < 90; i++)
        play_keys(0, LEVEL_LEFT);
    CHECK_AT_LEAST(-5.0, hero_x(1));
    CHECK_NEAR(0, gate_angle(), 0.01);
    for (int i = 0; i < 40; i++)
        play_keys(0, LEVEL_RIGHT); /* out of its way */
    hold_keys(LEVEL_RIGHT, 115);   /* pushes the crate onto it */
    hold_keys(0, 45);
    CHECK_NEAR(1.5, gate_angle(), 0.01);
    CHECK_NEAR(-7.5, body_x(LEVEL_CRATE), 1.4);
    for (int i = 0; i < 90; i++)
        play_keys(0, LEVEL_LEFT);
    CHECK_AT_MOST(-5.3, hero_x(1));

    begin_game(LEVEL_START, LEVEL_START);
    hold_keys(LEVEL_RIGHT | LEVEL_JUMP, 60); /* over the crate */
    hold_keys(0, 90);
    CHECK_NEAR(1.5, gate_angle(), 0.01);
    hold_keys(LEVEL_LEFT | LEVEL_JUMP, 60);
    hold_keys(0, 60);
    CHECK_NEAR(0, gate_angle(), 0.01);
}

/* A plank goes down under a hero, and up when he is on the other side. */
static void the_bridge_gives_way(void)
{
    double low = 9, high = 0;

    begin_game(LEVEL_BEFORE_PIT, LEVEL_START);
    hold_keys(0, 60);
    CHECK_NEAR(2.32, body_y(LEVEL_PLANK + 1), 0.02);
    for (int i = 0; i < 120; i++) {
        double y = body_y(LEVEL_PLANK + 1);

        hold_keys(LEVEL_RIGHT, 1);
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    CHECK_AT_MOST(2.305, low);
    CHECK_AT_LEAST(2.5, high);
    CHECK_AT_LEAST(4.5, hero_x(0));
    CHECK_UINT(0, it.players[0].falls);
    CHECK_UINT(LEVEL_BEHIND_PIT, it.players[0].stage);
}

/* Three bullets at most are under way.  Those that hit the upper crate throw it
 * down; each is gone after 40 steps. */
static void bullets_push_crates(void)
{
    double x;
    uint32_t most = 0;

    begin_game(LEVEL_BEHIND_PIT, LEVEL_START);
    x = body_x(LEVEL_CRATE + 2);
    for (int i = 0; i < 140; i++) {
        hold_keys(LEVEL_JUMP | LEVEL_SHOOT, 1);
        if (vsp_world_stats(it.world).body_count > most)
            most = vsp_world_stats(it.world).body_count;
    }
    CHECK_UINT(LEVEL_BODIES, most);
    CHECK_AT_LEAST(x + 0.6, body_x(LEVEL_CRATE + 2));
    CHECK_AT_MOST(4.0, body_y(LEVEL_CRATE + 2));
    hold_keys(0, 41);
    CHECK_UINT(LEVEL_BULLET, vsp_world_stats(it.world).body_count);
}

static void the_lift_carries_a_hero(void)
{
    begin_game(LEVEL_BY_LIFT, LEVEL_START);
    hold_keys(LEVEL_RIGHT, 35);
    hold_keys(0, 120);
    CHECK_NEAR(8.875, body_y(LEVEL_LIFT), 0.001);
    CHECK_NEAR(9.77, hero_y(0), 0.01);
    hold_keys(LEVEL_LEFT, 30);
    hold_keys(0, 120);
    CHECK_NEAR(3.125, body_y(LEVEL_LIFT), 0.001);
    CHECK_NEAR(9.77, hero_y(0), 0.01);
    CHECK_UINT(LEVEL_UPSTAIRS, it.players[0].stage);
}

/* The car goes down into the lava and climbs out; a hero on foot is lost in
 * it. */
static void only_the_car_crosses_lava(void)
{
    double lowest = 99;

    begin_game(LEVEL_UPSTAIRS, LEVEL_UPSTAIRS);
    hold_keys(LEVEL_RIGHT, 5);
    play_keys(LEVEL_USE, 0);
    CHECK_UINT(0, it.players[0].rides); /* too far away */
    hold_keys(LEVEL_LEFT, 10);
    play_keys(LEVEL_USE, 0);
    CHECK_UINT(1, it.players[0].rides);
    for (int i = 0; i < 260; i++) {
        play_keys(LEVEL_LEFT, 0);
        lowest = body_y(LEVEL_CAR) < lowest ? body_y(LEVEL_CAR) : lowest;
    }
    CHECK_AT_MOST(9.3, lowest);
    CHECK_AT_MOST(-5.0, body_x(LEVEL_CAR));
    CHECK_AT_LEAST(9.6, body_y(LEVEL_CAR));
    hold_keys(0, 60);
    play_keys(LEVEL_USE, 0);
    hold_keys(0, 60);
    CHECK_UINT(0, it.players[0].rides);
    CHECK_NEAR(body_x(LEVEL_CAR), hero_x(0), 1.0);
    for (int i = 0; i < 150; i++)
        play_keys(0, LEVEL_LEFT);
    CHECK_AT_LEAST(1, it.players[1].falls);
    CHECK_AT_LEAST(3, hero_x(1));
    CHECK_UINT(0, it.players[0].falls);
}

static void ledges_are_passed_from_below(void)
{
    begin_game(LEVEL_BELOW_FLAG, LEVEL_START);
    hold_keys(LEVEL_LEFT, 12);
    hold_keys(LEVEL_JUMP, 20);
    hold_keys(0, 60);
    CHECK_NEAR(10.6 + 0.77, hero_y(0), 0.01);
    hold_keys(LEVEL_DOWN, 60);
    CHECK_NEAR(9.77, hero_y(0), 0.01);
}

/* A hero that misses the bridge, and crates that leave their places. */
static void what_is_lost_comes_back(void)
{
    const vsp_vec3 down = {VSP_R(0.0), VSP_R(-40.0), VSP_R(0.0)};
    vsp_transform pose = level_pose(level_at(real(1), real(1.2)));

    begin_game(LEVEL_BEFORE_PIT, LEVEL_START);
    vsp_world_set_gravity(it.world, down); /* no jump gets far */
    for (uint32_t i = 0; i < 4; i++)
        vsp_body_destroy(it.world, level_body(&it, LEVEL_PLANK + i));
    hold_keys(LEVEL_RIGHT, 60);
    CHECK_AT_LEAST(1, it.players[0].falls);
    CHECK_AT_MOST(-1, hero_x(0));
    for (uint32_t i = 0; i < LEVEL_CRATES; i++)
        vsp_body_set_transform(it.world, level_body(&it, LEVEL_CRATE + i),
                               pose);
    vsp_body_set_transform(it.world, level_body(&it, LEVEL_CAR), pose);
    hold_keys(0, 2);
    for (uint32_t i = 0; i < LEVEL_CRATES; i++)
        CHECK_NEAR(num(level_crate_place(i).x), body_x(LEVEL_CRATE + i), 0.01);
    CHECK_NEAR(8, body_x(LEVEL_CAR), 0.01);
}

static void refuses_other_inputs(void)
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned char input = (unsigned char)i;

        CHECK(level_is_input(NULL, 0, &input) == (i < 64));
    }
}


/* ---- The whole game ------------------------------------------------------ */

/* Lets bots play to the end, and returns the most bytes of a state. */
static uint32_t play_to_flag(void)
{
    uint32_t most = 0;

    begin_game(LEVEL_START, LEVEL_START);
    while (it.words[LEVEL_WON] == 0 && step < MOST_STEPS) {
        play_bots();
        if (step % 50 == 0 && save_world(it.world, 0) > most)
            most = (uint32_t)save_world(it.world, 0);
    }
    CHECK_UINT(it.words[LEVEL_WON] + 1, step);
    CHECK_AT_MOST(1500, step);
    return most;
}

/* Nobody is lost, and nothing is ever full. */
static void bots_bring_both_to_the_flag(void)
{
    CHECK_AT_MOST(LEVEL_SNAPSHOT_BYTES / 2, play_to_flag());
    for (uint32_t p = 0; p < LEVEL_PLAYERS; p++) {
        CHECK_NEAR(-5, hero_x(p), 1.0);
        CHECK_NEAR(0, num(it.players[p].hero.position.z), 0.02);
        CHECK_UINT(0, it.players[p].falls);
        CHECK_UINT(LEVEL_BELOW_FLAG, it.players[p].stage);
    }
    CHECK_NEAR(1.5, gate_angle(), 0.01);
    CHECK_AT_MOST(-5, body_x(LEVEL_CAR));
    CHECK_AT_LEAST(LEVEL_BULLET + 1, vsp_world_stats(it.world).body_high);
}

static void check_stepper(vsp_stepper which)
{
    stepper = which;
    (void)play_to_flag();
    stepper = VSP_STEPPER_CARRY;
}

static void bots_win_under_each_stepper(void)
{
    each_stepper(check_stepper);
}


/* ---- Rollback, lockstep, hostile words ----------------------------------- */

#define DEPTH 12u
#define KEPT 16u
#define HISTORY 64u

/* Where two players begin, and for how long they play. */
typedef struct part {
    uint32_t first, second, steps;
} part;

/* pushes and the lift; the bridge and ledges; shots and the car */
static const part parts[] = {{0, 3, 130}, {1, 5, 100}, {2, 4, 100}};

/* Lets bots play a part, and writes the script. */
static void write_script(const part *from)
{
    begin_game(from->first, from->second);
    while (step < from->steps)
        play_bots();
}

/* Plays the script, with the inputs of the second player late.  Returns the
 * hash of world and words. */
static uint32_t play_late(const part *from, uint32_t late, uint32_t *again)
{
    VSP_ARENA(memory, VSP_ROLLBACK_BYTES(LEVEL_PLAYERS, 1, KEPT, HISTORY,
                                         LEVEL_SNAPSHOT_BYTES, LEVEL_WORDS));
    vsp_rollback_def def = {0};
    vsp_rollback *roll;
    vsp_kept kept = {0};

    make_level(&it, 0, from->first, from->second);
    level_define(&it, &def);
    def.depth = DEPTH;
    def.kept = KEPT;
    def.history = HISTORY;
    CHECK_STATUS(VSP_OK, vsp_rollback_create(memory.mem, sizeof memory.mem,
                                             &def, 0, &roll));
    for (uint32_t i = 0; i < from->steps + late; i++) {
        if (i < from->steps)
            CHECK_STATUS(VSP_OK, vsp_rollback_input(roll, 0, i, &script[i][0]));
        if (i >= late)
            CHECK_STATUS(VSP_OK, vsp_rollback_input(roll, 1, i - late,
                                                    &script[i - late][1]));
        if (i < from->steps)
            CHECK_STATUS(VSP_OK, vsp_rollback_advance(roll));
    }
    CHECK_STATUS(VSP_OK, vsp_rollback_settle(roll));
    CHECK_STATUS(VSP_OK, vsp_rollback_state(roll, from->steps, &kept));
    *again = vsp_rollback_get_stats(roll).again_count;
    return kept.hash;
}

static void rollbacks_are_exact(void)
{
    for (uint32_t i = 0; i < COUNT_OF(parts); i++) {
        uint32_t hash, world, again;

        write_script(&parts[i]);
        world = vsp_world_hash(it.world);
        hash = play_late(&parts[i], 0, &again);
        CHECK_UINT(0, again);
        CHECK_HEX(world, vsp_world_hash(it.world));
        CHECK_HEX(hash, play_late(&parts[i], 7, &again));
        CHECK_AT_LEAST(10, again);
    }
}

/* A machine of a match. */
typedef struct seat {
    level_game game;
    vsp_lockstep *match;
    faults out; /* the line from here to the other */
} seat;

static seat seats[LEVEL_PLAYERS];

static void take_seat(uint32_t player, const part *from)
{
    VSP_ARENA(memory[LEVEL_PLAYERS],
              VSP_LOCKSTEP_BYTES(LEVEL_PLAYERS, 1, KEPT, HISTORY,
                                 LEVEL_SNAPSHOT_BYTES, LEVEL_WORDS));
    const faults_def rough = {1 + player, 5, 3, 10, 5};
    seat *s = &seats[player];
    vsp_lockstep_def def = {0};

    memset(s, 0, sizeof *s);
    s->out.def = rough;
    make_level(&s->game, player, from->first, from->second);
    level_define(&s->game, &def.rollback);
    def.rollback.depth = DEPTH;
    def.rollback.kept = KEPT;
    def.rollback.history = HISTORY;
    def.player = player;
    def.hash_interval = 8;
    def.peers = 1;
    CHECK_STATUS(VSP_OK, vsp_lockstep_create(memory[player].mem,
                                             sizeof memory[player].mem, &def,
                                             &s->match));
    CHECK_STATUS(VSP_OK, vsp_lockstep_connect(s->match, 0, 1 - player, false));
}

/* Makes a tick, in which a machine plays on unless it is at the end. */
static void tick_seat(uint32_t player, uint32_t end)
{
    seat *s = &seats[player], *other = &seats[1 - player];
    uint32_t at = vsp_lockstep_get_stats(s->match).rollback.step;
    unsigned char message[VSP_MAX_MESSAGE];
    const unsigned char *bytes;
    size_t size;

    while ((bytes = faults_get(&other->out, &size)) != NULL)
        (void)vsp_lockstep_receive(s->match, 0, bytes, size);
    if (at < end)
        CHECK(vsp_lockstep_advance(s->match, &script[at][player]) >= 0);
    else
        CHECK_STATUS(VSP_OK,
                     vsp_rollback_settle(vsp_lockstep_rollback(s->match)));
    CHECK_STATUS(
        VSP_OK, vsp_lockstep_send(s->match, 0, message, sizeof message, &size));
    if (size > 0)
        faults_put(&s->out, message, size);
    faults_tick(&s->out);
}

/* Two machines on a rough line end with the state of a game on one. */
static void matches_are_in_step(void)
{
    for (uint32_t i = 0; i < COUNT_OF(parts); i++) {
        uint32_t hash, again;

        write_script(&parts[i]);
        hash = play_late(&parts[i], 0, &again);
        take_seat(0, &parts[i]);
        take_seat(1, &parts[i]);
        for (uint32_t tick = 0; tick < parts[i].steps + 80; tick++)
            for (uint32_t p = 0; p < LEVEL_PLAYERS; p++)
                tick_seat(p, parts[i].steps);
        for (uint32_t p = 0; p < LEVEL_PLAYERS; p++) {
            vsp_lockstep_stats stats = vsp_lockstep_get_stats(seats[p].match);
            vsp_kept kept = {0};

            CHECK_UINT(parts[i].steps, stats.rollback.confirmed);
            CHECK_AT_LEAST(1, stats.rollback.again_count);
            CHECK_AT_LEAST(3, stats.hash_count);
            CHECK_STATUS(VSP_OK, vsp_rollback_state(
                                     vsp_lockstep_rollback(seats[p].match),
                                     parts[i].steps, &kept));
            CHECK_HEX(hash, kept.hash);
        }
    }
}

/* A machine that joins late gets the words of another.  Any must do. */
static void accepts_any_words(void)
{
    uint32_t seed = 1;

    for (int round = 0; round < 60; round++) {
        begin_game(LEVEL_UPSTAIRS, LEVEL_BELOW_FLAG);
        play_keys(0, 0);
        for (uint32_t i = 0; i < LEVEL_WORDS; i++) {
            seed = seed * 1664525u + 1013904223u;
            if (round % 4 == 0 || seed >> 28 == 0)
                it.words[i] = seed >> 24 & 1u ? seed * 2654435761u
                                              : 0u - (seed >> 25 & 1u);
        }
        for (unsigned i = 0; i < 6; i++)
            play_keys(1u << i, 63u ^ 1u << i);
        CHECK_STATUS(VSP_OK, vsp_world_validate(it.world, NULL));
    }
}

/* Words are the whole state of the players: heroes, too. */
static void words_hold_the_players(void)
{
    level_game before;

    write_script(&parts[0]);
    before = it;
    level_save(&it);
    CHECK_BYTES(before.words, it.words, sizeof it.words);
    memset(&it.players[0].hero.position, 0, sizeof(vsp_vec3));
    it.players[1].keys = it.players[1].stage = 0;
    it.players[0].hero.ground.bits = 0;
    level_load(&it);
    level_save(&it);
    CHECK_BYTES(before.words, it.words, sizeof it.words);
    CHECK_NEAR(num(before.players[0].hero.position.x), hero_x(0), 0);
}

static const test tests[] = {
    TEST(heroes_walk_and_jump),
    TEST(the_plate_opens_the_gate),
    TEST(the_bridge_gives_way),
    TEST(bullets_push_crates),
    TEST(the_lift_carries_a_hero),
    TEST(only_the_car_crosses_lava),
    TEST(ledges_are_passed_from_below),
    TEST(what_is_lost_comes_back),
    TEST(refuses_other_inputs),
    TEST(bots_bring_both_to_the_flag),
    TEST_SLOW(bots_win_under_each_stepper),
    TEST(rollbacks_are_exact),
    TEST(matches_are_in_step),
    TEST(accepts_any_words),
    TEST(words_hold_the_players),
    TEST_END,
};

const test_suite level_suite = {"level", tests};
