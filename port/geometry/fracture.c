/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Solids in pieces, in this order: seeds, points scattered in a solid; their
 * Voronoi cells, bounded by bisecting planes; cuts through parts that are not
 * convex; tables; text.  Uses only sums, products and roots, and an integer
 * random generator, so that pieces are equal everywhere. */

#include "fracture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_points.h"
#include "mass_properties.h"
#include "mesh_distance.h"
#include "seams.h"

#define MAX_TRIES 100000 /* most points drawn to find one in the solid */
#define CANDIDATES 6     /* points in the solid from which one seed is chosen */
#define MAX_DENTS 8      /* dents whose planes are tried */
#define MAX_PLANES (3 * MAX_DENTS + 3)
#define MAX_PARTS 64       /* most connected parts after one cut */
#define SMALL_PART 0.0005  /* fraction of the solid: smaller needs no cuts */
#define MOST_LOST 0.005    /* most volume lost, as a fraction of the solid */
#define MOST_OVERLAP 0.002 /* overlap over the longest side of a piece */

static const char out_of_memory[] = "out of memory";

fracture_options fracture_options_default(void)
{
    fracture_options options = {20, 1, 0, FRACTURE_EXCESS};

    return options;
}

/* A part of the solid, which may be cut further. */
typedef struct fracture_part {
    polyhedron solid;
    double volume; /* m^3 */
    vec3 center;
    double hull; /* volume of its hull, m^3 */
} fracture_part;

typedef struct fracture_work {
    const fracture_options *options;
    fracture_storage *out;
    polyhedron solid;
    vec3 *seeds;
    fracture_part parts[FRACTURE_MAX];
    size_t count;
    int32_t cut_count;
    uint32_t random;
    const char *error; /* null: no error */
} fracture_work;


/* ---- Seeds --------------------------------------------------------------- */

/* Returns the next number of a xorshift sequence, 0 to below 1. */
static double draw_number(uint32_t *random)
{
    uint32_t x = *random;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *random = x;
    return (double)(x >> 8) / 16777216.0;
}

static vec3 draw_place(fracture_work *work, vec3 low, vec3 size)
{
    double x = draw_number(&work->random), y = draw_number(&work->random);
    double z = draw_number(&work->random);

    return vec_add(low, vec_multiply(size, vec_make(x, y, z)));
}

/* Draws points from the box until one is in the solid. */
static bool draw_inside(fracture_work *work, const distance_mesh *mesh,
                        vec3 low, vec3 size, vec3 *out)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        int32_t winding = 0;

        *out = draw_place(work, low, size);
        distance_wind(mesh, *out, 1.0, 1, &winding);
        if (winding > 0)
            return true;
    }
    return false;
}

/* Returns the squared distance of a point to the nearest seed so far. */
static double sq_gap(const vec3 *seeds, size_t count, vec3 point)
{
    double least = HUGE_VAL;

    for (size_t i = 0; i < count; i++) {
        vec3 way = vec_sub(seeds[i], point);

        least = fmin(least, vec_dot(way, way));
    }
    return least;
}

/* Draws the seeds.  Each is the farthest from all earlier seeds of a few
 * candidates, so that cells are of similar size (Mitchell, Spectrally optimal
 * sampling for distribution ray tracing, 1991). */
static bool strew_seeds(fracture_work *work, const distance_mesh *mesh,
                        vec3 low, vec3 size)
{
    for (size_t i = 0; i < work->options->cells; i++) {
        double best = -1.0;

        for (int k = 0; k < CANDIDATES; k++) {
            vec3 point;
            double gap;

            if (!draw_inside(work, mesh, low, size, &point))
                return false;
            gap = sq_gap(work->seeds, i, point);
            if (gap > best) {
                best = gap;
                work->seeds[i] = point;
            }
        }
    }
    return true;
}

/* Draws seeds in the solid, which still has only triangles, of three sides
 * each, in order. */
static const char *find_seeds(fracture_work *work)
{
    const polyhedron *of = &work->solid;
    uint32_t(*triangles)[3] = malloc((of->face_count + 1) * sizeof *triangles);
    vec3 low = of->points[0], high = low;
    distance_mesh mesh;
    const char *error = NULL;

    if (!triangles)
        return out_of_memory;
    for (size_t i = 0; i < 3 * of->face_count; i++)
        triangles[i / 3][i % 3] = of->sides[i].tail;
    for (size_t i = 0; i < of->point_count; i++) {
        low = vec_min(low, of->points[i]);
        high = vec_max(high, of->points[i]);
    }
    if (!distance_begin(&mesh, of->points, triangles, of->face_count)) {
        free(triangles);
        return out_of_memory;
    }
    if (!strew_seeds(work, &mesh, low, vec_sub(high, low)))
        error = "too thin: no places for cells found in it";
    distance_free(&mesh);
    free(triangles);
    return error;
}


/* ---- Parts --------------------------------------------------------------- */

static void measure_part(fracture_part *it)
{
    it->volume = poly_volume(&it->solid, &it->center);
    it->hull = hull_volume(it->solid.points, it->solid.point_count);
}

/* Whether a part is too small, or too thin for a hull, to become a piece. */
static bool is_dust(const fracture_work *work, const fracture_part *it)
{
    return !(it->volume > 1e-6 * work->out->volume) || !(it->hull > 0);
}

/* Appends a part to the list, or frees it and counts it as lost if it is
 * dust. */
static void keep_part(fracture_work *work, polyhedron *solid)
{
    fracture_part *it = &work->parts[work->count];

    if (work->count == FRACTURE_MAX) {
        work->error = "more than 1000 pieces: allow a larger --excess, or take "
                      "fewer --pieces";
        poly_free(solid);
        return;
    }
    it->solid = *solid;
    measure_part(it);
    if (is_dust(work, it)) {
        work->out->lost += fmax(it->volume, 0);
        poly_free(solid);
        return;
    }
    work->count++;
}

/* Appends the connected parts of a solid to the list, and frees the solid. */
static void keep_parts(fracture_work *work, polyhedron *solid)
{
    polyhedron parts[MAX_PARTS];
    size_t count = 0;

    if (solid->is_lost)
        work->error = out_of_memory;
    else if (solid->side_count > 0) {
        count = poly_separate(parts, MAX_PARTS, solid);
        if (count == 0)
            work->error = out_of_memory;
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i].is_lost)
            work->error = out_of_memory;
        keep_part(work, &parts[i]);
    }
    poly_free(solid);
}


/* ---- Cells --------------------------------------------------------------- */

typedef struct neighbor {
    double sq_distance;
    uint32_t index;
} neighbor;

static int compare_neighbors(const void *left, const void *right)
{
    const neighbor *a = left, *b = right;

    if (a->sq_distance < b->sq_distance || a->sq_distance > b->sq_distance)
        return a->sq_distance < b->sq_distance ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Lists the other seeds, sorted by distance. */
static void sort_neighbors(const fracture_work *work, uint32_t of,
                           neighbor *out)
{
    size_t count = 0;

    for (uint32_t i = 0; i < work->options->cells; i++) {
        vec3 way = vec_sub(work->seeds[i], work->seeds[of]);

        if (i == of)
            continue;
        out[count].sq_distance = vec_dot(way, way);
        out[count++].index = i;
    }
    qsort(out, count, sizeof *out, compare_neighbors);
}

/* Returns the bisecting plane of two seeds, its normal towards the second.  The
 * two planes of a pair differ in sign alone. */
static cut_plane bisector(const vec3 *seeds, uint32_t from, uint32_t to)
{
    vec3 low = seeds[from < to ? from : to],
         high = seeds[from < to ? to : from];
    cut_plane out;

    out.normal = vec_unit(vec_sub(high, low));
    out.offset = vec_dot(out.normal, vec_scale(vec_add(low, high), 0.5));
    if (from > to) {
        out.normal = vec_scale(out.normal, -1.0);
        out.offset = -out.offset;
    }
    return out;
}

static bool is_all_below(const polyhedron *of, const cut_plane *plane)
{
    for (size_t i = 0; i < of->point_count; i++)
        if (vec_dot(plane->normal, of->points[i]) >= plane->offset)
            return false;
    return true;
}

/* Replaces a solid by its part below a plane. */
static void trim_solid(polyhedron *it, const cut_plane *plane, int32_t cut)
{
    polyhedron rest;

    if (it->is_lost || is_all_below(it, plane))
        return;
    poly_cut(&rest, it, plane, cut);
    poly_free(it);
    *it = rest;
}

static void copy_solid(polyhedron *out, const polyhedron *of)
{
    static const cut_plane above_all = {{0, 1, 0}, 1e6};

    poly_cut(out, of, &above_all, POLY_SURFACE);
}

/* Returns the number of the cut between two seeds.  These come first. */
static int32_t cut_of_pair(uint32_t a, uint32_t b)
{
    uint32_t high = a < b ? b : a, low = a < b ? a : b;

    return (int32_t)(high * (high - 1) / 2 + low);
}

static void cut_cell(fracture_work *work, uint32_t cell, neighbor *others)
{
    polyhedron it;

    sort_neighbors(work, cell, others);
    copy_solid(&it, &work->solid);
    for (uint32_t i = 0; i + 1 < work->options->cells; i++) {
        uint32_t other = others[i].index;
        cut_plane plane = bisector(work->seeds, cell, other);

        trim_solid(&it, &plane, cut_of_pair(cell, other));
    }
    keep_parts(work, &it);
}

static void cut_cells(fracture_work *work)
{
    uint32_t cells = work->options->cells;
    neighbor *others = malloc(cells * sizeof *others);

    if (!others)
        work->error = out_of_memory;
    for (uint32_t i = 0; i < cells && !work->error; i++)
        cut_cell(work, i, others);
    work->cut_count = cut_of_pair(cells, 0);
    free(others);
}


/* ---- Cuts through parts that are not convex ------------------------------ */

static bool is_convex_enough(const fracture_work *work, const fracture_part *it)
{
    double least = fmax(it->volume, SMALL_PART * work->out->volume);

    return it->hull - it->volume <= work->options->excess * least;
}

static cut_plane plane_through(vec3 normal, vec3 point)
{
    cut_plane out;

    out.normal = vec_unit(normal);
    out.offset = vec_dot(out.normal, point);
    return out;
}

/* Lists planes that may divide a part well: through the heaviest dents, those
 * that halve the angle and those that continue a face; and three through the
 * centre. */
static size_t choose_planes(const fracture_part *of,
                            cut_plane planes[MAX_PLANES])
{
    poly_dent dents[MAX_DENTS];
    size_t count = poly_dents(&of->solid, dents, MAX_DENTS), used = 0;

    for (size_t i = 0; i < count; i++) {
        const poly_dent *dent = &dents[i];

        planes[used++] = plane_through(vec_sub(dent->left, dent->right),
                                       dent->at);
        planes[used++] = plane_through(dent->left, dent->at);
        planes[used++] = plane_through(dent->right, dent->at);
    }
    planes[used++] = plane_through(vec_make(1, 0, 0), of->center);
    planes[used++] = plane_through(vec_make(0, 1, 0), of->center);
    planes[used++] = plane_through(vec_make(0, 0, 1), of->center);
    return used;
}

static cut_plane turned_over(const cut_plane *plane)
{
    cut_plane out = {vec_scale(plane->normal, -1.0), -plane->offset};

    return out;
}

/* Returns the volume between the parts below a plane and their hulls, m^3, with
 * a penalty for small parts; HUGE_VAL if hardly anything is below the plane. */
static double weigh_half(const fracture_part *of, const cut_plane *plane)
{
    polyhedron half, parts[MAX_PARTS];
    size_t count;
    double sum = 0, volume = 0;

    poly_cut(&half, &of->solid, plane, 0);
    count = half.is_lost ? 0 : poly_separate(parts, MAX_PARTS, &half);
    for (size_t i = 0; i < count; i++) {
        fracture_part part = {parts[i], 0, {0, 0, 0}, 0};

        measure_part(&part);
        volume += part.volume;
        sum += fmax(part.hull - part.volume, 0);
        if (part.volume < 0.05 * of->volume)
            sum += 0.01 * of->volume;
        poly_free(&parts[i]);
    }
    poly_free(&half);
    return volume > 1e-3 * of->volume ? sum : HUGE_VAL;
}

static double weigh_plane(const fracture_part *of, const cut_plane *plane)
{
    cut_plane back = turned_over(plane);
    double sum = weigh_half(of, plane);

    return sum < HUGE_VAL ? sum + weigh_half(of, &back) : sum;
}

/* Chooses the plane with the least sum of weigh_half for both sides.  Returns
 * false if no plane divides the part. */
static bool choose_plane(const fracture_part *of, cut_plane *out)
{
    cut_plane planes[MAX_PLANES];
    size_t count = choose_planes(of, planes);
    double least = HUGE_VAL;

    for (size_t i = 0; i < count; i++) {
        double weight = weigh_plane(of, &planes[i]);

        if (weight < least) {
            least = weight;
            *out = planes[i];
        }
    }
    return least < HUGE_VAL;
}

/* Divides a part: the last part of the list takes its index, and both halves
 * are appended. */
static void divide_part(fracture_work *work, size_t index)
{
    polyhedron whole = work->parts[index].solid, half;
    cut_plane plane, back;

    if (!choose_plane(&work->parts[index], &plane)) {
        work->error = "a part that is not convex, and that no plane divides";
        return;
    }
    back = turned_over(&plane);
    work->parts[index] = work->parts[--work->count];
    poly_cut(&half, &whole, &plane, work->cut_count);
    keep_parts(work, &half);
    poly_cut(&half, &whole, &back, work->cut_count);
    keep_parts(work, &half);
    work->cut_count++;
    poly_free(&whole);
}

static void divide_parts(fracture_work *work)
{
    for (size_t i = 0; i < work->count && !work->error;)
        if (is_convex_enough(work, &work->parts[i]))
            i++;
        else
            divide_part(work, i);
}


/* ---- Tables -------------------------------------------------------------- */

/* Builds the hull of a part about its centre, which *at gets. */
static bool build_piece(hull_storage *out, const fracture_part *of,
                        vsp_place *at)
{
    vec3 *points = malloc((of->solid.point_count + 1) * sizeof *points);
    bool is_done = points && place_from(of->center, at);

    for (size_t i = 0; i < of->solid.point_count && is_done; i++)
        points[i] = vec_sub(of->solid.points[i], place_meters(*at));
    is_done = is_done && !hull_build(out, points, of->solid.point_count, 0);
    free(points);
    return is_done;
}

/* Builds the hull of each part.  Drops parts for which no table can be built,
 * because they are too small or too thin. */
static void build_pieces(fracture_work *work)
{
    fracture_storage *out = work->out;
    size_t kept = 0;

    for (size_t i = 0; i < work->count; i++) {
        fracture_part *it = &work->parts[i];

        if (!build_piece(&out->hulls[kept], it, &out->places[kept])) {
            out->lost += it->volume;
            poly_free(&it->solid);
            continue;
        }
        out->excess += float_number(out->hulls[kept].hull.bulk.volume) -
                       it->volume;
        out->outside = fmax(out->outside, out->hulls[kept].error);
        work->parts[kept++] = *it;
    }
    work->count = out->piece_count = kept;
    if (!work->error && out->lost > MOST_LOST * out->volume)
        work->error = "parts of it are too small or too thin for pieces, "
                      "5 mm and 1 mm: take fewer --pieces, or another --seed";
}

/* Computes the deepest overlap of any two hulls. */
static void find_overlap(fracture_work *work)
{
    fracture_storage *out = work->out;
    double side = 0;

    for (size_t i = 0; i < out->piece_count; i++) {
        const vsp_hull *hull = &out->hulls[i].hull;

        side = fmax(side, place_spread(hull->vertices, hull->vertex_count));
        for (size_t k = 0; k < i; k++)
            out->overlap = fmax(out->overlap, hull_overlap(hull, out->places[i],
                                                           &out->hulls[k].hull,
                                                           out->places[k]));
    }
    if (!work->error && out->overlap > MOST_OVERLAP * side / VSP_PLACE)
        work->error = "two pieces would overlap: take another --seed, or a "
                      "smaller --excess";
}

static void join_pieces(fracture_work *work)
{
    polyhedron *parts = malloc((work->count + 1) * sizeof *parts);

    for (size_t i = 0; parts && i < work->count; i++)
        parts[i] = work->parts[i].solid;
    if (!parts || !find_seams(parts, work->count, &work->out->seams,
                              &work->out->seam_count))
        work->error = out_of_memory;
    free(parts);
}

static void cut_all(fracture_work *work)
{
    fracture_storage *out = work->out;

    work->seeds = malloc(work->options->cells * sizeof *work->seeds);
    out->hulls = malloc(FRACTURE_MAX * sizeof *out->hulls);
    out->places = malloc(FRACTURE_MAX * sizeof *out->places);
    if (!work->seeds || !out->hulls || !out->places)
        work->error = out_of_memory;
    if (!work->error)
        work->error = find_seeds(work);
    if (!work->error)
        cut_cells(work);
    if (!work->error)
        divide_parts(work);
    if (!work->error)
        build_pieces(work);
    if (!work->error)
        join_pieces(work);
    if (!work->error)
        find_overlap(work);
}

const char *fracture_build(fracture_storage *out, const vec3 *points,
                           size_t point_count, uint32_t (*triangles)[3],
                           size_t count, const fracture_options *options)
{
    fracture_work *work = calloc(1, sizeof *work);
    const char *error;

    memset(out, 0, sizeof *out);
    if (!work)
        return out_of_memory;
    work->options = options;
    work->out = out;
    work->random = options->seed * 2654435761u ^ 0x9e3779b9u;
    if (work->random == 0)
        work->random = 1;
    out->strength = options->strength;
    work->error = poly_read(&work->solid, points, point_count, triangles,
                            count);
    if (!work->error) {
        out->volume = poly_volume(&work->solid, NULL);
        cut_all(work);
    }
    error = work->error;
    for (size_t i = 0; i < work->count; i++)
        poly_free(&work->parts[i].solid);
    poly_free(&work->solid);
    free(work->seeds);
    free(work);
    if (error)
        fracture_free(out);
    return error;
}

void fracture_free(fracture_storage *it)
{
    free(it->hulls);
    free(it->places);
    free(it->seams);
    memset(it, 0, sizeof *it);
}


/* ---- Text ---------------------------------------------------------------- */

size_t fracture_bytes(const fracture_storage *it)
{
    size_t sum = it->piece_count * 16 + it->seam_count * 24 + 16;

    for (size_t i = 0; i < it->piece_count; i++)
        sum += hull_bytes(&it->hulls[i].hull);
    return sum;
}

static void write_joined_hulls(table_text *text, const fracture_storage *it)
{
    unsigned long vertices = 0, planes = 0, corners = 0, edges = 0;

    table_open(text, "vsp_hull", "hulls");
    for (size_t i = 0; i < it->piece_count; i++) {
        const vsp_hull *hull = &it->hulls[i].hull;
        const char *name = text->name;

        table_item(text, "{VSP_TABLE_HULL, %d, %d, %d, %d", hull->vertex_count,
                   hull->face_count, hull->edge_count, hull->corner_count);
        table_item(text, "%s_vertices + %lu", name, vertices);
        table_item(text, "%s_planes + %lu", name, planes);
        table_item(text, "%s_first + %lu", name, planes + i);
        table_item(text, "%s_corners + %lu", name, corners);
        table_item(text, "%s_edges + %lu", name, edges);
        table_bulk(text, &hull->bulk);
        table_item(text, "}");
        vertices += hull->vertex_count;
        planes += hull->face_count;
        corners += hull->corner_count;
        edges += hull->edge_count;
    }
    table_close(text);
}

static void write_pieces(table_text *text, const fracture_storage *it)
{
    table_open(text, "vsp_piece", "pieces");
    for (size_t i = 0; i < it->piece_count; i++)
        table_item(text, "{%s_hulls + %lu, {%ld, %ld, %ld}}", text->name,
                   (unsigned long)i, (long)it->places[i].x,
                   (long)it->places[i].y, (long)it->places[i].z);
    table_close(text);
}

static void write_seams(table_text *text, const fracture_storage *it)
{
    if (it->seam_count == 0)
        return; /* C has no empty arrays */
    table_open(text, "vsp_seam", "seams");
    for (size_t i = 0; i < it->seam_count; i++) {
        const fracture_seam *seam = &it->seams[i];

        table_item(text, "{%u, %u, {%ld, %ld, %ld}, VSP_R(%.4g), VSP_R(%.4g)}",
                   seam->a, seam->b, (long)seam->at.x, (long)seam->at.y,
                   (long)seam->at.z, seam->area, seam->lever);
    }
    table_close(text);
}

void fracture_write(table_text *text, const table_origin *origin,
                    const fracture_storage *it)
{
    const vsp_hull *hulls[FRACTURE_MAX];
    char what[120];

    for (size_t i = 0; i < it->piece_count; i++)
        hulls[i] = &it->hulls[i].hull;
    snprintf(what, sizeof what, "broken solid: %lu pieces, %lu seams",
             (unsigned long)it->piece_count, (unsigned long)it->seam_count);
    table_begin(text, origin, what, fracture_bytes(it));
    hull_write_arrays(text, hulls, it->piece_count);
    write_joined_hulls(text, it);
    write_pieces(text, it);
    write_seams(text, it);
    table_open_constant(text, "vsp_broken");
    table_item(text, "%lu, %lu", (unsigned long)it->piece_count,
               (unsigned long)it->seam_count);
    table_item(text, "%s_pieces", text->name);
    if (it->seam_count > 0)
        table_item(text, "%s_seams", text->name);
    else
        table_item(text, "0");
    table_item(text, "VSP_R(%.6g)", it->strength);
    table_end(text);
}
