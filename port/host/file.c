/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Reading and writing whole files. */

#include "file.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads to the end.  The bytes grow by doubling. */
static bool read_all(file_bytes *file, FILE *in)
{
    size_t room = 1 << 16;

    file->size = 0;
    file->bytes = NULL;
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
    bool is_done = in && read_all(file, in);

    file->name = name;
    if (in)
        fclose(in);
    if (!is_done)
        fprintf(stderr, "vsp: cannot read '%s'\n", name);
    return is_done;
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
