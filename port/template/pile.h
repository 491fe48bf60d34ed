/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Eleven bodies: a floor and ten boxes on top of each other, in 16 KB of RAM
 * including the stack of the program.  There are no pairs left for a box that
 * falls beside the others. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 11
#define VSP_MAX_PAIRS 10
#define VSP_MAX_MANIFOLDS 10
#define VSP_MAX_CONTACTS 40

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
