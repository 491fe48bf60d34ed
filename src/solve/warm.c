/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Impulses from step to step, in warm records.  A record is found again by its
 * pair and feature; it has no field for the feature, whose eight bits replace
 * the last four of both tangential impulses.  Records and manifolds are in the
 * order of pairs.  In this order: the feature, records at the beginning of a
 * step, records at its end. */

#include "solve.h"

static uint32_t warm_feature(const vsp__warm_record *w)
{
    return (w_bits(w->tangent1) & 15u) | (w_bits(w->tangent2) & 15u) << 4;
}

/* a number whose last four bits are replaced */
static vsp__wide with_nibble(vsp__wide a, uint32_t nibble)
{
    return w_from_bits((w_bits(a) & ~(uint32_t)15) | nibble);
}

void vsp__save_sleeping_records(vsp_world *world)
{
    const vsp__warm_record *warm = world->problem.between.warm;
    vsp__warm_record *saved = vsp__sleeping_records(world);
    uint32_t i;

    for (i = 0; world->sleeping_record_count > 0 && i < world->warm_count; i++)
        if (VSP_SLEEP && vsp__is_sleeping_pair(world, &warm[i]))
            *saved++ = warm[i];
}

/* Fills the impulses of a point from the record with this pair key and feature,
 * if there is one; records from `first` on have this key or a higher one. */
static void load_point_impulses(const vsp_world *world, uint32_t first,
                                uint32_t key, uint32_t feature,
                                vsp__manifold_point *p)
{
    uint32_t i;

    for (i = first; i < world->warm_count; i++) {
        const vsp__warm_record *w = world->problem.between.warm + i;

        if (w->pair != key)
            return;
        if (warm_feature(w) != feature)
            continue;
        p->multiplier.impulse[0] = w->normal;
        p->multiplier.impulse[1] = with_nibble(w->tangent1, 0);
        p->multiplier.impulse[2] = with_nibble(w->tangent2, 0);
        return;
    }
}

void vsp__load_warm_records(vsp_world *world)
{
    const vsp__warm_record *warm = world->problem.between.warm;
    uint32_t next = 0, i, j;

    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++) {
        const vsp__manifold *m = world->manifolds + i;
        uint32_t key = vsp__pair_key(m);

        while (next < world->warm_count && warm[next].pair < key)
            next++;
        for (j = 0; j < m->point_count; j++)
            load_point_impulses(world, next, key, m->feature[j],
                                world->points + m->first_point + j);
    }
}

/* An impulse is stored along the two tangents that follow from the normal
 * alone, because the blocks of the next step may have other tangents. */
void vsp__store_impulses(vsp_world *world, const vsp__span *span)
{
    uint32_t i, j, k;
    vsp__manifold_view s;

    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        vsp__v3 own[2];
        const vsp__v3 *t = vsp__normal_tangents(&s, own);
        vsp__wide mass = w_div(VSP__W_ONE, s.block->inv_mass);

        for (j = 0; j < s.m->point_count; j++) {
            vsp__multiplier *x = &s.points[j].multiplier;

            vsp__rotate_tangents(x->row, &s.block->axes.axis[1], t);
            for (k = 0; k < 3; k++)
                x->impulse[k] = vsp__clamp_impulse(
                    w_mul(w_of_rate(x->row[k]), mass));
        }
    }
    if (VSP_JOINTS)
        vsp__store_joint_impulses(world, span);
}

/* Appends to the records the saved ones of sleeping pairs before a key, from
 * number next on.  Returns the number of the first that is left. */
static uint32_t take_sleeping_records(vsp_world *world, uint32_t next,
                                      uint32_t key, uint32_t *count)
{
    const vsp__warm_record *saved = vsp__sleeping_records(world);

    while (VSP_SLEEP && next < world->sleeping_record_count &&
           saved[next].pair < key)
        world->problem.between.warm[(*count)++] = saved[next++];
    return next;
}

/* Points without a normal impulse get no record. */
void vsp__store_warm_records(vsp_world *world)
{
    uint32_t next = 0, count = 0, i, j;

    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++) {
        const vsp__manifold *m = world->manifolds + i;

        next = take_sleeping_records(world, next, vsp__pair_key(m), &count);
        for (j = 0; j < m->point_count; j++) {
            const vsp__wide *x =
                world->points[m->first_point + j].multiplier.impulse;
            vsp__warm_record *w = world->problem.between.warm + count;

            if (!w_less(VSP__W_ZERO, w_flush(x[0])))
                continue;
            w->pair = vsp__pair_key(m);
            w->normal = x[0];
            w->tangent1 = with_nibble(w_flush(x[1]), m->feature[j] & 15u);
            w->tangent2 = with_nibble(w_flush(x[2]),
                                      (uint32_t)m->feature[j] >> 4);
            count++;
        }
    }
    (void)take_sleeping_records(world, next, 0xffffffffu, &count);
    world->warm_count = count;
}
