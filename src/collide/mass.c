/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Mass, centre of mass and inertia of a shape: of a sphere, a box, a capsule, a
 * cylinder and a cone by formula, of a hull, a distance field and a shell from
 * the numbers in their table; of a tapered capsule in taper.c. */

#include "collide.h"

/* 2/3 pi h (a^2 + a b + b^2): of a cylinder or cone, m^3 */
static vsp__wide turned_volume(const vsp__shape *shape)
{
    vsp__wide a, b;
    vsp__v3 half;

    vsp__turned_half(shape, &half);
    a = w_of_real(half.x);
    b = w_of_real(half.z);
    return w_mul(
        w_of_real(VSP__REAL(2.0943951)),
        w_mul(w_of_real(half.y), w_add(w_mul(a, w_add(a, b)), w_mul(b, b))));
}

/* m^3 */
static vsp__wide shape_volume(const vsp__shape *shape)
{
    vsp__wide x = w_of_real(shape->size.x), y = w_of_real(shape->size.y);
    vsp__wide z = w_of_real(shape->size.z);

    if (vsp__is_turned(shape))
        return turned_volume(shape);
    if (vsp__is_taper(shape))
        return vsp__taper_volume(shape);
    switch (shape->type) {
    case VSP_SHAPE_SPHERE: /* 4/3 pi r^3 */
        return w_mul(w_of_real(VSP__REAL(4.18879020)), w_mul(x, w_mul(x, x)));
    case VSP_SHAPE_BOX:
        return w_mul(w_of_real(VSP__REAL(8.0)), w_mul(x, w_mul(y, z)));
    case VSP_SHAPE_CAPSULE: /* 2 pi r^2 (h + 2/3 r) */
        if (!VSP_CAPSULES)
            break;
        return w_mul(
            w_of_real(VSP__REAL(6.28318531)),
            w_mul(w_mul(x, x),
                  w_add(y, w_mul(x, w_of_unit(VSP__UNIT(2.0 / 3.0))))));
    default:
        break;
    }
    return VSP__W_ZERO;
}

/* Inertia of one kilogram of a capsule, m^2.  The cylinder has a part k of the
 * mass, the two half balls have the rest; their centres of mass are 3/8 r
 * beyond the ends of the cylinder.
 * About y: k r^2 / 2 + (1 - k) 2/5 r^2.  About x and z:
 * k (r^2 / 4 + h^2 / 3) + (1 - k) (2/5 r^2 + h^2 + 3/4 r h). */
static void capsule_inertia(const vsp__shape *shape, vsp__s3_sums *sums)
{
    vsp__num r = shape->size.x, h = shape->size.y;
    /* half the length of a cylinder of radius r with the volume of the balls */
    vsp__num ends = u_mul(VSP__UNIT(2.0 / 3.0), r);
    vsp__num k = u_div(h, r_add(h, ends)), rest = VSP__UNIT(1.0) - k;
    vsp__square rr = r_square(r), hh = r_square(h);

    sums->yy = r_part(rr, u_mul(VSP__UNIT(0.5), k)) +
               r_part(rr, u_mul(VSP__UNIT(0.4), rest));
    sums->xx = r_part(rr, u_mul(VSP__UNIT(0.25), k)) +
               r_part(hh, u_mul(VSP__UNIT(1.0 / 3.0), k)) +
               r_part(rr, u_mul(VSP__UNIT(0.4), rest)) + r_part(hh, rest) +
               r_part(r_product(r, h), u_mul(VSP__UNIT(0.75), rest));
    sums->zz = sums->xx;
}

/* Centre of mass and inertia of one kilogram of a cylinder or cone whose radius
 * is m (1 + k s) at the height s h, s from -1 to 1.  The moments of s in the
 * volume are integrals of (1 + k s)^2, those of the radius of (1 + k s)^4. */
static void find_turned_mass(const vsp__shape *shape, vsp__mass_data *mass)
{
    vsp__num low = shape->size.x, h = shape->size.y;
    vsp__num high = shape->type == VSP_SHAPE_CONE ? shape->size.z : low;
    vsp__num m = u_mul(VSP__UNIT(0.5), r_add(low, high));
    vsp__num k = u_div(u_mul(VSP__UNIT(0.5), r_sub(high, low)), m);
    vsp__num q = u_mul(k, k), volume, mean, spread, round;
    vsp__s3_sums sums = {0, 0, 0, 0, 0, 0};

    volume = VSP__UNIT(1.0) + u_mul(VSP__UNIT(1.0 / 3.0), q);
    mean = u_div(u_mul(VSP__UNIT(2.0 / 3.0), k), volume);
    spread = u_div(VSP__UNIT(1.0 / 3.0) + u_mul(VSP__UNIT(0.2), q), volume) -
             u_mul(mean, mean);
    round = u_div(VSP__UNIT(0.5) + q + u_mul(VSP__UNIT(0.1), u_mul(q, q)),
                  volume);
    sums.yy = r_part(r_square(m), round);
    sums.xx = r_part(r_square(m), u_mul(VSP__UNIT(0.5), round)) +
              r_part(r_square(h), spread);
    sums.zz = sums.xx;
    vsp__sums_to_s3(&sums, &mass->inertia);
    mass->center.y = u_mul(mean, h);
}

/* Inertia of one kilogram about the centre, m^2, in the shape's own axes, where
 * the products of inertia are 0. */
static void find_inertia(const vsp__shape *shape, vsp__sym3 *s)
{
    vsp__square xx = r_square(shape->size.x), yy = r_square(shape->size.y);
    vsp__square zz = r_square(shape->size.z);
    vsp__num k = VSP__UNIT(1.0 / 3.0);
    vsp__s3_sums sums = {0, 0, 0, 0, 0, 0};

    if (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) {
        capsule_inertia(shape, &sums);
        vsp__sums_to_s3(&sums, s);
        return;
    }
    if (shape->type == VSP_SHAPE_SPHERE) {
        yy = zz = xx;
        k = VSP__UNIT(0.2);
    }
    sums.xx = yy + zz;
    sums.yy = xx + zz;
    sums.zz = xx + yy;
    vsp__sums_to_s3(&sums, s);
    vsp__s3_scale(s, k);
}

/* Returns the volume and inertia in a shape's table; null for a shape without
 * such a table. */
static const vsp_bulk *shape_bulk(const vsp_world *world,
                                  const vsp__shape *shape)
{
    const vsp_hull *hull;
    const vsp_sdf *sdf;
    const vsp_shell *shell;

    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL) {
        hull = vsp__hull_of(world, shape);
        return &hull->bulk;
    }
    if (VSP_SDFS && shape->type == VSP_SHAPE_SDF) {
        sdf = (const vsp_sdf *)world->tables[shape->table - 1u];
        return &sdf->bulk;
    }
    if (VSP_SHELLS && shape->type == VSP_SHAPE_SHELL) {
        shell = (const vsp_shell *)world->tables[shape->table - 1u];
        return &shell->bulk;
    }
    return (const vsp_bulk *)0;
}

/* Reads a number of m^2 from its binary32 bits, flushed. */
static vsp__square square_of_bits(uint32_t bits)
{
    return square_of_wide(w_flush(w_from_bits(bits)));
}

/* Reads centre of mass and inertia of one kilogram, in the table's frame. */
static void read_bulk(const vsp_bulk *bulk, vsp__mass_data *m)
{
    vsp__s3_sums sums;
    vsp__square *part = &sums.xx;
    uint32_t i;

    vsp__place_to_v3(&bulk->center, &m->center);
    for (i = 0; i < 6; i++)
        part[i] = square_of_bits(bulk->inertia[i]);
    vsp__sums_to_s3(&sums, &m->inertia);
}

#if VSP_SCALES

/* Scales the mass data of a hull.  Inertia is made of sums of products of two
 * coordinates, each of which is scaled along its axis. */
static void scale_mass(const vsp_bulk *bulk, const vsp__shape *shape,
                       vsp__mass_data *m)
{
    vsp__wide by[3], square[3], half = w_of_unit(VSP__UNIT(0.5));
    static const uint8_t axes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    vsp_place scale, center = bulk->center;
    vsp__s3_sums sums;
    vsp__square *part = &sums.xx;
    uint32_t k;

    if (!vsp__find_scale(shape, &scale))
        return;
    for (k = 0; k < 3; k++) {
        by[k] = w_of_real(r_of_place(place_part(&scale, k)));
        m->mass = w_mul(m->mass, by[k]);
        square[k] = w_mul(by[k], by[k]);
    }
    m->mass = w_flush(vsp__is_mirror(&scale) ? w_neg(m->mass) : m->mass);
    for (k = 0; k < 3; k++) {
        uint32_t y = (k + 1u) % 3u, z = (k + 2u) % 3u;
        vsp__wide sum, rest, product;

        sum = w_mul(w_add(square[y], square[z]), w_from_bits(bulk->inertia[k]));
        rest = w_mul(w_add(square[y], w_neg(square[z])),
                     w_add(w_from_bits(bulk->inertia[z]),
                           w_neg(w_from_bits(bulk->inertia[y]))));
        part[k] = square_of_wide(w_flush(w_mul(half, w_add(sum, rest))));
        product = w_mul(w_mul(by[axes[k][0]], by[axes[k][1]]),
                        w_from_bits(bulk->inertia[3u + k]));
        part[3u + k] = square_of_wide(w_flush(product));
    }
    vsp__sums_to_s3(&sums, &m->inertia);
    vsp__scale_place(&scale, &center);
    vsp__place_to_v3(&center, &m->center);
}

#else

static void scale_mass(const vsp_bulk *bulk, const vsp__shape *shape,
                       vsp__mass_data *m)
{
    (void)bulk;
    (void)shape;
    (void)m;
}

#endif /* VSP_SCALES */

void vsp__find_shape_mass(const vsp_world *world, const vsp__shape *shape,
                          vsp__mass_data *m)
{
    const vsp_bulk *bulk = shape_bulk(world, shape);
    vsp__mat3 axes;

    vsp__zero_bytes(m, sizeof *m);
    m->mass = w_flush(w_mul(bulk != (const vsp_bulk *)0
                                ? w_from_bits(bulk->volume)
                                : shape_volume(shape),
                            w_flush(shape->density)));
    if (w_is_zero(m->mass))
        return;
    if (bulk != (const vsp_bulk *)0) {
        read_bulk(bulk, m);
        scale_mass(bulk, shape, m);
    } else if (vsp__is_turned(shape))
        find_turned_mass(shape, m);
    else if (vsp__is_taper(shape))
        vsp__find_taper_mass(shape, m);
    else
        find_inertia(shape, &m->inertia);
    if (shape->type != VSP_SHAPE_SPHERE) {
        vsp__q_axes_flushed(&shape->pose.rotation, &axes);
        vsp__s3_rotate(&axes, &m->inertia);
        m3_mul_to(&axes, &m->center, &m->center);
    }
    v3_add_in(&m->center, &shape->pose.position);
    s3_flush(&m->inertia);
}
