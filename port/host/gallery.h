/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws selected scenes. */

#ifndef GALLERY_H
#define GALLERY_H

#include "port/measure/simulation.h"

/* Draws selected scenes into a directory, some or all, and writes index.html, a
 * page that shows them with captions.  Returns false, and prints why on stderr,
 * if something failed. */
bool draw_gallery(const char *directory, const simulation_options *simulation,
                  bool is_whole);

#endif
