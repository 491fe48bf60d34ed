/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Same inputs, same bits: scenes against the rows of golden.txt, which the
 * Makefile turns into golden.inc. */

#include "golden.h"
#include "help.h"

#include <stdio.h>
#include <string.h>

static const char *const expected[] = {
#include "golden.inc"
};

/* Returns how long a row is without its hash. */
static size_t key_length(const char *row)
{
    return strlen(row) - strlen(strrchr(row, ' '));
}

/* Checks a point against row `index` of the table. */
static bool check_point(const golden_run *run, uint32_t index, uint32_t steps,
                        uint32_t hash)
{
    char row[GOLDEN_ROW_BYTES];
    unsigned long wanted;

    golden_row(run, steps, hash, row);
    row[strlen(row) - 1] = '\0';
    test_note("%.*s", (int)key_length(row), row);
    if (!CHECK(index < COUNT_OF(expected)) ||
        !CHECK(key_length(row) == key_length(expected[index])) ||
        !CHECK(!memcmp(row, expected[index], key_length(row))) ||
        !CHECK(sscanf(strrchr(expected[index], ' '), "%lx", &wanted) == 1))
        return false;
    return CHECK_HEX((uint32_t)wanted, hash);
}

/* Stops at the first step that differs: what follows only follows.  Returns
 * how many rows the run has. */
static uint32_t check_run(const golden_run *run, uint32_t index)
{
    golden_taken taken;
    uint32_t i = 0;

    test_note("scene %s", run->scene);
    if (!CHECK(golden_fits(run)) || !CHECK(golden_take(run, &taken)))
        return 0;
    while (i < taken.count && check_point(run, index + i, taken.steps[i],
                                          taken.hashes[i]))
        i++;
    return taken.count;
}

static void hashes_are_golden(void)
{
    uint32_t i, row = 0;

    for (i = 0; i < golden_run_count; i++)
        row += check_run(&golden_runs[i], row);
    test_note("rows of no run in tests/golden.txt");
    CHECK_UINT(COUNT_OF(expected), row);
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
