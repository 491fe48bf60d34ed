/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sweeps that take several manifolds at once, one in each lane of a vector.
 * Optional: VSP_LANES.
 *
 * The bits are those of vsp_solver.c, which takes one after the other:
 * manifolds that share no body that moves may be swept in any order.  Each
 * goes into the first block that has room and comes after all that hold one
 * of its bodies, so that every body meets its manifolds in the same order as
 * there.  Each number is made by the same operations in the same order.  Loops
 * over lanes have no branches, and what they change are variables of a
 * function: so gcc makes vectors of them at -O2. */

#include "vsp_internal.h"

#if VSP__LANES > 1

#define LANES VSP__LANES


/* ---- Lanes ----------------------------------------------------------------
 * They lie behind what searches need. */

typedef vsp__real lane[LANES]; /* a number of each manifold */

typedef struct lane3 {
    lane x, y, z;
} lane3;

typedef struct lane_sym3 {
    lane xx, yy, zz, xy, xz, yz;
} lane_sym3;

/* A point of each: of vsp__row and vsp__point, or of vsp__fix, whose levers
 * are here as arms and whose gap is as bias.  All is 0 where a manifold
 * has fewer: what that adds is 0, which at most makes 0 of -0, and in the
 * differences that are given back both are the same. */
typedef struct lane_row {
    lane3 arm[2], turn[2][3];
    lane inv_diagonal[2]; /* of the normal, of either tangent */
    lane bias;
    lane multiplier[3];
} lane_row;

typedef struct lane_block { /* manifolds that share no body that moves */
    lane3 axis[3];
    lane share[2]; /* without signs */
    lane friction;
    lane_row rows[4];
    uint16_t body[2][LANES], place[LANES]; /* places in the span */
    uint16_t count, row_count; /* manifolds; points of the one that has most */
} lane_block;

typedef struct lane_blocks {
    uint32_t count;     /* 0 where nothing is filled */
    uint32_t first, last; /* the span */
    uint32_t sweep_count; /* of the last span */
    uint32_t row_count; /* of all manifolds together */
    lane_block blocks[VSP__LANE_BLOCKS];
    uint16_t next[VSP__LANE_BLOCKS + 1]; /* itself, if it has room, or one that
                                            is nearer to the first that has */
    uint16_t after[VSP_MAX_BODIES]; /* first block that does not come too
                                       early for what is next at a body */
} lane_blocks;

VSP_STATIC_ASSERT(lanes_fit, sizeof(lane_blocks) <= VSP__LANE_BYTES);
VSP_STATIC_ASSERT(lanes_are_tight,
                  sizeof(lane_blocks) + 8u > VSP__LANE_BYTES);

static lane_blocks *lanes_of(const vsp_world *world)
{
    return (lane_blocks *)(void *)((unsigned char *)vsp__subspace_of(world) +
                                   VSP__SUBSPACE_BYTES);
}

static inline vsp__vec3 lane_get(const lane3 *v, uint32_t k)
{
    return v3(v->x[k], v->y[k], v->z[k]);
}

static inline void lane_set(lane3 *v, uint32_t k, vsp__vec3 a)
{
    v->x[k] = a.x;
    v->y[k] = a.y;
    v->z[k] = a.z;
}

static inline vsp__sym3 lane_get_sym(const lane_sym3 *from, uint32_t k)
{
    vsp__sym3 s;

    s.xx = from->xx[k];
    s.yy = from->yy[k];
    s.zz = from->zz[k];
    s.xy = from->xy[k];
    s.xz = from->xz[k];
    s.yz = from->yz[k];
    return s;
}

static inline void lane_set_sym(lane_sym3 *to, uint32_t k, vsp__sym3 s)
{
    to->xx[k] = s.xx;
    to->yy[k] = s.yy;
    to->zz[k] = s.zz;
    to->xy[k] = s.xy;
    to->xz[k] = s.xz;
    to->yz[k] = s.yz;
}

static inline vsp__mat3 lane_frame(const lane3 *axis, uint32_t k)
{
    vsp__mat3 axes;

    axes.axis[0] = lane_get(&axis[0], k);
    axes.axis[1] = lane_get(&axis[1], k);
    axes.axis[2] = lane_get(&axis[2], k);
    return axes;
}

/* a if all bits of the mask are set, b if none is: compilers make a branch
 * of what ?: says, and no vectors then */
static inline vsp__real lane_choose(uint32_t mask, vsp__real a, vsp__real b)
{
    return r_from_bits((r_bits(a) & mask) | (r_bits(b) & ~mask));
}

static inline vsp__real newton_step(vsp__real half, vsp__real y)
{
    return r_mul(y, 1.5f - r_mul(r_mul(half, y), y));
}

/* reciprocal_root of vsp_scalar.c, without its loop */
static inline vsp__real lane_root(vsp__real a)
{
    vsp__real half = r_mul(0.5f, a);
    vsp__real y = r_from_bits(0x5f375a86u - (r_bits(a) >> 1));

    y = newton_step(half, y);
    y = newton_step(half, y);
    y = newton_step(half, y);
    return newton_step(half, y);
}


/* ---- Assembly -------------------------------------------------------------
 * As assemble_site of vsp_solver.c, with cones, of manifolds that follow each
 * other in a span: in lanes, and out of them again, as not only sweeps want
 * rows. */

typedef struct lane_site { /* a block of each */
    lane3 axis[3];
    lane mass[2], inv_mass; /* inverse masses, their sum */
    lane share[2];
    lane_sym3 inertia[2]; /* inverse; then as block_inertia has it */
} lane_site;

typedef struct lane_arms { /* a point of each */
    lane3 arm[2], turn[2][3];
    lane inverse[3]; /* of diagonals */
} lane_arms;

static inline void load_site(lane_site *to, uint32_t k, const vsp__span *span,
                             const vsp__site *s)
{
    uint32_t i;

    lane_set(&to->axis[0], k, s->m->normal);
    for (i = 0; i < 2; i++) {
        const vsp__inverse *inverse =
            vsp__free_inverse(s->world, span, s->m->body[i]);

        to->mass[i][k] = inverse->mass;
        lane_set_sym(&to->inertia[i], k, inverse->inertia);
    }
}

/* assemble_block */
static inline void fill_blocks(lane_site *s)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__wide sum = w_add(s->mass[0][k], s->mass[1][k]);
        vsp__vec3 n = lane_get(&s->axis[0], k), t;
        uint32_t is_across = 0u - (uint32_t)(r_abs(n.x) < VSP__U(0.6));

        s->inv_mass[k] = sum;
        s->share[0][k] = -w_to_unit(w_div(s->mass[0][k], sum));
        s->share[1][k] = w_to_unit(w_div(s->mass[1][k], sum));
        t = v3(lane_choose(is_across, 0, -n.y),
               lane_choose(is_across, n.z, n.x),
               lane_choose(is_across, -n.y, 0));
        t = v3_scale(t, lane_root(v3_dot(t, t)));
        lane_set(&s->axis[1], k, t);
        lane_set(&s->axis[2], k, u3_cross(n, t));
    }
}

/* block_inertia: vsp__seen_from, vsp__scale */
static inline void fill_inertia(const lane3 *restrict axis,
                                const lane share_of,
                                lane_sym3 *restrict inertia_of)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__real share = r_abs(share_of[k]);
        uint32_t has_share = 0u - (uint32_t)(share > 0);
        vsp__sym3 inertia = lane_get_sym(inertia_of, k);
        vsp__mat3 axes = lane_frame(axis, k);
        vsp__vec3 *a = axes.axis, x, y, z;

        x = s3_mul(&inertia, a[0]);
        y = s3_mul(&inertia, a[1]);
        z = s3_mul(&inertia, a[2]);
        inertia.xx = r_mul(u3_dot(x, a[0]), share);
        inertia.xy = r_mul(u3_dot(x, a[1]), share);
        inertia.xz = r_mul(u3_dot(x, a[2]), share);
        inertia.yy = r_mul(u3_dot(y, a[1]), share);
        inertia.yz = r_mul(u3_dot(y, a[2]), share);
        inertia.zz = r_mul(u3_dot(z, a[2]), share);
        inertia.xx = lane_choose(has_share, inertia.xx, 0);
        inertia.yy = lane_choose(has_share, inertia.yy, 0);
        inertia.zz = lane_choose(has_share, inertia.zz, 0);
        inertia.xy = lane_choose(has_share, inertia.xy, 0);
        inertia.xz = lane_choose(has_share, inertia.xz, 0);
        inertia.yz = lane_choose(has_share, inertia.yz, 0);
        lane_set_sym(inertia_of, k, inertia);
    }
}

static inline void turn_arms(lane_arms *p, const lane_site *s)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__mat3 axes = lane_frame(s->axis, k);

        lane_set(&p->arm[0], k, m3_tmul(&axes, lane_get(&p->arm[0], k)));
        lane_set(&p->arm[1], k, m3_tmul(&axes, lane_get(&p->arm[1], k)));
    }
}

/* fill_turn.  Adds to a diagonal. */
static inline vsp__vec3 lane_fill_turn(const vsp__sym3 *inertia, vsp__vec3 c,
                                       vsp__real *diagonal)
{
    vsp__vec3 turn = s3_mul(inertia, c);

    *diagonal = r_add(*diagonal, v3_dot(c, turn));
    return turn;
}

/* Of side a, whose turns are flipped, then of b. */
static inline void fill_turns(lane_arms *restrict p,
                              const lane_site *restrict s)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__vec3 a = lane_get(&p->arm[0], k), b = lane_get(&p->arm[1], k);
        vsp__sym3 m = lane_get_sym(&s->inertia[0], k);
        vsp__real d[3] = {VSP__R(1.0), VSP__R(1.0), VSP__R(1.0)};
        vsp__vec3 t[3];

        t[0] = lane_fill_turn(&m, v3(0, a.z, -a.y), &d[0]);
        t[1] = lane_fill_turn(&m, v3(-a.z, 0, a.x), &d[1]);
        t[2] = lane_fill_turn(&m, v3(a.y, -a.x, 0), &d[2]);
        lane_set(&p->turn[0][0], k, v3_neg(t[0]));
        lane_set(&p->turn[0][1], k, v3_neg(t[1]));
        lane_set(&p->turn[0][2], k, v3_neg(t[2]));
        m = lane_get_sym(&s->inertia[1], k);
        t[0] = lane_fill_turn(&m, v3(0, b.z, -b.y), &d[0]);
        t[1] = lane_fill_turn(&m, v3(-b.z, 0, b.x), &d[1]);
        t[2] = lane_fill_turn(&m, v3(b.y, -b.x, 0), &d[2]);
        lane_set(&p->turn[1][0], k, t[0]);
        lane_set(&p->turn[1][1], k, t[1]);
        lane_set(&p->turn[1][2], k, t[2]);
        p->inverse[0][k] = r_max(VSP__R(1.0), d[0]);
        p->inverse[1][k] = r_max(VSP__R(1.0), d[1]);
        p->inverse[2][k] = r_max(VSP__R(1.0), d[2]);
    }
}

/* assemble_row, with cones */
static inline void fill_arms(lane_arms *p, const lane_site *s)
{
    uint32_t k;

    turn_arms(p, s);
    fill_turns(p, s);
    for (k = 0; k < LANES; k++) {
        vsp__real t1 = vsp__reciprocal(p->inverse[1][k]);
        vsp__real t2 = vsp__reciprocal(p->inverse[2][k]);

        p->inverse[0][k] = vsp__reciprocal(p->inverse[0][k]);
        p->inverse[1][k] = p->inverse[2][k] = r_min(t1, t2);
    }
}

static inline void store_block(const lane_site *from, uint32_t k,
                               vsp__block *block)
{
    block->axes = lane_frame(from->axis, k);
    block->inv_mass = from->inv_mass[k];
    block->share[0] = from->share[0][k];
    block->share[1] = from->share[1][k];
}

static inline void store_arms(const lane_arms *from, uint32_t k,
                              vsp__row *row)
{
    uint32_t i, j;

    for (i = 0; i < 2; i++) {
        row->arm[i] = lane_get(&from->arm[i], k);
        for (j = 0; j < 3; j++)
            row->turn[i][j] = lane_get(&from->turn[i][j], k);
    }
    for (j = 0; j < 3; j++)
        row->stride[j] = r_stride(from->inverse[j][k]);
}

uint32_t vsp__assemble_lanes(vsp_world *world, const vsp__span *span,
                             uint32_t first)
{
    uint32_t count = span->last - first, i, j, k;
    vsp__site s[LANES];
    lane_site blocks;

    if (count > LANES)
        count = LANES;
    for (k = 0; k < LANES; k++) { /* what is missing is like the first */
        (void)vsp__site_at(world, span, first + (k < count ? k : 0), &s[k]);
        load_site(&blocks, k, span, &s[k]);
    }
    fill_blocks(&blocks);
    fill_inertia(blocks.axis, blocks.share[0], &blocks.inertia[0]);
    fill_inertia(blocks.axis, blocks.share[1], &blocks.inertia[1]);
    for (k = 0; k < count; k++)
        store_block(&blocks, k, s[k].block);
    for (j = 0; j < 4; j++) {
        lane_arms arms = {0};
        uint32_t there = 0;

        for (k = 0; k < count; k++)
            if (j < s[k].m->point_count) {
                there++;
                for (i = 0; i < 2; i++)
                    lane_set(&arms.arm[i], k, s[k].rows[j].arm[i]);
            }
        if (there == 0)
            break;
        fill_arms(&arms, &blocks);
        for (k = 0; k < count; k++)
            if (j < s[k].m->point_count)
                store_arms(&arms, k, s[k].rows + j);
    }
    return count;
}


/* ---- Filling ------------------------------------------------------------- */

/* The first block from one on that has room; it may be the one after all. */
static uint32_t find_room(lane_blocks *l, uint32_t i)
{
    uint16_t *next = l->next;

    while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
    }
    return i;
}

/* Begins a block without manifolds. */
static void open_block(lane_blocks *l)
{
    lane_block *b = &l->blocks[l->count++];

    b->count = b->row_count = 0;
    l->next[l->count] = (uint16_t)l->count;
}

/* Puts the manifold at a place of the span into a block; false if that takes
 * more than so many blocks. */
static bool schedule(lane_blocks *l, const vsp__span *span,
                     const vsp__site *s, uint32_t place, uint32_t most)
{
    const uint16_t *body = s->m->body;
    uint32_t i = 0, k;
    lane_block *b;

    for (k = 0; k < 2; k++)
        if (l->after[body[k]] > i)
            i = l->after[body[k]];
    i = find_room(l, i);
    if (i == most)
        return false;
    if (i == l->count)
        open_block(l);
    b = &l->blocks[i];
    b->place[b->count++] = (uint16_t)place;
    if (b->count == LANES)
        l->next[i]++;
    if (b->row_count < s->m->point_count)
        b->row_count = s->m->point_count;
    l->row_count += 3u * s->m->point_count;
    for (k = 0; k < 2; k++)
        if (w_less(W_ZERO,
                   vsp__free_inverse(s->world, span, body[k])->mass))
            l->after[body[k]] = (uint16_t)(i + 1u);
    return true;
}

static void pack_multipliers(lane_row *to, uint32_t k, const vsp__point *p)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        to->multiplier[i][k] = p->multiplier.row[i];
}

static void pack_row(lane_row *to, uint32_t k, const vsp__row *row,
                     const vsp__point *p)
{
    uint32_t i, j;

    for (i = 0; i < 2; i++) {
        lane_set(&to->arm[i], k, row->arm[i]);
        for (j = 0; j < 3; j++)
            lane_set(&to->turn[i][j], k, row->turn[i][j]);
        to->inv_diagonal[i][k] = row->stride[i];
    }
    to->bias[k] = p->bias;
    pack_multipliers(to, k, p);
}

static void pack_manifold(lane_block *b, uint32_t k, const vsp__site *s)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        lane_set(&b->axis[i], k, s->block->axes.axis[i]);
    for (i = 0; i < 2; i++) {
        b->share[i][k] = r_abs(s->block->share[i]);
        b->body[i][k] = s->m->body[i];
    }
    b->friction[k] = s->m->friction;
    for (i = 0; i < s->m->point_count; i++)
        pack_row(&b->rows[i], k, &s->rows[i], &s->points[i]);
}

/* Fills a block, with zeros where manifolds or points are missing. */
static void pack_block(vsp_world *world, const vsp__span *span, lane_block *b)
{
    uint32_t missing = b->row_count * LANES, k;
    vsp__site s[LANES];

    for (k = 0; k < b->count; k++) {
        (void)vsp__site_at(world, span, b->place[k], &s[k]);
        missing -= s[k].m->point_count;
    }
    if (missing > 0) {
        vsp__clear(b, offsetof(lane_block, rows) +
                          b->row_count * sizeof b->rows[0]);
        vsp__clear(b->body, sizeof b->body);
    }
    for (k = 0; k < b->count; k++)
        pack_manifold(b, k, &s[k]);
}

/* Blocks of a span's manifolds, without what is in them; whether there are
 * few enough. */
static bool schedule_all(vsp_world *world, const vsp__span *span)
{
    lane_blocks *l = lanes_of(world);
    uint32_t most = 2u * (span->last - span->first) / LANES, i;
    vsp__site s;

    l->count = l->row_count = 0;
    if (most < 2)
        return false;
    vsp__clear(l->after, world->body_limit * sizeof l->after[0]);
    l->next[0] = 0;
    for (i = span->first; vsp__site_at(world, span, i, &s); i++)
        if (!schedule(l, span, &s, i, most)) {
            l->count = 0;
            return false;
        }
    l->first = span->first;
    l->last = span->last;
    return true;
}

/* Gives or takes all multipliers. */
static void move_multipliers(vsp_world *world, const vsp__span *span,
                             bool is_back)
{
    lane_blocks *l = lanes_of(world);
    lane_block *b = l->blocks;
    uint32_t i, j, k;
    vsp__site s;

    for (; b < l->blocks + l->count; b++)
        for (k = 0; k < b->count; k++) {
            (void)vsp__site_at(world, span, b->place[k], &s);
            for (j = 0; j < s.m->point_count; j++) {
                if (!is_back) {
                    pack_multipliers(&b->rows[j], k, &s.points[j]);
                    continue;
                }
                for (i = 0; i < 3; i++)
                    s.points[j].multiplier.row[i] =
                        b->rows[j].multiplier[i][k];
            }
        }
}

bool vsp__fill_lanes(vsp_world *world, const vsp__span *span)
{
    lane_blocks *l = lanes_of(world);
    uint32_t i;

    if (l->count > 0 && l->first == span->first && l->last == span->last) {
        move_multipliers(world, span, false);
        return true;
    }
    if (!vsp__has_cones(world) || world->belt_count > 0 ||
        !schedule_all(world, span))
        return false;
    for (i = 0; i < l->count; i++)
        pack_block(world, span, &l->blocks[i]);
    return true;
}

void vsp__clear_lanes(vsp_world *world)
{
    lanes_of(world)->sweep_count = 0;
    vsp__drop_lanes(world);
}

void vsp__drop_lanes(vsp_world *world)
{
    lanes_of(world)->count = 0;
}

uint32_t vsp__first_wide(const vsp_world *world)
{
    return lanes_of(world)->sweep_count > 1 ? 0 : 1;
}

void vsp__end_wide(vsp_world *world, const vsp__span *span, bool is_filled,
                   uint32_t sweeps)
{
    lanes_of(world)->sweep_count = sweeps;
    if (is_filled)
        move_multipliers(world, span, true);
}


/* ---- Fixes ----------------------------------------------------------------
 * As assemble_fixes of vsp_solver.c, at once where they are swept. */

typedef struct lane_side { /* a body of each */
    lane3 axis[3];
    lane_sym3 inertia; /* inverse */
    lane share;
} lane_side;

typedef struct lane_pair { /* what a block is made of */
    lane_side side[2];
    lane3 way; /* from a's centre of mass to b's */
    lane3 normal;
} lane_pair;

static inline void load_side(lane_side *to, uint32_t k, const vsp__mat3 *axes,
                             const vsp__inverse *inverse, vsp__wide sum)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        lane_set(&to->axis[i], k, axes->axis[i]);
    lane_set_sym(&to->inertia, k, inverse->inertia);
    to->share[k] = w_to_unit(w_div(inverse->mass, sum));
}

static inline void load_pair(lane_pair *to, uint32_t k, const vsp__span *span,
                             const vsp__site *s)
{
    const vsp_world *world = s->world;
    const vsp__inverse *inverse[2];
    vsp__wide sum;
    uint32_t i;

    for (i = 0; i < 2; i++)
        inverse[i] = vsp__free_inverse(world, span, s->m->body[i]);
    sum = w_add(inverse[0]->mass, inverse[1]->mass);
    for (i = 0; i < 2; i++)
        load_side(&to->side[i], k, &world->work.solve.axes[s->m->body[i]],
                  inverse[i], sum);
    lane_set(&to->way, k,
             v3_sub(world->bodies[s->m->body[1]].position,
                    world->bodies[s->m->body[0]].position));
    lane_set(&to->normal, k, s->m->normal);
}

static inline vsp__vec3 lane_turned(const lane_side *side, uint32_t k,
                                    vsp__vec3 arm)
{
    vsp__mat3 axes = lane_frame(side->axis, k);

    return m3_mul(&axes, arm);
}

/* What a lever turns; it joins the diagonal. */
static inline vsp__vec3 lane_turn(const lane_side *side, uint32_t k,
                                  vsp__vec3 lever, vsp__real *diagonal)
{
    vsp__sym3 inertia = lane_get_sym(&side->inertia, k);
    vsp__vec3 turn = u3_scale(s3_mul(&inertia, lever), side->share[k]);

    *diagonal = r_add(*diagonal, v3_dot(lever, turn));
    return turn;
}

typedef struct lane_fix { /* what is found of a point of each */
    lane3 lever[2]; /* before that, arms in bodies' axes */
    lane3 turn[2];
    lane inv_diagonal;
} lane_fix;

static inline void fill_fix(lane_fix *f, const lane_pair *s)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__vec3 n = lane_get(&s->normal, k), d = lane_get(&s->way, k);
        vsp__vec3 a = lane_turned(&s->side[0], k, lane_get(&f->lever[0], k));
        vsp__vec3 b = lane_turned(&s->side[1], k, lane_get(&f->lever[1], k));
        vsp__real diagonal = VSP__R(1.0);

        a = u3_scale(v3_add(v3_add(a, b), d), VSP__U(0.5));
        b = u3_cross(v3_sub(a, d), n);
        a = u3_cross(a, n);
        lane_set(&f->lever[0], k, a);
        lane_set(&f->lever[1], k, b);
        lane_set(&f->turn[0], k, lane_turn(&s->side[0], k, a, &diagonal));
        lane_set(&f->turn[1], k, lane_turn(&s->side[1], k, b, &diagonal));
        f->inv_diagonal[k] = r_max(VSP__R(1.0), diagonal);
    }
    /* by itself: compilers know 1 / 1, and branch for it */
    for (k = 0; k < LANES; k++)
        f->inv_diagonal[k] = vsp__reciprocal(f->inv_diagonal[k]);
}

/* What is missing has no inverse diagonal, and so no multiplier. */
static inline void fill_fix_row(lane_row *row, uint32_t j,
                                const lane_pair *pair, const vsp__site *s,
                                uint32_t count)
{
    lane_fix made = {0};
    uint32_t i, k;

    for (k = 0; k < count; k++)
        if (j < s[k].m->point_count)
            for (i = 0; i < 2; i++)
                lane_set(&made.lever[i], k, s[k].points[j].arm[i]);
    fill_fix(&made, pair);
    for (i = 0; i < 2; i++) {
        row->arm[i] = made.lever[i];
        row->turn[i][0] = made.turn[i];
    }
    for (k = 0; k < LANES; k++) {
        bool is_there = k < count && j < s[k].m->point_count;

        row->inv_diagonal[0][k] = is_there ? made.inv_diagonal[k] : 0;
        row->bias[k] = is_there ? u_of_real(s[k].points[j].gap) : 0;
        row->multiplier[0][k] = 0;
    }
}

static void fill_fixes(vsp_world *world, const vsp__span *span, lane_block *b)
{
    lane_pair pair = {0};
    vsp__site s[LANES];
    uint32_t i, k;

    if (b->count < LANES)
        vsp__clear(b->body, sizeof b->body);
    for (k = 0; k < b->count; k++) {
        (void)vsp__site_at(world, span, b->place[k], &s[k]);
        load_pair(&pair, k, span, &s[k]);
        for (i = 0; i < 2; i++)
            b->body[i][k] = s[k].m->body[i];
    }
    b->axis[0] = pair.normal;
    for (k = 0; k < LANES; k++)
        b->share[1][k] = pair.side[1].share[k];
    for (i = 0; i < b->row_count; i++)
        fill_fix_row(&b->rows[i], i, &pair, s, b->count);
}

bool vsp__fill_fixes(vsp_world *world, const vsp__span *span)
{
    lane_blocks *l = lanes_of(world);
    uint32_t i;

    if (!schedule_all(world, span))
        return false;
    for (i = 0; i < l->count; i++)
        fill_fixes(world, span, &l->blocks[i]);
    return true;
}


/* ---- Sweeping -------------------------------------------------------------
 * As sweep_manifold and what it calls. */

typedef struct lane_velocity { /* of a body of each */
    lane3 linear, angular;
} lane_velocity;

typedef struct lane_local { /* vsp__local of each */
    lane3 e, w[2];
} lane_local;

typedef struct lane_sweep { /* of a block */
    lane_local now;
    lane friction;
    lane most;                  /* largest change of a multiplier */
    lane t1, t2, square, limit; /* where tangents are to go */
} lane_sweep;

static inline void load_local(const lane_local *from, uint32_t k,
                              vsp__local *l)
{
    l->e = lane_get(&from->e, k);
    l->w[0] = lane_get(&from->w[0], k);
    l->w[1] = lane_get(&from->w[1], k);
}

static inline void store_local(const vsp__local *l, uint32_t k,
                               lane_local *to)
{
    lane_set(&to->e, k, l->e);
    lane_set(&to->w[0], k, l->w[0]);
    lane_set(&to->w[1], k, l->w[1]);
}

/* The row of a normal or a tangent: vsp__change_row, whose change is d. */
static inline void change_lane(vsp__local *l, vsp__real *e,
                               const lane_row *row, uint32_t axis,
                               uint32_t k, vsp__real d)
{
    vsp__vec3 turn[2];

    turn[0] = lane_get(&row->turn[0][axis], k);
    turn[1] = lane_get(&row->turn[1][axis], k);
    *e = r_add(*e, d);
    vsp__turn_both(l->w, d, &turn[0], &turn[1], 0);
}

static void see_lanes(const lane_block *b, const lane_velocity v[2],
                      lane_local *l)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__mat3 axes = lane_frame(b->axis, k);
        vsp__local seen;

        seen.e = v3_way(lane_get(&v[1].linear, k),
                        lane_get(&v[0].linear, k));
        seen.w[0] = lane_get(&v[0].angular, k);
        seen.w[1] = lane_get(&v[1].angular, k);
        m3_tmul_to(&axes, &seen.e, &seen.e);
        m3_tmul_to(&axes, &seen.w[0], &seen.w[0]);
        m3_tmul_to(&axes, &seen.w[1], &seen.w[1]);
        store_local(&seen, k, l);
    }
}

/* The normals, and where tangents would go; whether some of them are out of
 * their cones. */
static uint32_t sweep_normals(lane_row *row, lane_sweep *s)
{
    uint32_t k, are_out = 0;

    for (k = 0; k < LANES; k++) {
        vsp__real x = row->multiplier[0][k], to, limit, t1, t2, d;
        vsp__vec3 arm[2], u;
        vsp__local l;

        load_local(&s->now, k, &l);
        arm[0] = lane_get(&row->arm[0], k);
        arm[1] = lane_get(&row->arm[1], k);
        u = vsp__parting(&l.e, l.w, arm);
        to = u_mul(r_add(u.x, row->bias[k]), row->inv_diagonal[0][k]);
        to = r_max(r_sub(x, to), 0);
        d = r_sub(to, x);
        change_lane(&l, &l.e.x, row, 0, k, d);
        row->multiplier[0][k] = to;
        s->most[k] = r_max_size(s->most[k], d);
        store_local(&l, k, &s->now);

        u = vsp__parting(&l.e, l.w, arm);
        limit = r_mul(s->friction[k], to);
        t1 = r_sub(row->multiplier[1][k],
                   u_mul(u.y, row->inv_diagonal[1][k]));
        t2 = r_sub(row->multiplier[2][k],
                   u_mul(u.z, row->inv_diagonal[1][k]));
        s->t1[k] = t1;
        s->t2[k] = t2;
        s->limit[k] = limit;
        s->square[k] = r_dot2(t1, t1, t2, t2);
        are_out |= 0u - (uint32_t)(s->square[k] > r_square(limit));
    }
    return are_out;
}

/* vsp__clamp_to_disc */
static void clamp_lanes(lane_sweep *s)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__real limit = s->limit[k], square = s->square[k];
        vsp__real scale = r_mul(limit, lane_root(square));
        uint32_t is_in = 0u - (uint32_t)(square <= r_square(limit));
        uint32_t is_disc = 0u - (uint32_t)(limit > 0);

        scale = lane_choose(is_in, 1.0f, lane_choose(is_disc, scale, 0));
        s->t1[k] = u_mul(s->t1[k], scale);
        s->t2[k] = u_mul(s->t2[k], scale);
    }
}

static void sweep_tangents(lane_row *row, lane_sweep *s)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__real d1 = r_sub(s->t1[k], row->multiplier[1][k]);
        vsp__real d2 = r_sub(s->t2[k], row->multiplier[2][k]);
        vsp__local l;

        load_local(&s->now, k, &l);
        change_lane(&l, &l.e.y, row, 1, k, d1);
        change_lane(&l, &l.e.z, row, 2, k, d2);
        row->multiplier[1][k] = s->t1[k];
        row->multiplier[2][k] = s->t2[k];
        s->most[k] = r_max_size(r_max_size(s->most[k], d1), d2);
        store_local(&l, k, &s->now);
    }
}

/* vsp__from_local: for all, whether or not a body has a share */
static void give_lanes(const lane_block *b, const lane_local *now,
                       const lane_local *before, lane_velocity v[2])
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__mat3 axes = lane_frame(b->axis, k);
        vsp__vec3 e, w[2];

        e = v3_way(lane_get(&now->e, k), lane_get(&before->e, k));
        w[0] = v3_way(lane_get(&now->w[0], k), lane_get(&before->w[0], k));
        w[1] = v3_way(lane_get(&now->w[1], k), lane_get(&before->w[1], k));
        m3_mul_to(&axes, &e, &e);
        m3_mul_to(&axes, &w[0], &w[0]);
        m3_mul_to(&axes, &w[1], &w[1]);
        lane_set(&v[0].linear, k, v3_sub(lane_get(&v[0].linear, k),
                                         u3_scale(e, b->share[0][k])));
        lane_set(&v[1].linear, k, v3_add(lane_get(&v[1].linear, k),
                                         u3_scale(e, b->share[1][k])));
        lane_set(&v[0].angular, k, v3_add(lane_get(&v[0].angular, k), w[0]));
        lane_set(&v[1].angular, k, v3_add(lane_get(&v[1].angular, k), w[1]));
    }
}

/* Reads the bodies of a block; lanes that are not used take any. */
static inline void load_bodies(const lane_block *b, const vsp__velocity *u,
                               lane_velocity v[2])
{
    uint32_t i, k;

    for (k = 0; k < LANES; k++)
        for (i = 0; i < 2; i++) {
            lane_set(&v[i].linear, k, u[b->body[i][k]].linear);
            lane_set(&v[i].angular, k, u[b->body[i][k]].angular);
        }
}

/* Returns the largest change. */
static vsp__real sweep_block(lane_block *b, vsp__velocity *u)
{
    lane_velocity v[2];
    lane_local before;
    lane_sweep s;
    vsp__real largest = 0;
    uint32_t i, k;

    load_bodies(b, u, v);
    for (k = 0; k < LANES; k++) {
        s.friction[k] = b->friction[k];
        s.most[k] = 0;
    }
    see_lanes(b, v, &before);
    s.now = before;
    for (i = 0; i < b->row_count; i++) {
        if (sweep_normals(&b->rows[i], &s))
            clamp_lanes(&s);
        sweep_tangents(&b->rows[i], &s);
    }
    give_lanes(b, &s.now, &before, v);
    for (k = 0; k < b->count; k++) {
        for (i = 0; i < 2; i++)
            if (b->share[i][k] != 0) {
                u[b->body[i][k]].linear = lane_get(&v[i].linear, k);
                u[b->body[i][k]].angular = lane_get(&v[i].angular, k);
            }
        largest = r_max(largest, s.most[k]);
    }
    return largest;
}

/* sweep_fixes of vsp_solver.c */
typedef struct lane_fixing { /* of a block */
    lane_velocity v[2]; /* displacements */
    lane3 normal;
    lane share;
    lane most; /* largest correction */
} lane_fixing;

static void sweep_fix_row(lane_row *row, lane_fixing *s)
{
    uint32_t k;

    for (k = 0; k < LANES; k++) {
        vsp__real old = row->multiplier[0][k], part = s->share[k], to, u;
        vsp__vec3 n = lane_get(&s->normal, k), t[2];
        vsp__velocity a, b;

        a.linear = lane_get(&s->v[0].linear, k);
        a.angular = lane_get(&s->v[0].angular, k);
        b.linear = lane_get(&s->v[1].linear, k);
        b.angular = lane_get(&s->v[1].angular, k);
        u = r_add(u3_dot(n, v3_sub(b.linear, a.linear)), row->bias[k]);
        u = r_add(u, v3_dot(lane_get(&row->arm[1], k), b.angular));
        u = r_sub(u, v3_dot(lane_get(&row->arm[0], k), a.angular));
        to = r_max(r_sub(old, u_mul(u, row->inv_diagonal[0][k])), 0);
        u = r_sub(to, old);
        row->multiplier[0][k] = to;
        s->most[k] = r_max(s->most[k], r_abs(u));
        t[0] = lane_get(&row->turn[0][0], k);
        t[1] = lane_get(&row->turn[1][0], k);
        u3_move(&a.linear, -u_mul(u, VSP__U(1.0) - part), &n);
        v3_move(&a.angular, r_neg(u), &t[0]);
        u3_move(&b.linear, u_mul(u, part), &n);
        v3_move(&b.angular, u, &t[1]);
        lane_set(&s->v[0].linear, k, a.linear);
        lane_set(&s->v[0].angular, k, a.angular);
        lane_set(&s->v[1].linear, k, b.linear);
        lane_set(&s->v[1].angular, k, b.angular);
    }
}

/* Bodies that do not move stay where they are, whoever of them writes. */
static vsp__real sweep_fix_block(lane_block *b, vsp__velocity *u)
{
    lane_fixing s;
    vsp__real largest = 0;
    uint32_t i, k;

    load_bodies(b, u, s.v);
    s.normal = b->axis[0];
    for (k = 0; k < LANES; k++) {
        s.share[k] = b->share[1][k];
        s.most[k] = 0;
    }
    for (i = 0; i < b->row_count; i++)
        sweep_fix_row(&b->rows[i], &s);
    for (k = 0; k < b->count; k++) {
        for (i = 0; i < 2; i++) {
            u[b->body[i][k]].linear = lane_get(&s.v[i].linear, k);
            u[b->body[i][k]].angular = lane_get(&s.v[i].angular, k);
        }
        largest = r_max(largest, s.most[k]);
    }
    return largest;
}

vsp__real vsp__sweep_lanes(vsp_world *world, bool are_fixes)
{
    vsp__solve *solve = &world->work.solve;
    lane_blocks *l = lanes_of(world);
    vsp__real largest = 0;
    uint32_t i;

    for (i = 0; i < l->count; i++)
        largest = r_max(largest,
                        are_fixes ? sweep_fix_block(&l->blocks[i],
                                                    solve->saved)
                                  : sweep_block(&l->blocks[i],
                                                solve->velocity));
    world->stats.row_updates += are_fixes ? l->row_count / 3u : l->row_count;
    return largest;
}

#endif
