/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tests whether a world can be created under the flags of this build, in each
 * rounding mode.  Compile this file itself without fast-math flags.
 *
 *      rounds exact      the build computes floats as it must, or has none
 *      rounds inexact    it does not */

#include "../vsp.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

VSP_ARENA(arena, VSP_WORLD_BYTES);

static int failed;

static void expect_status(const char *mode, vsp_status expected)
{
    vsp_world_def def = vsp_world_def_default();
    vsp_world *world;
    vsp_status got;

    got = vsp_world_create(arena.mem, sizeof arena.mem, &def, &world);
    if (got == expected)
        return;
    failed = 1;
    fprintf(stderr,
            "rounds: to create a world, rounding %s: expected %s, "
            "got %s\n",
            mode, vsp_status_name(expected), vsp_status_name(got));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int mode;
    } modes[] = {{"up", FE_UPWARD},
                 {"down", FE_DOWNWARD},
                 {"to zero", FE_TOWARDZERO},
                 {"to nearest", FE_TONEAREST}};
    vsp_status otherwise = VSP_FIXED ? VSP_OK : VSP_ERR_ABI;
    size_t i;

    if (argc == 2 && strcmp(argv[1], "inexact") == 0) {
        expect_status("to nearest", VSP_ERR_ABI);
        return failed;
    }
    for (i = 0; i < sizeof modes / sizeof *modes; i++) {
        fesetround(modes[i].mode);
        expect_status(modes[i].name,
                      modes[i].mode == FE_TONEAREST ? VSP_OK : otherwise);
    }
    return failed;
}
