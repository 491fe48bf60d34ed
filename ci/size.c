/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Memory, for ci/size: `size NAME` prints the cost of the options it was
 * compiled with, `size` the cost of one more of each capacity.  The capacities
 * in VSP_WORLD_BYTES are variables here, so the macro gives the answer. */

#include "vsp.h"

#include <stdio.h>

static const vsp_capacity built = {
    VSP_MAX_BODIES,   VSP_MAX_SHAPES, VSP_MAX_PAIRS, VSP_MAX_MANIFOLDS,
    VSP_MAX_CONTACTS, VSP_MAX_SENSED, VSP_MAX_JOINTS};
static vsp_capacity room;

#undef VSP_MAX_BODIES
#undef VSP_MAX_SHAPES
#undef VSP_MAX_PAIRS
#undef VSP_MAX_MANIFOLDS
#undef VSP_MAX_CONTACTS
#undef VSP_MAX_JOINTS
#define VSP_MAX_BODIES room.bodies
#define VSP_MAX_SHAPES room.shapes
#define VSP_MAX_PAIRS room.pairs
#define VSP_MAX_MANIFOLDS room.manifolds
#define VSP_MAX_CONTACTS room.contacts
#define VSP_MAX_JOINTS room.joints

static unsigned long world_bytes(void)
{
    return VSP_WORLD_BYTES;
}

static unsigned long snapshot_bytes(void)
{
    return VSP_SNAPSHOT_BYTES;
}

/* Prints the cost of four more, divided by four, since sizes are rounded up to
 * four bytes. */
static void each(const char *name, uint32_t *capacity)
{
    unsigned long world = world_bytes();
    unsigned long snapshot = snapshot_bytes();

    *capacity += 4;
    printf("each.%s.world %lu\n", name, (world_bytes() - world) / 4);
    printf("each.%s.snapshot %lu\n", name, (snapshot_bytes() - snapshot) / 4);
    *capacity -= 4;
}

int main(int argc, char **argv)
{
    room = built;
    if (argc > 1) {
        printf("memory.%s.bodies %lu\n", argv[1], (unsigned long)room.bodies);
        printf("memory.%s.contacts %lu\n", argv[1],
               (unsigned long)room.contacts);
        printf("memory.%s.world %lu\n", argv[1], world_bytes());
        printf("memory.%s.snapshot %lu\n", argv[1], snapshot_bytes());
        return 0;
    }
    each("body", &room.bodies);
    each("shape", &room.shapes);
    each("pair", &room.pairs);
    each("manifold", &room.manifolds);
    each("contact", &room.contacts);
    each("joint", &room.joints);
    return 0;
}
