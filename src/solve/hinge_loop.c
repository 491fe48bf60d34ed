/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Hinge loops, which stay in one plane.  Optional: VSP_HINGE_LOOPS.
 *
 * Section 3.4 of Mueller, Chentanez, Macklin, Jeschke, Long Range Constraints
 * for Rigid Body Simulations, 2017.  Bodies in a loop of hinges with parallel
 * axes share the axis direction n, and keep their distances along it.  It
 * takes hundreds of sweeps to enforce this: after a few, a chain of 100 links
 * bends out of its plane.  So the motions that the hinges forbid are removed
 * from all bodies together.  The motion out of the plane that remains is that
 * of one rigid plate: a speed along n, and a spin across n.
 *
 * Sweeps solve the rest: a hinge in a loop keeps only the rows that act in the
 * plane.
 *
 * The paper finds the plane by an eigenvector.  Here velocities are projected
 * onto the motions of the plate, in the metric of mass, which keeps momentum
 * and adds no energy.  Poses are projected in the same manner.  Loops depend
 * on joints alone, so they are not state.  In this order: the search for
 * loops; their frames; the fit; loops left to sweeps; the projection of
 * velocities and of poses. */

#include "solve.h"

#if VSP_HINGE_LOOPS

VSP_STATIC_ASSERT(hinge_loops_fit,
                  sizeof(vsp__hinge_loops) <= VSP__HINGE_LOOP_BYTES);

static vsp__hinge_loops *loops_of(const vsp_world *world)
{
    return (vsp__hinge_loops *)(void *)vsp__joint_pool_of(world)->hinge_loops;
}


/* ---- Finding loops ---------------------------------------------------------
 * A search from each body along its hinges.  It ignores a hinge whose axis is
 * not parallel to the axis by which the search reached the body.  The bodies
 * found are a loop if they have at least as many hinges as bodies. */

/* Axes are parallel if the sine of their angle is below MAX_SINE.  Hinges fit
 * each other if their distance along the axis is below MAX_STEP, m. */
#define MAX_SINE VSP__REAL(0.001)
#define MAX_STEP VSP__REAL(0.0005)

typedef struct loop_search {
    vsp__hinge_loop *loop; /* the loop to fill, behind the last one */
    uint32_t hinges;       /* found so far; two bodies may have several */
    bool is_flat;          /* all hinges found so far fit one plane */
} loop_search;

/* Returns where the index + 1 of a body's member, or 0, is stored: at the
 * body's first link. */
static uint16_t *member_of(const vsp_world *world, uint32_t body)
{
    uint32_t link = vsp__joint_pool_of(world)->first[body] - 1u;

    return &vsp__step_joint_at(world, link / 2)->member[link % 2];
}

static void hinge_axis(const vsp__joint *j, uint32_t side, vsp__v3 *axis)
{
    vsp__v3 x = v3(VSP__UNIT(1.0), 0, 0);

    vsp__q_rotate(&j->frame[side].rotation, &x, axis);
    v3_flush_in(axis);
}

/* Returns the distance of a joint's anchor from a body's centre along an axis,
 * m. */
static vsp__num anchor_offset(const vsp_world *world, const vsp__joint *j,
                              uint32_t side, const vsp__v3 *axis)
{
    vsp__v3 arm;

    v3_sub_to(&j->frame[side].position,
              &world->bodies[j->body[side]].mass_data.center, &arm);
    return u3_dot_at(axis, &arm);
}

static bool are_parallel(const vsp__v3 *a, const vsp__v3 *b)
{
    vsp__v3 across;

    u3_cross_to(a, b, &across);
    return r_of_unit(v3_size_at(&across)) < MAX_SINE && u3_dot_at(a, b) > 0;
}

/* Computes the loop's plane from one of its bodies: sets its normal *n, and
 * returns its distance from the origin along n. */
static vsp__num ground_plane(const vsp_world *world, uint32_t body,
                             const vsp__v3 *axis, vsp__num offset, vsp__v3 *n)
{
    const vsp__body *b = world->bodies + body;

    vsp__q_rotate(&b->rotation, axis, n);
    return r_sub(u3_dot_at(n, &b->position), offset);
}

/* Makes a body that is not dynamic the ground of the loop.  If the loop has a
 * ground already, both planes must be equal, and the bodies must be the same or
 * both static. */
static void reach_ground(const vsp_world *world, loop_search *s, uint32_t body,
                         const vsp__v3 *axis, vsp__num offset)
{
    vsp__hinge_loop *loop = s->loop;
    uint32_t known;
    vsp__v3 n[2];
    vsp__num height;

    if (loop->ground == 0) {
        loop->ground = (uint16_t)(body + 1u);
        loop->ground_axis = *axis;
        loop->ground_offset = offset;
    }
    known = loop->ground - 1u;
    height = r_sub(ground_plane(world, known, &loop->ground_axis,
                                loop->ground_offset, &n[0]),
                   ground_plane(world, body, axis, offset, &n[1]));
    if (!are_parallel(&n[0], &n[1]) || !(r_size(height) < MAX_STEP) ||
        (known != body && !(vsp__is_static(world->bodies + known) &&
                            vsp__is_static(world->bodies + body))))
        s->is_flat = false;
}

/* Adds a member behind the others.  A loop has no more bodies than hinges, so
 * it always fits into the array. */
static bool add_member(vsp_world *world, vsp__hinge_loop *loop, uint32_t body,
                       const vsp__v3 *axis, vsp__num offset)
{
    uint32_t place = (uint32_t)loop->first + loop->count;
    vsp__loop_member *m = loops_of(world)->members + place;
    const vsp__body *b = world->bodies + body;

    if (place >= VSP_MAX_JOINTS || (b->flags & VSP__ALL_LOCKS) ||
        !vsp__is_awake(b))
        return false;
    m->axis = *axis;
    m->offset = offset;
    m->body = (uint16_t)body;
    m->loop = (uint16_t)(loop - loops_of(world)->loops);
    *member_of(world, body) = (uint16_t)(place + 1u);
    loop->count++;
    return true;
}

/* Adds a dynamic body to the loop or, if it is a member already, compares its
 * plane with the stored one. */
static void reach_member(vsp_world *world, loop_search *s, uint32_t body,
                         const vsp__v3 *axis, vsp__num offset)
{
    uint32_t number = *member_of(world, body);
    const vsp__loop_member *known;

    if (number == 0) {
        s->is_flat = add_member(world, s->loop, body, axis, offset) &&
                     s->is_flat;
        return;
    }
    if (number == VSP__NO_MEMBER || number <= s->loop->first) {
        s->is_flat = false;
        return;
    }
    known = loops_of(world)->members + number - 1u;
    if (!are_parallel(&known->axis, axis) ||
        !(r_size(r_sub(known->offset, offset)) < MAX_STEP))
        s->is_flat = false;
}

static bool may_break(const vsp__joint *j)
{
    return w_less(VSP__W_ZERO, j->break_impulse) ||
           w_less(VSP__W_ZERO, j->break_turn);
}

/* Follows one of a member's links.  A joint that may break needs all of its
 * rows, to measure its load, so its loop is not projected. */
static void follow_hinge(vsp_world *world, loop_search *s,
                         const vsp__loop_member *from, uint32_t link)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + link / 2;
    uint32_t side = link % 2, other = j->body[1u - side];
    vsp__v3 axis, axis_there;
    vsp__num offset;
    bool is_back;

    if (j->type != (uint32_t)VSP_JOINT_HINGE)
        return;
    hinge_axis(j, side, &axis);
    hinge_axis(j, 1u - side, &axis_there);
    is_back = u3_dot_at(&axis, &from->axis) < 0;
    v3_flip_in(&axis, is_back);
    v3_flip_in(&axis_there, is_back);
    if (!are_parallel(&axis, &from->axis))
        return;
    if (may_break(j))
        s->is_flat = false;
    vsp__step_joint_at(world, link / 2)->hinge_loop = (uint16_t)(from->loop +
                                                                 1u);
    offset = r_add(from->offset, anchor_offset(world, j, side, &axis));
    offset = r_sub(offset, anchor_offset(world, j, 1u - side, &axis_there));
    if (!vsp__is_dynamic(world->bodies + other)) {
        s->hinges++;
        reach_ground(world, s, other, &axis_there, offset);
        return;
    }
    s->hinges += side == 0; /* each is followed from both bodies */
    reach_member(world, s, other, &axis_there, offset);
}

/* Leaves a loop to sweeps: its joints keep all of their rows. */
static void leave_loop(vsp_world *world, vsp__hinge_loop *loop)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    uint32_t i, link;

    for (i = 0; i < loop->count; i++, m++) {
        *member_of(world, m->body) = VSP__NO_MEMBER;
        for (link = pool->first[m->body]; link != 0;
             link = pool->next[link - 1u]) {
            vsp__step_joint *j = vsp__step_joint_at(world, (link - 1u) / 2);

            if (j->hinge_loop == m->loop + 1u)
                j->hinge_loop = 0;
        }
    }
    loop->count = 0;
}

/* Finds the bodies that hinges parallel to this axis join to a body.
 * Returns whether they are a loop that stays in a plane; if not, leaves them
 * to sweeps. */
static bool search_loop(vsp_world *world, uint32_t body, const vsp__v3 *axis,
                        loop_search *s)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, link;

    reach_member(world, s, body, axis, 0);
    for (i = 0; i < s->loop->count; i++) {
        const vsp__loop_member *m = loops_of(world)->members + s->loop->first +
                                    i;

        for (link = pool->first[m->body]; link != 0;
             link = pool->next[link - 1u])
            follow_hinge(world, s, m, link - 1u);
    }
    if (s->is_flat &&
        s->hinges >= s->loop->count + (s->loop->ground != 0 ? 1u : 0u))
        return true;
    leave_loop(world, s->loop);
    return false;
}

/* Whether a search begins at one body of a joint. */
static bool is_loop_start(const vsp_world *world, const vsp__joint *j,
                          uint32_t side)
{
    return j->type == (uint32_t)VSP_JOINT_HINGE && vsp__is_holding(world, j) &&
           vsp__is_dynamic(world->bodies + j->body[side]) &&
           vsp__is_awake(world->bodies + j->body[side]) &&
           *member_of(world, j->body[side]) == 0;
}

uint32_t vsp__find_hinge_loops(vsp_world *world)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__hinge_loops *all = loops_of(world);
    uint32_t i, first = 0;

    all->count = 0;
    for (i = 0; i < pool->limit; i++) {
        vsp__step_joint *j = vsp__step_joint_at(world, i);

        j->member[0] = j->member[1] = j->hinge_loop = 0;
    }
    for (i = 0; vsp__has_hinge_loops(world) && i < 2 * pool->limit; i++) {
        const vsp__joint *j = pool->joints + i / 2;
        loop_search s = {all->loops + all->count, 0, true};
        vsp__v3 axis;

        if (!is_loop_start(world, j, i % 2))
            continue;
        vsp__zero_bytes(s.loop, sizeof *s.loop);
        s.loop->first = (uint16_t)first;
        s.loop->joint = (uint16_t)(i / 2);
        hinge_axis(j, i % 2, &axis);
        if (!search_loop(world, j->body[i % 2], &axis, &s))
            continue;
        first += s.loop->count;
        all->count++;
    }
    return all->count;
}

bool vsp__is_in_hinge_loop(const vsp_world *world, uint32_t slot)
{
    return vsp__step_joint_at(world, slot)->hinge_loop != 0;
}


/* ---- Frames ---------------------------------------------------------------
 * The frame of a loop is its direction n and two directions across n, in which
 * the positions of its bodies, from the common centre, and their inertia are
 * given. */

/* the direction of a member's hinges in the world */
static VSP__CALLED void member_axis(const vsp_world *world,
                                    const vsp__loop_member *m, vsp__v3 *axis)
{
    vsp__q_rotate(&world->bodies[m->body].rotation, &m->axis, axis);
}

/* Computes the mean of the members' axes, or of their positions, weighted by
 * shares of the mass. */
static void mean_of_members(const vsp_world *world, const vsp__hinge_loop *loop,
                            bool is_axis, vsp__v3 *mean)
{
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    vsp__square sum[3] = {0, 0, 0}, all = 0;
    const vsp__v3 *origin = &world->bodies[m->body].position;
    uint32_t i, k;

    for (i = 0; i < loop->count; i++, m++) {
        const vsp__body *b = world->bodies + m->body;
        vsp__v3 v = b->position;

        if (is_axis)
            member_axis(world, m, &v);
        else
            v3_sub_in(&v, origin);
        for (k = 0; k < 3; k++)
            sum[k] = square_add(sum[k], r_product(m->share, v3_part(&v, k)));
        all = square_add(all, r_product(m->share, VSP__REAL(1.0)));
    }
    for (k = 0; k < 3; k++)
        v3_parts(mean)[k] = w_to_real(
            w_div(w_of_square(sum[k]), w_of_square(all)));
    if (!is_axis)
        v3_add_in(mean, origin);
}

/* Computes each member's share of the total mass, and loop->size: the largest
 * sum of the three moments of inertia of one kilogram of a member. */
static void find_shares(vsp_world *world, vsp__hinge_loop *loop)
{
    vsp__loop_member *m = loops_of(world)->members + loop->first;
    vsp__wide all = VSP__W_ZERO;
    vsp__mat3 axes = vsp__q_axes(q_identity());
    uint32_t i, k;

    loop->size = VSP__W_ZERO;
    for (i = 0; i < loop->count; i++) {
        const vsp__mass_data *mass = &world->bodies[m[i].body].mass_data;
        vsp__wide trace = VSP__W_ZERO;

        all = w_add(all, mass->mass);
        for (k = 0; k < 3; k++)
            trace = w_add(trace, vsp__s3_along(&mass->inertia, &axes.axis[k]));
        if (w_less(loop->size, trace))
            loop->size = trace;
    }
    for (i = 0; i < loop->count; i++)
        m[i].share = w_to_unit(
            w_div(world->bodies[m[i].body].mass_data.mass, all));
}

/* a S b, from of_a = a S a and of_b = b S b, by (a + b) S (a + b) */
static vsp__wide between(const vsp__sym3 *s, const vsp__v3 *a, const vsp__v3 *b,
                         vsp__wide of_a, vsp__wide of_b)
{
    vsp__v3 sum;
    vsp__wide twice;

    v3_add_to(a, b, &sum);
    twice = w_add(vsp__s3_along(s, &sum), w_neg(w_add(of_a, of_b)));
    return w_mul(w_of_unit(VSP__UNIT(0.5)), twice);
}

/* Computes the inertia of one kilogram of a member against a spin across n.
 * The spin about n is free, so there is no torque about n: a change of the spin
 * across n changes it by minus `lean` times as much.  Returns false if the
 * inertia about n is too small, such as that of a thin rod along n: rounding
 * alone would determine its spin. */
static bool find_member_inertia(const vsp_world *world,
                                const vsp__hinge_loop *loop,
                                vsp__loop_member *m)
{
    const vsp__body *b = world->bodies + m->body;
    const vsp__sym3 *s = &b->mass_data.inertia;
    vsp__mat3 axes = vsp__q_axes(b->rotation);
    vsp__v3 way[3]; /* both across, and n: in the body's frame */
    vsp__wide own[3], mixed[3], lean[2];
    uint32_t k;

    m3_tmul_to(&axes, &loop->across[0], &way[0]);
    m3_tmul_to(&axes, &loop->across[1], &way[1]);
    m3_tmul_to(&axes, &loop->normal, &way[2]);
    for (k = 0; k < 3; k++)
        own[k] = vsp__s3_along(s, &way[k]);
    for (k = 0; k < 3; k++) /* of directions 0 and 1, 1 and 2, 2 and 0 */
        mixed[k] = between(s, &way[k], &way[(k + 1u) % 3u], own[k],
                           own[(k + 1u) % 3u]);
    if (!w_less(w_mul(w_of_unit(VSP__UNIT(0.001)), w_add(own[0], own[1])),
                own[2]))
        return false;
    lean[0] = w_div(mixed[2], own[2]);
    lean[1] = w_div(mixed[1], own[2]);
    own[0] = w_add(own[0], w_neg(w_mul(lean[0], mixed[2])));
    own[1] = w_add(own[1], w_neg(w_mul(lean[1], mixed[1])));
    mixed[0] = w_add(mixed[0], w_neg(w_mul(lean[0], mixed[1])));
    m->lean[0] = r_flush(w_to_real(lean[0]));
    m->lean[1] = r_flush(w_to_real(lean[1]));
    m->inertia[0] = r_flush(w_to_unit(w_div(own[0], loop->size)));
    m->inertia[1] = r_flush(w_to_unit(w_div(mixed[0], loop->size)));
    m->inertia[2] = r_flush(w_to_unit(w_div(own[1], loop->size)));
    return true;
}

/* Converts a sum of members' inertia from units of the loop's size to m^2. */
static vsp__wide inertia_sum(const vsp__hinge_loop *loop, vsp__square sum)
{
    vsp__wide format = w_div(w_of_unit(VSP__UNIT(0.5)),
                             w_of_real(VSP__UNIT(0.5)));

    return w_mul(w_mul(loop->size, format), w_of_square(sum));
}

/* Computes the directions across n.  The second one points to the farthest
 * member: if all members are on a line, their inertia about it is then not a
 * difference of large numbers. */
static void find_across(const vsp_world *world, vsp__hinge_loop *loop)
{
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    vsp__v3 *across = loop->across, n = loop->normal;
    vsp__num most = 0;
    uint32_t i;

    vsp__make_tangents(&n, &across[0], &across[1]);
    for (i = 0; i < loop->count; i++, m++) {
        vsp__v3 way;
        vsp__num size;

        v3_sub_to(&world->bodies[m->body].position, &loop->center, &way);
        u3_move(&way, r_neg(u3_dot_at(&n, &way)), &n);
        size = v3_size_at(&way);
        if (size > most) {
            most = size;
            across[1] = way;
        }
    }
    if (most > VSP__REAL(0.001))
        vsp__v3_normalize(&across[1]);
    else
        vsp__make_tangents(&n, &across[0], &across[1]);
    u3_cross_to(&across[1], &n, &across[0]);
    v3_flush_in(&across[0]);
    v3_flush_in(&across[1]);
}

/* Computes the directions of a loop: n is the ground's axis or, without ground,
 * the mean of all axes. */
static void find_directions(vsp_world *world, vsp__hinge_loop *loop)
{
    vsp__v3 n;

    if (loop->ground != 0) {
        vsp__q_rotate(&world->bodies[loop->ground - 1u].rotation,
                      &loop->ground_axis, &n);
    } else {
        mean_of_members(world, loop, true, &n);
        vsp__v3_normalize(&n);
    }
    v3_flush_in(&n);
    loop->normal = n;
    find_across(world, loop);
}

/* Inverts the inertia of one kilogram of a loop.  Returns false if the loop is
 * too thin. */
static bool invert_loop_inertia(vsp_world *world, vsp__hinge_loop *loop)
{
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    vsp__square places[3] = {0, 0, 0}, own[3] = {0, 0, 0};
    vsp__wide a[3], det;
    uint32_t i, k;

    for (i = 0; i < loop->count; i++, m++) {
        vsp__square part[3];

        part[0] = r_square(m->y);
        part[1] = r_product(r_neg(m->x), m->y);
        part[2] = r_square(m->x);
        for (k = 0; k < 3; k++) {
            places[k] = square_add(places[k], r_part(part[k], m->share));
            part[k] = r_product(m->inertia[k], VSP__REAL(1.0));
            own[k] = square_add(own[k], r_part(part[k], m->share));
        }
    }
    for (k = 0; k < 3; k++)
        a[k] = w_add(w_of_square(places[k]), inertia_sum(loop, own[k]));
    det = w_add(w_mul(a[0], a[2]), w_neg(w_mul(a[1], a[1])));
    if (!w_less(w_mul(w_of_unit(VSP__UNIT(1e-5)), w_mul(a[0], a[2])), det))
        return false;
    loop->inverse[0] = w_div(a[2], det);
    loop->inverse[1] = w_neg(w_div(a[1], det));
    loop->inverse[2] = w_div(a[0], det);
    return true;
}

/* Sets the motion of a loop to 0. */
static void start_motion(vsp__hinge_loop *loop)
{
    uint32_t i;

    vsp__zero_bytes(&loop->motion, sizeof loop->motion);
    for (i = 0; i < 3; i++)
        loop->exact[i] = VSP__W_ZERO;
}

/* Computes the frame of a loop.  Returns false if the loop is too thin. */
static bool frame_loop(vsp_world *world, vsp__hinge_loop *loop)
{
    vsp__loop_member *m = loops_of(world)->members + loop->first;
    vsp__v3 center;
    uint32_t i;

    find_shares(world, loop);
    mean_of_members(world, loop, false, &center);
    loop->center = center;
    find_directions(world, loop);
    for (i = 0; i < loop->count; i++, m++) {
        vsp__v3 way;

        v3_sub_to(&world->bodies[m->body].position, &center, &way);
        m->x = r_flush(u3_dot_at(&loop->across[0], &way));
        m->y = r_flush(u3_dot_at(&loop->across[1], &way));
        if (!find_member_inertia(world, loop, m))
            return false;
    }
    start_motion(loop);
    return invert_loop_inertia(world, loop);
}


/* ---- The fit --------------------------------------------------------------
 * Finds the motion of the plate that fits its members best: out of the plane,
 * from velocities, or from distances and angles. */

/* the component along n of the loop's motion at a member */
static VSP__CALLED vsp__num along_at(const vsp__loop_motion *all,
                                     const vsp__loop_member *m)
{
    return r_add(all->along,
                 r_sub(r_mul(m->y, all->turn[0]), r_mul(m->x, all->turn[1])));
}

static void read_velocity(const vsp_world *world, const vsp__hinge_loop *loop,
                          const vsp__loop_member *m, vsp__loop_motion *motion)
{
    const vsp__velocity *v = vsp__solve_of(world)->velocity + m->body;

    motion->along = u3_dot_at(&loop->normal, &v->linear);
    motion->turn[0] = u3_dot_at(&loop->across[0], &v->angular);
    motion->turn[1] = u3_dot_at(&loop->across[1], &v->angular);
}

/* Computes how far a member is off the plane through the centre: m and rad. */
static void read_offset(const vsp_world *world, const vsp__hinge_loop *loop,
                        const vsp__loop_member *m, vsp__loop_motion *motion)
{
    const vsp__body *b = world->bodies + m->body;
    vsp__v3 way, axis, tilt;
    uint32_t k;

    v3_sub_to(&b->position, &loop->center, &way);
    motion->along = r_sub(u3_dot_at(&loop->normal, &way), m->offset);
    member_axis(world, m, &axis);
    u3_cross_to(&loop->normal, &axis, &tilt);
    for (k = 0; k < 2; k++)
        motion->turn[k] = r_of_unit(u3_dot_at(&loop->across[k], &tilt));
}

/* Adds to a component of a motion, and rounds the sum by a cut: in one step a
 * plate may turn by less than a binary place.  *exact is the value of *rounded
 * read as a real, even if *rounded is a rate. */
static void add_motion(vsp__wide *exact, vsp__num *rounded, vsp__wide d,
                       uint32_t cut)
{
    vsp__wide format = w_div(w_of_rate(VSP__UNIT(0.5)),
                             w_of_real(VSP__UNIT(0.5)));

    *exact = w_flush(w_add(*exact, d));
    *rounded = w_to_rate_cut(w_mul(*exact, format), cut);
}

/* Changes the motion of a loop to the one with the momentum of its members'
 * velocities or, for poses, of their offsets.  The change is summed up from the
 * differences between members and loop, because sums of large numbers would
 * lose last places.  Rounding errors are kept for the next change. */
static void fit_members(const vsp_world *world, vsp__hinge_loop *loop,
                        bool is_pose)
{
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    uint32_t cut = is_pose ? VSP__NEAREST
                           : vsp__even_cut(world->params.tick, VSP__EVEN_ROWS);
    vsp__square sum = 0, mass = 0, places[2] = {0, 0}, own[2] = {0, 0};
    vsp__loop_motion *all = &loop->motion, d;
    vsp__wide t[2];
    uint32_t i, k;

    for (i = 0; i < loop->count; i++, m++) {
        if (is_pose)
            read_offset(world, loop, m, &d);
        else
            read_velocity(world, loop, m, &d);
        d.along = r_sub(d.along, along_at(all, m));
        places[0] = square_add(places[0],
                               r_part(r_product(m->y, d.along), m->share));
        places[1] = square_add(
            places[1], r_part(r_product(r_neg(m->x), d.along), m->share));
        for (k = 0; k < 2; k++)
            d.turn[k] = r_sub(d.turn[k], all->turn[k]);
        for (k = 0; k < 2; k++) {
            vsp__square part = square_add(
                r_product(m->inertia[k], d.turn[0]),
                r_product(m->inertia[k + 1u], d.turn[1]));

            own[k] = square_add(own[k], r_part(part, m->share));
        }
        sum = square_add(sum, r_product(m->share, d.along));
        mass = square_add(mass, r_product(m->share, VSP__REAL(1.0)));
    }
    for (k = 0; k < 2; k++)
        t[k] = w_add(w_of_square(places[k]), inertia_sum(loop, own[k]));
    add_motion(&loop->exact[0], &all->along,
               w_div(w_of_square(sum), w_of_square(mass)), cut);
    for (k = 0; k < 2; k++)
        add_motion(&loop->exact[k + 1u], &all->turn[k],
                   w_add(w_mul(loop->inverse[k], t[0]),
                         w_mul(loop->inverse[k + 1u], t[1])),
                   cut);
}


/* Sets the motion of a loop with ground to that of the ground. */
static void read_ground(const vsp_world *world, vsp__hinge_loop *loop)
{
    vsp__loop_motion *all = &loop->motion;
    const vsp__body *ground = world->bodies + loop->ground - 1;
    vsp__v3 way, v;

    v3_sub_to(&loop->center, &ground->position, &way);
    v3_cross_to(&ground->spin, &way, &v);
    v3_add_in(&v, &ground->velocity);
    all->along = u3_dot_at(&loop->normal, &v);
    all->turn[0] = u3_dot_at(&loop->across[0], &ground->spin);
    all->turn[1] = u3_dot_at(&loop->across[1], &ground->spin);
}

/* Computes the ground's offset, which is exact: its plane does not tilt. */
static void read_ground_offset(const vsp_world *world, vsp__hinge_loop *loop)
{
    vsp__loop_motion *all = &loop->motion;

    vsp__v3 way;

    v3_sub_to(&world->bodies[loop->ground - 1u].position, &loop->center, &way);
    all->along = r_sub(u3_dot_at(&loop->normal, &way), loop->ground_offset);
    all->turn[0] = all->turn[1] = 0;
}

/* ---- Loops left to sweeps ------------------------------------------------
 * A projection moves all bodies onto the plane at once.  So bodies that were
 * placed far off the plane first approach it by sweeps.  And a contact row
 * uses the mass of one link, not of the loop: a contact across the plane of a
 * free loop would have to stop the links one by one. */

#define MAX_OFF VSP__REAL(0.05)       /* m: largest distance off the plane */
#define LEAST_COSINE VSP__UNIT(0.995) /* 0.1 rad */
#define ACROSS VSP__UNIT(0.5)         /* least component of a normal along n */

/* Whether all members are near the plane that fits them best. */
static bool is_near_plane(vsp_world *world, vsp__hinge_loop *loop)
{
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    vsp__loop_motion off;
    vsp__v3 axis;
    bool is_near = true;
    uint32_t i;

    if (loop->ground != 0)
        read_ground_offset(world, loop);
    else
        fit_members(world, loop, true);
    for (i = 0; i < loop->count; i++, m++) {
        read_offset(world, loop, m, &off);
        member_axis(world, m, &axis);
        if (!(r_size(r_sub(off.along, along_at(&loop->motion, m))) < MAX_OFF) ||
            !(u3_dot_at(&loop->normal, &axis) > LEAST_COSINE))
            is_near = false;
    }
    start_motion(loop);
    return is_near;
}

/* Marks the loops with a contact across their plane. */
static void mark_touched_loops(vsp_world *world)
{
    uint32_t count = world->contacts[VSP__CONTACTS_SOLVED].manifold_count, i;

    for (i = 0; i < 2 * count; i++) {
        const vsp__manifold *manifold = world->manifolds + i / 2;
        uint32_t body = manifold->body[i % 2], number;
        const vsp__loop_member *m;
        vsp__v3 axis;

        if (!vsp__has_joints(world, body))
            continue;
        number = *member_of(world, body);
        if (number == 0 || number == VSP__NO_MEMBER)
            continue;
        m = loops_of(world)->members + number - 1u;
        member_axis(world, m, &axis);
        if (r_abs(u3_dot_at(&manifold->normal, &axis)) > ACROSS)
            loops_of(world)->loops[m->loop].is_touched = 1;
    }
}

/* The motion of a free loop is computed in full here, and updated by
 * differences in sweeps. */
void vsp__start_hinge_loops(vsp_world *world)
{
    uint32_t count = vsp__find_hinge_loops(world), i;

    if (count > 0)
        mark_touched_loops(world);
    for (i = 0; i < count; i++) {
        vsp__hinge_loop *loop = loops_of(world)->loops + i;

        if ((loop->ground == 0 && loop->is_touched) ||
            !frame_loop(world, loop) || !is_near_plane(world, loop))
            leave_loop(world, loop);
        else if (loop->ground != 0)
            read_ground(world, loop);
        else
            fit_members(world, loop, false);
    }
}


/* ---- Velocities and poses ------------------------------------------------ */

static void project_loop(vsp_world *world, vsp__hinge_loop *loop)
{
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    vsp__loop_motion it;
    uint32_t i, k;

    if (loop->ground == 0)
        fit_members(world, loop, false);
    for (i = 0; i < loop->count; i++, m++) {
        vsp__velocity *v = vsp__solve_of(world)->velocity + m->body;

        read_velocity(world, loop, m, &it);
        u3_move(&v->linear, r_sub(along_at(&loop->motion, m), it.along),
                &loop->normal);
        for (k = 0; k < 2; k++) {
            vsp__num d = r_sub(loop->motion.turn[k], it.turn[k]);

            u3_move(&v->angular, d, &loop->across[k]);
            u3_move(&v->angular, r_neg(r_mul(m->lean[k], d)), &loop->normal);
        }
        v3_flush_in(&v->linear);
        v3_flush_in(&v->angular);
    }
    world->stats.row_updates += loop->count;
}

/* Whether a loop is solved with a span.  All bodies of a loop are in one layer
 * of SHOCK and in one island of SUBSPACE, and so are its joints. */
static bool is_in_span(const vsp_world *world, const vsp__hinge_loop *loop,
                       const vsp__span *span)
{
    const uint16_t *order = vsp__joint_pool_of(world)->order;

    if (!span->is_layer)
        return true;
    return span->first_joint < span->last_joint &&
           vsp__step_joint_at(world, order[span->first_joint])->layer ==
               vsp__step_joint_at(world, loop->joint)->layer;
}

void vsp__project_hinge_loops(vsp_world *world, const vsp__span *span)
{
    vsp__hinge_loops *all = loops_of(world);
    uint32_t i;

    for (i = 0; i < all->count; i++)
        if (all->loops[i].count > 0 && is_in_span(world, all->loops + i, span))
            project_loop(world, all->loops + i);
}


/* rad: above it the sine of an angle is not near enough to the angle */
#define LARGE_TURN VSP__UNIT(0.02)

/* Projects the poses of a loop.  Returns whether a member turned so far that a
 * second projection is needed. */
static bool flatten_loop(vsp_world *world, vsp__hinge_loop *loop)
{
    const vsp__loop_member *m = loops_of(world)->members + loop->first;
    const vsp__loop_motion *all = &loop->motion;
    vsp__loop_motion it;
    bool is_large = false;
    uint32_t i, k;

    if (!frame_loop(world, loop))
        return false;
    if (loop->ground != 0)
        read_ground_offset(world, loop);
    else
        fit_members(world, loop, true);
    for (i = 0; i < loop->count; i++, m++) {
        vsp__velocity d = {{0, 0, 0}, {0, 0, 0}}; /* a displacement */

        read_offset(world, loop, m, &it);
        u3_move(&d.linear, u_of_real(r_sub(along_at(all, m), it.along)),
                &loop->normal);
        for (k = 0; k < 2; k++)
            u3_move(&d.angular, u_of_real(r_sub(all->turn[k], it.turn[k])),
                    &loop->across[k]);
        v3_flush_in(&d.linear);
        v3_flush_in(&d.angular);
        vsp__displace_body(world, m->body, &d);
        is_large = is_large || v3_size_at(&d.angular) > LARGE_TURN;
    }
    return is_large;
}

void vsp__flatten_hinge_loops(vsp_world *world)
{
    vsp__hinge_loops *all = loops_of(world);
    uint32_t i;

    for (i = 0; i < all->count; i++)
        if (all->loops[i].count > 0 && flatten_loop(world, all->loops + i))
            (void)flatten_loop(world, all->loops + i);
}

#endif /* VSP_HINGE_LOOPS */
