/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The distance of two features, a point and a triangle or two edges; then the
 * time when they come too near while their corners move on straight lines, by
 * additive conservative advancement (Li, Ferguson, Schneider and others 2020).
 *
 * A computed distance is always that of two points which are on the features,
 * apart from rounding, so it is never too small; where the direct formula is
 * ill conditioned the ends are nearly as near.  No cubic equation is solved:
 * the same code serves floats and fixed point. */

#include "collide.h"

#if VSP_SHELLS


/* ---- A point and a segment ----------------------------------------------- */

/* An edge: its start, direction and length, m. */
typedef struct feature_edge {
    vsp__v3 from, along;
    vsp__num length;
} feature_edge;

static void set_edge(const vsp__v3 *from, const vsp__v3 *to, feature_edge *e)
{
    vsp__v3 way;

    e->from = *from;
    e->along = v3_zero();
    e->length = 0;
    vsp__v3_from_to(from, to, &way);
    if (v3_size_at(&way) == 0)
        return;
    e->length = v3_length_at(&way);
    e->along = way;
    vsp__v3_normalize_by(&e->along, e->length);
    v3_flush_in(&e->along);
}

/* Computes the point of an edge at this length from its start. */
static void point_of_edge(const feature_edge *e, vsp__num at, vsp__v3 *point)
{
    *point = e->from;
    u3_move(point, at, &e->along);
    v3_flush_in(point);
}

/* Returns the length along an edge to the point of it that is nearest to a
 * point. */
static vsp__num nearest_on_edge(const feature_edge *e, const vsp__v3 *point)
{
    vsp__v3 way;

    vsp__v3_from_to(&e->from, point, &way);
    return r_clamp(u3_dot_at(&e->along, &way), 0, e->length);
}

static vsp__square square_between(const vsp__v3 *p, const vsp__v3 *q)
{
    vsp__v3 way;

    vsp__v3_from_to(p, q, &way);
    return v3_square_at(&way);
}

/* Converts a length along an edge to a fraction of the edge. */
static vsp__num part_of_edge(const feature_edge *e, vsp__num at)
{
    return at > 0 ? u_div(r_min(at, e->length), e->length) : 0;
}


/* ---- A point and a triangle ---------------------------------------------- */

/* A triangle has no face if the cross product of its first two edges, as unit
 * vectors, has no component of this size. */
#define LEAST_SINE VSP__UNIT(1e-4)

/* Tests the face: the projection of the point, if it is inside of all edges. */
static void try_inside(const vsp__v3 *x, const feature_edge edge[3],
                       vsp__nearest_features *best)
{
    vsp__v3 n, way, foot = x[0];
    vsp__num share[3];
    uint32_t k;

    u3_cross_to(&edge[0].along, &edge[1].along, &n);
    v3_flush_in(&n);
    if (v3_size_at(&n) < LEAST_SINE)
        return;
    vsp__v3_normalize_flushed(&n);
    vsp__v3_from_to(&x[1], &x[0], &way);
    u3_move(&foot, r_neg(u3_dot_at(&n, &way)), &n);
    v3_flush_in(&foot);
    for (k = 0; k < 3; k++) {
        vsp__v3 inward, opposite;
        vsp__num height, at;

        u3_cross_to(&n, &edge[k].along, &inward);
        v3_flush_in(&inward);
        vsp__v3_from_to(&edge[k].from, &foot, &way);
        vsp__v3_from_to(&edge[k].from, &x[1u + (k + 2u) % 3u], &opposite);
        at = u3_dot_at(&inward, &way);
        height = u3_dot_at(&inward, &opposite);
        if (!(at > 0 && at < height))
            return;
        share[(k + 2u) % 3u] = u_div(at, height);
    }
    vsp__v3_from_to(&x[0], &foot, &way);
    if (v3_square_at(&way) > best->square)
        return;
    best->square = v3_square_at(&way);
    best->is_inside = true;
    for (k = 0; k < 3; k++)
        best->share[1u + k] = share[k];
}

/* Computes the nearest point of a triangle, x[1] to x[3], to the point x[0]. */
static void nearest_on_face(const vsp__v3 *x, vsp__nearest_features *best)
{
    feature_edge edge[3];
    uint32_t k;

    best->share[0] = VSP__UNIT(1.0);
    best->is_inside = false;
    for (k = 0; k < 3; k++) {
        vsp__v3 point;
        vsp__num at;
        vsp__square square;

        set_edge(&x[1u + k], &x[1u + (k + 1u) % 3u], &edge[k]);
        at = nearest_on_edge(&edge[k], &x[0]);
        point_of_edge(&edge[k], at, &point);
        square = square_between(&x[0], &point);
        if (k > 0 && !(square < best->square))
            continue;
        best->square = square;
        best->share[1u + (k + 1u) % 3u] = part_of_edge(&edge[k], at);
        best->share[1u + k] = VSP__UNIT(1.0) - best->share[1u + (k + 1u) % 3u];
        best->share[1u + (k + 2u) % 3u] = 0;
    }
    try_inside(x, edge, best);
}


/* ---- Two edges ----------------------------------------------------------- */

/* Makes a pair of points of two edges the best if they are nearer. */
static void try_points(const feature_edge *a, const feature_edge *b,
                       vsp__num on_a, vsp__num on_b,
                       vsp__nearest_features *best)
{
    vsp__v3 p, q;
    vsp__square square;

    point_of_edge(a, on_a, &p);
    point_of_edge(b, on_b, &q);
    square = square_between(&p, &q);
    if (!(square < best->square))
        return;
    best->square = square;
    best->is_inside = on_a > 0 && on_a < a->length && on_b > 0 &&
                      on_b < b->length;
    best->share[1] = part_of_edge(a, on_a);
    best->share[3] = part_of_edge(b, on_b);
}

/* Tests the points where two lines are nearest, clamped to the edges. */
static void try_crossing(const feature_edge *a, const feature_edge *b,
                         vsp__nearest_features *best)
{
    vsp__v3 n, way;
    vsp__num sine, on_a, on_b;

    u3_cross_to(&a->along, &b->along, &n);
    v3_flush_in(&n);
    sine = v3_length_at(&n);
    if (sine < VSP__UNIT(1e-6)) /* then the ends are as near */
        return;
    vsp__v3_normalize_flushed(&n);
    vsp__v3_from_to(&a->from, &b->from, &way);
    u3_cross_to(&way, &b->along, &way);
    v3_flush_in(&way);
    on_a = r_clamp(u_div(u3_dot_at(&way, &n), sine), 0, a->length);
    point_of_edge(a, on_a, &way);
    on_b = nearest_on_edge(b, &way);
    point_of_edge(b, on_b, &way);
    try_points(a, b, nearest_on_edge(a, &way), on_b, best);
}

/* Computes the nearest points of the edges x[0], x[1] and x[2], x[3]. */
static void nearest_on_edges(const vsp__v3 *x, vsp__nearest_features *best)
{
    feature_edge a, b;
    uint32_t k;

    set_edge(&x[0], &x[1], &a);
    set_edge(&x[2], &x[3], &b);
    best->square = square_between(&x[0], &x[2]);
    best->is_inside = false;
    best->share[1] = best->share[3] = 0;
    for (k = 0; k < 2; k++) {
        vsp__num end_a = k == 0 ? 0 : a.length, end_b = k == 0 ? 0 : b.length;

        try_points(&a, &b, end_a, nearest_on_edge(&b, &x[k]), best);
        try_points(&a, &b, nearest_on_edge(&a, &x[2u + k]), end_b, best);
    }
    try_crossing(&a, &b, best);
    best->share[0] = VSP__UNIT(1.0) - best->share[1];
    best->share[2] = VSP__UNIT(1.0) - best->share[3];
}

void vsp__find_nearest_features(const vsp__v3 x[4], bool are_edges,
                                vsp__nearest_features *best)
{
    if (are_edges)
        nearest_on_edges(x, best);
    else
        nearest_on_face(x, best);
}

void vsp__feature_points(const vsp__v3 x[4], bool are_edges,
                         const vsp__num share[4], vsp__v3 on[2])
{
    uint32_t split = are_edges ? 2 : 1, i;

    on[0] = on[1] = v3_zero();
    for (i = 0; i < 4; i++)
        u3_move(&on[i < split ? 0 : 1], share[i], &x[i]);
    v3_flush_in(&on[0]);
    v3_flush_in(&on[1]);
}


bool vsp__find_feature_direction(const vsp__v3 x[4], bool are_edges,
                                 const vsp__nearest_features *near, vsp__v3 *n)
{
    const vsp__v3 *first = x + (are_edges ? 0 : 1);
    const vsp__v3 *second = x + (are_edges ? 2 : 1);
    vsp__v3 u, v, on[2];

    if (!near->is_inside) {
        vsp__feature_points(x, are_edges, near->share, on);
        return vsp__direct_between(&on[0], &on[1], n);
    }
    if (!vsp__direct_between(first, first + 1, &u) ||
        !vsp__direct_between(second, x + 3, &v) ||
        !(vsp__direct_across(&u, &v, n) > 0))
        return false;
    vsp__v3_from_to(&x[0], second, &v);
    v3_flip_in(n, u3_dot_at(n, &v) < 0);
    return true;
}


/* ---- Conservative advancement --------------------------------------------
 * All corners move on straight lines.  Without their mean displacement, no
 * point of a feature moves farther than L in the step, and the distance cannot
 * shrink faster than by the sum of both L.  Nor can it be less than the
 * distance along any one direction, which ignores sliding. */

/* A path that is not proved clear after this many rounds counts as a hit, which
 * is at worst too early. */
#define MOST_ROUNDS 64u

/* paths keep the gap, or this fraction of the start distance if that product is
 * less */
#define PATH_KEPT VSP__UNIT(0.8)

/* a hit may be early by this fraction of the distance that is kept */
#define EARLY_PART VSP__UNIT(0.2)

/* m: largest rounding error of positions and lengths */
#define PLACE_ERROR VSP__REAL(0.000004)

/* Two features and their motion in the step. */
typedef struct feature_motion {
    const vsp__feature_pair *of;
    uint32_t split; /* index of the second feature's first corner */
    vsp__v3 way[4]; /* displacement of each corner, relative to the mean */
    vsp__num speed; /* upper bound of their approach in the step, m */
    vsp__v3 at[4];  /* present positions of the corners */
    vsp__nearest_features near;
} feature_motion;

static void set_motion(const vsp__feature_pair *f, feature_motion *m)
{
    vsp__v3 mean = v3_zero();
    vsp__num most[2] = {0, 0};
    uint32_t i;

    m->of = f;
    m->split = f->are_edges ? 2 : 1;
    for (i = 0; i < 4; i++) {
        vsp__v3_from_to(&f->at[0][i], &f->at[1][i], &m->way[i]);
        u3_move(&mean, VSP__UNIT(0.25), &m->way[i]);
    }
    v3_flush_in(&mean);
    for (i = 0; i < 4; i++) {
        vsp__num *side = &most[i < m->split ? 0 : 1];

        v3_sub_in(&m->way[i], &mean);
        v3_flush_in(&m->way[i]);
        *side = r_max(*side, v3_length_at(&m->way[i]));
    }
    m->speed = r_add(r_add(most[0], most[1]), PLACE_ERROR);
}

/* Moves the corners to a time.  Returns the distance then, m. */
static vsp__num distance_at(feature_motion *m, vsp__num time)
{
    uint32_t i;

    for (i = 0; i < 4; i++) {
        m->at[i] = m->of->at[0][i];
        u3_move(&m->at[i], time, &m->way[i]);
        v3_flush_in(&m->at[i]);
    }
    vsp__find_nearest_features(m->at, m->of->are_edges, &m->near);
    return r_max(r_sub(vsp__square_root(m->near.square), m->of->radii), 0);
}

/* Returns how long, at most `left`, all corners of one feature stay farther
 * than `apart` from all of the other one along the present direction. */
static vsp__num time_along_direction(const feature_motion *m, vsp__num apart,
                                     vsp__num left)
{
    vsp__num height[4], rate[4];
    vsp__v3 n;
    uint32_t i, k;

    if (!vsp__find_feature_direction(m->at, m->of->are_edges, &m->near, &n))
        return 0;
    for (i = 0; i < 4; i++) {
        height[i] = u3_dot_at(&n, &m->at[i]);
        rate[i] = u3_dot_at(&n, &m->way[i]);
    }
    for (i = 0; i < m->split; i++)
        for (k = m->split; k < 4; k++) {
            vsp__num room = r_sub(r_sub(height[k], height[i]), apart);
            vsp__num speed = r_add(r_sub(rate[i], rate[k]), PLACE_ERROR);

            if (!(room > 0))
                return 0;
            if (room < u_mul(speed, left))
                left = u_div(room, speed);
        }
    return left;
}

/* Returns how long, at most `left`, two features stay farther apart than
 * `kept`; now they are farther by `room`. */
static vsp__num safe_time(const feature_motion *m, vsp__num room, vsp__num kept,
                          vsp__num left)
{
    vsp__num time;

    if (room >= u_mul(m->speed, left))
        return left;
    time = u_div(room, m->speed);
    return r_max(time,
                 time_along_direction(
                     m, r_add(r_add(kept, m->of->radii), PLACE_ERROR), left));
}

bool vsp__do_features_hit(const vsp__feature_pair *f, vsp__num gap,
                          vsp__num *time, vsp__feature_hit *hit)
{
    vsp__num last = *time, now = 0, kept, distance, end;
    feature_motion m;
    uint32_t round;

    set_motion(f, &m);
    distance = distance_at(&m, 0);
    hit->distance = distance;
    kept = r_min(gap, u_mul(PATH_KEPT, distance));
    for (round = 0; round < MOST_ROUNDS && now < last; round++) {
        vsp__num room = r_sub(distance, kept);

        if (room <= u_mul(EARLY_PART, kept))
            break;
        now = r_add(now, safe_time(&m, room, kept, r_sub(last, now)));
        if (now < last)
            distance = distance_at(&m, now);
    }
    hit->near = m.near;
    hit->rounds = round;
    if (now < last) {
        *time = now;
        return true;
    }
    if (last < VSP__UNIT(1.0) || kept >= u_mul(VSP__UNIT(0.5), gap))
        return false;
    /* nearer than 5/8 of the gap at the start: the end may not be below half
     * of the gap and nearer than the start */
    end = distance_at(&m, VSP__UNIT(1.0));
    if (end >= r_min(hit->distance, u_mul(VSP__UNIT(0.5), gap)))
        return false;
    (void)distance_at(&m, 0);
    hit->near = m.near;
    *time = 0;
    return true;
}

#endif /* VSP_SHELLS */
