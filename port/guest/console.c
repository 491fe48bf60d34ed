/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Printing without a libc, and the two ends of a run. */

#include "../port.h"

void port_text(const char *text)
{
    uint32_t count = 0;

    while (text[count])
        count++;
    port_write(text, count);
}

void port_number(uint32_t number)
{
    char digits[10];
    uint32_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + number % 10u);
        number /= 10u;
    } while (number);
    port_write(digits + at, (uint32_t)sizeof digits - at);
}

void port_hex(uint32_t number, int digits)
{
    char text[8];
    int i;

    for (i = digits; i--; number >>= 4)
        text[i] = "0123456789abcdef"[number & 15u];
    port_write(text, (uint32_t)digits);
}

void port_exit_line(int status)
{
    port_text("\nEXIT:");
    port_number((uint32_t)status);
    port_text("\n");
}

void port_fault(const char *what, uintptr_t address)
{
    port_text("\nFAULT ");
    port_text(what);
    port_text(" at 0x");
    port_hex((uint32_t)address, 8);
    port_text("\n");
    port_exit(113);
}
