/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Piles that start with noise: every body is too high or too low by up to 1 um
 * to 1 mm, including overlaps.  They must stand and come to rest: most move by
 * less than 0.05 mm after 10 s, and all fall asleep if allowed.  Distances are
 * those of centres of mass, in double precision from poses alone. */

#include "scene_fixture.h"

#define DEGREE (PI / 180)

typedef struct noise_case {
    const char *name;
    uint32_t seconds;
    double most; /* m: from the start to the end */
    double late; /* m: from 10 s, or half of the time, to the end */
} noise_case;

/* Reads the centres of all bodies. */
static void read_centers(const vsp_world *world, vec3 *center)
{
    uint32_t slot;

    for (slot = 0; slot < VSP_MAX_BODIES; slot++)
        center[slot] = vec_from(
            vsp_body_center(world, vsp_body_at(world, slot)));
}

static double farthest_move(const vsp_world *world, const vec3 *from)
{
    double most = 0.0;
    uint32_t slot;

    for (slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        vec3 way = vec_sub(vec_from(vsp_body_center(world, id)), from[slot]);

        if (vsp_body_user(world, id) == SCENE_TRACK)
            most = fmax(most, vec_length(way));
    }
    return most;
}

/* Runs a scene, whose world `change` changes first, unless null.  Computes the
 * largest distance of a body from its start, and from its position after 10 s
 * or half of the time. */
static bool run_noise(const char *name, void (*change)(vsp_world *world),
                      uint32_t seconds, double *all, double *late)
{
    static vec3 start[VSP_MAX_BODIES], settled[VSP_MAX_BODIES];
    uint32_t steps = seconds * 100u, half = steps / 2u;
    scene_run run;

    if (!play_start(&run, name))
        return false;
    if (change)
        change(run.world);
    half = half < 1000u ? half : 1000u;
    read_centers(run.world, start);
    play_steps(&run, 0, half);
    read_centers(run.world, settled);
    play_steps(&run, half, steps);
    *all = farthest_move(run.world, start);
    *late = farthest_move(run.world, settled);
    return true;
}

static void check_changed(const noise_case *it, uint32_t count,
                          void (*change)(vsp_world *world))
{
    double all, late;

    for (; count > 0; it++, count--) {
        if (!run_noise(it->name, change, it->seconds, &all, &late))
            continue;
        CHECK_AT_MOST(it->most, all);
        CHECK_AT_MOST(it->late, late);
    }
}

static void check_cases(const noise_case *it, uint32_t count)
{
    check_changed(it, count, NULL);
}

static void small_piles_stand(void)
{
    static const noise_case cases[] = {
        {"kapla:2^1e-6", 4, 0.0001, 0.00005},
        {"kapla:2^1e-4", 4, 0.001, 0.00005},
        {"kapla:2^1e-3", 10, 0.003, 0.00005},
        {"course:6^1e-5", 4, 0.0001, 0.00005},
        {"wall:5^1e-3", 4, 0.012, 0.00005},
        {"column:10^1e-3", 4, 0.003, 0.00005},
        {"arch-9:1.2", 8, 0.015, 0.00005},
    };

    check_cases(cases, COUNT_OF(cases));
}

/* In the long test one of them makes 60,000 steps. */
static void kapla_towers_stand(void)
{
    const uint32_t seconds = is_long() ? 60 : 10;
    const noise_case cases[] = {
        {"kapla^1e-6", seconds, 0.003, 0.00005},
        {"kapla^1e-5,2", is_long() ? 600 : 20, 0.003, 0.00005},
        {"kapla^1e-4,3", seconds, 0.003, 0.00005},
        {"kapla^1e-3,4", seconds, 0.003, 0.00005},
    };

    check_cases(cases, COUNT_OF(cases));
}

static void piles_stand(void)
{
    const uint32_t seconds = is_long() ? 20 : 8;
    const noise_case cases[] = {
        {"wall^1e-5", seconds, 0.0001, 0.00005},
        {"tower^1e-5", seconds, 0.0001, 0.00005},
        {"pyramid^1e-5", seconds, 0.0001, 0.00005},
        {"course^1e-5", is_long() ? 30 : 8, 0.0001, 0.00005},
    };

    check_cases(cases, COUNT_OF(cases));
}

/* Noise of 1 mm; the long test also plays another seed for a minute. */
static void piles_of_large_noise_stand(void)
{
    static const noise_case minute[] = {
        {"wall^1e-3,2", 60, 0.012, 0.00005},
        {"course^1e-3", 60, 0.012, 0.00005},
        {"tower^1e-3", 60, 0.012, 0.00005},
        {"tower^1e-3,2", 60, 0.012, 0.00005},
        {"pyramid^1e-3", 60, 0.012, 0.00005},
        {"pyramid^1e-3,2", 60, 0.012, 0.00005},
        {"course^1e-3,2", 60, 0.012, 0.00005},
    };
    const uint32_t seconds = is_long() ? 15 : 10;
    const noise_case cases[] = {
        {"wall^1e-3", seconds, 0.012, 0.00005},
        {"tower^1e-3,2", seconds, 0.012, 0.00005},
    };

    check_cases(cases, COUNT_OF(cases));
    if (is_long())
        check_cases(minute, COUNT_OF(minute));
}

/* Tilts gravity by some degrees, more along the length of a wall than
 * across. */
static void lean_gravity(vsp_world *world)
{
    CHECK_STATUS(VSP_OK,
                 vsp_world_set_gravity(world, real3(9.81 * sin(3 * DEGREE),
                                                    -9.81 * cos(3 * DEGREE),
                                                    9.81 * sin(1 * DEGREE))));
}

/* The long test uses the whole piles. */
static void leaning_piles_stand(void)
{
    const uint32_t seconds = is_long() ? 60 : 30;
    const noise_case small[] = {
        {"wall:4^1e-5", seconds, 0.0001, 0.00005},
        {"wall:4^1e-3", seconds, 0.012, 0.00005},
        {"tower:3^1e-5", seconds, 0.0001, 0.00005},
        {"tower:3^1e-3", seconds, 0.012, 0.00005},
        {"pyramid:6^1e-5", seconds, 0.0001, 0.00005},
        {"pyramid:6^1e-3", seconds, 0.012, 0.00005},
        {"course:6^1e-5", seconds, 0.0001, 0.00005},
        {"course:6^1e-3", seconds, 0.012, 0.00005},
        {"course^1e-3,2", seconds / 3u, 0.012, 0.00005},
    };
    static const noise_case whole[] = {
        {"wall^1e-5", 60, 0.0001, 0.00005},
        {"wall^1e-3", 60, 0.012, 0.00005},
        {"tower^1e-5", 60, 0.0001, 0.00005},
        {"tower^1e-3", 60, 0.012, 0.00005},
        {"pyramid^1e-5", 60, 0.0001, 0.00005},
        {"pyramid^1e-3", 60, 0.012, 0.00005},
        {"course^1e-5", 30, 0.0001, 0.00005},
        {"course^1e-3", 60, 0.012, 0.00005},
        {"tower^1e-3,2", 60, 0.012, 0.00005},
        {"course^1e-3,2", 60, 0.012, 0.00005},
    };

    check_changed(small, COUNT_OF(small), lean_gravity);
    if (is_long())
        check_changed(whole, COUNT_OF(whole), lean_gravity);
}

/* With sleep enabled, the whole pile must be asleep within 6 s. */
static void check_sleep(const char *name)
{
    scene_run run;
    uint32_t step;

    if (!play_start_sleepy(&run, name))
        return;
    for (step = 0; step < 600; step++) {
        play_steps(&run, step, step + 1);
        if (vsp_world_stats(run.world).awake_count == 0)
            return;
    }
    CHECK_UINT(0, vsp_world_stats(run.world).awake_count);
}

static void piles_fall_asleep(void)
{
    static const char *const names[] = {
        "kapla:2^1e-6",  "kapla:2^1e-4",   "kapla:2^1e-3",
        "kapla^1e-5,2",  "kapla^1e-3,4",   "wall^1e-5",
        "wall^1e-3,2",   "tower^1e-3,2",   "pyramid^1e-3,2",
        "course^1e-3,2", "column:25^1e-5", "column:50^1e-3,2",
        "card-house:3",  "card-house:5",   "card-house:6^1e-5",
        "arch-9:1.05",   "arch-9:1.2",     "arch-11:1.05",
        "arch-11:1.2",   "arch-15:1.05",   "arch-15:1.2",
        "arch-15:1.5",
    };
    uint32_t i;

    for (i = 0; i < COUNT_OF(names); i++)
        check_sleep(names[i]);
}

static void columns_stand(void)
{
    static const noise_case cases[] = {
        {"column:25^1e-5", 30, 0.001, 0.00005},
        {"column:100^1e-5", 30, 0.001, 0.00005},
        {"column:50^1e-3,2", 30, 0.002, 0.00005},
    };

    check_cases(cases, COUNT_OF(cases));
}

static void card_houses_stand(void)
{
    static const noise_case cases[] = {
        {"card-house:3", 30, 0.004, 0.00005},
        {"card-house:5", 30, 0.004, 0.00005},
        {"card-house:6^1e-5", 30, 0.004, 0.00005},
    };

    check_cases(cases, COUNT_OF(cases));
}

/* Arches thicker than the least that can stand with their number of blocks. */
static void thick_arches_stand(void)
{
    static const noise_case cases[] = {
        {"arch-9:1.05", 60, 0.005, 0.00005},
        {"arch-9:1.2", 60, 0.005, 0.00005},
        {"arch-9:1.5", 60, 0.005, 0.00005},
        {"arch-11:1.05", 60, 0.005, 0.00005},
        {"arch-11:1.2", 60, 0.005, 0.00005},
        {"arch-11:1.5", 60, 0.005, 0.00005},
        {"arch-15:1.05", 60, 0.005, 0.00005},
        {"arch-15:1.2", 60, 0.005, 0.00005},
        {"arch-15:1.5", 60, 0.005, 0.00005},
    };

    check_cases(cases, COUNT_OF(cases));
}

static void thin_arches_fall(void)
{
    static const char *const names[] = {"arch-9:0.95", "arch-11:0.95",
                                        "arch-15:0.85"};
    double all, late;
    uint32_t i;

    for (i = 0; i < COUNT_OF(names); i++)
        if (run_noise(names[i], NULL, 10, &all, &late))
            CHECK_AT_LEAST(1.0, all);
}

static const test tests[] = {
    TEST(small_piles_stand),
    TEST_SLOW(kapla_towers_stand),
    TEST_SLOW(piles_stand),
    TEST_SLOW(piles_of_large_noise_stand),
    TEST_SLOW(piles_fall_asleep),
    TEST_LONG(leaning_piles_stand),
    TEST_SLOW(columns_stand),
    TEST_SLOW(card_houses_stand),
    TEST_LONG(thick_arches_stand),
    TEST_SLOW(thin_arches_fall),
    TEST_END,
};

const test_suite noise_suite = {"noise", tests};
