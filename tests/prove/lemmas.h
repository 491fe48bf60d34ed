/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contracts of functions in fixed point for which intervals alone do not give
 * the bounds: their results come from bits put together, or from cases.
 * ci/prove proves each body by cases over all that `requires` admits
 * (prove_cases in numbers_fixed.c).  Elsewhere it takes the contract in place
 * of the body, and proves that `requires` holds.  To be included behind the
 * number layer. */

#ifndef PROVE_LEMMAS_H
#define PROVE_LEMMAS_H

#if VSP_FIXED

/* |sum| is below 2^63 - 2^31, as fixed.h says, or by half a place beyond; the
 * range is [-2^30, 2^30). */

/*@ requires -0x7fffffff80000000 < sum < 0x7fffffff80100000;
    assigns \result \from sum;
    ensures -0x40000000 <= \result < 0x40000000; */
static inline vsp__num vsp__narrow_real_down(int64_t sum);

/*@ requires -0x7fffffff80000000 < sum < 0x7fffffff80000000;
    assigns \result \from sum, cut;
    ensures -0x40000000 <= \result < 0x40000000; */
static inline vsp__num vsp__cut_unit(int64_t sum, uint32_t cut);

/*@ requires -0x4000000000000000 <= a <= 0x4000000000000000;
    requires -1000 <= places <= 1000;
    assigns \result \from a, places;
    ensures -0x40000000 <= \result < 0x40000000; */
static vsp__num shift_to_range(int64_t a, int32_t places);

/*@ assigns \result \from a;
    ensures 0 <= \result <= 32; */
static int32_t bit_width32(uint32_t a);

/*@ requires 0x100000 <= a < 0x40000000;
    assigns \result \from a;
    ensures 0 <= \result < 0x40000000; */
vsp__num vsp__reciprocal(vsp__num a);

/*@ requires a > 0 && \valid(places);
    assigns \result \from a;
    assigns *places \from a;
    ensures \initialized(places) && 30 <= *places <= 62; */
static uint32_t root_parts(uint64_t a, int32_t *places);

/* The squares of their lengths are sums of squares, which are not negative. */

/*@ requires \valid(v);
    requires -0x40000000 <= v->x < 0x40000000;
    requires -0x40000000 <= v->y < 0x40000000;
    requires -0x40000000 <= v->z < 0x40000000;
    assigns *v \from *v;
    ensures -0x40000000 <= v->x < 0x40000000;
    ensures -0x40000000 <= v->y < 0x40000000;
    ensures -0x40000000 <= v->z < 0x40000000; */
void vsp__v3_normalize(vsp__v3 *v);

/*@ requires \valid(q);
    requires -0x40000000 <= q->x < 0x40000000;
    requires -0x40000000 <= q->y < 0x40000000;
    requires -0x40000000 <= q->z < 0x40000000;
    requires -0x40000000 <= q->w < 0x40000000;
    assigns *q \from *q;
    ensures -0x40000000 <= q->x < 0x40000000;
    ensures -0x40000000 <= q->y < 0x40000000;
    ensures -0x40000000 <= q->z < 0x40000000;
    ensures -0x40000000 <= q->w < 0x40000000; */
void vsp__q_normalize(vsp__unit_quat *q);

/*@ requires a < 0x8000000000000000;
    assigns \result \from a; */
static uint32_t integer_sqrt(uint64_t a);

/*@ requires \valid(exponent);
    assigns \result \from a.bits;
    assigns *exponent \from a.bits;
    ensures \initialized(exponent) && -150 <= *exponent <= 105;
    ensures \result == 0 || 0x800000 <= \result <= 0xffffff ||
            -0xffffff <= \result <= -0x800000; */
static int32_t unpack_wide(vsp__wide a, int32_t *exponent);

/*@ assigns \result \from a.bits, b.bits; */
vsp__wide vsp__w_add(vsp__wide a, vsp__wide b);

/* q is as long as vsp__q_is_unit admits, and less than 1 / 1024 beyond. */

/*@ requires \valid_read(q) && \valid(m);
    requires -0x20080000 <= q->x <= 0x20080000;
    requires -0x20080000 <= q->y <= 0x20080000;
    requires -0x20080000 <= q->z <= 0x20080000;
    requires -0x20080000 <= q->w <= 0x20080000;
    assigns *m \from *q;
    ensures \initialized(m); */
static void fill_axes(const vsp__unit_quat *q, vsp__mat3 *m);

/*@ requires \valid(q);
    assigns \result \from from;
    assigns *q \from from; */
bool vsp__q_read(vsp_quat from, vsp__unit_quat *q);

/* The range of a spin after the twelve rows of a manifold, as matrix.h says:
 * each row changes it by at most a 16th of the range. */

/*@ requires \valid_read(w) && -0x70000000 <= w->high <= 0x70000000;
    assigns \result \from *w;
    ensures -0x7000000000000000 <= \result <= 0x70000000ffffffff; */
static inline int64_t vsp__load_spin64(const vsp__spin64 *w);

/*@ requires -0x40000000 <= v < 0x40000000;
    assigns \result \from v;
    ensures -0x4000000000000 <= \result < 0x4000000000000; */
static inline vsp__exact_num vsp__to_exact_num(vsp__num v);

#endif

#endif
