/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Loads of rigid joints.  The solve does not contain these joints, so their
 * impulses follow from the momentum balance of each body.  Section 3.5 of
 * Mueller et al. 2017 takes the result of some sweeps, which depends on the
 * sweep count, and is a hundred times too small in long unions.
 *
 * In this order: loads that bodies need; joints along a tree, exactly; joints
 * that close loops, by a search; then breaking and bending.
 *
 * Along a tree each joint transmits what the bodies behind it need.  In a loop,
 * any impulse of the closing joint is in balance with some impulses of the
 * others; the right one makes the energy of bending least, as in a lattice of
 * equal springs.  Conjugate gradients find it, starting from the impulse of the
 * step before. */

#include "step.h"

#if VSP_UNIONS

/* Iterations of a search, and how often it is continued if joints would
 * break. */
#define LOAD_SEARCHES 12u
#define MORE_SEARCHES 5u

/* Largest number of retakes because joints are overloaded; under SHOCK, whose
 * tries take as many sweeps for each layer. */
#define MAX_TRIES 4u
#define MAX_SHOCK_TRIES 2u

/* the impulse of a joint on its body 1, at the anchor */
enum { OF_LOAD, OF_TRIAL, IMPULSE_KINDS };

typedef struct union_joint { /* scratch of a joint inside a union */
    vsp__v3 arm[2];          /* from both centres of mass to the anchor, m */
    vsp__mat3 axes;          /* axes of frame A */
    vsp__wide ease;          /* angle per angular impulse, over displacement per
                                impulse, 1/m^2 */
    vsp__wrench impulse[IMPULSE_KINDS];
    vsp__wide held[3];        /* torque that a joint which bends in a loop also
                                 carries, about the axes: N m s */
    vsp__wrench slope, curve; /* closing joint: gradient of the energy by its
                                 impulse; the same along the trial */
    bool is_closing;
} union_joint;

typedef struct union_body { /* scratch of a body of a union */
    vsp__wrench need;       /* impulse that it needs from its joints */
    vsp__wide strength;     /* sum of the strengths of its joints, N s */
    vsp__wrench sum;        /* need of this body and all behind it; then
                               displacement and rotation in the lattice */
} union_body;

VSP_STATIC_ASSERT(union_joints_fit,
                  sizeof(union_joint) <= VSP__JOINT_ROW_BYTES);
VSP_STATIC_ASSERT(union_bodies_fit,
                  VSP_MAX_BODIES * sizeof(union_body) <= VSP__SOLVE_BYTES);

/* One union: intervals of the order of bodies, and of the pool's order, which
 * lists the joints inside unions after a solve. */
typedef struct union_span {
    vsp_world *world;
    uint32_t first, last;
    uint32_t first_joint, last_joint;
} union_span;

static VSP__CALLED union_joint *joint_scratch(const vsp_world *world,
                                              uint32_t slot)
{
    return (union_joint *)(void *)(vsp__joint_pool_of(world)
                                       ->scratch.step_joints) +
           slot;
}

static union_body *body_scratch(const vsp_world *world, uint32_t slot)
{
    return (union_body *)(void *)vsp__solve_of(world) + slot;
}

/* sum += k w */
static void add_wrench(vsp__wrench *sum, vsp__wide k, const vsp__wrench *w)
{
    vsp__add_wides(&sum->force.x, k, &w->force.x, 6); /* and torque */
}

static vsp__wide minus_one(void)
{
    return w_neg(VSP__W_ONE);
}

/* sum += w or, if is_negative, sum -= w */
static VSP__CALLED void add_signed(vsp__wrench *sum, bool is_negative,
                                   const vsp__wrench *w)
{
    add_wrench(sum, is_negative ? minus_one() : VSP__W_ONE, w);
}


/* ---- Loads that bodies need ---------------------------------------------- */

/* Computes the change of a body's momentum in the step, less the impulse of
 * forces and gravity. */
static void start_need(const vsp_world *world, uint32_t body)
{
    const vsp__body *old = vsp__kept_step_of(world)->bodies + body;
    const vsp__body *now = world->bodies + body;
    vsp__wide h = w_neg(w_of_unit(world->params.dt));
    vsp__wrench *need = &body_scratch(world, body)->need;
    vsp__v3 pull = world->params.gravity, v;
    vsp__wide3 part;

    v3_scale_in(&pull, now->gravity_scale);
    v3_flush_in(&pull);
    v3_sub_to(&now->velocity, &old->velocity, &v);
    vsp__times_mass(now, &v, &need->force);
    vsp__times_mass(now, &pull, &part);
    vsp__add_wides(&need->force.x, h, &part.x, 3);
    vsp__momentum_of_spin(now, &now->spin, &need->torque);
    vsp__momentum_of_spin(old, &old->spin, &part);
    vsp__add_wides(&need->torque.x, minus_one(), &part.x, 3);
    vsp__add_wides(&need->force.x, h, &old->force.x, 3);
    vsp__add_wides(&need->torque.x, h, &old->torque.x, 3);
}

/* Subtracts an impulse at an arm (adds it if is_negative) from the impulse that
 * a body of a union still needs from its joints. */
static void take_impulse(vsp_world *world, uint32_t body, const vsp__v3 *arm,
                         bool is_negative, const vsp__wrench *impulse)
{
    vsp__wrench moved = *impulse;

    if (vsp__unions_of(world)->root[body] == 0)
        return;
    vsp__add_moment(&moved.torque, arm, &moved.force);
    add_signed(&body_scratch(world, body)->need, !is_negative, &moved);
}

/* adds axis times part to a sum */
static void add_along_axis(vsp__wide3 *sum, const vsp__v3 *axis, vsp__wide part)
{
    vsp__wide way[3] = {w_of_unit(axis->x), w_of_unit(axis->y),
                        w_of_unit(axis->z)};

    vsp__add_wides(&sum->x, part, way, 3);
}

/* Subtracts the impulses of a manifold from the needs of its bodies. */
static void take_contacts(vsp_world *world, const vsp__manifold *m)
{
    uint32_t i, k;
    vsp__v3 t[2];

    vsp__make_tangents(&m->normal, &t[0], &t[1]);
    for (i = 0; i < m->point_count; i++) {
        const vsp__manifold_point *p = world->points + m->first_point + i;
        const vsp__wide *x = p->multiplier.impulse;
        vsp__wrench w;

        vsp__zero_bytes(&w, sizeof w);
        add_along_axis(&w.force, &m->normal, x[0]);
        add_along_axis(&w.force, &t[0], x[1]);
        add_along_axis(&w.force, &t[1], x[2]);
        for (k = 0; k < 2; k++) {
            vsp__v3 arm;

            vsp__q_rotate(&world->bodies[m->body[k]].rotation, &p->arm[k],
                          &arm);
            take_impulse(world, m->body[k], &arm, k == 0, &w);
        }
    }
}

/* Computes the impulse of a joint on its body 1, along the axes of its pose. */
static void find_joint_wrench(const vsp__joint *j, const vsp__joint_pose *s,
                              const vsp__wide *impulse, vsp__wrench *w)
{
    vsp__wide sum[3];
    uint32_t k;

    vsp__zero_bytes(w, sizeof *w);
    vsp__sum_impulses(j, impulse, false, sum);
    for (k = 0; k < 3; k++)
        add_along_axis(&w->force, &s->axes[0].axis[k], sum[k]);
    vsp__sum_impulses(j, impulse, true, sum);
    for (k = 0; k < 3; k++)
        add_along_axis(&w->torque, &s->axes[1].axis[k], sum[k]);
}

/* Subtracts the impulse of a joint that is not inside a union. */
static void take_joint(vsp_world *world, uint32_t slot)
{
    const vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    vsp__wide whole[VSP__JOINT_ROWS];
    vsp__joint_pose s;
    vsp__wrench w;
    uint32_t k;

    vsp__find_whole_impulses(j, whole);
    vsp__find_joint_pose(world, j, &s);
    find_joint_wrench(j, &s, whole, &w);
    for (k = 0; k < 2; k++)
        take_impulse(world, j->body[k], s.arm + k, k == 0, &w);
}

/* Computes the impulse that each body of a union needs from its joints. */
static void find_needs(vsp_world *world)
{
    const vsp__unions *u = vsp__unions_of(world);
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = 0; i < u->count; i++)
        start_need(world, u->order[i]);
    for (i = 0; i < world->contacts[VSP__CONTACTS_SOLVED].manifold_count; i++)
        take_contacts(world, world->manifolds + i);
    for (i = 0; i < pool->limit; i++)
        if (vsp__is_holding(world, pool->joints + i))
            take_joint(world, i);
}

/* Damping acts on all bodies of a union alike and loads no joint, so the net
 * need of a free union is subtracted from each body by its mass. */
static void balance_needs(const union_span *s)
{
    const uint16_t *order = vsp__unions_of(s->world)->order;
    vsp__wide mass = VSP__W_ZERO;
    vsp__wide3 sum;
    uint32_t i;

    vsp__zero_bytes(&sum, sizeof sum);
    for (i = s->first; i < s->last; i++) {
        mass = w_add(mass, s->world->bodies[order[i]].mass_data.mass);
        vsp__add_wides(&sum.x, VSP__W_ONE,
                       &body_scratch(s->world, order[i])->need.force.x, 3);
    }
    for (i = s->first; i < s->last; i++)
        vsp__add_wides(
            &body_scratch(s->world, order[i])->need.force.x,
            w_neg(w_div(s->world->bodies[order[i]].mass_data.mass, mass)),
            &sum.x, 3);
}

/* Returns the root + 1 of the union that a FIXED joint is inside of, or 0, also
 * for one that breaks.  One of its bodies may be static, and outside of the
 * union. */
static uint32_t union_of_joint(const vsp_world *world, const vsp__joint *j)
{
    const vsp__unions *u = vsp__unions_of(world);
    uint32_t a = u->root[j->body[0]], b = u->root[j->body[1]];

    if (!(j->flags & VSP__JOINT_IN_UNION) || j->type != VSP_JOINT_FIXED ||
        (j->flags & VSP__JOINT_BREAKS))
        return 0;
    if (!vsp__is_dynamic(world->bodies + j->body[0]))
        return b;
    return a == b || !vsp__is_dynamic(world->bodies + j->body[1]) ? a : 0;
}


/* ---- Along a tree -------------------------------------------------------- */

/* Whether a body is in the union.  Static bodies outside of it are ground. */
static bool is_in(const union_span *s, uint32_t body)
{
    const vsp__unions *u = vsp__unions_of(s->world);

    return u->root[body] == u->root[u->order[s->first]];
}

/* joint i of a span, and its scratch */

static vsp__joint *joint_of(const union_span *s, uint32_t i)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(s->world);

    return pool->joints + pool->order[i];
}

static union_joint *scratch_of(const union_span *s, uint32_t i)
{
    return joint_scratch(s->world, vsp__joint_pool_of(s->world)->order[i]);
}

/* Adds the impulses of closing joints to the sums of bodies. */
static void add_closing(const union_span *s, uint32_t kind)
{
    uint32_t i, k;

    for (i = s->first_joint; i < s->last_joint; i++) {
        const union_joint *own = scratch_of(s, i);

        for (k = 0; own->is_closing && k < 2; k++) {
            uint32_t body = joint_of(s, i)->body[k];
            vsp__wrench w = own->impulse[kind];

            if (!is_in(s, body))
                continue;
            vsp__add_moment(&w.torque, own->arm + k, &w.force);
            add_signed(&body_scratch(s->world, body)->sum, k == 1, &w);
        }
    }
}

/* Computes the load of each joint of the tree, from the leaves to the root: of
 * OF_TRIAL, without the needs of bodies. */
static void bear_tree_loads(const union_span *s, uint32_t kind)
{
    const vsp__unions *u = vsp__unions_of(s->world);
    uint32_t i;

    for (i = s->first; i < s->last; i++) {
        union_body *b = body_scratch(s->world, u->order[i]);

        vsp__zero_bytes(&b->sum, sizeof b->sum);
        if (kind == OF_LOAD)
            b->sum = b->need;
    }
    add_closing(s, kind);
    for (i = s->last - 1u; i > s->first; i--) {
        uint32_t body = u->order[i], slot = u->joint[body];
        const vsp__joint *j = vsp__joint_pool_of(s->world)->joints + slot;
        union_joint *own = joint_scratch(s->world, slot);
        uint32_t k = j->body[1] == body ? 1 : 0;
        vsp__wrench w = body_scratch(s->world, body)->sum;
        vsp__v3 back;

        v3_neg_to(own->arm + k, &back);
        vsp__add_moment(&w.torque, &back, &w.force); /* about the anchor */
        vsp__zero_bytes(&own->impulse[kind], sizeof own->impulse[kind]);
        add_signed(&own->impulse[kind], k == 0, &w);
        vsp__add_moment(&w.torque, own->arm + (1u - k), &w.force);
        add_signed(&body_scratch(s->world, j->body[1u - k])->sum, false, &w);
    }
}


/* ---- In loops ------------------------------------------------------------ */

/* Computes displacement and rotation of a point of a body in the lattice, like
 * velocity and spin. */
static void shift_to(const vsp__wrench *body, const vsp__v3 *arm,
                     vsp__wrench *at)
{
    vsp__v3 back;

    v3_neg_to(arm, &back);
    *at = *body;
    vsp__add_moment(&at->force, &back, &body->torque); /* turn x arm */
}

/* Computes the strain of the spring that replaces a joint, from its impulse. */
static void strain_joint(const union_joint *own, uint32_t kind,
                         vsp__wrench *strain)
{
    vsp__zero_bytes(strain, sizeof *strain);
    strain->force = own->impulse[kind].force;
    vsp__add_wides(&strain->torque.x, own->ease, &own->impulse[kind].torque.x,
                   3);
}

/* Computes displacement and rotation of each body, from the root, if springs
 * replaced the tree's joints. */
static void find_shifts(const union_span *s, uint32_t kind)
{
    const vsp__unions *u = vsp__unions_of(s->world);
    uint32_t i;

    vsp__zero_bytes(&body_scratch(s->world, u->order[s->first])->sum,
                    sizeof(vsp__wrench));
    for (i = s->first + 1u; i < s->last; i++) {
        uint32_t body = u->order[i], slot = u->joint[body];
        const vsp__joint *j = vsp__joint_pool_of(s->world)->joints + slot;
        const union_joint *own = joint_scratch(s->world, slot);
        uint32_t k = j->body[1] == body ? 1 : 0;
        vsp__wrench *sum = &body_scratch(s->world, body)->sum, strain;
        vsp__v3 back;

        shift_to(&body_scratch(s->world, j->body[1u - k])->sum,
                 own->arm + (1u - k), sum);
        strain_joint(own, kind, &strain);
        add_signed(sum, k == 0, &strain);
        v3_neg_to(own->arm + k, &back);
        shift_to(sum, &back, sum);
    }
}

/* Computes the gradient of the lattice's energy by the impulse of each closing
 * joint. */
static void find_slopes(const union_span *s, uint32_t kind)
{
    uint32_t i, k;

    bear_tree_loads(s, kind);
    find_shifts(s, kind);
    for (i = s->first_joint; i < s->last_joint; i++) {
        union_joint *own = scratch_of(s, i);
        vsp__wrench *to = kind == OF_LOAD ? &own->slope : &own->curve;

        if (!own->is_closing)
            continue;
        strain_joint(own, kind, to);
        for (k = 0; k < 2; k++) {
            uint32_t body = joint_of(s, i)->body[k];
            vsp__wrench at;

            if (!is_in(s, body))
                continue;
            shift_to(&body_scratch(s->world, body)->sum, own->arm + k, &at);
            add_signed(to, k == 1, &at);
        }
    }
}

/* Scalar products over all closing joints. */
typedef struct slope_sums {
    vsp__wide load;  /* of the impulse with itself, torques times ease */
    vsp__wide slope; /* of the slope with itself, rotations over ease */
    vsp__wide along; /* of the slope with the trial */
    vsp__wide curve; /* of the curve with the trial */
} slope_sums;

static vsp__wide dot_wides(const vsp__wide *a, const vsp__wide *b)
{
    return w_add(w_add(w_mul(a[0], b[0]), w_mul(a[1], b[1])),
                 w_mul(a[2], b[2]));
}

static VSP__CALLED vsp__wide dot_wrenches(const vsp__wrench *a,
                                          const vsp__wrench *b)
{
    return w_add(dot_wides(&a->force.x, &b->force.x),
                 dot_wides(&a->torque.x, &b->torque.x));
}

static void sum_slopes(const union_span *s, slope_sums *sums)
{
    uint32_t i;

    vsp__zero_bytes(sums, sizeof *sums);
    for (i = s->first_joint; i < s->last_joint; i++) {
        const union_joint *own = scratch_of(s, i);
        const vsp__wrench *g = &own->slope, *p = &own->impulse[OF_TRIAL],
                          *x = &own->impulse[OF_LOAD];

        if (!own->is_closing)
            continue;
        sums->load = w_add(
            sums->load,
            w_add(dot_wides(&x->force.x, &x->force.x),
                  w_mul(dot_wides(&x->torque.x, &x->torque.x), own->ease)));
        sums->slope = w_add(
            sums->slope,
            w_add(dot_wides(&g->force.x, &g->force.x),
                  w_div(dot_wides(&g->torque.x, &g->torque.x), own->ease)));
        sums->along = w_add(sums->along, dot_wrenches(g, p));
        sums->curve = w_add(sums->curve, dot_wrenches(&own->curve, p));
    }
}

/* trial = k trial - slope, its rotations divided by ease */
static void turn_trials(const union_span *s, vsp__wide k)
{
    uint32_t i;

    for (i = s->first_joint; i < s->last_joint; i++) {
        union_joint *own = scratch_of(s, i);
        vsp__wrench next, *trial = &own->impulse[OF_TRIAL];

        if (!own->is_closing)
            continue;
        vsp__zero_bytes(&next, sizeof next);
        add_wrench(&next, k, trial);
        vsp__add_wides(&next.force.x, minus_one(), &own->slope.force.x, 3);
        vsp__add_wides(&next.torque.x, w_neg(w_div(VSP__W_ONE, own->ease)),
                       &own->slope.torque.x, 3);
        *trial = next;
    }
}

/* Advances the search along the trial by this factor, for all joints of the
 * union. */
static void follow_trials(const union_span *s, vsp__wide part)
{
    uint32_t i;

    for (i = s->first_joint; i < s->last_joint; i++) {
        union_joint *own = scratch_of(s, i);

        add_wrench(&own->impulse[OF_LOAD], part, &own->impulse[OF_TRIAL]);
        if (own->is_closing)
            add_wrench(&own->slope, part, &own->curve);
    }
}

/* Largest gradient, as a fraction of the load, squared: below FOUND the loads
 * count as found; below EXACT the search ends. */
#define FOUND VSP__UNIT(1e-3)
#define EXACT VSP__UNIT(1e-6)

static bool is_slope_above(const slope_sums *sums, vsp__num part)
{
    return w_less(w_mul(w_of_unit(part), sums->load), sums->slope);
}

/* Conjugate gradients.  Each state of the search is in balance.  Returns
 * whether the loads were found. */
static bool search_loads(const union_span *s)
{
    slope_sums sums;
    vsp__wide last;
    uint32_t i;

    find_slopes(s, OF_LOAD);
    turn_trials(s, VSP__W_ZERO);
    sum_slopes(s, &sums);
    for (i = 0; i < LOAD_SEARCHES && is_slope_above(&sums, EXACT); i++) {
        find_slopes(s, OF_TRIAL);
        sum_slopes(s, &sums);
        if (!w_less(VSP__W_ZERO, sums.curve))
            break;
        last = sums.slope;
        follow_trials(s, w_neg(w_div(sums.along, sums.curve)));
        sum_slopes(s, &sums);
        turn_trials(s, w_div(sums.slope, last));
    }
    return !is_slope_above(&sums, FOUND);
}


/* ---- Loads of a union ---------------------------------------------------- */

/* Lists the joints inside unions, union by union; was[root] becomes the end of
 * a root's interval. */
static void sort_joints_inside(vsp_world *world)
{
    vsp__unions *u = vsp__unions_of(world);
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, end = 0;

    vsp__zero_bytes(u->was, sizeof u->was);
    for (i = 0; i < pool->limit; i++)
        if (union_of_joint(world, pool->joints + i) != 0)
            u->was[union_of_joint(world, pool->joints + i) - 1u]++;
    for (i = 0; i < u->count; i++) { /* counts become starts */
        uint32_t body = u->order[i], count = u->was[body];

        u->was[body] = (uint16_t)end;
        end += count;
    }
    for (i = 0; i < pool->limit; i++)
        if (union_of_joint(world, pool->joints + i) != 0)
            pool->order[u->was[union_of_joint(world, pool->joints + i) -
                               1u]++] = (uint16_t)i;
}

/* Returns the largest angular impulse about an axis at which a joint does not
 * yield, N m s. */
static vsp__wide yield_impulse(const vsp_world *world, const vsp__joint *j)
{
    return w_mul(j->yield_torque, w_of_unit(world->params.dt));
}

/* factor by which a joint that bends is softer, if a loop holds its bodies */
#define SOFTER VSP__REAL(1000.0)

/* Prepares a joint that bends while a loop still holds its bodies: it carries
 * its yield torque as an external torque, and hardly more. */
static void start_bending_joint(vsp_world *world, const vsp__joint *j,
                                union_joint *own)
{
    vsp__wide most = yield_impulse(world, j);
    vsp__wrench held;
    uint32_t k;

    vsp__zero_bytes(&held, sizeof held);
    for (k = 0; k < 3; k++) {
        vsp__wide *part = own->held + k;

        *part = w_clamp(j->impulse[VSP__ROW_TURN_X + k], most);
        add_along_axis(&held.torque, &own->axes.axis[k], *part);
    }
    own->impulse[OF_LOAD].torque = own->impulse[OF_TRIAL].torque;
    own->ease = w_mul(own->ease, w_of_real(SOFTER));
    for (k = 0; k < 2; k++)
        take_impulse(world, j->body[k], own->arm + k, k == 0, &held);
}

/* Prepares a joint inside a union, at first as a closing one. */
static void start_joint(vsp_world *world, const vsp__joint *j, union_joint *own)
{
    vsp__joint_pose pose;
    vsp__v3 way;
    vsp__num apart;

    vsp__find_joint_pose(world, j, &pose);
    own->arm[0] = pose.arm[0];
    own->arm[1] = pose.arm[1];
    own->axes = pose.axes[0];
    v3_sub_to(&pose.arm[1], &pose.arm[0], &way);
    apart = r_max(v3_length_at(&way), VSP__REAL(0.001));
    own->ease = w_div(w_of_real(VSP__REAL(12.0)), w_of_square(r_square(apart)));
    vsp__zero_bytes(own->impulse, sizeof own->impulse);
    vsp__zero_bytes(own->held, sizeof own->held);
    find_joint_wrench(j, &pose, j->impulse, &own->impulse[OF_LOAD]);
    own->is_closing = true;
    if (j->flags & VSP__JOINT_BEARS)
        start_bending_joint(world, j, own);
}

/* Prepares the joints inside a union.  Returns whether a search is needed:
 * joints close loops, and one may break or bend. */
static bool start_joints(const union_span *s)
{
    const vsp__unions *u = vsp__unions_of(s->world);
    uint32_t tree = s->last - s->first - 1u, i;
    bool is_any_weak = false;

    for (i = s->first_joint; i < s->last_joint; i++) {
        start_joint(s->world, joint_of(s, i), scratch_of(s, i));
        is_any_weak = is_any_weak || vsp__is_weak(joint_of(s, i));
    }
    for (i = s->first + 1u; i < s->last; i++)
        joint_scratch(s->world, u->joint[u->order[i]])->is_closing = false;
    return is_any_weak && s->last_joint - s->first_joint > tree;
}

/* Returns the component of an impulse along an axis. */
static vsp__wide part_along(const vsp__v3 *axis, const vsp__wide3 *impulse)
{
    vsp__wide way[3] = {w_of_unit(axis->x), w_of_unit(axis->y),
                        w_of_unit(axis->z)};

    return dot_wides(way, &impulse->x);
}

/* Stores the loads of the joints inside a union, along the axes of frame A. */
static void store_loads(const union_span *s)
{
    uint32_t i, k;

    for (i = s->first_joint; i < s->last_joint; i++) {
        vsp__joint *j = joint_of(s, i);
        const union_joint *own = scratch_of(s, i);
        const vsp__wrench *w = &own->impulse[OF_LOAD];

        for (k = 0; k < 3; k++) {
            const vsp__v3 *axis = &own->axes.axis[k];
            vsp__wide turn = w_add(own->held[k], part_along(axis, &w->torque));

            j->impulse[VSP__ROW_X + k] = w_flush(
                vsp__clamp_impulse(part_along(axis, &w->force)));
            j->impulse[VSP__ROW_TURN_X + k] = w_flush(vsp__clamp_impulse(turn));
        }
    }
}


/* ---- Breaks and bends ---------------------------------------------------- */

/* Returns the largest angular impulse of a joint about an axis, over the one at
 * which it yields. */
static vsp__wide yield_ratio(const vsp_world *world, const vsp__joint *j,
                             const vsp__wide *impulse)
{
    vsp__wide largest = VSP__W_ZERO;
    uint32_t k;

    for (k = VSP__ROW_TURN_X; k <= VSP__ROW_TURN_Z; k++) {
        vsp__wide size = impulse[k];

        if (w_less(size, VSP__W_ZERO))
            size = w_neg(size);
        if (w_less(largest, size))
            largest = size;
    }
    return w_div(largest, yield_impulse(world, j));
}

/* The fraction of its yield torque above which a joint still bends: in sweeps,
 * whose torque is not exact after a cold start, or in a loop. */
#define STILL_BENDS VSP__UNIT(0.9)

/* Whether a joint that bends in a loop would bend at its full stiffness. */
static bool bends_in_loop(const union_span *s, uint32_t i)
{
    const union_joint *own = scratch_of(s, i);
    vsp__wide turn[VSP__JOINT_ROWS];
    uint32_t k;

    for (k = 0; k < 3; k++)
        turn[VSP__ROW_TURN_X + k] = w_add(
            own->held[k], w_mul(w_of_real(SOFTER),
                                part_along(&own->axes.axis[k],
                                           &own->impulse[OF_LOAD].torque)));
    return w_less(w_of_unit(STILL_BENDS),
                  yield_ratio(s->world, joint_of(s, i), turn));
}

/* Begins to bend one more joint of a union that yields: the most overloaded
 * one.  Others may follow in the next steps, if they are still overloaded; if
 * all bent at once, sweeps would not compute their loads.  Returns whether one
 * begins. */
static bool begin_bend(const union_span *s)
{
    vsp__wide largest = VSP__W_ONE;
    uint32_t i, weakest = s->last_joint;

    for (i = s->first_joint; i < s->last_joint; i++) {
        vsp__joint *j = joint_of(s, i);
        vsp__wide ratio;

        if (w_is_zero(j->yield_torque))
            continue;
        if (j->flags & VSP__JOINT_BEARS) {
            vsp__set_flag(j, VSP__JOINT_BEARS, bends_in_loop(s, i));
            continue;
        }
        ratio = yield_ratio(s->world, j, j->impulse);
        if (w_less(largest, ratio)) {
            largest = ratio;
            weakest = i;
        }
    }
    if (weakest == s->last_joint)
        return false;
    vsp__set_flag(joint_of(s, weakest), VSP__JOINT_BEARS, true);
    return true;
}

/* The fraction of the largest overload in a union above which joints break in
 * the same step. */
#define NEARLY_LARGEST VSP__UNIT(0.5)

/* A joint that an earlier try found overloaded breaks above this load over
 * strength, squared: in the sweeps its rows carry no more than the strength. */
#define STILL_BREAKS VSP__UNIT(0.8)

/* Returns the largest overload of a union's joints, squared. */
static vsp__wide largest_overload(const union_span *s)
{
    vsp__wide largest = VSP__W_ZERO;
    uint32_t i;

    for (i = s->first_joint; i < s->last_joint; i++) {
        vsp__wide square = vsp__square_of_joint_load(joint_of(s, i),
                                                     joint_of(s, i)->impulse);

        if (w_less(largest, square))
            largest = square;
    }
    return largest;
}

/* Flags the joints of a union that break: the most overloaded ones.  An impact
 * loads the whole union in one step, which in a real solid takes many; so a
 * crack begins where it would begin there, and the other joints hold if the
 * remaining load is not too large.  Returns whether any breaks. */
static bool begin_breaks(const union_span *s)
{
    vsp__wide part = w_of_unit(u_mul(NEARLY_LARGEST, NEARLY_LARGEST));
    vsp__wide largest = w_mul(part, largest_overload(s));
    bool is_any = false;
    uint32_t i;

    if (w_less(largest, VSP__W_ONE))
        largest = VSP__W_ONE;
    for (i = s->first_joint; i < s->last_joint; i++)
        if (w_less(largest, vsp__square_of_joint_load(
                                joint_of(s, i), joint_of(s, i)->impulse))) {
            vsp__set_flag(joint_of(s, i), VSP__JOINT_BREAKS, true);
            is_any = true;
        }
    return is_any;
}

/* Sums up the strengths of each body's joints.  A joint that never breaks
 * counts more than any load: no product of mass and speed is as large. */
static void sum_strengths(const union_span *s)
{
    const vsp__unions *u = vsp__unions_of(s->world);
    vsp__wide most = w_read(VSP_MAX_FORCE);
    uint32_t i, k;

    most = w_mul(most, most);
    for (i = s->first; i < s->last; i++)
        body_scratch(s->world, u->order[i])->strength = VSP__W_ZERO;
    for (i = s->first_joint; i < s->last_joint; i++)
        for (k = 0; k < 2; k++) {
            const vsp__joint *j = joint_of(s, i);
            vsp__wide *sum = &body_scratch(s->world, j->body[k])->strength;

            if (is_in(s, j->body[k]))
                *sum = w_add(*sum, w_is_zero(j->break_impulse)
                                       ? most
                                       : j->break_impulse);
        }
}

/* Flags the joints of bodies whose need exceeds the total strength of their
 * joints: an impact tears them out, however the joints share it, so the loads
 * need not be known.  Returns whether there are any. */
static bool tear_bodies_out(const union_span *s)
{
    bool is_any = false;
    uint32_t i, k;

    sum_strengths(s);
    for (i = s->first_joint; i < s->last_joint; i++)
        for (k = 0; k < 2; k++) {
            uint32_t body = joint_of(s, i)->body[k];
            const union_body *b = body_scratch(s->world, body);

            if (!is_in(s, body) || !vsp__is_dynamic(s->world->bodies + body) ||
                !w_less(VSP__W_ONE,
                        vsp__square_of_load(&b->need.force.x, b->strength)))
                continue;
            vsp__set_flag(joint_of(s, i), VSP__JOINT_BREAKS, true);
            is_any = true;
        }
    return is_any;
}

/* Computes the loads of a union.  Returns whether joints begin to bend or
 * break. */
static bool find_union_loads(const union_span *s)
{
    const vsp__unions *u = vsp__unions_of(s->world);
    uint32_t root = u->order[s->first], k = 0;
    bool is_searched, is_known, is_any;

    if (vsp__is_asleep(vsp__kept_step_of(s->world)->bodies + root) &&
        vsp__is_asleep(s->world->bodies + root))
        return false;
    if (vsp__is_dynamic(s->world->bodies + root))
        balance_needs(s);
    is_any = tear_bodies_out(s);
    is_searched = start_joints(s);
    bear_tree_loads(s, OF_LOAD);
    do {
        is_known = !is_searched || search_loads(s);
        store_loads(s);
    } while (is_searched && k++ < MORE_SEARCHES &&
             w_less(VSP__W_ONE, largest_overload(s)));
    if (is_known)
        is_any = begin_bend(s) || is_any;
    return (is_known && begin_breaks(s)) || is_any;
}

/* Makes the present rotation of a joint its new rest rotation.  Returns the
 * angle, rad. */
static vsp__num take_bend(vsp_world *world, vsp__joint *j)
{
    vsp__joint_pose s;
    vsp__unit_quat of_b;

    vsp__find_joint_pose(world, j, &s);
    vsp__q_mul(&world->bodies[j->body[1]].rotation, &j->frame[1].rotation,
               &of_b);
    vsp__q_div(&world->bodies[j->body[0]].rotation, &of_b,
               &j->frame[0].rotation);
    vsp__q_normalize(&j->frame[0].rotation);
    vsp__flush_each(&j->frame[0].rotation, 4);
    return v3_length_at(&s.twisted);
}

/* Ends the step of a rigid joint in the sweeps.  It bends until it carries its
 * load again. */
static void bend_joint(vsp_world *world, vsp__joint *j,
                       const vsp__wide *impulse)
{
    bool is_bending = w_less(w_of_unit(STILL_BENDS),
                             yield_ratio(world, j, impulse));

    if ((j->flags & VSP__JOINT_BEARS) || is_bending)
        j->bent = r_min(r_add(j->bent, take_bend(world, j)),
                        r_read(VSP__MOST_BENT));
    vsp__set_flag(j, VSP__JOINT_BEARS, is_bending);
}

/* Ends the step of a joint.  Returns whether it breaks: inside a union, if it
 * was overloaded; outside, by its load or by its bends. */
static bool breaks_now(vsp_world *world, uint32_t slot)
{
    vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    bool is_overloaded = (j->flags & VSP__JOINT_BREAKS) != 0;
    vsp__wide whole[VSP__JOINT_ROWS];

    if (j->flags & VSP__JOINT_IN_UNION)
        return is_overloaded;
    if (!(j->flags & VSP__JOINT_RIGID) || !vsp__is_holding(world, j) ||
        !(vsp__is_awake(world->bodies + j->body[0]) ||
          vsp__is_awake(world->bodies + j->body[1])))
        return false;
    vsp__find_whole_impulses(j, whole);
    if (!w_is_zero(j->yield_torque))
        bend_joint(world, j, whole);
    return w_less(is_overloaded ? w_of_unit(STILL_BREAKS) : VSP__W_ONE,
                  vsp__square_of_joint_load(j, whole)) ||
           (j->break_angle > 0 && j->bent > j->break_angle);
}

/* Reports the bodies that are in another union than before. */
static void report_splits(vsp_world *world)
{
    const vsp__unions *u = vsp__unions_of(world);
    uint32_t i;

    for (i = 0; i < world->body_limit; i++) {
        uint32_t root = u->root[i] != 0 ? u->root[i] : i + 1u;

        if (VSP_EVENTS && u->was[i] != 0 && u->was[i] != root)
            vsp__report_split(world, i, root - 1u);
    }
}

/* Wakes the bodies of a joint that breaks or bends, and reports it.  Bodies in
 * a union with a fixed body may be asleep until then. */
static void wake_ends(vsp_world *world, const vsp__joint *j)
{
    uint32_t k;

    if (!VSP_SLEEP)
        return;
    for (k = 0; k < 2; k++) {
        uint32_t body = j->body[k];

        if (!vsp__is_asleep(world->bodies + body))
            continue;
        vsp__wake_body(world, body);
        if (VSP_EVENTS)
            vsp__report_sleep(world, body, false);
    }
}

/* Breaks the first `count` joints of the pool's order, which is only a list
 * here. */
static void break_and_split(vsp_world *world, uint32_t count)
{
    vsp__unions *u = vsp__unions_of(world);
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    vsp__find_pieces(world);
    for (i = 0; i < world->body_limit; i++)
        u->was[i] = u->root[i];
    for (i = 0; i < count; i++) {
        uint32_t slot = pool->order[i];

        wake_ends(world, pool->joints + slot);
        vsp__break_joint(world, pool->joints + slot);
        vsp__report_joint_news(world, slot, VSP__JOINT_BROKEN);
    }
    vsp__find_pieces(world);
    report_splits(world);
}

/* Ends the step of a joint for unions.  A joint without load has no impulse. */
static void leave_union(vsp_world *world, uint32_t slot)
{
    vsp__joint *j = vsp__joint_pool_of(world)->joints + slot;
    uint32_t before = vsp__joint_pool_of(world)->kept[slot].flags;

    if ((j->flags & VSP__JOINT_IN_UNION) && union_of_joint(world, j) == 0) {
        vsp__set_flag(j, VSP__JOINT_BEARS, false);
        vsp__zero_bytes(j->impulse, sizeof j->impulse);
    }
    vsp__set_flag(j, VSP__JOINT_IN_UNION | VSP__JOINT_BREAKS, false);
    if (!(j->flags & VSP__JOINT_RIGID))
        return;
    vsp__report_joint_news(world, slot, j->flags & ~before & VSP__JOINT_BEARS);
    if (j->flags & VSP__JOINT_BEARS)
        wake_ends(world, j);
}

/* Computes the loads of all unions.  Returns whether joints begin to bend or
 * break. */
static bool find_all_loads(vsp_world *world)
{
    const vsp__unions *u = vsp__unions_of(world);
    bool is_any = false;
    union_span s;

    if (u->count == 0)
        return false;
    find_needs(world);
    sort_joints_inside(world);
    s.world = world;
    s.first_joint = 0;
    for (s.first = 0; s.first < u->count; s.first = s.last) {
        s.last = vsp__end_of_union(u, s.first);
        s.last_joint = u->was[u->order[s.first]];
        is_any = find_union_loads(&s) || is_any;
        s.first_joint = s.last_joint;
    }
    return is_any;
}

bool vsp__finish_unions(vsp_world *world)
{
    vsp__unions *u = vsp__unions_of(world);
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t tries = vsp__is_shock(world) ? MAX_SHOCK_TRIES : MAX_TRIES;
    bool is_overloaded;
    uint32_t count = 0, i;

    if (!u->is_used)
        return false;
    is_overloaded = find_all_loads(world);
    if (is_overloaded && u->tries == tries)
        world->stats.spent |= VSP_SPENT_TRIES;
    if (is_overloaded && u->tries < tries) {
        u->tries++;
        vsp__take_step_back(world, true);
        return true;
    }
    for (i = 0; i < pool->limit; i++) {
        if (breaks_now(world, i))
            pool->order[count++] = (uint16_t)i;
        leave_union(world, i);
    }
    if (count > 0)
        break_and_split(world, count);
    return false;
}

#endif /* VSP_UNIONS */
