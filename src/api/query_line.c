/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rays against convex solids.  In this order: hits; the part of a line in each
 * type of solid; the hit of a ray; the pieces of a line for surfaces and signed
 * distance fields. */

#include "query.h"

#if VSP_QUERIES


/* ---- Hits ---------------------------------------------------------------- */

bool vsp__begins_inside(const vsp__query_state *s, vsp__query_hit *m)
{
    m->at = 0;
    m->point = s->origin;
    v3_neg_to(&s->direction, &m->normal);
    return true;
}

bool vsp__meet_line_at(const vsp__query_state *s, vsp__num t, vsp__query_hit *m)
{
    m->at = r_max(r_add(t, s->line.base), 0);
    vsp__way_point(s, m->at, &m->point);
    vsp__direction_to_world(s->pose, &m->normal);
    return m->at <= s->limit;
}


/* ---- Lines in solids ----------------------------------------------------- */

/* The part of a line that is in a solid. */
typedef struct vsp__line_interval {
    vsp__num enter, exit; /* m along the line */
    vsp__v3 normal;       /* of the surface where it enters */
    uint32_t face;        /* face of a box or hull through which it enters */
} vsp__line_interval;

/* The chord of a line in a ball around the origin: its middle along the line,
 * and half its length.  Returns false when the line misses the ball. */
static bool chord_of_ball(const vsp__v3 *at, const vsp__v3 *way,
                          vsp__num radius, vsp__num *middle, vsp__num *half)
{
    vsp__v3 near;
    vsp__square room;

    *middle = r_neg(vsp__flushed_dot(at, way));
    vsp__point_along(at, way, *middle, &near);
    room = r_square(radius) - v3_square(near);
    if (room < 0)
        return false;
    *half = vsp__square_root(room);
    return true;
}

/* The part of a line in a ball whose centre is at a height on the y axis. */
static bool line_in_ball(const vsp__local_line *l, vsp__num height,
                         vsp__num radius, vsp__line_interval *p)
{
    vsp__v3 at = l->at;
    vsp__num middle, half;

    at.y = r_flush(r_sub(at.y, height));
    if (!chord_of_ball(&at, &l->way, radius, &middle, &half))
        return false;
    p->enter = r_sub(middle, half);
    p->exit = r_add(middle, half);
    p->normal = at;
    u3_move(&p->normal, p->enter, &l->way);
    vsp__v3_normalize(&p->normal);
    return true;
}

/* Finds where a line crosses the surface of a capsule: on the cylinder, or else
 * on a cap.  Seen along the capsule's axis, it crosses the circle at u, m.  The
 * steepness is the sine of the angle between line and axis. */
static bool line_in_capsule_wall(const vsp__local_line *l, const vsp__v3 *size,
                                 vsp__num u, vsp__num steepness,
                                 vsp__line_interval *p)
{
    vsp__num t, y;

    if (steepness < VSP__UNIT(0.00001)) { /* along the axis: a cap */
        y = r_signed(VSP__FAR_LENGTH, (l->way.y < 0) != (u < 0));
    } else {
        t = u_div(u, steepness);
        y = r_add(l->at.y, u_mul(l->way.y, r_flush(t)));
        if (r_abs(y) <= size->y) {
            p->enter = p->exit = t;
            vsp__line_point(l, t, &p->normal);
            p->normal.y = 0;
            vsp__v3_normalize(&p->normal);
            return true;
        }
    }
    return line_in_ball(l, r_signed(size->y, y < 0), size->x, p);
}

static bool line_in_capsule(const vsp__local_line *l, const vsp__v3 *size,
                            vsp__line_interval *p)
{
    vsp__v3 across = l->way, at = l->at;
    vsp__num steepness, middle, half;
    vsp__line_interval end;

    across.y = at.y = 0;
    steepness = v3_length_at(&across);
    if (steepness >= VSP__UNIT(0.00001))
        vsp__v3_normalize(&across);
    else
        across = v3_zero();
    v3_flush_in(&across);
    if (!chord_of_ball(&at, &across, size->x, &middle, &half))
        return false;
    half = r_max(half, VSP__REAL(0.00001));
    if (!line_in_capsule_wall(l, size, r_sub(middle, half), steepness, p) ||
        !line_in_capsule_wall(l, size, r_add(middle, half), steepness, &end))
        return false;
    p->exit = end.exit;
    return true;
}

static void whole_line(vsp__line_interval *p)
{
    p->enter = r_neg(VSP__FAR_LENGTH);
    p->exit = VSP__FAR_LENGTH;
    p->face = 0;
}

/* Cuts off the part of a line above a plane.  At t = 0 the line is at `height`
 * over the plane and rises by `slope`.  Returns false when nothing is left. */
static bool clip_to_plane(vsp__line_interval *p, vsp__num height,
                          vsp__num slope, uint32_t face)
{
    vsp__num t;

    if (r_abs(slope) <= VSP__LEAST_SLOPE)
        return height <= 0;
    t = u_div(r_neg(height), slope);
    if (slope > 0) {
        p->exit = r_min(p->exit, t);
    } else if (t > p->enter) {
        p->enter = t;
        p->face = face;
    }
    return p->enter <= p->exit;
}

static bool line_in_box(const vsp__local_line *l, const vsp__v3 *middle,
                        const vsp__v3 *half, vsp__line_interval *p)
{
    const vsp__num *way = &l->way.x, *h = &half->x;
    vsp__v3 to;
    uint32_t k;

    v3_sub_to(middle, &l->at, &to);
    whole_line(p);
    for (k = 0; k < 3; k++) {
        vsp__num c = v3_part(&to, k);

        if (!clip_to_plane(p, r_sub(c, h[k]), r_neg(way[k]), k) ||
            !clip_to_plane(p, r_sub(r_neg(c), h[k]), way[k], k))
            return false;
    }
    p->normal = v3_zero();
    v3_parts(&p->normal)[p->face] = r_signed(VSP__UNIT(1.0), way[p->face] > 0);
    return true;
}

vsp__num vsp__height_over_face(const vsp__convex *hull, uint32_t face,
                               const vsp__v3 *at, vsp__v3 *normal)
{
    vsp__num height = vsp__hull_plane(hull, face, normal);

    v3_flush_in(normal);
    return r_sub(vsp__flushed_dot(normal, at), height);
}

static bool line_in_hull(const vsp__query_state *s, vsp__line_interval *p)
{
    const vsp__local_line *l = &s->line;
    vsp__convex hull;
    vsp__num height;
    vsp__v3 n;
    uint32_t i;

    vsp__make_convex(s->world, s->shape, s->pose, &hull);
    whole_line(p);
    for (i = 0; i < hull.hull->face_count; i++) {
        height = vsp__height_over_face(&hull, i, &l->at, &n);
        if (!clip_to_plane(p, height, vsp__flushed_dot(&n, &l->way), i))
            return false;
    }
    (void)vsp__height_over_face(&hull, p->face, &l->at, &p->normal);
    return true;
}

#if VSP_ROUNDS

/* below this a line runs along the side of a cone, or a cylinder's axis */
#define LEAST_BEND VSP__UNIT(0.00001)

/* A line in the double cone that the side of a solid is a part of.  Inside,
 * bend t^2 + 2 slope t + rise is below 0, where t is from the point nearest to
 * the solid's origin. */
typedef struct side_crossing {
    vsp__num bend, slope;
    vsp__square rise;
    vsp__num sinking; /* how fast the side's radius shrinks along the line */
} side_crossing;

static void cross_side(const vsp__v3 *half, const vsp__v3 *at,
                       const vsp__v3 *way, side_crossing *c)
{
    vsp__v3 n = v3(r_add(half->y, half->y), r_sub(half->x, half->z), 0);
    vsp__num radius = u_mul(VSP__UNIT(0.5), r_add(half->x, half->z)), x, z, wx;
    vsp__num wz;

    vsp__v3_normalize_flushed(&n);
    radius = r_sub(u_mul(radius, n.x), u_mul(n.y, at->y));
    radius = r_flush(radius);
    c->sinking = r_flush(u_mul(n.y, way->y));
    x = r_flush(u_mul(at->x, n.x));
    z = r_flush(u_mul(at->z, n.x));
    wx = r_flush(u_mul(way->x, n.x));
    wz = r_flush(u_mul(way->z, n.x));
    c->bend = r_flush(u_dot3(wx, wx, wz, wz, r_neg(c->sinking), c->sinking));
    c->slope = r_flush(u_dot3(x, wx, z, wz, radius, c->sinking));
    c->rise = r_square(x) + r_square(z) - r_square(radius);
}

/* Cuts a line to the part within the double cone.  Returns false when nothing
 * is left. */
static bool clip_to_cone(const side_crossing *c, vsp__num base,
                         vsp__line_interval *p)
{
    vsp__square room = r_square(c->slope) - r_part(c->rise, c->bend);
    vsp__num root, low, high;

    if (r_abs(c->bend) < LEAST_BEND) {
        if (r_abs(c->slope) < VSP__REAL(0.000001))
            return c->rise <= 0;
        low = r_add(base, r_div(r_neg(r_of_square(c->rise)),
                                r_add(c->slope, c->slope)));
        high = c->slope > 0 ? low : VSP__FAR_LENGTH;
        low = c->slope > 0 ? r_neg(VSP__FAR_LENGTH) : low;
    } else {
        if (room < 0)
            return c->bend < 0;
        root = vsp__square_root(room);
        low = u_div(r_sub(r_neg(c->slope), root), c->bend);
        high = u_div(r_add(r_neg(c->slope), root), c->bend);
        if (c->bend < 0) { /* inside before the first and after the second */
            root = low;
            low = c->sinking > 0 ? r_neg(VSP__FAR_LENGTH) : root;
            high = c->sinking > 0 ? high : VSP__FAR_LENGTH;
        }
        low = r_add(base, low);
        high = r_add(base, high);
    }
    if (low > p->enter) {
        p->enter = low;
        p->face = 2;
    }
    p->exit = r_min(p->exit, high);
    return p->enter <= p->exit;
}

/* Makes the end of a line on the side, at t, exact by two Newton steps: if the
 * line is about along the side, the root of clip_to_cone is not exact.  Returns
 * the better t, and fills the normal there; n is that of the side: x away from
 * the axis, y along it. */
static vsp__num refine_on_side(const vsp__local_line *l, const vsp__v3 *half,
                               const vsp__v3 *n, vsp__num t, vsp__v3 *normal)
{
    vsp__num radius, slope, off;
    uint32_t i;

    for (i = 0; i < 3; i++) {
        vsp__line_point(l, t, normal);
        off = r_flush(u_mul(n->y, r_add(normal->y, half->y)));
        normal->y = 0;
        v3_flush_in(normal);
        radius = v3_length_at(normal);
        if (v3_size_at(normal) > 0)
            vsp__v3_normalize_flushed(normal);
        u3_scale_in(normal, n->x);
        normal->y = n->y;
        v3_flush_in(normal);
        slope = vsp__flushed_dot(normal, &l->way);
        if (i == 2 || r_abs(slope) <= VSP__LEAST_SLOPE)
            break;
        off = r_add(off, u_mul(n->x, r_sub(radius, half->x)));
        t = r_sub(t, u_div(r_flush(off), slope));
    }
    return t;
}

static bool line_in_turned(const vsp__local_line *l, const vsp__v3 *half,
                           vsp__line_interval *p)
{
    vsp__num base = r_neg(vsp__flushed_dot(&l->at, &l->way));
    vsp__v3 n = v3(r_add(half->y, half->y), r_sub(half->x, half->z), 0), at;
    side_crossing c;

    vsp__point_along(&l->at, &l->way, base, &at);
    cross_side(half, &at, &l->way, &c);
    whole_line(p);
    if (!clip_to_plane(p, r_sub(l->at.y, half->y), l->way.y, 0) ||
        !clip_to_plane(p, r_sub(r_neg(l->at.y), half->y), r_neg(l->way.y), 1) ||
        !clip_to_cone(&c, base, p))
        return false;
    p->normal = v3(0, r_signed(VSP__UNIT(1.0), p->face == 1), 0);
    if (p->face < 2)
        return true;
    vsp__v3_normalize_flushed(&n);
    p->enter = refine_on_side(l, half, &n, p->enter, &p->normal);
    return true;
}

#else

#define line_in_turned(l, half, p) false

#endif

#if VSP_TAPERS

/* A tapered capsule is the union of its balls and the part of a cone between.
 */
static bool line_in_taper(const vsp__local_line *l, const vsp__v3 *size,
                          vsp__line_interval *p)
{
    vsp__local_line moved = *l;
    vsp__line_interval part;
    vsp__v3 half, n;
    bool is_met = false;
    uint32_t i;

    vsp__taper_side(size, &n);
    half = v3(u_mul(size->x, n.x), u_mul(u_mul(size->y, n.x), n.x),
              u_mul(size->z, n.x));
    moved.at.y = r_sub(
        l->at.y, u_mul(u_mul(VSP__UNIT(0.5), n.y), r_add(size->x, size->z)));
    moved.at.y = r_flush(moved.at.y);
    for (i = 0; i < 3; i++) {
        if (i < 2 ? !line_in_ball(l, r_signed(size->y, i == 0),
                                  i == 0 ? size->x : size->z, &part)
                  : !line_in_turned(&moved, &half, &part))
            continue;
        if (is_met)
            part.exit = r_max(part.exit, p->exit);
        if (!is_met || part.enter < p->enter)
            *p = part;
        p->exit = part.exit;
        is_met = true;
    }
    return is_met;
}

#else

#define line_in_taper(l, size, p) false

#endif

bool vsp__ray_solid(const vsp__query_state *s, vsp__query_hit *m)
{
    const vsp__v3 *size = &s->shape->size;
    uint32_t type = s->shape->type;
    vsp__v3 middle = v3_zero();
    const vsp__local_line *l = &s->line;
    vsp__line_interval p;
    bool is_met;

    if (type == VSP_SHAPE_BOX)
        is_met = line_in_box(l, &middle, size, &p);
    else if (VSP_HULLS && type == VSP_SHAPE_HULL)
        is_met = line_in_hull(s, &p);
    else if (VSP_CAPSULES && type == VSP_SHAPE_CAPSULE)
        is_met = line_in_capsule(l, size, &p);
    else if (vsp__is_turned(s->shape)) {
        vsp__turned_half(s->shape, &middle);
        is_met = line_in_turned(l, &middle, &p);
    } else if (vsp__is_taper(s->shape))
        is_met = line_in_taper(l, size, &p);
    else
        is_met = line_in_ball(l, 0, size->x, &p);
    if (!is_met || p.exit < l->first)
        return false;
    if (p.enter < l->first)
        return vsp__begins_inside(s, m);
    m->normal = p.normal;
    return vsp__meet_line_at(s, p.enter, m);
}


/* ---- Pieces of lines ----------------------------------------------------- */

#if VSP__HAS_PARTS

void vsp__reach_in_frame(const vsp__query_state *s, vsp__v3 *seen)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__v3 axis = s->pose->axes.axis[k];

        v3_abs_in(&axis);
        v3_parts(seen)[k] = u3_dot_at(&axis, &s->reach);
    }
}

bool vsp__clip_line_to_shape(const vsp__query_state *s, const vsp__v3 *reach,
                             vsp__line_piece *cut)
{
    const vsp__local_line *l = &s->line;
    vsp__v3 middle, half;
    vsp__line_interval p;

    vsp__shape_box(s->world, s->shape, &middle, &half);
    v3_add_in(&half, reach);
    if (!line_in_box(l, &middle, &half, &p))
        return false;
    cut->from = cut->to = r_max(p.enter, l->first);
    cut->end = r_min(p.exit, l->last);
    cut->step = u_mul(VSP__UNIT(1.0 / VSP__LINE_PIECES),
                      r_sub(cut->end, cut->from));
    cut->left = s->length > 0 ? VSP__LINE_PIECES : 1;
    return cut->end >= cut->from;
}

#endif /* VSP__HAS_PARTS */

#endif /* VSP_QUERIES */
