/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Assembly of the rows of contacts, eq. 2 and 6: masses and axes of a manifold,
 * then T of eq. 33 and D of eq. 31 for each point. */

#include "equations.h"

/* A pyramid has the bound of eq. 8 only along its tangents, so the first one is
 * set along the sliding.  Below 0.1 m/s the direction would be noise. */
static void sliding_tangents(const vsp__manifold_view *s)
{
    const vsp__v3 *n = &s->m->normal;
    vsp__v3 *axis = s->block->axes.axis;
    vsp__v3 u;

    vsp__sliding_velocity(s, s->rows, &u);
    if (vsp__has_belts(s->world)) {
        vsp__v3 belt;

        vsp__belt_velocity(s->world, s->m, &belt);
        v3_add_in(&u, &belt);
    }
    u3_move(&u, r_neg(u3_dot_at(&u, n)), n);
    if (v3_product_at(&u, &u) < r_square(VSP__RATE(0.1)))
        return;
    vsp__v3_normalize(&u);
    axis[1] = u;
    u3_cross_to(n, &axis[1], &axis[2]);
}

/* Fills the masses and axes of a block. */
static void assemble_block(const vsp_world *world,
                           const vsp__inverse_mass *const *inverse,
                           const vsp__manifold *m, vsp__block *block)
{
    vsp__wide mass[2];

    mass[0] = inverse[0]->mass;
    mass[1] = inverse[1]->mass;
    vsp__scale_pair_masses(world, m, mass);
    vsp__share_masses(mass[0], mass[1], block);
    VSP_ASSERT(w_less(VSP__W_ZERO, block->inv_mass));
    block->axes.axis[0] = m->normal;
    vsp__make_tangents(&m->normal, &block->axes.axis[1], &block->axes.axis[2]);
}

/* Computes the inverse inertia of a body, divided by block.inv_mass, in the
 * axes of the block: 1/m^2. */
static void block_inertia(const vsp__inverse_mass *inverse,
                          const vsp__block *block, uint32_t side, vsp__sym3 *s)
{
    vsp__s3_clear(s);
    if (block->share[side] == 0)
        return;
    vsp__s3_in_axes(&block->axes, &inverse->inertia, s);
    vsp__s3_scale(s, r_abs(block->share[side]));
}

/* Fills the turns and strides of a point from its arms. */
static void assemble_row(const vsp__sym3 *inertia, uint32_t scale, bool is_cone,
                         vsp__point_rows *row)
{
    vsp__num inverse[3];
    uint32_t k;

    for (k = 0; k < 3; k++)
        inverse[k] = vsp__reciprocal(vsp__fill_turns(inertia, k, scale, row));
    vsp__fill_strides(inverse, is_cone, row);
}

/* Converts the arms of a manifold to the axes of its block.  Returns the
 * largest component, m. */
static vsp__num assemble_arms(const vsp__manifold_view *s)
{
    vsp__num size = 0;
    uint32_t j, k;

    for (j = 0; j < s->m->point_count; j++) {
        vsp__v3 *arm = s->rows[j].arm;

        for (k = 0; k < 2; k++) {
            m3_tmul_to(&s->block->axes, &arm[k], &arm[k]);
            size = r_max(size, v3_size_at(&arm[k]));
        }
    }
    return size;
}

void vsp__assemble_manifold(const vsp__span *span, const vsp__manifold_view *s)
{
    bool is_cone = vsp__has_cones(s->world);
    const vsp__inverse_mass *inverse[2];
    vsp__sym3 inertia[2];
    uint32_t scale, j;
    vsp__num size, lever = 0;

    if (vsp__is_shock(s->world)) /* bodies moved since vsp__find_biases */
        vsp__find_arms(s);
    vsp__inverse_masses_in(span, s, inverse);
    assemble_block(s->world, inverse, s->m, s->block);
    if (!is_cone)
        sliding_tangents(s);
    for (j = 0; j < 2; j++)
        block_inertia(inverse[j], s->block, j, &inertia[j]);
    size = assemble_arms(s);
    if (VSP_ROLLING && vsp__rolls(s->m))
        lever = vsp__set_roll_levers(s, inertia);
    scale = vsp__find_turn_scale(inertia, r_max(size, lever));
    vsp__set_turn_scale(s->block, scale);
    for (j = 0; j < s->m->point_count; j++)
        assemble_row(inertia, scale, is_cone, s->rows + j);
    if (VSP_ROLLING && vsp__rolls(s->m))
        vsp__fill_roll(s, inertia, scale);
}

#if VSP_ROLLING

/* Lanes hold floats only, whose turns have no scale. */
void vsp__assemble_roll(const vsp__span *span, const vsp__manifold_view *s)
{
    const vsp__inverse_mass *inverse[2];
    vsp__sym3 inertia[2];
    uint32_t i;

    vsp__inverse_masses_in(span, s, inverse);
    for (i = 0; i < 2; i++)
        block_inertia(inverse[i], s->block, i, &inertia[i]);
    (void)vsp__set_roll_levers(s, inertia);
    vsp__fill_roll(s, inertia, 0);
}

#endif /* VSP_ROLLING */

vsp__wide vsp__clamp_impulse(vsp__wide a)
{
    return w_is_finite(a) ? w_clamp(a, w_read(VSP_MAX_FORCE)) : VSP__W_ZERO;
}
