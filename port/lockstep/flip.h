/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A mistake to be found: flips the lowest bit of the velocity of a body along
 * x, as a machine that computes otherwise would. */

#ifndef FLIP_H
#define FLIP_H

#include "../../vsp.h"

void flip_bit(vsp_world *world, uint32_t slot);

#endif
