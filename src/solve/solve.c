/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The velocity problem of a span, eq. 45: contacts, joints and lanes together
 * are assembled, then swept. */

#include "solve.h"

/* Eq. 45a-b.  With cones each manifold starts warm as soon as it is assembled,
 * while it is in the cache.  Pyramids wait until all are, as their tangents
 * depend on velocities before the warm start. */
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
    for (i = done = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        if (VSP__LANE_COUNT > 1 && uses_lanes && i == done)
            done += vsp__assemble_lanes(world, span, i);
        else if (!uses_lanes)
            vsp__assemble_manifold(span, &s);
        if (is_start && is_cone)
            vsp__warm_start(&s);
    }
    for (i = span->first;
         is_start && !is_cone && vsp__view_manifold(world, span, i, &s); i++)
        vsp__warm_start(&s);
}

/* Eq. 45c-d: each sweep changes multipliers and velocities together.  Many
 * solves need only one sweep, so lanes are filled for the second or, if more
 * than one sweep of the last solve was above the tolerance, for the first. */
vsp__num vsp__sweep_rows(vsp_world *world, const vsp__span *span,
                         uint32_t count, vsp__num tolerance)
{
    vsp__num largest = 0;
    bool uses_lanes = false;
    uint32_t wide = VSP__LANE_COUNT > 1 ? vsp__first_lane_sweep(world) : count,
             k;

    for (k = 0; k < count; k++) {
        if (VSP__LANE_COUNT > 1 && k == wide)
            uses_lanes = vsp__fill_lanes(world, span);
        largest = VSP_JOINTS ? vsp__sweep_joints(world, span) : 0;
        largest = r_max(largest, VSP__LANE_COUNT > 1 && uses_lanes
                                     ? vsp__sweep_lanes(world, false)
                                     : vsp__sweep_manifolds(world, span));
        vsp__apply_all_locks(world, vsp__solve_of(world)->velocity);
        world->stats.sweep_count++;
        if (largest < tolerance)
            break;
    }
    if (VSP__LANE_COUNT > 1)
        vsp__unload_lanes(world, span, uses_lanes, k);
    world->stats.residual = largest;
    return largest;
}
