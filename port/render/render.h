/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Draws pictures of a world. */

#ifndef RENDER_H
#define RENDER_H

#include "focus.h"

typedef struct render_options {
    int width, height; /* pixels */
    double azimuth;    /* degrees; 0 looks along -z, 90 along -x */
    double elevation;  /* degrees above the horizon */
    bool show_contacts;
    bool show_layers;
    bool is_movie; /* a frame of a moving picture */
} render_options;

/* Returns the defaults. */
render_options render_options_default(void);

/* Draws the world, 3 * width * height bytes, with a camera that shows `frame`.
 * Returns false if memory runs out. */
bool render_world(const vsp_world *world, const bounds *frame,
                  const render_options *options, unsigned char *rgb);

#endif
