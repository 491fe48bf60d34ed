/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Continuous collision: how long a bullet may move in a step before it hits
 * something.  Here "bullet" also means a fast body that may hit a static one.
 * In this order: motion of bodies, two solids, surfaces, two shapes, the shapes
 * on a bullet's path, all bullets after the solve, all before the solve.
 *
 * Conservative advancement (Mirtich, "Impulse-based dynamic simulation of
 * rigid body systems", 1996; paper, section 6.2): two solids with a gap along
 * a direction cannot hit before their speeds along it have closed the gap.
 * So advance by that time and measure again.
 *
 * A step searches twice.  Before the detection it moves each bullet to the
 * first thing that it will hit by its velocity.  The detection sees that thing
 * where it is now: if the thing moves, the bullet waits at the distance that
 * they will have at the hit, and is put back after the solve.  So the detection
 * finds a contact, the solve bounces the bullet, the event belongs to this
 * step, and the bullet moves on for the rest of the step.  After the solve, the
 * step searches along the new velocities of bullets and other fast bodies.  One
 * that hits something then stops within the envelope and keeps its velocity;
 * the next step finds the contact.
 *
 * Times here are fractions of the step, units from 0 to 1.  A function that
 * returns a time has a parameter `last`, and returns `last` if the bullet hits
 * nothing before it. */

#include "step.h"

#if VSP_CCD

/* Most measurements of one pair; then the bullet stops where it is. */
#define MAX_ADVANCE_ROUNDS 128u

/* The budget of measurements for one bullet in a search: before the solve, and
 * in each motion.  When it is used up, the bullet moves no farther than half of
 * its smallest half extent, too short a distance to pass through anything.  The
 * gap to a field costs 1, the gap from a ball to a solid 4, from another solid
 * to a solid 8. */
#define MAX_COST 4096u
#define BALL_COST 4u
#define SOLID_COST 8u

/* The budget of all bullets in a step, of which the search before the solve
 * gets at most half: COST_OF_BODY for each body of the capacity, plus
 * COST_AT_LEAST.  A shape or triangle that is only visited costs a 16th.  To
 * index the shapes costs a quarter for each, and a search a quarter for each
 * body: SHOCK pays both once a layer. */
#define COST_OF_BODY 1024u
#define COST_AT_LEAST 16384u
#define PASSED_IN_ONE 16u
#define INDEXED_IN_ONE 4u


/* ---- Motion -------------------------------------------------------------- */

static vsp__num vector_length(const vsp__v3 *v)
{
    return v3_length(*v);
}

/* The motion of a body in the step, or in the rest of it. */
typedef struct step_motion {
    const vsp__body *body;
    vsp__v3 way;    /* displacement, m */
    vsp__v3 spin;   /* rad/s, a rate */
    vsp__v3 axis;   /* axis of rotation, a unit vector */
    vsp__num turn;  /* angle, rad */
    vsp__num h;     /* s: how long the body moves */
    vsp__num gone;  /* s: how long it moved before */
    vsp__v3 behind; /* m: its displacement in that time */
} step_motion;

/* Sizes of a shape's core that determine its motion, m. */
typedef struct core_size {
    vsp__num reach; /* its largest distance from the body's centre of mass */
    vsp__num swing; /* longest path of one of its points by the body's
                       rotation */
    vsp__num room;  /* half of the shape's smallest half extent */
} core_size;

/* Returns how far a point at an arm moves by the body's rotation, m. */
static vsp__num swing_of(const step_motion *m, const vsp__v3 *arm)
{
    vsp__v3 across;

    u3_cross_to(&m->axis, arm, &across);
    return r_mul(m->turn, vector_length(&across));
}

/* Half the radius of the largest ball around the origin of a cone that is in
 * it. */
static vsp__num room_of_cone(const vsp__v3 *half)
{
    vsp__v3 n = v3(r_add(half->y, half->y), r_sub(half->x, half->z), 0);
    vsp__num middle = u_mul(VSP__UNIT(0.5), r_add(half->x, half->z));

    vsp__v3_normalize(&n);
    return u_mul(VSP__UNIT(0.5), r_min(half->y, u_mul(middle, n.x)));
}

/* Half the radius of the largest ball in a hull around its centre; 0 if its
 * body does not move, to save a walk over all faces. */
static vsp__num room_of_hull(const vsp_world *world, const vsp__shape *shape,
                             const step_motion *m)
{
    vsp__pose pose;
    vsp__convex hull;

    if (!(m->turn > 0) && v3_size_at(&m->way) == 0)
        return 0;
    vsp__make_convex(world, shape, &pose, &hull);
    return u_mul(VSP__UNIT(0.5), vsp__hull_room(&hull));
}

/* Computes the sizes of a core.  A round shape that rotates about its own axis
 * does not swing. */
static void measure_core(const vsp_world *world, uint32_t slot,
                         const step_motion *m, core_size *core)
{
    const vsp__shape *shape = world->shapes + slot;
    bool has_axis = vsp__is_round(shape) || vsp__is_taper(shape);
    vsp__pose pose;
    vsp__v3 middle, half;
    vsp__num size, more = 0;

    pose.position = m->body->position;
    vsp__q_axes_flushed(&m->body->rotation, &pose.axes);
    vsp__shape_pose(world, slot, &pose);
    v3_sub_in(&pose.position, &m->body->position);
    vsp__shape_box(world, shape, &middle, &half);
    core->room = u_mul(VSP__UNIT(0.5), r_min(half.x, r_min(half.y, half.z)));
    if (VSP_ROUNDS && shape->type == VSP_SHAPE_CONE)
        core->room = room_of_cone(&shape->size);
    else if (VSP_HULLS && shape->type == VSP_SHAPE_HULL)
        core->room = room_of_hull(world, shape, m);
    if (vsp__is_taper(shape)) {
        half = v3_zero();
        core->room = r_neg(u_mul(
            VSP__UNIT(0.5), vsp__gap_of_taper(&shape->size, &half, &middle)));
        more = r_abs(r_sub(shape->size.x, shape->size.z));
        middle = v3_zero();
        half = v3(0, shape->size.y, 0);
    } else if (has_axis) {
        half = v3(0, r_sub(half.y, shape->size.x), 0);
    }
    v3_abs_in(&middle);
    v3_add_in(&middle, &half);
    size = vector_length(&middle);
    core->reach = r_add(vector_length(&pose.position), r_add(size, more));
    core->swing = r_mul(m->turn, size);
    if (has_axis) {
        vsp__m3_mul_to(&pose.axes, &half, &half);
        core->swing = swing_of(m, &half);
    }
    core->swing = r_add(core->swing, swing_of(m, &pose.position));
}

/* Extends bounds along a displacement, and by `size`, m, on all sides. */
static void sweep_bounds(vsp__aabb *bounds, const vsp__v3 *way, vsp__num size)
{
    vsp__num *low = &bounds->low.x, *high = &bounds->high.x;
    const vsp__num *part = &way->x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        low[k] = r_sub(r_add(low[k], r_min(part[k], 0)), size);
        high[k] = r_add(r_add(high[k], r_max(part[k], 0)), size);
    }
}


/* ---- Two solids ---------------------------------------------------------- */

/* The budget of the step, while bullets are tested. */
typedef struct step_budget {
    uint32_t left, used;
} step_budget;

/* A shape of a bullet, or a part of it, and another shape. */
typedef struct impact_query {
    vsp_world *world;
    step_budget *step;
    vsp__num h;       /* s: length of the step */
    bool is_before;   /* this is the search before the solve */
    bool is_layer;    /* this is a layer of SHOCK: kinematic bodies are at the
                         end of their step already */
    bool is_hit_seen; /* before the solve: the detection can find a contact with
                         what the bullet hits first */
    vsp__v3 lead;     /* m: how far that thing moves along `face` until hit */
    vsp__v3 face;     /* normal there, of a solid or triangle */
    vsp__v3 hit_way;  /* m: displacement, in the step, of the point of the
                         other shape that is hit */
    bool is_back;  /* this is the way back by the lead, to the place where the
                      bullet waits */
    vsp__num part; /* on the way back: when the bullet hits */
    vsp__v3 whole[2]; /* m, on the way back: displacements in the whole step */
    vsp__num gap;     /* m: the gap at which the bullet stops */
    bool is_indexed;  /* index_swept_shapes was called */
    bool is_outer;    /* the part is an inner sphere of a tree, whose children
                         are tested if it hits something */
    bool is_over;    /* the other shape is at its pose at the end of the step */
    uint32_t left;   /* rest of MAX_COST, within the budget of the step */
    uint32_t passed; /* shapes and triangles visited since the last cost of 1 */
    vsp__num sure;   /* the fraction of the step in which it cannot tunnel */
    vsp__num margin; /* m: a shape that the bullet only grazes overlaps it by
                        less */
    vsp__num pull;   /* a unit: the margin of a polyhedron, in vsp__convex */
    uint32_t slot[2];
    step_motion motion[2];
    core_size core[2];
    vsp__convex convex[2];
    vsp__v3 corners[3]; /* of the other shape's triangle */
    vsp__pose pose[2];
    vsp__v3 core_center;  /* m: middle of the bullet's shape, in its frame; the
                             position of a point core */
    const vsp_sdf *field; /* of the other shape, or null */
    vsp__v3 normal;       /* normal of the last gap, except of one to a field */
} impact_query;

/* Returns the velocity of a body, before the solve or after it. */
static vsp__velocity velocity_of(const impact_query *e, uint32_t body)
{
    const vsp__body *b = e->world->bodies + body;
    vsp__velocity v;

    if (!e->is_before)
        return vsp__problem_of(e->world)->solve.velocity[body];
    vsp__get_velocity(b, &v);
    if (vsp__is_dynamic(b))
        vsp__apply_locks(b, &v);
    return v;
}

/* Returns how long a body moves by the result of velocity_of, s: after the
 * solve, a bullet only for the rest of its step. */
static vsp__num time_of(const impact_query *e, uint32_t body)
{
    vsp__num flown = e->is_before ? 0 : e->world->flown[body];

    return flown > 0 ? u_mul(VSP__UNIT(1.0) - flown, e->h) : e->h;
}

/* Computes the motion of a body: none if its velocity is not finite. */
static void get_step_motion(const impact_query *e, uint32_t body,
                            step_motion *m)
{
    uint32_t cut = vsp__way_cut(e->world->params.tick);
    vsp__velocity v = velocity_of(e, body);

    m->body = e->world->bodies + body;
    m->way = v3_zero();
    m->h = time_of(e, body);
    m->gone = 0;
    m->behind = v3_zero();
    if (!vsp__are_finite(&v.linear.x, 6))
        v.linear = v.angular = m->way;
    vsp__clamp_each(&v.linear.x, 6, rate_read(VSP_MAX_SPEED)); /* and angular */
    v3_move_by_rate(&m->way, m->h, &v.linear, cut);
    m->spin = m->axis = v.angular;
    vsp__v3_normalize(&m->axis);
    m->turn = r_of_rate(vector_length(&v.angular), m->h);
}

/* Whether a body has made its motion of the step already. */
static bool has_gone(const impact_query *e, const vsp__body *body)
{
    return e->is_layer && body->type == (uint32_t)VSP_KINEMATIC + 1u;
}

/* After the solve a bullet may have flown for a part of the step.  Reduces the
 * motion of another body to the rest of it. */
static void begin_later(const impact_query *e, step_motion *m)
{
    const vsp__num *flown = e->world->flown;
    const vsp__body *bodies = e->world->bodies;
    vsp__num first = flown[e->motion[0].body - bodies];
    vsp__num from = first - (has_gone(e, m->body) ? VSP__UNIT(1.0) : 0);

    if (e->is_before || from == 0 || flown[m->body - bodies] != 0)
        return;
    m->gone = u_mul(from, m->h);
    u3_move(&m->behind, from, &m->way);
    m->h = u_mul(VSP__UNIT(1.0) - first, m->h);
    u3_scale_in(&m->way, VSP__UNIT(1.0) - first);
    m->turn = u_mul(VSP__UNIT(1.0) - first, m->turn);
}

static bool has_lead(const vsp_world *world, uint32_t body)
{
    return !vsp__are_three_zero(&world->lead[body].x);
}

/* Replaces the motion of a body in the step, before the solve, by the way from
 * where it is when the bullet hits to where the detection sees it.  The angle
 * stays that of the whole step.  Later bullets that have a lead are where they
 * begin the step: it is not known yet whether they may wait elsewhere. */
static void go_back(impact_query *e, uint32_t which)
{
    step_motion *m = e->motion + which;
    uint32_t body = (uint32_t)(m->body - e->world->bodies);
    bool is_open = m->body > e->motion[0].body && has_lead(e->world, body);
    vsp__num back = (is_open ? 0 : e->world->flown[body]) - e->part;

    e->whole[which] = m->way;
    m->gone = u_mul(e->part, m->h);
    u3_move(&m->behind, e->part, &m->way);
    m->h = u_mul(back, m->h);
    u3_scale_in(&m->way, back);
    if (!is_open)
        v3_sub_in(&m->way, &e->world->lead[body]);
}

/* Computes the pose of a shape after the fraction t of the step. */
static void pose_at_part(const impact_query *e, uint32_t which, vsp__num t,
                         vsp__pose *pose)
{
    const step_motion *m = e->motion + which;
    vsp__mat3 axes;
    vsp__unit_quat q;
    uint32_t k;

    *pose = vsp__find_of(e->world)->poses[e->slot[which]];
    if (m->turn > 0) {
        vsp__q_of_spin(&m->spin, r_add(m->gone, u_mul(t, m->h)), &q);
        vsp__q_axes_flushed(&q, &axes);
        v3_sub_in(&pose->position, &m->body->position);
        vsp__m3_mul_to(&axes, &pose->position, &pose->position);
        v3_add_in(&pose->position, &m->body->position);
        for (k = 0; k < 3; k++) {
            vsp__m3_mul_to(&axes, pose->axes.axis + k, pose->axes.axis + k);
            v3_flush_in(pose->axes.axis + k);
        }
    }
    v3_add_in(&pose->position, &m->behind);
    u3_move(&pose->position, t, &m->way);
    v3_flush_in(&pose->position);
}

/* Returns how much the gap along its normal, from shape 0 to 1, can shrink in
 * the whole step, m.  Between the points of a grid the distance changes by at
 * most the displacement along each axis, so by less than twice its length. */
static vsp__num most_closing(const impact_query *e)
{
    vsp__v3 way = e->motion[0].way;
    uint32_t k;
    vsp__num sum;

    if (!e->is_over)
        v3_sub_in(&way, &e->motion[1].way);
    if (VSP_SDFS && e->field)
        sum = vector_length(&way);
    else
        sum = u3_dot_at(&e->normal, &way);
    for (k = 0; k < (e->is_over ? 1u : 2u); k++)
        sum = r_add(sum, e->core[k].swing);
    if (VSP_SDFS && e->field)
        sum = r_add(sum, sum);
    return r_flush(sum);
}

/* Computes the poses of both shapes after the fraction t of the step. */
static void place_both_at(impact_query *e, vsp__num t)
{
    vsp__v3 shift;
    uint32_t k;

    for (k = 0; k < 2; k++)
        pose_at_part(e, k, k > 0 && e->is_over ? VSP__UNIT(1.0) : t,
                     e->pose + k);
    if (e->convex[0].core != VSP__CORE_POINT)
        return;
    vsp__m3_mul_to(&e->pose[0].axes, &e->core_center, &shift);
    v3_add_in(&e->pose[0].position, &shift);
    v3_flush_in(&e->pose[0].position);
}

/* Returns the gap after the fraction t of the step, m. */
static vsp__num gap_at_part(impact_query *e, vsp__num t)
{
    const vsp__pose *plane = &e->pose[1];
    vsp__witness w;
    vsp__v3 low;
    vsp__num gap;

    place_both_at(e, t);
    if (VSP_SDFS && e->field)
        return vsp__sdf_gap(e->field, plane, &e->convex[0]);
    if (e->world->shapes[e->slot[1]].type != VSP_SHAPE_HALF_SPACE) {
        gap = vsp__convex_distance(&e->convex[0], &e->convex[1],
                                   r_read(VSP_MAX_SIZE), &w);
        e->normal = w.normal;
        return gap;
    }
    v3_neg_to(&plane->axes.axis[1], &e->normal);
    vsp__farthest_point(&e->convex[0], &e->normal, &low);
    v3_add_in(&low, &e->pose[0].position);
    v3_sub_in(&low, &plane->position);
    v3_flush_in(&low);
    gap = r_neg(u3_dot_at(&e->normal, &low));
    return r_sub(gap, e->convex[0].radius);
}

/* Pays a cost from the budget of the step.  Returns a bullet's budget, `part`,
 * at most what is left. */
static VSP__CALLED uint32_t pay_of_step(step_budget *step, uint32_t part,
                                        uint32_t cost)
{
    cost = cost < step->left ? cost : step->left;
    step->left -= cost;
    step->used += cost;
    return part < step->left ? part : step->left;
}

static void open_budget(const vsp_world *world, step_budget *step)
{
    step->left = world->gap_left;
    step->used = 0;
}

static void close_budget(vsp_world *world, const step_budget *step)
{
    world->gap_left = step->left;
    world->stats.gap_count += step->used;
    if (step->left == 0 || world->stats.slowed_count > 0)
        world->stats.spent |= VSP_SPENT_GAPS;
}

/* Pays a cost from the bullet's budget.  Returns whether anything is left. */
static bool pay_cost(impact_query *e, uint32_t cost)
{
    cost = cost < e->left ? cost : e->left;
    e->left = pay_of_step(e->step, e->left - cost, cost);
    return e->left > 0;
}

static bool pay_for_measurement(impact_query *e)
{
    uint32_t cost = e->convex[0].core == VSP__CORE_POINT ? BALL_COST
                                                         : SOLID_COST;

    return pay_cost(e, VSP_SDFS && e->field ? 1u : cost);
}

/* Pays for shapes or triangles that are only visited. */
static void pay_for_passed(impact_query *e, uint32_t count)
{
    e->passed += count;
    (void)pay_cost(e, e->passed / PASSED_IN_ONE);
    e->passed %= PASSED_IN_ONE;
}

/* Returns the time from which the gap is below e->gap, or a negative number
 * if it is so at `from` already.  For a field it first jumps ahead by the
 * diameter of the ball of core_ball_impact, and goes back to sure steps if
 * it gets too near.  Without the jumps, a wall beside the path would make
 * all steps small. */
static vsp__num advance_conservatively(impact_query *e, vsp__num from,
                                       vsp__num last)
{
    vsp__num slack = u_mul(VSP__UNIT(0.25), e->gap), t = from, sure = from;
    vsp__num leap = VSP_SDFS && e->field && !e->is_outer
                        ? r_add(e->core[0].room, e->core[0].room)
                        : 0;
    uint32_t i;

    for (i = 0; i < MAX_ADVANCE_ROUNDS && pay_for_measurement(e); i++) {
        vsp__num left = r_sub(gap_at_part(e, t), e->gap), fast;

        if (left <= slack) {
            if (i == 0)
                return -VSP__UNIT(1.0);
            if (t <= sure)
                return t;
            t = sure;
            leap = 0;
            continue;
        }
        fast = most_closing(e);
        if (!(fast > 0) || left >= fast)
            return last;
        sure = t + u_div(left, fast);
        if (sure >= last)
            return last;
        t = left < leap ? t + u_div(leap, fast) : sure;
    }
    return r_min(t, sure);
}

/* Impact time of a ball in the middle of the bullet's shape, of half its
 * inradius: it must not enter a shape that the bullet already touches. */
static vsp__num core_ball_impact(impact_query *e, vsp__num last)
{
    vsp__convex *c = &e->convex[0];
    vsp__core core = c->core;
    vsp__num radius = c->radius, part;

    c->core = VSP__CORE_POINT;
    c->radius = e->core[0].room;
    part = advance_conservatively(e, 0, last);
    c->core = core;
    c->radius = radius;
    return part >= 0 ? part : last;
}

static bool is_bullet(const vsp__body *body)
{
    return (body->flags & VSP__BULLET) != 0;
}

/* Sets the margin, at most the `room` of the bullet's shape.  A fast body that
 * is not a bullet may overlap a static one by its own `room`. */
static void set_margin(impact_query *e)
{
    vsp__num envelope = e->world->params.envelope;

    if (!is_bullet(e->motion[0].body)) {
        e->margin = e->core[0].room;
        e->pull = VSP__UNIT(0.5);
        return;
    }
    e->margin = r_min(u_mul(VSP__UNIT(0.125), envelope), e->core[0].room);
    e->pull = u_div(e->margin, r_add(e->core[0].room, e->core[0].room));
    if (e->core[0].reach > envelope)
        e->pull = r_min(e->pull, u_div(envelope, e->core[0].reach));
}

/* Shrinks the bullet's shape on all sides by `size`, m; a polyhedron by moving
 * its corners by the fraction `pull` of their distance to its centre, and a
 * cylinder, cone or tapered capsule by scaling it by the same. */
static VSP__CALLED void shrink_bullet(impact_query *e, vsp__num size,
                                      vsp__num pull)
{
    vsp__convex *c = &e->convex[0];

    if (c->core == VSP__CORE_POLYHEDRON)
        c->half.x = pull;
    else if (vsp__is_turned_core(c)) {
        u3_scale_in(&c->half, VSP__UNIT(1.0) - pull);
        c->radius = u_mul(c->radius, VSP__UNIT(1.0) - pull);
    } else if (c->core == VSP__CORE_BRICK)
        c->half = v3_sub(c->half, v3(size, size, size));
    else
        c->radius = r_sub(c->radius, size);
}

/* Like core_ball_impact, for a shape half as thick as the bullet's.  If even
 * that touches already, calls core_ball_impact. */
static vsp__num kernel_impact(impact_query *e, vsp__num last)
{
    vsp__convex whole = e->convex[0];
    vsp__num part;

    shrink_bullet(e, e->core[0].room, VSP__UNIT(0.5));
    part = advance_conservatively(e, 0, last);
    e->convex[0] = whole;
    return part < 0 ? core_ball_impact(e, last) : part;
}

/* Returns when the bullet stops for a solid that it gets near to at the time
 * `near`.  It continues if it only grazes the solid: if its shape overlaps the
 * solid at the end of the step by at most the margin.  To a bullet that slides
 * over flat ground, the next triangle or box looks like a wall until it is
 * below. */
static vsp__num stop_unless_skimmed(impact_query *e, vsp__num near,
                                    vsp__num last)
{
    vsp__convex whole = e->convex[0];
    vsp__num gap = e->gap, part, fast, back;

    shrink_bullet(e, e->margin, e->pull);
    e->gap = u_mul(VSP__UNIT(0.25), e->margin);
    part = advance_conservatively(e, near, last);
    fast = most_closing(e);
    e->convex[0] = whole;
    e->gap = gap;
    if (part < 0)
        return near;
    if (part >= last ||
        (is_bullet(e->motion[0].body) && u_mul(last - part, fast) <= e->margin))
        return last;
    /* Go back by twice the margin, to a gap about that large, but not to a time
     * before `near`. */
    if (u_mul(part - near, fast) <= r_add(e->margin, e->margin))
        return near;
    back = u_div(e->margin, fast);
    return r_max(near, part - back - back);
}

/* Returns when two solids that touch already hit, in the search before the
 * solve: at once if they approach by more than the gap in the step, unless the
 * bullet only grazes the other, or if the inside of the bullet's shape hits. */
static vsp__num touch_impact(impact_query *e, vsp__num last)
{
    vsp__v3 way;

    v3_sub_to(&e->motion[0].way, &e->motion[1].way, &way);
    if (!(VSP_SDFS && e->field) && u3_dot_at(&e->normal, &way) > e->gap &&
        stop_unless_skimmed(e, 0, last) < last)
        return 0;
    return kernel_impact(e, last) < last ? 0 : last;
}

/* Whether the bullet passes through the other shape, a one-way one. */
static bool passes_through(const impact_query *e, const vsp__v3 *normal)
{
    vsp__v3 way;

    v3_sub_to(&e->motion[0].way, &e->motion[1].way, &way);
    return vsp__flies_through(e->world, e->slot, &way, normal);
}

/* Whether the bullet would enter the other shape by more than the margin, if it
 * moved from the place where it waits along `way`, m, in a step. */
static bool would_enter(impact_query *e, const vsp__v3 *way)
{
    vsp__convex whole = e->convex[0];
    step_motion motion[2] = {e->motion[0], e->motion[1]};
    vsp__num gap = e->gap, part;
    uint32_t k;

    for (k = 0; k < 2; k++) {
        step_motion *m = e->motion + k;

        v3_add_in(&m->behind, &m->way);
        m->gone = r_add(m->gone, m->h);
        m->h = 0;
    }
    e->motion[0].way = *way;
    e->motion[1].way = e->whole[1];
    shrink_bullet(e, e->margin, e->pull);
    e->gap = u_mul(VSP__UNIT(0.25), e->margin);
    part = advance_conservatively(e, 0, VSP__UNIT(1.0));
    e->convex[0] = whole;
    e->gap = gap;
    e->motion[0] = motion[0];
    e->motion[1] = motion[1];
    return part < VSP__UNIT(1.0);
}

/* Whether a solid could take part in a hit of the bullet with another one:
 * whether the bullet has a contact with it where the bullet waits, is nearer to
 * it than at the hit, and would enter it with its velocity before the hit, its
 * velocity after a bounce, or the velocity of what it hits.  A solid that it
 * only grazes is no hindrance: a bullet may slide over many parts of a
 * floor. */
static bool is_in_the_way(impact_query *e)
{
    vsp__num slack = u_mul(VSP__UNIT(0.25), e->gap), gap;
    vsp__v3 way;

    if (!pay_for_measurement(e))
        return true;
    gap = gap_at_part(e, VSP__UNIT(1.0));
    if (gap >= e->world->params.envelope)
        return false;
    if (e->is_outer || !pay_for_measurement(e))
        return true;
    if (gap >= r_sub(gap_at_part(e, 0), slack))
        return false;
    v3_sub_to(&e->hit_way, &e->whole[0], &way);
    gap = u3_dot_at(&e->face, &way);
    way = e->face;
    u3_scale_in(&way, r_add(gap, gap));
    v3_add_in(&way, &e->whole[0]);
    return would_enter(e, &e->whole[0]) || would_enter(e, &way) ||
           would_enter(e, &e->hit_way);
}

/* Returns when the two solids hit.  If they touch from the beginning, they have
 * a contact already, and only the inside of the bullet's shape is followed.  A
 * grid is measured only at the corners of a solid, so a ball in its middle
 * represents the rest of the solid. */
static vsp__num pair_impact(impact_query *e, vsp__num last)
{
    vsp__num part;
    vsp__v3 face;

    if (e->is_back)
        return is_in_the_way(e) ? 0 : last;
    part = advance_conservatively(e, 0, last);
    face = e->normal;
    if (e->is_outer)
        return r_max(part, 0);
    if (passes_through(e, VSP_SDFS && e->field ? NULL : &e->normal))
        return last;
    if (part < 0)
        return e->is_before ? touch_impact(e, last) : kernel_impact(e, last);
    if (part < last && e->left > 0)
        part = stop_unless_skimmed(e, part, last);
    if (part < last)
        e->face = face;
    if (VSP_SDFS && e->field && e->convex[0].core > VSP__CORE_SEGMENT &&
        !vsp__is_taper_core(&e->convex[0]))
        return core_ball_impact(e, part);
    return part;
}


/* ---- Surfaces ------------------------------------------------------------ */

/* Computes bounds of the volume that the bullet's shape sweeps in the step, in
 * the frame of the surface, which may turn meanwhile. */
static void swept_bounds_in_frame(const impact_query *e, const vsp__pose *frame,
                                  vsp__aabb *bounds)
{
    vsp__num size = r_add(r_add(e->core[0].reach, e->convex[0].radius),
                          r_add(r_add(e->gap, e->gap), e->core[1].swing));
    vsp__v3 from = e->motion[0].body->position, way;

    v3_sub_in(&from, &frame->position);
    v3_add_in(&from, &e->motion[0].behind);
    v3_sub_in(&from, &e->motion[1].behind);
    v3_flush_in(&from);
    vsp__m3_tmul_to(&frame->axes, &from, &from);
    v3_sub_to(&e->motion[0].way, &e->motion[1].way, &way);
    v3_flush_in(&way);
    vsp__m3_tmul_to(&frame->axes, &way, &way);
    bounds->low = bounds->high = from;
    sweep_bounds(bounds, &way, size);
}

/* Returns when the bullet's shape hits a triangle of the surface. */
static vsp__num surface_impact(impact_query *e, vsp__num last)
{
    const vsp__shape *shape = e->world->shapes + e->slot[1];
    vsp__triangle_walk it;
    vsp__aabb bounds;
    vsp__surface surface;
    uint32_t index;

    if (!VSP__HAS_PARTS)
        return last;
    vsp__make_surface(e->world, shape,
                      vsp__find_of(e->world)->poses + e->slot[1], &surface);
    swept_bounds_in_frame(e, surface.pose, &bounds);
    vsp__start_triangles(&it, &surface, &bounds);
    e->convex[1].pose = &e->pose[1];
    e->convex[1].core = VSP__CORE_TRIANGLE;
    e->convex[1].radius = 0;
    e->convex[1].corners = e->corners;
    for (;;) {
        uint32_t most = PASSED_IN_ONE * e->left;
        bool is_found;

        it.left = most;
        is_found = vsp__next_triangle(&it, e->corners, &index);
        pay_for_passed(e, most - it.left);
        if (!is_found || e->left == 0)
            return last;
        last = pair_impact(e, last);
    }
}


/* ---- Two shapes ---------------------------------------------------------- */

static bool is_convex_shape(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_BOX ||
           (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) ||
           (VSP_HULLS && shape->type == VSP_SHAPE_HULL) ||
           vsp__is_revolved(shape);
}

static bool is_sdf_shape(const vsp__shape *shape)
{
    return VSP_SDFS && shape->type == VSP_SHAPE_SDF;
}

/* Returns when the part of the bullet hits the other shape. */
static vsp__num part_impact(impact_query *e, vsp__num last)
{
    vsp_shape_type type = (vsp_shape_type)e->world->shapes[e->slot[1]].type;

    if ((VSP_MESHES || VSP_HEIGHT_FIELDS) &&
        (type == VSP_SHAPE_MESH || type == VSP_SHAPE_HEIGHT_FIELD))
        return surface_impact(e, last);
    return pair_impact(e, last);
}

/* Impact time of all spheres of an SDF bullet.  If an inner sphere hits
 * nothing, nothing below it does. */
static vsp__num sphere_tree_impact(impact_query *e, vsp__num last)
{
    const vsp__shape *shape = e->world->shapes + e->slot[0];
    const vsp_sdf *sdf = e->world->tables[shape->table - 1u];
    uint32_t i = 0;

    while (e->left > 0 && i < sdf->node_count) {
        const vsp_sphere_node *node = sdf->nodes + i;
        vsp__num part;

        vsp__place_to_v3(&node->center, &e->core_center);
        e->convex[0].radius = r_of_place(node->radius);
        e->core[0].room = u_mul(VSP__UNIT(0.5), e->convex[0].radius);
        set_margin(e);
        e->is_outer = node->next != i + 1;
        part = part_impact(e, last);
        i = part < last || !e->is_outer ? i + 1 : node->next;
        if (!e->is_outer)
            last = part;
    }
    return last;
}

/* Returns the largest displacement of a point of a shape in the step, m. */
static vsp__num way_of(const impact_query *e, uint32_t which)
{
    return r_add(vector_length(&e->motion[which].way), e->core[which].swing);
}

/* Whether a shape of a bullet moves so far that it could pass through another
 * one between two steps. */
static bool may_tunnel(const impact_query *e, uint32_t which)
{
    return way_of(e, which) > e->core[which].room;
}

/* Whether the bullet's shape may stop for another one.  Shells are kept apart
 * in path.c. */
static bool is_obstacle(const impact_query *e, uint32_t other)
{
    const vsp_world *world = e->world;
    const vsp__body *body = world->bodies + world->shapes[other].body;

    return vsp__may_collide(world, e->slot[0], other) &&
           !vsp__is_shell(world->shapes + other) &&
           (is_bullet(e->motion[0].body) || body->type == VSP_STATIC + 1u);
}

/* Returns when the bullet's shape, or its sphere tree, hits the other shape. */
static vsp__num shape_impact(impact_query *e, vsp__num last)
{
    if (is_sdf_shape(e->world->shapes + e->slot[0]))
        return sphere_tree_impact(e, last);
    return part_impact(e, last);
}

/* Whether forces, damping and max_speed leave the velocity of a body as it is,
 * nearly. */
static bool is_coasting(const vsp_world *world, const vsp__body *b)
{
    return b->max_speed == rate_read(VSP_MAX_SPEED) &&
           r_mul(world->params.dt, b->linear_damping) <=
               VSP__UNIT(1.0 / 64.0) &&
           !vsp__words_differ(&b->force, NULL, 2u * VSP__WORDS(vsp__wide3));
}

/* Whether a bullet may move to its impact before the solve.  Joints of the body
 * would part, and shells take the line from its start to its end for its
 * path. */
static bool may_fly(const vsp_world *world, uint32_t body)
{
    const vsp__body *b = world->bodies + body;

    return is_bullet(b) && vsp__is_awake(b) && is_coasting(world, b) &&
           !vsp__has_joints(world, body) &&
           !(VSP_UNIONS && vsp__is_in_union(world, body)) &&
           !(VSP_SHELLS && vsp__paths_of(world)->shell_count > 0);
}

/* Starts the query for another shape. */
static void aim_at_shape(impact_query *e, uint32_t other)
{
    const vsp_world *world = e->world;
    const vsp__shape *shape = world->shapes + other;

    e->slot[1] = other;
    get_step_motion(e, shape->body, &e->motion[1]);
    if (e->is_back)
        go_back(e, 1);
    begin_later(e, &e->motion[1]);
    vsp__zero_bytes(&e->core[1], sizeof e->core[1]);
    if (shape->type != VSP_SHAPE_HALF_SPACE)
        measure_core(world, other, &e->motion[1], &e->core[1]);
    e->field = (const vsp_sdf *)0;
    if (is_sdf_shape(shape))
        e->field = world->tables[shape->table - 1u];
    else if (is_convex_shape(shape))
        vsp__make_convex(world, shape, &e->pose[1], &e->convex[1]);
    e->is_outer = e->is_over = false;
}

/* Whether the other shape is of a bullet that stops where both meet. */
static bool is_met_halfway(const impact_query *e)
{
    const vsp__body *other = e->motion[1].body;
    uint32_t slot = e->world->shapes[e->slot[1]].body;

    return is_bullet(other) && may_tunnel(e, 1) &&
           !(e->is_before && !may_fly(e->world, slot));
}

/* The largest turn, rad, of a shape until a bullet hits it, for which its
 * points move nearly along a line. */
#define MOST_TURN VSP__REAL(0.125)

/* Computes how far the other shape moves along its normal, where the bullet
 * hits it after a part of the step.  Returns whether the detection can find the
 * contact. */
static bool find_lead(impact_query *e, vsp__num part)
{
    const step_motion *m = &e->motion[1];
    vsp__v3 arm = e->motion[0].body->position, across;

    v3_sub_in(&arm, &m->body->position);
    u3_move(&arm, part, &e->motion[0].way);
    u3_move(&arm, -part, &m->way);
    u3_cross_to(&m->axis, &arm, &across);
    v3_scale_in(&across, m->turn);
    v3_add_to(&m->way, &across, &e->hit_way);
    e->lead = e->face;
    u3_scale_in(&e->lead, u_mul(part, u3_dot_at(&e->face, &e->hit_way)));
    return e->field == NULL && u_mul(part, m->turn) <= MOST_TURN;
}

/* The same as stop_for_shape before the solve.  The detection that follows sees
 * the other shape at its pose now, unless that is of a bullet that moves, too.
 * So the bullet is placed as far from it as it will be where it hits. */
static vsp__num fly_to_shape(impact_query *e, vsp__num last)
{
    bool is_halfway = is_met_halfway(e);
    bool is_still = r_add(v3_size_at(&e->motion[1].way), e->core[1].swing) <=
                    e->gap;
    vsp__num part;

    if (is_still && !is_halfway) {
        e->motion[1].way = v3_zero();
        e->motion[1].turn = e->core[1].swing = 0;
    }
    part = shape_impact(e, last);
    if (part >= last)
        return part;
    e->lead = v3_zero();
    /* part 0: the bullet touches the shape already, and need not fly to it */
    e->is_hit_seen = part > 0 && (is_still || is_halfway || find_lead(e, part));
    return part;
}

/* Returns when the bullet's shape stops for another shape.  Two bullets stop
 * where they meet.  Any other shape moves for the whole step, and would run
 * over the bullet or leave it behind: so the bullet stops at the pose that this
 * shape has at the end of the step, or does not stop if it misses the shape
 * there. */
static vsp__num stop_for_shape(impact_query *e, uint32_t other, vsp__num last)
{
    vsp__num part, over;

    pay_for_passed(e, 1);
    if (e->left == 0 || !is_obstacle(e, other))
        return last;
    aim_at_shape(e, other);
    if (e->is_back)
        return shape_impact(e, last);
    if (e->is_before)
        return fly_to_shape(e, last);
    part = shape_impact(e, last);
    if (part >= last || is_met_halfway(e))
        return part;
    e->is_over = true;
    over = shape_impact(e, last);
    return over < last ? over : part;
}


/* ---- Shapes on the path -------------------------------------------------- */

/* A vsp__do_piece: extends the bounds of shapes to the volumes that they sweep
 * in the step. */
static void sweep_piece_of_shapes(void *work, uint32_t piece, uint32_t first,
                                  uint32_t last)
{
    const impact_query *e = (const impact_query *)work;
    const vsp_world *world = e->world;

    (void)piece;
    for (; first < last; first++) {
        core_size core;
        step_motion m;

        if (!vsp__is_present(world, world->shapes + first))
            continue;
        get_step_motion(e, world->shapes[first].body, &m);
        measure_core(world, first, &m, &core);
        if (has_gone(e, m.body))
            v3_neg_to(&m.way, &m.way);
        sweep_bounds(vsp__find_of(world)->bounds + first, &m.way, core.swing);
        v3_neg_to(&world->lead[world->shapes[first].body], &m.way);
        sweep_bounds(vsp__find_of(world)->bounds + first, &m.way, 0);
    }
}

/* Shapes that are worth a piece of work. */
#define LEAST_SWEPT VSP__LEAST(32u)

/* Builds the tree of shapes over the bounds that they sweep, in the memory of
 * the solve. */
static void index_swept_shapes(impact_query *e)
{
    vsp__update_shape_bounds(e->world);
    vsp__share_work(e->world, sweep_piece_of_shapes, e, e->world->shape_limit,
                    LEAST_SWEPT);
    vsp__build_shape_tree(e->world);
}

/* Returns when the bullet's shape stops for any shape.  The order of tests does
 * not matter, as the earliest time counts. */
static vsp__num stop_for_any(impact_query *e, vsp__num last)
{
    const vsp_world *world = e->world;
    const uint16_t *order = vsp__find_of(world)->sort_order;
    vsp__tree tree;
    uint32_t level, i;

    for (i = 0; i < world->plane_count; i++)
        last = stop_for_shape(e, order[VSP_MAX_SHAPES + i], last);
    vsp__lay_out_tree(world, world->leaf_count, &tree);
    level = tree.top;
    i = 0;
    while (i < tree.count[level]) {
        if (vsp__bounds_overlap(vsp__find_of(world)->bounds + e->slot[0],
                                vsp__tree_node(&tree, level, i))) {
            if (level > 0) {
                level--;
                i *= 2;
                continue;
            }
            last = stop_for_shape(e, order[i], last);
        }
        i++;
        while (i % 2 == 0 && level < tree.top) {
            i /= 2;
            level++;
        }
    }
    return last;
}


/* ---- Bullets ------------------------------------------------------------- */

/* Returns when one shape makes the bullet stop. */
static vsp__num shape_stop(impact_query *e, uint32_t slot, vsp__num last)
{
    const vsp__shape *shape = e->world->shapes + slot;

    e->slot[0] = slot;
    measure_core(e->world, slot, &e->motion[0], &e->core[0]);
    if (vsp__is_shell(shape) || !(e->is_back || may_tunnel(e, 0)))
        return last;
    e->sure = e->is_back ? 0 : u_div(e->core[0].room, way_of(e, 0));
    set_margin(e);
    if (!e->is_indexed)
        e->left = pay_of_step(e->step, e->left,
                              e->world->shape_limit / INDEXED_IN_ONE);
    if (e->left == 0)
        return r_min(last, e->sure);
    if (!e->is_indexed)
        index_swept_shapes(e);
    e->is_indexed = true;
    e->core_center = v3_zero();
    e->convex[0].core = VSP__CORE_POINT;
    e->convex[0].pose = &e->pose[0];
    if (is_convex_shape(shape))
        vsp__make_convex(e->world, shape, &e->pose[0], &e->convex[0]);
    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL) {
        vsp__hull_center(&e->convex[0], &e->core_center);
        e->core[0].room = 0;
    }
    last = stop_for_any(e, last);
    return e->left > 0 ? last : r_min(last, e->sure);
}

/* Returns the part of the step in which the bullet moves. */
static vsp__num bullet_stop(impact_query *e, uint32_t body)
{
    vsp_world *world = e->world;
    vsp__num part = VSP__UNIT(1.0);
    uint32_t next;

    get_step_motion(e, body, &e->motion[0]);
    if (e->is_back)
        go_back(e, 0);
    e->left = pay_of_step(e->step, MAX_COST, 0);
    e->passed = 0;
    for (next = world->bodies[body].first_shape; next != 0;
         next = world->shapes[next - 1u].next_shape)
        part = shape_stop(e, next - 1u, part);
    return part;
}

static void begin_query(vsp_world *world, step_budget *step, vsp__num h,
                        bool is_before, bool is_layer, impact_query *e)
{
    e->world = world;
    e->step = step;
    e->h = h;
    e->gap = u_mul(VSP__UNIT(0.5), world->params.envelope);
    e->is_before = is_before;
    e->is_layer = is_layer;
    e->is_indexed = e->is_back = false;
}

/* Whether a body may pass through something in the step: a bullet, or a body of
 * which a point 1 m from its centre moves farther than the envelope.  A slower
 * body of that size has contacts already, and a body that swings on a pivot
 * does not move straight. */
static bool is_swept(const vsp_world *world, uint32_t body, vsp__num h)
{
    const vsp__num *v = &vsp__solve_of(world)->velocity[body].linear.x;
    vsp__num most = 0;
    vsp__v3 pivot;
    uint32_t i;

    if (is_bullet(world->bodies + body))
        return true;
    if (world->params.continuous == 0)
        return false;
    for (i = 0; i < 6; i++)
        most = r_max(most, r_abs(v[i]));
    return r_of_rate(most, h) > world->params.envelope &&
           !(VSP_JOINTS && vsp__find_pivot(world, body, &pivot));
}

/* Copies what a solve knows of the world's bodies. */
static void copy_solve(const vsp_world *world, const vsp__solver_scratch *from,
                       vsp__solver_scratch *to)
{
    uint32_t i;

    for (i = 0; i <= world->body_limit; i++) {
        to->link_first[i] = from->link_first[i];
        to->layer_bodies[i] = from->layer_bodies[i];
        to->layer_manifolds[i] = from->layer_manifolds[i];
    }
    for (i = 0; i < world->body_limit; i++) {
        to->stack_order[i] = from->stack_order[i];
        to->velocity[i] = from->velocity[i];
        to->axes[i] = from->axes[i];
        to->inverse[i] = from->inverse[i];
        to->pass[i] = from->pass[i];
        to->saved[i] = from->saved[i];
    }
}

/* A search for the times of bodies. */
typedef struct time_search {
    vsp_world *world;
    vsp__solver_scratch *solve; /* where these bodies are */
    impact_query query;         /* each piece begins with a copy */
    step_budget budget;
    uint32_t first; /* in stack_order */
    vsp__sums slowed, used;
} time_search;

/* Computes the time of a body that has none yet.  Returns whether it was slowed
 * because the budget was used up. */
static bool find_time(impact_query *e, vsp__solver_scratch *solve,
                      uint32_t body)
{
    vsp__velocity *copy = vsp__problem_of(e->world)->solve.velocity + body;
    vsp__num part;

    if (solve->pass[body].move.time != 0)
        return false;
    if (copy != solve->velocity + body)
        *copy = solve->velocity[body];
    part = bullet_stop(e, body);
    solve->pass[body].move.time = u_mul(part, e->motion[0].h);
    return e->left == 0 && part < VSP__UNIT(1.0);
}

#if VSP_WORKERS

/* A vsp__do_piece.  Each piece has the whole budget. */
static void find_piece_of_times(void *work, uint32_t piece, uint32_t first,
                                uint32_t last)
{
    time_search *s = (time_search *)work;
    uint16_t *is_found = vsp__crew_of(s->world)->after;
    step_budget budget = {s->budget.left, 0};
    impact_query e = s->query;

    e.step = &budget;
    for (; first < last; first++) {
        uint32_t body = s->solve->stack_order[s->first + first];

        is_found[body] = s->solve->pass[body].move.time == 0;
        if (find_time(&e, s->solve, body))
            s->slowed.of[piece]++;
    }
    s->used.of[piece] = budget.used;
}

/* Bodies that are worth a piece of work. */
#define LEAST_FOUND VSP__LEAST(16u)

/* Shares the bodies from index i on.  Returns false, and leaves them without a
 * time, if the budget could limit one of them: then their order counts. */
static bool share_times(time_search *s, uint32_t i, uint32_t last)
{
    const uint16_t *is_found = vsp__crew_of(s->world)->after;
    uint32_t used;

    if (!vsp__has_workers(s->world) || i == last)
        return false;
    s->first = i;
    vsp__share_work(s->world, find_piece_of_times, s, last - i, LEAST_FOUND);
    used = vsp__sum_of_all(&s->used);
    if (s->budget.left >= used && s->budget.left - used >= MAX_COST) {
        s->budget.left -= used;
        s->budget.used += used;
        s->world->stats.slowed_count += vsp__sum_of_all(&s->slowed);
        return true;
    }
    for (; i < last; i++)
        if (is_found[s->solve->stack_order[i]])
            s->solve->pass[s->solve->stack_order[i]].move.time = 0;
    return false;
}

#else

static bool share_times(time_search *s, uint32_t i, uint32_t last)
{
    (void)s;
    (void)i;
    (void)last;
    return false;
}

#endif

/* Computes the times of bodies that have none yet.  The first of them that may
 * tunnel lets the tree of shapes be built; workers share those behind it. */
static void find_times(time_search *s, uint32_t i, uint32_t last)
{
    bool is_tried = false;

    for (; i < last; i++) {
        if (s->query.is_indexed && !is_tried && share_times(s, i, last))
            return;
        is_tried = s->query.is_indexed;
        if (find_time(&s->query, s->solve, s->solve->stack_order[i]))
            s->world->stats.slowed_count++;
    }
}

/* The tree of shapes uses the memory of the solve, so the solve is copied to
 * the memory of the problem meanwhile, unless the budget of the step is used
 * up. */
static void stop_bullets(vsp_world *world, uint32_t first, uint32_t last,
                         vsp__num h, bool is_layer)
{
    vsp__solver_scratch *copy = &vsp__problem_of(world)->solve;
    bool is_left;
    time_search s;

    vsp__clear_sums(&s.slowed);
    vsp__clear_sums(&s.used);
    open_budget(world, &s.budget);
    is_left = pay_of_step(&s.budget, 1, world->body_limit / INDEXED_IN_ONE) > 0;
    s.world = world;
    s.solve = vsp__solve_of(world);
    if (is_left) {
        copy_solve(world, s.solve, copy);
        s.solve = copy;
    }
    begin_query(world, &s.budget, h, false, is_layer, &s.query);
    find_times(&s, first, last);
    if (is_left)
        copy_solve(world, copy, vsp__solve_of(world));
    close_budget(world, &s.budget);
}

void vsp__start_impacts(vsp_world *world)
{
    world->gap_left = COST_AT_LEAST +
                      COST_OF_BODY * world->params.capacity.bodies;
}

void vsp__find_times_of_impact(vsp_world *world, uint32_t first, uint32_t last,
                               vsp__num h, bool is_layer)
{
    bool is_any_swept = false;
    uint32_t i;

    for (i = first; i < last; i++) {
        uint32_t body = vsp__solve_of(world)->stack_order[i];
        bool is_fast = is_swept(world, body, h);

        if (world->flown[body] > 0) {
            v3_add_in(&world->bodies[body].position, &world->lead[body]);
            world->lead[body] = v3_zero();
        }
        vsp__solve_of(world)->pass[body].move.time = is_fast ? 0 : h;
        is_any_swept = is_any_swept || is_fast;
    }
    if (is_any_swept)
        stop_bullets(world, first, last, h, is_layer);
}

vsp__num vsp__cut_move(vsp_world *world, uint32_t body, vsp__num h)
{
    vsp__solver_scratch *solve = vsp__solve_of(world);
    vsp__num time = solve->pass[body].move.time;
    vsp__num given = u_mul(VSP__UNIT(1.0) - world->flown[body], h);

    if (time < given)
        vsp__slow_fall(world, world->bodies + body,
                       u_div(given - time, world->params.dt),
                       &solve->velocity[body].linear);
    return time;
}


/* ---- Before the solve ---------------------------------------------------- */

/* Where a bullet that has a lead keeps the face and the way of what it hits,
 * while flights are searched: the memory of the problem. */
static vsp__velocity *hit_of(const vsp_world *world, uint32_t body)
{
    return vsp__problem_of(world)->solve.velocity + body;
}

/* Finds when a bullet hits something, if the detection can find it. */
static void find_flight(impact_query *e, uint32_t body)
{
    vsp_world *world = e->world;
    vsp__num part = bullet_stop(e, body);

    if (e->left == 0) {
        world->stats.spent |= VSP_SPENT_GAPS;
        return;
    }
    if (part == VSP__UNIT(1.0) || !e->is_hit_seen)
        return;
    world->flown[body] = part;
    world->lead[body] = e->lead;
    hit_of(world, body)->linear = e->face;
    hit_of(world, body)->angular = e->hit_way;
}

/* Cancels the flights of bullets that would meet a third body where they wait:
 * such a bullet stays where it begins the step, and hits a step late.  Of two
 * that would meet there, the first keeps its flight. */
static void test_places(impact_query *e)
{
    vsp_world *world = e->world;
    uint32_t i;

    e->is_back = true;
    e->is_indexed = false;
    for (i = 0; i < world->body_limit; i++) {
        if (!has_lead(world, i))
            continue;
        e->part = world->flown[i];
        e->face = hit_of(world, i)->linear;
        e->hit_way = hit_of(world, i)->angular;
        if (bullet_stop(e, i) == VSP__UNIT(1.0))
            continue;
        world->flown[i] = 0;
        world->lead[i] = v3_zero();
    }
}

/* Finds the fraction of the step after which each bullet hits something:
 * world->flown, 0 if it does not move before the solve.  Leaves half of the
 * budget. */
static void find_flights(vsp_world *world)
{
    uint32_t kept = world->gap_left / 2u, i;
    step_budget budget;
    impact_query e;

    open_budget(world, &budget);
    budget.left -= kept;
    begin_query(world, &budget, world->params.dt, true, false, &e);
    vsp__zero_bytes(world->flown, world->body_limit * sizeof world->flown[0]);
    vsp__zero_bytes(world->lead, world->body_limit * sizeof world->lead[0]);
    for (i = 0; i < world->body_limit; i++)
        if (may_fly(world, i))
            find_flight(&e, i);
    test_places(&e);
    close_budget(world, &budget);
    world->gap_left += kept;
}

void vsp__fly_to_impacts(vsp_world *world)
{
    uint32_t i;

    find_flights(world);
    for (i = 0; i < world->body_limit; i++)
        if (world->flown[i] > 0) {
            vsp__fly_body(world, i, u_mul(world->flown[i], world->params.dt));
            v3_sub_in(&world->bodies[i].position, &world->lead[i]);
        }
}

#endif /* VSP_CCD */
