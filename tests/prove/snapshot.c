/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Readers of files, given any bytes.  ci/prove names the function to begin
 * with. */

#include "any.h"

#define VSP_CONFIG "tests/prove/small.h"
#include "vsp.c"
#include "vsp_collide.c"

#include "lemmas.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

static vsp_world *make_world(void)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world = NULL;

    (void)vsp_world_create(arena.mem, sizeof arena.mem, &def, &world);
    return world;
}

/* Bytes of a snapshot of any length that a world can have. */
void prove_restore(void)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    vsp_world *world = make_world();

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    (void)vsp_world_restore(world, bytes, any_uint(0, sizeof bytes));
}

/* A file of up to 32 words, of each length: its check, which reads it all. */
void prove_replay(void)
{
    static unsigned char bytes[128];
    uint32_t size, steps;

    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    /*@ loop unroll 129; */
    for (size = 0; size <= sizeof bytes; size++)
        if (any_bool())
            (void)check_file(bytes, size, &steps);
}
