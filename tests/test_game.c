/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The demo game and the simulated network of port/lockstep. */

#include <string.h>

#include "fixture.h"
#include "port/lockstep/faults.h"
#include "port/lockstep/game.h"


/* ---- The game ----------------------------------------------------------- */

static game it;
static vsp_recorder recorder;

static void begin_game(void)
{
    vsp_world_def def = game_world_def();

    memset(&recorder, 0, sizeof recorder);
    recorder.world = new_world_of(&def);
    CHECK(game_begin(&it, recorder.world, 1));
}

static void play_turn(uint32_t number, unsigned one, unsigned two)
{
    unsigned char inputs[GAME_PLAYERS];
    vsp_turn turn = {0, 3, false, inputs};

    turn.step = number;
    inputs[0] = (unsigned char)one;
    inputs[1] = (unsigned char)two;
    CHECK_STATUS(VSP_OK, game_step(&it, &recorder, &turn));
}

static double ball_x(uint32_t player)
{
    return num(vsp_body_center(it.world,
                               vsp_body_at(it.world, GAME_FIRST_BALL + player))
                   .x);
}

static void inputs_do_what_they_say(void)
{
    double before;

    begin_game();
    before = ball_x(0);
    for (uint32_t i = 0; i < 30; i++)
        play_turn(i, GAME_LEFT, GAME_RIGHT | GAME_JUMP);
    CHECK_AT_MOST(before - 1, ball_x(0));
    CHECK_AT_LEAST(-before + 1, ball_x(1));
    CHECK(vsp_body_center(it.world, vsp_body_at(it.world, GAME_FIRST_BALL + 1))
              .y > VSP_R(1.0));
    before = ball_x(0);
    for (uint32_t i = 30; i < 40; i++)
        play_turn(i, GAME_RIGHT | GAME_DASH, 0);
    CHECK_AT_LEAST(before + 1, ball_x(0));
    CHECK(it.words[GAME_TIRED] > 0);
}

static void refuses_inputs_that_nobody_has(void)
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned char input = (unsigned char)i;
        bool is_good = i < 64 && (i & 3) != 3 && (i & 12) != 12;

        CHECK(game_is_input(NULL, 0, &input) == is_good);
    }
}

/* Bots must score, no player may get lost, and the world may never be full. */
static void is_played_by_bots(void)
{
    uint32_t most = 0;

    begin_game();
    for (uint32_t i = 0; i < 7200; i++) {
        static unsigned char keys[GAME_PLAYERS];

        for (uint32_t p = 0; p < GAME_PLAYERS && i % 8 == 0; p++) {
            keys[p] = i < 3600 ? game_bot(&it, p, 1, i) : game_wander(1, p, i);
            CHECK(game_is_input(NULL, p, &keys[p]));
        }
        play_turn(i, keys[0], keys[1]);
        most = (uint32_t)save_world(it.world, 0) > most
                   ? (uint32_t)save_world(it.world, 0)
                   : most;
    }
    CHECK_UINT(GAME_FIRST_CRATE + GAME_CRATES,
               vsp_world_stats(it.world).body_count);
    CHECK_AT_MOST(GAME_SNAPSHOT_BYTES, most);
    CHECK_AT_LEAST(5, it.words[GAME_SCORE]);
    CHECK_AT_LEAST(5, it.words[GAME_SCORE + 1]);
    for (uint32_t i = GAME_FIRST_BALL; i < GAME_FIRST_CRATE + GAME_CRATES;
         i++) {
        vsp_vec3 at = vsp_body_center(it.world, vsp_body_at(it.world, i));

        CHECK_NEAR(0, num(at.x), num(GAME_HALF_X));
        CHECK_NEAR(0, num(at.z), num(GAME_HALF_Z));
    }
}


/* ---- The network -------------------------------------------------------- */

static faults net;

/* Sends 2,000 numbered datagrams, one a tick.  Returns the number that
 * arrived. */
static uint32_t send_all(const faults_def *def)
{
    uint32_t count = 0;

    memset(&net, 0, sizeof net);
    net.def = *def;
    for (uint32_t tick = 0; tick < 2100; tick++) {
        const unsigned char *bytes;
        size_t size;

        if (tick < 2000)
            faults_put(&net, &tick, sizeof tick);
        while ((bytes = faults_get(&net, &size)) != NULL) {
            uint32_t sent;

            CHECK_UINT(sizeof sent, (uint32_t)size);
            memcpy(&sent, bytes, sizeof sent);
            CHECK_AT_LEAST(sent + (double)def->latency - def->jitter, tick);
            CHECK_AT_MOST(sent + (double)def->latency + def->jitter, tick);
            count++;
        }
        faults_tick(&net);
    }
    return count;
}

static void a_good_network_is_good(void)
{
    static const faults_def def = {1, 3, 0, 0, 0};

    CHECK_UINT(2000, send_all(&def));
    CHECK_UINT(0, net.reordered);
}

static void a_bad_one_does_what_it_is_told(void)
{
    static const faults_def def = {7, 12, 5, 10, 5};
    uint32_t count = send_all(&def);

    CHECK_NEAR(200, net.lost, 60);
    CHECK_NEAR(90, net.duplicated, 40);
    CHECK_AT_LEAST(500, net.reordered);
    CHECK_UINT(2000 - net.lost + net.duplicated, count);
    CHECK_UINT(count, send_all(&def));
}

static const test tests[] = {
    TEST(inputs_do_what_they_say),
    TEST(refuses_inputs_that_nobody_has),
    TEST(is_played_by_bots),
    TEST(a_good_network_is_good),
    TEST(a_bad_one_does_what_it_is_told),
    TEST_END,
};

const test_suite game_suite = {"game", tests};
