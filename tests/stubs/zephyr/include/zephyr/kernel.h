/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stands for the header of Zephyr. */

#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdint.h>
#include <time.h>

static inline uint32_t k_cycle_get_32(void)
{
    return (uint32_t)clock();
}

#endif
