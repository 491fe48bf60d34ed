/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Start-up code of SH4: status, FPU, vectors, stack, .bss.  It must run from
 * unmapped memory.  Code of gcc's -m4 expects the FPU in double mode at each
 * call, and switches the mode itself. */

    .section .start, "ax"
    .globl _start
_start:
    mov.l status, r0
    ldc r0, sr
    mov.l fpu_status, r0
    lds r0, fpscr
    mov.l vectors_address, r0
    ldc r0, vbr
    mov.l stack, r15
    mov.l bss_start, r0
    mov.l bss_end, r1
    mov #0, r2
clear:
    cmp/hs r1, r0
    bt cleared
    mov.l r2, @r0
    bra clear
    add #4, r0
cleared:
    mov.l main_address, r0
    jsr @r0
    nop
    mov.l exit_address, r1
    jsr @r1
    mov r0, r4

    .balign 4
status:
    .long 0x400000f0            /* privileged, traps on, interrupts off */
fpu_status:
    .long 0x00080000            /* double, to nearest, keep subnormals */
stack:
    .long port_stack_top
bss_start:
    .long port_bss_start
bss_end:
    .long port_bss_end
main_address:
    .long main
exit_address:
    .long port_exit
vectors_address:
    .long vectors

    .balign 0x100
vectors:
    .space 0x100
    bra trap                    /* 0x100: all but TLB misses */
    nop
    .space 0x2fc
    bra trap                    /* 0x400: TLB misses */
    nop
trap:
    mov.l trap_stack, r15
    mov.l trap_name_address, r4
    mov.l fault_address, r0
    jsr @r0
    stc spc, r5

    .balign 4
trap_stack:
    .long port_stack_top
trap_name_address:
    .long trap_name
fault_address:
    .long port_fault

    .section .rodata
trap_name:
    .asciz "trap"
