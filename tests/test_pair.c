/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rules of pairs: friction, restitution and fractions of mass against what
 * mechanics says; pairs that do not touch; one-way surfaces, which bodies pass
 * from below and stand on, and through which bullets fly; hits; impulses of a
 * pair; rules in snapshots, replays, differences and rollback. */

#include "fixture.h"
#include "src/record/record.h"

#include <math.h>
#include <string.h>

#if VSP_PAIR_RULES

#define G 9.81
#define STEP (1.0 / 60.0)
#define ENVELOPE 0.01

/* categories */
enum { OTHER = 1, LEDGE = 2, HERO = 4, ICE = 8, RUBBER = 16 };

static vsp_world *world;


/* ---- Worlds -------------------------------------------------------------- */

static void begin_world(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = stepper;
    def.dt = real(STEP);
    def.gravity = real3(0, -G, 0);
    def.enable_sleep = false;
    world = new_world_of(&def);
}

static vsp_pair_rule rule_of(uint32_t a, uint32_t b)
{
    vsp_pair_rule rule = vsp_pair_rule_default();

    rule.a = a;
    rule.b = b;
    return rule;
}

static void set_rule(uint32_t index, const vsp_pair_rule *rule)
{
    CHECK_STATUS(VSP_OK, vsp_world_set_pair_rule(world, index, rule));
}

static void let_heroes_pass(void)
{
    vsp_pair_rule rule = rule_of(LEDGE, HERO);

    rule.flags = VSP_PAIR_ONE_WAY;
    set_rule(0, &rule);
}

static vsp_body_id add_of(uint32_t category, vsp_body_type type,
                          vsp_shape_def shape, double x, double y, double z)
{
    shape.filter.category = category;
    return add_body(world, type, shape, x, y, z);
}

static vsp_shape_def cube_of(double half)
{
    return vsp_box(real(half), real(half), real(half));
}

/* A ledge whose top is at height `top`, 0.2 m thick. */
static vsp_body_id add_ledge(vsp_body_type type, double top)
{
    return add_of(LEDGE, type, vsp_box(real(3), real(0.1), real(3)), 0,
                  top - 0.1, 0);
}

static vsp_body_id add_floor_of(uint32_t category)
{
    vsp_shape_def shape = vsp_half_space();

    shape.filter.category = category;
    return add_body(world, VSP_STATIC, shape, 0, 0, 0);
}

static double height_of(vsp_body_id id)
{
    return num(vsp_body_transform(world, id).position.y);
}

static double speed_of(vsp_body_id id)
{
    return num(vsp_body_velocity(world, id).y);
}

static void throw_body(vsp_body_id id, double x, double y)
{
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(x, y, 0),
                                               real3(0, 0, 0)));
}

static vsp_shape_id shape_of(vsp_body_id id)
{
    vsp_shape_id shape = {0};

    vsp_body_shapes(world, id, &shape, 1);
    return shape;
}


/* ---- The table ----------------------------------------------------------- */

static void refuse_rule(void *def)
{
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_set_pair_rule(world, 0, def));
}

static void accept_rule(void *def)
{
    CHECK_STATUS(VSP_OK, vsp_world_set_pair_rule(world, 0, def));
}

static void bad_rules_are_refused(void)
{
    static const field fields[] = {
        {"friction", offsetof(vsp_pair_rule, friction), VSP_R(-1.0),
         VSP_R(100.0)},
        {"restitution", offsetof(vsp_pair_rule, restitution), VSP_R(-1.0),
         VSP_R(1.0)},
        {"mass_a", offsetof(vsp_pair_rule, mass_a), 0, VSP_R(1.0)},
        {"mass_b", offsetof(vsp_pair_rule, mass_b), 0, VSP_R(1.0)},
        {"hit_speed", offsetof(vsp_pair_rule, hit_speed), 0, VSP_MAX_SPEED},
    };
    vsp_pair_rule rule = rule_of(LEDGE, HERO), bad;

    begin_world(VSP_STEPPER_CARRY);
    try_fields(&rule, sizeof rule, fields, COUNT_OF(fields), refuse_rule,
               accept_rule);
    bad = rule;
    bad.friction = VSP_R(-0.5);
    refuse_rule(&bad);
    bad = rule;
    bad.restitution = VSP_R(-0.5);
    refuse_rule(&bad);
    bad = rule;
    bad.flags = 4;
    refuse_rule(&bad);
    bad = rule;
    bad.mass_a = bad.mass_b = VSP_R(0.5);
    refuse_rule(&bad);
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_world_set_pair_rule(world, VSP_MAX_PAIR_RULES, &rule));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_set_pair_rule(world, 0, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_set_pair_rule(NULL, 0, &rule));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_pair_rule(NULL, 0, &rule));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_pair_rule(world, 0, NULL));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_pair_rule(world, VSP_MAX_PAIR_RULES, &rule));
}

static void check_read(uint32_t index, const vsp_pair_rule *expected)
{
    vsp_pair_rule got;

    memset(&got, 0x5a, sizeof got);
    CHECK_STATUS(VSP_OK, vsp_world_pair_rule(world, index, &got));
    CHECK_UINT(expected->a, got.a);
    CHECK_UINT(expected->b, got.b);
    CHECK_UINT(expected->flags, got.flags);
    CHECK_NEAR(num(expected->friction), num(got.friction), 1e-6);
    CHECK_NEAR(num(expected->restitution), num(got.restitution), 1e-6);
    CHECK_NEAR(num(expected->mass_a), num(got.mass_a), 1e-6);
    CHECK_NEAR(num(expected->mass_b), num(got.mass_b), 1e-6);
    CHECK_NEAR(num(expected->hit_speed), num(got.hit_speed), 1e-6);
}

/* A rule in the middle of the table needs none before it; a table without rules
 * is the state that a new world has. */
static void rules_are_read_back(void)
{
    vsp_pair_rule rule = rule_of(LEDGE, HERO), none = vsp_pair_rule_default();
    uint32_t empty;

    begin_world(VSP_STEPPER_CARRY);
    empty = vsp_world_hash(world);
    rule.flags = VSP_PAIR_ONE_WAY;
    rule.friction = VSP_R(0.25);
    rule.restitution = VSP_R(0.5);
    rule.mass_b = VSP_R(0.125);
    rule.hit_speed = VSP_R(2.5);
    set_rule(2, &rule);
    check_read(0, &none);
    check_read(1, &none);
    check_read(2, &rule);
    check_read(3, &none);
    CHECK(vsp_world_hash(world) != empty);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    set_rule(2, &none);
    check_read(2, &none);
    CHECK_HEX(empty, vsp_world_hash(world));
}

/* The first rule of a pair counts, whichever shape has the lower slot. */
static void the_first_rule_counts(void)
{
    vsp_pair_rule first = rule_of(ICE, HERO),
                  second = rule_of(HERO, 0xffffffffu);
    vsp_body_id box;

    begin_world(VSP_STEPPER_CARRY);
    first.friction = VSP_R(0.0);
    second.friction = VSP_R(1.0);
    set_rule(0, &first);
    set_rule(1, &second);
    add_floor_of(ICE);
    box = add_of(HERO, VSP_DYNAMIC, cube_of(0.5), 0, 0.5, 0);
    throw_body(box, 1, 0);
    step_world(world, 60);
    CHECK_NEAR(1, num(vsp_body_velocity(world, box).x), 1e-5);
    set_rule(0, &second);
    step_world(world, 60);
    CHECK_NEAR(0, num(vsp_body_velocity(world, box).x), 1e-5);
}


/* ---- Material ------------------------------------------------------------ */

/* A box slows down by mu g on one ground, and not at all on another. */
static void check_friction(vsp_stepper stepper)
{
    vsp_pair_rule ice = rule_of(ICE, HERO), rubber = rule_of(RUBBER, HERO);

    ice.friction = VSP_R(0.0);
    rubber.friction = VSP_R(0.25);
    for (int is_rubber = 0; is_rubber < 2; is_rubber++) {
        double loss = is_rubber ? 0.25 * G * 30 * STEP : 0;
        vsp_body_id box;

        begin_world(stepper);
        set_rule(0, &ice);
        set_rule(1, &rubber);
        add_floor_of(is_rubber ? RUBBER : ICE);
        box = add_of(HERO, VSP_DYNAMIC, cube_of(0.5), 0, 0.5, 0);
        step_world(world, 10);
        throw_body(box, 4, 0);
        step_world(world, 30);
        CHECK_NEAR(4 - loss, num(vsp_body_velocity(world, box).x),
                   TOLERANCE(2e-3, 4e-3));
    }
}

static void friction_is_of_the_pair(void)
{
    each_stepper(check_friction);
}

/* A ball rises to e^2 of its height; one of another category does not bounce.
 */
static void check_restitution(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(RUBBER, HERO);
    vsp_body_id ball, dull;
    double most = 0;

    begin_world(stepper);
    rule.restitution = VSP_R(0.8);
    set_rule(0, &rule);
    add_floor_of(RUBBER);
    ball = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 2.25, 0);
    dull = add_of(OTHER, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 3, 2.25, 0);
    for (int i = 0; i < 80; i++) {
        step_world(world, 1);
        if (i > 42)
            most = fmax(most, height_of(ball) - 0.25);
        if (i > 42)
            CHECK_AT_MOST(0.26, height_of(dull));
    }
    CHECK_NEAR(0.64 * 2, most, 0.07);
}

static void restitution_is_of_the_pair(void)
{
    each_stepper(check_restitution);
}


/* Few sweeps leave a heavy stack deeper in its ledge than the envelope.  It
 * stands there, too, without warm starting and reports, which need the memory
 * of touches; when there is no rule, this memory is no part of the state. */
static void check_cold_stack(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_pair_rule none = vsp_pair_rule_default();
    vsp_body_id lowest;

    def.stepper = stepper;
    def.enable_warm_start = false;
    world = new_world_of(&def);
    let_heroes_pass();
    (void)add_ledge(VSP_STATIC, 4);
    lowest = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 4.25, 0);
    for (int i = 1; i < 6; i++) {
        vsp_shape_def cube = cube_of(0.25);

        cube.density = i < 5 ? VSP_R(500.0) : VSP_R(50000.0);
        (void)add_of(HERO, VSP_DYNAMIC, cube, 0, 4.25 + 0.5 * i, 0);
    }
    step_world(world, 200);
    CHECK(height_of(lowest) > 4.15);
    CHECK(check_replays(world, 10));
    set_rule(0, &none);
    CHECK(check_replays(world, 10));
}

static void cold_stacks_stay_on_ledges(void)
{
    each_stepper(check_cold_stack);
}


/* ---- Fractions of mass --------------------------------------------------- */

/* Two balls of equal mass meet without gravity.  With a fraction f of its
 * inverse mass, b counts as 1 / f as heavy. */
static void check_meeting(vsp_stepper stepper, double fraction, bool is_a)
{
    vsp_pair_rule rule = rule_of(is_a ? HERO : OTHER, is_a ? OTHER : HERO);
    vsp_body_id hero, other;
    double weight = fraction > 0 ? 1 / fraction : 1e30, v = 2;

    begin_world(stepper);
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
    rule.restitution = VSP_R(1.0);
    if (is_a)
        rule.mass_a = real(fraction);
    else
        rule.mass_b = real(fraction);
    set_rule(0, &rule);
    other = add_of(OTHER, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), -1, 0, 0);
    hero = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 0, 0);
    throw_body(other, v, 0);
    step_world(world, 40);
    CHECK_NEAR(v * (1 - weight) / (1 + weight),
               num(vsp_body_velocity(world, other).x), 2e-3);
    CHECK_NEAR(v * 2 / (1 + weight), num(vsp_body_velocity(world, hero).x),
               2e-3);
    if (fraction == 0)
        CHECK_NEAR(0, num(vsp_body_transform(world, hero).position.x), 0);
}

static void check_masses(vsp_stepper stepper)
{
    static const double fractions[] = {1, 0.25, 0};

    for (size_t i = 0; i < COUNT_OF(fractions); i++) {
        check_meeting(stepper, fractions[i], true);
        check_meeting(stepper, fractions[i], false);
    }
}

static void fractions_of_mass_are_of_the_pair(void)
{
    each_stepper(check_masses);
}

/* Where two balls overlap, a position solve moves the one alone that has mass
 * for the other. */
static void check_overlap(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(HERO, OTHER);
    vsp_body_id hero, other;

    begin_world(stepper);
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
    rule.mass_a = 0;
    set_rule(0, &rule);
    hero = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 0, 0);
    other = add_of(OTHER, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 0.4, 0);
    step_world(world, 20);
    CHECK_NEAR(0, height_of(hero), 0);
    CHECK_NEAR(0.5, height_of(other), 2e-3);
}

static void overlaps_move_one_alone(void)
{
    each_stepper(check_overlap);
}

/* A hero whom crates do not push is put on one that lies on the ground.  It
 * falls through, or SHOCK holds it; it is not held in place while gravity makes
 * it ever faster, whichever of the two was made first. */
static void check_falling_hero(vsp_stepper stepper, bool is_first)
{
    vsp_pair_rule rule = rule_of(HERO, OTHER);
    vsp_body_id hero = {0};
    double fastest = 0;

    begin_world(stepper);
    rule.mass_a = 0;
    set_rule(0, &rule);
    add_floor_of(ICE);
    if (is_first)
        hero = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 0.75, 0);
    add_of(OTHER, VSP_DYNAMIC, cube_of(0.25), 0, 0.25, 0);
    if (!is_first)
        hero = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 0.75, 0);
    for (int i = 0; i < 240; i++) {
        step_world(world, 1);
        fastest = fmin(fastest, num(vsp_body_velocity(world, hero).y));
    }
    CHECK(fastest > -sqrt(2 * G * 0.5) - G * STEP);
    CHECK_NEAR(0, num(vsp_body_velocity(world, hero).y), 1e-3);
}

static void check_falling(vsp_stepper stepper)
{
    check_falling_hero(stepper, false);
    check_falling_hero(stepper, true);
}

static void who_is_not_pushed_falls_through(void)
{
    each_stepper(check_falling);
}

/* A crate of 1000 kg rests on a hero of 8 kg whom it does not push: the ground
 * carries the hero alone, although the rule is for both. */
static void check_bearer(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(HERO, OTHER);
    vsp_body_id floor, hero, crate;
    vsp_real normal;

    begin_world(stepper);
    rule.mass_a = 0;
    set_rule(0, &rule);
    floor = add_floor_of(OTHER);
    hero = add_of(HERO, VSP_DYNAMIC, cube_of(0.5), 0, 0.5, 0);
    crate = add_of(OTHER, VSP_DYNAMIC, cube_of(0.5), 0, 1.5, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, hero, VSP_R(8.0),
                                           real3(0, 0, 0), real3(2, 2, 2)));
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, crate, VSP_R(1000.0),
                                           real3(0, 0, 0), real3(99, 99, 99)));
    step_world(world, 300);
    CHECK_NEAR(0.5, height_of(hero), 2e-4);
    CHECK_NEAR(1.5, height_of(crate), 2e-4);
    CHECK_STATUS(VSP_OK, vsp_pair_impulse(world, shape_of(floor),
                                          shape_of(hero), &normal, NULL));
    CHECK_NEAR(8 * G * STEP, num(normal), 0.02 * 8 * G * STEP);
}

static void heavy_crates_do_not_press_heroes(void)
{
    each_stepper(check_bearer);
}


/* ---- Pairs that do not touch --------------------------------------------- */

static void check_apart(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(ICE, HERO);
    vsp_body_id hero, other;

    begin_world(stepper);
    rule.flags = VSP_PAIR_NO_CONTACT;
    set_rule(0, &rule);
    add_floor_of(OTHER);
    add_of(ICE, VSP_STATIC, cube_of(0.5), 0, 1.5, 0);
    hero = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 2.5, 0);
    other = add_of(OTHER, VSP_DYNAMIC, cube_of(0.25), 0, 3.5, 0);
    step_world(world, 90);
    CHECK_NEAR(0.25, height_of(hero), 1e-3);
    CHECK_NEAR(2.25, height_of(other), 1e-3);
}

static void rules_keep_pairs_apart(void)
{
    each_stepper(check_apart);
}


/* A box on one that cannot push it falls, and crushes it, unless SHOCK holds
 * it as if on the floor.  No number becomes infinite. */
static void boxes_that_push_nothing(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(LEDGE, HERO);
    vsp_body_id low, high;
    uint32_t step;

    begin_world(stepper);
    rule.mass_b = 0;
    set_rule(0, &rule);
    add_floor_of(OTHER);
    low = add_of(LEDGE, VSP_DYNAMIC, cube_of(0.5), 0, 0.5, 0);
    high = add_of(HERO, VSP_DYNAMIC, cube_of(0.5), 0, 1.5, 0);
    for (step = 0; step < 60; step++) {
        test_note("step %lu", (unsigned long)step);
        CHECK_STATUS(VSP_OK, vsp_world_step(world));
        CHECK_AT_MOST(1000.0, num(vsp_world_stats(world).residual));
        CHECK_AT_MOST(G, fabs(speed_of(low)));
    }
    CHECK_NEAR(stepper == VSP_STEPPER_SHOCK ? 1.5 : 0.5, height_of(high), 0.01);
}

static void pairs_may_push_nothing(void)
{
    each_stepper(boxes_that_push_nothing);
}


/* ---- One-way surfaces ---------------------------------------------------- */

static const double spins[] = {0, 3};

/* Throws a shape from below so that it rises to `rise` above the top, and
 * checks that it then stands for 10 s. */
static void check_jump(vsp_shape_def shape, double half, double rise,
                       double spin)
{
    vsp_body_id id = add_of(HERO, VSP_DYNAMIC, shape, 0, 1 - half, 0);
    double up = sqrt(2 * G * (1 + 2 * half + rise)), most = 0, y;

    CHECK_STATUS(VSP_OK, vsp_body_set_locks(world, id,
                                            VSP_LOCK_TURN_X | VSP_LOCK_TURN_Z));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, up, 0),
                                               real3(0, spin, 0)));
    for (int i = 0; i < 100 || fabs(speed_of(id)) > 0.01; i++) {
        step_world(world, 1);
        most = fmax(most, height_of(id));
        if (!CHECK(i < 600))
            return;
    }
    CHECK_NEAR(2 + half + rise, most, 0.08);
    y = height_of(id);
    CHECK_NEAR(2 + half, y, 2e-4);
    step_world(world, 600);
    CHECK_NEAR(y, height_of(id), 5e-5);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
}

static void check_jumps(vsp_stepper stepper)
{
    begin_world(stepper);
    let_heroes_pass();
    add_ledge(VSP_STATIC, 2);
    for (size_t i = 0; i < COUNT_OF(spins); i++) {
        check_jump(cube_of(0.25), 0.25, 0.5, spins[i]);
        check_jump(vsp_sphere(VSP_R(0.25)), 0.25, 0.5, spins[i]);
        check_jump(vsp_capsule(VSP_R(0.25), VSP_R(0.25)), 0.5, 0.5, 0);
        check_jump(cube_of(0.25), 0.25, 0.15, spins[i]);
    }
}

static void bodies_pass_from_below_and_stand(void)
{
    each_stepper(check_jumps);
}

/* A body that turns round within the ledge falls out of it below. */
static void check_turn(vsp_stepper stepper)
{
    for (int i = 1; i < 20; i++) {
        double reach = 2 - 0.05 * i; /* of its lower side */
        vsp_body_id id;

        test_note("reach %.2f", reach);
        begin_world(stepper);
        let_heroes_pass();
        add_ledge(VSP_STATIC, 2);
        add_floor_of(OTHER);
        id = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 0.25, 0);
        throw_body(id, 0, sqrt(2 * G * reach));
        step_world(world, 120);
        CHECK_NEAR(0.25, height_of(id), 1e-3);
    }
}

static void bodies_that_turn_round_fall_out_below(void)
{
    each_stepper(check_turn);
}

/* Whatever its speed, a body stops on the ledge when it comes from above. */
static void check_fall(vsp_stepper stepper)
{
    static const double speeds[] = {0.5, 3, 7, 11};

    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        vsp_body_id box, ball;

        test_note("speed %.1f", speeds[i]);
        begin_world(stepper);
        let_heroes_pass();
        add_ledge(VSP_STATIC, 2);
        box = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), -1, 3.03, 0);
        ball = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 1, 3, 0);
        throw_body(box, 0, -speeds[i]);
        throw_body(ball, 0, -speeds[i]);
        step_world(world, 120);
        CHECK_NEAR(2.25, height_of(box), 1e-3);
        CHECK_NEAR(2.25, height_of(ball), 1e-3);
    }
}

static void fast_bodies_are_caught_from_above(void)
{
    each_stepper(check_fall);
}

/* A plank that spins, and does not fall, strikes the ledge with its ends. */
static void check_plank(vsp_stepper stepper)
{
    for (int i = 0; i < 10; i++) {
        vsp_body_id id;

        test_note("stepper %d, height %d", (int)stepper, i);
        begin_world(stepper);
        CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
        let_heroes_pass();
        add_ledge(VSP_STATIC, 2);
        id = add_of(HERO, VSP_DYNAMIC,
                    vsp_box(VSP_R(1.0), VSP_R(0.1), VSP_R(0.3)), 0,
                    2.5 + 0.02 * i, 0);
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, 0, 0),
                                                   real3(0, 0, 12)));
        step_world(world, 6);
        CHECK_AT_MOST(6.0, fabs(num(vsp_body_spin(world, id).z)));
    }
}

static void planks_strike_with_their_ends(void)
{
    each_stepper(check_plank);
}

/* At 100 m/s: from above a bullet stops, from below, or from the side, it goes
 * on as if nothing were there. */
static void check_bullet(vsp_stepper stepper)
{
    static const double ways[][4] = {/* x, y, velocity */
                                     {0, 6, 0, -100},
                                     {0, -3, 0, 100},
                                     {-8, 1.9, 100, 0},
                                     {-8, 2.05, 100, -1},
                                     {-1, 4, 60, -60}};

    for (size_t i = 0; i < COUNT_OF(ways); i++)
        for (int is_box = 0; is_box < 2; is_box++) {
            vsp_body_id id;

            test_note("way %d, box %d", (int)i, is_box);
            begin_world(stepper);
            CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
            let_heroes_pass();
            add_ledge(VSP_STATIC, 2);
            id = add_of(HERO, VSP_DYNAMIC,
                        is_box ? cube_of(0.1) : vsp_sphere(VSP_R(0.1)),
                        ways[i][0], ways[i][1], 0);
            CHECK_STATUS(VSP_OK, vsp_body_set_bullet(world, id, true));
            throw_body(id, ways[i][2], ways[i][3]);
            step_world(world, 12);
            if (ways[i][3] < -1) {
                CHECK_NEAR(2.1, height_of(id), 0.011);
                continue;
            }
            CHECK_NEAR(ways[i][0] + ways[i][2] * 12 * STEP,
                       num(vsp_body_transform(world, id).position.x), 1e-3);
            CHECK_NEAR(ways[i][1] + ways[i][3] * 12 * STEP, height_of(id),
                       1e-3);
        }
}

static void bullets_pass_from_below_alone(void)
{
    each_stepper(check_bullet);
}

/* A lift goes up, stops, goes down and up again under a box, a ball and a
 * stack; a box comes through it from below. */
static void check_lift(vsp_stepper stepper)
{
    vsp_body_id lift, id[5];
    double top = 2, speed;

    begin_world(stepper);
    let_heroes_pass();
    lift = add_ledge(VSP_KINEMATIC, top);
    id[0] = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), -1, 2.25, 0);
    id[1] = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 2.25, 1);
    id[2] = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 1, 2.25, 0);
    id[3] = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 1, 2.75, 0);
    id[4] = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 0.5, -1);
    throw_body(id[4], 0, 9);
    for (int i = 0; i < 300; i++) {
        speed = i < 60 ? 2 : i < 120 ? 0 : i < 200 ? -1.5 : i < 240 ? 3 : 0;
        throw_body(lift, 0, speed);
        step_world(world, 1);
        top += speed * STEP;
    }
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(top + (i == 3 ? 0.75 : 0.25), height_of(id[i]), 2e-3);
}

static void lifts_carry_what_stands_on_them(void)
{
    each_stepper(check_lift);
}

/* A ledge turned by 20 degrees; its y axis is its open side, too. */
static void check_slope(vsp_stepper stepper)
{
    vsp_shape_def shape = vsp_box(VSP_R(3.0), VSP_R(0.1), VSP_R(3.0));
    vsp_pair_rule rule = rule_of(LEDGE, HERO);
    double angle = 20 * 0.017453292519943295, along, across;
    vsp_vec3 at;
    vsp_body_id id;

    begin_world(stepper);
    rule.flags = VSP_PAIR_ONE_WAY;
    rule.friction = VSP_R(1.0);
    set_rule(0, &rule);
    shape.filter.category = LEDGE;
    add_turned(world, VSP_STATIC, shape, 0, 2, 0, turn(20, 0, 0, 1));
    id = add_of(HERO, VSP_DYNAMIC, cube_of(0.2), 0, 0.5, 0);
    throw_body(id, 0, 7.5);
    step_world(world, 240);
    at = vsp_body_transform(world, id).position;
    along = num(at.x) * cos(angle) + (num(at.y) - 2) * sin(angle);
    across = (num(at.y) - 2) * cos(angle) - num(at.x) * sin(angle);
    CHECK_NEAR(0.3, across, 2e-3);
    CHECK_AT_MOST(2.5, fabs(along));
}

static void slopes_are_one_way_too(void)
{
    each_stepper(check_slope);
}

/* Asleep on a ledge, and awake again: it stays. */
static void check_sleeper(vsp_stepper stepper)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id id;

    def.stepper = stepper;
    world = new_world_of(&def);
    let_heroes_pass();
    add_ledge(VSP_STATIC, 2);
    id = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 1.5, 0);
    throw_body(id, 0, 5);
    step_world(world, 240);
    CHECK(!vsp_body_is_awake(world, id));
    CHECK_NEAR(2.25, height_of(id), 1e-3);
    for (int i = 0; i < 5; i++) {
        CHECK_STATUS(VSP_OK, vsp_body_set_awake(world, id, true));
        step_world(world, 10);
    }
    CHECK_NEAR(2.25, height_of(id), 1e-3);
}

static void sleepers_stay(void)
{
    each_stepper(check_sleeper);
}

/* Builds a stack with a heavy top, which few sweeps leave deep in a ledge. */
static vsp_body_id build_heavy_stack(uint32_t category)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_id lowest, top = {0};

    def.stepper = VSP_STEPPER_PGS;
    def.sweeps = 2;
    def.correction_sweeps = 1;
    def.enable_sleep = false;
    world = new_world_of(&def);
    let_heroes_pass();
    add_ledge(VSP_STATIC, 2);
    lowest = add_of(category, VSP_DYNAMIC, cube_of(0.25), 0, 2.25, 0);
    for (int i = 1; i < 4; i++)
        top = add_of(category, VSP_DYNAMIC, cube_of(0.25), 0, 2.25 + 0.5 * i,
                     0);
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, top, VSP_R(2000.0),
                                           real3(0, 0, 0), real3(90, 90, 90)));
    return lowest;
}

/* A rule that takes the support away wakes what stands on it. */
static void new_rules_wake_bodies(void)
{
    vsp_pair_rule rule = rule_of(LEDGE, HERO);
    vsp_body_id id;

    world = new_world();
    add_ledge(VSP_STATIC, 2);
    id = add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 2.25, 0);
    step_world(world, 120);
    CHECK(!vsp_body_is_awake(world, id));
    rule.flags = VSP_PAIR_NO_CONTACT;
    set_rule(0, &rule);
    step_world(world, 60);
    CHECK_AT_MOST(0.0, height_of(id));
}

/* A stack that is deeper than the envelope moves as on a ledge that is not
 * one-way, bit for bit, until it topples after 0.6 s. */
#define DEEP_STEPS 60

static void deep_stacks_stay(void)
{
    static vsp_vec3 place[DEEP_STEPS];
    double lowest = 9;

    for (int is_hero = 0; is_hero < 2; is_hero++) {
        vsp_body_id id = build_heavy_stack(is_hero ? HERO : OTHER);

        for (int i = 0; i < DEEP_STEPS; i++) {
            vsp_vec3 at;

            step_world(world, 1);
            at = vsp_body_transform(world, id).position;
            lowest = fmin(lowest, num(at.y));
            if (is_hero)
                CHECK_BYTES(&place[i], &at, sizeof at);
            place[i] = at;
        }
    }
    CHECK_AT_MOST(2.25 - 2 * ENVELOPE, lowest);
    CHECK_AT_LEAST(2.0, lowest);
}

static uint32_t dice;

static double some(double low, double high)
{
    dice = dice * 1664525u + 1013904223u;
    return low + (high - low) * (dice >> 8) / 16777216.0;
}

/* Bodies of many places, sizes and speeds: in the end each stands on the ledge
 * or lies on the floor, and none is stuck between. */
static void check_noise(vsp_stepper stepper)
{
    vsp_body_id id[24];

    begin_world(stepper);
    let_heroes_pass();
    add_ledge(VSP_STATIC, 2);
    add_floor_of(OTHER);
    dice = 5;
    for (int i = 0; i < 24; i++) {
        double half = some(0.1, 0.3);
        double x = -3.5 + 1.4 * (i % 6), z = -2.1 + 1.4 * (int)(i / 6);

        id[i] = add_turned(world, VSP_DYNAMIC, cube_of(half), x, some(0.5, 1),
                           z, turn(some(0, 90), 0.6, 0.8, 0));
        vsp_shape_def shape;
        CHECK_STATUS(VSP_OK, vsp_shape_get(world, shape_of(id[i]), &shape));
        shape.filter.category = HERO;
        CHECK_STATUS(
            VSP_OK, vsp_shape_set_filter(world, shape_of(id[i]), shape.filter));
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(
                                 world, id[i],
                                 real3(some(-1, 1), some(2, 9), some(-1, 1)),
                                 real3(some(-3, 3), some(-3, 3), some(-3, 3))));
    }
    step_world(world, 400);
    for (int i = 0; i < 24; i++) {
        vsp_shape_def shape;
        double y = height_of(id[i]), half;

        test_note("stepper %d, body %d", (int)stepper, i);
        CHECK_STATUS(VSP_OK, vsp_shape_get(world, shape_of(id[i]), &shape));
        half = num(shape.size.x);
        if (y < 1.5)
            CHECK_NEAR(half, y, 0.6);
        else
            CHECK_AT_LEAST(2 + half - 2e-3, y);
    }
}

static void nothing_is_stuck(void)
{
    each_stepper(check_noise);
}

/* In a world without room for all contacts, a touch that is passed is none of
 * those that are dropped. */
static void passed_touches_need_no_room(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.capacity.manifolds = 1;
    def.capacity.contacts = 4;
    world = new_world_of(&def);
    let_heroes_pass();
    add_ledge(VSP_STATIC, 2);
    add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 1, 2.25, 0);
    add_of(HERO, VSP_DYNAMIC, cube_of(0.25), -1, 1.9, 0);
    step_world(world, 3);
    CHECK_UINT(1, vsp_contact_count(world));
    add_of(HERO, VSP_DYNAMIC, cube_of(0.25), 0, 2.25, 0);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    CHECK_UINT(4, vsp_world_stats(world).contacts_dropped);
    CHECK_UINT(1, vsp_contact_count(world));
}


/* ---- Characters ---------------------------------------------------------- */

#if VSP_CHARACTER

static vsp_character hero;

static void walk(vsp_body_id lift, double lift_speed, int steps)
{
    for (int i = 0; i < steps; i++) {
        if (lift.bits != 0)
            throw_body(lift, 0, lift_speed);
        step_world(world, 1);
        CHECK_STATUS(VSP_OK,
                     vsp_character_move(world, &hero, real3(0.1, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_character_apply(world, &hero));
    }
}

/* Returns how high the character stands. */
static double feet(void)
{
    return num(hero.position.y) - num(hero.def.radius) -
           num(hero.def.half_height) - num(hero.def.skin);
}

/* A character walks under a ledge, jumps up through it, stands there, rides on
 * it as it moves; jumps again, but too low for the next one; and hits its head
 * at one that is not one-way. */
static void characters_pass_and_stand(void)
{
    vsp_character_def def = vsp_character_def_default();
    vsp_body_id ledge, none = {0};

    begin_world(VSP_STEPPER_CARRY);
    let_heroes_pass();
    add_floor_of(OTHER);
    ledge = add_ledge(VSP_KINEMATIC, 1.5);
    add_ledge(VSP_STATIC, 6);
    add_of(OTHER, VSP_STATIC, vsp_box(VSP_R(3.0), VSP_R(0.1), VSP_R(3.0)), 0, 9,
           0);
    def.filter.category = HERO;
    CHECK_STATUS(VSP_OK, vsp_character_place(&def, real3(0, 1.1, 0), &hero));
    walk(none, 0, 60);
    CHECK_NEAR(0, feet(), 5e-4);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&hero, VSP_R(6.0)));
    walk(none, 0, 90);
    CHECK_NEAR(1.5, feet(), 5e-4);
    CHECK_UINT(1, hero.is_grounded);
    CHECK_UINT(ledge.bits, hero.ground.bits);
    walk(ledge, 1, 60);
    CHECK_NEAR(2.5, feet(), 5e-4);
    walk(ledge, -0.5, 60);
    CHECK_NEAR(2, feet(), 5e-4);
    throw_body(ledge, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&hero, VSP_R(8.7)));
    walk(none, 0, 150);
    CHECK_NEAR(2, feet(), 5e-4);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&hero, VSP_R(9.3)));
    walk(none, 0, 150);
    CHECK_NEAR(6, feet(), 5e-4);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&hero, VSP_R(9.3)));
    walk(none, 0, 150);
    CHECK_NEAR(6, feet(), 5e-4);
}

#endif /* VSP_CHARACTER */


/* ---- Hits ---------------------------------------------------------------- */

#if VSP_EVENTS

static uint32_t count_hits(vsp_event *hit)
{
    uint32_t count, hits = 0;
    const vsp_event *e = vsp_world_events(world, &count);

    for (uint32_t i = 0; i < count; i++)
        if (e[i].type == VSP_EVENT_HIT) {
            *hit = e[i];
            hits++;
        } else
            CHECK_NEAR(0, num(e[i].speed), 0);
    return hits;
}

/* A ball of restitution 0.5 falls: each bounce faster than 2 m/s is told once,
 * with its speed and impulse. */
static void check_drop(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(RUBBER, HERO);
    vsp_body_id ball;
    vsp_event hit;
    double speed = 0, mass;
    uint32_t hits = 0;

    begin_world(stepper);
    rule.restitution = VSP_R(0.5);
    rule.hit_speed = VSP_R(2.0);
    set_rule(0, &rule);
    add_floor_of(RUBBER);
    ball = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0, 2.25, 0);
    mass = num(vsp_body_mass(world, ball));
    for (int i = 0; i < 200; i++) {
        double before = speed_of(ball);
        vsp_contact c;
        uint32_t n;

        step_world(world, 1);
        n = count_hits(&hit);
        if (n == 0)
            continue;
        hits += n;
        CHECK_UINT(shape_of(ball).bits, hit.shape_a.bits == shape_of(ball).bits
                                            ? hit.shape_a.bits
                                            : hit.shape_b.bits);
        CHECK_NEAR(-before, num(hit.speed), 1e-3);
        CHECK_AT_LEAST(2.0, num(hit.speed));
        speed = fmax(speed, num(hit.speed));
        CHECK_STATUS(VSP_OK, vsp_contact_get(world, hit.contact, &c));
        CHECK_NEAR(mass * (speed_of(ball) - before + G * STEP),
                   num(c.points[0].normal_impulse), mass * 0.01);
    }
    CHECK_NEAR(sqrt(2 * G * 2), speed, G * STEP);
    CHECK_UINT(2, hits);
}

static void hits_tell_their_speed(void)
{
    each_stepper(check_drop);
}

/* A bullet's hit is told in the step of the impact. */
static void check_shot(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(OTHER, HERO);
    vsp_event hit;
    vsp_body_id id;

    begin_world(stepper);
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
    rule.hit_speed = VSP_R(50.0);
    set_rule(0, &rule);
    add_of(OTHER, VSP_STATIC, cube_of(0.5), 3, 0, 0);
    id = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.1)), 0, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_bullet(world, id, true));
    throw_body(id, 100, 0);
    step_world(world, 1);
    CHECK_UINT(0, count_hits(&hit));
    step_world(world, 1); /* 1.67 m to 3.33 m: the wall is at 2.4 m */
    CHECK_UINT(1, count_hits(&hit));
    CHECK_NEAR(100, num(hit.speed), 1e-3);
    step_world(world, 1);
    CHECK_UINT(0, count_hits(&hit));
}

/* A ball flies at two walls, 5 mm a step: the one 1 mm away stops it before it
 * reaches the one 4 mm away, which is not hit. */
static void check_near_miss(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(OTHER, HERO);
    vsp_event hit;
    vsp_body_id id, wall;

    begin_world(stepper);
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(0, 0, 0)));
    rule.hit_speed = VSP_R(0.2);
    set_rule(0, &rule);
    wall = add_of(OTHER, VSP_STATIC, cube_of(0.5), 3, 0, 0.45);
    add_of(OTHER, VSP_STATIC, cube_of(0.5), 3.003, 0, -0.45);
    id = add_of(HERO, VSP_DYNAMIC, vsp_sphere(VSP_R(0.1)), 2.399, 0, 0);
    throw_body(id, 0.3, 0);
    step_world(world, 1);
    CHECK_UINT(2, vsp_contact_count(world));
    if (CHECK_UINT(1, count_hits(&hit)))
        CHECK(hit.shape_a.bits == shape_of(wall).bits ||
              hit.shape_b.bits == shape_of(wall).bits);
}

static void near_misses_are_no_hits(void)
{
    each_stepper(check_near_miss);
}

static void bullets_hit_in_their_step(void)
{
    each_stepper(check_shot);
}

#endif /* VSP_EVENTS */


/* ---- Impulses of a pair -------------------------------------------------- */

static void check_impulse(vsp_stepper stepper)
{
    vsp_body_id floor, box, far;
    vsp_real normal;
    vsp_vec3 v;
    double weight;

    begin_world(stepper);
    floor = add_floor_of(OTHER);
    box = add_of(OTHER, VSP_DYNAMIC, cube_of(0.5), 0, 0.5, 0);
    far = add_of(OTHER, VSP_DYNAMIC, cube_of(0.5), 9, 0.5, 0);
    weight = num(vsp_body_mass(world, box)) * G * STEP;
    step_world(world, 60);
    CHECK_STATUS(VSP_OK, vsp_pair_impulse(world, shape_of(floor), shape_of(box),
                                          &normal, &v));
    CHECK_NEAR(weight, num(normal), weight * 2e-3);
    CHECK_NEAR(weight, num(v.y), weight * 2e-3);
    CHECK_NEAR(0, num(v.x), weight * 1e-3);
    throw_body(box, 2, 0);
    step_world(world, 5);
    CHECK_STATUS(VSP_OK, vsp_pair_impulse(world, shape_of(box), shape_of(floor),
                                          &normal, &v));
    CHECK_NEAR(weight, num(normal), weight * 2e-2);
    CHECK_NEAR(-weight, num(v.y), weight * 2e-2);
    CHECK_NEAR(0.5 * weight, num(v.x), weight * 2e-2);
    CHECK_STATUS(VSP_OK, vsp_pair_impulse(world, shape_of(box), shape_of(far),
                                          &normal, &v));
    CHECK_NEAR(0, num(normal), 0);
    CHECK_NEAR(0, num(v.y), 0);
    CHECK_STATUS(VSP_ERR_ID, vsp_pair_impulse(world, (vsp_shape_id){0},
                                              shape_of(far), &normal, &v));
    CHECK_STATUS(VSP_ERR_ID, vsp_pair_impulse(world, shape_of(far),
                                              (vsp_shape_id){77}, &normal, &v));
    CHECK_STATUS(VSP_ERR_ARG, vsp_pair_impulse(NULL, shape_of(far),
                                               shape_of(box), NULL, NULL));
}

static void pairs_tell_their_impulses(void)
{
    each_stepper(check_impulse);
}


/* ---- State --------------------------------------------------------------- */

/* Heroes that jump through two ledges, land, jump again. */
static vsp_world *build_jumpers(vsp_stepper stepper)
{
    vsp_pair_rule rule = rule_of(HERO, HERO);

    begin_world(stepper);
    let_heroes_pass();
    rule.friction = VSP_R(0.1);
    rule.restitution = VSP_R(0.25);
    rule.mass_a = VSP_R(0.5);
    rule.hit_speed = VSP_R(1.0);
    set_rule(2, &rule);
    add_floor_of(OTHER);
    add_ledge(VSP_STATIC, 1.5);
    add_ledge(VSP_STATIC, 3);
    for (int i = 0; i < 5; i++)
        add_of(HERO, VSP_DYNAMIC,
               i % 2 ? vsp_sphere(VSP_R(0.25)) : cube_of(0.25), 0.6 * i - 1.2,
               0.25, 0.1 * i);
    return world;
}

static void jump(vsp_recorder *r, uint32_t who, double speed)
{
    vsp_body_id id = vsp_body_at(r->world, 3u + who);
    vsp_vec3 v = vsp_body_velocity(r->world, id);

    v.y = real(speed);
    CHECK_STATUS(VSP_OK,
                 vsp_record_body_set_velocity(r, id, v, real3(0, 0, 0)));
}

static void jump_now(uint32_t step)
{
    vsp_recorder r = {.world = world};

    if (step % 20 == 5)
        jump(&r, step / 20 % 5, 6.5);
}

/* A world that is restored before each step goes on equally. */
static void check_restores(vsp_stepper stepper)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    uint32_t hash[200];
    size_t size;

    for (int restores = 0; restores < 2; restores++) {
        build_jumpers(stepper);
        for (uint32_t i = 0; i < 200; i++) {
            jump_now(i);
            if (restores) {
                CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes,
                                                        sizeof bytes, &size));
                begin_world(stepper);
                CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
                CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
            }
            step_world(world, 1);
            if (!restores)
                hash[i] = vsp_world_hash(world);
            else if (!CHECK_HEX(hash[i], vsp_world_hash(world)))
                return;
        }
    }
}

static void restores_change_nothing(void)
{
    each_stepper(check_restores);
}

/* Damages one word of the last of two rules. */
static void check_damage(uint32_t from_end, uint32_t word, vsp_status expected)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    size_t size;

    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    damage_snapshot(bytes, size, from_end, word);
    CHECK_REFUSED(expected, vsp_world_restore(world, bytes, size));
}

/* A snapshot has all rules up to the last that is used, and no more. */
static void snapshots_with_bad_rules_are_refused(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    vsp_pair_rule rule = rule_of(LEDGE, HERO);
    size_t size, without;

    begin_world(VSP_STEPPER_CARRY);
    CHECK_STATUS(VSP_OK,
                 vsp_world_snapshot(world, bytes, sizeof bytes, &without));
    set_rule(1, &rule);
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    CHECK_UINT((uint32_t)without + 64u, (uint32_t)size);
    damage_snapshot(bytes, size, 8, HERO);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, bytes, size));
    check_damage(8, 0, VSP_ERR_DATA);           /* the last is not used */
    check_damage(6, 4, VSP_ERR_DATA);           /* flags */
    check_damage(5, 0x80000001u, VSP_ERR_DATA); /* friction */
    check_damage(1, 0xffffffffu, VSP_ERR_DATA); /* hit speed */
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    vsp__set_word(bytes + 20, (uint32_t)(size - 4u)); /* half a rule */
    damage_snapshot(bytes, size - 4u, 8, HERO);
    CHECK_REFUSED(VSP_ERR_DATA, vsp_world_restore(world, bytes, size - 4u));
}

#if VSP_DIFF

static void differences_name_rules(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    vsp_pair_rule rule = rule_of(LEDGE, HERO);
    vsp_world_def def = vsp_world_def_default();
    vsp_difference d[4];
    vsp_world *other;
    uint32_t count;
    size_t size;

    build_jumpers(VSP_STEPPER_CARRY);
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    other = new_world_at(&def, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, bytes, size));
    CHECK_STATUS(VSP_OK, vsp_world_diff(world, other, d, 4, &count));
    rule.flags = VSP_PAIR_ONE_WAY;
    rule.friction = VSP_R(0.75);
    CHECK_STATUS(VSP_OK, vsp_world_set_pair_rule(other, 0, &rule));
    CHECK_STATUS(VSP_DIVERGED, vsp_world_diff(world, other, d, 4, &count));
    CHECK_UINT(1, count);
    CHECK(strcmp(d[0].part, "rule") == 0);
    CHECK(strcmp(d[0].field, "friction") == 0);
    CHECK_UINT(0, d[0].index);
}

#endif

/* Sets a random rule, one of ten of them wrong. */
static void call_rule(void)
{
    vsp_pair_rule rule = vsp_pair_rule_default();

    rule.a = (uint32_t)some(0, 32);
    rule.b = (uint32_t)some(0, 32);
    rule.flags = (uint32_t)some(0, 4.05);
    if (some(0, 2) < 1)
        rule.friction = real(some(-0.02, 1.5));
    if (some(0, 2) < 1)
        rule.restitution = real(some(-0.02, 1.02));
    if (some(0, 3) < 1)
        rule.mass_a = real(some(0, 1));
    else if (some(0, 3) < 1)
        rule.mass_b = real(some(0, 1) < 0.5 ? 0 : some(0, 1));
    rule.hit_speed = real(some(-0.1, 3));
    (void)vsp_world_set_pair_rule(world, (uint32_t)some(0, 9), &rule);
}

static void add_some(void)
{
    uint32_t category = 1u << (int)some(0, 5);
    vsp_body_type type = some(0, 3) < 2   ? VSP_DYNAMIC
                         : some(0, 2) < 1 ? VSP_STATIC
                                          : VSP_KINEMATIC;
    vsp_body_id id = add_of(category, type,
                            some(0, 2) < 1 ? cube_of(some(0.1, 0.5))
                                           : vsp_sphere(real(some(0.1, 0.5))),
                            some(-1, 1), some(0, 3), some(-1, 1));

    if (type == VSP_DYNAMIC && some(0, 3) < 1)
        CHECK_STATUS(VSP_OK, vsp_body_set_bullet(world, id, true));
    if (type != VSP_STATIC)
        throw_body(id, some(-3, 3), some(-8, 8));
}

/* After random rules a world is valid, and goes on equally from a snapshot. */
static void check_random(vsp_stepper stepper)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        dice = seed;
        test_note("stepper %d, seed %u", (int)stepper, seed);
        begin_world(stepper);
        add_floor_of(OTHER);
        for (int i = 0; i < 20; i++)
            add_some();
        for (int i = 0; i < 40; i++) {
            call_rule();
            step_world(world, 1);
        }
        if (!check_replays(world, 5))
            return;
    }
}

static void random_rules_leave_valid_worlds(void)
{
    each_stepper(check_random);
}

#if VSP_ROLLBACK

#define ROLL_STEPS 200u

static vsp_status roll_step(void *user, vsp_recorder *r, const vsp_turn *turn)
{
    vsp_pair_rule rule = rule_of(LEDGE, HERO);

    (void)user;
    for (uint32_t p = 0; p < 2; p++)
        if (turn->inputs[p] > 0)
            jump(r, turn->inputs[p] - 1u, 6.5);
    if (turn->step % 50 == 49) {
        rule.flags = turn->step % 100 == 49 ? 0 : VSP_PAIR_ONE_WAY;
        CHECK_STATUS(VSP_OK, vsp_record_set_pair_rule(r, 0, &rule));
    }
    return vsp_record_step(r);
}

static unsigned char roll_input(uint32_t player, uint32_t step)
{
    return step % 23 == 4 + 9 * player
               ? (unsigned char)(1u + (step / 23u + 2u * player) % 5u)
               : 0;
}

static void rollback_is_exact(void)
{
    static const late_match match = {build_jumpers, roll_step, roll_input,
                                     ROLL_STEPS};

    check_late_matches(&match);
}

#endif /* VSP_ROLLBACK */

static const test tests[] = {
    TEST(bad_rules_are_refused),
    TEST(rules_are_read_back),
    TEST(the_first_rule_counts),
    TEST(friction_is_of_the_pair),
    TEST(restitution_is_of_the_pair),
    TEST(fractions_of_mass_are_of_the_pair),
    TEST(pairs_may_push_nothing),
    TEST(cold_stacks_stay_on_ledges),
    TEST(overlaps_move_one_alone),
    TEST(who_is_not_pushed_falls_through),
    TEST(heavy_crates_do_not_press_heroes),
    TEST(rules_keep_pairs_apart),
    TEST(bodies_pass_from_below_and_stand),
    TEST(bodies_that_turn_round_fall_out_below),
    TEST(fast_bodies_are_caught_from_above),
    TEST(planks_strike_with_their_ends),
    TEST(bullets_pass_from_below_alone),
    TEST(lifts_carry_what_stands_on_them),
    TEST(slopes_are_one_way_too),
    TEST(sleepers_stay),
    TEST(new_rules_wake_bodies),
    TEST(deep_stacks_stay),
    TEST(nothing_is_stuck),
    TEST(passed_touches_need_no_room),
#if VSP_CHARACTER
    TEST(characters_pass_and_stand),
#endif
#if VSP_EVENTS
    TEST(hits_tell_their_speed),
    TEST(bullets_hit_in_their_step),
    TEST(near_misses_are_no_hits),
#endif
    TEST(pairs_tell_their_impulses),
    TEST(restores_change_nothing),
    TEST(random_rules_leave_valid_worlds),
    TEST(snapshots_with_bad_rules_are_refused),
#if VSP_DIFF
    TEST(differences_name_rules),
#endif
#if VSP_ROLLBACK
    TEST(rollback_is_exact),
#endif
    TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

const test_suite pair_suite = {"pair", tests};
