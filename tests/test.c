/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Runs the tests of a program: the checks, the choice of tests by the
 * command line, and main. */

#include "test.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* enough to see a pattern: a loop can fail a thousand times */
#define MAX_REPORTS 5

static const char *program;
static const char *suite_name;
static const char *test_name;
static char note[200];
static uint32_t test_failures;


/* ---- Checks ------------------------------------------------------------- */

/* Begins the report of a failed check.  Returns false beyond MAX_REPORTS. */
static bool begin_report(const char *file, int line, const char *what)
{
    test_failures++;
    if (test_failures == MAX_REPORTS + 1)
        printf("    ... and more\n");
    if (test_failures > MAX_REPORTS)
        return false;
    printf("%s:%d: %s.%s: %s\n", file, line, suite_name, test_name, what);
    if (note[0])
        printf("    at %s\n", note);
    return true;
}

static void say_rerun(void)
{
    printf("    rerun: %s %s.%s\n", program, suite_name, test_name);
}

bool test_check(bool holds, const char *file, int line, const char *what)
{
    if (!holds && begin_report(file, line, what)) {
        printf("    expected true, got false\n");
        say_rerun();
    }
    return holds;
}

bool test_status(vsp_status expected, vsp_status got, const char *file,
                 int line, const char *what)
{
    if (got != expected && begin_report(file, line, what)) {
        printf("    expected %s, got %s\n", vsp_status_name(expected),
               vsp_status_name(got));
        say_rerun();
    }
    return got == expected;
}

bool test_uint(uint32_t expected, uint32_t got, const char *file, int line,
               const char *what)
{
    if (got != expected && begin_report(file, line, what)) {
        printf("    expected %lu, got %lu\n", (unsigned long)expected,
               (unsigned long)got);
        say_rerun();
    }
    return got == expected;
}

bool test_hex(uint32_t expected, uint32_t got, const char *file, int line,
              const char *what)
{
    if (got != expected && begin_report(file, line, what)) {
        printf("    expected 0x%08lx, got 0x%08lx\n", (unsigned long)expected,
               (unsigned long)got);
        say_rerun();
    }
    return got == expected;
}

/* Prints a number that a check compares, if SHOW=all. */
static void show_number(const char *what, double got, const char *sign,
                        double limit)
{
    const char *shown = getenv("SHOW");

    if (shown && strcmp(shown, "all") == 0)
        printf("%s.%s: %s: %.9g, %s %.9g%s%s\n", suite_name, test_name, what,
               got, sign, limit, note[0] ? " at " : "", note);
}

bool test_near(double expected, double got, double tolerance, const char *file,
               int line, const char *what)
{
    bool holds = fabs(got - expected) <= tolerance;

    show_number(what, got, "of", expected);
    if (!holds && begin_report(file, line, what)) {
        printf("    expected %.9g within %.3g, got %.9g\n", expected, tolerance,
               got);
        say_rerun();
    }
    return holds;
}

bool test_at_most(double limit, double got, const char *file, int line,
                  const char *what)
{
    bool holds = got <= limit;

    show_number(what, got, "at most", limit);
    if (!holds && begin_report(file, line, what)) {
        printf("    expected at most %.9g, got %.9g\n", limit, got);
        say_rerun();
    }
    return holds;
}

bool test_at_least(double limit, double got, const char *file, int line,
                   const char *what)
{
    bool holds = got >= limit;

    show_number(what, got, "at least", limit);
    if (!holds && begin_report(file, line, what)) {
        printf("    expected at least %.9g, got %.9g\n", limit, got);
        say_rerun();
    }
    return holds;
}

bool test_bytes(const void *expected, const void *got, size_t size,
                const char *file, int line, const char *what)
{
    const unsigned char *a = expected, *b = got;
    size_t i = 0;

    while (i < size && a[i] == b[i])
        i++;
    if (i < size && begin_report(file, line, what)) {
        printf(
            "    expected equal bytes, got 0x%02x, not 0x%02x, at byte %lu\n",
            b[i], a[i], (unsigned long)i);
        say_rerun();
    }
    return i == size;
}

void test_note(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
}


/* ---- Which tests -------------------------------------------------------- */

typedef struct choice {
    const char *prefix;  /* beginning of suite.test; null: all */
    const char *without; /* beginnings to leave out, separated by commas; null:
                          * none */
    bool skip_slow, skip_quick, only_list, show_times;
    uint32_t share, shares; /* run every shares-th test, beginning with number
                             * `share` */
    uint32_t seen;          /* tests that match, before the share is taken */
} choice;

static int usage(void)
{
    fprintf(stderr,
            "usage: %s [--quick | --slow] [--share N/OF] [--list] "
            "[--times] [--without SUITE[.TEST],...] [SUITE[.TEST]]\n",
            program);
    return 2;
}

static bool read_share(choice *c, const char *text)
{
    char *end;

    if (!text)
        return false;
    c->share = (uint32_t)strtoul(text, &end, 10);
    if (*end != '/')
        return false;
    c->shares = (uint32_t)strtoul(end + 1, &end, 10);
    return *end == 0 && c->share >= 1 && c->share <= c->shares;
}

static bool read_arguments(choice *c, int count, char **arguments)
{
    int i;

    for (i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "--quick"))
            c->skip_slow = true;
        else if (!strcmp(arguments[i], "--slow"))
            c->skip_quick = true;
        else if (!strcmp(arguments[i], "--list"))
            c->only_list = true;
        else if (!strcmp(arguments[i], "--times"))
            c->show_times = true;
        else if (!strcmp(arguments[i], "--share")) {
            if (!read_share(c, i + 1 < count ? arguments[++i] : NULL))
                return false;
        } else if (!strcmp(arguments[i], "--without") && i + 1 < count)
            c->without = arguments[++i];
        else if (arguments[i][0] != '-' && !c->prefix)
            c->prefix = arguments[i];
        else
            return false;
    }
    return true;
}

/* Returns whether a name begins with one of a list. */
static bool is_listed(const char *list, const char *name)
{
    while (list) {
        size_t length = strcspn(list, ",");

        if (length > 0 && strncmp(name, list, length) == 0)
            return true;
        list = list[length] ? list + length + 1 : NULL;
    }
    return false;
}

static bool is_chosen(choice *c, const test_suite *suite, const test *t)
{
    char name[200];

    if (t->is_slow ? c->skip_slow : c->skip_quick)
        return false;
    if (t->is_long && c->skip_quick && !c->prefix && !getenv("LONG"))
        return false;
    snprintf(name, sizeof name, "%s.%s", suite->name, t->name);
    if (c->prefix && strncmp(name, c->prefix, strlen(c->prefix)) != 0)
        return false;
    if (is_listed(c->without, name))
        return false;
    return c->seen++ % c->shares == c->share - 1;
}


/* ---- Main --------------------------------------------------------------- */

/* Runs a test, and shows the processor's time for it if asked. */
static bool run_test(const test_suite *suite, const test *t, bool show_time)
{
    clock_t begin = clock();

    suite_name = suite->name;
    test_name = t->name;
    test_failures = 0;
    note[0] = 0;
    t->run();
    if (show_time)
        printf("%6.2f s %s.%s\n", (double)(clock() - begin) / CLOCKS_PER_SEC,
               suite->name, t->name);
    fflush(stdout);
    return test_failures == 0;
}

int main(int count, char **arguments)
{
    choice chosen = {NULL, NULL, false, false, false, false, 1, 1, 0};
    unsigned passed = 0, failed = 0;
    const test_suite *const *suite;
    const test *t;

    program = arguments[0];
    if (!read_arguments(&chosen, count, arguments))
        return usage();
    for (suite = test_suites; *suite; suite++)
        for (t = (*suite)->tests; t->name; t++) {
            if (!is_chosen(&chosen, *suite, t))
                continue;
            if (chosen.only_list)
                printf("%s.%s\n", (*suite)->name, t->name);
            else if (run_test(*suite, t, chosen.show_times))
                passed++;
            else
                failed++;
        }
    if (chosen.only_list)
        return 0;
    if (passed + failed == 0)
        fprintf(stderr, "%s: no test has this name\n", program);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
