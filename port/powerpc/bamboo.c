/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of a PowerPC 440 evaluation board, QEMU's `bamboo`: a 16550
 * UART, at the address that the boot loader's TLB maps, and a reset, which ends
 * QEMU without a status. */

#include "../port.h"

#define UART ((volatile uint8_t *)0xef600300u)
#define UART_STATUS 5
#define UART_IS_EMPTY 0x20u /* ready for another byte */
#define UART_IS_IDLE 0x40u  /* all bytes are sent */

static void wait_for(uint8_t bits)
{
    while (!(UART[UART_STATUS] & bits))
        continue;
}

void port_write(const char *bytes, uint32_t count)
{
    while (count--) {
        wait_for(UART_IS_EMPTY);
        *UART = (uint8_t)*bytes++;
    }
}

void port_exit(int status)
{
    port_exit_line(status);
    wait_for(UART_IS_IDLE);
    __asm__ volatile("mtspr 308, %0" : : "r"(0x30000000)); /* DBCR0 */
    for (;;)
        continue;
}
