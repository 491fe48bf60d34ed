/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Finds the solid that a view shows at each pixel, and its nearness. */

#ifndef RASTER_H
#define RASTER_H

#include "port/measure/solid.h"
#include "view.h"

typedef struct raster {
    view from;
    float *near; /* 1 / depth, 1/m; 0 where there is nothing */
    int *item;   /* index of the solid; -1 where there is none; null: not
                  * wanted */
    int *part;   /* face or triangle of the solid, if it has these; null if item
                  * is */
} raster;

/* Allocates buffers for a view of this size.  Returns false if memory runs out;
 * raster_free is allowed then too. */
bool raster_create(raster *it, int width, int height, bool has_items);
void raster_free(raster *it);

/* Draws all solids except half-spaces. */
void raster_draw(raster *it, const view *from, const solid *solids, int count);

#endif
