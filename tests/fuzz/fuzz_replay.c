/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Plays arbitrary bytes as a replay.  It must be refused without changing the
 * world, or play: then the world must be valid after every step, and a second
 * run from the start must give the same bits.  The first byte says what is
 * repaired before: 0 nothing, 1 records and checksums, 2 checksums; plus 4: the
 * world has tables; plus 8: the replay refers to these tables. */

#include <stdlib.h>
#include <string.h>

#include "fix.h"
#include "port/scenes/table_sets.h"

#define MOST_STEPS 12u

VSP_ARENA(arena, VSP_WORLD_BYTES);

static vsp_world *make_world(bool has_tables)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_body_def body = vsp_body_def_default();
    vsp_world *world;

    MUST(vsp_world_create(arena.mem, sizeof arena.mem, &def, &world) == VSP_OK);
    MUST(!has_tables || add_table_set(world, TABLES_FEW));
    MUST(vsp_body_create(world, &body, NULL) == VSP_OK);
    return world;
}

/* Plays as far as possible.  Returns the hash at the end. */
static uint32_t play_replay(vsp_player *player)
{
    vsp_status status = VSP_OK;

    while (status >= 0 && status != VSP_END && player->step < MOST_STEPS) {
        status = vsp_play_step(player);
        MUST(status != VSP_ERR_ARG);
        MUST(vsp_world_validate(player->world, NULL) == VSP_OK);
    }
    return vsp_world_hash(player->world);
}

static void check_player(vsp_player *player)
{
    uint32_t hash, half;

    MUST(vsp_world_validate(player->world, NULL) == VSP_OK);
    hash = play_replay(player);
    half = player->step / 2;
    (void)vsp_play_seek(player, half);
    MUST(vsp_world_validate(player->world, NULL) == VSP_OK);
    MUST(vsp_play_seek(player, 0) == VSP_OK);
    MUST(play_replay(player) == hash);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    unsigned char *bytes, *file;
    table_digests digests;
    vsp_player player;
    vsp_world *world;
    uint32_t hash;

    if (size == 0)
        return 0;
    size--;
    world = make_world((data[0] & 4) != 0);
    digests = digests_of(world);
    hash = vsp_world_hash(world);
    bytes = malloc(size + 12);
    MUST(bytes != NULL);
    memcpy(bytes, data + 1, size);
    if (data[0] & 2)
        fix_header(bytes, size &= ~(size_t)3);
    else if (data[0] & 1)
        size = fix_replay(bytes, size, data[0] & 8 ? &digests : NULL);
    file = malloc(size + (size == 0)); /* the exact size, to detect overruns */
    MUST(file != NULL);
    memcpy(file, bytes, size);
    free(bytes);
    if (vsp_play_begin(&player, world, file, size) < 0)
        MUST(vsp_world_hash(world) == hash);
    else
        check_player(&player);
    free(file);
    return 0;
}
