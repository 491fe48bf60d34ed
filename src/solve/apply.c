/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Warm starting: computes multipliers from stored impulses, and velocities from
 * multipliers. */

#include "solve.h"

void vsp__apply_manifold(const vsp__manifold_view *s)
{
    vsp__velocity *u = vsp__solve_of(s->world)->velocity;
    vsp__local_velocity l;
    uint32_t j;

    vsp__load_local_velocity(s, u, &l);
    for (j = 0; j < s->m->point_count; j++)
        vsp__push_point_rows(&l, s->rows + j, s->points[j].multiplier.row);
    if (VSP_ROLLING && vsp__rolls(s->m))
        vsp__push_roll(s, &l);
    vsp__store_local_velocity(s, &l, u);
}

#if VSP_WORKERS

typedef struct level_apply { /* the multipliers of a span, by levels */
    vsp_world *world;
    const vsp__span *span;
    uint32_t start; /* of the level */
} level_apply;

/* A vsp__do_piece of a level: applies multipliers. */
static void apply_piece(void *work, uint32_t piece, uint32_t first,
                        uint32_t last)
{
    const level_apply *job = (const level_apply *)work;
    const uint16_t *order = vsp__crew_of(job->world)->level_order + job->start;

    (void)piece;
    for (; first < last; first++) {
        vsp__manifold_view s;

        vsp__view_by_place(job->world, job->span, order[first], &s);
        vsp__apply_manifold(&s);
    }
}

/* Manifolds of a level that are worth a piece of work. */
#define LEAST_APPLIED VSP__LEAST(16u)

static void apply_levels(vsp_world *world, const vsp__span *span)
{
    level_apply job;

    job.world = world;
    job.span = span;
    vsp__share_levels(world, apply_piece, VSP__LEVEL_MANIFOLDS, &job,
                      &job.start, LEAST_APPLIED);
}

#else

static void apply_levels(vsp_world *world, const vsp__span *span)
{
    (void)world;
    (void)span;
}

#endif

void vsp__apply_multipliers(vsp_world *world, const vsp__span *span)
{
    uint32_t i;
    vsp__manifold_view s;

    if (vsp__find_levels(world, span)) {
        apply_levels(world, span);
        return;
    }
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        vsp__apply_manifold(&s);
}

void vsp__rotate_tangents(vsp__num *x, const vsp__v3 *axes,
                          const vsp__v3 *others)
{
    vsp__v3 t = v3_zero();

    if (x[1] == 0 && x[2] == 0) /* most contacts at rest */
        return;
    u3_move(&t, x[1], &axes[0]);
    u3_move(&t, x[2], &axes[1]);
    x[1] = u3_dot_at(&t, &others[0]);
    x[2] = u3_dot_at(&t, &others[1]);
}

const vsp__v3 *vsp__normal_tangents(const vsp__manifold_view *s, vsp__v3 *t)
{
    if (vsp__has_cones(s->world))
        return &s->block->axes.axis[1];
    vsp__make_tangents(&s->m->normal, &t[0], &t[1]);
    return t;
}

/* Converts the impulses of rolling friction into multipliers. */
static void load_roll(const vsp__manifold_view *s, const vsp__v3 *tangents)
{
    vsp__multiplier *x = &s->points[s->m->point_count].multiplier;
    vsp__wide scale = VSP_ROLLING ? vsp__roll_scale(s) : VSP__W_ZERO;
    uint32_t k;

    for (k = 1; k < 3; k++)
        x->row[k] = w_is_zero(scale) ? 0
                                     : w_to_rate(w_div(x->impulse[k], scale));
    x->row[0] = 0;
    vsp__rotate_tangents(x->row, tangents, &s->block->axes.axis[1]);
    if (VSP_ROLLING)
        vsp__project_roll(s);
}

void vsp__load_multipliers(const vsp__manifold_view *s)
{
    vsp__v3 own[2];
    const vsp__v3 *t = vsp__normal_tangents(s, own);
    uint32_t j, k;

    for (j = 0; j < s->m->point_count; j++) {
        vsp__multiplier *x = &s->points[j].multiplier;

        for (k = 0; k < 3; k++)
            x->row[k] = w_to_rate(w_mul(x->impulse[k], s->block->inv_mass));
        vsp__rotate_tangents(x->row, t, &s->block->axes.axis[1]);
    }
    if (VSP_ROLLING && vsp__rolls(s->m))
        load_roll(s, t);
}

void vsp__warm_start(const vsp__manifold_view *s)
{
    vsp__load_multipliers(s);
    vsp__apply_manifold(s);
}
