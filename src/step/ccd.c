/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Continuous collision: how long a bullet may move in a step before it meets
 * something.  In this order: motion of bodies, two solids, surfaces, two
 * shapes, the shapes on a bullet's way, all bullets.
 *
 * Conservative advancement (Mirtich, "Impulse-based dynamic simulation of
 * rigid body systems", 1996; paper, section 6.2): two solids with a gap along
 * a direction cannot meet before their speeds along it have closed the gap.
 * So advance by that time and measure again.  A bullet stops within the
 * envelope and keeps its velocity; the next step finds a contact, and solves
 * it with the full speed.  Only the bullet loses the rest of its step.
 *
 * Times here are parts of the step, units from 0 to 1.  A function that
 * returns a part takes the last one that matters, and returns that if nothing
 * is met before. */

#include "step.h"

#if VSP_CCD

/* Measurements of one pair at most; then the bullet stops where it is. */
#define MAX_ADVANCE_ROUNDS 128u


/* ---- Motion -------------------------------------------------------------- */

static vsp__num vector_length(const vsp__v3 *v)
{
    return v3_length(*v);
}

/* The motion of a body in the whole step. */
typedef struct step_motion {
    const vsp__body *body;
    vsp__v3 way;   /* m */
    vsp__v3 spin;  /* rad/s, a rate */
    vsp__num turn; /* rad */
} step_motion;

/* Finds the motion that vsp__move_body will make: none if a velocity is not
 * finite. */
static void get_step_motion(const vsp_world *world, uint32_t body, vsp__num h,
                            step_motion *m)
{
    vsp__velocity v = vsp__problem_of(world)->solve.velocity[body];

    m->body = world->bodies + body;
    m->way = v3_zero();
    if (!vsp__are_finite(&v.linear.x, 6))
        v.linear = v.angular = m->way;
    vsp__clamp_each(&v.linear.x, 6, rate_read(VSP_MAX_SPEED)); /* and angular */
    v3_move_by_rate(&m->way, h, &v.linear, vsp__way_cut(world->params.tick));
    m->spin = v.angular;
    m->turn = r_of_rate(vector_length(&v.angular), h);
}

/* Returns the largest distance of the core of a shape from its body's centre
 * of mass, m; *room is half of the shape's smallest half extent, m. */
static vsp__num core_reach(const vsp_world *world, uint32_t slot,
                           vsp__num *room)
{
    const vsp__shape *shape = world->shapes + slot;
    vsp__v3 arm = shape->pose.position, middle, half;

    v3_sub_in(&arm, &world->bodies[shape->body].mass_data.center);
    vsp__shape_box(world, shape, &middle, &half);
    *room = u_mul(VSP__UNIT(0.5), r_min(half.x, r_min(half.y, half.z)));
    if (shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_CAPSULE)
        half = v3(0, r_sub(half.y, shape->size.x), 0);
    middle = v3_abs(middle);
    v3_add_in(&half, &middle);
    return r_add(vector_length(&arm), vector_length(&half));
}

/* Extends bounds along a way, and by size (m) on all sides. */
static void sweep_bounds(vsp__bounds *bounds, const vsp__v3 *way, vsp__num size)
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

/* A shape of a bullet, or a part of it, and another shape. */
typedef struct impact_query {
    vsp_world *world;
    vsp__num h;      /* s: length of the step */
    vsp__num gap;    /* m: at which the bullet stops */
    bool is_indexed; /* index_swept_shapes was called */
    bool is_outer;   /* the part is an inner sphere of a tree, whose children
                        are tried if it meets something */
    bool is_over;    /* the other shape is at its pose at the end of the step */
    uint32_t slot[2];
    step_motion motion[2];
    vsp__num reach[2]; /* m: of the cores, from the centres of mass */
    vsp__convex convex[2];
    vsp__pose pose[2];
    vsp__v3 core_center;  /* m: middle of the bullet's shape, in its frame; a
                             point core is put there */
    vsp__num room;        /* m: radius of the ball around that middle, for
                             core_ball_impact */
    const vsp_sdf *field; /* of the other shape, or null */
    vsp__v3 normal;       /* of the last gap, except one to a field */
} impact_query;

/* Finds the pose of a shape after the part t of the step. */
static void pose_at_part(const impact_query *e, uint32_t which, vsp__num t,
                         vsp__pose *pose)
{
    const step_motion *m = e->motion + which;
    vsp__mat3 axes;
    vsp__unit_quat q;
    uint32_t k;

    *pose = vsp__find_of(e->world)->poses[e->slot[which]];
    if (m->turn > 0) {
        vsp__q_of_spin(&m->spin, u_mul(t, e->h), &q);
        vsp__q_axes_flushed(q, &axes);
        v3_sub_in(&pose->position, &m->body->position);
        vsp__m3_mul_to(&axes, &pose->position, &pose->position);
        v3_add_in(&pose->position, &m->body->position);
        for (k = 0; k < 3; k++) {
            vsp__m3_mul_to(&axes, pose->axes.axis + k, pose->axes.axis + k);
            v3_flush_in(pose->axes.axis + k);
        }
    }
    u3_move(&pose->position, t, &m->way);
    v3_flush_in(&pose->position);
}

/* Returns how much the gap along its normal, from shape 0 to 1, can shrink in
 * the whole step, m.  The value of a grid between its points changes along
 * each axis as a distance can at most, so by less than twice the way. */
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
        if (e->motion[k].turn > 0)
            sum = r_add(sum, r_mul(e->motion[k].turn, e->reach[k]));
    if (VSP_SDFS && e->field)
        sum = r_add(sum, sum);
    return r_flush(sum);
}

/* Finds the poses of both shapes after the part t of the step. */
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

/* Returns the gap after the part t of the step, m. */
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
    e->normal = v3_neg(plane->axes.axis[1]);
    vsp__farthest_point(&e->convex[0], &e->normal, &low);
    v3_add_in(&low, &e->pose[0].position);
    v3_sub_in(&low, &plane->position);
    v3_flush_in(&low);
    gap = r_neg(u3_dot_at(&e->normal, &low));
    return r_sub(gap, e->convex[0].radius);
}

/* Returns the part of the step after which the gap is that of a contact, or a
 * negative number if it is so from the beginning.  For a field it first jumps
 * ahead by the diameter of the ball that core_ball_impact follows, and goes
 * back to sure steps if it gets too near.  Without the jumps, a wall beside the
 * path would make all steps small. */
static vsp__num advance_conservatively(impact_query *e, vsp__num last)
{
    vsp__num slack = u_mul(VSP__UNIT(0.25), e->gap), t = 0, sure = 0;
    vsp__num leap = VSP_SDFS && e->field && !e->is_outer
                        ? r_add(e->room, e->room)
                        : 0;
    uint32_t i;

    for (i = 0; i < MAX_ADVANCE_ROUNDS; i++) {
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

/* The same for a ball in the middle of the bullet's shape, half as large as
 * fits into it: it must not enter a shape that the bullet touches already. */
static vsp__num core_ball_impact(impact_query *e, vsp__num last)
{
    vsp__convex *c = &e->convex[0];
    vsp__core core = c->core;
    vsp__num radius = c->radius, part;

    c->core = VSP__CORE_POINT;
    c->radius = e->room;
    part = advance_conservatively(e, last);
    c->core = core;
    c->radius = radius;
    return part >= 0 ? part : last;
}

/* Returns when the two solids meet.  If they touch from the beginning, that is
 * a contact already, and only the ball in the middle is followed.  A grid meets
 * the corners of a solid, and that ball for all that lies between them. */
static vsp__num pair_impact(impact_query *e, vsp__num last)
{
    vsp__num part = advance_conservatively(e, last);

    if (e->is_outer)
        return r_max(part, 0);
    if (part < 0)
        return core_ball_impact(e, last);
    if (VSP_SDFS && e->field && e->convex[0].core > VSP__CORE_SEGMENT)
        return core_ball_impact(e, part);
    return part;
}


/* ---- Surfaces ------------------------------------------------------------ */

/* Finds the bounds of all that the bullet's shape reaches in the step, in the
 * frame of the surface. */
static void swept_bounds_in_frame(const impact_query *e, const vsp__pose *frame,
                                  vsp__bounds *bounds)
{
    vsp__num size = r_add(r_add(e->reach[0], e->convex[0].radius),
                          r_add(e->gap, e->gap));
    vsp__v3 from = e->motion[0].body->position, way = e->motion[0].way;

    v3_sub_in(&from, &frame->position);
    v3_flush_in(&from);
    vsp__m3_tmul_to(&frame->axes, &from, &from);
    v3_sub_in(&way, &e->motion[1].way);
    v3_flush_in(&way);
    vsp__m3_tmul_to(&frame->axes, &way, &way);
    bounds->low = bounds->high = from;
    sweep_bounds(bounds, &way, size);
}

/* Returns when the bullet's shape meets a triangle of the surface. */
static vsp__num surface_impact(impact_query *e, vsp__num last)
{
    const vsp__shape *shape = e->world->shapes + e->slot[1];
    vsp__triangle_walk it;
    vsp__bounds bounds;
    vsp__surface surface;
    vsp__v3 corners[3];
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
    e->convex[1].corners = corners;
    while (vsp__next_triangle(&it, corners, &index))
        last = pair_impact(e, last);
    return last;
}


/* ---- Two shapes ---------------------------------------------------------- */

static bool is_convex_shape(const vsp__shape *shape)
{
    return shape->type == VSP_SHAPE_SPHERE || shape->type == VSP_SHAPE_BOX ||
           (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE) ||
           (VSP_HULLS && shape->type == VSP_SHAPE_HULL);
}

static bool is_sdf_shape(const vsp__shape *shape)
{
    return VSP_SDFS && shape->type == VSP_SHAPE_SDF;
}

/* Returns when the part of the bullet meets the other shape. */
static vsp__num part_impact(impact_query *e, vsp__num last)
{
    vsp_shape_type type = (vsp_shape_type)e->world->shapes[e->slot[1]].type;

    if ((VSP_MESHES || VSP_HEIGHT_FIELDS) &&
        (type == VSP_SHAPE_MESH || type == VSP_SHAPE_HEIGHT_FIELD))
        return surface_impact(e, last);
    return pair_impact(e, last);
}

/* The same for all spheres of a bullet that is a signed distance field.  If an
 * inner sphere meets nothing, nothing below it does. */
static vsp__num sphere_tree_impact(impact_query *e, vsp__num last)
{
    const vsp__shape *shape = e->world->shapes + e->slot[0];
    const vsp_sdf *sdf = e->world->tables[shape->table - 1u];
    uint32_t i = 0;

    while (i < sdf->node_count) {
        const vsp_sphere_node *node = sdf->nodes + i;
        vsp__num part;

        vsp__place_to_v3(&node->center, &e->core_center);
        e->convex[0].radius = r_of_place(node->radius);
        e->room = u_mul(VSP__UNIT(0.5), e->convex[0].radius);
        e->is_outer = node->next != i + 1;
        part = part_impact(e, last);
        i = part < last || !e->is_outer ? i + 1 : node->next;
        if (!e->is_outer)
            last = part;
    }
    return last;
}

/* Whether a shape of a bullet moves so far that it could pass through another
 * one between two steps. */
static bool may_tunnel(const impact_query *e, uint32_t which, vsp__num room)
{
    const step_motion *m = e->motion + which;

    return r_add(vector_length(&m->way), r_mul(m->turn, e->reach[which])) >
           room;
}

/* Returns when the bullet's shape meets the other shape. */
static vsp__num shape_impact(impact_query *e, vsp__num last)
{
    if (is_sdf_shape(e->world->shapes + e->slot[0]))
        return sphere_tree_impact(e, last);
    return part_impact(e, last);
}

/* Returns when the bullet's shape stops for another shape.  Two bullets stop
 * where they meet.  Any other shape moves on, and would overrun the bullet or
 * leave it behind: so the bullet stops where that shape is at the end of the
 * step, unless the shape is out of its way by then. */
static vsp__num stop_for_shape(impact_query *e, uint32_t other, vsp__num last)
{
    const vsp_world *world = e->world;
    const vsp__shape *shape = world->shapes + other;
    vsp__num room = 0, part, over;

    if (!vsp__may_collide(world, e->slot[0], other))
        return last;
    e->slot[1] = other;
    get_step_motion(world, shape->body, e->h, &e->motion[1]);
    e->reach[1] = 0;
    if (shape->type != VSP_SHAPE_HALF_SPACE)
        e->reach[1] = core_reach(world, other, &room);
    e->field = (const vsp_sdf *)0;
    if (is_sdf_shape(shape))
        e->field = world->tables[shape->table - 1u];
    else if (is_convex_shape(shape))
        vsp__make_convex(world, shape, &e->pose[1], &e->convex[1]);
    e->is_outer = e->is_over = false;
    part = shape_impact(e, last);
    if (part >= last ||
        ((e->motion[1].body->flags & VSP__BULLET) && may_tunnel(e, 1, room)))
        return part;
    e->is_over = true;
    over = shape_impact(e, last);
    return over < last ? over : part;
}


/* ---- Shapes on the way --------------------------------------------------- */

/* Builds the tree of shapes over the bounds of all that each one reaches in
 * the step, in the memory of the solve. */
static void index_swept_shapes(vsp_world *world, vsp__num h)
{
    uint32_t i;

    vsp__update_shape_bounds(world);
    for (i = 0; i < world->shape_limit; i++) {
        vsp__num room;
        step_motion m;

        if (world->shapes[i].type == VSP_SHAPE_NONE)
            continue;
        get_step_motion(world, world->shapes[i].body, h, &m);
        sweep_bounds(vsp__find_of(world)->bounds + i, &m.way,
                     r_mul(m.turn, core_reach(world, i, &room)));
    }
    vsp__build_shape_tree(world);
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
    e->reach[0] = core_reach(e->world, slot, &e->room);
    if (!may_tunnel(e, 0, e->room))
        return last;
    if (!e->is_indexed)
        index_swept_shapes(e->world, e->h);
    e->is_indexed = true;
    e->core_center = v3_zero();
    e->convex[0].core = VSP__CORE_POINT;
    e->convex[0].pose = &e->pose[0];
    if (is_convex_shape(shape))
        vsp__make_convex(e->world, shape, &e->pose[0], &e->convex[0]);
    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL) {
        vsp__place_to_v3(&e->convex[0].hull->bulk.center, &e->core_center);
        e->room = 0;
    }
    return stop_for_any(e, last);
}

/* Returns how long the bullet moves, s. */
static vsp__num bullet_stop(impact_query *e, const vsp__body *body)
{
    vsp__num part = VSP__UNIT(1.0);
    uint32_t next;

    for (next = body->first_shape; next != 0;
         next = e->world->shapes[next - 1u].next_shape)
        part = shape_stop(e, next - 1u, part);
    return u_mul(part, e->h);
}

/* Finds the times of bullets.  The tree of shapes takes the memory of the
 * solve, so the solve is copied to that of the problem meanwhile. */
static void stop_bullets(vsp_world *world, uint32_t first, uint32_t last,
                         vsp__num h)
{
    vsp__solver_scratch *solve = &vsp__problem_of(world)->solve;
    impact_query e;
    uint32_t i;

    *solve = *vsp__solve_of(world);
    e.world = world;
    e.h = h;
    e.gap = u_mul(VSP__UNIT(0.5), world->params.envelope);
    e.is_indexed = false;
    for (i = first; i < last; i++) {
        uint32_t body = solve->stack_order[i];

        if (!(world->bodies[body].flags & VSP__BULLET))
            continue;
        get_step_motion(world, body, h, &e.motion[0]);
        solve->pass[body].step = bullet_stop(&e, world->bodies + body);
    }
    *vsp__solve_of(world) = *solve;
}

void vsp__find_times_of_impact(vsp_world *world, uint32_t first, uint32_t last,
                               vsp__num h)
{
    uint32_t i, flags = 0;

    for (i = first; i < last; i++) {
        uint32_t body = vsp__solve_of(world)->stack_order[i];

        vsp__solve_of(world)->pass[body].step = h;
        flags |= world->bodies[body].flags;
    }
    if (flags & VSP__BULLET)
        stop_bullets(world, first, last, h);
}

#endif /* VSP_CCD */
