/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Template of a port: copy this file to port/YOURS/port.c and read
 * docs/PORTING.md.  The engine itself needs no port; with these functions the
 * guest program shows that it computes the same bits on your machine. */

#include "../port.h"

/* First and end address of .bss, from the linker script. */
extern uint32_t port_bss_start[], port_bss_end[];

void start_program(void);

void port_write(const char *bytes, uint32_t count)
{
    while (count--) {
        /* Wait until the UART can take a byte; then write *bytes to it. */
        bytes++;
    }
}

void port_exit(int status)
{
    /* Pass the status to the emulator, if it accepts one.  If not, print it,
     * and put `end=line` into port/targets. */
    port_exit_line(status);
    for (;;)
        continue;
}

/* Entry point.  The stack must exist: set the stack pointer to port_stack_top
 * before, in assembly or in the vector table. */
void start_program(void)
{
    uint32_t *word;

    /* Enable the FPU, if it is off after reset.  Rounding must be to nearest
     * even; subnormals may be flushed or not. */

    /* Copy .data, if its load address is not its run address. */

    for (word = port_bss_start; word < port_bss_end; word++)
        *word = 0;
    port_exit(main());
}
