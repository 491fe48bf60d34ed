/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A small mesh, written by hand; then the sets of tables. */

#include "table_sets.h"
#include "tables.h"

#if VSP_HULLS && VSP_MESHES && VSP_HEIGHT_FIELDS && VSP_SDFS

#define M VSP_PLACE

/* the ridge, from vertex 1 to 4, runs along z */
static const vsp_place roof_vertices[] = {
    {-2 * M, 0, -2 * M}, {0, M / 2, -2 * M}, {2 * M, 0, -2 * M},
    {-2 * M, 0, 2 * M},  {0, M / 2, 2 * M},  {2 * M, 0, 2 * M},
};

/* the diagonals of both sides are flat edges */
static const vsp_triangle roof_triangles[] = {
    {{0, 3, 4}, 4},
    {{0, 4, 1}, 1},
    {{1, 4, 5}, 4},
    {{1, 5, 2}, 1},
};

static const vsp_mesh_node roof_nodes[] = {
    {{-2 * M, 0, -2 * M}, {2 * M, M / 2, 2 * M}, 3, 0, 0, 0, 0},
    {{-2 * M, 0, -2 * M}, {0, M / 2, 2 * M}, 2, 2, 0, 0, 0},
    {{0, 0, -2 * M}, {2 * M, M / 2, 2 * M}, 3, 2, 0, 2, 0},
};

static const vsp_mesh roof = {
    VSP_TABLE_MESH, 6, 4, 3, 0, roof_vertices, roof_triangles, roof_nodes,
};

/* the tables of each set; null ends it */
static const void *const sets[TABLE_SETS][7] = {
    [TABLES_FEW] = {&hull_box, &hull_wedge, &hull_prism, &roof, &field_hills,
                    &sdf_animal},
    [TABLES_BIN] = {&hull_prism, &hull_cone, &hull_ball, &hull_wedge,
                    &hull_box},
    [TABLES_MARBLES] = {&mesh_run},
    [TABLES_HILLS] = {&field_hills},
    [TABLES_ANIMALS] = {&sdf_animal},
    [TABLES_LETTERS] = {&sdf_letters},
    [TABLES_BELT] = {&hull_prism},
    [TABLES_SENSOR] = {&hull_cone},
#if VSP_SHELLS
    [TABLES_SHELLS] = {&shell_plate, &shell_leaf, &shell_ring, &shell_bowl},
    [TABLES_BOATS] = {&shell_boat, &shell_tub, &shell_triangle},
#endif
};

static bool add_pieces(vsp_world *world, uint32_t count)
{
    uint32_t number;

    for (uint32_t i = 0; i < count; i++)
        if (vsp_world_add_table(world, broken_vase.pieces[i].hull, &number,
                                NULL) < 0 ||
            number != i + 1)
            return false;
    return true;
}

bool add_table_set(vsp_world *world, uint32_t set)
{
    uint32_t number;

    if (set == TABLES_SHARDS)
        return add_pieces(world, SHARDS);
    if (set == TABLES_VASE)
        return add_pieces(world, broken_vase.piece_count);
    for (uint32_t i = 0; set < TABLE_SETS && sets[set][i]; i++)
        if (vsp_world_add_table(world, sets[set][i], &number, NULL) < 0 ||
            number != i + 1)
            return false;
    return set < TABLE_SETS;
}

#else

bool add_table_set(vsp_world *world, uint32_t set)
{
    (void)world;
    return set == TABLES_NONE;
}

#endif
