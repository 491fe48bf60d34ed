/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of 32-bit Arm, except Cortex-M: FPU, vectors, stack, .bss.  The
 * vector table is at address 0, where these machines have RAM, or where VBAR
 * points. */

    .section .start, "ax"
    .arm
    .globl _start
_start:
#ifdef __ARM_FP
    mrc p15, 0, r0, c1, c0, 2   @ CPACR: full access to the FPU
    orr r0, r0, #(0xf << 20)
    mcr p15, 0, r0, c1, c0, 2
    mov r0, #0
    mcr p15, 0, r0, c7, c5, 4   @ isb
    mov r0, #0x40000000
    .fpu vfpv3
    vmsr fpexc, r0
    ldr r0, =vectors
    mcr p15, 0, r0, c12, c0, 0  @ VBAR
#else
    ldr r0, =vectors
    mov r1, #0
    ldmia r0!, {r2-r9}
    stmia r1!, {r2-r9}
    ldmia r0!, {r2-r9}
    stmia r1!, {r2-r9}
#endif
    ldr sp, =port_stack_top
    ldr r0, =port_bss_start
    ldr r1, =port_bss_end
    mov r2, #0
clear:
    cmp r0, r1
    strlo r2, [r0], #4
    blo clear
    bl main
    bl port_exit

/* Semihosting is a supervisor call that QEMU answers before it reaches its
 * vector.  Any other trap enters a mode without a stack, but ends the run, so
 * it needs none. */
    .balign 32
vectors:
    ldr pc, 1f + 0
    ldr pc, 1f + 4
    ldr pc, 1f + 8
    ldr pc, 1f + 12
    ldr pc, 1f + 16
    ldr pc, 1f + 20
    ldr pc, 1f + 24
    ldr pc, 1f + 28
1:  .word trap, undefined, trap, prefetch, data, trap, trap, trap

undefined:
    ldr r0, =undefined_name
    b report
prefetch:
    ldr r0, =prefetch_name
    b report
data:
    ldr r0, =data_name
    sub lr, lr, #4
    b report
trap:
    ldr r0, =trap_name
report:
    sub r1, lr, #4
    ldr sp, =port_stack_top
    b port_fault
    .ltorg

undefined_name:
    .asciz "undefined instruction"
prefetch_name:
    .asciz "prefetch abort"
data_name:
    .asciz "data abort"
trap_name:
    .asciz "trap"
