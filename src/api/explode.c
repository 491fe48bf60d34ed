/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Explosions (VSP_EXPLOSIONS): impulses on the bodies around a point. */

#include "query.h"

#if VSP_EXPLOSIONS

vsp_explosion vsp_explosion_default(void)
{
    vsp_explosion explosion;

    vsp__zero_bytes(&explosion, sizeof explosion);
    explosion.radius = explosion.falloff = VSP_R(1.0);
    explosion.filter = vsp_query_default().filter;
    return explosion;
}

static bool is_explosion(const vsp_explosion *e)
{
    return vsp__is_vector_in_range(&e->center, VSP_MAX_POSITION) &&
           caller_in(e->radius, 0, VSP_MAX_SIZE) &&
           caller_in(e->falloff, 0, VSP_MAX_SIZE) &&
           caller_in(e->impulse, -VSP_MAX_FORCE, VSP_MAX_FORCE);
}

/* Finds the point of a body that is nearest to the centre.  Returns false if
 * none is within the limit. */
static bool nearest_of_body(vsp__query_state *s, uint32_t body,
                            vsp__query_hit *best)
{
    uint32_t next = s->world->bodies[body].first_shape;
    vsp__query_hit m;

    best->slot = VSP_MAX_SHAPES;
    for (; next != 0; next = s->world->shapes[next - 1u].next_shape) {
        const vsp__find *find = vsp__find_of(s->world);

        s->slot = next - 1u;
        s->shape = s->world->shapes + s->slot;
        s->pose = find->poses + s->slot;
        if (vsp__is_query_wanted(s) &&
            vsp__bounds_overlap(&s->bounds, find->bounds + s->slot) &&
            vsp__ask_shape(s, &m) && vsp__is_better_hit(best, &m))
            *best = m;
    }
    return best->slot != VSP_MAX_SHAPES;
}

/* The part of the impulse that acts at a distance: a unit, 0 to 1. */
static vsp__num part_at(const vsp_explosion *e, vsp__num distance)
{
    vsp__num beyond = r_sub(distance, r_read(e->radius));
    vsp__num falloff = r_read(e->falloff);

    if (!(beyond > 0))
        return VSP__UNIT(1.0);
    return beyond < falloff ? r_sub(VSP__UNIT(1.0), u_div(beyond, falloff)) : 0;
}

/* Pushes a body away from the centre of the explosion: at its nearest point or,
 * if it contains that centre, at its centre of mass.  Returns whether it
 * did. */
static bool push_outward(const vsp__query_state *s, uint32_t body,
                         const vsp_explosion *e, const vsp__query_hit *nearest)
{
    vsp_body_id id = vsp_body_at(s->world, body);
    vsp__wide impulse = w_mul(w_read(e->impulse),
                              w_of_unit(part_at(e, nearest->at)));
    vsp__v3 at = nearest->point, way;

    if (!(nearest->at > 0))
        at = s->world->bodies[body].position;
    vsp__v3_from_to(&s->origin, &at, &way);
    if (vsp__are_three_zero(&way.x) || w_is_zero(impulse))
        return false;
    vsp__v3_normalize_flushed(&way);
    return vsp_body_apply_impulse(
               s->world, id,
               vsp__vec3_of(w_show(w_mul(impulse, w_of_unit(way.x))),
                            w_show(w_mul(impulse, w_of_unit(way.y))),
                            w_show(w_mul(impulse, w_of_unit(way.z)))),
               v3_show(at)) == VSP_OK;
}

vsp_status vsp_world_explode(vsp_world *world, const vsp_explosion *explosion,
                             uint32_t *count)
{
    vsp_query query = vsp_query_default();
    vsp__query_state s;
    vsp__query_hit nearest = {0};
    uint32_t i, pushed = 0;

    if (explosion == NULL || !is_explosion(explosion) ||
        !vsp__begin_nearest(&s, world, &query, &explosion->center))
        return VSP_ERR_ARG;
    query.filter = explosion->filter;
    s.limit = r_add(r_read(explosion->radius), r_read(explosion->falloff));
    vsp__start_query_walk(&s);
    for (i = 0; i < world->body_limit; i++)
        if (vsp__is_dynamic(world->bodies + i) &&
            nearest_of_body(&s, i, &nearest) &&
            push_outward(&s, i, explosion, &nearest))
            pushed++;
    if (count != NULL)
        *count = pushed;
    return VSP_OK;
}

#endif /* VSP_EXPLOSIONS */
