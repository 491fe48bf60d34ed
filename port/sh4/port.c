/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of QEMU's SH4 board `r2d`: the CPU's second serial port, and
 * a switch that ends QEMU without a status. */

#include "../port.h"

#define SERIAL_CONTROL (*(volatile uint16_t *)0xffe80008u)
#define SERIAL_DATA (*(volatile uint8_t *)0xffe8000cu)
#define SERIAL_STATUS (*(volatile uint16_t *)0xffe80010u)
#define SERIAL_TRANSMIT 0x30u
#define SERIAL_IS_EMPTY 0x20u
#define SERIAL_SENT 0x60u /* write 0 to these before the next byte */
#define POWER_OFF (*(volatile uint16_t *)0xa4000030u)

void port_write(const char *bytes, uint32_t count)
{
    SERIAL_CONTROL = SERIAL_TRANSMIT;
    while (count--) {
        while (!(SERIAL_STATUS & SERIAL_IS_EMPTY))
            continue;
        SERIAL_DATA = (uint8_t)*bytes++;
        SERIAL_STATUS = (uint16_t)(SERIAL_STATUS & ~SERIAL_SENT);
    }
}

void port_exit(int status)
{
    port_exit_line(status);
    for (;;)
        POWER_OFF = 1;
}
