/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Full worlds: bodies and shapes are refused, contacts are dropped by rule, and
 * a world stays valid whatever the calls.  The capacities are those of
 * small_config.h. */

#include "fixture.h"

#include <string.h>

static vsp_world *world;


/* ---- Bodies and shapes -------------------------------------------------- */

static void fill_bodies(uint32_t left)
{
    while (left-- > 0)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 3.0 * (double)left,
                 5, 0);
}

static void full_of_bodies(void)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id = {1};

    world = new_world();
    fill_bodies(VSP_MAX_BODIES);
    CHECK_REFUSED(VSP_ERR_FULL, vsp_body_create(world, &def, &id));
    CHECK_UINT(0, id.bits);
    CHECK_REFUSED(VSP_ERR_FULL, vsp_body_create(world, &def, NULL));
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, vsp_body_at(world, 3)));
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    CHECK_UINT(4, id.bits & 0xffffu);
}

static void full_of_shapes(void)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(1.0));
    vsp_body_def def = body_def(VSP_STATIC, shape, 0, 0, 0);
    vsp_shape_id skin = {1};
    vsp_body_id body = {1};
    uint32_t i;

    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
    for (i = 1; i < VSP_MAX_SHAPES; i++)
        CHECK_STATUS(VSP_OK, vsp_shape_create(world, vsp_body_at(world, 0),
                                              &shape, NULL));
    CHECK_REFUSED(VSP_ERR_FULL, vsp_shape_create(world, vsp_body_at(world, 0),
                                                 &shape, &skin));
    CHECK_UINT(0, skin.bits);
    /* if the first shape does not fit, no body is created either */
    CHECK_REFUSED(VSP_ERR_FULL, vsp_body_create(world, &def, &body));
    CHECK_UINT(0, body.bits);
    CHECK_UINT(1, vsp_world_stats(world).body_count);
    def = vsp_body_def_default();
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &body));
}

/* A world may have smaller capacities than the build. */
static void capacity_of_a_world(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_shape_def ball = vsp_sphere(VSP_R(0.5));
    vsp_body_def body = body_def(VSP_DYNAMIC, ball, 0, 5, 0);
    vsp_shape_id skin;

    CHECK_UINT(0, vsp_world_capacity(NULL).bodies);
    def.capacity.bodies = 2;
    def.capacity.shapes = 3;
    world = new_world_of(&def);
    CHECK_UINT(2, vsp_world_capacity(world).bodies);
    CHECK_UINT(VSP_MAX_CONTACTS, vsp_world_capacity(world).contacts);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &body, NULL));
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &body, NULL));
    CHECK_REFUSED(VSP_ERR_FULL, vsp_body_create(world, &body, NULL));
    CHECK_STATUS(VSP_OK,
                 vsp_shape_create(world, vsp_body_at(world, 0), &ball, &skin));
    CHECK_REFUSED(VSP_ERR_FULL,
                  vsp_shape_create(world, vsp_body_at(world, 0), &ball, NULL));
    CHECK_STATUS(VSP_OK, vsp_shape_destroy(world, skin));
    CHECK_STATUS(VSP_OK,
                 vsp_shape_create(world, vsp_body_at(world, 1), &ball, NULL));
}

static void capacities_have_ranges(void)
{
    uint32_t i;

    for (i = 0; i < 10; i++) {
        vsp_world_def def = vsp_world_def_default();
        uint32_t *all[5];

        all[0] = &def.capacity.bodies;
        all[1] = &def.capacity.shapes;
        all[2] = &def.capacity.pairs;
        all[3] = &def.capacity.manifolds;
        all[4] = &def.capacity.contacts;
        *all[i / 2] = i % 2 ? *all[i / 2] + 1 : i == 8 ? 3 : 0;
        test_note("capacity %u is %u", i / 2, *all[i / 2]);
        CHECK_STATUS(VSP_ERR_ARG,
                     vsp_world_create(arena(1), VSP_WORLD_BYTES, &def, &world));
        CHECK(world == NULL);
    }
}

static void destroyed_bodies_free_their_shapes(void)
{
    vsp_shape_def shape = vsp_sphere(VSP_R(1.0));
    vsp_body_id body;
    uint32_t i, round;

    world = new_world();
    for (round = 0; round < 5; round++) {
        body = add_body(world, VSP_STATIC, shape, 0, 0, 0);
        for (i = 1; i < VSP_MAX_SHAPES; i++)
            CHECK_STATUS(VSP_OK, vsp_shape_create(world, body, &shape, NULL));
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
        CHECK_STATUS(VSP_OK, vsp_body_destroy(world, body));
        CHECK_UINT(0, vsp_world_stats(world).shape_count);
    }
}

/* The search for the end of a bullet's path overwrites memory of the solve, up
 * to the size for a world full of shapes.  So it must not use the list of other
 * bullets there. */
static void bullets_of_a_full_world_stop(void)
{
    vsp_shape_def ball = vsp_sphere(VSP_R(0.1));
    vsp_body_def def = body_def(VSP_DYNAMIC, ball, 0, 2, 0);
    vsp_body_id id[VSP_MAX_BODIES];
    uint32_t i;

    world = new_world();
    add_ground(world);
    def.is_bullet = true;
    def.velocity = real3(0, -180, 0);
    for (i = 1; i < VSP_MAX_BODIES; i++) {
        def.pose.position.x = real(i);
        CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id[i]));
    }
    for (i = VSP_MAX_BODIES; i < VSP_MAX_SHAPES; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_shape_create(world, id[i % 7 + 1], &ball, NULL));
    CHECK(vsp_world_step(world) >= 0);
    for (i = 1; i < VSP_MAX_BODIES; i++) {
        test_note("bullet %u", i);
        CHECK_AT_LEAST(0.05, num(vsp_body_transform(world, id[i]).position.y));
    }
}


/* ---- Contacts ----------------------------------------------------------- */

/* Adds boxes with 4 points each on the floor; box i overlaps it by i mm. */
static void sink_boxes(uint32_t count)
{
    uint32_t i;

    world = new_world();
    add_ground(world);
    for (i = 0; i < count; i++)
        add_cube(world, 2.0 * i, 0.5 - 0.001 * i, 0);
}

static void as_many_contacts_as_fit(void)
{
    sink_boxes(VSP_MAX_CONTACTS / 4);
    CHECK_STATUS(VSP_OK, vsp_world_step(world));
    CHECK_UINT(VSP_MAX_CONTACTS, vsp_world_stats(world).contact_count);
    CHECK_UINT(0, vsp_world_stats(world).contacts_dropped);
}

static double x_of(vsp_body_id id)
{
    return num(vsp_body_transform(world, id).position.x);
}

static void shallow_contacts_are_dropped(void)
{
    vsp_stats stats;
    vsp_contact contact;
    uint32_t i;

    sink_boxes(5);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    stats = vsp_world_stats(world);
    CHECK_AT_MOST(VSP_MAX_CONTACTS, stats.contact_count);
    CHECK_UINT(20, stats.contact_count + stats.contacts_dropped);
    for (i = 0; i < vsp_contact_count(world); i++) {
        CHECK_STATUS(VSP_OK, vsp_contact_get(world, i, &contact));
        test_note("contact %u, %u points", i, stats.contact_count);
        /* boxes 2, 3 and 4 are deepest, on ground at 0 */
        CHECK_AT_LEAST(3.9, x_of(contact.body_a) + x_of(contact.body_b));
    }
    CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
}

/* Balls in a corner touch its floor and its wall.  Of four, three fit, each
 * with both touches; each touch that does not fit is counted. */
static void all_touches_of_a_pair_count(void)
{
    static const vsp_mesh corner = CORNER_MESH;
    vsp_stats stats;
    uint32_t table, i;
    vsp_flaw flaw;

    world = new_world();
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &corner, &table, &flaw));
    add_body(world, VSP_STATIC, vsp_table_shape(VSP_SHAPE_MESH, table), 0, 0,
             0);
    for (i = 0; i < 4; i++)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.25)), 0.75 + 0.001 * i,
                 0.251, 0.75 * i - 1.0);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    stats = vsp_world_stats(world);
    CHECK_UINT(6, stats.contact_count);
    CHECK_UINT(2, stats.contacts_dropped);
    /* balls farther inside the wall are deeper */
    for (i = 0; i < 4; i++)
        CHECK(i == 0
                  ? num(vsp_body_velocity(world, vsp_body_at(world, 1)).y) <
                        -0.1
                  : num(vsp_body_velocity(world, vsp_body_at(world, 1 + i)).y) >
                        -0.1);
}

/* up to 12 contacts, but more pairs of shapes than manifolds */
static void add_ball_row(uint32_t count)
{
    uint32_t i;

    world = new_world();
    add_ground(world);
    for (i = 0; i < count; i++)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 2.0 * (double)i,
                 0.5 - 0.001 * (double)i, 0);
}

static void shallow_manifolds_are_dropped(void)
{
    vsp_stats stats;

    add_ball_row(6);
    CHECK_STATUS(VSP_OK, vsp_world_step(world));
    CHECK_UINT(6, vsp_world_stats(world).manifold_count);
    add_ball_row(7);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    stats = vsp_world_stats(world);
    CHECK_UINT(VSP_MAX_MANIFOLDS, stats.manifold_count);
    CHECK_UINT(1, stats.contacts_dropped);
    /* the deepest six stand; the shallowest falls in the first step */
    CHECK_AT_MOST(-0.001,
                  num(vsp_body_velocity(world, vsp_body_at(world, 1)).y));
    CHECK_AT_LEAST(-0.001,
                   num(vsp_body_velocity(world, vsp_body_at(world, 7)).y));
}

/* Seven balls arranged as in a crystal, 0.13 m apart: 15 pairs of bounds touch,
 * but no balls do. */
static void dropped_pairs_are_counted(void)
{
    static const double at[][3] = {
        {0, 0, 0},       {0.8, 0.8, 0},   {0.8, 0, 0.8},  {0, 0.8, 0.8},
        {1.6, 0.8, 0.8}, {0.8, 1.6, 0.8}, {0.8, 0.8, 1.6}};
    uint32_t i;

    world = new_world();
    for (i = 0; i < COUNT_OF(at); i++)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), at[i][0], at[i][1],
                 at[i][2]);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    CHECK_UINT(VSP_MAX_PAIRS, vsp_world_stats(world).pair_count);
    CHECK_UINT(15 - VSP_MAX_PAIRS, vsp_world_stats(world).contacts_dropped);
    CHECK_UINT(0, vsp_world_stats(world).manifold_count);
}

/* 28 pairs of balls at one position, for 12 entries of the list */
static void pairs_are_dropped(void)
{
    uint32_t i, step;

    world = new_world();
    for (i = 0; i < VSP_MAX_BODIES; i++)
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0.1 * (double)i, 0,
                 0);
    for (step = 0; step < 50; step++) {
        vsp_status status = vsp_world_step(world);

        test_note("step %u", step);
        CHECK(status == VSP_DEGRADED || status == VSP_OK);
        CHECK(step > 0 || status == VSP_DEGRADED);
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    }
    CHECK_AT_MOST(VSP_MAX_PAIRS, vsp_world_stats(world).pair_high);
}

static void overfull_worlds_go_on_alike(void)
{
    uint32_t hashes[2], run, i;

    for (run = 0; run < 2; run++) {
        sink_boxes(VSP_MAX_BODIES - 1);
        for (i = 0; i < 100; i++)
            CHECK(vsp_world_step(world) >= 0);
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
        hashes[run] = vsp_world_hash(world);
    }
    CHECK_HEX(hashes[0], hashes[1]);
}

static void high_water_marks_say_what_to_build(void)
{
    vsp_stats stats;

    sink_boxes(5);
    CHECK_STATUS(VSP_DEGRADED, vsp_world_step(world));
    stats = vsp_world_stats(world);
    CHECK_UINT(6, stats.body_high);
    CHECK_UINT(6, stats.shape_high);
    CHECK_AT_LEAST(5, stats.pair_high);
    CHECK_AT_LEAST(VSP_MAX_CONTACTS - 3.0, stats.contact_high);
}


/* ---- Ranges ------------------------------------------------------------- */

/* Numbers at their limits must not cause an infinity or a NaN. */
static void extreme_worlds_stay_finite(void)
{
    vsp_world_def def = vsp_world_def_default();
    double force = num(VSP_MAX_FORCE), end = num(VSP_MAX_POSITION);
    double gravity = num(VSP_MAX_SPEED);
    vsp_vec3 push = real3(force, force, -force);
    uint32_t step, i;

    def.gravity = real3(gravity, -gravity, gravity);
    def.dt = VSP_MAX_DT;
    world = new_world_of(&def);
    add_ground(world);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_MIN_SIZE), 0, 0, 0);
    add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(50.0)), 0, 1, 0);
    add_cube(world, 0, 1, 0);
    add_cube(world, end, end, -end);
    for (step = 0; step < 200; step++) {
        test_note("step %u", step);
        for (i = 1; i < 5; i++) {
            vsp_body_id id = vsp_body_at(world, i);

            CHECK_STATUS(VSP_OK, vsp_body_apply_center_force(world, id, push));
            CHECK_STATUS(VSP_OK, vsp_body_apply_torque(world, id, push));
        }
        CHECK(vsp_world_step(world) >= 0);
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    }
}

static void bodies_in_one_point_stay_finite(void)
{
    uint32_t i;

    world = new_world();
    add_ground(world);
    for (i = 0; i < 3; i++) {
        add_cube(world, 0, 0.3, 0);
        add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), 0, 0.3, 0);
    }
    for (i = 0; i < 200; i++) {
        test_note("step %u", i);
        CHECK(vsp_world_step(world) >= 0);
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
    }
}


/* ---- Random calls ------------------------------------------------------- */

static uint32_t random_state;

static uint32_t draw_below(uint32_t limit)
{
    return random_below(&random_state, limit);
}

static double random_real(void)
{
    static const double wild[] = {0,   1e-30, 1e-3, 1e5, -1e5,
                                  1e9, 1e30,  -1,   1,   1e4};

    if (draw_below(8) == 0)
        return wild[draw_below(10)];
    return (double)draw_below(4001) / 1000.0 - 2.0;
}

static vsp_vec3 random_vec3(void)
{
    vsp_vec3 v;

    v.x = real(random_real());
    v.y = real(random_real());
    v.z = real(random_real());
    return v;
}

static vsp_body_id random_body(void)
{
    vsp_body_id id = vsp_body_at(world, draw_below(VSP_MAX_BODIES));

    id.bits += draw_below(10) == 0 ? 0x10000u : 0u;
    return id;
}

static vsp_shape_id random_shape(void)
{
    return vsp_shape_at(world, draw_below(VSP_MAX_SHAPES));
}

static vsp_shape_def random_shape_def(void)
{
    vsp_shape_def def = vsp_half_space();

    if (draw_below(5) > 0)
        def = vsp_sphere(real(random_real()));
    if (draw_below(2) > 0)
        def = vsp_box(real(random_real()), real(random_real()),
                      real(random_real()));
    def.pose.position = random_vec3();
    if (draw_below(2) > 0)
        def.density = real(random_real());
    return def;
}

static vsp_body_def random_body_def(void)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = (vsp_body_type)draw_below(3);
    def.pose.position = random_vec3();
    def.velocity = random_vec3();
    if (draw_below(4) > 0)
        def.shape = random_shape_def();
    if (draw_below(4) == 0)
        def.mass = real(random_real());
    if (draw_below(8) == 0)
        def.inertia = random_vec3();
    return def;
}

/* Makes one call with random arguments, most of which are refused. */
static vsp_status random_call(void)
{
    vsp_body_def body = random_body_def();
    vsp_shape_def shape = random_shape_def();
    vsp_transform pose = body.pose;
    vsp_vec3 v = random_vec3(), u = random_vec3();

    switch (draw_below(12)) {
    case 0:
        return vsp_body_destroy(world, random_body());
    case 1:
        return vsp_shape_create(world, random_body(), &shape, NULL);
    case 2:
        return vsp_shape_destroy(world, random_shape());
    case 3:
        return vsp_body_set_transform(world, random_body(), pose);
    case 4:
        return vsp_body_set_velocity(world, random_body(), v, u);
    case 5:
        return vsp_body_set_mass(world, random_body(), body.mass, v,
                                 body.inertia);
    case 6:
        return vsp_body_apply_force(world, random_body(), v, u);
    case 7:
        return vsp_body_apply_impulse(world, random_body(), v, u);
    case 8:
        return vsp_shape_set_material(world, random_shape(), shape.material);
    default:
        return vsp_body_create(world, &body, NULL);
    }
}

/* A refused call must change nothing, an accepted one must leave a valid
 * world. */
static void random_calls_leave_a_valid_world(void)
{
    uint32_t seed, i;

    for (seed = 1; seed <= 40; seed++) {
        world = new_world();
        random_state = seed;
        for (i = 0; i < 300; i++) {
            vsp_status status;

            test_note("seed %u, call %u", seed, i);
            remember_world();
            status = random_call();
            if (status < 0)
                check_unchanged(__FILE__, __LINE__, "a refused call");
            CHECK(vsp_world_step(world) >= 0);
            if (!CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL)))
                return;
        }
    }
}


static const test tests[] = {
    TEST(full_of_bodies),
    TEST(full_of_shapes),
    TEST(bullets_of_a_full_world_stop),
    TEST(capacity_of_a_world),
    TEST(capacities_have_ranges),
    TEST(destroyed_bodies_free_their_shapes),
    TEST(as_many_contacts_as_fit),
    TEST(shallow_contacts_are_dropped),
    TEST(all_touches_of_a_pair_count),
    TEST(shallow_manifolds_are_dropped),
    TEST(dropped_pairs_are_counted),
    TEST(pairs_are_dropped),
    TEST(overfull_worlds_go_on_alike),
    TEST(high_water_marks_say_what_to_build),
    TEST(extreme_worlds_stay_finite),
    TEST(bodies_in_one_point_stay_finite),
    TEST(random_calls_leave_a_valid_world),
    TEST_END,
};

const test_suite limits_suite = {"limits", tests};
