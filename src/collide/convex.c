/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contacts of two convex solids, in this order: separating axes; contacts of
 * two edges; contacts of a face, by clipping; solids with a radius, by nearest
 * points; the choice among these for a pair; a half-space and a solid. */

#include "collide.h"

#if VSP__HAS_CONVEX


/* ---- Separating axes -------------------------------------------------------
 * Two cores are apart if and only if the normal of a face separates them, or
 * the cross product of two edges whose arcs cross on the Gauss map: Gregorius,
 * "The separating axis test between convex polyhedra", GDC 2013.  A triangle
 * is solid behind.  So an axis that would push the other core out of its back
 * can prove that both are apart, but does not become a contact. */

/* squared sine below which edges count as parallel */
#define PARALLEL_SQ_SINE VSP__UNIT(0.00001)

/* an axis points out of a triangle's back if its cosine to the back's normal is
 * above this; the slack excludes an axis in the plane, despite noise */
#define BACK_SLACK VSP__UNIT(0.001)

typedef struct pair_axis {
    vsp__num separation; /* m, of the cores; negative: depth */
    bool found;
    /* face: its side, its number, the deepest corner of the other side; edges:
     * 1 if the axis is flipped, edge of a, edge of b */
    uint8_t side;
    uint8_t part[2];
} pair_axis;

typedef struct pair_axes {
    vsp__num limit;            /* m: a separation at which the search ends */
    pair_axis faces[2], edges; /* best face of a, of b; best pair of edges */
    bool has_back;             /* an axis points out of a triangle's back */
    vsp__num back;             /* the best separation of such axes */
    uint32_t left;             /* vsp__touch.left */
} pair_axes;

static VSP__CALLED void take_better_axis(pair_axis *best, vsp__num separation,
                                         uint32_t side, uint32_t part0,
                                         uint32_t part1)
{
    if (best->found && !(separation > best->separation))
        return;
    best->found = true;
    best->separation = separation;
    best->side = (uint8_t)side;
    best->part[0] = (uint8_t)part0;
    best->part[1] = (uint8_t)part1;
}

static VSP__CALLED void take_better_back(pair_axes *axes, vsp__num separation)
{
    if (!axes->has_back || separation > axes->back)
        axes->back = separation;
    axes->has_back = true;
}

/* The separation of a corner v of the other side from a face, m. */
static vsp__num corner_separation(const vsp__v3 *n, const vsp__v3 *v,
                                  vsp__num height)
{
    return r_flush(r_add(u3_dot_at(n, v), height));
}

/* Finds the face of one side with the largest separation from the other core.
 * Returns false when a separation reaches the limit.  Tries each face at the
 * corner of the other core that was deepest below the last face: if it is no
 * better there, it is no better at its own deepest corner, which is not looked
 * for, as hulls have up to 64 corners.  Faces that would push the other core
 * out of the back of a triangle are compared in axes->back. */
static bool find_face_axis(const vsp__convex_pair *p, uint32_t side,
                           pair_axes *axes)
{
    const vsp__convex_side *s = p->side + side, *other = p->side + (1 - side);
    bool skips = s->form.face_count > 2 && other->form.vertex_count > 8;
    uint32_t face, vertex = 0;

    for (face = 0; face < s->form.face_count; face++) {
        const pair_axis *best = axes->faces + side;
        vsp__v3 n, inward, v;
        vsp__num height = vsp__core_plane(s, face, &n), separation;

        height = r_sub(u3_dot_at(&n, &s->offset), height);
        vsp__direction_to_other(p, side, &n);
        if (skips && best->found) {
            vsp__core_corner(other->solid, vertex, &v);
            if (corner_separation(&n, &v, height) <= best->separation)
                continue;
        }
        inward = n;
        v3_flip_in(&inward, true);
        vertex = vsp__farthest_corner(other->solid, &inward, &v);
        separation = corner_separation(&n, &v, height);
        if (separation >= axes->limit)
            return false;
        if ((vsp__is_triangle(s) && face == 1) ||
            (vsp__is_triangle(other) &&
             u3_dot_at(&n, &other->front) > BACK_SLACK))
            take_better_back(axes, separation);
        else
            take_better_axis(axes->faces + side, separation, side, face,
                             vertex);
    }
    return true;
}

/* Pairs of more edges than those of two boxes are thinned out first. */
#define FEW_EDGE_PAIRS 144u

/* m: more than noise */
#define SLACK_OF_LESS VSP__REAL(0.001)

/* The faces of both sides at edges that may have the best axis. */
typedef struct edge_bound {
    uint32_t faces[2][2]; /* of each side; bit i: face i */
} edge_bound;

/* Computes a ball in a core.  Returns its radius, m. */
static vsp__num ball_in_core(const vsp__convex_side *s, vsp__v3 *middle)
{
    vsp__num radius = VSP__REAL_MAX;
    uint32_t i;
    vsp__v3 n;

    *middle = v3_zero();
    if (VSP_HULLS && s->solid->core == VSP__CORE_POLYHEDRON)
        vsp__hull_center(s->solid, middle);
    for (i = 0; i < s->form.face_count; i++) {
        vsp__num height = vsp__core_plane(s, i, &n);

        radius = r_min(radius, r_sub(height, u3_dot_at(&n, middle)));
    }
    return radius;
}

/* Computes the faces of a side that the ball in the other core is not far
 * behind.  An axis of an edge is a sum of the normals of its faces, with
 * weights of 1 or more in all, and along it the other core begins before its
 * ball: if the centre of the ball is behind both faces, and the ball reaches
 * deeper behind both than the best face is deep, no axis of the edge is
 * better. */
static void bound_faces(const vsp__convex_pair *p, uint32_t side,
                        vsp__num separation, uint32_t faces[2])
{
    const vsp__convex_side *s = p->side + side;
    vsp__num least;
    vsp__v3 middle, n;
    uint32_t i;

    least = r_add(separation, ball_in_core(&p->side[1 - side], &middle));
    least = r_min(r_sub(least, SLACK_OF_LESS), 0);
    faces[0] = faces[1] = 0;
    for (i = 0; i < s->form.face_count; i++) {
        vsp__num height = vsp__core_plane(s, i, &n);

        height = r_sub(u3_dot_at(&n, &s->offset), height);
        vsp__direction_to_other(p, side, &n);
        if (corner_separation(&n, &middle, height) > least)
            faces[i >> 5] |= (uint32_t)1 << (i & 31u);
    }
}

/* Returns whether the cores have many pairs of edges. */
static bool bound_edges(const vsp__convex_pair *p, vsp__num separation,
                        edge_bound *bound)
{
    const vsp__core_form *a = &p->side[0].form, *b = &p->side[1].form;
    bool is_used = a->face_count > 2 && b->face_count > 2 &&
                   (uint32_t)a->edge_count * b->edge_count > FEW_EDGE_PAIRS;
    uint32_t i;

    for (i = 0; i < 2; i++)
        if (is_used)
            bound_faces(p, i, separation, bound->faces[i]);
        else
            bound->faces[i][0] = bound->faces[i][1] = 0xffffffffu;
    return is_used;
}

static bool has_face(const uint32_t faces[2], uint32_t face)
{
    return (faces[face >> 5] >> (face & 31u) & 1u) != 0;
}

static bool may_be_best(const edge_bound *bound, uint32_t side,
                        const vsp_hull_edge *e)
{
    return has_face(bound->faces[side], e->left) ||
           has_face(bound->faces[side], e->right);
}

/* an edge of a in the frame of b, while it is tested with all edges of b */
typedef struct edge_walk {
    uint32_t edge;
    vsp__v3 tail, direction; /* a unit vector */
    vsp__v3 normal[2];       /* of the faces on its left and right */
    uint32_t along[2];       /* bit i: normal i of b has a positive component
                                along it */
} edge_walk;

static bool has_face_along(const edge_walk *w, uint32_t face)
{
    return has_face(w->along, face);
}

/* Computes the ends of an edge, in the frame of its solid. */
static void edge_ends(const vsp__convex_side *s, const vsp_hull_edge *e,
                      vsp__v3 *tail, vsp__v3 *head)
{
    vsp__core_corner(s->solid, s->form.is_mirrored ? e->head : e->tail, tail);
    vsp__core_corner(s->solid, s->form.is_mirrored ? e->tail : e->head, head);
}

/* Prepares an edge.  Returns false for an edge without length. */
static bool start_edge_walk(const vsp__convex_pair *p, uint32_t edge,
                            edge_walk *w)
{
    const vsp__convex_side *a = &p->side[0], *b = &p->side[1];
    const vsp_hull_edge *e = a->form.edges + edge;
    vsp__v3 n, d;
    uint32_t i;

    w->edge = edge;
    edge_ends(a, e, &w->tail, &n);
    if (!vsp__direct_between(&w->tail, &n, &w->direction))
        return false;
    vsp__direction_to_other(p, 0, &w->direction);
    vsp__point_from_a(p, &w->tail);
    for (i = 0; i < 2 && a->form.face_count > 0; i++) {
        (void)vsp__core_plane(a, i == 0 ? e->left : e->right, w->normal + i);
        vsp__direction_to_other(p, 0, w->normal + i);
    }
    w->along[0] = w->along[1] = 0;
    d = w->direction;
    vsp__direction_to_table(b, &d);
    for (i = 0; i < b->form.face_count; i++) {
        vsp__table_normal(b, i, &n);
        if (v3_product_at(&n, &d) > 0)
            w->along[i >> 5] |= (uint32_t)1 << (i & 31u);
    }
    return true;
}

/* Whether the normals of the two faces at an edge of b are on different sides
 * of the plane across the edge of a, as they are if the arcs of the edges
 * cross; then *against is whether the common normal is opposite to the cross
 * product.  Few edges of b pass, and the test needs none of their corners. */
static bool may_cross(const vsp__convex_pair *p, const edge_walk *w,
                      const vsp_hull_edge *e, bool *against)
{
    *against = false;
    if (p->side[1].form.face_count == 0)
        return true;
    *against = !has_face_along(w, e->left);
    return *against == has_face_along(w, e->right);
}

/* Whether the arc between the face normals of one edge crosses the negated arc
 * of the other on the sphere of normals, after may_cross.  v is along the edge
 * of b.  The arc of a segment is the whole circle across it. */
static bool arcs_cross(const vsp__convex_pair *p, const edge_walk *w,
                       const vsp__v3 *v, bool *against)
{
    bool has_b = p->side[1].form.face_count > 0, left;

    if (p->side[0].form.face_count == 0)
        return has_b;
    left = v3_product_at(&w->normal[0], v) > 0;
    if (left == (v3_product_at(&w->normal[1], v) > 0) ||
        (has_b && left == *against))
        return false;
    *against = !left;
    return true;
}

/* Measures the axis across the edge of a and one of b.  Returns false when its
 * separation reaches the limit. */
static bool measure_edge_axis(const vsp__convex_pair *p, const edge_walk *w,
                              uint32_t edge, pair_axes *axes)
{
    const vsp_hull_edge *e = &p->side[1].form.edges[edge];
    vsp__v3 tail, v, n;
    vsp__num separation;
    bool against;

    if (!may_cross(p, w, e, &against))
        return true;
    edge_ends(&p->side[1], e, &tail, &v);
    vsp__v3_from_to(&tail, &v, &v);
    if (!arcs_cross(p, w, &v, &against))
        return true;
    vsp__v3_normalize_flushed(&v);
    if (vsp__direct_across(&w->direction, &v, &n) < PARALLEL_SQ_SINE)
        return true;
    v3_flip_in(&n, against);
    vsp__v3_from_to(&w->tail, &tail, &tail);
    separation = r_flush(u3_dot_at(&n, &tail));
    if (separation >= axes->limit)
        return false;
    if ((vsp__is_triangle(&p->side[0]) &&
         u3_dot_at(&n, &w->normal[0]) < -BACK_SLACK) ||
        (vsp__is_triangle(&p->side[1]) &&
         u3_dot_at(&n, &p->side[1].front) > BACK_SLACK))
        take_better_back(axes, separation);
    else
        take_better_axis(&axes->edges, separation, against ? 1 : 0, w->edge,
                         edge);
    return true;
}

/* Returns the better of the two best faces; null if there is none. */
static const pair_axis *better_face(const pair_axes *axes)
{
    const pair_axis *a = &axes->faces[0], *b = &axes->faces[1];

    if (!b->found)
        return a->found ? a : NULL;
    if (!a->found || b->separation > r_add(a->separation, VSP__FACE_HANDICAP))
        return b;
    return a;
}

/* Finds the edge pair with the largest separation, if that is larger than the
 * best face's, among those that the budget allows.  Returns false when it
 * reaches the limit. */
static bool find_edge_axis(const vsp__convex_pair *p, pair_axes *axes)
{
    const pair_axis *face = better_face(axes);
    const vsp__core_form *a = &p->side[0].form, *b = &p->side[1].form;
    uint32_t i, k;
    edge_bound bound;
    edge_walk w;
    bool is_many;

    is_many = bound_edges(p, face ? face->separation : 0, &bound);
    for (i = 0; i < a->edge_count; i++) {
        if (!may_be_best(&bound, 0, a->edges + i))
            continue;
        if (is_many && !vsp__pay(&axes->left, VSP__EDGE_COST))
            return true;
        if (!start_edge_walk(p, i, &w))
            continue;
        for (k = 0; k < b->edge_count; k++)
            if (may_be_best(&bound, 1, b->edges + k) &&
                !measure_edge_axis(p, &w, k, axes))
                return false;
    }
    return true;
}

/* Finds the best axes; tests pairs of edges only if with_edges is set.  Returns
 * false when the separation of the cores reaches the limit. */
static bool find_axes(const vsp__convex_pair *p, vsp__num limit,
                      bool with_edges, pair_axes *axes)
{
    axes->limit = limit;
    axes->faces[0].found = axes->faces[1].found = false;
    axes->edges.found = axes->has_back = false;
    axes->back = 0;
    return find_face_axis(p, 0, axes) && find_face_axis(p, 1, axes) &&
           (!with_edges || find_edge_axis(p, axes));
}

/* Whether a triangle lets a solid through instead of pushing it to its front:
 * the distance to leave by its back is less than half as long (apart from the
 * handicap), or the solid only touches it from behind or from the side. */
static bool is_leaving_by_back(const pair_axes *axes, vsp__num separation,
                               vsp__num radii)
{
    vsp__num back = r_sub(axes->back, radii);

    separation = r_sub(separation, radii);
    return axes->has_back && back > separation &&
           (back >= 0 ||
            separation < r_sub(r_add(back, back), VSP__EDGE_HANDICAP));
}


/* ---- Contacts of two edges ----------------------------------------------- */

/* Computes the middle of an edge, relative to its solid's origin, and half of
 * the vector from tail to head, in world axes. */
static void edge_in_world(const vsp__convex_side *s, uint32_t edge,
                          vsp__v3 *middle, vsp__v3 *half)
{
    const vsp_hull_edge *e = s->form.edges + edge;
    vsp__v3 head;

    edge_ends(s, e, middle, &head);
    vsp__v3_from_to(middle, &head, half);
    u3_scale_in(half, VSP__UNIT(0.5));
    v3_add_in(middle, half);
    vsp__m3_mul_flushed(&s->solid->pose->axes, middle);
    vsp__m3_mul_flushed(&s->solid->pose->axes, half);
}

/* Computes one point where two edges are closest, each clamped to its length.
 * Returns whether they are closer than the limit. */
static bool touch_two_edges(const vsp__convex_pair *p, const pair_axis *best,
                            const vsp__v3 *offset, vsp__num limit,
                            vsp__touch *t)
{
    vsp__touch_point *point = &t->points[0];
    vsp__v3 u[2], d = *offset;
    vsp__num length[2], at[2], c, sq_sine;
    uint32_t k;

    for (k = 0; k < 2; k++) {
        edge_in_world(p->side + k, best->part[k], point->on + k, &u[k]);
        length[k] = v3_length_at(&u[k]);
        vsp__v3_normalize_flushed(&u[k]);
    }
    sq_sine = vsp__direct_across(&u[0], &u[1], &t->normal);
    v3_flip_in(&t->normal, best->side == 1);
    v3_add_in(&d, &point->on[1]);
    vsp__v3_from_to(&point->on[0], &d, &d);
    c = r_flush(u3_dot_at(&u[0], &u[1]));
    at[0] = r_flush(u3_dot_at(&d, &u[0]));
    at[1] = r_flush(u3_dot_at(&d, &u[1]));
    for (k = 0; k < 2; k++) {
        vsp__num s = r_flush(r_sub(at[k], u_mul(c, at[1 - k])));

        s = r_clamp(u_div(s, sq_sine), -length[k], length[k]);
        u3_move(point->on + k, r_signed(r_flush(s), k == 1), &u[k]);
    }
    t->count = 1;
    point->gap = r_sub(u3_dot_at(&t->normal, &d), p->radii);
    point->feature = (best->part[0] * 89u + best->part[1] * 5u) & 255u;
    vsp__add_radii(p, &t->normal, point->on);
    return r_add(point->gap, p->radii) < limit;
}


/* ---- Contacts of a face ----------------------------------------------------
 * The incident face of one side is clipped to the reference face of the other:
 * Sutherland and Hodgman, "Reentrant polygon clipping", 1974. */

/* Larger incident faces are thinned: every second, third ... corner is used. */
#define MAX_INCIDENT_CORNERS 12u

/* m: a point this far outside still counts as inside, so that faces of equal
 * size, one on the other, keep their corners */
#define SIDE_TOLERANCE VSP__REAL(0.00001)

/* A reference face, in the frame of its side: x, y and normal are the axes of
 * the face frame, a corner is its origin. */
typedef struct face_frame {
    uint32_t side, face;
    vsp__v3 normal, x, y, corner;
} face_frame;

/* Converts a point from the side's frame to the face frame. */
static void to_face_frame(const face_frame *f, const vsp__v3 *v, vsp__num *at)
{
    vsp__v3 d;

    vsp__v3_from_to(&f->corner, v, &d);
    at[0] = r_flush(u3_dot_at(&f->x, &d));
    at[1] = r_flush(u3_dot_at(&f->y, &d));
    at[2] = r_flush(u3_dot_at(&f->normal, &d));
}

static void set_face_frame(const vsp__convex_pair *p, const pair_axis *face,
                           face_frame *f)
{
    const vsp__convex_side *s = p->side + face->side;

    f->side = face->side;
    f->face = face->part[0];
    (void)vsp__core_plane(s, f->face, &f->normal);
    vsp__make_tangents(&f->normal, &f->x, &f->y);
    v3_flush_in(&f->x);
    v3_flush_in(&f->y);
    vsp__core_corner(s->solid, s->form.corners[s->form.first[f->face]],
                     &f->corner);
}

/* Makes a clip point of a vertex of the other side; edge is the number of the
 * polygon's edge that follows it. */
static void set_clip_point(const vsp__convex_pair *p, const face_frame *f,
                           uint32_t vertex, uint32_t edge,
                           vsp__clip_point *point)
{
    vsp__v3 v;

    vsp__core_corner(p->side[1 - f->side].solid, vertex, &v);
    vsp__direction_to_other(p, 1 - f->side, &v);
    v3_add_in(&v, &p->side[f->side].offset);
    to_face_frame(f, &v, point->at);
    point->edge = (uint16_t)edge;
    point->part = (uint16_t)vertex;
}

/* Makes a polygon of the incident face: of the faces at the deepest corner, the
 * one that is turned most to the reference face.  A core without faces gives
 * its vertices (an open polygon).  Returns the number of the face. */
static uint32_t start_incident_polygon(const vsp__convex_pair *p,
                                       const face_frame *f, uint32_t vertex,
                                       vsp__polygon *c)
{
    const vsp__convex_side *other = p->side + (1 - f->side);
    const vsp__core_form *form = &other->form;
    const uint8_t *corners;
    vsp__v3 toward;
    uint32_t face, count, step, start = 0, i;

    c->count = 0;
    c->is_open = form->face_count == 0;
    if (c->is_open) {
        for (i = 0; i < form->vertex_count; i++)
            set_clip_point(p, f, i, 0, c->points + c->count++);
        return 0;
    }
    /* it begins at the deepest corner, which is then never skipped */
    toward = f->normal;
    vsp__direction_to_other(p, f->side, &toward);
    face = vsp__face_against(other->solid, vertex, &toward);
    corners = form->corners + form->first[face];
    count = (uint32_t)form->first[face + 1] - form->first[face];
    while (start + 1 < count &&
           corners[vsp__face_order(form, count, start)] != vertex)
        start++;
    step = (count + MAX_INCIDENT_CORNERS - 1u) / MAX_INCIDENT_CORNERS;
    for (i = 0; i < count; i += step) {
        uint32_t k = start + i < count ? start + i : start + i - count;

        set_clip_point(p, f, corners[vsp__face_order(form, count, k)], k,
                       c->points + c->count++);
    }
    return face;
}

/* how far a point is outside of a side, beyond the tolerance: along `out`, from
 * one end of the side */
static vsp__num distance_outside(const vsp__clip_point *point,
                                 const vsp__num *end, const vsp__v3 *out)
{
    vsp__num x = r_flush(r_sub(point->at[0], end[0]));
    vsp__num y = r_flush(r_sub(point->at[1], end[1]));

    return r_flush(r_sub(u_dot2(x, out->x, y, out->y), SIDE_TOLERANCE));
}

/* Clips to one side of the reference face. */
static void clip_to_side(vsp__polygon *c, uint32_t side, const vsp__num *from,
                         const vsp__num *to)
{
    vsp__num outside[VSP__CLIP_POINTS];
    vsp__v3 out;
    uint32_t i;

    out = v3(r_sub(to[1], from[1]), r_sub(from[0], to[0]), 0);
    v3_flush_in(&out);
    if (c->count == 0 || v3_size_at(&out) == 0)
        return;
    vsp__v3_normalize_flushed(&out);
    for (i = 0; i < c->count; i++)
        outside[i] = distance_outside(c->points + i, from, &out);
    vsp__clip_polygon(c, side, outside);
    if (VSP_HULLS && c->count == VSP__CLIP_POINTS) /* no place for one more */
        vsp__drop_flattest_point(c);
}

/* corner i of the reference face, in the face frame */
static void reference_corner(const vsp__convex_pair *p, const face_frame *f,
                             uint32_t i, vsp__num *at)
{
    const vsp__convex_side *s = p->side + f->side;
    vsp__v3 v;

    vsp__core_corner(s->solid, vsp__face_corner(&s->form, f->face, i), &v);
    to_face_frame(f, &v, at);
}

/* Clips to all sides of the reference face. */
static void clip_to_sides(const vsp__convex_pair *p, const face_frame *f,
                          vsp__polygon *c)
{
    const uint16_t *first = &p->side[f->side].form.first[f->face];
    uint32_t count = (uint32_t)first[1] - first[0], i;
    vsp__num start[3], from[3], to[3];

    reference_corner(p, f, 0, start);
    reference_corner(p, f, 0, to);
    for (i = 1; i < count; i++) {
        from[0] = to[0];
        from[1] = to[1];
        reference_corner(p, f, i, to);
        clip_to_side(c, i - 1, from, to);
    }
    clip_to_side(c, count - 1, to, start);
}

/* whether an earlier point has the same feature */
static bool is_feature_taken(const vsp__touch *t, uint32_t point)
{
    uint32_t i;

    for (i = 0; i < point; i++)
        if (t->points[i].feature == t->points[point].feature)
            return true;
    return false;
}

/* Converts a point from the face frame to world axes. */
static void place_clip_point(const vsp__convex_pair *p, const face_frame *f,
                             const vsp__clip_point *c, vsp__touch_point *point)
{
    const vsp__convex_side *s = p->side + f->side;
    vsp__v3 *on = point->on + f->side, *other = point->on + (1 - f->side);

    *on = f->corner;
    u3_move(on, c->at[0], &f->x);
    u3_move(on, c->at[1], &f->y);
    *other = *on;
    u3_move(on, s->solid->radius, &f->normal);
    u3_move(other, r_sub(c->at[2], p->side[1 - f->side].solid->radius),
            &f->normal);
    v3_sub_in(other, &s->offset);
    v3_flush_in(on);
    v3_flush_in(other);
    vsp__m3_mul_flushed(&s->solid->pose->axes, on);
    vsp__m3_mul_flushed(&s->solid->pose->axes, other);
    point->gap = r_sub(c->at[2], p->radii);
}

/* Makes a touch of at most four of these points; other is the number of the
 * incident face. */
static void make_face_touch(const vsp__convex_pair *p, const face_frame *f,
                            uint32_t other, const vsp__clip_point *points,
                            uint32_t count, vsp__touch *t)
{
    uint32_t faces = (f->face * 2u + f->side) * 59u + other * 97u, i;
    uint8_t chosen[4] = {0, 1, 2, 3};

    t->normal = f->normal;
    v3_flip_in(&t->normal, f->side == 1);
    vsp__m3_mul_flushed(&p->side[f->side].solid->pose->axes, &t->normal);
    t->count = count > 4 ? vsp__choose_four_points(points, count, chosen)
                         : count;
    for (i = 0; i < t->count; i++) {
        const vsp__clip_point *from = &points[chosen[i]];

        place_clip_point(p, f, from, t->points + i);
        t->points[i].feature = (faces + from->part * 5u) & 255u;
        while (is_feature_taken(t, i))
            t->points[i].feature = (t->points[i].feature + 1u) & 255u;
    }
}

/* Fills t with the contact of a face.  Returns false if nothing is over the
 * face. */
static bool touch_face(const vsp__convex_pair *p, const pair_axis *face,
                       vsp__num limit, vsp__touch *t)
{
    face_frame f;
    vsp__polygon c;
    uint32_t other;

    set_face_frame(p, face, &f);
    other = start_incident_polygon(p, &f, face->part[1], &c);
    clip_to_sides(p, &f, &c);
    vsp__drop_points_above(&c, limit);
    make_face_touch(p, &f, other, c.points, c.count, t);
    return t->count > 0;
}

/* Makes one point of the deepest corner, even if it is not over the face. */
static bool touch_corner(const vsp__convex_pair *p, const pair_axis *face,
                         vsp__touch *t)
{
    vsp__clip_point point;
    face_frame f;

    set_face_frame(p, face, &f);
    set_clip_point(p, &f, face->part[1], 0, &point);
    make_face_touch(p, &f, 0, &point, 1, t);
    return true;
}

/* Tries the better face, then, if nothing is over it, the best face of the
 * other side, if that has the larger separation. */
static bool touch_either_face(const vsp__convex_pair *p, const pair_axes *axes,
                              const pair_axis *face, vsp__num limit,
                              vsp__touch *t)
{
    const pair_axis *other = axes->faces + (1 - face->side);

    if (p->side[1 - face->side].solid->core == VSP__CORE_POINT)
        return touch_corner(p, face, t);
    if (touch_face(p, face, limit, t))
        return true;
    return other->found && other->separation > face->separation &&
           touch_face(p, other, limit, t);
}

/* Contacts by separating axes, without nearest points.  Returns false when the
 * separation of the cores reaches the limit. */
static bool touch_cores(const vsp__convex_pair *p, const vsp__v3 *offset,
                        vsp__num limit, pair_axes *axes, vsp__touch *t)
{
    const pair_axis *face, *edges;
    vsp__num separation;

    if (!find_axes(p, limit, true, axes))
        return false;
    face = better_face(axes);
    edges = axes->edges.found ? &axes->edges : NULL;
    if (!face)
        return false; /* neither core has faces */
    separation = face->separation;
    if (edges && edges->separation > separation)
        separation = edges->separation;
    else
        edges = NULL;
    if (is_leaving_by_back(axes, separation, p->radii))
        return false;
    if (edges &&
        edges->separation >
            r_add(r_add(face->separation, VSP__EDGE_HANDICAP),
                  u_mul(VSP__EDGE_HANDICAP_PART, r_abs(face->separation))))
        return touch_two_edges(p, edges, offset, limit, t);
    if (touch_either_face(p, axes, face, limit, t))
        return true;
    if (axes->edges.found && !(axes->edges.separation < separation))
        return touch_two_edges(p, &axes->edges, offset, limit, t);
    return separation < p->radii && !axes->has_back && touch_corner(p, face, t);
}


/* ---- Solids with a radius --------------------------------------------------
 * Spheres, capsules, and the solids that they touch: the nearest points of the
 * cores give the contact unless the cores overlap, or a segment lies on a
 * face. */

/* below this, m, a direction between nearest points is noise */
#define MIN_APART VSP__REAL(0.0005)

/* m: the largest difference between the distance of the cores and the
 * separation along a face's normal where a segment lies on the face */
#define FACE_SLACK VSP__REAL(0.0005)

/* two segments get two points if the squared sine of their angle is at most
 * this and they are side by side for more than MIN_COMMON, m */
#define ALIGNED_SQ_SINE VSP__UNIT(0.01)
#define MIN_COMMON VSP__REAL(0.001)

/* Nearest points less than SHORT_DISTANCE apart, m, give a noisy direction.  If
 * its cosine to a more exact axis is above SAME_DIRECTION_COSINE, that axis
 * replaces it. */
#define SHORT_DISTANCE VSP__REAL(0.01)
#define SAME_DIRECTION_COSINE VSP__UNIT(0.999)

static bool has_no_faces(const vsp__convex_side *s)
{
    return s->form.face_count == 0;
}

/* the axis of a segment, y of its frame, in the world */
static const vsp__v3 *segment_axis(const vsp__convex_side *s)
{
    return &s->solid->pose->axes.axis[1];
}

/* Computes the normal of two cores, at least one of which has no faces.  It is
 * the direction between the nearest points if these are apart.  Segments that
 * cross use their cross product instead if they overlap, or if they are near
 * and that direction is about parallel to it.  If neither exists, the normal is
 * any direction across a segment, or y. */
static void find_line_normal(const vsp__convex_pair *p, const vsp__v3 *offset,
                             const vsp__gjk_simplex *s, bool is_apart,
                             vsp__v3 *n)
{
    const vsp__convex_side *a = &p->side[0], *b = &p->side[1];
    vsp__v3 toward = *offset, across, other;

    if (is_apart) {
        toward = s->direction;
        v3_flip_in(&toward, true);
        vsp__m3_mul_flushed(&b->solid->pose->axes, &toward);
        *n = toward;
    }
    if (a->solid->core == VSP__CORE_SEGMENT &&
        b->solid->core == VSP__CORE_SEGMENT &&
        vsp__direct_across(segment_axis(a), segment_axis(b), &across) >
            PARALLEL_SQ_SINE &&
        (!is_apart ||
         (s->distance < SHORT_DISTANCE &&
          r_abs(u3_dot_at(&across, &toward)) > SAME_DIRECTION_COSINE))) {
        *n = across;
        v3_flip_in(n, u3_dot_at(n, &toward) < 0);
        return;
    }
    if (is_apart)
        return;
    *n = v3(0, VSP__UNIT(1.0), 0);
    if (a->solid->core == VSP__CORE_SEGMENT ||
        b->solid->core == VSP__CORE_SEGMENT)
        vsp__make_tangents(
            segment_axis(a->solid->core == VSP__CORE_SEGMENT ? a : b), n,
            &other);
    v3_flush_in(n);
    v3_flip_in(n, u3_dot_at(n, offset) < 0);
}

/* Two segments side by side: fills the next point of a touch, where both are at
 * `along` on the axis of a, m.  Returns whether the segments are closer than
 * the limit there. */
static bool add_segment_point(const vsp__convex_pair *p, const vsp__v3 *offset,
                              vsp__num along, vsp__num limit, vsp__touch *t)
{
    const vsp__v3 *u = segment_axis(&p->side[0]),
                  *v = segment_axis(&p->side[1]);
    vsp__touch_point *point = t->points + t->count;
    vsp__num half = p->side[1].solid->half.y;

    point->on[0] = *u;
    u3_scale_in(&point->on[0], along);
    point->on[1] = *v;
    u3_scale_in(&point->on[1], r_clamp(u_div(r_sub(along, u3_dot_at(u, offset)),
                                             u3_dot_at(u, v)),
                                       -half, half));
    return vsp__measure_point(p, offset, t) < limit;
}

/* Two segments side by side: fills points at both ends of their common part.
 * The normal of t is set before.  Returns false if they are not parallel or
 * have too little in common. */
static bool touch_parallel_segments(const vsp__convex_pair *p,
                                    const vsp__v3 *offset, vsp__num limit,
                                    vsp__touch *t)
{
    const vsp__v3 *u = segment_axis(&p->side[0]),
                  *v = segment_axis(&p->side[1]);
    vsp__num c = u3_dot_at(u, v), half = p->side[0].solid->half.y;
    vsp__num middle = u3_dot_at(u, offset);
    vsp__num reach = r_abs(u_mul(c, p->side[1].solid->half.y));
    vsp__num low = r_max(-half, r_sub(middle, reach));
    vsp__num high = r_min(half, r_add(middle, reach));

    if (p->side[0].solid->core != VSP__CORE_SEGMENT ||
        p->side[1].solid->core != VSP__CORE_SEGMENT ||
        VSP__UNIT(1.0) - u_mul(c, c) > ALIGNED_SQ_SINE ||
        !(r_sub(high, low) > MIN_COMMON))
        return false;
    t->count = 0;
    t->count += add_segment_point(p, offset, low, limit, t) ? 1u : 0u;
    t->count += add_segment_point(p, offset, high, limit, t) ? 1u : 0u;
    return t->count > 0;
}

/* Whether the direction from b to a between nearest points, in the frame of b,
 * points out of the back of a triangle.  Sets *is_face if it is the back's
 * normal: then separating axes decide. */
static bool is_out_of_back(const vsp__convex_pair *p, const vsp__v3 *direction,
                           bool *is_face)
{
    uint32_t side;

    for (side = 0; side < 2; side++) {
        vsp__v3 front = p->side[side].front;
        vsp__num lean;

        if (!vsp__is_triangle(p->side + side))
            continue;
        if (side == 0)
            vsp__direction_to_other(p, 0, &front);
        lean = u3_dot_at(&front, direction);
        lean = r_signed(lean, side == 1); /* above 0: out of the back */
        *is_face = lean > VSP__UNIT(0.99999);
        return lean > BACK_SLACK;
    }
    return false;
}

static bool has_gap_within(const vsp__touch *t, vsp__num gap)
{
    uint32_t i;

    for (i = 0; i < t->count; i++)
        if (t->points[i].gap <= gap)
            return true;
    return false;
}

/* Whether a segment may lie on a face, which is then better_face(axes): the
 * separation along its normal is about the distance of the cores.  Sets
 * axes->limit: the face needs a contact point at least this near. */
static bool may_lie_on_face(const vsp__convex_pair *p, vsp__num distance,
                            vsp__num limit, pair_axes *axes)
{
    const pair_axis *face;

    if (p->side[0].solid->core == VSP__CORE_POINT ||
        p->side[1].solid->core == VSP__CORE_POINT ||
        !find_axes(p, limit, false, axes))
        return false;
    axes->limit = r_add(distance, FACE_SLACK);
    face = better_face(axes);
    return face && r_add(face->separation, FACE_SLACK) >= distance;
}

/* Fills t by the nearest points: two for parallel segments, else one. */
static void touch_nearest(const vsp__convex_pair *p, const vsp__v3 *offset,
                          const vsp__gjk_simplex *s, vsp__num limit,
                          vsp__touch *t)
{
    find_line_normal(p, offset, s, s->distance > MIN_APART, &t->normal);
    if (touch_parallel_segments(p, offset, limit, t))
        return;
    vsp__simplex_points(p, s, t->points[0].on);
    t->count = 0;
    (void)vsp__measure_point(p, offset, t);
    t->count = 1;
}

typedef enum rounded_result {
    ROUNDED_APART,
    ROUNDED_DONE,
    ROUNDED_FACE, /* try the better face, then the nearest points */
    ROUNDED_CORES /* use separating axes */
} rounded_result;

/* Fills t from the nearest points, or returns which method to try next.  Axes
 * are null after a face test failed. */
static rounded_result touch_rounded(const vsp__convex_pair *p,
                                    const vsp__v3 *offset, vsp__num limit,
                                    pair_axes *axes, vsp__touch *t)
{
    vsp__gjk_simplex s;
    vsp__num distance = vsp__nearest_points(p, limit, &s);
    bool is_face = false;

    if (distance >= limit)
        return ROUNDED_APART;
    if (has_no_faces(&p->side[0]) && has_no_faces(&p->side[1])) {
        touch_nearest(p, offset, &s, limit, t);
        return ROUNDED_DONE;
    }
    if (!(distance > MIN_APART))
        return ROUNDED_CORES;
    if (is_out_of_back(p, &s.direction, &is_face))
        return is_face ? ROUNDED_CORES : ROUNDED_APART;
    if (axes && may_lie_on_face(p, distance, limit, axes))
        return ROUNDED_FACE;
    touch_nearest(p, offset, &s, limit, t);
    return ROUNDED_DONE;
}


/* ---- Pairs of solids ----------------------------------------------------- */

/* Contacts of two cores of corners or segments, with their radii. */
static VSP__CALLED bool touch_angular(vsp__convex_pair *p,
                                      const vsp__v3 *offset, vsp__num limit,
                                      vsp__touch *t)
{
    rounded_result result = ROUNDED_CORES;
    pair_axes axes;
    bool is_near;

    axes.left = VSP__WORK_LEFT(t);
    if (p->radii > 0)
        result = touch_rounded(p, offset, limit, &axes, t);
    if (result == ROUNDED_FACE) {
        if (touch_face(p, better_face(&axes), limit, t) &&
            has_gap_within(t, r_sub(axes.limit, p->radii)))
            return true;
        result = touch_rounded(p, offset, limit, NULL, t);
    }
    if (result != ROUNDED_CORES)
        return result == ROUNDED_DONE;
    is_near = touch_cores(p, offset, limit, &axes, t);
    VSP__SET_WORK(t, axes.left);
    return is_near;
}

bool vsp__touch_convex(const vsp__convex *a, const vsp__convex *b,
                       vsp__num envelope, vsp__touch *t)
{
    vsp__convex_pair p;
    vsp__v3 offset;
    vsp__num limit;

    if (vsp__are_too_far_apart(vsp__origin_distance(a, b, &offset)))
        return false;
    vsp__set_pair(&p, a, b, &offset);
    limit = r_add(envelope, p.radii);
    if (vsp__is_turned_core(a) || vsp__is_turned_core(b))
        return vsp__touch_turned(&p, &offset, limit, t);
    return touch_angular(&p, &offset, limit, t);
}

/* The reference face is the top of a flat brick, whose frame is the plane's,
 * moved to below the origin of b, so that numbers stay small. */
bool vsp__touch_plane(const vsp__pose *plane, const vsp__convex *b,
                      vsp__num envelope, vsp__touch *t)
{
    const vsp__v3 *n = &plane->axes.axis[1];
    face_frame f = {0};
    vsp__convex ground = {0};
    vsp__pose foot = *plane;
    vsp__v3 offset, low, shift;
    vsp__convex_pair p;
    uint32_t vertex, i;
    vsp__polygon c;

    vsp__v3_from_to(&plane->position, &b->pose->position, &offset);
    low = *n;
    u3_scale_in(&low, u3_dot_at(n, &offset));
    v3_sub_to(&b->pose->position, &low, &foot.position);
    ground.pose = &foot;
    ground.core = VSP__CORE_BRICK;
    vsp__set_pair(&p, &ground, b, &low);
    f.normal = v3(0, VSP__UNIT(1.0), 0);
    f.x = v3(VSP__UNIT(1.0), 0, 0);
    f.y = v3(0, 0, VSP__UNIT(1.0));
    low = f.normal;
    v3_flip_in(&low, true);
    vsp__direction_to_other(&p, 0, &low);
    vertex = vsp__farthest_corner(b, &low, &shift);
    vertex = start_incident_polygon(&p, &f, vertex, &c);
    vsp__drop_points_above(&c, r_add(envelope, b->radius));
    if (c.count == 0)
        return false;
    make_face_touch(&p, &f, vertex, c.points, c.count, t);
    v3_sub_to(&foot.position, &plane->position, &shift);
    for (i = 0; i < t->count; i++)
        v3_add_in(&t->points[i].on[0], &shift);
    return true;
}

#endif /* VSP__HAS_CONVEX */
