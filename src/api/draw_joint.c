/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Drawing of joints with their limits.  Optional: VSP_DRAW, VSP_JOINTS. */

#include "draw.h"

#if VSP_DRAW && VSP_JOINTS

#define JOINT_COLOR 0x143cd7u
#define LIMIT_COLOR 0x7d9bffu
#define BEARING_COLOR 0xe11414u


/* ---- Frames -------------------------------------------------------------- */

/* Fills the pose of a joint's frame in the world. */
static void place_joint_frame(const vsp_world *world, const vsp__joint *j,
                              uint32_t side, vsp__pose *pose)
{
    const vsp__body *b = world->bodies + j->body[side];
    const vsp__frame *frame = &j->frame[side];
    vsp__unit_quat turn;
    vsp__v3 arm;

    v3_sub_to(&frame->position, &b->mass_data.center, &arm);
    vsp__q_rotate(&b->rotation, &arm, &arm);
    v3_add_to(&b->position, &arm, &pose->position);
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

/* Draws the limits of a distance on the line from A to B. */
static void draw_distances(vsp__pen *pen, const vsp__joint *j,
                           const vsp__pose ends[2])
{
    vsp__v3 way;
    uint32_t k;

    v3_sub_to(&ends[1].position, &ends[0].position, &way);
    if (v3_length_at(&way) == 0)
        return;
    vsp__v3_normalize(&way);
    vsp__draw_in_world(pen);
    for (k = 0; k < 2; k++) {
        vsp__v3 at = ends[0].position;

        u3_move(&at, (&j->low)[k], &way);
        vsp__draw_cross(pen, &at);
    }
}

static void draw_limits(vsp__pen *pen, const vsp__joint *j,
                        const vsp__pose ends[2])
{
    pen->pose = ends[0];
    pen->color = LIMIT_COLOR;
    if (j->type == VSP_JOINT_HINGE || j->type == VSP_JOINT_BALL)
        draw_turn_limits(pen, j);
    if (j->type == VSP_JOINT_BALL)
        draw_cone(pen, j->cone);
    if (j->type == VSP_JOINT_SLIDER && (j->flags & VSP__JOINT_LIMIT))
        draw_range(pen, j->low, j->high);
    if (j->type == VSP_JOINT_DISTANCE)
        draw_distances(pen, j, ends);
}


/* ---- Joints -------------------------------------------------------------- */

/* Draws the axes that move: x of A, which is that of a hinge or slider, and x
 * and y of B. */
static void draw_joint_axes(vsp__pen *pen, const vsp__joint *j,
                            const vsp__pose ends[2])
{
    vsp__v3 origin = v3_zero(), x = v3(pen->size, 0, 0);
    vsp__v3 y = v3(0, pen->size, 0), back;

    pen->pose = ends[1];
    if (j->type == VSP_JOINT_FIXED || j->type == VSP_JOINT_DISTANCE) {
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
    draw_world_line(pen, &ends[0].position, &ends[1].position);
}

#endif /* VSP_DRAW && VSP_JOINTS */
