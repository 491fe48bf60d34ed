/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Same inputs, same bits: scenes against the hashes in golden.inc. */

#include "golden.h"
#include "help.h"

static const uint32_t expected[][GOLDEN_POINTS] = {
#include "golden.inc"
};

static void every_run_has_hashes(void)
{
    CHECK_UINT(golden_run_count, COUNT_OF(expected));
}

/* Stops at the first step that differs: what follows only follows. */
static void check_run(uint32_t index)
{
    const golden_run *which = &golden_runs[index];
    uint32_t hashes[GOLDEN_POINTS], i;

    test_note("scene %s, setting %d", which->scene, (int)which->setting);
    if (!CHECK(golden_take(which, hashes)))
        return;
    for (i = 0; i < GOLDEN_POINTS; i++) {
        test_note("scene %s, setting %d, step %lu", which->scene,
                  (int)which->setting, (unsigned long)golden_steps[i]);
        if (!CHECK_HEX(expected[index][i], hashes[i]))
            return;
    }
}

static void hashes_are_golden(void)
{
    uint32_t i;

    for (i = 0; i < golden_run_count && i < COUNT_OF(expected); i++)
        check_run(i);
}


static const test tests[] = {
    TEST(every_run_has_hashes),
    TEST(hashes_are_golden),
    TEST_END,
};

const test_room golden_room = {"golden", tests};
