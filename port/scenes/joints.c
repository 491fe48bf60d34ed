/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes of joints, in this order: how bodies are joined; chains and ropes;
 * bridges and beams; machines with motors; ragdolls.  A build without joints or
 * capsules has none of them. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_JOINTS


/* ---- Joining ------------------------------------------------------------ */

#define UPWARDS make_vec(0.0, 1.0, 0.0)

static void join_ball(scene_run *run, vsp_body_id a, vsp_body_id b, vec anchor)
{
    vsp_joint_def def = joint_of(a, b);

    place_joint(run, &def, VSP_JOINT_BALL, anchor, UPWARDS);
    make_joint(run, &def);
}

static void join_hinge(scene_run *run, vsp_body_id a, vsp_body_id b, vec anchor,
                       vec axis)
{
    vsp_joint_def def = joint_of(a, b);

    place_joint(run, &def, VSP_JOINT_HINGE, anchor, axis);
    make_joint(run, &def);
}

static void drive_joint(vsp_joint_def *def, double speed, double most)
{
    def->enable_motor = true;
    def->motor_speed = scene_real(speed);
    def->motor_max = scene_real(most);
}


/* ---- Chains and ropes --------------------------------------------------- */

#define LINK 0.2 /* length of a link, m */
#define LINK_MASS (LINK * 0.05 * 0.05 * 1000.0)

/* Adds a straight chain, held at one end, at this angle to the vertical; the
 * scene's number counts its links. */
static void add_chain(scene_run *run, double angle)
{
    double top = LINK * scene_number(run) + 1.0;
    vec way = make_vec(sine(angle), -cosine(angle), 0.0);
    vsp_body_id last = add_block(run, make_vec(0.0, top, 0.0),
                                 make_vec(0.05, 0.05, 0.05));

    for (int i = 0; i < scene_number(run); i++) {
        double from = LINK * i, middle = LINK * (i + 0.5);
        piece link = box_piece(
            make_vec(middle * way.x, top + middle * way.y, 0.0),
            make_vec(0.025, LINK / 2.0, 0.025));
        vsp_body_id id;

        link.turn = about_z(angle);
        id = add_piece(run, &link);
        join_ball(run, last, id,
                  make_vec(from * way.x, top + from * way.y, 0.0));
        last = id;
    }
    run->marks[0] = last;
}

void build_chain(scene_run *run)
{
    add_chain(run, PI / 4.0);
}

/* A level ring held by its first link.  Links of 0.1 m have hinges with
 * vertical axes; every fourth link is higher. */
void build_ring(scene_run *run)
{
    int count = scene_number(run) < 3 ? 3 : scene_number(run);
    double part = PI / count, far = 0.05 / sine(part), top = 2.0;
    vsp_body_id first = add_block(run, make_vec(far * cosine(part), top, 0.0),
                                  make_vec(0.02, 0.02, 0.045));
    vsp_body_id last = first;

    for (int i = 1; i <= count; i++) {
        double angle = 2.0 * part * i, rise = i % 4 == 1 ? 0.04 : 0.0;
        vec at = turn_vec(make_vec(far * cosine(part), 0.0, 0.0), angle);
        vec anchor = turn_vec(make_vec(far, top, 0.0), angle - part);
        piece link = box_piece(make_vec(at.x, top + rise, at.z),
                               make_vec(0.02, 0.02 + rise, 0.045));
        vsp_body_id id = first;

        link.turn = about_y(angle);
        if (i < count)
            id = add_piece(run, &link);
        join_hinge(run, last, id, anchor, UPWARDS);
        last = id;
    }
}

/* A chain that starts level: its end cracks like a whip. */
void build_whip(scene_run *run)
{
    add_chain(run, PI / 2.0);
}

/* A ball swings at the end of a hanging chain of 20 links; the scene's number
 * is the ball's mass over that of a link. */
void build_weight(scene_run *run)
{
    const double top = 5.5, radius = 0.4;
    double y = top - 20.0 * LINK;
    double mass = LINK_MASS * run->variant.number;
    piece ball = ball_piece(make_vec(0.0, y - radius, 0.0), radius);
    vsp_body_id last = add_block(run, make_vec(0.0, top + 0.05, 0.0),
                                 make_vec(0.05, 0.05, 0.05));

    for (int i = 0; i < 20; i++) {
        vsp_body_id link = add_box(run,
                                   make_vec(0.0, top - LINK * (i + 0.5), 0.0),
                                   make_vec(0.025, LINK / 2.0, 0.025));

        join_ball(run, last, link, make_vec(0.0, top - LINK * i, 0.0));
        last = link;
    }
    ball.velocity.x = 2.0;
    ball.density = mass / (4.0 / 3.0 * PI * radius * radius * radius);
    run->marks[0] = add_piece(run, &ball);
    join_ball(run, last, run->marks[0], make_vec(0.0, y, 0.0));
}

/* Hangs a ball below a body by three links, whose joints bend by at most half a
 * radian.  The ball's mass is in links, its speed is sideways.  Returns the
 * ball. */
static vsp_body_id hang_load(scene_run *run, vsp_body_id above, double y,
                             double speed)
{
    double mass = LINK_MASS * run->variant.number, radius = 0.2;
    piece ball = ball_piece(make_vec(0.0, y - 3.0 * LINK - radius, 0.0),
                            radius);

    ball.velocity.x = speed;
    ball.density = mass / (4.0 / 3.0 * PI * radius * radius * radius);
    for (int i = 0; i <= 3; i++) {
        vsp_body_id next = i == 3 ? add_piece(run, &ball)
                                  : add_box(run,
                                            make_vec(0.0, y - LINK * (i + 0.5),
                                                     0.0),
                                            make_vec(0.025, LINK / 2.0, 0.025));
        vsp_joint_def def = joint_of(above, next);

        place_joint(run, &def, VSP_JOINT_BALL, make_vec(0.0, y - LINK * i, 0.0),
                    UPWARDS);
        if (i > 0)
            def.cone = scene_real(0.5);
        make_joint(run, &def);
        above = next;
    }
    return above;
}

/* Adds a link between two points of a vertical plane, and joins it to the body
 * before it.  Returns the link. */
static vsp_body_id add_cable_link(scene_run *run, vsp_body_id last, vec from,
                                  vec to, double angle)
{
    piece link = box_piece(
        make_vec(0.5 * (from.x + to.x), 0.5 * (from.y + to.y), from.z),
        make_vec(LINK / 2.0, 0.025, 0.025));
    vsp_body_id id;

    link.turn = about_z(angle);
    id = add_piece(run, &link);
    join_ball(run, last, id, from);
    return id;
}

static vsp_body_id add_anchor(scene_run *run, double x, double y, double z)
{
    return add_block(run, make_vec(x, y, z), make_vec(0.05, 0.05, 0.05));
}

/* A cabin hangs on a cable of 40 links between two anchors and swings across
 * it; the scene's number is its mass over that of a link. mark 0: the cabin */
void build_cable_car(scene_run *run)
{
    const double half = 0.3, slope = 0.3;
    double reach = 20.0 * LINK * cosine(slope), top = 4.0;
    double density = LINK_MASS * run->variant.number /
                     (8.0 * half * half * half);
    piece cabin = box_piece(make_vec(0.0, top - 20.0 * LINK * sine(slope), 0.0),
                            make_vec(half, half, half));
    vec hook = cabin.at, at = make_vec(-reach, top, 0.0);
    vsp_body_id last = add_anchor(run, -reach - 0.05, top, 0.0), middle = last;

    for (int i = 0; i < 40; i++) {
        double angle = i < 20 ? -slope : slope;
        vec to = make_vec(at.x + LINK * cosine(angle),
                          at.y + LINK * sine(angle), 0.0);

        last = add_cable_link(run, last, at, to, angle);
        if (i == 19)
            middle = last;
        at = to;
    }
    join_ball(run, last, add_anchor(run, reach + 0.05, top, 0.0), at);
    cabin.at.y -= half + 0.1;
    cabin.density = density;
    cabin.velocity.z = 1.0;
    run->marks[0] = add_piece(run, &cabin);
    join_ball(run, middle, run->marks[0], hook);
}

/* Two loads of hang_load, one below the other, which ranges carry. marks 0, 1:
 * the loads */
void build_loads(scene_run *run)
{
    vsp_body_id beam = add_block(run, make_vec(0.0, 3.05, 0.0),
                                 make_vec(0.5, 0.05, 0.05));

    run->marks[0] = hang_load(run, beam, 3.0, 0.0);
    run->marks[1] = hang_load(run, run->marks[0], 2.0, 2.0);
}

/* Adds a distance joint from the point `from` in the frame of a to the origin
 * of b. */
static void tie_bodies(scene_run *run, vsp_body_id a, vec from, vsp_body_id b,
                       double low, double high)
{
    vsp_joint_def def = joint_of(a, b);

    def.type = VSP_JOINT_DISTANCE;
    def.frame_a.position = real_vec(from);
    def.low = scene_real(low);
    def.high = scene_real(high);
    make_joint(run, &def);
}

/* marks 0 to 3: a ball that falls into a rope, one that swings on a rod, and
 * two that are tied to each other and to a beam with some slack */
void build_ropes(scene_run *run)
{
    vsp_body_id beam = add_block(run, make_vec(0.0, 4.0, 0.0),
                                 make_vec(3.0, 0.1, 0.1));

    run->marks[0] = add_ball(run, make_vec(-2.0, 3.6, 0.5), 0.15);
    run->marks[1] = add_ball(run, make_vec(2.0, 4.0, 2.0), 0.15);
    run->marks[2] = add_ball(run, make_vec(0.0, 3.0, 0.0), 0.15);
    run->marks[3] = add_ball(run, make_vec(0.8, 2.8, 0.0), 0.25);
    tie_bodies(run, beam, make_vec(-2.0, 0.0, 0.0), run->marks[0], 0.0, 2.5);
    tie_bodies(run, beam, make_vec(2.0, 0.0, 0.0), run->marks[1], 2.0, 2.0);
    tie_bodies(run, beam, make_vec(0.0, 0.0, 0.0), run->marks[2], 0.5, 1.5);
    tie_bodies(run, run->marks[2], make_vec(0.0, 0.0, 0.0), run->marks[3], 0.6,
               1.0);
}

/* Crates of 100, 200, 300 and 400 kg hang on hooks that break above a load; the
 * scene's number is that load in kg. */
void build_hooks(scene_run *run)
{
    vsp_body_id beam = add_block(run, make_vec(0.0, 2.5, 0.0),
                                 make_vec(2.0, 0.1, 0.1));

    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < 4; i++) {
        vec at = make_vec(i - 1.5, 1.9, 0.0);
        vec half = make_vec(0.3, 0.3, 0.3);
        vsp_joint_def def = joint_of(
            beam, add_dense_box(run, at, half, (i + 1) * 100.0 / 0.216));

        run->marks[i] = def.body_b;
        at.y += 0.4;
        place_joint(run, &def, VSP_JOINT_BALL, at, UPWARDS);
        def.break_impulse = scene_real(run->variant.number * 9.81 *
                                       run->scene->dt);
        make_joint(run, &def);
    }
}


/* ---- Planks and beams --------------------------------------------------- */

/* Boxes of 0.5 m in a row, joined by FIXED joints to each other, the first also
 * to a wall. */
void build_beam(scene_run *run)
{
    vsp_body_id last = add_block(run, make_vec(-0.25, 1.5, 0.0),
                                 make_vec(0.25, 1.5, 0.5));

    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < scene_number(run); i++) {
        vsp_body_id box = add_box(run, make_vec(0.5 * i + 0.25, 2.5, 0.0),
                                  make_vec(0.25, 0.1, 0.1));
        vsp_joint_def def = joint_of(last, box);

        place_joint(run, &def, VSP_JOINT_FIXED, make_vec(0.5 * i, 2.5, 0.0),
                    UPWARDS);
        make_joint(run, &def);
        last = box;
    }
    run->marks[0] = last;
}

#define PLANK 0.25 /* distance of two hinges, m */

/* Planks in an arc between two posts, and crates that fall on them. */
void build_bridge(scene_run *run)
{
    int count = scene_number(run);
    double bend = 0.8 / count; /* angle between neighbouring planks, rad */
    double radius = PLANK / (2.0 * sine(bend / 2.0));
    double height = 2.0 + radius * cosine(0.4);
    double end = radius * sine(0.4);
    vsp_body_id right, last;

    add_floor(run, 0.5, 0.0);
    last = add_block(run, make_vec(-end - 0.5, 1.0, 0.0),
                     make_vec(0.5, 1.0, 0.8));
    right = add_block(run, make_vec(end + 0.5, 1.0, 0.0),
                      make_vec(0.5, 1.0, 0.8));
    for (int i = 0; i < count; i++) {
        double from = (i - 0.5 * count) * bend, a = from + 0.5 * bend;
        double middle = radius * cosine(0.5 * bend);
        piece plank = box_piece(
            make_vec(middle * sine(a), height - middle * cosine(a), 0.0),
            make_vec(0.11, 0.04, 0.6));
        vsp_body_id id;

        plank.turn = about_z(a);
        id = add_piece(run, &plank);
        join_hinge(
            run, last, id,
            make_vec(radius * sine(from), height - radius * cosine(from), 0.0),
            SIDEWAYS);
        last = id;
    }
    join_hinge(run, last, right, make_vec(end, 2.0, 0.0), SIDEWAYS);
    for (int i = 0; i < 4; i++)
        run->marks[i] = add_dense_box(run, make_vec(0.9 * i - 1.35, 2.2, 0.0),
                                      make_vec(0.25, 0.25, 0.25), 200.0);
}

#define ROPE_ARC 0.35 /* half the angle of a cable's arc, rad */
#define ROPE_WIDTH 1.0

/* Returns the end of link i of a cable: an arc whose lowest point is 1 m
 * high. */
static vec rope_point(scene_run *run, double i, double z)
{
    double bend = 2.0 * ROPE_ARC / scene_number(run);
    double radius = LINK / (2.0 * sine(0.5 * bend));
    double angle = i * bend - ROPE_ARC;

    return make_vec(radius * sine(angle), 1.0 + radius * (1.0 - cosine(angle)),
                    z);
}

/* Adds a cable between two anchors, and writes its links to link[]. */
static void add_rope(scene_run *run, double z, vsp_body_id *link)
{
    int count = scene_number(run);
    vec end = rope_point(run, count, z);
    vsp_body_id last = add_anchor(run, -end.x - 0.05, end.y, z);

    for (int i = 0; i < count; i++) {
        link[i] = add_cable_link(run, last, rope_point(run, i, z),
                                 rope_point(run, i + 1.0, z),
                                 2.0 * ROPE_ARC * (i + 0.5) / count - ROPE_ARC);
        last = link[i];
    }
    join_ball(run, last, add_anchor(run, end.x + 0.05, end.y, z), end);
}

#define MAX_ROPE 400 /* most links of a cable */

/* Two cables, with planks at every second link.  Four crates and, in the
 * middle, four balls fall on the planks.  The scene's number counts the links
 * of a cable. */
void build_rope_bridge(scene_run *run)
{
    vsp_body_id link[2][MAX_ROPE];
    int count = scene_number(run);

    if (count > MAX_ROPE)
        return;
    add_floor(run, 0.5, 0.0);
    for (int k = 0; k < 2; k++)
        add_rope(run, (k - 0.5) * ROPE_WIDTH, link[k]);
    for (int i = 0; i < count; i += i == count - 2 ? 1 : 2) {
        vec a = rope_point(run, i + 0.5, -0.5 * ROPE_WIDTH);
        vec b = rope_point(run, i + 0.5, 0.5 * ROPE_WIDTH);
        piece plank = box_piece(make_vec(a.x, a.y, 0.0),
                                make_vec(0.09, 0.02, 0.45));
        vsp_body_id id;

        plank.turn = about_z(2.0 * ROPE_ARC * (i + 0.5) / count - ROPE_ARC);
        id = add_piece(run, &plank);
        join_ball(run, link[0][i], id, a);
        join_ball(run, link[1][i], id, b);
    }
    for (int i = 0; i < 4; i++) {
        vec at = rope_point(run, count * (0.2 + 0.2 * i), 0.25);

        at.y += 0.4;
        run->marks[i] = add_dense_box(run, at, make_vec(0.2, 0.2, 0.2), 400.0);
        at.z = -0.25;
        add_ball(run, at, 0.2);
    }
}

/* mark 0: a door that opens by 80 degrees both ways; mark 1: a ball thrown at
 * it; the scene's number is its speed, m/s */
void build_door(scene_run *run)
{
    vsp_body_id post = add_block(run, make_vec(-0.6, 1.1, 0.0),
                                 make_vec(0.1, 1.1, 0.1));
    piece ball = ball_piece(make_vec(0.75, 1.3, 1.5), 0.15);
    vsp_joint_def def;

    add_floor(run, 0.5, 0.3);
    run->marks[0] = add_dense_box(run, make_vec(0.0, 1.1, 0.0),
                                  make_vec(0.48, 1.0, 0.04), 300.0);
    def = joint_of(post, run->marks[0]);
    place_joint(run, &def, VSP_JOINT_HINGE, make_vec(-0.5, 1.1, 0.0), UPWARDS);
    limit_joint(&def, -radians(80.0), radians(80.0));
    make_joint(run, &def);
    ball.at.x = 0.3;
    run->marks[1] = add_missile(run, ball, 1000.0,
                                make_vec(0.0, 1.0, -run->variant.number));
}


/* ---- Machines ----------------------------------------------------------- */

static void add_wheel(scene_run *run, vsp_body_id car, double x, double z)
{
    vec at = make_vec(x, 0.3, z);
    piece wheel = ball_piece(at, 0.3);
    vsp_joint_def def;

    wheel.density = 200.0;
    def = joint_of(car, add_piece(run, &wheel));
    place_joint(run, &def, VSP_JOINT_HINGE, at, SIDEWAYS);
    drive_joint(&def, -12.0, 150.0);
    make_joint(run, &def);
}

/* mark 0: a car that drives along x; the scene's number counts the bumps */
void build_car(scene_run *run)
{
    piece car = box_piece(make_vec(0.0, 0.45, 0.0), make_vec(0.9, 0.1, 0.35));

    add_floor(run, 0.8, 0.0);
    for (int i = 0; i < scene_number(run); i++)
        add_block(run, make_vec(2.5 + 1.7 * i, 0.0, 0.5 * (i % 2) - 0.25),
                  make_vec(0.15, 0.05 + 0.02 * (i % 3), 1.0));
    car.density = 600.0;
    run->marks[0] = add_piece(run, &car);
    for (int i = 0; i < 4; i++)
        add_wheel(run, run->marks[0], i % 2 == 0 ? 0.7 : -0.7,
                  i < 2 ? 0.7 : -0.7);
}

/* mark 0: a wheel with four blades, driven by a motor, that throws falling
 * balls; the scene's number counts the balls */
void build_mill(scene_run *run)
{
    vec axle = make_vec(0.0, 1.6, 0.0);
    piece blade = box_piece(axle, make_vec(1.0, 0.06, 0.4));
    vsp_body_id post = add_block(run, make_vec(0.0, 0.8, -0.6),
                                 make_vec(0.1, 0.8, 0.1));
    vsp_joint_def def;

    add_floor(run, 0.5, 0.2);
    run->marks[0] = add_piece(run, &blade);
    blade.at = make_vec(0.0, 0.0, 0.0);
    blade.turn = about_z(PI / 2.0);
    add_part(run, run->marks[0], &blade);
    def = joint_of(post, run->marks[0]);
    place_joint(run, &def, VSP_JOINT_HINGE, axle, SIDEWAYS);
    drive_joint(&def, 5.0, 3000.0);
    make_joint(run, &def);
    for (int i = 0; i < scene_number(run); i++)
        add_ball(run, make_vec(0.5 + 0.1 * (i % 3), 3.0 + 1.5 * i, 0.0), 0.15);
}

/* mark 0: a platform that a motor of 15 kN lifts by 2 m; mark 1: its load; the
 * scene's number is the load's mass, kg */
void build_hoist(scene_run *run)
{
    vec at = make_vec(0.0, 0.3, 0.0);
    vsp_body_id post = add_block(run, make_vec(0.0, 1.5, -1.3),
                                 make_vec(0.2, 1.5, 0.2));
    vsp_joint_def def;

    add_floor(run, 0.5, 0.0);
    run->marks[0] = add_dense_box(run, at, make_vec(1.0, 0.1, 1.0), 250.0);
    run->marks[1] = add_dense_box(run, make_vec(0.3, 0.9, 0.2),
                                  make_vec(0.5, 0.5, 0.5), run->variant.number);
    def = joint_of(post, run->marks[0]);
    place_joint(run, &def, VSP_JOINT_SLIDER, at, UPWARDS);
    limit_joint(&def, 0.0, 2.0);
    drive_joint(&def, 1.0, 15000.0);
    make_joint(run, &def);
}


/* ---- A crossbow --------------------------------------------------------- */

#define DRAWN 0.96 /* angle of a bent limb to the line of the string, rad */
#define UNBENT 0.35
#define LIMB 0.6     /* length of a limb, m */
#define NOCK -0.4846 /* position of the nock with both ropes just taut, m */

/* Adds a limb, bent back, on a hinge of the stock whose spring straightens it.
 * A rope from its tip to the nock is taut when the limb is straight. side is 1
 * or -1. */
static void add_bow_limb(scene_run *run, vsp_body_id stock, vsp_body_id nock,
                         double side)
{
    vec hinge = make_vec(0.5, 1.06, 0.1 * side);
    piece limb = box_piece(
        make_vec(hinge.x - 0.5 * LIMB * sine(DRAWN), hinge.y,
                 hinge.z + 0.5 * LIMB * cosine(DRAWN) * side),
        make_vec(0.02, 0.03, 0.5 * LIMB));
    vsp_joint_def def;

    limb.turn = about_y(-DRAWN * side);
    def = joint_of(stock, add_piece(run, &limb));
    place_joint(run, &def, VSP_JOINT_HINGE, hinge, UPWARDS);
    limit_joint(&def, (DRAWN - UNBENT) * side, (DRAWN - UNBENT) * side);
    def.limit_hertz = scene_real(run->variant.number);
    make_joint(run, &def);
    tie_bodies(run, def.body_b, make_vec(0.0, 0.0, 0.5 * LIMB * side), nock,
               0.0, 0.1 + LIMB * cosine(UNBENT));
}

/* mark 0: the bolt, in front of a nock that the trigger, joint 0, holds.  It
 * shoots at a crate.  The scene's number is the frequency of the limbs'
 * springs. */
void build_crossbow(scene_run *run)
{
    vsp_body_id stock, nock;
    vsp_joint_def def;

    add_floor(run, 0.5, 0.0);
    stock = add_block(run, make_vec(0.0, 0.515, 0.0),
                      make_vec(0.7, 0.515, 0.05));
    nock = add_ball(run, make_vec(NOCK, 1.06, 0.0), 0.03);
    run->marks[0] = add_box(run, make_vec(NOCK + 0.23, 1.06, 0.0),
                            make_vec(0.2, 0.03, 0.03));
    def = joint_of(stock, nock);
    place_joint(run, &def, VSP_JOINT_FIXED, make_vec(NOCK, 1.06, 0.0), UPWARDS);
    make_joint(run, &def);
    add_bow_limb(run, stock, nock, 1.0);
    add_bow_limb(run, stock, nock, -1.0);
    run->marks[1] = add_box(run, make_vec(2.2, 0.6, 0.0),
                            make_vec(0.3, 0.6, 0.3));
}

/* Releases the nock: destroys the trigger's joint. */
void drive_crossbow(scene_run *run, uint32_t step)
{
    if (step == 20 && vsp_record_joint_destroy(scene_recorder(run),
                                               vsp_joint_at(run->world, 0)) < 0)
        run->failures++;
}


/* ---- Ragdolls ----------------------------------------------------------- */

/* Position and direction of a doll. */
typedef struct doll {
    vec at;
    rotation turn;
} doll;

static vec rotate_vec(rotation q, vec v)
{
    vec t = {2.0 * (q.y * v.z - q.z * v.y), 2.0 * (q.z * v.x - q.x * v.z),
             2.0 * (q.x * v.y - q.y * v.x)};

    return make_vec(v.x + q.w * t.x + q.y * t.z - q.z * t.y,
                    v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                    v.z + q.w * t.z + q.x * t.y - q.y * t.x);
}

static rotation combine_turns(rotation a, rotation b)
{
    rotation q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                  a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};

    return q;
}

/* Converts a point of the doll to the scene. */
static vec doll_point(const doll *it, vec at)
{
    vec p = rotate_vec(it->turn, at);

    return make_vec(it->at.x + p.x, it->at.y + p.y, it->at.z + p.z);
}

static vsp_body_id add_limb(scene_run *run, const doll *it, piece limb)
{
    limb.at = doll_point(it, limb.at);
    limb.turn = combine_turns(it->turn, limb.turn);
    return add_piece(run, &limb);
}

/* Returns a capsule along x of length 2 half, caps included. */
static piece level_capsule(vec at, double radius, double half)
{
    piece it = capsule_piece(at, radius, half - radius);

    it.turn = about_z(PI / 2.0);
    return it;
}

/* Adds a ball joint with a cone that limits its swing, and a limit of its
 * twist, rad. */
static void join_cone(scene_run *run, const doll *it, vsp_joint_def def,
                      vec anchor, vec axis, double cone, double twist)
{
    place_joint(run, &def, VSP_JOINT_BALL, doll_point(it, anchor),
                rotate_vec(it->turn, axis));
    def.cone = scene_real(cone);
    limit_joint(&def, -twist, twist);
    make_joint(run, &def);
}

static void join_bend(scene_run *run, const doll *it, vsp_joint_def def,
                      vec anchor, vec axis, double low, double high)
{
    place_joint(run, &def, VSP_JOINT_HINGE, doll_point(it, anchor),
                rotate_vec(it->turn, axis));
    limit_joint(&def, low, high);
    make_joint(run, &def);
}

/* Adds an arm, stretched out, on the side 1 or -1. */
static void add_arm(scene_run *run, const doll *it, vsp_body_id chest,
                    double side)
{
    vec out = make_vec(side, 0.0, 0.0);
    vsp_body_id upper = add_limb(
        run, it, level_capsule(make_vec(side * 0.37, 1.5, 0.0), 0.05, 0.15));
    vsp_body_id lower = add_limb(
        run, it, level_capsule(make_vec(side * 0.65, 1.5, 0.0), 0.045, 0.13));
    vsp_body_id hand = add_limb(run, it,
                                box_piece(make_vec(side * 0.86, 1.5, 0.0),
                                          make_vec(0.08, 0.025, 0.045)));

    join_cone(run, it, joint_of(chest, upper), make_vec(side * 0.22, 1.5, 0.0),
              out, 1.5, 0.6);
    join_bend(run, it, joint_of(upper, lower), make_vec(side * 0.52, 1.5, 0.0),
              make_vec(0.0, -side, 0.0), 0.0, 2.4);
    join_cone(run, it, joint_of(lower, hand), make_vec(side * 0.78, 1.5, 0.0),
              out, 0.7, 0.3);
}

static void add_leg(scene_run *run, const doll *it, vsp_body_id pelvis,
                    double side)
{
    double x = side * 0.1;
    vec across = make_vec(1.0, 0.0, 0.0);
    vsp_body_id thigh = add_limb(
        run, it, capsule_piece(make_vec(x, 0.685, 0.0), 0.075, 0.14));
    vsp_body_id shin = add_limb(
        run, it, capsule_piece(make_vec(x, 0.275, 0.0), 0.055, 0.14));
    vsp_body_id foot = add_limb(
        run, it,
        box_piece(make_vec(x, 0.03, 0.05), make_vec(0.045, 0.03, 0.12)));

    join_cone(run, it, joint_of(pelvis, thigh), make_vec(x, 0.9, 0.0),
              make_vec(0.0, -1.0, 0.0), 0.9, 0.4);
    join_bend(run, it, joint_of(thigh, shin), make_vec(x, 0.47, 0.0), across,
              0.0, 2.4);
    join_bend(run, it, joint_of(shin, foot), make_vec(x, 0.08, 0.0), across,
              -0.5, 0.7);
}

/* Adds a doll of fifteen bodies, 1.85 m high.  Returns the chest. */
static vsp_body_id add_doll(scene_run *run, const doll *it)
{
    vsp_body_id pelvis = add_limb(
        run, it, box_piece(make_vec(0.0, 0.98, 0.0), make_vec(0.16, 0.1, 0.1)));
    vsp_body_id chest = add_limb(
        run, it,
        box_piece(make_vec(0.0, 1.34, 0.0), make_vec(0.18, 0.24, 0.11)));
    vsp_body_id head = add_limb(run, it,
                                ball_piece(make_vec(0.0, 1.73, 0.0), 0.12));

    join_cone(run, it, joint_of(pelvis, chest), make_vec(0.0, 1.09, 0.0),
              UPWARDS, 0.5, 0.5);
    join_cone(run, it, joint_of(chest, head), make_vec(0.0, 1.6, 0.0), UPWARDS,
              0.6, 0.8);
    for (int i = 0; i < 2; i++) {
        add_arm(run, it, chest, i == 0 ? 1.0 : -1.0);
        add_leg(run, it, pelvis, i == 0 ? 1.0 : -1.0);
    }
    return chest;
}

/* mark 0: a doll that leans over a step and falls down it */
void build_ragdoll(scene_run *run)
{
    doll it = {{-0.25, 1.01, 0.0}, {0.0, 0.0, 0.0, 1.0}};

    add_floor(run, 0.6, 0.0);
    add_block(run, make_vec(-1.0, 0.5, 0.0), make_vec(1.0, 0.5, 1.0));
    it.turn = combine_turns(about_z(-0.35), about_y(PI / 2.0));
    run->marks[0] = add_doll(run, &it);
}

/* Dolls fall on each other, each lying across the one below; the scene's number
 * counts them. */
void build_ragdolls(scene_run *run)
{
    rotation lying = {0.70710678118654752440, 0.0, 0.0,
                      0.70710678118654752440}; /* a quarter turn about x */

    add_floor(run, 0.6, 0.0);
    for (int i = 0; i < scene_number(run); i++) {
        doll it;
        vec middle;

        it.turn = combine_turns(about_y(1.2 * i), lying);
        middle = rotate_vec(it.turn, make_vec(0.0, 1.0, 0.0));
        it.at = make_vec(-middle.x, 1.1 + 0.5 * i, -middle.z);
        run->marks[i % SCENE_MARKS] = add_doll(run, &it);
    }
}

#endif
