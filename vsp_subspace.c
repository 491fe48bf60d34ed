/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Projected Gauss-Seidel with subspace minimisation.  Optional: VSP_SUBSPACE.
 *
 * Silcowitz, Niebe, Erleben, Projected Gauss-Seidel Subspace Minimization
 * Method for Interactive Rigid Body Dynamics, 2010: equation numbers are
 * those of this paper.  Sweeps find which rows bear something; of these,
 * taken as equations, conjugate gradients find the multipliers; what is then
 * out of its bounds is put back.  The best that was found is kept.
 *
 * Multipliers here are divided by masses: x = D lambda, with a D of its own
 * for each manifold and each row of a joint.  So J u of M^-1 J^T D^-1 x is
 * not symmetric, but it is in the inner product a . D^-1 b, which is what all
 * sums here are taken in.  No matrix is made: a direction p is carried as the
 * velocities W = M^-1 J^T D^-1 p, and p A p is their kinetic energy. */

#include "vsp_internal.h"


VSP_STATIC_ASSERT(searches_fit,
                  !VSP_SUBSPACE ||
                      sizeof(vsp__subspace) <= VSP__SUBSPACE_BYTES);
VSP_STATIC_ASSERT(searches_are_tight,
                  !VSP_SUBSPACE ||
                      sizeof(vsp__subspace) + 8u > VSP__SUBSPACE_BYTES);

/* steps of conjugate gradients end at this part of the tolerance, or when
 * r . z is this part of what it was: active rows are found with less */
#define EXACT VSP__U(0.1)
#define EXACT_ENOUGH VSP__U(0.01)
/* Directions and motions, and multipliers, stay where no sum or square of
 * them leaves the range of numbers. */
#define FASTEST VSP__R(VSP_FIXED ? 62.0 : 1.0e15)
#define MOST VSP__R(VSP_FIXED ? 1000.0 : 1.0e15)

/* Multipliers of contacts are held where the search began, by a spring of
 * this part of the diagonal: many points on one body may want what it cannot
 * do all, and what they share is not determined. */
#define HOLD VSP__U(0.0001)
/* sweeps that make the merit this part of what it was do well alone */
#define SWIFT VSP__U(0.1)
/* a search whose merit was this part of what it became has lost its way; what
 * is not so bad, sweeps mend */
#define LOST VSP__U(0.00001)

/* rows of a contact, a bit each */
enum { NORMAL = 1u, TANGENTS = 6u, EVERY_ROW = 7u };

/* What is looked for: the multipliers of an island. */
typedef struct minimizer {
    vsp_world *world;
    vsp__solve *solve;        /* of the world */
    vsp__subspace *subspace;
    const vsp__span *span;
    uint32_t first, last;     /* its bodies, in stack_order */
    uint32_t set;             /* which rows are active: a hash */
    uint32_t kinds;           /* rows of contacts that may be active */
    vsp__real alpha, times;   /* how far the last step goes: times alpha, which
                                 is a unit; multipliers take it a pass later */
    vsp__real beta;           /* what its direction has of the one before */
    vsp__real scale;          /* residuals are made so much larger: directions
                                 of fixed-point numbers have places to spare */
    vsp__wide gamma;          /* r . z of residual and gradient */
    vsp__wide held, mixed;    /* z . E z and z . E p */
    vsp__real largest;        /* of the gradient, m/s */
} minimizer;

static const vsp__params *params_of(const minimizer *s)
{
    return &s->world->params;
}

static vsp__velocity *velocity_of(const minimizer *s, uint32_t i)
{
    return &s->solve->velocity[s->world->stack_order[i]];
}

/* M^-1 J^T D^-1 z of the gradient, and W of the direction */
static vsp__velocity *slope_of(const minimizer *s, uint32_t i)
{
    return &s->solve->saved[s->world->stack_order[i]];
}

static vsp__velocity *way_of(const minimizer *s, uint32_t i)
{
    return &s->solve->line[s->world->stack_order[i]].predicted;
}

static bool next_row(const minimizer *s, vsp__row_at *it)
{
    return VSP_JOINTS && vsp__next_row(s->world, s->span, it);
}

static vsp__joint_descent *joint_descent_of(const minimizer *s,
                                            const vsp__row_at *it)
{
    return &s->subspace->joints[it->slot];
}

static vsp__descent *descent_of(const minimizer *s, const vsp__site *it)
{
    return &s->subspace->contacts[it->m->first_point];
}

/* the active rows of a manifold's points */
static uint8_t *active_of(const minimizer *s, const vsp__site *it)
{
    return &s->subspace->active[it->m->first_point];
}


/* J u + b of a point: what its multipliers are to make 0 */
static void point_motion(const vsp__local *u, const vsp__row *row,
                         vsp__real bias, vsp__real y[3])
{
    vsp__vec3 v = v3_sat(vsp__row_velocity(u, row));

    y[0] = r_add(v.x, bias);
    y[1] = v.y;
    y[2] = v.z;
}


/* ---- Merit ---------------------------------------------------------------
 * psi of eq. 25: half the squares of Fischer's function of every row. */

/* a + b - sqrt(a a + b b): 0 where a >= 0, b >= 0 and a b = 0 */
static vsp__real fischer(vsp__real a, vsp__real b)
{
    vsp__real root = vsp__root(square_add(r_square(a), r_square(b)));
    vsp__real sum = r_add(a, b);

    if (!(sum > 0))
        return r_sub(sum, root);
    /* nothing cancels in 2 a b / (a + b + root) */
    return r_mul(VSP__R(2.0), u_mul(u_div(b, r_add(sum, root)), a));
}

/* of a multiplier between two bounds */
static vsp__real fischer_between(vsp__real x, vsp__real most, vsp__real y)
{
    vsp__real above;

    most = r_min(most, MOST);
    above = fischer(r_sub(most, x), r_neg(y));
    return fischer(r_add(x, most), r_neg(above));
}

/* of the tangents in a cone */
static vsp__square sliding_violation(const vsp__site *it, const vsp__real *x,
                                     const vsp__real *y)
{
    vsp__vec3 h = vsp__violation(x, v3(y[0], y[1], y[2]),
                                 it->m->friction, true);

    return square_add(r_square(h.y), r_square(h.z));
}

static vsp__square point_violation(const minimizer *s, const vsp__site *it,
                                   uint32_t j, const vsp__local *u)
{
    const vsp__real *x = it->points[j].multiplier.row;
    vsp__real limit = r_mul(it->m->friction, x[0]), y[3];
    vsp__square sum;
    uint32_t k;

    point_motion(u, &it->rows[j], it->points[j].bias, y);
    sum = r_square(fischer(x[0], y[0]));
    if (vsp__has_cones(s->world))
        return square_add(sum, sliding_violation(it, x, y));
    for (k = 1; k < 3; k++)
        sum = square_add(sum, r_square(fischer_between(x[k], limit, y[k])));
    return sum;
}

static vsp__square row_violation(const vsp__joint_row *row, vsp__real y)
{
    vsp__real above = r_sub(row->high, y), below = r_sub(y, row->low);
    vsp__square sum;

    if (!(row->low < row->high)) /* holds; a motor has a limit to that */
        return r_square(row->most < VSP__REAL_MAX
                            ? fischer_between(row->multiplier, row->most,
                                              below)
                            : below);
    sum = r_square(fischer(r_max(0, row->multiplier), below));
    return square_add(
        sum, r_square(fischer(r_max(0, r_neg(row->multiplier)), above)));
}

/* (m/s)^2 */
static vsp__wide merit(const minimizer *s)
{
    const vsp__velocity *velocity = s->solve->velocity;
    vsp__wide sum = W_ZERO;
    vsp__square part = 0;
    vsp__site it;
    vsp__row_at at;
    uint32_t i, j;

    for (i = s->span->first; vsp__site_at(s->world, s->span, i, &it); i++) {
        vsp__local u;

        vsp__to_local(&it, velocity, &u);
        for (part = 0, j = 0; j < it.m->point_count; j++)
            part = square_add(part, point_violation(s, &it, j, &u));
        sum = w_add(sum, w_of_rate_square(part));
        s->world->stats.row_updates += 3u * it.m->point_count;
    }
    for (part = 0, vsp__before_rows(&at); next_row(s, &at);) {
        part = square_add(part, row_violation(at.row, vsp__row_motion(
                                                          &at, velocity)));
        s->world->stats.row_updates++;
        if (at.left > 0)
            continue;
        sum = w_add(sum, w_of_rate_square(part)); /* of one joint */
        part = 0;
    }
    return w_mul(sum, w_of_unit(VSP__U(0.5)));
}


/* ---- Index sets -----------------------------------------------------------
 * Active is what a projected step of its own would leave off its bounds: eq.
 * 18 and 19 in one.  By multipliers alone, eq. 19, what a search lets
 * penetrate would wait for the next sweeps. */

static uint32_t active_at(minimizer *s, const vsp__site *it, uint32_t j,
                          const vsp__local *u)
{
    const vsp__real *x = it->points[j].multiplier.row;
    const vsp__row *row = &it->rows[j];
    vsp__real limit = r_mul(it->m->friction, x[0]), y[3], to[3];
    uint32_t k;

    point_motion(u, row, it->points[j].bias, y);
    for (k = 0; k < 3; k++)
        to[k] = r_sub(x[k], u_mul(y[k], row->inv_diagonal[k]));
    if (!(to[0] > 0))
        return 0;
    for (k = 0; k < 3; k++)
        s->largest = r_max(s->largest, r_abs(y[k]));
    if (!vsp__has_cones(s->world))
        return NORMAL | (r_abs(to[1]) < limit ? 2u : 0) |
               (r_abs(to[2]) < limit ? 4u : 0);
    return square_add(r_square(to[1]), r_square(to[2])) < r_square(limit)
               ? EVERY_ROW
               : NORMAL;
}

/* An active limit is the one that bears. */
static bool is_active(const vsp__joint_row *row, vsp__real y, bool *is_high)
{
    vsp__real x = vsp__wanted_multiplier(row, y);

    *is_high = x < 0;
    return r_abs(x) < row->most &&
           (x < 0 || x > 0 || !(row->low < row->high));
}

static void add_to_set(minimizer *s, uint32_t active)
{
    s->set = vsp__mix(s->set, active);
}

static void set_bit(uint16_t *bits, uint32_t k, bool is_set)
{
    *bits = (uint16_t)((*bits & ~(1u << k)) | (is_set ? 1u : 0u) << k);
}

/* J u that an active row wants */
static vsp__real target_of(const vsp__joint_descent *d, const vsp__row_at *it)
{
    return d->high >> it->k & 1 ? it->row->high : it->row->low;
}

static void choose_row(minimizer *s, const vsp__row_at *it)
{
    vsp__joint_descent *d = joint_descent_of(s, it);
    vsp__real y = vsp__row_motion(it, s->solve->velocity);
    bool is_high, is_in = is_active(it->row, y, &is_high);

    d->step[it->k].gradient = d->step[it->k].direction = 0;
    set_bit(&d->active, it->k, is_in);
    set_bit(&d->high, it->k, is_high);
    if (is_in)
        s->largest = r_max_size(s->largest, r_sub(target_of(d, it), y));
    add_to_set(s, is_in ? 1u : 0);
}

static void choose_active(minimizer *s)
{
    uint32_t i, j, k;
    vsp__site it;
    vsp__row_at at;

    s->set = 0;
    s->largest = 0;
    for (i = s->span->first; vsp__site_at(s->world, s->span, i, &it); i++) {
        vsp__descent *d = descent_of(s, &it);
        uint8_t *active = active_of(s, &it);
        vsp__local u;

        vsp__to_local(&it, s->solve->velocity, &u);
        for (j = 0; j < it.m->point_count; j++) {
            for (k = 0; k < 3; k++)
                d[j].step[k].gradient = d[j].step[k].direction = 0;
            active[j] = (uint8_t)active_at(s, &it, j, &u);
            add_to_set(s, active[j]);
        }
    }
    for (vsp__before_rows(&at); next_row(s, &at);)
        choose_row(s, &at);
}


/* ---- Conjugate gradients ---------------------------------------------------
 * Eq. 22, by the diagonal as a preconditioner.  A pass over the rows takes the
 * last step to the multipliers, and finds the next gradient from velocities:
 * from what is true now, not from what sums of steps make of it. */

/* Multiplier and direction take the last step. */
static void turn_step(const minimizer *s, vsp__step *step, vsp__real *x)
{
    step->direction = r_add(step->gradient, r_mul(s->beta, step->direction));
    step->direction = r_clamp(step->direction, -FASTEST, FASTEST);
    *x = r_add(*x, r_mul(s->times, u_mul(s->alpha, step->direction)));
    *x = r_clamp(*x, -MOST, MOST);
}

/* a residual, made larger; sums of as many as a body has stay in range */
static vsp__real scaled(const minimizer *s, vsp__real residual)
{
    vsp__real most = u_mul(VSP__U(0.0625), FASTEST);

    return r_clamp(r_mul(s->scale, residual), -most, most);
}

/* A row's new gradient, of a residual without what holds it; and its parts of
 * the sums r . z, z . E z and z . E p. */
static void turn_row(minimizer *s, vsp__step *step, vsp__real *x,
                     vsp__real hold, vsp__real residual,
                     vsp__real inv_diagonal, vsp__square sum[3])
{
    vsp__real held;

    turn_step(s, step, x);
    residual = r_sub(residual, u_mul(hold, r_sub(*x, step->start)));
    residual = scaled(s, residual);
    step->gradient = u_mul(inv_diagonal, residual);
    held = u_mul(hold, step->gradient);
    s->largest = r_max_size(s->largest, step->gradient);
    sum[0] = square_add(sum[0], r_product(residual, step->gradient));
    sum[1] = square_add(sum[1], r_product(held, step->gradient));
    sum[2] = square_add(sum[2], r_product(held, step->direction));
}

static void add_sums(minimizer *s, const vsp__square sum[3], vsp__wide mass)
{
    s->gamma = w_add(s->gamma, w_mul(w_of_rate_square(sum[0]), mass));
    s->held = w_add(s->held, w_mul(w_of_rate_square(sum[1]), mass));
    s->mixed = w_add(s->mixed, w_mul(w_of_rate_square(sum[2]), mass));
}

/* The pass over the rows of a point; w takes what the gradient moves. */
static void pass_point(minimizer *s, const vsp__site *it, uint32_t j,
                       const vsp__local *u, vsp__local *w, vsp__square sum[3])
{
    vsp__real friction = r_min(
        VSP__U(1.0), r_add(HOLD, params_of(s)->friction_damping));
    const vsp__row *row = &it->rows[j];
    vsp__descent *d = &descent_of(s, it)[j];
    vsp__real *x = it->points[j].multiplier.row;
    vsp__real none[3] = {0, 0, 0}, y[3];
    uint32_t active = active_of(s, it)[j] & s->kinds, k;

    point_motion(u, row, it->points[j].bias, y);
    for (k = 0; k < 3; k++) {
        if (!(active >> k & 1u))
            continue;
        turn_row(s, &d->step[k], &x[k], k == 0 ? HOLD : friction,
                 r_neg(y[k]), row->inv_diagonal[k], sum);
        vsp__change_row(w, row, k, none, d->step[k].gradient);
    }
}

static void pass_contacts(minimizer *s)
{
    vsp__site it;
    uint32_t i, j;

    for (i = s->span->first; vsp__site_at(s->world, s->span, i, &it); i++) {
        vsp__square sum[3] = {0, 0, 0};
        vsp__local u, w;

        vsp__to_local(&it, s->solve->velocity, &u);
        vsp__clear(&w, sizeof w);
        vsp__begin_turning(&w.w[0], &w.w0[0]);
        vsp__begin_turning(&w.w[1], &w.w0[1]);
        w.scale = u.scale;
        for (j = 0; j < it.m->point_count; j++)
            pass_point(s, &it, j, &u, &w, sum);
        vsp__from_local(&it, &w, s->solve->saved);
        add_sums(s, sum, w_div(W_ONE, it.block->inv_mass));
        s->world->stats.row_updates += 3u * it.m->point_count;
    }
}

static void pass_bond(minimizer *s, const vsp__row_at *it)
{
    vsp__joint_descent *d = joint_descent_of(s, it);
    vsp__step *step = &d->step[it->k];
    vsp__square sum[3] = {0, 0, 0};

    if (!(d->active >> it->k & 1u))
        return;
    turn_row(s, step, &it->row->multiplier, 0,
             r_sub(target_of(d, it), vsp__row_motion(it, s->solve->velocity)),
             VSP__U(1.0), sum);
    add_sums(s, sum, it->row->mass);
    vsp__push_row(it, step->gradient, s->solve->saved);
    s->world->stats.row_updates++;
}

static void pass_rows(minimizer *s)
{
    vsp__row_at it;

    s->gamma = s->held = s->mixed = W_ZERO;
    s->largest = 0;
    for (vsp__before_rows(&it); next_row(s, &it);)
        pass_bond(s, &it);
    pass_contacts(s);
}

/* Turns the way of the bodies to the new direction, W = slope + beta W.
 * Returns its kinetic energy, twice: p A p. */
static vsp__wide turn_way(const minimizer *s)
{
    vsp__wide sum = W_ZERO;
    uint32_t i;

    for (i = s->first; i < s->last; i++) {
        vsp__velocity *slope = slope_of(s, i), *way = way_of(s, i);
        vsp__real *w = &way->linear.x; /* and angular */
        uint32_t k;

        for (k = 0; k < 6; k++)
            w[k] = r_add(r_mul(s->beta, w[k]), (&slope->linear.x)[k]);
        vsp__clamp_in(w, 6, FASTEST);
        vsp__hold_locks(&s->world->bodies[s->world->stack_order[i]], way);
        vsp__clear(slope, sizeof *slope);
        sum = w_add(sum, vsp__energy(s->world, s->world->stack_order[i],
                                     way));
    }
    return sum;
}

static void go_the_way(const minimizer *s)
{
    uint32_t i;

    for (i = s->first; i < s->last; i++) {
        const vsp__real *way = &way_of(s, i)->linear.x; /* and angular */
        vsp__real *u = &velocity_of(s, i)->linear.x;
        uint32_t k;

        for (k = 0; k < 6; k++)
            u[k] = r_add(u[k], r_mul(s->times, u_mul(s->alpha, way[k])));
        vsp__clamp_in(u, 6, FASTEST);
    }
}

/* Sets how far to go, if it is known. */
static bool set_alpha(minimizer *s, vsp__wide energy)
{
    vsp__wide alpha;
    int32_t times = 1;

    if (!w_less(W_ZERO, energy) || !w_is_finite(w_div(s->gamma, energy)))
        return false;
    alpha = w_div(w_div(s->gamma, energy), w_of_real(s->scale));
    while (times < 1024 && w_less(w_of_real(r_from_int(times)), alpha))
        times *= 2;
    s->times = r_from_int(times);
    s->alpha = w_to_unit(w_div(alpha, w_of_real(s->times)));
    return true;
}

/* so that the largest residual becomes about 1 m/s */
static void set_scale(minimizer *s)
{
    int32_t scale = 1;

    while (scale < 4096 && s->largest < VSP__V(0.5)) {
        s->largest = r_times(s->largest, 2);
        scale *= 2;
    }
    s->scale = r_from_int(scale);
}

/* Finds the active multipliers at which the active rows are as they want to
 * be.  The last step is left to the projection.  Returns whether more would
 * make no difference. */
static bool descend(minimizer *s)
{
    vsp__wide before = W_ZERO, enough = W_ZERO, held = W_ZERO; /* p . E p */
    vsp__real exact;
    uint32_t i, k;

    set_scale(s);
    exact = r_mul(s->scale, u_mul(EXACT, params_of(s)->tolerance));
    s->alpha = s->beta = 0;
    for (i = s->first; i < s->last; i++) {
        vsp__clear(slope_of(s, i), sizeof(vsp__velocity));
        vsp__clear(way_of(s, i), sizeof(vsp__velocity));
    }
    for (k = 0; k < params_of(s)->search_steps; k++) {
        vsp__wide beta = W_ZERO;

        pass_rows(s);
        s->alpha = s->beta = 0;
        if (k == 0)
            enough = w_mul(s->gamma, w_of_unit(EXACT_ENOUGH));
        else
            beta = w_div(s->gamma, before);
        if (!w_less(enough, s->gamma) || !(s->largest > exact))
            return !(s->largest > exact);
        s->beta = w_to_real(beta);
        held = w_add(s->held, w_mul(beta, w_add(w_add(s->mixed, s->mixed),
                                                w_mul(beta, held))));
        if (!set_alpha(s, w_add(turn_way(s), held)))
            return true;
        before = s->gamma;
        go_the_way(s);
        s->world->stats.search_count++;
    }
    return false;
}


/* ---- Projection ----------------------------------------------------------
 * Eq. 24; bounds of friction are those of now or, lazily, of the best that
 * was found so far. */

static void project_point(minimizer *s, const vsp__site *it, uint32_t j)
{
    vsp__real best = *vsp__aside(s->world, it->m->first_point + j, 0);
    bool is_lazy = (params_of(s)->search & VSP_SEARCH_LAZY) != 0;
    vsp__real *x = it->points[j].multiplier.row, limit;
    vsp__descent *d = &descent_of(s, it)[j];
    uint32_t active = active_of(s, it)[j] & s->kinds, k;

    for (k = 0; k < 3; k++)
        if (active >> k & 1u)
            turn_step(s, &d->step[k], &x[k]);
    x[0] = r_max(0, x[0]);
    limit = r_mul(it->m->friction,
                  is_lazy && x[0] > 0 ? r_max(x[0], best) : x[0]);
    if (!vsp__has_cones(s->world)) {
        x[1] = r_clamp(x[1], -limit, limit);
        x[2] = r_clamp(x[2], -limit, limit);
    } else {
        vsp__clamp_to_disc(limit, &x[1], &x[2]);
    }
}

static void project_joint(minimizer *s, const vsp__row_at *it)
{
    vsp__joint_descent *d = joint_descent_of(s, it);
    vsp__joint_row *row = it->row;
    vsp__real *x = &row->multiplier;
    bool is_held, is_high;

    if (!(d->active >> it->k & 1u))
        return;
    is_held = !(row->low < row->high);
    is_high = (d->high >> it->k & 1) != 0;
    s->world->stats.row_updates++;
    turn_step(s, &d->step[it->k], x);
    *x = r_clamp(*x, is_held || is_high ? -row->most : 0,
                 is_held || !is_high ? row->most : 0);
}

/* Makes velocities what forces and multipliers make of them. */
static void find_velocities(const minimizer *s)
{
    vsp__row_at it;
    uint32_t i;

    for (i = s->first; i < s->last; i++)
        vsp__restart_body(s->world, s->world->stack_order[i],
                          params_of(s)->dt);
    vsp__apply(s->world, s->span);
    for (vsp__before_rows(&it); next_row(s, &it);)
        vsp__push_row(&it, it.row->multiplier, s->solve->velocity);
    for (i = s->first; i < s->last; i++)
        vsp__hold_locks(&s->world->bodies[s->world->stack_order[i]],
                        velocity_of(s, i));
}

static void project(minimizer *s)
{
    vsp__site it;
    vsp__row_at at;
    uint32_t i, j;

    for (i = s->span->first; vsp__site_at(s->world, s->span, i, &it); i++)
        for (j = 0; j < it.m->point_count; j++) {
            project_point(s, &it, j);
            s->world->stats.row_updates += 3u;
        }
    for (vsp__before_rows(&at); next_row(s, &at);)
        project_joint(s, &at);
    find_velocities(s);
}


/* ---- The method ------------------------------------------------------------
 * Section 4.3, with what section 5.1 proposes. */

/* two bits: which way, and what is put aside */
typedef enum move { KEEP_BEST, TAKE_BEST, KEEP_START, TAKE_START } move;

static void move_one(vsp__real *x, vsp__real *best, vsp__real *start,
                     move what)
{
    vsp__real *aside = ((uint32_t)what & 2u) ? start : best;

    if ((uint32_t)what & 1u)
        *x = *aside;
    else
        *aside = *x;
}

/* Puts all multipliers aside, or takes them back. */
static void move_all(const minimizer *s, move what)
{
    vsp__site it;
    vsp__row_at at;
    uint32_t i, j, k;

    for (i = s->span->first; vsp__site_at(s->world, s->span, i, &it); i++)
        for (j = 0; j < it.m->point_count; j++)
            for (k = 0; k < 3; k++)
                move_one(&it.points[j].multiplier.row[k],
                         vsp__aside(s->world, it.m->first_point + j, k),
                         &descent_of(s, &it)[j].step[k].start, what);
    for (vsp__before_rows(&at); next_row(s, &at);) {
        vsp__joint_descent *d = joint_descent_of(s, &at);

        move_one(&at.row->multiplier, &d->saved[at.k], &d->step[at.k].start,
                 what);
    }
    if ((uint32_t)what & 1u)
        find_velocities(s);
}

/* Keeps what is the best so far; returns its merit. */
static vsp__wide keep_best(const minimizer *s, vsp__wide *best)
{
    vsp__wide now = merit(s);

    if (w_less(now, *best)) {
        *best = now;
        move_all(s, KEEP_BEST);
    }
    return now;
}

/* The active rows, as equations, then projected; again as long as there are
 * other ones, eq. 26, or steps ended too early.  Returns the merit of what was
 * found last. */
static vsp__wide search_subspace(minimizer *s, vsp__wide now, vsp__wide *best)
{
    bool is_staggered = (params_of(s)->search & VSP_SEARCH_STAGGERED) != 0;
    uint32_t k, done = 0; /* tries in a row that did what they could */
    vsp__wide swept = now;

    s->set = 0;
    move_all(s, KEEP_START);
    for (k = 0; k < params_of(s)->search_tries; k++) {
        uint32_t last = s->set;

        s->kinds = !is_staggered ? EVERY_ROW : k % 2 ? TANGENTS : NORMAL;
        choose_active(s);
        if (s->set == last && done > (is_staggered ? 1u : 0))
            break;
        done = descend(s) ? done + 1u : 0;
        project(s);
        now = keep_best(s, best);
    }
    if (w_is_finite(now) && !w_less(swept, w_mul(w_of_unit(LOST), now)))
        return now;
    move_all(s, TAKE_START);
    return swept;
}

vsp__wide vsp__minimize(vsp_world *world, const vsp__span *span,
                        uint32_t first, uint32_t last)
{
    const vsp__params *p = &world->params;
    vsp__wide best = w_read(VSP_MAX_FORCE), now, before;
    uint32_t round;
    minimizer s;

    vsp__clear(&s, sizeof s);
    s.world = world;
    s.solve = &world->work.solve;
    s.subspace = vsp__subspace_of(world);
    s.span = span;
    s.first = first;
    s.last = last;
    now = merit(&s);
    move_all(&s, KEEP_BEST);
    for (round = 0; round < p->rounds; round++) {
        vsp__real residual = vsp__sweep(world, span, p->sweeps, p->tolerance);

        before = now;
        now = keep_best(&s, &best);
        if (residual < p->tolerance || !w_less(W_ZERO, now)) /* eq. 25 */
            break;
        if (round + 1u < p->rounds &&
            w_less(now, w_mul(w_of_unit(SWIFT), before)))
            continue;
        now = search_subspace(&s, now, &best);
    }
    if (w_bits(now) != w_bits(best)) /* worse, or no number */
        move_all(&s, TAKE_BEST);
    return best;
}
