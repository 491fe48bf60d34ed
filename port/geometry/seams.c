/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Common faces, in this order: areas of triangles, of faces, of pairs of parts.
 * Then the depth of overlaps of hulls. */

#include "seams.h"

#include <stdlib.h>
#include <string.h>

#include "exact_points.h"


/* ---- Moments of triangles in a plane ------------------------------------- */

typedef struct spot {
    double x, y;
} spot;

/* Integrals over an area: of 1; of x, y; of xx, yy, xy. */
typedef struct area_sum {
    double area, x, y, xx, yy, xy;
} area_sum;

#define MAX_CLIP 8 /* corners; two triangles share at most 6 */

static double spin_of(spot a, spot b, spot c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Clips a polygon to the left side of the line from a to b.  Returns the number
 * of corners left. */
static int clip_spots(spot *out, const spot *in, int count, spot a, spot b)
{
    int kept = 0;

    for (int i = 0; i < count; i++) {
        spot from = in[i], to = in[(i + 1) % count];
        double d = spin_of(a, b, from), e = spin_of(a, b, to);

        if (d >= 0 && kept < MAX_CLIP)
            out[kept++] = from;
        if ((d >= 0) != (e >= 0) && kept < MAX_CLIP) {
            double part = d / (d - e);
            spot at = {from.x + part * (to.x - from.x),
                       from.y + part * (to.y - from.y)};

            out[kept++] = at;
        }
    }
    return kept;
}

static void add_spots(area_sum *sum, const spot *of, int count, double sign)
{
    for (int i = 0; i < count; i++) {
        spot a = of[i], b = of[(i + 1) % count];
        double cross = sign * (a.x * b.y - b.x * a.y);

        sum->area += cross / 2.0;
        sum->x += cross * (a.x + b.x) / 6.0;
        sum->y += cross * (a.y + b.y) / 6.0;
        sum->xx += cross * (a.x * a.x + a.x * b.x + b.x * b.x) / 12.0;
        sum->yy += cross * (a.y * a.y + a.y * b.y + b.y * b.y) / 12.0;
        sum->xy += cross *
                   (a.x * b.y + 2.0 * (a.x * a.y + b.x * b.y) + b.x * a.y) /
                   24.0;
    }
}

/* Adds the common area of two triangles of opposite faces.  The second face is
 * seen from its back, so the area is negative if both triangles go round in the
 * same direction. */
static void add_common(area_sum *sum, const spot a[3], const spot b[3])
{
    double way_a = spin_of(a[0], a[1], a[2]);
    double way_b = spin_of(b[0], b[1], b[2]);
    spot left[3], right[3], some[MAX_CLIP], more[MAX_CLIP];
    int count = 3;

    if (!(fabs(way_a) > 0) || !(fabs(way_b) > 0))
        return;
    for (int i = 0; i < 3; i++) {
        left[i] = a[way_a > 0 ? i : 2 - i];
        right[i] = b[way_b > 0 ? i : 2 - i];
    }
    memcpy(some, left, sizeof left);
    for (int i = 0; i < 3; i++) {
        count = clip_spots(more, some, count, right[i], right[(i + 1) % 3]);
        memcpy(some, more, sizeof more);
    }
    add_spots(sum, some, count, way_a * way_b < 0 ? 1.0 : -1.0);
}


/* ---- Common faces -------------------------------------------------------- */

/* A face that a cut made. */
typedef struct cut_face {
    int32_t cut;
    uint32_t part, face;
    vec3 normal;
} cut_face;

/* A point and the axes of a plane. */
typedef struct plane_frame {
    vec3 from, x, y;
} plane_frame;

static plane_frame frame_of(vec3 normal, vec3 from)
{
    plane_frame out;
    bool is_level = fabs(normal.y) > 0.5;

    out.from = from;
    out.x = vec_unit(
        vec_cross(is_level ? vec_make(1, 0, 0) : vec_make(0, 1, 0), normal));
    out.y = vec_cross(normal, out.x);
    return out;
}

static spot spot_of(const plane_frame *frame, vec3 point)
{
    vec3 way = vec_sub(point, frame->from);
    spot out = {vec_dot(way, frame->x), vec_dot(way, frame->y)};

    return out;
}

/* Writes the triangles from the frame's origin to each side of a face.  Their
 * signed sum is the face.  Returns their number. */
static size_t fan_face(spot (*out)[3], const plane_frame *frame,
                       const polyhedron *of, uint32_t face)
{
    size_t count = 0;

    for (size_t i = 0; i < of->side_count; i++) {
        spot *to = out[count];

        if (of->sides[i].face != face)
            continue;
        to[0].x = to[0].y = 0;
        to[1] = spot_of(frame, of->points[of->sides[i].tail]);
        to[2] = spot_of(frame, of->points[of->sides[i].head]);
        count++;
    }
    return count;
}

static vec3 point_of_face(const polyhedron *of, uint32_t face)
{
    size_t i = 0;

    while (i + 1 < of->side_count && of->sides[i].face != face)
        i++;
    return of->points[of->sides[i].tail];
}

/* Divides the integrals by the area, and takes them about its centre. */
static void center_area(area_sum *sum)
{
    sum->x /= sum->area;
    sum->y /= sum->area;
    sum->xx = sum->xx / sum->area - sum->x * sum->x;
    sum->yy = sum->yy / sum->area - sum->y * sum->y;
    sum->xy = sum->xy / sum->area - sum->x * sum->y;
}

/* Returns the lever: a torque about an axis in the plane of an area causes a
 * stress of torque / (area lever) at the rim.  For an ellipse the lever is half
 * its radius of gyration about the axis; here, about the weakest axis. */
static double lever_of(const area_sum *sum)
{
    double half = (sum->xx - sum->yy) / 2.0;
    double least = (sum->xx + sum->yy) / 2.0 -
                   sqrt(half * half + sum->xy * sum->xy);

    return least > 0 ? sqrt(least) / 2.0 : 0;
}

/* Whether an area is worth a seam between parts of this volume: at least a
 * thousandth of a face of the cube of that volume. */
static bool is_area_large(double area, double volume)
{
    return area > 0 && area * area * area > 1e-9 * volume * volume;
}

/* Inputs and results of the search for seams. */
typedef struct seam_search {
    const polyhedron *parts;
    double *volumes;
    spot (*fan_a)[3], (*fan_b)[3];
    fracture_seam *seams;
    size_t count, room;
} seam_search;

static bool put_seam(seam_search *it, const fracture_seam *seam)
{
    if (it->count == it->room) {
        size_t room = 2 * it->room + 64;
        fracture_seam *more = realloc(it->seams, room * sizeof *more);

        if (!more)
            return false;
        it->seams = more;
        it->room = room;
    }
    it->seams[it->count++] = *seam;
    return true;
}

/* Adds the seam of two faces of one cut, if they have a common area. */
static bool join_faces(seam_search *it, const cut_face *a, const cut_face *b)
{
    const polyhedron *of = &it->parts[a->part];
    plane_frame frame = frame_of(a->normal, point_of_face(of, a->face));
    size_t m = fan_face(it->fan_a, &frame, of, a->face);
    size_t n = fan_face(it->fan_b, &frame, &it->parts[b->part], b->face);
    double volume = fmin(it->volumes[a->part], it->volumes[b->part]);
    area_sum sum = {0, 0, 0, 0, 0, 0};
    fracture_seam seam;

    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < n; k++)
            add_common(&sum, it->fan_a[i], it->fan_b[k]);
    if (!is_area_large(sum.area, volume))
        return true;
    center_area(&sum);
    seam.a = (uint16_t)(a->part < b->part ? a->part : b->part);
    seam.b = (uint16_t)(a->part < b->part ? b->part : a->part);
    seam.area = sum.area;
    seam.lever = lever_of(&sum);
    return place_from(
               vec_mad(vec_mad(frame.from, sum.x, frame.x), sum.y, frame.y),
               &seam.at) &&
           put_seam(it, &seam);
}

static int compare_cut_faces(const void *left, const void *right)
{
    const cut_face *a = left, *b = right;

    if (a->cut != b->cut)
        return a->cut < b->cut ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

/* Lists the faces of all parts that cuts made, sorted by cuts. */
static cut_face *list_cut_faces(const polyhedron *parts, size_t count,
                                size_t *face_count)
{
    cut_face *list;
    size_t room = 1;

    for (size_t i = 0; i < count; i++)
        room += parts[i].face_count;
    list = malloc(room * sizeof *list);
    *face_count = 0;
    for (uint32_t i = 0; list && i < count; i++)
        for (uint32_t k = 0; k < parts[i].face_count; k++) {
            cut_face it = {parts[i].faces[k].cut, i, k,
                           parts[i].faces[k].normal};

            if (it.cut != POLY_SURFACE)
                list[(*face_count)++] = it;
        }
    if (list)
        qsort(list, *face_count, sizeof *list, compare_cut_faces);
    return list;
}

static bool begin_seams(seam_search *it, const polyhedron *parts, size_t count)
{
    size_t most = 1;

    memset(it, 0, sizeof *it);
    it->parts = parts;
    for (size_t i = 0; i < count; i++)
        if (parts[i].side_count > most)
            most = parts[i].side_count;
    it->volumes = malloc((count + 1) * sizeof *it->volumes);
    it->fan_a = malloc(most * sizeof *it->fan_a);
    it->fan_b = malloc(most * sizeof *it->fan_b);
    for (size_t i = 0; it->volumes && i < count; i++)
        it->volumes[i] = poly_volume(&parts[i], NULL);
    return it->volumes && it->fan_a && it->fan_b;
}

static int compare_seams(const void *left, const void *right)
{
    const fracture_seam *a = left, *b = right;

    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    if (a->at.x != b->at.x)
        return a->at.x < b->at.x ? -1 : 1;
    if (a->at.y != b->at.y)
        return a->at.y < b->at.y ? -1 : 1;
    return (a->at.z > b->at.z) - (a->at.z < b->at.z);
}

bool find_seams(const polyhedron *parts, size_t count, fracture_seam **seams,
                size_t *seam_count)
{
    seam_search it;
    size_t faces;
    cut_face *list = list_cut_faces(parts, count, &faces);
    bool is_done = begin_seams(&it, parts, count) && list;

    for (size_t i = 0; i < faces && is_done; i++)
        for (size_t k = i + 1;
             k < faces && list[k].cut == list[i].cut && is_done; k++)
            if (list[k].part != list[i].part &&
                vec_dot(list[i].normal, list[k].normal) < 0)
                is_done = join_faces(&it, &list[i], &list[k]);
    if (is_done && it.count > 0)
        qsort(it.seams, it.count, sizeof *it.seams, compare_seams);
    free(list);
    free(it.volumes);
    free(it.fan_a);
    free(it.fan_b);
    *seams = it.seams;
    *seam_count = it.count;
    return is_done;
}


/* ---- Overlap ------------------------------------------------------------- */

/* A hull with its position in the frame of the solid. */
typedef struct placed_hull {
    const vsp_hull *hull;
    vec3 at; /* VSP_PLACE */
} placed_hull;

/* Writes the extent of a hull along a direction. */
static void hull_range(const placed_hull *of, vec3 way, double range[2])
{
    double shift = vec_dot(way, of->at);

    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (int i = 0; i < of->hull->vertex_count; i++) {
        double height = shift + vec_dot(way, place_vec(of->hull->vertices[i]));

        range[0] = fmin(range[0], height);
        range[1] = fmax(range[1], height);
    }
}

/* Returns the overlap of two hulls along a direction of length 1. */
static double overlap_along(const placed_hull *a, const placed_hull *b,
                            vec3 way)
{
    double p[2], q[2];

    hull_range(a, way, p);
    hull_range(b, way, q);
    return fmin(p[1] - q[0], q[1] - p[0]);
}

static double overlap_by_faces(const placed_hull *a, const placed_hull *b)
{
    double least = HUGE_VAL;

    for (int i = 0; i < a->hull->face_count; i++) {
        const vsp_plane *plane = &a->hull->planes[i];

        least = fmin(
            least, overlap_along(
                       a, b, vec_unit(vec_make(plane->x, plane->y, plane->z))));
    }
    return least;
}

static vec3 edge_of(const vsp_hull *hull, int i)
{
    return vec_sub(place_vec(hull->vertices[hull->edges[i].head]),
                   place_vec(hull->vertices[hull->edges[i].tail]));
}

static double overlap_by_edges(const placed_hull *a, const placed_hull *b)
{
    double least = HUGE_VAL;

    for (int i = 0; i < a->hull->edge_count; i++)
        for (int k = 0; k < b->hull->edge_count; k++) {
            vec3 e = edge_of(a->hull, i), f = edge_of(b->hull, k);
            vec3 way = vec_cross(e, f);

            if (vec_length(way) > 1e-6 * vec_length(e) * vec_length(f))
                least = fmin(least, overlap_along(a, b, vec_unit(way)));
        }
    return least;
}

/* Tests the axes first, as most pairs are far apart, and edges last, as they
 * take longest. */
double hull_overlap(const vsp_hull *a, vsp_place a_at, const vsp_hull *b,
                    vsp_place b_at)
{
    placed_hull left = {a, place_vec(a_at)}, right = {b, place_vec(b_at)};
    double least = overlap_along(&left, &right, vec_make(1, 0, 0));

    least = fmin(least, overlap_along(&left, &right, vec_make(0, 1, 0)));
    least = fmin(least, overlap_along(&left, &right, vec_make(0, 0, 1)));
    if (least > 0)
        least = fmin(least, overlap_by_faces(&left, &right));
    if (least > 0)
        least = fmin(least, overlap_by_faces(&right, &left));
    if (least > 4.0)
        least = fmin(least, overlap_by_edges(&left, &right));
    return least / VSP_PLACE;
}
