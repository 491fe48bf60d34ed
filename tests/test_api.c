/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Every function with every sort of wrong argument: null; ids that are null,
 * stale or invented; NaNs and numbers out of range; definitions without a
 * cookie; buffers too small or misaligned; options that the world was not
 * created with.  A refused call must not change a bit of the world.  In the
 * order of vsp.h. */

#include "fixture.h"

#include <string.h>

static vsp_world *world;     /* of the current test */
static vsp_body_id ball;     /* dynamic, with a shape */
static vsp_body_id floor_id; /* static */
static vsp_shape_id skin;    /* of the ball */

/* Makes a world with a ball on a floor, and makes a step. */
static void set_up(void)
{
    world = new_world();
    floor_id = add_ground(world);
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 0.5, 0);
    skin = vsp_shape_at(world, 1);
    step_world(world, 1);
}

static vsp_vec3 bad_vec3(uint32_t axis, vsp_real value)
{
    vsp_vec3 v = real3(0, 0, 0);

    if (axis == 0)
        v.x = value;
    else if (axis == 1)
        v.y = value;
    else
        v.z = value;
    return v;
}


/* ---- Defaults ----------------------------------------------------------- */

static void defaults_are_as_documented(void)
{
    vsp_world_def w = vsp_world_def_default();
    vsp_body_def b = vsp_body_def_default();
    vsp_shape_def s = vsp_sphere(VSP_R(2.0));

    CHECK_NEAR(-9.81, num(w.gravity.y), 1e-6);
    CHECK_NEAR(1.0 / 60.0, num(w.dt), 1e-9);
    CHECK_UINT(VSP_STEPPER_CARRY, w.stepper);
    CHECK_UINT(VSP_FRICTION_CONE, w.friction);
    CHECK_UINT(VSP_STATIC, b.type);
    CHECK_NEAR(1.0, num(b.pose.rotation.w), 0.0);
    CHECK_NEAR(1.0, num(b.gravity_scale), 0.0);
    CHECK_NEAR(0.0, num(b.mass), 0.0);
    CHECK_UINT(VSP_SHAPE_NONE, b.shape.type);
    CHECK_UINT(VSP_SHAPE_SPHERE, s.type);
    CHECK_NEAR(2.0, num(s.size.x), 0.0);
    CHECK_NEAR(1000.0, num(s.density), 0.0);
    CHECK_NEAR(0.5, num(s.material.friction), 0.0);
    CHECK_NEAR(0.0, num(s.material.restitution), 0.0);
    CHECK_UINT(VSP_RULE_GEOMETRIC, s.material.friction_rule);
    CHECK_UINT(VSP_RULE_MAX, s.material.restitution_rule);
    CHECK_UINT(1, s.filter.category);
    CHECK_HEX(0xffffffffu, s.filter.mask);
    CHECK_UINT(0, (uint32_t)s.filter.group);
}

static void shape_defs_hold_their_sizes(void)
{
    vsp_shape_def box = vsp_box(VSP_R(1.0), VSP_R(2.0), VSP_R(3.0));

    CHECK_UINT(VSP_SHAPE_BOX, box.type);
    CHECK_NEAR(1.0, num(box.size.x), 0.0);
    CHECK_NEAR(2.0, num(box.size.y), 0.0);
    CHECK_NEAR(3.0, num(box.size.z), 0.0);
    CHECK_UINT(VSP_SHAPE_HALF_SPACE, vsp_half_space().type);
}


/* ---- World -------------------------------------------------------------- */

static const field world_fields[] = {
    {"gravity.x", offsetof(vsp_world_def, gravity.x), -VSP_MAX_SPEED,
     VSP_MAX_SPEED},
    {"gravity.y", offsetof(vsp_world_def, gravity.y), -VSP_MAX_SPEED,
     VSP_MAX_SPEED},
    {"gravity.z", offsetof(vsp_world_def, gravity.z), -VSP_MAX_SPEED,
     VSP_MAX_SPEED},
    {"dt", offsetof(vsp_world_def, dt), VSP_MIN_DT, VSP_MAX_DT},
    {"envelope", offsetof(vsp_world_def, envelope), VSP_R(1e-4), VSP_R(0.1)},
    {"tolerance", offsetof(vsp_world_def, tolerance), VSP_R(0.0), VSP_R(1.0)},
    {"fraction", offsetof(vsp_world_def, fraction), VSP_R(0.0), VSP_R(1.0)},
    {"subspace.friction_damping",
     offsetof(vsp_world_def, subspace.friction_damping), VSP_R(0.0),
     VSP_R(1.0)},
};

static vsp_status create_world(const vsp_world_def *def)
{
    vsp_status status;

    world = (vsp_world *)arena(0); /* anything but null */
    status = vsp_world_create(arena(0), VSP_WORLD_BYTES, def, &world);
    CHECK((status == VSP_OK) == (world != NULL));
    return status;
}

static void refuse_world(void *def)
{
    CHECK_REFUSED(VSP_ERR_ARG, create_world(def));
}

static void accept_world(void *def)
{
    CHECK_STATUS(VSP_OK, create_world(def));
}

static void world_create_checks_numbers(void)
{
    vsp_world_def def = vsp_world_def_default();

    try_fields(&def, sizeof def, world_fields, COUNT_OF(world_fields),
               refuse_world, accept_world);
}

static void try_sweeps(uint32_t velocity, uint32_t position,
                       vsp_status expected)
{
    vsp_world_def def = vsp_world_def_default();

    def.sweeps = velocity;
    def.correction_sweeps = position;
    test_note("sweeps %lu and %lu", (unsigned long)velocity,
              (unsigned long)position);
    CHECK_STATUS(expected, create_world(&def));
}

static void world_create_checks_counts(void)
{
    try_sweeps(0, 5, VSP_ERR_ARG);
    try_sweeps(10001, 5, VSP_ERR_ARG);
    try_sweeps(10, 0, VSP_ERR_ARG);
    try_sweeps(10, 10001, VSP_ERR_ARG);
    try_sweeps(1, 1, VSP_OK);
    try_sweeps(10000, 10000, VSP_OK);
}

static void try_search(uint32_t rounds, uint32_t tries, uint32_t steps,
                       uint32_t search, vsp_status expected)
{
    vsp_world_def def = vsp_world_def_default();

    def.subspace.rounds = rounds;
    def.subspace.tries = tries;
    def.subspace.steps = steps;
    def.subspace.search = search;
    test_note("%lu rounds of %lu tries of %lu steps, search %lu",
              (unsigned long)rounds, (unsigned long)tries, (unsigned long)steps,
              (unsigned long)search);
    CHECK_STATUS(expected, create_world(&def));
}

static void world_create_checks_searches(void)
{
    try_search(0, 1, 1, 0, VSP_ERR_ARG);
    try_search(1001, 1, 1, 0, VSP_ERR_ARG);
    try_search(1, 1001, 1, 0, VSP_ERR_ARG);
    try_search(1, 1, 0, 0, VSP_ERR_ARG);
    try_search(1, 1, 10001, 0, VSP_ERR_ARG);
    try_search(1, 1, 1, 4, VSP_ERR_ARG);
    try_search(1, 0, 1, 0, VSP_OK);
    try_search(1000, 1000, 10000, 3, VSP_OK);
}

static void world_create_checks_enums(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = (vsp_stepper)4;
    CHECK_STATUS(VSP_ERR_ARG, create_world(&def));
    def.stepper = (vsp_stepper)-1;
    CHECK_STATUS(VSP_ERR_ARG, create_world(&def));
    def = vsp_world_def_default();
    def.friction = (vsp_friction)2;
    CHECK_STATUS(VSP_ERR_ARG, create_world(&def));
    def.friction = (vsp_friction)-1;
    CHECK_STATUS(VSP_ERR_ARG, create_world(&def));
}

static void world_create_wants_a_default_def(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.cookie ^= 1u;
    CHECK_STATUS(VSP_ERR_ARG, create_world(&def));
    memset(&def, 0, sizeof def);
    CHECK_STATUS(VSP_ERR_ARG, create_world(&def));
}

static void world_create_compares_options(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.options ^= 1u;
    CHECK_REFUSED(VSP_ERR_ABI, create_world(&def));
}

static void world_create_refuses_null(void)
{
    vsp_world_def def = vsp_world_def_default();

    world = (vsp_world *)arena(0);
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_create(NULL, VSP_WORLD_BYTES, &def, &world));
    CHECK(!world);
    CHECK_STATUS(VSP_ERR_ARG, create_world(NULL));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_create(arena(0), VSP_WORLD_BYTES, &def, NULL));
}

static void world_create_measures_the_buffer(void)
{
    vsp_world_def def = vsp_world_def_default();
    size_t size;

    for (size = 0; size < VSP_WORLD_BYTES; size += size / 8 + 1) {
        test_note("%lu bytes", (unsigned long)size);
        CHECK_STATUS(VSP_ERR_MEMORY,
                     vsp_world_create(arena(0), size, &def, &world));
        CHECK(!world);
    }
    CHECK_STATUS(VSP_ERR_MEMORY,
                 vsp_world_create(arena(0), VSP_WORLD_BYTES - 1, &def, &world));
    CHECK_STATUS(VSP_OK, create_world(&def));
    CHECK(world == (void *)arena(0));
}

static void world_create_wants_alignment(void)
{
    vsp_world_def def = vsp_world_def_default();
    size_t offset;

    for (offset = 0; offset < 16; offset++) {
        vsp_status expected = offset % VSP_WORLD_ALIGN ? VSP_ERR_MEMORY
                                                       : VSP_OK;

        test_note("offset %lu", (unsigned long)offset);
        CHECK_STATUS(expected, vsp_world_create(arena(0) + offset,
                                                VSP_WORLD_BYTES, &def, &world));
    }
}

static void world_stays_in_its_buffer(void)
{
    vsp_world_def def = vsp_world_def_default();
    size_t i;

    memset(arena(0), 0xa5, ARENA_BYTES);
    CHECK_STATUS(VSP_OK,
                 vsp_world_create(arena(0) + 8, VSP_WORLD_BYTES, &def, &world));
    add_ground(world);
    add_cube(world, 0, 0.5, 0);
    step_world(world, 10);
    for (i = 0; i < 8; i++) {
        CHECK_HEX(0xa5, arena(0)[i]);
        CHECK_HEX(0xa5, arena(0)[8 + VSP_WORLD_BYTES + i]);
    }
}

static void world_sets_gravity(void)
{
    uint32_t axis, i;

    set_up();
    for (axis = 0; axis < 3; axis++)
        for (i = 0; i < BAD_REALS; i++)
            CHECK_REFUSED(VSP_ERR_ARG, vsp_world_set_gravity(
                                           world, bad_vec3(axis, bad_real(i))));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_world_set_gravity(
                      world, real3(0, -1.0001 * num(VSP_MAX_SPEED), 0)));
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(1, 2, -500)));
    CHECK_NEAR(1, num(vsp_world_gravity(world).x), 0);
    CHECK_NEAR(2, num(vsp_world_gravity(world).y), 0);
    CHECK_NEAR(-500, num(vsp_world_gravity(world).z), 0);
}

static void world_tells_its_settings(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.dt = VSP_R(0.02);
    world = new_world_of(&def);
    CHECK_NEAR(0.02, num(vsp_world_dt(world)), 1e-9);
    CHECK_NEAR(-9.81, num(vsp_world_gravity(world).y), TOLERANCE(1e-6, 4e-6));
    CHECK_UINT(0, vsp_world_tick(world));
    step_world(world, 3);
    CHECK_UINT(3, vsp_world_tick(world));
}


/* ---- No world ----------------------------------------------------------- */

static void null_world_is_refused(void)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_shape_def shape = vsp_sphere(VSP_R(1.0));
    vsp_contact contact;
    size_t size;
    unsigned char bytes[4] = {0};

    set_up();
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_step(NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_set_gravity(NULL, real3(0, 0, 0)));
    CHECK_STATUS(VSP_ERR_ARG, vsp_body_create(NULL, &def, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_shape_create(NULL, ball, &shape, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_shape_destroy(NULL, skin));
    CHECK_STATUS(VSP_ERR_ARG, vsp_shape_get(NULL, skin, &shape));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_shape_set_material(NULL, skin, shape.material));
    CHECK_STATUS(VSP_ERR_ARG, vsp_shape_set_filter(NULL, skin, shape.filter));
    CHECK_STATUS(VSP_ERR_ARG, vsp_contact_get(NULL, 0, &contact));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_snapshot(NULL, bytes, 4, &size));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_restore(NULL, bytes, 4));
    CHECK_STATUS(VSP_ERR_ARG, vsp_world_validate(NULL, NULL));
}

/* Checks that no call can change this body of this world. */
static void refuse_changes(vsp_status expected, vsp_world *w, vsp_body_id id)
{
    vsp_vec3 v = real3(1, 1, 1);
    vsp_transform pose = vsp_body_def_default().pose;
    vsp_shape_def shape = vsp_sphere(VSP_R(1.0));
    vsp_shape_id made = {1};

    CHECK_REFUSED(expected, vsp_body_destroy(w, id));
    CHECK_REFUSED(expected, vsp_body_set_transform(w, id, pose));
    CHECK_REFUSED(expected, vsp_body_set_velocity(w, id, v, v));
    CHECK_REFUSED(expected, vsp_body_set_mass(w, id, VSP_R(1.0), v, v));
    CHECK_REFUSED(expected,
                  vsp_body_set_damping(w, id, VSP_R(1.0), VSP_R(1.0)));
    CHECK_REFUSED(expected, vsp_body_set_gravity_scale(w, id, VSP_R(2.0)));
    CHECK_REFUSED(expected, vsp_body_set_user(w, id, 1));
    CHECK_REFUSED(expected, vsp_body_apply_force(w, id, v, v));
    CHECK_REFUSED(expected, vsp_body_apply_center_force(w, id, v));
    CHECK_REFUSED(expected, vsp_body_apply_torque(w, id, v));
    CHECK_REFUSED(expected, vsp_body_apply_impulse(w, id, v, v));
    CHECK_REFUSED(expected, vsp_body_apply_center_impulse(w, id, v));
    CHECK_REFUSED(expected, vsp_body_apply_angular_impulse(w, id, v));
    CHECK_REFUSED(expected, vsp_shape_create(w, id, &shape, &made));
    CHECK_UINT(0, made.bits);
}

static void null_world_has_no_bodies_to_change(void)
{
    set_up();
    refuse_changes(VSP_ERR_ARG, NULL, ball);
}

/* Checks what getters of a vector, pose or id return if there is nothing. */
static void check_nothing_there(const vsp_world *w, vsp_body_id id)
{
    vsp_transform pose = vsp_body_transform(w, id);
    vsp_vec3 sum = vsp_body_center(w, id);

    CHECK_NEAR(0, num(sum.x), 0);
    CHECK_NEAR(0, num(sum.y), 0);
    CHECK_NEAR(0, num(sum.z), 0);
    CHECK_NEAR(0, num(pose.position.x), 0);
    CHECK_NEAR(0, num(pose.position.y), 0);
    CHECK_NEAR(0, num(pose.position.z), 0);
    CHECK_NEAR(0, num(pose.rotation.x), 0);
    CHECK_NEAR(1, num(pose.rotation.w), 0);
    CHECK_NEAR(0, num(vsp_body_velocity(w, id).y), 0);
    CHECK_NEAR(0, num(vsp_body_spin(w, id).y), 0);
    CHECK_NEAR(0, num(vsp_body_mass(w, id)), 0);
    CHECK_UINT(0, vsp_body_user(w, id));
    CHECK_UINT(VSP_STATIC, vsp_body_get_type(w, id));
    CHECK(!vsp_body_is_valid(w, id));
}

static void null_world_reads_as_nothing(void)
{
    vsp_stats stats;
    vsp_stats zero;

    set_up();
    memset(&zero, 0, sizeof zero);
    stats = vsp_world_stats(NULL);
    CHECK_BYTES(&zero, &stats, sizeof zero);
    check_nothing_there(NULL, ball);
    CHECK_NEAR(0, num(vsp_world_gravity(NULL).y), 0);
    CHECK_NEAR(0, num(vsp_world_dt(NULL)), 0);
    CHECK_UINT(0, vsp_world_tick(NULL));
    CHECK_UINT(0, vsp_world_hash(NULL));
    CHECK_UINT(0, vsp_contact_count(NULL));
    CHECK_UINT(0, vsp_body_at(NULL, 0).bits);
    CHECK_UINT(0, vsp_shape_at(NULL, 0).bits);
    CHECK_UINT(0, vsp_shape_body(NULL, skin).bits);
    CHECK(!vsp_shape_is_valid(NULL, skin));
}


/* ---- The clock ---------------------------------------------------------- */

static uint32_t now = 0xfffffffeu; /* wraps in the first step */

uint32_t test_clock(void)
{
    return ++now;
}

/* The ticks of all phases must add up to those between the first and the last
 * reading of the clock. */
static void phases_add_up_to_a_step(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_stats stats;
    int i;

    for (i = VSP_STEPPER_CARRY; i <= VSP_STEPPER_SUBSPACE; i++) {
        uint32_t begin = now + 1u;

        test_note("stepper %d", i);
        def.stepper = (vsp_stepper)i;
        world = new_world_of(&def);
        add_ground(world);
        add_cube(world, 0, 0.45, 0);
        step_world(world, 1);
        stats = vsp_world_stats(world);
        CHECK_UINT(now - begin, stats.detect_ticks + stats.solve_ticks +
                                    stats.correct_ticks + stats.rest_ticks);
        CHECK_AT_LEAST(1, stats.detect_ticks);
        CHECK_AT_LEAST(1, stats.solve_ticks);
        CHECK_AT_LEAST(1, stats.correct_ticks);
        CHECK_AT_LEAST(1, stats.rest_ticks);
        CHECK_STATUS(VSP_OK,
                     vsp_world_restore(world, saved(0), save_world(world, 0)));
        CHECK_UINT(0, vsp_world_stats(world).rest_ticks);
    }
}


/* ---- Ids ---------------------------------------------------------------- */

static void check_body_id_refused(vsp_body_id id)
{
    test_note("id 0x%08lx", (unsigned long)id.bits);
    refuse_changes(VSP_ERR_ID, world, id);
    check_nothing_there(world, id);
}

static vsp_body_id body_id(uint32_t bits)
{
    vsp_body_id id;

    id.bits = bits;
    return id;
}

static void body_ids_are_checked(void)
{
    vsp_body_id gone;

    set_up();
    gone = add_cube(world, 5, 5, 5);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, gone));
    check_body_id_refused(body_id(0));
    check_body_id_refused(gone);
    check_body_id_refused(body_id(ball.bits + 0x00010000u));
    check_body_id_refused(
        body_id((ball.bits & 0xffff0000u) | (VSP_MAX_BODIES + 1u)));
    check_body_id_refused(body_id(ball.bits & 0xffff0000u));
    check_body_id_refused(body_id(0xffffffffu));
}

static void body_id_of_a_reused_slot_is_refused(void)
{
    vsp_body_id gone, next;

    set_up();
    gone = add_cube(world, 5, 5, 5);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, gone));
    next = add_cube(world, 5, 5, 5);
    CHECK(next.bits != gone.bits);
    CHECK_UINT(gone.bits & 0xffffu, next.bits & 0xffffu);
    check_body_id_refused(gone);
    CHECK(vsp_body_is_valid(world, next));
}

static void check_shape_id_refused(uint32_t bits)
{
    vsp_shape_id id;
    vsp_shape_def def = vsp_sphere(VSP_R(1.0));

    id.bits = bits;
    test_note("id 0x%08lx", (unsigned long)bits);
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_destroy(world, id));
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_get(world, id, &def));
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_set_material(world, id, def.material));
    CHECK_REFUSED(VSP_ERR_ID, vsp_shape_set_filter(world, id, def.filter));
    CHECK_UINT(0, vsp_shape_body(world, id).bits);
    CHECK(!vsp_shape_is_valid(world, id));
}

static void shape_ids_are_checked(void)
{
    vsp_shape_def def = vsp_sphere(VSP_R(1.0));
    vsp_shape_id gone;

    set_up();
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, ball, &def, &gone));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, gone));
    check_shape_id_refused(0);
    check_shape_id_refused(gone.bits);
    check_shape_id_refused(skin.bits + 0x00010000u);
    check_shape_id_refused((skin.bits & 0xffff0000u) | (VSP_MAX_SHAPES + 1u));
    check_shape_id_refused(skin.bits & 0xffff0000u);
    check_shape_id_refused(0xffffffffu);
}

static void shape_id_dies_with_its_body(void)
{
    set_up();
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, ball));
    check_shape_id_refused(skin.bits);
}

static void lowest_free_slot_is_taken_first(void)
{
    vsp_body_id a, b, c;

    set_up();
    a = add_cube(world, 5, 1, 0);
    b = add_cube(world, 7, 1, 0);
    c = add_cube(world, 9, 1, 0);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, c));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, a));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, b));
    CHECK_UINT(a.bits & 0xffffu, add_cube(world, 5, 1, 0).bits & 0xffffu);
    CHECK_UINT(b.bits & 0xffffu, add_cube(world, 7, 1, 0).bits & 0xffffu);
    CHECK_UINT(c.bits & 0xffffu, add_cube(world, 9, 1, 0).bits & 0xffffu);
}

/* 2^16 uses of one slot: no id repeats, and none is null */
static void generations_last_as_documented(void)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id first, id;
    uint32_t i, nulls = 0, twice = 0;

    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &first));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, first));
    for (i = 1; i < 65536; i++) {
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
        nulls += id.bits == 0;
        twice += id.bits == first.bits;
        CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
    }
    CHECK_UINT(0, nulls);
    CHECK_UINT(0, twice);
}

static void bodies_and_shapes_are_found_by_slot(void)
{
    set_up();
    CHECK_UINT(floor_id.bits, vsp_body_at(world, 0).bits);
    CHECK_UINT(ball.bits, vsp_body_at(world, 1).bits);
    CHECK_UINT(0, vsp_body_at(world, 2).bits);
    CHECK_UINT(0, vsp_body_at(world, VSP_MAX_BODIES).bits);
    CHECK_UINT(0, vsp_body_at(world, 0xffffffffu).bits);
    CHECK_UINT(skin.bits, vsp_shape_at(world, 1).bits);
    CHECK_UINT(0, vsp_shape_at(world, VSP_MAX_SHAPES - 1).bits);
    CHECK_UINT(0, vsp_shape_at(world, VSP_MAX_SHAPES).bits);
    CHECK_UINT(ball.bits, vsp_shape_body(world, skin).bits);
}


/* ---- Body --------------------------------------------------------------- */

#define BODY_FIELD(name, low, high)                    \
    {                                                  \
#name, offsetof(vsp_body_def, name), low, high \
    }

static const field body_fields[] = {
    BODY_FIELD(pose.position.x, -VSP_MAX_POSITION, VSP_MAX_POSITION),
    BODY_FIELD(pose.position.y, -VSP_MAX_POSITION, VSP_MAX_POSITION),
    BODY_FIELD(pose.position.z, -VSP_MAX_POSITION, VSP_MAX_POSITION),
    BODY_FIELD(velocity.x, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(velocity.y, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(velocity.z, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(spin.x, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(spin.y, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(spin.z, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(linear_damping, VSP_R(0.0), VSP_R(1000.0)),
    BODY_FIELD(angular_damping, VSP_R(0.0), VSP_R(1000.0)),
    BODY_FIELD(gravity_scale, VSP_R(-100.0), VSP_R(100.0)),
    BODY_FIELD(max_speed, VSP_R(0.0001), VSP_MAX_SPEED),
    BODY_FIELD(shape.surface_velocity.x, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(shape.surface_velocity.z, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    BODY_FIELD(shape.density, VSP_R(0.0), VSP_R(1e9)),
    BODY_FIELD(shape.size.x, VSP_MIN_SIZE, VSP_MAX_SIZE),
    BODY_FIELD(shape.size.y, VSP_MIN_SIZE, VSP_MAX_SIZE),
    BODY_FIELD(shape.size.z, VSP_MIN_SIZE, VSP_MAX_SIZE),
    BODY_FIELD(shape.material.friction, VSP_R(0.0), VSP_R(100.0)),
    BODY_FIELD(shape.material.restitution, VSP_R(0.0), VSP_R(1.0)),
};

static vsp_status create_body(const vsp_body_def *def)
{
    vsp_body_id id = {1}; /* anything but null */
    vsp_status status = vsp_body_create(world, def, &id);

    CHECK((status == VSP_OK) == (id.bits != 0));
    return status;
}

static void refuse_body(void *def)
{
    CHECK_REFUSED(VSP_ERR_ARG, create_body(def));
}

static void accept_body(void *def)
{
    vsp_body_id id;

    CHECK_STATUS(VSP_OK, vsp_body_create(world, def, &id));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
}

static void body_create_checks_numbers(void)
{
    vsp_body_def def = body_def(
        VSP_KINEMATIC, vsp_box(VSP_R(1.0), VSP_R(1.0), VSP_R(1.0)), 0, 9, 0);

    set_up();
    try_fields(&def, sizeof def, body_fields, COUNT_OF(body_fields),
               refuse_body, accept_body);
}

/* The masses that a dynamic body may have, besides 0. */
static void body_create_checks_mass(void)
{
    static const field mass[] = {
        {"mass", offsetof(vsp_body_def, mass), VSP_MIN_MASS, VSP_MAX_MASS}};
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(1.0)), 0, 9, 0);

    set_up();
    try_fields(&def, sizeof def, mass, 1, refuse_body, accept_body);
}

static void try_inertia(double x, double y, double z, bool is_good)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(1.0)), 0, 9, 0);

    def.mass = VSP_R(3.0);
    def.inertia = real3(x, y, z);
    test_note("inertia %g %g %g", x, y, z);
    if (is_good)
        accept_body(&def);
    else
        refuse_body(&def);
}

static void body_create_checks_inertia(void)
{
    uint32_t i;

    set_up();
    try_inertia(1, 1, 1, true);
    try_inertia(-1, 1, 1, false);
    try_inertia(1, -1, 1, false);
    try_inertia(1, 1, -1, false);
    try_inertia(1, 1, 0, false);
    try_inertia(0, 1, 1, false);
    for (i = 0; i < BAD_REALS; i++) {
        try_inertia(num(bad_real(i)), 1, 1, false);
        try_inertia(1, num(bad_real(i)), 1, false);
        try_inertia(1, 1, num(bad_real(i)), false);
    }
}

static void body_create_checks_center(void)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_sphere(VSP_R(1.0)), 0, 9, 0);
    uint32_t axis, i;

    set_up();
    def.mass = VSP_R(1.0);
    def.inertia = real3(1, 1, 1);
    for (axis = 0; axis < 3; axis++)
        for (i = 0; i < BAD_REALS; i++) {
            def.center = bad_vec3(axis, bad_real(i));
            refuse_body(&def);
        }
    def.center = real3(1e6, 0, 0);
    refuse_body(&def);
}

static void set_quat(vsp_quat *q, uint32_t part, vsp_real value)
{
    vsp_real parts[4];

    memcpy(parts, q, sizeof parts);
    parts[part] = value;
    memcpy(q, parts, sizeof parts);
}

static void try_rotations(vsp_body_def *def, vsp_quat *q)
{
    uint32_t part, i;

    memset(q, 0, sizeof *q);
    test_note("rotation of no length");
    refuse_body(def);
    for (part = 0; part < 4; part++)
        for (i = 0; i < BAD_REALS; i++) {
            *q = turn(0, 1, 0, 0);
            set_quat(q, part, bad_real(i));
            test_note("part %u of a rotation is %g", part, num(bad_real(i)));
            refuse_body(def);
        }
    *q = turn(0, 1, 0, 0);
}

static void body_create_checks_rotations(void)
{
    vsp_body_def def = body_def(VSP_STATIC, vsp_sphere(VSP_R(1.0)), 0, 9, 0);

    set_up();
    try_rotations(&def, &def.pose.rotation);
    try_rotations(&def, &def.shape.pose.rotation);
}

static void body_create_makes_rotations_unit(void)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {0};
    vsp_quat q;

    set_up();
    def.pose.rotation.x = VSP_R(3.0);
    def.pose.rotation.w = VSP_R(4.0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    q = vsp_body_transform(world, id).rotation;
    CHECK_NEAR(0.6, num(q.x), 1e-6);
    CHECK_NEAR(0.8, num(q.w), 1e-6);
}

static void body_create_checks_enums(void)
{
    vsp_body_def def = vsp_body_def_default();

    set_up();
    def.type = (vsp_body_type)3;
    refuse_body(&def);
    def.type = (vsp_body_type)-1;
    refuse_body(&def);
    def = vsp_body_def_default();
    def.shape = vsp_sphere(VSP_R(1.0));
    def.shape.type = (vsp_shape_type)9;
    refuse_body(&def);
    def.shape.type = (vsp_shape_type)-1;
    refuse_body(&def);
    def.shape = vsp_sphere(VSP_R(1.0));
    def.shape.material.friction_rule = (vsp_rule)5;
    refuse_body(&def);
    def.shape = vsp_sphere(VSP_R(1.0));
    def.shape.material.restitution_rule = (vsp_rule)-1;
    refuse_body(&def);
}

static void body_create_wants_default_defs(void)
{
    vsp_body_def def = vsp_body_def_default();

    set_up();
    CHECK_REFUSED(VSP_ERR_ARG, create_body(NULL));
    def.cookie = 0;
    refuse_body(&def);
    def = vsp_body_def_default();
    def.shape = vsp_sphere(VSP_R(1.0));
    def.shape.cookie = 0;
    refuse_body(&def);
    def.shape.cookie = def.cookie; /* a definition of another type */
    refuse_body(&def);
}

static void body_create_refuses_dynamic_half_spaces(void)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, vsp_half_space(), 0, 0, 0);

    set_up();
    refuse_body(&def);
    def.type = VSP_KINEMATIC;
    accept_body(&def);
}

static void body_create_takes_no_id(void)
{
    vsp_body_def def = vsp_body_def_default();

    set_up();
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    CHECK(vsp_body_at(world, 2).bits != 0);
}

static void body_without_mass_stays_put(void)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_shape_def shape = vsp_sphere(VSP_R(1.0));
    vsp_body_id id = {0};

    world = new_world();
    def.type = VSP_DYNAMIC;
    def.pose.position.y = VSP_R(5.0);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    step_world(world, 10);
    CHECK_NEAR(5.0, num(vsp_body_transform(world, id).position.y), 0);
    CHECK_NEAR(0.0, num(vsp_body_mass(world, id)), 0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, id, &shape, NULL));
    step_world(world, 10);
    CHECK_AT_MOST(4.99, num(vsp_body_transform(world, id).position.y));
}

static void check_bad_vectors(vsp_status (*call)(vsp_world *, vsp_body_id,
                                                 vsp_vec3),
                              double too_large)
{
    uint32_t axis, i;

    for (axis = 0; axis < 3; axis++) {
        for (i = 0; i < BAD_REALS; i++)
            CHECK_REFUSED(VSP_ERR_ARG,
                          call(world, ball, bad_vec3(axis, bad_real(i))));
        CHECK_REFUSED(VSP_ERR_ARG,
                      call(world, ball, bad_vec3(axis, real(too_large))));
        CHECK_REFUSED(VSP_ERR_ARG,
                      call(world, ball, bad_vec3(axis, real(-too_large))));
    }
}

static vsp_status set_position(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    vsp_transform pose = vsp_body_transform(w, id);

    pose.position = v;
    return vsp_body_set_transform(w, id, pose);
}

static vsp_status set_velocity(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    return vsp_body_set_velocity(w, id, v, real3(0, 0, 0));
}

static vsp_status set_spin(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    return vsp_body_set_velocity(w, id, real3(0, 0, 0), v);
}

static vsp_status force_of(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    return vsp_body_apply_force(w, id, v, real3(0, 0, 0));
}

static vsp_status force_at(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    return vsp_body_apply_force(w, id, real3(1, 0, 0), v);
}

static vsp_status impulse_of(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    return vsp_body_apply_impulse(w, id, v, real3(0, 0, 0));
}

static vsp_status impulse_at(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    return vsp_body_apply_impulse(w, id, real3(1, 0, 0), v);
}

static vsp_status set_center(vsp_world *w, vsp_body_id id, vsp_vec3 v)
{
    return vsp_body_set_mass(w, id, VSP_R(1.0), v, real3(1, 1, 1));
}

static void body_setters_check_vectors(void)
{
    double force = 2 * num(VSP_MAX_FORCE);

    set_up();
    check_bad_vectors(set_position, 1.00001 * num(VSP_MAX_POSITION));
    check_bad_vectors(set_velocity, 1.0001 * num(VSP_MAX_SPEED));
    check_bad_vectors(set_spin, 1.0001 * num(VSP_MAX_SPEED));
    check_bad_vectors(set_center, 1.00001 * num(VSP_MAX_POSITION));
    check_bad_vectors(force_of, force);
    check_bad_vectors(force_at, 2.00001 * num(VSP_MAX_POSITION));
    check_bad_vectors(vsp_body_apply_center_force, force);
    check_bad_vectors(vsp_body_apply_torque, force);
    check_bad_vectors(impulse_of, force);
    check_bad_vectors(impulse_at, 2.00001 * num(VSP_MAX_POSITION));
    check_bad_vectors(vsp_body_apply_center_impulse, force);
    check_bad_vectors(vsp_body_apply_angular_impulse, force);
}

static void body_set_transform_checks_rotation(void)
{
    vsp_transform pose = vsp_body_def_default().pose;
    uint32_t part, i;

    set_up();
    pose.rotation.w = 0;
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_transform(world, ball, pose));
    for (part = 0; part < 4; part++)
        for (i = 0; i < BAD_REALS; i++) {
            pose.rotation = turn(0, 1, 0, 0);
            set_quat(&pose.rotation, part, bad_real(i));
            CHECK_REFUSED(VSP_ERR_ARG,
                          vsp_body_set_transform(world, ball, pose));
        }
}

static void body_set_transform_moves_the_body(void)
{
    vsp_transform pose, got;

    set_up();
    pose.position = real3(1, 2, 3);
    pose.rotation = turn(90, 0, 0, 1);
    pose.rotation.z *= 2;
    pose.rotation.w *= 2;
    set_velocity(world, ball, real3(7, 0, 0));
    CHECK_STATUS(VSP_OK, vsp_body_set_transform(world, ball, pose));
    got = vsp_body_transform(world, ball);
    CHECK_NEAR(1, num(got.position.x), 1e-6);
    CHECK_NEAR(2, num(got.position.y), 1e-6);
    CHECK_NEAR(3, num(got.position.z), 1e-6);
    CHECK_NEAR(0.70710678, num(got.rotation.z), 1e-6);
    CHECK_NEAR(7, num(vsp_body_velocity(world, ball).x), 0);
}

static void body_speeds_stay_in_range(void)
{
    vsp_vec3 much = real3(0.5 * num(VSP_MAX_FORCE), 0, 0);
    vsp_vec3 at = real3(0, 0.5, 0);

    set_up();
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_body_apply_center_impulse(world, ball, much));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_body_apply_angular_impulse(world, ball, much));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_apply_impulse(world, ball, much, at));
}

static void forces_sum_up_within_their_range(void)
{
    vsp_vec3 f = real3(0.9 * num(VSP_MAX_FORCE), 0, 0);
    vsp_vec3 far = real3(0, num(VSP_MAX_POSITION), 0);

    set_up();
    CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, ball, f));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_apply_center_force(world, ball, f));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_apply_force(world, ball, f, far));
    CHECK_STATUS(VSP_OK, vsp_body_apply_torque(world, ball, f));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_apply_torque(world, ball, f));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_apply_impulse(world, ball, f, far));
}

static void static_bodies_take_no_velocity(void)
{
    vsp_vec3 v = real3(1, 0, 0);
    vsp_body_def def = vsp_body_def_default();

    set_up();
    CHECK_REFUSED(VSP_ERR_ARG, vsp_body_set_velocity(world, floor_id, v, v));
    def.velocity = v;
    refuse_body(&def);
    def = vsp_body_def_default();
    def.spin = v;
    refuse_body(&def);
}

static void bodies_not_dynamic_take_forces_without_effect(void)
{
    vsp_vec3 v = real3(400, 400, 0);
    uint32_t hash;

    set_up();
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_body_apply_force(world, floor_id, v, v));
    CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, floor_id, v));
    CHECK_STATUS(VSP_OK, vsp_body_apply_torque(world, floor_id, v));
    CHECK_STATUS(VSP_OK, vsp_body_apply_impulse(world, floor_id, v, v));
    CHECK_STATUS(VSP_OK, vsp_body_apply_center_impulse(world, floor_id, v));
    CHECK_STATUS(VSP_OK, vsp_body_apply_angular_impulse(world, floor_id, v));
    CHECK_HEX(hash, vsp_world_hash(world));
}

static void check_bad_scalars(vsp_status (*call)(vsp_real), double low,
                              double high)
{
    uint32_t i;

    for (i = 0; i < BAD_REALS; i++)
        CHECK_REFUSED(VSP_ERR_ARG, call(bad_real(i)));
    CHECK_REFUSED(VSP_ERR_ARG, call(real(low)));
    CHECK_REFUSED(VSP_ERR_ARG, call(real(high)));
}

static vsp_status set_linear(vsp_real x)
{
    return vsp_body_set_damping(world, ball, x, 0);
}

static vsp_status set_angular(vsp_real x)
{
    return vsp_body_set_damping(world, ball, 0, x);
}

static vsp_status set_scale(vsp_real x)
{
    return vsp_body_set_gravity_scale(world, ball, x);
}

static vsp_status set_mass(vsp_real x)
{
    return vsp_body_set_mass(world, ball, x, real3(0, 0, 0), real3(0, 0, 0));
}

static vsp_status set_inertia_x(vsp_real x)
{
    return vsp_body_set_mass(world, ball, VSP_R(1.0), real3(0, 0, 0),
                             real3(num(x), 1, 1));
}

static void body_setters_check_numbers(void)
{
    set_up();
    check_bad_scalars(set_linear, -0.001, 1000.1);
    check_bad_scalars(set_angular, -0.001, 1000.1);
    check_bad_scalars(set_scale, -100.1, 100.1);
    check_bad_scalars(set_mass, -1, 1.1e9);
    check_bad_scalars(set_mass, 1e-7, 2e9);
    check_bad_scalars(set_inertia_x, -1, 0);
}

static void body_set_mass_wants_what_it_scales(void)
{
    vsp_vec3 zero = real3(0, 0, 0);
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id bare = {0};

    set_up();
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_body_set_mass(world, floor_id, VSP_R(1.0), zero, zero));
    def.type = VSP_DYNAMIC;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &bare));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_body_set_mass(world, bare, VSP_R(1.0), zero, zero));
    CHECK_STATUS(VSP_OK, vsp_body_set_mass(world, bare, VSP_R(2.0), zero,
                                           real3(1, 1, 1)));
    CHECK_NEAR(2, num(vsp_body_mass(world, bare)), 0);
}

static void body_user_word_is_kept(void)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {0};
    uint32_t hash;

    set_up();
    def.user = 0xdeadbeefu;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_HEX(0xdeadbeefu, vsp_body_user(world, id));
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_body_set_user(world, id, 7));
    CHECK_HEX(7, vsp_body_user(world, id));
    CHECK(hash != vsp_world_hash(world));
}

static void body_types_are_told(void)
{
    set_up();
    CHECK_UINT(VSP_STATIC, vsp_body_get_type(world, floor_id));
    CHECK_UINT(VSP_DYNAMIC, vsp_body_get_type(world, ball));
    CHECK_UINT(
        VSP_KINEMATIC,
        vsp_body_get_type(world, add_body(world, VSP_KINEMATIC,
                                          vsp_sphere(VSP_R(1.0)), 9, 9, 9)));
}


/* ---- Shape -------------------------------------------------------------- */

#define SHAPE_FIELD(name, low, high)                    \
    {                                                   \
#name, offsetof(vsp_shape_def, name), low, high \
    }

static const field shape_fields[] = {
    SHAPE_FIELD(size.x, VSP_MIN_SIZE, VSP_MAX_SIZE),
    SHAPE_FIELD(size.y, VSP_MIN_SIZE, VSP_MAX_SIZE),
    SHAPE_FIELD(size.z, VSP_MIN_SIZE, VSP_MAX_SIZE),
    SHAPE_FIELD(density, VSP_R(0.0), VSP_R(1e9)),
    SHAPE_FIELD(surface_velocity.y, -VSP_MAX_SPEED, VSP_MAX_SPEED),
    SHAPE_FIELD(material.friction, VSP_R(0.0), VSP_R(100.0)),
    SHAPE_FIELD(material.restitution, VSP_R(0.0), VSP_R(1.0)),
};

static const field shape_places[] = {
    SHAPE_FIELD(pose.position.x, -VSP_MAX_POSITION, VSP_MAX_POSITION),
    SHAPE_FIELD(pose.position.y, -VSP_MAX_POSITION, VSP_MAX_POSITION),
    SHAPE_FIELD(pose.position.z, -VSP_MAX_POSITION, VSP_MAX_POSITION),
};

static vsp_status create_shape(const vsp_shape_def *def)
{
    vsp_shape_id id = {1}; /* anything but null */
    vsp_status status = vsp_shape_create(world, floor_id, def, &id);

    CHECK((status == VSP_OK) == (id.bits != 0));
    return status;
}

static void refuse_shape(void *def)
{
    CHECK_REFUSED(VSP_ERR_ARG, create_shape(def));
}

static void accept_shape(void *def)
{
    vsp_shape_id id = {0};

    CHECK_STATUS(VSP_OK, vsp_shape_create(world, floor_id, def, &id));
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, id));
}

static void shape_create_checks_numbers(void)
{
    vsp_shape_def def = vsp_box(VSP_R(1.0), VSP_R(1.0), VSP_R(1.0));

    set_up();
    try_fields(&def, sizeof def, shape_fields, COUNT_OF(shape_fields),
               refuse_shape, accept_shape);
    try_fields(&def, sizeof def, shape_places, COUNT_OF(shape_places),
               refuse_shape, accept_shape);
}

static void shape_create_checks_defs(void)
{
    vsp_shape_def def = vsp_sphere(VSP_R(1.0));

    set_up();
    CHECK_REFUSED(VSP_ERR_ARG, create_shape(NULL));
    def.cookie = 0;
    refuse_shape(&def);
    def = vsp_sphere(VSP_R(1.0));
    def.type = VSP_SHAPE_NONE;
    refuse_shape(&def);
    def.type = (vsp_shape_type)9;
    refuse_shape(&def);
    memset(&def.pose.rotation, 0, sizeof def.pose.rotation);
    def.type = VSP_SHAPE_SPHERE;
    refuse_shape(&def);
    def = vsp_half_space();
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_create(world, ball, &def, NULL));
}

/* The rest of the body would have a mass below VSP_MIN_MASS, but above 0. */
static void shape_destroy_leaves_no_speck_of_mass(void)
{
    vsp_shape_def speck = vsp_sphere(VSP_MIN_SIZE);
    vsp_shape_id id;

    set_up();
    speck.density = VSP_R(1.0);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, ball, &speck, &id));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_destroy(world, skin));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, id));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, skin));
}

static void shape_get_returns_what_was_given(void)
{
    vsp_shape_def def = vsp_box(VSP_R(1.0), VSP_R(2.0), VSP_R(3.0)), got;
    vsp_shape_id id;

    set_up();
    def.pose.position = real3(4, 5, 6);
    def.density = VSP_R(7.0);
    def.material.friction = VSP_R(0.25);
    def.material.friction_rule = VSP_RULE_MULTIPLY;
    def.filter.group = -3;
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, ball, &def, &id));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, id, &got));
    CHECK_UINT(def.cookie, got.cookie);
    CHECK_UINT(VSP_SHAPE_BOX, got.type);
    CHECK_NEAR(3, num(got.size.z), 0);
    CHECK_NEAR(6, num(got.pose.position.z), 0);
    CHECK_NEAR(7, num(got.density), 0);
    CHECK_NEAR(0.25, num(got.material.friction), 0);
    CHECK_UINT(VSP_RULE_MULTIPLY, got.material.friction_rule);
    CHECK_UINT((uint32_t)-3, (uint32_t)got.filter.group);
    CHECK_STATUS(VSP_OK, vsp_shape_create(world, ball, &got, NULL));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_get(world, id, NULL));
}

static vsp_status set_friction(vsp_real x)
{
    vsp_material m = vsp_sphere(VSP_R(1.0)).material;

    m.friction = x;
    return vsp_shape_set_material(world, skin, m);
}

static vsp_status set_restitution(vsp_real x)
{
    vsp_material m = vsp_sphere(VSP_R(1.0)).material;

    m.restitution = x;
    return vsp_shape_set_material(world, skin, m);
}

static void shape_setters_check_materials(void)
{
    vsp_material m = vsp_sphere(VSP_R(1.0)).material;

    set_up();
    check_bad_scalars(set_friction, -0.001, 100.1);
    check_bad_scalars(set_restitution, -0.001, 1.001);
    m.friction_rule = (vsp_rule)5;
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_material(world, skin, m));
    m.friction_rule = VSP_RULE_MIN;
    m.restitution_rule = (vsp_rule)-1;
    CHECK_REFUSED(VSP_ERR_ARG, vsp_shape_set_material(world, skin, m));
    m.restitution_rule = VSP_RULE_MIN;
    CHECK_STATUS(VSP_OK, vsp_shape_set_material(world, skin, m));
}

static void shape_setters_are_read_back(void)
{
    vsp_shape_def def;

    set_up();
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, skin, &def));
    def.material.friction = VSP_R(0.75);
    def.filter.mask = 0x0f;
    def.filter.category = 0xf0;
    CHECK_STATUS(VSP_OK, vsp_shape_set_material(world, skin, def.material));
    CHECK_STATUS(VSP_OK, vsp_shape_set_filter(world, skin, def.filter));
    CHECK_STATUS(VSP_OK, vsp_shape_get(world, skin, &def));
    CHECK_NEAR(0.75, num(def.material.friction), 0);
    CHECK_HEX(0x0f, def.filter.mask);
    CHECK_HEX(0xf0, def.filter.category);
}


/* ---- Contacts, snapshots, status names ---------------------------------- */

static void contact_get_checks_its_index(void)
{
    vsp_contact contact;

    set_up();
    CHECK_UINT(1, vsp_contact_count(world));
    CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_contact_get(world, 0, NULL));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_contact_get(world, 1, &contact));
    CHECK_REFUSED(VSP_ERR_ARG, vsp_contact_get(world, 0xffffffffu, &contact));
}

static void snapshot_checks_its_buffer(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    size_t size = 0, capacity, none;

    set_up();
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_world_snapshot(world, NULL, sizeof bytes, &size));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_world_snapshot(world, bytes, sizeof bytes, NULL));
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, sizeof bytes, &size));
    CHECK_AT_MOST(VSP_SNAPSHOT_BYTES, (double)size);
    for (capacity = 0; capacity < size; capacity++) {
        test_note("capacity %lu", (unsigned long)capacity);
        memset(bytes, 0xee, sizeof bytes);
        CHECK_REFUSED(VSP_ERR_MEMORY,
                      vsp_world_snapshot(world, bytes, capacity, &none));
        CHECK_HEX(0xee, bytes[capacity]);
    }
    CHECK_STATUS(VSP_OK, vsp_world_snapshot(world, bytes, size, &size));
}

static void restore_refuses_null(void)
{
    set_up();
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_restore(world, NULL, 100));
}

/* Makes a world in which every number is `zero`: 0, or so near to 0 that it is
 * flushed.  Returns its hash. */
static uint32_t hash_of_nearly(vsp_real zero)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_vec3 none = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_shape_def box = vsp_box(VSP_R(1.0), VSP_R(1.0), VSP_R(1.0));
    vsp_body_def def = body_def(VSP_DYNAMIC, box, 0, 0, 0);
    vsp_material material = {VSP_R(0.0), VSP_R(0.0), VSP_RULE_MIN,
                             VSP_RULE_MIN};
    vsp_body_id id;

    none.x = none.y = none.z = zero;
    setup.gravity = none;
    setup.tolerance = setup.fraction = zero;
    world = new_world_of(&setup);
    def.pose.position = def.velocity = def.spin = none;
    def.pose.rotation.x = def.pose.rotation.y = zero;
    def.linear_damping = def.angular_damping = def.gravity_scale = zero;
    def.mass = VSP_R(1.0);
    def.center = none;
    def.inertia = real3(1, 1, 1);
    def.shape.pose.position = none;
    def.shape.pose.rotation.z = zero;
    def.shape.density = zero;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_STATUS(VSP_OK, vsp_body_apply_force(world, id, none, none));
    CHECK_STATUS(VSP_OK, vsp_body_apply_impulse(world, id, none, none));
    CHECK_STATUS(VSP_OK, vsp_body_set_damping(world, id, zero, zero));
    CHECK_STATUS(VSP_OK, vsp_body_set_gravity_scale(world, id, zero));
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, none));
    material.friction = material.restitution = zero;
    CHECK_STATUS(VSP_OK, vsp_shape_set_material(world, vsp_shape_at(world, 0),
                                                material));
    step_world(world, 2);
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    return vsp_world_hash(world);
}

/* Machines that flush subnormals must get the same bits as others, so no
 * subnormal number may get into a world. */
static void what_is_tiny_counts_as_zero(void)
{
    uint32_t hash = hash_of_nearly(VSP_R(0.0));

    CHECK_HEX(hash, hash_of_nearly(VSP_R(1e-42)));
    CHECK_HEX(hash, hash_of_nearly(VSP_R(-1e-42)));
    CHECK_HEX(hash, hash_of_nearly(VSP_R(8e-16)));
}

static void status_names(void)
{
    static const struct {
        vsp_status status;
        const char *name;
    } all[] = {
        {VSP_OK, "VSP_OK"},
        {VSP_DEGRADED, "VSP_DEGRADED"},
        {VSP_DIVERGED, "VSP_DIVERGED"},
        {VSP_END, "VSP_END"},
        {VSP_WAIT, "VSP_WAIT"},
        {VSP_ERR_ARG, "VSP_ERR_ARG"},
        {VSP_ERR_ID, "VSP_ERR_ID"},
        {VSP_ERR_FULL, "VSP_ERR_FULL"},
        {VSP_ERR_MEMORY, "VSP_ERR_MEMORY"},
        {VSP_ERR_ABI, "VSP_ERR_ABI"},
        {VSP_ERR_DATA, "VSP_ERR_DATA"},
        {VSP_ERR_TRUNCATED, "VSP_ERR_TRUNCATED"},
        {VSP_ERR_VERSION, "VSP_ERR_VERSION"},
        {VSP_ERR_CHECKSUM, "VSP_ERR_CHECKSUM"},
        {VSP_ERR_TABLE, "VSP_ERR_TABLE"},
        {VSP_ERR_OVERLAP, "VSP_ERR_OVERLAP"},
        {(vsp_status)7, "unknown status"},
        {(vsp_status)-20, "unknown status"},
    };
    uint32_t i;

    for (i = 0; i < COUNT_OF(all); i++) {
        test_note("%s", all[i].name);
        CHECK(!strcmp(all[i].name, vsp_status_name(all[i].status)));
    }
}


static const test tests[] = {
    TEST(defaults_are_as_documented),
    TEST(shape_defs_hold_their_sizes),
    TEST(world_create_checks_numbers),
    TEST(world_create_checks_counts),
    TEST(world_create_checks_searches),
    TEST(world_create_checks_enums),
    TEST(world_create_wants_a_default_def),
    TEST(world_create_compares_options),
    TEST(world_create_refuses_null),
    TEST(world_create_measures_the_buffer),
    TEST(world_create_wants_alignment),
    TEST(world_stays_in_its_buffer),
    TEST(world_sets_gravity),
    TEST(world_tells_its_settings),
    TEST(null_world_is_refused),
    TEST(null_world_has_no_bodies_to_change),
    TEST(null_world_reads_as_nothing),
    TEST(phases_add_up_to_a_step),
    TEST(body_ids_are_checked),
    TEST(body_id_of_a_reused_slot_is_refused),
    TEST(shape_ids_are_checked),
    TEST(shape_id_dies_with_its_body),
    TEST(lowest_free_slot_is_taken_first),
    TEST(generations_last_as_documented),
    TEST(bodies_and_shapes_are_found_by_slot),
    TEST(body_create_checks_numbers),
    TEST(body_create_checks_mass),
    TEST(body_create_checks_inertia),
    TEST(body_create_checks_center),
    TEST(body_create_checks_rotations),
    TEST(body_create_makes_rotations_unit),
    TEST(body_create_checks_enums),
    TEST(body_create_wants_default_defs),
    TEST(body_create_refuses_dynamic_half_spaces),
    TEST(body_create_takes_no_id),
    TEST(body_without_mass_stays_put),
    TEST(body_setters_check_vectors),
    TEST(body_set_transform_checks_rotation),
    TEST(body_set_transform_moves_the_body),
    TEST(body_speeds_stay_in_range),
    TEST(forces_sum_up_within_their_range),
    TEST(static_bodies_take_no_velocity),
    TEST(bodies_not_dynamic_take_forces_without_effect),
    TEST(body_setters_check_numbers),
    TEST(body_set_mass_wants_what_it_scales),
    TEST(body_user_word_is_kept),
    TEST(body_types_are_told),
    TEST(shape_create_checks_numbers),
    TEST(shape_create_checks_defs),
    TEST(shape_destroy_leaves_no_speck_of_mass),
    TEST(shape_get_returns_what_was_given),
    TEST(shape_setters_check_materials),
    TEST(shape_setters_are_read_back),
    TEST(contact_get_checks_its_index),
    TEST(snapshot_checks_its_buffer),
    TEST(restore_refuses_null),
    TEST(what_is_tiny_counts_as_zero),
    TEST(status_names),
    TEST_END,
};

const test_suite api_suite = {"api", tests};
