/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Frames of a joint; which of its rows are limited, locked or driven; masses
 * and bounds of rows; then drives: the poses of AXES and WHEEL, exact springs,
 * rows of motors.  Optional: VSP_JOINTS; drives: VSP_DRIVES. */

#include "solve.h"

#if VSP_JOINTS


/* ---- Frames -------------------------------------------------------------- */

void vsp__find_anchor_arm(const vsp__body *b, const vsp__frame *frame,
                          vsp__v3 *arm)
{
    vsp__v3 from;

    v3_sub_to(&frame->position, &b->mass_data.center, &from);
    vsp__q_rotate(&b->rotation, &from, arm);
    v3_flush_in(arm);
}

void vsp__find_joint_frame(const vsp__body *b, const vsp__frame *frame,
                           vsp__unit_quat *rotation, vsp__v3 *arm)
{
    vsp__find_anchor_arm(b, frame, arm);
    vsp__q_mul(&b->rotation, &frame->rotation, rotation);
}


/* ---- Rows ---------------------------------------------------------------- */

/* Limits of an angle that are a whole turn apart limit nothing, nor does a cone
 * of swing of pi, which all types but BALL have. */
uint32_t vsp__limited_rows(const vsp__joint *j)
{
    static const uint8_t limited[] = {[VSP_JOINT_BALL] = 1u << VSP__ROW_TURN_X,
                                      [VSP_JOINT_HINGE] = 1u << VSP__ROW_TURN_X,
                                      [VSP_JOINT_SLIDER] = 1u << VSP__ROW_X,
                                      [VSP_JOINT_DISTANCE] = 1u << VSP__ROW_X,
                                      [VSP_JOINT_AXES] = 0,
                                      [VSP_JOINT_WHEEL] = 1u << VSP__ROW_X,
                                      [VSP_JOINT_GEAR] = 0,
                                      [VSP_JOINT_PULLEY] = VSP__ROPE_ROWS};
    uint32_t rows = (j->flags & VSP__JOINT_LIMIT) ? limited[j->type] : 0;

    if (VSP_DRIVES && j->type == VSP_JOINT_AXES)
        return (j->flags & VSP__JOINT_LIMIT)
                   ? vsp__axes_of(j, VSP__AXES_LIMITED)
                   : 0;
    if (rows == 1u << VSP__ROW_TURN_X &&
        !(r_sub(j->high, j->low) < VSP__REAL(6.283)))
        rows = 0;
    return j->cone < VSP__REAL(3.1415925) ? rows | 1u << VSP__ROW_TURN_Y : rows;
}

#define ROW_BIT(row) (1u << VSP__##row)

bool vsp__is_steered_rigidly(const vsp__joint *j)
{
    return VSP_DRIVES && j->type == VSP_JOINT_WHEEL && j->break_angle == 0;
}

uint32_t vsp__held_axes(const vsp__joint *j)
{
    static const uint8_t held[] = {
        [VSP_JOINT_BALL] = 0x07u,   [VSP_JOINT_HINGE] = 0x37u,
        [VSP_JOINT_SLIDER] = 0x3eu, [VSP_JOINT_FIXED] = 0x3fu,
        [VSP_JOINT_DISTANCE] = 0,   [VSP_JOINT_AXES] = 0,
        [VSP_JOINT_WHEEL] = 0x26u,  [VSP_JOINT_GEAR] = 0x01u,
        [VSP_JOINT_PULLEY] = 0};

    if (VSP_DRIVES && j->type == VSP_JOINT_AXES)
        return vsp__axes_of(j, VSP__AXES_LOCKED);
    return held[j->type] |
           (vsp__is_steered_rigidly(j) ? ROW_BIT(ROW_TURN_X) : 0u);
}

/* A motor on an axis with limits has the row VSP__ROW_MOTOR.  In a WHEEL this
 * is the row of the suspension; its motor has VSP__ROW_TURN_Y. */
uint32_t vsp__driven_rows(const vsp__joint *j)
{
    bool has_motor = (j->flags & VSP__JOINT_MOTOR) != 0;
    uint32_t driven, both;

    if (VSP_DRIVES && j->type == VSP_JOINT_WHEEL)
        return (vsp__is_steered_rigidly(j) ? 0 : ROW_BIT(ROW_TURN_X)) |
               (has_motor ? ROW_BIT(ROW_TURN_Y) : 0) |
               (j->hertz > 0 ? ROW_BIT(ROW_MOTOR) : 0);
    if (!has_motor || !VSP_DRIVES || j->type != VSP_JOINT_AXES)
        return has_motor ? ROW_BIT(ROW_MOTOR) : 0;
    driven = vsp__axes_of(j, VSP__AXES_DRIVEN);
    both = driven & vsp__limited_rows(j);
    return both != 0 ? (driven & ~both) | ROW_BIT(ROW_MOTOR) : driven;
}

/* lever . (inverse inertia of one kilogram) lever, as a wide */
vsp__wide vsp__inverse_inertia_along(const vsp__inverse_mass *inverse,
                                     const vsp__v3 *lever)
{
    vsp__num length = v3_length_at(lever);
    vsp__v3 way = *lever;

    if (!(length > 0))
        return VSP__W_ZERO;
    vsp__v3_normalize_by(&way, length);
    return w_mul(w_of_square(r_square(length)),
                 vsp__s3_along(&inverse->inertia, &way));
}

/* Returns the part of J M^-1 J^T of a spring's row that is due to a body, over
 * its inverse mass: 1 along a line, as for a point; about the axis of a hinge
 * by its inertia, without the strain that joints add to it in the solve. */
static vsp__wide spring_ease(const vsp_world *world, uint32_t body,
                             const vsp__v3 *hinge)
{
    vsp__inverse_mass inverse;

    if (hinge == NULL)
        return VSP__W_ONE;
    vsp__find_inverse_mass(world->bodies + body,
                           vsp__solve_of(world)->axes + body, VSP__W_ZERO,
                           &inverse);
    return vsp__inverse_inertia_along(&inverse, hinge);
}

/* Returns the mass that has the spring's frequency, divided by the mass of
 * its row: that of two points or, for a turn, the inertia about its axis.  So
 * its stiffness depends neither on the pose nor on loads, and its force has a
 * potential.  A body with some turns locked has another inertia in each pose.
 */
vsp__wide vsp__spring_mass(const vsp_world *world, const vsp__joint *j,
                           bool is_turn, const vsp__joint_row *row)
{
    const vsp__v3 *hinge = is_turn ? row->lever : NULL;
    vsp__wide sum = VSP__W_ZERO;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        const vsp__body *b = world->bodies + j->body[i];

        if (vsp__is_dynamic(b)) /* has mass */
            sum = w_add(sum, w_div(spring_ease(world, j->body[i], hinge),
                                   b->mass_data.mass));
    }
    if (!w_less(VSP__W_ZERO, sum)) /* neither body can move so, but for
                                         rounding */
        return VSP__W_ONE;
    return w_div(VSP__W_ONE, w_mul(sum, row->mass));
}

/* Bounds the multiplier of a row by a force or torque over `part` seconds: that
 * of a motor, or the strength of a joint. */
void vsp__set_row_limit(vsp__wide largest, vsp__num part, vsp__joint_row *row)
{
    vsp__wide impulse = w_mul(largest, w_of_unit(part));

    row->most = w_to_rate(w_div(impulse, row->mass));
}

vsp__num vsp__joint_row_motion(const vsp__joint_row_walk *it,
                               const vsp__velocity *u)
{
    const vsp__joint_row *row = it->row;
    const vsp__velocity *a = &u[it->body[0]], *b = &u[it->body[1]];
    vsp__v3 v;
    vsp__num along;

    v3_sub_to(&b->linear, &a->linear, &v);
    along = u3_dot_at(&row->axis, &v);
    along = r_add(along, v3_dot_at(&row->lever[1], &b->angular));
    along = r_sub(along, v3_dot_at(&row->lever[0], &a->angular));
    if (VSP_GEARS && row->share[0] < 0) {
        along = r_add(along, v3_dot_at(&row[1].lever[1], &b->linear));
        along = r_sub(along, v3_dot_at(&row[1].lever[0], &a->linear));
    }
    return along;
}

#if VSP_DRIVES

/* Returns the lowest of some axes, or x. */
static uint32_t first_axis(uint32_t axes)
{
    uint32_t k;

    for (k = 0; k < 5 && !(axes >> k & 1u);)
        k++;
    return axes != 0 ? k : 0;
}

uint32_t vsp__place_axis(const vsp__joint *j)
{
    uint32_t driven = vsp__axes_of(j, VSP__AXES_DRIVEN);

    return first_axis(driven != 0 ? driven
                                  : vsp__axes_of(j, VSP__AXES_LIMITED));
}

bool vsp__is_spun(const vsp__joint *j, uint32_t k)
{
    return j->type == VSP_JOINT_AXES && !vsp__has_target(j) &&
           (vsp__driven_rows(j) >> k & 1u) != 0;
}

uint32_t vsp__motor_row(const vsp__joint *j)
{
    uint32_t axis;

    if (j->type == VSP_JOINT_WHEEL)
        return VSP__ROW_TURN_Y;
    if (j->type != VSP_JOINT_AXES)
        return VSP__ROW_MOTOR;
    axis = vsp__place_axis(j);
    return vsp__driven_rows(j) >> axis & 1u ? axis : VSP__ROW_MOTOR;
}


/* ---- Poses --------------------------------------------------------------- */

/* Fills the axes about which the parts of the rotation vector change.  With a
 * the axis of the rotation, t its angle, v = a sin(t/2) of its quaternion,
 * half = t/2 / sin(t/2) and g = t/2 / tan(t/2), part k changes with spin by
 *
 *     g e_k + (1 - g) a_k a + half v x e_k
 *
 * which is row k of the inverse of the left Jacobian of SO(3). */
static void find_turn_axes(const vsp__v3 *v, vsp__num w, vsp__num half,
                           vsp__joint_pose *s)
{
    vsp__num g = u_mul(half, w), one = VSP__UNIT(1.0);
    vsp__v3 a = *v;
    uint32_t k;

    if (g < VSP__UNIT(0.99999))
        vsp__v3_normalize(&a);
    for (k = 0; k < 3; k++) {
        vsp__v3 e = v3_zero(), row;

        v3_parts(&e)[k] = one;
        u3_cross_to(v, &e, &row);
        u3_scale_in(&row, half);
        u3_move(&row, g, &e);
        if (g < VSP__UNIT(0.99999))
            u3_move(&row, u_mul(r_sub(one, g), v3_part(&a, k)), &a);
        vsp__m3_mul_to(&s->axes[0], &row, &s->axes[1].axis[k]);
    }
}

/* Fills the rotation vector from frame A to frame B, and its axes. */
static void find_rotation_vector(const vsp__unit_quat *turn, vsp__joint_pose *s)
{
    vsp__v3 v = v3(turn->x, turn->y, turn->z);
    vsp__num w = r_abs(turn->w), sine, half = VSP__UNIT(1.0);
    uint32_t k;

    v3_flip_in(&v, turn->w < 0);
    sine = v3_length_at(&v);
    if (sine > VSP__UNIT(1e-3))
        half = u_of_real(u_div(vsp__angle_of(sine, w), sine));
    for (k = 0; k < 3; k++)
        v3_parts(&s->twisted)[k] = r_times(
            r_of_unit(u_mul(half, v3_part(&v, k))), 2);
    find_turn_axes(&v, w, half, s);
}

vsp__num vsp__wrap_angle(vsp__num angle)
{
    vsp__num turn = VSP__REAL(6.2831853), half = r_read(VSP__HALF_TURN);

    angle = r_sub(angle, r_times(turn, r_to_int(r_div(angle, turn))));
    while (angle > half)
        angle = r_sub(angle, turn);
    while (angle < r_neg(half))
        angle = r_add(angle, turn);
    return angle;
}

/* Fills the angles of a wheel: steering, 0, lean; and their axes: x of A, the
 * axle, and the axis about which the wheel leans. */
static void find_wheel_angles(const vsp__unit_quat *rotation,
                              vsp__joint_pose *s)
{
    vsp__v3 axle = v3(0, VSP__UNIT(1.0), 0), y, lean;
    vsp__num across;

    vsp__q_rotate(rotation, &axle, &axle);
    vsp__m3_tmul_to(&s->axes[0], &axle, &y);
    lean = v3(0, y.z, r_neg(y.y));
    across = v3_length_at(&lean);
    if (across > VSP__UNIT(0.01))
        vsp__v3_normalize(&lean);
    else
        lean = v3(0, 0, VSP__UNIT(-1.0));
    s->twisted = v3(vsp__angle_of(y.z, y.y), 0, vsp__angle_of(y.x, across));
    s->axes[1].axis[1] = axle;
    vsp__m3_mul_to(&s->axes[0], &lean, &s->axes[1].axis[2]);
}

void vsp__find_axes_pose(const vsp__joint *j, const vsp__unit_quat rotation[2],
                         vsp__joint_pose *s)
{
    uint32_t axis = 0;
    vsp__unit_quat turn;

    if (j->type == VSP_JOINT_WHEEL) {
        find_wheel_angles(&rotation[1], s);
        if (vsp__is_steered_rigidly(j))
            s->twisted.x = vsp__wrap_angle(
                r_sub(s->twisted.x, w_to_real(j->yield_torque)));
    } else {
        vsp__q_div(&rotation[0], &rotation[1], &turn);
        find_rotation_vector(&turn, s);
        axis = vsp__place_axis(j);
    }
    s->place = v3_part(axis < 3 ? &s->parted : &s->twisted, axis % 3);
}


/* ---- Springs ---------------------------------------------------------------
 * A spring of a mass 1 with x = w h and damping ratio z multiplies (place,
 * velocity) in each step by a matrix.  This matrix has the eigenvalues of the
 * exact motion if the row solves
 *
 *     (1 + c) v' = v + h f + d v - X / h place,   place' = place + h v'
 *
 * with A = exp(-2 z x), E = exp(-z x) cos(x sqrt(1 - z^2)), S = 1 + A - 2 E,
 * X = S (1 + c) and d = A (1 + c) - 1; forces f are those of the step, v is the
 * velocity before it.  One number is free: c.  A step with many such springs is
 * stable whatever their frequencies if c + d >= X / 2, that is, with D = 1 - A,
 * if c >= (D + S / 2) / (2 - D - S / 2).  For z > 0.7 this holds with X = x^2,
 * the stiffness of a short step, which is then used. */
typedef struct spring_step {
    vsp__wide stiff, damped, kept; /* X, c, d */
} spring_step;

static vsp__wide w_sub(vsp__wide a, vsp__wide b)
{
    return w_add(a, w_neg(b));
}

static vsp__wide w_times(vsp__num real, vsp__wide b)
{
    return w_mul(w_of_real(real), b);
}

/* Computes S and D = 1 - A, by series for a short time, which is then doubled:
 * S' = S (4 - S - 2 D), D' = D (2 - D), without cancellation. */
static void find_spring_flow(vsp__wide x, vsp__wide z, vsp__wide *s,
                             vsp__wide *d)
{
    vsp__wide small = w_of_real(VSP__REAL(0.0625)), zx = w_mul(z, x), g, xx, t;
    vsp__wide half = w_of_real(VSP__REAL(0.5)), two = w_of_real(VSP__REAL(2.0));
    uint32_t doublings = 0;

    for (; doublings < 40 && (w_less(small, x) || w_less(small, zx));
         doublings++) {
        x = w_mul(half, x);
        zx = w_mul(half, zx);
    }
    /* g = 1 - exp(-z x) */
    t = w_sub(VSP__W_ONE, w_times(VSP__REAL(0.25), zx));
    t = w_sub(VSP__W_ONE, w_times(VSP__REAL(1.0 / 3.0), w_mul(zx, t)));
    t = w_sub(VSP__W_ONE, w_mul(half, w_mul(zx, t)));
    g = w_mul(zx, t);
    *d = w_mul(g, w_sub(two, g));
    xx = w_mul(x, x);
    t = w_sub(w_times(VSP__REAL(2.0), w_mul(zx, zx)), xx);
    t = w_add(VSP__W_ONE, w_times(VSP__REAL(1.0 / 12.0), t));
    *s = w_mul(w_mul(xx, t), w_sub(VSP__W_ONE, g));
    for (; doublings > 0; doublings--) {
        vsp__wide twice_d = w_add(*d, *d);

        *s = w_mul(*s, w_sub(w_add(two, two), w_add(*s, twice_d)));
        *d = w_mul(*d, w_sub(two, *d));
    }
}

/* x up to which a spring is exact; at twice that it is an implicit step */
#define EXACT_WAY VSP__REAL(1.2)

static void find_exact_spring(vsp__wide x, vsp__wide z, spring_step *it)
{
    vsp__wide s, d, c, least;

    find_spring_flow(x, z, &s, &d);
    if (!w_less(VSP__W_ZERO, s))
        return;
    c = w_div(w_sub(w_mul(x, x), s), s);
    least = w_add(d, w_times(VSP__REAL(0.5), s));
    least = w_div(least, w_sub(w_of_real(VSP__REAL(2.0)), least));
    if (w_less(c, least))
        c = least;
    it->stiff = w_mul(s, w_add(VSP__W_ONE, c));
    it->damped = c;
    it->kept = w_sub(c, w_mul(d, w_add(VSP__W_ONE, c)));
}

/* Computes the step of a spring.  Stiff ones are implicit: X = x^2, c = X + 2 z
 * x, d = 0; between both kinds, a mean, which is stable, too. */
static void find_spring_step(vsp__wide x, vsp__wide z, spring_step *it)
{
    vsp__wide end = w_of_real(EXACT_WAY), part = VSP__W_ONE, rest, xx, zx;

    xx = w_mul(x, x);
    zx = w_times(VSP__REAL(2.0), w_mul(z, x));
    it->stiff = it->damped = it->kept = VSP__W_ZERO;
    if (w_less(end, x))
        part = w_sub(w_of_real(VSP__REAL(2.0)), w_div(x, end));
    if (w_less(VSP__W_ZERO, part))
        find_exact_spring(x, z, it);
    else
        part = VSP__W_ZERO;
    rest = w_sub(VSP__W_ONE, part);
    it->stiff = w_add(w_mul(part, it->stiff), w_mul(rest, xx));
    it->damped = w_add(w_mul(part, it->damped), w_mul(rest, w_add(xx, zx)));
    it->kept = w_mul(part, it->kept);
}


/* ---- The mass of a spring about a held point --------------------------------
 * A spring turns bodies whose joint holds a point: a bar on a hinge at its end
 * turns about that end.  With the held rows L, its own row a and W = M^-1 its
 * mass is the Schur complement
 *
 *     1 / (a W a^T - a W L^T (L W L^T)^-1 L W a^T)
 *
 * the inverse of the last pivot if the matrix of all these rows is eliminated
 * in order.  The stiffness is not that of this mass, but of the two bodies
 * alone (vsp__spring_mass), so that it has a potential: hence the spring has a
 * lower frequency here. */
#define HELD_ROWS 5u

/* parts of its diagonal below which a pivot is rounding alone: that of a held
 * row, which is then left out, and that of the spring's row, which is raised to
 * this part.  This hardly changes the step of the spring, as its stiffness is
 * exact. */
#define LEAST_PIVOT VSP__UNIT(1.0 / 65536.0)
#define LEAST_PART VSP__UNIT(1.0 / 4096.0)

typedef struct held_row {
    vsp__v3 axis, lever[2];
} held_row;

typedef struct held_rows {
    held_row row[HELD_ROWS + 1u];
    vsp__wide at[HELD_ROWS + 1u][HELD_ROWS + 1u]; /* at[a][b], b <= a */
    uint32_t count;
} held_rows;

/* Adds row k, which a joint holds: along or about an axis of its pose. */
static void add_held_row(const vsp__joint_pose *s, uint32_t k, held_rows *it)
{
    bool is_turn = k >= VSP__ROW_TURN_X;
    const vsp__v3 *n = s->axes[is_turn].axis + k % 3;
    held_row *to = it->row + it->count++;
    uint32_t i;

    for (i = 0; i < 3; i++)
        v3_parts(&to->lever[0])[i] = r_of_unit(v3_part(n, i));
    to->lever[1] = to->lever[0];
    if (is_turn)
        return;
    to->axis = *n;
    for (i = 0; i < 2; i++)
        u3_cross_to(s->arm + i, n, to->lever + i);
}

/* Fills the rows that the joint holds, then the spring's. */
static void fill_held_rows(const vsp__joint *j, const vsp__joint_pose *s,
                           const vsp__joint_row *row, held_rows *it)
{
    uint32_t held = vsp__held_axes(j), k;
    held_row *own;

    vsp__zero_bytes(it, sizeof *it);
    for (k = 0; k < VSP__ROW_MOTOR; k++)
        if (held >> k & 1u)
            add_held_row(s, k, it);
    own = it->row + it->count++;
    own->lever[0] = row->lever[0];
    own->lever[1] = row->lever[1];
}

/* Adds the part of J W J^T that is due to body i, times `scale`. */
static void add_held_body(const vsp_world *world, const vsp__joint *j,
                          uint32_t i, vsp__wide scale, held_rows *it)
{
    vsp__inverse_mass inverse;
    vsp__wide mass, along;
    vsp__v3 turn;
    uint32_t a, b;

    vsp__find_inverse_mass(world->bodies + j->body[i],
                           vsp__solve_of(world)->axes + j->body[i], VSP__W_ZERO,
                           &inverse);
    mass = w_mul(inverse.mass, scale);
    vsp__s3_scale_wide(&inverse.inertia, mass);
    for (a = 0; a < it->count; a++) {
        s3_mul_to(&inverse.inertia, it->row[a].lever + i, &turn);
        for (b = 0; b <= a; b++) {
            along = w_of_unit(u3_dot_at(&it->row[a].axis, &it->row[b].axis));
            along = w_add(
                w_mul(mass, along),
                w_of_square(v3_product_at(it->row[b].lever + i, &turn)));
            it->at[a][b] = w_add(it->at[a][b], along);
        }
    }
}

/* Eliminates all rows but the last.  A row that earlier ones hold, too, is left
 * out: nothing but rounding is left of it. */
static void eliminate_held_rows(held_rows *it)
{
    uint32_t last = it->count - 1u, p, a, b;
    vsp__wide part, least[HELD_ROWS];

    for (p = 0; p < last; p++)
        least[p] = w_mul(it->at[p][p], w_of_unit(LEAST_PIVOT));
    for (p = 0; p < last; p++)
        for (a = p + 1u; a <= last && w_less(least[p], it->at[p][p]); a++) {
            part = w_neg(w_div(it->at[a][p], it->at[p][p]));
            for (b = p + 1u; b <= a; b++)
                it->at[a][b] = w_add(it->at[a][b], w_mul(part, it->at[b][p]));
        }
}

/* Returns the mass of a turning spring's bodies alone over that of its row
 * where the joint holds them, a unit; `alone` is the former. */
static vsp__num find_held_part(const vsp_world *world, const vsp__joint *j,
                               const vsp__joint_pose *s,
                               const vsp__joint_row *row, vsp__wide alone)
{
    held_rows it;
    uint32_t i;

    fill_held_rows(j, s, row, &it);
    for (i = 0; i < 2; i++)
        add_held_body(world, j, i, alone, &it);
    eliminate_held_rows(&it);
    i = it.count - 1u;
    return r_clamp(w_to_unit(it.at[i][i]), LEAST_PART, VSP__UNIT(1.0));
}


/* ---- Motors -------------------------------------------------------------- */

typedef struct drive {
    vsp__num target, hertz, ratio, speed;
    vsp__wide most;
    bool is_bounded; /* by `most` */
} drive;

/* Finds what drives a row. */
static void find_drive(const vsp__joint *j, uint32_t k, drive *d)
{
    d->target = w_to_real(j->yield_torque);
    d->hertz = j->break_angle;
    d->ratio = j->bent;
    d->speed = j->motor_speed;
    d->most = j->motor_max;
    d->is_bounded = true;
    if (j->type == VSP_JOINT_AXES && d->hertz == 0 && k != vsp__motor_row(j))
        d->speed = 0;
    if (j->type != VSP_JOINT_WHEEL)
        return;
    if (k == VSP__ROW_TURN_Y) {
        d->hertz = 0;
        return;
    }
    d->is_bounded = false;
    if (k == VSP__ROW_MOTOR) {
        d->target = 0;
        d->hertz = j->hertz;
        d->ratio = j->ratio;
    }
}

/* Returns how far the coordinate of a row is from a target. */
static vsp__num way_to_target(const vsp__joint *j, const vsp__joint_pose *s,
                              uint32_t k, vsp__num target)
{
    uint32_t axis = k == VSP__ROW_MOTOR ? vsp__motor_axis(j) : k;
    const vsp__v3 *v = axis < VSP__ROW_TURN_X ? &s->parted : &s->twisted;
    bool is_many = j->type == VSP_JOINT_AXES || j->type == VSP_JOINT_WHEEL;
    vsp__num way = r_sub(target, is_many ? v3_part(v, axis % 3) : s->place);

    if (axis < VSP__ROW_TURN_X || (vsp__limited_rows(j) >> axis & 1u))
        return way;
    return vsp__wrap_angle(way);
}

/* Returns J u of a row before the forces of this step. */
static vsp__num speed_before(const vsp_world *world, const vsp__joint *j,
                             vsp__joint_row *row)
{
    static const uint16_t both[2] = {0, 1};
    vsp__velocity v[2];
    vsp__joint_row_walk it;
    uint32_t i;

    for (i = 0; i < 2; i++)
        vsp__get_velocity(world->bodies + j->body[i], v + i);
    it.row = row;
    it.body = both;
    return vsp__joint_row_motion(&it, v);
}

/* Limits the change of velocity that the spring of a DISTANCE may make: see
 * limit_spring of joint_rows.c. */
static void limit_drive(const vsp_world *world, const vsp__joint *j,
                        const vsp__joint_pose *s, vsp__num part,
                        vsp__joint_row *row)
{
    vsp__num dt = world->params.dt;
    vsp__num way = rate_over(u_mul(VSP__UNIT(0.5), s->place), dt);

    if (j->type == VSP_JOINT_DISTANCE)
        row->most = r_min(row->most, u_mul(u_div(part, dt), way));
}

static bool is_angular_row(const vsp__joint_row *row)
{
    return v3_size_at(&row->axis) == 0;
}

/* Damps a spring whose line misses a centre of mass; mass: that of the spring
 * over that of its row, 1 without a lever.  `kept` multiplies the velocity
 * before the step along the present row.  If the lever turns fast, the row of
 * the last step was another one, and the difference would feed energy. */
static void damp_lever(vsp__wide mass, spring_step *it)
{
    vsp__wide lever = w_sub(mass, VSP__W_ONE), part;

    if (!w_less(VSP__W_ZERO, lever))
        return;
    part = w_mul(w_of_real(VSP__REAL(0.0625)), lever);
    it->damped = w_add(it->damped, w_mul(part, it->stiff));
}

/* Sets low = high and yield of a row with a spring, which is `way` from its
 * target. */
static void set_spring(const vsp_world *world, const vsp__joint *j,
                       const vsp__joint_pose *s, const drive *d, vsp__num way,
                       vsp__num part, vsp__joint_row *row)
{
    vsp__wide x = w_mul(w_times(VSP__REAL(6.2831853), w_of_real(d->hertz)),
                        w_of_unit(part));
    vsp__wide mass = vsp__spring_mass(world, j, is_angular_row(row), row);
    vsp__num held = VSP__UNIT(1.0), slower;
    vsp__wide pull;
    spring_step it;

    if (is_angular_row(row) && vsp__held_axes(j) != 0)
        held = find_held_part(world, j, s, row, w_mul(mass, row->mass));
    slower = vsp__geometric_mean(held, VSP__UNIT(1.0));
    find_spring_step(w_mul(x, w_of_unit(slower)),
                     w_mul(w_of_real(d->ratio), w_of_unit(slower)), &it);
    if (!w_less(VSP__W_ZERO, it.damped)) { /* too soft for a number */
        row->most = 0;
        return;
    }
    damp_lever(mass, &it);
    pull = w_mul(it.stiff, w_of_rate(rate_over(way, part)));
    pull = w_add(pull, w_mul(it.kept, w_of_rate(speed_before(world, j, row))));
    row->low = row->high = w_to_rate(w_div(pull, it.damped));
    mass = w_mul(w_div(mass, w_of_unit(held)), it.damped);
    row->yield = w_to_unit(w_div(mass, w_add(VSP__W_ONE, mass)));
}

void vsp__set_drive(const vsp_world *world, const vsp__joint *j,
                    const vsp__joint_pose *s, uint32_t k, vsp__num part,
                    vsp__joint_row *row)
{
    vsp__num way, most;
    drive d;

    find_drive(j, k, &d);
    if (d.is_bounded)
        vsp__set_row_limit(d.most, part, row);
    row->low = row->high = d.speed;
    if (!(part > 0))
        row->most = 0;
    if (!(part > 0) || d.hertz == 0)
        return;
    way = way_to_target(j, s, k, d.target);
    if (d.hertz > 0) {
        limit_drive(world, j, s, part, row);
        set_spring(world, j, s, &d, way, part, row);
        return;
    }
    most = r_abs(d.speed);
    row->low = row->high = r_clamp(rate_over(way, world->params.dt),
                                   r_neg(most), most);
}

#endif /* VSP_DRIVES */

#endif /* VSP_JOINTS */
