/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Long-range constraints.  Optional: VSP_RANGES.
 *
 * In this file section and figure numbers are those of Mueller, Chentanez,
 * Macklin, Jeschke, Long range constraints for rigid body simulations, 2017.
 * Two points of a chain of joints are no farther apart than the links between
 * them are long, and no nearer than the limits of the joints allow.  A row for
 * that, from a heavy load to what does not move, bears at once what sweeps hand
 * on from link to link, and takes the tension off links that are too light to
 * bear it.
 *
 * Everything here follows from joints and masses alone, never from poses, and
 * is found anew in each step, in the order of slots.  In this order: angles,
 * bounds of a way, ways, which ranges there are, where they are, loads. */

#include "solve.h"

#if VSP_RANGES
#ifndef VARIANT
#define VARIANT 0
#endif
#ifndef NL
#define NL 1
#endif
#ifndef K0
#define K0 1
#endif
#ifndef EV
#define EV 10
#endif
#ifndef LEFT_FLAG
#define LEFT_FLAG RANGE_SPANNED
#endif


/* ---- Angles ---------------------------------------------------------------
 * An angle from 0 to pi is its cosine and sine, so sums need no arctangent. */

typedef struct range_angle {
    vsp__num cosine, sine; /* units */
} range_angle;

/* The angle between two directions that are not units, or half a turn less
 * that if is_line: then b has no sense. */
static range_angle angle_between(const vsp__v3 *a, const vsp__v3 *b,
                                 bool is_line)
{
    vsp__v3 p = *a, q = *b, across;
    range_angle angle;

    vsp__v3_normalize(&p);
    vsp__v3_normalize(&q);
    u3_cross_to(&p, &q, &across);
    angle.cosine = u3_dot_at(&p, &q);
    if (is_line)
        angle.cosine = r_abs(angle.cosine);
    angle.sine = v3_length_at(&across);
    return angle;
}

/* Turns an angle by another one.  A sine below 0 says that the sum is above
 * half a turn, or the difference below 0. */
static range_angle turned_by(range_angle a, range_angle by, bool is_back)
{
    vsp__num sine = r_signed(by.sine, is_back);
    range_angle sum;

    sum.cosine = r_sub(u_mul(a.cosine, by.cosine), u_mul(a.sine, sine));
    sum.sine = r_add(u_mul(a.sine, by.cosine), u_mul(a.cosine, sine));
    return sum;
}

/* a turn about x by an angle, rad */
static void q_about_x(vsp__num angle, vsp__unit_quat *q)
{
    vsp__num h = VSP__UNIT(1.0 / 64.0);
    vsp__v3 spin = v3(rate_over(angle, h), 0, 0);

    vsp__q_of_spin(&spin, h, q);
}

static range_angle angle_of_limit(vsp__num angle)
{
    vsp__unit_quat q;
    range_angle half;

    q_about_x(angle, &q);
    half.cosine = q.w;
    half.sine = q.x;
    return turned_by(half, half, false);
}


/* ---- Bounds of a way ------------------------------------------------------
 * A way is a chain of segments between the anchors of its joints.  Section 3.1
 * and figure 3 have a recursion for both bounds, which are none: an arc that
 * closes opens again, and unequal segments may stretch more.  What holds:
 *
 * Below, by Schur's theorem, the chord of the plane arc whose angles are all
 * the smallest, as long as arc and chord are convex; from then on 0.
 *
 * Above, the sum of the segments, of which two neighbours may count as the
 * third side of their triangle. */

#define LONGEST_RANGE VSP__REAL(500.0) /* m: a longer one does not count */

typedef struct range_arc {
    vsp__v3 last;           /* last segment, from its body's far anchor; or 0 */
    vsp__num length;        /* of it, m */
    vsp__num high, without; /* bounds above, with it and without it, m */
    vsp__v3 end;            /* of the plane arc, m; it begins along x */
    vsp__v3 way;            /* of its last segment: a unit */
    bool is_convex;         /* arc and chord */
} range_arc;

/* Bounds the angle of a BALL with a cone between segments on its bodies: its
 * x axes are at most the cone apart, and each segment has an angle to its own.
 * Finds the *middle and the most that the angle differs from it. */
static bool find_ball_angle(const vsp__joint *j, const vsp__v3 segment[2],
                            range_angle *middle, range_angle *slack)
{
    uint32_t k;

    *slack = angle_of_limit(j->cone);
    middle->cosine = VSP__UNIT(1.0);
    middle->sine = 0;
    for (k = 0; k < 2; k++) {
        vsp__v3 x = v3(VSP__UNIT(1.0), 0, 0);
        range_angle off;

        vsp__q_rotate(&j->frame[k].rotation, &x, &x);
        off = angle_between(&segment[k], &x, true);
        *slack = turned_by(*slack, off, false);
        if (!(slack->sine > 0))
            return false;
        if (u3_dot_at(&x, &segment[k]) < 0)
            middle->cosine = r_neg(middle->cosine);
    }
    return true;
}

/* The same for a HINGE with limits, or FIXED, which has none but 0. */
static void find_hinge_angle(const vsp__joint *j, const vsp__v3 segment[2],
                             range_angle *middle, range_angle *slack)
{
    vsp__num half = VSP__UNIT(0.5);
    vsp__mat3 axes = vsp__q_axes(j->frame[1].rotation);
    vsp__unit_quat q;
    vsp__v3 b;

    q_about_x(u_mul(half, r_add(j->low, j->high)), &q);
    vsp__q_mul(&j->frame[0].rotation, &q, &q);
    vsp__m3_tmul_to(&axes, &segment[1], &b);
    vsp__q_rotate(&q, &b, &b);
    *middle = angle_between(&segment[0], &b, false);
    *slack = angle_of_limit(u_mul(half, r_sub(j->high, j->low)));
}

/* Bounds the angle between a segment on each body of a joint.  Returns false if
 * it is free. */
static bool find_angle_range(const vsp__joint *j, const vsp__v3 segment[2],
                             range_angle *low, range_angle *high)
{
    uint32_t rows = vsp__limited_rows(j);
    range_angle middle, slack;

    if (j->type == VSP_JOINT_FIXED ||
        (j->type == VSP_JOINT_HINGE && rows != 0))
        find_hinge_angle(j, segment, &middle, &slack);
    else if (!(rows >> VSP__ROW_TURN_Y & 1u) ||
             !find_ball_angle(j, segment, &middle, &slack))
        return false;
    *low = turned_by(middle, slack, true);
    *high = turned_by(middle, slack, false);
    if (low->sine < 0)
        low->cosine = VSP__UNIT(1.0), low->sine = 0;
    if (high->sine < 0)
        high->cosine = VSP__UNIT(-1.0), high->sine = 0;
    return true;
}

/* The third side of a triangle: the law of cosines. */
static vsp__num third_side(vsp__num a, vsp__num b, vsp__num cosine)
{
    vsp__square ab = r_product(a, b);

    ab = r_part(square_add(ab, ab), r_neg(cosine));
    return vsp__square_root(
        square_add(square_add(r_square(a), r_square(b)), ab));
}

/* Adds a segment of a body to the arc, behind a joint whose far and near bodies
 * have the last one and this one.  Without a joint, or a last one, the angle
 * between them is free. */
static void add_segment(range_arc *arc, const vsp__joint *j, uint32_t far,
                        const vsp__v3 *segment)
{
    vsp__num length = v3_length_at(segment), pair, x = arc->way.x,
             y = arc->way.y;
    range_angle low, high;
    vsp__v3 both[2];

    if (!(length > 0)) {
        arc->without = arc->high;
        arc->length = 0;
        return;
    }
    pair = r_add(arc->length, length);
    both[far] = arc->last;
    both[1u - far] = *segment;
    low.cosine = VSP__UNIT(1.0);
    low.sine = 0;
    if (arc->length > 0 && find_angle_range(j, both, &low, &high))
        pair = r_min(pair, third_side(arc->length, length, high.cosine));
    arc->way.x = r_neg(r_add(u_mul(x, low.cosine), u_mul(y, low.sine)));
    arc->way.y = r_sub(u_mul(x, low.sine), u_mul(y, low.cosine));
    if (!(arc->high > 0)) {
        arc->way = v3(VSP__UNIT(1.0), 0, 0);
        arc->is_convex = true;
    } else if (!(low.sine > 0) ||
               u_mul(arc->way.y, arc->end.x) < u_mul(arc->way.x, arc->end.y)) {
        arc->is_convex = false;
    }
    u3_move(&arc->end, length, &arc->way);
    arc->is_convex = arc->is_convex && arc->end.y >= 0;
    pair = r_add(arc->without, pair);
    arc->without = arc->high;
    arc->high = r_min(LONGEST_RANGE, r_min(pair, r_add(arc->high, length)));
    arc->length = length;
    arc->last = v3_neg(*segment);
}

/* Adds what a joint itself holds apart: nothing, or a DISTANCE or SLIDER, whose
 * ends turn. */
static void add_joint(range_arc *arc, const vsp__joint *j)
{
    vsp__num length;

    if (j->type != VSP_JOINT_DISTANCE && j->type != VSP_JOINT_SLIDER)
        return;
    length = r_max(r_abs(j->low), r_abs(j->high));
    if (!vsp__limited_rows(j))
        length = LONGEST_RANGE;
    arc->high = r_min(LONGEST_RANGE, r_add(arc->high, length));
    arc->without = arc->high;
    arc->length = 0;
    arc->is_convex = false;
}


/* ---- Ways -----------------------------------------------------------------
 * A breadth-first search from all joints with what does not move.  It goes on
 * behind a heavy body only when all else is reached, so of several chains that
 * hold a load each is a way to it. */

/* flags of a joint in a step */
enum {
    RANGE_REACHED = 1, /* by the search */
    RANGE_HEAVY = 2,   /* its far body is much heavier than one on the way */
    RANGE_SPANNED = 4  /* a range goes over it */
};

/* A body is heavy if it has so many times the mass of the lightest one between
 * it and what does not move.  Below that sweeps alone do better. */
#ifndef HR
#define HR 32.0
#endif
#define HEAVY_RATIO VSP__REAL(HR)

static const vsp__body *end_body(const vsp_world *world, uint32_t slot,
                                 bool is_far)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t far = vsp__step_joints_of(pool)[slot].far;

    return world->bodies + pool->joints[slot].body[is_far ? far : 1u - far];
}

/* Adds a joint to the queue, and to the way of the joint back - 1. */
static uint32_t reach_joint(vsp_world *world, uint32_t slot, uint32_t far,
                            uint32_t back, uint32_t tail)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *j = vsp__step_joints_of(pool) + slot;

    if (j->flags & RANGE_REACHED)
        return tail;
    j->flags = RANGE_REACHED;
    j->far = (uint8_t)far;
    j->back = (uint16_t)back;
    pool->order[tail] = (uint16_t)slot;
    if (back == 0)
        return tail + 1u;
    j->lightest = end_body(world, slot, false)->mass_data.mass;
    if (vsp__step_joints_of(pool)[back - 1u].back != 0 &&
        w_less(vsp__step_joints_of(pool)[back - 1u].lightest, j->lightest))
        j->lightest = vsp__step_joints_of(pool)[back - 1u].lightest;
    if (vsp__is_dynamic(end_body(world, slot, true)) &&
        w_less(w_mul(w_of_real(HEAVY_RATIO), j->lightest),
               end_body(world, slot, true)->mass_data.mass))
        j->flags |= RANGE_HEAVY;
    return tail + 1u;
}

/* Goes on from a joint to those of its far body. */
static uint32_t reach_behind(vsp_world *world, uint32_t slot, uint32_t tail)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const vsp__body *body = end_body(world, slot, true);
    uint32_t link = pool->first[body - world->bodies];

    if (!vsp__is_dynamic(body))
        return tail;
    for (; link != 0; link = pool->next[link - 1u])
        tail = reach_joint(world, (link - 1u) / 2, link % 2, slot + 1u, tail);
    return tail;
}

/* The search.  Its queue has the memory of the pool's order, which is filled
 * later.  Returns how many joints it reached. */
static uint32_t find_ways(vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *step_joints = vsp__step_joints_of(pool);
    uint32_t i, head, late, tail = 0;

    for (i = 0; i < pool->limit; i++) {
        vsp__zero_bytes(step_joints[i].ranges, sizeof step_joints->ranges);
        step_joints[i].flags = 0;
    }
    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;
        bool is_a = vsp__is_dynamic(world->bodies + j->body[0]);

        if (vsp__is_holding(j) &&
            is_a != vsp__is_dynamic(world->bodies + j->body[1]))
            tail = reach_joint(world, i, is_a ? 0 : 1, 0, tail);
    }
    for (head = late = 0; late < tail; late++) {
        for (; head < tail; head++)
            if (!(step_joints[pool->order[head]].flags & RANGE_HEAVY))
                tail = reach_behind(world, pool->order[head], tail);
        if (step_joints[pool->order[late]].flags & RANGE_HEAVY)
            tail = reach_behind(world, pool->order[late], tail);
    }
    return tail;
}


/* ---- Which ranges there are ---------------------------------------------- */

/* the anchor of a joint on its far or near body, in that body's frame */
static const vsp__v3 *end_anchor(const vsp_world *world, uint32_t slot,
                                 bool is_far)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t far = vsp__step_joints_of(pool)[slot].far;

    return &pool->joints[slot].frame[is_far ? far : 1u - far].position;
}

/* Makes a range that ends at a joint and goes back over so many others, or to
 * what does not move. */
static void add_range(vsp_world *world, uint32_t slot, uint32_t most,
                      vsp__joint_range *r)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *step_joints = vsp__step_joints_of(pool);
    uint32_t at = slot;
    range_arc arc;

    vsp__zero_bytes(&arc, sizeof arc);
    add_joint(&arc, pool->joints + at);
    for (; most > 0 && step_joints[at].back != 0; most--) {
        uint32_t back = step_joints[at].back - 1u;
        vsp__v3 segment = *end_anchor(world, back, true);

        v3_sub_in(&segment, end_anchor(world, at, false));
        add_segment(&arc, pool->joints + at, step_joints[at].far, &segment);
        at = back;
        add_joint(&arc, pool->joints + at);
    }
    if (!(arc.high < LONGEST_RANGE) || at == slot)
        return;
    r->start = (uint16_t)(at + 1u);
    r->body[0] = (uint16_t)(end_body(world, at, false) - world->bodies);
    r->body[1] = (uint16_t)(end_body(world, slot, true) - world->bodies);
    r->high = arc.high;
    r->low = arc.is_convex ? v3_length_at(&arc.end) : 0;
    for (; step_joints[at = slot].flags |= RANGE_SPANNED, slot + 1u != r->start;
         slot = step_joints[slot].back - 1u) {
    }
}

static void find_extra(vsp_world *world, uint32_t count)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *step_joints = vsp__step_joints_of(pool);
    uint32_t i;

    for (i = 0; i < count; i++)
        if (step_joints[pool->order[i]].flags & RANGE_HEAVY)
            add_range(world, pool->order[i], VSP_MAX_JOINTS,
                      &step_joints[pool->order[i]].ranges[0]);
    if (VARIANT & 1)
        for (i = 0; i < count; i++)
            if ((step_joints[pool->order[i]].flags & (RANGE_HEAVY | RANGE_SPANNED)) == RANGE_SPANNED)
                add_range(world, pool->order[i], VSP_MAX_JOINTS,
                          &step_joints[pool->order[i]].ranges[0]);
    if (VARIANT == 2)
        for (i = 0; i < count; i++)
            if ((step_joints[pool->order[i]].flags & RANGE_SPANNED))
                for (uint32_t k = 0; k < NL; k++)
                add_range(world, pool->order[i], 1u << (k + K0),
                          &step_joints[pool->order[i]].ranges[1 + k]);
    if (VARIANT == 4)
        for (i = 0; i < count; i++)
            if ((step_joints[pool->order[i]].flags & RANGE_SPANNED)) {
                uint32_t d = 0, at = pool->order[i];
                while (step_joints[at].back) d++, at = step_joints[at].back - 1;
                if (d % EV == 0 && !(step_joints[pool->order[i]].flags & RANGE_HEAVY)) add_range(world, pool->order[i], VSP_MAX_JOINTS,
                          &step_joints[pool->order[i]].ranges[0]);
            }
}

bool vsp__is_spanned(const vsp_world *world, uint32_t slot)
{
    return (vsp__step_joints_of(vsp__joint_pool_of(world))[slot].flags &
            LEFT_FLAG) != 0;
}


/* ---- Rows ---------------------------------------------------------------- */

/* Finds the arms of a range's points and the direction from its start to its
 * end, in the world.  Returns the distance, m. */
static vsp__num find_range_pose(const vsp_world *world, uint32_t slot,
                                const vsp__joint_range *r, vsp__v3 arm[2],
                                vsp__v3 *way)
{
    vsp__num distance;
    uint32_t k;

    for (k = 0; k < 2; k++) {
        const vsp__body *b = world->bodies + r->body[k];
        vsp__v3 from = *end_anchor(world, k == 0 ? r->start - 1u : slot,
                                   k == 1);

        v3_sub_in(&from, &b->mass_data.center);
        vsp__q_rotate(&b->rotation, &from, &arm[k]);
        v3_flush_in(&arm[k]);
    }
    *way = world->bodies[r->body[1]].position;
    v3_sub_in(way, &world->bodies[r->body[0]].position);
    v3_add_in(way, &arm[1]);
    v3_sub_in(way, &arm[0]);
    distance = v3_length_at(way);
    if (distance > 0)
        vsp__v3_normalize_by(way, distance);
    return distance;
}

void vsp__assemble_ranges(vsp_world *world, const vsp__span *span, vsp__num h)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, k;

    for (i = span->first_joint; i < span->last_joint; i++)
        for (k = 0; k < VSP__RANGE_ROWS; k++) {
            vsp__step_joint *j = vsp__step_joints_of(pool) + pool->order[i];
            vsp__joint_row *row = j->rows + VSP__JOINT_ROWS + k;
            vsp__v3 arm[2];
            vsp__num distance;

            if (j->ranges[k].start == 0 || (j->used & ~VSP__IN_LOOP) == 0)
                continue;
            distance = find_range_pose(world, pool->order[i], &j->ranges[k],
                                       arm, &row->axis);
            row->low = r_sub(j->ranges[k].low, distance);
            row->high = r_sub(j->ranges[k].high, distance);
            if (distance > 0 &&
                vsp__fill_range_row(world, span, j->ranges[k].body, arm, h,
                                    row))
                j->used |= (uint16_t)(1u << (VSP__JOINT_ROWS + k));
        }
}


/* ---- Loads ----------------------------------------------------------------
 * What a range bears the joints on its way bear in truth, and so say their
 * impulses in the state.  A step takes from them what ranges may start with,
 * and adds what ranges bore.  So ranges have no state of their own. */

/* How much a joint bears at its anchor: N s. */
static vsp__wide joint_load(const vsp__joint *j)
{
    vsp__wide largest = VSP__W_ZERO;
    vsp__v3 part;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__wide p = j->impulse[k];

        if (w_less(p, VSP__W_ZERO))
            p = w_neg(p);
        if (w_less(largest, p))
            largest = p;
    }
    if (w_is_zero(largest))
        return largest;
    for (k = 0; k < 3; k++)
        (&part.x)[k] = w_to_real(w_div(j->impulse[k], largest));
    return w_mul(largest, w_of_real(v3_length_at(&part)));
}

/* m: a range whose points may part by more bears nothing */
#define SLACK_GAP VSP__REAL(0.001)

/* Takes from the joints of a taut range what all of them bear, each in the
 * direction in which it bears: that turned with its body since. */
static void take_load(vsp_world *world, uint32_t slot, uint32_t k)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *step_joints = vsp__step_joints_of(pool);
    const vsp__joint_range *r = &step_joints[slot].ranges[k];
    vsp__wide pull = joint_load(pool->joints + slot);
    vsp__v3 arm[2], n;
    uint32_t at, i;

    step_joints[slot].range_impulse[k] = VSP__W_ZERO;
    if (!vsp__is_awake(end_body(world, slot, true)) ||
        r_sub(r->high, find_range_pose(world, slot, r, arm, &n)) > SLACK_GAP)
        return;
    for (at = slot; at + 1u != r->start;) {
        vsp__wide load;

        at = step_joints[at].back - 1u;
        load = joint_load(pool->joints + at);
        if (w_less(load, pull))
            pull = load;
    }
    {
        vsp__wide keep = w_div(w_mul(step_joints[slot].lightest, w_of_real(VSP__REAL(KEEP*0.2))), w_of_unit(world->params.dt));
        {vsp__wide part = w_mul(pull, w_of_unit(VSP__UNIT(KF)));
        if (w_less(part, keep)) keep = part;}
        pull = w_add(pull, w_neg(keep));
    }
    if (w_is_zero(pull))
        return;
    step_joints[slot].range_impulse[k] = w_neg(pull);
    for (at = slot;; at = step_joints[at].back - 1u) {
        vsp__joint *j = pool->joints + at;
        vsp__wide part = w_add(VSP__W_ONE,
                               w_neg(w_div(pull, joint_load(j))));

        for (i = 0; i < 3; i++)
            j->impulse[i] = w_flush(w_mul(part, j->impulse[i]));
        if (at + 1u == r->start)
            break;
    }
}

/* Adds an impulse p along n, N s, to a joint's impulses. */
static void give_load(const vsp_world *world, uint32_t slot, const vsp__v3 *n,
                      vsp__wide p, vsp__wide *impulse)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    const vsp__step_joint *j = vsp__step_joints_of(pool) + slot;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__num along = u3_dot_at(&j->rows[k].axis, n);

        if (j->used >> k & 1u)
            impulse[k] = w_flush(vsp__clamp_impulse(
                w_add(impulse[k],
                      w_mul(w_of_unit(r_signed(along, j->far == 0)), p))));
    }
}

/* Adds what a range bore to the loads of all joints on its way. */
static void give_to_way(vsp_world *world, uint32_t slot, uint32_t k,
                        bool is_first)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *step_joints = vsp__step_joints_of(pool);
    const vsp__joint_row *row = &step_joints[slot].rows[VSP__JOINT_ROWS + k];
    vsp__wide p = w_mul(w_of_rate(row->multiplier), row->mass);
    uint32_t at = slot;

    for (;; at = step_joints[at].back - 1u) {
        give_load(world, at, &row->axis, p,
                  VSP_SHOCK && is_first
                      ? vsp__shock_scratch_of(world)->joints[at]
                      : pool->joints[at].impulse);
        if (at + 1u == step_joints[slot].ranges[k].start)
            return;
    }
}

void vsp__give_range_loads(vsp_world *world, const vsp__span *span,
                           bool is_first)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, k;

    for (i = span->first_joint; i < span->last_joint; i++)
        for (k = 0; k < VSP__RANGE_ROWS; k++) {
            vsp__step_joint *j = vsp__step_joints_of(pool) + pool->order[i];

            if (j->used >> (VSP__JOINT_ROWS + k) & 1u)
                give_to_way(world, pool->order[i], k, is_first);
        }
}

void vsp__find_ranges(vsp_world *world)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    vsp__step_joint *step_joints = vsp__step_joints_of(pool);
    uint32_t count = find_ways(world), i, k;

    find_extra(world, count);
    for (i = count; i-- > 0;)
        for (k = 0; k < VSP__RANGE_ROWS; k++)
            if (step_joints[pool->order[i]].ranges[k].start != 0)
                take_load(world, pool->order[i], k);
    for (i = 0; i < count; i++)
        if (step_joints[pool->order[i]].flags & RANGE_SPANNED)
            vsp__find_strains(world, pool->order[i]);
}

#endif /* VSP_RANGES */
