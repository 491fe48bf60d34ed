/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of QEMU's 68000 machine `virt`: a terminal that accepts
 * bytes, and a controller that ends QEMU without a status. */

#include "../port.h"

#define TERMINAL (*(volatile uint32_t *)0xff008000u)
#define CONTROL (*(volatile uint32_t *)0xff009004u)
#define CONTROL_HALT 2u

void port_write(const char *bytes, uint32_t count)
{
    while (count--)
        TERMINAL = (uint8_t)*bytes++;
}

void port_exit(int status)
{
    port_exit_line(status);
    for (;;)
        CONTROL = CONTROL_HALT;
}
