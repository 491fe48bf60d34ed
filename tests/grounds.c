/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Ground of every kind, level at height 0, and worlds of every stepper. */

#include "grounds.h"

#include "fixture.h"
#include "port/geometry/hull.h"
#include "port/geometry/mesh.h"
#include "port/geometry/sdf.h"
#include "port/geometry/shell.h"

#include <string.h>

const char *const ground_names[GROUNDS] = {
    "plane", "box", "mesh", "field", "hull", "shell", "distance field"};

#define LONG_SIDE 17
#define SHORT_SIDE 7

static const int16_t flat_heights[LONG_SIDE * SHORT_SIDE];
static const vsp_height_field flat_field = {VSP_TABLE_HEIGHT_FIELD,
                                            LONG_SIDE,
                                            SHORT_SIDE,
                                            VSP_PLACE,
                                            1,
                                            0,
                                            0,
                                            flat_heights};

/* A flat mesh of squares of 1 m, 16 m by 6 m. */
static const vsp_mesh *flat_mesh(void)
{
    static mesh_storage room;
    static vec3 points[LONG_SIDE * SHORT_SIDE];
    static uint32_t triangles[2 * LONG_SIDE * SHORT_SIDE][3];
    size_t count = 0;
    int x, z;

    if (room.vertices != NULL)
        return &room.mesh;
    for (z = 0; z < SHORT_SIDE; z++)
        for (x = 0; x < LONG_SIDE; x++)
            points[z * LONG_SIDE + x] = vec_make(x - 8.0, 0, z - 3.0);
    for (z = 0; z + 1 < SHORT_SIDE; z++)
        for (x = 0; x + 1 < LONG_SIDE; x++) {
            uint32_t a = (uint32_t)(z * LONG_SIDE + x), b = a + LONG_SIDE;
            uint32_t quad[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};

            memcpy(triangles[count], quad, sizeof quad);
            count += 2;
        }
    CHECK(mesh_build(&room, points, LONG_SIDE * SHORT_SIDE, triangles, count,
                     MESH_LEAF) == NULL);
    return &room.mesh;
}

static const vsp_hull *slab_hull(void)
{
    static hull_storage room;
    vec3 points[8];
    int i;

    for (i = 0; i < 8; i++)
        points[i] = vec_make(i & 1 ? 8 : -8, i & 2 ? 0 : -1, i & 4 ? 3 : -3);
    CHECK(hull_build(&room, points, 8, 0) == NULL);
    return &room.hull;
}

/* A square sheet of 4 m, of two triangles. */
static const vsp_shell *flat_shell(void)
{
    static shell_storage room;
    vec3 points[4] = {{-2, 0, -2}, {-2, 0, 2}, {2, 0, 2}, {2, 0, -2}};
    uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};

    if (room.shell.sheet.kind != VSP_TABLE_SHELL)
        CHECK(shell_build(&room, points, 4, triangles, 2, MESH_LEAF) == NULL);
    return &room.shell;
}

/* A distance field of a block of 4 m by 1 m by 4 m with its top at 0. */
static const vsp_sdf *slab_field(void)
{
    static sdf_storage room;
    static const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    sdf_options options = sdf_options_default();
    uint32_t triangles[12][3];
    vec3 points[8];
    int i;

    if (room.distances != NULL)
        return &room.sdf;
    for (i = 0; i < 8; i++)
        points[i] = vec_make(i & 1 ? 2 : -2, i & 2 ? 0 : -1, i & 4 ? 2 : -2);
    for (i = 0; i < 12; i++) {
        const int *quad = quads[i / 2];

        triangles[i][0] = (uint32_t)quad[0];
        triangles[i][1] = (uint32_t)quad[i % 2 + 1];
        triangles[i][2] = (uint32_t)quad[i % 2 + 2];
    }
    options.cells = 40;
    CHECK(sdf_build(&room, points, 8, triangles, 12, &options) == NULL);
    return &room.sdf;
}

static void add_table_ground(vsp_world *world, vsp_shape_type type,
                             const void *table)
{
    uint32_t index = 0;

    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, table, &index, NULL));
    add_body(world, VSP_STATIC, vsp_table_shape(type, index), 0, 0, 0);
}

void add_ground_of(vsp_world *world, ground kind)
{
    test_note("ground %s", ground_names[kind]);
    if (kind == GROUND_PLANE)
        (void)add_ground(world);
    else if (kind == GROUND_BOX)
        add_body(world, VSP_STATIC, vsp_box(real(8), real(0.5), real(3)), 0,
                 -0.5, 0);
    else if (kind == GROUND_MESH)
        add_table_ground(world, VSP_SHAPE_MESH, flat_mesh());
    else if (kind == GROUND_FIELD)
        add_table_ground(world, VSP_SHAPE_HEIGHT_FIELD, &flat_field);
    else if (kind == GROUND_HULL)
        add_table_ground(world, VSP_SHAPE_HULL, slab_hull());
    else if (kind == GROUND_SHELL)
        add_table_ground(world, VSP_SHAPE_SHELL, flat_shell());
    else
        add_table_ground(world, VSP_SHAPE_SDF, slab_field());
}

const vsp_stepper steppers[STEPPERS] = {VSP_STEPPER_CARRY, VSP_STEPPER_SHOCK,
                                        VSP_STEPPER_PGS, VSP_STEPPER_SUBSPACE};

const char *const stepper_names[STEPPERS] = {"carry", "shock", "pgs",
                                             "subspace"};

vsp_world *world_of_stepper(int k)
{
    vsp_world_def def = vsp_world_def_default();

    def.stepper = steppers[k];
    return new_world_of(&def);
}
