/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Makes, from a closed mesh: a grid of signed distances, spheres below the
 * surface, a tree of the spheres, a table.  Spheres are greedy: the surface
 * point that is farthest from all spheres gets the next one, the largest that
 * still comes as near to the point as possible.  These are medial balls as in
 * Bradshaw and O'Sullivan, "Adaptive medial-axis approximation for sphere-tree
 * construction", 2004, without their regions. */

#include "sdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mass_properties.h"
#include "mesh_distance.h"

#define LONGEST 100.0    /* largest coordinate of a table, m */
#define STEPS_A_CELL 256 /* distance steps a cell; fewer if some are large */

sdf_options sdf_options_default(void)
{
    sdf_options options = {32, 64, 4};

    return options;
}

/* Inputs and state of a build. */
typedef struct sdf_work {
    sdf_storage *out;
    const sdf_options *options;
    distance_mesh mesh;
    double cell; /* m */
    vec3 low;
    double *samples_left; /* distance of each sample to the nearest sphere */
    vec3 *samples;
    size_t sample_count;
    vec3 *centers; /* centres of all spheres */
    double *radii;
} sdf_work;


/* ---- Grid --------------------------------------------------------------- */

static void find_bounds(const vec3 *points, size_t count, vec3 *low, vec3 *high)
{
    *low = *high = points[0];
    for (size_t i = 1; i < count; i++) {
        *low = vec_min(*low, points[i]);
        *high = vec_max(*high, points[i]);
    }
}

static int32_t places_of(double metres)
{
    return (int32_t)floor(metres * VSP_PLACE + 0.5);
}

/* Places the grid around the mesh, with a margin of at least a cell. */
static bool lay_grid(sdf_work *work, vec3 low, vec3 high)
{
    vsp_sdf *sdf = &work->out->sdf;
    vec3 size = vec_sub(high, low);
    double longest = fmax(size.x, fmax(size.y, size.z)), cell;
    double sizes[3] = {size.x, size.y, size.z}, lows[3];
    double begins[3] = {low.x, low.y, low.z};
    int32_t begin[3];

    sdf->cell = (int32_t)ceil(longest * VSP_PLACE / work->options->cells);
    if (sdf->cell < 16)
        return false;
    work->cell = cell = (double)sdf->cell / VSP_PLACE;
    for (int i = 0; i < 3; i++) {
        int cells = (int)ceil(sizes[i] / cell - 1e-6) + 2;

        sdf->count[i] = (uint16_t)(cells + 1);
        begin[i] = places_of(begins[i] + (sizes[i] - cells * cell) / 2.0);
        lows[i] = (double)begin[i] / VSP_PLACE;
        if (fabs(lows[i]) > LONGEST || lows[i] + cells * cell > LONGEST)
            return false;
    }
    sdf->low.x = begin[0];
    sdf->low.y = begin[1];
    sdf->low.z = begin[2];
    work->low = vec_make(lows[0], lows[1], lows[2]);
    return true;
}

static size_t grid_size(const vsp_sdf *sdf)
{
    return (size_t)sdf->count[0] * sdf->count[1] * sdf->count[2];
}

/* Computes the distances, in m, row by row along x.  Returns the largest.  The
 * nearest point of one grid point is a good first guess for the next. */
static double measure_grid(const sdf_work *work, double *distances)
{
    const uint16_t *count = work->out->sdf.count;
    int32_t windings[256];
    double most = 0;

    for (uint32_t row = 0; row < (uint32_t)count[1] * count[2]; row++) {
        vec3 at = work->low, nearest = {1e6, 0, 0};
        double *to = distances + (size_t)row * count[0];

        at.y += row % count[1] * work->cell;
        at.z += row / count[1] * work->cell;
        memset(windings, 0, sizeof windings);
        distance_wind(&work->mesh, at, work->cell, count[0], windings);
        for (uint32_t i = 0; i < count[0]; i++) {
            vec3 p = at;

            p.x += i * work->cell;
            to[i] = distance_from(&work->mesh, p,
                                  vec_length(vec_sub(p, nearest)) * 1.000001,
                                  &nearest);
            most = fmax(most, to[i]);
            if (windings[i] > 0)
                to[i] = -to[i];
        }
    }
    return most;
}

static bool fill_grid(sdf_work *work)
{
    sdf_storage *out = work->out;
    size_t count = grid_size(&out->sdf);
    double *distances = malloc(count * sizeof *distances);
    double most;

    out->distances = malloc(count * sizeof *out->distances);
    if (distances && out->distances) {
        most = measure_grid(work, distances) * VSP_PLACE;
        out->sdf.step = (out->sdf.cell + STEPS_A_CELL - 1) / STEPS_A_CELL;
        if (most > 32767.0 * out->sdf.step)
            out->sdf.step = (int32_t)ceil(most / 32767.0);
        for (size_t i = 0; i < count; i++)
            out->distances[i] = (int16_t)floor(
                distances[i] * VSP_PLACE / out->sdf.step + 0.5);
    }
    free(distances);
    out->sdf.distances = out->distances;
    return distances && out->distances;
}


/* ---- Samples of the surface --------------------------------------------- */

/* Writes points in rows within a triangle, about half a cell apart.  Returns
 * their number. */
static size_t sample_triangle(const vec3 *c, double spacing, vec3 *out)
{
    double longest = 0;
    size_t count = 0;
    int parts;

    for (int i = 0; i < 3; i++)
        longest = fmax(longest, vec_length(vec_sub(c[(i + 1) % 3], c[i])));
    parts = (int)ceil(longest / spacing);
    for (int i = 0; i < parts; i++)
        for (int k = 0; k < parts - i; k++, count++) {
            vec3 p = vec_scale(c[0], 3 * (parts - i - k) - 2);

            p = vec_mad(p, 3 * i + 1, c[1]);
            p = vec_mad(p, 3 * k + 1, c[2]);
            if (out)
                out[count] = vec_scale(p, 1.0 / (3 * parts));
        }
    return count;
}

/* Samples all triangles; corners come first, as nothing is farther out. */
static size_t sample_all(const sdf_work *work, vec3 *out)
{
    size_t count = 0;

    for (uint32_t i = 0; i < work->mesh.count; i++) {
        vec3 c[3];

        for (int k = 0; k < 3; k++) {
            c[k] = work->mesh.points[work->mesh.triangles[i][k]];
            if (out)
                out[count] = c[k];
            count++;
        }
        count += sample_triangle(c, work->cell / 2.0, out ? out + count : out);
    }
    return count;
}


/* ---- Spheres ------------------------------------------------------------ */

/* Computes the outward direction at a point of the surface, from distances half
 * a cell around it.  Returns false if they have no clear gradient. */
static bool way_out(const sdf_work *work, vec3 at, vec3 *way)
{
    double h = work->cell / 2.0;
    vec3 p[6], nearest;
    double d[6];

    for (int i = 0; i < 6; i++) {
        double s = i % 2 ? -h : h;

        p[i] = vec_add(at, vec_make(i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0,
                                    i / 2 == 2 ? s : 0));
        d[i] = distance_signed(&work->mesh, p[i], &nearest);
    }
    *way = vec_make(d[0] - d[1], d[2] - d[3], d[4] - d[5]);
    if (!(vec_length(*way) > h * 0.05))
        return false;
    *way = vec_unit(*way);
    return true;
}

/* Finds the largest sphere inside that comes as near to a point of the surface
 * as a small one does.  Returns its radius; 0 if there is none. */
static double grow_sphere(const sdf_work *work, vec3 at, vec3 *center)
{
    double way = work->cell / 8.0, best = 0, miss = 0;
    vec3 out, nearest;

    if (!way_out(work, at, &out))
        return 0;
    for (int i = 0; i < 200; i++) {
        vec3 c = vec_mad(at, -way, out);
        double radius = -distance_signed(&work->mesh, c, &nearest);

        if (i < 4 && radius > 0)
            miss = fmax(miss, way - radius + work->cell * 0.02);
        if (!(radius > 0) || way - radius > miss) {
            if (best > 0)
                break;
        } else {
            best = radius;
            *center = c;
        }
        way *= 1.1;
    }
    return best;
}

static size_t worst_sample(const sdf_work *work)
{
    size_t worst = 0;

    for (size_t i = 1; i < work->sample_count; i++)
        if (work->samples_left[i] > work->samples_left[worst])
            worst = i;
    return worst;
}

/* Adds a sphere.  Its centre is rounded to whole places, and its radius
 * down. */
static void take_sphere(sdf_work *work, vec3 c, double radius)
{
    uint32_t n = work->out->sphere_count++;

    work->centers[n] = c = vec_make((double)places_of(c.x) / VSP_PLACE,
                                    (double)places_of(c.y) / VSP_PLACE,
                                    (double)places_of(c.z) / VSP_PLACE);
    work->radii[n] = fmax(1.0, floor(radius * VSP_PLACE)) / VSP_PLACE;
    for (size_t i = 0; i < work->sample_count; i++)
        work->samples_left[i] = fmin(work->samples_left[i],
                                     vec_length(vec_sub(work->samples[i], c)) -
                                         work->radii[n]);
}

static void choose_spheres(sdf_work *work)
{
    uint32_t tries = work->options->spheres * 4;

    for (size_t i = 0; i < work->sample_count; i++)
        work->samples_left[i] = 1e9;
    while (work->out->sphere_count < work->options->spheres && tries-- > 0) {
        size_t worst = worst_sample(work);
        vec3 center = {0, 0, 0};
        double radius;

        if (!(work->samples_left[worst] > work->cell * 0.02))
            return;
        radius = grow_sphere(work, work->samples[worst], &center);
        if (radius > 0)
            take_sphere(work, center, radius);
        else
            work->samples_left[worst] = 0;
    }
}

/* Computes the distance of the surface to the spheres, and how far they stick
 * out. */
static void judge_spheres(sdf_work *work)
{
    sdf_storage *out = work->out;
    vec3 nearest;
    double sum = 0;

    for (size_t i = 0; i < work->sample_count; i++) {
        double left = 1e9;

        for (uint32_t k = 0; k < out->sphere_count; k++)
            left = fmin(
                left, vec_length(vec_sub(work->samples[i], work->centers[k])) -
                          work->radii[k]);
        out->uncovered = fmax(out->uncovered, left);
        sum += fmax(left, 0.0);
    }
    out->mean_uncovered = sum / (double)work->sample_count;
    for (uint32_t k = 0; k < out->sphere_count; k++)
        out->outside = fmax(out->outside,
                            work->radii[k] + distance_signed(&work->mesh,
                                                             work->centers[k],
                                                             &nearest));
}

static bool find_spheres(sdf_work *work)
{
    bool is_done = false;

    work->sample_count = sample_all(work, NULL);
    work->samples = malloc(work->sample_count * sizeof *work->samples);
    work->samples_left = malloc(work->sample_count * sizeof(double));
    if (work->samples && work->samples_left) {
        (void)sample_all(work, work->samples);
        choose_spheres(work);
        judge_spheres(work);
        is_done = true;
    }
    free(work->samples);
    free(work->samples_left);
    return is_done;
}


/* ---- Tree --------------------------------------------------------------- */

static double along(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Sorts an interval of spheres along the longest side of the box of their
 * centres. */
static void sort_spheres(sdf_work *work, uint32_t first, uint32_t count)
{
    vec3 low, high, size;
    int axis;

    find_bounds(work->centers + first, count, &low, &high);
    size = vec_sub(high, low);
    axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (uint32_t i = first + 1; i < first + count; i++)
        for (uint32_t k = i; k > first && along(work->centers[k], axis) <
                                              along(work->centers[k - 1], axis);
             k--) {
            vec3 center = work->centers[k];
            double radius = work->radii[k];

            work->centers[k] = work->centers[k - 1];
            work->centers[k - 1] = center;
            work->radii[k] = work->radii[k - 1];
            work->radii[k - 1] = radius;
        }
}

static vec3 node_center(const vsp_sphere_node *node)
{
    return vec_make((double)node->center.x / VSP_PLACE,
                    (double)node->center.y / VSP_PLACE,
                    (double)node->center.z / VSP_PLACE);
}

static double node_reach(const vsp_sphere_node *node, vec3 from)
{
    return vec_length(vec_sub(node_center(node), from)) +
           (double)node->radius / VSP_PLACE;
}

static void set_center(vsp_sphere_node *node, vec3 c)
{
    node->center.x = places_of(c.x);
    node->center.y = places_of(c.y);
    node->center.z = places_of(c.z);
}

/* Computes a sphere around all nodes below one, by the method of Badoiu and
 * Clarkson, "Smaller core-sets for balls", 2003: the centre moves towards the
 * farthest node, by a smaller step each time. */
static void enclose_nodes(sdf_storage *out, uint32_t index)
{
    vsp_sphere_node *node = &out->nodes[index];
    vec3 c = node_center(&out->nodes[index + 1]);
    double radius = 0;

    for (int round = 1; round <= 500; round++) {
        const vsp_sphere_node *farthest = &out->nodes[index + 1];

        for (uint32_t i = index + 1; i < node->next; i++)
            if (node_reach(&out->nodes[i], c) > node_reach(farthest, c))
                farthest = &out->nodes[i];
        c = vec_mad(c, 1.0 / (round + 1), vec_sub(node_center(farthest), c));
    }
    set_center(node, c);
    for (uint32_t i = index + 1; i < node->next; i++)
        radius = fmax(radius, node_reach(&out->nodes[i], node_center(node)));
    node->radius = (int32_t)ceil(radius * VSP_PLACE) + 1;
}

static void add_leaf(sdf_work *work, uint32_t sphere)
{
    vsp_sdf *sdf = &work->out->sdf;
    vsp_sphere_node *node = &work->out->nodes[sdf->node_count++];

    set_center(node, work->centers[sphere]);
    node->radius = (int32_t)floor(work->radii[sphere] * VSP_PLACE + 0.5);
    node->next = sdf->node_count;
}

static void add_nodes(sdf_work *work, uint32_t first, uint32_t count,
                      uint32_t level);

/* Adds the children of a node: an interval of spheres, halved several times. */
static void add_children(sdf_work *work, uint32_t first, uint32_t count,
                         uint32_t level, uint32_t halvings)
{
    if (halvings == 0 || count == 1) {
        add_nodes(work, first, count, level);
        return;
    }
    sort_spheres(work, first, count);
    add_children(work, first, count / 2, level, halvings - 1);
    add_children(work, first + count / 2, count - count / 2, level,
                 halvings - 1);
}

/* Adds a node over an interval, and all nodes below it; the last level has only
 * leaves. */
static void add_nodes(sdf_work *work, uint32_t first, uint32_t count,
                      uint32_t level)
{
    sdf_storage *out = work->out;
    uint32_t levels = work->options->depth - 1, index, halvings = 0;

    if (count == 1 || level >= levels) {
        for (uint32_t i = 0; i < count; i++)
            add_leaf(work, first + i);
        return;
    }
    index = out->sdf.node_count++;
    while ((1u << halvings * (levels - level)) < count)
        halvings++;
    add_children(work, first, count, level + 1, halvings);
    out->nodes[index].next = out->sdf.node_count;
    enclose_nodes(out, index);
}

static bool build_spheres(sdf_work *work)
{
    sdf_storage *out = work->out;
    uint32_t room = work->options->spheres;
    bool is_done = false;

    work->centers = malloc((room + 1) * sizeof *work->centers);
    work->radii = malloc((room + 1) * sizeof *work->radii);
    out->nodes = calloc(2 * (size_t)room + 1, sizeof *out->nodes);
    if (work->centers && work->radii && out->nodes && find_spheres(work)) {
        if (out->sphere_count > 0)
            add_nodes(work, 0, out->sphere_count, 0);
        is_done = true;
    }
    free(work->centers);
    free(work->radii);
    out->sdf.nodes = out->nodes;
    return is_done;
}


/* ---- All of it ---------------------------------------------------------- */

static const char *build_table(sdf_work *work, const vec3 *points,
                               size_t point_count)
{
    vec3 low, high;

    find_bounds(points, point_count, &low, &high);
    if (!lay_grid(work, low, high))
        return "too large, or cells too small";
    if (!find_bulk(&work->out->sdf.bulk, points, work->mesh.triangles,
                   work->mesh.count))
        return "no volume: is it inside out?";
    if (!fill_grid(work))
        return "not enough memory";
    if (work->options->spheres > 0 && !build_spheres(work))
        return "not enough memory";
    return NULL;
}

const char *sdf_build(sdf_storage *out, const vec3 *points, size_t point_count,
                      uint32_t (*triangles)[3], size_t triangle_count,
                      const sdf_options *options)
{
    sdf_work work;
    const char *why;

    memset(out, 0, sizeof *out);
    memset(&work, 0, sizeof work);
    out->sdf.kind = VSP_TABLE_SDF;
    work.out = out;
    work.options = options;
    if (options->cells < 2 || options->cells > 250 ||
        options->spheres > SDF_MAX_SPHERES || options->depth < 1 ||
        options->depth > SDF_MAX_DEPTH)
        return "a count out of range";
    if (point_count == 0 || triangle_count == 0)
        return "no triangles";
    if (distance_count_open(points, point_count, triangles, triangle_count))
        return "not closed: a side of a triangle without another";
    if (!distance_begin(&work.mesh, points, triangles, triangle_count))
        return "not enough memory";
    why = build_table(&work, points, point_count);
    distance_free(&work.mesh);
    if (why)
        sdf_free(out);
    return why;
}

void sdf_free(sdf_storage *storage)
{
    free(storage->distances);
    free(storage->nodes);
    memset(storage, 0, sizeof *storage);
}


/* ---- Writing ------------------------------------------------------------ */

size_t sdf_bytes(const vsp_sdf *sdf)
{
    return 82 + 2 * grid_size(sdf) + 20 * (size_t)sdf->node_count;
}

static void write_nodes(table_text *text, const vsp_sdf *sdf)
{
    table_open(text, "vsp_sphere_node", "nodes");
    for (uint32_t i = 0; i < sdf->node_count; i++) {
        const vsp_sphere_node *node = &sdf->nodes[i];

        table_item(text, "{{%ld, %ld, %ld}, %ld, %u, 0}", (long)node->center.x,
                   (long)node->center.y, (long)node->center.z,
                   (long)node->radius, node->next);
    }
    table_close(text);
}

void sdf_write(table_text *text, const table_origin *origin, const vsp_sdf *sdf)
{
    char what[128];

    snprintf(what, sizeof what,
             "signed distances: %u x %u x %u points, %u nodes of spheres",
             sdf->count[0], sdf->count[1], sdf->count[2], sdf->node_count);
    table_begin(text, origin, what, sdf_bytes(sdf));
    table_shorts(text, "distances", sdf->distances, grid_size(sdf));
    if (sdf->node_count > 0)
        write_nodes(text, sdf);
    table_open_constant(text, "vsp_sdf");
    table_item(text, "VSP_TABLE_SDF");
    table_item(text, "{%u, %u, %u}", sdf->count[0], sdf->count[1],
               sdf->count[2]);
    table_item(text, "%u", sdf->node_count);
    table_item(text, "{%ld, %ld, %ld}", (long)sdf->low.x, (long)sdf->low.y,
               (long)sdf->low.z);
    table_item(text, "%ld", (long)sdf->cell);
    table_item(text, "%ld", (long)sdf->step);
    table_item(text, "%s_distances", text->name);
    if (sdf->node_count > 0)
        table_item(text, "%s_nodes", text->name);
    else
        table_item(text, "0");
    table_bulk(text, &sdf->bulk);
    table_end(text);
}
