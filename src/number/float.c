/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Functions of floats that are in fixed.c, too: roots; lengths and directions;
 * rotations; symmetric matrices. */

#include "number.h"

#if !VSP_FIXED


/* ---- Roots --------------------------------------------------------------- */

/* 1 / sqrt(a), a > 0 and normal: the exponent halved, then four Newton steps y
 * (3 - a y^2) / 2, each of which doubles the number of correct bits (5, 9, 18,
 * 24).  Error at most 2 units of the last place. */
static float reciprocal_root(float a)
{
    float half = r_mul(0.5f, a);
    float y = vsp__guess_root(a);
    uint32_t i;

    for (i = 0; i < 4; i++)
        y = vsp__refine_root(half, y);
    return y;
}

/* a times 1 / sqrt(a), and a Newton step for the root itself. */
float vsp__square_root(float a)
{
    float y, x;

    if (!(a > 1e-30f))
        return 0.0f;
    y = reciprocal_root(a);
    x = r_mul(a, y);
    return x + r_mul(r_mul(0.5f, y), a - r_mul(x, x));
}

float vsp__rsqrt_unit(float a)
{
    return reciprocal_root(a);
}

float vsp__geometric_mean(float a, float b)
{
    return vsp__square_root(r_mul(a, b));
}


/* ---- Lengths and directions ---------------------------------------------- */

float vsp__disc_scale(float limit, float t1, float t2)
{
    return limit > 0 ? r_mul(limit, reciprocal_root(r_dot2(t1, t1, t2, t2)))
                     : 0.0f;
}

void vsp__v3_divide(vsp__v3 *v, float a)
{
    v3_scale_in(v, r_div(1.0f, a));
}

void vsp__v3_normalize(vsp__v3 *v)
{
    v3_scale_in(v, reciprocal_root(v3_dot_at(v, v)));
}

void vsp__v3_normalize_by(vsp__v3 *v, float length)
{
    v3_scale_in(v, r_div(1.0f, length));
}


void vsp__v3_move_by_rate(vsp__v3 *position, float h, const vsp__v3 *v,
                          uint32_t cut)
{
    (void)cut;
    v3_move(position, h, v);
}


/* ---- Rotations ----------------------------------------------------------- */

static float q_square(const vsp__unit_quat *q)
{
    return r_dot2(q->x, q->x, q->y, q->y) + r_dot2(q->z, q->z, q->w, q->w);
}

void vsp__q_normalize(vsp__unit_quat *q)
{
    float y = reciprocal_root(q_square(q)), *part = &q->x;
    uint32_t i;

    for (i = 0; i < 4; i++)
        part[i] = r_mul(part[i], y);
}

/* Scaling to length 1 by a root would round away a small change, one Newton
 * step of it does not. */
void vsp__q_add(vsp__unit_quat *q, const vsp__unit_quat *change)
{
    float excess = -1.0f, *part = &q->x;
    const float *way = &change->x;
    uint32_t i;

    for (i = 0; i < 4; i++) {
        float end = part[i] + way[i];

        excess += end * end;
    }
    excess *= 0.5f;
    for (i = 0; i < 4; i++)
        part[i] += way[i] - excess * (part[i] + way[i]);
}

bool vsp__q_is_unit(const vsp__unit_quat *q)
{
    return r_abs(q_square(q) - 1.0f) <= 0.001f; /* false for NaN */
}

bool vsp__q_read(vsp_quat from, vsp__unit_quat *q)
{
    float square;

    q->x = from.x;
    q->y = from.y;
    q->z = from.z;
    q->w = from.w;
    square = q_square(q);
    if (!r_in(square, 1e-8f, 1e6f))
        return false;
    if (r_abs(square - 1.0f) > 1e-6f)
        vsp__q_normalize(q);
    return true;
}

void vsp__q_cayley(const vsp__v3 *spin, float h, vsp__unit_quat *turn)
{
    vsp__v3 half = *spin;

    v3_scale_in(&half, 0.5f * h);
    v3_clamp_in(&half, 500.0f);
    turn->x = half.x;
    turn->y = half.y;
    turn->z = half.z;
    turn->w = 1.0f;
    vsp__q_normalize(turn);
}

void vsp__q_of_vector(const vsp__v3 *angle, vsp__unit_quat *turn)
{
    vsp__q_cayley(angle, 1.0f, turn);
}


/* ---- Symmetric matrices -------------------------------------------------- */

void vsp__s3_mul_to(const vsp__sym3 *s, const vsp__v3 *v, vsp__v3 *out)
{
    *out = s3_mul(s, *v);
}

bool vsp__s3_is_valid(const vsp__sym3 *s)
{
    const float *part = s3_parts(s);
    uint32_t i;

    for (i = 0; i < VSP__SYM3_PARTS; i++)
        if (!r_in(part[i], i < 3 ? 1e-21f : -1e21f, 1e21f) ||
            !r_is_flushed(part[i]))
            return false;
    return true;
}

void vsp__s3_scale(vsp__sym3 *s, float k)
{
    float *part = &s->xx;
    uint32_t i;

    for (i = 0; i < VSP__SYM3_PARTS; i++)
        part[i] = r_mul(part[i], k);
}

void vsp__s3_scale_wide(vsp__sym3 *s, float k)
{
    vsp__s3_scale(s, k);
}

void vsp__sums_add_s3(vsp__s3_sums *sums, float k, const vsp__sym3 *s)
{
    float *sum = &sums->xx;
    uint32_t i;

    for (i = 0; i < VSP__SYM3_PARTS; i++)
        sum[i] += r_mul(k, s3_parts(s)[i]);
}

void vsp__sums_to_s3(const vsp__s3_sums *sums, vsp__sym3 *s)
{
    const float *sum = &sums->xx;
    float *part = &s->xx;
    uint32_t i;

    for (i = 0; i < VSP__SYM3_PARTS; i++)
        part[i] = sum[i];
}

void vsp__s3_parts_mul(const vsp__sym3 *s, const vsp__v3 *v, vsp__v3 *out)
{
    s3_mul_to(s, v, out);
}

static float largest_diagonal(const vsp__sym3 *s)
{
    return v3_largest(v3(s->xx, s->yy, s->zz));
}

/* Scales s by 1 over its largest diagonal part, and returns that factor; 0 if
 * no part is positive. */
static float scale_to_size(const vsp__sym3 *s, vsp__sym3 *shape)
{
    float size = largest_diagonal(s), k = size > 0 ? r_div(1.0f, size) : 0.0f;

    *shape = *s;
    vsp__s3_scale(shape, k);
    return k;
}

void vsp__s3_to_size_one(const vsp__sym3 *s, vsp__sym3 *shape)
{
    (void)scale_to_size(s, shape);
}

void vsp__s3_across(const vsp__v3 *a, const vsp__sym3 *moment, vsp__sym3 *s)
{
    float trace = moment->xx + moment->yy + moment->zz;
    float k = trace > 0 ? r_div(2.0f, trace) : 0.0f;

    s->xx = 1.0f - r_mul(a->x, a->x);
    s->yy = 1.0f - r_mul(a->y, a->y);
    s->zz = 1.0f - r_mul(a->z, a->z);
    s->xy = -r_mul(a->x, a->y);
    s->xz = -r_mul(a->x, a->z);
    s->yz = -r_mul(a->y, a->z);
    vsp__s3_scale(s, k);
}

vsp__wide vsp__s3_along(const vsp__sym3 *s, const vsp__v3 *a)
{
    vsp__v3 turned;

    s3_mul_to(s, a, &turned);
    return v3_dot_at(a, &turned);
}

bool vsp__s3_invert(const vsp__sym3 *s, uint32_t bits, vsp__sym3 *inverse)
{
    vsp__sym3 m;
    float det, k = scale_to_size(s, &m); /* products fit */

    /* cofactors */
    inverse->xx = r_dot2(m.yy, m.zz, -m.yz, m.yz);
    inverse->xy = r_dot2(m.xz, m.yz, -m.xy, m.zz);
    inverse->xz = r_dot2(m.xy, m.yz, -m.xz, m.yy);
    inverse->yy = r_dot2(m.xx, m.zz, -m.xz, m.xz);
    inverse->yz = r_dot2(m.xy, m.xz, -m.xx, m.yz);
    inverse->zz = r_dot2(m.xx, m.yy, -m.xy, m.xy);
    det = r_dot3(m.xx, inverse->xx, m.xy, inverse->xy, m.xz, inverse->xz);
    if (!(det > r_from_bits((127u - bits) << 23))) {
        vsp__s3_clear(inverse);
        return false;
    }
    vsp__s3_scale(inverse, r_div(k, det));
    return true;
}

void vsp__s3_mul_torque(const vsp__sym3 *s, const vsp__wide3 *torque, float k,
                        uint32_t cut, vsp__v3 *out)
{
    (void)cut;
    *out = v3(torque->x, torque->y, torque->z);
    s3_mul_to(s, out, out);
    v3_scale_in(out, k);
}

#endif /* !VSP_FIXED */
