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

static vsp_real shape_volume(const vsp__shape *shape)
{
    vsp_vec3 size = shape->size;

    switch (shape->type) {
    case VSP_SHAPE_SPHERE: /* 4/3 pi r^3 */
        return r_mul(VSP_R(4.18879020), r_mul(size.x, r_mul(size.x, size.x)));
    case VSP_SHAPE_BOX:
        return r_mul(VSP_R(8.0), r_mul(size.x, r_mul(size.y, size.z)));
    default:
        return VSP_R(0.0);
    }
}

/* m^2: inertia of one kilogram, in the shape's own axes */
static vsp__sym3 specific_inertia(const vsp__shape *shape)
{
    vsp__sym3 s = s3_zero();
    vsp_real xx = r_mul(shape->size.x, shape->size.x);
    vsp_real yy = r_mul(shape->size.y, shape->size.y);
    vsp_real zz = r_mul(shape->size.z, shape->size.z);

    if (shape->type == VSP_SHAPE_SPHERE) {
        s.xx = s.yy = s.zz = r_mul(VSP_R(0.4), xx);
        return s;
    }
    s.xx = r_mul(VSP_R(1.0 / 3.0), yy + zz);
    s.yy = r_mul(VSP_R(1.0 / 3.0), xx + zz);
    s.zz = r_mul(VSP_R(1.0 / 3.0), xx + yy);
    return s;
}

vsp_real vsp__shape_mass(const vsp__shape *shape, vsp__sym3 *inertia)
{
    vsp_real mass = r_flush(r_mul(shape_volume(shape),
                                  r_flush(shape->density)));
    vsp__mat3 axes;

    *inertia = s3_zero();
    if (!(mass > 0))
        return VSP_R(0.0);
    *inertia = specific_inertia(shape);
    if (shape->type == VSP_SHAPE_BOX) {
        vsp__flushed_axes(shape->pose.rotation, &axes);
        vsp__rotate(&axes, inertia);
    }
    s3_flush(inertia);
    vsp__scale(inertia, mass);
    return mass;
}


/* ---- Poses and bounds ---------------------------------------------------- */

/* from the body's centre of mass to the shape's centre, in the body's axes */
static void shape_arm(const vsp_world *world, uint32_t slot, vsp_vec3 *arm)
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
static void add_extent(const vsp__mat3 *axes, const vsp_vec3 *size,
                       vsp_vec3 *sum)
{
    v3_move_abs(sum, size->x, &axes->axis[0]);
    v3_move_abs(sum, size->y, &axes->axis[1]);
    v3_move_abs(sum, size->z, &axes->axis[2]);
}

/* half the size of the bounds along the axes of the world */
static vsp_vec3 shape_extent(const vsp__shape *shape, const vsp__pose *pose)
{
    vsp_real radius = shape->size.x;
    vsp_vec3 extent = v3_zero();

    if (shape->type == VSP_SHAPE_SPHERE)
        return v3(radius, radius, radius);
    add_extent(&pose->axes, &shape->size, &extent);
    return extent;
}

static bool is_bounded(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_BOX;
}

/* Poses of all shapes; bounds, with half of the envelope around them, of
 * those that have any. */
static void place_shapes(vsp_world *world)
{
    vsp_real margin = r_mul(VSP_R(0.5), world->params.envelope);
    uint32_t i;

    for (i = 0; i < world->shape_limit; i++) {
        const vsp__shape *shape = &world->shapes[i];
        vsp_vec3 reach, center;

        if (shape->type == VSP_SHAPE_NONE)
            continue;
        shape_pose(world, i, &world->poses[i]);
        if (!is_bounded(shape))
            continue;
        center = world->poses[i].position;
        reach = v3_add(shape_extent(shape, &world->poses[i]),
                       v3(margin, margin, margin));
        world->work.find.bounds[i].low = v3_sub(center, reach);
        world->work.find.bounds[i].high = v3_add(center, reach);
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
                         vsp_real margin)
{
    vsp_vec3 n = plane->axes.axis[1];
    vsp_vec3 low = v3(n.x > 0 ? bounds->low.x : bounds->high.x,
                      n.y > 0 ? bounds->low.y : bounds->high.y,
                      n.z > 0 ? bounds->low.z : bounds->high.z);

    return v3_dot(n, v3_sub(low, plane->position)) <= margin;
}

/* Half-spaces have no bounds: each is compared with all bounded shapes, which
 * are listed in sort_order. */
static void pair_half_spaces(pair_list *list, uint32_t bounded_count)
{
    const vsp_world *world = list->world;
    vsp_real margin = r_mul(VSP_R(0.5), world->params.envelope);
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
static void twice_center(const vsp_world *world, uint32_t shape, vsp_vec3 *c)
{
    const vsp__bounds *bounds = &world->work.find.bounds[shape];

    *c = bounds->low;
    v3_add_in(c, &bounds->high);
    v3_flush_in(c);
}

/* Lists the bounded shapes by slot.  Returns how many there are; *mean is
 * that of their twice_center. */
static uint32_t list_bounded(vsp_world *world, vsp_vec3 *mean)
{
    uint32_t i, count = 0;
    vsp_vec3 c;

    *mean = v3_zero();
    for (i = 0; i < world->shape_limit; i++) {
        if (!is_bounded(&world->shapes[i]))
            continue;
        world->work.find.sort_order[count++] = (uint16_t)i;
        twice_center(world, i, &c);
        v3_add_in(mean, &c);
    }
    if (count == 0)
        return 0;
    v3_flush_in(mean);
    v3_scale_in(mean, r_div(VSP_R(1.0), r_from_int((int32_t)count)));
    return count;
}

/* Cells per metre.  Three times the mean distance from the mean is cut into
 * half of the cells; what lies outside goes to the outermost cells.  So a
 * few shapes far away do not press all others into one cell. */
static vsp_real morton_scale(const vsp_world *world, uint32_t count,
                             const vsp_vec3 *mean)
{
    vsp_vec3 sum = v3_zero(), c;
    vsp_real size;
    uint32_t k;

    for (k = 0; k < count; k++) {
        twice_center(world, world->work.find.sort_order[k], &c);
        v3_sub_in(&c, mean);
        v3_move_abs(&sum, VSP_R(1.0), &c);
    }
    size = r_max(v3_largest(sum), VSP_R(0.001));
    return r_mul(r_div(r_from_int((int32_t)count), size),
                 VSP_R(MORTON_CELLS / 6.0));
}

/* The cell of a coordinate, two zeros before each of its ten bits:
 * 0 0 1 0 0 1 ... */
static uint32_t morton_bits(vsp_real a)
{
    uint32_t x = (uint32_t)r_to_int(r_clamp(a + VSP_R(MORTON_CELLS / 2),
                                            VSP_R(0.0),
                                            VSP_R(MORTON_CELLS - 1)));

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
    vsp_vec3 mean, c;
    uint32_t count = list_bounded(world, &mean), k;
    vsp_real scale = morton_scale(world, count, &mean);

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

static void build_level(vsp_world *world, const tree_levels *levels,
                        uint32_t level)
{
    vsp__bounds *to = &world->work.find.tree[levels->first[level]];
    uint32_t below = levels->count[level - 1], i;

    for (i = 0; i < below; i += 2, to++) {
        const vsp__bounds *a = node_bounds(levels, level - 1, i);
        const vsp__bounds *b = a;

        if (i + 1 < below)
            b = node_bounds(levels, level - 1, i + 1);
        *to = *a;
        v3_min_in(&to->low, &b->low);
        v3_max_in(&to->high, &b->high);
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
#define MIN_DISTANCE VSP_R(1e-6)

typedef struct solid {
    const vsp__shape *shape;
    const vsp__pose *pose;
} solid;

typedef struct touch_point {
    vsp_vec3 on[2]; /* a and b */
    vsp_real gap;
    uint32_t feature;
} touch_point;

typedef struct touch {
    vsp_vec3 normal; /* a to b */
    uint32_t count;
    touch_point points[4];
} touch;

/* centre of a to centre of b */
static void solid_offset(const solid *a, const solid *b, vsp_vec3 *d)
{
    *d = b->pose->position;
    v3_sub_in(d, &a->pose->position);
    v3_flush_in(d);
}

/* Makes of its normal and its first point a touch of one point.  Returns
 * whether it is one. */
static bool touch_once(touch *t, vsp_real gap, vsp_real envelope)
{
    t->count = 1;
    t->points[0].gap = gap;
    t->points[0].feature = 0;
    return gap < envelope;
}

/* a becomes b */
static void swap_roles(touch *t)
{
    uint32_t i;

    t->normal = v3_neg(t->normal);
    for (i = 0; i < t->count; i++) {
        vsp_vec3 *on = t->points[i].on, on_a = on[0];

        on[0] = on[1];
        on[1] = on_a;
    }
}


/* ---- Narrow phase: spheres ----------------------------------------------- */

static bool touch_spheres(const solid *a, const solid *b, vsp_real envelope,
                          touch *t)
{
    vsp_real radius_a = a->shape->size.x, radius_b = b->shape->size.x;
    vsp_real reach = radius_a + radius_b + envelope;
    vsp_real sq_distance, distance;
    vsp_vec3 d;

    solid_offset(a, b, &d);
    sq_distance = v3_dot_at(&d, &d);
    if (sq_distance >= r_mul(reach, reach))
        return false;
    distance = vsp__sqrt(sq_distance);
    t->normal = v3(VSP_R(0.0), VSP_R(1.0), VSP_R(0.0));
    if (distance > MIN_DISTANCE)
        t->normal = v3_scale(d, r_div(VSP_R(1.0), distance));
    v3_flush_in(&t->normal);
    t->points[0].on[0] = t->normal;
    v3_scale_in(&t->points[0].on[0], radius_a);
    t->points[0].on[1] = t->normal;
    v3_scale_in(&t->points[0].on[1], -radius_b);
    return touch_once(t, distance - (radius_a + radius_b), envelope);
}

/* A sphere whose centre, at p in the box's axes, is in the box or as good as
 * in it leaves by the nearest face: *onto is the point there.  Returns the
 * outward normal in the box's axes. */
static vsp_vec3 nearest_face(vsp_vec3 size, vsp_vec3 p, vsp_vec3 *onto)
{
    vsp_vec3 inside = size, n = v3_zero();

    v3_move_abs(&inside, VSP_R(-1.0), &p);
    *onto = p;
    if (inside.x <= inside.y && inside.x <= inside.z) {
        n.x = r_signed(VSP_R(1.0), p.x < 0);
        onto->x = r_signed(size.x, p.x < 0);
    } else if (inside.y <= inside.z) {
        n.y = r_signed(VSP_R(1.0), p.y < 0);
        onto->y = r_signed(size.y, p.y < 0);
    } else {
        n.z = r_signed(VSP_R(1.0), p.z < 0);
        onto->z = r_signed(size.z, p.z < 0);
    }
    return n;
}

static bool touch_box_sphere(const solid *box, const solid *sphere,
                             vsp_real envelope, touch *t)
{
    const vsp__mat3 *axes = &box->pose->axes;
    vsp_vec3 size = box->shape->size, p, d, *onto = &t->points[0].on[0];
    vsp_real radius = sphere->shape->size.x, distance;

    solid_offset(box, sphere, &p);
    vsp__tmul(axes, &p, &p);
    v3_flush_in(&p);
    *onto = v3_neg(size);
    v3_max_in(onto, &p);
    v3_min_in(onto, &size);
    d = p;
    v3_sub_in(&d, onto);
    v3_flush_in(&d);
    distance = v3_length(d);
    if (distance - radius >= envelope)
        return false;
    if (distance > MIN_DISTANCE) {
        t->normal = d;
        v3_scale_in(&t->normal, r_div(VSP_R(1.0), distance));
        v3_flush_in(&t->normal);
    } else {
        t->normal = nearest_face(size, p, onto);
        distance = v3_dot(t->normal, v3_sub(p, *onto));
    }
    vsp__mul(axes, &t->normal, &t->normal);
    v3_flush_in(&t->normal);
    vsp__mul(axes, onto, onto);
    t->points[0].on[1] = t->normal;
    v3_scale_in(&t->points[0].on[1], -radius);
    return touch_once(t, distance - radius, envelope);
}


/* ---- Narrow phase: half-spaces ------------------------------------------- */

static bool touch_plane_sphere(const solid *plane, const solid *sphere,
                               vsp_real envelope, touch *t)
{
    vsp_vec3 *on = t->points[0].on;
    vsp_real radius = sphere->shape->size.x, height;

    t->normal = plane->pose->axes.axis[1];
    solid_offset(plane, sphere, &on[0]);
    height = r_flush(v3_dot_at(&t->normal, &on[0]));
    v3_move(&on[0], -height, &t->normal);
    on[1] = t->normal;
    v3_scale_in(&on[1], -radius);
    return touch_once(t, height - radius, envelope);
}

/* the index of the largest magnitude; the first of equals */
static uint32_t largest_of(const vsp_real *v)
{
    uint32_t k = r_abs(v[1]) > r_abs(v[0]) ? 1 : 0;

    return r_abs(v[2]) > r_abs(v[k]) ? 2 : k;
}

/* Box vertices are numbered by the signs of their coordinates: bit k is set
 * where coordinate k is positive. */
static void box_vertex(const solid *box, uint32_t vertex, vsp_vec3 *out)
{
    vsp_vec3 size = box->shape->size;

    *out = v3(r_signed(size.x, (vertex & 1u) == 0),
              r_signed(size.y, (vertex & 2u) == 0),
              r_signed(size.z, (vertex & 4u) == 0));
    vsp__mul(&box->pose->axes, out, out);
}

/* Takes the face that looks down most: its four vertices are far apart even
 * when a thin plate has all eight in the envelope. */
static bool touch_plane_box(const solid *plane, const solid *box,
                            vsp_real envelope, touch *t)
{
    vsp_vec3 *n = &t->normal, d;
    vsp_real lean[3];
    uint32_t k, vertex;

    *n = plane->pose->axes.axis[1];
    t->count = 0;
    solid_offset(plane, box, &d);
    for (k = 0; k < 3; k++)
        lean[k] = v3_dot_at(&box->pose->axes.axis[k], n);
    k = largest_of(lean);
    for (vertex = 0; vertex < 8; vertex++) {
        touch_point *point = &t->points[t->count];
        vsp_vec3 *from = &point->on[0]; /* the plane's centre to the vertex */

        if ((vertex >> k & 1u) != (lean[k] < 0 ? 1u : 0u))
            continue;
        box_vertex(box, vertex, &point->on[1]);
        *from = d;
        v3_add_in(from, &point->on[1]);
        v3_flush_in(from);
        point->gap = r_flush(v3_dot_at(n, from));
        v3_move(from, -point->gap, n);
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
#define EDGE_BIAS VSP_R(0.002)
#define EDGE_BIAS_PART VSP_R(0.05)
/* the same for a face of b over one of a */
#define FACE_BIAS VSP_R(0.0005)
/* squared sine below which edges count as parallel */
#define MIN_SQ_SINE VSP_R(0.001)

static const uint8_t next_axis[3] = {1, 2, 0};
static const uint8_t last_axis[3] = {2, 0, 1};

typedef struct box_pair {
    vsp_vec3 offset;         /* centre of a to centre of b */
    const vsp_vec3 *axis[2]; /* of a and of b */
    vsp_real half[2][3];
    vsp_real along[2][3];    /* offset along axis */
    vsp_real turn[3][3];     /* axis[0][i] . axis[1][j] */
    vsp_real bent[3][3];     /* its magnitude */
} box_pair;

typedef struct box_face {
    vsp_real separation;
    uint32_t side; /* 0: face of a, 1: of b */
    uint32_t axis;
} box_face;

typedef struct box_edges {
    bool found;
    uint32_t i, j; /* axes of a and of b */
} box_edges;

static void set_box(box_pair *p, uint32_t side, const solid *box)
{
    uint32_t i;

    p->axis[side] = box->pose->axes.axis;
    p->half[side][0] = box->shape->size.x;
    p->half[side][1] = box->shape->size.y;
    p->half[side][2] = box->shape->size.z;
    for (i = 0; i < 3; i++)
        p->along[side][i] = r_flush(v3_dot_at(&p->offset, &p->axis[side][i]));
}

static void set_box_pair(box_pair *p, const solid *a, const solid *b)
{
    uint32_t i, j;

    solid_offset(a, b, &p->offset);
    set_box(p, 0, a);
    set_box(p, 1, b);
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) {
            p->turn[i][j] = r_flush(v3_dot_at(&p->axis[0][i], &p->axis[1][j]));
            p->bent[i][j] = r_abs(p->turn[i][j]);
        }
}

/* how far the other box reaches from its centre along an axis of this */
static vsp_real reach_along(const box_pair *p, uint32_t side, uint32_t i)
{
    const vsp_real *h = p->half[1 - side];

    if (side == 0)
        return r_dot3(h[0], p->bent[i][0], h[1], p->bent[i][1],
                      h[2], p->bent[i][2]);
    return r_dot3(h[0], p->bent[0][i], h[1], p->bent[1][i],
                  h[2], p->bent[2][i]);
}

/* Finds the face of one box along which they are farthest apart, or least
 * deep.  Returns false when they are apart by the envelope. */
static bool best_face(const box_pair *p, uint32_t side, vsp_real envelope,
                      box_face *best)
{
    uint32_t i;

    best->side = side;
    for (i = 0; i < 3; i++) {
        vsp_real s = r_abs(p->along[side][i]) -
                     (p->half[side][i] + reach_along(p, side, i));

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
static vsp_real edge_separation(const box_pair *p, uint32_t i, uint32_t j)
{
    uint32_t i1 = next_axis[i], i2 = last_axis[i];
    uint32_t j1 = next_axis[j], j2 = last_axis[j];
    vsp_real distance = r_dot2(p->along[0][i2], p->turn[i1][j],
                               -p->along[0][i1], p->turn[i2][j]);
    vsp_real reach = r_dot2(p->half[0][i1], p->bent[i2][j],
                            p->half[0][i2], p->bent[i1][j]) +
                     r_dot2(p->half[1][j1], p->bent[i][j2],
                            p->half[1][j2], p->bent[i][j1]);

    return r_abs(distance) - reach;
}

/* Finds the pair of edges that are apart by more than the threshold, and the
 * most.  Returns false when the boxes are apart by the envelope. */
static bool best_edges(const box_pair *p, vsp_real threshold,
                       vsp_real envelope, box_edges *best)
{
    uint32_t i, j;

    best->found = false;
    best->i = best->j = 0;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            vsp_real sq_sine = VSP_R(1.0) - r_mul(p->turn[i][j],
                                                  p->turn[i][j]);
            vsp_real s = edge_separation(p, i, j);

            /* the sine is at most 1: most edges need no root */
            if (sq_sine < MIN_SQ_SINE || s <= r_min(threshold, VSP_R(0.0)))
                continue;
            s = r_mul(s, vsp__rsqrt(sq_sine));
            if (s >= envelope)
                return false;
            if (s > threshold) {
                threshold = s;
                best->found = true;
                best->i = i;
                best->j = j;
            }
        }
    }
    return true;
}


/* ---- Narrow phase: two edges --------------------------------------------- */

/* The middle of the edge along axis i that lies farthest in a direction,
 * from the box's centre.  Returns two bits telling which it is. */
static uint32_t edge_middle(const box_pair *p, uint32_t side, uint32_t i,
                            const vsp_vec3 *direction, vsp_vec3 *middle)
{
    const vsp_vec3 *axis = p->axis[side];
    const vsp_real *half = p->half[side];
    uint32_t i1 = next_axis[i], i2 = last_axis[i];
    bool back1 = v3_dot_at(direction, &axis[i1]) < 0;
    bool back2 = v3_dot_at(direction, &axis[i2]) < 0;

    *middle = axis[i1];
    v3_scale_in(middle, r_signed(half[i1], back1));
    v3_move(middle, r_signed(half[i2], back2), &axis[i2]);
    return (back1 ? 1u : 0u) + (back2 ? 2u : 0u);
}

/* s inv, from the middle of an edge, but not beyond its ends */
static vsp_real edge_place(vsp_real s, vsp_real inv, vsp_real half)
{
    return r_clamp(r_flush(r_mul(r_flush(s), inv)), -half, half);
}

/* The points where two edges are closest. */
static bool touch_edges(const box_pair *p, const box_edges *edges,
                        vsp_real envelope, touch *t)
{
    const vsp_vec3 *u = &p->axis[0][edges->i], *v = &p->axis[1][edges->j];
    vsp_real c = p->turn[edges->i][edges->j], du, dv;
    vsp_real inv = r_div(VSP_R(1.0), VSP_R(1.0) - r_mul(c, c));
    vsp_vec3 *n = &t->normal, *on = t->points[0].on, d;
    uint32_t code_a, code_b;

    v3_cross_to(u, v, n);
    v3_flush_in(n);
    v3_scale_in(n, vsp__rsqrt(v3_dot_at(n, n)));
    v3_flush_in(n);
    *n = v3_signed(*n, v3_dot_at(n, &p->offset) < 0);
    d = v3_neg(*n);
    code_a = edge_middle(p, 0, edges->i, n, &on[0]);
    code_b = edge_middle(p, 1, edges->j, &d, &on[1]);
    d = p->offset;
    v3_add_in(&d, &on[1]);
    v3_sub_in(&d, &on[0]);
    v3_flush_in(&d);
    du = r_flush(v3_dot_at(&d, u));
    dv = r_flush(v3_dot_at(&d, v));
    v3_move(&on[0], edge_place(du - r_mul(c, dv), inv, p->half[0][edges->i]),
            u);
    v3_move(&on[1], edge_place(r_mul(c, du) - dv, inv, p->half[1][edges->j]),
            v);
    (void)touch_once(t, v3_dot_at(n, &d), envelope);
    t->points[0].feature = 64u + (edges->i * 3u + edges->j) * 16u +
                           code_a * 4u + code_b;
    return t->points[0].gap < envelope;
}


/* ---- Narrow phase: face of one box, clipped face of the other --------------
 * Sutherland and Hodgman, "Reentrant polygon clipping", 1974. */

/* m: how far outside a point still counts as inside, so that boxes of the
 * same size, one on the other, keep their corners */
#define CLIP_TOLERANCE VSP_R(0.00001)
/* 8 are enough in exact arithmetic */
#define POLYGON_CAPACITY 12
/* parts of squared length: corners of a thinner triangle are left out */
#define MIN_TRIANGLE VSP_R(0.001)

typedef struct clip_point {
    vsp_real at[3]; /* x, y on the reference face, from its centre; height
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

/* axis i of the reference box along axis j of the other */
static vsp_real turn_from(const box_pair *p, uint32_t side, uint32_t i,
                          uint32_t j)
{
    return side == 0 ? p->turn[i][j] : p->turn[j][i];
}

static void choose_faces(const box_pair *p, const box_face *face,
                         face_pair *f)
{
    vsp_real lean[3];
    uint32_t j;

    f->side = face->side;
    f->axis = face->axis;
    f->back = (p->along[f->side][f->axis] > 0) == (f->side == 1);
    for (j = 0; j < 3; j++)
        lean[j] = r_signed(turn_from(p, f->side, f->axis, j), f->back);
    f->other_axis = largest_of(lean);
    f->other_back = lean[f->other_axis] > 0;
}

/* The incident face: its centre, and the halves of its sides, along axis i
 * of the reference box. */
typedef struct quad_axis {
    vsp_real center, side1, side2;
} quad_axis;

static quad_axis quad_along(const box_pair *p, const face_pair *f, uint32_t i)
{
    const vsp_real *half = p->half[1 - f->side];
    uint32_t k = f->other_axis, k1 = next_axis[k], k2 = last_axis[k];
    vsp_real out = r_signed(half[k], f->other_back);
    quad_axis q;

    q.center = r_signed(p->along[f->side][i], f->side == 1) +
               r_mul(turn_from(p, f->side, i, k), out);
    q.side1 = r_mul(turn_from(p, f->side, i, k1), half[k1]);
    q.side2 = r_mul(turn_from(p, f->side, i, k2), half[k2]);
    return q;
}

static void incident_polygon(const box_pair *p, const face_pair *f,
                             polygon *poly)
{
    vsp_real top = p->half[f->side][f->axis];
    quad_axis q[3];
    uint32_t i, k;

    q[0] = quad_along(p, f, next_axis[f->axis]);
    q[1] = quad_along(p, f, last_axis[f->axis]);
    q[2] = quad_along(p, f, f->axis);
    poly->count = 4;
    for (i = 0; i < 4; i++) {
        clip_point *c = &poly->points[i];

        c->edge = c->part = (uint16_t)i;
        for (k = 0; k < 3; k++) {
            vsp_real x = q[k].center +
                         r_signed(q[k].side1, i == 1 || i == 2) +
                         r_signed(q[k].side2, i >= 2);

            c->at[k] = r_flush(k < 2 ? x : r_signed(x, f->back) - top);
        }
    }
}

/* how far outside of a side (+x, -x, +y, -y) a point is */
static vsp_real side_distance(const clip_point *p, uint32_t side,
                              vsp_real limit)
{
    return r_signed(p->at[side / 2], (side & 1u) != 0) - limit;
}

/* Adds the point where the edge from p to q, one inside and one outside,
 * crosses a side. */
static void add_crossing(polygon *out, const clip_point *p,
                         const clip_point *q, vsp_real dp, vsp_real dq,
                         uint32_t side)
{
    vsp_real f = r_div(dp, dp - dq);
    clip_point c;
    uint32_t k;

    for (k = 0; k < 3; k++)
        c.at[k] = r_flush(p->at[k] + r_mul(f, q->at[k] - p->at[k]));
    c.edge = dq > 0 ? (uint16_t)(4u + side) : p->edge;
    c.part = (uint16_t)(4u + p->edge * 4u + side);
    if (p->edge >= 4) /* along a side of x, cut by one of y */
        c.part = (uint16_t)(20u + (p->edge & 1u) * 2u + (side & 1u));
    add_clip_point(out, &c);
}

static bool is_outside(const polygon *poly, uint32_t side, vsp_real limit)
{
    uint32_t i;

    for (i = 0; i < poly->count; i++)
        if (side_distance(&poly->points[i], side, limit) > 0)
            return true;
    return false;
}

/* Copies what is inside of a side. */
static void clip_side(const polygon *in, polygon *out, uint32_t side,
                      vsp_real limit)
{
    uint32_t i;

    out->count = 0;
    for (i = 0; i < in->count; i++) {
        const clip_point *p = &in->points[i];
        const clip_point *q = &in->points[i + 1 == in->count ? 0 : i + 1];
        vsp_real dp = side_distance(p, side, limit);
        vsp_real dq = side_distance(q, side, limit);

        if (!(dp > 0))
            add_clip_point(out, p);
        if ((dp > 0) != (dq > 0))
            add_crossing(out, p, q, dp, dq, side);
    }
}

/* Clips to the rectangle of the reference face.  Returns the result, which
 * is in one of the two polygons. */
static polygon *clip_polygon(polygon *poly, polygon *room, vsp_real half_x,
                             vsp_real half_y)
{
    uint32_t side;

    for (side = 0; side < 4; side++) {
        vsp_real limit = (side < 2 ? half_x : half_y) + CLIP_TOLERANCE;
        polygon *swap = poly;

        if (!is_outside(poly, side, limit))
            continue;
        clip_side(poly, room, side, limit);
        poly = room;
        room = swap;
    }
    return poly;
}

static void keep_low_points(polygon *poly, vsp_real envelope)
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
    vsp_real best = VSP_R(0.0);
    uint32_t i, kept = 0;

    for (i = 0; i < poly->count; i++) {
        const vsp_real *at = poly->points[i].at;
        vsp_real score = r_dot3(VSP_R(0.8), at[0], VSP_R(0.6), at[1],
                                VSP_R(-100.0), at[2]);

        if (i == 0 || score > best) {
            best = score;
            kept = i;
        }
    }
    return kept;
}

/* from p to q along x or y */
static vsp_real step_along(const clip_point *p, const clip_point *q,
                           uint32_t k)
{
    return r_flush(q->at[k] - p->at[k]);
}

static vsp_real sq_span(const clip_point *p, const clip_point *q)
{
    vsp_real x = step_along(p, q, 0), y = step_along(p, q, 1);

    return r_dot2(x, x, y, y);
}

static uint32_t farthest_from(const polygon *poly, uint32_t from)
{
    vsp_real best = VSP_R(-1.0);
    uint32_t i, kept = from;

    for (i = 0; i < poly->count; i++) {
        vsp_real s = sq_span(&poly->points[from], &poly->points[i]);

        if (i != from && s > best) {
            best = s;
            kept = i;
        }
    }
    return kept;
}

/* twice the area of a triangle, by its sense of turning */
static vsp_real turning_area(const clip_point *p, const clip_point *q,
                             const clip_point *r)
{
    return r_dot2(step_along(p, q, 0), step_along(p, r, 1),
                  -step_along(p, q, 1), step_along(p, r, 0));
}

/* Leaves four points or fewer: a deep one, the one farthest from it, and on
 * both sides of their line the one that spans the largest triangle. */
static void reduce_polygon(polygon *poly)
{
    clip_point kept[4];
    uint32_t first = first_kept(poly);
    uint32_t second = farthest_from(poly, first);
    vsp_real most, least;
    uint32_t i, left = first, right = first, count = 2;

    kept[0] = poly->points[first];
    kept[1] = poly->points[second];
    most = r_mul(MIN_TRIANGLE, sq_span(&kept[0], &kept[1]));
    least = -most;
    for (i = 0; i < poly->count; i++) {
        vsp_real s = turning_area(&kept[0], &kept[1], &poly->points[i]);

        if (s > most) {
            most = s;
            left = i;
        } else if (s < least) {
            least = s;
            right = i;
        }
    }
    if (left != first)
        kept[count++] = poly->points[left];
    if (right != first)
        kept[count++] = poly->points[right];
    for (i = 0; i < count; i++)
        poly->points[i] = kept[i];
    poly->count = count;
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

/* Takes the points to the world, as if the reference box were a. */
static void polygon_to_touch(const box_pair *p, const face_pair *f,
                             const polygon *poly, touch *t)
{
    const vsp_vec3 *axis = p->axis[f->side];
    vsp_vec3 offset = v3_signed(p->offset, f->side == 1), top;
    uint32_t i;

    t->normal = v3_signed(axis[f->axis], f->back);
    t->count = poly->count;
    top = v3_scale(t->normal, p->half[f->side][f->axis]);
    for (i = 0; i < poly->count; i++) {
        const clip_point *c = &poly->points[i];
        vsp_vec3 *on = t->points[i].on;

        on[0] = top;
        v3_move(&on[0], c->at[0], &axis[next_axis[f->axis]]);
        v3_move(&on[0], c->at[1], &axis[last_axis[f->axis]]);
        on[1] = on[0];
        v3_move(&on[1], c->at[2], &t->normal);
        v3_sub_in(&on[1], &offset);
        t->points[i].gap = c->at[2];
        t->points[i].feature = face_feature(f, c->part);
    }
}

static bool touch_faces(const box_pair *p, const box_face *face,
                        vsp_real envelope, touch *t)
{
    const vsp_real *half = p->half[face->side];
    polygon poly, room, *clipped;
    face_pair f;

    choose_faces(p, face, &f);
    incident_polygon(p, &f, &poly);
    clipped = clip_polygon(&poly, &room, half[next_axis[face->axis]],
                           half[last_axis[face->axis]]);
    keep_low_points(clipped, envelope);
    if (clipped->count > 4)
        reduce_polygon(clipped);
    polygon_to_touch(p, &f, clipped, t);
    if (face->side == 1)
        swap_roles(t);
    return t->count > 0;
}

static bool touch_boxes(const solid *a, const solid *b, vsp_real envelope,
                        touch *t)
{
    box_pair p;
    box_face face, face_b;
    box_edges edges;
    vsp_real depth;

    set_box_pair(&p, a, b);
    if (!best_face(&p, 0, envelope, &face) ||
        !best_face(&p, 1, envelope, &face_b))
        return false;
    depth = r_max(face.separation, face_b.separation);
    if (face_b.separation > face.separation + FACE_BIAS)
        face = face_b;
    if (!best_edges(&p, depth + EDGE_BIAS +
                        r_mul(EDGE_BIAS_PART, r_abs(depth)),
                    envelope, &edges))
        return false;
    if (!edges.found) {
        if (touch_faces(&p, &face, envelope, t))
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
static bool touch_solids(const solid *a, const solid *b, vsp_real envelope,
                         touch *t)
{
    bool b_is_box = b->shape->type == VSP_SHAPE_BOX;

    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        return b_is_box ? touch_plane_box(a, b, envelope, t)
                        : touch_plane_sphere(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_BOX)
        return b_is_box ? touch_boxes(a, b, envelope, t)
                        : touch_box_sphere(a, b, envelope, t);
    if (!b_is_box)
        return touch_spheres(a, b, envelope, t);
    if (!touch_box_sphere(b, a, envelope, t))
        return false;
    swap_roles(t);
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
static vsp_real mix_rule(uint32_t rule_a, uint32_t rule_b, vsp_real a,
                         vsp_real b)
{
    uint32_t rule = rule_a > rule_b ? rule_a : rule_b;

    a = r_flush(a);
    b = r_flush(b);
    if (a == b && rule != VSP_RULE_MULTIPLY)
        return a;
    switch (rule) {
    case VSP_RULE_GEOMETRIC:
        return vsp__sqrt(r_mul(a, b));
    case VSP_RULE_AVERAGE:
        return r_mul(VSP_R(0.5), a + b);
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
                     const vsp_vec3 *on, vsp_vec3 *arm)
{
    vsp_vec3 center;

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
        p->bounce = VSP_R(0.0);
        p->multiplier[0] = p->multiplier[1] = p->multiplier[2] = VSP_R(0.0);
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
    vsp_real gap = t->points[0].gap;
    uint32_t bits, i;

    for (i = 1; i < t->count; i++)
        gap = r_min(gap, t->points[i].gap);
    bits = r_bits(gap);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return bits >> RANK_COUNT_BITS << RANK_COUNT_BITS | t->count;
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

static void count_contacts(vsp_stats *stats, const vsp__contacts *contacts,
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

/* The gap of a point where its bodies are now, along the old normal. */
static vsp_real measure_gap(const vsp_world *world, const vsp__manifold *m,
                            const vsp__point *point)
{
    vsp_vec3 d = world->bodies[m->body[1]].position, a, b;

    v3_sub_in(&d, &world->bodies[m->body[0]].position);
    vsp__mul(&world->axes[m->body[0]], &point->arm[0], &a);
    vsp__mul(&world->axes[m->body[1]], &point->arm[1], &b);
    v3_sub_in(&b, &a);
    v3_add_in(&d, &b);
    v3_flush_in(&d);
    return r_flush(v3_dot_at(&m->normal, &d));
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

/* the farthest that a point of a box of this size goes between two poses */
static vsp_real travel(const vsp__pose *from, const vsp__pose *to,
                       vsp_vec3 size)
{
    vsp_vec3 d = v3_abs(v3_sub(to->position, from->position));
    vsp__mat3 change;
    uint32_t i;

    for (i = 0; i < 3; i++) {
        change.axis[i] = to->axes.axis[i];
        v3_sub_in(&change.axis[i], &from->axes.axis[i]);
    }
    add_extent(&change, &size, &d);
    return v3_largest(d);
}

bool vsp__is_still(const vsp_world *world)
{
    vsp_real near = r_mul(VSP_R(0.125), world->params.envelope);
    uint32_t i;

    for (i = 0; i < world->shape_limit; i++) {
        const vsp__shape *shape = &world->shapes[i];
        vsp__pose pose;

        if (shape->type == VSP_SHAPE_NONE ||
            world->bodies[shape->body].type == (uint32_t)VSP_STATIC + 1u)
            continue;
        if (!is_bounded(shape))
            return false;
        shape_pose(world, i, &pose);
        if (travel(&world->poses[i], &pose,
                   shape->type == VSP_SHAPE_BOX ? shape->size : v3_zero()) >
            near)
            return false;
    }
    return true;
}
