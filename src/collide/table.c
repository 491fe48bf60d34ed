/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Checks tables of geometry before a world uses them, so that the rest of the
 * engine walks them without checks.  In this order: places and wide numbers,
 * exact sums, mass, hulls, trees, meshes, shells, height fields, signed
 * distances, materials, any table, digests.  A place is a coordinate in units
 * of 1 m / VSP_PLACE.
 *
 * Checks use integers, and wide numbers for mass: the result is the same for
 * floats and fixed point and on every machine.  They neither recurse nor need
 * memory.  Their time is linear in the size of a table, but quadratic for a
 * hull, and for a shell whose triangles are all near each other. */

#include "collide.h"

#if VSP__HAS_TABLES

#define MAX_COORDINATE ((int32_t)100 * VSP_PLACE) /* 100 m */
#define MIN_SIZE (VSP_PLACE / 200)                /* 5 mm: longest side */
#define MIN_CELL (VSP_PLACE / 1000)               /* 1 mm */
#define MIN_DEPTH (VSP_PLACE / 4000)              /* 0.25 mm: below a face */
#define MIN_TRIANGLE_HEIGHT 16 /* places, about, over the longest side */
#define PLACE_BITS 20          /* VSP_PLACE is 2^20 */
#define PLACE_SLACK 4          /* places by which rounding may move a point */
#define MAX_LEAF 8             /* triangles */
#define MAX_FIELD 4096         /* heights in a row or a column */
#define MAX_GRID 256           /* distances in a row */
#define MAX_SHELL 4096         /* vertices, triangles, nodes */
#define MAX_SLIMNESS 10000     /* (longest side / height)^2 of a facet */


/* ---- Places and wide numbers --------------------------------------------- */

/* the box around a table; its longest side is below 2^bits places */
typedef struct place_extent {
    vsp_place low, high;
    int32_t bits;
} place_extent;

static bool is_place(const vsp_place *p)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        if (place_part(p, i) < -MAX_COORDINATE ||
            place_part(p, i) > MAX_COORDINATE)
            return false;
    return true;
}

/* the larger of a and the magnitude of b */
static int32_t larger_place(int32_t a, int32_t b)
{
    b = b < 0 ? -b : b;
    return a > b ? a : b;
}

/* whether the second box encloses the first */
static bool is_box_inside(const vsp_place *low, const vsp_place *high,
                          const vsp_place *box_low, const vsp_place *box_high)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        if (place_part(low, i) < place_part(box_low, i) ||
            place_part(high, i) > place_part(box_high, i))
            return false;
    return true;
}

/* Sets bits.  Returns the longest side of the box. */
static int32_t measure_extent(place_extent *e)
{
    int32_t size = 0;
    uint32_t i;

    for (i = 0; i < 3; i++)
        size = larger_place(size,
                            place_part(&e->high, i) - place_part(&e->low, i));
    e->bits = 0;
    while (size >> e->bits != 0)
        e->bits++;
    return size;
}

static VSP__CALLED void widen_range(int32_t *low, int32_t *high, int32_t a)
{
    *low = a < *low ? a : *low;
    *high = a > *high ? a : *high;
}

/* Computes the box around places.  Returns false if a place is out of range or
 * the box is too small. */
static bool enclose_places(const vsp_place *places, uint32_t count,
                           place_extent *e)
{
    uint32_t i;

    e->low = e->high = places[0];
    for (i = 0; i < count; i++) {
        if (!is_place(&places[i]))
            return false;
        widen_range(&e->low.x, &e->high.x, places[i].x);
        widen_range(&e->low.y, &e->high.y, places[i].y);
        widen_range(&e->low.z, &e->high.z, places[i].z);
    }
    return measure_extent(e) >= MIN_SIZE;
}

/* a d - b c */
static int64_t minor_of(int32_t a, int32_t b, int32_t c, int32_t d)
{
    return (int64_t)a * d - (int64_t)b * c;
}

/* Computes the cross product (b - a) x (c - a) of three corners, exactly:
 * components are below 2^57.  Returns the largest coordinate of both sides,
 * which is at least half the largest coordinate of the longest side. */
static int32_t find_area(const vsp_place *const corner[3], int64_t area[3])
{
    int32_t b[3], c[3], most = 0;
    uint32_t i;

    for (i = 0; i < 3; i++) {
        b[i] = place_part(corner[1], i) - place_part(corner[0], i);
        c[i] = place_part(corner[2], i) - place_part(corner[0], i);
        most = larger_place(larger_place(most, b[i]), c[i]);
    }
    area[0] = minor_of(b[1], b[2], c[1], c[2]);
    area[1] = minor_of(b[2], b[0], c[2], c[0]);
    area[2] = minor_of(b[0], b[1], c[0], c[1]);
    return most;
}

/* 2^n */
static vsp__wide power_of_two(int32_t n)
{
    return w_from_bits((uint32_t)(127 + n) << 23);
}

/* a / 2^places */
static VSP__CALLED vsp__wide wide_of_count(int64_t a, int32_t places)
{
    while (a > VSP_DIRECTION || a < -VSP_DIRECTION) {
        a /= 2;
        places--;
    }
    return w_mul(w_of_unit(u_of_places((int32_t)a)),
                 power_of_two(VSP__UNIT_PLACES - places));
}

/* whether two numbers differ by at most `slack` */
static bool are_wides_near(vsp__wide a, vsp__wide b, vsp__wide slack)
{
    vsp__wide d = w_add(a, w_neg(b));

    return !w_less(slack, d) && !w_less(slack, w_neg(d));
}


/* ---- Exact sums ------------------------------------------------------------
 * Sums of products of more than 64 bits: sum[0] + sum[1] 2^29 + sum[2] 2^58, in
 * which each part has its own sign. */

#define SUM_PART ((int64_t)1 << 29)

/* Adds a b; both are below 2^58, so their halves are below 2^29, and the parts
 * of four products below 2^61. */
static void add_product(int64_t sum[3], int64_t a, int64_t b)
{
    int64_t high_a = a / SUM_PART, low_a = a % SUM_PART;
    int64_t high_b = b / SUM_PART, low_b = b % SUM_PART;

    sum[0] += low_a * low_b;
    sum[1] += high_a * low_b + low_a * high_b;
    sum[2] += high_a * high_b;
}

/* 1, 0 or -1 */
static int32_t sign_of(int64_t a)
{
    return (a > 0) - (a < 0);
}

/* Returns the sign of a sum.  After carries, no part reaches a unit of the next
 * one, so the highest part which is not 0 has this sign. */
static int32_t sign_of_sum(int64_t sum[3])
{
    sum[1] += sum[0] / SUM_PART;
    sum[0] %= SUM_PART;
    sum[2] += sum[1] / SUM_PART;
    sum[1] %= SUM_PART;
    return sum[2] != 0   ? sign_of(sum[2])
           : sum[1] != 0 ? sign_of(sum[1])
                         : sign_of(sum[0]);
}


/* ---- Mass ------------------------------------------------------------------
 * Here the unit of length is 2^bits places, so that numbers are about 1. */

#define MIN_TRACE_RATIO w_from_bits(0x3db851ecu) /* 0.09: see check_bulk */

/* volume; inertia xx, yy, zz, xy, xz, yz, and xx + yy + zz */
typedef struct bulk_weight {
    vsp__wide volume, inertia[6], trace;
} bulk_weight;

/* Factors of sums over a solid or a sheet: of volume or area, of the first
 * moment, of the second moments of one kilogram; as bits of wide numbers. */
static const uint32_t solid_factors[3] = {0x40c00000u, 0x40800000u,
                                          0x41a00000u}; /* 6, 4, 20 */
static const uint32_t sheet_factors[3] = {0x40000000u, 0x40400000u,
                                          0x41400000u}; /* 2, 3, 12 */

/* row and column of each component of an inertia */
static const uint8_t inertia_axes[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                           {0, 1}, {0, 2}, {1, 2}};

/* Reads a bulk whose volume is in m^power.  Returns false for NaN and numbers
 * far out of range. */
static bool read_weight(const vsp_bulk *b, int32_t power, int32_t bits,
                        bulk_weight *w)
{
    int32_t up = PLACE_BITS - bits; /* a metre is 2^up units of length */
    vsp__wide volume = w_from_bits(b->volume);
    uint32_t i;

    if (!w_in(volume, power_of_two(-40), power_of_two(24)))
        return false;
    w->volume = w_mul(volume, power_of_two(power * up));
    for (i = 0; i < 6; i++) {
        vsp__wide part = w_flush(w_from_bits(b->inertia[i]));

        if (!w_in(part, w_neg(power_of_two(17)), power_of_two(17)))
            return false;
        w->inertia[i] = w_mul(part, power_of_two(2 * up));
    }
    w->trace = w_add(w_add(w->inertia[0], w->inertia[1]), w->inertia[2]);
    return true;
}

/* Whether the matrix of second moments (trace / 2 minus inertia on the
 * diagonal) has no negative principal minor of one or two rows, apart from
 * rounding: the matrix of a solid has none. */
static bool is_bulk_physical(const bulk_weight *w)
{
    vsp__wide second[3], slack = power_of_two(-13);
    uint32_t i;

    for (i = 0; i < 3; i++) {
        second[i] = w_add(power_of_two(-1),
                          w_neg(w_div(w->inertia[i], w->trace)));
        second[i] = w_add(second[i], slack);
        if (w_less(second[i], VSP__W_ZERO))
            return false;
    }
    for (i = 3; i < 6; i++) {
        vsp__wide cross = w_div(w->inertia[i], w->trace);

        if (w_less(
                w_mul(second[inertia_axes[i][0]], second[inertia_axes[i][1]]),
                w_mul(cross, cross)))
            return false;
    }
    return true;
}

/* Whether a solid inside the box can have this volume, centre and inertia.  Of
 * all solids of a volume a ball has the least trace: its cube is 0.0985
 * volume^2, and less than 0.09 volume^2 is refused. */
static bool check_bulk(const vsp_bulk *b, const place_extent *e, bulk_weight *w)
{
    vsp__wide ratio;

    if (!read_weight(b, 3, e->bits, w) || w_less(VSP__W_ONE, w->volume) ||
        !w_in(w->trace, power_of_two(-40), power_of_two(3)) ||
        !is_box_inside(&b->center, &b->center, &e->low, &e->high))
        return false;
    ratio = w_div(w->volume, w->trace);
    return !w_less(w->trace, w_mul(MIN_TRACE_RATIO, w_mul(ratio, ratio))) &&
           is_bulk_physical(w);
}

/* Adds a tetrahedron or a triangle of a weight to sums over a solid or a sheet:
 * the weight; the weight times the sum of the corners (3 numbers); the weight
 * times the products of coordinates, over the corners and their sum (6
 * numbers). */
static void add_moments(vsp__wide weight, vsp__wide r[4][3], vsp__wide sums[10])
{
    uint32_t i, k;

    sums[0] = w_add(sums[0], weight);
    for (i = 0; i < 3; i++)
        sums[1 + i] = w_add(sums[1 + i], w_mul(weight, r[3][i]));
    for (i = 0; i < 6; i++)
        for (k = 0; k < 4; k++) {
            vsp__wide product = w_mul(r[k][inertia_axes[i][0]],
                                      r[k][inertia_axes[i][1]]);

            sums[4 + i] = w_add(sums[4 + i], w_mul(weight, product));
        }
}

/* Computes three corners, and their sum, relative to the centre. */
static void find_corner_arms(const vsp_place *center,
                             const vsp_place *const corner[3], int32_t bits,
                             vsp__wide r[4][3])
{
    uint32_t i, k;

    for (i = 0; i < 3; i++) {
        r[3][i] = VSP__W_ZERO;
        for (k = 0; k < 3; k++) {
            r[k][i] = wide_of_count(
                place_part(corner[k], i) - place_part(center, i), bits);
            r[3][i] = w_add(r[3][i], r[k][i]);
        }
    }
}

/* Adds the tetrahedron of three corners and the centre.  Its weight is 6 times
 * its volume. */
static void add_tetrahedron(const vsp_place *center,
                            const vsp_place *const corner[3], int32_t bits,
                            vsp__wide sums[10])
{
    vsp__wide r[4][3], volume = VSP__W_ZERO;
    int64_t area[3];
    uint32_t i;

    find_area(corner, area);
    find_corner_arms(center, corner, bits, r);
    for (i = 0; i < 3; i++)
        volume = w_add(volume,
                       w_mul(r[0][i], wide_of_count(area[i], 2 * bits)));
    add_moments(volume, r, sums);
}

/* Returns the length of a vector of integers, divided by 2^places.  Its
 * components are scaled to 1, so that no square is too small for a wide number.
 * Newton's method starts with the largest component, which is at least 0.57 of
 * the length. */
static vsp__wide length_of_counts(const int64_t v[3], int32_t places)
{
    vsp__wide square = VSP__W_ZERO, root = VSP__W_ZERO;
    int64_t most = 0;
    int32_t bits = 0;
    uint32_t i;

    for (i = 0; i < 3; i++)
        most |= v[i] < 0 ? -v[i] : v[i];
    while (most >> bits != 0)
        bits++;
    for (i = 0; i < 3; i++) {
        vsp__wide part = wide_of_count(v[i] < 0 ? -v[i] : v[i], bits);

        square = w_add(square, w_mul(part, part));
        root = w_less(root, part) ? part : root;
    }
    for (i = 0; i < 4; i++)
        root = w_mul(power_of_two(-1), w_add(root, w_div(square, root)));
    return w_mul(root, power_of_two(bits - places));
}

/* Adds a triangle.  Its weight is twice its area, which is not 0. */
static void add_facet(const vsp_place *center, const vsp_place *const corner[3],
                      int32_t bits, vsp__wide sums[10])
{
    vsp__wide r[4][3];
    int64_t area[3];

    find_area(corner, area);
    find_corner_arms(center, corner, bits, r);
    add_moments(length_of_counts(area, 2 * bits), r, sums);
}

/* Whether volume, centre and inertia agree with the sums, each within a
 * 64th. */
static bool is_weight_right(const bulk_weight *w, const uint32_t factors[3],
                            const vsp__wide sums[10])
{
    vsp__wide part = w_mul(power_of_two(-6), sums[0]), trace, scale;
    uint32_t i;

    if (!are_wides_near(w_mul(w_from_bits(factors[0]), w->volume), sums[0],
                        part))
        return false;
    for (i = 1; i < 4; i++)
        if (!are_wides_near(sums[i], VSP__W_ZERO,
                            w_mul(w_from_bits(factors[1]), part)))
            return false;
    trace = w_add(w_add(sums[4], sums[5]), sums[6]);
    part = w_mul(power_of_two(-6), trace);
    scale = w_mul(w_from_bits(factors[2]), sums[0]);
    for (i = 0; i < 6; i++)
        if (!are_wides_near(
                w_mul(scale, w->inertia[i]),
                w_add(i < 3 ? trace : VSP__W_ZERO, w_neg(sums[4 + i])), part))
            return false;
    return true;
}


/* ---- Hulls --------------------------------------------------------------- */

/* the height of a place above a plane, in units of 2^-29 places */
static int64_t height_above(const vsp_plane *n, const vsp_place *p)
{
    return (int64_t)n->x * p->x + (int64_t)n->y * p->y + (int64_t)n->z * p->z -
           (int64_t)n->offset * VSP_DIRECTION;
}

/* whether a normal has length 1 within about 2^-17 */
static bool is_direction(const vsp_plane *n)
{
    uint64_t square = (uint64_t)((int64_t)n->x * n->x) +
                      (uint64_t)((int64_t)n->y * n->y) +
                      (uint64_t)((int64_t)n->z * n->z);

    return (square + ((uint64_t)1 << 42)) >> 43 == (uint64_t)1 << 15;
}

static VSP__CALLED const vsp_place *hull_corner(const vsp_hull *t, uint32_t i)
{
    return &t->vertices[t->corners[i]];
}

/* Whether the corners of a face are counterclockwise: then the tetrahedra of
 * the face and the centre, which is behind it, have a positive volume.  Adds
 * them to the sums. */
static bool is_face_anticlockwise(const vsp_hull *t, uint32_t face,
                                  int32_t bits, vsp__wide sums[10])
{
    const vsp_place *corner[3];
    vsp__wide before = sums[0];
    uint32_t i;

    corner[0] = hull_corner(t, t->first[face]);
    for (i = t->first[face] + 2u; i < t->first[face + 1u]; i++) {
        corner[1] = hull_corner(t, i - 1u);
        corner[2] = hull_corner(t, i);
        add_tetrahedron(&t->bulk.center, corner, bits, sums);
    }
    return w_less(before, sums[0]);
}

/* Checks that all vertices and the centre are behind a plane, and the face's
 * corners on it, or below by at most PLACE_SLACK plus 2^bits / 8192 places;
 * 2^bits is up to twice the hull's size. */
static vsp_flaw check_plane(const vsp_hull *t, uint32_t face, int32_t bits)
{
    const vsp_plane *n = &t->planes[face];
    int64_t slack = (int64_t)PLACE_SLACK * VSP_DIRECTION, deepest = 0, height;
    int64_t most = slack + ((int64_t)VSP_DIRECTION << bits >> 13);
    uint32_t i;

    if (!is_direction(n))
        return VSP_FLAW_PLANE;
    for (i = t->first[face]; i < t->first[face + 1u]; i++)
        if (height_above(n, hull_corner(t, i)) < -most)
            return VSP_FLAW_PLANE;
    for (i = 0; i < t->vertex_count; i++) {
        height = height_above(n, &t->vertices[i]);
        if (height > slack)
            return VSP_FLAW_CONVEX;
        deepest = height < deepest ? height : deepest;
    }
    if (deepest > -(int64_t)MIN_DEPTH * VSP_DIRECTION)
        return VSP_FLAW_DEGENERATE;
    return height_above(n, &t->bulk.center) < -slack ? VSP_FLAW_NONE
                                                     : VSP_FLAW_BULK;
}

/* whether a face has a side from vertex tail to vertex head */
static bool has_side(const vsp_hull *t, uint32_t face, uint32_t tail,
                     uint32_t head)
{
    uint32_t last = t->first[face + 1u] - 1u, i;

    for (i = t->first[face]; i <= last; i++)
        if (t->corners[i] == tail &&
            t->corners[i < last ? i + 1u : t->first[face]] == head)
            return true;
    return false;
}

/* Checks that each edge is a side of both of its faces, and no two edges join
 * the same vertices.  As there are twice as many sides as edges, each side then
 * has an edge. */
static vsp_flaw check_edges(const vsp_hull *t)
{
    uint32_t i, k;

    for (i = 0; i < t->edge_count; i++) {
        const vsp_hull_edge *e = &t->edges[i];
        const vsp_place *a = &t->vertices[e->tail];
        const vsp_place *b = &t->vertices[e->head];

        if (e->left == e->right || !has_side(t, e->left, e->tail, e->head) ||
            !has_side(t, e->right, e->head, e->tail))
            return VSP_FLAW_TOPOLOGY;
        if (a->x == b->x && a->y == b->y && a->z == b->z)
            return VSP_FLAW_DEGENERATE;
        for (k = 0; k < i; k++)
            if ((t->edges[k].tail == e->tail && t->edges[k].head == e->head) ||
                (t->edges[k].tail == e->head && t->edges[k].head == e->tail))
                return VSP_FLAW_TOPOLOGY;
    }
    return VSP_FLAW_NONE;
}

static bool is_hull_count(uint32_t count)
{
    return count >= 4 && count <= VSP_MAX_HULL;
}

/* whether all indices are in range */
static bool are_hull_indices(const vsp_hull *t)
{
    uint32_t i;

    if (t->first[0] != 0)
        return false;
    for (i = 0; i < t->face_count; i++)
        if (t->first[i + 1u] < t->first[i] + 3u)
            return false;
    if (t->first[t->face_count] != t->corner_count)
        return false;
    for (i = 0; i < t->corner_count; i++)
        if (t->corners[i] >= t->vertex_count)
            return false;
    for (i = 0; i < t->edge_count; i++)
        if (t->edges[i].tail >= t->vertex_count ||
            t->edges[i].head >= t->vertex_count ||
            t->edges[i].left >= t->face_count ||
            t->edges[i].right >= t->face_count)
            return false;
    return true;
}

/* Checks the faces, and compares the bulk with the solid that they enclose. */
static vsp_flaw check_faces(const vsp_hull *t, const place_extent *e)
{
    vsp__wide sums[10];
    bulk_weight w;
    uint32_t i;

    if (!check_bulk(&t->bulk, e, &w))
        return VSP_FLAW_BULK;
    for (i = 0; i < 10; i++)
        sums[i] = VSP__W_ZERO;
    for (i = 0; i < t->face_count; i++) {
        vsp_flaw flaw = check_plane(t, i, e->bits);

        if (flaw != VSP_FLAW_NONE)
            return flaw;
        if (!is_face_anticlockwise(t, i, e->bits, sums))
            return VSP_FLAW_PLANE;
    }
    return is_weight_right(&w, solid_factors, sums) ? VSP_FLAW_NONE
                                                    : VSP_FLAW_BULK;
}

static vsp_flaw check_hull(const vsp_hull *t)
{
    vsp_flaw flaw;
    place_extent e;

    if (t->vertices == NULL || t->planes == NULL || t->first == NULL ||
        t->corners == NULL || t->edges == NULL)
        return VSP_FLAW_NULL;
    if (!is_hull_count(t->vertex_count) || !is_hull_count(t->face_count))
        return VSP_FLAW_COUNT;
    if (t->edge_count + 2u != (uint32_t)t->vertex_count + t->face_count ||
        t->corner_count != 2u * t->edge_count)
        return VSP_FLAW_TOPOLOGY;
    if (!enclose_places(t->vertices, t->vertex_count, &e))
        return VSP_FLAW_RANGE;
    if (!are_hull_indices(t))
        return VSP_FLAW_INDEX;
    flaw = check_edges(t);
    return flaw != VSP_FLAW_NONE ? flaw : check_faces(t, &e);
}

#if VSP_MAX_RUNTIME_HULLS > 0

/* Adds up a hull about a point. */
static void sum_solid(const vsp_hull *t, const vsp_place *center, int32_t bits,
                      vsp__wide sums[10])
{
    const vsp_place *corner[3];
    uint32_t face, i;

    for (i = 0; i < 10; i++)
        sums[i] = VSP__W_ZERO;
    for (face = 0; face < t->face_count; face++) {
        corner[0] = hull_corner(t, t->first[face]);
        for (i = t->first[face] + 2u; i < t->first[face + 1u]; i++) {
            corner[1] = hull_corner(t, i - 1u);
            corner[2] = hull_corner(t, i);
            add_tetrahedron(center, corner, bits, sums);
        }
    }
}

/* Moves a point to the centre of the hull whose sums are about it. */
static void move_to_center(const vsp__wide sums[10], int32_t bits,
                           vsp_place *center)
{
    vsp__wide scale = w_div(power_of_two(bits - PLACE_BITS - 2), sums[0]);
    uint32_t i;

    for (i = 0; i < 3; i++)
        place_parts(center)[i] += vsp__place_near(
            w_to_real(w_mul(sums[1 + i], scale)));
}

bool vsp__weigh_hull(const vsp_hull *t, vsp_bulk *b)
{
    vsp__wide sums[10], trace, scale;
    place_extent e;
    uint32_t i;

    if (!enclose_places(t->vertices, t->vertex_count, &e))
        return false;
    for (i = 0; i < 3; i++)
        place_parts(&b->center)[i] = place_part(&e.low, i) / 2 +
                                     place_part(&e.high, i) / 2;
    sum_solid(t, &b->center, e.bits, sums);
    if (!w_less(power_of_two(-40), sums[0]))
        return false;
    move_to_center(sums, e.bits, &b->center);
    sum_solid(t, &b->center, e.bits, sums);
    if (!w_less(power_of_two(-40), sums[0]))
        return false;
    b->volume = w_bits(w_mul(power_of_two(3 * (e.bits - PLACE_BITS)),
                             w_div(sums[0], w_from_bits(solid_factors[0]))));
    trace = w_add(w_add(sums[4], sums[5]), sums[6]);
    scale = w_div(power_of_two(2 * (e.bits - PLACE_BITS)),
                  w_mul(w_from_bits(solid_factors[2]), sums[0]));
    for (i = 0; i < 6; i++)
        b->inertia[i] = w_bits(w_flush(w_mul(
            scale, w_add(i < 3 ? trace : VSP__W_ZERO, w_neg(sums[4 + i])))));
    return true;
}

#endif /* VSP_MAX_RUNTIME_HULLS */


/* ---- Trees -----------------------------------------------------------------
 * Trees of meshes and of spheres, as links alone.  Nodes are checked from the
 * last to the first: all nodes below one are already checked when it is
 * checked, and each link is followed once. */

/* links of nodes, `stride` bytes apart */
typedef struct link_tree {
    const uint16_t *next;
    uint32_t stride, count;
} link_tree;

static uint32_t next_node(const link_tree *t, uint32_t node)
{
    const void *at = (const unsigned char *)t->next + t->stride * node;

    return *(const uint16_t *)at;
}

/* Whether the last child of a node ends where the node does, and the root at
 * the end of the tree. */
static bool is_nested(const link_tree *t, uint32_t node)
{
    uint32_t next = next_node(t, node), child = node + 1u;

    if (next > t->count || next < child || (node == 0 && next != t->count))
        return false;
    while (child < next)
        child = next_node(t, child);
    return child == next;
}


/* ---- Meshes -------------------------------------------------------------- */

static void mesh_corners(const vsp_mesh *t, uint32_t triangle,
                         const vsp_place *corner[3])
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        corner[i] = &t->vertices[t->triangles[triangle].vertex[i]];
}

/* Whether a triangle is high enough over its longest side for its normal to be
 * accurate: its height is about the largest coordinate of the cross product
 * over that length. */
static bool has_area(const vsp_place *const corner[3])
{
    int64_t area[3], length = find_area(corner, area), least;
    uint32_t i;

    least = MIN_TRIANGLE_HEIGHT * (length + 1);
    for (i = 0; i < 3; i++)
        if (area[i] >= least || area[i] <= -least)
            return true;
    return false;
}

#if VSP_SCALES

bool vsp__is_wide_triangle(const vsp_place corners[3])
{
    const vsp_place *corner[3];
    uint32_t i;

    for (i = 0; i < 3; i++)
        corner[i] = corners + i;
    return has_area(corner);
}

#endif

static vsp_flaw check_triangle(const vsp_mesh *t, uint32_t i)
{
    const vsp_triangle *triangle = &t->triangles[i];
    const vsp_place *corner[3];
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (triangle->vertex[k] >= t->vertex_count)
            return VSP_FLAW_INDEX;
    if (triangle->marks > 7)
        return VSP_FLAW_RANGE;
    mesh_corners(t, i, corner);
    return has_area(corner) ? VSP_FLAW_NONE : VSP_FLAW_DEGENERATE;
}

/* Whether a node has others below it, or is a leaf of the last triangles before
 * *end, which becomes the first of them. */
static bool is_mesh_node(const vsp_mesh *t, uint32_t node, uint32_t *end)
{
    const vsp_mesh_node *n = &t->nodes[node];

    if (n->count == 0)
        return n->next > node + 1u;
    if (n->next != node + 1u || n->count > MAX_LEAF || n->count > *end)
        return false;
    *end -= n->count;
    return n->first == *end;
}

/* whether a node encloses its children and triangles */
static bool is_mesh_node_around(const vsp_mesh *t, uint32_t node)
{
    const vsp_mesh_node *n = &t->nodes[node];
    uint32_t i, k;

    for (i = node + 1u; i < n->next; i = t->nodes[i].next)
        if (!is_box_inside(&t->nodes[i].low, &t->nodes[i].high, &n->low,
                           &n->high))
            return false;
    for (i = n->first; i < (uint32_t)n->first + n->count; i++) {
        const vsp_place *corner[3];

        mesh_corners(t, i, corner);
        for (k = 0; k < 3; k++)
            if (!is_box_inside(corner[k], corner[k], &n->low, &n->high))
                return false;
    }
    return true;
}

static vsp_flaw check_mesh_tree(const vsp_mesh *t)
{
    link_tree links;
    uint32_t i, end = t->triangle_count;

    links.next = &t->nodes[0].next;
    links.stride = (uint32_t)sizeof t->nodes[0];
    links.count = t->node_count;
    for (i = t->node_count; i-- > 0;) {
        const vsp_mesh_node *n = &t->nodes[i];

        if (n->reserved != 0 || n->reserved2 != 0 || !is_place(&n->low) ||
            !is_place(&n->high))
            return VSP_FLAW_RANGE;
        if (!is_nested(&links, i) || !is_mesh_node(t, i, &end))
            return VSP_FLAW_TREE;
        if (!is_mesh_node_around(t, i))
            return VSP_FLAW_BOUNDS;
    }
    return end == 0 ? VSP_FLAW_NONE : VSP_FLAW_TREE;
}

static vsp_flaw check_mesh(const vsp_mesh *t)
{
    place_extent e;
    uint32_t i;

    if (t->vertices == NULL || t->triangles == NULL || t->nodes == NULL)
        return VSP_FLAW_NULL;
    if (t->vertex_count == 0 || t->triangle_count == 0 || t->node_count == 0)
        return VSP_FLAW_COUNT;
    if (t->reserved != 0 || !enclose_places(t->vertices, t->vertex_count, &e))
        return VSP_FLAW_RANGE;
    for (i = 0; i < t->triangle_count; i++) {
        vsp_flaw flaw = check_triangle(t, i);

        if (flaw != VSP_FLAW_NONE)
            return flaw;
    }
    return check_mesh_tree(t);
}


/* ---- Shells ----------------------------------------------------------------
 */

/* a triangle of a sheet, and the box around it */
typedef struct sheet_part {
    const vsp_triangle *triangle;
    const vsp_place *corner[3];
    vsp_place low, high;
} sheet_part;

static void read_part(const vsp_mesh *t, uint32_t index, sheet_part *p)
{
    uint32_t k;

    p->triangle = &t->triangles[index];
    mesh_corners(t, index, p->corner);
    p->low = p->high = *p->corner[0];
    for (k = 1; k < 3; k++) {
        widen_range(&p->low.x, &p->high.x, p->corner[k]->x);
        widen_range(&p->low.y, &p->high.y, p->corner[k]->y);
        widen_range(&p->low.z, &p->high.z, p->corner[k]->z);
    }
}

/* whether two boxes touch or overlap */
static bool do_boxes_meet(const vsp_place *low, const vsp_place *high,
                          const vsp_place *other_low,
                          const vsp_place *other_high)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        if (place_part(low, i) > place_part(other_high, i) ||
            place_part(high, i) < place_part(other_low, i))
            return false;
    return true;
}

/* Returns the square of the least height over a side whose square is `longest`,
 * below 2^57: longest / MAX_SLIMNESS, rounded up, but at least that of
 * MIN_CELL.  The quotient is found bit by bit, as many machines cannot divide
 * 64 bits. */
static int64_t least_square(int64_t longest)
{
    int64_t below = 0, bit;

    for (bit = (int64_t)1 << 43; bit > 0; bit >>= 1)
        if ((below + bit) * MAX_SLIMNESS < longest)
            below += bit;
    return below + 1 > MIN_CELL * MIN_CELL ? below + 1 : MIN_CELL * MIN_CELL;
}

/* Whether a triangle is high enough over its longest side: twice its area is
 * their product.  Squares of lengths are below 2^57, of areas below 2^115. */
static bool is_broad(const vsp_place *const corner[3])
{
    int64_t area[3], sum[3] = {0, 0, 0}, longest = 0;
    uint32_t i, k;

    find_area(corner, area);
    for (k = 0; k < 3; k++) {
        int64_t square = 0;

        for (i = 0; i < 3; i++) {
            int64_t d = place_part(corner[k], i) -
                        place_part(corner[k < 2 ? k + 1u : 0], i);

            square += d * d;
        }
        longest = square > longest ? square : longest;
        add_product(sum, area[k], area[k]);
    }
    add_product(sum, -longest, least_square(longest));
    return longest > 0 && sign_of_sum(sum) >= 0;
}

/* Returns on which side of the plane of three corners a place is: 1 above, -1
 * below, 0 on it. */
static int32_t side_of_plane(const vsp_place *const corner[3],
                             const vsp_place *p)
{
    int64_t area[3], sum[3] = {0, 0, 0};
    uint32_t i;

    find_area(corner, area);
    for (i = 0; i < 3; i++)
        add_product(sum, area[i], place_part(p, i) - place_part(corner[0], i));
    return sign_of_sum(sum);
}

/* Returns the axis nearest to the normal of a triangle. */
static uint32_t axis_across(const vsp_place *const corner[3])
{
    int64_t area[3], most = 0;
    uint32_t i, axis = 0;

    find_area(corner, area);
    for (i = 0; i < 3; i++) {
        int64_t size = area[i] < 0 ? -area[i] : area[i];

        axis = size > most ? i : axis;
        most = size > most ? size : most;
    }
    return axis;
}

/* Returns the orientation of three places, seen along an axis: 1, -1, or 0 if
 * they are on a line. */
static int32_t turn_of_places(const vsp_place *a, const vsp_place *b,
                              const vsp_place *c, uint32_t axis)
{
    const vsp_place *corner[3];
    int64_t area[3];

    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    find_area(corner, area);
    return sign_of(area[axis]);
}

/* Whether a segment in the plane of a triangle touches it: if not, then the
 * line through the segment or a side separates the two. */
static bool is_met_within(const vsp_place *const corner[3], const vsp_place *p,
                          const vsp_place *q)
{
    uint32_t axis = axis_across(corner), k;
    int32_t in = turn_of_places(corner[0], corner[1], corner[2], axis);
    int32_t side = turn_of_places(p, q, corner[0], axis);

    if (side != 0 && turn_of_places(p, q, corner[1], axis) == side &&
        turn_of_places(p, q, corner[2], axis) == side)
        return false;
    for (k = 0; k < 3; k++) {
        const vsp_place *next = corner[k < 2 ? k + 1u : 0];

        if (turn_of_places(corner[k], next, p, axis) == -in &&
            turn_of_places(corner[k], next, q, axis) == -in)
            return false;
    }
    return true;
}

/* Whether a segment touches a triangle.  From p to q it crosses the plane, and
 * the triangle if its line passes all sides in the same sense. */
static bool is_met_by(const vsp_place *const corner[3], const vsp_place *p,
                      const vsp_place *q)
{
    int32_t side = side_of_plane(corner, p), low = 0, high = 0;
    const vsp_place *plane[3];
    uint32_t k;

    if (side == side_of_plane(corner, q))
        return side == 0 && is_met_within(corner, p, q);
    plane[0] = p;
    plane[1] = q;
    for (k = 0; k < 3; k++) {
        plane[2] = corner[k];
        widen_range(&low, &high,
                    side_of_plane(plane, corner[k < 2 ? k + 1u : 0]));
    }
    return low == 0 || high == 0;
}

/* Returns which corners of a are also corners of b: bit k for corner k. */
static uint32_t common_corners(const vsp_triangle *a, const vsp_triangle *b)
{
    uint32_t i, k, common = 0;

    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            if (a->vertex[i] == b->vertex[k])
                common |= (uint32_t)1 << i;
    return common;
}

/* Whether all corners of b, except those shared with a, are on one side of the
 * plane of a. */
static bool is_beside(const sheet_part *a, const sheet_part *b, uint32_t common)
{
    int32_t low = 1, high = -1;
    uint32_t k;

    for (k = 0; k < 3; k++)
        if ((common >> k & 1u) == 0)
            widen_range(&low, &high, side_of_plane(a->corner, b->corner[k]));
    return low == high && low != 0;
}

/* Whether a side of a, neither end of which is a corner of b, touches b. */
static bool does_side_meet(const sheet_part *a, const sheet_part *b,
                           uint32_t common)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        uint32_t next = k < 2 ? k + 1u : 0;

        if (((common >> k | common >> next) & 1u) == 0 &&
            is_met_by(b->corner, a->corner[k], a->corner[next]))
            return true;
    }
    return false;
}

/* the corner opposite a common edge */
static uint32_t corner_beside(uint32_t common)
{
    return common == 6 ? 0 : common == 5 ? 1u : 2u;
}

/* Whether two triangles in a plane, which share an edge, are on the same side
 * of it. */
static bool do_coincide(const sheet_part *a, const sheet_part *b,
                        uint32_t common_a, uint32_t common_b)
{
    uint32_t other = corner_beside(common_a), axis = axis_across(a->corner);
    const vsp_place *p = a->corner[other < 2 ? other + 1u : 0];
    const vsp_place *q = a->corner[other > 0 ? other - 1u : 2];

    return turn_of_places(p, q, a->corner[other], axis) ==
           turn_of_places(p, q, b->corner[corner_beside(common_b)], axis);
}

/* Whether two triangles touch elsewhere than in the corners and the edge that
 * they share.  If they do, then a side of one touches the other; and if they
 * share a corner, then the side opposite to it does, because their common
 * points continue from the corner to the nearer one of these sides. */
static bool do_parts_cross(const sheet_part *a, const sheet_part *b,
                           uint32_t common_a)
{
    uint32_t common_b = common_corners(b->triangle, a->triangle);

    if (common_a == 7)
        return true;
    if (is_beside(a, b, common_b) || is_beside(b, a, common_a))
        return false;
    if ((common_a & (common_a - 1u)) != 0)
        return do_coincide(a, b, common_a, common_b);
    return does_side_meet(a, b, common_a) || does_side_meet(b, a, common_b);
}

/* Compares a triangle with the earlier ones of a leaf.  Adds the corners and
 * edges of it that they have to *known, as marks.  Returns whether it crosses
 * none. */
static bool compare_part(const vsp_mesh *t, uint32_t index,
                         const sheet_part *part, const vsp_mesh_node *leaf,
                         uint32_t *known)
{
    uint32_t i, end = (uint32_t)leaf->first + leaf->count, common;
    sheet_part other;

    for (i = leaf->first; i < end && i < index; i++) {
        read_part(t, i, &other);
        if (!do_boxes_meet(&part->low, &part->high, &other.low, &other.high))
            continue;
        common = common_corners(part->triangle, other.triangle);
        if (do_parts_cross(part, &other, common))
            return false;
        /* bit k: corners k and k + 1 */
        *known |= common | (common & (common >> 1 | common << 2)) << 3;
    }
    return true;
}

/* Checks that a triangle crosses no earlier one, and that its marks flag
 * exactly the corners and edges that earlier ones lack.  Adds the number of its
 * own corners. */
static vsp_flaw check_part(const vsp_mesh *t, uint32_t index, uint32_t *corners)
{
    uint32_t i = 0, known = 0, own;
    sheet_part part;

    read_part(t, index, &part);
    while (i < t->node_count) {
        const vsp_mesh_node *n = &t->nodes[i];

        if (n->count > 0 && n->first >= index)
            break;
        if (do_boxes_meet(&part.low, &part.high, &n->low, &n->high)) {
            if (!compare_part(t, index, &part, n, &known))
                return VSP_FLAW_CROSSING;
            i++;
        } else {
            i = n->next;
        }
    }
    own = ~known & 63u;
    *corners += (own & 1u) + (own >> 1 & 1u) + (own >> 2 & 1u);
    return part.triangle->marks == own ? VSP_FLAW_NONE : VSP_FLAW_TOPOLOGY;
}

/* Checks all pairs of triangles, and that each vertex belongs to one. */
static vsp_flaw check_parts(const vsp_mesh *t)
{
    uint32_t i, corners = 0;

    for (i = 0; i < t->triangle_count; i++) {
        vsp_flaw flaw = check_part(t, i, &corners);

        if (flaw != VSP_FLAW_NONE)
            return flaw;
    }
    return corners == t->vertex_count ? VSP_FLAW_NONE : VSP_FLAW_TOPOLOGY;
}

/* Compares the bulk with the sheet. */
static bool check_sheet_bulk(const vsp_shell *t, const place_extent *e)
{
    vsp__wide sums[10];
    bulk_weight w;
    uint32_t i;

    if (!is_box_inside(&t->bulk.center, &t->bulk.center, &e->low, &e->high) ||
        !read_weight(&t->bulk, 2, e->bits, &w) ||
        !w_in(w.trace, power_of_two(-40), power_of_two(3)) ||
        !is_bulk_physical(&w))
        return false;
    for (i = 0; i < 10; i++)
        sums[i] = VSP__W_ZERO;
    for (i = 0; i < t->sheet.triangle_count; i++) {
        const vsp_place *corner[3];

        mesh_corners(&t->sheet, i, corner);
        add_facet(&t->bulk.center, corner, e->bits, sums);
    }
    return is_weight_right(&w, sheet_factors, sums);
}

static bool is_shell_count(uint32_t count, uint32_t least)
{
    return count >= least && count <= MAX_SHELL;
}

/* Checks indices and shape of each triangle alone. */
static vsp_flaw check_facets(const vsp_mesh *t)
{
    const vsp_place *corner[3];
    uint32_t i, k;

    for (i = 0; i < t->triangle_count; i++) {
        for (k = 0; k < 3; k++)
            if (t->triangles[i].vertex[k] >= t->vertex_count)
                return VSP_FLAW_INDEX;
        mesh_corners(t, i, corner);
        if (!is_broad(corner))
            return VSP_FLAW_DEGENERATE;
    }
    return VSP_FLAW_NONE;
}

static vsp_flaw check_shell(const vsp_shell *t)
{
    const vsp_mesh *sheet = &t->sheet;
    vsp_flaw flaw;
    place_extent e;

    if (sheet->vertices == NULL || sheet->triangles == NULL ||
        sheet->nodes == NULL)
        return VSP_FLAW_NULL;
    if (!is_shell_count(sheet->vertex_count, 3) ||
        !is_shell_count(sheet->triangle_count, 1) ||
        !is_shell_count(sheet->node_count, 1))
        return VSP_FLAW_COUNT;
    if (sheet->reserved != 0 ||
        !enclose_places(sheet->vertices, sheet->vertex_count, &e))
        return VSP_FLAW_RANGE;
    flaw = check_facets(sheet);
    if (flaw == VSP_FLAW_NONE)
        flaw = check_mesh_tree(sheet);
    if (flaw == VSP_FLAW_NONE)
        flaw = check_parts(sheet);
    if (flaw != VSP_FLAW_NONE)
        return flaw;
    return check_sheet_bulk(t, &e) ? VSP_FLAW_NONE : VSP_FLAW_BULK;
}


/* ---- Height fields ------------------------------------------------------- */

static bool is_count_in(uint32_t count, uint32_t most)
{
    return count >= 2 && count <= most;
}

static bool fits_height(int32_t height, int32_t step)
{
    return (int64_t)height * step <= MAX_COORDINATE &&
           (int64_t)height * step >= -MAX_COORDINATE;
}

/* Whether the cells between `count` points have a valid size and length. */
static bool is_grid_side(uint32_t count, int32_t cell)
{
    return cell >= MIN_CELL &&
           (int64_t)(count - 1u) * cell <= 2 * (int64_t)MAX_COORDINATE;
}

static vsp_flaw check_height_field(const vsp_height_field *t)
{
    uint32_t i, count = (uint32_t)t->columns * t->rows;
    int32_t low = INT16_MAX, high = VSP_HOLE;

    if (t->heights == NULL)
        return VSP_FLAW_NULL;
    if (!is_count_in(t->columns, MAX_FIELD) || !is_count_in(t->rows, MAX_FIELD))
        return VSP_FLAW_COUNT;
    if (t->step < 1 || !fits_height(t->low, t->step) ||
        !fits_height(t->high, t->step) || !is_grid_side(t->columns, t->cell) ||
        !is_grid_side(t->rows, t->cell))
        return VSP_FLAW_RANGE;
    for (i = 0; i < count; i++) {
        if (t->heights[i] == VSP_HOLE)
            continue;
        low = t->heights[i] < low ? t->heights[i] : low;
        high = t->heights[i] > high ? t->heights[i] : high;
    }
    if (low > high)
        return VSP_FLAW_DEGENERATE;
    return low == t->low && high == t->high ? VSP_FLAW_NONE : VSP_FLAW_BOUNDS;
}


/* ---- Signed distances ---------------------------------------------------- */

/* whether a sphere encloses another one, apart from rounding */
static bool is_sphere_around(const vsp_sphere_node *outer,
                             const vsp_sphere_node *inner)
{
    int64_t room = (int64_t)outer->radius + PLACE_SLACK - inner->radius,
            sum = 0;
    uint32_t i;

    for (i = 0; i < 3; i++) {
        int64_t d = place_part(&outer->center, i) -
                    place_part(&inner->center, i);

        sum += d * d;
    }
    return room >= 0 && sum <= room * room;
}

/* Whether a sphere encloses its children; for a leaf, whether the centre is in
 * the grid. */
static bool is_sphere_node_around(const vsp_sdf *t, uint32_t node,
                                  const place_extent *e)
{
    const vsp_sphere_node *n = &t->nodes[node];
    uint32_t i;

    for (i = node + 1u; i < n->next; i = t->nodes[i].next)
        if (!is_sphere_around(n, &t->nodes[i]))
            return false;
    return n->next > node + 1u ||
           is_box_inside(&n->center, &n->center, &e->low, &e->high);
}

static vsp_flaw check_spheres(const vsp_sdf *t, const place_extent *e)
{
    link_tree links;
    uint32_t i;

    if (t->node_count == 0)
        return VSP_FLAW_NONE;
    links.next = &t->nodes[0].next;
    links.stride = (uint32_t)sizeof t->nodes[0];
    links.count = t->node_count;
    for (i = t->node_count; i-- > 0;) {
        const vsp_sphere_node *n = &t->nodes[i];

        if (n->reserved != 0 || !is_place(&n->center) || n->radius < 1 ||
            n->radius > 2 * MAX_COORDINATE)
            return VSP_FLAW_RANGE;
        if (!is_nested(&links, i))
            return VSP_FLAW_TREE;
        if (!is_sphere_node_around(t, i, e))
            return VSP_FLAW_BOUNDS;
    }
    return VSP_FLAW_NONE;
}

/* Computes the box of a grid.  Returns false if it is out of range. */
static bool enclose_grid(const vsp_sdf *t, place_extent *e)
{
    int32_t *high = &e->high.x;
    uint32_t i;

    if (t->step < 1 || !fits_height(INT16_MIN, t->step) || !is_place(&t->low))
        return false;
    e->low = t->low;
    for (i = 0; i < 3; i++) {
        if (!is_grid_side(t->count[i], t->cell))
            return false;
        high[i] = place_part(&t->low, i) + (t->count[i] - 1) * t->cell;
    }
    return is_place(&e->high) && measure_extent(e) >= MIN_SIZE;
}

/* whether a grid has points inside of the solid and points outside */
static bool has_surface(const vsp_sdf *t)
{
    uint32_t count = (uint32_t)t->count[0] * t->count[1] * t->count[2], i;
    bool is_in = false, is_out = false;

    for (i = 0; i < count; i++) {
        is_in = is_in || t->distances[i] < 0;
        is_out = is_out || t->distances[i] > 0;
    }
    return is_in && is_out;
}

/* Whether a bulk is all 0: valid without spheres, for static bodies only. */
static bool is_weightless(const vsp_bulk *b)
{
    const uint32_t *words = &b->volume;
    uint32_t i, any = 0;

    for (i = 0; i < sizeof *b / 4u; i++)
        any |= words[i];
    return any == 0;
}

static vsp_flaw check_sdf(const vsp_sdf *t)
{
    vsp_flaw flaw;
    place_extent e;
    bulk_weight w;

    if (t->distances == NULL || (t->node_count > 0 && t->nodes == NULL))
        return VSP_FLAW_NULL;
    if (!is_count_in(t->count[0], MAX_GRID) ||
        !is_count_in(t->count[1], MAX_GRID) ||
        !is_count_in(t->count[2], MAX_GRID))
        return VSP_FLAW_COUNT;
    if (!enclose_grid(t, &e))
        return VSP_FLAW_RANGE;
    if (!has_surface(t))
        return VSP_FLAW_DEGENERATE;
    flaw = check_spheres(t, &e);
    if (flaw != VSP_FLAW_NONE)
        return flaw;
    return (t->node_count == 0 && is_weightless(&t->bulk)) ||
                   check_bulk(&t->bulk, &e, &w)
               ? VSP_FLAW_NONE
               : VSP_FLAW_BULK;
}


/* ---- Materials ----------------------------------------------------------- */

#if VSP_MATERIALS

static bool is_part_of_material(int32_t a, int32_t most)
{
    return a >= 0 && a <= most;
}

static bool is_surface_speed(int32_t a)
{
    int32_t most = VSP_BELTS ? 500 * VSP_PLACE : 0;

    return a >= -most && a <= most;
}

static bool is_table_material(const vsp_table_material *m)
{
    int32_t most = 100 * VSP_PLACE, rolling = VSP_ROLLING ? most : 0;

    return is_part_of_material(m->friction, most) &&
           is_part_of_material(m->restitution, VSP_PLACE) &&
           is_part_of_material(m->rolling_friction, rolling) &&
           is_part_of_material(m->spinning_friction, rolling) &&
           is_surface_speed(m->surface_velocity.x) &&
           is_surface_speed(m->surface_velocity.y) &&
           is_surface_speed(m->surface_velocity.z) &&
           m->friction_rule <= (uint32_t)VSP_RULE_MAX &&
           m->restitution_rule <= (uint32_t)VSP_RULE_MAX;
}

/* Checks the materials of `count` triangles or cells. */
static vsp_flaw check_materials(const vsp_table_materials *t, uint32_t count)
{
    uint32_t i;

    if (t->palette == NULL || t->of == NULL)
        return VSP_FLAW_NULL;
    if (t->count < 1 || t->count > 255)
        return VSP_FLAW_COUNT;
    if (t->reserved != 0)
        return VSP_FLAW_RANGE;
    for (i = 0; i < t->count; i++)
        if (!is_table_material(t->palette + i))
            return VSP_FLAW_RANGE;
    for (i = 0; i < count; i++)
        if (t->of[i] > t->count)
            return VSP_FLAW_INDEX;
    return VSP_FLAW_NONE;
}

static uint32_t count_cells(const vsp_height_field *t)
{
    return ((uint32_t)t->columns - 1u) * ((uint32_t)t->rows - 1u);
}

/* Checks a table of this type, if it is one with materials. */
static vsp_flaw check_table_of_materials(const void *table, uint32_t kind)
{
    const vsp_mesh_materials *mesh = (const vsp_mesh_materials *)table;
    const vsp_field_materials *field = (const vsp_field_materials *)table;
    vsp_flaw flaw = VSP_FLAW_KIND;

    if (VSP_MESHES && kind == VSP_TABLE_MESH_MATERIALS) {
        flaw = check_mesh(&mesh->mesh);
        if (flaw == VSP_FLAW_NONE)
            flaw = check_materials(&mesh->materials, mesh->mesh.triangle_count);
    } else if (VSP_HEIGHT_FIELDS && kind == VSP_TABLE_FIELD_MATERIALS) {
        flaw = check_height_field(&field->field);
        if (flaw == VSP_FLAW_NONE)
            flaw = check_materials(&field->materials,
                                   count_cells(&field->field));
    }
    return flaw;
}

#else

static vsp_flaw check_table_of_materials(const void *table, uint32_t kind)
{
    (void)table;
    (void)kind;
    return VSP_FLAW_KIND;
}

#endif /* VSP_MATERIALS */


/* ---- Any table ----------------------------------------------------------- */

vsp_flaw vsp__check_table(const void *table)
{
    uint32_t kind = *(const uint32_t *)table;

    if (VSP_HULLS && kind == VSP_TABLE_HULL)
        return check_hull((const vsp_hull *)table);
    if (VSP_MESHES && kind == VSP_TABLE_MESH)
        return check_mesh((const vsp_mesh *)table);
    if (VSP_HEIGHT_FIELDS && kind == VSP_TABLE_HEIGHT_FIELD)
        return check_height_field((const vsp_height_field *)table);
    if (VSP_SDFS && kind == VSP_TABLE_SDF)
        return check_sdf((const vsp_sdf *)table);
    if (VSP_SHELLS && kind == VSP_TABLE_SHELL)
        return check_shell((const vsp_shell *)table);
    return check_table_of_materials(table, kind);
}


/* ---- Digests ---------------------------------------------------------------
 * A digest is a hash of the numbers in a table.  It does not depend on
 * addresses, the order of bytes or padding. */

/* hashes consecutive numbers, each of 1, 2 or 4 bytes */
static uint32_t digest_numbers(uint32_t hash, const void *numbers,
                               uint32_t width, uint32_t count)
{
    const unsigned char *bytes = (const unsigned char *)numbers;

    for (; count > 0; count--, bytes += width) {
        const void *at = bytes;

        hash = vsp__hash_word(hash, width == 4   ? *(const uint32_t *)at
                                    : width == 2 ? *(const uint16_t *)at
                                                 : *bytes);
    }
    return hash;
}

static uint32_t digest_hull(uint32_t hash, const vsp_hull *t)
{
    hash = digest_numbers(hash, &t->vertex_count, 2, 4);
    hash = digest_numbers(hash, t->vertices, 4, 3u * t->vertex_count);
    hash = digest_numbers(hash, t->planes, 4, 4u * t->face_count);
    hash = digest_numbers(hash, t->first, 2, t->face_count + 1u);
    hash = digest_numbers(hash, t->corners, 1, t->corner_count);
    hash = digest_numbers(hash, t->edges, 1, 4u * t->edge_count);
    return digest_numbers(hash, &t->bulk, 4, 10);
}

static uint32_t digest_mesh(uint32_t hash, const vsp_mesh *t)
{
    uint32_t i;

    hash = digest_numbers(hash, &t->vertex_count, 2, 3);
    hash = digest_numbers(hash, t->vertices, 4, 3u * (uint32_t)t->vertex_count);
    hash = digest_numbers(hash, t->triangles, 2,
                          4u * (uint32_t)t->triangle_count);
    for (i = 0; i < t->node_count; i++) {
        const vsp_mesh_node *n = &t->nodes[i];

        hash = digest_numbers(hash, &n->low, 4, 6); /* and high */
        hash = digest_numbers(hash, &n->next, 2, 1);
        hash = digest_numbers(hash, &n->count, 1, 1);
        hash = digest_numbers(hash, &n->first, 2, 1);
    }
    return hash;
}

static uint32_t digest_shell(uint32_t hash, const vsp_shell *t)
{
    return digest_numbers(digest_mesh(hash, &t->sheet), &t->bulk, 4, 10);
}

static uint32_t digest_height_field(uint32_t hash, const vsp_height_field *t)
{
    hash = digest_numbers(hash, &t->columns, 2, 2); /* and rows */
    hash = digest_numbers(hash, &t->cell, 4, 2);    /* and step */
    hash = digest_numbers(hash, &t->low, 2, 2);     /* and high */
    return digest_numbers(hash, t->heights, 2, (uint32_t)t->columns * t->rows);
}

static uint32_t digest_sdf(uint32_t hash, const vsp_sdf *t)
{
    uint32_t i;

    hash = digest_numbers(hash, t->count, 2, 4); /* and node_count */
    hash = digest_numbers(hash, &t->low, 4, 5);  /* and cell and step */
    hash = digest_numbers(hash, t->distances, 2,
                          (uint32_t)t->count[0] * t->count[1] * t->count[2]);
    if (t->node_count == 0 && t->bulk.volume == 0)
        return hash;
    for (i = 0; i < t->node_count; i++) {
        hash = digest_numbers(hash, &t->nodes[i].center, 4, 4); /* and radius */
        hash = digest_numbers(hash, &t->nodes[i].next, 2, 1);
    }
    return digest_numbers(hash, &t->bulk, 4, 10);
}

#if VSP_MATERIALS

static uint32_t digest_materials(uint32_t hash, const vsp_table_materials *t,
                                 uint32_t count)
{
    uint32_t i;

    hash = digest_numbers(hash, &t->count, 2, 1);
    for (i = 0; i < t->count; i++) {
        hash = digest_numbers(hash, &t->palette[i].friction, 4, 7);
        hash = digest_numbers(hash, &t->palette[i].friction_rule, 2, 2);
    }
    return digest_numbers(hash, t->of, 1, count);
}

static uint32_t digest_table_of_materials(uint32_t hash, const void *table,
                                          uint32_t kind)
{
    const vsp_mesh_materials *mesh = (const vsp_mesh_materials *)table;
    const vsp_field_materials *field = (const vsp_field_materials *)table;

    if (VSP_MESHES && kind == VSP_TABLE_MESH_MATERIALS)
        hash = digest_materials(digest_mesh(hash, &mesh->mesh),
                                &mesh->materials, mesh->mesh.triangle_count);
    else if (VSP_HEIGHT_FIELDS && kind == VSP_TABLE_FIELD_MATERIALS)
        hash = digest_materials(digest_height_field(hash, &field->field),
                                &field->materials, count_cells(&field->field));
    return hash;
}

#else

static uint32_t digest_table_of_materials(uint32_t hash, const void *table,
                                          uint32_t kind)
{
    (void)table;
    (void)kind;
    return hash;
}

#endif /* VSP_MATERIALS */

uint32_t vsp__digest_table(const void *table)
{
    uint32_t kind = *(const uint32_t *)table, hash = vsp__hash_word(0, kind);

    if (VSP_HULLS && kind == VSP_TABLE_HULL)
        hash = digest_hull(hash, (const vsp_hull *)table);
    else if (VSP_MESHES && kind == VSP_TABLE_MESH)
        hash = digest_mesh(hash, (const vsp_mesh *)table);
    else if (VSP_HEIGHT_FIELDS && kind == VSP_TABLE_HEIGHT_FIELD)
        hash = digest_height_field(hash, (const vsp_height_field *)table);
    else if (VSP_SDFS && kind == VSP_TABLE_SDF)
        hash = digest_sdf(hash, (const vsp_sdf *)table);
    else if (VSP_SHELLS && kind == VSP_TABLE_SHELL)
        hash = digest_shell(hash, (const vsp_shell *)table);
    else
        hash = digest_table_of_materials(hash, table, kind);
    return vsp__hash_end(hash);
}

#endif /* VSP__HAS_TABLES */
