/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of the worlds that get random calls: all features, also those
 * that are off by default, and capacities that random calls can fill. */

#ifndef WORLDS_CONFIG_H
#define WORLDS_CONFIG_H

#define VSP_MERIT 1
#define VSP_SUPPORTS 1
#define VSP_SHELLS 1
#define VSP_WORKERS 1
#define VSP__SHARES_ALL 1 /* works of any size are shared */
#define VSP_MAX_RUNTIME_HULLS 4
#define VSP_MAX_BODIES 32
#define VSP_MAX_SHAPES 48
#define VSP_MAX_PAIRS 128
#define VSP_MAX_MANIFOLDS 80
#define VSP_MAX_CONTACTS 192
#define VSP_MAX_JOINTS 16
#define VSP_MAX_TABLES 16
#ifndef VSP_LANES
#define VSP_LANES 1
#endif

#endif
