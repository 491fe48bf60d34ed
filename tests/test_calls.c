/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sequences of random calls, those of the scenes calls2 and calls3.  Every call
 * must leave a valid world, which continues equally from its snapshot; and all
 * sequences together must have the same bits on every machine.  The worlds have
 * various settings, and some are too small for their scene. */

#include "fixture.h"
#include "port/scenes/scene.h"

#define STEPS 15u
#define STEPS_AFTER 3u

VSP_ARENA(memory, VSP_WORLD_BYTES);

/* The world of a sequence. */
static vsp_world_def sequence_def(const scene *found, uint32_t seed)
{
    static const vsp_capacity roomy = {24, 32, 256, 128, 400, 16, 8};
    static const vsp_capacity tight = {24, 32, 14, 4, 8, 1, 1};
    vsp_world_def def = scene_world_def(found);

    def.capacity = seed % 6 == 0 ? tight : roomy;
    if (seed % 10 == 0)
        def.capacity.joints = 0;
    def.stepper = seed % 5 < 3 ? VSP_STEPPER_CARRY
                               : (vsp_stepper)(seed % 5 - 2);
    if (seed % 9 == 0) {
        def.stepper = VSP_STEPPER_SUBSPACE;
        def.subspace.search = seed / 9 % 4;
        def.subspace.steps = 10;
    }
    if (seed % 7 == 0)
        def.enable_warm_start = false;
    if (seed % 8 == 0)
        def.friction = VSP_FRICTION_PYRAMID;
    if (seed % 2) {
        def.sleep_time = real(0.05);
        def.sleep_speed = real(0.1);
    }
    return def;
}

/* Makes the steps; returns false at the first failure. */
static bool take_steps(scene_run *run, uint32_t steps, uint32_t *degraded)
{
    for (uint32_t i = 0; i < steps; i++) {
        vsp_status status = scene_step(run, i);

        test_note("seed %u, step %u", run->variant.seed, i);
        *degraded += status == VSP_DEGRADED;
        if (!CHECK(status >= 0) ||
            !CHECK_STATUS(VSP_OK, vsp_world_validate(run->world, NULL)))
            return false;
    }
    return CHECK_UINT(0, run->failures);
}

static uint32_t hash_after_steps(vsp_world *world)
{
    for (uint32_t i = 0; i < STEPS_AFTER; i++)
        CHECK(vsp_world_step(world) >= 0);
    return vsp_world_hash(world);
}

/* Returns the hash some steps later, and checks that a restored world has the
 * same. */
static uint32_t go_on(vsp_world *world)
{
    size_t size = save_world(world, 0);
    uint32_t hash = hash_after_steps(world);

    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(hash, hash_after_steps(world));
    return hash;
}

/* Runs the sequences of the seeds 1 to count.  Returns a hash over all their
 * hashes. */
static uint32_t run_sequences(const char *name, uint32_t count)
{
    uint32_t hash = 2166136261u, degraded = 0;
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    scene_run run;

    if (!CHECK(found))
        return 0;
    for (variant.seed = 1; variant.seed <= count; variant.seed++) {
        vsp_world_def def = sequence_def(found, variant.seed);

        test_note("seed %u", variant.seed);
        variant.number = 8 + variant.seed % 17;
        if (!CHECK_STATUS(VSP_OK,
                          vsp_world_create(memory.mem, sizeof memory.mem, &def,
                                           &run.world)) ||
            !CHECK(scene_start(&run, found, variant)) ||
            !take_steps(&run, STEPS, &degraded) ||
            !CHECK(vsp_world_stats(run.world).joint_high <=
                   def.capacity.joints))
            return 0;
        hash = (hash ^ go_on(run.world)) * 16777619u;
    }
    test_note("%u sequences", count);
    CHECK_AT_LEAST(count / 20.0, degraded);
    return hash;
}

/* The expected hash over all sequences, in addition to the rows of
 * tests/golden.txt.  A change of bits changes these numbers too. */
static void few_sequences(void)
{
    CHECK_HEX(TOLERANCE(0x0e36fd27u, 0xca9c9aebu),
              run_sequences("calls2", 300));
}

static void edited_sequences(void)
{
    CHECK_HEX(TOLERANCE(0x81b3a7f7u, 0xc62fd844u),
              run_sequences("calls3", 200));
}

static void many_sequences(void)
{
    CHECK_HEX(TOLERANCE(0xb7f9cfbdu, 0x9d41a824u),
              run_sequences("calls2", 10000));
}

static void a_long_sequence(void)
{
    uint32_t degraded = 0;
    scene_variant variant;
    const scene *found = scene_find("calls2:24~1", &variant);
    scene_run run;
    vsp_world_def def;

    if (!CHECK(found))
        return;
    def = sequence_def(found, 1);
    if (CHECK_STATUS(VSP_OK, vsp_world_create(memory.mem, sizeof memory.mem,
                                              &def, &run.world)) &&
        CHECK(scene_start(&run, found, variant)) &&
        take_steps(&run, 2000, &degraded))
        CHECK_HEX(TOLERANCE(0xffb1654au, 0xd4e239fcu),
                  vsp_world_hash(run.world));
}


static const test tests[] = {
    TEST(few_sequences),
    TEST(edited_sequences),
    TEST(a_long_sequence),
    TEST_LONG(many_sequences),
    TEST_END,
};

const test_suite calls_suite = {"calls", tests};
