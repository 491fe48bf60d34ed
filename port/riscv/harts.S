/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of two RISC-V harts.  Hart 0 starts as a machine of one; hart 1
 * gets a stack of its own, and waits until hart 0 has workers. */

    .section .start, "ax"
    .option arch, +zicsr
    .globl _start
_start:
    csrr t0, mhartid
    beqz t0, first_hart
#ifdef __riscv_flen
    li t0, 0x2000               /* mstatus.FS: initial */
    csrs mstatus, t0
    csrw fcsr, zero             /* round to nearest */
#endif
    la t0, trap
    csrw mtvec, t0
    la sp, hart_stack_top
    la t0, hart_gate            /* in .data: hart 0 clears .bss meanwhile */
closed:
    lw t1, 0(t0)
    beqz t1, closed
    fence
    call hart_work

#define _start first_hart
#include "start.S"

    .section .bss.hart_stack, "aw", @nobits
    .balign 16
    .zero 65536
hart_stack_top:
