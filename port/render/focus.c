/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What a picture shows: the bounds of a world, and of what happens in it. */

#include "focus.h"

#include <stdlib.h>
#include <string.h>


/* ---- The whole world ---------------------------------------------------- */

static void include_point(bounds *box, vec3 point)
{
    box->low = vec_min(box->low, point);
    box->high = vec_max(box->high, point);
}

void bounds_add_solid(bounds *box, const solid *it)
{
    vec3 low, high;

    low.x = solid_reach(it, vec_make(-1.0, 0.0, 0.0));
    low.y = solid_reach(it, vec_make(0.0, -1.0, 0.0));
    low.z = solid_reach(it, vec_make(0.0, 0.0, -1.0));
    high.x = solid_reach(it, vec_make(1.0, 0.0, 0.0));
    high.y = solid_reach(it, vec_make(0.0, 1.0, 0.0));
    high.z = solid_reach(it, vec_make(0.0, 0.0, 1.0));
    include_point(box, vec_sub(it->center, low));
    include_point(box, vec_add(it->center, high));
}

bounds bounds_none(void)
{
    bounds box;

    box.low = vec_make(1e30, 1e30, 1e30);
    box.high = vec_scale(box.low, -1.0);
    return box;
}

double bounds_size(const bounds *box)
{
    return box->low.x > box->high.x ? 0.0
                                    : vec_length(vec_sub(box->high, box->low));
}

/* Includes the position that a body reaches in half a second, but at most half
 * of `longest` away, because of bullets. */
static void include_travel(bounds *box, const vsp_world *world, const solid *it)
{
    const double longest = 5.0; /* m */
    vec3 v = vec_from(vsp_body_velocity(world, it->body));
    double way;

    v.y = 0.0;
    way = 0.5 * vec_length(v);
    include_point(
        box, vec_mad(it->center, way > longest ? 0.5 * longest / way : 0.5, v));
}

/* Pads the bounds to at least this width or height, so that one box does not
 * fill the picture. */
static void pad_bounds(bounds *box, double least)
{
    vec3 size = vec_sub(box->high, box->low);
    double missing = fmax(0.0, least - fmax(size.x, size.y)) * 0.5;

    box->low.x -= missing;
    box->low.y -= missing;
    box->high.x += missing;
    box->high.y += missing;
}

/* Includes the ground if bodies stand on it or fall onto it. */
static void include_ground(bounds *box, const solid *ground)
{
    if (box->low.y - ground->center.y < bounds_size(box))
        box->low.y = ground->center.y;
}

bounds render_bounds(const vsp_world *world)
{
    static solid solids[VSP_MAX_SHAPES];
    int count = solids_read(world, solids);
    bounds box = bounds_none();
    double size;

    for (int i = 0; i < count; i++) {
        if (solids[i].body_type != VSP_DYNAMIC)
            continue;
        bounds_add_solid(&box, &solids[i]);
        include_travel(&box, world, &solids[i]);
    }
    size = bounds_size(&box);
    for (int i = 0; i < count; i++)
        if (solids[i].type != VSP_SHAPE_HALF_SPACE &&
            solids[i].body_type != VSP_DYNAMIC && solids[i].bound < size)
            bounds_add_solid(&box, &solids[i]);
    if (size > 0.0)
        pad_bounds(&box, 4.0);
    else
        include_point(&box, vec_make(0.0, 0.0, 0.0));
    for (int i = 0; i < count; i++)
        if (solids[i].type == VSP_SHAPE_HALF_SPACE)
            include_ground(&box, &solids[i]);
    return box;
}


/* ---- What happens ------------------------------------------------------- */

bounds bounds_join(bounds a, bounds b)
{
    a.low = vec_min(a.low, b.low);
    a.high = vec_max(a.high, b.high);
    return a;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Returns the number that `part` of the others are below. */
static double quantile_of(const double *values, int count, double part)
{
    static double sorted[VSP_MAX_SHAPES];

    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    return sorted[(int)(part * (count - 1))];
}

/* Returns the point with as many solids on one side as on the other. */
static vec3 median_of(const solid *solids, int count)
{
    static double x[VSP_MAX_SHAPES], y[VSP_MAX_SHAPES], z[VSP_MAX_SHAPES];

    for (int i = 0; i < count; i++) {
        x[i] = solids[i].center.x;
        y[i] = solids[i].center.y;
        z[i] = solids[i].center.z;
    }
    return vec_make(quantile_of(x, count, 0.5), quantile_of(y, count, 0.5),
                    quantile_of(z, count, 0.5));
}

/* Returns the distance from the crowd's middle beyond which a solid, as a ball
 * that has flown away, is not shown. */
static double crowd_reach(const solid *solids, int count, vec3 middle)
{
    static double distance[VSP_MAX_SHAPES];
    const int crowd = 8;

    if (count < crowd)
        return 1e30;
    for (int i = 0; i < count; i++)
        distance[i] = vec_length(vec_sub(solids[i].center, middle));
    return 1.8 * quantile_of(distance, count, 0.8);
}

/* Moves the solids that can move to the front.  Returns their number. */
static int gather_movers(solid *solids, int count)
{
    int movers = 0;

    for (int i = 0; i < count; i++)
        if (solids[i].body_type == VSP_DYNAMIC && !solids[i].is_sensor) {
            solid swap = solids[movers];

            solids[movers++] = solids[i];
            solids[i] = swap;
        }
    return movers;
}

/* Includes what the movers stand on, hang from or run into: solids that are
 * neither huge nor far away. */
static void include_stage(bounds *box, const solid *solids, int count)
{
    const bounds crowd = *box;
    double size = bounds_size(&crowd);
    vec3 middle = vec_scale(vec_add(crowd.low, crowd.high), 0.5);

    for (int i = 0; i < count; i++)
        if (solids[i].type == VSP_SHAPE_HALF_SPACE)
            include_ground(box, &solids[i]);
        else if (solids[i].bound < size &&
                 vec_length(vec_sub(solids[i].center, middle)) < size)
            bounds_add_solid(box, &solids[i]);
}

bounds render_focus(const vsp_world *world)
{
    static solid solids[VSP_MAX_SHAPES];
    int count = solids_read(world, solids);
    int movers = gather_movers(solids, count);
    double reach, largest = 0.0;
    bounds box = bounds_none();
    vec3 middle;

    if (movers == 0)
        return render_bounds(world);
    middle = median_of(solids, movers);
    reach = crowd_reach(solids, movers, middle);
    for (int i = 0; i < movers; i++) {
        double way = vec_length(vec_sub(solids[i].center, middle));

        if (way > reach + solids[i].bound)
            continue;
        bounds_add_solid(&box, &solids[i]);
        largest = fmax(largest, solids[i].bound);
    }
    pad_bounds(&box, fmin(4.0, 4.0 * largest));
    include_stage(&box, solids + movers, count - movers);
    return box;
}
