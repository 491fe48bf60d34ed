/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Eight bodies: a puzzle on a microcontroller. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 8
#define VSP_MAX_PAIRS 24
#define VSP_MAX_MANIFOLDS 16
#define VSP_MAX_CONTACTS 32

#endif
