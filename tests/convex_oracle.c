/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: points, solids read from the engine's, axes, distances, the
 * hull of points. */

#include "convex_oracle.h"

#include <math.h>
#include <string.h>


/* ---- Points ------------------------------------------------------------- */

point3 p3(double x, double y, double z)
{
    point3 p;

    p.x = x;
    p.y = y;
    p.z = z;
    return p;
}

point3 p3_add(point3 a, point3 b)
{
    return p3(a.x + b.x, a.y + b.y, a.z + b.z);
}

point3 p3_sub(point3 a, point3 b)
{
    return p3(a.x - b.x, a.y - b.y, a.z - b.z);
}

point3 p3_scale(point3 a, double s)
{
    return p3(a.x * s, a.y * s, a.z * s);
}

point3 p3_cross(point3 a, point3 b)
{
    return p3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
              a.x * b.y - a.y * b.x);
}

double p3_dot(point3 a, point3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double p3_length(point3 a)
{
    return sqrt(p3_dot(a, a));
}

double real_of(vsp__num a)
{
    return VSP_FIXED ? (double)a / 1048576.0 : (double)a;
}

double unit_of(vsp__num a)
{
    return VSP_FIXED ? (double)a / 536870912.0 : (double)a;
}

point3 point_of(const vsp__v3 *v)
{
    return p3(real_of(v->x), real_of(v->y), real_of(v->z));
}

point3 direction_of(const vsp__v3 *v)
{
    return p3(unit_of(v->x), unit_of(v->y), unit_of(v->z));
}


/* ---- Solids ------------------------------------------------------------- */

static point3 to_world(const vsp__pose *pose, point3 p)
{
    point3 x = direction_of(&pose->axes.axis[0]);
    point3 y = direction_of(&pose->axes.axis[1]);
    point3 z = direction_of(&pose->axes.axis[2]);
    point3 q = p3_add(p3_scale(x, p.x), p3_scale(y, p.y));

    return p3_add(p3_add(q, p3_scale(z, p.z)), point_of(&pose->position));
}

static void add_corner(bulk *b, const vsp__pose *pose, point3 p)
{
    b->corners[b->corner_count++] = to_world(pose, p);
}

static void add_edge(bulk *b, int i, int k)
{
    b->edges[b->edge_count][0] = i;
    b->edges[b->edge_count++][1] = k;
}

static void add_face(bulk *b, const int *corners, int count)
{
    int at = b->face_first[b->face_count], i;
    point3 n = p3(0, 0, 0);

    for (i = 0; i < count; i++)
        b->face_corners[at + i] = corners[i];
    for (i = 1; i + 1 < count; i++)
        n = p3_add(
            n, p3_cross(
                   p3_sub(b->corners[corners[i]], b->corners[corners[0]]),
                   p3_sub(b->corners[corners[i + 1]], b->corners[corners[0]])));
    b->normals[b->face_count++] = p3_scale(n, 1 / p3_length(n));
    b->face_first[b->face_count] = at + count;
}

static void add_brick(bulk *b, const vsp__convex *c)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    point3 h = point_of(&c->half);
    int i, k;

    for (i = 0; i < 8; i++)
        add_corner(
            b, c->pose,
            p3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z));
    for (i = 0; i < 6; i++)
        add_face(b, faces[i], 4);
    for (i = 0; i < 8; i++)
        for (k = 1; k < 8; k *= 2)
            if ((i & k) == 0)
                add_edge(b, i, i | k);
}

static void add_hull(bulk *b, const vsp__convex *c)
{
    int corners[ORACLE_CORNERS], i, k;
    const vsp_hull *h = c->hull;

    for (i = 0; i < h->vertex_count; i++)
        add_corner(b, c->pose,
                   p3(h->vertices[i].x / 1048576.0,
                      h->vertices[i].y / 1048576.0,
                      h->vertices[i].z / 1048576.0));
    for (i = 0; i < h->face_count; i++) {
        for (k = h->first[i]; k < h->first[i + 1]; k++)
            corners[k - h->first[i]] = h->corners[k];
        add_face(b, corners, h->first[i + 1] - h->first[i]);
    }
    for (i = 0; i < h->edge_count; i++)
        add_edge(b, h->edges[i].tail, h->edges[i].head);
}

static void add_triangle(bulk *b, const vsp__convex *c)
{
    static const int sides[2][3] = {{0, 1, 2}, {0, 2, 1}};
    int i;

    for (i = 0; i < 3; i++)
        add_corner(b, c->pose, point_of(&c->corners[i]));
    add_face(b, sides[0], 3);
    add_face(b, sides[1], 3);
    for (i = 0; i < 3; i++)
        add_edge(b, i, (i + 1) % 3);
}

void hull_bulk(const vsp__convex *c, bulk *out)
{
    out->corner_count = out->edge_count = out->face_count = 0;
    out->face_first[0] = 0;
    out->radius = real_of(c->radius);
    out->origin = point_of(&c->pose->position);
    switch (c->core) {
    case VSP__CORE_POINT:
        add_corner(out, c->pose, p3(0, 0, 0));
        return;
    case VSP__CORE_SEGMENT:
        add_corner(out, c->pose, p3(0, -real_of(c->half.y), 0));
        add_corner(out, c->pose, p3(0, real_of(c->half.y), 0));
        add_edge(out, 0, 1);
        return;
    case VSP__CORE_BRICK:
        add_brick(out, c);
        return;
    case VSP__CORE_POLYHEDRON:
        add_hull(out, c);
        return;
    default:
        add_triangle(out, c);
    }
}


/* ---- Axes --------------------------------------------------------------- */

double bulk_separation(const bulk *a, const bulk *b, point3 n)
{
    double high = -HUGE_VAL, low = HUGE_VAL;
    int i;

    for (i = 0; i < a->corner_count; i++)
        high = fmax(high, p3_dot(n, p3_sub(a->corners[i], a->origin)));
    for (i = 0; i < b->corner_count; i++)
        low = fmin(low, p3_dot(n, p3_sub(b->corners[i], a->origin)));
    return low - high;
}

static void try_axis(const bulk *a, const bulk *b, point3 n,
                     const point3 *front, double *best)
{
    if (!front || p3_dot(n, *front) >= -0.0005)
        *best = fmax(*best, bulk_separation(a, b, n));
}

/* Tests the cross product n of edge i of a and edge k of b as an axis.  With a
 * front, requires that both edges are extreme along n. */
static void try_edges(const bulk *a, const bulk *b, int i, int k, point3 n,
                      const point3 *front, double *best)
{
    point3 d = p3_sub(b->corners[b->edges[k][0]], a->corners[a->edges[i][0]]);

    if (!front || fabs(p3_dot(n, d) - bulk_separation(a, b, n)) < 1e-6)
        try_axis(a, b, n, front, best);
}

double bulk_best(const bulk *a, const bulk *b, const point3 *front)
{
    double best = -HUGE_VAL;
    int i, k;

    for (i = 0; i < a->face_count; i++)
        try_axis(a, b, a->normals[i], front, &best);
    for (i = 0; i < b->face_count; i++)
        try_axis(a, b, p3_scale(b->normals[i], -1), front, &best);
    for (i = 0; i < a->edge_count; i++)
        for (k = 0; k < b->edge_count; k++) {
            point3 e = p3_sub(a->corners[a->edges[i][1]],
                              a->corners[a->edges[i][0]]);
            point3 f = p3_sub(b->corners[b->edges[k][1]],
                              b->corners[b->edges[k][0]]);
            point3 n = p3_cross(e, f);
            double length = p3_length(n);

            if (length < 1e-3 * p3_length(e) * p3_length(f))
                continue;
            n = p3_scale(n, 1 / length);
            try_edges(a, b, i, k, n, front, &best);
            try_edges(a, b, i, k, p3_scale(n, -1), front, &best);
        }
    return best;
}


/* ---- Distances ---------------------------------------------------------- */

static double clamp01(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static double to_segment(point3 p, point3 a, point3 b)
{
    point3 d = p3_sub(b, a);
    double square = p3_dot(d, d);
    double t = square > 0 ? clamp01(p3_dot(p3_sub(p, a), d) / square) : 0;

    return p3_length(p3_sub(p, p3_add(a, p3_scale(d, t))));
}

/* Returns the distance of two segments: between inner points of both, or from
 * an end. */
static double between_segments(point3 a, point3 b, point3 c, point3 d)
{
    point3 u = p3_sub(b, a), v = p3_sub(d, c), w = p3_sub(c, a);
    point3 n = p3_cross(u, v);
    double square = p3_dot(n, n), best, s, t;

    best = fmin(fmin(to_segment(a, c, d), to_segment(b, c, d)),
                fmin(to_segment(c, a, b), to_segment(d, a, b)));
    if (square < 1e-12 * p3_dot(u, u) * p3_dot(v, v))
        return best;
    s = p3_dot(p3_cross(w, v), n) / square;
    t = p3_dot(p3_cross(w, u), n) / square;
    if (s > 0 && s < 1 && t > 0 && t < 1)
        best = fmin(best, fabs(p3_dot(w, n)) / sqrt(square));
    return best;
}

/* Returns the distance to the interior of a face; huge if the point is not over
 * it. */
static double to_face(const bulk *b, int face, point3 p)
{
    point3 n = b->normals[face];
    int first = b->face_first[face];
    int count = b->face_first[face + 1] - first, i;

    for (i = 0; i < count; i++) {
        point3 from = b->corners[b->face_corners[first + i]];
        point3 to = b->corners[b->face_corners[first + (i + 1) % count]];

        if (p3_dot(p3_cross(n, p3_sub(to, from)), p3_sub(p, from)) < 0)
            return HUGE_VAL;
    }
    return fabs(p3_dot(n, p3_sub(p, b->corners[b->face_corners[first]])));
}

static double corners_to(const bulk *a, const bulk *b)
{
    double best = HUGE_VAL;
    int i, k;

    for (i = 0; i < a->corner_count; i++) {
        for (k = 0; k < b->face_count; k++)
            best = fmin(best, to_face(b, k, a->corners[i]));
        for (k = 0; k < b->edge_count; k++)
            best = fmin(best,
                        to_segment(a->corners[i], b->corners[b->edges[k][0]],
                                   b->corners[b->edges[k][1]]));
        for (k = 0; k < b->corner_count; k++)
            best = fmin(best, p3_length(p3_sub(a->corners[i], b->corners[k])));
    }
    return best;
}

double bulk_distance(const bulk *a, const bulk *b)
{
    double best = fmin(corners_to(a, b), corners_to(b, a));
    int i, k;

    for (i = 0; i < a->edge_count; i++)
        for (k = 0; k < b->edge_count; k++)
            best = fmin(best, between_segments(a->corners[a->edges[i][0]],
                                               a->corners[a->edges[i][1]],
                                               b->corners[b->edges[k][0]],
                                               b->corners[b->edges[k][1]]));
    return best;
}

double bulk_outside(const bulk *b, point3 p)
{
    bulk point;
    double deepest = -HUGE_VAL;
    int i;

    for (i = 0; i < b->face_count; i++)
        deepest = fmax(
            deepest,
            p3_dot(b->normals[i],
                   p3_sub(p, b->corners[b->face_corners[b->face_first[i]]])));
    if (b->face_count > 0 && deepest <= 0)
        return 0;
    point.corner_count = 1;
    point.edge_count = point.face_count = 0;
    point.corners[0] = p;
    return fmax(bulk_distance(&point, b) - b->radius, 0);
}


/* ---- The hull of points ------------------------------------------------- */

#define HULL_FLAT \
    3.0 /* in places: how far corners may be off the plane of their face */

typedef struct hull_maker {
    const point3 *points;
    int count, face_count;
    uint64_t on[VSP_MAX_HULL]; /* for each face, a bit for each of its points */
    point3 normal[VSP_MAX_HULL];
} hull_maker;

/* Adds the plane of three points if all others are on one side of it. */
static bool try_plane(hull_maker *m, int i, int j, int k)
{
    point3 n = p3_cross(p3_sub(m->points[j], m->points[i]),
                        p3_sub(m->points[k], m->points[i]));
    double length = p3_length(n);
    uint64_t on = 0;
    bool above = false, below = false;
    int q;

    if (length < 1000.0)
        return true;
    n = p3_scale(n, 1 / length);
    for (q = 0; q < m->count; q++) {
        double h = p3_dot(n, p3_sub(m->points[q], m->points[i]));

        if (fabs(h) <= HULL_FLAT)
            on |= (uint64_t)1 << q;
        else if (h > 0)
            above = true;
        else
            below = true;
    }
    if (above == below)
        return true;
    for (q = 0; q < m->face_count; q++)
        if ((m->on[q] & on) == on || (m->on[q] & on) == m->on[q]) {
            m->on[q] |= on;
            return true;
        }
    if (m->face_count == VSP_MAX_HULL)
        return false;
    m->on[m->face_count] = on;
    m->normal[m->face_count++] = above ? p3_scale(n, -1) : n;
    return true;
}

/* Lists the points of a face anticlockwise. */
static int order_face(const hull_maker *m, int face, uint8_t *corners)
{
    point3 n = m->normal[face], center = p3(0, 0, 0), x, y;
    double angle[ORACLE_CORNERS];
    int count = 0, i, k;

    for (i = 0; i < m->count; i++)
        if (m->on[face] >> i & 1) {
            center = p3_add(center, m->points[i]);
            corners[count++] = (uint8_t)i;
        }
    center = p3_scale(center, 1.0 / count);
    x = p3_sub(m->points[corners[0]], center);
    y = p3_cross(n, x);
    for (i = 0; i < count; i++) {
        point3 d = p3_sub(m->points[corners[i]], center);
        double at = atan2(p3_dot(d, y), p3_dot(d, x));
        uint8_t corner = corners[i];

        for (k = i; k > 0 && angle[k - 1] > at; k--) {
            angle[k] = angle[k - 1];
            corners[k] = corners[k - 1];
        }
        angle[k] = at;
        corners[k] = corner;
    }
    return count;
}

static bool add_hull_edge(hull_storage *r, uint8_t tail, uint8_t head, int face)
{
    vsp_hull_edge *e;
    int i;

    for (i = 0; i < r->hull.edge_count; i++) {
        e = &r->edges[i];
        if (e->tail == head && e->head == tail) {
            e->right = (uint8_t)face;
            return true;
        }
    }
    if (r->hull.edge_count == 2 * VSP_MAX_HULL)
        return false;
    e = &r->edges[r->hull.edge_count++];
    e->tail = tail;
    e->head = head;
    e->left = e->right = (uint8_t)face;
    return true;
}

/* Sets the plane of a face.  Returns whether its corners are on it, and all
 * other points behind it. */
static bool set_plane(const hull_maker *m, const uint8_t *corners, int count,
                      vsp_plane *plane)
{
    point3 n = p3(0, 0, 0), o = m->points[corners[0]];
    double offset = -HUGE_VAL, least = HUGE_VAL;
    int i;

    for (i = 1; i + 1 < count; i++)
        n = p3_add(n, p3_cross(p3_sub(m->points[corners[i]], o),
                               p3_sub(m->points[corners[i + 1]], o)));
    n = p3_scale(n, 1 / p3_length(n));
    for (i = 0; i < count; i++) {
        offset = fmax(offset, p3_dot(n, m->points[corners[i]]));
        least = fmin(least, p3_dot(n, m->points[corners[i]]));
    }
    plane->x = (int32_t)lrint(n.x * VSP_DIRECTION);
    plane->y = (int32_t)lrint(n.y * VSP_DIRECTION);
    plane->z = (int32_t)lrint(n.z * VSP_DIRECTION);
    plane->offset = (int32_t)lrint(offset);
    for (i = 0; i < m->count; i++)
        if (p3_dot(n, m->points[i]) > offset + HULL_FLAT)
            return false;
    return offset - least <= 2 * HULL_FLAT;
}

static bool fill_hull(const hull_maker *m, hull_storage *r)
{
    vsp_hull *h = &r->hull;
    int i, k;

    h->kind = VSP_TABLE_HULL;
    h->vertices = r->vertices;
    h->planes = r->planes;
    h->first = r->first;
    h->corners = r->corners;
    h->edges = r->edges;
    h->vertex_count = (uint16_t)m->count;
    h->face_count = (uint16_t)m->face_count;
    for (i = 0; i < m->count; i++) {
        r->vertices[i].x = (int32_t)m->points[i].x;
        r->vertices[i].y = (int32_t)m->points[i].y;
        r->vertices[i].z = (int32_t)m->points[i].z;
    }
    for (i = 0; i < m->face_count; i++) {
        uint8_t corners[ORACLE_CORNERS];
        int count = order_face(m, i, corners), first = r->first[i];

        if (first + count > 4 * VSP_MAX_HULL)
            return false;
        memcpy(&r->corners[first], corners, (size_t)count);
        r->first[i + 1] = (uint16_t)(first + count);
        if (!set_plane(m, corners, count, &r->planes[i]))
            return false;
        for (k = 0; k < count; k++)
            if (!add_hull_edge(r, corners[k], corners[(k + 1) % count], i))
                return false;
    }
    h->corner_count = r->first[m->face_count];
    for (i = 0; i < h->edge_count; i++)
        if (r->edges[i].left == r->edges[i].right)
            return false;
    /* Euler's formula fails if a corner was inside */
    return h->vertex_count + h->face_count == h->edge_count + 2;
}

bool make_hull(const point3 *points, int count, hull_storage *room)
{
    point3 places[ORACLE_CORNERS];
    hull_maker m;
    int i, j, k;

    memset(&m, 0, sizeof m);
    memset(room, 0, sizeof *room);
    m.points = places;
    m.count = count;
    for (i = 0; i < count; i++)
        places[i] = p3(rint(points[i].x * VSP_PLACE),
                       rint(points[i].y * VSP_PLACE),
                       rint(points[i].z * VSP_PLACE));
    for (i = 0; i < count; i++)
        for (j = i + 1; j < count; j++)
            for (k = j + 1; k < count; k++)
                if (!try_plane(&m, i, j, k))
                    return false;
    return m.face_count >= 4 && fill_hull(&m, room);
}
