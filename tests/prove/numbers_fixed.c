/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The number module in fixed point, for all arguments that its comments admit:
 * the lemmas, by cases; then groups of functions, which rely on them. ci/prove
 * names the functions where the analysis begins. */

#include "any.h"

#include "src/number/vector.c"
#include "src/number/fixed.c"
#include "src/number/rotation.c"

#include "lemmas.h"

#define RANGE ((int32_t)1 << 30) /* a number is in [-2^30, 2^30) */
#define MOST (RANGE - 1)
#define SUM_END (INT64_MAX - 0x7fffffff) /* 2^63 - 2^31 */
#define PRODUCT_END ((int64_t)1 << 62)
#define SPIN_END ((int32_t)7 << 28) /* bound of a spin after twelve rows */

static vsp__num any_num(void)
{
    return any_int(-RANGE, MOST);
}

/* a number >= 0, and one > 0 */
static vsp__num any_size(void)
{
    return any_int(0, MOST);
}

static vsp__num any_positive(void)
{
    return any_int(1, MOST);
}

/* a unit of 0 to 1 */
static vsp__num any_share(void)
{
    return any_int(0, VSP__UNIT(1.0));
}

static int64_t any_sum(void)
{
    return any_long(1 - SUM_END, SUM_END - 1);
}

static vsp__wide any_wide(void)
{
    return w_from_bits(any_word());
}

static int64_t any_caller(void)
{
    return any_long(INT64_MIN, INT64_MAX);
}

static vsp__v3 any_v3(void)
{
    return v3(any_num(), any_num(), any_num());
}

static vsp__v3 any_unit_v3(void)
{
    int32_t end = VSP__UNIT(1.0) + VSP__UNIT(1.0 / 1024.0);

    return v3(any_int(-end, end), any_int(-end, end), any_int(-end, end));
}

/* a quaternion of any length; one of length 1 */
static vsp__unit_quat any_quat(void)
{
    vsp__unit_quat q;

    q.x = any_num();
    q.y = any_num();
    q.z = any_num();
    q.w = any_num();
    return q;
}

static vsp__unit_quat any_unit_quat(void)
{
    vsp__unit_quat q;
    vsp__v3 v = any_unit_v3();

    q.x = v.x;
    q.y = v.y;
    q.z = v.z;
    q.w = any_unit_v3().x;
    return q;
}

static vsp__mat3 any_mat3(void)
{
    vsp__mat3 m;

    m.axis[0] = any_unit_v3();
    m.axis[1] = any_unit_v3();
    m.axis[2] = any_unit_v3();
    return m;
}

/* an inertia that vsp__s3_is_valid admits */
static vsp__sym3 any_sym3(void)
{
    vsp__sym3 s;

    s.xx = any_int(0, PART_LIMIT);
    s.yy = any_int(0, PART_LIMIT);
    s.zz = any_int(0, PART_LIMIT);
    s.xy = any_int(-PART_LIMIT, PART_LIMIT);
    s.xz = any_int(-PART_LIMIT, PART_LIMIT);
    s.yz = any_int(-PART_LIMIT, PART_LIMIT);
    s.shift = any_int(8, 60);
    return s;
}


/* ---- Cases ----------------------------------------------------------------
 */

static void narrow_cases(void)
{
    int64_t near = (int64_t)1 << 29;

    PROVE(vsp__narrow_real_down(any_long(0, SUM_END + 0xfffff)));
    PROVE(vsp__narrow_real_down(any_long(1 - SUM_END, -1)));
    PROVE(vsp__cut_unit(any_long(0, SUM_END - 1), any_word()));
    PROVE(vsp__cut_unit(any_long(-near, -1), any_word()));
    PROVE(vsp__cut_unit(any_long(1 - SUM_END, -near - 1), any_word()));
}

static void shift_cases(void)
{
    int32_t i;

    PROVE(shift_to_range(any_long(-PRODUCT_END, PRODUCT_END),
                         any_int(-1000, -31)));
    /*@ loop unroll 93; */
    for (i = -30; i <= 62; i++) {
        int64_t half = i > 0 ? (int64_t)1 << (i - 1) : 0;

        PROVE(shift_to_range(any_long(0, PRODUCT_END), i));
        PROVE(shift_to_range(any_long(-half, 0), i));
        PROVE(shift_to_range(any_long(-PRODUCT_END, -half - 1), i));
    }
    PROVE(
        shift_to_range(any_long(-PRODUCT_END, PRODUCT_END), any_int(63, 1000)));
}

/* all numbers of this many bits */
static uint32_t any_of_width(uint32_t width)
{
    uint32_t first = (uint32_t)1 << (width - 1u);

    return any_uint(first, first - 1u + first);
}

static uint64_t any_long_of_width(uint32_t width)
{
    uint64_t first = (uint64_t)1 << (width - 1u);

    return Frama_C_unsigned_long_long_interval(first, first - 1u + first);
}

static void width_cases(void)
{
    int32_t places;
    uint32_t i;

    PROVE(bit_width32(0));
    PROVE(integer_sqrt(0));
    /*@ loop unroll 32; */
    for (i = 1; i <= 32; i++)
        PROVE(bit_width32(any_of_width(i)));
    /*@ loop unroll 64; */
    for (i = 1; i <= 64; i++)
        PROVE(root_parts(any_long_of_width(i), &places));
    /*@ loop unroll 63; */
    for (i = 1; i <= 63; i++)
        PROVE(integer_sqrt(any_long_of_width(i)));
}

/* by width and the first four bits */
static void reciprocal_cases(void)
{
    uint32_t i;

    /*@ loop unroll 80; */
    for (i = 0; i < 80; i++) {
        uint32_t lead = 8u + i % 8u, down = 17u + i / 8u;

        PROVE(vsp__reciprocal(
            (vsp__num)any_uint(lead << down, ((lead + 1u) << down) - 1u)));
    }
}

/* all wide numbers with these upper nine bits: sign and exponent */
static vsp__wide any_wide_of(uint32_t upper)
{
    return w_from_bits(any_uint(upper << 23, (upper << 23) + 0x7fffffu));
}

static void unpack_cases(void)
{
    int32_t exponent;
    uint32_t i;

    /*@ loop unroll 512; */
    for (i = 0; i < 512; i++)
        PROVE(unpack_wide(any_wide_of(i), &exponent));
}

/* by sign and four exponents at a time */
static void add_cases(void)
{
    uint32_t i;

    /*@ loop unroll 128; */
    for (i = 0; i < 128; i++)
        PROVE(vsp__w_add(w_from_bits(any_uint(i << 25, (i << 25) + 0x1ffffffu)),
                         any_wide())
                  .bits);
}

static vsp__num any_of_sign(uint32_t is_negative)
{
    int32_t end = VSP__UNIT(1.0) + VSP__UNIT(1.0 / 1024.0);

    return is_negative ? any_int(-end, -1) : any_int(0, end);
}

/* by the signs of all parts */
static void axes_cases(void)
{
    uint32_t i;

    /*@ loop unroll 16; */
    for (i = 0; i < 16; i++) {
        vsp__unit_quat q;

        q.x = any_of_sign(i & 1u);
        q.y = any_of_sign(i & 2u);
        q.z = any_of_sign(i & 4u);
        q.w = any_of_sign(i & 8u);
        PROVE(vsp__q_axes(q).axis[0].x);
    }
}

/* a number below 0, or one that is 0 or more */
static vsp__num any_num_of_sign(uint32_t is_negative)
{
    return is_negative ? any_int(-RANGE, -1) : any_size();
}

/* by the signs of all parts */
static void normalize_cases(void)
{
    uint32_t i;

    /*@ loop unroll 16; */
    for (i = 0; i < 16; i++) {
        vsp__unit_quat q;
        vsp__v3 v;

        q.x = v.x = any_num_of_sign(i & 1u);
        q.y = v.y = any_num_of_sign(i & 2u);
        q.z = v.z = any_num_of_sign(i & 4u);
        q.w = any_num_of_sign(i & 8u);
        vsp__q_normalize(&q);
        vsp__v3_normalize(&v);
    }
    /* one of the two coordinates is not 0, as outside of a circle */
    /*@ loop unroll 4; */
    for (i = 0; i < 4; i++) {
        vsp__num a = i & 1u ? any_int(-RANGE, -1) : any_positive();
        vsp__num b = any_num_of_sign(i & 2u);

        PROVE(vsp__disc_scale(any_size(), a, b));
        PROVE(vsp__disc_scale(any_size(), b, a));
    }
}

/* by width, and by which part has this width */
static void read_cases(void)
{
    vsp__unit_quat q;
    uint32_t i, k;

    /*@ loop unroll 63; */
    for (i = 1; i <= 63; i++) {
        int64_t first = (int64_t)1 << (i - 1u), last = first - 1 + first;

        /*@ loop unroll 8; */
        for (k = 0; k < 8; k++) {
            vsp_quat from;

            from.x = from.y = from.z = from.w = any_long(-last, last);
            (&from.x)[k / 2] = k % 2 ? any_long(first, last)
                                     : any_long(-last, -first);
            PROVE(vsp__q_read(from, &q));
        }
    }
    /*@ loop unroll 4; */
    for (k = 0; k < 4; k++) {
        vsp_quat from;

        from.x = from.y = from.z = from.w = any_caller();
        (&from.x)[k] = INT64_MIN;
        PROVE(vsp__q_read(from, &q));
    }
}

/* by sign */
static void spin_cases(void)
{
    vsp__spin64 w;

    w.low = any_word();
    w.high = any_int(0, SPIN_END);
    PROVE(vsp__load_spin64(&w));
    w.high = any_int(-SPIN_END, -1);
    PROVE(vsp__load_spin64(&w));
    PROVE(vsp__to_exact_num(any_size()));
    PROVE(vsp__to_exact_num(any_int(-RANGE, -1)));
}

/* prove_widths relies on prove_leaves, prove_signs on both. */

void prove_leaves(void)
{
    narrow_cases();
    shift_cases();
    unpack_cases();
    spin_cases();
}

void prove_widths(void)
{
    width_cases();
    reciprocal_cases();
    read_cases();
}

void prove_signs(void)
{
    add_cases();
    axes_cases();
    normalize_cases();
}


/* ---- fixed.h --------------------------------------------------------------
 */

static void arithmetic(void)
{
    PROVE(r_saturate(any_int(INT32_MIN, INT32_MAX)));
    PROVE(vsp__narrow_real(any_sum()));
    PROVE(vsp__narrow_unit(any_sum()));
    PROVE(vsp__cut_real(any_sum(), any_word()));
    PROVE(r_add(any_num(), any_num()));
    PROVE(r_sub(any_num(), any_num()));
    PROVE(r_neg(any_num()));
    PROVE(r_mul(any_num(), any_num()));
    PROVE(u_mul(any_num(), any_num()));
    PROVE(r_div(any_num(), any_num()));
    PROVE(u_div(any_num(), any_num()));
    PROVE(r_dot2(any_num(), any_num(), any_num(), any_num()));
    PROVE(u_dot2(any_num(), any_num(), any_num(), any_num()));
    PROVE(r_dot3(any_num(), any_num(), any_num(), any_num(), any_num(),
                 any_num()));
    PROVE(u_dot3(any_num(), any_num(), any_num(), any_num(), any_num(),
                 any_num()));
    PROVE(r_mul_cut(any_num(), any_num(), any_word()));
    PROVE(u_mul_cut(any_num(), any_num(), any_word()));
    PROVE(u_dot2_cut(any_num(), any_num(), any_num(), any_num(), any_word()));
    PROVE(u_dot3_cut(any_num(), any_num(), any_num(), any_num(), any_num(),
                     any_num(), any_word()));
}

/* Numbers of a size, shifted up by the free bits above it and down again. */
static void shifts(void)
{
    uint32_t up;

    PROVE(vsp__room_above(any_size()));
    /*@ loop unroll 29; */
    for (up = 0; up <= 28; up++) {
        int32_t end = up == 0 ? RANGE : (int32_t)1 << (28 - up);
        vsp__num a[3];

        a[0] = a[1] = a[2] = any_int(-end, end - 1);
        if (any_bool()) {
            vsp__shift_up_each(a, 3, up);
            vsp__shift_down_each(a, 3, up, any_word());
        }
    }
}

/* by the sign of the rate: see vsp__add_share */
static void steps(void)
{
    int32_t stride = any_int(INT32_MIN, INT32_MAX);

    PROVE(u_of_stride(r_stride(any_share())));
    PROVE(r_step(any_int(-RANGE, -1), any_num(), r_stride(any_share())));
    PROVE(r_step(any_size(), any_num(), r_stride(any_share())));
    PROVE(vsp__add_share(any_int(-RANGE, -1), VSP__HALVES_DOWN + 1u, any_num(),
                         stride));
    PROVE(vsp__add_share(any_size(), VSP__HALVES_DOWN + 1u, any_num(), stride));
}

static void squares(void)
{
    int64_t end = (int64_t)1 << 61;

    PROVE(r_product(any_num(), any_num()));
    PROVE(r_part(any_sum(), any_share()));
    PROVE(square_add(any_long(-end, end), any_long(-end, end)));
    PROVE(r_of_square(any_sum()));
    PROVE(w_of_square(any_sum()));
    PROVE(w_of_rate_square(any_sum()));
    PROVE(square_of_wide(any_wide()));
    PROVE(square_show(any_sum()));
}

static void bits(void)
{
    PROVE(r_bits(any_num()));
    PROVE(r_order(any_num()));
    PROVE(r_abs(any_num()));
    PROVE(r_size(any_num()));
    PROVE(r_max_size(any_size(), any_num()));
    PROVE(r_in(any_num(), any_num(), any_num()));
    PROVE(u_signed_bits(any_uint(0, RANGE), any_bool()));
}

static void conversions(void)
{
    PROVE(r_of_unit(any_num()));
    PROVE(u_of_real(any_num()));
    PROVE(u_of_rate(any_num(), any_num()));
    PROVE(r_of_rate(any_num(), any_num()));
    PROVE(r_of_rate_cut(any_num(), any_num(), any_word()));
    PROVE(rate_over(any_num(), any_num()));
    PROVE(r_to_int(any_num()));
    PROVE(r_from_int(any_int(INT32_MIN, INT32_MAX)));
}

static void totals(void)
{
    int64_t total = any_long(-PRODUCT_END, PRODUCT_END);

    PROVE(t_mean(total, any_uint(1, 0xffffffffu)));
    PROVE(t_rate(any_long(1, PRODUCT_END), any_word(), any_size()));
    t_add(&total, any_num());
}

static void callers(void)
{
    PROVE(r_read(any_caller()));
    PROVE(r_show(any_num()));
    PROVE(rate_read(any_caller()));
    PROVE(rate_show(any_num()));
    PROVE(u_read(any_caller()));
    PROVE(u_show(any_num()));
    PROVE(w_read(any_caller()));
    PROVE(w_show(any_wide()));
}


/* ---- fixed.c --------------------------------------------------------------
 */

static void roots(void)
{
    PROVE(vsp__reciprocal(any_int(VSP__REAL(1.0), MOST)));
    PROVE(vsp__square_root(any_caller()));
    PROVE(vsp__rsqrt_unit(any_num()));
    PROVE(vsp__geometric_mean(any_size(), any_size()));
}

static void wides(void)
{
    PROVE(w_mul(any_wide(), any_wide()));
    PROVE(w_div(any_wide(), any_wide()));
    PROVE(w_add(any_wide(), any_wide()));
    PROVE(w_neg(any_wide()).bits);
    PROVE(w_less(any_wide(), any_wide()));
    PROVE(w_in(any_wide(), any_wide(), any_wide()));
    PROVE(vsp__w_from(any_caller(), any_int(-1000, 1000)));
    PROVE(vsp__w_to(any_wide(), any_int(-100, 100)));
    PROVE(vsp__w_to_long(any_wide(), any_int(-100, 100)));
    PROVE(w_to_rate_cut(any_wide(), any_word()));
}

static void directions(void)
{
    vsp__v3 a = any_v3(), b = any_v3(), c;

    vsp__v3_divide(&a, any_positive());
    a = any_v3();
    vsp__v3_normalize(&a);
    a = any_v3();
    PROVE(v3_length(a));
    PROVE(v3_size(a));
    PROVE(v3_difference(a, b).x);
    PROVE(v3_add(v3_cross(a, b), u3_cross(a, b)).x);
    u3_move(&a, any_num(), &b);
    v3_move(&a, any_num(), &b);
    u3_move_abs(&a, any_num(), &b);
    vsp__v3_from_to(&a, &b, &c);
    v3_move_by_rate(&a, any_num(), &b, any_word());
    vsp__v3_scale_cut(&a, any_num(), any_word());
    vsp__v3_mix_cut(&a, any_num(), any_num(), &b, any_word());
    v3_clamp_in(&a, any_size());
    vsp__brick_corner(&b, any_uint(0, 7), &c);
    b = any_unit_v3();
    vsp__make_tangents(&b, &a, &c);
}

static void rotations(void)
{
    vsp__unit_quat q = any_quat(), r = any_quat();
    vsp__v3 a = any_v3();
    vsp__mat3 m;

    vsp__q_normalize(&q);
    q = any_quat();
    PROVE(vsp__q_is_unit(&q));
    vsp__q_mul(&q, &r, &r);
    r = any_quat();
    vsp__q_div(&q, &r, &r);
    vsp__q_cayley(&a, any_num(), &q);
    vsp__q_of_vector(&a, &q);
    PROVE(vsp__cayley_time(&a, any_share()));
    vsp__q_of_spin(&a, any_share(), &q);
    m = vsp__q_axes(any_unit_quat());
    q = any_unit_quat();
    vsp__q_rotate(&q, &a, &a);
    m = any_mat3();
    vsp__m3_mul_to(&m, &a, &a);
    vsp__m3_tmul_to(&m, &a, &a);
    PROVE(m3_tmul_cut(&m, a, any_word()).x);
}

static void read_rotation(void)
{
    vsp__unit_quat q;
    vsp_quat from;

    from.x = any_caller();
    from.y = any_caller();
    from.z = any_caller();
    from.w = any_caller();
    PROVE(vsp__q_read(from, &q));
}


/* ---- Symmetric matrices ---------------------------------------------------
 */

static void symmetric(void)
{
    vsp__sym3 s = any_sym3(), t;
    vsp__v3 a = any_v3(), u = any_unit_v3();
    vsp__mat3 m = any_mat3();
    vsp__wide3 torque;

    PROVE(vsp__s3_is_valid(&s));
    vsp__s3_mul_to(&s, &a, &a);
    t = s;
    vsp__s3_scale(&t, any_num());
    t = s;
    vsp__s3_scale_wide(&t, any_wide());
    vsp__s3_across(&u, &s, &t);
    PROVE(vsp__s3_along(&s, &u).bits);
    vsp__s3_to_size_one(&s, &t);
    vsp__s3_in_axes(&m, &s, &t);
    t = s;
    vsp__s3_rotate(&m, &t);
    torque.x = any_wide();
    torque.y = any_wide();
    torque.z = any_wide();
    vsp__s3_mul_torque(&s, &torque, any_wide(), any_word(), &a);
}

static void invert_sym3(void)
{
    vsp__sym3 s = any_sym3(), t;

    PROVE(vsp__s3_invert(&s, VSP__MIN_INERTIA_BITS, &t));
    PROVE(vsp__s3_invert(&s, 40, &t));
}

static void sums(void)
{
    int64_t end = (int64_t)1 << 61;
    vsp__sym3 s = any_sym3();
    vsp__v3 a = any_v3();
    vsp__s3_sums sum;

    sum.xx = sum.yy = sum.zz = any_long(-end, end);
    sum.xy = sum.xz = sum.yz = any_long(-end, end);
    vsp__sums_add_point(&sum, any_num(), &a);
    vsp__sums_add_identity(&sum, any_num());
    vsp__sums_to_s3(&sum, &s);
    s = any_sym3();
    sum.xx = sum.yy = sum.zz = any_long(-end, end);
    sum.xy = sum.xz = sum.yz = any_long(-end, end);
    vsp__sums_add_s3(&sum, any_num(), &s);
}


/* ---- Rows -----------------------------------------------------------------
 */

/* a spin after eleven rows */
static vsp__spin64 any_spin64(void)
{
    int32_t end = SPIN_END - ((int32_t)1 << 26);
    vsp__spin64 w;

    w.low = any_word();
    w.high = any_int(-end, end - 1);
    return w;
}

static vsp__exact_spin any_exact_spin(void)
{
    vsp__exact_spin w;

    w.x = any_spin64();
    w.y = any_spin64();
    w.z = any_spin64();
    return w;
}

/* as vsp__make_turn returns it: at most a quarter of the range */
static vsp__v3 any_turn(void)
{
    int32_t end = MOST >> 2;

    return v3(any_int(-end, end), any_int(-end, end), any_int(-end, end));
}

static void turns(void)
{
    vsp__sym3 s[2];
    vsp__v3 c = any_v3(), turn;
    uint32_t k;

    s[0] = any_sym3();
    s[1] = any_sym3();
    PROVE(vsp__find_turn_scale(s, any_size()));
    /*@ loop unroll 19; */
    for (k = 4; k <= 22; k++)
        PROVE(vsp__make_turn(&s[0], &c, k, &turn));
}

/* A change that fits 31 bits when shifted up by k (i = 0, 1) or does not (2,
 * 3); positive or negative. */
static vsp__num any_change(uint32_t i, uint32_t k)
{
    int32_t end = (MOST >> k) + 1;

    return i == 0   ? any_int(0, end - 1)
           : i == 1 ? any_int(-end, -1)
           : i == 2 ? any_int(end, MOST)
                    : any_int(-RANGE, -end - 1);
}

static void any_turns(vsp__v3 turn[2][3])
{
    uint32_t i;

    for (i = 0; i < 6; i++)
        turn[i / 3][i % 3] = any_turn();
}

static void any_spins(vsp__exact_spin w[2])
{
    w[0] = any_exact_spin();
    w[1] = any_exact_spin();
}

static void add_turns(uint32_t k)
{
    vsp__v3 turn[2][3];
    vsp__exact_spin w[2];
    uint32_t i;

    any_turns(turn);
    /*@ loop unroll 4; */
    for (i = 0; i < 4; i++) {
        any_spins(w);
        vsp__add_turns(w, any_change(i, k), &turn[0][0], &turn[1][0], k);
        any_spins(w);
        vsp__add_turns_called(w, any_change(i, k), &turn[0][0], &turn[1][0], k);
        any_spins(w);
        vsp__add_tangent_turns(w, any_change(i, k), any_num(),
                               (const vsp__v3(*)[3])turn, k);
        any_spins(w);
        vsp__add_tangent_turns(w, any_num(), any_change(i, k),
                               (const vsp__v3(*)[3])turn, k);
    }
}

static void add_normal_turns(uint32_t k)
{
    vsp__v3 turn[2][3], from = any_v3(), arm[2];
    vsp__exact_velocity e;
    vsp__exact_spin w[2];
    vsp__num u[2];
    uint32_t i;

    any_turns(turn);
    vsp__to_exact_velocity(&e, &from);
    arm[0] = any_v3();
    arm[1] = any_v3();
    /*@ loop unroll 4; */
    for (i = 0; i < 4; i++) {
        any_spins(w);
        vsp__add_normal_turns(&e, w, any_change(i, k), arm,
                              (const vsp__v3(*)[3])turn, k, u);
    }
}

static void all_turns(void)
{
    uint32_t k;

    /*@ loop unroll 19; */
    for (k = 4; k <= 22; k++) {
        add_turns(k);
        add_normal_turns(k);
    }
}

static void velocities(void)
{
    vsp__exact_velocity e;
    vsp__exact_spin w[2];
    vsp__v3 from = any_v3(), part = any_v3(), arm[2], change;

    vsp__to_exact_velocity(&e, &from);
    arm[0] = any_v3();
    arm[1] = any_v3();
    any_spins(w);
    vsp__relative_velocity(&e, w, arm, &change);
    PROVE(change.x);
    PROVE(vsp__normal_velocity(&e, w, arm, any_num()));
    vsp__spin_change(&w[0], &from, &change);
    PROVE(change.x);
    vsp__add_to_exact(&e.x, any_num());
    vsp__velocity_change(&e, &from, &change);
    PROVE(change.x);
    from.x = from.y = from.z = any_int(-RANGE, -1);
    vsp__v3_take_share(&from, &part, -any_share(), 5u);
    from.x = from.y = from.z = any_int(-RANGE, -1);
    vsp__v3_give_share(&from, &part, any_share(), 5u);
    from.x = from.y = from.z = any_size();
    vsp__v3_take_share(&from, &part, -any_share(), 5u);
    from.x = from.y = from.z = any_size();
    vsp__v3_give_share(&from, &part, any_share(), 5u);
}

void prove_numbers(void)
{
    arithmetic();
    shifts();
    steps();
    squares();
    bits();
    conversions();
    totals();
    callers();
    roots();
    wides();
    directions();
    rotations();
    read_rotation();
    symmetric();
    invert_sym3();
    sums();
    turns();
    all_turns();
    velocities();
}
