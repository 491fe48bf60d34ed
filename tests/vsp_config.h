/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of most tests: capacities for the scenes. */

#ifndef TESTS_CONFIG_H
#define TESTS_CONFIG_H

#define VSP_MERIT 1
#define VSP_SUPPORTS 1
#define VSP_SHELLS 1
#define VSP_MAX_RUNTIME_HULLS 8
#define VSP_MAX_BODIES 1024
#define VSP_MAX_PAIRS 12288
#define VSP_MAX_MANIFOLDS 6144
#define VSP_MAX_CONTACTS 20480
#ifndef VSP_LANES
#define VSP_LANES 8
#endif
#define VSP_MAX_JOINTS 1536
#define VSP_MAX_EVENTS 512
#define VSP_MAX_SENSED 256
#define VSP_MAX_TABLES 64

#endif
