/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Gears and pulleys: a clockwork; random calls with both.  A build without
 * gears has neither. */

#include "builder.h"
#include "random_arguments.h"
#include "random_calls.h"
#include "scene_table.h"

#if SCENES_GEARS

#define UPRIGHT make_vec(0.0, 1.0, 0.0)

/* Adds a wheel, a square plate, on a hinge to a post. */
static vsp_body_id add_gear_wheel(scene_run *run, vsp_body_id post, vec at,
                                  double radius, double brake)
{
    piece plate = box_piece(at, make_vec(0.7 * radius, 0.7 * radius, 0.04));
    vsp_body_id wheel;
    vsp_joint_def def;

    plate.density = 4000.0;
    wheel = add_piece(run, &plate);
    def = joint_of(post, wheel);
    place_joint(run, &def, VSP_JOINT_HINGE, at, SIDEWAYS);
    def.enable_motor = brake > 0.0;
    def.motor_max = scene_real(brake);
    make_joint(run, &def);
    return wheel;
}

/* Joins two wheels along z, or a wheel and a rack along y, by their teeth. */
static void mesh_wheels(scene_run *run, vsp_body_id a, vsp_body_id b,
                        int32_t teeth_a, int32_t teeth_b)
{
    vsp_joint_def def = joint_of(a, b);

    def.type = VSP_JOINT_GEAR;
    def.teeth_a = teeth_a;
    def.teeth_b = teeth_b;
    def.frame_a.rotation.y = scene_real(-0.70710678);
    def.frame_a.rotation.w = scene_real(0.70710678);
    def.frame_b.rotation = def.frame_a.rotation;
    if (teeth_b == 0) {
        def.frame_b.rotation.y = VSP_R(0.0);
        def.frame_b.rotation.z = scene_real(0.70710678);
    }
    make_joint(run, &def);
}

/* Hangs a weight on a rope over two pulleys, whose other end lifts a rack. */
static void hang_weight(scene_run *run, vsp_body_id rack)
{
    piece ball = ball_piece(make_vec(-1.6, 2.2, 0.0), 0.2);
    double angle = radians(run->variant.turn);
    vsp_joint_def def;

    ball.density = run->variant.number / 0.0335103;
    run->marks[0] = add_piece(run, &ball);
    def = joint_of(run->marks[0], rack);
    def.type = VSP_JOINT_PULLEY;
    def.frame_b.position = real_vec(make_vec(0.0, 0.6, 0.0));
    def.pulley_a = real_vec(turn_vec(make_vec(-1.6, 3.6, 0.0), angle));
    def.pulley_b = real_vec(turn_vec(make_vec(-0.9, 3.6, 0.0), angle));
    def.high = scene_real(1.4 + 2.0);
    make_joint(run, &def);
}

/* mark 0: a weight that sinks, lifts a rack, and so turns three wheels, the
 * last of which is braked; the scene's number is its mass, kg */
void build_clockwork(scene_run *run)
{
    vsp_body_id post, rack, wheel[3];
    piece bar = box_piece(make_vec(-0.9, 1.0, 0.0), make_vec(0.04, 0.6, 0.05));
    vsp_joint_def def;

    add_floor(run, 0.5, 0.0);
    post = add_block(run, make_vec(0.0, 1.7, -0.3), make_vec(1.2, 1.7, 0.1));
    rack = add_piece(run, &bar);
    def = joint_of(post, rack);
    place_joint(run, &def, VSP_JOINT_SLIDER, make_vec(-0.9, 1.0, 0.0), UPRIGHT);
    limit_joint(&def, -0.1, 1.2);
    make_joint(run, &def);
    wheel[0] = add_gear_wheel(run, post, make_vec(-0.6, 2.0, 0.0), 0.3, 0.0);
    wheel[1] = add_gear_wheel(run, post, make_vec(-0.1, 2.0, 0.0), 0.2, 0.0);
    wheel[2] = add_gear_wheel(run, post, make_vec(0.35, 2.0, 0.0), 0.25, 20.0);
    mesh_wheels(run, wheel[0], rack, 30, 0);
    mesh_wheels(run, wheel[0], wheel[1], 30, 20);
    mesh_wheels(run, wheel[1], wheel[2], 20, 25);
    hang_weight(run, rack);
}

#endif

#if SCENES_GEAR_CALLS

/* Makes a gear or a pulley, of which every eighth may not be made. */
static vsp_status call_create_gear(scene_run *run)
{
    vsp_joint_def def = random_joint(run), base = vsp_joint_def_default();

    base.body_a = def.body_a;
    base.body_b = def.body_b;
    base.frame_a = def.frame_a;
    base.frame_b = def.frame_b;
    base.break_impulse = def.break_impulse;
    def = base;
    def.type = pick_below(run, 2) ? VSP_JOINT_GEAR : VSP_JOINT_PULLEY;
    if (def.type == VSP_JOINT_GEAR || pick_below(run, 16) == 0) {
        def.teeth_a = (int32_t)pick_below(run, 60);
        def.teeth_b = (int32_t)pick_below(run, 120) - 60;
    }
    if (def.type == VSP_JOINT_PULLEY || pick_below(run, 16) == 0) {
        def.ratio = number(run, 0.0, 4.0);
        def.pulley_a = vector(run, 4.0);
        def.pulley_b = vector(run, 4.0);
        def.high = number(run, 0.0, 6.0);
        def.low = number(run, 0.0, 1.0);
    }
    return vsp_record_joint_create(scene_recorder(run), &def, NULL);
}

static random_call *const gear_calls[] = {call_create_gear};

void drive_calls4(scene_run *run, uint32_t step)
{
    drive_calls3(run, step);
    if (step % 4 == 0)
        call_one(run, gear_calls, 1);
}

#endif
