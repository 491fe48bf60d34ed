/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contact reduction of all points where the parts of a pair touch, to up to
 * four manifolds of up to four points, in this order: groups; the points of a
 * group; the choice of four; features.  Points are added one by one; each goes
 * to a group of like normals, which stores ten; at the end every group is
 * reduced to four. */

#include "collide.h"

#if VSP__HAS_PARTS


/* ---- Groups -------------------------------------------------------------- */

/* cosine above which normals belong to one group: 5 degrees */
#define SAME_NORMAL_COSINE VSP__UNIT(0.996)

void vsp__reducer_begin(vsp__reducer *r)
{
    r->count = 0;
    r->left = 0xffffffffu;
    r->is_tight = r->is_spread = false;
    r->part_offset = v3_zero();
    VSP__SET_MATERIAL(r, 0);
}

/* Returns the group for a point with this normal: one of its material with
 * about the same normal, else a new one, else the one with the nearest normal,
 * of its material if there is one. */
static vsp__reducer_group *find_group(vsp__reducer *r, const vsp__v3 *normal)
{
    vsp__num best = VSP__UNIT(-1.5);
    bool is_best_same = !VSP_MATERIALS;
    vsp__reducer_group *group = &r->groups[0];
    uint32_t i;

    for (i = 0; i < r->count; i++) {
        vsp__num cosine = u3_dot_at(&r->groups[i].normal, normal);
        bool is_same = VSP__MATERIAL(r) == VSP__MATERIAL(r->groups + i);

        if (is_same == is_best_same ? cosine > best : is_same) {
            is_best_same = is_same;
            best = cosine;
            group = r->groups + i;
        }
    }
    if ((is_best_same && best > SAME_NORMAL_COSINE) ||
        r->count == VSP__REDUCER_GROUPS)
        return group;
    group = r->groups + r->count++;
    vsp__make_tangents(normal, &group->across[0], &group->across[1]);
    v3_flush_in(&group->across[0]);
    v3_flush_in(&group->across[1]);
    group->normal = *normal; /* hits of shells on long paths are farther */
    group->least_gap = VSP__FAR_LIMIT;
    VSP__SET_MATERIAL(group, r->material);
    group->count = 0;
    return group;
}

/* coordinates of a point across a group's normal, relative to the centre of
 * b */
static void place_across(const vsp__reducer_group *group,
                         const vsp__touch_point *point, vsp__num at[2])
{
    vsp__v3 on = v3_flush(point->on[1]);

    at[0] = r_flush(u3_dot_at(&group->across[0], &on));
    at[1] = r_flush(u3_dot_at(&group->across[1], &on));
}


/* ---- The points of a group -------------------------------------------------
 * A group keeps all points while they are few, so that the choice of four does
 * not depend on the order of points.  Of more points it always keeps those
 * that are extreme in eight directions, and the deepest. */

/* m: points closer to each other than this are one */
#define SAME_POINT_DISTANCE VSP__REAL(0.0001)

/* The score of a point in a direction is how far out it is, m, less a loss for
 * its gap: GAP_WEIGHT times the gap, plus FIRST_WEIGHT times the gap.  The
 * second product is clamped to MAX_FIRST_LOSS, m, of either sign: this limit is
 * reached at 1.3 mm.  The loss is needed because a body falls up to 3 mm in a
 * step where points are missing: to carry a bumpy solid, a point in the middle
 * that touches counts more than points farther out that do not touch yet. */
#define GAP_WEIGHT VSP__REAL(8.0)
#define FIRST_WEIGHT VSP__REAL(112.0)
#define MAX_FIRST_LOSS VSP__REAL(0.15)

#define DIRECTIONS 9u

VSP_STATIC_ASSERT(one_can_go, DIRECTIONS <= VSP__REDUCER_POINTS);

static bool is_same_place(const vsp__touch_point *p, const vsp__touch_point *q)
{
    vsp__v3 d;

    v3_sub_to(&p->on[1], &q->on[1], &d);
    return v3_size_at(&d) <= SAME_POINT_DISTANCE;
}

/* m; negative for an overlap */
static vsp__num gap_loss(vsp__num gap)
{
    return r_add(r_mul(GAP_WEIGHT, gap),
                 r_clamp(r_mul(FIRST_WEIGHT, gap), r_neg(MAX_FIRST_LOSS),
                         MAX_FIRST_LOSS));
}

/* Computes the score of a point in each direction, m. */
static void score_point(const vsp__reducer_group *group,
                        const vsp__touch_point *point,
                        vsp__num score[DIRECTIONS])
{
    vsp__num at[2], reach[5], loss = gap_loss(point->gap);
    uint32_t k;

    place_across(group, point, at);
    reach[0] = at[0];
    reach[1] = at[1];
    reach[2] = r_add(at[0], at[1]);
    reach[3] = r_sub(at[0], at[1]);
    reach[4] = 0; /* the last direction: the deepest */
    for (k = 0; k < DIRECTIONS; k++)
        score[k] = r_sub(r_signed(reach[k >> 1], (k & 1u) != 0), loss);
}

/* Returns point i of a full group; the new one comes after the last. */
static const vsp__touch_point *point_or_new(const vsp__reducer_group *group,
                                            const vsp__touch_point *point,
                                            uint32_t i)
{
    return i < VSP__REDUCER_POINTS ? group->points + i : point;
}

/* Returns which points of a full group, and whether the new one, have the best
 * score in a direction: a bit each. */
static uint32_t find_outer_points(const vsp__reducer_group *group,
                                  const vsp__touch_point *point)
{
    vsp__num best[DIRECTIONS] = {0}, score[DIRECTIONS];
    uint32_t winner[DIRECTIONS] = {0}, i, k, bits = 0, bit = 1;

    for (i = 0; i <= VSP__REDUCER_POINTS; i++, bit <<= 1) {
        score_point(group, point_or_new(group, point, i), score);
        for (k = 0; k < DIRECTIONS; k++)
            if (i == 0 || score[k] > best[k]) {
                best[k] = score[k];
                winner[k] = bit;
            }
    }
    for (k = 0; k < DIRECTIONS; k++)
        bits |= winner[k];
    return bits;
}

/* Returns the index of the point that a new one replaces in a full group: of
 * the points that are best in no direction, the one with the widest gap.
 * VSP__REDUCER_POINTS drops the new point. */
static uint32_t find_place(const vsp__reducer_group *group,
                           const vsp__touch_point *point)
{
    uint32_t outer = find_outer_points(group, point), i;
    uint32_t place = VSP__REDUCER_POINTS;
    vsp__num widest = r_neg(VSP__FAR_LIMIT);

    for (i = 0; i <= VSP__REDUCER_POINTS; i++) {
        vsp__num gap = point_or_new(group, point, i)->gap;

        if ((outer >> i & 1u) == 0 && gap > widest) {
            widest = gap;
            place = i;
        }
    }
    return place;
}

/* Returns the stored point at the same position as a new one, else the
 * count. */
static uint32_t find_same_point(const vsp__reducer_group *group,
                                const vsp__touch_point *point)
{
    uint32_t i = 0;

    while (i < group->count && !is_same_place(group->points + i, point))
        i++;
    return i;
}

void vsp__add_reduced_point(vsp__reducer *r, const vsp__v3 *normal,
                            vsp__touch_point *point)
{
    vsp__reducer_group *group = find_group(r, normal);
    uint32_t i, feature = point->feature;

    v3_add_in(&point->on[1], &r->part_offset);
    if (point->gap < group->least_gap) {
        group->least_gap = point->gap;
        group->normal = *normal;
        VSP__SET_MATERIAL(group, r->material);
    }
    i = find_same_point(group, point);
    if (i < group->count) {
        vsp__touch_point *same = group->points + i;

        feature = same->feature < feature ? same->feature : feature;
        if (point->gap < same->gap)
            *same = *point;
        same->feature = feature;
    } else {
        if (i == VSP__REDUCER_POINTS)
            i = find_place(group, point);
        else
            group->count++;
        if (i < VSP__REDUCER_POINTS)
            group->points[i] = *point;
    }
}


/* ---- The choice of four ----------------------------------------------------
 * Points that touch are chosen before points that do not: a body that rests on
 * some points can only turn about an axis through two of them, until it hits
 * the point with the least slope from that axis.  Such triples of points are
 * the facets of the lower convex hull of all points.  So the first point is one
 * that touches, the second has the least slope from the first, the third the
 * least slope from the axis through both, and the fourth the least from a side
 * of their triangle.  Rises start one touch width lower, so among touching
 * points the farthest has the least slope, and noise of gaps changes nothing.
 */

/* A point is beyond an axis if it is farther from the axis than this fraction
 * of the axis' length. */
#define MIN_BEYOND VSP__UNIT(0.001)

/* Weights in the choice of the first point: of its position along a fixed
 * direction, which decides among points about as deep; of its gap; and of its
 * height, which is the gap, or 0 for an overlap. */
#define FIRST_X VSP__REAL(0.08)
#define FIRST_Y VSP__REAL(0.06)
#define FIRST_GAP VSP__REAL(10.0)
#define FIRST_OPEN VSP__REAL(200.0)

/* A point in the plane of a group, m.  An overlap has height 0. */
typedef struct support {
    vsp__num at[2], height;
} support;

typedef struct support_set {
    vsp__num width; /* touch width, m */
    uint32_t count;
    support points[VSP__REDUCER_POINTS];
} support_set;

/* The distances from an axis to a point, m: in the plane and upwards; both
 * above 0. */
typedef struct support_slope {
    vsp__num along, up;
} support_slope;

static const support_slope no_slope = {0, VSP__UNIT(1.0)};

static bool is_less_steep(const support_slope *p, const support_slope *q)
{
    return r_product(p->along, q->up) > r_product(q->along, p->up);
}

static vsp__num rise_of(const support_set *set, vsp__num height)
{
    return r_add(r_max(height, 0), set->width);
}

static void set_supports(const vsp__reducer_group *group, vsp__num width,
                         support_set *set)
{
    uint32_t i;

    set->width = width;
    set->count = group->count;
    for (i = 0; i < group->count; i++) {
        place_across(group, group->points + i, set->points[i].at);
        set->points[i].height = r_max(r_flush(group->points[i].gap), 0);
    }
}

static uint8_t find_first_support(const support_set *set,
                                  const vsp__reducer_group *group)
{
    vsp__square best_score = 0;
    uint32_t i, best = 0;

    for (i = 0; i < set->count; i++) {
        const support *s = set->points + i;
        vsp__square score = r_product(FIRST_X, s->at[0]) +
                            r_product(FIRST_Y, s->at[1]) -
                            r_product(FIRST_GAP, group->points[i].gap) -
                            r_product(FIRST_OPEN, s->height);

        if (i == 0 || score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return (uint8_t)best;
}

/* Computes the vector from one point to another, in the plane.  Returns its
 * length, m. */
static vsp__num way_between(const support *p, const support *q, vsp__num way[2])
{
    way[0] = r_flush(r_sub(q->at[0], p->at[0]));
    way[1] = r_flush(r_sub(q->at[1], p->at[1]));
    return vsp__square_root(r_square(way[0]) + r_square(way[1]));
}

/* Returns the point with the least slope from another one, or that point itself
 * if all are at its position. */
static uint8_t find_second_support(const support_set *set, uint8_t from)
{
    const support *p = set->points + from;
    support_slope best = no_slope, s;
    vsp__num way[2];
    uint8_t found = from, i;

    for (i = 0; i < set->count; i++) {
        s.along = way_between(p, set->points + i, way);
        s.up = rise_of(set, r_sub(set->points[i].height, p->height));
        if (s.along > SAME_POINT_DISTANCE && is_less_steep(&s, &best)) {
            best = s;
            found = i;
        }
    }
    return found;
}

/* Finds a point with less slope than the best one yet, to the right of the axis
 * from `from` to `to`.  Returns whether there is one. */
static bool find_beyond(const support_set *set, uint8_t from, uint8_t to,
                        support_slope *best, uint8_t *found)
{
    const support *p = set->points + from, *q = set->points + to;
    vsp__num axis[2], way[2], length = way_between(p, q, axis), rise;
    bool is_found = false;
    support_slope s;
    uint8_t i;

    axis[0] = r_flush(u_div(axis[0], length));
    axis[1] = r_flush(u_div(axis[1], length));
    rise = r_flush(u_div(r_flush(r_sub(q->height, p->height)), length));
    for (i = 0; i < set->count; i++) {
        vsp__num along_axis, height;

        way_between(p, set->points + i, way);
        s.along = r_flush(u_dot2(way[0], axis[1], r_neg(way[1]), axis[0]));
        along_axis = r_flush(u_dot2(way[0], axis[0], way[1], axis[1]));
        height = r_add(p->height, u_mul(along_axis, rise));
        s.up = rise_of(set, r_sub(set->points[i].height, height));
        if (s.along > u_mul(MIN_BEYOND, length) && is_less_steep(&s, best)) {
            *best = s;
            *found = i;
            is_found = true;
        }
    }
    return is_found;
}

/* Chooses four points or fewer.  Returns their number. */
static uint32_t choose_supports(const support_set *set,
                                const vsp__reducer_group *group,
                                uint8_t chosen[4])
{
    uint8_t first = find_first_support(set, group),
            second = find_second_support(set, first);
    support_slope best = no_slope;
    bool is_right;
    uint32_t k;

    chosen[0] = first;
    chosen[1] = second;
    if (first == second)
        return 1;
    is_right = find_beyond(set, first, second, &best, &chosen[2]);
    if (find_beyond(set, second, first, &best, &chosen[2])) {
        chosen[0] = second;
        chosen[1] = first;
    } else if (!is_right)
        return 2;
    best = no_slope;
    is_right = false;
    for (k = 0; k < 3; k++)
        if (find_beyond(set, chosen[k < 2 ? k + 1 : 0], chosen[k], &best,
                        &chosen[3]))
            is_right = true;
    return is_right ? 4 : 3;
}

/* Chooses four points or fewer, and moves them to the front. */
static void reduce_group(vsp__reducer_group *group, vsp__num width)
{
    vsp__touch_point copies[4];
    uint8_t chosen[4];
    support_set set;
    uint32_t i;

    set_supports(group, width, &set);
    group->count = choose_supports(&set, group, chosen);
    for (i = 0; i < group->count; i++)
        copies[i] = group->points[chosen[i]];
    for (i = 0; i < group->count; i++) {
        /* cppcheck-suppress uninitvar */
        group->points[i] = copies[i];
    }
}


/* ---- Features and touches ------------------------------------------------ */

uint32_t vsp__part_feature(uint32_t part, uint32_t feature)
{
    uint32_t hash = (part * 16u + feature) * 0x9e3779b1u;

    return 64u + (hash >> 16) % 192u;
}

void vsp__reducer_add(vsp__reducer *r, const vsp__touch *t, uint32_t part)
{
    vsp__touch_point point;
    uint32_t i;

    for (i = 0; i < t->count; i++) {
        point = t->points[i];
        point.feature = vsp__part_feature(part, point.feature);
        vsp__add_reduced_point(r, &t->normal, &point);
    }
}

uint32_t vsp__reducer_end(vsp__reducer *r, vsp__num width)
{
    uint32_t used[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t i, k;

    for (i = 0; i < r->count; i++) {
        vsp__reducer_group *group = r->groups + i;

        reduce_group(group, width);
        for (k = 0; k < group->count; k++) {
            uint32_t f = group->points[k].feature & 255u;

            /* terminates: there are at most 16 points */
            while ((used[f >> 5] >> (f & 31u) & 1u) != 0)
                f = (f + 1u) & 255u;
            used[f >> 5] |= (uint32_t)1 << (f & 31u);
            group->points[k].feature = f;
        }
    }
    return r->count;
}

void vsp__reducer_get(const vsp__reducer *r, uint32_t index, vsp__touch *t)
{
    const vsp__reducer_group *group = r->groups + index;
    uint32_t i;

    t->normal = group->normal;
    VSP__SET_MATERIAL(t, group->material);
    t->count = group->count;
    for (i = 0; i < group->count; i++)
        t->points[i] = group->points[i];
}

#endif /* VSP__HAS_PARTS */
