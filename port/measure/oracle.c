/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Penetration by separating axes, for hulls by their corners: of two solids, of
 * a solid and a half-space, and of all solids, sorted along one axis so that
 * thousands are fast.  Then kinetic energy. */

#include "oracle.h"

#include <stdlib.h>

#include "weight.h"


/* ---- Two solids --------------------------------------------------------- */

/* Returns the overlap of two boxes along an axis of length 1. */
static double overlap(const solid *a, const solid *b, vec3 d, vec3 axis)
{
    return solid_reach(a, axis) + solid_reach(b, axis) - fabs(vec_dot(axis, d));
}

/* Returns the least overlap along the face normals of a. */
static double face_depth(const solid *a, const solid *b, vec3 d)
{
    double depth = overlap(a, b, d, a->axes[0]);

    depth = fmin(depth, overlap(a, b, d, a->axes[1]));
    return fmin(depth, overlap(a, b, d, a->axes[2]));
}

/* Returns the least overlap along the cross product of an edge of a and one of
 * b. */
static double edge_depth(const solid *a, const solid *b, vec3 d, double depth)
{
    for (int i = 0; i < 3 && depth > 0.0; i++) {
        for (int k = 0; k < 3; k++) {
            vec3 axis = vec_cross(a->axes[i], b->axes[k]);
            double length = vec_length(axis);

            /* for parallel edges the faces are enough */
            if (length >= 1e-3)
                depth = fmin(depth,
                             overlap(a, b, d, vec_scale(axis, 1.0 / length)));
        }
    }
    return depth;
}

static double box_box_depth(const solid *a, const solid *b)
{
    vec3 d = vec_sub(b->center, a->center);
    double depth = fmin(face_depth(a, b, d), face_depth(b, a, d));

    return edge_depth(a, b, d, depth);
}

static double box_ball_depth(const solid *box, const solid *ball)
{
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    vec3 d = vec_sub(ball->center, box->center);
    double sq_distance = 0.0;
    double inside = 1e30;

    for (int i = 0; i < 3; i++) {
        double excess = fabs(vec_dot(d, box->axes[i])) - half[i];

        inside = fmin(inside, -excess);
        if (excess > 0.0)
            sq_distance += excess * excess;
    }
    return ball->bound + (inside > 0.0 ? inside : -sqrt(sq_distance));
}

static double ball_ball_depth(const solid *a, const solid *b)
{
    return a->bound + b->bound - vec_length(vec_sub(b->center, a->center));
}

/* Returns the depth of a point in a hull or a box; negative outside. */
static double point_depth(const solid *it, vec3 point)
{
    const vsp_hull *hull = it->table;
    vec3 p = solid_local(it, point);
    double depth = 1e30;

    if (it->type == VSP_SHAPE_BOX)
        return fmin(it->half.x - fabs(p.x),
                    fmin(it->half.y - fabs(p.y), it->half.z - fabs(p.z)));
    for (int i = 0; i < hull->face_count; i++) {
        vec3 normal;
        double offset = solid_plane(it, i, &normal);

        depth = fmin(depth, offset - vec_dot(normal, p));
    }
    return depth;
}

static vec3 corner_of(const solid *it, int which)
{
    const vsp_hull *hull = it->table;

    if (it->type == VSP_SHAPE_HULL)
        return solid_point(
            it, solid_scaled(it, place_point(hull->vertices[which])));
    return solid_point(it, vec_make(which & 1 ? it->half.x : -it->half.x,
                                    which & 2 ? it->half.y : -it->half.y,
                                    which & 4 ? it->half.z : -it->half.z));
}

/* Returns the depth of the deepest corner of a in b. */
static double corner_depth(const solid *a, const solid *b)
{
    const vsp_hull *hull = a->table;
    int count = a->type == VSP_SHAPE_HULL ? hull->vertex_count : 8;
    double depth = 0.0;

    for (int i = 0; i < count; i++)
        depth = fmax(depth, point_depth(b, corner_of(a, i)));
    return depth;
}

static bool has_corners(const solid *it)
{
    return it->type == VSP_SHAPE_BOX || it->type == VSP_SHAPE_HULL;
}

/* Returns the depth of a pair with a hull, or another shape besides balls and
 * boxes, by corners. */
static double depth_of_others(const solid *a, const solid *b)
{
    if (!has_corners(a) || !has_corners(b))
        return 0.0;
    return fmax(corner_depth(a, b), corner_depth(b, a));
}

static bool is_plain(const solid *it)
{
    return it->type == VSP_SHAPE_SPHERE || it->type == VSP_SHAPE_BOX;
}

static double depth_of_plain(const solid *a, const solid *b)
{
    bool is_ball_a = a->type == VSP_SHAPE_SPHERE;
    bool is_ball_b = b->type == VSP_SHAPE_SPHERE;

    if (is_ball_a && is_ball_b)
        return ball_ball_depth(a, b);
    if (is_ball_a)
        return box_ball_depth(b, a);
    if (is_ball_b)
        return box_ball_depth(a, b);
    return box_box_depth(a, b);
}

static double depth_of_two(const solid *a, const solid *b)
{
    if (is_plain(a) && is_plain(b))
        return depth_of_plain(a, b);
    return depth_of_others(a, b);
}

/* Returns the depth of a shell's lowest corner in a half-space; negative
 * above. */
static double shell_depth(const solid *ground, const solid *it)
{
    const vsp_shell *shell = it->table;
    double depth = -1e30;

    for (int i = 0; i < shell->sheet.vertex_count; i++) {
        vec3 at = solid_point(it, place_point(shell->sheet.vertices[i]));

        depth = fmax(depth,
                     vec_dot(vec_sub(ground->center, at), ground->axes[1]));
    }
    return depth;
}

static double half_space_depth(const solid *ground, const solid *it)
{
    vec3 d = vec_sub(it->center, ground->center);

    if (it->type == VSP_SHAPE_SDF)
        return 0.0;
    if (it->type == VSP_SHAPE_SHELL)
        return shell_depth(ground, it);
    return solid_reach(it, vec_scale(ground->axes[1], -1.0)) -
           vec_dot(d, ground->axes[1]);
}


/* ---- All solids --------------------------------------------------------- */

/* A solid's extent along the axis on which the solids are sorted, m. */
typedef struct extent {
    double low, high;
    const solid *it;
} extent;

static int compare_extents(const void *a, const void *b)
{
    const extent *left = a;
    const extent *right = b;

    if (left->low < right->low)
        return -1;
    return left->low > right->low;
}

/* Returns the axis along which the centres spread most. */
static vec3 longest_axis(const solid *solids, int count)
{
    vec3 low = vec_make(1e30, 1e30, 1e30);
    vec3 high = vec_scale(low, -1.0);
    vec3 size;

    for (int i = 0; i < count; i++) {
        if (solids[i].type == VSP_SHAPE_HALF_SPACE)
            continue;
        low = vec_min(low, solids[i].center);
        high = vec_max(high, solids[i].center);
    }
    size = vec_sub(high, low);
    if (size.x >= size.y && size.x >= size.z)
        return vec_make(1.0, 0.0, 0.0);
    return size.y >= size.z ? vec_make(0.0, 1.0, 0.0) : vec_make(0.0, 0.0, 1.0);
}

static int sort_extents(const solid *solids, int count, extent *out)
{
    vec3 axis = longest_axis(solids, count);
    int kept = 0;

    for (int i = 0; i < count; i++) {
        double middle = vec_dot(axis, solids[i].center);

        if (solids[i].type == VSP_SHAPE_HALF_SPACE || solids[i].is_sensor)
            continue;
        out[kept].low = middle - solids[i].bound;
        out[kept].high = middle + solids[i].bound;
        out[kept].it = &solids[i];
        kept++;
    }
    qsort(out, (size_t)kept, sizeof *out, compare_extents);
    return kept;
}

/* Whether the depth of a pair counts: a body is dynamic, and the bodies
 * differ. */
static bool is_pair(const solid *a, const solid *b)
{
    vec3 d = vec_sub(b->center, a->center);
    double reach = a->bound + b->bound;

    if (a->body_type != VSP_DYNAMIC && b->body_type != VSP_DYNAMIC)
        return false;
    return a->body.bits != b->body.bits && vec_dot(d, d) < reach * reach;
}

static double deepest_pair(const extent *sorted, int count)
{
    double deepest = 0.0;

    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count && sorted[k].low <= sorted[i].high; k++)
            if (is_pair(sorted[i].it, sorted[k].it))
                deepest = fmax(deepest,
                               depth_of_two(sorted[i].it, sorted[k].it));
    return deepest;
}

/* Returns the deepest penetration of dynamic solids in one half-space. */
static double deepest_in(const solid *ground, const solid *solids, int count)
{
    double deepest = 0.0;

    for (int i = 0; i < count; i++)
        if (solids[i].body_type == VSP_DYNAMIC && !solids[i].is_sensor)
            deepest = fmax(deepest, half_space_depth(ground, &solids[i]));
    return deepest;
}

static bool are_finite(const solid *solids, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(vec_dot(solids[i].center, solids[i].axes[0])))
            return false;
    return true;
}

double oracle_penetration(const solid *solids, int count)
{
    static extent sorted[VSP_MAX_SHAPES];
    double deepest;

    if (!are_finite(solids, count))
        return (double)NAN;
    deepest = deepest_pair(sorted, sort_extents(solids, count, sorted));
    for (int i = 0; i < count; i++)
        if (solids[i].type == VSP_SHAPE_HALF_SPACE)
            deepest = fmax(deepest, deepest_in(&solids[i], solids, count));
    return deepest;
}


/* ---- Energy ------------------------------------------------------------- */

/* Returns the kinetic energy of a solid, which moves with its body about the
 * body's centre of mass. */
static double solid_energy(const vsp_world *world, const solid *it)
{
    weight of = weigh_solid(it);
    vec3 spin = vec_from(vsp_body_spin(world, it->body));
    vec3 arm = vec_sub(solid_point(it, of.center),
                       vec_from(vsp_body_center(world, it->body)));
    vec3 v = vec_add(vec_from(vsp_body_velocity(world, it->body)),
                     vec_cross(spin, arm));
    vec3 w = solid_local_direction(it, spin);
    double turning = vec_dot(of.own, vec_multiply(w, w)) +
                     2.0 * (of.products.x * w.y * w.z +
                            of.products.y * w.x * w.z +
                            of.products.z * w.x * w.y);

    return 0.5 * of.mass * (vec_dot(v, v) + turning);
}

double oracle_kinetic_energy(const vsp_world *world, const solid *solids,
                             int count)
{
    double sum = 0.0;

    for (int i = 0; i < count; i++)
        if (solids[i].body_type == VSP_DYNAMIC)
            sum += solid_energy(world, &solids[i]);
    return sum;
}

double oracle_potential_energy(const vsp_world *world)
{
    vec3 gravity = vec_from(vsp_world_gravity(world));
    double sum = 0.0;

    for (uint32_t slot = 0; slot < VSP_MAX_BODIES; slot++) {
        vsp_body_id id = vsp_body_at(world, slot);

        if (id.bits != 0 && vsp_body_get_type(world, id) == VSP_DYNAMIC)
            sum -= vsp_to_double(vsp_body_mass(world, id)) *
                   vec_dot(gravity, vec_from(vsp_body_center(world, id)));
    }
    return sum;
}
