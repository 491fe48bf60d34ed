/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Contact reduction: of all points that the parts of a pair touch, up to four
 * manifolds of up to four points.  Points come one by one; each goes to a group
 * of like normals, which stores the best point of each direction; at the end
 * every group is reduced to four. */

#include "collide.h"

#if VSP__HAS_PARTS

/* cosine above which normals belong to one group: 5 degrees */
#define SAME_NORMAL_COSINE VSP__UNIT(0.996)

/* m: points closer to each other than this are one */
#define SAME_POINT_DISTANCE VSP__REAL(0.0001)

/* A point competes by how far out it is, m, less a loss for its gap: GAP_WEIGHT
 * times the gap, and FIRST_WEIGHT times it up to MAX_FIRST_LOSS, m.  That steep
 * part ends at a gap of 1.3 mm.  A body falls up to 3 mm in a step where points
 * were left out: a bumpy solid needs a point in the middle that carries it more
 * than points farther out that do not touch yet. */
#define GAP_WEIGHT VSP__REAL(8.0)
#define FIRST_WEIGHT VSP__REAL(112.0)
#define MAX_FIRST_LOSS VSP__REAL(0.15)

/* m: a smaller loss does not draw a point inward */
#define MIN_LOSS VSP__REAL(0.00001)

void vsp__reducer_begin(vsp__reducer *r)
{
    r->count = 0;
    r->part_offset = v3_zero();
}

/* The group for a point with this normal: one of about the same normal, else a
 * new one, else the one with the nearest normal. */
static vsp__reducer_group *find_group(vsp__reducer *r, const vsp__v3 *normal,
                                      const vsp__touch_point *point)
{
    vsp__num best = VSP__UNIT(-1.5);
    vsp__reducer_group *group = &r->groups[0];
    uint32_t i;

    for (i = 0; i < r->count; i++) {
        vsp__num cosine = u3_dot_at(&r->groups[i].normal, normal);

        if (cosine > best) {
            best = cosine;
            group = r->groups + i;
        }
    }
    if (best > SAME_NORMAL_COSINE || r->count == VSP__REDUCER_GROUPS)
        return group;
    group = r->groups + r->count++;
    vsp__make_tangents(*normal, &group->across[0], &group->across[1]);
    v3_flush_in(&group->across[0]);
    v3_flush_in(&group->across[1]);
    for (i = 0; i < VSP__REDUCER_DIRECTIONS; i++) {
        group->points[i] = *point;
        group->score[i] = r_neg(VSP__FAR_LIMIT);
    }
    return group;
}

static bool is_same_place(const vsp__touch_point *p, const vsp__touch_point *q)
{
    vsp__v3 d = p->on[1];

    v3_sub_in(&d, &q->on[1]);
    return v3_size_at(&d) <= SAME_POINT_DISTANCE;
}

/* the coordinates of a point across a group's normal, from b */
static void place_across(const vsp__reducer_group *group,
                         const vsp__touch_point *point, vsp__num at[2])
{
    vsp__v3 on = v3_flush(point->on[1]);

    at[0] = r_flush(u3_dot_at(&group->across[0], &on));
    at[1] = r_flush(u3_dot_at(&group->across[1], &on));
}

/* m; negative for overlap */
static vsp__num gap_loss(vsp__num gap)
{
    return r_add(r_mul(GAP_WEIGHT, gap),
                 r_clamp(r_mul(FIRST_WEIGHT, gap), r_neg(MAX_FIRST_LOSS),
                         MAX_FIRST_LOSS));
}

void vsp__add_reduced_point(vsp__reducer *r, const vsp__v3 *normal,
                            vsp__touch_point *point)
{
    vsp__reducer_group *group;
    vsp__num at[2], reach[5];
    vsp__num loss = gap_loss(point->gap);
    uint32_t k;

    v3_add_in(&point->on[1], &r->part_offset);
    group = find_group(r, normal, point);
    place_across(group, point, at);
    reach[0] = at[0];
    reach[1] = at[1];
    reach[2] = r_add(at[0], at[1]);
    reach[3] = r_sub(at[0], at[1]);
    reach[4] = 0; /* the last direction: the deepest */
    for (k = 0; k < VSP__REDUCER_DIRECTIONS; k++) {
        vsp__touch_point *to = group->points + k;
        vsp__num score = r_sub(r_signed(reach[k >> 1], (k & 1u) != 0), loss);
        bool is_same = is_same_place(to, point);
        uint32_t feature = point->feature;

        if (is_same && to->feature < feature)
            feature = to->feature;
        else if (!(score > group->score[k]) && !is_same)
            continue;
        if (score > group->score[k]) {
            group->score[k] = score;
            *to = *point;
            if (k == VSP__REDUCER_DIRECTIONS - 1)
                group->normal = *normal;
        }
        to->feature = feature;
    }
}

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

/* Moves a point toward the deepest one, the more the larger its gap: one that
 * hardly touches spans less. */
static void draw_toward_deepest(vsp__clip_point *point,
                                const vsp__clip_point *deepest)
{
    vsp__num loss = gap_loss(r_sub(point->at[2], deepest->at[2]));
    vsp__num x = r_flush(r_sub(point->at[0], deepest->at[0]));
    vsp__num y = r_flush(r_sub(point->at[1], deepest->at[1]));
    vsp__num far = vsp__square_root(r_square(x) + r_square(y)), part;

    if (!(loss > MIN_LOSS))
        return;
    part = r_flush(u_div(far, r_add(far, loss)));
    point->at[0] = r_add(deepest->at[0], u_mul(part, x));
    point->at[1] = r_add(deepest->at[1], u_mul(part, y));
}

/* Chooses four points or fewer as for two boxes, and puts them first. */
static void reduce_group(vsp__reducer_group *group)
{
    vsp__clip_point points[VSP__REDUCER_DIRECTIONS];
    vsp__touch_point copies[4];
    uint8_t chosen[4];
    uint32_t i;

    for (i = 0; i < VSP__REDUCER_DIRECTIONS; i++) {
        place_across(group, group->points + i, points[i].at);
        points[i].at[2] = group->points[i].gap;
    }
    for (i = 0; i + 1 < VSP__REDUCER_DIRECTIONS; i++)
        draw_toward_deepest(&points[i], &points[VSP__REDUCER_DIRECTIONS - 1]);
    group->count = vsp__choose_four_points(points, VSP__REDUCER_DIRECTIONS,
                                           chosen);
    for (i = 0; i < group->count; i++)
        copies[i] = group->points[chosen[i]];
    if (group->count == 2 && is_same_place(&copies[0], &copies[1]))
        group->count = 1;
    for (i = 0; i < group->count; i++) {
        /* cppcheck-suppress uninitvar */
        group->points[i] = copies[i];
    }
}

uint32_t vsp__reducer_end(vsp__reducer *r)
{
    uint32_t used[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t i, k;

    for (i = 0; i < r->count; i++) {
        vsp__reducer_group *group = r->groups + i;

        reduce_group(group);
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
    t->count = group->count;
    for (i = 0; i < 4; i++)
        t->points[i] = group->points[i];
}

#endif /* VSP__HAS_PARTS */
