/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sleep: a step skips bodies at rest until something wakes them.  In this
 * order: bodies that API calls wake; bodies that contacts wake; calm bodies and
 * islands that fall asleep.
 *
 * Optional: VSP_SLEEP.  No awake body touches a sleeping one in a solve:
 * contacts are detected first, then whole islands are woken, so momentum is
 * transmitted as without sleep.  Sleep depends on the state alone: flags of
 * bodies, warm records, poses. */

#include "step.h"

#if VSP_SLEEP


/* ---- Bodies that calls wake ------------------------------------------------
 * An API call wakes the body it changes and, if this body may support others,
 * all bodies whose bounds are near, whether they touch it or not.  The next
 * step wakes the bodies that these touch. */

/* Whether a shape's bounds are near the bounds of one of a body's shapes that
 * are not sensors. */
static bool is_near_body(const vsp_world *world, uint32_t shape, uint32_t body)
{
    uint32_t own = world->bodies[body].first_shape;

    for (; own != 0; own = world->shapes[own - 1u].next_shape)
        if (!(world->shapes[own - 1u].rules & VSP__SENSOR) &&
            vsp__are_bounds_near(world, own - 1u, shape))
            return true;
    return false;
}

static void wake_jointed_bodies(vsp_world *world, uint32_t body)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = &pool->joints[i];

        if (j->type == 0 || (j->body[0] != body && j->body[1] != body))
            continue;
        vsp__wake_body(world, j->body[0]);
        vsp__wake_body(world, j->body[1]);
    }
}

/* Whether a body has a rigid joint: then a call that moves the body may move a
 * whole union. */
static bool is_held_rigidly(const vsp_world *world, uint32_t body)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++)
        if ((pool->joints[i].flags & VSP__JOINT_RIGID) &&
            (pool->joints[i].body[0] == body ||
             pool->joints[i].body[1] == body))
            return true;
    return false;
}

void vsp__wake_near_body(vsp_world *world, uint32_t body)
{
    uint32_t i;

    if (!world->params.sleep)
        return;
    if (VSP_UNIONS && is_held_rigidly(world, body)) {
        vsp__wake_all_bodies(world);
        return;
    }
    vsp__wake_body(world, body);
    if (VSP_JOINTS)
        wake_jointed_bodies(world, body);
    for (i = 0; i < world->shape_limit; i++) {
        uint32_t owner = world->shapes[i].body;

        if (world->shapes[i].type == VSP_SHAPE_NONE ||
            !vsp__is_asleep(&world->bodies[owner]))
            continue;
        if (is_near_body(world, i, body))
            vsp__wake_body(world, owner);
    }
}

void vsp__wake_all_bodies(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        vsp__wake_body(world, i);
}


/* ---- Bodies that contacts wake ------------------------------------------- */

/* Whether a body wakes the bodies that it touches. */
static bool wakes_others(const vsp__body *b)
{
    return vsp__is_awake(b) || vsp__is_moving_kinematic(b);
}

/* Whether this step must report that pairs end, because a call has disabled a
 * body or changed its type.  If nothing but the begin of this step has changed
 * the world since a step at rest, there was no such call, and nothing is
 * searched. */
static bool has_ended_pairs(const vsp_world *world)
{
    uint32_t i;

    if (!VSP_EDITS || world->changes == world->rested + 1u)
        return false;
    for (i = 0; i < world->warm_count; i++)
        if (!vsp__is_sleeping_pair(world, world->problem.between.warm + i))
            return true;
    return world->sensed_count > 0;
}

bool vsp__is_all_at_rest(const vsp_world *world)
{
    uint32_t i;

    if (!world->params.sleep)
        return false;
    for (i = 0; i < world->body_limit; i++)
        if (wakes_others(&world->bodies[i]))
            return false;
    for (i = 0; i < world->shape_limit; i++) /* a change may put a body into a
                                                sensor */
        if ((world->shapes[i].rules & VSP__SENSOR) &&
            vsp__is_present(world, world->shapes + i))
            return false;
    return !has_ended_pairs(world);
}

static uint32_t count_sleeping_records(const vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < world->warm_count; i++)
        if (vsp__is_sleeping_pair(world, &world->problem.between.warm[i]))
            count++;
    return count;
}

/* Detects the contacts of the pairs in a scope, for the solved list.  Sleeping
 * pairs that it leaves out keep their warm records, each in the memory of one
 * point. */
static void detect_in_scope(vsp_world *world, vsp__pair_scope scope)
{
    world->pair_scope = scope;
    world->sleeping_record_count = scope == VSP__PAIRS_ALL
                                       ? 0
                                       : count_sleeping_records(world);
    vsp__detect_contacts(world, VSP__CONTACTS_SOLVED);
}

/* Wakes a sleeping dynamic body and adds it to the queue of wake_reached.
 * Returns the new end of the queue. */
static uint32_t wake_and_enqueue(vsp_world *world, uint32_t body, uint32_t tail)
{
    if (!vsp__is_asleep(&world->bodies[body]) ||
        !vsp__is_dynamic(&world->bodies[body]))
        return tail;
    vsp__wake_body(world, body);
    if (VSP_EVENTS)
        vsp__report_sleep(world, body, false);
    vsp__solve_of(world)->stack_order[tail] = (uint16_t)body;
    return tail + 1u;
}

/* Wakes all bodies that are joined to one, and queues them. */
static uint32_t wake_joined_bodies(vsp_world *world, uint32_t body,
                                   uint32_t tail)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t link = pool->first[body];

    for (; link != 0; link = pool->next[link - 1u])
        tail = wake_and_enqueue(world, vsp__joined_by(pool, link), tail);
    return tail;
}

/* Wakes every sleeping body that a breadth-first search over dynamic bodies,
 * along manifolds of the solved list and joints, reaches from a body that wakes
 * others.  Returns whether any body was asleep. */
static bool wake_reached(vsp_world *world)
{
    const vsp__link *first = vsp__solve_of(world)->link_first;
    uint16_t *queue = vsp__solve_of(world)->stack_order; /* not yet in use */
    uint32_t head, tail = 0, roots, i;

    vsp__list_body_manifolds(world);
    for (i = 0; i < world->body_limit; i++)
        if (wakes_others(&world->bodies[i]))
            queue[tail++] = (uint16_t)i;
    roots = tail;
    for (head = 0; head < tail; head++) {
        uint32_t body = queue[head];

        for (i = first[body]; i < first[body + 1]; i++) {
            const vsp__manifold *m = &world->manifolds[world->links[i]];

            tail = wake_and_enqueue(world, m->body[m->body[0] == body ? 1 : 0],
                                    tail);
        }
        if (VSP_JOINTS)
            tail = wake_joined_bodies(world, body, tail);
    }
    return tail > roots;
}

static void wake_all_sleepers(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (vsp__is_asleep(&world->bodies[i])) {
            vsp__wake_body(world, i);
            if (VSP_EVENTS)
                vsp__report_sleep(world, i, false);
        }
}

/* most rounds of detection; after these all bodies wake */
#define MAX_WAKE_ROUNDS 2u

/* A round detects the contacts of awake bodies.  If they touch a sleeping body,
 * it detects all contacts to find the island of this body, and wakes the
 * island.  There are two rounds at most; the second wakes no body, unless
 * contacts were dropped.  The last detection contains all contacts, so no other
 * is needed for bodies that wake after it. */
void vsp__detect_and_wake(vsp_world *world)
{
    uint32_t i;

    world->pair_scope = VSP__PAIRS_AWAKE;
    world->sleeping_record_count = 0;
    if (!vsp__is_any_asleep(world)) {
        vsp__detect_contacts(world, VSP__CONTACTS_SOLVED);
        return;
    }
    for (i = 0; i < MAX_WAKE_ROUNDS; i++) {
        detect_in_scope(world, VSP__PAIRS_TOUCHED);
        if (!wake_reached(world))
            break;
        detect_in_scope(world, VSP__PAIRS_ALL);
        (void)wake_reached(world);
    }
    if (i == MAX_WAKE_ROUNDS) {
        world->stats.spent |= VSP_SPENT_WAKES;
        wake_all_sleepers(world);
    }
    world->pair_scope = VSP__PAIRS_AWAKE;
}


/* ---- Falling asleep --------------------------------------------------------
 * A slow body need not be at rest: a body that begins to slide, roll or tip is
 * slow for a while.  So the limit of speed depends on the weakest pull that
 * must wake a body, VSP__LEAST_PULL of gravity: a body is calm below the speed
 * that this pull adds in sleep_time.  A body that is pulled harder exceeds that
 * speed before sleep_time is over. */

/* how a step counts calm bodies */
typedef struct calm_rule {
    uint32_t parts;      /* of VSP__CALM_PARTS in sleep_time: added by this
                            step */
    vsp__num time;       /* sleep_time, two steps at least: s, a real */
    vsp__square fastest; /* sleep_speed squared, (m/s)^2 */
} calm_rule;

/* Returns sleep_time in steps, at least two: a body thrown up has no speed in
 * one step.  Exact to a thousandth, as the last 6 bits of dt are dropped. */
static uint32_t calm_steps(const vsp__params *p)
{
    int32_t part = u_to_places(u_div(p->sleep_time, VSP__REAL(64.0)));
    uint32_t steps = (uint32_t)part / ((uint32_t)u_to_places(p->dt) >> 6);

    return steps > 2u ? steps : 2u;
}

/* The tick determines how many parts a step adds, because a part may last many
 * steps, or a step many parts. */
static void set_calm_rule(const vsp_world *world, calm_rule *rule)
{
    const vsp__params *p = &world->params;
    uint32_t steps = calm_steps(p), now = p->tick % steps;
    vsp__num dt = r_of_unit(p->dt);

    rule->parts = (now + 1u) * VSP__CALM_PARTS / steps -
                  now * VSP__CALM_PARTS / steps;
    rule->time = r_max(p->sleep_time, r_add(dt, dt));
    rule->fastest = r_square(p->sleep_speed);
}

/* Whether a body without support and without gravity may count as calm: it may
 * not if it could drift for ever. */
static bool may_float(const vsp__body *b)
{
    return (b->linear_damping > 0 && b->angular_damping > 0) ||
           vsp__is_at_rest(b);
}

/* Whether a body is calm in this step. */
static bool is_calm(const vsp_world *world, const calm_rule *rule,
                    uint32_t body)
{
    const vsp__body *b = &world->bodies[body];
    vsp__square limit = rule->fastest, slow;
    vsp__v3 pull;
    bool is_pulled;

    vsp__body_gravity(world, b, &pull);
    is_pulled = !vsp__are_three_zero(&pull.x);
    if ((b->flags & VSP__SLEEPLESS) ||
        (world->height[body] == VSP__NO_HEIGHT && (is_pulled || !may_float(b))))
        return false;
    if (is_pulled) {
        u3_scale_in(&pull, VSP__LEAST_PULL);
        v3_scale_in(&pull, rule->time);
        vsp__flush_each(&pull, 3);
        slow = v3_square(pull);
        limit = slow < limit ? slow : limit;
    }
    return vsp__specific_energy(b) < limit;
}

/* Counts the calm parts of all awake bodies. */
static void update_calm(vsp_world *world)
{
    calm_rule rule;
    uint32_t i;

    set_calm_rule(world, &rule);
    for (i = 0; i < world->body_limit; i++) {
        vsp__body *b = &world->bodies[i];
        uint32_t parts = vsp__calm_parts(b) + rule.parts;

        if (!vsp__is_awake(b))
            continue;
        if (!is_calm(world, &rule, i))
            parts = 0;
        vsp__set_calm_parts(b,
                            parts < VSP__CALM_PARTS ? parts : VSP__CALM_PARTS);
    }
}

/* Restarts the calm time of two bodies if a belt or motor drives them, or if
 * one of them is kinematic and moves. */
static void reset_calm(vsp_world *world, const uint16_t *body, bool is_driven)
{
    vsp__body *a = &world->bodies[body[0]], *b = &world->bodies[body[1]];

    if (!is_driven && !vsp__is_moving_kinematic(a) &&
        !vsp__is_moving_kinematic(b))
        return;
    vsp__set_calm_parts(a, 0);
    vsp__set_calm_parts(b, 0);
}

static void reset_calm_of_touched(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];

        reset_calm(world, m->body, vsp__touches_belt(world, m));
    }
}

/* Whether a motor drives its bodies: one without a target, or a SERVO on its
 * way, whose bodies move at half its speed or more relative to each other. */
static bool is_driving(const vsp_world *world, const vsp__joint *j)
{
    const vsp__body *a = &world->bodies[j->body[0]];
    const vsp__body *b = &world->bodies[j->body[1]];
    vsp__square limit = r_square(u_mul(VSP__UNIT(0.5), j->motor_speed));
    vsp__v3 way, turn;

    if (!(j->flags & VSP__JOINT_MOTOR) || j->motor_speed == 0)
        return false;
    if (!VSP_DRIVES || !vsp__has_target(j))
        return true;
    if (j->break_angle != VSP__SERVO_HERTZ)
        return false;
    v3_sub_to(&b->velocity, &a->velocity, &way);
    v3_sub_to(&b->spin, &a->spin, &turn);
    return v3_product_at(&way, &way) > limit ||
           v3_product_at(&turn, &turn) > limit;
}

static void reset_calm_of_joined(vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < pool->layer_joints[world->layer_count + 1u]; i++) {
        const vsp__joint *j = &pool->joints[pool->order[i]];

        reset_calm(world, j->body, is_driving(world, j));
    }
}

/* Stored for an island's lowest body if the island stays awake, because one of
 * its bodies was not calm for long enough. */
#define NO_ISLAND 0xffffu

void vsp__update_sleep(vsp_world *world)
{
    uint16_t *island = world->island; /* its last use in the step */
    uint32_t i;

    if (!world->params.sleep)
        return;
    update_calm(world);
    reset_calm_of_touched(world);
    if (VSP_JOINTS)
        reset_calm_of_joined(world);
    for (i = 0; i < world->body_limit; i++)
        if (island[i] != NO_ISLAND &&
            vsp__calm_parts(&world->bodies[i]) < VSP__CALM_PARTS)
            island[island[i]] = NO_ISLAND;
    for (i = 0; i < world->body_limit; i++)
        if (vsp__is_awake(&world->bodies[i]) && island[i] != NO_ISLAND &&
            island[island[i]] != NO_ISLAND) {
            vsp__fall_asleep(world, i);
            if (VSP_EVENTS)
                vsp__report_sleep(world, i, true);
        }
}

#else

void vsp__wake_near_body(vsp_world *world, uint32_t body)
{
    (void)world;
    (void)body;
}

#endif /* VSP_SLEEP */
