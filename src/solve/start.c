/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Warm starts of islands with joints, under CARRY and PGS.  The impulses of the
 * last step are a guess, and a guess that adds much energy is worse than none:
 * joints or contacts that contradict each other pull against each other by more
 * than any load, and in the next pose these pulls do not cancel.  So an island
 * with joints starts cold if its guess adds energy, unless a taut range
 * determines the load, or a motor or spring may add that energy.
 *
 * SUBSPACE has a check of its own, for its islands are spans.  The layers of
 * SHOCK keep a bad start, because their bodies have moved since the step
 * began. */

#include "solve.h"

#if VSP_JOINTS

/* A warm start is dropped if it raises the energy by more than this fraction,
 * as that of SUBSPACE.  With less, chains that whip tear under PGS. */
#define ADDED_PART VSP__UNIT(0.5)

/* In a small free island with loops a start may add no more than this: pulls
 * that its joints do not determine add a little in each step. */
#define ADDED_BY_LOOPS VSP__UNIT(0.2)

/* A warm start may add the energy of all bodies at this many times the speed
 * that gravity gives them in a step.  With 4, PGS drops the starts of a
 * bridge at rest, because its few sweeps leave errors. */
#define RESTING_SPEEDS VSP__REAL(8.0)

/* Returns the island of a joint's moved bodies. */
static VSP__CALLED uint32_t joint_island(const vsp_world *world, uint32_t slot)
{
    const uint16_t *body = vsp__joint_pool_of(world)->joints[slot].body;

    return world->island[body[vsp__is_moved(world, body[0]) ? 0 : 1]];
}

/* Whether the start of a joint may be large and right.  Motors and springs
 * clamp bodies with any force. */
static bool is_trusted(const vsp_world *world, uint32_t slot)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;

    return vsp__is_spanned(world, slot) || (j->flags & VSP__JOINT_MOTOR) != 0 ||
           (j->hertz > 0 && j->type != VSP_JOINT_AXES);
}

/* Counts a joint of its island, which is judged. */
static void count_joint(vsp_world *world, uint32_t slot)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    vsp__body_pass *pass = vsp__solve_of(world)->pass +
                           joint_island(world, slot);

    pass->start.is_judged = true;
    pass->start.joint_count++;
    if (vsp__is_rope(j) || !vsp__is_moved(world, j->body[0]) ||
        !vsp__is_moved(world, j->body[1]))
        pass->start.is_held = true;
}

/* Marks the islands whose start is judged: they have joints, none of which is
 * trusted. */
static void mark_islands(vsp_world *world, const vsp__span *span)
{
    const uint16_t *order = vsp__joint_pool_of(world)->order;
    vsp__body_pass *pass = vsp__solve_of(world)->pass;
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++)
        count_joint(world, order[i]);
    for (i = span->first_joint; i < span->last_joint; i++)
        if (is_trusted(world, order[i]))
            pass[joint_island(world, order[i])].start.is_judged = false;
}

/* Adds the mass of a body, and twice its kinetic energy, cold and warm, to the
 * sums of its island. */
static void add_energies(vsp_world *world, uint32_t body, vsp__num h)
{
    vsp__solver_scratch *solve = vsp__solve_of(world);
    vsp__body_pass *pass = solve->pass + world->island[body];
    vsp__velocity cold;

    if (!pass->start.is_judged)
        return;
    pass->start.body_count++;
    vsp__get_velocity(world->bodies + body, &cold);
    vsp__add_forces(world, body, h, &cold);
    pass->start.cold = w_add(pass->start.cold,
                             vsp__double_energy(world, body, &cold, true));
    pass->start.mass = w_add(pass->start.mass,
                             world->bodies[body].mass_data.mass);
    pass->start.warm = w_add(
        pass->start.warm,
        vsp__double_energy(world, body, solve->velocity + body, true));
}

/* Returns the fraction of its energy that the start of an island may add.
 * Joints connect its bodies in loops if they are as many. */
static vsp__num added_part(const vsp__body_pass *pass)
{
    bool is_small = pass->start.body_count <= VSP__SMALL_ISLAND;

    return is_small && !pass->start.is_held &&
                   pass->start.joint_count >= pass->start.body_count
               ? ADDED_BY_LOOPS
               : ADDED_PART;
}

/* Whether the warm start of an island is worse than none. */
static bool is_worse(const vsp_world *world, uint32_t island)
{
    const vsp__body_pass *pass = vsp__solve_of(world)->pass + island;
    vsp__wide cold = pass->start.cold, slack;
    vsp__num speed = r_mul(RESTING_SPEEDS, world->gravity_speed);

    if (!pass->start.is_judged)
        return false;
    slack = w_mul(pass->start.mass, w_of_rate_square(r_square(speed)));
    slack = w_add(slack, w_mul(w_of_unit(added_part(pass)), cold));
    return w_less(w_add(cold, slack), pass->start.warm);
}

/* Starts the islands with a bad start at multipliers of 0. */
static void restart_islands(vsp_world *world, const vsp__span *span, vsp__num h)
{
    vsp__joint_row_walk at;
    vsp__manifold_view it;
    uint32_t i, j;

    for (i = span->first_body; i < span->last_body; i++) {
        uint32_t body = vsp__solve_of(world)->stack_order[i];

        if (is_worse(world, world->island[body]))
            vsp__restart_body(world, body, h);
    }
    for (i = span->first; vsp__view_manifold(world, span, i, &it); i++) {
        if (!is_worse(world, vsp__manifold_island(world, it.m)))
            continue;
        for (j = 0; j < vsp__row_points(it.m); j++)
            vsp__zero_bytes(it.points[j].multiplier.row,
                            sizeof it.points[j].multiplier.row);
    }
    for (vsp__start_joint_rows(&at); vsp__next_joint_row(world, span, &at);)
        if (is_worse(world, joint_island(world, at.slot)))
            at.row->multiplier = 0;
}

void vsp__drop_bad_starts(vsp_world *world, const vsp__span *span, vsp__num h)
{
    vsp__solver_scratch *solve = vsp__solve_of(world);
    bool has_worse = false;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        vsp__zero_bytes(&solve->pass[i].start, sizeof solve->pass[i].start);
    mark_islands(world, span);
    for (i = span->first_body; i < span->last_body; i++)
        add_energies(world, solve->stack_order[i], h);
    for (i = 0; i < world->body_limit; i++)
        has_worse = has_worse || is_worse(world, i);
    if (has_worse)
        restart_islands(world, span, h);
}

#endif /* VSP_JOINTS */
