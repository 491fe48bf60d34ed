/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Events of a step: shapes that begin, continue or cease to touch, hit each
 * other, or enter or leave a sensor; bodies that fall asleep, wake up, are
 * stopped or split off; joints that reach a limit or break.  In this order: the
 * list of events, sensors, contacts, hits.
 *
 * Events need no memory from step to step beyond the state: two shapes touched
 * in the step before if they have a warm record. */

#include "step.h"

#if VSP_EVENTS

#define NO_SHAPE 0xffffffffu


/* ---- The list ------------------------------------------------------------ */

void vsp__clear_events(vsp_world *world)
{
    world->event_count = 0;
}

#if VSP_PAIR_RULES
static void set_event_speed(vsp_event *event, vsp_real speed)
{
    event->speed = speed;
}
#else
static void set_event_speed(vsp_event *event, vsp_real speed)
{
    (void)event;
    (void)speed;
}
#endif

/* Adds an event of two shapes, or of none: then both are NO_SHAPE.  Returns
 * null if the list is full. */
static vsp_event *add_event(vsp_world *world, vsp_event_type type,
                            uint32_t first, uint32_t second, uint32_t contact)
{
    vsp_event *event;

    if (world->event_count == VSP_MAX_EVENTS) {
        world->stats.events_dropped++;
        return (vsp_event *)0;
    }
    event = world->events + world->event_count++;
    event->type = (uint32_t)type;
    event->contact = contact;
    event->shape_a.bits = vsp__shape_id_at(world, first);
    event->shape_b.bits = vsp__shape_id_at(world, second);
    event->body_a.bits = vsp__owner_id_of(world, first);
    event->body_b.bits = vsp__owner_id_of(world, second);
    event->joint.bits = 0;
    set_event_speed(event, 0);
    event->user_a = event->user_b = 0;
    if (first != NO_SHAPE) {
        event->user_a = world->shapes[first].user;
        event->user_b = world->shapes[second].user;
    }
    return event;
}

/* Adds an event of a body alone. */
static void report_body(vsp_world *world, vsp_event_type type, uint32_t body)
{
    vsp_event *event = add_event(world, type, NO_SHAPE, NO_SHAPE,
                                 VSP_NO_CONTACT);

    if (event != (vsp_event *)0)
        event->body_a.bits = vsp__body_id_at(world, body);
}

void vsp__report_sleep(vsp_world *world, uint32_t body, bool is_asleep)
{
    if (world->params.reports & VSP_REPORT_SLEEP)
        report_body(world, is_asleep ? VSP_EVENT_SLEEP : VSP_EVENT_WAKE, body);
}

#if VSP_SHELLS

void vsp__report_stop(vsp_world *world, uint32_t body)
{
    if (world->params.reports & VSP_REPORT_STOP)
        report_body(world, VSP_EVENT_STOP, body);
}

#endif

void vsp__report_joint(vsp_world *world, vsp_joint_id joint,
                       const vsp__joint *j, vsp_event_type type)
{
    vsp_event *event;

    if (!(world->params.reports & VSP_REPORT_JOINT))
        return;
    event = add_event(world, type, NO_SHAPE, NO_SHAPE, VSP_NO_CONTACT);
    if (event == (vsp_event *)0)
        return;
    event->joint = joint;
    event->body_a.bits = vsp__body_id_at(world, j->body[0]);
    event->body_b.bits = vsp__body_id_at(world, j->body[1]);
}

#if VSP_UNIONS

void vsp__report_split(vsp_world *world, uint32_t body, uint32_t root)
{
    vsp_event *event;

    if (!(world->params.reports & VSP_REPORT_JOINT))
        return;
    event = add_event(world, VSP_EVENT_SPLIT, NO_SHAPE, NO_SHAPE,
                      VSP_NO_CONTACT);
    if (event == (vsp_event *)0)
        return;
    event->body_a.bits = vsp__body_id_at(world, body);
    event->body_b.bits = vsp__body_id_at(world, root);
}

void vsp__name_event_bodies(vsp_world *world)
{
    const vsp__joint *joints = vsp__joint_pool_of(world)->joints;
    uint32_t i;

    for (i = 0; i < world->event_count; i++) {
        vsp_event *e = world->events + i;
        uint32_t a = vsp__slot_of_id(e->shape_a.bits),
                 b = vsp__slot_of_id(e->shape_b.bits),
                 j = vsp__slot_of_id(e->joint.bits);

        if (e->joint.bits != 0) {
            e->body_a.bits = vsp__body_id_at(world, joints[j].body[0]);
            e->body_b.bits = vsp__body_id_at(world, joints[j].body[1]);
        } else if (e->shape_a.bits != 0) {
            e->body_a.bits = vsp__owner_id_of(world, a);
            e->body_b.bits = vsp__owner_id_of(world, b);
        }
    }
}

#endif /* VSP_UNIONS */


/* ---- Sensors ---------------------------------------------------------------
 * Two sorted lists of pairs: those that were sensed before (sensed, which is
 * state), and those that the detection found now (sensing). */

bool vsp__is_sensor(const vsp_world *world, uint32_t shape)
{
    return (world->shapes[shape].rules & VSP__SENSOR) != 0;
}

static void report_sensed(vsp_world *world, vsp_event_type type, uint32_t pair)
{
    uint32_t a = pair >> 16, b = pair & 0xffffu;
    bool is_a = vsp__is_sensor(world, a);

    if (world->params.reports & VSP_REPORT_SENSOR)
        add_event(world, type, is_a ? a : b, is_a ? b : a, VSP_NO_CONTACT);
}

void vsp__update_sensors(vsp_world *world)
{
    uint32_t was = 0, now = 0, most = world->params.capacity.sensed;

    if (world->sensing_count > most) {
        world->stats.events_dropped += world->sensing_count - most;
        world->sensing_count = most;
    }
    while (was < world->sensed_count || now < world->sensing_count) {
        uint32_t old = was < world->sensed_count ? world->sensed[was]
                                                 : 0xffffffffu;
        uint32_t new = now < world->sensing_count ? world->sensing[now]
                                                  : 0xffffffffu;

        if (old != new)
            report_sensed(world, old < new ? VSP_EVENT_LEAVE : VSP_EVENT_ENTER,
                          old < new ? old : new);
        was += old <= new ? 1u : 0u;
        now += new <= old ? 1u : 0u;
    }
    for (now = 0; now < world->sensing_count; now++)
        world->sensed[now] = world->sensing[now];
    world->sensed_count = world->sensing_count;
}


/* ---- Contacts ------------------------------------------------------------ */

static uint32_t manifold_pair(const vsp_world *world, uint32_t manifold)
{
    return vsp__pair_key(world->manifolds + manifold);
}

/* Returns the index of the first manifold behind those of the same pair. */
static uint32_t next_pair(const vsp_world *world, uint32_t manifold)
{
    uint32_t pair = manifold_pair(world, manifold);

    while (manifold < world->contacts[VSP__CONTACTS_SOLVED].manifold_count &&
           manifold_pair(world, manifold) == pair)
        manifold++;
    return manifold;
}

VSP_STATIC_ASSERT(reports_are_types,
                  VSP_REPORT_BEGIN == 1u << (VSP_EVENT_BEGIN - 1) &&
                      VSP_REPORT_PERSIST == 1u << (VSP_EVENT_PERSIST - 1) &&
                      VSP_REPORT_END == 1u << (VSP_EVENT_END - 1));

static void report_contact(vsp_world *world, vsp_event_type type, uint32_t pair,
                           uint32_t contact)
{
    if (world->params.reports >> (type - VSP_EVENT_BEGIN) & 1u)
        add_event(world, type, pair >> 16, pair & 0xffffu, contact);
}

/* Walks over warm records and manifolds, both sorted by pair.  A pair without a
 * manifold no longer touches, unless the pair was left out, as one body is
 * asleep and the other is not awake. */
void vsp__mark_touched(vsp_world *world)
{
    const vsp__warm_record *warm = world->problem.between.warm;
    uint32_t i, m = 0, last = 0xffffffffu;

    if (world->params.reports == 0)
        return;
    for (i = 0; i < world->warm_count; i++) {
        uint32_t pair = warm[i].pair;

        if (pair == last)
            continue;
        last = pair;
        while (m < world->contacts[VSP__CONTACTS_SOLVED].manifold_count &&
               manifold_pair(world, m) < pair)
            m++;
        if (m < world->contacts[VSP__CONTACTS_SOLVED].manifold_count &&
            manifold_pair(world, m) == pair)
            world->manifolds[m].flags |= VSP__TOUCHED_BEFORE;
        else if (!VSP_SLEEP || !vsp__is_sleeping_pair(world, &warm[i]))
            report_contact(world, VSP_EVENT_END, pair, VSP_NO_CONTACT);
    }
}

/* Whether any point of manifolds first to last - 1 has a normal impulse or, if
 * counts_stored, will have a warm record.  The two differ under SHOCK, where
 * the load from above may tip a body off a point that its layer's solve used.
 */
static VSP__CALLED bool has_impulse(const vsp_world *world, uint32_t first,
                                    uint32_t last, bool counts_stored)
{
    uint32_t i, end;

    i = world->manifolds[first].first_point;
    end = world->manifolds[last - 1u].first_point +
          world->manifolds[last - 1u].point_count;
    for (; i < end; i++)
        if (w_less(VSP__W_ZERO, w_flush(*vsp__whole_impulse(world, i))) ||
            (counts_stored &&
             w_less(VSP__W_ZERO,
                    w_flush(world->points[i].multiplier.impulse[0]))))
            return true;
    return false;
}

void vsp__report_contacts(vsp_world *world)
{
    uint32_t m, next;

    if (world->params.reports == 0)
        return;
    for (m = 0; m < world->contacts[VSP__CONTACTS_SOLVED].manifold_count;
         m = next) {
        uint32_t pair = manifold_pair(world, m);
        bool was = (world->manifolds[m].flags & VSP__TOUCHED_BEFORE) != 0, is;

        next = next_pair(world, m);
        is = has_impulse(world, m, next, true);
        if (is || was)
            report_contact(world,
                           !is   ? VSP_EVENT_END
                           : was ? VSP_EVENT_PERSIST
                                 : VSP_EVENT_BEGIN,
                           pair, m);
    }
}


/* ---- Hits ------------------------------------------------------------------
 * They are added before the solve, which changes the velocities; those that get
 * no impulse are then removed. */

#if VSP_PAIR_RULES

/* Returns the largest approach speed of the points of a manifold that close
 * their gap within the step, m/s; 0 if none does. */
static vsp__num fastest_approach(vsp_world *world, uint32_t manifold)
{
    vsp__num fastest = 0;
    vsp__manifold_view s;
    uint32_t j;

    vsp__view_by_index(world, VSP__CONTACTS_SOLVED, manifold, &s);
    for (j = 0; j < s.m->point_count; j++) {
        vsp__num approach;
        vsp__v3 u;

        vsp__sliding_velocity(&s, s.rows + j, &u);
        approach = r_neg(u3_dot_at(&u, &s.m->normal));
        if (r_of_rate(approach, world->params.dt) > s.points[j].gap)
            fastest = r_max(fastest, approach);
    }
    return fastest;
}

/* Returns the speed from which manifolds of two shapes report hits, m/s; 0 if
 * none do. */
static vsp__num hit_speed_of(const vsp_world *world, const vsp__manifold *m)
{
    uint32_t named;
    const vsp__pair_record *rule = vsp__find_pair_rule(
        world, &world->shapes[m->shape[0]].filter,
        &world->shapes[m->shape[1]].filter, &named);

    return rule != NULL ? rule->hit_speed : 0;
}

/* Reports the hit of the pair that has manifolds first to last - 1. */
static void report_impact(vsp_world *world, uint32_t first, uint32_t last)
{
    vsp__num least = hit_speed_of(world, world->manifolds + first), most = 0;
    uint32_t at = first, m;
    vsp_event *event;

    for (m = first; least > 0 && m < last; m++) {
        vsp__num speed = fastest_approach(world, m);

        if (speed > most)
            at = m;
        most = r_max(most, speed);
    }
    if (!(most > 0) || most < least)
        return;
    event = add_event(world, VSP_EVENT_HIT, world->manifolds[at].shape[0],
                      world->manifolds[at].shape[1], at);
    if (event != (vsp_event *)0)
        set_event_speed(event, rate_show(most));
}

void vsp__find_hits(vsp_world *world)
{
    uint32_t count = world->contacts[VSP__CONTACTS_SOLVED].manifold_count;
    uint32_t m, next;

    for (m = 0; world->rule_count > 0 && m < count; m = next) {
        next = next_pair(world, m);
        report_impact(world, m, next);
    }
}

void vsp__drop_missed_hits(vsp_world *world)
{
    uint32_t i, kept = 0;

    for (i = 0; i < world->event_count; i++) {
        const vsp_event *e = world->events + i;

        if (e->type != (uint32_t)VSP_EVENT_HIT ||
            has_impulse(world, e->contact, e->contact + 1u, false))
            world->events[kept++] = *e;
    }
    world->event_count = kept;
}

#endif /* VSP_PAIR_RULES */

#endif /* VSP_EVENTS */
