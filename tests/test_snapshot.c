/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Snapshot, restore and hash: a saved world is restored completely or not at
 * all, at any address; and equal states have equal futures. */

#include "scene_fixture.h"
#include "src/record/record.h"

#include <string.h>

/* a scene with balls, boxes, friction, impacts and bodies that appear later */
static const char *const lively = "card-house-shot:3";


/* ---- Round trips -------------------------------------------------------- */

static void restore_brings_back_the_state(void)
{
    scene_run run;
    size_t size, again;
    uint32_t hash, later;

    if (!play_start_at(&run, lively, 0, 0))
        return;
    play_steps(&run, 0, 120);
    size = save_world(run.world, 0);
    hash = vsp_world_hash(run.world);
    play_steps(&run, 120, 240);
    later = vsp_world_hash(run.world);
    CHECK(later != hash);
    CHECK_STATUS(VSP_OK, vsp_world_restore(run.world, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(run.world));
    again = save_world(run.world, 1);
    CHECK_UINT((uint32_t)size, (uint32_t)again);
    CHECK_BYTES(saved(0), saved(1), size);
    play_steps(&run, 120, 240);
    CHECK_HEX(later, vsp_world_hash(run.world));
}

static void restore_works_in_another_world(void)
{
    scene_run run;
    vsp_world_def def = vsp_world_def_default();
    size_t size;
    uint32_t i;

    if (!play_start_at(&run, lively, 0, 0))
        return;
    play_steps(&run, 0, 150);
    size = save_world(run.world, 0);
    def.gravity = real3(1, 2, 3); /* a restore replaces these settings by its
                                   * own */
    def.dt = VSP_R(0.05);
    {
        vsp_world *other = new_world_at(&def, 1, VSP_WORLD_ALIGN);

        CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
        CHECK_NEAR(0.01, num(vsp_world_dt(other)), 1e-9);
        for (i = 150; i < 250; i++) {
            test_note("step %u", i);
            CHECK(vsp_world_step(run.world) >= 0);
            CHECK(vsp_world_step(other) >= 0);
            if (!CHECK_HEX(vsp_world_hash(run.world), vsp_world_hash(other)))
                return;
        }
    }
}

static void restore_at_every_step_changes_nothing(void)
{
    scene_run plain, restored;
    uint32_t i;

    if (!play_start_at(&plain, lively, 0, 0) ||
        !play_start_at(&restored, lively, 1, 0))
        return;
    for (i = 0; i < 250; i++) {
        size_t size = save_world(restored.world, 0);

        test_note("step %u", i);
        CHECK_STATUS(VSP_OK, vsp_world_restore(restored.world, saved(0), size));
        play_steps(&plain, i, i + 1);
        play_steps(&restored, i, i + 1);
        if (!CHECK_HEX(vsp_world_hash(plain.world),
                       vsp_world_hash(restored.world)))
            return;
    }
}

/* A small busy scene, saved at every step: each snapshot, restored into a used
 * world, must lead to the same last state. */
static void every_snapshot_leads_to_the_same_end(void)
{
    static unsigned char kept[120][4096];
    static size_t sizes[120];
    scene_run run;
    uint32_t hash, i, k;

    if (!play_start_at(&run, "roof:2", 0, 0))
        return;
    for (i = 0; i < COUNT_OF(kept); i++) {
        CHECK_STATUS(VSP_OK, vsp_world_snapshot(run.world, kept[i],
                                                sizeof kept[i], &sizes[i]));
        play_steps(&run, i, i + 1);
    }
    hash = vsp_world_hash(run.world);
    for (i = 0; i < COUNT_OF(kept); i++) {
        test_note("from step %u", i);
        CHECK_STATUS(VSP_OK, vsp_world_restore(run.world, kept[i], sizes[i]));
        for (k = i; k < COUNT_OF(kept); k++)
            play_steps(&run, k, k + 1);
        if (!CHECK_HEX(hash, vsp_world_hash(run.world)))
            return;
    }
}

/* Ids from before the snapshot must be valid after the restore; ids made after
 * the snapshot must not. */
static void restore_brings_back_ids(void)
{
    vsp_world *world = new_world();
    vsp_body_id kept = add_cube(world, 0, 1, 0), later;
    size_t size = save_world(world, 0);

    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, kept));
    later = add_cube(world, 3, 1, 0);
    CHECK(vsp_body_is_valid(world, later));
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK(vsp_body_is_valid(world, kept));
    CHECK(!vsp_body_is_valid(world, later));
    CHECK_UINT(1, vsp_world_stats(world).body_count);
}

/* The same calls after a restore must return the same ids. */
static void restore_brings_back_generations(void)
{
    vsp_world *world = new_world();
    vsp_body_id first, again;
    size_t size;
    uint32_t i;

    for (i = 0; i < 5; i++)
        CHECK_STATUS(VSP_OK, vsp_body_destroy(world, add_cube(world, 0, 1, 0)));
    size = save_world(world, 0);
    first = add_cube(world, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    again = add_cube(world, 0, 1, 0);
    CHECK_HEX(first.bits, again.bits);
    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(first.bits, add_cube(world, 0, 1, 0).bits);
}

static void restore_empties_a_fuller_world(void)
{
    vsp_world *world = new_world();
    size_t size;
    uint32_t hash;

    add_cube(world, 0, 1, 0);
    size = save_world(world, 0);
    hash = vsp_world_hash(world);
    add_ground(world);
    add_cube(world, 5, 0.5, 0);
    step_world(world, 20);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(world));
    CHECK_UINT(1, vsp_world_stats(world).body_count);
    CHECK_UINT(0, vsp_contact_count(world));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* Slots that were unused in the snapshot must be as new. */
static void restore_forgets_later_uses(void)
{
    vsp_world *world = new_world();
    size_t size;
    vsp_body_id first;

    add_ground(world);
    size = save_world(world, 0);
    first = add_cube(world, 0, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, first));
    add_cube(world, 0, 1, 0);
    add_cube(world, 3, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_HEX(first.bits, add_cube(world, 0, 1, 0).bits);
    add_cube(world, 3, 1, 0);
    size = save_world(world, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void restore_keeps_high_water_marks(void)
{
    vsp_world *world = new_world();
    size_t size = save_world(world, 0);

    add_ground(world);
    add_cube(world, 0, 0.5, 0);
    step_world(world, 1);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    CHECK_UINT(0, vsp_world_stats(world).body_count);
    CHECK_UINT(2, vsp_world_stats(world).body_high);
    CHECK_UINT(4, vsp_world_stats(world).contact_high);
    CHECK_UINT(0, vsp_world_stats(world).contact_count);
    CHECK_UINT(0, vsp_world_stats(world).sweep_count);
}

/* Forces applied before a snapshot must act in the step after its restore. */
static void forces_are_state(void)
{
    vsp_world *world = new_world();
    vsp_body_id cube = add_cube(world, 0, 5, 0);
    size_t size;
    double x;

    CHECK_STATUS(VSP_OK,
                 vsp_body_apply_center_force(world, cube, real3(6e4, 0, 0)));
    size = save_world(world, 0);
    step_world(world, 1);
    x = num(vsp_body_velocity(world, cube).x);
    CHECK_NEAR(1, x, 1e-5); /* 60 m/s^2 for 1/60 s */
    step_world(world, 1);
    CHECK_NEAR(x, num(vsp_body_velocity(world, cube).x), 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    step_world(world, 1);
    CHECK_NEAR(x, num(vsp_body_velocity(world, cube).x), 0);
}

static void snapshots_are_small(void)
{
    vsp_world *world = new_world();
    size_t empty = save_world(world, 0), one;

    add_cube(world, 0, 5, 0);
    one = save_world(world, 1);
    CHECK_AT_MOST(VSP_SNAPSHOT_BYTES, (double)one);
    /* VSP_MAX_BODIES - 1 free slots take less space than a body */
    CHECK_AT_MOST(96.0, (double)(one - empty));
}

/* A dynamic body with one shape must take 64 bytes, a contact point 16: the
 * mean over moving bodies of several sizes, after a while. */
static void bodies_take_64_bytes(void)
{
    static const char *const names[] = {"card-house-shot:3", "random-wall:3",
                                        "pyramid:7~1", "ball-grid~1"};
    uint32_t i;

    for (i = 0; i < COUNT_OF(names); i++) {
        scene_run run;
        vsp_stats stats;
        size_t size;

        if (!play_start(&run, names[i]))
            return;
        play_steps(&run, 0, 120);
        size = save_world(run.world, 0);
        stats = vsp_world_stats(run.world);
        CHECK_AT_MOST(112.0 + 64.0 * stats.body_count +
                          16.0 * stats.contact_count,
                      (double)size);
    }
}

/* adds a body with a given mass and inertia (0: not given), perhaps with a
 * second shape */
static void add_weighed(vsp_world *world, vsp_body_type type, double mass,
                        double inertia, bool is_double)
{
    vsp_shape_def box = vsp_box(real(0.5), real(0.25), real(1));
    vsp_body_def def = body_def(type, box, 0, 5, 0);
    vsp_body_id body;

    def.mass = real(mass);
    def.inertia = real3(inertia, inertia, inertia);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &body));
    if (is_double)
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, body, &box, NULL));
}

/* A body with the same mass data as the one before it is stored as a copy.  So
 * each sort of body here follows each other sort. */
static void neighbours_weigh_their_own(void)
{
    static const struct {
        vsp_body_type type;
        double mass, inertia;
        bool is_double;
    } kinds[] = {
        {VSP_DYNAMIC, 0, 0, false},   {VSP_DYNAMIC, 0, 0, true},
        {VSP_DYNAMIC, 2, 0, false},   {VSP_DYNAMIC, 3, 0, false},
        {VSP_DYNAMIC, 2, 0, true},    {VSP_DYNAMIC, 2, 1, false},
        {VSP_DYNAMIC, 2, 1.5, false}, {VSP_STATIC, 0, 0, false},
        {VSP_KINEMATIC, 0, 0, false},
    };
    uint32_t i, k;

    for (i = 0; i < COUNT_OF(kinds) * COUNT_OF(kinds); i++) {
        vsp_world *world = new_world();
        uint32_t hash;
        size_t size;

        test_note("pair %u", i);
        for (k = 0; k < 4; k++) { /* each sort also follows itself */
            uint32_t kind = k < 2 ? i / COUNT_OF(kinds) : i % COUNT_OF(kinds);

            add_weighed(world, kinds[kind].type, kinds[kind].mass,
                        kinds[kind].inertia, kinds[kind].is_double);
        }
        hash = vsp_world_hash(world);
        size = save_world(world, 0);
        world = new_world();
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        if (!CHECK_HEX(hash, vsp_world_hash(world)))
            return;
    }
}

/* Rotations are stored without their largest component. */
static void any_rotation_survives(void)
{
    vsp_world *world = new_world();
    vsp_body_id cube = add_cube(world, 0, 5, 0);
    uint32_t i, state = 1, hash;

    for (i = 0; i < 20000; i++) {
        vsp_transform pose = vsp_body_transform(world, cube);
        vsp_real *part[4];
        size_t size;
        uint32_t k;

        part[0] = &pose.rotation.x;
        part[1] = &pose.rotation.y;
        part[2] = &pose.rotation.z;
        part[3] = &pose.rotation.w;
        for (k = 0; k < 4; k++) {
            state = state * 1664525u + 1013904223u;
            *part[k] = real((double)(int32_t)state / 2147483648.0);
            if (i % 5 == k) /* rotations about axes, and nearly so */
                *part[k] = i % 2 ? 0 : real(num(*part[k]) * 1e-6);
            if (i % 7 == k)
                *part[k] = *part[(k + 1) % 4];
        }
        if (vsp_body_set_transform(world, cube, pose) < 0)
            continue;
        hash = vsp_world_hash(world);
        size = save_world(world, 0);
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        if (!CHECK_HEX(hash, vsp_world_hash(world)))
            return;
    }
}

static void cold_snapshots_hold_bodies_alone(void)
{
    scene_run run;
    size_t before, after;
    vsp_world_def def;
    scene_variant variant;
    const scene *found = scene_find("box-stack", &variant);

    if (!CHECK(found))
        return;
    def = scene_world_def(found);
    def.enable_warm_start = false;
    run.world = new_world_of(&def);
    if (!CHECK(scene_start(&run, found, variant)))
        return;
    before = save_world(run.world, 0);
    play_steps(&run, 0, 50);
    after = save_world(run.world, 0);
    CHECK_UINT((uint32_t)before, (uint32_t)after);
}


/* ---- Damage ------------------------------------------------------------- */

/* Makes a world with something of everything, and its snapshot in slot 0. */
static size_t small_snapshot(void)
{
    vsp_world *world = new_world();
    vsp_body_id cube;
    vsp_shape_def more = vsp_sphere(VSP_R(0.25));

    add_ground(world);
    cube = add_cube(world, 0, 0.5, 0);
    more.pose.position = real3(0, 0.6, 0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, cube, &more, NULL));
    add_body(world, VSP_KINEMATIC, vsp_sphere(VSP_R(0.5)), 3, 1, 0);
    step_world(world, 3);
    return save_world(world, 0);
}

/* Restores these bytes into another world, and expects a status.  If they are
 * refused, the world must be unchanged. */
static void check_damaged(vsp_status expected, const unsigned char *bytes,
                          size_t size)
{
    vsp_world *world = (vsp_world *)arena(0);
    uint32_t hash = vsp_world_hash(world);

    CHECK_STATUS(expected, vsp_world_restore(world, bytes, size));
    CHECK_HEX(hash, vsp_world_hash(world));
}

static void truncated_snapshots_are_refused(void)
{
    size_t size = small_snapshot(), length;

    for (length = 0; length < size; length++) {
        test_note("%lu of %lu bytes", (unsigned long)length,
                  (unsigned long)size);
        check_damaged(VSP_ERR_TRUNCATED, saved(0), length);
    }
    CHECK_STATUS(VSP_OK,
                 vsp_world_restore((vsp_world *)arena(0), saved(0), size));
}

static void longer_snapshots_are_refused(void)
{
    static unsigned char longer[VSP_SNAPSHOT_BYTES + 4];
    size_t size = small_snapshot();

    memcpy(longer, saved(0), size);
    memset(longer + size, 0, 4);
    check_damaged(VSP_ERR_TRUNCATED, longer, size + 1);
    check_damaged(VSP_ERR_TRUNCATED, longer, size + 4);
}

static void flipped_bits_are_refused(void)
{
    static unsigned char damaged[VSP_SNAPSHOT_BYTES];
    size_t size = small_snapshot(), i;
    uint32_t bit;

    memcpy(damaged, saved(0), size);
    for (i = 0; i < size; i++)
        for (bit = 0; bit < 8; bit++) {
            damaged[i] ^= (unsigned char)(1u << bit);
            test_note("byte %lu, bit %u", (unsigned long)i, bit);
            /* bytes 8 to 11 name the version, which may be another */
            check_damaged(i < 20 && i / 4 != 2 ? VSP_ERR_VERSION
                          : i >= 20 && i < 24  ? VSP_ERR_TRUNCATED
                                               : VSP_ERR_CHECKSUM,
                          damaged, size);
            damaged[i] ^= (unsigned char)(1u << bit);
        }
    CHECK_STATUS(VSP_OK,
                 vsp_world_restore((vsp_world *)arena(0), damaged, size));
}

static void noise_is_refused(void)
{
    static unsigned char noise[4096];
    uint32_t round, i, state = 1;

    small_snapshot();
    for (round = 0; round < 200; round++) {
        for (i = 0; i < sizeof noise; i++) {
            state = state * 1664525u + 1013904223u;
            noise[i] = (unsigned char)(state >> 24);
        }
        check_damaged(VSP_ERR_VERSION, noise,
                      VSP__SNAPSHOT_HEAD_BYTES +
                          state % (sizeof noise - VSP__SNAPSHOT_HEAD_BYTES));
    }
    memset(noise, 0, sizeof noise);
    check_damaged(VSP_ERR_VERSION, noise, sizeof noise);
}

/* Returns the place of a word that is once in a snapshot, counted from the
 * end. */
static uint32_t find_word(const unsigned char *bytes, size_t size,
                          uint32_t word)
{
    uint32_t count = 0, place = 1, at;

    for (at = 1; 4u * at <= size; at++)
        if (vsp__get_word(bytes + size - 4u * at) == word) {
            place = at;
            count++;
        }
    CHECK_UINT(1, count);
    return place;
}

/* Checks that a snapshot in which one word has more than 16 bits is refused,
 * and with the word itself taken. */
static void check_half_word(vsp_world *world, uint32_t word)
{
    size_t size = save_world(world, 0);
    uint32_t at = find_word(saved(0), size, word);
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];

    memcpy(bytes, saved(0), size);
    damage_snapshot(bytes, size, at, word | 0x10000u);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, bytes, size));
    damage_snapshot(bytes, size, at, word);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
}

/* Generations and flags are half a word each. */
static void half_words_are_checked(void)
{
    vsp_world *world = new_world();
    vsp_joint_def joint = vsp_joint_def_default();
    vsp_joint_id id = {0};
    uint32_t i;

    for (i = 0; i < 77; i++)
        CHECK_STATUS(VSP_OK, vsp_body_destroy(world, add_cube(world, 0, 1, 0)));
    joint.body_a = add_ground(world);
    check_half_word(world, joint.body_a.bits >> 16);
    joint.body_b = add_cube(world, 0, 1, 0);
    joint.type = VSP_JOINT_FIXED;
    for (i = 0; i < 99; i++) {
        CHECK_STATUS(VSP_OK, vsp_joint_create(world, &joint, &id));
        CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, id));
    }
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &joint, &id));
    check_half_word(world, id.bits >> 16);
    CHECK_STATUS(VSP_OK, vsp_body_set_locks(world, joint.body_b, 55));
    check_half_word(world, 55);
}

/* A buffer need not be aligned. */
static void snapshots_have_no_alignment(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES + 8];
    size_t size = small_snapshot(), offset, written = 0;
    vsp_world *world = (vsp_world *)arena(0);

    for (offset = 0; offset < 8; offset++) {
        memset(bytes, 0xcc, sizeof bytes);
        CHECK_STATUS(VSP_OK,
                     vsp_world_snapshot(world, bytes + offset, size, &written));
        CHECK_BYTES(saved(0), bytes + offset, size);
        CHECK_HEX(0xcc, bytes[offset + size]);
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes + offset, size));
    }
}


/* ---- Addresses ---------------------------------------------------------- */

static void interleaved_worlds_do_not_meet(void)
{
    scene_run alone, a, b;
    uint32_t hash, i;

    if (!play_start_at(&alone, lively, 0, 0))
        return;
    play_steps(&alone, 0, 200);
    hash = vsp_world_hash(alone.world);
    if (!play_start_at(&a, lively, 1, 0) ||
        !play_start_at(&b, "house:20", 2, 8))
        return;
    for (i = 0; i < 200; i++) {
        play_steps(&a, i, i + 1);
        play_steps(&b, i, i + 1);
    }
    CHECK_HEX(hash, vsp_world_hash(a.world));
}

/* Moves a world to another buffer, and fills the old one. */
static void move_world(scene_run *run, uint32_t index, size_t offset)
{
    unsigned char *to = arena(index) + offset;

    memmove(to, run->world, VSP_WORLD_BYTES);
    memset(arena(3 - index), 0xdd, ARENA_BYTES);
    run->world = (vsp_world *)(void *)to;
}

static void worlds_move_in_memory(void)
{
    scene_run still, moved;
    uint32_t i;

    if (!play_start_at(&still, lively, 0, 0) ||
        !play_start_at(&moved, lively, 1, VSP_WORLD_ALIGN))
        return;
    for (i = 0; i < 250; i++) {
        test_note("step %u", i);
        play_steps(&still, i, i + 1);
        play_steps(&moved, i, i + 1);
        if (!CHECK_HEX(vsp_world_hash(still.world),
                       vsp_world_hash(moved.world)))
            return;
        move_world(&moved, 1 + (i + 1) % 2, VSP_WORLD_ALIGN * (i % 3));
    }
}

/* Old bytes of the buffer must not affect the world. */
static void old_bytes_of_the_buffer_do_not_matter(void)
{
    scene_run run;
    uint32_t hashes[2], fill;

    for (fill = 0; fill < 2; fill++) {
        scene_variant variant;
        const scene *found = scene_find(lively, &variant);
        vsp_world_def def;

        if (!CHECK(found))
            return;
        def = scene_world_def(found);
        memset(arena(0), fill ? 0xff : 0x00, ARENA_BYTES);
        CHECK_STATUS(VSP_OK, vsp_world_create(arena(0), VSP_WORLD_BYTES, &def,
                                              &run.world));
        CHECK(scene_start(&run, found, variant));
        play_steps(&run, 0, 150);
        hashes[fill] = vsp_world_hash(run.world);
    }
    CHECK_HEX(hashes[0], hashes[1]);
}


/* ---- Hash --------------------------------------------------------------- */

#define PARTS 12

/* Changes one item of the state, in a world with one body of one shape. */
static vsp_status change_part(vsp_world *world, uint32_t part)
{
    vsp_body_id id = vsp_body_at(world, 0);
    vsp_shape_id skin = vsp_shape_at(world, 0);
    vsp_vec3 zero = real3(0, 0, 0), one = real3(1, 1, 1);
    vsp_transform pose = vsp_body_transform(world, id);
    vsp_material material = {VSP_R(0.75), VSP_R(0.0), VSP_RULE_GEOMETRIC,
                             VSP_RULE_MAX};
    vsp_filter filter = {1, 0xffffffffu, 4};

    pose.position.x += VSP_R(1.0);
    switch (part) {
    case 0:
        return vsp_body_set_velocity(world, id, one, zero);
    case 1:
        return vsp_body_set_velocity(world, id, zero, one);
    case 2:
        return vsp_body_set_transform(world, id, pose);
    case 3:
        return vsp_body_apply_center_force(world, id, one);
    case 4:
        return vsp_body_apply_torque(world, id, one);
    case 5:
        return vsp_body_set_damping(world, id, VSP_R(1.0), 0);
    case 6:
        return vsp_body_set_damping(world, id, 0, VSP_R(1.0));
    case 7:
        return vsp_body_set_gravity_scale(world, id, VSP_R(2.0));
    case 8:
        return vsp_body_set_mass(world, id, VSP_R(2.0), zero, zero);
    case 9:
        return vsp_shape_set_material(world, skin, material);
    case 10:
        return vsp_shape_set_filter(world, skin, filter);
    default:
        return vsp_world_set_gravity(world, one);
    }
}

static void hash_sees_every_part(void)
{
    vsp_world *world = new_world();
    uint32_t hash, part;
    size_t size;

    add_cube(world, 0, 5, 0);
    size = save_world(world, 0);
    hash = vsp_world_hash(world);
    for (part = 0; part < PARTS; part++) {
        test_note("part %u", part);
        CHECK_STATUS(VSP_OK, change_part(world, part));
        CHECK(vsp_world_hash(world) != hash);
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        CHECK_HEX(hash, vsp_world_hash(world));
    }
}

static void hash_sees_the_tick(void)
{
    vsp_world *world = new_world();
    uint32_t hash = vsp_world_hash(world);

    step_world(world, 1);
    CHECK(hash != vsp_world_hash(world));
}

/* Two sequences of calls to one state: the hash must be the same, and so must
 * 1,000 steps. */
static void equal_hashes_have_equal_futures(void)
{
    scene_run one, two;
    vsp_world_def def = vsp_world_def_default();
    size_t size;
    uint32_t i;

    if (!play_start_at(&one, lively, 0, 0))
        return;
    play_steps(&one, 0, 110);
    size = save_world(one.world, 0);
    two = one;
    two.world = new_world_at(&def, 1, 0);
    for (i = 0; i < 30; i++) /* a different past */
        add_cube(two.world, 0, i, 0);
    step_world(two.world, 10);
    CHECK_STATUS(VSP_OK, vsp_world_restore(two.world, saved(0), size));
    CHECK_HEX(vsp_world_hash(one.world), vsp_world_hash(two.world));
    for (i = 110; i < 1110; i++) {
        test_note("step %u", i);
        play_steps(&one, i, i + 1);
        play_steps(&two, i, i + 1);
        if (!CHECK_HEX(vsp_world_hash(one.world), vsp_world_hash(two.world)))
            return;
    }
}


static const test tests[] = {
    TEST(restore_brings_back_the_state),
    TEST(restore_works_in_another_world),
    TEST(restore_at_every_step_changes_nothing),
    TEST(every_snapshot_leads_to_the_same_end),
    TEST(restore_brings_back_ids),
    TEST(restore_brings_back_generations),
    TEST(restore_empties_a_fuller_world),
    TEST(restore_forgets_later_uses),
    TEST(restore_keeps_high_water_marks),
    TEST(forces_are_state),
    TEST(snapshots_are_small),
    TEST(bodies_take_64_bytes),
    TEST(neighbours_weigh_their_own),
    TEST(any_rotation_survives),
    TEST(cold_snapshots_hold_bodies_alone),
    TEST(truncated_snapshots_are_refused),
    TEST(longer_snapshots_are_refused),
    TEST(flipped_bits_are_refused),
    TEST(noise_is_refused),
    TEST(half_words_are_checked),
    TEST(snapshots_have_no_alignment),
    TEST(interleaved_worlds_do_not_meet),
    TEST(worlds_move_in_memory),
    TEST(old_bytes_of_the_buffer_do_not_matter),
    TEST(hash_sees_every_part),
    TEST(hash_sees_the_tick),
    TEST(equal_hashes_have_equal_futures),
    TEST_END,
};

const test_suite snapshot_suite = {"snapshot", tests};
