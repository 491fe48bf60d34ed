/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Long-range constraints, called ranges.  Optional: VSP_RANGES.
 *
 * In this file section and figure numbers are those of Mueller, Chentanez,
 * Macklin, Jeschke, Long Range Constraints for Rigid Body Simulations, 2017.
 * Two points of a chain of joints are no farther apart than the length of the
 * chain between them, and no nearer than the limits of its joints allow.  One
 * row for this distance holds a heavy load at once; without it, hundreds of
 * sweeps would pass the load from link to link.  It also relieves the links of
 * a pull under which they vibrate faster than a step can follow.
 *
 * Ranges depend on joints and masses, never on poses, and are found in each
 * step in the order of slots, so they are not state.  In this order: angles;
 * bounds of a chain; the search for chains; the choice of ranges; rows;
 * loads. */

#include "solve.h"

#if VSP_RANGES


/* ---- Angles ---------------------------------------------------------------
 * An angle from 0 to pi is stored as its cosine and sine, so sums need no
 * arctangent. */

typedef struct range_angle {
    vsp__num cosine, sine; /* units */
} range_angle;

/* The angle between two vectors of any length.  If is_line, b is the direction
 * of a line, and the angle is at most a right angle. */
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

/* Adds the angle `by` to a or, if is_back, subtracts it.  A sine below 0 means
 * that the sum is above pi, or the difference below 0. */
static range_angle turned_by(range_angle a, range_angle by, bool is_back)
{
    vsp__num sine = r_signed(by.sine, is_back);
    range_angle sum;

    sum.cosine = r_sub(u_mul(a.cosine, by.cosine), u_mul(a.sine, sine));
    sum.sine = r_add(u_mul(a.sine, by.cosine), u_mul(a.cosine, sine));
    return sum;
}

/* rotation about x by an angle, rad */
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


/* ---- Bounds of a chain ----------------------------------------------------
 * A chain is a series of segments between the anchors of its joints.  The
 * recursion for both bounds in section 3.1 and figure 3 is wrong: an arc that
 * closes opens again, and unequal segments may stretch more.  These bounds
 * hold:
 *
 * Lower bound, by Schur's theorem: the chord of the plane arc whose angles
 * are all the smallest, as long as arc and chord are convex; after that 0.
 *
 * Upper bound: the sum of the segments, of which two neighbours may count as
 * the third side of their triangle. */

#define LONGEST_RANGE VSP__REAL(500.0) /* m: longer ranges are not made */

typedef struct range_arc {
    vsp__v3 last;           /* last segment, from its end to its start; or 0 */
    vsp__num length;        /* length of the last segment, m */
    vsp__num high, without; /* upper bounds with it, without it, m */
    vsp__v3 end;            /* end of the plane arc, m; it begins along x */
    vsp__v3 way;            /* direction of its last segment, a unit */
    bool is_convex;         /* arc and chord are convex */
} range_arc;

/* Bounds the angle at a BALL with a cone, between segments on its bodies: the
 * angle between the two x axes is at most that of the cone, and each segment
 * has a fixed angle to the x axis of its body.  Computes the *middle of the
 * angles and the largest deviation from it. */
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

/* Bounds the angle at a HINGE with limits, or at FIXED, which has no use for
 * its limits. */
static void find_hinge_angle(const vsp__joint *j, const vsp__v3 segment[2],
                             range_angle *middle, range_angle *slack)
{
    vsp__num half = j->type == VSP_JOINT_FIXED ? 0 : VSP__UNIT(0.5);
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

/* Bounds the angle between the segments on both bodies of a joint.  Returns
 * false if the angle is free. */
static bool find_angle_range(const vsp__joint *j, const vsp__v3 segment[2],
                             range_angle *low, range_angle *high)
{
    uint32_t rows = vsp__hard_limits(j);
    range_angle middle, slack;

    if (j->type == VSP_JOINT_FIXED || (j->type == VSP_JOINT_HINGE && rows != 0))
        find_hinge_angle(j, segment, &middle, &slack);
    else if (!(rows >> VSP__ROW_TURN_Y & 1u) ||
             !find_ball_angle(j, segment, &middle, &slack))
        return false;
    *low = turned_by(middle, slack, true);
    *high = turned_by(middle, slack, false);
    if (low->sine < 0) {
        low->cosine = VSP__UNIT(1.0);
        low->sine = 0;
    }
    if (high->sine < 0) {
        high->cosine = VSP__UNIT(-1.0);
        high->sine = 0;
    }
    return true;
}

/* The third side of a triangle, by the law of cosines. */
static vsp__num third_side(vsp__num a, vsp__num b, vsp__num cosine)
{
    vsp__square ab = r_product(a, b);

    ab = r_part(square_add(ab, ab), r_neg(cosine));
    return vsp__square_root(
        square_add(square_add(r_square(a), r_square(b)), ab));
}

/* Adds a segment to the arc, behind a joint: the last segment is on the joint's
 * far body, the new one on its near body.  Without a last segment the angle
 * is free. */
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
    v3_neg_to(segment, &arc->last);
}

/* Adds the distance between the anchors of one joint: 0 if it holds them
 * together; else a segment with free angles, as long as its hard limit or,
 * without one, LONGEST_RANGE. */
static void add_joint(range_arc *arc, const vsp__joint *j)
{
    vsp__num length;

    if (j->type != VSP_JOINT_DISTANCE && j->type != VSP_JOINT_SLIDER &&
        !((VSP_DRIVES || VSP_GEARS) && (vsp__held_axes(j) & 7u) != 7u))
        return;
    length = r_max(r_abs(j->low), r_abs(j->high));
    if (!vsp__hard_limits(j))
        length = LONGEST_RANGE;
    arc->high = r_min(LONGEST_RANGE, r_add(arc->high, length));
    arc->without = arc->high;
    arc->length = 0;
    arc->is_convex = false;
}


/* ---- Chains ---------------------------------------------------------------
 * A breadth-first search from all joints with a body that does not move.  Each
 * joint gets a link back, a far body and a near body.  The search passes a
 * heavy body only when all other joints are reached: so if several chains
 * hold a load, all of them reach it. */

/* A range ends at a heavy body: one with HEAVY_RATIO times the mass of the
 * lightest body between it and the start of the range, and more than the mass
 * of all these together.  Below that ratio joints carry the load alone. */
#define HEAVY_RATIO VSP__REAL(64.0)

/* the slot of the body at an end of a joint */
static VSP__CALLED uint32_t end_body(const vsp_world *world, uint32_t slot,
                                     bool is_far)
{
    uint32_t far = vsp__step_joint_at(world, slot)->range.far;

    return vsp__joint_pool_of(world)->joints[slot].body[is_far ? far
                                                               : 1u - far];
}

/* the anchor there, in the body's frame */
static const vsp__v3 *end_anchor(const vsp_world *world, uint32_t slot,
                                 bool is_far)
{
    uint32_t far = vsp__step_joint_at(world, slot)->range.far;

    return &vsp__joint_pool_of(world)
                ->joints[slot]
                .frame[is_far ? far : 1u - far]
                .position;
}

static bool is_heavy_end(const vsp_world *world, uint32_t slot)
{
    return (vsp__step_joint_at(world, slot)->range.flags & VSP__RANGE_HEAVY) !=
           0;
}

/* Whether ranges start at the near body of a joint: it does not move, or is
 * heavy. */
static bool is_start(const vsp_world *world, uint32_t slot)
{
    uint32_t back = vsp__step_joint_at(world, slot)->range.back;

    return back == 0 || is_heavy_end(world, back - 1u);
}

/* Counts the joints of the chain up to a joint, and compares the mass of the
 * joint's far body with the masses along the chain. */
static void weigh_end(vsp_world *world, uint32_t slot)
{
    vsp__joint_range *r = &vsp__step_joint_at(world, slot)->range;
    const vsp__body *far = world->bodies + end_body(world, slot, true);

    r->count = 1;
    if (is_start(world, slot))
        return;
    r->count = (uint16_t)(vsp__step_joint_at(world, r->back - 1u)->range.count +
                          1u);
    r->lightest = r->between =
        world->bodies[end_body(world, slot, false)].mass_data.mass;
    if (!is_start(world, r->back - 1u)) {
        const vsp__joint_range *before =
            &vsp__step_joint_at(world, r->back - 1u)->range;

        r->between = w_add(r->between, before->between);
        if (w_less(before->lightest, r->lightest))
            r->lightest = before->lightest;
    }
    if (vsp__is_dynamic(far) && w_less(r->between, far->mass_data.mass) &&
        w_less(w_mul(w_of_real(HEAVY_RATIO), r->lightest), far->mass_data.mass))
        r->flags |= VSP__RANGE_HEAVY;
}

/* Adds a joint to the queue, behind the joint back - 1.  Returns the new end of
 * the queue. */
static uint32_t reach_joint(vsp_world *world, uint32_t slot, uint32_t far,
                            uint32_t back, uint32_t tail)
{
    vsp__joint_range *r = &vsp__step_joint_at(world, slot)->range;

    if (r->flags != 0)
        return tail;
    r->flags = VSP__RANGE_REACHED;
    r->far = (uint8_t)far;
    r->back = (uint16_t)back;
    weigh_end(world, slot);
    vsp__joint_pool_of(world)->order[tail] = (uint16_t)slot;
    return tail + 1u;
}

/* Adds the joints of a joint's far body to the queue, the first time that the
 * search reaches the body.  The first link of the body stores that it was
 * reached. */
static uint32_t reach_behind(vsp_world *world, uint32_t slot, uint32_t tail)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t body = end_body(world, slot, true), link = pool->first[body];
    uint8_t *flags = &vsp__step_joint_at(world, (link - 1u) / 2)->range.flags;
    uint8_t walked = (uint8_t)(VSP__RANGE_WALKED << (link - 1u) % 2);

    if (!vsp__is_dynamic(world->bodies + body) || (*flags & walked) != 0)
        return tail;
    for (; link != 0; link = pool->next[link - 1u])
        tail = reach_joint(world, (link - 1u) / 2, link % 2, slot + 1u, tail);
    *flags |= walked;
    return tail;
}

/* Begins the queue with the joints between a dynamic body and one that is
 * not. */
static uint32_t reach_first(vsp_world *world)
{
    const vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i, tail = 0;

    for (i = 0; i < pool->limit; i++) {
        const vsp__joint *j = pool->joints + i;
        bool is_a = vsp__is_dynamic(world->bodies + j->body[0]);

        vsp__zero_bytes(&vsp__step_joint_at(world, i)->range,
                        sizeof(vsp__joint_range));
        if (vsp__has_ranges(world) && vsp__is_holding(world, j) &&
            is_a != vsp__is_dynamic(world->bodies + j->body[1]))
            tail = reach_joint(world, i, is_a ? 0 : 1, 0, tail);
    }
    return tail;
}

/* The search.  Its queue is in the memory of the pool's order, which is filled
 * later.  Returns how many joints it reached. */
static uint32_t find_ways(vsp_world *world)
{
    const uint16_t *queue = vsp__joint_pool_of(world)->order;
    uint32_t head = 0, late = 0, tail = reach_first(world);

    for (; late < tail; late++) {
        for (; head < tail; head++)
            if (!is_heavy_end(world, queue[head]))
                tail = reach_behind(world, queue[head], tail);
        if (is_heavy_end(world, queue[late]))
            tail = reach_behind(world, queue[late], tail);
    }
    return tail;
}


/* ---- Finding ranges --------------------------------------------------------
 * Section 3.1: attachments.  One range for each chain to a heavy body is
 * enough: mass ratios among the links between are small, and sweeps suffice. */

/* Budget: the joints of all chains that are measured, for each joint that the
 * world may have. */
#define WAYS_OF_JOINT 16u

/* Makes the range that ends at a joint. */
static void make_range(vsp_world *world, uint32_t slot)
{
    const vsp__joint *joints = vsp__joint_pool_of(world)->joints;
    vsp__joint_range *r = &vsp__step_joint_at(world, slot)->range;
    uint32_t at = slot;
    range_arc arc;

    vsp__zero_bytes(&arc, sizeof arc);
    add_joint(&arc, joints + at);
    while (!is_start(world, at)) {
        uint32_t back = vsp__step_joint_at(world, at)->range.back - 1u;
        vsp__v3 segment = *end_anchor(world, back, true);

        v3_sub_in(&segment, end_anchor(world, at, false));
        add_segment(&arc, joints + at, vsp__step_joint_at(world, at)->range.far,
                    &segment);
        at = back;
        add_joint(&arc, joints + at);
    }
    if (!(arc.high < LONGEST_RANGE))
        return;
    r->start = (uint16_t)(at + 1u);
    r->high = arc.high;
    r->low = arc.is_convex ? v3_length_at(&arc.end) : 0;
}

uint32_t vsp__find_ranges(vsp_world *world)
{
    const uint16_t *queue = vsp__joint_pool_of(world)->order;
    uint32_t left = WAYS_OF_JOINT * world->params.capacity.joints;
    uint32_t count = find_ways(world), i;

    for (i = 0; i < count; i++) {
        const vsp__joint_range *r = &vsp__step_joint_at(world, queue[i])->range;

        if (!is_heavy_end(world, queue[i]))
            continue;
        if (left < r->count) {
            world->stats.spent |= VSP_SPENT_WAYS;
            break;
        }
        left -= r->count;
        make_range(world, queue[i]);
    }
    return count;
}


/* ---- Rows ---------------------------------------------------------------- */

vsp__num vsp__find_range_pose(const vsp_world *world, uint32_t slot,
                              uint16_t body[2], vsp__v3 arm[2], vsp__v3 *way)
{
    uint32_t start = vsp__step_joint_at(world, slot)->range.start - 1u, k;
    vsp__num distance;

    for (k = 0; k < 2; k++) {
        uint32_t joint = k == 0 ? start : slot;
        const vsp__body *b;
        vsp__v3 from = *end_anchor(world, joint, k == 1);

        body[k] = (uint16_t)end_body(world, joint, k == 1);
        b = world->bodies + body[k];
        v3_sub_in(&from, &b->mass_data.center);
        vsp__q_rotate(&b->rotation, &from, &arm[k]);
        v3_flush_in(&arm[k]);
    }
    v3_sub_to(&world->bodies[body[1]].position,
              &world->bodies[body[0]].position, way);
    v3_add_in(way, &arm[1]);
    v3_sub_in(way, &arm[0]);
    distance = v3_length_at(way);
    if (distance > 0)
        vsp__v3_normalize_by(way, distance);
    return distance;
}

/* Ranges are corrected with all joints, not layer by layer: the body at the
 * other end is in another layer, and its displacement would be lost. */
void vsp__assemble_ranges(vsp_world *world, const vsp__span *span, vsp__num h,
                          vsp__num part)
{
    uint32_t i, count = span->last_joint - span->first_joint;

    if (!(h > 0) &&
        count <
            vsp__joint_pool_of(world)->layer_joints[world->layer_count + 1u])
        return;
    for (i = span->first_joint; i < span->last_joint; i++) {
        uint32_t slot = vsp__joint_pool_of(world)->order[i];
        vsp__step_joint *j = vsp__step_joint_at(world, slot);
        vsp__joint_row *row = j->rows + VSP__ROW_RANGE;
        vsp__num distance;
        vsp__v3 arm[2];

        if (j->range.start == 0 || vsp__is_in_web(world, slot) ||
            (j->used & ~VSP__IN_LOOP) == 0)
            continue;
        distance = vsp__find_range_pose(world, slot, j->range.body, arm,
                                        &row->axis);
        row->low = r_sub(j->range.low, distance);
        row->high = r_sub(j->range.high, distance);
        if (distance > 0 && vsp__fill_range_row(world, span, j->range.body, arm,
                                                distance, h, part, row))
            j->used |= 1u << VSP__ROW_RANGE;
    }
}


/* ---- Loads ----------------------------------------------------------------
 * In a real chain the joints carry the load of the range.  So their impulses
 * include it: in the state, in reports, and when joints break.  A step takes
 * the warm start of ranges from these impulses, and at its end adds the
 * impulses of ranges to them. */

/* Load of a joint at its anchor, N s. */
static vsp__wide joint_load(const vsp__joint *j)
{
    vsp__wide largest = vsp__anchor_pull(j);
    vsp__v3 part;
    uint32_t k;

    if (w_is_zero(largest))
        return largest;
    for (k = 0; k < 3; k++)
        v3_parts(&part)[k] = w_to_real(w_div(j->impulse[k], largest));
    return w_mul(largest, w_of_real(v3_length_at(&part)));
}

/* A range is slack, and carries nothing, if its points may separate by more
 * than SLACK_GAP, m, plus twice the distance by which they separate in a step.
 * Points that separate fast must be held before the range is taut: joints that
 * took the jerk would keep pulling. */
#define SLACK_GAP VSP__REAL(0.001)

static bool is_taut(const vsp_world *world, uint32_t slot, vsp__joint_range *r)
{
    vsp__v3 arm[2], way, speed[2];
    vsp__num distance = vsp__find_range_pose(world, slot, r->body, arm, &way);
    vsp__num gap = r_sub(r_sub(r->high, distance), SLACK_GAP);
    uint32_t k;

    for (k = 0; k < 2; k++) {
        const vsp__body *b = world->bodies + r->body[k];

        v3_cross_to(&b->spin, &arm[k], &speed[k]);
        v3_add_in(&speed[k], &b->velocity);
    }
    v3_sub_in(&speed[1], &speed[0]);
    return gap <= 0 || gap <= r_times(r_of_rate(u3_dot_at(&way, &speed[1]),
                                                world->params.dt),
                                      2);
}

/* Joints keep KEPT_PART of their load, but no more than a pull that moves the
 * lightest link, in a step, by KEPT_WAYS times the mean length of a link.  A
 * pull keeps links in line: none at all is too little, and a larger one does
 * not help. */
#define KEPT_PART VSP__UNIT(0.3)
#define KEPT_WAYS VSP__REAL(2.0)

/* Returns how much of a load a range takes, N s; all joints of its chain bear
 * at least this load. */
static vsp__wide part_to_take(const vsp_world *world, const vsp__joint_range *r,
                              vsp__wide load)
{
    vsp__wide kept = w_mul(load, w_of_unit(KEPT_PART));
    int32_t count = r->count < 1000u ? (int32_t)r->count : 1000;
    vsp__wide length = w_of_real(
        r_div(r_mul(KEPT_WAYS, r->high), r_from_int(count)));
    vsp__wide most = w_div(w_mul(r->lightest, length),
                           w_of_unit(world->params.dt));

    if (w_less(most, kept))
        kept = most;
    return w_add(load, w_neg(kept));
}

/* Marks the joints of a taut range as spanned.  Returns the smallest load of
 * these joints, N s. */
static vsp__wide span_way(vsp_world *world, uint32_t slot)
{
    const vsp__joint *joints = vsp__joint_pool_of(world)->joints;
    uint32_t start = vsp__step_joint_at(world, slot)->range.start - 1u;
    vsp__wide least = joint_load(joints + slot);

    for (;; slot = vsp__step_joint_at(world, slot)->range.back - 1u) {
        vsp__wide load = joint_load(joints + slot);

        vsp__step_joint_at(world, slot)->range.flags |= VSP__RANGE_SPANNED;
        if (w_less(load, least))
            least = load;
        if (slot == start)
            return least;
    }
}

/* Takes the warm start of a taut range from its joints, from each in the
 * direction of its own impulse, which has turned with its body since the last
 * step. */
static void take_load(vsp_world *world, uint32_t slot)
{
    vsp__joint *joints = vsp__joint_pool_of(world)->joints;
    vsp__joint_range *r = &vsp__step_joint_at(world, slot)->range;
    uint32_t at, k;
    vsp__wide taken;

    if (!vsp__is_awake(world->bodies + end_body(world, slot, true)) ||
        !is_taut(world, slot, r))
        return;
    taken = part_to_take(world, r, span_way(world, slot));
    if (!w_less(VSP__W_ZERO, taken))
        return;
    r->impulse = w_neg(taken);
    for (at = slot;; at = vsp__step_joint_at(world, at)->range.back - 1u) {
        vsp__wide rest = w_add(VSP__W_ONE,
                               w_neg(w_div(taken, joint_load(joints + at))));

        for (k = 0; k < 3; k++)
            joints[at].impulse[k] = w_flush(w_mul(rest, joints[at].impulse[k]));
        if (at + 1u == r->start)
            return;
    }
}

void vsp__take_range_loads(vsp_world *world)
{
    const uint16_t *queue = vsp__joint_pool_of(world)->order;
    uint32_t count = vsp__find_ranges(world), i;

    vsp__find_webs(world);
    for (i = count; i-- > 0;)
        if (vsp__step_joint_at(world, queue[i])->range.start != 0 &&
            !vsp__is_in_web(world, queue[i]))
            take_load(world, queue[i]);
    for (i = 0; i < count; i++)
        if (vsp__is_spanned(world, queue[i]) &&
            !vsp__is_in_web(world, queue[i]))
            vsp__find_strains(world, queue[i], VSP__W_ZERO);
}

/* Adds an impulse p along n, N s, to a joint's impulses. */
static void give_load(const vsp_world *world, uint32_t slot, const vsp__v3 *n,
                      vsp__wide p, vsp__wide *impulse)
{
    const vsp__step_joint *j = vsp__step_joint_at(world, slot);
    uint32_t k;

    for (k = 0; k < 3; k++) {
        vsp__num along = u3_dot_at(&j->rows[k].axis, n);

        if (j->used >> k & 1u)
            impulse[k] = w_flush(vsp__clamp_impulse(w_add(
                impulse[k],
                w_mul(w_of_unit(r_signed(along, j->range.far == 0)), p))));
    }
}

void vsp__give_range_loads(vsp_world *world, const vsp__span *span,
                           bool is_added)
{
    vsp__joint_pool *pool = vsp__joint_pool_of(world);
    uint32_t i;

    for (i = span->first_joint; i < span->last_joint; i++) {
        uint32_t at = pool->order[i];
        const vsp__step_joint *j = vsp__step_joint_at(world, at);
        const vsp__joint_row *row = j->rows + VSP__ROW_RANGE;
        bool is_used = (j->used >> VSP__ROW_RANGE & 1u) != 0;

        for (; is_used; at = vsp__step_joint_at(world, at)->range.back - 1u) {
            give_load(world, at, &row->axis,
                      w_mul(w_of_rate(row->multiplier), row->mass),
                      pool->joints[at].impulse +
                          (VSP_SHOCK && is_added ? VSP__JOINT_ROWS : 0));
            is_used = at + 1u != j->range.start;
        }
    }
}

#endif /* VSP_RANGES */
