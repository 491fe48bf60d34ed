/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The nearest point of a triangle; a tree over triangles; crossings of lines
 * with them, which separate inside from outside; whether triangles are
 * closed. */

#include "mesh_distance.h"

#include <stdlib.h>
#include <string.h>

#define LEAF 4u


/* ---- One triangle ------------------------------------------------------- */

static vec3 nearest_of_edge(vec3 p, vec3 a, vec3 b)
{
    vec3 way = vec_sub(b, a);
    double square = vec_dot(way, way);
    double t = square > 0 ? vec_dot(vec_sub(p, a), way) / square : 0.0;

    return vec_mad(a, fmin(fmax(t, 0.0), 1.0), way);
}

static double square_between(vec3 a, vec3 b)
{
    vec3 d = vec_sub(a, b);

    return vec_dot(d, d);
}

/* Returns the nearest point of a triangle: the foot of p on its plane if that
 * is within its sides, else the nearest point of a side. */
static vec3 nearest_of_triangle(vec3 p, const vec3 *c)
{
    vec3 normal = vec_cross(vec_sub(c[1], c[0]), vec_sub(c[2], c[0]));
    double square = vec_dot(normal, normal);
    vec3 best = c[0];
    bool is_over = square > 0;

    for (int i = 0; i < 3 && is_over; i++) {
        vec3 side = vec_sub(c[(i + 1) % 3], c[i]);

        is_over = vec_dot(vec_cross(side, vec_sub(p, c[i])), normal) >= 0;
    }
    if (is_over)
        return vec_mad(p, -vec_dot(vec_sub(p, c[0]), normal) / square, normal);
    for (int i = 0; i < 3; i++) {
        vec3 q = nearest_of_edge(p, c[i], c[(i + 1) % 3]);

        if (square_between(p, q) < square_between(p, best))
            best = q;
    }
    return best;
}

static void corners_of(const distance_mesh *mesh, uint32_t triangle, vec3 *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = mesh->points[mesh->triangles[triangle][i]];
}


/* ---- Tree --------------------------------------------------------------- */

static double part_of(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double middle_of(const distance_mesh *mesh, uint32_t triangle, int axis)
{
    vec3 c[3];

    corners_of(mesh, triangle, c);
    return part_of(c[0], axis) + part_of(c[1], axis) + part_of(c[2], axis);
}

/* Partially sorts an interval of triangles along an axis, so that its middle
 * one separates it. */
static void halve_triangles(const distance_mesh *mesh, uint32_t first,
                            uint32_t count, int axis)
{
    uint32_t *order = mesh->order, goal = first + count / 2;
    uint32_t low = first, high = first + count - 1;

    while (low < high) {
        double pivot = middle_of(mesh, order[(low + high) / 2], axis);
        uint32_t i = low, j = high;

        for (;;) {
            uint32_t swap;

            while (middle_of(mesh, order[i], axis) < pivot)
                i++;
            while (pivot < middle_of(mesh, order[j], axis))
                j--;
            if (i >= j)
                break;
            swap = order[i];
            order[i++] = order[j];
            order[j--] = swap;
        }
        if (goal <= j)
            high = j;
        else
            low = j + 1;
    }
}

static void build_nodes(distance_mesh *mesh, uint32_t first, uint32_t count)
{
    distance_node *node = &mesh->nodes[mesh->node_count++];
    vec3 c[3], size;

    corners_of(mesh, mesh->order[first], c);
    node->low = node->high = c[0];
    for (uint32_t i = 0; i < count; i++) {
        corners_of(mesh, mesh->order[first + i], c);
        for (int k = 0; k < 3; k++) {
            node->low = vec_min(node->low, c[k]);
            node->high = vec_max(node->high, c[k]);
        }
    }
    node->first = first;
    node->count = count <= LEAF ? count : 0;
    if (count > LEAF) {
        size = vec_sub(node->high, node->low);
        halve_triangles(mesh, first, count,
                        size.x >= size.y && size.x >= size.z ? 0
                        : size.y >= size.z                   ? 1
                                                             : 2);
        build_nodes(mesh, first, count / 2);
        build_nodes(mesh, first + count / 2, count - count / 2);
    }
    node->next = mesh->node_count;
}

bool distance_begin(distance_mesh *mesh, const vec3 *points,
                    uint32_t (*triangles)[3], size_t count)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->points = points;
    mesh->triangles = triangles;
    mesh->count = (uint32_t)count;
    mesh->order = malloc((count + 1) * sizeof *mesh->order);
    mesh->nodes = malloc((2 * count + 1) * sizeof *mesh->nodes);
    if (!mesh->order || !mesh->nodes) {
        distance_free(mesh);
        return false;
    }
    for (uint32_t i = 0; i < mesh->count; i++)
        mesh->order[i] = i;
    if (count > 0)
        build_nodes(mesh, 0, mesh->count);
    return true;
}

void distance_free(distance_mesh *mesh)
{
    free(mesh->order);
    free(mesh->nodes);
    memset(mesh, 0, sizeof *mesh);
}

double distance_from(const distance_mesh *mesh, vec3 point, double limit,
                     vec3 *nearest)
{
    double best = limit * limit;
    uint32_t i = 0;

    *nearest = point;
    while (i < mesh->node_count) {
        const distance_node *node = &mesh->nodes[i];
        vec3 in = vec_min(vec_max(point, node->low), node->high);

        if (square_between(point, in) > best) {
            i = node->next;
            continue;
        }
        for (uint32_t k = 0; k < node->count; k++) {
            vec3 c[3], q;

            corners_of(mesh, mesh->order[node->first + k], c);
            q = nearest_of_triangle(point, c);
            if (square_between(point, q) < best) {
                best = square_between(point, q);
                *nearest = q;
            }
        }
        i++;
    }
    return sqrt(best);
}


/* ---- Inside -------------------------------------------------------------
 * A line along x crosses a triangle if its y and z are within the triangle.
 * Two triangles agree about a common side, so no crossing is missed.  Lines run
 * a little beside their points, to miss corners and sides. */

#define BESIDE_Y 1.370421e-9 /* m */
#define BESIDE_Z 2.718553e-9

/* Returns twice the signed area of a, b and the line in the yz plane; equal,
 * but for the sign, for both triangles of a side. */
static double turn_of(vec3 a, vec3 b, double y, double z)
{
    bool is_swapped = a.y > b.y || (a.y == b.y && a.z > b.z);
    vec3 p = is_swapped ? b : a, q = is_swapped ? a : b;
    double area = (q.y - p.y) * (z - p.z) - (q.z - p.z) * (y - p.y);

    return is_swapped ? -area : area;
}

/* Returns 1 if a line leaves through a triangle, -1 if it enters, at *x; 0 if
 * it does neither. */
static int crossing(const vec3 *c, double y, double z, double *x)
{
    double u = turn_of(c[1], c[2], y, z), v = turn_of(c[2], c[0], y, z);
    double w = turn_of(c[0], c[1], y, z), sum = u + v + w;

    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
        return 0;
    if (!(sum > 0 || sum < 0))
        return 0;
    *x = (u * c[0].x + v * c[1].x + w * c[2].x) / sum;
    return sum > 0 ? 1 : -1;
}

void distance_wind(const distance_mesh *mesh, vec3 low, double step,
                   uint32_t count, int32_t *windings)
{
    uint32_t i = 0;

    low.y += BESIDE_Y;
    low.z += BESIDE_Z;
    while (i < mesh->node_count) {
        const distance_node *node = &mesh->nodes[i];

        if (low.y < node->low.y || low.y > node->high.y ||
            low.z < node->low.z || low.z > node->high.z ||
            low.x > node->high.x) {
            i = node->next;
            continue;
        }
        for (uint32_t k = 0; k < node->count; k++) {
            vec3 c[3];
            double x = 0;
            int way;

            corners_of(mesh, mesh->order[node->first + k], c);
            way = crossing(c, low.y, low.z, &x);
            for (uint32_t n = 0; n < count && way != 0; n++)
                if (low.x + n * step < x)
                    windings[n] += way;
        }
        i++;
    }
}

double distance_signed(const distance_mesh *mesh, vec3 point, vec3 *nearest)
{
    double distance = distance_from(mesh, point, 1e6, nearest);
    int32_t winding = 0;

    distance_wind(mesh, point, 0.0, 1, &winding);
    return winding > 0 ? -distance : distance;
}


/* ---- Closed ------------------------------------------------------------- */

typedef struct numbered_point {
    vec3 at;
    uint32_t number;
} numbered_point;

static int compare_points(const void *a, const void *b)
{
    const numbered_point *p = a, *q = b;

    if (p->at.x != q->at.x)
        return p->at.x < q->at.x ? -1 : 1;
    if (p->at.y != q->at.y)
        return p->at.y < q->at.y ? -1 : 1;
    if (p->at.z != q->at.z)
        return p->at.z < q->at.z ? -1 : 1;
    return 0;
}

typedef struct side {
    uint32_t low, high;
    int way;
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *p = a, *q = b;

    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return p->high < q->high ? -1 : p->high > q->high;
}

/* Gives points at the same position the same number. */
static void number_points(const vec3 *points, size_t count,
                          numbered_point *room, uint32_t *numbers)
{
    for (size_t i = 0; i < count; i++) {
        room[i].at = points[i];
        room[i].number = (uint32_t)i;
    }
    qsort(room, count, sizeof *room, compare_points);
    for (size_t i = 0; i < count; i++)
        numbers[room[i].number] = i > 0 && compare_points(&room[i - 1],
                                                          &room[i]) == 0
                                      ? numbers[room[i - 1].number]
                                      : room[i].number;
}

static size_t count_unpaired(const side *sides, size_t count)
{
    size_t open = 0;

    for (size_t i = 0; i < count;) {
        size_t k = i;
        int sum = 0;

        for (; k < count && compare_sides(&sides[i], &sides[k]) == 0; k++)
            sum += sides[k].way;
        if (sides[i].low != sides[i].high)
            open += (size_t)abs(sum);
        i = k;
    }
    return open;
}

size_t distance_count_open(const vec3 *points, size_t point_count,
                           uint32_t (*triangles)[3], size_t count)
{
    numbered_point *room = malloc((point_count + 1) * sizeof *room);
    uint32_t *numbers = malloc((point_count + 1) * sizeof *numbers);
    side *sides = malloc((3 * count + 1) * sizeof *sides);
    size_t open = 3 * count;

    if (room && numbers && sides) {
        number_points(points, point_count, room, numbers);
        for (size_t i = 0; i < 3 * count; i++) {
            uint32_t a = numbers[triangles[i / 3][i % 3]];
            uint32_t b = numbers[triangles[i / 3][(i + 1) % 3]];

            sides[i].low = a < b ? a : b;
            sides[i].high = a < b ? b : a;
            sides[i].way = a < b ? 1 : -1;
        }
        qsort(sides, 3 * count, sizeof *sides, compare_sides);
        open = count_unpaired(sides, 3 * count);
    }
    free(room);
    free(numbers);
    free(sides);
    return open;
}
