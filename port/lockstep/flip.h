/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A wrong bit on purpose, as from a machine that computes differently: the
 * match must find it. */

#ifndef FLIP_H
#define FLIP_H

#include "../../vsp.h"

/* Flips a bit of the largest velocity along an axis, among the bodies from this
 * slot on.  Returns the slot of the body, 0 when none moves. */
uint32_t flip_bit(vsp_world *world, uint32_t first);

#endif
