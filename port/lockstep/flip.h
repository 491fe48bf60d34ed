/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Flips a bit on purpose, like a machine that computes differently: the match
 * must find the difference. */

#ifndef FLIP_H
#define FLIP_H

#include "../../vsp.h"

/* Flips a bit of the largest velocity component of all bodies from slot `first`
 * on.  Returns the slot of that body; 0 if none moves. */
uint32_t flip_bit(vsp_world *world, uint32_t first);

#endif
