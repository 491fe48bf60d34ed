/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Lines by the UARTs of Arm's Cortex-M prototyping boards, MPS2.  Interrupts
 * stay masked, and only wake up the CPU. */

#include "../port.h"

#define UART(line, offset) \
    (*(volatile uint32_t *)(0x40004000u + 0x1000u * (line) + (offset)))
#define UART_DATA(line) UART(line, 0x00u)
#define UART_STATUS(line) UART(line, 0x04u)
#define UART_CONTROL(line) UART(line, 0x08u)
#define UART_INTERRUPT(line) UART(line, 0x0cu)
#define UART_DIVIDER(line) UART(line, 0x10u)
#define STATUS_IS_FULL 1u
#define STATUS_HAS_BYTE 2u
#define CONTROL_ON 0x0fu /* both directions, with interrupts */
#define DIVIDER_LEAST 16u

/* The timer and the interrupts: 2 line + 0 for a received byte, + 1 for a sent
 * one. */
#define SYSTEM(offset) (*(volatile uint32_t *)(0xe000e000u + (offset)))
#define TICK_CONTROL SYSTEM(0x010u)
#define TICK_RELOAD SYSTEM(0x014u)
#define TICK_ON 7u
#define TICKS 25000u /* timer ticks of a millisecond */
#define ENABLE SYSTEM(0x100u)
#define UNPEND SYSTEM(0x280u)
#define CONTROL SYSTEM(0xd04u)
#define UNPEND_TICK 0x02000000u

void port_line_open(uint32_t line)
{
    UART_DIVIDER(line) = DIVIDER_LEAST;
    UART_CONTROL(line) = CONTROL_ON;
    __asm__ volatile("cpsid i");
    ENABLE = 3u << 2u * line;
    TICK_RELOAD = TICKS;
    TICK_CONTROL = TICK_ON;
}

bool port_line_get(uint32_t line, unsigned char *byte)
{
    if (!(UART_STATUS(line) & STATUS_HAS_BYTE))
        return false;
    *byte = (unsigned char)UART_DATA(line);
    return true;
}

bool port_line_put(uint32_t line, unsigned char byte)
{
    if (UART_STATUS(line) & STATUS_IS_FULL)
        return false;
    UART_DATA(line) = byte;
    return true;
}

void port_line_wait(void)
{
    __asm__ volatile("dsb\n\twfi" ::: "memory");
    UART_INTERRUPT(0) = 3u;
    UART_INTERRUPT(1) = 3u;
    UNPEND = 0x0fu;
    CONTROL = UNPEND_TICK;
}
