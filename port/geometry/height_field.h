/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Makes height fields, as tables. */

#ifndef HEIGHT_FIELD_H
#define HEIGHT_FIELD_H

#include "materials.h"

/* The numbers of a file: heights in m of a text, grey values of a picture. */
typedef struct field_heights {
    double *numbers; /* row by row, from malloc; a NaN is a hole */
    uint32_t columns, rows;
    bool is_in_steps;
} field_heights;

/* How numbers are converted to heights. */
typedef struct field_options {
    double cell, step; /* m: side of a cell; height of one step */
    double base;       /* the number whose height is 0 */
    double hole;       /* the number that marks a hole; a NaN: none */
} field_options;

/* A table and its arrays, from malloc. */
typedef struct field_storage {
    vsp_height_field field;
    int16_t *heights;
    uint8_t *materials; /* of the cells; null without them */
} field_storage;

/* Reads a PGM picture (P2, or P5 of 8 or 16 bits) or a text with one row of
 * numbers a line.  Returns false, and prints why on stderr, if that fails.
 * Free *heights with field_free_heights. */
bool field_read(field_heights *heights, const char *name);

/* Parses the bytes of such a file, which a zero follows.  Returns null if done,
 * else the reason. */
const char *field_parse(field_heights *heights, const char *bytes, size_t size);

void field_free_heights(field_heights *heights);

/* Builds a table; heights are rounded to whole steps.  Returns null if done,
 * else the reason. */
const char *field_build(field_storage *out, const field_heights *heights,
                        const field_options *options);

/* Adds the materials of the cells from the numbers of a file, one for each
 * cell: 0 or numbers of the list.  Returns null if done, else the reason. */
const char *field_add_materials(field_storage *out, const field_heights *map,
                                const material_list *list);

void field_free(field_storage *field);

/* Returns the bytes of the table and its array on a machine with addresses of 4
 * bytes. */
size_t field_bytes(const vsp_height_field *field);

void field_write(table_text *text, const table_origin *origin,
                 const vsp_height_field *field);

/* Writes a field with materials, a vsp_field_materials. */
void field_write_materials(table_text *text, const table_origin *origin,
                           const field_storage *field,
                           const material_list *list);

#endif
