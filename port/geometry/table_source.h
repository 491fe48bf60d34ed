/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tables of vsp.h as C source: a header with constant arrays and one constant
 * of a vsp_... type, for exactly one source file to include. */

#ifndef TABLE_SOURCE_H
#define TABLE_SOURCE_H

#include "vsp.h"

/* Text that grows.  If memory runs out, later text is lost, and table_save
 * reports that. */
typedef struct table_text {
    char *bytes; /* ends with a zero; null while the text is empty */
    size_t size, room;
    size_t column; /* column of the next item; 0: the line is empty */
    bool is_lost;
    const char *name;
} table_text;

/* What the user gave for a table. */
typedef struct table_origin {
    const char *name;    /* name of the constant, a C identifier */
    const char *command; /* command line that makes the file */
    const char *notice;  /* text for the first lines, or null */
} table_origin;

/* Adds text, formatted as by printf. */
void table_add(table_text *text, const char *format, ...);

/* Begins a file with its origin, content ("hull: 8 vertices, ..."), and bytes
 * of ROM. */
void table_begin(table_text *text, const table_origin *origin, const char *what,
                 size_t bytes);

/* An array `NAME_part`: open, each item, close.  Items are wrapped in lines. */
void table_open(table_text *text, const char *type, const char *part);
void table_item(table_text *text, const char *format, ...);
void table_close(table_text *text);

void table_place_items(table_text *text, const vsp_place *places, size_t count);

/* Add whole arrays. */
void table_places(table_text *text, const char *part, const vsp_place *places,
                  size_t count);
void table_shorts(table_text *text, const char *part, const int16_t *numbers,
                  size_t count);

/* Begins the constant of the table, whose members follow as items; table_bulk
 * adds the members of a vsp_bulk as one item. */
void table_open_constant(table_text *text, const char *type);
void table_bulk(table_text *text, const vsp_bulk *bulk);

/* Ends the constant and the file. */
void table_end(table_text *text);

/* Writes the file and frees the text.  Returns false, and prints why on stderr,
 * if that fails; then there is no file. */
bool table_save(table_text *text, const char *file);

void table_free(table_text *text);

/* Whether a word is a keyword of C99. */
bool table_is_keyword(const char *word);

/* Makes an identifier of a file's name: "a/run-2.h" becomes "run_2".  Returns
 * false if it does not fit, is empty or a keyword. */
bool table_name(const char *file, char *out, size_t size);

#endif
