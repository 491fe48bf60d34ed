/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The scalar layer of the fixed kind against long double, whose 64 bits hold
 * every product of two of its numbers exactly: edges of the formats crossed
 * with each other, then random numbers, of which as many are small as large.
 * In this order: cases and checks; reals and units; wide numbers; roots and
 * vectors; quaternions; symmetric matrices; rows.
 *
 *     scalar            all groups
 *     scalar root disc  these groups
 *     scalar -v         with the largest error of each check
 *
 * Prints the first failures of each check, and ends with `N passed, N failed`,
 * counting checks. */

#include "../src/number/fixed.c" /* for its static functions */

#if !VSP_FIXED
#error "compile it with -DVSP_FIXED=1"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PAIRS
#define PAIRS 200000 /* random cases of a function of two numbers */
#define CASES 100000 /* random cases of a function of more numbers */
#endif
#define SHOWN 3
#define MAX_CHECKS 200
#define MAX_DRAWN 32

#define REAL_MAX VSP__REAL_MAX
#define REAL_MIN (-VSP__REAL_MAX - 1)
#define TWO(power) ldexpl(1.0L, power)

typedef long double number;


/* ---- Cases and checks ---------------------------------------------------- */

typedef struct check {
    const char *group, *what;
    unsigned long cases, failures;
    number worst; /* largest error */
} check;

static check checks[MAX_CHECKS];
static int check_count;
static const char *group;
static uint64_t random_state;
static int64_t drawn[MAX_DRAWN]; /* numbers drawn for this case */
static int drawn_count;

static void begin_case(void)
{
    drawn_count = 0;
}

static void note_drawn(int64_t a)
{
    if (drawn_count < MAX_DRAWN)
        drawn[drawn_count++] = a;
}

static check *find_check(const char *what)
{
    check *c;

    for (int i = 0; i < check_count; i++)
        if (checks[i].what == what && checks[i].group == group)
            return &checks[i];
    if (check_count == MAX_CHECKS)
        exit(2);
    c = &checks[check_count++];
    memset(c, 0, sizeof *c);
    c->group = group;
    c->what = what;
    return c;
}

static void report_failure(check *c, number got, number expected, number within)
{
    if (c->failures++ >= SHOWN)
        return;
    printf("FAILED %s: expected %.21Lg, within %.3Lg, got %.21Lg\n", c->what,
           expected, within, got);
    printf("    of");
    for (int i = 0; i < drawn_count; i++)
        printf(" %lld", (long long)drawn[i]);
    printf("\n    rerun: scalar %s\n", group);
}

static void near(const char *what, number got, number expected, number within)
{
    check *c = find_check(what);
    number error = fabsl(got - expected);

    c->cases++;
    if (error > c->worst)
        c->worst = error;
    if (!(error <= within))
        report_failure(c, got, expected, within);
}

static void same(const char *what, int64_t got, int64_t expected)
{
    check *c = find_check(what);

    c->cases++;
    if (got != expected)
        report_failure(c, (number)got, (number)expected, 0);
}

static void holds(const char *what, bool is_so)
{
    same(what, is_so, true);
}

/* xorshift64 */
static uint64_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static int random_below(int limit)
{
    return (int)(random_word() >> 33) % limit;
}

/* a random number of up to `bits` bits, with a sign */
static int64_t random_signed(int bits)
{
    int w = random_below(bits + 1);
    int64_t a = w > 0 ? (int64_t)(random_word() >> (64 - w)) : 0;

    if (random_below(4) == 0 && w > 0) /* near a power of two */
        a = ((int64_t)1 << (w - 1)) + random_below(3) - 1;
    return random_word() & 1 ? -a : a;
}

static vsp__num any_real_below(int bits)
{
    vsp__num a = (vsp__num)random_signed(bits);

    if (bits == 30 && random_below(32) == 0)
        a = random_word() & 1 ? REAL_MAX : REAL_MIN;
    a = a > REAL_MAX ? REAL_MAX : a < REAL_MIN ? REAL_MIN : a;
    note_drawn(a);
    return a;
}

static vsp__num any_real(void)
{
    return any_real_below(30);
}

static vsp__v3 any_vec(int bits)
{
    vsp__num x = any_real_below(bits), y = any_real_below(bits);

    return v3(x, y, any_real_below(bits));
}

/* in [0, 1) */
static number random_share(void)
{
    return (number)(random_word() >> 11) * TWO(-53);
}

#define MAX_EDGES 256

static int make_edges(vsp__num edges[MAX_EDGES])
{
    int count = 0;

    edges[count++] = 0;
    edges[count++] = REAL_MAX;
    edges[count++] = REAL_MIN;
    for (int bit = 0; bit < 30; bit++)
        for (int off = -1; off <= 1; off++) {
            vsp__num a = ((vsp__num)1 << bit) + off;

            edges[count++] = a;
            edges[count++] = -a;
        }
    return count;
}

static void try_pairs(void (*run)(vsp__num a, vsp__num b))
{
    vsp__num edges[MAX_EDGES];
    int count = make_edges(edges);

    for (int i = 0; i < count * count + PAIRS; i++) {
        vsp__num a, b;

        begin_case();
        if (i < count * count) {
            a = edges[i / count];
            b = edges[i % count];
            note_drawn(a);
            note_drawn(b);
        } else {
            a = any_real();
            b = any_real();
        }
        run(a, b);
    }
}


/* ---- Reals and units ----------------------------------------------------- */

static number clipped(number a)
{
    return fminl(fmaxl(a, -REAL_MAX), REAL_MAX);
}

/* a, but -REAL_MAX for REAL_MIN, as clipped() gives it */
static number off_end(vsp__num a)
{
    return a == REAL_MIN ? -REAL_MAX : a;
}

static int64_t clamp_long(int64_t a)
{
    return a > REAL_MAX ? REAL_MAX : a < REAL_MIN ? REAL_MIN : a;
}

/* floor(a + 1/2) within the range; beyond it the end, with an error of some
 * bits */
static void narrowed(const char *what, vsp__num got, number exact, int bits)
{
    number nearest = floorl(exact + 0.5L);

    if (nearest > REAL_MAX)
        near(what, got, REAL_MAX, TWO(bits) - 1);
    else if (nearest < REAL_MIN)
        near(what, got, REAL_MIN, TWO(bits) - 1);
    else
        near(what, got, nearest, 0);
    holds("in the range", got >= REAL_MIN && got <= REAL_MAX);
}

static void narrow_real(const char *what, vsp__num got, number sum)
{
    narrowed(what, got, sum * TWO(-VSP__REAL_BITS), 12);
}

static void narrow_unit(const char *what, vsp__num got, number sum)
{
    narrowed(what, got, sum * TWO(-VSP__UNIT_BITS), 3);
}

static void test_narrow(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        int64_t sum, end = INT64_MAX - ((int64_t)1 << 31);

        begin_case();
        sum = random_signed(63);
        sum = i == 0 ? end : i == 1 ? -end : sum;
        sum = sum > end ? end : sum < -end ? -end : sum;
        note_drawn(sum);
        narrow_real("narrow_real", vsp__narrow_real(sum), (number)sum);
        narrow_unit("narrow_unit", vsp__narrow_unit(sum), (number)sum);
    }
}

static void check_products(vsp__num a, vsp__num b)
{
    number exact = (number)a * b;

    narrow_real("r_mul", r_mul(a, b), exact);
    narrow_unit("u_mul", u_mul(a, b), exact);
    narrow_real("r_of_square", r_of_square(r_product(a, b)), exact);
    near("u_of_rate", off_end(u_of_rate(a, b)),
         clipped(floorl(exact * TWO(-VSP__RATE_BITS) + 0.5L)), 0);
    near("r_of_rate", off_end(r_of_rate(a, b)),
         clipped(floorl(
             exact * TWO(VSP__REAL_BITS - VSP__RATE_BITS - VSP__UNIT_BITS) +
             0.5L)),
         0);
    same("r_product", r_product(a, b), (int64_t)exact);
    same("square_show", square_show(r_product(a, b)),
         (int64_t)floorl(exact * TWO(-8)));
}

static void test_mul(void)
{
    try_pairs(check_products);
}

static void quotient(const char *what, vsp__num got, number exact)
{
    if (exact > REAL_MAX)
        near(what, got, REAL_MAX, 0);
    else if (exact < -REAL_MAX)
        near(what, got, -REAL_MAX, 0);
    else
        near(what, got, exact, 0.5L);
}

static void check_quotients(vsp__num a, vsp__num b)
{
    if (b == 0) {
        same("by zero", r_div(a, b), a < 0 ? -REAL_MAX : REAL_MAX);
        same("by zero", u_div(a, b), a < 0 ? -REAL_MAX : REAL_MAX);
        return;
    }
    quotient("r_div", r_div(a, b), (number)a * TWO(VSP__REAL_BITS) / b);
    quotient("u_div", u_div(a, b), (number)a * TWO(VSP__UNIT_BITS) / b);
    quotient("rate_over", rate_over(a, b),
             (number)a / b *
                 TWO(VSP__UNIT_BITS + VSP__RATE_BITS - VSP__REAL_BITS));
    if (b >= VSP__REAL(1.0))
        near("vsp__reciprocal", vsp__reciprocal(b),
             TWO(VSP__UNIT_BITS + VSP__REAL_BITS) / b, 3);
}

static void test_div(void)
{
    try_pairs(check_quotients);
}

static void sums(vsp__num a, vsp__num b)
{
    int64_t x = a, y = b;

    same("r_add", r_add(a, b), clamp_long(x + y));
    same("r_sub", r_sub(a, b), clamp_long(x - y));
    same("r_neg", r_neg(a), clamp_long(-x));
    same("r_abs", r_abs(a), clamp_long(x < 0 ? -x : x));
    same("r_signed", r_signed(a, b < 0), clamp_long(b < 0 ? -x : x));
    same("r_min", r_min(a, b), x < y ? x : y);
    same("r_max", r_max(a, b), x > y ? x : y);
    holds("r_order", (r_order(a) < r_order(b)) == (a < b));
    same("r_bits", r_from_bits(r_bits(a)), a);
    same("r_to_int", r_to_int(a), (int64_t)(x / (1 << VSP__REAL_BITS)));
    same("r_in", r_in(a, b, REAL_MAX), a >= b);
}

static void test_sum(void)
{
    try_pairs(sums);
    for (int i = -3000; i <= 3000; i++) {
        number exact = i * TWO(VSP__REAL_BITS);

        begin_case();
        note_drawn(i);
        near("r_from_int", r_from_int(i),
             i > 1023    ? REAL_MAX
             : i < -1023 ? -REAL_MAX
                         : exact,
             0);
    }
}

static void test_dots(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 a[2], b[2], c;
        number xy, xyz;

        begin_case();
        a[0] = any_vec(30);
        b[0] = any_vec(30);
        a[1] = any_vec(30);
        b[1] = any_vec(30);
        xy = (number)a->x * b->x + (number)a->y * b->y;
        xyz = xy + (number)a->z * b->z;
        narrow_real("r_dot2", r_dot2(a->x, b->x, a->y, b->y), xy);
        narrow_unit("u_dot2", u_dot2(a->x, b->x, a->y, b->y), xy);
        narrow_real("v3_dot", v3_dot(*a, *b), xyz);
        narrow_unit("u3_dot", u3_dot(*a, *b), xyz);
        near("v3_product", (number)v3_product(*a, *b), xyz, 0);
        c = v3_cross(*a, *b);
        narrow_real("v3_cross", c.z, (number)a->x * b->y - (number)a->y * b->x);
        c = u3_cross(*a, *b);
        narrow_unit("u3_cross", c.x, (number)a->y * b->z - (number)a->z * b->y);
    }
}

static void kinds(vsp__num a, vsp__num b)
{
    number part = (number)r_product(a, a) * b * TWO(-VSP__UNIT_BITS);
    int64_t near_square = r_product(b, b) - (a & 0xfffff);

    same("r_of_unit", r_of_unit(a), (int64_t)floorl(a * TWO(-9) + 0.5L));
    near("u_of_real", u_of_real(a),
         fminl(fmaxl(a * TWO(9), -REAL_MAX), REAL_MAX), 511);
    if (a <= REAL_MAX >> 9 && a >= -(REAL_MAX >> 9))
        same("r_of_unit, u_of_real", r_of_unit(u_of_real(a)), a);
    if (b <= VSP__UNIT(1.0) && b >= -VSP__UNIT(1.0))
        near("r_part", (number)r_part(r_product(a, a), b), part - 0.5L, 0.51L);
    near("square_add", (number)square_add(r_product(a, b), near_square),
         fmaxl(fminl((number)a * b + (number)near_square, TWO(61)), -TWO(61)),
         0);
}

static void test_kinds(void)
{
    try_pairs(kinds);
}

static void test_read(void)
{
    for (int i = 0; i < PAIRS; i++) {
        int64_t a, u;
        vsp__num r;

        begin_case();
        a = random_signed(63);
        u = random_signed(random_below(2) == 0 ? 33 : 63);
        a = i == 0 ? INT64_MIN : i == 1 ? INT64_MAX : a;
        u = i == 0 ? INT64_MIN : i == 1 ? INT64_MAX : u;
        note_drawn(a);
        note_drawn(u);
        r = any_real();
        same("r_read", r_read(a),
             clamp_long((int64_t)floorl((number)a * TWO(-12) + 0.5L)));
        same("u_read", u_read(u),
             clamp_long((int64_t)floorl((number)u * TWO(-3) + 0.5L)));
        same("r_show", r_show(r), (int64_t)r * 4096);
        same("rate_show", rate_show(r), (int64_t)r * 32768);
        same("rate_read of rate_show", rate_read(rate_show(r)), r);
        near("rate_read", rate_read(a),
             clipped((number)a * TWO(VSP__RATE_BITS - 32)), 1);
        same("u_show", u_show(r), (int64_t)r * 8);
        same("r_read of r_show", r_read(r_show(r)), r);
        same("u_read of u_show", u_read(u_show(r)), r);
    }
}

static void test_totals(void)
{
    for (int i = 0; i < PAIRS; i++) {
        int64_t total;
        uint32_t count;
        vsp__num scale;
        number rate;

        begin_case();
        total = random_signed(46);
        count = (uint32_t)random_below(65000) + 1u;
        scale = r_abs(any_real_below(26));
        total = total < 0 ? -total : total;
        note_drawn(total);
        note_drawn(count);
        near("t_mean", t_mean(total / 65536 * count, count),
             (number)(total / 65536), 1);
        if (total == 0)
            continue;
        rate = (number)count * scale / (number)total * TWO(VSP__REAL_BITS);
        near("t_rate", t_rate(total, count, scale), fminl(rate, REAL_MAX), 1);
    }
}


/* ---- Wide numbers -------------------------------------------------------- */

static number wide_value(vsp__wide a)
{
    int exponent = (int)(a.bits >> 23 & 255u);
    number size = ldexpl((number)((a.bits & 0x7fffffu) | 0x800000u),
                         exponent - 150);

    if (exponent == 0)
        return 0;
    return a.bits >> 31 != 0 ? -size : size;
}

/* Rounded to nearest with 24 bits; below 2^-50 0, beyond the range its end. */
static void is_wide(const char *what, vsp__wide got, number exact, number units)
{
    number size = fabsl(exact), last = TWO(100) - TWO(76);
    number place = size > 0 ? TWO(ilogbl(size) - 23) : 0;

    holds("w_is_finite", w_is_finite(got));
    holds("w_flush", w_bits(w_flush(got)) == w_bits(got));
    if (size < TWO(-50) * (1 - TWO(-25)))
        near(what, wide_value(got), 0, 0);
    else if (size < TWO(-50))
        near(what, fabsl(wide_value(got)), TWO(-50), 0);
    else if (size > last)
        near(what, wide_value(got), exact > 0 ? last : -last, 0);
    else
        near(what, (wide_value(got) - exact) / place, 0, units);
}

static vsp__wide any_wide(void)
{
    uint32_t exponent = (uint32_t)(127 - 50 + random_below(150));
    uint32_t mantissa = (uint32_t)(random_word() >> 41), kind;
    uint32_t bits;

    kind = (uint32_t)random_below(16);
    mantissa = kind == 0 ? 0 : kind == 1 ? 0x7fffffu : mantissa;
    if (kind < 4)
        mantissa &= 0x700000u;
    bits = (uint32_t)(random_word() >> 63) << 31 | exponent << 23 | mantissa;
    if (kind == 5)
        bits = 0;
    note_drawn(bits);
    return w_from_bits(bits);
}

/* a number of a similar size, for sums */
static vsp__wide beside(vsp__wide a)
{
    int exponent = (int)(a.bits >> 23 & 255u) + random_below(80) - 40;
    vsp__wide b = any_wide();

    exponent = exponent < 77 ? 77 : exponent > 226 ? 226 : exponent;
    if (b.bits != 0)
        b.bits = (b.bits & 0x807fffffu) | (uint32_t)exponent << 23;
    drawn[drawn_count - 1] = b.bits;
    return b;
}

static void test_wide(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        vsp__wide a, b, c;
        number x, y, z;

        begin_case();
        a = any_wide();
        b = any_wide();
        c = beside(a);
        x = wide_value(a);
        y = wide_value(b);
        z = wide_value(c);
        is_wide("w_mul", w_mul(a, b), x * y, 0.5L);
        if (b.bits != 0)
            is_wide("w_div", w_div(a, b), x / y, 0.5L + TWO(-30));
        else
            is_wide("w_div by zero", w_div(a, b),
                    x > 0   ? TWO(110)
                    : x < 0 ? -TWO(110)
                            : 0,
                    0);
        is_wide("w_add", w_add(a, c), x + z, 0.5L + TWO(-8));
        is_wide("w_add of far ones", w_add(a, b), x + y, 0.5L + TWO(-8));
        is_wide("w_neg", w_neg(a), -x, 0);
        holds("w_less", w_less(a, c) == (x < z));
        holds("w_less of far ones", w_less(a, b) == (x < y));
        holds("w_in", w_in(a, c, b) == (x >= z && x <= y));
        holds("w_is_zero", w_is_zero(a) == !(x < 0 || x > 0));
        near("square_of_wide", (number)square_of_wide(a),
             fminl(fmaxl(floorl(x * TWO(40) + 0.5L), -TWO(60)), TWO(60)), 0);
        same("w_sub of itself", w_bits(w_add(a, w_neg(a))), 0);
    }
}

static void test_wide_from(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        int64_t m;
        int places;
        vsp__wide w;

        begin_case();
        m = random_signed(63);
        m = i == 0 ? INT64_MIN : i == 1 ? INT64_MAX : m;
        places = random_below(120) - 50;
        note_drawn(m);
        note_drawn(places);
        w = vsp__w_from(m, places);
        is_wide("vsp__w_from", w, ldexpl((number)m, -places), 0.5L);
        is_wide("w_read", w_read(m), ldexpl((number)m, -32), 0.5L);
        is_wide("w_of_square", w_of_square(m), ldexpl((number)m, -40), 0.5L);
        is_wide("w_of_rate_square", w_of_rate_square(m),
                ldexpl((number)m, -2 * VSP__RATE_BITS), 0.5L);
        m %= 1 << 24;
        is_wide("w_of_rate", w_of_rate((vsp__num)m),
                ldexpl((number)m, -VSP__RATE_BITS), 0);
        same("w_to_rate of w_of_rate", w_to_rate(w_of_rate((vsp__num)m)), m);
        same("w_to_real of w_of_real", w_to_real(w_of_real((vsp__num)m)), m);
        same("w_to_unit of w_of_unit", w_to_unit(w_of_unit((vsp__num)m)), m);
        same("w_show of w_read", w_show(w_read(m * 64)), m * 64);
    }
}

static void test_wide_to(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        vsp__wide a;
        int places;
        number exact;

        begin_case();
        a = any_wide();
        places = random_below(80) - 10;
        note_drawn(places);
        exact = floorl(ldexpl(wide_value(a), places) + 0.5L);
        near("vsp__w_to", vsp__w_to(a, places),
             fminl(fmaxl(exact, -REAL_MAX), REAL_MAX), 0);
        near("vsp__w_to_long", (number)vsp__w_to_long(a, places),
             fminl(fmaxl(exact, -(number)INT64_MAX), (number)INT64_MAX), 0);
    }
}


/* ---- Roots and vectors --------------------------------------------------- */

static void test_root(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        int64_t a;
        vsp__num r;

        begin_case();
        a = random_signed(62);
        if (random_below(3) == 0)
            a = r_square((vsp__num)random_signed(30)) + random_below(3) - 1;
        a = i == 0 ? 0 : i == 1 ? INT64_MAX : i == 2 ? -1 : a;
        note_drawn(a);
        r = vsp__square_root(a);
        near("vsp__square_root", r,
             a > 0 ? floorl(fminl(sqrtl((number)a), REAL_MAX)) : 0, 0);
        holds("vsp__square_root is monotone",
              a <= 0 || vsp__square_root(a - 1) <= r);
    }
}

static void test_rsqrt(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        vsp__num a, b;
        number exact;

        begin_case();
        a = any_real();
        b = any_real();
        if (a <= 0) {
            same("vsp__rsqrt_unit of zero", vsp__rsqrt_unit(a), REAL_MAX);
            continue;
        }
        exact = TWO(VSP__REAL_BITS) / sqrtl(a * TWO(-VSP__UNIT_BITS));
        near("vsp__rsqrt_unit", vsp__rsqrt_unit(a), fminl(exact, REAL_MAX),
             1 + exact * TWO(-28));
        if (b >= 0)
            near("vsp__geometric_mean", vsp__geometric_mean(a, b),
                 floorl(sqrtl((number)a * b)), 0);
    }
}

static void test_disc(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        vsp__num limit, t1, t2, a, b;
        number size, k;

        begin_case();
        limit = r_abs(any_real());
        t1 = a = any_real();
        t2 = b = any_real();
        size = hypotl(t1, t2);
        vsp__clamp_to_disc(limit, VSP__NEAREST, &a, &b);
        k = size > limit ? limit / size : 1;
        near("vsp__clamp_to_disc", a, t1 * k, 2);
        near("vsp__clamp_to_disc", b, t2 * k, 2);
        near("its length", fmaxl(hypotl(a, b) - limit, 0), 0, 2);
        if (size <= limit)
            holds("vsp__clamp_to_disc inside", a == t1 && b == t2);
    }
}

static number length_of(vsp__v3 v)
{
    return sqrtl((number)v.x * v.x + (number)v.y * v.y + (number)v.z * v.z);
}

static void test_normalize(void)
{
    for (int i = 0; i < 5 * PAIRS; i++) {
        vsp__v3 v, n;
        number length, k;

        begin_case();
        v = any_vec(30);
        if (i < 27) /* components of at most one place */
            v = v3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        if (i == 27)
            v = v3(REAL_MIN, REAL_MIN, REAL_MIN);
        n = v;
        vsp__v3_normalize(&n);
        length = length_of(v);
        if (length < 1) {
            holds("of zero", n.x == 0 && n.y == 0 && n.z == 0);
            continue;
        }
        k = TWO(VSP__UNIT_BITS) / length;
        near("vsp__v3_normalize", length_of(n), TWO(VSP__UNIT_BITS), 4);
        near("direction", n.x, v.x * k, 2.5L);
        near("direction", n.y, v.y * k, 2.5L);
        near("direction", n.z, v.z * k, 2.5L);
        n = v;
        vsp__v3_normalize_by(&n, v3_length(v));
        near("vsp__v3_normalize_by", length_of(n), TWO(VSP__UNIT_BITS), 4);
        near("v3_length", v3_length(v), floorl(fminl(length, REAL_MAX)), 0);
    }
}

/* A quotient has the relative error of the reciprocal that makes it. */
static void test_over(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 v, q;
        vsp__num a;
        number k, slack;

        begin_case();
        q = v = any_vec(30);
        a = r_abs(any_real());
        a += a == 0;
        vsp__v3_divide(&q, a);
        k = TWO(VSP__REAL_BITS) / a;
        slack = 0.5L + (a >= VSP__REAL(1.0) ? v3_size(v) * TWO(-27) : 0);
        near("vsp__v3_divide", off_end(q.x), clipped(v.x * k), slack);
        near("vsp__v3_divide", off_end(q.y), clipped(v.y * k), slack);
        near("vsp__v3_divide", off_end(q.z), clipped(v.z * k), slack);
    }
}

static void test_travel(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 from, to, v;
        vsp__num h;
        number k;

        begin_case();
        to = from = any_vec(30);
        v = any_vec(30);
        h = any_real();
        v3_move_by_rate(&to, h, &v, VSP__NEAREST);
        k = h * TWO(VSP__REAL_BITS - VSP__RATE_BITS - VSP__UNIT_BITS);
        near("v3_move_by_rate", to.x, clipped(from.x + clipped(k * v.x)), 1);
        near("v3_move_by_rate", to.y, clipped(from.y + clipped(k * v.y)), 1);
        near("v3_move_by_rate", to.z, clipped(from.z + clipped(k * v.z)), 1);
    }
}


/* ---- Quaternions --------------------------------------------------------- */

typedef struct turn4 {
    number x, y, z, w;
} turn4;

static turn4 value_of(const vsp__unit_quat *q)
{
    number k = TWO(-VSP__UNIT_BITS);
    turn4 t = {q->x * k, q->y * k, q->z * k, q->w * k};

    return t;
}

static number size4(turn4 t)
{
    return sqrtl(t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w);
}

static turn4 unit4(turn4 t)
{
    number k = 1 / size4(t);
    turn4 u = {t.x * k, t.y * k, t.z * k, t.w * k};

    return u;
}

static void near_turn(const char *what, const vsp__unit_quat *got,
                      turn4 expected, number within)
{
    turn4 t = value_of(got);

    near(what, t.x, expected.x, within);
    near(what, t.y, expected.y, within);
    near(what, t.z, expected.z, within);
    near(what, t.w, expected.w, within);
}

static vsp__unit_quat any_quat(int bits)
{
    vsp__v3 v = any_vec(bits);
    vsp__unit_quat q;

    q.x = v.x;
    q.y = v.y;
    q.z = v.z;
    q.w = any_real_below(bits);
    return q;
}

static vsp__unit_quat any_turn(void)
{
    vsp__unit_quat q = any_quat(30);

    if (q_square(&q) == 0)
        q = q_identity();
    vsp__q_normalize(&q);
    return q;
}

static void test_quat(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__unit_quat q, n;

        begin_case();
        q = any_quat(30);
        if (i == 0) {
            q.x = q.y = q.z = q.w = REAL_MIN;
        }
        n = q;
        vsp__q_normalize(&n);
        if (q_square(&q) == 0) {
            holds("of zero", q_square(&n) == 0);
            continue;
        }
        near_turn("vsp__q_normalize", &n, unit4(value_of(&q)), TWO(-27));
        near("its length", size4(value_of(&n)), 1, TWO(-27));
        holds("vsp__q_is_unit", vsp__q_is_unit(&n));
        near("q_square", (number)q_square(&n) * TWO(-58),
             size4(value_of(&n)) * size4(value_of(&n)), TWO(-60));
    }
}

static bool is_same_turn(const vsp__unit_quat *a, const vsp__unit_quat *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z && a->w == b->w;
}

static void read_back(vsp__unit_quat q)
{
    vsp__unit_quat back;

    begin_case();
    note_drawn(q.x);
    note_drawn(q.y);
    note_drawn(q.z);
    note_drawn(q.w);
    holds("q_show can be read", vsp__q_read(q_show(q), &back));
    holds("vsp__q_read of q_show", is_same_turn(&q, &back));
}

static void read_any(int64_t x, int64_t y, int64_t z, int64_t w)
{
    vsp_quat from;
    turn4 exact = {(number)x, (number)y, (number)z, (number)w};
    number size = fmaxl(fmaxl(fabsl(exact.x), fabsl(exact.y)),
                        fmaxl(fabsl(exact.z), fabsl(exact.w)));
    vsp__unit_quat q;

    from.x = x;
    from.y = y;
    from.z = z;
    from.w = w;
    if (vsp__q_read(from, &q)) {
        near_turn("vsp__q_read", &q, unit4(exact), TWO(-22));
        holds("what is refused", size >= TWO(18) && size < TWO(42));
    } else {
        holds("what is not refused", size < TWO(18) || size >= TWO(42));
    }
}

static void test_quat_read(void)
{
    vsp__unit_quat half;

    half.x = half.y = half.z = half.w = VSP__UNIT(0.5);
    read_back(half);
    half.x = half.y = half.z = half.w = VSP__UNIT(0.5) - 1;
    read_back(half);
    half.w += 3;
    read_back(half);
    for (int i = 0; i < PAIRS; i++) {
        int64_t x, y, z, w;

        begin_case();
        read_back(any_turn());
        begin_case();
        x = random_signed(63);
        y = random_signed(45);
        z = random_signed(63);
        w = random_signed(63);
        if (i % 8 != 0) {
            x %= (int64_t)1 << 34;
            z %= (int64_t)1 << 34;
            w %= (int64_t)1 << 34;
            y %= (int64_t)1 << (10 + i % 33);
        }
        note_drawn(x);
        note_drawn(y);
        note_drawn(z);
        note_drawn(w);
        read_any(x, y, z, w);
    }
    read_any(INT64_MIN, 0, 0, 0);
    read_any(0, INT64_MIN, INT64_MAX, INT64_MIN);
    read_any(0, 0, 0, 0);
}

static void test_turn_of(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 spin;
        vsp__num h;
        vsp__unit_quat q;
        number k, length, part;
        turn4 t;

        begin_case();
        spin = any_vec(26);
        h = VSP__UNIT(0.0001) + (vsp__num)(random_share() * VSP__UNIT(0.1));
        note_drawn(h);
        vsp__q_of_spin(&spin, h, &q);
        k = h * TWO(-VSP__RATE_BITS - VSP__UNIT_BITS - 1);
        length = k * sqrtl(spin.x * (number)spin.x + spin.y * (number)spin.y +
                           spin.z * (number)spin.z);
        part = length > 0 ? k * sinl(length) / length : k;
        t.x = spin.x * part;
        t.y = spin.y * part;
        t.z = spin.z * part;
        t.w = cosl(length);
        /* a large rotation takes a short time, whose last place matters */
        near_turn("vsp__q_of_spin", &q, t, TWO(-24) + length * TWO(-15));
    }
}

static void test_cayley(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 spin;
        vsp__num h;
        vsp__unit_quat q;
        number k;
        turn4 t;

        begin_case();
        spin = any_vec(29);
        h = VSP__UNIT(0.0001) + (vsp__num)(random_share() * VSP__UNIT(0.1));
        note_drawn(h);
        vsp__q_cayley(&spin, h, &q);
        k = h * TWO(-VSP__RATE_BITS - VSP__UNIT_BITS - 1);
        t.x = spin.x * k;
        t.y = spin.y * k;
        t.z = spin.z * k;
        t.w = 1;
        near_turn("vsp__q_cayley", &q, unit4(t), TWO(-27));
        near("its length", size4(value_of(&q)), 1, TWO(-27));
    }
}

static void test_turn_by(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 angle;
        vsp__unit_quat q;
        number k = TWO(-VSP__UNIT_BITS - 1);
        turn4 t;

        begin_case();
        angle = any_vec(30);
        vsp__q_of_vector(&angle, &q);
        t.x = angle.x * k;
        t.y = angle.y * k;
        t.z = angle.z * k;
        t.w = 1;
        near_turn("vsp__q_of_vector", &q, unit4(t), TWO(-27));
        near("its length", size4(value_of(&q)), 1, TWO(-27));
    }
}

/* rotates v exactly */
static void turn_exact(turn4 q, const number v[3], number out[3])
{
    number cx = 2 * (q.y * v[2] - q.z * v[1]);
    number cy = 2 * (q.z * v[0] - q.x * v[2]);
    number cz = 2 * (q.x * v[1] - q.y * v[0]);

    out[0] = v[0] + q.w * cx + q.y * cz - q.z * cy;
    out[1] = v[1] + q.w * cy + q.z * cx - q.x * cz;
    out[2] = v[2] + q.w * cz + q.x * cy - q.y * cx;
}

static void test_turned(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__unit_quat a, b, p;
        vsp__v3 v, w;
        turn4 x, y, xy;
        number from[3], to[3], slack;

        begin_case();
        a = any_turn();
        b = any_turn();
        v = any_vec(28);
        x = value_of(&a);
        y = value_of(&b);
        vsp__q_mul(&a, &b, &p);
        xy.x = x.w * y.x + x.x * y.w + x.y * y.z - x.z * y.y;
        xy.y = x.w * y.y + x.y * y.w + x.z * y.x - x.x * y.z;
        xy.z = x.w * y.z + x.z * y.w + x.x * y.y - x.y * y.x;
        xy.w = x.w * y.w - x.x * y.x - x.y * y.y - x.z * y.z;
        near_turn("q_mul", &p, xy, TWO(-29));
        from[0] = v.x;
        from[1] = v.y;
        from[2] = v.z;
        turn_exact(x, from, to);
        vsp__q_rotate(&a, &v, &w);
        slack = 1 + length_of(v) * TWO(-25);
        near("vsp__q_rotate", w.x, to[0], slack);
        near("vsp__q_rotate", w.y, to[1], slack);
        near("vsp__q_rotate", w.z, to[2], slack);
    }
}


/* ---- Symmetric matrices -------------------------------------------------- */

typedef struct sym {
    number xx, yy, zz, xy, xz, yz;
} sym;

static sym value_of_sym(const vsp__sym3 *s)
{
    number k = TWO(-s->shift);
    sym m = {s->xx * k, s->yy * k, s->zz * k, s->xy * k, s->xz * k, s->yz * k};

    return m;
}

static number size_of(const sym *m)
{
    number d = fmaxl(fabsl(m->xx), fmaxl(fabsl(m->yy), fabsl(m->zz)));
    number o = fmaxl(fabsl(m->xy), fmaxl(fabsl(m->xz), fabsl(m->yz)));

    return fmaxl(d, o);
}

/* the error is relative to the largest expected component */
static void near_sym(const char *what, const vsp__sym3 *got,
                     const sym *expected, number within)
{
    sym m = value_of_sym(got);
    number k = size_of(expected);

    k = k > 0 ? 1 / k : TWO(90);
    near(what, (m.xx - expected->xx) * k, 0, within);
    near(what, (m.yy - expected->yy) * k, 0, within);
    near(what, (m.zz - expected->zz) * k, 0, within);
    near(what, (m.xy - expected->xy) * k, 0, within);
    near(what, (m.xz - expected->xz) * k, 0, within);
    near(what, (m.yz - expected->yz) * k, 0, within);
}

static vsp__num part_of(number a, int shift)
{
    vsp__num part = (vsp__num)llroundl(ldexpl(a, shift));

    note_drawn(part);
    return part;
}

static vsp__sym3 packed(const sym *m)
{
    int shift = 27 - ilogbl(size_of(m));
    vsp__sym3 s;

    s.xx = part_of(m->xx, shift);
    s.yy = part_of(m->yy, shift);
    s.zz = part_of(m->zz, shift);
    s.xy = part_of(m->xy, shift);
    s.xz = part_of(m->xz, shift);
    s.yz = part_of(m->yz, shift);
    s.shift = shift;
    note_drawn(shift);
    return s;
}

/* e[0] a a^T + e[1] b b^T + e[2] c c^T of random axes a, b, c */
static sym of_eigenvalues(const number e[3])
{
    turn4 q = {random_share() - 0.5L, random_share() - 0.5L,
               random_share() - 0.5L, random_share() - 0.5L};
    sym m = {0, 0, 0, 0, 0, 0};

    q = unit4(q);
    for (int i = 0; i < 3; i++) {
        number axis[3] = {i == 0, i == 1, i == 2}, a[3];

        turn_exact(q, axis, a);
        m.xx += e[i] * a[0] * a[0];
        m.yy += e[i] * a[1] * a[1];
        m.zz += e[i] * a[2] * a[2];
        m.xy += e[i] * a[0] * a[1];
        m.xz += e[i] * a[0] * a[2];
        m.yz += e[i] * a[1] * a[2];
    }
    return m;
}

/* fills eigenvalues within this ratio; the largest is 1e-5 to 1e4 */
static number any_eigenvalues(number ratio, number e[3])
{
    number size = powl(10, -5 + 9 * random_share()), low = 1;

    e[0] = size;
    for (int i = 1; i < 3; i++) {
        number k = powl(ratio, -random_share());

        e[i] = size * k;
        low = fminl(low, k);
    }
    return 1 / low;
}

static vsp__sym3 any_sym(void)
{
    number e[3];
    sym m;

    any_eigenvalues(1e5L, e);
    m = of_eigenvalues(e);
    return packed(&m);
}

static void mul_exact(const sym *m, const vsp__v3 *v, number out[3])
{
    out[0] = m->xx * v->x + m->xy * v->y + m->xz * v->z;
    out[1] = m->xy * v->x + m->yy * v->y + m->yz * v->z;
    out[2] = m->xz * v->x + m->yz * v->y + m->zz * v->z;
}

static void test_sym_mul(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__sym3 s;
        vsp__v3 v, out;
        number exact[3];
        sym m;

        begin_case();
        s = any_sym();
        v = any_vec(30);
        m = value_of_sym(&s);
        mul_exact(&m, &v, exact);
        s3_mul_to(&s, &v, &out);
        near("s3_mul_to", out.x, clipped(exact[0]), 0.5L);
        near("s3_mul_to", out.y, clipped(exact[1]), 0.5L);
        near("s3_mul_to", out.z, clipped(exact[2]), 0.5L);
        s3_mul_to(&s, &v, &v);
        holds("s3_mul_to in place",
              v.x == out.x && v.y == out.y && v.z == out.z);
    }
}

static void test_sym_scale(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__sym3 s, to;
        vsp__num k;
        sym m;
        number f;

        begin_case();
        to = s = any_sym();
        k = any_real();
        vsp__s3_scale(&to, k);
        m = value_of_sym(&s);
        f = k * TWO(-VSP__UNIT_BITS);
        m.xx *= f;
        m.yy *= f;
        m.zz *= f;
        m.xy *= f;
        m.xz *= f;
        m.yz *= f;
        near_sym("vsp__s3_scale", &to, &m, TWO(-28));
        vsp__s3_to_size_one(&s, &to);
        m = value_of_sym(&to);
        holds("vsp__s3_to_size_one", size_of(&m) <= 1 && size_of(&m) >= 0.49L);
    }
}

/* sums of a few squares, of any size */
static void test_sums(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__s3_sums sum;
        vsp__sym3 s, up;
        vsp__v3 r;
        vsp__num k;
        number x, y, z, w, unit, slack;
        sym m;

        begin_case();
        memset(&sum, 0, sizeof sum);
        s = any_sym();
        k = any_real();
        r = any_vec(28);
        w = random_below(VSP__REAL(1.0)) + 1;
        note_drawn((int64_t)w);
        vsp__sums_add_s3(&sum, k, &s);
        vsp__sums_add_point(&sum, (vsp__num)w, &r);
        vsp__sums_to_s3(&sum, &up);
        m = value_of_sym(&s);
        unit = k * TWO(-VSP__UNIT_BITS);
        w *= TWO(-VSP__REAL_BITS);
        x = r.x * TWO(-VSP__REAL_BITS);
        y = r.y * TWO(-VSP__REAL_BITS);
        z = r.z * TWO(-VSP__REAL_BITS);
        m.xx = unit * m.xx + w * (y * y + z * z);
        m.yy = unit * m.yy + w * (x * x + z * z);
        m.zz = unit * m.zz + w * (x * x + y * y);
        m.xy = unit * m.xy - w * x * y;
        m.xz = unit * m.xz - w * x * z;
        m.yz = unit * m.yz - w * y * z;
        /* products w r are reals, within half a place */
        slack = TWO(-40) + (fabsl(x) + fabsl(y) + fabsl(z)) * TWO(-20);
        near_sym("vsp__sums_to_s3", &up, &m,
                 TWO(-27) + slack / fmaxl(size_of(&m), TWO(-60)));
    }
}

static void ends(vsp__square sum, number low)
{
    holds("vsp__sums_add_point ends", sum >= low && sum <= TWO(61));
}

/* Mass points farther away than any world allows: sums saturate, and do not
 * wrap. */
static void test_far_sums(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__s3_sums sum;
        vsp__sym3 s;
        vsp__v3 r;

        begin_case();
        memset(&sum, 0, sizeof sum);
        for (int k = 0; k < 5; k++) {
            r = any_vec(30);
            vsp__sums_add_point(&sum, r_abs(any_real()), &r);
        }
        ends(sum.xx, 0);
        ends(sum.yy, 0);
        ends(sum.zz, 0);
        ends(sum.xy, -TWO(61));
        ends(sum.xz, -TWO(61));
        ends(sum.yz, -TWO(61));
        vsp__sums_to_s3(&sum, &s);
        holds("vsp__sums_to_s3 of far ones",
              v3_size(v3(s.xx, s.yy, s.zz)) <= 1 << 28);
    }
}

static void seen_exact(const number a[3][3], const sym *s, sym *m)
{
    const number p[3][3] = {
        {s->xx, s->xy, s->xz}, {s->xy, s->yy, s->yz}, {s->xz, s->yz, s->zz}};
    number to[3][3];

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            to[i][k] = 0;
            for (int j = 0; j < 9; j++)
                to[i][k] += a[i][j / 3] * p[j / 3][j % 3] * a[k][j % 3];
        }
    m->xx = to[0][0];
    m->yy = to[1][1];
    m->zz = to[2][2];
    m->xy = to[0][1];
    m->xz = to[0][2];
    m->yz = to[1][2];
}

static void test_rotate(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__sym3 s, seen;
        vsp__mat3 axes;
        number a[3][3], back[3][3];
        sym m, from;

        begin_case();
        s = any_sym();
        axes = vsp__q_axes(any_turn());
        for (int k = 0; k < 3; k++) {
            a[k][0] = axes.axis[k].x * TWO(-VSP__UNIT_BITS);
            a[k][1] = axes.axis[k].y * TWO(-VSP__UNIT_BITS);
            a[k][2] = axes.axis[k].z * TWO(-VSP__UNIT_BITS);
        }
        for (int k = 0; k < 9; k++)
            back[k / 3][k % 3] = a[k % 3][k / 3];
        from = value_of_sym(&s);
        vsp__s3_in_axes(&axes, &s, &seen);
        seen_exact((const number(*)[3])a, &from, &m);
        near_sym("vsp__s3_in_axes", &seen, &m, TWO(-26));
        vsp__s3_rotate(&axes, &s);
        seen_exact((const number(*)[3])back, &from, &m);
        near_sym("vsp__s3_rotate", &s, &m, TWO(-26));
    }
}

static number determinant(const sym *m)
{
    return m->xx * (m->yy * m->zz - m->yz * m->yz) -
           m->xy * (m->xy * m->zz - m->xz * m->yz) +
           m->xz * (m->xy * m->yz - m->xz * m->yy);
}

static sym inverse_of(const sym *m)
{
    number k = 1 / determinant(m);
    sym i = {k * (m->yy * m->zz - m->yz * m->yz),
             k * (m->xx * m->zz - m->xz * m->xz),
             k * (m->xx * m->yy - m->xy * m->xy),
             k * (m->xz * m->yz - m->xy * m->zz),
             k * (m->xy * m->yz - m->xz * m->yy),
             k * (m->xy * m->xz - m->xx * m->yz)};

    return i;
}

/* Checks that vsp__s3_invert refuses exactly the determinants not above 2^-bits
 * of the diagonal's cube; at the limit rounding may decide. */
static void check_inverse(const vsp__sym3 *s, uint32_t bits, number ratio)
{
    sym m = value_of_sym(s), expected;
    number size = fmaxl(m.xx, fmaxl(m.yy, m.zz));
    number det = determinant(&m) / (size * size * size);
    number bar = TWO(-(int)bits), slack = 0.01L * bar + TWO(-28);
    vsp__sym3 got;

    if (vsp__s3_invert(s, bits, &got)) {
        holds("refused", det > bar - slack);
        if (ratio > 0) {
            expected = inverse_of(&m);
            near_sym("vsp__s3_invert", &got, &expected, ratio * TWO(-25));
        }
    } else {
        holds("inverted", det < bar + slack);
        holds("zero", (got.xx | got.yy | got.zz | got.xy) == 0);
    }
}

static void test_invert(void)
{
    for (int i = 0; i < CASES; i++) {
        number e[3], ratio;
        vsp__sym3 s;
        sym m;

        begin_case();
        ratio = any_eigenvalues(1e5L, e);
        m = of_eigenvalues(e);
        s = packed(&m);
        check_inverse(&s, 40, ratio);
        check_inverse(&s, 30, 0);
        check_inverse(&s, 17, 0);
        check_inverse(&s, 12, 0);
        vsp__s3_rotate(&(vsp__mat3){{v3(VSP__UNIT(0.6), VSP__UNIT(0.8), 0),
                                     v3(-VSP__UNIT(0.8), VSP__UNIT(0.6), 0),
                                     v3(0, 0, VSP__UNIT(1.0))}},
                       &s);
        check_inverse(&s, 30, 0);
        e[i % 3] = 0; /* a disc, a line, a point */
        e[i / 3 % 3] = 0;
        m = of_eigenvalues(e);
        if (size_of(&m) > 0) {
            s = packed(&m);
            holds("singular", !vsp__s3_invert(&s, 17, &s));
        }
    }
    {
        /* one large eigenvalue along x, three times the largest component */
        vsp__sym3 s = {3 << 28, 3 << 26, 3 << 26, 0, 0, 0, 40};

        s.xx -= 1;
        begin_case();
        check_inverse(&s, 30, 100);
        vsp__s3_clear(&s);
        holds("singular", !vsp__s3_invert(&s, 17, &s));
    }
}

static void test_across(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__v3 a;
        vsp__sym3 moment, s;
        number x, y, z, k;
        sym m;

        begin_case();
        a = any_vec(30);
        if (v3_size(a) == 0)
            a.x = 1;
        vsp__v3_normalize(&a);
        moment = any_sym();
        vsp__s3_across(&a, &moment, &s);
        m = value_of_sym(&moment);
        k = 2 / (m.xx + m.yy + m.zz);
        x = a.x * TWO(-VSP__UNIT_BITS);
        y = a.y * TWO(-VSP__UNIT_BITS);
        z = a.z * TWO(-VSP__UNIT_BITS);
        m.xx = (1 - x * x) * k;
        m.yy = (1 - y * y) * k;
        m.zz = (1 - z * z) * k;
        m.xy = -x * y * k;
        m.xz = -x * z * k;
        m.yz = -y * z * k;
        near_sym("vsp__s3_across", &s, &m, TWO(-27));
    }
}

static void test_along(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__sym3 s;
        vsp__v3 a;
        number to[3], exact;
        sym m;

        begin_case();
        s = any_sym();
        a = any_vec(30);
        if (v3_size(a) == 0)
            a.x = 1;
        vsp__v3_normalize(&a);
        m = value_of_sym(&s);
        mul_exact(&m, &a, to);
        exact = (a.x * to[0] + a.y * to[1] + a.z * to[2]) *
                TWO(-2 * VSP__UNIT_BITS);
        near("vsp__s3_along",
             (wide_value(vsp__s3_along(&s, &a)) - exact) / size_of(&m), 0,
             TWO(-23));
    }
}

static void near_rate(vsp__num got, number exact)
{
    exact *= TWO(VSP__RATE_BITS);
    near("rate3_of_wide", got, clipped(exact),
         0.51L + fabsl(clipped(exact)) * TWO(-24));
}

static void test_rates(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__wide3 w;
        vsp__wide k;
        vsp__v3 rate;

        begin_case();
        w.x = any_wide();
        w.y = any_wide();
        w.z = beside(w.x);
        k = any_wide();
        rate = rate3_of_wide(&w, k, VSP__NEAREST);
        near_rate(rate.x, wide_value(w.x) * wide_value(k));
        near_rate(rate.y, wide_value(w.y) * wide_value(k));
        near_rate(rate.z, wide_value(w.z) * wide_value(k));
    }
}

static void test_torque(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__wide3 torque;
        vsp__v3 out;
        vsp__wide k;
        vsp__sym3 s;
        number exact, size;
        sym m;

        begin_case();
        s = any_sym();
        torque.x = any_wide();
        torque.y = beside(torque.x);
        torque.z = beside(torque.x);
        k = any_wide();
        vsp__s3_mul_torque(&s, &torque, k, VSP__NEAREST, &out);
        m = value_of_sym(&s);
        exact = (m.xx * wide_value(torque.x) + m.xy * wide_value(torque.y) +
                 m.xz * wide_value(torque.z)) *
                wide_value(k);
        size = (fabsl(wide_value(torque.x)) + fabsl(wide_value(torque.y)) +
                fabsl(wide_value(torque.z))) *
               fabsl(wide_value(k)) * size_of(&m);
        if (size > TWO(-40) && size < TWO(60) && fabsl(wide_value(k)) < TWO(20))
            near("vsp__s3_mul_torque", out.x,
                 clipped(exact * TWO(VSP__RATE_BITS)),
                 1 + size * TWO(VSP__RATE_BITS - 21));
    }
}


/* ---- Rows ---------------------------------------------------------------- */

static number quarter(number a)
{
    number end = REAL_MAX >> 2;

    return a < -end ? -end : a > end ? end : a;
}

static void test_turn(void)
{
    for (int i = 0; i < CASES; i++) {
        vsp__sym3 s[2];
        vsp__v3 c, turn;
        vsp__num got;
        uint32_t k;
        number exact[3], place, along;
        sym m;

        begin_case();
        s[0] = any_sym();
        s[1] = any_sym();
        c = any_vec(28);
        k = vsp__find_turn_scale(s, v3_size(c));
        note_drawn(k);
        holds("vsp__find_turn_scale", k >= 4 && k <= 22);
        got = vsp__make_turn(&s[i % 2], &c, k, &turn);
        m = value_of_sym(&s[i % 2]);
        mul_exact(&m, &c, exact);
        place = TWO(VSP__REAL_BITS - 32 + (int)k); /* last place of a turn */
        if (k < 22)
            holds("vsp__make_turn fits", v3_size(turn) < REAL_MAX / 8);
        near("vsp__make_turn", turn.x, quarter(exact[0] / place), 0.51L);
        near("vsp__make_turn", turn.y, quarter(exact[1] / place), 0.51L);
        near("vsp__make_turn", turn.z, quarter(exact[2] / place), 0.51L);
        along = (number)c.x * turn.x + (number)c.y * turn.y +
                (number)c.z * turn.z;
        near("vsp__make_turn, along", got, clipped(along * TWO((int)k - 32)),
             1);
    }
}

/* a component with the bits below its last place, in places of the number */
static number value_of_slow(const vsp__spin64 *w)
{
    return w->high + (w->low - TWO(31)) * TWO(-32);
}

static number near_slow(const char *what, const vsp__spin64 *got, number exact,
                        number slack)
{
    near(what, value_of_slow(got), exact, slack);
    return value_of_slow(got);
}

/* Adds the opposite turns, which must restore the bits. */
static void turn_back(vsp__exact_spin w[2], const vsp__exact_spin from[2],
                      vsp__num d, const vsp__v3 turn[2], uint32_t k)
{
    vsp__add_turns(w, -d, &turn[0], &turn[1], k);
    holds("vsp__add_turns there and back", memcmp(w, from, 2 * sizeof *w) == 0);
}

static void near_turned(const char *what, const vsp__exact_spin *got,
                        const vsp__v3 *from, number k, const vsp__v3 *turn,
                        number slack)
{
    near_slow(what, &got->x, from->x + k * turn->x, slack);
    near_slow(what, &got->y, from->y + k * turn->y, slack);
    near_slow(what, &got->z, from->z + k * turn->z, slack);
}

static void near_far(const vsp__exact_spin *got, const vsp__v3 *from, number k,
                     const vsp__v3 *turn)
{
    near("turned far", got->x.high, clipped(from->x + clipped(k * turn->x)),
         1.01L);
    near("turned far", got->y.high, clipped(from->y + clipped(k * turn->y)),
         1.01L);
    near("turned far", got->z.high, clipped(from->z + clipped(k * turn->z)),
         1.01L);
}

static vsp__num any_change(void)
{
    return any_real_below(random_below(2) == 0 ? 18 : 30);
}

/* Turns may be up to a quarter of the range, and so may d 2^k; such a d is
 * multiplied without rounding. */
static void test_turn_both(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 from[2], turn[2];
        vsp__exact_spin w[2], called[2], start[2];
        vsp__num d;
        uint32_t k;
        number by;

        begin_case();
        for (int side = 0; side < 2; side++) {
            from[side] = any_vec(30);
            vsp__to_exact_spin(&start[side], &from[side]);
            w[side] = called[side] = start[side];
            turn[side] = any_vec(28);
        }
        d = any_change();
        k = 4u + (uint32_t)random_below(19);
        note_drawn(k);
        by = d * TWO((int)k - 32);
        vsp__add_turns(w, d, &turn[0], &turn[1], k);
        vsp__add_turns_called(called, d, &turn[0], &turn[1], k);
        holds("vsp__add_turns, copied or called",
              memcmp(w, called, sizeof w) == 0);
        if (fabsl(d * TWO((int)k)) > TWO(30)) {
            near_far(&w[0], &from[0], by, &turn[0]);
            near_far(&w[1], &from[1], by, &turn[1]);
        } else if (fabsl(d * TWO((int)k)) < TWO(30)) {
            near_turned("vsp__add_turns", &w[0], &from[0], by, &turn[0], 0);
            near_turned("vsp__add_turns", &w[1], &from[1], by, &turn[1], 0);
            turn_back(w, start, d, turn, k);
        }
    }
}

static int64_t wrapped(int64_t x)
{
    return x > INT32_MAX   ? x - ((int64_t)1 << 32)
           : x < INT32_MIN ? x + ((int64_t)1 << 32)
                           : x;
}

/* From one end of the range, limited to the other one, and changed further by
 * the eleven other rows of a manifold: a change that wraps. */
static void test_spin_change(void)
{
    for (int i = 0; i < PAIRS; i++) {
        int32_t beyond;
        vsp__exact_spin w;
        vsp__v3 from, got;

        begin_case();
        from = v3(any_real(), -VSP__REAL_MAX - 1, VSP__REAL_MAX);
        beyond = random_below(11 << 26);
        note_drawn(beyond);
        vsp__to_exact_spin(&w, &from);
        w.x.high = (vsp__num)random_signed(30);
        w.y.high = VSP__REAL_MAX + beyond;
        w.z.high = -VSP__REAL_MAX - 1 - beyond;
        vsp__spin_change(&w, &from, &got);
        same("vsp__spin_change", got.x, (int64_t)w.x.high - from.x);
        same("vsp__spin_change", got.y, wrapped((int64_t)w.y.high - from.y));
        same("vsp__spin_change", got.z, wrapped((int64_t)w.z.high - from.z));
    }
}

static void test_parting(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 e, arm[2], spin[2], c;
        vsp__exact_spin w[2];
        vsp__exact_velocity moving;
        vsp__num by;
        number x, y;

        begin_case();
        e = any_vec(30);
        vsp__to_exact_velocity(&moving, &e);
        for (int side = 0; side < 2; side++) {
            spin[side] = any_vec(30);
            arm[side] = any_vec(30);
            vsp__to_exact_spin(&w[side], &spin[side]);
        }
        x = (number)spin[1].y * arm[1].z - (number)spin[1].z * arm[1].y +
            (number)spin[0].z * arm[0].y - (number)spin[0].y * arm[0].z;
        y = (number)spin[1].z * arm[1].x - (number)spin[1].x * arm[1].z +
            (number)spin[0].x * arm[0].z - (number)spin[0].z * arm[0].x;
        vsp__relative_velocity(&moving, w, arm, &c);
        narrow_real("vsp__relative_velocity", c.y,
                    e.y * TWO(VSP__REAL_BITS) + y);
        by = any_real();
        narrow_real("vsp__normal_velocity",
                    vsp__normal_velocity(&moving, w, arm, by),
                    ((number)e.x + by) * TWO(VSP__REAL_BITS) + x);
        vsp__add_to_exact(&moving.z, by);
        vsp__velocity_change(&moving, &e, &c);
        same("vsp__velocity_change", c.y, 0);
        if (fabsl((number)e.z + by) < REAL_MAX)
            same("vsp__velocity_change", c.z, by);
    }
}

#if VSP__COMBINES_ROWS

typedef struct rows {
    vsp__v3 turn[2][3];
} rows;

static void any_rows(rows *r)
{
    for (int i = 0; i < 6; i++)
        r->turn[i / 3][i % 3] = any_vec(28);
}

static void turn_in_turn(const rows *r, vsp__exact_spin w[2], int row,
                         vsp__num d, uint32_t k)
{
    vsp__add_turns(w, d, &r->turn[0][row], &r->turn[1][row], k);
}

/* Rows solved together must get the same bits as rows solved one by one. */
static void test_together(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 arm[2], e, c;
        rows made;
        const rows *r = &made;
        vsp__exact_spin one[2], both[2];
        vsp__exact_velocity moving;
        vsp__num d[3];
        vsp__num u[2];
        uint32_t k;

        begin_case();
        e = any_vec(30);
        vsp__to_exact_velocity(&moving, &e);
        for (int side = 0; side < 2; side++) {
            vsp__v3 spin = any_vec(30);

            arm[side] = any_vec(28);
            vsp__to_exact_spin(&one[side], &spin);
            both[side] = one[side];
        }
        any_rows(&made);
        k = 4u + (uint32_t)random_below(19);
        note_drawn(k);
        for (int row = 0; row < 3; row++)
            d[row] = any_change();
        turn_in_turn(r, one, 0, d[0], k);
        vsp__relative_velocity(&moving, one, arm, &c);
        vsp__add_normal_turns(&moving, both, d[0], arm, r->turn, k, u);
        same("vsp__add_normal_turns, y", u[0], c.y);
        same("vsp__add_normal_turns, z", u[1], c.z);
        turn_in_turn(r, one, 1, d[1], k);
        turn_in_turn(r, one, 2, d[2], k);
        vsp__add_tangent_turns(both, d[1], d[2], r->turn, k);
        holds("vsp__add_tangent_turns", memcmp(one, both, sizeof one) == 0);
    }
}

#else

static void test_together(void)
{
}

#endif

/* A step is x - u / d.  The quotient is rounded to nearest, halves up. */
static void test_step(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__num x, u, inverse, got;
        number by;

        begin_case();
        x = any_real();
        u = any_real();
        inverse = i % 8 == 0 ? VSP__UNIT(1.0) : any_real_below(29);
        inverse = inverse < 0 ? -inverse : inverse;
        by = floorl(u * (number)inverse * TWO(-VSP__UNIT_BITS) + 0.5L);
        got = r_step(x, u, r_stride(inverse));
        near("r_step", off_end(got), clipped(x - by), 0);
        same("u_of_stride", u_of_stride(r_stride(inverse)), inverse);
    }
}

/* One body gains exactly what the other loses, and all of it if the other has
 * no share. */
static void test_share(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 part, gave = v3_zero(), took = v3_zero();
        vsp__num share;
        number exact;

        begin_case();
        part = any_vec(30);
        share = i % 4 == 0   ? VSP__UNIT(1.0)
                : i % 4 == 1 ? VSP__UNIT(0.5)
                             : any_real_below(29);
        share = share < 0 ? -share : share;
        vsp__v3_give_share(&gave, &part, share, 7u);
        vsp__v3_take_share(&took, &part, -share, 7u);
        exact = part.x * (number)share * TWO(-VSP__UNIT_BITS);
        if (share < VSP__UNIT(1.0) && fabsl(exact) < REAL_MAX) {
            near("vsp__v3_give_share", gave.x, floorl(exact + 0.5L), 0);
            same("vsp__v3_take_share", took.x, -gave.x);
        } else if (fabsl(exact) < REAL_MAX) {
            same("vsp__v3_give_share, all", gave.x, part.x);
            same("vsp__v3_take_share, all", took.x, -part.x);
        }
    }
}

/* Two bodies of equal mass: momentum stays the same to the bit, the velocity of
 * b becomes even where half a place is left, and no body is off by more than
 * half a place. */
static void test_halves(void)
{
    for (int i = 0; i < PAIRS; i++) {
        vsp__v3 part, a, b, a0, b0;
        uint32_t halves, k;

        begin_case();
        part = any_vec(28);
        a = a0 = any_vec(28);
        b = b0 = any_vec(28);
        halves = vsp__find_halves(&b, &part);
        vsp__v3_take_share(&a, &part, -VSP__UNIT(0.5), halves);
        vsp__v3_give_share(&b, &part, VSP__UNIT(0.5), halves);
        for (k = 0; k < 3; k++) {
            int32_t whole = (&part.x)[k];
            number given = (number)(&b.x)[k] - (&b0.x)[k];
            number taken = (number)(&a0.x)[k] - (&a.x)[k];

            near("vsp__v3_give_share, a half", given, whole * 0.5L, 0.5L);
            same("momentum, halves", (int64_t)taken, (int64_t)given);
            if (whole & 1)
                same("even velocity", (&b.x)[k] & 1, 0);
        }
    }
}

/* ---- All of them --------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} groups[] = {
    {"narrow", test_narrow},
    {"mul", test_mul},
    {"div", test_div},
    {"sum", test_sum},
    {"dots", test_dots},
    {"kinds", test_kinds},
    {"read", test_read},
    {"totals", test_totals},
    {"wide", test_wide},
    {"wide-from", test_wide_from},
    {"wide-to", test_wide_to},
    {"root", test_root},
    {"rsqrt", test_rsqrt},
    {"disc", test_disc},
    {"normalize", test_normalize},
    {"over", test_over},
    {"travel", test_travel},
    {"quat", test_quat},
    {"quat-read", test_quat_read},
    {"turn-of", test_turn_of},
    {"cayley", test_cayley},
    {"turn-by", test_turn_by},
    {"turned", test_turned},
    {"sym-mul", test_sym_mul},
    {"sym-scale", test_sym_scale},
    {"sums", test_sums},
    {"far-sums", test_far_sums},
    {"rotate", test_rotate},
    {"invert", test_invert},
    {"across", test_across},
    {"along", test_along},
    {"rates", test_rates},
    {"torque", test_torque},
    {"turn", test_turn},
    {"turn-both", test_turn_both},
    {"spin-change", test_spin_change},
    {"parting", test_parting},
    {"together", test_together},
    {"step", test_step},
    {"share", test_share},
    {"halves", test_halves},
};

static bool is_asked_for(const char *name, int argc, char **argv)
{
    bool is_any = false;

    for (int i = 1; i < argc; i++) {
        is_any = is_any || argv[i][0] != '-';
        if (strcmp(argv[i], name) == 0)
            return true;
    }
    return !is_any;
}

int main(int argc, char **argv)
{
    bool is_verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    int failed = 0;

    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        group = groups[i].name;
        random_state = 0x2545f4914f6cdd1du; /* each group gets the same numbers
                                             * when it runs alone */
        if (is_asked_for(group, argc, argv))
            groups[i].run();
    }
    for (int i = 0; i < check_count; i++) {
        failed += checks[i].failures != 0;
        if (is_verbose)
            printf("%-10s %-26s %8lu cases, error %.4Lg\n", checks[i].group,
                   checks[i].what, checks[i].cases, checks[i].worst);
        if (checks[i].failures != 0)
            printf("%s: %lu of %lu cases failed\n", checks[i].what,
                   checks[i].failures, checks[i].cases);
    }
    printf("%d passed, %d failed\n", check_count - failed, failed);
    return failed != 0;
}
