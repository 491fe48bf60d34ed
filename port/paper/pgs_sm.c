/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: rows, the course, sweeps, index sets, the reduced problem,
 * projection, the method. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sm_row.h"

#define MERIT_DONE 1e-15    /* epsilon_abs */
#define RESIDUAL_DONE 1e-15 /* of conjugate gradients, m/s */
#define STALL 1e-3          /* epsilon_rel */

/* A direction along which A is less than this fraction of its mean diagonal is
 * rounding: A does not determine multipliers along it. */
#define SINGULAR 1e-13

/* of a short search */
#define SHORT_ACCURACY 0.01
#define SHORT_STEPS 60

/* springs that hold multipliers where a search began, as parts of the
 * diagonal */
#define CONTACT_SPRING 1e-4
#define JOINT_SPRING 1e-5

/* of momentum, as in the engine */
#define MOMENTUM_START 2
#define MOST_MOMENTUM 32
#define RESTART_GROWTH 0.2
#define RESTARTED (-1)
#define FIRST_SWEEP (-3)

/* kinds of rows; NORMALS are also those of hinges */
enum { NORMALS = 1, FRICTION = 2, ALL_KINDS = 3 };

/* index set of a row; FIXED: of a kind that is not solved now */
typedef enum member { ACTIVE, LOWER, UPPER, FIXED } member;

static struct {
    const sm_problem *problem;
    const sm_setting *setting;
    sm_course *course;
    int kinds;             /* rows that are solved now */
    double x[SM_MAX_ROWS]; /* lambda */
    double v[SM_MAX_BODIES * 6];
    double work;
    double psi; /* of x */
    member set[SM_MAX_ROWS];
    int active[SM_MAX_ROWS];
    int active_count;
    double bound[SM_MAX_ROWS]; /* of friction, after the last sweep */
    double best_x[SM_MAX_ROWS];
    double last_x[SM_MAX_ROWS]; /* of momentum */
    double last_v[SM_MAX_BODIES * 6];
    int momentum;    /* sweeps since a restart */
    double residual; /* largest change of the last sweep, m/s */
    double mean;     /* of the diagonal of A */
} s;

sm_setting sm_literal(void)
{
    sm_setting setting;

    memset(&setting, 0, sizeof setting);
    setting.sweeps = 25;
    setting.searches = 5;
    setting.most_work = 1500;
    setting.stop = SM_STOP_MERIT;
    return setting;
}

sm_setting sm_plain(void)
{
    sm_setting setting = sm_literal();

    setting.searches = 0;
    setting.stop = SM_STOP_NEVER;
    return setting;
}

sm_setting sm_ours(bool has_momentum)
{
    sm_setting setting = sm_literal();

    setting.searches = 2;
    setting.sets = SM_BY_STEP;
    setting.keeps_best = true;
    setting.precondition = true;
    setting.is_short = true;
    setting.has_springs = true;
    setting.stops_at_pulls = true;
    setting.has_momentum = has_momentum;
    return setting;
}


/* ---- Rows ---------------------------------------------------------------- */

static int kind_of(const sm_row *row)
{
    return row->normal >= 0 ? FRICTION : NORMALS;
}

/* As sm_bounds; with lazy bounds those of the last sweep. */
static void own_bounds(int i, double *low, double *high)
{
    sm_bounds(s.problem, i, s.x, low, high);
    if (s.setting->is_lazy && s.problem->rows[i].normal >= 0) {
        *high = s.bound[i];
        *low = -*high;
    }
}

static void find_velocities(void)
{
    sm_velocities(s.problem, s.x, s.v);
}


/* ---- The course ---------------------------------------------------------- */

/* Adds a point to the course. */
static void record(void)
{
    sm_course *to = s.course;
    sm_point now;

    sm_merit(s.problem, s.x, s.v, &now);
    now.work = s.work;
    s.psi = now.psi;
    if (to->count < SM_MAX_POINTS)
        to->points[to->count++] = now;
    if (to->count == 1 || now.psi < to->best.psi) {
        to->best = now;
        memcpy(s.best_x, s.x, sizeof s.x);
    }
}


/* ---- Sweeps -------------------------------------------------------------- */

/* Adds beta times the change since the last sweep. */
static void add_momentum(double *now, double *last, int count, double beta)
{
    for (int i = 0; i < count; i++) {
        double x = now[i];

        if (s.momentum > 0)
            now[i] += beta * (x - last[i]);
        last[i] = x;
    }
}

static void begin_sweep(void)
{
    double beta = (double)(s.momentum + MOMENTUM_START) /
                  (s.momentum + MOMENTUM_START + 3);

    if (!s.setting->has_momentum || s.momentum < 0)
        return;
    add_momentum(s.x, s.last_x, s.problem->row_count, beta);
    add_momentum(s.v, s.last_v, 6 * s.problem->body_count, beta);
}

static void end_sweep(double before)
{
    if (s.momentum > 0 && s.residual - before > RESTART_GROWTH * s.residual)
        s.momentum = RESTARTED;
    else if (s.momentum < MOST_MOMENTUM)
        s.momentum++;
}

/* Eq. 17, with bounds of the present multipliers. */
static void sweep(void)
{
    double before = s.residual;

    begin_sweep();
    s.residual = 0;
    for (int i = 0; i < s.problem->row_count; i++) {
        const sm_row *row = &s.problem->rows[i];
        double y, x, low, high;

        if (!(kind_of(row) & s.kinds))
            continue;
        y = sm_motion(row, s.v) + row->bias;
        sm_bounds(s.problem, i, s.x, &low, &high);
        x = fmin(high, fmax(low, s.x[i] - y / row->diagonal));
        s.residual = fmax(s.residual, row->diagonal * fabs(x - s.x[i]));
        sm_push(row, x - s.x[i], s.v);
        s.x[i] = x;
        s.bound[i] = high;
    }
    end_sweep(before);
    s.work += 1;
    record();
}

/* k_pgs sweeps, or more until one changes psi by little. */
static void run_sweeps(void)
{
    double stall = s.setting->pgs_stall, before = HUGE_VAL;

    for (int k = 0; s.work < s.setting->most_work; k++) {
        if (k >= s.setting->sweeps &&
            !(stall > 0 && fabs(before - s.psi) > stall * before))
            break;
        before = s.psi;
        sweep();
    }
}


/* ---- Index sets ---------------------------------------------------------- */

static member member_by_multiplier(int i) /* eq. 19 */
{
    double low, high;

    own_bounds(i, &low, &high);
    return !(s.x[i] > low) ? LOWER : !(s.x[i] < high) ? UPPER : ACTIVE;
}

/* A row without an upper bound cannot be at it. */
static member member_by_velocity(int i) /* eq. 18 */
{
    const sm_row *row = &s.problem->rows[i];
    double y = sm_motion(row, s.v) + row->bias;

    if (row->is_equality)
        return ACTIVE;
    if (y > SM_STILL)
        return LOWER;
    return y < -SM_STILL && row->normal >= 0 ? UPPER : ACTIVE;
}

static member member_by_step(int i)
{
    const sm_row *row = &s.problem->rows[i];
    double y = sm_motion(row, s.v) + row->bias;
    double to = s.x[i] - y / row->diagonal, low, high;

    own_bounds(i, &low, &high);
    return !(to > low) ? LOWER : !(to < high) ? UPPER : ACTIVE;
}

static member member_of(int i)
{
    if (!(kind_of(&s.problem->rows[i]) & s.kinds))
        return FIXED;
    switch (s.setting->sets) {
    case SM_BY_VELOCITY:
        return member_by_velocity(i);
    case SM_BY_STEP:
        return member_by_step(i);
    default:
        return member_by_multiplier(i);
    }
}

/* Determines the index sets.  Returns whether the active set changed. */
static bool choose_sets(void)
{
    bool is_changed = false;

    s.active_count = 0;
    for (int i = 0; i < s.problem->row_count; i++) {
        member now = member_of(i);

        is_changed = is_changed || (now == ACTIVE) != (s.set[i] == ACTIVE);
        s.set[i] = now;
        if (now == ACTIVE)
            s.active[s.active_count++] = i;
    }
    return is_changed;
}

/* Moves the multiplier of a row of L or U to its bound. */
static void take_bound(int i)
{
    double low, high;

    own_bounds(i, &low, &high);
    if (s.setting->sets == SM_BY_STEP)
        return; /* projection brings it within its bounds */
    if (s.set[i] == LOWER)
        s.x[i] = low;
    else if (s.set[i] == UPPER)
        s.x[i] = high;
}


/* ---- The reduced problem ------------------------------------------------- */

/* What is added to the diagonal of A_AA. */
static double damping_of(int i)
{
    const sm_row *row = &s.problem->rows[i];

    if (s.setting->has_springs)
        return row->diagonal *
               (row->is_equality ? JOINT_SPRING : CONTACT_SPRING);
    if (s.setting->damping == SM_DAMP_ALL ||
        (s.setting->damping == SM_DAMP_FRICTION &&
         s.problem->rows[i].normal >= 0))
        return s.setting->gamma * s.mean;
    return 0;
}

/* The residual of eq. 22 for an active row. */
static double residual_of(int i)
{
    const sm_row *row = &s.problem->rows[i];

    double y = sm_motion(row, s.v) + row->bias;

    return s.setting->has_springs ? -y : -y - damping_of(i) * s.x[i];
}

/* A_AA p for a direction p of the active rows. */
static void apply_matrix(const double *p, double *to)
{
    static double w[SM_MAX_BODIES * 6];

    memset(w, 0, (size_t)s.problem->body_count * 6 * sizeof *w);
    for (int k = 0; k < s.active_count; k++)
        sm_push(&s.problem->rows[s.active[k]], p[k], w);
    for (int k = 0; k < s.active_count; k++) {
        int i = s.active[k];

        to[k] = sm_motion(&s.problem->rows[i], w) + damping_of(i) * p[k];
    }
}

/* Writes the preconditioned residual, and returns r . z. */
static double precondition(const double *r, double *z)
{
    double sum = 0;

    for (int k = 0; k < s.active_count; k++) {
        z[k] = r[k];
        if (s.setting->precondition)
            z[k] /= s.problem->rows[s.active[k]].diagonal;
        sum += r[k] * z[k];
    }
    return sum;
}

static double dot(const double *a, const double *b)
{
    double sum = 0;

    for (int k = 0; k < s.active_count; k++)
        sum += a[k] * b[k];
    return sum;
}

static bool is_exact(const double *r, double now, double first)
{
    return s.setting->is_short ? !(now > SHORT_ACCURACY * first)
                               : sqrt(dot(r, r)) < RESIDUAL_DONE;
}

/* Returns the number of active normals and limits that pull. */
static int pulls(void)
{
    int count = 0;

    for (int k = 0; k < s.active_count; k++) {
        const sm_row *row = &s.problem->rows[s.active[k]];

        if (row->normal < 0 && !row->is_equality && s.x[s.active[k]] < 0)
            count++;
    }
    return count;
}

/* At most as many steps as there are variables. */
static void run_conjugate_gradients(double *r)
{
    static double z[SM_MAX_ROWS], p[SM_MAX_ROWS], q[SM_MAX_ROWS];
    int most = s.setting->is_short && s.active_count > SHORT_STEPS
                   ? SHORT_STEPS
                   : s.active_count;
    double now = precondition(r, z), first = now, step;

    memcpy(p, z, sizeof p);
    for (int n = 0; n < most && s.work < s.setting->most_work; n++) {
        double energy, before = now;

        if (is_exact(r, now, first))
            break;
        apply_matrix(p, q);
        s.work += (double)s.active_count / s.problem->row_count;
        energy = dot(p, q);
        if (!(energy > SINGULAR * s.mean * dot(p, p)))
            break;
        step = now / energy;
        for (int k = 0; k < s.active_count; k++) {
            s.x[s.active[k]] += step * p[k];
            r[k] -= step * q[k];
        }
        now = precondition(r, z);
        if (s.setting->stops_at_pulls && pulls() > 1)
            break;
        for (int k = 0; k < s.active_count; k++)
            p[k] = z[k] + now / before * p[k];
    }
}

/* Solves eq. 22 for the change of the active multipliers.  The pseudo inverse
 * counts as much as conjugate gradients with all of their steps. */
static void solve_reduced(void)
{
    static double r[SM_MAX_ROWS], change[SM_MAX_ROWS];
    static sm_spectrum spectrum;

    for (int i = 0; i < s.problem->row_count; i++)
        take_bound(i);
    find_velocities();
    for (int k = 0; k < s.active_count; k++)
        r[k] = residual_of(s.active[k]);
    if (!s.setting->is_svd) {
        run_conjugate_gradients(r);
    } else if (sm_pseudo_inverse(s.problem, s.active, s.active_count, r, change,
                                 &spectrum)) {
        for (int k = 0; k < s.active_count; k++)
            s.x[s.active[k]] += change[k];
        s.work += (double)s.active_count * s.active_count /
                  s.problem->row_count;
    }
    s.work += 1;
}


/* ---- Projection ---------------------------------------------------------- */

/* Lines 13 to 15: normals first, as bounds of friction depend on them. */
static void project(void)
{
    for (int kind = NORMALS; kind <= FRICTION; kind++)
        for (int i = 0; i < s.problem->row_count; i++) {
            double low, high;

            if (s.set[i] == FIXED || kind_of(&s.problem->rows[i]) != kind)
                continue;
            take_bound(i);
            own_bounds(i, &low, &high);
            s.x[i] = fmin(high, fmax(low, s.x[i])); /* eq. 24 */
        }
    find_velocities();
    s.work += 1;
}


/* ---- The method ---------------------------------------------------------- */

static bool is_done(double before, bool is_changed)
{
    switch (s.setting->stop) {
    case SM_STOP_MERIT:
        return s.psi < MERIT_DONE;
    case SM_STOP_SET:
        return !is_changed;
    case SM_STOP_STALL:
        return fabs(s.psi - before) < STALL * before;
    default:
        return false;
    }
}

/* Lines 6 to 19.  Returns whether the criterion was met. */
static bool search(void)
{
    for (int k = 0; k < s.setting->searches; k++) {
        double before = s.psi;

        if (s.work >= s.setting->most_work)
            return false;
        solve_reduced();
        project();
        record();
        s.course->searches++;
        s.course->active = s.active_count;
        if (before > DBL_MIN && before > MERIT_DONE)
            s.course->growth = fmax(s.course->growth, s.psi / before);
        if (is_done(before, choose_sets())) {
            s.course->is_stopped = true;
            return true;
        }
    }
    return false;
}

/* One turn: lines 2 to 19 for some kinds of rows. */
static bool run_turn(int kinds)
{
    double before = s.psi;

    s.kinds = kinds;
    run_sweeps();
    if (s.setting->searches == 0)
        return false;
    if (is_done(before, true)) {
        s.course->is_stopped = true;
        return true;
    }
    (void)choose_sets();
    s.momentum = RESTARTED;
    return search();
}

static double mean_diagonal(const sm_problem *problem)
{
    double sum = 0;

    for (int i = 0; i < problem->row_count; i++)
        sum += problem->rows[i].diagonal;
    return sum / problem->row_count;
}

void sm_solve(const sm_problem *problem, const sm_setting *setting,
              sm_course *course, double *lambda, double *velocity)
{
    bool is_over = problem->row_count == 0;
    int turn = 0;

    memset(&s, 0, sizeof s);
    memset(course, 0, sizeof *course);
    s.problem = problem;
    s.setting = setting;
    s.course = course;
    s.momentum = FIRST_SWEEP;
    s.psi = HUGE_VAL;
    s.mean = is_over ? 0 : mean_diagonal(problem);
    find_velocities();
    while (!is_over && s.work < setting->most_work) {
        int kinds = !setting->is_staggered ? ALL_KINDS
                    : turn % 2 == 0        ? NORMALS
                                           : FRICTION;

        is_over = run_turn(kinds);
        turn++;
    }
    if (setting->keeps_best) {
        memcpy(s.x, s.best_x, sizeof s.x);
        find_velocities();
    }
    memcpy(lambda, s.x, (size_t)problem->row_count * sizeof *lambda);
    memcpy(velocity, s.v, (size_t)problem->body_count * 6 * sizeof *velocity);
}
