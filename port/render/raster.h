/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Finds the face that a view shows at each pixel, and its nearness. */

#ifndef RASTER_H
#define RASTER_H

#include "drawing.h"
#include "view.h"

typedef struct raster {
    view from;
    float *near; /* 1 / depth, 1/m; 0 where there is nothing */
    int *face;   /* its number; -1 where there is none; null: not wanted */
} raster;

/* Allocates buffers for a view of this size.  Returns false if memory runs out;
 * raster_free is allowed then too. */
bool raster_create(raster *it, int width, int height, bool has_faces);
void raster_free(raster *it);

void raster_draw(raster *it, const view *from, const face *faces, int count);

#endif
