/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Supported bodies.  Optional: VSP_SUPPORTS.
 *
 * Section 3.6 of Mueller, Chentanez, Macklin, Jeschke, Long Range Constraints
 * for Rigid Body Simulations, 2017.  In this order: hulls in the plane across
 * gravity; contacts; bodies, from the bottom up; frozen bodies.
 *
 * Differences from the paper: a contact is below a body if its normal pushes
 * the body up, because a ledge of the body may be below its centre; and each
 * body must be held by its own supports, where the paper takes the supports of
 * both bodies of a contact together.  So planks that lean on each other are
 * not supported. */

#include "solve.h"

#if VSP_SUPPORTS

VSP_STATIC_ASSERT(supported_bodies_fit,
                  sizeof(vsp__supported) <= VSP__SUPPORTED_BYTES);


/* ---- Hulls ----------------------------------------------------------------
 * Points are projected along gravity; the origin is a body's centre of mass. */

/* Returns twice the area of the triangle o a b, m^2; above 0 if it turns
 * left. */
static vsp__square flat_turn(const vsp__flat_point *o, const vsp__flat_point *a,
                             const vsp__flat_point *b)
{
    vsp__num back = r_sub(o->x, b->x);

    return square_add(r_product(r_sub(a->x, o->x), r_sub(b->y, o->y)),
                      r_product(r_sub(a->y, o->y), back));
}

/* Sorts the few points by x, then y, by insertion. */
static void sort_flat_points(vsp__flat_point *points, uint32_t count)
{
    uint32_t i, k;

    for (i = 1; i < count; i++) {
        vsp__flat_point p = points[i];

        for (k = i;
             k > 0 && (points[k - 1u].x > p.x ||
                       (points[k - 1u].x == p.x && points[k - 1u].y > p.y));
             k--)
            points[k] = points[k - 1u];
        points[k] = p;
    }
}

/* Adds a point to a sequence that turns left and begins at index `first`.
 * Returns the new length of the hull. */
static uint32_t add_to_chain(vsp__flat_point *hull, uint32_t first,
                             uint32_t count, const vsp__flat_point *p)
{
    while (count >= first + 2u &&
           flat_turn(&hull[count - 2u], &hull[count - 1u], p) <= 0)
        count--;
    hull[count] = *p;
    return count + 1u;
}

/* The monotone chain of Andrew, Another Efficient Algorithm for Convex Hulls in
 * Two Dimensions, 1979.  Fills s->hull, counterclockwise around s->points. */
static void make_flat_hull(vsp__supported *s)
{
    uint32_t i, count = 0, first;

    sort_flat_points(s->points, s->point_count);
    for (i = 0; i < s->point_count; i++)
        count = add_to_chain(s->hull, 0, count, &s->points[i]);
    first = count > 0 ? count - 1u : 0;
    for (i = s->point_count; i-- > 1;)
        count = add_to_chain(s->hull, first, count, &s->points[i - 1u]);
    s->hull_count = count > 1 ? count - 1u : count; /* it ends where it began */
}

/* Returns the corner whose removal shrinks the hull least. */
static uint32_t bluntest_corner(const vsp__supported *s)
{
    uint32_t count = s->hull_count, best = 0, i;
    vsp__square least = 0;

    for (i = 0; i < count; i++) {
        vsp__square area = flat_turn(&s->hull[(i + count - 1u) % count],
                                     &s->hull[i], &s->hull[(i + 1u) % count]);

        if (i > 0 && area >= least)
            continue;
        least = area;
        best = i;
    }
    return best;
}

/* Adds a point.  If the list is full, it is replaced by the corners of its
 * hull; if that does not shorten it, the bluntest corner is left out. */
static void add_flat_point(vsp__supported *s, const vsp__flat_point *p)
{
    if (s->point_count == VSP__FLAT_POINTS) {
        make_flat_hull(s);
        s->point_count = s->hull_count;
        vsp__copy_bytes(s->points, s->hull, s->hull_count * sizeof *p);
        if (s->point_count == VSP__FLAT_POINTS)
            s->points[bluntest_corner(s)] = s->points[--s->point_count];
    }
    s->points[s->point_count++] = *p;
}

/* A point may be outside of the hull by this fraction of its distance from the
 * hull's middle: bricks that lie exactly on each other have contacts on its
 * edge, and a box has its centre there if one of its four contacts slides. */
#define OUTER_PART VSP__UNIT(0.015625)

/* Moves a number by OUTER_PART towards the mean of three. */
static vsp__num drawn_inward(vsp__num at, vsp__num a, vsp__num b, vsp__num c)
{
    vsp__num mean = u_mul(VSP__UNIT(0.33333333), r_add(a, r_add(b, c)));

    return r_add(at, u_mul(OUTER_PART, r_sub(mean, at)));
}

/* Whether a point is inside the hull: never if all supports are on a line. */
static bool is_in_flat_hull(const vsp__supported *s, const vsp__flat_point *p)
{
    const vsp__flat_point *a = s->hull, *b = a + s->hull_count / 3u,
                          *c = a + 2u * s->hull_count / 3u;
    vsp__flat_point in;
    uint32_t i;

    if (s->hull_count < 3)
        return false;
    in.x = drawn_inward(p->x, a->x, b->x, c->x);
    in.y = drawn_inward(p->y, a->y, b->y, c->y);
    for (i = 0; i < s->hull_count; i++)
        if (!(flat_turn(&a[i], &a[(i + 1u) % s->hull_count], &in) > 0))
            return false;
    return true;
}


/* ---- Contacts ------------------------------------------------------------ */

typedef struct support_search {
    vsp_world *world;
    vsp__v3 up, across[2]; /* units */
    bool is_solving;       /* points have multipliers, not impulses */
    uint32_t head, waiting;
} support_search;

/* The least upward component of a normal: contacts with less are walls. */
#define LEAST_RISE VSP__UNIT(0.1)

/* Returns which body of a manifold the normal pushes up: 0 or 1; 2 if none, or
 * if either shape is a belt. */
static uint32_t upper_side(const support_search *it, const vsp__manifold *m)
{
    vsp__num rise = u3_dot_at(&it->up, &m->normal);

    if (vsp__touches_belt(it->world, m))
        return 2;
    return rise > LEAST_RISE ? 1u : rise < -LEAST_RISE ? 0u : 2u;
}

/* A contact whose friction is at its limit slides.  Sweeps stop slightly below
 * the limit. */
#define STATIC_PART VSP__UNIT(0.98)

/* Whether a contact sticks: |f_t| < mu f_n, with this margin. */
static bool is_static_point(const support_search *it, const vsp__manifold *m,
                            const vsp__manifold_point *p)
{
    vsp__wide f[3], most;
    uint32_t k;

    for (k = 0; k < 3; k++)
        f[k] = it->is_solving ? w_of_rate(p->multiplier.row[k])
                              : p->multiplier.impulse[k];
    most = w_mul(w_mul(w_of_unit(STATIC_PART), w_of_real(m->friction)), f[0]);
    return w_less(VSP__W_ZERO, f[0]) &&
           w_less(w_add(w_mul(f[1], f[1]), w_mul(f[2], f[2])),
                  w_mul(most, most));
}

/* Computes the directions across gravity in the axes of a body. */
static void find_flat_axes(const support_search *it, uint32_t body,
                           vsp__v3 across[2])
{
    vsp__mat3 axes;
    uint32_t k;

    vsp__q_axes_flushed(&it->world->bodies[body].rotation, &axes);
    for (k = 0; k < 2; k++)
        m3_tmul_to(&axes, &it->across[k], &across[k]);
}

static vsp__flat_point flat_of(const vsp__v3 across[2], const vsp__v3 *arm)
{
    vsp__flat_point p;

    p.x = u3_dot_at(&across[0], arm);
    p.y = u3_dot_at(&across[1], arm);
    return p;
}


/* ---- Bodies -------------------------------------------------------------- */

/* Most times that a search visits a body: again whenever a body below turns out
 * to be supported. */
#define MOST_LOOKS 15u

/* Queues a body for its first or its next visit. */
static void queue_supported(support_search *it, uint32_t body)
{
    vsp__supported *s = vsp__supported_of(it->world);
    uint32_t looks = (uint32_t)s->body[body] / VSP__SUPPORT_LOOK;

    if (!vsp__is_awake(it->world->bodies + body) ||
        (s->body[body] & VSP__SUPPORT_QUEUED) || looks == MOST_LOOKS)
        return;
    s->body[body] = (uint8_t)(s->body[body] + VSP__SUPPORT_QUEUED +
                              VSP__SUPPORT_LOOK);
    s->queue[(it->head + it->waiting++) % VSP_MAX_BODIES] = (uint16_t)body;
}

/* Figure 11: marks contacts with bodies that do not move as bearing. */
static void find_ground_contacts(support_search *it)
{
    vsp_world *world = it->world;
    vsp__supported *s = vsp__supported_of(world);
    uint32_t i, count = world->contacts[VSP__CONTACTS_SOLVED].manifold_count;

    for (i = 0; i < count; i++) {
        const vsp__manifold *m = world->manifolds + i;
        uint32_t upper = upper_side(it, m);
        const vsp__body *lower;

        s->bearing[i] = 0;
        if (upper > 1)
            continue;
        lower = world->bodies + m->body[1u - upper];
        if (vsp__is_awake(lower) || !vsp__is_at_rest(lower))
            continue;
        s->bearing[i] = 0xfu;
        queue_supported(it, m->body[upper]);
    }
}

/* Computes the hull of a body's supports. */
static void find_support_hull(const support_search *it, uint32_t body,
                              const vsp__v3 across[2])
{
    vsp_world *world = it->world;
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    vsp__supported *s = vsp__supported_of(world);
    uint32_t i, j;

    s->point_count = 0;
    for (i = first[0]; i < first[1]; i++) {
        const vsp__manifold *m = world->manifolds + world->links[i];
        const vsp__manifold_point *p = world->points + m->first_point;
        uint32_t upper = upper_side(it, m);

        if (upper > 1 || m->body[upper] != body)
            continue;
        for (j = 0; j < m->point_count; j++) {
            vsp__flat_point at = flat_of(across, &p[j].arm[upper]);

            if ((s->bearing[world->links[i]] >> j & 1u) &&
                is_static_point(it, m, p + j))
                add_flat_point(s, &at);
        }
    }
    make_flat_hull(s);
}

/* Whether a body is slower than the speed that gravity adds in a step: a body
 * that bounces is not. */
static bool is_held_up(const support_search *it, uint32_t body)
{
    vsp__velocity v, zero;

    vsp__zero_bytes(&zero, sizeof zero);
    if (it->is_solving)
        v = vsp__solve_of(it->world)->velocity[body];
    else
        vsp__get_velocity(it->world->bodies + body, &v);
    return !vsp__has_velocity_changed(&v, &zero, it->world->gravity_speed);
}

/* Figure 11: marks the contacts above a supported body as bearing, within its
 * hull. */
static void bear_contacts(support_search *it, uint32_t body,
                          const vsp__v3 across[2])
{
    vsp_world *world = it->world;
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    vsp__supported *s = vsp__supported_of(world);
    uint32_t i, j;

    for (i = first[0]; i < first[1]; i++) {
        const vsp__manifold *m = world->manifolds + world->links[i];
        const vsp__manifold_point *p = world->points + m->first_point;
        uint32_t upper = upper_side(it, m), mask = s->bearing[world->links[i]];

        if (upper > 1 || m->body[upper] == body)
            continue;
        for (j = 0; j < m->point_count; j++) {
            vsp__flat_point at = flat_of(across, &p[j].arm[1u - upper]);

            if (is_in_flat_hull(s, &at))
                mask |= 1u << j;
        }
        if (mask == s->bearing[world->links[i]])
            continue;
        s->bearing[world->links[i]] = (uint8_t)mask;
        queue_supported(it, m->body[upper]);
    }
}

void vsp__forget_supported(vsp_world *world)
{
    vsp__supported *s = vsp__supported_of(world);

    vsp__zero_bytes(s->body, sizeof s->body);
}

void vsp__find_supported(vsp_world *world, bool is_solving)
{
    static const vsp__flat_point center;
    vsp__supported *s = vsp__supported_of(world);
    vsp__num pull;
    support_search it;

    vsp__forget_supported(world);
    it.world = world;
    it.is_solving = is_solving;
    it.head = it.waiting = 0;
    it.up = world->params.gravity;
    pull = v3_length_at(&it.up);
    if (!(pull > 0))
        return;
    vsp__v3_normalize_by(&it.up, pull);
    v3_flip_in(&it.up, true);
    vsp__make_tangents(&it.up, &it.across[0], &it.across[1]);
    vsp__list_body_manifolds(world);
    find_ground_contacts(&it);
    while (it.waiting > 0) {
        uint32_t body = s->queue[it.head];
        vsp__v3 across[2];

        it.head = (it.head + 1u) % VSP_MAX_BODIES;
        it.waiting--;
        s->body[body] &= (uint8_t)~VSP__SUPPORT_QUEUED;
        find_flat_axes(&it, body, across);
        find_support_hull(&it, body, across);
        if (!is_held_up(&it, body) || !is_in_flat_hull(s, &center))
            continue;
        s->body[body] |= VSP__IS_SUPPORTED;
        bear_contacts(&it, body, across);
    }
}


/* ---- Frozen bodies ------------------------------------------------------- */

/* Contacts of frozen bodies keep their impulses.  Sweeps would make
 * these smaller, as a frozen body needs no support, and the next step would
 * start without loads. */
bool vsp__is_frozen(const vsp__manifold_view *s)
{
    const vsp__supported *found = vsp__supported_of(s->world);
    uint32_t k;

    if (!vsp__has_supports(s->world))
        return false;
    for (k = 0; k < 2; k++)
        if (vsp__is_moved(s->world, s->m->body[k]) &&
            !(found->body[s->m->body[k]] & VSP__IS_SUPPORTED))
            return false;
    return true;
}

void vsp__hold_supported(vsp_world *world)
{
    vsp__velocity *velocity = vsp__solve_of(world)->velocity;
    const vsp__supported *s = vsp__supported_of(world);
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (s->body[i] & VSP__IS_SUPPORTED)
            vsp__zero_bytes(&velocity[i], sizeof velocity[i]);
}

#endif /* VSP_SUPPORTS */
