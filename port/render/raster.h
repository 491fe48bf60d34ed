/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Finds which solid a view sees at each pixel, and how near it is. */

#ifndef RASTER_H
#define RASTER_H

#include "port/measure/solid.h"
#include "view.h"

typedef struct raster {
    view from;
    float *near; /* 1 / depth, 1/m; 0 where nothing is */
    int *item;   /* number of the solid, -1 where there is none; null if not
                  * wanted */
    int *part;   /* face or triangle of the solid, if it has such; null with
                  * item */
} raster;

/* Takes memory for a view of this size.  Returns false if there is none;
 * raster_free is then still allowed. */
bool raster_create(raster *it, int width, int height, bool has_items);
void raster_free(raster *it);

/* Draws all solids but half-spaces. */
void raster_draw(raster *it, const view *from, const solid *solids, int count);

#endif
