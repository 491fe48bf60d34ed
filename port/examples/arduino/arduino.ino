// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors

// A tilted box lands on one of its corners: prints the hash of its state after
// 50 steps.  The scene is `land` in the table of golden hashes, which CI
// compares.  This sketch has two more files: vsp_config.h with the options, and
// engine.c, which compiles the engine with them.

#include "vsp_config.h"
#include <vsp.h>

VSP_ARENA(arena, VSP_WORLD_BYTES);
static vsp_world *world;

static bool fillWorld()
{
    vsp_body_def def = vsp_body_def_default();

    def.shape = vsp_half_space();
    def.shape.material.restitution = VSP_R(0.0);
    if (vsp_body_create(world, &def, NULL) < 0)
        return false;
    def.type = VSP_DYNAMIC;
    def.pose.position.y = VSP_R(1.0);
    def.pose.rotation.x = VSP_R(0.125);
    def.pose.rotation.z = VSP_R(0.25);
    def.velocity.x = VSP_R(0.5);
    def.shape = vsp_box(VSP_R(0.5), VSP_R(0.25), VSP_R(0.375));
    def.shape.material.restitution = VSP_R(0.0);
    return vsp_body_create(world, &def, NULL) >= 0;
}

void setup()
{
    vsp_world_def def = vsp_world_def_default();
    char row[48];

    Serial.begin(9600);
    def.dt = VSP_R(0.015625);
    if (vsp_world_create(arena.mem, sizeof arena.mem, &def, &world) < 0 ||
        !fillWorld()) {
        Serial.println("the world is too small");
        return;
    }
    for (int i = 0; i < 50; i++)
        vsp_world_step(world);
    sprintf(row, "land pgs %s micro 50 %08lx", VSP_FIXED ? "fixed" : "float",
            (unsigned long)vsp_world_hash(world));
    Serial.println(row);
}

void loop()
{
}
