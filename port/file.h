/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Whole files in memory. */

#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct file_bytes {
    const char *name;
    unsigned char *bytes; /* from malloc */
    size_t size;
} file_bytes;

/* Reads a file.  Returns false, and prints why on stderr, if that fails. */
bool file_read(file_bytes *file, const char *name);

/* Reads a file into memory from malloc, and adds a zero at the end.  Returns
 * null, and prints why on stderr, if that fails. size may be null. */
char *file_read_text(const char *name, size_t *size);

/* Writes a file.  Returns false, and prints why on stderr, if that fails. */
bool file_write(const char *name, const void *bytes, size_t size);

#endif
