/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Thirty-two bodies: a handheld game. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 32
#define VSP_MAX_PAIRS 128
#define VSP_MAX_MANIFOLDS 80
#define VSP_MAX_CONTACTS 192

#endif
