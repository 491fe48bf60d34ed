/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A manifold with its rows and bodies: its place in memory, which of its bodies
 * are free in a solve, and the positions of its points. */

#include "equations.h"

/* Whether bodies with a mass can be fixated: by layers, or asleep.  All others
 * that are not free have M^-1 = 0 anyway. */
#define FIXATES (VSP_CARRY || VSP_SHOCK || VSP_SUBSPACE || VSP_SLEEP)

void vsp__view_by_index(vsp_world *world, uint32_t list, uint32_t index,
                        vsp__manifold_view *s)
{
    uint32_t first;

    s->world = world;
    s->m = &vsp__manifolds_of(world, list)[index];
    first = s->m->first_point;
    s->points = &vsp__points_of(world, list)[first];
    s->block = vsp__problem_of(world)->velocity.blocks + index;
    s->rows = vsp__problem_of(world)->velocity.rows + first;
}

void vsp__view_by_place(vsp_world *world, const vsp__span *span, uint32_t place,
                        vsp__manifold_view *s)
{
    vsp__view_by_index(world, span->list, world->layer_order[place], s);
}

bool vsp__view_manifold(vsp_world *world, const vsp__span *span, uint32_t i,
                        vsp__manifold_view *s)
{
    if (i >= span->last)
        return false;
    vsp__view_by_place(world, span, i, s);
    return true;
}

uint32_t vsp__manifold_island(const vsp_world *world, const vsp__manifold *m)
{
    return world
        ->island[vsp__is_moved(world, m->body[0]) ? m->body[0] : m->body[1]];
}

bool vsp__is_free(const vsp_world *world, const vsp__span *span, uint32_t body)
{
    return world->height[body] >= span->lowest;
}

const vsp__inverse_mass *vsp__inverse_mass_in(const vsp_world *world,
                                              const vsp__span *span,
                                              uint32_t body)
{
    static const vsp__inverse_mass fixated;

    return FIXATES && !vsp__is_free(world, span, body)
               ? &fixated
               : &vsp__solve_of(world)->inverse[body];
}

void vsp__inverse_masses_in(const vsp__span *span, const vsp__manifold_view *s,
                            const vsp__inverse_mass **inverse)
{
    uint32_t i;

    for (i = 0; i < 2; i++)
        inverse[i] = vsp__inverse_mass_in(s->world, span, s->m->body[i]);
}

void vsp__arms_at_point(const vsp_world *world, const vsp__manifold *m,
                        const vsp__manifold_point *point, vsp__v3 *d,
                        vsp__v3 *a, vsp__v3 *b)
{
    v3_sub_to(&world->bodies[m->body[1]].position,
              &world->bodies[m->body[0]].position, d);
    m3_mul_to(vsp__solve_of(world)->axes + m->body[0], &point->arm[0], a);
    m3_mul_to(vsp__solve_of(world)->axes + m->body[1], &point->arm[1], b);
}

void vsp__midpoint_arms(const vsp_world *world, const vsp__manifold *m,
                        const vsp__manifold_point *p, vsp__v3 *arm)
{
    vsp__v3 d;

    vsp__arms_at_point(world, m, p, &d, &arm[0], &arm[1]);
    vsp__meet_arms(&d, arm);
}

void vsp__find_arms(const vsp__manifold_view *s)
{
    uint32_t j;

    for (j = 0; j < s->m->point_count; j++)
        vsp__midpoint_arms(s->world, s->m, s->points + j, s->rows[j].arm);
}

vsp__num vsp__least_gap(const vsp__manifold_view *s)
{
    vsp__num gap = s->points[0].gap;
    uint32_t j;

    for (j = 1; j < s->m->point_count; j++)
        gap = r_min(gap, s->points[j].gap);
    return gap;
}

void vsp__sliding_velocity(const vsp__manifold_view *s,
                           const vsp__point_rows *row, vsp__v3 *u)
{
    const vsp__velocity *v = vsp__solve_of(s->world)->velocity;
    vsp__v3 of_a;

    vsp__point_velocity_of(&v[s->m->body[0]], &row->arm[0], &of_a);
    vsp__point_velocity_of(&v[s->m->body[1]], &row->arm[1], u);
    v3_sub_in(u, &of_a);
}

vsp__num vsp__restitution_of(const vsp_world *world, const vsp__manifold *m)
{
    vsp__shape copy;

    return vsp__pair_restitution(world, vsp__side_of(world, m, 0, &copy),
                                 vsp__side_of(world, m, 1, &copy));
}

bool vsp__bounces_next(const vsp__manifold_view *s,
                       const vsp__manifold_point *p)
{
    vsp__num approach;
    vsp__v3 u[2], arm[2];
    uint32_t i;

    if (!(vsp__restitution_of(s->world, s->m) > 0))
        return false;
    vsp__midpoint_arms(s->world, s->m, p, arm);
    for (i = 0; i < 2; i++) {
        vsp__velocity v;

        vsp__get_velocity(s->world->bodies + s->m->body[i], &v);
        vsp__point_velocity_of(&v, &arm[i], &u[i]);
    }
    v3_sub_in(&u[0], &u[1]);
    approach = u3_dot_at(&u[0], &s->m->normal);
    return approach > s->world->gravity_speed &&
           r_neg(p->gap) <= r_of_rate(approach, s->world->params.dt);
}
