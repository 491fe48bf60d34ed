/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shapes as convex solids and surfaces, the inputs of this module. */

#include "collide.h"

#if VSP_SHELLS || VSP_DRAW
const vsp__pose vsp__nowhere;
#endif

void vsp__turned_half(const vsp__shape *shape, vsp__v3 *half)
{
    *half = shape->size;
    if (shape->type == VSP_SHAPE_CYLINDER)
        half->z = half->x;
}

#if VSP_SCALES
static void set_hull_scale(const vsp__shape *shape, vsp__convex *c)
{
    vsp__find_hull_scale(shape, &c->scale);
}
#else
static void set_hull_scale(const vsp__shape *shape, vsp__convex *c)
{
    (void)shape;
    (void)c;
}
#endif

void vsp__make_convex(const vsp_world *world, const vsp__shape *shape,
                      const vsp__pose *pose, vsp__convex *c)
{
    c->pose = pose;
    c->radius = 0;
    c->half = shape->size;
    c->hull = NULL;
    c->corners = NULL;
    if (vsp__is_turned(shape)) {
        c->core = VSP__CORE_TURNED;
        vsp__turned_half(shape, &c->half);
        return;
    }
    if (vsp__is_taper(shape)) {
        c->core = VSP__CORE_TAPER;
        c->radius = r_min(shape->size.x, shape->size.z);
        c->half.x = r_sub(shape->size.x, c->radius);
        c->half.z = r_sub(shape->size.z, c->radius);
        return;
    }
    switch (shape->type) {
    case VSP_SHAPE_SPHERE:
        c->core = VSP__CORE_POINT;
        c->radius = shape->size.x;
        break;
    case VSP_SHAPE_CAPSULE:
        c->core = VSP__CORE_SEGMENT;
        c->radius = shape->size.x;
        break;
    case VSP_SHAPE_HULL:
        c->core = VSP__CORE_POLYHEDRON;
        c->half = v3_zero();
        c->hull = vsp__hull_of(world, shape);
        set_hull_scale(shape, c);
        break;
    default:
        c->core = VSP__CORE_BRICK;
    }
}

#if VSP_SCALES
static void set_surface_scale(const vsp__shape *shape, vsp__surface *surface)
{
    (void)vsp__find_scale(shape, &surface->scale);
}
#else
static void set_surface_scale(const vsp__shape *shape, vsp__surface *surface)
{
    (void)shape;
    (void)surface;
}
#endif

#if VSP_MATERIALS
static void set_surface_materials(const vsp_world *world,
                                  const vsp__shape *shape,
                                  vsp__surface *surface)
{
    surface->materials = vsp__materials_of(world, shape);
}
#else
static void set_surface_materials(const vsp_world *world,
                                  const vsp__shape *shape,
                                  vsp__surface *surface)
{
    (void)world;
    (void)shape;
    (void)surface;
}
#endif

#if VSP_FIELD_EDITS

static void set_surface_tiles(const vsp_world *world, const vsp__shape *shape,
                              vsp__surface *surface)
{
    vsp__tiles_of(world, shape, &surface->tiles);
}

int32_t vsp__field_top(const vsp_world *world, const vsp__shape *shape)
{
    const vsp_height_field *f = vsp__field_of(world, shape);
    vsp__field_tiles tiles;

    vsp__tiles_of(world, shape, &tiles);
    return vsp__top_of_tiles(&tiles, f->high);
}

#else

static void set_surface_tiles(const vsp_world *world, const vsp__shape *shape,
                              vsp__surface *surface)
{
    (void)world;
    (void)shape;
    (void)surface;
}

int32_t vsp__field_top(const vsp_world *world, const vsp__shape *shape)
{
    return ((const vsp_height_field *)world->tables[shape->table - 1u])->high;
}

#endif /* VSP_FIELD_EDITS */

void vsp__make_surface(const vsp_world *world, const vsp__shape *shape,
                       const vsp__pose *pose, vsp__surface *surface)
{
    const void *table = world->tables[shape->table - 1u];

    set_surface_scale(shape, surface);
    surface->pose = pose;
    surface->mesh = NULL;
    surface->field = NULL;
    if (VSP_SHELLS && shape->type == VSP_SHAPE_SHELL)
        surface->mesh = &((const vsp_shell *)table)->sheet;
    else if (shape->type == VSP_SHAPE_MESH)
        surface->mesh = (const vsp_mesh *)table;
    else
        surface->field = (const vsp_height_field *)table;
    set_surface_materials(world, shape, surface);
    set_surface_tiles(world, shape, surface);
}
