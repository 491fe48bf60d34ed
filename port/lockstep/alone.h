/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The match that guests play (guest.c), on this computer and without peers. */

#ifndef ALONE_H
#define ALONE_H

#include "tally.h"

/* Plays the match for `steps` steps.  Returns false if a step was refused. */
bool alone_run(uint32_t steps, uint32_t seed, tally *seen);

#endif
