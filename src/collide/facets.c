/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Facets: the surface of any shape as points, segments and triangles, the only
 * form of other shapes that shells use.  In this order: the facets of one
 * shape; moving shapes; pairs of facets that may hit; their features. */

#include "collide.h"

#if VSP_SHELLS


/* ---- Facets of a shape --------------------------------------------------- */

/* all corners and edges of a triangle; those of a segment; of a point */
#define OWNS_ALL 0x3fu
#define OWNS_ONE_EDGE 0x0bu
#define OWNS_ONE_POINT 0x01u

void vsp__start_facets(const vsp_world *world, const vsp__shape *shape,
                       const vsp__aabb *bounds, vsp__facet_walk *walk)
{
    walk->shape = shape;
    walk->bounds = *bounds;
    walk->next = walk->corner = 0;
    walk->field = NULL;
    if (vsp__is_shell(shape) || vsp__is_surface(shape)) {
        vsp__make_surface(world, shape, &vsp__nowhere, &walk->surface);
        vsp__start_triangles(&walk->triangles, &walk->surface, bounds);
    } else if (vsp__is_sdf(shape)) {
        walk->field = (const vsp_sdf *)world->tables[shape->table - 1u];
    } else {
        vsp__make_convex(world, shape, &vsp__nowhere, &walk->solid);
        vsp__set_side(&walk->side, &walk->solid);
    }
}

/* fills the next triangle of a shell, a mesh or a height field */
static bool next_surface_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    if (!vsp__next_triangle(&walk->triangles, f->corner, &f->index))
        return false;
    f->count = 3;
    f->owned = OWNS_ALL;
    if (vsp__is_shell(walk->shape))
        f->owned = walk->surface.mesh->triangles[f->index].marks;
    return true;
}

/* Whether a facet reaches into the bounds. */
static bool is_facet_near(const vsp__facet *f, const vsp__aabb *bounds)
{
    uint32_t i, k;

    for (k = 0; k < 3; k++) {
        vsp__num low = v3_part(&f->corner[0], k), high = low;

        for (i = 1; i < f->count; i++) {
            low = r_min(low, v3_part(&f->corner[i], k));
            high = r_max(high, v3_part(&f->corner[i], k));
        }
        if (r_sub(low, f->radius) > v3_part(&bounds->high, k) ||
            r_add(high, f->radius) < v3_part(&bounds->low, k))
            return false;
    }
    return true;
}

/* Fills the next sphere of a distance field: a leaf of its tree.  A node
 * outside of the bounds is skipped with all below it. */
static bool next_sphere_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    f->count = 1;
    f->owned = OWNS_ONE_POINT;
    while (walk->next < walk->field->node_count) {
        const vsp_sphere_node *node = walk->field->nodes + walk->next++;

        vsp__place_to_v3(&node->center, &f->corner[0]);
        f->index = walk->next;
        f->radius = r_of_place(node->radius);
        if (node->next == walk->next)
            return true;
        if (!is_facet_near(f, &walk->bounds))
            walk->next = node->next;
    }
    return false;
}

/* fills the point of a sphere, or the segment of a capsule */
static bool next_round_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    uint32_t i;

    if (walk->next > 0)
        return false;
    f->count = walk->side.form.vertex_count;
    f->owned = f->count == 1 ? OWNS_ONE_POINT : OWNS_ONE_EDGE | 2u;
    f->index = walk->next++;
    for (i = 0; i < f->count; i++)
        vsp__core_corner(&walk->solid, i, &f->corner[i]);
    return true;
}

/* Fills the next triangle of a box or hull: faces are cut into fans.  An edge
 * belongs to the face around which it runs from the lower corner number to the
 * higher one. */
static bool next_flat_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    const vsp__core_form *form = &walk->side.form;
    uint32_t count, i = walk->corner + 1u, face[3], k;

    if (walk->next >= form->face_count)
        return false;
    for (k = 0; k < 3; k++)
        face[k] = vsp__face_corner(form, walk->next, k == 0 ? 0 : i - 1u + k);
    count = (uint32_t)form->first[walk->next + 1u] - form->first[walk->next];
    f->count = 3;
    f->index = walk->next << 8 | walk->corner;
    f->owned = 2u | (i == 1 ? 1u : 0u) | (i + 2u == count ? 4u : 0u);
    if (face[1] < face[2])
        f->owned |= 16u;
    if (i == 1 && face[0] < face[1])
        f->owned |= 8u;
    if (i + 2u == count && face[2] < face[0])
        f->owned |= 32u;
    for (k = 0; k < 3; k++)
        vsp__core_corner(&walk->solid, face[k], &f->corner[k]);
    walk->corner = i + 2u == count ? 0 : i;
    walk->next += i + 2u == count ? 1u : 0;
    return true;
}

#if VSP_ROUNDS

#define LAST_CORNER (VSP__RIM_CORNERS - 1u)

/* the facets of a turned solid: two for each piece of the side, then those of
 * both discs */
#define SIDE_FACETS (2u * VSP__RIM_CORNERS)
#define DISC_FACETS (VSP__RIM_CORNERS - 2u)

/* Fills the next triangle of a cylinder or cone, which shells see as a prism or
 * pyramid.  Each piece of the side has two: the first owns the lower corner and
 * edge, the second the upper ones and the line to the piece before.  If there
 * is no second, the first owns the line to the next piece. */
static bool next_turned_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    static const uint8_t corners[2][3] = {{0, 1, 3}, {0, 3, 2}};
    const vsp__v3 *half = &walk->solid.half;
    uint32_t next, i, k;

    do {
        if (walk->next >= SIDE_FACETS + 2u * DISC_FACETS)
            return false;
        next = walk->next++;
        i = next < SIDE_FACETS ? next % 2u : (next - SIDE_FACETS) / DISC_FACETS;
    } while ((i == 0 ? half->x : half->z) == 0);
    f->count = 3;
    f->index = next;
    f->owned = 0;
    for (k = 0; k < 3; k++) {
        uint32_t fan = k == 0 ? 0 : (next - SIDE_FACETS) % DISC_FACETS + k;
        uint32_t part = corners[i][k], at = next / 2u;

        if (next < SIDE_FACETS)
            fan = ((at + part % 2u) & LAST_CORNER) +
                  (part >= 2u ? VSP__RIM_CORNERS : 0);
        else
            fan += i * VSP__RIM_CORNERS;
        vsp__core_corner(&walk->solid, fan, &f->corner[k]);
    }
    if (next >= SIDE_FACETS)
        return true;
    /* of the second: corner 2, the upper edge 1 and the line 2; of the first:
     * corner 0, the lower edge 0, and the line 1 if there is no second */
    f->owned = i == 0 ? 1u | 8u : 4u | 16u | 32u;
    if (i == 0 && half->z == 0)
        f->owned |= 16u | (next == 0 ? 4u : 0u);
    if (i == 1 && half->x == 0 && next == 1)
        f->owned |= 1u;
    return true;
}

#else

#define next_turned_facet(walk, f) false

#endif

#if VSP_TAPERS

/* Fills the next facet of a tapered capsule: the two balls, then the side as
 * that of a cone between the circles where the balls meet it. */
static bool next_taper_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    vsp__v3 size = walk->shape->size, n;
    vsp__convex *c = &walk->solid;
    vsp__num rise;
    uint32_t k;
    bool is_found;

    if (walk->next < 2) {
        f->count = 1;
        f->owned = OWNS_ONE_POINT;
        f->index = SIDE_FACETS + walk->next;
        f->radius = walk->next == 0 ? size.x : size.z;
        vsp__core_corner(c, walk->next++, &f->corner[0]);
        return true;
    }
    if (walk->next >= SIDE_FACETS + 2u)
        return false;
    vsp__taper_side(&size, &n);
    rise = u_mul(u_mul(VSP__UNIT(0.5), n.y), r_add(size.x, size.z));
    u3_scale_in(&size, n.x);
    size.y = u_mul(size.y, n.x);
    c->core = VSP__CORE_TURNED;
    c->half = size;
    walk->next -= 2u;
    is_found = next_turned_facet(walk, f);
    walk->next += 2u;
    c->core = VSP__CORE_TAPER;
    c->half = walk->shape->size;
    for (k = 0; k < 3; k++)
        f->corner[k].y = r_add(f->corner[k].y, rise);
    f->radius = 0;
    return is_found;
}

#else

#define next_taper_facet(walk, f) false

#endif

static bool next_any_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    f->radius = 0;
    if (vsp__is_shell(walk->shape) || vsp__is_surface(walk->shape))
        return next_surface_facet(walk, f);
    if (walk->field)
        return next_sphere_facet(walk, f);
    f->radius = walk->solid.radius;
    if (vsp__is_taper_core(&walk->solid))
        return next_taper_facet(walk, f);
    if (vsp__is_turned_core(&walk->solid))
        return next_turned_facet(walk, f);
    if (walk->side.form.face_count == 0)
        return next_round_facet(walk, f);
    return next_flat_facet(walk, f);
}

bool vsp__next_facet(vsp__facet_walk *walk, vsp__facet *f)
{
    while (next_any_facet(walk, f))
        if (is_facet_near(f, &walk->bounds))
            return true;
    return false;
}


/* ---- Moving shapes -------------------------------------------------------
 * Positions are relative to an origin that both shapes of a pair share, so
 * precision does not depend on their position in the world. */

/* The largest displacement of corners of a shape's box by rotation alone, m. */
static vsp__num turn_of(const vsp__moving_shape *m)
{
    vsp__mat3 change = m->axes[1];
    vsp__v3 reach, sum = v3_zero();
    uint32_t k;

    for (k = 0; k < 3; k++)
        v3_sub_in(change.axis + k, m->axes[0].axis + k);
    reach = v3_abs(m->middle);
    v3_add_in(&reach, &m->half);
    vsp__add_extent(&change, &reach, &sum);
    return v3_length_at(&sum);
}

static bool stays_there(const vsp__pose *p, const vsp__pose *q)
{
    const vsp__num *a = &p->axes.axis[0].x, *b = &q->axes.axis[0].x;
    uint32_t i;

    for (i = 0; i < VSP__WORDS(vsp__pose); i++)
        if (a[i] != b[i])
            return false;
    return true;
}

void vsp__set_moving_shape(const vsp_world *world, uint32_t slot,
                           const vsp__pose *start, const vsp__pose *end,
                           const vsp__v3 *origin, vsp__moving_shape *m)
{
    m->shape = world->shapes + slot;
    m->axes[0] = start->axes;
    m->axes[1] = end->axes;
    vsp__v3_from_to(origin, &start->position, &m->place[0]);
    vsp__v3_from_to(origin, &end->position, &m->place[1]);
    vsp__shape_box(world, m->shape, &m->middle, &m->half);
    m->is_still = stays_there(start, end);
    m->turn = m->is_still ? 0 : turn_of(m);
}

/* Computes bounds of the whole path of another shape, in the frame of a shape
 * at its start. */
static void bounds_in_frame(const vsp__moving_shape *m,
                            const vsp__moving_shape *other, vsp__num margin,
                            vsp__aabb *bounds)
{
    vsp__aabb part;
    vsp__v3 at, reach;
    uint32_t i, k;

    for (i = 0; i < 2; i++) {
        m3_mul_to(&other->axes[i], &other->middle, &at);
        v3_add_in(&at, &other->place[i]);
        v3_sub_in(&at, &m->place[i]);
        v3_flush_in(&at);
        vsp__m3_tmul_flushed(&m->axes[0], &at);
        reach = v3_zero();
        for (k = 0; k < 3; k++) {
            vsp__v3 side = other->axes[i].axis[k];

            vsp__m3_tmul_flushed(&m->axes[0], &side);
            u3_move_abs(&reach, v3_part(&other->half, k), &side);
        }
        v3_sub_to(&at, &reach, &part.low);
        v3_add_to(&at, &reach, &part.high);
        if (i == 0)
            *bounds = part;
        vsp__bounds_join(bounds, &part);
    }
    vsp__bounds_grow(bounds, r_add(margin, m->turn));
}

static void add_to_bounds(const vsp__v3 *point, vsp__aabb *bounds)
{
    bounds->low.x = r_min(bounds->low.x, point->x);
    bounds->low.y = r_min(bounds->low.y, point->y);
    bounds->low.z = r_min(bounds->low.z, point->z);
    bounds->high.x = r_max(bounds->high.x, point->x);
    bounds->high.y = r_max(bounds->high.y, point->y);
    bounds->high.z = r_max(bounds->high.z, point->z);
}

/* Computes the unit normal of a triangle; 0 if it has none. */
static void find_normal(const vsp__v3 corner[3], vsp__v3 *n)
{
    vsp__v3 first, second;

    if (!vsp__direct_between(&corner[0], &corner[1], &first) ||
        !vsp__direct_between(&corner[0], &corner[2], &second) ||
        !(vsp__direct_across(&first, &second, n) > 0))
        *n = v3_zero();
}

void vsp__find_facet_normal(vsp__moving_facet *f)
{
    f->normal = v3_zero();
    if (f->facet.count == 3)
        find_normal(f->at[0], &f->normal);
}

void vsp__place_facet(const vsp__moving_shape *m, vsp__moving_facet *f)
{
    uint32_t i, k;

    for (i = 0; i < (m->is_still ? 1u : 2u); i++)
        for (k = 0; k < f->facet.count; k++) {
            vsp__v3 *at = &f->at[i][k];

            m3_mul_to(&m->axes[i], &f->facet.corner[k], at);
            v3_add_in(at, &m->place[i]);
            v3_flush_in(at);
            if (i == 0 && k == 0)
                vsp__bounds_of_point(at, &f->bounds);
            add_to_bounds(at, &f->bounds);
            if (m->is_still)
                f->at[1][k] = *at;
        }
}

vsp__num vsp__relative_way(const vsp__moving_shape *a,
                           const vsp__moving_shape *b)
{
    vsp__v3 of_a, of_b;

    v3_sub_to(&a->place[1], &a->place[0], &of_a);
    v3_sub_to(&b->place[1], &b->place[0], &of_b);
    v3_sub_in(&of_a, &of_b);
    v3_flush_in(&of_a);
    return r_add(v3_length_at(&of_a), r_add(a->turn, b->turn));
}


/* ---- Pairs of facets ----------------------------------------------------- */

/* Places facet 0 at both ends of its path in the frame of shape 1 at its start,
 * relative to the translation of shape 1. */
static void see_facet(vsp__facet_pairs *p, vsp__aabb *bounds)
{
    const vsp__facet *f = &p->facet[0].facet;
    uint32_t i, k;

    for (i = 0; i < (p->shape[0]->is_still && p->shape[1]->is_still ? 1u : 2u);
         i++)
        for (k = 0; k < f->count; k++) {
            vsp__v3 *at = &p->seen[i][k];

            m3_mul_to(&p->turn[i], &f->corner[k], at);
            v3_add_in(at, &p->move[i]);
            v3_flush_in(at);
            if (i == 0 && k == 0)
                vsp__bounds_of_point(at, bounds);
            add_to_bounds(at, bounds);
        }
    p->ends = i;
    vsp__bounds_grow(bounds,
                     r_add(r_add(p->margin, f->radius), p->shape[1]->turn));
    p->is_near = false;
}

/* Completes facet 0: its positions, normal and extent, once a facet 1 may hit
 * it. */
static void look_closer(vsp__facet_pairs *p)
{
    const vsp__facet *f = &p->facet[0].facet;
    vsp__num margin = r_add(r_add(p->margin, f->radius), p->shape[1]->turn);
    uint32_t i, k;

    p->is_near = true;
    vsp__place_facet(p->shape[0], &p->facet[0]);
    p->along = v3_zero();
    if (f->count == 3)
        find_normal(p->seen[0], &p->along);
    p->facet[0].normal = p->along;
    vsp__m3_mul_flushed(&p->shape[1]->axes[0], &p->facet[0].normal);
    p->low = p->high = u3_dot_at(&p->along, &p->seen[0][0]);
    for (i = 0; i < p->ends; i++)
        for (k = 0; k < f->count; k++) {
            vsp__num reach = u3_dot_at(&p->along, &p->seen[i][k]);

            p->low = r_min(p->low, reach);
            p->high = r_max(p->high, reach);
        }
    p->low = r_sub(p->low, margin);
    p->high = r_add(p->high, margin);
}

/* Whether facet 1, in the frame of its shape, overlaps facet 0's extent along
 * its normal. */
static bool does_facet_reach(vsp__facet_pairs *p)
{
    const vsp__facet *f = &p->facet[1].facet;
    vsp__num low, high;
    uint32_t k;

    if (!p->is_near)
        look_closer(p);
    low = high = u3_dot_at(&p->along, &f->corner[0]);
    for (k = 1; k < f->count; k++) {
        vsp__num at = u3_dot_at(&p->along, &f->corner[k]);

        low = r_min(low, at);
        high = r_max(high, at);
    }
    return r_sub(low, f->radius) <= p->high && r_add(high, f->radius) >= p->low;
}

void vsp__start_facet_pairs(const vsp_world *world, const vsp__moving_shape *a,
                            const vsp__moving_shape *b, vsp__num margin,
                            vsp__facet_pairs *p)
{
    vsp__aabb bounds;
    uint32_t i, k;

    p->world = world;
    p->shape[0] = a;
    p->shape[1] = b;
    p->margin = margin;
    p->is_open = false;
    for (i = 0; i < 2; i++) {
        p->turn[i] = a->axes[i];
        for (k = 0; k < 3; k++)
            vsp__m3_tmul_flushed(&b->axes[0], p->turn[i].axis + k);
        vsp__v3_from_to(&b->place[i], &a->place[i], &p->move[i]);
        vsp__m3_tmul_flushed(&b->axes[0], &p->move[i]);
    }
    bounds_in_frame(a, b, margin, &bounds);
    vsp__start_facets(world, a->shape, &bounds, &p->walk[0]);
}

bool vsp__next_facet_pair(vsp__facet_pairs *p)
{
    vsp__aabb bounds;

    for (;;) {
        while (p->is_open && vsp__next_facet(&p->walk[1], &p->facet[1].facet))
            if (does_facet_reach(p)) {
                vsp__place_facet(p->shape[1], &p->facet[1]);
                return true;
            }
        if (!vsp__next_facet(&p->walk[0], &p->facet[0].facet))
            return false;
        see_facet(p, &bounds);
        vsp__start_facets(p->world, p->shape[1]->shape, &bounds, &p->walk[1]);
        p->is_open = true;
    }
}


/* ---- Features ------------------------------------------------------------ */

/* numbers of the features of two facets: corners of a with the face of b,
 * corners of b with that of a, then edges of a with edges of b */
#define FIRST_OF_B 3u
#define FIRST_EDGES 6u

/* Fills the ends of an edge, or one corner. */
static void take_ends(const vsp__moving_facet *f, uint32_t corner,
                      uint32_t count, vsp__feature_pair *out, uint32_t at)
{
    uint32_t i, k;

    for (i = 0; i < 2; i++)
        for (k = 0; k < count; k++)
            out->at[i][at + k] = f->at[i][(corner + k) % f->facet.count];
}

/* The bounds of an edge or a corner at both ends of the path. */
static void bound_ends(const vsp__moving_facet *f, uint32_t corner,
                       uint32_t count, vsp__aabb *bounds)
{
    uint32_t next = (corner + count - 1u) % f->facet.count;

    vsp__bounds_of_point(&f->at[0][corner], bounds);
    add_to_bounds(&f->at[1][corner], bounds);
    if (next == corner)
        return;
    add_to_bounds(&f->at[0][next], bounds);
    add_to_bounds(&f->at[1][next], bounds);
}

/* Whether two bounds are nearer than a margin, m. */
static bool are_bounds_within(const vsp__aabb *a, const vsp__aabb *b,
                              vsp__num margin)
{
    vsp__aabb large = *a;

    vsp__bounds_grow(&large, margin);
    return vsp__bounds_overlap(&large, b);
}

static bool take_corner(const vsp__moving_facet *of,
                        const vsp__moving_facet *face, uint32_t corner,
                        vsp__num margin, vsp__feature_pair *out)
{
    vsp__aabb bounds;

    if (corner >= of->facet.count || face->facet.count < 3 ||
        !(of->facet.owned >> corner & 1u))
        return false;
    bound_ends(of, corner, 1, &bounds);
    if (!are_bounds_within(&bounds, &face->bounds, margin))
        return false;
    out->are_edges = false;
    take_ends(of, corner, 1, out, 0);
    take_ends(face, 0, 3, out, 1);
    return true;
}

static bool take_edges(const vsp__facet_pairs *p, uint32_t a, uint32_t b,
                       vsp__num margin, vsp__feature_pair *out)
{
    vsp__aabb bounds[2];

    if (!(p->facet[0].facet.owned >> (3u + a) & 1u) ||
        !(p->facet[1].facet.owned >> (3u + b) & 1u))
        return false;
    bound_ends(&p->facet[0], a, 2, &bounds[0]);
    bound_ends(&p->facet[1], b, 2, &bounds[1]);
    if (!are_bounds_within(&bounds[0], &bounds[1], margin))
        return false;
    out->are_edges = true;
    take_ends(&p->facet[0], a, 2, out, 0);
    take_ends(&p->facet[1], b, 2, out, 2);
    return true;
}

/* Computes the extent of a facet on its path along a direction. */
static void find_extent(const vsp__moving_facet *f, const vsp__v3 *direction,
                        vsp__num *low, vsp__num *high)
{
    uint32_t i, k;

    *low = *high = u3_dot_at(direction, &f->at[0][0]);
    for (i = 0; i < 2; i++)
        for (k = 0; k < f->facet.count; k++) {
            vsp__num at = u3_dot_at(direction, &f->at[i][k]);

            *low = r_min(*low, at);
            *high = r_max(*high, at);
        }
}

/* Whether facets stay farther apart than a margin along the normal of either:
 * corners move on straight lines, so they are always between their two ends. */
static bool are_facets_apart(vsp__facet_pairs *p, vsp__num margin)
{
    vsp__num low[2], high[2];
    uint32_t i, k;

    vsp__find_facet_normal(&p->facet[1]);
    for (i = 0; i < 2; i++) {
        const vsp__v3 *n = &p->facet[i].normal;

        for (k = 0; k < 2; k++)
            find_extent(&p->facet[k], n, &low[k], &high[k]);
        if (r_sub(low[0], high[1]) > margin || r_sub(low[1], high[0]) > margin)
            return true;
    }
    return false;
}

bool vsp__next_features(vsp__facet_pairs *p, uint32_t *next,
                        vsp__feature_pair *f)
{
    vsp__num radii = r_add(p->facet[0].facet.radius, p->facet[1].facet.radius);
    vsp__num margin = r_add(p->margin, radii);

    if (*next == 0 &&
        (!are_bounds_within(&p->facet[0].bounds, &p->facet[1].bounds, margin) ||
         are_facets_apart(p, margin)))
        return false;
    while (*next < VSP__FEATURE_PAIRS) {
        uint32_t k = (*next)++;
        bool is_there;

        f->is_flipped = k >= FIRST_OF_B && k < FIRST_EDGES;
        if (k < FIRST_EDGES)
            is_there = take_corner(&p->facet[k / 3u], &p->facet[1u - k / 3u],
                                   k % 3u, margin, f);
        else
            is_there = take_edges(p, (k - FIRST_EDGES) / 3u, k % 3u, margin, f);
        f->radii = radii;
        if (is_there)
            return true;
    }
    return false;
}

#endif /* VSP_SHELLS */
