/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: features; shapes as points, edges and triangles; pairs of
 * shapes now, and on their paths; links. */

#include "shell_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/measure/solid.h"

/* m: features that come so near count as meeting */
#define MEET 1e-6


/* ---- Features ------------------------------------------------------------ */

/* Returns six times the volume of a tetrahedron. */
static double volume_of(vec3 a, vec3 b, vec3 c, vec3 d)
{
    return vec_dot(vec_cross(vec_sub(b, a), vec_sub(c, a)), vec_sub(d, a));
}

bool shell_segment_crosses(vec3 p, vec3 q, const vec3 corner[3])
{
    bool around;

    if ((volume_of(corner[0], corner[1], corner[2], p) > 0) ==
        (volume_of(corner[0], corner[1], corner[2], q) > 0))
        return false;
    around = volume_of(p, q, corner[0], corner[1]) > 0;
    return around == (volume_of(p, q, corner[1], corner[2]) > 0) &&
           around == (volume_of(p, q, corner[2], corner[0]) > 0);
}

static double clamp_part(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double point_segment(vec3 p, vec3 a, vec3 b)
{
    vec3 along = vec_sub(b, a);
    double size = vec_dot(along, along);
    double part = size > 0 ? clamp_part(vec_dot(vec_sub(p, a), along) / size)
                           : 0;

    return vec_length(vec_sub(p, vec_mad(a, part, along)));
}

static double point_triangle(vec3 p, const vec3 *t)
{
    vec3 n = vec_cross(vec_sub(t[1], t[0]), vec_sub(t[2], t[0]));
    double size = vec_length(n), least = 1e300;
    bool is_inside = size > 0;

    for (int k = 0; k < 3; k++) {
        vec3 a = t[k], b = t[(k + 1) % 3];

        least = fmin(least, point_segment(p, a, b));
        if (!(vec_dot(vec_cross(n, vec_sub(b, a)), vec_sub(p, a)) >= 0))
            is_inside = false;
    }
    if (is_inside)
        least = fmin(least, fabs(vec_dot(n, vec_sub(p, t[0]))) / size);
    return least;
}

static double segment_segment(const vec3 *x)
{
    vec3 u = vec_sub(x[1], x[0]), v = vec_sub(x[3], x[2]);
    vec3 r = vec_sub(x[2], x[0]), n = vec_cross(u, v);
    double size = vec_dot(n, n), least;

    least = fmin(
        fmin(point_segment(x[0], x[2], x[3]), point_segment(x[1], x[2], x[3])),
        fmin(point_segment(x[2], x[0], x[1]), point_segment(x[3], x[0], x[1])));
    if (size > 0) {
        double s = vec_dot(vec_cross(r, v), n), t = vec_dot(vec_cross(r, u), n);

        if (s >= 0 && s <= size && t >= 0 && t <= size)
            least = fmin(least, fabs(vec_dot(r, n)) / sqrt(size));
    }
    return least;
}

double shell_feature_distance(const vec3 x[4], bool are_edges)
{
    return are_edges ? segment_segment(x) : point_triangle(x[0], x + 1);
}

static double distance_at(const vec3 from[4], const vec3 to[4], bool are_edges,
                          double time)
{
    vec3 x[4];

    for (int i = 0; i < 4; i++)
        x[i] = vec_mad(from[i], time, vec_sub(to[i], from[i]));
    return shell_feature_distance(x, are_edges);
}

/* Conservative advancement: no step can skip a meeting. */
static bool do_meet_in_steps(const vec3 from[4], const vec3 to[4],
                             bool are_edges, double radius)
{
    double speed = 0, time = 0;

    for (int i = are_edges ? 2 : 1; i < 4; i++)
        for (int k = 0; k < (are_edges ? 2 : 1); k++)
            speed = fmax(speed, vec_length(vec_sub(vec_sub(to[i], from[i]),
                                                   vec_sub(to[k], from[k]))));
    for (int round = 0; round < 100000; round++) {
        double room = distance_at(from, to, are_edges, time) - radius;

        if (room <= MEET)
            return true;
        if (room >= speed * (1 - time))
            return false;
        time += room / speed;
    }
    return false;
}

/* The volume of a tetrahedron whose corners move straight: a cubic in time. */
typedef struct volume_cubic {
    double k[4];
} volume_cubic;

static double cubic_at(const volume_cubic *f, double t)
{
    return ((f->k[3] * t + f->k[2]) * t + f->k[1]) * t + f->k[0];
}

/* Returns false if the four points are in a plane all the time, or nearly. */
static bool find_cubic(const vec3 from[4], const vec3 to[4], volume_cubic *f)
{
    vec3 a[3], w[3];
    double scale = 1, most = 0;

    for (int i = 0; i < 3; i++) {
        a[i] = vec_sub(from[i + 1], from[0]);
        w[i] = vec_sub(vec_sub(to[i + 1], to[0]), a[i]);
        scale *= vec_length(a[i]) + vec_length(w[i]);
    }
    f->k[0] = vec_dot(a[0], vec_cross(a[1], a[2]));
    f->k[1] = vec_dot(w[0], vec_cross(a[1], a[2])) +
              vec_dot(a[0], vec_cross(w[1], a[2])) +
              vec_dot(a[0], vec_cross(a[1], w[2]));
    f->k[2] = vec_dot(w[0], vec_cross(w[1], a[2])) +
              vec_dot(w[0], vec_cross(a[1], w[2])) +
              vec_dot(a[0], vec_cross(w[1], w[2]));
    f->k[3] = vec_dot(w[0], vec_cross(w[1], w[2]));
    for (int i = 0; i < 4; i++)
        most = fmax(most, fabs(f->k[i]));
    return most > 1e-12 * scale;
}

static int add_time(double time, double times[4], int count)
{
    if (time > 0 && time < 1)
        times[count++] = time;
    return count;
}

/* Writes 0, 1, and the times between at which the cubic has an extremum, in
 * order.  Returns their number. */
static int turning_times(const volume_cubic *f, double times[4])
{
    double a = 3 * f->k[3], b = 2 * f->k[2], c = f->k[1];
    double under = b * b - 4 * a * c;
    int count = 1;

    times[0] = 0;
    if (under >= 0) {
        double q = -0.5 * (b + copysign(sqrt(under), b));

        if (a != 0)
            count = add_time(q / a, times, count);
        if (q != 0)
            count = add_time(c / q, times, count);
    }
    if (count == 3 && times[1] > times[2]) {
        double swap = times[1];

        times[1] = times[2];
        times[2] = swap;
    }
    times[count++] = 1;
    return count;
}

static double find_root(const volume_cubic *f, double low, double high)
{
    bool is_low = cubic_at(f, low) > 0;

    for (int round = 0; round < 60; round++) {
        double middle = 0.5 * (low + high);

        if ((cubic_at(f, middle) > 0) == is_low)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool shell_features_pass(const vec3 from[4], const vec3 to[4], bool are_edges,
                         double radius)
{
    volume_cubic f;
    double times[4];
    int count;

    if (radius > 0 || !find_cubic(from, to, &f))
        return do_meet_in_steps(from, to, are_edges, radius);
    count = turning_times(&f, times);
    for (int i = 0; i < count; i++) {
        if (distance_at(from, to, are_edges, times[i]) <= MEET)
            return true;
        if (i + 1 < count &&
            (cubic_at(&f, times[i]) > 0) != (cubic_at(&f, times[i + 1]) > 0) &&
            distance_at(from, to, are_edges,
                        find_root(&f, times[i], times[i + 1])) <= MEET)
            return true;
    }
    return false;
}


/* ---- Shapes -------------------------------------------------------------- */

/* A box along the axes of the world. */
typedef struct span {
    vec3 low, high;
} span;

struct shell_shape {
    vsp_body_id body;
    bool is_shell, does_move, is_plane, is_convex;
    uint32_t point_count, edge_count, triangle_count;
    vec3 *own;   /* points in the frame of the shape */
    vec3 *at[2]; /* points in the world: before and now */
    uint32_t (*edges)[2];
    uint32_t (*triangles)[3];
    double radius;   /* m: radius around all points and edges */
    vec3 up, bottom; /* normal and a point of a half-space */
    span around[2];  /* before and now */
};

static void *take_memory(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);

    if (!memory)
        abort();
    return memory;
}

static void set_counts(shell_shape *s, uint32_t points, uint32_t triangles)
{
    s->point_count = points;
    s->own = take_memory(points, sizeof *s->own);
    s->at[0] = take_memory(points, sizeof *s->own);
    s->at[1] = take_memory(points, sizeof *s->own);
    s->triangles = take_memory(triangles, sizeof *s->triangles);
    s->edges = take_memory(3 * (size_t)triangles + 1, sizeof *s->edges);
}

static void add_triangle(shell_shape *s, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corner = s->triangles[s->triangle_count++];

    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

static int compare_edges(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;

    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

/* Lists each edge of the triangles once. */
static void find_edges(shell_shape *s)
{
    uint32_t all = 0, kept = 0;

    for (uint32_t i = 0; i < s->triangle_count; i++)
        for (int k = 0; k < 3; k++, all++) {
            uint32_t a = s->triangles[i][k], b = s->triangles[i][(k + 1) % 3];

            s->edges[all][0] = a < b ? a : b;
            s->edges[all][1] = a < b ? b : a;
        }
    qsort(s->edges, all, sizeof *s->edges, compare_edges);
    for (uint32_t i = 0; i < all; i++)
        if (kept == 0 || compare_edges(s->edges[i], s->edges[kept - 1]) != 0) {
            s->edges[kept][0] = s->edges[i][0];
            s->edges[kept++][1] = s->edges[i][1];
        }
    s->edge_count = kept;
}

static void read_mesh(shell_shape *s, const vsp_mesh *mesh)
{
    set_counts(s, mesh->vertex_count, mesh->triangle_count);
    for (uint32_t i = 0; i < s->point_count; i++)
        s->own[i] = place_point(mesh->vertices[i]);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint16_t *corner = mesh->triangles[i].vertex;

        add_triangle(s, corner[0], corner[1], corner[2]);
    }
}

/* Splits each cell from its corner of lowest x and z to that of highest. */
static void read_field(shell_shape *s, const vsp_height_field *field)
{
    uint32_t columns = field->columns, rows = field->rows;

    set_counts(s, columns * rows, 2 * columns * rows);
    for (uint32_t i = 0; i < s->point_count; i++)
        s->own[i] = field_point(field, (int)(i % columns), (int)(i / columns));
    for (uint32_t z = 0; z + 1 < rows; z++)
        for (uint32_t x = 0; x + 1 < columns; x++) {
            uint32_t a = z * columns + x, b = a + columns + 1;

            if (field->heights[a] == VSP_HOLE || field->heights[b] == VSP_HOLE)
                continue;
            if (field->heights[a + 1] != VSP_HOLE)
                add_triangle(s, a, b, a + 1);
            if (field->heights[b - 1] != VSP_HOLE)
                add_triangle(s, a, b - 1, b);
        }
}

static void read_box(shell_shape *s, vec3 half)
{
    static const uint8_t faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6},
                                        {0, 1, 5, 4}, {2, 3, 7, 6},
                                        {0, 2, 6, 4}, {1, 3, 7, 5}};

    set_counts(s, 8, 12);
    for (int i = 0; i < 8; i++)
        s->own[i] = vec_make((i & 1 ? 1 : -1) * half.x,
                             (i & 2 ? 1 : -1) * half.y,
                             (i & 4 ? 1 : -1) * half.z);
    for (int i = 0; i < 6; i++) {
        add_triangle(s, faces[i][0], faces[i][1], faces[i][2]);
        add_triangle(s, faces[i][0], faces[i][2], faces[i][3]);
    }
    s->is_convex = true;
}

static void read_hull(shell_shape *s, const vsp_hull *hull)
{
    set_counts(s, hull->vertex_count, hull->corner_count);
    for (uint32_t i = 0; i < s->point_count; i++)
        s->own[i] = place_point(hull->vertices[i]);
    for (uint32_t i = 0; i < hull->face_count; i++)
        for (uint32_t k = hull->first[i] + 2u; k < hull->first[i + 1]; k++)
            add_triangle(s, hull->corners[hull->first[i]], hull->corners[k - 1],
                         hull->corners[k]);
    s->is_convex = true;
}

static void read_round(shell_shape *s, double radius, double half_length)
{
    set_counts(s, half_length > 0 ? 2 : 1, 0);
    s->own[0] = vec_make(0, -half_length, 0);
    if (half_length > 0) {
        s->own[1] = vec_make(0, half_length, 0);
        s->edges[0][1] = 1;
        s->edge_count = 1;
    }
    s->radius = radius;
}

static void read_shape(shell_shape *s, const solid *from)
{
    memset(s, 0, sizeof *s);
    s->body = from->body;
    s->does_move = from->body_type != VSP_STATIC;
    s->is_shell = from->type == VSP_SHAPE_SHELL;
    s->is_plane = from->type == VSP_SHAPE_HALF_SPACE;
    if (from->is_sensor)
        set_counts(s, 0, 0);
    else if (s->is_shell || from->type == VSP_SHAPE_MESH)
        read_mesh(s, from->table);
    else if (from->type == VSP_SHAPE_HEIGHT_FIELD)
        read_field(s, from->table);
    else if (from->type == VSP_SHAPE_BOX)
        read_box(s, from->half);
    else if (from->type == VSP_SHAPE_HULL)
        read_hull(s, from->table);
    else if (from->type == VSP_SHAPE_SPHERE)
        read_round(s, from->bound, 0);
    else if (from->type == VSP_SHAPE_CAPSULE)
        read_round(s, from->half.x, from->half.y);
    else
        set_counts(s, 0, 0);
    if (s->triangle_count > 0)
        find_edges(s);
}

static void free_shape(shell_shape *s)
{
    free(s->own);
    free(s->at[0]);
    free(s->at[1]);
    free(s->edges);
    free(s->triangles);
}

static const span nowhere = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};

static void span_add(span *s, vec3 low, vec3 high)
{
    s->low = vec_min(s->low, low);
    s->high = vec_max(s->high, high);
}

static span span_grown(span s, double by)
{
    vec3 more = vec_make(by, by, by);

    s.low = vec_sub(s.low, more);
    s.high = vec_add(s.high, more);
    return s;
}

static bool do_spans_meet(const span *a, const span *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x &&
           a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

/* Reads the present pose of a shape; the last one becomes the one before. */
static void place_points(shell_shape *s, const solid *from)
{
    vec3 *points = s->at[0];

    s->at[0] = s->at[1];
    s->at[1] = points;
    s->around[0] = s->around[1];
    s->around[1] = nowhere;
    for (uint32_t i = 0; i < s->point_count; i++) {
        points[i] = solid_point(from, s->own[i]);
        span_add(&s->around[1], points[i], points[i]);
    }
    s->around[1] = span_grown(s->around[1], s->radius);
    s->up = from->axes[1];
    s->bottom = from->center;
}


/* ---- Features of a pair --------------------------------------------------
 * The features that reach into the span where both shapes are. */

enum { POINTS, EDGES, TRIANGLES, FEATURES };

typedef struct feature_list {
    uint32_t count;
    uint32_t *index;
    span *around;
} feature_list;

typedef struct near_features {
    const shell_shape *shape;
    feature_list of[FEATURES];
} near_features;

/* Writes the corners of a feature.  Returns their number. */
static uint32_t corners_of(const shell_shape *s, int kind, uint32_t index,
                           uint32_t corner[3])
{
    if (kind == POINTS)
        corner[0] = index;
    else if (kind == EDGES)
        memcpy(corner, s->edges[index], 2 * sizeof *corner);
    else
        memcpy(corner, s->triangles[index], 3 * sizeof *corner);
    return (uint32_t)kind + 1;
}

static uint32_t count_of(const shell_shape *s, int kind)
{
    return kind == POINTS  ? s->point_count
           : kind == EDGES ? s->edge_count
                           : s->triangle_count;
}

/* Lists the features that reach into a span, on straight paths from the pose
 * `first` (0 before, 1 now) to now.  Spans are enlarged by a margin. */
static void gather_features(const shell_shape *s, int first, const span *within,
                            double margin, near_features *out)
{
    out->shape = s;
    for (int kind = 0; kind < FEATURES; kind++) {
        feature_list *list = &out->of[kind];
        uint32_t all = count_of(s, kind), corner[3];

        list->count = 0;
        list->index = take_memory(all, sizeof *list->index);
        list->around = take_memory(all, sizeof *list->around);
        for (uint32_t i = 0; i < all; i++) {
            uint32_t corners = corners_of(s, kind, i, corner);
            span around = nowhere;

            for (uint32_t k = 0; k < corners; k++)
                for (int when = first; when < 2; when++)
                    span_add(&around, s->at[when][corner[k]],
                             s->at[when][corner[k]]);
            around = span_grown(around, s->radius + margin);
            if (!do_spans_meet(&around, within))
                continue;
            list->index[list->count] = i;
            list->around[list->count++] = around;
        }
    }
}

static void drop_features(near_features *of)
{
    for (int kind = 0; kind < FEATURES; kind++) {
        free(of->of[kind].index);
        free(of->of[kind].around);
    }
}

/* Lists the features of both shapes.  Returns false if the shapes are apart. */
static bool gather_pair(const shell_shape *a, const shell_shape *b, int first,
                        double margin, near_features near[2])
{
    span around[2], common;

    around[0] = a->around[1];
    around[1] = b->around[1];
    if (first == 0) {
        span_add(&around[0], a->around[0].low, a->around[0].high);
        span_add(&around[1], b->around[0].low, b->around[0].high);
    }
    around[0] = span_grown(around[0], margin);
    around[1] = span_grown(around[1], margin);
    if (!do_spans_meet(&around[0], &around[1]))
        return false;
    common.low = vec_max(around[0].low, around[1].low);
    common.high = vec_min(around[0].high, around[1].high);
    gather_features(a, first, &common, margin, &near[0]);
    gather_features(b, first, &common, margin, &near[1]);
    return true;
}

/* Writes the corners of two features: of the first, then of the second. */
static void fill_corners(const near_features *a, int a_kind, uint32_t i,
                         const near_features *b, int b_kind, uint32_t k,
                         int when, vec3 out[5])
{
    uint32_t corner[3], count, at = 0;

    count = corners_of(a->shape, a_kind, a->of[a_kind].index[i], corner);
    for (uint32_t j = 0; j < count; j++)
        out[at++] = a->shape->at[when][corner[j]];
    count = corners_of(b->shape, b_kind, b->of[b_kind].index[k], corner);
    for (uint32_t j = 0; j < count; j++)
        out[at++] = b->shape->at[when][corner[j]];
}


/* ---- Pairs --------------------------------------------------------------- */

/* The pair of shapes being tested. */
typedef struct pair_look {
    shell_check *check;
    uint32_t shapes[2];
    double radius; /* sum of both radii */
} pair_look;

static void add_fault(const pair_look *look, shell_fault *fault)
{
    if (fault->count++ > 0)
        return;
    fault->step = look->check->steps;
    fault->shapes[0] = look->shapes[0];
    fault->shapes[1] = look->shapes[1];
}

static void take_distance(const pair_look *look, double distance)
{
    shell_check *check = look->check;

    if (distance < 0)
        add_fault(look, &check->crossings);
    if (!(distance < check->distance))
        return;
    check->distance = fmax(distance, 0);
    check->nearest.count = 0;
    add_fault(look, &check->nearest);
}

typedef void feature_look(const pair_look *look, const near_features *a,
                          int a_kind, uint32_t i, const near_features *b,
                          int b_kind, uint32_t k);

/* Calls `call` for all pairs of features of two types whose spans overlap. */
static void each_pair(const pair_look *look, const near_features *a, int a_kind,
                      const near_features *b, int b_kind, feature_look *call)
{
    const feature_list *p = &a->of[a_kind], *q = &b->of[b_kind];

    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < q->count; k++)
            if (do_spans_meet(&p->around[i], &q->around[k]))
                call(look, a, a_kind, i, b, b_kind, k);
}

static void look_at_crossing(const pair_look *look, const near_features *a,
                             int a_kind, uint32_t i, const near_features *b,
                             int b_kind, uint32_t k)
{
    vec3 x[5];

    fill_corners(a, a_kind, i, b, b_kind, k, 1, x);
    if (shell_segment_crosses(x[0], x[1], x + 2))
        add_fault(look, &look->check->crossings);
}

static void look_at_distance(const pair_look *look, const near_features *a,
                             int a_kind, uint32_t i, const near_features *b,
                             int b_kind, uint32_t k)
{
    vec3 x[5];

    fill_corners(a, a_kind, i, b, b_kind, k, 1, x);
    take_distance(look,
                  shell_feature_distance(x, a_kind == EDGES) - look->radius);
}

static void look_at_pass(const pair_look *look, const near_features *a,
                         int a_kind, uint32_t i, const near_features *b,
                         int b_kind, uint32_t k)
{
    vec3 x[5], y[5];

    fill_corners(a, a_kind, i, b, b_kind, k, 0, x);
    fill_corners(a, a_kind, i, b, b_kind, k, 1, y);
    if (shell_features_pass(x, y, a_kind == EDGES, look->radius))
        add_fault(look, &look->check->passes);
}

/* Calls `call` for points with triangles, and edges with edges. */
static void each_meeting(const pair_look *look, const near_features near[2],
                         feature_look *call)
{
    each_pair(look, &near[0], POINTS, &near[1], TRIANGLES, call);
    each_pair(look, &near[1], POINTS, &near[0], TRIANGLES, call);
    each_pair(look, &near[0], EDGES, &near[1], EDGES, call);
}

/* Finds points of a sheet inside a convex solid, behind all its faces. */
static void look_inside(const pair_look *look, const near_features *of,
                        const shell_shape *convex)
{
    const vec3 *at = convex->at[1];
    vec3 middle = vec_make(0, 0, 0);

    for (uint32_t i = 0; i < convex->point_count; i++)
        middle = vec_mad(middle, 1.0 / convex->point_count, at[i]);
    for (uint32_t i = 0; i < of->of[POINTS].count; i++) {
        vec3 p = of->shape->at[1][of->of[POINTS].index[i]];
        bool is_inside = true;

        for (uint32_t k = 0; k < convex->triangle_count && is_inside; k++) {
            const uint32_t *t = convex->triangles[k];

            is_inside = (volume_of(at[t[0]], at[t[1]], at[t[2]], p) > 0) ==
                        (volume_of(at[t[0]], at[t[1]], at[t[2]], middle) > 0);
        }
        if (is_inside)
            add_fault(look, &look->check->crossings);
    }
}

static void look_now(const pair_look *look, const shell_shape *a,
                     const shell_shape *b)
{
    near_features near[2];

    if (!gather_pair(a, b, 1, 0.5 * SHELL_NEAR, near))
        return;
    if (look->radius == 0) {
        each_pair(look, &near[0], EDGES, &near[1], TRIANGLES, look_at_crossing);
        each_pair(look, &near[1], EDGES, &near[0], TRIANGLES, look_at_crossing);
    }
    each_meeting(look, near, look_at_distance);
    if (a->is_convex)
        look_inside(look, &near[1], a);
    if (b->is_convex)
        look_inside(look, &near[0], b);
    drop_features(&near[0]);
    drop_features(&near[1]);
}

static void look_at_way(const pair_look *look, const shell_shape *a,
                        const shell_shape *b)
{
    near_features near[2];

    if (!gather_pair(a, b, 0, MEET, near))
        return;
    each_meeting(look, near, look_at_pass);
    drop_features(&near[0]);
    drop_features(&near[1]);
}

/* Tests corners that move over a plane at rest: their heights have no minimum
 * between the ends. */
static void look_at_plane(const pair_look *look, const shell_shape *plane,
                          const shell_shape *sheet)
{
    for (uint32_t i = 0; i < sheet->point_count; i++)
        take_distance(
            look, vec_dot(plane->up, vec_sub(sheet->at[1][i], plane->bottom)));
}

static void look_at_pair(const pair_look *look)
{
    const shell_shape *a = look->check->shapes + look->shapes[0];
    const shell_shape *b = look->check->shapes + look->shapes[1];

    if (a->is_plane || b->is_plane) {
        look_at_plane(look, a->is_plane ? a : b, a->is_plane ? b : a);
        return;
    }
    look_now(look, a, b);
    if (look->check->finds_passes && look->check->steps > 0)
        look_at_way(look, a, b);
}


/* ---- Faults and looks ---------------------------------------------------- */

static solid solids[VSP_MAX_SHAPES];

static void look_at_all(shell_check *check)
{
    pair_look look;

    look.check = check;
    for (uint32_t i = 0; i < check->shape_count; i++)
        for (uint32_t k = i + 1; k < check->shape_count; k++) {
            const shell_shape *a = check->shapes + i, *b = check->shapes + k;

            if ((!a->is_shell && !b->is_shell) ||
                (!a->does_move && !b->does_move) ||
                a->body.bits == b->body.bits)
                continue;
            look.shapes[0] = i;
            look.shapes[1] = k;
            look.radius = a->radius + b->radius;
            look_at_pair(&look);
        }
}

void shell_check_begin(shell_check *check, const vsp_world *world,
                       bool finds_passes)
{
    memset(check, 0, sizeof *check);
    check->world = world;
    check->finds_passes = finds_passes;
    check->distance = SHELL_NEAR;
    check->shape_count = (uint32_t)solids_read(world, solids);
    check->shapes = take_memory(check->shape_count, sizeof *check->shapes);
    for (uint32_t i = 0; i < check->shape_count; i++) {
        read_shape(check->shapes + i, solids + i);
        place_points(check->shapes + i, solids + i);
    }
    look_at_all(check);
}

void shell_check_look(shell_check *check)
{
    uint32_t count = (uint32_t)solids_read(check->world, solids);

    check->steps++;
    for (uint32_t i = 0; i < count && i < check->shape_count; i++)
        place_points(check->shapes + i, solids + i);
    look_at_all(check);
}

void shell_check_end(shell_check *check)
{
    for (uint32_t i = 0; i < check->shape_count; i++)
        free_shape(check->shapes + i);
    free(check->shapes);
    check->shapes = NULL;
    check->shape_count = 0;
}

const char *shell_fault_text(const shell_check *check, const shell_fault *it)
{
    static char text[120];

    if (it->count == 0)
        return "none";
    snprintf(text, sizeof text, "step %u, shapes %u (%s) and %u (%s)",
             (unsigned)it->step, (unsigned)it->shapes[0],
             check->shapes[it->shapes[0]].is_shell ? "sheet" : "other",
             (unsigned)it->shapes[1],
             check->shapes[it->shapes[1]].is_shell ? "sheet" : "other");
    return text;
}


/* ---- Links --------------------------------------------------------------- */

int shell_links(const vec3 *a, int a_count, const vec3 *b, int b_count)
{
    vec3 fan[3];
    int links = 0;

    fan[0] = vec_make(0, 0, 0);
    for (int k = 0; k < b_count; k++)
        fan[0] = vec_mad(fan[0], 1.0 / b_count, b[k]);
    for (int i = 0; i < a_count; i++)
        for (int k = 0; k < b_count; k++) {
            vec3 from = a[i], to = a[(i + 1) % a_count];

            fan[1] = b[k];
            fan[2] = b[(k + 1) % b_count];
            if (shell_segment_crosses(from, to, fan))
                links += volume_of(fan[0], fan[1], fan[2], to) > 0 ? 1 : -1;
        }
    return abs(links);
}
