/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Solids in convex pieces, as tables: vsp_broken of vsp.h. */

#ifndef FRACTURE_H
#define FRACTURE_H

#include "hull.h"
#include "polyhedron.h"

#define FRACTURE_MAX 1000    /* pieces */
#define FRACTURE_EXCESS 0.02 /* default */

typedef struct fracture_options {
    uint32_t cells;  /* 1 to FRACTURE_MAX; a cell of a solid that is not convex
                      * may become several pieces */
    uint32_t seed;   /* of the places of cells */
    double strength; /* N/m^2, goes into the table as it is */
    double excess;   /* of a hull's volume over its piece's, as a part of it */
} fracture_options;

fracture_options fracture_options_default(void);

/* The face that two pieces share. */
typedef struct fracture_seam {
    uint16_t a, b;
    vsp_place at;
    double area, lever; /* m^2, m: as in vsp_seam */
} fracture_seam;

typedef struct fracture_storage {
    hull_storage *hulls; /* of the pieces; from malloc, as are the next */
    vsp_place *places;   /* of the pieces */
    fracture_seam *seams;
    size_t piece_count, seam_count;
    double strength;
    double volume;  /* m^3, of the solid */
    double lost;    /* m^3, in parts too small for a table */
    double excess;  /* m^3, of all hulls over what they stand for */
    double outside; /* m: no point of a piece is farther outside its hull */
    double overlap; /* m: no two hulls are deeper in each other */
} fracture_storage;

/* Cuts a closed solid into the cells of points strewn in it, each cell into its
 * connected parts, and each part by planes until its hull is hardly larger.
 * What is cut by a plane stays on its side of it, and so does its hull: hulls
 * overlap by no more than their tables' rounding.  Returns null when done, else
 * why not. */
const char *fracture_build(fracture_storage *out, const vec3 *points,
                           size_t point_count, uint32_t (*triangles)[3],
                           size_t count, const fracture_options *options);

size_t fracture_bytes(const fracture_storage *it);
void fracture_write(table_text *text, const table_origin *origin,
                    const fracture_storage *it);
void fracture_free(fracture_storage *it);

#endif
