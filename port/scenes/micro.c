/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes for a machine with capacity for two bodies, where constants cost
 * memory and a double may be a float: the floor and one body, in numbers that
 * both represent exactly.  A build for such a machine has no other scenes. */

#include "scene_table.h"

static void add_body(scene_run *run, const vsp_body_def *def)
{
    if (vsp_body_create(run->world, def, &run->marks[0]) < 0)
        run->failures++;
}

static void add_floor(scene_run *run, vsp_real restitution)
{
    vsp_body_def def = vsp_body_def_default();

    run->material.restitution = restitution;
    def.shape = vsp_half_space();
    def.shape.material = run->material;
    add_body(run, &def);
}

/* mark 0: a box that falls by a quarter of a metre onto one of its corners */
void build_land(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();

    add_floor(run, VSP_R(0.0));
    def.type = VSP_DYNAMIC;
    def.pose.position.y = VSP_R(1.0);
    def.pose.rotation.x = VSP_R(0.125);
    def.pose.rotation.z = VSP_R(0.25);
    def.velocity.x = VSP_R(0.5);
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.25), VSP_R(0.375));
    def.shape.material = run->material;
    add_body(run, &def);
}

/* mark 0: a ball that moves along x in hops, whose friction makes it spin */
void build_hop(scene_run *run)
{
    vsp_body_def def = vsp_body_def_default();

    add_floor(run, scene_real(run->variant.number));
    def.type = VSP_DYNAMIC;
    def.pose.position.y = VSP_R(0.75);
    def.velocity.x = VSP_R(1.0);
    def.velocity.z = VSP_R(0.25);
    def.shape = vsp_sphere(VSP_R(0.25));
    def.shape.material = run->material;
    add_body(run, &def);
}

#if SCENES_MICRO
const scene scenes[] = {MICRO_SCENES};
const uint32_t scene_count = (uint32_t)(sizeof scenes / sizeof scenes[0]);
#endif
