/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The number module in floats, for all arguments that its comments admit:
 * conversions between bits, numbers and integers, and loops over parts.  NaN
 * and infinities are included where bytes from outside can contain them. */

#include "any.h"

#include "src/number/vector.c"
#include "src/number/float.c"
#include "src/number/rotation.c"

/* any bits, including NaN and infinities */
static float any_bits(void)
{
    return w_from_bits(any_word());
}

static float any_float(float low, float high)
{
    return Frama_C_float_interval(low, high);
}

static vsp__v3 any_v3(void)
{
    return v3(any_bits(), any_bits(), any_bits());
}

static vsp__unit_quat any_quat(void)
{
    vsp__unit_quat q;

    q.x = any_bits();
    q.y = any_bits();
    q.z = any_bits();
    q.w = any_bits();
    return q;
}

static vsp__sym3 any_sym3(void)
{
    vsp__sym3 s;

    s.xx = any_bits();
    s.yy = any_bits();
    s.zz = any_bits();
    s.xy = any_bits();
    s.xz = any_bits();
    s.yz = any_bits();
    return s;
}

static void bits(void)
{
    PROVE(r_is_exact());
    PROVE(w_bits(any_bits()));
    PROVE(r_order(any_bits()));
    PROVE(r_abs(any_bits()));
    PROVE(r_max_size(any_bits(), any_bits()));
    PROVE(r_is_finite(any_bits()));
    PROVE(r_in(any_bits(), any_bits(), any_bits()));
    PROVE(r_flush(any_bits()));
    PROVE(r_is_flushed(any_bits()));
    PROVE(w_in(any_bits(), any_bits(), any_bits()));
    PROVE(u_signed_bits(any_word(), any_bool()));
}

static void integers(void)
{
    PROVE(r_to_int(any_float(-2147483520.0f, 2147483520.0f)));
    PROVE(r_from_int(any_int(INT32_MIN, INT32_MAX)));
    PROVE(r_of_place(any_int(INT32_MIN, INT32_MAX)));
    PROVE(u_of_direction(any_int(INT32_MIN, INT32_MAX)));
    PROVE(r_to_place(any_float(-3.4e38f, 3.4e38f)));
    PROVE(r_times(any_bits(), any_int(INT32_MIN, INT32_MAX)));
    PROVE(u_to_places(any_float(-1.0f, 1.0f)));
    PROVE(u_of_places(any_int(INT32_MIN, INT32_MAX)));
    PROVE(t_mean(any_bits(), any_word()));
    PROVE(t_rate(any_bits(), any_word(), any_bits()));
    PROVE(vsp__noise_of(any_word()));
}

static void roots(void)
{
    PROVE(vsp__square_root(any_bits()));
    PROVE(vsp__reciprocal(any_bits()));
    PROVE(vsp__rsqrt_unit(any_bits()));
    PROVE(vsp__geometric_mean(any_bits(), any_bits()));
    PROVE(vsp__disc_scale(any_bits(), any_bits(), any_bits()));
}

static void vectors(void)
{
    vsp__v3 a = any_v3(), b = any_v3(), c;

    vsp__v3_divide(&a, any_bits());
    vsp__v3_normalize(&a);
    vsp__v3_normalize_by(&a, any_bits());
    vsp__v3_from_to(&a, &b, &c);
    v3_clamp_in(&a, any_bits());
    vsp__flush_each(&a, 3);
    PROVE(vsp__are_finite(&a.x, 3));
    vsp__brick_corner(&b, any_uint(0, 7), &c);
    vsp__make_tangents(&b, &a, &c);
}

static void rotations(void)
{
    vsp__unit_quat q = any_quat(), r = any_quat();
    vsp__v3 a = any_v3();
    vsp_quat from;
    vsp__mat3 m;

    vsp__q_normalize(&q);
    PROVE(vsp__q_is_unit(&q));
    vsp__q_mul(&q, &r, &r);
    vsp__q_div(&q, &r, &r);
    vsp__q_cayley(&a, any_bits(), &q);
    vsp__q_of_vector(&a, &q);
    PROVE(vsp__cayley_time(&a, any_bits()));
    vsp__q_axes_flushed(&q, &m);
    vsp__q_rotate(&q, &a, &a);
    from.x = from.y = from.z = from.w = any_bits();
    PROVE(vsp__q_read(from, &q));
}

static void symmetric(void)
{
    vsp__sym3 s = any_sym3(), t;
    vsp__v3 a = any_v3();
    vsp__wide3 torque = {0, 0, 0};
    vsp__s3_sums sums;
    vsp__mat3 m = vsp__q_axes(any_quat());

    PROVE(vsp__s3_is_valid(&s));
    vsp__s3_scale(&s, any_bits());
    PROVE(vsp__s3_invert(&s, any_uint(0, 126), &t));
    vsp__s3_across(&a, &s, &t);
    PROVE(vsp__s3_along(&s, &a));
    vsp__s3_to_size_one(&s, &t);
    vsp__s3_in_axes(&m, &s, &t);
    vsp__s3_rotate(&m, &s);
    s3_flush(&s);
    sums.xx = sums.yy = sums.zz = sums.xy = sums.xz = sums.yz = any_bits();
    vsp__sums_add_s3(&sums, any_bits(), &s);
    vsp__sums_add_point(&sums, any_bits(), &a);
    vsp__sums_to_s3(&sums, &s);
    torque.x = any_bits();
    vsp__s3_mul_torque(&s, &torque, any_bits(), any_word(), &a);
}

void prove_numbers(void)
{
    bits();
    integers();
    roots();
    vectors();
    rotations();
    symmetric();
}
