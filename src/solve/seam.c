/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Seams.  A body that slides or rolls over a floor of tiles hits the edge of
 * the next tile from the side.  Rows are planes, so the contact row would stop
 * the body at the edge.  But the plane of the tile below already keeps the body
 * above the edge, so the row may be left out.  Optional: VSP_SEAMS. */

#include "../collide/collide.h"
#include "solve.h"

#if VSP_SEAMS

/* cosine of the angle between two normals, below which contacts have different
 * directions.  It is nearer to 1 for round solids: they have no corner that
 * could dip past the plane of the other contact */
#define SHARP_COSINE VSP__UNIT(0.99)
#define ROUND_COSINE VSP__UNIT(0.99999)

/* How many of the first manifolds of a body may cover an edge.  Each manifold
 * is compared with all of these, so the work of a step needs a limit. */
#define MOST_COVERS 256u

/* A contact with static ground. */
typedef struct ground_contact {
    const vsp__manifold_view *s;
    uint32_t side; /* which body is the ground, 0 or 1 */
    vsp__v3 up;    /* the contact's normal, out of the ground */
} ground_contact;

/* Fills *ground from a manifold.  Returns false if neither body is static. */
static bool find_ground(const vsp__manifold_view *s, ground_contact *ground)
{
    ground->s = s;
    ground->side = vsp__is_static(s->world->bodies + s->m->body[0]) ? 0 : 1;
    ground->up = s->m->normal;
    v3_flip_in(&ground->up, ground->side == 1);
    return vsp__is_static(s->world->bodies + s->m->body[ground->side]);
}

/* Computes the position of the first point on the ground, relative to the
 * centre of mass of the other body. */
static void find_ground_place(const ground_contact *ground, vsp__v3 *place)
{
    const vsp__manifold_view *s = ground->s;
    vsp__v3 d, arm[2];

    vsp__arms_at_point(s->world, s->m, s->points, &d, &arm[0], &arm[1]);
    v3_flip_in(&d, ground->side == 0);
    v3_add_to(&arm[ground->side], &d, place);
    v3_flush_in(place);
}

/* Whether the ground's shape of `edge` is below the plane of `under`, to within
 * the width of touching.  The shape's bounding box is tested. */
static bool is_below(const ground_contact *edge, const ground_contact *under)
{
    const vsp_world *world = edge->s->world;
    const vsp__manifold *m = edge->s->m;
    uint32_t slot = m->shape[edge->side], body = m->body[edge->side];
    vsp__v3 on, middle, half;
    vsp__num size;
    vsp__pose pose;

    if (!vsp__is_bounded(world->shapes + slot))
        return false;
    pose.position = world->bodies[body].position;
    pose.axes = vsp__solve_of(world)->axes[body];
    vsp__shape_pose(world, slot, &pose);
    vsp__shape_box(world, world->shapes + slot, &middle, &half);
    find_ground_place(under, &on);
    v3_add_in(&on, &world->bodies[m->body[1 - edge->side]].position);
    v3_sub_in(&pose.position, &on);
    m3_mul_to(&pose.axes, &middle, &middle);
    v3_add_in(&pose.position, &middle);
    v3_flush_in(&pose.position);
    m3_tmul_to(&pose.axes, &under->up, &middle);
    v3_abs_in(&middle);
    size = u3_dot_at(&middle, &half);
    return r_add(u3_dot_at(&under->up, &pose.position), size) <=
           vsp__touch_width(world);
}

/* Whether a contact in another direction covers an edge.  If two cover each
 * other, only the nearer one counts; and an open contact covers nothing nearer,
 * as bodies hang over rims and into bins. */
static bool covers_edge(const ground_contact *under, const ground_contact *edge,
                        vsp__num cosine)
{
    vsp__num gap = vsp__least_gap(under->s);

    return !(u3_dot_at(&under->up, &edge->up) > cosine) &&
           is_below(edge, under) &&
           (gap < vsp__least_gap(edge->s) ||
            (gap <= vsp__touch_width(edge->s->world) &&
             !is_below(under, edge)));
}

bool vsp__is_seam(const vsp__manifold_view *s)
{
    vsp_world *world = s->world;
    const vsp__link *first;
    ground_contact edge, under;
    vsp__num cosine = SHARP_COSINE;
    uint32_t i, last, body;

    if ((!vsp__is_static(world->bodies + s->m->body[0]) &&
         !vsp__is_static(world->bodies + s->m->body[1])) ||
        !(vsp__least_gap(s) > r_neg(vsp__touch_width(world))) ||
        !find_ground(s, &edge))
        return false;
    if (vsp__is_round(world->shapes + s->m->shape[1 - edge.side]))
        cosine = ROUND_COSINE;
    body = s->m->body[1 - edge.side];
    first = vsp__solve_of(world)->link_first + body;
    last = first[1];
    if (last > first[0] + MOST_COVERS)
        last = first[0] + MOST_COVERS;
    for (i = first[0]; i < last; i++) {
        vsp__manifold_view other;

        vsp__view_by_index(world, VSP__CONTACTS_SOLVED, world->links[i],
                           &other);
        if (other.m != s->m && find_ground(&other, &under) &&
            covers_edge(&under, &edge, cosine))
            return true;
    }
    return false;
}

#endif /* VSP_SEAMS */
