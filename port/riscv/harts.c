/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Workers of two harts: see "Workers" in vsp.h.  The harts take the tasks of a
 * batch by an atomic ticket, the index of the next task.  Neither sleeps. */

#include "../../vsp.h"
#include "../port.h"

void hart_work(void);

/* Opens when hart 1 may work: not in .bss, which hart 0 clears. */
__attribute__((section(".data"))) uint32_t hart_gate = 0;

/* The batch at hand.  Who adds 1 to the ticket has taken a task, and may read
 * the rest: the batch does not end before that task. */
static uint32_t ticket; /* tasks * 65536 + index of the next one */
static vsp_task *batch_task;
static void *batch_work;
static uint32_t done; /* tasks that have returned */

static uint32_t tasks_of[2]; /* that each hart did */

static bool has_task(uint32_t word)
{
    return (word & 0xffffu) < word >> 16;
}

static void do_tasks(uint32_t hart)
{
    while (has_task(__atomic_load_n(&ticket, __ATOMIC_RELAXED))) {
        uint32_t mine = __atomic_fetch_add(&ticket, 1, __ATOMIC_ACQ_REL);

        if (!has_task(mine))
            return;
        batch_task(batch_work, mine & 0xffffu);
        tasks_of[hart]++;
        __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
    }
}

/* What hart 1 does. */
void hart_work(void)
{
    for (;;)
        do_tasks(1);
}

/* vsp_workers.run */
static void run_on_harts(void *context, vsp_task *task, void *work,
                         uint32_t count)
{
    (void)context;
    batch_task = task;
    batch_work = work;
    __atomic_store_n(&done, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&ticket, count << 16, __ATOMIC_RELEASE);
    do_tasks(0);
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < count)
        continue;
}

const vsp_workers *port_workers(void)
{
    static const vsp_workers harts = {run_on_harts, NULL, 2};

    __atomic_store_n(&hart_gate, 1, __ATOMIC_RELEASE);
    return &harts;
}

void port_workers_print(void)
{
    port_text("# tasks of hart 0 ");
    port_number(tasks_of[0]);
    port_text(" hart 1 ");
    port_number(tasks_of[1]);
    port_text("\n");
}
