/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What guests play (guest.c), and two numbers that stand for all certain
 * states of it: equal on machines that made the same ones. */

#ifndef TALLY_H
#define TALLY_H

#include "game.h"

#define TALLY_DELAY 2u /* steps from an input to where it acts */

/* Returns the input that acts in a step: a function of these numbers, so that
 * the match is one. */
unsigned char tally_input(uint32_t seed, uint32_t player, uint32_t step);

/* Start from all zero. */
typedef struct tally {
    uint32_t next;  /* step of the next state to be taken */
    uint32_t count; /* of states taken: one that joins late has no older ones */
    uint32_t all;   /* of all that were */
    uint32_t late;  /* of those of the second half */
} tally;

/* Takes the states up to `last` that have become certain.  Call it before they
 * are dropped. */
void tally_take(tally *it, vsp_rollback *rollback, uint32_t last);

#endif
