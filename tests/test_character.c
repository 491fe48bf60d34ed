/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Characters: on stairs, walls, slopes, platforms; how they push; the effects
 * of a move, and the arguments that a move refuses. */

#include "fixture.h"
#include "port/scenes/scene.h"
#include "port/vec_libm.h"

#include <string.h>

static vsp_world *world;
static vsp_character it;

static uint32_t seed;

static double between(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

static vsp_body_id add_box(vsp_body_type type, vec3 at, vec3 half,
                           vsp_quat rotation)
{
    return add_turned(world, type,
                      vsp_box(real(half.x), real(half.y), real(half.z)), at.x,
                      at.y, at.z, rotation);
}

static vsp_body_id add_wall(vec3 at, vec3 half)
{
    return add_box(VSP_STATIC, at, half, no_turn());
}

/* Makes a world with ground and a character, with steps of 1/rate s. */
static void begin_at_rate(double rate, double x, double y, double z)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_character_def def = vsp_character_def_default();

    setup.dt = real(1 / rate);
    world = new_world_of(&setup);
    add_ground(world);
    CHECK_STATUS(VSP_OK, vsp_character_place(&def, real3(x, y, z), &it));
}

static void begin_world(double x, double y, double z)
{
    begin_at_rate(60, x, y, z);
}

static vec3 position(void)
{
    return vec_from(it.position);
}

/* Returns the height of the character's feet. */
static double foot(void)
{
    return position().y - num(it.def.half_height) - num(it.def.radius);
}

/* Returns the distance to all other shapes, m, at most half a metre; negative
 * inside one. */
static double gap(void)
{
    vec3 up = vec_from(it.def.up);
    vsp_query query = vsp_query_default();
    double least = 0.5;
    int k;

    query.except = it.def.body;
    for (k = -8; k <= 8; k++) {
        vec3 at = vec_mad(position(), k * num(it.def.half_height) / 8, up);
        vsp_hit hit;

        CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(at.x, at.y, at.z),
                                               VSP_R(1.0), &query, &hit));
        if (hit.shape.bits != 0)
            least = fmin(least, num(hit.distance) - num(it.def.radius));
    }
    return least;
}

static void move_character(double x, double y, double z)
{
    CHECK_STATUS(VSP_OK, vsp_world_step(world));
    CHECK_STATUS(VSP_OK, vsp_character_move(world, &it, real3(x, y, z)));
    CHECK_STATUS(VSP_OK, vsp_character_apply(world, &it));
}

static int moves_in(double seconds)
{
    return (int)(seconds / num(vsp_world_dt(world)) + 0.5);
}

/* Moves the character for some seconds, and checks that it never overlaps a
 * shape. */
static void go_on(double x, double z, double seconds)
{
    int i, count = moves_in(seconds);

    for (i = 0; i < count; i++) {
        move_character(x, 0, z);
        if (!CHECK_AT_LEAST(-0.001, gap()) || !CHECK_UINT(0, it.is_crushed))
            return;
    }
}


/* ---- Falling, walking ---------------------------------------------------- */

static void falls_and_lands(void)
{
    begin_world(0, 3, 0);
    go_on(0, 0, 0.2);
    CHECK_UINT(0, it.is_grounded);
    CHECK_NEAR(3 - 0.5 * 9.81 * 0.04, position().y, 0.03);
    CHECK_NEAR(-1.962, num(it.velocity.y), 0.01);
    go_on(0, 0, 1);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
    CHECK_NEAR(0, num(it.velocity.y), 0);
}

/* The character must not move, to the bit. */
static void rests(void)
{
    vec3 at;

    begin_world(0, 1, 0);
    add_box(VSP_STATIC, vec_make(0, 0, 0), vec_make(3, 0.3, 3),
            turn(17, 0.36, 0.48, 0.8));
    go_on(0.3, 0.1, 1.5);
    CHECK_UINT(1, it.is_grounded);
    go_on(0, 0, 0.1);
    at = position();
    go_on(0, 0, 2);
    CHECK(at.x == position().x && at.y == position().y && at.z == position().z);
}

static void walks_at_its_speed(void)
{
    begin_world(0, 1, 0);
    go_on(0, 0, 0.5);
    go_on(2, -1, 2);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(4, position().x, 1e-3);
    CHECK_NEAR(-2, position().z, 1e-3);
    CHECK_NEAR(0.02, foot(), 0.011);
}

static void jumps_as_high_as_it_must(void)
{
    double top = 0;
    int i;

    begin_world(0, 1, 0);
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_jump(&it, VSP_R(4.0)));
    go_on(0, 0, 0.5);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&it, VSP_R(4.0)));
    for (i = 0; i < 60; i++) {
        move_character(0, 0, 0);
        top = fmax(top, foot());
    }
    CHECK_NEAR(4 * 4 / (2 * 9.81), top, 0.06);
    CHECK_UINT(1, it.is_grounded);
}

static void a_ceiling_ends_a_jump(void)
{
    double top = 0;
    int i;

    begin_world(0, 1, 0);
    add_wall(vec_make(0, 2.5, 0), vec_make(1, 0.3, 1));
    go_on(0, 0, 0.5);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&it, VSP_R(6.0)));
    for (i = 0; i < 60; i++) {
        go_on(0, 0, 1.0 / 60);
        top = fmax(top, foot() + 1.8);
    }
    CHECK_AT_MOST(2.2, top);
    CHECK_AT_LEAST(2.15, top);
    CHECK_UINT(1, it.is_grounded);
}

/* Up may be any direction; gravity is the world's. */
static void walks_on_a_wall(void)
{
    vsp_character_def def = vsp_character_def_default();
    vec3 from;

    begin_world(0, 5, 0);
    add_wall(vec_make(-0.5, 5, 0), vec_make(0.5, 5, 5));
    def.up = real3(3, 0, 0);
    CHECK_STATUS(VSP_OK, vsp_world_set_gravity(world, real3(-9.81, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_character_place(&def, real3(1.2, 5, 0), &it));
    it.def.up = real3(1, 0, 0);
    go_on(0, 0, 0.5);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0.92, position().x, 0.011);
    from = position();
    for (int i = 0; i < 60; i++)
        move_character(5, 1, 1);
    CHECK_NEAR(0.92, position().x, 0.011);
    CHECK_NEAR(from.y + 1, position().y, 1e-3);
    CHECK_NEAR(from.z + 1, position().z, 1e-3);
}


/* ---- Stairs -------------------------------------------------------------- */

/* Ten steps, each 30 cm long and `height` high. */
static void add_stairs(double height)
{
    int i;

    for (i = 0; i < 10; i++)
        add_wall(vec_make(2 + 0.3 * i + 5, height * (i + 1) / 2, 0),
                 vec_make(5, height * (i + 1) / 2, 2));
}

static void walks_up_stairs(void)
{
    begin_world(0, 1, 0);
    add_stairs(0.2);
    go_on(0, 0, 0.5);
    go_on(2, 0, 4);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(2.02, foot(), 0.011);
    CHECK_NEAR(8, position().x, 0.01); /* the stairs do not slow it down */
    go_on(-2, 0, 5);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
    CHECK_NEAR(-2, position().x, 0.02);
}

/* A character must not leave the ground on stairs. */
static void sticks_to_stairs(void)
{
    int i;

    begin_world(0, 1, 0);
    add_stairs(0.25);
    go_on(0, 0, 0.5);
    for (i = 0; i < 240; i++) {
        move_character(i < 120 ? 3 : -3, 0, 0.1);
        CHECK_UINT(1, it.is_grounded);
    }
    CHECK_NEAR(0.02, foot(), 0.011);
}

static void climbs_in_short_moves(void)
{
    static const double speeds[] = {0.05, 0.3, 0.7, 1.4, 3};
    uint32_t i;

    for (i = 0; i < COUNT_OF(speeds); i++) {
        double v = speeds[i];

        test_note("%g m/s", v);
        begin_at_rate(120, 1.6, 0.93, 0);
        add_wall(vec_make(4, 0.15, 0), vec_make(2, 0.15, 3));
        go_on(0, 0, 0.1);
        go_on(v, 0, 0.6 / v);
        CHECK_UINT(1, it.is_grounded);
        CHECK_NEAR(2.2, position().x, 0.01);
        CHECK_NEAR(0.32, foot(), 0.03); /* part of the foot is still over the
                                         * edge */
    }
    test_note("");
}

/* Half a metre a move. */
static void climbs_in_long_moves(void)
{
    int i;

    begin_world(0, 1, 0);
    add_stairs(0.25);
    go_on(0, 0, 0.5);
    for (i = 0; i < 12; i++)
        move_character(30, 0, 0);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(6, position().x, 0.001);
    CHECK_NEAR(2.52, foot(), 0.011);
}

static void stops_at_steps_too_high(void)
{
    begin_world(0, 1, 0);
    add_stairs(0.4);
    go_on(0, 0, 0.5);
    go_on(2, 0, 4);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
    CHECK_NEAR(2 - 0.3 - 0.02, position().x, 0.02);
}

static void needs_headroom(void)
{
    begin_world(0, 1, 0);
    add_wall(vec_make(4, 0.15, 0), vec_make(2, 0.15, 3));
    add_wall(vec_make(4, 3, 0), vec_make(2, 1, 3)); /* 1.7 m over the step */
    go_on(0, 0, 0.5);
    go_on(2, 0, 3);
    CHECK_UINT(1, it.is_grounded);
    CHECK_AT_MOST(2, position().x); /* foot on the edge, head at the edge of the
                                     * ceiling */
    go_on(-2, 0, 1);
    CHECK_NEAR(0.02, foot(), 0.011);
}


/* ---- Walls --------------------------------------------------------------- */

static void slides_along_a_wall(void)
{
    begin_world(0, 1, 0);
    add_wall(vec_make(2.5, 1, 0), vec_make(0.5, 2, 20));
    go_on(0, 0, 0.5);
    go_on(2, 2, 3);
    CHECK_NEAR(2 - 0.3 - 0.02, position().x, 0.02);
    CHECK_NEAR(6, position().z, 0.05);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
    go_on(2, 0, 1); /* straight at the wall: it must stop */
    CHECK_NEAR(6, position().z, 0.05);
    CHECK_NEAR(2 - 0.3 - 0.02, position().x, 0.02);
}

/* Each move must slide in the same direction along the wall, without jitter. */
static void slides_evenly(void)
{
    int i;

    begin_world(0, 1, 0);
    add_box(VSP_STATIC, vec_make(2.5, 1, 0), vec_make(0.5, 2, 20),
            turn(8, 0, 1, 0));
    go_on(0, 0, 0.5);
    go_on(2, 0, 1.5);
    for (i = 0; i < 60; i++) {
        vec3 from = position(), way;

        move_character(2, 0, 0);
        way = vec_sub(position(), from);
        CHECK_NEAR(
            vec_dot(way, vec_make(cos(8 * PI / 180), 0, -sin(8 * PI / 180))), 0,
            0.00001);
        CHECK_NEAR(2 * sin(8 * PI / 180) / 60, vec_length(way), 0.0001);
    }
}

/* In a corner whose second wall leads back, the character must stay, instead of
 * moving to and fro. */
static void stops_in_a_wide_corner(void)
{
    vec3 from;
    int i;

    begin_world(0, 1, 0);
    add_wall(vec_make(2.5, 1, 0), vec_make(0.5, 2, 20));
    add_box(VSP_STATIC, vec_make(0, 1, 3.5), vec_make(20, 2, 0.5),
            turn(30, 0, 1, 0));
    go_on(0, 0, 0.5);
    go_on(2, 0.4, 12);
    for (i = 0; i < 60; i++) {
        from = position();
        move_character(2, 0, 0.4);
        CHECK_NEAR(0, vec_length(vec_sub(position(), from)), 0.0001);
    }
}

static void stops_in_a_corner(void)
{
    vec3 from;

    begin_world(0, 1, 0);
    add_wall(vec_make(2.5, 1, 0), vec_make(0.5, 2, 20));
    add_box(VSP_STATIC, vec_make(0, 1, 2.5), vec_make(20, 2, 0.5),
            turn(20, 0, 1, 0));
    go_on(0, 0, 0.5);
    go_on(2, 2, 4);
    CHECK_AT_MOST(1.7, position().x);
    CHECK_AT_MOST(1.7 + 2 * 0.37, position().z);
    CHECK_NEAR(0.02, foot(), 0.011);
    from = position();
    go_on(2, 2, 1);
    CHECK_NEAR(0, vec_length(vec_sub(position(), from)), 0.001);
    go_on(-2, -2, 0.5); /* and out again */
    CHECK_NEAR(from.x - 1, position().x, 0.01);
    CHECK_NEAR(from.z - 1, position().z, 0.01);
}


/* ---- Slopes -------------------------------------------------------------- */

/* Puts the character on a slope that rises along x, without walking.  Returns
 * how far it slips. */
static double slip_on(double degrees)
{
    vec3 n = vec_make(-sin(degrees * PI / 180), cos(degrees * PI / 180), 0), at;
    double x;

    begin_world(0, 0, 0);
    add_box(VSP_STATIC, vec_mad(vec_make(0, 16, 0), -0.5, n),
            vec_make(20, 0.5, 5), turn(degrees, 0, 0, 1));
    at = vec_mad(vec_make(0, 16 + 0.6, 0), 0.33, n);
    it.position = real3(at.x, at.y, at.z);
    go_on(0, 0, 0.3);
    x = position().x;
    go_on(0, 0, 1);
    return x - position().x;
}

static void stands_on_slopes_that_are_not_steep(void)
{
    CHECK_NEAR(0, slip_on(20), 1e-3);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0, slip_on(40), 1e-3);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(sin(40 * PI / 180), -num(it.ground_normal.x), 0.001);
    CHECK_NEAR(0, slip_on(49), 1e-3);
    CHECK_UINT(1, it.is_grounded);
    CHECK_AT_LEAST(2, slip_on(52));
    CHECK_UINT(0, it.is_grounded);
    CHECK_AT_LEAST(2, slip_on(60));
    CHECK_UINT(0, it.is_grounded);
}

static void walks_up_a_slope(void)
{
    vec3 from;

    slip_on(40);
    from = position();
    go_on(1, 0, 2);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(2, position().x - from.x, 0.01);
    CHECK_NEAR(2 * tan(40 * PI / 180), position().y - from.y, 0.01);
    go_on(-3, 0, 1); /* and down, always on the ground */
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(-1, position().x - from.x, 0.01);
    CHECK_NEAR(-tan(40 * PI / 180), position().y - from.y, 0.01);
}

/* A character that climbs no steps must stay on the ground too. */
static void walks_over_slopes_without_steps(void)
{
    vec3 from;
    int i;

    slip_on(40);
    it.def.step_height = 0;
    from = position();
    for (i = 0; i < 240; i++) {
        move_character(i < 120 ? 1 : -1, 0, 0);
        CHECK_UINT(1, it.is_grounded);
        CHECK_AT_LEAST(-0.001, gap());
    }
    CHECK_NEAR(0, position().x - from.x, 0.01);
    CHECK_NEAR(0, position().y - from.y, 0.03);
    for (i = 0; i < 120; i++)
        move_character(1, 0, 0);
    CHECK_NEAR(2, position().x - from.x, 0.05);
}

/* Adds a slope from the ground up, as wide as a room, that begins at x = 3. */
static void begin_before_slope(double degrees, double y)
{
    vec3 n = vec_make(-sin(degrees * PI / 180), cos(degrees * PI / 180), 0);
    vec3 up = vec_make(n.y, -n.x, 0);

    begin_world(1, y, 0);
    add_box(VSP_STATIC, vec_mad(vec_mad(vec_make(3, 0, 0), -0.5, n), 5, up),
            vec_make(6, 0.5, 5), turn(degrees, 0, 0, 1));
    go_on(0, 0, 1);
}

/* At any speed, the character gets no higher than its foot reaches. */
static void climbs_no_steep_slope(void)
{
    static const double degrees[] = {52, 55, 60, 70, 80};
    static const double speeds[] = {0.5, 2, 5, 12};
    uint32_t i, k;

    for (i = 0; i < COUNT_OF(degrees); i++)
        for (k = 0; k < COUNT_OF(speeds); k++) {
            double top = 0;
            int n;

            test_note("%g degrees, %g m/s", degrees[i], speeds[k]);
            begin_before_slope(degrees[i], 1);
            for (n = 0; n < 240; n++) {
                move_character(speeds[k], 0, n % 60 < 30 ? 1 : -1);
                top = fmax(top, foot());
            }
            CHECK_AT_MOST(0.05, top);
            CHECK_AT_LEAST(-0.001, gap());
        }
    test_note("");
}

/* Nor may it climb by jumping at the slope again and again. */
static void jumps_up_no_steep_slope(void)
{
    double top = 0;
    int n;

    begin_before_slope(60, 1);
    for (n = 0; n < 600; n++) {
        move_character(5, 0, 0);
        top = fmax(top, foot());
        if (it.is_grounded)
            CHECK_STATUS(VSP_OK, vsp_character_jump(&it, VSP_R(3.0)));
    }
    CHECK_AT_MOST(0.05 + 9 / (2 * 9.81), top);
}

/* Adds two slabs of 75 degrees that make a groove along z; their directions
 * cross by some degrees. */
static void begin_in_groove(double degrees)
{
    double s = sin(75 * PI / 180), c = cos(75 * PI / 180), r = 0.32;
    vsp_quat across[2];
    int i;

    begin_world(0, 4, 0);
    across[0] = turn(75, 0, 0, 1);
    across[1] = turn(-75, sin(degrees * PI / 180), 0, cos(degrees * PI / 180));
    for (i = 0; i < 2; i++) {
        double side = i == 0 ? 1 : -1;
        vec3 n = vec_make(-side * s, c, 0), down = vec_make(side * c, s, 0);

        if (i == 1)
            n = vec_make(s * cos(degrees * PI / 180), c,
                         -s * sin(degrees * PI / 180));
        if (i == 1)
            down = vec_make(-c * cos(degrees * PI / 180), s,
                            c * sin(degrees * PI / 180));
        add_box(VSP_STATIC,
                vec_mad(vec_mad(vec_make(0, 2, 0), -0.2, n), 2, down),
                vec_make(3, 0.2, 3), across[i]);
    }
    it.position = real3(0, 2 + 0.6 + r / c + 0.2, 0);
}

static void gets_out_of_a_groove(void)
{
    vec3 from;
    int i;

    begin_in_groove(0);
    go_on(0, 0, 2);
    CHECK_UINT(1, it.is_grounded); /* it can get no deeper, so it is grounded */
    from = position();
    go_on(0, 0, 1);
    CHECK_NEAR(0, vec_length(vec_sub(position(), from)), 0.001);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&it, VSP_R(3.0)));
    move_character(0, 0, 0);
    CHECK_AT_LEAST(from.y + 0.03, position().y);
    for (i = 0; i < 60; i++)
        move_character(0, 0, 0);
    CHECK_UINT(1, it.is_grounded);
    go_on(0, 2, 4); /* along it, and out at its end */
    CHECK_AT_LEAST(6, position().z);
    CHECK_NEAR(0.02, foot(), 0.02);
}

static void gets_out_of_crossing_slabs(void)
{
    begin_in_groove(40);
    go_on(0, 0, 1);
    go_on(0, 2, 4);
    go_on(2, 0, 1);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.02);
}


/* ---- Platforms ----------------------------------------------------------- */

static vsp_body_id begin_on_platform(double x, double z)
{
    vsp_body_id id;

    begin_world(x, 2.5, z);
    id = add_box(VSP_KINEMATIC, vec_make(0, 1, 0), vec_make(6, 0.25, 6),
                 no_turn());
    go_on(0, 0, 1);
    CHECK_UINT(1, it.is_grounded);
    CHECK_HEX(id.bits, it.ground.bits);
    return id;
}

static void rides_a_platform(vec3 velocity, vec3 way)
{
    vsp_body_id id = begin_on_platform(0, 0);

    CHECK_STATUS(
        VSP_OK, vsp_body_set_velocity(world, id,
                                      real3(velocity.x, velocity.y, velocity.z),
                                      real3(0, 0, 0)));
    go_on(0, 0, 2);
    CHECK_UINT(1, it.is_grounded);
    CHECK_HEX(id.bits, it.ground.bits);
    CHECK_NEAR(way.x, position().x, 0.001);
    CHECK_NEAR(way.z, position().z, 0.001);
    CHECK_NEAR(1.25 + way.y + 0.02, foot(), 0.011);
}

static void is_carried_by_platforms(void)
{
    rides_a_platform(vec_make(1, 0, 0.5), vec_make(2, 0, 1));
    rides_a_platform(vec_make(0, 1, 0), vec_make(0, 2, 0));
    rides_a_platform(vec_make(0, 4, 0), vec_make(0, 8, 0));
    rides_a_platform(vec_make(0, -0.4, 0), vec_make(0, -0.8, 0));
}

/* A platform takes the character obliquely to a thin wall, in one step by more
 * than both are thick: it slides along the wall. */
static void rides_along_a_wall(void)
{
    vsp_body_id id = begin_on_platform(0, 0);

    add_wall(vec_make(0.51, 2.5, 0), vec_make(0.01, 1.2, 5));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(72, 0, 30),
                                               real3(0, 0, 0)));
    move_character(0, 0, 0);
    CHECK_NEAR(0.5 - num(it.def.radius) - 0.01, position().x, 0.02);
    CHECK_NEAR(0.5, position().z, 0.01);
    CHECK_AT_LEAST(-0.001, gap());
}

/* A box beside the character comes nearer while a lift raises both: what the
 * character overlaps does not make the lift an obstacle. */
static void rides_a_lift_beside_a_box(void)
{
    vsp_body_id lift = begin_on_platform(0, 0);
    vsp_body_id box = add_box(VSP_KINEMATIC, vec_make(0.85, 2.6, 0),
                              vec_make(0.5, 1, 0.5), no_turn());

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, lift, real3(0, 4, 2),
                                               real3(0, 0, 0)));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, box, real3(-0.3, 4, 2),
                                               real3(0, 0, 0)));
    for (int i = 0; i < 60; i++) {
        move_character(0, 0, 0);
        test_note("step %d", i);
        CHECK_NEAR(1.25 + 4.0 * (i + 1) / 60 + 0.02, foot(), 0.011);
        CHECK_NEAR(2.0 * (i + 1) / 60, position().z, 0.01);
    }
}

/* The character stands 5 m out, at 1 rad/s: it must stay there for ten turns,
 * and turn with the platform. */
static void stays_on_a_turning_platform(void)
{
    vsp_body_id id = begin_on_platform(5, 0);
    double turned = 0;
    int i;

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, 0, 0),
                                               real3(0, 1, 0)));
    for (i = 0; i < 3770; i++) {
        move_character(0, 0, 0);
        turned += num(it.turn);
        if (i % 60 == 0)
            CHECK_NEAR(5, vec_length(vec_make(position().x, 0, position().z)),
                       0.0001);
    }
    CHECK_NEAR(3770.0 / 60, turned, 0.001);
    CHECK_NEAR(5 * cos(3770.0 / 60), position().x, 0.01);
    CHECK_NEAR(-5 * sin(3770.0 / 60), position().z, 0.01);
    CHECK_UINT(1, it.is_grounded);
}

/* On a tilting platform the character must keep its position. */
static void stays_on_a_seesaw(void)
{
    vsp_body_id id = begin_on_platform(2, 1);
    int i;

    for (i = 0; i < 240; i++) {
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(
                                 world, id, real3(0, 0, 0),
                                 real3(0, 0, i % 80 < 40 ? 0.4 : -0.4)));
        move_character(0, 0, 0);
        CHECK_UINT(1, it.is_grounded);
    }
    CHECK_NEAR(2, position().x, 0.002); /* within its skin, which is upright */
    CHECK_NEAR(1, position().z, 0.0001);
}

/* If a program moves a standing character, it must not go back as the ground
 * moves. */
static void can_be_set_elsewhere(void)
{
    vsp_body_id id = begin_on_platform(2, 1);

    it.position.x = VSP_R(-3.0);
    it.is_grounded = 0;
    move_character(0, 0, 0);
    CHECK_UINT(1, it.is_grounded);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(1, 0, 0),
                                               real3(0, 0, 0)));
    go_on(0, 0, 1);
    CHECK_NEAR(-2, position().x, 0.001);
}

static void takes_its_velocity_off_a_platform(void)
{
    vsp_body_id id = begin_on_platform(0, 0);

    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(2, 0, 0),
                                               real3(0, 0, 0)));
    go_on(0, 0, 0.5);
    CHECK_NEAR(2, num(it.velocity.x), 0.001);
    CHECK_STATUS(VSP_OK, vsp_character_jump(&it, VSP_R(3.0)));
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(0, 0, 0),
                                               real3(0, 0, 0)));
    go_on(0, 0, 0.5);
    CHECK_NEAR(2, position().x, 0.05);
    CHECK_UINT(0, it.is_grounded);
}

/* A wall that approaches pushes the character; a wall that closes a gap crushes
 * it. */
static void gives_way(void)
{
    vsp_body_id wall;
    int i;

    begin_world(0, 1, 0);
    wall = add_box(VSP_KINEMATIC, vec_make(-2, 1, 0), vec_make(0.5, 1, 3),
                   no_turn());
    go_on(0, 0, 0.5);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, wall, real3(2, 0, 0),
                                               real3(0, 0, 0)));
    go_on(0, 0, 2);
    CHECK_NEAR(2 + 0.5 + 0.3, position().x, 0.02);
    add_wall(vec_make(5, 1, 0), vec_make(0.5, 2, 3));
    for (i = 0; i < 120 && !it.is_crushed; i++)
        move_character(0, 0, 0);
    CHECK_UINT(1, it.is_crushed);
    CHECK_NEAR(4.2, position().x, 0.05); /* not inside the static wall */
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, wall, real3(0, 0, 0),
                                               real3(0, 0, 0)));
    for (i = 0; i < 120; i++)
        move_character(0, 0, 2); /* and gets out */
    CHECK_UINT(0, it.is_crushed);
    CHECK_NEAR(4, position().z, 0.1);
}

static void a_lift_presses_it_not_through_a_ceiling(void)
{
    vsp_body_id lift;
    int i;

    begin_world(0, 1.5, 0);
    lift = add_box(VSP_KINEMATIC, vec_make(0, 0.1, 0), vec_make(2, 0.1, 2),
                   no_turn());
    add_wall(vec_make(0, 3.5, 0), vec_make(2, 0.2, 2));
    go_on(0, 0, 0.5);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, lift, real3(0, 1, 0),
                                               real3(0, 0, 0)));
    for (i = 0; i < 90; i++) {
        move_character(0, 0, 0);
        CHECK_AT_MOST(3.3 + 0.001, foot() + 1.8);
    }
    CHECK_UINT(1, it.is_crushed);
}


/* ---- Pushing bodies ------------------------------------------------------ */

/* Pushes a crate of some kg.  Returns how far the crate moved in 2 s. */
static double push_crate(double kg, double newtons)
{
    vsp_body_id crate;
    vsp_body_def def = body_def(VSP_DYNAMIC,
                                vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)),
                                1.5, 0.505, 0);
    int i;

    begin_world(0, 1, 0);
    def.mass = real(kg);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &crate));
    it.def.push_force = real(newtons);
    go_on(0, 0, 0.5);
    for (i = 0; i < 120; i++) {
        go_on(2, 0, 1.0 / 60);
        CHECK_AT_MOST(2.05, num(vsp_body_velocity(world, crate).x));
    }
    return num(vsp_body_center(world, crate).x) - 1.5;
}

static void pushes_by_a_bounded_force(void)
{
    CHECK_AT_LEAST(2, push_crate(2, 500));
    CHECK_AT_LEAST(2, push_crate(20, 500));
    CHECK_AT_LEAST(1, push_crate(80, 500));
    CHECK_NEAR(0, push_crate(80, 300), 0.01); /* friction: 392 N */
    CHECK_NEAR(0, push_crate(1000, 500), 0.01);
    CHECK_NEAR(0, push_crate(20, 0), 0.01);
    CHECK_UINT(0, it.is_crushed);
}

static void tells_its_pushes(void)
{
    vsp_body_id crate;
    vsp_character at_first;
    uint32_t hash;

    begin_world(0, 1, 0);
    crate = add_cube(world, 1.5, 0.51, 0);
    go_on(0, 0, 0.5);
    go_on(2, 0, 0.25);
    at_first = it;
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_character_move(world, &it, real3(20, 0, 0)));
    CHECK_HEX(hash, vsp_world_hash(world)); /* a move is a query */
    if (!CHECK_UINT(1, it.push_count))
        return;
    CHECK_HEX(crate.bits, it.pushes[0].body.bits);
    CHECK_NEAR(500.0 / 60, num(it.pushes[0].impulse.x), 0.001);
    CHECK_NEAR(0, num(it.pushes[0].impulse.y), 0.001);
    CHECK_NEAR(1, num(it.pushes[0].point.x), 0.01);
    CHECK_STATUS(VSP_OK, vsp_character_apply(world, &it));
    CHECK_NEAR(500.0 / 60 / num(vsp_body_mass(world, crate)),
               num(vsp_body_velocity(world, crate).x), 0.001);
    it = at_first; /* the state before the push */
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, crate));
    it.push_count = 1;
    it.pushes[0].body = crate;
    CHECK_STATUS(VSP_OK, vsp_character_apply(world, &it)); /* without this
                                                            * call */
}

static vsp_body_id own_body(vsp_character *who)
{
    vsp_body_id id = add_body(
        world, VSP_KINEMATIC,
        vsp_capsule(who->def.radius, who->def.half_height),
        num(who->position.x), num(who->position.y), num(who->position.z));

    who->def.body = id;
    return id;
}

static void sees_other_characters(void)
{
    vsp_character other;
    vsp_character_def def = vsp_character_def_default();
    int i;

    begin_world(0, 1, 0);
    own_body(&it);
    CHECK_STATUS(VSP_OK, vsp_character_place(&def, real3(4, 1, 0.05), &other));
    own_body(&other);
    for (i = 0; i < 180; i++) {
        move_character(2, 0, 0);
        CHECK_STATUS(VSP_OK,
                     vsp_character_move(world, &other, real3(-1, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_character_apply(world, &other));
        CHECK_AT_LEAST(
            0.55, vec_length(vec_sub(position(), vec_from(other.position))));
    }
    CHECK_UINT(1, it.is_grounded);
    CHECK_UINT(1, other.is_grounded);
    for (i = 0; i < 60; i++) { /* the bodies follow their characters */
        move_character(0, 0, 0);
        CHECK_STATUS(VSP_OK, vsp_character_move(world, &other, real3(0, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_character_apply(world, &other));
    }
    CHECK_NEAR(0,
               vec_length(vec_sub(
                   position(), vec_from(vsp_body_center(world, it.def.body)))),
               0.001);
}

static void stands_on_another(void)
{
    vsp_character other;
    vsp_character_def def = vsp_character_def_default();
    int i;

    begin_world(0, 0.92, 0);
    own_body(&it);
    CHECK_STATUS(VSP_OK, vsp_character_place(&def, real3(0, 3, 0), &other));
    for (i = 0; i < 120; i++) {
        move_character(i < 60 ? 0 : 1, 0, 0);
        CHECK_STATUS(VSP_OK, vsp_character_move(world, &other, real3(0, 0, 0)));
    }
    CHECK_HEX(it.def.body.bits, other.ground.bits);
    CHECK_NEAR(num(it.position.x), num(other.position.x), 0.05);
}


/* ---- State and arguments ------------------------------------------------- */

/* A copy of world and character must continue with the same bits. */
static void goes_on_from_a_copy(void)
{
    vsp_character saved_it, then;
    size_t size;
    uint32_t hash;

    begin_world(0, 1, 0);
    add_stairs(0.2);
    add_cube(world, 1.2, 0.51, 0);
    own_body(&it);
    go_on(1, 0.1, 0.7);
    saved_it = it;
    size = save_world(world, 0);
    go_on(1, 0.1, 2);
    then = it;
    hash = vsp_world_hash(world);
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    it = saved_it;
    go_on(1, 0.1, 2);
    CHECK_HEX(hash, vsp_world_hash(world));
    CHECK_BYTES(&then, &it, sizeof it);
}

/* A recorder must record the effects of a move as ordinary calls. */
static void is_recorded(void)
{
    static unsigned char bytes[60000];
    vsp_recorder recorder = {0};
    vsp_record_def sink = {0};
    vsp_player player;
    size_t size;
    int i;

    begin_world(0, 1, 0);
    add_cube(world, 1.2, 0.51, 0);
    own_body(&it);
    sink.buffer = bytes;
    sink.capacity = sizeof bytes;
    CHECK_STATUS(VSP_OK, vsp_record_begin(&recorder, world, &sink));
    for (i = 0; i < 120; i++) {
        CHECK_STATUS(VSP_OK, vsp_record_step(&recorder));
        CHECK_STATUS(VSP_OK, vsp_character_move(world, &it, real3(1.5, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_record_character_apply(&recorder, &it));
    }
    CHECK_UINT(1, it.push_count);
    CHECK_STATUS(VSP_OK, vsp_record_end(&recorder, &size));
    CHECK_STATUS(VSP_OK, vsp_play_begin(&player, world, bytes, size));
    for (i = 0; i < 120; i++)
        CHECK_STATUS(VSP_OK, vsp_play_step(&player));
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_character_apply(NULL, &it));
    recorder.world = world;
    it.push_count = 5;
    CHECK_STATUS(VSP_ERR_ARG, vsp_record_character_apply(&recorder, &it));
}

#define DEF_FIELD(name, low, high)                          \
    {                                                       \
#name, offsetof(vsp_character_def, name), low, high \
    }

static void refuse_def(void *def)
{
    vsp_character kept = it;

    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_character_place((const vsp_character_def *)def,
                                     real3(0, 1, 0), &it));
    CHECK_BYTES(&kept, &it, sizeof it);
}

static void accept_def(void *def)
{
    CHECK_STATUS(VSP_OK, vsp_character_place((const vsp_character_def *)def,
                                             real3(0, 1, 0), &it));
}

static void checks_its_def(void)
{
    static const field fields[] = {
        DEF_FIELD(radius, VSP_R(0.05), VSP_R(10.0)),
        DEF_FIELD(half_height, VSP_R(0.15), VSP_R(10.0)),
        DEF_FIELD(skin, VSP_R(0.005), VSP_R(0.3)),
        DEF_FIELD(step_height, 0, VSP_R(0.6) + VSP_R(0.6)),
        DEF_FIELD(slope, VSP_R(0.1), VSP_R(1.0)),
        DEF_FIELD(gravity_scale, VSP_R(-100.0), VSP_R(100.0)),
        DEF_FIELD(push_force, 0, VSP_MAX_FORCE),
    };
    vsp_character_def def = vsp_character_def_default();

    begin_world(0, 1, 0);
    def.skin = VSP_R(0.05); /* the lower bound of the radius */
    try_fields(&def, sizeof def, fields + 0, 1, refuse_def, accept_def);
    def = vsp_character_def_default();
    try_fields(&def, sizeof def, fields + 1, COUNT_OF(fields) - 1, refuse_def,
               accept_def);
    def.cookie++;
    refuse_def(&def);
    def = vsp_character_def_default();
    def.up = real3(0, 0, 0);
    refuse_def(&def);
    def.up = real3(0, 10000, 0);
    refuse_def(&def);
    refuse_def(NULL);
    def = vsp_character_def_default();
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_place(&def, real3(0, 1, 0), NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_place(&def, real3(1e6, 1, 0), &it));
}

/* Checks that every call refuses this character, and changes nothing. */
static void refuse_character(vsp_status status, const vsp_character *bad)
{
    vsp_character got = *bad;

    CHECK_REFUSED(status, vsp_character_move(world, &got, real3(1, 0, 0)));
    CHECK_REFUSED(status, vsp_character_apply(world, &got));
    CHECK_BYTES(bad, &got, sizeof got);
}

#define FIELD(name, low, high)                          \
    {                                                   \
#name, offsetof(vsp_character, name), low, high \
    }

static void refuse_state(void *state)
{
    vsp_character got = *(const vsp_character *)state;

    refuse_character(VSP_ERR_ARG, &got);
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_jump(&got, VSP_R(1.0)));
    CHECK_BYTES(state, &got, sizeof got);
}

static void accept_state(void *state)
{
    vsp_character got = *(const vsp_character *)state;

    CHECK_STATUS(VSP_OK, vsp_character_move(world, &got, real3(1, 0, 0)));
}

static void checks_its_state(void)
{
    static const field fields[] = {
        FIELD(position.x, -VSP_MAX_POSITION, VSP_MAX_POSITION),
        FIELD(position.z, -VSP_MAX_POSITION, VSP_MAX_POSITION),
        FIELD(velocity.x, -VSP_MAX_SPEED, VSP_MAX_SPEED),
        FIELD(velocity.z, -VSP_MAX_SPEED, VSP_MAX_SPEED),
        FIELD(ground_pose.position.x, -VSP_MAX_POSITION, VSP_MAX_POSITION),
        FIELD(ground_place.y, -VSP_MAX_POSITION - VSP_MAX_POSITION,
              VSP_MAX_POSITION + VSP_MAX_POSITION),
        FIELD(turn, -VSP_MAX_SPEED, VSP_MAX_SPEED),
        FIELD(pushes[0].impulse.x, -VSP_MAX_FORCE, VSP_MAX_FORCE),
        FIELD(pushes[0].point.z, -VSP_MAX_POSITION, VSP_MAX_POSITION),
    };
    vsp_character bad;

    begin_world(0, 1, 0);
    go_on(0, 0, 0.5);
    it.push_count = 1;
    try_fields(&it, sizeof it, fields, COUNT_OF(fields), refuse_state,
               accept_state);
    bad = it;
    bad.is_grounded = 2;
    refuse_state(&bad);
    bad = it;
    bad.is_crushed = 0xcdcdcdcdu;
    refuse_state(&bad);
    bad = it;
    bad.push_count = VSP_CHARACTER_PUSHES + 1;
    refuse_state(&bad);
    bad = it;
    bad.ground_normal = real3(0, 0, 0);
    refuse_state(&bad);
    bad = it;
    memset(&bad.ground_pose.rotation, 0, sizeof bad.ground_pose.rotation);
    refuse_state(&bad);
    bad = it;
    bad.def.radius = VSP_R(-1.0);
    refuse_state(&bad);
    memset(&bad, 0xa5, sizeof bad);
    refuse_state(&bad);
}

static void refuses_what_is_no_call(void)
{
    vsp_character bad;
    vsp_vec3 still = real3(0, 0, 0);

    begin_world(0, 1, 0);
    go_on(0, 0, 0.5);
    bad = it;
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_move(NULL, &it, still));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_move(world, NULL, still));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_apply(NULL, &it));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_apply(world, NULL));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_jump(NULL, VSP_R(1.0)));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_jump(&it, 0));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_jump(&it, VSP_R(-1.0)));
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_character_jump(&it, next_above(VSP_MAX_SPEED)));
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_jump(&it, bad_real(0)));
    still.y = bad_real(0);
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_move(world, &it, still));
    still.y = next_above(VSP_MAX_SPEED);
    CHECK_STATUS(VSP_ERR_ARG, vsp_character_move(world, &it, still));
    CHECK_BYTES(&bad, &it, sizeof it);
    bad.def.body = add_cube(world, 5, 1, 0); /* dynamic */
    refuse_character(VSP_ERR_ARG, &bad);
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, bad.def.body));
    refuse_character(VSP_ERR_ID, &bad);
}

/* Changes bytes of a character at random: a call must refuse it and change
 * nothing, or make it one that the next call accepts. */
static void survives_garbage(void)
{
    int i, taken = 0;

    begin_world(0, 1, 0);
    add_cube(world, 0.9, 0.51, 0);
    own_body(&it);
    go_on(1, 0, 0.6);
    for (i = 0; i < 3000; i++) {
        vsp_character bad = it, got;
        unsigned char *bytes = (unsigned char *)&bad;
        vsp_status status;
        int k;

        for (k = 0; k <= i % 3; k++)
            bytes[(uint32_t)between(0, sizeof bad)] ^= (unsigned char)between(
                1, 256);
        got = bad;
        status = vsp_character_move(world, &got, real3(1, 0, 0));
        if (status != VSP_OK) {
            CHECK(status == VSP_ERR_ARG || status == VSP_ERR_ID);
            CHECK_BYTES(&bad, &got, sizeof got);
            continue;
        }
        taken++;
        CHECK_STATUS(VSP_OK, vsp_character_move(world, &got, real3(1, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_character_apply(world, &got));
    }
    CHECK_AT_LEAST(300, taken);
    CHECK_AT_LEAST(300, 3000 - taken);
}

/* Ground that was destroyed carries nobody. */
static void loses_its_ground(void)
{
    vsp_body_id id = begin_on_platform(0, 0);

    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, id));
    go_on(0, 0, 0.1);
    CHECK_UINT(0, it.is_grounded);
    CHECK_HEX(0, it.ground.bits);
    go_on(0, 0, 1);
    CHECK_UINT(1, it.is_grounded);
    CHECK_NEAR(0.02, foot(), 0.011);
}

/* ---- Long walks ---------------------------------------------------------- */

/* Returns how deep the character is in static shapes; negative outside. */
static double static_depth(void)
{
    vsp_query query = vsp_query_default();
    double deepest = -1;
    int k;

    query.except = it.def.body;
    for (k = -4; k <= 4; k++) {
        vec3 at = vec_mad(position(), k * num(it.def.half_height) / 4,
                          vec_make(0, 1, 0));
        vsp_hit hit;

        CHECK_STATUS(VSP_OK, vsp_closest_point(world, real3(at.x, at.y, at.z),
                                               it.def.radius, &query, &hit));
        if (hit.shape.bits != 0 &&
            vsp_body_get_type(world, hit.body) == VSP_STATIC)
            deepest = fmax(deepest, num(it.def.radius) - num(hit.distance));
    }
    return deepest;
}

#define MINUTES(n) ((n)*60 * 60)

static bool start_walk(scene_run *run, const char *name)
{
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    vsp_world_def def = scene_world_def(found);

    test_note("%s", name);
    world = run->world = new_world_of(&def);
    return CHECK(scene_start(run, found, variant));
}

static uint32_t mix_hash(uint32_t sum, const scene_run *run)
{
    return (sum ^ vsp_world_hash(run->world) ^
            (uint32_t)(int32_t)(num(run->walker.hero.position.x) * 1e5) ^
            (uint32_t)(int32_t)(num(run->walker.hero.position.y) * 1e5) << 8) *
           16777619u;
}

/* 36,000 moves.  Each goal must be reached within 20 s after the one before.
 * The character may never be under the ground, nor in static shapes by more
 * than a millimetre.  A copy from the middle must move equally. */
static void walks_for_ten_minutes_from(const char *name)
{
    scene_run run, half;
    uint32_t i, goal = 0, reached = 0, sum = 0, first;
    size_t size = 0;

    if (!start_walk(&run, name))
        return;
    half = run;
    for (i = 0; i < MINUTES(10); i++) {
        if (i == MINUTES(5)) {
            half = run;
            size = save_world(world, 0);
            sum = 0;
        }
        CHECK_STATUS(VSP_OK, scene_step(&run, i));
        sum = mix_hash(sum, &run);
        it = run.walker.hero;
        if (run.walker.goal != goal)
            reached = i;
        goal = run.walker.goal;
        if (!CHECK_AT_MOST(1200, i - reached) || !CHECK_AT_LEAST(0, foot()) ||
            !CHECK_AT_MOST(0.001, static_depth()) ||
            !CHECK_UINT(0, it.is_crushed))
            return;
    }
    CHECK_AT_LEAST(12, run.walker.laps);
    CHECK_UINT(0, run.failures);
    first = sum;
    CHECK_STATUS(VSP_OK, vsp_world_restore(world, saved(0), size));
    for (i = MINUTES(5), sum = 0; i < MINUTES(10); i++) {
        CHECK_STATUS(VSP_OK, scene_step(&half, i));
        sum = mix_hash(sum, &half);
    }
    CHECK_HEX(first, sum);
    test_note("");
}

static void walks_for_ten_minutes(void)
{
    walks_for_ten_minutes_from("walk");
}

static void walks_for_ten_minutes_elsewhere(void)
{
    walks_for_ten_minutes_from("walk~2@250");
    if (is_long()) {
        walks_for_ten_minutes_from("walk@30");
        walks_for_ten_minutes_from("walk@77");
        walks_for_ten_minutes_from("walk~1@135");
    }
}

/* Adds slabs and blocks at random, in all directions, some of which overlap. */
static void add_rubble(void)
{
    int i;

    for (i = 0; i < 40; i++) {
        vec3 axis = vec_unit(
            vec_make(between(-1, 1), between(-1, 1), between(0.1, 1)));
        vec3 at = vec_make(between(-6, 6), between(-0.5, 3), between(-6, 6));

        if (vec_length(vec_make(at.x, 0, at.z)) > 2)
            add_box(VSP_STATIC, at,
                    vec_make(between(0.05, 1.5), between(0.05, 1),
                             between(0.05, 1.5)),
                    turn(between(0, 180), axis.x, axis.y, axis.z));
    }
}

/* After a moment, a character that stands must keep its position to the bit. */
static void rests_here(void)
{
    vec3 at;
    int i;

    for (i = 0; i < 10; i++)
        move_character(0, 0, 0);
    at = position();
    for (i = 0; i < 20 && it.is_grounded; i++)
        move_character(0, 0, 0);
    if (it.is_grounded)
        CHECK(at.x == position().x && at.y == position().y &&
              at.z == position().z);
}

/* Walks through rubble in all directions, with jumps.  The character must never
 * overlap a shape, and never get stuck. */
static void wanders_through_rubble(void)
{
    int i, k, tries = tries_of(60);

    for (i = 0; i < tries; i++) {
        double farthest = 0, angle = 0, speed = 0;
        vec3 from;

        seed = (uint32_t)i * 977u + 5u;
        test_note("seed %d", i);
        begin_world(0, 1, 0);
        add_rubble();
        from = position();
        for (k = 0; k < 1800; k++) {
            if (k % 40 == 0) {
                angle = between(0, 2 * PI);
                speed = between(0.2, 6);
            }
            move_character(speed * cos(angle), 0, speed * sin(angle));
            if (it.is_grounded && k % 90 == 0)
                CHECK_STATUS(VSP_OK, vsp_character_jump(&it, VSP_R(5.0)));
            farthest = fmax(farthest, vec_length(vec_sub(position(), from)));
            if (k % 600 == 599) {
                CHECK_AT_LEAST(0.5, farthest);
                rests_here();
                from = position();
                farthest = 0;
            }
            if (!CHECK_AT_LEAST(-0.001, gap()) || !CHECK_AT_LEAST(0, foot()))
                return;
        }
    }
    test_note("");
}

static const test tests[] = {
    TEST(falls_and_lands),
    TEST(rests),
    TEST(walks_at_its_speed),
    TEST(jumps_as_high_as_it_must),
    TEST(a_ceiling_ends_a_jump),
    TEST(walks_on_a_wall),
    TEST(walks_up_stairs),
    TEST(sticks_to_stairs),
    TEST(climbs_in_short_moves),
    TEST(climbs_in_long_moves),
    TEST(stops_at_steps_too_high),
    TEST(needs_headroom),
    TEST(slides_along_a_wall),
    TEST(slides_evenly),
    TEST(stops_in_a_wide_corner),
    TEST(stops_in_a_corner),
    TEST(stands_on_slopes_that_are_not_steep),
    TEST(walks_up_a_slope),
    TEST(walks_over_slopes_without_steps),
    TEST(climbs_no_steep_slope),
    TEST(jumps_up_no_steep_slope),
    TEST(gets_out_of_a_groove),
    TEST(gets_out_of_crossing_slabs),
    TEST(is_carried_by_platforms),
    TEST(rides_along_a_wall),
    TEST(rides_a_lift_beside_a_box),
    TEST(stays_on_a_turning_platform),
    TEST(stays_on_a_seesaw),
    TEST(can_be_set_elsewhere),
    TEST(takes_its_velocity_off_a_platform),
    TEST(gives_way),
    TEST(a_lift_presses_it_not_through_a_ceiling),
    TEST(pushes_by_a_bounded_force),
    TEST(tells_its_pushes),
    TEST(sees_other_characters),
    TEST(stands_on_another),
    TEST(goes_on_from_a_copy),
    TEST(is_recorded),
    TEST(checks_its_def),
    TEST(checks_its_state),
    TEST(refuses_what_is_no_call),
    TEST(survives_garbage),
    TEST(loses_its_ground),
    TEST_SLOW(walks_for_ten_minutes),
    TEST_SLOW(walks_for_ten_minutes_elsewhere),
    TEST_SLOW(wanders_through_rubble),
    TEST_END,
};

const test_suite character_suite = {"character", tests};
