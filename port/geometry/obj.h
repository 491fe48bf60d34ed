/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Points and triangles, as read from a Wavefront OBJ file. */

#ifndef OBJ_H
#define OBJ_H

#include <stddef.h>

#include "port/vec_libm.h"

typedef struct obj_mesh {
    vec3 *points;             /* m, finite; from malloc, as is the next */
    uint32_t (*triangles)[3]; /* points; anticlockwise seen from outside */
    uint32_t *lines;          /* of the file, from 1, that has a triangle; or
                                 null: there is no file */
    size_t point_count, triangle_count;
} obj_mesh;

/* Reads the v and f lines, times a scale; polygons become fans, other lines are
 * skipped.  Returns false, and says why on stderr, when the file cannot be
 * read, is no OBJ file or holds no point.  Free it afterwards. */
bool obj_read(obj_mesh *mesh, const char *name, double scale);

/* Reads the same from text that ends with a zero.  Returns null when done, else
 * the reason, and the number of its line in *line. */
const char *obj_parse(obj_mesh *mesh, const char *text, double scale,
                      size_t *line);

void obj_free(obj_mesh *mesh);

#endif
