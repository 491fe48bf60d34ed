/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of RISC-V, 32 and 64 bit, machine mode: FPU, trap vector,
 * stack, .bss. */

    .section .start, "ax"
    .option arch, +zicsr
    .globl _start
_start:
#ifdef __riscv_flen
    li t0, 0x2000               /* mstatus.FS: initial */
    csrs mstatus, t0
    csrw fcsr, zero             /* round to nearest */
#endif
    la t0, trap
    csrw mtvec, t0
    la sp, port_stack_top
    la t0, port_bss_start
    la t1, port_bss_end
clear:
    bgeu t0, t1, done
    sw zero, 0(t0)
    addi t0, t0, 4
    j clear
done:
    call main
    call port_exit

    .balign 4
trap:
    la sp, port_stack_top
    la a0, trap_name
    csrr a1, mepc
    call port_fault

trap_name:
    .asciz "trap"
