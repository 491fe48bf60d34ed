/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options of port/count on machines that have the memory: a floor with 125
 * bodies.  It leaves out the same features as template/pile.h, but keeps
 * capsules. */

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
