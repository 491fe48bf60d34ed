/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The character of port/character, on stairs, walls, slopes, platforms. */

#include "fixture.h"
#include "port/character/character.h"
#include "port/vec_libm.h"

#define DT (1.0 / 60)

static vsp_world *world;
static character it;

static vsp_body_id add_box(vsp_body_type type, vec3 at, vec3 half,
                           vsp_quat rotation)
{
    return add_turned(world, type,
                      vsp_box(real(half.x), real(half.y), real(half.z)), at.x,
                      at.y, at.z, rotation);
}

static void begin(double x, double y, double z)
{
    character_def def = character_def_default();

    world = new_world();
    add_ground(world);
    character_place(&it, &def, vec_make(x, y, z));
}

/* the height of its feet */
static double foot(void)
{
    return it.position.y - it.def.half_height - it.def.radius;
}

/* Moves it for so many seconds; it never is in anything. */
static void go_on(double x, double z, double seconds)
{
    int i, count = (int)(seconds * 60 + 0.5);

    for (i = 0; i < count; i++) {
        vsp_hit hit;
        int k;

        CHECK_STATUS(VSP_OK, vsp_world_step(world));
        character_move(&it, world, vec_make(x, 0, z), DT);
        for (k = -1; k <= 1; k++) {
            vec3 at = vec_add(it.position,
                              vec_make(0, k * it.def.half_height, 0));

            CHECK_STATUS(VSP_OK,
                         vsp_closest_point(world, real3(at.x, at.y, at.z),
                                           VSP_R(0.5), NULL, &hit));
            if (hit.shape.bits != 0)
                CHECK_AT_LEAST(it.def.radius - 0.001, num(hit.distance));
        }
    }
}

static void falls_and_lands(void)
{
    begin(0, 3, 0);
    go_on(0, 0, 0.2);
    CHECK(!it.is_grounded);
    CHECK_NEAR(3 - 0.5 * 9.81 * 0.04, it.position.y, 0.03);
    go_on(0, 0, 1);
    CHECK(it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
}

static void walks_at_its_speed(void)
{
    begin(0, 1, 0);
    go_on(0, 0, 0.5);
    go_on(2, -1, 2);
    CHECK(it.is_grounded);
    CHECK_NEAR(4, it.position.x, 1e-3);
    CHECK_NEAR(-2, it.position.z, 1e-3);
    CHECK_NEAR(0.02, foot(), 0.011);
}

static void jumps_as_high_as_it_must(void)
{
    double top = 0;
    int i;

    begin(0, 1, 0);
    go_on(0, 0, 0.5);
    character_jump(&it, 4);
    for (i = 0; i < 60; i++) {
        go_on(0, 0, DT);
        top = fmax(top, foot());
    }
    CHECK_NEAR(4 * 4 / (2 * 9.81), top, 0.06);
    CHECK(it.is_grounded);
}

/* Ten steps of 30 cm, so high. */
static void add_stairs(double height)
{
    int i;

    for (i = 0; i < 10; i++)
        add_box(VSP_STATIC, vec_make(2 + 0.3 * i + 5, height * (i + 1) / 2, 0),
                vec_make(5, height * (i + 1) / 2, 2), no_turn());
}

static void walks_up_stairs(void)
{
    begin(0, 1, 0);
    add_stairs(0.2);
    go_on(0, 0, 0.5);
    go_on(2, 0, 4);
    CHECK(it.is_grounded);
    CHECK_NEAR(2.02, foot(), 0.011);
    CHECK_AT_LEAST(6, it.position.x);
    go_on(-2, 0, 5); /* and down again; it stays grounded */
    CHECK(it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
}

static void stops_at_steps_too_high(void)
{
    begin(0, 1, 0);
    add_stairs(0.4);
    go_on(0, 0, 0.5);
    go_on(2, 0, 4);
    CHECK(it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
    CHECK_NEAR(2 - 0.3 - 0.02, it.position.x, 0.02);
}

static void slides_along_a_wall(void)
{
    begin(0, 1, 0);
    add_box(VSP_STATIC, vec_make(2.5, 1, 0), vec_make(0.5, 2, 20), no_turn());
    go_on(0, 0, 0.5);
    go_on(2, 2, 3);
    CHECK_NEAR(2 - 0.3 - 0.02, it.position.x, 0.02);
    CHECK_NEAR(6, it.position.z, 0.2);
    CHECK(it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
    go_on(2, 0, 1); /* straight at the wall: it goes no further */
    CHECK_NEAR(6, it.position.z, 0.2);
    CHECK_NEAR(2 - 0.3 - 0.02, it.position.x, 0.02);
}

static void stops_in_a_corner(void)
{
    begin(0, 1, 0);
    add_box(VSP_STATIC, vec_make(2.5, 1, 0), vec_make(0.5, 2, 20), no_turn());
    add_box(VSP_STATIC, vec_make(0, 1, 2.5), vec_make(20, 2, 0.5),
            turn(20, 0, 1, 0));
    go_on(0, 0, 0.5);
    go_on(2, 2, 4);
    CHECK_AT_MOST(1.7, it.position.x);
    CHECK_AT_MOST(1.7 + 2 * 0.37, it.position.z);
    CHECK_NEAR(0.02, foot(), 0.011);
}

/* On a slope of so many degrees that rises along x, without walking. */
static double slip_on(double degrees)
{
    vec3 n = vec_make(-sin(degrees * PI / 180), cos(degrees * PI / 180), 0);
    double x;

    begin(0, 0, 0);
    add_box(VSP_STATIC, vec_mad(vec_make(0, 16, 0), -0.5, n),
            vec_make(20, 0.5, 5), turn(degrees, 0, 0, 1));
    it.position = vec_mad(vec_make(0, 16 + it.def.half_height, 0), 0.33, n);
    go_on(0, 0, 0.3);
    x = it.position.x;
    go_on(0, 0, 1);
    return x - it.position.x;
}

static void stands_on_slopes_that_are_not_steep(void)
{
    CHECK_NEAR(0, slip_on(20), 1e-3);
    CHECK(it.is_grounded);
    CHECK_NEAR(0, slip_on(40), 1e-3);
    CHECK(it.is_grounded);
    CHECK_AT_LEAST(2, slip_on(60));
    CHECK(!it.is_grounded);
}

static void walks_up_a_slope(void)
{
    vec3 from;

    slip_on(40);
    from = it.position;
    go_on(1, 0, 2);
    CHECK(it.is_grounded);
    CHECK_NEAR(2, it.position.x - from.x, 0.01);
    CHECK_NEAR(2 * tan(40 * PI / 180), it.position.y - from.y, 0.01);
    slip_on(60);
    from = it.position;
    go_on(1, 0, 0.5);
    CHECK_AT_MOST(from.x, it.position.x);
}

static void rides_a_platform(vec3 velocity, vec3 way)
{
    vsp_body_id id;

    begin(0, 2.5, 0);
    id = add_box(VSP_KINEMATIC, vec_make(0, 1, 0), vec_make(2, 0.25, 2),
                 no_turn());
    go_on(0, 0, 1);
    CHECK(it.is_grounded);
    CHECK_HEX(id.bits, it.ground.bits);
    CHECK_STATUS(
        VSP_OK, vsp_body_set_velocity(world, id,
                                      real3(velocity.x, velocity.y, velocity.z),
                                      real3(0, 0, 0)));
    go_on(0, 0, 2);
    CHECK(it.is_grounded);
    CHECK_HEX(id.bits, it.ground.bits);
    CHECK_NEAR(way.x, it.position.x, 0.01);
    CHECK_NEAR(way.z, it.position.z, 0.01);
    CHECK_NEAR(1.25 + way.y + 0.02, foot(), 0.02);
}

static void is_carried_by_platforms(void)
{
    rides_a_platform(vec_make(1, 0, 0.5), vec_make(2, 0, 1));
    rides_a_platform(vec_make(0, 1, 0), vec_make(0, 2, 0));
    rides_a_platform(vec_make(0, -0.4, 0), vec_make(0, -0.8, 0));
}

static const test tests[] = {
    TEST(falls_and_lands),
    TEST(walks_at_its_speed),
    TEST(jumps_as_high_as_it_must),
    TEST(walks_up_stairs),
    TEST(stops_at_steps_too_high),
    TEST(slides_along_a_wall),
    TEST(stops_in_a_corner),
    TEST(stands_on_slopes_that_are_not_steep),
    TEST(walks_up_a_slope),
    TEST(is_carried_by_platforms),
    TEST_END,
};

const test_suite character_suite = {"character", tests};
