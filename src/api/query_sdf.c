/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Queries of signed distance fields.  Sphere tracing (Hart, 1996): the ray or
 * solid advances repeatedly by nearly the distance in the field; once this is
 * small, bisection finds the surface. */

#include "query.h"

#if VSP_QUERIES && VSP_SDFS

/* Most steps of a ray, short along a wall, and of a solid, each of which costs
 * more.  A line that needs more of them counts as a miss. */
#define MAX_RAY_TRACES 2048
#define MAX_TRACES 160
#define BISECTIONS 12 /* halvings after the last step */

/* Returns the gap between a field and the solid at a distance along the
 * displacement, at points where they approach, m; at most `reach`. */
static vsp__num gap_of_solid(vsp__query_state *s, const vsp__placed_sdf *sdf,
                             vsp__num at, vsp__num reach, vsp__query_hit *m)
{
    vsp__reducer *g = vsp__reducer_of(s->world);
    vsp__num gap = reach;
    vsp__touch t;
    uint32_t i, k;

    vsp__place_query_solid(s, at);
    vsp__reducer_begin(g);
    vsp__touch_sdf_convex(sdf, &s->solid, reach, g);
    for (i = vsp__reducer_end(g, vsp__touch_width(s->world)); i-- > 0;) {
        vsp__reducer_get(g, i, &t);
        for (k = 0; k < t.count; k++) {
            if (t.points[k].gap >= gap ||
                (s->length > 0 && u3_dot_at(&t.normal, &s->direction) >=
                                      r_neg(VSP__LEAST_SLOPE)))
                continue;
            gap = t.points[k].gap;
            m->normal = t.normal;
            v3_add_to(&t.points[k].on[0], &s->pose->position, &m->point);
        }
    }
    return gap;
}

/* Returns the gap to a field at t along the query, m, for any query; for a ray
 * t is along its line. */
static vsp__num gap_along(vsp__query_state *s, const vsp__placed_sdf *sdf,
                          vsp__num t, vsp__num reach, vsp__query_hit *m)
{
    vsp__v3 at;

    if (s->question != VSP__ASK_RAY)
        return gap_of_solid(s, sdf, t, reach, m);
    vsp__line_point(&s->line, t, &at);
    return vsp__sdf_distance(sdf->table, &at, &m->normal);
}

/* Bisects between `out`, where the gap is above `near`, and `in`, where it is
 * not.  Returns the last t where the gap is above `near`. */
static vsp__num bisect_gap(vsp__query_state *s, const vsp__placed_sdf *sdf,
                           vsp__num out, vsp__num in, vsp__num near,
                           vsp__num reach, vsp__query_hit *m)
{
    vsp__num t;
    uint32_t i;

    for (i = 0; i < BISECTIONS; i++) {
        t = r_add(out, u_mul(VSP__UNIT(0.5), r_sub(in, out)));
        if (gap_along(s, sdf, t, reach, m) > near)
            out = t;
        else
            in = t;
    }
    return out;
}

bool vsp__ask_sdf(vsp__query_state *s, vsp__query_hit *m)
{
    bool is_ray = s->question == VSP__ASK_RAY;
    vsp__num near = is_ray ? 0 : u_mul(VSP__UNIT(0.5), VSP__TOUCH_DISTANCE);
    vsp__num base = is_ray ? 0 : s->line.base;
    vsp__num begin = is_ray ? s->line.first : 0;
    vsp__num reach, least, t, gap, out;
    vsp__v3 size;
    vsp__placed_sdf sdf;
    vsp__line_piece cut;
    uint32_t i;

    vsp__get_query_sdf(s, &sdf);
    if (s->question == VSP__ASK_OVERLAP)
        return gap_along(s, &sdf, 0, VSP__TOUCH_DISTANCE, m) <= 0;
    if (VSP_CHARACTER && s->question == VSP__ASK_GAP) {
        m->at = gap_along(s, &sdf, 0, s->limit, m);
        return m->at < s->limit;
    }
    vsp__reach_in_frame(s, &size);
    if (!vsp__clip_line_to_shape(s, &size, &cut))
        return false;
    least = r_of_place(sdf.table->cell / (is_ray ? 16 : 8) + 1);
    reach = r_of_place(sdf.table->cell);
    reach = r_add(reach, reach);
    t = out = r_max(r_add(cut.from, base), begin);
    for (i = 0; i < (is_ray ? MAX_RAY_TRACES : MAX_TRACES) &&
                t <= r_add(cut.end, base);
         i++) {
        gap = gap_along(s, &sdf, t, reach, m);
        if (gap <= 0 && t == begin)
            return vsp__begins_inside(s, m);
        if (gap <= near) {
            m->at = bisect_gap(s, &sdf, out, t, near, reach, m);
            return is_ray ? vsp__meet_line_at(s, m->at, m) : m->at <= s->limit;
        }
        out = t;
        t = r_add(t, r_max(u_mul(VSP__UNIT(0.8), gap), least));
    }
    return false;
}

#endif /* VSP_QUERIES && VSP_SDFS */
