/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The match of guests (guest.c), and two numbers for all of its certain states:
 * they are equal on machines that made the same states. */

#ifndef TALLY_H
#define TALLY_H

#include "game.h"

#define TALLY_DELAY 2u /* steps from an input to its effect */

/* Returns the input of a step: a function of these numbers, so the whole match
 * is one. */
unsigned char tally_input(uint32_t seed, uint32_t player, uint32_t step);

/* Start from all zero. */
typedef struct tally {
    uint32_t next;  /* step of the next state to be taken */
    uint32_t count; /* of states taken; a late machine has no older ones */
    uint32_t all;   /* of all that were */
    uint32_t late;  /* of those of the second half */
} tally;

/* Takes the states up to `last` that have become certain.  Call it before they
 * are dropped. */
void tally_take(tally *it, vsp_rollback *rollback, uint32_t last);

#endif
