/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Continuous collision: how far into a step a bullet may move before it meets
 * something.  In this order: motion of bodies, one solid against another,
 * surfaces, what is somewhere on a bullet's way, all bullets.
 *
 * Conservative advancement (Mirtich, "Impulse-based dynamic simulation of
 * rigid body systems", 1996; paper, section 6.2): two solids that are a
 * distance apart along a direction cannot meet before their speeds along it
 * have used that up; go so far, measure again.  A bullet stops within the
 * envelope with the velocity it has; the next step sees a contact, and does
 * what is right with the whole speed.  Only the bullet loses the rest of its
 * step: the time of all others goes on. */

#include "vsp_internal.h"

/* measurements of one pair, and more than that stop the bullet where it is */
#define MAX_ROUNDS 128u


/* ---- Motion -------------------------------------------------------------- */

static vsp__real length_at(const vsp__vec3 *v)
{
    return v3_length(*v);
}

/* what a body does in a whole step */
typedef struct motion {
    const vsp__body *body;
    vsp__vec3 way;   /* m */
    vsp__vec3 spin;  /* a rate */
    vsp__real turn;  /* rad */
} motion;

/* As it will be moved: a solve that ran out of numbers stops it. */
static void body_motion(const vsp_world *world, uint32_t body, vsp__real h,
                        motion *m)
{
    vsp__velocity v = world->problem.solve.velocity[body];

    m->body = world->bodies + body;
    m->way = v3_zero();
    if (!vsp__are_finite(&v.linear.x, 6))
        v.linear = v.angular = m->way;
    vsp__clamp_in(&v.linear.x, 6, rate_read(VSP_MAX_SPEED)); /* and angular */
    v3_travel(&m->way, h, &v.linear);
    m->spin = v.angular;
    m->turn = r_way(length_at(&v.angular), h);
}

/* How far the core of a shape is from its body's centre at most; *room is half
 * of its smallest half extent. */
static vsp__real shape_reach(const vsp_world *world, uint32_t slot,
                             vsp__real *room)
{
    const vsp__shape *shape = world->shapes + slot;
    vsp__vec3 arm = shape->pose.position, middle, half;

    v3_sub_in(&arm, &world->bodies[shape->body].matter.center);
    vsp__shape_box(world, shape, &middle, &half);
    *room = u_mul(VSP__U(0.5), r_min(half.x, r_min(half.y, half.z)));
    if (shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_CAPSULE)
        half = v3(0, r_sub(half.y, shape->size.x), 0);
    middle = v3_abs(middle);
    v3_add_in(&half, &middle);
    return r_add(length_at(&arm), length_at(&half));
}

/* Makes bounds those of a way from there, and of so much around it. */
static void stretch(vsp__bounds *bounds, const vsp__vec3 *way, vsp__real size)
{
    vsp__real *low = &bounds->low.x, *high = &bounds->high.x;
    const vsp__real *part = &way->x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        low[k] = r_sub(r_add(low[k], r_min(part[k], 0)), size);
        high[k] = r_add(r_add(high[k], r_max(part[k], 0)), size);
    }
}


/* ---- Two solids ---------------------------------------------------------- */

/* A bullet's shape, or a part of it, and another shape. */
typedef struct encounter {
    vsp_world *world;
    vsp__real h;          /* s: the step */
    vsp__real gap;        /* m: where to stop */
    bool is_indexed;      /* the ways of all shapes: index_ways */
    bool is_outer;        /* what is near is looked at again, part by part */
    bool is_over;         /* the other one is where its step ends */
    uint32_t slot[2];
    motion motion[2];
    vsp__real reach[2];   /* of the cores, from the bodies' centres */
    vsp__convex convex[2];
    vsp__pose pose[2];
    vsp__vec3 heart;      /* where the middle of the bullet's shape is in its
                             frame: what is a point is there */
    vsp__real room;       /* m: half of what a ball there has */
    const vsp_sdf *field; /* the other one, if it is one */
    vsp__vec3 normal;     /* of the gap that was measured, not of a field's */
} encounter;

/* Where a shape is after the part t of a step. */
static void pose_at(const encounter *e, uint32_t which, vsp__real t,
                    vsp__pose *pose)
{
    const motion *m = e->motion + which;
    vsp__mat3 axes;
    vsp__quat q;
    uint32_t k;

    *pose = e->world->work.find.poses[e->slot[which]];
    if (m->turn > 0) {
        vsp__turn_of(&m->spin, u_mul(t, e->h), &q);
        vsp__flushed_axes(q, &axes);
        v3_sub_in(&pose->position, &m->body->position);
        vsp__mul(&axes, &pose->position, &pose->position);
        v3_add_in(&pose->position, &m->body->position);
        for (k = 0; k < 3; k++) {
            vsp__mul(&axes, pose->axes.axis + k, pose->axes.axis + k);
            v3_flush_in(pose->axes.axis + k);
        }
    }
    u3_move(&pose->position, t, &m->way);
    v3_flush_in(&pose->position);
}

/* How much the gap along its normal, from 0 to 1, can shrink in a step.  What a
 * grid tells between its points grows along each axis as a distance does at
 * most, so by less than twice the way. */
static vsp__real approach(const encounter *e)
{
    vsp__vec3 way = e->motion[0].way;
    uint32_t k;
    vsp__real sum;

    if (!e->is_over)
        v3_sub_in(&way, &e->motion[1].way);
    if (VSP_SDFS && e->field)
        sum = length_at(&way);
    else
        sum = u3_dot_at(&e->normal, &way);
    for (k = 0; k < (e->is_over ? 1u : 2u); k++)
        if (e->motion[k].turn > 0)
            sum = r_add(sum, r_mul(e->motion[k].turn, e->reach[k]));
    if (VSP_SDFS && e->field)
        sum = r_add(sum, sum);
    return r_flush(sum);
}

/* Takes both to where they are after the part t of the step. */
static void place_both(encounter *e, vsp__real t)
{
    vsp__vec3 shift;
    uint32_t k;

    for (k = 0; k < 2; k++)
        pose_at(e, k, k > 0 && e->is_over ? VSP__U(1.0) : t, e->pose + k);
    if (e->convex[0].core != VSP__POINT)
        return;
    vsp__mul(&e->pose[0].axes, &e->heart, &shift);
    v3_add_in(&e->pose[0].position, &shift);
    v3_flush_in(&e->pose[0].position);
}

/* the gap after the part t of the step */
static vsp__real gap_at(encounter *e, vsp__real t)
{
    const vsp__pose *plane = &e->pose[1];
    vsp__witness w;
    vsp__vec3 low;
    vsp__real gap;

    place_both(e, t);
    if (VSP_SDFS && e->field)
        return vsp__sdf_gap(e->field, plane, &e->convex[0]);
    if (e->world->shapes[e->slot[1]].type != VSP_SHAPE_HALF_SPACE) {
        gap = vsp__distance(&e->convex[0], &e->convex[1],
                            r_read(VSP_MAX_SIZE), &w);
        e->normal = w.normal;
        return gap;
    }
    e->normal = v3_neg(plane->axes.axis[1]);
    vsp__farthest(&e->convex[0], &e->normal, &low);
    v3_add_in(&low, &e->pose[0].position);
    v3_sub_in(&low, &plane->position);
    v3_flush_in(&low);
    gap = r_neg(u3_dot_at(&e->normal, &low));
    return r_sub(gap, e->convex[0].radius);
}

/* Returns the part of the step after which the two are as near as a contact,
 * last if that is not before it, or a negative number if they are that near
 * from the beginning.  Along a field, as far as the heart's size is tried
 * first: what is beside the way may be near all the time. */
static vsp__real advance(encounter *e, vsp__real last)
{
    vsp__real slack = u_mul(VSP__U(0.25), e->gap), t = 0, sure = 0;
    vsp__real leap =
        VSP_SDFS && e->field && !e->is_outer ? r_add(e->room, e->room) : 0;
    uint32_t i;

    for (i = 0; i < MAX_ROUNDS; i++) {
        vsp__real left = r_sub(gap_at(e, t), e->gap), fast;

        if (left <= slack) {
            if (i == 0)
                return -VSP__U(1.0);
            if (t <= sure)
                return t;
            t = sure;
            leap = 0;
            continue;
        }
        fast = approach(e);
        if (!(fast > 0) || left >= fast)
            return last;
        sure = t + u_div(left, fast);
        if (sure >= last)
            return last;
        t = left < leap ? t + u_div(leap, fast) : sure;
    }
    return r_min(t, sure);
}

/* The same of what a bullet must not get into anything with that it touches
 * already: a ball in its middle, half as large as it has room for. */
static vsp__real heart_meeting(encounter *e, vsp__real last)
{
    vsp__convex *c = &e->convex[0];
    vsp__core core = c->core;
    vsp__real radius = c->radius, part;

    c->core = VSP__POINT;
    c->radius = e->room;
    part = advance(e, last);
    c->core = core;
    c->radius = radius;
    return part >= 0 ? part : last;
}

/* The same, but what is near from the beginning is a contact already: only
 * the heart is followed then.  A grid is felt with corners, and with the heart
 * for what is between these. */
static vsp__real first_meeting(encounter *e, vsp__real last)
{
    vsp__real part = advance(e, last);

    if (e->is_outer)
        return r_max(part, 0);
    if (part < 0)
        return heart_meeting(e, last);
    if (VSP_SDFS && e->field && e->convex[0].core > VSP__SEGMENT)
        return heart_meeting(e, part);
    return part;
}


/* ---- Surfaces ------------------------------------------------------------ */

/* Bounds, in the frame of a surface that does not move, of all that a bullet's
 * shape reaches in the step. */
static void swept_bounds(const encounter *e, const vsp__pose *frame,
                         vsp__bounds *bounds)
{
    vsp__real size = r_add(r_add(e->reach[0], e->convex[0].radius),
                           r_add(e->gap, e->gap));
    vsp__vec3 from = e->motion[0].body->position, way = e->motion[0].way;

    v3_sub_in(&from, &frame->position);
    v3_flush_in(&from);
    vsp__tmul(&frame->axes, &from, &from);
    v3_sub_in(&way, &e->motion[1].way);
    v3_flush_in(&way);
    vsp__tmul(&frame->axes, &way, &way);
    bounds->low = bounds->high = from;
    stretch(bounds, &way, size);
}

static vsp__real meet_surface(encounter *e, vsp__real last)
{
    const vsp__shape *shape = e->world->shapes + e->slot[1];
    vsp__triangles it;
    vsp__bounds bounds;
    vsp__surface surface;
    vsp__vec3 corners[3];
    uint32_t index;

    vsp__make_surface(e->world, shape, e->world->work.find.poses + e->slot[1],
                      &surface);
    swept_bounds(e, surface.pose, &bounds);
    vsp__triangles_near(&it, &surface, &bounds);
    e->convex[1].pose = &e->pose[1];
    e->convex[1].core = VSP__TRIANGLE;
    e->convex[1].radius = 0;
    e->convex[1].corners = corners;
    while (vsp__next_triangle(&it, corners, &index))
        last = first_meeting(e, last);
    return last;
}


/* ---- Another shape ------------------------------------------------------- */

static bool is_convex(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_BOX ||
           (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) ||
           (VSP_HULLS && shape->type == VSP_SHAPE_HULL);
}

static bool is_field(const vsp__shape *shape)
{
    return VSP_SDFS && shape->type == VSP_SHAPE_SDF;
}

/* Returns when what is followed of a bullet meets the other shape, or last. */
static vsp__real meet_shape(encounter *e, vsp__real last)
{
    vsp_shape_type type =
        (vsp_shape_type)e->world->shapes[e->slot[1]].type;

    if ((VSP_MESHES || VSP_HEIGHT_FIELDS) &&
        (type == VSP_SHAPE_MESH || type == VSP_SHAPE_HEIGHT_FIELD))
        return meet_surface(e, last);
    return first_meeting(e, last);
}

/* The same of the spheres of a signed-distance solid, from the root: those in
 * a sphere that meets nothing meet nothing. */
static vsp__real meet_with_spheres(encounter *e, vsp__real last)
{
    const vsp__shape *shape = e->world->shapes + e->slot[0];
    const vsp_sdf *sdf = e->world->tables[shape->table - 1u];
    uint32_t i = 0;

    while (i < sdf->node_count) {
        const vsp_sphere_node *node = sdf->nodes + i;
        vsp__real part;

        vsp__place(&node->center, &e->heart);
        e->convex[0].radius = r_of_place(node->radius);
        e->room = u_mul(VSP__U(0.5), e->convex[0].radius);
        e->is_outer = node->next != i + 1;
        part = meet_shape(e, last);
        i = part < last || !e->is_outer ? i + 1 : node->next;
        if (!e->is_outer)
            last = part;
    }
    return last;
}

/* Whether a shape is followed if it is a bullet's: it moves so far that it
 * could pass through something unseen. */
static bool is_fast(const encounter *e, uint32_t which, vsp__real room)
{
    const motion *m = e->motion + which;

    return r_add(length_at(&m->way), r_mul(m->turn, e->reach[which])) > room;
}

/* Returns when the bullet's shape meets the other one, or last. */
static vsp__real meet_parts(encounter *e, vsp__real last)
{
    if (is_field(e->world->shapes + e->slot[0]))
        return meet_with_spheres(e, last);
    return meet_shape(e, last);
}

/* Returns when a bullet's shape is to stop for another shape, or last.  Two
 * bullets stop where they meet.  What else it meets goes on, would come over
 * it or leave it behind: so it stops where that is at the end of the step,
 * unless it is not on the way any more. */
static vsp__real meet(encounter *e, uint32_t other, vsp__real last)
{
    const vsp_world *world = e->world;
    const vsp__shape *shape = world->shapes + other;
    vsp__real room = 0, part, over;

    if (!vsp__may_touch(world, e->slot[0], other))
        return last;
    e->slot[1] = other;
    body_motion(world, shape->body, e->h, &e->motion[1]);
    e->reach[1] = 0;
    if (shape->type != VSP_SHAPE_HALF_SPACE)
        e->reach[1] = shape_reach(world, other, &room);
    e->field = (const vsp_sdf *)0;
    if (is_field(shape))
        e->field = world->tables[shape->table - 1u];
    else if (is_convex(shape))
        vsp__make_convex(world, shape, &e->pose[1], &e->convex[1]);
    e->is_outer = e->is_over = false;
    part = meet_parts(e, last);
    if (part >= last || ((e->motion[1].body->flags & VSP__BULLET) &&
                         is_fast(e, 1, room)))
        return part;
    e->is_over = true;
    over = meet_parts(e, last);
    return over < last ? over : part;
}


/* ---- What is on the way -------------------------------------------------- */

/* Bounds of all that each shape reaches in the step, and the tree over them:
 * in the memory of the solve. */
static void index_ways(vsp_world *world, vsp__real h)
{
    uint32_t i;

    vsp__place_shapes(world);
    for (i = 0; i < world->shape_limit; i++) {
        vsp__real room;
        motion m;

        if (world->shapes[i].type == VSP_SHAPE_NONE)
            continue;
        body_motion(world, world->shapes[i].body, h, &m);
        stretch(world->work.find.bounds + i, &m.way,
                r_mul(m.turn, shape_reach(world, i, &room)));
    }
    vsp__index_shapes(world);
}

/* Returns when a bullet's shape meets anything, or last.  The order of what is
 * looked at does not matter: the first meeting is the same. */
static vsp__real meet_all(encounter *e, vsp__real last)
{
    const vsp_world *world = e->world;
    const uint16_t *order = world->work.find.sort_order;
    vsp__tree tree;
    uint32_t level, i;

    for (i = 0; i < world->plane_count; i++)
        last = meet(e, order[VSP_MAX_SHAPES + i], last);
    vsp__shape_tree(world, world->leaf_count, &tree);
    level = tree.top;
    i = 0;
    while (i < tree.count[level]) {
        if (vsp__bounds_overlap(world->work.find.bounds + e->slot[0],
                                vsp__node(&tree, level, i))) {
            if (level > 0) {
                level--;
                i *= 2;
                continue;
            }
            last = meet(e, order[i], last);
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

/* The part of the step that one shape of a bullet leaves it, or last. */
static vsp__real free_part(encounter *e, uint32_t slot, vsp__real last)
{
    const vsp__shape *shape = e->world->shapes + slot;

    e->slot[0] = slot;
    e->reach[0] = shape_reach(e->world, slot, &e->room);
    if (!is_fast(e, 0, e->room))
        return last;
    if (!e->is_indexed)
        index_ways(e->world, e->h);
    e->is_indexed = true;
    e->heart = v3_zero();
    e->convex[0].core = VSP__POINT;
    e->convex[0].pose = &e->pose[0];
    if (is_convex(shape))
        vsp__make_convex(e->world, shape, &e->pose[0], &e->convex[0]);
    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL) {
        vsp__place(&e->convex[0].hull->bulk.center, &e->heart);
        e->room = 0;
    }
    return meet_all(e, last);
}

static vsp__real bullet_time(encounter *e, const vsp__body *body)
{
    vsp__real part = VSP__U(1.0);
    uint32_t next;

    for (next = body->first_shape; next != 0;
         next = e->world->shapes[next - 1u].next_shape)
        part = free_part(e, next - 1u, part);
    return u_mul(part, e->h);
}

/* The index of all ways is where the solve is: that is put aside, and read
 * there. */
static void follow_bullets(vsp_world *world, uint32_t first, uint32_t last,
                           vsp__real h)
{
    vsp__solve *solve = &world->problem.solve;
    encounter e;
    uint32_t i;

    *solve = world->work.solve;
    e.world = world;
    e.h = h;
    e.gap = u_mul(VSP__U(0.5), world->params.envelope);
    e.is_indexed = false;
    for (i = first; i < last; i++) {
        uint32_t body = solve->stack_order[i];

        if (!(world->bodies[body].flags & VSP__BULLET))
            continue;
        body_motion(world, body, h, &e.motion[0]);
        solve->line[body].step = bullet_time(&e, world->bodies + body);
    }
    world->work.solve = *solve;
}

void vsp__find_steps(vsp_world *world, uint32_t first, uint32_t last,
                     vsp__real h)
{
    uint32_t i, flags = 0;

    for (i = first; i < last; i++) {
        uint32_t body = world->work.solve.stack_order[i];

        world->work.solve.line[body].step = h;
        flags |= world->bodies[body].flags;
    }
    if (flags & VSP__BULLET)
        follow_bullets(world, first, last, h);
}
