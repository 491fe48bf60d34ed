/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Writes pictures as PNG files, whole or chunk by chunk. */

#ifndef PNG_H
#define PNG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* as numbers in the file */
typedef enum png_colours { PNG_RGB = 2, PNG_PALETTE = 3 } png_colours;

/* Writes width * height pixels of red, green, blue bytes, top row first.
 * Returns false if the file cannot be written. */
bool png_write(const char *path, int width, int height,
               const unsigned char *rgb);

/* Write the signature and the header; a chunk with a name of four letters; the
 * last chunk.  Return false if that fails. */
bool png_write_head(FILE *file, int width, int height, png_colours colours);
bool png_write_chunk(FILE *file, const char *name, const unsigned char *bytes,
                     size_t size);
bool png_write_end(FILE *file);

/* Writes the four bytes of a number, highest first. */
void png_put_word(unsigned char *out, uint32_t word);

#endif
