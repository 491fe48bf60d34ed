/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Height fields, as tables. */

#ifndef HEIGHT_FIELD_H
#define HEIGHT_FIELD_H

#include "table_source.h"

/* Heights as a file holds them: metres of a text, steps of a picture. */
typedef struct field_heights {
    double *numbers; /* row by row, from malloc; a NaN is a hole */
    uint32_t columns, rows;
    bool is_in_steps;
} field_heights;

/* How numbers become heights. */
typedef struct field_options {
    double cell, step; /* m */
    double base;       /* this number has the height 0 */
    double hole;       /* this number is a hole; a NaN: there is none */
} field_options;

/* A table and its arrays, from malloc. */
typedef struct field_storage {
    vsp_height_field field;
    int16_t *heights;
} field_storage;

/* Reads a PGM picture (P2, or P5 of 8 or 16 bits) or a text with one row of
 * numbers a line.  Returns false, and says why on stderr, when it cannot; free
 * *heights with field_free_heights. */
bool field_read(field_heights *heights, const char *name);

/* Reads the same from bytes with a zero behind them.  Returns null when done,
 * else the reason. */
const char *field_parse(field_heights *heights, const char *bytes, size_t size);

void field_free_heights(field_heights *heights);

/* Builds a table; heights are rounded to whole steps.  Returns null when done,
 * else the reason. */
const char *field_build(field_storage *out, const field_heights *heights,
                        const field_options *options);

void field_free(field_storage *field);

/* Returns the bytes of the table and its array on a machine with addresses of 4
 * bytes. */
size_t field_bytes(const vsp_height_field *field);

void field_write(table_text *text, const table_origin *origin,
                 const vsp_height_field *field);

#endif
