/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* How far multipliers and velocities are from a solution: eq. 37-38. */

#include "solve.h"

void vsp__clamp_tangents(const vsp_world *world, vsp__num friction,
                         vsp__num normal, vsp__num *x)
{
    uint32_t tick = world->params.tick;
    vsp__num limit = r_mul_cut(friction, normal,
                               vsp__even_cut(tick, VSP__EVEN_CONE));

    if (vsp__has_cones(world)) {
        vsp__clamp_to_disc(limit, vsp__even_cut(tick, VSP__EVEN_SLIDE), &x[1],
                           &x[2]);
        return;
    }
    x[1] = r_clamp(x[1], -limit, limit);
    x[2] = r_clamp(x[2], -limit, limit);
}

void vsp__point_motion(const vsp__manifold_view *s, uint32_t point,
                       const vsp__local_velocity *u, vsp__num y[3])
{
    vsp__v3 v;

    vsp__point_velocity(u, s->rows + point, &v);
    y[0] = r_add(v.x, s->points[point].bias);
    y[1] = v.y;
    y[2] = v.z;
}

/* Squared H of eq. 37 for a point, (m/s)^2.  With bounds H is min(x - low,
 * max(x - high, y)), which equals x less the projection of x - y; that form
 * covers cones, too. */
static vsp__square point_violation(const vsp__manifold_view *s, uint32_t point,
                                   const vsp__local_velocity *u)
{
    const vsp__num *x = s->points[point].multiplier.row;
    vsp__num y[3], to[3];
    vsp__v3 h;

    vsp__point_motion(s, point, u, y);
    to[1] = r_sub(x[1], y[1]);
    to[2] = r_sub(x[2], y[2]);
    vsp__clamp_tangents(s->world, s->m->friction, x[0], to);
    h = v3(r_min(x[0], y[0]), r_sub(x[1], to[1]), r_sub(x[2], to[2]));
    return v3_product_at(&h, &h);
}

/* theta of eq. 38 */
vsp__wide vsp__velocity_merit(vsp_world *world, const vsp__span *span)
{
    vsp__square sum = 0;
    uint32_t i, j;
    vsp__manifold_view s;

    if (!VSP_MERIT && !VSP_SUBSPACE)
        return VSP__W_ZERO;
    if (VSP_JOINTS)
        sum = vsp__joint_merit(world, span);
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        vsp__local_velocity l;

        vsp__load_local_velocity(&s, vsp__solve_of(world)->velocity, &l);
        for (j = 0; j < s.m->point_count; j++)
            sum = square_add(sum, point_violation(&s, j, &l));
        if (VSP_ROLLING && vsp__rolls(s.m))
            sum = square_add(sum, vsp__roll_violation(&s, &l));
    }
    return w_mul(w_of_real(VSP__REAL(0.5)), w_of_rate_square(sum));
}
