/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The stack: the order of bodies on each other.  In this order: layers, the
 * contact graph and heights, colours, the order of manifolds, loops of joints,
 * islands; then all of these for a step. */

#include "solve.h"


/* ---- Layers ---------------------------------------------------------------
 * Stack heights and layers, section 4 of the paper.  The height of a body is
 * the number of contacts and joints on the shortest path to a body that does
 * not move.  Layer k has the bodies of height k + 1, their contacts with bodies
 * of height k, and those among themselves.  Bodies without such a path float:
 * they are the last layer, number layer_count. */

bool vsp__is_moved(const vsp_world *world, uint32_t body)
{
    return world->height[body] > 0;
}

/* height - 1, layer_count if it floats, VSP__NO_LAYER if it does not move */
static uint16_t body_layer(const vsp_world *world, uint32_t body)
{
    uint32_t height = world->height[body];

    return (uint16_t)(height == 0                ? VSP__NO_LAYER
                      : height == VSP__NO_HEIGHT ? world->layer_count
                                                 : height - 1u);
}

/* the layer of a contact or joint of two bodies, which is the layer of the
 * upper one */
static uint16_t layer_of(const vsp_world *world, const uint16_t *body)
{
    uint32_t upper = world->height[body[0]] > world->height[body[1]] ? 0 : 1;

    return body_layer(world, body[upper]);
}

/* Where keys of 16 bits are: in `rows` rows of `apart` bytes each, which begin
 * with `columns` keys. */
typedef struct key_table {
    const uint16_t *keys;
    uint32_t apart, columns, rows;
} key_table;

static const uint16_t *keys_of_row(const key_table *t, uint32_t i)
{
    return (const uint16_t *)(const void *)((const unsigned char *)t->keys +
                                            (size_t)i * t->apart);
}

/* Counting sort, stable: lists the indices of rows by key.  Those of key k
 * become order[first[k]] to order[first[k + 1] - 1]; VSP__NO_LAYER is no
 * key. */
static inline void list_by_key(const key_table *t, uint32_t keys,
                               vsp__link *first, uint16_t *order)
{
    uint32_t sum = 0, i, k;

    for (i = 0; i <= keys; i++)
        first[i] = 0;
    for (i = 0; i < t->rows; i++)
        for (k = 0; k < t->columns; k++)
            if (keys_of_row(t, i)[k] != VSP__NO_LAYER)
                first[keys_of_row(t, i)[k]]++;
    for (i = 0; i <= keys; i++) { /* counts become ends */
        sum += first[i];
        first[i] = (vsp__link)sum;
    }
    for (i = t->rows; i-- > 0;) /* backwards: ends become starts */
        for (k = 0; k < t->columns; k++)
            if (keys_of_row(t, i)[k] != VSP__NO_LAYER)
                order[--first[keys_of_row(t, i)[k]]] = (uint16_t)i;
}

/* Lists items by layer; their layers are `apart` bytes apart. */
static void list_by_layer(const vsp_world *world, const uint16_t *layer,
                          uint32_t apart, uint32_t count, vsp__link *first,
                          uint16_t *order)
{
    key_table t = {layer, apart, 1, count};

    list_by_key(&t, world->layer_count + 1u, first, order);
}


/* ---- Heights --------------------------------------------------------------
 * A breadth-first search of the contact graph, from all bodies that do not
 * move. */

/* Builds the contact graph. */
void vsp__list_body_manifolds(vsp_world *world)
{
    key_table t = {world->manifolds->body, sizeof(vsp__manifold), 2,
                   world->contacts[VSP__CONTACTS_SOLVED].manifold_count};

    list_by_key(&t, world->body_limit, vsp__solve_of(world)->link_first,
                world->links);
}

/* Follows a contact or joint: gives an unreached body the height of `from`,
 * plus rise, and adds it to the queue.  Returns the new end of the queue. */
static uint32_t reach_body(vsp_world *world, uint32_t from, uint32_t other,
                           uint32_t rise, uint32_t tail)
{
    if (world->height[other] != VSP__NO_HEIGHT)
        return tail;
    world->height[other] = (uint16_t)(world->height[from] + rise);
    vsp__solve_of(world)->stack_order[tail] = (uint16_t)other;
    return tail + 1u;
}

/* follows all joints of a body */
static uint32_t reach_joined(vsp_world *world, uint32_t body, uint32_t rise,
                             uint32_t tail)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t link = pool->first[body];

    for (; link != 0; link = pool->next[link - 1u])
        tail = reach_body(world, body, vsp__joined_by(pool, link), rise, tail);
    return tail;
}

/* follows all contacts of a body */
static uint32_t reach_touched(vsp_world *world, uint32_t body, uint32_t tail)
{
    const vsp__link *first = vsp__solve_of(world)->link_first + body;
    uint32_t i;

    for (i = first[0]; i < first[1]; i++) {
        const uint16_t *ends = world->manifolds[world->links[i]].body;

        tail = reach_body(world, body, ends[ends[0] == body ? 1 : 0], 1, tail);
    }
    return tail;
}

/* The search.  Its queue is in the memory of stack_order, which is filled
 * later.  If are_joints_one, moved bodies that joints connect get one height:
 * that of the first one reached. */
static void find_heights(vsp_world *world, bool are_joints_one)
{
    uint16_t *queue = vsp__solve_of(world)->stack_order,
             *height = world->height;
    uint32_t i, head, tail = 0;

    for (i = 0; i < world->body_limit; i++) {
        height[i] = VSP__NO_HEIGHT;
        if (vsp__is_awake(world->bodies + i))
            continue;
        height[i] = 0;
        queue[tail++] = (uint16_t)i;
    }
    world->layer_count = 0;
    for (head = 0; head < tail; head++) {
        uint32_t body = queue[head], next = tail;

        world->layer_count = height[body];
        tail = reach_touched(world, body, tail);
        if (!VSP_JOINTS)
            continue;
        if (!are_joints_one || height[body] == 0)
            tail = reach_joined(world, body, 1, tail);
        for (; are_joints_one && next < tail; next++)
            tail = reach_joined(world, queue[next], 0, tail);
    }
}


/* ---- Colours --------------------------------------------------------------
 * Manifolds of one colour share no moved body, so lanes can sweep them at the
 * same time.  Colour 0 is the overflow: its manifolds may share bodies. */

/* Returns the highest colour that is free at the moved ones of two bodies, or 0
 * if none is free. */
static uint8_t take_colour(vsp_world *world, const uint16_t *body)
{
    uint32_t *used = vsp__problem_of(world)->position.start.colours.used;
    uint32_t taken = used[body[0]] | used[body[1]], k;
    uint32_t colour = VSP__COLOURS - 1u;

    for (; colour > 0 && taken >> (VSP__COLOURS - 1u); colour--)
        taken <<= 1;
    for (k = 0; k < 2; k++)
        if (vsp__is_moved(world, body[k]))
            used[body[k]] |= (uint32_t)1 << colour;
    return (uint8_t)colour;
}

/* Sorts manifolds, first to last - 1 of layer_order, by colour.  Colours are
 * assigned from the last manifold to the first, the highest colour first:
 * sweeps converge fastest in this order. */
static void sort_layer_by_colour(vsp_world *world, uint32_t list,
                                 uint32_t first, uint32_t last)
{
    const vsp__manifold *m = vsp__manifolds_of(world, list);
    vsp__colour_scratch *c = &vsp__problem_of(world)->position.start.colours;
    uint16_t *order = world->layer_order;
    uint32_t colour = VSP__COLOURS, i, k;

    for (i = first; i < last; i++)
        for (k = 0; k < 2; k++)
            c->used[m[order[i]].body[k]] = 0;
    for (i = last; i-- > first;) {
        c->order[i] = order[i];
        c->colour[i] = take_colour(world, m[order[i]].body);
        if (colour > c->colour[i])
            colour = c->colour[i];
    }
    for (k = first; k < last; colour++)
        for (i = first; i < last; i++)
            if (c->colour[i] == colour)
                order[k++] = c->order[i];
}

/* Whether the after list keeps the order of pairs for bodies that do not float:
 * with SUBSPACE, and in worlds with joints, where layers would leave larger
 * errors in piles of ragdolls. */
static bool is_sorted_by_pair(const vsp_world *world)
{
    return vsp__is_subspace(world) ||
           (VSP_JOINTS &&
            vsp__joint_pool_of(world)->layer_joints[world->layer_count + 1u] >
                0);
}

void vsp__sort_by_colour(vsp_world *world, uint32_t list)
{
    const vsp__link *first = vsp__solve_of(world)->layer_manifolds;
    uint32_t i = 0;

    if (list == VSP__CONTACTS_AFTER) {
        if (is_sorted_by_pair(world))
            return;
        i = 1;
    }
    for (; i <= world->layer_count; i++)
        if (first[i + 1u] - first[i] > 1)
            sort_layer_by_colour(world, list, first[i], first[i + 1u]);
}


/* ---- Manifolds and bodies ------------------------------------------------ */

/* Sets the layer of a manifold, and which of its bodies is the lower one. */
static void find_manifold_layer(const vsp_world *world, vsp__manifold *m)
{
    uint32_t a = world->height[m->body[0]], b = world->height[m->body[1]];

    m->flags &= VSP__TOUCHED_BEFORE | VSP__SEAM | VSP__ROLLS;
    if (VSP_CARRY)
        m->flags |= a < b ? 1u : b < a ? 2u : 0;
    m->layer = layer_of(world, m->body);
}

void vsp__sort_manifolds(vsp_world *world, uint32_t list)
{
    uint32_t count = world->contacts[list].manifold_count, i;
    vsp__manifold *m = vsp__manifolds_of(world, list);
    bool is_one = list == VSP__CONTACTS_AFTER && is_sorted_by_pair(world);

    vsp__forget_levels(world);
    for (i = 0; i < count; i++) {
        find_manifold_layer(world, &m[i]);
        if (list == VSP__CONTACTS_AFTER)
            m[i].layer = m[i].layer == world->layer_count
                             ? 0
                             : (uint16_t)(is_one ? 1u : m[i].layer + 1u);
    }
    list_by_layer(world, &m->layer, sizeof *m, count,
                  vsp__solve_of(world)->layer_manifolds, world->layer_order);
}

/* Sorts the bodies and the manifolds of the solved list by layer. */
static void sort_bodies_and_manifolds(vsp_world *world)
{
    uint16_t *layer = world->island; /* free until islands are found */
    vsp__solver_scratch *solve = vsp__solve_of(world);
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        layer[i] = body_layer(world, i);
    list_by_layer(world, layer, sizeof *layer, world->body_limit,
                  solve->layer_bodies, solve->stack_order);
    vsp__sort_manifolds(world, VSP__CONTACTS_SOLVED);
}


/* ---- Joints -------------------------------------------------------------- */

#if VSP_JOINTS

/* How many paths of joints connect a body to bodies that do not move. */
enum {
    HELD_BY_NONE,
    HELD_BY_ONE, /* also if it does not move itself */
    HELD_BY_TWO  /* or more */
};

/* Returns the counters of paths of a joint's two bodies in held[], the lower
 * body's first; place is the joint's index in the pool's order.  Returns
 * whether both bodies have the same height. */
static bool find_joint_ends(vsp_world *world, uint32_t place, uint16_t *held[2])
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const uint16_t *body = pool->joints[pool->order[place]].body;
    uint32_t a = world->height[body[0]], b = world->height[body[1]];

    held[a < b ? 0 : 1] = world->island + body[0]; /* free until islands */
    held[a < b ? 1 : 0] = world->island + body[1];
    return a == b;
}

/* Counts paths along the joints between two heights or, if is_level, within one
 * height.  Joints within a height are counted last, when all paths from below
 * are counted. */
static void find_held(vsp_world *world, uint32_t count, bool is_level)
{
    uint16_t *held[2];
    uint32_t i;

    for (i = 0; i < count; i++) {
        if (find_joint_ends(world, i, held) != is_level ||
            *held[0] == HELD_BY_NONE)
            continue;
        if (!is_level)
            *held[1] = *held[1] == HELD_BY_NONE ? HELD_BY_ONE : HELD_BY_TWO;
        else if (*held[1] != HELD_BY_NONE)
            *held[0] = *held[1] = HELD_BY_TWO;
    }
}

/* Marks the joints of loops, those on all paths from a loop down to bodies that
 * do not move, and those of taut ranges and webs.  If these were corrected
 * layer by layer, all error of a loop would gather at the joint that closes
 * it. */
static void find_loops(vsp_world *world, uint32_t count)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint16_t *held[2];
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        world->island[i] = world->height[i] == 0 ? HELD_BY_ONE : HELD_BY_NONE;
    find_held(world, count, false);
    find_held(world, count, true);
    for (i = count; i-- > 0;) { /* top down */
        uint16_t *used = &vsp__step_joints_of(pool)[pool->order[i]].used;

        *used = 0;
        find_joint_ends(world, i, held);
        if ((*held[1] != HELD_BY_TWO || *held[0] == HELD_BY_NONE) &&
            !(VSP_RANGES && vsp__is_spanned(world, pool->order[i])))
            continue;
        *used = VSP__IN_LOOP;
        *held[0] = HELD_BY_TWO;
    }
}

/* Sorts joints by layer, after find_heights. */
static void sort_joints(vsp_world *world)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *step_joints = vsp__step_joints_of(pool);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        step_joints[i].layer = VSP__NO_LAYER;
        if (vsp__is_holding(world, j))
            step_joints[i].layer = layer_of(world, j->body);
    }
    list_by_layer(world, &step_joints->layer, sizeof *step_joints, pool->limit,
                  pool->layer_joints, pool->order);
    find_loops(world, pool->layer_joints[world->layer_count + 1u]);
}

#else

static void sort_joints(vsp_world *world)
{
    (void)world;
}

#endif /* VSP_JOINTS */


/* ---- Islands ------------------------------------------------------------- */

/* Union-find: returns the root of a body's island; halves the path to it. */
static uint32_t island_root(uint16_t *island, uint32_t body)
{
    while (island[body] != body) {
        island[body] = island[island[body]];
        body = island[body];
    }
    return body;
}

/* Union-find: joins the islands of two bodies if both are moved.  The lower
 * root becomes the root of both. */
static void join_islands(vsp_world *world, const uint16_t *body)
{
    uint16_t *island = world->island;
    uint32_t a, b;

    if (!vsp__is_moved(world, body[0]) || !vsp__is_moved(world, body[1]))
        return;
    a = island_root(island, body[0]);
    b = island_root(island, body[1]);
    if (a < b)
        island[b] = (uint16_t)a;
    else
        island[a] = (uint16_t)b;
}

/* Joins the islands of bodies that a joint connects. */
static void join_joints(vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, count = pool->layer_joints[world->layer_count + 1u];

    for (i = 0; i < count; i++)
        join_islands(world, pool->joints[pool->order[i]].body);
}

/* Finds the connected components of moved bodies in the graph of contacts and
 * joints.  island[body] is the lowest body of its island. */
static void find_islands(vsp_world *world)
{
    uint16_t *island = world->island;
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        island[i] = (uint16_t)i;
    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++)
        join_islands(world, world->manifolds[i].body);
    if (VSP_JOINTS)
        join_joints(world);
    for (i = 0; i < world->body_limit; i++)
        island[i] = (uint16_t)island_root(island, i);
}


/* ---- The stack of a step ------------------------------------------------- */

void vsp__build_stack(vsp_world *world, bool are_joints_one)
{
    const vsp__v3 *gravity = &world->params.gravity;

    world->gravity_speed = r_max(
        u_mul(vsp__square_root(v3_product_at(gravity, gravity)),
              world->params.dt),
        VSP__RATE(0.001));
    vsp__list_body_manifolds(world);
    find_heights(world, are_joints_one);
    sort_bodies_and_manifolds(world);
    vsp__sort_by_colour(world, VSP__CONTACTS_SOLVED);
    if (VSP_JOINTS)
        sort_joints(world);
    if (VSP_CARRY || VSP_SLEEP || VSP_SUBSPACE || VSP_JOINTS)
        find_islands(world);
    world->stats.layer_count = world->layer_count;
}

/* Uses the number of its island, from 1, as the height of a body, so a solve of
 * that layer moves all its bodies.  Manifolds stay in the order of pairs,
 * without colours: only then does a heavy box on small ones come to rest. */
void vsp__sort_islands(vsp_world *world)
{
    const uint16_t *island = world->island;
    uint32_t count = 0, i;

    if (!VSP_SUBSPACE)
        return;
    for (i = 0; i < world->body_limit; i++) {
        if (!vsp__is_moved(world, i))
            continue;
        world->height[i] = island[i] == i ? (uint16_t)++count
                                          : world->height[island[i]];
    }
    world->layer_count = count > 0 ? count - 1u : 0;
    sort_bodies_and_manifolds(world);
    if (VSP_JOINTS)
        sort_joints(world);
    world->stats.layer_count = world->layer_count;
}
