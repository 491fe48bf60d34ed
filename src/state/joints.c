/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The pool of joints, then one joint: its flags, its bodies, its impulses. */

#include "state.h"

#if VSP_JOINTS


/* ---- The pool ------------------------------------------------------------ */

#if VSP_UNIONS
static void forget_unions(vsp_world *world)
{
    vsp__unions_of(world)->is_joined = 0;
}
#else
static void forget_unions(vsp_world *world)
{
    (void)world;
}
#endif

void vsp__clear_joints(vsp_world *world)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);

    pool->limit = pool->used = pool->free = 0;
    vsp__zero_bytes(pool->joints, sizeof pool->joints);
    forget_unions(world);
}

void vsp__recount_joints(vsp_world *world)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    world->stats.joint_count = pool->free = pool->limit = 0;
    for (i = 0; i < pool->used; i++)
        if (pool->joints[i].type != 0) {
            pool->limit = i + 1u;
            vsp__count_up(&world->stats.joint_count, &world->stats.joint_high);
        }
}

uint32_t vsp__joint_id_at(const vsp__joint_pool *pool, uint32_t slot)
{
    return vsp__id_at(pool->joints, sizeof(vsp__joint), pool->limit, slot);
}

#if VSP_UNIONS

vsp__unions *vsp__unions_of(const vsp_world *world)
{
    return (vsp__unions *)(void *)vsp__joint_pool_of(world)->unions;
}

/* Whether a joint connects the owners of two shapes themselves, not other
 * bodies of their unions. */
static bool joins_owners(const vsp_world *world, uint32_t slot,
                         const vsp__shape *a, const vsp__shape *b)
{
    const vsp__unions *u = vsp__unions_of(world);
    const uint16_t *ends = u->ends[slot].body;
    uint32_t own[2] = {a->body, b->body};

    if (!u->is_joined)
        return true;
    if (u->root[a->body] != 0)
        own[0] = u->home[a - world->shapes].body;
    if (u->root[b->body] != 0)
        own[1] = u->home[b - world->shapes].body;
    return (ends[0] == own[0] && ends[1] == own[1]) ||
           (ends[0] == own[1] && ends[1] == own[0]);
}

#else

static bool joins_owners(const vsp_world *world, uint32_t slot,
                         const vsp__shape *a, const vsp__shape *b)
{
    (void)world;
    (void)slot;
    (void)a;
    (void)b;
    return true;
}

#endif /* VSP_UNIONS */

bool vsp__are_joined(const vsp_world *world, const vsp__shape *a,
                     const vsp__shape *b, uint32_t *left)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t link;

    if (!vsp__is_dynamic(world->bodies + a->body)) { /* may have many joints */
        const vsp__shape *other = a;

        a = b;
        b = other;
    }
    for (link = pool->first[a->body]; link != 0; link = pool->next[link - 1u]) {
        if (*left > 1)
            --*left;
        if (vsp__joined_by(pool, link) == b->body &&
            !(pool->joints[(link - 1u) / 2].flags & VSP__JOINT_COLLIDES) &&
            joins_owners(world, (link - 1u) / 2, a, b))
            return true;
    }
    return false;
}


/* ---- One joint ----------------------------------------------------------- */

/* Whether a joint has no effect because a body is disabled, or no body has been
 * dynamic since a change of type. */
static bool is_idle(const vsp_world *world, const vsp__joint *j)
{
    uint32_t a = world->bodies[j->body[0]].type;
    uint32_t b = world->bodies[j->body[1]].type;

    return ((a | b) & VSP__DISABLED) != 0 ||
           (a != (uint32_t)VSP_DYNAMIC + 1u && b != (uint32_t)VSP_DYNAMIC + 1u);
}

bool vsp__is_holding(const vsp_world *world, const vsp__joint *j)
{
    return j->type != 0 &&
           !(j->flags & (VSP__JOINT_BROKEN | VSP__JOINT_IN_UNION)) &&
           !(VSP_EDITS && is_idle(world, j));
}

void vsp__set_flag(vsp__joint *j, uint32_t flag, bool is_set)
{
    j->flags = (uint8_t)((j->flags & ~flag) | (is_set ? flag : 0u));
}

void vsp__wake_joint_bodies(vsp_world *world, const vsp__joint *j)
{
    if (!VSP_SLEEP)
        return;
    vsp__wake_body(world, j->body[0]);
    vsp__wake_body(world, j->body[1]);
}

uint32_t vsp__axes_of(const vsp__joint *j, vsp__axis_use use)
{
    uint32_t shift = 3u * (uint32_t)use;
    uint32_t slides = (uint32_t)r_to_int(j->hertz) >> shift & 7u;

    return slides | ((uint32_t)r_to_int(j->ratio) >> shift & 7u) << 3;
}

uint32_t vsp__motor_axis(const vsp__joint *j)
{
    uint32_t both, k;

    if (!VSP_DRIVES || j->type != VSP_JOINT_AXES)
        return j->type == VSP_JOINT_HINGE ? VSP__ROW_TURN_X : VSP__ROW_X;
    both = vsp__axes_of(j, VSP__AXES_LIMITED) &
           vsp__axes_of(j, VSP__AXES_DRIVEN);
    for (k = 0; k < 5 && !(both >> k & 1u);)
        k++;
    return k;
}

void vsp__find_whole_impulses(const vsp__joint *j, vsp__wide *whole)
{
    uint32_t k;

    for (k = 0; k < VSP__JOINT_ROWS; k++)
        whole[k] =
            VSP_SHOCK
                ? w_add(j->impulse[k],
                        j->impulse[VSP__JOINT_IMPULSES - VSP__JOINT_ROWS + k])
                : j->impulse[k];
}

void vsp__sum_impulses(const vsp__joint *j, const vsp__wide *impulse,
                       bool is_turn, vsp__wide sum[3])
{
    uint32_t first = is_turn ? VSP__ROW_TURN_X : VSP__ROW_X, k;

    if (vsp__is_rope(j)) {
        sum[0] = sum[1] = sum[2] = VSP__W_ZERO;
        for (k = VSP__ROW_ROPE; !is_turn && k <= VSP__ROW_ROPE_B; k += 2)
            sum[0] = w_add(sum[0], impulse[k]);
        return;
    }
    for (k = 0; k < 3; k++)
        sum[k] = impulse[first + k];
    if ((vsp__motor_axis(j) >= VSP__ROW_TURN_X) == is_turn)
        sum[vsp__motor_axis(j) % 3u] = w_add(sum[vsp__motor_axis(j) % 3u],
                                             impulse[VSP__ROW_MOTOR]);
}

/* Largest square of the arm of a pivot, over the body's inertia about the arm:
 * a thinner body turns too fast about it to be integrated. */
#define MAX_PIVOT_ARM VSP__REAL(6.0)

/* Whether a pivot's arm is short enough. */
static bool is_short_arm(const vsp__sym3 *inertia, const vsp__v3 *arm)
{
    vsp__num length = v3_length_at(arm);
    vsp__v3 way = *arm;

    if (!(length > 0) || length > VSP__REAL(100.0))
        return false;
    vsp__v3_normalize_by(&way, length);
    return w_less(
        w_of_square(r_square(length)),
        w_mul(w_of_real(MAX_PIVOT_ARM), vsp__s3_along(inertia, &way)));
}

bool vsp__find_pivot(const vsp_world *world, uint32_t body, vsp__v3 *arm)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const vsp__body *b = world->bodies + body;
    uint32_t link = pool->first[body]; /* + 1 */
    const vsp__joint *j;

    if (link == 0 || pool->next[link - 1u] != 0 || !vsp__is_dynamic(b) ||
        (b->flags & (VSP__ALL_LOCKS | VSP__BULLET)) ||
        b->max_speed != rate_read(VSP_MAX_SPEED))
        return false;
    j = pool->joints + (link - 1u) / 2;
    if (j->type != (uint32_t)VSP_JOINT_BALL ||
        w_less(VSP__W_ZERO, j->break_impulse) ||
        w_less(VSP__W_ZERO, j->break_turn) ||
        vsp__is_dynamic(world->bodies + j->body[link % 2]))
        return false;
    *arm = j->frame[(link - 1u) % 2].position;
    v3_sub_in(arm, &b->mass_data.center);
    return is_short_arm(&b->mass_data.inertia, arm);
}

#if VSP_DRIVES

/* Whether a joint holds a point, and a spring turns about each axis that the
 * joint leaves free. */
static bool is_sprung_turn(const vsp__joint *j)
{
    uint32_t driven;

    if ((j->flags & VSP__JOINT_MOTOR) == 0 || !(j->break_angle > 0))
        return false;
    if (j->type != VSP_JOINT_AXES)
        return j->type == VSP_JOINT_HINGE;
    driven = vsp__axes_of(j, VSP__AXES_DRIVEN);
    return driven >= VSP_LOCK_TURN_X && driven % VSP_LOCK_TURN_X == 0 &&
           (vsp__axes_of(j, VSP__AXES_LOCKED) | driven) == 63u;
}

bool vsp__is_sprung(const vsp_world *world, uint32_t body)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t link = pool->first[body]; /* + 1 */
    const vsp__joint *j;

    if (link == 0 || pool->next[link - 1u] != 0)
        return false;
    j = pool->joints + (link - 1u) / 2;
    return is_sprung_turn(j) &&
           !vsp__is_dynamic(world->bodies + j->body[link % 2]);
}

#endif

#endif /* VSP_JOINTS */
