/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Reads and writes whole files. */

#include "file.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads to the end, into an array that grows by doubling. */
static bool read_all(file_bytes *file, FILE *in)
{
    size_t room = 1 << 16;

    for (;;) {
        unsigned char *more = realloc(file->bytes, room);

        if (!more)
            return false;
        file->bytes = more;
        file->size += fread(more + file->size, 1, room - file->size, in);
        if (file->size < room)
            return !ferror(in);
        room *= 2;
    }
}

bool file_read(file_bytes *file, const char *name)
{
    FILE *in = fopen(name, "rb");
    bool is_done;

    /* also if there is no file: the caller frees the bytes */
    file->name = name;
    file->bytes = NULL;
    file->size = 0;
    is_done = in && read_all(file, in);
    if (in)
        fclose(in);
    if (!is_done)
        fprintf(stderr, "vsp: cannot read '%s'\n", name);
    return is_done;
}

char *file_read_text(const char *name, size_t *size)
{
    file_bytes file;
    unsigned char *text = NULL;

    if (!file_read(&file, name)) {
        free(file.bytes);
        return NULL;
    }
    text = realloc(file.bytes, file.size + 1);
    if (!text)
        free(file.bytes);
    else
        text[file.size] = '\0';
    if (size)
        *size = file.size;
    return (char *)text;
}

bool file_write(const char *name, const void *bytes, size_t size)
{
    FILE *out = fopen(name, "wb");
    bool is_done = out && fwrite(bytes, 1, size, out) == size;

    if (out && fclose(out) != 0)
        is_done = false;
    if (!is_done)
        fprintf(stderr, "vsp: cannot write '%s'\n", name);
    return is_done;
}
