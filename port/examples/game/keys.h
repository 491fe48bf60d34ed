/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The keys of one or two players at a terminal. */

#ifndef KEYS_H
#define KEYS_H

#include "level.h"

#define KEYS_HELP                                           \
    "red: a d walk, s stop or drop, w jump, f shoot, e car" \
    "  blue: j l k i o u"

/* Takes the terminal's keys, or gives them back. */
void keys_open(void);
void keys_close(void);

/* Fills the inputs of both players for a step.  Returns false if q was
 * pressed. */
bool keys_read(unsigned char inputs[LEVEL_PLAYERS]);

#endif
