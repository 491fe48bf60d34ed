/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tables of vsp.h as C source: a header with constant arrays and one constant
 * of a vsp_... type, for exactly one source file to include. */

#ifndef TABLE_SOURCE_H
#define TABLE_SOURCE_H

#include "vsp.h"

/* Text that grows.  If memory runs out, the rest is lost, and table_save
 * reports it. */
typedef struct table_text {
    char *bytes; /* zero at the end; null while it is empty */
    size_t size, room;
    size_t column; /* of the next item; 0: the line is empty */
    bool is_lost;
    const char *name;
} table_text;

/* The user's words about a table. */
typedef struct table_origin {
    const char *name;    /* of the constant: a C identifier */
    const char *command; /* that makes the file */
    const char *notice;  /* in the first lines, or null */
} table_origin;

/* Adds as printf does. */
void table_add(table_text *text, const char *format, ...);

/* Begins a file: its origin, its content ("hull: 8 vertices, ..."), its bytes
 * of ROM. */
void table_begin(table_text *text, const table_origin *origin, const char *what,
                 size_t bytes);

/* An array `NAME_part`: open, each item, close.  Items stand in rows. */
void table_open(table_text *text, const char *type, const char *part);
void table_item(table_text *text, const char *format, ...);
void table_close(table_text *text);

void table_place_items(table_text *text, const vsp_place *places, size_t count);

/* Whole arrays. */
void table_places(table_text *text, const char *part, const vsp_place *places,
                  size_t count);
void table_shorts(table_text *text, const char *part, const int16_t *numbers,
                  size_t count);

/* Begins the constant of the table, whose members follow as items; and the
 * members of vsp_bulk as one item. */
void table_open_constant(table_text *text, const char *type);
void table_bulk(table_text *text, const vsp_bulk *bulk);

/* Ends the constant and the file. */
void table_end(table_text *text);

/* Writes the file and frees the text.  Returns false, and says why on stderr,
 * when it cannot; then there is no file. */
bool table_save(table_text *text, const char *file);

void table_free(table_text *text);

/* Makes an identifier of a file's name: "a/run-2.h" becomes "run_2".  Returns
 * false when it does not fit or nothing is left. */
bool table_name(const char *file, char *out, size_t size);

#endif
