/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tapered capsules: how they lie and roll on ground of every kind; distances of
 * cases by hand; contacts; restored and broken worlds, records and replays. */

#include "convex_oracle.h"
#include "fixture.h"
#include "grounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if VSP_TAPERS

/* sizes, m, of most tests */
#define BELOW 0.5
#define HALF 0.6
#define ABOVE 0.2

static double side_angle(void)
{
    return asin((BELOW - ABOVE) / (2 * HALF));
}

static vsp_shape_def club(void)
{
    return vsp_taper(real(BELOW), real(HALF), real(ABOVE));
}

/* The rotation in which a club lies along x on level ground, its thin end at
 * greater x. */
static vsp_quat lying(void)
{
    return turn(-90 - side_angle() * 180 / PI, 0, 0, 1);
}

static point3 from_vec3(vsp_vec3 v)
{
    return p3(num(v.x), num(v.y), num(v.z));
}

/* The place of the centre of the lower ball, or of the upper one. */
static point3 ball_center(vsp_world *world, vsp_body_id id, bool is_upper)
{
    vsp_transform pose = vsp_body_transform(world, id);
    vsp_vec3 arm = real3(0, is_upper ? HALF : -HALF, 0);

    return p3_add(from_vec3(pose.position),
                  from_vec3(vsp_quat_rotate(pose.rotation, arm)));
}


/* ---- On ground ----------------------------------------------------------- */

/* Drops a club on its side, and checks that both balls are on the ground. */
static void drop_club(ground kind, int k)
{
    vsp_world *world = world_of_stepper(k);
    double slack = kind < GROUND_SHELL ? 0.0005 : 0.012;
    point3 before, low, high;
    vsp_body_id id;

    add_ground_of(world, kind);
    id = add_turned(world, VSP_DYNAMIC, club(), 0.1, (BELOW + ABOVE) / 2 + 0.05,
                    0.1, lying());
    step_world(world, 300);
    before = ball_center(world, id, false);
    step_world(world, 60);
    low = ball_center(world, id, false);
    high = ball_center(world, id, true);
    if (shows())
        printf("club on %s, %s: heights %.6f and %.6f, drift %.2g\n",
               ground_names[kind], stepper_names[k], low.y, high.y,
               p3_length(p3_sub(low, before)));
    CHECK_NEAR(BELOW, low.y, slack);
    CHECK_NEAR(ABOVE, high.y, slack);
    CHECK_AT_MOST(kind < GROUND_SHELL ? 0.0001 : 0.001,
                  p3_length(p3_sub(low, before)));
    CHECK_AT_MOST(0.002, p3_length(from_vec3(vsp_body_velocity(world, id))));
}

static void tapers_lie_on_their_sides(void)
{
    int kind, k;

    for (kind = 0; kind < GROUNDS; kind++)
        for (k = 0; k < (kind < GROUND_SHELL ? STEPPERS : 1); k++)
            drop_club((ground)kind, k);
}

/* Rolls a club: it turns about the line of contact, so the apex of the cone
 * that its side is a part of stays where it is, and the centre of each ball
 * moves in a circle around the apex, of the ball's radius over the tangent of
 * half the cone's angle.  Its speed is that of the spin at the centre. */
static void roll_club(ground kind, int k)
{
    vsp_world *world = world_of_stepper(k);
    double radius = BELOW / tan(side_angle()), spin = 2, way = 0, worst = 0;
    point3 apex, at, from;
    vsp_body_id id;
    int i;

    add_ground_of(world, kind);
    id = add_turned(world, VSP_DYNAMIC, club(), 0, (BELOW + ABOVE) / 2, 0,
                    lying());
    at = ball_center(world, id, false);
    apex = p3(at.x + radius, BELOW, 0);
    at = from_vec3(vsp_body_center(world, id));
    CHECK_STATUS(VSP_OK,
                 vsp_body_set_velocity(world, id, real3(0, 0, spin * at.y),
                                       real3(spin, 0, 0)));
    for (i = 0; i < 240; i++) {
        from = ball_center(world, id, false);
        step_world(world, 1);
        at = ball_center(world, id, false);
        way += p3_length(p3_sub(at, from));
        worst = fmax(worst, fabs(p3_length(p3_sub(at, apex)) - radius));
    }
    if (shows())
        printf("club rolls on %s, %s: circle of %.4f m within %.2g, way %.4f "
               "of %.4f m\n",
               ground_names[kind], stepper_names[k], radius, worst, way,
               4 * spin * BELOW);
    CHECK_AT_MOST(0.01 * radius, worst);
    CHECK_NEAR(4 * spin * BELOW, way, 0.01 * 4 * spin * BELOW);
    CHECK_NEAR(BELOW, at.y, 0.001);
}

static void tapers_roll_in_circles(void)
{
    int kind, k;

    for (kind = 0; kind < GROUND_SHELL; kind++)
        for (k = 0; k < STEPPERS; k++)
            roll_club((ground)kind, k);
}

/* ---- Pairs --------------------------------------------------------------- */

/* The distance of a club at the origin and a solid. */
static double distance_of_club(vsp_shape_def other, double x, double y,
                               vsp_quat rotation)
{
    vsp_world *world = new_world();
    vsp_body_id a = add_body(world, VSP_STATIC, club(), 0, 0, 0);
    vsp_body_id b = add_turned(world, VSP_STATIC, other, x, y, 0, rotation);
    vsp_shape_id of_a, of_b;
    vsp_distance d;

    CHECK_UINT(1, vsp_body_shapes(world, a, &of_a, 1));
    CHECK_UINT(1, vsp_body_shapes(world, b, &of_b, 1));
    CHECK_STATUS(VSP_OK, vsp_distance_between(world, of_a, of_b, &d));
    return num(d.distance);
}

static void distances_of_tapers_are_known(void)
{
    vsp_shape_def ball = vsp_sphere(real(0.25)), box;
    double slack = TOLERANCE(5e-6, 1e-5), a = side_angle();

    box = vsp_box(real(1), real(0.5), real(1));
    CHECK_NEAR(1.0, distance_of_club(ball, 0, 2.05, no_turn()), slack);
    CHECK_NEAR(1.0, distance_of_club(ball, 0, -2.35, no_turn()), slack);
    /* the side at the middle of the axis */
    CHECK_NEAR(2 * cos(a) - (BELOW + ABOVE) / 2 / 1 - 0.25,
               distance_of_club(ball, 2, 0, no_turn()), slack);
    CHECK_NEAR(1.5, distance_of_club(box, 0, -3.1, no_turn()), slack);
    CHECK_NEAR(1.5, distance_of_club(box, 0, 2.8, no_turn()), slack);
    /* head to tail, so that the sides are parallel */
    CHECK_NEAR(2 * cos(a) - (BELOW + ABOVE),
               distance_of_club(club(), 2, 0, turn(180, 0, 0, 1)), slack);
    /* thick end to thick end */
    CHECK_NEAR(2 - 2 * BELOW, distance_of_club(club(), 2, 0, no_turn()), slack);
    CHECK_NEAR(1.0,
               distance_of_club(club(), 0, 1.8 + ABOVE, no_turn()) -
                   (1.8 + ABOVE - 2 * HALF - ABOVE - BELOW - 1),
               slack);
}

/* Two clubs head to tail touch along a line: two points, as do a club and a
 * capsule, a cylinder and a cone along its side. */
static void sides_touch_along_lines(void)
{
    double a = side_angle(), x = (BELOW + ABOVE) / cos(a) + 0.001;
    double radii = ((BELOW + ABOVE) / 2 + 0.3 + 0.001) / cos(a);
    double degrees = a * 180 / PI;
    vsp_shape_def others[3];
    vsp_contact contact;
    int i;

    others[0] = club();
    others[1] = vsp_capsule(real(0.3), real(0.5));
    others[2] = vsp_cylinder(real(0.3), real(0.5));
    for (i = 0; i < 3; i++) {
        vsp_world *world = new_world();
        vsp_body_id id = add_body(world, VSP_STATIC, club(), 0, 0, 0), b;
        vsp_shape_id of_a, of_b;
        uint32_t count = 0;

        b = add_turned(world, VSP_STATIC, others[i], i == 0 ? x : radii, 0, 0,
                       turn(i == 0 ? 180 : degrees, 0, 0, 1));
        CHECK_UINT(1, vsp_body_shapes(world, id, &of_a, 1));
        CHECK_UINT(1, vsp_body_shapes(world, b, &of_b, 1));
        CHECK_STATUS(VSP_OK, vsp_contacts_between(world, of_a, of_b, &contact,
                                                  1, &count));
        test_note("other %d", i);
        CHECK_UINT(1, count);
        CHECK_UINT(2, contact.point_count);
        CHECK_NEAR(cos(a), fabs(num(contact.normal.x)), 1e-4);
        CHECK_NEAR(0.001, num(contact.points[0].separation), 0.0002);
        CHECK_NEAR(0.001, num(contact.points[1].separation), 0.0002);
    }
}

#if VSP_CHARACTER

/* Moves a character for 2 s at a velocity along x, and checks its distance from
 * a club at the origin; it ends at x, on the ground or on the club. */
static void walk_at_club(vsp_quat rotation, double y, double speed, double x)
{
    vsp_world *world = new_world();
    vsp_character_def def = vsp_character_def_default();
    vsp_character it;
    vsp_shape_id shape;
    vsp_hit hit;
    point3 at;
    int i;

    (void)add_ground(world);
    CHECK_UINT(1, vsp_body_shapes(
                      world,
                      add_turned(world, VSP_STATIC, club(), 0, y, 0, rotation),
                      &shape, 1));
    CHECK_STATUS(VSP_OK, vsp_character_place(
                             &def, real3(speed > 0 ? -2.5 : 0, 3, 0), &it));
    for (i = 0; i < 180; i++) {
        step_world(world, 1);
        CHECK_STATUS(VSP_OK, vsp_character_move(
                                 world, &it, real3(i < 60 ? 0 : speed, 0, 0)));
        CHECK_STATUS(VSP_OK, vsp_character_apply(world, &it));
        CHECK_STATUS(
            VSP_OK, vsp_closest_point(world, it.position, real(5), NULL, &hit));
        CHECK_AT_LEAST(num(def.radius) - 0.002, num(hit.distance));
    }
    at = from_vec3(it.position);
    if (shows())
        printf("character at %.4f %.4f %.4f\n", at.x, at.y, at.z);
    CHECK_AT_MOST(x + 0.03, at.x);
    CHECK_AT_LEAST(x - 0.03, at.x);
}

static void characters_meet_tapers(void)
{
    vsp_character_def def = vsp_character_def_default();

    /* beside the thick end, which stands on the ground */
    walk_at_club(no_turn(), BELOW + HALF, 2, -BELOW - num(def.radius));
    /* on the ridge of one that lies */
    walk_at_club(lying(), (BELOW + ABOVE) / 2, 0, 0);
}

#else

static void characters_meet_tapers(void)
{
}

#endif


/* ---- State --------------------------------------------------------------- */

static vsp_world *pile_of_clubs(void)
{
    vsp_world *world = new_world();
    int i;

    (void)add_ground(world);
    for (i = 0; i < 8; i++)
        add_turned(world, VSP_DYNAMIC,
                   i % 2 ? vsp_taper(real(0.1), real(0.2), real(0.2))
                         : vsp_taper(real(0.3), real(0.3), real(0.1)),
                   0.1 * (i % 3), 0.5 + 0.5 * i, 0.05 * (i % 2),
                   turn(40.0 * i, 1, 0, 0));
    return world;
}

static void restored_tapers_go_on(void)
{
    vsp_world *world = pile_of_clubs();

    step_world(world, 60);
    check_replays(world, 60);
}

static void broken_tapers_are_refused(void)
{
    static const double bad[3][3] = {
        {0.3, 0.05, 0.1}, {0.3, 0.3, 0}, {0, 0.3, 0.1}};
    vsp_world *world = pile_of_clubs();
    vsp__v3 *half = &world->shapes[1].size, was = *half;
    uint32_t hash = vsp_world_hash(world);
    size_t size;
    int i;

    for (i = 0; i < 3; i++) {
        half->x = r_read(real(bad[i][0]));
        half->y = r_read(real(bad[i][1]));
        half->z = r_read(real(bad[i][2]));
        CHECK_STATUS(VSP_ERR_DATA, vsp_world_validate(world, NULL));
        size = save_world(world, 0);
        *half = was;
        CHECK_STATUS(VSP_OK, vsp_world_validate(world, NULL));
        CHECK_STATUS(VSP_ERR_DATA, vsp_world_restore(world, saved(0), size));
        CHECK_UINT(hash, vsp_world_hash(world));
    }
}


static const test tests[] = {
    TEST(tapers_lie_on_their_sides),     TEST(tapers_roll_in_circles),
    TEST(distances_of_tapers_are_known), TEST(sides_touch_along_lines),
    TEST(characters_meet_tapers),        TEST(restored_tapers_go_on),
    TEST(broken_tapers_are_refused),     TEST_END,
};

#else

static const test tests[] = {TEST_END};

#endif

const test_suite taper_suite = {"taper", tests};
