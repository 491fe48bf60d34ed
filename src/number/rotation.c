/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Lengths and directions, rotation matrices, rotations, moments of forces and
 * symmetric matrices: those functions with roots or products that are the same
 * in both kinds of numbers. */

#include "number.h"


/* ---- Lengths and directions ---------------------------------------------- */

vsp__num vsp__v3_length_at(const vsp__v3 *a)
{
    return vsp__square_root(v3_product_at(a, a));
}

void vsp__v3_normalize_flushed(vsp__v3 *v)
{
    vsp__v3_normalize(v);
    v3_flush_in(v);
}

void vsp__make_tangents(const vsp__v3 *normal, vsp__v3 *t1, vsp__v3 *t2)
{
    *t1 = vsp__across_normal(*normal);
    vsp__v3_normalize(t1);
    u3_cross_to(normal, t1, t2);
}


/* ---- Rotation matrices --------------------------------------------------- */

void vsp__m3_mul_cut_to(const vsp__mat3 *m, const vsp__v3 *v, uint32_t cut,
                        vsp__v3 *out)
{
    *out = m3_mul_cut(m, *v, cut);
}

void vsp__m3_mul_to(const vsp__mat3 *m, const vsp__v3 *v, vsp__v3 *out)
{
    vsp__m3_mul_cut_to(m, v, VSP__NEAREST, out);
}

void vsp__m3_tmul_to(const vsp__mat3 *m, const vsp__v3 *v, vsp__v3 *out)
{
    *out = m3_tmul(m, *v);
}

void vsp__m3_mul_flushed(const vsp__mat3 *m, vsp__v3 *v)
{
    vsp__m3_mul_to(m, v, v);
    v3_flush_in(v);
}

void vsp__m3_tmul_flushed(const vsp__mat3 *m, vsp__v3 *v)
{
    vsp__m3_tmul_to(m, v, v);
    v3_flush_in(v);
}


/* ---- Rotations ----------------------------------------------------------- */

/* 2 a b, rounded once */
static vsp__num twice_product(vsp__num a, vsp__num b)
{
    return u_mul(a, b + b);
}

static void fill_axes(const vsp__unit_quat *q, vsp__mat3 *m)
{
    vsp__num x = q->x, y = q->y, z = q->z, w = q->w;
    vsp__num wx = twice_product(w, x), wy = twice_product(w, y);
    vsp__num wz = twice_product(w, z), xx = twice_product(x, x);
    vsp__num yy = twice_product(y, y), zz = twice_product(z, z);
    vsp__num xy = twice_product(x, y), xz = twice_product(x, z);
    vsp__num yz = twice_product(y, z), one = VSP__UNIT(1.0);

    m->axis[0] = v3(one - yy - zz, xy + wz, xz - wy);
    m->axis[1] = v3(xy - wz, one - xx - zz, yz + wx);
    m->axis[2] = v3(xz + wy, yz - wx, one - xx - yy);
}

vsp__mat3 vsp__q_axes(vsp__unit_quat q)
{
    vsp__mat3 m;

    fill_axes(&q, &m);
    return m;
}

void vsp__q_mul(const vsp__unit_quat *a, const vsp__unit_quat *b,
                vsp__unit_quat *out)
{
    vsp__unit_quat q;

    q.x = r_add(u_dot2(a->w, b->x, a->x, b->w),
                u_dot2(a->y, b->z, -a->z, b->y));
    q.y = r_add(u_dot2(a->w, b->y, a->y, b->w),
                u_dot2(a->z, b->x, -a->x, b->z));
    q.z = r_add(u_dot2(a->w, b->z, a->z, b->w),
                u_dot2(a->x, b->y, -a->y, b->x));
    q.w = r_sub(u_dot2(a->w, b->w, -a->x, b->x),
                u_dot2(a->y, b->y, a->z, b->z));
    *out = q;
}

void vsp__q_div(const vsp__unit_quat *a, const vsp__unit_quat *b,
                vsp__unit_quat *out)
{
    vsp__unit_quat back = *a;

    back.x = r_neg(back.x);
    back.y = r_neg(back.y);
    back.z = r_neg(back.z);
    vsp__q_mul(&back, b, out);
}

/* A turn less 1 has the places of a small angle, which the product with the
 * turn itself would round away. */
void vsp__q_turn(vsp__unit_quat *q, vsp__unit_quat *turn, bool is_local)
{
    turn->w = r_sub(turn->w, VSP__UNIT(1.0));
    vsp__q_mul(is_local ? q : turn, is_local ? turn : q, turn);
    vsp__q_add(q, turn);
}

void vsp__q_rotate(const vsp__unit_quat *q, const vsp__v3 *v, vsp__v3 *out)
{
    vsp__mat3 m;

    fill_axes(q, &m);
    vsp__m3_mul_to(&m, v, out);
}

void vsp__q_axes_flushed(const vsp__unit_quat *q, vsp__mat3 *axes)
{
    fill_axes(q, axes);
    vsp__flush_each(axes, 9);
}

void vsp__turn_of_spin(const vsp__v3 *spin, vsp__num h, vsp__v3 *turn)
{
    *turn = v3(u_of_rate(spin->x, h), u_of_rate(spin->y, h),
               u_of_rate(spin->z, h));
}

/* the series of tan x / x is 1 + x^2 / 3 + 2 x^4 / 15 + ... */
vsp__num vsp__cayley_time(const vsp__v3 *spin, vsp__num h)
{
    vsp__num square;
    vsp__v3 x;

    vsp__turn_of_spin(spin, u_mul(VSP__UNIT(0.5), h), &x);
    square = r_min(u3_dot_at(&x, &x), VSP__UNIT(0.25));
    square = u_mul(square,
                   VSP__UNIT(1.0 / 3.0) + u_mul(VSP__UNIT(2.0 / 15.0), square));
    return r_add(h, u_mul(h, square));
}

/* A rotation by more than about an eighth of a radian is that of a shorter
 * time, doubled repeatedly. */
void vsp__q_of_spin(const vsp__v3 *spin, vsp__num h, vsp__unit_quat *turn)
{
    vsp__num angle = r_of_rate(v3_size_at(spin), h);
    uint32_t doublings = 0;
    bool is_long;

    for (; angle > VSP__REAL(0.125); doublings++) {
        angle = u_mul(VSP__UNIT(0.5), angle);
        h = u_mul(VSP__UNIT(0.5), h);
    }
    vsp__q_cayley(spin, vsp__cayley_time(spin, h), turn);
    is_long = !VSP_FIXED && doublings > 0;
    for (; doublings > 0; doublings--)
        vsp__q_mul(turn, turn, turn);
    if (is_long) /* a product doubles the error of its length */
        vsp__q_normalize(turn);
}


/* ---- Forces and torques -------------------------------------------------- */

void vsp__add_wides(vsp__wide *a, vsp__wide k, const vsp__wide *b,
                    uint32_t count)
{
    for (; count > 0; a++, b++, count--)
        *a = w_add(*a, w_mul(k, *b));
}

/* a b - c d */
static vsp__wide cross_part(vsp__num a, vsp__wide b, vsp__num c, vsp__wide d)
{
    return w_add(w_mul(w_of_real(a), b), w_neg(w_mul(w_of_real(c), d)));
}

void vsp__add_moment(vsp__wide3 *moment, const vsp__v3 *arm,
                     const vsp__wide3 *force)
{
    vsp__wide3 sum;

    sum.x = cross_part(arm->y, force->z, arm->z, force->y);
    sum.y = cross_part(arm->z, force->x, arm->x, force->z);
    sum.z = cross_part(arm->x, force->y, arm->y, force->x);
    vsp__add_wides(&moment->x, VSP__W_ONE, &sum.x, 3);
}


/* ---- Symmetric matrices -------------------------------------------------- */

void vsp__sums_add_point(vsp__s3_sums *sums, vsp__num w, const vsp__v3 *r)
{
    vsp__v3 wr = v3_scale(*r, w);
    vsp__square xx = r_product(wr.x, r->x), yy = r_product(wr.y, r->y);
    vsp__square zz = r_product(wr.z, r->z);

    sums->xx = square_add(sums->xx, yy + zz);
    sums->yy = square_add(sums->yy, xx + zz);
    sums->zz = square_add(sums->zz, xx + yy);
    sums->xy = square_add(sums->xy, -r_product(wr.x, r->y));
    sums->xz = square_add(sums->xz, -r_product(wr.x, r->z));
    sums->yz = square_add(sums->yz, -r_product(wr.y, r->z));
}

/* In fixed point these are products of mantissas.  The results are at most
 * three times as large and still fit. */
void vsp__s3_in_axes(const vsp__mat3 *axes, const vsp__sym3 *s, vsp__sym3 *seen)
{
    const vsp__v3 *a = axes->axis;
    vsp__v3 t[3];
    uint32_t i;

    for (i = 0; i < 3; i++)
        vsp__s3_parts_mul(s, &a[i], &t[i]);
    *seen = *s; /* also the shift, if there is one */
    vsp__see_parts(axes, t, seen);
}

void vsp__s3_rotate(const vsp__mat3 *m, vsp__sym3 *s)
{
    const vsp__v3 *a = m->axis;
    vsp__mat3 back;

    back.axis[0] = v3(a[0].x, a[1].x, a[2].x);
    back.axis[1] = v3(a[0].y, a[1].y, a[2].y);
    back.axis[2] = v3(a[0].z, a[1].z, a[2].z);
    vsp__s3_in_axes(&back, s, s);
}
