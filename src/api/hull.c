/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Runtime hulls (VSP_MAX_RUNTIME_HULLS): their numbers, making and freeing. */

#include "api.h"

#if VSP_MAX_RUNTIME_HULLS > 0

static uint32_t slot_of_hull(uint32_t table)
{
    return (table & 0xffffu) - VSP__RUNTIME_TABLES - 1u;
}

/* Returns the runtime hull with a caller's number, or null. */
static vsp__runtime_hull *find_runtime_hull(const vsp_world *world,
                                            uint32_t table)
{
    uint32_t slot = slot_of_hull(table);

    return table != 0 && vsp_hull_at(world, slot) == table
               ? vsp__hull_pool_of(world)->hulls + slot
               : NULL;
}

uint32_t vsp__shown_table(const vsp_world *world, uint32_t number)
{
    return number > VSP__RUNTIME_TABLES
               ? vsp_hull_at(world, slot_of_hull(number))
               : number;
}

bool vsp__is_shown_table(const vsp_world *world, uint32_t table)
{
    return table <= VSP__RUNTIME_TABLES ||
           find_runtime_hull(world, table) != NULL;
}

uint32_t vsp_hull_at(const vsp_world *world, uint32_t slot)
{
    const vsp__runtime_hull *hull;

    if (!vsp__is_world(world) || slot >= VSP_MAX_RUNTIME_HULLS)
        return 0;
    hull = vsp__hull_pool_of(world)->hulls + slot;
    return hull->table.kind != 0 ? (uint32_t)hull->generation << 16 |
                                       (VSP__RUNTIME_TABLES + 1u + slot)
                                 : 0;
}

vsp_status vsp_hull_create(vsp_world *world, const vsp_vec3 *points,
                           uint32_t count, uint32_t *table)
{
    vsp__hull_pool *pool;
    vsp__runtime_hull *hull;
    uint32_t slot = 0, i;

    if (table != NULL)
        *table = 0;
    if (!vsp__is_world(world) || points == NULL || table == NULL || count < 4 ||
        count > VSP_MAX_HULL_POINTS)
        return VSP_ERR_ARG;
    for (i = 0; i < count; i++)
        if (!vsp__is_vector_in_range(points + i, VSP_R(100.0)))
            return VSP_ERR_ARG;
    pool = vsp__hull_pool_of(world);
    while (slot < VSP_MAX_RUNTIME_HULLS && pool->hulls[slot].table.kind != 0)
        slot++;
    if (slot == VSP_MAX_RUNTIME_HULLS)
        return VSP_ERR_FULL;
    hull = pool->hulls + slot;
    for (i = 0; i < count; i++) {
        hull->vertices[i].x = vsp__place_near(r_read(points[i].x));
        hull->vertices[i].y = vsp__place_near(r_read(points[i].y));
        hull->vertices[i].z = vsp__place_near(r_read(points[i].z));
    }
    if (!vsp__build_hull(hull, &count))
        return VSP_ERR_DATA;
    hull->generation++;
    world->changes++;
    pool->used = slot >= pool->used ? slot + 1u : pool->used;
    *table = vsp_hull_at(world, slot);
    return VSP_OK;
}

vsp_status vsp_hull_destroy(vsp_world *world, uint32_t table)
{
    vsp__runtime_hull *hull = find_runtime_hull(world, table);
    uint32_t i;

    if (!vsp__is_world(world))
        return VSP_ERR_ARG;
    if (hull == NULL)
        return VSP_ERR_ID;
    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type != 0 &&
            world->shapes[i].table == (table & 0xffffu))
            return VSP_ERR_ARG;
    vsp__empty_hull(hull);
    world->changes++;
    return VSP_OK;
}

vsp_status vsp_hull_get(const vsp_world *world, uint32_t table, vsp_hull *hull)
{
    const vsp__runtime_hull *found = find_runtime_hull(world, table);

    if (!vsp__is_world(world) || hull == NULL)
        return VSP_ERR_ARG;
    if (found == NULL)
        return VSP_ERR_ID;
    vsp__view_hull(found, hull);
    return VSP_OK;
}

/* Whether a scale is within 1/16 to 16, or that negative. */
static bool is_hull_scale(const vsp__v3 *scale)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (!r_in(r_abs(v3_part(scale, k)), VSP__REAL(0.0625), VSP__REAL(16.0)))
            return false;
    return true;
}

vsp_status vsp_hull_scale(const vsp_hull *hull, vsp_vec3 scale,
                          vsp_vec3 *points, uint32_t *count)
{
    vsp__v3 by = v3_read(scale), at;
    uint32_t i, k;

    if (count != NULL)
        *count = 0;
    if (hull == NULL || points == NULL || count == NULL ||
        hull->kind != VSP_TABLE_HULL || hull->vertices == NULL ||
        hull->vertex_count > VSP_MAX_HULL_POINTS || !is_hull_scale(&by))
        return VSP_ERR_ARG;
    for (i = 0; i < hull->vertex_count; i++) {
        vsp__place_to_v3(&hull->vertices[i], &at);
        for (k = 0; k < 3; k++)
            v3_parts(&at)[k] = r_mul(v3_part(&at, k), v3_part(&by, k));
        points[i] = v3_show(at);
    }
    *count = hull->vertex_count;
    return VSP_OK;
}

#endif /* VSP_MAX_RUNTIME_HULLS */
