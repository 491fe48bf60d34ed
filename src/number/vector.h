/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Vectors of either kind of numbers: by value; in place and by address; lengths
 * and directions; places, planes and corners. */

#ifndef VSP_VECTOR_H
#define VSP_VECTOR_H

typedef struct vsp__v3 {
    vsp__num x, y, z;
} vsp__v3;

typedef struct vsp__wide3 {
    vsp__wide x, y, z;
} vsp__wide3;

/* A force (N) and torque (N m), or an impulse (N s) and angular impulse
 * (N m s). */
typedef struct vsp__wrench {
    vsp__wide3 force, torque;
} vsp__wrench;


/* ---- By value ------------------------------------------------------------ */

static inline vsp__v3 v3(vsp__num x, vsp__num y, vsp__num z)
{
    vsp__v3 v;

    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* The three numbers of a vector as an array: (&a->x)[k] would have the type of
 * the member x alone, in which compilers may see no y and z. */
static inline vsp__num *v3_parts(vsp__v3 *a)
{
    return &a->x;
}

static inline vsp__num v3_part(const vsp__v3 *a, uint32_t k)
{
    const vsp__num *part = &a->x;

    return part[k];
}

static inline vsp__v3 v3_zero(void)
{
    return v3(0, 0, 0);
}

static inline vsp__v3 v3_read(vsp_vec3 a)
{
    return v3(r_read(a.x), r_read(a.y), r_read(a.z));
}

static inline vsp_vec3 v3_show(vsp__v3 a)
{
    vsp_vec3 v;

    v.x = r_show(a.x);
    v.y = r_show(a.y);
    v.z = r_show(a.z);
    return v;
}

static inline vsp_vec3 u3_show(vsp__v3 a)
{
    vsp_vec3 v;

    v.x = u_show(a.x);
    v.y = u_show(a.y);
    v.z = u_show(a.z);
    return v;
}

static inline vsp__v3 rate3_read(vsp_vec3 a)
{
    return v3(rate_read(a.x), rate_read(a.y), rate_read(a.z));
}

static inline vsp_vec3 rate3_show(vsp__v3 a)
{
    vsp_vec3 v;

    v.x = rate_show(a.x);
    v.y = rate_show(a.y);
    v.z = rate_show(a.z);
    return v;
}

static inline vsp__wide3 w3_read(vsp_vec3 a)
{
    vsp__wide3 w;

    w.x = w_read(a.x);
    w.y = w_read(a.y);
    w.z = w_read(a.z);
    return w;
}

static inline vsp__v3 v3_add(vsp__v3 a, vsp__v3 b)
{
    return v3(r_add(a.x, b.x), r_add(a.y, b.y), r_add(a.z, b.z));
}

static inline vsp__v3 v3_sub(vsp__v3 a, vsp__v3 b)
{
    return v3(r_sub(a.x, b.x), r_sub(a.y, b.y), r_sub(a.z, b.z));
}

static inline vsp__v3 v3_neg(vsp__v3 a)
{
    return v3(r_neg(a.x), r_neg(a.y), r_neg(a.z));
}

/* a, or -a */
static inline vsp__v3 v3_signed(vsp__v3 a, bool is_negative)
{
    return is_negative ? v3_neg(a) : a;
}

static inline vsp__v3 v3_scale(vsp__v3 a, vsp__num s)
{
    return v3(r_mul(a.x, s), r_mul(a.y, s), r_mul(a.z, s));
}

static inline vsp__v3 u3_scale(vsp__v3 a, vsp__num s)
{
    return v3(u_mul(a.x, s), u_mul(a.y, s), u_mul(a.z, s));
}

static inline vsp__num v3_dot(vsp__v3 a, vsp__v3 b)
{
    return r_dot3(a.x, b.x, a.y, b.y, a.z, b.z);
}

static inline vsp__num u3_dot(vsp__v3 a, vsp__v3 b)
{
    return u_dot3(a.x, b.x, a.y, b.y, a.z, b.z);
}

/* a.b, as a square */
static inline vsp__square v3_product(vsp__v3 a, vsp__v3 b)
{
    return r_product(a.x, b.x) + r_product(a.y, b.y) + r_product(a.z, b.z);
}

static inline vsp__square v3_square(vsp__v3 a)
{
    return v3_product(a, a);
}

static inline vsp__v3 v3_cross(vsp__v3 a, vsp__v3 b)
{
    return v3(r_dot2(a.y, b.z, -a.z, b.y), r_dot2(a.z, b.x, -a.x, b.z),
              r_dot2(a.x, b.y, -a.y, b.x));
}

static inline vsp__v3 u3_cross(vsp__v3 a, vsp__v3 b)
{
    return v3(u_dot2(a.y, b.z, -a.z, b.y), u_dot2(a.z, b.x, -a.x, b.z),
              u_dot2(a.x, b.y, -a.y, b.x));
}

static inline vsp__num v3_length(vsp__v3 a)
{
    return vsp__square_root(v3_square(a));
}

static inline vsp__v3 v3_abs(vsp__v3 a)
{
    return v3(r_abs(a.x), r_abs(a.y), r_abs(a.z));
}

static inline vsp__num v3_largest(vsp__v3 a)
{
    return r_max(a.x, r_max(a.y, a.z));
}

/* the largest magnitude of a component */
static inline vsp__num v3_size(vsp__v3 a)
{
    return v3_largest(v3_abs(a));
}

/* a - b, up to twice the limits: to be scaled before anything else */
static inline vsp__v3 v3_difference(vsp__v3 a, vsp__v3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vsp__v3 v3_saturate(vsp__v3 a)
{
    return v3(r_saturate(a.x), r_saturate(a.y), r_saturate(a.z));
}

static inline vsp__v3 v3_flush(vsp__v3 a)
{
    return v3(r_flush(a.x), r_flush(a.y), r_flush(a.z));
}

/* v h, a displacement: v a rate, h a unit */
static inline vsp__v3 v3_way(const vsp__v3 *v, vsp__num h, uint32_t cut)
{
    return v3(r_of_rate_cut(v->x, h, cut), r_of_rate_cut(v->y, h, cut),
              r_of_rate_cut(v->z, h, cut));
}


/* ---- vector.c: in place, and by address ------------------------------------
 * Less code than by value if vectors are in memory.  _in changes its first
 * argument; _to writes to an address, which may be that of an operand; _at
 * reads from addresses.  Builds for speed inline them. */

void vsp__v3_add_in(vsp__v3 *a, const vsp__v3 *b);
void vsp__v3_add_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out);
void vsp__v3_sub_in(vsp__v3 *a, const vsp__v3 *b);
void vsp__v3_sub_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out);
void vsp__v3_neg_to(const vsp__v3 *a, vsp__v3 *out);
void vsp__v3_difference_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out);
void vsp__v3_flip_in(vsp__v3 *a, bool is_negative);
VSP__CALLED void vsp__v3_abs_in(vsp__v3 *a);
void vsp__v3_scale_in(vsp__v3 *a, vsp__num s);
void vsp__u3_scale_in(vsp__v3 *a, vsp__num s);
void vsp__u3_move(vsp__v3 *a, vsp__num s, const vsp__v3 *b);
void vsp__v3_flush_in(vsp__v3 *a);
void vsp__v3_move(vsp__v3 *a, vsp__num s, const vsp__v3 *b);
vsp__num vsp__v3_dot_at(const vsp__v3 *a, const vsp__v3 *b);
vsp__num vsp__u3_dot_at(const vsp__v3 *a, const vsp__v3 *b);
vsp__num vsp__v3_size_at(const vsp__v3 *a);
vsp__square vsp__v3_product_at(const vsp__v3 *a, const vsp__v3 *b);
void vsp__v3_cross_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out);
void vsp__u3_cross_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out);

/* in rotation.c, as it needs a root of fixed.c */
vsp__num vsp__v3_length_at(const vsp__v3 *a);

/* in float.c and fixed.c */
void vsp__v3_move_by_rate(vsp__v3 *position, vsp__num h, const vsp__v3 *v,
                          uint32_t cut);

#if defined __OPTIMIZE_SIZE__
#define v3_add_in vsp__v3_add_in
#define v3_add_to vsp__v3_add_to
#define v3_sub_in vsp__v3_sub_in
#define v3_sub_to vsp__v3_sub_to
#define v3_difference_to vsp__v3_difference_to
#define v3_neg_to vsp__v3_neg_to
#define v3_flip_in vsp__v3_flip_in
#define v3_abs_in vsp__v3_abs_in
#define v3_scale_in vsp__v3_scale_in
#define u3_scale_in vsp__u3_scale_in
#define u3_move vsp__u3_move
#define v3_move vsp__v3_move
#define v3_move_by_rate vsp__v3_move_by_rate
#define v3_dot_at vsp__v3_dot_at
#define v3_length_at vsp__v3_length_at
#define v3_flush_in vsp__v3_flush_in
#define u3_dot_at vsp__u3_dot_at
#define v3_size_at vsp__v3_size_at
#define v3_product_at vsp__v3_product_at
#define v3_cross_to vsp__v3_cross_to
#define u3_cross_to vsp__u3_cross_to
#else

static inline void v3_add_in(vsp__v3 *a, const vsp__v3 *b)
{
    *a = v3_add(*a, *b);
}

static inline void v3_add_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = v3_add(*a, *b);
}

static inline void v3_sub_in(vsp__v3 *a, const vsp__v3 *b)
{
    *a = v3_sub(*a, *b);
}

static inline void v3_sub_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = v3_sub(*a, *b);
}

static inline void v3_difference_to(const vsp__v3 *a, const vsp__v3 *b,
                                    vsp__v3 *out)
{
    *out = v3_difference(*a, *b);
}

static inline void v3_neg_to(const vsp__v3 *a, vsp__v3 *out)
{
    *out = v3_neg(*a);
}

static inline void v3_flip_in(vsp__v3 *a, bool is_negative)
{
    *a = v3_signed(*a, is_negative);
}

static inline void v3_abs_in(vsp__v3 *a)
{
    *a = v3_abs(*a);
}

static inline void v3_scale_in(vsp__v3 *a, vsp__num s)
{
    *a = v3_scale(*a, s);
}

static inline void u3_scale_in(vsp__v3 *a, vsp__num s)
{
    *a = u3_scale(*a, s);
}

/* a += s b; the unit is s or b */
static inline void u3_move(vsp__v3 *a, vsp__num s, const vsp__v3 *b)
{
    *a = v3_add(*a, u3_scale(*b, s));
}

/* a += s b */
static inline void v3_move(vsp__v3 *a, vsp__num s, const vsp__v3 *b)
{
    *a = v3_add(*a, v3_scale(*b, s));
}

/* position += v h: v a rate, h a unit */
static inline void v3_move_by_rate(vsp__v3 *position, vsp__num h,
                                   const vsp__v3 *v, uint32_t cut)
{
    *position = v3_add(*position, v3_way(v, h, cut));
}

static inline vsp__num v3_dot_at(const vsp__v3 *a, const vsp__v3 *b)
{
    return v3_dot(*a, *b);
}

static inline vsp__num v3_length_at(const vsp__v3 *a)
{
    return v3_length(*a);
}

static inline void v3_flush_in(vsp__v3 *a)
{
    *a = v3_flush(*a);
}

static inline vsp__num u3_dot_at(const vsp__v3 *a, const vsp__v3 *b)
{
    return u3_dot(*a, *b);
}

static inline vsp__num v3_size_at(const vsp__v3 *a)
{
    return v3_size(*a);
}

static inline vsp__square v3_product_at(const vsp__v3 *a, const vsp__v3 *b)
{
    return v3_product(*a, *b);
}

static inline void v3_cross_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = v3_cross(*a, *b);
}

static inline void u3_cross_to(const vsp__v3 *a, const vsp__v3 *b, vsp__v3 *out)
{
    *out = u3_cross(*a, *b);
}

#endif

/* Clamps consecutive numbers to [-limit, limit]. */
void vsp__clamp_each(vsp__num *a, uint32_t count, vsp__num limit);

static inline void v3_clamp_in(vsp__v3 *a, vsp__num limit)
{
    vsp__clamp_each(&a->x, 3, limit);
}

static inline vsp__square v3_square_at(const vsp__v3 *a)
{
    return v3_product_at(a, a);
}

/* a += s |b|, by components */
static inline void u3_move_abs(vsp__v3 *a, vsp__num s, const vsp__v3 *b)
{
    vsp__v3 size = *b;

    v3_abs_in(&size);
    u3_move(a, s, &size);
}

/* a = s a and a = s a + t b, by units s and t, rounded once, by a cut */
#if VSP_FIXED
VSP__CALLED void vsp__v3_scale_cut(vsp__v3 *a, vsp__num s, uint32_t cut);
VSP__CALLED void vsp__v3_mix_cut(vsp__v3 *a, vsp__num s, vsp__num t,
                                 const vsp__v3 *b, uint32_t cut);
#else
static inline void vsp__v3_scale_cut(vsp__v3 *a, vsp__num s, uint32_t cut)
{
    (void)cut;
    u3_scale_in(a, s);
}

static inline void vsp__v3_mix_cut(vsp__v3 *a, vsp__num s, vsp__num t,
                                   const vsp__v3 *b, uint32_t cut)
{
    (void)cut;
    u3_scale_in(a, s);
    u3_move(a, t, b);
}
#endif

/* the displacement to - from, flushed */
void vsp__v3_from_to(const vsp__v3 *from, const vsp__v3 *to, vsp__v3 *way);

/* w k as rates: for example a force or impulse times an inverse mass */
static inline vsp__v3 rate3_of_wide(const vsp__wide3 *w, vsp__wide k,
                                    uint32_t cut)
{
    return v3(w_to_rate_cut(w_mul(w->x, k), cut),
              w_to_rate_cut(w_mul(w->y, k), cut),
              w_to_rate_cut(w_mul(w->z, k), cut));
}

/* a += k b, for count numbers */
void vsp__add_wides(vsp__wide *a, vsp__wide k, const vsp__wide *b,
                    uint32_t count);

/* moment += arm x force: the arm in metres */
void vsp__add_moment(vsp__wide3 *moment, const vsp__v3 *arm,
                     const vsp__wide3 *force);


/* ---- float.c, fixed.c, rotation.c: lengths and directions ---------------- */

/* v /= a, a real, a > 0.  In fixed point within half a place and 2^-27 of v. */
void vsp__v3_divide(vsp__v3 *v, vsp__num a);

/* Makes a unit vector of any vector but 0.  In fixed point its length is 1
 * within 2^-27. */
void vsp__v3_normalize(vsp__v3 *v);
void vsp__v3_normalize_flushed(vsp__v3 *v);

/* Normalises a vector of known length, which saves floats a root. */
void vsp__v3_normalize_by(vsp__v3 *v, vsp__num length);


/* ---- vector.c: places, planes, corners ----------------------------------- */

/* Converts a position in a table to m, and the normal of a table's plane to a
 * unit vector. */
void vsp__place_to_v3(const vsp_place *p, vsp__v3 *out);
void vsp__plane_normal(const vsp_plane *p, vsp__v3 *out);

/* as v3_parts and v3_part */
static inline int32_t *place_parts(vsp_place *p)
{
    return &p->x;
}

static inline int32_t place_part(const vsp_place *p, uint32_t k)
{
    const int32_t *part = &p->x;

    return part[k];
}

/* The corner of a box with this number: bit 0 is set where x is positive, bit 1
 * where y is, bit 2 where z is. */
void vsp__brick_corner(const vsp__v3 *half, uint32_t number, vsp__v3 *out);

#endif /* VSP_VECTOR_H */
