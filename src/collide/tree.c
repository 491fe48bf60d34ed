/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The broad phase: shapes are sorted along a Morton curve, a binary tree of
 * bounds is built over this order, and each leaf is tested with the tree for
 * pairs whose bounds overlap. */

#include "collide.h"


/* ---- Order of shapes -----------------------------------------------------
 * Bounded shapes are sorted by the bits of the cell of their centre, x, y and
 * z interleaved (Morton 1966): neighbours in this order are close in space. */

#define MORTON_CELLS 1024 /* along each axis */

/* Computes twice the centre of a shape's bounds: the order needs no halving. */
static void twice_center(const vsp_world *world, uint32_t shape, vsp__v3 *c)
{
    const vsp__aabb *bounds = vsp__find_of(world)->bounds + shape;

    v3_add_to(&bounds->low, &bounds->high, c);
    v3_flush_in(c);
}

/* Adds each coordinate to its sum. */
static void add_totals(vsp__total sum[3], const vsp__v3 *v)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        t_add(&sum[k], v3_part(v, k));
}

/* Fills sort_order with the bounded shapes, by slot.  Returns their number;
 * *mean becomes the mean of twice their centres. */
static uint32_t list_bounded_shapes(vsp_world *world, vsp__v3 *mean)
{
    vsp__total sum[3] = {0, 0, 0};
    uint32_t i, count = 0;
    vsp__v3 c;

    *mean = v3_zero();
    for (i = 0; i < world->shape_limit; i++) {
        if (!vsp__is_bounded(world->shapes + i) ||
            !vsp__is_present(world, world->shapes + i))
            continue;
        vsp__find_of(world)->sort_order[count++] = (uint16_t)i;
        twice_center(world, i, &c);
        add_totals(sum, &c);
    }
    for (i = 0; i < 3 && count > 0; i++)
        v3_parts(mean)[i] = t_mean(sum[i], count);
    return count;
}

/* Returns the number of cells per metre of twice a centre.  The grid reaches
 * three times the mean distance (of the axis where it is largest) to both sides
 * of the mean, and centres outside are clamped to it, so that a few distant
 * shapes do not squeeze all others into one cell. */
static vsp__num morton_scale(const vsp_world *world, uint32_t count,
                             const vsp__v3 *mean)
{
    vsp__total size = VSP__REAL(0.001), sum[3] = {0, 0, 0};
    vsp__v3 c;
    uint32_t k;

    for (k = 0; k < count; k++) {
        twice_center(world, vsp__find_of(world)->sort_order[k], &c);
        v3_sub_in(&c, mean);
        v3_abs_in(&c);
        add_totals(sum, &c);
    }
    for (k = 0; k < 3; k++)
        size = sum[k] > size ? sum[k] : size;
    return t_rate(size, count, VSP__REAL(MORTON_CELLS / 6.0));
}

/* Returns the cell of a coordinate, 10 bits, spread to every third of 30 bits.
 * The coordinate is relative to the middle of the grid. */
static uint32_t morton_bits(vsp__num a)
{
    uint32_t x = (uint32_t)r_to_int(r_clamp(
        r_add(a, VSP__REAL(MORTON_CELLS / 2)), 0, VSP__REAL(MORTON_CELLS - 1)));

    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

/* shapes, and nodes of the tree, that are worth a piece of work */
#define LEAST_KEYS VSP__LEAST(256u)
#define LEAST_NODES VSP__LEAST(256u)

typedef struct key_work {
    vsp_world *world;
    vsp__v3 mean;
    vsp__num scale;
} key_work;

/* A vsp__do_piece: fills the keys of some shapes. */
static void make_some_keys(void *work, uint32_t piece, uint32_t first,
                           uint32_t last)
{
    const key_work *w = (const key_work *)work;
    vsp__find *find = vsp__find_of(w->world);
    vsp__v3 c;
    uint32_t k;

    (void)piece;
    for (k = first; k < last; k++) {
        twice_center(w->world, find->sort_order[k], &c);
        vsp__v3_from_to(&w->mean, &c, &c);
        v3_scale_in(&c, w->scale);
        find->sort_keys[k] = morton_bits(c.x) | morton_bits(c.y) << 1 |
                             morton_bits(c.z) << 2;
    }
}

/* Fills sort_order with the bounded shapes, in Morton order.  Returns their
 * number. */
static uint32_t order_shapes(vsp_world *world)
{
    key_work w;
    uint32_t count = list_bounded_shapes(world, &w.mean);

    w.world = world;
    w.scale = morton_scale(world, count, &w.mean);
    vsp__share_work(world, make_some_keys, &w, count, LEAST_KEYS);
    vsp__sort_shapes(world, count);
    return count;
}


/* ---- Tree ----------------------------------------------------------------
 * Leaf i is shape sort_order[i].  Node i of a level bounds nodes 2 i and
 * 2 i + 1 of the level below; the last one of a level may have one child. */

typedef struct level_work {
    vsp_world *world;
    const vsp__tree *tree;
    uint32_t level;
} level_work;

/* A vsp__do_piece: fills some nodes of a level. */
static void build_some_nodes(void *work, uint32_t piece, uint32_t first,
                             uint32_t last)
{
    const level_work *w = (const level_work *)work;
    const vsp__tree *tree = w->tree;
    vsp__aabb *nodes = vsp__find_of(w->world)->tree + tree->first[w->level];
    uint32_t below = tree->count[w->level - 1], i;

    (void)piece;
    for (i = 2 * first; i < 2 * last && i < below; i++) {
        const vsp__aabb *from = vsp__tree_node(tree, w->level - 1, i);
        vsp__aabb *to = &nodes[i / 2];

        if (i % 2 == 0) {
            *to = *from;
            continue;
        }
        vsp__bounds_join(to, from);
    }
}

void vsp__lay_out_tree(const vsp_world *world, uint32_t leaf_count,
                       vsp__tree *tree)
{
    uint32_t level = 0, first = 0;

    tree->world = world;
    tree->count[0] = leaf_count;
    tree->first[0] = 0;
    while (tree->count[level] > 1) {
        uint32_t count = (tree->count[level] + 1) / 2;

        level++;
        tree->count[level] = count;
        tree->first[level] = first;
        first += count;
    }
    tree->top = level;
}

/* Lays out the tree and fills its levels from the leaves up. */
static void build_tree(vsp_world *world, uint32_t leaf_count, vsp__tree *tree)
{
    level_work w;

    vsp__lay_out_tree(world, leaf_count, tree);
    w.world = world;
    w.tree = tree;
    for (w.level = 1; w.level <= tree->top; w.level++)
        vsp__share_work(world, build_some_nodes, &w, tree->count[w.level],
                        LEAST_NODES);
}

/* Lists the half-spaces in the second half of sort_order.  Returns their
 * number. */
static uint32_t list_planes(vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type == VSP_SHAPE_HALF_SPACE &&
            vsp__is_present(world, world->shapes + i))
            vsp__find_of(world)->sort_order[VSP_MAX_SHAPES + count++] =
                (uint16_t)i;
    return count;
}

void vsp__build_shape_tree(vsp_world *world)
{
    vsp__tree tree;

    world->leaf_count = order_shapes(world);
    build_tree(world, world->leaf_count, &tree);
    world->plane_count = list_planes(world);
}


/* ---- Pairs --------------------------------------------------------------- */

/* Adds a pair.  The shape of higher rank becomes a; of two equal ranks, the one
 * in the lower slot. */
static void add_ranked_pair(vsp__pair_list *list, uint32_t slot, uint32_t other)
{
    const vsp_world *world = list->world;
    uint32_t rank = vsp__pair_rank(world->shapes + slot);
    uint32_t other_rank = vsp__pair_rank(world->shapes + other);

    if (rank > other_rank || (rank == other_rank && slot < other))
        vsp__add_pair(list, slot, other);
    else
        vsp__add_pair(list, other, slot);
}

/* Pairs a leaf with the leaves behind it.  The walk needs no stack: it enters
 * the first child of a node that overlaps; else it advances to the next node,
 * and up from there while that is a first child. */
static void pair_leaf(vsp__pair_list *list, const vsp__tree *tree,
                      uint32_t leaf)
{
    const vsp__find *find = vsp__find_of(list->world);
    const uint16_t *order = find->sort_order;
    uint32_t slot = order[leaf], level = 0, i = leaf, left = list->left;
    vsp__aabb bounds = find->bounds[slot];

    for (;;) {
        i++;
        while (i % 2 == 0 && level < tree->top) {
            i /= 2;
            level++;
        }
        if (i >= tree->count[level])
            break;
        for (; left > 0 && level > 0; i *= 2, level--, left--)
            if (!vsp__bounds_overlap(&bounds,
                                     find->tree + tree->first[level] + i))
                break;
        if (left == 0)
            break;
        list->left = --left;
        if (level == 0 && vsp__bounds_overlap(&bounds, find->bounds + order[i]))
            add_ranked_pair(list, slot, order[i]);
        left = list->left;
    }
    list->left = left;
}


/* ---- Pairs by workers ------------------------------------------------------
 * Workers find the same pairs as a single thread, by as many tests, unless the
 * budget or the capacity runs out; then the calling thread does it all again.
 * Each leaf adds to its piece an equal share of places in the second half of
 * find.pairs and of the budget of tests.  A piece ends at the leaf at which its
 * places or tests run out, and the calling thread does the rest. */

#if VSP_WORKERS

/* leaves that are worth a piece of work */
#define LEAST_LEAVES VSP__LEAST(32u)

typedef struct leaf_piece {
    const uint32_t *pairs;
    uint32_t count, tests; /* pairs, tests of bounds */
    uint32_t leaf, last;   /* leaves from `leaf` to last - 1 are left */
} leaf_piece;

typedef struct leaf_work {
    vsp_world *world;
    const vsp__tree *tree;
    uint32_t planes; /* half-spaces */
    uint32_t tests;  /* share of a leaf */
    leaf_piece pieces[VSP__MOST_PIECES];
} leaf_work;

/* Pairs a shape with the half-spaces, which are in the second half of
 * sort_order. */
static void pair_with_planes(vsp__pair_list *list, const leaf_work *w,
                             uint32_t slot)
{
    const vsp__find *find = vsp__find_of(w->world);
    vsp__num margin = u_mul(VSP__UNIT(0.5), w->world->params.envelope);
    uint32_t i;

    for (i = 0; i < w->planes && list->left > 0; i++, list->left--) {
        uint32_t plane = find->sort_order[VSP_MAX_SHAPES + i];

        if (vsp__bounds_reach(find->bounds + slot, find->poses + plane, margin))
            vsp__add_pair(list, plane, slot);
    }
}

/* Pairs a leaf with half-spaces and the leaves behind it. */
static void pair_shape(vsp__pair_list *list, const leaf_work *w, uint32_t leaf)
{
    pair_with_planes(list, w, vsp__find_of(w->world)->sort_order[leaf]);
    if (list->left > 0)
        pair_leaf(list, w->tree, leaf);
}

/* A vsp__do_piece: pairs some leaves. */
static void pair_some_leaves(void *work, uint32_t piece, uint32_t first,
                             uint32_t last)
{
    leaf_work *w = (leaf_work *)work;
    leaf_piece *p = &w->pieces[piece];
    uint32_t places = VSP_MAX_PAIRS / w->tree->count[0], leaf;
    vsp__pair_list list, before;

    list.world = w->world;
    list.pairs = vsp__find_of(w->world)->pairs + VSP_MAX_PAIRS + places * first;
    list.most = places * (last - first);
    list.count = list.dropped = 0;
    list.left = w->tests * (last - first);
    for (leaf = first; leaf < last; leaf++) {
        before = list;
        pair_shape(&list, w, leaf);
        if (list.dropped > 0 || list.left <= 1) {
            list = before;
            break;
        }
    }
    p->pairs = list.pairs;
    p->count = list.count;
    p->tests = w->tests * (last - first) - list.left;
    p->leaf = leaf;
    p->last = last;
}

/* Adds the pairs of a piece to a list, and those of its leaves that are left.
 * Returns false if the budget or the capacity runs out: at 1, as links of
 * joints may then no longer be counted. */
static bool take_piece(vsp__pair_list *list, const leaf_work *w,
                       const leaf_piece *p)
{
    uint32_t i;

    if (p->tests + 1 >= list->left || p->count > list->most - list->count)
        return false;
    list->left -= p->tests;
    for (i = 0; i < p->count; i++)
        list->pairs[list->count++] = p->pairs[i];
    for (i = p->leaf; i < p->last && list->left > 0; i++)
        pair_shape(list, w, i);
    return list->left > 1 && list->dropped == 0;
}

/* Fills an empty list by workers.  Returns false, and leaves it empty, if the
 * budget or the capacity runs out, or if there is too little to share. */
static bool share_pairs(vsp__pair_list *list, const vsp__tree *tree)
{
    vsp__pair_list all = *list;
    leaf_work w;
    uint32_t i;

    if (!vsp__has_workers(list->world) || tree->count[0] < 2 * LEAST_LEAVES)
        return false;
    w.world = list->world;
    w.tree = tree;
    w.planes = list_planes(list->world);
    w.tests = list->left / tree->count[0];
    vsp__zero_bytes(w.pieces, sizeof w.pieces);
    vsp__share_work(list->world, pair_some_leaves, &w, tree->count[0],
                    LEAST_LEAVES);
    for (i = 0; i < VSP__MOST_PIECES; i++)
        if (!take_piece(&all, &w, &w.pieces[i]))
            return false;
    *list = all;
    return true;
}

#else

static bool share_pairs(vsp__pair_list *list, const vsp__tree *tree)
{
    (void)list;
    (void)tree;
    return false;
}

#endif /* VSP_WORKERS */


/* ---- All pairs ----------------------------------------------------------- */

/* Fills an empty list. */
static void list_pairs(vsp__pair_list *list, const vsp__tree *tree)
{
    uint32_t leaf;

    if (share_pairs(list, tree))
        return;
    vsp__pair_half_spaces(list, tree->count[0]);
    for (leaf = 0; leaf < tree->count[0] && list->left > 0; leaf++)
        pair_leaf(list, tree, leaf);
}

/* budget: tests of bounds for each shape, and for each pair of the capacity */
#define TESTS_OF_BOUNDS 256u

uint32_t vsp__find_pairs(vsp_world *world, uint32_t *dropped)
{
    vsp__tree tree;
    vsp__pair_list list;
    uint32_t count = order_shapes(world), most;

    most = TESTS_OF_BOUNDS * (count + world->params.capacity.pairs);
    list.world = world;
    list.pairs = vsp__find_of(world)->pairs;
    list.most = world->params.capacity.pairs;
    list.count = list.dropped = 0;
    list.left = most;
    build_tree(world, count, &tree);
    list_pairs(&list, &tree);
    world->stats.node_count += most - list.left;
    if (list.left == 0)
        world->stats.spent |= VSP_SPENT_PAIRS;
    vsp__sort_pairs(world, list.count);
    *dropped += list.dropped;
    return list.count;
}
