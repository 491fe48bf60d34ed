/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The coefficients of two shapes that touch, set by a rule of the pair or
 * mixed by the rules of both. */

#include "state.h"

/* Mixes one coefficient of two surfaces by the later of their rules, in the
 * order of vsp_rule.  Two equal coefficients give exactly that number, except
 * by VSP_RULE_MULTIPLY. */
static vsp__num mix_rule(uint32_t rule_a, uint32_t rule_b, vsp__num a,
                         vsp__num b)
{
    uint32_t rule = rule_a > rule_b ? rule_a : rule_b;

    a = r_flush(a);
    b = r_flush(b);
    if (a == b && rule != VSP_RULE_MULTIPLY)
        return a;
    switch (rule) {
    case VSP_RULE_GEOMETRIC:
        return vsp__geometric_mean(a, b);
    case VSP_RULE_AVERAGE:
        return u_mul(VSP__UNIT(0.5), r_add(a, b));
    case VSP_RULE_MIN:
        return r_min(a, b);
    case VSP_RULE_MULTIPLY:
        return r_flush(r_mul(a, b));
    default:
        return r_max(a, b);
    }
}

vsp__num vsp__pair_friction(const vsp_world *world, const vsp__shape *a,
                            const vsp__shape *b)
{
    uint32_t named;
    const vsp__pair_record *rule = vsp__find_pair_rule(world, &a->filter,
                                                       &b->filter, &named);

    if (rule != NULL && !(rule->friction < 0))
        return rule->friction;
    return mix_rule(vsp__friction_rule(a), vsp__friction_rule(b), a->friction,
                    b->friction);
}

vsp__num vsp__pair_restitution(const vsp_world *world, const vsp__shape *a,
                               const vsp__shape *b)
{
    uint32_t named;
    const vsp__pair_record *rule = vsp__find_pair_rule(world, &a->filter,
                                                       &b->filter, &named);

    if (rule != NULL && !(rule->restitution < 0))
        return rule->restitution;
    return mix_rule(vsp__restitution_rule(a), vsp__restitution_rule(b),
                    a->restitution, b->restitution);
}

#if VSP_ROLLING

/* A product of two lengths is no length, and a ball should roll to a stop on
 * ground of any material: so the rules of friction do not apply. */
vsp__num vsp__pair_rolling(const vsp__shape *a, const vsp__shape *b,
                           bool is_spin)
{
    return is_spin ? r_max(a->spinning, b->spinning)
                   : r_max(a->rolling, b->rolling);
}

#endif /* VSP_ROLLING */

#if VSP_MATERIALS

const vsp_table_materials *vsp__materials_of(const vsp_world *world,
                                             const vsp__shape *shape)
{
    const void *table = shape->table != 0 ? vsp__table_at(world, shape->table)
                                          : NULL;
    uint32_t kind = table != NULL ? *(const uint32_t *)table : 0;

    if (VSP_MESHES && kind == VSP_TABLE_MESH_MATERIALS)
        return &((const vsp_mesh_materials *)table)->materials;
    if (VSP_HEIGHT_FIELDS && kind == VSP_TABLE_FIELD_MATERIALS)
        return &((const vsp_field_materials *)table)->materials;
    return NULL;
}

#if VSP_ROLLING
static void set_rolling(const vsp_table_material *from, vsp__shape *shape)
{
    shape->rolling = r_of_place(from->rolling_friction);
    shape->spinning = r_of_place(from->spinning_friction);
}
#else
static void set_rolling(const vsp_table_material *from, vsp__shape *shape)
{
    (void)from;
    (void)shape;
}
#endif

/* Computes the velocity of a material, m/s, in the axes of the body. */
static void set_surface(const vsp_table_material *from, vsp__shape *shape)
{
    const int32_t *part = &from->surface_velocity.x;
    vsp__num *to = &shape->surface.x;
    uint32_t i;

    for (i = 0; i < 3; i++)
        to[i] = rate_over(r_of_place(part[i]), VSP__UNIT(1.0));
    vsp__q_rotate(&shape->pose.rotation, &shape->surface, &shape->surface);
    v3_flush_in(&shape->surface);
}

const vsp__shape *vsp__made_of(const vsp_world *world, const vsp__shape *shape,
                               uint32_t material, vsp__shape *copy)
{
    const vsp_table_materials *all = vsp__materials_of(world, shape);
    const vsp_table_material *from;

    if (material == 0 || all == NULL)
        return shape;
    from = all->palette + (material - 1u);
    *copy = *shape;
    copy->rules = (uint8_t)((shape->rules & VSP__SENSOR) | from->friction_rule |
                            (uint32_t)from->restitution_rule << 3);
    copy->friction = r_of_place(from->friction);
    copy->restitution = r_of_place(from->restitution);
    set_rolling(from, copy);
    set_surface(from, copy);
    return copy;
}

bool vsp__has_material(const vsp_world *world, const vsp__shape *shape,
                       uint32_t first, uint32_t count)
{
    const vsp_table_materials *all = vsp__materials_of(world, shape);
    uint32_t i;

    for (i = 0; all != NULL && i < all->count; i++)
        if (vsp__words_differ(&all->palette[i].friction + first, NULL, count))
            return true;
    return false;
}

#endif /* VSP_MATERIALS */
