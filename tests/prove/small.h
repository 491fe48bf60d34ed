/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The options for proofs of memory access in readers: each capacity is the
 * smallest that still makes a difference. */

#ifndef PROVE_SMALL_H
#define PROVE_SMALL_H

#define VSP_MAX_BODIES 2
#define VSP_MAX_SHAPES 3
#define VSP_MAX_PAIRS 2
#define VSP_MAX_MANIFOLDS 2
#define VSP_MAX_CONTACTS 4
#define VSP_MAX_JOINTS 2
#define VSP_MAX_TABLES 2
#define VSP_MAX_EVENTS 2
#define VSP_MAX_SENSED 2

#endif
