/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Numbers: what vsp_scalar.h declares and does not copy.  In this order: the
 * float kind; the fixed kind (shifts and quotients, roots, wide numbers,
 * symmetric matrices of any size); both kinds. */

#include "vsp_scalar.h"

#define PARTS 6 /* of a symmetric matrix, side by side */

static const vsp__real *parts_of(const vsp__sym3 *s)
{
    return &s->xx;
}

#if !VSP_FIXED

/* ---- Float --------------------------------------------------------------- */

float vsp__r_flush(float a)
{
    return r_bits(a) << 1 < (uint32_t)(127 - 50) << 24 ? 0.0f : a;
}

/* 1 / sqrt(a), a > 0 and normal: the halved exponent, then four Newton
 * steps y (3 - a y^2) / 2, each doubling the bits that are right (5, 9, 18,
 * 24).  Error at most 2 units of the last place. */
static float reciprocal_root(float a)
{
    float half = r_mul(0.5f, a);
    float y = r_from_bits(0x5f375a86u - (r_bits(a) >> 1));
    uint32_t i;

    for (i = 0; i < 4; i++)
        y = r_mul(y, 1.5f - r_mul(r_mul(half, y), y));
    return y;
}

/* sqrt(a), a >= 0; 0 below 1e-30.  One more Newton step on a y. */
float vsp__root(float a)
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
    return vsp__root(r_mul(a, b));
}

float vsp__disc_scale(float limit, float t1, float t2)
{
    return limit > 0
               ? r_mul(limit, reciprocal_root(r_dot2(t1, t1, t2, t2)))
               : 0.0f;
}

void vsp__over(vsp__vec3 *v, float a)
{
    v3_scale_in(v, r_div(1.0f, a));
}

void vsp__normalize(vsp__vec3 *v)
{
    v3_scale_in(v, reciprocal_root(v3_dot_at(v, v)));
}

void vsp__direct(vsp__vec3 *v, float length)
{
    v3_scale_in(v, r_div(1.0f, length));
}

float vsp__q_square(const vsp__quat *q)
{
    return r_dot2(q->x, q->x, q->y, q->y) + r_dot2(q->z, q->z, q->w, q->w);
}

void vsp__q_normalize(vsp__quat *q)
{
    float y = reciprocal_root(vsp__q_square(q)), *part = &q->x;
    uint32_t i;

    for (i = 0; i < 4; i++)
        part[i] = r_mul(part[i], y);
}

bool vsp__q_is_unit(const vsp__quat *q)
{
    float square = vsp__q_square(q);

    return r_is_finite(square) && r_abs(square - 1.0f) <= 0.001f;
}

bool vsp__q_read(vsp_quat from, vsp__quat *q)
{
    float square;

    q->x = from.x;
    q->y = from.y;
    q->z = from.z;
    q->w = from.w;
    square = vsp__q_square(q);
    if (!r_in(square, 1e-8f, 1e6f))
        return false;
    if (r_abs(square - 1.0f) > 1e-6f)
        vsp__q_normalize(q);
    return true;
}

void vsp__turn_of(const vsp__vec3 *spin, float h, vsp__quat *turn)
{
    vsp__vec3 half = *spin;

    v3_scale_in(&half, h);
    v3_clamp_in(&half, 1000.0f);
    v3_scale_in(&half, 0.5f);
    turn->x = half.x;
    turn->y = half.y;
    turn->z = half.z;
    turn->w = 1.0f;
    vsp__q_normalize(turn);
}

void vsp__turn_by(const vsp__vec3 *angle, vsp__quat *turn)
{
    vsp__turn_of(angle, 1.0f, turn);
}

void vsp__s3_mul(const vsp__sym3 *s, const vsp__vec3 *v, vsp__vec3 *out)
{
    *out = s3_mul(s, *v);
}

bool vsp__s3_is_kept(const vsp__sym3 *s)
{
    const float *part = parts_of(s);
    uint32_t i;

    for (i = 0; i < PARTS; i++)
        if (!r_in(part[i], i < 3 ? 1e-21f : -1e21f, 1e21f) ||
            !r_is_flushed(part[i]))
            return false;
    return true;
}

void vsp__scale(vsp__sym3 *s, float k)
{
    float *part = &s->xx;
    uint32_t i;

    for (i = 0; i < PARTS; i++)
        part[i] = r_mul(part[i], k);
}

void vsp__scale_by(vsp__sym3 *s, float k)
{
    vsp__scale(s, k);
}

void vsp__add_sym(vsp__sums *sums, float k, const vsp__sym3 *s)
{
    float *sum = &sums->xx;
    uint32_t i;

    for (i = 0; i < PARTS; i++)
        sum[i] += r_mul(k, parts_of(s)[i]);
}

void vsp__sum_up(const vsp__sums *sums, vsp__sym3 *s)
{
    float *part = &s->xx;
    uint32_t i;

    for (i = 0; i < PARTS; i++)
        part[i] = (&sums->xx)[i];
}

/* the parts themselves times a unit vector */
static void parts_mul(const vsp__sym3 *s, const vsp__vec3 *v, vsp__vec3 *out)
{
    s3_mul_to(s, v, out);
}

static float size_of(const vsp__sym3 *s)
{
    return v3_largest(v3(s->xx, s->yy, s->zz));
}

/* s over its own size, which is 1 over what this returns */
static float scale_to_size(const vsp__sym3 *s, vsp__sym3 *shape)
{
    float size = size_of(s), k = size > 0 ? r_div(1.0f, size) : 0.0f;

    *shape = *s;
    vsp__scale(shape, k);
    return k;
}

void vsp__shape_of(const vsp__sym3 *s, vsp__sym3 *shape)
{
    (void)scale_to_size(s, shape);
}

void vsp__across(const vsp__vec3 *a, const vsp__sym3 *moment, vsp__sym3 *s)
{
    float k = scale_to_size(moment, s);

    s->xx = 1.0f - r_mul(a->x, a->x);
    s->yy = 1.0f - r_mul(a->y, a->y);
    s->zz = 1.0f - r_mul(a->z, a->z);
    s->xy = -r_mul(a->x, a->y);
    s->xz = -r_mul(a->x, a->z);
    s->yz = -r_mul(a->y, a->z);
    vsp__scale(s, k);
}

vsp__wide vsp__along(const vsp__sym3 *s, const vsp__vec3 *a)
{
    vsp__vec3 turned;

    s3_mul_to(s, a, &turned);
    return v3_dot_at(a, &turned);
}

bool vsp__invert(const vsp__sym3 *s, uint32_t bits, vsp__sym3 *inverse)
{
    vsp__sym3 m;
    float det, k = scale_to_size(s, &m); /* no product leaves the range */

    /* cofactors first */
    inverse->xx = r_dot2(m.yy, m.zz, -m.yz, m.yz);
    inverse->xy = r_dot2(m.xz, m.yz, -m.xy, m.zz);
    inverse->xz = r_dot2(m.xy, m.yz, -m.xz, m.yy);
    inverse->yy = r_dot2(m.xx, m.zz, -m.xz, m.xz);
    inverse->yz = r_dot2(m.xy, m.xz, -m.xx, m.yz);
    inverse->zz = r_dot2(m.xx, m.yy, -m.xy, m.xy);
    det = r_dot3(m.xx, inverse->xx, m.xy, inverse->xy, m.xz, inverse->xz);
    if (!(det > r_from_bits((127u - bits) << 23))) {
        *inverse = s3_zero();
        return false;
    }
    vsp__scale(inverse, r_div(k, det));
    return true;
}

void vsp__turn_by_torque(const vsp__sym3 *s, const vsp__wide3 *torque,
                         float k, vsp__vec3 *out)
{
    *out = v3(torque->x, torque->y, torque->z);
    s3_mul_to(s, out, out);
    v3_scale_in(out, k);
}

#else

/* ---- Fixed point: shifts and quotients ----------------------------------- */

/* a / 2^places to nearest, places not 2 to 31 */
static vsp__real shifted_far(int64_t a, int32_t places)
{
    if (places > 62)
        return 0;
    if (places > 32) /* the upper word alone counts */
        return ((int32_t)(a >> 32) + ((int32_t)1 << (places - 33))) >>
               (places - 32);
    if (places > 0)
        a = (a + ((int64_t)1 << (places - 1))) >> places;
    else if (places < -30)
        a = a > 0 ? VSP__REAL_MAX : a < 0 ? -VSP__REAL_MAX : 0;
    else if (a > VSP__REAL_MAX >> -places || a < -(VSP__REAL_MAX >> -places))
        a = a > 0 ? VSP__REAL_MAX : -VSP__REAL_MAX;
    else
        a *= (int64_t)1 << -places;
    return a > VSP__REAL_MAX    ? VSP__REAL_MAX
           : a < -VSP__REAL_MAX ? -VSP__REAL_MAX
                                : (vsp__real)a;
}

/* a / 2^places to nearest, of any places, in the range; |a| <= 2^62 */
static vsp__real shifted(int64_t a, int32_t places)
{
    int32_t high, end;

    if (places < 2 || places > 31)
        return shifted_far(a, places);
    a += (uint32_t)1 << (places - 1);
    high = (int32_t)(a >> 32);
    end = (int32_t)1 << (places - 2);
    if (high >= end || high < -end)
        return high < 0 ? -VSP__REAL_MAX : VSP__REAL_MAX;
    return (int32_t)((uint32_t)high << (32 - places) |
                     (uint32_t)((uint64_t)a & 0xffffffffu) >> places);
}

/* how many bits a takes, 0 to 32; without its own instruction a compiler
 * would call a function of its library */
#if defined __GNUC__ && (defined __ARM_FEATURE_CLZ || \
                         defined __aarch64__ || defined __x86_64__)
static int32_t width_of_word(uint32_t a)
{
    return a == 0 ? 0 : 32 - __builtin_clz(a);
}
#else
static int32_t width_of_word(uint32_t a)
{
    int32_t bits = 0, step;

    for (step = 16; step > 0; step /= 2)
        if (a >> step != 0) {
            a >>= step;
            bits += step;
        }
    return bits + (int32_t)a;
}
#endif

static int32_t width(uint64_t a)
{
    uint32_t high = (uint32_t)(a >> 32);

    return high != 0 ? 32 + width_of_word(high)
                     : width_of_word((uint32_t)(a & 0xffffffffu));
}

static uint64_t magnitude(int64_t a)
{
    return a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a;
}

vsp__real vsp__quotient(vsp__real a, vsp__real b, uint32_t places)
{
    uint64_t under = magnitude(b);
    uint64_t over = (magnitude(a) << places) + under / 2u, q;
    bool is_negative = (a < 0) != (b < 0);

    if (under == 0)
        return a < 0 ? -VSP__REAL_MAX : VSP__REAL_MAX;
    q = over / under;
    if (q > (uint64_t)VSP__REAL_MAX)
        q = (uint64_t)VSP__REAL_MAX;
    return is_negative ? -(vsp__real)q : (vsp__real)q;
}

vsp__real vsp__reciprocal(vsp__real a)
{
    int32_t up = 30 - width_of_word((uint32_t)a);
    uint32_t x = (uint32_t)a << up; /* 30 bits */
    uint32_t y = 0x7fffffffu / (x >> 15); /* 2^46 / x, by 16 bits */
    int64_t off = ((int64_t)1 << 46) - (int64_t)x * y;
    int64_t better = ((int64_t)y << 13) + (y * off >> 33); /* 2^59 / x */

    return (vsp__real)((better + ((int64_t)1 << (9 - up))) >> (10 - up));
}

vsp__real vsp__t_rate(vsp__total total, uint32_t count, vsp__real scale)
{
    uint64_t over = (uint64_t)count * (uint64_t)scale << VSP__REAL_BITS;
    uint64_t q = over / (uint64_t)total;

    return q > (uint64_t)VSP__REAL_MAX ? VSP__REAL_MAX : (vsp__real)q;
}


/* ---- Fixed point: roots -------------------------------------------------- */

/* 1 / sqrt(x / 2^32) with 30 binary places, x >= 2^30: five Newton steps
 * from a line, error at most 2 units. */
static uint32_t reciprocal_root(uint32_t x)
{
    /* 2.2 - 1.2 x, x of [1/4, 1): at most 0.2 off, below */
    uint64_t y = 2362232012u - ((uint64_t)1288490188u * x >> 32);
    uint32_t i;

    for (i = 0; i < 5; i++) {
        uint64_t square = y * y >> 30;        /* 30 places, below 5 */
        uint64_t part = square * x >> 32;     /* x y^2 */

        y = y * (((uint64_t)3 << 30) - part) >> 31;
    }
    return (uint32_t)y;
}

/* The mantissa of a reciprocal root: 1 / sqrt(a) = mantissa / 2^places. */
static uint32_t root_parts(uint64_t a, int32_t *places)
{
    int32_t up = (64 - width(a)) & ~1;

    *places = 30 + 32 - up / 2;
    return reciprocal_root((uint32_t)(a << up >> 32));
}

/* sqrt(a) rounded down */
static uint32_t root_of(uint64_t a)
{
    int32_t up;
    uint32_t x;
    uint64_t root;

    if (a == 0)
        return 0;
    up = (64 - width(a)) & ~1;
    x = (uint32_t)(a << up >> 32);
    /* sqrt(x 2^32) = x / sqrt(x / 2^32) */
    root = ((uint64_t)x * reciprocal_root(x) >> 30) >> up / 2;
    /* within 2, up to here: it would fall where a rises */
    while (root * root > a)
        root--;
    while ((root + 1) * (root + 1) <= a)
        root++;
    return (uint32_t)root;
}

vsp__real vsp__root(vsp__square a)
{
    uint32_t root = root_of((uint64_t)(a > 0 ? a : 0));

    return root > (uint32_t)VSP__REAL_MAX ? VSP__REAL_MAX : (vsp__real)root;
}

vsp__real vsp__rsqrt_unit(vsp__real a)
{
    int32_t places;
    uint32_t y;

    if (a <= 0)
        return VSP__REAL_MAX;
    /* sqrt(a / 2^29) = sqrt(a 2^31) / 2^30 */
    y = root_parts((uint64_t)a << 31, &places);
    return shifted(y, places - 30 - VSP__REAL_BITS);
}

vsp__real vsp__geometric_mean(vsp__real a, vsp__real b)
{
    return vsp__root(vsp__product(a, b));
}

/* v times a number of 32 bits and so many places */
static void scale_far(vsp__vec3 *v, uint32_t k, int32_t places)
{
    v->x = shifted((int64_t)v->x * k, places);
    v->y = shifted((int64_t)v->y * k, places);
    v->z = shifted((int64_t)v->z * k, places);
}

void vsp__over(vsp__vec3 *v, vsp__real a)
{
    if (a >= VSP__R(1.0))
        u3_scale_in(v, vsp__reciprocal(a));
    else
        *v = v3(r_div(v->x, a), r_div(v->y, a), r_div(v->z, a));
}

void vsp__normalize(vsp__vec3 *v)
{
    vsp__square square = v3_square(*v);
    int32_t places;
    uint32_t y;

    if (square == 0)
        return;
    y = root_parts((uint64_t)square, &places);
    scale_far(v, y, places - VSP__UNIT_BITS);
}

void vsp__direct(vsp__vec3 *v, vsp__real length)
{
    (void)length;
    vsp__normalize(v);
}

vsp__real vsp__disc_scale(vsp__real limit, vsp__real t1, vsp__real t2)
{
    int64_t square = vsp__product(t1, t1) + vsp__product(t2, t2);
    int32_t places;
    uint32_t y = root_parts((uint64_t)square, &places);

    return shifted((int64_t)limit * y, places - VSP__UNIT_BITS);
}

vsp__square vsp__q_square(const vsp__quat *q)
{
    return vsp__product(q->x, q->x) + vsp__product(q->y, q->y) +
           vsp__product(q->z, q->z) + vsp__product(q->w, q->w);
}

void vsp__q_normalize(vsp__quat *q)
{
    vsp__square square = vsp__q_square(q);
    vsp__vec3 v = v3(q->x, q->y, q->z);
    int32_t places;
    uint32_t y;

    if (square == 0)
        return;
    y = root_parts((uint64_t)square, &places);
    places -= VSP__UNIT_BITS;
    scale_far(&v, y, places);
    q->x = v.x;
    q->y = v.y;
    q->z = v.z;
    q->w = shifted((int64_t)q->w * y, places);
}

#define SQUARE_ONE ((int64_t)1 << (2 * VSP__UNIT_BITS))

bool vsp__q_is_unit(const vsp__quat *q)
{
    int64_t off = vsp__q_square(q) - SQUARE_ONE;

    return off <= SQUARE_ONE / 1000 && off >= -(SQUARE_ONE / 1000);
}

bool vsp__q_read(vsp_quat from, vsp__quat *q)
{
    uint64_t size = magnitude(from.x) | magnitude(from.y) |
                    magnitude(from.z) | magnitude(from.w);
    int32_t bits = width(size), down = bits - 32; /* below 1: 32 bits */
    int64_t off;

    if (bits < 32 - 13 || bits > 32 + 10)
        return false;
    if (down >= -1 && down < 2) /* what is about of length 1 is not scaled */
        down = 0;
    down += 32 - VSP__UNIT_BITS;
    q->x = shifted(from.x, down);
    q->y = shifted(from.y, down);
    q->z = shifted(from.z, down);
    q->w = shifted(from.w, down);
    off = vsp__q_square(q) - SQUARE_ONE;
    if (off > SQUARE_ONE >> 22 || off < -(SQUARE_ONE >> 22))
        vsp__q_normalize(q);
    return true;
}

void vsp__turn_of(const vsp__vec3 *spin, vsp__real h, vsp__quat *turn)
{
    int64_t x = vsp__product(spin->x, h), y = vsp__product(spin->y, h);
    int64_t z = vsp__product(spin->z, h);
    int32_t places = VSP__RATE_BITS + 1; /* half of it, as a unit */
    int32_t down = width(magnitude(x) | magnitude(y) | magnitude(z)) - 30 -
                   places;

    if (down < 0)
        down = 0;
    places += down; /* what is longer than a unit can be, on a shorter 1 */
    turn->x = shifted(x, places);
    turn->y = shifted(y, places);
    turn->z = shifted(z, places);
    turn->w = VSP__U(1.0) >> down;
    vsp__q_normalize(turn);
}

void vsp__turn_by(const vsp__vec3 *angle, vsp__quat *turn)
{
    turn->x = (angle->x + 1) >> 1;
    turn->y = (angle->y + 1) >> 1;
    turn->z = (angle->z + 1) >> 1;
    turn->w = VSP__U(1.0);
    vsp__q_normalize(turn);
}


vsp__real vsp__u_angle(vsp__real spin, vsp__real h)
{
    return shifted(vsp__product(spin, h), VSP__RATE_BITS);
}

vsp__real vsp__r_way(vsp__real spin, vsp__real h)
{
    return shifted(vsp__product(spin, h), VSP__UNIT_BITS - 3);
}


/* ---- Fixed point: wide numbers ------------------------------------------- */

#define WIDE_BITS 24
#define WIDE_BIAS 127
#define WIDE_LOW (-50) /* smaller powers of two are zero */
#define WIDE_HIGH 100  /* none is larger */

/* sign and 24 bits, or 0; the number is mantissa 2^exponent */
static int32_t wide_parts(vsp__wide a, int32_t *exponent)
{
    int32_t power = (int32_t)(a.bits >> 23 & 0xffu);
    int32_t mantissa = (int32_t)(a.bits & 0x7fffffu) | 0x800000;

    *exponent = power - WIDE_BIAS - (WIDE_BITS - 1);
    if (power == 0)
        return 0;
    return a.bits & 0x80000000u ? -mantissa : mantissa;
}

/* mantissa 2^exponent, rounded to nearest, ties away from zero */
static vsp__wide wide_of(int64_t mantissa, int32_t exponent)
{
    uint64_t m = magnitude(mantissa);
    uint32_t sign = mantissa < 0 ? 0x80000000u : 0;
    int32_t excess = width(m) - WIDE_BITS;

    if (excess > 0) {
        m = (m + ((uint64_t)1 << (excess - 1))) >> excess;
        if (m >> WIDE_BITS != 0) { /* rounded up to a power of two */
            m >>= 1;
            excess++;
        }
    } else {
        m <<= -excess;
    }
    exponent += excess + WIDE_BITS - 1; /* of the leading bit */
    if (m == 0 || exponent < WIDE_LOW)
        return W_ZERO;
    if (exponent > WIDE_HIGH - 1) {
        exponent = WIDE_HIGH - 1;
        m = 0xffffffu;
    }
    return w_from_bits(sign | (uint32_t)(exponent + WIDE_BIAS) << 23 |
                       ((uint32_t)m & 0x7fffffu));
}

vsp__wide vsp__w_from(int64_t mantissa, int32_t places)
{
    return wide_of(mantissa, -places);
}

vsp__real vsp__w_to(vsp__wide a, int32_t places)
{
    int32_t exponent, mantissa = wide_parts(a, &exponent);

    return shifted(mantissa, -exponent - places);
}

int64_t vsp__w_to_long(vsp__wide a, int32_t places)
{
    int32_t exponent, mantissa = wide_parts(a, &exponent);
    int32_t up = exponent + places;

    if (mantissa == 0 || up < -WIDE_BITS)
        return 0;
    if (up < 0)
        return ((int64_t)mantissa + ((int64_t)1 << (-up - 1))) >> -up;
    if (up > 63 - WIDE_BITS)
        return mantissa < 0 ? -INT64_MAX : INT64_MAX;
    return mantissa * ((int64_t)1 << up);
}

vsp__wide vsp__w_mul(vsp__wide a, vsp__wide b)
{
    int32_t ea, eb, ma = wide_parts(a, &ea), mb = wide_parts(b, &eb);

    return wide_of((int64_t)ma * mb, ea + eb);
}

vsp__wide vsp__w_div(vsp__wide a, vsp__wide b)
{
    int32_t ea, eb, ma = wide_parts(a, &ea), mb = wide_parts(b, &eb);

    if (mb == 0)
        return wide_of(ma, 2 * WIDE_HIGH);
    return wide_of((int64_t)ma * ((int64_t)1 << 32) / mb, ea - eb - 32);
}

vsp__wide vsp__w_add(vsp__wide a, vsp__wide b)
{
    int32_t ea, eb, ma = wide_parts(a, &ea), mb = wide_parts(b, &eb);

    if (ma == 0 || (mb != 0 && eb > ea)) {
        int32_t m = ma, e = ea;

        ma = mb;
        ea = eb;
        mb = m;
        eb = e;
    }
    if (mb == 0 || ea - eb > 32)
        return wide_of(ma, ea);
    return wide_of((int64_t)ma * ((int64_t)1 << 32) +
                       (int64_t)mb * ((int64_t)1 << (32 - (ea - eb))),
                   ea - 32);
}

/* by sign and magnitude */
static int32_t wide_order(vsp__wide a)
{
    int32_t size = (int32_t)(a.bits & 0x7fffffffu);

    return a.bits & 0x80000000u ? -size : size;
}

bool vsp__w_less(vsp__wide a, vsp__wide b)
{
    return wide_order(a) < wide_order(b);
}


/* ---- Fixed point: symmetric matrices ------------------------------------- */

#define PART_BITS 28 /* of the largest part: sums of three stay in the range */

/* with what a wire gains */
#define PART_LIMIT (((int32_t)1 << PART_BITS) + ((int32_t)1 << 19))

bool vsp__s3_is_kept(const vsp__sym3 *s)
{
    uint32_t i;

    for (i = 0; i < 6; i++)
        if (!r_in(parts_of(s)[i], i < 3 ? 0 : -PART_LIMIT, PART_LIMIT))
            return false;
    return s->shift >= 8 && s->shift <= 60;
}

/* Makes parts of six numbers over 2^shift. */
static void pack_parts(const int64_t *from, int32_t shift, vsp__sym3 *s)
{
    uint64_t size = 0;
    vsp__real *part = &s->xx;
    int32_t down;
    uint32_t i;

    for (i = 0; i < 6; i++)
        size |= magnitude(from[i]);
    down = width(size) - PART_BITS;
    for (i = 0; i < 6; i++)
        part[i] = shifted(from[i], down);
    s->shift = size != 0 ? shift - down : 0;
}

void vsp__s3_mul(const vsp__sym3 *s, const vsp__vec3 *v, vsp__vec3 *out)
{
    vsp__vec3 a = *v;

    out->x = shifted(vsp__product(s->xx, a.x) + vsp__product(s->xy, a.y) +
                         vsp__product(s->xz, a.z),
                     s->shift);
    out->y = shifted(vsp__product(s->xy, a.x) + vsp__product(s->yy, a.y) +
                         vsp__product(s->yz, a.z),
                     s->shift);
    out->z = shifted(vsp__product(s->xz, a.x) + vsp__product(s->yz, a.y) +
                         vsp__product(s->zz, a.z),
                     s->shift);
}

void vsp__scale(vsp__sym3 *s, vsp__real k)
{
    int64_t to[6];
    uint32_t i;

    for (i = 0; i < 6; i++)
        to[i] = vsp__product(parts_of(s)[i], k);
    pack_parts(to, s->shift + VSP__UNIT_BITS, s);
}

void vsp__scale_by(vsp__sym3 *s, vsp__wide k)
{
    int32_t exponent, mantissa = wide_parts(k, &exponent);
    int64_t to[6];
    uint32_t i;

    for (i = 0; i < 6; i++)
        to[i] = vsp__product(parts_of(s)[i], mantissa);
    pack_parts(to, s->shift - exponent, s);
}

/* part / 2^shift times a unit, with the places of a square */
static int64_t as_square(const vsp__sym3 *s, uint32_t part, vsp__real k)
{
    int64_t a = vsp__product(parts_of(s)[part], k);
    int32_t down = s->shift + VSP__UNIT_BITS - 2 * VSP__REAL_BITS;

    if (down > 62)
        return 0;
    if (down > 0)
        return (a + ((int64_t)1 << (down - 1))) >> down;
    if (a == 0)
        return 0;
    if (down < width(magnitude(a)) - 58) /* far more than any body has */
        return a < 0 ? -((int64_t)1 << 58) : (int64_t)1 << 58;
    return a * ((int64_t)1 << -down);
}

void vsp__add_sym(vsp__sums *sums, vsp__real k, const vsp__sym3 *s)
{
    sums->xx += as_square(s, 0, k);
    sums->yy += as_square(s, 1, k);
    sums->zz += as_square(s, 2, k);
    sums->xy += as_square(s, 3, k);
    sums->xz += as_square(s, 4, k);
    sums->yz += as_square(s, 5, k);
}

void vsp__sum_up(const vsp__sums *sums, vsp__sym3 *s)
{
    pack_parts(&sums->xx, 2 * VSP__REAL_BITS, s);
}

void vsp__shape_of(const vsp__sym3 *s, vsp__sym3 *shape)
{
    *shape = *s;
    shape->shift = PART_BITS;
}

/* the parts themselves times a unit vector */
static void parts_mul(const vsp__sym3 *s, const vsp__vec3 *v, vsp__vec3 *out)
{
    *out = v3(u_dot3(s->xx, v->x, s->xy, v->y, s->xz, v->z),
              u_dot3(s->xy, v->x, s->yy, v->y, s->yz, v->z),
              u_dot3(s->xz, v->x, s->yz, v->y, s->zz, v->z));
}

static vsp__real size_of(const vsp__sym3 *s)
{
    return v3_largest(v3(s->xx, s->yy, s->zz));
}

void vsp__across(const vsp__vec3 *a, const vsp__sym3 *moment, vsp__sym3 *s)
{
    vsp__real size = size_of(moment);
    int32_t shift = moment->shift;
    vsp__real one = VSP__U(1.0);
    int64_t to[6];
    uint32_t i;

    to[0] = one - u_mul(a->x, a->x);
    to[1] = one - u_mul(a->y, a->y);
    to[2] = one - u_mul(a->z, a->z);
    to[3] = -u_mul(a->x, a->y);
    to[4] = -u_mul(a->x, a->z);
    to[5] = -u_mul(a->y, a->z);
    for (i = 0; i < 6; i++)
        to[i] = size > 0 ? to[i] * ((int64_t)1 << 30) / size : 0;
    pack_parts(to, VSP__UNIT_BITS + 30 - shift, s);
}

vsp__wide vsp__along(const vsp__sym3 *s, const vsp__vec3 *a)
{
    vsp__vec3 turned = v3(u_dot3(s->xx, a->x, s->xy, a->y, s->xz, a->z),
                          u_dot3(s->xy, a->x, s->yy, a->y, s->yz, a->z),
                          u_dot3(s->xz, a->x, s->yz, a->y, s->zz, a->z));

    return vsp__w_from(u3_dot_at(a, &turned), s->shift);
}

bool vsp__invert(const vsp__sym3 *s, uint32_t bits, vsp__sym3 *inverse)
{
    int64_t xx = s->xx, yy = s->yy, zz = s->zz, xy = s->xy, xz = s->xz;
    int64_t yz = s->yz, det, cube = size_of(s) >> 10, k, to[6];
    int32_t shift = s->shift, up;
    vsp__sym3 c;
    uint32_t i;

    /* cofactors first */
    to[0] = yy * zz - yz * yz;
    to[1] = xx * zz - xz * xz;
    to[2] = xx * yy - xy * xy;
    to[3] = xz * yz - xy * zz;
    to[4] = xy * yz - xz * yy;
    to[5] = xy * xz - xx * yz;
    pack_parts(to, 0, &c); /* over 2^c.shift */
    det = xx * c.xx + xy * c.xy + xz * c.xz;
    cube = cube * cube * cube >> bits; /* 2^30 of it are one of det */
    up = -c.shift - 30;
    if (det <= 0 ||
        cube >> (up > 0 ? up : 0) >= det >> (up < 0 ? -up : 0)) {
        *inverse = s3_zero();
        return false;
    }
    /* c / (det 2^-shift): k is 2^62 over the leading 30 bits of det, which
     * are what the range of a real holds */
    up = width((uint64_t)det) - 30;
    k = ((int64_t)1 << 62) / shifted(det, up);
    for (i = 0; i < 6; i++)
        to[i] = parts_of(&c)[i] * k;
    pack_parts(to, 62 + up - shift, inverse);
    return true;
}


/* a part times a torque */
static vsp__wide part_mul(const vsp__sym3 *s, vsp__real part, vsp__wide a)
{
    return w_mul(vsp__w_from(part, s->shift), a);
}

static vsp__real turn_along(const vsp__sym3 *s, vsp__real x, vsp__real y,
                            vsp__real z, const vsp__wide3 *torque)
{
    return w_to_rate(w_add(w_add(part_mul(s, x, torque->x),
                                 part_mul(s, y, torque->y)),
                           part_mul(s, z, torque->z)));
}

void vsp__turn_by_torque(const vsp__sym3 *s, const vsp__wide3 *torque,
                         vsp__wide k, vsp__vec3 *out)
{
    vsp__wide3 t;

    *out = v3_zero();
    if ((torque->x.bits | torque->y.bits | torque->z.bits) == 0)
        return;
    t.x = w_mul(torque->x, k);
    t.y = w_mul(torque->y, k);
    t.z = w_mul(torque->z, k);
    *out = v3(turn_along(s, s->xx, s->xy, s->xz, &t),
              turn_along(s, s->xy, s->yy, s->yz, &t),
              turn_along(s, s->xz, s->yz, s->zz, &t));
}


/* ---- Fixed point: rows --------------------------------------------------- */

/* s c is below 3 |s| |c|, |s| < 2^(PART_BITS - shift): so many bits before
 * the point, and a sign, and three to spare. */
uint32_t vsp__turn_scale(const vsp__sym3 inertia[2], vsp__real arm)
{
    int32_t bits = width((uint64_t)arm) - VSP__REAL_BITS + 6, k = 4, i;

    for (i = 0; i < 2; i++)
        if (size_of(&inertia[i]) > 0 &&
            bits + PART_BITS - inertia[i].shift > k)
            k = bits + PART_BITS - inertia[i].shift;
    return (uint32_t)(k > 22 ? 22 : k);
}

vsp__real vsp__turn(const vsp__sym3 *s, const vsp__vec3 *c, uint32_t k,
                    vsp__vec3 *turn)
{
    vsp__sym3 up = *s;
    int64_t sum;

    up.shift -= 32 - (int32_t)k - VSP__REAL_BITS;
    s3_mul_to(&up, c, turn);
    v3_clamp_in(turn, VSP__REAL_MAX >> 2);
    sum = vsp__product(c->x, turn->x) + vsp__product(c->y, turn->y) +
          vsp__product(c->z, turn->z);
    return shifted(sum, 32 - (int32_t)k);
}

static void turn_far(vsp__turning *w, vsp__real d, const vsp__vec3 *turn,
                     uint32_t k)
{
    int32_t places = 32 - (int32_t)k;
    vsp__vec3 by = v3(shifted(vsp__product(d, turn->x), places),
                      shifted(vsp__product(d, turn->y), places),
                      shifted(vsp__product(d, turn->z), places));

    by.x = r_add(r_sat(w->x.high), by.x);
    by.y = r_add(r_sat(w->y.high), by.y);
    by.z = r_add(r_sat(w->z.high), by.z);
    vsp__begin_turning(w, &by);
}

void vsp__turn_both_by(vsp__turning w[2], vsp__real d,
                       const vsp__vec3 *turn0, const vsp__vec3 *turn1,
                       uint32_t k)
{
    if (vsp__has_room(r_size(d), k)) {
        vsp__turn_body(&w[0], vsp__up(d, k), turn0);
        vsp__turn_body(&w[1], vsp__up(d, k), turn1);
    } else {
        turn_far(&w[0], d, turn0, k);
        turn_far(&w[1], d, turn1, k);
    }
}

#endif


/* ---- Both kinds ---------------------------------------------------------- */

void vsp__flush(void *numbers, uint32_t count)
{
    vsp__real *a = (vsp__real *)numbers;
    uint32_t i;

    for (i = 0; i < count; i++)
        a[i] = r_flush(a[i]);
}

void vsp__clamp_in(vsp__real *a, uint32_t count, vsp__real limit)
{
    for (; count > 0; a++, count--)
        *a = r_clamp(*a, -limit, limit);
}

bool vsp__are_finite(const vsp__real *numbers, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        if (!r_is_finite(numbers[i]))
            return false;
    return true;
}

void vsp__mul(const vsp__mat3 *m, const vsp__vec3 *v, vsp__vec3 *out)
{
    *out = m3_mul(m, *v);
}

void vsp__tmul(const vsp__mat3 *m, const vsp__vec3 *v, vsp__vec3 *out)
{
    *out = m3_tmul(m, *v);
}

/* 2 a b */
static vsp__real twice(vsp__real a, vsp__real b)
{
    return u_mul(a, b + b);
}

vsp__mat3 vsp__axes_of(vsp__quat q)
{
    vsp__real wx = twice(q.w, q.x), wy = twice(q.w, q.y);
    vsp__real wz = twice(q.w, q.z), xx = twice(q.x, q.x);
    vsp__real yy = twice(q.y, q.y), zz = twice(q.z, q.z);
    vsp__real xy = twice(q.x, q.y), xz = twice(q.x, q.z);
    vsp__real yz = twice(q.y, q.z), one = VSP__U(1.0);
    vsp__mat3 m;

    m.axis[0] = v3(one - yy - zz, xy + wz, xz - wy);
    m.axis[1] = v3(xy - wz, one - xx - zz, yz + wx);
    m.axis[2] = v3(xz + wy, yz - wx, one - xx - yy);
    return m;
}

void vsp__q_mul(const vsp__quat *a, const vsp__quat *b, vsp__quat *out)
{
    vsp__quat q;

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

void vsp__q_div(const vsp__quat *a, const vsp__quat *b, vsp__quat *out)
{
    vsp__quat back = *a;

    back.x = r_neg(back.x);
    back.y = r_neg(back.y);
    back.z = r_neg(back.z);
    vsp__q_mul(&back, b, out);
}

void vsp__turned(const vsp__quat *q, const vsp__vec3 *v, vsp__vec3 *out)
{
    vsp__mat3 m = vsp__axes_of(*q);

    vsp__mul(&m, v, out);
}

void vsp__flushed_axes(vsp__quat q, vsp__mat3 *axes)
{
    *axes = vsp__axes_of(q);
    vsp__flush(axes, 9);
}

vsp__sym3 vsp__s3_zero(void)
{
    vsp__sym3 zero = {0};

    return zero;
}

void vsp__add_spread(vsp__sums *sums, vsp__real w, const vsp__vec3 *r)
{
    vsp__vec3 wr = v3_scale(*r, w);
    vsp__square xx = r_product(wr.x, r->x), yy = r_product(wr.y, r->y);
    vsp__square zz = r_product(wr.z, r->z);

    sums->xx = square_add(sums->xx, yy + zz);
    sums->yy = square_add(sums->yy, xx + zz);
    sums->zz = square_add(sums->zz, xx + yy);
    sums->xy = square_add(sums->xy, -r_product(wr.x, r->y));
    sums->xz = square_add(sums->xz, -r_product(wr.x, r->z));
    sums->yz = square_add(sums->yz, -r_product(wr.y, r->z));
}

/* The parts are mantissas here: those of a turned matrix are at most three
 * times as large. */
void vsp__seen_from(const vsp__mat3 *axes, const vsp__sym3 *s,
                    vsp__sym3 *seen)
{
    const vsp__vec3 *a = axes->axis;
    vsp__vec3 t[3];
    uint32_t i;

    for (i = 0; i < 3; i++)
        parts_mul(s, &a[i], &t[i]);
    *seen = *s; /* and the shift, where there is one */
    seen->xx = u3_dot_at(&t[0], &a[0]);
    seen->xy = u3_dot_at(&t[0], &a[1]);
    seen->xz = u3_dot_at(&t[0], &a[2]);
    seen->yy = u3_dot_at(&t[1], &a[1]);
    seen->yz = u3_dot_at(&t[1], &a[2]);
    seen->zz = u3_dot_at(&t[2], &a[2]);
}

void vsp__rotate(const vsp__mat3 *m, vsp__sym3 *s)
{
    const vsp__vec3 *a = m->axis;
    vsp__mat3 back;

    back.axis[0] = v3(a[0].x, a[1].x, a[2].x);
    back.axis[1] = v3(a[0].y, a[1].y, a[2].y);
    back.axis[2] = v3(a[0].z, a[1].z, a[2].z);
    vsp__seen_from(&back, s, s);
}

/* ---- Called by a build for size ------------------------------------------ */

vsp__real vsp__r_max(vsp__real a, vsp__real b)
{
    return a > b ? a : b;
}

vsp__real vsp__r_clamp(vsp__real a, vsp__real low, vsp__real high)
{
    return a < low ? low : a > high ? high : a;
}


/* ---- Vectors in place ---------------------------------------------------- */

void vsp__v3_add(vsp__vec3 *a, const vsp__vec3 *b)
{
    *a = v3_add(*a, *b);
}

void vsp__v3_sub(vsp__vec3 *a, const vsp__vec3 *b)
{
    *a = v3_sub(*a, *b);
}

void vsp__v3_flip(vsp__vec3 *a, bool is_negative)
{
    *a = v3_signed(*a, is_negative);
}

void vsp__v3_scale(vsp__vec3 *a, vsp__real s)
{
    *a = v3_scale(*a, s);
}

void vsp__u3_scale(vsp__vec3 *a, vsp__real s)
{
    *a = u3_scale(*a, s);
}

void vsp__u3_move(vsp__vec3 *a, vsp__real s, const vsp__vec3 *b)
{
    *a = v3_add(*a, u3_scale(*b, s));
}

void vsp__v3_move(vsp__vec3 *a, vsp__real s, const vsp__vec3 *b)
{
    *a = v3_add(*a, v3_scale(*b, s));
}

vsp__real vsp__v3_dot(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return v3_dot(*a, *b);
}

vsp__real vsp__v3_length(const vsp__vec3 *a)
{
    return vsp__root(v3_product_at(a, a));
}

void vsp__v3_flush(vsp__vec3 *a)
{
    *a = v3_flush(*a);
}

vsp__real vsp__u3_dot(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return u3_dot(*a, *b);
}

vsp__real vsp__v3_size(const vsp__vec3 *a)
{
    return v3_size(*a);
}

vsp__square vsp__v3_product(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return v3_product(*a, *b);
}

void vsp__v3_cross(const vsp__vec3 *a, const vsp__vec3 *b, vsp__vec3 *out)
{
    *out = v3_cross(*a, *b);
}

void vsp__u3_cross(const vsp__vec3 *a, const vsp__vec3 *b, vsp__vec3 *out)
{
    *out = u3_cross(*a, *b);
}

void vsp__way(const vsp__vec3 *from, const vsp__vec3 *to, vsp__vec3 *way)
{
    *way = v3_sub(*to, *from);
    v3_flush_in(way);
}

void vsp__flushed_normalize(vsp__vec3 *v)
{
    vsp__normalize(v);
    v3_flush_in(v);
}

void vsp__flushed_mul(const vsp__mat3 *m, vsp__vec3 *v)
{
    vsp__mul(m, v, v);
    v3_flush_in(v);
}

void vsp__flushed_tmul(const vsp__mat3 *m, vsp__vec3 *v)
{
    vsp__tmul(m, v, v);
    v3_flush_in(v);
}

void vsp__place(const vsp_place *p, vsp__vec3 *out)
{
    *out = v3(r_of_place(p->x), r_of_place(p->y), r_of_place(p->z));
}

void vsp__direction(const vsp_plane *p, vsp__vec3 *out)
{
    *out = v3(u_of_direction(p->x), u_of_direction(p->y),
              u_of_direction(p->z));
}

void vsp__corner(const vsp__vec3 *half, uint32_t number, vsp__vec3 *out)
{
    *out = v3(r_signed(half->x, (number & 1u) == 0),
              r_signed(half->y, (number & 2u) == 0),
              r_signed(half->z, (number & 4u) == 0));
}
