/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Compresses bytes for PNG files. */

#ifndef DEFLATE_H
#define DEFLATE_H

#include <stddef.h>

/* most bytes of the stream of `size` bytes: no code is longer than 15 bits */
#define DEFLATE_ROOM(size) (2u * (size) + 1024u)

/* Writes at least one byte as a zlib stream (RFC 1950) of at most
 * DEFLATE_ROOM(size) bytes.  Returns its size; 0 if memory runs out. */
size_t deflate_bytes(const unsigned char *bytes, size_t size,
                     unsigned char *out);

#endif
