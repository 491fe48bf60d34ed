/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Several manifolds at once, one in each lane of a vector, by the equations
 * that rows.c, sweep.c and correct.c use for one.  Optional: VSP_LANES.  In
 * this order: lanes, assembly, filling of lanes, correction rows, sweeps.
 *
 * A loop over lanes copies the numbers of one lane into plain structs, calls
 * the functions of equations.h, and stores the result.  Compilers turn it into
 * vector code, in which the copies vanish.  gcc does so at -O2 because loops
 * have no branches and change only local variables and the row they sweep.
 *
 * The bits are the same as without lanes.  Manifolds that share no moving body
 * can be swept in any order.  Each goes into the first block with a free lane
 * behind all blocks that have one of its bodies, so a body's manifolds are
 * swept in the same order; and every number comes from the same operations in
 * the same order. */

#include "equations.h"

#if VSP__LANE_COUNT > 1

#define LANE_WIDTH VSP__LANE_COUNT


/* ---- Lanes ----------------------------------------------------------------
 * They are stored behind the scratch of SUBSPACE. */

typedef vsp__num lane[LANE_WIDTH]; /* one number of each manifold */

typedef struct lane3 {
    lane x, y, z;
} lane3;

typedef struct lane_sym3 {
    lane xx, yy, zz, xy, xz, yz;
} lane_sym3;

/* One point of each manifold: the numbers of vsp__point_rows and
 * vsp__manifold_point, or of vsp__correction_row with levers as arms and the
 * gap as bias.  All are 0 in the lane of a manifold with fewer points; in a
 * correction only inverse diagonal, bias and multiplier are.  Such a row adds
 * 0, which can turn -0 into 0 but changes no difference that a body gets. */
typedef struct lane_row {
    lane3 arm[2], turn[2][3];
    lane inv_diagonal[2]; /* 1 / diagonal of the normal row; of both tangent
                             rows */
    lane bias;
    lane multiplier[3];
} lane_row;

typedef struct lane_block { /* manifolds that share no moving body */
    lane3 axis[3];
    lane share[2]; /* with signs, as in vsp__block */
    lane friction;
    lane_row rows[4];
    uint16_t body[2][LANE_WIDTH], place[LANE_WIDTH]; /* place: in layer_order */
    uint16_t count, row_count; /* manifolds; points of the one with most
                                  points */
} lane_block;

typedef struct lane_blocks {
    uint32_t count;       /* 0 if no problem is filled */
    uint32_t first, last; /* manifolds of the span */
    uint32_t sweep_count; /* sweeps of the last solve with a residual above the
                             tolerance */
    uint32_t row_count;   /* rows of all manifolds */
    uint32_t is_leveled;  /* blocks are in the levels of crew.level_block, and
                             those of one level share no free body */
    lane_block blocks[VSP__LANE_BLOCKS];
    uint16_t next[VSP__LANE_BLOCKS + 1]; /* index of the block itself if it has
                                            a free lane, else of a later one on
                                            the path to a block that has */
    uint16_t after[VSP_MAX_BODIES]; /* index behind the last block of a body */
} lane_blocks;

VSP_STATIC_ASSERT(lanes_fit, sizeof(lane_blocks) <= VSP__LANE_BYTES);

VSP_STATIC_ASSERT(lanes_are_tight, sizeof(lane_blocks) + 8u > VSP__LANE_BYTES);

static lane_blocks *lanes_of(const vsp_world *world)
{
    return (lane_blocks *)(void *)(vsp__stepper_scratch_of(world) +
                                   VSP__STEPPER_BYTES);
}

static inline vsp__v3 lane_get(const lane3 *v, uint32_t k)
{
    return v3(v->x[k], v->y[k], v->z[k]);
}

static inline void lane_set(lane3 *v, uint32_t k, vsp__v3 a)
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

/* Returns a if all bits of the mask are set, b if none is.  For ?: compilers
 * make a branch, and then no vector code. */
static inline vsp__num lane_choose(uint32_t mask, vsp__num a, vsp__num b)
{
    return r_from_bits((r_bits(a) & mask) | (r_bits(b) & ~mask));
}

/* reciprocal_root of float.c without its loop: 1 / sqrt(a) */
static inline vsp__num lane_root(vsp__num a)
{
    vsp__num half = r_mul(0.5f, a), y = vsp__guess_root(a);

    y = vsp__refine_root(half, y);
    y = vsp__refine_root(half, y);
    y = vsp__refine_root(half, y);
    return vsp__refine_root(half, y);
}


/* ---- Assembly -------------------------------------------------------------
 * vsp__assemble_manifold with cones, for consecutive manifolds of a span.  The
 * result is stored in blocks and rows, as not only sweeps use them. */

typedef struct lane_masses { /* one block of each manifold */
    lane3 axis[3];
    lane mass[2], inv_mass; /* inverse masses, their sum */
    lane share[2];
    lane_sym3 inertia[2]; /* inverse inertia; then that of block_inertia */
} lane_masses;

typedef struct lane_arms { /* one point of each manifold */
    lane3 arm[2], turn[2][3];
    lane inverse[3]; /* inverses of diagonals */
} lane_arms;

static inline void load_lane_masses(lane_masses *to, uint32_t k,
                                    const vsp__span *span,
                                    const vsp__manifold_view *s)
{
    vsp__wide mass[2];
    uint32_t i;

    lane_set(&to->axis[0], k, s->m->normal);
    for (i = 0; i < 2; i++) {
        const vsp__inverse_mass *inverse = vsp__inverse_mass_in(s->world, span,
                                                                s->m->body[i]);

        mass[i] = inverse->mass;
        lane_set_sym(&to->inertia[i], k, inverse->inertia);
    }
    vsp__scale_pair_masses(s->world, s->m, mass);
    for (i = 0; i < 2; i++)
        to->mass[i][k] = mass[i];
}

static inline void fill_tangents(lane3 axis[3])
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++)
        lane_set(&axis[1], k, vsp__across_normal(lane_get(&axis[0], k)));
    /* in a separate loop, or compilers would use the 0 in a
         tangent, and branch */
    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__v3 n = lane_get(&axis[0], k), t = lane_get(&axis[1], k);

        t = v3_scale(t, lane_root(v3_dot(t, t)));
        lane_set(&axis[1], k, t);
        lane_set(&axis[2], k, u3_cross(n, t));
    }
}

static inline void fill_blocks(lane_masses *s)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__block block;

        vsp__share_masses(s->mass[0][k], s->mass[1][k], &block);
        s->inv_mass[k] = block.inv_mass;
        s->share[0][k] = block.share[0];
        s->share[1][k] = block.share[1];
    }
    fill_tangents(s->axis);
}

/* a component of an inertia times a share; for the share 0 it is 0, never -0 */
static inline vsp__num lane_part(vsp__num part, vsp__num share)
{
    return lane_choose(0u - (uint32_t)(share > 0), r_mul(part, share), 0);
}

/* block_inertia of rows.c: converts inertia_of from world axes to those of the
 * block */
static inline void fill_inertia(const lane3 *restrict axis, const lane share_of,
                                lane_sym3 *restrict inertia_of)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__sym3 inertia = lane_get_sym(inertia_of, k);
        vsp__mat3 axes = lane_frame(axis, k);
        vsp__num share = r_abs(share_of[k]);
        vsp__v3 t[3];

        t[0] = s3_mul(&inertia, axes.axis[0]);
        t[1] = s3_mul(&inertia, axes.axis[1]);
        t[2] = s3_mul(&inertia, axes.axis[2]);
        vsp__see_parts(&axes, t, &inertia);
        inertia_of->xx[k] = lane_part(inertia.xx, share);
        inertia_of->yy[k] = lane_part(inertia.yy, share);
        inertia_of->zz[k] = lane_part(inertia.zz, share);
        inertia_of->xy[k] = lane_part(inertia.xy, share);
        inertia_of->xz[k] = lane_part(inertia.xz, share);
        inertia_of->yz[k] = lane_part(inertia.yz, share);
    }
}

static inline void turn_arms(lane_arms *p, const lane_masses *s)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__mat3 axes = lane_frame(s->axis, k);

        lane_set(&p->arm[0], k, m3_tmul(&axes, lane_get(&p->arm[0], k)));
        lane_set(&p->arm[1], k, m3_tmul(&axes, lane_get(&p->arm[1], k)));
    }
}

static inline void fill_lane_turns(lane_arms *restrict p,
                                   const lane_masses *restrict s)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__sym3 inertia[2];
        vsp__point_rows row;

        inertia[0] = lane_get_sym(&s->inertia[0], k);
        inertia[1] = lane_get_sym(&s->inertia[1], k);
        row.arm[0] = lane_get(&p->arm[0], k);
        row.arm[1] = lane_get(&p->arm[1], k);
        p->inverse[0][k] = vsp__fill_turns(inertia, 0, 0, &row);
        p->inverse[1][k] = vsp__fill_turns(inertia, 1, 0, &row);
        p->inverse[2][k] = vsp__fill_turns(inertia, 2, 0, &row);
        lane_set(&p->turn[0][0], k, row.turn[0][0]);
        lane_set(&p->turn[0][1], k, row.turn[0][1]);
        lane_set(&p->turn[0][2], k, row.turn[0][2]);
        lane_set(&p->turn[1][0], k, row.turn[1][0]);
        lane_set(&p->turn[1][1], k, row.turn[1][1]);
        lane_set(&p->turn[1][2], k, row.turn[1][2]);
    }
}

static inline void fill_arms(lane_arms *p, const lane_masses *s)
{
    uint32_t k;

    turn_arms(p, s);
    fill_lane_turns(p, s);
    /* in a separate loop, or compilers would fold 1 / 1, and
         branch */
    for (k = 0; k < LANE_WIDTH; k++) {
        p->inverse[0][k] = vsp__reciprocal(p->inverse[0][k]);
        p->inverse[1][k] = vsp__reciprocal(p->inverse[1][k]);
        p->inverse[2][k] = vsp__reciprocal(p->inverse[2][k]);
    }
}

static inline void store_block(const lane_masses *from, uint32_t k,
                               vsp__block *block)
{
    block->axes = lane_frame(from->axis, k);
    block->inv_mass = from->inv_mass[k];
    block->share[0] = from->share[0][k];
    block->share[1] = from->share[1][k];
}

static inline void store_arms(const lane_arms *from, uint32_t k,
                              vsp__point_rows *row)
{
    vsp__num inverse[3];
    uint32_t i, j;

    for (i = 0; i < 2; i++) {
        row->arm[i] = lane_get(&from->arm[i], k);
        for (j = 0; j < 3; j++)
            row->turn[i][j] = lane_get(&from->turn[i][j], k);
    }
    for (j = 0; j < 3; j++)
        inverse[j] = from->inverse[j][k];
    vsp__fill_strides(inverse, true, row);
}

uint32_t vsp__assemble_lanes(vsp_world *world, const vsp__span *span,
                             uint32_t first)
{
    uint32_t count = span->last - first, i, j, k;
    vsp__manifold_view s[LANE_WIDTH];
    lane_masses blocks;

    if (count > LANE_WIDTH)
        count = LANE_WIDTH;
    for (k = 0; k < LANE_WIDTH; k++) { /* unused lanes repeat the first */
        vsp__view_by_place(world, span, first + (k < count ? k : 0), &s[k]);
        load_lane_masses(&blocks, k, span, &s[k]);
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

/* Returns the first block from i on with a free lane, which may be the next new
 * one.  Halves the path to it, as union-find does. */
static uint32_t find_open_block(lane_blocks *l, uint32_t i)
{
    uint16_t *next = l->next;

    while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
    }
    return i;
}

/* Appends an empty block. */
static void open_block(lane_blocks *l)
{
    lane_block *b = &l->blocks[l->count++];

    b->count = b->row_count = 0;
    l->next[l->count] = (uint16_t)l->count;
}

/* Puts the manifold at index `place` of layer_order into a block.  Returns
 * false if that needs more than `most` blocks. */
static bool schedule_manifold(lane_blocks *l, const vsp__span *span,
                              const vsp__manifold_view *s, uint32_t place,
                              uint32_t most)
{
    const uint16_t *body = s->m->body;
    uint32_t i = 0, k;
    lane_block *b;

    for (k = 0; k < 2; k++)
        if (l->after[body[k]] > i)
            i = l->after[body[k]];
    i = find_open_block(l, i);
    if (i == most)
        return false;
    if (i == l->count)
        open_block(l);
    b = &l->blocks[i];
    b->place[b->count++] = (uint16_t)place;
    if (b->count == LANE_WIDTH)
        l->next[i]++;
    if (b->row_count < s->m->point_count)
        b->row_count = s->m->point_count;
    l->row_count += 3u * s->m->point_count;
    for (k = 0; k < 2; k++)
        if (w_less(VSP__W_ZERO,
                   vsp__inverse_mass_in(s->world, span, body[k])->mass))
            l->after[body[k]] = (uint16_t)(i + 1u);
    return true;
}

static void pack_multipliers(lane_row *to, uint32_t k,
                             const vsp__manifold_point *p)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        to->multiplier[i][k] = p->multiplier.row[i];
}

static void pack_row(lane_row *to, uint32_t k, const vsp__point_rows *row,
                     const vsp__manifold_point *p)
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

static void pack_manifold(lane_block *b, uint32_t k,
                          const vsp__manifold_view *s)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        lane_set(&b->axis[i], k, s->block->axes.axis[i]);
    for (i = 0; i < 2; i++) {
        b->share[i][k] = s->block->share[i];
        b->body[i][k] = s->m->body[i];
    }
    b->friction[k] = s->m->friction;
    for (i = 0; i < s->m->point_count; i++)
        pack_row(&b->rows[i], k, &s->rows[i], &s->points[i]);
}

/* Unused lanes read the bodies of the first one: others may be written by
 * another worker meanwhile. */
static void fill_unused_lanes(lane_block *b)
{
    uint32_t i, k;

    for (k = b->count; k < LANE_WIDTH; k++)
        for (i = 0; i < 2; i++)
            b->body[i][k] = b->body[i][0];
}

/* Fills a block, with zeros for missing manifolds and points. */
static void pack_block(vsp_world *world, const vsp__span *span, lane_block *b)
{
    uint32_t missing = b->row_count * LANE_WIDTH, k;
    vsp__manifold_view s[LANE_WIDTH];

    for (k = 0; k < b->count; k++) {
        vsp__view_by_place(world, span, b->place[k], &s[k]);
        missing -= s[k].m->point_count;
    }
    if (missing > 0)
        vsp__zero_bytes(b, offsetof(lane_block, rows) +
                               b->row_count * sizeof b->rows[0]);
    for (k = 0; k < b->count; k++)
        pack_manifold(b, k, &s[k]);
    fill_unused_lanes(b);
}

#if VSP_WORKERS

/* Puts the manifold at index `place` of layer_order into the last block. */
static void append_manifold(lane_blocks *l, const vsp__manifold_view *s,
                            uint32_t place)
{
    lane_block *b = &l->blocks[l->count - 1u];

    b->place[b->count++] = (uint16_t)place;
    if (b->row_count < s->m->point_count)
        b->row_count = s->m->point_count;
    l->row_count += 3u * s->m->point_count;
}

/* Assigns the manifolds of each level to blocks of their own.  Returns false if
 * that needs more than `most` blocks. */
static bool schedule_levels(vsp_world *world, const vsp__span *span,
                            uint32_t most)
{
    vsp__crew *crew = vsp__crew_of(world);
    lane_blocks *l = lanes_of(world);
    uint32_t i, k;
    vsp__manifold_view s;

    for (k = 0; k < crew->level_count; k++) {
        crew->level_block[k] = (uint16_t)l->count;
        for (i = crew->level_first[k]; i < crew->level_first[k + 1u]; i++) {
            if ((i - crew->level_first[k]) % LANE_WIDTH == 0) {
                if (l->count == most)
                    return false;
                open_block(l);
            }
            vsp__view_by_index(world, span->list,
                               world->layer_order[crew->level_order[i]], &s);
            append_manifold(l, &s, crew->level_order[i]);
        }
    }
    crew->level_block[k] = (uint16_t)l->count;
    return true;
}

#else

static bool schedule_levels(vsp_world *world, const vsp__span *span,
                            uint32_t most)
{
    (void)world;
    (void)span;
    (void)most;
    return false;
}

#endif

/* Assigns the manifolds of a span to blocks, without filling them.  Returns
 * false if they would fill less than half of the lanes. */
static bool schedule_span(vsp_world *world, const vsp__span *span)
{
    lane_blocks *l = lanes_of(world);
    uint32_t most = 2u * (span->last - span->first) / LANE_WIDTH, i;
    vsp__manifold_view s;

    l->count = l->row_count = l->is_leveled = 0;
    if (most < 2)
        return false;
    l->first = span->first;
    l->last = span->last;
    if (vsp__find_levels(world, span) && schedule_levels(world, span, most)) {
        l->is_leveled = 1;
        return true;
    }
    l->count = l->row_count = 0;
    vsp__zero_bytes(l->after, world->body_limit * sizeof l->after[0]);
    l->next[0] = 0;
    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        if (!schedule_manifold(l, span, &s, i, most)) {
            l->count = 0;
            return false;
        }
    return true;
}

/* A work on blocks: lanes.c hands its pieces to workers. */
typedef struct lane_work {
    vsp_world *world;
    const vsp__span *span;
    vsp__velocity *u;  /* velocities or displacements of all bodies */
    uint32_t start;    /* first block of the level */
    bool is_back;      /* multipliers are copied out of lanes */
    bool is_corrected; /* blocks have correction rows */
    vsp__most changes;
} lane_work;

static void start_lane_work(vsp_world *world, const vsp__span *span,
                            lane_work *work)
{
    work->world = world;
    work->span = span;
    work->start = 0;
    work->is_back = false;
}

/* Blocks that are worth a piece of work. */
#define LEAST_BLOCKS VSP__LEAST(3u)

/* Copies the multipliers of a block into lanes or, if is_back, out of them. */
static void move_block_multipliers(vsp_world *world, const vsp__span *span,
                                   lane_block *b, bool is_back)
{
    uint32_t i, j, k;
    vsp__manifold_view s;

    for (k = 0; k < b->count; k++) {
        vsp__view_by_index(world, span->list, world->layer_order[b->place[k]],
                           &s);
        for (j = 0; j < s.m->point_count; j++) {
            if (!is_back) {
                pack_multipliers(&b->rows[j], k, &s.points[j]);
                continue;
            }
            for (i = 0; i < 3; i++)
                s.points[j].multiplier.row[i] = b->rows[j].multiplier[i][k];
        }
    }
}

/* A vsp__do_piece: move_block_multipliers. */
static void move_multiplier_piece(void *work, uint32_t piece, uint32_t first,
                                  uint32_t last)
{
    const lane_work *job = (const lane_work *)work;
    lane_blocks *l = lanes_of(job->world);

    (void)piece;
    for (; first < last; first++)
        move_block_multipliers(job->world, job->span, &l->blocks[first],
                               job->is_back);
}

static void move_multipliers(vsp_world *world, const vsp__span *span,
                             bool is_back)
{
    lane_work job;

    start_lane_work(world, span, &job);
    job.is_back = is_back;
    vsp__share_work(world, move_multiplier_piece, &job, lanes_of(world)->count,
                    4u * LEAST_BLOCKS);
}

/* A vsp__do_piece: pack_block. */
static void pack_piece(void *work, uint32_t piece, uint32_t first,
                       uint32_t last)
{
    const lane_work *job = (const lane_work *)work;

    (void)piece;
    for (; first < last; first++)
        pack_block(job->world, job->span, &lanes_of(job->world)->blocks[first]);
}

bool vsp__fill_lanes(vsp_world *world, const vsp__span *span)
{
    lane_blocks *l = lanes_of(world);
    lane_work job;

    if (l->count > 0 && l->first == span->first && l->last == span->last) {
        move_multipliers(world, span, false);
        return true;
    }
    if (!vsp__has_cones(world) || vsp__has_belts(world) ||
        vsp__is_rolling(world) || !schedule_span(world, span))
        return false;
    start_lane_work(world, span, &job);
    vsp__share_work(world, pack_piece, &job, l->count, LEAST_BLOCKS);
    return true;
}

void vsp__reset_lanes(vsp_world *world)
{
    lanes_of(world)->sweep_count = 0;
    vsp__invalidate_lanes(world);
}

void vsp__invalidate_lanes(vsp_world *world)
{
    lanes_of(world)->count = 0;
}

uint32_t vsp__first_lane_sweep(const vsp_world *world)
{
    return lanes_of(world)->sweep_count > 1 ? 0 : 1;
}

void vsp__unload_lanes(vsp_world *world, const vsp__span *span, bool is_filled,
                       uint32_t sweeps)
{
    lanes_of(world)->sweep_count = sweeps;
    if (is_filled)
        move_multipliers(world, span, true);
}


/* ---- Correction rows ------------------------------------------------------
 * assemble_corrections of correct.c, stored in lanes. */

typedef struct lane_side { /* one body of each manifold */
    lane3 axis[3];
    lane_sym3 inertia; /* inverse */
    lane share;
} lane_side;

typedef struct lane_pair { /* both bodies of each manifold */
    lane_side side[2];
    lane3 way; /* from a's centre of mass to b's, m */
    lane3 normal;
} lane_pair;

static inline void load_side(lane_side *to, uint32_t k, const vsp__mat3 *axes,
                             const vsp__inverse_mass *inverse, vsp__num share)
{
    uint32_t i;

    for (i = 0; i < 3; i++)
        lane_set(&to->axis[i], k, axes->axis[i]);
    lane_set_sym(&to->inertia, k, inverse->inertia);
    to->share[k] = share;
}

static inline void load_pair(lane_pair *to, uint32_t k, const vsp__span *span,
                             const vsp__manifold_view *s)
{
    const vsp_world *world = s->world;
    const vsp__inverse_mass *inverse[2];
    vsp__num share[2];
    uint32_t i;

    for (i = 0; i < 2; i++)
        inverse[i] = vsp__inverse_mass_in(world, span, s->m->body[i]);
    vsp__share_correction(world, s->m, inverse, share);
    for (i = 0; i < 2; i++)
        load_side(&to->side[i], k, &vsp__solve_of(world)->axes[s->m->body[i]],
                  inverse[i], share[i]);
    lane_set(&to->way, k,
             v3_sub(world->bodies[s->m->body[1]].position,
                    world->bodies[s->m->body[0]].position));
    lane_set(&to->normal, k, s->m->normal);
}

/* converts an arm from a body's axes to world axes */
static inline vsp__v3 lane_turned(const lane_side *side, uint32_t k,
                                  vsp__v3 arm)
{
    vsp__mat3 axes = lane_frame(side->axis, k);

    return m3_mul(&axes, arm);
}

/* vsp__fill_lever of body i in a lane; part: of vsp__turn_part */
static inline vsp__num fill_lane_lever(const lane_pair *s, uint32_t k,
                                       uint32_t i, vsp__num part,
                                       vsp__correction_row *row)
{
    vsp__sym3 inertia = lane_get_sym(&s->side[i].inertia, k);
    vsp__v3 n = lane_get(&s->normal, k);

    return vsp__fill_lever(&n, &inertia, r_mul(part, s->side[i].share[k]), i,
                           row);
}

typedef struct lane_correction { /* one point of each manifold */
    lane3 lever[2];              /* first the arms in bodies' axes */
    lane3 turn[2];
    lane part; /* vsp__turn_part */
    lane inv_diagonal;
} lane_correction;

static inline void fill_lane_correction(lane_correction *f, const lane_pair *s)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__v3 d = lane_get(&s->way, k);
        vsp__num diagonal = VSP__REAL(1.0);
        vsp__correction_row one;

        one.lever[0] = lane_turned(&s->side[0], k, lane_get(&f->lever[0], k));
        one.lever[1] = lane_turned(&s->side[1], k, lane_get(&f->lever[1], k));
        vsp__meet_arms(&d, one.lever);
        diagonal = r_add(diagonal, fill_lane_lever(s, k, 0, f->part[k], &one));
        diagonal = r_add(diagonal, fill_lane_lever(s, k, 1, f->part[k], &one));
        lane_set(&f->lever[0], k, one.lever[0]);
        lane_set(&f->lever[1], k, one.lever[1]);
        lane_set(&f->turn[0], k, one.turn[0]);
        lane_set(&f->turn[1], k, one.turn[1]);
        f->inv_diagonal[k] = r_max(VSP__REAL(1.0), diagonal);
    }
    /* in a separate loop, or compilers would fold 1 / 1, and
         branch */
    for (k = 0; k < LANE_WIDTH; k++)
        f->inv_diagonal[k] = vsp__reciprocal(f->inv_diagonal[k]);
}

/* A missing point, or one that moves neither body, has the inverse diagonal 0,
 * so its multiplier stays 0. */
static inline void fill_lane_correction_row(lane_row *row, uint32_t j,
                                            const vsp__span *span,
                                            const lane_pair *pair,
                                            const vsp__manifold_view *s,
                                            uint32_t count)
{
    lane_correction made = {0};
    uint32_t i, k;

    for (k = 0; k < count; k++)
        if (j < s[k].m->point_count) {
            made.part[k] = vsp__turn_part(span, &s[k], s[k].points + j);
            for (i = 0; i < 2; i++)
                lane_set(&made.lever[i], k, s[k].points[j].arm[i]);
        }
    fill_lane_correction(&made, pair);
    for (i = 0; i < 2; i++) {
        row->arm[i] = made.lever[i];
        row->turn[i][0] = made.turn[i];
    }
    for (k = 0; k < LANE_WIDTH; k++) {
        bool is_there = k < count && j < s[k].m->point_count;
        bool is_moved = is_there && !vsp__corrects_none(pair->side[0].share[k],
                                                        pair->side[1].share[k]);

        row->inv_diagonal[0][k] = is_moved ? made.inv_diagonal[k] : 0;
        row->bias[k] = is_there ? vsp__gap_to_correct(&s[k], s[k].points + j)
                                : 0;
        row->multiplier[0][k] = 0;
    }
}

static void fill_correction_block(vsp_world *world, const vsp__span *span,
                                  lane_block *b)
{
    lane_pair pair = {0};
    vsp__manifold_view s[LANE_WIDTH];
    uint32_t i, k;

    for (k = 0; k < b->count; k++) {
        vsp__view_by_place(world, span, b->place[k], &s[k]);
        load_pair(&pair, k, span, &s[k]);
        for (i = 0; i < 2; i++)
            b->body[i][k] = s[k].m->body[i];
    }
    fill_unused_lanes(b);
    b->axis[0] = pair.normal;
    for (i = 0; i < 2; i++)
        for (k = 0; k < LANE_WIDTH; k++)
            b->share[i][k] = pair.side[i].share[k];
    for (i = 0; i < b->row_count; i++)
        fill_lane_correction_row(&b->rows[i], i, span, &pair, s, b->count);
}

/* A vsp__do_piece: fill_correction_block. */
static void fill_correction_piece(void *work, uint32_t piece, uint32_t first,
                                  uint32_t last)
{
    const lane_work *job = (const lane_work *)work;

    (void)piece;
    for (; first < last; first++)
        fill_correction_block(job->world, job->span,
                              &lanes_of(job->world)->blocks[first]);
}

bool vsp__fill_correction_lanes(vsp_world *world, const vsp__span *span)
{
    lane_work job;

    if (!schedule_span(world, span))
        return false;
    start_lane_work(world, span, &job);
    vsp__share_work(world, fill_correction_piece, &job, lanes_of(world)->count,
                    LEAST_BLOCKS);
    return true;
}


/* ---- Sweeping -------------------------------------------------------------
 * sweep_manifold of sweep.c, in two loops for each point: normal, tangents. */

typedef struct lane_velocity { /* of one body of each manifold */
    lane3 linear, angular;
} lane_velocity;

typedef struct lane_local { /* vsp__local_velocity of each manifold */
    lane3 e, w[2], e0, w0[2];
} lane_local;

typedef struct lane_sweep { /* a sweep of a block */
    lane_local local;
    lane friction;
    lane most;        /* largest change of a multiplier */
    lane t[2], limit; /* new tangential multipliers; radius of their cone */
} lane_sweep;

static inline void load_local(const lane_local *from, uint32_t k,
                              vsp__local_velocity *l)
{
    l->e = lane_get(&from->e, k);
    l->w[0] = lane_get(&from->w[0], k);
    l->w[1] = lane_get(&from->w[1], k);
    l->e0 = lane_get(&from->e0, k);
    l->w0[0] = lane_get(&from->w0[0], k);
    l->w0[1] = lane_get(&from->w0[1], k);
    l->scale = 0;
}

/* Stores all members except e0 and w0. */
static inline void store_local(const vsp__local_velocity *l, uint32_t k,
                               lane_local *to)
{
    lane_set(&to->e, k, l->e);
    lane_set(&to->w[0], k, l->w[0]);
    lane_set(&to->w[1], k, l->w[1]);
}

static inline void load_velocity(const lane_velocity *from, uint32_t k,
                                 vsp__velocity *v)
{
    v->linear = lane_get(&from->linear, k);
    v->angular = lane_get(&from->angular, k);
}

static inline void store_velocity(const vsp__velocity *v, uint32_t k,
                                  lane_velocity *to)
{
    lane_set(&to->linear, k, v->linear);
    lane_set(&to->angular, k, v->angular);
}

static inline void load_row(const lane_row *from, uint32_t k,
                            vsp__point_rows *row, vsp__manifold_point *p)
{
    row->arm[0] = lane_get(&from->arm[0], k);
    row->arm[1] = lane_get(&from->arm[1], k);
    row->turn[0][0] = lane_get(&from->turn[0][0], k);
    row->turn[0][1] = lane_get(&from->turn[0][1], k);
    row->turn[0][2] = lane_get(&from->turn[0][2], k);
    row->turn[1][0] = lane_get(&from->turn[1][0], k);
    row->turn[1][1] = lane_get(&from->turn[1][1], k);
    row->turn[1][2] = lane_get(&from->turn[1][2], k);
    row->stride[0] = from->inv_diagonal[0][k];
    row->stride[1] = from->inv_diagonal[1][k];
    p->bias = from->bias[k];
    p->multiplier.row[0] = from->multiplier[0][k];
    p->multiplier.row[1] = from->multiplier[1][k];
    p->multiplier.row[2] = from->multiplier[2][k];
}

/* vsp__enter_block, vsp__begin_local */
static void enter_lanes(const lane_block *b, const lane_velocity v[2],
                        lane_local *to)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__mat3 axes = lane_frame(b->axis, k);
        vsp__velocity of[2];
        vsp__local_velocity l;
        vsp__v3 e;

        load_velocity(&v[0], k, &of[0]);
        load_velocity(&v[1], k, &of[1]);
        e = v3_difference(of[1].linear, of[0].linear);
        vsp__enter_block(&axes, &e, &of[0], &of[1], &l);
        vsp__begin_local(&l, 0, &l);
        store_local(&l, k, to);
        lane_set(&to->e0, k, l.e0);
        lane_set(&to->w0[0], k, l.w0[0]);
        lane_set(&to->w0[1], k, l.w0[1]);
    }
}

/* Sweeps normals, and computes the tangential multipliers before they are
 * clamped.  Returns whether any of these are outside of their cones. */
static uint32_t sweep_normals(lane_row *rows, lane_sweep *s)
{
    uint32_t k, are_out = 0;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__num t[2], d;
        vsp__local_velocity l;
        vsp__point_rows row;
        vsp__manifold_point p;

        load_local(&s->local, k, &l);
        load_row(rows, k, &row, &p);
        d = vsp__sweep_to_stick(&l, &row, &p, t);
        store_local(&l, k, &s->local);
        rows->multiplier[0][k] = p.multiplier.row[0];
        s->most[k] = r_max_size(s->most[k], d);
        s->limit[k] = vsp__cone_limit(s->friction[k], &p, VSP__NEAREST);
        s->t[0][k] = t[0];
        s->t[1][k] = t[1];
        are_out |= !vsp__is_in_disc(s->limit[k], t[0], t[1]);
    }
    return are_out;
}

/* vsp__clamp_to_disc */
static void clamp_lanes(lane_sweep *s)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__num limit = s->limit[k], t1 = s->t[0][k], t2 = s->t[1][k];
        vsp__num scale = r_mul(limit, lane_root(r_dot2(t1, t1, t2, t2)));
        uint32_t is_in = 0u - (uint32_t)vsp__is_in_disc(limit, t1, t2);
        uint32_t is_disc = 0u - (uint32_t)(limit > 0);

        scale = lane_choose(is_in, 1.0f, lane_choose(is_disc, scale, 0));
        s->t[0][k] = u_mul(t1, scale);
        s->t[1][k] = u_mul(t2, scale);
    }
}

static void sweep_lane_tangents(lane_row *rows, lane_sweep *s)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__num t[2];
        vsp__local_velocity l;
        vsp__point_rows row;
        vsp__manifold_point p;

        t[0] = s->t[0][k];
        t[1] = s->t[1][k];
        load_local(&s->local, k, &l);
        load_row(rows, k, &row, &p);
        s->most[k] = r_largest(s->most[k],
                               vsp__sweep_tangents(&l, &row, t, &p));
        store_local(&l, k, &s->local);
        rows->multiplier[1][k] = p.multiplier.row[1];
        rows->multiplier[2][k] = p.multiplier.row[2];
    }
}

/* vsp__store_local_velocity for all bodies; sweep_block then drops the result
 * of those whose share is 0 */
static void leave_lanes(const lane_block *b, const lane_local *from,
                        lane_velocity v[2])
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__mat3 axes = lane_frame(b->axis, k);
        vsp__velocity of[2];
        vsp__local_velocity l;
        vsp__v3 e;

        load_local(from, k, &l);
        load_velocity(&v[0], k, &of[0]);
        load_velocity(&v[1], k, &of[1]);
        vsp__change_of_e(&axes, &l, VSP__NEAREST, &e);
        vsp__give_change(&axes, &l, &e, 0, b->share[0][k], 0, VSP__NEAREST,
                         &of[0]);
        vsp__give_change(&axes, &l, &e, 1, b->share[1][k], 0, VSP__NEAREST,
                         &of[1]);
        store_velocity(&of[0], k, &v[0]);
        store_velocity(&of[1], k, &v[1]);
    }
}

/* Reads the velocities of a block's bodies. */
static inline void load_bodies(const lane_block *b, const vsp__velocity *u,
                               lane_velocity v[2])
{
    uint32_t i, k;

    for (k = 0; k < LANE_WIDTH; k++)
        for (i = 0; i < 2; i++) {
            lane_set(&v[i].linear, k, u[b->body[i][k]].linear);
            lane_set(&v[i].angular, k, u[b->body[i][k]].angular);
        }
}

/* Sweeps a block once.  Returns the largest change of a multiplier, m/s. */
static vsp__num sweep_block(lane_block *b, vsp__velocity *u)
{
    lane_velocity v[2];
    lane_sweep s;
    vsp__num largest = 0;
    uint32_t i, k;

    load_bodies(b, u, v);
    for (k = 0; k < LANE_WIDTH; k++) {
        s.friction[k] = b->friction[k];
        s.most[k] = 0;
    }
    enter_lanes(b, v, &s.local);
    for (i = 0; i < b->row_count; i++) {
        if (sweep_normals(&b->rows[i], &s))
            clamp_lanes(&s);
        sweep_lane_tangents(&b->rows[i], &s);
    }
    leave_lanes(b, &s.local, v);
    for (k = 0; k < b->count; k++) {
        for (i = 0; i < 2; i++)
            if (b->share[i][k] != 0) {
                u[b->body[i][k]].linear = lane_get(&v[i].linear, k);
                u[b->body[i][k]].angular = lane_get(&v[i].angular, k);
            }
        largest = r_largest(largest, s.most[k]);
    }
    return largest;
}


/* ---- Sweeping of corrections ----------------------------------------------
 * sweep_corrections of correct.c. */

typedef struct lane_correction_sweep { /* a sweep of a block */
    lane_velocity v[2];                /* displacements */
    lane3 normal;
    lane share;
    lane most; /* largest correction */
} lane_correction_sweep;

static inline void load_correction(const lane_row *from, uint32_t k,
                                   vsp__correction_row *row)
{
    row->lever[0] = lane_get(&from->arm[0], k);
    row->lever[1] = lane_get(&from->arm[1], k);
    row->turn[0] = lane_get(&from->turn[0][0], k);
    row->turn[1] = lane_get(&from->turn[1][0], k);
    row->inv_diagonal = from->inv_diagonal[0][k];
    row->gap = from->bias[k];
    row->multiplier = from->multiplier[0][k];
}

static void sweep_correction_row(lane_row *row, lane_correction_sweep *s)
{
    uint32_t k;

    for (k = 0; k < LANE_WIDTH; k++) {
        vsp__v3 n = lane_get(&s->normal, k);
        vsp__velocity a, b;
        vsp__correction_row one;

        load_velocity(&s->v[0], k, &a);
        load_velocity(&s->v[1], k, &b);
        load_correction(row, k, &one);
        one.share = s->share[k];
        s->most[k] = r_largest(s->most[k],
                               vsp__sweep_correction(&n, &one, &a, &b));
        row->multiplier[0][k] = one.multiplier;
        store_velocity(&a, k, &s->v[0]);
        store_velocity(&b, k, &s->v[1]);
    }
}

/* Sweeps a block once.  Returns the largest correction, m. */
static vsp__num sweep_correction_block(lane_block *b, vsp__velocity *u)
{
    lane_correction_sweep s;
    vsp__num largest = 0;
    uint32_t i, k;

    load_bodies(b, u, s.v);
    s.normal = b->axis[0];
    for (k = 0; k < LANE_WIDTH; k++) {
        s.share[k] = b->share[1][k];
        s.most[k] = 0;
    }
    for (i = 0; i < b->row_count; i++)
        sweep_correction_row(&b->rows[i], &s);
    for (k = 0; k < b->count; k++) {
        for (i = 0; i < 2; i++)
            if (b->share[i][k] != 0) {
                u[b->body[i][k]].linear = lane_get(&s.v[i].linear, k);
                u[b->body[i][k]].angular = lane_get(&s.v[i].angular, k);
            }
        largest = r_largest(largest, s.most[k]);
    }
    return largest;
}

/* A vsp__do_piece of a level: sweeps blocks. */
static void sweep_block_piece(void *work, uint32_t piece, uint32_t first,
                              uint32_t last)
{
    lane_work *job = (lane_work *)work;
    lane_block *b = lanes_of(job->world)->blocks + job->start + first;
    lane_block *end = b + (last - first);
    vsp__num largest = job->changes.of[piece];

    for (; b < end; b++)
        largest = r_largest(largest, job->is_corrected
                                         ? sweep_correction_block(b, job->u)
                                         : sweep_block(b, job->u));
    job->changes.of[piece] = largest;
}

/* Sweeps the blocks level by level, or all in order. */
static void sweep_all_blocks(vsp_world *world, lane_work *job)
{
    lane_blocks *l = lanes_of(world);
    if (l->is_leveled)
        vsp__share_levels(world, sweep_block_piece, VSP__LEVEL_BLOCKS, job,
                          &job->start, LEAST_BLOCKS);
    else
        sweep_block_piece(job, 0, 0, l->count);
}

vsp__num vsp__sweep_lanes(vsp_world *world, bool are_corrections)
{
    vsp__solver_scratch *solve = vsp__solve_of(world);
    lane_blocks *l = lanes_of(world);
    lane_work job;

    start_lane_work(world, NULL, &job);
    job.u = are_corrections ? solve->saved : solve->velocity;
    job.is_corrected = are_corrections;
    vsp__clear_most(&job.changes);
    sweep_all_blocks(world, &job);
    world->stats.row_updates += are_corrections ? l->row_count / 3u
                                                : l->row_count;
    return vsp__most_of_all(&job.changes);
}

#endif /* VSP__LANE_COUNT > 1 */
