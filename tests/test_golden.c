/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Same inputs, same bits: scenes against tests/golden.txt, which is read from
 * the repository's root. */

#include "golden.h"
#include "help.h"

#include <stdio.h>
#include <string.h>

/* Reads the next row of the table; an empty one at its end. */
static void next_row(FILE *table, char row[GOLDEN_ROW_BYTES])
{
    do {
        row[0] = '\0';
    } while (fgets(row, GOLDEN_ROW_BYTES, table) && row[0] == '#');
}

/* Returns where the hash of a row begins. */
static size_t hash_offset(const char *row)
{
    const char *gap = strrchr(row, ' ');

    return gap ? (size_t)(gap - row) + 1 : 0;
}

/* Checks a point against the next row of the table. */
static bool check_point(const golden_run *run, FILE *table, uint32_t steps,
                        uint32_t hash)
{
    char got[GOLDEN_ROW_BYTES], expected[GOLDEN_ROW_BYTES];
    unsigned long wanted = 0;
    size_t length;

    next_row(table, expected);
    golden_row(run, steps, hash, got);
    length = hash_offset(got);
    test_note("%.*s", (int)length, got);
    if (!CHECK_UINT(length, hash_offset(expected)) ||
        !CHECK_BYTES(expected, got, length) ||
        !CHECK(sscanf(expected + length, "%lx", &wanted) == 1))
        return false;
    return CHECK_HEX((uint32_t)wanted, hash);
}

/* Returns false at the first step that differs: what follows only follows. */
static bool check_run(const golden_run *run, FILE *table)
{
    golden_taken taken;
    uint32_t i;

    test_note("scene %s", run->scene);
    if (!CHECK(golden_fits(run)) || !CHECK(golden_take(run, &taken)))
        return false;
    for (i = 0; i < taken.count; i++)
        if (!check_point(run, table, taken.steps[i], taken.hashes[i]))
            return false;
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
    if (i == golden_run_count) {
        test_note("rows of no run in tests/golden.txt");
        CHECK(row[0] == '\0');
    }
    fclose(table);
}

/* The pyramid has more contacts than its class has room for. */
static void contacts_are_dropped(void)
{
    static const golden_run full = {"pyramid:3~1", GOLDEN_CARRY, GOLDEN_TINY,
                                    20};
    static const golden_run roomy = {"pyramid:3~1", GOLDEN_CARRY,
                                     GOLDEN_SMALL, 20};
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

const test_room golden_room = {"golden", tests};
