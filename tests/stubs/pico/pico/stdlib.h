/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stands for the header of the Pico SDK. */

#ifndef PICO_STDLIB_H
#define PICO_STDLIB_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t absolute_time_t; /* us */

bool stdio_init_all(void);
void sleep_ms(uint32_t ms);
absolute_time_t get_absolute_time(void);

static inline int64_t absolute_time_diff_us(absolute_time_t from,
                                            absolute_time_t to)
{
    return (int64_t)(to - from);
}

#endif
