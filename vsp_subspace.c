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

/* steps of conjugate gradients end when r . z is this part of what it was:
 * active rows are found with less */
#define EXACT_ENOUGH VSP__U(0.01)
/* ... and when a step leaves more normals and limits pulling: active rows were
 * others, and what would be found for these is of no use.  One may swing. */
#define MOST_OUT 1u
/* In fixed point directions and motions, and multipliers, stay where no sum or
 * square of them leaves the range of numbers; floats that did are no numbers,
 * and so not the best. */
#define FASTEST VSP__R(62.0)
#define MOST VSP__R(1000.0)

/* Multipliers of contacts are held where the search began, by a spring of
 * this part of the diagonal: many points on one body may want what it cannot
 * do all, and what they share is not determined. */
#define HOLD VSP__U(0.0001)
/* Sweeps of a round that make the merit this part of what it was do well
 * alone; a search that leaves more of it than the other part has failed. */
#define SWIFT VSP__U(0.3)
#define FAILED VSP__U(0.5)
/* Steps that an island needs for each of its bodies, at least; where there are
 * not so many, or a search failed, sweeps earn them, so many a step. */
#define STEPS_A_BODY 2u
#define SWEEPS_A_STEP (VSP_FIXED ? 1u : 2u)
#define PLENTY 0x40000000u /* of sweeps */

/* Momentum begins as that of so many sweeps, and grows in so many; it begins
 * anew where the largest change of a sweep is more than that of the one before
 * by this part of it. */
#define HEAD_START 2
#define MOST_CALM (VSP_FIXED ? 10 : 32)
#define ROUGH VSP__U(0.2)
#define NO_SWEEP (-1) /* since multipliers were changed otherwise */
#define FIRST_SWEEP (-3) /* three have none: few do as well without */
/* In fixed point velocities and multipliers with momentum are rounded each on
 * its own.  Before so many last sweeps of a round, which have none, velocities
 * are made of multipliers: sweeps would end where the former say, and stacks
 * drift. */
#define LAST_SWEEPS 2u

/* No search where the merit has, for each body, less than so many squares of
 * the tolerance: sweeps are about to end. */
#define DONE 10

/* J u that a row of a joint wants which is not active */
#define NO_TARGET VSP__REAL_MAX

/* rows of a contact, a bit each */
enum { NORMAL = 1u, TANGENTS = 6u, EVERY_ROW = 7u };

/* What is looked for: the multipliers of an island. */
typedef struct minimizer {
    vsp_world *world;
    vsp__solve *solve;        /* of the world */
    vsp__subspace *subspace;
    const vsp__span *span;
    const uint16_t *bodies, *end; /* its bodies, in stack_order */
    uint32_t out_count;       /* normals and limits that a step has pull */
    uint32_t steps_left;      /* of a search */
    int32_t calm;             /* sweeps since the largest change grew */
    vsp__real residual;       /* the largest change of the last sweep */
    uint32_t kinds;           /* rows of contacts that may be active */
    vsp__real hold;           /* HOLD of tangents */
    vsp__real alpha, times;   /* how far the last step goes: times alpha, which
                                 is a unit; multipliers take it a pass later */
    vsp__real beta;           /* what its direction has of the one before */
    vsp__real scale;          /* residuals are made so much larger: directions
                                 of fixed-point numbers have places to spare */
    vsp__wide sum[3];         /* r . z of residual and gradient, z . E z and
                                 z . E p */
    vsp__real largest;        /* of the gradient, m/s */
} minimizer;

static const vsp__params *params_of(const minimizer *s)
{
    return &s->world->params;
}

/* M^-1 J^T D^-1 z of the gradient, and W of the direction */
static vsp__velocity *slope_of(const minimizer *s, uint32_t body)
{
    return &s->solve->saved[body];
}

static vsp__velocity *way_of(const minimizer *s, uint32_t body)
{
    return &s->solve->line[body].predicted;
}

static vsp__real in_range(vsp__real a, vsp__real most)
{
    return VSP_FIXED ? r_clamp(a, -most, most) : a;
}

/* how far a number goes that has this part of the direction */
static vsp__real a_step(const minimizer *s, vsp__real way)
{
    way = u_mul(s->alpha, way);
    return VSP_FIXED ? r_mul(s->times, way) : way;
}

/* that at a place of the span, the next one after it */
static bool next_site(const minimizer *s, uint32_t *place, vsp__site *it)
{
    return vsp__site_at(s->world, s->span, (*place)++, it);
}

static bool next_row(const minimizer *s, vsp__row_at *it)
{
    return VSP_JOINTS && vsp__next_row(s->world, s->span, it);
}

static vsp__row_descent *row_descent_of(const minimizer *s,
                                        const vsp__row_at *it)
{
    return &s->subspace->joints[it->slot][it->k];
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


/* ---- All multipliers ---------------------------------------------------- */

typedef enum errand {
    TAKE_BACK, /* the best */
    KEEP,      /* as the best */
    BEGIN      /* a try */
} errand;

static void visit_point(vsp__descent *d, const vsp__point *p)
{
    uint32_t k;

    vsp__clear(d->step, sizeof d->step);
    for (k = 0; k < 3; k++)
        d->start[k] = p->multiplier.row[k];
}

static void visit_row(vsp__row_descent *d, vsp__real *x, errand what)
{
    if (what == TAKE_BACK) {
        *x = d->best;
    } else if (what == KEEP) {
        d->best = *x;
    } else {
        vsp__clear(&d->step, sizeof d->step);
        d->start = *x;
    }
}

static void visit_all(const minimizer *s, errand what)
{
    vsp__site it;
    vsp__row_at at;
    uint32_t i, j;

    for (i = s->span->first; next_site(s, &i, &it);) {
        for (j = 0; what == BEGIN && j < it.m->point_count; j++)
            visit_point(descent_of(s, &it) + j, it.points + j);
        if (what != BEGIN)
            vsp__copy_multipliers(s->world, it.m->first_point,
                                  it.m->point_count, what == TAKE_BACK);
    }
    for (vsp__before_rows(&at); next_row(s, &at);)
        visit_row(row_descent_of(s, &at), &at.row->multiplier, what);
}


/* ---- Index sets -----------------------------------------------------------
 * Active is what a projected step of its own would leave off its bounds: eq.
 * 18 and 19 in one.  By multipliers alone, eq. 19, what a search lets
 * penetrate would wait for the next sweeps. */

static uint32_t active_at(minimizer *s, const vsp__site *it, uint32_t j,
                          const vsp__local *u)
{
    const vsp__real *x = it->points[j].multiplier.row;
    vsp__real y[3], to[3], in[3];
    uint32_t active = NORMAL, k;

    vsp__point_motion(it, j, u, y);
    for (k = 0; k < 3; k++)
        in[k] = to[k] = r_step(x[k], y[k], it->rows[j].stride[k]);
    if (!(to[0] > 0))
        return 0;
    vsp__clamp_tangents(s->world, r_mul(it->m->friction, x[0]), in);
    for (k = 0; k < 3; k++) {
        if (VSP_FIXED)
            s->largest = r_max_size(s->largest, y[k]);
        if (in[k] == to[k])
            active |= 1u << k;
    }
    return active;
}

static void choose_points(minimizer *s, const vsp__site *it)
{
    uint8_t *active = active_of(s, it);
    uint32_t j;
    vsp__local u;

    vsp__to_local(it, s->solve->velocity, &u);
    for (j = 0; j < it->m->point_count; j++)
        active[j] = (uint8_t)active_at(s, it, j, &u);
}

/* An active limit is the one that bears. */
static void choose_row(minimizer *s, const vsp__row_at *it)
{
    vsp__row_descent *d = row_descent_of(s, it);
    const vsp__joint_row *row = it->row;
    vsp__real y = vsp__row_motion(it, s->solve->velocity);
    vsp__real x = vsp__wanted_multiplier(row, y);
    vsp__real target = x < 0 ? row->high : row->low;

    if (r_abs(x) < row->most && (x != 0 || !(row->low < row->high)))
        s->largest = VSP_FIXED ? r_max_size(s->largest, r_sub(target, y)) : 0;
    else
        target = NO_TARGET;
    d->target = target;
}

static void choose_active(minimizer *s)
{
    vsp__site it;
    vsp__row_at at;
    uint32_t i;

    s->largest = 0;
    for (i = s->span->first; next_site(s, &i, &it);)
        choose_points(s, &it);
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
    step->direction = in_range(step->direction, FASTEST);
    *x = r_add(*x, a_step(s, step->direction));
    *x = in_range(*x, MOST);
}

/* a residual, made larger; sums of as many as a body has stay in range */
static vsp__real scaled(const minimizer *s, vsp__real residual)
{
    vsp__real most = u_mul(VSP__U(0.0625), FASTEST);

    return VSP_FIXED ? r_clamp(r_mul(s->scale, residual), -most, most)
                     : residual;
}

/* A row's new gradient, of a residual without what holds it; and its parts of
 * the sums r . z, z . E z and z . E p. */
static void turn_row(minimizer *s, vsp__step *step, vsp__real *x,
                     vsp__real start, vsp__real hold, vsp__real residual,
                     vsp__real inv_diagonal, vsp__square sum[3])
{
    vsp__real held;

    turn_step(s, step, x);
    residual = r_sub(residual, u_mul(hold, r_sub(*x, start)));
    residual = scaled(s, residual);
    step->gradient = u_mul(inv_diagonal, residual);
    held = u_mul(hold, step->gradient);
    sum[0] = square_add(sum[0], r_product(residual, step->gradient));
    sum[1] = square_add(sum[1], r_product(held, step->gradient));
    sum[2] = square_add(sum[2], r_product(held, step->direction));
}

static void add_sums(minimizer *s, const vsp__square sum[3], vsp__wide mass)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        s->sum[k] = w_add(s->sum[k], w_mul(w_of_rate_square(sum[k]), mass));
}

/* The pass over the rows of a point; w takes what the gradient moves. */
static void pass_point(minimizer *s, const vsp__site *it, uint32_t j,
                       const vsp__local *u, vsp__local *w, vsp__square sum[3])
{
    vsp__real y[3], z[3] = {0, 0, 0};
    uint32_t active = active_of(s, it)[j] & s->kinds, k;
    vsp__real *x = it->points[j].multiplier.row;
    vsp__descent *d = descent_of(s, it) + j;

    vsp__point_motion(it, j, u, y);
    for (k = 0; k < 3; k++) {
        vsp__step *step = &d->step[k];

        if (!(active >> k & 1u))
            continue;
        turn_row(s, step, &x[k], d->start[k], k == 0 ? HOLD : s->hold,
                 r_neg(y[k]), u_of_stride(it->rows[j].stride[k]), sum);
        z[k] = step->gradient;
    }
    if (active != 0 && x[0] < 0)
        s->out_count++;
    vsp__push_point(w, &it->rows[j], z);
}

static void pass_contacts(minimizer *s)
{
    vsp__site it;
    uint32_t i, j;

    for (i = s->span->first; next_site(s, &i, &it);) {
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

/* An active limit only pushes one way. */
static vsp__real in_bounds(const vsp__joint_row *row, vsp__real target,
                           vsp__real x)
{
    return r_clamp(x, target < row->high ? 0 : -row->most,
                   target > row->low ? 0 : row->most);
}

static void pass_row(minimizer *s, const vsp__row_at *it)
{
    vsp__row_descent *d = row_descent_of(s, it);
    vsp__square sum[3] = {0, 0, 0};

    if (d->target == NO_TARGET)
        return;
    turn_row(s, &d->step, &it->row->multiplier, 0, 0,
             r_sub(d->target, vsp__row_motion(it, s->solve->velocity)),
             VSP__U(1.0), sum);
    if (in_bounds(it->row, d->target, it->row->multiplier) !=
        it->row->multiplier)
        s->out_count++;
    add_sums(s, sum, it->row->mass);
    vsp__push_row(it, d->step.gradient, s->solve->saved);
    s->world->stats.row_updates++;
}

static void pass_rows(minimizer *s)
{
    vsp__row_at it;

    s->sum[0] = s->sum[1] = s->sum[2] = W_ZERO;
    for (vsp__before_rows(&it); next_row(s, &it);)
        pass_row(s, &it);
    pass_contacts(s);
}

/* Turns the way of the bodies to the new direction, W = slope + beta W.
 * Returns its kinetic energy, twice: p A p. */
static vsp__wide turn_way(const minimizer *s)
{
    const uint16_t *body;
    vsp__wide sum = W_ZERO;
    uint32_t k;

    for (body = s->bodies; body < s->end; body++) {
        vsp__velocity *slope = slope_of(s, *body), *way = way_of(s, *body);
        vsp__real *w = &way->linear.x; /* and angular */

        for (k = 0; k < 6; k++)
            w[k] = r_add(r_mul(s->beta, w[k]), (&slope->linear.x)[k]);
        if (VSP_FIXED)
            vsp__clamp_in(w, 6, FASTEST);
        vsp__hold_locks(&s->world->bodies[*body], way);
        vsp__clear(slope, sizeof *slope);
        sum = w_add(sum, vsp__energy(s->world, *body, way));
    }
    return sum;
}

static void go_the_way(const minimizer *s)
{
    const uint16_t *body;
    uint32_t k;

    for (body = s->bodies; body < s->end; body++) {
        const vsp__real *way = &way_of(s, *body)->linear.x; /* and angular */
        vsp__real *u = &s->solve->velocity[*body].linear.x;

        for (k = 0; k < 6; k++)
            u[k] = r_add(u[k], a_step(s, way[k]));
        if (VSP_FIXED)
            vsp__clamp_in(u, 6, FASTEST);
    }
}

/* Sets how far to go, if it is known. */
static bool set_alpha(minimizer *s, vsp__wide energy)
{
    vsp__wide alpha;
    int32_t times = 1;

    if (!w_less(W_ZERO, energy))
        return false;
    alpha = w_div(s->sum[0], energy);
    if (VSP_FIXED)
        alpha = w_div(alpha, w_of_real(s->scale));
    for (; VSP_FIXED && times < 1024 && w_less(W_ONE, alpha); times *= 2)
        alpha = w_mul(w_of_unit(VSP__U(0.5)), alpha);
    if (VSP_FIXED)
        s->times = r_from_int(times);
    s->alpha = w_to_unit(alpha);
    return true;
}

/* so that the largest residual becomes about 1 m/s, in fixed point */
static void set_scale(minimizer *s)
{
    int32_t scale = 1;

    while (scale < 256 && s->largest < VSP__V(0.5)) {
        s->largest = r_times(s->largest, 2);
        scale *= 2;
    }
    s->scale = r_from_int(scale);
}

/* Finds the active multipliers at which the active rows are as they want to
 * be.  The last step is left to the projection.  Returns whether it found
 * them. */
static bool descend(minimizer *s)
{
    vsp__wide before = W_ZERO, enough = W_ZERO, held = W_ZERO; /* p . E p */
    const uint16_t *body;
    uint32_t k;

    if (VSP_FIXED)
        set_scale(s);
    s->alpha = s->beta = 0;
    for (body = s->bodies; body < s->end; body++) {
        vsp__clear(slope_of(s, *body), sizeof(vsp__velocity));
        vsp__clear(way_of(s, *body), sizeof(vsp__velocity));
    }
    for (k = 0; k < params_of(s)->search_steps && s->steps_left > 0; k++) {
        vsp__wide beta = W_ZERO;

        s->out_count = 0;
        pass_rows(s);
        s->alpha = s->beta = 0;
        if (k > 0 && s->out_count > MOST_OUT)
            return false;
        if (k == 0)
            enough = w_mul(s->sum[0], w_of_unit(EXACT_ENOUGH));
        else
            beta = w_div(s->sum[0], before);
        if (!w_less(enough, s->sum[0]))
            return true;
        s->beta = w_to_real(beta);
        held = w_add(s->sum[1], w_mul(beta, w_add(w_add(s->sum[2], s->sum[2]),
                                                  w_mul(beta, held))));
        if (!set_alpha(s, w_add(turn_way(s), held)))
            return false;
        before = s->sum[0];
        go_the_way(s);
        s->steps_left--;
        s->world->stats.search_count++;
    }
    return false;
}


/* ---- Projection ----------------------------------------------------------
 * Eq. 24; bounds of friction are those of now or, lazily, of the best that
 * was found so far. */

static void project_point(minimizer *s, const vsp__site *it, uint32_t j)
{
    bool is_lazy = (params_of(s)->search & VSP_SEARCH_LAZY) != 0;
    vsp__real *x = it->points[j].multiplier.row, most;
    vsp__step *step = descent_of(s, it)[j].step;
    uint32_t k;

    for (k = 0; k < 3; k++)
        turn_step(s, &step[k], &x[k]);
    most = x[0] = r_max(0, x[0]);
    if (is_lazy && most > 0)
        most = r_max(most,
                     *vsp__aside(s->world, it->m->first_point + j, 0));
    vsp__clamp_tangents(s->world, r_mul(it->m->friction, most), x);
}

static void project_row(minimizer *s, const vsp__row_at *it)
{
    vsp__row_descent *d = row_descent_of(s, it);
    vsp__real *x = &it->row->multiplier;

    turn_step(s, &d->step, x);
    if (d->target != NO_TARGET)
        *x = in_bounds(it->row, d->target, *x);
}

/* Makes velocities what forces and multipliers make of them. */
static void find_velocities(const minimizer *s)
{
    const uint16_t *body;
    vsp__row_at it;

    for (body = s->bodies; body < s->end; body++)
        vsp__restart_body(s->world, *body, params_of(s)->dt);
    vsp__apply(s->world, s->span);
    for (vsp__before_rows(&it); next_row(s, &it);)
        vsp__push_row(&it, it.row->multiplier, s->solve->velocity);
    vsp__hold_all_locks(s->world, s->solve->velocity);
}

static void project(minimizer *s)
{
    vsp__site it;
    vsp__row_at at;
    uint32_t i, j;

    for (i = s->span->first; next_site(s, &i, &it);)
        for (j = 0; j < it.m->point_count; j++)
            project_point(s, &it, j);
    for (vsp__before_rows(&at); next_row(s, &at);)
        project_row(s, &at);
    find_velocities(s);
}


/* ---- Sweeps ----------------------------------------------------------------
 * With momentum that grows as k / (k + 3) from k = 3, and begins anew when the
 * largest change grows: Nesterov's sequence and the adaptive restart of
 * O'Donoghue and Candes, Adaptive restart for accelerated gradient schemes,
 * 2015.  Velocities are linear in multipliers, and go with them. */

/* A number goes on from where a sweep left it, by a part of the way that it
 * came since it was so left before, at first none. */
static inline void add_momentum(const minimizer *s, vsp__real *x,
                                vsp__real *last)
{
    vsp__real now = *x;

    if (s->calm > 0)
        *x = r_add(now,
                   u_mul(s->beta, in_range(r_sub(now, *last), FASTEST)));
    *last = now;
}

static void add_momentum3(const minimizer *s, vsp__real *x, vsp__real *last)
{
    add_momentum(s, &x[0], &last[0]);
    add_momentum(s, &x[1], &last[1]);
    add_momentum(s, &x[2], &last[2]);
}

static void go_on(minimizer *s)
{
    const uint16_t *body;
    vsp__row_at at;
    vsp__site it;
    uint32_t i, j;

    s->beta = u_div(r_from_int(s->calm + HEAD_START),
                    r_from_int(s->calm + HEAD_START + 3));
    for (i = s->span->first; next_site(s, &i, &it);)
        for (j = 0; j < it.m->point_count; j++)
            add_momentum3(s, it.points[j].multiplier.row,
                          descent_of(s, &it)[j].start);
    for (vsp__before_rows(&at); next_row(s, &at);)
        add_momentum(s, &at.row->multiplier, &row_descent_of(s, &at)->start);
    for (body = s->bodies; body < s->end; body++) {
        vsp__velocity *now = &s->solve->velocity[*body];
        vsp__velocity *last = slope_of(s, *body);

        add_momentum3(s, &now->linear.x, &last->linear.x);
        add_momentum3(s, &now->angular.x, &last->angular.x);
    }
}

/* The sweeps of a round, the last of which nothing follows: it ends within the
 * bounds.  Returns whether a sweep changed next to nothing. */
static bool sweep_round(minimizer *s)
{
    const vsp__params *p = params_of(s);
    uint32_t k;

    for (k = 0; k < p->sweeps; k++) {
        vsp__real before = s->residual;

        if (VSP_FIXED && k + LAST_SWEEPS == p->sweeps && s->calm > 0) {
            find_velocities(s);
            s->calm = -(int32_t)LAST_SWEEPS;
        }
        if (s->calm >= 0 && p->search_tries > 0)
            go_on(s);
        s->residual = vsp__sweep(s->world, s->span, 1, p->tolerance);
        if (s->residual < p->tolerance)
            return true;
        if (s->calm > 0 &&
            r_sub(s->residual, before) > u_mul(ROUGH, s->residual))
            s->calm = NO_SWEEP;
        else if (s->calm < MOST_CALM)
            s->calm++;
    }
    return false;
}


/* ---- The method ------------------------------------------------------------
 * Section 4.3, with what section 5.1 proposes. */

/* Keeps what is the best so far; returns its merit. */
static vsp__wide keep_best(const minimizer *s, vsp__wide *best)
{
    vsp__wide now = vsp__merit(s->world, s->span);

    if (w_less(now, *best)) {
        *best = now;
        visit_all(s, KEEP);
    }
    return now;
}

/* The active rows, as equations, then projected; again as long as this makes
 * it better.  Returns the merit of what was found last. */
static vsp__wide search_subspace(minimizer *s, vsp__wide now, vsp__wide *best)
{
    bool is_staggered = (params_of(s)->search & VSP_SEARCH_STAGGERED) != 0;
    uint32_t k;

    for (k = 0; k < params_of(s)->search_tries; k++) {
        vsp__wide before = now;
        bool is_found;

        s->kinds = !is_staggered ? EVERY_ROW : k % 2 ? TANGENTS : NORMAL;
        visit_all(s, BEGIN);
        choose_active(s);
        is_found = descend(s);
        project(s);
        now = keep_best(s, best);
        if ((k > 0 || !is_found) && !w_less(now, before))
            break;
    }
    return now;
}

vsp__wide vsp__minimize(vsp_world *world, const vsp__span *span,
                        uint32_t first, uint32_t last)
{
    const vsp__params *p = &world->params;
    vsp__wide best = w_read(VSP_MAX_FORCE), now, before;
    uint32_t need = (last - first) * STEPS_A_BODY, round;
    uint32_t earned = need > p->search_steps ? 0 : PLENTY;
    vsp__wide done = w_of_rate(p->tolerance);
    minimizer s;

    done = w_mul(w_mul(done, done),
                 w_of_real(r_from_int((int32_t)(last - first) * DONE)));
    vsp__clear(&s, sizeof s);
    s.world = world;
    s.solve = &world->work.solve;
    s.subspace = vsp__subspace_of(world);
    s.span = span;
    s.bodies = &world->work.solve.stack_order[first];
    s.end = &world->work.solve.stack_order[last];
    s.calm = FIRST_SWEEP;
    s.hold = r_min(VSP__U(1.0), r_add(HOLD, p->friction_damping));
    now = vsp__merit(world, span);
    visit_all(&s, KEEP);
    for (round = 1; round <= p->rounds; round++) {
        bool is_done = sweep_round(&s);

        before = now;
        now = keep_best(&s, &best);
        earned += p->sweeps;
        s.steps_left = earned / SWEEPS_A_STEP;
        if (is_done || !w_less(W_ZERO, now)) /* eq. 25 */
            break;
        if (s.steps_left < need || w_less(now, done) ||
            w_less(now, w_mul(w_of_unit(SWIFT), before)))
            continue;
        before = now;
        now = search_subspace(&s, now, &best);
        earned = w_less(best, w_mul(w_of_unit(FAILED), before)) ? PLENTY : 0;
        s.calm = NO_SWEEP;
    }
    if (w_bits(now) != w_bits(best)) /* worse, or no number */
        visit_all(&s, TAKE_BACK);
    /* fixed point rounds velocities that have momentum each on its own */
    if (VSP_FIXED || w_bits(now) != w_bits(best))
        find_velocities(&s);
    return best;
}
