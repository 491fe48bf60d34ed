/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Solids in convex pieces, as tables: vsp_broken. */

#ifndef FRACTURE_H
#define FRACTURE_H

#include "hull.h"
#include "polyhedron.h"

#define FRACTURE_MAX 1000    /* most pieces */
#define FRACTURE_EXCESS 0.02 /* default of fracture_options.excess */

typedef struct fracture_options {
    uint32_t cells;  /* 1 to FRACTURE_MAX; a cell that is not convex may become
                      * several pieces */
    uint32_t seed;   /* seed of the cells' positions */
    double strength; /* strength of seams, N/m^2, copied into the table */
    double excess;   /* hull volume minus that of the piece, over the piece's
                      * volume */
} fracture_options;

fracture_options fracture_options_default(void);

/* The face that two pieces share. */
typedef struct fracture_seam {
    uint16_t a, b;
    vsp_place at;
    double area, lever; /* m^2, m: as in vsp_seam */
} fracture_seam;

typedef struct fracture_storage {
    hull_storage *hulls; /* hull of each piece; from malloc, as the next two */
    vsp_place *places;   /* position of each piece */
    fracture_seam *seams;
    size_t piece_count, seam_count;
    double strength;
    double volume;  /* volume of the solid, m^3 */
    double lost;    /* volume of parts too small for a table, m^3 */
    double excess;  /* volume of all hulls minus that of their parts, m^3 */
    double outside; /* m: most by which a point of a piece is outside its
                     * hull */
    double overlap; /* m: deepest overlap of two hulls */
} fracture_storage;

/* Cuts a closed solid into the Voronoi cells of random points, each cell into
 * its connected parts, and each part by planes until its hull is hardly larger.
 * Parts and their hulls stay on their sides of a plane, so hulls overlap by no
 * more than the rounding of their tables.  Returns null if done, else the
 * reason. */
const char *fracture_build(fracture_storage *out, const vec3 *points,
                           size_t point_count, uint32_t (*triangles)[3],
                           size_t count, const fracture_options *options);

size_t fracture_bytes(const fracture_storage *it);
void fracture_write(table_text *text, const table_origin *origin,
                    const fracture_storage *it);
void fracture_free(fracture_storage *it);

#endif
