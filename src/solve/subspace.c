/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Projected Gauss-Seidel with subspace minimization.  Optional: VSP_SUBSPACE.
 *
 * In this file equation and section numbers are those of Silcowitz, Niebe,
 * Erleben, Projected Gauss-Seidel Subspace Minimization Method for Interactive
 * Rigid Body Dynamics, 2010.  Sweeps determine which rows are active.  A search
 * solves these rows as equations by conjugate gradients, then projects
 * multipliers that left their bounds back.  The multipliers with the least
 * merit are the result.
 *
 * Multipliers are impulses divided by effective masses: x = D lambda, where D
 * is a number of each manifold and each row of a joint.  The operator
 * J M^-1 J^T D^-1 is symmetric in the inner product a . D^-1 b, which all sums
 * over rows use.  No matrix is built: a direction p is stored as the
 * velocities W = M^-1 J^T D^-1 p, and p A p is twice their kinetic energy.
 *
 * In this order: options, places in memory, a walk over all multipliers, index
 * sets, conjugate gradients, projection, sweeps, the method. */

#include "solve.h"

#if VSP_SUBSPACE

VSP_STATIC_ASSERT(searches_fit,
                  !VSP_SUBSPACE ||
                      sizeof(vsp__subspace_scratch) <= VSP__STEPPER_BYTES);

VSP_STATIC_ASSERT(searches_are_tight,
                  !VSP_SUBSPACE ||
                      sizeof(vsp__subspace_scratch) + 8u > VSP__STEPPER_BYTES);

/* Conjugate gradients stop when r . z is this fraction of its first value.
 * More accuracy is useless while the active rows are a guess. */
#define SEARCH_ACCURACY VSP__UNIT(0.01)

/* They also stop when more than MAX_ROWS_OUT normals and limits pull, because
 * the active rows were guessed wrong.  One may pull for some steps. */
#define MAX_ROWS_OUT 1u

/* In fixed point, in units of 8 m/s: bounds of directions and velocities, and
 * of multipliers, so that no sum or square overflows.  Floats that overflow
 * become NaN, whose merit is never the least. */
#define MAX_SEARCH_SPEED VSP__REAL(62.0)
#define MAX_MULTIPLIER VSP__REAL(1000.0)

/* A spring E, as a fraction of the diagonal, holds multipliers of contacts near
 * their values at the start of a search.  The equations of many points on one
 * body may contradict each other, and do not determine how the points share a
 * load. */
#define HOLD_SPRING VSP__UNIT(0.0001)

/* Spring for rows of joints, which may be redundant: without it their
 * undetermined multipliers grow without end.  Ten times softer than that of
 * contacts, as chains carry a thousand times their own load. */
#define JOINT_SPRING VSP__UNIT(0.00001)

/* If the sweeps of a round reduced the merit below this fraction of it, no
 * search follows.  A search that leaves more than SEARCH_FAILED of the merit
 * has failed. */
#define SWEEPS_DO_WELL VSP__UNIT(0.3)
#define SEARCH_FAILED VSP__UNIT(0.5)

/* If the merit before a search is less than this fraction of the merit after
 * it, numbers have saturated, and the result is dropped. */
#define SATURATED VSP__UNIT(0.00001)

/* A search needs STEPS_A_BODY steps for each body of the island.  If
 * search_steps is less, or a search failed, sweeps must first earn the steps:
 * each step costs SWEEPS_A_STEP sweeps. */
#define STEPS_A_BODY 2u
#define SWEEPS_A_STEP (VSP_FIXED ? 1u : 2u)
#define PLENTY_OF_SWEEPS 0x40000000u /* steps need not be earned */

/* Momentum is k / (k + 3), where k is MOMENTUM_START plus the number of sweeps
 * since a restart, at most MAX_MOMENTUM_SWEEPS.  It restarts if the largest
 * change grows from one sweep to the next by more than RESTART_GROWTH of
 * itself. */
#define MOMENTUM_START 2
#define MAX_MOMENTUM_SWEEPS (VSP_FIXED ? 10 : 32)
#define RESTART_GROWTH VSP__UNIT(0.2)
#define NO_SWEEP (-1)    /* momentum_sweeps of a restart */
#define FIRST_SWEEP (-3) /* of a solve, whose first four sweeps have none */

/* In fixed point rounding drives velocities and multipliers with momentum
 * apart.  So the last LAST_SWEEPS sweeps of a round have no momentum, and
 * before them velocities are computed from the multipliers.  Otherwise stacks
 * drift. */
#define LAST_SWEEPS 2u

/* A warm start is dropped if it raises the energy by more than this fraction.
 * At a sixteenth the starts of a bridge are dropped, and it sags. */
#define WORSE_START VSP__UNIT(0.5)

/* Joints that move by no power of their own cannot add energy: a result that
 * adds this fraction is dropped.  In a small island sweeps from no start will
 * do, so even a small gain counts, as pulls that do not determine each other
 * may add a little in each step.  A large island, such as a bridge, would
 * sag. */
#define WORSE_SMALL_RESULT VSP__UNIT(1.0 / 4096.0)

/* A small island that turns may add this part of the square of a turn, in rad,
 * if its joints form no loops, and if nothing holds it. */
#define GAIN_OF_TREE VSP__UNIT(0.25)
#define GAIN_OF_LOOPS VSP__UNIT(1.0 / 32.0)
#define WORSE_RESULT VSP__UNIT(1.0 / 64.0)

/* No search follows if the merit is below this many squares of the tolerance
 * for each body: sweeps will soon converge. */
#define DONE_TOLERANCES VSP__REAL(10.0)

/* target of a joint's row that is not active */
#define NO_TARGET VSP__REAL_MAX

/* rows of a contact, a bit each */
enum { ROW_NORMAL = 1u, ROWS_TANGENT = 6u, ROWS_ALL = 7u };

/* The solve of one island. */
typedef struct island_search {
    vsp_world *world;
    vsp__solver_scratch *solve; /* of the world */
    vsp__subspace_scratch *subspace;
    const vsp__span *span;
    const uint16_t *bodies, *end; /* its bodies, in stack_order */
    uint32_t out_count;           /* normals and limits that pull */
    uint32_t steps_left;          /* left for searches */
    int32_t momentum_sweeps;      /* sweeps since the last restart */
    vsp__num residual;            /* largest change of the last sweep, m/s */
    uint32_t kinds;               /* rows of contacts that may be active */
    vsp__num hold;                /* spring of tangents, a unit */
    vsp__num alpha, times; /* length of the last step: alpha, a unit, times
                              `times`; the next pass over the rows adds the step
                              to the multipliers */
    vsp__num beta;         /* fraction of the old direction in the new; while
                              sweeping, the factor of momentum */
    vsp__num scale;   /* factor of residuals, a power of two: in fixed point it
                         keeps rounding errors out of directions */
    vsp__v3 drift;    /* velocity of the frame in which energy is measured */
    bool is_anchored; /* something holds the island */
    vsp__wide cold;   /* twice the energy without impulses, J */
    vsp__wide sum[3]; /* r . z of residual and gradient; z . E z; z . E p */
    vsp__num largest; /* largest residual, m/s: fixed point only */
} island_search;

static const vsp__params *params_of(const island_search *s)
{
    return &s->world->params;
}


/* ---- Places in memory ---------------------------------------------------- */

/* the velocities M^-1 J^T D^-1 z of the gradient z; between sweeps, the
 * velocities after the last one */
static VSP__CALLED vsp__velocity *gradient_velocity_of(const island_search *s,
                                                       uint32_t body)
{
    return &s->solve->saved[body];
}

/* the velocities W of the direction p */
static vsp__velocity *search_velocity_of(const island_search *s, uint32_t body)
{
    return &s->solve->pass[body].predicted;
}

static vsp__num clamp_if_fixed(vsp__num a, vsp__num most)
{
    return VSP_FIXED ? r_clamp(a, -most, most) : a;
}

/* the change of a multiplier or velocity in the last step, from its component
 * of the direction */
static vsp__num step_along(const island_search *s, vsp__num way)
{
    way = u_mul(s->alpha, way);
    return VSP_FIXED ? r_mul(s->times, way) : way;
}

/* Views the manifold at an index of the span, and advances the index. */
static bool next_island_manifold(const island_search *s, uint32_t *place,
                                 vsp__manifold_view *it)
{
    return vsp__view_manifold(s->world, s->span, (*place)++, it);
}

static bool next_island_row(const island_search *s, vsp__joint_row_walk *it)
{
    return VSP_JOINTS && vsp__next_joint_row(s->world, s->span, it);
}

static VSP__CALLED vsp__joint_row_descent *row_descent_of(
    const island_search *s, const vsp__joint_row_walk *it)
{
    return &s->subspace->joints[it->slot][it->k];
}

static vsp__point_descent *descent_of(const island_search *s,
                                      const vsp__manifold_view *it)
{
    return &s->subspace->contacts[it->m->first_point];
}

/* the active rows of a manifold's points */
static uint8_t *active_of(const island_search *s, const vsp__manifold_view *it)
{
    return &s->subspace->active[it->m->first_point];
}


/* ---- All multipliers ----------------------------------------------------- */

typedef enum visit_kind {
    VISIT_RESTORE_BEST, /* restores the multipliers of least merit */
    VISIT_SAVE_BEST,    /* saves them: their merit is the least so far */
    VISIT_BEGIN_TRY     /* begins a search from them */
} visit_kind;

/* begins a search at a point */
static void visit_point(vsp__point_descent *d, const vsp__manifold_point *p)
{
    uint32_t k;

    vsp__zero_bytes(d->step, sizeof d->step);
    for (k = 0; k < 3; k++)
        d->start[k] = p->multiplier.row[k];
}

static void visit_row(vsp__joint_row_descent *d, vsp__num *x, visit_kind what)
{
    if (what == VISIT_RESTORE_BEST) {
        *x = d->best;
    } else if (what == VISIT_SAVE_BEST) {
        d->best = *x;
    } else {
        vsp__zero_bytes(&d->step, sizeof d->step);
        d->start = *x;
    }
}

static void visit_all(const island_search *s, visit_kind what)
{
    vsp__manifold_view it;
    vsp__joint_row_walk at;
    uint32_t i, j;

    for (i = s->span->first; next_island_manifold(s, &i, &it);) {
        for (j = 0; what == VISIT_BEGIN_TRY && j < it.m->point_count; j++)
            visit_point(descent_of(s, &it) + j, it.points + j);
        if (what != VISIT_BEGIN_TRY)
            vsp__copy_multipliers(s->world, it.m->first_point,
                                  vsp__row_points(it.m),
                                  what == VISIT_RESTORE_BEST);
    }
    for (vsp__start_joint_rows(&at); next_island_row(s, &at);)
        visit_row(row_descent_of(s, &at), &at.row->multiplier, what);
}


/* ---- Index sets -----------------------------------------------------------
 * A row is active if a projected step of this row alone leaves it within its
 * bounds: eq. 18 and 19 in one.  Eq. 19 tests multipliers alone, so rows that
 * penetrate after a search would have to wait for the next sweeps. */

/* Returns the active rows of point j, a bit each. */

static uint32_t active_at(island_search *s, const vsp__manifold_view *it,
                          uint32_t j, const vsp__local_velocity *u)
{
    const vsp__num *x = it->points[j].multiplier.row;
    vsp__num y[3], to[3], in[3];
    uint32_t active = ROW_NORMAL, k;

    vsp__point_motion(it, j, u, y);
    for (k = 0; k < 3; k++)
        in[k] = to[k] = r_step(x[k], y[k], it->rows[j].stride[k]);
    if (!(to[0] > 0))
        return 0;
    vsp__clamp_tangents(s->world, it->m->friction, x[0], in);
    for (k = 0; k < 3; k++) {
        if (VSP_FIXED)
            s->largest = r_max_size(s->largest, y[k]);
        if (in[k] == to[k])
            active |= 1u << k;
    }
    return active;
}

static void choose_active_points(island_search *s, const vsp__manifold_view *it)
{
    uint8_t *active = active_of(s, it);
    uint32_t j;
    vsp__local_velocity u;

    vsp__load_local_velocity(it, s->solve->velocity, &u);
    for (j = 0; j < it->m->point_count; j++)
        active[j] = (uint8_t)active_at(s, it, j, &u);
}

/* The target of an active limit is the bound that pushes.  Springs are never
 * active: sweeps solve them. */
static void choose_active_row(island_search *s, const vsp__joint_row_walk *it)
{
    vsp__joint_row_descent *d = row_descent_of(s, it);
    const vsp__joint_row *row = it->row;
    vsp__num y = VSP_JOINTS ? vsp__joint_row_motion(it, s->solve->velocity) : 0;
    vsp__num x = VSP_JOINTS ? vsp__target_multiplier(row, y) : 0;
    vsp__num target = x < 0 ? row->high : row->low;

    if (r_abs(x) < row->most && !(row->yield < VSP__UNIT(1.0)) &&
        (x != 0 || !(row->low < row->high)))
        s->largest = VSP_FIXED ? r_max_size(s->largest, r_sub(target, y)) : 0;
    else
        target = NO_TARGET;
    d->target = target;
}

static void choose_active(island_search *s)
{
    vsp__manifold_view it;
    vsp__joint_row_walk at;
    uint32_t i;

    s->largest = 0;
    for (i = s->span->first; next_island_manifold(s, &i, &it);)
        choose_active_points(s, &it);
    for (vsp__start_joint_rows(&at); next_island_row(s, &at);)
        choose_active_row(s, &at);
}


/* ---- Conjugate gradients --------------------------------------------------
 * Eq. 22, with the diagonal as preconditioner.  A pass over the rows adds the
 * last step to the multipliers and computes the next gradient.  Residuals are
 * computed from the velocities, not by a recurrence, so errors do not add
 * up. */

/* Updates the direction of the last step, and adds the step to a multiplier. */
static void update_step(const island_search *s, vsp__descent_step *step,
                        vsp__num *x)
{
    step->direction = r_add(step->gradient, r_mul(s->beta, step->direction));
    step->direction = clamp_if_fixed(step->direction, MAX_SEARCH_SPEED);
    *x = r_add(*x, step_along(s, step->direction));
    *x = clamp_if_fixed(*x, MAX_MULTIPLIER);
}

/* a residual times the scale, clamped so that sums over the rows of a body do
 * not overflow */
static vsp__num scale_residual(const island_search *s, vsp__num residual)
{
    vsp__num most = u_mul(VSP__UNIT(0.0625), MAX_SEARCH_SPEED);

    return VSP_FIXED ? r_clamp(r_mul(s->scale, residual), -most, most)
                     : residual;
}

/* Computes a row's new gradient from its residual without the spring, and adds
 * its terms to the sums r . z, z . E z and z . E p. */
static void update_row(island_search *s, vsp__descent_step *step, vsp__num *x,
                       vsp__num start, vsp__num hold, vsp__num residual,
                       vsp__num inv_diagonal, vsp__square sum[3])
{
    vsp__num held;

    update_step(s, step, x);
    residual = r_sub(residual, u_mul(hold, r_sub(*x, start)));
    residual = scale_residual(s, residual);
    step->gradient = u_mul(inv_diagonal, residual);
    held = u_mul(hold, step->gradient);
    sum[0] = square_add(sum[0], r_product(residual, step->gradient));
    sum[1] = square_add(sum[1], r_product(held, step->gradient));
    sum[2] = square_add(sum[2], r_product(held, step->direction));
}

static VSP__CALLED void add_sums(island_search *s, const vsp__square sum[3],
                                 vsp__wide mass)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        s->sum[k] = w_add(s->sum[k], w_mul(w_of_rate_square(sum[k]), mass));
}

/* The pass over the rows of a point; adds the velocities of their gradient to
 * w. */
static void gradient_of_point(island_search *s, const vsp__manifold_view *it,
                              uint32_t j, const vsp__local_velocity *u,
                              vsp__local_velocity *w, vsp__square sum[3])
{
    vsp__num y[3], z[3] = {0, 0, 0};
    uint32_t active = active_of(s, it)[j] & s->kinds, k;
    vsp__num *x = it->points[j].multiplier.row;
    vsp__point_descent *d = descent_of(s, it) + j;

    vsp__point_motion(it, j, u, y);
    for (k = 0; k < 3; k++) {
        vsp__descent_step *step = &d->step[k];

        if (!(active >> k & 1u))
            continue;
        update_row(s, step, &x[k], d->start[k], k == 0 ? HOLD_SPRING : s->hold,
                   r_neg(y[k]), u_of_stride(it->rows[j].stride[k]), sum);
        z[k] = step->gradient;
    }
    if (active != 0 && x[0] < 0)
        s->out_count++;
    vsp__push_point_rows(w, &it->rows[j], z);
}

static void gradient_of_contacts(island_search *s)
{
    vsp__manifold_view it;
    uint32_t i, j;

    for (i = s->span->first; next_island_manifold(s, &i, &it);) {
        vsp__square sum[3] = {0, 0, 0};
        vsp__local_velocity u, w;

        vsp__load_local_velocity(&it, s->solve->velocity, &u);
        vsp__zero_bytes(&w, sizeof w);
        vsp__to_exact_spin(&w.w[0], &w.w0[0]);
        vsp__to_exact_spin(&w.w[1], &w.w0[1]);
        w.scale = u.scale;
        for (j = 0; j < it.m->point_count; j++)
            gradient_of_point(s, &it, j, &u, &w, sum);
        vsp__store_local_velocity(&it, &w, s->solve->saved);
        add_sums(s, sum, w_div(VSP__W_ONE, it.block->inv_mass));
        s->world->stats.row_updates += 3u * it.m->point_count;
    }
}

/* Clamps the multiplier of an active row: a limit pushes one way only. */
static VSP__CALLED vsp__num in_bounds(const vsp__joint_row *row,
                                      vsp__num target, vsp__num x)
{
    return r_clamp(x, target < row->high ? 0 : -row->most,
                   target > row->low ? 0 : row->most);
}

static void gradient_of_joint_row(island_search *s,
                                  const vsp__joint_row_walk *it)
{
    vsp__joint_row_descent *d = row_descent_of(s, it);
    vsp__square sum[3] = {0, 0, 0};

    if (!VSP_JOINTS || d->target == NO_TARGET)
        return;
    update_row(s, &d->step, &it->row->multiplier, d->start, JOINT_SPRING,
               r_sub(d->target, vsp__joint_row_motion(it, s->solve->velocity)),
               VSP__UNIT(1.0), sum);
    if (in_bounds(it->row, d->target, it->row->multiplier) !=
        it->row->multiplier)
        s->out_count++;
    add_sums(s, sum, it->row->mass);
    vsp__push_joint_row(it, d->step.gradient, s->solve->saved);
    s->world->stats.row_updates++;
}

static void gradient_of_rows(island_search *s)
{
    vsp__joint_row_walk it;

    s->sum[0] = s->sum[1] = s->sum[2] = VSP__W_ZERO;
    for (vsp__start_joint_rows(&it); next_island_row(s, &it);)
        gradient_of_joint_row(s, &it);
    gradient_of_contacts(s);
}

/* Updates the velocities of the direction: W becomes those of the gradient plus
 * beta W.  Returns p A p, twice the kinetic energy of W. */
static vsp__wide update_search_velocity(const island_search *s)
{
    const uint16_t *body;
    vsp__wide sum = VSP__W_ZERO;
    uint32_t k;

    for (body = s->bodies; body < s->end; body++) {
        vsp__velocity *slope = gradient_velocity_of(s, *body),
                      *way = search_velocity_of(s, *body);
        vsp__num *w = &way->linear.x; /* and angular */
        const vsp__num *change = &slope->linear.x;

        for (k = 0; k < 6; k++)
            w[k] = r_add(r_mul(s->beta, w[k]), change[k]);
        if (VSP_FIXED)
            vsp__clamp_each(w, 6, MAX_SEARCH_SPEED);
        vsp__apply_locks(&s->world->bodies[*body], way);
        vsp__zero_bytes(slope, sizeof *slope);
        sum = w_add(sum, vsp__double_energy(s->world, *body, way, true));
    }
    return sum;
}

/* Adds a step to the velocities of all bodies. */
static void move_along_search(const island_search *s)
{
    const uint16_t *body;
    uint32_t k;

    for (body = s->bodies; body < s->end; body++) {
        const vsp__num *way =
            &search_velocity_of(s, *body)->linear.x; /* and angular */
        vsp__num *u = &s->solve->velocity[*body].linear.x;

        for (k = 0; k < 6; k++)
            u[k] = r_add(u[k], step_along(s, way[k]));
        if (VSP_FIXED)
            vsp__clamp_each(u, 6, MAX_SEARCH_SPEED);
    }
}

/* Sets the length of a step, r . z / p A p.  Returns false if p A p is 0. */
static bool set_alpha(island_search *s, vsp__wide energy)
{
    vsp__wide alpha;
    int32_t times = 1;

    if (!w_less(VSP__W_ZERO, energy))
        return false;
    alpha = w_div(s->sum[0], energy);
    if (VSP_FIXED)
        alpha = w_div(alpha, w_of_real(s->scale));
    for (; VSP_FIXED && times < 1024 && w_less(VSP__W_ONE, alpha); times *= 2)
        alpha = w_mul(w_of_unit(VSP__UNIT(0.5)), alpha);
    if (VSP_FIXED)
        s->times = r_from_int(times);
    s->alpha = w_to_unit(alpha);
    return true;
}

/* Sets the scale so that the largest residual is about 1 m/s. */
static void set_scale(island_search *s)
{
    int32_t scale = 1;

    while (scale < 256 && s->largest < VSP__RATE(0.5)) {
        s->largest = r_times(s->largest, 2);
        scale *= 2;
    }
    s->scale = r_from_int(scale);
}

/* Solves the equations of the active rows.  The projection then adds the last
 * step to the multipliers.  Returns whether the accuracy was reached. */
static bool run_conjugate_gradients(island_search *s)
{
    vsp__wide before = VSP__W_ZERO, enough = VSP__W_ZERO,
              held = VSP__W_ZERO; /* p . E p */
    const uint16_t *body;
    uint32_t k;

    if (VSP_FIXED)
        set_scale(s);
    s->alpha = s->beta = 0;
    for (body = s->bodies; body < s->end; body++) {
        vsp__zero_bytes(gradient_velocity_of(s, *body), sizeof(vsp__velocity));
        vsp__zero_bytes(search_velocity_of(s, *body), sizeof(vsp__velocity));
    }
    for (k = 0; k < params_of(s)->search_steps && s->steps_left > 0; k++) {
        vsp__wide beta = VSP__W_ZERO;

        s->out_count = 0;
        gradient_of_rows(s);
        s->alpha = s->beta = 0;
        if (k > 0 && s->out_count > MAX_ROWS_OUT)
            return false;
        if (k == 0)
            enough = w_mul(s->sum[0], w_of_unit(SEARCH_ACCURACY));
        else
            beta = w_div(s->sum[0], before);
        if (!w_less(enough, s->sum[0]))
            return true;
        s->beta = w_to_real(beta);
        held = w_add(s->sum[1], w_mul(beta, w_add(w_add(s->sum[2], s->sum[2]),
                                                  w_mul(beta, held))));
        if (!set_alpha(s, w_add(update_search_velocity(s), held)))
            return false;
        before = s->sum[0];
        move_along_search(s);
        s->steps_left--;
        s->world->stats.search_count++;
    }
    return false;
}


/* ---- Projection -----------------------------------------------------------
 * Eq. 24.  Bounds of friction depend on the present normal multipliers; with
 * VSP_SEARCH_LAZY they are at least those of the best multipliers so far. */

static void project_point(island_search *s, const vsp__manifold_view *it,
                          uint32_t j)
{
    bool is_lazy = (params_of(s)->search & VSP_SEARCH_LAZY) != 0;
    vsp__num *x = it->points[j].multiplier.row, most;
    vsp__descent_step *step = descent_of(s, it)[j].step;
    uint32_t k;

    for (k = 0; k < 3; k++)
        update_step(s, &step[k], &x[k]);
    most = x[0] = r_max(0, x[0]);
    if (is_lazy && most > 0)
        most = r_max(
            most, *vsp__saved_multiplier(s->world, it->m->first_point + j, 0));
    vsp__clamp_tangents(s->world, it->m->friction, most, x);
}

static void project_row(island_search *s, const vsp__joint_row_walk *it)
{
    vsp__joint_row_descent *d = row_descent_of(s, it);
    vsp__num *x = &it->row->multiplier;

    update_step(s, &d->step, x);
    if (d->target != NO_TARGET)
        *x = in_bounds(it->row, d->target, *x);
}

/* Computes velocities from forces and multipliers. */
static void find_velocities(const island_search *s)
{
    const uint16_t *body;
    vsp__joint_row_walk it;

    for (body = s->bodies; body < s->end; body++)
        vsp__restart_body(s->world, *body, params_of(s)->dt);
    vsp__apply_multipliers(s->world, s->span);
    for (vsp__start_joint_rows(&it); next_island_row(s, &it);)
        if (VSP_JOINTS)
            vsp__push_joint_row(&it, it.row->multiplier, s->solve->velocity);
    vsp__apply_all_locks(s->world, s->solve->velocity);
}

/* Returns twice the kinetic energy of the island, relative to its drift. */
static vsp__wide energy_of(const island_search *s, bool has_strain)
{
    const uint16_t *body;
    vsp__wide sum = VSP__W_ZERO;

    for (body = s->bodies; body < s->end; body++) {
        vsp__velocity v = s->solve->velocity[*body];

        v3_sub_in(&v.linear, &s->drift);
        sum = w_add(sum, vsp__double_energy(s->world, *body, &v, has_strain));
    }
    return sum;
}

/* Whether one of two bodies does not move. */
static VSP__CALLED bool is_anchored(const island_search *s,
                                    const uint16_t *body)
{
    return !vsp__is_moved(s->world, body[0]) ||
           !vsp__is_moved(s->world, body[1]);
}

/* Whether something holds the island: impulses can change its momentum. */
static bool is_island_anchored(const island_search *s)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(s->world);
    uint32_t i = s->span->first;
    vsp__manifold_view it;

    while (next_island_manifold(s, &i, &it))
        if (is_anchored(s, it.m->body))
            return true;
    for (i = s->span->first_joint; i < s->span->last_joint; i++) {
        const vsp__joint *j = pool->joints + pool->order[i];

        if (is_anchored(s, j->body) || vsp__is_rope(j))
            return true;
    }
    return false;
}

/* Finds the mean velocity of an island that falls freely: its energy would hide
 * what bodies gain relative to each other. */
static void find_drift(island_search *s)
{
    const uint16_t *body;
    vsp__wide mass = VSP__W_ZERO;

    if (s->is_anchored)
        return;
    for (body = s->bodies; body < s->end; body++) {
        const vsp__body *b = s->world->bodies + *body;

        if (b->flags & VSP__ALL_LOCKS) /* take momentum */
            return;
        mass = w_add(mass, b->mass_data.mass);
    }
    for (body = s->bodies; body < s->end; body++) {
        vsp__num share = w_to_unit(
            w_div(s->world->bodies[*body].mass_data.mass, mass));

        u3_move(&s->drift, share, &s->solve->velocity[*body].linear);
    }
}

/* Whether a range of the island is taut, and so carries most of the load from
 * the start. */
static bool has_taut_range(const island_search *s)
{
    uint32_t i;

    for (i = s->span->first_joint; i < s->span->last_joint; i++)
        if (vsp__is_spanned(s->world, vsp__joint_pool_of(s->world)->order[i]))
            return true;
    return false;
}

/* Sets all multipliers and velocities to those of no impulses. */
static void start_cold(const island_search *s)
{
    const uint16_t *body;
    vsp__joint_row_walk at;
    vsp__manifold_view it;
    uint32_t i, j;

    for (i = s->span->first; next_island_manifold(s, &i, &it);)
        for (j = 0; j < vsp__row_points(it.m); j++)
            vsp__zero_bytes(it.points[j].multiplier.row,
                            sizeof it.points[j].multiplier.row);
    for (vsp__start_joint_rows(&at); next_island_row(s, &at);)
        at.row->multiplier = 0;
    for (body = s->bodies; body < s->end; body++)
        vsp__restart_body(s->world, *body, params_of(s)->dt);
}

/* Whether an energy is more than a fraction above another. */
static bool has_gained(vsp__wide energy, vsp__wide cold, vsp__num fraction)
{
    return w_less(w_add(cold, w_mul(w_of_unit(fraction), cold)), energy);
}

/* The impulses of the last step are a guess, and a guess that adds much energy
 * is worse than none: joints or contacts that contradict each other pull
 * against each other by more than any load, and in the next pose these pulls do
 * not cancel.  So an island with joints starts cold if its guess adds energy,
 * unless a taut range determines the load. */
static void check_start(island_search *s)
{
    vsp__wide warm, cold;
    const uint16_t *body;

    if (s->span->first_joint == s->span->last_joint || has_taut_range(s))
        return;
    warm = energy_of(s, true);
    for (body = s->bodies; body < s->end; body++)
        vsp__restart_body(s->world, *body, params_of(s)->dt);
    cold = energy_of(s, true);
    s->is_anchored = is_island_anchored(s);
    find_drift(s);
    s->cold = energy_of(s, false);
    find_velocities(s);
    if (has_gained(warm, cold, WORSE_START))
        start_cold(s);
}

/* Whether one of two bodies moves, and no impulse can stop it. */
static bool has_mover(const island_search *s, const uint16_t *body)
{
    const vsp__body *bodies = s->world->bodies;

    return vsp__is_moving_kinematic(bodies + body[0]) ||
           vsp__is_moving_kinematic(bodies + body[1]);
}

/* Whether a row of a joint can add energy.  A motor that stands still cannot,
 * but sweeps alone would let a braked crane sag. */
static bool is_driven_row(const island_search *s, const vsp__joint_row_walk *it)
{
    const vsp__joint *j = &vsp__joint_pool_of(s->world)->joints[it->slot];

    return it->row->yield < VSP__UNIT(1.0) ||
           (VSP_JOINTS && (vsp__driven_rows(j) >> it->k & 1u) != 0) ||
           has_mover(s, it->body);
}

/* Whether a contact can add energy. */
static bool is_driven_contact(const island_search *s, const vsp__manifold *m)
{
    return has_mover(s, m->body) ||
           (vsp__has_belts(s->world) && vsp__touches_belt(s->world, m));
}

static bool is_small(const island_search *s)
{
    return s->span->last_body - s->span->first_body <= VSP__SMALL_ISLAND;
}

/* Returns the largest component of an angle by which a body of the island would
 * turn in the step without impulses: a unit, at most 1 rad.  A bad result must
 * not allow itself more. */
static vsp__num largest_turn(const island_search *s)
{
    vsp__num dt = params_of(s)->dt, largest = 0;
    const uint16_t *body;

    for (body = s->bodies; body < s->end; body++) {
        vsp__velocity v;

        vsp__get_velocity(s->world->bodies + *body, &v);
        largest = r_max(largest, v3_size_at(&v.angular));
    }
    largest = r_of_rate(r_min(largest, rate_over(VSP__REAL(1.0), dt)), dt);
    return u_of_real(r_min(largest, VSP__REAL(1.0)));
}

/* Whether the joints of an island determine their pulls: it has no contacts,
 * and its joints form no loop, counting all bodies that do not move as one. */
static bool is_tree(const island_search *s)
{
    uint32_t count = s->span->last_body - s->span->first_body;

    return s->span->first == s->span->last &&
           s->span->last_joint - s->span->first_joint <
               count + (s->is_anchored ? 1u : 0u);
}

/* Returns the part of a turn's square by which a result may add energy.  The
 * solve turns velocities by half of a step's turn: what this adds as a body
 * turns faster, it takes away as it slows down.  In loops pulls that are not
 * determined could use it in each step. */
static vsp__num gain_by_turn(const island_search *s)
{
    if (is_tree(s))
        return GAIN_OF_TREE;
    return s->is_anchored ? 0 : GAIN_OF_LOOPS;
}

/* Returns the fraction of the energy that a result may add. */
static vsp__num allowed_gain(const island_search *s)
{
    vsp__num turn;

    if (!is_small(s))
        return WORSE_RESULT;
    turn = largest_turn(s);
    return r_min(
        r_add(WORSE_SMALL_RESULT, u_mul(gain_by_turn(s), u_mul(turn, turn))),
        VSP__UNIT(1.0));
}

/* Whether the island has joints, and nothing in it can add energy.  Contacts
 * are judged in small islands alone. */
static bool is_passive(const island_search *s)
{
    uint32_t i = s->span->first;
    vsp__joint_row_walk at;
    vsp__manifold_view it;

    if (s->span->first_joint == s->span->last_joint || has_taut_range(s) ||
        vsp__has_pair_rules(s->world)) /* which may scale masses */
        return false;
    while (next_island_manifold(s, &i, &it))
        if (!is_small(s) || is_driven_contact(s, it.m))
            return false;
    for (vsp__start_joint_rows(&at); next_island_row(s, &at);)
        if (is_driven_row(s, &at))
            return false;
    return true;
}

static void project_multipliers(island_search *s)
{
    vsp__manifold_view it;
    vsp__joint_row_walk at;
    uint32_t i, j;

    for (i = s->span->first; next_island_manifold(s, &i, &it);) {
        for (j = 0; j < it.m->point_count; j++)
            project_point(s, &it, j);
        if (VSP_ROLLING && vsp__rolls(it.m))
            vsp__project_roll(&it);
    }
    for (vsp__start_joint_rows(&at); next_island_row(s, &at);)
        project_row(s, &at);
    find_velocities(s);
}


/* ---- Sweeps ---------------------------------------------------------------
 * With momentum k / (k + 3) from k = 3 on, Nesterov's sequence, which restarts
 * when the largest change grows: O'Donoghue and Candes, Adaptive restart for
 * accelerated gradient schemes, 2015.  Velocities are linear in multipliers, so
 * both get the same momentum. */

/* Adds to a number beta times its change since the last sweep; after a restart
 * only stores it. */
static inline void add_momentum(const island_search *s, vsp__num *x,
                                vsp__num *last)
{
    vsp__num now = *x;

    if (s->momentum_sweeps > 0)
        *x = r_add(now, u_mul(s->beta, clamp_if_fixed(r_sub(now, *last),
                                                      MAX_SEARCH_SPEED)));
    *last = now;
}

static void add_momentum3(const island_search *s, vsp__num *x, vsp__num *last)
{
    add_momentum(s, &x[0], &last[0]);
    add_momentum(s, &x[1], &last[1]);
    add_momentum(s, &x[2], &last[2]);
}

static void add_momentum_to_all(island_search *s)
{
    const uint16_t *body;
    vsp__joint_row_walk at;
    vsp__manifold_view it;
    uint32_t i, j;

    s->beta = u_div(r_from_int(s->momentum_sweeps + MOMENTUM_START),
                    r_from_int(s->momentum_sweeps + MOMENTUM_START + 3));
    for (i = s->span->first; next_island_manifold(s, &i, &it);)
        for (j = 0; j < vsp__row_points(it.m); j++)
            add_momentum3(s, it.points[j].multiplier.row,
                          descent_of(s, &it)[j].start);
    for (vsp__start_joint_rows(&at); next_island_row(s, &at);)
        add_momentum(s, &at.row->multiplier, &row_descent_of(s, &at)->start);
    for (body = s->bodies; body < s->end; body++) {
        vsp__velocity *now = &s->solve->velocity[*body];
        vsp__velocity *last = gradient_velocity_of(s, *body);

        add_momentum3(s, &now->linear.x, &last->linear.x);
        add_momentum3(s, &now->angular.x, &last->angular.x);
    }
}

/* The sweeps of a round.  No momentum follows the last one, so multipliers are
 * within their bounds.  Returns whether the tolerance was reached. */
static bool sweep_round(island_search *s)
{
    const vsp__params *p = params_of(s);
    vsp__num tolerance = vsp__sweep_tolerance(s->world);
    uint32_t k;

    for (k = 0; k < p->sweeps; k++) {
        vsp__num before = s->residual;

        if (VSP_FIXED && k + LAST_SWEEPS == p->sweeps &&
            s->momentum_sweeps > 0) {
            find_velocities(s);
            s->momentum_sweeps = -(int32_t)LAST_SWEEPS;
        }
        if (s->momentum_sweeps >= 0 && p->search_tries > 0)
            add_momentum_to_all(s);
        s->residual = vsp__sweep_rows(s->world, s->span, 1, tolerance);
        if (s->residual < tolerance)
            return true;
        if (s->momentum_sweeps > 0 &&
            r_sub(s->residual, before) > u_mul(RESTART_GROWTH, s->residual))
            s->momentum_sweeps = NO_SWEEP;
        else if (s->momentum_sweeps < MAX_MOMENTUM_SWEEPS)
            s->momentum_sweeps++;
    }
    return false;
}


/* ---- The method -----------------------------------------------------------
 * Section 4.3, with the options that section 5.1 proposes. */

/* Returns the merit.  If it is the least so far, saves the multipliers. */
static vsp__wide save_if_best(const island_search *s, vsp__wide *best)
{
    vsp__wide now = vsp__velocity_merit(s->world, s->span);

    if (w_less(now, *best)) {
        *best = now;
        visit_all(s, VISIT_SAVE_BEST);
    }
    return now;
}

/* Restores the multipliers with the least merit.  Returns this merit. */
static vsp__wide take_best(const island_search *s, vsp__wide best)
{
    visit_all(s, VISIT_RESTORE_BEST);
    find_velocities(s);
    return best;
}

/* Searches: solves the equations of the active rows and projects; repeats while
 * that reduces the merit, and in any case if the first search reached its
 * accuracy.  Returns the merit of the last search.  In fixed point a search
 * that made the merit far worse is undone: after saturation velocities no
 * longer match multipliers, and sweeps do not repair that. */
static vsp__wide search_subspace(island_search *s, vsp__wide now,
                                 vsp__wide *best)
{
    bool is_staggered = (params_of(s)->search & VSP_SEARCH_STAGGERED) != 0;
    vsp__wide start = now;
    uint32_t k;

    for (k = 0; k < params_of(s)->search_tries; k++) {
        vsp__wide before = now;
        bool is_found;

        s->kinds = !is_staggered ? ROWS_ALL : k % 2 ? ROWS_TANGENT : ROW_NORMAL;
        visit_all(s, VISIT_BEGIN_TRY);
        choose_active(s);
        is_found = run_conjugate_gradients(s);
        project_multipliers(s);
        now = save_if_best(s, best);
        if ((k > 0 || !is_found) && !w_less(now, before))
            break;
    }
    return VSP_FIXED && w_less(start, w_mul(w_of_unit(SATURATED), now))
               ? take_best(s, *best)
               : now;
}

/* Whether the island contains a web.  Sweeps solve a web at once, and in fixed
 * point its multipliers may be too large for searches and momentum. */
static bool has_web(const vsp_world *world, const vsp__span *island)
{
    uint32_t i;

    for (i = island->first_joint; i < island->last_joint; i++)
        if (vsp__is_in_web(world, vsp__joint_pool_of(world)->order[i]))
            return true;
    return false;
}

static void begin_island_search(vsp_world *world, const vsp__span *island,
                                island_search *s)
{
    vsp__zero_bytes(s, sizeof *s);
    s->world = world;
    s->solve = vsp__solve_of(world);
    s->subspace = vsp__subspace_scratch_of(world);
    s->span = island;
    s->bodies = &s->solve->stack_order[island->first_body];
    s->end = &s->solve->stack_order[island->last_body];
    s->momentum_sweeps = FIRST_SWEEP;
    s->hold = r_min(VSP__UNIT(1.0),
                    r_add(HOLD_SPRING, world->params.friction_damping));
}

vsp__wide vsp__solve_subspace(vsp_world *world, const vsp__span *island)
{
    const vsp__params *p = &world->params;
    uint32_t first = island->first_body, last = island->last_body;
    vsp__wide best = w_read(VSP_MAX_FORCE), now, before;
    uint32_t need = (last - first) * STEPS_A_BODY, round;
    uint32_t earned = need > p->search_steps ? 0 : PLENTY_OF_SWEEPS;
    vsp__num tolerance = vsp__sweep_tolerance(world);
    vsp__wide done = w_of_rate(tolerance);
    island_search s;

    if (has_web(world, island)) {
        vsp__sweep_rows(world, island, p->rounds * p->sweeps, tolerance);
        return vsp__velocity_merit(world, island);
    }
    done = w_mul(w_mul(done, done),
                 w_mul(w_of_real(DONE_TOLERANCES),
                       w_of_real(r_from_int((int32_t)(last - first)))));
    begin_island_search(world, island, &s);
    check_start(&s);
    now = vsp__velocity_merit(world, island);
    visit_all(&s, VISIT_SAVE_BEST);
    for (round = 1; round <= p->rounds; round++) {
        bool is_done = sweep_round(&s);

        before = now;
        now = save_if_best(&s, &best);
        earned += p->sweeps;
        s.steps_left = earned / SWEEPS_A_STEP;
        if (is_done || !w_less(VSP__W_ZERO, now)) /* eq. 25 */
            break;
        if (s.steps_left < need || w_less(now, done) ||
            w_less(now, w_mul(w_of_unit(SWEEPS_DO_WELL), before)))
            continue;
        before = now;
        now = search_subspace(&s, now, &best);
        earned = w_less(best, w_mul(w_of_unit(SEARCH_FAILED), before))
                     ? PLENTY_OF_SWEEPS
                     : 0;
        s.momentum_sweeps = NO_SWEEP;
    }
    /* best is less, or now is NaN; in fixed point velocities and multipliers no
     * longer match after momentum */
    if (VSP_FIXED || w_bits(now) != w_bits(best))
        best = take_best(&s, best);
    if (!is_passive(&s) ||
        !has_gained(energy_of(&s, false), s.cold, allowed_gain(&s)))
        return best;
    start_cold(&s);
    vsp__sweep_rows(world, island, p->rounds * p->sweeps, tolerance);
    return vsp__velocity_merit(world, island);
}

#endif /* VSP_SUBSPACE */
