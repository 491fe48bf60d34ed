/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The renderer: light and shadow, surfaces, and the picture.  Rasters find the
 * solid of a sample; its colour follows from the sample's point.  A pixel is
 * the mean of 2 * 2 samples. */

#include "render.h"

#include <stdlib.h>

#include "colour.h"
#include "raster.h"

#define SAMPLES 2         /* samples along each side of a pixel */
#define SUN_PIXELS 2048   /* pixels along each side of the shadow map */
#define MOVIE_SUN 1024    /* the same of a moving picture */
#define FIELD_OF_VIEW 0.5 /* rad */
#define SUN_ANGLE 0.02    /* rad: apparent size of the sun */

typedef struct stage {
    const solid *solids;
    int count;
    const solid *ground; /* null: none */
    const vec3 *tints;   /* colours of the solids */
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
    vec3 d = vec_sub(point, it->ground->center);
    vec3 normal = it->ground->axes[1];
    double slant = fabs(vec_dot(normal, ray)) / vec_length(ray);
    double width = 0.6 * SAMPLES * depth / it->eye.from.focal;
    double line = grid(vec_dot(d, it->ground->axes[0]),
                       vec_dot(d, it->ground->axes[2]),
                       width / fmax(slant, 0.02));
    vec3 tint = mix_colours(colour_from_display(0.80, 0.80, 0.79),
                            colour_from_display(0.62, 0.64, 0.66), line);
    double far = smooth(2.5 * it->reach, 12.0 * it->reach, depth);

    return mix_colours(light(it, tint, point, normal), sky_color(ray), far);
}

/* Returns the face of a box at a point: the axis along which the point is
 * farthest out, relative to the half extents. */
static int face_of(const double local[3], const double half[3])
{
    int face = 0;

    for (int i = 1; i < 3; i++)
        if (fabs(local[i]) - half[i] > fabs(local[face]) - half[face])
            face = i;
    return face;
}

/* Returns the darkness of the lines along a face's edges, at least about a
 * pixel wide. */
static double edge_line(const double local[3], const double half[3], int face,
                        double width)
{
    double distance = 1e30;
    double line = fmax(0.016, 0.9 * width);

    for (int i = 0; i < 3; i++)
        if (i != face)
            distance = fmin(distance, half[i] - fabs(local[i]));
    return (1.0 - smooth(0.5 * line, 1.5 * line, distance)) *
           fmin(1.0, 0.5 + 0.016 / line);
}

static vec3 box_color(const stage *it, int item, vec3 point, double width)
{
    const solid *box = &it->solids[item];
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    vec3 d = vec_sub(point, box->center);
    double local[3];
    vec3 normal;
    int face;
    double dark;

    for (int i = 0; i < 3; i++)
        local[i] = vec_dot(d, box->axes[i]);
    face = face_of(local, half);
    normal = vec_scale(box->axes[face], local[face] < 0.0 ? -1.0 : 1.0);
    dark = 0.6 * edge_line(local, half, face, width);
    return light(it, vec_scale(it->tints[item], 1.0 - dark), point, normal);
}

/* Colours the octants of a ball in two shades, to make rolling visible. */
static vec3 ball_color(const stage *it, int item, vec3 point)
{
    const solid *ball = &it->solids[item];
    vec3 normal = vec_unit(vec_sub(point, ball->center));
    int sides = (vec_dot(normal, ball->axes[0]) > 0.0) +
                (vec_dot(normal, ball->axes[1]) > 0.0) +
                (vec_dot(normal, ball->axes[2]) > 0.0);
    vec3 tint = vec_scale(it->tints[item], sides % 2 == 0 ? 1.0 : 0.62);
    double shine = vec_dot(normal,
                           vec_unit(vec_sub(it->to_sun, it->eye.from.forward)));

    return vec_mad(light(it, tint, point, normal),
                   0.25 * smooth(0.93, 1.0, shine), vec_make(1.0, 1.0, 1.0));
}

/* Colours halves and ends of a capsule, tapered or not, in two shades, to make
 * rolling visible. */
static vec3 capsule_color(const stage *it, int item, vec3 point)
{
    const solid *capsule = &it->solids[item];
    vec3 local = solid_local(capsule, point);
    double sine = capsule->type == VSP_SHAPE_TAPER ? taper_sine(capsule) : 0.0;
    double back = hypot(local.x, local.z) * sine / sqrt(1.0 - sine * sine);
    double along = clamp_number(local.y - back, -capsule->half.y,
                                capsule->half.y);
    vec3 normal = vec_unit(
        vec_sub(point, vec_mad(capsule->center, along, capsule->axes[1])));
    bool is_dark = (local.x > 0.0) != (local.y > 0.0);

    return light(it, vec_scale(it->tints[item], is_dark ? 0.75 : 1.0), point,
                 normal);
}

/* Colours the quarters of a cylinder or cone in two shades, and its rims. */
static vec3 turned_color(const stage *it, int item, vec3 point, double width)
{
    const solid *drum = &it->solids[item];
    vec3 local = solid_local(drum, point);
    double across = hypot(local.x, local.z);
    double rise = (drum->half.x - drum->half.z) / (2.0 * drum->half.y);
    double radius = 0.5 * (drum->half.x + drum->half.z) - rise * local.y;
    bool is_side = drum->half.y - fabs(local.y) > radius - across;
    vec3 normal = vec_make(0.0, local.y < 0.0 ? -1.0 : 1.0, 0.0);
    bool is_dark = (local.x > 0.0) != (local.z > 0.0);
    double rim = fmax(fabs(drum->half.y - fabs(local.y)),
                      fabs(radius - across));
    double dark = rim < fmax(0.012, 0.9 * width) ? 0.6 : 1.0;

    if (is_side)
        normal = vec_unit(vec_make(local.x / across, rise, local.z / across));
    normal = vec_add(vec_add(vec_scale(drum->axes[0], normal.x),
                             vec_scale(drum->axes[1], normal.y)),
                     vec_scale(drum->axes[2], normal.z));
    return light(it, vec_scale(it->tints[item], is_dark ? 0.8 * dark : dark),
                 point, normal);
}

/* Returns the darkness of a hull's edges; slight bends, as on round hulls, have
 * none. */
static double hull_edge(const solid *what, int face, vec3 local, double width)
{
    const vsp_hull *hull = what->table;
    vec3 n, m;
    double line = fmax(0.016, 0.9 * width);
    double distance = 1e30;

    (void)solid_plane(what, face, &n);
    for (int i = 0; i < hull->face_count; i++) {
        double offset = solid_plane(what, i, &m), c = vec_dot(m, n);
        double depth = offset - vec_dot(m, local);

        if (i != face && c < 0.85)
            distance = fmin(distance, depth / sqrt(fmax(1.0 - c * c, 0.01)));
    }
    return (1.0 - smooth(0.5 * line, 1.5 * line, distance)) *
           fmin(1.0, 0.5 + 0.016 / line);
}

static vec3 hull_color(const stage *it, int item, int face, vec3 point,
                       double width)
{
    const solid *what = &it->solids[item];
    double dark = 0.6 * hull_edge(what, face, solid_local(what, point), width);
    vec3 normal;

    (void)solid_plane(what, face, &normal);
    normal = solid_direction(what, normal);
    return light(it, vec_scale(it->tints[item], 1.0 - dark), point, normal);
}

static vec3 triangle_normal(vec3 a, vec3 b, vec3 c)
{
    return vec_unit(vec_cross(vec_sub(b, a), vec_sub(c, a)));
}

/* Flips a normal towards the eye. */
static vec3 towards_eye(const stage *it, vec3 normal, vec3 point)
{
    double side = vec_dot(normal, vec_sub(it->eye.from.eye, point));

    return vec_scale(normal, side < 0.0 ? -1.0 : 1.0);
}

/* Returns the normal of a triangle of a mesh or height field. */
static vec3 scaled_normal(const solid *what, vec3 a, vec3 b, vec3 c)
{
    return triangle_normal(solid_scaled(what, a), solid_scaled(what, b),
                           solid_scaled(what, c));
}

static vec3 mesh_color(const stage *it, int item, int part, vec3 point)
{
    const solid *what = &it->solids[item];
    const vsp_mesh *mesh = what->table;
    const uint16_t *corner = mesh->triangles[part].vertex;
    vec3 tint = it->tints[item];
    vec3 normal = scaled_normal(what, place_point(mesh->vertices[corner[0]]),
                                place_point(mesh->vertices[corner[1]]),
                                place_point(mesh->vertices[corner[2]]));

    if (mesh->kind == VSP_TABLE_MESH_MATERIALS)
        tint = colour_material(
            tint,
            ((const vsp_mesh_materials *)what->table)->materials.of[part]);
    normal = towards_eye(it, solid_direction(what, normal), point);
    return light(it, tint, point, normal);
}

/* Shades the cell of a height field by its slope, with lines between cells. */
static vec3 field_color(const stage *it, int item, vec3 point, double width)
{
    const solid *what = &it->solids[item];
    const vsp_height_field *field = what->table;
    double cell = (double)field->cell / VSP_PLACE;
    vec3 local = solid_local(what, point);
    double x = local.x / what->scale.x / cell + 0.5 * (field->columns - 1);
    double z = local.z / what->scale.z / cell + 0.5 * (field->rows - 1);
    int column = (int)clamp_number(floor(x), 0.0, field->columns - 2);
    int row = (int)clamp_number(floor(z), 0.0, field->rows - 2);
    vec3 low = field_point(field, column, row);
    vec3 high = field_point(field, column + 1, row + 1);
    vec3 normal = x - column > z - row
                      ? scaled_normal(what, low, high,
                                      field_point(field, column + 1, row))
                      : scaled_normal(what, low,
                                      field_point(field, column, row + 1),
                                      high);
    double line = 0.25 * fmin(1.0, grid(x, z, width / cell));
    vec3 tint = it->tints[item];

    if (field->kind == VSP_TABLE_FIELD_MATERIALS)
        tint = colour_material(
            tint, ((const vsp_field_materials *)what->table)
                      ->materials.of[row * (field->columns - 1) + column]);
    normal = towards_eye(it, solid_direction(what, normal), point);
    return light(it, vec_scale(tint, 1.0 - line), point, normal);
}

static vec3 sdf_color(const stage *it, int item, vec3 point)
{
    const solid *what = &it->solids[item];
    vec3 slope = sdf_slope(what->table, solid_local(what, point));
    vec3 normal = vec_mad(solid_direction(what, slope), 1e-12, it->to_sun);

    return light(it, it->tints[item], point, vec_unit(normal));
}

static vec3 solid_color(const stage *it, int item, int part, vec3 ray,
                        double depth)
{
    vec3 point = vec_mad(it->eye.from.eye, depth, ray);
    double width = depth / it->eye.from.focal;

    switch (it->solids[item].type) {
    case VSP_SHAPE_SPHERE:
        return ball_color(it, item, point);
    case VSP_SHAPE_CAPSULE:
    case VSP_SHAPE_TAPER:
        return capsule_color(it, item, point);
    case VSP_SHAPE_CYLINDER:
    case VSP_SHAPE_CONE:
        return turned_color(it, item, point, width);
    case VSP_SHAPE_HULL:
        return hull_color(it, item, part, point, width);
    case VSP_SHAPE_MESH:
    case VSP_SHAPE_SHELL: /* the first member of a shell is a mesh */
        return mesh_color(it, item, part, point);
    case VSP_SHAPE_HEIGHT_FIELD:
        return field_color(it, item, point, width);
    case VSP_SHAPE_SDF:
        return sdf_color(it, item, point);
    default:
        return box_color(it, item, point, width);
    }
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

    if (!it->ground)
        return 0.0;
    slope = vec_dot(it->ground->axes[1], ray);
    if (slope >= 0.0)
        return 0.0;
    return vec_dot(it->ground->axes[1],
                   vec_sub(it->ground->center, it->eye.from.eye)) /
           slope;
}

static vec3 sample_color(const stage *it, int x, int y)
{
    size_t at = (size_t)y * (size_t)it->eye.from.width + (size_t)x;
    vec3 ray = view_ray(&it->eye.from, x + 0.5, y + 0.5);
    double depth = meet_ground(it, ray);
    int item = it->eye.item[at];

    if (item >= 0 && (depth <= 0.0 || (double)it->eye.near[at] * depth > 1.0))
        return solid_color(it, item, it->eye.part[at], ray,
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

/* Whether none of a pixel's samples shows a solid. */
static bool is_empty(const stage *it, int x, int y)
{
    const int *item = it->eye.item +
                      (size_t)y * SAMPLES * (size_t)it->eye.from.width +
                      (size_t)x * SAMPLES;

    for (int row = 0; row < SAMPLES; row++)
        for (int i = 0; i < SAMPLES; i++)
            if (item[row * it->eye.from.width + i] >= 0)
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

static const double red[3] = {225.0, 20.0, 20.0};
static const double blue[3] = {20.0, 60.0, 215.0};

/* Draws a dot with soft edges, over everything. */
static void draw_dot(int width, int height, vec3 at, const double tint[3],
                     unsigned char *rgb)
{
    const double radius = 2.2;

    for (int y = (int)at.y - 3; y <= (int)at.y + 3; y++) {
        for (int x = (int)at.x - 3; x <= (int)at.x + 3; x++) {
            double dx = x + 0.5 - at.x;
            double dy = y + 0.5 - at.y;
            double part = clamp_number(radius + 0.5 - sqrt(dx * dx + dy * dy),
                                       0.0, 1.0);

            if (x < 0 || y < 0 || x >= width || y >= height)
                continue;
            for (int i = 0; i < 3; i++) {
                unsigned char *byte = rgb + 3 * (y * width + x) + i;

                *byte = (unsigned char)(*byte + part * (tint[i] - *byte));
            }
        }
    }
}

/* Draws a dot at a point of the world, if that is in the picture. */
static void draw_point(const view *from, vec3 point, const double tint[3],
                       unsigned char *rgb)
{
    vec3 local = view_local(from, point);
    vec3 at;

    if (local.z <= 0.1)
        return;
    at = view_project(from, local);
    if (at.x > 0.0 && at.x < from->width && at.y > 0.0 && at.y < from->height)
        draw_dot(from->width, from->height, at, tint, rgb);
}

static void draw_contacts(const vsp_world *world, const view *from,
                          unsigned char *rgb)
{
    for (uint32_t i = 0; i < vsp_contact_count(world); i++) {
        vsp_contact contact;

        if (vsp_contact_get(world, i, &contact) < 0)
            continue;
        for (uint32_t k = 0; k < contact.point_count; k++)
            draw_point(from, vec_from(contact.points[k].position), red, rgb);
    }
}

/* Returns the position of a joint's frame in the world. */
static vec3 anchor_of(const vsp_world *world, vsp_body_id id,
                      const vsp_transform *frame)
{
    vsp_transform pose = vsp_body_transform(world, id);
    vec3 q = vec_make(vsp_to_double(pose.rotation.x),
                      vsp_to_double(pose.rotation.y),
                      vsp_to_double(pose.rotation.z));
    vec3 at = vec_from(frame->position);
    vec3 t = vec_scale(vec_cross(q, at), 2.0);

    at = vec_mad(at, vsp_to_double(pose.rotation.w), t);
    return vec_add(vec_from(pose.position), vec_add(at, vec_cross(q, t)));
}

/* Draws a dot where two anchors coincide, a row of dots between them otherwise.
 * Breakable FIXED joints without a gap, as between pieces of a solid, are not
 * drawn: dots would hide the solid. */
static void draw_joints(const vsp_world *world, const view *from,
                        unsigned char *rgb)
{
    const double gap = 0.05; /* m */

    for (uint32_t slot = 0; slot < VSP_MAX_JOINTS; slot++) {
        vsp_joint_id id = vsp_joint_at(world, slot);
        vsp_joint_state state;
        vsp_joint_def def;
        vec3 a, way;
        int count;

        if (vsp_joint_get(world, id, &def) < 0 ||
            vsp_joint_read(world, id, &state) < 0 || state.is_broken)
            continue;
        a = anchor_of(world, def.body_a, &def.frame_a);
        way = vec_sub(anchor_of(world, def.body_b, &def.frame_b), a);
        count = (int)fmin(vec_length(way) / gap, 1000.0) + 1;
        if (count == 1 && def.type == VSP_JOINT_FIXED &&
            def.break_impulse > VSP_R(0.0))
            continue;
        for (int i = 0; i < count; i++)
            draw_point(from, vec_mad(a, (double)i / count, way), blue, rgb);
    }
}


/* ---- Stage -------------------------------------------------------------- */

/* Returns the direction of a view or of light, from angles in degrees. */
static vec3 direction(double azimuth, double elevation)
{
    double a = azimuth * PI / 180.0;
    double e = elevation * PI / 180.0;

    return vec_make(-sin(a) * cos(e), -sin(e), -cos(a) * cos(e));
}

/* Returns the bounds of the solids that can cast a shadow into the picture, so
 * that the shadow map need not cover the whole world.  In a moving picture they
 * must not follow bodies, or edges of shadows would flicker. */
static bounds shadow_bounds(const stage *it, const bounds *frame, bool is_movie)
{
    bounds box = *frame;
    vec3 middle = vec_scale(vec_add(frame->low, frame->high), 0.5);

    for (int i = 0; i < it->count; i++) {
        double distance = vec_length(vec_sub(it->solids[i].center, middle));

        if (is_movie && it->solids[i].body_type == VSP_DYNAMIC)
            continue;
        if (it->solids[i].bound > 0.0 && it->solids[i].bound < it->reach &&
            distance < 1.5 * it->reach)
            bounds_add_solid(&box, &it->solids[i]);
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
    raster_draw(&it->sun, &from, it->solids, it->count);
}

static void find_ground(stage *it)
{
    it->ground = NULL;
    for (int i = 0; i < it->count && !it->ground; i++)
        if (it->solids[i].type == VSP_SHAPE_HALF_SPACE)
            it->ground = &it->solids[i];
}

static void set_stage(stage *it, const bounds *frame,
                      const render_options *options)
{
    view from = view_of_box(frame,
                            direction(options->azimuth, options->elevation),
                            options->width * SAMPLES, options->height * SAMPLES,
                            FIELD_OF_VIEW, 0.8);

    it->reach = bounds_size(frame);
    find_ground(it);
    raster_draw(&it->eye, &from, it->solids, it->count);
    set_sun(it, frame, options);
}

static void draw_world(stage *it, const vsp_world *world, const bounds *frame,
                       const render_options *options, unsigned char *rgb)
{
    view from;

    set_stage(it, frame, options);
    draw_pixels(it, options->width, options->height, rgb);
    from = it->eye.from;
    from.width = options->width;
    from.height = options->height;
    from.focal /= SAMPLES;
    if (VSP_JOINTS)
        draw_joints(world, &from, rgb);
    if (options->show_contacts)
        draw_contacts(world, &from, rgb);
}

bool render_world(const vsp_world *world, const bounds *frame,
                  const render_options *options, unsigned char *rgb)
{
    static solid solids[VSP_MAX_SHAPES];
    static vec3 tints[VSP_MAX_SHAPES];
    stage it;
    bool has_eye = raster_create(&it.eye, options->width * SAMPLES,
                                 options->height * SAMPLES, true);
    bool has_sun = raster_create(&it.sun, SUN_PIXELS, SUN_PIXELS, false);

    it.solids = solids;
    it.tints = tints;
    it.count = solids_read(world, solids);
    if (options->show_layers)
        colour_layers(world, solids, it.count, tints);
    else
        colour_bodies(solids, it.count, tints);
    if (has_eye && has_sun)
        draw_world(&it, world, frame, options, rgb);
    raster_free(&it.sun);
    raster_free(&it.eye);
    return has_eye && has_sun;
}
