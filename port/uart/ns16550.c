/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A line by a 16550 UART at LINE_BASE, with registers LINE_STRIDE bytes apart.
 * Speed and parity are not set: an emulator ignores them. */

#include "../port.h"

#ifndef LINE_STRIDE
#define LINE_STRIDE 1
#endif

#define UART(n) (((volatile uint8_t *)LINE_BASE)[(n)*LINE_STRIDE])
#define UART_DATA UART(0)
#define UART_FIFO UART(2)
#define UART_STATUS UART(5)
#define FIFO_ON 0x07u /* also empties both FIFOs */
#define STATUS_HAS_BYTE 0x01u
#define STATUS_IS_EMPTY 0x20u /* ready for another byte */
#define LOOKS 1000u           /* register reads a millisecond, about */
#define PAUSE 200u

void port_line_open(uint32_t line)
{
    (void)line; /* there is only one */
    UART_FIFO = FIFO_ON;
}

bool port_line_get(uint32_t line, unsigned char *byte)
{
    (void)line;
    if (!(UART_STATUS & STATUS_HAS_BYTE))
        return false;
    *byte = UART_DATA;
    return true;
}

bool port_line_put(uint32_t line, unsigned char byte)
{
    (void)line;
    if (!(UART_STATUS & STATUS_IS_EMPTY))
        return false;
    UART_DATA = byte;
    return true;
}

/* Reads the UART rarely: the emulator takes a lock for each read, and the
 * thread that feeds the UART needs that lock. */
void port_line_wait(void)
{
    uint8_t before = UART_STATUS;
    volatile uint32_t pause;
    uint32_t i;

    for (i = 0; i < LOOKS && UART_STATUS == before; i++)
        for (pause = 0; pause < PAUSE; pause++)
            continue;
}
