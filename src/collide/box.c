/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts of a box with a half-space, and of two boxes: the best separating
 * axis decides whether two edges touch, or a face of one box and a clipped face
 * of the other. */

#include "collide.h"

/* The index of the component of largest magnitude, the first of equals. */
static uint32_t find_largest_component(const vsp__num *v)
{
    uint32_t k = r_abs(v[1]) > r_abs(v[0]) ? 1 : 0;

    return r_abs(v[2]) > r_abs(v[k]) ? 2 : k;
}


/* ---- Half-space and box -------------------------------------------------- */

bool vsp__touch_plane_box(const vsp__placed_shape *plane,
                          const vsp__placed_shape *box, vsp__num envelope,
                          vsp__touch *t)
{
    vsp__v3 *n = &t->normal, d;
    vsp__num lean[3];
    uint32_t k, vertex;

    *n = plane->pose->axes.axis[1];
    t->count = 0;
    vsp__solid_offset(plane, box, &d);
    for (k = 0; k < 3; k++)
        lean[k] = u3_dot_at(box->pose->axes.axis + k, n);
    k = find_largest_component(lean);
    for (vertex = 0; vertex < 8; vertex++) {
        vsp__touch_point *point = t->points + t->count;
        /* the vertex, relative to the centre of the half-space; then the
         * point below it on the plane */
        vsp__v3 *from = &point->on[0];

        if ((vertex >> k & 1u) != (lean[k] < 0 ? 1u : 0u))
            continue;
        vsp__brick_corner(&box->shape->size, vertex, &point->on[1]);
        m3_mul_to(&box->pose->axes, &point->on[1], &point->on[1]);
        v3_add_to(&d, &point->on[1], from);
        v3_flush_in(from);
        point->gap = vsp__flushed_dot(n, from);
        u3_move(from, r_neg(point->gap), n);
        point->feature = vertex;
        if (point->gap < envelope)
            t->count++;
    }
    return t->count > 0;
}


/* ---- Separating axes of two boxes ----------------------------------------
 * Gottschalk, Lin, Manocha, "OBBTree", 1996: two boxes are apart if and only
 * if they are apart along a face normal or the cross product of two edges. */

/* Edges with a smaller squared sine between them count as parallel. */
#define MIN_SQ_SINE VSP__UNIT(0.001)

/* the other two axes in right-handed order */
static const uint8_t next_axis[3] = {1, 2, 0};
static const uint8_t previous_axis[3] = {2, 0, 1};

typedef struct box_pair {
    vsp__v3 offset;          /* centre of a to centre of b, m */
    const vsp__v3 *axis[2];  /* three of a, three of b */
    const vsp__num *half[2]; /* half the size along each axis, m */
    vsp__num along[2][3];    /* the offset along each axis, m */
    vsp__num turn[2][3][3];  /* axis[side][i] . axis[1 - side][j] */
} box_pair;

typedef struct box_face {
    vsp__num separation; /* m; negative is depth */
    uint32_t side;       /* 0: face of a, 1: of b */
    uint32_t axis;
} box_face;

typedef struct box_edges {
    bool found;
    uint32_t axis[2]; /* of a and of b */
} box_edges;

static void set_box(box_pair *p, uint32_t side, const vsp__placed_shape *box)
{
    p->axis[side] = box->pose->axes.axis;
    p->half[side] = &box->shape->size.x;
}

/* Computes the offset along one axis and, for an axis of a, the cosines between
 * it and the axes of b. */
static void measure_axis(box_pair *p, uint32_t side, uint32_t i)
{
    const vsp__v3 *axis = &p->axis[side][i];
    uint32_t j;

    p->along[side][i] = vsp__flushed_dot(&p->offset, axis);
    for (j = 0; side == 0 && j < 3; j++)
        p->turn[0][i][j] = p->turn[1][j][i] = vsp__flushed_dot(axis,
                                                               &p->axis[1][j]);
}

/* Finds the face of one box along whose normal the separation is largest, and
 * fills the members of p for the axes of that box; a goes before b.  Returns
 * false as soon as an axis separates the boxes by the envelope: for many pairs
 * this is the first one, and the others cost nothing. */
static bool find_best_face(box_pair *p, uint32_t side, vsp__num envelope,
                           box_face *best)
{
    const vsp__num *half = p->half[1 - side];
    uint32_t i;

    best->side = side;
    for (i = 0; i < 3; i++) {
        const vsp__num *turn = p->turn[side][i];
        vsp__num reach, s;

        measure_axis(p, side, i);
        reach = u_dot3(half[0], r_abs(turn[0]), half[1], r_abs(turn[1]),
                       half[2], r_abs(turn[2]));
        s = r_sub(r_abs(p->along[side][i]), r_add(p->half[side][i], reach));
        if (s >= envelope)
            return false;
        if (i == 0 || s > best->separation) {
            best->separation = s;
            best->axis = i;
        }
    }
    return true;
}

/* The separation, m, along the cross product of axis i of a and axis j of b,
 * times the length of that product. */
static vsp__num edge_separation(const box_pair *p, uint32_t i, uint32_t j)
{
    uint32_t i1 = next_axis[i], i2 = previous_axis[i];
    uint32_t j1 = next_axis[j], j2 = previous_axis[j];
    const vsp__num *to_b = p->turn[0][i], *to_a = p->turn[1][j];
    const vsp__num *half_a = p->half[0], *half_b = p->half[1];
    const vsp__num *along = p->along[0];
    vsp__num distance = u_dot2(along[i2], to_a[i1], -along[i1], to_a[i2]);
    vsp__num reach_a = u_dot2(half_a[i1], r_abs(to_a[i2]), half_a[i2],
                              r_abs(to_a[i1]));
    vsp__num reach_b = u_dot2(half_b[j1], r_abs(to_b[j2]), half_b[j2],
                              r_abs(to_b[j1]));

    return r_sub(r_abs(distance), r_add(reach_a, reach_b));
}

/* Finds the pair of edges with the largest separation above a threshold, m.
 * Returns false when an axis separates the boxes by the envelope. */
static bool find_best_edges(const box_pair *p, vsp__num threshold,
                            vsp__num envelope, box_edges *best)
{
    uint32_t i, j;

    best->found = false;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            vsp__num cosine = p->turn[0][i][j];
            vsp__num sq_sine = VSP__UNIT(1.0) - u_mul(cosine, cosine), s;

            if (sq_sine < MIN_SQ_SINE)
                continue;
            /* Division by the sine, at most 1, enlarges s and keeps its
             * sign: most pairs of edges need no root. */
            s = edge_separation(p, i, j);
            if (s <= r_min(threshold, 0))
                continue;
            s = r_mul(s, vsp__rsqrt_unit(sq_sine));
            if (s >= envelope)
                return false;
            if (s > threshold) {
                threshold = s;
                best->found = true;
                best->axis[0] = i;
                best->axis[1] = j;
            }
        }
    }
    return true;
}


/* ---- Two edges ----------------------------------------------------------- */

/* Fills the middle of the edge that is farthest in a direction, among the four
 * edges along axis i, relative to the box's centre.  Returns its number, 0 to
 * 3. */
static uint32_t find_edge_middle(const box_pair *p, uint32_t side, uint32_t i,
                                 const vsp__v3 *direction, vsp__v3 *middle)
{
    const vsp__v3 *axis = p->axis[side];
    const vsp__num *half = p->half[side];
    uint32_t i1 = next_axis[i], i2 = previous_axis[i];
    bool back1 = u3_dot_at(direction, &axis[i1]) < 0;
    bool back2 = u3_dot_at(direction, &axis[i2]) < 0;

    *middle = axis[i1];
    u3_scale_in(middle, r_signed(half[i1], back1));
    u3_move(middle, r_signed(half[i2], back2), &axis[i2]);
    return (back1 ? 1u : 0u) + (back2 ? 2u : 0u);
}

/* Returns s * inv, a position on an edge, m from its middle, clamped to its
 * ends. */
static vsp__num place_on_edge(vsp__num s, vsp__num inv, vsp__num half)
{
    return r_clamp(r_flush(r_mul(r_flush(s), inv)), -half, half);
}

/* The contact point of two edges, where they are closest. */
static bool touch_edges(const box_pair *p, const box_edges *edges,
                        vsp__num envelope, vsp__touch *t)
{
    vsp__num c = p->turn[0][edges->axis[0]][edges->axis[1]];
    vsp__num inv = u_div(VSP__REAL(1.0), VSP__UNIT(1.0) - u_mul(c, c));
    vsp__touch_point *point = &t->points[0];
    const vsp__v3 *u[2];
    vsp__v3 *n = &t->normal, out, d = p->offset;
    uint32_t code = 4u + edges->axis[0] * 3u + edges->axis[1], k;

    for (k = 0; k < 2; k++)
        u[k] = &p->axis[k][edges->axis[k]];
    u3_cross_to(u[0], u[1], n);
    v3_flush_in(n);
    vsp__v3_normalize_flushed(n);
    v3_flip_in(n, u3_dot_at(n, &d) < 0);
    out = *n;
    for (k = 0; k < 2; k++) {
        code = code * 4u +
               find_edge_middle(p, k, edges->axis[k], &out, point->on + k);
        v3_flip_in(&out, true);
    }
    v3_add_in(&d, &point->on[1]);
    v3_sub_in(&d, &point->on[0]);
    v3_flush_in(&d);
    for (k = 0; k < 2; k++) {
        vsp__num s = r_sub(vsp__flushed_dot(&d, u[k]),
                           u_mul(c, vsp__flushed_dot(&d, u[1 - k])));

        s = place_on_edge(s, inv, p->half[k][edges->axis[k]]);
        u3_move(point->on + k, r_signed(s, k == 1), u[k]);
    }
    t->count = 1;
    point->gap = u3_dot_at(n, &d);
    point->feature = code;
    return point->gap < envelope;
}


/* ---- A face and a clipped face -------------------------------------------
 * The reference face is the best face; the incident face is the face of the
 * other box that is turned most towards it. */

/* m: a point this far outside of the reference face counts as inside, so that a
 * box on another one of the same size keeps its corners */
#define CLIP_TOLERANCE VSP__REAL(0.00001)

typedef struct face_pair {
    uint32_t side, axis;   /* of the reference face */
    uint32_t other_axis;   /* of the incident face */
    bool back, other_back; /* the face's normal is against its axis */
} face_pair;

static void choose_faces(const box_pair *p, const box_face *face, face_pair *f)
{
    const vsp__num *turn = p->turn[face->side][face->axis];

    f->side = face->side;
    f->axis = face->axis;
    f->back = (p->along[f->side][f->axis] > 0) == (f->side == 1);
    f->other_axis = find_largest_component(turn);
    f->other_back = r_signed(turn[f->other_axis], f->back) > 0;
}

/* Fills coordinate k of the vertices of the incident face: their position along
 * an axis of the reference box, relative to its centre; along the normal, the
 * height above the reference face. */
static void fill_incident_coordinate(const box_pair *p, const face_pair *f,
                                     uint32_t axis, uint32_t k,
                                     vsp__polygon *poly)
{
    const vsp__num *half = p->half[1 - f->side];
    const vsp__num *turn = p->turn[f->side][axis];
    uint32_t j = f->other_axis, j1 = next_axis[j], j2 = previous_axis[j], i;
    vsp__num center = r_add(r_signed(p->along[f->side][axis], f->side == 1),
                            u_mul(turn[j], r_signed(half[j], f->other_back)));
    vsp__num side1 = u_mul(turn[j1], half[j1]);
    vsp__num side2 = u_mul(turn[j2], half[j2]);
    vsp__num near = r_add(center, side1), far = r_sub(center, side1);

    for (i = 0; i < 4; i++) {
        vsp__num x = r_add((i + 1u) & 2u ? far : near, r_signed(side2, i >= 2));

        if (axis == f->axis)
            x = r_sub(r_signed(x, f->back), p->half[f->side][axis]);
        poly->points[i].at[k] = r_flush(x);
    }
}

static void make_incident_polygon(const box_pair *p, const face_pair *f,
                                  vsp__polygon *poly)
{
    uint32_t axis = f->axis, i, k;

    poly->count = 4;
    poly->is_open = false;
    for (i = 0; i < 4; i++)
        poly->points[i].edge = poly->points[i].part = (uint16_t)i;
    for (k = 0; k < 3; k++) {
        axis = next_axis[axis];
        fill_incident_coordinate(p, f, axis, k, poly);
    }
}

/* Fills how far outside of a side (+x, -x, +y, -y) of the reference face each
 * point is, m.  Returns whether any is outside. */
static bool measure_outside(const vsp__polygon *poly, uint32_t side,
                            vsp__num limit, vsp__num *distance)
{
    bool is_any = false;
    uint32_t i;

    for (i = 0; i < poly->count; i++) {
        distance[i] = r_sub(
            r_signed(poly->points[i].at[side / 2], (side & 1u) != 0), limit);
        if (distance[i] > 0)
            is_any = true;
    }
    return is_any;
}

/* Clips the polygon to the rectangle of the reference face. */
static void clip_to_face(vsp__polygon *poly, vsp__num half_x, vsp__num half_y)
{
    vsp__num distance[VSP__CLIP_POINTS];
    uint32_t side;

    for (side = 0; side < 4; side++)
        if (measure_outside(poly, side,
                            r_add(side < 2 ? half_x : half_y, CLIP_TOLERANCE),
                            distance))
            vsp__clip_polygon(poly, side, distance);
}

/* Returns the feature of a point, different for all points of a manifold.  The
 * part becomes a number: 0 to 3 for a vertex, 4 to 19 for an edge on a side, 20
 * to 23 for a corner of the reference face, where a side in x is cut by one in
 * y. */
static uint32_t face_feature(const face_pair *f, uint32_t part)
{
    uint32_t faces = f->side, edge = part / VSP__SIDES - 1u;

    if (part >= VSP__SIDES) {
        part = edge < VSP__SIDES ? 4u + edge * 4u + part % VSP__SIDES
                                 : 20u + (edge & 1u) * 2u + (part & 1u);
    }
    faces = faces * 3u + f->axis;
    faces = faces * 2u + (f->back ? 1u : 0u);
    faces = faces * 3u + f->other_axis;
    faces = faces * 2u + (f->other_back ? 1u : 0u);
    return (faces * 53u + part) & 255u;
}

/* Makes a touch of the polygon, with four points at most. */
static void polygon_to_touch(const box_pair *p, const face_pair *f,
                             const vsp__polygon *poly, vsp__touch *t)
{
    const vsp__v3 *axis = p->axis[f->side];
    vsp__v3 out = axis[f->axis], offset = p->offset, top;
    uint8_t chosen[4] = {0, 1, 2, 3};
    uint32_t i;

    t->count = poly->count > 4
                   ? vsp__choose_four_points(poly->points, poly->count, chosen)
                   : poly->count;
    v3_flip_in(&out, f->back);
    top = t->normal = out;
    v3_flip_in(&t->normal, f->side == 1);
    v3_flip_in(&offset, f->side == 1);
    u3_scale_in(&top, p->half[f->side][f->axis]);
    for (i = 0; i < t->count; i++) {
        const vsp__clip_point *c = poly->points + chosen[i];
        vsp__touch_point *point = t->points + i;
        vsp__v3 on = top;

        u3_move(&on, c->at[0], &axis[next_axis[f->axis]]);
        u3_move(&on, c->at[1], &axis[previous_axis[f->axis]]);
        point->on[f->side] = on;
        u3_move(&on, c->at[2], &out);
        v3_sub_in(&on, &offset);
        point->on[1 - f->side] = on;
        point->gap = c->at[2];
        point->feature = face_feature(f, c->part);
    }
}

static bool touch_faces(const box_pair *p, const box_face *face,
                        vsp__num envelope, vsp__touch *t)
{
    const vsp__num *half = p->half[face->side];
    vsp__polygon poly;
    face_pair f;

    choose_faces(p, face, &f);
    make_incident_polygon(p, &f, &poly);
    clip_to_face(&poly, half[next_axis[face->axis]],
                 half[previous_axis[face->axis]]);
    vsp__drop_points_above(&poly, envelope);
    polygon_to_touch(p, &f, &poly, t);
    return t->count > 0;
}

bool vsp__touch_boxes(const vsp__placed_shape *a, const vsp__placed_shape *b,
                      vsp__num envelope, vsp__touch *t)
{
    box_pair p;
    box_face faces[2], *face = &faces[0];
    box_edges edges;
    vsp__num depth;
    uint32_t side;

    vsp__solid_offset(a, b, &p.offset);
    set_box(&p, 0, a);
    set_box(&p, 1, b);
    for (side = 0; side < 2; side++)
        if (!find_best_face(&p, side, envelope, &faces[side]))
            return false;
    depth = r_max(faces[0].separation, faces[1].separation);
    if (faces[1].separation > r_add(faces[0].separation, VSP__FACE_HANDICAP))
        face = &faces[1];
    if (!find_best_edges(&p,
                         r_add(r_add(depth, VSP__EDGE_HANDICAP),
                               u_mul(VSP__EDGE_HANDICAP_PART, r_abs(depth))),
                         envelope, &edges))
        return false;
    if (!edges.found) {
        if (touch_faces(&p, face, envelope, t))
            return true;
        /* The edges cross so flatly that the face was preferred, but no part of
         * the incident face is within the envelope above the reference face. */
        if (!find_best_edges(&p, depth, envelope, &edges) || !edges.found)
            return false;
    }
    return touch_edges(&p, &edges, envelope, t);
}
