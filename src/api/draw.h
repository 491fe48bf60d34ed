/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Declarations that the files of drawing share: the pen, and the functions of
 * each file for the others.  They read in this order: draw_shape.c,
 * draw_joint.c, draw.c. */

#ifndef VSP_DRAW_H
#define VSP_DRAW_H

#include "api.h"

#if VSP_DRAW

#define VSP__MOST_SEGMENTS 64u

/* A call's settings, and what is being drawn. */
typedef struct vsp__pen {
    const vsp_world *world;
    const vsp_draw *draw;
    uint32_t segments;  /* of a circle */
    uint32_t cells;     /* most of a grid */
    vsp__num size;      /* m: see vsp_draw */
    vsp__num plane;     /* m */
    vsp__wide force;    /* m for each N */
    vsp__wide per_step; /* m for each N s */
    uint32_t color;
    vsp__pose pose; /* of the frame in which points are */
#if VSP_SCALES
    vsp_place scale; /* of the table that is drawn: vsp__find_scale */
#endif
    /* cosine and sine of segment k of a circle, in x and y; z is 0 */
    vsp__v3 circle[VSP__MOST_SEGMENTS + 1u];
} vsp__pen;


/* ---- draw_shape.c: lines, triangles and shapes --------------------------- */

/* Draws a line between two points in the frame of the pen, m. */
void vsp__draw_line(const vsp__pen *pen, const vsp__v3 *a, const vsp__v3 *b);

/* Draws three lines along the axes of the frame, which meet at a point. */
void vsp__draw_cross(const vsp__pen *pen, const vsp__v3 *at);

/* Draws the edges of a box. */
void vsp__draw_box_edges(const vsp__pen *pen, const vsp__v3 *middle,
                         const vsp__v3 *half);

/* Makes the frame of the pen that of the world. */
void vsp__draw_in_world(vsp__pen *pen);

/* Draw the surface of a shape; and its edges.  The frame of the pen must be
 * that of the shape. */
void vsp__draw_surface(vsp__pen *pen, const vsp__shape *shape);
void vsp__draw_edges(vsp__pen *pen, const vsp__shape *shape);


/* ---- draw_joint.c: joints ------------------------------------------------ */

/* Draws a joint with its limits. */
void vsp__draw_joint(vsp__pen *pen, const vsp__joint *j);

#endif /* VSP_DRAW */

#endif /* VSP_DRAW_H */
