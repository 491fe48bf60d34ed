/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The clock that vsp_config.h names, by which the engine measures its
 * phases. */

#define _POSIX_C_SOURCE 200809L

#include "vsp.h"

#include <time.h>

/* for configs other than vsp_config.h */
uint32_t host_clock(void);

/* Returns nanoseconds; they wrap after 4 s. */
uint32_t host_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)now.tv_sec * 1000000000u + (uint32_t)now.tv_nsec;
}
