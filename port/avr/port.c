/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of the ATmega2560: USART 0. avr-libc provides the start-up
 * code.  The CPU can sleep forever but not end QEMU, so the runner ends it. */

#include "../port.h"

#define UCSR0A (*(volatile uint8_t *)0xc0)
#define UCSR0B (*(volatile uint8_t *)0xc1)
#define UCSR0C (*(volatile uint8_t *)0xc2)
#define UDR0 (*(volatile uint8_t *)0xc6)
#define UDRE0 0x20u /* in UCSR0A: ready for another byte */
#define TXEN0 0x08u /* in UCSR0B: transmitter on */
#define UCSZ0 0x06u /* in UCSR0C: 8 bits */

void exit(int status);

void port_write(const char *bytes, uint32_t count)
{
    UCSR0C = UCSZ0;
    UCSR0B = TXEN0;
    while (count--) {
        while (!(UCSR0A & UDRE0))
            continue;
        UDR0 = (uint8_t)*bytes++;
    }
}

void port_exit(int status)
{
    port_exit_line(status);
    __asm__ volatile("cli\n\tsleep");
    for (;;)
        continue;
}

/* Called by the start-up code after main. */
void exit(int status)
{
    port_exit(status);
}
