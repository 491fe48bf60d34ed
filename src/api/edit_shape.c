/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Changes of a shape in its place (VSP_EDITS). */

#include "api.h"

#if VSP_EDITS

/* Fills the body of a changed shape, with its new mass, and checks both.  The
 * changed shape is in the slot only meanwhile.  Returns VSP_ERR_ARG,
 * VSP_ERR_OVERLAP. */
static vsp_status check_reshaped(vsp_world *world, uint32_t slot,
                                 const vsp__shape *changed, vsp__body *body)
{
    vsp__shape_list list = vsp__shapes_of(world);
    vsp__shape old = world->shapes[slot];
    vsp_status status = VSP_OK;
    vsp__mass_data m;

    if (!vsp__is_shape(world, changed))
        return VSP_ERR_ARG;
    *body = world->bodies[changed->body];
    world->shapes[slot] = *changed;
    vsp__find_body_mass(&list, body, NULL, VSP_MAX_SHAPES, &m);
    if (!vsp__is_mass_data(&m)) {
        status = VSP_ERR_ARG;
    } else {
        vsp__set_body_mass(body, &m);
        if (VSP_SHELLS &&
            !vsp__is_place_clear(world, changed->body, body, slot, NULL))
            status = VSP_ERR_OVERLAP;
    }
    world->shapes[slot] = old;
    return status;
}

/* Checks and stores a changed shape, and the mass of its body. */
static vsp_status replace_shape(vsp_world *world, vsp__shape *shape,
                                const vsp__shape *changed)
{
    uint32_t slot = (uint32_t)(shape - world->shapes);
    vsp__body body;
    vsp_status status = check_reshaped(world, slot, changed, &body);

    if (status < 0)
        return status;
    vsp__wake_near_body(world, changed->body);
    body.flags = world->bodies[changed->body].flags;
    *shape = *changed;
    world->bodies[changed->body] = body;
    vsp__wake_near_body(world, changed->body);
    vsp__forget_contacts(world);
    return VSP_OK;
}

vsp_status vsp_shape_set_pose(vsp_world *world, vsp_shape_id id,
                              vsp_transform pose)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    if (!vsp__read_pose(&pose, &changed.pose))
        return VSP_ERR_ARG;
    vsp__flush_each(&changed.pose, VSP__WORDS(vsp__frame));
    return replace_shape(world, shape, &changed);
}

vsp_status vsp_shape_set_size(vsp_world *world, vsp_shape_id id, vsp_vec3 size)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    if (shape->table != 0 || shape->type == VSP_SHAPE_HALF_SPACE)
        return VSP_ERR_ARG;
    changed.size = v3_read(size);
    v3_flush_in(&changed.size);
    return replace_shape(world, shape, &changed);
}

vsp_status vsp_shape_set_density(vsp_world *world, vsp_shape_id id,
                                 vsp_real density)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.density = w_flush(w_read(density));
    return replace_shape(world, shape, &changed);
}

vsp_status vsp_shape_set_sensor(vsp_world *world, vsp_shape_id id,
                                bool is_sensor)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    changed.rules = (uint8_t)((changed.rules & ~VSP__SENSOR) |
                              (is_sensor ? VSP__SENSOR : 0u));
    if (changed.rules == shape->rules)
        return VSP_OK;
    status = replace_shape(world, shape, &changed);
    if (status >= 0)
        vsp__forget_shape_records(world, vsp__slot_of_id(id.bits));
    return status;
}

vsp_status vsp_shape_set_surface_spin(vsp_world *world, vsp_shape_id id,
                                      vsp_vec3 spin)
{
    vsp__shape *shape, changed;
    vsp_status status = vsp__find_shape(world, id, &shape, &changed);

    if (status < 0)
        return status;
    vsp__set_surface_spin(&changed, &spin);
    if (!vsp__is_shape(world, &changed))
        return VSP_ERR_ARG;
    *shape = changed;
    vsp__wake_near_body(world, shape->body);
    return VSP_OK;
}

#endif /* VSP_EDITS */
