/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Writes pictures as PNG files. */

#ifndef PNG_H
#define PNG_H

#include <stdbool.h>

/* Writes width * height pixels of red, green, blue bytes, top row first.
 * Returns false if the file cannot be written. */
bool png_write(const char *path, int width, int height,
               const unsigned char *rgb);

#endif
