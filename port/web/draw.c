/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the page draws: lines and triangles of vsp_world_draw, as vertices for
 * WebGL. */

#include "page.h"

/* x, y, z in m, then red, green, blue and, for triangles, sun */
typedef struct vertex {
    float x, y, z;
    unsigned char color[4];
} vertex;

#define CORNERS 1500000u
#define LINE_ENDS 400000u
#define GROUND_CORNERS 60u
#define PLANE 95.0 /* m, half a side of the ground, within VSP_MAX_SIZE */

static vertex corners[CORNERS];
static vertex line_ends[LINE_ENDS];
static vertex ground[GROUND_CORNERS];
static uint32_t corner_count, line_end_count, ground_count;
static float low[3], high[3]; /* a box around the triangles of bodies */

static float sun_way[3], most_share; /* set_sun */

PAGE_EXPORT(set_sun) void set_sun(double x, double y, double z, double most);
PAGE_EXPORT(draw_world)
int32_t draw_world(uint32_t parts, double size, double x, double y, double z);

static void put_vertex(vertex *out, vsp_vec3 at, uint32_t color)
{
    out->x = (float)vsp_to_double(at.x);
    out->y = (float)vsp_to_double(at.y);
    out->z = (float)vsp_to_double(at.z);
    out->color[0] = (unsigned char)(color >> 16);
    out->color[1] = (unsigned char)(color >> 8);
    out->color[2] = (unsigned char)color;
    out->color[3] = 255;
}

/* Sets the unit vector to the sun, and the largest ratio of sun to sky that a
 * vertex holds. */
void set_sun(double x, double y, double z, double most)
{
    sun_way[0] = (float)x;
    sun_way[1] = (float)y;
    sun_way[2] = (float)z;
    most_share = (float)most;
}

/* Lights a triangle once for all its pixels: darkens the colours of sides that
 * see less sky, and stores the ratio of sun to sky that its side gets.
 * painter.js makes the colours in the shade and in the sun of both. */
static void light_triangle(vertex *v)
{
    float x1 = v[1].x - v[0].x, y1 = v[1].y - v[0].y, z1 = v[1].z - v[0].z;
    float x2 = v[2].x - v[0].x, y2 = v[2].y - v[0].y, z2 = v[2].z - v[0].z;
    float x = y1 * z2 - z1 * y2, y = z1 * x2 - x1 * z2, z = x1 * y2 - y1 * x2;
    float length = __builtin_sqrtf(x * x + y * y + z * z);
    float scale = length > 0.0f ? 1.0f / length : 0.0f;
    float sun = scale * (sun_way[0] * x + sun_way[1] * y + sun_way[2] * z);
    float sky = 0.71f + 0.29f * scale * y; /* 1 from above */
    float share = sun > 0.0f ? sun / (most_share * sky) : 0.0f;
    float shade = __builtin_sqrtf(sky);

    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            v[i].color[k] = (unsigned char)(shade * (float)v[i].color[k]);
        v[i].color[3] = (unsigned char)(255.0f * (share < 1.0f ? share : 1.0f));
    }
}

/* Whether a side is so long that it can only be the ground's. */
static bool is_ground(vsp_vec3 a, vsp_vec3 b)
{
    double x = vsp_to_double(a.x) - vsp_to_double(b.x);
    double y = vsp_to_double(a.y) - vsp_to_double(b.y);
    double z = vsp_to_double(a.z) - vsp_to_double(b.z);

    return x * x + y * y + z * z > 3.6 * PLANE * PLANE;
}

/* The page draws a grid of its own on the ground. */
static void put_line(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    (void)user;
    if (line_end_count + 2 > LINE_ENDS || is_ground(a, b))
        return;
    put_vertex(&line_ends[line_end_count++], a, color);
    put_vertex(&line_ends[line_end_count++], b, color);
}

static void widen_box(const vertex *v)
{
    const float at[3] = {v->x, v->y, v->z};

    for (int i = 0; i < 3; i++) {
        low[i] = low[i] < at[i] ? low[i] : at[i];
        high[i] = high[i] > at[i] ? high[i] : at[i];
    }
}

static void show_box(int number)
{
    for (int i = 0; i < 3; i++) {
        page_numbers[number + i] = (double)low[i];
        page_numbers[number + 3 + i] = (double)high[i];
        low[i] = 1000.0f; /* of nothing, for the next picture */
        high[i] = -1000.0f;
    }
}

/* The ground has corners of its own, which draw_world puts behind the others:
 * what is drawn later costs little where it is hidden. */
static void put_triangle(void *user, vsp_vec3 a, vsp_vec3 b, vsp_vec3 c,
                         uint32_t color)
{
    bool is_large = is_ground(a, b) && is_ground(b, c);
    vertex *out = is_large ? &ground[ground_count] : &corners[corner_count];

    (void)user;
    if (corner_count + 3 + GROUND_CORNERS > CORNERS ||
        ground_count + 3 > GROUND_CORNERS)
        return;
    put_vertex(out, a, color);
    put_vertex(out + 1, b, color);
    put_vertex(out + 2, c, color);
    light_triangle(out);
    for (int i = 0; i < 3 && !is_large; i++)
        widen_box(&out[i]);
    *(is_large ? &ground_count : &corner_count) += 3;
}

/* Draws an edge darker than its shape. */
static void put_edge(void *user, vsp_vec3 a, vsp_vec3 b, uint32_t color)
{
    put_line(user, a, b, (color >> 1 & 0x7f7f7fu) + (color >> 3 & 0x1f1f1fu));
}

static double clamp(double a, double low, double high)
{
    return a < low ? low : a > high ? high : a;
}

/* A place as near as a world can have it: visitors move the camera anywhere. */
static vsp_vec3 clamp_place(double x, double y, double z)
{
    double most = vsp_to_double(VSP_MAX_POSITION);

    return page_vec(clamp(x, -most, most), clamp(y, -most, most),
                    clamp(z, -most, most));
}

/* Returns the scale, m for each N, at which the mean weight of the bodies that
 * move has a length; at most the largest that vsp_world_draw takes. */
static double force_scale(double length)
{
    double sum = 0.0, count = 0.0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        double mass = vsp_to_double(
            vsp_body_mass(page_run.world, vsp_body_at(page_run.world, slot)));

        sum += mass;
        count += mass > 0.0;
    }
    return sum > 0.0 ? clamp(length * count / (9.81 * sum), 0.0, 1000.0) : 0.0;
}

#define MARKS \
    (VSP_DRAW_JOINTS | VSP_DRAW_CONTACTS | VSP_DRAW_BOUNDS | VSP_DRAW_FORCES)
#define COLORS (VSP_DRAW_LAYERS | VSP_DRAW_SLEEP)

#define GOALS 256u /* not one of VSP_DRAW_ALL */

/* Draws the parts (VSP_DRAW_..., GOALS) with marks of a size (m), and the
 * ground around a place.  Numbers: where corners of triangles are and how many;
 * where ends of lines are, how many, and how many of these are of shapes; how
 * many corners, the last ones, are of the ground; the lowest and the highest
 * point of a box around the others.  Returns the status of vsp_world_draw. */
int32_t draw_world(uint32_t parts, double size, double x, double y, double z)
{
    vsp_draw draw = {0};
    uint32_t shapes = vsp_world_stats(page_run.world).shape_count;
    vsp_status status;

    corner_count = line_end_count = ground_count = 0;
    draw.line = put_line;
    draw.triangle = put_triangle;
    draw.parts = parts & (VSP_DRAW_SHAPES | COLORS);
    draw.size = vsp_from_double(size);
    draw.force = vsp_from_double(force_scale(8.0 * size));
    draw.plane = vsp_from_double(PLANE);
    draw.focus = clamp_place(x, y, z);
    draw.segments = shapes > 300u ? 12u : 16u;
    draw.cells = shapes > 20u ? 512u : 4096u;
    status = vsp_world_draw(page_run.world, &draw);
    if (parts & GOALS)
        page_draw_goals(&draw);
    if (!(parts & COLORS)) /* which wheels do not have */
        page_draw_gears(&draw);
    draw.line = put_edge;
    draw.parts = parts & VSP_DRAW_EDGES ? VSP_DRAW_EDGES | (parts & COLORS) : 0;
    (void)vsp_world_draw(page_run.world, &draw);
    page_numbers[4] = line_end_count;
    page_numbers[5] = ground_count;
    for (uint32_t i = 0; i < ground_count; i++)
        corners[corner_count++] = ground[i];
    draw.line = put_line;
    draw.triangle = NULL;
    draw.parts = parts & MARKS;
    (void)vsp_world_draw(page_run.world, &draw);
    page_numbers[0] = (double)(uintptr_t)corners;
    page_numbers[1] = corner_count;
    page_numbers[2] = (double)(uintptr_t)line_ends;
    page_numbers[3] = line_end_count;
    show_box(6);
    return status;
}
