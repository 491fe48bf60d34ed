/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Drawing of joints with their limits.  Optional: VSP_DRAW, VSP_JOINTS. */

#include "draw.h"

#if VSP_DRAW && VSP_JOINTS

#define JOINT_COLOR 0x143cd7u
#define LIMIT_COLOR 0x7d9bffu
#define BEARING_COLOR 0xe11414u
#define TARGET_COLOR 0x14a03cu


/* ---- Frames -------------------------------------------------------------- */

/* Fills the pose of a joint's frame in the world. */
static void place_joint_frame(const vsp_world *world, const vsp__joint *j,
                              uint32_t side, vsp__pose *pose)
{
    const vsp__body *b = world->bodies + j->body[side];
    const vsp__frame *frame = &j->frame[side];
    vsp__unit_quat turn = b->rotation;
    vsp__v3 arm;

    v3_sub_to(&frame->position, &b->mass_data.center, &arm);
    vsp__q_rotate(&b->rotation, &arm, &arm);
    v3_add_to(&b->position, &arm, &pose->position);
    if (!vsp__is_rope(j))
        vsp__q_mul(&b->rotation, &frame->rotation, &turn);
    pose->axes = vsp__q_axes(turn);
}

static void draw_world_line(vsp__pen *pen, const vsp__v3 *a, const vsp__v3 *b)
{
    vsp__draw_in_world(pen);
    vsp__draw_line(pen, a, b);
}


/* ---- Limits --------------------------------------------------------------
 * In frame A. */

/* Fills the point of a circle about the x axis, at an angle from the y axis,
 * rad. */
static void point_about_x(vsp__num angle, vsp__num along, vsp__num radius,
                          vsp__v3 *point)
{
    vsp__num sine, cosine;

    vsp__sine_cosine(r_show(angle), &sine, &cosine);
    *point = v3(along, u_mul(radius, cosine), u_mul(radius, sine));
}

/* Draws an arc about the x axis, `along` in front of the origin, with a line
 * from the origin to each end. */
static void draw_arc(const vsp__pen *pen, vsp__num low, vsp__num high,
                     vsp__num along, vsp__num radius)
{
    vsp__num step = r_div(r_sub(high, low), r_from_int((int32_t)pen->segments));
    vsp__v3 center = v3_zero(), a, b;
    uint32_t i;

    point_about_x(low, along, radius, &a);
    vsp__draw_line(pen, &center, &a);
    for (i = 1; i <= pen->segments; i++) {
        point_about_x(i < pen->segments ? r_add(low, r_times(step, (int32_t)i))
                                        : high,
                      along, radius, &b);
        vsp__draw_line(pen, &a, &b);
        a = b;
    }
    vsp__draw_line(pen, &a, &center);
}

/* Draws the range of a turn about x, from the y axis of A to that of B. */
static void draw_turn_limits(const vsp__pen *pen, const vsp__joint *j)
{
    if (j->flags & VSP__JOINT_LIMIT)
        draw_arc(pen, j->low, j->high, 0, pen->size);
}

/* Draws a cone around x, in which the x axis of B stays. */
static void draw_cone(const vsp__pen *pen, vsp__num angle)
{
    vsp__num quarter = VSP__REAL(1.5707963), sine, cosine;
    int32_t i;

    if (angle >= r_read(VSP__HALF_TURN))
        return;
    vsp__sine_cosine(r_show(angle), &sine, &cosine);
    for (i = 0; i < 4; i++)
        draw_arc(pen, r_times(quarter, i), r_times(quarter, i + 1),
                 u_mul(pen->size, cosine), u_mul(pen->size, sine));
}

/* Draws crosses at both ends of a range along x, and a line between them. */
static void draw_range(const vsp__pen *pen, vsp__num low, vsp__num high)
{
    vsp__v3 a = v3(low, 0, 0), b = v3(high, 0, 0);

    vsp__draw_cross(pen, &a);
    vsp__draw_cross(pen, &b);
    vsp__draw_line(pen, &a, &b);
}

/* Draws a cross at a distance from A on the line to B. */
static void draw_on_way(vsp__pen *pen, vsp__num distance,
                        const vsp__pose ends[2])
{
    vsp__v3 way, at = ends[0].position;

    v3_sub_to(&ends[1].position, &at, &way);
    if (v3_length_at(&way) == 0)
        return;
    vsp__v3_normalize(&way);
    u3_move(&at, distance, &way);
    vsp__draw_in_world(pen);
    vsp__draw_cross(pen, &at);
}

#if VSP_DRIVES

/* Turns the frame of the pen so that its x axis is axis k of frame A. */
static VSP__CALLED void point_along_axis(vsp__pen *pen, const vsp__pose *frame,
                                         uint32_t k)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        pen->pose.axes.axis[i] = frame->axes.axis[(k + i) % 3];
    pen->pose.position = frame->position;
}

/* Draws the limits of AXES and of the travel of a WHEEL. */
static void draw_axes_limits(vsp__pen *pen, const vsp__joint *j,
                             const vsp__pose *frame)
{
    uint32_t rows = vsp__limited_rows(j), k;

    for (k = 0; k < 6; k++) {
        if (!(rows >> k & 1u))
            continue;
        point_along_axis(pen, frame, k % 3);
        if (k < VSP__ROW_TURN_X)
            draw_range(pen, j->low, j->high);
        else
            draw_arc(pen, j->low, j->high, 0, pen->size);
    }
    pen->pose = *frame;
}

/* Returns the axes that go to a target, a bit each. */
static uint32_t target_axes(const vsp__joint *j)
{
    if (j->type == VSP_JOINT_WHEEL)
        return 1u << VSP__ROW_TURN_X; /* steering */
    if (!(j->flags & VSP__JOINT_MOTOR) || !vsp__has_target(j))
        return 0;
    return j->type == VSP_JOINT_AXES ? vsp__axes_of(j, VSP__AXES_DRIVEN)
                                     : 1u << vsp__motor_axis(j);
}

/* Draws where a drive goes: a cross on an axis, or a line at an angle. */
static void draw_target(vsp__pen *pen, const vsp__joint *j,
                        const vsp__pose ends[2])
{
    vsp__num target = w_to_real(j->yield_torque);
    uint32_t axes = target_axes(j), k;
    vsp__v3 at, center = v3_zero();

    if (vsp__is_gearing(j) || j->type == VSP_JOINT_FIXED)
        return;
    pen->color = TARGET_COLOR;
    for (k = 0; k < 6; k++) {
        if (!(axes >> k & 1u))
            continue;
        point_along_axis(pen, &ends[0], k % 3);
        point_about_x(target, 0, pen->size, &at);
        if (k >= VSP__ROW_TURN_X) {
            vsp__draw_line(pen, &center, &at);
        } else if (j->type == VSP_JOINT_DISTANCE) {
            draw_on_way(pen, target, ends);
        } else {
            at = v3(target, 0, 0);
            vsp__draw_cross(pen, &at);
        }
    }
}

#else

static void draw_axes_limits(vsp__pen *pen, const vsp__joint *j,
                             const vsp__pose *frame)
{
    (void)pen;
    (void)j;
    (void)frame;
}

static void draw_target(vsp__pen *pen, const vsp__joint *j,
                        const vsp__pose ends[2])
{
    (void)pen;
    (void)j;
    (void)ends;
}

#endif /* VSP_DRIVES */

static void draw_limits(vsp__pen *pen, const vsp__joint *j,
                        const vsp__pose ends[2])
{
    uint32_t k;

    pen->pose = ends[0];
    pen->color = LIMIT_COLOR;
    if (j->type == VSP_JOINT_HINGE || j->type == VSP_JOINT_BALL)
        draw_turn_limits(pen, j);
    if (j->type == VSP_JOINT_BALL)
        draw_cone(pen, j->cone);
    if (j->type == VSP_JOINT_SLIDER && (j->flags & VSP__JOINT_LIMIT))
        draw_range(pen, j->low, j->high);
    if (j->type == VSP_JOINT_DISTANCE)
        for (k = 0; k < 2; k++)
            draw_on_way(pen, (&j->low)[k], ends);
    if (vsp__has_axes(j))
        draw_axes_limits(pen, j, &ends[0]);
    draw_target(pen, j, ends);
}

#if VSP_GEARS

/* Draws the pitch circle of each wheel and, along a rack, the tangent. */
static void draw_teeth(vsp__pen *pen, const vsp__joint *j,
                       const vsp__pose ends[2])
{
    vsp__num half = r_read(VSP__HALF_TURN);
    uint32_t count = j->high == 0 ? 1 : 2, k;
    vsp__joint_pose s;

    vsp__find_joint_pose(pen->world, j, &s);
    for (k = 0; k < count; k++) {
        vsp__v3 out;

        v3_add_to(&pen->world->bodies[j->body[k]].position, &s.arm[k], &out);
        v3_sub_in(&out, &ends[k].position);
        pen->pose = ends[k];
        draw_arc(pen, r_neg(half), half, 0, v3_length_at(&out));
    }
    if (count == 1) {
        vsp__v3 from, to;

        v3_add_to(&pen->world->bodies[j->body[0]].position, &s.arm[0], &from);
        to = from;
        u3_move(&from, r_neg(pen->size), &s.axes[0].axis[0]);
        u3_move(&to, pen->size, &s.axes[0].axis[0]);
        draw_world_line(pen, &from, &to);
    }
}

/* Draws a rope from body to body. */
static void draw_rope(vsp__pen *pen, const vsp__joint *j,
                      const vsp__pose ends[2])
{
    vsp__v3 point[2];
    uint32_t k;

    for (k = 0; k < 2; k++) {
        const vsp__unit_quat *words = &j->frame[k].rotation;

        point[k] = v3(words->x, words->y, words->z);
        draw_world_line(pen, &ends[k].position, &point[k]);
    }
    draw_world_line(pen, &point[0], &point[1]);
}

#else

static void draw_teeth(vsp__pen *pen, const vsp__joint *j,
                       const vsp__pose ends[2])
{
    (void)pen;
    (void)j;
    (void)ends;
}

static void draw_rope(vsp__pen *pen, const vsp__joint *j,
                      const vsp__pose ends[2])
{
    (void)pen;
    (void)j;
    (void)ends;
}

#endif /* VSP_GEARS */


/* ---- Joints -------------------------------------------------------------- */

/* Draws x of A, which is the axis of a hinge or slider, and x and y of B (no y
 * for a SLIDER); for a joint without axes a cross at the anchor on B. */
static void draw_joint_axes(vsp__pen *pen, const vsp__joint *j,
                            const vsp__pose ends[2])
{
    vsp__v3 origin = v3_zero(), x = v3(pen->size, 0, 0);
    vsp__v3 y = v3(0, pen->size, 0), back;

    pen->pose = ends[1];
    if (j->type == VSP_JOINT_FIXED || j->type == VSP_JOINT_DISTANCE ||
        vsp__is_rope(j)) {
        vsp__draw_cross(pen, &origin);
        return;
    }
    vsp__draw_line(pen, &origin, &x);
    if (j->type != VSP_JOINT_SLIDER)
        vsp__draw_line(pen, &origin, &y);
    pen->pose = ends[0];
    v3_neg_to(&x, &back);
    vsp__draw_line(pen, j->type == VSP_JOINT_BALL ? &origin : &back, &x);
}

void vsp__draw_joint(vsp__pen *pen, const vsp__joint *j)
{
    vsp__pose ends[2];
    uint32_t k;

    for (k = 0; k < 2; k++)
        place_joint_frame(pen->world, j, k, &ends[k]);
    draw_limits(pen, j, ends);
    pen->color = j->flags & VSP__JOINT_BEARS ? BEARING_COLOR : JOINT_COLOR;
    draw_joint_axes(pen, j, ends);
    for (k = 0; k < 2; k++) {
        const vsp__body *b = pen->world->bodies + j->body[k];

        if (!vsp__is_static(b))
            draw_world_line(pen, &b->position, &ends[k].position);
    }
    if (vsp__is_rope(j))
        draw_rope(pen, j, ends);
    else if (vsp__is_gearing(j))
        draw_teeth(pen, j, ends);
    else
        draw_world_line(pen, &ends[0].position, &ends[1].position);
}

#endif /* VSP_DRAW && VSP_JOINTS */
