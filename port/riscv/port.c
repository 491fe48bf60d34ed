/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of QEMU's RISC-V `virt` machine: a 16550 UART, and a
 * device that ends the emulation with a status. */

#include "../port.h"

#define UART ((volatile uint8_t *)0x10000000u)
#define UART_STATUS 5
#define UART_IS_EMPTY 0x20u

#define FINISHER (*(volatile uint32_t *)0x100000u)
#define FINISHER_PASS 0x5555u
#define FINISHER_FAIL 0x3333u

void port_write(const char *bytes, uint32_t count)
{
    while (count--) {
        while (!(UART[UART_STATUS] & UART_IS_EMPTY))
            continue;
        *UART = (uint8_t)*bytes++;
    }
}

void port_exit(int status)
{
    FINISHER = status ? (uint32_t)status << 16 | FINISHER_FAIL : FINISHER_PASS;
    for (;;)
        continue;
}
