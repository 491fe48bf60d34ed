/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Unions: bodies that rigid FIXED joints connect move as one.  Section 3.5 of
 * Mueller, Chentanez, Macklin and Jeschke, Long range constraints for rigid
 * body simulations, SCA 2017, solves for velocities of the pieces and then
 * projects them onto one rigid motion; but then a contact uses the mass of a
 * piece alone, and unions sink.  Here a step has one body in their place.
 *
 * In this order: the search for unions; one body in place of many, before a
 * step; the bodies restored, after it.
 *
 * The root of a union, its lowest slot, replaces all: for the step it gets
 * their mass, shapes and joints, and their slots are empty.  So contacts,
 * layers, sleep and impacts use one body, and no other module depends on
 * unions.  A static or kinematic body of a union is its root, and moves the
 * union.  None of this is state: positions follow from the frames of joints. */

#include "step.h"

#if VSP_UNIONS

VSP_STATIC_ASSERT(unions_fit, sizeof(vsp__unions) <= VSP__UNION_BYTES);
VSP_STATIC_ASSERT(unions_are_tight,
                  sizeof(vsp__unions) + 8u > VSP__UNION_BYTES);


/* ---- The search ------------------------------------------------------------
 * A breadth-first search from each root, along rigid joints in the order of
 * slots. */

#define LEFT_TO_SWEEPS 0xffffu /* instead of a root */

/* Whether a body is fixed: does not move by forces, so that others may be
 * joined to it. */
static bool is_fixed_body(const vsp__body *b)
{
    return vsp__is_static(b) || b->type == (uint32_t)VSP_KINEMATIC + 1u;
}

/* Whether a body may be in a union.  Bodies with locks are left to sweeps. */
static bool may_be_member(const vsp__body *b)
{
    return is_fixed_body(b) ||
           (vsp__is_dynamic(b) && !(b->flags & VSP__ALL_LOCKS));
}

/* Whether a joint makes a union.  A joint that bends or breaks in this step
 * makes one only if with_bending. */
static bool makes_union(const vsp_world *world, const vsp__joint *j,
                        bool with_bending)
{
    return j->type == VSP_JOINT_FIXED && (j->flags & VSP__JOINT_RIGID) &&
           !(j->flags & VSP__JOINT_BROKEN) &&
           (with_bending ||
            !(j->flags & (VSP__JOINT_BEARS | VSP__JOINT_BREAKS))) &&
           may_be_member(world->bodies + j->body[0]) &&
           may_be_member(world->bodies + j->body[1]);
}

bool vsp__is_weak(const vsp__joint *j)
{
    return w_less(VSP__W_ZERO, j->break_impulse) ||
           w_less(VSP__W_ZERO, j->break_turn) ||
           w_less(VSP__W_ZERO, j->yield_torque);
}

/* Computes whether there are rigid joints, and whether joints inside unions may
 * break or bend: rigid ones, or other FIXED ones. */
static void look_for_rigid_joints(vsp_world *world)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    u->is_used = u->is_weak = 0;
    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;

        if (j->flags & VSP__JOINT_RIGID)
            u->is_used = 1;
        if (j->type == VSP_JOINT_FIXED && vsp__is_weak(j))
            u->is_weak = 1;
    }
}

/* Lists the rigid joints of each body, as vsp__list_body_joints lists all. */
static void list_rigid_joints(vsp_world *world, bool with_bending)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    vsp__zero_bytes(pool->first, sizeof pool->first);
    for (i = 2 * pool->limit; i-- > 0;) {
        const vsp__joint *j = pool->joints + i / 2;

        if (!makes_union(world, j, with_bending))
            continue;
        pool->next[i] = pool->first[j->body[i % 2]];
        pool->first[j->body[i % 2]] = (uint16_t)(i + 1u);
    }
}

/* Computes the frame `inner`, which is given in the frame `outer`, in the frame
 * in which `outer` is given. */
static void compose_frames(const vsp__frame *outer, const vsp__frame *inner,
                           vsp__frame *out)
{
    vsp__frame sum;

    vsp__q_rotate(&outer->rotation, &inner->position, &sum.position);
    v3_add_in(&sum.position, &outer->position);
    vsp__q_mul(&outer->rotation, &inner->rotation, &sum.rotation);
    vsp__q_normalize(&sum.rotation);
    vsp__flush_each(&sum, VSP__WORDS(vsp__frame));
    *out = sum;
}

/* Computes the frame of a joint's body `to` from that of the other, both in the
 * root's frame. */
static void place_member(const vsp__joint *j, uint32_t to,
                         const vsp__frame *from, vsp__frame *place)
{
    const vsp__frame *own = j->frame + to;
    vsp__frame back;
    vsp__v3 way;

    compose_frames(from, j->frame + (1u - to), place);
    back.position = v3_zero();
    back.rotation = own->rotation;
    back.rotation.x = r_neg(back.rotation.x);
    back.rotation.y = r_neg(back.rotation.y);
    back.rotation.z = r_neg(back.rotation.z);
    compose_frames(place, &back, place);
    vsp__q_rotate(&place->rotation, &own->position, &way);
    v3_sub_in(&place->position, &way);
    v3_flush_in(&place->position);
}

/* Adds the bodies that are joined to a body of a union.  Returns false if one
 * of them is a fixed body that may move, or is static while the root may move.
 */
static bool reach_pieces(vsp_world *world, uint32_t root, uint32_t body)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    bool is_one = true;
    uint32_t link = pool->first[body];

    for (; link != 0; link = pool->next[link - 1u]) {
        const vsp__joint *j = pool->joints + (link - 1u) / 2;
        uint32_t to = link % 2, other = j->body[to];
        const vsp__body *b = world->bodies + other;

        if (is_fixed_body(b)) {
            if (other != root && is_fixed_body(world->bodies + root) &&
                !(vsp__is_static(b) && vsp__is_static(world->bodies + root)))
                is_one = false;
        } else if (u->root[other] == 0) {
            u->root[other] = (uint16_t)(root + 1u);
            u->joint[other] = (uint16_t)((link - 1u) / 2);
            place_member(j, to, &u->place[body], &u->place[other]);
            u->order[u->count++] = (uint16_t)other;
        }
    }
    return is_one;
}

/* Finds the union of a root.  A union with two fixed bodies that cannot move as
 * one is dropped: its other bodies form a union without fixed ones. */
static void find_union(vsp_world *world, uint32_t root)
{
    vsp__unions *u = vsp__unions_of(world);
    uint32_t first = u->count, head;
    bool is_one = true;

    u->root[root] = (uint16_t)(root + 1u);
    vsp__zero_bytes(&u->place[root], sizeof u->place[root]);
    u->place[root].rotation = q_identity();
    u->order[u->count++] = (uint16_t)root;
    for (head = first; head < u->count; head++)
        is_one = reach_pieces(world, root, u->order[head]) && is_one;
    if (is_one && u->count > first + 1u)
        return;
    u->root[root] = 0;
    while (u->count > first + 1u)
        u->root[u->order[--u->count]] = LEFT_TO_SWEEPS;
    u->count = first;
}

/* Finds all unions, those with fixed bodies first. */
static void find_unions(vsp_world *world, bool with_bending)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    u->count = 0;
    vsp__zero_bytes(u->root, sizeof u->root);
    list_rigid_joints(world, with_bending);
    for (i = 0; i < world->body_limit; i++)
        if (pool->first[i] != 0 && is_fixed_body(world->bodies + i))
            find_union(world, i);
    for (i = 0; i < world->body_limit; i++)
        if (u->root[i] == LEFT_TO_SWEEPS)
            u->root[i] = 0;
    for (i = 0; i < world->body_limit; i++)
        if (pool->first[i] != 0 && u->root[i] == 0 &&
            !is_fixed_body(world->bodies + i))
            find_union(world, i);
}

uint32_t vsp__end_of_union(const vsp__unions *u, uint32_t first)
{
    uint32_t root = u->root[u->order[first]], end = first + 1u;

    while (end < u->count && u->root[u->order[end]] == root)
        end++;
    return end;
}


/* ---- One body in place of many ------------------------------------------- */

/* Returns a body with its state before the step. */
static const vsp__body *kept_body(const vsp_world *world, uint32_t body)
{
    return vsp__kept_step_of(world)->bodies + body;
}

/* Computes the centre of mass of a body of a union, in the root's frame, m. */
static void find_member_center(const vsp_world *world, uint32_t body,
                               vsp__v3 *c)
{
    const vsp__frame *place = vsp__unions_of(world)->place + body;

    vsp__q_rotate(&place->rotation, &kept_body(world, body)->mass_data.center,
                  c);
    v3_add_in(c, &place->position);
}

/* Adds a body to the mass data of its union: in pass 0 its mass, in pass 1 its
 * centre, in pass 2 its inertia. */
static void add_member_mass(const vsp_world *world, uint32_t body,
                            uint32_t pass, vsp__mass_data *sum,
                            vsp__s3_sums *sums)
{
    const vsp__mass_data *own = &kept_body(world, body)->mass_data;
    vsp__sym3 inertia = own->inertia;
    vsp__mat3 axes;
    vsp__num share;
    vsp__v3 c;

    if (pass == 0) {
        sum->mass = w_add(sum->mass, own->mass);
        return;
    }
    share = w_to_unit(w_div(own->mass, sum->mass));
    find_member_center(world, body, &c);
    if (pass == 1) {
        u3_move(&sum->center, share, &c);
        return;
    }
    vsp__q_axes_flushed(&vsp__unions_of(world)->place[body].rotation, &axes);
    vsp__s3_rotate(&axes, &inertia);
    vsp__sums_add_s3(sums, share, &inertia);
    v3_sub_in(&c, &sum->center);
    vsp__sums_add_point(sums, r_of_unit(share), &c);
}

static void sum_masses(const vsp_world *world, uint32_t first, uint32_t last,
                       vsp__mass_data *sum)
{
    const vsp__unions *u = vsp__unions_of(world);
    vsp__s3_sums sums;
    uint32_t i, pass;

    vsp__zero_bytes(sum, sizeof *sum);
    vsp__zero_bytes(&sums, sizeof sums);
    for (pass = 0; pass < 3; pass++)
        for (i = first; i < last; i++)
            add_member_mass(world, u->order[i], pass, sum, &sums);
    vsp__sums_to_s3(&sums, &sum->inertia);
    vsp__flush_each(sum, VSP__WORDS(vsp__mass_data));
}

/* Computes the velocity of a point of body b from its arm. */
static void carry_velocity(const vsp__body *b, const vsp__v3 *arm, vsp__v3 *v)
{
    v3_cross_to(&b->spin, arm, v);
    v3_add_in(v, &b->velocity);
    v3_flush_in(v);
}

void vsp__times_mass(const vsp__body *b, const vsp__v3 *v, vsp__wide3 *p)
{
    vsp__wide mass = b->mass_data.mass;

    p->x = w_mul(mass, w_of_rate(v->x));
    p->y = w_mul(mass, w_of_rate(v->y));
    p->z = w_mul(mass, w_of_rate(v->z));
}

void vsp__momentum_of_spin(const vsp__body *b, const vsp__v3 *spin,
                           vsp__wide3 *p)
{
    vsp__mat3 axes;
    vsp__v3 w = *spin;

    vsp__q_axes_flushed(&b->rotation, &axes);
    vsp__m3_tmul_flushed(&axes, &w);
    s3_mul_to(&b->mass_data.inertia, &w, &w);
    vsp__m3_mul_flushed(&axes, &w);
    vsp__times_mass(b, &w, p);
}

/* Adds the momentum of a body that moves differently from its root, since a
 * call pushed one of them, as an impulse on the union.  Arms are relative to
 * the centres of the root and of the union. */
static void add_own_motion(const vsp__body *b, const vsp__body *root,
                           const vsp__v3 *from_root, const vsp__v3 *arm,
                           vsp__wrench *sum)
{
    vsp__wrench own;
    vsp__v3 v, w;

    carry_velocity(root, from_root, &v);
    vsp__v3_from_to(&v, &b->velocity, &v);
    vsp__v3_from_to(&root->spin, &b->spin, &w);
    if (vsp__are_three_zero(&v.x) && vsp__are_three_zero(&w.x))
        return;
    vsp__times_mass(b, &v, &own.force);
    vsp__momentum_of_spin(b, &w, &own.torque);
    vsp__add_moment(&own.torque, arm, &own.force);
    vsp__add_wides(&sum->force.x, VSP__W_ONE, &own.force.x, 6);
}

/* Adds the forces on a body to those on its union, and its weight in so far as
 * its gravity differs from that of the root. */
static void add_own_forces(const vsp_world *world, const vsp__body *b,
                           const vsp__v3 *arm, vsp__body *sum)
{
    vsp__num scale = r_sub(b->gravity_scale, sum->gravity_scale);
    vsp__v3 pull = world->params.gravity;
    vsp__wide3 force = b->force, weight;

    v3_scale_in(&pull, scale);
    v3_flush_in(&pull);
    vsp__times_mass(b, &pull, &weight);
    vsp__add_wides(&force.x, VSP__W_ONE, &weight.x, 3);
    vsp__add_wides(&sum->force.x, VSP__W_ONE, &force.x, 3);
    vsp__add_wides(&sum->torque.x, VSP__W_ONE, &b->torque.x, 3);
    vsp__add_moment(&sum->torque, arm, &force);
}

/* Wakes a union that is asleep if one of its bodies is awake: its calm time
 * then restarts.  An awake union is as calm as the least calm of its awake
 * bodies. */
static void add_own_wakefulness(const vsp__body *b, vsp__body *sum)
{
    if (!VSP_SLEEP || vsp__is_asleep(b))
        return;
    if (vsp__is_asleep(sum))
        vsp__clear_sleep(sum);
    else if (vsp__calm_parts(b) < vsp__calm_parts(sum))
        vsp__set_calm_parts(sum, vsp__calm_parts(b));
}

/* Adds other properties of a union's body: damping by mass, the smaller
 * max_speed, flags. */
static void add_own_traits(const vsp__body *b, const vsp__body *root,
                           vsp__body *sum)
{
    vsp__num share = w_to_unit(w_div(b->mass_data.mass, sum->mass_data.mass));
    uint32_t k;

    for (k = 0; k < 2; k++) { /* and angular_damping */
        vsp__num more = r_sub((&b->linear_damping)[k],
                              (&root->linear_damping)[k]);
        vsp__num *damping = &sum->linear_damping + k;

        *damping = r_add(*damping, u_mul(share, more));
    }
    sum->max_speed = r_min(sum->max_speed, b->max_speed);
    sum->flags |= b->flags & (VSP__BULLET | VSP__SLEEPLESS);
    add_own_wakefulness(b, sum);
}

/* Makes the root of a dynamic union the body of the whole union. */
static void make_one_body(vsp_world *world, uint32_t first, uint32_t last)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__body *root = kept_body(world, u->order[first]);
    vsp__body *sum = world->bodies + u->order[first];
    uint32_t cut = vsp__even_cut(world->params.tick, VSP__EVEN_FORCE), i;
    vsp__wrench push;
    vsp__inverse_mass inverse;
    vsp__mat3 axes;
    vsp__v3 shift;

    vsp__zero_bytes(&push, sizeof push);
    sum_masses(world, first, last, &sum->mass_data);
    vsp__q_axes_flushed(&root->rotation, &axes);
    v3_sub_to(&sum->mass_data.center, &root->mass_data.center, &shift);
    vsp__m3_mul_flushed(&axes, &shift);
    v3_add_in(&sum->position, &shift);
    carry_velocity(root, &shift, &sum->velocity);
    vsp__zero_bytes(&sum->force, 2u * sizeof sum->force); /* and torque */
    for (i = first; i < last; i++) {
        const vsp__body *b = kept_body(world, u->order[i]);
        vsp__v3 arm, from_root;

        find_member_center(world, u->order[i], &arm);
        v3_sub_to(&arm, &root->mass_data.center, &from_root);
        vsp__m3_mul_flushed(&axes, &from_root);
        vsp__v3_from_to(&shift, &from_root, &arm);
        if (i > first)
            add_own_motion(b, root, &from_root, &arm, &push);
        add_own_forces(world, b, &arm, sum);
        add_own_traits(b, root, sum);
    }
    vsp__find_inverse_mass(sum, &axes, VSP__W_ZERO, &inverse);
    vsp__change_velocity(&inverse, VSP__W_ONE, &push.force, &push.torque, cut,
                         &sum->velocity, &sum->spin);
    vsp__flush_each(&sum->velocity, 12); /* and spin, force, torque */
    vsp__clamp_body(sum);
}

/* Records that the shapes of a root are its own. */
static void keep_shapes(vsp_world *world, uint32_t root)
{
    uint32_t next = world->bodies[root].first_shape;

    for (; next != 0; next = world->shapes[next - 1u].next_shape)
        vsp__unions_of(world)->home[next - 1u].body = (uint16_t)root;
}

/* Moves the shapes of a body to its root, in front of the root's own. */
static void give_shapes(vsp_world *world, uint32_t body)
{
    vsp__unions *u = vsp__unions_of(world);
    vsp__body *root = world->bodies + (u->root[body] - 1u);
    uint32_t next = kept_body(world, body)->first_shape;
    vsp__shape *shape = NULL;

    if (next == 0)
        return;
    for (; next != 0; next = shape->next_shape) {
        vsp__shape_home *home = u->home + (next - 1u);

        shape = world->shapes + (next - 1u);
        home->pose = shape->pose;
        home->surface = shape->surface;
        home->next_shape = shape->next_shape;
        home->body = (uint16_t)body;
        shape->body = (uint16_t)(u->root[body] - 1u);
        compose_frames(&u->place[body], &home->pose, &shape->pose);
        vsp__q_rotate(&u->place[body].rotation, &home->surface,
                      &shape->surface);
        v3_flush_in(&shape->surface);
    }
    shape->next_shape = root->first_shape;
    root->first_shape = kept_body(world, body)->first_shape;
}

/* Moves a joint of bodies in unions to their roots.  Joints between two bodies
 * of one union, or between two fixed bodies, are flagged as inside unions. */
static void give_joint(vsp_world *world, uint32_t slot)
{
    vsp__unions *u = vsp__unions_of(world);
    vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    uint32_t k;

    for (k = 0; k < 2; k++) {
        uint32_t body = j->body[k], root = u->root[body];

        u->ends[slot].frame[k] = j->frame[k];
        u->ends[slot].body[k] = (uint16_t)body;
        if (root == 0 || root == body + 1u)
            continue;
        j->body[k] = (uint16_t)(root - 1u);
        compose_frames(&u->place[body], &u->ends[slot].frame[k], &j->frame[k]);
        if (vsp__is_rope(j)) /* these are no rotations */
            j->frame[k].rotation = u->ends[slot].frame[k].rotation;
    }
    vsp__set_flag(j, VSP__JOINT_IN_UNION,
                  j->type != 0 && !(j->flags & VSP__JOINT_BROKEN) &&
                      (j->body[0] == j->body[1] ||
                       (is_fixed_body(world->bodies + j->body[0]) &&
                        is_fixed_body(world->bodies + j->body[1]))));
}

void vsp__start_unions(vsp_world *world)
{
    vsp__unions *u = vsp__unions_of(world);

    u->count = u->tries = u->is_joined = 0;
    look_for_rigid_joints(world);
}

bool vsp__has_unions(const vsp_world *world, bool *may_break)
{
    const vsp__unions *u = vsp__unions_of(world);

    *may_break = u->is_used != 0 && u->is_weak != 0;
    return u->is_used != 0;
}

bool vsp__are_unions_broken(const vsp_world *world)
{
    return vsp__unions_of(world)->tries > 0;
}

bool vsp__is_in_union(const vsp_world *world, uint32_t body)
{
    const vsp__unions *u = vsp__unions_of(world);

    return u->is_joined && u->root[body] != 0;
}

void vsp__join_unions(vsp_world *world)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t first, last, i;

    if (!u->is_used)
        return;
    find_unions(world, false);
    for (first = 0; first < u->count; first = last) {
        last = vsp__end_of_union(u, first);
        if (!is_fixed_body(world->bodies + u->order[first]))
            make_one_body(world, first, last);
        u->start[u->order[first]] = world->bodies[u->order[first]].position;
        keep_shapes(world, u->order[first]);
        for (i = first + 1u; i < last; i++) {
            give_shapes(world, u->order[i]);
            vsp__zero_bytes(world->bodies + u->order[i], sizeof(vsp__body));
        }
    }
    for (i = 0; u->count > 0 && i < pool->limit; i++)
        if (pool->joints[i].type != 0)
            give_joint(world, i);
    u->is_joined = u->count > 0;
}


/* ---- The bodies restored ------------------------------------------------- */

/* Converts the points of a manifold from the root to the body of its shape. */
static void return_points(vsp_world *world, vsp__manifold *m, uint32_t k)
{
    const vsp__unions *u = vsp__unions_of(world);
    const vsp__body *root = world->bodies + m->body[k];
    uint32_t body = world->shapes[m->shape[k]].body, i;
    vsp__mat3 axes;

    vsp__q_axes_flushed(&u->place[body].rotation, &axes);
    for (i = 0; i < m->point_count; i++) {
        vsp__v3 *arm = world->points[m->first_point + i].arm + k;

        v3_add_in(arm, &root->mass_data.center);
        v3_sub_in(arm, &u->place[body].position);
        vsp__m3_tmul_flushed(&axes, arm);
        v3_sub_in(arm, &kept_body(world, body)->mass_data.center);
        v3_flush_in(arm);
    }
    m->body[k] = (uint16_t)body;
}

static void return_contacts(vsp_world *world)
{
    const vsp__unions *u = vsp__unions_of(world);
    uint32_t i, k;

    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++)
        for (k = 0; k < 2; k++)
            if (u->root[world->manifolds[i].body[k]] != 0)
                return_points(world, world->manifolds + i, k);
}

/* Moves the shapes of a body back from its root. */
static void return_shapes(vsp_world *world, uint32_t body)
{
    vsp__unions *u = vsp__unions_of(world);
    uint32_t next = kept_body(world, body)->first_shape;

    while (next != 0) {
        const vsp__shape_home *home = u->home + (next - 1u);
        vsp__shape *shape = world->shapes + (next - 1u);

        shape->pose = home->pose;
        shape->surface = home->surface;
        shape->next_shape = home->next_shape;
        shape->body = home->body;
        next = home->next_shape;
    }
}

/* Copies whether a body sleeps from its root, and reports a change.  Bodies in
 * a union with a fixed body sleep while that body is at rest. */
static void follow_sleep(vsp_world *world, uint32_t body, const vsp__body *root)
{
    vsp__body *b = world->bodies + body;
    bool was_asleep = vsp__is_asleep(b);
    uint32_t sleep = root->flags;

    if (!VSP_SLEEP)
        return;
    if (is_fixed_body(root))
        sleep = world->params.sleep && vsp__is_at_rest(root) &&
                        !(b->flags & VSP__SLEEPLESS)
                    ? VSP__ASLEEP
                    : 0;
    b->flags = (uint16_t)((b->flags & (VSP__ASLEEP - 1u)) |
                          (sleep & ~(VSP__ASLEEP - 1u)));
    if (VSP_EVENTS && was_asleep != vsp__is_asleep(b))
        vsp__report_sleep(world, body, !was_asleep);
}

static void take_motion(const vsp__body *from, vsp__body *to)
{
    to->position = from->position;
    to->rotation = from->rotation;
    to->velocity = from->velocity;
    to->spin = from->spin;
}

/* Converts the motion of a union's body to that of its root.  The root keeps
 * its pose, to the bit, if the body did not move. */
static void return_root(vsp_world *world, uint32_t slot)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__body *before = kept_body(world, slot);
    vsp__body all = world->bodies[slot], *b = world->bodies + slot;
    vsp__v3 shift;

    *b = *before;
    if (is_fixed_body(b)) {
        take_motion(&all, b);
        return;
    }
    vsp__v3_from_to(&all.mass_data.center, &before->mass_data.center, &shift);
    vsp__q_rotate(&all.rotation, &shift, &shift);
    v3_flush_in(&shift);
    take_motion(&all, b);
    v3_add_in(&b->position, &shift);
    if (!vsp__words_differ(&all.position, &u->start[slot], 3) &&
        !vsp__words_differ(&all.rotation, &before->rotation, 4))
        b->position = before->position;
    carry_velocity(&all, &shift, &b->velocity);
    vsp__clamp_body(b);
    b->flags = (uint16_t)((b->flags & (VSP__ASLEEP - 1u)) |
                          (all.flags & ~(VSP__ASLEEP - 1u)));
}

/* Moves a body of a union with its root. */
static void return_member(vsp_world *world, uint32_t slot)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__body *root = world->bodies + (u->root[slot] - 1u);
    vsp__body *b = world->bodies + slot;
    vsp__v3 arm;

    *b = *kept_body(world, slot);
    find_member_center(world, slot, &arm);
    v3_sub_in(&arm, &root->mass_data.center);
    vsp__q_rotate(&root->rotation, &arm, &arm);
    v3_flush_in(&arm);
    v3_add_to(&root->position, &arm, &b->position);
    vsp__q_mul(&root->rotation, &u->place[slot].rotation, &b->rotation);
    vsp__q_normalize(&b->rotation);
    vsp__flush_each(&b->position, 7); /* and rotation */
    b->spin = root->spin;
    carry_velocity(root, &arm, &b->velocity);
    vsp__clamp_body(b);
    world->height[slot] = world->height[u->root[slot] - 1u];
    follow_sleep(world, slot, root);
}

/* Restores the bodies and frames of a joint.  Flags of joints inside unions
 * stay until their loads are known. */
static void return_joint(vsp_world *world, uint32_t slot)
{
    const vsp__joint_ends *ends = vsp__unions_of(world)->ends + slot;
    vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    uint32_t k;

    for (k = 0; k < 2; k++) {
        j->frame[k] = ends->frame[k];
        j->body[k] = ends->body[k];
    }
}

void vsp__part_unions(vsp_world *world)
{
    vsp__unions *u = vsp__unions_of(world);
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    u->is_joined = 0;
    if (u->count == 0)
        return;
    for (i = 0; i < u->count; i++)
        if (u->root[u->order[i]] != u->order[i] + 1u)
            return_shapes(world, u->order[i]);
    return_contacts(world);
    for (i = 0; i < u->count; i++)
        if (u->root[u->order[i]] == u->order[i] + 1u)
            return_root(world, u->order[i]);
        else
            return_member(world, u->order[i]);
    for (i = 0; i < pool->limit; i++)
        if (pool->joints[i].type != 0)
            return_joint(world, i);
    if (VSP_EVENTS)
        vsp__name_event_bodies(world);
}

void vsp__find_pieces(vsp_world *world)
{
    find_unions(world, true);
}

#endif /* VSP_UNIONS */
