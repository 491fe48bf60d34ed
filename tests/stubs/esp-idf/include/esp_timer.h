/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stands for the header of ESP-IDF. */

#ifndef ESP_TIMER_H
#define ESP_TIMER_H

#include <stdint.h>
#include <time.h>

static inline int64_t esp_timer_get_time(void)
{
    return (int64_t)clock() * 1000000 / CLOCKS_PER_SEC;
}

#endif
