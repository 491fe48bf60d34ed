/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rotation matrices, rotations (unit quaternions), symmetric matrices (inertias
 * and their inverses), tangents of a normal; then the arithmetic of rows, the
 * only part with a section for each kind of numbers. */

#ifndef VSP_MATRIX_H
#define VSP_MATRIX_H

/* a rotation, in units; its columns are the images of the axes x, y, z */
typedef struct vsp__mat3 {
    vsp__v3 axis[3];
} vsp__mat3;

typedef struct vsp__unit_quat {
    vsp__num x, y, z, w; /* units */
} vsp__unit_quat;

/* A symmetric matrix of numbers of any size.  In fixed point its parts are
 * mantissas of up to 28 bits, with the value part / 2^shift. */
typedef struct vsp__sym3 {
    vsp__num xx, yy, zz, xy, xz, yz;
#if VSP_FIXED
    int32_t shift;
#endif
} vsp__sym3;

#define VSP__SYM3_PARTS 6

/* a symmetric matrix that is being summed up, in m^2 */
typedef struct vsp__s3_sums {
    vsp__square xx, yy, zz, xy, xz, yz;
} vsp__s3_sums;


/* ---- rotation.c: rotation matrices --------------------------------------- */

static inline vsp__v3 m3_mul(const vsp__mat3 *m, vsp__v3 v)
{
    const vsp__v3 *a = m->axis;

    return v3(u_dot3(a[0].x, v.x, a[1].x, v.y, a[2].x, v.z),
              u_dot3(a[0].y, v.x, a[1].y, v.y, a[2].y, v.z),
              u_dot3(a[0].z, v.x, a[1].z, v.y, a[2].z, v.z));
}

/* transpose times v */
static inline vsp__v3 m3_tmul(const vsp__mat3 *m, vsp__v3 v)
{
    return v3(u3_dot(m->axis[0], v), u3_dot(m->axis[1], v),
              u3_dot(m->axis[2], v));
}

/* m v, rounded by a cut */
static inline vsp__v3 m3_mul_cut(const vsp__mat3 *m, vsp__v3 v, uint32_t cut)
{
    const vsp__v3 *a = m->axis;

    return v3(u_dot3_cut(a[0].x, v.x, a[1].x, v.y, a[2].x, v.z, cut),
              u_dot3_cut(a[0].y, v.x, a[1].y, v.y, a[2].y, v.z, cut),
              u_dot3_cut(a[0].z, v.x, a[1].z, v.y, a[2].z, v.z, cut));
}

/* transpose times v, rounded by a cut */
static inline vsp__v3 m3_tmul_cut(const vsp__mat3 *m, vsp__v3 v, uint32_t cut)
{
    const vsp__v3 *a = m->axis;

    return v3(u_dot3_cut(a[0].x, v.x, a[0].y, v.y, a[0].z, v.z, cut),
              u_dot3_cut(a[1].x, v.x, a[1].y, v.y, a[1].z, v.z, cut),
              u_dot3_cut(a[2].x, v.x, a[2].y, v.y, a[2].z, v.z, cut));
}

/* m v; the transpose of m times v.  out may be v. */
void vsp__m3_mul_cut_to(const vsp__mat3 *m, const vsp__v3 *v, uint32_t cut,
                        vsp__v3 *out);
void vsp__m3_mul_to(const vsp__mat3 *m, const vsp__v3 *v, vsp__v3 *out);
void vsp__m3_tmul_to(const vsp__mat3 *m, const vsp__v3 *v, vsp__v3 *out);

#if defined __OPTIMIZE_SIZE__
#define m3_mul_cut_to vsp__m3_mul_cut_to
#define m3_mul_to vsp__m3_mul_to
#define m3_tmul_to vsp__m3_tmul_to
#else
static inline void m3_mul_cut_to(const vsp__mat3 *m, const vsp__v3 *v,
                                 uint32_t cut, vsp__v3 *out)
{
    *out = m3_mul_cut(m, *v, cut);
}

static inline void m3_mul_to(const vsp__mat3 *m, const vsp__v3 *v, vsp__v3 *out)
{
    *out = m3_mul(m, *v);
}

static inline void m3_tmul_to(const vsp__mat3 *m, const vsp__v3 *v,
                              vsp__v3 *out)
{
    *out = m3_tmul(m, *v);
}
#endif

/* m3_mul_to and m3_tmul_to in place, and flushed. */
void vsp__m3_mul_flushed(const vsp__mat3 *m, vsp__v3 *v);
void vsp__m3_tmul_flushed(const vsp__mat3 *m, vsp__v3 *v);


/* ---- rotation.c, float.c, fixed.c: rotations ----------------------------- */

static inline vsp__unit_quat q_identity(void)
{
    vsp__unit_quat q = {0, 0, 0, VSP__UNIT(1.0)};

    return q;
}

static inline vsp_quat q_show(vsp__unit_quat a)
{
    vsp_quat q;

    q.x = u_show(a.x);
    q.y = u_show(a.y);
    q.z = u_show(a.z);
    q.w = u_show(a.w);
    return q;
}

/* a b, which rotates by b first; a^-1 b.  out may be a or b. */
void vsp__q_mul(const vsp__unit_quat *a, const vsp__unit_quat *b,
                vsp__unit_quat *out);
void vsp__q_div(const vsp__unit_quat *a, const vsp__unit_quat *b,
                vsp__unit_quat *out);

/* Rotates a vector; out may be v.  In fixed point within a place and 2^-25 of
 * its length. */
void vsp__q_rotate(const vsp__unit_quat *q, const vsp__v3 *v, vsp__v3 *out);

/* Return or fill the matrix of a rotation. */
vsp__mat3 vsp__q_axes(vsp__unit_quat q);
void vsp__q_axes_flushed(const vsp__unit_quat *q, vsp__mat3 *axes);

/* Makes a unit of a quaternion of any length but 0. */
void vsp__q_normalize(vsp__unit_quat *q);

/* Changes a rotation, and keeps its length 1. */
void vsp__q_add(vsp__unit_quat *q, const vsp__unit_quat *change);

/* Turns a rotation about the world's axes or, if is_local, its own.  Overwrites
 * *turn. */
VSP__CALLED void vsp__q_turn(vsp__unit_quat *q, vsp__unit_quat *turn,
                             bool is_local);

/* Whether the square of the length is 1 within a thousandth. */
bool vsp__q_is_unit(const vsp__unit_quat *q);

/* Reads a caller's rotation and normalises it, unless its length is 1 within
 * rounding: so a program can read a pose and set it again without a change.
 * Returns false if it is not finite, or far too short or long. */
bool vsp__q_read(vsp_quat from, vsp__unit_quat *q);

/* The Cayley map of a spin in h seconds, a unit.  With t = spin h it is (t / 2,
 * 1) normalised, a rotation by 2 atan(|t| / 2). */
void vsp__q_cayley(const vsp__v3 *spin, vsp__num h, vsp__unit_quat *turn);

/* The rotation vector, in units, of a spin in h seconds, a unit. */
VSP__CALLED void vsp__turn_of_spin(const vsp__v3 *spin, vsp__num h,
                                   vsp__v3 *turn);

/* The time that the Cayley map needs for the rotation of a spin in h seconds, a
 * unit: h tan x / x with x = |spin| h / 2, right to 1e-7 while x is at most
 * 1/9, and never above 1.1 h. */
vsp__num vsp__cayley_time(const vsp__v3 *spin, vsp__num h);

/* The rotation by a spin in h seconds, a unit. */
void vsp__q_of_spin(const vsp__v3 *spin, vsp__num h, vsp__unit_quat *turn);

/* The Cayley map of a rotation vector, in units. */
void vsp__q_of_vector(const vsp__v3 *angle, vsp__unit_quat *turn);


/* ---- float.c, fixed.c, rotation.c: symmetric matrices -------------------- */

/* in vector.c */
VSP__CALLED void vsp__s3_clear(vsp__sym3 *s);

/* the six parts, which are consecutive: xx yy zz xy xz yz */
static inline const vsp__num *s3_parts(const vsp__sym3 *s)
{
    return &s->xx;
}

/* Whether an inertia of one kilogram is allowed in a state: of a size that
 * lengths can produce, flushed, its diagonal positive (in fixed point 0 or
 * more). */
bool vsp__s3_is_valid(const vsp__sym3 *s);

static inline bool s3_is_valid(const vsp__sym3 *s)
{
    return vsp__s3_is_valid(s);
}

static inline void s3_flush(vsp__sym3 *s)
{
    vsp__flush_each(s, 6);
}

/* s v; out may be v */
void vsp__s3_mul_to(const vsp__sym3 *s, const vsp__v3 *v, vsp__v3 *out);

#if !VSP_FIXED
static inline vsp__v3 s3_mul(const vsp__sym3 *s, vsp__v3 a)
{
    return v3(r_dot3(s->xx, a.x, s->xy, a.y, s->xz, a.z),
              r_dot3(s->xy, a.x, s->yy, a.y, s->yz, a.z),
              r_dot3(s->xz, a.x, s->yz, a.y, s->zz, a.z));
}
#endif

#if VSP_FIXED || defined __OPTIMIZE_SIZE__
#define s3_mul_to vsp__s3_mul_to
#else
static inline void s3_mul_to(const vsp__sym3 *s, const vsp__v3 *v, vsp__v3 *out)
{
    *out = s3_mul(s, *v);
}
#endif

/* s v by the parts alone, without the shift that s may have; v is a vector of
 * units */
void vsp__s3_parts_mul(const vsp__sym3 *s, const vsp__v3 *v, vsp__v3 *out);

/* s *= k, a unit.  In fixed point within 2^-28 of the largest part. */
void vsp__s3_scale(vsp__sym3 *s, vsp__num k);

/* s *= k, of any size.  In fixed point within 2^-23 of the largest part. */
void vsp__s3_scale_wide(vsp__sym3 *s, vsp__wide k);

/* sums += w (r.r 1 - r r^T): the inertia of a mass w at r */
void vsp__sums_add_point(vsp__s3_sums *sums, vsp__num w, const vsp__v3 *r);

/* sums += k s, k a unit */
void vsp__sums_add_s3(vsp__s3_sums *sums, vsp__num k, const vsp__sym3 *s);

/* sums += a times the identity, a a real */
static inline void vsp__sums_add_identity(vsp__s3_sums *sums, vsp__num a)
{
    vsp__square part = r_product(a, VSP__REAL(1.0));

    sums->xx = square_add(sums->xx, part);
    sums->yy = square_add(sums->yy, part);
    sums->zz = square_add(sums->zz, part);
}

void vsp__sums_to_s3(const vsp__s3_sums *sums, vsp__sym3 *s);

/* s (k torque): the change of spin, a rate, by a torque over a time, or by an
 * angular impulse */
void vsp__s3_mul_torque(const vsp__sym3 *s, const vsp__wide3 *torque,
                        vsp__wide k, uint32_t cut, vsp__v3 *out);

/* a.(s a) for a unit vector.  In fixed point within 2^-23 of the largest part
 * of s. */
vsp__wide vsp__s3_along(const vsp__sym3 *s, const vsp__v3 *a);

/* (1 - a a^T) / size, where a is a unit vector and size half of the trace of a
 * moment: the inverse, across the line a, of the second moment of points on
 * that line.  0 if the trace is not above 0. */
void vsp__s3_across(const vsp__v3 *a, const vsp__sym3 *moment, vsp__sym3 *s);

/* s scaled so that its largest diagonal part is about 1 */
void vsp__s3_to_size_one(const vsp__sym3 *s, vsp__sym3 *shape);

/* axes^T s axes: s converted to other axes.  In fixed point within 2^-26 of the
 * largest part. */
void vsp__s3_in_axes(const vsp__mat3 *axes, const vsp__sym3 *s,
                     vsp__sym3 *seen);

/* The second half of vsp__s3_in_axes, from the columns t of s axes; sets no
 * shift. */
static inline void vsp__see_parts(const vsp__mat3 *axes, const vsp__v3 t[3],
                                  vsp__sym3 *seen)
{
    const vsp__v3 *a = axes->axis;

    seen->xx = u3_dot_at(&t[0], &a[0]);
    seen->xy = u3_dot_at(&t[0], &a[1]);
    seen->xz = u3_dot_at(&t[0], &a[2]);
    seen->yy = u3_dot_at(&t[1], &a[1]);
    seen->yz = u3_dot_at(&t[1], &a[2]);
    seen->zz = u3_dot_at(&t[2], &a[2]);
}

/* m s m^T, in place: m is the body's rotation, which converts s from body axes
 * to world axes */
void vsp__s3_rotate(const vsp__mat3 *m, vsp__sym3 *s);

/* The inverse by cofactors; inverse may be s.  Returns false, with an inverse
 * of 0, unless the determinant is above 2^-bits times the cube of the largest
 * diagonal part.  In fixed point within 2^-25 of the inverse's largest part
 * times the ratio of the eigenvalues. */
bool vsp__s3_invert(const vsp__sym3 *s, uint32_t bits, vsp__sym3 *inverse);


/* ---- rotation.c: tangents ------------------------------------------------ */

/* a vector across a unit normal, of length 0.6 or more: n x (1, 0, 0), or (0,
 * 0, 1) x n if n is near the x axis */
static inline vsp__v3 vsp__across_normal(vsp__v3 n)
{
    bool is_x = r_abs(n.x) < VSP__UNIT(0.6);
    vsp__num minus_y = r_neg(n.y);

    return v3(is_x ? 0 : minus_y, is_x ? n.z : n.x, is_x ? minus_y : 0);
}

/* Computes two unit vectors across a normal and each other, from the normal
 * alone. */
void vsp__make_tangents(const vsp__v3 *normal, vsp__v3 *t1, vsp__v3 *t2);


/* ---- Arithmetic of rows ----------------------------------------------------
 * The change of velocities by rows, which takes most of the time of a step.  In
 * fixed point velocities have 64 bits while the rows of a manifold change them,
 * and are rounded once, when the manifold is done.
 *
 * vsp__exact_velocity is the velocity of body b less that of body a,
 * vsp__exact_spin the spin of one body.  vsp__to_exact_... makes one from
 * rates; vsp__add_to_exact adds a rate to a component; vsp__velocity_change and
 * vsp__spin_change compute the change since it was made.
 *
 * vsp__v3_take_share: v -= part * |share|, share a negative unit.
 * vsp__v3_give_share: v += part * share.  vsp__find_halves says, before both,
 * how they round halves of a last place, which occur if masses are equal, or as
 * 1 to 3 or 7: if b rounds up, a rounds down, so momentum stays the same, to
 * the bit.  For equal masses the velocity of b becomes even: always up, or
 * always down, would push a sliding body.
 *
 * vsp__make_turn: turn = s c, the spin that a multiplier of 1 adds to a body
 * of inverse inertia s at a lever c.  Returns c.(s c), its part of the row's
 * diagonal, a real.  In fixed point a turn has 32 - k binary places, where k,
 * from vsp__find_turn_scale, fits all turns of a manifold, with two inertias
 * and arms of at most this length.  In floats k is 0.
 *
 * vsp__add_turns: w[i] += d turn_i, where d is a change of a multiplier.
 *
 * vsp__relative_velocity: of a point on b relative to one on a,
 * e + w[1] x arm[1] - w[0] x arm[0].  vsp__normal_velocity: its x, plus a
 * bias.  vsp__relative_spin: of b relative to a. */

#if !VSP_FIXED

typedef vsp__num vsp__exact_num;
typedef vsp__v3 vsp__exact_velocity;
typedef vsp__v3 vsp__exact_spin;

static inline void vsp__to_exact_velocity(vsp__exact_velocity *e,
                                          const vsp__v3 *v)
{
    *e = *v;
}

static inline void vsp__add_to_exact(vsp__exact_num *e, vsp__num d)
{
    *e = r_add(*e, d);
}

static inline void vsp__velocity_change(const vsp__exact_velocity *e,
                                        const vsp__v3 *from, vsp__v3 *change)
{
    v3_sub_to(e, from, change);
}

static inline void vsp__to_exact_spin(vsp__exact_spin *t, const vsp__v3 *w)
{
    *t = *w;
}

static inline void vsp__spin_change(const vsp__exact_spin *t,
                                    const vsp__v3 *from, vsp__v3 *change)
{
    v3_sub_to(t, from, change);
}

static inline uint32_t vsp__find_halves(const vsp__v3 *b, const vsp__v3 *part)
{
    (void)b;
    (void)part;
    return 0;
}

static inline void vsp__v3_take_share(vsp__v3 *v, const vsp__v3 *part,
                                      vsp__num share, uint32_t halves)
{
    (void)halves;
    u3_move(v, share, part); /* rounds as v - part * |share| */
}

static inline void vsp__v3_give_share(vsp__v3 *v, const vsp__v3 *part,
                                      vsp__num share, uint32_t halves)
{
    (void)halves;
    u3_move(v, share, part);
}

static inline uint32_t vsp__find_turn_scale(const vsp__sym3 inertia[2],
                                            vsp__num arm)
{
    (void)inertia;
    (void)arm;
    return 0;
}

static inline vsp__num vsp__make_turn(const vsp__sym3 *s, const vsp__v3 *c,
                                      uint32_t k, vsp__v3 *turn)
{
    (void)k;
    s3_mul_to(s, c, turn);
    return v3_dot_at(c, turn);
}

static inline void vsp__add_turns(vsp__exact_spin w[2], vsp__num d,
                                  const vsp__v3 *turn0, const vsp__v3 *turn1,
                                  uint32_t k)
{
    (void)k;
    w[0] = v3_add(w[0], v3_scale(*turn0, d)); /* by value in all builds */
    w[1] = v3_add(w[1], v3_scale(*turn1, d));
}

static inline vsp__v3 vsp__relative_spin(const vsp__exact_spin w[2])
{
    return v3_sub(w[1], w[0]);
}

static inline void vsp__relative_velocity(const vsp__exact_velocity *e,
                                          const vsp__exact_spin w[2],
                                          const vsp__v3 arm[2], vsp__v3 *u)
{
    vsp__v3 a;

    v3_cross_to(&w[1], &arm[1], u);
    v3_cross_to(&w[0], &arm[0], &a);
    v3_sub_in(u, &a);
    v3_add_in(u, e);
}

static inline vsp__num vsp__normal_velocity(const vsp__exact_velocity *e,
                                            const vsp__exact_spin w[2],
                                            const vsp__v3 arm[2], vsp__num bias)
{
    vsp__v3 u;

    vsp__relative_velocity(e, w, arm, &u);
    return r_add(u.x, bias);
}

#else

/* A component of a velocity as the first term of a sum of products of rates and
 * arms: it has their 37 binary places, and half a place of a rate is added, so
 * that truncation to a rate rounds the sum. */
typedef int64_t vsp__exact_num;

typedef struct vsp__exact_velocity {
    vsp__exact_num x, y, z;
} vsp__exact_velocity;

/* A component of a spin: a rate, and 32 more binary places, adjacent, to be
 * loaded at once.  A row changes the spin by at most a 16th of its limits, or
 * clamps it (add_turn_far), so that after the rows of a manifold, at most 15,
 * products with the spin fit 64 bits. */
typedef struct vsp__spin64 {
    uint32_t low;
    vsp__num high;
} vsp__spin64;

typedef struct vsp__exact_spin {
    vsp__spin64 x, y, z;
} vsp__exact_spin;

static inline vsp__exact_num vsp__to_exact_num(vsp__num v)
{
    vsp__num one = VSP__REAL(1.0);

    VSP__HIDE_FACTOR(one);
    return (vsp__exact_num)((uint64_t)vsp__product(v, one) |
                            (uint32_t)1 << (VSP__REAL_BITS - 1));
}

static inline void vsp__to_exact_velocity(vsp__exact_velocity *e,
                                          const vsp__v3 *v)
{
    e->x = vsp__to_exact_num(v->x);
    e->y = vsp__to_exact_num(v->y);
    e->z = vsp__to_exact_num(v->z);
}

static inline void vsp__add_to_exact(vsp__exact_num *e, vsp__num d)
{
    vsp__num one = VSP__REAL(1.0);

    VSP__HIDE_FACTOR(one);
    *e += vsp__product(d, one);
}

static inline void vsp__velocity_change(const vsp__exact_velocity *e,
                                        const vsp__v3 *from, vsp__v3 *change)
{
    *change = v3(vsp__narrow_real_down(e->x) - from->x,
                 vsp__narrow_real_down(e->y) - from->y,
                 vsp__narrow_real_down(e->z) - from->z);
}

/* The low word starts at half a place, so that high is rounded to nearest. */
static inline void vsp__to_exact_spin(vsp__exact_spin *t, const vsp__v3 *w)
{
    t->x.high = w->x;
    t->y.high = w->y;
    t->z.high = w->z;
    t->x.low = t->y.low = t->z.low = 0x80000000u;
}

/* The change is at most twice the limits, unless one row changes a spin from
 * one limit to the other, and later rows add to it.  Then the change wraps, and
 * the body keeps about its old spin. */
static inline vsp__num vsp__rate_change(vsp__num to, vsp__num from)
{
    return (vsp__num)((uint32_t)to - (uint32_t)from);
}

static inline void vsp__spin_change(const vsp__exact_spin *t,
                                    const vsp__v3 *from, vsp__v3 *change)
{
    *change = v3(vsp__rate_change(t->x.high, from->x),
                 vsp__rate_change(t->y.high, from->y),
                 vsp__rate_change(t->z.high, from->z));
}

/* Returns bit k set if b rounds a half of component k up, and a down. */
static inline uint32_t vsp__find_halves(const vsp__v3 *b, const vsp__v3 *part)
{
    return (((uint32_t)b->x + (uint32_t)(part->x >> 1)) & 1u) |
           (((uint32_t)b->y + (uint32_t)(part->y >> 1)) & 1u) << 1 |
           (((uint32_t)b->z + (uint32_t)(part->z >> 1)) & 1u) << 2;
}

/* Adds part * share; bit k of up: rounds a half of component k up. */
static inline void vsp__v3_add_share(vsp__v3 *v, const vsp__v3 *part,
                                     int32_t share, uint32_t up)
{
    *v = v3(
        vsp__add_share(v->x, VSP__HALVES_DOWN + (up & 1u), part->x, share),
        vsp__add_share(v->y, VSP__HALVES_DOWN + (up >> 1 & 1u), part->y, share),
        vsp__add_share(v->z, VSP__HALVES_DOWN + (up >> 2 & 1u), part->z,
                       share));
}

static inline void vsp__v3_take_share(vsp__v3 *v, const vsp__v3 *part,
                                      vsp__num share, uint32_t halves)
{
    vsp__v3_add_share(v, part, share * 4, ~halves);
}

/* 1 does not fit with 31 binary places, and becomes one place less. */
static inline void vsp__v3_give_share(vsp__v3 *v, const vsp__v3 *part,
                                      vsp__num share, uint32_t halves)
{
    uint32_t one = (uint32_t)share >> VSP__UNIT_BITS;

    share = (int32_t)(((uint32_t)share << 2) - one); /* 1 is one place less */
    vsp__v3_add_share(v, part, share, halves);
}

uint32_t vsp__find_turn_scale(const vsp__sym3 inertia[2], vsp__num arm);
vsp__num vsp__make_turn(const vsp__sym3 *s, const vsp__v3 *c, uint32_t k,
                        vsp__v3 *turn);

/* e + (a b - c d) + (f g - h i): one component of vsp__relative_velocity */
static inline int64_t vsp__add_cross_parts(vsp__exact_num e, int32_t a,
                                           vsp__num b, int32_t c, vsp__num d,
                                           int32_t f, vsp__num g, int32_t h,
                                           vsp__num i)
{
    return e + vsp__product(a, b) + vsp__product(-c, d) + vsp__product(f, g) +
           vsp__product(-h, i);
}

static inline vsp__v3 vsp__relative_spin(const vsp__exact_spin w[2])
{
    return v3(r_sub(r_saturate(w[1].x.high), r_saturate(w[0].x.high)),
              r_sub(r_saturate(w[1].y.high), r_saturate(w[0].y.high)),
              r_sub(r_saturate(w[1].z.high), r_saturate(w[0].z.high)));
}

static inline void vsp__relative_velocity(const vsp__exact_velocity *e,
                                          const vsp__exact_spin w[2],
                                          const vsp__v3 arm[2], vsp__v3 *u)
{
    const vsp__v3 *r = &arm[0], *s = &arm[1];
    int32_t vx = w[0].x.high, vy = w[0].y.high;
    int32_t vz = w[0].z.high, ux = w[1].x.high;
    int32_t uy = w[1].y.high, uz = w[1].z.high;
    int64_t x = vsp__add_cross_parts(e->x, uy, s->z, uz, s->y, vz, r->y, vy,
                                     r->z);
    int64_t y = vsp__add_cross_parts(e->y, uz, s->x, ux, s->z, vx, r->z, vz,
                                     r->x);
    int64_t z = vsp__add_cross_parts(e->z, ux, s->y, uy, s->x, vy, r->x, vx,
                                     r->y);

    *u = v3(vsp__narrow_real_down(x), vsp__narrow_real_down(y),
            vsp__narrow_real_down(z));
}

/* vsp__add_turns for any d. */
void vsp__add_turns_called(vsp__exact_spin w[2], vsp__num d,
                           const vsp__v3 *turn0, const vsp__v3 *turn1,
                           uint32_t k);

/* Whether a change of this size fits 31 bits when shifted up by k: nearly all
 * changes do. */
static inline bool vsp__has_shift_room(vsp__num size, uint32_t k)
{
    return size <= VSP__REAL_MAX >> k;
}

/* d 2^k, hidden from compilers, which otherwise multiply by it as a number of
 * 64 bits. */
static inline int32_t vsp__shift_up(vsp__num d, uint32_t k)
{
    d = (int32_t)((uint32_t)d << k);
    VSP__HIDE(d);
    return d;
}

static inline int64_t vsp__load_spin64(const vsp__spin64 *w)
{
    uint32_t low = w->low;

    return (int64_t)((uint64_t)(uint32_t)w->high << 32 | low);
}

/* Returns the upper word, the spin as a rate. */
static inline vsp__num vsp__store_spin64(vsp__spin64 *w, int64_t sum)
{
    vsp__num high = (vsp__num)(sum >> 32);

    VSP__HIDE(high);
    w->low = (uint32_t)((uint64_t)sum & 0xffffffffu);
    w->high = high;
    return high;
}

/* up: vsp__shift_up of a change.  Returns the spin as a rate. */
static inline vsp__num vsp__add_one_turn(vsp__spin64 *w, int32_t up,
                                         vsp__num turn)
{
    int64_t sum = vsp__load_spin64(w);

    return vsp__store_spin64(w, sum + vsp__product(up, turn));
}

static inline void vsp__add_body_turn(vsp__exact_spin *w, int32_t up,
                                      const vsp__v3 *turn)
{
    vsp__add_one_turn(&w->x, up, turn->x);
    vsp__add_one_turn(&w->y, up, turn->y);
    vsp__add_one_turn(&w->z, up, turn->z);
}

#if defined __OPTIMIZE_SIZE__

#define vsp__add_turns vsp__add_turns_called

static inline vsp__num vsp__normal_velocity(const vsp__exact_velocity *e,
                                            const vsp__exact_spin w[2],
                                            const vsp__v3 arm[2], vsp__num bias)
{
    vsp__exact_velocity at = *e;
    vsp__v3 u;

    vsp__add_to_exact(&at.x, bias);
    vsp__relative_velocity(&at, w, arm, &u);
    return u.x;
}

#else

static inline void vsp__add_turns(vsp__exact_spin w[2], vsp__num d,
                                  const vsp__v3 *turn0, const vsp__v3 *turn1,
                                  uint32_t k)
{
    if (vsp__has_shift_room(r_size(d), k)) {
        int32_t up = vsp__shift_up(d, k);

        vsp__add_body_turn(&w[0], up, turn0);
        vsp__add_body_turn(&w[1], up, turn1);
    } else {
        vsp__add_turns_called(w, d, turn0, turn1, k);
    }
}

static inline vsp__num vsp__normal_velocity(const vsp__exact_velocity *e,
                                            const vsp__exact_spin w[2],
                                            const vsp__v3 arm[2], vsp__num bias)
{
    const vsp__v3 *r = &arm[0], *s = &arm[1];
    vsp__exact_num begin = e->x;

    vsp__add_to_exact(&begin, bias);
    return vsp__narrow_real_down(
        vsp__add_cross_parts(begin, w[1].y.high, s->z, w[1].z.high, s->y,
                             w[0].z.high, r->y, w[0].y.high, r->z));
}

/* Two functions that combine several steps.  The spins need more registers than
 * a CPU has, so each component is loaded only once.  The results have the same
 * bits as vsp__add_turns. */
#define VSP__COMBINES_ROWS 1

/* vsp__add_turns of a normal row; then fills u with y and z of
 * vsp__relative_velocity. */
static inline void vsp__add_normal_turns(const vsp__exact_velocity *e,
                                         vsp__exact_spin w[2], vsp__num d,
                                         const vsp__v3 arm[2],
                                         const vsp__v3 turn[2][3], uint32_t k,
                                         vsp__num u[2])
{
    const vsp__v3 *s = turn[0], *t = turn[1];
    int64_t y = e->y, z = e->z;
    vsp__num w_now;
    int32_t up;

    if (!vsp__has_shift_room(r_size(d), k)) {
        vsp__add_turns_called(w, d, s, t, k);
        d = 0;
    }
    up = vsp__shift_up(d, k);
    w_now = vsp__add_one_turn(&w[0].x, up, s->x);
    y += vsp__product(w_now, arm[0].z);
    z += vsp__product(-w_now, arm[0].y);
    w_now = vsp__add_one_turn(&w[0].y, up, s->y);
    z += vsp__product(w_now, arm[0].x);
    w_now = vsp__add_one_turn(&w[0].z, up, s->z);
    y += vsp__product(-w_now, arm[0].x);
    w_now = vsp__add_one_turn(&w[1].x, up, t->x);
    y += vsp__product(-w_now, arm[1].z);
    z += vsp__product(w_now, arm[1].y);
    w_now = vsp__add_one_turn(&w[1].y, up, t->y);
    z += vsp__product(-w_now, arm[1].x);
    w_now = vsp__add_one_turn(&w[1].z, up, t->z);
    y += vsp__product(w_now, arm[1].x);
    u[0] = vsp__narrow_real_down(y);
    u[1] = vsp__narrow_real_down(z);
}

static inline void vsp__add_two_turns(vsp__spin64 *w, int32_t up1, vsp__num t1,
                                      int32_t up2, vsp__num t2)
{
    int64_t sum = vsp__load_spin64(w);

    sum += vsp__product(up1, t1);
    sum += vsp__product(up2, t2);
    vsp__store_spin64(w, sum);
}

/* vsp__add_turns of both tangents */
static inline void vsp__add_tangent_turns(vsp__exact_spin w[2], vsp__num d1,
                                          vsp__num d2, const vsp__v3 turn[2][3],
                                          uint32_t k)
{
    int32_t up1 = vsp__shift_up(d1, k), up2 = vsp__shift_up(d2, k);
    const vsp__v3 *s = turn[0], *t = turn[1];

    if (!vsp__has_shift_room(r_max_size(r_size(d1), d2), k)) {
        vsp__add_turns_called(w, d1, &s[1], &t[1], k);
        vsp__add_turns_called(w, d2, &s[2], &t[2], k);
        return;
    }
    vsp__add_two_turns(&w[0].x, up1, s[1].x, up2, s[2].x);
    vsp__add_two_turns(&w[0].y, up1, s[1].y, up2, s[2].y);
    vsp__add_two_turns(&w[0].z, up1, s[1].z, up2, s[2].z);
    vsp__add_two_turns(&w[1].x, up1, t[1].x, up2, t[2].x);
    vsp__add_two_turns(&w[1].y, up1, t[1].y, up2, t[2].y);
    vsp__add_two_turns(&w[1].z, up1, t[1].z, up2, t[2].z);
}

#endif

#endif

#ifndef VSP__COMBINES_ROWS
#define VSP__COMBINES_ROWS 0
#endif

/* Whether sweeps copy what they change, so that compilers keep it in registers.
 * Builds for size do not: they call a function for each change. */
#if defined __OPTIMIZE_SIZE__
#define VSP__COPIES_SWEPT 0
#else
#define VSP__COPIES_SWEPT 1
#endif

#endif /* VSP_MATRIX_H */
