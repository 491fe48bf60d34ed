/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Penetration by separating axes: depth of two solids, of a solid and a
 * half-space, and of all solids, sorted along one axis so that thousands are
 * fast; then kinetic energy. */

#include "oracle.h"

#include <stdlib.h>


/* ---- Two solids --------------------------------------------------------- */

/* How deep two boxes overlap along a direction of length 1. */
static double overlap(const solid *a, const solid *b, vec3 d, vec3 axis)
{
    return solid_reach(a, axis) + solid_reach(b, axis) -
           fabs(vec_dot(axis, d));
}

/* The least overlap along the faces of a. */
static double face_depth(const solid *a, const solid *b, vec3 d)
{
    double depth = overlap(a, b, d, a->axes[0]);

    depth = fmin(depth, overlap(a, b, d, a->axes[1]));
    return fmin(depth, overlap(a, b, d, a->axes[2]));
}

/* The least overlap across an edge of a and one of b. */
static double edge_depth(const solid *a, const solid *b, vec3 d, double depth)
{
    for (int i = 0; i < 3 && depth > 0.0; i++) {
        for (int k = 0; k < 3; k++) {
            vec3 axis = vec_cross(a->axes[i], b->axes[k]);
            double length = vec_length(axis);

            /* of parallel edges the faces know more */
            if (length >= 1e-3)
                depth = fmin(depth, overlap(a, b, d,
                                            vec_scale(axis, 1.0 / length)));
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

static double depth_of_two(const solid *a, const solid *b)
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

static double half_space_depth(const solid *ground, const solid *it)
{
    vec3 d = vec_sub(it->center, ground->center);

    return solid_reach(it, ground->axes[1]) - vec_dot(d, ground->axes[1]);
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

/* The axis along which the centers spread most. */
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
    return size.y >= size.z ? vec_make(0.0, 1.0, 0.0)
                            : vec_make(0.0, 0.0, 1.0);
}

static int sort_extents(const solid *solids, int count, extent *out)
{
    vec3 axis = longest_axis(solids, count);
    int kept = 0;

    for (int i = 0; i < count; i++) {
        double middle = vec_dot(axis, solids[i].center);

        if (solids[i].type == VSP_SHAPE_HALF_SPACE)
            continue;
        out[kept].low = middle - solids[i].bound;
        out[kept].high = middle + solids[i].bound;
        out[kept].it = &solids[i];
        kept++;
    }
    qsort(out, (size_t)kept, sizeof *out, compare_extents);
    return kept;
}

/* Two solids that no dynamic body owns, or one body owns both, may overlap. */
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

/* The deepest any dynamic solid is in one half-space. */
static double deepest_in(const solid *ground, const solid *solids, int count)
{
    double deepest = 0.0;

    for (int i = 0; i < count; i++)
        if (solids[i].body_type == VSP_DYNAMIC)
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

static double solid_mass(const solid *it)
{
    double sides = it->half.x * it->half.y * it->half.z;

    if (it->type == VSP_SHAPE_SPHERE)
        return it->density * 4.0 / 3.0 * PI * sides;
    return it->density * 8.0 * sides;
}

/* The squares of the lengths whose sum, two at a time, is inertia by mass. */
static vec3 sq_gyration(const solid *it)
{
    vec3 sq = vec_multiply(it->half, it->half);

    return vec_scale(sq, it->type == VSP_SHAPE_SPHERE ? 1.0 / 5.0 : 1.0 / 3.0);
}

/* A solid moves with its body, about the body's centre of mass. */
static double solid_energy(const vsp_world *world, const solid *it)
{
    vec3 spin = vec_from(vsp_body_spin(world, it->body));
    vec3 arm = vec_sub(it->center, vec_from(vsp_body_center(world, it->body)));
    vec3 v = vec_add(vec_from(vsp_body_velocity(world, it->body)),
                     vec_cross(spin, arm));
    vec3 g = sq_gyration(it);
    vec3 w = vec_make(vec_dot(it->axes[0], spin), vec_dot(it->axes[1], spin),
                      vec_dot(it->axes[2], spin));

    w = vec_multiply(w, w);
    return 0.5 * solid_mass(it) *
           (vec_dot(v, v) + (g.y + g.z) * w.x + (g.x + g.z) * w.y +
            (g.x + g.y) * w.z);
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
