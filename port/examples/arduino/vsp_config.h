/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Options of this sketch, for a board with 8 KB of RAM and no FPU: fixed point,
 * two bodies, and nothing that they do not need.  vsp.h explains each. */

#ifndef VSP_CONFIG_H
#define VSP_CONFIG_H

#define VSP_FIXED 1
#define VSP_MAX_BODIES 2
#define VSP_MAX_PAIRS 2
#define VSP_MAX_MANIFOLDS 2
#define VSP_MAX_CONTACTS 8

/* features left out; without CARRY the stepper is PGS */
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
#define VSP_CARRY 0
#define VSP_SHOCK 0
#define VSP_PYRAMID 0
#define VSP_QUERIES 0
#define VSP_REPLAY 0
#define VSP_DIFF 0

#endif
