/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Paints the stack at the start, and measures its depth at the end; marks the
 * steps, in which port/plugin/count.c counts instructions. */

#include "measure.h"

#include "../port.h"

#define PAINT 0x5a17c0deu

static uint32_t steps;

__attribute__((noinline)) void mark_step_begin(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void mark_step_end(void)
{
    __asm__ volatile("");
}

void measure_step_begin(void)
{
    steps++;
    mark_step_begin();
}

/* Does not paint this function's own frame, and a margin for it. */
void measure_begin(void)
{
    volatile uint32_t here = 0;
    uintptr_t end = (uintptr_t)&here - 64u;
    uintptr_t at = (uintptr_t)port_stack_limit;

    for (; at < end; at += sizeof(uint32_t))
        *(volatile uint32_t *)at = PAINT;
}

void measure_print(void)
{
    uintptr_t limit = (uintptr_t)port_stack_limit;
    uintptr_t top = (uintptr_t)port_stack_top;
    uintptr_t at = limit;

    while (at < top && *(volatile uint32_t *)at == PAINT)
        at += sizeof(uint32_t);
    if (at == limit)
        port_fault("stack overflow", limit);
    port_text("# steps ");
    port_number(steps);
    port_text(" stack ");
    port_number((uint32_t)(top - at));
    port_text("\n");
}
