/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Animated PNG (PNG, third edition, 2025): a palette for all frames, what
 * changes from frame to frame, and the file.  A frame after the first is the
 * rectangle around the pixels that change, and transparent where they do
 * not. */

#include "apng.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "port/render/deflate.h"
#include "port/render/png.h"


/* ---- Palette ------------------------------------------------------------ */

/* Colours are told apart by this many bits of red, green and blue. */
#define DEPTH 6
#define CELLS (1u << 3 * DEPTH)
#define COLOURS 255 /* index 0 is transparent */

typedef struct shade {
    uint32_t count; /* pixels */
    unsigned char channel[3];
} shade;

/* A box of colours that share an index: shades from begin to below end. */
typedef struct group {
    size_t begin, end;
    int axis;      /* the channel in which they differ most */
    double spread; /* how much is gained if the group is split */
} group;

typedef struct palette {
    shade *shades;
    unsigned char *index; /* of each cell */
    group groups[COLOURS];
    int count;
} palette;

static uint32_t cell_of(const unsigned char *rgb)
{
    uint32_t cell = 0;

    for (int i = 0; i < 3; i++)
        cell = cell << DEPTH | rgb[i] >> (8 - DEPTH);
    return cell;
}

/* Lists the colours that occur.  Returns their number. */
static size_t list_shades(const apng *it, shade *shades)
{
    size_t pixels = (size_t)it->width * (size_t)it->height * (size_t)it->count;
    size_t used = 0;

    memset(shades, 0, CELLS * sizeof *shades);
    for (size_t i = 0; i < pixels; i++) {
        shade *to = &shades[cell_of(it->rgb + 3 * i)];

        to->count++;
        memcpy(to->channel, it->rgb + 3 * i, 3);
    }
    for (size_t i = 0; i < CELLS; i++)
        if (shades[i].count > 0)
            shades[used++] = shades[i];
    return used;
}

static int compare_channels(const void *a, const void *b, int axis)
{
    return ((const shade *)a)->channel[axis] -
           ((const shade *)b)->channel[axis];
}

static int compare_red(const void *a, const void *b)
{
    return compare_channels(a, b, 0);
}

static int compare_green(const void *a, const void *b)
{
    return compare_channels(a, b, 1);
}

static int compare_blue(const void *a, const void *b)
{
    return compare_channels(a, b, 2);
}

static void measure_group(const shade *shades, group *it)
{
    double pixels = 0.0;
    int widest = -1;

    for (size_t i = it->begin; i < it->end; i++)
        pixels += shades[i].count;
    for (int axis = 0; axis < 3; axis++) {
        int low = 255, high = 0;

        for (size_t i = it->begin; i < it->end; i++) {
            int value = shades[i].channel[axis];

            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        if (high - low > widest) {
            widest = high - low;
            it->axis = axis;
        }
    }
    it->spread = it->end - it->begin > 1 ? pixels * widest * widest : 0.0;
}

/* Splits a group where half of its pixels are on either side. */
static void split_group(shade *shades, group *it, group *rest)
{
    static int (*const compare[3])(const void *, const void *) = {
        compare_red, compare_green, compare_blue};
    double pixels = 0.0, sum = 0.0;
    size_t middle = it->begin;

    qsort(shades + it->begin, it->end - it->begin, sizeof *shades,
          compare[it->axis]);
    for (size_t i = it->begin; i < it->end; i++)
        pixels += shades[i].count;
    do
        sum += shades[middle++].count;
    while (sum < 0.5 * pixels && middle + 1 < it->end);
    rest->begin = middle;
    rest->end = it->end;
    it->end = middle;
    measure_group(shades, it);
    measure_group(shades, rest);
}

/* Chooses the colours by median cut (P. Heckbert, Color image quantization for
 * frame buffer display, 1982). */
static void choose_colours(palette *it, size_t shades)
{
    it->groups[0].begin = 0;
    it->groups[0].end = shades;
    it->count = 1;
    measure_group(it->shades, &it->groups[0]);
    while (it->count < COLOURS) {
        int best = 0;

        for (int i = 1; i < it->count; i++)
            if (it->groups[i].spread > it->groups[best].spread)
                best = i;
        if (it->groups[best].spread <= 0.0)
            return;
        split_group(it->shades, &it->groups[best], &it->groups[it->count++]);
    }
}

/* Gives each cell of a group its index, from 1, and writes its mean colour. */
static void name_colours(palette *it, unsigned char *rgb)
{
    memset(rgb, 0, 3);
    for (int k = 0; k < it->count; k++) {
        const group *from = &it->groups[k];
        double sum[3] = {0.0, 0.0, 0.0}, pixels = 0.0;

        for (size_t i = from->begin; i < from->end; i++) {
            const shade *one = &it->shades[i];

            it->index[cell_of(one->channel)] = (unsigned char)(k + 1);
            pixels += one->count;
            for (int axis = 0; axis < 3; axis++)
                sum[axis] += (double)one->count * one->channel[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            rgb[3 * (k + 1) + axis] = (unsigned char)(sum[axis] / pixels + 0.5);
    }
}


/* ---- Frames ------------------------------------------------------------- */

typedef struct rectangle {
    int left, top, right, bottom; /* the last two are outside */
} rectangle;

static unsigned char index_at(const apng *it, const palette *colours, int frame,
                              int x, int y)
{
    size_t row = (size_t)frame * (size_t)it->height + (size_t)y;
    size_t pixel = row * (size_t)it->width + (size_t)x;

    return colours->index[cell_of(it->rgb + 3 * pixel)];
}

static bool is_changed(const apng *it, const palette *colours, int frame, int x,
                       int y)
{
    return frame == 0 || index_at(it, colours, frame, x, y) !=
                             index_at(it, colours, frame - 1, x, y);
}

/* Returns the rectangle around what changes; one pixel if nothing does. */
static rectangle changed_part(const apng *it, const palette *colours, int frame)
{
    rectangle box = {it->width, it->height, 0, 0};

    for (int y = 0; y < it->height; y++)
        for (int x = 0; x < it->width; x++)
            if (is_changed(it, colours, frame, x, y)) {
                box.left = x < box.left ? x : box.left;
                box.right = x >= box.right ? x + 1 : box.right;
                box.top = y < box.top ? y : box.top;
                box.bottom = y + 1;
            }
    if (box.right == 0) {
        box.left = box.top = 0;
        box.right = box.bottom = 1;
    }
    return box;
}

/* Writes the rows of a rectangle, each after the number of its filter, none.
 * Returns their size. */
static size_t put_rows(const apng *it, const palette *colours, int frame,
                       const rectangle *box, unsigned char *out)
{
    size_t size = 0;

    for (int y = box->top; y < box->bottom; y++) {
        out[size++] = 0;
        for (int x = box->left; x < box->right; x++)
            out[size++] = is_changed(it, colours, frame, x, y)
                              ? index_at(it, colours, frame, x, y)
                              : 0;
    }
    return size;
}


/* ---- File --------------------------------------------------------------- */

typedef struct apng_file {
    FILE *file;
    uint32_t sequence; /* chunks of frames so far */
    unsigned char *rows, *data;
} apng_file;

static bool write_control(apng_file *to, const apng *it, int frame,
                          const rectangle *box)
{
    unsigned char control[26] = {0};
    int delay = frame + 1 < it->count ? it->delay : it->rest;

    png_put_word(control, to->sequence++);
    png_put_word(control + 4, (uint32_t)(box->right - box->left));
    png_put_word(control + 8, (uint32_t)(box->bottom - box->top));
    png_put_word(control + 12, (uint32_t)box->left);
    png_put_word(control + 16, (uint32_t)box->top);
    control[20] = (unsigned char)(delay >> 8); /* delay / 1000 s */
    control[21] = (unsigned char)(delay & 0xff);
    control[22] = 1000 >> 8;
    control[23] = 1000 & 0xff;
    control[25] = 1; /* over the frame before */
    return png_write_chunk(to->file, "fcTL", control, sizeof control);
}

/* Writes a frame.  The data of all but the first begin with a number. */
static bool write_frame(apng_file *to, const apng *it, const palette *colours,
                        int frame)
{
    rectangle box = changed_part(it, colours, frame);
    size_t size = put_rows(it, colours, frame, &box, to->rows);
    bool is_done = write_control(to, it, frame, &box);

    size = deflate_bytes(to->rows, size, to->data + 4);
    if (!is_done || size == 0)
        return false;
    if (frame == 0)
        return png_write_chunk(to->file, "IDAT", to->data + 4, size);
    png_put_word(to->data, to->sequence++);
    return png_write_chunk(to->file, "fdAT", to->data, size + 4);
}

static bool write_frames(apng_file *to, const apng *it, palette *colours)
{
    static unsigned char table[3 * (COLOURS + 1)];
    static const unsigned char transparent[1] = {0};
    unsigned char control[8] = {0};

    choose_colours(colours, list_shades(it, colours->shades));
    name_colours(colours, table);
    png_put_word(control, (uint32_t)it->count);
    if (!png_write_head(to->file, it->width, it->height, PNG_PALETTE) ||
        !png_write_chunk(to->file, "acTL", control, 8) ||
        !png_write_chunk(to->file, "PLTE", table,
                         3 * ((size_t)colours->count + 1)) ||
        !png_write_chunk(to->file, "tRNS", transparent, 1))
        return false;
    for (int i = 0; i < it->count; i++)
        if (!write_frame(to, it, colours, i))
            return false;
    return png_write_end(to->file);
}

bool apng_write(const char *path, const apng *it)
{
    size_t size = ((size_t)it->width + 1) * (size_t)it->height;
    static palette colours;
    apng_file to = {0};
    bool is_written = false;

    colours.shades = malloc(CELLS * sizeof *colours.shades);
    colours.index = malloc(CELLS);
    to.rows = malloc(size);
    to.data = malloc(DEFLATE_ROOM(size) + 4);
    to.file = fopen(path, "wb");
    if (colours.shades && colours.index && to.rows && to.data && to.file)
        is_written = write_frames(&to, it, &colours);
    if (to.file)
        is_written = fclose(to.file) == 0 && is_written;
    free(to.data);
    free(to.rows);
    free(colours.index);
    free(colours.shades);
    return is_written;
}
