/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Makes signed distance fields of closed meshes, as tables. */

#ifndef SDF_H
#define SDF_H

#include "port/vec_libm.h"
#include "table_source.h"

#define SDF_MAX_SPHERES 4096
#define SDF_MAX_DEPTH 16

typedef struct sdf_options {
    uint32_t cells;   /* cells along the longest side, 2 to 250 */
    uint32_t spheres; /* most spheres, 0 to SDF_MAX_SPHERES */
    uint32_t depth;   /* levels of the tree of spheres, 1 to SDF_MAX_DEPTH */
} sdf_options;

sdf_options sdf_options_default(void);

/* A table and its arrays, from malloc. */
typedef struct sdf_storage {
    vsp_sdf sdf;
    int16_t *distances;
    vsp_sphere_node *nodes;
    uint32_t sphere_count; /* spheres that are leaves */
    double uncovered;      /* m: largest distance of the surface to the
                            * spheres */
    double mean_uncovered;
    double outside; /* m: most by which spheres stick out of the surface */
} sdf_storage;

/* Builds the field of a mesh in m, corners anticlockwise seen from outside.
 * Returns null if done, else the reason.  Free it afterwards. */
const char *sdf_build(sdf_storage *out, const vec3 *points, size_t point_count,
                      uint32_t (*triangles)[3], size_t triangle_count,
                      const sdf_options *options);

void sdf_free(sdf_storage *storage);

/* Returns the bytes of the table and its arrays on a machine with addresses of
 * 4 bytes. */
size_t sdf_bytes(const vsp_sdf *sdf);

void sdf_write(table_text *text, const table_origin *origin,
               const vsp_sdf *sdf);

#endif
