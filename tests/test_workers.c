/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Steps that workers share have the bits of steps that one thread makes: state,
 * statistics, events and contacts, for any number of workers and any order of
 * tasks, in all scenes; also in replays, rollback and lockstep.  Then bad
 * arguments, and the pool of threads of the host tool.
 *
 * These tests are built so that works of any size are shared. */

#include "bounds_scenes.h"
#include "port/scenes/golden.h"

#include <string.h>

#if VSP_WORKERS

#include "port/threads/pool.h"


#define MOST_TASKS 64u

static const uint32_t counts[] = {2, 3, 4, 8, 16, 64, 1};

#define ALONE 6u /* index of the worker who shares nothing */


/* ---- Traces -------------------------------------------------------------- */

#define MOST_STEPS 400u
#define ALL_REPORTS 127u

/* What a step must have, however it is made. */
typedef struct moment {
    vsp_status status;
    uint32_t hash, events, contacts;
    vsp_stats stats;
} moment;

static moment alone[MOST_STEPS]; /* the steps of the run without workers */

static uint32_t add_word(uint32_t sum, uint32_t word)
{
    return (sum ^ word) * 16777619u;
}

static uint32_t sum_events(const vsp_world *world)
{
    uint32_t sum = 2166136261u, count;
    const vsp_event *e = vsp_world_events(world, &count);

    for (sum = add_word(sum, count); count > 0; count--, e++) {
        sum = add_word(add_word(sum, e->type), e->contact);
        sum = add_word(add_word(sum, e->shape_a.bits), e->shape_b.bits);
        sum = add_word(add_word(sum, e->body_a.bits), e->body_b.bits);
        sum = add_word(add_word(sum, e->joint.bits), e->user_a);
        sum = add_word(sum, e->user_b);
    }
    return sum;
}

/* Returns a sum over points and impulses of all contacts, in their order. */
static uint32_t sum_contacts(const vsp_world *world)
{
    uint32_t sum = 2166136261u, i, p;
    vsp_contact c;

    for (i = 0; vsp_contact_get(world, i, &c) == VSP_OK; i++) {
        sum = add_word(add_word(sum, c.shape_a.bits), c.shape_b.bits);
        sum = add_word(add_word(sum, c.layer), c.material);
        for (p = 0; p < c.point_count; p++) {
            const unsigned char *bytes = (const unsigned char *)&c.points[p];
            size_t at;

            for (at = 0; at < offsetof(vsp_contact_point, feature); at++)
                sum = add_word(sum, bytes[at]);
        }
    }
    return sum;
}

static moment moment_of(const vsp_world *world, vsp_status status)
{
    moment m;

    memset(&m, 0, sizeof m);
    m.status = status;
    m.hash = vsp_world_hash(world);
    m.events = sum_events(world);
    m.contacts = sum_contacts(world);
    m.stats = vsp_world_stats(world);
    return m;
}

static bool check_moment(const moment *expected, const moment *got)
{
    return CHECK_STATUS(expected->status, got->status) &&
           CHECK_HEX(expected->hash, got->hash) &&
           CHECK_HEX(expected->events, got->events) &&
           CHECK_HEX(expected->contacts, got->contacts) &&
           CHECK_BYTES(&expected->stats, &got->stats, sizeof got->stats);
}


/* ---- Scenes -------------------------------------------------------------- */

/* A scene, and the definition of its world. */
typedef struct play {
    const char *scene;
    vsp_world_def def;
    uint32_t steps;
} play;

static bool start_play(const play *it, scene_run *run, uint32_t index)
{
    scene_variant variant;
    const scene *found = scene_find(it->scene, &variant);

    if (!CHECK(found))
        return false;
    run->world = new_world_at(&it->def, index, 0);
    return CHECK(scene_start(run, found, variant));
}

static void play_alone(const play *it)
{
    scene_run run;
    uint32_t step;

    if (!start_play(it, &run, 0))
        return;
    for (step = 0; step < it->steps; step++) {
        vsp_status status = scene_step(&run, step);

        alone[step] = moment_of(run.world, status);
    }
}

/* Plays with workers, and compares each step with the one made alone.  Returns
 * the number of batches. */
static uint32_t play_with(const play *it, uint32_t count)
{
    scene_run run;
    uint32_t step;
    crew hands;

    crew_hire(&hands, count, 7 + count);
    if (!start_play(it, &run, 1))
        return 0;
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(run.world, &hands.workers));
    for (step = 0; step < it->steps; step++) {
        vsp_status status = scene_step(&run, step);
        moment m = moment_of(run.world, status);

        test_note("scene %s, %lu workers, step %lu", it->scene,
                  (unsigned long)count, (unsigned long)step);
        if (!check_moment(&alone[step], &m))
            break;
    }
    CHECK_UINT(0, run.failures);
    return hands.batches;
}

/* Compares the play with one number of workers of the list, or with all. */
static uint32_t compare_play(const play *it, uint32_t which)
{
    uint32_t batches = 0, i;

    if (!CHECK(it->steps <= MOST_STEPS))
        return 0;
    play_alone(it);
    if (which < COUNT_OF(counts))
        return play_with(it, counts[which]);
    for (i = 0; i < COUNT_OF(counts); i++)
        batches += play_with(it, counts[i]);
    return batches;
}

static play play_of(const golden_run *run)
{
    scene_variant variant;
    const scene *found = scene_find(run->scene, &variant);
    play it;

    memset(&it, 0, sizeof it);
    it.scene = run->scene;
    it.steps = run->steps;
    if (CHECK(found))
        it.def = golden_world_def(run, found);
    return it;
}

/* A scene of which the world reports all events. */
static play play_named(const char *name, uint32_t steps, vsp_stepper stepper)
{
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    play it;

    memset(&it, 0, sizeof it);
    it.scene = name;
    it.steps = steps;
    if (CHECK(found))
        it.def = scene_world_def(found);
    it.def.stepper = stepper;
    it.def.reports = ALL_REPORTS;
    return it;
}

/* Each run of the table with another number of workers. */
static void golden_scenes_are_the_same(void)
{
    uint32_t i;

    for (i = 0; i < golden_run_count; i++) {
        play it = play_of(&golden_runs[i]);

        compare_play(&it, i % COUNT_OF(counts));
    }
}

static void golden_scenes_with_any_number(void)
{
    uint32_t i;

    for (i = 0; i < golden_run_count; i++) {
        play it = play_of(&golden_runs[i]);

        compare_play(&it, COUNT_OF(counts));
    }
}

/* Larger than those of the table: their works would be shared in any build. */
static const struct {
    const char *scene;
    uint32_t steps;
} large[] = {
    {"rain:500", 60},
    {"pyramid-3d:10", 8},
    {"roof-tower", 4},
    {"ragdolls:12", 40},
    {"city", 8},
    {"animals:12", 30},
    {"clubs", 40},
    {"bin:40", 40},
    {"rocks:40", 30},
    {"stack:8", 20},
    {"silo:100", 20},
    {"plates:12", 12},
    {"card-house-shot:8", 30},
    {"rally", 40},
    {"bridge:30", 20},
};


/* Compares all large scenes, with one number of workers each, or with all. */
static void compare_large(vsp_stepper stepper, uint32_t part, bool is_all)
{
    uint32_t i;

    for (i = 0; i < COUNT_OF(large); i++) {
        play it = play_named(large[i].scene, large[i].steps, stepper);

        /* PGS-SM is slow, and no work of its own is shared */
        if (stepper == VSP_STEPPER_SUBSPACE && it.steps > 4)
            it.steps = 4;
        it.steps = (it.steps + part - 1) / part;
        test_note("scene %s", it.scene);
        CHECK_AT_LEAST(
            1, compare_play(&it, is_all ? (uint32_t)COUNT_OF(counts)
                                        : (i + (uint32_t)stepper) % ALONE));
    }
}

static void some_steps(vsp_stepper stepper)
{
    compare_large(stepper, 8, false);
}

static void all_steps(vsp_stepper stepper)
{
    compare_large(stepper, 1, is_long());
}

static void large_scenes_begin_the_same(void)
{
    each_stepper(some_steps);
}

static void large_scenes_are_the_same(void)
{
    each_stepper(all_steps);
}

/* Worlds that are too small for their scene: what is dropped must not depend on
 * who found it first. */
static void compare_full(vsp_stepper stepper)
{
    static const char *const scenes_of[] = {"rain:60", "pyramid-3d:5", "mixed",
                                            "ragdolls:2", "plates:4"};
    uint32_t i, divisor;

    for (i = 0; i < COUNT_OF(scenes_of); i++)
        for (divisor = 1; divisor <= 8; divisor *= 2) {
            play it = play_named(scenes_of[i], 20, stepper);

            it.def.capacity.bodies = it.def.capacity.shapes = 128;
            it.def.capacity.pairs = 256 / divisor;
            it.def.capacity.manifolds = 128 / divisor;
            it.def.capacity.contacts = 256 / divisor;
            compare_play(&it, (i + divisor) % COUNT_OF(counts));
        }
}

#if VSP_PAIR_RULES

#define COLUMNS 43u /* no multiple of the width of lanes */

/* Columns of two boxes, of which the upper ones are not pushed. */
static vsp_world *begin_columns(uint32_t index)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_pair_rule rule = vsp_pair_rule_default();
    vsp_world *world = new_world_at(&def, index, 0);
    vsp_shape_def cube = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    uint32_t i, k;

    rule.a = 2;
    rule.b = 4;
    rule.mass_b = 0;
    CHECK_STATUS(VSP_OK, vsp_world_set_pair_rule(world, 0, &rule));
    for (i = 0; i < COLUMNS; i++)
        for (k = 0; k < 2; k++) {
            cube.filter.category = k ? 4 : 2;
            add_body(world, VSP_DYNAMIC, cube, 1.5 * i, 0.5 + k, 0);
        }
    add_ground(world);
    return world;
}

static void compare_columns(const vsp_workers *workers)
{
    vsp_world *a = begin_columns(0), *b = begin_columns(1);
    uint32_t step;

    CHECK_STATUS(VSP_OK, vsp_world_set_workers(b, workers));
    for (step = 0; step < 20; step++) {
        test_note("step %lu", (unsigned long)step);
        CHECK_STATUS(VSP_OK, vsp_world_step(a));
        CHECK_STATUS(VSP_OK, vsp_world_step(b));
        CHECK_HEX(vsp_world_hash(a), vsp_world_hash(b));
    }
}

static void columns_that_push_nothing(void)
{
    crew hands;

    crew_hire(&hands, 5, 3);
    compare_columns(&hands.workers);
    CHECK_AT_LEAST(20, hands.batches);
}

#endif

static void full_worlds_drop_the_same(void)
{
    each_stepper(compare_full);
}

/* Makes some steps of a world whose budgets run out, and sums them up in
 * alone[]; with workers, compares. */
static void step_bounds(const bounds_scene *which, const crew *hands)
{
    vsp_world *world = bounds_start_sized(which, 128);
    uint32_t step;

    CHECK_STATUS(VSP_OK,
                 vsp_world_set_workers(world, hands ? &hands->workers : NULL));
    for (step = 0; step < 4; step++) {
        vsp_status status;
        moment m;

        if (which->before)
            which->before(world, step);
        status = vsp_world_step(world);
        m = moment_of(world, status);
        test_note("%s, step %lu", which->name, (unsigned long)step);
        if (!hands)
            alone[step] = m;
        else if (!check_moment(&alone[step], &m))
            break;
    }
}

/* What is left out when budgets run out must be the same. */
static void budgets_run_out_the_same(void)
{
    static const char *const names[] = {"boxes on fan", "sticks",
                                        "box on field", "rounds at one point",
                                        "drums at one point"};
    uint32_t spent = 0, i;
    crew hands;

    bounds_tables();
    for (i = 0; i < COUNT_OF(names); i++) {
        const bounds_scene *it = bounds_scenes;

        while (it->name && strcmp(it->name, names[i]) != 0)
            it++;
        if (!CHECK(it->name))
            return;
        step_bounds(it, NULL);
        spent |= alone[0].stats.spent;
        crew_hire(&hands, counts[1 + i], i);
        step_bounds(it, &hands);
    }
    CHECK_HEX(VSP_SPENT_PARTS | VSP_SPENT_GAPS, spent);
}


/* ---- One step ------------------------------------------------------------ */

static scene_run rain[2];

static vsp_world *begin_rain(uint32_t index)
{
    play it = play_named("rain:60", 60, VSP_STEPPER_CARRY);

    (void)start_play(&it, &rain[index], index);
    return rain[index].world;
}

/* Workers of one step leave those of the world in place; null means none. */
static void workers_of_one_step(void)
{
    crew always, once;
    vsp_world *a = begin_rain(0), *b = begin_rain(1);
    uint32_t step, before;

    crew_hire(&always, 4, 1);
    crew_hire(&once, 3, 2);
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(b, &always.workers));
    for (step = 0; step < 60; step++) {
        CHECK_STATUS(VSP_OK, vsp_world_step(a));
        before = always.batches;
        if (step % 3 == 0)
            CHECK_STATUS(VSP_OK, vsp_world_step(b));
        else
            CHECK_STATUS(VSP_OK, vsp_world_step_with(
                                     b, step % 3 == 1 ? &once.workers : NULL));
        if (step % 3 == 0)
            CHECK(always.batches > before);
        else
            CHECK_UINT(before, always.batches);
        CHECK_HEX(vsp_world_hash(a), vsp_world_hash(b));
    }
    CHECK_AT_LEAST(20, once.batches);
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(b, NULL));
    before = always.batches;
    CHECK_STATUS(VSP_OK, vsp_world_step(b));
    CHECK_UINT(before, always.batches);
}

static void refuse_workers(vsp_world *world, const vsp_workers *workers)
{
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_set_workers(world, workers));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_step_with(world, workers));
}

/* Refused workers change nothing, and leave those of before. */
static void bad_workers_are_refused(void)
{
    vsp_world *world = begin_rain(0);
    vsp_workers bad;
    crew hands;

    crew_hire(&hands, 64, 1);
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(world, &hands.workers));
    refuse_workers(NULL, &hands.workers);
    refuse_workers(NULL, NULL);
    bad = hands.workers;
    bad.run = NULL;
    refuse_workers(world, &bad);
    bad = hands.workers;
    bad.count = 0;
    refuse_workers(world, &bad);
    bad.count = 65;
    refuse_workers(world, &bad);
    bad.count = UINT32_MAX;
    refuse_workers(world, &bad);
    CHECK_UINT(0, hands.batches);
    CHECK_STATUS(VSP_OK, vsp_world_step(world));
    CHECK_AT_LEAST(1, hands.batches);
}

/* A world that is created again has none. */
static void a_new_world_has_no_workers(void)
{
    crew hands;

    crew_hire(&hands, 4, 1);
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(begin_rain(0), &hands.workers));
    CHECK_STATUS(VSP_OK, vsp_world_step(begin_rain(0)));
    CHECK_UINT(0, hands.batches);
}

#if VSP_QUERIES

static vsp_real add_hit(void *user, const vsp_hit *hit)
{
    uint32_t *sum = (uint32_t *)user;

    *sum = add_word(add_word(*sum, hit->shape.bits), hit->part);
    return VSP_R(1.0);
}

static uint32_t sum_hits(vsp_world *world, uint32_t seed)
{
    vsp_vec3 from = real3(random_below(&seed, 40) - 20.0,
                          random_below(&seed, 20), -20);
    vsp_vec3 low = real3(random_below(&seed, 20) - 20.0, 0,
                         random_below(&seed, 20) - 20.0);
    vsp_vec3 high = low;
    uint32_t sum = 1;
    vsp_hit hit;

    high.x += VSP_R(9.0);
    high.y += VSP_R(9.0);
    high.z += VSP_R(9.0);
    CHECK_STATUS(VSP_OK,
                 vsp_ray_cast(world, from, real3(3, -2, 40), NULL, &hit));
    add_hit(&sum, &hit);
    CHECK_STATUS(VSP_OK,
                 vsp_closest_point(world, from, VSP_R(50.0), NULL, &hit));
    add_hit(&sum, &hit);
    CHECK_STATUS(VSP_OK, vsp_ray_cast_all(world, from, real3(1, -1, 40), NULL,
                                          add_hit, &sum));
    CHECK_STATUS(VSP_OK,
                 vsp_overlap_aabb(world, low, high, NULL, add_hit, &sum));
    return sum;
}

static void queries_find_the_same(void)
{
    vsp_world *a = begin_rain(0), *b = begin_rain(1);
    uint32_t step, i;
    crew hands;

    crew_hire(&hands, 5, 3);
    for (step = 0; step < 60; step++) {
        CHECK_STATUS(VSP_OK, vsp_world_step(a));
        CHECK_STATUS(VSP_OK, vsp_world_step_with(b, &hands.workers));
        for (i = 0; i < 8; i++)
            CHECK_HEX(sum_hits(a, 8 * step + i), sum_hits(b, 8 * step + i));
    }
    CHECK_HEX(vsp_world_hash(a), vsp_world_hash(b));
}

#endif


/* ---- Snapshots and replays ----------------------------------------------- */

/* A snapshot has no trace of workers, and a restore keeps them. */
static void snapshots_are_without_workers(void)
{
    vsp_world *a = begin_rain(0), *b = begin_rain(1);
    size_t size, other;
    uint32_t before;
    crew hands;

    crew_hire(&hands, 4, 1);
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(b, &hands.workers));
    step_world(a, 40);
    step_world(b, 40);
    size = save_world(a, 0);
    other = save_world(b, 1);
    if (!CHECK_UINT((uint32_t)size, (uint32_t)other))
        return;
    CHECK_BYTES(saved(0), saved(1), size);
    step_world(b, 20);
    CHECK_STATUS(VSP_OK, vsp_world_restore(b, saved(0), size));
    before = hands.batches;
    step_world(a, 20);
    step_world(b, 20);
    CHECK(hands.batches > before);
    CHECK_HEX(vsp_world_hash(a), vsp_world_hash(b));
    CHECK_STATUS(VSP_OK, vsp_world_restore(a, saved(1), other));
    before = hands.batches;
    step_world(a, 20);
    CHECK_UINT(before, hands.batches);
    CHECK_HEX(vsp_world_hash(b), vsp_world_hash(a));
}

#define TAPE_BYTES 400000u

static unsigned char tapes[2][TAPE_BYTES];

/* Records a scene, perhaps with workers.  Returns the size of the replay. */
static size_t record_calls(const char *scene_name, uint32_t index,
                           const vsp_workers *workers)
{
    play it = play_named(scene_name, 50, VSP_STEPPER_CARRY);
    vsp_record_def def = {0};
    size_t size = 0;
    scene_run run;
    uint32_t step;

    if (!start_play(&it, &run, 0))
        return 0;
    def.buffer = tapes[index];
    def.capacity = TAPE_BYTES;
    def.keyframe_interval = 20;
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(run.world, workers));
    CHECK_STATUS(VSP_OK, vsp_record_begin(&run.recorder, run.world, &def));
    for (step = 0; step < 50; step++)
        (void)scene_step(&run, step);
    CHECK_STATUS(VSP_OK, vsp_record_end(&run.recorder, &size));
    return size;
}

/* Plays the first tape with workers, to its end and back. */
static void play_tape(size_t size, const vsp_workers *workers)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world = new_world_at(&def, 1, 0);
    vsp_player player;
    vsp_status status;

    def.sweep_limit = UINT32_MAX;
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(world, workers));
    CHECK_STATUS(VSP_OK, vsp_play_begin(&player, world, tapes[0], size));
    do
        status = vsp_play_step(&player);
    while (status == VSP_OK || status == VSP_DEGRADED);
    CHECK_STATUS(VSP_END, status);
    CHECK_UINT(50, player.step);
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 13));
    CHECK_STATUS(VSP_OK, vsp_play_seek(&player, 47));
}

static void replays_are_the_same(void)
{
    static const char *const names[] = {"calls:24~2", "card-house-shot:2",
                                        "pit:20"};
    uint32_t i;

    for (i = 0; i < COUNT_OF(names); i++) {
        size_t size = record_calls(names[i], 0, NULL);
        crew hands;

        test_note("scene %s", names[i]);
        crew_hire(&hands, 3, i);
        CHECK_UINT((uint32_t)size,
                   (uint32_t)record_calls(names[i], 1, &hands.workers));
        CHECK_BYTES(tapes[0], tapes[1], size);
        CHECK_AT_LEAST(1, hands.batches);
        play_tape(size, &hands.workers);
    }
}


/* ---- Rollback and lockstep ----------------------------------------------- */

#if VSP_ROLLBACK

static crew match_crew;

/* A heap of boxes, of which players kick some; with workers if match_crew has
 * any. */
static vsp_world *build_heap(vsp_stepper stepper, uint32_t index,
                             const vsp_workers *workers)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    int i;

    def.stepper = stepper;
    def.capacity.bodies = def.capacity.shapes = 32;
    def.capacity.pairs = def.capacity.manifolds = 128;
    def.capacity.contacts = 256;
    world = new_world_at(&def, index, 0);
    add_ground(world);
    for (i = 0; i < 16; i++)
        add_cube(world, 1.1 * (i % 4), 0.6 + i / 8, 1.1 * (i / 4 % 2));
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(world, workers));
    return world;
}

static vsp_world *build_shared(vsp_stepper stepper)
{
    return build_heap(stepper, 0, &match_crew.workers);
}

static vsp_world *build_alone(vsp_stepper stepper)
{
    return build_heap(stepper, 0, NULL);
}

static vsp_status kick(void *user, vsp_recorder *recorder, const vsp_turn *turn)
{
    uint32_t p;

    (void)user;
    for (p = 0; p < 2; p++)
        if (turn->inputs[p] > 0)
            CHECK_STATUS(VSP_OK, vsp_record_body_apply_center_impulse(
                                     recorder,
                                     vsp_body_at(recorder->world,
                                                 1u + turn->inputs[p] % 16u),
                                     real3(p ? 900 : -900, 2000, 300)));
    return vsp_record_step(recorder);
}

static unsigned char kick_of(uint32_t player, uint32_t step)
{
    return step % 17 == 3 + 7 * player ? (unsigned char)(1u + step) : 0;
}

static void check_rollback(vsp_stepper stepper)
{
    static const late_match together = {build_shared, kick, kick_of, 80};
    static const late_match single = {build_alone, kick, kick_of, 80};
    uint32_t hash;

    check_late_match(&single, stepper);
    hash = vsp_world_hash((const vsp_world *)(const void *)arena(0));
    crew_hire(&match_crew, 4, 9);
    check_late_match(&together, stepper);
    CHECK_HEX(hash, vsp_world_hash((const vsp_world *)(const void *)arena(0)));
    CHECK_AT_LEAST(80, match_crew.batches);
}

static void rollback_is_the_same(void)
{
    each_stepper(check_rollback);
}

#define MATCH_BYTES VSP_LOCKSTEP_BYTES(2, 1, 40, 128, 16384, 0)

VSP_ARENA(peer_memory[2], MATCH_BYTES);

static vsp_lockstep *join_match(uint32_t player, vsp_world *world)
{
    vsp_lockstep_def def;
    vsp_lockstep *peer = NULL;

    memset(&def, 0, sizeof def);
    def.rollback.world = world;
    def.rollback.players = 2;
    def.rollback.input_size = 1;
    def.rollback.depth = 10;
    def.rollback.kept = 40;
    def.rollback.history = 128;
    def.rollback.snapshot_size = 16384;
    def.rollback.step = kick;
    def.player = player;
    def.peers = 1;
    def.delay = 1;
    def.hash_interval = 5;
    CHECK_STATUS(VSP_OK, vsp_lockstep_create(peer_memory[player].mem,
                                             MATCH_BYTES, &def, &peer));
    CHECK_STATUS(VSP_OK, vsp_lockstep_connect(peer, 0, 1 - player, false));
    return peer;
}

static void pass_message(vsp_lockstep *from, vsp_lockstep *to)
{
    unsigned char bytes[VSP_MAX_MESSAGE];
    size_t size;

    CHECK_STATUS(VSP_OK,
                 vsp_lockstep_send(from, 0, bytes, sizeof bytes, &size));
    if (size > 0)
        CHECK_STATUS(VSP_OK, vsp_lockstep_receive(to, 0, bytes, size));
}

/* One peer has workers, the other one has none: all hashes must agree.
 * Messages are held back now and then, so that steps are made again. */
static void lockstep_is_the_same(void)
{
    vsp_lockstep *peers[2];
    uint32_t tick, p;

    crew_hire(&match_crew, 3, 4);
    peers[0] = join_match(0, build_heap(VSP_STEPPER_CARRY, 0, NULL));
    peers[1] = join_match(
        1, build_heap(VSP_STEPPER_CARRY, 1, &match_crew.workers));
    for (tick = 0; tick < 200; tick++) {
        for (p = 0; p < 2; p++) {
            unsigned char key = kick_of(p, tick);

            CHECK(vsp_lockstep_advance(peers[p], &key) >= 0);
        }
        for (p = 0; p < 2 && tick % 8 > 4; p++)
            pass_message(peers[p], peers[1 - p]);
    }
    for (p = 0; p < 2; p++) {
        vsp_lockstep_stats stats = vsp_lockstep_get_stats(peers[p]);

        CHECK_UINT(VSP_PHASE_PLAYING, stats.phase);
        CHECK_AT_LEAST(20, stats.hash_count);
        CHECK_AT_LEAST(20, stats.rollback.again_count);
    }
    CHECK_AT_LEAST(200, match_crew.batches);
}

#endif


/* ---- The pool of threads --------------------------------------------------
 */

typedef struct tally {
    uint32_t calls[MOST_TASKS]; /* of each index */
    uint32_t effort;
} tally;

/* A vsp_task.  Takes longer or shorter by its index. */
static void count_call(void *work, uint32_t index)
{
    tally *it = (tally *)work;
    volatile uint32_t i;

    for (i = 0; i < it->effort * (index % 5); i++)
        continue;
    it->calls[index]++;
}

static void check_batch(const vsp_workers *workers, uint32_t count,
                        uint32_t effort)
{
    tally it;
    uint32_t i;

    memset(&it, 0, sizeof it);
    it.effort = effort;
    workers->run(workers->context, count_call, &it, count);
    for (i = 0; i < MOST_TASKS; i++)
        CHECK_UINT(i < count, it.calls[i]);
}

/* Each index is called once, before run returns; also when threads were put to
 * sleep by a pause, and when there are more of them than cores. */
static void the_pool_calls_each_index_once(void)
{
    uint32_t i, batch;

    for (i = 0; i < COUNT_OF(counts); i++) {
        pool *threads = pool_open(counts[i]);
        vsp_workers workers;

        test_note("%lu workers", (unsigned long)counts[i]);
        if (!CHECK(threads))
            return;
        workers = pool_workers(threads);
        CHECK_UINT(counts[i], workers.count);
        for (batch = 0; batch < 200; batch++)
            check_batch(&workers, 1 + batch * 7 % MOST_TASKS,
                        batch % 50 == 0 ? 20000 : batch % 3 * 10);
        pool_close(threads);
    }
    pool_close(NULL);
    CHECK(!pool_open(0));
    CHECK(!pool_open(POOL_MOST + 1));
}

/* Steps a scene twice, alone and with threads, which may run at once what a
 * shuffled order only swaps. */
static void compare_threads(const play *it, pool *threads)
{
    vsp_workers workers = pool_workers(threads);
    scene_run run;
    uint32_t step;

    play_alone(it);
    if (!start_play(it, &run, 1))
        return;
    CHECK_STATUS(VSP_OK, vsp_world_set_workers(run.world, &workers));
    for (step = 0; step < it->steps; step++) {
        vsp_status status = scene_step(&run, step);
        moment m = moment_of(run.world, status);

        test_note("scene %s, %lu threads, step %lu", it->scene,
                  (unsigned long)workers.count, (unsigned long)step);
        if (!check_moment(&alone[step], &m))
            break;
    }
}

static void threads_make_the_same(void)
{
    pool *threads = pool_open(3);
    uint32_t i;

    if (!CHECK(threads))
        return;
    for (i = 0; i < COUNT_OF(large); i++) {
        play it = play_named(large[i].scene, 3, (vsp_stepper)(i % 3));

        compare_threads(&it, threads);
    }
    pool_close(threads);
}

#if VSP_PAIR_RULES

/* The ground comes last, so body 0 moves: the thread sanitizer sees it if lanes
 * without a manifold read it while another thread writes it. */
static void threads_make_the_same_columns(void)
{
    pool *threads = pool_open(3);
    vsp_workers workers;

    if (!CHECK(threads))
        return;
    workers = pool_workers(threads);
    compare_columns(&workers);
    pool_close(threads);
}

#endif

static void threads_make_golden_scenes(void)
{
    pool *threads = pool_open(4);
    uint32_t i;

    if (!CHECK(threads))
        return;
    for (i = 0; i < golden_run_count; i++) {
        play it = play_of(&golden_runs[i]);

        compare_threads(&it, threads);
    }
    pool_close(threads);
}


static const test tests[] = {
    TEST(golden_scenes_are_the_same),
    TEST_SLOW(golden_scenes_with_any_number),
    TEST(large_scenes_begin_the_same),
    TEST_SLOW(large_scenes_are_the_same),
    TEST(full_worlds_drop_the_same),
#if VSP_PAIR_RULES
    TEST(columns_that_push_nothing),
#endif
    TEST(budgets_run_out_the_same),
    TEST(workers_of_one_step),
    TEST(bad_workers_are_refused),
    TEST(a_new_world_has_no_workers),
#if VSP_QUERIES
    TEST(queries_find_the_same),
#endif
    TEST(snapshots_are_without_workers),
    TEST(replays_are_the_same),
#if VSP_ROLLBACK
    TEST(rollback_is_the_same),
    TEST(lockstep_is_the_same),
#endif
    TEST(the_pool_calls_each_index_once),
    TEST(threads_make_the_same),
#if VSP_PAIR_RULES
    TEST(threads_make_the_same_columns),
#endif
    TEST_SLOW(threads_make_golden_scenes),
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif /* VSP_WORKERS */

const test_suite workers_suite = {"workers", tests};
