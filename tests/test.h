/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What a test needs.  A test is a function without arguments that makes CHECKs;
 * a suite is a list of tests, one suite a file; a program is a list of suites.
 * A failed CHECK prints what failed and where, expected, got, and the command
 * that runs this test again; the test continues.
 *
 *     build/tests                      all
 *     build/tests physics.slope        one test, or all that begin so
 *     build/tests --quick              without slow tests
 *     build/tests --slow --share 1/2   every second slow test
 *     LONG=1 build/tests --slow        also those like others; longer
 *     WORKERS=4 build/tests            steps are shared by four workers
 *     build/tests --without calls,ccd  without these
 *     build/tests --list               their names */

#ifndef TEST_H
#define TEST_H

#include "../vsp.h"

typedef struct test {
    const char *name; /* null ends a list */
    void (*run)(void);
    bool is_slow;
    bool is_long; /* --slow without a name runs it only with LONG=1 in the
                   * environment, as others are like it */
} test;

typedef struct test_suite {
    const char *name;
    const test *tests;
} test_suite;

/* the suites of this program; null ends the list */
extern const test_suite *const test_suites[];

/* clang-format off */
#define TEST(function) {#function, function, false, false}
#define TEST_SLOW(function) {#function, function, true, false}
#define TEST_LONG(function) {#function, function, true, true}
#define TEST_END {NULL, NULL, false, false}
/* clang-format on */


/* ---- Checks -------------------------------------------------------------
 * Each returns whether it holds, so that a test can end when it makes no sense
 * to continue: if (!CHECK(world)) return; */

#define CHECK(condition) test_check(condition, __FILE__, __LINE__, #condition)
#define CHECK_STATUS(expected, call) \
    test_status(expected, call, __FILE__, __LINE__, #call)
#define CHECK_UINT(expected, got) \
    test_uint(expected, got, __FILE__, __LINE__, #got)
#define CHECK_HEX(expected, got) \
    test_hex(expected, got, __FILE__, __LINE__, #got)
/* |got - expected| <= tolerance; false for NaN */
#define CHECK_NEAR(expected, got, tolerance) \
    test_near(expected, got, tolerance, __FILE__, __LINE__, #got)
#define CHECK_AT_MOST(limit, got) \
    test_at_most(limit, got, __FILE__, __LINE__, #got)
#define CHECK_AT_LEAST(limit, got) \
    test_at_least(limit, got, __FILE__, __LINE__, #got)
#define CHECK_BYTES(expected, got, size) \
    test_bytes(expected, got, size, __FILE__, __LINE__, #got)

bool test_check(bool holds, const char *file, int line, const char *what);
bool test_status(vsp_status expected, vsp_status got, const char *file,
                 int line, const char *what);
bool test_uint(uint32_t expected, uint32_t got, const char *file, int line,
               const char *what);
bool test_hex(uint32_t expected, uint32_t got, const char *file, int line,
              const char *what);
bool test_near(double expected, double got, double tolerance, const char *file,
               int line, const char *what);
bool test_at_most(double limit, double got, const char *file, int line,
                  const char *what);
bool test_at_least(double limit, double got, const char *file, int line,
                   const char *what);
bool test_bytes(const void *expected, const void *got, size_t size,
                const char *file, int line, const char *what);

/* Names the subject of the next CHECKs (a scene, a step, a field), which a
 * failure prints.  Arguments as of printf; an empty text removes it. */
void test_note(const char *format, ...);

#endif
