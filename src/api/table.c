/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tables of a world: adding and finding them; names of their flaws. */

#include "api.h"

#if VSP__HAS_TABLES

uint32_t vsp_world_table_count(const vsp_world *world)
{
    return vsp__is_world(world) ? world->table_count : 0;
}

const void *vsp_world_table(const vsp_world *world, uint32_t index)
{
    return index - 1u < vsp_world_table_count(world) ? world->tables[index - 1u]
                                                     : NULL;
}

vsp_status vsp_world_add_table(vsp_world *world, const void *table,
                               uint32_t *index, vsp_flaw *flaw)
{
    vsp_flaw found;
    uint32_t i;

    if (index != NULL)
        *index = 0;
    if (flaw != NULL)
        *flaw = VSP_FLAW_NONE;
    if (!vsp__is_world(world) || table == NULL || index == NULL)
        return VSP_ERR_ARG;
    for (i = 0; i < world->table_count; i++)
        if (world->tables[i] == table) {
            *index = i + 1u;
            return VSP_OK;
        }
    if (i >= VSP_MAX_TABLES)
        return VSP_ERR_FULL;
    found = vsp__check_table(table);
    if (flaw != NULL)
        *flaw = found;
    if (found != VSP_FLAW_NONE)
        return VSP_ERR_DATA;
    world->tables[i] = table;
    world->table_count = *index = i + 1u;
    world->params.tables = vsp__hash_word(world->params.tables,
                                          vsp__digest_table(table));
    return VSP_OK;
}

const char *vsp_flaw_name(vsp_flaw flaw)
{
    switch (flaw) {
    case VSP_FLAW_NONE:
        return "VSP_FLAW_NONE";
    case VSP_FLAW_NULL:
        return "VSP_FLAW_NULL";
    case VSP_FLAW_KIND:
        return "VSP_FLAW_KIND";
    case VSP_FLAW_COUNT:
        return "VSP_FLAW_COUNT";
    case VSP_FLAW_RANGE:
        return "VSP_FLAW_RANGE";
    case VSP_FLAW_INDEX:
        return "VSP_FLAW_INDEX";
    case VSP_FLAW_DEGENERATE:
        return "VSP_FLAW_DEGENERATE";
    case VSP_FLAW_PLANE:
        return "VSP_FLAW_PLANE";
    case VSP_FLAW_CONVEX:
        return "VSP_FLAW_CONVEX";
    case VSP_FLAW_TOPOLOGY:
        return "VSP_FLAW_TOPOLOGY";
    case VSP_FLAW_TREE:
        return "VSP_FLAW_TREE";
    case VSP_FLAW_BOUNDS:
        return "VSP_FLAW_BOUNDS";
    case VSP_FLAW_BULK:
        return "VSP_FLAW_BULK";
    case VSP_FLAW_CROSSING:
        return "VSP_FLAW_CROSSING";
    }
    return "unknown flaw";
}

#endif /* VSP__HAS_TABLES */
