/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The narrow phase: the choice of the function for a pair. */

#include "collide.h"

vsp__placed_shape vsp__place_solid(const vsp__shape *shape,
                                   const vsp__pose *pose)
{
    vsp__placed_shape s;

    s.shape = shape;
    s.pose = pose;
    return s;
}

/* Whether a shape is a sphere, a box or a half-space, whose pairs have special
 * functions (sphere.c, box.c). */
static bool is_basic_shape(const vsp__placed_shape *s)
{
    return s->shape->type <= VSP_SHAPE_HALF_SPACE;
}

/* Computes the touch of a pair in which not both shapes are basic. */
static bool touch_convex_solids(const vsp_world *world,
                                const vsp__placed_shape *a,
                                const vsp__placed_shape *b, vsp__touch *t)
{
    vsp__convex first, second;

    if (!VSP__HAS_CONVEX)
        return false;
    vsp__make_convex(world, b->shape, b->pose, &second);
    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        return vsp__touch_plane(a->pose, &second, world->params.envelope, t);
    vsp__make_convex(world, a->shape, a->pose, &first);
    return vsp__touch_convex(&first, &second, world->params.envelope, t);
}

bool vsp__touch_solids(const vsp_world *world, const vsp__placed_shape *a,
                       const vsp__placed_shape *b, vsp__touch *t)
{
    vsp__num envelope = world->params.envelope;

    if (VSP_ROUNDS && a->shape->type == VSP_SHAPE_HALF_SPACE &&
        vsp__is_turned(b->shape))
        return vsp__touch_plane_turned(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_HALF_SPACE && vsp__is_taper(b->shape))
        return vsp__touch_plane_taper(a, b, envelope, t);
    if ((VSP_CAPSULES || VSP_HULLS || VSP_ROUNDS) &&
        !(is_basic_shape(a) && is_basic_shape(b)))
        return touch_convex_solids(world, a, b, t);
    if (b->shape->type == VSP_SHAPE_SPHERE)
        return vsp__touch_sphere(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_HALF_SPACE)
        return vsp__touch_plane_box(a, b, envelope, t);
    if (a->shape->type == VSP_SHAPE_BOX)
        return vsp__touch_boxes(a, b, envelope, t);
    if (!vsp__touch_sphere(b, a, envelope, t))
        return false;
    vsp__swap_touch(t);
    return true;
}

/* Makes the solid of a distance field.  For another shape sets the table to
 * null and returns false; the pose is set in any case. */
static bool make_sdf(const vsp_world *world, uint32_t slot, vsp__placed_sdf *s)
{
    const vsp__shape *shape = world->shapes + slot;

    s->pose = vsp__find_of(world)->poses + slot;
    s->table = NULL;
    if (vsp__is_sdf(shape))
        s->table = (const vsp_sdf *)world->tables[shape->table - 1u];
    return s->table != NULL;
}

/* Fills the reducer with the touches of a pair with a distance field and
 * without a surface: a distance field and a solid, or two; a may be a
 * half-space.  Returns their number. */
static uint32_t touch_sdf_pair(const vsp_world *world, uint32_t pair,
                               vsp__reducer *g)
{
    vsp__num envelope = world->params.envelope;
    vsp__convex c;
    vsp__placed_sdf a, b;
    bool is_b = make_sdf(world, pair & 0xffffu, &b);

    if (!VSP_SDFS)
        return 0;
    (void)make_sdf(world, pair >> 16, &a);
    if (is_b)
        vsp__touch_two_sdfs(&a, &b, envelope, g);
    else {
        vsp__make_convex(world, world->shapes + (pair & 0xffffu), b.pose, &c);
        vsp__touch_sdf_convex(&a, &c, envelope, g);
    }
    return vsp__reducer_end(g, vsp__touch_width(world));
}

/* Fills the reducer with the touches of a pair with a shell, a surface or a
 * distance field.  Returns their number. */
static uint32_t touch_pair_of_parts(vsp_world *world, uint32_t pair,
                                    vsp__reducer *g)
{
    uint32_t slot_a = pair >> 16, slot_b = pair & 0xffffu;
    const vsp__shape *a = world->shapes + slot_a;
    const vsp__shape *b = world->shapes + slot_b;
    vsp__surface surface;
    vsp__convex c;
    vsp__placed_sdf sdf;

    if (!VSP__HAS_PARTS)
        return 0;
    if (VSP_SHELLS && (vsp__is_shell(a) || vsp__is_shell(b))) {
        vsp__touch_shell(world, pair, g);
        return vsp__reducer_end(g, vsp__touch_width(world));
    }
    if (vsp__is_surface(b)) /* then a is a surface or a half-space */
        return 0;
    if (VSP_SDFS && !vsp__is_surface(a))
        return touch_sdf_pair(world, pair, g);
    vsp__make_surface(world, a, vsp__find_of(world)->poses + slot_a, &surface);
    if (VSP_SDFS && make_sdf(world, slot_b, &sdf)) {
        vsp__touch_surface_sdf(&surface, &sdf, world->params.envelope, g);
        return vsp__reducer_end(g, vsp__touch_width(world));
    }
    vsp__make_convex(world, b, vsp__find_of(world)->poses + slot_b, &c);
    vsp__touch_surface(&surface, &c, world->params.envelope, g);
    return vsp__reducer_end(g, vsp__touch_width(world));
}

/* Counts the work on a pair, and pays for it from the budget of the pass. */
static VSP__CALLED void pay_work(vsp_world *world, uint32_t used)
{
    world->stats.part_count += used;
    world->part_left = used < world->part_left ? world->part_left - used : 0;
}

/* touch_pair_of_parts within the world's budget for a pair. */
static uint32_t touch_within_limit(vsp_world *world, uint32_t pair)
{
    vsp__reducer *g = vsp__reducer_of(world);
    uint32_t count;

    if (!VSP__HAS_PARTS)
        return 0;
    vsp__reducer_begin(g);
    g->left = world->part_limit;
    g->is_tight = (world->stats.spent & VSP_SPENT_PARTS) != 0;
    count = touch_pair_of_parts(world, pair, g);
    pay_work(world, world->part_limit - g->left);
    return count;
}

/* Computes the touch of a pair without parts. */
static bool touch_solids(const vsp_world *world, uint32_t pair, vsp__touch *t)
{
    uint32_t slot_a = pair >> 16, slot_b = pair & 0xffffu;
    const vsp__pose *poses = vsp__find_of(world)->poses;
    vsp__placed_shape a = vsp__place_solid(world->shapes + slot_a,
                                           poses + slot_a);
    vsp__placed_shape b = vsp__place_solid(world->shapes + slot_b,
                                           poses + slot_b);

    VSP__SET_MATERIAL(t, 0);
    VSP__SET_WORK(t, world->part_limit);
    return vsp__touch_solids(world, &a, &b, t);
}

void vsp__pay_touch(vsp_world *world, const vsp__touch *t)
{
    if (VSP__HAS_SEARCHES)
        pay_work(world, world->part_limit - VSP__WORK_LEFT(t));
}

uint32_t vsp__touch_pair(vsp_world *world, uint32_t pair)
{
    vsp__touch *t = &vsp__find_of(world)->touch;
    uint32_t count;

    world->stats.touch_count++;
    if (!VSP__HAS_PARTS || !vsp__has_parts(world, pair)) {
        count = touch_solids(world, pair, t) ? 1 : 0;
        vsp__pay_touch(world, t);
        return count;
    }
    VSP__SET_MATERIAL(t, 0);
    count = touch_within_limit(world, pair);
    if (count > 0)
        vsp__reducer_get(vsp__reducer_of(world), 0, t);
    return count;
}

#if VSP_WORKERS
bool vsp__touch_pair_of_solids(const vsp_world *world, uint32_t pair,
                               vsp__touch *t)
{
    return touch_solids(world, pair, t);
}
#endif
