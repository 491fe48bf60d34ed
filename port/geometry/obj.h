/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Points and triangles of a Wavefront OBJ file. */

#ifndef OBJ_H
#define OBJ_H

#include <stddef.h>

#include "materials.h"
#include "port/vec_libm.h"

typedef struct obj_mesh {
    vec3 *points;             /* m, finite; from malloc, as the next two */
    uint32_t (*triangles)[3]; /* points; anticlockwise seen from outside */
    uint32_t *lines;          /* line of the file, from 1, with each triangle;
                               * null if there is no file */
    uint8_t *materials;       /* of each triangle: materials_find of its usemtl
                               * name; null without a list */
    size_t point_count, triangle_count;
} obj_mesh;

/* Reads the v lines, times a scale, and the f lines; polygons become fans,
 * other lines are skipped.  Returns false, and prints why on stderr, if the
 * file cannot be read, is no OBJ file or has no points.  Free it afterwards. */
bool obj_read(obj_mesh *mesh, const char *name, double scale);

/* Parses the text of such a file, which ends with a zero.  Returns null if
 * done, else the reason, and the line's number in *line. */
const char *obj_parse(obj_mesh *mesh, const char *text, double scale,
                      size_t *line);

/* Same, with the materials of a list; it may be null. */
bool obj_read_materials(obj_mesh *mesh, const char *name, double scale,
                        const material_list *list);
const char *obj_parse_materials(obj_mesh *mesh, const char *text, double scale,
                                const material_list *list, size_t *line);

void obj_free(obj_mesh *mesh);

#endif
