/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The nearest points of two convex solids by the algorithm of Gilbert, Johnson
 * and Keerthi (GJK), in this order: the point of a simplex nearest to the
 * origin; the search over the Minkowski difference a - b of two cores; the
 * points found, on cores and on solids. */

#include "collide.h"

#if VSP__HAS_CONVEX


/* ---- The nearest point of a simplex ----------------------------------------
 * Corners of the simplex are points of a - b.  The newest corner m is the
 * last; an earlier round already found the nearest point without it. */

/* below this, m, cores count as overlapping, and a corner as in the plane of a
 * face */
#define MIN_NEAREST VSP__REAL(1e-5)

/* squared sine below which three points make no face */
#define MIN_FACE_SQ_SINE VSP__UNIT(1e-8)

typedef struct nearest_point {
    vsp__square square; /* squared distance from the origin */
    vsp__v3 at;
    vsp__v3 normal;    /* normal of the face it is on, if count is 3 */
    vsp__num share[4]; /* barycentric coordinates, by corner: units */
    uint32_t count;    /* how many shares are above 0 */
} nearest_point;

/* Makes a point the best if it is nearer.  Returns whether it is; its shares
 * are then 0. */
static bool take_nearer_point(const vsp__v3 *at, uint32_t count,
                              nearest_point *best)
{
    vsp__square square = v3_square_at(at);
    uint32_t i;

    if (!(square < best->square))
        return false;
    best->square = square;
    best->at = *at;
    best->count = count;
    for (i = 0; i < 4; i++)
        best->share[i] = 0;
    return true;
}

/* the vector from one corner to another */
static void simplex_step(const vsp__gjk_simplex *s, uint32_t from, uint32_t to,
                         vsp__v3 *step)
{
    vsp__v3_from_to(s->at + from, s->at + to, step);
}

/* tests the edge from m to corner i, without its ends */
static void try_edge(const vsp__gjk_simplex *s, uint32_t m, uint32_t i,
                     nearest_point *best)
{
    const vsp__v3 *from = s->at + m;
    vsp__v3 u, at;
    vsp__num along, length;

    if (!vsp__direct_between(from, s->at + i, &u))
        return;
    along = r_neg(u3_dot_at(&u, from));
    simplex_step(s, m, i, &at);
    length = u3_dot_at(&u, &at);
    if (!(along > 0 && along < length))
        return;
    at = *from;
    u3_move(&at, along, &u);
    v3_flush_in(&at);
    if (!take_nearer_point(&at, 2, best))
        return;
    best->share[i] = u_div(r_flush(along), length);
    best->share[m] = VSP__UNIT(1.0) - best->share[i];
}

/* Returns the share of one corner of a face at the projection of the origin.
 * The corner is at from + e; inward is normal to the opposite edge, on which
 * `from` is.  Returns 0 if the projection is outside of the face. */
static vsp__num face_share(const vsp__v3 *from, const vsp__v3 *e,
                           vsp__v3 *inward)
{
    vsp__num place, height;

    v3_flush_in(inward);
    place = r_flush(r_neg(u3_dot_at(inward, from)));
    height = u3_dot_at(inward, e);
    if (!(place > 0 && place < height))
        return 0;
    return u_div(place, height);
}

/* Computes the directions u, v of the edges from m to i and k, and the
 * normal n of the face: the cross product of u and the shorter of the other
 * two edges, whose angle has the larger sine.  Returns false for a face that
 * is too thin. */
static bool face_normal(const vsp__gjk_simplex *s, uint32_t m, uint32_t i,
                        uint32_t k, vsp__v3 *u, vsp__v3 *v, vsp__v3 *n)
{
    vsp__v3 step, third;

    simplex_step(s, m, k, &step);
    simplex_step(s, i, k, &third);
    if (!vsp__direct_between(s->at + m, s->at + i, u) ||
        !vsp__direct_between(s->at + m, s->at + k, v))
        return false;
    if (v3_square_at(&step) < v3_square_at(&third))
        third = step;
    if (v3_size_at(&third) == 0)
        return false;
    vsp__v3_normalize_flushed(&third);
    return vsp__direct_across(u, &third, n) >= MIN_FACE_SQ_SINE;
}

/* Corrects shares of i and k that leave nothing to m because of rounding, as
 * those of a face whose corner m is far from the others: the share of m is
 * found by itself, and the larger of theirs is the rest.  Returns whether all
 * are then above 0. */
static VSP__CALLED bool share_with_newest(const vsp__gjk_simplex *s, uint32_t m,
                                          uint32_t i, uint32_t k,
                                          const vsp__v3 *n, vsp__num *share_i,
                                          vsp__num *share_k)
{
    vsp__num share_m, *larger = *share_i > *share_k ? share_i : share_k;
    vsp__v3 way, e, inward;

    if (!vsp__direct_between(s->at + i, s->at + k, &way))
        return false;
    u3_cross_to(n, &way, &inward);
    simplex_step(s, i, m, &e);
    share_m = face_share(s->at + i, &e, &inward);
    *larger = VSP__UNIT(1.0) - share_m -
              (larger == share_i ? *share_k : *share_i);
    return share_m > 0 && *larger > 0;
}

/* Tests the face (m, i, k) without its edges.  last is the fourth corner of a
 * tetrahedron, or m.  Returns whether the origin is on the side of the face
 * where that corner is; false if the tetrahedron is flat. */
static bool try_face(const vsp__gjk_simplex *s, uint32_t m, uint32_t i,
                     uint32_t k, uint32_t last, nearest_point *best)
{
    const vsp__v3 *from = s->at + m;
    vsp__v3 u, v, n, e, at;
    vsp__num height, depth, share_i, share_k;

    if (!face_normal(s, m, i, k, &u, &v, &n))
        return false;
    height = r_flush(u3_dot_at(&n, from));
    simplex_step(s, last, m, &e);
    depth = u3_dot_at(&n, &e);
    if ((height > 0) == (depth > 0) && r_abs(depth) > MIN_NEAREST)
        return true;
    simplex_step(s, m, k, &e);
    u3_cross_to(&n, &u, &at);
    share_k = face_share(from, &e, &at);
    simplex_step(s, m, i, &e);
    u3_cross_to(&v, &n, &at);
    share_i = face_share(from, &e, &at);
    if (!(share_i > 0 && share_k > 0) ||
        (share_i + share_k >= VSP__UNIT(1.0) &&
         !share_with_newest(s, m, i, k, &n, &share_i, &share_k)))
        return false;
    at = n;
    u3_scale_in(&at, height);
    v3_flush_in(&at);
    if (!take_nearer_point(&at, 3, best))
        return false;
    best->normal = n;
    v3_flip_in(&best->normal, height < 0);
    best->share[i] = share_i;
    best->share[k] = share_k;
    best->share[m] = VSP__UNIT(1.0) - share_i - share_k;
    return false;
}

/* Finds the point nearest to the origin: on a face if the origin is over one
 * from outside, else on an edge or at the newest corner.  The count stays 0 if
 * nothing is nearer than best->square.  Returns false if the origin is inside
 * of the tetrahedron. */
static bool nearest_on_simplex(const vsp__gjk_simplex *s, nearest_point *best)
{
    uint32_t m = s->count - 1, behind = 0, i;

    best->count = 0;
    for (i = 0; m > 1 && i < m; i++) {
        uint32_t k = i + 1 == m ? 0 : i + 1;

        if (m == 3 || i == 0)
            behind += try_face(s, m, i, k, m == 3 ? 3 - i - k : m, best) ? 1u
                                                                         : 0u;
    }
    if (behind == 3)
        return false;
    if (best->count == 3)
        return true;
    if (take_nearer_point(s->at + m, 1, best))
        best->share[m] = VSP__UNIT(1.0);
    for (i = 0; i < m; i++)
        try_edge(s, m, i, best);
    return true;
}

#if VSP_ROUNDS

/* Copies a point of b. */
static void keep_turned_point(vsp__gjk_simplex *s, uint32_t from, uint32_t to)
{
    s->on_b[to] = s->on_b[from];
}

static void set_turned_point(vsp__gjk_simplex *s, uint32_t i, const vsp__v3 *v)
{
    s->on_b[i] = *v;
}

#else

#define keep_turned_point(s, from, to) (void)0
#define set_turned_point(s, i, v) (void)0

#endif

/* Keeps the corners that have a share in the nearest point, and sets distance
 * and direction. */
static void reduce_simplex(vsp__gjk_simplex *s, const nearest_point *best)
{
    uint32_t i, count = 0;

    for (i = 0; i < s->count; i++) {
        if (!(best->share[i] > 0))
            continue;
        s->at[count] = s->at[i];
        s->vertex[count][0] = s->vertex[i][0];
        s->vertex[count][1] = s->vertex[i][1];
        keep_turned_point(s, i, count);
        s->share[count++] = best->share[i];
    }
    s->count = count;
    s->distance = vsp__square_root(best->square);
    s->direction = best->normal;
    if (best->count < 3) {
        s->direction = best->at;
        vsp__v3_normalize_flushed(&s->direction);
    }
}

/* ---- The nearest points of two cores ------------------------------------- */

#define MAX_GJK_ROUNDS 40u

/* rounds that may change the direction but not the distance: if a - b is flat,
 * many simplices are equally near */
#define MAX_STALLS 8u

static bool has_turned_core(const vsp__convex_pair *p)
{
    return vsp__is_turned_core(p->side[0].solid) ||
           vsp__is_turned_core(p->side[1].solid);
}

static bool are_same_points(const vsp__v3 *a, const vsp__v3 *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/* Fills the corner behind the last one with that of a - b farthest against the
 * direction; does not count it.  Returns false if it is in the simplex
 * already. */
static bool add_corner(const vsp__convex_pair *p, vsp__gjk_simplex *s)
{
    vsp__v3 d = s->direction, v;
    vsp__v3 *at = s->at + s->count;
    uint8_t *vertex = s->vertex[s->count];
    uint32_t i;

    v3_flip_in(&d, true);
    vsp__direction_to_other(p, 1, &d);
    vertex[0] = (uint8_t)vsp__farthest_corner(p->side[0].solid, &d, at);
    vsp__point_from_a(p, at);
    vertex[1] = (uint8_t)vsp__farthest_corner(p->side[1].solid, &s->direction,
                                              &v);
    set_turned_point(s, s->count, &v);
    vsp__v3_from_to(&v, at, at);
    for (i = 0; i < s->count; i++)
        if (has_turned_core(p)
                ? are_same_points(s->at + i, at)
                : s->vertex[i][0] == vertex[0] && s->vertex[i][1] == vertex[1])
            return false;
    return true;
}

/* m: bound of the error of a distance, for a corner of a - b */
static vsp__num nearest_slack(const vsp__v3 *at)
{
    return r_add(VSP__REAL(0.000004),
                 u_mul(VSP__UNIT(0.000001), v3_size_at(at)));
}

#if VSP_ROUNDS

/* how far a direction is tilted to choose among corners that are equally far
 * along it */
#define TILT VSP__UNIT(0.0001)

/* Replaces the newest corner, which brought nothing nearer.  Where a side of a
 * turned solid is across the direction, both of its ends are equally far, and
 * rounding may choose the end that is of no use.  So a corner is looked for
 * along a direction that leads away from that end.  Returns whether the new
 * one brings something nearer. */
static VSP__CALLED bool try_other_corner(const vsp__convex_pair *p,
                                         vsp__gjk_simplex *s,
                                         nearest_point *best)
{
    vsp__v3 kept = s->direction, way = s->at[s->count - 1u];
    bool is_new;

    if (!has_turned_core(p))
        return false;
    u3_move(&way, r_neg(s->distance), &kept);
    if (!(v3_size_at(&way) > 0))
        return false;
    vsp__v3_normalize_flushed(&way);
    u3_move(&s->direction, TILT, &way);
    vsp__v3_normalize_flushed(&s->direction);
    s->count--;
    is_new = add_corner(p, s);
    s->direction = kept;
    s->count++;
    return is_new && nearest_on_simplex(s, best) && best->count > 0;
}

/* Adds a corner along the normal of the face that the newest corner, which
 * brought nothing nearer, makes with the nearest edge.  Close to the origin the
 * direction from a point of that edge is imprecise: where the face is long, it
 * leads from end to end.  Returns whether that brings something nearer. */
static VSP__CALLED bool try_face_corner(const vsp__convex_pair *p,
                                        vsp__gjk_simplex *s,
                                        nearest_point *best)
{
    vsp__v3 kept = s->direction, u, v;

    if (!has_turned_core(p) || s->count != 3 ||
        !face_normal(s, 2, 0, 1, &u, &v, &best->normal))
        return false;
    v3_flip_in(&best->normal, u3_dot_at(&best->normal, &kept) < 0);
    s->direction = best->normal;
    if (add_corner(p, s)) {
        s->count++;
        if (nearest_on_simplex(s, best) && best->count > 0)
            return true;
        s->count--;
    }
    s->direction = kept;
    return false;
}

/* Makes the direction normal to the edge that is nearest.  In fixed point, the
 * direction from the origin to a long edge close to it is not quite normal:
 * over the length of the edge the solids would seem nearer than the search
 * found them.  Returns whether there is an edge. */
static VSP__CALLED bool sharpen_direction(const vsp__convex_pair *p,
                                          vsp__gjk_simplex *s)
{
    vsp__v3 way;

    if (!has_turned_core(p) || s->count != 2 ||
        !vsp__direct_between(s->at, s->at + 1, &way))
        return false;
    u3_move(&s->direction, r_neg(u3_dot_at(&way, &s->direction)), &way);
    vsp__v3_normalize_flushed(&s->direction);
    return true;
}

#else

#define sharpen_direction(p, s) false
#define try_face_corner(p, s, best) false
#define try_other_corner(p, s, best) false

#endif

/* Begins with the first corner of both cores. */
static void start_simplex(const vsp__convex_pair *p, vsp__gjk_simplex *s,
                          nearest_point *best)
{
    vsp__v3 v;

    s->count = 1;
    s->vertex[0][0] = s->vertex[0][1] = 0;
    vsp__core_corner(p->side[0].solid, 0, &s->at[0]);
    vsp__point_from_a(p, &s->at[0]);
    vsp__core_corner(p->side[1].solid, 0, &v);
    set_turned_point(s, 0, &v);
    vsp__v3_from_to(&v, &s->at[0], &s->at[0]);
    best->square = v3_square_at(&s->at[0]);
    best->at = s->at[0];
    best->count = 1;
    best->share[0] = VSP__UNIT(1.0);
    reduce_simplex(s, best);
}

vsp__num vsp__nearest_points(const vsp__convex_pair *p, vsp__num limit,
                             vsp__gjk_simplex *s)
{
    nearest_point best = {0};
    vsp__num nearest;
    uint32_t round, stalls = 0;

    start_simplex(p, s, &best);
    nearest = s->distance;
    for (round = 0; round < MAX_GJK_ROUNDS && stalls < MAX_STALLS; round++) {
        vsp__num slack, low;

        if (s->distance < MIN_NEAREST)
            return 0;
        if (!add_corner(p, s) && !(sharpen_direction(p, s) && add_corner(p, s)))
            break;
        slack = nearest_slack(s->at + s->count);
        low = u3_dot_at(&s->direction, s->at + s->count);
        if (low > limit)
            return low;
        if (low > r_sub(s->distance, slack))
            break;
        best.square = r_square(r_add(nearest, slack));
        s->count++;
        if (!nearest_on_simplex(s, &best)) {
            s->count--; /* the new corner has no share */
            return 0;
        }
        if (best.count == 0 && !try_face_corner(p, s, &best) &&
            !try_other_corner(p, s, &best)) {
            s->count--;
            break;
        }
        reduce_simplex(s, &best);
        if (s->distance < nearest) {
            nearest = s->distance;
        } else {
            (void)sharpen_direction(p, s);
            stalls++;
        }
    }
    return s->distance;
}

/* ---- Points of cores and solids ------------------------------------------ */

#if VSP_ROUNDS

/* The nearest points, as vsp__simplex_points, of a pair with a turned core. */
static void turned_points(const vsp__convex_pair *p, const vsp__gjk_simplex *s,
                          vsp__v3 on[2])
{
    const vsp__convex_side *b = &p->side[1];
    uint32_t i;

    on[0] = on[1] = v3_zero();
    for (i = 0; i < s->count; i++) {
        u3_move(&on[1], s->share[i], &s->on_b[i]);
        u3_move(&on[0], s->share[i], &s->at[i]);
    }
    v3_add_in(&on[0], &on[1]);
    v3_sub_in(&on[0], &b->offset);
    for (i = 0; i < 2; i++) {
        v3_flush_in(&on[i]);
        vsp__m3_mul_flushed(&b->solid->pose->axes, &on[i]);
    }
}

#else

#define turned_points(p, s, on) (void)0

#endif

void vsp__simplex_points(const vsp__convex_pair *p, const vsp__gjk_simplex *s,
                         vsp__v3 on[2])
{
    uint32_t side, i;

    if (has_turned_core(p)) {
        turned_points(p, s, on);
        return;
    }
    for (side = 0; side < 2; side++) {
        const vsp__convex_side *c = p->side + side;

        on[side] = v3_zero();
        for (i = 0; i < s->count; i++) {
            vsp__v3 v;

            vsp__core_corner(c->solid, s->vertex[i][side], &v);
            u3_move(&on[side], s->share[i], &v);
        }
        v3_flush_in(&on[side]);
        vsp__m3_mul_flushed(&c->solid->pose->axes, &on[side]);
    }
}

void vsp__add_radii(const vsp__convex_pair *p, const vsp__v3 *n, vsp__v3 on[2])
{
    u3_move(&on[0], p->side[0].solid->radius, n);
    u3_move(&on[1], r_neg(p->side[1].solid->radius), n);
}

vsp__num vsp__measure_point(const vsp__convex_pair *p, const vsp__v3 *offset,
                            vsp__touch *t)
{
    vsp__touch_point *point = t->points + t->count;
    vsp__v3 d;
    vsp__num height;

    v3_add_to(offset, &point->on[1], &d);
    vsp__v3_from_to(&point->on[0], &d, &d);
    height = u3_dot_at(&t->normal, &d);
    point->gap = r_sub(height, p->radii);
    point->feature = t->count;
    vsp__add_radii(p, &t->normal, point->on);
    return height;
}

/* m: in fixed point, no corner is farther from its origin */
#define FAR_REACH VSP__REAL(200.0)

vsp__num vsp__convex_distance(const vsp__convex *a, const vsp__convex *b,
                              vsp__num limit, vsp__witness *w)
{
    vsp__convex_pair p;
    vsp__gjk_simplex s;
    vsp__v3 offset;
    vsp__num distance = vsp__origin_distance(a, b, &offset);

    w->on[0] = w->on[1] = v3_zero();
    w->normal = v3(0, VSP__UNIT(1.0), 0);
    if (vsp__are_too_far_apart(distance)) {
        w->normal = offset;
        vsp__v3_normalize(&w->normal);
        distance = r_sub(distance, r_add(FAR_REACH, FAR_REACH));
        return r_sub(distance, r_add(a->radius, b->radius));
    }
    vsp__set_pair(&p, a, b, &offset);
    distance = vsp__nearest_points(&p, r_add(limit, p.radii), &s);
    if (s.distance >= MIN_NEAREST) {
        w->normal = s.direction;
        v3_flip_in(&w->normal, true);
        vsp__m3_mul_flushed(&b->pose->axes, &w->normal);
    }
    vsp__simplex_points(&p, &s, w->on);
    vsp__add_radii(&p, &w->normal, w->on);
    return r_max(r_sub(distance, p.radii), 0);
}

#endif /* VSP__HAS_CONVEX */
