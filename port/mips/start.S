/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of MIPS, 32 and 64 bit, both byte orders: FPU, vectors, stack,
 * .bss.  It runs from unmapped memory (0x80000000 up), and does not set up
 * caches, as QEMU needs none.  The nops are for MIPS I, which does not wait for
 * a coprocessor. */

    .set noreorder
    .section .start, "ax"
    .globl _start
_start:
    li $8, STATUS               /* interrupts off, vectors in RAM */
    mtc0 $8, $12
    nop
    nop
    nop
#ifdef __mips_hard_float
    ctc1 $0, $31                /* round to nearest, keep subnormals */
#endif
    li $8, 0x80000000           /* the vectors: TLB, 64-bit TLB, the rest */
    jal copy_vector
    nop
    li $8, 0x80000080
    jal copy_vector
    nop
    li $8, 0x80000180
    jal copy_vector
    nop
    la $29, port_stack_top - 64
    la $8, port_bss_start
    la $9, port_bss_end
clear:
    beq $8, $9, cleared
    nop
    sw $0, 0($8)
    b clear
    addiu $8, $8, 4
cleared:
    jal main
    nop
    jal port_exit
    move $4, $2

copy_vector:
    la $9, vector
    la $10, vector_end
1:  lw $11, 0($9)
    addiu $9, $9, 4
    sw $11, 0($8)
    bne $9, $10, 1b
    addiu $8, $8, 4
    jr $31
    nop

vector:
    la $26, trap
    jr $26
    nop
vector_end:

trap:
    la $29, port_stack_top - 64
    la $4, trap_name
    mfc0 $5, $14                /* EPC */
    jal port_fault
    nop

    .section .rodata
trap_name:
    .asciz "trap"
