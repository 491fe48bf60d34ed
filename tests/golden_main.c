/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the head of tests/golden.txt and its rows of this build's kind, or
 * as many of them as this build has room for. */

#include "golden.h"

#include <stdio.h>

static const char *const head =
    "# Golden hashes, the same on every machine and from every compiler.\n"
    "# Written by `make golden`; tests/golden.c says which runs there are.\n"
    "#\n"
    "#     scene setting kind class steps hash\n"
    "#\n"
    "# kind is how numbers are kept, float or fixed point: a build has the\n"
    "# rows of one of them.\n"
    "#\n"
    "# The world of a row has the capacities of the row's class, however\n"
    "# much more its build has room for.  A machine runs every row of its own\n"
    "# class and of the classes above it in this list: memory is the only\n"
    "# reason to leave a row out.\n"
    "#\n"
    "#     class    bodies  shapes  pairs  manifolds  contacts  world, bytes\n"
    "#                                                          float/fixed"
    "\n";

/* From here on VSP_WORLD_BYTES is that of a build with these options. */
#undef VSP_FIXED
#undef VSP_MAX_BODIES
#undef VSP_MAX_SHAPES
#undef VSP_MAX_PAIRS
#undef VSP_MAX_MANIFOLDS
#undef VSP_MAX_CONTACTS
#define VSP_FIXED is_fixed
#define VSP_MAX_BODIES capacity->bodies
#define VSP_MAX_SHAPES capacity->shapes
#define VSP_MAX_PAIRS capacity->pairs
#define VSP_MAX_MANIFOLDS capacity->manifolds
#define VSP_MAX_CONTACTS capacity->contacts

static unsigned long world_bytes(const vsp_capacity *capacity,
                                 uint32_t is_fixed)
{
    return VSP_WORLD_BYTES;
}

static void print_class(const char *name, const vsp_capacity *capacity)
{
    printf("#     %-7s  %6lu  %6lu  %5lu  %9lu  %8lu  %6lu/%lu\n", name,
           (unsigned long)capacity->bodies, (unsigned long)capacity->shapes,
           (unsigned long)capacity->pairs, (unsigned long)capacity->manifolds,
           (unsigned long)capacity->contacts, world_bytes(capacity, 0),
           world_bytes(capacity, 1));
}

static bool print_run(const golden_run *run)
{
    char row[GOLDEN_ROW_BYTES];
    golden_taken taken;
    uint32_t i;

    if (!golden_take(run, &taken)) {
        fprintf(stderr, "golden: cannot run scene %s\n", run->scene);
        return false;
    }
    for (i = 0; i < taken.count; i++) {
        golden_row(run, taken.steps[i], taken.hashes[i], row);
        fputs(row, stdout);
    }
    return true;
}

int main(void)
{
    uint32_t i;

    fputs(head, stdout);
    for (i = 0; i < GOLDEN_CLASSES; i++)
        print_class(golden_class_names[i], &golden_capacities[i]);
    for (i = 0; i < golden_run_count; i++)
        if (golden_fits(&golden_runs[i]) && !print_run(&golden_runs[i]))
            return 1;
    return 0;
}
