/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Sleep: bodies at rest are left out of the step until something happens to
 * them.  In this order: falling asleep and waking up; what calls wake;
 * contacts, and whom they wake; who is calm, and which islands fall asleep.
 *
 * Optional: VSP_SLEEP.  A body that sleeps is as good as static to those that
 * are awake, and nobody awake ever touches one in a solve: contacts are found
 * first, then whole islands are woken, so momentum goes where it would have
 * gone.  All follows from the state: flags of bodies, warm records, poses. */

#include "vsp_internal.h"


/* ---- One body ------------------------------------------------------------ */

#define LASTING_FLAGS (VSP__ASLEEP - 1u)

static uint32_t calm_parts(const vsp__body *b)
{
    return (uint32_t)b->flags >> VSP__CALM_SHIFT;
}

static void set_calm_parts(vsp__body *b, uint32_t parts)
{
    b->flags = (uint16_t)((b->flags & (LASTING_FLAGS | VSP__ASLEEP)) |
                          parts << VSP__CALM_SHIFT);
}

bool vsp__is_mover(const vsp__body *b)
{
    return b->type == (uint32_t)VSP_KINEMATIC + 1u && !vsp__is_at_rest(b);
}

void vsp__fall_asleep(vsp_world *world, uint32_t body)
{
    vsp__body *b = &world->bodies[body];

    b->velocity = b->spin = v3_zero();
    b->flags = (uint16_t)((b->flags & LASTING_FLAGS) | VSP__ASLEEP);
}

void vsp__wake(vsp_world *world, uint32_t body)
{
    world->bodies[body].flags &= LASTING_FLAGS;
}


/* ---- What calls wake -----------------------------------------------------
 * A call wakes the body it is about and, where that may hold others, all that
 * are near: bounds tell, so that it makes no difference whether they touched.
 * The next step wakes what these touch. */

/* whether a shape may touch one of a body's */
static bool is_near_body(const vsp_world *world, uint32_t shape,
                         uint32_t body)
{
    uint32_t own = world->bodies[body].first_shape;

    for (; own != 0; own = world->shapes[own - 1u].next_shape)
        if (!(world->shapes[own - 1u].rules & VSP__SENSOR) &&
            vsp__are_near(world, own - 1u, shape))
            return true;
    return false;
}

static void disturb_joined(vsp_world *world, uint32_t body)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t i;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = &pool->joints[i];

        if (j->type == 0 || (j->body[0] != body && j->body[1] != body))
            continue;
        vsp__wake(world, j->body[0]);
        vsp__wake(world, j->body[1]);
    }
}

void vsp__disturb(vsp_world *world, uint32_t body)
{
    uint32_t i;

    if (!world->params.sleep)
        return;
    vsp__wake(world, body);
    if (VSP_JOINTS)
        disturb_joined(world, body);
    for (i = 0; i < world->shape_limit; i++) {
        uint32_t owner = world->shapes[i].body;

        if (world->shapes[i].type == VSP_SHAPE_NONE ||
            !vsp__is_asleep(&world->bodies[owner]))
            continue;
        if (is_near_body(world, i, body))
            vsp__wake(world, owner);
    }
}

void vsp__wake_all(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        vsp__wake(world, i);
}


/* ---- Contacts, and whom they wake ---------------------------------------- */

/* whether what a body touches has to be awake */
static bool rouses(const vsp__body *b)
{
    return vsp__is_awake(b) || vsp__is_mover(b);
}

bool vsp__is_quiet(const vsp_world *world)
{
    uint32_t i;

    if (!world->params.sleep)
        return false;
    for (i = 0; i < world->body_limit; i++)
        if (rouses(&world->bodies[i]))
            return false;
    for (i = 0; i < world->shape_limit; i++) /* others may be put in it */
        if (world->shapes[i].rules & VSP__SENSOR)
            return false;
    return true;
}

static bool any_sleeps(const vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (vsp__is_asleep(&world->bodies[i]))
            return true;
    return false;
}

bool vsp__is_kept(const vsp_world *world, const vsp__warm *warm)
{
    const vsp__body *a =
        &world->bodies[world->shapes[warm->pair >> 16].body];
    const vsp__body *b =
        &world->bodies[world->shapes[warm->pair & 0xffffu].body];

    return (vsp__is_asleep(a) || vsp__is_asleep(b)) && !vsp__is_awake(a) &&
           !vsp__is_awake(b);
}

static uint32_t count_kept(const vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < world->warm_count; i++)
        if (vsp__is_kept(world, &world->problem.between.warm[i]))
            count++;
    return count;
}

/* Fills list 0 with the contacts of some pairs.  Those that sleep keep their
 * records, which take the room of as many points. */
static void seek(vsp_world *world, vsp__sought sought)
{
    world->sought = sought;
    world->kept_count =
        sought == VSP__SEEK_ALL ? 0 : count_kept(world);
    vsp__detect(world, 0);
}

/* Wakes a body that sleeps, and whom it reaches is looked for, too. */
static uint32_t rouse(vsp_world *world, uint32_t body, uint32_t tail)
{
    if (!vsp__is_asleep(&world->bodies[body]) ||
        !vsp__is_dynamic(&world->bodies[body]))
        return tail;
    vsp__wake(world, body);
    if (VSP_EVENTS)
        vsp__report_sleep(world, body, false);
    world->work.solve.stack_order[tail] = (uint16_t)body;
    return tail + 1u;
}

static uint32_t rouse_joined(vsp_world *world, uint32_t body, uint32_t tail)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t link = pool->first[body];

    for (; link != 0; link = pool->next[link - 1u])
        tail = rouse(world, vsp__joined_by(pool, link), tail);
    return tail;
}

/* Wakes all that can be reached along list 0 and joints from something that
 * rouses, over bodies that can move.  Returns whether anybody slept. */
static bool wake_reached(vsp_world *world)
{
    const vsp__link *first = world->work.solve.link_first;
    uint16_t *queue = world->work.solve.stack_order; /* not yet in use */
    uint32_t head, tail = 0, roused, i;

    vsp__link_bodies(world);
    for (i = 0; i < world->body_limit; i++)
        if (rouses(&world->bodies[i]))
            queue[tail++] = (uint16_t)i;
    roused = tail;
    for (head = 0; head < tail; head++) {
        uint32_t body = queue[head];

        for (i = first[body]; i < first[body + 1]; i++) {
            const vsp__manifold *m = &world->manifolds[world->links[i]];

            tail = rouse(world, m->body[m->body[0] == body ? 1 : 0], tail);
        }
        if (VSP_JOINTS)
            tail = rouse_joined(world, body, tail);
    }
    return tail > roused;
}

/* A round finds what is awake, and whom it touches; if they slept, all
 * contacts there are tell their islands.  Each round but the last wakes
 * somebody, and the second is the last unless contacts were dropped. */
void vsp__detect_awake(vsp_world *world)
{
    uint32_t i;

    world->sought = VSP__SEEK_AWAKE;
    world->kept_count = 0;
    if (!any_sleeps(world)) {
        vsp__detect(world, 0);
        return;
    }
    for (i = 0; i <= world->body_limit; i++) {
        seek(world, VSP__SEEK_TOUCHED);
        if (!wake_reached(world))
            break;
        seek(world, VSP__SEEK_ALL);
        (void)wake_reached(world);
    }
    world->sought = VSP__SEEK_AWAKE;
}


/* ---- Falling asleep --------------------------------------------------------
 * Slow is not at rest: what begins to slide, roll or tip is slow for a while,
 * and its speed tells only in the course of time how hard it is pulled.  So
 * rest is measured against the pull that is to be noticed, VSP__PULL:
 * a body is calm below the speed that it would give in sleep_time.  What is
 * pulled harder gets faster than that before it has been calm for so long. */

/* how calm has to be counted */
typedef struct rest_rule {
    uint32_t parts;      /* of sleep_time, that this step is */
    vsp__real time;      /* s, a real */
    vsp__square fastest; /* sleep_speed, squared */
} rest_rule;

/* sleep_time in steps, at least two: what is thrown up has no speed for one.
 * Within a thousandth, as dt has its last 6 bits cut off. */
static uint32_t rest_steps(const vsp__params *p)
{
    int32_t part = u_to_places(u_div(p->sleep_time, VSP__R(64.0)));
    uint32_t steps = (uint32_t)part / ((uint32_t)u_to_places(p->dt) >> 6);

    return steps > 2u ? steps : 2u;
}

/* Parts go to steps by the tick, since many steps may share a part, or one
 * step be many. */
static void set_rest_rule(const vsp_world *world, rest_rule *rule)
{
    const vsp__params *p = &world->params;
    uint32_t steps = rest_steps(p), now = p->tick % steps;
    vsp__real dt = r_of_unit(p->dt);

    rule->parts = (now + 1u) * VSP__CALM_PARTS / steps -
                  now * VSP__CALM_PARTS / steps;
    rule->time = r_max(p->sleep_time, r_add(dt, dt));
    rule->fastest = r_square(p->sleep_speed);
}

/* what gravity does to a body, m/s^2: nothing where it is held against it */
static void body_gravity(const vsp_world *world, const vsp__body *b,
                         vsp__vec3 *pull)
{
    uint32_t k;

    *pull = world->params.gravity;
    v3_scale_in(pull, b->gravity_scale);
    for (k = 0; k < 3; k++)
        if (b->flags >> k & 1u)
            (&pull->x)[k] = 0;
}

/* v.v + w.I w: twice the energy of a kilogram */
static vsp__square liveliness(const vsp__body *b)
{
    vsp__mat3 axes;
    vsp__vec3 w, p;

    vsp__flushed_axes(b->rotation, &axes);
    vsp__tmul(&axes, &b->spin, &w);
    vsp__flush(&w, 3);
    s3_mul_to(&b->matter.inertia, &w, &p);
    vsp__flush(&p, 3);
    return square_add(v3_square(b->velocity), v3_product_at(&w, &p));
}

/* Whether a body that touches nothing that stays where it is, and at which
 * nothing pulls, may be taken to be at rest: not if it goes on for ever. */
static bool may_float(const vsp__body *b)
{
    return (b->linear_damping > 0 && b->angular_damping > 0) ||
           vsp__is_at_rest(b);
}

static bool is_calm(const vsp_world *world, const rest_rule *rule,
                    uint32_t body)
{
    const vsp__body *b = &world->bodies[body];
    vsp__square limit = rule->fastest, slow;
    vsp__vec3 pull;
    bool is_pulled;

    body_gravity(world, b, &pull);
    is_pulled = !vsp__are_zero(&pull.x, 3);
    if ((b->flags & VSP__SLEEPLESS) ||
        (world->height[body] == VSP__NO_HEIGHT &&
         (is_pulled || !may_float(b))))
        return false;
    if (is_pulled) {
        u3_scale_in(&pull, VSP__PULL);
        v3_scale_in(&pull, rule->time);
        vsp__flush(&pull, 3);
        slow = v3_square(pull);
        limit = slow < limit ? slow : limit;
    }
    return liveliness(b) < limit;
}

static void count_calm(vsp_world *world)
{
    rest_rule rule;
    uint32_t i;

    set_rest_rule(world, &rule);
    for (i = 0; i < world->body_limit; i++) {
        vsp__body *b = &world->bodies[i];
        uint32_t parts = calm_parts(b) + rule.parts;

        if (!vsp__is_awake(b))
            continue;
        if (!is_calm(world, &rule, i))
            parts = 0;
        set_calm_parts(b, parts < VSP__CALM_PARTS ? parts : VSP__CALM_PARTS);
    }
}

/* Two bodies are not calm if something stirs them, or one carries the other
 * along. */
static void stir(vsp_world *world, const uint16_t *body, bool is_stirred)
{
    vsp__body *a = &world->bodies[body[0]], *b = &world->bodies[body[1]];

    if (!is_stirred && !vsp__is_mover(a) && !vsp__is_mover(b))
        return;
    set_calm_parts(a, 0);
    set_calm_parts(b, 0);
}

static bool runs(const vsp_world *world, uint32_t shape)
{
    return !vsp__are_zero(&world->shapes[shape].surface.x, 3);
}

static void stir_touched(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->contacts[0].manifold_count; i++) {
        const vsp__manifold *m = &world->manifolds[i];

        stir(world, m->body,
             runs(world, m->shape[0]) || runs(world, m->shape[1]));
    }
}

static void stir_joined(vsp_world *world)
{
    const vsp__joints *pool = vsp__joints_of(world);
    uint32_t i;

    for (i = 0; i < pool->layer_joints[world->layer_count + 1u]; i++) {
        const vsp__joint *j = &pool->joints[pool->order[i]];

        stir(world, j->body,
             (j->flags & VSP__JOINT_MOTOR) && j->motor_speed != 0);
    }
}

#define NO_ISLAND 0xffffu /* in the place of an island's lowest body: one of
                             its bodies has not been calm for long enough */

void vsp__rest(vsp_world *world)
{
    uint16_t *island = world->island; /* of no use to anybody after this */
    uint32_t i;

    if (!world->params.sleep)
        return;
    count_calm(world);
    stir_touched(world);
    if (VSP_JOINTS)
        stir_joined(world);
    for (i = 0; i < world->body_limit; i++)
        if (island[i] != NO_ISLAND &&
            calm_parts(&world->bodies[i]) < VSP__CALM_PARTS)
            island[island[i]] = NO_ISLAND;
    for (i = 0; i < world->body_limit; i++)
        if (vsp__is_awake(&world->bodies[i]) && island[i] != NO_ISLAND &&
            island[island[i]] != NO_ISLAND) {
            vsp__fall_asleep(world, i);
            if (VSP_EVENTS)
                vsp__report_sleep(world, i, true);
        }
}
