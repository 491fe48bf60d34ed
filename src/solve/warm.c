/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Impulses from step to step, in warm records.  A record is matched by its pair
 * and feature; it has no field for the feature, whose eight bits replace the
 * last four of both tangential impulses.  Records and manifolds are in the
 * order of pairs.  In this order: the feature, records at the beginning of a
 * step, records at its end. */

#include "solve.h"

static VSP__CALLED uint32_t warm_feature(const vsp__warm_record *w)
{
    return (w_bits(w->tangent1) & 15u) | (w_bits(w->tangent2) & 15u) << 4;
}

/* replaces the last four bits of a number */
static vsp__wide with_nibble(vsp__wide a, uint32_t nibble)
{
    return w_from_bits((w_bits(a) & ~(uint32_t)15) | nibble);
}

void vsp__save_sleeping_records(vsp_world *world)
{
    const vsp__warm_record *warm = world->problem.between.warm;
    vsp__warm_record *saved = vsp__sleeping_records(world);
    uint32_t i;

    for (i = 0; world->sleeping_record_count > 0 && i < world->warm_count; i++)
        if (VSP_SLEEP && vsp__is_sleeping_pair(world, &warm[i]))
            *saved++ = warm[i];
}

/* The manifolds of one pair in the solved list, a half-open interval. */
typedef struct pair_range {
    uint32_t first, last;
} pair_range;

static void find_pair_range(const vsp_world *world, uint32_t first,
                            pair_range *pair)
{
    uint32_t count = world->contacts[VSP__CONTACTS_SOLVED].manifold_count;
    uint32_t key = vsp__pair_key(world->manifolds + first);

    pair->first = first;
    pair->last = first + 1u;
    while (pair->last < count &&
           vsp__pair_key(world->manifolds + pair->last) == key)
        pair->last++;
}

/* Returns the point of a pair with this feature; null if there is none. */
static vsp__manifold_point *find_point(vsp_world *world, const pair_range *pair,
                                       uint32_t feature)
{
    uint32_t i, j;

    for (i = pair->first; i < pair->last; i++) {
        const vsp__manifold *m = world->manifolds + i;

        for (j = 0; j < m->point_count; j++)
            if (m->feature[j] == feature)
                return world->points + m->first_point + j;
    }
    return (vsp__manifold_point *)0;
}

static VSP__CALLED void add_record(const vsp__warm_record *w,
                                   vsp__wide impulse[3])
{
    impulse[0] = w_add(impulse[0], w->normal);
    impulse[1] = w_add(impulse[1], with_nibble(w->tangent1, 0));
    impulse[2] = w_add(impulse[2], with_nibble(w->tangent2, 0));
}

/* Whether a point touches, and no record matched it. */
static bool is_new_point(const vsp_world *world, const vsp__manifold_point *p)
{
    return p->gap <= vsp__touch_width(world) &&
           !w_less(VSP__W_ZERO, p->multiplier.impulse[0]);
}

/* Counts the new points of a pair, and sets their impulse to *impulse unless
 * that is null. */
static uint32_t give_new_points(vsp_world *world, const pair_range *pair,
                                const vsp__wide *impulse)
{
    const vsp__manifold *last = world->manifolds + pair->last - 1;
    vsp__manifold_point *p = world->points +
                             world->manifolds[pair->first].first_point,
                        *end = world->points + last->first_point +
                               last->point_count;
    uint32_t k, count = 0;

    for (; p < end; p++) {
        if (!is_new_point(world, p))
            continue;
        count++;
        for (k = 0; impulse && k < 3; k++)
            p->multiplier.impulse[k] = impulse[k];
    }
    return count;
}

/* Returns the place of rolling friction in the manifold of a pair that has a
 * point with this feature or, if none has, in the first one; null if the pair
 * has none. */
static vsp__manifold_point *find_roll_point(vsp_world *world,
                                            const pair_range *pair,
                                            uint32_t feature)
{
    vsp__manifold_point *found = NULL;
    uint32_t i, j;

    for (i = pair->last; i-- > pair->first;) {
        const vsp__manifold *m = world->manifolds + i;
        vsp__manifold_point *p = world->points + m->first_point +
                                 m->point_count;

        if (!vsp__rolls(m))
            continue;
        found = p;
        for (j = 0; j < m->point_count; j++)
            if (m->feature[j] == feature)
                return p;
    }
    return found;
}

static void add_roll_record(vsp_world *world, const pair_range *pair,
                            const vsp__warm_record *w)
{
    vsp__manifold_point *p = find_roll_point(world, pair, warm_feature(w));

    if (p == NULL)
        return;
    p->multiplier.impulse[1] = with_nibble(w->tangent1, 0);
    p->multiplier.impulse[2] = with_nibble(w->tangent2, 0);
}

/* Whether a point of a manifold overlaps by more than the touch width. */
static bool is_any_deep(const vsp_world *world, const vsp__manifold *m)
{
    vsp__num deepest = r_neg(vsp__touch_width(world));
    uint32_t j = 0;

    while (j < m->point_count &&
           !(world->points[m->first_point + j].gap < deepest))
        j++;
    return j < m->point_count;
}

/* How far the points of a manifold went round their face, so that the point of
 * record i is now point i + *shift.  Some of the points, but not all, have
 * other features; two or more that last must agree.  Returns false if they do
 * not. */
static bool find_shift(const vsp__manifold *m, const vsp__warm_record *warm,
                       uint32_t *shift)
{
    uint32_t count = m->point_count, lasting = 0, i, j;

    for (i = 0; i < count; i++) {
        if (!w_less(VSP__W_ZERO, warm[i].normal))
            return false;
        for (j = 0; j < count && m->feature[j] != warm_feature(warm + i);)
            j++;
        if (j == count)
            continue;
        j += j < i ? count : 0;
        if (lasting++ > 0 && j - i != *shift)
            return false;
        *shift = j - i;
    }
    return lasting >= 2;
}

/* Gives new points the impulses of the vanished points at their places: corners
 * of equal faces may change their features, and a pile at rest must not notice.
 * `first` to `last` - 1 are the records of the pair.  Returns false, and
 * changes nothing, if it is not known which place is whose: points were added,
 * or left, or changed their order, or the shapes overlap deeply and are no pile
 * at rest. */
static bool give_by_place(vsp_world *world, const pair_range *pair,
                          uint32_t first, uint32_t last)
{
    const vsp__warm_record *warm = world->problem.between.warm + first;
    const vsp__manifold *m = world->manifolds + pair->first;
    uint32_t count = m->point_count, shift = 0, i;

    if (pair->last - pair->first > 1u || last - first != count ||
        !find_shift(m, warm, &shift) || is_any_deep(world, m))
        return false;
    for (i = 0; i < count; i++) {
        uint32_t j = i + shift < count ? i + shift : i + shift - count;
        vsp__manifold_point *p = world->points + m->first_point + j;

        if (m->feature[j] != warm_feature(warm + i))
            add_record(warm + i, p->multiplier.impulse);
    }
    return true;
}

/* Loads the records of a pair, which begin at index `next`.  New points get the
 * impulses of vanished ones, one by one or else in equal shares, so that a pair
 * that switches faces keeps its load.  Returns the index of the next pair's
 * first record. */
static uint32_t load_pair_records(vsp_world *world, const pair_range *pair,
                                  uint32_t next)
{
    const vsp__warm_record *warm = world->problem.between.warm;
    uint32_t key = vsp__pair_key(world->manifolds + pair->first), k, count;
    uint32_t first = next;
    vsp__wide gone[3] = {VSP__W_ZERO, VSP__W_ZERO, VSP__W_ZERO};

    for (; next < world->warm_count && warm[next].pair == key; next++) {
        vsp__manifold_point *p;

        if (vsp__is_roll_record(warm + next)) {
            add_roll_record(world, pair, warm + next);
            continue;
        }
        p = find_point(world, pair, warm_feature(warm + next));
        add_record(warm + next, p ? p->multiplier.impulse : gone);
    }
    if (!w_less(VSP__W_ZERO, gone[0]) ||
        give_by_place(world, pair, first, next))
        return next;
    count = give_new_points(world, pair, NULL);
    if (count == 0)
        return next;
    for (k = 0; k < 3; k++)
        gone[k] = w_flush(
            w_div(gone[k], w_of_real(r_from_int((int32_t)count))));
    (void)give_new_points(world, pair, gone);
    return next;
}

/* Loads the records of the manifolds first to last - 1, from the record at
 * index `next` on. */
static void load_records(vsp_world *world, uint32_t first, uint32_t last,
                         uint32_t next)
{
    const vsp__warm_record *warm = world->problem.between.warm;
    pair_range pair;

    for (pair.last = first; pair.last < last;) {
        find_pair_range(world, pair.last, &pair);
        while (next < world->warm_count &&
               warm[next].pair < vsp__pair_key(world->manifolds + pair.first))
            next++;
        next = load_pair_records(world, &pair, next);
    }
}

/* Returns the first manifold from index i on that begins a pair. */
static uint32_t first_of_pair(const vsp_world *world, uint32_t i)
{
    const vsp__manifold *m = world->manifolds;
    uint32_t count = world->contacts[VSP__CONTACTS_SOLVED].manifold_count;

    while (i > 0 && i < count &&
           vsp__pair_key(m + i) == vsp__pair_key(m + i - 1u))
        i++;
    return i;
}

/* Returns the index of the first record with this key or a larger one. */
static uint32_t find_record(const vsp_world *world, uint32_t key)
{
    const vsp__warm_record *warm = world->problem.between.warm;
    uint32_t low = 0, high = world->warm_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2u;

        if (warm[middle].pair < key)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

/* A vsp__do_piece: loads the records of pairs that begin in the piece. */
static void load_piece(void *work, uint32_t piece, uint32_t first,
                       uint32_t last)
{
    vsp_world *world = (vsp_world *)work;
    uint32_t next = 0;

    if (VSP_WORKERS) {
        first = first_of_pair(world, first);
        last = first_of_pair(world, last);
    }
    if (VSP_WORKERS && piece > 0 && first < last)
        next = find_record(world, vsp__pair_key(world->manifolds + first));
    load_records(world, first, last, next);
}

/* Manifolds that are worth a piece of work. */
#define LEAST_LOADED VSP__LEAST(128u)

void vsp__load_warm_records(vsp_world *world)
{
    vsp__share_work(world, load_piece, world,
                    world->contacts[VSP__CONTACTS_SOLVED].manifold_count,
                    LEAST_LOADED);
}

/* Converts the multipliers of rolling friction into impulses. */
static void store_roll(const vsp__manifold_view *s, const vsp__v3 *tangents)
{
    vsp__multiplier *x = &s->points[s->m->point_count].multiplier;
    vsp__wide scale = VSP_ROLLING ? vsp__roll_scale(s) : VSP__W_ZERO;
    uint32_t k;

    vsp__rotate_tangents(x->row, &s->block->axes.axis[1], tangents);
    for (k = 1; k < 3; k++)
        x->impulse[k] = vsp__clamp_impulse(w_mul(w_of_rate(x->row[k]), scale));
    x->impulse[0] = VSP__W_ZERO;
}

/* An impulse is stored along the two tangents that depend on the normal alone,
 * because the blocks of the next step may have other tangents. */
static void store_manifold_impulses(const vsp__manifold_view *s)
{
    vsp__v3 own[2];
    const vsp__v3 *t = vsp__normal_tangents(s, own);
    vsp__wide mass = w_div(VSP__W_ONE, s->block->inv_mass);
    uint32_t j, k;

    for (j = 0; j < s->m->point_count; j++) {
        vsp__multiplier *x = &s->points[j].multiplier;

        vsp__rotate_tangents(x->row, &s->block->axes.axis[1], t);
        for (k = 0; k < 3; k++)
            x->impulse[k] = vsp__clamp_impulse(
                w_mul(w_of_rate(x->row[k]), mass));
    }
    if (VSP_ROLLING && vsp__rolls(s->m))
        store_roll(s, t);
}

typedef struct store_work { /* impulses of the manifolds of a span */
    vsp_world *world;
    const vsp__span *span;
} store_work;

/* A vsp__do_piece. */
static void store_piece(void *work, uint32_t piece, uint32_t first,
                        uint32_t last)
{
    const store_work *job = (const store_work *)work;
    vsp__manifold_view s;

    (void)piece;
    for (; first < last; first++) {
        vsp__view_by_place(job->world, job->span, job->span->first + first, &s);
        store_manifold_impulses(&s);
    }
}

/* Manifolds that are worth a piece of work. */
#define LEAST_STORED VSP__LEAST(64u)

void vsp__store_contact_impulses(vsp_world *world, const vsp__span *span)
{
    store_work job;

    job.world = world;
    job.span = span;
    vsp__share_work(world, store_piece, &job, span->last - span->first,
                    LEAST_STORED);
}

void vsp__store_impulses(vsp_world *world, const vsp__span *span)
{
    vsp__store_contact_impulses(world, span);
    if (VSP_JOINTS)
        vsp__store_joint_impulses(world, span);
    if (VSP_RANGES)
        vsp__give_range_loads(world, span, false);
}

/* Appends to the records, whose end is *end, the saved ones of sleeping pairs
 * before a key, from index `next`.  Returns the index of the first that is
 * left. */
static uint32_t take_sleeping_records(vsp_world *world, uint32_t next,
                                      uint32_t key, vsp__warm_record **end)
{
    const vsp__warm_record *saved = vsp__sleeping_records(world);

    while (VSP_SLEEP && next < world->sleeping_record_count &&
           saved[next].pair < key)
        *(*end)++ = saved[next++];
    return next;
}

/* Whether a point touches, and the next step must know. */
static bool is_recalled(const vsp_world *world, uint32_t point)
{
    return vsp__recalls_touches(&world->params, vsp__has_pair_rules(world)) &&
           w_less(VSP__W_ZERO, w_flush(*vsp__whole_impulse(world, point)));
}

/* Makes the record of rolling friction.  Returns false if it has no impulse. */
static bool make_roll_record(const vsp_world *world, const vsp__manifold *m,
                             vsp__warm_record *w)
{
    const vsp__wide *x =
        world->points[m->first_point + m->point_count].multiplier.impulse;

    if (w_is_zero(w_flush(x[1])) && w_is_zero(w_flush(x[2])))
        return false;
    w->pair = vsp__pair_key(m);
    w->normal = w_neg(VSP__W_ONE);
    w->tangent1 = with_nibble(w_flush(x[1]), m->feature[0] & 15u);
    w->tangent2 = with_nibble(w_flush(x[2]), (uint32_t)m->feature[0] >> 4);
    return true;
}

/* Makes the record of point j of a manifold.  Points without a normal impulse
 * get none; exception: a point of SHOCK that had one in dynamics(a dT) gets one
 * if the next step must know.  Returns whether there is one. */
static bool make_record(const vsp_world *world, const vsp__manifold *m,
                        uint32_t j, vsp__warm_record *w)
{
    const vsp__wide *x = world->points[m->first_point + j].multiplier.impulse;

    if (!w_less(VSP__W_ZERO, w_flush(x[0])) &&
        !is_recalled(world, m->first_point + j))
        return false;
    w->pair = vsp__pair_key(m);
    w->normal = x[0];
    w->tangent1 = with_nibble(w_flush(x[1]), m->feature[j] & 15u);
    w->tangent2 = with_nibble(w_flush(x[2]), (uint32_t)m->feature[j] >> 4);
    return true;
}

/* Makes the records of a manifold from *w on.  Returns the end of them. */
static vsp__warm_record *make_records(const vsp_world *world,
                                      const vsp__manifold *m,
                                      vsp__warm_record *w)
{
    uint32_t j;

    for (j = 0; j < m->point_count; j++)
        if (make_record(world, m, j, w))
            w++;
    if (VSP_ROLLING && vsp__rolls(m) && make_roll_record(world, m, w))
        w++;
    return w;
}

/* Workers store the records of a piece from the index of its first point on,
 * where there is room for all its points; then they are moved together. */
#if VSP_WORKERS

typedef struct record_work { /* the records of all manifolds */
    vsp_world *world;
    vsp__sums first, count; /* records of each piece */
} record_work;

/* A vsp__do_piece. */
static void record_piece(void *work, uint32_t piece, uint32_t first,
                         uint32_t last)
{
    record_work *job = (record_work *)work;
    vsp__warm_record *warm = job->world->problem.between.warm;
    uint32_t begin = job->world->manifolds[first].first_point;
    vsp__warm_record *end = warm + begin;

    for (; first < last; first++)
        end = make_records(job->world, job->world->manifolds + first, end);
    job->first.of[piece] = begin;
    job->count.of[piece] = (uint32_t)(end - warm) - begin;
}

/* Manifolds that are worth a piece of work. */
#define LEAST_RECORDED VSP__LEAST(128u)

/* Stores the records of a world in which nothing sleeps.  Returns false, and
 * does nothing, if workers should not. */
static bool store_shared(vsp_world *world)
{
    vsp__warm_record *warm = world->problem.between.warm;
    record_work job;
    uint32_t i, k;

    if (!vsp__has_workers(world) || world->sleeping_record_count > 0)
        return false;
    vsp__zero_bytes(&job, sizeof job);
    job.world = world;
    vsp__share_work(world, record_piece, &job,
                    world->contacts[VSP__CONTACTS_SOLVED].manifold_count,
                    LEAST_RECORDED);
    world->warm_count = 0;
    for (i = 0; i < VSP__MOST_PIECES; i++)
        for (k = 0; k < job.count.of[i]; k++)
            warm[world->warm_count++] = warm[job.first.of[i] + k];
    return true;
}

#else

static bool store_shared(vsp_world *world)
{
    (void)world;
    return false;
}

#endif

void vsp__store_warm_records(vsp_world *world)
{
    const vsp__manifold *m = world->manifolds;
    const vsp__manifold *last =
        m + world->contacts[VSP__CONTACTS_SOLVED].manifold_count;
    vsp__warm_record *end = world->problem.between.warm;
    uint32_t next = 0;

    if (store_shared(world))
        return;
    for (; m < last; m++) {
        if (VSP_SLEEP)
            next = take_sleeping_records(world, next, vsp__pair_key(m), &end);
        end = make_records(world, m, end);
    }
    if (VSP_SLEEP)
        (void)take_sleeping_records(world, next, 0xffffffffu, &end);
    world->warm_count = (uint32_t)(end - world->problem.between.warm);
}
