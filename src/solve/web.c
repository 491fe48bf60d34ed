/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Webs: joints between several bodies that do not move, such as those of a rope
 * bridge or a cable car.  Optional: VSP_RANGES.
 *
 * A chain between two such bodies sags, so the distance of its ends does not
 * limit its joints, and ranges do not carry its load (range.c).  Nor do the
 * levels of section 3.2 of their paper pass on the load of some hundred links.
 * Here the rows that hold the anchors of all joints together are solved at
 * once, before each sweep, by a Cholesky factor of their matrix J M^-1 J^T.
 * Sweeps solve the other rows: limits, rotation and contacts.
 *
 * Each row of the matrix is stored from its first nonzero number to the
 * diagonal, in the memory of rows that the type of its joint does not use
 * (George and Liu, Computer Solution of Large Sparse Positive Definite
 * Systems, 1981, chapter 4).  The order of Cuthill and McKee, a breadth-first
 * search from one such body, keeps rows short.  So memory and time grow
 * linearly with joints; a web that is too wide is left to sweeps.
 *
 * In this order: the search; vibrations; the factor; the solve; the error that
 * a correction leaves. */

#include "solve.h"

#if VSP_RANGES


/* ---- The search ---------------------------------------------------------- */

/* A web needs bodies that together weigh more than WEB_RATIO times the lightest
 * one, as the load of a range does. */
#define WEB_RATIO VSP__REAL(64.0)

typedef struct web_search {
    uint32_t first, at, end;  /* places of the web's first joint, of the joint
                                 being visited, and of the queue's end */
    uint32_t body_count;      /* bodies that move */
    vsp__wide mass, lightest; /* mass of all bodies, and of the lightest: kg */
    bool has_room;            /* all rows of the matrix fit */
    bool has_hinge;
    bool knows_loops; /* hinge loops were found in this step */
} web_search;

/* Gives a joint the next place.  No joint that shares a body with it comes
 * before s->at, where it was found: so its rows of the matrix begin there. */
static void list_web_joint(vsp_world *world, web_search *s, uint32_t slot)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    vsp__joint_web *web = &vsp__step_joint_at(world, slot)->web;
    uint32_t count = s->end - s->at + 1u, rows = vsp__rows_of_joint(j) >> 3;

    if (web->place != 0)
        return;
    vsp__step_joint_at(world, s->end)->web.slot = (uint16_t)slot;
    web->place = (uint16_t)++s->end;
    web->count = (uint8_t)count;
    for (web->top = 3; rows != 0; rows >>= 1)
        web->top++;
    s->has_hinge = s->has_hinge || j->type == VSP_JOINT_HINGE;
    s->has_room = s->has_room &&
                  9u * count * sizeof(vsp__num) <=
                      (VSP__STEP_ROWS - web->top) * sizeof(vsp__joint_row);
}

/* Lists the joints of a body when the search first reaches it, which a flag at
 * the body's first link records. */
static void list_web_body(vsp_world *world, web_search *s, uint32_t body)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t link = pool->first[body];
    vsp__wide mass = world->bodies[body].mass_data.mass;
    uint8_t *flags = &vsp__step_joint_at(world, (link - 1u) / 2)->range.flags;
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

/* Whether a joint connects an awake body to one that does not move. */
static bool is_web_start(const vsp_world *world, uint32_t slot)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    const vsp__body *a = world->bodies + j->body[0];
    const vsp__body *b = world->bodies + j->body[1];

    return vsp__step_joint_at(world, slot)->web.place == 0 &&
           vsp__is_holding(world, j) &&
           vsp__is_dynamic(a) != vsp__is_dynamic(b) &&
           vsp__is_awake(vsp__is_dynamic(a) ? a : b);
}

/* Searches from a joint.  Returns whether it found a web: it has loops and a
 * large load, and its rows fit. */
static bool search_web(vsp_world *world, web_search *s, uint32_t slot)
{
    s->at = s->end = s->first;
    s->body_count = 0;
    s->mass = VSP__W_ZERO;
    s->has_room = true;
    s->has_hinge = false;
    list_web_joint(world, s, slot);
    for (; s->at < s->end; s->at++) {
        const uint16_t *body =
            vsp__joint_pool_of(world)
                ->joints[vsp__step_joint_at(world, s->at)->web.slot]
                .body;

        list_web_body(world, s, body[0]);
        list_web_body(world, s, body[1]);
    }
    return s->has_room && s->end - s->first > s->body_count &&
           w_less(w_mul(w_of_real(WEB_RATIO), s->lightest), s->mass);
}

/* Whether a joint of a web is in a hinge loop, which has its own solve. */
static bool has_hinge_loop(vsp_world *world, web_search *s)
{
    uint32_t i;

    if (!VSP_HINGE_LOOPS || !s->has_hinge)
        return false;
    if (!s->knows_loops)
        (void)vsp__find_hinge_loops(world);
    s->knows_loops = true;
    for (i = s->first; i < s->end; i++)
        if (vsp__is_in_hinge_loop(world,
                                  vsp__step_joint_at(world, i)->web.slot))
            return true;
    return false;
}

/* The strain of a web's joints (motion.c) counts pulls of at least this part of
 * the weight of its bodies.  The links of a straight rope may fold in a step:
 * then it gives way at once, its pulls vanish, and so would the strain that
 * keeps it from folding in the next one. */
#define WEB_PULL VSP__UNIT(0.1)

/* the least pull of a web's joints in a step, N s */
static vsp__wide least_pull(const vsp_world *world, vsp__wide mass)
{
    const vsp__v3 *gravity = &world->params.gravity;
    vsp__num speed = u_mul(vsp__square_root(v3_product_at(gravity, gravity)),
                           world->params.dt);

    return w_mul(w_of_unit(WEB_PULL), w_mul(w_of_rate(speed), mass));
}

/* Marks the joints of a web, and moves s->first behind them. */
static void keep_web(vsp_world *world, web_search *s, uint32_t slot)
{
    vsp__joint_web *web = &vsp__step_joint_at(world, slot)->web;
    vsp__wide least = least_pull(world, s->mass);

    web->first = 3u * s->first;
    web->last = 3u * s->end;
    web->lightest = s->lightest;
    for (; s->first < s->end; s->first++) {
        slot = vsp__step_joint_at(world, s->first)->web.slot;
        vsp__step_joint_at(world, slot)->range.flags |= VSP__RANGE_SPANNED |
                                                        VSP__RANGE_IN_WEB;
        vsp__find_strains(world, slot, least);
    }
}

void vsp__find_webs(vsp_world *world)
{
    uint32_t count = vsp__joint_pool_of(world)->limit, i;
    web_search s;

    for (i = 0; i < count; i++)
        vsp__zero_bytes(&vsp__step_joint_at(world, i)->web,
                        sizeof(vsp__joint_web));
    s.first = 0;
    s.knows_loops = false;
    for (i = 0; vsp__has_ranges(world) && i < count; i++) {
        if (is_web_start(world, i) && search_web(world, &s, i) &&
            !has_hinge_loop(world, &s))
            keep_web(world, &s, i);
    }
}


/* ---- Vibrations ----------------------------------------------------------
 * The strain of its pulls (motion.c) is added to the inertia of a body, so it
 * vibrates no faster than a step can follow.  But nothing damps the vibration,
 * and noise of the pulls feeds it.  The share of the spin's momentum that is
 * due to strain is no motion of mass: an implicit step would not keep it, and
 * without it vibrations end at once.  A swing of frequency w gets about
 * w dt / 4 of the critical damping. */

void vsp__calm_webs(vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < world->body_limit; i++) {
        vsp__v3 *spin = &world->bodies[i].spin;
        uint32_t link = pool->first[i];

        if (link == 0 || !vsp__is_dynamic(world->bodies + i) ||
            !vsp__is_in_web(world, (link - 1u) / 2))
            continue;
        vsp__mul_inertia(world, i, spin);
        s3_mul_to(&vsp__solve_of(world)->inverse[i].inertia, spin, spin);
        v3_flush_in(spin);
        vsp__solve_of(world)->velocity[i].angular = *spin;
    }
}


/* ---- The factor ----------------------------------------------------------
 * Rows and columns are scaled by the roots of the rows' masses, so the matrix
 * is symmetric, its diagonal is 1, and no number of the matrix or its factor
 * is above 1.  Row 3 p + k is row k of the joint at place p. */

/* A spring, as a fraction of the diagonal, since rows may contradict each
 * other, as in a straight chain.  The next sweep corrects its error. */
#define WEB_SPRING VSP__UNIT(1e-6)

/* The squares of a row of the factor sum up to the diagonal of the matrix,
 * which is 1.  Where rounding loses that, as masses differ by 10^15, numbers
 * that grow from column to column would overflow. */
#define MOST_FACTOR VSP__UNIT(1.5)

typedef struct web_line { /* one row of the matrix */
    vsp__joint_row_walk it;
    uint32_t first;    /* column of its first number */
    vsp__num *numbers; /* numbers of columns `first` on */
    vsp__num *scale;   /* root of the mass of its row */
    bool is_used;      /* an equality without spring and without bound
                          (breakable joints have one) */
} web_line;

static void find_web_line(const vsp_world *world, uint32_t i, web_line *line)
{
    uint32_t slot = vsp__step_joint_at(world, i / 3u)->web.slot, k = i % 3u,
             width;
    vsp__step_joint *j = vsp__step_joint_at(world, slot);
    const vsp__joint_row *row = j->rows + k;

    width = 3u * j->web.count;
    line->it.row = j->rows + k;
    line->it.body = vsp__joint_pool_of(world)->joints[slot].body;
    line->first = i - k + 3u - width;
    line->numbers = (vsp__num *)(void *)(j->rows + j->web.top) + k * width;
    line->scale = j->web.scale + k;
    line->is_used = (j->used >> k & 1u) != 0 && !(row->low < row->high) &&
                    !(row->yield < VSP__UNIT(1.0)) &&
                    !(VSP_GEARS && row->share[0] < 0) &&
                    !(row->most < VSP__REAL_MAX);
}

/* J u of row b if the multiplier of row a is 1, scaled: their number in the
 * matrix.  Fixed point computes it to all binary places, as small errors of the
 * matrix are large ones in its inverse. */
static vsp__num couple_lines(const web_line *a, const web_line *b)
{
    const vsp__joint_row *of = a->it.row, *on = b->it.row;
    vsp__num along = u3_dot_at(&of->axis, &on->axis), sum = 0;
    uint32_t k;

    if (!a->is_used || !b->is_used)
        return of == on ? VSP__UNIT(1.0) : 0;
    for (k = 0; k < 4; k++) {
        uint32_t i = k & 1u, j = k >> 1;
        vsp__num x = w_to_unit(
            w_of_square(v3_product_at(&of->turn[i], &on->lever[j])));

        if (a->it.body[i] == b->it.body[j])
            sum = r_add(sum,
                        r_signed(r_add(x, u_mul(along, of->share[i])), i != j));
    }
    return r_mul(sum, r_div(*b->scale, *a->scale));
}

/* Returns x - a . b */
static vsp__num less_product(vsp__num x, const vsp__num *a, const vsp__num *b,
                             uint32_t count)
{
    for (; count > 0; count--)
        x = r_sub(x, u_mul(*a++, *b++));
    return x;
}

/* Computes row i of the factor from the rows before it. */
static void factor_line(vsp_world *world, uint32_t i, vsp__wide lightest)
{
    web_line a, b;
    uint32_t c;

    find_web_line(world, i, &a);
    if (a.is_used)
        *a.scale = vsp__square_root(
            square_of_wide(w_div(a.it.row->mass, lightest)));
    for (c = a.first; c <= i; c++) {
        uint32_t both = a.first;
        vsp__num *x = a.numbers + (c - a.first);

        find_web_line(world, c, &b);
        if (both < b.first)
            both = b.first;
        *x = less_product(couple_lines(&a, &b), x - (c - both),
                          b.numbers + (both - b.first), c - both);
        *x = c == i
                 ? vsp__geometric_mean(r_max(WEB_SPRING, r_add(*x, WEB_SPRING)),
                                       VSP__UNIT(1.0))
                 : r_clamp(u_div(*x, b.numbers[c - b.first]), -MOST_FACTOR,
                           MOST_FACTOR);
    }
}

/* Returns the web that begins with the joint at index i of the pool's order, or
 * null. */
static const vsp__joint_web *web_at(const vsp_world *world, uint32_t i)
{
    const vsp__step_joint *j = vsp__step_joint_at(
        world, vsp__joint_pool_of(world)->order[i]);

    return (j->used & ~VSP__IN_LOOP) != 0 && j->web.last != 0 ? &j->web : NULL;
}

void vsp__assemble_webs(vsp_world *world, const vsp__span *span)
{
    uint32_t i, k;

    for (i = span->first_joint; i < span->last_joint; i++) {
        const vsp__joint_web *web = web_at(world, i);

        if (web == NULL)
            continue;
        for (k = web->first; k < web->last; k++)
            factor_line(world, k, web->lightest);
    }
}


/* ---- The solve -----------------------------------------------------------
 * L L^T x = r, where r is the missing part of J u.  Displacements are units,
 * but x may be a thousand times as large, so r and x are reals. */

/* Computes number i of L^-1 r from those before it. */
static void solve_down(vsp_world *world, uint32_t i, const vsp__velocity *u,
                       bool is_kept)
{
    vsp__num *x = vsp__joint_pool_of(world)->web_changes + i, lack = 0;
    web_line line;
    uint32_t count;

    find_web_line(world, i, &line);
    count = i - line.first;
    if (line.is_used) {
        lack = r_sub(line.it.row->low, vsp__joint_row_motion(&line.it, u));
        if (!is_kept)
            lack = r_of_unit(lack);
        lack = r_mul(*line.scale, lack);
    }
    *x = u_div(less_product(lack, line.numbers, x - count, count),
               line.numbers[count]);
}

/* Computes x of row i from those behind it.  Returns the change of its
 * multiplier. */
static vsp__num solve_up(vsp_world *world, uint32_t i)
{
    vsp__num *change = vsp__joint_pool_of(world)->web_changes + i, x;
    web_line line;
    uint32_t k;

    find_web_line(world, i, &line);
    x = *change = u_div(*change, line.numbers[i - line.first]);
    for (k = i - line.first; k-- > 0;) {
        change--;
        *change = r_sub(*change, u_mul(line.numbers[k], x));
    }
    return line.is_used ? r_div(x, *line.scale) : 0;
}

/* Largest change of a multiplier in a solve.  On a nearly straight rope a small
 * error is a large change of pull, which throws links about; and in fixed point
 * it exceeds the format. */
#define MAX_CHANGE VSP__RATE(256.0)   /* m/s */
#define MAX_CORRECTION VSP__REAL(0.5) /* m */

/* Moves the bodies of row i by this fraction of its change. */
static void apply_change(vsp_world *world, uint32_t i, vsp__num part,
                         vsp__velocity *u, bool is_kept)
{
    vsp__num x = u_mul(vsp__joint_pool_of(world)->web_changes[i], part);
    web_line line;

    find_web_line(world, i, &line);
    if (!line.is_used)
        return;
    x = r_div(x, *line.scale);
    if (is_kept)
        line.it.row->multiplier = r_add(line.it.row->multiplier, x);
    else
        x = u_of_real(x);
    vsp__push_joint_row(&line.it, x, u);
    world->stats.row_updates++;
}

/* Where masses differ by 10^15 and anchors are kilometres apart, sweeps may
 * undo more than a web has done, until numbers overflow.  A web whose changes
 * are not finite is left to the sweeps. */
static void solve_web(vsp_world *world, const vsp__joint_web *web,
                      vsp__velocity *u, bool is_kept)
{
    vsp__num most = is_kept ? MAX_CHANGE : MAX_CORRECTION, largest = most;
    vsp__num part = VSP__UNIT(1.0);
    uint32_t k;

    for (k = web->first; k < web->last; k++)
        solve_down(world, k, u, is_kept);
    while (k-- > web->first) {
        vsp__num change = solve_up(world, k);

        if (!r_is_finite(change))
            return;
        largest = r_max_size(largest, change);
    }
    part = u_div(most, largest);
    for (k = web->first; k < web->last; k++)
        apply_change(world, k, part, u, is_kept);
}

void vsp__sweep_webs(vsp_world *world, const vsp__span *span, vsp__velocity *u,
                     bool is_kept)
{
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++) {
        const vsp__joint_web *web = web_at(world, i);

        if (web != NULL)
            solve_web(world, web, u, is_kept);
    }
}


/* ---- The error that a correction leaves -----------------------------------
 * Rows use the tangents along which anchors begin to move, and rotation leads
 * off the tangent.  A straight rope hardly yields, so small errors turn links
 * by large angles. */

#define WEB_ERROR VSP__REAL(0.00025) /* m */

bool vsp__are_webs_open(const vsp_world *world, const vsp__span *span)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++) {
        uint32_t slot = pool->order[i];
        vsp__joint_pose pose;

        if (!vsp__is_in_web(world, slot) ||
            (vsp__step_joint_at(world, slot)->used & ~VSP__IN_LOOP) == 0)
            continue;
        vsp__find_joint_pose(world, pool->joints + slot, &pose);
        if (v3_size_at(&pose.parted) > WEB_ERROR)
            return true;
    }
    return false;
}

#endif /* VSP_RANGES */
