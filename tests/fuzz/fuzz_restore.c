/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Restores arbitrary bytes as a snapshot.  They must be refused without
 * changing the world, or give a valid world that writes the same bytes, can be
 * restored from them, and stays valid as it steps.  The first byte says whether
 * header and checksum are repaired (1), whether the world has tables (4), and
 * whether the snapshot refers to them (8). */

#include <stdlib.h>
#include <string.h>

#include "fix.h"
#include "port/scenes/table_sets.h"

#define STEPS 3

VSP_ARENA(first, VSP_WORLD_BYTES);
VSP_ARENA(second, VSP_WORLD_BYTES);

static bool has_tables;

/* Makes a world with a few bodies. */
static vsp_world *make_world(void *arena, size_t size)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def body = vsp_body_def_default();
    vsp_world *world;

    MUST(vsp_world_create(arena, size, &def, &world) == VSP_OK);
    MUST(!has_tables || add_table_set(world, TABLES_FEW));
    body.shape = vsp_half_space();
    MUST(vsp_body_create(world, &body, NULL) == VSP_OK);
    body.type = VSP_DYNAMIC;
    body.shape = vsp_box(VSP_R(0.5), VSP_R(0.5), VSP_R(0.5));
    body.pose.position.y = VSP_R(0.5);
    MUST(vsp_body_create(world, &body, NULL) == VSP_OK);
    MUST(vsp_world_step(world) == VSP_OK);
    return world;
}

/* Restores the world's snapshot at another address, and that world's here. */
static void check_round_trip(const vsp_world *world)
{
    static unsigned char bytes[2][VSP_SNAPSHOT_BYTES];
    vsp_world *other = make_world(second.mem, sizeof second.mem);
    size_t size, again;

    MUST(vsp_world_snapshot(world, bytes[0], sizeof bytes[0], &size) == VSP_OK);
    MUST(vsp_world_restore(other, bytes[0], size) == VSP_OK);
    MUST(vsp_world_hash(other) == vsp_world_hash(world));
    MUST(vsp_world_snapshot(other, bytes[1], sizeof bytes[1], &again) ==
         VSP_OK);
    MUST(size == again && memcmp(bytes[0], bytes[1], size) == 0);
}

/* Checks that a restored world writes the snapshot it came from. */
static void check_same_bytes(const vsp_world *world, const unsigned char *bytes,
                             size_t size)
{
    static unsigned char again[VSP_SNAPSHOT_BYTES];
    size_t size_again;

    MUST(vsp_world_snapshot(world, again, sizeof again, &size_again) == VSP_OK);
    MUST(size_again == size && memcmp(again, bytes, size) == 0);
}

static uint32_t true_digest(const vsp_world *world)
{
    table_digests digests = digests_of(world);

    return digests.of[digests.count];
}

static void check_steps(vsp_world *world)
{
    for (int i = 0; i < STEPS; i++) {
        MUST(vsp_world_step(world) >= 0);
        MUST(vsp_world_validate(world, NULL) == VSP_OK);
    }
    check_round_trip(world);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    vsp_world *world;
    unsigned char *bytes;
    uint32_t hash;

    if (size == 0)
        return 0;
    size--;
    has_tables = (data[0] & 4) != 0;
    world = make_world(first.mem, sizeof first.mem);
    hash = vsp_world_hash(world);
    if (data[0] & 1)
        size &= ~(size_t)3;
    bytes = malloc(size + (size == 0));
    MUST(bytes != NULL);
    memcpy(bytes, data + 1, size);
    if (data[0] & 8)
        fix_digest(bytes, size, true_digest(world));
    if (data[0] & 1)
        fix_snapshot(bytes, size);
    if (vsp_world_restore(world, bytes, size) < 0) {
        MUST(vsp_world_hash(world) == hash);
        MUST(vsp_world_validate(world, NULL) == VSP_OK);
    } else {
        MUST(vsp_world_validate(world, NULL) == VSP_OK);
        check_same_bytes(world, bytes, size);
        check_round_trip(world);
        check_steps(world);
    }
    free(bytes);
    return 0;
}
