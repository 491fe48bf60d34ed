/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shells and other shapes: when they come too near on their paths; their
 * distance; their contacts (section 4.3.1 of English, Lentine, Fedkiw 2013). */

#include "collide.h"

#if VSP_SHELLS

/* m: half of the rest distance of the smallest envelope, far above rounding
 * errors of positions */
#define LEAST_SHELL_GAP VSP__REAL(0.00001)

vsp__num vsp__shell_rest(const vsp_world *world)
{
    return u_mul(VSP__UNIT(0.2), world->params.envelope);
}

vsp__num vsp__shell_gap(const vsp_world *world)
{
    return r_max(u_mul(VSP__UNIT(0.01), world->params.envelope),
                 LEAST_SHELL_GAP);
}

/* m: hits on a shorter displacement are not stored: only a pair that is a
 * contact already can hit so soon. */
static vsp__num least_told_way(const vsp_world *world)
{
    return u_mul(VSP__UNIT(0.4), world->params.envelope);
}

/* The fraction of the rest distance that belongs to each shape of a pair, m. */
static vsp__num half_rest(const vsp_world *world)
{
    return u_mul(VSP__UNIT(0.5), vsp__shell_rest(world));
}


/* ---- Paths in a detection ------------------------------------------------ */

void vsp__add_path_bounds(vsp_world *world)
{
    vsp__aabb end;
    vsp__pose pose;
    uint32_t i, k;

    for (k = 0; k < vsp__paths_of(world)->shown; k++)
        for (i = 0; i < world->shape_limit; i++) {
            const vsp__frame *at = vsp__paths_of(world)->end[k] +
                                   world->shapes[i].body;

            if (world->shapes[i].type == VSP_SHAPE_NONE)
                continue;
            vsp__place_shape(world, i, &at->position, &at->rotation, &pose);
            vsp__find_bounds(world, i, &pose, &end);
            vsp__bounds_join(vsp__find_of(world)->bounds + i, &end);
        }
}


/* ---- Gaps at the start of a step -----------------------------------------
 * No point of a shape moves farther than the displacement of its pair, so a
 * pair that is farther apart has no hit. */

/* Returns the index of a pair in the list, or where it would be.  Queries
 * ascend by pair, but may restart. */
static uint32_t place_of_gap(vsp__paths *p, uint32_t pair)
{
    uint32_t i = p->next_gap;

    if (i > 0 && p->pair_gaps[i - 1u].pair >= pair)
        i = 0;
    while (i < p->gap_count && p->pair_gaps[i].pair < pair)
        i++;
    p->next_gap = i;
    return i;
}

/* Whether a detection stores what it computes for a pair: in the first try of a
 * step, and if neither shape is a sensor. */
static bool is_noted(const vsp_world *world, uint32_t pair)
{
    const vsp__paths *p = vsp__paths_of(world);

    return p->count == 1 && p->shown == 1 &&
           vsp__count_sensors(world->shapes + (pair >> 16),
                              world->shapes + (pair & 0xffffu)) == 0;
}

/* Stores the gap of a pair, if pairs come in ascending order. */
static void note_gap(vsp_world *world, uint32_t pair, vsp__num gap)
{
    vsp__paths *p = vsp__paths_of(world);
    vsp__pair_gap *last;

    if (!is_noted(world, pair) || p->gap_count == world->params.capacity.pairs)
        return;
    last = p->pair_gaps + p->gap_count;
    if (p->gap_count > 0 && last[-1].pair >= pair)
        return;
    last->pair = pair;
    last->gap = gap;
    p->gap_count++;
}

/* Returns the stored gap of a pair, m; 0 if there is none. */
static vsp__num gap_at_start(const vsp_world *world, uint32_t pair)
{
    vsp__paths *p = vsp__paths_of(world);
    uint32_t i = place_of_gap(p, pair);

    return i < p->gap_count && p->pair_gaps[i].pair == pair
               ? p->pair_gaps[i].gap
               : 0;
}

/* Returns the largest displacement of a pair that surely hits nothing, m: see
 * vsp__do_features_hit. */
static vsp__num clear_way(const vsp_world *world, uint32_t pair)
{
    return r_sub(gap_at_start(world, pair),
                 u_mul(VSP__UNIT(1.5), vsp__shell_gap(world)));
}


/* ---- Half-spaces ---------------------------------------------------------
 * Only the corners of a shell can be nearest to a plane. */

/* Computes corner i of a shell, relative to the centre of its shape, in world
 * axes. */
static void shell_corner(const vsp_shell *shell, const vsp__mat3 *axes,
                         uint32_t i, vsp__v3 *at)
{
    vsp__place_to_v3(shell->sheet.vertices + i, at);
    vsp__m3_mul_flushed(axes, at);
}

static const vsp_shell *shell_of(const vsp_world *world,
                                 const vsp__shape *shape)
{
    return (const vsp_shell *)world->tables[shape->table - 1u];
}

/* Heights are linear in time on a straight path.  A moving plane is tested at
 * the ends of the path alone: corners must end above it. */
static bool find_plane_hit(const vsp_world *world, uint32_t slot,
                           const vsp__pose plane[2], const vsp__pose pose[2],
                           vsp__path_hit *hit)
{
    const vsp_shell *shell = shell_of(world, world->shapes + slot);
    vsp__num gap = vsp__shell_gap(world);
    uint32_t i, k;

    hit->time = VSP__UNIT(1.0);
    hit->is_hit = false;
    for (i = 0; i < shell->sheet.vertex_count; i++) {
        vsp__num height[2], kept, time;
        vsp__v3 at[2];

        for (k = 0; k < 2; k++) {
            vsp__v3 arm, high;

            shell_corner(shell, &pose[k].axes, i, &arm);
            vsp__v3_from_to(&plane[0].position, &pose[k].position, &at[k]);
            v3_add_in(&at[k], &arm);
            v3_flush_in(&at[k]);
            vsp__v3_from_to(&plane[k].position, &pose[k].position, &high);
            v3_add_in(&high, &arm);
            v3_flush_in(&high);
            height[k] = u3_dot_at(&plane[k].axes.axis[1], &high);
        }
        kept = r_min(gap, u_mul(VSP__UNIT(0.8), r_max(height[0], 0)));
        if (height[1] >= kept || height[1] >= height[0])
            continue;
        time = u_div(r_max(r_sub(height[0], kept), 0),
                     r_sub(height[0], height[1]));
        if (hit->is_hit && time >= hit->time)
            continue;
        hit->is_hit = true;
        hit->time = r_min(time, VSP__UNIT(1.0));
        hit->distance = r_max(height[0], 0);
        hit->normal = plane[1].axes.axis[1];
        hit->approach = r_sub(height[0], height[1]);
        hit->on[1] = at[0];
        hit->on[0] = at[0];
        u3_move(&hit->on[0], r_neg(height[0]), &hit->normal);
        hit->end[1] = hit->end[0] = at[1];
        u3_move(&hit->end[0], r_neg(height[1]), &hit->normal);
        hit->feature = 64u + i % 192u;
    }
    return hit->is_hit;
}


/* ---- Paths --------------------------------------------------------------- */

/* Returns the material of the triangle of a mesh or field in a pair, or 0. */
static uint32_t material_of_facets(const vsp__facet_pairs *p)
{
    uint32_t i, material = 0;

    for (i = 0; VSP_MATERIALS && i < 2; i++)
        if (vsp__is_surface(p->shape[i]->shape))
            material = vsp__triangle_material(&p->walk[i].surface,
                                              p->facet[i].facet.index);
    return material;
}

/* Returns a number for a pair of features, 64 to 255, plus 256 times the
 * material there. */
static uint32_t feature_number(const vsp__facet_pairs *p, uint32_t pair)
{
    return vsp__part_feature(
               p->facet[0].facet.index * 7u + p->facet[1].facet.index, pair) |
           material_of_facets(p) << 8;
}

/* Copies the points of a hit, at both ends of the paths, and computes the
 * normal at its time. */
static void take_hit(const vsp__facet_pairs *p, const vsp__feature_pair *f,
                     const vsp__feature_hit *from, uint32_t pair,
                     vsp__path_hit *hit)
{
    vsp__v3 on[2], end[2], way[2], x[4];
    uint32_t i;

    vsp__feature_points(f->at[0], f->are_edges, from->near.share, on);
    vsp__feature_points(f->at[1], f->are_edges, from->near.share, end);
    for (i = 0; i < 2; i++) {
        uint32_t side = f->is_flipped ? 1u - i : i;

        vsp__v3_from_to(&on[i], &end[i], &way[side]);
        hit->on[side] = on[i];
        hit->end[side] = end[i];
    }
    for (i = 0; i < 4; i++) {
        vsp__v3_from_to(&f->at[0][i], &f->at[1][i], &x[i]);
        u3_scale_in(&x[i], hit->time);
        v3_add_in(&x[i], &f->at[0][i]);
        v3_flush_in(&x[i]);
    }
    if (!vsp__find_feature_direction(x, f->are_edges, &from->near,
                                     &hit->normal))
        hit->normal = v3(0, VSP__UNIT(1.0), 0);
    v3_flip_in(&hit->normal, f->is_flipped);
    v3_sub_in(&way[0], &way[1]);
    v3_flush_in(&way[0]);
    hit->approach = u3_dot_at(&hit->normal, &way[0]);
    for (i = 0; i < 2; i++) {
        vsp__num radius = r_signed(p->facet[i].facet.radius, i == 1);

        u3_move(&hit->on[i], radius, &hit->normal);
        u3_move(&hit->end[i], radius, &hit->normal);
    }
    hit->distance = from->distance;
    hit->feature = feature_number(p, pair);
}

/* Most features of a pile hit or pass in fewer rounds; these are in the cost of
 * a pair of facets. */
#define ROUNDS_OF_A_PAIR 4u

/* Takes what the search of two features cost from a budget. */
static void pay_for_rounds(uint32_t rounds, uint32_t *left)
{
    uint32_t cost = rounds / ROUNDS_OF_A_PAIR;

    *left -= cost < *left ? cost : *left;
}

/* Computes the first hit of a pair whose displacement is at least least_way,
 * m. */
static bool find_hit_on_way(vsp_world *world, uint32_t pair,
                            const vsp__pose start[2], const vsp__pose end[2],
                            vsp__num least_way, vsp__path_hit *hit)
{
    vsp__num gap = vsp__shell_gap(world);
    uint32_t a = pair >> 16, b = pair & 0xffffu;
    uint32_t *left = &vsp__paths_of(world)->left;
    vsp__moving_shape shape[2];
    vsp__facet_pairs p;
    vsp__pose of_a[2], of_b[2];

    vsp__set_moving_shape(world, a, &start[0], &end[0], &start[0].position,
                          &shape[0]);
    vsp__set_moving_shape(world, b, &start[1], &end[1], &start[0].position,
                          &shape[1]);
    hit->is_hit = false;
    hit->way = vsp__relative_way(&shape[0], &shape[1]);
    if (hit->way < least_way)
        return false;
    hit->time = VSP__UNIT(1.0);
    hit->origin = start[0].position;
    if (world->shapes[a].type == VSP_SHAPE_HALF_SPACE) {
        of_a[0] = start[0];
        of_a[1] = end[0];
        of_b[0] = start[1];
        of_b[1] = end[1];
        return find_plane_hit(world, b, of_a, of_b, hit);
    }
    vsp__start_facet_pairs(world, &shape[0], &shape[1], r_add(gap, gap), &p);
    while (*left > 0 && vsp__next_facet_pair(&p)) {
        vsp__feature_pair f;
        vsp__feature_hit found;
        uint32_t next = 0;

        --*left;
        world->stats.gap_count++;
        while (vsp__next_features(&p, &next, &f)) {
            if (vsp__do_features_hit(&f, gap, &hit->time, &found)) {
                hit->is_hit = true;
                take_hit(&p, &f, &found, next, hit);
            }
            pay_for_rounds(found.rounds, left);
        }
    }
    return hit->is_hit;
}

bool vsp__find_path_hit(vsp_world *world, uint32_t pair,
                        const vsp__pose start[2], const vsp__pose end[2],
                        vsp__path_hit *hit)
{
    return find_hit_on_way(world, pair, start, end, clear_way(world, pair),
                           hit);
}


/* ---- Distance ------------------------------------------------------------ */

/* Computes the nearest point of a shape to a point, both relative to the common
 * origin, within `reach`, m.  Returns false if there is none. */
static bool nearest_on_shape(const vsp_world *world, const vsp__moving_shape *m,
                             const vsp__v3 *point, vsp__num reach,
                             vsp__v3 *nearest)
{
    vsp__square best = r_square(reach);
    vsp__aabb bounds;
    vsp__facet_walk walk;
    vsp__moving_facet f;
    vsp__v3 at;
    bool is_found = false;

    vsp__v3_from_to(&m->place[0], point, &at);
    vsp__m3_tmul_flushed(&m->axes[0], &at);
    vsp__bounds_of_point(&at, &bounds);
    vsp__bounds_grow(&bounds, reach);
    vsp__start_facets(world, m->shape, &bounds, &walk);
    while (vsp__next_facet(&walk, &f.facet)) {
        vsp__nearest_features near;
        vsp__v3 x[4], on[2];
        uint32_t k;
        bool are_edges = f.facet.count < 3;

        vsp__place_facet(m, &f);
        x[0] = x[1] = *point;
        x[2] = f.at[0][0];
        x[3] = f.at[0][f.facet.count == 2 ? 1 : 0];
        for (k = 0; !are_edges && k < 3; k++)
            x[1u + k] = f.at[0][k];
        vsp__find_nearest_features(x, are_edges, &near);
        if (!(near.square < best))
            continue;
        best = near.square;
        vsp__feature_points(x, are_edges, near.share, on);
        *nearest = on[1];
        is_found = true;
    }
    return is_found;
}

/* Returns the distance of a face to the point where an edge crosses its plane,
 * m, at most `reach`.  Where an edge pierces a large face, no corner or edge is
 * near. */
static vsp__num crossing_distance(const vsp__moving_facet *face,
                                  const vsp__v3 *from, const vsp__v3 *to,
                                  vsp__num reach)
{
    vsp__num height[2];
    vsp__nearest_features near;
    vsp__v3 x[4], way;
    uint32_t k;

    for (k = 0; k < 3; k++)
        x[1u + k] = face->at[0][k];
    vsp__v3_from_to(&x[1], from, &way);
    height[0] = u3_dot_at(&face->normal, &way);
    vsp__v3_from_to(&x[1], to, &way);
    height[1] = u3_dot_at(&face->normal, &way);
    if ((height[0] > 0) == (height[1] > 0))
        return reach;
    vsp__v3_from_to(from, to, &way);
    x[0] = *from;
    u3_move(&x[0], u_div(r_abs(height[0]), r_abs(r_sub(height[0], height[1]))),
            &way);
    v3_flush_in(&x[0]);
    vsp__find_nearest_features(x, false, &near);
    return r_min(reach, vsp__square_root(near.square));
}

/* Returns the least distance of a face to the points where the edges of a facet
 * cross its plane, m, at most `reach`. */
static vsp__num pierced_distance(vsp__moving_facet *face,
                                 const vsp__moving_facet *f, vsp__num reach)
{
    uint32_t k, count = f->facet.count == 2 ? 1 : f->facet.count;

    if (face->facet.count < 3 || f->facet.count < 2)
        return reach;
    vsp__find_facet_normal(face);
    for (k = 0; k < count; k++)
        reach = crossing_distance(face, &f->at[0][k],
                                  &f->at[0][(k + 1u) % f->facet.count], reach);
    return reach;
}

/* Whether a point, relative to the common origin, is inside of a box or a
 * hull. */
static bool is_inside(const vsp_world *world, const vsp__moving_shape *m,
                      const vsp__v3 *point)
{
    vsp__aabb nowhere;
    vsp__facet_walk walk;
    const vsp__core_form *form = &walk.side.form;
    vsp__v3 at, c[3], n;
    uint32_t i, k;

    if (m->shape->type != VSP_SHAPE_BOX && m->shape->type != VSP_SHAPE_HULL)
        return false;
    vsp__v3_from_to(&m->place[0], point, &at);
    vsp__m3_tmul_flushed(&m->axes[0], &at);
    vsp__bounds_of_point(&at, &nowhere);
    vsp__start_facets(world, m->shape, &nowhere, &walk);
    for (i = 0; i < form->face_count; i++) {
        for (k = 0; k < 3; k++)
            vsp__core_corner(&walk.solid, vsp__face_corner(form, i, k), &c[k]);
        if (!vsp__direct_between(&c[0], &c[1], &c[1]) ||
            !vsp__direct_between(&c[0], &c[2], &c[2]))
            continue;
        (void)vsp__direct_across(&c[1], &c[2], &n);
        vsp__v3_from_to(&c[0], &at, &c[0]);
        if (u3_dot_at(&n, &c[0]) > 0)
            return false;
    }
    return true;
}

/* Whether a shell is inside a solid; its first corner decides, as its surface
 * crosses nothing. */
static bool is_shell_inside(const vsp_world *world,
                            const vsp__moving_shape *shell,
                            const vsp__moving_shape *solid)
{
    vsp__v3 at;

    if (!vsp__is_shell(shell->shape))
        return false;
    shell_corner(shell_of(world, shell->shape), &shell->axes[0], 0, &at);
    v3_add_in(&at, &shell->place[0]);
    v3_flush_in(&at);
    return is_inside(world, solid, &at);
}

/* Returns the distance of a shell to a half-space, m, at most `reach`. */
static vsp__num plane_distance(const vsp_world *world, uint32_t slot,
                               const vsp__pose pose[2], vsp__num reach)
{
    const vsp_shell *shell = shell_of(world, world->shapes + slot);
    uint32_t i;

    for (i = 0; i < shell->sheet.vertex_count; i++) {
        vsp__v3 at, arm;

        shell_corner(shell, &pose[1].axes, i, &arm);
        vsp__v3_from_to(&pose[0].position, &pose[1].position, &at);
        v3_add_in(&at, &arm);
        v3_flush_in(&at);
        reach = r_min(reach, u3_dot_at(&pose[0].axes.axis[1], &at));
    }
    return r_max(reach, 0);
}

/* Returns the least distance over all feature pairs of two facets, m, at most
 * `reach`. */
static vsp__num facet_distance(vsp__facet_pairs *p, vsp__num reach)
{
    vsp__nearest_features near;
    vsp__feature_pair f;
    uint32_t next = 0;

    while (vsp__next_features(p, &next, &f)) {
        vsp__find_nearest_features(f.at[0], f.are_edges, &near);
        reach = r_min(reach,
                      r_max(r_sub(vsp__square_root(near.square), f.radii), 0));
    }
    reach = pierced_distance(&p->facet[0], &p->facet[1], reach);
    return pierced_distance(&p->facet[1], &p->facet[0], reach);
}

vsp__num vsp__shell_distance(vsp_world *world, uint32_t a, uint32_t b,
                             const vsp__pose pose[2], vsp__num reach)
{
    vsp__moving_shape shape[2];
    vsp__facet_pairs p;

    if (world->shapes[a].type == VSP_SHAPE_HALF_SPACE)
        return plane_distance(world, b, pose, reach);
    vsp__set_moving_shape(world, a, &pose[0], &pose[0], &pose[0].position,
                          &shape[0]);
    vsp__set_moving_shape(world, b, &pose[1], &pose[1], &pose[0].position,
                          &shape[1]);
    if (is_shell_inside(world, &shape[0], &shape[1]) ||
        is_shell_inside(world, &shape[1], &shape[0]))
        return 0;
    vsp__start_facet_pairs(world, &shape[0], &shape[1], reach, &p);
    while (vsp__next_facet_pair(&p))
        reach = facet_distance(&p, reach);
    return reach;
}


/* ---- Contacts ------------------------------------------------------------ */

/* fraction of the envelope within which features are contacts */
#define CONTACT_REACH VSP__UNIT(0.6)

/* cosine of 3 degrees: the largest angle between the direction of a contact and
 * the direction to the nearest point of a shape */
#define SAME_WAY_COSINE VSP__UNIT(0.99863)

/* Whether the point of a shape nearest to `from` is in the direction of `to`;
 * if not, another part of the shape is in between. */
static bool is_nearest_way(const vsp_world *world, const vsp__moving_shape *m,
                           const vsp__v3 *from, const vsp__v3 *to)
{
    vsp__v3 nearest, way, other;
    vsp__num reach;

    vsp__v3_from_to(from, to, &way);
    reach = r_add(v3_length_at(&way), VSP__REAL(0.00001));
    if (!nearest_on_shape(world, m, from, reach, &nearest))
        return true;
    vsp__v3_from_to(from, &nearest, &other);
    if (v3_size_at(&way) == 0 || v3_size_at(&other) == 0)
        return false;
    vsp__v3_normalize_flushed(&way);
    vsp__v3_normalize_flushed(&other);
    return u3_dot_at(&way, &other) >= SAME_WAY_COSINE;
}

/* Adds a point to the reducer; on[] are relative to the common origin, radii
 * included; the feature is a feature_number. */
static void add_shell_point(const vsp__facet_pairs *p, const vsp__v3 on[2],
                            const vsp__v3 *normal, vsp__num distance,
                            uint32_t feature, vsp__reducer *r)
{
    vsp__num half = half_rest(p->world);
    vsp__touch_point point;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        vsp__v3_from_to(&p->shape[i]->place[0], &on[i], &point.on[i]);
        u3_move(&point.on[i], r_signed(half, i == 1), normal);
    }
    point.gap = r_sub(distance, vsp__shell_rest(p->world));
    point.feature = feature & 255u;
    VSP__SET_MATERIAL(r, feature >> 8);
    vsp__add_reduced_point(r, normal, &point);
}

/* sine of about 3 degrees */
#define SAME_WAY_SINE VSP__UNIT(0.0523)

/* Whether the face continues past its edge towards the other shape (along
 * `direction`), so that the edge is not the nearest feature. */
static bool leads_face_there(const vsp__moving_facet *f, uint32_t edge,
                             const vsp__v3 *direction)
{
    vsp__v3 along, inward;

    if (f->facet.count < 3 ||
        !vsp__direct_between(&f->at[0][edge], &f->at[0][(edge + 1u) % 3u],
                             &along))
        return false;
    vsp__v3_from_to(&f->at[0][edge], &f->at[0][(edge + 2u) % 3u], &inward);
    u3_move(&inward, r_neg(u3_dot_at(&along, &inward)), &along);
    v3_flush_in(&inward);
    if (v3_size_at(&inward) == 0)
        return false;
    vsp__v3_normalize_flushed(&inward);
    return u3_dot_at(&inward, direction) > SAME_WAY_SINE;
}

/* Whether a contact of two features counts.  A corner over a face always
 * counts, which keeps the corner on its side of the face.  Two edges count if
 * their nearest points are inside of both and no face is nearer.  A corner
 * beside a face counts unless another part of either shape is nearer. */
static bool is_contact(const vsp__facet_pairs *p, const vsp__feature_pair *f,
                       uint32_t pair, const vsp__nearest_features *near,
                       const vsp__v3 on[2], const vsp__v3 *normal)
{
    vsp__v3 back = *normal;

    v3_flip_in(&back, true);
    if (f->are_edges)
        return near->is_inside &&
               !leads_face_there(&p->facet[0], vsp__edge_of_pair(pair, 0),
                                 normal) &&
               !leads_face_there(&p->facet[1], vsp__edge_of_pair(pair, 1),
                                 &back);
    return near->is_inside ||
           (is_nearest_way(p->world, p->shape[1], &on[0], &on[1]) &&
            is_nearest_way(p->world, p->shape[0], &on[1], &on[0]));
}

/* Adds the contact of two features, if they are near and it counts.  Lowers
 * *least to their distance. */
static void add_feature_contact(const vsp__facet_pairs *p,
                                const vsp__feature_pair *f, uint32_t pair,
                                vsp__num *least, vsp__reducer *r)
{
    uint32_t first = f->is_flipped ? 1 : 0;
    vsp__nearest_features near;
    vsp__v3 found[2], on[2], normal;
    vsp__num distance;

    vsp__find_nearest_features(f->at[0], f->are_edges, &near);
    distance = vsp__square_root(near.square);
    *least = r_min(*least, r_sub(distance, f->radii));
    if (!(r_sub(distance, f->radii) < p->margin))
        return;
    if (!vsp__find_feature_direction(f->at[0], f->are_edges, &near, &normal))
        return;
    vsp__feature_points(f->at[0], f->are_edges, near.share, found);
    if (near.is_inside) {
        found[1] = found[0];
        u3_move(&found[1], distance, &normal);
        v3_flush_in(&found[1]);
    }
    on[first] = found[0];
    on[1u - first] = found[1];
    v3_flip_in(&normal, f->is_flipped);
    if (!is_contact(p, f, pair, &near, on, &normal))
        return;
    u3_move(&on[0], p->facet[0].facet.radius, &normal);
    u3_move(&on[1], r_neg(p->facet[1].facet.radius), &normal);
    add_shell_point(p, on, &normal, r_sub(distance, f->radii),
                    feature_number(p, pair), r);
}

void vsp__show_paths(vsp_world *world)
{
    vsp__paths *p = vsp__paths_of(world);

    p->shown = p->count;
    if (p->count != 1)
        return;
    p->gap_count = p->next_gap = 0;
    vsp__begin_told_hits(world, 0);
}

void vsp__begin_told_hits(vsp_world *world, uint32_t path)
{
    vsp__paths *p = vsp__paths_of(world);

    if (path == 0)
        p->first_hit[0] = 0;
    p->first_hit[path + 1u] = p->next_hit[path] = p->first_hit[path];
}

void vsp__tell_hit(vsp_world *world, uint32_t path, uint32_t pair,
                   const vsp__path_hit *hit)
{
    vsp__paths *p = vsp__paths_of(world);
    vsp__told_hit *told;
    uint32_t i;

    if (p->first_hit[path + 1u] >= world->params.capacity.manifolds ||
        hit->way < least_told_way(world))
        return;
    told = p->told_hits + p->first_hit[path + 1u]++;
    told->pair = pair;
    told->feature = hit->feature;
    for (i = 0; i < 2; i++)
        told->on[i] = hit->on[i];
    told->normal = hit->normal;
}

/* Returns the stored hit of a pair on path k, or null.  Queries ascend by pair,
 * but may restart. */
static const vsp__told_hit *told_hit_of(const vsp_world *world, uint32_t pair,
                                        uint32_t k)
{
    vsp__paths *p = vsp__paths_of(world);
    uint32_t i = p->next_hit[k], end = p->first_hit[k + 1u];

    if (i > p->first_hit[k] && p->told_hits[i - 1u].pair >= pair)
        i = p->first_hit[k];
    while (i < end && p->told_hits[i].pair < pair)
        i++;
    p->next_hit[k] = i;
    return i < end && p->told_hits[i].pair == pair ? p->told_hits + i : NULL;
}

/* Adds contacts for hits on paths: points of the features at the start of the
 * path, with the normal at the time of the hit.  Their gaps are at least 0. */
static void add_path_contacts(const vsp__facet_pairs *p, uint32_t pair,
                              vsp__reducer *r)
{
    uint32_t k;

    for (k = 0; k < vsp__paths_of(p->world)->shown; k++) {
        const vsp__told_hit *hit = told_hit_of(p->world, pair, k);
        vsp__v3 way;

        if (hit == NULL)
            continue;
        vsp__v3_from_to(&hit->on[0], &hit->on[1], &way);
        add_shell_point(
            p, hit->on, &hit->normal,
            r_max(u3_dot_at(&hit->normal, &way), vsp__shell_rest(p->world)),
            hit->feature, r);
    }
}

/* Contacts of the corners of a shell, b, with a half-space, a. */
static void touch_plane_shell(const vsp_world *world, uint32_t b,
                              const vsp__pose *plane, const vsp__pose *pose,
                              vsp__num reach, vsp__reducer *r)
{
    const vsp_shell *shell = shell_of(world, world->shapes + b);
    const vsp__v3 *normal = &plane->axes.axis[1];
    vsp__num half = half_rest(world);
    vsp__touch_point point;
    uint32_t i;

    for (i = 0; i < shell->sheet.vertex_count; i++) {
        vsp__v3 at, *on = point.on;
        vsp__num height;

        if (!vsp__reducer_pay(r, 1))
            return;
        shell_corner(shell, &pose->axes, i, &on[1]);
        vsp__v3_from_to(&plane->position, &pose->position, &at);
        v3_add_in(&at, &on[1]);
        v3_flush_in(&at);
        height = u3_dot_at(normal, &at);
        if (!(height < reach))
            continue;
        on[0] = at;
        u3_move(&on[0], r_sub(half, height), normal);
        u3_move(&on[1], r_neg(half), normal);
        point.gap = r_sub(height, vsp__shell_rest(world));
        point.feature = 64u + i % 192u;
        vsp__add_reduced_point(r, normal, &point);
    }
}

/* Whether a detection of a later try may skip the features of a pair. */
static bool is_far_at_start(const vsp_world *world, uint32_t pair,
                            vsp__num reach)
{
    return vsp__paths_of(world)->shown > 1 &&
           gap_at_start(world, pair) >= reach;
}

/* Adds the contacts of features that are near.  Returns the least distance of
 * all, m, at most the margin; 0 if the budget ended before. */
static vsp__num touch_features(vsp__facet_pairs *p, vsp__reducer *r)
{
    vsp__num least = p->margin;

    while (vsp__reducer_pay(r, 1)) {
        vsp__feature_pair f;
        uint32_t next = 0;

        if (!vsp__next_facet_pair(p))
            return least;
        while (vsp__next_features(p, &next, &f))
            add_feature_contact(p, &f, next, &least, r);
    }
    return 0;
}

/* In the first detection of a step: computes the hit of a pair on the predicted
 * path. */
static void guess_hit(vsp_world *world, uint32_t pair, const vsp__pose start[2])
{
    const vsp__paths *p = vsp__paths_of(world);
    uint32_t count = p->first_hit[1], i;
    vsp__pose end[2];
    vsp__path_hit hit;

    if (!is_noted(world, pair) ||
        (count > 0 && p->told_hits[count - 1u].pair >= pair))
        return;
    for (i = 0; i < 2; i++) {
        uint32_t slot = i == 0 ? pair >> 16 : pair & 0xffffu;
        const vsp__frame *at = p->end[0] + world->shapes[slot].body;

        vsp__place_shape(world, slot, &at->position, &at->rotation, &end[i]);
    }
    if (find_hit_on_way(world, pair, start, end,
                        r_max(clear_way(world, pair), least_told_way(world)),
                        &hit))
        vsp__tell_hit(world, 0, pair, &hit);
}

void vsp__touch_shell(vsp_world *world, uint32_t pair, vsp__reducer *r)
{
    uint32_t slot[2], k;
    vsp__num reach = u_mul(CONTACT_REACH, world->params.envelope);
    vsp__moving_shape shape[2];
    vsp__facet_pairs p;
    vsp__pose pose[2];

    slot[0] = pair >> 16;
    slot[1] = pair & 0xffffu;
    for (k = 0; k < 2; k++)
        pose[k] = vsp__find_of(world)->poses[slot[k]];
    for (k = 0; k < 2; k++)
        vsp__set_moving_shape(world, slot[k], &pose[k], &pose[k],
                              &pose[0].position, &shape[k]);
    if (world->shapes[slot[0]].type == VSP_SHAPE_HALF_SPACE) {
        p.world = world;
        p.shape[0] = &shape[0];
        p.shape[1] = &shape[1];
        touch_plane_shell(world, slot[1], &pose[0], &pose[1], reach, r);
    } else {
        vsp__start_facet_pairs(world, &shape[0], &shape[1], reach, &p);
        if (!is_far_at_start(world, pair, reach))
            note_gap(world, pair, touch_features(&p, r));
    }
    guess_hit(world, pair, pose);
    add_path_contacts(&p, pair, r);
}

#endif /* VSP_SHELLS */
