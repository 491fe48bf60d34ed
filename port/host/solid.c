/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shapes read from a world. */

#include "solid.h"

/* The columns of the rotation's matrix. */
static void read_axes(vsp_quat rotation, vec3 axes[3])
{
    double x = vsp_to_double(rotation.x);
    double y = vsp_to_double(rotation.y);
    double z = vsp_to_double(rotation.z);
    double w = vsp_to_double(rotation.w);

    axes[0] = vec_make(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),
                       2.0 * (x * z - w * y));
    axes[1] = vec_make(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z),
                       2.0 * (y * z + w * x));
    axes[2] = vec_make(2.0 * (x * z + w * y), 2.0 * (y * z - w * x),
                       1.0 - 2.0 * (x * x + y * y));
}

static vec3 turn(const vec3 axes[3], vec3 v)
{
    vec3 sum = vec_scale(axes[0], v.x);

    sum = vec_mad(sum, v.y, axes[1]);
    return vec_mad(sum, v.z, axes[2]);
}

/* The shape's pose in the world: the body's, then its own. */
static void read_pose(solid *it, vsp_transform body, vsp_transform shape)
{
    vec3 body_axes[3];
    vec3 shape_axes[3];

    read_axes(body.rotation, body_axes);
    read_axes(shape.rotation, shape_axes);
    for (int i = 0; i < 3; i++)
        it->axes[i] = turn(body_axes, shape_axes[i]);
    it->center = vec_add(vec_from(body.position),
                         turn(body_axes, vec_from(shape.position)));
}

static void read_size(solid *it, const vsp_shape_def *shape)
{
    it->half = vec_from(shape->size);
    it->bound = 0.0;
    if (shape->type == VSP_SHAPE_SPHERE) {
        it->bound = it->half.x;
        it->half = vec_make(it->bound, it->bound, it->bound);
    } else if (shape->type == VSP_SHAPE_BOX) {
        it->bound = vec_length(it->half);
    }
}

int solids_read(const vsp_world *world, solid *out)
{
    int count = 0;

    for (uint32_t slot = 0; slot < VSP_MAX_SHAPES; slot++) {
        vsp_shape_id id = vsp_shape_at(world, slot);
        solid *it = &out[count];
        vsp_shape_def shape;

        if (vsp_shape_get(world, id, &shape) < 0)
            continue;
        it->type = shape.type;
        it->density = vsp_to_double(shape.density);
        it->body = vsp_shape_body(world, id);
        it->body_type = vsp_body_get_type(world, it->body);
        it->user = vsp_body_user(world, it->body);
        read_size(it, &shape);
        read_pose(it, vsp_body_transform(world, it->body), shape.pose);
        count++;
    }
    return count;
}

double solid_reach(const solid *it, vec3 direction)
{
    if (it->type == VSP_SHAPE_SPHERE)
        return it->bound * vec_length(direction);
    return it->half.x * fabs(vec_dot(it->axes[0], direction)) +
           it->half.y * fabs(vec_dot(it->axes[1], direction)) +
           it->half.z * fabs(vec_dot(it->axes[2], direction));
}

uint32_t body_slot(vsp_body_id id)
{
    return (id.bits & 0xffffu) - 1u;
}
