/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Seams.  The next tile of a floor is met at its edge, from the side, by what
 * slides or rolls towards it.  Rows are planes, and that one would stop what
 * passes over the edge.  But the plane of the tile below already keeps it
 * above the edge, so the row of the edge may be left out. */

#include "solve.h"

/* cosine between two normals, below which contacts have two directions: a
 * corner of a solid may turn down beside the plane of another contact, and a
 * round solid may not */
#define SHARP_COSINE VSP__UNIT(0.99)
#define ROUND_COSINE VSP__UNIT(0.99999)

static bool is_static(const vsp_world *world, uint32_t body)
{
    return world->bodies[body].type == (uint32_t)VSP_STATIC + 1u;
}

/* Finds which side of a manifold is a static body.  Returns false if there is
 * none. */
static bool find_ground(const vsp__manifold_view *s, uint32_t *side)
{
    *side = is_static(s->world, s->m->body[0]) ? 0 : 1;
    return is_static(s->world, s->m->body[*side]);
}

/* Finds the normal out of the ground. */
static void find_up(const vsp__manifold_view *s, uint32_t side, vsp__v3 *up)
{
    *up = s->m->normal;
    v3_flip_in(up, side == 1);
}

/* Finds where a point is on the ground, from the centre of the other body. */
static void find_place(const vsp__manifold_view *s, uint32_t side, uint32_t j,
                       vsp__v3 *place)
{
    vsp__v3 d, arm[2];

    vsp__arms_at_point(s->world, s->m, s->points + j, &d, &arm[0], &arm[1]);
    v3_flip_in(&d, side == 0);
    *place = arm[side];
    v3_add_in(place, &d);
    v3_flush_in(place);
}

static vsp__num least_gap_of(const vsp__manifold_view *s)
{
    vsp__num gap = s->points[0].gap;
    uint32_t j;

    for (j = 1; j < s->m->point_count; j++)
        gap = r_min(gap, s->points[j].gap);
    return gap;
}

/* Whether the plane of a nearer contact with the ground, floor, has all points
 * of another contact below it, to within the width of touching. */
static bool covers(const vsp__manifold_view *floor,
                   const vsp__manifold_view *edge, uint32_t edge_side,
                   vsp__num cosine)
{
    vsp__v3 up, other_up, on, place;
    uint32_t side, j;

    if (!find_ground(floor, &side))
        return false;
    find_up(floor, side, &up);
    find_up(edge, edge_side, &other_up);
    if (u3_dot_at(&up, &other_up) > cosine ||
        !(least_gap_of(floor) < least_gap_of(edge)))
        return false;
    find_place(floor, side, 0, &on);
    for (j = 0; j < edge->m->point_count; j++) {
        find_place(edge, edge_side, j, &place);
        v3_sub_in(&place, &on);
        if (u3_dot_at(&up, &place) > vsp__touch_width(edge->world))
            return false;
    }
    return true;
}

bool vsp__is_seam(const vsp__manifold_view *s)
{
    vsp_world *world = s->world;
    const vsp__link *first;
    uint32_t side, i;

    if (!(least_gap_of(s) > r_neg(vsp__touch_width(world))) ||
        !find_ground(s, &side))
        return false;
    first = vsp__solve_of(world)->link_first + s->m->body[1 - side];
    for (i = first[0]; i < first[1]; i++) {
        vsp__manifold_view other;

        vsp__view_by_index(world, VSP__CONTACTS_SOLVED, world->links[i],
                           &other);
        if (other.m != s->m &&
            covers(&other, s, side,
                   vsp__is_round(world->shapes + s->m->shape[1 - side])
                       ? ROUND_COSINE
                       : SHARP_COSINE))
            return true;
    }
    return false;
}
