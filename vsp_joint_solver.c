/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Joints to velocities and positions.  In this order: which bodies a joint
 * holds, and layers; where a joint is; its rows; sweeps.  Optional:
 * VSP_JOINTS.
 *
 * A joint is up to seven rows of the problem that contacts are rows of
 * (Erleben 2007, eq. 28-33): three along and three about the axes of frame
 * A, and one for the motor.  Every row wants J u in a range: [0, 0] where the
 * joint holds, [-below / h, above / h] between two limits, [w, w] for a motor
 * at the speed w.  One rule serves all: the multiplier is what takes J u to
 * the nearest end of its range, 0 inside, and no more than it may be.  The
 * position problem is the same in displacements. */

#include "vsp_internal.h"

/* the most that a body turns in a step for arcs to count, rad */
#define MOST_ARC VSP__U(0.0625)


/* ---- Bodies and layers --------------------------------------------------- */

static bool holds(const vsp__joint *j)
{
    return j->type != 0 && !(j->flags & VSP__JOINT_BROKEN);
}

/* the largest part of the impulse at the anchor, in the last step */
static vsp__wide pull_of(const vsp__joint *j)
{
    vsp__wide largest = W_ZERO;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__wide p = j->impulse[k];

        if (w_less(p, W_ZERO))
            p = w_neg(p);
        if (w_less(largest, p))
            largest = p;
    }
    return largest;
}

/* A light body between strong pulls swings like a string: faster than a step
 * can follow, it would gain energy.  By Gershgorin, what pulls with T at an
 * arm r gives it a frequency with w^2 I <= sum T r, and a step is stable to
 * (w dt)^2 = 4: with the sum of T dt r dt added to I, about every axis, it is
 * 1 at most, and T may grow.  Geometric stiffness: Andrews, Teichmann, Kry
 * 2017. */
static void find_strains(vsp_world *world, uint32_t slot)
{
    vsp__joints *pool = vsp__joints_of(world);
    const vsp__joint *j = pool->joints + slot;
    vsp__wide pull = w_mul(pull_of(j), w_of_unit(world->params.dt));
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__vec3 arm = j->frame[k].position;

        v3_sub_in(&arm, &world->bodies[j->body[k]].matter.center);
        pool->scratch.bonds[slot].strain[k] =
            w_mul(pull, w_of_real(v3_length_at(&arm)));
    }
}

vsp__wide vsp__strain(const vsp_world *world, uint32_t body)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t link = pool->first[body];
    vsp__wide sum = W_ZERO;

    for (; link != 0; link = pool->next[link - 1u])
        sum = w_add(sum, pool->scratch.bonds[(link - 1u) / 2]
                             .strain[(link - 1u) % 2]);
    return sum;
}

/* Backwards: so that the first of a list is the lowest. */
void vsp__link_joints(vsp_world *world)
{
    vsp__joints *pool = vsp__joints_of(world);
    uint32_t i;

    vsp__clear(pool->first, sizeof pool->first);
    for (i = 2 * pool->limit; i-- > 0;) {
        const vsp__joint *j = pool->joints + i / 2;

        if (!holds(j))
            continue;
        pool->next[i] = pool->first[j->body[i % 2]];
        pool->first[j->body[i % 2]] = (uint16_t)(i + 1u);
        if (i % 2 == 0)
            find_strains(world, i / 2);
    }
}

bool vsp__are_joined(const vsp_world *world, uint32_t a, uint32_t b)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t link = pool->first[a];

    for (; link != 0; link = pool->next[link - 1u])
        if (vsp__joined_by(pool, link) == b &&
            !(pool->joints[(link - 1u) / 2].flags & VSP__JOINT_COLLIDES))
            return true;
    return false;
}

/* How a body is held, in find_loops. */
enum {
    UNLED,
    LED,   /* does not move, or a joint leads down to what does not */
    LOOPED /* two do */
};

/* Finds how a joint's bodies are held, the lower one first.  Returns whether
 * they are level. */
static bool find_ends(vsp_world *world, uint32_t place, uint16_t *held[2])
{
    const vsp__joints *pool = vsp__joints_of(world);
    const uint16_t *body = pool->joints[pool->order[place]].body;
    uint32_t a = world->height[body[0]], b = world->height[body[1]];

    held[a < b ? 0 : 1] = world->island + body[0]; /* not in use yet */
    held[a < b ? 1 : 0] = world->island + body[1];
    return a == b;
}

/* Finds what is led down by one joint, by two; what is level comes last, when
 * all below is known. */
static void find_led(vsp_world *world, uint32_t count, bool is_level)
{
    uint16_t *held[2];
    uint32_t i;

    for (i = 0; i < count; i++) {
        if (find_ends(world, i, held) != is_level || *held[0] == UNLED)
            continue;
        if (!is_level)
            *held[1] = *held[1] == UNLED ? LED : LOOPED;
        else if (*held[1] != UNLED)
            *held[0] = *held[1] = LOOPED;
    }
}

/* Marks the joints of loops, down to what does not move.  Corrected layer by
 * layer, all error of a loop would come together where it closes. */
static void find_loops(vsp_world *world, uint32_t count)
{
    vsp__joints *pool = vsp__joints_of(world);
    uint16_t *held[2];
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        world->island[i] = world->height[i] == 0 ? LED : UNLED;
    find_led(world, count, false);
    find_led(world, count, true);
    for (i = count; i-- > 0;) { /* from above */
        uint16_t *used = &pool->scratch.bonds[pool->order[i]].used;

        *used = 0;
        find_ends(world, i, held);
        if (*held[1] != LOOPED || *held[0] == UNLED)
            continue;
        *used = VSP__LOOPED;
        *held[0] = LOOPED;
    }
}

void vsp__sort_joints(vsp_world *world)
{
    vsp__joints *pool = vsp__joints_of(world);
    vsp__bond *bonds = pool->scratch.bonds;
    uint32_t layers = world->layer_count + 1u, i;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        bonds[i].layer = VSP__NO_LAYER;
        if (holds(j))
            bonds[i].layer = vsp__layer_of(world, j->body);
    }
    vsp__sort_layers(&bonds->layer, sizeof *bonds, pool->limit, layers,
                     pool->layer_joints, pool->order);
    find_loops(world, pool->layer_joints[layers]);
}

/* whether the correction of a layer leaves a joint to that of all */
static bool is_left(const vsp_world *world, const vsp__span *span,
                    uint32_t slot)
{
    const vsp__joints *pool = vsp__joints_of(world);

    return (pool->scratch.bonds[slot].used & VSP__LOOPED) &&
           span->last_joint - span->first_joint <
               pool->layer_joints[world->layer_count + 1u];
}


/* ---- Where a joint is ---------------------------------------------------- */

/* arctangent of a unit, 0 to 1: an odd polynomial below tan(pi/8), within
 * 1e-8 of it; above, of what is left beyond pi/4 */
static vsp__real arc_of(vsp__real t)
{
    static const vsp__real odd[] = {
        VSP__U(-0.13848415), VSP__U(0.19974075), VSP__U(-0.33332786),
        VSP__U(0.99999998)
    };
    vsp__real base = 0, a = VSP__U(0.07976042);
    uint32_t i;

    if (t > VSP__U(0.41421356)) {
        base = VSP__R(0.78539816);
        t = u_div(r_sub(t, VSP__U(1.0)), r_add(t, VSP__U(1.0)));
    }
    for (i = 0; i < 4; i++)
        a = r_add(odd[i], u_mul(u_mul(t, t), a));
    return r_add(base, r_of_unit(u_mul(t, a)));
}

/* the angle of a vector (x, y) of units from the x axis: -pi to pi */
static vsp__real angle_of(vsp__real y, vsp__real x)
{
    vsp__real small = r_abs(y), large = r_abs(x), angle;
    bool is_steep = small > large;

    if (is_steep) {
        small = large;
        large = r_abs(y);
    }
    if (!(large > 0))
        return 0;
    angle = arc_of(u_div(small, large));
    if (is_steep)
        angle = r_sub(VSP__R(1.5707963), angle);
    if (x < 0)
        angle = r_sub(VSP__R(3.1415927), angle);
    return r_signed(angle, y < 0);
}

/* the rotation of a frame in the world, and its anchor from the centre of
 * mass */
static void find_frame(const vsp__body *b, const vsp__transform *frame,
                       vsp__quat *rotation, vsp__vec3 *arm)
{
    vsp__vec3 from = frame->position;

    v3_sub_in(&from, &b->matter.center);
    vsp__turned(&b->rotation, &from, arm);
    v3_flush_in(arm);
    vsp__q_mul(&b->rotation, &frame->rotation, rotation);
}

/* a unit vector as one of reals */
static vsp__vec3 as_reals(const vsp__vec3 *u)
{
    return v3(r_of_unit(u->x), r_of_unit(u->y), r_of_unit(u->z));
}

/* How B's x axis is turned from A's: twist about x after a swing of x.  The
 * axes to turn about are A's, here. */
static void find_swing(const vsp__vec3 *x_of_b, vsp__joint_site *s)
{
    vsp__vec3 *twist = &s->axes[1].axis[0];
    vsp__vec3 across;
    vsp__real sine;

    u3_cross_to(twist, x_of_b, &across);
    sine = v3_length_at(&across);
    s->swing = angle_of(sine, u3_dot_at(twist, x_of_b));
    if (sine > VSP__U(1e-4)) {
        vsp__normalize(&across);
        s->axes[1].axis[1] = across;
    }
    v3_add_in(twist, x_of_b);
    u3_scale_in(twist, VSP__U(0.5));
    s->twist_share = v3_length_at(twist); /* cos (swing / 2) */
    if (s->twist_share > VSP__U(1e-2))
        vsp__normalize(twist);
}

/* Errors of the turn: the rotation vector that is left between the frames or,
 * of a hinge, between their x axes; in A's axes. */
static void find_turn(const vsp__joint *j, const vsp__quat rotation[2],
                      vsp__joint_site *s)
{
    vsp__vec3 x = v3(VSP__U(1.0), 0, 0), y = v3(0, VSP__U(1.0), 0);
    vsp__quat turn;

    vsp__q_div(&rotation[0], &rotation[1], &turn);
    s->twisted = v3(turn.x, turn.y, turn.z);
    v3_flip_in(&s->twisted, turn.w < 0);
    vsp__turned(&rotation[1], &x, &x);
    if (j->type == (uint32_t)VSP_JOINT_BALL) {
        s->place = r_times(angle_of(s->twisted.x, r_abs(turn.w)), 2);
        find_swing(&x, s);
    }
    s->twisted = as_reals(&s->twisted);
    v3_add_in(&s->twisted, &s->twisted);
    if (j->type != (uint32_t)VSP_JOINT_HINGE)
        return;
    vsp__turned(&rotation[1], &y, &y);
    vsp__tmul(&s->axes[0], &y, &y);
    s->place = angle_of(y.z, y.y);
    vsp__tmul(&s->axes[0], &x, &x);
    x = as_reals(&x);
    s->twisted = v3(0, r_neg(x.z), x.y);
}

void vsp__find_joint(const vsp_world *world, const vsp__joint *j,
                     vsp__joint_site *s)
{
    const vsp__body *a = world->bodies + j->body[0];
    const vsp__body *b = world->bodies + j->body[1];
    vsp__quat rotation[2];
    vsp__vec3 parting = b->position;

    vsp__clear(s, sizeof *s);
    find_frame(a, &j->frame[0], &rotation[0], &s->arm[0]);
    find_frame(b, &j->frame[1], &rotation[1], &s->arm[1]);
    v3_sub_in(&parting, &a->position);
    v3_add_in(&parting, &s->arm[1]);
    v3_sub_in(&parting, &s->arm[0]);
    if (j->type == (uint32_t)VSP_JOINT_SLIDER) /* acts at B's anchor */
        v3_add_in(&s->arm[0], &parting);
    vsp__flushed_axes(rotation[0], &s->axes[0]);
    s->axes[1] = s->axes[0];
    if (j->type == (uint32_t)VSP_JOINT_DISTANCE) {
        s->place = v3_length_at(&parting);
        if (s->place > 0) {
            vsp__direct(&parting, s->place);
            s->axes[0].axis[0] = s->axes[1].axis[0] = parting;
        }
        return;
    }
    vsp__tmul(&s->axes[0], &parting, &s->parted);
    if (j->type == (uint32_t)VSP_JOINT_SLIDER) {
        s->place = s->parted.x;
        s->parted.x = 0;
    }
    find_turn(j, rotation, s);
}


/* ---- Rows: assembly ------------------------------------------------------ */

/* rows between limits, a bit each; cones of all but balls are open */
uint32_t vsp__limit_rows(const vsp__joint *j)
{
    static const uint8_t limited[] = {
        0, 1u << VSP__ROW_TURN_X, 1u << VSP__ROW_TURN_X, 1u << VSP__ROW_X, 0,
        1u << VSP__ROW_X
    };
    uint32_t rows = (j->flags & VSP__JOINT_LIMIT) ? limited[j->type] : 0;

    if (rows == 1u << VSP__ROW_TURN_X &&
        !(r_sub(j->high, j->low) < VSP__R(6.283)))
        rows = 0;
    return j->cone < VSP__R(3.1415925) ? rows | 1u << VSP__ROW_TURN_Y : rows;
}

/* these, and rows that hold */
static uint32_t rows_of(const vsp__joint *j)
{
    static const uint8_t held[] = {0, 0x07u, 0x37u, 0x3eu, 0x3fu, 0};

    return held[j->type] | vsp__limit_rows(j);
}

/* Sets which way a row acts: along n, or about it.  Whether it turns. */
static bool aim_row(const vsp__joint *j, const vsp__joint_site *s, uint32_t k,
                    vsp__joint_row *row)
{
    bool is_turn = k >= VSP__ROW_TURN_X &&
                   (k != VSP__ROW_MOTOR || j->type != VSP_JOINT_SLIDER);
    const vsp__vec3 *n = s->axes[is_turn].axis + k % 3;
    uint32_t i;

    if (!is_turn) {
        row->axis = *n;
        for (i = 0; i < 2; i++)
            u3_cross_to(s->arm + i, n, row->lever + i);
    } else {
        row->axis = v3_zero();
        row->lever[0] = row->lever[1] = as_reals(n);
    }
    return is_turn;
}

/* lever . (inverse inertia of one kilogram) lever */
static vsp__wide ease_of_turning(const vsp__inverse *inverse,
                                 const vsp__vec3 *lever)
{
    vsp__real length = v3_length_at(lever);
    vsp__vec3 way = *lever;

    if (!(length > 0))
        return W_ZERO;
    vsp__direct(&way, length);
    return w_mul(w_of_square(r_square(length)),
                 vsp__along(&inverse->inertia, &way));
}

/* Completes a row that is aimed.  Returns false when nothing can give way. */
static bool weigh_row(const vsp_world *world, const vsp__span *span,
                      const vsp__joint *j, bool is_turn, vsp__joint_row *row)
{
    const vsp__inverse *inverse[2];
    vsp__wide sum = W_ZERO;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        vsp__wide ease;

        inverse[i] = vsp__free_inverse(world, span, j->body[i]);
        ease = ease_of_turning(inverse[i], row->lever + i);
        if (!is_turn)
            ease = w_add(W_ONE, ease);
        sum = w_add(sum, w_mul(inverse[i]->mass, ease));
    }
    if (!w_less(W_ZERO, sum))
        return false;
    row->mass = w_div(W_ONE, sum);
    for (i = 0; i < 2; i++) {
        vsp__wide part = w_mul(inverse[i]->mass, row->mass);
        vsp__sym3 inertia = inverse[i]->inertia;

        row->share[i] = w_to_unit(part); /* of an axis that may be 0 */
        vsp__scale_by(&inertia, part);
        s3_mul_to(&inertia, row->lever + i, row->turn + i);
    }
    row->multiplier = 0;
    row->most = VSP__REAL_MAX;
    return true;
}

/* An angle goes round: beyond a limit, it is as far from either as it is by the
 * shorter way. */
static void go_the_short_way(vsp__real *low, vsp__real *high)
{
    vsp__real turn = VSP__R(6.2831853), middle = r_add(*low, *high);

    if (middle > turn)
        turn = r_neg(turn);
    else if (middle >= r_neg(turn))
        return;
    *low = r_add(*low, turn);
    *high = r_add(*high, turn);
}

/* The range of displacements along a row that a joint allows; of the motor's
 * it is one of speeds. */
static void find_range(const vsp__joint *j, const vsp__joint_site *s,
                       uint32_t k, vsp__real *low, vsp__real *high)
{
    const vsp__vec3 *error = k < VSP__ROW_TURN_X ? &s->parted : &s->twisted;

    if (!(vsp__limit_rows(j) >> k & 1u)) {
        *low = *high = k == VSP__ROW_MOTOR ? j->motor_speed
                                           : r_neg((&error->x)[k % 3]);
        return;
    }
    *low = r_sub(j->low, s->place);
    *high = r_sub(j->high, s->place);
    if (k == VSP__ROW_TURN_X)
        go_the_short_way(low, high);
    if (j->type != (uint32_t)VSP_JOINT_BALL)
        return;
    if (k == VSP__ROW_TURN_Y) {
        *low = r_neg(VSP__R(8.0)); /* the other way, all is free */
        *high = r_sub(j->cone, s->swing);
    } else {
        *low = u_mul(s->twist_share, *low);
        *high = u_mul(s->twist_share, *high);
    }
}

/* Velocities that stay in a range of displacements for h seconds; what is
 * beyond it may stay there. */
static void find_speeds(vsp__real h, vsp__joint_row *row)
{
    if (!(row->low < row->high))
        row->low = row->high = 0;
    row->low = rate_over(r_min(row->low, 0), h);
    row->high = rate_over(r_max(row->high, 0), h);
}

/* Anchors move in arcs: in h seconds they part by this much, over h, if they
 * have the same velocity.  Wanting it back keeps energy, and positions right
 * to the third order, where their errors alone would slow what swings.  What
 * turns so fast that a step does not show its arc is slowed: followed, planks
 * of a bridge flutter ever faster. */
static void find_arc(const vsp_world *world, const vsp__joint *j,
                     const vsp__joint_site *s, vsp__real h, vsp__vec3 *sum)
{
    vsp__vec3 arc[2], part;
    uint32_t i, k;

    for (i = 0; i < 2; i++) {
        const vsp__vec3 *w =
            &world->work.solve.velocity[j->body[i]].angular;

        for (k = 0; k < 3; k++)
            (&part.x)[k] = u_angle((&w->x)[k], h);
        v3_clamp_in(&part, MOST_ARC);
        v3_cross_to(w, s->arm + i, &arc[i]);
        u3_cross_to(&part, &arc[i], &arc[i]);
    }
    *sum = arc[1];
    v3_sub_in(sum, &arc[0]);
    u3_scale_in(sum, VSP__U(0.5));
}

static void follow_arc(const vsp__vec3 *arc, vsp__joint_row *row)
{
    vsp__real along = u3_dot_at(&row->axis, arc);

    row->low = r_sub(row->low, along);
    row->high = r_sub(row->high, along);
}

/* at most a metre or a radian in a step */
static void find_fixes(vsp__joint_row *row)
{
    vsp__clamp_in(&row->low, 2, VSP__R(1.0)); /* and high */
    row->low = u_of_real(row->low);
    row->high = u_of_real(row->high);
}

/* What a motor can do in a part of a step. */
static void find_drive(const vsp__joint *j, vsp__real part,
                       vsp__joint_row *row)
{
    vsp__wide impulse = w_mul(j->motor_max, w_of_unit(part));

    row->most = w_to_rate(w_div(impulse, row->mass));
}

/* Fills the rows of a joint, those of displacements if h is 0, none if it is
 * less.  Returns how far from where it has to be anything is. */
static vsp__real assemble_joint(vsp_world *world, const vsp__span *span,
                                uint32_t slot, vsp__real h, vsp__real part)
{
    vsp__joints *pool = vsp__joints_of(world);
    const vsp__joint *j = pool->joints + slot;
    vsp__bond *bond = pool->scratch.bonds + slot;
    uint32_t wanted = rows_of(j), used = 0, k;
    vsp__real largest = 0;
    vsp__vec3 arc = v3_zero();
    vsp__joint_site s;

    if ((j->flags & VSP__JOINT_MOTOR) && h > 0)
        wanted |= 1u << VSP__ROW_MOTOR;
    if (!(h > 0) && is_left(world, span, slot))
        wanted = 0;
    vsp__find_joint(world, j, &s);
    if (h > 0)
        find_arc(world, j, &s, h, &arc);
    for (k = 0; k < VSP__JOINT_ROWS; k++) {
        vsp__joint_row *row = bond->rows + k;
        vsp__real low, high;
        bool is_turn;

        if (!(wanted >> k & 1u))
            continue;
        find_range(j, &s, k, &low, &high);
        largest = r_max(largest, r_max(low, r_neg(high)));
        if (h < 0)
            continue;
        is_turn = aim_row(j, &s, k, row);
        if (!weigh_row(world, span, j, is_turn, row))
            continue;
        used |= 1u << k;
        row->low = low;
        row->high = high;
        if (k == VSP__ROW_MOTOR) {
            find_drive(j, part, row);
        } else if (h > 0) {
            find_speeds(h, row);
            follow_arc(&arc, row);
        } else {
            find_fixes(row);
        }
    }
    if (!(h < 0))
        bond->used = (uint16_t)((bond->used & VSP__LOOPED) | used);
    return largest;
}

vsp__real vsp__assemble_joints(vsp_world *world, const vsp__span *span,
                               vsp__real h, vsp__real part)
{
    vsp__real largest = 0;
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++)
        largest = r_max(largest,
                        assemble_joint(world, span,
                                       vsp__joints_of(world)->order[i], h,
                                       part));
    return largest;
}

vsp__real vsp__joint_error(vsp_world *world, const vsp__span *span)
{
    return vsp__assemble_joints(world, span, -VSP__U(1.0), 0);
}


/* ---- Rows: sweeps -------------------------------------------------------- */

bool vsp__next_row(const vsp_world *world, const vsp__span *span,
                   vsp__row_at *it)
{
    vsp__joints *pool = vsp__joints_of(world);
    bool is_used;

    do {
        if (it->left == 0) {
            uint32_t place = span->first_joint + it->place++;
            vsp__joint *j;
            vsp__bond *bond;

            if (place >= span->last_joint)
                return false;
            it->slot = pool->order[place];
            j = pool->joints + it->slot;
            it->body = j->body;
            it->impulse = j->impulse;
            bond = pool->scratch.bonds + it->slot;
            it->row = bond->rows;
            it->left = bond->used & ~VSP__LOOPED;
            it->k = 0;
        } else {
            it->row++;
            it->impulse++;
            it->k++;
        }
        is_used = (it->left & 1u) != 0;
        it->left >>= 1;
    } while (!is_used);
    return true;
}

vsp__real vsp__row_motion(const vsp__row_at *it, const vsp__velocity *u)
{
    const vsp__joint_row *row = it->row;
    const vsp__velocity *a = &u[it->body[0]], *b = &u[it->body[1]];
    vsp__vec3 v = b->linear;
    vsp__real along;

    v3_sub_in(&v, &a->linear);
    along = u3_dot_at(&row->axis, &v);
    along = r_add(along, v3_dot_at(&row->lever[1], &b->angular));
    return r_sub(along, v3_dot_at(&row->lever[0], &a->angular));
}

vsp__real vsp__wanted_multiplier(const vsp__joint_row *row, vsp__real u)
{
    vsp__real to = 0, rest = r_sub(u, row->multiplier);

    if (rest < row->low)
        to = r_sub(row->low, rest);
    else if (rest > row->high)
        to = r_sub(row->high, rest);
    return r_clamp(to, -row->most, row->most);
}

void vsp__push_row(const vsp__row_at *it, vsp__real d, vsp__velocity *u)
{
    const vsp__joint_row *row = it->row;
    vsp__velocity *a = &u[it->body[0]], *b = &u[it->body[1]];

    u3_move(&a->linear, -u_mul(d, row->share[0]), &row->axis);
    v3_move(&a->angular, r_neg(d), &row->turn[0]);
    u3_move(&b->linear, u_mul(d, row->share[1]), &row->axis);
    v3_move(&b->angular, d, &row->turn[1]);
}

/* One sweep over the joints of a span. */
static vsp__real sweep(vsp_world *world, const vsp__span *span,
                       vsp__velocity *u)
{
    vsp__real largest = 0;
    vsp__row_at it;

    for (vsp__before_rows(&it); vsp__next_row(world, span, &it);) {
        vsp__real to =
            vsp__wanted_multiplier(it.row, vsp__row_motion(&it, u));
        vsp__real d = r_sub(to, it.row->multiplier);

        it.row->multiplier = to;
        vsp__push_row(&it, d, u);
        largest = r_max_size(largest, d);
        world->stats.row_updates++;
    }
    return largest;
}

vsp__real vsp__sweep_joints(vsp_world *world, const vsp__span *span)
{
    return sweep(world, span, world->work.solve.velocity);
}

vsp__real vsp__sweep_joint_fixes(vsp_world *world, const vsp__span *span)
{
    return sweep(world, span, world->work.solve.saved);
}

/* Starts from the impulses of the step before. */
void vsp__warm_start_joints(vsp_world *world, const vsp__span *span)
{
    vsp__row_at it;

    for (vsp__before_rows(&it); vsp__next_row(world, span, &it);) {
        vsp__joint_row *row = it.row;

        row->multiplier = r_clamp(w_to_rate(w_div(*it.impulse, row->mass)),
                                  -row->most, row->most);
        vsp__push_row(&it, row->multiplier, world->work.solve.velocity);
    }
}

/* Makes multipliers impulses again, in N s and N m s. */
void vsp__keep_joints(vsp_world *world, const vsp__span *span)
{
    vsp__joints *pool = vsp__joints_of(world);
    vsp__row_at it;
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++)
        vsp__clear(pool->joints[pool->order[i]].impulse,
                   sizeof pool->joints->impulse);
    for (vsp__before_rows(&it); vsp__next_row(world, span, &it);)
        *it.impulse = w_flush(vsp__as_impulse(
            w_mul(w_of_rate(it.row->multiplier), it.row->mass)));
}

/* what is left of H of eq. 37 in the rows of joints, squared */
vsp__square vsp__joint_merit(const vsp_world *world, const vsp__span *span)
{
    const vsp__velocity *u = world->work.solve.velocity;
    vsp__square sum = 0;
    vsp__row_at it;

    for (vsp__before_rows(&it); vsp__next_row(world, span, &it);)
        sum = square_add(
            sum, r_square(r_sub(it.row->multiplier,
                                vsp__wanted_multiplier(
                                    it.row, vsp__row_motion(&it, u)))));
    return sum;
}

/* of what place is measured, as the bodies move */
vsp__real vsp__joint_speed(const vsp_world *world, const vsp__joint *j,
                           const vsp__joint_site *s)
{
    static const uint16_t both[2] = {0, 1};
    vsp__velocity v[2];
    vsp__joint_row row;
    vsp__row_at it;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        v[i].linear = world->bodies[j->body[i]].velocity;
        v[i].angular = world->bodies[j->body[i]].spin;
    }
    (void)aim_row(
            j, s, j->type == (uint32_t)VSP_JOINT_HINGE ||
                    j->type == (uint32_t)VSP_JOINT_BALL
                ? VSP__ROW_TURN_X
                : VSP__ROW_X,
            &row);
    it.row = &row;
    it.body = both;
    return vsp__row_motion(&it, v);
}
