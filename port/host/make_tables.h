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
    char name[MAX_TABLE_NAME]; /* of the constant; empty: that of the output
                                * file */
    char command[256];         /* as given */
    double scale;              /* of lengths */
    double tolerance;          /* of a hull, m */
    uint32_t leaf;             /* of a mesh or a shell */
    field_options field;
    sdf_options sdf;
    fracture_options fracture;
} make_options;

make_options make_options_default(void);

/* Make the table and print a summary.  Return the exit status: 0, or 2 and no
 * file. */
int make_hull(make_options *options);
int make_mesh(make_options *options);
int make_shell(make_options *options);
int make_field(make_options *options);
int make_sdf(make_options *options);
int make_pieces(make_options *options);

/* Writes the tables that tests and scenes use into the directory that
 * `output` names.  Returns as above. */
int make_tables(const make_options *options);

/* Sets the origin of a table, which points into the options; chooses its name
 * when none was given.  Returns false, and says why, when it finds no name. */
bool make_origin(make_options *options, table_origin *origin);

#endif
