/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of 64-bit Arm at exception level 1: FPU, vectors, stack,
 * .bss. */

    .section .start, "ax"
    .globl _start
_start:
    mov x0, #(3 << 20)          /* CPACR: FPU instructions do not trap */
    msr cpacr_el1, x0
    ldr x0, =vectors
    msr vbar_el1, x0
    isb
    ldr x0, =port_stack_top
    mov sp, x0
    ldr x0, =port_bss_start
    ldr x1, =port_bss_end
clear:
    cmp x0, x1
    b.hs done
    str xzr, [x0], #8
    b clear
done:
    bl main
    bl port_exit

trap:
    ldr x0, =port_stack_top
    mov sp, x0
    ldr x0, =trap_name
    mrs x1, elr_el1
    b port_fault
    .ltorg

/* sixteen entries of 128 bytes, all the same */
    .balign 2048
vectors:
    .rept 16
    b trap
    .balign 128
    .endr

trap_name:
    .asciz "exception"
