/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The triangles and lines of vsp_world_draw, prepared for a picture: with
 * normals of curved surfaces, edges, and the ground apart. */

#ifndef DRAWING_H
#define DRAWING_H

#include <stdbool.h>

#include "port/vec_libm.h"

typedef struct face {
    vec3 at[3];      /* corners, m */
    vec3 normal[3];  /* unit vectors: the surface's at the corners */
    vec3 flat;       /* unit vector: the normal of the face */
    vec3 tint;       /* linear red, green, blue, 0 to 1 */
    int beside[3];   /* the face across the side after each corner; -1: none */
    bool is_edge[3]; /* whether the surface has an edge along this side */
    bool is_curved;
} face;

typedef struct drawn_line {
    vec3 a, b; /* m */
    vec3 tint; /* values of a screen: red, green, blue, 0 to 255 */
} drawn_line;

typedef struct drawing {
    face *faces;
    drawn_line *lines;
    int face_count, line_count;
    int face_room, line_room;
    bool has_ground;
    vec3 ground;         /* a point of the first half-space */
    vec3 ground_axes[3]; /* unit vectors; [1] points out */
    bool is_full;        /* memory ran out */
} drawing;

/* Reads these parts of a world (VSP_DRAW_...), with marks for a picture of this
 * size, m.  Returns false if memory runs out; drawing_free is allowed then
 * too. */
bool drawing_read(drawing *it, const vsp_world *world, uint32_t parts,
                  double size);
void drawing_free(drawing *it);

/* Converts the colour values of a screen, 0 to 1, to linear ones. */
vec3 colour_from_display(double red, double green, double blue);

#endif
