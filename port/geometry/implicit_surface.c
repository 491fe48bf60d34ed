/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Surfaces of formulas, by cutting cubes into tetrahedra; then the formulas.
 * Uses only sums, products and roots, so that meshes are equal everywhere. */

#include "implicit_surface.h"

#include <stdlib.h>
#include <string.h>

/* negative inside, zero on the surface */
typedef double formula(vec3 at);


/* ---- Marching tetrahedra ------------------------------------------------
 * Doi and Koide, "An efficient method of triangulating equi-valued surfaces
 * by using tetrahedral cells", 1991.  A cube is six tetrahedra around the
 * diagonal from its corner 0 to 7; an edge leaves the lower of its points in
 * one of seven directions, the bits of a corner. */

typedef struct march {
    formula *form;
    vec3 low;
    double step;
    uint32_t count[3]; /* number of grid points along each axis */
    double *values;
    uint32_t *edges; /* seven for each grid point: 0, or 1 + the number of the
                      * edge's point in the mesh */
    obj_mesh *mesh;
    size_t room;
} march;

static vec3 march_point(const march *m, uint32_t index)
{
    uint32_t x = index % m->count[0], y = index / m->count[0] % m->count[1];
    uint32_t z = index / m->count[0] / m->count[1];

    return vec_mad(m->low, m->step, vec_make(x, y, z));
}

/* Returns the point where the surface crosses the edge between two corners. */
static uint32_t cut_edge(march *m, uint32_t cube, int from, int to)
{
    int low = from < to ? from : to, way = from ^ to;
    uint32_t a = cube, b, *edge;
    double t;

    a += (uint32_t)(low & 1) + (uint32_t)(low >> 1 & 1) * m->count[0] +
         (uint32_t)(low >> 2) * m->count[0] * m->count[1];
    b = a + (uint32_t)(way & 1) + (uint32_t)(way >> 1 & 1) * m->count[0] +
        (uint32_t)(way >> 2) * m->count[0] * m->count[1];
    edge = &m->edges[(size_t)a * 8 + (size_t)way];
    if (*edge == 0) {
        t = m->values[a] / (m->values[a] - m->values[b]);
        m->mesh->points[m->mesh->point_count++] = vec_mad(
            march_point(m, a), t,
            vec_sub(march_point(m, b), march_point(m, a)));
        *edge = (uint32_t)m->mesh->point_count;
    }
    return *edge - 1;
}

static void add_triangle(march *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *to = m->mesh->triangles[m->mesh->triangle_count++];

    to[0] = a;
    to[1] = b;
    to[2] = c;
}

/* Cuts a tetrahedron whose first three corners go round anticlockwise, seen
 * from the last. */
static void cut_tetrahedron(march *m, uint32_t cube, const int *corners,
                            const bool *inside)
{
    static const int even[12][4] = {
        {0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 0, 3, 2},
        {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 0, 1, 3}, {2, 1, 3, 0},
        {2, 3, 0, 1}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 2, 1, 0},
    };
    int count = 0, c[4], k = 0;
    uint32_t p[4];

    for (int i = 0; i < 4; i++)
        count += inside[corners[i]];
    if (count == 0 || count == 4)
        return;
    /* permute until the corners inside come first, or the only one outside */
    for (k = 0; k < 12; k++) {
        bool is_first = true;

        for (int i = 0; i < 4; i++) {
            c[i] = corners[even[k][i]];
            is_first = is_first &&
                       inside[c[i]] == (count == 3 ? i > 0 : i < count);
        }
        if (is_first)
            break;
    }
    if (count == 2) {
        p[0] = cut_edge(m, cube, c[0], c[2]);
        p[1] = cut_edge(m, cube, c[0], c[3]);
        p[2] = cut_edge(m, cube, c[1], c[3]);
        p[3] = cut_edge(m, cube, c[1], c[2]);
        add_triangle(m, p[0], p[1], p[2]);
        add_triangle(m, p[0], p[2], p[3]);
        return;
    }
    for (int i = 0; i < 3; i++)
        p[i] = cut_edge(m, cube, c[0], c[i + 1]);
    if (count == 1)
        add_triangle(m, p[0], p[1], p[2]);
    else
        add_triangle(m, p[0], p[2], p[1]);
}

static void cut_cube(march *m, uint32_t cube)
{
    static const int parts[6][4] = {
        {0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
        {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7},
    };
    bool inside[8];
    int count = 0;

    for (uint32_t i = 0; i < 8; i++) {
        uint32_t at = cube + (i & 1) + (i >> 1 & 1) * m->count[0] +
                      (i >> 2) * m->count[0] * m->count[1];

        inside[i] = m->values[at] < 0;
        count += inside[i];
    }
    if (count == 0 || count == 8)
        return;
    for (int i = 0; i < 6; i++)
        cut_tetrahedron(m, cube, parts[i], inside);
}

/* Returns upper bounds of the numbers of points and triangles. */
static size_t count_edges(const march *m, size_t points)
{
    size_t sum = 0;

    for (size_t i = 0; i < points; i++)
        sum += fabs(m->values[i]) < m->step * 2.0 ? 12u : 0u;
    return sum + 64;
}

static bool run_march(march *m)
{
    size_t points = (size_t)m->count[0] * m->count[1] * m->count[2];
    size_t room;

    m->values = malloc(points * sizeof *m->values);
    m->edges = calloc(points * 8, sizeof *m->edges);
    if (!m->values || !m->edges)
        return false;
    /* move values away from 0, so that every triangle has an area */
    for (size_t i = 0; i < points; i++) {
        m->values[i] = m->form(march_point(m, (uint32_t)i));
        if (fabs(m->values[i]) < m->step * 0.01)
            m->values[i] = m->values[i] < 0 ? -0.01 * m->step : 0.01 * m->step;
    }
    room = count_edges(m, points);
    m->mesh->points = malloc(room * sizeof *m->mesh->points);
    m->mesh->triangles = malloc(room * sizeof *m->mesh->triangles);
    if (!m->mesh->points || !m->mesh->triangles)
        return false;
    for (uint32_t z = 0; z + 1 < m->count[2]; z++)
        for (uint32_t y = 0; y + 1 < m->count[1]; y++)
            for (uint32_t x = 0; x + 1 < m->count[0]; x++)
                cut_cube(m, (z * m->count[1] + y) * m->count[0] + x);
    return true;
}

/* Makes the mesh of a formula within a box. */
static bool mesh_form(obj_mesh *mesh, formula *form, vec3 low, vec3 high,
                      double step)
{
    march m;
    bool is_done;

    memset(&m, 0, sizeof m);
    memset(mesh, 0, sizeof *mesh);
    m.form = form;
    m.low = low;
    m.step = step;
    m.mesh = mesh;
    m.count[0] = (uint32_t)ceil((high.x - low.x) / step) + 1;
    m.count[1] = (uint32_t)ceil((high.y - low.y) / step) + 1;
    m.count[2] = (uint32_t)ceil((high.z - low.z) / step) + 1;
    is_done = run_march(&m);
    free(m.values);
    free(m.edges);
    if (!is_done)
        obj_free(mesh);
    return is_done;
}


/* ---- Forms -------------------------------------------------------------- */

static double from_segment(vec3 p, vec3 a, vec3 b)
{
    vec3 way = vec_sub(b, a);
    double t = vec_dot(vec_sub(p, a), way) / vec_dot(way, way);

    return vec_length(vec_sub(p, vec_mad(a, fmin(fmax(t, 0.0), 1.0), way)));
}

/* Returns the smaller of two distances, rounded where they are nearly equal. */
static double join_distances(double a, double b, double width)
{
    double h = fmax(width - fabs(a - b), 0.0) / width;

    return fmin(a, b) - h * h * width / 4.0;
}

typedef struct limb {
    vec3 from, to;
    double radius;
} limb;

/* Returns the distance to one half of the animal; the other half mirrors it. */
static double animal(vec3 p)
{
    static const limb limbs[] = {
        {{-0.270, 0.010, 0.0}, {0.230, 0.000, 0.0}, 0.165}, /* body */
        {{-0.250, -0.060, 0.085}, {-0.265, -0.345, 0.095}, 0.058},
        {{0.215, -0.070, 0.080}, {0.225, -0.345, 0.090}, 0.055},
        {{0.250, 0.060, 0.0}, {0.410, 0.195, 0.0}, 0.090},     /* neck */
        {{0.400, 0.210, 0.0}, {0.530, 0.150, 0.0}, 0.080},     /* head */
        {{0.395, 0.255, 0.050}, {0.375, 0.335, 0.105}, 0.034}, /* horn */
        {{-0.400, 0.070, 0.0}, {-0.545, -0.110, 0.0}, 0.036},  /* tail */
    };
    double distance = 1e9;

    p.z = fabs(p.z);
    for (size_t i = 0; i < sizeof limbs / sizeof limbs[0]; i++)
        distance = join_distances(distance,
                                  from_segment(p, limbs[i].from, limbs[i].to) -
                                      limbs[i].radius,
                                  0.04);
    return distance;
}

bool make_animal_mesh(obj_mesh *mesh)
{
    return mesh_form(mesh, animal, vec_make(-0.65, -0.45, -0.25),
                     vec_make(0.65, 0.45, 0.25), 0.02);
}

/* strokes from x, z to x, z; one that begins where the last ended continues
 * it */
static const double letters[][4] = {
    {-3.3, -1.3, -2.4, 1.3},  {-2.4, 1.3, -1.5, -1.3}, /* V */
    {0.8, -1.1, 0.5, -1.3},   {0.5, -1.3, -0.5, -1.3}, /* S */
    {-0.5, -1.3, -0.9, -0.9}, {-0.9, -0.9, -0.9, -0.4}, {-0.9, -0.4, -0.5, 0.0},
    {-0.5, 0.0, 0.5, 0.0},    {0.5, 0.0, 0.9, 0.4},     {0.9, 0.4, 0.9, 0.9},
    {0.9, 0.9, 0.5, 1.3},     {0.5, 1.3, -0.5, 1.3},    {-0.5, 1.3, -0.8, 1.1},
    {1.8, 1.3, 1.8, -1.3},    {1.8, -1.3, 2.8, -1.3}, /* P */
    {2.8, -1.3, 3.2, -0.9},   {3.2, -0.9, 3.2, -0.4},   {3.2, -0.4, 2.8, 0.0},
    {2.8, 0.0, 1.8, 0.0},
};

#define SLAB_TOP 0.25
#define CUT_DEPTH 0.1
#define STROKE 0.25 /* half width at the top; walls are at 45 degrees */

static double slab(vec3 p)
{
    vec3 out = vec_make(fabs(p.x) - 4.0, fabs(p.y) - SLAB_TOP, fabs(p.z) - 2.0);
    double box = fmax(out.x, fmax(out.y, out.z)), stroke = 1e9, cut;

    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        stroke = fmin(stroke,
                      from_segment(vec_make(p.x, 0, p.z),
                                   vec_make(letters[i][0], 0, letters[i][1]),
                                   vec_make(letters[i][2], 0, letters[i][3])));
    cut = (stroke - STROKE + (SLAB_TOP - p.y)) * 0.70710678;
    cut = fmax(cut, SLAB_TOP - CUT_DEPTH - p.y);
    return fmax(box, -cut);
}

bool make_letters_mesh(obj_mesh *mesh)
{
    return mesh_form(mesh, slab, vec_make(-4.05, -0.3, -2.05),
                     vec_make(4.05, 0.3, 2.05), 0.05);
}

/* radii of the torus being made */
static double torus_around, torus_across;

static double torus(vec3 p)
{
    double from_axis = sqrt(p.x * p.x + p.z * p.z) - torus_around;

    return sqrt(from_axis * from_axis + p.y * p.y) - torus_across;
}

bool make_torus_mesh(obj_mesh *mesh, double around, double across)
{
    double reach = (around + across) * 1.1, step = across / 6.0;

    torus_around = around;
    torus_across = across;
    return mesh_form(mesh, torus, vec_make(-reach, -across * 1.2, -reach),
                     vec_make(reach, across * 1.2, reach), step);
}
