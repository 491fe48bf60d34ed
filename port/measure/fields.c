/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Surface points of a field, then depths. */

#include "fields.h"

#include "oracle.h"

#define MAX_FIELDS 4
#define MAX_POINTS 8192


/* ---- Surface points ------------------------------------------------------ */

/* Points of a field's surface, in its own axes. */
typedef struct surface {
    const vsp_sdf *of;
    vec3 points[MAX_POINTS];
    int count;
    double bound; /* radius of a sphere around the origin */
    vec3 low, high;
} surface;

static int index_of(const vsp_sdf *sdf, const int at[3])
{
    return (at[2] * sdf->count[1] + at[1]) * sdf->count[0] + at[0];
}

static void add_surface_point(surface *to, vec3 point)
{
    if (to->count == MAX_POINTS)
        return;
    to->low = to->count == 0 ? point : vec_min(to->low, point);
    to->high = to->count == 0 ? point : vec_max(to->high, point);
    to->bound = fmax(to->bound, vec_length(point));
    to->points[to->count++] = point;
}

/* Adds the point where the grid line from `at` to the next one along an axis
 * crosses the surface, if it does. */
static void cross_line(surface *to, const int at[3], int axis)
{
    const vsp_sdf *sdf = to->of;
    int next[3] = {at[0], at[1], at[2]};
    double from, end, part[3] = {at[0], at[1], at[2]};

    if (++next[axis] == sdf->count[axis])
        return;
    from = sdf->distances[index_of(sdf, at)];
    end = sdf->distances[index_of(sdf, next)];
    if ((from < 0.0) == (end < 0.0))
        return;
    part[axis] += from / (from - end);
    add_surface_point(to, vec_mad(place_point(sdf->low),
                                  (double)sdf->cell / VSP_PLACE,
                                  vec_make(part[0], part[1], part[2])));
}

static void find_surface(surface *to, const vsp_sdf *sdf)
{
    int at[3];

    to->of = sdf;
    to->count = 0;
    to->bound = 0.0;
    for (at[2] = 0; at[2] < sdf->count[2]; at[2]++)
        for (at[1] = 0; at[1] < sdf->count[1]; at[1]++)
            for (at[0] = 0; at[0] < sdf->count[0]; at[0]++)
                for (int axis = 0; axis < 3; axis++)
                    cross_line(to, at, axis);
}

/* Returns the surface of a field, which is found once. */
static const surface *surface_of(const vsp_sdf *sdf)
{
    static surface known[MAX_FIELDS];
    static int count;

    for (int i = 0; i < count; i++)
        if (known[i].of == sdf)
            return &known[i];
    count = count < MAX_FIELDS ? count + 1 : MAX_FIELDS;
    find_surface(&known[count - 1], sdf);
    return &known[count - 1];
}

double field_length(const vsp_sdf *sdf)
{
    const surface *it = surface_of(sdf);
    vec3 size = vec_sub(it->high, it->low);

    return fmax(size.x, fmax(size.y, size.z));
}


/* ---- Depths -------------------------------------------------------------- */

/* Returns the depth of the deepest surface point of a in b. */
static double depth_in_field(const solid *a, const solid *b)
{
    const surface *from = surface_of(a->table);
    double bound = surface_of(b->table)->bound, depth = 0.0;
    vec3 to_b = vec_sub(a->center, b->center);

    for (int i = 0; i < from->count; i++) {
        vec3 way = vec_add(solid_direction(a, from->points[i]), to_b);

        if (vec_dot(way, way) < bound * bound)
            depth = fmax(
                depth, -sdf_distance(b->table, solid_local_direction(b, way)));
    }
    return depth;
}

static double depth_in_half_space(const solid *it, const solid *ground)
{
    const surface *from = surface_of(it->table);
    vec3 up = ground->axes[1];
    double height = vec_dot(vec_sub(it->center, ground->center), up);
    double depth = 0.0;

    if (height > from->bound)
        return 0.0;
    for (int i = 0; i < from->count; i++)
        depth = fmax(
            depth, -height - vec_dot(solid_direction(it, from->points[i]), up));
    return depth;
}

static bool are_near(const solid *a, const solid *b)
{
    vec3 way = vec_sub(b->center, a->center);
    double reach = surface_of(a->table)->bound + surface_of(b->table)->bound;

    return vec_dot(way, way) < reach * reach;
}

static double depth_of_fields(const solid *a, const solid *b)
{
    if (b->type == VSP_SHAPE_HALF_SPACE)
        return depth_in_half_space(a, b);
    if (b->type != VSP_SHAPE_SDF || !are_near(a, b))
        return 0.0;
    return depth_in_field(a, b);
}

double fields_penetration(const solid *solids, int count)
{
    double depth = 0.0;

    for (int i = 0; i < count; i++) {
        const solid *a = &solids[i];

        if (a->type != VSP_SHAPE_SDF)
            continue;
        for (int k = 0; k < count; k++)
            if (solids[k].body.bits != a->body.bits &&
                (a->body_type == VSP_DYNAMIC ||
                 solids[k].body_type == VSP_DYNAMIC))
                depth = fmax(depth, depth_of_fields(a, &solids[k]));
    }
    return depth;
}

double solids_penetration(const solid *solids, int count)
{
    double depth = oracle_penetration(solids, count);
    double fields = fields_penetration(solids, count);

    return fields > depth ? fields : depth;
}
