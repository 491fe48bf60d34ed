/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The guest program: takes the golden hashes of all rows that fit into this
 * build, and prints them in the format of tests/golden.txt; the runner
 * compares.  GUEST_SCENE, a string, selects the rows of one scene, by its whole
 * name or by the part before a variant's marks (: ~ ^ @).  All steps go through
 * vsp_record_step, which the linker's --wrap replaces by
 * __wrap_vsp_record_step: it marks each step. */

#include "measure.h"
#include "port/port.h"
#include "port/scenes/golden.h"

#ifndef GUEST_SCENE
#define GUEST_SCENE ""
#endif

vsp_status __real_vsp_record_step(vsp_recorder *recorder);
vsp_status __wrap_vsp_record_step(vsp_recorder *recorder);

#if VSP_WORKERS

static void share_steps(vsp_world *world)
{
    vsp_world_set_workers(world, port_workers());
}

static void print_shares(void)
{
    port_workers_print();
}

#else

static void share_steps(vsp_world *world)
{
    (void)world;
}

static void print_shares(void)
{
}

#endif

vsp_status __wrap_vsp_record_step(vsp_recorder *recorder)
{
    vsp_status status;

    share_steps(recorder->world);
    measure_step_begin();
    status = __real_vsp_record_step(recorder);
    mark_step_end();
    return status;
}

static bool ends_name(char c)
{
    return c == '\0' || c == ':' || c == '~' || c == '^' || c == '@';
}

static bool is_wanted(const char *name)
{
    const char *wanted = GUEST_SCENE;
    uint32_t i = 0;

    while (wanted[i] && wanted[i] == name[i])
        i++;
    return i == 0 ? !wanted[0] : !wanted[i] && ends_name(name[i]);
}

/* Prints the rows of a run.  Returns false if the run failed. */
static bool print_run(const golden_run *run)
{
    char row[GOLDEN_ROW_BYTES];
    golden_taken taken;
    uint32_t i;

    if (!golden_take(run, &taken)) {
        port_text("# cannot run ");
        port_text(run->scene);
        port_text("\n");
        return false;
    }
    for (i = 0; i < taken.count; i++) {
        golden_row(run, taken.steps[i], taken.hashes[i], row);
        port_text(row);
    }
    return true;
}

int main(void)
{
    uint32_t i, refused = 0;

    measure_begin();
    for (i = 0; i < golden_run_count; i++)
        if (golden_fits(&golden_runs[i]) && is_wanted(golden_runs[i].scene))
            refused += !print_run(&golden_runs[i]);
    measure_print();
    print_shares();
    return refused ? 1 : 0;
}
