/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The velocity problem of a span, eq. 45: contacts, joints and lanes together
 * are assembled, then swept. */

#include "solve.h"

/* Manifolds that are worth a piece of work. */
#define LEAST_ROWS VSP__LEAST(32u)

static bool does_assemble_lanes(const vsp_world *world)
{
    return VSP__LANE_COUNT > 1 && vsp__has_cones(world) &&
           !vsp__is_shock(world);
}

/* Assembles the manifold at place i, in lanes together with the next ones:
 * those before `done` are assembled.  Returns the next `done`. */
static inline uint32_t assemble_at(const vsp__span *span, uint32_t i,
                                   uint32_t done, bool uses_lanes,
                                   const vsp__manifold_view *s)
{
    if (VSP__LANE_COUNT > 1 && uses_lanes && i == done)
        done += vsp__assemble_lanes(s->world, span, i);
    else if (!uses_lanes)
        vsp__assemble_manifold(span, s);
    if (VSP_ROLLING && VSP__LANE_COUNT > 1 && uses_lanes && vsp__rolls(s->m))
        vsp__assemble_roll(span, s);
    return done;
}

/* The assembly of the manifolds of a span. */
typedef struct span_work {
    vsp_world *world;
    const vsp__span *span;
    bool is_start; /* also loads their multipliers */
} span_work;

/* A vsp__do_piece: assembles manifolds, and loads their multipliers.  Places
 * are counted from the span's first. */
static void assemble_piece(void *work, uint32_t piece, uint32_t first,
                           uint32_t last)
{
    const span_work *job = (const span_work *)work;
    bool uses_lanes = does_assemble_lanes(job->world);
    vsp__span part = *job->span;
    uint32_t i, done;
    vsp__manifold_view s;

    (void)piece;
    part.last = part.first + last;
    part.first += first;
    for (i = done = part.first; vsp__view_manifold(job->world, &part, i, &s);
         i++) {
        done = assemble_at(&part, i, done, uses_lanes, &s);
        if (job->is_start)
            vsp__load_multipliers(&s);
    }
}

/* vsp__assemble_rows for contacts, shared among workers. */
static void assemble_shared(vsp_world *world, const vsp__span *span,
                            bool is_start)
{
    span_work job;

    job.world = world;
    job.span = span;
    job.is_start = is_start;
    vsp__share_work(world, assemble_piece, &job, span->last - span->first,
                    LEAST_ROWS);
    if (is_start)
        vsp__apply_multipliers(world, span);
}

/* Eq. 45a-b.  With cones each manifold starts warm as soon as it is assembled,
 * while it is in the cache.  With pyramids all are assembled first, as their
 * tangents depend on velocities before the warm start. */
void vsp__assemble_rows(vsp_world *world, const vsp__span *span, vsp__num part,
                        bool is_start)
{
    bool is_cone = vsp__has_cones(world);
    bool uses_lanes = does_assemble_lanes(world);
    uint32_t i, done;
    vsp__manifold_view s;

    if (VSP__LANE_COUNT > 1)
        vsp__invalidate_lanes(world);
    if (VSP_JOINTS)
        vsp__assemble_joints(world, span, world->params.dt, part);
    if (VSP_RANGES) {
        vsp__assemble_ranges(world, span, world->params.dt, part);
        vsp__assemble_webs(world, span);
    }
    if (vsp__has_workers(world)) {
        assemble_shared(world, span, is_start);
        return;
    }
    for (i = done = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        done = assemble_at(span, i, done, uses_lanes, &s);
        if (is_start && is_cone)
            vsp__warm_start(&s);
    }
    for (i = span->first;
         is_start && !is_cone && vsp__view_manifold(world, span, i, &s); i++)
        vsp__warm_start(&s);
}

void vsp__flush_solution(vsp_world *world, const vsp__span *span)
{
    vsp__solver_scratch *solve = vsp__solve_of(world);
    vsp__joint_row_walk it;
    vsp__manifold_view s;
    uint32_t i, j;

    if (VSP_FIXED)
        return;
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        for (j = 0; j < vsp__row_points(s.m); j++)
            vsp__flush_each(s.points[j].multiplier.row, 3);
    for (i = span->first_body; i < span->last_body; i++)
        vsp__flush_each(&solve->velocity[solve->stack_order[i]].linear, 6);
    for (vsp__start_joint_rows(&it);
         VSP_JOINTS && vsp__next_joint_row(world, span, &it);)
        it.row->multiplier = r_flush(it.row->multiplier);
}
