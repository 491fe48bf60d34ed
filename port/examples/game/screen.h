/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The level in a terminal, from the side: each character is two pixels, one
 * above the other.  What the world holds is drawn by vsp_world_draw. */

#ifndef SCREEN_H
#define SCREEN_H

#include "level.h"

/* Prepares the terminal, whatever its size, with a last line of text, or gives
 * it back. */
void screen_open(const char *help);
void screen_close(void);

/* Draws the level, and a line of text below it. */
void screen_show(const level_game *it, const char *text);

#endif
