/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The tables of the worlds of tests and scenes, in their order.  To play or
 * restore a state of such a world, add the same tables. */

#ifndef TABLE_SETS_H
#define TABLE_SETS_H

#include "vsp.h"

/* The content of a set, or the scene that uses it. */
typedef enum table_set {
    TABLES_NONE,
    TABLES_FEW, /* some of every kind, for random calls */
    TABLES_BIN,
    TABLES_MARBLES,
    TABLES_HILLS,
    TABLES_ANIMALS,
    TABLES_LETTERS,
    TABLES_BELT,
    TABLES_SENSOR,
    TABLES_SHELLS,
    TABLES_BOATS,
    TABLES_SHARDS, /* the first pieces of the vase, for small worlds */
    TABLES_VASE,   /* all; last, because a build may have no room for them */
    TABLE_SETS
} table_set;

/* numbers of the few */
#define FEW_HULLS 3u /* 1, 2, 3: box, wedge, prism of tables.h */
#define FEW_MESH 4u  /* a roof of 4 triangles, 4 m wide, 0.5 m high */
#define FEW_FIELD 5u /* hills of tables.h */
#define FEW_SDF 6u   /* the animal of tables.h */

/* numbers of the set of a bin */
enum { BIN_PRISM = 1, BIN_CONE, BIN_BALL, BIN_WEDGE, BIN_BOX };

#define SHARDS 8u /* tables of TABLES_SHARDS */

/* Adds a set to a world that has no tables; false when the build lacks a
 * kind, or there is no such set. */
bool add_table_set(vsp_world *world, uint32_t set);

#endif
