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

/* Bounds of what a check accepts first.  prove_refusals shows that it refuses
 * all beyond; so the rest is analysed within. */
#define MOST_PLACE (100 * VSP_PLACE)
#define MOST_DIRECTION (VSP_DIRECTION + (1 << 14))

static int32_t any_beyond(int32_t most, bool is_below)
{
    return is_below ? any_int(-INT32_MAX - 1, -most - 1)
                    : any_int(most + 1, INT32_MAX);
}

static void fill_place(vsp_place *p)
{
    p->x = any_int(-MOST_PLACE, MOST_PLACE);
    p->y = any_int(-MOST_PLACE, MOST_PLACE);
    p->z = any_int(-MOST_PLACE, MOST_PLACE);
}

static void fill_places(void)
{
    uint32_t i;

    /*@ loop unroll 6; */
    for (i = 0; i < 6; i++)
        fill_place(any_places + i);
}

/* Sets a part of a place to a number beyond. */
static void spoil_place(vsp_place *p, uint32_t part, bool is_below)
{
    if (part == 0)
        p->x = any_beyond(MOST_PLACE, is_below);
    else if (part == 1)
        p->y = any_beyond(MOST_PLACE, is_below);
    else
        p->z = any_beyond(MOST_PLACE, is_below);
}

/* One place of any six out of range, or a centre. */
static void refuse_place(uint32_t i, uint32_t part, bool is_below)
{
    vsp_place center;
    place_extent e;

    Frama_C_make_unknown((char *)any_places, sizeof any_places);
    spoil_place(any_places + i, part, is_below);
    if (enclose_places(any_places, 6, &e)) {
        /*@ assert \false; */
    }
    Frama_C_make_unknown((char *)&center, sizeof center);
    spoil_place(&center, part, is_below);
    fill_place(&e.low);
    fill_place(&e.high);
    if (is_box_inside(&center, &center, &e.low, &e.high)) {
        /*@ assert \false; */
    }
}

static void refuse_direction(uint32_t part, bool is_below)
{
    vsp_plane n;

    Frama_C_make_unknown((char *)&n, sizeof n);
    if (part == 0)
        n.x = any_beyond(MOST_DIRECTION, is_below);
    else if (part == 1)
        n.y = any_beyond(MOST_DIRECTION, is_below);
    else
        n.z = any_beyond(MOST_DIRECTION, is_below);
    if (is_direction(&n)) {
        /*@ assert \false; */
    }
}

void prove_refusals(void)
{
    uint32_t i, part;

    /*@ loop unroll 3; */
    for (part = 0; part < 3; part++) {
        PROVE((refuse_direction(part, false), 0));
        PROVE((refuse_direction(part, true), 0));
        /*@ loop unroll 6; */
        for (i = 0; i < 6; i++) {
            PROVE((refuse_place(i, part, false), 0));
            PROVE((refuse_place(i, part, true), 0));
        }
    }
}

static void fill_planes(void)
{
    uint32_t i;

    /*@ loop unroll 5; */
    for (i = 0; i < 5; i++) {
        any_planes[i].x = any_int(-MOST_DIRECTION, MOST_DIRECTION);
        any_planes[i].y = any_int(-MOST_DIRECTION, MOST_DIRECTION);
        any_planes[i].z = any_int(-MOST_DIRECTION, MOST_DIRECTION);
    }
}

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
    fill_places();
    fill_place(&t.bulk.center);
    fill_planes();
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
    fill_places();
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
    fill_places();
    fill_place(&t.bulk.center);
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
