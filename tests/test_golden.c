/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Same inputs, same bits: scenes against tests/golden.txt, which is read from
 * the repository's root. */

#include "fixture.h"
#include "port/scenes/golden.h"

#include <stdio.h>
#include <string.h>

/* Reads the next row of this build's kind; at the end, an empty one. */
static void next_row(FILE *table, char row[GOLDEN_ROW_BYTES])
{
    do {
        row[0] = '\0';
    } while (fgets(row, GOLDEN_ROW_BYTES, table) &&
             (row[0] == '#' || !strstr(row, " " GOLDEN_KIND " ")));
}

/* Returns the length of a row before its hash. */
static uint32_t key_length(const char *row)
{
    const char *gap = strrchr(row, ' ');

    return gap ? (uint32_t)(gap - row) + 1 : 0;
}

/* Reads the next row, which must be the row of this point, and its hash. */
static bool read_point(const golden_run *run, FILE *table, uint32_t steps,
                       uint32_t *hash)
{
    char key[GOLDEN_ROW_BYTES], row[GOLDEN_ROW_BYTES];
    unsigned long found = 0;
    uint32_t length;

    golden_row(run, steps, 0, key);
    length = key_length(key);
    next_row(table, row);
    test_note("row %.*s", (int)length, key);
    if (!CHECK_UINT(length, key_length(row)) ||
        !CHECK_BYTES(key, row, length) ||
        !CHECK(sscanf(row + length, "%lx", &found) == 1))
        return false;
    *hash = (uint32_t)found;
    return true;
}

/* Compares a run with its rows.  Reports the first step that differs, as later
 * ones follow from it.  Returns false if the table has other rows than the
 * run. */
static bool check_run(const golden_run *run, FILE *table)
{
    golden_taken taken;
    bool is_same = true;
    uint32_t i, expected;

    test_note("scene %s", run->scene);
    if (!CHECK(golden_fits(run)) || !CHECK(golden_take(run, &taken)))
        return false;
    for (i = 0; i < taken.count; i++) {
        if (!read_point(run, table, taken.steps[i], &expected))
            return false;
        is_same = is_same && CHECK_HEX(expected, taken.hashes[i]);
    }
    return true;
}

static void hashes_are_golden(void)
{
    FILE *table = fopen("tests/golden.txt", "r");
    char row[GOLDEN_ROW_BYTES];
    uint32_t i = 0;

    if (!CHECK(table))
        return;
    while (i < golden_run_count && check_run(&golden_runs[i], table))
        i++;
    next_row(table, row);
    test_note("tests/golden.txt after the rows of all runs");
    if (i == golden_run_count)
        CHECK(row[0] == '\0');
    fclose(table);
}

/* The pyramid has more contacts than fit into its class. */
static void contacts_are_dropped(void)
{
    static const golden_run full = {"pyramid:3~1", GOLDEN_CARRY, GOLDEN_TINY,
                                    20};
    static const golden_run roomy = {"pyramid:3~1", GOLDEN_CARRY, GOLDEN_SMALL,
                                     20};
    golden_taken taken;

    CHECK(golden_take(&full, &taken));
    CHECK_UINT(20, taken.degraded);
    CHECK(golden_take(&roomy, &taken));
    CHECK_UINT(0, taken.degraded);
}


static const test tests[] = {
    TEST(hashes_are_golden),
    TEST(contacts_are_dropped),
    TEST_END,
};

const test_suite golden_suite = {"golden", tests};
