/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the .c files share, in this order: the scalar layer (the only place
 * that multiplies and divides), vectors, the world's memory, and the
 * functions by which vsp.c drives vsp_collide.c and vsp_solver.c.  Users need
 * none of it, and its layout may change. */

#ifndef VSP_INTERNAL_H
#define VSP_INTERNAL_H

#include "vsp.h"

/* Compilers would fuse a product and a sum where a CPU can: other bits.  Say
 * -ffp-contract=off all the same, for those that know neither pragma. */
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off")
#endif

#define VSP_STATIC_ASSERT(name, condition) \
    typedef char vsp__assert_##name[(condition) ? 1 : -1]


/* ---- Scalar layer ---------------------------------------------------------
 * Every product, quotient and root of the engine is made here, from exactly
 * rounded float operations: nothing fused, nothing wider, no libm.
 * Sums, differences and comparisons are written plainly. */

static inline vsp_real r_mul(vsp_real a, vsp_real b)
{
    return a * b;
}

/* b is never 0 */
static inline vsp_real r_div(vsp_real a, vsp_real b)
{
    return a / b;
}

static inline vsp_real r_signed(vsp_real a, bool is_negative)
{
    return is_negative ? -a : a;
}

static inline vsp_real r_min(vsp_real a, vsp_real b)
{
    return a < b ? a : b;
}

static inline vsp_real r_max(vsp_real a, vsp_real b)
{
    return a > b ? a : b;
}

static inline vsp_real r_clamp(vsp_real a, vsp_real low, vsp_real high)
{
    return a < low ? low : a > high ? high : a;
}

/* a b + c d, and three products: with one rounding where the scalar kind
 * has wider sums */
static inline vsp_real r_dot2(vsp_real a, vsp_real b, vsp_real c, vsp_real d)
{
    return a * b + c * d;
}

static inline vsp_real r_dot3(vsp_real a, vsp_real b, vsp_real c, vsp_real d,
                              vsp_real e, vsp_real f)
{
    return a * b + c * d + e * f;
}

static inline uint32_t r_bits(vsp_real a)
{
    union {
        vsp_real real;
        uint32_t bits;
    } u;

    u.real = a;
    return u.bits;
}

static inline vsp_real r_from_bits(uint32_t bits)
{
    union {
        vsp_real real;
        uint32_t bits;
    } u;

    u.bits = bits;
    return u.real;
}

static inline vsp_real r_abs(vsp_real a)
{
    return r_from_bits(r_bits(a) & 0x7fffffffu);
}

static inline bool r_is_finite(vsp_real a)
{
    return (r_bits(a) & 0x7f800000u) != 0x7f800000u;
}

/* Whether a is a number of [low, high]; false for NaN even where the
 * compiler believes there is none. */
static inline bool r_in(vsp_real a, vsp_real low, vsp_real high)
{
    return r_is_finite(a) && a >= low && a <= high;
}

/* What is too small to matter, below 2^-50, becomes zero, so that no later
 * product is subnormal: consoles trap on those, and some round them twice.
 * Told by the exponent, which is cheap without an FPU. */
static inline vsp_real r_flush(vsp_real a)
{
    return r_bits(a) << 1 < (uint32_t)(127 - 50) << 24 ? VSP_R(0.0) : a;
}

/* 1 / sqrt(a), a > 0 and normal: the halved exponent, then four Newton
 * steps y (3 - a y^2) / 2, each doubling the bits that are right (5, 9, 18,
 * 24).  Error at most 2 units of the last place. */
vsp_real vsp__rsqrt(vsp_real a);

/* sqrt(a), a >= 0; 0 below 1e-30.  One more Newton step on a y. */
vsp_real vsp__sqrt(vsp_real a);

/* trunc(a), |a| < 2^31 */
static inline int32_t r_to_int(vsp_real a)
{
    return (int32_t)a;
}

/* trunc(a 2^30), |a| <= 1, and i / 2^30, rounded */
static inline int32_t r_to_q30(vsp_real a)
{
    return (int32_t)(a * VSP_R(1073741824.0));
}

static inline vsp_real r_from_q30(int32_t i)
{
    return (vsp_real)i * VSP_R(9.31322574615478515625e-10);
}

/* |i| < 2^24 */
static inline vsp_real r_from_int(int32_t i)
{
    return (vsp_real)i;
}


/* ---- Vectors ------------------------------------------------------------- */

static inline vsp_vec3 v3(vsp_real x, vsp_real y, vsp_real z)
{
    vsp_vec3 v;

    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static inline vsp_vec3 v3_zero(void)
{
    return v3(VSP_R(0.0), VSP_R(0.0), VSP_R(0.0));
}

static inline vsp_vec3 v3_add(vsp_vec3 a, vsp_vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vsp_vec3 v3_sub(vsp_vec3 a, vsp_vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vsp_vec3 v3_neg(vsp_vec3 a)
{
    return v3(-a.x, -a.y, -a.z);
}

static inline vsp_vec3 v3_signed(vsp_vec3 a, bool is_negative)
{
    return is_negative ? v3_neg(a) : a;
}

static inline vsp_vec3 v3_scale(vsp_vec3 a, vsp_real s)
{
    return v3(r_mul(a.x, s), r_mul(a.y, s), r_mul(a.z, s));
}

/* a + s b */
static inline vsp_vec3 v3_madd(vsp_vec3 a, vsp_real s, vsp_vec3 b)
{
    return v3_add(a, v3_scale(b, s));
}

static inline vsp_real v3_dot(vsp_vec3 a, vsp_vec3 b)
{
    return r_dot3(a.x, b.x, a.y, b.y, a.z, b.z);
}

static inline vsp_vec3 v3_cross(vsp_vec3 a, vsp_vec3 b)
{
    return v3(r_dot2(a.y, b.z, -a.z, b.y), r_dot2(a.z, b.x, -a.x, b.z),
              r_dot2(a.x, b.y, -a.y, b.x));
}

static inline vsp_real v3_length(vsp_vec3 a)
{
    return vsp__sqrt(v3_dot(a, a));
}

static inline vsp_vec3 v3_abs(vsp_vec3 a)
{
    return v3(r_abs(a.x), r_abs(a.y), r_abs(a.z));
}

static inline vsp_vec3 v3_min(vsp_vec3 a, vsp_vec3 b)
{
    return v3(r_min(a.x, b.x), r_min(a.y, b.y), r_min(a.z, b.z));
}

static inline vsp_vec3 v3_max(vsp_vec3 a, vsp_vec3 b)
{
    return v3(r_max(a.x, b.x), r_max(a.y, b.y), r_max(a.z, b.z));
}

static inline vsp_real v3_largest(vsp_vec3 a)
{
    return r_max(a.x, r_max(a.y, a.z));
}

/* the largest magnitude of a component */
static inline vsp_real v3_size(vsp_vec3 a)
{
    return v3_largest(v3_abs(a));
}

static inline vsp_vec3 v3_clamp(vsp_vec3 a, vsp_real limit)
{
    return v3(r_clamp(a.x, -limit, limit), r_clamp(a.y, -limit, limit),
              r_clamp(a.z, -limit, limit));
}

static inline vsp_vec3 v3_flush(vsp_vec3 a)
{
    return v3(r_flush(a.x), r_flush(a.y), r_flush(a.z));
}

/* The same in place, by address: less code where vectors are in memory. */

static inline void v3_add_in(vsp_vec3 *a, const vsp_vec3 *b)
{
    *a = v3_add(*a, *b);
}

static inline void v3_sub_in(vsp_vec3 *a, const vsp_vec3 *b)
{
    *a = v3_sub(*a, *b);
}

static inline void v3_scale_in(vsp_vec3 *a, vsp_real s)
{
    *a = v3_scale(*a, s);
}

/* a += s b */
static inline void v3_move(vsp_vec3 *a, vsp_real s, const vsp_vec3 *b)
{
    *a = v3_madd(*a, s, *b);
}

/* a += s |b| */
static inline void v3_move_abs(vsp_vec3 *a, vsp_real s, const vsp_vec3 *b)
{
    *a = v3_madd(*a, s, v3_abs(*b));
}

static inline void v3_min_in(vsp_vec3 *a, const vsp_vec3 *b)
{
    *a = v3_min(*a, *b);
}

static inline void v3_max_in(vsp_vec3 *a, const vsp_vec3 *b)
{
    *a = v3_max(*a, *b);
}

static inline void v3_clamp_in(vsp_vec3 *a, vsp_real limit)
{
    *a = v3_clamp(*a, limit);
}

static inline void v3_flush_in(vsp_vec3 *a)
{
    *a = v3_flush(*a);
}

static inline vsp_real v3_dot_at(const vsp_vec3 *a, const vsp_vec3 *b)
{
    return v3_dot(*a, *b);
}


/* ---- Matrices and quaternions -------------------------------------------- */

/* columns: where the axes x, y, z go */
typedef struct vsp__mat3 {
    vsp_vec3 axis[3];
} vsp__mat3;

/* symmetric */
typedef struct vsp__sym3 {
    vsp_real xx, yy, zz, xy, xz, yz;
} vsp__sym3;

static inline vsp_vec3 m3_mul(const vsp__mat3 *m, vsp_vec3 v)
{
    const vsp_vec3 *a = m->axis;

    return v3(r_dot3(a[0].x, v.x, a[1].x, v.y, a[2].x, v.z),
              r_dot3(a[0].y, v.x, a[1].y, v.y, a[2].y, v.z),
              r_dot3(a[0].z, v.x, a[1].z, v.y, a[2].z, v.z));
}

/* transpose times v */
static inline vsp_vec3 m3_tmul(const vsp__mat3 *m, vsp_vec3 v)
{
    return v3(v3_dot(m->axis[0], v), v3_dot(m->axis[1], v),
              v3_dot(m->axis[2], v));
}

static inline vsp_vec3 s3_mul(const vsp__sym3 *s, vsp_vec3 v)
{
    return v3(r_dot3(s->xx, v.x, s->xy, v.y, s->xz, v.z),
              r_dot3(s->xy, v.x, s->yy, v.y, s->yz, v.z),
              r_dot3(s->xz, v.x, s->yz, v.y, s->zz, v.z));
}

/* The same to an address, which may be that of an operand: less code where
 * vectors are in memory. */

static inline void v3_cross_to(const vsp_vec3 *a, const vsp_vec3 *b,
                               vsp_vec3 *out)
{
    *out = v3_cross(*a, *b);
}

static inline void s3_mul_to(const vsp__sym3 *s, const vsp_vec3 *v,
                             vsp_vec3 *out)
{
    *out = s3_mul(s, *v);
}

static inline vsp__sym3 s3_zero(void)
{
    vsp__sym3 s = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0),
                   VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};

    return s;
}

static inline void s3_flush(vsp__sym3 *s)
{
    s->xx = r_flush(s->xx);
    s->yy = r_flush(s->yy);
    s->zz = r_flush(s->zz);
    s->xy = r_flush(s->xy);
    s->xz = r_flush(s->xz);
    s->yz = r_flush(s->yz);
}

static inline vsp_quat q_identity(void)
{
    vsp_quat q = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0), VSP_R(1.0)};

    return q;
}

static inline vsp_quat q_mul(const vsp_quat *a, const vsp_quat *b)
{
    vsp_quat q;

    q.x = r_dot2(a->w, b->x, a->x, b->w) + r_dot2(a->y, b->z, -a->z, b->y);
    q.y = r_dot2(a->w, b->y, a->y, b->w) + r_dot2(a->z, b->x, -a->x, b->z);
    q.z = r_dot2(a->w, b->z, a->z, b->w) + r_dot2(a->x, b->y, -a->y, b->x);
    q.w = r_dot2(a->w, b->w, -a->x, b->x) - r_dot2(a->y, b->y, a->z, b->z);
    return q;
}

/* q is not of length 0 */
static inline vsp_quat q_normalize(vsp_quat q)
{
    vsp_real y = vsp__rsqrt(r_dot2(q.x, q.x, q.y, q.y) +
                         r_dot2(q.z, q.z, q.w, q.w));

    q.x = r_mul(q.x, y);
    q.y = r_mul(q.y, y);
    q.z = r_mul(q.z, y);
    q.w = r_mul(q.w, y);
    return q;
}

/* These are called, not copied: in vsp_solver.c. */

/* s *= k */
void vsp__scale(vsp__sym3 *s, vsp_real k);

/* s += w (r.r 1 - r r^T): what a mass w at r adds to an inertia */
void vsp__add_spread(vsp__sym3 *s, vsp_real w, vsp_vec3 r);

/* m v; out may be v */
void vsp__mul(const vsp__mat3 *m, const vsp_vec3 *v, vsp_vec3 *out);

/* transpose times v */
void vsp__tmul(const vsp__mat3 *m, const vsp_vec3 *v, vsp_vec3 *out);

/* where a turn takes a vector */
vsp_vec3 vsp__turned(vsp_quat q, vsp_vec3 v);

/* where a turn takes the axes */
vsp__mat3 vsp__axes_of(vsp_quat q);

/* the same, small parts of them flushed */
void vsp__flushed_axes(vsp_quat q, vsp__mat3 *axes);

/* s as seen from other axes: axes^T s axes */
void vsp__seen_from(const vsp__mat3 *axes, const vsp__sym3 *s,
                    vsp__sym3 *seen);

/* s of a body's frame, in the frame that m takes it to: m s m^T */
void vsp__rotate(const vsp__mat3 *m, vsp__sym3 *s);

/* Inverse by cofactors.  Returns false, and zero, when s is singular to
 * about tolerance times the cube of its largest entry. */
bool vsp__invert(const vsp__sym3 *s, vsp_real tolerance, vsp__sym3 *inverse);


/* ---- Words -----------------------------------------------------------------
 * As hash, snapshot and replay have them: SPEC.md, "The hash". */

static inline uint32_t vsp__rotl(uint32_t x, uint32_t n)
{
    return x << n | x >> (32u - n);
}

/* One word into a hash: multiply, rotate, add, each invertible. */
static inline uint32_t vsp__mix(uint32_t hash, uint32_t bits)
{
    hash ^= vsp__rotl(bits * 0x85ebca77u, 13) * 0x9e3779b1u;
    return vsp__rotl(hash, 17) * 5u + 0x52dce729u;
}

/* Spreads what the last words changed over all bits. */
static inline uint32_t vsp__avalanche(uint32_t hash)
{
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    hash = (hash ^ hash >> 12) * 0x297a2d39u;
    return hash ^ hash >> 15;
}

/* four bytes, the least significant first */
static inline uint32_t vsp__get_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void vsp__set_word(unsigned char *bytes, uint32_t bits)
{
    uint32_t i;

    for (i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(bits >> (8u * i) & 0xffu);
}


/* ---- State ----------------------------------------------------------------
 * What shapes the future: written by a snapshot, covered by the hash.  No
 * addresses; 32-bit words but for the small numbers at the beginning of a
 * body and a shape. */

typedef struct vsp__params { /* of the world; see vsp_world_def */
    vsp_vec3 gravity;
    vsp_real dt, envelope, tolerance, fraction;
    uint32_t stepper, friction, warm_start, sweeps, correction_sweeps;
    vsp_capacity capacity;
    uint32_t tick;
} vsp__params;

typedef struct vsp__matter {
    vsp_vec3 center;   /* of mass, in the body's frame */
    vsp_real mass;     /* 0 for all that is not moved by forces */
    vsp__sym3 inertia; /* about the centre, in the body's axes */
} vsp__matter;

typedef struct vsp__body {
    uint16_t generation;  /* counts the uses of this slot */
    uint8_t type;         /* vsp_body_type + 1; 0: slot is free */
    uint8_t mass_given;   /* 0 from shapes, 1 mass, 2 mass and inertia */
    uint32_t first_shape; /* slot + 1 of its newest shape; 0: none */
    uint32_t user;
    vsp_real given;       /* the mass that was given, or 0 */
    /* from here to the spin, and to the end, numbers side by side */
    vsp_vec3 position;    /* of the centre of mass */
    vsp_quat rotation;
    vsp_vec3 velocity, spin;
    vsp_vec3 force, torque; /* for the next step */
    vsp__matter matter;
    vsp_real linear_damping, angular_damping, gravity_scale;
} vsp__body;

typedef struct vsp__shape {
    uint16_t generation;
    uint8_t type;        /* vsp_shape_type; 0: slot is free */
    uint8_t rules;       /* vsp_rule of friction, of restitution times 8 */
    uint16_t next_shape; /* slot + 1 of the body's next shape; 0: none */
    uint16_t body;       /* slot */
    vsp_vec3 size;
    vsp_transform pose;  /* in the body's frame (not from its centre) */
    vsp_real density, friction, restitution;
    vsp_filter filter;
} vsp__shape;

static inline uint32_t vsp__friction_rule(const vsp__shape *shape)
{
    return shape->rules & 7u;
}

static inline uint32_t vsp__restitution_rule(const vsp__shape *shape)
{
    return (uint32_t)shape->rules >> 3;
}

/* A multiplier of the last step, found again by pair and feature.  The low
 * four bits of each tangential multiplier hold half of the feature. */
typedef struct vsp__warm {
    uint32_t pair; /* shape a << 16 | shape b */
    vsp_real normal;
    vsp_real tangent1, tangent2;
} vsp__warm;


/* ---- Scratch --------------------------------------------------------------
 * Made anew in every step. */

/* what resists the motion of a body: infinite mass has the inverse 0 */
typedef struct vsp__inverse {
    vsp__sym3 inertia; /* in the world */
    vsp_real mass;
} vsp__inverse;

typedef struct vsp__velocity {
    vsp_vec3 linear, angular;
} vsp__velocity;

typedef struct vsp__pose { /* of a shape in the world */
    vsp__mat3 axes;
    vsp_vec3 position;
} vsp__pose;

typedef struct vsp__bounds {
    vsp_vec3 low, high;
} vsp__bounds;

typedef struct vsp__point {
    vsp_vec3 arm[2];       /* the point on a and on b, from their centres of
                              mass, in their bodies' axes */
    vsp_real gap;          /* along the normal; negative is depth */
    vsp_real bounce;       /* m/s: approach wanted back, eq. 21 */
    vsp_real multiplier[3];/* n, t1, t2: N s along the tangents of the normal;
                              during a velocity solve that of its row */
    uint32_t feature;      /* below 256 */
} vsp__point;

typedef struct vsp__manifold {
    uint16_t shape[2];     /* a, b: a < b, or a is the half-space */
    uint16_t body[2];
    uint32_t first_point;
    uint8_t point_count;
    uint8_t lower;         /* in the stack: 0 neither, 1 body a, 2 body b */
    uint16_t layer;
    vsp_vec3 normal;       /* a to b */
    vsp_real friction, restitution;
} vsp__manifold;

typedef struct vsp__contacts {
    uint32_t manifold_count, point_count, dropped;
} vsp__contacts;

/* A manifold ready for sweeps, in its own axes n, t1, t2: there the linear
 * part of a Jacobian row is one component of the relative velocity. */
typedef struct vsp__block {
    vsp__mat3 axes;            /* x: normal, y, z: tangents */
    vsp_real inv_mass;         /* sum of the two inverse masses */
    vsp_real share[2];         /* each one's part of that sum, a's negative */
    vsp_real friction;
} vsp__block;

/* One point's three rows (eq. 2 and 6) in the axes of its block.  All is
 * divided by block.inv_mass, so that a multiplier is a velocity.  The
 * multipliers are those of the point. */
typedef struct vsp__row {
    vsp_vec3 arm[2];               /* from the centres of mass */
    vsp_vec3 turn[2][3];           /* T = M^-1 J^T of eq. 33, angular part */
    vsp_real inv_diagonal[3];
    vsp_real bias;                 /* m/s: b of eq. 20 beyond J u */
} vsp__row;

/* The normal row of a point in the position problem, in the world's axes:
 * displacements take the place of velocities. */
typedef struct vsp__fix {
    vsp_vec3 lever[2];         /* arm x normal: J's angular part */
    vsp_vec3 turn[2];          /* what it turns: inverse inertia times lever */
    vsp_real inv_diagonal;
    vsp_real gap;              /* m */
    vsp_real multiplier;       /* kg m */
} vsp__fix;

/* A point that carries a body from below. */
typedef struct vsp__support {
    vsp_vec3 arm;     /* from the upper body's centre of mass */
    vsp_vec3 normal;  /* lower to upper */
    vsp_vec3 target;  /* velocity the point of the upper body is to have */
    vsp_vec3 kept;    /* impulse on the upper body to start from, N s */
    vsp_vec3 impulse; /* and with its share of the load */
    vsp_real weight;  /* share in the load; 0 left out */
    uint32_t point, manifold; /* the point is counted in the manifold */
} vsp__support;


/* ---- The world ----------------------------------------------------------- */

#define VSP__NO_HEIGHT 0xffffu /* no static or kinematic body below */
#define VSP__TREE_SPARE 16u    /* rounding up of the levels */

typedef union vsp__line {
    vsp__velocity predicted; /* at the end of the step, as hoped */
    struct {
        vsp_real first, second; /* sums over an island */
    } slope;
} vsp__line;

/* Phases of a step that do not overlap share their memory.  By body and
 * shape: what finds contacts, and what solves for velocities (then for
 * displacements). */
typedef union vsp__work {
    struct {
        vsp__bounds bounds[VSP_MAX_SHAPES];
        vsp__bounds tree[VSP_MAX_SHAPES + VSP__TREE_SPARE];
        uint32_t sort_keys[2 * VSP_MAX_SHAPES];
        uint32_t pairs[2 * VSP_MAX_PAIRS]; /* keys, and room to sort them */
        uint16_t sort_order[2 * VSP_MAX_SHAPES];
    } find;
    struct {
        vsp__inverse inverse[VSP_MAX_BODIES];
        vsp__velocity velocity[VSP_MAX_BODIES]; /* being solved */
        vsp__velocity saved[VSP_MAX_BODIES];    /* start of a line search;
                                                   displacements */
        vsp__line line[VSP_MAX_BODIES];
    } solve;
} vsp__work;

/* What a restore has read and not yet believed. */
typedef struct vsp__incoming {
    vsp__params params;
    uint32_t body_count, shape_count, warm_count; /* records */
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];
} vsp__incoming;

/* By contact: the velocity problem, of list 0, and the position problem, of
 * either list; list 1 itself is a part of the latter. */
typedef union vsp__problem {
    struct {
        vsp__block blocks[VSP_MAX_MANIFOLDS];
        vsp__row rows[VSP_MAX_CONTACTS]; /* beside points */
    } velocity;
    struct {
        vsp__manifold manifolds[VSP_MAX_MANIFOLDS];
        vsp__point points[VSP_MAX_CONTACTS];
        vsp__fix fixes[VSP_MAX_CONTACTS];
    } position;
    vsp__incoming incoming;
} vsp__problem;

struct vsp_world {
    uint32_t magic, options; /* is this a world, of this build */
    vsp_stats stats;
    vsp__contacts contacts[2]; /* 0: what the step solved; 1: after it */
    uint32_t body_limit, shape_limit; /* no slot from here on is in use */
    uint32_t body_used, shape_used;   /* or ever was */
    uint32_t body_free, shape_free;   /* no slot before here is free */
    uint32_t layer_count; /* layers 0 to layer_count - 1 stand on something
                             that does not move; layer_count holds the rest */

    /* state */
    vsp__params params;
    uint32_t warm_count;
    vsp__body bodies[VSP_MAX_BODIES];
    vsp__shape shapes[VSP_MAX_SHAPES];
    union {
        vsp__warm state;   /* between steps */
        vsp_real saved[3]; /* in a step: multipliers put aside */
    } warm[VSP_MAX_CONTACTS];

    /* scratch of a whole step; contacts can be read until the next */
    vsp__mat3 axes[VSP_MAX_BODIES];          /* of bodies in the world */
    vsp__pose poses[VSP_MAX_SHAPES];
    vsp__manifold manifolds[VSP_MAX_MANIFOLDS]; /* list 0, by pair */
    vsp__point points[VSP_MAX_CONTACTS];
    uint32_t link_first[VSP_MAX_BODIES + 1]; /* into links */
    uint16_t layer_bodies[VSP_MAX_BODIES + 1];    /* into stack_order */
    uint16_t layer_manifolds[VSP_MAX_BODIES + 1]; /* into layer_order */
    uint16_t height[VSP_MAX_BODIES];         /* in the stack */
    uint16_t island[VSP_MAX_BODIES];         /* lowest body of it */
    uint16_t stack_order[VSP_MAX_BODIES];    /* moved bodies by height */
    uint16_t layer_order[VSP_MAX_MANIFOLDS]; /* manifolds by layer */
    uint16_t links[2 * VSP_MAX_MANIFOLDS];   /* manifolds of each body */
    vsp__support supports[VSP__MAX_SUPPORTS]; /* of one body at a time */

    /* scratch of one phase */
    vsp__work work;
    vsp__problem problem;
};

/* manifolds and points of a list */
static inline vsp__manifold *vsp__manifolds(vsp_world *world, uint32_t list)
{
    return list == 0 ? world->manifolds : world->problem.position.manifolds;
}

static inline vsp__point *vsp__points(vsp_world *world, uint32_t list)
{
    return list == 0 ? world->points : world->problem.position.points;
}


/* ---- vsp_collide.c: shapes and poses to contacts --------------------------
 * Reads bodies[].position, axes, shapes; knows no velocity. */

/* Mass, and inertia about its own centre in the body's axes, of a shape. */
vsp_real vsp__shape_mass(const vsp__shape *shape, vsp__sym3 *inertia);

/* Fills manifolds, points and contacts of a list with all that is closer
 * than the envelope, in the order of pair keys; layer, lower and multipliers
 * are left 0.  When capacities end, the deepest are kept. */
void vsp__detect(vsp_world *world, uint32_t list);

/* Measures the gaps of a manifold anew after its bodies moved, with the
 * features it was detected with; the sphere's witness points go along. */
void vsp__refresh(vsp_world *world, uint32_t list, uint32_t manifold);

/* Whether no shape went farther than an eighth of the envelope along any
 * axis since vsp__detect: then nothing that was not near can have met. */
bool vsp__is_still(const vsp_world *world);

/* Sorts keys, stably; keys[capacity...] is scratch.  order may be null; else
 * order[i] goes where keys[i] goes, with as much scratch.  bits: how many low
 * bits of the keys count. */
void vsp__sort(uint32_t *keys, uint16_t *order, uint32_t count,
               uint32_t capacity, uint32_t bits);


/* ---- vsp_solver.c: contacts to velocities and positions -------------------
 * Knows no geometry. */

/* Flushes numbers that stand side by side. */
void vsp__flush(vsp_real *numbers, uint32_t count);

/* Clamps position and velocities to their ranges; flushes these and the
 * rotation. */
void vsp__keep_in_range(vsp__body *body);

/* axes[] of a body from its rotation; its inverse mass and inertia from
 * those */
void vsp__update_axes(vsp_world *world, uint32_t body);
void vsp__update_inverse(vsp_world *world, uint32_t body);

/* what resists the motion of a body with these axes in the world */
void vsp__find_inverse(const vsp__body *b, const vsp__mat3 *axes,
                       vsp__inverse *inverse);

/* Manifolds to solve together: a range of layer_order (list 0), or of the
 * list itself (list 1), and the height from which bodies are free; those
 * below are fixated. */
typedef struct vsp__span {
    uint32_t list, first, last, lowest;
} vsp__span;

/* the manifold at place i of a span */
uint32_t vsp__span_manifold(const vsp_world *world,
                            const vsp__span *span, uint32_t i);

/* bodies */
/* forces, torques, damping and gravity of h seconds */
void vsp__push_body(vsp_world *world, uint32_t body, vsp_real h);
void vsp__move_body(vsp_world *world, uint32_t body, vsp_real h);

/* the stack: heights, layers, islands of list 0 */
void vsp__stack(vsp_world *world);

/* velocities */
void vsp__find_bounces(vsp_world *world);
void vsp__assemble(vsp_world *world, const vsp__span *span, vsp_real h);
void vsp__warm_start(vsp_world *world, const vsp__span *span);
vsp_real vsp__sweep(vsp_world *world, const vsp__span *span, uint32_t count,
                    vsp_real tolerance);
void vsp__predict(vsp_world *world);
void vsp__carry(vsp_world *world);
void vsp__line_search_begin(vsp_world *world);
void vsp__line_search_end(vsp_world *world);
void vsp__keep_multipliers(vsp_world *world, const vsp__span *span);
void vsp__put_aside(vsp_world *world);
void vsp__take_back(vsp_world *world);
vsp_real vsp__merit(vsp_world *world);

/* positions */
/* returns whether anything had to move */
bool vsp__correct(vsp_world *world, const vsp__span *span);

/* from step to step */
void vsp__warm_load(vsp_world *world);
void vsp__warm_store(vsp_world *world);

/* Two unit tangents, a function of the normal alone. */
void vsp__tangents(vsp_vec3 normal, vsp_vec3 *t1, vsp_vec3 *t2);


/* ---- vsp.c --------------------------------------------------------------- */

/* whether forces and contacts move the body */
static inline bool vsp__is_dynamic(const vsp__body *body)
{
    return body->type == (uint32_t)VSP_DYNAMIC + 1u && body->matter.mass > 0;
}

#endif /* VSP_INTERNAL_H */
