/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Angles: sine and cosine; arctangent.  A build has those that it uses. */

#include "number.h"


/* ---- Sine and cosine ----------------------------------------------------- */

#if VSP_DRAW || VSP_MATH

/* Splits an angle, rad, into `quarter` quarter turns and a rest of at most an
 * eighth of a turn, a unit. */
#if VSP_FIXED
static vsp__num rest_of_angle(vsp_real angle, int32_t *quarter)
{
    const int64_t quarters = 683565276; /* 2 / pi, 30 binary places */
    const int64_t right = INT64_C(442139859501778); /* pi / 2, 48 of them */
    int64_t k = ((angle >> 16) * quarters + ((int64_t)1 << 45)) >> 46;

    *quarter = (int32_t)k;
    angle = angle * 65536 - k * right;
    return (vsp__num)((angle + ((int64_t)1 << 18)) >> 19);
}
#else
static vsp__num rest_of_angle(vsp_real angle, int32_t *quarter)
{
    /* pi / 2 in three parts: products of the first two with an integer of 13
     * bits are exact */
    static const float right[3] = {1.5703125f, 4.837512969970703e-4f,
                                   7.549789948768648e-8f};
    float k;
    uint32_t i;

    *quarter = r_to_int(angle * 0.63661977f + (angle < 0 ? -0.5f : 0.5f));
    k = (float)*quarter;
    for (i = 0; i < 3; i++)
        angle -= k * right[i];
    return angle;
}
#endif

/* In both series, of an angle x up to pi / 4, the terms after the first are
 * fitted to the least error.  With constants rounded to floats it is 3e-9 of
 * the sine, 5e-10 of the cosine. */
static vsp__num odd_series(vsp__num x, vsp__num square)
{
    vsp__num sum = VSP__UNIT(-0.00019495568);

    sum = r_add(VSP__UNIT(0.0083319781), u_mul(sum, square));
    sum = r_add(VSP__UNIT(-0.16666651), u_mul(sum, square));
    return r_add(x, u_mul(x, u_mul(sum, square)));
}

static vsp__num even_series(vsp__num square)
{
    vsp__num sum = VSP__UNIT(2.443838e-5);

    sum = r_add(VSP__UNIT(-0.0013887367), u_mul(sum, square));
    sum = r_add(VSP__UNIT(0.041666647), u_mul(sum, square));
    sum = r_add(VSP__UNIT(-0.5), u_mul(sum, square));
    return r_add(VSP__UNIT(1.0), u_mul(sum, square));
}

void vsp__sine_cosine(vsp_real angle, vsp__num *sine, vsp__num *cosine)
{
    int32_t quarter;
    vsp__num x, square, odd, even;

    if (!caller_in(angle, -VSP__MOST_ANGLE, VSP__MOST_ANGLE))
        angle = 0;
    x = rest_of_angle(angle, &quarter);
    square = u_mul(x, x);
    odd = odd_series(x, square);
    even = even_series(square);
    *sine = r_signed(quarter & 1 ? even : odd, (quarter & 2) != 0);
    *cosine = r_signed(quarter & 1 ? odd : even, ((quarter + 1) & 2) != 0);
}

#endif


/* ---- Arctangent ---------------------------------------------------------- */

#if VSP_JOINTS || VSP_MATH || VSP_EDITS

/* arctangent of a unit, 0 to 1, in rad: up to tan(pi/8) an odd polynomial,
 * within 1.5e-8; above it arctan(t) = pi/4 + arctan((t - 1) / (t + 1)) */
static vsp__num arctangent(vsp__num t)
{
    static const vsp__num odd[] = {
        VSP__UNIT(-0.13848415), VSP__UNIT(0.19974075), VSP__UNIT(-0.33332786),
        VSP__UNIT(0.99999998)};
    vsp__num base = 0, a = VSP__UNIT(0.07976042);
    uint32_t i;

    if (t > VSP__UNIT(0.41421356)) {
        base = VSP__REAL(0.78539816);
        t = u_div(r_sub(t, VSP__UNIT(1.0)), r_add(t, VSP__UNIT(1.0)));
    }
    for (i = 0; i < 4; i++)
        a = r_add(odd[i], u_mul(u_mul(t, t), a));
    return r_add(base, r_of_unit(u_mul(t, a)));
}

vsp__num vsp__angle_of(vsp__num y, vsp__num x)
{
    vsp__num small = r_abs(y), large = r_abs(x), angle;
    bool is_steep = small > large;

    if (is_steep) {
        small = large;
        large = r_abs(y);
    }
    if (!(large > 0))
        return 0;
    angle = arctangent(u_div(small, large));
    if (is_steep)
        angle = r_sub(VSP__REAL(1.5707963), angle);
    if (x < 0)
        angle = r_sub(VSP__REAL(3.1415927), angle);
    return r_signed(angle, y < 0);
}

#endif
