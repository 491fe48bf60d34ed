/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws pictures of a world, with anchors of joints as blue dots. */

#ifndef RENDER_H
#define RENDER_H

#include "view.h"

typedef struct render_options {
    int width, height; /* pixels */
    double azimuth;    /* degrees; 0 looks along -z, 90 along -x */
    double elevation;  /* degrees above the horizon */
    bool show_contacts;
    bool show_layers;
} render_options;

/* Returns the defaults. */
render_options render_options_default(void);

/* Returns the bounds of the picture: around all bodies that can move, and
 * static ones that are not huge. */
bounds render_bounds(const vsp_world *world);

/* Draws the world, 3 * width * height bytes, with a camera that shows `frame`.
 * Returns false if memory runs out. */
bool render_world(const vsp_world *world, const bounds *frame,
                  const render_options *options, unsigned char *rgb);

#endif
