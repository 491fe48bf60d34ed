/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Arithmetic for programs: numbers, vectors, rotations, poses.  Optional:
 * VSP_MATH. */

#include "api.h"

#if VSP_MATH


/* ---- Numbers ------------------------------------------------------------- */

vsp_real vsp_mul(vsp_real a, vsp_real b)
{
    return vsp__caller_mul(a, b);
}

vsp_real vsp_div(vsp_real a, vsp_real b)
{
    return vsp__caller_div(a, b);
}

vsp_real vsp_sqrt(vsp_real a)
{
    return vsp__caller_sqrt(a);
}

vsp_real vsp_sin(vsp_real angle)
{
    vsp__num sine, cosine;

    vsp__sine_cosine(angle, &sine, &cosine);
    return u_show(sine);
}

vsp_real vsp_cos(vsp_real angle)
{
    vsp__num sine, cosine;

    vsp__sine_cosine(angle, &sine, &cosine);
    return u_show(cosine);
}


/* ---- Vectors ------------------------------------------------------------- */

static vsp__v3 read_vector(const vsp_vec3 *a, int32_t down)
{
    return v3(vsp__read_scaled(a->x, down), vsp__read_scaled(a->y, down),
              vsp__read_scaled(a->z, down));
}

static vsp_vec3 show_vector(const vsp__v3 *a, int32_t down)
{
    return vsp__vec3_of(vsp__show_scaled(a->x, down),
                        vsp__show_scaled(a->y, down),
                        vsp__show_scaled(a->z, down));
}

vsp_real vsp_atan2(vsp_real y, vsp_real x)
{
    vsp_vec3 a = vsp__vec3_of(x, y, 0);
    int32_t down = vsp__places_down(&a);
    vsp__num height = r_abs(vsp__read_scaled(y, down));

    return r_show(
        r_signed(vsp__angle_of(height, vsp__read_scaled(x, down)), y < 0));
}

vsp_vec3 vsp_vec3_make(vsp_real x, vsp_real y, vsp_real z)
{
    return vsp__vec3_of(x, y, z);
}

vsp_vec3 vsp_vec3_add(vsp_vec3 a, vsp_vec3 b)
{
    return vsp__vec3_of(vsp__caller_add(a.x, b.x), vsp__caller_add(a.y, b.y),
                        vsp__caller_add(a.z, b.z));
}

static vsp_vec3 opposite(vsp_vec3 a)
{
    return vsp__vec3_of(vsp__caller_neg(a.x), vsp__caller_neg(a.y),
                        vsp__caller_neg(a.z));
}

vsp_vec3 vsp_vec3_sub(vsp_vec3 a, vsp_vec3 b)
{
    return vsp_vec3_add(a, opposite(b));
}

vsp_vec3 vsp_vec3_scale(vsp_vec3 a, vsp_real s)
{
    return vsp__vec3_of(vsp_mul(a.x, s), vsp_mul(a.y, s), vsp_mul(a.z, s));
}

vsp_vec3 vsp_vec3_move(vsp_vec3 a, vsp_vec3 b, vsp_real s)
{
    return vsp_vec3_add(a, vsp_vec3_scale(b, s));
}

vsp_real vsp_vec3_dot(vsp_vec3 a, vsp_vec3 b)
{
    return vsp__caller_add(
        vsp__caller_add(vsp_mul(a.x, b.x), vsp_mul(a.y, b.y)),
        vsp_mul(a.z, b.z));
}

/* a b - c d */
static vsp_real product_difference(vsp_real a, vsp_real b, vsp_real c,
                                   vsp_real d)
{
    return vsp__caller_add(vsp_mul(a, b), -vsp_mul(c, d));
}

vsp_vec3 vsp_vec3_cross(vsp_vec3 a, vsp_vec3 b)
{
    return vsp__vec3_of(product_difference(a.y, b.z, a.z, b.y),
                        product_difference(a.z, b.x, a.x, b.z),
                        product_difference(a.x, b.y, a.y, b.x));
}

vsp_real vsp_vec3_length(vsp_vec3 a)
{
    int32_t down = vsp__places_down(&a);
    vsp__v3 part = read_vector(&a, down);

    return vsp__show_scaled(v3_length_at(&part), down);
}

/* Reads the direction of a vector.  Returns false, with zero, for a vector that
 * is too short, or in floats too long. */
static bool find_direction(const vsp_vec3 *a, vsp__v3 *direction)
{
    *direction = read_vector(a, vsp__places_down(a));
    if (vsp__has_direction(v3_square_at(direction))) {
        vsp__v3_normalize(direction);
        return true;
    }
    *direction = v3_zero();
    return false;
}

vsp_vec3 vsp_vec3_normalize(vsp_vec3 a)
{
    vsp__v3 direction;

    (void)find_direction(&a, &direction);
    return u3_show(direction);
}


/* ---- Rotations ----------------------------------------------------------- */

/* Reads a rotation; none if it is far too short or long. */
static vsp__unit_quat read_rotation(vsp_quat a)
{
    vsp__unit_quat q;

    return vsp__q_read(a, &q) ? q : q_identity();
}

static VSP__CALLED vsp_quat opposite_turn(vsp_quat a)
{
    a.x = vsp__caller_neg(a.x);
    a.y = vsp__caller_neg(a.y);
    a.z = vsp__caller_neg(a.z);
    return a;
}

vsp_quat vsp_quat_identity(void)
{
    return q_show(q_identity());
}

vsp_quat vsp_quat_make(vsp_vec3 axis, vsp_real angle)
{
    vsp__unit_quat q = q_identity();
    vsp__num sine, cosine;
    vsp__v3 direction;

    if (find_direction(&axis, &direction)) {
        vsp__sine_cosine(vsp_mul(angle, VSP_R(0.5)), &sine, &cosine);
        u3_scale_in(&direction, sine);
        q.x = direction.x;
        q.y = direction.y;
        q.z = direction.z;
        q.w = cosine;
    }
    return q_show(q);
}

vsp_quat vsp_quat_mul(vsp_quat a, vsp_quat b)
{
    vsp__unit_quat p = read_rotation(a), q = read_rotation(b);

    vsp__q_mul(&p, &q, &q);
    return q_show(read_rotation(q_show(q)));
}

vsp_quat vsp_quat_inverse(vsp_quat a)
{
    return q_show(read_rotation(opposite_turn(a)));
}

vsp_vec3 vsp_quat_rotate(vsp_quat a, vsp_vec3 v)
{
    vsp__unit_quat q = read_rotation(a);
    int32_t down = vsp__places_down(&v);
    vsp__v3 part = read_vector(&v, down);

    vsp__q_rotate(&q, &part, &part);
    return show_vector(&part, down);
}

vsp_vec3 vsp_quat_rotate_back(vsp_quat a, vsp_vec3 v)
{
    return vsp_quat_rotate(opposite_turn(a), v);
}


/* ---- Poses --------------------------------------------------------------- */

vsp_vec3 vsp_transform_point(vsp_transform a, vsp_vec3 point)
{
    return vsp_vec3_add(a.position, vsp_quat_rotate(a.rotation, point));
}

vsp_vec3 vsp_transform_point_back(vsp_transform a, vsp_vec3 point)
{
    return vsp_quat_rotate_back(a.rotation, vsp_vec3_sub(point, a.position));
}

vsp_transform vsp_transform_mul(vsp_transform a, vsp_transform b)
{
    b.position = vsp_transform_point(a, b.position);
    b.rotation = vsp_quat_mul(a.rotation, b.rotation);
    return b;
}

vsp_transform vsp_transform_inverse(vsp_transform a)
{
    a.position = vsp_transform_point_back(a, vsp__vec3_of(0, 0, 0));
    a.rotation = vsp_quat_inverse(a.rotation);
    return a;
}

#endif /* VSP_MATH */
