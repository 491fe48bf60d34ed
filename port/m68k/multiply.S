/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* uint32_t __mulsi3(uint32_t a, uint32_t b): gcc calls it on a 68000, whose CPU
 * multiplies only 16 by 16 bits. */

    .text
    .globl __mulsi3
__mulsi3:
    move.w 4(%sp), %d0          | upper half of a, lower of b
    mulu.w 10(%sp), %d0
    move.w 6(%sp), %d1          | lower half of a, upper of b
    mulu.w 8(%sp), %d1
    add.w %d1, %d0
    swap %d0
    clr.w %d0
    move.w 6(%sp), %d1          | lower halves
    mulu.w 10(%sp), %d1
    add.l %d1, %d0
    rts
