/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hulls made at run time (VSP_MAX_RUNTIME_HULLS), in this order: vectors of
 * integers; an exactly convex solid of triangles, which grows to the farthest
 * point until none is far (Barber, Dobkin, Huhdanpaa, The Quickhull algorithm
 * for convex hulls, ACM Transactions on Mathematical Software 22(4), 1996);
 * faces merged from triangles of one plane; the table.
 *
 * Points are on a grid, in whose unit the hull has a size below 2^20.  So the
 * side of a plane on which a point lies is an exact integer of 64 bits, in both
 * kinds of numbers, and no hull can come out inside out. */

#include "collide.h"

#if VSP_MAX_RUNTIME_HULLS > 0

#define GRID_BITS 20
#define MIN_THICKNESS (VSP_PLACE / 1000) /* 1 mm */

/* A point nearer to a plane or line than the slack counts as on it.  The slack
 * is the smaller of 2^-14 of the longest side and 2^-8 of the thickness that
 * start_hull returns, but at least MIN_SLACK, in units of the grid: more than
 * rounding shifts a point. */
#define SLACK_OF_SIZE_BITS 14
#define SLACK_OF_THICKNESS_BITS 8
#define MIN_SLACK 2

typedef struct grid_face {
    uint8_t count; /* 0: merged into another one */
    uint8_t corner[VSP_MAX_HULL_POINTS];
} grid_face;

typedef struct hull_builder {
    int32_t at[VSP_MAX_HULL_POINTS][3]; /* points on the grid */
    uint32_t point_count, face_count;
    uint32_t used; /* bits of the points that are vertices */
    int32_t shift; /* a unit of the grid is 2^shift places */
    int64_t slack; /* heights (see grid_height) up to this count as 0 */
    grid_face faces[VSP__RUNTIME_FACES];
} hull_builder;


/* ---- Vectors of integers ------------------------------------------------- */

static void span_to(const int32_t *from, const int32_t *to, int64_t d[3])
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        d[i] = (int64_t)to[i] - from[i];
}

static int64_t integer_dot(const int64_t a[3], const int64_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void integer_cross(const int64_t a[3], const int64_t b[3], int64_t c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Returns the square root, rounded down, one binary digit at a time. */
static int64_t root_of_square(uint64_t a)
{
    uint64_t root = 0, bit = (uint64_t)1 << 62;

    for (; bit != 0; bit >>= 2) {
        bool fits = a >= root + bit;

        if (fits)
            a -= root + bit;
        root = (root >> 1) + (fits ? bit : 0);
    }
    return (int64_t)root;
}

/* Scales a vector so that its largest component is 2^29 to 2^30.  Returns the
 * power of 2 by which it became smaller; a vector of 0 does not change. */
static int32_t scale_vector(int64_t v[3])
{
    int64_t most = 0;
    int32_t bits = 0;
    uint32_t i;

    for (i = 0; i < 3; i++)
        most |= v[i] < 0 ? -v[i] : v[i];
    while (most >> bits != 0)
        bits++;
    for (i = 0; i < 3 && bits > 0; i++)
        v[i] = bits > 30 ? v[i] / ((int64_t)1 << (bits - 30))
                         : v[i] * ((int64_t)1 << (30 - bits));
    return bits - 30;
}

/* Returns the length of a vector, times 2^20, within 2^-28 of it or within 1.
 * So that it fits, components are below 2^42. */
static int64_t integer_length(const int64_t of[3])
{
    int64_t v[3], length;
    int32_t down;

    vsp__copy_bytes(v, of, sizeof v);
    down = scale_vector(v) + 20;
    length = root_of_square((uint64_t)integer_dot(v, v));
    return down > 0 ? length * ((int64_t)1 << down)
                    : length / ((int64_t)1 << -down);
}

/* Makes a vector a unit vector, in units of 1 / VSP_DIRECTION, unless it is
 * 0. */
static void make_unit(int64_t v[3])
{
    int64_t length, part;
    uint32_t i;

    (void)scale_vector(v);
    length = root_of_square((uint64_t)integer_dot(v, v));
    for (i = 0; i < 3 && length > 0; i++) {
        part = v[i] * VSP_DIRECTION;
        v[i] = (part + (part < 0 ? -length : length) / 2) / length;
    }
}


/* ---- The growing solid --------------------------------------------------- */

/* Computes the normal of three points; its length is twice the area of their
 * triangle. */
static void normal_of_points(const hull_builder *it, uint32_t a, uint32_t b,
                             uint32_t c, int64_t normal[3])
{
    int64_t u[3], v[3];

    span_to(it->at[a], it->at[b], u);
    span_to(it->at[a], it->at[c], v);
    integer_cross(u, v, normal);
}

/* Computes the unit normal of a face. */
static void unit_of_face(const hull_builder *it, const grid_face *face,
                         int64_t unit[3])
{
    int64_t part[3];
    uint32_t i, k;

    unit[0] = unit[1] = unit[2] = 0;
    for (i = 2; i < face->count; i++) {
        normal_of_points(it, face->corner[0], face->corner[i - 1u],
                         face->corner[i], part);
        for (k = 0; k < 3; k++)
            unit[k] += part[k];
    }
    make_unit(unit);
}

/* Returns the height of a point over another along a normal; along a unit
 * vector in units of 2^-29 of the grid. */
static int64_t grid_height(const hull_builder *it, const int64_t normal[3],
                           uint32_t base, uint32_t point)
{
    int64_t d[3];

    span_to(it->at[base], it->at[point], d);
    return integer_dot(normal, d);
}

static bool sees_face(const hull_builder *it, const grid_face *face,
                      uint32_t point)
{
    int64_t normal[3];

    normal_of_points(it, face->corner[0], face->corner[1], face->corner[2],
                     normal);
    return grid_height(it, normal, face->corner[0], point) > 0;
}

static void add_triangle(hull_builder *it, uint32_t a, uint32_t b, uint32_t c)
{
    grid_face *face = it->faces + it->face_count++;

    face->count = 3;
    face->corner[0] = (uint8_t)a;
    face->corner[1] = (uint8_t)b;
    face->corner[2] = (uint8_t)c;
}

/* Returns the corner of a face from which the side from tail to head starts, or
 * its number of corners. */
static uint32_t find_side(const grid_face *face, uint32_t tail, uint32_t head)
{
    uint32_t i;

    for (i = 0; i < face->count; i++)
        if (face->corner[i] == tail &&
            face->corner[i + 1u < face->count ? i + 1u : 0] == head)
            break;
    return i;
}

/* Returns the face with the side from tail to head, or face_count. */
static uint32_t find_face_of_side(const hull_builder *it, uint32_t tail,
                                  uint32_t head)
{
    uint32_t i;

    for (i = 0; i < it->face_count; i++)
        if (find_side(it->faces + i, tail, head) < it->faces[i].count)
            break;
    return i;
}

/* Lists the sides between a face that is seen and one that is not; bit i of
 * `seen` is for face i.  Returns their number. */
static uint32_t find_horizon(const hull_builder *it, uint32_t seen,
                             uint8_t side[VSP_MAX_HULL_POINTS][2])
{
    uint32_t i, k, count = 0;

    for (i = 0; i < it->face_count; i++)
        for (k = 0; k < 3 && seen >> i & 1u; k++) {
            uint8_t tail = it->faces[i].corner[k];
            uint8_t head = it->faces[i].corner[(k + 1u) % 3u];

            if (seen >> find_face_of_side(it, head, tail) & 1u)
                continue;
            side[count][0] = tail;
            side[count++][1] = head;
        }
    return count;
}

/* Removes the triangles that a point sees, and joins the point to each side
 * around them.  A triangle does not see points in its own plane, so each new
 * one has an area. */
static void grow_hull_to(hull_builder *it, uint32_t point)
{
    uint8_t side[VSP_MAX_HULL_POINTS][2];
    uint32_t seen = 0, count, kept = 0, i;

    for (i = 0; i < it->face_count; i++)
        if (sees_face(it, it->faces + i, point))
            seen |= (uint32_t)1 << i;
    count = find_horizon(it, seen, side);
    for (i = 0; i < it->face_count; i++)
        if (!(seen >> i & 1u))
            it->faces[kept++] = it->faces[i];
    it->face_count = kept;
    for (i = 0; i < count; i++)
        add_triangle(it, side[i][0], side[i][1], point);
    it->used |= (uint32_t)1 << point;
}

/* Returns how far a point is from the first `count` seeds: from the first, from
 * the line of two, from the plane of three. */
static int64_t distance_from_seeds(const hull_builder *it,
                                   const uint32_t seeds[4], uint32_t count,
                                   uint32_t point)
{
    int64_t v[3], height;

    if (count == 0)
        return -((int64_t)it->at[point][0] << 40) -
               ((int64_t)it->at[point][1] << 20) - it->at[point][2];
    if (count == 1) {
        span_to(it->at[seeds[0]], it->at[point], v);
        return integer_dot(v, v);
    }
    normal_of_points(it, seeds[0], seeds[1], count == 2 ? point : seeds[2], v);
    if (count == 2)
        return integer_length(v);
    make_unit(v);
    height = grid_height(it, v, seeds[0], point);
    return height < 0 ? -height : height;
}

/* Starts with the first point by x, y, z, then the farthest from it, from their
 * line, and from their plane.  Returns the last distance. */
static int64_t start_hull(hull_builder *it)
{
    uint32_t seeds[4], i, k;
    int64_t best = 0, distance;

    for (k = 0; k < 4; k++) {
        seeds[k] = 0;
        best = distance_from_seeds(it, seeds, k, 0);
        for (i = 1; i < it->point_count; i++) {
            distance = distance_from_seeds(it, seeds, k, i);
            if (distance > best) {
                best = distance;
                seeds[k] = i;
            }
        }
    }
    it->face_count = 0;
    it->used = 0;
    add_triangle(it, seeds[0], seeds[1], seeds[2]);
    if (sees_face(it, it->faces, seeds[3])) {
        k = seeds[0];
        seeds[0] = seeds[1];
        seeds[1] = k;
    }
    it->face_count = 0;
    add_triangle(it, seeds[0], seeds[1], seeds[2]);
    add_triangle(it, seeds[0], seeds[3], seeds[1]);
    add_triangle(it, seeds[1], seeds[3], seeds[2]);
    add_triangle(it, seeds[2], seeds[3], seeds[0]);
    for (k = 0; k < 4; k++)
        it->used |= (uint32_t)1 << seeds[k];
    return best;
}

/* Returns the point that is highest over a face; point_count if none is higher
 * than the slack. */
static uint32_t find_farthest_point(const hull_builder *it)
{
    uint32_t farthest = it->point_count, face, i;
    int64_t best = it->slack, unit[3];

    for (face = 0; face < it->face_count; face++) {
        unit_of_face(it, it->faces + face, unit);
        for (i = 0; i < it->point_count; i++) {
            int64_t height = grid_height(it, unit, it->faces[face].corner[0],
                                         i);

            if (height > best && !(it->used >> i & 1u)) {
                best = height;
                farthest = i;
            }
        }
    }
    return farthest;
}


/* ---- Faces --------------------------------------------------------------- */

/* Returns how far the lowest corner of a face is below the highest of all
 * vertices, along the face's normal. */
static int64_t depth_of_face(const hull_builder *it, const grid_face *face)
{
    int64_t unit[3], top = 0, low = 0, height;
    uint32_t i;

    unit_of_face(it, face, unit);
    for (i = 0; i < it->point_count; i++) {
        height = grid_height(it, unit, face->corner[0], i);
        if (height > top && it->used >> i & 1u)
            top = height;
    }
    for (i = 1; i < face->count; i++) {
        height = grid_height(it, unit, face->corner[0], face->corner[i]);
        low = height < low ? height : low;
    }
    return top - low;
}

/* Returns how far corner i of a face is outside of the line between its
 * neighbours, in the plane of the face. */
static int64_t bulge_at(const hull_builder *it, const grid_face *face,
                        uint32_t i)
{
    uint32_t before = face->corner[(i + face->count - 1u) % face->count];
    uint32_t after = face->corner[(i + 1u) % face->count], k;
    int64_t unit[3], side[3], out[3];

    unit_of_face(it, face, unit);
    span_to(it->at[before], it->at[after], side);
    make_unit(side);
    integer_cross(side, unit, out);
    for (k = 0; k < 3; k++)
        out[k] /= VSP_DIRECTION;
    return grid_height(it, out, before, face->corner[i]);
}

static bool repeats_corner(const grid_face *face)
{
    uint32_t i, seen = 0;

    for (i = 0; i < face->count; i++) {
        if (seen >> face->corner[i] & 1u)
            return true;
        seen |= (uint32_t)1 << face->corner[i];
    }
    return false;
}

/* Copies a face, beginning after corner i. */
static void turn_face(const grid_face *from, uint32_t i, grid_face *to)
{
    uint32_t k;

    to->count = from->count;
    for (k = 0; k < from->count; k++)
        to->corner[k] = from->corner[(i + 1u + k) % from->count];
}

/* Joins two faces along their common chain of sides, of which one starts at
 * corner i of a and ends at corner k of b.  Returns false if they touch
 * elsewhere, too. */
static bool join_faces(const grid_face *a, uint32_t i, const grid_face *b,
                       uint32_t k, grid_face *out)
{
    grid_face p, q;
    uint32_t from = 0, to, low = 0, high, n;

    turn_face(a, i, &p); /* from the head of the chain to its tail */
    turn_face(b, k, &q); /* from tail to head */
    to = p.count;
    high = q.count;
    while (to - from > 2u && high - low > 2u &&
           p.corner[to - 2u] == q.corner[low + 1u]) {
        to--;
        low++;
    }
    while (to - from > 2u && high - low > 2u &&
           p.corner[from + 1u] == q.corner[high - 2u]) {
        from++;
        high--;
    }
    n = to - from + high - low - 2u;
    if (n < 3 || n > VSP_MAX_HULL_POINTS)
        return false;
    out->count = 0;
    for (; from < to; from++)
        out->corner[out->count++] = p.corner[from];
    for (low++; low + 1u < high; low++)
        out->corner[out->count++] = q.corner[low];
    return !repeats_corner(out);
}

/* Whether a face is convex and in one plane, apart from the slack. */
static bool is_flat_face(const hull_builder *it, const grid_face *face)
{
    uint32_t i;

    for (i = 0; i < face->count; i++)
        if (bulge_at(it, face, i) < -it->slack)
            return false;
    return depth_of_face(it, face) <= it->slack;
}

/* Merges face b into a if the two are a convex polygon in one plane. */
static bool merge_face(const hull_builder *it, grid_face *a, grid_face *b)
{
    int64_t up[3], other[3];
    grid_face joined;
    uint32_t i, k;

    for (i = 0; i < a->count; i++) {
        k = find_side(b, a->corner[(i + 1u) % a->count], a->corner[i]);
        if (k == b->count)
            continue;
        unit_of_face(it, a, up);
        unit_of_face(it, b, other);
        if (integer_dot(up, other) <= 0 || !join_faces(a, i, b, k, &joined) ||
            !is_flat_face(it, &joined))
            return false;
        *a = joined;
        b->count = 0;
        return true;
    }
    return false;
}

/* Merges faces until none are in one plane. */
static void merge_all_faces(hull_builder *it)
{
    uint32_t i, k;
    bool is_done;

    do {
        is_done = true;
        for (i = 0; i < it->face_count; i++)
            for (k = 0; k < it->face_count; k++)
                if (k != i && it->faces[i].count > 0 &&
                    it->faces[k].count > 0 &&
                    merge_face(it, it->faces + i, it->faces + k))
                    is_done = false;
    } while (!is_done);
}

static void remove_face_corner(grid_face *face, uint32_t i)
{
    face->count--;
    for (; i < face->count; i++)
        face->corner[i] = face->corner[i + 1u];
}

/* Removes a vertex that two faces alone share, if it is on a line in both. */
static void straighten_vertex(hull_builder *it, uint32_t vertex)
{
    grid_face *of[2] = {NULL, NULL};
    uint32_t at[2] = {0, 0}, count = 0, i, k;

    for (i = 0; i < it->face_count; i++)
        for (k = 0; k < it->faces[i].count; k++) {
            if (it->faces[i].corner[k] != vertex)
                continue;
            if (count == 2)
                return;
            of[count] = it->faces + i;
            at[count++] = k;
        }
    if (count < 2)
        return;
    for (i = 0; i < 2; i++)
        if (of[i]->count < 4 || bulge_at(it, of[i], at[i]) > it->slack)
            return;
    remove_face_corner(of[0], at[0]);
    remove_face_corner(of[1], at[1]);
}


VSP_STATIC_ASSERT(runtime_hulls_fit,
                  sizeof(vsp__hull_pool) <= VSP__HULL_BYTES &&
                      sizeof(vsp__hull_pool) + 8u > VSP__HULL_BYTES);


/* ---- The table ----------------------------------------------------------- */

void vsp__view_hull(const vsp__runtime_hull *hull, vsp_hull *view)
{
    *view = hull->table;
    view->vertices = hull->vertices;
    view->planes = hull->planes;
    view->first = hull->first;
    view->corners = hull->corners;
    view->edges = hull->edges;
}

/* Puts points on the grid.  Returns false if all are at the same place. */
static bool start_builder(hull_builder *it, const vsp_place *points,
                          uint32_t count)
{
    int32_t low[3], size = 0, half;
    uint32_t i, k;

    for (k = 0; k < 3; k++) {
        int32_t high = low[k] = place_part(points, k);

        for (i = 1; i < count; i++) {
            int32_t at = place_part(points + i, k);

            low[k] = at < low[k] ? at : low[k];
            high = at > high ? at : high;
        }
        size = high - low[k] > size ? high - low[k] : size;
    }
    for (it->shift = 0; size >> it->shift >= ((int32_t)1 << GRID_BITS) - 1;)
        it->shift++;
    half = it->shift > 0 ? (int32_t)1 << (it->shift - 1) : 0;
    for (i = 0; i < count; i++)
        for (k = 0; k < 3; k++)
            it->at[i][k] = (place_part(points + i, k) - low[k] + half) >>
                           it->shift;
    it->point_count = count;
    it->slack = size >> it->shift >> SLACK_OF_SIZE_BITS;
    return size > 0;
}

/* Grows the solid and merges its faces.  Returns false if it is flat. */
static bool grow_hull(hull_builder *it)
{
    int64_t thickness = start_hull(it), slack;
    uint32_t point, i;

    if (thickness >> 29 << it->shift < MIN_THICKNESS)
        return false;
    slack = thickness >> 29 >> SLACK_OF_THICKNESS_BITS;
    slack = slack < it->slack ? slack : it->slack;
    it->slack = (slack < MIN_SLACK ? MIN_SLACK : slack) << 29;
    for (;;) {
        point = find_farthest_point(it);
        if (point == it->point_count)
            break;
        grow_hull_to(it, point);
    }
    merge_all_faces(it);
    for (i = 0; i < it->point_count; i++)
        straighten_vertex(it, i);
    return true;
}

/* Writes the points that are corners to the hull, in their order.  number[i] is
 * the vertex that point i becomes.  Returns how many there are. */
static uint32_t write_hull_vertices(const hull_builder *it,
                                    vsp__runtime_hull *hull, uint8_t *number)
{
    uint32_t i, k, count = 0, corners = 0;

    for (i = 0; i < it->face_count; i++)
        for (k = 0; k < it->faces[i].count; k++)
            corners |= (uint32_t)1 << it->faces[i].corner[k];
    for (i = 0; i < it->point_count; i++) {
        number[i] = (uint8_t)count;
        if (corners >> i & 1u)
            hull->vertices[count++] = hull->vertices[i];
    }
    return count;
}

/* Writes the plane along a face's normal that has all vertices below it. */
static void write_hull_plane(const hull_builder *it, const grid_face *face,
                             const vsp__runtime_hull *hull, vsp_plane *plane)
{
    int64_t unit[3], at[3], top = INT64_MIN, height;
    uint32_t i, k;

    unit_of_face(it, face, unit);
    plane->x = (int32_t)unit[0];
    plane->y = (int32_t)unit[1];
    plane->z = (int32_t)unit[2];
    for (i = 0; i < hull->table.vertex_count; i++) {
        for (k = 0; k < 3; k++)
            at[k] = place_part(hull->vertices + i, k);
        height = integer_dot(unit, at);
        top = height > top ? height : top;
    }
    plane->offset = (int32_t)((top + VSP_DIRECTION / 2) >> 29);
}

/* Writes the faces, the corners of each from the lowest on. */
static void write_hull_faces(const hull_builder *it, vsp__runtime_hull *hull,
                             const uint8_t *number)
{
    uint32_t i, k, count = 0, corners = 0;

    for (i = 0; i < it->face_count; i++) {
        const grid_face *face = it->faces + i;
        uint32_t lowest = 0;

        if (face->count == 0)
            continue;
        for (k = 1; k < face->count; k++)
            if (face->corner[k] < face->corner[lowest])
                lowest = k;
        write_hull_plane(it, face, hull, hull->planes + count);
        hull->first[count++] = (uint16_t)corners;
        for (k = 0; k < face->count; k++)
            hull->corners[corners++] =
                number[face->corner[(lowest + k) % face->count]];
    }
    hull->first[count] = (uint16_t)corners;
    hull->table.face_count = (uint16_t)count;
    hull->table.corner_count = (uint16_t)corners;
}

/* Returns the face of a hull with the side from tail to head, or
 * face_count. */
static uint32_t find_hull_side(const vsp__runtime_hull *hull, uint32_t tail,
                               uint32_t head)
{
    uint32_t face, i;

    for (face = 0; face < hull->table.face_count; face++) {
        uint32_t low = hull->first[face], high = hull->first[face + 1u];

        for (i = low; i < high; i++)
            if (hull->corners[i] == tail &&
                hull->corners[i + 1u < high ? i + 1u : low] == head)
                return face;
    }
    return face;
}

/* Writes the edges, each as the side of its face with the lower number. */
static void write_hull_edges(vsp__runtime_hull *hull)
{
    uint32_t face, i, count = 0;

    for (face = 0; face < hull->table.face_count; face++) {
        uint32_t low = hull->first[face], high = hull->first[face + 1u];

        for (i = low; i < high; i++) {
            vsp_hull_edge edge;
            uint32_t right;

            edge.tail = hull->corners[i];
            edge.head = hull->corners[i + 1u < high ? i + 1u : low];
            right = find_hull_side(hull, edge.head, edge.tail);
            if (right <= face || count == VSP__RUNTIME_EDGES)
                continue;
            edge.left = (uint8_t)face;
            edge.right = (uint8_t)right;
            hull->edges[count++] = edge;
        }
    }
    hull->table.edge_count = (uint16_t)count;
}

/* Whether a hull is thick enough in the direction of each face. */
static bool is_thick_hull(const vsp__runtime_hull *hull)
{
    const int64_t most = -(int64_t)MIN_THICKNESS;
    uint32_t face, i;

    for (face = 0; face < hull->table.face_count; face++) {
        const vsp_plane *n = hull->planes + face;
        int64_t deepest = 0, height;

        for (i = 0; i < hull->table.vertex_count; i++) {
            const vsp_place *p = hull->vertices + i;

            height = (int64_t)n->x * p->x + (int64_t)n->y * p->y +
                     (int64_t)n->z * p->z;
            height = height / VSP_DIRECTION - n->offset;
            deepest = height < deepest ? height : deepest;
        }
        if (deepest > most)
            return false;
    }
    return true;
}

/* Makes the table of a grown solid.  Returns whether it is valid. */
static bool write_runtime_hull(const hull_builder *it, vsp__runtime_hull *hull)
{
    uint8_t number[VSP_MAX_HULL_POINTS];
    vsp_hull *t = &hull->table, view;

    t->vertex_count = (uint16_t)write_hull_vertices(it, hull, number);
    write_hull_faces(it, hull, number);
    write_hull_edges(hull);
    vsp__view_hull(hull, &view);
    if (!is_thick_hull(hull) || !vsp__weigh_hull(&view, &t->bulk))
        return false;
    t->kind = view.kind = VSP_TABLE_HULL;
    view.bulk = t->bulk;
    return vsp__check_table(&view) == VSP_FLAW_NONE;
}

void vsp__empty_hull(vsp__runtime_hull *hull)
{
    uint16_t generation = hull->generation;

    vsp__zero_bytes(hull, sizeof *hull);
    hull->generation = generation;
}

/* The hull of the vertices alone may have other faces than that of all points,
 * as other points are the farthest.  So a hull is made of its vertices again
 * until it keeps all of them: then a restore, which knows only the vertices,
 * makes the same hull. */
bool vsp__build_hull(vsp__runtime_hull *hull, uint32_t *count)
{
    hull_builder it;
    uint32_t given;

    do {
        given = *count;
        if (!start_builder(&it, hull->vertices, given) || !grow_hull(&it) ||
            !write_runtime_hull(&it, hull)) {
            vsp__empty_hull(hull);
            return false;
        }
        *count = hull->table.vertex_count;
    } while (*count < given);
    vsp__zero_bytes(hull->vertices + given,
                    (VSP_MAX_HULL_POINTS - given) * sizeof(vsp_place));
    return true;
}

#endif /* VSP_MAX_RUNTIME_HULLS */
