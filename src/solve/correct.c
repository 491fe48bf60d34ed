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

        vsp__midpoint_arms(s->world, s->m, s->points + j, row->lever);
        for (i = 0; i < 2; i++)
            diagonal = r_add(diagonal, vsp__fill_lever(&s->m->normal,
                                                       &inverse[i]->inertia,
                                                       share[i], i, row));
        row->share = share[1];
        row->inv_diagonal = vsp__reciprocal(r_max(VSP__REAL(1.0), diagonal));
        row->gap = vsp__gap_to_correct(s, s->points + j);
        row->multiplier = 0;
    }
}

/* Sweeps a manifold once, eq. 46b.  Displacements are copied first, so that
 * compilers keep them in registers.  Returns the largest correction, m. */
static vsp__num sweep_corrections(vsp_world *world, const vsp__manifold_view *s)
{
    vsp__velocity *saved = vsp__solve_of(world)->saved;
    vsp__velocity a = saved[s->m->body[0]], b = saved[s->m->body[1]];
    vsp__v3 n = s->m->normal;
    vsp__correction_row *row = corrections_of(s),
                        *end = row + s->m->point_count;
    vsp__num largest = 0;

    while (row < end)
        largest = r_max(largest, vsp__sweep_correction(&n, row++, &a, &b));
    saved[s->m->body[0]] = a;
    saved[s->m->body[1]] = b;
    world->stats.row_updates += s->m->point_count;
    return largest;
}

/* Sweeps all manifolds of a span once.  Returns the largest correction, m, or
 * `largest`. */
static vsp__num sweep_all_corrections(vsp_world *world, const vsp__span *span,
                                      vsp__num largest)
{
    uint32_t i;
    vsp__manifold_view s;

    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        largest = r_max(largest, sweep_corrections(world, &s));
    return largest;
}

/* Clears the displacements of both bodies of a contact or joint.  If
 * is_to_move, first moves those that are free, eq. 46c. */
static void end_displacement(vsp_world *world, const vsp__span *span,
                             const uint16_t *bodies, bool is_to_move)
{
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__velocity *d = vsp__solve_of(world)->saved + bodies[k];

        if (is_to_move && vsp__is_free(world, span, bodies[k]))
            vsp__displace_body(world, bodies[k], d);
        vsp__zero_bytes(d, sizeof *d);
    }
}

/* Ends the displacements of all bodies of a span.  A body in several contacts
 * moves once: its displacement is 0 after that. */
static void end_displacements(vsp_world *world, const vsp__span *span,
                              bool is_to_move)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;
    vsp__manifold_view s;

    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        end_displacement(world, span, s.m->body, is_to_move);
    for (i = span->first_joint; VSP_JOINTS && i < span->last_joint; i++)
        end_displacement(world, span, pool->joints[pool->order[i]].body,
                         is_to_move);
}

/* Restores axes and M^-1, which the detection of the after list overwrote, and
 * sorts that list by the heights that bodies had before they moved. */
static void restore_axes_and_order(vsp_world *world)
{
    uint32_t i;

    vsp__sort_manifolds(world, VSP__CONTACTS_AFTER);
    vsp__sort_by_colour(world, VSP__CONTACTS_AFTER);
    for (i = 0; i < world->body_limit; i++) {
        vsp__update_axes(world, i);
        if (!vsp__is_asleep(world->bodies + i))
            vsp__update_inverse_mass(world, i);
    }
}

/* Solves the position problem of a span, eq. 46, and moves its bodies. */
static void solve_positions(vsp_world *world, const vsp__span *span)
{
    vsp__num enough = u_mul(VSP__TOUCH_PART,
                            u_of_real(vsp__correction_tolerance(world)));
    bool uses_lanes = false;
    uint32_t i, k;
    vsp__manifold_view s;

    if (VSP__LANE_COUNT > 1)
        uses_lanes = vsp__fill_correction_lanes(world, span);
    for (i = span->first; !uses_lanes && vsp__view_manifold(world, span, i, &s);
         i++)
        assemble_corrections(span, &s);
    if (VSP_JOINTS)
        vsp__assemble_joints(world, span, 0, 0);
    if (VSP_RANGES) {
        vsp__assemble_ranges(world, span, 0);
        vsp__assemble_webs(world, span);
    }
    end_displacements(world, span, false);
    for (k = 0; k < world->params.correction_sweeps; k++) {
        vsp__num largest;

        if (VSP_RANGES)
            vsp__sweep_webs(world, span, vsp__solve_of(world)->saved, false);
        largest = VSP_JOINTS ? vsp__correct_joints(world, span) : 0;

        largest = VSP__LANE_COUNT > 1 && uses_lanes
                      ? r_max(largest, vsp__sweep_lanes(world, true))
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
