/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A depth buffer, filled with the faces of boxes (clipped, then row by row)
 * and with balls (one ray a pixel).  On a face the nearness, 1 / depth, is
 * linear in the pixel. */

#include "raster.h"

#include <stdlib.h>

/* m; what is nearer to the eye is cut off */
#define NEAREST 0.05

bool raster_create(raster *it, int width, int height, bool has_items)
{
    size_t pixels = (size_t)width * (size_t)height;

    it->near = malloc(pixels * sizeof *it->near);
    it->item = has_items ? malloc(pixels * sizeof *it->item) : NULL;
    return it->near && (it->item || !has_items);
}

void raster_free(raster *it)
{
    free(it->near);
    free(it->item);
}

static void clear(raster *it)
{
    size_t pixels = (size_t)it->from.width * (size_t)it->from.height;

    for (size_t i = 0; i < pixels; i++)
        it->near[i] = 0.0f;
    for (size_t i = 0; it->item && i < pixels; i++)
        it->item[i] = -1;
}

static void put(raster *it, size_t at, double near, int item)
{
    if ((float)near <= it->near[at])
        return;
    it->near[at] = (float)near;
    if (it->item)
        it->item[at] = item;
}


/* ---- Polygons ----------------------------------------------------------- */

/* Convex, in the view's axes; then x and y are pixels. */
typedef struct polygon {
    vec3 points[5]; /* a face cut once has five */
    int count;
} polygon;

/* A plane as the view sees it: nearness = x * pixel.x + y * pixel.y + rest. */
typedef struct slant {
    double x, y, rest;
} slant;

static slant plane_slant(const view *from, vec3 point, vec3 normal)
{
    double d = vec_dot(point, normal);
    slant result;

    result.x = normal.x / (from->focal * d);
    result.y = -normal.y / (from->focal * d);
    result.rest = normal.z / d - 0.5 * from->width * result.x -
                  0.5 * from->height * result.y;
    return result;
}

/* Leaves what is further than NEAREST. */
static void clip(const polygon *in, polygon *out)
{
    out->count = 0;
    for (int i = 0; i < in->count; i++) {
        vec3 a = in->points[i];
        vec3 b = in->points[(i + 1) % in->count];

        if (a.z >= NEAREST)
            out->points[out->count++] = a;
        if ((a.z >= NEAREST) != (b.z >= NEAREST))
            out->points[out->count++] = vec_mad(
                a, (NEAREST - a.z) / (b.z - a.z), vec_sub(b, a));
    }
}

/* Where a row of pixels is inside: from low on to below high. */
static void row_range(const polygon *it, double y, double *low, double *high)
{
    *low = 1e30;
    *high = -1e30;
    for (int i = 0; i < it->count; i++) {
        vec3 a = it->points[i];
        vec3 b = it->points[(i + 1) % it->count];
        double x;

        if ((a.y <= y) == (b.y <= y))
            continue;
        x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

/* The first whole pixel whose middle is not before x, within 0 to limit. */
static int first_pixel(double x, int limit)
{
    double pixel = ceil(x - 0.5);

    if (!(pixel > 0.0))
        return 0;
    return pixel < limit ? (int)pixel : limit;
}

static void fill_row(raster *it, const polygon *shape, const slant *plane,
                     int y, int item)
{
    double low;
    double high;
    size_t row = (size_t)y * (size_t)it->from.width;
    int end;

    row_range(shape, y + 0.5, &low, &high);
    end = first_pixel(high, it->from.width);
    for (int x = first_pixel(low, it->from.width); x < end; x++)
        put(it, row + (size_t)x,
            plane->x * (x + 0.5) + plane->y * (y + 0.5) + plane->rest, item);
}

static void fill(raster *it, const polygon *shape, const slant *plane,
                 int item)
{
    double low = 1e30;
    double high = -1e30;
    int end;

    for (int i = 0; i < shape->count; i++) {
        low = fmin(low, shape->points[i].y);
        high = fmax(high, shape->points[i].y);
    }
    end = first_pixel(high, it->from.height);
    for (int y = first_pixel(low, it->from.height); y < end; y++)
        fill_row(it, shape, plane, y, item);
}


/* ---- Solids ------------------------------------------------------------- */

static void set_face(polygon *face, const view *from, vec3 center, vec3 u,
                     vec3 v)
{
    face->count = 4;
    for (int i = 0; i < 4; i++) {
        vec3 point = vec_mad(center, i == 1 || i == 2 ? 1.0 : -1.0, u);

        point = vec_mad(point, i < 2 ? -1.0 : 1.0, v);
        face->points[i] = view_local(from, point);
    }
}

/* One face of a box: n is half the box's edge towards it, u and v are half
 * the edges along it. */
static void draw_face(raster *it, vec3 center, vec3 n, vec3 u, vec3 v,
                      int item)
{
    vec3 middle = vec_add(center, n);
    vec3 normal = vec_make(vec_dot(n, it->from.right),
                           vec_dot(n, it->from.up),
                           vec_dot(n, it->from.forward));
    polygon face;
    polygon seen;
    slant plane;

    if (vec_dot(n, vec_sub(it->from.eye, middle)) <= 0.0)
        return;
    set_face(&face, &it->from, middle, u, v);
    plane = plane_slant(&it->from, face.points[0], normal);
    clip(&face, &seen);
    for (int i = 0; i < seen.count; i++)
        seen.points[i] = view_project(&it->from, seen.points[i]);
    fill(it, &seen, &plane, item);
}

static void draw_box(raster *it, const solid *box, int item)
{
    vec3 edges[3];

    edges[0] = vec_scale(box->axes[0], box->half.x);
    edges[1] = vec_scale(box->axes[1], box->half.y);
    edges[2] = vec_scale(box->axes[2], box->half.z);
    for (int i = 0; i < 3; i++) {
        vec3 u = edges[(i + 1) % 3];
        vec3 v = edges[(i + 2) % 3];

        draw_face(it, box->center, edges[i], u, v, item);
        draw_face(it, box->center, vec_scale(edges[i], -1.0), u, v, item);
    }
}

/* The nearness at which a ray of depth 1 meets a ball; 0 if it does not. */
static double meet_ball(vec3 ray, vec3 center, double radius)
{
    double a = vec_dot(ray, ray);
    double b = vec_dot(ray, center);
    double c = vec_dot(center, center) - radius * radius;
    double root = b * b - a * c;

    return root < 0.0 ? 0.0 : a / (b - sqrt(root));
}

/* The pixels of one row in which a ball may be. */
static void fill_ball_row(raster *it, const solid *ball, vec3 center, int y,
                          int begin, int end, int item)
{
    const view *from = &it->from;
    vec3 ray;

    ray.y = (0.5 * from->height - y - 0.5) / from->focal;
    ray.z = 1.0;
    for (int x = begin; x < end; x++) {
        ray.x = (x + 0.5 - 0.5 * from->width) / from->focal;
        put(it, (size_t)y * (size_t)from->width + (size_t)x,
            meet_ball(ray, center, ball->bound), item);
    }
}

static void draw_ball(raster *it, const solid *ball, int item)
{
    const view *from = &it->from;
    vec3 center = view_local(from, ball->center);
    vec3 middle;
    double reach;
    int begin;
    int end;

    if (center.z < ball->bound + NEAREST)
        return;
    middle = view_project(from, center);
    /* no less than the ball's outline, which is an ellipse off the middle */
    reach = 1.0 + from->focal * ball->bound / (center.z - ball->bound) *
                      vec_length(center) / center.z;
    begin = first_pixel(middle.x - reach, from->width);
    end = first_pixel(middle.x + reach, from->width);
    for (int y = first_pixel(middle.y - reach, from->height);
         y < first_pixel(middle.y + reach, from->height); y++)
        fill_ball_row(it, ball, center, y, begin, end, item);
}

void raster_draw(raster *it, const view *from, const solid *solids,
                 int count)
{
    it->from = *from;
    clear(it);
    for (int i = 0; i < count; i++) {
        if (solids[i].type == VSP_SHAPE_BOX)
            draw_box(it, &solids[i], i);
        else if (solids[i].type == VSP_SHAPE_SPHERE)
            draw_ball(it, &solids[i], i);
    }
}
