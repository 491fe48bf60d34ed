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

void prove_mesh(void)
{
    vsp_mesh t;

    Frama_C_make_unknown((char *)&t, sizeof t);
    t.kind = VSP_TABLE_MESH;
    t.vertex_count = any_uint(0, 6);
    t.triangle_count = any_uint(0, 3);
    t.node_count = any_uint(0, 4);
    t.vertices = any_places;
    t.triangles = any_triangles;
    t.nodes = any_nodes;
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

void prove_height_field(void)
{
    vsp_height_field t;

    Frama_C_make_unknown((char *)&t, sizeof t);
    t.kind = VSP_TABLE_HEIGHT_FIELD;
    t.columns = any_uint(0, 3);
    t.rows = any_uint(0, 3);
    t.heights = any_heights;
    check_table(&t);
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
