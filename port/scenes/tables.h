/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tables for tests and scenes, written by `vsp tables` from the shapes of
 * port/geometry/standard_shapes.h. */

#ifndef TABLES_H
#define TABLES_H

#include "vsp.h"

extern const vsp_hull hull_box;   /* half extents 0.5 m */
extern const vsp_hull hull_prism; /* 24 sides, radius and half height 0.5 m */
extern const vsp_hull hull_cone;  /* 24 sides, radius and half height 0.5 m, tip
                                   * up */
extern const vsp_hull hull_ball;  /* an icosahedron in a ball of 0.5 m */
extern const vsp_hull hull_wedge; /* half of a box of 0.5, 0.25, 0.5 m */
extern const vsp_mesh mesh_plane; /* 25 x 20 cells of 1 m, level, at height 0 */
extern const vsp_mesh mesh_run;   /* a chute, x -4.5 to 4.5 m, y 4.5 to 0.5 */
extern const vsp_height_field field_hills; /* 33 x 33, cells of 1 m */
extern const vsp_sdf sdf_animal;  /* 1.2 m along x, legs down y, 64 spheres */
extern const vsp_sdf sdf_letters; /* a slab, half extents 4, 0.25, 2 m, letters
                                   * cut into its top */
extern const vsp_broken broken_vase;   /* 1.12 m high, standing at height 0 */
extern const vsp_shell shell_plate;    /* 1 m x 1 m, level, 32 triangles */
extern const vsp_shell shell_leaf;     /* 0.6 m along x, 0.3 m wide, bent */
extern const vsp_shell shell_ring;     /* about y, radius 0.25 m, 0.06 m wide */
extern const vsp_shell shell_bowl;     /* part of a sphere of 0.4 m, open at the
                                        * top */
extern const vsp_shell shell_boat;     /* 0.56 m along x, 0.32 m wide, lowest
                                        * point at 0 */
extern const vsp_shell shell_tub;      /* part of a sphere of 3 m, open at the
                                        * top */
extern const vsp_shell shell_triangle; /* in the xy plane, sides of 0.5 m,
                                        * lowest point at 0 */

#endif
