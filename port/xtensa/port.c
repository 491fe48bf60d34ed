/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of QEMU's Xtensa machine `sim`: the simcall instruction,
 * operation in a2, arguments from a3 on. */

#include "../port.h"

#define CALL_EXIT 1
#define CALL_WRITE 4
#define STDOUT 1

static void call_host(uint32_t operation, uint32_t first, uint32_t second,
                      uint32_t third)
{
    register uint32_t a2 __asm__("a2") = operation;
    register uint32_t a3 __asm__("a3") = first;
    register uint32_t a4 __asm__("a4") = second;
    register uint32_t a5 __asm__("a5") = third;

    __asm__ volatile(".byte 0x00, 0x51, 0x00" /* simcall */
                     : "+r"(a2), "+r"(a3)
                     : "r"(a4), "r"(a5)
                     : "memory");
}

void port_write(const char *bytes, uint32_t count)
{
    call_host(CALL_WRITE, STDOUT, (uint32_t)bytes, count);
}

void port_exit(int status)
{
    for (;;)
        call_host(CALL_EXIT, (uint32_t)status, 0, 0);
}
