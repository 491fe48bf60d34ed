/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shapes by formulas, and their tables for tests and scenes:
 * port/scenes/tables. */

#ifndef STANDARD_SHAPES_H
#define STANDARD_SHAPES_H

#include "height_field.h"
#include "hull.h"
#include "mesh.h"
#include "shell.h"

#define FORM_COUNT 18

/* Names of files and constants, in the order of the functions below: the table
 * `hull_box` is in port/scenes/tables/hull_box.h. */
extern const char *const form_names[FORM_COUNT];

/* Writes the text of a table.  Returns null if done, else the reason. */
const char *form_write(table_text *text, int index);

/* Points and triangles from malloc; free both with form_free. */
typedef struct form {
    vec3 *points;
    uint32_t (*triangles)[3]; /* empty for a prism, cone, ball and wedge */
    size_t point_count, triangle_count;
    bool is_lost; /* memory ran out */
} form;

void form_free(form *it);

/* Hulls, upright along y, centred: a box by half extents; a prism; a cone with
 * its base at -half and its tip at half; an icosahedron; a wedge, half of a
 * box, that rises along x. */
form form_box(double x, double y, double z);
form form_prism(int sides, double radius, double half);
form form_cone(int sides, double radius, double half);
form form_ball(double radius);
form form_wedge(double x, double y, double z);

/* Meshes: a level grid of cells at height 0; a chute along x that falls from
 * 4.5 to 0.5 m over 9 m, with two bends whose outer walls are higher. */
form form_plane(int columns, int rows, double cell);
form form_run(void);

/* A garden vase of seven sides, 1.12 m high, standing at height 0; its walls
 * are 10 cm thick. */
form form_vase(void);

/* Shells: a closed strip of cells around y; a part of a sphere up to an angle
 * from its lowest point, open at the top, in rings of triangles; a leaf of 6 x
 * 4 cells, 0.6 m along x and 0.3 m wide, bent both ways. */
form form_ring(int sides, double radius, double width);
form form_bowl(int sides, int rings, double radius, double angle);
form form_leaf(void);

/* A boat without a deck, 0.56 m along x, 0.32 m wide, 11 triangles; and an
 * upright triangle with sides of 0.5 m. */
form form_boat(void);
form form_standing_triangle(void);

/* Computes heights of hills, in m. */
bool form_hills(field_heights *out, uint32_t columns, uint32_t rows);

#endif
