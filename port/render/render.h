/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Pictures of a world; anchors of joints are blue dots in it. */

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

/* Writes a picture of the world, 3 * width * height bytes, from a camera that
 * shows frame.  Returns false when there is no memory. */
bool render_world(const vsp_world *world, const bounds *frame,
                  const render_options *options, unsigned char *rgb);

#endif
