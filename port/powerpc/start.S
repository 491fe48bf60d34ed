/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of 32-bit PowerPC: vectors, FPU, stack, .bss.  On all but the
 * 4xx, vectors are from address 0x100 up, 0x100 apart; each is one branch to
 * the same code. */

#define SRR0 26
#define DBCR0 308
#define IVPR 63
#define IVOR0 400

    .section .start, "ax"
    .globl _start
_start:
    li 3, 0x1000
    lis 4, jump@ha
    lwz 5, jump@l(4)
    li 4, 0x100
vectors:
    stw 5, 0(4)
    addi 4, 4, 0x100
    cmplw 4, 3
    ble vectors
#ifdef BOOK_E
    li 4, 0                     /* each vector has its own register */
    mtspr IVPR, 4
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    li 4, 0x100 * \n + 0x100
    mtspr IVOR0 + \n, 4
    .endr
    li 4, 0x2000                /* FPU on */
#else
    li 4, 0x2000                /* FPU on, vectors in RAM */
#endif
    mtmsr 4
    isync
    lis 3, zero@ha
    lfd 0, zero@l(3)
    mtfsf 0xff, 0               /* round to nearest, keep subnormals */
    lis 1, port_stack_top@ha
    addi 1, 1, port_stack_top@l
    addi 1, 1, -32
    lis 3, port_bss_start@ha
    addi 3, 3, port_bss_start@l
    lis 4, port_bss_end@ha
    addi 4, 4, port_bss_end@l
    li 5, 0
clear:
    cmplw 3, 4
    bge cleared
    stw 5, 0(3)
    addi 3, 3, 4
    b clear
cleared:
    bl main
    bl port_exit

jump:
    ba trap
trap:
    lis 1, port_stack_top@ha
    addi 1, 1, port_stack_top@l
    addi 1, 1, -32
    lis 3, trap_name@ha
    addi 3, 3, trap_name@l
    mfspr 4, SRR0
    bl port_fault

    .section .rodata
    .balign 8
zero:
    .long 0, 0
trap_name:
    .asciz "trap"
