/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Queries of meshes, height fields and shells.  In this order: one triangle;
 * the triangles near a line; the nearest one.  A line is cut into pieces: few
 * triangles lie in the bounds of a piece, and pieces behind a hit are left out.
 */

#include "query.h"

#if VSP_QUERIES && (VSP_MESHES || VSP_HEIGHT_FIELDS || VSP_SHELLS)

/* The hit of a cast gets the normal of the triangle itself if the cosine of the
 * angle between both normals is above this, that of 5.7 degrees. */
#define FACE_COSINE VSP__UNIT(0.995)

/* m: a ray this far beyond the edge of a triangle still hits it, so that no ray
 * passes between two triangles */
#define EDGE_SLACK VSP__REAL(0.00002)

/* A triangle, in the surface's frame. */
typedef struct surface_facet {
    vsp__v3 corners[3];
    vsp__v3 sides[3]; /* unit vectors, from corner k to the next */
    vsp__v3 normal;
} surface_facet;

static void find_sides(surface_facet *f)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__v3_from_to(f->corners + k, f->corners + (k < 2 ? k + 1 : 0),
                        f->sides + k);
        vsp__v3_normalize_flushed(f->sides + k);
    }
    u3_cross_to(&f->sides[0], &f->sides[1], &f->normal);
    v3_flush_in(&f->normal);
    vsp__v3_normalize_flushed(&f->normal);
}

/* The height of a point over the front of a facet. */
static vsp__num height_over_facet(const surface_facet *f, const vsp__v3 *at)
{
    return vsp__height_along(&f->normal, &f->corners[0], at);
}

/* Whether a line meets the front of a facet within a limit; *t is where. */
static bool line_meets_facet(const vsp__local_line *l, const surface_facet *f,
                             vsp__num limit, vsp__num *t)
{
    vsp__num slope = vsp__flushed_dot(&f->normal, &l->way);
    vsp__v3 at, out;
    uint32_t k;

    if (slope >= r_neg(VSP__LEAST_SLOPE))
        return false;
    *t = u_div(height_over_facet(f, &l->at), r_neg(slope));
    if (*t < l->first || *t > limit)
        return false;
    vsp__line_point(l, *t, &at);
    for (k = 0; k < 3; k++) {
        u3_cross_to(f->sides + k, &f->normal, &out);
        v3_flush_in(&out);
        if (vsp__height_along(&out, f->corners + k, &at) > EDGE_SLACK)
            return false;
    }
    return true;
}

/* m: a cast along a facet, or away from it, stops only if it overlaps the facet
 * by more than VSP__TOUCH_DISTANCE.  So a solid that rests on a floor does not
 * hit the floor's next triangle, but a solid that comes from beyond a rim hits
 * the rim. */
#define RIM_DEPTH VSP__REAL(0.001) /* twice that */

/* Finds where a cast that starts in front of a facet hits it.  A facet that the
 * cast does not approach is tested as if it were RIM_DEPTH deeper. */
static bool cast_at_facet(vsp__query_state *s, const surface_facet *f,
                          vsp__convex *triangle, vsp__num limit,
                          vsp__query_hit *m)
{
    surface_facet deep;
    vsp__v3 normal = f->normal;
    uint32_t k;

    if (vsp__flushed_dot(&f->normal, &s->line.way) < 0)
        return vsp__move_query_solid(s, triangle, limit, m);
    deep = *f;
    for (k = 0; k < 3; k++)
        u3_move(&deep.corners[k], r_neg(RIM_DEPTH), &f->normal);
    triangle->corners = deep.corners;
    if (!vsp__move_query_solid(s, triangle, limit, m))
        return false;
    vsp__direction_to_world(s->pose, &normal);
    if (m->at > 0)
        u3_move(&m->point, RIM_DEPTH, &normal);
    return true;
}

/* Replaces the normal of a hit by that of the facet if both are nearly
 * equal. */
static void prefer_face_normal(const vsp__query_state *s,
                               const surface_facet *f, vsp__query_hit *m)
{
    vsp__v3 face = f->normal;

    vsp__direction_to_world(s->pose, &face);
    if (u3_dot_at(&face, &m->normal) > FACE_COSINE)
        m->normal = face;
}

/* Measures the gap from the query's solid to a facet.  If they overlap, the
 * normal is that of the facet. */
static bool gap_to_facet(vsp__query_state *s, const surface_facet *f,
                         const vsp__convex *triangle, vsp__num limit,
                         vsp__query_hit *m)
{
    s->place.position = s->start;
    if (!vsp__nearest_on_convex(s, triangle, limit, m))
        return false;
    if (!(m->at > 0)) {
        m->normal = f->normal;
        vsp__direction_to_world(s->pose, &m->normal);
    }
    prefer_face_normal(s, f, m);
    return true;
}

/* Fills the position of the query from which a facet is tested. */
static void place_of_look(const vsp__query_state *s, vsp__v3 *at)
{
    *at = s->line.at;
    if (s->question == VSP__ASK_CAST)
        vsp__line_point(&s->line, s->line.first, at);
}

/* Tests one facet.  The normal of the hit is in the surface's frame for rays
 * and nearest points, and in the world's for other questions. */
static bool ask_facet(vsp__query_state *s, const surface_facet *f,
                      vsp__num limit, vsp__query_hit *m)
{
    vsp__convex triangle;
    vsp__v3 at;
    vsp__num height;

    m->normal = f->normal;
    if (s->question == VSP__ASK_RAY)
        return line_meets_facet(&s->line, f, limit, &m->at);
    vsp__make_core(&triangle, s->pose, VSP__CORE_TRIANGLE);
    triangle.corners = f->corners;
    place_of_look(s, &at);
    height = height_over_facet(f, &at);
    if (s->question == VSP__ASK_NEAREST) {
        if (height < 0 || height > limit ||
            !vsp__nearest_on_convex(s, &triangle, limit, m))
            return false;
        m->normal = f->normal;
        return true;
    }
    if (VSP_CHARACTER && s->question == VSP__ASK_GAP)
        return height >= 0 && gap_to_facet(s, f, &triangle, limit, m);
    if (s->question == VSP__ASK_CAST
            ? height < 0 || !cast_at_facet(s, f, &triangle, limit, m)
            : !vsp__move_query_solid(s, &triangle, limit, m))
        return false;
    if (m->at > 0)
        prefer_face_normal(s, f, m);
    return true;
}

/* Turns the front of a shell's facet, which has two fronts, to the query. */
static void face_query(const vsp__query_state *s, surface_facet *f)
{
    vsp__v3 at, corner = f->corners[1];

    place_of_look(s, &at);
    if (s->question == VSP__ASK_RAY
            ? !(vsp__flushed_dot(&f->normal, &s->line.way) > 0)
            : !(height_over_facet(f, &at) < 0))
        return;
    f->corners[1] = f->corners[2];
    f->corners[2] = corner;
    find_sides(f);
}

/* Tests the facets within bounds.  A hit that is better than m, and not beyond
 * m->at, replaces m. */
static void ask_facets(vsp__query_state *s, const vsp__surface *surface,
                       const vsp__aabb *bounds, vsp__query_hit *m)
{
    vsp__triangle_walk list;
    vsp__query_hit now;
    surface_facet f;

    vsp__start_triangles(&list, surface, bounds);
    while (vsp__next_triangle(&list, f.corners, &now.part)) {
        find_sides(&f);
        if (vsp__is_shell(s->shape))
            face_query(s, &f);
        now.slot = s->slot;
        if (ask_facet(s, &f, m->at, &now) && vsp__is_better_hit(m, &now))
            *m = now;
    }
}

/* Advances to the next piece, and fills its bounds. */
static void next_piece(const vsp__local_line *l, const vsp__v3 *reach,
                       vsp__line_piece *cut, vsp__aabb *bounds)
{
    vsp__v3 a, b;

    cut->left--;
    cut->from = cut->to;
    cut->to = r_add(cut->from, cut->step);
    vsp__line_point(l, cut->from, &a);
    vsp__line_point(l, cut->to, &b);
    vsp__bound_segment(&a, &b, reach, bounds);
}

/* Finds where the displacement first hits a surface. */
static bool cross_surface(vsp__query_state *s, const vsp__surface *surface,
                          vsp__query_hit *m)
{
    vsp__v3 reach = v3(VSP__TOUCH_DISTANCE, VSP__TOUCH_DISTANCE,
                       VSP__TOUCH_DISTANCE);
    vsp__num base = 0; /* m->at minus t of the line */
    vsp__aabb bounds;
    vsp__line_piece cut;

    m->at = s->line.last;
    if (s->question != VSP__ASK_RAY) {
        vsp__reach_in_frame(s, &reach);
        base = s->line.base;
        m->at = s->limit;
    }
    if (!vsp__clip_line_to_shape(s, &reach, &cut))
        return false;
    while (cut.left > 0) {
        next_piece(&s->line, &reach, &cut, &bounds);
        ask_facets(s, surface, &bounds, m);
        if (m->slot == s->slot && m->at <= r_add(cut.to, base))
            break;
    }
    return m->slot == s->slot &&
           (s->question != VSP__ASK_RAY || vsp__meet_line_at(s, m->at, m));
}

/* Finds the nearest point of a surface among the triangles whose front is
 * towards the query's point.  Searches growing boxes, so that few triangles are
 * tested. */
static bool nearest_on_surface(vsp__query_state *s, const vsp__surface *surface,
                               vsp__query_hit *m)
{
    vsp__num reach = u_mul(VSP__UNIT(1.0 / 256.0), s->limit);
    vsp__aabb bounds;
    vsp__v3 margin;
    uint32_t ring;

    for (ring = 0; ring < 5 && m->slot != s->slot; ring++) {
        m->at = ring < 4 ? reach : s->limit;
        margin.x = margin.y = margin.z = m->at;
        vsp__bound_segment(&s->line.at, &s->line.at, &margin, &bounds);
        ask_facets(s, surface, &bounds, m);
        reach = r_add(r_add(reach, reach), r_add(reach, reach));
    }
    if (m->slot != s->slot)
        return false;
    vsp__direction_to_world(s->pose, &m->normal);
    return true;
}

bool vsp__ask_surface(vsp__query_state *s, vsp__query_hit *m)
{
    vsp__surface surface;

    vsp__make_surface(s->world, s->shape, s->pose, &surface);
    m->slot = VSP_MAX_SHAPES;
    if (s->question == VSP__ASK_NEAREST)
        return nearest_on_surface(s, &surface, m);
    return s->question != VSP__ASK_INSIDE && cross_surface(s, &surface, m);
}

#endif /* VSP_QUERIES && (VSP_MESHES || VSP_HEIGHT_FIELDS || VSP_SHELLS) */
