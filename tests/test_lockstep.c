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
    uint32_t joined;               /* step of the state that it got */
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

/* ---- Who talks to whom -------------------------------------------------- */

typedef struct link {
    uint32_t from, peer, to, back; /* seats, and what they call each other */
} link;

static link links[8];
static uint32_t link_count;

/* Opens a slot of a for b. */
static void connect(uint32_t a, uint32_t peer, uint32_t b, bool is_relay)
{
    CHECK_STATUS(VSP_OK, vsp_lockstep_connect(seats[a].lockstep, peer,
                                              seats[b].def.player, is_relay));
}

static void add_link(uint32_t from, uint32_t peer, uint32_t to, uint32_t back)
{
    link l = {from, peer, to, back};

    links[link_count++] = l;
}

/* Connects two that sit, neither a relay. */
static void join_seats(uint32_t a, uint32_t a_peer, uint32_t b,
                       uint32_t b_peer)
{
    connect(a, a_peer, b, false);
    connect(b, b_peer, a, false);
    add_link(a, a_peer, b, b_peer);
    add_link(b, b_peer, a, a_peer);
}

/* Two players in seats 0 and 1, each the other's peer 0; their defs may be
 * changed before start_two. */
static void new_two(void)
{
    memset(seats, 0, sizeof seats);
    link_count = 0;
    new_seat(0, 0);
    new_seat(1, 1);
}

static void start_two(void)
{
    sit(&seats[0]);
    sit(&seats[1]);
    join_seats(0, 0, 1, 0);
}

/* A watcher in seat 2, whose peer 0 is player 0, who calls it 1. */
static void add_watcher(bool is_late)
{
    seat *s = new_seat(2, VSP_WATCHER);

    s->def.is_late = is_late;
    s->def.peers = 1;
    sit(s);
    join_seats(0, 1, 2, 0);
    connect(2, 0, 0, true);
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

static uint32_t confirmed(uint32_t index)
{
    return vsp_lockstep_get_stats(seats[index].lockstep).rollback.confirmed;
}

static vsp_phase phase(uint32_t index)
{
    return vsp_lockstep_get_stats(seats[index].lockstep).phase;
}

static vsp_status tick_seat(uint32_t index)
{
    seat *s = &seats[index];
    unsigned char input[INPUT_SIZE];
    vsp_status status;
    vsp_phase was;

    hear(index);
    s->ticks++;
    bot_input(s, input);
    was = phase(index);
    status = vsp_lockstep_advance(s->lockstep, input);
    if (was == VSP_PHASE_JOINING && phase(index) == VSP_PHASE_PLAYING)
        s->joined = confirmed(index);
    note_hashes(s);
    for (uint32_t i = 0; i < link_count; i++)
        if (links[i].from == index)
            say(index, links[i].peer, links[i].to, links[i].back);
    return status;
}

/* A tick of all. */
static void tick_all(void)
{
    for (uint32_t i = 0; i < SEATS; i++)
        if (seats[i].lockstep != NULL)
            (void)tick_seat(i);
    line.now++;
}

static void tick_times(uint32_t count)
{
    while (count-- > 0)
        tick_all();
}

/* Whether all that sit have come so far. */
static bool all_reached(uint32_t step)
{
    for (uint32_t i = 0; i < SEATS; i++)
        if (seats[i].lockstep != NULL && confirmed(i) < step)
            return false;
    return true;
}

static void play_to(uint32_t step)
{
    uint32_t ticks = 0;

    while (!all_reached(step) && ticks++ < 3u * step + 500u)
        tick_all();
    CHECK(all_reached(step));
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
    vsp_lockstep_stats stats;

    rough_line();
    new_two();
    start_two();
    play_to(2000);
    check_same(0, 1, 0);
    stats = vsp_lockstep_get_stats(seats[0].lockstep);
    CHECK_AT_MOST(256, line.biggest);
    CHECK_AT_MOST(190, line.bytes / line.count);
    CHECK_AT_LEAST(1, stats.rollback.deepest);
    CHECK_AT_LEAST(2000 / INTERVAL, stats.hash_count);
    CHECK_AT_MOST(2100, stats.tick_count);
    CHECK_AT_MOST(8, stats.longest_wait);
}

static void long_match_stays_in_step(void)
{
    rough_line();
    line.latency = 12;
    new_two();
    start_two();
    play_to(8000);
    check_same(0, 1, 0);
}

/* One way after the other of playing with a delay or without guesses. */
static void delays_and_depths(void)
{
    static const struct {
        uint32_t delay, depth, kept, interval;
    } ways[] = {
        {0, 30, 120, 20}, {1, 10, 60, 1},  {3, 8, 40, 7}, {12, 0, 40, 20},
        {0, 0, 2, 1},     {2, 1, 100, 50}, {5, 30, 31, 15},
    };

    for (uint32_t i = 0; i < COUNT_OF(ways); i++) {
        test_note("way %u", (unsigned)i);
        rough_line();
        new_two();
        for (uint32_t k = 0; k < 2; k++) {
            seats[k].def.delay = ways[i].delay;
            seats[k].def.rollback.depth = ways[i].depth;
            seats[k].def.rollback.kept = ways[i].kept;
            seats[k].def.hash_interval = ways[i].interval;
        }
        start_two();
        tick_times(600);
        check_same(0, 1, 0);
        CHECK_AT_LEAST(20, confirmed(0));
        CHECK_AT_LEAST(20 / ways[i].interval,
                       vsp_lockstep_get_stats(seats[1].lockstep).hash_count);
    }
}

/* Peers of different delay and depth, of which each knows only its own. */
static void unlike_peers_stay_in_step(void)
{
    rough_line();
    new_two();
    seats[0].def.delay = 0;
    seats[1].def.delay = 6;
    seats[1].def.rollback.depth = 4;
    seats[1].def.rollback.kept = 41;
    start_two();
    play_to(600);
    check_same(0, 1, 0);
}

/* The faster of two clocks skips ticks instead of running to where it has
 * to guess as far as it may. */
static void unequal_clocks_are_evened_out(void)
{
    vsp_lockstep_stats slow, fast;

    rough_line();
    new_two();
    start_two();
    for (uint32_t tick = 0; tick < 3000; tick++) {
        tick_all();
        if (tick % 50 == 0)
            (void)tick_seat(1);
    }
    check_same(0, 1, 0);
    slow = vsp_lockstep_get_stats(seats[0].lockstep);
    fast = vsp_lockstep_get_stats(seats[1].lockstep);
    CHECK_AT_LEAST(3000 - 50, slow.rollback.step);
    CHECK_AT_LEAST(30, fast.wait_count);
    CHECK_AT_MOST(30, slow.wait_count);
    CHECK_AT_MOST(2, fast.longest_wait);
    CHECK_AT_MOST(26, fast.rollback.deepest);
}

/* A line that is dead for two seconds stops both, and nothing worse. */
static void outage_is_waited_out(void)
{
    vsp_lockstep_stats stats;

    rough_line();
    new_two();
    start_two();
    play_to(300);
    line.loss = 100;
    tick_times(120);
    line.loss = 10;
    stats = vsp_lockstep_get_stats(seats[0].lockstep);
    CHECK_AT_MOST(DEPTH, stats.rollback.step - stats.rollback.confirmed);
    CHECK_AT_LEAST(60, stats.longest_wait);
    play_to(800);
    check_same(0, 1, 0);
}


/* ---- Watchers, those that come late, those that come back ---------------- */

static void watcher_follows(void)
{
    rough_line();
    new_two();
    start_two();
    add_watcher(false);
    play_to(600);
    check_same(0, 1, 0);
    check_same(0, 2, 0);
    CHECK_UINT(0, vsp_lockstep_get_stats(seats[2].lockstep)
                      .rollback.rollback_count);
}

static void late_watcher_joins(void)
{
    rough_line();
    new_two();
    start_two();
    play_to(400);
    add_watcher(true);
    CHECK_UINT(VSP_PHASE_JOINING, phase(2));
    tick_times(300);
    CHECK_AT_LEAST(400, seats[2].joined);
    CHECK_AT_MOST(40, (double)confirmed(0) - confirmed(2));
    check_same(0, 2, seats[2].joined);
    check_same(0, 1, 0);
}

/* Of 256 bytes a tick, over a line that is slow as well. */
static void late_watcher_of_a_big_world_joins(void)
{
    rough_line();
    new_two();
    for (int i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 2; k++)
            add_body(seats[k].world, VSP_DYNAMIC, vsp_sphere(real(0.25)),
                     i * 0.6, 0.4 + i * 0.01, 5);
    start_two();
    play_to(100);
    add_watcher(true);
    tick_times(400);
    CHECK_AT_LEAST(100, seats[2].joined);
    check_same(0, 2, seats[2].joined);
}

/* While the state is on its way its inputs must not be forgotten: where they
 * are, it gets a newer state. */
static void slow_joiner_gets_a_newer_state(void)
{
    rough_line();
    new_two();
    seats[0].def.rollback.history = seats[1].def.rollback.history = 244;
    start_two();
    play_to(100);
    add_watcher(true);
    line.loss = 70;
    tick_times(500);
    line.loss = 5;
    tick_times(200);
    CHECK_UINT(VSP_PHASE_PLAYING, phase(2));
    check_same(0, 2, seats[2].joined);
}

/* One that heard nothing for so long that its inputs are gone joins anew. */
static void watcher_left_behind_joins_anew(void)
{
    uint32_t joined;

    rough_line();
    new_two();
    seats[0].def.rollback.history = seats[1].def.rollback.history = 244;
    start_two();
    play_to(100);
    add_watcher(true);
    tick_times(100);
    joined = seats[2].joined;
    CHECK_AT_LEAST(100, joined);
    link_count = 2; /* the players alone */
    tick_times(400);
    add_link(0, 1, 2, 0);
    add_link(2, 0, 0, 1);
    tick_times(300);
    CHECK_AT_LEAST(joined + 100, seats[2].joined);
    check_same(0, 2, seats[2].joined);
}

/* A player's program ends and begins again: it gets the state and its own old
 * inputs from the other one. */
static void player_comes_back(void)
{
    rough_line();
    line.again = 0;
    new_two();
    seats[0].def.patience = 60;
    start_two();
    play_to(300);
    memset(flying, 0, sizeof flying);
    seats[1].lockstep = NULL;
    for (uint32_t i = 0; i < 100; i++)
        tick_all();
    CHECK_UINT(VSP_DROP_SILENCE,
               vsp_lockstep_peer(seats[0].lockstep, 0).drop);
    new_seat(1, 1);
    seats[1].def.is_late = true;
    sit(&seats[1]);
    connect(0, 0, 1, false);
    connect(1, 0, 0, true);
    memset(flying, 0, sizeof flying);
    tick_times(400);
    CHECK_AT_LEAST(300, seats[1].joined);
    CHECK_AT_LEAST(600, confirmed(0));
    CHECK_AT_LEAST(600, confirmed(1));
    check_same(0, 1, seats[1].joined);
}

/* Players who know only a relay in the middle, itself a watcher. */
static void star_stays_in_step(void)
{
    rough_line();
    new_two();
    new_seat(2, VSP_WATCHER);
    for (uint32_t i = 0; i < SEATS; i++)
        sit(&seats[i]);
    join_seats(0, 0, 2, 0);
    join_seats(1, 0, 2, 1);
    connect(0, 0, 2, true);
    connect(1, 0, 2, true);
    play_to(500);
    check_same(0, 1, 0);
    check_same(1, 2, 0);
}


/* ---- Where they part ----------------------------------------------------- */

static unsigned char film[32768];

/* Plays the replay of seat `index` in its world: it must diverge. */
static void check_replay(uint32_t index)
{
    vsp_record_def def = {0};
    vsp_status status = VSP_OK;
    uint32_t diverged = 0;
    vsp_player player;
    size_t size;

    def.buffer = film;
    def.capacity = sizeof film;
    if (!CHECK_STATUS(VSP_OK, vsp_lockstep_record(seats[index].lockstep, &def,
                                                  &size)) ||
        !CHECK_STATUS(VSP_OK, vsp_play_begin(&player, seats[index].spare,
                                             film, size)))
        return;
    CHECK_UINT(2, player.step_count);
    while (status >= 0 && status != VSP_END) {
        status = vsp_play_step(&player);
        diverged += status == VSP_DIVERGED;
    }
    CHECK_STATUS(VSP_END, status);
    CHECK(diverged > 0);
}

/* Plays until both say that they have parted. */
static void play_apart(void)
{
    uint32_t ticks = 0;

    while ((phase(0) != VSP_PHASE_DIVERGED ||
            phase(1) != VSP_PHASE_DIVERGED) && ticks++ < 2000)
        tick_all();
    CHECK_UINT(VSP_PHASE_DIVERGED, phase(0));
    CHECK_UINT(VSP_PHASE_DIVERGED, phase(1));
}

static void check_desync(uint32_t index, uint32_t step, uint32_t body)
{
    uint32_t hash = vsp_world_hash(seats[index].world);
    vsp_lockstep *l = seats[index].lockstep;
    vsp_desync desync;

    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(l, &desync));
    CHECK_UINT(0, desync.peer);
    CHECK_UINT(step, desync.step);
    CHECK(desync.ours != desync.theirs);
    CHECK_UINT(1, desync.count);
    CHECK(desync.first.part != NULL &&
          strcmp(desync.first.part, "body") == 0);
    CHECK_UINT(body, desync.first.index);
    CHECK(desync.first.field != NULL &&
          strcmp(desync.first.field, "velocity") == 0);
    CHECK_UINT(1, desync.first.component);
    CHECK_HEX(1, desync.first.a ^ desync.first.b);
    CHECK_UINT(GAME_WORDS, desync.game_word);
    check_replay(index);
    CHECK_HEX(hash, vsp_world_hash(seats[index].world));
}

/* One bit of one velocity, on one side: both name step, body and field, less
 * than an interval after it was certain, though the flip is on either side
 * and the line is bad. */
static void flipped_bit_is_named_by_both(void)
{
    for (uint32_t side = 0; side < 2; side++) {
        test_note("flip on side %u", (unsigned)side);
        rough_line();
        new_two();
        seats[side].flip_step = 500;
        seats[side].flip_body = 4;
        start_two();
        play_apart();
        check_desync(0, 500, 4);
        check_desync(1, 500, 4);
        CHECK_AT_MOST(500 + 2 * INTERVAL + DEPTH, confirmed(0));
        CHECK_AT_MOST(500 + 2 * INTERVAL + DEPTH, confirmed(1));
    }
}

static void changed_game_is_named(void)
{
    vsp_desync desync;

    rough_line();
    new_two();
    seats[1].cheat_step = 130;
    start_two();
    play_apart();
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[i].lockstep,
                                                       &desync));
        CHECK_UINT(130, desync.step);
        CHECK_UINT(0, desync.count);
        CHECK_UINT(1, desync.game_word);
    }
}

/* Without a spare world the step is named, and the replay is written. */
static void no_spare_no_field(void)
{
    vsp_desync desync;

    rough_line();
    new_two();
    seats[0].def.spare = NULL;
    seats[1].flip_step = 100;
    seats[1].flip_body = 3;
    start_two();
    play_apart();
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep,
                                                   &desync));
    CHECK_UINT(100, desync.step);
    CHECK_UINT(0, desync.count);
    check_replay(0);
    check_desync(1, 100, 3);
}

/* Worlds that were never the same. */
static void unlike_worlds_part_before_the_first_step(void)
{
    vsp_record_def def = {0};
    vsp_desync desync;

    def.buffer = film;
    def.capacity = sizeof film;
    quiet_line();
    new_two();
    flip(seats[1].world, 2);
    start_two();
    play_apart();
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep,
                                                   &desync));
    CHECK_UINT(0xffffffffu, desync.step);
    CHECK_UINT(1, desync.count);
    CHECK_UINT(2, desync.first.index);
    CHECK(vsp_lockstep_record(seats[0].lockstep, &def, NULL) < 0);
}

/* A watcher of three finds its own mistake; so do those who watch it. */
static void watcher_parts(void)
{
    vsp_desync desync;

    rough_line();
    new_two();
    start_two();
    add_watcher(false);
    seats[2].flip_step = 200;
    seats[2].flip_body = 5;
    tick_times(600);
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[2].lockstep,
                                                   &desync));
    CHECK_UINT(200, desync.step);
    CHECK_UINT(5, desync.first.index);
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep,
                                                   &desync));
    CHECK_UINT(1, desync.peer);
    CHECK_UINT(200, desync.step);
    CHECK_UINT(VSP_PHASE_PLAYING, phase(1));
}

/* Where the other one goes away, or its states are gone, what is known is
 * all there is. */
static void search_ends_without_an_answer(void)
{
    vsp_record_def def = {0};
    vsp_desync desync;
    uint32_t ticks = 0;

    def.buffer = film;
    def.capacity = sizeof film;
    quiet_line();
    new_two();
    seats[0].def.patience = 50;
    seats[1].flip_step = 100;
    seats[1].flip_body = 3;
    start_two();
    while (phase(0) == VSP_PHASE_PLAYING && ticks++ < 1000)
        tick_all();
    CHECK_STATUS(VSP_WAIT, vsp_lockstep_desync(seats[0].lockstep, &desync));
    line.loss = 100;
    tick_times(60);
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep,
                                                   &desync));
    CHECK_UINT(0, desync.count);
    CHECK_STATUS(VSP_END, vsp_lockstep_record(seats[0].lockstep, &def, NULL));
}

static const test tests[] = {
    TEST(two_stay_in_step),
    TEST_SLOW(long_match_stays_in_step),
    TEST(delays_and_depths),
    TEST(unlike_peers_stay_in_step),
    TEST(unequal_clocks_are_evened_out),
    TEST(outage_is_waited_out),
    TEST(watcher_follows),
    TEST(late_watcher_joins),
    TEST(late_watcher_of_a_big_world_joins),
    TEST(slow_joiner_gets_a_newer_state),
    TEST(watcher_left_behind_joins_anew),
    TEST(player_comes_back),
    TEST(star_stays_in_step),
    TEST(flipped_bit_is_named_by_both),
    TEST(changed_game_is_named),
    TEST(no_spare_no_field),
    TEST(unlike_worlds_part_before_the_first_step),
    TEST(watcher_parts),
    TEST(search_ends_without_an_answer),
    TEST_END,
};

const test_room lockstep_room = {"lockstep", tests};
