/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The scene of ci/ctypes_scene.py in C: the crates of README.md fall on the
 * ground, are reset to a snapshot, and fall again. */

#include "vsp.h"

#include <stdio.h>

VSP_ARENA(arena, VSP_WORLD_BYTES);
static unsigned char saved[VSP_SNAPSHOT_BYTES];

static void print_number(const char *name, unsigned long number)
{
    printf("%s %lu\n", name, number);
}

static void print_sizes(void)
{
    print_number("world", VSP_WORLD_BYTES);
    print_number("snapshot", VSP_SNAPSHOT_BYTES);
    print_number("sizeof vsp_world_def", sizeof(vsp_world_def));
    print_number("sizeof vsp_body_def", sizeof(vsp_body_def));
    print_number("sizeof vsp_shape_def", sizeof(vsp_shape_def));
    print_number("sizeof vsp_transform", sizeof(vsp_transform));
    print_number("options", vsp_world_def_default().options);
}

static uint32_t run_world(vsp_world *world)
{
    int i;

    for (i = 0; i < 300; i++)
        if (vsp_world_step(world) != VSP_OK)
            return 0;
    return vsp_world_hash(world);
}

static bool fill_world(vsp_world *world)
{
    vsp_body_def ground = vsp_body_def_default();
    vsp_body_def crate = vsp_body_def_default();
    int i;

    ground.shape = vsp_half_space();
    if (vsp_body_create(world, &ground, NULL) < 0)
        return false;
    crate.type = VSP_DYNAMIC;
    crate.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    crate.pose.position.y = VSP_R(0.6);
    for (i = 0; i < 20; i++, crate.pose.position.y += VSP_R(1.1))
        if (vsp_body_create(world, &crate, NULL) < 0)
            return false;
    return true;
}

int main(void)
{
    vsp_world_def setup = vsp_world_def_default();
    vsp_world *world;
    size_t size;

    print_sizes();
    if (vsp_world_create(arena.mem, sizeof arena.mem, &setup, &world) < 0 ||
        !fill_world(world) ||
        vsp_world_snapshot(world, saved, sizeof saved, &size) < 0)
        return 1;
    print_number("bytes", (unsigned long)size);
    print_number("hash", run_world(world));
    if (vsp_world_restore(world, saved, size) < 0)
        return 2;
    print_number("hash", run_world(world));
    return 0;
}
