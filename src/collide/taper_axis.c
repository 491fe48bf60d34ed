/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The direction of the largest gap between a tapered capsule and another convex
 * solid.
 *
 * A tapered capsule is the union of the balls around all points of its axis
 * whose radius changes linearly from one end to the other.  So its distance to
 * a convex solid is the least, over the axis, of the distance of a point less
 * the radius there: a convex function of one variable.  Its slope increases, so
 * the root of the slope is found between two bounds (false position, by the
 * Illinois rule: Dowell and Jarratt, "A modified regula falsi method for
 * computing the root of an equation", 1971).  Near a corner the slope is almost
 * a step, where this rule is slow: after FALSE_ROUNDS rounds bisection
 * continues. */

#include "collide.h"

#if VSP_TAPERS

#define AXIS_ROUNDS 34u
#define FALSE_ROUNDS 14u /* rounds of false position, before bisection */

/* a slope this small counts as 0 */
#define AXIS_SLOPE VSP__UNIT(0.000002)

/* m: the direction is exact if the distance of the axis from the other core,
 * plus the radius of that solid, is above this */
#define AXIS_LEAST VSP__REAL(0.0005)

/* A tapered capsule in the frame of another core. */
typedef struct taper_view {
    const vsp__convex *other;
    vsp__v3 middle, axis; /* its origin and its y axis */
    vsp__num sine;        /* of the angle of its side to the axis */
    vsp__num y;           /* the point of the axis that was measured last */
    vsp__v3 at;           /* the other core's point nearest to that */
    vsp__v3 normal;       /* there, to the point of the axis */
    vsp__num distance;    /* m */
} taper_view;

/* Measures the distance of a point from a core with corners. */
static void measure_from_corners(taper_view *v, const vsp__v3 *from)
{
    vsp__convex point = {0};
    vsp__convex_pair p;
    vsp__gjk_simplex s;

    point.core = VSP__CORE_POINT;
    point.pose = v->other->pose;
    vsp__set_side(&p.side[0], &point);
    vsp__set_side(&p.side[1], v->other);
    p.turn.axis[0] = v3(VSP__UNIT(1.0), 0, 0);
    p.turn.axis[1] = v3(0, VSP__UNIT(1.0), 0);
    p.turn.axis[2] = v3(0, 0, VSP__UNIT(1.0));
    p.radii = 0;
    p.side[1].offset = *from;
    v3_neg_to(from, &p.side[0].offset);
    v->distance = vsp__nearest_points(&p, VSP__FAR_LIMIT, &s);
    v->normal = s.direction;
    v->at = *from;
    u3_move(&v->at, r_neg(v->distance), &v->normal);
    v3_flush_in(&v->at);
}

/* Measures the distance of the point y of the axis from the other core.
 * Returns its slope, less that of the radius. */
static vsp__num measure_taper(taper_view *v, vsp__num y)
{
    const vsp__convex *c = v->other;
    vsp__v3 half = c->half, from = v->middle;

    u3_move(&from, y, &v->axis);
    v3_flush_in(&from);
    v->y = y;
    v->at = from;
    if (c->core <= VSP__CORE_SEGMENT)
        half = v3(0, c->core == VSP__CORE_POINT ? 0 : half.y, 0);
    if (c->core <= VSP__CORE_SEGMENT || vsp__is_taper_core(c))
        v->distance = vsp__gap_of_taper(&half, &v->at, &v->normal);
    else if (vsp__is_turned_core(c))
        v->distance = vsp__gap_of_turned(&half, &v->at, &v->normal);
    else
        measure_from_corners(v, &from);
    return r_add(r_flush(u3_dot_at(&v->normal, &v->axis)), v->sine);
}

/* Measures where the slope changes its sign, from `low` at -half to `high` at
 * half. */
static void find_taper_root(taper_view *v, vsp__num half, vsp__num low,
                            vsp__num high)
{
    vsp__num ends[2], slopes[2], slope = high;
    uint32_t round, last = 2, k;

    ends[0] = r_neg(half);
    ends[1] = half;
    slopes[0] = low;
    slopes[1] = high;
    for (round = 0; round < AXIS_ROUNDS && r_abs(slope) > AXIS_SLOPE; round++) {
        vsp__num way = r_sub(ends[1], ends[0]);
        vsp__num part = VSP__UNIT(0.5);

        if (round < FALSE_ROUNDS)
            part = u_div(r_neg(slopes[0]), r_sub(slopes[1], slopes[0]));
        slope = measure_taper(v, r_add(ends[0], r_flush(u_mul(part, way))));
        k = slope > 0 ? 1u : 0u;
        ends[k] = v->y;
        slopes[k] = slope;
        if (k == last)
            slopes[1u - k] = u_mul(VSP__UNIT(0.5), slopes[1u - k]);
        last = k;
    }
}

bool vsp__find_taper_axis(const vsp__convex_pair *p, vsp__v3 *n, vsp__v3 on[2])
{
    uint32_t side = vsp__is_taper_core(p->side[0].solid) ? 0 : 1;
    const vsp__convex *c = p->side[side].solid;
    vsp__num low, high, half = c->half.y;
    taper_view v;

    v.other = p->side[1u - side].solid;
    v.middle = p->side[1u - side].offset;
    v.axis = v3(0, VSP__UNIT(1.0), 0);
    vsp__direction_to_other(p, side, &v.axis);
    vsp__taper_side(&c->half, n);
    v.sine = n->y;
    low = measure_taper(&v, r_neg(half));
    if (low < 0) {
        high = measure_taper(&v, half);
        if (high > 0)
            find_taper_root(&v, half, low, high);
    }
    if (!(r_add(v.distance, v.other->radius) > AXIS_LEAST))
        return false;
    *n = v.normal;
    v3_flip_in(n, side == 0);
    on[side] = v3_zero();
    u3_move(&on[side], v.y, &v.axis);
    u3_move(&on[side], r_neg(vsp__taper_radius(&c->half, v.y)), &v.normal);
    v3_flush_in(&on[side]);
    on[1u - side] = v.at;
    vsp__m3_mul_flushed(&v.other->pose->axes, &on[0]);
    vsp__m3_mul_flushed(&v.other->pose->axes, &on[1]);
    vsp__m3_mul_flushed(&v.other->pose->axes, n);
    return true;
}

#endif /* VSP_TAPERS */
