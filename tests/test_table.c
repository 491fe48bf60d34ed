/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tables of geometry, made by hand and broken on purpose.  Valid ones must
 * pass; each flaw must be found and named; and no content may make the checks
 * run forever, or read outside of arrays (which a sanitizer detects: arrays are
 * exactly as long as stated).  In this order: the tables, valid ones, flaws by
 * type, damage of every byte, digests, worlds. */

#include "fixture.h"
#include "src/record/record.h"

#include <math.h>
#include <string.h>

#define METRE VSP_PLACE
#define HALF (VSP_PLACE / 2)
#define FAR (100 * VSP_PLACE)


/* ---- Tables ---------------------------------------------------------------
 * set_up rebuilds all of them. */

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

static uint32_t bits_of(double x)
{
    float single = (float)x;
    uint32_t bits;

    memcpy(&bits, &single, 4);
    return bits;
}

static int32_t places(double x)
{
    return (int32_t)floor(x * VSP_PLACE + 0.5);
}

static vsp_place place_at(double x, double y, double z)
{
    vsp_place p;

    p.x = places(x);
    p.y = places(y);
    p.z = places(z);
    return p;
}

static vsp_plane plane(double x, double y, double z, double offset)
{
    double length = fmax(sqrt(x * x + y * y + z * z), 1e-9); /* of a line */
    vsp_plane n;

    n.x = (int32_t)floor(x / length * VSP_DIRECTION + 0.5);
    n.y = (int32_t)floor(y / length * VSP_DIRECTION + 0.5);
    n.z = (int32_t)floor(z / length * VSP_DIRECTION + 0.5);
    n.offset = places(offset / length);
    return n;
}

static vsp_bulk bulk(double volume, vsp_place center)
{
    vsp_bulk b;

    memset(&b, 0, sizeof b);
    b.volume = bits_of(volume);
    b.center = center;
    return b;
}

/* a cube of 1 m; bits 0, 1, 2 of i select the sign of x, y, z of corner i */
static struct {
    vsp_place vertices[8];
    vsp_plane planes[6];
    uint16_t first[7];
    uint8_t corners[24];
    vsp_hull_edge edges[12];
    vsp_hull hull;
} cube;

/* half of a block of 2 m x 1 m x 1 m */
static struct {
    vsp_place vertices[6];
    vsp_plane planes[5];
    uint16_t first[6];
    uint8_t corners[18];
    vsp_hull_edge edges[9];
    vsp_hull hull;
} wedge;

/* Lists the edges: each side with an ascending pair of corners, and the face
 * that has the pair in the other direction. */
static void find_edges(const vsp_hull *t, vsp_hull_edge *edges)
{
    uint32_t f, i, g, k;

    for (f = 0; f < t->face_count; f++)
        for (i = t->first[f]; i < t->first[f + 1]; i++) {
            uint32_t j = i + 1 < t->first[f + 1] ? i + 1 : t->first[f];

            if (t->corners[i] > t->corners[j])
                continue;
            edges->tail = t->corners[i];
            edges->head = t->corners[j];
            edges->left = (uint8_t)f;
            for (g = 0; g < t->face_count; g++)
                for (k = t->first[g]; k < t->first[g + 1]; k++) {
                    uint32_t l = k + 1 < t->first[g + 1] ? k + 1 : t->first[g];

                    if (t->corners[k] == edges->head &&
                        t->corners[l] == edges->tail)
                        edges->right = (uint8_t)g;
                }
            edges++;
        }
}

/* Returns the hull of these arrays, without bulk. */
static vsp_hull assemble_hull(const vsp_place *vertices, uint32_t vertex_count,
                              const vsp_plane *planes, uint32_t face_count,
                              const uint16_t *first, const uint8_t *corners,
                              vsp_hull_edge *edges)
{
    vsp_hull hull;

    memset(&hull, 0, sizeof hull);
    hull.kind = VSP_TABLE_HULL;
    hull.vertex_count = (uint16_t)vertex_count;
    hull.face_count = (uint16_t)face_count;
    hull.corner_count = first[face_count];
    hull.edge_count = first[face_count] / 2;
    hull.vertices = vertices;
    hull.planes = planes;
    hull.first = first;
    hull.corners = corners;
    hull.edges = edges;
    find_edges(&hull, edges);
    return hull;
}

static void make_cube(void)
{
    static const uint8_t corners[24] = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3,
                                        0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
    uint32_t i;

    memset(&cube, 0, sizeof cube);
    for (i = 0; i < 8; i++)
        cube.vertices[i] = place_at(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5,
                                    i & 4 ? 0.5 : -0.5);
    for (i = 0; i < 7; i++)
        cube.first[i] = (uint16_t)(4 * i);
    memcpy(cube.corners, corners, sizeof corners);
    for (i = 0; i < 6; i++) {
        double up = i & 1 ? -1 : 1;

        cube.planes[i] = plane(i / 2 == 0 ? up : 0, i / 2 == 1 ? up : 0,
                               i / 2 == 2 ? up : 0, 0.5);
    }
    cube.hull = assemble_hull(cube.vertices, 8, cube.planes, 6, cube.first,
                              cube.corners, cube.edges);
    cube.hull.bulk = bulk(1, place_at(0, 0, 0));
    for (i = 0; i < 3; i++)
        cube.hull.bulk.inertia[i] = bits_of(1.0 / 6);
}

static void make_wedge(void)
{
    static const uint8_t corners[18] = {0, 2, 1, 3, 4, 5, 0, 1, 4,
                                        3, 0, 3, 5, 2, 1, 2, 5, 4};
    static const uint16_t first[6] = {0, 3, 6, 10, 14, 18};
    vsp_bulk *b = &wedge.hull.bulk;
    uint32_t i;

    memset(&wedge, 0, sizeof wedge);
    for (i = 0; i < 6; i++)
        wedge.vertices[i] = place_at(i % 3 == 1 ? 2 : 0, i % 3 == 2 ? 1 : 0,
                                     i / 3);
    memcpy(wedge.first, first, sizeof first);
    memcpy(wedge.corners, corners, sizeof corners);
    wedge.planes[0] = plane(0, 0, -1, 0);
    wedge.planes[1] = plane(0, 0, 1, 1);
    wedge.planes[2] = plane(0, -1, 0, 0);
    wedge.planes[3] = plane(-1, 0, 0, 0);
    wedge.planes[4] = plane(1, 2, 0, 2);
    wedge.hull = assemble_hull(wedge.vertices, 6, wedge.planes, 5, wedge.first,
                               wedge.corners, wedge.edges);
    /* for a right triangle with legs a, b: a^2 / 18, b^2 / 18, -a b / 36 */
    *b = bulk(1, place_at(2.0 / 3, 1.0 / 3, 0.5));
    b->inertia[0] = bits_of(1.0 / 18 + 1.0 / 12);
    b->inertia[1] = bits_of(4.0 / 18 + 1.0 / 12);
    b->inertia[2] = bits_of(4.0 / 18 + 1.0 / 18);
    b->inertia[3] = bits_of(2.0 / 36);
}

/* a square of two triangles */
static struct {
    vsp_place vertices[4];
    vsp_triangle triangles[2];
    vsp_mesh_node nodes[3];
    vsp_mesh mesh;
} square;

static void make_square(void)
{
    static const uint16_t corners[2][3] = {{0, 2, 1}, {1, 2, 3}};
    uint32_t i;

    memset(&square, 0, sizeof square);
    for (i = 0; i < 4; i++)
        square.vertices[i] = place_at(i & 1, 0, i >> 1);
    for (i = 0; i < 2; i++)
        memcpy(square.triangles[i].vertex, corners[i], sizeof corners[i]);
    square.triangles[0].marks = 2;
    square.triangles[1].marks = 1;
    for (i = 0; i < 3; i++) {
        square.nodes[i].high = square.vertices[3];
        square.nodes[i].next = i > 0 ? (uint16_t)(i + 1) : 3;
        square.nodes[i].count = i > 0;
        square.nodes[i].first = i == 2;
    }
    square.mesh.kind = VSP_TABLE_MESH;
    square.mesh.vertex_count = 4;
    square.mesh.triangle_count = 2;
    square.mesh.node_count = 3;
    square.mesh.vertices = square.vertices;
    square.mesh.triangles = square.triangles;
    square.mesh.nodes = square.nodes;
}

/* A roof, a wing that shares one corner with it, and an unconnected
 * triangle. */
#define LEAF_TRIANGLES 4
#define LEAF_VERTICES 9

static struct {
    vsp_place vertices[LEAF_VERTICES];
    vsp_triangle triangles[LEAF_TRIANGLES];
    vsp_mesh_node nodes[3];
    vsp_shell shell;
} leaf;

/* Computes the marks of a shell's triangle by exhaustive search. */
static uint32_t own_marks(const vsp_triangle *triangles, uint32_t index)
{
    uint32_t own = 63, i, j, k, l;

    for (i = 0; i < index; i++)
        for (k = 0; k < 3; k++)
            for (j = 0; j < 3; j++) {
                const uint16_t *is = triangles[index].vertex;
                const uint16_t *was = triangles[i].vertex;

                if (is[k] != was[j])
                    continue;
                own &= ~(1u << k);
                for (l = 0; l < 3; l++)
                    if (l != j && is[(k + 1) % 3] == was[l])
                        own &= ~(8u << k);
            }
    return own;
}

static double *metres(const vsp_place *p, double at[3])
{
    at[0] = (double)p->x / METRE;
    at[1] = (double)p->y / METRE;
    at[2] = (double)p->z / METRE;
    return at;
}

/* Adds integrals over a triangle, exactly by the midpoints of its sides: area,
 * first and second moments. */
static void add_sheet(const vsp_place *const p[3], double sums[10])
{
    static const uint32_t rows[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                        {0, 1}, {0, 2}, {1, 2}};
    double c[3][3], n[3], area;
    uint32_t i, k;

    for (k = 0; k < 3; k++)
        metres(p[k], c[k]);
    for (i = 0; i < 3; i++) {
        uint32_t y = (i + 1) % 3, z = (i + 2) % 3;

        n[i] = (c[1][y] - c[0][y]) * (c[2][z] - c[0][z]) -
               (c[1][z] - c[0][z]) * (c[2][y] - c[0][y]);
    }
    area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    sums[0] += area;
    for (k = 0; k < 3; k++) {
        double middle[3];

        for (i = 0; i < 3; i++) {
            middle[i] = (c[k][i] + c[(k + 1) % 3][i]) / 2;
            sums[1 + i] += area / 3 * middle[i];
        }
        for (i = 0; i < 6; i++)
            sums[4 + i] += area / 3 * middle[rows[i][0]] * middle[rows[i][1]];
    }
}

static void weigh_shell(vsp_shell *t)
{
    const vsp_mesh *sheet = &t->sheet;
    double sums[10] = {0}, *at = &sums[1], *second = &sums[4];
    uint32_t i, k;

    for (i = 0; i < sheet->triangle_count; i++) {
        const vsp_place *corner[3];

        for (k = 0; k < 3; k++)
            corner[k] = &sheet->vertices[sheet->triangles[i].vertex[k]];
        add_sheet(corner, sums);
    }
    for (i = 1; i < 10 && sums[0] > 0; i++) /* some triangles have no area */
        sums[i] /= sums[0];
    for (i = 0; i < 3; i++) {
        second[i] -= at[i] * at[i];
        second[3 + i] -= at[i < 2 ? 0 : 1] * at[i < 1 ? 1 : 2];
    }
    t->bulk = bulk(sums[0], place_at(at[0], at[1], at[2]));
    for (i = 0; i < 3; i++) {
        t->bulk.inertia[i] = bits_of(second[(i + 1) % 3] + second[(i + 2) % 3]);
        t->bulk.inertia[3 + i] = bits_of(-second[3 + i]);
    }
}

/* Makes a node enclose the triangles from first to end. */
static void enclose_triangles(vsp_mesh_node *node, const vsp_mesh *t,
                              uint32_t first, uint32_t end)
{
    uint32_t i;

    node->low = node->high = t->vertices[t->triangles[first].vertex[0]];
    for (i = 3 * first; i < 3 * end; i++) {
        const vsp_place *p = &t->vertices[t->triangles[i / 3].vertex[i % 3]];

        node->low.x = p->x < node->low.x ? p->x : node->low.x;
        node->low.y = p->y < node->low.y ? p->y : node->low.y;
        node->low.z = p->z < node->low.z ? p->z : node->low.z;
        node->high.x = p->x > node->high.x ? p->x : node->high.x;
        node->high.y = p->y > node->high.y ? p->y : node->high.y;
        node->high.z = p->z > node->high.z ? p->z : node->high.z;
    }
}

/* Recomputes marks, nodes and bulk; two leaves. */
static void finish_leaf(void)
{
    uint32_t i;

    for (i = 0; i < LEAF_TRIANGLES; i++)
        leaf.triangles[i].marks = (uint16_t)own_marks(leaf.triangles, i);
    for (i = 0; i < 3; i++) {
        enclose_triangles(&leaf.nodes[i], &leaf.shell.sheet, i == 2 ? 2 : 0,
                          i == 1 ? 2 : 4);
        leaf.nodes[i].next = i > 0 ? (uint16_t)(i + 1) : 3;
        leaf.nodes[i].count = i > 0 ? 2 : 0;
        leaf.nodes[i].first = i == 2 ? 2 : 0;
    }
    weigh_shell(&leaf.shell);
}

static void make_leaf(void)
{
    static const double places_of[LEAF_VERTICES][3] = {
        {0, 0, 0},       {1, 0.5, 0},       {0, 0, 1},
        {-1, 0.25, 0.5}, {0.25, -1, -1},    {-0.25, -0.5, -1},
        {2, 0.25, 0.5},  {2.5, 0.25, 0.25}, {2, 1, -0.25},
    };
    static const uint16_t corners[LEAF_TRIANGLES][3] = {
        {0, 2, 1}, {3, 2, 0}, {0, 4, 5}, {6, 7, 8}};
    vsp_mesh *sheet = &leaf.shell.sheet;
    uint32_t i;

    memset(&leaf, 0, sizeof leaf);
    for (i = 0; i < LEAF_VERTICES; i++)
        leaf.vertices[i] = place_at(places_of[i][0], places_of[i][1],
                                    places_of[i][2]);
    for (i = 0; i < LEAF_TRIANGLES; i++)
        memcpy(leaf.triangles[i].vertex, corners[i], sizeof corners[i]);
    sheet->kind = VSP_TABLE_SHELL;
    sheet->vertex_count = LEAF_VERTICES;
    sheet->triangle_count = LEAF_TRIANGLES;
    sheet->node_count = 3;
    sheet->vertices = leaf.vertices;
    sheet->triangles = leaf.triangles;
    sheet->nodes = leaf.nodes;
    finish_leaf();
}

/* nine samples, one of them a hole */
static struct {
    int16_t heights[9];
    vsp_height_field field;
} hill;

static void make_hill(void)
{
    static const int16_t heights[9] = {0, 1, 0, -3, 7, VSP_HOLE, 0, 1, 2};

    memset(&hill, 0, sizeof hill);
    memcpy(hill.heights, heights, sizeof heights);
    hill.field.kind = VSP_TABLE_HEIGHT_FIELD;
    hill.field.columns = hill.field.rows = 3;
    hill.field.cell = METRE;
    hill.field.step = METRE / 10;
    hill.field.low = -3;
    hill.field.high = 7;
    hill.field.heights = hill.heights;
}

/* a ball of radius 0.4 m in a grid of 5 x 5 x 4 points */
static struct {
    int16_t distances[100];
    vsp_sphere_node nodes[3];
    vsp_sdf sdf;
} ball;

static void make_ball(void)
{
    double r = 0.4, cell = 0.25;
    uint32_t i;

    memset(&ball, 0, sizeof ball);
    ball.sdf.kind = VSP_TABLE_SDF;
    ball.sdf.count[0] = ball.sdf.count[1] = 5;
    ball.sdf.count[2] = 4;
    ball.sdf.node_count = 3;
    ball.sdf.low = place_at(-0.5, -0.5, -0.5);
    ball.sdf.cell = places(cell);
    ball.sdf.step = 64;
    for (i = 0; i < 100; i++) {
        double x = -0.5 + cell * (i % 5), y = -0.5 + cell * (i / 5 % 5);
        double z = -0.5 + cell * (i / 25);
        double d = sqrt(x * x + y * y + z * z) - r;

        ball.distances[i] = (int16_t)floor(d * METRE / 64 + 0.5);
    }
    for (i = 0; i < 3; i++) {
        ball.nodes[i].center = place_at(i == 0 ? 0 : i == 1 ? -0.1 : 0.1, 0, 0);
        ball.nodes[i].radius = places(i == 0 ? r : 0.3);
        ball.nodes[i].next = i > 0 ? (uint16_t)(i + 1) : 3;
    }
    ball.sdf.distances = ball.distances;
    ball.sdf.nodes = ball.nodes;
    ball.sdf.bulk = bulk(4.18879 * r * r * r, place_at(0, 0, 0));
    for (i = 0; i < 3; i++)
        ball.sdf.bulk.inertia[i] = bits_of(0.4 * r * r);
}

static void set_up(void)
{
    make_cube();
    make_wedge();
    make_square();
    make_hill();
    make_ball();
    make_leaf();
}

static const void *const all_tables[] = {&cube.hull,  &wedge.hull, &square.mesh,
                                         &hill.field, &ball.sdf,   &leaf.shell};

/* Sets this value in a table, and checks that the table then has this flaw. */
#define BREAK(expected, table, what, value)                           \
    (set_up(), (what) = (value),                                      \
     test_uint(expected, vsp__check_table(table), __FILE__, __LINE__, \
               #what " = " #value))

#define BREAK_CUBE(expected, what, value) \
    BREAK(expected, &cube.hull, cube.what, value)
#define BREAK_WEDGE(expected, what, value) \
    BREAK(expected, &wedge.hull, wedge.what, value)
#define BREAK_SQUARE(expected, what, value) \
    BREAK(expected, &square.mesh, square.what, value)
#define BREAK_HILL(expected, what, value) \
    BREAK(expected, &hill.field, hill.what, value)
#define BREAK_BALL(expected, what, value) \
    BREAK(expected, &ball.sdf, ball.what, value)
#define BREAK_LEAF(expected, what, value) \
    BREAK(expected, &leaf.shell, leaf.what, value)

/* a small generator: the same numbers on every machine */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}


/* ---- Sound tables -------------------------------------------------------- */

static void sound_tables_pass(void)
{
    uint32_t i;

    set_up();
    for (i = 0; i < COUNT(all_tables); i++) {
        test_note("table %u", (unsigned)i);
        CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(all_tables[i]));
    }
    test_note("");
}

/* Rounding as by a tool: corners off their plane by some places. */
static void rounded_hulls_pass(void)
{
    BREAK_CUBE(VSP_FLAW_NONE, vertices[7].x, HALF + 3);
    BREAK_CUBE(VSP_FLAW_NONE, vertices[7].x, HALF - 100);
    BREAK_CUBE(VSP_FLAW_NONE, planes[0].offset, HALF + 100);
    BREAK_CUBE(VSP_FLAW_NONE, planes[0].x, VSP_DIRECTION - 1000);
    BREAK_CUBE(VSP_FLAW_NONE, hull.bulk.volume, bits_of(1.01));
    BREAK_CUBE(VSP_FLAW_NONE, hull.bulk.center.x, METRE / 200);
    BREAK_CUBE(VSP_FLAW_NONE, hull.bulk.inertia[0], bits_of(0.168));
    BREAK_CUBE(VSP_FLAW_NONE, hull.bulk.inertia[3], bits_of(1e-30));
}

/* Scales and displaces the cube: p = p * scale + offset, in places. */
static vsp_flaw cube_at(double x, double y, double z, double away)
{
    vsp_bulk *b = &cube.hull.bulk;
    uint32_t i;

    set_up();
    for (i = 0; i < 8; i++) {
        vsp_place *p = &cube.vertices[i];

        *p = place_at(away + (p->x > 0 ? x : -x), away + (p->y > 0 ? y : -y),
                      away + (p->z > 0 ? z : -z));
    }
    for (i = 0; i < 6; i++)
        cube.planes[i].offset = places((i & 1 ? -away : away) + (i < 2   ? x
                                                                 : i < 4 ? y
                                                                         : z));
    *b = bulk(8 * x * y * z, place_at(away, away, away));
    b->inertia[0] = bits_of((y * y + z * z) / 3);
    b->inertia[1] = bits_of((x * x + z * z) / 3);
    b->inertia[2] = bits_of((x * x + y * y) / 3);
    return vsp__check_table(&cube.hull);
}

static void hulls_of_any_size_pass(void)
{
    CHECK_UINT(VSP_FLAW_NONE, cube_at(100, 100, 100, 0));
    CHECK_UINT(VSP_FLAW_NONE, cube_at(0.0026, 0.0026, 0.0026, 0));
    CHECK_UINT(VSP_FLAW_NONE, cube_at(0.0026, 0.0026, 0.0026, 99));
    CHECK_UINT(VSP_FLAW_NONE, cube_at(0.0026, 0.00013, 0.00013, 0));
    CHECK_UINT(VSP_FLAW_NONE, cube_at(100, 100, 0.00051, 0));
    CHECK_UINT(VSP_FLAW_NONE, cube_at(100, 0.00051, 0.00051, 0));
    CHECK_UINT(VSP_FLAW_NONE, cube_at(1, 2, 3, -50));
    CHECK_UINT(VSP_FLAW_RANGE, cube_at(0.0024, 0.0024, 0.0024, 0));
    CHECK_UINT(VSP_FLAW_RANGE, cube_at(2, 2, 2, 98.5));
    CHECK_UINT(VSP_FLAW_DEGENERATE, cube_at(1, 1, 0.00012, 0));
}

static void four_faces_are_enough(void)
{
    static const uint8_t corners[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const uint16_t first[5] = {0, 3, 6, 9, 12};
    vsp_plane planes[4];
    vsp_place vertices[4];
    vsp_hull_edge edges[6];
    vsp_hull hull;
    uint32_t i;

    for (i = 0; i < 4; i++) {
        vertices[i] = place_at(i == 1, i == 2, i == 3);
        planes[i] = plane(i == 2 ? -1 : 0, i == 1 ? -1 : 0, i == 0 ? -1 : 0, 0);
    }
    planes[3] = plane(1, 1, 1, 1);
    hull = assemble_hull(vertices, 4, planes, 4, first, corners, edges);
    hull.bulk = bulk(1.0 / 6, place_at(0.25, 0.25, 0.25));
    for (i = 0; i < 6; i++)
        hull.bulk.inertia[i] = bits_of(i < 3 ? 3.0 / 40 : 1.0 / 80);
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&hull));
    hull.bulk.inertia[5] = bits_of(-1.0 / 80);
    CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&hull));
}

/* A prism of many sides, of 1 m height and radius. */
static vsp_flaw prism(uint32_t sides)
{
    static vsp_place vertices[70];
    static vsp_plane planes[40];
    static uint16_t first[40];
    static uint8_t corners[240];
    static vsp_hull_edge edges[120];
    double angle = 2 * 3.14159265358979 / sides, s = sin(angle / 2);
    vsp_hull hull;
    uint32_t i, at = 0;

    for (i = 0; i < 2 * sides; i++)
        vertices[i] = place_at(cos(angle * (i / 2)), i & 1 ? 0.5 : -0.5,
                               -sin(angle * (i / 2)));
    for (i = 0; i < sides; i++) {
        uint32_t next = (i + 1) % sides;

        planes[i] = plane(cos(angle * (i + 0.5)), 0, -sin(angle * (i + 0.5)),
                          cos(angle / 2));
        first[i] = (uint16_t)at;
        corners[at++] = (uint8_t)(2 * i);
        corners[at++] = (uint8_t)(2 * next);
        corners[at++] = (uint8_t)(2 * next + 1);
        corners[at++] = (uint8_t)(2 * i + 1);
    }
    planes[sides] = plane(0, 1, 0, 0.5);
    planes[sides + 1] = plane(0, -1, 0, 0.5);
    first[sides] = (uint16_t)at;
    for (i = 0; i < sides; i++)
        corners[at++] = (uint8_t)(2 * i + 1);
    first[sides + 1] = (uint16_t)at;
    for (i = sides; i-- > 0;)
        corners[at++] = (uint8_t)(2 * i);
    first[sides + 2] = (uint16_t)at;
    hull = assemble_hull(vertices, 2 * sides, planes, sides + 2, first, corners,
                         edges);
    hull.bulk = bulk(sides / 2.0 * sin(angle), place_at(0, 0, 0));
    hull.bulk.inertia[1] = bits_of(0.5 - s * s / 3);
    hull.bulk.inertia[0] = hull.bulk.inertia[2] = bits_of(0.25 - s * s / 6 +
                                                          1.0 / 12);
    return vsp__check_table(&hull);
}

static void large_hulls_pass(void)
{
    CHECK_UINT(VSP_FLAW_NONE, prism(3));
    CHECK_UINT(VSP_FLAW_NONE, prism(32));
    CHECK_UINT(VSP_FLAW_COUNT, prism(33));
}

/* There are 42 ordered trees of six nodes; all other links must be refused. */
static void trees_are_trees(void)
{
    uint32_t links[6], i, k, accepted = 0, code;
    vsp_triangle triangles[6];
    vsp_mesh_node nodes[6];
    vsp_mesh mesh;

    set_up();
    mesh = square.mesh;
    mesh.triangles = triangles;
    mesh.nodes = nodes;
    mesh.node_count = 6;
    for (i = 0; i < 6; i++)
        triangles[i] = square.triangles[0];
    for (code = 0; code < 8u * 8 * 8 * 8 * 8 * 8; code++) {
        mesh.triangle_count = 0;
        for (i = 0; i < 6; i++) {
            links[i] = code >> (3 * i) & 7;
            nodes[i] = square.nodes[0];
            nodes[i].next = (uint16_t)links[i];
            nodes[i].count = links[i] == i + 1;
            nodes[i].first = mesh.triangle_count;
            mesh.triangle_count = (uint16_t)(mesh.triangle_count +
                                             nodes[i].count);
        }
        if (vsp__check_table(&mesh) == VSP_FLAW_NONE) {
            accepted++;
            for (i = 0; i < 6; i++) /* no child may end after its parent */
                for (k = i + 1; k < links[i]; k++)
                    CHECK(links[k] <= links[i]);
        }
    }
    CHECK_UINT(42, accepted);
}


/* ---- Flaws of hulls ------------------------------------------------------ */

static void hulls_are_counted(void)
{
    BREAK_CUBE(VSP_FLAW_KIND, hull.kind, VSP_TABLE_HULL + 1u);
    BREAK_CUBE(VSP_FLAW_KIND, hull.kind, 0);
    BREAK_CUBE(VSP_FLAW_NULL, hull.vertices, NULL);
    BREAK_CUBE(VSP_FLAW_NULL, hull.planes, NULL);
    BREAK_CUBE(VSP_FLAW_NULL, hull.first, NULL);
    BREAK_CUBE(VSP_FLAW_NULL, hull.corners, NULL);
    BREAK_CUBE(VSP_FLAW_NULL, hull.edges, NULL);
    BREAK_CUBE(VSP_FLAW_COUNT, hull.vertex_count, 3);
    BREAK_CUBE(VSP_FLAW_COUNT, hull.vertex_count, 65);
    BREAK_CUBE(VSP_FLAW_COUNT, hull.face_count, 3);
    BREAK_CUBE(VSP_FLAW_COUNT, hull.face_count, 65);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, hull.vertex_count, 7);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, hull.edge_count, 11);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, hull.corner_count, 25);
    BREAK_CUBE(VSP_FLAW_INDEX, first[0], 1);
    BREAK_CUBE(VSP_FLAW_INDEX, first[3], 10);
    BREAK_CUBE(VSP_FLAW_INDEX, first[3], 14);
    BREAK_CUBE(VSP_FLAW_INDEX, first[6], 23);
    BREAK_CUBE(VSP_FLAW_INDEX, first[6], 65535);
    BREAK_CUBE(VSP_FLAW_INDEX, corners[23], 8);
    BREAK_CUBE(VSP_FLAW_INDEX, edges[11].tail, 8);
    BREAK_CUBE(VSP_FLAW_INDEX, edges[11].head, 8);
    BREAK_CUBE(VSP_FLAW_INDEX, edges[11].left, 6);
    BREAK_CUBE(VSP_FLAW_INDEX, edges[11].right, 6);
    BREAK_CUBE(VSP_FLAW_INDEX, edges[11].right, 255);
}

static void edges_fit_faces(void)
{
    vsp_hull_edge edge;

    BREAK_CUBE(VSP_FLAW_TOPOLOGY, corners[0], 2);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, edges[0].left, cube.edges[0].right);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, edges[0].right, cube.edges[0].left);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, edges[0].tail, cube.edges[0].head);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, edges[0].left, 2);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, edges[0].right, 2);
    BREAK_CUBE(VSP_FLAW_TOPOLOGY, edges[1], cube.edges[0]);
    set_up();
    edge = cube.edges[0]; /* the first edge again, in the other direction */
    cube.edges[1].tail = edge.head;
    cube.edges[1].head = edge.tail;
    cube.edges[1].left = edge.right;
    cube.edges[1].right = edge.left;
    CHECK_UINT(VSP_FLAW_TOPOLOGY, vsp__check_table(&cube.hull));
    set_up();
    cube.corners[1] = 5; /* the face in the other direction */
    cube.corners[3] = 3;
    CHECK_UINT(VSP_FLAW_TOPOLOGY, vsp__check_table(&cube.hull));
    BREAK_CUBE(VSP_FLAW_DEGENERATE, vertices[0], cube.vertices[1]);
}

/* Turns the cube inside out: faces and edges, but not the normals. */
static void turn_cube(void)
{
    uint32_t i;

    set_up();
    for (i = 0; i < 24; i += 4) {
        uint8_t corner = cube.corners[i + 1];

        cube.corners[i + 1] = cube.corners[i + 3];
        cube.corners[i + 3] = corner;
    }
    find_edges(&cube.hull, cube.edges);
}

static void planes_are_of_faces(void)
{
    vsp_plane n;

    BREAK_CUBE(VSP_FLAW_RANGE, vertices[5].z, FAR + 1);
    BREAK_CUBE(VSP_FLAW_RANGE, vertices[5].y, -FAR - 1);
    BREAK_CUBE(VSP_FLAW_RANGE, vertices[0].x, INT32_MIN);
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0].x, VSP_DIRECTION - 10000);
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0].x, VSP_DIRECTION + 10000);
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0].x, -VSP_DIRECTION);
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0].x, INT32_MIN);
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0].x, 0);
    BREAK_CUBE(VSP_FLAW_CONVEX, planes[0].offset, HALF - 5);
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0].offset, HALF + 300);
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0].offset, INT32_MAX);
    BREAK_CUBE(VSP_FLAW_CONVEX, planes[0].offset, INT32_MIN);
    BREAK_CUBE(VSP_FLAW_CONVEX, vertices[7].x, HALF + 5);
    n = plane(1, 0.001, 0, 0.5); /* tilted */
    BREAK_CUBE(VSP_FLAW_PLANE, planes[0], n);
    turn_cube();
    CHECK_UINT(VSP_FLAW_PLANE, vsp__check_table(&cube.hull));
}

/* Makes two pyramids, base to base; the lower one may point inwards. */
static vsp_flaw spindle(double bottom)
{
    static const uint8_t corners[18] = {0, 1, 3, 1, 2, 3, 2, 0, 3,
                                        1, 0, 4, 2, 1, 4, 0, 2, 4};
    static const uint16_t first[7] = {0, 3, 6, 9, 12, 15, 18};
    double out = bottom < 0 ? 1 : -1; /* direction of its sides */
    vsp_place vertices[5];
    vsp_hull_edge edges[9];
    vsp_plane planes[6];
    vsp_hull hull;
    uint32_t i;

    for (i = 0; i < 3; i++) {
        double turned = (120.0 * i + 60) * 3.14159265358979 / 180;
        double x = cos(turned), z = -sin(turned), steep = out * fabs(bottom);

        vertices[i] = place_at(cos(turned - 1.04719755119660), 0,
                               -sin(turned - 1.04719755119660));
        planes[i] = plane(x, 0.5, z, 0.5);
        planes[3 + i] = plane(steep * x, -0.5, steep * z, 0.5 * steep);
    }
    vertices[3] = place_at(0, 1, 0);
    vertices[4] = place_at(0, bottom, 0);
    hull = assemble_hull(vertices, 5, planes, 6, first, corners, edges);
    hull.bulk = cube.hull.bulk;
    return vsp__check_table(&hull);
}

/* The spindle with a point is valid except for its mass data. */
static void hulls_are_convex(void)
{
    set_up();
    CHECK_UINT(VSP_FLAW_BULK, spindle(-1));
    CHECK_UINT(VSP_FLAW_CONVEX, spindle(0.5));
}

static void solids_weigh_what_they_do(void)
{
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.volume, 0);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.volume, bits_of(-1));
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.volume, 0x7f800000u);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.volume, 0x7fc00000u);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.volume, bits_of(1.02));
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.volume, bits_of(0.98));
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.center.x, METRE / 25);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.center.y, HALF + 1);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.center.z, INT32_MIN);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[0], bits_of(0.18));
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[1], bits_of(0.155));
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[2], bits_of(-0.1));
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[2], 0xffc00000u);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[2], 0x7f800000u);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[3], bits_of(0.05));
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[4], 0x7fc00000u);
    BREAK_CUBE(VSP_FLAW_BULK, hull.bulk.inertia[5], 0xff800000u);
    BREAK_WEDGE(VSP_FLAW_BULK, hull.bulk.inertia[3], bits_of(-2.0 / 36));
    BREAK_WEDGE(VSP_FLAW_BULK, hull.bulk.inertia[3], 0);
    BREAK_WEDGE(VSP_FLAW_BULK, hull.bulk.center, place_at(1, 0.5, 0.5));
}


/* ---- Flaws of surfaces --------------------------------------------------- */

static void meshes_are_sound(void)
{
    BREAK_SQUARE(VSP_FLAW_KIND, mesh.kind, VSP_TABLE_MESH ^ 0x1000u);
    BREAK_SQUARE(VSP_FLAW_NULL, mesh.vertices, NULL);
    BREAK_SQUARE(VSP_FLAW_NULL, mesh.triangles, NULL);
    BREAK_SQUARE(VSP_FLAW_NULL, mesh.nodes, NULL);
    BREAK_SQUARE(VSP_FLAW_COUNT, mesh.vertex_count, 0);
    BREAK_SQUARE(VSP_FLAW_COUNT, mesh.triangle_count, 0);
    BREAK_SQUARE(VSP_FLAW_COUNT, mesh.node_count, 0);
    BREAK_SQUARE(VSP_FLAW_RANGE, mesh.reserved, 1);
    BREAK_SQUARE(VSP_FLAW_RANGE, vertices[3].y, FAR + 1);
    BREAK_SQUARE(VSP_FLAW_INDEX, mesh.vertex_count, 3);
    BREAK_SQUARE(VSP_FLAW_INDEX, triangles[1].vertex[2], 4);
    BREAK_SQUARE(VSP_FLAW_INDEX, triangles[0].vertex[0], 65535);
    BREAK_SQUARE(VSP_FLAW_RANGE, triangles[0].marks, 8);
    BREAK_SQUARE(VSP_FLAW_NONE, triangles[0].marks, 7);
    BREAK_SQUARE(VSP_FLAW_DEGENERATE, triangles[0].vertex[0], 2);
    BREAK_SQUARE(VSP_FLAW_DEGENERATE, vertices[0], square.vertices[1]);
    BREAK_SQUARE(VSP_FLAW_DEGENERATE, vertices[3], place_at(0.5, 0, 0.50001));
    BREAK_SQUARE(VSP_FLAW_NONE, vertices[3], place_at(0.5, 0, 0.5001));
    set_up();
    square.vertices[0] = square.vertices[1] = square.vertices[2];
    square.vertices[3] = square.vertices[2];
    CHECK_UINT(VSP_FLAW_RANGE, vsp__check_table(&square.mesh));
}

static void mesh_trees_are_sound(void)
{
    BREAK_SQUARE(VSP_FLAW_RANGE, nodes[1].reserved, 1);
    BREAK_SQUARE(VSP_FLAW_RANGE, nodes[2].reserved2, 1);
    BREAK_SQUARE(VSP_FLAW_RANGE, nodes[0].low.x, -FAR - 1);
    BREAK_SQUARE(VSP_FLAW_RANGE, nodes[0].high.x, FAR + 1);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[0].next, 0);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[0].next, 2);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[0].next, 4);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[1].next, 1);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[1].next, 3);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[2].next, 65535);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[0].count, 1);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[1].count, 0);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[1].count, 2);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[2].count, 3);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[2].count, 255);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[1].first, 1);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[2].first, 0);
    BREAK_SQUARE(VSP_FLAW_TREE, nodes[2].first, 65535);
    BREAK_SQUARE(VSP_FLAW_TREE, mesh.triangle_count, 1);
    BREAK_SQUARE(VSP_FLAW_TREE, mesh.node_count, 2);
    BREAK_SQUARE(VSP_FLAW_TREE, mesh.node_count, 1);
    BREAK_SQUARE(VSP_FLAW_BOUNDS, nodes[0].high.x, METRE - 1);
    BREAK_SQUARE(VSP_FLAW_BOUNDS, nodes[1].low.y, 1);
    BREAK_SQUARE(VSP_FLAW_BOUNDS, nodes[2].low.z, 1);
    BREAK_SQUARE(VSP_FLAW_BOUNDS, nodes[2].high.z, METRE + 1);
    BREAK_SQUARE(VSP_FLAW_BOUNDS, nodes[1].low.x, -1);
}

/* A node without triangles, beside a leaf with all triangles. */
static void nodes_are_not_empty(void)
{
    set_up();
    square.nodes[1].count = 2;
    square.nodes[2].count = 0;
    square.nodes[2].first = 0;
    CHECK_UINT(VSP_FLAW_TREE, vsp__check_table(&square.mesh));
    square.mesh.node_count = square.nodes[0].next = 2;
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&square.mesh));
}

/* Nine triangles are too many for a leaf, eight are not. */
static void leaves_are_small(void)
{
    vsp_triangle triangles[9];
    uint32_t i;

    set_up();
    for (i = 0; i < 9; i++)
        triangles[i] = square.triangles[i & 1];
    square.mesh.triangles = triangles;
    square.mesh.node_count = 1;
    square.nodes[0].next = 1;
    square.mesh.triangle_count = square.nodes[0].count = 8;
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&square.mesh));
    square.mesh.triangle_count = square.nodes[0].count = 9;
    CHECK_UINT(VSP_FLAW_TREE, vsp__check_table(&square.mesh));
}

static void fields_are_sound(void)
{
    uint32_t i;

    BREAK_HILL(VSP_FLAW_KIND, field.kind, 1);
    BREAK_HILL(VSP_FLAW_NULL, field.heights, NULL);
    BREAK_HILL(VSP_FLAW_COUNT, field.columns, 1);
    BREAK_HILL(VSP_FLAW_COUNT, field.columns, 4097);
    BREAK_HILL(VSP_FLAW_COUNT, field.rows, 0);
    BREAK_HILL(VSP_FLAW_COUNT, field.rows, 65535);
    BREAK_HILL(VSP_FLAW_RANGE, field.cell, METRE / 1000 - 1);
    BREAK_HILL(VSP_FLAW_NONE, field.cell, METRE / 1000);
    BREAK_HILL(VSP_FLAW_RANGE, field.cell, -METRE);
    BREAK_HILL(VSP_FLAW_RANGE, field.cell, FAR + 1);
    BREAK_HILL(VSP_FLAW_NONE, field.cell, FAR);
    BREAK_HILL(VSP_FLAW_RANGE, field.cell, INT32_MIN);
    BREAK_HILL(VSP_FLAW_RANGE, field.step, 0);
    BREAK_HILL(VSP_FLAW_NONE, field.step, 1);
    BREAK_HILL(VSP_FLAW_RANGE, field.step, -1);
    BREAK_HILL(VSP_FLAW_RANGE, field.step, 15 * METRE);
    BREAK_HILL(VSP_FLAW_NONE, field.step, 14 * METRE);
    BREAK_HILL(VSP_FLAW_RANGE, field.step, INT32_MAX);
    BREAK_HILL(VSP_FLAW_BOUNDS, field.low, -4);
    BREAK_HILL(VSP_FLAW_BOUNDS, field.high, 8);
    BREAK_HILL(VSP_FLAW_BOUNDS, heights[0], 8);
    BREAK_HILL(VSP_FLAW_BOUNDS, heights[8], -4);
    BREAK_HILL(VSP_FLAW_BOUNDS, heights[3], VSP_HOLE);
    BREAK_HILL(VSP_FLAW_NONE, heights[0], VSP_HOLE);
    set_up();
    for (i = 0; i < 9; i++)
        hill.heights[i] = VSP_HOLE;
    CHECK_UINT(VSP_FLAW_DEGENERATE, vsp__check_table(&hill.field));
}


/* ---- Flaws of signed distances ------------------------------------------- */

static void grids_are_sound(void)
{
    BREAK_BALL(VSP_FLAW_KIND, sdf.kind, VSP_TABLE_SDF + 0x10000u);
    BREAK_BALL(VSP_FLAW_NULL, sdf.distances, NULL);
    BREAK_BALL(VSP_FLAW_NULL, sdf.nodes, NULL);
    BREAK_BALL(VSP_FLAW_COUNT, sdf.count[0], 1);
    BREAK_BALL(VSP_FLAW_COUNT, sdf.count[1], 257);
    BREAK_BALL(VSP_FLAW_COUNT, sdf.count[2], 65535);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.low.y, -FAR - 1);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.low.y, FAR);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.low.y, INT32_MAX);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.cell, 0);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.cell, -1);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.cell, INT32_MAX);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.cell, METRE / 1000); /* 4 mm of grid */
    BREAK_BALL(VSP_FLAW_RANGE, sdf.step, 0);
    BREAK_BALL(VSP_FLAW_RANGE, sdf.step, 3201);
    BREAK_BALL(VSP_FLAW_NONE, sdf.step, 3200);
    BREAK_BALL(VSP_FLAW_NONE, sdf.step, 1);
    set_up();
    memset(ball.distances, 1, sizeof ball.distances);
    CHECK_UINT(VSP_FLAW_DEGENERATE, vsp__check_table(&ball.sdf));
    memset(ball.distances, 0xff, sizeof ball.distances);
    CHECK_UINT(VSP_FLAW_DEGENERATE, vsp__check_table(&ball.sdf));
}

static void spheres_are_sound(void)
{
    BREAK_BALL(VSP_FLAW_RANGE, nodes[0].reserved, 1);
    BREAK_BALL(VSP_FLAW_RANGE, nodes[1].radius, 0);
    BREAK_BALL(VSP_FLAW_RANGE, nodes[1].radius, INT32_MIN);
    BREAK_BALL(VSP_FLAW_RANGE, nodes[0].radius, 2 * FAR + 1);
    BREAK_BALL(VSP_FLAW_NONE, nodes[0].radius, 2 * FAR);
    BREAK_BALL(VSP_FLAW_RANGE, nodes[2].center.z, FAR + 1);
    BREAK_BALL(VSP_FLAW_TREE, nodes[0].next, 2);
    BREAK_BALL(VSP_FLAW_TREE, nodes[0].next, 4);
    BREAK_BALL(VSP_FLAW_TREE, nodes[1].next, 0);
    BREAK_BALL(VSP_FLAW_TREE, nodes[2].next, 2);
    BREAK_BALL(VSP_FLAW_TREE, sdf.node_count, 2);
    BREAK_BALL(VSP_FLAW_BOUNDS, nodes[0].radius, places(0.4) - 10);
    BREAK_BALL(VSP_FLAW_NONE, nodes[0].radius, places(0.4) - 2);
    BREAK_BALL(VSP_FLAW_BOUNDS, nodes[0].center.y, places(0.01));
    BREAK_BALL(VSP_FLAW_BOUNDS, nodes[0].radius, 1);
    BREAK_BALL(VSP_FLAW_BOUNDS, nodes[2].center.x, METRE);
    set_up();
    ball.nodes[0].radius = FAR;
    ball.nodes[2].center.x = HALF + 1; /* outside of the grid */
    CHECK_UINT(VSP_FLAW_BOUNDS, vsp__check_table(&ball.sdf));
    BREAK_BALL(VSP_FLAW_BULK, sdf.bulk.volume, bits_of(0.3));
    BREAK_BALL(VSP_FLAW_BULK, sdf.bulk.volume, 0);
    BREAK_BALL(VSP_FLAW_BULK, sdf.bulk.inertia[0], bits_of(0.03));
    BREAK_BALL(VSP_FLAW_BULK, sdf.bulk.inertia[0], bits_of(0.13));
    BREAK_BALL(VSP_FLAW_BULK, sdf.bulk.inertia[4], bits_of(0.04));
    BREAK_BALL(VSP_FLAW_BULK, sdf.bulk.inertia[5], bits_of(-0.04));
    BREAK_BALL(VSP_FLAW_BULK, sdf.bulk.center.x, METRE);
    BREAK_BALL(VSP_FLAW_NONE, sdf.bulk.volume, bits_of(0.1));
}

/* A field without spheres, for static bodies, needs no mass data either.  If it
 * has some, dynamic bodies use them, so its digest covers them. */
static void grids_alone_pass(void)
{
    uint32_t digest;

    set_up();
    ball.sdf.node_count = 0;
    ball.sdf.nodes = NULL;
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&ball.sdf));
    digest = vsp__digest_table(&ball.sdf);
    ball.sdf.bulk.inertia[0]++;
    CHECK(vsp__digest_table(&ball.sdf) != digest);
    memset(&ball.sdf.bulk, 0, sizeof ball.sdf.bulk);
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&ball.sdf));
    ball.sdf.bulk.center.z = 1;
    CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&ball.sdf));
    make_ball();
    memset(&ball.sdf.bulk, 0, sizeof ball.sdf.bulk);
    CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&ball.sdf));
}


/* ---- Flaws of shells ----------------------------------------------------- */

static void shells_are_counted(void)
{
    BREAK_LEAF(VSP_FLAW_KIND, shell.sheet.kind, VSP_TABLE_SHELL + 1u);
    BREAK_LEAF(VSP_FLAW_NULL, shell.sheet.vertices, NULL);
    BREAK_LEAF(VSP_FLAW_NULL, shell.sheet.triangles, NULL);
    BREAK_LEAF(VSP_FLAW_NULL, shell.sheet.nodes, NULL);
    BREAK_LEAF(VSP_FLAW_COUNT, shell.sheet.vertex_count, 2);
    BREAK_LEAF(VSP_FLAW_COUNT, shell.sheet.vertex_count, 4097);
    BREAK_LEAF(VSP_FLAW_COUNT, shell.sheet.triangle_count, 0);
    BREAK_LEAF(VSP_FLAW_COUNT, shell.sheet.triangle_count, 4097);
    BREAK_LEAF(VSP_FLAW_COUNT, shell.sheet.node_count, 0);
    BREAK_LEAF(VSP_FLAW_COUNT, shell.sheet.node_count, 4097);
    BREAK_LEAF(VSP_FLAW_RANGE, shell.sheet.reserved, 1);
    BREAK_LEAF(VSP_FLAW_RANGE, vertices[3].y, FAR + 1);
    BREAK_LEAF(VSP_FLAW_RANGE, vertices[8].z, INT32_MIN);
    BREAK_LEAF(VSP_FLAW_INDEX, shell.sheet.vertex_count, 8);
    BREAK_LEAF(VSP_FLAW_INDEX, triangles[3].vertex[2], 9);
    BREAK_LEAF(VSP_FLAW_INDEX, triangles[0].vertex[0], 65535);
}

/* The nodes are those of a mesh, and are checked like those. */
static void shell_trees_are_sound(void)
{
    BREAK_LEAF(VSP_FLAW_RANGE, nodes[1].reserved, 1);
    BREAK_LEAF(VSP_FLAW_TREE, nodes[0].next, 2);
    BREAK_LEAF(VSP_FLAW_TREE, nodes[2].first, 1);
    BREAK_LEAF(VSP_FLAW_TREE, shell.sheet.triangle_count, 3);
    BREAK_LEAF(VSP_FLAW_BOUNDS, nodes[2].high.x, 2 * METRE);
    BREAK_LEAF(VSP_FLAW_NONE, nodes[0].high.x, 3 * METRE);
    BREAK_LEAF(VSP_FLAW_NONE, nodes[0].first, 65535);
}

/* Two triangles, by corners on a grid; equal corners become one vertex. */
static struct {
    vsp_place vertices[6];
    vsp_triangle triangles[2];
    vsp_mesh_node node;
    vsp_shell shell;
} two;

static vsp_flaw check_two(const vsp_place corners[6])
{
    vsp_mesh *sheet = &two.shell.sheet;
    uint32_t i, k;

    memset(&two, 0, sizeof two);
    for (i = 0; i < 6; i++) {
        for (k = 0; k < sheet->vertex_count; k++)
            if (memcmp(&two.vertices[k], &corners[i], sizeof *corners) == 0)
                break;
        if (k == sheet->vertex_count)
            two.vertices[sheet->vertex_count++] = corners[i];
        two.triangles[i / 3].vertex[i % 3] = (uint16_t)k;
    }
    sheet->kind = VSP_TABLE_SHELL;
    sheet->triangle_count = 2;
    sheet->node_count = two.node.next = 1;
    sheet->vertices = two.vertices;
    sheet->triangles = two.triangles;
    sheet->nodes = &two.node;
    two.node.count = 2;
    for (i = 0; i < 2; i++)
        two.triangles[i].marks = (uint16_t)own_marks(two.triangles, i);
    enclose_triangles(&two.node, sheet, 0, 2);
    weigh_shell(&two.shell);
    return vsp__check_table(&two.shell);
}

/* One triangle, with corners in a plane, and a small one beside it. */
static vsp_flaw check_flat(const int32_t at[3][2], bool is_turned)
{
    vsp_place corners[6];
    uint32_t i;

    memset(corners, 0, sizeof corners);
    corners[0] = place_at(90, 90, 90);
    corners[1] = place_at(91, 90, 90);
    corners[2] = place_at(90, 91, 90);
    for (i = 0; i < 3; i++) {
        vsp_place *p = &corners[3 + i];

        *(is_turned ? &p->z : &p->x) = at[i][0];
        *(is_turned ? &p->x : &p->y) = at[i][1];
    }
    return check_two(corners);
}

/* half a base, and a height over it */
static vsp_flaw check_slim(int32_t half, int32_t height)
{
    int32_t at[3][2] = {{-half, 0}, {half, 0}, {0, height}};
    vsp_flaw flaw = check_flat((const int32_t(*)[2])at, false);

    CHECK_UINT(flaw, check_flat((const int32_t(*)[2])at, true));
    return flaw;
}

/* The square of a long side over 10,000 is not an integer: the squared height
 * is above it rounded down, but at first not above it rounded up. */
static void check_between(void)
{
    int32_t at[3][2] = {{-20000000, -76000000},
                        {37068127 - 20000000, 153794500 - 76000000},
                        {29621437 - 20000000, 129649983 - 76000000}};

    CHECK_UINT(VSP_FLAW_DEGENERATE, check_flat((const int32_t(*)[2])at, false));
    at[2][1]++;
    CHECK_UINT(VSP_FLAW_NONE, check_flat((const int32_t(*)[2])at, true));
}

static void triangles_are_not_slim(void)
{
    int32_t least = METRE / 1000;

    CHECK_UINT(VSP_FLAW_NONE, check_slim(least, least));
    CHECK_UINT(VSP_FLAW_DEGENERATE, check_slim(least, least - 1));
    CHECK_UINT(VSP_FLAW_NONE, check_slim(50 * least, least));
    CHECK_UINT(VSP_FLAW_DEGENERATE, check_slim(50 * least + 1, least));
    CHECK_UINT(VSP_FLAW_NONE, check_slim(50 * 2097151, 2097151));
    CHECK_UINT(VSP_FLAW_DEGENERATE, check_slim(50 * 2097151, 2097150));
    CHECK_UINT(VSP_FLAW_NONE, check_slim(FAR, FAR / 50));
    CHECK_UINT(VSP_FLAW_DEGENERATE, check_slim(FAR, FAR / 50 - 1));
    CHECK_UINT(VSP_FLAW_NONE, check_slim(FAR, FAR));
    check_between();
    BREAK_LEAF(VSP_FLAW_DEGENERATE, triangles[3].vertex[1], 8);
    BREAK_LEAF(VSP_FLAW_DEGENERATE, triangles[3].vertex[0], 8);
    BREAK_LEAF(VSP_FLAW_DEGENERATE, vertices[1], leaf.vertices[2]);
    BREAK_LEAF(VSP_FLAW_DEGENERATE, vertices[1], place_at(0, 0, 0.5));
    BREAK_LEAF(VSP_FLAW_DEGENERATE, vertices[4], place_at(-0.5, -1, -2));
    set_up(); /* a point */
    leaf.triangles[3].vertex[1] = leaf.triangles[3].vertex[0];
    leaf.triangles[3].vertex[2] = leaf.triangles[3].vertex[0];
    CHECK_UINT(VSP_FLAW_DEGENERATE, vsp__check_table(&leaf.shell));
}

static void marks_are_exact(void)
{
    uint32_t i, k;

    for (i = 0; i < LEAF_TRIANGLES; i++)
        for (k = 0; k < 16; k++) {
            set_up();
            leaf.triangles[i].marks ^= (uint16_t)(1u << k);
            test_note("triangle %u, bit %u", (unsigned)i, (unsigned)k);
            CHECK_UINT(VSP_FLAW_TOPOLOGY, vsp__check_table(&leaf.shell));
        }
    test_note("");
    set_up();
    CHECK_UINT(63, leaf.triangles[0].marks);
    CHECK_UINT(1 + 8 + 32, leaf.triangles[1].marks);
    CHECK_UINT(2 + 4 + 56, leaf.triangles[2].marks);
}

/* A vertex of no triangle. */
static void vertices_have_triangles(void)
{
    vsp_place vertices[LEAF_VERTICES + 1];

    set_up();
    memcpy(vertices, leaf.vertices, sizeof leaf.vertices);
    vertices[LEAF_VERTICES] = vertices[0];
    leaf.shell.sheet.vertices = vertices;
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&leaf.shell));
    leaf.shell.sheet.vertex_count++;
    CHECK_UINT(VSP_FLAW_TOPOLOGY, vsp__check_table(&leaf.shell));
}

/* Moves a corner of the leaf, and recomputes all that depends on it. */
static vsp_flaw move_corner(uint32_t vertex, double x, double y, double z)
{
    set_up();
    leaf.vertices[vertex] = place_at(x, y, z);
    finish_leaf();
    return vsp__check_table(&leaf.shell);
}

static void leaves_do_not_cross(void)
{
    CHECK_UINT(VSP_FLAW_NONE, move_corner(8, 1.5, 1, 0));
    CHECK_UINT(VSP_FLAW_CROSSING, move_corner(8, 0.25, 0.125, 0.25));
    CHECK_UINT(VSP_FLAW_CROSSING, move_corner(8, 0.5, 0.25, 0.5));
    CHECK_UINT(VSP_FLAW_NONE, move_corner(8, 0.5, 0.2500001, 0.500001));
    CHECK_UINT(VSP_FLAW_NONE, move_corner(8, 0.25, 0.1, 0.25)); /* below */
    CHECK_UINT(VSP_FLAW_CROSSING, move_corner(8, 0.25, 0.15, 0.25));
    CHECK_UINT(VSP_FLAW_CROSSING, move_corner(8, 1, 0.5, 0)); /* touches a
                                                               * corner */
    CHECK_UINT(VSP_FLAW_CROSSING, move_corner(4, 0.25, 0.25, 1));
    /* a fold: nearly onto the first triangle, onto it, beyond it */
    CHECK_UINT(VSP_FLAW_NONE, move_corner(3, 0.5, 0.25001, 0.75));
    CHECK_UINT(VSP_FLAW_CROSSING, move_corner(3, 0.5, 0.25, 0.75));
    CHECK_UINT(VSP_FLAW_NONE, move_corner(3, 0.5, 0.24999, 0.75));
    CHECK_UINT(VSP_FLAW_NONE, move_corner(3, -0.5, -0.25, 0.5));
    set_up(); /* nodes without triangles may have any number */
    leaf.vertices[8] = place_at(0.25, 0.125, 0.25);
    finish_leaf();
    leaf.nodes[0].first = 65535;
    CHECK_UINT(VSP_FLAW_CROSSING, vsp__check_table(&leaf.shell));
    set_up(); /* the last triangle of the other leaf */
    leaf.vertices[6] = place_at(-1, 0.25, 0.5);
    leaf.vertices[7] = place_at(-2, 0, 0);
    leaf.vertices[8] = place_at(-2, 0, 1);
    finish_leaf();
    CHECK_UINT(VSP_FLAW_CROSSING, vsp__check_table(&leaf.shell));
    leaf.vertices[6].x--;
    finish_leaf();
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&leaf.shell));
}

/* Three corners in any order, and reversed, are the same triangle again. */
static void triangles_come_once(void)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                         {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    vsp_place corners[6];
    uint32_t i, k;

    corners[0] = place_at(0, 0, 0);
    corners[1] = place_at(1, 0, 0.5);
    corners[2] = place_at(0, 1, 0.25);
    for (i = 0; i < 6; i++) {
        for (k = 0; k < 3; k++)
            corners[3 + k] = corners[orders[i][k]];
        CHECK_UINT(VSP_FLAW_CROSSING, check_two(corners));
    }
}

/* One place decides.  The first corner of the other triangle is above or below
 * a triangle of 200 m by less than 2^-55 places, too little for doubles; its
 * other corners are all above, or below. */
static void crossings_are_exact(void)
{
    static const vsp_place big[2][4] = {
        {{-104857494, -104856870, -104856929},
         {28336821, -62378576, -104856929},
         {-66368389, 35848259, 38247014},
         {-35988032, -45538130, -63234046}}, /* below */
        {{-104857411, -104857280, -104856824},
         {49547196, -64885797, -104856824},
         {-87131460, 40319858, 50622380},
         {-71987866, -48558649, -52005511}}, /* above */
    };
    uint32_t i, k;

    for (i = 0; i < 2; i++)
        for (k = 0; k < 2; k++) {
            int32_t up = k == 0 ? -METRE : METRE;
            vsp_place corners[6];

            memcpy(corners, big[i], sizeof big[i]);
            corners[4] = corners[5] = corners[3]; /* nearly along the normal */
            corners[4].x += 3 * up;
            corners[4].y -= 9 * up;
            corners[4].z += 8 * up;
            corners[5].x += 5 * up;
            corners[5].y -= 9 * up;
            corners[5].z += 8 * up;
            test_note("triangle %u, part %u", (unsigned)i, (unsigned)k);
            CHECK_UINT(i == k ? VSP_FLAW_NONE : VSP_FLAW_CROSSING,
                       check_two(corners));
        }
    test_note("");
}


/* ---- Crossings, by another way -------------------------------------------
 * Corners are on a small grid, and vectors are whole numbers. */

typedef struct grid_vector {
    int64_t x, y, z;
} grid_vector;

static grid_vector grid_minus(grid_vector a, grid_vector b)
{
    grid_vector c = {a.x - b.x, a.y - b.y, a.z - b.z};

    return c;
}

static grid_vector grid_cross(grid_vector a, grid_vector b)
{
    grid_vector c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                     a.x * b.y - a.y * b.x};

    return c;
}

static int64_t grid_dot(grid_vector a, grid_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Whether a plane of this normal separates two triangles. */
static bool is_gap(grid_vector n, const grid_vector a[3],
                   const grid_vector b[3])
{
    bool is_above = true, is_below = true;
    uint32_t i, k;

    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++) {
            int64_t d = grid_dot(n, grid_minus(b[k], a[i]));

            is_above = is_above && d > 0;
            is_below = is_below && d < 0;
        }
    return is_above || is_below;
}

/* Whether two triangles neither meet nor touch.  Then a plane separates them
 * that is parallel to one of them, to a side of each, or perpendicular to one
 * and parallel to a side of it. */
static bool are_grids_apart(const grid_vector a[3], const grid_vector b[3])
{
    grid_vector side[2][3], n[2];
    uint32_t i, k;

    for (i = 0; i < 3; i++) {
        side[0][i] = grid_minus(a[(i + 1) % 3], a[i]);
        side[1][i] = grid_minus(b[(i + 1) % 3], b[i]);
    }
    for (k = 0; k < 2; k++) {
        n[k] = grid_cross(side[k][0], side[k][1]);
        if (is_gap(n[k], a, b))
            return true;
        for (i = 0; i < 3; i++)
            if (is_gap(grid_cross(n[k], side[k][i]), a, b))
                return true;
    }
    for (i = 0; i < 9; i++)
        if (is_gap(grid_cross(side[0][i / 3], side[1][i % 3]), a, b))
            return true;
    return false;
}

/* Whether four vectors are all above a plane through 0, or all below. */
static bool is_one_side(grid_vector n, const grid_vector v[4])
{
    uint32_t i, above = 0, below = 0;

    for (i = 0; i < 4; i++) {
        above += grid_dot(n, v[i]) > 0;
        below += grid_dot(n, v[i]) < 0;
    }
    return above == 4 || below == 4;
}

/* Whether 0 is in the solid that four vectors span.  It is not if all are on
 * one side of a plane through 0 that is parallel to a face or, for a flat
 * solid, perpendicular to it. */
static bool is_around_zero(const grid_vector v[4])
{
    bool is_line = true;
    uint32_t i;

    for (i = 0; i < 64; i++) {
        grid_vector from = v[i % 4], side = grid_minus(v[i / 4 % 4], from);
        grid_vector n = grid_cross(side, grid_minus(v[i / 16], from));

        is_line = is_line && grid_dot(n, n) == 0;
        if (is_one_side(n, v) || is_one_side(grid_cross(n, side), v))
            return false;
    }
    return !is_line;
}

static bool is_same_place(grid_vector a, grid_vector b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Rotates the corners of two triangles until shared corners come first.
 * Returns the number of shared corners. */
static uint32_t sort_corners(grid_vector a[3], grid_vector b[3])
{
    uint32_t i, k, shared = 0;

    for (i = 0; i < 3; i++)
        for (k = shared; k < 3; k++) {
            grid_vector first_a = a[shared], first_b = b[shared];

            if (!is_same_place(a[i], b[k]))
                continue;
            a[shared] = a[i];
            a[i] = first_a;
            b[shared] = b[k];
            b[k] = first_b;
            shared++;
            break;
        }
    return shared;
}

/* Whether triangles meet outside of what they share.  At a shared corner they
 * do if a direction into one is a direction into the other. */
static bool do_grids_cross(grid_vector a[3], grid_vector b[3])
{
    grid_vector none = {0, 0, 0}, v[4], n[2];
    uint32_t i, shared = sort_corners(a, b);

    for (i = 0; i < 2; i++) {
        v[i] = grid_minus(a[1 + i], a[0]);
        v[2 + i] = grid_minus(none, grid_minus(b[1 + i], b[0]));
    }
    if (shared == 0)
        return !are_grids_apart(a, b);
    if (shared == 1)
        return is_around_zero(v);
    n[0] = grid_cross(v[0], v[1]);
    n[1] = grid_cross(v[0], grid_minus(b[2], b[0]));
    return grid_dot(v[3], n[0]) == 0 && grid_dot(n[0], n[1]) > 0;
}

/* Pairs of triangles on a grid of 6 x 6 x 4 points, some of them in a plane,
 * with axes in every order; many touch. */
static void crossings_are_found(void)
{
    uint32_t round, i, state = 3, found = 0, count[4] = {0, 0, 0, 0};

    for (round = 0; round < (uint32_t)tries_of(40000); round++) {
        uint32_t turn = next_random(&state) % 3;
        vsp_place corners[6];
        grid_vector at[6];
        vsp_flaw flaw;
        bool is_crossing;

        for (i = 0; i < 6; i++) {
            int64_t part[3];

            part[turn] = next_random(&state) / 64 % 6;
            part[(turn + 1) % 3] = next_random(&state) / 64 % 6;
            part[(turn + 2) % 3] = next_random(&state) / 64 %
                                   (round % 3 == 0 ? 1 : 4);
            at[i].x = part[0];
            at[i].y = part[1];
            at[i].z = part[2];
            if (i >= 3 && next_random(&state) % 4 == 0)
                at[i] = at[i - 3];
            corners[i] = place_at(0.25 * (double)at[i].x,
                                  0.25 * (double)at[i].y,
                                  0.25 * (double)at[i].z);
        }
        flaw = check_two(corners);
        if (flaw == VSP_FLAW_DEGENERATE || flaw == VSP_FLAW_COUNT)
            continue;
        is_crossing = do_grids_cross(at, at + 3);
        test_note("round %u", (unsigned)round);
        CHECK_UINT(is_crossing ? VSP_FLAW_CROSSING : VSP_FLAW_NONE, flaw);
        found += is_crossing;
        count[6 - two.shell.sheet.vertex_count]++;
    }
    test_note("");
    CHECK_AT_LEAST(round / 6, found);
    for (i = 0; i < 3; i++)
        CHECK_AT_LEAST(round / 100, count[i]);
}


/* ---- Mass of shells ------------------------------------------------------ */

static void sheets_weigh_what_they_do(void)
{
    uint32_t i;

    set_up();
    BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.volume, 0);
    BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.volume, bits_of(-1));
    BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.volume, 0x7f800000u);
    BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.volume, 0x7fc00000u);
    for (i = 0; i < 6; i++) {
        BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.inertia[i], 0x7fc00000u);
        BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.inertia[i], 0xff800000u);
        BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.inertia[i], bits_of(1000));
        BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.inertia[i],
                   leaf.shell.bulk.inertia[i] ^ 0x80000000u);
    }
    BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.center.x, 4 * METRE);
    BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.center.y, INT32_MIN);
    BREAK_LEAF(VSP_FLAW_BULK, shell.bulk.center.z,
               leaf.shell.bulk.center.z + METRE / 10);
    BREAK_LEAF(VSP_FLAW_NONE, shell.bulk.center.z,
               leaf.shell.bulk.center.z + METRE / 100);
}

/* A flat sheet: the inertia about its normal is the sum of the other two. */
static void flat_sheets_pass(void)
{
    vsp_place corners[6];
    uint32_t *inertia = two.shell.bulk.inertia, i;

    for (i = 0; i < 6; i++)
        corners[i] = place_at(i == 1 || i > 3, 0, i == 2 || i == 3 || i == 5);
    CHECK_UINT(VSP_FLAW_NONE, check_two(corners));
    CHECK_HEX(bits_of(1), two.shell.bulk.volume);
    CHECK_HEX(bits_of(1.0 / 12), inertia[0]);
    CHECK_HEX(bits_of(1.0 / 6), inertia[1]);
    CHECK_HEX(bits_of(1.0 / 12), inertia[2]);
    inertia[1] = bits_of(1.0 / 6 * 0.999); /* as rounding might do, though
                                            * less */
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&two.shell));
    inertia[1] = bits_of(1.0 / 6 * 1.001); /* no mass can have so much */
    CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&two.shell));
    inertia[1] = bits_of(1.0 / 6 * 0.9);
    CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&two.shell));
    inertia[1] = bits_of(1.0 / 6);
    two.shell.bulk.volume = bits_of(1.01);
    CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(&two.shell));
    two.shell.bulk.volume = bits_of(1.02);
    CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&two.shell));
    two.shell.bulk.volume = bits_of(0.98);
    CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&two.shell));
}

/* Sheets from 5 mm to 150 m, in a corner of the allowed space. */
static void sheets_of_any_size_pass(void)
{
    static const double sizes[] = {0.005, 0.05, 1, 20, 150};
    static const double parts[6][3] = {{0, 0, 0}, {-1, 0, 0}, {0, -0.3, -0.7},
                                       {0, 0, 0}, {0, -1, 0}, {-0.3, -0.6, 0}};
    uint32_t i, k;

    for (i = 0; i < COUNT(sizes); i++) {
        vsp_place corners[6];

        for (k = 0; k < 6; k++) {
            corners[k].x = FAR + places(sizes[i] * parts[k][0]);
            corners[k].y = FAR + places(sizes[i] * parts[k][1]);
            corners[k].z = FAR + places(sizes[i] * parts[k][2]);
        }
        test_note("%g m", sizes[i]);
        CHECK_UINT(VSP_FLAW_NONE, check_two(corners));
        two.shell.bulk.inertia[1] = 0;
        CHECK_UINT(VSP_FLAW_BULK, vsp__check_table(&two.shell));
    }
    test_note("");
}


/* ---- Damage -------------------------------------------------------------- */

/* bytes of a table that are overwritten */
typedef struct part {
    const char *name;
    const void *table;
    void *bytes;
    size_t size;
} part;

#define PART(table, what)                   \
    {                                       \
#what, table, &(what), sizeof(what) \
    }

static const part parts[] = {
    PART(&cube.hull, cube.vertices),     PART(&cube.hull, cube.planes),
    PART(&cube.hull, cube.first),        PART(&cube.hull, cube.corners),
    PART(&cube.hull, cube.edges),        PART(&cube.hull, cube.hull.bulk),
    PART(&wedge.hull, wedge.vertices),   PART(&wedge.hull, wedge.planes),
    PART(&wedge.hull, wedge.first),      PART(&wedge.hull, wedge.corners),
    PART(&wedge.hull, wedge.edges),      PART(&wedge.hull, wedge.hull.bulk),
    PART(&square.mesh, square.vertices), PART(&square.mesh, square.triangles),
    PART(&square.mesh, square.nodes),    PART(&hill.field, hill.heights),
    PART(&hill.field, hill.field.cell),  PART(&hill.field, hill.field.step),
    PART(&hill.field, hill.field.low),   PART(&hill.field, hill.field.high),
    PART(&ball.sdf, ball.distances),     PART(&ball.sdf, ball.nodes),
    PART(&ball.sdf, ball.sdf.low),       PART(&ball.sdf, ball.sdf.cell),
    PART(&ball.sdf, ball.sdf.step),      PART(&ball.sdf, ball.sdf.bulk),
    PART(&leaf.shell, leaf.vertices),    PART(&leaf.shell, leaf.triangles),
    PART(&leaf.shell, leaf.nodes),       PART(&leaf.shell, leaf.shell.bulk),
};

/* Checks a table with changed bytes: it must have a flaw, or another digest. */
static uint32_t check_damaged(const part *p, uint32_t digest)
{
    vsp_flaw flaw = vsp__check_table(p->table);

    CHECK((uint32_t)flaw <= (uint32_t)VSP_FLAW_CROSSING);
    CHECK(flaw != VSP_FLAW_KIND && flaw != VSP_FLAW_NULL);
    if (flaw == VSP_FLAW_NONE)
        CHECK(vsp__digest_table(p->table) != digest);
    return flaw == VSP_FLAW_NONE;
}

static void every_byte_may_be_wrong(void)
{
    static const uint8_t flips[] = {1, 2, 4, 8, 16, 32, 64, 128, 255};
    uint32_t i, k, accepted = 0, tried = 0;
    size_t at;

    set_up();
    for (i = 0; i < COUNT(parts); i++) {
        uint8_t *bytes = (uint8_t *)parts[i].bytes;
        uint32_t digest = vsp__digest_table(parts[i].table);

        for (at = 0; at < parts[i].size; at++)
            for (k = 0; k < COUNT(flips); k++) {
                test_note("%s, byte %u, bits %u", parts[i].name, (unsigned)at,
                          (unsigned)flips[k]);
                bytes[at] ^= flips[k];
                accepted += check_damaged(&parts[i], digest);
                tried++;
                bytes[at] ^= flips[k];
            }
        CHECK_UINT(VSP_FLAW_NONE, vsp__check_table(parts[i].table));
    }
    test_note("");
    CHECK_AT_LEAST(9000, tried);
    CHECK_AT_LEAST(0.4 * tried, tried - accepted);
}

/* Several bytes at once, some of them in other arrays of the table. */
static void many_bytes_may_be_wrong(void)
{
    uint32_t round, k, state = 1;

    for (round = 0; round < (uint32_t)tries_of(20000); round++) {
        const part *p = &parts[next_random(&state) % COUNT(parts)];
        uint32_t count = 1 + next_random(&state) % 8, digest;

        set_up();
        digest = vsp__digest_table(p->table);
        test_note("round %u", (unsigned)round);
        for (k = 0; k < count; k++) {
            const part *q = &parts[next_random(&state) % COUNT(parts)];
            uint8_t *byte = (uint8_t *)q->bytes + next_random(&state) % q->size;

            if (q->table == p->table)
                *byte = (uint8_t)(*byte + 1 + next_random(&state) % 255);
        }
        if (vsp__digest_table(p->table) != digest)
            check_damaged(p, digest);
    }
    test_note("");
}

/* Wrong counts, with arrays long enough for them. */
static void counts_may_be_wrong(void)
{
    static vsp_place vertices[70];
    static vsp_plane planes[70];
    static uint16_t first[70];
    static uint8_t corners[256];
    static vsp_hull_edge edges[128];
    uint32_t v, f, accepted = 0;
    vsp_hull hull;

    set_up();
    memcpy(vertices, cube.vertices, sizeof cube.vertices);
    memcpy(planes, cube.planes, sizeof cube.planes);
    memcpy(first, cube.first, sizeof cube.first);
    memcpy(corners, cube.corners, sizeof cube.corners);
    memcpy(edges, cube.edges, sizeof cube.edges);
    hull = cube.hull;
    hull.vertices = vertices;
    hull.planes = planes;
    hull.first = first;
    hull.corners = corners;
    hull.edges = edges;
    for (v = 0; v < 70; v++)
        for (f = 0; f < 70; f++) {
            hull.vertex_count = (uint16_t)v;
            hull.face_count = (uint16_t)f;
            hull.edge_count = (uint16_t)(v + f - 2);
            hull.corner_count = (uint16_t)(2 * hull.edge_count);
            if (vsp__check_table(&hull) == VSP_FLAW_NONE)
                accepted++;
        }
    CHECK_UINT(1, accepted);
}


/* ---- Digests and names --------------------------------------------------- */

/* Constants that must be the same on every machine. */
static void digests_are_known(void)
{
    static const uint32_t expected[] = {0x6469563fu, 0x49b95bd5u, 0x7140ecf8u,
                                        0xb23126b7u, 0xe13231e8u, 0x88dd96cdu};
    uint32_t i;

    set_up();
    for (i = 0; i < COUNT(all_tables); i++) {
        test_note("table %u", (unsigned)i);
        CHECK_HEX(expected[i], vsp__digest_table(all_tables[i]));
    }
    test_note("");
}

/* Only the content of a table counts, not its address. */
static void digests_know_no_addresses(void)
{
    vsp_place vertices[8];
    vsp_hull hull;

    set_up();
    hull = cube.hull;
    memcpy(vertices, cube.vertices, sizeof vertices);
    hull.vertices = vertices;
    CHECK_HEX(vsp__digest_table(&cube.hull), vsp__digest_table(&hull));
    vertices[7].z++;
    CHECK(vsp__digest_table(&cube.hull) != vsp__digest_table(&hull));
}

static void flaws_have_names(void)
{
    CHECK(strcmp("VSP_FLAW_NONE", vsp_flaw_name(VSP_FLAW_NONE)) == 0);
    CHECK(strcmp("VSP_FLAW_DEGENERATE", vsp_flaw_name(VSP_FLAW_DEGENERATE)) ==
          0);
    CHECK(strcmp("VSP_FLAW_BULK", vsp_flaw_name(VSP_FLAW_BULK)) == 0);
    CHECK(strcmp("VSP_FLAW_CROSSING", vsp_flaw_name(VSP_FLAW_CROSSING)) == 0);
    CHECK(strcmp("unknown flaw", vsp_flaw_name((vsp_flaw)14)) == 0);
}


/* ---- Worlds -------------------------------------------------------------- */

static void worlds_number_their_tables(void)
{
    vsp_world *world = new_world();
    uint32_t i, index = 9, hash = vsp_world_hash(world);
    vsp_flaw flaw = VSP_FLAW_BULK;

    set_up();
    CHECK_UINT(0, vsp_world_table_count(world));
    CHECK_UINT(0, vsp_world_table_count(NULL));
    CHECK(vsp_world_table(world, 0) == NULL);
    CHECK(vsp_world_table(world, 1) == NULL);
    for (i = 0; i < COUNT(all_tables); i++) {
        CHECK_STATUS(VSP_OK,
                     vsp_world_add_table(world, all_tables[i], &index, &flaw));
        CHECK_UINT(i + 1, index);
        CHECK_UINT(VSP_FLAW_NONE, flaw);
        CHECK_UINT(i + 1, vsp_world_table_count(world));
        CHECK(vsp_world_table(world, i + 1) == all_tables[i]);
        CHECK(vsp_world_hash(world) != hash);
        hash = vsp_world_hash(world);
    }
    CHECK(vsp_world_table(world, 0) == NULL);
    CHECK(vsp_world_table(world, i + 1) == NULL);
    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, all_tables[2], &index, NULL));
    CHECK_UINT(3, index);
    CHECK_UINT(i, vsp_world_table_count(world));
    CHECK_HEX(hash, vsp_world_hash(world));
}

static void bad_tables_are_refused(void)
{
    vsp_world *world = new_world();
    uint32_t i, index = 9;
    vsp_flaw flaw = VSP_FLAW_BULK;

    set_up();
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &ball.sdf, &index, NULL));
    index = 9;
    CHECK_STATUS(VSP_ERR_ARG,
                 vsp_world_add_table(NULL, &cube.hull, &index, &flaw));
    CHECK_UINT(0, index);
    CHECK_UINT(VSP_FLAW_NONE, flaw);
    CHECK_REFUSED(VSP_ERR_ARG, vsp_world_add_table(world, NULL, &index, &flaw));
    CHECK_REFUSED(VSP_ERR_ARG,
                  vsp_world_add_table(world, &cube.hull, NULL, &flaw));
    for (i = 0; i < 4; i++) { /* flawed tables */
        set_up();
        cube.planes[0].offset = wedge.planes[0].offset = 5 * METRE;
        square.nodes[0].high.x = 0;
        hill.field.low = 0;
        index = 9;
        CHECK_REFUSED(VSP_ERR_DATA,
                      vsp_world_add_table(world, all_tables[i], &index, &flaw));
        CHECK_UINT(0, index);
        CHECK_UINT(i < 2 ? VSP_FLAW_PLANE : VSP_FLAW_BOUNDS, flaw);
        CHECK_REFUSED(VSP_ERR_DATA,
                      vsp_world_add_table(world, all_tables[i], &index, NULL));
    }
    CHECK_UINT(1, vsp_world_table_count(world));
}

static void full_of_tables(void)
{
    static vsp_hull hulls[VSP_MAX_TABLES + 1];
    vsp_world *world = new_world();
    vsp_flaw flaw = VSP_FLAW_BULK;
    uint32_t i, index;

    set_up();
    for (i = 0; i <= VSP_MAX_TABLES; i++)
        hulls[i] = cube.hull;
    for (i = 0; i < VSP_MAX_TABLES; i++)
        CHECK_STATUS(VSP_OK,
                     vsp_world_add_table(world, &hulls[i], &index, NULL));
    CHECK_UINT(VSP_MAX_TABLES, index);
    CHECK_REFUSED(VSP_ERR_FULL,
                  vsp_world_add_table(world, &hulls[i], &index, &flaw));
    CHECK_UINT(0, index);
    CHECK_UINT(VSP_FLAW_NONE, flaw);
    CHECK_STATUS(VSP_OK,
                 vsp_world_add_table(world, &hulls[i - 1], &index, NULL));
    CHECK_UINT(VSP_MAX_TABLES, index);
}

/* A snapshot may be restored only in worlds whose tables have the same content
 * in the same order, at any address. */
static void snapshots_know_their_tables(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world = new_world(), *other = new_world_at(&def, 1, 0);
    vsp_hull hull;
    uint32_t index;
    size_t size;

    set_up();
    hull = cube.hull;
    vsp_world_add_table(world, &cube.hull, &index, NULL);
    vsp_world_add_table(world, &hill.field, &index, NULL);
    size = save_world(world, 0);
    CHECK_STATUS(VSP_ERR_TABLE, vsp_world_restore(other, saved(0), size));
    vsp_world_add_table(other, &hull, &index, NULL);
    CHECK_STATUS(VSP_ERR_TABLE, vsp_world_restore(other, saved(0), size));
    vsp_world_add_table(other, &hill.field, &index, NULL);
    CHECK_STATUS(VSP_OK, vsp_world_restore(other, saved(0), size));
    CHECK_UINT(2, vsp_world_table_count(other));
    CHECK(vsp_world_table(other, 1) == &hull);
    CHECK_HEX(vsp_world_hash(world), vsp_world_hash(other));

    other = new_world_at(&def, 1, 0);
    vsp_world_add_table(other, &hill.field, &index, NULL);
    vsp_world_add_table(other, &hull, &index, NULL);
    CHECK_STATUS(VSP_ERR_TABLE, vsp_world_restore(other, saved(0), size));
}

static const test tests[] = {
    TEST(sound_tables_pass),
    TEST(rounded_hulls_pass),
    TEST(hulls_of_any_size_pass),
    TEST(four_faces_are_enough),
    TEST(large_hulls_pass),
    TEST(trees_are_trees),
    TEST(hulls_are_counted),
    TEST(edges_fit_faces),
    TEST(planes_are_of_faces),
    TEST(hulls_are_convex),
    TEST(solids_weigh_what_they_do),
    TEST(meshes_are_sound),
    TEST(mesh_trees_are_sound),
    TEST(nodes_are_not_empty),
    TEST(leaves_are_small),
    TEST(fields_are_sound),
    TEST(grids_are_sound),
    TEST(spheres_are_sound),
    TEST(grids_alone_pass),
    TEST(shells_are_counted),
    TEST(shell_trees_are_sound),
    TEST(triangles_are_not_slim),
    TEST(marks_are_exact),
    TEST(vertices_have_triangles),
    TEST(leaves_do_not_cross),
    TEST(triangles_come_once),
    TEST(crossings_are_exact),
    TEST(crossings_are_found),
    TEST(sheets_weigh_what_they_do),
    TEST(flat_sheets_pass),
    TEST(sheets_of_any_size_pass),
    TEST(every_byte_may_be_wrong),
    TEST(many_bytes_may_be_wrong),
    TEST(counts_may_be_wrong),
    TEST(digests_are_known),
    TEST(digests_know_no_addresses),
    TEST(flaws_have_names),
    TEST(worlds_number_their_tables),
    TEST(bad_tables_are_refused),
    TEST(full_of_tables),
    TEST(snapshots_know_their_tables),
    TEST_END,
};

const test_suite table_suite = {"table", tests};
