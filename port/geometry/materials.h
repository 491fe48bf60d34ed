/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Materials of triangles and cells: lists of them, and their part of a table.
 *
 * A line of a list is a name and any of these words with their numbers, in SI
 * units: friction X, restitution X, rolling X, spinning X, velocity X Y Z,
 * friction_rule RULE, restitution_rule RULE, where a rule is geometric,
 * average, min, multiply or max.  What a line does not say is as in the default
 * material of a shape.  # begins a comment. */

#ifndef MATERIALS_H
#define MATERIALS_H

#include "table_source.h"

#define MATERIALS_MAX 255
#define MATERIAL_NAME 32 /* bytes of a name, with its zero */

typedef struct material_list {
    uint32_t count;
    vsp_table_material palette[MATERIALS_MAX];
    char names[MATERIALS_MAX][MATERIAL_NAME];
} material_list;

/* Parses the text of a list, which ends with a zero.  Returns null if done,
 * else the reason, and the line's number in *line. */
const char *materials_parse(material_list *list, const char *text,
                            size_t *line);

/* Reads such a file.  Returns false, and prints why on stderr, if that
 * fails. */
bool materials_read(material_list *list, const char *file);

/* Returns the number of a name of `size` bytes, from 1; 0: it is not listed. */
uint8_t materials_find(const material_list *list, const char *name,
                       size_t size);

/* Returns the bytes of ROM that materials add to a table. */
size_t materials_bytes(const material_list *list, size_t count);

/* Adds the arrays, or the member `materials`, of `count` triangles or cells. */
void materials_write_arrays(table_text *text, const material_list *list,
                            const uint8_t *of, size_t count);
void materials_write_member(table_text *text, const material_list *list);

#endif
