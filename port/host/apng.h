/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Writes moving pictures as animated PNG files. */

#ifndef APNG_H
#define APNG_H

#include <stdbool.h>

typedef struct apng {
    int width, height;  /* pixels */
    int count;          /* frames, 1 or more */
    int delay;          /* ms from one frame to the next */
    int rest;           /* ms that the last frame stays */
    unsigned char *rgb; /* all pixels, as png_write takes them */
} apng;

/* Writes the frames in at most 255 colours, which loop for ever.  Returns false
 * if memory runs out or the file cannot be written. */
bool apng_write(const char *path, const apng *it);

#endif
