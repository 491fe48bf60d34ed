/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Projected Gauss-Seidel sweeps over the rows of contacts, eq. 28-33.  Instead
 * of the rows of A, eq. 31-32 use the velocities u, which change together with
 * the multipliers, eq. 33.  The velocities of a manifold's bodies are converted
 * to its axes once; its points are swept there. */

#include "equations.h"

/* Adds the motion of both surfaces to the relative velocity of the centres. */
static void add_belts(const vsp__manifold_view *s, vsp__v3 *e)
{
    const vsp__v3 center = {0, 0, 0};
    vsp__v3 belt;
    uint32_t i;

    vsp__belt_velocity(s->world, s->m, &belt);
    *e = v3_saturate(*e);
    v3_add_in(e, &belt);
    for (i = 0; i < 2; i++) {
        vsp__num turn = vsp__belt_turn(s->world, s->m, i);

        if (turn != 0)
            vsp__add_belt_turn(s->world, s->m, i, turn, &center, e);
    }
}

/* Adds the turns of both surfaces about the normal to the spins of their
 * bodies.  Only changes of e and w are given to the bodies. */
static void add_turns_of_belts(const vsp__manifold_view *s,
                               vsp__local_velocity *l)
{
    uint32_t i;

    for (i = 0; i < 2; i++) {
        vsp__num turn = vsp__belt_turn(s->world, s->m, i);

        if (turn != 0)
            l->w0[i].x = r_add(l->w0[i].x, turn);
    }
}

/* Fills e0 and w0 from velocities u of all bodies. */
static inline void read_local_start(const vsp__manifold_view *s,
                                    const vsp__velocity *u,
                                    vsp__local_velocity *l)
{
    const vsp__velocity *a = &u[s->m->body[0]], *b = &u[s->m->body[1]];
    bool has_belts = vsp__has_belts(s->world);
    vsp__v3 e;

    v3_difference_to(&b->linear, &a->linear, &e);
    if (has_belts)
        add_belts(s, &e);
    vsp__enter_block(&s->block->axes, &e, a, b, l);
    if (has_belts)
        add_turns_of_belts(s, l);
}

void vsp__load_local_velocity(const vsp__manifold_view *s,
                              const vsp__velocity *u, vsp__local_velocity *l)
{
    read_local_start(s, u, l);
    vsp__begin_local(l, vsp__get_turn_scale(s->block), l);
}

/* Returns how a manifold's changes are rounded.  The sweeps of a step, and the
 * manifolds of a body, have different cuts, or their errors would add up. */
static uint32_t row_cut_of(const vsp__manifold_view *s)
{
    const vsp_world *world = s->world;

    return vsp__even_cut(world->params.tick + world->stats.sweep_count +
                             (uint32_t)(s->m - world->manifolds),
                         VSP__EVEN_ROWS);
}

void vsp__store_local_velocity(const vsp__manifold_view *s,
                               const vsp__local_velocity *l,
                               vsp__velocity *restrict u)
{
    const vsp__mat3 *axes = &s->block->axes;
    const vsp__num *share = s->block->share;
    uint32_t cut = row_cut_of(s);
    uint32_t i, halves;
    vsp__v3 e;

    vsp__change_of_e(axes, l, cut, &e);
    halves = vsp__find_halves(&u[s->m->body[1]].linear, &e);
    for (i = 0; i < 2; i++)
        if (share[i] != 0)
            vsp__give_change(axes, l, &e, i, share[i], halves, cut,
                             &u[s->m->body[i]]);
}

/* Sweeps a point whose tangents are clamped to a cone.  Returns the largest
 * change, or `largest`. */
static inline vsp__num sweep_cone(vsp__local_velocity *l,
                                  const vsp__point_rows *row, vsp__num friction,
                                  uint32_t tick, vsp__manifold_point *p,
                                  vsp__num largest)
{
    vsp__num t[2], d = vsp__sweep_to_stick(l, row, p, t);

    largest = r_max_size(largest, d);
    vsp__clamp_to_disc(
        vsp__cone_limit(friction, p, vsp__even_cut(tick, VSP__EVEN_CONE)),
        vsp__even_cut(tick, VSP__EVEN_SLIDE), &t[0], &t[1]);
    return r_largest(largest, vsp__sweep_tangents(l, row, t, p));
}

/* Sweeps a point with a friction pyramid: one tangent after the other, each
 * within its own bounds, eq. 29-30. */
static inline vsp__num sweep_pyramid(vsp__local_velocity *l,
                                     const vsp__point_rows *row,
                                     vsp__num friction, uint32_t tick,
                                     vsp__manifold_point *p, vsp__num largest)
{
    vsp__num *x = p->multiplier.row, limit;
    vsp__num d = vsp__sweep_normal(l, row, p);
    uint32_t k;

    vsp__push_axis(l, row, 0, d);
    largest = r_max_size(largest, d);
    limit = vsp__cone_limit(friction, p, vsp__even_cut(tick, VSP__EVEN_CONE));
    for (k = 1; k < 3; k++) {
        vsp__num to;
        vsp__v3 u;

        vsp__point_velocity(l, row, &u);
        to = r_step(x[k], k == 1 ? u.y : u.z, row->stride[k]);
        d = vsp__change(&x[k], r_clamp(to, -limit, limit));
        vsp__push_axis(l, row, k, d);
        largest = r_max_size(largest, d);
    }
    return largest;
}

/* Sweeps the points of a manifold with cones.  Velocities in fixed point are
 * too large for registers.  Returns the largest change. */
static inline vsp__num sweep_cones(const vsp__manifold_view *s,
                                   vsp__local_velocity *velocities)
{
    vsp__num largest = 0;
    vsp__local_velocity copy, *l = velocities;
    uint32_t j, count = s->m->point_count, tick = s->world->params.tick;

    if (VSP__COPIES_SWEPT && !VSP_FIXED)
        l = &copy;
    vsp__begin_local(velocities, vsp__get_turn_scale(s->block), l);
    for (j = 0; j < count; j++)
        largest = sweep_cone(l, s->rows + j, s->m->friction, tick,
                             s->points + j, largest);
    velocities->e = l->e;
    velocities->w[0] = l->w[0];
    velocities->w[1] = l->w[1];
    return largest;
}

static vsp__num sweep_pyramids(const vsp__manifold_view *s,
                               vsp__local_velocity *l)
{
    vsp__num largest = 0;
    uint32_t j, tick = s->world->params.tick;

    vsp__begin_local(l, vsp__get_turn_scale(s->block), l);
    for (j = 0; j < s->m->point_count; j++)
        largest = sweep_pyramid(l, s->rows + j, s->m->friction, tick,
                                s->points + j, largest);
    return largest;
}

static vsp__num sweep_manifold(const vsp__manifold_view *s)
{
    vsp__num largest;
    vsp__local_velocity l;

    read_local_start(s, vsp__solve_of(s->world)->velocity, &l);
    largest = vsp__has_cones(s->world) ? sweep_cones(s, &l)
                                       : sweep_pyramids(s, &l);
    if (VSP_ROLLING && vsp__rolls(s->m))
        largest = r_largest(largest, vsp__sweep_roll(s, &l));
    vsp__store_local_velocity(s, &l, vsp__solve_of(s->world)->velocity);
    return largest;
}

#if VSP_WORKERS

typedef struct level_sweep { /* a sweep by levels */
    vsp_world *world;
    const vsp__span *span;
    uint32_t start; /* of the level */
    vsp__most changes;
    vsp__sums rows;
} level_sweep;

/* A vsp__do_piece of a level. */
static void sweep_piece_of_level(void *work, uint32_t piece, uint32_t first,
                                 uint32_t last)
{
    level_sweep *job = (level_sweep *)work;
    const uint16_t *order = vsp__crew_of(job->world)->level_order + job->start;
    vsp__num largest = job->changes.of[piece];
    uint32_t i, rows = 0;

    for (i = first; i < last; i++) {
        vsp__manifold_view s;

        vsp__view_by_place(job->world, job->span, order[i], &s);
        largest = r_largest(largest, sweep_manifold(&s));
        rows += 3u * vsp__row_points(s.m);
    }
    job->changes.of[piece] = largest;
    job->rows.of[piece] += rows;
}

/* Manifolds of a level that are worth a piece of work. */
#define LEAST_OF_LEVEL VSP__LEAST(12u)

/* sweep_manifolds, shared among workers */
static vsp__num sweep_levels(vsp_world *world, const vsp__span *span)
{
    level_sweep job;

    vsp__zero_bytes(&job, sizeof job);
    job.world = world;
    job.span = span;
    vsp__share_levels(world, sweep_piece_of_level, VSP__LEVEL_MANIFOLDS, &job,
                      &job.start, LEAST_OF_LEVEL);
    world->stats.row_updates += vsp__sum_of_all(&job.rows);
    return vsp__most_of_all(&job.changes);
}

#else

static vsp__num sweep_levels(vsp_world *world, const vsp__span *span)
{
    (void)world;
    (void)span;
    return 0;
}

#endif

/* Sweeps the manifolds of a span once.  Returns the largest change of a
 * multiplier, m/s. */
static vsp__num sweep_manifolds(vsp_world *world, const vsp__span *span)
{
    vsp__num largest = 0;
    uint32_t i, rows = 0;
    vsp__manifold_view s;

    if (VSP_WORKERS && vsp__find_levels(world, span))
        return sweep_levels(world, span);
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        if (VSP_SUPPORTS && vsp__is_frozen(&s))
            continue;
        largest = r_largest(largest, sweep_manifold(&s));
        rows += 3u * vsp__row_points(s.m);
    }
    world->stats.row_updates += rows;
    return largest;
}

void vsp__push_point_rows(vsp__local_velocity *l, const vsp__point_rows *row,
                          const vsp__num x[3])
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        vsp__push_axis(l, row, k, x[k]);
}

/* Eq. 45c-d: each sweep changes multipliers and velocities together.  Many
 * solves need only one sweep, so lanes are filled for the second or, if more
 * than one sweep of the last solve was above the tolerance, for the first. */
vsp__num vsp__sweep_rows(vsp_world *world, const vsp__span *span,
                         uint32_t count, vsp__num tolerance)
{
    vsp__num largest = 0;
    bool uses_lanes = false;
    uint32_t wide = VSP__LANE_COUNT > 1 && !vsp__has_supports(world)
                        ? vsp__first_lane_sweep(world)
                        : count,
             k;

    for (k = 0; k < count; k++) {
        if (VSP__LANE_COUNT > 1 && k == wide)
            uses_lanes = vsp__fill_lanes(world, span);
        if (VSP_RANGES)
            vsp__sweep_webs(world, span, vsp__solve_of(world)->velocity, true);
        largest = VSP_JOINTS ? vsp__sweep_joints(world, span) : 0;
        largest = r_largest(largest, VSP__LANE_COUNT > 1 && uses_lanes
                                         ? vsp__sweep_lanes(world, false)
                                         : sweep_manifolds(world, span));
        if (VSP_HINGE_LOOPS)
            vsp__project_hinge_loops(world, span);
        vsp__apply_all_locks(world, vsp__solve_of(world)->velocity);
        if (VSP_SUPPORTS && vsp__has_supports(world))
            vsp__hold_supported(world);
        world->stats.sweep_count++;
        if (largest < tolerance)
            break;
    }
    if (VSP__LANE_COUNT > 1)
        vsp__unload_lanes(world, span, uses_lanes, k);
    world->stats.residual = largest;
    return largest;
}
