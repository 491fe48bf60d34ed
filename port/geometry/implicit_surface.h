/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Meshes of solids given by formulas, for the signed distance fields of
 * scenes. */

#ifndef IMPLICIT_SURFACE_H
#define IMPLICIT_SURFACE_H

#include "obj.h"

/* Makes an animal with four legs, horns and a tail: 1.2 m along x, upright
 * along y. */
bool make_animal_mesh(obj_mesh *mesh);

/* Makes a slab of 8 x 0.5 x 4 m with letters cut 10 cm deep into its upper
 * side, readable with z downwards. */
bool make_letters_mesh(obj_mesh *mesh);

/* Makes a torus around y, with these radii. */
bool make_torus_mesh(obj_mesh *mesh, double around, double across);

#endif
