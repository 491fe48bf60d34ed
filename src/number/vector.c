/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scalars, vectors, places of tables, and the zero matrix; without a root, so
 * that float.c and fixed.c can use them.  Most are the called forms of inline
 * functions of number.h and vector.h. */

#include "number.h"


/* ---- Scalars ------------------------------------------------------------- */

#if !VSP_FIXED

float vsp__r_flush(float a)
{
    return r_bits(a) << 1 < (uint32_t)(127 - 50) << 24 ? 0.0f : a;
}

bool vsp__r_in(float a, float low, float high)
{
    return r_is_finite(a) && a >= low && a <= high;
}

float vsp__r_of_place(int32_t i)
{
    return (float)i * 9.5367431640625e-07f;
}

int32_t vsp__r_to_place(float a)
{
    return a < -1023.0f  ? -1072693248
           : a > 1023.0f ? 1072693248
                         : (int32_t)(a * 1048576.0f);
}

#endif

/* a hash that spreads each bit of the tick over all bits */
uint32_t vsp__noise_of(uint32_t tick)
{
    uint32_t bits = tick * 0x9e3779b9u;

    bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
    bits = (bits ^ bits >> 12) * 0x297a2d39u;
    return bits ^ bits >> 15;
}

vsp__num vsp__r_min(vsp__num a, vsp__num b)
{
    return a < b ? a : b;
}

vsp__num vsp__r_max(vsp__num a, vsp__num b)
{
    return a > b ? a : b;
}

vsp__num vsp__r_clamp(vsp__num a, vsp__num low, vsp__num high)
{
    return a < low ? low : a > high ? high : a;
}

void vsp__flush_each(void *numbers, uint32_t count)
{
    vsp__num *a = (vsp__num *)numbers;
    uint32_t i;

    for (i = 0; i < count; i++)
        a[i] = r_flush(a[i]);
}

bool vsp__are_finite(const vsp__num *numbers, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (!r_is_finite(numbers[i]))
            return false;
    return true;
}

void vsp__clamp_each(vsp__num *a, uint32_t count, vsp__num limit)
{
    for (; count > 0; a++, count--)
        *a = r_clamp(*a, -limit, limit);
}


/* ---- Vectors ------------------------------------------------------------- */

void vsp__v3_add_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = v3_add(*a, *b);
}

void vsp__v3_add_in(vsp__v3 *a, const vsp__v3 *b)
{
    vsp__v3_add_to(a, b, a);
}

void vsp__v3_sub_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = v3_sub(*a, *b);
}

void vsp__v3_sub_in(vsp__v3 *a, const vsp__v3 *b)
{
    vsp__v3_sub_to(a, b, a);
}

void vsp__v3_difference_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = v3_difference(*a, *b);
}

void vsp__v3_neg_to(const vsp__v3 *a, vsp__v3 *out)
{
    *out = v3_neg(*a);
}

void vsp__v3_flip_in(vsp__v3 *a, bool is_negative)
{
    if (is_negative)
        vsp__v3_neg_to(a, a);
}

void vsp__v3_abs_in(vsp__v3 *a)
{
    *a = v3_abs(*a);
}

void vsp__v3_scale_in(vsp__v3 *a, vsp__num s)
{
    *a = v3_scale(*a, s);
}

void vsp__u3_scale_in(vsp__v3 *a, vsp__num s)
{
    *a = u3_scale(*a, s);
}

void vsp__u3_move(vsp__v3 *a, vsp__num s, const vsp__v3 *b)
{
    *a = v3_add(*a, u3_scale(*b, s));
}

void vsp__v3_move(vsp__v3 *a, vsp__num s, const vsp__v3 *b)
{
    *a = v3_add(*a, v3_scale(*b, s));
}

void vsp__v3_flush_in(vsp__v3 *a)
{
    vsp__flush_each(a, 3);
}

vsp__num vsp__v3_dot_at(const vsp__v3 *a, const vsp__v3 *b)
{
    return v3_dot(*a, *b);
}

vsp__num vsp__u3_dot_at(const vsp__v3 *a, const vsp__v3 *b)
{
    return u3_dot(*a, *b);
}

vsp__num vsp__v3_size_at(const vsp__v3 *a)
{
    return v3_size(*a);
}

vsp__square vsp__v3_product_at(const vsp__v3 *a, const vsp__v3 *b)
{
    return v3_product(*a, *b);
}

void vsp__v3_cross_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = v3_cross(*a, *b);
}

void vsp__u3_cross_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = u3_cross(*a, *b);
}

void vsp__v3_from_to(const vsp__v3 *from, const vsp__v3 *to, vsp__v3 *way)
{
    v3_sub_to(to, from, way);
    v3_flush_in(way);
}


/* ---- Places, planes, corners --------------------------------------------- */

void vsp__place_to_v3(const vsp_place *p, vsp__v3 *out)
{
    *out = v3(r_of_place(p->x), r_of_place(p->y), r_of_place(p->z));
}

void vsp__plane_normal(const vsp_plane *p, vsp__v3 *out)
{
    *out = v3(u_of_direction(p->x), u_of_direction(p->y), u_of_direction(p->z));
}

void vsp__brick_corner(const vsp__v3 *half, uint32_t number, vsp__v3 *out)
{
    *out = v3(r_signed(half->x, (number & 1u) == 0),
              r_signed(half->y, (number & 2u) == 0),
              r_signed(half->z, (number & 4u) == 0));
}


/* ---- Symmetric matrices -------------------------------------------------- */

void vsp__s3_clear(vsp__sym3 *s)
{
    vsp__sym3 zero = {0};

    *s = zero;
}
