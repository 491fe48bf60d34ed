/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Reading a world by vsp_world_draw, and how its triangles meet: a surface is
 * curved where two meet at a small angle, and has an edge where they meet at a
 * large one, or where there is just one. */

#include "drawing.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_COSINE 0.8 /* of the angle between faces of a curved surface */
#define SQUARE                                                     \
    93.0713 /* m: half a side of what half-spaces are drawn as; no \
             * body is likely to have this size */
#define SAME_POINT                                           \
    1e-6 /* m: points are the same if they round to the same \
          * multiples of this */


/* ---- Triangles and lines ------------------------------------------------ */

/* Screens show about the square root of a value. */
vec3 colour_from_display(double red, double green, double blue)
{
    return vec_make(red * red, green * green, blue * blue);
}

/* Returns the parts of 0xRRGGBB, 0 to 255. */
static vec3 color_parts(uint32_t color)
{
    return vec_make(color >> 16 & 255u, color >> 8 & 255u, color & 255u);
}

/* Returns an array with room for one item more; null if memory runs out. */
static void *grow(void *items, int count, int *room, size_t size)
{
    void *larger;

    if (count < *room)
        return items;
    larger = realloc(items, 2 * ((size_t)*room + 512) * size);
    if (larger)
        *room = 2 * (*room + 512);
    return larger;
}

static bool is_square_side(vec3 a, vec3 b)
{
    return fabs(vec_length(vec_sub(a, b)) - 2.0 * SQUARE) < 1e-3;
}

/* Whether a triangle is half of the square of a half-space: then a square side
 * ends at its second corner or, in the other half, begins at its last one. */
static bool is_ground(const vec3 at[3])
{
    return (is_square_side(at[0], at[1]) && is_square_side(at[1], at[2])) ||
           (is_square_side(at[1], at[2]) && is_square_side(at[2], at[0]));
}

static void keep_ground(drawing *it, const vec3 at[3], vec3 normal)
{
    if (it->has_ground)
        return;
    it->has_ground = true;
    it->ground = at[0];
    it->ground_axes[0] = vec_unit(vec_sub(at[2], at[1]));
    it->ground_axes[1] = normal;
    it->ground_axes[2] = vec_cross(it->ground_axes[0], normal);
}

static void put_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                         uint32_t color)
{
    drawing *it = user;
    vec3 at[3] = {vec_from(a), vec_from(b), vec_from(c)};
    vec3 n = vec_cross(vec_sub(at[1], at[0]), vec_sub(at[2], at[0]));
    vec3 tint = vec_scale(color_parts(color), 1.0 / 255.0);
    face *faces, *last;

    if (vec_length(n) < 1e-12)
        return;
    if (is_ground(at)) {
        keep_ground(it, at, vec_unit(n));
        return;
    }
    faces = grow(it->faces, it->face_count, &it->face_room, sizeof *faces);
    it->is_full = it->is_full || !faces;
    if (!faces)
        return;
    it->faces = faces;
    last = &faces[it->face_count++];
    memcpy(last->at, at, sizeof at);
    last->flat = n; /* its length is twice the area, until faces have met */
    last->tint = colour_from_display(tint.x, tint.y, tint.z);
    last->is_curved = false;
}

static void put_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    drawing *it = user;
    drawn_line *lines = grow(it->lines, it->line_count, &it->line_room,
                             sizeof *lines);

    it->is_full = it->is_full || !lines;
    if (!lines)
        return;
    it->lines = lines;
    lines[it->line_count].a = vec_from(a);
    lines[it->line_count].b = vec_from(b);
    lines[it->line_count++].tint = color_parts(color);
}


/* ---- How faces meet ------------------------------------------------------ */

/* The corners of all faces, numbered 3 * face + corner, in lists of those that
 * may be at the same point. */
typedef struct corner_map {
    int *first; /* of each list; -1: empty */
    int *next;
    uint32_t mask; /* one less than the number of lists, a power of two */
} corner_map;

static double rounded(double a)
{
    return floor(a / SAME_POINT + 0.5);
}

static uint32_t hash_point(vec3 p)
{
    const int64_t parts[3] = {(int64_t)rounded(p.x), (int64_t)rounded(p.y),
                              (int64_t)rounded(p.z)};
    uint32_t hash = 2166136261u;

    for (int i = 0; i < 3; i++)
        hash = (hash ^ (uint32_t)parts[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static bool is_same_point(vec3 a, vec3 b)
{
    return rounded(a.x) == rounded(b.x) && rounded(a.y) == rounded(b.y) &&
           rounded(a.z) == rounded(b.z);
}

static bool map_corners(corner_map *map, const face *faces, int count)
{
    map->mask = 1023;
    while (map->mask < (uint32_t)count * 3u)
        map->mask = 2 * map->mask + 1;
    map->first = malloc(((size_t)map->mask + 1) * sizeof *map->first);
    map->next = malloc(((size_t)count * 3 + 1) * sizeof *map->next);
    if (!map->first || !map->next)
        return false;
    for (uint32_t i = 0; i <= map->mask; i++)
        map->first[i] = -1;
    for (int i = 0; i < 3 * count; i++) {
        int *list = &map->first[hash_point(faces[i / 3].at[i % 3]) & map->mask];

        map->next[i] = *list;
        *list = i;
    }
    return true;
}

/* Returns the cosine of the angle between the normals of two faces. */
static double face_cosine(const face *a, const face *b)
{
    return vec_dot(a->flat, b->flat) /
           (vec_length(a->flat) * vec_length(b->flat));
}

/* Whether a face with its corner at a point has a side from there to b. */
static bool has_side(const face *it, int corner, vec3 b)
{
    return is_same_point(it->at[(corner + 1) % 3], b) ||
           is_same_point(it->at[(corner + 2) % 3], b);
}

/* Computes the normal at a corner of a face, and finds the face across the side
 * after it.  Of faces of other shapes at the same points, those of its own
 * shape are the nearest in number. */
static void meet_faces(const corner_map *map, face *faces, int face_number,
                       int corner)
{
    face *it = &faces[face_number];
    vec3 a = it->at[corner], b = it->at[(corner + 1) % 3];
    vec3 sum = vec_make(0.0, 0.0, 0.0);
    int nearest = -1;

    for (int i = map->first[hash_point(a) & map->mask]; i >= 0;
         i = map->next[i]) {
        const face *other = &faces[i / 3];

        if (!is_same_point(other->at[i % 3], a))
            continue;
        if (face_cosine(it, other) > LEAST_COSINE)
            sum = vec_add(sum, other->flat);
        if (i / 3 != face_number && has_side(other, i % 3, b) &&
            (nearest < 0 ||
             abs(i / 3 - face_number) < abs(nearest - face_number)))
            nearest = i / 3;
    }
    it->normal[corner] = vec_unit(sum);
    it->beside[corner] = nearest;
    it->is_edge[corner] = nearest < 0 ||
                          face_cosine(it, &faces[nearest]) < LEAST_COSINE;
}

static void end_face(face *it)
{
    it->flat = vec_unit(it->flat);
    for (int i = 0; i < 3; i++)
        it->is_curved = it->is_curved ||
                        vec_dot(it->flat, it->normal[i]) < 0.9999;
}

static bool join_faces(face *faces, int count)
{
    corner_map map;
    bool has_memory = map_corners(&map, faces, count);

    for (int i = 0; has_memory && i < 3 * count; i++)
        meet_faces(&map, faces, i / 3, i % 3);
    for (int i = 0; has_memory && i < count; i++)
        end_face(&faces[i]);
    free(map.first);
    free(map.next);
    return has_memory;
}


/* ---- A world ------------------------------------------------------------- */

/* Returns segments of circles, fewer where round shapes are many and small. */
static uint32_t circle_segments(uint32_t shapes)
{
    return shapes < 100 ? 64 : shapes < 600 ? 32 : 16;
}

bool drawing_read(drawing *it, const vsp_world *world, uint32_t parts,
                  double size)
{
    uint32_t shapes = vsp_world_stats(world).shape_count;
    vsp_draw draw;

    memset(it, 0, sizeof *it);
    memset(&draw, 0, sizeof draw);
    draw.line = put_line;
    draw.triangle = put_triangle;
    draw.user = it;
    draw.parts = parts;
    draw.segments = circle_segments(shapes);
    draw.cells = shapes < 10 ? 262144 : 16384;
    draw.size = vsp_from_double(fmin(fmax(0.008 * size, 0.005), 1.0));
    draw.plane = vsp_from_double(SQUARE);
    return vsp_world_draw(world, &draw) == VSP_OK && !it->is_full &&
           join_faces(it->faces, it->face_count);
}

void drawing_free(drawing *it)
{
    free(it->faces);
    free(it->lines);
}
