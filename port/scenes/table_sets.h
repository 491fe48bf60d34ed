/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The sets of tables of tests and scenes, each in its order.  A world that
 * plays or restores a state of such a world needs the same tables. */

#ifndef TABLE_SETS_H
#define TABLE_SETS_H

#include "vsp.h"

/* The sets, named by content or by the scene that uses them. */
typedef enum table_set {
    TABLES_NONE,
    TABLES_FEW, /* a few of every kind, for random calls */
    TABLES_BIN,
    TABLES_MARBLES,
    TABLES_HILLS,
    TABLES_ANIMALS,
    TABLES_LETTERS,
    TABLES_BELT,
    TABLES_SENSOR,
    TABLES_SHELLS,
    TABLES_BOATS,
    TABLES_RINK,   /* level ground of five materials */
    TABLES_CRATER, /* level ground, 6 m x 6 m */
    TABLES_SHARDS, /* the first pieces of the vase, for small worlds */
    TABLES_VASE,   /* all pieces; last, because a build may be too small for
                    * them */
    TABLE_SETS
} table_set;

/* table numbers of TABLES_FEW */
#define FEW_HULLS 3u /* 1, 2, 3: box, wedge, prism of tables.h */
#define FEW_MESH 4u  /* a roof of 4 triangles, 4 m wide, 0.5 m high */
#define FEW_FIELD 5u /* hills of tables.h */
#define FEW_SDF 6u   /* the animal of tables.h */

/* table numbers of TABLES_BIN */
enum { BIN_PRISM = 1, BIN_CONE, BIN_BALL, BIN_WEDGE, BIN_BOX };

#define SHARDS 8u /* number of tables in TABLES_SHARDS */

/* Adds a set to a world without tables.  Returns false if the build lacks a
 * kind of table, or there is no such set. */
bool add_table_set(vsp_world *world, uint32_t set);

#endif
