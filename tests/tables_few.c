/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The mesh first, which is small enough to be written by hand. */

#include "tables_few.h"
#include "tables.h"

#if VSP_HULLS && VSP_MESHES && VSP_HEIGHT_FIELDS && VSP_SDFS

#define M VSP_PLACE

/* the ridge, from 1 to 4, runs along z */
static const vsp_place roof_vertices[] = {
    {-2 * M, 0, -2 * M}, {0, M / 2, -2 * M}, {2 * M, 0, -2 * M},
    {-2 * M, 0, 2 * M},  {0, M / 2, 2 * M},  {2 * M, 0, 2 * M},
};

/* flat: the diagonals of both sides */
static const vsp_triangle roof_triangles[] = {
    {{0, 3, 4}, 4}, {{0, 4, 1}, 1}, {{1, 4, 5}, 4}, {{1, 5, 2}, 1},
};

static const vsp_mesh_node roof_nodes[] = {
    {{-2 * M, 0, -2 * M}, {2 * M, M / 2, 2 * M}, 3, 0, 0, 0, 0},
    {{-2 * M, 0, -2 * M}, {0, M / 2, 2 * M}, 2, 2, 0, 0, 0},
    {{0, 0, -2 * M}, {2 * M, M / 2, 2 * M}, 3, 2, 0, 2, 0},
};

static const vsp_mesh roof = {
    VSP_TABLE_MESH, 6, 4, 3, 0, roof_vertices, roof_triangles, roof_nodes,
};

static const void *const few[] = {
    &hull_box, &hull_wedge, &hull_prism, &roof, &field_hills, &sdf_animal,
};

bool add_few_tables(vsp_world *world)
{
    for (uint32_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        uint32_t number;

        if (vsp_world_add_table(world, few[i], &number, NULL) < 0 ||
            number != i + 1)
            return false;
    }
    return true;
}

#else

bool add_few_tables(vsp_world *world)
{
    (void)world;
    return false;
}

#endif
