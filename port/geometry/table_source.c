/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Writes tables as C source, in this order: text that grows, files, arrays, the
 * constant. */

#include "table_source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/file.h"

#define COLUMNS 79


/* ---- Text --------------------------------------------------------------- */

/* Grows the text by this many bytes and a zero.  Returns false without
 * memory. */
static bool has_room(table_text *text, size_t more)
{
    char *bytes;

    if (text->is_lost || text->size + more < text->room)
        return !text->is_lost;
    bytes = realloc(text->bytes, (text->size + more + 4096) * 2);
    text->is_lost = !bytes;
    if (bytes) {
        text->room = (text->size + more + 4096) * 2;
        text->bytes = bytes;
    }
    return bytes != NULL;
}

static void add_bytes(table_text *text, const char *bytes, size_t size)
{
    if (!has_room(text, size))
        return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

static void add_string(table_text *text, const char *string)
{
    add_bytes(text, string, strlen(string));
}

void table_add(table_text *text, const char *format, ...)
{
    char line[512];
    va_list arguments;
    int size;

    va_start(arguments, format);
    size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof line)
        text->is_lost = true;
    else
        add_bytes(text, line, (size_t)size);
}

void table_free(table_text *text)
{
    free(text->bytes);
    memset(text, 0, sizeof *text);
}


/* ---- Files -------------------------------------------------------------- */

/* Whether a slash would end a comment, or look like the start of one. */
static bool is_slash_of_comment(const char *word, size_t i)
{
    return word[i] == '/' &&
           (word[i + 1] == '*' || (i > 0 && word[i - 1] == '*'));
}

/* Adds the words of a sentence, wrapped to the lines of a comment. */
static void add_sentence(table_text *text, const char *sentence)
{
    size_t column = 2;

    add_string(text, " *");
    while (*sentence) {
        size_t size = strcspn(sentence, " ");

        if (size > 0 && column + 1 + size > COLUMNS && column > 2) {
            add_string(text, "\n *  ");
            column = 4;
        }
        add_string(text, " ");
        for (size_t i = 0; i < size; i++)
            add_bytes(text,
                      is_slash_of_comment(sentence, i) ? "|" : sentence + i, 1);
        column += 1 + size;
        sentence += size;
        sentence += strspn(sentence, " ");
    }
    add_string(text, "\n");
}

/* Adds the include guard NAME_TABLE_H, in capitals, after a word. */
static void add_guard(table_text *text, const char *before)
{
    char guard[128];
    size_t i;

    for (i = 0; text->name[i] && i + 9 < sizeof guard; i++)
        guard[i] = (char)toupper((unsigned char)text->name[i]);
    memcpy(guard + i, "_TABLE_H", 9);
    table_add(text, "%s%s\n", before, guard);
}

void table_begin(table_text *text, const table_origin *origin, const char *what,
                 size_t bytes)
{
    char line[160];

    memset(text, 0, sizeof *text);
    text->name = origin->name;
    if (origin->notice)
        table_add(text, "%s\n", origin->notice);
    add_string(text, "/* Made by a tool; include it in one source file.\n *\n");
    add_sentence(text, origin->command);
    snprintf(line, sizeof line, "%s; %lu bytes of ROM", what,
             (unsigned long)bytes);
    add_sentence(text, line);
    add_string(text, " */\n\n");
    add_guard(text, "#ifndef ");
    add_guard(text, "#define ");
    add_string(text, "\n#include \"vsp.h\"\n\n");
}

bool table_save(table_text *text, const char *file)
{
    bool is_done = !text->is_lost;

    if (!is_done)
        fprintf(stderr, "vsp: no memory for '%s'\n", file);
    else
        is_done = file_write(file, text->bytes, text->size);
    table_free(text);
    return is_done;
}

bool table_is_keyword(const char *word)
{
    static const char *const keywords[] = {
        "_Bool",  "_Complex", "_Imaginary", "auto",     "break",    "case",
        "char",   "const",    "continue",   "default",  "do",       "double",
        "else",   "enum",     "extern",     "float",    "for",      "goto",
        "if",     "inline",   "int",        "long",     "register", "restrict",
        "return", "short",    "signed",     "sizeof",   "static",   "struct",
        "switch", "typedef",  "union",      "unsigned", "void",     "volatile",
        "while",  NULL};

    for (const char *const *it = keywords; *it; it++)
        if (strcmp(*it, word) == 0)
            return true;
    return false;
}

bool table_name(const char *file, char *out, size_t size)
{
    const char *slash = strrchr(file, '/');
    const char *start = slash ? slash + 1 : file;
    const char *dot = strchr(start, '.');
    size_t count = dot ? (size_t)(dot - start) : strlen(start);
    size_t used = 0;

    if (count == 0 || count + 2 > size)
        return false;
    if (isdigit((unsigned char)start[0]))
        out[used++] = '_';
    for (size_t i = 0; i < count; i++)
        out[used++] = (char)(isalnum((unsigned char)start[i]) ? start[i] : '_');
    out[used] = '\0';
    return !table_is_keyword(out);
}


/* ---- Arrays ------------------------------------------------------------- */

void table_open(table_text *text, const char *type, const char *part)
{
    table_add(text, "static const %s %s_%s[] = {\n", type, text->name, part);
    text->column = 0;
}

void table_item(table_text *text, const char *format, ...)
{
    char item[256];
    va_list arguments;
    size_t size;

    va_start(arguments, format);
    size = (size_t)vsnprintf(item, sizeof item, format, arguments);
    va_end(arguments);
    if (size >= sizeof item) {
        text->is_lost = true;
        return;
    }
    if (text->column > 0 && text->column + size + 2 > COLUMNS) {
        add_string(text, "\n");
        text->column = 0;
    }
    table_add(text, "%s%s,", text->column > 0 ? " " : "    ", item);
    text->column += size + (text->column > 0 ? 2 : 5);
}

void table_close(table_text *text)
{
    add_string(text, "\n};\n\n");
}

void table_place_items(table_text *text, const vsp_place *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_item(text, "{%ld, %ld, %ld}", (long)places[i].x,
                   (long)places[i].y, (long)places[i].z);
}

void table_places(table_text *text, const char *part, const vsp_place *places,
                  size_t count)
{
    table_open(text, "vsp_place", part);
    table_place_items(text, places, count);
    table_close(text);
}

void table_shorts(table_text *text, const char *part, const int16_t *numbers,
                  size_t count)
{
    table_open(text, "int16_t", part);
    for (size_t i = 0; i < count; i++)
        table_item(text, "%d", numbers[i]);
    table_close(text);
}


/* ---- The constant ------------------------------------------------------- */

/* The extern declaration avoids a warning about a missing one, and gives the
 * constant external linkage in C++. */
void table_open_constant(table_text *text, const char *type)
{
    table_add(text, "extern const %s %s;\nconst %s %s = {\n", type, text->name,
              type, text->name);
    text->column = 0;
}

void table_bulk(table_text *text, const vsp_bulk *bulk)
{
    const uint32_t *inertia = bulk->inertia;

    table_item(text, "{0x%08lxu", (unsigned long)bulk->volume);
    table_item(text, "{0x%08lxu, 0x%08lxu, 0x%08lxu", (unsigned long)inertia[0],
               (unsigned long)inertia[1], (unsigned long)inertia[2]);
    table_item(text, "0x%08lxu, 0x%08lxu, 0x%08lxu}", (unsigned long)inertia[3],
               (unsigned long)inertia[4], (unsigned long)inertia[5]);
    table_item(text, "{%ld, %ld, %ld}}", (long)bulk->center.x,
               (long)bulk->center.y, (long)bulk->center.z);
}

void table_end(table_text *text)
{
    add_string(text, "\n};\n\n#endif\n");
}
