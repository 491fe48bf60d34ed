/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Makes triangle meshes, as tables. */

#ifndef MESH_H
#define MESH_H

#include "materials.h"
#include "port/vec_libm.h"
#include "table_source.h"

#define MESH_LEAF 4 /* triangles of a leaf, unless set otherwise */

/* A table and its arrays, from malloc; free it with mesh_free. */
typedef struct mesh_storage {
    vsp_mesh mesh;
    vsp_place *vertices;
    vsp_triangle *triangles;
    vsp_mesh_node *nodes;
    uint8_t *materials; /* of the triangles; null without them */
    size_t dropped;     /* triangles without area, or repeated */
    size_t reversed; /* edges that two triangles pass in the same direction */
    size_t open;     /* edges with only one triangle */
} mesh_storage;

/* Builds a mesh from points, in m, and triangles, anticlockwise seen from
 * outside.  Points that round to the same position become one.  A leaf has at
 * most `leaf` triangles, 1 to 8.  Returns null if done, else the reason. */
const char *mesh_build(mesh_storage *out, const vec3 *points,
                       size_t point_count, uint32_t (*triangles)[3],
                       size_t triangle_count, int leaf);

/* Same, with the material of each triangle; they may be null. */
const char *mesh_build_materials(mesh_storage *out, const vec3 *points,
                                 size_t point_count, uint32_t (*triangles)[3],
                                 const uint8_t *materials,
                                 size_t triangle_count, int leaf);

void mesh_free(mesh_storage *mesh);

/* Returns the bytes of the table and its arrays on a machine with addresses of
 * 4 bytes. */
size_t mesh_bytes(const vsp_mesh *mesh);

/* Write the arrays and the constant of a mesh, or of the sheet of a shell.
 * `before` (the kind of table) and `after` surround the members. */
void mesh_write_arrays(table_text *text, const vsp_mesh *mesh);
void mesh_write_constant(table_text *text, const char *before,
                         const vsp_mesh *mesh, const char *after);

void mesh_write(table_text *text, const table_origin *origin,
                const vsp_mesh *mesh);

/* Writes a mesh with materials, a vsp_mesh_materials. */
void mesh_write_materials(table_text *text, const table_origin *origin,
                          const mesh_storage *mesh, const material_list *list);

#endif
