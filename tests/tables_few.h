/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A few tables of every kind, in the order in which random calls, and what
 * plays these, have them. */

#ifndef TABLES_FEW_H
#define TABLES_FEW_H

#include "vsp.h"

/* their numbers in a world */
#define FEW_HULLS 3u /* 1, 2, 3: box, wedge, prism of tables.h */
#define FEW_MESH 4u  /* a roof of 4 triangles, 4 m wide, 0.5 m high */
#define FEW_FIELD 5u /* hills of tables.h */
#define FEW_SDF 6u   /* the animal of tables.h */

/* Adds them to a world that has none; false when the build lacks a kind. */
bool add_few_tables(vsp_world *world);

#endif
