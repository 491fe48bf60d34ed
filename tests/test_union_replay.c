/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Unions that break and bend, in rollback and replay: a step that is undone, or
 * played again, must break and bend the same joints by the same bits, and
 * report so again.  The game: one player presses the end of a girder, which
 * yields at its wall and breaks there; the other one kicks a ball at a tower,
 * whose joints break. */

#include "fixture.h"

#include <string.h>

#if VSP_UNIONS

#define PLAYERS 2u
#define STEPS 90u
#define DEPTH 8u
#define KEPT 10u
#define HISTORY 24u
#define STATE_BYTES 16384u
#define MEMORY_BYTES \
    VSP_ROLLBACK_BYTES(PLAYERS, 1, KEPT, HISTORY, STATE_BYTES, 0)

#define GIRDER 6
#define EDGE 0.2 /* m */
#define FORCE 10 /* N, for an input of 1 */
#define KICK 35u /* the step of the kick */

static vsp_world *world;
static vsp_body_id tip, ball;

static union {
    uint32_t word;
    const void *address;
    unsigned char bytes[MEMORY_BYTES];
} memory;

/* results of a run without rollback */
static uint32_t true_hash[STEPS + 1]; /* before each step, and at the end */
static uint32_t true_events[STEPS];   /* sums over the events of each step */
static uint32_t events_of[STEPS][VSP_EVENT_SPLIT + 1];

static uint32_t got_events[STEPS], calls;


/* ---- The game ------------------------------------------------------------ */

static vsp_body_id add_box(vsp_body_type type, double x, double y)
{
    return add_body(world, type,
                    vsp_box(real(EDGE / 2), real(EDGE / 2), real(EDGE / 2)), x,
                    y, 0);
}

/* Adds a rigid joint at the middle between two bodies. */
static void join_rigidly(vsp_body_id a, vsp_body_id b, double break_impulse,
                         double yield_torque, double break_angle)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_vec3 p = vsp_body_center(world, a), q = vsp_body_center(world, b);

    def.type = VSP_JOINT_FIXED;
    def.body_a = a;
    def.body_b = b;
    def.rigid = true;
    def.break_impulse = real(break_impulse);
    def.yield_torque = real(yield_torque);
    def.break_angle = real(break_angle);
    CHECK_STATUS(VSP_OK, vsp_joint_place(world, &def,
                                         real3((num(p.x) + num(q.x)) / 2,
                                               (num(p.y) + num(q.y)) / 2, 0),
                                         real3(1, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
}

/* Adds a tower of two columns, whose joints carry its weight, but no hit. */
static void add_tower(double x)
{
    vsp_body_id box[8];

    for (int i = 0; i < 8; i++) {
        box[i] = add_box(VSP_DYNAMIC, x + EDGE * (i % 2), EDGE * (i / 2 + 0.5));
        if (i % 2 == 1)
            join_rigidly(box[i - 1], box[i], 4, 0, 0);
        if (i >= 2)
            join_rigidly(box[i - 2], box[i], 4, 0, 0);
    }
}

static void begin_game(vsp_stepper stepper, uint32_t index)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id last;

    def.stepper = stepper;
    def.dt = real(0.01);
    def.reports = 63;
    world = new_world_at(&def, index, 0);
    (void)add_ground(world);
    last = add_box(VSP_STATIC, -EDGE / 2, 3);
    for (int i = 0; i < GIRDER; i++) {
        tip = add_box(VSP_DYNAMIC, EDGE * (i + 0.5), 3);
        join_rigidly(last, tip, 0, 360, 0.35);
        last = tip;
    }
    add_tower(3);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(real(0.15)), 5, 0.5, 0);
}

/* Inputs change in every step, so every guess is wrong.  The first player
 * presses harder and harder, the second one kicks once. */
static unsigned char input_of(uint32_t player, uint32_t step)
{
    if (player == 0)
        return (unsigned char)(2u + step / 4u + 3u * (step % 2u));
    return (unsigned char)(step == KICK ? 200u : step % 2u);
}

static uint32_t sum_events(void)
{
    uint32_t count, i, sum = 1;
    const vsp_event *e = vsp_world_events(world, &count);

    for (i = 0; i < count; i++)
        sum = ((sum * 31u + e[i].type) * 31u + e[i].body_a.bits) * 31u +
              e[i].body_b.bits * 7u + e[i].joint.bits;
    return sum;
}

static vsp_status play_turn(void *user, vsp_recorder *recorder,
                            const vsp_turn *turn)
{
    vsp_status status;

    (void)user;
    calls++;
    CHECK_STATUS(
        VSP_OK, vsp_record_body_apply_center_force(
                    recorder, tip, real3(0, -FORCE * (int)turn->inputs[0], 0)));
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_apply_center_impulse(
                     recorder, ball, real3(-(int)turn->inputs[1], 0, 0)));
    status = vsp_record_step(recorder);
    got_events[turn->step] = sum_events();
    return status;
}

/* Plays the game with a recorder, which may be off. */
static void play_plainly(vsp_recorder *recorder)
{
    unsigned char inputs[PLAYERS];
    vsp_turn turn = {0, 3, false, NULL};

    recorder->world = world;
    turn.inputs = inputs;
    memset(events_of, 0, sizeof events_of);
    for (turn.step = 0; turn.step < STEPS; turn.step++) {
        uint32_t count, i;
        const vsp_event *e;

        true_hash[turn.step] = vsp_world_hash(world);
        inputs[0] = input_of(0, turn.step);
        inputs[1] = input_of(1, turn.step);
        CHECK_STATUS(VSP_OK, play_turn(NULL, recorder, &turn));
        true_events[turn.step] = got_events[turn.step];
        e = vsp_world_events(world, &count);
        for (i = 0; i < count; i++)
            events_of[turn.step][e[i].type]++;
    }
    true_hash[STEPS] = vsp_world_hash(world);
}

static void play_without_recorder(vsp_stepper stepper)
{
    static const vsp_recorder off;
    vsp_recorder recorder = off;

    begin_game(stepper, 0);
    play_plainly(&recorder);
}

/* Returns the first step that has an event of a type, beginning with `from`. */
static uint32_t step_of(vsp_event_type type, uint32_t from)
{
    while (from < STEPS && events_of[from][type] == 0)
        from++;
    return from;
}

/* The steps in which the girder begins to yield, the tower breaks, and the
 * girder breaks: in this order, with some steps in between. */
typedef struct plot {
    uint32_t yield, tower, girder;
} plot;

static plot find_plot(void)
{
    plot at;

    at.yield = step_of(VSP_EVENT_LIMIT, 0);
    at.tower = step_of(VSP_EVENT_BREAK, 0);
    at.girder = step_of(VSP_EVENT_BREAK, at.tower + 10);
    CHECK_AT_LEAST(10, at.yield);
    CHECK_AT_LEAST(at.yield + 10.0, at.tower);
    CHECK_AT_MOST(STEPS - 10.0, at.girder);
    CHECK_AT_LEAST(3, events_of[at.tower][VSP_EVENT_BREAK]);
    CHECK(events_of[at.girder][VSP_EVENT_SPLIT] > 0);
    return at;
}


/* ---- Rollback ------------------------------------------------------------ */

static vsp_rollback *begin_match(vsp_stepper stepper)
{
    vsp_rollback_def def = {0};
    vsp_rollback *r = NULL;

    begin_game(stepper, 0);
    def.world = world;
    def.players = PLAYERS;
    def.input_size = 1;
    def.depth = DEPTH;
    def.kept = KEPT;
    def.history = HISTORY;
    def.snapshot_size = STATE_BYTES;
    def.step = play_turn;
    CHECK_STATUS(VSP_OK,
                 vsp_rollback_create(&memory, MEMORY_BYTES, &def, 0, &r));
    calls = 0;
    return r;
}

static void tell_input(vsp_rollback *r, uint32_t player, uint32_t step)
{
    unsigned char input = input_of(player, step);

    CHECK_STATUS(VSP_OK, vsp_rollback_input(r, player, step, &input));
}

/* Advances to before step `to`.  The inputs of a player from step `late` on
 * come DEPTH steps late, all at once. */
static void play_match(vsp_rollback *r, uint32_t to, uint32_t player,
                       uint32_t late)
{
    uint32_t step = vsp_rollback_get_stats(r).step;

    for (; step < to; step++) {
        uint32_t from = step;

        tell_input(r, 1 - player, step);
        if (step == late + DEPTH)
            from = late;
        for (; from <= step && (step < late || step >= late + DEPTH); from++)
            tell_input(r, player, from);
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(r));
        if (step < late || step >= late + DEPTH)
            CHECK_HEX(true_hash[step + 1], vsp_world_hash(world));
    }
}

static void check_late(vsp_stepper stepper, uint32_t player, uint32_t late)
{
    vsp_rollback *r = begin_match(stepper);
    vsp_rollback_stats stats;

    test_note("stepper %d, player %u is late in step %u", (int)stepper,
              (unsigned)player, (unsigned)late);
    play_match(r, STEPS, player, late);
    stats = vsp_rollback_get_stats(r);
    CHECK_UINT(STEPS, stats.confirmed);
    CHECK_UINT(1, stats.rollback_count);
    CHECK_UINT(DEPTH, stats.deepest);
    CHECK_UINT(STEPS + DEPTH, calls);
    CHECK_BYTES(true_events, got_events, sizeof true_events);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* Inputs are late for steps before, in and after a break, and while the girder
 * yields: everything must be as if they had come in time. */
static void late_inputs_break_the_same_joints(void)
{
    plot at;

    play_without_recorder(VSP_STEPPER_CARRY);
    at = find_plot();
    for (uint32_t player = 0; player < PLAYERS; player++) {
        check_late(VSP_STEPPER_CARRY, player, at.yield - 3);
        check_late(VSP_STEPPER_CARRY, player, at.yield + 5);
        check_late(VSP_STEPPER_CARRY, player, KICK);
        check_late(VSP_STEPPER_CARRY, player, at.tower - 3);
        check_late(VSP_STEPPER_CARRY, player, at.tower + 1);
        check_late(VSP_STEPPER_CARRY, player, at.girder - DEPTH + 1);
        check_late(VSP_STEPPER_CARRY, player, at.girder - 1);
    }
}

static void inputs_may_be_late_at_any_time(void)
{
    for (int stepper = 0; stepper < 4; stepper++) {
        plot at;

        play_without_recorder((vsp_stepper)stepper);
        at = find_plot();
        for (uint32_t late = at.yield - DEPTH; late <= at.girder + 1; late++)
            check_late((vsp_stepper)stepper, late % PLAYERS, late);
    }
}


/* ---- Replay -------------------------------------------------------------- */

static unsigned char film[65536];
static size_t film_size;

static void record_game(vsp_stepper stepper)
{
    vsp_record_def def = {0};
    vsp_recorder recorder = {0};

    begin_game(stepper, 0);
    def.buffer = film;
    def.capacity = sizeof film;
    def.keyframe_interval = 16;
    CHECK_STATUS(VSP_OK, vsp_record_begin(&recorder, world, &def));
    play_plainly(&recorder);
    CHECK_STATUS(VSP_OK, vsp_record_end(&recorder, &film_size));
}

static bool begin_film(vsp_player *player)
{
    vsp_world_def def = vsp_world_def_default();

    return CHECK_STATUS(VSP_OK, vsp_play_begin(player, new_world_at(&def, 1, 0),
                                               film, film_size));
}

/* Plays a replay, then seeks in it. */
static void check_film(vsp_stepper stepper)
{
    plot at;
    vsp_player player;

    record_game(stepper);
    at = find_plot();
    if (!begin_film(&player))
        return;
    for (uint32_t step = 1; step <= STEPS; step++) {
        CHECK_STATUS(VSP_OK, vsp_play_step(&player));
        CHECK_HEX(true_hash[step], vsp_world_hash(player.world));
    }
    CHECK_STATUS(VSP_END, vsp_play_step(&player));
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t to = k < 2   ? at.girder + k
                      : k < 4 ? at.tower + k - 2
                              : at.yield + 7 * (k - 4) + 1;

        test_note("stepper %d, to step %u", (int)stepper, (unsigned)to);
        CHECK_STATUS(VSP_OK, vsp_play_seek(&player, to));
        CHECK_HEX(true_hash[to], vsp_world_hash(player.world));
        CHECK_STATUS(VSP_OK, vsp_play_step(&player));
        CHECK_HEX(true_hash[to + 1], vsp_world_hash(player.world));
    }
}

static void a_replay_breaks_the_same_joints(void)
{
    for (int stepper = 0; stepper < 4; stepper++)
        check_film((vsp_stepper)stepper);
}

/* A rollback records the step of a break: the same state must follow. */
static void a_break_in_a_match_is_filmed(void)
{
    static unsigned char bytes[STATE_BYTES];
    vsp_record_def def = {0};
    vsp_kept state;
    vsp_player player;
    vsp_rollback *r;
    plot at;

    play_without_recorder(VSP_STEPPER_CARRY);
    at = find_plot();
    r = begin_match(VSP_STEPPER_CARRY);
    play_match(r, at.tower + 3, 1, at.tower - DEPTH);
    if (!CHECK_STATUS(VSP_OK, vsp_rollback_state(r, at.tower + 1, &state)))
        return;
    memcpy(bytes, state.bytes, state.size);
    state.bytes = bytes;
    def.buffer = film;
    def.capacity = sizeof film;
    CHECK_STATUS(VSP_OK,
                 vsp_rollback_record(r, at.tower, &state, &def, &film_size));
    CHECK_HEX(true_hash[at.tower + 3], vsp_world_hash(world));
    if (!begin_film(&player))
        return;
    CHECK_HEX(true_hash[at.tower], vsp_world_hash(player.world));
    CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    CHECK_HEX(true_hash[at.tower + 1], vsp_world_hash(player.world));
    CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    CHECK_STATUS(VSP_END, vsp_play_step(&player));
}

static const test tests[] = {
    TEST(late_inputs_break_the_same_joints),
    TEST_SLOW(inputs_may_be_late_at_any_time),
    TEST(a_replay_breaks_the_same_joints),
    TEST(a_break_in_a_match_is_filmed),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif /* VSP_UNIONS */

extern const test_suite union_replay_suite;

const test_suite union_replay_suite = {"union_replay", tests};
