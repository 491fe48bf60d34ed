/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The velocity problem of a span, eq. 45: contacts, joints and lanes together
 * are assembled, then swept. */

#include "solve.h"

/* Eq. 45a-b.  With cones each manifold starts warm as soon as it is assembled,
 * while it is in the cache.  With pyramids all are assembled first, as their
 * tangents depend on velocities before the warm start. */
void vsp__assemble_rows(vsp_world *world, const vsp__span *span, vsp__num part,
                        bool is_start)
{
    bool is_cone = vsp__has_cones(world);
    bool uses_lanes = VSP__LANE_COUNT > 1 && is_cone && !vsp__is_shock(world);
    uint32_t i, done;
    vsp__manifold_view s;

    if (VSP__LANE_COUNT > 1)
        vsp__invalidate_lanes(world);
    if (VSP_JOINTS)
        vsp__assemble_joints(world, span, world->params.dt, part);
    if (VSP_RANGES) {
        vsp__assemble_ranges(world, span, world->params.dt);
        vsp__assemble_webs(world, span);
    }
    for (i = done = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        if (VSP__LANE_COUNT > 1 && uses_lanes && i == done)
            done += vsp__assemble_lanes(world, span, i);
        else if (!uses_lanes)
            vsp__assemble_manifold(span, &s);
        if (VSP_ROLLING && VSP__LANE_COUNT > 1 && uses_lanes && vsp__rolls(s.m))
            vsp__assemble_roll(span, &s);
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
