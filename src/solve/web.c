/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Webs: joints between several anchors, as those of a rope bridge or a cable
 * car.  Optional: VSP_RANGES.
 *
 * A chain between two anchors sags, so the distance of its ends says nothing of
 * its joints, and ranges do not bear its load (range.c).  The levels of section
 * 3.2 do not pass the load of some hundred links on, either.  Here the rows
 * that hold the anchors of all joints together are solved at once, before each
 * sweep, by a Cholesky factor of their matrix J M^-1 J^T.  Sweeps do the rest:
 * limits, turns and contacts.
 *
 * The order of the joints keeps the matrix narrow: reverse Cuthill-McKee, from
 * one anchor.  Each joint has three rows, from its first to its last column
 * (George and Liu, Computer Solution of Large Sparse Positive Definite Systems,
 * 1981, chapter 4), in memory of the rows of the step that its type does not
 * use.  So a web takes memory and time in proportion to its joints, and where a
 * row does not fit, sweeps have to do.
 *
 * In this order: places in memory; the search; vibrations; the matrix; its
 * factor; the solve. */

#include "solve.h"

#if VSP_RANGES

/* The bodies of a web weigh more than WEB_RATIO times its lightest one, as that
 * of a range. */
#define WEB_RATIO VSP__REAL(64.0)

/* A spring, this part of the diagonal, because rows may contradict each other,
 * as those of a straight chain.  The next sweep takes what it leaves. */
#define WEB_SPRING VSP__UNIT(1e-6)


/* ---- Places in memory ---------------------------------------------------- */

static vsp__step_joint *web_joint(const vsp_world *world, uint32_t slot)
{
    return vsp__step_joints_of(vsp__joint_pool_of(world)) + slot;
}

/* the slot of the joint at a place in the order */
static uint32_t slot_at(const vsp_world *world, uint32_t place)
{
    return web_joint(world, place)->web.slot;
}

static vsp__step_joint *joint_at_place(const vsp_world *world, uint32_t place)
{
    return web_joint(world, slot_at(world, place));
}

/* The numbers in a row of a joint: those of all joints from its reach on. */
static uint32_t web_width(const vsp__step_joint *j)
{
    return 3u * (j->web.reach + 1u);
}

/* Row k of a joint in the matrix. */
static vsp__num *web_row(vsp__step_joint *j, uint32_t k)
{
    return (vsp__num *)(void *)(j->rows + j->web.top) + k * web_width(j);
}

/* Whether a row is solved with the web: it holds, and is no spring. */
static bool is_web_row(const vsp__step_joint *j, uint32_t k)
{
    const vsp__joint_row *row = j->rows + k;

    return (j->used >> k & 1u) != 0 && !(row->low < row->high) &&
           !(row->yield < VSP__UNIT(1.0));
}


/* ---- The search ---------------------------------------------------------- */

typedef struct web_search {
    uint32_t first, end; /* places */
    uint32_t body_count;
    vsp__wide mass, lightest; /* of all bodies, of one: kg */
    bool has_hinge;
} web_search;

static void list_web_joint(vsp_world *world, web_search *s, uint32_t slot)
{
    uint8_t *flags = &web_joint(world, slot)->range.flags;

    if (*flags & VSP__RANGE_LISTED)
        return;
    *flags |= VSP__RANGE_LISTED;
    if (vsp__joint_pool_of(world)->joints[slot].type == VSP_JOINT_HINGE)
        s->has_hinge = true;
    web_joint(world, s->end++)->web.slot = (uint16_t)slot;
}

/* Lists the joints of a body, the first time that the search comes to it, which
 * its first link stores. */
static void list_web_body(vsp_world *world, web_search *s, uint32_t body)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t link = pool->first[body];
    vsp__wide mass = world->bodies[body].mass_data.mass;
    uint8_t *flags = &web_joint(world, (link - 1u) / 2)->range.flags;
    uint8_t crossed = (uint8_t)(VSP__RANGE_CROSSED << (link - 1u) % 2);

    if (!vsp__is_dynamic(world->bodies + body) || (*flags & crossed) != 0)
        return;
    *flags |= crossed;
    s->mass = w_add(s->mass, mass);
    if (s->body_count++ == 0 || w_less(mass, s->lightest))
        s->lightest = mass;
    for (; link != 0; link = pool->next[link - 1u])
        list_web_joint(world, s, (link - 1u) / 2);
}

/* Reverses the order, and gives each joint its place. */
static void number_joints(vsp_world *world, const web_search *s)
{
    uint32_t low = s->first, high = s->end;

    while (low < high) {
        uint32_t a = slot_at(world, low), b = slot_at(world, --high);

        web_joint(world, low)->web.slot = (uint16_t)b;
        web_joint(world, high)->web.slot = (uint16_t)a;
        web_joint(world, a)->web.place = (uint16_t)(high + 1u);
        web_joint(world, b)->web.place = (uint16_t)(++low);
    }
}

/* Finds how many places before its own a joint's rows begin.  Returns whether
 * there is room for them. */
static bool find_reach(vsp_world *world, uint32_t slot)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const vsp__joint *j = pool->joints + slot;
    vsp__joint_web *web = &web_joint(world, slot)->web;
    uint32_t rows = vsp__rows_of_joint(j), reach = 0, k;
    size_t room;

    for (k = 0; k < 2; k++) {
        uint32_t link = pool->first[j->body[k]];

        if (!vsp__is_dynamic(world->bodies + j->body[k]))
            continue;
        for (; link != 0; link = pool->next[link - 1u]) {
            uint32_t place = web_joint(world, (link - 1u) / 2)->web.place;

            if (place < web->place && web->place - place > reach)
                reach = web->place - place;
        }
    }
    for (web->top = 3; rows >> web->top != 0;)
        web->top++;
    room = (VSP__STEP_ROWS - web->top) * sizeof(vsp__joint_row);
    web->reach = (uint8_t)reach;
    return 9u * (reach + 1u) * sizeof(vsp__num) <= room;
}

/* Whether what the search found is a web: there are loops, a large load, no
 * hinge loop, and room. */
static bool is_web(vsp_world *world, const web_search *s)
{
    uint32_t i;

    if (s->end - s->first <= s->body_count ||
        !w_less(w_mul(w_of_real(WEB_RATIO), s->lightest), s->mass))
        return false;
    if (VSP_HINGE_LOOPS && s->has_hinge)
        (void)vsp__find_hinge_loops(world);
    number_joints(world, s);
    for (i = s->first; i < s->end; i++)
        if ((VSP_HINGE_LOOPS && s->has_hinge &&
             vsp__is_in_hinge_loop(world, slot_at(world, i))) ||
            !find_reach(world, slot_at(world, i)))
            return false;
    return true;
}

/* Whether the search starts at a joint: it holds an awake body to one that does
 * not move. */
static bool is_web_start(const vsp_world *world, uint32_t slot)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    const vsp__body *a = world->bodies + j->body[0];
    const vsp__body *b = world->bodies + j->body[1];

    return vsp__is_holding(j) && vsp__is_dynamic(a) != vsp__is_dynamic(b) &&
           vsp__is_awake(vsp__is_dynamic(a) ? a : b) &&
           !(web_joint(world, slot)->range.flags & VSP__RANGE_LISTED);
}

/* A breadth-first search, as places are a queue. */
static void search_web(vsp_world *world, web_search *s, uint32_t slot)
{
    const vsp__joint *joints = vsp__joint_pool_of(world)->joints;
    uint32_t i;

    s->end = s->first;
    s->body_count = 0;
    s->mass = s->lightest = VSP__W_ZERO;
    s->has_hinge = false;
    list_web_joint(world, s, slot);
    for (i = s->first; i < s->end; i++) {
        const uint16_t *body = joints[slot_at(world, i)].body;

        list_web_body(world, s, body[0]);
        list_web_body(world, s, body[1]);
    }
}

void vsp__find_webs(vsp_world *world)
{
    uint32_t count = vsp__joint_pool_of(world)->limit, i, k;
    web_search s;

    for (i = 0; i < count; i++)
        vsp__zero_bytes(&web_joint(world, i)->web, sizeof(vsp__joint_web));
    s.first = 0;
    for (i = 0; vsp__has_ranges(world) && i < count; i++) {
        bool is_found;

        if (!is_web_start(world, i))
            continue;
        search_web(world, &s, i);
        is_found = is_web(world, &s);
        for (k = s.first; k < s.end; k++) {
            vsp__step_joint *j = joint_at_place(world, k);

            if (is_found)
                j->range.flags |= VSP__RANGE_SPANNED;
            else
                j->web.place = 0;
        }
        if (!is_found)
            continue;
        joint_at_place(world, s.first)->web.count = (uint16_t)(s.end - s.first);
        joint_at_place(world, s.first)->range.lightest = s.lightest;
        s.first = s.end;
    }
}


/* ---- Vibrations ----------------------------------------------------------
 * The strain of its pulls (motion.c) adds to the inertia of a body, so it
 * vibrates no faster than a step can follow.  But nothing ends the vibration,
 * and noise of the pulls feeds it.  The part of the spin's momentum that strain
 * added is no motion of mass: an implicit step would not keep it, and without
 * it vibrations end at once.  A swing of the frequency w loses the part
 * w dt / 4 of the critical damping. */

void vsp__calm_webs(vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < world->body_limit; i++) {
        vsp__v3 *spin = &world->bodies[i].spin;
        uint32_t link = pool->first[i];

        if (link == 0 || !vsp__is_dynamic(world->bodies + i) ||
            web_joint(world, (link - 1u) / 2)->web.place == 0)
            continue;
        vsp__mul_inertia(world, i, spin);
        s3_mul_to(&vsp__solve_of(world)->inverse[i].inertia, spin, spin);
        vsp__flush_each(spin, 3);
        vsp__solve_of(world)->velocity[i].angular = *spin;
    }
}


/* ---- The matrix ----------------------------------------------------------
 * Its rows and columns are scaled by the square roots of the rows' masses, so
 * the diagonal is 1, and no number is larger. */

/* Adds what joins joints p and q, at places p >= q: that body a of p is body b
 * of q.  row->turn and row->lever have the inverse inertia between them. */
static void couple_joints(vsp_world *world, uint32_t p, uint32_t q, uint32_t a,
                          uint32_t b)
{
    vsp__step_joint *s = joint_at_place(world, p);
    vsp__step_joint *t = joint_at_place(world, q);
    uint32_t k, l;

    for (k = 0; k < 3; k++)
        for (l = 0; l < (p == q ? k : 3u); l++) {
            const vsp__joint_row *of = s->rows + k, *on = t->rows + l;
            vsp__num *sum = web_row(s, k) + 3u * (q + s->web.reach - p) + l;
            vsp__num x;

            if (!is_web_row(s, k) || !is_web_row(t, l))
                continue;
            x = u_mul(u3_dot_at(&of->axis, &on->axis), of->share[a]);
            x = r_add(x, w_to_unit(w_of_square(
                             v3_product_at(&of->turn[a], &on->lever[b]))));
            x = r_mul(x, r_div(t->web.scale[l], s->web.scale[k]));
            *sum = r_add(*sum, r_signed(x, a != b));
        }
}

/* Fills the rows of the joint at place p. */
static void fill_web_rows(vsp_world *world, uint32_t p, vsp__wide lightest)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const uint16_t *body = pool->joints[slot_at(world, p)].body;
    vsp__step_joint *j = joint_at_place(world, p);
    uint32_t k;

    vsp__zero_bytes(web_row(j, 0), 3u * web_width(j) * sizeof(vsp__num));
    for (k = 0; k < 3; k++) {
        web_row(j, k)[web_width(j) - 3u + k] = r_add(VSP__UNIT(1.0),
                                                     WEB_SPRING);
        if (is_web_row(j, k))
            j->web.scale[k] = vsp__square_root(
                square_of_wide(w_div(j->rows[k].mass, lightest)));
    }
    for (k = 0; k < 2; k++) {
        uint32_t link = pool->first[body[k]];

        for (; link != 0 && vsp__is_dynamic(world->bodies + body[k]);
             link = pool->next[link - 1u]) {
            uint32_t q = web_joint(world, (link - 1u) / 2)->web.place - 1u;

            if (q <= p)
                couple_joints(world, p, q, k, (link - 1u) % 2);
        }
    }
}


/* ---- Its factor ---------------------------------------------------------- */

/* The entry of row k of s and column l of t, both at places behind `both`,
 * where the later one of their rows begins. */
static void factor_entry(vsp__step_joint *s, uint32_t k, vsp__step_joint *t,
                         uint32_t l, uint32_t both)
{
    vsp__num *a = web_row(s, k) + 3u * (both - (s->web.place - s->web.reach));
    vsp__num *b = web_row(t, l) + 3u * (both - (t->web.place - t->web.reach));
    uint32_t i = 3u * (t->web.place - both) + l;
    vsp__num sum = a[i];

    b += i;
    for (a += i; i > 0; i--)
        sum = r_sub(sum, u_mul(a[-(int32_t)i], b[-(int32_t)i]));
    *a = a == b ? vsp__geometric_mean(r_max(sum, WEB_SPRING), VSP__UNIT(1.0))
                : u_div(sum, *b);
}

static void factor_web_rows(vsp_world *world, uint32_t p)
{
    vsp__step_joint *s = joint_at_place(world, p);
    uint32_t first = p - s->web.reach, q, k, l;

    for (q = first; q <= p; q++) {
        vsp__step_joint *t = joint_at_place(world, q);
        uint32_t both = q - t->web.reach;

        if (both < first)
            both = first;
        for (k = 0; k < 3; k++)
            for (l = 0; l <= (p == q ? k : 2u); l++)
                factor_entry(s, k, t, l, both + 1u);
    }
}

/* Finds the web that begins with the joint at this place of the pool's order.
 * Returns how many joints it has, or 0. */
static uint32_t web_at(const vsp_world *world, uint32_t i, uint32_t *first)
{
    const vsp__step_joint *j = web_joint(world,
                                         vsp__joint_pool_of(world)->order[i]);

    *first = j->web.place - 1u;
    return (j->used & ~VSP__IN_LOOP) != 0 ? j->web.count : 0;
}

void vsp__assemble_webs(vsp_world *world, const vsp__span *span)
{
    uint32_t i, first, k;

    for (i = span->first_joint; i < span->last_joint; i++) {
        uint32_t count = web_at(world, i, &first);

        for (k = 0; k < count; k++) {
            fill_web_rows(world, first + k,
                          joint_at_place(world, first)->range.lightest);
            factor_web_rows(world, first + k);
        }
    }
}


/* ---- The solve -----------------------------------------------------------
 * L L^T x = r, where r is what J u lacks.  web.change has both in turn. */

/* Subtracts L times the changes from y, the number of row k of the joint at
 * place p or, if is_back, L times y from the changes. */
static vsp__num pass_along_row(const vsp_world *world, uint32_t p, uint32_t k,
                               vsp__num y, bool is_back)
{
    vsp__step_joint *j = joint_at_place(world, p);
    const vsp__num *a = web_row(j, k);
    uint32_t q = p - j->web.reach, l;

    for (; q <= p; q++) {
        vsp__num *x = joint_at_place(world, q)->web.change;

        for (l = 0; l < (p == q ? k : 3u); l++, a++) {
            if (is_back)
                x[l] = r_sub(x[l], u_mul(*a, y));
            else
                y = r_sub(y, u_mul(*a, x[l]));
        }
    }
    return y;
}

/* The number on the diagonal. */
static vsp__num web_diagonal(vsp__step_joint *j, uint32_t k)
{
    return web_row(j, k)[web_width(j) - 3u + k];
}

/* u as in vsp__sweep_webs. */
static void solve_web(vsp_world *world, uint32_t first, uint32_t count,
                      vsp__velocity *u, bool is_kept)
{
    vsp__joint_row_walk it;
    uint32_t i, k;

    for (i = 0; i < 6u * count; i++) {
        bool is_back = i >= 3u * count;
        uint32_t at = is_back ? 6u * count - 1u - i : i, p = first + at / 3u;
        vsp__step_joint *j = joint_at_place(world, p);
        vsp__num x;

        k = at % 3u;
        it.body = vsp__joint_pool_of(world)->joints[slot_at(world, p)].body;
        it.row = j->rows + k;
        if (is_back) {
            x = u_div(j->web.change[k], web_diagonal(j, k));
            (void)pass_along_row(world, p, k, x, true);
        } else {
            x = 0;
            if (is_web_row(j, k))
                x = r_mul(j->web.scale[k],
                          r_sub(it.row->low, vsp__joint_row_motion(&it, u)));
            x = pass_along_row(world, p, k, x, false);
            j->web.change[k] = u_div(x, web_diagonal(j, k));
        }
        if (!is_back || !is_web_row(j, k))
            continue;
        x = r_div(x, j->web.scale[k]);
        if (is_kept)
            it.row->multiplier = r_add(it.row->multiplier, x);
        vsp__push_joint_row(&it, x, u);
        world->stats.row_updates++;
    }
}

void vsp__sweep_webs(vsp_world *world, const vsp__span *span, vsp__velocity *u,
                     bool is_kept)
{
    uint32_t i, first;

    for (i = span->first_joint; i < span->last_joint; i++) {
        uint32_t count = web_at(world, i, &first);

        if (count > 0)
            solve_web(world, first, count, u, is_kept);
    }
}

#endif /* VSP_RANGES */
