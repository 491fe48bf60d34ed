/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* From shapes and poses to contacts, in this order: mass of shapes, poses
 * and bounds, sorting, the broad phase (which pairs may touch), the narrow
 * phase (where they do, one function for each pair of shape types), the
 * choice of the deepest when capacities end, and the three functions that
 * vsp_internal.h promises.  Nothing here knows a velocity, and nothing is
 * remembered from one step to the next. */

#include "vsp_internal.h"


/* ---- Mass of shapes ------------------------------------------------------ */

static vsp__wide shape_volume(const vsp__shape *shape)
{
    vsp__wide x = w_of_real(shape->size.x), y = w_of_real(shape->size.y);
    vsp__wide z = w_of_real(shape->size.z);

    switch (shape->type) {
    case VSP_SHAPE_SPHERE: /* 4/3 pi r^3 */
        return w_mul(w_of_real(VSP__R(4.18879020)), w_mul(x, w_mul(x, x)));
    case VSP_SHAPE_BOX:
        return w_mul(w_of_real(VSP__R(8.0)), w_mul(x, w_mul(y, z)));
    default:
        return W_ZERO;
    }
}

/* m^2: inertia of one kilogram, in the shape's own axes; products are 0 */
static void specific_inertia(const vsp__shape *shape, vsp__sym3 *s)
{
    vsp__square xx = r_square(shape->size.x), yy = r_square(shape->size.y);
    vsp__square zz = r_square(shape->size.z);
    vsp__real k = VSP__U(1.0 / 3.0);
    vsp__sums sums = {0, 0, 0, 0, 0, 0};

    if (shape->type == VSP_SHAPE_SPHERE) {
        yy = zz = xx;
        k = VSP__U(0.2);
    }
    sums.xx = yy + zz;
    sums.yy = xx + zz;
    sums.zz = xx + yy;
    vsp__sum_up(&sums, s);
    vsp__scale(s, k);
}

vsp__wide vsp__shape_mass(const vsp__shape *shape, vsp__sym3 *inertia)
{
    vsp__wide mass = w_flush(w_mul(shape_volume(shape),
                                   w_flush(shape->density)));
    vsp__mat3 axes;

    *inertia = s3_zero();
    if (!w_less(W_ZERO, mass))
        return W_ZERO;
    specific_inertia(shape, inertia);
    if (shape->type == VSP_SHAPE_BOX) {
        vsp__flushed_axes(shape->pose.rotation, &axes);
        vsp__rotate(&axes, inertia);
    }
    s3_flush(inertia);
    return mass;
}


/* ---- Poses and bounds ---------------------------------------------------- */

/* from the body's centre of mass to the shape's centre, in the body's axes */
static void shape_arm(const vsp_world *world, uint32_t slot, vsp__vec3 *arm)
{
    const vsp__shape *shape = &world->shapes[slot];

    *arm = shape->pose.position;
    v3_sub_in(arm, &world->bodies[shape->body].matter.center);
    v3_flush_in(arm);
}

/* Small parts of axes are flushed, so that products of three are normal. */
static void shape_pose(const vsp_world *world, uint32_t slot,
                       vsp__pose *pose)
{
    const vsp__shape *shape = &world->shapes[slot];
    const vsp__mat3 *axes = &world->axes[shape->body];
    uint32_t i;

    shape_arm(world, slot, &pose->position);
    vsp__mul(axes, &pose->position, &pose->position);
    v3_add_in(&pose->position, &world->bodies[shape->body].position);
    v3_flush_in(&pose->position);
    vsp__flushed_axes(shape->pose.rotation, &pose->axes);
    for (i = 0; i < 3; i++) {
        vsp__mul(axes, &pose->axes.axis[i], &pose->axes.axis[i]);
        v3_flush_in(&pose->axes.axis[i]);
    }
}

/* Adds to sum how far a box of a size reaches along the axes of the world. */
static void add_extent(const vsp__mat3 *axes, const vsp__vec3 *size,
                       vsp__vec3 *sum)
{
    u3_move_abs(sum, size->x, &axes->axis[0]);
    u3_move_abs(sum, size->y, &axes->axis[1]);
    u3_move_abs(sum, size->z, &axes->axis[2]);
}

/* half the size of the bounds along the axes of the world */
static void shape_extent(const vsp__shape *shape, const vsp__pose *pose,
                         vsp__vec3 *extent)
{
    vsp__real radius = shape->size.x;

    *extent = v3_zero();
    if (shape->type == VSP_SHAPE_SPHERE)
        *extent = v3(radius, radius, radius);
    else
        add_extent(&pose->axes, &shape->size, extent);
}

static bool is_bounded(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_BOX;
}

/* Poses of all shapes; bounds, with half of the envelope around them, of
 * those that have any. */
static void place_shapes(vsp_world *world)
{
    vsp__real half = u_mul(VSP__U(0.5), world->params.envelope);
    vsp__vec3 margin = v3(half, half, half);
    uint32_t i;

    for (i = 0; i < world->shape_limit; i++) {
        const vsp__shape *shape = &world->shapes[i];
        vsp__pose *pose = &world->poses[i];
        vsp__bounds *bounds = &world->work.find.bounds[i];
        vsp__vec3 reach;

        if (shape->type == VSP_SHAPE_NONE)
            continue;
        shape_pose(world, i, pose);
        if (!is_bounded(shape))
            continue;
        shape_extent(shape, pose, &reach);
        v3_add_in(&reach, &margin);
        bounds->low = bounds->high = pose->position;
        v3_sub_in(&bounds->low, &reach);
        v3_add_in(&bounds->high, &reach);
    }
}


/* ---- Sorting ---------------------------------------------------------------
 * Least digit first, by counting.  Digits of 6 bits: few passes, and counters
 * that fit a small stack. */

#define DIGIT_BITS 6u
#define DIGIT_COUNT (1u << DIGIT_BITS)

static uint32_t digit_of(uint32_t key, uint32_t shift)
{
    return (key >> shift) & (DIGIT_COUNT - 1u);
}

/* first[d]: where the keys with digit d begin.  Returns false when all keys
 * have the same digit. */
static bool count_digits(const uint32_t *keys, uint32_t count, uint32_t shift,
                         uint32_t *first)
{
    uint32_t i, sum = 0;

    for (i = 0; i < DIGIT_COUNT; i++)
        first[i] = 0;
    for (i = 0; i < count; i++)
        first[digit_of(keys[i], shift)]++;
    if (first[digit_of(keys[0], shift)] == count)
        return false;
    for (i = 0; i < DIGIT_COUNT; i++) {
        uint32_t n = first[i];

        first[i] = sum;
        sum += n;
    }
    return true;
}

/* Moves keys (and order) from one half to the other, by digit. */
static void scatter_keys(uint32_t *keys, uint16_t *order, uint32_t count,
                         uint32_t from, uint32_t to, uint32_t shift,
                         uint32_t *first)
{
    uint32_t i;

    for (i = 0; i < count; i++) {
        uint32_t key = keys[from + i];
        uint32_t place = first[digit_of(key, shift)]++;

        keys[to + place] = key;
        if (order)
            order[to + place] = order[from + i];
    }
}

void vsp__sort(uint32_t *keys, uint16_t *order, uint32_t count,
               uint32_t capacity, uint32_t bits)
{
    uint32_t first[DIGIT_COUNT];
    uint32_t from = 0, shift, i;

    if (count < 2)
        return;
    for (shift = 0; shift < bits; shift += DIGIT_BITS) {
        if (!count_digits(keys + from, count, shift, first))
            continue;
        scatter_keys(keys, order, count, from, capacity - from, shift, first);
        from = capacity - from;
    }
    if (from == 0)
        return;
    for (i = 0; i < count; i++) {
        keys[i] = keys[from + i];
        if (order)
            order[i] = order[from + i];
    }
}


/* ---- Broad phase: which pairs -------------------------------------------- */

/* pairs found so far, in find.pairs */
typedef struct pair_list {
    vsp_world *world;
    uint32_t count, dropped;
} pair_list;

/* see vsp_filter */
static bool filter_lets(const vsp__shape *a, const vsp__shape *b)
{
    const vsp_filter *f = &a->filter, *g = &b->filter;

    if (f->group == g->group && f->group != 0)
        return f->group > 0;
    return (f->category & g->mask) != 0 && (g->category & f->mask) != 0;
}

static bool may_collide(const vsp_world *world, uint32_t a, uint32_t b)
{
    const vsp__shape *shape_a = &world->shapes[a];
    const vsp__shape *shape_b = &world->shapes[b];

    return shape_a->body != shape_b->body &&
           (vsp__is_dynamic(&world->bodies[shape_a->body]) ||
            vsp__is_dynamic(&world->bodies[shape_b->body])) &&
           filter_lets(shape_a, shape_b);
}

static void add_pair(pair_list *list, uint32_t a, uint32_t b)
{
    if (!may_collide(list->world, a, b))
        return;
    if (list->count == list->world->params.capacity.pairs)
        list->dropped++;
    else
        list->world->work.find.pairs[list->count++] = a << 16 | b;
}

/* whether anything of the bounds is less than the envelope above a plane */
static bool bounds_reach(const vsp__bounds *bounds, const vsp__pose *plane,
                         vsp__real margin)
{
    const vsp__vec3 *n = &plane->axes.axis[1];
    vsp__vec3 low = bounds->low;

    if (!(n->x > 0))
        low.x = bounds->high.x;
    if (!(n->y > 0))
        low.y = bounds->high.y;
    if (!(n->z > 0))
        low.z = bounds->high.z;
    v3_sub_in(&low, &plane->position);
    return u3_dot_at(n, &low) <= margin;
}

/* Half-spaces have no bounds: each is compared with all bounded shapes, which
 * are listed in sort_order. */
static void pair_half_spaces(pair_list *list, uint32_t bounded_count)
{
    const vsp_world *world = list->world;
    vsp__real margin = u_mul(VSP__U(0.5), world->params.envelope);
    uint32_t i, k;

    for (i = 0; i < world->shape_limit; i++) {
        if (world->shapes[i].type != VSP_SHAPE_HALF_SPACE)
            continue;
        for (k = 0; k < bounded_count; k++) {
            uint32_t other = world->work.find.sort_order[k];

            if (bounds_reach(&world->work.find.bounds[other],
                             &world->poses[i], margin))
                add_pair(list, i, other);
        }
    }
}


/* ---- Broad phase: order in space -------------------------------------------
 * Bounded shapes along a Morton curve, so that neighbours in the order are
 * neighbours in space. */

#define MORTON_CELLS 1024 /* along each axis */

/* twice, to save the halving */
static void twice_center(const vsp_world *world, uint32_t shape, vsp__vec3 *c)
{
    const vsp__bounds *bounds = &world->work.find.bounds[shape];

    *c = bounds->low;
    v3_add_in(c, &bounds->high);
    v3_flush_in(c);
}

/* sums along the axes */
typedef struct total3 {
    vsp__total x, y, z;
} total3;

static void total_zero(total3 *sum)
{
    sum->x = sum->y = sum->z = 0;
}

static void total_add(total3 *sum, const vsp__vec3 *v)
{
    t_add(&sum->x, v->x);
    t_add(&sum->y, v->y);
    t_add(&sum->z, v->z);
}

/* Lists the bounded shapes by slot.  Returns how many there are; *mean is
 * that of their twice_center. */
static uint32_t list_bounded(vsp_world *world, vsp__vec3 *mean)
{
    uint32_t i, count = 0;
    total3 sum;
    vsp__vec3 c;

    total_zero(&sum);
    *mean = v3_zero();
    for (i = 0; i < world->shape_limit; i++) {
        if (!is_bounded(&world->shapes[i]))
            continue;
        world->work.find.sort_order[count++] = (uint16_t)i;
        twice_center(world, i, &c);
        total_add(&sum, &c);
    }
    if (count > 0)
        *mean = v3(t_mean(sum.x, count), t_mean(sum.y, count),
                   t_mean(sum.z, count));
    return count;
}

/* Cells per metre.  Three times the mean distance from the mean is cut into
 * half of the cells; what lies outside goes to the outermost cells.  So a
 * few shapes far away do not press all others into one cell. */
static vsp__real morton_scale(const vsp_world *world, uint32_t count,
                              const vsp__vec3 *mean)
{
    vsp__total size = VSP__R(0.001);
    vsp__vec3 c;
    total3 sum;
    uint32_t k;

    total_zero(&sum);
    for (k = 0; k < count; k++) {
        twice_center(world, world->work.find.sort_order[k], &c);
        v3_sub_in(&c, mean);
        c = v3_abs(c);
        total_add(&sum, &c);
    }
    size = sum.x > size ? sum.x : size;
    size = sum.y > size ? sum.y : size;
    size = sum.z > size ? sum.z : size;
    return t_rate(size, count, VSP__R(MORTON_CELLS / 6.0));
}

/* The cell of a coordinate, two zeros before each of its ten bits:
 * 0 0 1 0 0 1 ... */
static uint32_t morton_bits(vsp__real a)
{
    uint32_t x = (uint32_t)r_to_int(r_clamp(
        r_add(a, VSP__R(MORTON_CELLS / 2)), 0, VSP__R(MORTON_CELLS - 1)));

    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

/* Fills sort_order with the bounded shapes, neighbours side by side.
 * Returns how many there are. */
static uint32_t order_shapes(vsp_world *world)
{
    uint32_t *keys = world->work.find.sort_keys;
    uint16_t *order = world->work.find.sort_order;
    vsp__vec3 mean, c;
    uint32_t count = list_bounded(world, &mean), k;
    vsp__real scale = morton_scale(world, count, &mean);

    for (k = 0; k < count; k++) {
        twice_center(world, order[k], &c);
        v3_sub_in(&c, &mean);
        v3_flush_in(&c);
        v3_scale_in(&c, scale);
        keys[k] = morton_bits(c.x) | morton_bits(c.y) << 1 |
                  morton_bits(c.z) << 2;
    }
    vsp__sort(keys, order, count, VSP_MAX_SHAPES, 30);
    return count;
}


/* ---- Broad phase: tree -----------------------------------------------------
 * Leaves are the shapes in sort_order, level 0.  Node i of level k + 1 bounds
 * nodes 2 i and 2 i + 1 of level k; the top level has one node. */

#define TREE_LEVELS 18 /* enough for 2^17 leaves */

typedef struct tree_levels {
    const vsp_world *world;
    uint32_t top;
    uint32_t count[TREE_LEVELS]; /* nodes of a level */
    uint32_t first[TREE_LEVELS]; /* in find.tree; not used for level 0 */
} tree_levels;

static const vsp__bounds *node_bounds(const tree_levels *levels,
                                      uint32_t level, uint32_t i)
{
    const vsp_world *world = levels->world;

    if (level == 0)
        return &world->work.find.bounds[world->work.find.sort_order[i]];
    return &world->work.find.tree[levels->first[level] + i];
}

/* no branch but one: which test decides is hard to foresee */
static bool bounds_overlap(const vsp__bounds *a, const vsp__bounds *b)
{
    return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) &
           (a->low.y <= b->high.y) & (b->low.y <= a->high.y) &
           (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
}

/* Makes bounds enclose others, too. */
static void bounds_join(vsp__bounds *to, const vsp__bounds *from)
{
    vsp__real *a = (vsp__real *)to;
    const vsp__real *b = (const vsp__real *)from;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        a[k] = r_min(a[k], b[k]);
        a[3 + k] = r_max(a[3 + k], b[3 + k]);
    }
}

static void build_level(vsp_world *world, const tree_levels *levels,
                        uint32_t level)
{
    vsp__bounds *nodes = &world->work.find.tree[levels->first[level]];
    uint32_t below = levels->count[level - 1], i;

    for (i = 0; i < below; i++) {
        const vsp__bounds *from = node_bounds(levels, level - 1, i);
        vsp__bounds *to = &nodes[i / 2];

        if (i % 2 == 0) {
            *to = *from;
            continue;
        }
        bounds_join(to, from);
    }
}

static void build_tree(vsp_world *world, uint32_t leaf_count,
                       tree_levels *levels)
{
    uint32_t level = 0, first = 0;

    levels->world = world;
    levels->count[0] = leaf_count;
    levels->first[0] = 0;
    while (levels->count[level] > 1) {
        uint32_t count = (levels->count[level] + 1) / 2;

        level++;
        levels->count[level] = count;
        levels->first[level] = first;
        build_level(world, levels, level);
        first += count;
    }
    levels->top = level;
}

/* Pairs a leaf with the leaves after it, without a stack: a node that
 * overlaps is entered, else the next node follows, on the highest level on
 * which it begins. */
static void pair_leaf(pair_list *list, const tree_levels *levels,
                      uint32_t leaf)
{
    const vsp_world *world = list->world;
    uint32_t slot = world->work.find.sort_order[leaf];
    vsp__bounds bounds = world->work.find.bounds[slot];
    uint32_t level = 0, i = leaf;

    for (;;) {
        i++;
        while (i % 2 == 0 && level < levels->top) {
            i /= 2;
            level++;
        }
        if (i >= levels->count[level])
            return;
        while (bounds_overlap(&bounds, node_bounds(levels, level, i))) {
            if (level == 0) {
                uint32_t other = world->work.find.sort_order[i];

                add_pair(list, slot < other ? slot : other,
                         slot < other ? other : slot);
                break;
            }
            level--;
            i *= 2;
        }
    }
}

/* Fills find.pairs, sorted.  Returns how many there are; adds to *dropped how
 * many more there would be. */
static uint32_t find_pairs(vsp_world *world, uint32_t *dropped)
{
    tree_levels levels;
    pair_list list;
    uint32_t leaf, count = order_shapes(world);

    list.world = world;
    list.count = list.dropped = 0;
    pair_half_spaces(&list, count);
    build_tree(world, count, &levels);
    for (leaf = 0; leaf < count; leaf++)
        pair_leaf(&list, &levels, leaf);
    vsp__sort(world->work.find.pairs, (uint16_t *)0, list.count,
              VSP_MAX_PAIRS, 32);
    *dropped += list.dropped;
    return list.count;
}


/* ---- Narrow phase ----------------------------------------------------------
 * The functions touch_... return whether two solids are closer than the
 * envelope, and where.  Points are in the axes of the world, each from the
 * centre of its own shape: so far from the origin nothing is lost. */

/* below this, m, a direction between two points is noise */
#define MIN_DISTANCE VSP__R(1e-6)

typedef struct solid {
    const vsp__shape *shape;
    const vsp__pose *pose;
} solid;

typedef struct touch_point {
    vsp__vec3 on[2]; /* a and b */
    vsp__real gap;
    uint32_t feature;
} touch_point;

typedef struct touch {
    vsp__vec3 normal; /* a to b */
    uint32_t count;
    touch_point points[4];
} touch;

static void v3_get(const vsp__vec3 *v, vsp__real *to)
{
    to[0] = v->x;
    to[1] = v->y;
    to[2] = v->z;
}

static void v3_flip_in(vsp__vec3 *v, bool is_negative)
{
    if (is_negative)
        *v = v3_neg(*v);
}

/* how far one goes along the other, a unit vector */
static inline vsp__real flushed_dot(const vsp__vec3 *a, const vsp__vec3 *b)
{
    return r_flush(u3_dot_at(a, b));
}

/* centre of a to centre of b */
static void solid_offset(const solid *a, const solid *b, vsp__vec3 *d)
{
    *d = b->pose->position;
    v3_sub_in(d, &a->pose->position);
    v3_flush_in(d);
}


/* ---- Narrow phase: spheres -------------------------------------------------
 * The functions ..._gap fill the normal and the point on a, and return the
 * gap between a and a sphere; of two spheres far apart only the envelope. */

static vsp__real sphere_gap(const solid *a, const solid *b, vsp__real envelope,
                           touch *t)
{
    vsp__real radius = a->shape->size.x, distance;
    vsp__real sum = r_add(radius, b->shape->size.x);
    vsp__square square;
    vsp__vec3 *n = &t->normal, *on = &t->points[0].on[0], d;

    solid_offset(a, b, &d);
    square = v3_square(d);
    if (square >= r_square(r_add(sum, envelope)))
        return envelope;
    distance = vsp__root(square);
    *n = v3(0, VSP__U(1.0), 0);
    if (distance > MIN_DISTANCE) {
        *n = d;
        vsp__direct(n, distance);
    }
    v3_flush_in(n);
    *on = *n;
    u3_scale_in(on, radius);
    return r_sub(distance, sum);
}

/* A sphere whose centre is in the box, or as good as in it, leaves by the
 * nearest face: at, in the box's axes, becomes the point there.  Returns how
 * far outside the centre is. */
static vsp__real nearest_face(const vsp__mat3 *axes, const vsp__real *half,
                             vsp__real *at, vsp__vec3 *normal)
{
    vsp__real outside[3];
    uint32_t k, best = 0;

    for (k = 0; k < 3; k++) {
        outside[k] = r_sub(r_abs(at[k]), half[k]);
        if (outside[k] > outside[best])
            best = k;
    }
    *normal = axes->axis[best];
    v3_flip_in(normal, at[best] < 0);
    at[best] = r_signed(half[best], at[best] < 0);
    return outside[best];
}

static vsp__real box_gap(const solid *box, const solid *sphere, touch *t)
{
    const vsp__mat3 *axes = &box->pose->axes;
    vsp__vec3 *n = &t->normal, *on = &t->points[0].on[0];
    vsp__real half[3], at[3], onto[3], distance;
    uint32_t k;

    solid_offset(box, sphere, on);
    vsp__tmul(axes, on, on);
    v3_flush_in(on);
    v3_get(on, at);
    v3_get(&box->shape->size, half);
    for (k = 0; k < 3; k++)
        onto[k] = r_clamp(at[k], -half[k], half[k]);
    *n = v3(r_sub(at[0], onto[0]), r_sub(at[1], onto[1]),
            r_sub(at[2], onto[2]));
    v3_flush_in(n);
    distance = v3_length(*n);
    if (distance > MIN_DISTANCE) {
        vsp__direct(n, distance);
        v3_flush_in(n);
        vsp__mul(axes, n, n);
        v3_flush_in(n);
        *on = v3(onto[0], onto[1], onto[2]);
    } else {
        distance = nearest_face(axes, half, at, n);
        *on = v3(at[0], at[1], at[2]);
    }
    vsp__mul(axes, on, on);
    return r_sub(distance, sphere->shape->size.x);
}

static vsp__real plane_gap(const solid *plane, const solid *sphere, touch *t)
{
    vsp__vec3 *n = &t->normal, *on = &t->points[0].on[0];
    vsp__real height;

    *n = plane->pose->axes.axis[1];
    solid_offset(plane, sphere, on);
    height = flushed_dot(n, on);
    u3_move(on, r_neg(height), n);
    return r_sub(height, sphere->shape->size.x);
}

static bool touch_sphere(const solid *a, const solid *sphere,
                         vsp__real envelope, touch *t)
{
    touch_point *point = &t->points[0];

    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        point->gap = plane_gap(a, sphere, t);
    else if (a->shape->type == VSP_SHAPE_BOX)
        point->gap = box_gap(a, sphere, t);
    else
        point->gap = sphere_gap(a, sphere, envelope, t);
    if (!(point->gap < envelope))
        return false;
    t->count = 1;
    point->on[1] = t->normal;
    u3_scale_in(&point->on[1], r_neg(sphere->shape->size.x));
    point->feature = 0;
    return true;
}

/* A touch of one point: a becomes b. */
static void swap_point(touch *t)
{
    vsp__vec3 *on = t->points[0].on, on_a = on[0];

    on[0] = on[1];
    on[1] = on_a;
    v3_flip_in(&t->normal, true);
}


/* ---- Narrow phase: half-spaces ------------------------------------------- */

/* the index of the largest magnitude; the first of equals */
static uint32_t largest_of(const vsp__real *v)
{
    uint32_t k = r_abs(v[1]) > r_abs(v[0]) ? 1 : 0;

    return r_abs(v[2]) > r_abs(v[k]) ? 2 : k;
}

/* Box vertices are numbered by the signs of their coordinates: bit k is set
 * where coordinate k is positive. */
static void box_vertex(const solid *box, uint32_t vertex, vsp__vec3 *out)
{
    vsp__vec3 size = box->shape->size;

    *out = v3(r_signed(size.x, (vertex & 1u) == 0),
              r_signed(size.y, (vertex & 2u) == 0),
              r_signed(size.z, (vertex & 4u) == 0));
    vsp__mul(&box->pose->axes, out, out);
}

/* Takes the face that looks down most: its four vertices are far apart even
 * when a thin plate has all eight in the envelope. */
static bool touch_plane_box(const solid *plane, const solid *box,
                            vsp__real envelope, touch *t)
{
    vsp__vec3 *n = &t->normal, d;
    vsp__real lean[3];
    uint32_t k, vertex;

    *n = plane->pose->axes.axis[1];
    t->count = 0;
    solid_offset(plane, box, &d);
    for (k = 0; k < 3; k++)
        lean[k] = u3_dot_at(&box->pose->axes.axis[k], n);
    k = largest_of(lean);
    for (vertex = 0; vertex < 8; vertex++) {
        touch_point *point = &t->points[t->count];
        vsp__vec3 *from = &point->on[0]; /* the plane's centre to the vertex */

        if ((vertex >> k & 1u) != (lean[k] < 0 ? 1u : 0u))
            continue;
        box_vertex(box, vertex, &point->on[1]);
        *from = d;
        v3_add_in(from, &point->on[1]);
        v3_flush_in(from);
        point->gap = flushed_dot(n, from);
        u3_move(from, r_neg(point->gap), n);
        point->feature = vertex;
        if (point->gap < envelope)
            t->count++;
    }
    return t->count > 0;
}


/* ---- Narrow phase: separating axes of two boxes ----------------------------
 * Gottschalk, Lin, Manocha, "OBBTree", 1996: two boxes are apart if and only
 * if they are apart along a face normal or the cross product of two edges. */

/* an edge pair wins over the best face only by more than this, m, and this
 * part of the face's depth: a face gives more points, and they last */
#define EDGE_BIAS VSP__R(0.002)
#define EDGE_BIAS_PART VSP__U(0.05)
/* the same for a face of b over one of a */
#define FACE_BIAS VSP__R(0.0005)
/* squared sine below which edges count as parallel */
#define MIN_SQ_SINE VSP__U(0.001)

static const uint8_t next_axis[3] = {1, 2, 0};
static const uint8_t last_axis[3] = {2, 0, 1};

typedef struct box_pair {
    vsp__vec3 offset;         /* centre of a to centre of b */
    const vsp__vec3 *axis[2]; /* of a and of b */
    vsp__real half[2][3];
    vsp__real along[2][3];    /* offset along axis */
    vsp__real turn[2][3][3];  /* axis[side][i] . axis[1 - side][j] */
    vsp__real bent[3][3];     /* magnitude of turn[0] */
} box_pair;

typedef struct box_face {
    vsp__real separation;
    uint32_t side; /* 0: face of a, 1: of b */
    uint32_t axis;
} box_face;

typedef struct box_edges {
    bool found;
    uint32_t axis[2]; /* of a and of b */
} box_edges;

static void set_box(box_pair *p, uint32_t side, const solid *box)
{
    uint32_t i;

    p->axis[side] = box->pose->axes.axis;
    v3_get(&box->shape->size, p->half[side]);
    for (i = 0; i < 3; i++)
        p->along[side][i] = flushed_dot(&p->offset, &p->axis[side][i]);
}

static void set_box_pair(box_pair *p, const solid *a, const solid *b)
{
    uint32_t i, j;

    solid_offset(a, b, &p->offset);
    set_box(p, 0, a);
    set_box(p, 1, b);
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) {
            vsp__real turn = flushed_dot(&p->axis[0][i], &p->axis[1][j]);

            p->turn[0][i][j] = p->turn[1][j][i] = turn;
            p->bent[i][j] = r_abs(turn);
        }
}

/* Finds the face of one box along which they are farthest apart, or least
 * deep.  Returns false when they are apart by the envelope. */
static bool best_face(const box_pair *p, uint32_t side, vsp__real envelope,
                      box_face *best)
{
    const vsp__real *half = p->half[1 - side];
    uint32_t i;

    best->side = side;
    for (i = 0; i < 3; i++) {
        const vsp__real *turn = p->turn[side][i];
        vsp__real reach = u_dot3(half[0], r_abs(turn[0]),
                                half[1], r_abs(turn[1]),
                                half[2], r_abs(turn[2]));
        vsp__real s = r_sub(r_abs(p->along[side][i]),
                            r_add(p->half[side][i], reach));

        if (s >= envelope)
            return false;
        if (i == 0 || s > best->separation) {
            best->separation = s;
            best->axis = i;
        }
    }
    return true;
}

/* separation along the cross product of edge i of a and edge j of b, times
 * the length of that product */
static vsp__real edge_separation(const box_pair *p, uint32_t i, uint32_t j)
{
    uint32_t i1 = next_axis[i], i2 = last_axis[i];
    uint32_t j1 = next_axis[j], j2 = last_axis[j];
    const vsp__real (*turn)[3] = p->turn[0];
    vsp__real distance = u_dot2(p->along[0][i2], turn[i1][j],
                               -p->along[0][i1], turn[i2][j]);
    vsp__real reach = r_add(u_dot2(p->half[0][i1], p->bent[i2][j],
                                   p->half[0][i2], p->bent[i1][j]),
                            u_dot2(p->half[1][j1], p->bent[i][j2],
                                   p->half[1][j2], p->bent[i][j1]));

    return r_sub(r_abs(distance), reach);
}

/* Finds the pair of edges that are apart by more than the threshold, and the
 * most.  Returns false when the boxes are apart by the envelope. */
static bool best_edges(const box_pair *p, vsp__real threshold,
                       vsp__real envelope, box_edges *best)
{
    uint32_t i, j;

    best->found = false;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            vsp__real cosine = p->turn[0][i][j];
            vsp__real sq_sine = VSP__U(1.0) - u_mul(cosine, cosine);
            vsp__real s = edge_separation(p, i, j);

            /* the sine is at most 1: most edges need no root */
            if (sq_sine < MIN_SQ_SINE || s <= r_min(threshold, 0))
                continue;
            s = r_mul(s, vsp__rsqrt_unit(sq_sine));
            if (s >= envelope)
                return false;
            if (s > threshold) {
                threshold = s;
                best->found = true;
                best->axis[0] = i;
                best->axis[1] = j;
            }
        }
    }
    return true;
}


/* ---- Narrow phase: two edges --------------------------------------------- */

/* The middle of the edge along axis i that lies farthest in a direction,
 * from the box's centre.  Returns two bits telling which it is. */
static uint32_t edge_middle(const box_pair *p, uint32_t side, uint32_t i,
                            const vsp__vec3 *direction, vsp__vec3 *middle)
{
    const vsp__vec3 *axis = p->axis[side];
    const vsp__real *half = p->half[side];
    uint32_t i1 = next_axis[i], i2 = last_axis[i];
    bool back1 = u3_dot_at(direction, &axis[i1]) < 0;
    bool back2 = u3_dot_at(direction, &axis[i2]) < 0;

    *middle = axis[i1];
    u3_scale_in(middle, r_signed(half[i1], back1));
    u3_move(middle, r_signed(half[i2], back2), &axis[i2]);
    return (back1 ? 1u : 0u) + (back2 ? 2u : 0u);
}

/* s inv, from the middle of an edge, but not beyond its ends */
static vsp__real edge_place(vsp__real s, vsp__real inv, vsp__real half)
{
    return r_clamp(r_flush(r_mul(r_flush(s), inv)), -half, half);
}

/* The points where two edges are closest. */
static bool touch_edges(const box_pair *p, const box_edges *edges,
                        vsp__real envelope, touch *t)
{
    vsp__real c = p->turn[0][edges->axis[0]][edges->axis[1]];
    vsp__real inv = u_div(VSP__R(1.0), VSP__U(1.0) - u_mul(c, c));
    touch_point *point = &t->points[0];
    const vsp__vec3 *u[2];
    vsp__vec3 *n = &t->normal, out, d = p->offset;
    uint32_t code = 4u + edges->axis[0] * 3u + edges->axis[1], k;

    for (k = 0; k < 2; k++)
        u[k] = &p->axis[k][edges->axis[k]];
    u3_cross_to(u[0], u[1], n);
    v3_flush_in(n);
    vsp__normalize(n);
    v3_flush_in(n);
    v3_flip_in(n, u3_dot_at(n, &d) < 0);
    out = *n;
    for (k = 0; k < 2; k++) {
        code = code * 4u + edge_middle(p, k, edges->axis[k], &out,
                                       &point->on[k]);
        v3_flip_in(&out, true);
    }
    v3_add_in(&d, &point->on[1]);
    v3_sub_in(&d, &point->on[0]);
    v3_flush_in(&d);
    for (k = 0; k < 2; k++) {
        vsp__real s = r_sub(flushed_dot(&d, u[k]),
                            u_mul(c, flushed_dot(&d, u[1 - k])));

        s = edge_place(s, inv, p->half[k][edges->axis[k]]);
        u3_move(&point->on[k], r_signed(s, k == 1), u[k]);
    }
    t->count = 1;
    point->gap = u3_dot_at(n, &d);
    point->feature = code;
    return point->gap < envelope;
}


/* ---- Narrow phase: face of one box, clipped face of the other --------------
 * Sutherland and Hodgman, "Reentrant polygon clipping", 1974. */

/* m: how far outside a point still counts as inside, so that boxes of the
 * same size, one on the other, keep their corners */
#define CLIP_TOLERANCE VSP__R(0.00001)
/* 8 are enough in exact arithmetic */
#define POLYGON_CAPACITY 12
/* parts of squared length: corners of a thinner triangle are left out */
#define MIN_TRIANGLE VSP__U(0.001)

typedef struct clip_point {
    vsp__real at[3]; /* x, y on the reference face, from its centre; height
                       above it */
    uint16_t edge;  /* to the next point: 0 to 3 of the incident face, 4 + s
                       along side s of the reference face */
    uint16_t part;  /* 0 to 3: vertex; 4 to 19: edge on side; 20 to 23: corner
                       of the reference face */
} clip_point;

typedef struct polygon {
    uint32_t count;
    clip_point points[POLYGON_CAPACITY];
} polygon;

/* The reference face, and the face of the other box that looks at it. */
typedef struct face_pair {
    uint32_t side, axis; /* of the reference face */
    uint32_t other_axis; /* of the incident face */
    bool back, other_back; /* normals point against these axes */
} face_pair;

static void add_clip_point(polygon *poly, const clip_point *p)
{
    if (poly->count < POLYGON_CAPACITY)
        poly->points[poly->count++] = *p;
}

static void choose_faces(const box_pair *p, const box_face *face,
                         face_pair *f)
{
    const vsp__real *turn = p->turn[face->side][face->axis];

    f->side = face->side;
    f->axis = face->axis;
    f->back = (p->along[f->side][f->axis] > 0) == (f->side == 1);
    f->other_axis = largest_of(turn);
    f->other_back = r_signed(turn[f->other_axis], f->back) > 0;
}

/* Fills coordinate k of the vertices of the incident face, which is along an
 * axis of the reference box. */
static void incident_coordinate(const box_pair *p, const face_pair *f,
                                uint32_t axis, uint32_t k, polygon *poly)
{
    const vsp__real *half = p->half[1 - f->side];
    const vsp__real *turn = p->turn[f->side][axis];
    uint32_t j = f->other_axis, j1 = next_axis[j], j2 = last_axis[j], i;
    vsp__real center = r_add(r_signed(p->along[f->side][axis], f->side == 1),
                             u_mul(turn[j],
                                   r_signed(half[j], f->other_back)));
    vsp__real side1 = u_mul(turn[j1], half[j1]);
    vsp__real side2 = u_mul(turn[j2], half[j2]);

    for (i = 0; i < 4; i++) {
        vsp__real x = r_add(r_add(center, r_signed(side1, i == 1 || i == 2)),
                            r_signed(side2, i >= 2));

        if (axis == f->axis)
            x = r_sub(r_signed(x, f->back), p->half[f->side][axis]);
        poly->points[i].at[k] = r_flush(x);
    }
}

static void incident_polygon(const box_pair *p, const face_pair *f,
                             polygon *poly)
{
    uint32_t axis = f->axis, i, k;

    poly->count = 4;
    for (i = 0; i < 4; i++)
        poly->points[i].edge = poly->points[i].part = (uint16_t)i;
    for (k = 0; k < 3; k++) {
        axis = next_axis[axis];
        incident_coordinate(p, f, axis, k, poly);
    }
}

/* Finds how far outside of a side (+x, -x, +y, -y) each point is.  Returns
 * whether any is. */
static bool is_outside(const polygon *poly, uint32_t side, vsp__real limit,
                       vsp__real *distance)
{
    bool is_any = false;
    uint32_t i;

    for (i = 0; i < poly->count; i++) {
        distance[i] = r_sub(r_signed(poly->points[i].at[side / 2],
                                     (side & 1u) != 0), limit);
        if (distance[i] > 0)
            is_any = true;
    }
    return is_any;
}

/* Adds the point where the edge from p to q, one inside and one outside,
 * crosses a side. */
static void add_crossing(polygon *out, const clip_point *p,
                         const clip_point *q, vsp__real dp, vsp__real dq,
                         uint32_t side)
{
    vsp__real f = u_div(dp, r_sub(dp, dq));
    clip_point c;
    uint32_t k;

    for (k = 0; k < 3; k++)
        c.at[k] = r_flush(r_add(p->at[k],
                                u_mul(f, r_sub(q->at[k], p->at[k]))));
    c.edge = dq > 0 ? (uint16_t)(4u + side) : p->edge;
    c.part = (uint16_t)(4u + p->edge * 4u + side);
    if (p->edge >= 4) /* along a side of x, cut by one of y */
        c.part = (uint16_t)(20u + (p->edge & 1u) * 2u + (side & 1u));
    add_clip_point(out, &c);
}

/* Copies what is inside of a side, each point at a distance out of it. */
static void clip_side(const polygon *in, polygon *out, uint32_t side,
                      const vsp__real *distance)
{
    uint32_t i;

    out->count = 0;
    for (i = 0; i < in->count; i++) {
        uint32_t next = i + 1 == in->count ? 0 : i + 1;
        vsp__real dp = distance[i], dq = distance[next];

        if (!(dp > 0))
            add_clip_point(out, &in->points[i]);
        if ((dp > 0) != (dq > 0))
            add_crossing(out, &in->points[i], &in->points[next], dp, dq,
                         side);
    }
}

/* Clips to the rectangle of the reference face.  Returns the result, which
 * is in one of the two polygons. */
static polygon *clip_polygon(polygon *poly, polygon *room, vsp__real half_x,
                             vsp__real half_y)
{
    uint32_t side;

    for (side = 0; side < 4; side++) {
        vsp__real limit = r_add(side < 2 ? half_x : half_y, CLIP_TOLERANCE);
        vsp__real distance[POLYGON_CAPACITY];
        polygon *swap = poly;

        if (!is_outside(poly, side, limit, distance))
            continue;
        clip_side(poly, room, side, distance);
        poly = room;
        room = swap;
    }
    return poly;
}

static void keep_low_points(polygon *poly, vsp__real envelope)
{
    uint32_t i, count = 0;

    for (i = 0; i < poly->count; i++)
        if (poly->points[i].at[2] < envelope)
            poly->points[count++] = poly->points[i];
    poly->count = count;
}

/* The deepest point; among points about as deep the one farthest along a
 * fixed direction, so that noise does not choose. */
static uint32_t first_kept(const polygon *poly)
{
    vsp__square best = 0;
    uint32_t i, kept = 0;

    for (i = 0; i < poly->count; i++) {
        const vsp__real *at = poly->points[i].at;
        vsp__square score = r_product(VSP__R(0.8), at[0]) +
                            r_product(VSP__R(0.6), at[1]) +
                            r_product(VSP__R(-100.0), at[2]);

        if (i == 0 || score > best) {
            best = score;
            kept = i;
        }
    }
    return kept;
}

/* a step on the reference face */
typedef struct face_step {
    vsp__real x, y;
} face_step;

static face_step step_between(const clip_point *p, const clip_point *q)
{
    face_step s;

    s.x = r_flush(r_sub(q->at[0], p->at[0]));
    s.y = r_flush(r_sub(q->at[1], p->at[1]));
    return s;
}

static uint32_t farthest_from(const polygon *poly, uint32_t from)
{
    vsp__square best = -1;
    uint32_t i, kept = from;

    for (i = 0; i < poly->count; i++) {
        face_step d = step_between(&poly->points[from], &poly->points[i]);
        vsp__square square = r_square(d.x) + r_square(d.y);

        if (i != from && square > best) {
            best = square;
            kept = i;
        }
    }
    return kept;
}

/* Lists four points or fewer: a deep one, the one farthest from it, and on
 * both sides of their line the one that spans the largest triangle.  Returns
 * how many. */
static uint32_t choose_points(const polygon *poly, uint8_t *kept)
{
    const clip_point *points = poly->points;
    uint32_t i, first = first_kept(poly), left = first, right = first;
    uint32_t count = 2;
    face_step line;
    vsp__square most, least;

    kept[0] = (uint8_t)first;
    kept[1] = (uint8_t)farthest_from(poly, first);
    line = step_between(&points[first], &points[kept[1]]);
    most = r_part(r_square(line.x) + r_square(line.y), MIN_TRIANGLE);
    least = -most;
    for (i = 0; i < poly->count; i++) {
        face_step d = step_between(&points[first], &points[i]);
        /* twice the area */
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
        kept[count++] = (uint8_t)left;
    if (right != first)
        kept[count++] = (uint8_t)right;
    return count;
}

/* all points of a manifold get different numbers: parts are below 24 */
static uint32_t face_feature(const face_pair *f, uint32_t part)
{
    uint32_t faces = f->side;

    faces = faces * 3u + f->axis;
    faces = faces * 2u + (f->back ? 1u : 0u);
    faces = faces * 3u + f->other_axis;
    faces = faces * 2u + (f->other_back ? 1u : 0u);
    return (faces * 53u + part) & 255u;
}

/* Takes the points to the world. */
static void polygon_to_touch(const box_pair *p, const face_pair *f,
                             const polygon *poly, touch *t)
{
    const vsp__vec3 *axis = p->axis[f->side];
    vsp__vec3 out = axis[f->axis], offset = p->offset, top;
    uint8_t kept[4] = {0, 1, 2, 3};
    uint32_t i;

    t->count = poly->count > 4 ? choose_points(poly, kept) : poly->count;
    v3_flip_in(&out, f->back);
    top = t->normal = out;
    v3_flip_in(&t->normal, f->side == 1);
    v3_flip_in(&offset, f->side == 1);
    u3_scale_in(&top, p->half[f->side][f->axis]);
    for (i = 0; i < t->count; i++) {
        const clip_point *c = &poly->points[kept[i]];
        touch_point *point = &t->points[i];
        vsp__vec3 *on = &point->on[f->side], *other = &point->on[1 - f->side];

        *on = top;
        u3_move(on, c->at[0], &axis[next_axis[f->axis]]);
        u3_move(on, c->at[1], &axis[last_axis[f->axis]]);
        *other = *on;
        u3_move(other, c->at[2], &out);
        v3_sub_in(other, &offset);
        point->gap = c->at[2];
        point->feature = face_feature(f, c->part);
    }
}

static bool touch_faces(const box_pair *p, const box_face *face,
                        vsp__real envelope, touch *t)
{
    const vsp__real *half = p->half[face->side];
    polygon poly, room, *clipped;
    face_pair f;

    choose_faces(p, face, &f);
    incident_polygon(p, &f, &poly);
    clipped = clip_polygon(&poly, &room, half[next_axis[face->axis]],
                           half[last_axis[face->axis]]);
    keep_low_points(clipped, envelope);
    polygon_to_touch(p, &f, clipped, t);
    return t->count > 0;
}

static bool touch_boxes(const solid *a, const solid *b, vsp__real envelope,
                        touch *t)
{
    box_pair p;
    box_face faces[2], *face = &faces[0];
    box_edges edges;
    vsp__real depth;
    uint32_t side;

    set_box_pair(&p, a, b);
    for (side = 0; side < 2; side++)
        if (!best_face(&p, side, envelope, &faces[side]))
            return false;
    depth = r_max(faces[0].separation, faces[1].separation);
    if (faces[1].separation > r_add(faces[0].separation, FACE_BIAS))
        face = &faces[1];
    if (!best_edges(&p, r_add(r_add(depth, EDGE_BIAS),
                              u_mul(EDGE_BIAS_PART, r_abs(depth))),
                    envelope, &edges))
        return false;
    if (!edges.found) {
        if (touch_faces(&p, face, envelope, t))
            return true;
        /* crossed edges, so shallow that the face was preferred, but not
           above it */
        if (!best_edges(&p, depth, envelope, &edges) || !edges.found)
            return false;
    }
    return touch_edges(&p, &edges, envelope, t);
}


/* ---- Narrow phase: any pair ---------------------------------------------- */

static solid make_solid(const vsp__shape *shape, const vsp__pose *pose)
{
    solid s;

    s.shape = shape;
    s.pose = pose;
    return s;
}

/* A half-space is always a. */
static bool touch_solids(const solid *a, const solid *b, vsp__real envelope,
                         touch *t)
{
    if (b->shape->type == VSP_SHAPE_SPHERE)
        return touch_sphere(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        return touch_plane_box(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_BOX)
        return touch_boxes(a, b, envelope, t);
    if (!touch_sphere(b, a, envelope, t))
        return false;
    swap_point(t);
    return true;
}

static bool touch_pair(const vsp_world *world, uint32_t pair, touch *t)
{
    uint32_t slot_a = pair >> 16, slot_b = pair & 0xffffu;
    solid a = make_solid(&world->shapes[slot_a], &world->poses[slot_a]);
    solid b = make_solid(&world->shapes[slot_b], &world->poses[slot_b]);

    return touch_solids(&a, &b, world->params.envelope, t);
}


/* ---- Manifolds ----------------------------------------------------------- */

/* see vsp_rule */
static vsp__real mix_rule(uint32_t rule_a, uint32_t rule_b, vsp__real a,
                         vsp__real b)
{
    uint32_t rule = rule_a > rule_b ? rule_a : rule_b;

    a = r_flush(a);
    b = r_flush(b);
    if (a == b && rule != VSP_RULE_MULTIPLY)
        return a;
    switch (rule) {
    case VSP_RULE_GEOMETRIC:
        return vsp__geometric_mean(a, b);
    case VSP_RULE_AVERAGE:
        return u_mul(VSP__U(0.5), r_add(a, b));
    case VSP_RULE_MIN:
        return r_min(a, b);
    case VSP_RULE_MULTIPLY:
        return r_flush(r_mul(a, b));
    default:
        return r_max(a, b);
    }
}

/* a point of the world, from the shape's centre, as an arm of its body */
static void body_arm(const vsp_world *world, uint32_t slot,
                     const vsp__vec3 *on, vsp__vec3 *arm)
{
    vsp__vec3 center;

    *arm = *on;
    v3_flush_in(arm);
    vsp__tmul(&world->axes[world->shapes[slot].body], arm, arm);
    shape_arm(world, slot, &center);
    v3_add_in(arm, &center);
    v3_flush_in(arm);
}

static void place_point(const vsp_world *world, const vsp__manifold *m,
                        const touch_point *from, vsp__point *point)
{
    body_arm(world, m->shape[0], &from->on[0], &point->arm[0]);
    body_arm(world, m->shape[1], &from->on[1], &point->arm[1]);
    point->gap = r_flush(from->gap);
}

static void fill_manifold(const vsp_world *world, uint32_t pair,
                          const touch *t, vsp__manifold *m)
{
    const vsp__shape *a = &world->shapes[pair >> 16];
    const vsp__shape *b = &world->shapes[pair & 0xffffu];

    m->shape[0] = (uint16_t)(pair >> 16);
    m->shape[1] = (uint16_t)(pair & 0xffffu);
    m->body[0] = (uint16_t)a->body;
    m->body[1] = (uint16_t)b->body;
    m->point_count = (uint8_t)t->count;
    m->lower = 0;
    m->layer = 0;
    m->normal = t->normal;
    v3_flush_in(&m->normal);
    m->friction = mix_rule(vsp__friction_rule(a), vsp__friction_rule(b),
                           a->friction, b->friction);
    m->restitution = mix_rule(vsp__restitution_rule(a),
                              vsp__restitution_rule(b), a->restitution,
                              b->restitution);
}

/* Returns false, and adds nothing, when there is no room. */
static bool add_manifold(vsp_world *world, uint32_t list, uint32_t pair,
                         const touch *t)
{
    vsp__contacts *contacts = &world->contacts[list];
    vsp__manifold *m = &vsp__manifolds(world, list)[contacts->manifold_count];
    uint32_t i;

    if (contacts->manifold_count == world->params.capacity.manifolds ||
        t->count > world->params.capacity.contacts - contacts->point_count)
        return false;
    contacts->manifold_count++;
    fill_manifold(world, pair, t, m);
    m->first_point = contacts->point_count;
    for (i = 0; i < t->count; i++) {
        vsp__point *p = &vsp__points(world, list)[contacts->point_count++];

        place_point(world, m, &t->points[i], p);
        p->bounce = 0;
        p->multiplier.impulse[0] = W_ZERO;
        p->multiplier.impulse[1] = W_ZERO;
        p->multiplier.impulse[2] = W_ZERO;
        p->feature = t->points[i].feature;
    }
    return true;
}

static bool add_all_manifolds(vsp_world *world, uint32_t list,
                              uint32_t pair_count)
{
    uint32_t i;
    touch t;

    for (i = 0; i < pair_count; i++)
        if (touch_pair(world, world->work.find.pairs[i], &t) &&
            !add_manifold(world, list, world->work.find.pairs[i], &t))
            return false;
    return true;
}


/* ---- When capacities end ---------------------------------------------------
 * The deepest manifolds are kept, of equals the smaller pair.  Each pair gets
 * a rank, in the second half of find.pairs: the sortable bits of its deepest
 * gap over three bits of how many points it has. */

#define RANK_COUNT_BITS 3u
#define RANK_BITS (32u - RANK_COUNT_BITS)

static uint32_t touch_rank(const touch *t)
{
    vsp__real gap = t->points[0].gap;
    uint32_t i;

    for (i = 1; i < t->count; i++)
        gap = r_min(gap, t->points[i].gap);
    return r_order(gap) >> RANK_COUNT_BITS << RANK_COUNT_BITS | t->count;
}

static uint32_t rank_count(uint32_t rank)
{
    return rank & ((1u << RANK_COUNT_BITS) - 1u);
}

/* Counts what is deeper than a depth. */
static void count_deeper(const uint32_t *ranks, uint32_t pair_count,
                         uint32_t depth, vsp__contacts *sum)
{
    uint32_t i;

    sum->manifold_count = sum->point_count = sum->dropped = 0;
    for (i = 0; i < pair_count; i++)
        if (rank_count(ranks[i]) > 0 && ranks[i] >> RANK_COUNT_BITS < depth) {
            sum->manifold_count++;
            sum->point_count += rank_count(ranks[i]);
        }
}

/* whether a world has room for one manifold of so many points more */
static bool leaves_room(const vsp_world *world, const vsp__contacts *sum,
                        uint32_t manifolds, uint32_t points)
{
    return sum->manifold_count + manifolds <=
               world->params.capacity.manifolds &&
           sum->point_count + points <= world->params.capacity.contacts;
}

/* the largest depth of which all that is deeper has room, bit by bit */
static uint32_t depth_limit(const vsp_world *world, const uint32_t *ranks,
                            uint32_t pair_count)
{
    uint32_t limit = 0, bit;
    vsp__contacts sum;

    for (bit = (uint32_t)1 << (RANK_BITS - 1u); bit > 0; bit >>= 1) {
        count_deeper(ranks, pair_count, limit | bit, &sum);
        if (leaves_room(world, &sum, 0, 0))
            limit |= bit;
    }
    return limit;
}

/* Takes out of the ranks all that is refused: what is less deep than the
 * limit, and of what is just as deep all that has no room any more.  Returns
 * how many points that are. */
static uint32_t refuse_pairs(const vsp_world *world, uint32_t *ranks,
                             uint32_t pair_count)
{
    uint32_t limit = depth_limit(world, ranks, pair_count), i;
    vsp__contacts sum;

    count_deeper(ranks, pair_count, limit, &sum);
    for (i = 0; i < pair_count; i++) {
        uint32_t depth = ranks[i] >> RANK_COUNT_BITS;
        uint32_t count = rank_count(ranks[i]);

        if (count == 0 || depth < limit)
            continue;
        if (depth == limit && leaves_room(world, &sum, 1, count)) {
            sum.manifold_count++;
            sum.point_count += count;
        } else {
            ranks[i] = 0;
            sum.dropped += count;
        }
    }
    return sum.dropped;
}

/* Returns how many points were dropped. */
static uint32_t add_deepest_manifolds(vsp_world *world, uint32_t list,
                                      uint32_t pair_count)
{
    const uint32_t *pairs = world->work.find.pairs;
    uint32_t *ranks = world->work.find.pairs + VSP_MAX_PAIRS, dropped, i;
    touch t;

    for (i = 0; i < pair_count; i++)
        ranks[i] = touch_pair(world, pairs[i], &t) ? touch_rank(&t) : 0;
    dropped = refuse_pairs(world, ranks, pair_count);
    for (i = 0; i < pair_count; i++)
        if (rank_count(ranks[i]) > 0 && touch_pair(world, pairs[i], &t))
            (void)add_manifold(world, list, pairs[i], &t);
    return dropped;
}


/* ---- Detection ----------------------------------------------------------- */

static void raise_to(uint32_t *high, uint32_t count)
{
    if (*high < count)
        *high = count;
}

static void count_contacts(vsp__stats *stats, const vsp__contacts *contacts,
                           uint32_t pair_count)
{
    stats->pair_count = pair_count;
    stats->manifold_count = contacts->manifold_count;
    stats->contact_count = contacts->point_count;
    raise_to(&stats->pair_high, stats->pair_count);
    raise_to(&stats->manifold_high, stats->manifold_count);
    raise_to(&stats->contact_high, stats->contact_count);
}

void vsp__detect(vsp_world *world, uint32_t list)
{
    vsp__contacts *contacts = &world->contacts[list];
    uint32_t pair_count;

    contacts->manifold_count = contacts->point_count = contacts->dropped = 0;
    place_shapes(world);
    pair_count = find_pairs(world, &contacts->dropped);
    if (!add_all_manifolds(world, list, pair_count)) {
        contacts->manifold_count = contacts->point_count = 0;
        contacts->dropped += add_deepest_manifolds(world, list, pair_count);
    }
    if (list == 0)
        count_contacts(&world->stats, contacts, pair_count);
}


/* ---- Measuring anew ------------------------------------------------------ */

/* Finds the only point of a sphere again where it is now.  Returns false,
 * and changes nothing, when it went out of the envelope. */
static bool move_witness(vsp_world *world, uint32_t list, vsp__manifold *m)
{
    vsp__pose pose_a, pose_b;
    solid a = make_solid(&world->shapes[m->shape[0]], &pose_a);
    solid b = make_solid(&world->shapes[m->shape[1]], &pose_b);
    touch t;

    shape_pose(world, m->shape[0], &pose_a);
    shape_pose(world, m->shape[1], &pose_b);
    if (!touch_solids(&a, &b, world->params.envelope, &t))
        return false;
    m->normal = t.normal;
    v3_flush_in(&m->normal);
    place_point(world, m, &t.points[0],
                &vsp__points(world, list)[m->first_point]);
    return true;
}

void vsp__point_arms(const vsp_world *world, const vsp__manifold *m,
                     const vsp__point *point, vsp__vec3 *d, vsp__vec3 *a,
                     vsp__vec3 *b)
{
    *d = world->bodies[m->body[1]].position;
    v3_sub_in(d, &world->bodies[m->body[0]].position);
    vsp__mul(&world->axes[m->body[0]], &point->arm[0], a);
    vsp__mul(&world->axes[m->body[1]], &point->arm[1], b);
}

/* The gap of a point where its bodies are now, along the old normal. */
static vsp__real measure_gap(const vsp_world *world, const vsp__manifold *m,
                            const vsp__point *point)
{
    vsp__vec3 d, a, b;

    vsp__point_arms(world, m, point, &d, &a, &b);
    v3_sub_in(&b, &a);
    v3_add_in(&d, &b);
    v3_flush_in(&d);
    return flushed_dot(&m->normal, &d);
}

void vsp__refresh(vsp_world *world, uint32_t list, uint32_t manifold)
{
    vsp__manifold *m = &vsp__manifolds(world, list)[manifold];
    uint32_t i;

    if ((world->shapes[m->shape[0]].type == VSP_SHAPE_SPHERE ||
         world->shapes[m->shape[1]].type == VSP_SHAPE_SPHERE) &&
        move_witness(world, list, m))
        return;
    for (i = 0; i < m->point_count; i++) {
        vsp__point *point = &vsp__points(world, list)[m->first_point + i];

        point->gap = measure_gap(world, m, point);
    }
}

/* the farthest that a point of a shape went since it was placed */
static vsp__real travel(const vsp_world *world, uint32_t slot)
{
    const vsp__pose *from = &world->poses[slot];
    const vsp__shape *shape = &world->shapes[slot];
    vsp__vec3 d;
    vsp__pose way;
    uint32_t i;

    shape_pose(world, slot, &way);
    v3_sub_in(&way.position, &from->position);
    d = v3_abs(way.position);
    for (i = 0; i < 3; i++)
        v3_sub_in(&way.axes.axis[i], &from->axes.axis[i]);
    if (shape->type == VSP_SHAPE_BOX)
        add_extent(&way.axes, &shape->size, &d);
    return v3_largest(d);
}

bool vsp__is_still(const vsp_world *world)
{
    vsp__real near = u_mul(VSP__U(0.125), world->params.envelope);
    uint32_t i;

    for (i = 0; i < world->shape_limit; i++) {
        const vsp__shape *shape = &world->shapes[i];

        if (shape->type == VSP_SHAPE_NONE ||
            world->bodies[shape->body].type == (uint32_t)VSP_STATIC + 1u)
            continue;
        if (!is_bounded(shape))
            return false;
        if (travel(world, i) > near)
            return false;
    }
    return true;
}
