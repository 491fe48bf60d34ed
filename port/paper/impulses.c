/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Collisions, then velocities, then contacts, then shock propagation, then
 * positions.  Contacts are detected at predicted poses: where the bodies will
 * be at the end of the step with their present velocities.  15 detections a
 * step, as Erleben 2007 counts them; the shock propagation uses the last.
 * Levels are stack heights, where the authors sort a graph of bodies that rest
 * on each other. */

#include "impulses.h"

#include <string.h>

#define COLLISIONS 5 /* iterations, each with a detection */
#define CONTACTS 10
#define SHOCK_SWEEPS 20 /* over the points of a level */

static contact_problem *problem;
static levels *layers;
static bool is_heavy[VSP_MAX_BODIES]; /* counts as of infinite mass */

/* Vectors from the centres of both bodies to each point, at the predicted
 * poses. */
static vec3 arms[VSP_MAX_CONTACTS][2];


/* ---- One impulse --------------------------------------------------------- */

static bool can_move(int body)
{
    return body >= 0 && !is_heavy[body] &&
           problem->bodies[body].inverse_mass > 0.0;
}

/* Returns what an impulse at an arm adds to the velocity there. */
static vec3 response(int body, vec3 arm, vec3 impulse)
{
    const contact_body *it = &problem->bodies[body < 0 ? 0 : body];
    vec3 spin;

    if (!can_move(body))
        return vec_make(0.0, 0.0, 0.0);
    spin = tensor_times(&it->inverse_inertia, vec_cross(arm, impulse));
    return vec_mad(vec_cross(spin, arm), it->inverse_mass, impulse);
}

/* The two bodies at a point. */
typedef struct meeting {
    int a, b;
    vec3 arm_a, arm_b;
} meeting;

/* Returns K times an impulse on b, the opposite one acting on a. */
static vec3 both_responses(const meeting *at, vec3 impulse)
{
    return vec_add(response(at->a, at->arm_a, impulse),
                   response(at->b, at->arm_b, impulse));
}

static vec3 velocity_at(int body, vec3 arm)
{
    if (body < 0)
        return vec_make(0.0, 0.0, 0.0);
    return vec_add(problem->bodies[body].velocity,
                   vec_cross(problem->bodies[body].spin, arm));
}

/* Returns the impulse that changes the relative velocity by `change`. */
static vec3 impulse_for(const meeting *at, vec3 change)
{
    vec3 x = both_responses(at, vec_make(1.0, 0.0, 0.0));
    vec3 y = both_responses(at, vec_make(0.0, 1.0, 0.0));
    vec3 z = both_responses(at, vec_make(0.0, 0.0, 1.0));
    double det = vec_dot(x, vec_cross(y, z));

    return vec_scale(vec_make(vec_dot(change, vec_cross(y, z)),
                              vec_dot(x, vec_cross(change, z)),
                              vec_dot(x, vec_cross(y, change))),
                     1.0 / det);
}

static void push_body(int body, vec3 arm, vec3 impulse)
{
    contact_body *it = &problem->bodies[body < 0 ? 0 : body];

    if (!can_move(body))
        return;
    it->velocity = vec_mad(it->velocity, it->inverse_mass, impulse);
    it->spin = vec_add(
        it->spin, tensor_times(&it->inverse_inertia, vec_cross(arm, impulse)));
}

/* Returns the impulse of a sliding contact: Coulomb friction against the
 * tangential velocity. */
static vec3 sliding_impulse(const meeting *at, vec3 n, vec3 tangential,
                            double friction, double change)
{
    double slip = vec_length(tangential);
    vec3 way = n;

    if (slip > 1e-12)
        way = vec_mad(n, -friction / slip, tangential);
    return vec_scale(way, change / vec_dot(n, both_responses(at, way)));
}

/* Returns the meeting of a point, and the relative velocity there. */
static meeting meeting_of(int point, vec3 *v)
{
    const contact_point *at = &problem->points[point];
    meeting it = {at->a, at->b, arms[point][0], arms[point][1]};

    *v = vec_sub(velocity_at(it.b, it.arm_b), velocity_at(it.a, it.arm_a));
    return it;
}

/* Applies an impulse: first as if the bodies stuck, and if that is outside of
 * the friction cone, a sliding one. */
static void hit_point(int point, double restitution)
{
    const contact_point *at = &problem->points[point];
    vec3 v, tangential, impulse, n = at->normal;
    meeting it = meeting_of(point, &v);
    double speed = vec_dot(v, n), along;

    tangential = vec_mad(v, -speed, n);
    impulse = impulse_for(&it, vec_sub(vec_scale(n, -restitution * speed), v));
    along = vec_dot(impulse, n);
    if (vec_length(vec_mad(impulse, -along, n)) > at->friction * along)
        impulse = sliding_impulse(&it, n, tangential, at->friction,
                                  -(1.0 + restitution) * speed);
    push_body(it.a, it.arm_a, vec_scale(impulse, -1.0));
    push_body(it.b, it.arm_b, impulse);
}


/* ---- Phases -------------------------------------------------------------- */

/* Adds a time of gravity to the velocities of dynamic bodies. */
static void add_gravity(vec3 gravity, double time)
{
    for (int i = 0; i < problem->body_count; i++)
        if (problem->bodies[i].inverse_mass > 0.0)
            problem->bodies[i].velocity = vec_mad(problem->bodies[i].velocity,
                                                  time, gravity);
}

static void move_all(double h)
{
    for (int i = 0; i < problem->body_count; i++) {
        contact_body *it = &problem->bodies[i];

        contact_body_move(it, it->velocity, it->spin, h);
    }
}

static void note_arms(void)
{
    for (int i = 0; i < problem->point_count; i++) {
        const contact_point *at = &problem->points[i];

        if (at->a >= 0)
            arms[i][0] = vec_sub(at->point, problem->bodies[at->a].center);
        if (at->b >= 0)
            arms[i][1] = vec_sub(at->point, problem->bodies[at->b].center);
    }
}

/* Detects contacts at predicted poses. */
static bool detect_ahead(vsp_world *world, double h)
{
    static contact_body now[VSP_MAX_BODIES];
    size_t size = (size_t)problem->body_count * sizeof now[0];
    bool is_done;

    memcpy(now, problem->bodies, size);
    move_all(h);
    is_done = contact_problem_detect(problem, world);
    note_arms();
    memcpy(problem->bodies, now, size);
    levels_find(layers, problem);
    return is_done;
}

/* Returns the point of a range, which overlaps, where the bodies approach
 * fastest; -1 if they approach at none. */
static int fastest_point(int from, int end)
{
    double fastest = 0.0;
    int best = -1;

    for (int i = from; i < end; i++) {
        int point = layers->order[i];
        vec3 v;

        if (problem->points[point].gap > 0.0)
            continue;
        (void)meeting_of(point, &v);
        if (vec_dot(v, problem->points[point].normal) < fastest) {
            fastest = vec_dot(v, problem->points[point].normal);
            best = point;
        }
    }
    return best;
}

/* Hits the points of a pair of bodies, which are `from` to `end` in order, the
 * fastest one first. */
static void hit_pair(int from, int end, double restitution, bool is_material)
{
    const contact_point *at = &problem->points[layers->order[from]];

    if (!can_move(at->a) && !can_move(at->b))
        return;
    for (int k = from; k < end; k++) {
        int point = fastest_point(from, end);

        if (point >= 0)
            hit_point(point, is_material ? at->restitution : restitution);
    }
}

/* Hits all pairs, in the order of levels. */
static void hit_all(int from, int end, double restitution, bool is_material)
{
    for (int next; from < end; from = next) {
        uint32_t pair = problem->points[layers->order[from]].manifold;

        next = from + 1;
        while (next < end &&
               problem->points[layers->order[next]].manifold == pair)
            next++;
        hit_pair(from, next, restitution, is_material);
    }
}

/* Bodies that hit each other bounce, before gravity acts. */
static bool collide_bodies(vsp_world *world, vec3 gravity, double h)
{
    for (int i = 0; i < COLLISIONS; i++) {
        bool is_done;

        add_gravity(gravity, h);
        is_done = detect_ahead(world, h);
        add_gravity(gravity, -h);
        if (!is_done)
            return false;
        hit_all(0, problem->point_count, 0.0, true);
    }
    return true;
}

/* Bodies that rest are stopped little by little: restitution grows from -0.9 to
 * 0. */
static bool stop_contacts(vsp_world *world, double h)
{
    for (int i = 1; i <= CONTACTS; i++) {
        if (!detect_ahead(world, h))
            return false;
        hit_all(0, problem->point_count, (double)i / CONTACTS - 1.0, false);
    }
    return true;
}

/* From the ground up, each level is stopped on the one below, which then has
 * infinite mass. */
static void propagate_shocks(void)
{
    for (int level = 0; level < layers->count; level++) {
        for (int i = 0; i < problem->body_count; i++)
            is_heavy[i] = layers->height[i] <= level;
        for (int k = 1; k <= SHOCK_SWEEPS; k++)
            hit_all(layers->first[level], layers->first[level + 1],
                    (double)k / SHOCK_SWEEPS - 1.0, false);
    }
    memset(is_heavy, 0, sizeof is_heavy);
}

bool impulses_step(contact_problem *of, levels *own, vsp_world *world,
                   vec3 gravity, double h)
{
    problem = of;
    layers = own;
    if (!collide_bodies(world, gravity, h))
        return false;
    add_gravity(gravity, h);
    if (!stop_contacts(world, h))
        return false;
    propagate_shocks();
    move_all(h);
    return true;
}
