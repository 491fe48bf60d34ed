/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: axes, coordinates of tables, shapes read from a world, their
 * extents. */

#include "solid.h"

#include <stdlib.h>
#include <string.h>

void axes_of_turn(const double q[4], vec3 axes[3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];

    axes[0] = vec_make(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),
                       2.0 * (x * z - w * y));
    axes[1] = vec_make(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z),
                       2.0 * (y * z + w * x));
    axes[2] = vec_make(2.0 * (x * z + w * y), 2.0 * (y * z - w * x),
                       1.0 - 2.0 * (x * x + y * y));
}

static void read_axes(vsp_quat rotation, vec3 axes[3])
{
    double q[4] = {vsp_to_double(rotation.x), vsp_to_double(rotation.y),
                   vsp_to_double(rotation.z), vsp_to_double(rotation.w)};

    axes_of_turn(q, axes);
}

vec3 turn_vector(const vec3 axes[3], vec3 v)
{
    vec3 sum = vec_scale(axes[0], v.x);

    sum = vec_mad(sum, v.y, axes[1]);
    return vec_mad(sum, v.z, axes[2]);
}

vec3 solid_direction(const solid *it, vec3 local)
{
    return turn_vector(it->axes, local);
}

vec3 solid_point(const solid *it, vec3 local)
{
    return vec_add(it->center, turn_vector(it->axes, local));
}

vec3 solid_local_direction(const solid *it, vec3 direction)
{
    return vec_make(vec_dot(it->axes[0], direction),
                    vec_dot(it->axes[1], direction),
                    vec_dot(it->axes[2], direction));
}

vec3 solid_local(const solid *it, vec3 point)
{
    return solid_local_direction(it, vec_sub(point, it->center));
}


/* ---- Tables ------------------------------------------------------------- */

vec3 place_point(vsp_place place)
{
    return vec_scale(vec_make(place.x, place.y, place.z), 1.0 / VSP_PLACE);
}

static vec3 plane_normal(const vsp_plane *plane)
{
    return vec_scale(vec_make(plane->x, plane->y, plane->z),
                     1.0 / VSP_DIRECTION);
}

vec3 field_point(const vsp_height_field *field, int column, int row)
{
    double cell = (double)field->cell / VSP_PLACE;
    int height = field->heights[row * field->columns + column];

    return vec_make((column - 0.5 * (field->columns - 1)) * cell,
                    (double)height * field->step / VSP_PLACE,
                    (row - 0.5 * (field->rows - 1)) * cell);
}

vec3 solid_scaled(const solid *it, vec3 point)
{
    return vec_make(point.x * it->scale.x, point.y * it->scale.y,
                    point.z * it->scale.z);
}

double solid_plane(const solid *it, int face, vec3 *normal)
{
    const vsp_plane *plane = &((const vsp_hull *)it->table)->planes[face];
    vec3 n = plane_normal(plane);
    double length;

    n = vec_make(n.x / it->scale.x, n.y / it->scale.y, n.z / it->scale.z);
    length = vec_length(n);
    *normal = vec_scale(n, 1.0 / length);
    return (double)plane->offset / VSP_PLACE / length;
}

static double sdf_value(const vsp_sdf *sdf, const int at[3])
{
    int index = (at[2] * sdf->count[1] + at[1]) * sdf->count[0] + at[0];

    return (double)sdf->distances[index] * sdf->step / VSP_PLACE;
}

double sdf_distance(const vsp_sdf *sdf, vec3 point)
{
    vec3 d = vec_scale(vec_sub(point, place_point(sdf->low)),
                       (double)VSP_PLACE / sdf->cell);
    double part[3] = {d.x, d.y, d.z};
    double sum = 0.0;
    int low[3];

    for (int i = 0; i < 3; i++) {
        part[i] = fmin(fmax(part[i], 0.0), sdf->count[i] - 1.0);
        low[i] = (int)fmin(floor(part[i]), sdf->count[i] - 2.0);
        part[i] -= low[i];
    }
    for (int k = 0; k < 8; k++) {
        double weight = 1.0;
        int at[3];

        for (int i = 0; i < 3; i++) {
            at[i] = low[i] + (k >> i & 1);
            weight *= (k >> i & 1) ? part[i] : 1.0 - part[i];
        }
        sum += weight * sdf_value(sdf, at);
    }
    return sum;
}

static vec3 sdf_high(const vsp_sdf *sdf)
{
    vec3 cells = vec_make(sdf->count[0] - 1, sdf->count[1] - 1,
                          sdf->count[2] - 1);

    return vec_mad(place_point(sdf->low), (double)sdf->cell / VSP_PLACE, cells);
}

/* Returns the extent of a field's grid along a direction. */
static double sdf_reach(const vsp_sdf *sdf, vec3 local)
{
    vec3 low = place_point(sdf->low);
    vec3 high = sdf_high(sdf);

    return fmax(low.x * local.x, high.x * local.x) +
           fmax(low.y * local.y, high.y * local.y) +
           fmax(low.z * local.z, high.z * local.z);
}

/* Returns the radius of a sphere around the origin that encloses all points. */
static double places_bound(const vsp_place *places, int count)
{
    double bound = 0.0;

    for (int i = 0; i < count; i++)
        bound = fmax(bound, vec_length(place_point(places[i])));
    return bound;
}

static double field_bound(const vsp_height_field *field)
{
    vec3 corner = field_point(field, 0, 0);

    corner.y = fmax(abs(field->low), abs(field->high)) * field->step /
               VSP_PLACE;
    return vec_length(corner);
}

static double table_bound(vsp_shape_type type, const void *table)
{
    const vsp_hull *hull = table;
    const vsp_mesh *mesh = table;

    switch (type) {
    case VSP_SHAPE_HULL:
        return places_bound(hull->vertices, hull->vertex_count);
    case VSP_SHAPE_MESH:
    case VSP_SHAPE_SHELL: /* the first member of a shell is a mesh */
        return places_bound(mesh->vertices, mesh->vertex_count);
    case VSP_SHAPE_HEIGHT_FIELD:
        return field_bound(table);
    case VSP_SHAPE_SDF:
        return vec_length(vec_max(
            sdf_high(table),
            vec_scale(place_point(((const vsp_sdf *)table)->low), -1.0)));
    default:
        return 0.0;
    }
}


/* ---- Reading ------------------------------------------------------------ */

/* Sets the pose of a shape in the world: the body's pose times the shape's. */
static void read_pose(solid *it, vsp_transform body, vsp_transform shape)
{
    vec3 body_axes[3];
    vec3 shape_axes[3];

    read_axes(body.rotation, body_axes);
    read_axes(shape.rotation, shape_axes);
    for (int i = 0; i < 3; i++)
        it->axes[i] = turn_vector(body_axes, shape_axes[i]);
    it->center = vec_add(vec_from(body.position),
                         turn_vector(body_axes, vec_from(shape.position)));
}

#if VSP_FIELD_EDITS

#define MAX_COPIES 4
#define MAX_HEIGHTS 4096

/* Returns a height field as it is now: its table, or, if a world has changed
 * it, a copy, which is valid until the next solids_read.  Large fields, and
 * more than MAX_COPIES, are shown as in their tables. */
static const void *read_field(const vsp_world *world, vsp_shape_id id,
                              const void *table, int *copy_count)
{
    static vsp_field_materials copies[MAX_COPIES];
    static int16_t heights[MAX_COPIES][MAX_HEIGHTS];
    static uint8_t cells[MAX_COPIES][MAX_HEIGHTS];
    const vsp_height_field *field = table;
    uint32_t columns = field->columns, rows = field->rows;
    bool has_materials = field->kind == VSP_TABLE_FIELD_MATERIALS;
    int16_t *now = heights[*copy_count % MAX_COPIES];
    uint8_t *of = cells[*copy_count % MAX_COPIES];
    vsp_field_materials *copy = &copies[*copy_count % MAX_COPIES];

    if (*copy_count == MAX_COPIES || columns * rows > MAX_HEIGHTS ||
        vsp_field_get_heights(world, id, 0, 0, columns, rows, now) < 0 ||
        vsp_field_get_materials(world, id, 0, 0, columns - 1, rows - 1, of) < 0)
        return table;
    copy->field = *field;
    if (has_materials)
        copy->materials = ((const vsp_field_materials *)table)->materials;
    if (memcmp(now, field->heights, columns * rows * sizeof *now) == 0 &&
        (!has_materials ||
         memcmp(of, copy->materials.of, (columns - 1) * (rows - 1)) == 0))
        return table;
    for (uint32_t i = 0; i < columns * rows; i++)
        copy->field.high = now[i] > copy->field.high ? now[i]
                                                     : copy->field.high;
    copy->field.heights = now;
    copy->materials.of = of;
    ++*copy_count;
    return copy;
}

#else

static const void *read_field(const vsp_world *world, vsp_shape_id id,
                              const void *table, int *copy_count)
{
    (void)world;
    (void)id;
    (void)copy_count;
    return table;
}

#endif

bool is_turned_solid(const solid *it)
{
    return it->type == VSP_SHAPE_CYLINDER || it->type == VSP_SHAPE_CONE;
}

solid taper_side(const solid *it, double *middle)
{
    double sine = 0.5 * (it->half.x - it->half.z) / it->half.y;
    double cosine = sqrt(1.0 - sine * sine);
    solid side = *it;

    *middle = 0.5 * (it->half.x + it->half.z) * sine;
    side.type = VSP_SHAPE_CONE;
    side.half = vec_make(it->half.x * cosine, it->half.y * cosine * cosine,
                         it->half.z * cosine);
    return side;
}

/* Returns the table of a shape.  Those of runtime hulls are filled anew at each
 * call. */
#if VSP_MAX_RUNTIME_HULLS > 0
static const void *find_table(const vsp_world *world, uint32_t table)
{
    static vsp_hull hulls[VSP_MAX_RUNTIME_HULLS];

    for (uint32_t slot = 0; slot < VSP_MAX_RUNTIME_HULLS; slot++)
        if (table != 0 && vsp_hull_at(world, slot) == table &&
            vsp_hull_get(world, table, &hulls[slot]) == VSP_OK)
            return &hulls[slot];
    return vsp_world_table(world, table);
}
#else
static const void *find_table(const vsp_world *world, uint32_t table)
{
    return vsp_world_table(world, table);
}
#endif

static void read_size(solid *it, const vsp_world *world,
                      const vsp_shape_def *shape)
{
    it->table = find_table(world, shape->table);
    it->half = vec_from(shape->size);
    it->scale = vec_make(1.0, 1.0, 1.0);
    if ((it->type == VSP_SHAPE_HULL || it->type == VSP_SHAPE_MESH ||
         it->type == VSP_SHAPE_HEIGHT_FIELD) &&
        it->half.x != 0.0)
        it->scale = it->half;
    it->bound = 0.0;
    if (shape->type == VSP_SHAPE_SPHERE) {
        it->bound = it->half.x;
        it->half = vec_make(it->bound, it->bound, it->bound);
    } else if (shape->type == VSP_SHAPE_BOX) {
        it->bound = vec_length(it->half);
    } else if (shape->type == VSP_SHAPE_CAPSULE) {
        it->bound = it->half.x + it->half.y;
    } else if (is_turned_solid(it)) {
        if (it->type == VSP_SHAPE_CYLINDER)
            it->half.z = it->half.x;
        it->bound = hypot(fmax(it->half.x, it->half.z), it->half.y);
    } else if (shape->type == VSP_SHAPE_TAPER) {
        it->bound = fmax(it->half.x, it->half.z) + it->half.y;
    } else if (it->table) {
        it->bound = table_bound(shape->type, it->table) *
                    fmax(fmax(fabs(it->scale.x), fabs(it->scale.y)),
                         fabs(it->scale.z));
    }
}

int solids_read(const vsp_world *world, solid *out)
{
    int count = 0, copies = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_SHAPES; slot++) {
        vsp_shape_id id = vsp_shape_at(world, slot);
        solid *it = &out[count];
        vsp_shape_def shape;

        if (vsp_shape_get(world, id, &shape) < 0)
            continue;
        it->type = shape.type;
        it->is_sensor = shape.is_sensor;
        it->density = vsp_to_double(shape.density);
        it->body = vsp_shape_body(world, id);
        it->body_type = vsp_body_get_type(world, it->body);
        it->user = vsp_body_user(world, it->body);
        read_size(it, world, &shape);
        if (shape.type == VSP_SHAPE_HEIGHT_FIELD)
            it->table = read_field(world, id, it->table, &copies);
        read_pose(it, vsp_body_transform(world, it->body), shape.pose);
        count++;
    }
    return count;
}

static double places_reach(const vsp_place *places, int count, vec3 local)
{
    double reach = -1e30;

    for (int i = 0; i < count; i++)
        reach = fmax(reach, vec_dot(place_point(places[i]), local));
    return reach;
}

static double field_reach(const vsp_height_field *field, vec3 local)
{
    double reach = -1e30;

    for (int row = 0; row < field->rows; row++)
        for (int column = 0; column < field->columns; column++)
            reach = fmax(reach,
                         vec_dot(field_point(field, column, row), local));
    return reach;
}

static double table_reach(const solid *it, vec3 direction)
{
    const vsp_hull *hull = it->table;
    const vsp_mesh *mesh = it->table;
    vec3 local = solid_local_direction(it, direction);

    if (it->type == VSP_SHAPE_HULL)
        return places_reach(hull->vertices, hull->vertex_count,
                            solid_scaled(it, local));
    if (it->type == VSP_SHAPE_MESH)
        return places_reach(mesh->vertices, mesh->vertex_count,
                            solid_scaled(it, local));
    if (it->type == VSP_SHAPE_HEIGHT_FIELD)
        return field_reach(it->table, solid_scaled(it, local));
    if (it->type == VSP_SHAPE_SDF)
        return sdf_reach(it->table, local);
    return it->bound * vec_length(direction);
}

static double turned_reach(const solid *it, vec3 direction)
{
    vec3 local = solid_local_direction(it, direction);
    double across = hypot(local.x, local.z);

    return fmax(it->half.x * across - it->half.y * local.y,
                it->half.z * across + it->half.y * local.y);
}

static double taper_reach(const solid *it, vec3 direction)
{
    double along = it->half.y * vec_dot(it->axes[1], direction);
    double length = vec_length(direction);

    return fmax(it->half.x * length - along, it->half.z * length + along);
}

double solid_reach(const solid *it, vec3 direction)
{
    if (it->type == VSP_SHAPE_SPHERE)
        return it->bound * vec_length(direction);
    if (it->type == VSP_SHAPE_CAPSULE)
        return it->half.x * vec_length(direction) +
               it->half.y * fabs(vec_dot(it->axes[1], direction));
    if (is_turned_solid(it))
        return turned_reach(it, direction);
    if (it->type == VSP_SHAPE_TAPER)
        return taper_reach(it, direction);
    if (it->table)
        return table_reach(it, direction);
    return it->half.x * fabs(vec_dot(it->axes[0], direction)) +
           it->half.y * fabs(vec_dot(it->axes[1], direction)) +
           it->half.z * fabs(vec_dot(it->axes[2], direction));
}

uint32_t body_slot(vsp_body_id id)
{
    return (id.bits & 0xffffu) - 1u;
}
