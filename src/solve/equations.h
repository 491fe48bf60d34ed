/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The equations of contacts, each for one manifold or one point: assembly,
 * sweeps, position correction.  rows.c, sweep.c and correct.c apply them to
 * one manifold after the other, lanes.c to several at once, one in each lane
 * of a vector.  Both get the same bits because they share this source.
 *
 * Compilers vectorise a loop over lanes only if it has no branches, inner
 * loops or calls.  So the functions that are inlined in such a loop have none,
 * except branches on an argument that is constant at each call.  Lanes hold
 * floats only, so their `scale` is 0. */

#ifndef VSP_EQUATIONS_H
#define VSP_EQUATIONS_H

#include "solve.h"


/* ---- Assembly -------------------------------------------------------------
 * The rows of eq. 2 and 6.  M^-1 is divided by the sum of both inverse masses:
 * a multiplier becomes a velocity, and the linear part of J M^-1 J^T is 1. */

/* one inverse mass over the sum of both: a unit */
static inline vsp__num vsp__mass_share(vsp__wide inv_mass, vsp__wide sum)
{
    return w_to_unit(w_div(inv_mass, sum));
}

/* Computes the shares of both bodies in a correction of a manifold. */
static inline void vsp__share_correction(
    const vsp_world *world, const vsp__manifold *m,
    const vsp__inverse_mass *const inverse[2], vsp__num share[2])
{
    vsp__wide mass[2], sum;
    uint32_t i;

    for (i = 0; i < 2; i++)
        mass[i] = inverse[i]->mass;
    vsp__scale_pair_masses(world, m, mass);
    sum = w_add(mass[0], mass[1]);
    for (i = 0; i < 2; i++)
        share[i] = vsp__is_unmoved(world, m, i) ? 0
                                                : vsp__mass_share(mass[i], sum);
}

/* Whether a correction moves neither body: a rule of pairs leaves out the one
 * that is not fixated.  The inverse diagonal of its rows is then 0. */
static inline bool vsp__corrects_none(vsp__num a, vsp__num b)
{
    return VSP_PAIR_RULES && a == 0 && b == 0;
}

/* Fills the sum and the shares of a block from both inverse masses. */
static inline void vsp__share_masses(vsp__wide a, vsp__wide b,
                                     vsp__block *block)
{
    vsp__wide sum = w_add(a, b);

    block->inv_mass = sum;
    block->share[0] = -vsp__mass_share(a, sum);
    block->share[1] = vsp__mass_share(b, sum);
}

/* Fills the turn of one body in row k: the angular part of T = M^-1 J^T,
 * eq. 33.  The inverse inertia and the arm are in the axes of the block.
 * Returns the body's angular part of the diagonal J M^-1 J^T. */
static inline vsp__num vsp__fill_turn(const vsp__sym3 *inertia,
                                      const vsp__v3 *arm, uint32_t k,
                                      uint32_t scale, vsp__v3 *turn)
{
    vsp__v3 lever = k == 0   ? v3(0, arm->z, -arm->y) /* arm x axis k */
                    : k == 1 ? v3(-arm->z, 0, arm->x)
                             : v3(arm->y, -arm->x, 0);

    return vsp__make_turn(inertia, &lever, scale, turn);
}

/* Fills both turns of row k from the arms.  Returns its diagonal D, eq. 31. */
static inline vsp__num vsp__fill_turns(const vsp__sym3 inertia[2], uint32_t k,
                                       uint32_t scale, vsp__point_rows *row)
{
    vsp__num one = VSP__REAL(1.0);
    vsp__num a = vsp__fill_turn(&inertia[0], &row->arm[0], k, scale,
                                &row->turn[0][k]);
    vsp__num b = vsp__fill_turn(&inertia[1], &row->arm[1], k, scale,
                                &row->turn[1][k]);

    v3_flip_in(&row->turn[0][k], true); /* a gets the reaction */
    /* for a thin body rounding may leave a or b below 0 */
    return r_max(one, r_add(r_add(one, a), b));
}

/* Fills the strides of a point's rows from their inverse diagonals.  With a
 * cone both tangents use the smaller one, so that friction opposes the
 * sliding. */
static inline void vsp__fill_strides(vsp__num inverse[3], bool is_cone,
                                     vsp__point_rows *row)
{
    uint32_t k;

    if (is_cone)
        inverse[1] = inverse[2] = r_min(inverse[1], inverse[2]);
    for (k = 0; k < 3; k++)
        row->stride[k] = r_stride(inverse[k]);
}


/* ---- Sweeps ---------------------------------------------------------------
 * Eq. 28-33.  In the axes of a block a change of a multiplier is added
 * unscaled to one component of e, the relative linear velocity.  At the end
 * both bodies get their shares of the change of e. */

/* Converts the velocities of two bodies to the axes of their block; e is that
 * of b less that of a, in world axes, with the motion of belts. */
static inline void vsp__enter_block(const vsp__mat3 *axes, const vsp__v3 *e,
                                    const vsp__velocity *a,
                                    const vsp__velocity *b,
                                    vsp__local_velocity *l)
{
    m3_tmul_to(axes, e, &l->e0);
    m3_tmul_to(axes, &a->angular, &l->w0[0]);
    m3_tmul_to(axes, &b->angular, &l->w0[1]);
}

/* Sets l to the start velocities of `from`, which may be l itself. */
static inline void vsp__begin_local(const vsp__local_velocity *from,
                                    uint32_t scale, vsp__local_velocity *l)
{
    vsp__to_exact_velocity(&l->e, &from->e0);
    vsp__to_exact_spin(&l->w[0], &from->w0[0]);
    vsp__to_exact_spin(&l->w[1], &from->w0[1]);
    l->scale = scale;
}

/* Computes the change of l->e since vsp__begin_local, in world axes, rounded by
 * a cut: on a slope a weight makes the same change in each step. */
static inline void vsp__change_of_e(const vsp__mat3 *axes,
                                    const vsp__local_velocity *l, uint32_t cut,
                                    vsp__v3 *e)
{
    vsp__velocity_change(&l->e, &l->e0, e);
    m3_mul_cut_to(axes, e, cut, e);
}

/* Adds the change of spin i since the start to a body. */
static inline void vsp__give_spin(const vsp__mat3 *axes,
                                  const vsp__local_velocity *l, uint32_t i,
                                  uint32_t cut, vsp__velocity *v)
{
    vsp__v3 w;

    vsp__spin_change(l->w + i, l->w0 + i, &w);
    m3_mul_cut_to(axes, &w, cut, &w);
    v3_add_in(&v->angular, &w);
}

/* Adds to body i its share of a change of e, and its change of spin; halves are
 * those of vsp__find_halves. */
static inline void vsp__give_change(const vsp__mat3 *axes,
                                    const vsp__local_velocity *l,
                                    const vsp__v3 *e, uint32_t i,
                                    vsp__num share, uint32_t halves,
                                    uint32_t cut, vsp__velocity *v)
{
    if (i == 0)
        vsp__v3_take_share(&v->linear, e, share, halves);
    else
        vsp__v3_give_share(&v->linear, e, share, halves);
    vsp__give_spin(axes, l, i, cut, v);
}

/* Changes velocities by a change d of multiplier k of a point, eq. 33. */
static inline void vsp__push_axis(vsp__local_velocity *l,
                                  const vsp__point_rows *row, uint32_t k,
                                  vsp__num d)
{
    vsp__add_to_exact(&l->e.x + k, d);
    vsp__add_turns(l->w, d, &row->turn[0][k], &row->turn[1][k], l->scale);
}

/* Sets *x.  Returns its change, delta lambda of eq. 33.  A multiplier that goes
 * to 0 shrinks in every sweep, and must not become subnormal. */
static inline vsp__num vsp__change(vsp__num *x, vsp__num to)
{
    vsp__num d;

    to = r_flush(to);
    d = r_sub(to, *x);

    *x = to;
    return d;
}

#if VSP__COMBINES_ROWS

/* vsp__push_normal: vsp__push_axis of the normal; also computes the tangential
 * velocity of the point, m/s.  vsp__push_tangents: vsp__push_axis of both
 * tangents. */

static inline void vsp__push_normal(vsp__local_velocity *l,
                                    const vsp__point_rows *row, vsp__num d,
                                    vsp__num slide[2])
{
    vsp__add_to_exact(&l->e.x, d);
    vsp__add_normal_turns(&l->e, l->w, d, row->arm, row->turn, l->scale, slide);
}

static inline void vsp__push_tangents(vsp__local_velocity *l,
                                      const vsp__point_rows *row, vsp__num d1,
                                      vsp__num d2)
{
    vsp__add_to_exact(&l->e.y, d1);
    vsp__add_to_exact(&l->e.z, d2);
    vsp__add_tangent_turns(l->w, d1, d2, row->turn, l->scale);
}

#else

static inline void vsp__push_normal(vsp__local_velocity *l,
                                    const vsp__point_rows *row, vsp__num d,
                                    vsp__num slide[2])
{
    vsp__v3 u;

    vsp__push_axis(l, row, 0, d);
    vsp__point_velocity(l, row, &u);
    slide[0] = u.y;
    slide[1] = u.z;
}

static inline void vsp__push_tangents(vsp__local_velocity *l,
                                      const vsp__point_rows *row, vsp__num d1,
                                      vsp__num d2)
{
    vsp__push_axis(l, row, 1, d1);
    vsp__push_axis(l, row, 2, d2);
}

#endif

/* Sweeps the row of the normal, eq. 28 in the form of eq. 31, and projects its
 * multiplier to 0 or above, eq. 30.  Returns the change; velocities are not
 * changed yet. */
static inline vsp__num vsp__sweep_normal(const vsp__local_velocity *l,
                                         const vsp__point_rows *row,
                                         vsp__manifold_point *p)
{
    vsp__num *x = p->multiplier.row;
    vsp__num u = vsp__normal_velocity(&l->e, l->w, row->arm, p->bias);

    return vsp__change(x, r_max(r_step(*x, u, row->stride[0]), 0));
}

/* Sweeps the normal, then computes t, the tangential multipliers that would
 * stop all sliding, eq. 31, both from one velocity; t is not projected yet.
 * Returns the change of the normal multiplier. */
static inline vsp__num vsp__sweep_to_stick(vsp__local_velocity *l,
                                           const vsp__point_rows *row,
                                           vsp__manifold_point *p,
                                           vsp__num t[2])
{
    vsp__num *x = p->multiplier.row, slide[2];
    vsp__num d = vsp__sweep_normal(l, row, p);

    vsp__push_normal(l, row, d, slide);
    t[0] = r_step(x[1], slide[0], row->stride[1]);
    t[1] = r_step(x[2], slide[1], row->stride[1]);
    return d;
}

/* the radius of the cone at a point, eq. 29: mu times the normal multiplier,
 * rounded by a cut */
static inline vsp__num vsp__cone_limit(vsp__num friction,
                                       const vsp__manifold_point *p,
                                       uint32_t cut)
{
    return r_mul_cut(friction, p->multiplier.row[0], cut);
}

/* Sets the tangential multipliers to t, which is in the cone.  Returns the
 * larger change. */
static inline vsp__num vsp__sweep_tangents(vsp__local_velocity *l,
                                           const vsp__point_rows *row,
                                           const vsp__num t[2],
                                           vsp__manifold_point *p)
{
    vsp__num *x = p->multiplier.row;
    vsp__num d1 = vsp__change(&x[1], t[0]), d2 = vsp__change(&x[2], t[1]);

    vsp__push_tangents(l, row, d1, d2);
    return r_max_size(r_size(d1), d2);
}


/* ---- Position correction --------------------------------------------------
 * Eq. 46: the row of the normal alone, in world axes.  Like velocity rows, it
 * is divided by the sum of both inverse masses.  Displacements replace
 * velocities. */

/* Moves two points, given by their arms from both centres of mass, to the
 * middle between them; d is the vector from a's centre to b's. */
static inline void vsp__meet_arms(const vsp__v3 *d, vsp__v3 arm[2])
{
    v3_add_in(&arm[0], &arm[1]);
    v3_add_in(&arm[0], d);
    u3_scale_in(&arm[0], VSP__UNIT(0.5));
    arm[1] = arm[0];
    v3_sub_in(&arm[1], d);
}

/* Converts the arm of body i, in row->lever, to its lever, the angular part of
 * J, and fills its turn; `share` is the body's share of the inverse masses.
 * Returns the body's angular part of the diagonal. */
static inline vsp__num vsp__fill_lever(const vsp__v3 *normal,
                                       const vsp__sym3 *inertia, vsp__num share,
                                       uint32_t i, vsp__correction_row *row)
{
    vsp__v3 *lever = &row->lever[i], *turn = &row->turn[i];

    u3_cross_to(lever, normal, lever);
    s3_mul_to(inertia, lever, turn);
    u3_scale_in(turn, share);
    return v3_dot_at(lever, turn);
}

/* The fraction of an overlap of touching solids that one correction removes.  A
 * full correction would be a jolt, which spreads through a pile at rest. */
#define VSP__TOUCH_PART VSP__UNIT(0.2)

/* Returns the gap of a correction row, m, as a unit: an open gap as it is, so
 * that it may close.  Of an overlap, which is negative, VSP__TOUCH_PART of the
 * part within the width of touching and all beyond this width; 0 if the overlap
 * is deeper than the width and the point will bounce. */
static inline vsp__num vsp__gap_to_correct(const vsp__manifold_view *s,
                                           const vsp__manifold_point *p)
{
    vsp__num gap = p->gap, width = vsp__touch_width(s->world);

    if (gap >= 0)
        return u_of_real(gap);
    if (gap > r_neg(width))
        return u_of_real(r_flush(u_mul(VSP__TOUCH_PART, gap)));
    if (vsp__bounces_next(s, p))
        return 0;
    return u_of_real(
        r_add(gap, u_mul(VSP__UNIT(1.0) - VSP__TOUCH_PART, width)));
}

#define VSP__STACK_TURN VSP__UNIT(0.2) /* see vsp__turn_part */

/* Returns the fraction of its full turn that the correction of a point makes.
 * A face that was pressed into another one is lifted rather than tilted, in the
 * layers above the first one: a tilted brick lifts the next one by its raised
 * corner, so tilts would grow from layer to layer. */
static inline vsp__num vsp__turn_part(const vsp__span *span,
                                      const vsp__manifold_view *s,
                                      const vsp__manifold_point *p)
{
    return (VSP_CARRY || VSP_SUBSPACE) && span->is_layer && span->lowest > 1 &&
                   span->lowest <= s->world->layer_count && /* not floating */
                   !vsp__is_shock(s->world) && s->m->point_count > 2 &&
                   p->gap < r_neg(vsp__touch_width(s->world))
               ? VSP__STACK_TURN
               : VSP__UNIT(1.0);
}

/* Sweeps a row over the displacements of both bodies, eq. 28-33.  Returns the
 * size of the change of its multiplier, m. */
static inline vsp__num vsp__sweep_correction(const vsp__v3 *n,
                                             vsp__correction_row *row,
                                             vsp__velocity *a, vsp__velocity *b)
{
    vsp__num part = row->share, old = row->multiplier, u, d;
    vsp__v3 v;

    v3_sub_to(&b->linear, &a->linear, &v);
    u = r_add(u3_dot_at(n, &v), row->gap);
    u = r_add(u, v3_dot_at(&row->lever[1], &b->angular));
    u = r_sub(u, v3_dot_at(&row->lever[0], &a->angular));
    row->multiplier = r_max(r_sub(old, u_mul(u, row->inv_diagonal)), 0);
    d = r_sub(row->multiplier, old);
    u3_move(&a->linear, -u_mul(d, VSP__UNIT(1.0) - part), n);
    v3_move(&a->angular, r_neg(d), &row->turn[0]);
    u3_move(&b->linear, u_mul(d, part), n);
    v3_move(&b->angular, d, &row->turn[1]);
    return r_abs(d);
}

#endif /* VSP_EQUATIONS_H */
