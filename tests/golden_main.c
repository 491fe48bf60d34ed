/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the golden hashes as tests/golden.inc holds them. */

#include "golden.h"

#include <stdio.h>

static bool print_run(const golden_run *which)
{
    uint32_t hashes[GOLDEN_POINTS], i;

    if (!golden_take(which, hashes)) {
        fprintf(stderr, "golden: cannot run scene %s\n", which->scene);
        return false;
    }
    printf("{");
    for (i = 0; i < GOLDEN_POINTS; i++)
        printf("%s0x%08lx", i ? ", " : "", (unsigned long)hashes[i]);
    printf("}, /* %s, %d */\n", which->scene, (int)which->setting);
    return true;
}

int main(void)
{
    uint32_t i;

    for (i = 0; i < golden_run_count; i++)
        if (!print_run(&golden_runs[i]))
            return 1;
    return 0;
}
