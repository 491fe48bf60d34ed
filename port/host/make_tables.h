/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The commands that make tables from files. */

#ifndef MAKE_TABLES_H
#define MAKE_TABLES_H

#include "port/geometry/fracture.h"
#include "port/geometry/height_field.h"
#include "port/geometry/sdf.h"

#define MAX_TABLE_NAME 64

typedef struct make_options {
    const char *input, *output;
    char name[MAX_TABLE_NAME]; /* name of the constant; empty: from the name of
                                * the output file */
    char command[256];         /* the command line, for the comment in the
                                * table */
    double scale;              /* factor of all lengths in the file */
    double tolerance;          /* m: points of a hull may be left out by this
                                * much */
    uint32_t leaf;             /* most triangles of a leaf, of a mesh or a
                                * shell */
    const char *materials;     /* file of a list of materials, or null */
    const char *map;           /* file of numbers of cells' materials, or
                                * null */
    field_options field;
    sdf_options sdf;
    fracture_options fracture;
} make_options;

make_options make_options_default(void);

/* Make the table and print a summary.  Return the exit status: 0; or 2, and
 * write no file. */
int make_hull(make_options *options);
int make_mesh(make_options *options);
int make_shell(make_options *options);
int make_field(make_options *options);
int make_sdf(make_options *options);
int make_pieces(make_options *options);

/* Writes the tables that tests and scenes use into the directory that `output`
 * names.  Returns 0, or 2 if one failed. */
int make_tables(const make_options *options);

/* Fills the origin of a table, which points into the options; takes the name
 * from the output file if none was given.  Returns false, and prints why, if
 * that is no name. */
bool make_origin(make_options *options, table_origin *origin);

#endif
