/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A small mesh and a level field with materials, written by hand; then the sets
 * of tables. */

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

#if VSP_MATERIALS && VSP_ROLLING && VSP_BELTS

#define SIX(m) m, m, m, m, m, m
#define LANE(a, b, c, d)                                                    \
    SIX(a), SIX(b), SIX(c), SIX(d), SIX(a), SIX(b), SIX(c), SIX(d), SIX(a), \
        SIX(b), SIX(c), SIX(d), SIX(a), SIX(b), SIX(c), SIX(d)

/* ice, rubber, steel, carpet, a belt along x */
static const vsp_table_material rink_palette[] = {
    {M / 50, 0, 0, 0, {0, 0, 0}, VSP_RULE_MIN, VSP_RULE_MAX},
    {M, M / 5, 0, 0, {0, 0, 0}, VSP_RULE_AVERAGE, VSP_RULE_MAX},
    {M / 5, M * 4 / 5, 0, 0, {0, 0, 0}, VSP_RULE_MIN, VSP_RULE_MAX},
    {M / 2, 0, M / 100, M / 100, {0, 0, 0}, VSP_RULE_MIN, VSP_RULE_MIN},
    {M / 2, 0, 0, 0, {M * 3 / 2, 0, 0}, VSP_RULE_GEOMETRIC, VSP_RULE_MAX},
};

/* four lanes along x, of four rows each */
static const uint8_t rink_cells[24 * 16] = {LANE(1, 1, 2, 2), LANE(0, 4, 4, 4),
                                            LANE(0, 3, 0, 3), LANE(5, 5, 5, 1)};

static const int16_t rink_heights[25 * 17] = {0};

static const vsp_field_materials rink = {
    {VSP_TABLE_FIELD_MATERIALS, 25, 17, M / 2, M / 1024, 0, 0, rink_heights},
    {5, 0, rink_palette, rink_cells},
};

#endif

#if VSP_FIELD_EDITS

static const int16_t lawn_heights[25 * 25] = {0};

static const vsp_height_field lawn = {
    VSP_TABLE_HEIGHT_FIELD, 25, 25, M / 4, M / 1024, 0, 0, lawn_heights,
};

#endif

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
#if VSP_FIELD_EDITS
    [TABLES_CRATER] = {&lawn},
#endif
#if VSP_MATERIALS && VSP_ROLLING && VSP_BELTS
    [TABLES_RINK] = {&rink},
#endif
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
