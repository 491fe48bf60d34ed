/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws selected scenes. */

#ifndef GALLERY_H
#define GALLERY_H

#include "port/measure/simulation.h"

/* Draws selected scenes into a directory, some or all, and prints a line for
 * each.  Returns false, and prints why on stderr, if something failed. */
bool gallery_draw(const char *directory, const simulation_options *simulation,
                  bool is_whole);

/* Writes index.html, a page that shows the same pictures with captions, and the
 * picture of build/lockstep if it is there.  Returns as gallery_draw. */
bool gallery_write_page(const char *directory, bool is_whole);

#endif
