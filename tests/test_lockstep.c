/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Peers over a line that is slow, loses, repeats, reorders and changes what
 * it carries: they stay in step, one that comes late too; where they part is
 * named; who breaks the rules is dropped, and changes nothing.
 *
 * Up to three peers play in one process, a step of the test a tick of each.
 * Two players push balls at a small wall. */

#include "help.h"
#include "vsp_internal.h"

#include <stdlib.h>
#include <string.h>

#define SEATS 3u
#define INPUT_SIZE 2u
#define GAME_WORDS 3u
#define DEPTH 30u
#define KEPT 120u
#define HISTORY 600u
#define INTERVAL 20u
#define STATE_BYTES 4096u
#define MOST_STATES 8192u
#define LOCKSTEP_BYTES                                              \
    VSP_LOCKSTEP_BYTES(2, INPUT_SIZE, KEPT, HISTORY, STATE_BYTES, \
                       GAME_WORDS)
#define NEVER 0xffffffffu


/* ---- The game ----------------------------------------------------------- */

typedef struct seat {
    vsp_world *world, *spare;
    vsp_lockstep *lockstep;
    vsp_lockstep_def def;
    uint32_t game[GAME_WORDS];
    vsp_body_id balls[2];
    uint32_t flip_step, flip_body; /* a bit of a velocity, then */
    uint32_t cheat_step;           /* a word of the game, then */
    uint32_t bot;                  /* what its inputs are made of */
    uint32_t ticks;
    uint32_t noted;                /* states before this one are in hashes */
    uint32_t hashes[MOST_STATES];
} seat;

static seat seats[SEATS];
VSP_ARENA(worlds_a[SEATS], VSP_WORLD_BYTES);
VSP_ARENA(worlds_b[SEATS], VSP_WORLD_BYTES);
VSP_ARENA(matches[SEATS], LOCKSTEP_BYTES);

static uint32_t random_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool game_is_input(void *user, uint32_t player,
                          const unsigned char *input)
{
    (void)user;
    return player < 2 && input[0] < 16 && input[1] < 2;
}

/* Flips the lowest bit of a velocity, behind everybody's back. */
static void flip(vsp_world *world, uint32_t body)
{
    uint32_t bits;

    memcpy(&bits, &world->bodies[body].velocity.y, sizeof bits);
    bits ^= 1u;
    memcpy(&world->bodies[body].velocity.y, &bits, sizeof bits);
}

static vsp_status game_step(void *user, vsp_recorder *recorder,
                            const vsp_turn *turn)
{
    seat *s = user;
    vsp_status status;

    for (uint32_t p = 0; p < 2; p++) {
        const unsigned char *input = turn->inputs + INPUT_SIZE * p;
        vsp_vec3 push = {0, 0, 0};

        push.x = real((input[0] & 1 ? 2.0 : 0) - (input[0] & 2 ? 2.0 : 0));
        push.z = real((input[0] & 4 ? 2.0 : 0) - (input[0] & 8 ? 2.0 : 0));
        push.y = real(input[1] ? 1.0 : 0);
        if (input[0] != 0 || input[1] != 0)
            vsp_record_body_apply_center_impulse(recorder, s->balls[p], push);
        s->game[p] += input[1];
    }
    s->game[2] = s->game[2] * 3u + turn->inputs[0] + turn->inputs[2];
    status = vsp_record_step(recorder);
    if (turn->step == s->flip_step)
        flip(recorder->world, s->flip_body);
    if (turn->step == s->cheat_step)
        s->game[1] ^= 4u;
    return status;
}

static vsp_world *make_world(void *memory)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world = NULL;

    def.capacity.bodies = def.capacity.shapes = 16;
    def.capacity.pairs = def.capacity.manifolds = 64;
    def.capacity.contacts = 128;
    CHECK_STATUS(VSP_OK, vsp_world_create(memory, VSP_WORLD_BYTES, &def,
                                          &world));
    return world;
}

static void fill_world(seat *s)
{
    add_ground(s->world);
    s->balls[0] = add_body(s->world, VSP_DYNAMIC, vsp_sphere(real(0.4)), -3,
                           0.4, 0);
    s->balls[1] = add_body(s->world, VSP_DYNAMIC, vsp_sphere(real(0.4)), 3,
                           0.4, 0);
    for (int i = 0; i < 4; i++)
        add_body(s->world, VSP_DYNAMIC,
                 vsp_box(real(0.3), real(0.3), real(0.3)), 0, 0.3 + i % 2 * 0.6,
                 i / 2 * 0.8);
}

static vsp_lockstep_def def_of(seat *s, uint32_t player)
{
    vsp_lockstep_def def = {0};

    def.rollback.world = s->world;
    def.rollback.players = 2;
    def.rollback.input_size = INPUT_SIZE;
    def.rollback.depth = DEPTH;
    def.rollback.kept = KEPT;
    def.rollback.history = HISTORY;
    def.rollback.snapshot_size = STATE_BYTES;
    def.rollback.game = s->game;
    def.rollback.game_words = GAME_WORDS;
    def.rollback.step = game_step;
    def.rollback.is_input = game_is_input;
    def.rollback.user = s;
    def.session = 7;
    def.player = player;
    def.delay = 2;
    def.hash_interval = INTERVAL;
    def.peers = 2;
    def.spare = s->spare;
    return def;
}

/* A seat with a world and a def, but no match yet. */
static seat *new_seat(uint32_t index, uint32_t player)
{
    seat *s = &seats[index];

    memset(s, 0, sizeof *s);
    s->world = make_world(worlds_a[index].mem);
    s->spare = make_world(worlds_b[index].mem);
    fill_world(s);
    s->bot = 1000u + index;
    s->flip_step = s->cheat_step = NEVER;
    s->def = def_of(s, player);
    return s;
}

static vsp_lockstep *sit(seat *s)
{
    memset(matches[s - seats].mem, 0xdd, LOCKSTEP_BYTES);
    CHECK_STATUS(VSP_OK, vsp_lockstep_create(matches[s - seats].mem,
                                             LOCKSTEP_BYTES, &s->def,
                                             &s->lockstep));
    s->noted = vsp_lockstep_get_stats(s->lockstep).rollback.step;
    return s->lockstep;
}

static void connect(uint32_t a, uint32_t peer, uint32_t player, bool is_relay)
{
    CHECK_STATUS(VSP_OK, vsp_lockstep_connect(seats[a].lockstep, peer, player,
                                              is_relay));
}

/* Two players in seats 0 and 1, each the other's peer 0. */
static void sit_two(void)
{
    new_seat(0, 0);
    new_seat(1, 1);
}

static void start_two(void)
{
    sit(&seats[0]);
    sit(&seats[1]);
    connect(0, 0, 1, false);
    connect(1, 0, 0, false);
}


/* ---- The line ----------------------------------------------------------- */

#define FLYING 2048u

typedef struct packet {
    uint32_t due; /* tick; 0: free */
    uint32_t to, peer;
    size_t size;
    unsigned char bytes[VSP_MAX_MESSAGE];
} packet;

static packet flying[FLYING];

static struct {
    uint32_t latency, jitter; /* ticks */
    uint32_t loss, again, damage; /* per cent */
    uint32_t capacity; /* bytes of a message */
    uint32_t random, now;
    uint32_t biggest, bytes, count; /* what was sent */
} line;

static void quiet_line(void)
{
    memset(&line, 0, sizeof line);
    memset(flying, 0, sizeof flying);
    line.capacity = 256;
    line.random = 5;
    line.now = 1;
}

static void rough_line(void)
{
    quiet_line();
    line.latency = 8;
    line.jitter = 5;
    line.loss = 10;
    line.again = 5;
    line.damage = 2;
}

static bool happens(uint32_t percent)
{
    return random_of(&line.random) % 100u < percent;
}

static void fly(uint32_t to, uint32_t peer, const unsigned char *bytes,
                size_t size)
{
    uint32_t i = 0;

    while (i < FLYING && flying[i].due != 0)
        i++;
    if (!CHECK(i < FLYING) || happens(line.loss))
        return;
    flying[i].to = to;
    flying[i].peer = peer;
    flying[i].size = size;
    flying[i].due = line.now + line.latency;
    if (line.jitter > 0)
        flying[i].due += random_of(&line.random) % (line.jitter + 1u);
    memcpy(flying[i].bytes, bytes, size);
    if (happens(line.damage))
        flying[i].bytes[random_of(&line.random) % size] ^=
            (unsigned char)(1u << random_of(&line.random) % 8u);
}

/* Sends what `from` has to say to its peer, who is seat `to` and has `from`
 * as its peer `back`. */
static void say(uint32_t from, uint32_t peer, uint32_t to, uint32_t back)
{
    unsigned char bytes[VSP_MAX_MESSAGE];
    size_t size;

    if (seats[from].lockstep == NULL || seats[to].lockstep == NULL)
        return;
    CHECK_STATUS(VSP_OK, vsp_lockstep_send(seats[from].lockstep, peer, bytes,
                                           line.capacity, &size));
    if (size == 0)
        return;
    line.count++;
    line.bytes += (uint32_t)size;
    if (size > line.biggest)
        line.biggest = (uint32_t)size;
    fly(to, back, bytes, size);
    if (happens(line.again))
        fly(to, back, bytes, size);
}

static void hear(uint32_t to)
{
    for (uint32_t i = 0; i < FLYING; i++) {
        packet *p = &flying[i];

        if (p->due == 0 || p->due > line.now || p->to != to)
            continue;
        p->due = 0;
        (void)vsp_lockstep_receive(seats[to].lockstep, p->peer, p->bytes,
                                   p->size);
    }
}


/* ---- Ticks -------------------------------------------------------------- */

/* Random walk of a bot: holds a direction for some steps. */
static void bot_input(seat *s, unsigned char *input)
{
    uint32_t when = s->ticks / 12u;
    uint32_t bits = (when * 2654435761u ^ s->bot * 40503u) >> 7;

    input[0] = (unsigned char)(bits & 15u);
    input[1] = (unsigned char)((bits >> 4 & 3u) == 0);
}

static void note_hashes(seat *s)
{
    vsp_rollback *rollback = vsp_lockstep_rollback(s->lockstep);
    vsp_rollback_stats stats = vsp_rollback_get_stats(rollback);
    vsp_kept kept;

    for (; s->noted <= stats.confirmed && s->noted < MOST_STATES; s->noted++)
        if (vsp_rollback_state(rollback, s->noted, &kept) == VSP_OK)
            s->hashes[s->noted] = kept.hash;
}

static vsp_status tick_seat(uint32_t index)
{
    seat *s = &seats[index];
    unsigned char input[INPUT_SIZE];
    vsp_status status;

    hear(index);
    s->ticks++;
    bot_input(s, input);
    status = vsp_lockstep_advance(s->lockstep, input);
    note_hashes(s);
    return status;
}

/* A tick of both players. */
static void tick_two(void)
{
    tick_seat(0);
    say(0, 0, 1, 0);
    tick_seat(1);
    say(1, 0, 0, 0);
    line.now++;
}

static uint32_t confirmed(uint32_t index)
{
    return vsp_lockstep_get_stats(seats[index].lockstep).rollback.confirmed;
}

static vsp_phase phase(uint32_t index)
{
    return vsp_lockstep_get_stats(seats[index].lockstep).phase;
}

static void play_two(uint32_t steps)
{
    uint32_t ticks = 0;

    while ((confirmed(0) < steps || confirmed(1) < steps) &&
           ticks++ < 3u * steps + 500u)
        tick_two();
    CHECK_AT_LEAST(steps, confirmed(0));
    CHECK_AT_LEAST(steps, confirmed(1));
}

/* Checks that two peers had the same states, from `first` on. */
static void check_same(uint32_t a, uint32_t b, uint32_t first)
{
    uint32_t end = seats[a].noted < seats[b].noted ? seats[a].noted
                                                   : seats[b].noted;
    uint32_t unequal = 0;

    for (uint32_t step = first; step < end; step++)
        unequal += seats[a].hashes[step] != seats[b].hashes[step];
    CHECK_UINT(0, unequal);
    CHECK(end > first);
    CHECK_UINT(VSP_PHASE_PLAYING, phase(a));
    CHECK_UINT(VSP_PHASE_PLAYING, phase(b));
    CHECK(vsp_lockstep_get_stats(seats[a].lockstep).hash_count > 0);
}


/* ---- In step ------------------------------------------------------------ */

static void two_stay_in_step(void)
{
    rough_line();
    sit_two();
    start_two();
    play_two(2000);
    check_same(0, 1, 0);
    CHECK_AT_MOST(256, line.biggest);
    CHECK_AT_LEAST(1, vsp_lockstep_get_stats(seats[0].lockstep)
                          .rollback.deepest);
}

static const test tests[] = {
    TEST(two_stay_in_step),
    TEST_END,
};

const test_room lockstep_room = {"lockstep", tests};
