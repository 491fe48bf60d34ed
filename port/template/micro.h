/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Two bodies: a box on a floor. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 2
#define VSP_MAX_PAIRS 2
#define VSP_MAX_MANIFOLDS 2
#define VSP_MAX_CONTACTS 8

/* features left out */
#define VSP_CAPSULES 0
#define VSP_ROUNDS 0
#define VSP_ROLLING 0
#define VSP_HULLS 0
#define VSP_MESHES 0
#define VSP_HEIGHT_FIELDS 0
#define VSP_SDFS 0
#define VSP_EVENTS 0
#define VSP_CCD 0
#define VSP_JOINTS 0
#define VSP_SUBSPACE 0
#define VSP_MAX_TABLES 1
#define VSP_SLEEP 0

#endif
