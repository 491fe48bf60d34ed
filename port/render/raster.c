/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A depth buffer, filled with the faces of boxes, hulls and surfaces (clipped,
 * then row by row) and with round solids (one ray a pixel).  On a face the
 * nearness, 1 / depth, is linear in the pixel. */

#include "raster.h"

#include <stdlib.h>

/* m: distance of the near clipping plane */
#define NEAREST 0.05

bool raster_create(raster *it, int width, int height, bool has_items)
{
    size_t pixels = (size_t)width * (size_t)height;

    it->near = malloc(pixels * sizeof *it->near);
    it->item = has_items ? malloc(pixels * sizeof *it->item) : NULL;
    it->part = has_items ? malloc(pixels * sizeof *it->part) : NULL;
    return it->near && ((it->item && it->part) || !has_items);
}

void raster_free(raster *it)
{
    free(it->near);
    free(it->item);
    free(it->part);
}

static void clear_pixels(raster *it)
{
    size_t pixels = (size_t)it->from.width * (size_t)it->from.height;

    for (size_t i = 0; i < pixels; i++)
        it->near[i] = 0.0f;
    for (size_t i = 0; it->item && i < pixels; i++)
        it->item[i] = -1;
}

/* The solid that is being drawn, and its face or triangle. */
typedef struct owner {
    int item, part;
} owner;

static void put_pixel(raster *it, size_t at, double near, owner who)
{
    if ((float)near <= it->near[at])
        return;
    it->near[at] = (float)near;
    if (!it->item)
        return;
    it->item[at] = who.item;
    it->part[at] = who.part;
}


/* ---- Polygons ----------------------------------------------------------- */

#define MAX_CORNERS (VSP_MAX_HULL + 1) /* clipping once adds a corner */

/* A convex polygon, in the view's axes; after projection x and y are pixels. */
typedef struct polygon {
    vec3 points[MAX_CORNERS];
    int count;
} polygon;

/* A plane in pixels: nearness = x * pixel.x + y * pixel.y + rest. */
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
                     int y, owner who)
{
    double low;
    double high;
    size_t row = (size_t)y * (size_t)it->from.width;
    int end;

    row_range(shape, y + 0.5, &low, &high);
    end = first_pixel(high, it->from.width);
    for (int x = first_pixel(low, it->from.width); x < end; x++)
        put_pixel(it, row + (size_t)x,
                  plane->x * (x + 0.5) + plane->y * (y + 0.5) + plane->rest,
                  who);
}

static void fill_polygon(raster *it, const polygon *shape, const slant *plane,
                         owner who)
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
        fill_row(it, shape, plane, y, who);
}


/* ---- Solids ------------------------------------------------------------- */

/* Draws a face given in the world, anticlockwise around a normal of any length.
 * With has_back, also draws it from behind. */
static void draw_face(raster *it, polygon *face, vec3 n, bool has_back,
                      owner who)
{
    vec3 normal = vec_make(vec_dot(n, it->from.right), vec_dot(n, it->from.up),
                           vec_dot(n, it->from.forward));
    double side = vec_dot(n, vec_sub(it->from.eye, face->points[0]));
    polygon seen;
    slant plane;

    if (!(side > 0.0 || (has_back && side < 0.0)))
        return;
    for (int i = 0; i < face->count; i++)
        face->points[i] = view_local(&it->from, face->points[i]);
    plane = plane_slant(&it->from, face->points[0], normal);
    clip_polygon(face, &seen);
    for (int i = 0; i < seen.count; i++)
        seen.points[i] = view_project(&it->from, seen.points[i]);
    fill_polygon(it, &seen, &plane, who);
}

/* Draws one face of a box: n is the half extent towards it, u and v are the
 * half extents along it. */
static void draw_side(raster *it, vec3 center, vec3 n, vec3 u, vec3 v,
                      owner who)
{
    vec3 middle = vec_add(center, n);
    polygon face;

    face.count = 4;
    for (int i = 0; i < 4; i++) {
        vec3 point = vec_mad(middle, i == 1 || i == 2 ? 1.0 : -1.0, u);

        face.points[i] = vec_mad(point, i < 2 ? -1.0 : 1.0, v);
    }
    draw_face(it, &face, n, false, who);
}

static void draw_box(raster *it, const solid *box, int item)
{
    owner who = {item, 0};
    vec3 edges[3];

    edges[0] = vec_scale(box->axes[0], box->half.x);
    edges[1] = vec_scale(box->axes[1], box->half.y);
    edges[2] = vec_scale(box->axes[2], box->half.z);
    for (int i = 0; i < 3; i++) {
        vec3 u = edges[(i + 1) % 3];
        vec3 v = edges[(i + 2) % 3];

        draw_side(it, box->center, edges[i], u, v, who);
        draw_side(it, box->center, vec_scale(edges[i], -1.0), u, v, who);
    }
}

static void draw_hull(raster *it, const solid *what, int item)
{
    const vsp_hull *hull = what->table;

    for (int f = 0; f < hull->face_count; f++) {
        owner who = {item, f};
        polygon face;
        vec3 normal;

        face.count = 0;
        for (int i = hull->first[f]; i < hull->first[f + 1]; i++) {
            vec3 corner = place_point(hull->vertices[hull->corners[i]]);

            face.points[face.count++] = solid_point(what,
                                                    solid_scaled(what, corner));
        }
        (void)solid_plane(what, f, &normal);
        draw_face(it, &face, solid_direction(what, normal), false, who);
    }
}

/* Draws a triangle of a surface, from both sides. */
static void draw_triangle(raster *it, const solid *what, vec3 a, vec3 b, vec3 c,
                          owner who)
{
    polygon face;
    vec3 n;

    a = solid_scaled(what, a);
    b = solid_scaled(what, b);
    c = solid_scaled(what, c);
    n = vec_cross(vec_sub(b, a), vec_sub(c, a));
    face.count = 3;
    face.points[0] = solid_point(what, a);
    face.points[1] = solid_point(what, b);
    face.points[2] = solid_point(what, c);
    draw_face(it, &face, solid_direction(what, n), true, who);
}

static void draw_mesh(raster *it, const solid *what, int item)
{
    const vsp_mesh *mesh = what->table;

    for (int i = 0; i < mesh->triangle_count; i++) {
        const uint16_t *corner = mesh->triangles[i].vertex;
        owner who = {item, i};

        draw_triangle(it, what, place_point(mesh->vertices[corner[0]]),
                      place_point(mesh->vertices[corner[1]]),
                      place_point(mesh->vertices[corner[2]]), who);
    }
}

static bool is_hole(const vsp_height_field *field, int column, int row)
{
    return field->heights[row * field->columns + column] == VSP_HOLE;
}

/* Draws both triangles of a cell, unless a corner is a hole. */
static void draw_cell(raster *it, const solid *what, int column, int row,
                      int item)
{
    const vsp_height_field *field = what->table;
    owner who = {item, 0};
    vec3 low, high;

    if (is_hole(field, column, row) || is_hole(field, column + 1, row + 1))
        return;
    low = field_point(field, column, row);
    high = field_point(field, column + 1, row + 1);
    if (!is_hole(field, column, row + 1))
        draw_triangle(it, what, low, field_point(field, column, row + 1), high,
                      who);
    if (!is_hole(field, column + 1, row))
        draw_triangle(it, what, low, high, field_point(field, column + 1, row),
                      who);
}

static void draw_field(raster *it, const solid *what, int item)
{
    const vsp_height_field *field = what->table;

    for (int row = 0; row + 1 < field->rows; row++)
        for (int column = 0; column + 1 < field->columns; column++)
            draw_cell(it, what, column, row, item);
}


/* ---- Round solids ------------------------------------------------------- */

/* Returns the nearness at which a ray of depth 1 meets a ball; 0 if it does
 * not. */
static double meet_ball(vec3 ray, vec3 center, double radius)
{
    double a = vec_dot(ray, ray);
    double b = vec_dot(ray, center);
    double c = vec_dot(center, center) - radius * radius;
    double root = b * b - a * c;

    return root < 0.0 ? 0.0 : a / (b - sqrt(root));
}

/* Returns the nearness at which a ray meets a cylinder without caps, between
 * its ends; 0 if it does not. */
static double meet_cylinder(vec3 ray, vec3 center, vec3 axis, double radius,
                            double half)
{
    vec3 r = vec_mad(ray, -vec_dot(ray, axis), axis);
    vec3 d = vec_mad(center, -vec_dot(center, axis), axis);
    double near = meet_ball(r, d, radius);
    double along;

    if (near <= 0.0)
        return 0.0;
    along = vec_dot(vec_sub(vec_scale(ray, 1.0 / near), center), axis);
    return fabs(along) <= half ? near : 0.0;
}

static double meet_capsule(vec3 ray, const solid *it, vec3 center)
{
    vec3 axis = it->axes[1];
    double radius = it->half.x;
    double half = it->half.y;
    double ends = fmax(meet_ball(ray, vec_mad(center, half, axis), radius),
                       meet_ball(ray, vec_mad(center, -half, axis), radius));

    return fmax(ends, meet_cylinder(ray, center, axis, radius, half));
}

/* Returns the nearness at which a ray of depth 1 meets a cylinder or cone; 0 if
 * it does not: where it comes in through a disc or through the side. */
static double meet_turned(vec3 ray, const solid *it, vec3 center)
{
    vec3 at = solid_local_direction(it, vec_scale(center, -1.0));
    vec3 way = solid_local_direction(it, ray);
    double half = it->half.y, best = 1e30;
    double slope = 0.5 * (it->half.z - it->half.x) / half;
    double middle = 0.5 * (it->half.z + it->half.x) + slope * at.y;
    double a = way.x * way.x + way.z * way.z - slope * slope * way.y * way.y;
    double b = at.x * way.x + at.z * way.z - slope * middle * way.y;
    double c = at.x * at.x + at.z * at.z - middle * middle;
    double root = b * b - a * c;

    for (int sign = -1; sign <= 1; sign += 2) {
        double radius = sign < 0 ? it->half.x : it->half.z;
        double t = (sign * half - at.y) / way.y;

        if (t > 0.0 && hypot(at.x + t * way.x, at.z + t * way.z) <= radius)
            best = fmin(best, t);
        t = (-b + sign * sqrt(fmax(root, 0.0))) / a;
        if (root > 0.0 && t > 0.0 && fabs(at.y + t * way.y) <= half)
            best = fmin(best, t);
    }
    return best < 1e30 ? 1.0 / best : 0.0;
}

static double meet_taper(vec3 ray, const solid *it, vec3 center)
{
    vec3 low = vec_mad(center, -it->half.y, it->axes[1]);
    vec3 high = vec_mad(center, it->half.y, it->axes[1]);
    double middle;
    solid side = taper_side(it, &middle);
    double ends = fmax(meet_ball(ray, low, it->half.x),
                       meet_ball(ray, high, it->half.z));

    return fmax(ends,
                meet_turned(ray, &side, vec_mad(center, middle, it->axes[1])));
}

/* Traces a ray of depth 1 through a distance field, from its entry into the
 * bounding ball to the exit (sphere tracing).  Returns the nearness; 0 without
 * a hit. */
static double meet_sdf(vec3 ray, const solid *it, vec3 center)
{
    double length = vec_length(ray);
    double middle = vec_dot(ray, center) / length;
    double half = it->bound * it->bound + middle * middle -
                  vec_dot(center, center);
    vec3 from = solid_local_direction(it, vec_scale(center, -1.0));
    vec3 local = solid_local_direction(it, vec_scale(ray, 1.0 / length));
    double least = 1e-3 * it->bound;
    double way = middle - sqrt(fmax(half, 0.0));

    if (half <= 0.0)
        return 0.0;
    for (int i = 0; i < 200 && way < middle + sqrt(half); i++) {
        double free = sdf_distance(it->table, vec_mad(from, way, local));

        if (free < 0.2 * least)
            return length / way;
        way += fmax(0.9 * free, least);
    }
    return 0.0;
}

static double meet_solid(vec3 ray, const solid *it, vec3 center)
{
    if (it->type == VSP_SHAPE_SDF)
        return meet_sdf(ray, it, center);
    if (it->type == VSP_SHAPE_CAPSULE)
        return meet_capsule(ray, it, center);
    if (is_turned_solid(it))
        return meet_turned(ray, it, center);
    if (it->type == VSP_SHAPE_TAPER)
        return meet_taper(ray, it, center);
    return meet_ball(ray, center, it->bound);
}

/* Draws a solid by a ray through each pixel of its bounding ball. */
static void draw_round(raster *it, const solid *what, int item)
{
    const view *from = &it->from;
    vec3 center = vec_sub(what->center, from->eye);
    vec3 local = view_local(from, what->center);
    owner who = {item, 0};
    vec3 middle;
    double reach;
    int begin, end, last;

    if (local.z < what->bound + NEAREST)
        return;
    middle = view_project(from, local);
    /* at least the ball's outline, which off the middle is an ellipse */
    reach = 1.0 + from->focal * what->bound / (local.z - what->bound) *
                      vec_length(local) / local.z;
    begin = first_pixel(middle.x - reach, from->width);
    end = first_pixel(middle.x + reach, from->width);
    last = first_pixel(middle.y + reach, from->height);
    for (int y = first_pixel(middle.y - reach, from->height); y < last; y++)
        for (int x = begin; x < end; x++)
            put_pixel(
                it, (size_t)y * (size_t)from->width + (size_t)x,
                meet_solid(view_ray(from, x + 0.5, y + 0.5), what, center),
                who);
}

static void draw_solid(raster *it, const solid *what, int item)
{
    switch (what->type) {
    case VSP_SHAPE_SPHERE:
    case VSP_SHAPE_CAPSULE:
    case VSP_SHAPE_CYLINDER:
    case VSP_SHAPE_CONE:
    case VSP_SHAPE_TAPER:
    case VSP_SHAPE_SDF:
        draw_round(it, what, item);
        break;
    case VSP_SHAPE_BOX:
        draw_box(it, what, item);
        break;
    case VSP_SHAPE_HULL:
        draw_hull(it, what, item);
        break;
    case VSP_SHAPE_MESH:
    case VSP_SHAPE_SHELL: /* the first member of a shell is a mesh */
        draw_mesh(it, what, item);
        break;
    case VSP_SHAPE_HEIGHT_FIELD:
        draw_field(it, what, item);
        break;
    default:
        break;
    }
}

void raster_draw(raster *it, const view *from, const solid *solids, int count)
{
    it->from = *from;
    clear_pixels(it);
    for (int i = 0; i < count; i++)
        if (!solids[i].is_sensor)
            draw_solid(it, &solids[i], i);
}
