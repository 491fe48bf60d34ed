/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds broken on purpose, by writing into their state: vsp_world_validate
 * must notice, and vsp_world_restore must refuse a snapshot of the world
 * although its checksum is right, unless snapshots do not contain the broken
 * item.  So this test uses more than vsp.h declares. */

#include "fixture.h"
#include "src/record/record.h"

#include <string.h>

static vsp_world *world;
static vsp_body_id cube;

/* Joint 0 is free, joint 1 a slider, joint 2 a ball joint. */
static void add_joints(vsp_body_id ball)
{
    vsp_joint_def def = vsp_joint_def_default();
    vsp_joint_id gone;

    def.type = VSP_JOINT_SLIDER;
    def.body_a = cube;
    def.body_b = ball;
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, &gone));
    def.enable_limit = def.enable_motor = true;
    def.low = VSP_R(-4.0);
    def.high = VSP_R(4.0);
    def.motor_max = VSP_R(1.0);
    def.break_impulse = VSP_R(1000.0);
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
    def = vsp_joint_def_default();
    def.type = VSP_JOINT_BALL;
    def.body_a = vsp_body_at(world, 0);
    def.body_b = cube;
    def.cone = VSP_R(1.0);
    CHECK_STATUS(VSP_OK, vsp_joint_create(world, &def, NULL));
    CHECK_STATUS(VSP_OK, vsp_joint_destroy(world, gone));
    vsp__joint_pool_of(world)->joints[1].impulse[VSP__ROW_Y] = VSP__W_ONE;
}

/* Slot 0 is a floor, slot 1 a cube of two shapes, slot 2 free, slot 3 a ball;
 * with joints. */
/* A body of a runtime hull, far from the others. */
static void add_rock(void)
{
    vsp_vec3 points[5];
    uint32_t table;

    points[0] = real3(0, 0, 0);
    points[1] = real3(1, 0, 0);
    points[2] = real3(0, 1, 0);
    points[3] = real3(0, 0, 1);
    points[4] = real3(1, 1, 1);
    CHECK_STATUS(VSP_OK, vsp_hull_create(world, points, 5, &table));
    add_body(world, VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, table), 20, 5,
             0);
}

static void set_up(void)
{
    vsp_shape_def more = vsp_sphere(VSP_R(0.25));
    vsp_body_id gone, ball;

    world = new_world();
    add_ground(world);
    cube = add_cube(world, 0, 0.5, 0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, cube, &more, NULL));
    gone = add_cube(world, 5, 0.5, 0);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 3, 0.5, 0);
    add_rock();
    step_world(world, 3);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, gone));
    add_joints(ball);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* Takes a snapshot of the broken world and tries to restore it into a valid
 * one. */
static void check_restore_refused(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other = new_world_at(&def, 1, 0);
    uint32_t hash = vsp_world_hash(other);
    size_t size = save_world(world, 0);

    CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(other, saved(0), size));
    CHECK_HEX(hash, vsp_world_hash(other));
}

static void sound_worlds_pass(void)
{
    vsp_body_id suspect = {1};

    set_up();
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, &suspect));
    CHECK_UINT(0, suspect.bits);
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_validate(NULL, &suspect));
    CHECK_UINT(0, suspect.bits);
}

static void memory_that_is_no_world_is_refused(void)
{
    set_up();
    world->magic ^= 1u;
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_step(world));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_validate(world, NULL));
    world->magic ^= 1u;
    world->options ^= 1u;
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_step(world));
    CHECK_UINT(0, vsp_world_hash(world));
}


/* ---- Bodies -------------------------------------------------------------- */

/* every number of a state is a word: replaces its bits, and returns the old
 * ones */
static uint32_t exchange_word(void *number, uint32_t to)
{
    uint32_t was;

    memcpy(&was, number, sizeof was);
    memcpy(number, &to, sizeof to);
    return was;
}

/* bits that are out of every range, in any number format */
static uint32_t bad_bits(uint32_t index)
{
    static const uint32_t bits[BAD_REALS] = {
        0x7fc00000u, 0x7f800000u, VSP_FIXED ? 0x7fffffffu : 0xff800000u};

    return bits[index];
}

static uint32_t real_bits(vsp_real x)
{
    return r_bits(r_read(x));
}

static uint32_t unit_bits(vsp_real x)
{
    return r_bits(u_read(x));
}

static uint32_t wide_bits(vsp_real x)
{
    return w_bits(w_read(x));
}

/* breaks a number that is derived from others, which no snapshot contains */
static void break_derived(void *number, uint32_t to)
{
    vsp_body_id suspect = {0};
    uint32_t was = exchange_word(number, to);

    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, &suspect));
    CHECK_HEX(cube.bits, suspect.bits);
    exchange_word(number, was);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void break_number(void *number, uint32_t to)
{
    uint32_t was;

    break_derived(number, to);
    was = exchange_word(number, to);
    check_restore_refused();
    exchange_word(number, was);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void numbers_of_bodies_are_checked(void)
{
    vsp__body *b;
    void *numbers[16];
    uint32_t count = 0, i, k;

    set_up();
    b = &world->bodies[1];
    numbers[count++] = &b->position.x;
    numbers[count++] = &b->rotation.y;
    numbers[count++] = &b->velocity.z;
    numbers[count++] = &b->spin.x;
    numbers[count++] = &b->force.y;
    numbers[count++] = &b->torque.z;
    numbers[count++] = &b->linear_damping;
    numbers[count++] = &b->angular_damping;
    numbers[count++] = &b->gravity_scale;
    for (i = 0; i < count; i++)
        for (k = 0; k < BAD_REALS; k++) {
            test_note("number %u is %x", i, bad_bits(k));
            break_number(numbers[i], bad_bits(k));
        }
    for (k = 0; k < BAD_REALS; k++) {
        break_derived(&b->mass_data.center.x, bad_bits(k));
        break_derived(&b->mass_data.mass, bad_bits(k));
    }
}

static void ranges_of_bodies_are_checked(void)
{
    vsp__body *b;

    set_up();
    b = &world->bodies[1];
    break_number(&b->position.x, real_bits(VSP_MAX_POSITION + VSP_R(100.0)));
    break_number(&b->rotation.w, unit_bits(VSP_R(1.1))); /* not of length 1 */
    break_number(&b->velocity.y, real_bits(-VSP_MAX_SPEED - VSP_R(1.0)));
    break_derived(&b->mass_data.mass, wide_bits(VSP_R(-1.0)));
    break_derived(&b->mass_data.inertia.xx, real_bits(VSP_R(-1.0)));
    break_number(&b->gravity_scale, real_bits(VSP_R(101.0)));
}

static void break_word(uint32_t *bits, uint32_t to)
{
    uint32_t was = *bits;

    *bits = to;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    check_restore_refused();
    *bits = was;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void break_byte(uint8_t *bits, uint8_t to)
{
    uint8_t was = *bits;

    *bits = to;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    check_restore_refused();
    *bits = was;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void break_flags(vsp__body *b, uint32_t flags)
{
    uint16_t was = b->flags;

    b->flags = (uint16_t)flags;
    test_note("flags %x", (unsigned)flags);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    check_restore_refused();
    b->flags = was;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* A sleeping body must be dynamic, at rest, and allowed to sleep; if sleep is
 * off, no body may sleep. */
static void sleep_is_checked(void)
{
    vsp__body *b;

    set_up();
    b = &world->bodies[1];
    b->velocity = b->spin = v3_zero();
    b->flags = VSP__ASLEEP;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    break_number(&b->velocity.x, r_bits(VSP__RATE(1.0)));
    break_number(&b->spin.z, r_bits(VSP__RATE(1.0)));
    break_flags(b, VSP__ASLEEP | VSP__SLEEPLESS);
    break_flags(b, (VSP__CALM_PARTS + 1u) << VSP__CALM_SHIFT);
    break_flags(&world->bodies[0], VSP__ASLEEP);
    b->flags = 0;
    world->params.sleep = 0;
    world->bodies[3].flags = 0;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    break_flags(b, VSP__ASLEEP);
    break_flags(b, 1u << VSP__CALM_SHIFT);
    test_note("");
}

/* A body with a given mass and inertia, which a snapshot contains. */
static void given_masses_are_checked(void)
{
    vsp__body *b;

    set_up();
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, cube, VSP_R(5.0),
                                           real3(0, 0, 0), real3(1, 1, 1)));
    b = &world->bodies[1];
    break_number(&b->mass_data.center.x, bad_bits(0));
    break_number(&b->mass_data.inertia.xx, real_bits(VSP_R(-1.0)));
    /* more than the sum of the other two */
    break_number(&b->mass_data.inertia.yy,
                 r_bits(r_mul(VSP__REAL(3.0), b->mass_data.inertia.yy)));
    break_number(&b->given, wide_bits(VSP_R(-1.0)));
    exchange_word(&b->given, 0);
    check_restore_refused();
}

static void bytes_of_bodies_are_checked(void)
{
    set_up();
    break_byte(&world->bodies[1].mass_given, 3);
}

/* A static body with a mass would fall. */
static void only_dynamic_bodies_weigh(void)
{
    set_up();
    world->bodies[0].mass_data.mass = VSP__W_ONE;
    world->bodies[0].mass_data.inertia.xx = VSP__REAL(1.0);
    world->bodies[0].mass_data.inertia.yy = VSP__REAL(1.0);
    world->bodies[0].mass_data.inertia.zz = VSP__REAL(1.0);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    world->bodies[0].mass_given = 2;
    check_restore_refused();
}


/* ---- Shapes and links ---------------------------------------------------- */

static void break_link(uint16_t *link, uint16_t to)
{
    uint16_t was = *link;

    *link = to;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    *link = was;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void break_first(uint16_t to)
{
    uint16_t *first = &world->bodies[1].first_shape, was = *first;

    *first = to;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    *first = was;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* A snapshot contains no links: it lists a body's shapes after the body. */
static void links_are_checked(void)
{
    set_up();
    break_first(999);                              /* no such slot */
    break_first(1);                                /* a shape of another body */
    break_first(0);                                /* two shapes are lost */
    break_link(&world->shapes[1].next_shape, 3);   /* a ring */
    break_link(&world->shapes[2].next_shape, 777); /* no such slot */
    break_link(&world->shapes[2].body, 0);
    world->shapes[2].type = 0; /* listed, but free */
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    world->shapes[2].type = 2;
    break_byte(&world->shapes[2].type, 9);
    break_byte(&world->shapes[2].type, VSP_SHAPE_HULL); /* has no table */
}

static void half_spaces_on_dynamic_bodies_are_seen(void)
{
    set_up();
    break_byte(&world->shapes[2].type, VSP_SHAPE_HALF_SPACE);
}

static void numbers_of_shapes_are_checked(void)
{
    vsp__shape *s;

    set_up();
    s = &world->shapes[1];
    break_number(&s->size.x, real_bits(VSP_R(0.0)));
    break_number(&s->pose.position.y, bad_bits(0));
    break_number(&s->pose.rotation.x, unit_bits(VSP_R(0.5)));
    break_number(&s->density, wide_bits(VSP_R(-1.0)));
    break_number(&s->friction, bad_bits(1));
    break_number(&s->restitution, real_bits(VSP_R(1.5)));
    break_byte(&s->rules, 5);
    break_byte(&s->rules, 5 << 3);
}

static void break_slot(uint16_t *slot, uint16_t to)
{
    uint16_t was = *slot;

    break_link(slot, to);
    *slot = to;
    check_restore_refused();
    *slot = was;
}

/* replaces a number of any format */
static void break_bits(void *number, uint32_t to)
{
    uint32_t was = exchange_word(number, to);

    test_note("bits %x", (unsigned)to);
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    check_restore_refused();
    exchange_word(number, was);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void numbers_of_joints_are_checked(void)
{
    vsp__joint *j;
    void *numbers[14];
    uint32_t count = 0, i, k;

    set_up();
    j = &vsp__joint_pool_of(world)->joints[1];
    numbers[count++] = &j->frame[0].position.x;
    numbers[count++] = &j->frame[0].rotation.y;
    numbers[count++] = &j->frame[1].position.z;
    numbers[count++] = &j->frame[1].rotation.w;
    numbers[count++] = &j->low;
    numbers[count++] = &j->high;
    numbers[count++] = &j->cone;
    numbers[count++] = &j->hertz;
    numbers[count++] = &j->ratio;
    numbers[count++] = &j->motor_speed;
    numbers[count++] = &j->motor_max;
    numbers[count++] = &j->break_impulse;
    numbers[count++] = &j->break_turn;
    numbers[count++] = &j->impulse[VSP__ROW_Z];
    for (i = 0; i < count; i++)
        for (k = 0; k < BAD_REALS; k++)
            break_bits(numbers[i], bad_bits(k));
    break_bits(&j->frame[0].rotation.w, unit_bits(VSP_R(1.1)));
    break_bits(&j->low, real_bits(VSP_R(5.0)));  /* more than high */
    break_bits(&j->cone, real_bits(VSP_R(1.0))); /* a slider has none */
    break_bits(&j->hertz, real_bits(VSP_R(-1.0)));
    break_bits(&j->ratio, real_bits(VSP_R(1001.0)));
    break_bits(&j->motor_max, wide_bits(VSP_R(-1.0)));
    break_bits(&j->break_turn, wide_bits(VSP_R(-1.0)));
    test_note("");
}

/* Under SHOCK a joint has a second number for each of its rows. */
static void only_shock_adds_impulses(void)
{
    vsp__joint *j;

    if (!VSP_SHOCK)
        return;
    set_up();
    j = &vsp__joint_pool_of(world)->joints[1];
    j->impulse[VSP__JOINT_IMPULSES - 2] = VSP__W_ONE;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    check_restore_refused();
    set_up();
    world->params.stepper = VSP_STEPPER_SHOCK;
    j->impulse[VSP__JOINT_IMPULSES - 2] = VSP__W_ONE;
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    break_byte(&j->flags, j->flags | VSP__JOINT_BROKEN);
    CHECK_STATUS(VSP_OK,
                 vsp_world_restore(world, saved(0), save_world(world, 0)));
    CHECK(w_bits(j->impulse[VSP__JOINT_IMPULSES - 2]) == w_bits(VSP__W_ONE));
}

static void bytes_of_joints_are_checked(void)
{
    vsp__joint *j;

    set_up();
    j = &vsp__joint_pool_of(world)->joints[1];
    break_byte(&j->type, 6);
    break_byte(&j->type, VSP_JOINT_FIXED);    /* may not have limits and
                                               * motor */
    break_byte(&j->type, VSP_JOINT_BALL);     /* may not have a motor either */
    break_byte(&j->type, VSP_JOINT_DISTANCE); /* may not have a low below 0
                                               * either */
    break_byte(&j->flags, VSP__JOINT_BROKEN); /* and yet it has impulses */
    j->impulse[VSP__ROW_Y] = VSP__W_ZERO;
    break_byte(&j->flags, VSP__JOINT_BROKEN | VSP__JOINT_BEARS);
    break_slot(&j->body[0], 3);   /* both are the same body */
    break_slot(&j->body[0], 2);   /* a free slot */
    break_slot(&j->body[1], 999); /* no such slot */
    j->flags = 0;
    j->type = VSP_JOINT_DISTANCE;
    check_restore_refused(); /* has no limits */
    set_up();
    j = &vsp__joint_pool_of(world)->joints[1];
    world->bodies[3].type = (uint8_t)VSP_KINEMATIC + 1u;
    vsp__zero_bytes(&world->bodies[3].mass_data,
                    sizeof world->bodies[3].mass_data);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

static void counts_of_joints_are_checked(void)
{
    set_up();
    world->stats.joint_count++;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    world->stats.joint_count -= 2;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    world->stats.joint_count++;
    world->params.capacity.joints = 1; /* but there are three */
    check_restore_refused();
}

static void counts_are_checked(void)
{
    set_up();
    world->stats.body_count++;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
    world->stats.body_count--;
    world->stats.shape_count--;
    CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
}


/* ---- Settings and warm starting ------------------------------------------ */

static void settings_are_checked(void)
{
    vsp__params *p;

    set_up();
    p = &world->params;
    break_word(&p->stepper, 4);
    break_word(&p->rounds, 0);
    break_word(&p->search_tries, 1001);
    break_word(&p->search_steps, 10001);
    break_word(&p->search, 16);
    break_word(&p->friction, 2);
    break_word(&p->warm_start, 2);
    break_word(&p->sweeps, 0);
    break_word(&p->correction_sweeps, 10001);
    break_word(&p->capacity.bodies, 0);
    break_word(&p->capacity.contacts, 3);
    break_word(&p->capacity.sensed, 0);
    break_word(&p->sleep, 2);
    break_word(&p->continuous, 2);
    break_word(&p->reports, 128);
}

static void warm_multipliers_are_checked(void)
{
    vsp__warm_record *warm;
    uint32_t was;

    set_up();
    warm = world->problem.between.warm;
    if (!CHECK(world->warm_count >= 2))
        return;
    exchange_word(&warm->normal, wide_bits(VSP_R(-2.0))); /* -1 rolls */
    check_restore_refused();
    exchange_word(&warm->normal, bad_bits(0));
    check_restore_refused();
    exchange_word(&warm->normal, wide_bits(VSP_R(1.0)));
    exchange_word(&warm->tangent1, bad_bits(1));
    check_restore_refused();
    exchange_word(&warm->tangent1, 0);
    was = warm->pair;
    warm->pair = 0xffffffffu; /* no such shapes, and out of order */
    check_restore_refused();
    warm->pair = was;
    world->params.warm_start = 0; /* then there may be no records */
    check_restore_refused();
}


/* ---- Hostile bytes ------------------------------------------------------- */

static uint32_t rotl(uint32_t x, uint32_t n)
{
    return x << n | x >> (32 - n);
}

static uint32_t word_of(const unsigned char *bytes, size_t word)
{
    const unsigned char *b = bytes + 4 * word;

    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static void set_word_of(unsigned char *bytes, size_t word, uint32_t to)
{
    uint32_t k;

    for (k = 0; k < 4; k++)
        bytes[4 * word + k] = (unsigned char)(to >> (8 * k));
}

/* Corrects the checksum of changed bytes, as SPEC.md defines it. */
static void seal_snapshot(unsigned char *bytes, size_t size)
{
    uint32_t h = 0;
    size_t i;

    set_word_of(bytes, 6, 0);
    for (i = 0; i < size / 4; i++) {
        h ^= rotl(word_of(bytes, i) * 0x85ebca77u, 13) * 0x9e3779b1u;
        h = rotl(h, 17) * 5u + 0x52dce729u;
    }
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    set_word_of(bytes, 6, h ^ h >> 15);
}

/* Restores bytes: they must be refused without a change, or give a valid world
 * that has the same bytes, but for the version of the header that wrote them,
 * and continues. */
static void check_refused_or_sound(vsp_world *other, const unsigned char *bytes,
                                   size_t size)
{
    static unsigned char again[VSP_SNAPSHOT_BYTES];
    size_t size_again;
    uint32_t hash = vsp_world_hash(other);

    if (vsp_world_restore(other, bytes, size) < 0) {
        CHECK_HEX(hash, vsp_world_hash(other));
        return;
    }
    CHECK_STATUS(VSP_OK, vsp_world_validate(other, NULL));
    CHECK_STATUS(VSP_OK,
                 vsp_world_snapshot(other, again, sizeof again, &size_again));
    CHECK(size_again == size);
    set_word_of(again, 2, word_of(bytes, 2));
    seal_snapshot(again, size);
    CHECK_BYTES(bytes, again, size);
    CHECK(vsp_world_step(other) >= 0);
    CHECK_STATUS(VSP_OK, vsp_world_validate(other, NULL));
}

/* Every word of a snapshot: every bit of it and some values, with the right
 * checksum. */
static void any_word_is_refused_or_sound(void)
{
    static const uint32_t values[] = {
        0,          1,          2,          0x7f,       0xffff,
        0x10000,    0x7fc00000, 0x7f800000, 0xff7fffff, 0x80000000,
        0xffffffff, 0x3f800000, 0x00000fff, 0x0ff00000};
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    vsp_world_def def = vsp_world_def_default();
    vsp_world *other;
    size_t size, word;
    uint32_t i;

    set_up();
    size = save_world(world, 0);
    other = new_world_at(&def, 1, 0);
    for (word = 0; word < size / 4; word++)
        for (i = 0; i < 32 + COUNT_OF(values); i++) {
            uint32_t was = word_of(saved(0), word);

            test_note("word %lu, change %u", (unsigned long)word, i);
            memcpy(bytes, saved(0), size);
            set_word_of(bytes, word,
                        i < 32 ? was ^ (uint32_t)1 << i : values[i - 32]);
            seal_snapshot(bytes, size);
            check_refused_or_sound(other, bytes, size);
        }
    memcpy(bytes, saved(0), size);
    seal_snapshot(bytes, size); /* otherwise nothing was tested */
    CHECK_BYTES(saved(0), bytes, size);
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, bytes, size));
    CHECK_HEX(vsp_world_hash(world), vsp_world_hash(other));
}

/* A world with larger capacities than this build can hold must be refused. */
static void larger_worlds_are_refused(void)
{
    static unsigned char bytes[2 * VSP_SNAPSHOT_BYTES];
    size_t size, word;

    set_up();
    for (word = 35; word < 42; word++) { /* the seven capacities */
        size = save_world(world, 0);
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, saved(0), size);
        set_word_of(bytes, word, word_of(bytes, word) + 1);
        seal_snapshot(bytes, size);
        CHECK_STATUS(VSP_ERR_FULL, vsp_world_restore(world, bytes, size));
        size = sizeof bytes / 4 * 4; /* more than this build ever writes */
        set_word_of(bytes, 5, (uint32_t)size);
        seal_snapshot(bytes, size);
        CHECK_STATUS(VSP_ERR_FULL, vsp_world_restore(world, bytes, size));
    }
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* Returns a world with settings for searches of this much work. */
static vsp_world_def searching_def(const uint32_t *work)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = VSP_STEPPER_SUBSPACE;
    def.sweeps = work[0];
    def.correction_sweeps = work[1];
    def.subspace.rounds = work[2];
    def.subspace.tries = work[3];
    def.subspace.steps = work[4];
    def.sweep_limit = 1;
    return def;
}

/* Settings that cost more than the world's limit must be refused, but never
 * those of the world's own definition. */
static void costly_settings_are_refused(void)
{
    static const struct {
        uint32_t work[5], limit;
        vsp_status expected;
    } all[] = {
        {{20, 5, 3, 2, 60}, 424, VSP_ERR_FULL},
        {{20, 5, 3, 2, 60}, 425, VSP_OK},
        {{10000, 5, 1, 0, 1}, 1000, VSP_ERR_FULL},
        {{10000, 5, 1, 0, 1}, 10005, VSP_OK},
        {{1, 10000, 1, 0, 1}, 1000, VSP_ERR_FULL},
        {{10, 5, 1000, 1000, 10000}, 0xfffffffeu, VSP_ERR_FULL},
        {{10, 5, 1000, 1000, 10000}, 0xffffffffu, VSP_OK},
    };
    size_t i, size;

    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        vsp_world_def def = searching_def(all[i].work);

        test_note("case %lu", (unsigned long)i);
        world = new_world_at(&def, 0, 0);
        add_ground(world);
        size = save_world(world, 0);
        CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
        def = vsp_world_def_default();
        def.sweep_limit = all[i].limit;
        world = new_world_at(&def, 0, 0);
        CHECK_STATUS(all[i].expected, vsp_world_restore(world, saved(0), size));
    }
}


static const test tests[] = {
    TEST(sound_worlds_pass),
    TEST(memory_that_is_no_world_is_refused),
    TEST(numbers_of_bodies_are_checked),
    TEST(ranges_of_bodies_are_checked),
    TEST(sleep_is_checked),
    TEST(bytes_of_bodies_are_checked),
    TEST(given_masses_are_checked),
    TEST(only_dynamic_bodies_weigh),
    TEST(links_are_checked),
    TEST(half_spaces_on_dynamic_bodies_are_seen),
    TEST(numbers_of_shapes_are_checked),
    TEST(numbers_of_joints_are_checked),
    TEST(only_shock_adds_impulses),
    TEST(bytes_of_joints_are_checked),
    TEST(counts_of_joints_are_checked),
    TEST(counts_are_checked),
    TEST(settings_are_checked),
    TEST(warm_multipliers_are_checked),
    TEST(any_word_is_refused_or_sound),
    TEST(larger_worlds_are_refused),
    TEST(costly_settings_are_refused),
    TEST_END,
};

const test_suite validate_suite = {"validate", tests};
