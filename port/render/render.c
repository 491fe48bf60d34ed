/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The renderer: light and shadow, surfaces, and the picture.  Rasters find the
 * face of a sample; its colour follows from the sample's point.  A pixel is the
 * mean of 2 * 2 samples. */

#include "render.h"

#include <stdlib.h>

#include "drawing.h"
#include "raster.h"

#define SAMPLES 2         /* samples along each side of a pixel */
#define SUN_PIXELS 2048   /* pixels along each side of the shadow map */
#define MOVIE_SUN 1024    /* the same of a moving picture */
#define FIELD_OF_VIEW 0.5 /* rad */
#define SUN_ANGLE 0.02    /* rad: apparent size of the sun */

typedef struct stage {
    drawing seen;
    raster eye;
    raster sun;
    vec3 to_sun;  /* unit vector */
    double texel; /* size of a pixel of the shadow map, m */
    double reach; /* size of the bounds of the picture, m */
} stage;


/* ---- Options ------------------------------------------------------------ */

render_options render_options_default(void)
{
    render_options options = {960, 720, 30.0, 14.0, false, false, false};

    return options;
}


/* ---- Light -------------------------------------------------------------- */

static vec3 mix_colours(vec3 a, vec3 b, double part)
{
    return vec_mad(a, part, vec_sub(b, a));
}

static double clamp_number(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Returns a smooth step: 0 at low, 1 at high. */
static double smooth(double low, double high, double x)
{
    double part = clamp_number((x - low) / (high - low), 0.0, 1.0);

    return part * part * (3.0 - 2.0 * part);
}

static vec3 sky_color(vec3 ray)
{
    double height = ray.y / vec_length(ray);
    vec3 horizon = colour_from_display(0.90, 0.93, 0.96);

    return mix_colours(horizon, colour_from_display(0.58, 0.72, 0.88),
                       smooth(-0.05, 0.6, height));
}

/* Whether a point at this pixel of the shadow map is in the sun. */
static double is_lit(const stage *it, int x, int y, double near)
{
    const view *from = &it->sun.from;

    if (x < 0 || y < 0 || x >= from->width || y >= from->height)
        return 1.0;
    return (double)it->sun.near[y * from->width + x] <= near ? 1.0 : 0.0;
}

/* Returns the fraction of sunlight at a point: a bilinear mean of nine pixels
 * of the shadow map. */
static double sunlight(const stage *it, vec3 point, vec3 normal)
{
    vec3 lifted = vec_mad(point, 2.0 * it->texel, normal);
    vec3 local = view_local(&it->sun.from, lifted);
    vec3 at = view_project(&it->sun.from, local);
    double near = at.z + 0.5 * it->texel * at.z * at.z;
    int x = (int)floor(at.x - 1.0);
    int y = (int)floor(at.y - 1.0);
    double part_x = at.x - 1.0 - x;
    double part_y = at.y - 1.0 - y;
    double sum = 0.0;

    for (int row = 0; row < 3; row++) {
        double weight = row == 0 ? 1.0 - part_y : row == 2 ? part_y : 1.0;

        sum += weight * ((1.0 - part_x) * is_lit(it, x, y + row, near) +
                         is_lit(it, x + 1, y + row, near) +
                         part_x * is_lit(it, x + 2, y + row, near));
    }
    return sum * 0.25;
}

/* Shades a matt surface. */
static vec3 light(const stage *it, vec3 tint, vec3 point, vec3 normal)
{
    vec3 ambient = mix_colours(vec_make(0.30, 0.27, 0.25),
                               vec_make(0.50, 0.55, 0.62),
                               0.5 + 0.5 * normal.y);
    double slope = vec_dot(normal, it->to_sun);

    if (slope > 0.0)
        ambient = vec_mad(ambient, slope * sunlight(it, point, normal),
                          vec_make(1.02, 0.96, 0.86));
    return vec_multiply(tint, ambient);
}


/* ---- Surfaces ----------------------------------------------------------- */

/* Returns the darkness of grid lines, `spacing` apart and at least `width`
 * wide, m. */
static double grid_line(double x, double spacing, double width)
{
    double distance = fabs(x - spacing * floor(x / spacing + 0.5));
    double line = fmax(0.02, width);

    return (1.0 - smooth(0.5 * line, 1.5 * line, distance)) * 0.02 / line;
}

static double grid(double u, double v, double width)
{
    double fine = fmax(grid_line(u, 1.0, width), grid_line(v, 1.0, width));
    double coarse = fmax(grid_line(u, 5.0, width * 0.4),
                         grid_line(v, 5.0, width * 0.4));

    return fmax(fine, coarse);
}

static vec3 ground_color(const stage *it, vec3 ray, double depth)
{
    vec3 point = vec_mad(it->eye.from.eye, depth, ray);
    vec3 d = vec_sub(point, it->seen.ground);
    vec3 normal = it->seen.ground_axes[1];
    double slant = fabs(vec_dot(normal, ray)) / vec_length(ray);
    double width = 0.6 * SAMPLES * depth / it->eye.from.focal;
    double line = grid(vec_dot(d, it->seen.ground_axes[0]),
                       vec_dot(d, it->seen.ground_axes[2]),
                       width / fmax(slant, 0.02));
    vec3 tint = mix_colours(colour_from_display(0.80, 0.80, 0.79),
                            colour_from_display(0.62, 0.64, 0.66), line);
    double far = smooth(2.5 * it->reach, 12.0 * it->reach, depth);

    return mix_colours(light(it, tint, point, normal), sky_color(ray), far);
}

/* Returns the distance of a point from the line through a side of a face. */
static double side_distance(const face *what, int side, vec3 point)
{
    vec3 a = what->at[side];
    vec3 way = vec_unit(vec_sub(what->at[(side + 1) % 3], a));

    return vec_length(vec_cross(way, vec_sub(point, a)));
}

static double nearest_edge(const face *what, vec3 point)
{
    double distance = 1e30;

    for (int i = 0; i < 3; i++)
        if (what->is_edge[i])
            distance = fmin(distance, side_distance(what, i, point));
    return distance;
}

/* Returns the darkness of the lines along the edges of a face, and of those
 * that continue it, at least about a pixel wide. */
static double edge_line(const stage *it, const face *what, vec3 point,
                        double width)
{
    double distance = nearest_edge(what, point);
    double line = fmax(fmin(0.016, 0.0025 * it->reach), 0.9 * width);

    for (int i = 0; i < 3 && !what->is_curved; i++)
        if (!what->is_edge[i])
            distance = fmin(
                distance,
                nearest_edge(&it->seen.faces[what->beside[i]], point));
    return (1.0 - smooth(0.5 * line, 1.5 * line, distance)) *
           fmin(1.0, 0.5 + 0.016 / line);
}

/* Returns the normal of the surface at a point of a face: the mean of those of
 * its corners, by their areas. */
static vec3 surface_normal(const face *what, vec3 point)
{
    vec3 sum = vec_make(0.0, 0.0, 0.0);

    if (!what->is_curved)
        return what->flat;
    for (int i = 0; i < 3; i++) {
        vec3 a = vec_sub(what->at[(i + 1) % 3], point);
        vec3 b = vec_sub(what->at[(i + 2) % 3], point);

        sum = vec_mad(sum, vec_dot(vec_cross(a, b), what->flat),
                      what->normal[i]);
    }
    return vec_unit(sum);
}

/* Returns the reflection of the sun in a curved surface. */
static double shine(const stage *it, const face *what, vec3 normal)
{
    vec3 between = vec_unit(vec_sub(it->to_sun, it->eye.from.forward));

    return what->is_curved ? 0.2 * smooth(0.93, 1.0, vec_dot(normal, between))
                           : 0.0;
}

static vec3 face_color(const stage *it, const face *what, vec3 ray,
                       double depth)
{
    vec3 point = vec_mad(it->eye.from.eye, depth, ray);
    double dark = 0.6 * edge_line(it, what, point, depth / it->eye.from.focal);
    vec3 normal = surface_normal(what, point);

    if (vec_dot(what->flat, ray) > 0.0)
        normal = vec_scale(normal, -1.0);
    return vec_mad(light(it, vec_scale(what->tint, 1.0 - dark), point, normal),
                   shine(it, what, normal), vec_make(1.0, 1.0, 1.0));
}

/* Returns the colour of the background. */
static vec3 far_color(const stage *it, vec3 ray, double depth)
{
    return depth > 0.0 ? ground_color(it, ray, depth) : sky_color(ray);
}

/* Returns the depth at which a ray meets the ground; 0 if it does not. */
static double meet_ground(const stage *it, vec3 ray)
{
    double slope;

    if (!it->seen.has_ground)
        return 0.0;
    slope = vec_dot(it->seen.ground_axes[1], ray);
    if (slope >= 0.0)
        return 0.0;
    return vec_dot(it->seen.ground_axes[1],
                   vec_sub(it->seen.ground, it->eye.from.eye)) /
           slope;
}

static vec3 sample_color(const stage *it, int x, int y)
{
    size_t at = (size_t)y * (size_t)it->eye.from.width + (size_t)x;
    vec3 ray = view_ray(&it->eye.from, x + 0.5, y + 0.5);
    double depth = meet_ground(it, ray);
    int number = it->eye.face[at];

    if (number >= 0 && (depth <= 0.0 || (double)it->eye.near[at] * depth > 1.0))
        return face_color(it, &it->seen.faces[number], ray,
                          1.0 / (double)it->eye.near[at]);
    return far_color(it, ray, depth);
}


/* ---- Picture ------------------------------------------------------------ */

static unsigned char screen_byte(double linear)
{
    return (unsigned char)(255.0 * sqrt(clamp_number(linear, 0.0, 1.0)) + 0.5);
}

static void put_pixel(unsigned char *rgb, vec3 color)
{
    rgb[0] = screen_byte(color.x);
    rgb[1] = screen_byte(color.y);
    rgb[2] = screen_byte(color.z);
}

/* Whether none of a pixel's samples shows a face. */
static bool is_empty(const stage *it, int x, int y)
{
    const int *number = it->eye.face +
                        (size_t)y * SAMPLES * (size_t)it->eye.from.width +
                        (size_t)x * SAMPLES;

    for (int row = 0; row < SAMPLES; row++)
        for (int i = 0; i < SAMPLES; i++)
            if (number[row * it->eye.from.width + i] >= 0)
                return false;
    return true;
}

/* Returns the colour of sky or ground from one sample, as they have no
 * edges. */
static vec3 empty_color(const stage *it, int x, int y)
{
    vec3 ray = view_ray(&it->eye.from, (x + 0.5) * SAMPLES,
                        (y + 0.5) * SAMPLES);

    return far_color(it, ray, meet_ground(it, ray));
}

static vec3 pixel_color(const stage *it, int x, int y)
{
    vec3 sum = vec_make(0.0, 0.0, 0.0);

    if (is_empty(it, x, y))
        return empty_color(it, x, y);
    for (int i = 0; i < SAMPLES * SAMPLES; i++)
        sum = vec_add(sum, sample_color(it, x * SAMPLES + i % SAMPLES,
                                        y * SAMPLES + i / SAMPLES));
    return vec_scale(sum, 1.0 / (SAMPLES * SAMPLES));
}

static void draw_pixels(const stage *it, int width, int height,
                        unsigned char *rgb)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            put_pixel(rgb + 3 * ((size_t)y * (size_t)width + (size_t)x),
                      pixel_color(it, x, y));
}

/* A line in pixels.  It goes along x, or along y if it is_steep: at this
 * position the other coordinate and the nearness grow by their slopes. */
typedef struct flat_line {
    vec3 from;
    double slope, near_slope;
    bool is_steep;
    vec3 tint;
} flat_line;

/* Blends a pixel with a colour, over everything; faintly if that is behind a
 * face. */
static void blend_pixel(const stage *it, const view *from, int x, int y,
                        double near, double part, vec3 tint, unsigned char *rgb)
{
    const double parts[3] = {tint.x, tint.y, tint.z};
    size_t sample;

    if (x < 0 || y < 0 || x >= from->width || y >= from->height)
        return;
    sample = (size_t)y * SAMPLES * (size_t)it->eye.from.width +
             (size_t)x * SAMPLES;
    rgb += 3 * ((size_t)y * (size_t)from->width + (size_t)x);
    if (1.003 * near < (double)it->eye.near[sample])
        part *= 0.3;
    for (int i = 0; i < 3; i++)
        rgb[i] = (unsigned char)(rgb[i] + part * (parts[i] - rgb[i]));
}

/* Draws the pixels about a line, two pixels wide, at a position along it. */
static void draw_across(const stage *it, const view *from,
                        const flat_line *line, int along, unsigned char *rgb)
{
    vec3 a = line->from;
    double way = along + 0.5 - (line->is_steep ? a.y : a.x);
    double middle = (line->is_steep ? a.x : a.y) + way * line->slope;
    double squeeze = 1.0 / sqrt(1.0 + line->slope * line->slope);
    int begin = (int)clamp_number(floor(middle) - 2.0, -9.0, 1e6);

    for (int i = begin; i < begin + 5; i++) {
        double off = fabs(i + 0.5 - middle) * squeeze;

        blend_pixel(it, from, line->is_steep ? i : along,
                    line->is_steep ? along : i, a.z + way * line->near_slope,
                    clamp_number(1.5 - off, 0.0, 1.0), line->tint, rgb);
    }
}

static void draw_flat_line(const stage *it, const view *from, vec3 a, vec3 b,
                           vec3 tint, unsigned char *rgb)
{
    vec3 way = vec_sub(b, a);
    flat_line line = {a, 0.0, 0.0, fabs(way.x) < fabs(way.y), tint};
    double length = line.is_steep ? way.y : way.x;
    double low = (line.is_steep ? a.y : a.x) + fmin(length, 0.0);
    int limit = line.is_steep ? from->height : from->width;
    int first = (int)clamp_number(floor(low), 0.0, limit);
    int end = (int)clamp_number(ceil(low + fabs(length)), 0.0, limit);

    if (length != 0.0) {
        line.slope = (line.is_steep ? way.x : way.y) / length;
        line.near_slope = way.z / length;
    }
    for (int i = first; i < end; i++)
        draw_across(it, from, &line, i, rgb);
}

/* Draws the part of a line in front of the camera. */
static void draw_line(const stage *it, const view *from, const drawn_line *line,
                      unsigned char *rgb)
{
    const double nearest = 0.1; /* m */
    vec3 a = view_local(from, line->a);
    vec3 b = view_local(from, line->b);

    if (a.z < nearest && b.z < nearest)
        return;
    if (a.z < nearest)
        a = vec_mad(b, (b.z - nearest) / (b.z - a.z), vec_sub(a, b));
    if (b.z < nearest)
        b = vec_mad(a, (a.z - nearest) / (a.z - b.z), vec_sub(b, a));
    draw_flat_line(it, from, view_project(from, a), view_project(from, b),
                   line->tint, rgb);
}


/* ---- Stage -------------------------------------------------------------- */

/* Returns the direction of a view or of light, from angles in degrees. */
static vec3 direction(double azimuth, double elevation)
{
    double a = azimuth * PI / 180.0;
    double e = elevation * PI / 180.0;

    return vec_make(-sin(a) * cos(e), -sin(e), -cos(a) * cos(e));
}

/* Returns the bounds of the faces that can cast a shadow into the picture, so
 * that the shadow map need not cover the whole world.  In a moving picture they
 * must not follow bodies, or edges of shadows would flicker. */
static bounds shadow_bounds(const stage *it, const bounds *frame, bool is_movie)
{
    bounds box = *frame;
    vec3 middle = vec_scale(vec_add(frame->low, frame->high), 0.5);
    vec3 wider = vec_scale(vec_sub(frame->high, frame->low), 0.25);

    if (is_movie) {
        box.low = vec_sub(box.low, wider);
        box.high = vec_add(box.high, wider);
        return box;
    }
    for (int i = 0; i < 3 * it->seen.face_count; i++) {
        vec3 point = it->seen.faces[i / 3].at[i % 3];

        if (vec_length(vec_sub(point, middle)) > 1.5 * it->reach)
            continue;
        box.low = vec_min(box.low, point);
        box.high = vec_max(box.high, point);
    }
    return box;
}

static void set_sun(stage *it, const bounds *frame,
                    const render_options *options)
{
    bounds box = shadow_bounds(it, frame, options->is_movie);
    vec3 down = direction(options->azimuth - 50.0, 50.0);
    int size = options->is_movie ? MOVIE_SUN : SUN_PIXELS;
    view from = view_of_box(&box, down, size, size, SUN_ANGLE, 0.99);
    vec3 middle = vec_scale(vec_add(box.low, box.high), 0.5);

    it->to_sun = vec_scale(down, -1.0);
    it->texel = view_local(&from, middle).z / from.focal;
    raster_draw(&it->sun, &from, it->seen.faces, it->seen.face_count);
}

static void set_stage(stage *it, const bounds *frame,
                      const render_options *options)
{
    view from = view_of_box(frame,
                            direction(options->azimuth, options->elevation),
                            options->width * SAMPLES, options->height * SAMPLES,
                            FIELD_OF_VIEW, 0.8);

    it->reach = bounds_size(frame);
    raster_draw(&it->eye, &from, it->seen.faces, it->seen.face_count);
    set_sun(it, frame, options);
}

static void draw_world(stage *it, const bounds *frame,
                       const render_options *options, unsigned char *rgb)
{
    view from;

    set_stage(it, frame, options);
    draw_pixels(it, options->width, options->height, rgb);
    from = it->eye.from;
    from.width = options->width;
    from.height = options->height;
    from.focal /= SAMPLES;
    for (int i = 0; i < it->seen.line_count; i++)
        draw_line(it, &from, &it->seen.lines[i], rgb);
}

static uint32_t wanted_parts(const render_options *options)
{
    return VSP_DRAW_SHAPES | VSP_DRAW_JOINTS |
           (options->show_contacts ? VSP_DRAW_CONTACTS : 0) |
           (options->show_layers ? VSP_DRAW_LAYERS : 0);
}

bool render_world(const vsp_world *world, const bounds *frame,
                  const render_options *options, unsigned char *rgb)
{
    stage it;
    bool has_memory = drawing_read(&it.seen, world, wanted_parts(options),
                                   bounds_size(frame));
    bool has_eye = raster_create(&it.eye, options->width * SAMPLES,
                                 options->height * SAMPLES, true);
    bool has_sun = raster_create(&it.sun, SUN_PIXELS, SUN_PIXELS, false);

    has_memory = has_memory && has_eye && has_sun;
    if (has_memory)
        draw_world(&it, frame, options, rgb);
    raster_free(&it.sun);
    raster_free(&it.eye);
    drawing_free(&it.seen);
    return has_memory;
}
