/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The suites of build/tests-small, whose worlds are easily filled. */

#include "test.h"

extern const test_suite api_suite, limits_suite, validate_suite, replay_suite;
extern const test_suite table_suite, joint_api_suite;

const test_suite *const test_suites[] = {
    &api_suite,    &limits_suite, &validate_suite,
    &replay_suite, &table_suite,  &joint_api_suite,
    NULL,
};
