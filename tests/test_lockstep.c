/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Peers over a line that is slow, and loses, repeats, reorders and changes
 * messages: they must stay in step, also a peer that joins late; the step in
 * which they diverge is named; a peer that breaks the rules is dropped, and
 * changes nothing.
 *
 * Up to three peers play in one process; a step of the test ticks each.  Two
 * players push balls at a small wall. */

#include "fixture.h"
#include "src/record/record.h"

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
#define LOCKSTEP_BYTES \
    VSP_LOCKSTEP_BYTES(2, INPUT_SIZE, KEPT, HISTORY, STATE_BYTES, GAME_WORDS)
#define NEVER 0xffffffffu


/* ---- The game ----------------------------------------------------------- */

typedef struct seat {
    vsp_world *world, *spare;
    vsp_lockstep *lockstep;
    vsp_lockstep_def def;
    uint32_t game[GAME_WORDS];
    vsp_body_id balls[2];
    uint32_t flip_step, flip_body; /* step after which a velocity is changed,
                                    * and its body */
    uint32_t cheat_step;           /* step in which the game's words are
                                    * changed */
    uint32_t bot;                  /* state of its random input */
    uint32_t ticks;
    uint32_t joined; /* step of the state that it received on joining */
    uint32_t noted;  /* hashes of all states before this one are stored */
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

/* Flips a bit of a velocity directly in memory.  The velocity must not be 0:
 * this bit alone would be smaller than the smallest valid number. */
static void flip_velocity(vsp_world *world, uint32_t body)
{
    uint32_t bits;

    memcpy(&bits, &world->bodies[body].velocity.x, sizeof bits);
    CHECK(bits != 0);
    bits ^= 0x100u;
    memcpy(&world->bodies[body].velocity.x, &bits, sizeof bits);
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
        flip_velocity(recorder->world, s->flip_body);
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
    CHECK_STATUS(VSP_OK,
                 vsp_world_create(memory, VSP_WORLD_BYTES, &def, &world));
    return world;
}

static void fill_world(seat *s)
{
    add_ground(s->world);
    s->balls[0] = add_body(s->world, VSP_DYNAMIC, vsp_sphere(real(0.4)), -3,
                           0.4, 0);
    s->balls[1] = add_body(s->world, VSP_DYNAMIC, vsp_sphere(real(0.4)), 3, 0.4,
                           0);
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

/* Returns a seat with a world and a definition, but no match yet. */
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

static vsp_lockstep *take_seat(seat *s)
{
    memset(matches[s - seats].mem, 0xdd, LOCKSTEP_BYTES);
    CHECK_STATUS(VSP_OK,
                 vsp_lockstep_create(matches[s - seats].mem, LOCKSTEP_BYTES,
                                     &s->def, &s->lockstep));
    s->noted = vsp_lockstep_get_stats(s->lockstep).rollback.step;
    return s->lockstep;
}

/* ---- Connections -------------------------------------------------------- */

typedef struct link {
    uint32_t from, peer, to, back; /* two seats, and the number of each among
                                    * the other's peers */
} link;

static link links[8];
static uint32_t link_count;

/* Opens a peer slot of seat a for seat b. */
static void open_slot(uint32_t a, uint32_t peer, uint32_t b, bool is_relay)
{
    CHECK_STATUS(VSP_OK, vsp_lockstep_connect(seats[a].lockstep, peer,
                                              seats[b].def.player, is_relay));
}

static void add_link(uint32_t from, uint32_t peer, uint32_t to, uint32_t back)
{
    link l = {from, peer, to, back};

    links[link_count++] = l;
}

/* Connects two seats, neither of them a relay. */
static void join_seats(uint32_t a, uint32_t a_peer, uint32_t b, uint32_t b_peer)
{
    open_slot(a, a_peer, b, false);
    open_slot(b, b_peer, a, false);
    add_link(a, a_peer, b, b_peer);
    add_link(b, b_peer, a, a_peer);
}

/* Prepares two players in seats 0 and 1, each the other's peer 0; their
 * definitions may be changed before start_two. */
static void new_two(void)
{
    memset(seats, 0, sizeof seats);
    link_count = 0;
    new_seat(0, 0);
    new_seat(1, 1);
}

static void start_two(void)
{
    take_seat(&seats[0]);
    take_seat(&seats[1]);
    join_seats(0, 0, 1, 0);
}

/* Adds a watcher in seat 2: player 0 is its peer 0, and it is peer 1 of player
 * 0. */
static void add_watcher(bool is_late)
{
    seat *s = new_seat(2, VSP_WATCHER);

    s->def.is_late = is_late;
    s->def.peers = 1;
    take_seat(s);
    join_seats(0, 1, 2, 0);
    open_slot(2, 0, 0, true);
}


/* ---- The line ----------------------------------------------------------- */

#define FLYING 2048u

typedef struct packet {
    uint32_t due; /* tick of arrival; 0: free */
    uint32_t to, peer;
    size_t size;
    unsigned char bytes[VSP_MAX_MESSAGE];
} packet;

static packet flying[FLYING];

static struct {
    uint32_t latency, jitter;     /* ticks */
    uint32_t loss, again, damage; /* per cent */
    uint32_t capacity;            /* most bytes of a message */
    uint32_t random, now;
    uint32_t biggest, bytes, count; /* largest message; bytes and messages
                                     * sent */
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

static void fly_packet(uint32_t to, uint32_t peer, const unsigned char *bytes,
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

/* Sends a message of seat `from` to its peer, which is seat `to` and has `from`
 * as its peer `back`. */
static void send_message(uint32_t from, uint32_t peer, uint32_t to,
                         uint32_t back)
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
    fly_packet(to, back, bytes, size);
    if (happens(line.again))
        fly_packet(to, back, bytes, size);
}

static void hear_packets(uint32_t to)
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

/* Random walk of a bot: keeps a direction for some steps. */
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

    hear_packets(index);
    s->ticks++;
    bot_input(s, input);
    was = phase(index);
    status = vsp_lockstep_advance(s->lockstep, input);
    if (was == VSP_PHASE_JOINING && phase(index) == VSP_PHASE_PLAYING)
        s->joined = confirmed(index);
    note_hashes(s);
    for (uint32_t i = 0; i < link_count; i++)
        if (links[i].from == index)
            send_message(index, links[i].peer, links[i].to, links[i].back);
    return status;
}

/* Makes a tick of all seats. */
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

/* Whether all seats have reached a step. */
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

/* Checks that two peers had the same states, beginning with `first`. */
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

/* Several delays and depths, including a depth of 0: without guesses. */
static void delays_and_depths(void)
{
    static const struct {
        uint32_t delay, depth, kept, interval;
    } ways[] = {
        {0, 30, 120, 20}, {1, 10, 60, 1},  {3, 8, 40, 7},   {12, 0, 40, 20},
        {0, 0, 2, 1},     {2, 1, 100, 50}, {5, 30, 31, 15},
    };

    for (uint32_t i = 0; i < COUNT_OF(ways); i++) {
        test_note("settings %u", (unsigned)i);
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

/* Peers with different delays and depths, who do not tell each other. */
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

/* The peer with the faster clock must skip ticks, so that it does not run ahead
 * until it may guess no more steps. */
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

/* A line that is dead for two seconds must stop both players; then they
 * continue. */
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


/* ---- Watchers, late and returning peers ---------------------------------- */

static void watcher_follows(void)
{
    rough_line();
    new_two();
    start_two();
    add_watcher(false);
    play_to(600);
    check_same(0, 1, 0);
    check_same(0, 2, 0);
    CHECK_UINT(
        0, vsp_lockstep_get_stats(seats[2].lockstep).rollback.rollback_count);
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

/* The state takes many messages of 256 bytes, over a slow line. */
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

/* Two players keep their last 244 inputs, and a watcher joins. */
static void watch_with_short_history(void)
{
    rough_line();
    new_two();
    seats[0].def.rollback.history = seats[1].def.rollback.history = 244;
    start_two();
    play_to(100);
    add_watcher(true);
}

/* The inputs after a state must be kept while it is in transit.  If they are
 * gone, the watcher must get a newer state. */
static void slow_joiner_gets_a_newer_state(void)
{
    watch_with_short_history();
    line.loss = 70;
    tick_times(500);
    line.loss = 5;
    tick_times(200);
    CHECK_UINT(VSP_PHASE_PLAYING, phase(2));
    check_same(0, 2, seats[2].joined);
}

/* A watcher that received nothing until its next inputs were gone must join
 * again. */
static void watcher_left_behind_joins_anew(void)
{
    uint32_t joined;

    watch_with_short_history();
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

/* A watcher that makes several steps a tick must have the hashes of all steps,
 * however few states it keeps. */
static void watcher_with_little_memory_catches_up(void)
{
    for (uint32_t kept = 2; kept <= 4; kept++) {
        quiet_line();
        new_two();
        start_two();
        for (uint32_t i = 0; i < 2; i++) {
            seats[i].def.hash_interval = 1;
            seats[i].def.rollback.kept = KEPT;
            take_seat(&seats[i]);
        }
        open_slot(0, 0, 1, false);
        open_slot(1, 0, 0, false);
        new_seat(2, VSP_WATCHER);
        seats[2].def.rollback.depth = 0;
        seats[2].def.rollback.kept = kept;
        seats[2].def.delay = 0;
        seats[2].def.hash_interval = 1;
        seats[2].def.peers = 1;
        take_seat(&seats[2]);
        join_seats(0, 1, 2, 0);
        open_slot(2, 0, 0, true);
        tick_times(50);
        link_count = 2; /* the players alone */
        tick_times(40);
        add_link(0, 1, 2, 0);
        add_link(2, 0, 0, 1);
        tick_times(100);
        for (uint32_t i = 0; i < SEATS; i++)
            CHECK_UINT(VSP_PHASE_PLAYING,
                       vsp_lockstep_get_stats(seats[i].lockstep).phase);
        CHECK_AT_LEAST(150, confirmed(2));
    }
}

/* A state comes without the inputs before it: a peer that requests those must
 * get none. */
static void inputs_before_a_state_are_not_made_up(void)
{
    unsigned char bytes[VSP_MAX_MESSAGE];
    vsp_rollback *rollback;
    vsp_kept state;
    size_t size;

    quiet_line();
    new_two();
    start_two();
    tick_times(50);
    rollback = vsp_lockstep_rollback(seats[0].lockstep);
    CHECK_STATUS(VSP_OK, vsp_rollback_state(rollback, 50, &state));
    state.step = 5000;
    CHECK_STATUS(VSP_OK, vsp_rollback_load(rollback, &state));
    CHECK_STATUS(VSP_OK, vsp_lockstep_send(seats[0].lockstep, 0, bytes,
                                           sizeof bytes, &size));
    /* the last section: inputs of player 0, none of them, beginning at 5000 */
    CHECK_HEX(5u, vsp__get_word(bytes + size - 8));
    CHECK_UINT(5000, vsp__get_word(bytes + size - 4));
}

/* A player's program ends and starts again: it must get the state and its own
 * old inputs from the other player. */
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
    CHECK_UINT(VSP_DROP_SILENCE, vsp_lockstep_peer(seats[0].lockstep, 0).drop);
    new_seat(1, 1);
    seats[1].def.is_late = true;
    take_seat(&seats[1]);
    open_slot(0, 0, 1, false);
    open_slot(1, 0, 0, true);
    memset(flying, 0, sizeof flying);
    tick_times(400);
    CHECK_AT_LEAST(300, seats[1].joined);
    CHECK_AT_LEAST(600, confirmed(0));
    CHECK_AT_LEAST(600, confirmed(1));
    check_same(0, 1, seats[1].joined);
}

/* The player returns at once, while the other one has its inputs of later
 * steps: it must not make different ones. */
static void player_comes_back_at_once(void)
{
    quiet_line();
    line.latency = 2;
    new_two();
    seats[0].def.delay = seats[1].def.delay = 30;
    start_two();
    play_to(100);
    tick_times(20);
    memset(flying, 0, sizeof flying);
    new_seat(1, 1);
    seats[1].bot = 77;
    seats[1].def.delay = 30;
    seats[1].def.is_late = true;
    take_seat(&seats[1]);
    open_slot(0, 0, 1, false);
    open_slot(1, 0, 0, true);
    tick_times(200);
    CHECK_AT_LEAST(100, seats[1].joined);
    CHECK_AT_LEAST(280, confirmed(0));
    check_same(0, 1, seats[1].joined);
}

/* Two players are connected only to a relay, which is a watcher. */
static void star_stays_in_step(void)
{
    rough_line();
    new_two();
    new_seat(2, VSP_WATCHER);
    for (uint32_t i = 0; i < SEATS; i++)
        take_seat(&seats[i]);
    join_seats(0, 0, 2, 0);
    join_seats(1, 0, 2, 1);
    open_slot(0, 0, 2, true);
    open_slot(1, 0, 2, true);
    play_to(500);
    check_same(0, 1, 0);
    check_same(1, 2, 0);
}


/* ---- Divergence ---------------------------------------------------------- */

static unsigned char film[32768];

/* Plays the replay of seat `index` in its spare world: it must diverge.  On the
 * side of the flip, recording may already notice. */
static void check_replay(uint32_t index)
{
    vsp_record_def def = {0};
    vsp_status status = VSP_OK;
    uint32_t diverged = 0;
    vsp_player player;
    size_t size;

    def.buffer = film;
    def.capacity = sizeof film;
    if (!CHECK(vsp_lockstep_record(seats[index].lockstep, &def, &size) >= 0) ||
        !CHECK_STATUS(VSP_OK,
                      vsp_play_begin(&player, seats[index].spare, film, size)))
        return;
    CHECK_UINT(2, player.step_count);
    while (status >= 0 && status != VSP_END) {
        status = vsp_play_step(&player);
        diverged += status == VSP_DIVERGED;
    }
    CHECK_STATUS(VSP_END, status);
    CHECK(diverged > 0);
}

/* Plays until both report that they diverged. */
static void play_apart(void)
{
    uint32_t ticks = 0;

    while ((phase(0) != VSP_PHASE_DIVERGED || phase(1) != VSP_PHASE_DIVERGED) &&
           ticks++ < 2000)
        tick_all();
    CHECK_UINT(VSP_PHASE_DIVERGED, phase(0));
    CHECK_UINT(VSP_PHASE_DIVERGED, phase(1));
}

static void check_desync(uint32_t index, uint32_t step, uint32_t body)
{
    uint32_t hash = vsp_world_hash(seats[index].world);
    vsp_lockstep *l = seats[index].lockstep;
    vsp_desync desync = {0};

    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(l, &desync));
    CHECK_UINT(0, desync.peer);
    CHECK_UINT(step, desync.step);
    CHECK(desync.ours != desync.theirs);
    CHECK_UINT(1, desync.count);
    CHECK(desync.first.part != NULL && strcmp(desync.first.part, "body") == 0);
    CHECK_UINT(body, desync.first.index);
    CHECK(desync.first.field != NULL &&
          strcmp(desync.first.field, "velocity") == 0);
    CHECK_UINT(0, desync.first.component);
    CHECK_HEX(0x100, desync.first.a ^ desync.first.b);
    CHECK_UINT(GAME_WORDS, desync.game_word);
    check_replay(index);
    CHECK_HEX(hash, vsp_world_hash(seats[index].world));
}

/* A bit of a velocity flips on either side of a bad line: both sides must name
 * step, body and field, less than an interval after the step was certain. */
static void flipped_bit_is_named_by_both(void)
{
    for (uint32_t side = 0; side < 2; side++) {
        test_note("flip on side %u", (unsigned)side);
        rough_line();
        new_two();
        seats[side].flip_step = 500;
        seats[side].flip_body = 1;
        start_two();
        play_apart();
        check_desync(0, 500, 1);
        check_desync(1, 500, 1);
        CHECK_AT_MOST(500 + 2 * INTERVAL + DEPTH, confirmed(0));
        CHECK_AT_MOST(500 + 2 * INTERVAL + DEPTH, confirmed(1));
    }
}

/* Inputs in transit fill the messages, and leave no space for the search. */
static void search_goes_on_beside_many_inputs(void)
{
    rough_line();
    new_two();
    seats[0].def.delay = seats[1].def.delay = 90;
    seats[1].flip_step = 300;
    seats[1].flip_body = 1;
    start_two();
    play_apart();
    check_desync(0, 300, 1);
    check_desync(1, 300, 1);
}

static void changed_game_is_named(void)
{
    vsp_desync desync = {0};

    rough_line();
    new_two();
    seats[1].cheat_step = 130;
    start_two();
    play_apart();
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_STATUS(VSP_DIVERGED,
                     vsp_lockstep_desync(seats[i].lockstep, &desync));
        CHECK_UINT(130, desync.step);
        CHECK_UINT(0, desync.count);
        CHECK_UINT(1, desync.game_word);
    }
}

/* Without a spare world, the step is named, and the replay is written. */
static void no_spare_no_field(void)
{
    vsp_desync desync = {0};

    rough_line();
    new_two();
    seats[0].def.spare = NULL;
    seats[1].flip_step = 100;
    seats[1].flip_body = 2;
    start_two();
    play_apart();
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep, &desync));
    CHECK_UINT(100, desync.step);
    CHECK_UINT(0, desync.count);
    check_replay(0);
    check_desync(1, 100, 2);
}

/* If too few states are kept to reach the first different step, the search must
 * still end, at a later step. */
static void short_memory_names_a_later_step(void)
{
    rough_line();
    line.latency = 12;
    new_two();
    for (uint32_t i = 0; i < 2; i++)
        seats[i].def.rollback.kept = 31 + 9 * i;
    seats[0].def.hash_interval = seats[1].def.hash_interval = 15;
    seats[1].flip_step = 150;
    seats[1].flip_body = 2;
    start_two();
    play_apart();
    for (uint32_t i = 0; i < 2; i++) {
        vsp_desync desync = {0};

        CHECK_STATUS(VSP_DIVERGED,
                     vsp_lockstep_desync(seats[i].lockstep, &desync));
        CHECK_AT_LEAST(150, desync.step);
        CHECK_AT_MOST(165, desync.step);
    }
}

/* The worlds differ at the start. */
static void unlike_worlds_part_before_the_first_step(void)
{
    vsp_record_def def = {0};
    vsp_desync desync = {0};

    def.buffer = film;
    def.capacity = sizeof film;
    quiet_line();
    new_two();
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(seats[1].world, seats[1].balls[1],
                                       real3(0, 0, 1), real3(0, 0, 0)));
    start_two();
    play_apart();
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep, &desync));
    CHECK_UINT(0xffffffffu, desync.step);
    CHECK_UINT(1, desync.count);
    CHECK_UINT(2, desync.first.index);
    CHECK(vsp_lockstep_record(seats[0].lockstep, &def, NULL) < 0);
}

/* A watcher diverges: both it and the player that it is connected to must find
 * this. */
static void watcher_parts(void)
{
    vsp_desync desync = {0};

    rough_line();
    new_two();
    start_two();
    add_watcher(false);
    seats[2].flip_step = 200;
    seats[2].flip_body = 1;
    tick_times(600);
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[2].lockstep, &desync));
    CHECK_UINT(200, desync.step);
    CHECK_UINT(1, desync.first.index);
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep, &desync));
    CHECK_UINT(1, desync.peer);
    CHECK_UINT(200, desync.step);
    CHECK_UINT(VSP_PHASE_PLAYING, phase(1));
}

/* If the other peer leaves, or its states are gone, the search must end with a
 * part of the result. */
static void search_ends_without_an_answer(void)
{
    vsp_record_def def = {0};
    vsp_desync desync = {0};
    uint32_t ticks = 0;

    def.buffer = film;
    def.capacity = sizeof film;
    quiet_line();
    new_two();
    seats[0].def.patience = 50;
    seats[1].flip_step = 100;
    seats[1].flip_body = 2;
    start_two();
    while (phase(0) == VSP_PHASE_PLAYING && ticks++ < 1000)
        tick_all();
    CHECK_STATUS(VSP_WAIT, vsp_lockstep_desync(seats[0].lockstep, &desync));
    line.loss = 100;
    tick_times(60);
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep, &desync));
    CHECK_UINT(0, desync.count);
    CHECK_STATUS(VSP_END, vsp_lockstep_record(seats[0].lockstep, &def, NULL));
}

/* ---- Invalid messages ---------------------------------------------------
 * Seat 0 receives messages in the name of seat 1.  Layout: SPEC.md. */

#define HEAD_BYTES 40u

static unsigned char message[VSP_MAX_MESSAGE + 64u];
static size_t message_size;

static void set_word(unsigned char *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
}

static uint32_t word_of(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Two players on a good line, and a new message of seat 1 with inputs that seat
 * 0 has not received. */
static void new_message(void)
{
    quiet_line();
    line.latency = 2;
    new_two();
    start_two();
    tick_times(100);
    line.loss = 100;
    tick_times(5);
    CHECK_STATUS(VSP_OK, vsp_lockstep_send(seats[1].lockstep, 0, message,
                                           VSP_MIN_MESSAGE, &message_size));
}

/* Corrects the checksum. */
static void seal_message(void)
{
    uint32_t sum = 0;

    for (size_t at = 0; at + 4 <= message_size; at += 4)
        if (at != 36)
            sum = vsp__hash_word(sum, word_of(message + at));
    set_word(message + 36, vsp__hash_end(sum));
}

static void next_sequence(void)
{
    set_word(message + 12, word_of(message + 12) + 1u);
}

static size_t body_of(const unsigned char *at)
{
    uint32_t count = word_of(at) >> 16;

    switch (at[0]) {
    case 1:
        return 4u * count;
    case 2:
        return 4u + 4u * count;
    case 3:
        return 8u + 4u * count;
    case 4:
        return 8;
    case 5:
        return 4u + (count * INPUT_SIZE + 3u) / 4u * 4u;
    case 6:
        return 12u + (count + 3u) / 4u * 4u;
    default:
        return 0;
    }
}

/* Returns the head of the message's section of a type. */
static unsigned char *find_section(uint32_t kind)
{
    unsigned char *at = message + HEAD_BYTES;

    while (at < message + message_size && at[0] != kind)
        at += 4 + body_of(at);
    CHECK(at < message + message_size);
    return at;
}

/* Makes the message a head and this section. */
static unsigned char *only_section(uint32_t kind, uint32_t arg, uint32_t count)
{
    unsigned char *at = message + HEAD_BYTES;

    set_word(at, kind | arg << 8 | count << 16);
    message_size = HEAD_BYTES + 4u + body_of(at);
    memset(at + 4, 0, body_of(at));
    return at + 4;
}

static vsp_status receive_message(void)
{
    return vsp_lockstep_receive(seats[0].lockstep, 0, message, message_size);
}

static vsp_drop dropped(void)
{
    return vsp_lockstep_peer(seats[0].lockstep, 0).drop;
}

/* Sends the message repeatedly under new numbers, and checks that the peer is
 * dropped with this status and reason: at once if is_grave, else the ninth
 * time. */
static void check_dropped(vsp_drop reason, vsp_status status, bool is_grave)
{
    uint32_t hash = vsp_world_hash(seats[0].world);
    uint32_t known = vsp_rollback_known(
        vsp_lockstep_rollback(seats[0].lockstep), 1);

    test_note("reason %d", (int)reason);
    for (int i = 0; i < (is_grave ? 1 : 9); i++) {
        CHECK_UINT(VSP_DROP_NOT, dropped());
        next_sequence();
        seal_message();
        CHECK_STATUS(status, receive_message());
    }
    CHECK_UINT(reason, dropped());
    CHECK_UINT(is_grave ? 1 : 9,
               vsp_lockstep_peer(seats[0].lockstep, 0).refused);
    CHECK_STATUS(VSP_ERR_FULL, receive_message());
    CHECK_HEX(hash, vsp_world_hash(seats[0].world));
    CHECK_UINT(known,
               vsp_rollback_known(vsp_lockstep_rollback(seats[0].lockstep), 1));
    CHECK_STATUS(VSP_OK, vsp_world_validate(seats[0].world, NULL));
}

static void bytes_that_are_no_message(void)
{
    static const struct {
        size_t size, at;
        vsp_status status;
    } bad[] = {
        {0, 0, VSP_ERR_TRUNCATED},  {36, 0, VSP_ERR_TRUNCATED},
        {42, 0, VSP_ERR_TRUNCATED}, {1204, 0, VSP_ERR_TRUNCATED},
        {40, 0, VSP_ERR_DATA},      {40, 36, VSP_ERR_CHECKSUM},
    };

    for (uint32_t i = 0; i < COUNT_OF(bad); i++) {
        test_note("row %u", (unsigned)i);
        new_message();
        message[bad[i].at] ^= 1;
        for (int k = 0; k < 9; k++)
            CHECK_STATUS(bad[i].status,
                         vsp_lockstep_receive(seats[0].lockstep, 0, message,
                                              bad[i].size));
        CHECK_UINT(VSP_DROP_GARBAGE, dropped());
    }
}

/* A few bad messages among good ones must do no harm. */
static void stray_bytes_are_forgiven(void)
{
    quiet_line();
    line.damage = 10;
    new_two();
    start_two();
    tick_times(1000);
    CHECK_AT_LEAST(50, vsp_lockstep_peer(seats[0].lockstep, 0).refused);
    check_same(0, 1, 0);
}

static void bad_heads_are_refused(void)
{
    static const struct {
        uint32_t at, word;
        vsp_drop reason;
        vsp_status status;
    } bad[] = {
        {4, 1, VSP_DROP_VERSION, VSP_ERR_VERSION},
        {8, 1, VSP_DROP_SESSION, VSP_ERR_DATA},
        {24, 0x80000001u, VSP_DROP_RANGE, VSP_ERR_DATA},
        {28, 0x7fffffffu, VSP_DROP_RANGE, VSP_ERR_DATA},
        {32, 0x0100, VSP_DROP_RANGE, VSP_ERR_DATA}, /* not its player */
        {32, 0x0501, VSP_DROP_RANGE, VSP_ERR_DATA}, /* there is no such phase */
    };

    for (uint32_t i = 0; i < COUNT_OF(bad); i++) {
        new_message();
        set_word(message + bad[i].at, bad[i].word);
        check_dropped(bad[i].reason, bad[i].status, false);
    }
    new_message();
    for (int i = 0; i < 9; i++) {
        set_word(message + 12, 0);
        seal_message();
        CHECK_STATUS(VSP_ERR_DATA, receive_message());
    }
    CHECK_UINT(VSP_DROP_RANGE, dropped());
}

/* Peers with other rules, or another build, must be refused with the reason. */
static void other_matches_are_refused(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        test_note("rule %u", (unsigned)i);
        quiet_line();
        new_two();
        seats[1].def.session += i == 0;
        seats[1].def.rollback.game_words -= i == 1;
        seats[1].def.hash_interval -= i == 2;
        start_two();
        tick_times(30);
        CHECK_UINT(VSP_DROP_SESSION, dropped());
    }
}

/* Returns the word for versions and kind of numbers in a peer's messages. */
static uint32_t build_word(uint32_t kind)
{
    const uint32_t words[] = {VSP_LOCKSTEP_VERSION, VSP_VERSION,
                              VSP_FORMAT_VERSION, VSP_BITS_VERSION, kind};
    uint32_t sum = 0;

    for (size_t i = 0; i < COUNT_OF(words); i++)
        sum = vsp__hash_word(sum, words[i]);
    return vsp__hash_end(sum);
}

/* Floats against fixed point: no step is certain, and both statistics name the
 * reason. */
static void another_kind_of_numbers_is_refused(void)
{
    quiet_line();
    new_two();
    start_two();
    CHECK_HEX(build_word(VSP_FIXED ? 2 : 1), seats[0].lockstep->build);
    seats[1].lockstep->build = build_word(VSP_FIXED ? 1 : 2);
    tick_times(30);
    for (uint32_t i = 0; i < 2; i++) {
        vsp_lockstep_stats stats = vsp_lockstep_get_stats(seats[i].lockstep);

        test_note("seat %u", i);
        CHECK_UINT(1, stats.dropped);
        CHECK(!strcmp("VSP_DROP_VERSION", vsp_drop_name(stats.drop)));
        CHECK_UINT(VSP_DROP_VERSION,
                   vsp_lockstep_peer(seats[i].lockstep, 0).drop);
        CHECK_UINT(0, stats.rollback.confirmed);
    }
}

/* Wrong lengths: one more, one less, unknown types, a section twice, or in the
 * wrong order. */
static void lengths_that_lie_are_refused(void)
{
    unsigned char *at;

    for (uint32_t kind = 1; kind <= 5; kind += kind == 2 ? 3 : 1) {
        static const uint32_t by[] = {0x20000u, 0xfff0000u, 0xfffe0000u};

        for (uint32_t i = 0; i < COUNT_OF(by); i++) {
            new_message();
            at = find_section(kind);
            set_word(at, word_of(at) + by[i]);
            next_sequence();
            seal_message();
            CHECK_STATUS(VSP_ERR_DATA, receive_message());
        }
    }
    for (uint32_t kind = 0; kind < 256; kind += kind == 0 ? 8 : 31) {
        new_message();
        only_section(kind, 0, 0);
        check_dropped(VSP_DROP_LENGTH, VSP_ERR_DATA, false);
    }
    new_message();
    only_section(1, 0, 2);
    memcpy(message + message_size, message + HEAD_BYTES, 12);
    message_size += 12;
    check_dropped(VSP_DROP_LENGTH, VSP_ERR_DATA, false);
    new_message();
    message_size -= 4;
    check_dropped(VSP_DROP_LENGTH, VSP_ERR_DATA, false);
}

static void numbers_out_of_range_are_refused(void)
{
    static const struct {
        uint32_t kind, arg, count, index, word;
        vsp_drop reason;
    } bad[] = {
        {1, 0, 2, 0, 1000, VSP_DROP_RANGE}, /* has inputs that were not made
                                             * yet */
        {1, 0, 2, 1, 0x80000001u, VSP_DROP_RANGE},
        {2, 0, 1, 0, 19, VSP_DROP_RANGE}, /* that state has no hash */
        {2, 0, 1, 0, 0x8000000cu, VSP_DROP_RANGE},
        {2, 0, 2, 0, 0x7ffffff8u, VSP_DROP_RANGE},
        {3, 0, 1, 0, 0x80000001u, VSP_DROP_RANGE},
        {3, 0, 1, 1, 0x80000001u, VSP_DROP_RANGE},
        {3, 0, 4, 1, 0x7ffffffeu, VSP_DROP_RANGE},
        {4, 0, 0, 0, 0x80000001u, VSP_DROP_RANGE},
        {4, 1, 0, 0, 0xffffffffu, VSP_DROP_RANGE},
        {5, 2, 2, 0, 0, VSP_DROP_RANGE}, /* no such player */
        {5, 1, 2, 0, 0x7fffffffu, VSP_DROP_RANGE},
        {5, 1, 2, 0, 0x80000000u, VSP_DROP_RANGE},
        {6, 0, 8, 0, 0x80000001u, VSP_DROP_RANGE},
        {6, 0, 8, 1, 7, VSP_DROP_RANGE},
        {6, 0, 8, 2, 0xfffffffcu, VSP_DROP_RANGE},
    };

    for (uint32_t i = 0; i < COUNT_OF(bad); i++) {
        test_note("row %u", (unsigned)i);
        new_message();
        set_word(only_section(bad[i].kind, bad[i].arg, bad[i].count) +
                     4 * bad[i].index,
                 bad[i].word);
        check_dropped(bad[i].reason, VSP_ERR_DATA, false);
    }
}

/* Faults that cannot be accidents: the peer must be dropped at once. */
static void cheats_are_dropped_at_once(void)
{
    unsigned char *at;

    new_message();
    at = find_section(5);
    at[8 + INPUT_SIZE * ((word_of(at) >> 16) - 1)] = 16; /* not a valid input */
    check_dropped(VSP_DROP_INPUT, VSP_ERR_DATA, true);
    new_message();
    find_section(5)[1] = 0; /* our own inputs, of steps that we have not made */
    set_word(find_section(5) + 4, 200);
    check_dropped(VSP_DROP_INPUT, VSP_ERR_DATA, true);
    new_message();
    at = only_section(5, 1, 2); /* not the input that it sent before */
    set_word(at, 50);
    at[4] = (unsigned char)(at[4] ^ 1u);
    at[5] = 1;
    check_dropped(VSP_DROP_CHANGED, VSP_ERR_DATA, true);
    new_message();
    at = only_section(6, 0, 8);
    set_word(at + 4, STATE_BYTES + 4u * GAME_WORDS + 1u);
    check_dropped(VSP_DROP_STATE, VSP_ERR_DATA, true);
    new_message();
    at = only_section(6, 0, 8);
    set_word(at + 4, 4u * GAME_WORDS);
    check_dropped(VSP_DROP_STATE, VSP_ERR_DATA, true);
    new_message();
    at = only_section(6, 0, 8); /* its checksum would be beyond its end */
    set_word(at + 4, 4u * GAME_WORDS + 27u);
    check_dropped(VSP_DROP_STATE, VSP_ERR_DATA, true);
}

/* A watcher may send no inputs, and only a relay may send inputs of others. */
static void only_relays_send_inputs_of_others(void)
{
    quiet_line();
    new_two();
    start_two();
    add_watcher(false);
    open_slot(2, 0, 0, false);
    tick_times(40);
    CHECK_AT_LEAST(
        20, vsp_rollback_known(vsp_lockstep_rollback(seats[2].lockstep), 0));
    CHECK_UINT(0,
               vsp_rollback_known(vsp_lockstep_rollback(seats[2].lockstep), 1));
    new_message();
    seats[0].def.player = 1; /* inputs of another player, from a peer that is
                              * no relay */
    CHECK_STATUS(
        VSP_OK, vsp_lockstep_connect(seats[0].lockstep, 0, VSP_WATCHER, false));
    message[32] = 0xff;
    check_dropped(VSP_DROP_INPUT, VSP_ERR_DATA, true);
}

static void old_messages_are_counted(void)
{
    vsp_peer_stats before, after;

    new_message();
    before = vsp_lockstep_peer(seats[0].lockstep, 0);
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(VSP_OK, receive_message());
    after = vsp_lockstep_peer(seats[0].lockstep, 0);
    CHECK_UINT(before.received + 1, after.received);
    CHECK_UINT(before.again + 9, after.again);
    set_word(message + 12, 3); /* long ago */
    seal_message();
    for (int i = 0; i < 500 && dropped() == VSP_DROP_NOT; i++)
        CHECK_STATUS(VSP_OK, receive_message());
    after = vsp_lockstep_peer(seats[0].lockstep, 0);
    CHECK_UINT(VSP_DROP_OLD, after.drop);
    CHECK_UINT(before.received + 1, after.received);
    CHECK_UINT(before.again + 301, after.again);
}

/* Late messages are good, within 64. */
static void reordered_messages_are_good(void)
{
    vsp_peer_stats before, after;

    new_message();
    set_word(message + 12, 1000);
    before = vsp_lockstep_peer(seats[0].lockstep, 0);
    for (uint32_t i = 0; i < 80; i++) {
        set_word(message + 12, 1000 - i);
        seal_message();
        CHECK_STATUS(VSP_OK, receive_message());
    }
    after = vsp_lockstep_peer(seats[0].lockstep, 0);
    CHECK_UINT(before.received + 64, after.received);
    CHECK_UINT(before.again + 16, after.again);
}

static void flood_is_dropped(void)
{
    uint32_t count = 0;

    new_message();
    for (; dropped() == VSP_DROP_NOT && count < 2000; count++) {
        next_sequence();
        seal_message();
        (void)receive_message();
    }
    CHECK_UINT(VSP_DROP_FLOOD, dropped());
    CHECK_UINT(601, count);
}

static void silence_is_dropped(void)
{
    vsp_drop early;

    quiet_line();
    new_two();
    seats[0].def.patience = 40;
    start_two();
    tick_times(50);
    CHECK_UINT(VSP_DROP_NOT, dropped());
    line.loss = 100;
    tick_times(40);
    early = dropped();
    tick_times(2);
    CHECK_UINT(VSP_DROP_NOT, early);
    CHECK_UINT(VSP_DROP_SILENCE, dropped());
}

/* A peer that leaves must say so, several times, and send nothing after
 * that. */
static void one_that_leaves_says_so(void)
{
    size_t size;
    int count = 0;

    rough_line();
    new_two();
    start_two();
    tick_times(50);
    CHECK_STATUS(VSP_OK, vsp_lockstep_drop(seats[1].lockstep, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_drop(seats[1].lockstep, 0));
    tick_times(30);
    CHECK_UINT(VSP_DROP_LEFT, dropped());
    CHECK_UINT(VSP_DROP_LEFT, vsp_lockstep_peer(seats[1].lockstep, 0).drop);
    for (; count < 20; count++) {
        CHECK_STATUS(VSP_OK, vsp_lockstep_send(seats[1].lockstep, 0, message,
                                               256, &size));
        if (size == 0)
            break;
    }
    CHECK_UINT(0, (uint32_t)size);
}

/* A state for a joining peer, changed in transit with correct checksums: the
 * world must not change. */
static void bad_state_is_not_taken(void)
{
    uint32_t hash, ticks = 0;

    quiet_line();
    new_two();
    start_two();
    tick_times(50);
    new_seat(0, VSP_WATCHER);
    seats[0].def.is_late = true;
    take_seat(&seats[0]);
    open_slot(0, 0, 1, true);
    CHECK_STATUS(
        VSP_OK, vsp_lockstep_connect(seats[1].lockstep, 1, VSP_WATCHER, false));
    hash = vsp_world_hash(seats[0].world);
    while (dropped() == VSP_DROP_NOT && ticks++ < 100) {
        unsigned char *at;

        CHECK_STATUS(VSP_OK, vsp_lockstep_send(seats[0].lockstep, 0, message,
                                               256, &message_size));
        (void)vsp_lockstep_receive(seats[1].lockstep, 1, message, message_size);
        CHECK_STATUS(VSP_OK, vsp_lockstep_send(seats[1].lockstep, 1, message,
                                               256, &message_size));
        if (message_size > 200) {
            at = find_section(6);
            if (word_of(at + 12) == 0)
                at[16 + 60] ^= 1;
            seal_message();
        }
        (void)receive_message();
        CHECK_STATUS(VSP_WAIT, vsp_lockstep_advance(seats[0].lockstep, NULL));
    }
    CHECK_UINT(VSP_DROP_STATE, dropped());
    CHECK_UINT(VSP_PHASE_JOINING, phase(0));
    CHECK_HEX(hash, vsp_world_hash(seats[0].world));
}

/* Creates the world again, empty, with another gravity and more sweeps. */
static void change_world(vsp_world *world, uint32_t more_sweeps)
{
    vsp_world_def def = vsp_world_def_default();

    def.capacity = vsp_world_capacity(world);
    def.gravity.x = real(1);
    def.sweeps += more_sweeps;
    CHECK_STATUS(VSP_OK,
                 vsp_world_create(world, VSP_WORLD_BYTES, &def, &world));
}

/* A good state of a world with other settings must be refused too, or peer 0
 * would choose the work of our steps.  Values that calls can change may
 * differ. */
static void state_with_other_settings_is_not_taken(void)
{
    vsp_lockstep_stats stats;

    for (uint32_t more = 0; more < 2; more++) {
        quiet_line();
        new_two();
        start_two();
        tick_times(50);
        add_watcher(true);
        change_world(seats[2].world, more);
        tick_times(100);
        stats = vsp_lockstep_get_stats(seats[2].lockstep);
        CHECK_UINT(more ? VSP_PHASE_JOINING : VSP_PHASE_PLAYING, phase(2));
        CHECK_UINT(more, stats.dropped);
        CHECK_UINT(more ? VSP_DROP_STATE : VSP_DROP_NOT, stats.drop);
    }
    CHECK(!strcmp("VSP_DROP_STATE", vsp_drop_name(stats.drop)));
    CHECK(!strcmp("VSP_DROP_LEFT", vsp_drop_name(VSP_DROP_LEFT)));
    CHECK(!strcmp("unknown reason", vsp_drop_name((vsp_drop)13)));
    CHECK(!strcmp("unknown reason", vsp_drop_name((vsp_drop)-1)));
}

/* A bad state in a search: the step is named, but no field. */
static void bad_state_of_a_search_is_not_taken(void)
{
    vsp_desync desync = {0};
    uint32_t ticks = 0, hash;

    quiet_line();
    new_two();
    seats[1].flip_step = 60;
    seats[1].flip_body = 1;
    start_two();
    while (phase(0) != VSP_PHASE_DIVERGED && ticks++ < 500) {
        tick_seat(0);
        tick_seat(1);
        for (uint32_t i = 0; i < FLYING; i++) {
            packet *p = &flying[i];

            if (p->due == 0 || p->to != 0 || p->size < 200)
                continue;
            memcpy(message, p->bytes, p->size);
            message_size = p->size;
            if (phase(0) == VSP_PHASE_SEARCHING)
                message[message_size - 8] ^= 1;
            seal_message();
            memcpy(p->bytes, message, p->size);
        }
        line.now++;
    }
    hash = vsp_world_hash(seats[0].world);
    CHECK_STATUS(VSP_DIVERGED, vsp_lockstep_desync(seats[0].lockstep, &desync));
    CHECK_UINT(60, desync.step);
    CHECK_UINT(0, desync.count);
    CHECK_UINT(VSP_DROP_STATE, dropped());
    CHECK_HEX(hash, vsp_world_hash(seats[0].world));
}


/* ---- Arbitrary bytes ----------------------------------------------------- */

static unsigned char before[LOCKSTEP_BYTES];

/* Saves the match, so that forget_match can undo the effects of a message. */
static void remember_match(void)
{
    memcpy(before, matches[0].mem, LOCKSTEP_BYTES);
}

static void forget_match(void)
{
    memcpy(matches[0].mem, before, LOCKSTEP_BYTES);
}

static void step_match(void)
{
    static const unsigned char input[INPUT_SIZE];
    unsigned char bytes[VSP_MAX_MESSAGE];
    size_t size;

    (void)vsp_lockstep_advance(seats[0].lockstep, input);
    CHECK_STATUS(VSP_OK, vsp_lockstep_send(seats[0].lockstep, 0, bytes,
                                           sizeof bytes, &size));
    CHECK_STATUS(VSP_OK, vsp_world_validate(seats[0].world, NULL));
}

/* Returns a hash over the certain states that are kept. */
static uint32_t certain_hash(uint32_t last)
{
    vsp_rollback *rollback = vsp_lockstep_rollback(seats[0].lockstep);
    uint32_t sum = 0;
    vsp_kept kept;

    for (uint32_t step = last - 20; step <= last; step++) {
        CHECK_STATUS(VSP_OK, vsp_rollback_state(rollback, step, &kept));
        sum = vsp__hash_word(sum, kept.hash);
    }
    return sum;
}

/* Messages of every length, and with every bit flipped.  With the old checksum
 * they must be refused.  With a corrected checksum they may be refused or
 * accepted, and certain states must stay. */
static void every_length_and_every_bit(void)
{
    uint32_t hash, certain, last;
    size_t whole, bit;

    new_message();
    whole = message_size;
    remember_match();
    last = confirmed(0);
    hash = vsp_world_hash(seats[0].world);
    certain = certain_hash(last);
    for (message_size = 0; message_size < whole; message_size++) {
        CHECK(receive_message() < 0);
        forget_match();
    }
    for (bit = 0; bit < 8 * whole; bit++) {
        test_note("bit %u", (unsigned)bit);
        message[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(receive_message() < 0);
        forget_match();
        seal_message();
        (void)receive_message();
        CHECK_HEX(hash, vsp_world_hash(seats[0].world));
        CHECK_HEX(certain, certain_hash(last));
        message[bit / 8] ^= (unsigned char)(1u << bit % 8);
        forget_match();
    }
}

/* Puts random numbers that are likely to harm at random positions. */
static void garble_message(uint32_t *random)
{
    static const uint32_t odd[] = {
        0, 1, 2, 20, 40, 100, 255, 0x7fffffffu, 0x80000000u, 0xffffffffu};
    uint32_t count = 1 + random_of(random) % 3;

    while (count-- > 0) {
        size_t at = random_of(random) % (message_size / 4) * 4;

        switch (random_of(random) % 4) {
        case 0:
            message[at + random_of(random) % 4] = (unsigned char)random_of(
                random);
            break;
        case 1:
            set_word(message + at, odd[random_of(random) % COUNT_OF(odd)]);
            break;
        case 2:
            set_word(message + at,
                     word_of(message + at) + random_of(random) % 64 - 32);
            break;
        default:
            only_section(random_of(random) % 9, random_of(random) % 3,
                         random_of(random) % 24);
            for (at = HEAD_BYTES + 4; at < message_size; at += 4)
                set_word(message + at,
                         random_of(random) % (random_of(random) % 200 + 1));
        }
    }
}

/* Garbled messages of a peer in one match, reconnected whenever it is dropped:
 * the world must stay valid, and certain states must stay the same. */
static void garbled_match(uint32_t seed, uint32_t count)
{
    unsigned char good[VSP_MAX_MESSAGE];
    uint32_t random = seed, sequence = 1000, certain, last;
    size_t size;

    new_message();
    memcpy(good, message, message_size);
    size = message_size;
    last = confirmed(0);
    certain = certain_hash(last);
    for (uint32_t i = 0; i < count; i++) {
        test_note("seed %u, message %u", (unsigned)seed, (unsigned)i);
        memcpy(message, good, size);
        message_size = size;
        if (random_of(&random) % 4 != 0)
            garble_message(&random);
        for (uint32_t at = 0; at < 12; at += 4)
            set_word(message + at, word_of(good + at));
        set_word(message + 12, ++sequence);
        seal_message();
        (void)receive_message();
        if (i % 4 == 0)
            step_match();
        if (dropped() != VSP_DROP_NOT)
            open_slot(0, 0, 1, random_of(&random) % 2 == 0);
    }
    CHECK_HEX(certain, certain_hash(last));
}

static void garbled_messages_do_no_harm(void)
{
    for (uint32_t seed = 1; seed <= 100; seed++)
        garbled_match(seed, 60);
}

static void many_garbled_messages_do_no_harm(void)
{
    uint32_t count = is_long() ? 20000 : 400;

    for (uint32_t seed = 1000; seed < 1000 + count; seed++)
        garbled_match(seed, 60);
}


/* ---- Calls --------------------------------------------------------------- */

static void check_def(vsp_status status, const vsp_lockstep_def *def)
{
    vsp_lockstep *lockstep = NULL;

    CHECK_STATUS(status, vsp_lockstep_create(matches[0].mem, LOCKSTEP_BYTES,
                                             def, &lockstep));
    CHECK((status == VSP_OK) == (lockstep != NULL));
}

static bool refuses_zeros(void *user, uint32_t player,
                          const unsigned char *input)
{
    (void)user;
    (void)player;
    return input[0] != 0;
}

/* refuses a definition that is good except for one member */
#define REFUSE(member, value)                                  \
    (def = good, def.member = value, test_note("%s", #member), \
     check_def(VSP_ERR_ARG, &def))

static void bad_defs_are_refused(void)
{
    vsp_lockstep_def def, good;

    quiet_line();
    new_two();
    good = seats[0].def;
    check_def(VSP_OK, &good);
    check_def(VSP_ERR_ARG, NULL);
    REFUSE(player, 2);
    REFUSE(player, VSP_WATCHER - 1u);
    REFUSE(delay, KEPT + 1u);
    REFUSE(delay, 0xffffffffu);
    REFUSE(hash_interval, 0);
    REFUSE(hash_interval, KEPT / 2u + 1u);
    REFUSE(peers, 0);
    REFUSE(peers, VSP_MAX_PEERS + 1u);
    REFUSE(spare, def.rollback.world);
    REFUSE(spare, (vsp_world *)(void *)seats);
    REFUSE(rollback.world, NULL);
    REFUSE(rollback.kept, 1002u);
    REFUSE(rollback.players, 0);
    REFUSE(rollback.history, 2u * (KEPT + good.delay) - 1u);
    REFUSE(rollback.is_input, refuses_zeros);
    test_note("");
}

/* Exactly the stated number of bytes, aligned, must be enough. */
static void memory_is_checked(void)
{
    vsp_lockstep_def def;
    vsp_lockstep *lockstep;

    quiet_line();
    new_two();
    def = seats[0].def;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_lockstep_create(NULL, LOCKSTEP_BYTES, &def, &lockstep));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_create(matches[0].mem,
                                                  LOCKSTEP_BYTES, &def, NULL));
    CHECK_STATUS(VSP_ERR_MEMORY,
                 vsp_lockstep_create(matches[0].mem + 1, LOCKSTEP_BYTES - 1,
                                     &def, &lockstep));
    CHECK_STATUS(VSP_ERR_MEMORY,
                 vsp_lockstep_create(matches[0].mem, LOCKSTEP_BYTES - 1, &def,
                                     &lockstep));
    CHECK_STATUS(VSP_ERR_MEMORY,
                 vsp_lockstep_create(matches[0].mem, 4096, &def, &lockstep));
    def.rollback.snapshot_size = (size_t)-1;
    CHECK_STATUS(
        VSP_ERR_MEMORY,
        vsp_lockstep_create(matches[0].mem, LOCKSTEP_BYTES, &def, &lockstep));
    CHECK(lockstep == NULL);
}

static void bad_arguments_are_refused(void)
{
    unsigned char input[INPUT_SIZE] = {0, 0}, bytes[256];
    vsp_record_def def = {0};
    vsp_lockstep *l;
    vsp_desync desync = {0};
    size_t size;

    quiet_line();
    new_two();
    start_two();
    l = seats[0].lockstep;
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_connect(NULL, 0, 1, false));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_connect(l, 2, 1, false));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_connect(l, 0, 0, false));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_connect(l, 0, 2, false));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_receive(NULL, 0, bytes, 40));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_receive(l, 2, bytes, 40));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_receive(l, 0, NULL, 40));
    CHECK_STATUS(VSP_ERR_FULL, vsp_lockstep_receive(l, 1, bytes, 40));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_send(NULL, 0, bytes, 256, &size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_send(l, 2, bytes, 256, &size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_send(l, 0, NULL, 256, &size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_send(l, 0, bytes, 256, NULL));
    CHECK_STATUS(VSP_ERR_MEMORY, vsp_lockstep_send(l, 0, bytes, 255, &size));
    CHECK_STATUS(VSP_OK, vsp_lockstep_send(l, 1, bytes, 256, &size));
    CHECK_UINT(0, (uint32_t)size);
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_advance(NULL, input));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_advance(l, NULL));
    input[0] = 16;
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_advance(l, input));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_drop(NULL, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_drop(l, 1));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_desync(NULL, &desync));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_desync(l, NULL));
    CHECK_STATUS(VSP_OK, vsp_lockstep_desync(l, &desync));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_record(NULL, &def, &size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_lockstep_record(l, &def, &size));
    CHECK(vsp_lockstep_rollback(NULL) == NULL);
    CHECK_UINT(0, vsp_lockstep_get_stats(NULL).rollback.step);
    CHECK_UINT(0, vsp_lockstep_peer(NULL, 0).sent);
    CHECK_UINT(0, vsp_lockstep_peer(l, 2).sent);
}

static vsp_status failing_step(void *user, vsp_recorder *recorder,
                               const vsp_turn *turn)
{
    if (turn->step == 5)
        return VSP_ERR_FULL;
    return game_step(user, recorder, turn);
}

static void failed_step_ends_the_match(void)
{
    vsp_status status = VSP_OK;

    quiet_line();
    new_two();
    seats[0].def.rollback.step = failing_step;
    start_two();
    add_watcher(false);
    seats[2].def.rollback.step = failing_step;
    take_seat(&seats[2]);
    open_slot(2, 0, 0, true);
    for (int i = 0; i < 20; i++) {
        status = tick_seat(0);
        tick_seat(1);
        tick_seat(2);
        line.now++;
    }
    CHECK_UINT(VSP_PHASE_OVER, phase(2));
    CHECK_STATUS(VSP_ERR_FULL, status);
    CHECK_UINT(VSP_PHASE_OVER, phase(0));
    CHECK_STATUS(VSP_ERR_FULL,
                 vsp_lockstep_get_stats(seats[0].lockstep).status);
}

/* ---- The last steps ------------------------------------------------------ */

#define LAST 0x80000000u /* the state after the last step */

/* Makes a match that has not begun begin at a later step. */
static void move_to(seat *s, uint32_t step)
{
    static unsigned char bytes[STATE_BYTES];
    vsp_rollback *rollback = vsp_lockstep_rollback(s->lockstep);
    uint32_t game[GAME_WORDS] = {0};
    vsp_kept state;

    CHECK_STATUS(VSP_OK, vsp_rollback_state(rollback, 0, &state));
    memcpy(bytes, state.bytes, state.size);
    state.bytes = bytes;
    state.game = game;
    state.step = step;
    CHECK_STATUS(VSP_OK, vsp_rollback_load(rollback, &state));
    vsp__begin_hashes(s->lockstep, step);
    s->noted = MOST_STATES;
}

static uint32_t last_hash(uint32_t index)
{
    vsp_kept state = {0};

    CHECK_STATUS(
        VSP_OK, vsp_rollback_state(vsp_lockstep_rollback(seats[index].lockstep),
                                   LAST, &state));
    return state.hash;
}

/* Plays the last 300 possible steps; a world's count of steps wraps in them. */
static void play_last_steps(uint32_t delay, uint32_t interval)
{
    new_two();
    for (uint32_t i = 0; i < 2; i++) {
        seats[i].world->params.tick = 0u - 100u;
        seats[i].def.delay = delay;
        seats[i].def.hash_interval = interval;
    }
    start_two();
    move_to(&seats[0], LAST - 300u);
    move_to(&seats[1], LAST - 300u);
    tick_times(500);
    for (uint32_t i = 0; i < 2; i++) {
        vsp_lockstep_stats stats = vsp_lockstep_get_stats(seats[i].lockstep);

        test_note("delay %u, interval %u, seat %u", delay, interval, i);
        CHECK_UINT(0, stats.dropped);
        CHECK_UINT(VSP_DROP_NOT, vsp_lockstep_peer(seats[i].lockstep, 0).drop);
        CHECK_UINT(0, vsp_lockstep_peer(seats[i].lockstep, 0).refused);
        CHECK_UINT(VSP_PHASE_PLAYING, stats.phase);
        CHECK_UINT(LAST, stats.rollback.step);
        CHECK_UINT(LAST, stats.rollback.confirmed);
        CHECK_AT_LEAST(300 / interval - 1, stats.hash_count);
        CHECK_STATUS(VSP_END, tick_seat(i));
    }
    CHECK_HEX(last_hash(0), last_hash(1));
    CHECK_UINT(200, vsp_world_tick(seats[0].world));
}

/* Peers whose counts of ticks, and worlds whose counts of steps, pass the ends
 * of signed and unsigned numbers. */
static void counts_of_ticks_wrap(void)
{
    static const uint32_t ends[] = {0x80000000u, 0};
    uint32_t i, k;

    for (i = 0; i < 2; i++) {
        test_note("count %08lx", (unsigned long)ends[i]);
        rough_line();
        new_two();
        for (k = 0; k < 2; k++) {
            seats[k].world->params.tick = ends[i] - 1000u;
            seats[k].def.patience = 60;
        }
        start_two();
        for (k = 0; k < 2; k++) {
            seats[k].lockstep->tick_count = ends[i] - 700u - 100u * k;
            seats[k].lockstep->peers[0].heard = ends[i] - 700u - 100u * k;
        }
        play_to(2000);
        check_same(0, 1, 0);
        for (k = 0; k < 2; k++) {
            vsp_lockstep_stats stats = vsp_lockstep_get_stats(
                seats[k].lockstep);

            CHECK_UINT(0, stats.dropped);
            CHECK_AT_MOST(8, stats.longest_wait);
            CHECK_AT_MOST(1400, stats.tick_count - ends[i]);
            CHECK(vsp_world_tick(seats[k].world) - ends[i] >= 1000);
        }
    }
}

/* Numbers of messages wrap, and a peer that connects again continues its
 * own. */
static void numbers_of_messages_wrap(void)
{
    static const uint32_t ends[] = {0x80000000u, 0};
    uint32_t i, k;

    for (i = 0; i < 2; i++) {
        test_note("count %08lx", (unsigned long)ends[i]);
        rough_line();
        new_two();
        start_two();
        for (k = 0; k < 2; k++)
            seats[k].lockstep->peers[0].sequence = ends[i] - 300u;
        play_to(1000);
        check_same(0, 1, 0);
        for (k = 0; k < 2; k++) {
            CHECK_UINT(0, vsp_lockstep_get_stats(seats[k].lockstep).dropped);
            CHECK_AT_MOST(2000, seats[k].lockstep->peers[0].sequence - ends[i]);
        }
    }
}

static void matches_end_at_the_last_step(void)
{
    quiet_line();
    line.latency = 3;
    play_last_steps(0, 20);
    quiet_line();
    play_last_steps(2, 1);
    quiet_line();
    line.latency = 8;
    line.jitter = 5;
    line.loss = 10;
    play_last_steps(5, 16);
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
    TEST(watcher_with_little_memory_catches_up),
    TEST(inputs_before_a_state_are_not_made_up),
    TEST(player_comes_back),
    TEST(player_comes_back_at_once),
    TEST(star_stays_in_step),
    TEST(flipped_bit_is_named_by_both),
    TEST(search_goes_on_beside_many_inputs),
    TEST(changed_game_is_named),
    TEST(no_spare_no_field),
    TEST(short_memory_names_a_later_step),
    TEST(unlike_worlds_part_before_the_first_step),
    TEST(watcher_parts),
    TEST(search_ends_without_an_answer),
    TEST(bytes_that_are_no_message),
    TEST(stray_bytes_are_forgiven),
    TEST(bad_heads_are_refused),
    TEST(other_matches_are_refused),
    TEST(another_kind_of_numbers_is_refused),
    TEST(lengths_that_lie_are_refused),
    TEST(numbers_out_of_range_are_refused),
    TEST(cheats_are_dropped_at_once),
    TEST(only_relays_send_inputs_of_others),
    TEST(old_messages_are_counted),
    TEST(reordered_messages_are_good),
    TEST(flood_is_dropped),
    TEST(silence_is_dropped),
    TEST(one_that_leaves_says_so),
    TEST(bad_state_is_not_taken),
    TEST(state_with_other_settings_is_not_taken),
    TEST(bad_state_of_a_search_is_not_taken),
    TEST(every_length_and_every_bit),
    TEST(garbled_messages_do_no_harm),
    TEST_SLOW(many_garbled_messages_do_no_harm),
    TEST(bad_defs_are_refused),
    TEST(memory_is_checked),
    TEST(bad_arguments_are_refused),
    TEST(failed_step_ends_the_match),
    TEST(counts_of_ticks_wrap),
    TEST(numbers_of_messages_wrap),
    TEST(matches_end_at_the_last_step),
    TEST_END,
};

const test_suite lockstep_suite = {"lockstep", tests};
