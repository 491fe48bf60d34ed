/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Height fields, in this order: reading pictures and texts as rows of numbers,
 * the table, its text. */

#include "height_field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_points.h"
#include "port/file.h"

#define MAX_SIDE 4096

static const char out_of_memory[] = "out of memory";


/* ---- Pictures ------------------------------------------------------------ */

static const char *skip_space(const char *text)
{
    for (;; text++) {
        if (*text == '#')
            text += strcspn(text, "\n");
        if (*text == '\0' || !strchr(" \t\r\n", *text))
            return text;
    }
}

/* Reads the next whole number, after blanks and comments. */
static bool read_whole(const char **text, uint32_t low, uint32_t high,
                       uint32_t *number)
{
    const char *start = skip_space(*text);
    char *end;
    unsigned long value;

    if (*start < '0' || *start > '9')
        return false;
    value = strtoul(start, &end, 10);
    *text = end;
    *number = (uint32_t)value;
    return value >= low && value <= high;
}

static bool make_room(field_heights *heights)
{
    heights->numbers = malloc((size_t)heights->columns * heights->rows *
                              sizeof *heights->numbers);
    return heights->numbers != NULL;
}

static const char *read_words(field_heights *heights, const char *text,
                              uint32_t top)
{
    size_t count = (size_t)heights->columns * heights->rows;

    for (size_t i = 0; i < count; i++) {
        uint32_t grey;

        if (!read_whole(&text, 0, top, &grey))
            return "a grey that is no number of its range, or too few";
        heights->numbers[i] = grey;
    }
    return NULL;
}

/* Reads bytes, or pairs of bytes, the high one first. */
static const char *read_raw(field_heights *heights, const char *text,
                            const char *end, uint32_t top)
{
    size_t count = (size_t)heights->columns * heights->rows;
    size_t width = top > 255 ? 2 : 1;

    if (text == end || (size_t)(end - text - 1) < count * width)
        return "too few greys";
    text++;
    for (size_t i = 0; i < count; i++) {
        unsigned grey = 0;

        for (size_t k = 0; k < width; k++)
            grey = grey << 8 | (unsigned char)text[i * width + k];
        if (grey > top)
            return "a grey above the highest";
        heights->numbers[i] = grey;
    }
    return NULL;
}

/* Reads a picture after its P and digit: columns, rows, highest grey, greys. */
static const char *read_picture(field_heights *heights, const char *bytes,
                                size_t size)
{
    const char *text = bytes + 2;
    uint32_t top;

    if (!read_whole(&text, 1, MAX_SIDE, &heights->columns) ||
        !read_whole(&text, 1, MAX_SIDE, &heights->rows) ||
        !read_whole(&text, 1, 65535, &top))
        return "no picture of at most 4096 x 4096 greys below 65536";
    if (!make_room(heights))
        return out_of_memory;
    heights->is_in_steps = true;
    return bytes[1] == '2' ? read_words(heights, text, top)
                           : read_raw(heights, text, bytes + size, top);
}


/* ---- Texts --------------------------------------------------------------- */

/* Counts the words of a line, and moves *text to the next line. */
static uint32_t count_words(const char **text)
{
    uint32_t count = 0;

    for (; **text != '\0' && **text != '\n'; (*text)++) {
        bool is_blank = strchr(" \t\r,;", **text) != NULL;
        bool is_end = strchr(" \t\r\n,;", (*text)[1]) != NULL;

        count += !is_blank && is_end;
    }
    *text += **text == '\n';
    return count;
}

static const char *read_text(field_heights *heights, const char *text)
{
    const char *start = text;
    size_t count;

    while (*text) {
        uint32_t words = count_words(&text);

        if (words == 0)
            continue;
        if (heights->rows > 0 && words != heights->columns)
            return "rows of different lengths";
        heights->columns = words;
        if (words > MAX_SIDE || ++heights->rows > MAX_SIDE)
            return "more than 4096 columns or rows";
    }
    if (heights->rows == 0)
        return "no numbers";
    if (!make_room(heights))
        return out_of_memory;
    count = (size_t)heights->columns * heights->rows;
    for (size_t i = 0; i < count; i++) {
        char *end;

        start += strspn(start, " \t\r\n,;");
        heights->numbers[i] = strtod(start, &end);
        if (end == start || !strchr(" \t\r\n,;", *end) ||
            !(fabs(heights->numbers[i]) < 1e9))
            return "something that is no number";
        start = end;
    }
    return NULL;
}

const char *field_parse(field_heights *heights, const char *bytes, size_t size)
{
    memset(heights, 0, sizeof *heights);
    if (size > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5'))
        return read_picture(heights, bytes, size);
    if (strlen(bytes) != size)
        return "neither a picture (P2, P5) nor a text";
    return read_text(heights, bytes);
}

bool field_read(field_heights *heights, const char *name)
{
    size_t size;
    char *bytes;
    const char *error;

    memset(heights, 0, sizeof *heights);
    bytes = file_read_text(name, &size);
    if (!bytes)
        return false;
    error = field_parse(heights, bytes, size);
    free(bytes);
    if (!error)
        return true;
    fprintf(stderr, "vsp: '%s': %s\n", name, error);
    field_free_heights(heights);
    return false;
}

void field_free_heights(field_heights *heights)
{
    free(heights->numbers);
    memset(heights, 0, sizeof *heights);
}


/* ---- The table ----------------------------------------------------------- */

static const char *fill_table(field_storage *out, const field_heights *heights,
                              const field_options *options)
{
    size_t count = (size_t)heights->columns * heights->rows;
    vsp_height_field *field = &out->field;
    double unit = heights->is_in_steps ? field->step / (double)VSP_PLACE : 1.0;

    field->low = INT16_MAX;
    field->high = -INT16_MAX;
    for (size_t i = 0; i < count; i++) {
        double number = heights->numbers[i];
        double height = (number - options->base) * unit;
        double steps = floor(height * VSP_PLACE / field->step + 0.5);
        bool is_hole = isnan(number) || number == options->hole;

        if (!is_hole && !(fabs(height) <= 100.0 &&
                          fabs(steps) * field->step <= PLACE_LIMIT))
            return "a height is farther than 100 m from 0";
        if (!is_hole && !(fabs(steps) <= INT16_MAX))
            return "a height of more than 32767 steps: choose a larger one";
        out->heights[i] = is_hole ? (int16_t)VSP_HOLE : (int16_t)steps;
        if (!is_hole && out->heights[i] < field->low)
            field->low = out->heights[i];
        if (!is_hole && out->heights[i] > field->high)
            field->high = out->heights[i];
    }
    return field->low <= field->high ? NULL : "nothing but holes";
}

const char *field_build(field_storage *out, const field_heights *heights,
                        const field_options *options)
{
    vsp_height_field *field = &out->field;
    uint32_t longest = heights->columns > heights->rows ? heights->columns
                                                        : heights->rows;
    const char *error;

    memset(out, 0, sizeof *out);
    if (heights->columns < 2 || heights->rows < 2 || longest > MAX_SIDE)
        return "not 2 to 4096 columns and rows";
    if (!place_round(options->cell, &field->cell) ||
        field->cell < VSP_PLACE / 1000)
        return "a cell is 0.001 to 100 m";
    if (!place_round(options->step, &field->step) || field->step < 1)
        return "a step is 0.000001 to 100 m";
    if ((double)(longest - 1) * field->cell > 2.0 * PLACE_LIMIT)
        return "more than 200 m long";
    field->kind = VSP_TABLE_HEIGHT_FIELD;
    field->columns = (uint16_t)heights->columns;
    field->rows = (uint16_t)heights->rows;
    out->heights = malloc((size_t)heights->columns * heights->rows *
                          sizeof *out->heights);
    field->heights = out->heights;
    error = out->heights ? fill_table(out, heights, options) : out_of_memory;
    if (error)
        field_free(out);
    return error;
}

const char *field_add_materials(field_storage *out, const field_heights *map,
                                const material_list *list)
{
    size_t count = (size_t)map->columns * map->rows;

    if (map->columns + 1 != out->field.columns ||
        map->rows + 1 != out->field.rows)
        return "not one number for each cell";
    out->materials = malloc(count);
    if (!out->materials)
        return out_of_memory;
    for (size_t i = 0; i < count; i++) {
        double number = map->numbers[i];

        if (!(number >= 0 && number <= list->count && number == floor(number)))
            return "neither 0 nor the number of a material";
        out->materials[i] = (uint8_t)number;
    }
    return NULL;
}

void field_free(field_storage *field)
{
    free(field->heights);
    free(field->materials);
    memset(field, 0, sizeof *field);
}


/* ---- Text ---------------------------------------------------------------- */

size_t field_bytes(const vsp_height_field *field)
{
    return (size_t)field->columns * field->rows * 2 + 24;
}

/* Begins the file, with this number of bytes for materials. */
static void begin_field(table_text *text, const table_origin *origin,
                        const vsp_height_field *field, size_t more)
{
    char what[120];

    snprintf(what, sizeof what, "field: %d x %d heights, cells of %g m",
             field->columns, field->rows, field->cell / (double)VSP_PLACE);
    table_begin(text, origin, what, field_bytes(field) + more);
    table_shorts(text, "heights", field->heights,
                 (size_t)field->columns * field->rows);
}

/* Adds the members; `before` and `after` surround them. */
static void write_members(table_text *text, const char *before,
                          const vsp_height_field *field, const char *after)
{
    table_item(text, "%s", before);
    table_item(text, "%d, %d, %ld, %ld, %d, %d", field->columns, field->rows,
               (long)field->cell, (long)field->step, field->low, field->high);
    table_item(text, "%s_heights%s", text->name, after);
}

void field_write(table_text *text, const table_origin *origin,
                 const vsp_height_field *field)
{
    begin_field(text, origin, field, 0);
    table_open_constant(text, "vsp_height_field");
    write_members(text, "VSP_TABLE_HEIGHT_FIELD", field, "");
    table_end(text);
}

void field_write_materials(table_text *text, const table_origin *origin,
                           const field_storage *field,
                           const material_list *list)
{
    size_t cells = (size_t)(field->field.columns - 1) * (field->field.rows - 1);

    begin_field(text, origin, &field->field, materials_bytes(list, cells));
    materials_write_arrays(text, list, field->materials, cells);
    table_open_constant(text, "vsp_field_materials");
    write_members(text, "{VSP_TABLE_FIELD_MATERIALS", &field->field, "}");
    materials_write_member(text, list);
    table_end(text);
}
