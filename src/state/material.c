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
    const vsp__pair_rule *rule = vsp__find_pair_rule(world, &a->filter,
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
    const vsp__pair_rule *rule = vsp__find_pair_rule(world, &a->filter,
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
