/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Default definitions of shapes, worlds and bodies. */

#include "api.h"

/* Returns a def in which everything that is not set here is 0. */
static vsp_shape_def shape_default(vsp_shape_type type, vsp_vec3 size)
{
    vsp_shape_def def;

    vsp__zero_bytes(&def, sizeof def);
    def.cookie = VSP__COOKIE(3);
    def.type = type;
    def.size = size;
    def.pose.rotation.w = VSP_R(1.0);
    def.density = VSP_R(1000.0);
    def.material.friction = VSP_R(0.5);
    def.material.friction_rule = VSP_RULE_GEOMETRIC;
    def.material.restitution_rule = VSP_RULE_MAX;
    def.filter.category = 1;
    def.filter.mask = 0xffffffffu;
    return def;
}

vsp_shape_def vsp_sphere(vsp_real radius)
{
    return shape_default(VSP_SHAPE_SPHERE,
                         vsp__vec3_of(radius, radius, radius));
}

vsp_shape_def vsp_box(vsp_real x, vsp_real y, vsp_real z)
{
    return shape_default(VSP_SHAPE_BOX, vsp__vec3_of(x, y, z));
}

vsp_shape_def vsp_half_space(void)
{
    return shape_default(VSP_SHAPE_HALF_SPACE, vsp__vec3_of(0, 0, 0));
}

vsp_shape_def vsp_capsule(vsp_real radius, vsp_real half_height)
{
    return shape_default(VSP_SHAPE_CAPSULE,
                         vsp__vec3_of(radius, half_height, 0));
}

#if VSP_ROUNDS

vsp_shape_def vsp_cylinder(vsp_real radius, vsp_real half_height)
{
    return shape_default(VSP_SHAPE_CYLINDER,
                         vsp__vec3_of(radius, half_height, 0));
}

vsp_shape_def vsp_cone(vsp_real below, vsp_real half_height, vsp_real above)
{
    return shape_default(VSP_SHAPE_CONE,
                         vsp__vec3_of(below, half_height, above));
}

#endif /* VSP_ROUNDS */

#if VSP_TAPERS

vsp_shape_def vsp_taper(vsp_real below, vsp_real half_height, vsp_real above)
{
    return shape_default(VSP_SHAPE_TAPER,
                         vsp__vec3_of(below, half_height, above));
}

#endif

vsp_shape_def vsp_table_shape(vsp_shape_type type, uint32_t table)
{
    vsp_shape_def def = shape_default(type, vsp__vec3_of(0, 0, 0));

    def.table = table;
    return def;
}

/* The brackets keep the macro of vsp.h with this name from being expanded. */
vsp_world_def(vsp_world_def_default)(void)
{
    return vsp__world_def_here();
}

vsp_body_def vsp_body_def_default(void)
{
    vsp_body_def def;

    vsp__zero_bytes(&def, sizeof def);
    def.cookie = VSP__COOKIE(2);
    def.type = VSP_STATIC;
    def.pose.rotation.w = VSP_R(1.0);
    def.gravity_scale = VSP_R(1.0);
    def.max_speed = VSP_MAX_SPEED;
    def.enable_sleep = true;
    def.shape = shape_default(VSP_SHAPE_NONE, vsp__vec3_of(0, 0, 0));
    return def;
}
