/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Continuous collision: how far into a step a bullet may move before it meets
 * something.  In this order: motion of bodies, one convex solid against
 * another, surfaces and half-spaces, all that a bullet could meet.
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
#define MAX_ROUNDS 24u


/* ---- Motion -------------------------------------------------------------- */

/* what a body does in a whole step */
typedef struct motion {
    const vsp__body *body;
    vsp__vec3 way;   /* m */
    vsp__vec3 spin;  /* a rate */
    vsp__real turn;  /* rad */
} motion;

static void body_motion(const vsp_world *world, uint32_t body, vsp__real h,
                        motion *m)
{
    const vsp__velocity *v = &world->work.solve.velocity[body];

    m->body = &world->bodies[body];
    m->way = v3_zero();
    m->spin = v3_zero();
    m->turn = 0;
    if (m->body->type == (uint32_t)VSP_STATIC + 1u)
        return;
    v3_travel(&m->way, h, &v->linear);
    m->spin = v->angular;
    m->turn = r_way(v3_length(v->angular), h);
}

/* Where a shape is after the part t of a step. */
static void pose_at(const vsp_world *world, uint32_t slot, const motion *m,
                    vsp__real t, vsp__pose *pose)
{
    vsp__mat3 axes;
    vsp__vec3 way;
    vsp__quat q;
    uint32_t k;

    *pose = world->poses[slot];
    if (m->turn > 0) {
        vsp__turn_of(&m->spin, u_mul(t, world->params.dt), &q);
        vsp__flushed_axes(q, &axes);
        v3_sub_in(&pose->position, &m->body->position);
        vsp__mul(&axes, &pose->position, &pose->position);
        v3_add_in(&pose->position, &m->body->position);
        for (k = 0; k < 3; k++) {
            vsp__mul(&axes, &pose->axes.axis[k], &pose->axes.axis[k]);
            v3_flush_in(&pose->axes.axis[k]);
        }
    }
    way = u3_scale(m->way, t);
    v3_flush_in(&way);
    v3_add_in(&pose->position, &way);
    v3_flush_in(&pose->position);
}

/* How far the core of a shape is from its body's centre at most; *radius is
 * what is around the core. */
static vsp__real shape_reach(const vsp_world *world, uint32_t slot,
                             vsp__real *radius)
{
    const vsp__shape *shape = &world->shapes[slot];
    const vsp__body *body = &world->bodies[shape->body];
    vsp__vec3 arm = v3_sub(shape->pose.position, body->matter.center);
    vsp__vec3 middle, half;

    *radius = 0;
    vsp__shape_box(world, shape, &middle, &half);
    if (shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_CAPSULE) {
        *radius = shape->size.x;
        half = v3(0, r_sub(half.y, *radius), 0);
    }
    half = v3_add(v3_abs(middle), half);
    return r_add(v3_length(arm), v3_length(half));
}


/* ---- Two solids ---------------------------------------------------------- */

/* A bullet's shape, and another one. */
typedef struct encounter {
    const vsp_world *world;
    uint32_t slot[2];
    motion motion[2];
    vsp__real reach[2]; /* of the cores, from the bodies' centres */
    vsp__real radius[2];
    vsp__convex convex[2];
    vsp__pose pose[2];
    vsp__real gap;      /* m: where to stop */
    vsp__vec3 heart;    /* of the bullet's shape, in its frame */
} encounter;

/* What of a bullet must not get into anything that it touches already: a ball
 * in its middle, half as large as it has room for. */
static void take_heart(const encounter *e, vsp__convex *c)
{
    const vsp__shape *shape = &e->world->shapes[e->slot[0]];
    vsp__vec3 half = shape->size;

    c->core = VSP__POINT;
    c->radius = 0;
    if (shape->type != VSP_SHAPE_HULL)
        c->radius = u_mul(VSP__U(0.5),
                          shape->type == VSP_SHAPE_BOX
                              ? r_min(half.x, r_min(half.y, half.z))
                              : half.x);
}

static void set_heart(encounter *e)
{
    const vsp__shape *shape = &e->world->shapes[e->slot[0]];
    const vsp_hull *hull;

    e->heart = v3_zero();
    if (!VSP_HULLS || shape->type != VSP_SHAPE_HULL)
        return;
    hull = (const vsp_hull *)e->world->tables[shape->table - 1u];
    e->heart = v3_of_place(&hull->bulk.center);
}

/* How much the gap along a normal, from 0 to 1, can shrink in a step. */
static vsp__real approach(const encounter *e, const vsp__vec3 *normal)
{
    vsp__vec3 way = e->motion[0].way;
    uint32_t k;
    vsp__real sum;

    v3_sub_in(&way, &e->motion[1].way);
    sum = u3_dot_at(normal, &way);
    for (k = 0; k < 2; k++)
        if (e->motion[k].turn > 0)
            sum = r_add(sum, r_mul(e->motion[k].turn, e->reach[k]));
    return r_flush(sum);
}

/* Takes both to where they are after the part t of the step. */
static void place_both(encounter *e, vsp__real t)
{
    vsp__vec3 shift;
    uint32_t k;

    for (k = 0; k < 2; k++)
        pose_at(e->world, e->slot[k], &e->motion[k], t, &e->pose[k]);
    if (e->convex[0].core != VSP__POINT)
        return;
    vsp__mul(&e->pose[0].axes, &e->heart, &shift);
    v3_add_in(&e->pose[0].position, &shift);
    v3_flush_in(&e->pose[0].position);
}

/* the gap after the part t of the step, and along what */
static vsp__real gap_at(encounter *e, vsp__real t, vsp__vec3 *normal)
{
    const vsp__pose *plane = &e->pose[1];
    vsp__witness w;
    vsp__vec3 low;
    vsp__real gap;

    place_both(e, t);
    if (e->world->shapes[e->slot[1]].type != VSP_SHAPE_HALF_SPACE) {
        gap = vsp__distance(&e->convex[0], &e->convex[1],
                            r_read(VSP_MAX_SIZE), &w);
        *normal = w.normal;
        return gap;
    }
    *normal = v3_neg(plane->axes.axis[1]);
    vsp__farthest(&e->convex[0], normal, &low);
    v3_add_in(&low, &e->pose[0].position);
    v3_sub_in(&low, &plane->position);
    v3_flush_in(&low);
    gap = r_neg(u3_dot_at(normal, &low));
    return r_sub(gap, e->convex[0].radius);
}

/* Returns the part of the step after which the two are as near as a contact,
 * last if that is not before it, or a negative number if they are that near
 * from the beginning. */
static vsp__real advance(encounter *e, vsp__real last)
{
    vsp__real slack = u_mul(VSP__U(0.25), e->gap), t = 0;
    uint32_t i;

    for (i = 0; i < MAX_ROUNDS; i++) {
        vsp__vec3 normal;
        vsp__real left = r_sub(gap_at(e, t, &normal), e->gap), fast, part;

        if (left <= slack)
            return i == 0 ? -VSP__U(1.0) : t;
        fast = approach(e, &normal);
        if (!(fast > 0) || left >= fast)
            return last;
        part = u_div(left, fast);
        if (part >= last - t)
            return last;
        t += part;
    }
    return t;
}

/* The same, but what is near from the beginning is a contact already: only
 * the heart is followed then. */
static vsp__real first_meeting(encounter *e, vsp__real last)
{
    vsp__real part = advance(e, last);
    vsp__convex whole = e->convex[0];

    if (part >= 0)
        return part;
    take_heart(e, &e->convex[0]);
    part = advance(e, last);
    e->convex[0] = whole;
    return part >= 0 ? part : last;
}


/* ---- Surfaces ------------------------------------------------------------ */

/* Bounds, in the frame of a surface that does not move, of all that a bullet's
 * shape reaches in the step. */
static void swept_bounds(const encounter *e, const vsp__pose *frame,
                         vsp__bounds *bounds)
{
    vsp__real size = r_add(r_add(e->reach[0], e->radius[0]),
                           r_add(e->gap, e->gap));
    vsp__vec3 half = v3(size, size, size), from, way;

    from = v3_sub(e->motion[0].body->position, frame->position);
    v3_flush_in(&from);
    vsp__tmul(&frame->axes, &from, &from);
    way = e->motion[0].way;
    v3_sub_in(&way, &e->motion[1].way);
    v3_flush_in(&way);
    vsp__tmul(&frame->axes, &way, &way);
    way = v3_add(from, way);
    bounds->low = v3_sub(v3(r_min(from.x, way.x), r_min(from.y, way.y),
                            r_min(from.z, way.z)), half);
    bounds->high = v3_add(v3(r_max(from.x, way.x), r_max(from.y, way.y),
                             r_max(from.z, way.z)), half);
}

static vsp__real meet_surface(encounter *e, vsp__real last)
{
    const vsp__shape *shape = &e->world->shapes[e->slot[1]];
    vsp__triangles it;
    vsp__bounds bounds;
    vsp__surface surface;
    vsp__vec3 corners[3];
    uint32_t index;

    vsp__make_surface(e->world, shape, &e->world->poses[e->slot[1]],
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


/* ---- Bullets ------------------------------------------------------------- */

static bool is_convex(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_BOX ||
           (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) ||
           (VSP_HULLS && shape->type == VSP_SHAPE_HULL);
}

static bool is_surface_shape(const vsp__shape *shape)
{
    return (VSP_MESHES && shape->type == VSP_SHAPE_MESH) ||
           (VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD);
}

/* Whether bounds around the ways of both bodies touch. */
static bool may_meet(const encounter *e)
{
    vsp__vec3 d = v3_sub(e->motion[1].body->position,
                         e->motion[0].body->position);
    vsp__vec3 way = v3_add(v3_abs(e->motion[0].way),
                           v3_abs(e->motion[1].way));
    vsp__real size = r_add(r_add(e->reach[0], e->reach[1]),
                           r_add(e->radius[0], e->radius[1]));

    size = r_add(size, r_add(e->gap, e->gap));
    return r_abs(d.x) <= r_add(way.x, size) &&
           r_abs(d.y) <= r_add(way.y, size) &&
           r_abs(d.z) <= r_add(way.z, size);
}

/* Returns when a bullet's shape meets another shape, or last. */
static vsp__real meet(encounter *e, uint32_t other, vsp__real h,
                      vsp__real last)
{
    const vsp_world *world = e->world;
    const vsp__shape *shape = &world->shapes[other];

    e->slot[1] = other;
    body_motion(world, shape->body, h, &e->motion[1]);
    e->reach[1] = e->radius[1] = 0;
    if (shape->type == VSP_SHAPE_HALF_SPACE)
        return first_meeting(e, last);
    e->reach[1] = shape_reach(world, other, &e->radius[1]);
    if (!may_meet(e))
        return last;
    if ((VSP_MESHES || VSP_HEIGHT_FIELDS) && is_surface_shape(shape))
        return meet_surface(e, last);
    if (!is_convex(shape))
        return last;
    vsp__make_convex(world, shape, &e->pose[1], &e->convex[1]);
    return first_meeting(e, last);
}

/* Whether a shape could pass through something unseen: it moves by more than
 * half of its smallest half extent. */
static bool is_fast(const vsp_world *world, uint32_t slot, const motion *m,
                    vsp__real reach)
{
    vsp__vec3 middle, half;
    vsp__real way = r_add(v3_length(m->way), r_mul(m->turn, reach));

    vsp__shape_box(world, &world->shapes[slot], &middle, &half);
    return way > u_mul(VSP__U(0.5), r_min(half.x, r_min(half.y, half.z)));
}

/* The time that one shape of a bullet leaves it. */
static vsp__real free_part(const vsp_world *world, uint32_t slot,
                           vsp__real h, vsp__real last)
{
    const vsp__shape *shape = &world->shapes[slot];
    encounter e;
    uint32_t i;

    e.world = world;
    e.slot[0] = slot;
    e.gap = u_mul(VSP__U(0.5), world->params.envelope);
    body_motion(world, shape->body, h, &e.motion[0]);
    e.reach[0] = shape_reach(world, slot, &e.radius[0]);
    if (!is_convex(shape) || !is_fast(world, slot, &e.motion[0], e.reach[0]))
        return last;
    vsp__make_convex(world, shape, &e.pose[0], &e.convex[0]);
    set_heart(&e);
    for (i = 0; i < world->shape_limit; i++)
        if (world->shapes[i].type != VSP_SHAPE_NONE &&
            vsp__may_touch(world, slot, i))
            last = meet(&e, i, h, last);
    return last;
}

vsp__real vsp__bullet_time(const vsp_world *world, uint32_t body,
                           vsp__real h)
{
    const vsp__body *b = &world->bodies[body];
    vsp__real part = VSP__U(1.0);
    uint32_t next;

    if (!(b->flags & VSP__BULLET))
        return h;
    for (next = b->first_shape; next != 0;
         next = world->shapes[next - 1u].next_shape)
        part = free_part(world, next - 1u, h, part);
    return part < VSP__U(1.0) ? u_mul(part, h) : h;
}
