/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Changes of bodies and shapes (VSP_EDITS): a scene of them; random ones, and
 * random drives, among the random calls of random_calls_all.c. */

#include "builder.h"
#include "random_arguments.h"
#include "random_calls.h"
#include "scene_table.h"

#if SCENES_EDITS


/* ---- A turntable --------------------------------------------------------- */

/* A static box with a surface that turns. */
static void add_turning(scene_run *run, vec at, vec half, vec spin)
{
    piece board = box_piece(at, half);
    vsp_body_def def = vsp_body_def_default();

    board.type = VSP_STATIC;
    piece_body(run, &board, &def);
    def.shape.surface_spin = real_vec(spin);
    def.shape.user = 3;
    create_body(run, &def);
}

/* Boxes and balls on a turntable; a tower on a block that is disabled and comes
 * back; a lift that moves along a circle.  mark 0: the block; 1: the lowest box
 * of the tower; 2: the lift */
void build_turntable(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    add_turning(run, make_vec(0.0, 0.25, 0.0), make_vec(2.0, 0.25, 2.0),
                make_vec(0.0, 1.0, 0.0));
    add_box(run, make_vec(0.0, 0.8, 0.0), make_vec(0.3, 0.3, 0.3));
    add_box(run, make_vec(1.25, 0.75, 0.0), make_vec(0.25, 0.25, 0.25));
    add_ball(run, make_vec(0.0, 0.8, -1.0), 0.3);
    run->marks[0] = add_block(run, make_vec(4.0, 0.5, 0.0),
                              make_vec(0.5, 0.5, 0.5));
    run->marks[1] = add_box(run, make_vec(4.0, 1.25, 0.0),
                            make_vec(0.25, 0.25, 0.25));
    add_box(run, make_vec(4.0, 1.75, 0.0), make_vec(0.25, 0.25, 0.25));
    run->marks[2] = add_mover(run, make_vec(-4.0, 1.0, 0.0),
                              make_vec(0.75, 0.125, 0.75),
                              make_vec(0.0, 0.0, 0.0));
    add_box(run, make_vec(-4.0, 1.375, 0.0), make_vec(0.25, 0.25, 0.25));
}

static void count_refused(scene_run *run, vsp_status status)
{
    if (status < 0)
        run->failures++;
}

static void move_lift(scene_run *run, uint32_t step)
{
    vsp_transform pose = vsp_body_transform(run->world, run->marks[2]);
    double angle = step / 32.0;

    pose.position = real_vec(
        make_vec(-5.0 + cosine(angle), 1.0 + 0.25 * sine(angle), 0.0));
    pose.rotation.x = pose.rotation.z = VSP_R(0.0);
    pose.rotation.y = scene_real(sine(0.25 * angle));
    pose.rotation.w = scene_real(cosine(0.25 * angle));
    count_refused(run,
                  vsp_record_body_move_to(scene_recorder(run), run->marks[2],
                                          pose, vsp_world_dt(run->world)));
}

void drive_turntable(scene_run *run, uint32_t step)
{
    vsp_recorder *r = scene_recorder(run);
    vsp_body_id block = run->marks[0], box = run->marks[1];
    vsp_vec3 size = real_vec(make_vec(0.25, 0.5, 0.25));
    vsp_shape_id shape;

    move_lift(run, step);
    if (step == 4)
        count_refused(run, vsp_record_body_enable(r, block, false));
    if (step == 8)
        count_refused(run, vsp_record_body_set_type(r, box, VSP_STATIC));
    if (step == 12)
        count_refused(run, vsp_record_body_set_type(r, box, VSP_DYNAMIC));
    if (step == 60)
        count_refused(run, vsp_record_body_enable(r, block, true));
    if (step == 14 && vsp_body_shapes(run->world, box, &shape, 1) == 1)
        count_refused(run, vsp_record_shape_set_size(r, shape, size));
}


/* ---- Random changes ------------------------------------------------------ */

static vsp_status call_set_type(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_type(scene_recorder(run), id,
                                    (vsp_body_type)pick_below(run, 4));
}

/* Disables seldom, so that most bodies are there. */
static vsp_status call_enable(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_enable(scene_recorder(run), id,
                                  pick_below(run, 3) != 0);
}

static vsp_status call_set_linear_velocity(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_linear_velocity(scene_recorder(run), id,
                                               vector(run, 3.0));
}

static vsp_status call_set_spin(scene_run *run)
{
    vsp_body_id id = some_body(run);

    return vsp_record_body_set_spin(scene_recorder(run), id, vector(run, 5.0));
}

static vsp_status call_move_to(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_transform pose = pick_place(run);

    return vsp_record_body_move_to(scene_recorder(run), id, pose,
                                   number(run, 0.01, 0.1));
}

static vsp_status call_set_shape_pose(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_transform pose = pick_place(run);

    if (is_floor(run, id))
        return VSP_OK;
    pose.position = vector(run, 0.3);
    return vsp_record_shape_set_pose(scene_recorder(run), id, pose);
}

static vsp_status call_set_size(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_vec3 size;

    size.x = number(run, 0.05, 0.4);
    size.y = number(run, 0.05, 0.4);
    size.z = number(run, 0.05, 0.4);
    return vsp_record_shape_set_size(scene_recorder(run), id, size);
}

static vsp_status call_set_density(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    return vsp_record_shape_set_density(scene_recorder(run), id,
                                        number(run, 0.0, 2000.0));
}

static vsp_status call_set_sensor(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    if (is_floor(run, id))
        return VSP_OK;
    return vsp_record_shape_set_sensor(scene_recorder(run), id,
                                       pick_below(run, 4) == 0);
}

static vsp_status call_set_surface_spin(scene_run *run)
{
    vsp_shape_id id = some_shape(run);
    vsp_vec3 spin = vector(run, 3.0);

    if (pick_below(run, 2))
        spin.x = spin.y = spin.z = VSP_R(0.0);
    return vsp_record_shape_set_surface_spin(scene_recorder(run), id, spin);
}

static vsp_status call_set_shape_user(scene_run *run)
{
    vsp_shape_id id = some_shape(run);

    return vsp_record_shape_set_user(scene_recorder(run), id,
                                     next_bits(run) & 0x1ffffu);
}

static vsp_status call_explode(scene_run *run)
{
    vsp_explosion explosion = vsp_explosion_default();

    explosion.center = vector(run, 1.0);
    explosion.radius = number(run, 0.0, 1.0);
    explosion.falloff = number(run, 0.0, 1.0);
    explosion.impulse = number(run, -20.0, 50.0);
    return vsp_record_explode(scene_recorder(run), &explosion);
}


/* ---- Random drives ------------------------------------------------------- */

/* Picks a mode that this type of joint may have, and a few that it may not. */
static void pick_drive(scene_run *run, vsp_joint_def *def)
{
    uint32_t mode = pick_below(run, 8) ? pick_below(run, VSP_MOTOR_MODES) : 7;

    if (def->type == VSP_JOINT_WHEEL && pick_below(run, 8))
        mode = VSP_MOTOR_SPEED;
    def->motor_mode = (vsp_motor_mode)mode;
    def->motor_target = number(run, -1.0, 1.0);
    def->motor_hertz = def->motor_damping = VSP_R(0.0);
    if (mode == VSP_MOTOR_SPRING || pick_below(run, 16) == 0) {
        def->motor_hertz = number(run, 0.1, 30.0);
        def->motor_damping = number(run, 0.0, 2.0);
    }
}

/* Shares out the axes: most often one use each. */
static void pick_axes(scene_run *run, vsp_joint_def *def)
{
    def->locked = next_bits(run) & 63u;
    def->limited = next_bits(run) & 63u & ~def->locked;
    def->driven = next_bits(run) & 63u & ~(def->locked | def->limited);
    if (pick_below(run, 16) == 0)
        def->driven |= 1u << pick_below(run, 7);
}

static vsp_status call_create_driven(scene_run *run)
{
    vsp_joint_def def = random_joint(run);

    if (pick_below(run, 4))
        def.type = pick_below(run, 2) ? VSP_JOINT_AXES : VSP_JOINT_WHEEL;
    if (def.type == VSP_JOINT_AXES) {
        pick_axes(run, &def);
        def.limit_hertz = def.limit_damping = VSP_R(0.0);
    }
    if (def.type == VSP_JOINT_AXES || def.type == VSP_JOINT_WHEEL) {
        def.rigid = false;
        def.cone = vsp_joint_def_default().cone;
        def.yield_torque = def.break_angle = VSP_R(0.0);
    }
    def.enable_motor = pick_below(run, 3) != 0;
    def.motor_max = number(run, 0.0, 2000.0);
    pick_drive(run, &def);
    return vsp_record_joint_create(scene_recorder(run), &def, NULL);
}

static vsp_status call_set_drive(scene_run *run)
{
    vsp_joint_id id = some_joint(run);
    vsp_joint_def def = vsp_joint_def_default();

    (void)vsp_joint_get(run->world, id, &def);
    pick_drive(run, &def);
    return vsp_record_joint_set_drive(scene_recorder(run), id, def.motor_mode,
                                      def.motor_hertz, def.motor_damping);
}

static vsp_status call_set_target(scene_run *run)
{
    vsp_joint_id id = some_joint(run);

    return vsp_record_joint_set_target(scene_recorder(run), id,
                                       number(run, -1.6, 1.6));
}

static vsp_status call_set_axes(scene_run *run)
{
    vsp_joint_id id = some_joint(run);
    vsp_joint_def def;

    pick_axes(run, &def);
    return vsp_record_joint_set_axes(scene_recorder(run), id, def.locked,
                                     def.limited, def.driven);
}

static vsp_status call_set_frame(scene_run *run)
{
    vsp_joint_id id = some_joint(run);

    return vsp_record_joint_set_frame(scene_recorder(run), id,
                                      pick_place(run).rotation);
}

static random_call *const drives[] = {
    call_create_driven, call_create_driven, call_create_driven, call_set_drive,
    call_set_target,    call_set_target,    call_set_axes,      call_set_frame,
};

static random_call *const edits[] = {
    call_explode,
    call_set_type,
    call_enable,
    call_enable,
    call_enable,
    call_set_spin,
    call_set_linear_velocity,
    call_move_to,
    call_set_shape_pose,
    call_set_size,
    call_set_density,
    call_set_sensor,
    call_set_surface_spin,
    call_set_shape_user,
};

void edit_any(scene_run *run)
{
    call_one(run, edits, sizeof edits / sizeof edits[0]);
    call_one(run, drives, sizeof drives / sizeof drives[0]);
}

/* Asks what can be asked of a body, and what is on a ray; the answers change no
 * state. */
static void look_at_body(scene_run *run)
{
    vsp_body_id id = some_body(run);
    vsp_shape_id shapes[4];
    vsp_joint_id joints[4];
    vsp_bounds bounds;
    vsp_body_def def;
    vsp_vec3 from = vector(run, 2.0);
    vsp_hit hits[2];
    uint32_t count;

    if (vsp_ray_cast_hits(run->world, from, vector(run, 4.0), NULL, hits, 2,
                          &count) == VSP_OK)
        run->random += count * 512u;

    if (vsp_body_get(run->world, id, &def) < 0)
        return;
    run->random += vsp_body_shapes(run->world, id, shapes, 4) +
                   8u * vsp_body_joints(run->world, id, joints, 4) +
                   64u * def.locks;
    run->random += vsp_body_bounds(run->world, id, &bounds) < 0;
    run->random += run->random == 0;
}

void drive_calls3(scene_run *run, uint32_t step)
{
    drive_calls2(run, step);
    look_at_body(run);
    if (step % 45 >= 30)
        return;
    for (uint32_t left = pick_below(run, 3); left > 0; left--)
        edit_any(run);
}

#endif
