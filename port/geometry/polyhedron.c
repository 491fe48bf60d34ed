/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Closed solids: memory, reading, twins, cuts, parts, volume, dents.  A cut
 * decides once for each point on which side it is, so a closed solid stays
 * closed under rounding.  Uses only sums, products and roots, so that solids
 * are equal everywhere. */

#include "polyhedron.h"

#include <stdlib.h>
#include <string.h>

#include "exact_points.h"

#define NONE UINT32_MAX
#define ON_PLANE 1e-7 /* m */

static const char out_of_memory[] = "out of memory";


/* ---- Memory -------------------------------------------------------------- */

void poly_free(polyhedron *it)
{
    free(it->points);
    free(it->sides);
    free(it->faces);
    memset(it, 0, sizeof *it);
}

static bool make_poly_room(polyhedron *it, size_t points, size_t sides,
                           size_t faces)
{
    memset(it, 0, sizeof *it);
    it->points = malloc((points + 1) * sizeof *it->points);
    it->sides = malloc((sides + 1) * sizeof *it->sides);
    it->faces = malloc((faces + 1) * sizeof *it->faces);
    if (it->points && it->sides && it->faces)
        return true;
    poly_free(it);
    it->is_lost = true;
    return false;
}

static void put_side(polyhedron *it, uint32_t tail, uint32_t head,
                     uint32_t face)
{
    poly_side side = {tail, head, face};

    it->sides[it->side_count++] = side;
}

static void put_face(polyhedron *it, vec3 normal, int32_t cut)
{
    poly_face face = {normal, cut};

    it->faces[it->face_count++] = face;
}

static vec3 unit_or_zero(vec3 a)
{
    double length = vec_length(a);

    return length > 0 ? vec_scale(a, 1.0 / length) : a;
}


/* ---- Twins --------------------------------------------------------------- */

/* A side by its two ends.  Sorting puts twins next to each other, first all
 * sides that go from low to high. */
typedef struct twin_key {
    uint32_t low, high, side;
    bool is_down;
} twin_key;

static int order_of(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_twins(const void *left, const void *right)
{
    const twin_key *a = left, *b = right;

    if (a->low != b->low)
        return order_of(a->low, b->low);
    if (a->high != b->high)
        return order_of(a->high, b->high);
    if (a->is_down != b->is_down)
        return a->is_down ? 1 : -1;
    return order_of(a->side, b->side);
}

static twin_key twin_key_of(const poly_side *sides, uint32_t side)
{
    uint32_t tail = sides[side].tail, head = sides[side].head;
    twin_key key = {tail < head ? tail : head, tail < head ? head : tail, side,
                    tail > head};

    return key;
}

/* Returns how many keys, from the first on, have the first one's ends. */
static size_t count_twins(const twin_key *keys, size_t count)
{
    size_t same = 1;

    while (same < count && keys[same].low == keys[0].low &&
           keys[same].high == keys[0].high)
        same++;
    return same;
}

/* Returns the sides sorted so that in each run of 2 n sides with the same ends
 * the twins of the first n follow n places behind.  Null: no memory. */
static twin_key *sort_twins(const polyhedron *of)
{
    twin_key *keys = malloc((of->side_count + 1) * sizeof *keys);

    for (size_t i = 0; keys && i < of->side_count; i++)
        keys[i] = twin_key_of(of->sides, (uint32_t)i);
    if (keys)
        qsort(keys, of->side_count, sizeof *keys, compare_twins);
    return keys;
}


/* ---- Reading ------------------------------------------------------------- */

typedef struct numbered_place {
    vsp_place place;
    uint32_t number;
} numbered_place;

static int compare_numbered(const void *left, const void *right)
{
    const numbered_place *a = left, *b = right;

    if (a->place.x != b->place.x)
        return a->place.x < b->place.x ? -1 : 1;
    if (a->place.y != b->place.y)
        return a->place.y < b->place.y ? -1 : 1;
    if (a->place.z != b->place.z)
        return a->place.z < b->place.z ? -1 : 1;
    return order_of(a->number, b->number);
}

/* Rounds points, so that last places, which differ between machines, do not
 * matter; writes the new number of each point. */
static const char *read_places(polyhedron *out, const vec3 *points,
                               size_t count, uint32_t *numbers)
{
    numbered_place *all = malloc((count + 1) * sizeof *all);
    const char *error = all ? NULL : out_of_memory;

    for (size_t i = 0; i < count && !error; i++) {
        all[i].number = (uint32_t)i;
        if (!place_from(points[i], &all[i].place))
            error = "a point is farther than 100 m from the origin";
    }
    if (!error)
        qsort(all, count, sizeof *all, compare_numbered);
    for (size_t i = 0; i < count && !error; i++) {
        if (i == 0 || !place_is_same(all[i].place, all[i - 1].place))
            out->points[out->point_count++] = place_meters(all[i].place);
        numbers[all[i].number] = (uint32_t)out->point_count - 1;
    }
    free(all);
    return error;
}

/* Adds a triangle, unless two of its corners became one. */
static void read_triangle(polyhedron *out, const uint32_t *corner,
                          const uint32_t *numbers)
{
    uint32_t c[3] = {numbers[corner[0]], numbers[corner[1]],
                     numbers[corner[2]]};
    const vec3 *p = out->points;
    uint32_t face = (uint32_t)out->face_count;

    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
        return;
    put_face(out,
             unit_or_zero(vec_cross(vec_sub(p[c[1]], p[c[0]]),
                                    vec_sub(p[c[2]], p[c[0]]))),
             POLY_SURFACE);
    for (int i = 0; i < 3; i++)
        put_side(out, c[i], c[(i + 1) % 3], face);
}

/* Checks that between any two points as many sides go in one direction as in
 * the other. */
static const char *find_gap(const polyhedron *of)
{
    twin_key *keys = sort_twins(of);
    const char *error = keys ? NULL : out_of_memory;
    size_t same;

    for (size_t i = 0; i < of->side_count && !error; i += same) {
        size_t down = 0;

        same = count_twins(keys + i, of->side_count - i);
        for (size_t k = 0; k < same; k++)
            down += keys[i + k].is_down;
        if (2 * down != same)
            error = "not closed: a side of a triangle has no triangle on its "
                    "other side, or one that is turned over";
    }
    free(keys);
    return error;
}

const char *poly_read(polyhedron *out, const vec3 *points, size_t point_count,
                      uint32_t (*triangles)[3], size_t count)
{
    uint32_t *numbers = malloc((point_count + 1) * sizeof *numbers);
    const char *error = numbers ? NULL : out_of_memory;

    memset(out, 0, sizeof *out);
    if (!error && count == 0)
        error = "no triangle";
    if (!error && !make_poly_room(out, point_count, 3 * count, count))
        error = out_of_memory;
    if (!error)
        error = read_places(out, points, point_count, numbers);
    for (size_t i = 0; i < count && !error; i++)
        read_triangle(out, triangles[i], numbers);
    if (!error)
        error = find_gap(out);
    if (!error && !(poly_volume(out, NULL) > 0))
        error = "no volume: flat, or inside out";
    free(numbers);
    if (error)
        poly_free(out);
    return error;
}


/* ---- Cuts ---------------------------------------------------------------- */

/* A side that goes from below the plane to above it, or back. */
typedef struct plane_crossing {
    uint32_t face;
    bool is_back;
    double along; /* position along the line where plane and face intersect */
    uint32_t point;
} plane_crossing;

typedef struct cutter {
    polyhedron *out;
    const polyhedron *of;
    const cut_plane *plane;
    double *heights;   /* height of each point over the plane */
    uint32_t *numbers; /* index in out of each point below the plane */
    uint32_t *faces;   /* index in out of each face */
    uint32_t *points;  /* index in out of the point of each crossing side */
    plane_crossing *crossings;
    size_t count;
} cutter;

static bool is_under(const cutter *it, uint32_t point)
{
    return it->heights[point] < 0;
}

static bool is_crossing(const cutter *it, uint32_t side)
{
    return is_under(it, it->of->sides[side].tail) !=
           is_under(it, it->of->sides[side].head);
}

static void sort_points(cutter *it)
{
    for (size_t i = 0; i < it->of->point_count; i++) {
        double height = vec_dot(it->plane->normal, it->of->points[i]) -
                        it->plane->offset;

        it->heights[i] = fabs(height) < ON_PLANE ? 0 : height;
        it->numbers[i] = NONE;
        if (is_under(it, (uint32_t)i)) {
            it->numbers[i] = (uint32_t)it->out->point_count;
            it->out->points[it->out->point_count++] = it->of->points[i];
        }
    }
}

/* Returns the point where the plane meets the line from a, below it, to b, so
 * that both directions of a side get the same point. */
static vec3 point_between(const cutter *it, uint32_t a, uint32_t b)
{
    double low = it->heights[a], high = it->heights[b];
    vec3 from = it->of->points[a], to = it->of->points[b];

    if (high <= 0)
        return to;
    return vec_mad(from, low / (low - high), vec_sub(to, from));
}

/* Adds a point for each pair of twins that crosses the plane. */
static bool put_crossing_points(cutter *it)
{
    twin_key *keys = sort_twins(it->of);
    size_t same;

    for (size_t i = 0; keys && i < it->of->side_count; i += same) {
        same = count_twins(keys + i, it->of->side_count - i);
        if (!is_crossing(it, keys[i].side))
            continue;
        for (size_t k = 0; k < same / 2; k++) {
            uint32_t a = keys[i].low, b = keys[i].high;

            it->points[keys[i + k].side] = (uint32_t)it->out->point_count;
            it->points[keys[i + k + same / 2].side] = (uint32_t)
                                                          it->out->point_count;
            it->out->points[it->out->point_count++] = is_under(it, a)
                                                          ? point_between(it, a,
                                                                          b)
                                                          : point_between(it, b,
                                                                          a);
        }
    }
    free(keys);
    return keys != NULL;
}

/* Returns the number of a face in out, which gets it if needed. */
static uint32_t keep_face(cutter *it, uint32_t face)
{
    if (it->faces[face] == NONE) {
        it->faces[face] = (uint32_t)it->out->face_count;
        put_face(it->out, it->of->faces[face].normal, it->of->faces[face].cut);
    }
    return it->faces[face];
}

static void keep_side(cutter *it, uint32_t index)
{
    const poly_side *side = &it->of->sides[index];
    uint32_t tail = it->numbers[side->tail], head = it->numbers[side->head];
    plane_crossing *added = &it->crossings[it->count];

    if (tail == NONE && head == NONE)
        return;
    if (is_crossing(it, index)) {
        vec3 line = vec_cross(it->of->faces[side->face].normal,
                              it->plane->normal);

        added->face = keep_face(it, side->face);
        added->is_back = tail == NONE;
        added->point = it->points[index];
        added->along = vec_dot(line, it->out->points[added->point]);
        it->count++;
        if (tail == NONE)
            tail = added->point;
        else
            head = added->point;
    }
    put_side(it->out, tail, head, keep_face(it, side->face));
}

static int compare_crossings(const void *left, const void *right)
{
    const plane_crossing *a = left, *b = right;

    if (a->face != b->face)
        return order_of(a->face, b->face);
    if (a->is_back != b->is_back)
        return a->is_back ? 1 : -1;
    if (a->along < b->along || a->along > b->along)
        return a->along < b->along ? -1 : 1;
    return order_of(a->point, b->point);
}

/* Closes the outlines of the cut faces, and adds the face of the cut from the
 * opposite sides.  Along its line a face is left and entered in turn. */
static void close_faces(cutter *it, int32_t cut)
{
    uint32_t lid = (uint32_t)it->out->face_count;
    size_t same;

    if (it->count > 0)
        put_face(it->out, it->plane->normal, cut);
    qsort(it->crossings, it->count, sizeof *it->crossings, compare_crossings);
    for (size_t i = 0; i < it->count; i += same) {
        const plane_crossing *first = &it->crossings[i];

        for (same = 1; i + same < it->count && first[same].face == first->face;)
            same++;
        for (size_t k = 0; k < same / 2; k++) {
            uint32_t from = first[k].point, to = first[k + same / 2].point;

            put_side(it->out, from, to, first->face);
            put_side(it->out, to, from, lid);
        }
    }
}

void poly_cut(polyhedron *out, const polyhedron *of, const cut_plane *plane,
              int32_t cut)
{
    size_t sides = of->side_count;
    cutter it = {out, of, plane, NULL, NULL, NULL, NULL, NULL, 0};

    if (!make_poly_room(out, of->point_count + sides, 3 * sides,
                        of->face_count + 1))
        return;
    it.heights = malloc((of->point_count + 1) * sizeof *it.heights);
    it.numbers = malloc((of->point_count + 1) * sizeof *it.numbers);
    it.faces = malloc((of->face_count + 1) * sizeof *it.faces);
    it.points = malloc((sides + 1) * sizeof *it.points);
    it.crossings = malloc((sides + 1) * sizeof *it.crossings);
    out->is_lost = !it.heights || !it.numbers || !it.faces || !it.points ||
                   !it.crossings;
    if (!out->is_lost) {
        memset(it.faces, 0xff, of->face_count * sizeof *it.faces);
        sort_points(&it);
        out->is_lost = !put_crossing_points(&it);
    }
    for (size_t i = 0; i < sides && !out->is_lost; i++)
        keep_side(&it, (uint32_t)i);
    if (!out->is_lost)
        close_faces(&it, cut);
    free(it.heights);
    free(it.numbers);
    free(it.faces);
    free(it.points);
    free(it.crossings);
}


/* ---- Parts --------------------------------------------------------------- */

/* Returns the smallest point of a part; parts[] leads from each point to a
 * smaller one (union-find). */
static uint32_t root_of(uint32_t *parts, uint32_t point)
{
    while (parts[point] != point) {
        parts[point] = parts[parts[point]];
        point = parts[point];
    }
    return point;
}

static void join_parts(uint32_t *parts, uint32_t a, uint32_t b)
{
    a = root_of(parts, a);
    b = root_of(parts, b);
    if (a < b)
        parts[b] = a;
    else
        parts[a] = b;
}

/* The outlines of a face that belong to one part. */
typedef struct outline {
    uint32_t face, part, first; /* first: one of their points */
    double area;                /* below 0: a hole */
} outline;

static int compare_outlines(const void *left, const void *right)
{
    const outline *a = left, *b = right;

    if (a->face != b->face)
        return order_of(a->face, b->face);
    return a->part != b->part ? order_of(a->part, b->part)
                              : order_of(a->first, b->first);
}

/* Writes the outlines, sorted by face.  Returns their number. */
static size_t list_outlines(const polyhedron *of, uint32_t *parts,
                            outline *list)
{
    size_t count = 0;

    for (size_t i = 0; i < of->side_count; i++) {
        const poly_side *side = &of->sides[i];
        vec3 a = of->points[side->tail], b = of->points[side->head];

        list[i].face = side->face;
        list[i].part = root_of(parts, side->tail);
        list[i].first = side->tail;
        /* summed over a closed outline, about any point, this is twice the
         * area */
        list[i].area = vec_dot(of->faces[side->face].normal, vec_cross(a, b));
    }
    qsort(list, of->side_count, sizeof *list, compare_outlines);
    for (size_t i = 0; i < of->side_count; i++)
        if (count > 0 && list[count - 1].face == list[i].face &&
            list[count - 1].part == list[i].part)
            list[count - 1].area += list[i].area;
        else
            list[count++] = list[i];
    return count;
}

/* Projects a point along the axis nearest to a normal: two coordinates
 * remain. */
static void flatten_point(vec3 normal, vec3 point, double out[2])
{
    vec3 size = vec_make(fabs(normal.x), fabs(normal.y), fabs(normal.z));
    bool is_x = size.x >= size.y && size.x >= size.z;
    bool is_y = !is_x && size.y >= size.z;

    out[0] = is_x ? point.y : point.x;
    out[1] = is_x || is_y ? point.z : point.y;
}

/* Whether a point of the same face is within an outline: counts the sides that
 * a ray to the right crosses. */
static bool is_in_outline(const polyhedron *of, uint32_t *parts,
                          const outline *it, uint32_t point)
{
    vec3 normal = of->faces[it->face].normal;
    double p[2], a[2], b[2];
    bool is_in = false;

    flatten_point(normal, of->points[point], p);
    for (size_t i = 0; i < of->side_count; i++) {
        const poly_side *side = &of->sides[i];

        if (side->face != it->face || root_of(parts, side->tail) != it->part)
            continue;
        flatten_point(normal, of->points[side->tail], a);
        flatten_point(normal, of->points[side->head], b);
        if ((a[1] > p[1]) != (b[1] > p[1]) &&
            a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > p[0])
            is_in = !is_in;
    }
    return is_in;
}

/* Finds the part that surrounds a hole: of the outlines of its face, the
 * smallest that contains it, or else the largest.  Returns NONE if there is
 * none. */
static uint32_t part_around(const polyhedron *of, uint32_t *parts,
                            const outline *list, size_t count, size_t hole)
{
    uint32_t best = NONE;
    double least = HUGE_VAL;

    for (size_t i = 0; i < count; i++) {
        double area = list[i].area;

        if (list[i].face != list[hole].face || !(area > 0))
            continue;
        if (!is_in_outline(of, parts, &list[i], list[hole].first))
            area = 1e12 - area;
        if (area < least) {
            least = area;
            best = list[i].part;
        }
    }
    return best;
}

/* Joins each hole to the part around it. */
static bool join_holes(const polyhedron *of, uint32_t *parts)
{
    outline *list = malloc((of->side_count + 1) * sizeof *list);
    uint32_t *around = malloc((of->side_count + 1) * sizeof *around);
    bool is_done = list && around;
    size_t count = is_done ? list_outlines(of, parts, list) : 0;

    for (size_t i = 0; i < count; i++)
        around[i] = list[i].area < 0 ? part_around(of, parts, list, count, i)
                                     : NONE;
    for (size_t i = 0; i < count; i++)
        if (around[i] != NONE)
            join_parts(parts, list[i].part, around[i]);
    free(list);
    free(around);
    return is_done;
}

/* Returns six times the volume of the tetrahedron of a side, the point of its
 * face, and `from`. */
static double side_volume(const polyhedron *of, const poly_side *side,
                          vec3 of_face, vec3 from)
{
    return vec_dot(vec_sub(of_face, from),
                   vec_cross(vec_sub(of->points[side->tail], from),
                             vec_sub(of->points[side->head], from)));
}

/* Returns a point of each face, from malloc. */
static vec3 *face_points(const polyhedron *of)
{
    vec3 *out = malloc((of->face_count + 1) * sizeof *out);

    for (size_t i = 0; out && i < of->side_count; i++)
        out[of->sides[i].face] = of->points[of->sides[i].tail];
    return out;
}

/* Joins all parts if one has a negative volume: that is a hollow in another. */
static bool join_hollows(const polyhedron *of, uint32_t *parts)
{
    vec3 *on = face_points(of);
    double *volume = calloc(of->point_count + 1, sizeof *volume);
    bool is_done = on && volume, is_hollow = false;

    for (size_t i = 0; is_done && i < of->side_count; i++) {
        const poly_side *side = &of->sides[i];

        volume[root_of(parts, side->tail)] += side_volume(
            of, side, on[side->face], of->points[0]);
    }
    for (size_t i = 0; is_done && i < of->point_count; i++)
        is_hollow = is_hollow || volume[i] < -1e-12;
    for (size_t i = 1; is_hollow && i < of->point_count; i++)
        join_parts(parts, 0, (uint32_t)i);
    free(on);
    free(volume);
    return is_done;
}

/* Copies a point, once; numbers holds its new index. */
static uint32_t copy_point(polyhedron *out, const polyhedron *of,
                           uint32_t *numbers, uint32_t point)
{
    if (numbers[point] == NONE) {
        numbers[point] = (uint32_t)out->point_count;
        out->points[out->point_count++] = of->points[point];
    }
    return numbers[point];
}

/* Copies a face without its sides, once; numbers holds its new index. */
static uint32_t copy_face(polyhedron *out, const polyhedron *of,
                          uint32_t *numbers, uint32_t face)
{
    if (numbers[face] == NONE) {
        numbers[face] = (uint32_t)out->face_count;
        put_face(out, of->faces[face].normal, of->faces[face].cut);
    }
    return numbers[face];
}

/* Copies one part or, if is_last, it and all parts after it. */
static void copy_part(polyhedron *out, const polyhedron *of, uint32_t *parts,
                      uint32_t part, bool is_last)
{
    uint32_t *points = malloc((of->point_count + 1) * sizeof *points);
    uint32_t *faces = malloc((of->face_count + 1) * sizeof *faces);

    if (make_poly_room(out, of->point_count, of->side_count, of->face_count))
        out->is_lost = !points || !faces;
    if (!out->is_lost) {
        memset(points, 0xff, of->point_count * sizeof *points);
        memset(faces, 0xff, of->face_count * sizeof *faces);
    }
    for (size_t i = 0; i < of->side_count && !out->is_lost; i++) {
        const poly_side *side = &of->sides[i];
        uint32_t mine = root_of(parts, side->tail);

        if (is_last ? mine >= part : mine == part) {
            uint32_t tail = copy_point(out, of, points, side->tail);
            uint32_t head = copy_point(out, of, points, side->head);

            put_side(out, tail, head, copy_face(out, of, faces, side->face));
        }
    }
    free(points);
    free(faces);
}

/* Returns whether some side begins in this part. */
static bool has_sides(const polyhedron *of, uint32_t *parts, uint32_t part)
{
    for (size_t i = 0; i < of->side_count; i++)
        if (root_of(parts, of->sides[i].tail) == part)
            return true;
    return false;
}

size_t poly_separate(polyhedron *out, size_t room, const polyhedron *of)
{
    uint32_t *parts = malloc((of->point_count + 1) * sizeof *parts);
    size_t count = 0;

    if (!parts)
        return 0;
    for (size_t i = 0; i < of->point_count; i++)
        parts[i] = (uint32_t)i;
    for (size_t i = 0; i < of->side_count; i++)
        join_parts(parts, of->sides[i].tail, of->sides[i].head);
    if (!join_holes(of, parts) || !join_hollows(of, parts)) {
        free(parts);
        return 0;
    }
    for (uint32_t i = 0; i < of->point_count && count < room; i++)
        if (parts[i] == i && has_sides(of, parts, i)) {
            copy_part(&out[count], of, parts, i, count + 1 == room);
            count++;
        }
    free(parts);
    return count;
}


/* ---- Volume, dents ------------------------------------------------------- */

double poly_volume(const polyhedron *of, vec3 *center)
{
    vec3 *on = face_points(of);
    vec3 from = of->point_count > 0 ? of->points[0] : vec_make(0, 0, 0);
    vec3 first = vec_make(0, 0, 0);
    double sum = 0;

    for (size_t i = 0; on && i < of->side_count; i++) {
        const poly_side *side = &of->sides[i];
        double part = side_volume(of, side, on[side->face], from);
        vec3 corners = vec_add(vec_sub(of->points[side->tail], from),
                               vec_sub(of->points[side->head], from));

        corners = vec_add(corners, vec_sub(on[side->face], from));
        sum += part;
        first = vec_mad(first, part / 4.0, corners);
    }
    free(on);
    if (center && sum > 0)
        *center = vec_mad(from, 1.0 / sum, first);
    return sum / 6.0;
}

/* Inserts a dent before those that weigh less.  Returns the new count. */
static size_t insert_dent(poly_dent *out, size_t count, size_t room,
                          const poly_dent *it)
{
    size_t i = count < room ? count : room;

    if (i == room && !(it->weight > out[room - 1].weight))
        return count;
    if (i == room)
        i--;
    else
        count++;
    for (; i > 0 && out[i - 1].weight < it->weight; i--)
        out[i] = out[i - 1];
    out[i] = *it;
    return count;
}

size_t poly_dents(const polyhedron *of, poly_dent *out, size_t room)
{
    twin_key *keys = sort_twins(of);
    size_t count = 0, same;

    for (size_t i = 0; keys && i < of->side_count; i += same) {
        const poly_side *side = &of->sides[keys[i].side], *twin;
        poly_dent it;
        vec3 along;

        same = count_twins(keys + i, of->side_count - i);
        twin = &of->sides[keys[i + same / 2].side];
        it.at = of->points[side->tail];
        it.left = of->faces[side->face].normal;
        it.right = of->faces[twin->face].normal;
        along = vec_sub(of->points[side->head], it.at);
        it.weight = -vec_dot(along, vec_cross(it.left, it.right));
        if (it.weight > 1e-3 * vec_length(along) && it.weight > ON_PLANE)
            count = insert_dent(out, count, room, &it);
    }
    free(keys);
    return count;
}
