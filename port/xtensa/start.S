/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of Xtensa without register windows: vectors, stack, .bss. */

    .section .start, "ax"
    .globl _start
_start:
    j begin
    .balign 4
    .literal_position
begin:
    movi a2, vectors
    wsr a2, vecbase
    movi a2, 0                  /* exceptions are those of level 0 */
    wsr a2, ps
    rsync
    movi a1, port_stack_top
    movi a2, port_bss_start
    movi a3, port_bss_end
    movi a4, 0
clear:
    bgeu a2, a3, cleared
    s32i a4, a2, 0
    addi a2, a2, 4
    j clear
cleared:
    movi a0, main
    callx0 a0
    movi a0, port_exit
    callx0 a0

trap:
    movi a1, port_stack_top
    movi a2, trap_name
    rsr a3, epc1
    movi a0, port_fault
    callx0 a0

    .section .start.vectors, "ax" /* a jump away from .start */
    .balign 0x100
vectors:
    j trap
    .org vectors + 0x30         /* in supervisor mode */
    j trap
    .org vectors + 0x50         /* in user mode */
    j trap
    .org vectors + 0x70         /* in an exception */
    j trap

    .section .rodata
trap_name:
    .asciz "trap"
