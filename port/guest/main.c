/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The guest program: takes the golden hashes of the rows that this build has
 * room for and prints them as tests/golden.txt has them; the runner compares.
 * GUEST_SCENE, a string, picks the rows of one scene: by its whole name, or
 * by what precedes the marks of a variant (: ~ @). */

#include "../../tests/golden.h"
#include "../port.h"
#include "measure.h"

#ifndef GUEST_SCENE
#define GUEST_SCENE ""
#endif

static bool ends_name(char c)
{
    return c == '\0' || c == ':' || c == '~' || c == '@';
}

static bool is_wanted(const char *scene)
{
    const char *wanted = GUEST_SCENE;
    uint32_t i = 0;

    while (wanted[i] && wanted[i] == scene[i])
        i++;
    return i == 0 ? !wanted[0] : !wanted[i] && ends_name(scene[i]);
}

static const char *const setting_names[] = {"carry", "cold", "pyramid", "pgs",
                                            "shock"};

static void print_point(const golden_run *run, uint32_t step, uint32_t hash)
{
    port_text(run->scene);
    port_text(" ");
    port_text(setting_names[run->setting]);
    port_text(" float console ");
    port_number(step);
    port_text(" ");
    port_hex(hash, 8);
    port_text("\n");
}

static bool print_run(const golden_run *run)
{
    uint32_t hashes[GOLDEN_POINTS], i;

    if (!golden_take(run, hashes)) {
        port_text("cannot run ");
        port_text(run->scene);
        port_text("\n");
        return false;
    }
    for (i = 0; i < GOLDEN_POINTS; i++)
        print_point(run, golden_steps[i], hashes[i]);
    return true;
}

int main(void)
{
    uint32_t i, refused = 0;

    measure_begin();
    for (i = 0; i < golden_run_count; i++)
        if (is_wanted(golden_runs[i].scene))
            refused += !print_run(&golden_runs[i]);
    measure_print();
    return refused ? 1 : 0;
}
