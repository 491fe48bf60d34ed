/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rollback: however late inputs come, the states equal those of a match in
 * which all came in time.  Inputs are checked, a failure leaves the match
 * unchanged, and a step that two machines made differently gives a replay.  The
 * game: two players push crates, throw balls, tie them to themselves and let
 * go.  Sides 0 and 1 of a match have the worlds in buffers 0 and 1. */

#include "fixture.h"
#include "src/record/record.h"

#include <string.h>

#define PLAYERS 2u
#define INPUT 2u
#define STEPS 120u
#define DEPTH 10u
#define KEPT 12u
#define HISTORY 32u
#define STATE_BYTES 8192u
#define GAME_WORDS 7u
#define MEMORY_BYTES \
    VSP_ROLLBACK_BYTES(PLAYERS, INPUT, KEPT, HISTORY, STATE_BYTES, GAME_WORDS)

/* the program's own state */
enum { STEPS_MADE, BALL, ROPE = BALL + PLAYERS, IDS = ROPE + PLAYERS };

/* faults of a step */
typedef enum fault {
    FAULT_NONE,
    FAULT_FAILS, /* fails before it makes the step */
    FAULT_NO_STEP,
    FAULT_TWO_STEPS,
    FAULT_NOTE, /* returns a positive status */
    FAULT_FLIP, /* flips a bit of a velocity, without a call */
    FAULT_PUSH, /* makes a call that the other side does not make */
    FAULT_CHEAT /* changes the program's own state alone */
} fault;

typedef struct side {
    vsp_world *world;
    vsp_rollback *rollback;
    vsp_rollback_def def;
    uint32_t game[GAME_WORDS];
    uint32_t events[STEPS + 1]; /* sums over the events of each step */
    uint32_t calls, again_calls, ids;
    uint32_t known; /* known inputs of the latest turn: bits */
    fault fault;
    uint32_t fault_step;
} side;

static side sides[2];
static union {
    uint32_t word;
    const void *address;
    unsigned char bytes[MEMORY_BYTES + 16u];
} memories[2];

/* results of the match in which all inputs come in time */
static uint32_t true_hash[STEPS + 1]; /* hash of the world */
static uint32_t true_kept[STEPS + 1]; /* hash of world and game */
static uint32_t true_events[STEPS + 1];


/* ---- The game ------------------------------------------------------------ */

#define STAND 5u /* stand still: instead of a direction */

enum { THROW = 1, TIE, UNTIE, TAKE };

static uint32_t noise(uint32_t a, uint32_t b)
{
    return vsp__hash_end(vsp__hash_word(vsp__hash_word(7u, a), b));
}

/* Computes the input of a player: the same direction for some steps, then
 * another one; a rest in the middle, in which all bodies fall asleep. */
static void play_input(uint32_t player, uint32_t step,
                       unsigned char input[INPUT])
{
    uint32_t turn = step + 3u * player;
    bool is_rest = step >= 40 && step < 90;

    input[0] = (unsigned char)(is_rest ? STAND
                                       : noise(player, step / 6u) & 15u);
    input[1] = 0;
    if (step == 40)
        input[1] = TAKE;
    if (turn % 5u == 0 && !is_rest)
        input[1] = (unsigned char)(THROW + turn / 5u % 4u);
}

static void remember_id(side *s, uint32_t word, uint32_t id)
{
    s->ids++;
    s->game[word] = id;
    s->game[IDS] = vsp__hash_word(s->game[IDS], id);
}

static void throw_ball(side *s, vsp_recorder *r, uint32_t player)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)),
                                player == 0 ? -2 : 2, 2, 0);
    vsp_body_id id;

    def.velocity = real3(player == 0 ? 3 : -3, 0, 0.5);
    CHECK_STATUS(VSP_OK, vsp_record_body_create(r, &def, &id));
    remember_id(s, BALL + player, id.bits);
}

static void tie_ball(side *s, vsp_recorder *r, uint32_t player)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_joint_id id;

    def.type = VSP_JOINT_BALL;
    def.body_a = vsp_body_at(r->world, 1u + player);
    def.body_b.bits = s->game[BALL + player];
    def.frame_a.position = real3(0, 1, 0);
    if (def.body_b.bits == 0)
        return;
    CHECK_STATUS(VSP_OK, vsp_record_joint_create(r, &def, &id));
    remember_id(s, ROPE + player, id.bits);
}

static void untie_ball(side *s, vsp_recorder *r, uint32_t player)
{
    vsp_joint_id id;

    id.bits = s->game[ROPE + player];
    if (id.bits == 0)
        return;
    CHECK_STATUS(VSP_OK, vsp_record_joint_destroy(r, id));
    remember_id(s, ROPE + player, 0);
}

static void take_ball(side *s, vsp_recorder *r, uint32_t player)
{
    vsp_body_id id;

    id.bits = s->game[BALL + player];
    if (id.bits == 0)
        return;
    s->game[ROPE + player] = 0;
    CHECK_STATUS(VSP_OK, vsp_record_body_destroy(r, id));
    remember_id(s, BALL + player, 0);
}

static void obey_input(side *s, vsp_recorder *r, uint32_t player,
                       const unsigned char *input)
{
    static const double ways[4] = {-300, 0, 300, 0};
    vsp_vec3 push = real3(ways[input[0] & 3], 0, ways[input[0] >> 2 & 3]);

    if (input[0] != STAND)
        CHECK_STATUS(VSP_OK, vsp_record_body_apply_center_impulse(
                                 r, vsp_body_at(r->world, 1u + player), push));
    if (input[1] == THROW && s->game[BALL + player] == 0)
        throw_ball(s, r, player);
    if (input[1] == TIE && s->game[ROPE + player] == 0)
        tie_ball(s, r, player);
    if (input[1] == UNTIE)
        untie_ball(s, r, player);
    if (input[1] == TAKE)
        take_ball(s, r, player);
}

static uint32_t sum_events(const vsp_world *world)
{
    uint32_t count, i, sum = 1;
    const vsp_event *event = vsp_world_events(world, &count);

    for (i = 0; i < count; i++) {
        sum = vsp__hash_word(sum, event[i].type);
        sum = vsp__hash_word(sum, event[i].shape_a.bits);
        sum = vsp__hash_word(sum, event[i].shape_b.bits);
        sum = vsp__hash_word(sum, event[i].body_a.bits);
    }
    return sum;
}

static void flip_bit(vsp_world *world)
{
    unsigned char *bytes = (unsigned char *)&world->bodies[1].velocity.x;

    bytes[1] ^= 1u;
}

static vsp_status make_fault(side *s, vsp_recorder *r)
{
    vsp_vec3 push = real3(0, 1, 0);

    switch (s->fault) {
    case FAULT_FAILS:
        return VSP_ERR_ID;
    case FAULT_NO_STEP:
        return VSP_OK;
    case FAULT_TWO_STEPS:
        (void)vsp_record_step(r);
        return vsp_record_step(r);
    case FAULT_NOTE:
        (void)vsp_record_step(r);
        return VSP_WAIT;
    case FAULT_FLIP:
        (void)vsp_record_step(r);
        flip_bit(r->world);
        return VSP_OK;
    case FAULT_PUSH:
        (void)vsp_record_body_apply_center_impulse(r, vsp_body_at(r->world, 1),
                                                   push);
        return vsp_record_step(r);
    case FAULT_CHEAT:
        s->game[STEPS_MADE] += 1000u;
        return vsp_record_step(r);
    default:
        return vsp_record_step(r);
    }
}

static vsp_status play_turn(void *user, vsp_recorder *r, const vsp_turn *turn)
{
    side *s = (side *)user;
    vsp_status status;
    uint32_t p;

    s->calls++;
    s->again_calls += turn->is_again;
    s->known = turn->known;
    s->game[STEPS_MADE]++;
    for (p = 0; p < PLAYERS; p++)
        obey_input(s, r, p, turn->inputs + INPUT * p);
    if (s->fault != FAULT_NONE && s->fault_step == turn->step)
        return make_fault(s, r);
    status = vsp_record_step(r);
    if (turn->step < STEPS)
        s->events[turn->step + 1] = sum_events(r->world);
    return status;
}

static bool is_input(void *user, uint32_t player, const unsigned char *input)
{
    (void)user;
    (void)player;
    return input[0] < 16 && input[1] <= TAKE;
}


/* ---- Matches ------------------------------------------------------------- */

static side *new_side(uint32_t index)
{
    vsp_world_def def = vsp_world_def_default();
    side *s = &sides[index];
    uint32_t i;

    memset(s, 0, sizeof *s);
    def.sleep_time = VSP_R(0.1);
    def.reports = VSP_REPORT_BEGIN | VSP_REPORT_END | VSP_REPORT_SLEEP;
    s->world = new_world_at(&def, index, 0);
    add_ground(s->world);
    add_cube(s->world, -1.03, 0.5, 0);
    add_cube(s->world, 1.03, 0.5, 0);
    for (i = 0; i < 3; i++)
        add_cube(s->world, 0, 0.5 + i, 0);
    s->def.world = s->world;
    s->def.players = PLAYERS;
    s->def.input_size = INPUT;
    s->def.depth = DEPTH;
    s->def.kept = KEPT;
    s->def.history = HISTORY;
    s->def.snapshot_size = STATE_BYTES;
    s->def.game = s->game;
    s->def.game_words = GAME_WORDS;
    s->def.step = play_turn;
    s->def.is_input = is_input;
    s->def.user = s;
    memset(&memories[index], 0xdd, sizeof memories[index]);
    return s;
}

static vsp_status create_rollback(side *s, uint32_t first_step)
{
    return vsp_rollback_create(&memories[s - sides], MEMORY_BYTES, &s->def,
                               first_step, &s->rollback);
}

static side *new_match(uint32_t index)
{
    side *s = new_side(index);

    CHECK_STATUS(VSP_OK, create_rollback(s, 0));
    return s;
}

static uint32_t kept_hash(const side *s)
{
    static unsigned char bytes[STATE_BYTES];
    size_t size;

    CHECK_STATUS(VSP_OK,
                 vsp_world_snapshot(s->world, bytes, sizeof bytes, &size));
    return vsp__saved_state_hash(bytes, s->game, GAME_WORDS);
}

/* Plays the match without the rollback. */
static void play_plainly(void)
{
    static const vsp_recorder off;
    side *s = new_side(0);
    vsp_recorder recorder = off;
    unsigned char inputs[PLAYERS * INPUT];
    vsp_turn turn = {0, 3, false, NULL};
    uint32_t p;

    recorder.world = s->world;
    turn.inputs = inputs;
    for (turn.step = 0; turn.step < STEPS; turn.step++) {
        true_hash[turn.step] = vsp_world_hash(s->world);
        true_kept[turn.step] = kept_hash(s);
        for (p = 0; p < PLAYERS; p++)
            play_input(p, turn.step, inputs + INPUT * p);
        CHECK_STATUS(VSP_OK, play_turn(s, &recorder, &turn));
    }
    true_hash[STEPS] = vsp_world_hash(s->world);
    true_kept[STEPS] = kept_hash(s);
    memcpy(true_events, s->events, sizeof true_events);
}

static vsp_status tell_input(side *s, uint32_t player, uint32_t step)
{
    unsigned char input[INPUT];

    play_input(player, step, input);
    return vsp_rollback_input(s->rollback, player, step, input);
}

static vsp_rollback_stats stats_of(const side *s)
{
    return vsp_rollback_get_stats(s->rollback);
}

/* Sets both players' inputs, and makes the steps. */
static void play_steps(side *s, uint32_t count)
{
    for (; count > 0; count--) {
        uint32_t step = stats_of(s).step;

        CHECK_STATUS(VSP_OK, tell_input(s, 0, step));
        CHECK_STATUS(VSP_OK, tell_input(s, 1, step));
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    }
}

/* Checks the certain states that are kept, beginning with *from. */
static void check_confirmed(side *s, uint32_t *from)
{
    vsp_rollback_stats stats = stats_of(s);
    vsp_kept state;

    for (; *from <= stats.confirmed; *from += 1) {
        test_note("state %u", (unsigned)*from);
        if (CHECK_STATUS(VSP_OK,
                         vsp_rollback_state(s->rollback, *from, &state)))
            CHECK_HEX(true_kept[*from], state.hash);
    }
    test_note("");
}

/* Checks the end: everything must be as if no input had been late. */
static void check_end(side *s)
{
    vsp_rollback_stats stats = stats_of(s);
    uint32_t step;

    CHECK_UINT(STEPS, stats.step);
    CHECK_UINT(STEPS, stats.confirmed);
    CHECK_HEX(true_hash[STEPS], vsp_world_hash(s->world));
    CHECK_UINT(STEPS, s->game[STEPS_MADE]);
    CHECK_UINT(stats.again_count, s->again_calls);
    CHECK_UINT(STEPS + stats.again_count, s->calls);
    CHECK_STATUS(VSP_OK, vsp_world_validate(s->world, NULL));
    for (step = 1; step <= STEPS; step++) {
        test_note("events of step %u", (unsigned)step);
        CHECK_HEX(true_events[step], s->events[step]);
    }
    test_note("");
}


/* ---- Late inputs --------------------------------------------------------- */

/* If all inputs come in time, the states must be those of play_plainly.  The
 * game must contain the cases that can go wrong. */
static void all_in_time_is_as_without(void)
{
    side *s;
    uint32_t step;

    play_plainly();
    s = new_side(0);
    s->def.depth = 0;
    CHECK_STATUS(VSP_OK, create_rollback(s, 0));
    for (step = 0; step < STEPS; step++) {
        CHECK_HEX(true_hash[step], vsp_world_hash(s->world));
        play_steps(s, 1);
        CHECK_UINT(3, s->known);
        if (step == 89)
            CHECK_UINT(0, vsp_world_stats(s->world).awake_count);
    }
    check_end(s);
    CHECK_UINT(0, stats_of(s).rollback_count);
    CHECK_AT_LEAST(8, s->ids);
}

/* One player's inputs come `late` steps late, the other's in time. */
static void late_inputs_give_the_same_states(void)
{
    uint32_t late, step;

    play_plainly();
    for (late = 1; late <= DEPTH; late++) {
        side *s = new_match(0);
        uint32_t checked = 0;

        for (step = 0; step < STEPS + late; step++) {
            if (step < STEPS)
                CHECK_STATUS(VSP_OK, tell_input(s, 0, step));
            if (step >= late)
                CHECK_STATUS(VSP_OK, tell_input(s, 1, step - late));
            CHECK_STATUS(VSP_OK, step < STEPS
                                     ? vsp_rollback_advance(s->rollback)
                                     : vsp_rollback_settle(s->rollback));
            check_confirmed(s, &checked);
        }
        check_end(s);
        CHECK_UINT(late, stats_of(s).deepest);
        CHECK_AT_LEAST(10, stats_of(s).rollback_count);
        CHECK_UINT(0, stats_of(s).wait_count);
    }
}

/* Sets the input of a step near the last known one: it may be known already or
 * too far ahead, but is never beyond the present step. */
static void tell_any(side *s, uint32_t player, uint32_t dice)
{
    uint32_t known = vsp_rollback_known(s->rollback, player);
    uint32_t step = known + dice % 5u;

    step = step < 2 ? 0 : step - 2u;
    if (step > stats_of(s).step || step >= STEPS)
        return;
    CHECK_STATUS(step > known ? VSP_ERR_TRUNCATED : VSP_OK,
                 tell_input(s, player, step));
}

static void any_order_of_telling_gives_the_same_states(void)
{
    uint32_t seed, tick;

    play_plainly();
    for (seed = 0; seed < (is_long() ? 100u : 10u); seed++) {
        side *s = new_match(0);
        uint32_t checked = 0, often = 1u + seed % 4u;

        for (tick = 0; stats_of(s).confirmed < STEPS; tick++) {
            uint32_t dice = noise(seed, tick), i;

            if (!CHECK(tick < 20 * STEPS))
                return;
            for (i = 0; i < often; i++)
                tell_any(s, dice >> i & 1u, dice >> (8u + i));
            if (stats_of(s).step < STEPS)
                (void)vsp_rollback_advance(s->rollback);
            else
                CHECK_STATUS(VSP_OK, vsp_rollback_settle(s->rollback));
            check_confirmed(s, &checked);
        }
        check_end(s);
        CHECK_AT_MOST(DEPTH, stats_of(s).deepest);
    }
}

static const unsigned char go_on[INPUT] = {1, 0}, stop[INPUT] = {STAND, 0};

static void tell_bytes(side *s, uint32_t player, uint32_t step,
                       const unsigned char *input)
{
    CHECK_STATUS(VSP_OK, vsp_rollback_input(s->rollback, player, step, input));
}

static void right_guesses_cost_nothing(void)
{
    side *s = new_match(0);
    uint32_t step;

    tell_bytes(s, 1, 0, go_on);
    for (step = 0; step < 40; step++) {
        tell_bytes(s, 0, step, go_on);
        if (step >= 8)
            tell_bytes(s, 1, step - 7u, go_on);
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
        CHECK_UINT(step == 0 ? 3 : 1, s->known);
    }
    CHECK_UINT(40, s->calls);
    CHECK_UINT(0, stats_of(s).rollback_count);
    CHECK_UINT(33, stats_of(s).confirmed);
}

static void a_wrong_guess_costs_the_steps_since(void)
{
    side *s = new_match(0);
    uint32_t step;

    tell_bytes(s, 1, 0, go_on);
    for (step = 0; step < 9; step++) {
        tell_bytes(s, 0, step, go_on);
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    }
    for (step = 1; step < 9; step++)
        tell_bytes(s, 1, step, step < 4 ? go_on : stop);
    CHECK_UINT(4, stats_of(s).confirmed); /* not yet settled */
    CHECK_STATUS(VSP_OK, vsp_rollback_settle(s->rollback));
    CHECK_UINT(9, stats_of(s).confirmed);
    CHECK_UINT(9, stats_of(s).step);
    CHECK_UINT(1, stats_of(s).rollback_count);
    CHECK_UINT(5, stats_of(s).again_count);
    CHECK_UINT(5, stats_of(s).deepest);
    CHECK_UINT(9, s->game[STEPS_MADE]);
    CHECK_UINT(5, s->again_calls);
    CHECK_UINT(14, s->calls);
    CHECK_STATUS(VSP_OK, vsp_rollback_settle(s->rollback));
    CHECK_UINT(14, s->calls);
}

/* Ids of bodies and joints must repeat in steps that are made again. */
static void ids_are_the_same_again(void)
{
    static const unsigned char acts[][INPUT] = {{STAND, THROW},
                                                {STAND, TIE},
                                                {STAND, UNTIE},
                                                {STAND, TAKE},
                                                {STAND, THROW}};
    uint32_t late, step, first[GAME_WORDS];

    for (late = 0; late < 2; late++) {
        side *s = new_match(0);

        tell_bytes(s, 0, 0, stop);
        for (step = 0; step < COUNT_OF(acts); step++) {
            tell_bytes(s, 1, step, acts[step]);
            if (late == 0 && step > 0)
                tell_bytes(s, 0, step, step == 1 ? acts[0] : stop);
            CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
        }
        for (step = 1; late == 1 && step < COUNT_OF(acts); step++)
            tell_bytes(s, 0, step, step == 1 ? acts[0] : stop);
        CHECK_STATUS(VSP_OK, vsp_rollback_settle(s->rollback));
        CHECK_UINT(late * 4u, s->again_calls);
        CHECK(s->game[BALL] != 0 && s->game[BALL + 1] != 0);
        if (late == 0)
            memcpy(first, s->game, sizeof first);
        CHECK_BYTES(first, s->game, sizeof first);
    }
}

static void it_waits_at_its_depth(void)
{
    uint32_t depth, i;

    for (depth = 0; depth <= DEPTH; depth += 5) {
        side *s = new_side(0);
        uint32_t hash;

        s->def.depth = depth;
        CHECK_STATUS(VSP_OK, create_rollback(s, 0));
        CHECK_STATUS(VSP_OK, tell_input(s, 0, 0));
        for (i = 0; i < depth; i++)
            CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
        hash = vsp_world_hash(s->world);
        CHECK_STATUS(VSP_WAIT, vsp_rollback_advance(s->rollback));
        CHECK_STATUS(VSP_WAIT, vsp_rollback_advance(s->rollback));
        CHECK_HEX(hash, vsp_world_hash(s->world));
        CHECK_UINT(depth, stats_of(s).step);
        CHECK_UINT(0, stats_of(s).confirmed);
        CHECK_UINT(2, stats_of(s).wait_count);
        CHECK_STATUS(VSP_OK, tell_input(s, 1, 0));
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
        CHECK_UINT(1, stats_of(s).confirmed);
        CHECK_STATUS(VSP_WAIT, vsp_rollback_advance(s->rollback));
    }
}


/* ---- Inputs -------------------------------------------------------------- */

static unsigned char before[MEMORY_BYTES];

/* Checks that a call is refused with this status, and leaves memory and world
 * unchanged. */
#define CHECK_NO_CHANGE(expected, s, call)                                \
    (memcpy(before, (s)->rollback, MEMORY_BYTES), (void)remember_hash(s), \
     CHECK_STATUS(expected, call),                                        \
     CHECK_BYTES(before, (s)->rollback, MEMORY_BYTES),                    \
     CHECK_HEX(hash_before, kept_hash(s)))

static uint32_t hash_before;

static uint32_t remember_hash(const side *s)
{
    return hash_before = kept_hash(s);
}

static void contradictions_are_refused(void)
{
    side *s = new_match(0);
    unsigned char other[INPUT] = {0, 0};

    play_steps(s, 3);
    CHECK_NO_CHANGE(VSP_OK, s, tell_input(s, 1, 2));
    CHECK_NO_CHANGE(VSP_OK, s, tell_input(s, 1, 0));
    play_input(1, 2, other);
    other[1]++;
    CHECK_NO_CHANGE(VSP_ERR_DATA, s,
                    vsp_rollback_input(s->rollback, 1, 2, other));
    other[0] = 16;
    CHECK_NO_CHANGE(VSP_ERR_DATA, s,
                    vsp_rollback_input(s->rollback, 1, 3, other));
    CHECK_NO_CHANGE(VSP_ERR_TRUNCATED, s, tell_input(s, 1, 4));
    CHECK_NO_CHANGE(VSP_ERR_TRUNCATED, s, tell_input(s, 1, 0xffffffffu));
    CHECK_UINT(3, vsp_rollback_known(s->rollback, 1));
}

/* Without is_input all bytes are valid. */
static void any_bytes_may_be_input(void)
{
    static const unsigned char odd[INPUT] = {0xf5, 0xff};
    side *s = new_side(0);

    s->def.is_input = NULL;
    CHECK_STATUS(VSP_OK, create_rollback(s, 0));
    tell_bytes(s, 0, 0, odd);
}

static void inputs_ahead_have_their_room(void)
{
    side *s = new_match(0);
    unsigned char got[INPUT], want[INPUT];
    uint32_t step;

    for (step = 0; step < HISTORY; step++)
        CHECK_STATUS(VSP_OK, tell_input(s, 0, step));
    CHECK_NO_CHANGE(VSP_ERR_FULL, s, tell_input(s, 0, HISTORY));
    for (step = 0; step < KEPT; step++) {
        CHECK_STATUS(VSP_OK, tell_input(s, 1, step));
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    }
    CHECK_STATUS(VSP_OK, tell_input(s, 0, HISTORY));
    CHECK_NO_CHANGE(VSP_ERR_FULL, s, tell_input(s, 0, HISTORY + 1));
    CHECK_NO_CHANGE(VSP_END, s, tell_input(s, 0, 0));
    CHECK_STATUS(VSP_END, vsp_rollback_told(s->rollback, 0, 0, got));
    for (step = 1; step <= HISTORY; step++) {
        CHECK_STATUS(VSP_OK, vsp_rollback_told(s->rollback, 0, step, got));
        play_input(0, step, want);
        CHECK_BYTES(want, got, INPUT);
    }
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_rollback_told(s->rollback, 0, HISTORY + 1, got));
    CHECK_UINT(HISTORY + 1, vsp_rollback_known(s->rollback, 0));
    CHECK_UINT(KEPT, vsp_rollback_known(s->rollback, 1));
    CHECK_UINT(0, vsp_rollback_known(s->rollback, 2));
}


/* ---- Kept states --------------------------------------------------------- */

static void kept_states_can_be_asked_for(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other = new_world_at(&def, 2, 0);
    side *s;
    vsp_kept state;
    uint32_t step;

    play_plainly();
    s = new_match(0);
    CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, 0, &state));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_state(s->rollback, 1, &state));
    play_steps(s, 30);
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_state(s->rollback, 31, &state));
    CHECK_STATUS(VSP_END, vsp_rollback_state(s->rollback, 30 - KEPT, &state));
    for (step = 31 - KEPT; step <= 30; step++) {
        CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, step, &state));
        CHECK_UINT(step, state.step);
        CHECK_HEX(true_kept[step], state.hash);
        CHECK_UINT(step, state.game[STEPS_MADE]);
        CHECK_STATUS(VSP_OK, vsp_world_restore(other, state.bytes, state.size));
        CHECK_HEX(true_hash[step], vsp_world_hash(other));
    }
}

/* SPEC.md, section 12. */
static void the_hash_is_of_world_and_game(void)
{
    side *s = new_match(0);
    vsp_kept state;
    uint32_t hash, i;

    play_steps(s, 10);
    CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, 10, &state));
    hash = vsp__get_word((const unsigned char *)state.bytes + 24);
    for (i = 0; i < GAME_WORDS; i++)
        hash = vsp__hash_word(hash, s->game[i]);
    CHECK_HEX(vsp__hash_end(hash), state.hash);
}

static void a_state_may_fill_its_room(void)
{
    side *s = new_side(0);
    size_t size = save_world(s->world, 0);
    vsp_kept state;

    memset(s->game, 0xa5, sizeof s->game);
    s->def.snapshot_size = size;
    CHECK_STATUS(VSP_OK, create_rollback(s, 0));
    CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, 0, &state));
    CHECK(state.size == size);
    CHECK_BYTES(saved(0), state.bytes, size);
    CHECK_BYTES(s->game, state.game, sizeof s->game);
}

/* One side loads a state of the other, as a late third machine does. */
static void a_state_of_another_is_taken(void)
{
    side *one, *two;
    vsp_kept state;
    uint32_t checked = 40;

    play_plainly();
    one = new_match(0);
    two = new_match(1);
    play_steps(one, 45);
    play_steps(two, 3);
    CHECK_STATUS(VSP_OK, vsp_rollback_state(one->rollback, 40, &state));
    CHECK_STATUS(VSP_OK, vsp_rollback_load(two->rollback, &state));
    CHECK_UINT(40, stats_of(two).step);
    CHECK_UINT(40, stats_of(two).confirmed);
    CHECK_UINT(40, vsp_rollback_known(two->rollback, 1));
    CHECK_STATUS(VSP_END, vsp_rollback_state(two->rollback, 39, &state));
    CHECK_STATUS(VSP_END, tell_input(two, 0, 39));
    check_confirmed(two, &checked);
    while (stats_of(two).step < STEPS) {
        uint32_t step = stats_of(two).step;

        CHECK_STATUS(VSP_OK, tell_input(two, 0, step));
        if (step >= 43)
            CHECK_STATUS(VSP_OK, tell_input(two, 1, step - 3));
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(two->rollback));
        check_confirmed(two, &checked);
    }
    CHECK_UINT(STEPS - 3, stats_of(two).confirmed);
}

static void what_cannot_be_loaded_is_refused(void)
{
    static unsigned char bytes[STATE_BYTES];
    side *one = new_match(0), *two = new_match(1);
    vsp_kept good, bad;

    play_steps(one, 20);
    play_steps(two, 5);
    CHECK_STATUS(VSP_OK, vsp_rollback_state(one->rollback, 20, &good));
    memcpy(bytes, good.bytes, good.size);
    bytes[good.size / 2] ^= 1u;
    bad = good;
    bad.bytes = bytes;
    CHECK_NO_CHANGE(VSP_ERR_CHECKSUM, two,
                    vsp_rollback_load(two->rollback, &bad));
    bad.bytes = NULL;
    CHECK_NO_CHANGE(VSP_ERR_ARG, two, vsp_rollback_load(two->rollback, &bad));
    bad = good;
    bad.size = STATE_BYTES + 4u;
    CHECK_NO_CHANGE(VSP_ERR_MEMORY, two,
                    vsp_rollback_load(two->rollback, &bad));
    bad = good;
    bad.step = 0x80000000u;
    CHECK_NO_CHANGE(VSP_ERR_ARG, two, vsp_rollback_load(two->rollback, &bad));
    bad = good;
    bad.game = NULL;
    CHECK_NO_CHANGE(VSP_ERR_ARG, two, vsp_rollback_load(two->rollback, &bad));
    CHECK_NO_CHANGE(VSP_ERR_ARG, two, vsp_rollback_load(two->rollback, NULL));
    CHECK_STATUS(VSP_OK, vsp_rollback_load(two->rollback, &good));
}

/* A side can also load a state of its own. */
static void one_can_go_back(void)
{
    side *s;
    vsp_kept state;

    play_plainly();
    s = new_match(0);
    play_steps(s, 20);
    CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, 12, &state));
    CHECK_STATUS(VSP_OK, vsp_rollback_load(s->rollback, &state));
    CHECK_HEX(true_hash[12], vsp_world_hash(s->world));
    CHECK_UINT(12, s->game[STEPS_MADE]);
    play_steps(s, 20);
    CHECK_HEX(true_hash[32], vsp_world_hash(s->world));
}


/* ---- Definitions --------------------------------------------------------- */

static void memory_is_checked(void)
{
    side *s = new_side(0);
    unsigned char *memory = memories[0].bytes;
    vsp_rollback *r;
    size_t i;

    memset(memory, 0xdd, MEMORY_BYTES + 16u);
    CHECK_STATUS(VSP_ERR_MEMORY, vsp_rollback_create(memory, MEMORY_BYTES - 1u,
                                                     &s->def, 0, &r));
    CHECK(r == NULL);
    CHECK_STATUS(VSP_ERR_MEMORY,
                 vsp_rollback_create(memory, 0, &s->def, 0, &r));
    if (VSP_WORLD_ALIGN > 1)
        CHECK_STATUS(
            VSP_ERR_MEMORY,
            vsp_rollback_create(memory + 1, MEMORY_BYTES, &s->def, 0, &r));
    CHECK_STATUS(VSP_OK, vsp_rollback_create(memory + VSP_WORLD_ALIGN,
                                             MEMORY_BYTES, &s->def, 0, &r));
    s->rollback = r;
    play_steps(s, 2 * HISTORY);
    for (i = 0; i < VSP_WORLD_ALIGN; i++)
        CHECK_UINT(0xdd, memory[i]);
    for (i = VSP_WORLD_ALIGN + MEMORY_BYTES; i < MEMORY_BYTES + 16u; i++)
        CHECK_UINT(0xdd, memory[i]);
}

/* Bad values for a member of a definition. */
typedef struct bad_number {
    size_t at;          /* offset in the definition */
    uint32_t low, high; /* both must be refused */
} bad_number;

static void defs_are_checked(void)
{
    static const bad_number numbers[] = {
        {offsetof(vsp_rollback_def, players), 0, VSP_MAX_PLAYERS + 1},
        {offsetof(vsp_rollback_def, input_size), 0, VSP_MAX_INPUT + 1},
        {offsetof(vsp_rollback_def, depth), 1001, KEPT},
        {offsetof(vsp_rollback_def, kept), DEPTH, 1002},
        {offsetof(vsp_rollback_def, history), 2 * KEPT - 1, 100001},
        {offsetof(vsp_rollback_def, game_words), 65536, 0xffffffffu},
    };
    side *s = new_side(0);
    vsp_rollback_def good = s->def;
    size_t i;

    for (i = 0; i < COUNT_OF(numbers); i++) {
        uint32_t *number = (uint32_t *)(void *)((unsigned char *)&s->def +
                                                numbers[i].at);

        test_note("number %u", (unsigned)i);
        *number = numbers[i].low;
        CHECK_REFUSED(VSP_ERR_ARG, create_rollback(s, 0));
        *number = numbers[i].high;
        CHECK_REFUSED(VSP_ERR_ARG, create_rollback(s, 0));
        CHECK(s->rollback == NULL);
        s->def = good;
    }
    test_note("");
    s->def.world = NULL;
    CHECK_STATUS(VSP_ERR_ARG, create_rollback(s, 0));
    s->def = good;
    s->def.step = NULL;
    CHECK_STATUS(VSP_ERR_ARG, create_rollback(s, 0));
    s->def = good;
    s->def.game = NULL;
    CHECK_STATUS(VSP_ERR_ARG, create_rollback(s, 0));
    s->def.game_words = 0;
    CHECK_STATUS(VSP_OK, create_rollback(s, 0));
}

static void null_is_refused(void)
{
    side *s = new_match(0);
    unsigned char input[INPUT] = {0, 0};
    vsp_rollback_def def = s->def;
    vsp_rollback *r;
    vsp_kept state;

    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_create(NULL, 9, &def, 0, &r));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_rollback_create(&memories[1], MEMORY_BYTES, NULL, 0, &r));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_create(&memories[1], MEMORY_BYTES,
                                                  &def, 0, NULL));
    r = NULL;
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_input(r, 0, 0, input));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_input(s->rollback, 2, 0, input));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_input(s->rollback, 0, 0, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_advance(r));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_settle(r));
    CHECK_UINT(0, vsp_rollback_get_stats(r).step);
    CHECK_UINT(0, vsp_rollback_known(r, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_told(r, 0, 0, input));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_told(s->rollback, 2, 0, input));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_told(s->rollback, 0, 0, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_state(r, 0, &state));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_state(s->rollback, 0, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_rollback_load(r, &state));
}

/* Step numbers plus counts stay in 32 bits. */
static void steps_have_an_end(void)
{
    side *s = new_side(0);
    vsp_kept state;

    CHECK_STATUS(VSP_ERR_ARG, create_rollback(s, 0x80000000u));
    CHECK_STATUS(VSP_OK, create_rollback(s, 0x7ffffffeu));
    play_steps(s, 2);
    CHECK_STATUS(VSP_OK, tell_input(s, 0, 0x80000000u));
    CHECK_STATUS(VSP_OK, tell_input(s, 1, 0x80000000u));
    CHECK_STATUS(VSP_END, vsp_rollback_advance(s->rollback));
    CHECK_UINT(0x80000000u, stats_of(s).step);
    CHECK_UINT(0x80000000u, stats_of(s).confirmed);
    CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, 0x80000000u, &state));
    CHECK_UINT(2, state.game[STEPS_MADE]);
}


/* ---- Failures ------------------------------------------------------------ */

static void small_states_are_no_match(void)
{
    side *s = new_side(0);

    s->def.snapshot_size = 100;
    CHECK_REFUSED(VSP_ERR_MEMORY, create_rollback(s, 0));
}

/* The first ball thrown makes the state too large. */
static void a_state_that_grows_too_large_ends_the_match(void)
{
    side *s = new_side(0);
    uint32_t hash, made;

    s->def.snapshot_size = save_world(s->world, 0) + 3u * 16u;
    CHECK_STATUS(VSP_OK, create_rollback(s, 0));
    tell_bytes(s, 0, 0, stop);
    tell_bytes(s, 1, 0, stop);
    hash = vsp_world_hash(s->world);
    made = 0;
    while (made < 40 && vsp_rollback_advance(s->rollback) == VSP_OK) {
        hash = vsp_world_hash(s->world);
        made++;
        tell_bytes(s, 0, made, stop);
        tell_bytes(s, 1, made, stop);
    }
    CHECK(made < 40);
    CHECK_STATUS(VSP_ERR_MEMORY, vsp_rollback_advance(s->rollback));
    CHECK_STATUS(VSP_ERR_MEMORY, vsp_rollback_settle(s->rollback));
    CHECK_HEX(hash, vsp_world_hash(s->world));
    CHECK_UINT(made, stats_of(s).step);
    CHECK_UINT(made, s->game[STEPS_MADE]);
}

/* A state that does not fit must not replace a stored one: with a single slot,
 * the previous state is still there. */
static void a_state_that_has_no_room_spoils_none(void)
{
    static const unsigned char throw_it[INPUT] = {STAND, THROW};

    for (uint32_t kept = 1; kept <= 2; kept++) {
        side *s = new_side(0);
        uint32_t hash, made = 0;
        vsp_kept state;

        s->def.depth = kept - 1u;
        s->def.kept = kept;
        for (uint32_t i = 0; i < 20; i++)
            CHECK_STATUS(VSP_OK, vsp_world_step(s->world));
        s->def.snapshot_size = save_world(s->world, 0) + 3u * 16u;
        CHECK_STATUS(VSP_OK, create_rollback(s, 0));
        do {
            hash = vsp_world_hash(s->world);
            tell_bytes(s, 0, made, made < 5 ? stop : throw_it);
            tell_bytes(s, 1, made, stop);
            made++;
        } while (made < 40 && vsp_rollback_advance(s->rollback) == VSP_OK);
        made--;
        CHECK_HEX(hash, vsp_world_hash(s->world));
        CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, made, &state));
        CHECK(state.size <= s->def.snapshot_size);
        if (kept > 1 && CHECK(made >= kept))
            CHECK_STATUS(VSP_END, vsp_rollback_state(s->rollback,
                                                     made - kept + 1u, &state));
    }
}

static void a_step_that_fails_ends_the_match(void)
{
    static const struct {
        fault fault;
        vsp_status status;
    } rows[] = {
        {FAULT_FAILS, VSP_ERR_ID},
        {FAULT_NO_STEP, VSP_ERR_DATA},
        {FAULT_TWO_STEPS, VSP_ERR_DATA},
    };
    vsp_kept state;
    size_t i;

    play_plainly();
    for (i = 0; i < COUNT_OF(rows); i++) {
        side *s = new_match(0);

        test_note("row %u", (unsigned)i);
        s->fault = rows[i].fault;
        s->fault_step = 7;
        play_steps(s, 7);
        CHECK_STATUS(VSP_OK, tell_input(s, 0, 7));
        CHECK_STATUS(rows[i].status, vsp_rollback_advance(s->rollback));
        CHECK_STATUS(rows[i].status, vsp_rollback_advance(s->rollback));
        CHECK_STATUS(rows[i].status, vsp_rollback_settle(s->rollback));
        CHECK_UINT(7, stats_of(s).step);
        CHECK_HEX(true_hash[7], vsp_world_hash(s->world));
        CHECK_UINT(7, s->game[STEPS_MADE]);
        s->fault = FAULT_NONE;
        CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, 5, &state));
        CHECK_STATUS(VSP_OK, vsp_rollback_load(s->rollback, &state));
        play_steps(s, 10);
        CHECK_HEX(true_hash[15], vsp_world_hash(s->world));
    }
}

/* A failure while steps are made again: the steps before it must stay. */
static void a_step_may_fail_when_made_again(void)
{
    side *s = new_match(0);
    uint32_t step;

    tell_bytes(s, 0, 0, go_on);
    tell_bytes(s, 1, 0, go_on);
    for (step = 0; step < 8; step++)
        CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    tell_bytes(s, 0, 1, stop);
    s->fault = FAULT_FAILS;
    s->fault_step = 5;
    CHECK_STATUS(VSP_ERR_ID, vsp_rollback_advance(s->rollback));
    CHECK_UINT(5, stats_of(s).step);
    CHECK_UINT(5, s->game[STEPS_MADE]);
    CHECK_UINT(7, stats_of(s).deepest);
    CHECK_UINT(4, stats_of(s).again_count);
}

/* A stored state that was overwritten must be noticed, and not restored. */
static void a_lost_state_ends_the_match(void)
{
    side *s = new_match(0);
    vsp_kept state;
    unsigned char *bytes;

    tell_bytes(s, 0, 0, go_on);
    tell_bytes(s, 1, 0, go_on);
    CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    CHECK_STATUS(VSP_OK, vsp_rollback_state(s->rollback, 1, &state));
    bytes = (unsigned char *)s->rollback + ((const unsigned char *)state.bytes -
                                            (const unsigned char *)s->rollback);
    bytes[state.size / 2] ^= 1u;
    tell_bytes(s, 0, 1, stop);
    CHECK_STATUS(VSP_ERR_CHECKSUM, vsp_rollback_advance(s->rollback));
    CHECK_STATUS(VSP_ERR_CHECKSUM, vsp_rollback_advance(s->rollback));
    CHECK_UINT(2, stats_of(s).step);
}

/* Positive statuses of a step, and of a step that is made again. */
static void notes_are_passed_on(void)
{
    side *s = new_match(0);

    s->fault = FAULT_NOTE;
    s->fault_step = 1;
    tell_bytes(s, 0, 0, go_on);
    tell_bytes(s, 1, 0, go_on);
    CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    CHECK_STATUS(VSP_DEGRADED, vsp_rollback_advance(s->rollback));
    CHECK_STATUS(VSP_OK, vsp_rollback_advance(s->rollback));
    tell_bytes(s, 0, 1, stop);
    CHECK_STATUS(VSP_DEGRADED, vsp_rollback_advance(s->rollback));
}


/* ---- Replays of divergences ---------------------------------------------- */

#define APART 20u /* the step that has the fault */

static unsigned char film[65536], theirs_bytes[STATE_BYTES];
static uint32_t theirs_game[GAME_WORDS];
static size_t film_size;

static vsp_record_def film_def(void)
{
    vsp_record_def def = {0};

    def.buffer = film;
    def.capacity = sizeof film;
    return def;
}

/* Plays two sides, the second with a fault.  Returns the state of the other
 * side after step APART, as if received over a line. */
static vsp_kept part(fault kind, uint32_t ours)
{
    vsp_kept state = {0, 0, NULL, 0, NULL};
    uint32_t i;

    for (i = 0; i < 2; i++) {
        side *s = new_match(i);

        s->fault = i == 1 ? kind : FAULT_NONE;
        s->fault_step = APART;
        play_steps(s, APART + 5u);
    }
    CHECK_STATUS(VSP_OK, vsp_rollback_state(sides[1u - ours].rollback,
                                            APART + 1u, &state));
    memcpy(theirs_bytes, state.bytes, state.size);
    memcpy(theirs_game, state.game, sizeof theirs_game);
    state.bytes = theirs_bytes;
    state.game = theirs_game;
    return state;
}

/* Records the step on side `ours`, which must continue as before. */
static vsp_status film_step(uint32_t ours, const vsp_kept *theirs,
                            const vsp_record_def *def)
{
    side *s = &sides[ours];
    uint32_t hash = vsp_world_hash(s->world);
    vsp_status status;

    status = vsp_rollback_record(s->rollback, APART, theirs, def, &film_size);
    CHECK_HEX(hash, vsp_world_hash(s->world));
    CHECK_UINT(APART + 5u, stats_of(s).step);
    CHECK_UINT(APART + 5u, s->game[STEPS_MADE] % 1000u);
    return status;
}

static void check_film(vsp_status first, vsp_status second)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_player player;

    if (!CHECK_STATUS(VSP_OK, vsp_play_begin(&player, new_world_at(&def, 2, 0),
                                             film, film_size)))
        return;
    CHECK_UINT(2, player.step_count);
    CHECK_STATUS(first, vsp_play_step(&player));
    CHECK_STATUS(second, vsp_play_step(&player));
    CHECK_STATUS(VSP_END, vsp_play_step(&player));
}

/* A state that does not follow from the calls must be found, on either side. */
static void a_flipped_bit_is_replayed(void)
{
    vsp_record_def def = film_def();
    vsp_kept theirs = part(FAULT_FLIP, 0);

    CHECK_STATUS(VSP_OK, film_step(0, &theirs, &def));
    check_film(VSP_OK, VSP_DIVERGED);
    theirs = part(FAULT_FLIP, 1);
    /* the game flips the bit again, past the recorder */
    CHECK_STATUS(VSP_DIVERGED, film_step(1, &theirs, &def));
    check_film(VSP_DIVERGED, VSP_OK);
}

/* A call that only one side made must be found too. */
static void another_call_is_replayed(void)
{
    vsp_record_def def = film_def();
    vsp_kept theirs = part(FAULT_PUSH, 0);

    CHECK_STATUS(VSP_OK, film_step(0, &theirs, &def));
    check_film(VSP_OK, VSP_DIVERGED);
    theirs = part(FAULT_PUSH, 1);
    CHECK_STATUS(VSP_OK, film_step(1, &theirs, &def));
    check_film(VSP_OK, VSP_DIVERGED);
}

/* A difference only in the program's own words does not show in the replay. */
static void the_games_own_words_are_not_replayed(void)
{
    vsp_record_def def = film_def();
    vsp_kept theirs = part(FAULT_CHEAT, 0);

    CHECK_STATUS(VSP_OK, film_step(0, &theirs, &def));
    check_film(VSP_OK, VSP_OK);
}

/* The replay must name the different step, and its keyframe the field. */
static void the_film_names_the_field(void)
{
    vsp_record_def def = film_def();
    vsp_kept theirs = part(FAULT_FLIP, 0);
    vsp_world_def other = vsp_world_def_default();
    vsp_difference d;
    vsp_player player;
    uint32_t count;

    CHECK_STATUS(VSP_OK, film_step(0, &theirs, &def));
    CHECK_STATUS(VSP_OK, vsp_play_begin(&player, new_world_at(&other, 2, 0),
                                        film, film_size));
    CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    CHECK_STATUS(VSP_DIVERGED, vsp_play_step(&player));
    CHECK_STATUS(VSP_OK, vsp_world_restore(sides[1].world, film + player.at + 4,
                                           theirs.size));
    CHECK_STATUS(VSP_DIVERGED,
                 vsp_world_diff(player.world, sides[1].world, &d, 1, &count));
    CHECK_UINT(1, count);
    CHECK(strcmp(d.part, "body") == 0 && d.index == 1);
    CHECK(strcmp(d.field, "velocity") == 0 && d.component == 0);
}

static size_t written;

static bool write_film(void *user, const void *bytes, size_t size)
{
    (void)user;
    memcpy(film + written, bytes, size);
    written += size;
    return true;
}

static void a_function_may_take_the_film(void)
{
    static unsigned char scratch[STATE_BYTES];
    vsp_record_def def = {0};
    vsp_kept theirs = part(FAULT_FLIP, 0);

    def.write = write_film;
    def.scratch = scratch;
    def.scratch_size = sizeof scratch;
    def.keyframe_interval = 7;
    written = 0;
    CHECK_STATUS(VSP_OK, film_step(0, &theirs, &def));
    CHECK(written == film_size);
    check_film(VSP_OK, VSP_DIVERGED);
}

static void what_cannot_be_filmed_is_refused(void)
{
    vsp_record_def def = film_def();
    vsp_kept theirs = part(FAULT_FLIP, 0), bad = theirs;
    vsp_rollback *r = sides[0].rollback;
    size_t capacity, size;

    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_rollback_record(NULL, APART, &theirs, &def, NULL));
    CHECK_STATUS(VSP_ERR_ARG, film_step(0, NULL, &def));
    CHECK_STATUS(VSP_ERR_ARG, film_step(0, &theirs, NULL));
    bad.step = APART;
    CHECK_STATUS(VSP_ERR_ARG, film_step(0, &bad, &def));
    bad.step = APART + 6;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_rollback_record(r, APART + 5, &bad, &def, &size));
    bad.step = APART - 7 + 1;
    CHECK_STATUS(VSP_END, vsp_rollback_record(r, APART - 7, &bad, &def, &size));
    bad = theirs;
    bad.bytes = NULL;
    CHECK_STATUS(VSP_ERR_ARG, film_step(0, &bad, &def));
    bad = theirs;
    bad.size -= 4;
    CHECK_STATUS(VSP_ERR_TRUNCATED, film_step(0, &bad, &def));
    for (capacity = 0; capacity < 3u * theirs.size; capacity += 97) {
        def.capacity = capacity;
        CHECK_STATUS(VSP_ERR_MEMORY, film_step(0, &theirs, &def));
    }
    def = film_def();
    def.write = write_film;
    CHECK_STATUS(VSP_ERR_ARG, film_step(0, &theirs, &def));
}

/* The step function may fail or act differently while the step is recorded. */
static void a_step_may_fail_when_filmed(void)
{
    vsp_record_def def = film_def();
    vsp_kept theirs = part(FAULT_FLIP, 0);

    sides[0].fault_step = APART;
    sides[0].fault = FAULT_FAILS;
    CHECK_STATUS(VSP_ERR_ID, film_step(0, &theirs, &def));
    sides[0].fault = FAULT_NO_STEP;
    CHECK_STATUS(VSP_ERR_DATA, film_step(0, &theirs, &def));
    sides[0].fault = FAULT_NONE;
    CHECK_STATUS(VSP_OK, film_step(0, &theirs, &def));
}


static const test tests[] = {
    TEST(all_in_time_is_as_without),
    TEST(late_inputs_give_the_same_states),
    TEST(any_order_of_telling_gives_the_same_states),
    TEST(right_guesses_cost_nothing),
    TEST(a_wrong_guess_costs_the_steps_since),
    TEST(ids_are_the_same_again),
    TEST(it_waits_at_its_depth),
    TEST(contradictions_are_refused),
    TEST(any_bytes_may_be_input),
    TEST(inputs_ahead_have_their_room),
    TEST(kept_states_can_be_asked_for),
    TEST(the_hash_is_of_world_and_game),
    TEST(a_state_may_fill_its_room),
    TEST(a_state_of_another_is_taken),
    TEST(what_cannot_be_loaded_is_refused),
    TEST(one_can_go_back),
    TEST(memory_is_checked),
    TEST(defs_are_checked),
    TEST(null_is_refused),
    TEST(steps_have_an_end),
    TEST(small_states_are_no_match),
    TEST(a_state_that_grows_too_large_ends_the_match),
    TEST(a_state_that_has_no_room_spoils_none),
    TEST(a_step_that_fails_ends_the_match),
    TEST(a_step_may_fail_when_made_again),
    TEST(a_lost_state_ends_the_match),
    TEST(notes_are_passed_on),
    TEST(a_flipped_bit_is_replayed),
    TEST(another_call_is_replayed),
    TEST(the_games_own_words_are_not_replayed),
    TEST(the_film_names_the_field),
    TEST(a_function_may_take_the_film),
    TEST(what_cannot_be_filmed_is_refused),
    TEST(a_step_may_fail_when_filmed),
    TEST_END,
};

const test_suite rollback_suite = {"rollback", tests};
