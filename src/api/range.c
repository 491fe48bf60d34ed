/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Calls that report ranges and hinge loops; each step finds them again.
 * Optional: VSP_RANGES, VSP_HINGE_LOOPS. */

#include "api.h"

#if VSP_RANGES

/* Counts the ranges.  Sets *slot to the joint at which range `index` ends. */
static uint32_t list_ranges(vsp_world *world, uint32_t index, uint32_t *slot)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t count = 0, i;

    vsp__list_body_joints(world);
    (void)vsp__find_ranges(world);
    for (i = 0; i < pool->limit; i++) {
        if (vsp__step_joints_of(pool)[i].range.start == 0)
            continue;
        if (count++ == index)
            *slot = i;
    }
    return count;
}

uint32_t vsp_range_count(vsp_world *world)
{
    uint32_t slot;

    return vsp__is_world(world) ? list_ranges(world, 0, &slot) : 0;
}

vsp_status vsp_range_get(vsp_world *world, uint32_t index, vsp_range *range)
{
    const vsp__joint_pool *pool;
    const vsp__joint_range *r;
    uint32_t slot = 0;
    uint16_t body[2];
    vsp__v3 arm[2], way;

    if (!vsp__is_world(world) || range == NULL ||
        index >= list_ranges(world, index, &slot))
        return VSP_ERR_ARG;
    pool = vsp__joint_pool_of(world);
    r = &vsp__step_joints_of(pool)[slot].range;
    range->start.bits = vsp__joint_id_at(pool, r->start - 1u);
    range->end.bits = vsp__joint_id_at(pool, slot);
    range->distance = r_show(
        vsp__find_range_pose(world, slot, body, arm, &way));
    range->body_a.bits = vsp__body_id_at(world, body[0]);
    range->body_b.bits = vsp__body_id_at(world, body[1]);
    range->low = r_show(r->low);
    range->high = r_show(r->high);
    return VSP_OK;
}

#endif /* VSP_RANGES */

#if VSP_HINGE_LOOPS

uint32_t vsp_hinge_loop_count(vsp_world *world)
{
    if (!vsp__is_world(world))
        return 0;
    vsp__list_body_joints(world);
    return vsp__find_hinge_loops(world);
}

#endif /* VSP_HINGE_LOOPS */
