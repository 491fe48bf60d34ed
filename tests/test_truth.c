/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rigid bodies with Coulomb friction against theory: when they slide, tip,
 * lean, wedge and overhang, and after what time.  Motion without a formula is
 * integrated here in double.  Every body starts a hundredth of a millimetre
 * off, each in another direction. */

#include "scene_fixture.h"

#include "port/geometry/hull.h"

#include <math.h>

#define G 9.81
#define DEGREE (PI / 180)

static vsp_world *world;

/* Makes a world whose gravity is tilted by an angle, rad, towards x, so that
 * level ground is a slope. */
static void begin_world(vsp_stepper stepper, double dt, double lean)
{
    vsp_world_def def = vsp_world_def_default();

    test_note("stepper %d, dt %g", (int)stepper, dt);
    def.stepper = stepper;
    def.dt = real(dt);
    def.enable_sleep = false;
    def.gravity = real3(G * sin(lean), -G * cos(lean), 0);
    world = new_world_of(&def);
}

static void each_stepper_and_dt(void (*check)(vsp_stepper stepper, double dt))
{
    uint32_t stepper;

    for (stepper = 0; stepper < 4; stepper++) {
        check((vsp_stepper)stepper, 0.01);
        check((vsp_stepper)stepper, 1.0 / 60);
        check((vsp_stepper)stepper, 0.004);
    }
}

static vsp_body_id add_with(vsp_body_type type, vsp_shape_def shape,
                            double friction, vec3 at, double degrees)
{
    shape.material.friction = real(friction);
    return add_turned(world, type, shape, at.x, at.y, at.z,
                      turn(degrees, 0, 0, 1));
}

static void add_floor(double friction)
{
    (void)add_with(VSP_STATIC, vsp_half_space(), friction, vec_make(0, 0, 0),
                   0);
}

static vec3 center(vsp_body_id id)
{
    return vec_from(vsp_body_center(world, id));
}


/* ---- Slopes -------------------------------------------------------------- */

/* A box on a slope for 1 s; the slope is `degrees` steeper than the box's
 * friction holds.  In each step v += a h, and then the box moves by v h.
 * Without warm starting, all steppers but CARRY find too little friction in the
 * first step. */
static void check_slope(vsp_stepper stepper, double dt, double degrees)
{
    double friction = 0.4, lean = atan(friction) + degrees * DEGREE;
    double pull = G * (sin(lean) - friction * cos(lean)), way;
    bool is_exact = stepper == VSP_STEPPER_CARRY;
    uint32_t steps = (uint32_t)floor(1 / dt + 0.5);
    vsp_body_id box;

    begin_world(stepper, dt, lean);
    add_floor(friction);
    box = add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.5), VSP_R(0.2), VSP_R(0.3)),
                   friction, vec_make(0, 0.20001, 0), 0);
    step_world(world, steps);
    way = degrees > 0 ? pull * dt * dt * steps * (steps + 1) / 2 : 0;
    CHECK_NEAR(way, center(box).x,
               degrees > 0 ? (is_exact ? 0.005 : 0.012) * way
                           : (is_exact ? 1e-5 : 1e-4));
}

static void check_slopes(vsp_stepper stepper, double dt)
{
    check_slope(stepper, dt, 0.5);
    check_slope(stepper, dt, -0.5);
    check_slope(stepper, dt, 10);
}

static void boxes_slide_beyond_their_friction(void)
{
    each_stepper_and_dt(check_slopes);
}


/* ---- Tipping ------------------------------------------------------------- */

/* Returns the time in which a box of these half sizes tips about its edge from
 * one angle to another, both measured from the balanced pose; s and rad. */
static double time_to_tip(double wide, double high, double angle, double end)
{
    double square = wide * wide + high * high, h = 1e-5, time = 0, spin = 0;

    while (angle < end) {
        spin += 0.75 * G / sqrt(square) * sin(angle) * h;
        angle += spin * h;
        time += h;
    }
    return time;
}

/* A box on its edge, `degrees` beyond the balanced pose, or before it. */
static void check_tipping(vsp_stepper stepper, double dt, double degrees)
{
    double wide = 0.2, high = 0.5, time = 0, balance = atan2(wide, high);
    double tilt = balance + degrees * DEGREE;
    vec3 at = vec_make(wide * cos(tilt) - high * sin(tilt),
                       wide * sin(tilt) + high * cos(tilt) + 1e-5, 0);
    vsp_body_id box;

    begin_world(stepper, dt, 0);
    add_floor(1.0);
    box = add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.2), VSP_R(0.5), VSP_R(0.3)),
                   1.0, at, tilt / DEGREE);
    while (time < 3 && center(box).y > wide + 1e-3) {
        step_world(world, 1);
        time += dt;
    }
    if (degrees < 0) {
        CHECK_NEAR(high, center(box).y, 1e-3);
        return;
    }
    /* until its side is level */
    degrees = time_to_tip(wide, high, degrees * DEGREE, PI / 2 - balance);
    CHECK_NEAR(degrees, time, 0.005 * degrees + dt);
}

static void check_tips(vsp_stepper stepper, double dt)
{
    check_tipping(stepper, dt, 2);
    check_tipping(stepper, dt, -2);
}

static void boxes_tip_in_their_time(void)
{
    each_stepper_and_dt(check_tips);
}


/* Returns by how much a body leans towards -x, rad. */
static double lean_of(vsp_body_id id)
{
    vec3 up = body_axis(world, id, 1);

    return atan2(-up.x, up.y);
}

/* A box with a slab of its width on it tips about its edge as one body, from
 * half a degree beyond the balanced pose to 20 degrees. */
static void check_loaded_tipping(vsp_stepper stepper, double dt)
{
    double wide = 0.1, time = 0, balance = atan2(wide, 0.5), expected;
    double tilt = balance + 0.5 * DEGREE, c = cos(tilt), s = sin(tilt);
    vsp_body_id box;

    begin_world(stepper, dt, 0);
    add_floor(1.0);
    box = add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.1), VSP_R(0.4), VSP_R(0.3)),
                   1.0,
                   vec_make(wide * c - 0.4 * s, wide * s + 0.4 * c + 1e-5, 0),
                   tilt / DEGREE);
    (void)add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.1), VSP_R(0.1), VSP_R(0.3)),
                   1.0,
                   vec_make(wide * c - 0.9 * s, wide * s + 0.9 * c + 2e-5, 0),
                   tilt / DEGREE);
    while (time < 3 && lean_of(box) < balance + 20 * DEGREE) {
        step_world(world, 1);
        time += dt;
    }
    expected = time_to_tip(wide, 0.5, 0.5 * DEGREE, 20 * DEGREE);
    CHECK_NEAR(expected, time, 0.005 * expected + dt);
}

static void loaded_boxes_tip_in_their_time(void)
{
    check_loaded_tipping(VSP_STEPPER_CARRY, 0.01);
    check_loaded_tipping(VSP_STEPPER_CARRY, 1.0 / 60);
    check_loaded_tipping(VSP_STEPPER_CARRY, 0.004);
}


/* ---- Rollers ------------------------------------------------------------- */

/* A plank on two rollers moves twice as fast as these, and keeps its speed, be
 * it as small as noise. */
static void check_rollers(double dt, double speed)
{
    vsp_shape_def shape = vsp_cylinder(VSP_R(0.1), VSP_R(0.3));
    vsp_body_id plank, roller;
    uint32_t i;

    begin_world(VSP_STEPPER_CARRY, dt, 0);
    add_floor(0.8);
    shape.material.friction = VSP_R(0.8);
    for (i = 0; i < 2; i++) {
        roller = add_turned(world, VSP_DYNAMIC, shape, i, 0.1, 0,
                            turn(90, 1, 0, 0));
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, roller,
                                                   real3(speed / 2, 0, 0),
                                                   real3(0, 0, -speed / 0.2)));
    }
    plank = add_with(VSP_DYNAMIC, vsp_box(VSP_R(1.0), VSP_R(0.05), VSP_R(0.2)),
                     0.8, vec_make(0.5, 0.25, 0), 0);
    CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, plank, real3(speed, 0, 0),
                                               real3(0, 0, 0)));
    step_world(world, (uint32_t)(2 / dt));
    CHECK_NEAR(2 * speed, center(plank).x - 0.5,
               TOLERANCE(0.02, 0.2) * 2 * speed);
}

static void planks_roll_on(void)
{
    check_rollers(0.01, 0.01);
    check_rollers(0.01, 0.0004);
    check_rollers(0.004, 0.0004);
}


/* ---- Ladders ------------------------------------------------------------- */

/* A ladder on rough ground against a smooth wall stands if its angle with the
 * ground has a tangent above 1 / (2 friction).  Returns how far its foot slips
 * in 2 s, m. */
static double slip_of_ladder(vsp_stepper stepper, double dt, double degrees)
{
    double half = 1.0, angle = degrees * DEGREE;
    vsp_body_id ladder;
    double from;

    begin_world(stepper, dt, 0);
    add_floor(0.5);
    (void)add_with(VSP_STATIC, vsp_box(VSP_R(0.5), VSP_R(3.0), VSP_R(1.0)), 0,
                   vec_make(-0.5, 3, 0), 0);
    ladder = add_with(
        VSP_DYNAMIC, vsp_capsule(VSP_R(0.02), real(half)), 0.5,
        vec_make(0.02 + half * cos(angle), 0.02 + half * sin(angle) + 1e-5, 0),
        90 - degrees);
    from = center(ladder).x;
    step_world(world, (uint32_t)(2 / dt));
    return fabs(center(ladder).x - from);
}

static void check_ladder(vsp_stepper stepper, double dt)
{
    double least = atan(1 / (2 * 0.5)) / DEGREE;

    CHECK_AT_MOST(0.001, slip_of_ladder(stepper, dt, least + 1));
    CHECK_AT_LEAST(0.1, slip_of_ladder(stepper, dt, least - 1));
}

static void ladders_stand_as_steep_as_they_must(void)
{
    each_stepper_and_dt(check_ladder);
}


/* ---- A shaking table ----------------------------------------------------- */

/* A box on a table that oscillates with this largest acceleration at 2 Hz, for
 * 2 s.  Coulomb friction is integrated in the steps of the world. */
static void check_table(vsp_stepper stepper, double dt, double pull)
{
    double friction = 0.3, grip = friction * G, turns = 4 * PI;
    double at = 0, speed = 0, least = 0, most = 0;
    vsp_body_id table, box;
    uint32_t i, steps = (uint32_t)(2 / dt);

    begin_world(stepper, dt, 0);
    table = add_with(VSP_KINEMATIC, vsp_box(VSP_R(5.0), VSP_R(0.5), VSP_R(5.0)),
                     friction, vec_make(0, -0.5, 0), 0);
    box = add_with(VSP_DYNAMIC, vsp_box(VSP_R(0.4), VSP_R(0.2), VSP_R(0.4)),
                   friction, vec_make(0, 0.20001, 0), 0);
    step_world(world, 10);
    at = center(box).x;
    for (i = 1; i <= steps; i++) {
        double table_speed = pull / turns * sin(turns * dt * i);
        double change = table_speed - speed;

        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, table,
                                                   real3(table_speed, 0, 0),
                                                   real3(0, 0, 0)));
        step_world(world, 1);
        speed += fmax(-grip * dt, fmin(grip * dt, change));
        at += speed * dt;
        least = fmin(least, at);
        most = fmax(most, at);
        CHECK_NEAR(at, center(box).x, 0.005 * (most - least) + 1e-4);
    }
}

static void check_tables(vsp_stepper stepper, double dt)
{
    check_table(stepper, dt, 2.5); /* friction holds up to 2.94 */
    check_table(stepper, dt, 3.4);
    check_table(stepper, dt, 8);
}

static void boxes_slide_on_a_shaking_table(void)
{
    each_stepper_and_dt(check_tables);
}


/* ---- Overhangs ----------------------------------------------------------- */

/* Five bricks of length 1; each sticks out over the one below by `part` of 1/2,
 * 1/4, 1/6 ... (from the top), the most that balances.  Returns the fall, m. */
static double fall_of_overhang(vsp_stepper stepper, double dt, double part)
{
    vsp_body_id bricks[5];
    double at = 0;
    uint32_t i;

    begin_world(stepper, dt, 0);
    add_floor(0.6);
    for (i = 0; i < 5; i++) {
        bricks[i] = add_with(
            VSP_DYNAMIC, vsp_box(VSP_R(0.5), VSP_R(0.1), VSP_R(0.2)), 0.6,
            vec_make(at, 0.1 + 0.2 * i + 1e-5 * ((i * 3) % 5), 0), 0);
        at += part / (2.0 * (4 - i));
    }
    step_world(world, (uint32_t)(3 / dt));
    return 0.9 - center(bricks[4]).y;
}

static void check_overhang(vsp_stepper stepper, double dt)
{
    if (stepper != VSP_STEPPER_PGS) /* ten sweeps do not balance it */
        CHECK_AT_MOST(0.001, fall_of_overhang(stepper, dt, 0.97));
    CHECK_AT_LEAST(0.1, fall_of_overhang(stepper, dt, 1.03));
}

static void bricks_overhang_as_far_as_they_balance(void)
{
    each_stepper_and_dt(check_overhang);
}


/* ---- Stacks on slopes ---------------------------------------------------- */

#define SLABS 4
#define ROUGH 0.9 /* friction of a slab on a slab */

/* Returns the friction of a material whose contact with a slab of friction
 * ROUGH has this friction. */
static double partner_of(double friction)
{
    return friction * friction / ROUGH;
}

/* Slabs lie on a slope for 0.5 s.  The slope is `degrees` steeper than one
 * joint of the stack holds: the slabs above this joint slide as one, the slabs
 * below stay.  The joint is between floor and lowest slab, or below the topmost
 * slab.  A tolerance of 1 % of the distance is 0.5 % of the time.  They slide
 * along x or, if is_mirrored, against it. */
static void check_stack(vsp_stepper stepper, double dt, bool is_top,
                        bool is_mirrored, double degrees)
{
    double friction = 0.4, lean = atan(friction) + degrees * DEGREE;
    double pull = G * (sin(lean) - friction * cos(lean)), way = 0;
    bool is_exact = stepper == VSP_STEPPER_CARRY;
    double still = !is_exact ? 1e-3 : is_mirrored ? 4e-4 : 2e-4;
    uint32_t i, steps = (uint32_t)floor(0.5 / dt + 0.5);
    vsp_body_id slabs[SLABS];

    begin_world(stepper, dt, is_mirrored ? -lean : lean);
    add_floor(is_top ? ROUGH : partner_of(friction));
    for (i = 0; i < SLABS; i++)
        slabs[i] = add_with(
            VSP_DYNAMIC, vsp_box(VSP_R(0.5), VSP_R(0.1), VSP_R(0.4)),
            is_top && i == SLABS - 1 ? partner_of(friction) : ROUGH,
            vec_make(0, 0.1 + 0.2 * i + 1e-5 * (1 + (i * 3) % 4), 0), 0);
    step_world(world, steps);
    test_note("stepper %d, dt %g, %s, %s x, %g degrees", (int)stepper, dt,
              is_top ? "top" : "all", is_mirrored ? "against" : "along",
              degrees);
    if (degrees > 0)
        way = (is_mirrored ? -pull : pull) * dt * dt * steps * (steps + 1) / 2;
    for (i = 0; i < SLABS; i++) {
        bool slides = degrees > 0 && (!is_top || i == SLABS - 1);

        CHECK_NEAR(slides ? way : 0, center(slabs[i]).x,
                   slides ? (is_exact ? 0.01 : 0.04) * fabs(way) : still);
        CHECK_NEAR(0.1 + 0.2 * i, center(slabs[i]).y,
                   is_mirrored ? 4e-4 : TOLERANCE(2e-4, 4e-4));
    }
}

static void check_stacks(vsp_stepper stepper, double dt)
{
    uint32_t i;

    for (i = 0; i < 4; i++) {
        check_stack(stepper, dt, i % 2, i / 2, 10);
        if (stepper == VSP_STEPPER_PGS) /* ten sweeps do not stop it */
            continue;
        check_stack(stepper, dt, i % 2, i / 2, 0.5);
        check_stack(stepper, dt, i % 2, i / 2, -0.5);
    }
}

static void stacks_slide_beyond_their_friction(void)
{
    each_stepper_and_dt(check_stacks);
}

/* A column of `count` boxes, always of the same height, on a slope `degrees`
 * steeper than the one on which it stands.  It tips about its lowest edge as
 * one, because upper boxes push back against lower ones.  Measured until it has
 * turned by 5 degrees. */
static void check_column(vsp_stepper stepper, double dt, uint32_t count,
                         double degrees)
{
    double wide = 0.2, high = 0.75, part = high / count, time = 0, turned = 0;
    double balance = atan2(wide, high), lean = balance + degrees * DEGREE;
    vsp_body_id first = {0}, id;
    uint32_t i;

    begin_world(stepper, dt, lean);
    add_floor(1.0);
    for (i = 0; i < count; i++) {
        id = add_with(
            VSP_DYNAMIC, vsp_box(real(wide), real(part), VSP_R(0.3)), 1.0,
            vec_make(0, part * (2 * i + 1) + 1e-5 * (1 + (i * 3) % 5), 0), 0);
        first = i == 0 ? id : first;
    }
    while (time < 2 && turned < 5 * DEGREE) {
        step_world(world, 1);
        time += dt;
        turned = acos(body_axis(world, first, 1).y);
    }
    if (degrees < 0) {
        CHECK_AT_MOST(1e-3, turned);
        return;
    }
    degrees *= DEGREE;
    degrees = time_to_tip(wide, high, degrees, degrees + 5 * DEGREE);
    CHECK_NEAR(degrees, time, 0.005 * degrees + dt);
}

static void check_columns(vsp_stepper stepper, double dt)
{
    static const uint32_t counts[] = {1, 3, 5};
    uint32_t i;

    for (i = 0; i < COUNT_OF(counts); i++) {
        if (i > 0 && stepper != VSP_STEPPER_CARRY)
            break; /* only for the single box */
        check_column(stepper, dt, counts[i], 0.5);
        check_column(stepper, dt, counts[i], -0.5);
    }
}

static void columns_tip_on_slopes(void)
{
    each_stepper_and_dt(check_columns);
}


/* ---- Wedges --------------------------------------------------------------
 * A wedge on the floor carries a block that a smooth wall holds from behind.
 * The block presses the wedge away from the wall.  With all of their friction,
 * the force between them leans by the angle of the wedge less the angle of
 * friction. */

#define WEDGE_ANGLE (25 * DEGREE)
#define WEDGE_GRIP 0.2 /* friction of the wedge on the block */

/* Makes the hull with a side view of four corners, 0.4 m wide. */
static void make_prism(hull_storage *out, const vec3 side[4])
{
    vec3 points[8];
    uint32_t i;

    for (i = 0; i < 8; i++) {
        points[i] = side[i % 4];
        points[i].z = i < 4 ? -0.2 : 0.2;
    }
    CHECK(!hull_build(out, points, 8, 1e-6));
}

/* Adds the wedge, or the block on it. */
static vsp_body_id add_prism(const hull_storage *hull, double friction, vec3 at)
{
    uint32_t number = 0;

    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &hull->hull, &number, NULL));
    return add_with(VSP_DYNAMIC, vsp_table_shape(VSP_SHAPE_HULL, number),
                    friction, at, 0);
}

/* Returns the least floor friction that holds a wedge under a block `ratio`
 * times as heavy. */
static double friction_of_wedge(double ratio)
{
    return tan(WEDGE_ANGLE - atan(WEDGE_GRIP)) * ratio / (ratio + 1);
}

/* Returns the initial acceleration of the wedge, m/s^2. */
static double pull_of_wedge(double ratio, double friction)
{
    double lean = tan(WEDGE_ANGLE - atan(WEDGE_GRIP));

    return G * (ratio * lean - friction * (ratio + 1)) /
           (1 + ratio * tan(WEDGE_ANGLE) * (lean - friction));
}

/* A wedge on a floor with a fraction of the friction that would hold it: the
 * time must be right within 0.5 %.  Without warm starting sweeps let it slip a
 * little in the first steps. */
static void check_wedge(vsp_stepper stepper, double dt, double part)
{
    static hull_storage low, high;
    double rise = tan(WEDGE_ANGLE), friction, ratio, way;
    uint32_t steps = (uint32_t)floor(0.4 / dt + 0.5);
    const vec3 wedge[4] = {{0.05, 0, 0},
                           {0.65, 0, 0},
                           {0.65, 0.2 + 0.6 * rise, 0},
                           {0.05, 0.2, 0}};
    const vec3 block[4] = {{0, 0.2 - 0.05 * rise, 0},
                           {0.4, 0.2 + 0.35 * rise, 0},
                           {0.4, 1, 0},
                           {0, 1, 0}};
    vsp_body_id under, over;
    double from;

    begin_world(stepper, dt, 0);
    make_prism(&low, wedge);
    make_prism(&high, block);
    under = add_prism(&low, WEDGE_GRIP, vec_make(0, 1e-5, 0));
    over = add_prism(&high, WEDGE_GRIP, vec_make(1e-5, 3e-5, 0));
    ratio = num(vsp_body_mass(world, over)) / num(vsp_body_mass(world, under));
    friction = part * friction_of_wedge(ratio);
    add_floor(friction * friction / WEDGE_GRIP);
    (void)add_with(VSP_STATIC, vsp_box(VSP_R(0.5), VSP_R(1.0), VSP_R(1.0)), 0,
                   vec_make(-0.5, 1, 0), 0);
    from = center(under).x;
    step_world(world, steps);
    way = part < 1 ? pull_of_wedge(ratio, friction) * dt * dt * steps *
                         (steps + 1) / 2
                   : 0;
    CHECK_NEAR(way, center(under).x - from,
               0.01 * way + (stepper == VSP_STEPPER_CARRY ? 1e-5 : 6e-4));
}

static void check_wedges(vsp_stepper stepper, double dt)
{
    check_wedge(stepper, dt, 1.02);
    check_wedge(stepper, dt, 0.98);
    check_wedge(stepper, dt, 0.9);
    check_wedge(stepper, dt, 0.5);
}

static void wedges_hold_by_friction(void)
{
    each_stepper_and_dt(check_wedges);
}


/* ---- Jenga ---------------------------------------------------------------
 * Floors of three bricks, each across the one below. */

#define FLOORS 7

static vsp_body_id jenga[FLOORS][3];

static void build_jenga(void)
{
    uint32_t i, k;

    for (i = 0; i < FLOORS; i++)
        for (k = 0; k < 3; k++) {
            double aside = 0.2 * (k - 1.0);
            bool is_across = i % 2;

            jenga[i][k] = add_with(
                VSP_DYNAMIC,
                vsp_box(VSP_R(is_across ? 0.0995 : 0.3), VSP_R(0.06),
                        VSP_R(is_across ? 0.3 : 0.0995)),
                0.6,
                vec_make(is_across ? aside : 0,
                         0.06 + 0.12 * i + 1e-5 * ((3 * i + 2 * k) % 5),
                         is_across ? 0 : aside),
                0);
        }
}

static void take_brick(uint32_t floor, uint32_t brick)
{
    CHECK_STATUS(VSP_OK, vsp_body_destroy(world, jenga[floor][brick]));
}

/* Returns how far the top comes down in a second after a tower loses bricks,
 * m. */
static double fall_of_jenga(vsp_stepper stepper, double dt, void (*lose)(void))
{
    double from;

    begin_world(stepper, dt, 0);
    add_floor(0.6);
    build_jenga();
    step_world(world, 20);
    from = center(jenga[FLOORS - 1][1]).y;
    lose();
    step_world(world, (uint32_t)(1 / dt));
    return from - center(jenga[FLOORS - 1][1]).y;
}

/* removes the sides of two floors, and the centre of another */
static void lose_some(void)
{
    take_brick(1, 0);
    take_brick(1, 2);
    take_brick(3, 1);
    take_brick(4, 0);
    take_brick(4, 2);
}

/* Leaves one side brick, half a brick beside the load: the tower must fall. */
static void lose_balance(void)
{
    take_brick(2, 0);
    take_brick(2, 1);
}

static void towers_lose_all_bricks_but_the_last(void)
{
    uint32_t i;

    for (i = 0; i < 4; i++) {
        vsp_stepper stepper = (vsp_stepper)i;

        CHECK_AT_MOST(1e-3, fall_of_jenga(stepper, 1.0 / 60, lose_some));
        CHECK_AT_LEAST(0.05, fall_of_jenga(stepper, 1.0 / 60, lose_balance));
    }
}


static const test tests[] = {
    TEST(boxes_slide_beyond_their_friction),
    TEST(boxes_tip_in_their_time),
    TEST(loaded_boxes_tip_in_their_time),
    TEST(planks_roll_on),
    TEST(ladders_stand_as_steep_as_they_must),
    TEST(boxes_slide_on_a_shaking_table),
    TEST(bricks_overhang_as_far_as_they_balance),
    TEST(stacks_slide_beyond_their_friction),
    TEST(columns_tip_on_slopes),
    TEST(wedges_hold_by_friction),
    TEST(towers_lose_all_bricks_but_the_last),
    TEST_END,
};

const test_suite truth_suite = {"truth", tests};
