/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Options of this game: 32 bodies, boxes and balls alone.  The linker drops
 * functions that it does not call. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_MAX_BODIES 32
#define VSP_MAX_PAIRS 128
#define VSP_MAX_MANIFOLDS 80
#define VSP_MAX_CONTACTS 192

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

#endif
