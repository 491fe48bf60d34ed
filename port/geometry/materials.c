/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Lists of materials.  In this file: words, lines, files, text in a table. */

#include "materials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/file.h"

#define BLANKS " \t\r"
#define ENDS BLANKS "\n#"


/* ---- Words --------------------------------------------------------------- */

/* Moves *text past blanks.  Returns the length of the word there; 0 at the end
 * of the line. */
static size_t find_word(const char **text)
{
    *text += strspn(*text, BLANKS);
    return strcspn(*text, ENDS);
}

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* Reads a number in units of 1 / VSP_PLACE. */
static bool read_places(const char **text, double low, double high,
                        int32_t *places)
{
    size_t size = find_word(text);
    char *end;
    double number = size > 0 ? strtod(*text, &end) : 0;

    if (size == 0 || end != *text + size || !(number >= low && number <= high))
        return false;
    *text = end;
    *places = (int32_t)floor(number * VSP_PLACE + 0.5);
    return true;
}

static bool read_rule(const char **text, uint16_t *rule)
{
    static const char *const names[] = {"geometric", "average", "min",
                                        "multiply", "max"};
    size_t size = find_word(text);

    for (uint16_t i = 0; i < 5; i++)
        if (is_word(*text, size, names[i])) {
            *text += size;
            *rule = i;
            return true;
        }
    return false;
}


/* ---- Lines --------------------------------------------------------------- */

static bool read_velocity(const char **text, vsp_place *to)
{
    return read_places(text, -500, 500, &to->x) &&
           read_places(text, -500, 500, &to->y) &&
           read_places(text, -500, 500, &to->z);
}

/* Reads one property, whose word has this size.  Returns null or the reason. */
static const char *read_property(const char **text, size_t size,
                                 vsp_table_material *to)
{
    const char *word = *text;

    *text += size;
    if (is_word(word, size, "friction"))
        return read_places(text, 0, 100, &to->friction) ? NULL : "not 0 to 100";
    if (is_word(word, size, "restitution"))
        return read_places(text, 0, 1, &to->restitution) ? NULL : "not 0 to 1";
    if (is_word(word, size, "rolling"))
        return read_places(text, 0, 100, &to->rolling_friction)
                   ? NULL
                   : "not 0 to 100 m";
    if (is_word(word, size, "spinning"))
        return read_places(text, 0, 100, &to->spinning_friction)
                   ? NULL
                   : "not 0 to 100 m";
    if (is_word(word, size, "velocity"))
        return read_velocity(text, &to->surface_velocity)
                   ? NULL
                   : "not three speeds within 500 m/s";
    if (is_word(word, size, "friction_rule"))
        return read_rule(text, &to->friction_rule) ? NULL : "no rule";
    if (is_word(word, size, "restitution_rule"))
        return read_rule(text, &to->restitution_rule) ? NULL : "no rule";
    return "no property of a material";
}

static const char *read_line(material_list *list, const char *text)
{
    size_t size = find_word(&text);
    vsp_table_material *to = &list->palette[list->count];
    const char *error = NULL;

    if (size == 0)
        return NULL;
    if (list->count == MATERIALS_MAX)
        return "more than 255 materials";
    if (size >= MATERIAL_NAME)
        return "a name of more than 31 bytes";
    if (materials_find(list, text, size) != 0)
        return "a name that is listed before";
    memset(to, 0, sizeof *to);
    to->friction = VSP_PLACE / 2;
    to->restitution_rule = VSP_RULE_MAX;
    memcpy(list->names[list->count], text, size);
    list->names[list->count][size] = '\0';
    text += size;
    while (!error && (size = find_word(&text)) > 0)
        error = read_property(&text, size, to);
    list->count++;
    return error;
}

const char *materials_parse(material_list *list, const char *text, size_t *line)
{
    const char *error = NULL;

    list->count = 0;
    for (*line = 1; !error; ++*line) {
        error = read_line(list, text);
        text = strchr(text, '\n');
        if (error || !text)
            break;
        text++;
    }
    return error ? error : list->count > 0 ? NULL : "no material";
}

uint8_t materials_find(const material_list *list, const char *name, size_t size)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (is_word(name, size, list->names[i]))
            return (uint8_t)(i + 1);
    return 0;
}


/* ---- Files --------------------------------------------------------------- */

bool materials_read(material_list *list, const char *file)
{
    char *text = file_read_text(file, NULL);
    const char *error;
    size_t line;

    if (!text)
        return false;
    error = materials_parse(list, text, &line);
    free(text);
    if (error)
        fprintf(stderr, "vsp: '%s', line %lu: %s\n", file, (unsigned long)line,
                error);
    return !error;
}


/* ---- Text ---------------------------------------------------------------- */

size_t materials_bytes(const material_list *list, size_t count)
{
    return 12 + (size_t)list->count * 32 + count;
}

void materials_write_arrays(table_text *text, const material_list *list,
                            const uint8_t *of, size_t count)
{
    table_open(text, "vsp_table_material", "palette");
    for (uint32_t i = 0; i < list->count; i++) {
        const vsp_table_material *m = &list->palette[i];

        table_item(text, "{%ld, %ld, %ld, %ld, {%ld, %ld, %ld}, %d, %d}",
                   (long)m->friction, (long)m->restitution,
                   (long)m->rolling_friction, (long)m->spinning_friction,
                   (long)m->surface_velocity.x, (long)m->surface_velocity.y,
                   (long)m->surface_velocity.z, m->friction_rule,
                   m->restitution_rule);
    }
    table_close(text);
    table_open(text, "uint8_t", "materials");
    for (size_t i = 0; i < count; i++)
        table_item(text, "%d", of[i]);
    table_close(text);
}

void materials_write_member(table_text *text, const material_list *list)
{
    table_item(text, "{%lu, 0, %s_palette, %s_materials}",
               (unsigned long)list->count, text->name, text->name);
}
