/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of programs that read hostile bytes: all features, and the
 * capacities of the smallest class whose scenes make random calls. */

#ifndef FUZZ_FULL_CONFIG_H
#define FUZZ_FULL_CONFIG_H

#define VSP_SHELLS 1

#define VSP_MAX_BODIES 8
#define VSP_MAX_PAIRS 24
#define VSP_MAX_MANIFOLDS 16
#define VSP_MAX_CONTACTS 32

#endif
