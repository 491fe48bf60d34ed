/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A new machine, to be filled in: copy this file to port/YOURS/port.c and
 * read docs/PORTING.md.  The engine itself needs none of this; these functions
 * let the guest program show that it computes the same bits there. */

#include "../port.h"

/* The linker script says where these are. */
extern uint32_t port_bss_start[], port_bss_end[];

void start_program(void);

void port_write(const char *bytes, uint32_t count)
{
    while (count--) {
        /* Wait until the UART can take a byte; then give it *bytes. */
        bytes++;
    }
}

void port_exit(int status)
{
    /* Hand the status to the emulator, if it takes one.  If not, print it,
     * and say `end=line` in port/targets. */
    port_exit_line(status);
    for (;;)
        continue;
}

/* Where the machine begins, once there is a stack: set the stack pointer to
 * port_stack_top before this, in assembly or by the vector table. */
void start_program(void)
{
    uint32_t *word;

    /* Enable the FPU, if it is off after reset.  Rounding must be to nearest
     * even; subnormals may be flushed or not. */

    /* Copy .data, if it is loaded to another place than it lives at. */

    for (word = port_bss_start; word < port_bss_end; word++)
        *word = 0;
    port_exit(main());
}
