/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shells, in this order: positions of corners; which triangles cross, in
 * integers; the table, with the tree of a mesh; text. */

#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_points.h"
#include "mass_properties.h"

#define MIN_WIDTH \
    (VSP_PLACE / 1000) /* least height of a triangle over its longest side */
#define MIN_RATIO 100  /* most ratio of the longest side to that height */
#define MARGIN 1e-12   /* for rounding errors */

static const char out_of_memory[] = "out of memory";


/* ---- Corners ------------------------------------------------------------- */

/* A triangle of the input, and the box around it. */
typedef struct facet {
    vsp_place corner[3];
    vsp_place low, high;
    size_t number;
} facet;

static bool read_facet(facet *out, const vec3 *points,
                       const uint32_t triangle[3])
{
    for (int k = 0; k < 3; k++)
        if (!place_from(points[triangle[k]], &out->corner[k]))
            return false;
    out->low = place_lower(out->corner[0],
                           place_lower(out->corner[1], out->corner[2]));
    out->high = place_higher(out->corner[0],
                             place_higher(out->corner[1], out->corner[2]));
    return true;
}

/* Whether a triangle is too thin for a world, which rounds the square of the
 * least height up.  MARGIN allows for the rounding of doubles. */
static bool is_thin(const facet *it)
{
    vec3 normal = place_direction(
        place_normal(it->corner[0], it->corner[1], it->corner[2]));
    double longest = 0, least;

    for (int k = 0; k < 3; k++) {
        vec3 side = vec_sub(place_vec(it->corner[k]),
                            place_vec(it->corner[(k + 1) % 3]));

        longest = fmax(longest, vec_dot(side, side));
    }
    least = fmax(ceil(longest / MIN_RATIO / MIN_RATIO),
                 (double)MIN_WIDTH * MIN_WIDTH);
    return !(vec_dot(normal, normal) > (1 + MARGIN) * least * longest);
}


/* ---- Crossings ----------------------------------------------------------- */

/* Returns the component of a normal along an axis. */
static int64_t part_of(place_cross n, int axis)
{
    return axis == 0 ? n.x : axis == 1 ? n.y : n.z;
}

static int sign_of(int64_t a)
{
    return (a > 0) - (a < 0);
}

/* Returns the orientation of three points of a plane, seen along an axis that
 * is not in the plane: 1 or -1, or 0 if they are on a line. */
static int turn_of(vsp_place a, vsp_place b, vsp_place c, int axis)
{
    return sign_of(part_of(place_normal(a, b, c), axis));
}

/* Returns the axis nearest to a normal. */
static int main_axis(place_cross n)
{
    int64_t x = llabs(n.x), y = llabs(n.y), z = llabs(n.z);

    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* Whether a segment in the plane of a triangle meets it: neither the segment's
 * line nor the line of a side separates the two. */
static bool meets_in_plane(vsp_place p, vsp_place q, const vsp_place corner[3],
                           int axis)
{
    int around = turn_of(corner[0], corner[1], corner[2], axis);
    int first = turn_of(p, q, corner[0], axis);

    if (first != 0 && turn_of(p, q, corner[1], axis) == first &&
        turn_of(p, q, corner[2], axis) == first)
        return false;
    for (int k = 0; k < 3; k++)
        if (turn_of(corner[k], corner[(k + 1) % 3], p, axis) == -around &&
            turn_of(corner[k], corner[(k + 1) % 3], q, axis) == -around)
            return false;
    return true;
}

/* Whether a segment meets a triangle. */
static bool segment_meets(vsp_place p, vsp_place q, const vsp_place corner[3])
{
    place_cross n = place_normal(corner[0], corner[1], corner[2]);
    int above = place_side(n, corner[0], p),
        below = place_side(n, corner[0], q);
    int sides[3];

    if (above == below)
        return above == 0 && meets_in_plane(p, q, corner, main_axis(n));
    for (int k = 0; k < 3; k++)
        sides[k] = place_side(place_normal(p, q, corner[k]), p,
                              corner[(k + 1) % 3]);
    return (sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0) ||
           (sides[0] <= 0 && sides[1] <= 0 && sides[2] <= 0);
}

static bool is_corner(const facet *it, vsp_place at)
{
    return place_is_same(it->corner[0], at) ||
           place_is_same(it->corner[1], at) || place_is_same(it->corner[2], at);
}

/* Whether a side of a meets b; a side with an end at a corner of b does not
 * count. */
static bool side_meets(const facet *a, const facet *b)
{
    for (int k = 0; k < 3; k++) {
        vsp_place p = a->corner[k], q = a->corner[(k + 1) % 3];

        if (!is_corner(b, p) && !is_corner(b, q) &&
            segment_meets(p, q, b->corner))
            return true;
    }
    return false;
}

/* Whether two triangles with a common edge cover each other.  The arguments are
 * their third corners. */
static bool lie_together(const facet *a, int other_a, vsp_place other_b)
{
    vsp_place p = a->corner[(other_a + 1) % 3];
    vsp_place q = a->corner[(other_a + 2) % 3];
    place_cross n = place_normal(p, q, a->corner[other_a]);
    int axis = main_axis(n);

    return place_side(n, p, other_b) == 0 &&
           turn_of(p, q, other_b, axis) == sign_of(part_of(n, axis));
}

/* Whether two triangles meet outside of their common corner or edge. */
static bool do_cross(const facet *a, const facet *b)
{
    int shared = 0, other_a = 0, other_b = 0;

    for (int k = 0; k < 3; k++) {
        shared += is_corner(b, a->corner[k]);
        if (!is_corner(b, a->corner[k]))
            other_a = k;
        if (!is_corner(a, b->corner[k]))
            other_b = k;
    }
    if (shared == 3)
        return true;
    if (shared == 2)
        return lie_together(a, other_a, b->corner[other_b]);
    return side_meets(a, b) || side_meets(b, a);
}

static bool are_boxes_apart(const facet *a, const facet *b)
{
    return a->low.y > b->high.y || b->low.y > a->high.y ||
           a->low.z > b->high.z || b->low.z > a->high.z;
}

static int compare_low(const void *first, const void *second)
{
    const facet *a = first, *b = second;

    if (a->low.x != b->low.x)
        return a->low.x < b->low.x ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}


/* ---- Errors -------------------------------------------------------------- */

static const char *blame_one(shell_storage *out, size_t number,
                             const char *error)
{
    out->bad_count = 1;
    out->bad[0] = number;
    return error;
}

/* Stores which two triangles an error is about, in the order of the input. */
static const char *blame_two(shell_storage *out, const facet *a, const facet *b,
                             const char *error)
{
    bool is_later = a->number > b->number;

    out->bad_count = 2;
    out->bad[0] = is_later ? b->number : a->number;
    out->bad[1] = is_later ? a->number : b->number;
    return error;
}

static const char *check_facet(shell_storage *out, facet *it,
                               const vec3 *points, size_t point_count,
                               const uint32_t triangle[3])
{
    for (int k = 0; k < 3; k++)
        if (triangle[k] >= point_count)
            return blame_one(out, it->number,
                             "a triangle has a corner that is no point");
    if (!read_facet(it, points, triangle))
        return blame_one(out, it->number,
                         "a point is farther than 100 m from the origin");
    if (is_thin(it))
        return blame_one(out, it->number,
                         "a triangle is thinner than 1 mm, or than a "
                         "hundredth of its longest side");
    return NULL;
}

/* Sorts the facets, and tests all pairs whose boxes overlap. */
static const char *check_pairs(shell_storage *out, facet *facets, size_t count)
{
    qsort(facets, count, sizeof *facets, compare_low);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && facets[k].low.x <= facets[i].high.x;
             k++) {
            const facet *a = &facets[i], *b = &facets[k];

            if (are_boxes_apart(a, b) || !do_cross(a, b))
                continue;
            return blame_two(out, a, b,
                             is_corner(a, b->corner[0]) &&
                                     is_corner(a, b->corner[1]) &&
                                     is_corner(a, b->corner[2])
                                 ? "a triangle is given twice"
                                 : "two triangles cross, or touch where they "
                                   "share no corner");
        }
    return NULL;
}

static const char *check_facets(shell_storage *out, const vec3 *points,
                                size_t point_count, uint32_t (*triangles)[3],
                                size_t count)
{
    facet *facets = malloc(count * sizeof *facets);
    const char *error = facets ? NULL : out_of_memory;

    for (size_t i = 0; i < count && !error; i++) {
        facets[i].number = i;
        error = check_facet(out, &facets[i], points, point_count, triangles[i]);
    }
    if (!error)
        error = check_pairs(out, facets, count);
    free(facets);
    return error;
}


/* ---- The table ----------------------------------------------------------- */

static uint16_t bit(int i)
{
    return (uint16_t)(1u << i);
}

/* Returns a mask of the corners that another triangle has too. */
static uint32_t shared_corners(const uint16_t of[3], const uint16_t other[3])
{
    uint32_t shared = 0;

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (of[i] == other[k])
                shared |= bit(i);
    return shared;
}

void shell_mark(const vsp_mesh *sheet, vsp_triangle *triangles)
{
    for (int i = 0; i < sheet->triangle_count; i++) {
        triangles[i].marks = 63;
        for (int j = 0; j < i && triangles[i].marks != 0; j++) {
            uint32_t shared = shared_corners(triangles[i].vertex,
                                             triangles[j].vertex);

            for (int k = 0; k < 3; k++) {
                uint32_t edge = (uint32_t)bit(k) | bit((k + 1) % 3);

                if (shared & bit(k))
                    triangles[i].marks &= (uint16_t)~bit(k);
                if ((shared & edge) == edge)
                    triangles[i].marks &= (uint16_t)~bit(3 + k);
            }
        }
    }
}

bool shell_weigh(vsp_shell *shell)
{
    const vsp_mesh *mesh = &shell->sheet;
    vec3 *points = malloc(mesh->vertex_count * sizeof *points);
    uint32_t(*triangles)[3] = malloc(mesh->triangle_count * sizeof *triangles);
    bool is_done = points && triangles;

    for (int i = 0; is_done && i < mesh->vertex_count; i++)
        points[i] = place_meters(mesh->vertices[i]);
    for (int i = 0; is_done && i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            triangles[i][k] = mesh->triangles[i].vertex[k];
    if (is_done) /* cannot fail: all triangles have an area, and are near */
        find_sheet_bulk(&shell->bulk, points, triangles, mesh->triangle_count);
    free(points);
    free(triangles);
    return is_done;
}

static const char *finish_shell(shell_storage *out)
{
    vsp_shell *shell = &out->shell;

    shell->sheet = out->sheet.mesh;
    shell->sheet.kind = VSP_TABLE_SHELL;
    if (shell->sheet.vertex_count > SHELL_MAX)
        return "more than 4096 vertices";
    if (shell->sheet.node_count > SHELL_MAX)
        return "more than 4096 nodes: allow more triangles in a leaf";
    shell_mark(&shell->sheet, out->sheet.triangles);
    return shell_weigh(shell) ? NULL : out_of_memory;
}

const char *shell_build(shell_storage *out, const vec3 *points,
                        size_t point_count, uint32_t (*triangles)[3],
                        size_t triangle_count, int leaf)
{
    const char *error;

    memset(out, 0, sizeof *out);
    if (triangle_count == 0)
        return "no triangle";
    if (triangle_count > SHELL_MAX)
        return "more than 4096 triangles";
    error = check_facets(out, points, point_count, triangles, triangle_count);
    if (!error)
        error = mesh_build(&out->sheet, points, point_count, triangles,
                           triangle_count, leaf);
    if (!error)
        error = finish_shell(out);
    if (error) {
        mesh_free(&out->sheet);
        memset(&out->shell, 0, sizeof out->shell);
    }
    return error;
}

void shell_free(shell_storage *shell)
{
    mesh_free(&shell->sheet);
    memset(shell, 0, sizeof *shell);
}


/* ---- Text ---------------------------------------------------------------- */

size_t shell_bytes(const vsp_shell *shell)
{
    return mesh_bytes(&shell->sheet) + 40;
}

void shell_write(table_text *text, const table_origin *origin,
                 const vsp_shell *shell)
{
    const vsp_mesh *sheet = &shell->sheet;
    char what[120];

    snprintf(what, sizeof what, "shell: %d vertices, %d triangles, %d nodes",
             sheet->vertex_count, sheet->triangle_count, sheet->node_count);
    table_begin(text, origin, what, shell_bytes(shell));
    mesh_write_arrays(text, sheet);
    table_open_constant(text, "vsp_shell");
    mesh_write_constant(text, "{VSP_TABLE_SHELL", sheet, "}");
    table_bulk(text, &shell->bulk);
    table_end(text);
}
