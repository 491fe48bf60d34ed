/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Distances of shells between steps: whether a body may be at a pose, and which
 * two shapes are nearest. */

#include "api.h"

#if VSP_SHELLS

/* Whether steps keep two shapes apart: one is a shell, one belongs to a dynamic
 * body, and they may collide. */
static bool are_kept_apart(const vsp_world *world, uint32_t a, uint32_t b)
{
    const vsp__shape *shape_a = world->shapes + a;
    const vsp__shape *shape_b = world->shapes + b;

    return (vsp__is_shell(shape_a) || vsp__is_shell(shape_b)) &&
           shape_b->type != VSP_SHAPE_NONE &&
           (vsp__is_dynamic(world->bodies + shape_a->body) ||
            vsp__is_dynamic(world->bodies + shape_b->body)) &&
           vsp__may_collide(world, a, b);
}

/* Returns the distance of two such shapes at their present poses, m, at most
 * reach. */
static vsp__num measure_distance(vsp_world *world, uint32_t a, uint32_t b,
                                 vsp__num reach)
{
    uint32_t slot[2], i;
    vsp__aabb bounds[2];
    vsp__pose pose[2];

    slot[0] = world->shapes[b].type == VSP_SHAPE_HALF_SPACE ? b : a;
    slot[1] = slot[0] == a ? b : a;
    for (i = 0; i < 2; i++)
        vsp__update_shape(world, slot[i], &pose[i], &bounds[i]);
    if (world->shapes[slot[0]].type != VSP_SHAPE_HALF_SPACE &&
        !vsp__bounds_overlap(&bounds[0], &bounds[1]))
        return reach;
    return vsp__shell_distance(world, slot[0], slot[1], pose, reach);
}

/* Whether each shape of a body keeps half the gap of shells from all others. */
static bool is_body_clear(vsp_world *world, uint32_t body)
{
    vsp__num gap = u_mul(VSP__UNIT(0.5), vsp__shell_gap(world));
    uint32_t a = world->bodies[body].first_shape, b;

    if (VSP_JOINTS)
        vsp__list_body_joints(world);
    for (; a != 0; a = world->shapes[a - 1u].next_shape)
        for (b = 0; b < world->shape_limit; b++)
            if (are_kept_apart(world, a - 1u, b) &&
                measure_distance(world, a - 1u, b, gap) < gap)
                return false;
    return true;
}

bool vsp__is_place_clear(vsp_world *world, uint32_t body, const vsp__body *b,
                         uint32_t slot, const vsp__shape *shape)
{
    vsp__body old_body = world->bodies[body];
    vsp__shape old_shape = world->shapes[slot];
    uint32_t limit = world->shape_limit;
    bool is_clear;

    world->bodies[body] = *b;
    if (shape != NULL) {
        world->shapes[slot] = *shape;
        world->shapes[slot].body = (uint16_t)body;
        world->shapes[slot].next_shape = b->first_shape;
        world->bodies[body].first_shape = (uint16_t)(slot + 1u);
        if (limit <= slot)
            world->shape_limit = slot + 1u;
    }
    is_clear = is_body_clear(world, body);
    world->bodies[body] = old_body;
    world->shapes[slot] = old_shape;
    world->shape_limit = limit;
    return is_clear;
}

vsp_status vsp_world_check_shells(vsp_world *world, vsp_shape_id worst[2],
                                  vsp_real *gap)
{
    vsp__num least;
    uint32_t a, b;

    if (!vsp__is_world(world) || worst == NULL || gap == NULL)
        return VSP_ERR_ARG;
    if (VSP_JOINTS)
        vsp__list_body_joints(world);
    worst[0].bits = worst[1].bits = 0;
    least = world->params.envelope;
    for (a = 0; a < world->shape_limit; a++)
        for (b = a + 1u; b < world->shape_limit; b++) {
            vsp__num now;

            if (world->shapes[a].type == VSP_SHAPE_NONE ||
                !are_kept_apart(world, a, b))
                continue;
            now = measure_distance(world, a, b, least);
            if (!(now < least))
                continue;
            least = now;
            worst[0].bits = vsp__shape_id_at(world, a);
            worst[1].bits = vsp__shape_id_at(world, b);
        }
    *gap = r_show(least);
    return VSP_OK;
}

#endif /* VSP_SHELLS */
