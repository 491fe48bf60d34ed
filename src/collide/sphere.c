/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contact of a sphere with a sphere, a box or a half-space: functions ..._gap,
 * then vsp__touch_sphere, which chooses one of them. */

#include "collide.h"

/* m: the direction between two points nearer than this is noise */
#define MIN_DISTANCE VSP__REAL(1e-6)

void vsp__solid_offset(const vsp__placed_shape *a, const vsp__placed_shape *b,
                       vsp__v3 *d)
{
    vsp__v3_from_to(&a->pose->position, &b->pose->position, d);
}

/* Functions ..._gap return the gap between a and a sphere, m, and fill the
 * normal.  Before the call, the point on a holds the vector from the centre of
 * a to that of the sphere; afterwards the contact point.  Two spheres that are
 * too far apart fill nothing and return the envelope. */

static vsp__num sphere_gap(const vsp__placed_shape *a,
                           const vsp__placed_shape *b, vsp__num envelope,
                           vsp__touch *t)
{
    vsp__num radius = a->shape->size.x, distance;
    vsp__num sum = r_add(radius, b->shape->size.x);
    vsp__v3 *n = &t->normal, *on = &t->points[0].on[0];
    vsp__square square = v3_square_at(on);

    if (square >= r_square(r_add(sum, envelope)))
        return envelope;
    distance = vsp__square_root(square);
    *n = v3(0, VSP__UNIT(1.0), 0);
    if (distance > MIN_DISTANCE) {
        *n = *on;
        vsp__v3_normalize_by(n, distance);
    }
    v3_flush_in(n);
    *on = *n;
    u3_scale_in(on, radius);
    return r_sub(distance, sum);
}

/* For a sphere whose centre is in the box or on its surface: the normal is that
 * of the nearest face, and the point `at`, the centre of the sphere in the
 * box's axes, moves onto that face.  Returns how far outside of the face the
 * centre is, m; at most about 0. */
static vsp__num nearest_face(const vsp__mat3 *axes, const vsp__num *half,
                             vsp__num *at, vsp__v3 *normal)
{
    vsp__num outside[3];
    uint32_t k, best = 0;

    for (k = 0; k < 3; k++) {
        outside[k] = r_sub(r_abs(at[k]), half[k]);
        if (outside[k] > outside[best])
            best = k;
    }
    *normal = axes->axis[best];
    v3_flip_in(normal, at[best] < 0);
    at[best] = r_signed(half[best], at[best] < 0);
    return outside[best];
}

static vsp__num box_gap(const vsp__placed_shape *box,
                        const vsp__placed_shape *sphere, vsp__touch *t)
{
    const vsp__mat3 *axes = &box->pose->axes;
    const vsp__num *half = &box->shape->size.x;
    vsp__v3 *n = &t->normal, *on = &t->points[0].on[0], onto;
    vsp__num distance;
    vsp__num *part = &onto.x;
    uint32_t k;

    vsp__m3_tmul_flushed(axes, on);
    for (k = 0; k < 3; k++)
        part[k] = r_clamp(v3_part(on, k), -half[k], half[k]);
    vsp__v3_from_to(&onto, on, n);
    distance = v3_length_at(n);
    if (distance > MIN_DISTANCE) {
        vsp__v3_normalize_by(n, distance);
        v3_flush_in(n);
        vsp__m3_mul_flushed(axes, n);
        *on = onto;
    } else {
        distance = nearest_face(axes, half, &on->x, n);
    }
    m3_mul_to(axes, on, on);
    return r_sub(distance, sphere->shape->size.x);
}

static vsp__num plane_gap(const vsp__placed_shape *plane,
                          const vsp__placed_shape *sphere, vsp__touch *t)
{
    vsp__v3 *n = &t->normal, *on = &t->points[0].on[0];
    vsp__num height;

    *n = plane->pose->axes.axis[1];
    height = vsp__flushed_dot(n, on);
    u3_move(on, r_neg(height), n);
    return r_sub(height, sphere->shape->size.x);
}

bool vsp__touch_sphere(const vsp__placed_shape *a,
                       const vsp__placed_shape *sphere, vsp__num envelope,
                       vsp__touch *t)
{
    vsp__touch_point *point = &t->points[0];

    vsp__solid_offset(a, sphere, &point->on[0]);
    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        point->gap = plane_gap(a, sphere, t);
    else if (a->shape->type == VSP_SHAPE_BOX)
        point->gap = box_gap(a, sphere, t);
    else
        point->gap = sphere_gap(a, sphere, envelope, t);
    if (!(point->gap < envelope))
        return false;
    t->count = 1;
    point->on[1] = t->normal;
    u3_scale_in(&point->on[1], r_neg(sphere->shape->size.x));
    point->feature = 0;
    return true;
}

void vsp__swap_touch(vsp__touch *t)
{
    vsp__v3 *on = t->points[0].on, on_a = on[0];

    on[0] = on[1];
    on[1] = on_a;
    v3_flip_in(&t->normal, true);
}
