/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts of a convex solid with a triangle mesh or a height field, in this
 * order: plane and sides of one triangle; the solid in the surface's frame;
 * contacts with the face of a triangle; contacts with its edges; all triangles
 * near the solid.  A surface is solid behind, so a triangle pushes only solids
 * in front of it or slightly behind it.  All work is in the surface's frame. */

#include "collide.h"

#if VSP__HAS_PARTS


/* ---- One triangle -------------------------------------------------------- */

/* m: a point this far beyond a side still counts as over the triangle */
#define SIDE_SLACK VSP__REAL(0.00005)

/* radians: planes at a smaller angle count as one plane */
#define LOW_SLOPE VSP__UNIT(0.02)

/* Computes the normal and the sides from the corners. */
static void set_triangle_planes(vsp__surface_triangle *tri)
{
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__v3_from_to(tri->corners + k, tri->corners + (k < 2 ? k + 1 : 0),
                        tri->sides + k);
        vsp__v3_normalize_flushed(tri->sides + k);
    }
    u3_cross_to(&tri->sides[0], &tri->sides[1], &tri->normal);
    v3_flush_in(&tri->normal);
    vsp__v3_normalize_flushed(&tri->normal);
    for (k = 0; k < 3; k++) {
        u3_cross_to(tri->sides + k, &tri->normal, tri->sides + k);
        v3_flush_in(tri->sides + k);
    }
}

/* Fills tri[k] with the next triangle of walk k.  Returns false at its end, or
 * when the budget of this pair is used up. */
static bool next_surface_triangle(vsp__reducer *r, uint32_t k)
{
    vsp__surface_triangle *tri = r->tri + k;
    bool is_found;

    r->walks[k].left = r->left;
    is_found = vsp__next_triangle(&r->walks[k], tri->corners, &tri->index);
    r->left = r->walks[k].left;
    if (is_found)
        set_triangle_planes(tri);
    return is_found;
}

/* how far `to` is beyond `from` along a unit vector */
static vsp__num reach_along(const vsp__v3 *direction, const vsp__v3 *from,
                            const vsp__v3 *to)
{
    vsp__v3 way;

    vsp__v3_from_to(from, to, &way);
    return r_flush(u3_dot_at(direction, &way));
}

static VSP__CALLED vsp__num height_over(const vsp__surface_triangle *tri,
                                        const vsp__v3 *point)
{
    return reach_along(&tri->normal, &tri->corners[0], point);
}

static vsp__num beyond_side(const vsp__surface_triangle *tri, uint32_t k,
                            const vsp__v3 *point)
{
    return reach_along(tri->sides + k, tri->corners + k, point);
}


/* ---- The solid in the surface's frame ------------------------------------ */

static void set_solid_pose(vsp__reducer *r)
{
    const vsp__pose *from = r->surface->pose, *to = r->solid->pose;
    uint32_t k;

    vsp__v3_from_to(&from->position, &to->position, &r->position);
    vsp__m3_tmul_flushed(&from->axes, &r->position);
    for (k = 0; k < 3; k++) {
        r->axes.axis[k] = to->axes.axis[k];
        vsp__m3_tmul_flushed(&from->axes, r->axes.axis + k);
    }
    r->center = v3_zero();
    if (VSP_HULLS && r->solid->core == VSP__CORE_POLYHEDRON)
        vsp__hull_center(r->solid, &r->center);
    vsp__m3_mul_to(&r->axes, &r->center, &r->center);
    v3_add_in(&r->center, &r->position);
}

/* Computes a corner of the core relative to the solid's origin, in surface
 * axes. */
static void corner_in_surface(const vsp__reducer *r, uint32_t corner,
                              vsp__v3 *at)
{
    vsp__core_corner(r->solid, corner, at);
    vsp__m3_mul_to(&r->axes, at, at);
}

/* Bounds of a cylinder, cone or tapered capsule: of a box around its core. */
static void turned_bounds(const vsp__reducer *r, vsp__aabb *bounds)
{
    vsp__num reach = r_max(r->solid->half.x, r->solid->half.z);
    vsp__num more = r_add(r->envelope, r->solid->radius);
    vsp__v3 size = v3(reach, r->solid->half.y, reach);
    vsp__v3 sum = v3(more, more, more);

    if (vsp__is_taper_core(r->solid))
        size.y = r_add(size.y, reach);

    vsp__add_extent(&r->axes, &size, &sum);
    v3_sub_to(&r->position, &sum, &bounds->low);
    v3_add_to(&r->position, &sum, &bounds->high);
}

/* computes bounds of the solid, grown by the envelope */
static void solid_bounds(const vsp__reducer *r, vsp__aabb *bounds)
{
    vsp__aabb corner;
    vsp__v3 at;
    uint32_t i;

    if (vsp__is_turned_core(r->solid)) {
        turned_bounds(r, bounds);
        return;
    }
    for (i = 0; i < vsp__core_corner_count(r->solid); i++) {
        corner_in_surface(r, i, &at);
        v3_add_in(&at, &r->position);
        vsp__bounds_of_point(&at, &corner);
        if (i == 0)
            *bounds = corner;
        vsp__bounds_join(bounds, &corner);
    }
    vsp__bounds_grow(bounds, r_add(r->envelope, r->solid->radius));
}

/* Fills the corners of that face of a brick which meets at its lowest corner
 * and is turned down most; `up` is in the brick's frame. */
static void face_of_brick(vsp__reducer *r, uint32_t lowest, const vsp__v3 *up)
{
    vsp__v3 size = *up;
    uint32_t k, a, b;

    v3_abs_in(&size);
    k = size.y > size.x ? 1u : 0u;
    if (size.z > r_max(size.x, size.y))
        k = 2;
    a = 1u << (k + 1u) % 3u;
    b = 1u << (k + 2u) % 3u;
    r->brick_corners[0] = (uint8_t)lowest;
    r->brick_corners[1] = (uint8_t)(lowest ^ a);
    r->brick_corners[2] = (uint8_t)(lowest ^ a ^ b);
    r->brick_corners[3] = (uint8_t)(lowest ^ b);
    r->corner_count = 4;
}

static void face_of_polyhedron(vsp__reducer *r, uint32_t lowest,
                               const vsp__v3 *up)
{
    const vsp_hull *hull = r->solid->hull;
    const uint16_t *first = VSP__HULL_PART(hull, first) +
                            vsp__face_against(r->solid, lowest, up);

    r->corner_count = (uint32_t)first[1] - first[0];
    r->corners = VSP__HULL_PART(hull, corners) + first[0];
}

/* Finds the face of the solid that is turned most to the triangle, or all
 * corners of a point or a segment.  Returns the height of the solid's lowest
 * point over the triangle's plane. */
static vsp__num find_facing_face(vsp__reducer *r)
{
    vsp__v3 up = r->tri[0].normal, down, at;
    uint32_t lowest;

    vsp__m3_tmul_flushed(&r->axes, &up);
    down = up;
    v3_flip_in(&down, true);
    lowest = vsp__farthest_corner(r->solid, &down, &at);
    r->corners = r->brick_corners;
    r->brick_corners[0] = 0;
    r->brick_corners[1] = 1;
    r->corner_count = vsp__core_corner_count(r->solid);
    if (r->solid->core == VSP__CORE_BRICK)
        face_of_brick(r, lowest, &up);
    else if (VSP_HULLS && r->solid->core == VSP__CORE_POLYHEDRON)
        face_of_polyhedron(r, lowest, &up);
    else if (vsp__is_turned_core(r->solid))
        r->corner_count = 0;
    vsp__m3_mul_to(&r->axes, &at, &at);
    v3_add_in(&at, &r->position);
    return r_sub(height_over(&r->tri[0], &at), r->solid->radius);
}


/* ---- The face of a triangle ------------------------------------------------
 * The solid's face is clipped to the prism over the triangle.  This leaves its
 * corners inside of the prism and the points where its edges cross the sides.
 */

/* position of a corner of the solid's core */
typedef struct corner_place {
    vsp__v3 at;         /* relative to the solid's origin, in surface axes */
    vsp__num height;    /* over the triangle's plane */
    vsp__num beyond[3]; /* distance beyond each side; negative: inside */
} corner_place;

static void measure_corner(const vsp__reducer *r, uint32_t corner,
                           corner_place *s)
{
    vsp__v3 place;
    uint32_t k;

    corner_in_surface(r, corner, &s->at);
    v3_add_to(&s->at, &r->position, &place);
    s->height = height_over(&r->tri[0], &place);
    for (k = 0; k < 3; k++)
        s->beyond[k] = beyond_side(&r->tri[0], k, &place);
}

/* Whether a corner is over the triangle.  The slack is larger beyond a flat
 * edge: normals of planes that count as one may differ slightly, which leaves a
 * wedge that is over neither triangle. */
static bool is_over_triangle(const vsp__reducer *r, const corner_place *s)
{
    vsp__num more = u_mul(LOW_SLOPE, r_abs(s->height));
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (s->beyond[k] > ((r->tri[0].flat >> k & 1u) != 0
                                ? r_add(r->slack, more)
                                : r->slack))
            return false;
    return true;
}

/* whether a point is beyond no side of a triangle by more than a slack */
static bool is_within(const vsp__surface_triangle *tri, const vsp__v3 *point,
                      vsp__num slack)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (beyond_side(tri, k, point) > slack)
            return false;
    return true;
}

/* Whether a point at this depth below the triangle is less than half as deep
 * below another one: a solid deep in a stair is pushed out through the nearer
 * side. */
static bool has_shorter_way_out(vsp__reducer *r, const vsp__v3 *point,
                                vsp__num depth)
{
    vsp__num half = u_mul(VSP__UNIT(0.5), depth), height;
    vsp__aabb bounds;

    vsp__bounds_of_point(point, &bounds);
    vsp__bounds_grow(&bounds, half);
    vsp__start_triangles(&r->walks[1], r->surface, &bounds);
    while (next_surface_triangle(r, 1)) {
        height = height_over(&r->tri[1], point);
        if (height < 0 && r_neg(height) < half &&
            is_within(&r->tri[1], point, SIDE_SLACK))
            return true;
    }
    return false;
}

/* Adds a point of the core, `at` relative to the solid's origin, at a height
 * over the triangle's plane.  Returns false, and adds nothing, if that is too
 * high or the point leaves through another triangle. */
static bool add_face_point(vsp__reducer *r, const vsp__v3 *at, vsp__num height,
                           uint32_t feature)
{
    const vsp__mat3 *axes = &r->surface->pose->axes;
    vsp__num radius = r->solid->radius;
    vsp__touch_point point;
    vsp__v3 normal = r->tri[0].normal;

    point.gap = r_flush(r_sub(height, radius));
    point.on[0] = point.on[1] = *at;
    v3_add_in(&point.on[0], &r->position);
    if (!(point.gap < r->envelope))
        return false;
    if (r->skips_deep && r_add(height, r->envelope) < 0 &&
        has_shorter_way_out(r, &point.on[0], r_neg(height))) {
        r->has_skipped = true;
        return false;
    }
    u3_move(&point.on[0], r_neg(height), &normal);
    u3_move(&point.on[1], r_neg(radius), &normal);
    v3_flush_in(&point.on[0]);
    v3_flush_in(&point.on[1]);
    vsp__m3_mul_to(axes, &point.on[0], &point.on[0]);
    vsp__m3_mul_to(axes, &point.on[1], &point.on[1]);
    vsp__m3_mul_flushed(axes, &normal);
    point.feature = feature;
    vsp__add_reduced_point(r, &normal, &point);
    return true;
}

/* Adds the point at a fraction, 0 to 1, of an edge of the solid. */
static bool add_edge_point(vsp__reducer *r, const corner_place *from,
                           const corner_place *to, vsp__num part,
                           uint32_t feature)
{
    vsp__num rise = r_flush(r_sub(to->height, from->height));
    vsp__v3 at;

    vsp__v3_from_to(&from->at, &to->at, &at);
    u3_scale_in(&at, part);
    v3_add_in(&at, &from->at);
    return add_face_point(r, &at, r_add(from->height, u_mul(part, rise)),
                          feature);
}

/* Clips an edge of the solid to the three sides (Cyrus and Beck, "Generalized
 * two- and three-dimensional clipping", 1978), and adds each new end.  Returns
 * whether any was added. */
static bool add_clipped_edge(vsp__reducer *r, const corner_place *from,
                             const corner_place *to, uint32_t feature)
{
    vsp__num ends[2] = {0, VSP__UNIT(1.0)};
    bool found = false;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__num a = r_sub(from->beyond[k], r->slack);
        vsp__num b = r_sub(to->beyond[k], r->slack), part;

        if (a > 0 && b > 0)
            return false;
        if (!(a > 0) && !(b > 0))
            continue;
        part = r_flush(u_div(r_flush(a), r_sub(a, b)));
        if (a > 0)
            ends[0] = r_max(ends[0], part);
        else
            ends[1] = r_min(ends[1], part);
    }
    if (!(ends[0] < ends[1]))
        return false;
    if (ends[0] > 0)
        found = add_edge_point(r, from, to, ends[0], feature);
    if (ends[1] < VSP__UNIT(1.0) &&
        add_edge_point(r, from, to, ends[1], feature + 1u))
        found = true;
    return found;
}

#if VSP_ROUNDS

/* The feature of a point of a patch. */
static uint32_t feature_of_patch(const vsp__reducer *r, uint32_t part)
{
    return part < 16u ? part : vsp__part_feature(r->tri[0].index, part & 15u);
}

/* touch_triangle_face for cylinders, cones and tapered capsules.  Over a
 * triangle whose three edges are flat, the ends of a line and points of a rim
 * are enough.  Below the ground the triangle counts as endless, so all these
 * points are over it. */
static bool touch_turned_face(vsp__reducer *r)
{
    bool is_endless = r->slack == VSP__FAR_LIMIT, found = false;
    vsp__surface_triangle *tri = &r->tri[0];
    vsp__patch q;
    uint32_t i, k;

    for (k = 0; is_endless && k < 3; k++)
        u3_move(&tri->corners[k], VSP__REAL(-400.0),
                &tri->sides[(k + 1u) % 3u]);
    vsp__make_face_patch(tri, r->solid, &r->axes, &r->position,
                         r_add(r->envelope, r->solid->radius),
                         is_endless || tri->flat == 7u, &q);
    for (i = 0; i < q.count; i++) {
        vsp__v3 at;

        vsp__patch_point(&q, i, &at);
        v3_sub_in(&at, &r->position);
        if (add_face_point(r, &at, q.points[i].at[2],
                           feature_of_patch(r, q.points[i].part)))
            found = true;
    }
    return found;
}

#else

#define touch_turned_face(r) false

#endif

/* Adds the points over the triangle.  Returns whether any is closer than the
 * envelope. */
static bool touch_triangle_face(vsp__reducer *r)
{
    uint32_t i, count = r->corner_count;
    bool found = false;
    corner_place from, to;

    if (vsp__is_turned_core(r->solid))
        return touch_turned_face(r);
    measure_corner(r, r->corners[count - 1u], &from);
    for (i = 0; i < count; i++) {
        measure_corner(r, r->corners[i], &to);
        if (is_over_triangle(r, &to) &&
            add_face_point(r, &to.at, to.height, r->corners[i]))
            found = true;
        if ((count > 2 || i == 1) &&
            add_clipped_edge(r, &from, &to,
                             vsp__part_feature(r->tri[0].index, 2u * i)))
            found = true;
        from = to;
    }
    return found;
}


/* below this cosine a face of the solid is on edge to the triangle */
#define LEAST_FACING VSP__UNIT(0.7)

/* Computes the plane of the solid's face: a corner, relative to the solid's
 * origin, and a normal, outward or inward, both in surface axes. */
static void find_face_plane(const vsp__reducer *r, vsp__v3 *at, vsp__v3 *normal)
{
    uint32_t third = r->corner_count / 3u;
    vsp__v3 to[2];

    corner_in_surface(r, r->corners[0], at);
    corner_in_surface(r, r->corners[third], &to[0]);
    corner_in_surface(r, r->corners[2u * third], &to[1]);
    (void)vsp__direct_between(at, &to[0], &to[0]);
    (void)vsp__direct_between(at, &to[1], &to[1]);
    (void)vsp__direct_across(&to[0], &to[1], normal);
}

/* Whether a point, relative to the solid's origin, is inside of the solid's
 * face in the projection along the triangle's normal. */
static bool is_over_face(const vsp__reducer *r, const vsp__v3 *point)
{
    uint32_t i, count = r->corner_count, left = 0, right = 0;
    vsp__v3 from, to, way, side;

    corner_in_surface(r, r->corners[count - 1u], &from);
    for (i = 0; i < count; i++, from = to) {
        corner_in_surface(r, r->corners[i], &to);
        if (!vsp__direct_between(&from, &to, &way))
            continue;
        u3_cross_to(&r->tri[0].normal, &way, &side);
        v3_flush_in(&side);
        if (reach_along(&side, &from, point) > 0)
            left++;
        else
            right++;
    }
    return left == 0 || right == 0;
}

/* Adds the triangle's corners below the solid's face, since a ridge or a peak
 * may be its only support.  Returns whether any is within the envelope. */
static bool touch_triangle_corners(vsp__reducer *r)
{
    vsp__v3 face, normal, at;
    vsp__num facing;
    bool found = false;
    uint32_t k;

    if (r->corner_count < 3)
        return false;
    find_face_plane(r, &face, &normal);
    facing = u3_dot_at(&normal, &r->tri[0].normal);
    if (r_abs(facing) < LEAST_FACING)
        return false;
    for (k = 0; k < 3; k++) {
        vsp__num height;

        vsp__v3_from_to(&r->position, &r->tri[0].corners[k], &at);
        if (!is_over_face(r, &at))
            continue;
        height = r_flush(u_div(reach_along(&normal, &at, &face), facing));
        u3_move(&at, height, &r->tri[0].normal);
        v3_flush_in(&at);
        if (add_face_point(r, &at, height,
                           vsp__part_feature(r->tri[0].index, 12u + k)))
            found = true;
    }
    return found;
}


/* ---- Edges of a triangle ---------------------------------------------------
 * A contact with an edge or a corner counts only if all triangles that meet
 * there are behind the plane of the contact.  Otherwise another triangle has
 * the contact, and this one's normal would stop a solid that slides over the
 * surface. */

/* m: a point this near to a triangle counts as on it */
#define ON_SURFACE VSP__REAL(0.0005)

/* above this cosine a normal counts as the triangle's: that of LOW_SLOPE */
#define FACE_NORMAL_COSINE VSP__UNIT(0.9998)

static bool is_on_triangle(const vsp__surface_triangle *tri,
                           const vsp__v3 *point)
{
    return r_abs(height_over(tri, point)) <= ON_SURFACE &&
           is_within(tri, point, ON_SURFACE);
}

/* whether a triangle rises above a plane through one of its points */
static bool rises_above_plane(const vsp__surface_triangle *tri,
                              const vsp__v3 *point, const vsp__v3 *normal)
{
    vsp__v3 way;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__v3_from_to(point, tri->corners + k, &way);
        if (u3_dot_at(normal, &way) >
            r_add(u_mul(LOW_SLOPE, v3_size_at(&way)), ON_SURFACE))
            return true;
    }
    return false;
}

/* Whether any triangle at a contact point rises above the contact's plane.
 * Point and normal are in the surface's frame. */
static bool is_contact_hidden(vsp__reducer *r, const vsp__v3 *point,
                              const vsp__v3 *normal)
{
    vsp__aabb bounds;

    vsp__bounds_of_point(point, &bounds);
    vsp__bounds_grow(&bounds, ON_SURFACE);
    vsp__start_triangles(&r->walks[1], r->surface, &bounds);
    while (next_surface_triangle(r, 1))
        if (is_on_triangle(&r->tri[1], point) &&
            rises_above_plane(&r->tri[1], point, normal))
            return true;
    return false;
}

/* whether any point of r->part is hidden */
static bool is_any_hidden(vsp__reducer *r)
{
    const vsp__mat3 *axes = &r->surface->pose->axes;
    vsp__v3 normal, point;
    uint32_t i;

    vsp__m3_tmul_to(axes, &r->part.normal, &normal);
    v3_flush_in(&normal);
    for (i = 0; i < r->part.count; i++) {
        vsp__m3_tmul_to(axes, &r->part.points[i].on[0], &point);
        v3_flush_in(&point);
        if (is_contact_hidden(r, &point, &normal))
            return true;
    }
    return false;
}

/* Fills r->part with the contact of the triangle as a convex solid.  Returns
 * whether there is one.  Searches may take half of what is left, so later
 * triangles are tested, too. */
static bool touch_triangle_solid(vsp__reducer *r)
{
    uint32_t half = r->left / 2u;
    bool is_near;

    r->triangle.pose = r->surface->pose;
    r->triangle.core = VSP__CORE_TRIANGLE;
    r->triangle.radius = 0;
    r->triangle.corners = r->tri[0].corners;
    VSP__SET_WORK(&r->part, half);
    is_near = vsp__touch_convex(&r->triangle, r->solid, r->envelope, &r->part);
    if (VSP__HAS_SEARCHES)
        r->left -= half - VSP__WORK_LEFT(&r->part);
    return is_near;
}

/* Adds contacts with a triangle that has an edge which is not flat; center is
 * the height of the solid's centre.  For a sphere, and for a solid with a
 * radius whose centre is behind the triangle, contacts with the face are enough
 * if there are any.  All else touches the triangle as a convex solid.  If this
 * contact has the triangle's normal, points of the clipped face replace it if
 * there are any.  If it has another normal and is hidden, it is dropped, and
 * only points of the face are added. */
static void touch_edges_or_face(vsp__reducer *r, vsp__num center)
{
    vsp__v3 normal;
    bool is_face;

    if ((r->solid->core == VSP__CORE_POINT ||
         (r->solid->radius > 0 && center < 0)) &&
        touch_triangle_face(r))
        return;
    if (!touch_triangle_solid(r))
        return;
    vsp__m3_mul_to(&r->surface->pose->axes, &r->tri[0].normal, &normal);
    is_face = u3_dot_at(&normal, &r->part.normal) > FACE_NORMAL_COSINE;
    if (is_face || is_any_hidden(r)) {
        bool is_done = touch_triangle_face(r);

        if (touch_triangle_corners(r) || is_done || !is_face)
            return;
    }
    vsp__reducer_add(r, &r->part, r->tri[0].index);
}


/* ---- All that is near ---------------------------------------------------- */

/* Adds contacts with one triangle, unless the solid's centre is behind it by
 * more than a quarter of the solid's height along its normal. */
static void touch_triangle(vsp__reducer *r)
{
    vsp__num center = height_over(&r->tri[0], &r->center);
    vsp__num low = find_facing_face(r);

    if (!(low < r->envelope) || r_add(center, center) < r_sub(low, center))
        return;
    VSP__SET_MATERIAL(r, vsp__triangle_material(r->surface, r->tri[0].index));
    r->tri[0].flat = vsp__flat_edges(r->surface, r->tri[0].index);
    if (r->tri[0].flat == 7u)
        touch_triangle_face(r);
    else
        touch_edges_or_face(r, center);
}

/* Whether the solid's centre is below a height field: below the plane of the
 * triangle above or below it, which becomes tri[0]. */
static bool is_center_below_ground(vsp__reducer *r)
{
    vsp__surface_triangle *tri = &r->tri[0];
    vsp__aabb bounds;
    vsp__v3 d;

    if (r->center.y > vsp__surface_top(r->surface))
        return false;
    vsp__bounds_of_point(&r->center, &bounds);
    bounds.low.y = r_neg(VSP__FAR_LIMIT);
    bounds.high.y = VSP__FAR_LIMIT;
    vsp__start_triangles(&r->walks[0], r->surface, &bounds);
    while (next_surface_triangle(r, 0)) {
        vsp__v3_from_to(&tri->corners[0], &r->center, &d);
        if (vsp__is_over_half(r->surface, tri->index, &d))
            return height_over(tri, &r->center) < 0;
    }
    return false;
}

/* Whether a quarter of the pair's budget is too little for the triangles within
 * bounds. */
static bool is_too_much(vsp__reducer *r, const vsp__aabb *bounds)
{
    vsp__triangle_walk *walk = &r->walks[0];
    uint32_t most = r->left / 4u, triangles = most / VSP__TRIANGLE_COST;
    uint32_t index;

    vsp__start_triangles(walk, r->surface, bounds);
    walk->left = most;
    while (triangles > 0 && vsp__next_triangle(walk, r->tri[0].corners, &index))
        triangles--;
    r->left -= most - walk->left;
    return triangles == 0 || walk->left == 0;
}

static void touch_all_triangles(vsp__reducer *r, const vsp__aabb *bounds)
{
    uint32_t most = r->left / (4u * VSP__TRIANGLE_COST);

    vsp__start_triangles(&r->walks[0], r->surface, bounds);
    if (r->is_spread)
        vsp__spread_triangles(&r->walks[0], most > 2u ? most : 2u);
    while (next_surface_triangle(r, 0) &&
           vsp__reducer_pay(r, VSP__TRIANGLE_COST))
        touch_triangle(r);
}

void vsp__touch_surface(const vsp__surface *surface, const vsp__convex *solid,
                        vsp__num envelope, vsp__reducer *r)
{
    vsp__aabb bounds;

    r->surface = surface;
    r->solid = solid;
    r->envelope = envelope;
    r->slack = SIDE_SLACK;
    r->skips_deep = r->has_skipped = false;
    set_solid_pose(r);
    if (VSP_HEIGHT_FIELDS && surface->field && is_center_below_ground(r)) {
        /* below the ground this one triangle counts as endless */
        r->slack = VSP__FAR_LIMIT;
        r->tri[0].flat = 0;
        VSP__SET_MATERIAL(r, vsp__triangle_material(surface, r->tri[0].index));
        find_facing_face(r);
        touch_triangle_face(r);
        return;
    }
    solid_bounds(r, &bounds);
    r->is_spread = r->is_tight && is_too_much(r, &bounds);
    /* leave deep points to nearer triangles, unless no point would remain */
    r->skips_deep = true;
    touch_all_triangles(r, &bounds);
    r->skips_deep = false;
    if (r->count == 0 && r->has_skipped)
        touch_all_triangles(r, &bounds);
}

#endif /* VSP__HAS_PARTS */
