/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hulls of points, in this order: an exactly convex solid of triangles, to
 * which the farthest point is added until none is far (Barber, Dobkin,
 * Huhdanpaa, The Quickhull algorithm for convex hulls, ACM Transactions on
 * Mathematical Software 22(4), 1996); polygons merged from triangles of one
 * plane; the table; its text.  The side of a plane on which a point lies is
 * computed in integers, so no hull can come out inside out. */

#include "hull.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_points.h"
#include "mass_properties.h"

#define MAX_VERTICES 128                            /* of the growing solid */
#define MAX_TRIANGLES (MAX_VERTICES * MAX_VERTICES) /* with removed ones */
#define MAX_ALIVE (2 * MAX_VERTICES)
#define MIN_THICK (0.001 * VSP_PLACE)
#define MIN_PART 1e-6 /* least volume below a face, as a fraction */

/* Distances below which a point counts as on a plane, line or point, since
 * files round their numbers: fractions of the longest and of the shortest side.
 * The smaller one counts. */
#define SLACK_OF_LENGTH (1.0 / 16384)
#define SLACK_OF_WIDTH (1.0 / 256)

static const char out_of_memory[] = "out of memory";
static const char flat[] = "flat: all points are within 1 mm of a plane";


/* ---- The growing solid --------------------------------------------------- */

typedef struct face {
    uint8_t corner[3];
    bool is_alive;
    place_cross normal;
} face;

typedef struct grower {
    vsp_place vertices[MAX_VERTICES];
    uint32_t source[MAX_VERTICES]; /* index of the point of each vertex */
    int vertex_count;
    face faces[MAX_TRIANGLES];
    int face_count;
    int alive[MAX_ALIVE]; /* indices of the faces that are not removed */
    int alive_count;
    int left_of[MAX_VERTICES][MAX_VERTICES]; /* face with the side from tail to
                                              * head */
} grower;

static void add_face(grower *it, int a, int b, int c)
{
    face *added = &it->faces[it->face_count];

    added->corner[0] = (uint8_t)a;
    added->corner[1] = (uint8_t)b;
    added->corner[2] = (uint8_t)c;
    added->is_alive = true;
    added->normal = place_normal(it->vertices[a], it->vertices[b],
                                 it->vertices[c]);
    it->left_of[a][b] = it->face_count;
    it->left_of[b][c] = it->face_count;
    it->left_of[c][a] = it->face_count;
    it->alive[it->alive_count++] = it->face_count++;
}

static int add_vertex(grower *it, const vsp_place *points, uint32_t source)
{
    it->vertices[it->vertex_count] = points[source];
    it->source[it->vertex_count] = source;
    return it->vertex_count++;
}

static bool is_seen_from(const grower *it, const face *of, vsp_place point)
{
    return place_side(of->normal, it->vertices[of->corner[0]], point) > 0;
}

static double height_over(const grower *it, int index, vsp_place point)
{
    const face *of = &it->faces[index];

    return place_height(of->normal, it->vertices[of->corner[0]], point);
}

/* Starts with four points that are not in one plane. */
static void grow_from(grower *it, const vsp_place *points,
                      const uint32_t seeds[4])
{
    it->vertex_count = 0;
    it->face_count = 0;
    it->alive_count = 0;
    for (int i = 0; i < 4; i++)
        add_vertex(it, points, seeds[i]);
    if (place_side(
            place_normal(it->vertices[0], it->vertices[1], it->vertices[2]),
            it->vertices[0], it->vertices[3]) > 0) {
        it->vertices[0] = points[seeds[1]];
        it->source[0] = seeds[1];
        it->vertices[1] = points[seeds[0]];
        it->source[1] = seeds[0];
    }
    add_face(it, 0, 1, 2);
    add_face(it, 0, 3, 1);
    add_face(it, 1, 3, 2);
    add_face(it, 2, 3, 0);
}

/* Removes the faces that see the point, and joins the point to each edge around
 * them by a new face.  A face does not see points in its own plane, so each new
 * face has an area. */
static void grow_to(grower *it, const vsp_place *points, uint32_t source)
{
    int old[MAX_ALIVE];
    int old_count = it->alive_count;
    int apex = add_vertex(it, points, source);

    memcpy(old, it->alive, sizeof old);
    for (int i = 0; i < old_count; i++) {
        face *of = &it->faces[old[i]];

        of->is_alive = !is_seen_from(it, of, points[source]);
    }
    it->alive_count = 0;
    for (int i = 0; i < old_count; i++)
        if (it->faces[old[i]].is_alive)
            it->alive[it->alive_count++] = old[i];
    for (int i = 0; i < old_count; i++) {
        const face *gone = &it->faces[old[i]];

        for (int k = 0; k < 3 && !gone->is_alive; k++) {
            int tail = gone->corner[k], head = gone->corner[(k + 1) % 3];

            if (it->faces[it->left_of[head][tail]].is_alive)
                add_face(it, tail, head, apex);
        }
    }
}


/* ---- Which points -------------------------------------------------------- */

/* `above` is the face over which the point was highest when last tested.  A
 * point that is INSIDE stays inside, because the solid only grows. */
#define INSIDE (-1)
#define UNKNOWN (-2)

typedef struct outside {
    double height; /* VSP_PLACE */
    int above;
} outside;

static double distance(vsp_place a, vsp_place b)
{
    return vec_length(vec_sub(place_vec(a), place_vec(b)));
}

static double area(vsp_place a, vsp_place b, vsp_place c)
{
    return vec_length(place_direction(place_normal(a, b, c)));
}

static bool is_before(vsp_place a, vsp_place b)
{
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* Chooses the first point by x, y, z, then the farthest from it, from their
 * line, and from their plane.  Returns the last distance. */
static double choose_seeds(const vsp_place *points, size_t count,
                           uint32_t seeds[4])
{
    place_cross normal;
    double thick = 0;

    memset(seeds, 0, 4 * sizeof seeds[0]);
    for (uint32_t i = 1; i < count; i++)
        if (is_before(points[i], points[seeds[0]]))
            seeds[0] = i;
    for (uint32_t i = 0; i < count; i++)
        if (distance(points[seeds[0]], points[i]) >
            distance(points[seeds[0]], points[seeds[1]]))
            seeds[1] = i;
    for (uint32_t i = 0; i < count; i++)
        if (area(points[seeds[0]], points[seeds[1]], points[i]) >
            area(points[seeds[0]], points[seeds[1]], points[seeds[2]]))
            seeds[2] = i;
    normal = place_normal(points[seeds[0]], points[seeds[1]], points[seeds[2]]);
    if (normal.x == 0 && normal.y == 0 && normal.z == 0)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        double height = fabs(place_height(normal, points[seeds[0]], points[i]));

        if (height > thick) {
            thick = height;
            seeds[3] = i;
        }
    }
    return thick;
}

/* Tests a point against all faces, unless the face that it was above still
 * exists. */
static void find_face_above(const grower *it, outside *of, vsp_place point,
                            double tolerance)
{
    if (of->above == INSIDE ||
        (of->above != UNKNOWN && it->faces[of->above].is_alive))
        return;
    of->above = INSIDE;
    of->height = tolerance;
    for (int i = 0; i < it->alive_count; i++) {
        double height = height_over(it, it->alive[i], point);

        if (height > of->height) {
            of->height = height;
            of->above = it->alive[i];
        }
    }
}

/* Writes points in order of importance: the seeds, then always the farthest,
 * until none is farther than the tolerance (VSP_PLACE) or the solid is full.
 * Returns their number; 0 if there is no memory. */
static int choose_points(grower *it, const vsp_place *points, size_t count,
                         double tolerance, uint32_t order[MAX_VERTICES])
{
    outside *all = malloc(count * sizeof *all);

    if (!all)
        return 0;
    for (size_t i = 0; i < count; i++)
        all[i].above = UNKNOWN;
    grow_from(it, points, order);
    while (it->vertex_count < MAX_VERTICES) {
        double best = 0;
        uint32_t farthest = 0;

        for (uint32_t i = 0; i < count; i++) {
            find_face_above(it, &all[i], points[i], tolerance);
            if (all[i].above != INSIDE && all[i].height > best) {
                best = all[i].height;
                farthest = i;
            }
        }
        if (best <= 0)
            break;
        order[it->vertex_count] = farthest;
        grow_to(it, points, farthest);
    }
    free(all);
    return it->vertex_count;
}


/* ---- Polygons ------------------------------------------------------------ */

typedef struct polygon {
    uint8_t corner[MAX_VERTICES];
    int count; /* 0: merged into another polygon */
} polygon;

typedef struct polygons {
    const vsp_place *vertices;
    int vertex_count;
    polygon faces[MAX_ALIVE];
    int face_count;
    double slack; /* VSP_PLACE: most distance of a corner to its face's plane */
} polygons;

static vec3 corner_of(const polygons *all, const polygon *of, int i)
{
    return place_vec(all->vertices[of->corner[(i + of->count) % of->count]]);
}

static vec3 normal_of(const polygons *all, const polygon *of)
{
    vec3 sum = vec_make(0, 0, 0);

    for (int i = 1; i + 1 < of->count; i++)
        sum = vec_add(sum, place_direction(
                               place_normal(all->vertices[of->corner[0]],
                                            all->vertices[of->corner[i]],
                                            all->vertices[of->corner[i + 1]])));
    return vec_unit(sum);
}

/* Returns how far the lowest corner of a face is below the highest of all
 * vertices, along the face's normal. */
static double slack_of(const polygons *all, const polygon *of)
{
    vec3 normal = normal_of(all, of);
    double top = -HUGE_VAL, low = HUGE_VAL;

    for (int i = 0; i < all->vertex_count; i++)
        top = fmax(top, vec_dot(normal, place_vec(all->vertices[i])));
    for (int i = 0; i < of->count; i++)
        low = fmin(low, vec_dot(normal, corner_of(all, of, i)));
    return top - low;
}

/* Returns the largest distance by which a corner is inside the line between its
 * neighbours; negative if all are outside. */
static double dent_of(const polygons *all, const polygon *of)
{
    vec3 normal = normal_of(all, of);
    double worst = -HUGE_VAL;

    for (int i = 0; i < of->count; i++) {
        vec3 before = corner_of(all, of, i - 1);
        vec3 chord = vec_sub(corner_of(all, of, i + 1), before);
        vec3 way = vec_sub(corner_of(all, of, i), before);

        worst = fmax(worst, vec_dot(normal, vec_cross(chord, way)) /
                                vec_length(chord));
    }
    return worst;
}

static bool has_repeats(const polygon *of)
{
    for (int i = 0; i < of->count; i++)
        for (int k = 0; k < i; k++)
            if (of->corner[i] == of->corner[k])
                return true;
    return false;
}

/* Copies the corners, beginning after corner i. */
static polygon turned(const polygon *from, int i)
{
    polygon out;

    out.count = from->count;
    for (int k = 0; k < from->count; k++)
        out.corner[k] = from->corner[(i + 1 + k) % from->count];
    return out;
}

/* Joins two polygons along their common chain of edges, of which one starts at
 * corner i of a and ends at corner k of b.  Returns false if they also touch
 * elsewhere. */
static bool join_polygons(polygon *out, const polygon *a, int i,
                          const polygon *b, int k)
{
    polygon p = turned(a, i), q = turned(b, k);
    int from = 0, to = p.count, low = 0, high = q.count;

    /* p goes from the head of the chain to its tail, q from tail to head */
    while (to - from > 2 && high - low > 2 &&
           p.corner[to - 2] == q.corner[low + 1]) {
        to--;
        low++;
    }
    while (to - from > 2 && high - low > 2 &&
           p.corner[from + 1] == q.corner[high - 2]) {
        from++;
        high--;
    }
    out->count = to - from + high - low - 2;
    if (out->count < 3 || out->count > MAX_VERTICES)
        return false;
    memcpy(out->corner, p.corner + from, (size_t)(to - from));
    memcpy(out->corner + (to - from), q.corner + low + 1,
           (size_t)(high - low - 2));
    return !has_repeats(out);
}

/* Returns the corner at which the edge from `tail` to `head` starts, or -1. */
static int find_edge(const polygon *of, uint8_t tail, uint8_t head)
{
    for (int i = 0; i < of->count; i++)
        if (of->corner[i] == tail && of->corner[(i + 1) % of->count] == head)
            return i;
    return -1;
}

/* Merges face b into a if the two are a convex polygon in one plane. */
static bool merge_faces(polygons *all, polygon *a, polygon *b)
{
    for (int i = 0; i < a->count; i++) {
        polygon joined;
        int k = find_edge(b, a->corner[(i + 1) % a->count], a->corner[i]);

        if (k < 0)
            continue;
        if (vec_dot(normal_of(all, a), normal_of(all, b)) <= 0 ||
            !join_polygons(&joined, a, i, b, k) ||
            dent_of(all, &joined) > all->slack ||
            slack_of(all, &joined) > all->slack)
            return false;
        *a = joined;
        b->count = 0;
        return true;
    }
    return false;
}

static void merge_all(polygons *all)
{
    bool is_done;

    do {
        is_done = true;
        for (int i = 0; i < all->face_count; i++)
            for (int k = 0; k < all->face_count; k++)
                if (k != i && all->faces[i].count > 0 &&
                    all->faces[k].count > 0 &&
                    merge_faces(all, &all->faces[i], &all->faces[k]))
                    is_done = false;
    } while (!is_done);
}

/* Whether corner i is nearly on the line between its neighbours, so that it can
 * be removed. */
static bool is_straight(const polygons *all, const polygon *of, int i)
{
    vec3 before = corner_of(all, of, i - 1);
    vec3 chord = vec_sub(corner_of(all, of, i + 1), before);
    vec3 way = vec_sub(corner_of(all, of, i), before);

    return of->count > 3 &&
           vec_length(vec_cross(chord, way)) < all->slack * vec_length(chord);
}

static void remove_corner(polygon *of, int i)
{
    of->count--;
    memmove(of->corner + i, of->corner + i + 1, (size_t)(of->count - i));
}

/* Removes a vertex that only two faces share if it is straight in both. */
static void straighten_edge_at(polygons *all, int vertex)
{
    polygon *of[3] = {NULL, NULL, NULL};
    int at[3] = {0, 0, 0};
    int count = 0;

    for (int i = 0; i < all->face_count && count < 3; i++)
        for (int k = 0; k < all->faces[i].count && count < 3; k++)
            if (all->faces[i].corner[k] == vertex) {
                of[count] = &all->faces[i];
                at[count++] = k;
            }
    if (count == 2 && is_straight(all, of[0], at[0]) &&
        is_straight(all, of[1], at[1])) {
        remove_corner(of[0], at[0]);
        remove_corner(of[1], at[1]);
    }
}

static void read_polygons(polygons *all, const grower *it)
{
    all->vertices = it->vertices;
    all->vertex_count = it->vertex_count;
    all->face_count = it->alive_count;
    for (int i = 0; i < it->alive_count; i++) {
        memcpy(all->faces[i].corner, it->faces[it->alive[i]].corner, 3);
        all->faces[i].count = 3;
    }
    merge_all(all);
    for (int i = 0; i < it->vertex_count; i++)
        straighten_edge_at(all, i);
}


/* ---- The table ----------------------------------------------------------- */

/* Numbers the vertices that are still used, in the order of the points. */
static bool write_vertices(hull_storage *out, const polygons *all,
                           const uint32_t *source, uint8_t *number)
{
    bool is_used[MAX_VERTICES] = {false};
    uint16_t count = 0;

    for (int i = 0; i < all->face_count; i++)
        for (int k = 0; k < all->faces[i].count; k++)
            is_used[all->faces[i].corner[k]] = true;
    for (int i = 0; i < all->vertex_count; i++) {
        int before = 0;

        if (!is_used[i])
            continue;
        for (int k = 0; k < all->vertex_count; k++)
            before += is_used[k] && source[k] < source[i];
        if (++count > VSP_MAX_HULL)
            return false;
        number[i] = (uint8_t)before;
    }
    for (int i = 0; i < all->vertex_count; i++)
        if (is_used[i])
            out->vertices[number[i]] = all->vertices[i];
    out->hull.vertex_count = count;
    return true;
}

/* Returns the plane along the face's normal that has all vertices below it,
 * including removed ones. */
static vsp_plane plane_of(const polygons *all, const polygon *of)
{
    vec3 n = vec_scale(normal_of(all, of), VSP_DIRECTION);
    vsp_plane out;
    int64_t top = INT64_MIN;

    out.x = (int32_t)floor(n.x + 0.5);
    out.y = (int32_t)floor(n.y + 0.5);
    out.z = (int32_t)floor(n.z + 0.5);
    for (int i = 0; i < all->vertex_count; i++) {
        int64_t height = (int64_t)out.x * all->vertices[i].x +
                         (int64_t)out.y * all->vertices[i].y +
                         (int64_t)out.z * all->vertices[i].z;

        if (height > top)
            top = height;
    }
    out.offset = (int32_t)floor((double)top / VSP_DIRECTION + 0.5);
    return out;
}

/* Writes the corners of each face, starting from the lowest. */
static bool write_faces(hull_storage *out, const polygons *all,
                        const uint8_t *number)
{
    uint16_t count = 0, corners = 0;

    for (int i = 0; i < all->face_count; i++) {
        const polygon *of = &all->faces[i];
        int lowest = 0;

        if (of->count == 0)
            continue;
        if (count == VSP_MAX_HULL || corners + of->count > 4 * VSP_MAX_HULL ||
            slack_of(all, of) > 1.5 * all->slack)
            return false;
        for (int k = 0; k < of->count; k++)
            if (number[of->corner[k]] < number[of->corner[lowest]])
                lowest = k;
        out->planes[count] = plane_of(all, of);
        out->first[count++] = corners;
        for (int k = 0; k < of->count; k++)
            out->corners[corners++] =
                number[of->corner[(lowest + k) % of->count]];
    }
    out->first[count] = corners;
    out->hull.face_count = count;
    out->hull.corner_count = corners;
    return true;
}

/* Writes the edges.  Each is a side of two faces, in opposite directions. */
static bool write_edges(hull_storage *out)
{
    int left_of[VSP_MAX_HULL][VSP_MAX_HULL];
    vsp_hull *hull = &out->hull;

    memset(left_of, 0xff, sizeof left_of);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < hull->face_count; i++) {
            int low = out->first[i], high = out->first[i + 1];

            for (int k = low; k < high; k++) {
                int tail = out->corners[k];
                int head = out->corners[k + 1 < high ? k + 1 : low];
                vsp_hull_edge edge = {(uint8_t)tail, (uint8_t)head, (uint8_t)i,
                                      0};

                if (pass == 0 && left_of[tail][head] >= 0)
                    return false;
                left_of[tail][head] = i;
                if (pass == 0 || left_of[head][tail] < i)
                    continue;
                edge.right = (uint8_t)left_of[head][tail];
                out->edges[hull->edge_count++] = edge;
            }
        }
    return hull->edge_count * 2 == hull->corner_count &&
           hull->vertex_count + hull->face_count == hull->edge_count + 2;
}

static bool write_bulk(hull_storage *out)
{
    vec3 points[VSP_MAX_HULL];
    uint32_t triangles[4 * VSP_MAX_HULL][3];
    size_t count = 0;

    for (int i = 0; i < out->hull.vertex_count; i++)
        points[i] = place_meters(out->vertices[i]);
    for (int i = 0; i < out->hull.face_count; i++)
        for (int k = out->first[i] + 1; k + 1 < out->first[i + 1]; k++) {
            triangles[count][0] = out->corners[out->first[i]];
            triangles[count][1] = out->corners[k];
            triangles[count++][2] = out->corners[k + 1];
        }
    return find_bulk(&out->hull.bulk, points, triangles, count);
}

/* height of a point over a plane, VSP_PLACE */
static double height_of(const vsp_plane *of, vsp_place at)
{
    vec3 n = vec_make(of->x, of->y, of->z);

    return vec_dot(n, place_vec(at)) / VSP_DIRECTION - (double)of->offset;
}

/* Whether each face and the centre span a volume: a sliver has no normal. */
static bool are_faces_large(const hull_storage *out)
{
    double volume = float_number(out->hull.bulk.volume);

    for (int i = 0; i < out->hull.face_count; i++) {
        const uint8_t *corner = out->corners + out->first[i];
        vec3 twice = vec_make(0, 0, 0);
        double depth = -height_of(&out->planes[i], out->hull.bulk.center);

        for (int k = 2; k < out->first[i + 1] - out->first[i]; k++)
            twice = vec_add(twice, place_direction(place_normal(
                                       out->vertices[corner[0]],
                                       out->vertices[corner[k - 1]],
                                       out->vertices[corner[k]])));
        if (vec_length(twice) / 6 * depth <
            MIN_PART * volume * VSP_PLACE * VSP_PLACE * VSP_PLACE)
            return false;
    }
    return true;
}

/* Makes the table of the grown hull.  Returns false if it does not fit. */
static bool write_table(hull_storage *out, const grower *it, polygons *all)
{
    uint8_t number[MAX_VERTICES] = {0};

    read_polygons(all, it);
    memset(out, 0, sizeof *out);
    out->hull.kind = VSP_TABLE_HULL;
    out->hull.vertices = out->vertices;
    out->hull.planes = out->planes;
    out->hull.first = out->first;
    out->hull.corners = out->corners;
    out->hull.edges = out->edges;
    return write_vertices(out, all, it->source, number) &&
           write_faces(out, all, number) && write_edges(out) &&
           write_bulk(out) && are_faces_large(out);
}

/* Builds the table of the first points of `order`, as many as fit. */
static bool fit_table(hull_storage *out, grower *it, const vsp_place *points,
                      const uint32_t *order, int count, double slack)
{
    polygons *all = malloc(sizeof *all);
    bool is_done = false;

    if (all)
        all->slack = slack;
    for (; all && count >= 4 && !is_done; count--) {
        grow_from(it, points, order);
        for (int i = 4; i < count; i++)
            grow_to(it, points, order[i]);
        is_done = write_table(out, it, all);
    }
    free(all);
    return is_done;
}

/* Returns the largest height of a point over a face, m. */
static double error_of(const hull_storage *out, const vsp_place *points,
                       size_t count)
{
    double worst = 0;

    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < out->hull.face_count; k++)
            worst = fmax(worst, height_of(&out->planes[k], points[i]));
    return worst / VSP_PLACE;
}

/* Whether the hull is at least 1 mm thick in the direction of each face. */
static bool is_thick(const hull_storage *out)
{
    for (int i = 0; i < out->hull.face_count; i++) {
        double deepest = 0;

        for (int k = 0; k < out->hull.vertex_count; k++)
            deepest = fmin(deepest,
                           height_of(&out->planes[i], out->vertices[k]));
        if (deepest > -MIN_THICK)
            return false;
    }
    return true;
}

static const char *build_table(hull_storage *out, const vsp_place *points,
                               size_t count, double tolerance)
{
    uint32_t order[MAX_VERTICES];
    double side = place_spread(points, count);
    double thick = choose_seeds(points, count, order);
    double slack = fmin(side * SLACK_OF_LENGTH, thick * SLACK_OF_WIDTH);
    grower *it;
    int chosen;
    bool is_done;

    if (thick < MIN_THICK)
        return flat;
    if (side < PLACE_LEAST)
        return "smaller than 5 mm";
    it = malloc(sizeof *it);
    if (!it)
        return out_of_memory;
    slack = fmax(slack, 2.0); /* at least the shift of a vertex by rounding */
    chosen = choose_points(it, points, count,
                           fmax(tolerance * VSP_PLACE, slack), order);
    is_done = fit_table(out, it, points, order, chosen, slack);
    free(it);
    if (!is_done)
        return "no hull of at most 64 vertices and 64 faces found";
    out->error = error_of(out, points, count);
    return is_thick(out) ? NULL : flat;
}

const char *hull_build(hull_storage *out, const vec3 *points, size_t count,
                       double tolerance)
{
    vsp_place *places;
    const char *error = NULL;

    if (count < 4)
        return "fewer than 4 points";
    if (count > UINT32_MAX)
        return "too many points";
    if (!(tolerance >= 0))
        return "the tolerance is not a length";
    places = malloc(count * sizeof *places);
    if (!places)
        return out_of_memory;
    for (size_t i = 0; i < count && !error; i++)
        if (!place_from(points[i], &places[i]))
            error = "a point is farther than 100 m from the origin";
    if (!error)
        error = build_table(out, places, count, tolerance);
    free(places);
    return error;
}

/* Sums tetrahedra about the first vertex. */
static double grown_volume(const grower *it)
{
    double sum = 0;

    for (int i = 0; i < it->alive_count; i++) {
        const face *of = &it->faces[it->alive[i]];

        sum -= vec_dot(place_direction(of->normal),
                       vec_sub(place_vec(it->vertices[0]),
                               place_vec(it->vertices[of->corner[0]])));
    }
    return sum / 6.0 / VSP_PLACE / VSP_PLACE / VSP_PLACE;
}

double hull_volume(const vec3 *points, size_t count)
{
    vsp_place *places = malloc((count + 1) * sizeof *places);
    grower *it = malloc(sizeof *it);
    uint32_t order[MAX_VERTICES];
    bool is_done = places && it && count >= 4;
    double volume = 0;

    for (size_t i = 0; i < count && is_done; i++)
        is_done = place_from(points[i], &places[i]);
    if (is_done && choose_seeds(places, count, order) >= 2.0 &&
        choose_points(it, places, count, 2.0, order) > 0)
        volume = grown_volume(it);
    free(places);
    free(it);
    return volume;
}


/* ---- Text ---------------------------------------------------------------- */

size_t hull_bytes(const vsp_hull *hull)
{
    return (size_t)hull->vertex_count * 12 + (size_t)hull->face_count * 18 + 2 +
           hull->corner_count + (size_t)hull->edge_count * 4 + 76;
}

static void write_hull_planes(table_text *text, const vsp_hull *hull)
{
    for (int i = 0; i < hull->face_count; i++)
        table_item(text, "{%ld, %ld, %ld, %ld}", (long)hull->planes[i].x,
                   (long)hull->planes[i].y, (long)hull->planes[i].z,
                   (long)hull->planes[i].offset);
}

static void write_hull_edges(table_text *text, const vsp_hull *hull)
{
    for (int i = 0; i < hull->edge_count; i++)
        table_item(text, "{%d, %d, %d, %d}", hull->edges[i].tail,
                   hull->edges[i].head, hull->edges[i].left,
                   hull->edges[i].right);
}

void hull_write_arrays(table_text *text, const vsp_hull *const *hulls,
                       size_t count)
{
    table_open(text, "vsp_place", "vertices");
    for (size_t i = 0; i < count; i++)
        table_place_items(text, hulls[i]->vertices, hulls[i]->vertex_count);
    table_close(text);
    table_open(text, "vsp_plane", "planes");
    for (size_t i = 0; i < count; i++)
        write_hull_planes(text, hulls[i]);
    table_close(text);
    table_open(text, "uint16_t", "first");
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k <= hulls[i]->face_count; k++)
            table_item(text, "%d", hulls[i]->first[k]);
    table_close(text);
    table_open(text, "uint8_t", "corners");
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < hulls[i]->corner_count; k++)
            table_item(text, "%d", hulls[i]->corners[k]);
    table_close(text);
    table_open(text, "vsp_hull_edge", "edges");
    for (size_t i = 0; i < count; i++)
        write_hull_edges(text, hulls[i]);
    table_close(text);
}

void hull_write(table_text *text, const table_origin *origin,
                const vsp_hull *hull)
{
    const char *name = origin->name;
    char what[120];

    snprintf(what, sizeof what, "hull: %d vertices, %d faces, %d edges",
             hull->vertex_count, hull->face_count, hull->edge_count);
    table_begin(text, origin, what, hull_bytes(hull));
    hull_write_arrays(text, &hull, 1);
    table_open_constant(text, "vsp_hull");
    table_item(text, "VSP_TABLE_HULL");
    table_item(text, "%d, %d, %d, %d", hull->vertex_count, hull->face_count,
               hull->edge_count, hull->corner_count);
    table_item(text, "%s_vertices", name);
    table_item(text, "%s_planes", name);
    table_item(text, "%s_first", name);
    table_item(text, "%s_corners", name);
    table_item(text, "%s_edges", name);
    table_bulk(text, &hull->bulk);
    table_end(text);
}
