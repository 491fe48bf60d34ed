/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Plays a recording to its end, and compares the hash of every step:
 *
 *     play FILE.vspr
 *
 * It knows nothing of the program that made the file.  A recording of shapes
 * with tables, such as hulls and meshes, needs these tables: add them before
 * vsp_play_begin. */

#include <stdio.h>
#include <stdlib.h>

#include "vsp.h"

VSP_ARENA(arena, VSP_WORLD_BYTES);

/* Returns the bytes of a file, which the caller frees; null if it cannot be
 * read. */
static unsigned char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = NULL;
    long end;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) > 0 &&
        fseek(file, 0, SEEK_SET) == 0) {
        *size = (size_t)end;
        bytes = malloc(*size);
    }
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

/* What to do about a recording that does not begin. */
static const char *advice(vsp_status status)
{
    switch (status) {
    case VSP_ERR_FULL:
        return "compile with the capacities of the program that made it, such "
               "as -DVSP_MAX_BODIES=4096";
    case VSP_ERR_TABLE:
        return "it has shapes with tables: add them to the world before";
    case VSP_ERR_VERSION:
        return VSP_FIXED ? "it is of another version of VSP, or in floats: "
                           "then compile without -DVSP_FIXED=1"
                         : "it is of another version of VSP, or in fixed "
                           "point: then compile with -DVSP_FIXED=1";
    case VSP_ERR_ABI:
        return "compile all files with the same options";
    default:
        return "the file is damaged";
    }
}

static vsp_status begin_player(vsp_player *player, const unsigned char *bytes,
                               size_t size)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    vsp_status status;

    def.sweep_limit = UINT32_MAX; /* it may take as long as it likes */
    status = vsp_world_create(arena.mem, sizeof arena.mem, &def, &world);
    return status < 0 ? status : vsp_play_begin(player, world, bytes, size);
}

/* Returns whether every hash was as recorded. */
static bool play_all(vsp_player *player)
{
    vsp_status status;

    do
        status = vsp_play_step(player);
    while (status == VSP_OK);
    printf("%lu of %lu steps, state %08lx, ", (unsigned long)player->step,
           (unsigned long)player->step_count,
           (unsigned long)vsp_world_hash(player->world));
    if (status == VSP_END)
        printf("as recorded\n");
    else if (status == VSP_DIVERGED && player->expected == player->got)
        printf("but a call gave another id\n");
    else if (status == VSP_DIVERGED)
        printf("but recorded was %08lx\n", (unsigned long)player->expected);
    else
        printf("then %s\n", vsp_status_name(status));
    return status == VSP_END;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    unsigned char *bytes = argc == 2 ? read_file(argv[1], &size) : NULL;
    vsp_player player;
    vsp_status status;
    bool is_same = false;

    if (!bytes) {
        fprintf(stderr, "usage: play FILE.vspr, a file that can be read\n");
        return 2;
    }
    status = begin_player(&player, bytes, size);
    if (status < 0)
        fprintf(stderr, "%s: %s: %s\n", argv[1], vsp_status_name(status),
                advice(status));
    else
        is_same = play_all(&player);
    free(bytes);
    return is_same ? 0 : 1;
}
