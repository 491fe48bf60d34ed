/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Loads of joints at the end of a step: limits that were reached, joints that
 * break. */

#include "step.h"

#if VSP_JOINTS

/* Returns a load over a strength, squared.  It is at most 4.7e16, so that no
 * square overflows a wide. */
vsp__wide vsp__square_of_load(const vsp__wide *sum, vsp__wide most)
{
    vsp__wide square = VSP__W_ZERO, end = w_of_real(VSP__REAL(500.0));
    uint32_t k;

    end = w_mul(w_mul(end, end), end);
    for (k = 0; k < 3; k++) {
        vsp__wide part = w_flush(w_div(sum[k], most));

        part = w_less(end, part)          ? end
               : w_less(part, w_neg(end)) ? w_neg(end)
                                          : part;
        square = w_add(square, w_mul(part, part));
    }
    return square;
}

vsp__wide vsp__square_of_joint_load(const vsp__joint *j,
                                    const vsp__wide *impulse)
{
    vsp__wide largest = VSP__W_ZERO;
    uint32_t k;

    for (k = 0; k < 2; k++) {
        vsp__wide most = (&j->break_impulse)[k], sum[3], square;

        if (w_is_zero(most)) /* and break_turn */
            continue;
        vsp__sum_impulses(j, impulse, k == 1, sum);
        square = vsp__square_of_load(sum, most);
        if (w_less(largest, square))
            largest = square;
    }
    return largest;
}

/* Whether a limit has an impulse.  A rod (low = high) has no limits; whether a
 * FIXED joint bends is decided later. */
static bool is_at_limit(const vsp__joint *j, const vsp__wide *impulse)
{
    uint32_t rows = vsp__limited_rows(j), k;

    if (j->type == VSP_JOINT_FIXED)
        return (j->flags & VSP__JOINT_BEARS) != 0;
    if ((j->type == VSP_JOINT_DISTANCE || vsp__is_rope(j)) && j->low == j->high)
        return false;
    for (k = 0; k < VSP__JOINT_ROWS; k++)
        if ((rows >> k & 1u) && !w_is_zero(impulse[k]))
            return true;
    return false;
}

void vsp__break_joint(vsp_world *world, vsp__joint *j)
{
    vsp__set_flag(j, VSP__JOINT_BROKEN, true);
    vsp__set_flag(j, VSP__JOINT_BEARS, false);
    vsp__zero_bytes(j->impulse, sizeof j->impulse);
    vsp__wake_joint_bodies(world, j);
}

void vsp__report_joint_news(vsp_world *world, uint32_t slot, uint32_t news)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp_joint_id id;

    id.bits = vsp__joint_id_at(pool, slot);
    if (VSP_EVENTS && news != 0)
        vsp__report_joint(world, id, pool->joints + slot,
                          news & VSP__JOINT_BROKEN ? VSP_EVENT_BREAK
                                                   : VSP_EVENT_LIMIT);
}

void vsp__finish_joints(vsp_world *world)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        vsp__joint *j = pool->joints + i;
        uint32_t before = j->flags;
        vsp__wide whole[VSP__JOINT_ROWS];

        if (vsp__step_joints_of(pool)[i].layer == VSP__NO_LAYER)
            continue; /* not in this step */
        vsp__find_whole_impulses(j, whole);
        vsp__set_flag(j, VSP__JOINT_BEARS, is_at_limit(j, whole));
        if (!(j->flags & VSP__JOINT_RIGID) &&
            w_less(VSP__W_ONE, vsp__square_of_joint_load(j, whole)))
            vsp__break_joint(world, j);
        vsp__report_joint_news(world, i, j->flags & ~before);
    }
}

#endif /* VSP_JOINTS */
