/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A small program, which ci/size links to measure the part of the engine that
 * it needs: a ball and a box fall to the ground, and their positions are
 * read. */

#include "vsp.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

vsp_vec3 begin(uint32_t steps);

static vsp_body_id add_body(vsp_world *world, vsp_body_type type,
                            vsp_shape_def shape, vsp_real height)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id body = {0};

    def.type = type;
    def.shape = shape;
    def.pose.position.y = height;
    (void)vsp_body_create(world, &def, &body);
    return body;
}

vsp_vec3 begin(uint32_t steps)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_world *world;
    vsp_body_id ball;

    (void)vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world);
    add_body(world, VSP_STATIC, vsp_half_space(), 0);
    add_body(world, VSP_DYNAMIC, vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5)),
             VSP_R(1.0));
    ball = add_body(world, VSP_DYNAMIC, vsp_sphere(VSP_R(0.5)), VSP_R(3.0));
    while (steps-- > 0)
        (void)vsp_world_step(world);
    return vsp_body_transform(world, ball).position;
}
