/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Cores of convex solids, in this order: unit vectors between points and across
 * vectors; corners, edges and faces of a core; the two frames of a pair. */

#include "collide.h"

#if VSP__HAS_CONVEX


/* ---- Unit vectors -------------------------------------------------------- */

bool vsp__direct_between(const vsp__v3 *from, const vsp__v3 *to, vsp__v3 *u)
{
    vsp__v3_from_to(from, to, u);
    if (v3_size_at(u) == 0)
        return false;
    vsp__v3_normalize_flushed(u);
    return true;
}

vsp__num vsp__direct_across(const vsp__v3 *u, const vsp__v3 *v, vsp__v3 *n)
{
    vsp__num sq_sine;

    u3_cross_to(u, v, n);
    v3_flush_in(n);
    sq_sine = u3_dot_at(n, n);
    vsp__v3_normalize_flushed(n);
    return sq_sine;
}


/* ---- Cores -----------------------------------------------------------------
 * Bricks and triangles have tables of corners and edges like those of a
 * vsp_hull.  Bit k of the number of a brick's corner is set where coordinate k
 * is positive.  The normal of a brick's face 2 k + 1 is axis k, that of face
 * 2 k the opposite.  Face 0 of a triangle is its front, face 1 its back. */

static const uint16_t brick_first[7] = {0, 4, 8, 12, 16, 20, 24};

static const uint8_t brick_corners[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                          2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

static const vsp_hull_edge brick_edges[12] = {
    {0, 1, 2, 4}, {0, 2, 4, 0}, {0, 4, 0, 2}, {1, 3, 1, 4},
    {1, 5, 2, 1}, {2, 3, 4, 3}, {2, 6, 3, 0}, {3, 7, 1, 3},
    {4, 5, 5, 2}, {4, 6, 0, 5}, {5, 7, 5, 1}, {6, 7, 3, 5}};

static const uint16_t triangle_first[3] = {0, 3, 6};

static const uint8_t triangle_corners[6] = {0, 1, 2, 0, 2, 1};

static const vsp_hull_edge triangle_edges[3] = {
    {0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};

static const vsp_hull_edge segment_edge[1] = {{0, 1, 0, 0}};

bool vsp__is_triangle(const vsp__convex_side *s)
{
    return s->solid->core == VSP__CORE_TRIANGLE;
}

static bool is_brick(const vsp__convex_side *s)
{
    return s->solid->core == VSP__CORE_BRICK;
}

/* by vsp__core; the count of a polyhedron is in its table */
static const uint8_t corner_counts[] = {[VSP__CORE_POINT] = 1,
                                        [VSP__CORE_SEGMENT] = 2,
                                        [VSP__CORE_BRICK] = 8,
                                        [VSP__CORE_TRIANGLE] = 3};

uint32_t vsp__core_corner_count(const vsp__convex *c)
{
    if (vsp__is_taper_core(c))
        return 2;
    if (vsp__is_turned_core(c))
        return 2 * VSP__RIM_CORNERS;
    return VSP_HULLS && c->core == VSP__CORE_POLYHEDRON
               ? c->hull->vertex_count
               : corner_counts[c->core];
}

#if VSP_SCALES

static bool has_scale(const vsp__convex *c)
{
    return c->scale.by.x != 0;
}

/* Converts a place of a polyhedron's table. */
static void read_hull_place(const vsp__convex *c, const vsp_place *from,
                            vsp__v3 *to)
{
    vsp_place at = *from;

    if (has_scale(c))
        vsp__scale_place(&c->scale.by, &at);
    vsp__place_to_v3(&at, to);
}

vsp__num vsp__hull_plane(const vsp__convex *c, uint32_t face, vsp__v3 *n)
{
    const vsp_plane *plane = VSP__HULL_PART(c->hull, planes) + face;
    vsp__num height = r_of_place(plane->offset);

    vsp__plane_normal(plane, n);
    return has_scale(c) ? vsp__scale_plane(c->hull, &c->scale, face, height, n)
                        : height;
}

void vsp__direction_to_table(const vsp__convex_side *s, vsp__v3 *d)
{
    uint32_t k;

    for (k = 0;
         k < 3 && s->solid->core == VSP__CORE_POLYHEDRON && has_scale(s->solid);
         k++)
        v3_parts(d)[k] = u_mul(v3_part(d, k),
                               v3_part(&s->solid->scale.factor, k));
}

void vsp__table_normal(const vsp__convex_side *s, uint32_t face, vsp__v3 *n)
{
    if (VSP_HULLS && s->solid->core == VSP__CORE_POLYHEDRON)
        vsp__plane_normal(VSP__HULL_PART(s->solid->hull, planes) + face, n);
    else
        (void)vsp__core_plane(s, face, n);
}

static bool is_hull_mirrored(const vsp__convex *c)
{
    return has_scale(c) && vsp__is_mirror(&c->scale.by);
}

#else

static void read_hull_place(const vsp__convex *c, const vsp_place *from,
                            vsp__v3 *to)
{
    (void)c;
    vsp__place_to_v3(from, to);
}

vsp__num vsp__hull_plane(const vsp__convex *c, uint32_t face, vsp__v3 *n)
{
    const vsp_plane *plane = VSP__HULL_PART(c->hull, planes) + face;

    vsp__plane_normal(plane, n);
    return r_of_place(plane->offset);
}

static bool is_hull_mirrored(const vsp__convex *c)
{
    (void)c;
    return false;
}

#endif /* VSP_SCALES */

void vsp__hull_center(const vsp__convex *c, vsp__v3 *center)
{
    read_hull_place(c, &c->hull->bulk.center, center);
}

vsp__num vsp__hull_room(const vsp__convex *c)
{
    vsp__num radius = VSP__REAL_MAX;
    vsp__v3 center, n;
    uint32_t i;

    vsp__hull_center(c, &center);
    for (i = 0; i < c->hull->face_count; i++) {
        vsp__num height = vsp__hull_plane(c, i, &n);

        radius = r_min(radius, r_sub(height, u3_dot_at(&n, &center)));
    }
    return r_max(radius, 0);
}

/* Moves a corner of a polyhedron towards its centre. */
static void pull_corner(const vsp__convex *c, vsp__v3 *v)
{
    vsp__v3 way;

    vsp__hull_center(c, &way);
    v3_sub_in(&way, v);
    u3_move(v, c->half.x, &way);
    v3_flush_in(v);
}

void vsp__core_corner(const vsp__convex *c, uint32_t i, vsp__v3 *v)
{
    *v = v3_zero();
    if (c->core == VSP__CORE_SEGMENT || vsp__is_taper_core(c))
        v->y = r_signed(c->half.y, i == 0);
    else if (c->core == VSP__CORE_BRICK)
        vsp__brick_corner(&c->half, i, v);
    else if (VSP_HULLS && c->core == VSP__CORE_POLYHEDRON) {
        read_hull_place(c, VSP__HULL_PART(c->hull, vertices) + i, v);
        if (VSP_CCD && c->half.x > 0)
            pull_corner(c, v);
    } else if (c->core == VSP__CORE_TRIANGLE)
        *v = c->corners[i];
    else if (vsp__is_turned_core(c))
        vsp__turned_corner(&c->half, i, v);
}

vsp__num vsp__core_plane(const vsp__convex_side *s, uint32_t face, vsp__v3 *n)
{
    if (is_brick(s)) {
        *n = v3_zero();
        v3_parts(n)[face >> 1] = r_signed(VSP__UNIT(1.0), (face & 1u) == 0);
        return v3_part(&s->solid->half, face >> 1);
    }
    if (vsp__is_triangle(s)) {
        *n = s->front;
        v3_flip_in(n, face == 1);
        return r_flush(u3_dot_at(n, &s->solid->corners[0]));
    }
    return vsp__hull_plane(s->solid, face, n);
}

uint32_t vsp__farthest_corner(const vsp__convex *c, const vsp__v3 *d,
                              vsp__v3 *v)
{
    uint32_t best = 0, count = vsp__core_corner_count(c), i;
    vsp__square most = 0;

    if (vsp__is_taper_core(c)) {
        vsp__taper_support(&c->half, d, v);
        return 0;
    }
    if (vsp__is_turned_core(c)) {
        vsp__turned_support(&c->half, d, v);
        return 0;
    }
    if (c->core == VSP__CORE_BRICK) {
        best = (d->x > 0 ? 1u : 0u) | (d->y > 0 ? 2u : 0u) |
               (d->z > 0 ? 4u : 0u);
        count = 0;
    }
    for (i = 0; i < count; i++) {
        vsp__square reach;

        vsp__core_corner(c, i, v);
        reach = v3_product_at(d, v);
        if (i == 0 || reach > most) {
            most = reach;
            best = i;
        }
    }
    vsp__core_corner(c, best, v);
    return best;
}

void vsp__farthest_point(const vsp__convex *c, const vsp__v3 *direction,
                         vsp__v3 *point)
{
    vsp__v3 d = *direction;

    vsp__m3_tmul_flushed(&c->pose->axes, &d);
    (void)vsp__farthest_corner(c, &d, point);
    vsp__m3_mul_flushed(&c->pose->axes, point);
}

static void set_triangle_front(vsp__convex_side *s)
{
    const vsp__v3 *c = s->solid->corners;
    vsp__v3 u, v;

    (void)vsp__direct_between(&c[0], &c[1], &u);
    (void)vsp__direct_between(&c[0], &c[2], &v);
    (void)vsp__direct_across(&u, &v, &s->front);
}

static void set_hull_form(vsp__core_form *f, const vsp__convex *c)
{
    const vsp_hull *hull = c->hull;

    f->is_mirrored = is_hull_mirrored(c);
    f->vertex_count = (uint8_t)hull->vertex_count;
    f->edge_count = (uint8_t)hull->edge_count;
    f->face_count = (uint8_t)hull->face_count;
    f->edges = VSP__HULL_PART(hull, edges);
    f->first = VSP__HULL_PART(hull, first);
    f->corners = VSP__HULL_PART(hull, corners);
}

static void set_form_counts(vsp__core_form *f, uint8_t vertices, uint8_t edges,
                            uint8_t faces)
{
    f->vertex_count = vertices;
    f->edge_count = edges;
    f->face_count = faces;
}

/* A switch, because a table of pointers would need relocation in
 * position-independent code. */
void vsp__set_side(vsp__convex_side *s, const vsp__convex *c)
{
    s->solid = c;
    s->front = v3_zero();
    s->form.is_mirrored = false;
    s->form.edges = segment_edge;
    s->form.first = triangle_first;
    s->form.corners = triangle_corners;
    switch (c->core) {
    case VSP__CORE_POLYHEDRON:
        set_hull_form(&s->form, c);
        break;
    case VSP__CORE_BRICK:
        set_form_counts(&s->form, 8, 12, 6);
        s->form.edges = brick_edges;
        s->form.first = brick_first;
        s->form.corners = brick_corners;
        break;
    case VSP__CORE_TRIANGLE:
        set_form_counts(&s->form, 3, 3, 2);
        s->form.edges = triangle_edges;
        set_triangle_front(s);
        break;
    case VSP__CORE_SEGMENT:
        set_form_counts(&s->form, 2, 1, 0);
        break;
    default:
        set_form_counts(&s->form, 1, 0, 0);
    }
}


static bool has_face_vertex(const vsp__core_form *form, uint32_t face,
                            uint32_t vertex)
{
    uint32_t i;

    for (i = form->first[face]; i < form->first[face + 1]; i++)
        if (form->corners[i] == vertex)
            return true;
    return false;
}

uint32_t vsp__face_against(const vsp__convex *c, uint32_t corner,
                           const vsp__v3 *d)
{
    vsp__num least = VSP__UNIT(1.5);
    uint32_t face, best = 0;
    vsp__convex_side s;
    vsp__v3 n;

    vsp__set_side(&s, c);
    for (face = 0; face < s.form.face_count; face++) {
        vsp__num lean;

        (void)vsp__core_plane(&s, face, &n);
        lean = u3_dot_at(&n, d);
        if (lean < least && has_face_vertex(&s.form, face, corner)) {
            least = lean;
            best = face;
        }
    }
    return best;
}


/* ---- Pairs of cores --------------------------------------------------------
 * Side 0 is a, side 1 is b.  All work is done in the frame of one of them:
 * there the corners of its table need no transform, and no number is as large
 * as a position in the world. */

void vsp__direction_to_other(const vsp__convex_pair *p, uint32_t side,
                             vsp__v3 *v)
{
    if (side == 0)
        vsp__m3_mul_flushed(&p->turn, v);
    else
        vsp__m3_tmul_flushed(&p->turn, v);
}

void vsp__point_from_a(const vsp__convex_pair *p, vsp__v3 *v)
{
    vsp__m3_mul_to(&p->turn, v, v);
    v3_add_in(v, &p->side[1].offset);
    v3_flush_in(v);
}

/* m, between origins.  Corners are up to 200 m from their origin (those of the
 * longest tapered capsules), so the difference of two is at most 620 + 2 * 200
 * = 1020 m; fixed-point reals end at 1024 m. */
#define FAR_APART VSP__REAL(620.0)

vsp__num vsp__origin_distance(const vsp__convex *a, const vsp__convex *b,
                              vsp__v3 *offset)
{
    vsp__v3_from_to(&a->pose->position, &b->pose->position, offset);
    return v3_length_at(offset);
}

bool vsp__are_too_far_apart(vsp__num distance)
{
    return VSP_FIXED && distance > FAR_APART;
}

void vsp__set_pair(vsp__convex_pair *p, const vsp__convex *a,
                   const vsp__convex *b, const vsp__v3 *offset)
{
    uint32_t k;

    vsp__set_side(&p->side[0], a);
    vsp__set_side(&p->side[1], b);
    p->radii = r_add(a->radius, b->radius);
    p->turn = a->pose->axes;
    for (k = 0; k < 3; k++)
        vsp__m3_tmul_flushed(&b->pose->axes, p->turn.axis + k);
    p->side[0].offset = *offset;
    vsp__m3_tmul_flushed(&a->pose->axes, &p->side[0].offset);
    p->side[1].offset = *offset;
    v3_flip_in(&p->side[1].offset, true);
    vsp__m3_tmul_flushed(&b->pose->axes, &p->side[1].offset);
}

#endif /* VSP__HAS_CONVEX */
