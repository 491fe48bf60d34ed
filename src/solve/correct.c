/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The position problem, eq. 46: displacements that remove overlaps and errors
 * of joints, with normals only and without velocities.  An open gap may close,
 * but not more.  solve.saved holds the displacements.  In this order: rows,
 * sweeps, moving bodies, then the correction of a span. */

#include "equations.h"

/* The deepest overlap of a span, m.  The after list is not sorted yet. */
static vsp__num deepest_overlap(vsp_world *world, const vsp__span *span)
{
    vsp__num depth = 0;
    uint32_t i;
    vsp__manifold_view s;

    for (i = span->first; i < span->last; i++) {
        vsp__view_by_index(
            world, span->list,
            span->list == VSP__CONTACTS_SOLVED ? world->layer_order[i] : i, &s);
        depth = r_max(depth, r_neg(vsp__least_gap(&s)));
    }
    return depth;
}

/* The correction rows of a manifold's points. */
static vsp__correction_row *corrections_of(const vsp__manifold_view *s)
{
    return vsp__problem_of(s->world)->position.start.corrections +
           s->m->first_point;
}

/* Fills the correction rows of a manifold, eq. 46a. */
static void assemble_corrections(const vsp__span *span,
                                 const vsp__manifold_view *s)
{
    vsp__correction_row *corrections = corrections_of(s);
    const vsp__inverse_mass *inverse[2];
    vsp__num share[2];
    uint32_t i, j;

    vsp__inverse_masses_in(span, s, inverse);
    vsp__share_correction(s->world, s->m, inverse, share);
    for (j = 0; j < s->m->point_count; j++) {
        vsp__correction_row *row = &corrections[j];
        vsp__num diagonal = VSP__REAL(1.0);
        vsp__num part = vsp__turn_part(span, s, s->points + j);

        vsp__midpoint_arms(s->world, s->m, s->points + j, row->lever);
        for (i = 0; i < 2; i++)
            diagonal = r_add(
                diagonal, vsp__fill_lever(&s->m->normal, &inverse[i]->inertia,
                                          u_mul(part, share[i]), i, row));
        row->share = share[1];
        row->inv_diagonal = vsp__corrects_none(share[0], share[1])
                                ? 0
                                : vsp__reciprocal(
                                      r_max(VSP__REAL(1.0), diagonal));
        row->gap = vsp__gap_to_correct(s, s->points + j);
        row->multiplier = 0;
    }
}

/* Whether a sweep works on copies of displacements: also if other workers may
 * read those of fixated bodies, which stay. */
#define COPIES_SAVED (VSP__COPIES_SWEPT || VSP_WORKERS)

/* Sweeps a manifold once, eq. 46b.  Returns the largest correction, m. */
static vsp__num sweep_corrections(const vsp__span *span,
                                  const vsp__manifold_view *s)
{
    vsp__velocity *saved = vsp__solve_of(s->world)->saved;
    vsp__velocity *a = saved + s->m->body[0], *b = saved + s->m->body[1];
    vsp__velocity copy[2];
    vsp__v3 n = s->m->normal;
    vsp__correction_row *row = corrections_of(s),
                        *end = row + s->m->point_count;
    vsp__num largest = 0;

    if (COPIES_SAVED) {
        copy[0] = *a;
        copy[1] = *b;
        a = &copy[0];
        b = &copy[1];
    }
    while (row < end)
        largest = r_largest(largest, vsp__sweep_correction(&n, row++, a, b));
    if (!COPIES_SAVED)
        return largest;
    if (!VSP_WORKERS || vsp__is_free(s->world, span, s->m->body[0]))
        saved[s->m->body[0]] = copy[0];
    if (!VSP_WORKERS || vsp__is_free(s->world, span, s->m->body[1]))
        saved[s->m->body[1]] = copy[1];
    return largest;
}

/* A work on a span of which workers do pieces. */
typedef struct correction_work {
    vsp_world *world;
    const vsp__span *span;
    uint32_t start; /* of the level */
    vsp__most changes;
    vsp__sums rows;
} correction_work;

static void start_correction_work(vsp_world *world, const vsp__span *span,
                                  correction_work *job)
{
    job->world = world;
    job->span = span;
}

#if VSP_WORKERS

/* A vsp__do_piece of a level: sweeps correction rows. */
static void correct_piece_of_level(void *work, uint32_t piece, uint32_t first,
                                   uint32_t last)
{
    correction_work *job = (correction_work *)work;
    const uint16_t *order = vsp__crew_of(job->world)->level_order + job->start;
    vsp__num largest = job->changes.of[piece];
    uint32_t rows = 0;

    for (; first < last; first++) {
        vsp__manifold_view s;

        vsp__view_by_place(job->world, job->span, order[first], &s);
        largest = r_largest(largest, sweep_corrections(job->span, &s));
        rows += s.m->point_count;
    }
    job->changes.of[piece] = largest;
    job->rows.of[piece] += rows;
}

/* Manifolds of a level that are worth a piece of work. */
#define LEAST_CORRECTED VSP__LEAST(24u)

/* sweep_all_corrections, shared among workers */
static vsp__num correct_levels(vsp_world *world, const vsp__span *span)
{
    correction_work job;

    start_correction_work(world, span, &job);
    vsp__clear_most(&job.changes);
    vsp__clear_sums(&job.rows);
    vsp__share_levels(world, correct_piece_of_level, VSP__LEVEL_MANIFOLDS, &job,
                      &job.start, LEAST_CORRECTED);
    world->stats.row_updates += vsp__sum_of_all(&job.rows);
    return vsp__most_of_all(&job.changes);
}

#else

static vsp__num correct_levels(vsp_world *world, const vsp__span *span)
{
    (void)world;
    (void)span;
    return 0;
}

#endif

/* Sweeps all manifolds of a span once.  Returns the largest correction, m, or
 * `largest`. */
static vsp__num sweep_all_corrections(vsp_world *world, const vsp__span *span,
                                      vsp__num largest)
{
    uint32_t i, rows = 0;
    vsp__manifold_view s;

    if (vsp__find_levels(world, span))
        return r_largest(largest, correct_levels(world, span));
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        largest = r_largest(largest, sweep_corrections(span, &s));
        rows += s.m->point_count;
    }
    world->stats.row_updates += rows;
    return largest;
}

/* A vsp__do_piece: assembles the correction rows of manifolds. */
static void assemble_correction_piece(void *work, uint32_t piece,
                                      uint32_t first, uint32_t last)
{
    const correction_work *job = (const correction_work *)work;
    const vsp__span *span = job->span;
    vsp__manifold_view s;

    (void)piece;
    for (; first < last; first++) {
        vsp__view_by_place(job->world, span, span->first + first, &s);
        assemble_corrections(span, &s);
    }
}

/* Manifolds that are worth a piece of work. */
#define LEAST_ROWS_OF_PIECE VSP__LEAST(32u)

static void assemble_all_corrections(vsp_world *world, const vsp__span *span)
{
    correction_work job;

    start_correction_work(world, span, &job);
    vsp__share_work(world, assemble_correction_piece, &job,
                    span->last - span->first, LEAST_ROWS_OF_PIECE);
}

#if VSP_JOINTS && (VSP_CARRY || VSP_SHOCK || VSP_SUBSPACE)

/* Lifts of fewer envelopes are free. */
#define FREE_LIFT VSP__REAL(5.0)

/* A body pays if its energy is at least this many times the work: joints that
 * were created with their anchors apart lift slow bodies. */
#define LEAST_ENERGY VSP__REAL(6.0)

/* Returns the part of the speed of a fall (fall, m/s) that a lift costs: it
 * takes the work of `rise` (m) against `pull` (m/s^2) from the kinetic energy.
 * 0 if it is free, also if `rise` is less than the fall of a step, or if that
 * energy is too small. */
static vsp__num cost_of_lift(const vsp_world *world, vsp__num pull,
                             vsp__num rise, vsp__num fall)
{
    vsp__wide lift = w_of_unit(rise), speed = w_of_rate(fall), work, square;
    vsp__num left;

    if (!(rise > 0 && fall > 0) ||
        r_of_unit(rise) < r_mul(FREE_LIFT, world->params.envelope) ||
        w_less(lift, w_mul(speed, w_of_unit(world->params.dt))))
        return 0;
    work = w_mul(w_of_rate(pull), w_add(lift, lift));
    square = w_mul(speed, speed);
    if (w_less(square, w_mul(w_of_real(LEAST_ENERGY), work)))
        return 0;
    left = VSP__UNIT(1.0) - w_to_unit(w_div(work, square));
    return VSP__UNIT(1.0) - vsp__geometric_mean(left, VSP__UNIT(1.0));
}

/* Slows a falling body by the work of the correction that lifts it.  A light
 * body that stops at the ground does not stop a heavy one above at once, if
 * sweeps do not converge; layers then lift the heavy body to where its joints
 * are, in each step, without loss of speed.  A floating body does not pay:
 * another body of its group is lowered instead. */
static void pay_for_lift(vsp_world *world, uint32_t body,
                         const vsp__velocity *d)
{
    vsp__body *b = world->bodies + body;
    vsp__num pull, fall, cost;
    vsp__v3 down;

    if (world->height[body] == VSP__NO_HEIGHT)
        return;
    pull = vsp__find_down(world, b, &down);
    fall = u3_dot_at(&down, &b->velocity);
    cost = cost_of_lift(world, pull, r_neg(u3_dot_at(&down, &d->linear)), fall);
    if (cost == 0)
        return;
    u3_move(&b->velocity, r_neg(u_mul(cost, fall)), &down);
    vsp__clamp_body(b);
    vsp__get_velocity(b, vsp__solve_of(world)->velocity + body);
}

#else

#define pay_for_lift(world, body, d) (void)0

#endif

/* Moves a free body by its displacement, eq. 46c. */
static void displace_free_body(vsp_world *world, const vsp__span *span,
                               uint32_t body)
{
    const vsp__velocity *d = vsp__solve_of(world)->saved + body;

    if (!vsp__is_free(world, span, body))
        return;
    vsp__displace_body(world, body, d);
    if (span->is_layer && vsp__has_joints(world, body))
        pay_for_lift(world, body, d);
}

/* Clears the displacements of both bodies of a contact or joint.  If
 * is_to_move, first moves those that are free. */
static void end_displacement(vsp_world *world, const vsp__span *span,
                             const uint16_t *bodies, bool is_to_move)
{
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__velocity *d = vsp__solve_of(world)->saved + bodies[k];

        if (is_to_move)
            displace_free_body(world, span, bodies[k]);
        vsp__zero_bytes(d, sizeof *d);
    }
}

/* A vsp__do_piece: moves bodies by their displacements. */
static void displace_piece(void *work, uint32_t piece, uint32_t first,
                           uint32_t last)
{
    const correction_work *job = (const correction_work *)work;

    (void)piece;
    for (; first < last; first++)
        displace_free_body(job->world, job->span, first);
}

/* Bodies that are worth a piece of work. */
#define LEAST_DISPLACED VSP__LEAST(64u)

/* end_displacements for all bodies of a world with workers: those without
 * contacts or joints have no displacement. */
static void end_all_displacements(vsp_world *world, const vsp__span *span,
                                  bool is_to_move)
{
    correction_work job;

    start_correction_work(world, span, &job);
    if (is_to_move)
        vsp__share_work(world, displace_piece, &job, world->body_limit,
                        LEAST_DISPLACED);
    else
        vsp__zero_bytes(vsp__solve_of(world)->saved,
                        world->body_limit *
                            sizeof vsp__solve_of(world)->saved[0]);
}

/* Ends the displacements of all bodies of a span.  A body in several contacts
 * moves once: its displacement is 0 after that. */
static void end_displacements(vsp_world *world, const vsp__span *span,
                              bool is_to_move)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;
    vsp__manifold_view s;

    if (vsp__has_workers(world) &&
        2u * (span->last - span->first) >= world->body_limit) {
        end_all_displacements(world, span, is_to_move);
        return;
    }
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        end_displacement(world, span, s.m->body, is_to_move);
    for (i = span->first_joint; VSP_JOINTS && i < span->last_joint; i++)
        end_displacement(world, span, pool->joints[pool->order[i]].body,
                         is_to_move);
}

/* A vsp__do_piece: computes axes and M^-1 of bodies. */
static void restore_piece(void *work, uint32_t piece, uint32_t first,
                          uint32_t last)
{
    vsp_world *world = (vsp_world *)work;

    (void)piece;
    for (; first < last; first++) {
        vsp__update_axes(world, first);
        if (!vsp__is_asleep(world->bodies + first))
            vsp__update_inverse_mass(world, first);
    }
}

/* Bodies that are worth a piece of work. */
#define LEAST_RESTORED VSP__LEAST(32u)

/* Restores axes and M^-1, which the detection of the after list overwrote, and
 * sorts that list by the heights that bodies had before they moved. */
static void restore_axes_and_order(vsp_world *world)
{
    vsp__sort_manifolds(world, VSP__CONTACTS_AFTER);
    vsp__sort_by_colour(world, VSP__CONTACTS_AFTER);
    vsp__share_work(world, restore_piece, world, world->body_limit,
                    LEAST_RESTORED);
}

/* Solves the position problem of a span, eq. 46, and moves its bodies. */
static void solve_positions(vsp_world *world, const vsp__span *span)
{
    vsp__num enough = u_mul(VSP__TOUCH_PART,
                            u_of_real(vsp__correction_tolerance(world)));
    bool uses_lanes = false;
    uint32_t k;

    if (VSP__LANE_COUNT > 1)
        uses_lanes = vsp__fill_correction_lanes(world, span);
    if (!uses_lanes)
        assemble_all_corrections(world, span);
    if (VSP_JOINTS)
        vsp__assemble_joints(world, span, 0, 0);
    if (VSP_RANGES) {
        vsp__assemble_ranges(world, span, 0, 0);
        vsp__assemble_webs(world, span);
    }
    end_displacements(world, span, false);
    for (k = 0; k < world->params.correction_sweeps; k++) {
        vsp__num largest;

        if (VSP_RANGES)
            vsp__sweep_webs(world, span, vsp__solve_of(world)->saved, false);
        largest = VSP_JOINTS ? vsp__correct_joints(world, span) : 0;

        largest = VSP__LANE_COUNT > 1 && uses_lanes
                      ? r_largest(largest, vsp__sweep_lanes(world, true))
                      : sweep_all_corrections(world, span, largest);
        vsp__apply_all_locks(world, vsp__solve_of(world)->saved);
        world->stats.correction_count++;
        if (largest < enough)
            break;
    }
    end_displacements(world, span, true);
}

bool vsp__correct_positions(vsp_world *world, const vsp__span *span)
{
    vsp__num tolerance = vsp__correction_tolerance(world);

    if (deepest_overlap(world, span) <= tolerance &&
        (!VSP_JOINTS || vsp__joint_error(world, span) <= tolerance))
        return false;
    if (span->list == VSP__CONTACTS_AFTER)
        restore_axes_and_order(world);
    solve_positions(world, span);
    return true;
}

/* Whether an awake body floated in the solve.  The second detection overwrote
 * the lists of layers, but not heights. */
static bool has_floating_body(const vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (world->height[i] == VSP__NO_HEIGHT &&
            vsp__is_awake(world->bodies + i))
            return true;
    return false;
}

bool vsp__correct_fallen(vsp_world *world, const vsp__span *all,
                         vsp__span *fallen)
{
    if (!has_floating_body(world) ||
        deepest_overlap(world, all) <= vsp__correction_tolerance(world))
        return false;
    restore_axes_and_order(world);
    *fallen = *all; /* floating bodies come first in the after list */
    fallen->last = vsp__solve_of(world)->layer_manifolds[1];
    fallen->lowest = world->layer_count + 1u;
    if (VSP_JOINTS)
        fallen->first_joint =
            vsp__joint_pool_of(world)->layer_joints[world->layer_count];
    if (fallen->last == 0)
        return false;
    solve_positions(world, fallen);
    return true;
}
