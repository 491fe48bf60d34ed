/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Biases: the numbers that rows of normals add to J u, from gaps and the
 * velocities before the step.  Restitution, eq. 21-22, demands that solids
 * separate at a point; a gap wider than touching lets them approach.
 *
 * Solids that bounce must keep their speed until they touch, so their gap must
 * not limit it.  If the speed before the step closes the gap within the step,
 * the point bounces at once.  If not, the row is free: if forces close the
 * gap, the solids overlap, and bounce in the next step.  Until then this
 * overlap is not corrected: a correction would lift a ball before it bounces,
 * and add energy. */

#include "solve.h"

/* The impact score of an island: +12 for a point that approaches or separates
 * faster than gravity accelerates a body in a step, -1 for any other.  Above
 * 700, more than (n + 700) / 13 of the n points are fast, and passing loads
 * down does not help.  Islands of fewer than 59 points cannot reach that score,
 * so loads are still carried in a short stack that was dropped. */
#define IMPACT_WEIGHT 12
#define MAX_IMPACT_SCORE 700

/* approach speed of the two sides of a point before the step, m/s */
static vsp__num closing_speed_of(const vsp__manifold_view *s,
                                 const vsp__point_rows *row)
{
    vsp__v3 u;

    vsp__sliding_velocity(s, row, &u);
    return r_neg(u3_dot_at(&u, &s->m->normal));
}

/* Whether a point collides: its approach speed is above the speed that gravity
 * adds in a step, and closes its gap within the step. */
static bool collides(const vsp_world *world, const vsp__manifold_point *p,
                     vsp__num approach)
{
    return approach > world->gravity_speed &&
           r_of_rate(approach, world->params.dt) > p->gap;
}

/* Eq. 21: the separation speed of a colliding point from its approach speed
 * before the step. */
static vsp__num bounce_of(const vsp_world *world, const vsp__manifold *m,
                          vsp__num approach)
{
    return r_mul(vsp__restitution_of(world, m), approach);
}

/* m/s: the bias of a free row: no approach is as fast */
#define FREE_BIAS VSP__RATE(VSP_FIXED ? 4e3 : 1e5)

/* The bias of a point that does not bounce: its open gap may close in a step.
 * A point that approaches faster than gravity makes it in a step may close its
 * whole gap, others only down to the width of touching. */
static vsp__num gap_bias(const vsp_world *world, vsp__num gap,
                         vsp__num approach)
{
    vsp__num open = gap;

    if (!(approach > world->gravity_speed))
        open = r_sub(gap, vsp__touch_width(world));
    return open > 0 ? rate_over(open, world->params.dt) : 0;
}

/* The bias of a point with this approach speed before the step. */
static vsp__num bias_of(const vsp_world *world, const vsp__manifold *m,
                        const vsp__manifold_point *p, vsp__num approach)
{
    vsp__num bounce = approach > world->gravity_speed
                          ? bounce_of(world, m, approach)
                          : 0;

    if (!(bounce > 0))
        return gap_bias(world, p->gap, approach);
    return collides(world, p, approach) ? r_neg(bounce) : FREE_BIAS;
}

/* Points that collide faster than gravity makes in this many steps are an
 * impact.  Slower ones are a pile that settles. */
#define IMPACT_STEPS VSP__REAL(2.0)

/* Class of motion of a point with this approach speed.  Floats have no SLOW. */
static uint32_t stir_of(const vsp_world *world, const vsp__manifold_point *p,
                        vsp__num approach)
{
    if (collides(world, p, approach))
        return approach > r_mul(IMPACT_STEPS, world->gravity_speed)
                   ? VSP__STIR_IMPACT
                   : VSP__STIR_FAST;
    return VSP_FIXED && p->gap <= vsp__touch_width(world) &&
                   r_abs(approach) >
                       u_mul(VSP__NOISE_PULL, world->gravity_speed)
               ? VSP__STIR_SLOW
               : VSP__STIR_NONE;
}

/* Fills the arms and biases of a manifold.  Returns what it adds to the impact
 * score of its island, and raises *stir to that of its fastest point. */
static int32_t fill_biases(const vsp_world *world, const vsp__manifold_view *s,
                           uint32_t *stir)
{
    int32_t impact_score = 0;
    uint32_t j;
    bool is_seam = VSP_SEAMS && vsp__has_seams(world) && vsp__is_seam(s);

    if (is_seam)
        s->m->flags |= VSP__SEAM;
    vsp__find_arms(s);
    for (j = 0; j < s->m->point_count; j++) {
        vsp__manifold_point *p = s->points + j;
        vsp__num approach = closing_speed_of(s, s->rows + j);

        impact_score += r_abs(approach) > world->gravity_speed ? IMPACT_WEIGHT
                                                               : -1;
        if (!is_seam && stir_of(world, p, approach) > *stir)
            *stir = stir_of(world, p, approach);
        p->bias = is_seam ? FREE_BIAS : bias_of(world, s->m, p, approach);
        if (p->bias == FREE_BIAS)
            vsp__zero_bytes(p->multiplier.impulse,
                            sizeof p->multiplier.impulse);
    }
    return impact_score;
}

/* Adds to the impact score of a manifold's island. */
static void add_score(vsp_world *world, const vsp__manifold *m, int32_t score)
{
    vsp__solve_of(world)->pass[vsp__manifold_island(world, m)].impact_score +=
        score;
}

/* Workers keep the score of each manifold, as two workers could add to the
 * score of one island at the same time; add_kept_scores then adds all. */
#if VSP_WORKERS
static void take_score(vsp_world *world, uint32_t i, int32_t score)
{
    if (vsp__has_workers(world))
        vsp__crew_of(world)->score[i] = (int8_t)score;
    else
        add_score(world, world->manifolds + i, score);
}

static void add_kept_scores(vsp_world *world)
{
    uint32_t i;

    if (!VSP_CARRY || !vsp__has_workers(world))
        return;
    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++)
        add_score(world, world->manifolds + i, vsp__crew_of(world)->score[i]);
}
#else
static void take_score(vsp_world *world, uint32_t i, int32_t score)
{
    add_score(world, world->manifolds + i, score);
}

static void add_kept_scores(vsp_world *world)
{
    (void)world;
}
#endif

typedef struct bias_work { /* the biases of all manifolds */
    vsp_world *world;
    vsp__sums stir; /* the largest of each piece */
} bias_work;

/* A vsp__do_piece: fills the biases of manifolds of the solved list. */
static void fill_bias_piece(void *work, uint32_t piece, uint32_t first,
                            uint32_t last)
{
    bias_work *job = (bias_work *)work;
    uint32_t stir = VSP__STIR_NONE;
    vsp__manifold_view s;

    for (; first < last; first++) {
        int32_t score;

        vsp__view_by_index(job->world, VSP__CONTACTS_SOLVED, first, &s);
        score = fill_biases(job->world, &s, &stir);
        if (VSP_CARRY)
            take_score(job->world, first, score);
    }
    job->stir.of[piece] = stir;
}

/* Manifolds that are worth a piece of work. */
#define LEAST_BIASES VSP__LEAST(32u)

/* Constraints become J u + bias >= 0; b of eq. 20 is J u without multipliers,
 * plus this bias: that of eq. 22 for a bounce, gap_bias for a point that does
 * not bounce, and FREE_BIAS for a point of a seam or one that bounces in the
 * next step. */
uint32_t vsp__find_biases(vsp_world *world)
{
    vsp__body_pass *pass = vsp__solve_of(world)->pass;
    uint32_t count = world->contacts[VSP__CONTACTS_SOLVED].manifold_count, i;
    uint32_t stir = VSP__STIR_NONE;
    bias_work job;

    if (VSP_CARRY)
        vsp__zero_bytes(pass, world->body_limit * sizeof *pass);
    job.world = world;
    vsp__clear_sums(&job.stir);
    vsp__share_work(world, fill_bias_piece, &job, count, LEAST_BIASES);
    add_kept_scores(world);
    for (i = 0; VSP_CARRY && i < count; i++) {
        vsp__manifold *m = world->manifolds + i;

        if (pass[vsp__manifold_island(world, m)].impact_score >
                MAX_IMPACT_SCORE ||
            vsp__is_unmoved(world, m, 0) || vsp__is_unmoved(world, m, 1))
            m->flags |= VSP__SWEEP_ONLY;
    }
    for (i = 0; i < VSP__MOST_PIECES; i++)
        if (job.stir.of[i] > stir)
            stir = job.stir.of[i];
    return stir;
}

/* Whether the row of a point stopped solids that should bounce.  Its bias let
 * them approach by more than the width of touching, and its multiplier removed
 * more speed than gravity adds in two steps. */
static bool holds_bounce(const vsp__manifold_view *s,
                         const vsp__manifold_point *p)
{
    const vsp_world *world = s->world;

    return p->bias > 0 &&
           r_of_rate(p->bias, world->params.dt) > vsp__touch_width(world) &&
           p->multiplier.row[0] > r_mul(VSP__REAL(2.0), world->gravity_speed) &&
           bounce_of(world, s->m, VSP__RATE(1.0)) > 0;
}

/* Frees the rows of a manifold's points that stop a bounce, and undoes their
 * impulses.  Returns whether there are such points. */
static bool free_points(const vsp__manifold_view *s)
{
    bool is_any = false;
    uint32_t j, k;
    vsp__local_velocity l;

    for (j = 0; j < s->m->point_count; j++) {
        vsp__manifold_point *p = s->points + j;
        vsp__num back[3];

        if (!holds_bounce(s, p))
            continue;
        if (!is_any)
            vsp__load_local_velocity(s, vsp__solve_of(s->world)->velocity, &l);
        is_any = true;
        p->bias = FREE_BIAS;
        for (k = 0; k < 3; k++) {
            back[k] = r_neg(p->multiplier.row[k]);
            p->multiplier.row[k] = 0;
        }
        /* cppcheck-suppress uninitvar */
        vsp__push_point_rows(&l, s->rows + j, back);
    }
    if (is_any)
        vsp__store_local_velocity(s, &l, vsp__solve_of(s->world)->velocity);
    return is_any;
}

typedef struct bounce_work { /* a search for points that hold a bounce */
    vsp_world *world;
    const vsp__span *span;
    vsp__sums held;
} bounce_work;

/* Manifolds that are worth a piece of work. */
#define LEAST_BOUNCES VSP__LEAST(128u)

/* A vsp__do_piece: counts points of a span that hold a bounce. */
static void count_piece(void *work, uint32_t piece, uint32_t first,
                        uint32_t last)
{
    bounce_work *job = (bounce_work *)work;
    vsp__span part = *job->span;
    uint32_t i, j;
    vsp__manifold_view s;

    part.last = part.first + last;
    for (i = part.first + first; vsp__view_manifold(job->world, &part, i, &s);
         i++)
        for (j = 0; j < s.m->point_count; j++)
            job->held.of[piece] += holds_bounce(&s, s.points + j);
}

/* Whether the row of some point of a span stopped solids that should bounce. */
static bool is_any_held(vsp_world *world, const vsp__span *span)
{
    bounce_work job;

    vsp__zero_bytes(&job, sizeof job);
    job.world = world;
    job.span = span;
    vsp__share_work(world, count_piece, &job, span->last - span->first,
                    LEAST_BOUNCES);
    return vsp__sum_of_all(&job.held) > 0;
}

bool vsp__free_bounces(vsp_world *world, const vsp__span *span)
{
    bool is_any = false;
    uint32_t i;
    vsp__manifold_view s;

    if (vsp__has_workers(world) && !is_any_held(world, span))
        return false;
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        is_any = free_points(&s) || is_any;
    return is_any;
}
