/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of port/count where a machine has the memory: a floor with 125
 * bodies.  What it leaves out is what template/pile.h does, but capsules. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 126
#define VSP_MAX_PAIRS 2000
#define VSP_MAX_MANIFOLDS 500
#define VSP_MAX_CONTACTS 1000

/* what it leaves out */
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
