/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* PNG: row filters, chunks, and the file.  All buffers are large enough for the
 * worst case, so only memory and the disk can fail. */

#include "png.h"

#include <stdlib.h>
#include <string.h>

#include "deflate.h"


/* ---- Rows --------------------------------------------------------------- */

#define PIXEL 3 /* bytes */

static int paeth(int left, int up, int corner)
{
    int to_left = abs(up - corner);
    int to_up = abs(left - corner);
    int to_corner = abs(left + up - 2 * corner);

    if (to_left <= to_up && to_left <= to_corner)
        return left;
    return to_up <= to_corner ? up : corner;
}

/* Returns the prediction of byte i by filter 0, 1, 2 or 4; above is null in the
 * top row. */
static int predict_byte(int filter, const unsigned char *row,
                        const unsigned char *above, int i)
{
    int left = i < PIXEL ? 0 : row[i - PIXEL];
    int up = above ? above[i] : 0;
    int corner = above && i >= PIXEL ? above[i - PIXEL] : 0;

    switch (filter) {
    case 1:
        return left;
    case 2:
        return up;
    case 4:
        return paeth(left, up, corner);
    default:
        return 0;
    }
}

/* Writes the filter's number and the filtered row.  Returns the sum of the
 * bytes' absolute values, taken as signed, by which filters are compared. */
static long filter_row(int filter, const unsigned char *row,
                       const unsigned char *above, int size, unsigned char *out)
{
    long sum = 0;

    out[0] = (unsigned char)filter;
    for (int i = 0; i < size; i++) {
        int rest = (row[i] - predict_byte(filter, row, above, i)) & 0xff;

        out[i + 1] = (unsigned char)rest;
        sum += rest < 128 ? rest : 256 - rest;
    }
    return sum;
}

static void filter_rows(const unsigned char *rgb, int size, int height,
                        unsigned char *out)
{
    static const int filters[] = {0, 1, 2, 4};

    for (int y = 0; y < height; y++) {
        const unsigned char *row = rgb + (size_t)y * (size_t)size;
        const unsigned char *above = y > 0 ? row - size : NULL;
        unsigned char *target = out + (size_t)y * ((size_t)size + 1);
        long least = 0;
        int best = 0;

        for (int i = 0; i < 4; i++) {
            long sum = filter_row(filters[i], row, above, size, target);

            if (i == 0 || sum < least) {
                least = sum;
                best = filters[i];
            }
        }
        filter_row(best, row, above, size, target);
    }
}


/* ---- File --------------------------------------------------------------- */

static uint32_t add_to_crc(uint32_t crc, const unsigned char *bytes,
                           size_t size)
{
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return crc;
}

void png_put_word(unsigned char *out, uint32_t word)
{
    out[0] = (unsigned char)(word >> 24);
    out[1] = (unsigned char)(word >> 16 & 0xffu);
    out[2] = (unsigned char)(word >> 8 & 0xffu);
    out[3] = (unsigned char)(word & 0xffu);
}

bool png_write_chunk(FILE *file, const char *name, const unsigned char *bytes,
                     size_t size)
{
    unsigned char head[8], end[4];

    png_put_word(head, (uint32_t)size);
    memcpy(head + 4, name, 4);
    png_put_word(
        end, ~add_to_crc(add_to_crc(0xffffffffu, head + 4, 4), bytes, size));
    return fwrite(head, 1, 8, file) == 8 &&
           fwrite(bytes, 1, size, file) == size && fwrite(end, 1, 4, file) == 4;
}

bool png_write_head(FILE *file, int width, int height, png_colours colours)
{
    static const unsigned char signature[8] = {0x89, 'P',  'N',  'G',
                                               '\r', '\n', 0x1a, '\n'};
    unsigned char head[13] = {0};

    png_put_word(head, (uint32_t)width);
    png_put_word(head + 4, (uint32_t)height);
    head[8] = 8; /* bits a channel */
    head[9] = (unsigned char)colours;
    return fwrite(signature, 1, 8, file) == 8 &&
           png_write_chunk(file, "IHDR", head, 13);
}

bool png_write_end(FILE *file)
{
    static const unsigned char none[1] = {0};

    return png_write_chunk(file, "IEND", none, 0);
}

static bool write_path(const char *path, int width, int height,
                       const unsigned char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool is_written;

    if (!file)
        return false;
    is_written = png_write_head(file, width, height, PNG_RGB) &&
                 png_write_chunk(file, "IDAT", data, size) &&
                 png_write_end(file);
    return fclose(file) == 0 && is_written;
}

bool png_write(const char *path, int width, int height,
               const unsigned char *rgb)
{
    size_t size = ((size_t)width * PIXEL + 1) * (size_t)height;
    unsigned char *rows = malloc(size);
    unsigned char *data = malloc(DEFLATE_ROOM(size));
    bool is_written = false;

    if (rows && data) {
        filter_rows(rgb, width * PIXEL, height, rows);
        size = deflate_bytes(rows, size, data);
        is_written = size > 0 && write_path(path, width, height, data, size);
    }
    free(data);
    free(rows);
    return is_written;
}
