/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of all Cortex-M: the vector table, reset, faults. */

#include "../port.h"

extern uint32_t port_data_start[], port_data_end[], port_data_load[];
extern uint32_t port_bss_start[], port_bss_end[];

void start_reset(void);
void start_fault(void);
void start_report(const uint32_t *frame);

typedef void (*handler)(void);

/* The initial stack pointer; reset, NMI, the four faults; and exceptions that
 * never happen here. */
__attribute__((section(".vectors"), used)) static const handler vectors[16] = {
    (handler)(uintptr_t)port_stack_top,
    start_reset,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
    start_fault,
};

/* Reports a fault, given the frame that the exception pushed: r0-r3, r12, lr,
 * pc, xpsr. */
__attribute__((used)) void start_report(const uint32_t *frame)
{
    port_fault("exception", frame[6]);
}

__attribute__((naked)) void start_fault(void)
{
    __asm__ volatile("mrs r0, msp\n\t"
                     "ldr r1, =start_report\n\t"
                     "bx r1\n\t"
                     ".ltorg");
}

/* Sets CPACR: full access to coprocessors 10 and 11. */
#if defined __ARM_FP
static void enable_fpu(void)
{
    *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}
#else
static void enable_fpu(void)
{
}
#endif

void start_reset(void)
{
    uint32_t *to, *from = port_data_load;

    enable_fpu();
    for (to = port_data_start; to < port_data_end; to++)
        *to = *from++;
    for (to = port_bss_start; to < port_bss_end; to++)
        *to = 0;
    port_exit(main());
}
