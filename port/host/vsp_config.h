/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of the host tool: capacities for the largest scene. */

#define VSP_SUPPORTS 1
#ifndef VSP_MERIT
#define VSP_MERIT 1 /* for --merit and --trace */
#endif
#define VSP_SHELLS 1
#define VSP_WORKERS 1
#define VSP_MAX_RUNTIME_HULLS 8
#define VSP_MAX_BODIES 4096
#define VSP_MAX_SHAPES 4096
#define VSP_MAX_PAIRS 60000
#define VSP_MAX_MANIFOLDS 24000
#define VSP_MAX_CONTACTS 96000
#define VSP_MAX_JOINTS 4096
#define VSP_MAX_TABLES 64
#ifndef VSP_LANES
#define VSP_LANES 8
#endif

/* returns ns: port/host/clock.c */
#include <stdint.h>
uint32_t host_clock(void);
#define VSP_CLOCK host_clock()
