/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rules of pairs (VSP_PAIR_RULES): their limits, and the rule of two shapes. */

#include "state.h"

#if VSP_PAIR_RULES

const vsp__field vsp__pair_rule_ranges[VSP__PAIR_RULE_RANGES] = {
    VSP__DEF_FIELD(vsp__pair_record, friction, vsp_pair_rule, friction, 1,
                   VSP__FORM_REAL, VSP__RANGE_PAIR_FRICTION),
    VSP__DEF_FIELD(vsp__pair_record, restitution, vsp_pair_rule, restitution, 1,
                   VSP__FORM_REAL, VSP__RANGE_PAIR_RESTITUTION),
    VSP__DEF_FIELD(vsp__pair_record, mass, vsp_pair_rule, mass_a, 2,
                   VSP__FORM_UNIT, VSP__RANGE_FRACTION),
    VSP__DEF_FIELD(vsp__pair_record, hit_speed, vsp_pair_rule, hit_speed, 1,
                   VSP__FORM_RATE, VSP__RANGE_HIT_SPEED),
};

/* Whether a number is a coefficient: from 0, or -1, "as the materials". */
static bool is_coefficient(vsp__num a)
{
    return !(a < 0) || a == VSP__REAL(-1.0);
}

bool vsp__is_pair_rule(const vsp__pair_record *rule)
{
    return vsp__are_in_range(rule, vsp__pair_rule_ranges,
                             VSP__PAIR_RULE_RANGES) &&
           rule->flags <= VSP__PAIR_FLAGS && is_coefficient(rule->friction) &&
           is_coefficient(rule->restitution) &&
           (rule->mass[0] == VSP__UNIT(1.0) || rule->mass[1] == VSP__UNIT(1.0));
}

const vsp__pair_record *vsp__find_pair_rule(const vsp_world *world,
                                            const vsp_filter *a,
                                            const vsp_filter *b,
                                            uint32_t *named)
{
    uint32_t of_a = a->category, of_b = b->category, i;

    for (i = 0; i < world->rule_count; i++) {
        const vsp__pair_record *rule = world->rules + i;

        *named = 0;
        if ((rule->categories[0] & of_a) && (rule->categories[1] & of_b))
            return rule;
        *named = 1;
        if ((rule->categories[0] & of_b) && (rule->categories[1] & of_a))
            return rule;
    }
    return NULL;
}

/* The fractions are for two bodies that forces move: else a fraction of 0 would
 * leave no mass to push. */
void vsp__scale_pair_masses(const vsp_world *world, const vsp__manifold *m,
                            vsp__wide mass[2])
{
    uint32_t named, i;
    const vsp__pair_record *rule;

    if (world->rule_count == 0 || !w_less(VSP__W_ZERO, mass[0]) ||
        !w_less(VSP__W_ZERO, mass[1]))
        return;
    rule = vsp__find_pair_rule(world, &world->shapes[m->shape[0]].filter,
                               &world->shapes[m->shape[1]].filter, &named);
    for (i = 0; rule != NULL && i < 2; i++)
        mass[i] = w_mul(w_of_unit(rule->mass[i ^ named]), mass[i]);
}

bool vsp__is_unmoved(const vsp_world *world, const vsp__manifold *m,
                     uint32_t side)
{
    uint32_t named;
    const vsp__pair_record *rule;

    if (world->rule_count == 0 ||
        !vsp__is_dynamic(world->bodies + m->body[0]) ||
        !vsp__is_dynamic(world->bodies + m->body[1]))
        return false;
    rule = vsp__find_pair_rule(world, &world->shapes[m->shape[0]].filter,
                               &world->shapes[m->shape[1]].filter, &named);
    return rule != NULL && rule->mass[side ^ named] == 0;
}

#endif /* VSP_PAIR_RULES */
