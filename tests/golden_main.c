/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Prints the head of tests/golden.txt and its rows of this build's kind, or as
 * many of them as fit into this build. */

#include "port/scenes/golden.h"

#include <stdio.h>

static const char *const head =
    "# Golden hashes, the same on every machine and from every compiler.\n"
    "# Written by `make golden`; port/scenes/golden.c has the runs.\n"
    "#\n"
    "#     scene setting kind class steps hash\n"
    "#\n"
    "# kind is how numbers are kept, float or fixed point: a build has the\n"
    "# rows of one of them.\n"
    "#\n"
    "# The world of a row has the capacities of the row's class, however\n"
    "# much more its build has room for.  A machine runs every row of its own\n"
    "# class and of the classes above it in this list: memory is the only\n"
    "# reason to leave a row out.  Builds of the classes micro and tiny leave\n"
    "# out what port/template says, and none of their rows needs it; those of\n"
    "# small and console have everything, shells as well.\n"
    "#\n"
    "#     class    bodies  shapes  pairs  manifolds  contacts  joints\n";

static void print_class(const char *name, const vsp_capacity *capacity)
{
    printf("#     %-7s  %6lu  %6lu  %5lu  %9lu  %8lu  %6lu\n", name,
           (unsigned long)capacity->bodies, (unsigned long)capacity->shapes,
           (unsigned long)capacity->pairs, (unsigned long)capacity->manifolds,
           (unsigned long)capacity->contacts, (unsigned long)capacity->joints);
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
