/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Inputs of the match of guests (guest.c), and two sums over all of its certain
 * states, which are equal on machines that made the same states. */

#ifndef TALLY_H
#define TALLY_H

#include "game.h"

#define TALLY_DELAY 2u /* steps from an input to its effect */

/* Returns the input of a step, a function of the arguments alone, so that the
 * match has no other input. */
unsigned char tally_input(uint32_t seed, uint32_t player, uint32_t step);

/* Before use set everything to zero. */
typedef struct tally {
    uint32_t next;  /* step of the next state to add */
    uint32_t count; /* states added; a late machine lacks the older ones */
    uint32_t all;   /* sum of all states */
    uint32_t late;  /* sum of the states of the second half */
} tally;

/* Adds the states up to `last` that have become certain.  Call it before the
 * rollback drops them. */
void tally_take(tally *it, vsp_rollback *rollback, uint32_t last);

#endif
