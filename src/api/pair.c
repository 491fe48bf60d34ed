/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rules of pairs, and impulses of a pair (VSP_PAIR_RULES). */

#include "api.h"

#if VSP_PAIR_RULES

vsp_pair_rule vsp_pair_rule_default(void)
{
    vsp_pair_rule rule;

    vsp__zero_bytes(&rule, sizeof rule);
    rule.friction = rule.restitution = VSP_R(-1.0);
    rule.mass_a = rule.mass_b = VSP_R(1.0);
    return rule;
}

/* Returns the rule in a slot beyond the last used one. */
static vsp__pair_record unused_rule(void)
{
    vsp__pair_record rule;

    vsp__zero_bytes(&rule, sizeof rule);
    rule.friction = rule.restitution = VSP__REAL(-1.0);
    rule.mass[0] = rule.mass[1] = VSP__UNIT(1.0);
    return rule;
}

/* Stores a rule.  The list of rules then ends with the last one in use. */
static void store_rule(vsp_world *world, uint32_t index,
                       const vsp__pair_record *rule)
{
    while (world->rule_count <= index)
        world->rules[world->rule_count++] = unused_rule();
    world->rules[index] = *rule;
    while (world->rule_count > 0 &&
           !vsp__is_rule_used(world->rules + world->rule_count - 1u))
        world->rule_count--;
}

vsp_status vsp_world_set_pair_rule(vsp_world *world, uint32_t index,
                                   const vsp_pair_rule *rule)
{
    vsp__pair_record r;

    if (!vsp__is_world(world) || rule == NULL || index >= VSP_MAX_PAIR_RULES)
        return VSP_ERR_ARG;
    vsp__zero_bytes(&r, sizeof r);
    vsp__read_fields(rule, &r, vsp__pair_rule_ranges, VSP__PAIR_RULE_RANGES);
    r.categories[0] = rule->a;
    r.categories[1] = rule->b;
    r.flags = rule->flags;
    if (!vsp__is_pair_rule(&r))
        return VSP_ERR_ARG;
    store_rule(world, index, &r);
    if (!vsp__uses_warm_records(&world->params, vsp__has_pair_rules(world)))
        world->warm_count = 0;
    if (VSP_SLEEP)
        vsp__wake_all_bodies(world);
    return VSP_OK;
}

vsp_status vsp_world_pair_rule(const vsp_world *world, uint32_t index,
                               vsp_pair_rule *rule)
{
    vsp__pair_record r;

    if (!vsp__is_world(world) || rule == NULL || index >= VSP_MAX_PAIR_RULES)
        return VSP_ERR_ARG;
    r = index < world->rule_count ? world->rules[index] : unused_rule();
    *rule = vsp_pair_rule_default();
    vsp__show_fields(&r, rule, vsp__pair_rule_ranges, VSP__PAIR_RULE_RANGES);
    rule->a = r.categories[0];
    rule->b = r.categories[1];
    rule->flags = r.flags;
    return VSP_OK;
}

/* Adds the impulses of a contact's points to *normal and, times sign, to
 * *vector. */
static void add_contact_impulses(const vsp_contact *c, vsp_real sign,
                                 vsp__wide *normal, vsp__wide3 *vector)
{
    uint32_t i, k;

    for (i = 0; i < c->point_count; i++) {
        const vsp_contact_point *p = c->points + i;
        vsp__wide push = w_read(p->normal_impulse);

        *normal = w_add(*normal, push);
        for (k = 0; k < 3; k++) {
            vsp__wide *to = &vector->x + k;
            vsp__wide part = w_mul(w_read((&c->normal.x)[k]), push);

            part = w_add(part, w_read((&p->friction_impulse.x)[k]));
            *to = w_add(*to, w_mul(w_read(sign), part));
        }
    }
}

/* Adds up the contacts of two shapes, in slots a and b. */
static void sum_impulses_of_pair(const vsp_world *world, uint32_t a, uint32_t b,
                                 vsp__wide *normal, vsp__wide3 *vector)
{
    uint32_t i, count = vsp_contact_count(world);

    for (i = 0; i < count; i++) {
        const vsp__manifold *m = world->manifolds + i;
        bool is_turned = m->shape[0] == b && m->shape[1] == a;
        vsp_contact c;

        if (!is_turned && !(m->shape[0] == a && m->shape[1] == b))
            continue;
        (void)vsp_contact_get(world, i, &c);
        add_contact_impulses(&c, is_turned ? VSP_R(-1.0) : VSP_R(1.0), normal,
                             vector);
    }
}

vsp_status vsp_pair_impulse(const vsp_world *world, vsp_shape_id a,
                            vsp_shape_id b, vsp_real *normal, vsp_vec3 *vector)
{
    vsp__wide sum;
    vsp__wide3 all;

    if (!vsp_shape_is_valid(world, a) || !vsp_shape_is_valid(world, b))
        return vsp__missing_status(world);
    vsp__zero_bytes(&sum, sizeof sum);
    vsp__zero_bytes(&all, sizeof all);
    sum_impulses_of_pair(world, vsp__slot_of_id(a.bits),
                         vsp__slot_of_id(b.bits), &sum, &all);
    if (normal != NULL)
        *normal = w_show(sum);
    if (vector != NULL)
        *vector = vsp__vec3_of(w_show(all.x), w_show(all.y), w_show(all.z));
    return VSP_OK;
}

#endif /* VSP_PAIR_RULES */
