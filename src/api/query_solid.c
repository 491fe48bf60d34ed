/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Casts and overlaps of solids, and points near solids.  In this order: casts
 * against convex solids; half-spaces; the nearest point of a solid. */

#include "query.h"

#if VSP_QUERIES

/* m: a cast solid that cannot approach by more than this is not stopped */
#define LEAST_APPROACH VSP__REAL(0.00001)


/* ---- Casts of solids -------------------------------------------------------
 * Conservative advancement (Mirtich, Impulse-based Dynamic Simulation of
 * Rigid Body Systems, 1996): the solid advances repeatedly by no more than the
 * gap safely allows, until the gap is small.  An overlap query is a cast
 * without a displacement. */

#define MAX_ADVANCES 40

void vsp__place_query_solid(vsp__query_state *s, vsp__num at)
{
    vsp__point_along(&s->start, &s->direction, at, &s->place.position);
}

bool vsp__move_query_solid(vsp__query_state *s, const vsp__convex *target,
                           vsp__num limit, vsp__query_hit *m)
{
    vsp__num gap, closing, left, near;
    vsp__witness w;
    uint32_t i;

    s->place.position = s->start;
    m->at = 0;
    for (i = 0; i < MAX_ADVANCES; i++) {
        left = r_sub(limit, m->at);
        gap = vsp__convex_distance(&s->solid, target,
                                   r_add(left, VSP__TOUCH_DISTANCE), &w);
        if (!(gap > 0))
            return i > 0 || vsp__begins_inside(s, m);
        closing = vsp__flushed_dot(&w.normal, &s->direction);
        near = r_sub(gap, u_mul(VSP__UNIT(0.5), VSP__TOUCH_DISTANCE));
        if (closing <= VSP__LEAST_SLOPE ||
            u_mul(closing, left) < r_max(near, i == 0 ? LEAST_APPROACH : 0))
            return false;
        v3_neg_to(&w.normal, &m->normal);
        v3_add_to(&w.on[1], &target->pose->position, &m->point);
        if (gap <= VSP__TOUCH_DISTANCE)
            return true;
        m->at = r_min(r_add(m->at, u_div(near, closing)), limit);
        vsp__place_query_solid(s, m->at);
    }
    return true;
}


/* ---- Half-spaces --------------------------------------------------------- */

/* Finds the point of the query's box, solid or ray that is lowest over a
 * half-space. */
static void lowest_point(const vsp__query_state *s, const vsp__v3 *normal,
                         vsp__v3 *point)
{
    vsp__v3 down;
    uint32_t k;

    v3_neg_to(normal, &down);
    *point = s->origin;
    if (s->question == VSP__ASK_BOUNDS) {
        for (k = 0; k < 3; k++)
            v3_parts(point)[k] = v3_part(normal, k) > 0
                                     ? v3_part(&s->ends.low, k)
                                     : v3_part(&s->ends.high, k);
    } else if (s->question != VSP__ASK_RAY) {
        vsp__farthest_point(&s->solid, &down, point);
        u3_move(point, s->solid.radius, &down);
        v3_add_in(point, &s->start);
    }
}

bool vsp__ask_plane(const vsp__query_state *s, vsp__query_hit *m)
{
    const vsp__v3 *n = &s->pose->axes.axis[1];
    vsp__num slope = vsp__flushed_dot(n, &s->direction), height, near;
    vsp__num half = u_mul(VSP__UNIT(0.5), VSP__TOUCH_DISTANCE);

    lowest_point(s, n, &m->point);
    height = near = vsp__height_along(n, &s->pose->position, &m->point);
    if (VSP_CHARACTER && s->question == VSP__ASK_GAP) {
        m->at = height;
        m->normal = *n;
        return height <= s->limit;
    }
    if (height <= 0)
        return vsp__begins_inside(s, m);
    if (s->question != VSP__ASK_RAY)
        near = r_sub(height, half);
    if (slope >= r_neg(VSP__LEAST_SLOPE) ||
        (s->question != VSP__ASK_RAY &&
         u_mul(r_neg(slope), s->limit) < r_max(near, LEAST_APPROACH)))
        return false;
    m->at = r_max(u_div(near, r_neg(slope)), 0);
    u3_move(&m->point, m->at, &s->direction);
    if (s->question == VSP__ASK_RAY)
        v3_flush_in(&m->point);
    else
        u3_move(&m->point, r_neg(r_min(height, half)), n);
    m->normal = *n;
    return m->at <= s->limit;
}


/* ---- Points -------------------------------------------------------------- */

void vsp__make_core(vsp__convex *c, const vsp__pose *pose, vsp__core core)
{
    vsp__zero_bytes(c, sizeof *c);
    c->pose = pose;
    c->core = core;
}

bool vsp__nearest_on_convex(const vsp__query_state *s,
                            const vsp__convex *target, vsp__num limit,
                            vsp__query_hit *m)
{
    vsp__witness w;
    vsp__v3 offset;

    if (vsp__are_too_far_apart(
            vsp__origin_distance(target, &s->solid, &offset)))
        return false;
    m->at = vsp__convex_distance(target, &s->solid, limit, &w);
    m->normal = w.normal;
    v3_add_to(&w.on[0], &target->pose->position, &m->point);
    return m->at <= limit;
}

/* The gap_of_ functions work in the shape's frame: they move `at` to the
 * nearest point of the surface, fill the outward normal there, and return how
 * far outside `at` was, m (negative: inside).  Here: a ball whose centre is at
 * a height on the y axis. */
static vsp__num gap_of_ball(vsp__v3 *at, vsp__num height, vsp__num radius,
                            vsp__v3 *normal)
{
    vsp__v3 from = *at;
    vsp__num distance;

    from.y = r_flush(r_sub(from.y, height));
    distance = v3_length_at(&from);
    *normal = v3(0, VSP__UNIT(1.0), 0);
    if (distance > VSP__REAL(0.000001)) {
        *normal = from;
        vsp__v3_normalize_by(normal, distance);
        v3_flush_in(normal);
    }
    *at = *normal;
    u3_scale_in(at, radius);
    at->y = r_add(at->y, height);
    return r_sub(distance, radius);
}

static vsp__num gap_of_box(vsp__v3 *at, const vsp__v3 *size, vsp__v3 *normal)
{
    const vsp__num *h = &size->x;
    vsp__num *a = &at->x, outside[3], distance;
    vsp__v3 from = *at;
    uint32_t k, best = 0;

    for (k = 0; k < 3; k++) {
        outside[k] = r_sub(r_abs(a[k]), h[k]);
        if (outside[k] > outside[best])
            best = k;
        a[k] = r_clamp(a[k], r_neg(h[k]), h[k]);
    }
    vsp__v3_from_to(at, &from, normal);
    distance = v3_length_at(normal);
    if (distance > VSP__REAL(0.000001)) {
        vsp__v3_normalize_by(normal, distance);
        return distance;
    }
    *normal = v3_zero();
    v3_parts(normal)[best] = r_signed(VSP__UNIT(1.0), a[best] < 0);
    a[best] = r_signed(h[best], a[best] < 0);
    return outside[best];
}

/* Gap of a point to a hull: exact inside; outside a lower bound above 0. */
static vsp__num gap_of_hull(const vsp__query_state *s, vsp__v3 *at,
                            vsp__v3 *normal)
{
    vsp__num gap = r_neg(VSP__FAR_LENGTH), height;
    vsp__convex hull;
    vsp__v3 n;
    uint32_t i;

    vsp__make_convex(s->world, s->shape, s->pose, &hull);
    for (i = 0; i < hull.hull->face_count; i++) {
        height = vsp__height_over_face(&hull, i, at, &n);
        if (height > gap) {
            gap = height;
            *normal = n;
        }
    }
    u3_move(at, r_neg(gap), normal);
    return gap;
}

/* Gap of a point to a solid of any type: exact inside, else at least a lower
 * bound above 0. */
static vsp__num gap_of_point(const vsp__query_state *s, vsp__v3 *at,
                             vsp__v3 *normal)
{
    const vsp__v3 *size = &s->shape->size;
    uint32_t type = s->shape->type;
    vsp__num gap;
    vsp__placed_sdf sdf;

    if (type == VSP_SHAPE_BOX)
        return gap_of_box(at, size, normal);
    if (VSP_HULLS && type == VSP_SHAPE_HULL)
        return gap_of_hull(s, at, normal);
    if (type == VSP_SHAPE_HALF_SPACE) {
        gap = at->y;
        at->y = 0;
        *normal = v3(0, VSP__UNIT(1.0), 0);
        return gap;
    }
    if (VSP_SDFS && type == VSP_SHAPE_SDF) {
        vsp__get_query_sdf(s, &sdf);
        gap = vsp__sdf_distance(sdf.table, at, normal);
        v3_flush_in(normal);
        u3_move(at, r_neg(gap), normal);
        return gap;
    }
    if (vsp__is_taper(s->shape))
        return vsp__gap_of_taper(size, at, normal);
    if (vsp__is_turned(s->shape)) {
        vsp__v3 half;

        vsp__turned_half(s->shape, &half);
        return vsp__gap_of_turned(&half, at, normal);
    }
    gap = 0;
    if (VSP_CAPSULES && type == VSP_SHAPE_CAPSULE)
        gap = r_clamp(at->y, r_neg(size->y), size->y);
    return gap_of_ball(at, gap, size->x, normal);
}

/* m: the direction to what is nearer is noise, and so are differences of a
 * distance */
#define NEAR_HULL VSP__REAL(1e-3)
#define DISTANCE_NOISE VSP__REAL(VSP_FIXED ? 4e-6 : 1e-6)

/* The nearest point of a hull to a point outside of it; *m is that of the plane
 * of a face.  Near to the hull it stays, unless a corner or edge is nearest. */
static bool nearest_outside_hull(const vsp__query_state *s, vsp__query_hit *m)
{
    vsp__query_hit nearest = *m;
    vsp__convex hull;

    vsp__make_convex(s->world, s->shape, s->pose, &hull);
    if (!vsp__nearest_on_convex(s, &hull, VSP__FAR_LENGTH, &nearest) ||
        nearest.at > s->limit)
        return false;
    if (nearest.at > NEAR_HULL || nearest.at > r_add(m->at, DISTANCE_NOISE))
        *m = nearest;
    return true;
}

bool vsp__nearest_on_solid(const vsp__query_state *s, vsp__query_hit *m)
{
    m->point = s->line.at;
    m->at = gap_of_point(s, &m->point, &m->normal);
    if (m->at > s->limit)
        return false;
    vsp__m3_mul_to(&s->pose->axes, &m->point, &m->point);
    v3_add_in(&m->point, &s->pose->position);
    vsp__direction_to_world(s->pose, &m->normal);
    if (VSP_HULLS && s->shape->type == VSP_SHAPE_HULL && m->at > 0)
        return nearest_outside_hull(s, m);
    return true;
}

#if VSP_CHARACTER

bool vsp__gap_to_convex(vsp__query_state *s, const vsp__convex *target,
                        vsp__query_hit *m)
{
    s->place.position = s->start;
    if (!vsp__nearest_on_convex(s, target, s->limit, m))
        return false;
    if (m->at > 0)
        return true;
    (void)vsp__nearest_on_solid(s, m);
    m->at = r_min(m->at, 0);
    return true;
}

#endif /* VSP_CHARACTER */

#endif /* VSP_QUERIES */
