/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts of cylinders, cones and tapered capsules with convex solids, in this
 * order: the part of a solid that is turned to the other one; the frame of a
 * contact; discs and polygons; two discs; segments; the touch; axes of faces;
 * nearest points; lines side by side; pairs of solids; the triangles of
 * surfaces. */

#include "collide.h"

#if VSP_ROUNDS


/* ---- The part turned to the other solid ------------------------------------
 * A face, a disc, a line of a round side, an edge or a point. */

/* m: a point this far outside of a polygon or disc still counts as inside */
#define PATCH_TOLERANCE VSP__REAL(0.00005)

/* cosine between normals below which a face is on edge to the contact */
#define PATCH_ON_EDGE VSP__UNIT(0.25)

/* cosine between normals above which the rim of a disc counts as a circle, seen
 * along the normal of the contact */
#define PATCH_FLAT VSP__UNIT(0.995)

/* numbers of the points of a patch: 0 to 15 for points of rims and ends of
 * round sides, then */
#define PATCH_INNER                                                           \
    16u                  /* extreme points of a rim: across an edge, or along \
                            the line of both centres */
#define PATCH_CUTS 32u   /* where an edge crosses the rim or a segment a side */
#define PATCH_VERTEX 64u /* corners */

/* The disc, or the line of the side, of a turned solid. */
static void take_turned_form(const vsp__v3 *half, const vsp__v3 *toward,
                             vsp__patch_form *f)
{
    vsp__v3 way = v3(toward->x, 0, toward->z);
    vsp__v3 side = v3(r_add(half->y, half->y), r_sub(half->x, half->z), 0);
    vsp__num sine = v3_length_at(&way), lean, radius;
    bool is_high = toward->y > 0;

    vsp__v3_normalize_flushed(&side);
    lean = u_dot2(sine, side.x, toward->y, side.y);
    radius = is_high ? half->z : half->x;
    if (sine < VSP__UPRIGHT_SINE)
        way = v3(VSP__UNIT(1.0), 0, 0);
    else
        vsp__v3_normalize_flushed(&way);
    f->rim = is_high ? 4 : 0;
    if (radius > 0 && r_abs(toward->y) >= lean) {
        f->count = 0;
        f->radius = radius;
        f->at[VSP__PATCH_CENTER] = v3(0, r_signed(half->y, !is_high), 0);
        f->normal = v3(0, r_signed(VSP__UNIT(1.0), !is_high), 0);
        f->at[VSP__PATCH_U] = way;
        f->at[VSP__PATCH_V] = v3(way.z, 0, r_neg(way.x));
        return;
    }
    f->count = 2;
    f->at[0] = v3(0, r_neg(half->y), 0);
    f->at[1] = v3(0, half->y, 0);
    u3_move(&f->at[0], half->x, &way);
    u3_move(&f->at[1], half->z, &way);
    f->part[0] = 0;
    f->part[1] = 4;
}

/* The points of both balls of a tapered capsule that are farthest along
 * `toward`: ends of a line of its side if `toward` is the side's normal. */
static void take_taper_form(const vsp__convex *c, const vsp__v3 *toward,
                            vsp__patch_form *f)
{
    uint32_t i;

    f->count = 2;
    for (i = 0; i < 2; i++) {
        vsp__core_corner(c, i, &f->at[i]);
        u3_move(&f->at[i], i == 0 ? c->half.x : c->half.z, toward);
        f->part[i] = (uint8_t)(4u * i);
    }
}

/* The face of a brick, polyhedron or triangle. */
static void take_face_form(const vsp__convex *c, const vsp__v3 *toward,
                           vsp__patch_form *f)
{
    vsp__v3 back = *toward;
    uint32_t corner = vsp__farthest_corner(c, toward, &f->at[0]), face, count;
    uint32_t step, start = 0, i;
    const uint8_t *corners;
    vsp__convex_side s;

    v3_flip_in(&back, true);
    face = vsp__face_against(c, corner, &back);
    vsp__set_side(&s, c);
    (void)vsp__core_plane(&s, face, &f->normal);
    corners = s.form.corners + s.form.first[face];
    count = (uint32_t)s.form.first[face + 1] - s.form.first[face];
    while (start + 1 < count &&
           corners[vsp__face_order(&s.form, count, start)] != corner)
        start++;
    step = (count + VSP__PATCH_CORNERS - 1u) / VSP__PATCH_CORNERS;
    f->count = 0;
    for (i = 0; i < count; i += step) {
        uint32_t k = start + i < count ? start + i : start + i - count;

        k = vsp__face_order(&s.form, count, k);
        vsp__core_corner(c, corners[k], &f->at[f->count]);
        f->part[f->count++] = (uint8_t)(PATCH_VERTEX + corners[k]);
    }
}

/* Fills the form of a solid, in its frame; `toward` is a unit vector there. */
static void take_form(const vsp__convex *c, const vsp__v3 *toward,
                      vsp__patch_form *f)
{
    uint32_t i;

    f->rim = 0;
    if (vsp__is_taper_core(c)) {
        take_taper_form(c, toward, f);
        return;
    }
    if (vsp__is_turned_core(c)) {
        take_turned_form(&c->half, toward, f);
        return;
    }
    if (c->core > VSP__CORE_SEGMENT) {
        take_face_form(c, toward, f);
        return;
    }
    f->count = c->core == VSP__CORE_POINT ? 1 : 2;
    for (i = 0; i < f->count; i++) {
        vsp__core_corner(c, i, &f->at[i]);
        f->part[i] = (uint8_t)(PATCH_VERTEX + i);
    }
}


/* ---- The frame of a contact ---------------------------------------------- */

static const vsp__v3 no_offset = {0, 0, 0};

static void turn_to_patch(const vsp__patch *q, const vsp__mat3 *axes,
                          vsp__v3 *v)
{
    vsp__v3 d = *v;

    if (axes)
        vsp__m3_mul_flushed(axes, &d);
    *v = v3(u3_dot_at(&q->x, &d), u3_dot_at(&q->y, &d), u3_dot_at(&q->n, &d));
    v3_flush_in(v);
}

static void place_in_patch(const vsp__patch *q, const vsp__mat3 *axes,
                           const vsp__v3 *position, vsp__v3 *v)
{
    vsp__v3 d = *v;

    if (axes)
        vsp__m3_mul_flushed(axes, &d);
    v3_add_in(&d, position);
    vsp__v3_from_to(&q->origin, &d, v);
    turn_to_patch(q, NULL, v);
}

/* Converts form k from the frame of its solid to that of the contact.  The axes
 * (null: none) and position of the solid are given in the frame in which
 * q->origin is. */
static void place_form(vsp__patch *q, uint32_t k, const vsp__mat3 *axes,
                       const vsp__v3 *position)
{
    vsp__patch_form *f = q->form + k;
    uint32_t i;

    for (i = 0; i < f->count; i++)
        place_in_patch(q, axes, position, &f->at[i]);
    if (f->count == 0) {
        place_in_patch(q, axes, position, &f->at[VSP__PATCH_CENTER]);
        turn_to_patch(q, axes, &f->at[VSP__PATCH_U]);
        turn_to_patch(q, axes, &f->at[VSP__PATCH_V]);
    }
    if (f->count != 1 && f->count != 2)
        turn_to_patch(q, axes, &f->normal);
}

/* Adds a point of the reference at (x, y) whose counterpart is higher by
 * `height`, if that is below the limit. */
static VSP__CALLED void add_patch_point(vsp__patch *q, vsp__num x, vsp__num y,
                                        vsp__num height, uint32_t part)
{
    vsp__clip_point *p = q->points + q->count;

    if (!(height < q->limit) || q->count == VSP__PATCH_POINTS)
        return;
    p->at[0] = x;
    p->at[1] = y;
    p->at[2] = r_flush(height);
    p->edge = 0;
    p->part = (uint16_t)part;
    q->count++;
}

/* Adds a point of form k, where the other form has the height `other`.  Its gap
 * is the height of form 1 less that of form 0, the reference. */
static void add_patch_pair(vsp__patch *q, uint32_t k, const vsp__v3 *at,
                           vsp__num other, uint32_t part)
{
    vsp__num height = r_sub(at->z, other);

    add_patch_point(q, at->x, at->y, r_signed(height, k == 0), part);
}


/* ---- Discs and polygons -------------------------------------------------- */

/* Computes the height of a disc at a point along the normal.  Returns whether
 * the point is over the disc; false for a disc on edge. */
static bool height_of_disc(const vsp__patch_form *f, const vsp__v3 *at,
                           vsp__num *z)
{
    vsp__num x = r_flush(r_sub(at->x, f->at[VSP__PATCH_CENTER].x));
    vsp__num y = r_flush(r_sub(at->y, f->at[VSP__PATCH_CENTER].y));
    vsp__num det = f->normal.z, a, b, reach;

    *z = f->at[VSP__PATCH_CENTER].z;
    if (r_abs(det) < PATCH_ON_EDGE)
        return false;
    *z = r_sub(*z, u_div(r_flush(u_dot2(x, f->normal.x, y, f->normal.y)), det));
    det = r_flush(u_dot2(f->at[VSP__PATCH_U].x, f->at[VSP__PATCH_V].y,
                         r_neg(f->at[VSP__PATCH_U].y), f->at[VSP__PATCH_V].x));
    a = u_div(r_flush(u_dot2(x, f->at[VSP__PATCH_V].y, r_neg(y),
                             f->at[VSP__PATCH_V].x)),
              det);
    b = u_div(r_flush(u_dot2(y, f->at[VSP__PATCH_U].x, r_neg(x),
                             f->at[VSP__PATCH_U].y)),
              det);
    reach = r_add(f->radius, PATCH_TOLERANCE);
    return r_square(r_flush(a)) + r_square(r_flush(b)) <= r_square(reach);
}

/* Computes the direction and length of side i of a polygon in x and y. */
static vsp__num side_of_form(const vsp__patch_form *f, uint32_t i,
                             vsp__v3 *along)
{
    const vsp__v3 *to = f->at + (i + 1u < f->count ? i + 1u : 0);
    vsp__num length;

    vsp__v3_from_to(f->at + i, to, along);
    along->z = 0;
    length = v3_length_at(along);
    if (length > 0)
        vsp__v3_normalize_flushed(along);
    return length;
}

/* How far a point is outside of side i of a polygon, m, in x and y. */
static vsp__num outside_of_side(const vsp__patch_form *f, uint32_t i,
                                const vsp__v3 *at)
{
    vsp__v3 along, to;
    vsp__num d;

    if (!(side_of_form(f, i, &along) > 0))
        return r_neg(VSP__REAL(1.0));
    vsp__v3_from_to(f->at + i, at, &to);
    d = r_flush(u_dot2(to.x, along.y, r_neg(to.y), along.x));
    return r_signed(d, f->normal.z < 0);
}

/* Computes the height of a polygon at a point.  Returns whether the point is
 * over the polygon; false for one on edge. */
static bool height_of_polygon(const vsp__patch_form *f, const vsp__v3 *at,
                              vsp__num *z)
{
    vsp__v3 to;
    uint32_t i;

    if (f->count < 3 || r_abs(f->normal.z) < PATCH_ON_EDGE)
        return false;
    for (i = 0; i < f->count; i++)
        if (outside_of_side(f, i, at) > PATCH_TOLERANCE)
            return false;
    vsp__v3_from_to(&f->at[0], at, &to);
    *z = r_flush(u_dot2(to.x, f->normal.x, to.y, f->normal.y));
    *z = r_sub(f->at[0].z, u_div(*z, f->normal.z));
    return true;
}

/* the point of a rim in the direction (a, b) of u and v */
static void rim_point(const vsp__patch_form *f, vsp__num a, vsp__num b,
                      vsp__v3 *at)
{
    *at = f->at[VSP__PATCH_CENTER];
    u3_move(at, u_mul(f->radius, a), &f->at[VSP__PATCH_U]);
    u3_move(at, u_mul(f->radius, b), &f->at[VSP__PATCH_V]);
    v3_flush_in(at);
}

/* Adds a point of the rim of form k if it is over the other form. */
static void try_rim(vsp__patch *q, uint32_t k, vsp__num a, vsp__num b,
                    uint32_t part)
{
    const vsp__patch_form *other = q->form + (1u - k);
    vsp__num z;
    vsp__v3 at;

    rim_point(q->form + k, a, b, &at);
    if (other->count == 0 ? height_of_disc(other, &at, &z)
                          : height_of_polygon(other, &at, &z))
        add_patch_pair(q, k, &at, z, part);
}

/* Adds four points of a rim: along u, v and against them. */
static void try_four_rims(vsp__patch *q, uint32_t k)
{
    uint32_t base = q->form[k].rim + 8u * k, i;

    for (i = 0; i < 4; i++) {
        vsp__num one = r_signed(VSP__UNIT(1.0), i >= 2);

        try_rim(q, k, i % 2u == 0 ? one : 0, i % 2u == 0 ? 0 : one, base + i);
    }
}

/* Adds a point where side i of a polygon, form 1 - k, crosses the rim of form
 * k in the direction (a, b). */
static void add_cut(vsp__patch *q, uint32_t k, uint32_t i, const vsp__num ab[2],
                    uint32_t part)
{
    const vsp__patch_form *f = q->form + (1u - k);
    const vsp__v3 *from = f->at + i;
    const vsp__v3 *end = f->at + (i + 1u < f->count ? i + 1u : 0);
    vsp__v3 along, at, to;
    vsp__num length = side_of_form(f, i, &along), t, z;

    rim_point(q->form + k, ab[0], ab[1], &at);
    vsp__v3_from_to(from, &at, &to);
    t = r_flush(u_dot2(to.x, along.x, to.y, along.y));
    if (t < r_neg(PATCH_TOLERANCE) || t > r_add(length, PATCH_TOLERANCE))
        return;
    t = u_div(r_clamp(t, 0, length), length);
    z = r_add(from->z, u_mul(t, r_flush(r_sub(end->z, from->z))));
    add_patch_pair(q, k, &at, z, part);
}

/* Adds the points where side i of a polygon crosses the rim of form k, seen
 * along the normal, and the rim's points farthest from it. */
static void cut_rim(vsp__patch *q, uint32_t k, uint32_t i)
{
    const vsp__patch_form *f = q->form + k, *polygon = q->form + (1u - k);
    vsp__v3 along, m, to;
    vsp__num reach, c, s, ab[2], cut[2];
    uint32_t sign;

    if (!(side_of_form(polygon, i, &along) > PATCH_TOLERANCE))
        return;
    m = v3(along.y, r_neg(along.x), 0);
    to = v3(r_flush(u3_dot_at(&m, &f->at[VSP__PATCH_U])),
            r_flush(u3_dot_at(&m, &f->at[VSP__PATCH_V])), 0);
    reach = v3_length_at(&to);
    if (reach < PATCH_ON_EDGE)
        return;
    ab[0] = u_div(to.x, reach);
    ab[1] = u_div(to.y, reach);
    reach = u_mul(f->radius, reach);
    vsp__v3_from_to(&f->at[VSP__PATCH_CENTER], polygon->at + i, &to);
    c = r_flush(u3_dot_at(&m, &to));
    if (!(r_abs(c) < reach))
        return;
    s = u_div(vsp__square_root(r_square(reach) - r_square(c)), reach);
    c = u_div(c, reach);
    for (sign = 0; sign < 2; sign++) {
        vsp__num w = r_signed(s, sign == 1);

        cut[0] = r_flush(u_dot2(c, ab[0], r_neg(w), ab[1]));
        cut[1] = r_flush(u_dot2(c, ab[1], w, ab[0]));
        add_cut(q, k, i, cut, PATCH_CUTS + 2u * i + sign);
        if (polygon->count > 2)
            try_rim(q, k, r_signed(ab[0], sign == 1),
                    r_signed(ab[1], sign == 1), PATCH_INNER + i);
    }
}

/* Adds the points of a disc, form k, and a polygon, segment or point. */
static void meet_disc(vsp__patch *q, uint32_t k)
{
    const vsp__patch_form *f = q->form + k, *other = q->form + (1u - k);
    vsp__num z;
    uint32_t i;

    try_four_rims(q, k);
    for (i = 0; i < other->count; i++)
        if (height_of_disc(f, other->at + i, &z))
            add_patch_pair(q, 1u - k, other->at + i, z, other->part[i]);
    for (i = 0; other->count > 1 && i < (other->count > 2 ? other->count : 1u);
         i++)
        cut_rim(q, k, i);
}


/* ---- Two discs ----------------------------------------------------------- */

/* Computes the direction ab, a unit vector in u and v of a disc, of a vector d
 * across the normal of the contact. */
static void direction_on_disc(const vsp__patch_form *f, const vsp__v3 *d,
                              vsp__num ab[2])
{
    vsp__v3 on = v3(r_flush(u3_dot_at(&f->at[VSP__PATCH_U], d)),
                    r_flush(u3_dot_at(&f->at[VSP__PATCH_V], d)), 0);

    if (v3_size_at(&on) > 0)
        vsp__v3_normalize_flushed(&on);
    ab[0] = on.x;
    ab[1] = on.y;
}

/* Adds the two points where the rims cross, on the rim of the reference. */
static void cross_rims(vsp__patch *q, const vsp__v3 *way, vsp__num distance)
{
    const vsp__patch_form *f = q->form, *g = q->form + 1;
    vsp__num along = r_sub(f->radius, g->radius), across, z, ab[2];
    vsp__v3 at, d, side = v3(r_neg(way->y), way->x, 0);
    uint32_t sign;

    if (!(r_abs(along) < distance) || r_abs(g->normal.z) < PATCH_FLAT)
        return;
    along = u_mul(r_add(f->radius, g->radius), u_div(r_flush(along), distance));
    along = u_mul(VSP__UNIT(0.5), r_add(along, distance));
    if (!(r_abs(along) < f->radius))
        return;
    across = vsp__square_root(r_square(f->radius) - r_square(r_flush(along)));
    for (sign = 0; sign < 2; sign++) {
        d = *way;
        u3_scale_in(&d, u_div(along, f->radius));
        u3_move(&d, r_signed(u_div(across, f->radius), sign == 1), &side);
        v3_flush_in(&d);
        direction_on_disc(f, &d, ab);
        rim_point(f, ab[0], ab[1], &at);
        (void)height_of_disc(g, &at, &z);
        add_patch_pair(q, 0, &at, z, PATCH_CUTS + sign);
    }
}

static void meet_discs(vsp__patch *q)
{
    vsp__num distance, ab[2];
    vsp__v3 way;
    uint32_t k;

    vsp__v3_from_to(&q->form[0].at[VSP__PATCH_CENTER],
                    &q->form[1].at[VSP__PATCH_CENTER], &way);
    way.z = 0;
    distance = v3_length_at(&way);
    if (distance > PATCH_TOLERANCE)
        vsp__v3_normalize_flushed(&way);
    for (k = 0; k < 2; k++) {
        try_four_rims(q, k);
        if (!(distance > PATCH_TOLERANCE))
            continue;
        direction_on_disc(q->form + k, &way, ab);
        try_rim(q, k, ab[0], ab[1], PATCH_INNER + 2u * k);
        try_rim(q, k, r_neg(ab[0]), r_neg(ab[1]), PATCH_INNER + 2u * k + 1u);
        v3_flip_in(&way, true);
    }
    if (distance > PATCH_TOLERANCE)
        cross_rims(q, &way, distance);
}


/* ---- Segments ------------------------------------------------------------ */

/* Adds the ends of the part of a segment, form 1, that is over a polygon, the
 * reference: Cyrus and Beck, "Generalized two- and three-dimensional clipping",
 * 1978. */
static void meet_segment(vsp__patch *q)
{
    const vsp__patch_form *polygon = q->form, *f = q->form + 1;
    vsp__num ends[2] = {0, VSP__UNIT(1.0)};
    uint32_t part[2], i, k;

    for (k = 0; k < 2; k++)
        part[k] = f->part[k];
    for (i = 0; i < polygon->count; i++) {
        vsp__num a = r_sub(outside_of_side(polygon, i, &f->at[0]),
                           PATCH_TOLERANCE);
        vsp__num b = r_sub(outside_of_side(polygon, i, &f->at[1]),
                           PATCH_TOLERANCE);
        vsp__num at;

        if (a > 0 && b > 0)
            return;
        if (!(a > 0) && !(b > 0))
            continue;
        at = r_flush(u_div(r_flush(a), r_sub(a, b)));
        k = a > 0 ? 0 : 1;
        if (a > 0 ? at > ends[0] : at < ends[1]) {
            ends[k] = at;
            part[k] = PATCH_CUTS + i;
        }
    }
    if (ends[0] > ends[1])
        return;
    for (k = 0; k < 2; k++) {
        vsp__v3 at;

        vsp__v3_from_to(&f->at[0], &f->at[1], &at);
        u3_scale_in(&at, ends[k]);
        v3_add_in(&at, &f->at[0]);
        add_patch_point(q, at.x, at.y, at.z, part[k]);
    }
}

/* Adds the ends of a segment, form 1, that are over a triangle, the
 * reference. */
static void try_two_ends(vsp__patch *q)
{
    vsp__patch_form *f = q->form + 1;
    vsp__num z;
    uint32_t i;

    for (i = 0; i < 2; i++)
        if (height_of_polygon(q->form, f->at + i, &z))
            add_patch_pair(q, 1, f->at + i, z, f->part[i]);
}

/* Fills the points of a patch whose forms are placed. */
static void meet_forms(vsp__patch *q)
{
    q->count = 0;
    if (q->form[0].count == 0 && q->form[1].count == 0)
        meet_discs(q);
    else if (q->form[0].count == 0 || q->form[1].count == 0)
        meet_disc(q, q->form[0].count == 0 ? 0 : 1u);
    else if (q->form[0].count > 2 && q->form[1].count == 2)
        meet_segment(q);
}


/* ---- The touch ----------------------------------------------------------- */

/* Whether an earlier point of a touch has the feature of its last. */
static bool is_patch_feature_taken(const vsp__touch *t)
{
    uint32_t i;

    for (i = 0; i < t->count; i++)
        if (t->points[i].feature == t->points[t->count].feature)
            return true;
    return false;
}

/* Computes the position of a point of the reference and of that above it. */
static void patch_point_at(const vsp__patch *q, const vsp__clip_point *c,
                           vsp__v3 *low, vsp__v3 *high)
{
    *low = q->origin;
    u3_move(low, c->at[0], &q->x);
    u3_move(low, c->at[1], &q->y);
    *high = *low;
    u3_move(high, c->at[2], &q->n);
    v3_flush_in(low);
    v3_flush_in(high);
}

/* Makes a touch of the patch, whose reference is of this side.  Positions of
 * the patch are relative to a's origin, in world axes. */
static void make_patch_touch(const vsp__convex_pair *p, const vsp__patch *q,
                             uint32_t side, const vsp__v3 *offset,
                             vsp__touch *t)
{
    uint8_t chosen[4] = {0, 1, 2, 3};
    uint32_t count = q->count, i;

    if (count > 2)
        count = vsp__choose_four_points(q->points, count, chosen);
    t->normal = q->n;
    v3_flip_in(&t->normal, side == 1);
    t->count = 0;
    for (i = 0; i < count; i++) {
        const vsp__clip_point *from = q->points + chosen[i];
        vsp__touch_point *to = t->points + i;
        vsp__num radius = p->side[1 - side].solid->radius;

        patch_point_at(q, from, &to->on[side], &to->on[1 - side]);
        u3_move(&to->on[1 - side], r_neg(radius), &q->n);
        v3_sub_in(&to->on[1], offset);
        v3_flush_in(&to->on[1]);
        v3_flush_in(&to->on[0]);
        to->gap = r_sub(from->at[2], radius);
        to->feature = from->part;
        while (is_patch_feature_taken(t))
            to->feature = (to->feature + 1u) & 255u;
        t->count++;
    }
}


/* ---- Axes of faces ------------------------------------------------------- */

/* m: by this the lowest point of a contact may be higher than the separation
 * along its axis, and an end of an edge less far along it than the farthest
 * corner */
#define PATCH_SLACK VSP__REAL(0.0005)

/* an axis points out of a triangle's back above this cosine */
#define PATCH_BACK VSP__UNIT(0.001)

typedef struct patch_axis {
    bool is_found;
    vsp__v3 n;           /* from a to b, in the world */
    vsp__num separation; /* m, of the cores; negative: depth */
} patch_axis;

/* directions to push solids apart along; two of them make an angle with a
 * cosine of START_COSINE at most */
#define MAX_STARTS 5u
#define START_COSINE VSP__UNIT(0.8)

typedef struct patch_starts {
    patch_axis start[MAX_STARTS];
    uint32_t count;
} patch_starts;

typedef struct patch_axes {
    patch_axis face[2];   /* best face of each side */
    patch_axis best;      /* the best of these and of other axes */
    patch_axis back;      /* the best out of the back of a triangle */
    patch_starts *starts; /* gathers the best axes, unless it is null */
} patch_axes;

/* The separation of the cores along a unit vector from a to b, m. */
static vsp__num separation_along(const vsp__convex_pair *p,
                                 const vsp__v3 *offset, const vsp__v3 *n)
{
    vsp__v3 back = *n, a, b;

    v3_flip_in(&back, true);
    vsp__farthest_point(p->side[0].solid, n, &a);
    vsp__farthest_point(p->side[1].solid, &back, &b);
    v3_add_in(&b, offset);
    vsp__v3_from_to(&a, &b, &b);
    return r_flush(u3_dot_at(n, &b));
}

static void take_patch_axis(patch_axis *axis, const vsp__v3 *n,
                            vsp__num separation)
{
    if (axis->is_found && !(separation > axis->separation))
        return;
    axis->is_found = true;
    axis->n = *n;
    axis->separation = separation;
}

/* Makes an axis one of the starts if it is better than the one near to it, or,
 * if they are full, than the worst. */
static void take_start(patch_starts *s, const vsp__v3 *n, vsp__num separation)
{
    uint32_t worst = 0, i;

    for (i = 0; i < s->count; i++) {
        if (u3_dot_at(&s->start[i].n, n) > START_COSINE)
            break;
        if (s->start[i].separation < s->start[worst].separation)
            worst = i;
    }
    if (i == MAX_STARTS)
        i = worst;
    if (i == s->count) {
        s->start[i].is_found = false;
        s->count++;
    }
    take_patch_axis(s->start + i, n, separation);
}

/* Whether a direction from a to b leaves a triangle through its back. */
static bool leaves_by_back(const vsp__convex_pair *p, const vsp__v3 *n)
{
    uint32_t side;
    vsp__v3 front;

    for (side = 0; side < 2; side++) {
        if (!vsp__is_triangle(p->side + side))
            continue;
        front = p->side[side].front;
        vsp__m3_mul_flushed(&p->side[side].solid->pose->axes, &front);
        return r_signed(u3_dot_at(&front, n), side == 0) > PATCH_BACK;
    }
    return false;
}

/* Measures an axis, a unit vector from a to b; side 2: not of a face.  Returns
 * whether the cores are nearer than the limit along it. */
static bool measure_patch_axis(const vsp__convex_pair *p, const vsp__v3 *offset,
                               const vsp__v3 *n, vsp__num limit, uint32_t side,
                               patch_axes *axes)
{
    vsp__num separation = separation_along(p, offset, n);

    if (separation >= limit)
        return false;
    if (leaves_by_back(p, n)) {
        take_patch_axis(&axes->back, n, separation);
        return true;
    }
    if (axes->starts)
        take_start(axes->starts, n, separation);
    if (side < 2)
        take_patch_axis(axes->face + side, n, separation);
    take_patch_axis(&axes->best, n, separation);
    return true;
}

/* Measures the faces of one side, as many as the budget allows: a face of a
 * hull takes as long as the hull has corners. */
static bool measure_patch_faces(vsp__convex_pair *p, const vsp__v3 *offset,
                                vsp__num limit, uint32_t side, patch_axes *axes)
{
    const vsp__convex_side *s = p->side + side;
    bool is_turned = s->solid->core == VSP__CORE_TURNED;
    uint32_t count = is_turned ? 2 : s->form.face_count, face;
    uint32_t cost = s->form.vertex_count / VSP__CORNERS_OF_UNIT;
    vsp__v3 n;

    for (face = 0; face < count && vsp__pay(&p->left, cost); face++) {
        if (!is_turned)
            (void)vsp__core_plane(s, face, &n);
        else if ((face == 0 ? s->solid->half.x : s->solid->half.z) > 0)
            n = v3(0, r_signed(VSP__UNIT(1.0), face == 0), 0);
        else
            continue;
        v3_flip_in(&n, side == 1);
        vsp__m3_mul_flushed(&s->solid->pose->axes, &n);
        if (!measure_patch_axis(p, offset, &n, limit, side, axes))
            return false;
    }
    return true;
}

#if VSP_TAPERS

/* Measures the axis from the nearest point of a tapered capsule to the other's
 * centre, and that across both y axes. */
static bool measure_taper_axes(const vsp__convex_pair *p, const vsp__v3 *offset,
                               vsp__num limit, uint32_t side, patch_axes *axes)
{
    const vsp__convex_side *s = p->side + side;
    vsp__v3 at = s->offset, n, across;

    (void)vsp__gap_of_taper(&s->solid->half, &at, &n);
    v3_flip_in(&n, side == 1);
    vsp__m3_mul_flushed(&s->solid->pose->axes, &n);
    if (!measure_patch_axis(p, offset, &n, limit, 2, axes))
        return false;
    u3_cross_to(&p->side[0].solid->pose->axes.axis[1],
                &p->side[1].solid->pose->axes.axis[1], &across);
    v3_flush_in(&across);
    if (v3_length_at(&across) < VSP__REAL(0.01))
        return true;
    vsp__v3_normalize_flushed(&across);
    v3_flip_in(&across, u3_dot_at(&across, &n) < 0);
    return measure_patch_axis(p, offset, &across, limit, 2, axes);
}

#else

#define measure_taper_axes(p, offset, limit, side, axes) true

#endif

/* Measures the axis across the round side of a turned solid to the other's
 * centre. */
static bool measure_side_axis(const vsp__convex_pair *p, const vsp__v3 *offset,
                              vsp__num limit, uint32_t side, patch_axes *axes)
{
    const vsp__convex_side *s = p->side + side;
    vsp__v3 way = s->offset, n;

    if (vsp__is_taper_core(s->solid))
        return measure_taper_axes(p, offset, limit, side, axes);
    way.y = 0;
    if (!vsp__is_turned_core(s->solid) ||
        v3_length_at(&way) < VSP__REAL(0.0001))
        return true;
    vsp__v3_normalize_flushed(&way);
    n = v3(r_add(s->solid->half.y, s->solid->half.y),
           r_sub(s->solid->half.x, s->solid->half.z), 0);
    vsp__v3_normalize_flushed(&n);
    u3_scale_in(&way, n.x);
    way.y = n.y;
    v3_flush_in(&way);
    v3_flip_in(&way, side == 1);
    vsp__m3_mul_flushed(&s->solid->pose->axes, &way);
    return measure_patch_axis(p, offset, &way, limit, 2, axes);
}

/* Finds the best axes.  Returns false if one separates the cores by the limit
 * or more. */
static VSP__CALLED bool find_patch_axes(vsp__convex_pair *p,
                                        const vsp__v3 *offset, vsp__num limit,
                                        patch_axes *axes)
{
    uint32_t side;

    axes->face[0].is_found = axes->face[1].is_found = false;
    axes->best.is_found = axes->back.is_found = false;
    for (side = 0; side < 2; side++)
        if (!measure_patch_faces(p, offset, limit, side, axes) ||
            !measure_side_axis(p, offset, limit, side, axes))
            return false;
    return true;
}

/* Fills t with the contact of the best face of one side.  Returns false if no
 * point is about as near as the axis says. */
static bool touch_patch_face(const vsp__convex_pair *p, const vsp__v3 *offset,
                             const patch_axis *axis, uint32_t side,
                             vsp__num limit, vsp__touch *t)
{
    vsp__num least = limit;
    uint32_t i, k;
    vsp__patch q;

    q.n = axis->n;
    q.limit = limit;
    v3_flip_in(&q.n, side == 1);
    vsp__make_tangents(&q.n, &q.x, &q.y);
    v3_flush_in(&q.x);
    v3_flush_in(&q.y);
    for (k = 0; k < 2; k++) {
        vsp__v3 toward = axis->n;
        const vsp__convex *c = p->side[k].solid;

        v3_flip_in(&toward, k == 1);
        vsp__m3_tmul_flushed(&c->pose->axes, &toward);
        take_form(c, &toward, q.form + (k == side ? 0 : 1));
    }
    q.origin = q.form[0].count == 0 ? q.form[0].at[VSP__PATCH_CENTER]
                                    : q.form[0].at[0];
    vsp__m3_mul_flushed(&p->side[side].solid->pose->axes, &q.origin);
    if (side == 1)
        v3_add_in(&q.origin, offset);
    v3_flush_in(&q.origin);
    for (k = 0; k < 2; k++)
        place_form(&q, k == side ? 0 : 1, &p->side[k].solid->pose->axes,
                   k == 1 ? offset : &no_offset);
    meet_forms(&q);
    for (i = 0; i < q.count; i++)
        least = r_min(least, q.points[i].at[2]);
    if (q.count == 0 || least > r_add(axis->separation, PATCH_SLACK))
        return false;
    make_patch_touch(p, &q, side, offset, t);
    return true;
}

/* Whether a face is about as good as the best axis: faces give more points,
 * which last for more steps. */
static bool is_face_best(const patch_axis *face, vsp__num best)
{
    return r_add(r_add(face->separation, VSP__EDGE_HANDICAP),
                 u_mul(VSP__EDGE_HANDICAP_PART, r_abs(face->separation))) >=
           best;
}

/* Tries the better face, then that of the other side if it is as good. */
static bool touch_patch_faces(const vsp__convex_pair *p, const vsp__v3 *offset,
                              const patch_axes *axes, vsp__num limit,
                              vsp__touch *t)
{
    const patch_axis *face = axes->face;
    uint32_t first;

    if (!face[0].is_found || !face[1].is_found)
        first = face[0].is_found ? 0 : 1;
    else
        first = face[1].separation >
                        r_add(face[0].separation, VSP__FACE_HANDICAP)
                    ? 1
                    : 0;
    if (!face[first].is_found ||
        !is_face_best(face + first, axes->best.separation))
        return false;
    if (touch_patch_face(p, offset, face + first, first, limit, t))
        return true;
    return face[1 - first].is_found &&
           r_add(face[1 - first].separation, VSP__FACE_HANDICAP) >=
               face[first].separation &&
           touch_patch_face(p, offset, face + (1 - first), 1 - first, limit, t);
}


/* ---- Nearest points --------------------------------------------------------
 * Solids that overlap, or nearly so, are pushed apart along the best axis, and
 * the direction between their nearest points is a better axis.  For a shallow
 * overlap this direction is exact. */

#define PUSH_ROUNDS 6u

/* Finds the nearest points of a pair, and pays for it.  Returns their distance,
 * or 0 if the budget of the pair is used up: then an axis counts as exact. */
static vsp__num pay_for_nearest(vsp__convex_pair *p, vsp__gjk_simplex *s)
{
    if (!vsp__pay(&p->left, VSP__NEAREST_COST))
        return 0;
    return vsp__nearest_points(p, VSP__FAR_LIMIT, s);
}

/* m: distance to which solids are pushed apart */
#define PUSH_DISTANCE VSP__REAL(0.01)

/* m: a gain below this ends the search */
#define PUSH_GAIN VSP__REAL(0.00001)

/* Sets the offset of a pair, from the origin of a to that of b. */
static void set_pair_offset(vsp__convex_pair *p, const vsp__v3 *offset)
{
    uint32_t side;

    for (side = 0; side < 2; side++) {
        vsp__v3 *v = &p->side[side].offset;

        *v = *offset;
        v3_flip_in(v, side == 1);
        vsp__m3_tmul_flushed(&p->side[side].solid->pose->axes, v);
    }
}

/* a kernel is a turned solid scaled by this, about its origin */
#define KERNEL_PART VSP__UNIT(0.9)

/* Takes the direction between the nearest points of the kernels of turned
 * solids, if these are apart, as an axis. */
static VSP__CALLED void try_kernel_axis(vsp__convex_pair *p,
                                        const vsp__v3 *offset, patch_axis *axis)
{
    const vsp__convex *whole[2];
    vsp__convex kernel[2];
    vsp__gjk_simplex s;
    uint32_t side;
    vsp__num distance;

    for (side = 0; side < 2; side++) {
        whole[side] = p->side[side].solid;
        kernel[side] = *whole[side];
        if (vsp__is_turned_core(whole[side]))
            u3_scale_in(&kernel[side].half, KERNEL_PART);
        p->side[side].solid = &kernel[side];
    }
    distance = pay_for_nearest(p, &s);
    for (side = 0; side < 2; side++)
        p->side[side].solid = whole[side];
    if (!(distance > VSP__REAL(0.001)))
        return;
    v3_flip_in(&s.direction, true);
    vsp__m3_mul_flushed(&whole[1]->pose->axes, &s.direction);
    take_patch_axis(axis, &s.direction,
                    separation_along(p, offset, &s.direction));
}

/* m: the axis between the nearest points of solids that are apart replaces one
 * that is worse by this */
#define APART_GAIN VSP__REAL(0.0005)

/* Takes the direction between the nearest points of cores that are apart, if
 * their distance is above the separation that pushes found by APART_GAIN. */
static VSP__CALLED void take_apart_axis(vsp__convex_pair *p,
                                        const vsp__v3 *offset, patch_axis *axis,
                                        vsp__v3 on[2])
{
    vsp__gjk_simplex s;
    vsp__v3 n;

    if (!(pay_for_nearest(p, &s) >
          r_add(r_max(axis->separation, 0), APART_GAIN)))
        return;
    n = s.direction;
    v3_flip_in(&n, true);
    vsp__m3_mul_flushed(&p->side[1].solid->pose->axes, &n);
    axis->n = n;
    axis->separation = separation_along(p, offset, &n);
    vsp__simplex_points(p, &s, on);
}

/* Pushes the solids apart along an axis.  Makes the direction between their
 * nearest points the best, and fills these, relative to the origins, in world
 * axes, if the separation along it is above `least`, m.  Returns whether it
 * is.  Leaves the pair pushed. */
static VSP__CALLED bool push_patch(vsp__convex_pair *p, const vsp__v3 *offset,
                                   const patch_axis *axis, vsp__num least,
                                   patch_axis *best, vsp__v3 on[2])
{
    vsp__v3 moved = *offset;
    vsp__gjk_simplex s;
    vsp__num distance;

    u3_move(&moved, r_max(r_sub(PUSH_DISTANCE, axis->separation), 0), &axis->n);
    v3_flush_in(&moved);
    set_pair_offset(p, &moved);
    distance = pay_for_nearest(p, &s);
    if (!(distance > u_mul(VSP__UNIT(0.1), PUSH_DISTANCE)))
        return false;
    moved = s.direction;
    v3_flip_in(&moved, true);
    vsp__m3_mul_flushed(&p->side[1].solid->pose->axes, &moved);
    distance = separation_along(p, offset, &moved);
    if (!(distance > least))
        return false;
    vsp__simplex_points(p, &s, on);
    best->n = moved;
    best->separation = distance;
    return true;
}

/* Fills the farthest points of both solids along an axis. */
static void fill_farthest(const vsp__convex_pair *p, const patch_axis *axis,
                          vsp__v3 on[2])
{
    vsp__v3 back = axis->n;

    v3_flip_in(&back, true);
    vsp__farthest_point(p->side[0].solid, &axis->n, &on[0]);
    vsp__farthest_point(p->side[1].solid, &back, &on[1]);
}

/* Improves an axis by pushing the solids apart along it while that makes it
 * better, the first time in any case. */
static VSP__CALLED void improve_axis(vsp__convex_pair *p, const vsp__v3 *offset,
                                     patch_axis *axis, vsp__v3 on[2])
{
    vsp__num least = r_neg(VSP__FAR_LIMIT), before;
    uint32_t round;

    for (round = 0; round < PUSH_ROUNDS; round++) {
        before = axis->separation;
        if (!push_patch(p, offset, axis, least, axis, on))
            return;
        least = axis->separation;
        if (!(least > r_add(before, PUSH_GAIN)))
            return;
    }
}

/* The depth of an overlap can have a local minimum near more than one
 * direction: pushes the solids along the best axes of other directions, too.
 * Not for triangles, which push to their front alone. */
static VSP__CALLED void try_other_starts(vsp__convex_pair *p,
                                         const vsp__v3 *offset,
                                         patch_axes *axes, patch_axis *axis,
                                         vsp__v3 on[2])
{
    patch_starts starts;
    bool is_better = false;
    uint32_t i;

    starts.count = 0;
    axes->starts = &starts;
    set_pair_offset(p, offset);
    (void)find_patch_axes(p, offset, VSP__FAR_LIMIT, axes);
    axes->starts = NULL;
    for (i = 0; i < starts.count; i++)
        if (push_patch(p, offset, starts.start + i,
                       r_add(axis->separation, PUSH_GAIN), axis, on))
            is_better = true;
    if (is_better)
        improve_axis(p, offset, axis, on);
}

/* Improves the best axis by nearest points, which it fills.  Returns false if
 * the cores are apart by the limit. */
static VSP__CALLED bool find_nearest_axis(vsp__convex_pair *p,
                                          const vsp__v3 *offset, vsp__num limit,
                                          patch_axes *axes, vsp__v3 on[2])
{
    patch_axis axis = axes->best;

    if (axis.separation < r_neg(VSP__EDGE_HANDICAP))
        try_kernel_axis(p, offset, &axis);
    fill_farthest(p, &axis, on);
    improve_axis(p, offset, &axis, on);
    if (axis.separation < r_neg(VSP__EDGE_HANDICAP) && !axes->back.is_found)
        try_other_starts(p, offset, axes, &axis, on);
    set_pair_offset(p, offset);
    take_apart_axis(p, offset, &axis, on);
    axes->best = axis;
    return axis.separation < limit;
}


/* ---- Lines side by side -------------------------------------------------- */

/* cosine to the normal up to which a line counts as across it */
#define LINE_COSINE VSP__UNIT(0.1)

/* two lines get two points up to this squared sine between them, and if they
 * are side by side for more than LEAST_COMMON, m */
#define LINE_SQ_SINE VSP__UNIT(0.01)
#define LEAST_COMMON VSP__REAL(0.001)

typedef struct patch_line {
    vsp__v3 middle, way; /* relative to the solid's origin, in world axes */
    vsp__num half;       /* m */
} patch_line;

/* Makes a line of two points in the frame of a solid.  Returns whether it has a
 * length. */
static bool set_patch_line(const vsp__convex *c, const vsp__v3 *from,
                           const vsp__v3 *to, patch_line *l)
{
    vsp__v3 half;

    vsp__v3_from_to(from, to, &half);
    u3_scale_in(&half, VSP__UNIT(0.5));
    l->middle = *from;
    v3_add_in(&l->middle, &half);
    v3_flush_in(&l->middle);
    l->half = v3_length_at(&half);
    l->way = half;
    if (!(l->half > 0))
        return false;
    vsp__v3_normalize_flushed(&l->way);
    vsp__m3_mul_flushed(&c->pose->axes, &l->middle);
    vsp__m3_mul_flushed(&c->pose->axes, &l->way);
    return true;
}

/* Finds an edge of a solid farthest along a direction of its frame: both of its
 * ends are about as far as any corner.  Of several the one most nearly parallel
 * to `other`, a unit vector in world axes, within 60 degrees. */
static bool find_patch_edge(const vsp__convex_side *s, const vsp__v3 *toward,
                            const vsp__v3 *other, patch_line *l)
{
    vsp__num most, best = VSP__UNIT(0.5);
    bool is_found = false;
    vsp__v3 from, to;
    uint32_t i;

    (void)vsp__farthest_corner(s->solid, toward, &from);
    most = r_sub(u3_dot_at(toward, &from), PATCH_SLACK);
    for (i = 0; i < s->form.edge_count; i++) {
        patch_line edge;
        vsp__num lean;

        vsp__core_corner(s->solid, s->form.edges[i].tail, &from);
        vsp__core_corner(s->solid, s->form.edges[i].head, &to);
        if (u3_dot_at(toward, &from) < most || u3_dot_at(toward, &to) < most ||
            !set_patch_line(s->solid, &from, &to, &edge))
            continue;
        lean = r_abs(u3_dot_at(&edge.way, other));
        if (lean > best) {
            best = lean;
            *l = edge;
            is_found = true;
        }
    }
    return is_found;
}

/* Finds the line of one side that is turned to the other solid; of an edge,
 * about along `other`, the direction of the other solid's line. */
static bool find_patch_line(const vsp__convex_pair *p, uint32_t side,
                            const vsp__v3 *n, const vsp__v3 *other,
                            patch_line *l)
{
    const vsp__convex_side *s = p->side + side;
    vsp__v3 toward = *n;
    vsp__patch_form f;

    v3_flip_in(&toward, side == 1);
    vsp__m3_tmul_flushed(&s->solid->pose->axes, &toward);
    if (vsp__is_turned_core(s->solid) || s->solid->core == VSP__CORE_SEGMENT) {
        take_form(s->solid, &toward, &f);
        return f.count == 2 && set_patch_line(s->solid, &f.at[0], &f.at[1], l);
    }
    return find_patch_edge(s, &toward, other, l);
}

/* a pair of points on two lines */
typedef struct line_pair {
    vsp__v3 beside;  /* m: across the normal, from one to the other, turned
                        about it by a right angle */
    vsp__num height; /* m, along the normal */
} line_pair;

/* Measures the pair at `along` on the line of a, and adds it to a touch if it
 * is nearer than the limit. */
static void add_line_point(const vsp__convex_pair *p, const vsp__v3 *offset,
                           const patch_line l[2], vsp__num along,
                           vsp__num limit, vsp__touch *t, line_pair *pair)
{
    vsp__touch_point *point = t->points + t->count;
    vsp__v3 to;
    vsp__num at;

    point->on[0] = l[0].middle;
    u3_move(&point->on[0], along, &l[0].way);
    v3_add_to(offset, &l[1].middle, &to);
    vsp__v3_from_to(&to, &point->on[0], &to);
    at = u_div(r_flush(u3_dot_at(&to, &l[0].way)),
               u3_dot_at(&l[0].way, &l[1].way));
    point->on[1] = l[1].middle;
    u3_move(&point->on[1], r_clamp(r_flush(at), r_neg(l[1].half), l[1].half),
            &l[1].way);
    v3_flush_in(&point->on[0]);
    v3_flush_in(&point->on[1]);
    v3_add_to(offset, &point->on[1], &to);
    vsp__v3_from_to(&point->on[0], &to, &to);
    u3_cross_to(&t->normal, &to, &pair->beside);
    v3_flush_in(&pair->beside);
    pair->height = vsp__measure_point(p, offset, t);
    if (pair->height < limit)
        t->count++;
}

/* Returns the smallest distance of one of two lines from the normal through a
 * point of the other, m, over pairs of points at most `most` apart. */
static vsp__num least_aside(const line_pair ends[2], vsp__num most)
{
    vsp__num a = v3_length_at(&ends[0].beside);
    vsp__num b = v3_length_at(&ends[1].beside);

    if (ends[0].height > most)
        return b;
    if (ends[1].height > most)
        return a;
    if (v3_product_at(&ends[0].beside, &ends[1].beside) < 0)
        return 0; /* they cross */
    return r_min(a, b);
}

/* Fills one or two points where lines of both sides are side by side; the
 * normal of t is set.  Returns false if there are no such lines, or if their
 * nearest points are farther apart than `most`, m, without radii, or beside the
 * normal through each other by more than `aside`, m. */
static VSP__CALLED bool touch_patch_lines(const vsp__convex_pair *p,
                                          const vsp__v3 *offset, vsp__num most,
                                          vsp__num aside, vsp__num limit,
                                          vsp__touch *t)
{
    vsp__num c, middle, reach, low, high;
    line_pair ends[2];
    patch_line l[2];
    uint32_t first = vsp__is_turned_core(p->side[0].solid) ? 0 : 1;
    vsp__v3 to;

    /* the line of a turned solid does not depend on the other line */
    if (!find_patch_line(p, first, &t->normal, &t->normal, l + first) ||
        !find_patch_line(p, 1 - first, &t->normal, &l[first].way,
                         l + (1 - first)) ||
        r_abs(u3_dot_at(&l[0].way, &t->normal)) > LINE_COSINE)
        return false;
    c = u3_dot_at(&l[0].way, &l[1].way);
    if (VSP__UNIT(1.0) - u_mul(c, c) > LINE_SQ_SINE)
        return false;
    v3_add_to(offset, &l[1].middle, &to);
    vsp__v3_from_to(&l[0].middle, &to, &to);
    middle = u3_dot_at(&l[0].way, &to);
    reach = r_abs(u_mul(c, l[1].half));
    low = r_max(r_neg(l[0].half), r_sub(middle, reach));
    high = r_min(l[0].half, r_add(middle, reach));
    if (!(r_sub(high, low) > LEAST_COMMON))
        return false;
    t->count = 0;
    add_line_point(p, offset, l, low, limit, t, &ends[0]);
    add_line_point(p, offset, l, high, limit, t, &ends[1]);
    return t->count > 0 && r_min(ends[0].height, ends[1].height) <= most &&
           least_aside(ends, most) <= aside;
}


/* ---- Pairs of solids ----------------------------------------------------- */

/* Whether a triangle lets a solid through, as is_leaving_by_back in convex.c.
 */
static bool passes_triangle(const patch_axes *axes, vsp__num radii)
{
    vsp__num back, best;

    if (!axes->back.is_found)
        return false;
    if (!axes->best.is_found)
        return true;
    back = r_sub(axes->back.separation, radii);
    best = r_sub(axes->best.separation, radii);
    return back > best &&
           (back >= 0 || best < r_sub(r_add(back, back), VSP__EDGE_HANDICAP));
}

#if VSP_TAPERS

/* Makes the exact axis of a pair with a tapered capsule the best, and fills the
 * nearest points.  Returns false if there is none, or it is the normal of a
 * triangle's back, or the budget is used up: then other axes decide. */
static VSP__CALLED bool find_exact_axis(vsp__convex_pair *p,
                                        const vsp__v3 *offset, vsp__num limit,
                                        patch_axes *axes, vsp__v3 on[2])
{
    patch_axis exact;

    if ((!vsp__is_taper_core(p->side[0].solid) &&
         !vsp__is_taper_core(p->side[1].solid)) ||
        !vsp__pay(&p->left, VSP__NEAREST_COST) ||
        !vsp__find_taper_axis(p, &exact.n, on))
        return false;
    exact.is_found = true;
    exact.separation = separation_along(p, offset, &exact.n);
    if (leaves_by_back(p, &exact.n)) {
        if (axes->back.is_found &&
            u3_dot_at(&axes->back.n, &exact.n) > VSP__UNIT(0.99999))
            return false;
        exact.separation = limit;
    }
    axes->best = exact;
    return true;
}

#else

#define find_exact_axis(p, offset, limit, axes, on) false

#endif

/* m: lines prove that an axis is the best if two of their points are farther
 * apart than its separation by at most EXACT_SLACK, and beside the normal
 * through each other by at most EXACT_ASIDE */
#define EXACT_SLACK VSP__REAL(0.00001)
#define EXACT_ASIDE VSP__REAL(0.001)

static bool find_turned_touch(vsp__convex_pair *p, const vsp__v3 *offset,
                              vsp__num limit, vsp__touch *t)
{
    patch_axes axes;
    bool is_exact;
    vsp__v3 on[2];

    axes.starts = NULL;
    if (!find_patch_axes(p, offset, limit, &axes))
        return false;
    is_exact = find_exact_axis(p, offset, limit, &axes, on);
    if (passes_triangle(&axes, p->radii) ||
        (is_exact && axes.best.separation >= limit))
        return false;
    t->normal = axes.best.n;
    if (!is_exact && axes.best.separation > r_neg(VSP__EDGE_HANDICAP) &&
        (touch_patch_faces(p, offset, &axes, limit, t) ||
         touch_patch_lines(p, offset, r_add(axes.best.separation, EXACT_SLACK),
                           EXACT_ASIDE, limit, t)))
        return true;
    if (!is_exact && (!find_nearest_axis(p, offset, limit, &axes, on) ||
                      leaves_by_back(p, &axes.best.n)))
        return false;
    if (touch_patch_faces(p, offset, &axes, limit, t))
        return true;
    t->normal = axes.best.n;
    if (touch_patch_lines(p, offset, r_add(axes.best.separation, PATCH_SLACK),
                          VSP__FAR_LIMIT, limit, t))
        return true;
    t->points[0].on[0] = on[0];
    t->points[0].on[1] = on[1];
    t->count = 0;
    (void)vsp__measure_point(p, offset, t);
    t->count = 1;
    return t->points[0].gap < r_sub(limit, p->radii);
}

bool vsp__touch_turned(vsp__convex_pair *p, const vsp__v3 *offset,
                       vsp__num limit, vsp__touch *t)
{
    bool is_near;

    p->left = t->left;
    is_near = find_turned_touch(p, offset, limit, t);
    t->left = p->left;
    return is_near;
}


/* ---- Triangles of surfaces ----------------------------------------------- */

void vsp__make_face_patch(const vsp__surface_triangle *tri,
                          const vsp__convex *solid, const vsp__mat3 *axes,
                          const vsp__v3 *position, vsp__num limit,
                          bool is_corners_only, vsp__patch *q)
{
    vsp__v3 toward = tri->normal;
    vsp__patch_form *f = q->form;
    uint32_t i;

    q->n = tri->normal;
    q->limit = limit;
    q->count = 0;
    vsp__make_tangents(&q->n, &q->x, &q->y);
    v3_flush_in(&q->x);
    v3_flush_in(&q->y);
    q->origin = tri->corners[0];
    v3_flip_in(&toward, true);
    vsp__m3_tmul_flushed(axes, &toward);
    take_form(solid, &toward, q->form + 1);
    place_form(q, 1, axes, position);
    f->count = 3;
    f->normal = v3(0, 0, VSP__UNIT(1.0));
    for (i = 0; i < 3; i++) {
        f->at[i] = tri->corners[i];
        f->part[i] = (uint8_t)(PATCH_VERTEX + i);
        place_in_patch(q, NULL, &no_offset, &f->at[i]);
    }
    if (!is_corners_only)
        meet_forms(q);
    else if (q->form[1].count == 0)
        try_four_rims(q, 1);
    else
        try_two_ends(q);
}

void vsp__patch_point(const vsp__patch *q, uint32_t i, vsp__v3 *at)
{
    vsp__v3 low;

    patch_point_at(q, q->points + i, &low, at);
}

#endif /* VSP_ROUNDS */
