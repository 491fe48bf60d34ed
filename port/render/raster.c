/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A depth buffer, filled with faces: clipped, then row by row.  On a face the
 * nearness, 1 / depth, is linear in the pixel. */

#include "raster.h"

#include <stdlib.h>

/* m: distance of the near clipping plane */
#define NEAREST 0.05

bool raster_create(raster *it, int width, int height, bool has_faces)
{
    size_t pixels = (size_t)width * (size_t)height;

    it->near = malloc(pixels * sizeof *it->near);
    it->face = has_faces ? malloc(pixels * sizeof *it->face) : NULL;
    return it->near && (it->face || !has_faces);
}

void raster_free(raster *it)
{
    free(it->near);
    free(it->face);
}

static void clear_pixels(raster *it)
{
    size_t pixels = (size_t)it->from.width * (size_t)it->from.height;

    for (size_t i = 0; i < pixels; i++)
        it->near[i] = 0.0f;
    for (size_t i = 0; it->face && i < pixels; i++)
        it->face[i] = -1;
}

static void put_pixel(raster *it, size_t at, double near, int number)
{
    if ((float)near <= it->near[at])
        return;
    it->near[at] = (float)near;
    if (it->face)
        it->face[at] = number;
}


/* ---- Polygons ----------------------------------------------------------- */

#define MAX_CORNERS 4 /* of a clipped triangle */

/* A convex polygon, in the view's axes; after projection x and y are pixels. */
typedef struct polygon {
    vec3 points[MAX_CORNERS];
    int count;
} polygon;

/* A plane in pixels: nearness = x * pixel.x + y * pixel.y + rest, within that
 * of the corners, as planes seen from the side are steep. */
typedef struct slant {
    double x, y, rest;
    double low, high;
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

/* Clips a polygon at the near plane. */
static void clip_polygon(const polygon *in, polygon *out)
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

static void bound_slant(slant *plane, const polygon *shape)
{
    plane->low = 1e30;
    plane->high = 0.0;
    for (int i = 0; i < shape->count; i++) {
        plane->low = fmin(plane->low, shape->points[i].z);
        plane->high = fmax(plane->high, shape->points[i].z);
    }
}

static double nearness_at(const slant *plane, double x, double y)
{
    return fmin(fmax(plane->x * x + plane->y * y + plane->rest, plane->low),
                plane->high);
}

/* Computes the interval of a row of pixels inside the polygon: low to below
 * high. */
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

/* Returns the first pixel whose centre is at or after x, within 0 to limit. */
static int first_pixel(double x, int limit)
{
    double pixel = ceil(x - 0.5);

    if (!(pixel > 0.0))
        return 0;
    return pixel < limit ? (int)pixel : limit;
}

static void fill_row(raster *it, const polygon *shape, const slant *plane,
                     int y, int number)
{
    double low;
    double high;
    size_t row = (size_t)y * (size_t)it->from.width;
    int end;

    row_range(shape, y + 0.5, &low, &high);
    end = first_pixel(high, it->from.width);
    for (int x = first_pixel(low, it->from.width); x < end; x++)
        put_pixel(it, row + (size_t)x, nearness_at(plane, x + 0.5, y + 0.5),
                  number);
}

static void fill_polygon(raster *it, const polygon *shape, const slant *plane,
                         int number)
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
        fill_row(it, shape, plane, y, number);
}


/* ---- Faces -------------------------------------------------------------- */

/* Draws a face from both sides. */
static void draw_face(raster *it, const face *what, int number)
{
    const view *from = &it->from;
    vec3 normal = vec_make(vec_dot(what->flat, from->right),
                           vec_dot(what->flat, from->up),
                           vec_dot(what->flat, from->forward));
    polygon whole, seen;
    slant plane;

    if (vec_dot(what->flat, vec_sub(from->eye, what->at[0])) == 0.0)
        return;
    whole.count = 3;
    for (int i = 0; i < 3; i++)
        whole.points[i] = view_local(from, what->at[i]);
    plane = plane_slant(from, whole.points[0], normal);
    clip_polygon(&whole, &seen);
    for (int i = 0; i < seen.count; i++)
        seen.points[i] = view_project(from, seen.points[i]);
    bound_slant(&plane, &seen);
    fill_polygon(it, &seen, &plane, number);
}

void raster_draw(raster *it, const view *from, const face *faces, int count)
{
    it->from = *from;
    clear_pixels(it);
    for (int i = 0; i < count; i++)
        draw_face(it, &faces[i], i);
}
