/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Piles that start with noise: every body is too high or too low by up to 1 um
 * to 1 mm, including overlaps.  They must stand and come to rest: from 5 s on
 * no body is faster than one that falls asleep, from 10 s on none moves
 * farther than 0.05 mm, and all fall asleep if allowed.  Distances are those of
 * centres of mass, in double precision from poses alone. */

#include "scene_fixture.h"

#include <stdio.h>
#include <string.h>

#define DEGREE (PI / 180)

/* m/s: what 0.0002 of gravity adds in sleep_time, as in DESIGN.md */
#define CALM_SPEED (0.0002 * 9.81 * 0.5)
#define LATE_MOVE 0.00005 /* m: after a pile has settled */
#define LONG_SECONDS 60u

typedef struct noise_case {
    const char *name;
    double most;      /* m: from the start to the end */
    uint32_t seconds; /* in short tests; 0: in long ones alone */
} noise_case;

/* The number behind a comma is the seed of the noise. */
static const noise_case kapla[] = {
    {"kapla^1e-6", 0.003, 10},   {"kapla^1e-6,2", 0.003, 0},
    {"kapla^1e-6,3", 0.003, 0},  {"kapla^1e-6,4", 0.003, 0},
    {"kapla^1e-5", 0.003, 0},    {"kapla^1e-5,2", 0.003, 10},
    {"kapla^1e-5,3", 0.003, 0},  {"kapla^1e-5,4", 0.003, 0},
    {"kapla^1e-4", 0.003, 0},    {"kapla^1e-4,2", 0.003, 0},
    {"kapla^1e-4,3", 0.003, 10}, {"kapla^1e-4,4", 0.003, 0},
    {"kapla^1e-3", 0.003, 0},    {"kapla^1e-3,2", 0.003, 0},
    {"kapla^1e-3,3", 0.003, 0},  {"kapla^1e-3,4", 0.003, 10},
};

static const noise_case piles[] = {
    {"wall^1e-5", 0.0001, 8},    {"wall^1e-5,2", 0.0001, 0},
    {"wall^1e-3", 0.005, 10},    {"wall^1e-3,2", 0.005, 0},
    {"tower^1e-5", 0.0001, 8},   {"tower^1e-5,2", 0.0001, 0},
    {"tower^1e-3", 0.005, 0},    {"tower^1e-3,2", 0.005, 10},
    {"pyramid^1e-5", 0.0001, 8}, {"pyramid^1e-5,2", 0.0001, 0},
    {"pyramid^1e-3", 0.012, 0},  {"pyramid^1e-3,2", 0.012, 0},
    {"course^1e-5", 0.0001, 8},  {"course^1e-5,2", 0.0001, 0},
    {"course^1e-3", 0.012, 0},   {"course^1e-3,2", 0.012, 0},
};

/* With gravity tilted. */
static const noise_case leaning[] = {
    {"wall:4^1e-5", 0.0001, 0},   {"wall:4^1e-3", 0.012, 0},
    {"wall^1e-5", 0.0001, 0},     {"wall^1e-3", 0.012, 0},
    {"tower:3^1e-5", 0.0001, 8},  {"tower:3^1e-3", 0.012, 8},
    {"tower^1e-5", 0.0001, 0},    {"tower^1e-3", 0.012, 0},
    {"tower^1e-3,2", 0.012, 0},   {"pyramid:6^1e-5", 0.0001, 8},
    {"pyramid:6^1e-3", 0.012, 8}, {"pyramid^1e-5", 0.0001, 0},
    {"pyramid^1e-3", 0.012, 0},   {"course:6^1e-5", 0.0001, 0},
    {"course:6^1e-3", 0.012, 0},  {"course^1e-5", 0.0001, 0},
    {"course^1e-3", 0.012, 0},    {"course^1e-3,2", 0.012, 0},
};

/* By 1 mm more than the noise. */
static const noise_case columns[] = {
    {"column:25^1e-5", 0.00101, 30},   {"column:35^1e-5", 0.00101, 0},
    {"column:50^1e-5", 0.00101, 0},    {"column:50^1e-5,2", 0.00101, 0},
    {"column:75^1e-5", 0.00101, 0},    {"column:100^1e-5", 0.00101, 30},
    {"column:100^1e-5,2", 0.00101, 0}, {"column:50^1e-3", 0.002, 0},
    {"column:50^1e-3,2", 0.002, 30},   {"column:50^1e-3,3", 0.002, 0},
    {"column:50^1e-3,4", 0.002, 0},
};

static const noise_case cards[] = {
    {"card-house:3", 0.004, 30},      {"card-house:4", 0.004, 30},
    {"card-house:5", 0.004, 30},      {"card-house:6", 0.004, 30},
    {"card-house:3^1e-5", 0.004, 0},  {"card-house:3^1e-3", 0.004, 0},
    {"card-house:4^1e-5", 0.004, 0},  {"card-house:4^1e-3", 0.004, 0},
    {"card-house:5^1e-5", 0.004, 0},  {"card-house:5^1e-3", 0.004, 0},
    {"card-house:6^1e-5", 0.004, 30}, {"card-house:6^1e-3", 0.004, 0},
};

/* Arches thicker than the least that can stand with their number of blocks. */
static const noise_case arches[] = {
    {"arch-9:1.05", 0.005, 8},       {"arch-9:1.2", 0.005, 8},
    {"arch-9:1.5", 0.005, 8},        {"arch-11:1.05", 0.005, 0},
    {"arch-11:1.2", 0.005, 8},       {"arch-11:1.5", 0.005, 8},
    {"arch-15:1.05", 0.005, 0},      {"arch-15:1.2", 0.005, 0},
    {"arch-15:1.5", 0.005, 8},       {"arch-9:1.05^1e-4", 0.005, 0},
    {"arch-9:1.2^1e-3", 0.005, 8},   {"arch-9:1.5^1e-3", 0.005, 0},
    {"arch-11:1.05^1e-4", 0.005, 0}, {"arch-11:1.2^1e-3", 0.005, 0},
    {"arch-11:1.5^1e-3", 0.005, 0},  {"arch-15:1.05^1e-5", 0.005, 0},
    {"arch-15:1.2^1e-4", 0.005, 0},  {"arch-15:1.2^1e-3", 0.005, 0},
    {"arch-15:1.5^1e-5", 0.005, 45}, {"arch-15:1.5^1e-3", 0.005, 40},
};

/* In steps of 1/60 s, with 1 mm of noise: many overlaps in every column.  A
 * brick may rise for 20 s before it rests on both of its supports. */
static const noise_case in_long_steps[] = {
    {"wall^1e-3", 0.002, 0},      {"wall^1e-3,2", 0.002, 0},
    {"wall^1e-3,3", 0.002, 12},   {"wall^1e-3,4", 0.002, 0},
    {"wall^1e-3,5", 0.002, 0},    {"wall^1e-3,6", 0.002, 12},
    {"tower^1e-3", 0.002, 12},    {"tower^1e-3,2", 0.002, 0},
    {"tower^1e-3,3", 0.002, 0},   {"tower^1e-3,4", 0.002, 12},
    {"tower^1e-3,5", 0.002, 0},   {"tower^1e-3,6", 0.002, 0},
    {"pyramid^1e-3", 0.002, 12},  {"pyramid^1e-3,2", 0.002, 0},
    {"course^1e-3", 0.002, 12},   {"course^1e-3,2", 0.002, 0},
    {"kapla^1e-3", 0.003, 12},    {"kapla^1e-3,2", 0.003, 0},
    {"column:25^1e-3", 0.003, 0}, {"column:50^1e-3", 0.003, 0},
};

typedef void (*world_change)(vsp_world *world);

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

static double fastest_body(const vsp_world *world)
{
    double most = 0.0;
    uint32_t slot;

    for (slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);
        vec3 velocity = vec_from(vsp_body_velocity(world, id));

        if (vsp_body_user(world, id) == SCENE_TRACK)
            most = fmax(most, vec_length(velocity));
    }
    return most;
}

/* How far and how fast the bodies of a scene went. */
typedef struct motion {
    double all;      /* m: from the start to the end */
    double late;     /* m: from the settled positions, in any later step */
    double speed;    /* m/s: in any step after 5 s */
    uint32_t sweeps; /* of the last step */
} motion;

/* Runs a scene in so many steps a second; `change` changes its world first,
 * unless null.  It counts as settled after 10 s, or half of the time. */
static bool run_noise(const char *name, world_change change, uint32_t rate,
                      uint32_t seconds, motion *is)
{
    static vec3 start[VSP_MAX_BODIES], settled[VSP_MAX_BODIES];
    uint32_t steps = seconds * rate, half = steps / 2u, step;
    scene_run run;

    memset(is, 0, sizeof *is);
    if (!play_start_in_steps(&run, name, 1.0 / rate))
        return false;
    if (change)
        change(run.world);
    half = half < 10u * rate ? half : 10u * rate;
    read_centers(run.world, start);
    for (step = 1; step <= steps; step++) {
        play_steps(&run, step - 1u, step);
        if (step == half)
            read_centers(run.world, settled);
        if (step > half)
            is->late = fmax(is->late, farthest_move(run.world, settled));
        if (step > 5u * rate)
            is->speed = fmax(is->speed, fastest_body(run.world));
    }
    is->all = farthest_move(run.world, start);
    is->sweeps = vsp_world_stats(run.world).sweep_count;
    if (shows())
        printf("    %s, %u s at %u Hz: moves by %.3f mm, late by %.4f mm, "
               "%.3f mm/s, %u sweeps\n",
               name, (unsigned)seconds, (unsigned)rate, is->all * 1e3,
               is->late * 1e3, is->speed * 1e3, (unsigned)is->sweeps);
    return true;
}

#define USUAL_RATE 100u /* steps a second: those of the scenes */

static void check_case(const noise_case *it, world_change change, uint32_t rate,
                       uint32_t seconds)
{
    motion is;

    if (seconds == 0 || !run_noise(it->name, change, rate, seconds, &is))
        return;
    CHECK_AT_MOST(it->most, is.all);
    CHECK_AT_MOST(rate < USUAL_RATE ? 2 * LATE_MOVE : LATE_MOVE, is.late);
    CHECK_AT_MOST(CALM_SPEED, is.speed);
}

static void check_changed(const noise_case *it, uint32_t count,
                          world_change change)
{
    for (; count > 0; it++, count--)
        check_case(it, change, USUAL_RATE,
                   is_long() ? LONG_SECONDS : it->seconds);
}

static void check_cases(const noise_case *it, uint32_t count)
{
    check_changed(it, count, NULL);
}

static void small_piles_stand(void)
{
    static const noise_case cases[] = {
        {"kapla:2^1e-6", 0.0001, 4}, {"kapla:2^1e-4", 0.001, 4},
        {"kapla:2^1e-3", 0.003, 20}, {"course:6^1e-5", 0.0001, 4},
        {"wall:5^1e-3", 0.012, 4},   {"column:10^1e-3", 0.003, 4},
        {"arch-9:1.2", 0.015, 8},
    };

    check_cases(cases, COUNT_OF(cases));
}

static void kapla_towers_stand(void)
{
    check_cases(kapla, COUNT_OF(kapla));
}

static void a_kapla_tower_stands_for_ten_minutes(void)
{
    const noise_case tower = {"kapla^1e-5,2", 0.003, 600};

    check_case(&tower, NULL, USUAL_RATE, tower.seconds);
}

static void piles_stand(void)
{
    check_cases(piles, COUNT_OF(piles));
}

static void piles_stand_in_long_steps(void)
{
    uint32_t i;

    for (i = 0; i < COUNT_OF(in_long_steps); i++)
        check_case(in_long_steps + i, NULL, 60,
                   is_long() ? LONG_SECONDS : in_long_steps[i].seconds);
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

static void leaning_piles_stand(void)
{
    check_changed(leaning, COUNT_OF(leaning), lean_gravity);
}

static void columns_stand(void)
{
    check_cases(columns, COUNT_OF(columns));
}

static void card_houses_stand(void)
{
    check_cases(cards, COUNT_OF(cards));
}

static void thick_arches_stand(void)
{
    check_cases(arches, COUNT_OF(arches));
}

static void thin_arches_fall(void)
{
    static const char *const names[] = {"arch-9:0.95",  "arch-9:0.85",
                                        "arch-11:0.95", "arch-11:0.85",
                                        "arch-15:0.95", "arch-15:0.85"};
    motion is;
    uint32_t i;

    for (i = 0; i < COUNT_OF(names); i++)
        if (run_noise(names[i], NULL, USUAL_RATE, 10, &is))
            CHECK_AT_LEAST(1.0, is.all);
}

/* At rest, a pile takes one sweep a step, with noise as without. */
static void piles_at_rest_take_one_sweep(void)
{
    static const char *const names[] = {
        "kapla:2^1e-5", "wall^1e-5",      "tower^1e-5",     "pyramid^1e-5",
        "course^1e-5",  "column:25^1e-5", "wall^1e-3,2",    "tower^1e-3,2",
        "tower^1e-3,5", "tower^1e-3,6",   "pyramid^1e-3,2", "pyramid^1e-3,6"};
    motion is;
    uint32_t i;

    for (i = 0; i < COUNT_OF(names); i += is_long() ? 1 : 2)
        if (run_noise(names[i], NULL, USUAL_RATE, 10, &is))
            CHECK_UINT(1, is.sweeps);
}

/* With sleep enabled, the whole pile must be asleep within 6 s, and stay so.  A
 * column falls asleep while it leans, so twice the distance is allowed. */
static void check_sleep(const noise_case *it, world_change change)
{
    static vec3 start[VSP_MAX_BODIES];
    scene_run run;
    uint32_t step;

    if (!play_start_sleepy(&run, it->name))
        return;
    if (change)
        change(run.world);
    read_centers(run.world, start);
    for (step = 0; step < 600; step++) {
        play_steps(&run, step, step + 1);
        if (vsp_world_stats(run.world).awake_count == 0)
            break;
    }
    for (; step < 800; step++) {
        play_steps(&run, step, step + 1);
        if (!CHECK_UINT(0, vsp_world_stats(run.world).awake_count))
            break;
    }
    CHECK_AT_MOST(2.0 * it->most, farthest_move(run.world, start));
}

static void check_sleep_of(const noise_case *it, uint32_t count,
                           world_change change)
{
    for (; count > 0; it++, count--)
        if (is_long() || it->seconds > 0)
            check_sleep(it, change);
}

static void piles_fall_asleep(void)
{
    check_sleep_of(kapla, COUNT_OF(kapla), NULL);
    check_sleep_of(piles, COUNT_OF(piles), NULL);
    check_sleep_of(leaning, COUNT_OF(leaning), lean_gravity);
    check_sleep_of(columns, COUNT_OF(columns), NULL);
    check_sleep_of(cards, COUNT_OF(cards), NULL);
    check_sleep_of(arches, COUNT_OF(arches), NULL);
}

static const test tests[] = {
    TEST(small_piles_stand),
    TEST_SLOW(kapla_towers_stand),
    TEST_LONG(a_kapla_tower_stands_for_ten_minutes),
    TEST_SLOW(piles_stand),
    TEST_SLOW(piles_stand_in_long_steps),
    TEST_SLOW(leaning_piles_stand),
    TEST_SLOW(columns_stand),
    TEST_SLOW(card_houses_stand),
    TEST_SLOW(thick_arches_stand),
    TEST_SLOW(thin_arches_fall),
    TEST_SLOW(piles_at_rest_take_one_sweep),
    TEST_SLOW(piles_fall_asleep),
    TEST_END,
};

const test_suite noise_suite = {"noise", tests};
