/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of QEMU's MIPS machines: the Unified Hosting Interface, a
 * debug trap (sdbbp 1) with the operation in $25 and its arguments from $4 up.
 * In n32 a register is twice as wide as a pointer. */

#include "../port.h"

#define UHI_EXIT 1
#define UHI_WRITE 5
#define STDOUT 1

static void call_host(long operation, long first, long second, long third)
{
    register long r25 __asm__("$25") = operation;
    register long r4 __asm__("$4") = first;
    register long r5 __asm__("$5") = second;
    register long r6 __asm__("$6") = third;
    register long r2 __asm__("$2") = 1; /* a host call */

    __asm__ volatile(".word 0x7000007f" /* sdbbp 1, which the assembler refuses
                                         * for MIPS I */
                     : "+r"(r2), "+r"(r4), "+r"(r25)
                     : "r"(r5), "r"(r6)
                     : "memory", "$3");
}

void port_write(const char *bytes, uint32_t count)
{
    call_host(UHI_WRITE, STDOUT, (long)(intptr_t)bytes, (long)count);
}

void port_exit(int status)
{
    for (;;)
        call_host(UHI_EXIT, status, 0, 0);
}
