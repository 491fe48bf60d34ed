/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A mistake to be found, as of a machine that computes otherwise. */

#ifndef FLIP_H
#define FLIP_H

#include "../../vsp.h"

/* Flips one bit of the velocity along x of the body that goes fastest along
 * it: some millimetres a second.  Returns the slot of the body. */
uint32_t flip_bit(vsp_world *world);

#endif
