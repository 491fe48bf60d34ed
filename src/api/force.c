/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Forces and impulses on bodies. */

#include "api.h"

/* Changes velocity and spin by an impulse, rounded by the cut of the step, so
 * that small impulses add up in the fixed kind, too.  If the impulse is too
 * large, velocity or spin exceeds VSP_MAX_SPEED, and the caller's check refuses
 * it. */
static void add_impulse(uint32_t tick, vsp__body *b, const vsp__wrench *w)
{
    uint32_t cut = vsp__even_cut(tick, VSP__EVEN_FORCE);
    vsp__inverse_mass inverse;
    vsp__mat3 axes;

    vsp__q_axes_flushed(&b->rotation, &axes);
    vsp__find_inverse_mass(b, &axes, VSP__W_ZERO, &inverse);
    vsp__change_velocity(&inverse, VSP__W_ONE, &w->force, &w->torque, cut,
                         &b->velocity, &b->spin);
}

/* Applies a force with a torque, or an impulse with an angular one, at a point
 * of the world, or at the centre of mass if point is null. */
static vsp_status push_at_point(vsp_world *world, vsp_body_id id,
                                vsp_vec3 linear, const vsp_vec3 *point,
                                vsp_vec3 angular, bool is_impulse)
{
    vsp__body *b, changed;
    vsp_status status = vsp__find_body(world, id, &b, &changed);
    vsp__wrench w;

    if (status < 0)
        return status;
    if (!vsp__is_vector_in_range(&linear, VSP_MAX_FORCE) ||
        !vsp__is_vector_in_range(&angular, VSP_MAX_FORCE) ||
        (point != NULL && !vsp__is_vector_in_range(point, VSP_MAX_POSITION)))
        return VSP_ERR_ARG;
    w.force = w3_read(linear);
    w.torque = w3_read(angular);
    if (point != NULL) {
        vsp__v3 arm = v3_read(*point);

        v3_sub_in(&arm, &b->position);
        vsp__add_moment(&w.torque, &arm, &w.force);
    }
    if (is_impulse)
        add_impulse(world->params.tick, &changed, &w);
    else
        vsp__add_wides(&changed.force.x, VSP__W_ONE, &w.force.x, 6);
    vsp__flush_each(&changed.velocity, 12); /* and spin, force, torque */
    vsp__clear_sleep(&changed);
    if (!vsp__is_body(&changed))
        return VSP_ERR_ARG;
    if (vsp__is_dynamic(b) &&
        vsp__words_differ(&changed.velocity, &b->velocity, 12))
        *b = changed;
    return VSP_OK;
}

vsp_status vsp_body_apply_force(vsp_world *world, vsp_body_id id,
                                vsp_vec3 force, vsp_vec3 point)
{
    return push_at_point(world, id, force, &point, vsp__vec3_of(0, 0, 0),
                         false);
}

vsp_status vsp_body_apply_center_force(vsp_world *world, vsp_body_id id,
                                       vsp_vec3 force)
{
    return push_at_point(world, id, force, NULL, vsp__vec3_of(0, 0, 0), false);
}

vsp_status vsp_body_apply_torque(vsp_world *world, vsp_body_id id,
                                 vsp_vec3 torque)
{
    return push_at_point(world, id, vsp__vec3_of(0, 0, 0), NULL, torque, false);
}

vsp_status vsp_body_apply_impulse(vsp_world *world, vsp_body_id id,
                                  vsp_vec3 impulse, vsp_vec3 point)
{
    return push_at_point(world, id, impulse, &point, vsp__vec3_of(0, 0, 0),
                         true);
}

vsp_status vsp_body_apply_center_impulse(vsp_world *world, vsp_body_id id,
                                         vsp_vec3 impulse)
{
    return push_at_point(world, id, impulse, NULL, vsp__vec3_of(0, 0, 0), true);
}

vsp_status vsp_body_apply_angular_impulse(vsp_world *world, vsp_body_id id,
                                          vsp_vec3 impulse)
{
    return push_at_point(world, id, vsp__vec3_of(0, 0, 0), NULL, impulse, true);
}
