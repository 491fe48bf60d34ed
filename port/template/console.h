/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two hundred and fifty-six bodies: an old games console, or a new one that
 * has other things to do. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 256
#define VSP_MAX_PAIRS 1536
#define VSP_MAX_MANIFOLDS 768
#define VSP_MAX_CONTACTS 2560

#endif
