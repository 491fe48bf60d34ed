/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A console for the RP2040 of port/rp2040/run.mjs, and its clock at 125 MHz.
 * A pause ends the program. */

#include "../../../port/port.h"
#include "pico/stdlib.h"
#include "stdio.h"

#include <stdarg.h>

#define SYS_ELAPSED 0x30

bool stdio_init_all(void)
{
    return true;
}

void sleep_ms(uint32_t ms)
{
    (void)ms;
    port_exit(0);
}

absolute_time_t get_absolute_time(void)
{
    uint32_t cycles;
    register uintptr_t r0 __asm__("r0") = SYS_ELAPSED;
    register uint32_t *r1 __asm__("r1") = &cycles;

    __asm__ volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory");
    return cycles / 125u;
}

/* Knows %08lx and %lu alone, and text. */
int printf(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    for (; *format; format++) {
        if (*format != '%') {
            port_write(format, 1);
        } else if (format[1] == '0') {
            port_hex(va_arg(arguments, unsigned long), 8);
            format += 4;
        } else {
            port_number(va_arg(arguments, unsigned long));
            format += 2;
        }
    }
    va_end(arguments);
    return 0;
}
