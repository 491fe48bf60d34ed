/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The tables of worlds that get random calls: ground of several materials,
 * written by hand, and those that the sets of scenes lack. */

#include "worlds.h"

#include "port/scenes/table_sets.h"
#include "port/scenes/tables.h"

#define M VSP_PLACE

/* ice, rubber, carpet, a belt */
static const vsp_table_material palette[] = {
    {M / 50, 0, 0, 0, {0, 0, 0}, VSP_RULE_MIN, VSP_RULE_MAX},
    {M, M / 2, 0, 0, {0, 0, 0}, VSP_RULE_AVERAGE, VSP_RULE_MAX},
    {M / 2, 0, M / 20, M / 20, {0, 0, 0}, VSP_RULE_MAX, VSP_RULE_MIN},
    {M / 2, 0, 0, 0, {M, M / 2, -M}, VSP_RULE_GEOMETRIC, VSP_RULE_MAX},
};

static const int16_t yard_heights[9 * 9] = {
    100, 80,  0,   0, 0,  0,   0,   0,  100, 80,       50,  0,   0, 0,
    0,   0,   0,   0, 0,  0,   0,   40, 40,  VSP_HOLE, 0,   0,   0, 0,
    0,   -90, -90, 0, 40, 0,   0,   0,  0,   0,        -90, -90, 0, 0,
    0,   0,   0,   0, 0,  0,   0,   0,  0,   0,        120, 0,   0, 0,
    0,   0,   0,   0, 0,  120, 120, 0,  0,   -200,     0,   0,   0, 0,
    0,   0,   0,   0, 0,  0,   0,   0,  0,   0,        100,
};

static const uint8_t yard_cells[8 * 8] = {
    1, 1, 0, 0, 2, 2, 0, 0, 1, 1, 0, 0, 2, 2, 0, 0, 4, 4, 4, 4, 0, 0,
    3, 3, 4, 4, 4, 4, 0, 0, 3, 3, 0, 1, 2, 3, 4, 3, 2, 1, 1, 2, 3, 4,
    3, 2, 1, 0, 2, 2, 2, 2, 0, 0, 0, 0, 3, 3, 3, 3, 1, 1, 1, 1,
};

static const vsp_field_materials yard = {
    {VSP_TABLE_FIELD_MATERIALS, 9, 9, M / 2, M / 1024, -200, 120, yard_heights},
    {4, 0, palette, yard_cells},
};

/* a tent, open at both ends: the ridge, from vertex 1 to 4, runs along z */
static const vsp_place tent_vertices[] = {
    {-M, 0, -M}, {0, M / 4, -M}, {M, 0, -M},
    {-M, 0, M},  {0, M / 4, M},  {M, 0, M},
};

static const vsp_triangle tent_triangles[] = {
    {{0, 3, 4}, 4},
    {{0, 4, 1}, 1},
    {{1, 4, 5}, 4},
    {{1, 5, 2}, 1},
};

static const vsp_mesh_node tent_nodes[] = {
    {{-M, 0, -M}, {M, M / 4, M}, 1, 4, 0, 0, 0},
};

static const uint8_t tent_sides[] = {1, 2, 4, 0};

static const vsp_mesh_materials tent = {
    {VSP_TABLE_MESH_MATERIALS, 6, 4, 1, 0, tent_vertices, tent_triangles,
     tent_nodes},
    {4, 0, palette, tent_sides},
};

/* The tables after the first ones. */
static const void *const later[] = {
    &hull_cone,  &yard,       &tent,        &hull_ball,  &shell_triangle,
    &shell_boat, &shell_ring, &shell_plate, &shell_leaf,
};

void give_tables(vsp_world *world, uint32_t count)
{
    uint32_t has = vsp_world_table_count(world), number;

    if (has == 0 && !add_table_set(world, TABLES_FEW))
        give_up("tables are refused");
    for (has = vsp_world_table_count(world); has < count; has++)
        if (vsp_world_add_table(world, later[has - FIRST_TABLES], &number,
                                NULL) != VSP_OK ||
            number != has + 1)
            give_up("a table is refused");
}
