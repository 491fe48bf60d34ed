/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Joints.  In this order: the pose of a joint, assembly of its rows, sweeps,
 * impulses, merit.  Optional: VSP_JOINTS.
 *
 * A joint adds up to seven rows to the problem of the contacts, eq. 28-33:
 * three along and three about the axes of frame A, and one for the motor.  Each
 * row bounds J u by low and high: [0, 0] for an equality, the distances to both
 * limits, over h, for a limit, [w, w] for a motor with speed w.  One rule
 * serves all: the multiplier brings J u to the nearest bound, is 0 between the
 * bounds, and is never larger than its own bound.  The position problem is the
 * same in displacements. */

#include "solve.h"

#if VSP_JOINTS


/* ---- The pose of a joint ------------------------------------------------- */

/* converts units to reals */
static vsp__v3 v3_of_units(const vsp__v3 *u)
{
    return v3(r_of_unit(u->x), r_of_unit(u->y), r_of_unit(u->z));
}

/* A BALL whose x axes nearly oppose each other has no twist: where cos (swing /
 * 2) is less. */
#define LEAST_TWIST_SHARE VSP__UNIT(1e-2)

/* Computes the swing of a BALL, the angle between the x axes of A and B, and
 * its axes of rotation: that of twist is midway between both, that of swing is
 * across them. */
static void find_swing(const vsp__v3 *x_of_b, vsp__joint_pose *s)
{
    vsp__v3 *twist = &s->axes[1].axis[0];
    vsp__v3 across;
    vsp__num sine;

    u3_cross_to(twist, x_of_b, &across);
    sine = v3_length_at(&across);
    s->swing = vsp__angle_of(sine, u3_dot_at(twist, x_of_b));
    if (sine > VSP__UNIT(1e-4)) {
        vsp__v3_normalize(&across);
        s->axes[1].axis[1] = across;
    }
    v3_add_in(twist, x_of_b);
    u3_scale_in(twist, VSP__UNIT(0.5));
    s->twist_share = v3_length_at(twist); /* cos (swing / 2) */
    if (s->twist_share > LEAST_TWIST_SHARE)
        vsp__v3_normalize(twist);
}

/* The error of two axes has the sine of their angle as its length, which is 0
 * if they are opposite.  Beyond a right angle makes it one long. */
static void widen_error(vsp__num cosine, vsp__v3 *error)
{
    if (!(cosine < 0))
        return;
    if (v3_size_at(error) > VSP__REAL(1e-3))
        vsp__v3_normalize(error);
    else
        *error = v3(0, VSP__UNIT(1.0), 0);
    *error = v3_of_units(error);
}

/* Computes the error of rotation in A's axes: the rotation vector between both
 * frames or, for a HINGE, between their x axes.  Also computes s->place: the
 * twist of a BALL, or the angle of a HINGE. */
static void find_rotation_error(const vsp__joint *j,
                                const vsp__unit_quat rotation[2],
                                vsp__joint_pose *s)
{
    vsp__v3 x = v3(VSP__UNIT(1.0), 0, 0), y = v3(0, VSP__UNIT(1.0), 0);
    vsp__unit_quat turn;

    vsp__q_div(&rotation[0], &rotation[1], &turn);
    s->twisted = v3(turn.x, turn.y, turn.z);
    v3_flip_in(&s->twisted, turn.w < 0);
    vsp__q_rotate(&rotation[1], &x, &x);
    if (j->type == (uint32_t)VSP_JOINT_BALL) {
        s->place = r_times(vsp__angle_of(s->twisted.x, r_abs(turn.w)), 2);
        find_swing(&x, s);
    }
    s->twisted = v3_of_units(&s->twisted);
    v3_add_in(&s->twisted, &s->twisted);
    if (j->type != (uint32_t)VSP_JOINT_HINGE)
        return;
    vsp__q_rotate(&rotation[1], &y, &y);
    vsp__m3_tmul_to(&s->axes[0], &y, &y);
    s->place = vsp__angle_of(y.z, y.y);
    vsp__m3_tmul_to(&s->axes[0], &x, &x);
    x = v3_of_units(&x);
    s->twisted = v3(0, r_neg(x.z), x.y);
    widen_error(x.x, &s->twisted);
}

void vsp__find_joint_pose(const vsp_world *world, const vsp__joint *j,
                          vsp__joint_pose *s)
{
    const vsp__body *a = world->bodies + j->body[0];
    const vsp__body *b = world->bodies + j->body[1];
    vsp__unit_quat rotation[2];
    vsp__v3 parting;

    vsp__zero_bytes(s, sizeof *s);
    if (vsp__is_gearing(j)) {
        vsp__find_gear_pose(world, j, s);
        return;
    }
    vsp__find_joint_frame(a, &j->frame[0], &rotation[0], &s->arm[0]);
    vsp__find_joint_frame(b, &j->frame[1], &rotation[1], &s->arm[1]);
    v3_sub_to(&b->position, &a->position, &parting);
    v3_add_in(&parting, &s->arm[1]);
    v3_sub_in(&parting, &s->arm[0]);
    if (j->type == (uint32_t)VSP_JOINT_SLIDER ||
        vsp__has_axes(j)) /* acts at B's anchor */
        v3_add_in(&s->arm[0], &parting);
    vsp__q_axes_flushed(&rotation[0], &s->axes[0]);
    s->axes[1] = s->axes[0];
    if (j->type == (uint32_t)VSP_JOINT_DISTANCE) {
        s->place = v3_length_at(&parting);
        if (s->place > 0) {
            vsp__v3_normalize_by(&parting, s->place);
            s->axes[0].axis[0] = s->axes[1].axis[0] = parting;
        }
        return;
    }
    vsp__m3_tmul_to(&s->axes[0], &parting, &s->parted);
    if (vsp__has_axes(j)) {
        vsp__find_axes_pose(j, rotation, s);
        return;
    }
    if (j->type == (uint32_t)VSP_JOINT_SLIDER) {
        s->place = s->parted.x;
        s->parted.x = 0;
    }
    find_rotation_error(j, rotation, s);
}


/* ---- Assembly ------------------------------------------------------------ */

/* Returns the row with soft limits: a joint with a frequency has one limited
 * row.  Limits of AXES and WHEEL are hard, but bound no chain
 * (vsp__hard_limits). */
static VSP__CALLED uint32_t soft_rows(const vsp__joint *j)
{
    return j->hertz > 0 && !vsp__has_axes(j) ? vsp__limited_rows(j) : 0;
}

uint32_t vsp__hard_limits(const vsp__joint *j)
{
    if (vsp__has_axes(j) || vsp__is_gearing(j))
        return 0;
    return j->hertz > 0 ? 0 : vsp__limited_rows(j);
}

/* rows with limits, and rows that are equalities */
static uint32_t used_rows(const vsp__joint *j)
{
    return vsp__held_axes(j) | vsp__limited_rows(j);
}

/* rows of a hinge that the projection onto the plane of its loop replaces */
#define ROWS_OFF_PLANE \
    (1u << VSP__ROW_X | 1u << VSP__ROW_TURN_Y | 1u << VSP__ROW_TURN_Z)

VSP_STATIC_ASSERT(rows_go_by_axes,
                  VSP__ROW_Y % 3 == 1 && VSP__ROW_Z % 3 == 2 &&
                      VSP__ROW_TURN_X == 3 && VSP__ROW_TURN_Y == 4 &&
                      VSP__ROW_TURN_Z == 5 && VSP__ROW_MOTOR == 6);

/* Sets the axis and levers of row k.  Returns whether it is angular: acts about
 * the axis n, not along it. */
static bool set_row_axis(const vsp__joint *j, const vsp__joint_pose *s,
                         uint32_t k, vsp__joint_row *row)
{
    uint32_t axis = k == VSP__ROW_MOTOR ? vsp__motor_axis(j) : k;
    bool is_turn = axis >= VSP__ROW_TURN_X;
    bool is_spun = VSP_DRIVES && is_turn && vsp__is_spun(j, k);
    const vsp__v3 *n = s->axes[is_turn && !is_spun].axis + axis % 3;
    uint32_t i;

    if (vsp__is_rope(j)) {
        vsp__set_rope_levers(s, k, row);
        return false;
    }
    if (!is_turn) {
        row->axis = *n;
        for (i = 0; i < 2; i++)
            u3_cross_to(s->arm + i, n, row->lever + i);
    } else {
        row->axis = v3_zero();
        row->lever[0] = row->lever[1] = v3_of_units(n);
    }
    return is_turn;
}

/* Whether a body turns about an axis by rounding alone, because its turns about
 * it are locked: `ease` is its inverse inertia about the axis.  A row with so
 * small an inverse inertia would stop the turns that are free. */
static bool is_locked_along(const vsp__body *b,
                            const vsp__inverse_mass *inverse, vsp__wide ease)
{
    vsp__wide most = VSP__W_ZERO;
    uint32_t k;

    if (!(b->flags & VSP__TURN_LOCKS))
        return false;
    for (k = 0; k < 3; k++) {
        vsp__v3 axis = v3_zero();
        vsp__wide along;

        (&axis.x)[k] = VSP__UNIT(1.0);
        along = vsp__s3_along(&inverse->inertia, &axis);
        if (w_less(most, along))
            most = along;
    }
    return w_less(ease, w_mul(most, w_of_unit(VSP__UNIT(1.0 / 65536.0))));
}

/* Fills the mass, shares and turns of a row whose axis and levers are set.
 * Returns false if neither body can move along it. */
static bool set_row_mass(const vsp_world *world, const vsp__span *span,
                         const uint16_t *body, bool is_turn,
                         vsp__joint_row *row)
{
    const vsp__inverse_mass *inverse[2];
    vsp__wide sum = VSP__W_ZERO;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        vsp__wide ease;

        inverse[i] = vsp__inverse_mass_in(world, span, body[i]);
        ease = vsp__inverse_inertia_along(inverse[i], row->lever + i);
        if (!is_turn)
            ease = w_add(VSP__W_ONE, ease);
        else if (is_locked_along(world->bodies + body[i], inverse[i], ease))
            continue;
        sum = w_add(sum, w_mul(inverse[i]->mass, ease));
    }
    if (!w_less(VSP__W_ZERO, sum))
        return false;
    row->mass = w_div(VSP__W_ONE, sum);
    for (i = 0; i < 2; i++) {
        vsp__wide part = w_mul(inverse[i]->mass, row->mass);
        vsp__sym3 inertia = inverse[i]->inertia;

        row->share[i] = w_to_unit(part); /* unused if the row turns */
        vsp__s3_scale_wide(&inertia, part);
        s3_mul_to(&inertia, row->lever + i, row->turn + i);
    }
    row->multiplier = 0;
    row->most = VSP__REAL_MAX;
    row->yield = VSP__UNIT(1.0);
    return true;
}

/* Wraps the limits of an angle: beyond them, the nearer limit is the one
 * reached by the shorter rotation. */
static void wrap_angle_range(vsp__num *low, vsp__num *high)
{
    vsp__num turn = VSP__REAL(6.2831853), middle = r_add(*low, *high);

    if (middle > turn)
        turn = r_neg(turn);
    else if (middle >= r_neg(turn))
        return;
    *low = r_add(*low, turn);
    *high = r_add(*high, turn);
}

#define FREE_TURN VSP__REAL(8.0) /* rad: more than a turn */

/* Whether only `high` limits a DISTANCE: its anchors may pass each other. */
static bool is_slack_rope(const vsp__joint *j)
{
    return j->type == (uint32_t)VSP_JOINT_DISTANCE && j->low == 0 &&
           j->high > 0;
}

/* Computes the displacements that a joint allows along row k, m or rad.  For
 * the motor *low and *high are its speed, m/s or rad/s. */
static void find_row_range(const vsp_world *world, const vsp__joint *j,
                           const vsp__joint_pose *s, uint32_t k, vsp__num *low,
                           vsp__num *high)
{
    const vsp__v3 *error = k < VSP__ROW_TURN_X ? &s->parted : &s->twisted;
    bool is_many = vsp__has_axes(j);
    vsp__num place = is_many ? v3_part(error, k % 3) : s->place;

    if (vsp__is_rope(j)) {
        vsp__find_rope_range(world, j, s, k, low, high);
        return;
    }
    if (!(vsp__limited_rows(j) >> k & 1u)) {
        *low = *high = k == VSP__ROW_MOTOR ? j->motor_speed
                                           : r_neg(v3_part(error, k % 3));
        return;
    }
    *low = r_sub(j->low, place);
    *high = r_sub(j->high, place);
    if (is_slack_rope(j))
        *low = r_neg(VSP__FREE_WAY);
    if (k == VSP__ROW_TURN_X || (is_many && k > VSP__ROW_TURN_X))
        wrap_angle_range(low, high);
    if (j->type != (uint32_t)VSP_JOINT_BALL)
        return;
    if (k == VSP__ROW_TURN_Y) {
        *low = r_neg(FREE_TURN);
        *high = r_sub(j->cone, s->swing);
    } else if (s->twist_share > LEAST_TWIST_SHARE) {
        *low = u_mul(s->twist_share, *low);
        *high = u_mul(s->twist_share, *high);
    } else {
        *low = r_neg(FREE_TURN);
        *high = FREE_TURN;
    }
}

/* Converts low and high from displacements to velocities over h seconds.  An
 * existing error may stay, as the position problem corrects it. */
static void set_speed_range(vsp__num h, vsp__joint_row *row)
{
    if (!(row->low < row->high))
        row->low = row->high = 0;
    row->low = rate_over(r_min(row->low, 0), h);
    row->high = rate_over(r_max(row->high, 0), h);
}

/* Limits how far the force of a spring may move its bodies in a step: for a
 * DISTANCE a fraction of its length, for a HINGE an angle, rad.  A spring acts
 * along a line, or on a chain, that turns with the bodies, but a step uses only
 * the pose at its start: a stronger force would throw them across it. */
#define SPRING_WAY VSP__UNIT(0.5)
#define SPRING_TURN VSP__REAL(0.125)

static void limit_spring(const vsp_world *world, const vsp__joint *j,
                         vsp__num place, vsp__num part, vsp__joint_row *row)
{
    bool is_line = j->type == VSP_JOINT_DISTANCE;
    vsp__num way = is_line ? u_mul(SPRING_WAY, place) : SPRING_TURN;

    if (j->type != VSP_JOINT_SLIDER)
        row->most = u_mul(u_div(part, world->params.dt),
                          rate_over(way, world->params.dt));
}

/* Converts low and high of a spring from displacements to velocities over
 * `part` seconds.  With x = w part and the damping ratio z, an implicit step of
 * the spring has
 *
 *     J u + multiplier / (x (2 z + x)) = x / (2 z + x) end / part
 *
 * for a row of the spring's mass, where `end` is the limit that is passed.
 * A limit that is not passed is not scaled: the spring begins there. */
static void set_spring_range(const vsp_world *world, const vsp__joint *j,
                             vsp__num place, vsp__num part, vsp__joint_row *row)
{
    vsp__wide x = w_mul(
        w_mul(w_of_real(VSP__REAL(6.2831853)), w_of_real(j->hertz)),
        w_of_unit(part));
    vsp__wide z = w_of_real(j->ratio), damped = w_add(x, w_add(z, z));
    vsp__wide mass = vsp__spring_mass(world, j, j->type == VSP_JOINT_HINGE,
                                      row);
    vsp__wide stiff = w_mul(mass, w_mul(x, damped));
    vsp__num reach = w_to_unit(w_div(x, damped));
    bool is_rod = !(row->low < row->high);

    row->yield = w_to_unit(w_div(stiff, w_add(VSP__W_ONE, stiff)));
    row->low = rate_over(row->low, part);
    row->high = rate_over(row->high, part);
    if (row->low > 0 || is_rod)
        row->low = u_mul(reach, row->low);
    if (row->high < 0 || is_rod)
        row->high = u_mul(reach, row->high);
    limit_spring(world, j, place, part, row);
}

/* rad: the largest turn in a step that find_turns returns, of two bodies that
 * move and of one about a fixed anchor.  Chains that whip and bridges flutter
 * more and more with larger ones. */
#define MAX_TURN VSP__UNIT(0.25)
#define MAX_FIXED_TURN VSP__UNIT(0.5)

/* Computes how far two bodies turn in a step: rotation vectors, rad, as units.
 * A body on a pivot turns about its anchor, which does not move, so this turn
 * is 0. */
static void find_turns(const vsp_world *world, const uint16_t *body,
                       vsp__v3 turn[2])
{
    bool is_fixed = !vsp__is_dynamic(world->bodies + body[0]) ||
                    !vsp__is_dynamic(world->bodies + body[1]);
    vsp__num limit = is_fixed ? MAX_FIXED_TURN : MAX_TURN;
    uint32_t i, k;

    for (i = 0; i < 2; i++) {
        const vsp__v3 *w = &vsp__solve_of(world)->velocity[body[i]].angular;
        vsp__num length;
        vsp__v3 arm;

        for (k = 0; k < 3; k++)
            v3_parts(&turn[i])[k] = u_of_rate(v3_part(w, k), world->params.dt);
        length = v3_length_at(&turn[i]);
        if (length > limit)
            u3_scale_in(&turn[i], u_div(limit, length));
        if (vsp__find_pivot(world, body[i], &arm))
            turn[i] = v3_zero();
    }
}

/* Anchors move in arcs.  With t the turn of a body in h seconds, the mean
 * velocity of an anchor is
 *
 *     s w x arm + s tan (t / 2) / t  t x (w x arm),  s = sin t / t
 *
 * more than that of its body.  shorten_arms makes the first term a part of the
 * rows, as arms that are shorter by s; find_bow computes the second one, m/s,
 * and rows demand its opposite.  That keeps energy and positions; if positions
 * alone were corrected, what spins would slow down.  SHOCK solves twice in a
 * step, first for a small fraction of it: the s of both is that of the step, as
 * different ones would change the spin.
 *
 * Up to FULL_TURN the arms are as they are: under a large pull, rounding of
 * scaled ones would make a taut rope flutter.  Any s keeps spins. */
#define FULL_TURN VSP__UNIT(1.0 / 32.0) /* rad */

static VSP__CALLED vsp__num shortness(vsp__num square)
{
    vsp__num more = r_sub(square, u_mul(FULL_TURN, FULL_TURN));

    return r_sub(VSP__UNIT(1.0), u_mul(VSP__UNIT(1.0 / 6.0), r_max(more, 0)));
}

static void find_bow(const vsp_world *world, uint32_t body, const vsp__v3 *arm,
                     const vsp__v3 *turn, vsp__num h, vsp__v3 *bow)
{
    vsp__num part = u_div(h, world->params.dt);
    vsp__num square = u3_dot_at(turn, turn);
    vsp__num short_square = u_mul(square, u_mul(part, part));
    vsp__num half = r_add(VSP__UNIT(1.0 / 2.0),
                          u_mul(VSP__UNIT(1.0 / 24.0), short_square));

    v3_cross_to(&vsp__solve_of(world)->velocity[body].angular, arm, bow);
    u3_cross_to(turn, bow, bow);
    u3_scale_in(bow, u_mul(part, u_mul(shortness(square), half)));
}

static void find_arc(const vsp_world *world, const uint16_t *body,
                     const vsp__v3 *arm, const vsp__v3 turn[2], vsp__num h,
                     vsp__v3 *sum)
{
    vsp__v3 arc[2];
    uint32_t i;

    for (i = 0; i < 2; i++)
        find_bow(world, body[i], arm + i, &turn[i], h, &arc[i]);
    v3_sub_to(&arc[1], &arc[0], sum);
}

static void shorten_arms(const vsp__v3 turn[2], vsp__v3 arm[2])
{
    uint32_t i;

    for (i = 0; i < 2; i++)
        u3_scale_in(&arm[i], shortness(u3_dot_at(&turn[i], &turn[i])));
}

/* Computes the arc of a joint's anchors, as find_arc.  In a hinge loop drops
 * the part of each arm across the plane, so that hinges on one axis demand the
 * same velocity. */
static void find_joint_arc(const vsp_world *world, uint32_t slot,
                           const vsp__v3 turn[2], const vsp__joint_pose *s,
                           vsp__num h, vsp__v3 *arc)
{
    const vsp__v3 *n = &s->axes[0].axis[0];
    vsp__v3 arm[2];
    uint32_t i;

    for (i = 0; i < 2; i++) {
        arm[i] = s->arm[i];
        if (VSP_HINGE_LOOPS && vsp__is_in_hinge_loop(world, slot))
            u3_move(&arm[i], r_neg(u3_dot_at(n, &arm[i])), n);
    }
    find_arc(world, vsp__joint_pool_of(world)->joints[slot].body, arm, turn, h,
             arc);
}

/* The length d of a line grows by h^2 v^2 / (2 d) in h seconds if one end
 * passes the other at v, across the line.  Computes this over h from the
 * velocity between the ends, m/s.  It fades away as the line turns by 1/2 rad
 * to 1 rad in a step: the line of ends that nearly meet has no lasting
 * direction. */
static vsp__num stretch_of(const vsp__v3 *velocity, const vsp__v3 *line,
                           vsp__num length, vsp__num h)
{
    vsp__num speed, turn, reach;
    vsp__v3 u = *velocity;

    if (!(h > 0))
        return 0;
    reach = rate_over(length, h);
    u3_move(&u, r_neg(u3_dot_at(&u, line)), line);
    speed = v3_length_at(&u);
    if (!(speed < reach))
        return 0;
    turn = u_div(speed, reach);
    if (VSP_FIXED && reach > VSP__RATE(8000.0)) /* is clamped */
        turn = u_div(r_of_rate(speed, h), length);
    turn = r_min(turn, r_sub(VSP__UNIT(1.0), turn));
    return u_mul(u_mul(VSP__UNIT(0.5), turn), speed);
}

/* The stretch of the line between anchors on two bodies. */
static vsp__num find_stretch(const vsp_world *world, const uint16_t *body,
                             const vsp__v3 *arm, const vsp__v3 *line,
                             vsp__num distance, vsp__num h)
{
    const vsp__velocity *v = vsp__solve_of(world)->velocity;
    vsp__v3 u[2];

    vsp__point_velocity_of(&v[body[0]], &arm[0], &u[0]);
    vsp__point_velocity_of(&v[body[1]], &arm[1], &u[1]);
    v3_sub_in(&u[1], &u[0]);
    return stretch_of(&u[1], line, distance, h);
}

/* Returns by how much the parts of a PULLEY's rope that row `of` acts on
 * stretch and bend over h, as find_stretch and find_arc, in the scale of its
 * rows, m/s.  Its other ends do not move. */
static vsp__num find_rope_stretch(const vsp_world *world, const vsp__joint *j,
                                  const vsp__joint_pose *s, uint32_t of,
                                  vsp__num h)
{
    vsp__num stretch = 0;
    vsp__v3 turn[2];
    uint32_t k;

    find_turns(world, j->body, turn);
    for (k = 0; k < 2; k++) {
        const vsp__v3 *way = &s->axes[0].axis[1u - k];
        vsp__num part = v3_length_at(way);
        vsp__v3 line = *way, u, arc;

        if (!(part > 0) || !vsp__pulls_rope_end(of, k))
            continue;
        vsp__v3_normalize_by(&line, part);
        vsp__point_velocity_of(&vsp__solve_of(world)->velocity[j->body[k]],
                               &s->arm[k], &u);
        stretch = r_add(
            stretch,
            u_mul(part, stretch_of(&u, &line, v3_part(&s->parted, k), h)));
        find_bow(world, j->body[k], &s->arm[k], &turn[k], h, &arc);
        stretch = r_add(stretch, r_signed(u3_dot_at(way, &arc), k == 0));
    }
    return stretch;
}

/* Shifts low and high of a row. */
static void shift_range(vsp__num by, vsp__joint_row *row)
{
    row->low = r_sub(row->low, by);
    row->high = r_sub(row->high, by);
}

/* Converts low and high from displacements to units, for the position problem:
 * an error is clamped to 1 m or 1 rad, the distance to an open limit to 2.  So
 * other rows may move a joint with such an error farther than 1. */
static void set_correction_range(vsp__joint_row *row)
{
    vsp__num one = VSP__REAL(1.0), two = VSP__REAL(2.0);
    bool is_range = row->low < row->high;

    row->low = r_clamp(row->low, is_range ? r_neg(two) : r_neg(one), one);
    row->high = r_clamp(row->high, r_neg(one), is_range ? two : one);
    row->low = u_of_real(row->low);
    row->high = u_of_real(row->high);
}

/* A FIXED joint that bends keeps its bend, and resists with its yield torque:
 * see union_load.c. */
static bool is_bending(const vsp__joint *j)
{
    return VSP_UNIONS && j->type == VSP_JOINT_FIXED &&
           (j->flags & VSP__JOINT_BEARS) != 0;
}

/* A rigid joint that is overloaded in this step resists with its strength. */
static bool is_breaking(const vsp__joint *j)
{
    return VSP_UNIONS && (j->flags & VSP__JOINT_BREAKS) != 0;
}

/* Bounds a row of a rigid joint that is swept, because it bends or breaks. */
static void limit_rigid_row(const vsp_world *world, const vsp__joint *j,
                            bool is_turn, vsp__num part, vsp__joint_row *row)
{
    vsp__wide most = is_turn ? j->break_turn : j->break_impulse;

    if (is_breaking(j) && !w_is_zero(most))
        vsp__set_row_limit(w_div(most, w_of_unit(world->params.dt)), part, row);
    else if (is_turn && !w_is_zero(j->yield_torque))
        vsp__set_row_limit(j->yield_torque, part, row);
}

/* Whether a joint is left out of a layer's correction, because it is in a loop,
 * below one, or under a taut range: the correction of all bodies at the end
 * includes it. */
static bool is_left_to_last(const vsp_world *world, const vsp__span *span,
                            uint32_t slot)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);

    return (vsp__step_joints_of(pool)[slot].used & VSP__IN_LOOP) &&
           span->last_joint - span->first_joint <
               pool->layer_joints[world->layer_count + 1u];
}

#define TURN_ROWS \
    (1u << VSP__ROW_TURN_X | 1u << VSP__ROW_TURN_Y | 1u << VSP__ROW_TURN_Z)

/* Returns the rows of a joint to assemble.  The position problem has no
 * springs, no rows of a joint that breaks, and no angular rows of one that
 * bends. */
static uint32_t wanted_rows(const vsp_world *world, const vsp__span *span,
                            uint32_t slot, vsp__num h, vsp__num part)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    uint32_t wanted = used_rows(j);

    if (h > 0)
        wanted |= vsp__driven_rows(j);
    if (!(h > 0) && is_left_to_last(world, span, slot))
        wanted = 0;
    if (VSP_HINGE_LOOPS && vsp__is_in_hinge_loop(world, slot))
        wanted &= ~ROWS_OFF_PLANE;
    if (!(part > 0))
        wanted &= is_breaking(j)
                      ? 0u
                      : ~(soft_rows(j) | (is_bending(j) ? TURN_ROWS : 0u));
    return wanted;
}

/* Sets the velocities that a row allows over h seconds, shifted by what the
 * turns of bodies and lines add in `part` seconds. */
static void bound_speed(const vsp_world *world, const vsp__joint *j,
                        const vsp__joint_pose *s, uint32_t k,
                        const vsp__v3 *arc, vsp__num h, vsp__num part,
                        vsp__joint_row *row)
{
    vsp__num bend = u3_dot_at(&row->axis, arc);

    if (soft_rows(j) >> k & 1u)
        set_spring_range(world, j, s->place, part, row);
    else
        set_speed_range(h, row);
    if (vsp__is_rope(j))
        bend = find_rope_stretch(world, j, s, k, part);
    else if (j->type == (uint32_t)VSP_JOINT_DISTANCE)
        bend = r_add(bend, find_stretch(world, j->body, s->arm, &row->axis,
                                        s->place, part));
    shift_range(bend, row);
}

/* Fills the rows of a joint as vsp__assemble_joints.  Returns its largest
 * error. */
static vsp__num assemble_joint(vsp_world *world, const vsp__span *span,
                               uint32_t slot, vsp__num h, vsp__num part)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const vsp__joint *j = pool->joints + slot;
    vsp__step_joint *step_joint = vsp__step_joints_of(pool) + slot;
    uint32_t wanted = wanted_rows(world, span, slot, h, part), used = 0, k;
    vsp__num largest = 0;
    vsp__v3 arc = v3_zero(), turn[2];
    vsp__joint_pose s;

    vsp__find_joint_pose(world, j, &s);
    if (h > 0 && vsp__is_rope(j)) {
        vsp__aim_rope(world, j, h, &s);
    } else if (h > 0 && !vsp__is_gearing(j)) {
        find_turns(world, j->body, turn);
        find_joint_arc(world, slot, turn, &s, part, &arc);
        shorten_arms(turn, s.arm);
    }
    for (k = 0; k < VSP__JOINT_ROWS; k++) {
        vsp__joint_row *row = step_joint->rows + k;
        vsp__num low, high;
        bool is_turn;

        if (!(wanted >> k & 1u))
            continue;
        find_row_range(world, j, &s, k, &low, &high);
        largest = r_largest(largest, r_max(low, r_neg(high)));
        if (h < 0)
            continue;
        is_turn = set_row_axis(j, &s, k, row);
        if (!(vsp__is_rope(j)
                  ? vsp__set_rope_mass(world, span, j->body, row)
                  : set_row_mass(world, span, j->body, is_turn, row)))
            continue;
        used |= 1u << k;
        row->low = low;
        row->high = high;
        if (vsp__driven_rows(j) >> k & 1u) {
            vsp__set_drive(world, j, &s, k, part, row);
            continue;
        }
        if (VSP_UNIONS && (j->flags & VSP__JOINT_RIGID) && part > 0)
            limit_rigid_row(world, j, is_turn, part, row);
        if (h > 0)
            bound_speed(world, j, &s, k, &arc, h, part, row);
        else
            set_correction_range(row);
    }
    if (!(h < 0))
        step_joint->used = (uint16_t)((step_joint->used & VSP__IN_LOOP) | used);
    return largest;
}

#if VSP_RANGES

uint32_t vsp__rows_of_joint(const vsp__joint *j)
{
    uint32_t rows = used_rows(j) | vsp__driven_rows(j);

    return vsp__is_rope(j) ? rows | rows << 1 : rows; /* two entries each */
}

bool vsp__fill_range_row(const vsp_world *world, const vsp__span *span,
                         const uint16_t *body, const vsp__v3 arm[2],
                         vsp__num distance, vsp__num h, vsp__num part,
                         vsp__joint_row *row)
{
    vsp__v3 arc, short_arm[2], turn[2];
    uint32_t i;

    short_arm[0] = arm[0];
    short_arm[1] = arm[1];
    if (h > 0) {
        find_turns(world, body, turn);
        shorten_arms(turn, short_arm);
    }
    for (i = 0; i < 2; i++)
        u3_cross_to(short_arm + i, &row->axis, row->lever + i);
    if (!set_row_mass(world, span, body, false, row))
        return false;
    if (h > 0) {
        set_speed_range(h, row);
        find_arc(world, body, arm, turn, part, &arc);
        shift_range(
            r_add(u3_dot_at(&row->axis, &arc),
                  find_stretch(world, body, arm, &row->axis, distance, part)),
            row);
    } else {
        set_correction_range(row);
    }
    return true;
}

#endif /* VSP_RANGES */

vsp__num vsp__assemble_joints(vsp_world *world, const vsp__span *span,
                              vsp__num h, vsp__num part)
{
    vsp__num largest = 0;
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++)
        largest = r_largest(largest,
                            assemble_joint(world, span,
                                           vsp__joint_pool_of(world)->order[i],
                                           h, part));
    return largest;
}

vsp__num vsp__joint_error(vsp_world *world, const vsp__span *span)
{
    return vsp__assemble_joints(world, span, -VSP__UNIT(1.0), 0);
}


/* ---- Sweeps -------------------------------------------------------------- */

bool vsp__next_joint_row(const vsp_world *world, const vsp__span *span,
                         vsp__joint_row_walk *it)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    bool is_used;

    do {
        if (it->left == 0) {
            uint32_t place = span->first_joint + it->place++;
            vsp__joint *j;
            vsp__step_joint *step_joint;

            if (place >= span->last_joint)
                return false;
            it->slot = pool->order[place];
            j = pool->joints + it->slot;
            it->body = j->body;
            it->impulse = j->impulse;
            step_joint = vsp__step_joints_of(pool) + it->slot;
            it->row = step_joint->rows;
            it->left = step_joint->used & ~VSP__IN_LOOP;
            it->k = 0;
        } else {
            it->row++;
            it->impulse++;
            it->k++;
            if (VSP_RANGES && it->k == VSP__ROW_RANGE)
                vsp__enter_range(it);
        }
        is_used = (it->left & 1u) != 0;
        it->left >>= 1;
    } while (!is_used);
    return true;
}

vsp__num vsp__target_multiplier(const vsp__joint_row *row, vsp__num u)
{
    vsp__num to = 0, rest = r_sub(u, row->multiplier);

    if (rest < row->low)
        to = r_sub(row->low, rest);
    else if (rest > row->high)
        to = r_sub(row->high, rest);
    return r_clamp(u_mul(row->yield, to), -row->most, row->most);
}

void vsp__push_joint_row(const vsp__joint_row_walk *it, vsp__num d,
                         vsp__velocity *u)
{
    const vsp__joint_row *row = it->row;
    vsp__velocity *a = &u[it->body[0]], *b = &u[it->body[1]];

    u3_move(&a->linear, -u_mul(d, row->share[0]), &row->axis);
    v3_move(&a->angular, r_neg(d), &row->turn[0]);
    u3_move(&b->linear, u_mul(d, row->share[1]), &row->axis);
    v3_move(&b->angular, d, &row->turn[1]);
    if (VSP_GEARS && row->share[0] < 0) {
        v3_move(&a->linear, r_neg(d), &row[1].turn[0]);
        v3_move(&b->linear, d, &row[1].turn[1]);
    }
}

/* Sweeps the joints of a span once, eq. 28-33; *u belongs to body 0, and holds
 * velocities or displacements. */
static vsp__num sweep_joint_rows(vsp_world *world, const vsp__span *span,
                                 vsp__velocity *u)
{
    vsp__num largest = 0;
    vsp__joint_row_walk it;

    for (vsp__start_joint_rows(&it); vsp__next_joint_row(world, span, &it);) {
        vsp__num to = vsp__target_multiplier(it.row,
                                             vsp__joint_row_motion(&it, u));
        vsp__num d = r_sub(to, it.row->multiplier);

        it.row->multiplier = to;
        vsp__push_joint_row(&it, d, u);
        largest = r_max_size(largest, d);
        world->stats.row_updates++;
    }
    return largest;
}

vsp__num vsp__sweep_joints(vsp_world *world, const vsp__span *span)
{
    return sweep_joint_rows(world, span, vsp__solve_of(world)->velocity);
}

vsp__num vsp__correct_joints(vsp_world *world, const vsp__span *span)
{
    return sweep_joint_rows(world, span, vsp__solve_of(world)->saved);
}


/* ---- Impulses, merit and speed ------------------------------------------- */

/* at most this many joints of a body are compared */
#define MAX_DOUBLES 16u

/* Whether another joint connects the same two bodies.  How they share the load
 * is not determined, and opposite impulses of both would grow from step to
 * step. */
static bool is_doubled(const vsp_world *world, uint32_t slot)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const uint16_t *body = pool->joints[slot].body;
    uint32_t link = pool->first[body[0]], k;

    for (k = 0; k < MAX_DOUBLES && link != 0; link = pool->next[link - 1u], k++)
        if ((link - 1u) / 2 != slot && vsp__joined_by(pool, link) == body[1])
            return true;
    return false;
}

vsp__wide vsp__joint_row_impulse(const vsp__joint_row *row)
{
    return w_flush(
        vsp__clamp_impulse(w_mul(w_of_rate(row->multiplier), row->mass)));
}

/* Whether a joint starts at multipliers of 0: it bends or breaks, so its load
 * of the last step, that of an impact, is no good start. */
static bool starts_cold(const vsp__joint *j)
{
    return is_bending(j) || is_breaking(j);
}

/* With SUBSPACE doubled joints start cold: its searches compute loads at
 * once. */
void vsp__warm_start_joints(vsp_world *world, const vsp__span *span)
{
    vsp__joint_row_walk it;

    for (vsp__start_joint_rows(&it); vsp__next_joint_row(world, span, &it);) {
        vsp__joint_row *row = it.row;

        if ((vsp__is_subspace(world) && is_doubled(world, it.slot)) ||
            starts_cold(vsp__joint_pool_of(world)->joints + it.slot))
            continue;
        row->multiplier = r_clamp(w_to_rate(w_div(*it.impulse, row->mass)),
                                  -row->most, row->most);
        vsp__push_joint_row(&it, row->multiplier,
                            vsp__solve_of(world)->velocity);
    }
}

void vsp__store_joint_impulses(vsp_world *world, const vsp__span *span)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__joint_row_walk it;
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++)
        vsp__zero_bytes(pool->joints[pool->order[i]].impulse,
                        VSP__JOINT_ROWS * sizeof(vsp__wide));
    for (vsp__start_joint_rows(&it); vsp__next_joint_row(world, span, &it);)
        *it.impulse = vsp__joint_row_impulse(it.row);
}

/* H of eq. 37 for a row with this J u, m/s: its multiplier less its next value.
 * If the multiplier's bound is not active, this is J u less low or high, and is
 * computed so: a difference of large multipliers would be lost in their
 * rounding. */
static vsp__num violation_of(const vsp__joint_row *row, vsp__num u)
{
    vsp__num to = vsp__target_multiplier(row, u);

    if (to == 0 || !(r_abs(to) < row->most) || row->yield < VSP__UNIT(1.0))
        return r_sub(row->multiplier, to);
    return r_sub(u, to > 0 ? row->low : row->high);
}

vsp__square vsp__joint_merit(const vsp_world *world, const vsp__span *span)
{
    const vsp__velocity *u = vsp__solve_of(world)->velocity;
    vsp__square sum = 0;
    vsp__joint_row_walk it;

    for (vsp__start_joint_rows(&it); vsp__next_joint_row(world, span, &it);)
        sum = square_add(
            sum, r_square(violation_of(it.row, vsp__joint_row_motion(&it, u))));
    return sum;
}

vsp__num vsp__row_motion_of_bodies(const vsp_world *world,
                                   const vsp__joint_row *row,
                                   const uint16_t *body)
{
    static const uint16_t both[2] = {0, 1};
    vsp__velocity v[2];
    vsp__joint_row_walk it;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        v[i].linear = world->bodies[body[i]].velocity;
        v[i].angular = world->bodies[body[i]].spin;
    }
    it.row = (vsp__joint_row *)row;
    it.body = both;
    return vsp__joint_row_motion(&it, v);
}

vsp__num vsp__joint_row_speed(const vsp_world *world, const vsp__joint *j,
                              const vsp__joint_pose *s, uint32_t k)
{
    vsp__joint_row row[1 + VSP_GEARS]; /* a rope has two */

    row->share[0] = 0;
    (void)set_row_axis(j, s, k, row);
    return vsp__row_motion_of_bodies(world, row, j->body);
}

/* The speed is J u of the row along or about the axis of `place`. */
vsp__num vsp__joint_speed(const vsp_world *world, const vsp__joint *j,
                          const vsp__joint_pose *s)
{
    bool is_turn = j->type == (uint32_t)VSP_JOINT_HINGE ||
                   j->type == (uint32_t)VSP_JOINT_BALL;
    uint32_t k = is_turn ? VSP__ROW_TURN_X : VSP__ROW_X;

    if (VSP_DRIVES && j->type == VSP_JOINT_AXES)
        k = vsp__place_axis(j);
    return vsp__joint_row_speed(world, j, s, k);
}

#endif /* VSP_JOINTS */
