/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The checks of tables, given any numbers, and the digests of the accepted
 * tables. ci/prove names the function where the analysis begins. */

#include "any.h"

#define VSP_CONFIG "tests/prove/small.h"
#include "src/number/vector.c"
#include "src/number/float.c"
#include "src/number/fixed.c"
#include "src/number/rotation.c"

#include "src/collide/table.c"

#include "lemmas.h"

static vsp_place any_places[6];
static vsp_plane any_planes[5];
static uint16_t any_first[6];
static uint8_t any_corners[18];
static vsp_hull_edge any_edges[9];
static vsp_triangle any_triangles[3];
static vsp_mesh_node any_nodes[4];
static int16_t any_heights[9], any_distances[27];
static vsp_sphere_node any_spheres[3];
static vsp_table_material any_palette[2];
static uint8_t any_of[4];

static void check_table(const void *table)
{
    if (vsp__check_table(table) == VSP_FLAW_NONE)
        (void)vsp__digest_table(table);
}

/* arrays of the lengths in the table's counts: at most 6 corners and 5 faces */
void prove_hull(void)
{
    vsp_hull t;

    Frama_C_make_unknown((char *)&t, sizeof t);
    t.kind = VSP_TABLE_HULL;
    t.vertex_count = any_uint(0, 6);
    t.face_count = any_uint(0, 5);
    t.edge_count = any_uint(0, 9);
    t.corner_count = any_uint(0, 18);
    t.vertices = any_places;
    t.planes = any_planes;
    t.first = any_first;
    t.corners = any_corners;
    t.edges = any_edges;
    check_table(&t);
}

static void fill_materials(vsp_table_materials *t)
{
    t->count = (uint16_t)any_uint(0, 2);
    t->palette = any_palette;
    t->of = any_of;
}

/* with materials and without */
void prove_mesh(void)
{
    vsp_mesh_materials t;

    Frama_C_make_unknown((char *)&t, sizeof t);
    t.mesh.vertex_count = any_uint(0, 6);
    t.mesh.triangle_count = any_uint(0, 3);
    t.mesh.node_count = any_uint(0, 4);
    t.mesh.vertices = any_places;
    t.mesh.triangles = any_triangles;
    t.mesh.nodes = any_nodes;
    fill_materials(&t.materials);
    t.mesh.kind = VSP_TABLE_MESH;
    check_table(&t);
    t.mesh.kind = VSP_TABLE_MESH_MATERIALS;
    check_table(&t);
}

void prove_shell(void)
{
    vsp_shell t;

    Frama_C_make_unknown((char *)&t, sizeof t);
    t.sheet.kind = VSP_TABLE_SHELL;
    t.sheet.vertex_count = any_uint(0, 6);
    t.sheet.triangle_count = any_uint(0, 3);
    t.sheet.node_count = any_uint(0, 4);
    t.sheet.vertices = any_places;
    t.sheet.triangles = any_triangles;
    t.sheet.nodes = any_nodes;
    check_table(&t);
}

static void try_field(uint32_t kind, uint32_t columns, uint32_t rows)
{
    vsp_field_materials t;

    Frama_C_make_unknown((char *)&t, sizeof t);
    t.field.kind = kind;
    t.field.columns = columns;
    t.field.rows = rows;
    t.field.heights = any_heights;
    fill_materials(&t.materials);
    check_table(&t);
}

/* with materials and without */
void prove_height_field(void)
{
    uint32_t columns, rows;

    /*@ loop unroll 4; */
    for (columns = 0; columns <= 3; columns++)
        /*@ loop unroll 4; */
        for (rows = 0; rows <= 3; rows++) {
            PROVE((try_field(VSP_TABLE_HEIGHT_FIELD, columns, rows), 0));
            PROVE((try_field(VSP_TABLE_FIELD_MATERIALS, columns, rows), 0));
        }
}

void prove_sdf(void)
{
    vsp_sdf t;

    Frama_C_make_unknown((char *)&t, sizeof t);
    t.kind = VSP_TABLE_SDF;
    t.count[0] = any_uint(0, 3);
    t.count[1] = any_uint(0, 3);
    t.count[2] = any_uint(0, 3);
    t.node_count = any_uint(0, 3);
    t.distances = any_distances;
    t.nodes = any_spheres;
    check_table(&t);
}
