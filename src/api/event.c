/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Events of the last step, and shapes in sensors. */

#include "api.h"

#if VSP_EVENTS

const vsp_event *vsp_world_events(const vsp_world *world, uint32_t *count)
{
    bool is_there = vsp__is_world(world);

    if (count != (uint32_t *)0)
        *count = is_there ? world->event_count : 0;
    return is_there ? world->events : (const vsp_event *)0;
}

uint32_t vsp_shape_sensed(const vsp_world *world, vsp_shape_id sensor,
                          vsp_shape_id *shapes, uint32_t capacity)
{
    uint32_t slot = (sensor.bits & 0xffffu) - 1u, i, count = 0;

    if (!vsp_shape_is_valid(world, sensor) || !vsp__is_sensor(world, slot))
        return 0;
    for (i = 0; i < world->sensed_count; i++) {
        uint32_t a = world->sensed[i] >> 16, b = world->sensed[i] & 0xffffu;

        if (a != slot && b != slot)
            continue;
        if (shapes != (vsp_shape_id *)0 && count < capacity)
            shapes[count] = vsp_shape_at(world, a == slot ? b : a);
        count++;
    }
    return count;
}

#endif /* VSP_EVENTS */
