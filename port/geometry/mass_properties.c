/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Mass properties, summed over tetrahedra between each triangle and one point.
 * Over a tetrahedron of volume V with corners 0, a, b, c the integral of x y is
 * V / 20 times (s_x s_y + a_x a_y + b_x b_y + c_x c_y), where s is the sum of
 * a, b and c.  This equals F. Tonon, Explicit exact formulas for the 3-D
 * tetrahedron inertia tensor, Journal of Mathematics and Statistics 1(1), 2004,
 * in fewer terms.  Over a triangle of area A with corners a, b, c the integral
 * is A / 12 times that sum. */

#include "mass_properties.h"

#include <string.h>

#include "exact_points.h"

uint32_t float_bits(double number)
{
    float nearest = (float)number;
    uint32_t bits;

    memcpy(&bits, &nearest, sizeof bits);
    return bits;
}

double float_number(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

/* Sums of integrals over tetrahedra or triangles: of 1; of x, y, z; of xx, yy,
 * zz, xy, xz, yz. */
typedef struct moments {
    double volume;
    vec3 first;
    double second[6];
} moments;

static void products(vec3 a, double scale, double sum[6])
{
    sum[0] += scale * a.x * a.x;
    sum[1] += scale * a.y * a.y;
    sum[2] += scale * a.z * a.z;
    sum[3] += scale * a.x * a.y;
    sum[4] += scale * a.x * a.z;
    sum[5] += scale * a.y * a.z;
}

static void add_tetrahedron(moments *sum, vec3 a, vec3 b, vec3 c)
{
    double volume = vec_dot(a, vec_cross(b, c)) / 6.0;
    vec3 s = vec_add(a, vec_add(b, c));

    sum->volume += volume;
    sum->first = vec_mad(sum->first, volume / 4.0, s);
    products(s, volume / 20.0, sum->second);
    products(a, volume / 20.0, sum->second);
    products(b, volume / 20.0, sum->second);
    products(c, volume / 20.0, sum->second);
}

/* A product of inertia below this fraction of the sum of squares counts as a
 * rounding error. */
#define NOISE 1e-12

/* Writes the inertia of one kilogram about the centre.  The sum is about the
 * point from which `center` is measured. */
static void write_inertia(uint32_t inertia[6], moments *sum, vec3 center)
{
    double *second = sum->second;
    double size;

    products(center, -sum->volume, second);
    for (int i = 0; i < 6; i++)
        second[i] /= sum->volume;
    size = second[0] + second[1] + second[2];
    inertia[0] = float_bits(second[1] + second[2]);
    inertia[1] = float_bits(second[0] + second[2]);
    inertia[2] = float_bits(second[0] + second[1]);
    for (int i = 3; i < 6; i++)
        inertia[i] = fabs(second[i]) < NOISE * size
                         ? 0
                         : float_bits(0.0 - second[i]);
}

/* Writes a bulk from sums about the point `from`.  Returns false if there is no
 * volume, or the centre is too far away. */
static bool write_bulk(vsp_bulk *out, moments *sum, vec3 from)
{
    vec3 center;

    if (!(sum->volume > 1e-12))
        return false;
    center = vec_scale(sum->first, 1.0 / sum->volume);
    out->volume = float_bits(sum->volume);
    write_inertia(out->inertia, sum, center);
    return place_from(vec_add(center, from), &out->center);
}

bool find_bulk(vsp_bulk *out, const vec3 *points, uint32_t (*triangles)[3],
               size_t count)
{
    moments sum;

    memset(&sum, 0, sizeof sum);
    memset(out, 0, sizeof *out);
    if (count == 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        /* measured from a point nearby, to avoid cancellation */
        vec3 from = points[triangles[0][0]];

        add_tetrahedron(&sum, vec_sub(points[triangles[i][0]], from),
                        vec_sub(points[triangles[i][1]], from),
                        vec_sub(points[triangles[i][2]], from));
    }
    return write_bulk(out, &sum, points[triangles[0][0]]);
}

static void add_sheet(moments *sum, vec3 a, vec3 b, vec3 c)
{
    double area = vec_length(vec_cross(vec_sub(b, a), vec_sub(c, a))) / 2.0;
    vec3 s = vec_add(a, vec_add(b, c));

    sum->volume += area;
    sum->first = vec_mad(sum->first, area / 3.0, s);
    products(s, area / 12.0, sum->second);
    products(a, area / 12.0, sum->second);
    products(b, area / 12.0, sum->second);
    products(c, area / 12.0, sum->second);
}

bool find_sheet_bulk(vsp_bulk *out, const vec3 *points,
                     uint32_t (*triangles)[3], size_t count)
{
    moments sum;

    memset(&sum, 0, sizeof sum);
    memset(out, 0, sizeof *out);
    if (count == 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        vec3 from = points[triangles[0][0]];

        add_sheet(&sum, vec_sub(points[triangles[i][0]], from),
                  vec_sub(points[triangles[i][1]], from),
                  vec_sub(points[triangles[i][2]], from));
    }
    return write_bulk(out, &sum, points[triangles[0][0]]);
}
