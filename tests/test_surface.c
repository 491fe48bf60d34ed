/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Solids on meshes and height fields, one pair at a time: position, depth and
 * normal of contacts.  On flat ground they must be the same as on a half-space,
 * whatever the triangles; on ridges, in valleys and at rims as plane geometry
 * demands.  Then contact reduction, and the triangles within bounds against all
 * triangles. */

#include "../src/record/record.h"
#include "fixture.h"
#include "port/scenes/tables.h"

#include <math.h>
#include <string.h>


/* ---- Numbers ------------------------------------------------------------ */

static uint32_t seed;

static double between(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

typedef struct point3 {
    double x, y, z;
} point3;

static point3 p3(double x, double y, double z)
{
    point3 p = {x, y, z};

    return p;
}

static point3 plus(point3 a, point3 b)
{
    return p3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static point3 times(point3 a, double s)
{
    return p3(a.x * s, a.y * s, a.z * s);
}

static point3 minus(point3 a, point3 b)
{
    return plus(a, times(b, -1));
}

static double dot(point3 a, point3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point3 cross(point3 a, point3 b)
{
    return p3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
              a.x * b.y - a.y * b.x);
}

static double length(point3 a)
{
    return sqrt(dot(a, a));
}

static point3 of_reals(const vsp__v3 *v)
{
    vsp_vec3 shown = v3_show(*v);

    return p3(num(shown.x), num(shown.y), num(shown.z));
}

static point3 of_units(const vsp__v3 *v)
{
    vsp_vec3 shown = u3_show(*v);

    return p3(num(shown.x), num(shown.y), num(shown.z));
}

static vsp__v3 reals(point3 p)
{
    return v3_read(real3(p.x, p.y, p.z));
}

static vsp__pose pose_of(point3 position, vsp_quat rotation)
{
    vsp__unit_quat q;
    vsp__pose pose;

    CHECK(vsp__q_read(rotation, &q));
    vsp__q_axes_flushed(&q, &pose.axes);
    pose.position = reals(position);
    return pose;
}

/* a point of a frame, in the world's axes, from the frame's origin */
static point3 turned(const vsp__pose *pose, point3 p)
{
    return plus(times(of_units(&pose->axes.axis[0]), p.x),
                plus(times(of_units(&pose->axes.axis[1]), p.y),
                     times(of_units(&pose->axes.axis[2]), p.z)));
}

static vsp_quat any_turn(void)
{
    double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    double size = sqrt(x * x + y * y + z * z) + 1e-9;

    return turn(between(0, 360), x / size, y / size, z / size);
}


/* ---- Surfaces ------------------------------------------------------------ */

#define MAX_ACROSS 40
#define MAX_VERTICES ((MAX_ACROSS + 1) * (MAX_ACROSS + 1))
#define MAX_TRIANGLES (2 * MAX_ACROSS * MAX_ACROSS)

static vsp_place vertices[MAX_VERTICES];
static vsp_triangle triangles[MAX_TRIANGLES];
static vsp_mesh_node nodes[MAX_TRIANGLES];
static vsp_mesh mesh;
static int16_t heights[MAX_VERTICES];
static vsp_height_field ground;
static vsp__pose surface_pose;
static vsp__surface surface;
static vsp__reducer gather;

static int32_t places(double x)
{
    return (int32_t)floor(x * VSP_PLACE + 0.5);
}

static point3 vertex_at(uint32_t i)
{
    return p3((double)vertices[i].x / VSP_PLACE,
              (double)vertices[i].y / VSP_PLACE,
              (double)vertices[i].z / VSP_PLACE);
}

static point3 normal_of(const vsp_triangle *t)
{
    point3 a = vertex_at(t->vertex[0]);
    point3 n = cross(minus(vertex_at(t->vertex[1]), a),
                     minus(vertex_at(t->vertex[2]), a));

    return times(n, 1 / length(n));
}

static void add_triangle(uint32_t a, uint32_t b, uint32_t c)
{
    vsp_triangle *t = &triangles[mesh.triangle_count++];

    t->vertex[0] = (uint16_t)a;
    t->vertex[1] = (uint16_t)b;
    t->vertex[2] = (uint16_t)c;
    t->marks = 0;
}

static void add_vertex(double x, double y, double z)
{
    vsp_place *v = &vertices[mesh.vertex_count++];

    v->x = places(x);
    v->y = places(y);
    v->z = places(z);
}

static double flat_slope = 1e-4;

/* Sets the flat bits: where another triangle has the same edge in the other
 * direction, and its third corner is not below. */
static void find_flat_edges(void)
{
    uint32_t i, j, k, m;

    for (i = 0; i < mesh.triangle_count; i++)
        for (k = 0; k < 3; k++) {
            vsp_triangle *t = &triangles[i];
            uint32_t a = t->vertex[k], b = t->vertex[(k + 1) % 3];

            for (j = 0; j < mesh.triangle_count; j++)
                for (m = 0; m < 3; m++) {
                    const vsp_triangle *o = &triangles[j];
                    point3 d;

                    if (o->vertex[m] != b || o->vertex[(m + 1) % 3] != a)
                        continue;
                    d = minus(vertex_at(o->vertex[(m + 2) % 3]), vertex_at(a));
                    if (dot(d, normal_of(t)) > -flat_slope * length(d))
                        t->marks = (uint16_t)(t->marks | 1u << k);
                }
        }
}

static void widen_range(int32_t *low, int32_t *high, int32_t x)
{
    if (x < *low)
        *low = x;
    if (x > *high)
        *high = x;
}

static void bound_node(vsp_mesh_node *n, uint32_t first, uint32_t count)
{
    uint32_t i, k;

    n->low = n->high = vertices[triangles[first].vertex[0]];
    for (i = first; i < first + count; i++)
        for (k = 0; k < 3; k++) {
            const vsp_place *v = &vertices[triangles[i].vertex[k]];

            widen_range(&n->low.x, &n->high.x, v->x);
            widen_range(&n->low.y, &n->high.y, v->y);
            widen_range(&n->low.z, &n->high.z, v->z);
        }
}

/* Builds a tree by halves, without recursion: `open` lists the nodes whose
 * second half is not built yet. */
static void build_tree(uint32_t leaf)
{
    struct {
        uint32_t node, middle, end;
    } open[32];
    uint32_t depth = 0, first = 0, end = mesh.triangle_count;

    mesh.node_count = 0;
    for (;;) {
        uint32_t i = mesh.node_count++;
        vsp_mesh_node *n = &nodes[i];

        memset(n, 0, sizeof *n);
        bound_node(n, first, end - first);
        if (end - first > leaf) {
            open[depth].node = i;
            open[depth].middle = first + (end - first) / 2;
            open[depth].end = end;
            end = open[depth++].middle;
            continue;
        }
        n->first = (uint16_t)first;
        n->count = (uint8_t)(end - first);
        n->next = mesh.node_count;
        while (depth > 0 && open[depth - 1].middle == open[depth - 1].end)
            nodes[open[--depth].node].next = mesh.node_count;
        if (depth == 0)
            return;
        first = open[depth - 1].middle;
        end = open[depth - 1].end;
        open[depth - 1].middle = end;
    }
}

static void begin_mesh(void)
{
    memset(&mesh, 0, sizeof mesh);
    mesh.kind = VSP_TABLE_MESH;
    mesh.vertices = vertices;
    mesh.triangles = triangles;
    mesh.nodes = nodes;
}

static void end_mesh(void)
{
    find_flat_edges();
    build_tree(4);
    surface_pose = pose_of(p3(0, 0, 0), turn(0, 0, 1, 0));
    surface.pose = &surface_pose;
    surface.mesh = &mesh;
    surface.field = NULL;
}

typedef double height_of(double x, double z);

static double level(double x, double z)
{
    (void)x;
    (void)z;
    return 0;
}

/* Makes a mesh of across x across squares of a size around the origin, each of
 * two triangles. */
static void make_mesh(uint32_t across, double size, height_of *height)
{
    uint32_t i, k;

    begin_mesh();
    for (k = 0; k <= across; k++)
        for (i = 0; i <= across; i++) {
            double x = ((double)i - (double)across / 2) * size;
            double z = ((double)k - (double)across / 2) * size;

            add_vertex(x, height(x, z), z);
        }
    for (k = 0; k < across; k++)
        for (i = 0; i < across; i++) {
            uint32_t a = k * (across + 1) + i, b = a + across + 1;

            add_triangle(a, b, b + 1);
            add_triangle(a, b + 1, a + 1);
        }
    end_mesh();
}

/* Makes the height field of the same surface. */
static void make_field(uint32_t across, double size, height_of *height)
{
    uint32_t i, k;

    memset(&ground, 0, sizeof ground);
    ground.kind = VSP_TABLE_HEIGHT_FIELD;
    ground.columns = ground.rows = (uint16_t)(across + 1);
    ground.cell = places(size);
    ground.step = VSP_PLACE / 1024;
    ground.low = 32767;
    ground.high = -32767;
    ground.heights = heights;
    for (k = 0; k <= across; k++)
        for (i = 0; i <= across; i++) {
            double x = ((double)i - (double)across / 2) * size;
            double z = ((double)k - (double)across / 2) * size;
            int16_t h = (int16_t)floor(height(x, z) * VSP_PLACE / ground.step +
                                       0.5);

            heights[k * (across + 1) + i] = h;
            ground.low = h < ground.low ? h : ground.low;
            ground.high = h > ground.high ? h : ground.high;
        }
    surface_pose = pose_of(p3(0, 0, 0), turn(0, 0, 1, 0));
    surface.pose = &surface_pose;
    surface.mesh = NULL;
    surface.field = &ground;
}


/* ---- Solids -------------------------------------------------------------- */

static vsp__pose solid_pose;
static vsp__convex solid;

static vsp__convex *make_solid(vsp__core core, double radius, double x,
                               double y, double z)
{
    memset(&solid, 0, sizeof solid);
    solid.pose = &solid_pose;
    solid.core = core;
    solid.radius = r_read(real(radius));
    solid.half = reals(p3(x, y, z));
    return &solid;
}

static void put_ball(double radius)
{
    make_solid(VSP__CORE_POINT, radius, 0, 0, 0);
}

static void put_box(double x, double y, double z)
{
    make_solid(VSP__CORE_BRICK, 0, x, y, z);
}

static void put_capsule(double radius, double half)
{
    make_solid(VSP__CORE_SEGMENT, radius, 0, half, 0);
}

/* a wedge: a box whose upper edges along x are nearer to each other than the
 * lower ones */
static vsp_place hull_vertices[8];
static vsp_plane hull_planes[6];
static vsp_hull_edge hull_edges[12];
static const uint16_t hull_first[7] = {0, 4, 8, 12, 16, 20, 24};
static const uint8_t hull_corners[24] = {
    0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5,
};
static vsp_hull hull;

static point3 hull_vertex(uint32_t i)
{
    const vsp_place *v = &hull_vertices[i];

    return p3((double)v->x / VSP_PLACE, (double)v->y / VSP_PLACE,
              (double)v->z / VSP_PLACE);
}

static void add_hull_edge(uint32_t face, uint32_t tail, uint32_t head)
{
    uint32_t i;

    for (i = 0; i < hull.edge_count; i++)
        if (hull_edges[i].tail == head && hull_edges[i].head == tail) {
            hull_edges[i].right = (uint8_t)face;
            return;
        }
    hull_edges[i].tail = (uint8_t)tail;
    hull_edges[i].head = (uint8_t)head;
    hull_edges[i].left = (uint8_t)face;
    hull.edge_count++;
}

static void put_hull(double x, double y, double z, double top)
{
    uint32_t i, k;

    memset(&hull, 0, sizeof hull);
    hull.kind = VSP_TABLE_HULL;
    hull.vertex_count = 8;
    hull.face_count = 6;
    hull.corner_count = 24;
    hull.vertices = hull_vertices;
    hull.planes = hull_planes;
    hull.first = hull_first;
    hull.corners = hull_corners;
    hull.edges = hull_edges;
    for (i = 0; i < 8; i++) {
        hull_vertices[i].x = places((i & 1u) ? x : -x);
        hull_vertices[i].y = places((i & 2u) ? y : -y);
        hull_vertices[i].z = places(((i & 4u) ? z : -z) * ((i & 2u) ? top : 1));
    }
    for (i = 0; i < 6; i++) {
        const uint8_t *c = &hull_corners[4 * i];
        point3 a = hull_vertex(c[0]);
        point3 n = cross(minus(hull_vertex(c[1]), a),
                         minus(hull_vertex(c[2]), a));

        n = times(n, 1 / length(n));
        CHECK(dot(n, a) > 0);
        hull_planes[i].x = (int32_t)floor(n.x * VSP_DIRECTION + 0.5);
        hull_planes[i].y = (int32_t)floor(n.y * VSP_DIRECTION + 0.5);
        hull_planes[i].z = (int32_t)floor(n.z * VSP_DIRECTION + 0.5);
        hull_planes[i].offset = places(dot(n, a));
        for (k = 0; k < 4; k++)
            add_hull_edge(i, c[k], c[(k + 1) % 4]);
    }
    hull.edges = hull_edges;
    CHECK_UINT(12, hull.edge_count);
    make_solid(VSP__CORE_POLYHEDRON, 0, 0, 0, 0);
    solid.hull = &hull;
}

static uint32_t corner_count(void)
{
    static const uint32_t counts[] = {1, 2, 8, 8};

    return counts[solid.core];
}

/* relative to the origin of its frame, in the world's axes */
static point3 corner_of(uint32_t i)
{
    point3 half = of_reals(&solid.half);

    if (solid.core == VSP__CORE_POINT)
        return p3(0, 0, 0);
    if (solid.core == VSP__CORE_SEGMENT)
        return turned(&solid_pose, p3(0, i ? half.y : -half.y, 0));
    if (solid.core == VSP__CORE_POLYHEDRON)
        return turned(&solid_pose, hull_vertex(i));
    return turned(&solid_pose,
                  p3((i & 1u) ? half.x : -half.x, (i & 2u) ? half.y : -half.y,
                     (i & 4u) ? half.z : -half.z));
}

/* the lowest point of the solid along n, relative to its origin */
static double lowest_along(point3 n)
{
    double low = 1e9;
    uint32_t i;

    for (i = 0; i < corner_count(); i++)
        low = fmin(low, dot(corner_of(i), n));
    return low - num(r_show(solid.radius));
}

#define ENVELOPE 0.01
#define WIDTH VSP__REAL(0.0002)

static uint32_t touch_at(point3 position, vsp_quat rotation)
{
    solid_pose = pose_of(position, rotation);
    vsp__reducer_begin(&gather);
    vsp__touch_surface(&surface, &solid, r_read(real(ENVELOPE)), &gather);
    return vsp__reducer_end(&gather, WIDTH);
}

static vsp__touch touch_of(uint32_t i)
{
    vsp__touch t;

    memset(&t, 0, sizeof t);
    vsp__reducer_get(&gather, i, &t);
    return t;
}

/* the deepest point of all contacts */
static double deepest(void)
{
    double gap = 1e9;
    uint32_t i, k;

    for (i = 0; i < gather.count; i++) {
        vsp__touch t = touch_of(i);

        for (k = 0; k < t.count; k++)
            gap = fmin(gap, num(r_show(t.points[k].gap)));
    }
    return gap;
}

static void check_near3(point3 expected, point3 got, double tolerance)
{
    CHECK_NEAR(expected.x, got.x, tolerance);
    CHECK_NEAR(expected.y, got.y, tolerance);
    CHECK_NEAR(expected.z, got.z, tolerance);
}

/* Checks all points: both sides are apart by the gap along the normal, or
 * nearly so if several directions share a group; and all features differ. */
static void check_points(double tolerance)
{
    uint8_t used[256] = {0};
    uint32_t i, k;

    CHECK_AT_MOST(4, gather.count);
    for (i = 0; i < gather.count; i++) {
        vsp__touch t = touch_of(i);
        point3 n = of_units(&t.normal);

        CHECK_AT_LEAST(1, t.count);
        CHECK_AT_MOST(4, t.count);
        CHECK_NEAR(1, length(n), 1e-5);
        for (k = 0; k < t.count; k++) {
            point3 a = plus(of_reals(&t.points[k].on[0]),
                            of_reals(&surface_pose.position));
            point3 b = plus(of_reals(&t.points[k].on[1]),
                            of_reals(&solid_pose.position));
            double gap = num(r_show(t.points[k].gap));

            CHECK_AT_MOST(ENVELOPE, gap);
            CHECK_NEAR(gap, dot(n, minus(b, a)),
                       tolerance + (gather.count < 4 ? 0.05 : 1) * fabs(gap));
            /* ends of edges may be beside each other */
            CHECK_AT_MOST(tolerance + 0.3 * fabs(gap) + 0.05,
                          length(minus(minus(b, a), times(n, gap))));
            CHECK_AT_MOST(255, t.points[k].feature);
            CHECK_UINT(0, used[t.points[k].feature]++);
        }
    }
}


/* ---- Flat surfaces ------------------------------------------------------- */

static void any_solid(uint32_t kind)
{
    switch (kind) {
    case 0:
        put_ball(between(0.05, 0.8));
        break;
    case 1:
        put_capsule(between(0.05, 0.4), between(0.1, 0.8));
        break;
    case 2:
        put_box(between(0.05, 0.8), between(0.05, 0.8), between(0.05, 0.8));
        break;
    default:
        put_hull(between(0.1, 0.8), between(0.1, 0.8), between(0.1, 0.8),
                 between(0.3, 1));
    }
}

/* Solids less than half deep in a flat surface, away from its rim, must have
 * the same contacts as on a half-space. */
static void check_flat(uint32_t count)
{
    double tolerance = TOLERANCE(2e-5, 2e-5);
    uint32_t i, k, n;

    for (i = 0; i < count; i++) {
        vsp_quat rotation = any_turn();
        point3 up = of_units(&surface_pose.axes.axis[1]), where;
        double low, gap;

        any_solid(i % 4);
        solid_pose = pose_of(p3(0, 0, 0), rotation);
        low = lowest_along(up);
        gap = i % 3 == 0 ? between(-0.05, ENVELOPE)
                         : between(0.4 * low, ENVELOPE);
        where = plus(of_reals(&surface_pose.position),
                     turned(&surface_pose,
                            p3(between(-1, 1), gap - low, between(-1, 1))));
        n = touch_at(where, rotation);
        test_note("solid %u", i);
        if (gap > ENVELOPE - 1e-4)
            continue;
        if (!CHECK_UINT(1, n))
            continue;
        check_points(tolerance);
        CHECK_NEAR(gap, deepest(), tolerance);
        for (k = 0; k < gather.count; k++) {
            vsp__touch t = touch_of(k);

            check_near3(up, of_units(&t.normal), 1e-5);
        }
    }
    test_note("");
}

static void flat_mesh_is_a_half_space(void)
{
    seed = 1;
    make_mesh(40, 0.25, level);
    check_flat(2000);
    make_mesh(7, 1.1, level);
    check_flat(2000);
}

static void turned_mesh_is_a_half_space(void)
{
    seed = 2;
    make_mesh(20, 0.5, level);
    surface_pose = pose_of(p3(3, -2, 5), turn(50, 0.6, 0, 0.8));
    check_flat(1000);
}

static void flat_field_is_a_half_space(void)
{
    seed = 3;
    make_field(40, 0.25, level);
    check_flat(2000);
    make_field(7, 1.1, level);
    surface_pose = pose_of(p3(3, -2, 5), turn(50, 0.6, 0, 0.8));
    check_flat(2000);
}

static double uphill(double x, double z)
{
    return 0.5 * x - 0.25 * z;
}

/* a plane that is not parallel to the grid */
static void inclined_field_is_a_half_space(void)
{
    vsp__touch t;
    uint32_t i;

    seed = 4;
    make_field(20, 0.5, uphill);
    for (i = 0; i < 1000; i++) {
        vsp_quat rotation = any_turn();
        point3 up = times(p3(-0.5, 1, 0.25), 1 / length(p3(-0.5, 1, 0.25)));
        double x = between(-1, 1), z = between(-1, 1), low, gap;

        any_solid(i % 4);
        solid_pose = pose_of(p3(0, 0, 0), rotation);
        low = lowest_along(up);
        gap = between(0.4 * low, 0.8 * ENVELOPE);
        test_note("solid %u", i);
        if (!CHECK_UINT(
                1, touch_at(plus(p3(x, uphill(x, z), z), times(up, gap - low)),
                            rotation)))
            continue;
        check_points(2e-5);
        CHECK_NEAR(gap, deepest(), 3e-3);
        t = touch_of(0);
        check_near3(up, of_units(&t.normal), 1e-2);
    }
    test_note("");
}

/* Only the four corners of a box that lies flat may be contacts. */
static void box_lies_on_its_corners(void)
{
    uint32_t i, k;

    make_mesh(40, 0.17, level);
    put_box(0.9, 0.2, 0.6);
    for (i = 0; i < 60; i++) {
        double x = 0.013 * i, z = 0.007 * i;
        vsp__touch t;

        test_note("box %u", i);
        if (!CHECK_UINT(1, touch_at(p3(x, 0.195, z), turn(6.0 * i, 0, 1, 0))))
            continue;
        t = touch_of(0);
        CHECK_UINT(4, t.count);
        for (k = 0; k < t.count; k++) {
            point3 at = of_reals(&t.points[k].on[1]);

            CHECK_NEAR(sqrt(0.9 * 0.9 + 0.6 * 0.6 + 0.04), length(at), 1e-4);
            CHECK_AT_MOST(7, t.points[k].feature);
        }
    }
    test_note("");
}


/* ---- Ridges, valleys, rims ----------------------------------------------- */

static double roof(double x, double z)
{
    (void)z;
    return -0.5 * fabs(x);
}

static double curvature;

static double dome(double x, double z)
{
    return -curvature * (x * x + z * z);
}

static double valley(double x, double z)
{
    return -roof(x, z);
}

static double rough(double x, double z)
{
    return 0.2 * sin(3.1 * x) * cos(2.3 * z) + 0.1 * sin(5.3 * z + x);
}

static double steps(double x, double z)
{
    return (x < 0.1 ? 1.0 : 0.0) + (z < 0.1 ? 0.7 : 0.0) + 0.03 * x;
}

/* the point of triangle abc nearest to p, by trying all features (Ericson,
 * "Real-Time Collision Detection", 5.1.5) */
static point3 nearest_on_edge(point3 a, point3 b, point3 p)
{
    point3 d = minus(b, a);
    double s = dot(minus(p, a), d) / dot(d, d);

    return plus(a, times(d, fmin(fmax(s, 0), 1)));
}

static point3 nearest_on(const point3 c[3], point3 p)
{
    point3 n = cross(minus(c[1], c[0]), minus(c[2], c[0])), best, q;
    uint32_t k;
    bool inside = true;

    n = times(n, 1 / length(n));
    q = minus(p, times(n, dot(n, minus(p, c[0]))));
    for (k = 0; k < 3; k++)
        if (dot(cross(minus(c[(k + 1) % 3], c[k]), minus(q, c[k])), n) < 0)
            inside = false;
    if (inside)
        return q;
    best = nearest_on_edge(c[0], c[1], p);
    for (k = 1; k < 3; k++) {
        q = nearest_on_edge(c[k], c[(k + 1) % 3], p);
        if (length(minus(p, q)) < length(minus(p, best)))
            best = q;
    }
    return best;
}

static point3 field_point(uint32_t column, uint32_t row)
{
    double left = floor((ground.columns - 1.0) * ground.cell / 2);
    double back = floor((ground.rows - 1.0) * ground.cell / 2);
    uint32_t i = row * ground.columns + column;

    return p3(((double)column * ground.cell - left) / VSP_PLACE,
              (double)heights[i] * ground.step / VSP_PLACE,
              ((double)row * ground.cell - back) / VSP_PLACE);
}

/* Returns the corners of a triangle of the surface, as vsp.h numbers them;
 * false if there is none. */
static bool corners_of(uint32_t index, point3 c[3])
{
    uint32_t across = ground.columns - 1u, i, k;

    if (surface.mesh) {
        for (k = 0; k < 3; k++)
            c[k] = vertex_at(triangles[index].vertex[k]);
        return true;
    }
    i = index / 2 % across;
    k = index / 2 / across;
    c[0] = field_point(i, k);
    c[1] = index % 2 ? field_point(i + 1, k + 1) : field_point(i, k + 1);
    c[2] = index % 2 ? field_point(i + 1, k) : field_point(i + 1, k + 1);
    for (k = 0; k < 3; k++)
        if (c[k].y < -20)
            return false;
    return true;
}

static uint32_t triangle_count(void)
{
    return surface.mesh ? mesh.triangle_count
                        : 2u * (ground.columns - 1u) * (ground.rows - 1u);
}

static point3 nearest_of_all(point3 p)
{
    point3 best = p3(1e9, 0, 0), c[3];
    uint32_t i;

    for (i = 0; i < triangle_count(); i++)
        if (corners_of(i, c)) {
            point3 q = nearest_on(c, p);

            if (length(minus(p, q)) < length(minus(p, best)))
                best = q;
        }
    return best;
}

/* height of the surface of triangles */
static double ground_height(double x, double z)
{
    point3 at = p3(x, 0, z), c[3];
    uint32_t i, k;

    for (i = 0; i < triangle_count(); i++) {
        bool is_over = corners_of(i, c);

        for (k = 0; k < 3 && is_over; k++) {
            point3 d = minus(c[(k + 1) % 3], c[k]), e = minus(at, c[k]);

            is_over = d.z * e.x - d.x * e.z >= -1e-12;
        }
        if (is_over) {
            point3 n = cross(minus(c[1], c[0]), minus(c[2], c[0]));

            return dot(n, c[0]) / n.y - (n.x * x + n.z * z) / n.y;
        }
    }
    return -1e9;
}

/* Balls with their centre above the surface: the deepest contact must be at the
 * nearest point; on a convex surface it must be the only one. */
static void check_balls(uint32_t count, double size, bool is_convex)
{
    uint32_t i, k;

    for (i = 0; i < count; i++) {
        double radius = between(0.1, 0.5);
        double x = between(-size, size), z = between(-size, size);
        point3 at = p3(x, ground_height(x, z) + between(0.1, 1.2) * radius, z);
        point3 q = nearest_of_all(at);
        double gap = length(minus(at, q)) - radius;
        uint32_t n;

        put_ball(radius);
        n = touch_at(at, turn(0, 0, 1, 0));
        test_note("ball %u of radius %g at %g %g %g", i, radius, at.x, at.y,
                  at.z);
        if (gap > ENVELOPE - 1e-4) {
            if (gap > ENVELOPE + 1e-4)
                CHECK_UINT(0, n);
            continue;
        }
        if (!CHECK_AT_LEAST(1, n))
            continue;
        check_points(1e-4);
        CHECK_NEAR(gap, deepest(), 1e-4);
        if (is_convex) {
            CHECK_UINT(1, n);
            CHECK_AT_MOST(2, gather.groups[0].count); /* an edge contact too */
        }
        for (k = 0; k < n; k++) {
            vsp__touch t = touch_of(k);
            point3 normal = of_units(&t.normal);

            if (num(r_show(t.points[0].gap)) < gap + 1e-5)
                CHECK_AT_LEAST(0.99, dot(normal, minus(at, q)) /
                                         length(minus(at, q)));
        }
    }
    test_note("");
}

static void balls_find_the_nearest_point(void)
{
    seed = 5;
    make_mesh(10, 0.3, roof);
    check_balls(500, 1.2, true);
    make_mesh(10, 0.3, valley);
    check_balls(300, 1.2, false);
    curvature = 0.02; /* then edges of less than a degree are marked flat */
    flat_slope = 0.017;
    make_mesh(16, 0.25, dome);
    flat_slope = 1e-4;
    CHECK_UINT(7, triangles[300].marks);
    check_balls(500, 1.7, false);
    make_mesh(16, 0.25, rough);
    check_balls(1000, 1.7, false);
    make_field(16, 0.25, rough);
    check_balls(1000, 1.7, false);
}


/* Returns the distance of a solid from the space below the roof, negative
 * inside: the largest over all directions between the two normals. */
static double roof_gap(point3 at)
{
    double best = -1e9;
    int i;

    for (i = -500; i <= 500; i++) {
        double angle = atan(0.5) * i / 500;
        point3 n = p3(sin(angle), cos(angle), 0);

        best = fmax(best, dot(n, at) + lowest_along(n));
    }
    return best;
}

static void solids_lie_across_a_ridge(void)
{
    uint32_t count = is_long() ? 3000 : 1000, i, touched = 0;

    seed = 6;
    make_mesh(30, 0.2, roof);
    for (i = 0; i < count; i++) {
        vsp_quat rotation = any_turn();
        double x = between(-0.5, 0.5), z = between(-0.5, 0.5), gap;
        point3 at;
        uint32_t k;

        any_solid(i % 4);
        solid_pose = pose_of(p3(0, 0, 0), rotation);
        at = p3(x, 2, z);
        for (k = 0; k < 6; k++)
            at.y -= roof_gap(at);
        at.y += between(-0.03, 0.01);
        gap = roof_gap(at);
        test_note("solid %u", i);
        touch_at(at, rotation);
        if (gap > 0.9 * ENVELOPE)
            continue;
        if (!CHECK_AT_LEAST(1, gather.count))
            continue;
        touched++;
        /* each triangle tests only its own slope */
        CHECK_AT_MOST(gap + 0.002 + 0.06 * fabs(gap), deepest());
        CHECK_AT_LEAST(gap - 0.002 - fabs(gap), deepest());
    }
    test_note("");
    CHECK_AT_LEAST(count / 3, touched);
}

/* Each touch of a ball must be one of these, and all of these must occur. */
static void check_ball_at(point3 at, double radius, uint32_t count,
                          const point3 *normals, const double *gaps)
{
    uint32_t i, k;

    put_ball(radius);
    test_note("ball of radius %g at %g %g %g", radius, at.x, at.y, at.z);
    if (CHECK_UINT(count, touch_at(at, turn(0, 0, 1, 0)))) {
        check_points(1e-4);
        for (i = 0; i < count; i++) {
            double best = -1;
            vsp__touch t;

            for (k = 0; k < count; k++)
                if (dot(of_units(&gather.groups[k].normal), normals[i]) >
                    best) {
                    best = dot(of_units(&gather.groups[k].normal), normals[i]);
                    t = touch_of(k);
                }
            CHECK_AT_LEAST(0.99999, best);
            CHECK_NEAR(gaps[i], num(r_show(t.points[0].gap)), 1e-4);
        }
    }
    test_note("");
}

static void ball_in_hand_made_places(void)
{
    double c = sqrt(0.8), s = sqrt(0.2), n = sqrt(0.5);
    point3 up = p3(0, 1, 0), slopes[2], out;
    double gaps[2] = {0, 0};

    slopes[0] = p3(s, c, 0);
    slopes[1] = p3(-s, c, 0);
    make_mesh(10, 0.3, valley); /* both slopes */
    gaps[0] = gaps[1] = 0.5 * c - 0.45;
    check_ball_at(p3(0, 0.5, 0.1), 0.45, 2, slopes, gaps);
    make_field(10, 0.25, valley);
    check_ball_at(p3(0, 0.5, 0.1), 0.45, 2, slopes, gaps);
    make_mesh(10, 0.3, roof); /* on the ridge; on one slope, near it */
    gaps[0] = -0.01;
    check_ball_at(p3(0, 0.44, 0.1), 0.45, 1, &up, gaps);
    gaps[0] = -0.02;
    check_ball_at(plus(p3(0.05, -0.025, 0.1), times(slopes[0], 0.43)), 0.45, 1,
                  slopes, gaps);
    make_mesh(6, 0.5, level); /* at the rim, and at its corner */
    out = p3(n, n, 0);
    gaps[0] = -0.01;
    check_ball_at(p3(1.5 + 0.19 * n, 0.19 * n, 0.2), 0.2, 1, &out, gaps);
    out = times(p3(1, 1, 1), sqrt(1 / 3.0));
    check_ball_at(plus(p3(1.5, 0, 1.5), times(out, 0.19)), 0.2, 1, &out, gaps);
    check_ball_at(p3(1.5 + 0.22, 0.05, 0.2), 0.2, 0, NULL, NULL);
}

/* A mesh is one-sided, but pushes out a solid whose centre is a little
 * behind. */
static void meshes_are_felt_from_the_front(void)
{
    uint32_t i;

    seed = 8;
    make_mesh(12, 0.5, level);
    for (i = 0; i < 500; i++) {
        vsp_quat rotation = any_turn();
        double x = between(-1, 1), z = between(-1, 1), high;

        any_solid(i % 4);
        solid_pose = pose_of(p3(0, 0, 0), rotation);
        high = -lowest_along(p3(0, -1, 0));
        test_note("solid %u", i);
        CHECK_UINT(0, touch_at(p3(x, -high + between(-0.005, 0.1 * high), z),
                               rotation));
    }
    test_note("");
    put_ball(0.5);
    CHECK_UINT(1, touch_at(p3(0.1, -0.1, 0.2), turn(0, 0, 1, 0)));
    CHECK_NEAR(-0.6, deepest(), 1e-5);
    CHECK_UINT(0, touch_at(p3(0.1, -0.3, 0.2), turn(0, 0, 1, 0)));
}

/* A height field is solid to any depth, but not beyond its rim or in its
 * holes. */
static void fields_are_solid_below(void)
{
    uint32_t i;

    seed = 9;
    make_field(12, 0.5, level);
    for (i = 0; i < 500; i++) {
        vsp_quat rotation = any_turn();
        double depth = between(0, 50), low;
        vsp__touch t;

        any_solid(i % 4);
        solid_pose = pose_of(p3(0, 0, 0), rotation);
        low = lowest_along(p3(0, 1, 0));
        test_note("solid %u", i);
        if (!CHECK_UINT(1, touch_at(p3(between(-1, 1), -depth, between(-1, 1)),
                                    rotation)))
            continue;
        check_points(1e-4);
        CHECK_NEAR(low - depth, deepest(), 5e-5);
        t = touch_of(0);
        check_near3(p3(0, 1, 0), of_units(&t.normal), 1e-6);
    }
    test_note("");
    put_ball(0.2);
    CHECK_UINT(0, touch_at(p3(3.3, -1, 0), turn(0, 0, 1, 0)));
    CHECK_UINT(0, touch_at(p3(0, -1, -3.3), turn(0, 0, 1, 0)));
    heights[6 * 13 + 6] = VSP_HOLE; /* in the middle: six triangles */
    CHECK_UINT(0, touch_at(p3(0.1, -1, 0.05), turn(0, 0, 1, 0)));
    CHECK_UINT(0, touch_at(p3(0.1, 0.1, 0.05), turn(0, 0, 1, 0)));
    CHECK_UINT(1, touch_at(p3(-0.4, 0.1, 0.4), turn(0, 0, 1, 0)));
    CHECK_UINT(1, touch_at(p3(0.3, 0.1, -0.4), turn(0, 0, 1, 0)));
    CHECK_UINT(1, touch_at(p3(0.9, -1, 0.05), turn(0, 0, 1, 0)));
    /* the rim of the hole has contacts */
    CHECK_UINT(1, touch_at(p3(-0.4, 0.02, 0), turn(0, 0, 1, 0)));
}


/* Returns how far a solid must be lifted to leave ground of 16 x 16 squares of
 * 0.25 m, by many samples.  Negative if it does not touch. */
static double lift_of(point3 at, int fine)
{
    double most = -1e9, u, v, w, size = 0.25;
    uint32_t across = 16;
    int i, j, k;

    for (i = 0; i <= fine; i++)
        for (j = 0; j <= fine; j++)
            for (k = 0; k <= fine; k++) {
                point3 p = at, c[3];
                double half = size * across / 2;
                uint32_t column, row, n;

                if (i % fine && j % fine && k % fine)
                    continue; /* inside */
                u = (double)i / fine;
                v = (double)j / fine;
                w = (double)k / fine;
                for (n = 0; n < 8; n++)
                    p = plus(p, times(corner_of(n), ((n & 1) ? u : 1 - u) *
                                                        ((n & 2) ? v : 1 - v) *
                                                        ((n & 4) ? w : 1 - w)));
                column = (uint32_t)floor((p.x + half) / size);
                row = (uint32_t)floor((p.z + half) / size);
                n = 2 * (row * across + column);
                if (p.z - size * row < p.x - size * column)
                    n++;
                if (corners_of(n, c)) {
                    point3 up = cross(minus(c[1], c[0]), minus(c[2], c[0]));

                    most = fmax(most, dot(minus(c[0], p), up) / up.y);
                }
            }
    return most;
}

/* Checks that contacts of boxes and wedges on rough ground exist, and are not
 * deeper than the lift that frees them. */
static void check_depths(uint32_t count)
{
    uint32_t i, touched = 0;

    for (i = 0; i < count; i++) {
        point3 at = p3(between(-1, 1), 1, between(-1, 1));
        vsp_quat rotation = any_turn();
        double size = between(0.1, 0.5), lift;

        if (i % 2)
            put_box(size, size * between(0.2, 1), size * between(0.2, 1));
        else
            put_hull(size, size * between(0.2, 1), size * between(0.2, 1), 0.7);
        solid_pose = pose_of(p3(0, 0, 0), rotation);
        at.y += lift_of(at, 16) - between(-0.005, 0.03);
        lift = lift_of(at, 16);
        test_note("solid %u", i);
        touch_at(at, rotation);
        if (gather.count == 0) {
            CHECK_AT_MOST(0.0, lift);
            continue;
        }
        touched++;
        check_points(1e-4);
        if (deepest() < -2 * lift - 0.01) /* at walls, samples may miss the
                                           * depth: take more */
            lift = fmax(lift, lift_of(at, 150));
        CHECK_AT_LEAST(-2 * lift - 0.01, deepest());
    }
    test_note("");
    CHECK_AT_LEAST(count / 2, touched);
}

static void contacts_on_rough_ground_are_not_too_deep(void)
{
    seed = 13;
    make_mesh(16, 0.25, rough);
    check_depths(150);
    make_field(16, 0.25, rough);
    check_depths(150);
    make_mesh(16, 0.25, steps);
    check_depths(400);
    make_field(16, 0.25, steps);
    check_depths(400);
}


/* ---- Triangles within bounds --------------------------------------------- */

static bool is_near(const point3 c[3], const double low[3],
                    const double high[3])
{
    double from[3], to[3];
    uint32_t k;

    from[0] = fmin(c[0].x, fmin(c[1].x, c[2].x));
    from[1] = fmin(c[0].y, fmin(c[1].y, c[2].y));
    from[2] = fmin(c[0].z, fmin(c[1].z, c[2].z));
    to[0] = fmax(c[0].x, fmax(c[1].x, c[2].x));
    to[1] = fmax(c[0].y, fmax(c[1].y, c[2].y));
    to[2] = fmax(c[0].z, fmax(c[1].z, c[2].z));
    for (k = 0; k < 3; k++)
        if (from[k] > high[k] || to[k] < low[k])
            return false;
    return true;
}

static void check_near_triangles(uint32_t rounds)
{
    static uint8_t found[MAX_TRIANGLES];
    uint32_t round, i, k;

    for (round = 0; round < rounds; round++) {
        double size = between(0, 1.5);
        vsp__v3 corners[3];
        vsp__triangle_walk it;
        vsp__aabb bounds;
        double low[3], high[3];
        point3 at, c[3];

        at = p3(between(-3, 3), between(-0.5, 0.5), between(-3, 3));
        bounds.low = reals(at);
        bounds.high = reals(
            plus(at, p3(size * between(0, 1), size * between(0, 1),
                        size * between(0, 1))));
        at = of_reals(&bounds.low);
        low[0] = at.x, low[1] = at.y, low[2] = at.z;
        at = of_reals(&bounds.high);
        high[0] = at.x, high[1] = at.y, high[2] = at.z;
        memset(found, 0, sizeof found);
        vsp__start_triangles(&it, &surface, &bounds);
        while (vsp__next_triangle(&it, corners, &i)) {
            if (!CHECK(i < triangle_count() && corners_of(i, c)))
                return;
            for (k = 0; k < 3; k++)
                check_near3(c[k], of_reals(&corners[k]), 1e-6);
            found[i]++;
        }
        for (i = 0; i < triangle_count(); i++)
            if (corners_of(i, c))
                CHECK_UINT(is_near(c, low, high) ? 1 : 0, found[i]);
    }
}

static void all_triangles_near_are_found(void)
{
    uint32_t i;

    seed = 10;
    make_mesh(20, 0.21, rough);
    check_near_triangles(1000);
    make_field(20, 0.21, rough);
    for (i = 0; i < 30; i++)
        heights[(seed + 101 * i) % 441] = VSP_HOLE;
    check_near_triangles(1000);
    make_field(1, 2, level);
    check_near_triangles(100);
}


/* ---- Contact reduction --------------------------------------------------- */

static void add_point(point3 normal, double x, double y, double z, double gap,
                      uint32_t feature)
{
    vsp__touch t;
    vsp_vec3 n = real3(normal.x, normal.y, normal.z);

    memset(&t, 0, sizeof t);
    t.normal = v3(u_read(n.x), u_read(n.y), u_read(n.z));
    t.count = 1;
    t.points[0].on[1] = reals(p3(x, y, z));
    t.points[0].gap = r_read(real(gap));
    t.points[0].feature = feature;
    vsp__reducer_add(&gather, &t, 0);
}

/* points of a square, in any order: its corners and the deepest must stay */
static void gathering_keeps_what_counts(void)
{
    uint32_t round, i, k;

    seed = 11;
    for (round = 0; round < 200; round++) {
        uint32_t corners = 0, deep = 0, first = round % 60;
        double at = between(-0.5, 0.5);
        vsp__touch t;

        vsp__reducer_begin(&gather);
        for (i = 0; i < 64; i++) {
            uint32_t n = (first + i * 13) % 64;

            if (n < 4)
                add_point(p3(0, 1, 0), n & 1 ? 1 : -1, 0, n & 2 ? 1 : -1, 0, n);
            else if (n == 4)
                add_point(p3(0, 1, 0), at, 0, 0, -0.02, n);
            else
                add_point(p3(0, 1, 0), between(-1, 1), 0, between(-1, 1), 0,
                          n & 255);
        }
        if (!CHECK_UINT(1, vsp__reducer_end(&gather, WIDTH)))
            return;
        t = touch_of(0);
        CHECK_UINT(4, t.count);
        for (k = 0; k < t.count; k++) {
            point3 p = of_reals(&t.points[k].on[1]);

            corners += fabs(p.x) + fabs(p.z) > 1.9999;
            deep += num(r_show(t.points[k].gap)) < -0.01;
        }
        CHECK_UINT(1, deep);
        CHECK_UINT(3, corners);
    }
}

static void gathering_has_an_end(void)
{
    uint8_t used[256] = {0};
    uint32_t i, k;
    double gap = 1;

    seed = 12;
    vsp__reducer_begin(&gather);
    CHECK_UINT(0, vsp__reducer_end(&gather, WIDTH));
    vsp__reducer_begin(&gather);
    for (i = 0; i < 500; i++) {
        point3 n = p3(between(-1, 1), between(-1, 1), between(-1, 1));

        if (length(n) < 0.1)
            continue;
        add_point(times(n, 1 / length(n)), between(-1, 1), between(-1, 1),
                  between(-1, 1), i == 300 ? -1.5 : between(-1, 0), 7);
    }
    CHECK_UINT(4, vsp__reducer_end(&gather, WIDTH));
    for (i = 0; i < 4; i++) {
        vsp__touch t = touch_of(i);

        CHECK_AT_MOST(4, t.count);
        for (k = 0; k < t.count; k++) {
            CHECK_AT_MOST(255, t.points[k].feature);
            CHECK_UINT(0, used[t.points[k].feature]++);
            gap = fmin(gap, num(r_show(t.points[k].gap)));
        }
    }
    CHECK_NEAR(-1.5, gap, 1e-6);
}

/* a point found twice must stay one, the deeper */
static void gathering_joins_equals(void)
{
    vsp__touch t;

    vsp__reducer_begin(&gather);
    add_point(p3(0, 1, 0), 1, 0, 1, -0.01, 3);
    add_point(p3(0, 1, 0), 1, 0, 1.00002, -0.02, 9);
    add_point(p3(0, 1, 0), 1, 0, 1.00001, 0, 5);
    CHECK_UINT(1, vsp__reducer_end(&gather, WIDTH));
    t = touch_of(0);
    CHECK_UINT(1, t.count);
    CHECK_NEAR(-0.02, num(r_show(t.points[0].gap)), 1e-5);
    vsp__reducer_begin(&gather);
    add_point(p3(0, 1, 0), 1, 0, 1, -0.01, 3);
    add_point(p3(1, 0, 0), 1, 0, 1, -0.01, 3);
    CHECK_UINT(2, vsp__reducer_end(&gather, WIDTH));
}


/* ---- Whole steps --------------------------------------------------------- */

static vsp_world *world;

/* Makes a world with the mesh or the field as table 1, on a static body. */
static void new_surface_world(void)
{
    vsp_body_def def = vsp_body_def_default();

    world = new_world();
    world->tables[0] = surface.mesh ? (const void *)surface.mesh
                                    : (const void *)surface.field;
    world->table_count = 1;
    def.shape = vsp_table_shape(
        surface.mesh ? VSP_SHAPE_MESH : VSP_SHAPE_HEIGHT_FIELD, 1);
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, NULL));
}

static vsp_body_id throw_body(vsp_shape_def shape, point3 from,
                              vsp_quat rotation, point3 velocity)
{
    vsp_body_def def = body_def(VSP_DYNAMIC, shape, from.x, from.y, from.z);
    vsp_body_id id = {0};

    def.velocity = real3(velocity.x, velocity.y, velocity.z);
    def.pose.rotation = rotation;
    CHECK_STATUS(VSP_OK, vsp_body_create(world, &def, &id));
    return id;
}

static point3 place_of(vsp_body_id id)
{
    vsp_vec3 p = vsp_body_transform(world, id).position;

    return p3(num(p.x), num(p.y), num(p.z));
}

static point3 velocity_of(vsp_body_id id)
{
    vsp_vec3 v = vsp_body_velocity(world, id);

    return p3(num(v.x), num(v.y), num(v.z));
}

/* Rolls or slides a ball across the surface at 10 m/s.  It must gain no
 * vertical speed, unless it begins too deep, and must move and touch as on a
 * half-space. */
static void check_ball(bool rolls, double depth, point3 ends[2])
{
    vsp_body_id id = throw_body(vsp_sphere(VSP_R(0.5)),
                                p3(-4, 0.5 - depth, -4.1), turn(0, 0, 1, 0),
                                p3(7, 0, 7.1));
    vsp_contact contact;
    double most = 0;
    vsp_vec3 at;
    uint32_t i;

    if (rolls)
        CHECK_STATUS(VSP_OK, vsp_body_set_velocity(world, id, real3(7, 0, 7.1),
                                                   real3(14.2, 0, -14)));
    for (i = 0; i < (depth > 0 ? 2 : 66); i++) {
        step_world(world, 1);
        most = fmax(most, fabs(velocity_of(id).y));
    }
    if (depth == 0)
        CHECK_AT_MOST(0.01, most);
    memset(&contact, 0, sizeof contact);
    CHECK_STATUS(VSP_OK, vsp_contact_get(world, 0, &contact));
    at = contact.points[0].position;
    if (ends[0].y == 0) {
        ends[0] = place_of(id);
        ends[1] = p3(num(at.x), num(at.y), num(at.z));
    }
    check_near3(ends[0], place_of(id), 0.001);
    check_near3(ends[1], p3(num(at.x), num(at.y), num(at.z)), 0.002);
}

static void ball_rolls_over_flat_triangles(void)
{
    uint32_t round;

    for (round = 0; round < 4; round++) {
        double depth = round < 2 ? 0 : 0.03;
        bool rolls = round % 2 != 0;
        point3 ends[2] = {{0, 0, 0}, {0, 0, 0}};

        test_note("round %u", round);
        world = new_world();
        add_ground(world);
        check_ball(rolls, depth, ends);
        make_mesh(40, 0.25, level);
        CHECK_AT_LEAST(1000, mesh.triangle_count);
        new_surface_world();
        check_ball(rolls, depth, ends);
        make_field(40, 0.25, level);
        new_surface_world();
        check_ball(rolls, depth, ends);
    }
    test_note("");
}

/* how far a box slides over the ground of a world when thrown */
static double slide_of_box(void)
{
    vsp_body_id id = throw_body(vsp_box(VSP_R(0.4), VSP_R(0.2), VSP_R(0.3)),
                                p3(-3, 0.2, -0.33), turn(20, 0, 1, 0),
                                p3(6, 0, 0.6));

    step_world(world, 120);
    CHECK_AT_MOST(0.01, length(velocity_of(id)));
    CHECK_NEAR(0.2, place_of(id).y, 0.01);
    return length(minus(place_of(id), p3(-3, 0.2, -0.33)));
}

static void box_slides_over_flat_triangles(void)
{
    double way;

    world = new_world();
    add_ground(world);
    way = slide_of_box();
    make_mesh(40, 0.25, level);
    new_surface_world();
    CHECK_NEAR(way, slide_of_box(), 0.01 * way);
    make_mesh(5, 2.1, level);
    new_surface_world();
    CHECK_NEAR(way, slide_of_box(), 0.01 * way);
    make_field(40, 0.25, level);
    new_surface_world();
    CHECK_NEAR(way, slide_of_box(), 0.01 * way);
}


/* Makes a world with the table of a thousand triangles, or a half-space. */
static void new_plane_world(bool is_mesh)
{
    vsp_shape_def plane;
    uint32_t table;

    world = new_world();
    if (!is_mesh) {
        add_ground(world);
        return;
    }
    CHECK_UINT(1000, mesh_plane.triangle_count);
    CHECK_STATUS(VSP_OK, vsp_world_add_table(world, &mesh_plane, &table, NULL));
    plane = vsp_table_shape(VSP_SHAPE_MESH, table);
    add_body(world, VSP_STATIC, plane, 0, 0, 0);
}

/* A ball at 10 m/s must cross ten metres of it without a hop, and a box must
 * slide as far as on a half-space. */
static void a_thousand_triangles_are_a_plane(void)
{
    static const double turns[] = {0, 17, 45, 90};
    double way[2];
    uint32_t i, k, step;

    for (i = 0; i < COUNT_OF(turns); i++) {
        double angle = turns[i] * 3.14159265358979 / 180;
        double c = cos(angle), s = sin(angle), most = 0;
        vsp_body_id id;

        test_note("towards %g degrees", turns[i]);
        new_plane_world(true);
        id = throw_body(vsp_sphere(VSP_R(0.5)), p3(-5 * c, 0.5, -5 * s),
                        turn(0, 0, 1, 0), p3(10 * c, 0, 10 * s));
        CHECK_STATUS(VSP_OK,
                     vsp_body_set_velocity(world, id, real3(10 * c, 0, 10 * s),
                                           real3(20 * s, 0, -20 * c)));
        for (step = 0; step < 60; step++) {
            step_world(world, 1);
            most = fmax(most, fabs(velocity_of(id).y));
        }
        CHECK_AT_MOST(0.01, most);
        CHECK_NEAR(5, c * place_of(id).x + s * place_of(id).z, 0.1);
    }
    for (k = 0; k < 2; k++) {
        new_plane_world(k == 1);
        way[k] = slide_of_box();
    }
    CHECK_NEAR(way[0], way[1], 0.01 * way[0]);
    test_note("");
}


/* Returns a rotation by 20 degrees about y, then up a slope. */
static vsp_quat up_slope(double slope)
{
    double half = 10 * 3.14159265358979 / 180, tilt = atan(slope) / 2;
    vsp_quat q;

    q.x = real(-sin(tilt) * sin(half));
    q.y = real(cos(tilt) * sin(half));
    q.z = real(sin(tilt) * cos(half));
    q.w = real(cos(tilt) * cos(half));
    return q;
}

/* Without friction a body that slides over a smooth dome of triangles must not
 * lose speed, or turn aside.  It starts flat on the slope. */
static void check_slide_over_dome(vsp_shape_def shape, double height)
{
    double before, after, most = 0, slope = 4 * curvature;
    double lift = height * hypot(1, slope);
    vsp_body_id id;
    point3 v;
    uint32_t i;

    shape.material.friction = 0;
    shape.material.friction_rule = VSP_RULE_MIN;
    new_surface_world();
    id = throw_body(shape, p3(-2, dome(-2, 0.03) + lift, 0.03), up_slope(slope),
                    p3(5, 5 * slope, 0));
    step_world(world, 2);
    v = velocity_of(id);
    before = dot(v, v) / 2 + 9.81 * place_of(id).y;
    for (i = 0; i < 40; i++) {
        point3 last = velocity_of(id);

        step_world(world, 1);
        v = velocity_of(id);
        most = fmax(most, length(minus(v, last)));
    }
    after = dot(v, v) / 2 + 9.81 * place_of(id).y;
    CHECK_AT_MOST(1.001 * before, after);
    CHECK_AT_LEAST(0.94 * before, after);
    CHECK_AT_MOST(0.35, most); /* gravity alone: 0.16 */
}

static void nothing_catches_on_a_dome(void)
{
    static const double curvatures[] = {0, 0.01, 0.03, 0.06, 0.1};
    uint32_t i;

    for (i = 0; i < 5; i++) {
        curvature = curvatures[i];
        test_note("curvature %g", curvature);
        make_mesh(40, 0.15, dome);
        check_slide_over_dome(vsp_sphere(VSP_R(0.3)), 0.3);
        check_slide_over_dome(vsp_box(VSP_R(0.3), VSP_R(0.1), VSP_R(0.2)), 0.1);
        check_slide_over_dome(vsp_box(VSP_R(0.03), VSP_R(0.03), VSP_R(0.02)),
                              0.03);
        make_field(40, 0.15, dome);
        check_slide_over_dome(vsp_sphere(VSP_R(0.3)), 0.3);
        check_slide_over_dome(vsp_box(VSP_R(0.3), VSP_R(0.1), VSP_R(0.2)), 0.1);
    }
    test_note("");
}

/* Balls, boxes and capsules fall on rough ground, and must lie still in the
 * end; none may fall through. */
static void check_rest(void)
{
    vsp_body_id ids[24];
    uint32_t i, slow = 0;
    double fastest = 0;

    seed = 7;
    new_surface_world();
    for (i = 0; i < 24; i++) {
        double x = -1.6 + 0.8 * (i % 5), z = -1.6 + 0.8 * (i / 5);
        vsp_shape_def shape = i % 3 == 0 ? vsp_sphere(real(0.2))
                              : i % 3 == 1
                                  ? vsp_box(real(0.2), real(0.1), real(0.3))
                                  : vsp_capsule(real(0.12), real(0.15));

        ids[i] = throw_body(shape, p3(x, 0.8, z), any_turn(), p3(0, 0, 0));
    }
    for (i = 0; i < 600; i++) {
        uint32_t k;

        step_world(world, 1);
        for (k = 0; k < 24; k++)
            if (fabs(place_of(ids[k]).x) < 1.9 &&
                fabs(place_of(ids[k]).z) < 1.9)
                fastest = fmax(fastest, length(velocity_of(ids[k])));
    }
    CHECK_AT_MOST(5, fastest); /* from 1.2 m high */
    for (i = 0; i < 24; i++) {
        point3 at = place_of(ids[i]);

        test_note("body %u at %g %g %g", i, at.x, at.y, at.z);
        if (fabs(at.x) > 2 || fabs(at.z) > 2)
            continue; /* over the rim */
        CHECK_AT_LEAST(ground_height(at.x, at.z) + 0.05, at.y);
        if (length(velocity_of(ids[i])) < 0.02)
            slow++;
    }
    test_note("");
    CHECK_AT_LEAST(20, slow);
}

static void solids_rest_on_rough_ground(void)
{
    make_mesh(16, 0.25, rough);
    check_rest();
    make_field(16, 0.25, rough);
    check_rest();
}


/* ---- Rooms --------------------------------------------------------------- */

static const test tests[] = {
    TEST(flat_mesh_is_a_half_space),
    TEST(turned_mesh_is_a_half_space),
    TEST(flat_field_is_a_half_space),
    TEST(inclined_field_is_a_half_space),
    TEST(box_lies_on_its_corners),
    TEST(balls_find_the_nearest_point),
    TEST_SLOW(solids_lie_across_a_ridge),
    TEST(ball_in_hand_made_places),
    TEST(meshes_are_felt_from_the_front),
    TEST(fields_are_solid_below),
    TEST_SLOW(contacts_on_rough_ground_are_not_too_deep),
    TEST(all_triangles_near_are_found),
    TEST(gathering_keeps_what_counts),
    TEST(gathering_has_an_end),
    TEST(gathering_joins_equals),
    TEST(ball_rolls_over_flat_triangles),
    TEST(box_slides_over_flat_triangles),
    TEST(a_thousand_triangles_are_a_plane),
    TEST(nothing_catches_on_a_dome),
    TEST(solids_rest_on_rough_ground),
    TEST_END,
};

const test_suite surface_suite = {"surface", tests};
