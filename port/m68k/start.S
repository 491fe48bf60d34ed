/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of the 68000 family: vectors from address 8 up, stack, .bss.
 * An exception's frame is the status, 2 bytes, and then the address. */

    .section .start, "ax"
    .globl _start
_start:
    move.w #0x2700, %sr         | supervisor, interrupts off
    move.l #port_stack_top, %sp
    move.l #8, %a0
    move.l #0x400, %a1
vectors:
    move.l #trap, (%a0)+
    cmp.l %a1, %a0
    bcs vectors
    move.l #port_bss_start, %a0
    move.l #port_bss_end, %a1
clear:
    cmp.l %a1, %a0
    bcc cleared
    clr.l (%a0)+
    bra clear
cleared:
    jsr main
    move.l %d0, -(%sp)
    jsr port_exit

trap:
    move.l 2(%sp), %d0
    move.l #port_stack_top, %sp
    move.l %d0, -(%sp)
    move.l #trap_name, -(%sp)
    jsr port_fault

    .section .rodata
trap_name:
    .asciz "trap"
