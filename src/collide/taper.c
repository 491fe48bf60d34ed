/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tapered capsules, the convex hulls of two balls, in this order: points of the
 * surface; the nearest point; mass; contacts with a half-space. */

#include "collide.h"

#if VSP_TAPERS


/* ---- Points of the surface ----------------------------------------------- */

void vsp__taper_side(const vsp__v3 *half, vsp__v3 *n)
{
    vsp__num length = r_add(half->y, half->y), d = r_sub(half->x, half->z);

    *n = v3(VSP__UNIT(1.0), 0, 0);
    if (!(length > 0))
        return;
    n->x = u_div(
        vsp__square_root(r_product(r_sub(length, d), r_add(length, d))),
        length);
    n->y = u_div(d, length);
    v3_flush_in(n);
}

vsp__num vsp__taper_radius(const vsp__v3 *half, vsp__num y)
{
    vsp__num length = r_add(half->y, half->y), d = r_sub(half->z, half->x);

    if (!(length > 0))
        return half->x;
    return r_add(half->x, u_mul(u_div(r_add(half->y, y), length), d));
}

void vsp__taper_support(const vsp__v3 *half, const vsp__v3 *d, vsp__v3 *v)
{
    bool is_high = r_add(u_mul(r_add(half->y, half->y), d->y), half->z) >
                   half->x;

    *v = v3(0, r_signed(half->y, !is_high), 0);
    u3_move(v, is_high ? half->z : half->x, d);
    v3_flush_in(v);
}


/* ---- The nearest point --------------------------------------------------- */

/* m: nearer to the axis, the direction from it is noise */
#define ON_AXIS VSP__REAL(0.000001)

vsp__num vsp__gap_of_taper(const vsp__v3 *half, vsp__v3 *at, vsp__v3 *normal)
{
    vsp__v3 across = v3(at->x, 0, at->z), n, to;
    vsp__num distance = v3_length_at(&across), radius, y;

    vsp__taper_side(half, &n);
    y = r_flush(r_sub(at->y, u_div(r_flush(u_mul(distance, n.y)), n.x)));
    y = r_clamp(y, r_neg(half->y), half->y);
    radius = vsp__taper_radius(half, y);
    to = v3(at->x, r_sub(at->y, y), at->z);
    v3_flush_in(&to);
    distance = v3_length_at(&to);
    if (distance > ON_AXIS) {
        *normal = to;
        vsp__v3_normalize_flushed(normal);
    } else {
        *normal = n;
    }
    *at = v3(0, y, 0);
    u3_move(at, radius, normal);
    v3_flush_in(at);
    return r_sub(distance, radius);
}


/* ---- Mass ------------------------------------------------------------------
 * A ball at each end, cut off where it meets the side, and the part of a cone
 * between: sums over the height y of powers of the radius p. */

typedef struct taper_sums {
    vsp__wide volume, first, second; /* of p^2, p^2 y and p^2 y^2 */
    vsp__wide round;                 /* of p^4 */
} taper_sums;

static vsp__wide times(vsp__wide a, vsp__num unit)
{
    return w_mul(a, w_of_unit(unit));
}

static vsp__wide twice(vsp__wide a)
{
    return w_add(a, a);
}

/* Adds a part with these sums about its own middle, at the height c. */
static void add_taper_part(taper_sums *sums, const taper_sums *part,
                           vsp__wide c)
{
    vsp__wide first = w_mul(c, part->volume);

    sums->volume = w_add(sums->volume, part->volume);
    sums->first = w_add(sums->first, w_add(part->first, first));
    sums->second = w_add(
        sums->second,
        w_add(part->second, w_mul(c, w_add(twice(part->first), first))));
    sums->round = w_add(sums->round, part->round);
}

/* Adds the part of a ball of radius r around c from its lower pole to where the
 * sine of the latitude is s, or from there to its upper pole: integrals of
 * (1 - t^2), times 1, t and t^2, and of (1 - t^2)^2, from -1 to s or s to 1. */
static void add_ball_part(taper_sums *sums, vsp__num r, vsp__num c, vsp__num s,
                          bool is_high)
{
    vsp__num t = r_signed(s, is_high), tt = u_mul(t, t);
    vsp__wide cube, wide = w_of_real(r);
    taper_sums part;

    cube = w_mul(wide, w_mul(wide, wide));
    part.volume = times(cube, VSP__UNIT(2.0 / 3.0) + t -
                                  u_mul(VSP__UNIT(1.0 / 3.0), u_mul(t, tt)));
    cube = w_mul(cube, wide);
    part.first = times(cube, u_mul(u_mul(VSP__UNIT(0.5), tt) - VSP__UNIT(0.25) -
                                       u_mul(VSP__UNIT(0.25), u_mul(tt, tt)),
                                   r_signed(VSP__UNIT(1.0), is_high)));
    cube = w_mul(cube, wide);
    part.second = times(cube,
                        VSP__UNIT(2.0 / 15.0) +
                            u_mul(u_mul(t, tt), VSP__UNIT(1.0 / 3.0) -
                                                    u_mul(VSP__UNIT(0.2), tt)));
    part.round = times(
        cube, VSP__UNIT(8.0 / 15.0) +
                  u_mul(t, VSP__UNIT(1.0) -
                               u_mul(tt, VSP__UNIT(2.0 / 3.0) -
                                             u_mul(VSP__UNIT(0.2), tt))));
    add_taper_part(sums, &part, w_of_real(c));
}

/* Adds the part of a cone between the balls, whose side has this normal: its
 * radius is m + d t at the height h t over its middle, t from -1 to 1. */
static void add_side_part(taper_sums *sums, const vsp__v3 *half,
                          const vsp__v3 *n)
{
    vsp__num rise = u_mul(VSP__UNIT(0.5), r_add(half->x, half->z));
    vsp__wide h = times(times(w_of_real(half->y), n->x), n->x);
    vsp__wide m = times(w_of_real(rise), n->x);
    vsp__wide d = times(
        w_of_real(u_mul(VSP__UNIT(0.5), r_sub(half->z, half->x))), n->x);
    vsp__wide mm = w_mul(m, m), dd = w_mul(d, d), md = w_mul(m, d);
    taper_sums part;

    part.volume = w_mul(h, twice(w_add(mm, times(dd, VSP__UNIT(1.0 / 3.0)))));
    part.first = w_mul(w_mul(h, h), twice(times(md, VSP__UNIT(2.0 / 3.0))));
    part.second = w_mul(w_mul(h, w_mul(h, h)),
                        twice(w_add(times(mm, VSP__UNIT(1.0 / 3.0)),
                                    times(dd, VSP__UNIT(0.2)))));
    part.round = w_mul(
        h, twice(w_add(w_mul(mm, mm),
                       w_add(twice(w_mul(mm, dd)),
                             times(w_mul(dd, dd), VSP__UNIT(0.2))))));
    add_taper_part(sums, &part, times(w_of_real(rise), n->y));
}

static void sum_taper(const vsp__shape *shape, taper_sums *sums)
{
    const vsp__v3 *half = &shape->size;
    vsp__v3 n;

    sums->volume = sums->first = sums->second = sums->round = VSP__W_ZERO;
    vsp__taper_side(half, &n);
    add_ball_part(sums, half->x, r_neg(half->y), n.y, false);
    add_side_part(sums, half, &n);
    add_ball_part(sums, half->z, half->y, n.y, true);
}

vsp__wide vsp__taper_volume(const vsp__shape *shape)
{
    taper_sums sums;

    sum_taper(shape, &sums);
    return w_mul(w_of_real(VSP__REAL(3.14159265)), sums.volume);
}

void vsp__find_taper_mass(const vsp__shape *shape, vsp__mass_data *mass)
{
    vsp__s3_sums out = {0, 0, 0, 0, 0, 0};
    vsp__wide middle, round;
    taper_sums sums;

    sum_taper(shape, &sums);
    middle = w_div(sums.first, sums.volume);
    round = w_div(sums.round, sums.volume);
    out.yy = square_of_wide(times(round, VSP__UNIT(0.5)));
    out.xx = square_of_wide(w_add(
        times(round, VSP__UNIT(0.25)),
        w_add(w_div(sums.second, sums.volume), w_neg(w_mul(middle, middle)))));
    out.zz = out.xx;
    vsp__sums_to_s3(&out, &mass->inertia);
    mass->center.y = r_flush(w_to_real(middle));
}


/* ---- Contacts with a half-space ------------------------------------------ */

bool vsp__touch_plane_taper(const vsp__placed_shape *plane,
                            const vsp__placed_shape *solid, vsp__num envelope,
                            vsp__touch *t)
{
    const vsp__v3 *n = &plane->pose->axes.axis[1];
    const vsp__v3 *size = &solid->shape->size;
    vsp__v3 offset;
    uint32_t i;

    vsp__solid_offset(plane, solid, &offset);
    t->normal = *n;
    t->count = 0;
    for (i = 0; i < 2; i++) {
        vsp__touch_point *to = t->points + t->count;

        to->on[1] = v3_zero();
        u3_move(&to->on[1], r_signed(size->y, i == 0),
                &solid->pose->axes.axis[1]);
        u3_move(&to->on[1], r_neg(i == 0 ? size->x : size->z), n);
        v3_flush_in(&to->on[1]);
        v3_add_to(&offset, &to->on[1], &to->on[0]);
        to->gap = r_flush(u3_dot_at(n, &to->on[0]));
        to->feature = i;
        u3_move(&to->on[0], r_neg(to->gap), n);
        v3_flush_in(&to->on[0]);
        if (to->gap < envelope)
            t->count++;
    }
    return t->count > 0;
}

#endif /* VSP_TAPERS */
