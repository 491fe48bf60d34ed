/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Functions of fixed point that are too large to inline: shifts and quotients;
 * roots; lengths and directions; rotations; rates; wide numbers; symmetric
 * matrices; rows. */

#include "number.h"

#if VSP_FIXED


/* ---- Shifts and quotients ------------------------------------------------ */

/* shift_to_range for places outside of 2 to 31 */
static vsp__num shift_far_to_range(int64_t a, int32_t places)
{
    if (places > 62)
        return 0;
    if (places > 32) /* the upper word decides */
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
                                : (vsp__num)a;
}

/* a / 2^places to nearest, clamped, for any places; |a| <= 2^62 */
static vsp__num shift_to_range(int64_t a, int32_t places)
{
    int32_t high, end;

    if (places < 2 || places > 31)
        return shift_far_to_range(a, places);
    a += (uint32_t)1 << (places - 1);
    high = (int32_t)(a >> 32);
    end = (int32_t)1 << (places - 2);
    if (high >= end || high < -end)
        return high < 0 ? -VSP__REAL_MAX : VSP__REAL_MAX;
    return (int32_t)((uint32_t)high << (32 - places) |
                     (uint32_t)((uint64_t)a & 0xffffffffu) >> places);
}

/* Returns how many bits a needs, 0 to 32.  On CPUs without an instruction for
 * this the builtin would call a function of the compiler's library. */
#if defined __GNUC__ && \
    (defined __ARM_FEATURE_CLZ || defined __aarch64__ || defined __x86_64__)
static int32_t bit_width32(uint32_t a)
{
    return a == 0 ? 0 : 32 - __builtin_clz(a);
}
#else
static int32_t bit_width32(uint32_t a)
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

static int32_t bit_width(uint64_t a)
{
    uint32_t high = (uint32_t)(a >> 32);

    return high != 0 ? 32 + bit_width32(high)
                     : bit_width32((uint32_t)(a & 0xffffffffu));
}

static uint64_t magnitude_of(int64_t a)
{
    return a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a;
}

uint32_t vsp__room_above(vsp__num size)
{
    int32_t room = 28 - bit_width32((uint32_t)size);

    return room > 0 ? (uint32_t)room : 0;
}

vsp__num vsp__quotient(vsp__num a, vsp__num b, uint32_t places)
{
    uint64_t under = magnitude_of(b);
    uint64_t over = (magnitude_of(a) << places) + under / 2u, q;
    bool is_negative = (a < 0) != (b < 0);

    if (under == 0)
        return a < 0 ? -VSP__REAL_MAX : VSP__REAL_MAX;
    q = over / under;
    if (q > (uint64_t)VSP__REAL_MAX)
        q = (uint64_t)VSP__REAL_MAX;
    return is_negative ? -(vsp__num)q : (vsp__num)q;
}

/* Computes a quotient of 17 bits, then one Newton step. */
vsp__num vsp__reciprocal(vsp__num a)
{
    int32_t up = 30 - bit_width32((uint32_t)a);
    uint32_t x = (uint32_t)a << up;       /* 30 bits */
    uint32_t y = 0x7fffffffu / (x >> 15); /* 2^46 / x, 17 bits */
    int64_t off = ((int64_t)1 << 46) - (int64_t)x * y;
    int64_t better = ((int64_t)y << 13) + (y * off >> 33); /* 2^59 / x */

    return (vsp__num)((better + ((int64_t)1 << (9 - up))) >> (10 - up));
}

vsp__num vsp__t_rate(vsp__total total, uint32_t count, vsp__num scale)
{
    uint64_t over = (uint64_t)count * (uint64_t)scale << VSP__REAL_BITS;
    uint64_t q = over / (uint64_t)total;

    return q > (uint64_t)VSP__REAL_MAX ? VSP__REAL_MAX : (vsp__num)q;
}


/* ---- Roots --------------------------------------------------------------- */

/* 1 / sqrt(x / 2^32) with 30 binary places, x >= 2^30: a linear first guess,
 * then five Newton steps.  Error at most 2 places. */
static uint32_t reciprocal_root(uint32_t x)
{
    /* 2.2 - 1.2 x for x in [1/4, 1): off by at most 0.2 */
    uint64_t y = 2362232012u - ((uint64_t)1288490188u * x >> 32);
    uint32_t i;

    for (i = 0; i < 5; i++) {
        uint64_t square = y * y >> 30;    /* 30 places, below 5 */
        uint64_t part = square * x >> 32; /* x y^2 */

        y = y * (((uint64_t)3 << 30) - part) >> 31;
    }
    return (uint32_t)y;
}

/* 1 / sqrt(a) = result / 2^places, a > 0 */
static uint32_t root_parts(uint64_t a, int32_t *places)
{
    int32_t up = (64 - bit_width(a)) & ~1;

    *places = 30 + 32 - up / 2;
    return reciprocal_root((uint32_t)(a << up >> 32));
}

/* sqrt(a) rounded down */
static uint32_t integer_sqrt(uint64_t a)
{
    int32_t up;
    uint32_t x;
    uint64_t root;

    if (a == 0)
        return 0;
    up = (64 - bit_width(a)) & ~1;
    x = (uint32_t)(a << up >> 32);
    /* sqrt(x 2^32) = x / sqrt(x / 2^32) */
    root = ((uint64_t)x * reciprocal_root(x) >> 30) >> up / 2;
    /* the root may be off by up to 2; these loops make it exact, so that it is
     * monotonic in a */
    while (root * root > a)
        root--;
    while ((root + 1) * (root + 1) <= a)
        root++;
    return (uint32_t)root;
}

vsp__num vsp__square_root(vsp__square a)
{
    uint32_t root = integer_sqrt((uint64_t)(a > 0 ? a : 0));

    return root > (uint32_t)VSP__REAL_MAX ? VSP__REAL_MAX : (vsp__num)root;
}

vsp__num vsp__rsqrt_unit(vsp__num a)
{
    int32_t places;
    uint32_t y;

    if (a <= 0)
        return VSP__REAL_MAX;
    /* sqrt(a / 2^29) = sqrt(a 2^31) / 2^30 */
    y = root_parts((uint64_t)a << 31, &places);
    return shift_to_range(y, places - 30 - VSP__REAL_BITS);
}

vsp__num vsp__geometric_mean(vsp__num a, vsp__num b)
{
    return vsp__square_root(vsp__product(a, b));
}


/* ---- Lengths and directions ---------------------------------------------- */

/* v *= k / 2^places */
static void scale_v3(vsp__v3 *v, uint32_t k, int32_t places)
{
    v->x = shift_to_range((int64_t)v->x * k, places);
    v->y = shift_to_range((int64_t)v->y * k, places);
    v->z = shift_to_range((int64_t)v->z * k, places);
}

void vsp__v3_divide(vsp__v3 *v, vsp__num a)
{
    if (a >= VSP__REAL(1.0))
        u3_scale_in(v, vsp__reciprocal(a));
    else
        *v = v3(r_div(v->x, a), r_div(v->y, a), r_div(v->z, a));
}

void vsp__v3_normalize(vsp__v3 *v)
{
    vsp__square square = v3_square(*v);
    int32_t places;
    uint32_t y;

    if (square == 0)
        return;
    y = root_parts((uint64_t)square, &places);
    scale_v3(v, y, places - VSP__UNIT_BITS);
}

/* A length in whole places is too inexact for a short vector. */
void vsp__v3_normalize_by(vsp__v3 *v, vsp__num length)
{
    (void)length;
    vsp__v3_normalize(v);
}

vsp__num vsp__disc_scale(vsp__num limit, vsp__num t1, vsp__num t2)
{
    int64_t square = vsp__product(t1, t1) + vsp__product(t2, t2);
    int32_t places;
    uint32_t y = root_parts((uint64_t)square, &places);

    return shift_to_range((int64_t)limit * y, places - VSP__UNIT_BITS);
}


void vsp__v3_move_by_rate(vsp__v3 *position, vsp__num h, const vsp__v3 *v,
                          uint32_t cut)
{
    *position = v3_add(*position, v3_way(v, h, cut));
}

void vsp__v3_scale_cut(vsp__v3 *a, vsp__num s, uint32_t cut)
{
    *a = v3(u_mul_cut(a->x, s, cut), u_mul_cut(a->y, s, cut),
            u_mul_cut(a->z, s, cut));
}

void vsp__v3_mix_cut(vsp__v3 *a, vsp__num s, vsp__num t, const vsp__v3 *b,
                     uint32_t cut)
{
    *a = v3(u_dot2_cut(a->x, s, b->x, t, cut),
            u_dot2_cut(a->y, s, b->y, t, cut),
            u_dot2_cut(a->z, s, b->z, t, cut));
}


/* ---- Rotations ----------------------------------------------------------- */

static vsp__square q_square(const vsp__unit_quat *q)
{
    return vsp__product(q->x, q->x) + vsp__product(q->y, q->y) +
           vsp__product(q->z, q->z) + vsp__product(q->w, q->w);
}

void vsp__q_normalize(vsp__unit_quat *q)
{
    vsp__square square = q_square(q);
    vsp__v3 v = v3(q->x, q->y, q->z);
    int32_t places;
    uint32_t y;

    if (square == 0)
        return;
    y = root_parts((uint64_t)square, &places);
    places -= VSP__UNIT_BITS;
    scale_v3(&v, y, places);
    q->x = v.x;
    q->y = v.y;
    q->z = v.z;
    q->w = shift_to_range((int64_t)q->w * y, places);
}

void vsp__q_add(vsp__unit_quat *q, const vsp__unit_quat *change)
{
    q->x += change->x;
    q->y += change->y;
    q->z += change->z;
    q->w += change->w;
    vsp__q_normalize(q);
}

#define SQUARE_ONE ((int64_t)1 << (2 * VSP__UNIT_BITS))

bool vsp__q_is_unit(const vsp__unit_quat *q)
{
    int64_t off = q_square(q) - SQUARE_ONE;

    return off <= SQUARE_ONE / 1000 && off >= -(SQUARE_ONE / 1000);
}

bool vsp__q_read(vsp_quat from, vsp__unit_quat *q)
{
    uint64_t size = magnitude_of(from.x) | magnitude_of(from.y) |
                    magnitude_of(from.z) | magnitude_of(from.w);
    int32_t bits = bit_width(size), down = bits - 32; /* 1 for 1.0 */
    int64_t off;

    if (bits < 32 - 13 || bits > 32 + 10)
        return false;
    if (down >= -1 && down < 2) /* length near 1: not scaled */
        down = 0;
    down += 32 - VSP__UNIT_BITS;
    q->x = shift_to_range(from.x, down);
    q->y = shift_to_range(from.y, down);
    q->z = shift_to_range(from.z, down);
    q->w = shift_to_range(from.w, down);
    off = q_square(q) - SQUARE_ONE;
    if (off > SQUARE_ONE >> 22 || off < -(SQUARE_ONE >> 22))
        vsp__q_normalize(q);
    return true;
}

void vsp__q_cayley(const vsp__v3 *spin, vsp__num h, vsp__unit_quat *turn)
{
    int64_t x = vsp__product(spin->x, h), y = vsp__product(spin->y, h);
    int64_t z = vsp__product(spin->z, h);
    int32_t places = VSP__RATE_BITS + 1; /* of half the angle, as a unit */
    int32_t down = bit_width(magnitude_of(x) | magnitude_of(y) |
                             magnitude_of(z)) -
                   30 - places;

    if (down < 0)
        down = 0;
    places += down; /* halves a long vector, and w, that many times */
    turn->x = shift_to_range(x, places);
    turn->y = shift_to_range(y, places);
    turn->z = shift_to_range(z, places);
    turn->w = VSP__UNIT(1.0) >> down;
    vsp__q_normalize(turn);
}

void vsp__q_of_vector(const vsp__v3 *angle, vsp__unit_quat *turn)
{
    turn->x = (angle->x + 1) >> 1; /* half of it, rounded */
    turn->y = (angle->y + 1) >> 1;
    turn->z = (angle->z + 1) >> 1;
    turn->w = VSP__UNIT(1.0);
    vsp__q_normalize(turn);
}

/* ---- Rates --------------------------------------------------------------- */

vsp__num vsp__u_of_rate(vsp__num spin, vsp__num h)
{
    return shift_to_range(vsp__product(spin, h), VSP__RATE_BITS);
}

vsp__num vsp__r_of_rate(vsp__num spin, vsp__num h, uint32_t cut)
{
    int32_t places = VSP__UNIT_BITS - 3;
    int64_t off = (int64_t)(cut >> (32 - places)) -
                  ((int32_t)1 << (places - 1));

    return shift_to_range(vsp__product(spin, h) + off, places);
}


/* ---- Wide numbers -------------------------------------------------------- */

#define WIDE_BITS 24
#define WIDE_BIAS 127
#define WIDE_LOW (-50) /* numbers below 2^WIDE_LOW become 0 */
#define WIDE_HIGH 100  /* all are below 2^WIDE_HIGH */

/* a = result 2^exponent, where the result is 0 or has 24 bits and a sign */
static int32_t unpack_wide(vsp__wide a, int32_t *exponent)
{
    int32_t power = (int32_t)(a.bits >> 23 & 0xffu);
    int32_t mantissa = (int32_t)(a.bits & 0x7fffffu) | 0x800000;

    *exponent = power - WIDE_BIAS - (WIDE_BITS - 1);
    if (power == 0)
        return 0;
    return a.bits & 0x80000000u ? -mantissa : mantissa;
}

/* mantissa 2^exponent, rounded to nearest, ties away from 0 */
static vsp__wide pack_wide(int64_t mantissa, int32_t exponent)
{
    uint64_t m = magnitude_of(mantissa);
    uint32_t sign = mantissa < 0 ? 0x80000000u : 0;
    int32_t excess = bit_width(m) - WIDE_BITS;

    if (excess > 0) {
        m = (m + ((uint64_t)1 << (excess - 1))) >> excess;
        if (m >> WIDE_BITS != 0) { /* rounded up to a power of two */
            m >>= 1;
            excess++;
        }
    } else {
        m <<= -excess;
    }
    exponent += excess + WIDE_BITS - 1; /* exponent of the leading bit */
    if (m == 0 || exponent < WIDE_LOW)
        return VSP__W_ZERO;
    if (exponent > WIDE_HIGH - 1) {
        exponent = WIDE_HIGH - 1;
        m = 0xffffffu;
    }
    return w_from_bits(sign | (uint32_t)(exponent + WIDE_BIAS) << 23 |
                       ((uint32_t)m & 0x7fffffu));
}

vsp__wide vsp__w_from(int64_t mantissa, int32_t places)
{
    return pack_wide(mantissa, -places);
}

vsp__num vsp__w_to(vsp__wide a, int32_t places)
{
    int32_t exponent, mantissa = unpack_wide(a, &exponent);

    return shift_to_range(mantissa, -exponent - places);
}

int64_t vsp__w_to_long(vsp__wide a, int32_t places)
{
    int32_t exponent, mantissa = unpack_wide(a, &exponent);
    int32_t up = exponent + places;

    if (mantissa == 0 || up < -WIDE_BITS)
        return 0;
    if (up < 0)
        return ((int64_t)mantissa + ((int64_t)1 << (-up - 1))) >> -up;
    if (up > 63 - WIDE_BITS)
        return mantissa < 0 ? -INT64_MAX : INT64_MAX;
    return mantissa * ((int64_t)1 << up);
}

vsp__num vsp__w_to_rate_cut(vsp__wide a, uint32_t cut)
{
    int64_t sum = vsp__w_to_long(a, VSP__RATE_BITS + VSP__UNIT_BITS);
    int64_t end = (int64_t)1 << 60;

    return vsp__cut_unit(sum > end ? end : sum < -end ? -end : sum, cut);
}

vsp__wide vsp__w_mul(vsp__wide a, vsp__wide b)
{
    int32_t ea, eb, ma = unpack_wide(a, &ea), mb = unpack_wide(b, &eb);

    return pack_wide((int64_t)ma * mb, ea + eb);
}

vsp__wide vsp__w_div(vsp__wide a, vsp__wide b)
{
    int32_t ea, eb, ma = unpack_wide(a, &ea), mb = unpack_wide(b, &eb);

    if (mb == 0)
        return pack_wide(ma, 2 * WIDE_HIGH);
    return pack_wide((int64_t)ma * ((int64_t)1 << 32) / mb, ea - eb - 32);
}

vsp__wide vsp__w_add(vsp__wide a, vsp__wide b)
{
    int32_t ea, eb, ma = unpack_wide(a, &ea), mb = unpack_wide(b, &eb);

    if (ma == 0 || (mb != 0 && eb > ea)) {
        int32_t m = ma, e = ea;

        ma = mb;
        ea = eb;
        mb = m;
        eb = e;
    }
    if (mb == 0 || ea - eb > 32)
        return pack_wide(ma, ea);
    return pack_wide((int64_t)ma * ((int64_t)1 << 32) +
                         (int64_t)mb * ((int64_t)1 << (32 - (ea - eb))),
                     ea - 32);
}

/* Maps a wide to an int that sorts alike; a wide is sign and magnitude. */
static int32_t wide_order(vsp__wide a)
{
    int32_t size = (int32_t)(a.bits & 0x7fffffffu);

    return a.bits & 0x80000000u ? -size : size;
}

bool vsp__w_less(vsp__wide a, vsp__wide b)
{
    return wide_order(a) < wide_order(b);
}


/* ---- Symmetric matrices -------------------------------------------------- */

/* bits of the largest part: a sum of three is below the limits */
#define PART_BITS 28

/* the largest valid part: a thickened wire gains up to a thousandth,
 * VSP__MIN_INERTIA_RATIO */
#define PART_LIMIT (((int32_t)1 << PART_BITS) + ((int32_t)1 << 19))

bool vsp__s3_is_valid(const vsp__sym3 *s)
{
    uint32_t i;

    for (i = 0; i < 6; i++)
        if (!r_in(s3_parts(s)[i], i < 3 ? 0 : -PART_LIMIT, PART_LIMIT))
            return false;
    return s->shift >= 8 && s->shift <= 60;
}

/* Packs six numbers, in the order of the parts, over 2^shift. */
static void pack_parts(const int64_t *from, int32_t shift, vsp__sym3 *s)
{
    uint64_t size = 0;
    vsp__num *part = &s->xx;
    int32_t down;
    uint32_t i;

    for (i = 0; i < 6; i++)
        size |= magnitude_of(from[i]);
    down = bit_width(size) - PART_BITS;
    for (i = 0; i < 6; i++)
        part[i] = shift_to_range(from[i], down);
    s->shift = size != 0 ? shift - down : 0;
}

void vsp__s3_mul_to(const vsp__sym3 *s, const vsp__v3 *v, vsp__v3 *out)
{
    vsp__v3 a = *v;

    out->x = shift_to_range(vsp__product(s->xx, a.x) +
                                vsp__product(s->xy, a.y) +
                                vsp__product(s->xz, a.z),
                            s->shift);
    out->y = shift_to_range(vsp__product(s->xy, a.x) +
                                vsp__product(s->yy, a.y) +
                                vsp__product(s->yz, a.z),
                            s->shift);
    out->z = shift_to_range(vsp__product(s->xz, a.x) +
                                vsp__product(s->yz, a.y) +
                                vsp__product(s->zz, a.z),
                            s->shift);
}

void vsp__s3_scale(vsp__sym3 *s, vsp__num k)
{
    int64_t to[6];
    uint32_t i;

    for (i = 0; i < 6; i++)
        to[i] = vsp__product(s3_parts(s)[i], k);
    pack_parts(to, s->shift + VSP__UNIT_BITS, s);
}

void vsp__s3_scale_wide(vsp__sym3 *s, vsp__wide k)
{
    int32_t exponent, mantissa = unpack_wide(k, &exponent);
    int64_t to[6];
    uint32_t i;

    for (i = 0; i < 6; i++)
        to[i] = vsp__product(s3_parts(s)[i], mantissa);
    pack_parts(to, s->shift - exponent, s);
}

/* a part of s times a unit k, as a square, m^2 */
static int64_t as_square(const vsp__sym3 *s, uint32_t part, vsp__num k)
{
    int64_t a = vsp__product(s3_parts(s)[part], k);
    int32_t down = s->shift + VSP__UNIT_BITS - 2 * VSP__REAL_BITS;

    if (down > 62)
        return 0;
    if (down > 0)
        return (a + ((int64_t)1 << (down - 1))) >> down;
    if (a == 0)
        return 0;
    if (down < bit_width(magnitude_of(a)) - 58) /* clamped */
        return a < 0 ? -((int64_t)1 << 58) : (int64_t)1 << 58;
    return a * ((int64_t)1 << -down);
}

void vsp__sums_add_s3(vsp__s3_sums *sums, vsp__num k, const vsp__sym3 *s)
{
    sums->xx += as_square(s, 0, k);
    sums->yy += as_square(s, 1, k);
    sums->zz += as_square(s, 2, k);
    sums->xy += as_square(s, 3, k);
    sums->xz += as_square(s, 4, k);
    sums->yz += as_square(s, 5, k);
}

void vsp__sums_to_s3(const vsp__s3_sums *sums, vsp__sym3 *s)
{
    pack_parts(&sums->xx, 2 * VSP__REAL_BITS, s);
}

void vsp__s3_to_size_one(const vsp__sym3 *s, vsp__sym3 *shape)
{
    *shape = *s;
    shape->shift = PART_BITS;
}

void vsp__s3_parts_mul(const vsp__sym3 *s, const vsp__v3 *v, vsp__v3 *out)
{
    *out = v3(u_dot3(s->xx, v->x, s->xy, v->y, s->xz, v->z),
              u_dot3(s->xy, v->x, s->yy, v->y, s->yz, v->z),
              u_dot3(s->xz, v->x, s->yz, v->y, s->zz, v->z));
}

static vsp__num largest_diagonal(const vsp__sym3 *s)
{
    return v3_largest(v3(s->xx, s->yy, s->zz));
}

void vsp__s3_across(const vsp__v3 *a, const vsp__sym3 *moment, vsp__sym3 *s)
{
    int64_t trace = (int64_t)moment->xx + moment->yy + moment->zz;
    int32_t shift = moment->shift;
    vsp__num one = VSP__UNIT(1.0);
    int64_t to[6];
    uint32_t i;

    to[0] = one - u_mul(a->x, a->x);
    to[1] = one - u_mul(a->y, a->y);
    to[2] = one - u_mul(a->z, a->z);
    to[3] = -u_mul(a->x, a->y);
    to[4] = -u_mul(a->x, a->z);
    to[5] = -u_mul(a->y, a->z);
    for (i = 0; i < 6; i++)
        to[i] = trace > 0 ? to[i] * ((int64_t)1 << 31) / trace : 0;
    pack_parts(to, VSP__UNIT_BITS + 30 - shift, s);
}

vsp__wide vsp__s3_along(const vsp__sym3 *s, const vsp__v3 *a)
{
    vsp__v3 turned = v3(u_dot3(s->xx, a->x, s->xy, a->y, s->xz, a->z),
                        u_dot3(s->xy, a->x, s->yy, a->y, s->yz, a->z),
                        u_dot3(s->xz, a->x, s->yz, a->y, s->zz, a->z));

    return vsp__w_from(u3_dot_at(a, &turned), s->shift);
}

bool vsp__s3_invert(const vsp__sym3 *s, uint32_t bits, vsp__sym3 *inverse)
{
    int64_t xx = s->xx, yy = s->yy, zz = s->zz, xy = s->xy, xz = s->xz;
    int64_t yz = s->yz, det, cube = largest_diagonal(s) >> 10, k, to[6];
    int32_t shift = s->shift, up;
    vsp__sym3 c;
    uint32_t i;

    /* cofactors */
    to[0] = yy * zz - yz * yz;
    to[1] = xx * zz - xz * xz;
    to[2] = xx * yy - xy * xy;
    to[3] = xz * yz - xy * zz;
    to[4] = xy * yz - xz * yy;
    to[5] = xy * xz - xx * yz;
    pack_parts(to, 0, &c);
    det = xx * c.xx + xy * c.xy + xz * c.xz;
    /* the determinant is det / 2^c.shift, the cube is 2^30 cube */
    cube = cube * cube * cube >> bits;
    up = -c.shift - 30;
    if (det <= 0 || cube >> (up > 0 ? up : 0) >= det >> (up < 0 ? -up : 0)) {
        vsp__s3_clear(inverse);
        return false;
    }
    /* c / det, by k = 2^62 over the leading 30 bits of det */
    up = bit_width((uint64_t)det) - 30;
    k = ((int64_t)1 << 62) / shift_to_range(det, up);
    for (i = 0; i < 6; i++)
        to[i] = s3_parts(&c)[i] * k;
    pack_parts(to, 62 + up - shift, inverse);
    return true;
}


/* a part of s times a component of a torque */
static vsp__wide part_mul(const vsp__sym3 *s, vsp__num part, vsp__wide a)
{
    return w_mul(vsp__w_from(part, s->shift), a);
}

/* a row of s times a torque, as a rate */
static vsp__num turn_along(const vsp__sym3 *s, vsp__num x, vsp__num y,
                           vsp__num z, const vsp__wide3 *torque, uint32_t cut)
{
    return w_to_rate_cut(
        w_add(w_add(part_mul(s, x, torque->x), part_mul(s, y, torque->y)),
              part_mul(s, z, torque->z)),
        cut);
}

void vsp__s3_mul_torque(const vsp__sym3 *s, const vsp__wide3 *torque,
                        vsp__wide k, uint32_t cut, vsp__v3 *out)
{
    vsp__wide3 t;

    *out = v3_zero();
    if ((torque->x.bits | torque->y.bits | torque->z.bits) == 0)
        return;
    t.x = w_mul(torque->x, k);
    t.y = w_mul(torque->y, k);
    t.z = w_mul(torque->z, k);
    *out = v3(turn_along(s, s->xx, s->xy, s->xz, &t, cut),
              turn_along(s, s->xy, s->yy, s->yz, &t, cut),
              turn_along(s, s->xz, s->yz, s->zz, &t, cut));
}


/* ---- Rows ---------------------------------------------------------------- */

/* k bits hold the sign and the integer part of any s c, with three to spare, as
 * s c is below 3 |s| |c|, and a part of s below 2^(PART_BITS - shift).  k is at
 * most 22: vsp__make_turn clamps larger turns. */
uint32_t vsp__find_turn_scale(const vsp__sym3 inertia[2], vsp__num arm)
{
    int32_t bits = bit_width((uint64_t)arm) - VSP__REAL_BITS + 6, k = 4, i;

    for (i = 0; i < 2; i++)
        if (largest_diagonal(&inertia[i]) > 0 &&
            bits + PART_BITS - inertia[i].shift > k)
            k = bits + PART_BITS - inertia[i].shift;
    return (uint32_t)(k > 22 ? 22 : k);
}

vsp__num vsp__make_turn(const vsp__sym3 *s, const vsp__v3 *c, uint32_t k,
                        vsp__v3 *turn)
{
    vsp__sym3 up = *s;
    int64_t sum;

    up.shift -= 32 - (int32_t)k - VSP__REAL_BITS;
    s3_mul_to(&up, c, turn);
    v3_clamp_in(turn, VSP__REAL_MAX >> 2);
    sum = vsp__product(c->x, turn->x) + vsp__product(c->y, turn->y) +
          vsp__product(c->z, turn->z);
    return shift_to_range(sum, 32 - (int32_t)k);
}

/* vsp__add_body_turn for a d that fails vsp__has_shift_room: rounded,
 * clamped. */
static void add_turn_far(vsp__exact_spin *w, vsp__num d, const vsp__v3 *turn,
                         uint32_t k)
{
    int32_t places = 32 - (int32_t)k;
    vsp__v3 by = v3(shift_to_range(vsp__product(d, turn->x), places),
                    shift_to_range(vsp__product(d, turn->y), places),
                    shift_to_range(vsp__product(d, turn->z), places));

    by.x = r_add(r_saturate(w->x.high), by.x);
    by.y = r_add(r_saturate(w->y.high), by.y);
    by.z = r_add(r_saturate(w->z.high), by.z);
    vsp__to_exact_spin(w, &by);
}

void vsp__add_turns_called(vsp__exact_spin w[2], vsp__num d,
                           const vsp__v3 *turn0, const vsp__v3 *turn1,
                           uint32_t k)
{
    if (vsp__has_shift_room(r_size(d), k)) {
        vsp__add_body_turn(&w[0], vsp__shift_up(d, k), turn0);
        vsp__add_body_turn(&w[1], vsp__shift_up(d, k), turn1);
    } else {
        add_turn_far(&w[0], d, turn0, k);
        add_turn_far(&w[1], d, turn1, k);
    }
}


/* ---- Callers' numbers ---------------------------------------------------- */

#if VSP_MATH

static vsp_real signed_caller(uint64_t size, bool is_negative)
{
    vsp_real a = size > (uint64_t)INT64_MAX ? INT64_MAX : (vsp_real)size;

    return is_negative ? -a : a;
}

/* a + b, or more than any result where that does not fit */
static uint64_t add_sizes(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

vsp_real vsp__caller_mul(vsp_real a, vsp_real b)
{
    uint64_t x = magnitude_of(a), y = magnitude_of(b), mask = 0xffffffffu;
    uint64_t high = (x >> 32) * (y >> 32);
    uint64_t sum = ((x & mask) * (y & mask) + ((uint64_t)1 << 31)) >> 32;

    sum = add_sizes(sum, (x >> 32) * (y & mask));
    sum = add_sizes(sum, (x & mask) * (y >> 32));
    sum = add_sizes(sum, high >> 31 != 0 ? UINT64_MAX : high << 32);
    return signed_caller(sum, (a < 0) != (b < 0));
}

/* A division, then one bit after the other. */
vsp_real vsp__caller_div(vsp_real a, vsp_real b)
{
    uint64_t over = magnitude_of(a), under = magnitude_of(b), q, rest;
    bool is_negative = (a < 0) != (b < 0);
    uint32_t i;

    if (under == 0)
        return signed_caller(UINT64_MAX, a < 0);
    q = over / under;
    rest = over % under;
    if (q >> 31 != 0)
        return signed_caller(UINT64_MAX, is_negative);
    for (i = 0; i < 32; i++) {
        q <<= 1;
        rest <<= 1;
        if (rest >= under) {
            rest -= under;
            q++;
        }
    }
    return signed_caller(q + (rest >= under - rest), is_negative);
}

/* A root of 31 or 32 bits, then a Newton step. */
vsp_real vsp__caller_sqrt(vsp_real a)
{
    int32_t up;
    vsp_real root;

    if (a <= 0)
        return 0;
    up = (63 - bit_width((uint64_t)a)) & ~1;
    root = integer_sqrt((uint64_t)a << up);
    root = up / 2 > 16 ? root >> (up / 2 - 16) : root << (16 - up / 2);
    return (root + vsp__caller_div(a, root) + 1) >> 1;
}

vsp_real vsp__caller_add(vsp_real a, vsp_real b)
{
    if (a > 0 ? b > INT64_MAX - a : b < -INT64_MAX - a)
        return a > 0 ? INT64_MAX : -INT64_MAX;
    return a + b;
}

int32_t vsp__places_down(const vsp_vec3 *a)
{
    return bit_width(magnitude_of(a->x) | magnitude_of(a->y) |
                     magnitude_of(a->z)) -
           29;
}

vsp__num vsp__read_scaled(vsp_real a, int32_t down)
{
    return (vsp__num)(down > 0 ? ((a >> (down - 1)) + 1) >> 1
                               : a * ((int64_t)1 << -down));
}

vsp_real vsp__show_scaled(vsp__num a, int32_t down)
{
    if (down <= 0)
        return (a + ((int64_t)1 << -down >> 1)) >> -down;
    if (magnitude_of(a) > (uint64_t)INT64_MAX >> down)
        return signed_caller(UINT64_MAX, a < 0);
    return a * ((int64_t)1 << down);
}

#endif /* VSP_MATH */

#endif /* VSP_FIXED */
