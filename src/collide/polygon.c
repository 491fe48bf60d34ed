/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Polygons on a reference face: clipping, and the choice of at most four
 * contact points. */

#include "collide.h"

/* Difference of two points along the reference face, m. */
typedef struct face_step {
    vsp__num x, y;
} face_step;

static face_step step_between(const vsp__clip_point *p,
                              const vsp__clip_point *q)
{
    face_step s;

    s.x = r_flush(r_sub(q->at[0], p->at[0]));
    s.y = r_flush(r_sub(q->at[1], p->at[1]));
    return s;
}


/* ---- Clipping ------------------------------------------------------------
 * Sutherland and Hodgman, "Reentrant polygon clipping", 1974. */

/* Computes the point where the edge from `here` to `next` crosses a side.  d
 * and d_next: how far outside of the side these two points are, m; one of them
 * is inside. */
static void cut_edge(const vsp__clip_point *here, const vsp__clip_point *next,
                     vsp__num d, vsp__num d_next, uint32_t side,
                     vsp__clip_point *cut)
{
    vsp__num part = u_div(d, r_sub(d, d_next));
    uint32_t k;

    for (k = 0; k < 3; k++)
        cut->at[k] = r_flush(
            r_add(here->at[k], u_mul(part, r_sub(next->at[k], here->at[k]))));
    cut->part = (uint16_t)(VSP__SIDES + here->edge * VSP__SIDES + side);
    cut->edge = d_next > 0 ? (uint16_t)(VSP__SIDES + side) : here->edge;
}

/* A side cuts off one run of points of a convex polygon and adds two, so no
 * point is overwritten before it is read.  Rounding can make more than one run:
 * points that would overwrite unread ones, or end beyond the array, are
 * dropped. */
void vsp__clip_polygon(vsp__polygon *p, uint32_t side, const vsp__num *outside)
{
    vsp__clip_point first = p->points[0], read[2];
    uint32_t i, count = 0;

    read[0] = first;
    for (i = 0; i < p->count; i++) {
        /* last index that may be written */
        uint32_t last = i + 1 < VSP__CLIP_POINTS ? i + 1 : i;
        bool is_last = i + 1 == p->count;
        vsp__num d = outside[i], d_next = outside[is_last ? 0 : i + 1];
        const vsp__clip_point *here = &read[i & 1u];
        vsp__clip_point *next = &read[1u - (i & 1u)];

        *next = is_last ? first : p->points[i + 1];
        if (!(d > 0) && count <= last)
            p->points[count++] = *here;
        if ((d > 0) != (d_next > 0) && !(p->is_open && is_last) &&
            count <= last)
            cut_edge(here, next, d, d_next, side, p->points + count++);
    }
    p->count = count;
}

#if VSP_HULLS

void vsp__drop_flattest_point(vsp__polygon *p)
{
    vsp__square least = 0;
    uint32_t i, flattest = 0;

    for (i = 0; i < p->count; i++) {
        const vsp__clip_point *here = p->points + i;
        face_step from = step_between(here,
                                      p->points + (i == 0 ? p->count : i) - 1u);
        face_step to = step_between(
            here, p->points + (i + 1u == p->count ? 0 : i + 1u));
        vsp__square area = r_product(from.x, to.y) - r_product(from.y, to.x);

        area = area < 0 ? -area : area;
        if (i == 0 || area < least) {
            least = area;
            flattest = i;
        }
    }
    p->count--;
    for (i = flattest; i < p->count; i++)
        p->points[i] = p->points[i + 1u];
}

#endif /* VSP_HULLS */

void vsp__drop_points_above(vsp__polygon *p, vsp__num height)
{
    uint32_t i, count = 0;

    for (i = 0; i < p->count; i++)
        if (p->points[i].at[2] < height)
            p->points[count++] = p->points[i];
    p->count = count;
}


/* ---- Choice of four points ----------------------------------------------- */

/* A third or fourth point is left out if twice the area of its triangle is less
 * than this fraction of the squared length between the first two points. */
#define MIN_TRIANGLE VSP__UNIT(0.001)

/* Returns the deepest point.  Among points about as deep it is the one farthest
 * along a fixed direction, so that the choice does not depend on noise. */
static uint32_t deepest_clip_point(const vsp__clip_point *points,
                                   uint32_t count)
{
    vsp__square best_score = 0;
    uint32_t i, best = 0;

    for (i = 0; i < count; i++) {
        const vsp__num *at = points[i].at;
        vsp__square score = r_product(VSP__REAL(0.8), at[0]) +
                            r_product(VSP__REAL(0.6), at[1]) +
                            r_product(VSP__REAL(-100.0), at[2]);

        if (i == 0 || score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static uint32_t farthest_from(const vsp__clip_point *points, uint32_t count,
                              uint32_t from)
{
    vsp__square longest = -1;
    uint32_t i, farthest = from;

    for (i = 0; i < count; i++) {
        face_step d = step_between(&points[from], &points[i]);
        vsp__square square = r_square(d.x) + r_square(d.y);

        if (i != from && square > longest) {
            longest = square;
            farthest = i;
        }
    }
    return farthest;
}

uint32_t vsp__choose_four_points(const vsp__clip_point *points, uint32_t count,
                                 uint8_t *chosen)
{
    uint32_t i, first = deepest_clip_point(points, count), left = first;
    uint32_t right = first, chosen_count = 2;
    face_step line;
    vsp__square most, least;

    chosen[0] = (uint8_t)first;
    chosen[1] = (uint8_t)farthest_from(points, count, first);
    line = step_between(&points[first], &points[chosen[1]]);
    most = r_part(r_square(line.x) + r_square(line.y), MIN_TRIANGLE);
    least = -most;
    for (i = 0; i < count; i++) {
        face_step d = step_between(&points[first], &points[i]);
        /* twice the area of the triangle, signed by its side of the line */
        vsp__square s = r_product(line.x, d.y) - r_product(line.y, d.x);

        if (s > most) {
            most = s;
            left = i;
        } else if (s < least) {
            least = s;
            right = i;
        }
    }
    if (left != first)
        chosen[chosen_count++] = (uint8_t)left;
    if (right != first)
        chosen[chosen_count++] = (uint8_t)right;
    return chosen_count;
}
