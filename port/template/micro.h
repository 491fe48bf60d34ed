/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two bodies: a box on a floor, in eight kilobytes. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 2
#define VSP_MAX_PAIRS 2
#define VSP_MAX_MANIFOLDS 2
#define VSP_MAX_CONTACTS 8

#endif
