/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of port/count on machines with enough memory: a floor and 125
 * bodies.  The same features are left out as in template/pile.h, but not
 * capsules. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 126
#define VSP_MAX_PAIRS 2000
#define VSP_MAX_MANIFOLDS 500
#define VSP_MAX_CONTACTS 1000

/* features left out */
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
