/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Detection: a manifold from a touch, pairs with sensors, manifolds of all
 * pairs, and the deepest ones if not all fit. */

#include "collide.h"


/* ---- Manifolds ----------------------------------------------------------- */

void vsp__set_manifold_points(const vsp_world *world, const vsp__manifold *m,
                              const vsp__touch *t, const vsp__mat3 *a,
                              const vsp__mat3 *b, vsp__manifold_point *points)
{
    vsp__v3 center[2];
    uint32_t i;

    for (i = 0; i < 2; i++)
        vsp__shape_arm(world, m->shape[i], &center[i]);
    for (i = 0; i < t->count; i++) {
        const vsp__touch_point *from = t->points + i;
        vsp__manifold_point *to = &points[i];

        vsp__body_arm(a, &center[0], &from->on[0], &to->arm[0]);
        vsp__body_arm(b, &center[1], &from->on[1], &to->arm[1]);
        to->gap = r_flush(from->gap);
    }
}

/* Returns the axes of a shape's body.  If the shape is not turned in its body,
 * these are the axes of its pose in find; else they are computed into *made. */
static VSP__CALLED const vsp__mat3 *body_axes_of(const vsp_world *world,
                                                 uint32_t slot, vsp__mat3 *made)
{
    const vsp__shape *shape = world->shapes + slot;

    if (vsp__are_three_zero(&shape->pose.rotation.x))
        return &vsp__find_of(world)->poses[slot].axes;
    vsp__q_axes_flushed(&world->bodies[shape->body].rotation, made);
    return made;
}

static void fill_manifold(const vsp_world *world, uint32_t pair,
                          const vsp__touch *t, vsp__manifold *m)
{
    vsp__shape copy;
    uint32_t i;

    m->shape[0] = (uint16_t)(pair >> 16);
    m->shape[1] = (uint16_t)(pair & 0xffffu);
    m->body[0] = (uint16_t)world->shapes[m->shape[0]].body;
    m->body[1] = (uint16_t)world->shapes[m->shape[1]].body;
    m->point_count = (uint8_t)t->count;
    m->flags = 0;
    m->layer = 0;
    for (i = 0; i < t->count; i++)
        m->feature[i] = (uint8_t)t->points[i].feature;
    m->normal = t->normal;
    v3_flush_in(&m->normal);
    VSP__SET_MATERIAL(m, t->material);
    m->friction = vsp__pair_friction(world, vsp__side_of(world, m, 0, &copy),
                                     vsp__side_of(world, m, 1, &copy));
}

/* Returns how many contact points a list may have.  The warm records of
 * sleeping pairs are stored behind the points of the solved list. */
static uint32_t max_points(const vsp_world *world, uint32_t list)
{
    return world->params.capacity.contacts -
           (VSP_SLEEP && list == VSP__CONTACTS_SOLVED
                ? world->sleeping_record_count
                : 0);
}

/* Whether the manifold of a touch has rolling friction in a list. */
static bool is_rolling_touch(const vsp_world *world, uint32_t list,
                             uint32_t pair, const vsp__touch *t)
{
    vsp__shape copy;

    (void)t;
    return VSP_ROLLING && list == VSP__CONTACTS_SOLVED &&
           vsp__is_rolling(world) &&
           (vsp__has_rolling(vsp__made_of(world, world->shapes + (pair >> 16),
                                          VSP__MATERIAL(t), &copy)) ||
            vsp__has_rolling(vsp__made_of(world,
                                          world->shapes + (pair & 0xffffu),
                                          VSP__MATERIAL(t), &copy)));
}

/* Clears the place of a manifold's rows of rolling friction: a point that
 * touches nothing. */
static void clear_rolling(vsp__manifold_point *point)
{
    vsp__zero_bytes(point, sizeof *point);
    point->gap = VSP__FAR_LIMIT;
}

/* Adds the places of a manifold to a list, and returns it.  Returns null, and
 * adds nothing, if a capacity is exhausted. */
static vsp__manifold *reserve_manifold(vsp_world *world, uint32_t list,
                                       uint32_t points)
{
    vsp__contact_counts *contacts = world->contacts + list;
    vsp__manifold *m;

    if (contacts->manifold_count == world->params.capacity.manifolds ||
        points > max_points(world, list) - contacts->point_count)
        return NULL;
    m = &vsp__manifolds_of(world, list)[contacts->manifold_count++];
    m->first_point = contacts->point_count;
    contacts->point_count += points;
    return m;
}

/* Fills a manifold and its points in their places. */
static void fill_places(vsp_world *world, uint32_t list, uint32_t pair,
                        const vsp__touch *t, bool rolls, vsp__manifold *m)
{
    vsp__manifold_point *points = vsp__points_of(world, list) + m->first_point;
    vsp__mat3 made[2];
    uint32_t i;

    fill_manifold(world, pair, t, m);
    if (rolls) {
        m->flags = VSP__ROLLS;
        clear_rolling(points + t->count);
    }
    vsp__set_manifold_points(
        world, m, t, body_axes_of(world, m->shape[0], &made[0]),
        body_axes_of(world, m->shape[1], &made[1]), points);
    for (i = 0; i < t->count; i++) {
        points[i].bias = 0;
        points[i].multiplier.impulse[0] = VSP__W_ZERO;
        points[i].multiplier.impulse[1] = VSP__W_ZERO;
        points[i].multiplier.impulse[2] = VSP__W_ZERO;
    }
}

/* Adds a manifold and its points to a list, unless a one-way surface is passed.
 * Returns false, and adds nothing, if a capacity is exhausted. */
static bool add_manifold(vsp_world *world, uint32_t list, uint32_t pair,
                         const vsp__touch *t)
{
    bool rolls = is_rolling_touch(world, list, pair, t);
    vsp__manifold *m;

    if (vsp__is_passed(world, list, pair, t))
        return true;
    m = reserve_manifold(world, list, t->count + (rolls ? 1u : 0));
    if (m == NULL)
        return false;
    fill_places(world, list, pair, t, rolls, m);
    return true;
}


/* ---- Work ------------------------------------------------------------------
 * A pass over all pairs has a budget of work on their tables, on edges of hulls
 * and on solids of revolution.  If it is used up, the pass is repeated, and
 * then each pair gets an equal share of the budget: so the result depends
 * neither on the order of pairs nor on how often a pair is tested.  Exception:
 * sensors that were tested before keep their result. */

/* the budget of a pass, in costs as in vsp__reducer.left: WORK_OF_BODY for each
 * body of the capacity, plus WORK_AT_LEAST */
#define WORK_OF_BODY 1024u
#define WORK_AT_LEAST 4096u

/* the least budget of a pair */
#define WORK_OF_PAIR 64u

static bool needs_search(const vsp__shape *shape)
{
    return (VSP_HULLS && shape->type == VSP_SHAPE_HULL) ||
           vsp__is_revolved(shape);
}

/* Whether a pair pays from the budget.  Only the first shape may be a
 * half-space, which needs no search. */
static bool is_working_pair(const vsp_world *world, uint32_t pair)
{
    const vsp__shape *a = world->shapes + (pair >> 16);
    const vsp__shape *b = world->shapes + (pair & 0xffffu);

    if (VSP__HAS_PARTS && vsp__has_parts(world, pair))
        return true;
    return a->type != VSP_SHAPE_HALF_SPACE &&
           (needs_search(a) || needs_search(b));
}

static uint32_t count_working_pairs(const vsp_world *world, uint32_t pair_count)
{
    uint32_t i, count = 0;

    for (i = 0; i < pair_count; i++)
        if (is_working_pair(world, vsp__find_of(world)->pairs[i]))
            count++;
    return count;
}

static bool is_work_shared(const vsp_world *world)
{
    return (world->stats.spent & VSP_SPENT_PARTS) != 0;
}

/* Starts a pass over the pairs. */
static void begin_work(vsp_world *world, uint32_t pair_count)
{
    uint32_t all = WORK_AT_LEAST + WORK_OF_BODY * world->params.capacity.bodies;
    uint32_t count = 1;

    if (!VSP__HAS_WORK)
        return;
    if (is_work_shared(world))
        count = count_working_pairs(world, pair_count);
    world->part_left = all;
    world->part_limit = all / (count > 0 ? count : 1u);
    if (world->part_limit < WORK_OF_PAIR)
        world->part_limit = WORK_OF_PAIR;
}

/* Whether the budget of a pass is used up, so that it must be repeated. */
static bool is_work_done(const vsp_world *world)
{
    return VSP__HAS_WORK && world->part_left == 0 && !is_work_shared(world);
}


/* ---- Sensors ------------------------------------------------------------- */

/* Computes the touches of a pair; only pairs with parts have two or more.
 * Returns their number; the first one is in find.touch. */
static uint32_t find_touches(vsp_world *world, uint32_t pair)
{
    uint32_t count = vsp__touch_pair(world, pair);

    return VSP__HAS_PARTS || count == 0 ? count : 1u;
}

/* Copies touch k of the last pair to find.touch, which already holds the first
 * one. */
static void take_touch(vsp_world *world, uint32_t k)
{
    if (VSP__HAS_PARTS && k > 0)
        vsp__reducer_get(vsp__reducer_of(world), k,
                         &vsp__find_of(world)->touch);
}

static VSP__CALLED vsp__num gap_of_touch(const vsp__touch *t)
{
    vsp__num gap = t->points[0].gap;
    uint32_t i;

    for (i = 1; i < t->count; i++)
        gap = r_min(gap, t->points[i].gap);
    return gap;
}

/* Whether a point of any touch of a pair is a penetration. */
static bool do_overlap(vsp_world *world, uint32_t pair)
{
    uint32_t count = find_touches(world, pair), k;

    for (k = 0; k < count; k++) {
        take_touch(world, k);
        if (gap_of_touch(&vsp__find_of(world)->touch) < 0)
            return true;
    }
    return false;
}

/* Removes pairs with a sensor from find.pairs.  The first detection of a step
 * lists those that overlap in world.sensing, and counts those that do not fit.
 * Returns how many pairs are left. */
static uint32_t take_out_sensors(vsp_world *world, uint32_t list,
                                 uint32_t pair_count)
{
    uint32_t *pairs = vsp__find_of(world)->pairs, left = 0, i;

    begin_work(world, pair_count);
    for (i = 0; i < pair_count; i++) {
        if (is_work_done(world)) {
            world->stats.spent |= VSP_SPENT_PARTS;
            begin_work(world, pair_count);
        }
        if (vsp__count_sensors(world->shapes + (pairs[i] >> 16),
                               world->shapes + (pairs[i] & 0xffffu)) == 0) {
            pairs[left++] = pairs[i];
            continue;
        }
        if (list != VSP__CONTACTS_SOLVED || !do_overlap(world, pairs[i]))
            continue;
        if (world->sensing_count < world->params.capacity.sensed)
            world->sensing[world->sensing_count] = pairs[i];
        world->sensing_count++;
    }
    return left;
}

/* Copies the manifolds of the solved list that are marked still to the
 * beginning of the after list.  They fit, as both lists have the same
 * capacity. */
static void reuse_still_manifolds(vsp_world *world)
{
    vsp__contact_counts *contacts = world->contacts + VSP__CONTACTS_AFTER;
    uint32_t i, k;

    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++) {
        const vsp__manifold *from = world->manifolds + i;
        vsp__manifold *m;

        if (!(from->flags & VSP__STILL))
            continue;
        m = &vsp__manifolds_of(world,
                               VSP__CONTACTS_AFTER)[contacts->manifold_count++];
        *m = *from;
        m->flags &= (uint8_t)~VSP__ROLLS;
        m->first_point = contacts->point_count;
        for (k = 0; k < from->point_count; k++)
            vsp__points_of(world,
                           VSP__CONTACTS_AFTER)[contacts->point_count++] =
                world->points[from->first_point + k];
    }
}

/* Whether reuse_still_manifolds copied the manifolds of a pair.  Pairs come in
 * ascending order: *next, in the solved list, is advanced to the first manifold
 * of this pair. */
static bool is_reused(const vsp_world *world, uint32_t pair,
                      const vsp__manifold **next)
{
    const vsp__manifold *end =
        world->manifolds + world->contacts[VSP__CONTACTS_SOLVED].manifold_count;

    while (*next < end && vsp__pair_key(*next) < pair)
        ++*next;
    return *next < end && vsp__pair_key(*next) == pair &&
           ((*next)->flags & VSP__STILL) != 0;
}

/* Adds the manifolds of a pair to a list.  Returns false if a capacity is
 * exhausted, or the budget of work. */
static bool add_pair_manifolds(vsp_world *world, uint32_t list, uint32_t pair)
{
    uint32_t count = find_touches(world, pair), k;

    if (is_work_done(world)) {
        world->stats.spent |= VSP_SPENT_PARTS;
        return false;
    }
    for (k = 0; k < count; k++) {
        take_touch(world, k);
        if (!add_manifold(world, list, pair, &vsp__find_of(world)->touch))
            return false;
    }
    return true;
}


/* ---- Workers ---------------------------------------------------------------
 * Workers compute the touches of a batch of pairs and, later, fill their
 * manifolds.  In between one worker reserves the places of the manifolds, pair
 * by pair.  It also does pairs with parts, which share a reducer and a budget.
 * The second half of find.pairs holds a plan for each pair of the batch. */

#if VSP_WORKERS

VSP_STATIC_ASSERT(touches_fit, sizeof(vsp__touch) <= VSP__TOUCH_BYTES);

/* pairs that are worth a piece of work: to touch, and to fill manifolds of */
#define LEAST_TOUCHES VSP__LEAST(16u)
#define LEAST_FILLS VSP__LEAST(32u)

#define BATCH ((uint32_t)VSP__TOUCH_BATCH)

enum {                 /* plans */
       PLAN_REUSED,    /* nothing is to do */
       PLAN_PARTS,     /* has parts */
       PLAN_UNTOUCHED, /* tested, and adds nothing */
       PLAN_TOUCHED,   /* adds a manifold */
       PLAN_ROLLING    /* adds one with rolling friction */
};

/* A plan is PLAN_... in these bits, and the index of the manifold above. */
#define PLAN_BITS 3u
#define PLAN_MASK 7u

typedef struct touch_work {
    vsp_world *world;
    vsp__touch *touches;
    const uint32_t *pairs; /* of the batch */
    uint32_t *plans;
    uint32_t list;
    bool reuses;
} touch_work;

static uint32_t plan_pair(const vsp_world *world, uint32_t list, uint32_t pair,
                          vsp__touch *t)
{
    if (VSP__HAS_PARTS && vsp__has_parts(world, pair))
        return PLAN_PARTS;
    if (!vsp__touch_pair_of_solids(world, pair, t) ||
        vsp__is_passed(world, list, pair, t))
        return PLAN_UNTOUCHED;
    return is_rolling_touch(world, list, pair, t) ? PLAN_ROLLING : PLAN_TOUCHED;
}

/* Returns the first manifold of the solved list whose pair is not before this
 * one. */
static const vsp__manifold *find_solved(const vsp_world *world, uint32_t pair)
{
    uint32_t low = 0;
    uint32_t high = world->contacts[VSP__CONTACTS_SOLVED].manifold_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2u;

        if (vsp__pair_key(world->manifolds + middle) < pair)
            low = middle + 1u;
        else
            high = middle;
    }
    return world->manifolds + low;
}

/* A vsp__do_piece: computes the touches and plans of some pairs. */
static void plan_some_pairs(void *work, uint32_t piece, uint32_t first,
                            uint32_t last)
{
    const touch_work *w = (const touch_work *)work;
    const vsp__manifold *next = w->reuses
                                    ? find_solved(w->world, w->pairs[first])
                                    : w->world->manifolds;
    uint32_t i;

    (void)piece;
    for (i = first; i < last; i++)
        w->plans[i] = w->reuses && is_reused(w->world, w->pairs[i], &next)
                          ? PLAN_REUSED
                          : plan_pair(w->world, w->list, w->pairs[i],
                                      w->touches + i);
}

/* Carries out the plan of pair i of a batch, but for filling.  Returns false if
 * a capacity is exhausted, or the budget of work. */
static bool follow_plan(const touch_work *w, uint32_t i)
{
    vsp_world *world = w->world;
    uint32_t plan = w->plans[i];
    vsp__manifold *m;

    if (plan == PLAN_REUSED)
        return true;
    if (plan == PLAN_PARTS)
        return add_pair_manifolds(world, w->list, w->pairs[i]);
    world->stats.touch_count++;
    vsp__pay_touch(world, w->touches + i);
    if (is_work_done(world)) {
        world->stats.spent |= VSP_SPENT_PARTS;
        return false;
    }
    if (plan == PLAN_UNTOUCHED)
        return true;
    m = reserve_manifold(world, w->list,
                         w->touches[i].count + (plan == PLAN_ROLLING ? 1u : 0));
    if (m == NULL)
        return false;
    w->plans[i] |= (uint32_t)(m - vsp__manifolds_of(world, w->list))
                   << PLAN_BITS;
    return true;
}

/* A vsp__do_piece: fills the manifolds of some pairs. */
static void fill_some_manifolds(void *work, uint32_t piece, uint32_t first,
                                uint32_t last)
{
    const touch_work *w = (const touch_work *)work;
    vsp__manifold *manifolds = vsp__manifolds_of(w->world, w->list);
    uint32_t i;

    (void)piece;
    for (i = first; i < last; i++) {
        uint32_t plan = w->plans[i] & PLAN_MASK;

        if (plan >= PLAN_TOUCHED)
            fill_places(w->world, w->list, w->pairs[i], w->touches + i,
                        plan == PLAN_ROLLING,
                        manifolds + (w->plans[i] >> PLAN_BITS));
    }
}

/* Adds the manifolds of a batch of pairs to a list.  Returns false if a
 * capacity is exhausted, or the budget of work. */
static bool add_batch(touch_work *w, uint32_t count)
{
    uint32_t i;

    vsp__share_work(w->world, plan_some_pairs, w, count, LEAST_TOUCHES);
    for (i = 0; i < count; i++)
        if (!follow_plan(w, i))
            return false;
    vsp__share_work(w->world, fill_some_manifolds, w, count, LEAST_FILLS);
    return true;
}

/* add_all_manifolds by workers. */
static bool share_all_manifolds(vsp_world *world, uint32_t list,
                                uint32_t pair_count, bool reuses)
{
    uint32_t *pairs = vsp__find_of(world)->pairs, i;
    touch_work w;

    w.world = world;
    w.touches = (vsp__touch *)(void *)vsp__crew_of(world)->touches;
    w.list = list;
    w.reuses = reuses;
    for (i = 0; i < pair_count; i += BATCH) {
        uint32_t left = pair_count - i;

        w.pairs = pairs + i;
        w.plans = pairs + VSP_MAX_PAIRS + i;
        if (!add_batch(&w, left < BATCH ? left : BATCH))
            return false;
    }
    return true;
}

#else

static bool share_all_manifolds(vsp_world *world, uint32_t list,
                                uint32_t pair_count, bool reuses)
{
    (void)world;
    (void)list;
    (void)pair_count;
    (void)reuses;
    return false;
}

#endif /* VSP_WORKERS */


/* ---- All pairs ----------------------------------------------------------- */

/* Fills a list with the manifolds of all pairs; still manifolds are reused.
 * Returns false if a capacity is exhausted, or the budget of work: the list
 * is then incomplete. */
static bool add_all_manifolds(vsp_world *world, uint32_t list,
                              uint32_t pair_count)
{
    const uint32_t *pairs = vsp__find_of(world)->pairs;
    const vsp__manifold *next = world->manifolds;
    uint32_t i;
    bool reuses = (VSP_CARRY || VSP_SUBSPACE) && list == VSP__CONTACTS_AFTER;

    begin_work(world, pair_count);
    if (reuses)
        reuse_still_manifolds(world);
    if (vsp__has_workers(world))
        return share_all_manifolds(world, list, pair_count, reuses);
    for (i = 0; i < pair_count; i++) {
        if (reuses && is_reused(world, pairs[i], &next))
            continue;
        if (!add_pair_manifolds(world, list, pairs[i]))
            return false;
    }
    return true;
}


/* ---- Exhausted capacities ------------------------------------------------
 * If not all manifolds fit, the list is built again from the pairs that touch
 * deepest; among equally deep pairs, from those with smaller keys.  The last
 * pair may keep only some of its touches.  The second half of find.pairs holds
 * a rank for each pair that touches: the bits of its deepest gap, which sort
 * like the gap (the deepest is the least), then two bits for the number of its
 * touches and four for that of its points, less one each. */

#define POINT_BITS 4u
#define NEED_BITS 6u
#define RANK_BITS (32u - NEED_BITS)

VSP_STATIC_ASSERT(needs_fit, VSP__REDUCER_GROUPS == 4);

/* the rank of a pair that does not touch: no gap of a contact is so wide */
#define NO_RANK 0xffffffffu

static uint32_t manifolds_of_rank(uint32_t rank)
{
    return VSP__HAS_PARTS ? (rank >> POINT_BITS & 3u) + 1u : 1u;
}

static uint32_t points_of_rank(uint32_t rank)
{
    return (rank & 15u) + 1u;
}

/* Makes a rank.  The gap is multiplied by 8 because in fixed point its highest
 * bits are unused, and the lowest six are dropped. */
static uint32_t make_rank(vsp__num gap, uint32_t manifolds, uint32_t points)
{
    uint32_t order = r_order(r_mul(VSP__REAL(8.0), gap));

    return order >> NEED_BITS << NEED_BITS | (manifolds - 1u) << POINT_BITS |
           (points - 1u);
}

/* Returns the rank of a pair; NO_RANK if it does not touch.  Adds its points to
 * *points. */
static uint32_t rank_pair(vsp_world *world, uint32_t list, uint32_t pair,
                          uint32_t *points)
{
    const vsp__touch *t = &vsp__find_of(world)->touch;
    uint32_t found = find_touches(world, pair), count = 0, sum = 0, k;
    vsp__num gap = VSP__FAR_LIMIT;

    for (k = 0; k < found; k++) {
        take_touch(world, k);
        if (vsp__is_passed(world, list, pair, t))
            continue;
        gap = r_min(gap, gap_of_touch(t));
        sum += t->count;
        count++;
    }
    *points += sum;
    return count > 0 ? make_rank(gap, count, sum) : NO_RANK;
}

/* Fills the ranks of all pairs, and the number of their points.  Returns false
 * if the budget of work is used up. */
static bool rank_pairs(vsp_world *world, uint32_t list, uint32_t pair_count,
                       uint32_t *points)
{
    uint32_t *pairs = vsp__find_of(world)->pairs, i;

    *points = 0;
    begin_work(world, pair_count);
    for (i = 0; i < pair_count; i++) {
        pairs[VSP_MAX_PAIRS + i] = rank_pair(world, list, pairs[i], points);
        if (is_work_done(world))
            return false;
    }
    return true;
}

/* Removes the pairs that do not touch from find.pairs.  Returns how many are
 * left. */
static uint32_t take_out_untouched(vsp_world *world, uint32_t pair_count)
{
    uint32_t *pairs = vsp__find_of(world)->pairs, left = 0, i;
    uint32_t *ranks = pairs + VSP_MAX_PAIRS;

    for (i = 0; i < pair_count; i++)
        if (ranks[i] != NO_RANK) {
            pairs[left] = pairs[i];
            ranks[left++] = ranks[i];
        }
    return left;
}

/* Counts the manifolds of pairs whose gap bits are below a limit, and their
 * points. */
static void count_deeper(const uint32_t *ranks, uint32_t pair_count,
                         uint32_t limit, vsp__contact_counts *sum)
{
    uint32_t i;

    sum->manifold_count = sum->point_count = 0;
    for (i = 0; i < pair_count; i++)
        if (ranks[i] >> NEED_BITS < limit) {
            sum->manifold_count += manifolds_of_rank(ranks[i]);
            sum->point_count += points_of_rank(ranks[i]);
        }
}

/* Whether the counted manifolds and points, and some more, fit into a list.  If
 * shapes have rolling friction, each manifold may take one place more. */
static bool has_room_for(const vsp_world *world, uint32_t list,
                         const vsp__contact_counts *sum, uint32_t manifolds,
                         uint32_t points)
{
    manifolds += sum->manifold_count;
    points += sum->point_count;
    if (VSP_ROLLING && vsp__is_rolling(world))
        points += manifolds;
    return manifolds <= world->params.capacity.manifolds &&
           points <= max_points(world, list);
}

/* Returns the largest limit below which all manifolds fit, found bit by bit. */
static uint32_t depth_limit(const vsp_world *world, uint32_t list,
                            const uint32_t *ranks, uint32_t pair_count)
{
    uint32_t limit = 0, bit;
    vsp__contact_counts sum;

    for (bit = (uint32_t)1 << (RANK_BITS - 1u); bit > 0; bit >>= 1) {
        count_deeper(ranks, pair_count, limit | bit, &sum);
        if (has_room_for(world, list, &sum, 0, 0))
            limit |= bit;
    }
    return limit;
}

/* Adds as many touches of a pair as fit to the counts.  Returns how many. */
static uint32_t count_touches(const vsp_world *world, uint32_t list,
                              uint32_t rank, vsp__contact_counts *sum)
{
    uint32_t manifolds = manifolds_of_rank(rank);
    uint32_t points = points_of_rank(rank);

    while (manifolds > 0 && !has_room_for(world, list, sum, manifolds, points))
        if (points > 4u * --manifolds)
            points = 4u * manifolds;
    sum->manifold_count += manifolds;
    sum->point_count += manifolds > 0 ? points : 0;
    return manifolds;
}

/* Removes refused pairs from find.pairs: those above the limit, and those at
 * the limit that no longer fit.  Returns how many are left. */
static uint32_t refuse_pairs(vsp_world *world, uint32_t list,
                             uint32_t pair_count)
{
    uint32_t *pairs = vsp__find_of(world)->pairs, left = 0, i;
    uint32_t *ranks = pairs + VSP_MAX_PAIRS;
    uint32_t limit = depth_limit(world, list, ranks, pair_count);
    vsp__contact_counts sum;

    count_deeper(ranks, pair_count, limit, &sum);
    for (i = 0; i < pair_count; i++) {
        uint32_t gap = ranks[i] >> NEED_BITS;
        uint32_t touches = manifolds_of_rank(ranks[i]);

        if (gap >= limit)
            touches = gap == limit ? count_touches(world, list, ranks[i], &sum)
                                   : 0;
        if (touches == 0)
            continue;
        pairs[left] = pairs[i];
        ranks[left++] = (touches - 1u) << POINT_BITS;
    }
    return left;
}

/* Returns the number of points in a list, without places for rolling. */
static uint32_t count_real_points(vsp_world *world, uint32_t list)
{
    const vsp__contact_counts *contacts = world->contacts + list;
    uint32_t count = contacts->point_count, i;

    for (i = 0; VSP_ROLLING && i < contacts->manifold_count; i++)
        if (vsp__rolls(vsp__manifolds_of(world, list) + i))
            count--;
    return count;
}

/* Fills an empty list with the manifolds of the deepest pairs.  Returns how
 * many points were dropped. */
static uint32_t add_deepest_manifolds(vsp_world *world, uint32_t list,
                                      uint32_t pair_count)
{
    const uint32_t *pairs = vsp__find_of(world)->pairs;
    uint32_t points, i, k;

    if (!rank_pairs(world, list, pair_count, &points)) {
        world->stats.spent |= VSP_SPENT_PARTS;
        (void)rank_pairs(world, list, pair_count, &points);
    }
    pair_count = take_out_untouched(world, pair_count);
    pair_count = refuse_pairs(world, list, pair_count);
    for (i = 0; i < pair_count; i++) {
        uint32_t end = world->contacts[list].manifold_count +
                       manifolds_of_rank(pairs[VSP_MAX_PAIRS + i]);
        uint32_t found = find_touches(world, pairs[i]);

        for (k = 0; k < found && world->contacts[list].manifold_count < end;
             k++) {
            take_touch(world, k);
            (void)add_manifold(world, list, pairs[i],
                               &vsp__find_of(world)->touch);
        }
    }
    return points - count_real_points(world, list);
}


/* ---- Detection ----------------------------------------------------------- */

static void raise_high_mark(uint32_t *high, uint32_t count)
{
    if (*high < count)
        *high = count;
}

static void count_contacts(vsp__counters *stats,
                           const vsp__contact_counts *contacts,
                           uint32_t pair_count)
{
    stats->pair_count = pair_count;
    stats->manifold_count = contacts->manifold_count;
    stats->contact_count = contacts->point_count;
    raise_high_mark(&stats->pair_high, stats->pair_count);
    raise_high_mark(&stats->manifold_high, stats->manifold_count);
    raise_high_mark(&stats->contact_high, stats->contact_count);
}

void vsp__detect_contacts(vsp_world *world, uint32_t list)
{
    vsp__contact_counts *contacts = world->contacts + list;
    uint32_t pair_count;

    contacts->manifold_count = contacts->point_count = contacts->dropped = 0;
    if (VSP_SHELLS && list == VSP__CONTACTS_SOLVED)
        vsp__show_paths(world);
    vsp__update_shape_bounds(world);
    if (VSP_SHELLS)
        vsp__add_path_bounds(world);
    pair_count = vsp__find_pairs(world, &contacts->dropped);
    if (VSP_EVENTS) {
        if (list == VSP__CONTACTS_SOLVED)
            world->sensing_count = 0;
        pair_count = take_out_sensors(world, list, pair_count);
    }
    if (!add_all_manifolds(world, list, pair_count)) {
        contacts->manifold_count = contacts->point_count = 0;
        contacts->dropped += add_deepest_manifolds(world, list, pair_count);
    }
    if (list == VSP__CONTACTS_SOLVED)
        count_contacts(&world->stats, contacts, pair_count);
    if (VSP_SHELLS)
        vsp__paths_of(world)->shown = 0;
}

bool vsp__are_bounds_near(const vsp_world *world, uint32_t a, uint32_t b)
{
    vsp__pose pose;
    vsp__aabb bounds[2];

    vsp__update_shape(world, b, &pose, &bounds[1]);
    vsp__update_shape(world, a, &pose, &bounds[0]);
    if (world->shapes[a].type == VSP_SHAPE_HALF_SPACE)
        return vsp__bounds_reach(&bounds[1], &pose,
                                 u_mul(VSP__UNIT(0.5), world->params.envelope));
    return vsp__bounds_overlap(&bounds[0], &bounds[1]);
}
