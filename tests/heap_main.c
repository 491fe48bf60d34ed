/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A few short scenes in a buffer that was never written, for tools that find
 * uses of such memory: steps, snapshot, restore, hash. */

#include "port/scenes/scene.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"rest",        "card-house-shot:2",
                                    "roll",        "bounce:0.8",
                                    "pyramid:4~1", "conveyor"};

static bool run_scene(const char *name, void *buffer, void *saved)
{
    scene_variant variant;
    const scene *found = scene_find(name, &variant);
    vsp_world_def def = scene_world_def(found);
    scene_run run;
    size_t size;
    uint32_t step;

    if (vsp_world_create(buffer, VSP_WORLD_BYTES, &def, &run.world) < 0 ||
        !scene_start(&run, found, variant))
        return false;
    for (step = 0; step < 130; step++)
        if (scene_step(&run, step) < 0)
            return false;
    if (vsp_world_snapshot(run.world, saved, VSP_SNAPSHOT_BYTES, &size) < 0 ||
        vsp_world_restore(run.world, saved, size) < 0 ||
        vsp_world_validate(run.world, NULL) < 0)
        return false;
    printf("%-20s 0x%08lx\n", name, (unsigned long)vsp_world_hash(run.world));
    return true;
}

int main(void)
{
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *buffer = malloc(VSP_WORLD_BYTES);
        void *saved = malloc(VSP_SNAPSHOT_BYTES);
        bool is_good = buffer && saved && run_scene(names[i], buffer, saved);

        free(buffer);
        free(saved);
        if (!is_good) {
            fprintf(stderr, "heap: scene %s failed\n", names[i]);
            return 1;
        }
    }
    return 0;
}
