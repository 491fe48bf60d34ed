/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The functions of a bare machine that the guest program calls, and those that
 * the machine's start-up code calls. docs/PORTING.md explains how to add a
 * machine. */

#ifndef PORT_H
#define PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


/* ---- Written once a machine ----------------------------------------------
 * Start-up code sets the stack, clears .bss (from port_bss_start to
 * port_bss_end), copies .data if it is loaded elsewhere, enables the FPU, and
 * calls port_exit(main()). */

/* Writes bytes to the console. */
void port_write(const char *bytes, uint32_t count);

/* Ends the run with a status, 0 to 255, 0 for success; does not return.  A
 * machine that cannot pass a status to QEMU calls port_exit_line, then
 * stops. */
void port_exit(int status);

/* Lowest address and end of the stack, from the linker script; the guest paints
 * the stack to measure its depth. */
extern uint32_t port_stack_limit[], port_stack_top[];


/* ---- Lines ----------------------------------------------------------------
 * Serial lines beside the console, numbered from 0, for machines that talk to
 * each other (port/link).  Get and put return at once; false if no byte was
 * transferred. */

void port_line_open(uint32_t line);
bool port_line_get(uint32_t line, unsigned char *byte);
bool port_line_put(uint32_t line, unsigned char byte);

/* Waits for a short time, or until a byte was received or sent. */
void port_line_wait(void);


/* ---- Cores ----------------------------------------------------------------
 * Of machines with VSP_WORKERS, and more than one core. */

/* Returns the workers of a step, one for each core.  The first call lets the
 * other cores begin. */
const struct vsp_workers *port_workers(void);

/* Prints how many tasks each core did. */
void port_workers_print(void);


/* ---- For the machine's code, in port/guest/console.c --------------------- */

/* Prints EXIT:status, at which the runner stops QEMU. */
void port_exit_line(int status);

/* Ends the run after a trap, and prints what happened at which address. */
void port_fault(const char *what, uintptr_t address);

/* Print a text; a number; digits in hexadecimal. */
void port_text(const char *text);
void port_number(uint32_t number);
void port_hex(uint32_t number, int digits);

int main(void);

#endif
