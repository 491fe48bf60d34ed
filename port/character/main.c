/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A character that walks up stairs onto a platform and rides on it: where it
 * is, ten times a second.
 *
 *     make build/character && build/character */

#include <stdio.h>

#include "character.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

static vsp_body_id add_box(vsp_world *world, vsp_body_type type, vec3 at,
                           vec3 half)
{
    vsp_body_def def = vsp_body_def_default();
    vsp_body_id id;

    def.type = type;
    def.pose.position.x = vsp_from_double(at.x);
    def.pose.position.y = vsp_from_double(at.y);
    def.pose.position.z = vsp_from_double(at.z);
    def.shape = vsp_box(vsp_from_double(half.x), vsp_from_double(half.y),
                        vsp_from_double(half.z));
    vsp_body_create(world, &def, &id);
    return id;
}

int main(void)
{
    vsp_world_def setup = vsp_world_def_default();
    character_def def = character_def_default();
    vsp_body_def ground = vsp_body_def_default();
    vsp_vec3 forward = {VSP_R(0.0), VSP_R(0.0), VSP_R(1.0)};
    vsp_vec3 none = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};
    vsp_body_id platform;
    vsp_world *world;
    character it;

    if (vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world) < 0)
        return 1;
    ground.shape = vsp_half_space();
    vsp_body_create(world, &ground, NULL);
    for (int i = 0; i < 5; i++)
        add_box(world, VSP_STATIC, vec_make(1 + 0.3 * i, 0.1 + 0.1 * i, 0),
                vec_make(0.15, 0.1 + 0.1 * i, 1));
    platform = add_box(world, VSP_KINEMATIC, vec_make(3.85, 0.9, 0),
                       vec_make(1.5, 0.1, 1));
    character_place(&it, &def, vec_make(0, 1.5, 0));
    for (int tick = 0; tick <= 300; tick++) {
        if (tick == 200)
            vsp_body_set_velocity(world, platform, forward, none);
        vsp_world_step(world);
        character_move(&it, world, vec_make(tick < 150 ? 1.5 : 0, 0, 0),
                       1.0 / 60);
        if (tick % 6 == 0)
            printf("%4.1f s  %6.2f %6.2f %6.2f  %s\n", tick / 60.0,
                   it.position.x, it.position.y, it.position.z,
                   it.is_grounded ? "stands" : "falls");
    }
    return 0;
}
