/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Poses and bounds of shapes, in this order: operations on bounds, the box
 * of a shape in its own frame, types of shapes, then poses and bounds in the
 * world. */

#include "collide.h"


/* ---- Bounds -------------------------------------------------------------- */

bool vsp__bounds_overlap_called(const vsp__aabb *a, const vsp__aabb *b)
{
    uint32_t k;

    for (k = 0; k < 3; k++)
        if (!(v3_part(&a->low, k) <= v3_part(&b->high, k) &&
              v3_part(&b->low, k) <= v3_part(&a->high, k)))
            return false;
    return true;
}

void vsp__bounds_of_point(const vsp__v3 *point, vsp__aabb *bounds)
{
    bounds->low = bounds->high = *point;
}

void vsp__bounds_join(vsp__aabb *to, const vsp__aabb *from)
{
    vsp__num *low = &to->low.x, *high = &to->high.x;
    uint32_t k;

    for (k = 0; k < 3; k++) {
        low[k] = r_min(low[k], v3_part(&from->low, k));
        high[k] = r_max(high[k], v3_part(&from->high, k));
    }
}

void vsp__bounds_grow(vsp__aabb *bounds, vsp__num margin)
{
    vsp__v3 reach = v3(margin, margin, margin);

    v3_sub_in(&bounds->low, &reach);
    v3_add_in(&bounds->high, &reach);
}


/* ---- Boxes of shapes -----------------------------------------------------
 * Each fills the middle of a box around a shape and half its size, m, in the
 * shape's own frame. */

static void box_of_places(const vsp_place *low, const vsp_place *high,
                          vsp__v3 *middle, vsp__v3 *half)
{
    vsp__place_to_v3(low, middle);
    vsp__place_to_v3(high, half);
    v3_add_in(middle, half);
    u3_scale_in(middle, VSP__UNIT(0.5));
    v3_sub_in(half, middle);
}

#if VSP_SCALES
void vsp__scale_box_of(const vsp__shape *shape, vsp_place *low, vsp_place *high)
{
    vsp_place scale;

    if (vsp__find_scale(shape, &scale))
        vsp__scale_box(&scale, low, high);
}
#endif

static void hull_box(const vsp__shape *shape, const vsp_hull *hull,
                     vsp__v3 *middle, vsp__v3 *half)
{
    const vsp_place *vertices = VSP__HULL_PART(hull, vertices);
    vsp_place low, high;
    uint32_t i, k;

    for (k = 0; k < 3; k++) {
        int32_t least = INT32_MAX, most = INT32_MIN;

        for (i = 0; i < hull->vertex_count; i++) {
            int32_t at = place_part(&vertices[i], k);

            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        place_parts(&low)[k] = least;
        place_parts(&high)[k] = most;
    }
    vsp__scale_box_of(shape, &low, &high);
    box_of_places(&low, &high, middle, half);
}

static void mesh_box(const vsp__shape *shape, const vsp_mesh *mesh,
                     vsp__v3 *middle, vsp__v3 *half)
{
    vsp_place low = mesh->nodes[0].low, high = mesh->nodes[0].high;

    vsp__scale_box_of(shape, &low, &high);
    box_of_places(&low, &high, middle, half);
}

/* m: a height field is solid down to this depth below its origin */
#define FIELD_DEPTH 500

static void field_box(const vsp__shape *shape, const vsp_height_field *field,
                      int32_t top, vsp__v3 *middle, vsp__v3 *half)
{
    vsp_place low, high;

    low.x = -vsp__half_field(field->columns, field->cell);
    low.y = high.y = top * field->step;
    low.z = -vsp__half_field(field->rows, field->cell);
    high.x = low.x + (field->columns - 1) * field->cell;
    high.z = low.z + (field->rows - 1) * field->cell;
    vsp__scale_box_of(shape, &low, &high);
    low.y = -FIELD_DEPTH * VSP_PLACE;
    box_of_places(&low, &high, middle, half);
}

static void sdf_box(const vsp_sdf *sdf, vsp__v3 *middle, vsp__v3 *half)
{
    vsp_place high = sdf->low;
    uint32_t k;

    for (k = 0; k < 3; k++)
        place_parts(&high)[k] += (sdf->count[k] - 1) * sdf->cell;
    box_of_places(&sdf->low, &high, middle, half);
}

static void table_box(const vsp_world *world, const vsp__shape *shape,
                      vsp__v3 *middle, vsp__v3 *half)
{
    const void *table = vsp__table_at(world, shape->table);
    const vsp_mesh *mesh = (const vsp_mesh *)table;

    if (VSP_HULLS && shape->type == VSP_SHAPE_HULL)
        hull_box(shape, (const vsp_hull *)table, middle, half);
    else if ((VSP_MESHES && shape->type == VSP_SHAPE_MESH) ||
             vsp__is_shell(shape))
        mesh_box(shape, mesh, middle, half);
    else if (VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD)
        field_box(shape, (const vsp_height_field *)table,
                  vsp__field_top(world, shape), middle, half);
    else if (VSP_SDFS && shape->type == VSP_SHAPE_SDF)
        sdf_box((const vsp_sdf *)table, middle, half);
}

/* core_box for a tapered capsule. */
static vsp__num taper_box(const vsp__shape *shape, vsp__v3 *middle,
                          vsp__v3 *half)
{
    const vsp__v3 *size = &shape->size;
    vsp__num d = u_mul(VSP__UNIT(0.5), r_sub(size->z, size->x));
    vsp__num radius = r_min(size->x, size->z);

    middle->y = d;
    half->x = half->z = r_sub(r_max(size->x, size->z), radius);
    half->y = r_add(size->y, r_abs(d));
    return radius;
}

/* Extends bounds to a tapered capsule with this pose. */
static void join_taper(const vsp__shape *shape, const vsp__pose *pose,
                       vsp__num margin, vsp__aabb *bounds)
{
    const vsp__v3 *size = &shape->size;
    uint32_t i;

    for (i = 0; i < 2; i++) {
        vsp__num radius = i == 0 ? size->x : size->z;
        vsp__v3 at = pose->position;
        vsp__aabb ball;

        u3_move(&at, r_signed(size->y, i == 0), &pose->axes.axis[1]);
        vsp__bounds_of_point(&at, &ball);
        vsp__bounds_grow(&ball, r_add(radius, margin));
        vsp__bounds_join(bounds, &ball);
    }
}

/* Fills the box of a shape's core.  Returns the radius around the core, 0 for
 * most shapes. */
static vsp__num core_box(const vsp_world *world, const vsp__shape *shape,
                         vsp__v3 *middle, vsp__v3 *half)
{
    *middle = *half = v3_zero();
    if (VSP__HAS_TABLES && shape->table != 0)
        table_box(world, shape, middle, half);
    else if (shape->type == VSP_SHAPE_BOX)
        *half = shape->size;
    else if (VSP_CAPSULES && shape->type == VSP_SHAPE_CAPSULE)
        half->y = shape->size.y;
    else if (vsp__is_turned(shape)) {
        half->x = half->z = r_max(shape->size.x, shape->size.z);
        half->y = shape->size.y;
    } else if (vsp__is_taper(shape))
        return taper_box(shape, middle, half);
    return vsp__is_round(shape) ? shape->size.x : 0;
}

void vsp__shape_box(const vsp_world *world, const vsp__shape *shape,
                    vsp__v3 *middle, vsp__v3 *half)
{
    vsp__num radius = core_box(world, shape, middle, half);
    vsp__v3 more = v3(radius, radius, radius);

    v3_add_in(half, &more);
}


/* ---- Types of shapes ----------------------------------------------------- */

bool vsp__is_surface(const vsp__shape *shape)
{
    return (VSP_MESHES && shape->type == VSP_SHAPE_MESH) ||
           (VSP_HEIGHT_FIELDS && shape->type == VSP_SHAPE_HEIGHT_FIELD);
}

bool vsp__is_sdf(const vsp__shape *shape)
{
    return VSP_SDFS && shape->type == VSP_SHAPE_SDF;
}

uint32_t vsp__pair_rank(const vsp__shape *shape)
{
    if (vsp__is_shell(shape))
        return 3u;
    return vsp__is_surface(shape) ? 2u : vsp__is_sdf(shape) ? 1u : 0u;
}

bool vsp__has_parts(const vsp_world *world, uint32_t pair)
{
    return vsp__pair_rank(world->shapes + (pair >> 16)) > 0 ||
           vsp__pair_rank(world->shapes + (pair & 0xffffu)) > 0;
}

bool vsp__is_bounded(const vsp__shape *shape)
{
    return shape->type != VSP_SHAPE_NONE && shape->type != VSP_SHAPE_HALF_SPACE;
}


/* ---- Poses and bounds in the world --------------------------------------- */

void vsp__add_extent(const vsp__mat3 *axes, const vsp__v3 *size, vsp__v3 *sum)
{
    u3_move_abs(sum, size->x, &axes->axis[0]);
    u3_move_abs(sum, size->y, &axes->axis[1]);
    u3_move_abs(sum, size->z, &axes->axis[2]);
}

void vsp__shape_arm(const vsp_world *world, uint32_t slot, vsp__v3 *arm)
{
    const vsp__shape *shape = world->shapes + slot;

    vsp__v3_from_to(&world->bodies[shape->body].mass_data.center,
                    &shape->pose.position, arm);
}

void vsp__body_arm(const vsp__mat3 *axes, const vsp__v3 *center,
                   const vsp__v3 *on, vsp__v3 *arm)
{
    vsp__v3 sum = *on;

    v3_flush_in(&sum);
    m3_tmul_to(axes, &sum, &sum);
    v3_add_in(&sum, center);
    v3_flush_in(&sum);
    *arm = sum;
}

void vsp__shape_pose(const vsp_world *world, uint32_t slot, vsp__pose *pose)
{
    const vsp__unit_quat *turn = &world->shapes[slot].pose.rotation;
    vsp__mat3 axes;
    vsp__v3 arm;
    uint32_t i;

    vsp__shape_arm(world, slot, &arm);
    if (!vsp__are_three_zero(&arm.x)) {
        m3_mul_to(&pose->axes, &arm, &arm);
        v3_add_in(&pose->position, &arm);
        v3_flush_in(&pose->position);
    }
    if (vsp__are_three_zero(&turn->x))
        return;
    axes = pose->axes;
    vsp__q_axes_flushed(turn, &pose->axes);
    for (i = 0; i < 3; i++)
        vsp__m3_mul_flushed(&axes, pose->axes.axis + i);
}

void vsp__place_shape(const vsp_world *world, uint32_t slot,
                      const vsp__v3 *position, const vsp__unit_quat *rotation,
                      vsp__pose *pose)
{
    pose->position = *position;
    vsp__q_axes_flushed(rotation, &pose->axes);
    vsp__shape_pose(world, slot, pose);
}

void vsp__find_bounds(const vsp_world *world, uint32_t slot,
                      const vsp__pose *pose, vsp__aabb *bounds)
{
    const vsp__shape *shape = world->shapes + slot;
    vsp__num half = u_mul(VSP__UNIT(0.5), world->params.envelope);
    vsp__v3 margin = v3(half, half, half), reach, middle, size;
    vsp__num radius;

    vsp__bounds_of_point(&pose->position, bounds);
    if (!vsp__is_bounded(shape))
        return;
    if (vsp__is_taper(shape)) {
        join_taper(shape, pose, half, bounds);
        return;
    }
    radius = core_box(world, shape, &middle, &size);
    reach = v3(radius, radius, radius);
    vsp__add_extent(&pose->axes, &size, &reach);
    if (VSP__HAS_TABLES && shape->table != 0)
        m3_mul_to(&pose->axes, &middle, &middle);
    v3_add_in(&reach, &margin);
    v3_add_in(&bounds->low, &middle);
    v3_add_to(&bounds->low, &reach, &bounds->high);
    v3_sub_in(&bounds->low, &reach);
}

void vsp__update_shape(const vsp_world *world, uint32_t slot, vsp__pose *pose,
                       vsp__aabb *bounds)
{
    const vsp__body *body = world->bodies + world->shapes[slot].body;

    vsp__place_shape(world, slot, &body->position, &body->rotation, pose);
    vsp__find_bounds(world, slot, pose, bounds);
}

/* shapes that are worth a piece of work */
#define LEAST_SHAPES VSP__LEAST(64u)

/* A vsp__do_piece: updates some shapes of a world. */
static void update_some_shapes(void *work, uint32_t piece, uint32_t first,
                               uint32_t last)
{
    const vsp_world *world = (const vsp_world *)work;
    uint32_t i;

    (void)piece;
    for (i = first; i < last; i++)
        if (vsp__is_present(world, world->shapes + i))
            vsp__update_shape(world, i, vsp__find_of(world)->poses + i,
                              vsp__find_of(world)->bounds + i);
}

void vsp__update_shape_bounds(vsp_world *world)
{
    vsp__share_work(world, update_some_shapes, world, world->shape_limit,
                    LEAST_SHAPES);
}
