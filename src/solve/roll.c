/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rolling and spinning friction.  Optional: VSP_ROLLING.
 *
 * A manifold has one row of the spin about its normal and two of the rolling
 * about its tangents.  Their J is a lever times the relative spin about an axis
 * of the block, so that multipliers are velocities as those of points; the
 * levers make the diagonals about 1.  The multiplier of the first is bounded by
 * the spinning coefficient over its lever times the sum of the normal
 * multipliers, those of the others together by a disc.
 *
 * The rows are in the place of a point behind those of the manifold, so all
 * that copies, saves or flushes multipliers treats them as a point.  In its
 * vsp__point_rows, arm[0] holds the levers and arm[1] the bounds over the
 * normal multiplier: x of the spin, y of rolling. */

#include "equations.h"

#if VSP_ROLLING

static vsp__point_rows *roll_rows_of(const vsp__manifold_view *s)
{
    return s->rows + s->m->point_count;
}

static vsp__num *roll_multipliers_of(const vsp__manifold_view *s)
{
    return s->points[s->m->point_count].multiplier.row;
}


/* ---- Assembly ------------------------------------------------------------ */

/* Returns the lever, m, that makes the diagonal of a row about 1: 1 / sqrt(s).
 * s: inverse inertia, 1/m^2.  size: of the arms, m: the
 * lever is the geometric mean of size and 1 / (s size), which are similar. */
static vsp__num lever_of(vsp__wide s, vsp__num size)
{
    size = r_max(size, VSP__REAL(0.001));
    s = w_mul(s, w_of_real(size));
    if (!w_less(VSP__W_ZERO, s))
        return 0;
    return vsp__geometric_mean(w_to_real(w_div(VSP__W_ONE, s)), size);
}

/* Returns the sum of both inverse inertias, 1/m^2, about the direction (x, y,
 * z), a unit, in the axes of the block. */
static vsp__wide inertia_about(const vsp__sym3 inertia[2], vsp__num x,
                               vsp__num y, vsp__num z)
{
    vsp__v3 along = v3(x, y, z);

    return w_add(vsp__s3_along(&inertia[0], &along),
                 vsp__s3_along(&inertia[1], &along));
}

/* Returns a bound of the inverse inertia of both bodies about any direction
 * across the normal, by the theorem of Gershgorin: the sweep changes both
 * multipliers of rolling at once. */
static vsp__wide inertia_across(const vsp__sym3 inertia[2])
{
    vsp__num one = VSP__UNIT(1.0), root = VSP__UNIT(0.70710678);
    vsp__wide t1 = inertia_about(inertia, 0, one, 0);
    vsp__wide t2 = inertia_about(inertia, 0, 0, one);
    vsp__wide twice = w_add(inertia_about(inertia, 0, root, root),
                            w_neg(inertia_about(inertia, 0, root, -root)));

    if (w_less(twice, VSP__W_ZERO))
        twice = w_neg(twice);
    return w_add(w_less(t1, t2) ? t2 : t1,
                 w_mul(w_of_unit(VSP__UNIT(0.5)), twice));
}

vsp__num vsp__set_roll_levers(const vsp__manifold_view *s,
                              const vsp__sym3 inertia[2])
{
    vsp__v3 *lever = &roll_rows_of(s)->arm[0];
    vsp__num size = 0;
    uint32_t i, j;

    for (j = 0; j < s->m->point_count; j++)
        for (i = 0; i < 2; i++)
            size = r_max(size, v3_size_at(&s->rows[j].arm[i]));
    lever->x = lever_of(inertia_about(inertia, VSP__UNIT(1.0), 0, 0), size);
    lever->y = lever->z = lever_of(inertia_across(inertia), size);
    return r_max(lever->x, lever->y);
}

/* Fills the turns of row k.  Returns its diagonal. */
static vsp__num fill_roll_turns(const vsp__sym3 inertia[2], uint32_t k,
                                uint32_t scale, vsp__point_rows *row)
{
    vsp__num sum = 0;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        vsp__v3 lever = k == 0   ? v3(row->arm[0].x, 0, 0)
                        : k == 1 ? v3(0, row->arm[0].y, 0)
                                 : v3(0, 0, row->arm[0].z);

        sum = r_add(
            sum, vsp__make_turn(&inertia[i], &lever, scale, &row->turn[i][k]));
    }
    v3_flip_in(&row->turn[0][k], true);
    return sum;
}

/* Returns a coefficient, m, over a lever. */
static vsp__num bound_of(const vsp__manifold_view *s, bool is_spin,
                         vsp__num lever)
{
    vsp__shape copy;

    if (!(lever > 0))
        return 0;
    return r_div(vsp__pair_rolling(vsp__side_of(s->world, s->m, 0, &copy),
                                   vsp__side_of(s->world, s->m, 1, &copy),
                                   is_spin),
                 lever);
}

void vsp__fill_roll(const vsp__manifold_view *s, const vsp__sym3 inertia[2],
                    uint32_t scale)
{
    vsp__point_rows *row = roll_rows_of(s);
    vsp__num one = VSP__REAL(1.0), of[3];
    uint32_t k;

    for (k = 0; k < 3; k++)
        of[k] = r_max(one, fill_roll_turns(inertia, k, scale, row));
    row->arm[1] = v3(bound_of(s, true, row->arm[0].x),
                     bound_of(s, false, row->arm[0].y), 0);
    row->stride[0] = r_stride(vsp__reciprocal(of[0]));
    row->stride[1] = row->stride[2] = r_stride(
        vsp__reciprocal(r_max(of[1], of[2])));
}


/* ---- Sweeps -------------------------------------------------------------- */

/* Returns the sum of the normal multipliers, of which bounds are a part. */
static vsp__num normal_sum(const vsp__manifold_view *s)
{
    vsp__num sum = 0;
    uint32_t j;

    for (j = 0; j < s->m->point_count; j++)
        sum = r_add(sum, r_max(s->points[j].multiplier.row[0], 0));
    return sum;
}

static vsp__num roll_limit(const vsp__manifold_view *s, vsp__num part,
                           vsp__num sum)
{
    return r_mul_cut(part, sum,
                     vsp__even_cut(s->world->params.tick, VSP__EVEN_CONE));
}

/* Clamps the multiplier of spinning friction. */
static vsp__num clamp_spin(const vsp__manifold_view *s, vsp__num sum,
                           vsp__num x)
{
    vsp__num limit = roll_limit(s, roll_rows_of(s)->arm[1].x, sum);

    return r_clamp(x, r_neg(limit), limit);
}

/* Clamps both multipliers of rolling friction. */
static void clamp_rolling(const vsp__manifold_view *s, vsp__num sum,
                          vsp__num *x, vsp__num *y)
{
    vsp__clamp_to_disc(roll_limit(s, roll_rows_of(s)->arm[1].y, sum),
                       vsp__even_cut(s->world->params.tick, VSP__EVEN_SLIDE), x,
                       y);
}

/* Clamps three multipliers. */
static void clamp_roll(const vsp__manifold_view *s, vsp__num *x)
{
    vsp__num sum = normal_sum(s);

    x[0] = clamp_spin(s, sum, x[0]);
    clamp_rolling(s, sum, &x[1], &x[2]);
}

/* Computes J u of the three rows, m/s. */
static vsp__v3 roll_motion(const vsp__manifold_view *s,
                           const vsp__local_velocity *l)
{
    const vsp__v3 *lever = &roll_rows_of(s)->arm[0];
    vsp__v3 w = vsp__relative_spin(l->w);

    return v3(r_mul(lever->x, w.x), r_mul(lever->y, w.y), r_mul(lever->z, w.z));
}

/* Changes spins by a change d of the multiplier of row k. */
static void push_roll_row(const vsp__manifold_view *s, uint32_t k, vsp__num d,
                          vsp__local_velocity *l)
{
    const vsp__point_rows *row = roll_rows_of(s);

    vsp__add_turns(l->w, d, &row->turn[0][k], &row->turn[1][k], l->scale);
}

void vsp__push_roll(const vsp__manifold_view *s, vsp__local_velocity *l)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        push_roll_row(s, k, roll_multipliers_of(s)[k], l);
}

/* Sets row k to a multiplier.  Returns the size of the change, or `largest`. */
static vsp__num change_roll_row(const vsp__manifold_view *s, uint32_t k,
                                vsp__num to, vsp__num largest,
                                vsp__local_velocity *l)
{
    vsp__num d = vsp__change(&roll_multipliers_of(s)[k], to);

    push_roll_row(s, k, d, l);
    return r_max_size(largest, d);
}

/* The spin first: it may turn a body about the tangents. */
vsp__num vsp__sweep_roll(const vsp__manifold_view *s, vsp__local_velocity *l)
{
    const vsp__point_rows *row = roll_rows_of(s);
    const vsp__num *x = roll_multipliers_of(s);
    vsp__num sum = normal_sum(s), to[3], largest;
    vsp__v3 u = roll_motion(s, l);

    to[0] = clamp_spin(s, sum, r_step(x[0], u.x, row->stride[0]));
    largest = change_roll_row(s, 0, to[0], 0, l);
    u = roll_motion(s, l);
    to[1] = r_step(x[1], u.y, row->stride[1]);
    to[2] = r_step(x[2], u.z, row->stride[1]);
    clamp_rolling(s, sum, &to[1], &to[2]);
    largest = change_roll_row(s, 1, to[1], largest, l);
    return change_roll_row(s, 2, to[2], largest, l);
}

void vsp__project_roll(const vsp__manifold_view *s)
{
    clamp_roll(s, roll_multipliers_of(s));
}

vsp__square vsp__roll_violation(const vsp__manifold_view *s,
                                const vsp__local_velocity *l)
{
    const vsp__num *x = roll_multipliers_of(s);
    vsp__v3 y = roll_motion(s, l), h;
    vsp__num to[3];

    to[0] = r_sub(x[0], y.x);
    to[1] = r_sub(x[1], y.y);
    to[2] = r_sub(x[2], y.z);
    clamp_roll(s, to);
    h = v3(r_sub(x[0], to[0]), r_sub(x[1], to[1]), r_sub(x[2], to[2]));
    return v3_product_at(&h, &h);
}

void vsp__add_roll_slopes(const vsp__manifold_view *s,
                          const vsp__local_velocity *old,
                          const vsp__local_velocity *now, vsp__square *first,
                          vsp__square *second)
{
    const vsp__num *x = roll_multipliers_of(s);
    vsp__v3 d = v3(x[0], x[1], x[2]), u = roll_motion(s, old);
    vsp__v3 change = roll_motion(s, now);

    v3_sub_in(&change, &u);
    *first = square_add(*first, v3_product_at(&u, &d));
    *second = square_add(*second, v3_product_at(&change, &d));
}


/* ---- Impulses ------------------------------------------------------------ */

/* Angular impulses of rolling are stored along the same tangents as those of
 * points.  That of the spin is not stored: its row depends on no other, and
 * starts from 0. */
vsp__wide vsp__roll_scale(const vsp__manifold_view *s)
{
    return w_div(w_of_real(roll_rows_of(s)->arm[0].y), s->block->inv_mass);
}

#endif /* VSP_ROLLING */
