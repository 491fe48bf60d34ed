/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "weight.h"

#include <string.h>

static double number_of(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static void weigh_table(const vsp_bulk *bulk, weight *out)
{
    out->mass = number_of(bulk->volume);
    out->center = place_point(bulk->center);
    out->own = vec_make(number_of(bulk->inertia[0]),
                        number_of(bulk->inertia[1]),
                        number_of(bulk->inertia[2]));
    out->products = vec_make(number_of(bulk->inertia[5]),
                             number_of(bulk->inertia[4]),
                             number_of(bulk->inertia[3]));
}

static void weigh_capsule(double r, double h, weight *out)
{
    double middle = 2.0 * PI * r * r * h;
    double ends = 4.0 / 3.0 * PI * r * r * r;
    double along = middle * r * r / 2.0 + ends * 2.0 * r * r / 5.0;
    double across = middle * (r * r / 4.0 + h * h / 3.0) +
                    ends * (2.0 * r * r / 5.0 + h * h + 0.75 * h * r);

    out->mass = middle + ends;
    out->own = vec_scale(vec_make(across, along, across), 1.0 / out->mass);
}

/* Weighs a cone between discs of radius a, below, and b, of half height h. */
static void weigh_turned(double a, double h, double b, weight *out)
{
    double m = (a + b) / 2.0, k = (b - a) / 2.0 / m, q = k * k;
    double volume = 1.0 + q / 3.0, mean = 2.0 / 3.0 * k / volume;
    double along = m * m * (0.5 + q + q * q / 10.0) / volume;
    double spread = (1.0 / 3.0 + q / 5.0) / volume - mean * mean;
    double across = along / 2.0 + h * h * spread;

    out->mass = 2.0 * PI * m * m * h * volume;
    out->center = vec_make(0.0, mean * h, 0.0);
    out->own = vec_make(across, along, across);
}

/* Weighs a tapered capsule by slices across its axis. */
static void weigh_taper(const solid *it, weight *out)
{
    double low = -it->half.y - it->half.x, high = it->half.y + it->half.z;
    double volume = 0.0, first = 0.0, second = 0.0, round = 0.0, middle;
    solid side = taper_side(it, &middle);
    int count = 20000;

    for (int i = 0; i < count; i++) {
        double y = low + (high - low) * (i + 0.5) / count;
        double t = (y - middle) / side.half.y, end = t < 0.0 ? -1.0 : 1.0;
        double ball = t < 0.0 ? it->half.x : it->half.z;
        double from = y - end * it->half.y;
        double ends = 0.5 * (side.half.z - side.half.x);
        double r = 0.5 * (side.half.x + side.half.z) + t * ends;
        double sq = fabs(t) < 1.0 ? r * r : ball * ball - from * from;

        sq *= (high - low) / count;
        volume += sq;
        first += sq * y;
        second += sq * y * y;
        round += sq * (fabs(t) < 1.0 ? r * r : ball * ball - from * from);
    }
    out->mass = PI * volume;
    first /= volume;
    round /= volume;
    second = second / volume - first * first + round / 4.0;
    out->center = vec_make(0.0, first, 0.0);
    out->own = vec_make(second, round / 2.0, second);
}

/* Weighs a ball or a box. volume is that of half sizes 1; each moment of
 * inertia is `part` times the sum of two squared half sizes. */
static void weigh_plain(double volume, vec3 half, double part, weight *out)
{
    vec3 sq = vec_multiply(half, half);

    out->mass = volume * half.x * half.y * half.z;
    out->own = vec_scale(vec_make(sq.y + sq.z, sq.x + sq.z, sq.x + sq.y), part);
}

/* Weighs a hull at the scale of its shape. */
static void scale_weight(vec3 scale, weight *out)
{
    vec3 own = out->own;
    double sum = (own.x + own.y + own.z) / 2.0;
    vec3 sq = vec_make(sum - own.x, sum - own.y, sum - own.z);

    sq = vec_multiply(sq, vec_multiply(scale, scale));
    out->own = vec_make(sq.y + sq.z, sq.x + sq.z, sq.x + sq.y);
    out->products = vec_multiply(
        out->products,
        vec_make(scale.y * scale.z, scale.x * scale.z, scale.x * scale.y));
    out->center = vec_multiply(out->center, scale);
    out->mass *= fabs(scale.x * scale.y * scale.z);
}

weight weigh_solid(const solid *it)
{
    const vsp_hull *hull = it->table;
    const vsp_sdf *sdf = it->table;
    const vsp_shell *shell = it->table;
    weight out = {0};

    if (it->type == VSP_SHAPE_SPHERE)
        weigh_plain(4.0 / 3.0 * PI, it->half, 1.0 / 5.0, &out);
    else if (it->type == VSP_SHAPE_BOX)
        weigh_plain(8.0, it->half, 1.0 / 3.0, &out);
    else if (it->type == VSP_SHAPE_CAPSULE)
        weigh_capsule(it->half.x, it->half.y, &out);
    else if (is_turned_solid(it))
        weigh_turned(it->half.x, it->half.y, it->half.z, &out);
    else if (it->type == VSP_SHAPE_TAPER)
        weigh_taper(it, &out);
    else if (it->type == VSP_SHAPE_HULL)
        weigh_table(&hull->bulk, &out);
    else if (it->type == VSP_SHAPE_SDF)
        weigh_table(&sdf->bulk, &out);
    else if (it->type == VSP_SHAPE_SHELL)
        weigh_table(&shell->bulk, &out);
    if (it->type == VSP_SHAPE_HULL)
        scale_weight(it->scale, &out);
    out.mass *= it->density;
    return out;
}
