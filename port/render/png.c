/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* PNG, bottom up: a bit stream, Huffman codes, matches (deflate, RFC 1951, one
 * dynamic block), row filters, and the chunks of the file.  All buffers are
 * large enough for the worst case, so nothing can fail midway. */

#include "png.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* ---- Bits --------------------------------------------------------------- */

typedef struct bits {
    unsigned char *bytes;
    size_t size;
    uint32_t held; /* bits not written yet, lowest first */
    int held_count;
} bits;

static void put_bits(bits *out, uint32_t value, int count)
{
    out->held |= value << out->held_count;
    out->held_count += count;
    while (out->held_count >= 8) {
        out->bytes[out->size++] = (unsigned char)(out->held & 0xffu);
        out->held >>= 8;
        out->held_count -= 8;
    }
}

static void put_last_bits(bits *out)
{
    if (out->held_count > 0)
        put_bits(out, 0, 8 - out->held_count);
}

/* Huffman codes are written highest bit first. */
static void put_code(bits *out, uint32_t code, int length)
{
    uint32_t reversed = 0;

    for (int i = 0; i < length; i++)
        reversed |= (code >> i & 1u) << (length - 1 - i);
    put_bits(out, reversed, length);
}


/* ---- Huffman codes ------------------------------------------------------ */

#define MAX_SYMBOLS 286
#define MAX_CODE_BITS 15

typedef struct huffman {
    int symbols;
    uint32_t count[MAX_SYMBOLS];
    int length[MAX_SYMBOLS]; /* bits; 0: the symbol does not occur */
    uint32_t code[MAX_SYMBOLS];
} huffman;

/* Nodes of the tree: first symbols, then joined pairs. */
typedef struct tree {
    uint32_t weight[2 * MAX_SYMBOLS];
    int parent[2 * MAX_SYMBOLS]; /* -1: none yet */
    int nodes;
} tree;

/* Returns the lightest node without a parent; -1 if there is none. */
static int lightest(const tree *it)
{
    int best = -1;

    for (int i = 0; i < it->nodes; i++)
        if (it->weight[i] > 0 && it->parent[i] < 0 &&
            (best < 0 || it->weight[i] < it->weight[best]))
            best = i;
    return best;
}

static void join_all(tree *it)
{
    for (;;) {
        int first = lightest(it);
        int second;

        if (first < 0)
            return;
        it->parent[first] = it->nodes;
        second = lightest(it);
        if (second < 0) {
            it->parent[first] = -1;
            return;
        }
        it->parent[second] = it->nodes;
        it->weight[it->nodes] = it->weight[first] + it->weight[second];
        it->parent[it->nodes] = -1;
        it->nodes++;
    }
}

/* Computes the length of each code.  Returns the longest. */
static int measure_codes(huffman *it)
{
    static tree nodes;
    int longest = 0;

    nodes.nodes = it->symbols;
    for (int i = 0; i < it->symbols; i++) {
        nodes.weight[i] = it->count[i];
        nodes.parent[i] = -1;
    }
    join_all(&nodes);
    for (int i = 0; i < it->symbols; i++) {
        int length = 0;

        for (int k = i; nodes.parent[k] >= 0; k = nodes.parent[k])
            length++;
        /* a single symbol still takes one bit */
        it->length[i] = it->count[i] > 0 && length == 0 ? 1 : length;
        longest = it->length[i] > longest ? it->length[i] : longest;
    }
    return longest;
}

/* Assigns codes: those of one length count up in the order of symbols. */
static void number_codes(huffman *it)
{
    uint32_t code = 0;

    for (int length = 1; length <= MAX_CODE_BITS; length++) {
        for (int i = 0; i < it->symbols; i++)
            if (it->length[i] == length)
                it->code[i] = code++;
        code <<= 1;
    }
}

static void make_codes(huffman *it)
{
    /* flatter counts give shorter codes; equal counts give codes of 9 bits */
    while (measure_codes(it) > MAX_CODE_BITS)
        for (int i = 0; i < it->symbols; i++)
            it->count[i] = (it->count[i] + 1) / 2;
    number_codes(it);
}


/* ---- Matches ------------------------------------------------------------ */

#define WINDOW 32768u
#define MIN_MATCH 4u
#define MAX_MATCH 258u
#define HASH_BITS 15
#define END_OF_BLOCK 256

/* A literal byte, or a match: a length and a distance. */
typedef struct token {
    uint16_t length; /* 1: a literal */
    uint16_t value;  /* the byte, or the distance minus 1 */
} token;

static uint32_t hash_at(const unsigned char *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, 4);
    return word * 2654435761u >> (32 - HASH_BITS);
}

static uint32_t match_length(const unsigned char *a, const unsigned char *b,
                             size_t left)
{
    uint32_t most = left < MAX_MATCH ? (uint32_t)left : MAX_MATCH;
    uint32_t length = 0;

    while (length < most && a[length] == b[length])
        length++;
    return length;
}

/* Returns the token at a position; last[h] is 1 + the last position where bytes
 * with the hash h begin. */
static token next_token(const unsigned char *bytes, size_t at, size_t size,
                        uint32_t *last)
{
    token result = {1, bytes[at]};
    uint32_t *entry;
    size_t from;

    if (size - at < MIN_MATCH)
        return result;
    entry = &last[hash_at(bytes + at)];
    from = *entry;
    *entry = (uint32_t)at + 1;
    if (from > 0 && at - (from - 1) <= WINDOW) {
        uint32_t length = match_length(bytes + from - 1, bytes + at, size - at);

        if (length >= MIN_MATCH) {
            result.length = (uint16_t)length;
            result.value = (uint16_t)(at - from);
        }
    }
    return result;
}

/* Writes the tokens.  Returns their number. */
static size_t find_matches(const unsigned char *bytes, size_t size, token *out)
{
    static uint32_t last[1u << HASH_BITS];
    size_t count = 0;

    memset(last, 0, sizeof last);
    for (size_t at = 0; at < size; at += out[count++].length)
        out[count] = next_token(bytes, at, size, last);
    return count;
}


/* ---- Deflate ------------------------------------------------------------ */

/* A number in deflate's form: a symbol, and extra bits. */
typedef struct spread {
    int symbol;
    int extra; /* number of extra bits */
    uint32_t rest;
} spread;

/* Makes 2^fine symbols for each power of two. */
static spread spread_number(uint32_t number, int fine)
{
    spread result = {(int)number, 0, 0};

    while (number >> result.extra >= 2u << fine)
        result.extra++;
    if (result.extra > 0) {
        result.symbol = (result.extra << fine) + (int)(number >> result.extra);
        result.rest = number & ((1u << result.extra) - 1u);
    }
    return result;
}

static spread spread_length(uint32_t length)
{
    spread longest = {28, 0, 0};

    return length == MAX_MATCH ? longest : spread_number(length - 3, 2);
}

static void count_tokens(const token *tokens, size_t count, huffman *literals,
                         huffman *distances)
{
    memset(literals, 0, sizeof *literals);
    memset(distances, 0, sizeof *distances);
    literals->symbols = 286;
    distances->symbols = 30;
    literals->count[END_OF_BLOCK] = 1;
    for (size_t i = 0; i < count; i++) {
        if (tokens[i].length == 1) {
            literals->count[tokens[i].value]++;
            continue;
        }
        literals->count[257 + spread_length(tokens[i].length).symbol]++;
        distances->count[spread_number(tokens[i].value, 1).symbol]++;
    }
}

/* Writes the header of a block, and code lengths as plain numbers of four
 * bits. */
static void put_block_header(bits *out, const huffman *literals,
                             const huffman *distances)
{
    put_bits(out, 1, 1); /* this is the last block */
    put_bits(out, 2, 2); /* with its own codes */
    put_bits(out, 286 - 257, 5);
    put_bits(out, 30 - 1, 5);
    put_bits(out, 19 - 4, 4);
    for (int i = 0; i < 19; i++) /* lengths of lengths 0 to 15; 16 to 18 are not
                                  * used */
        put_bits(out, i < 3 ? 0 : 4, 3);
    for (int i = 0; i < literals->symbols; i++)
        put_code(out, (uint32_t)literals->length[i], 4);
    for (int i = 0; i < distances->symbols; i++)
        put_code(out, (uint32_t)distances->length[i], 4);
}

static void put_token(bits *out, token it, const huffman *literals,
                      const huffman *distances)
{
    spread length;
    spread distance;

    if (it.length == 1) {
        put_code(out, literals->code[it.value], literals->length[it.value]);
        return;
    }
    length = spread_length(it.length);
    distance = spread_number(it.value, 1);
    put_code(out, literals->code[257 + length.symbol],
             literals->length[257 + length.symbol]);
    put_bits(out, length.rest, length.extra);
    put_code(out, distances->code[distance.symbol],
             distances->length[distance.symbol]);
    put_bits(out, distance.rest, distance.extra);
}

static void deflate_tokens(bits *out, const token *tokens, size_t count)
{
    static huffman literals;
    static huffman distances;

    count_tokens(tokens, count, &literals, &distances);
    make_codes(&literals);
    make_codes(&distances);
    put_block_header(out, &literals, &distances);
    for (size_t i = 0; i < count; i++)
        put_token(out, tokens[i], &literals, &distances);
    put_code(out, literals.code[END_OF_BLOCK], literals.length[END_OF_BLOCK]);
    put_last_bits(out);
}

static uint32_t adler32(const unsigned char *bytes, size_t size)
{
    uint32_t a = 1;
    uint32_t b = 0;

    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

static void put_big_endian(unsigned char *out, uint32_t word)
{
    out[0] = (unsigned char)(word >> 24);
    out[1] = (unsigned char)(word >> 16 & 0xffu);
    out[2] = (unsigned char)(word >> 8 & 0xffu);
    out[3] = (unsigned char)(word & 0xffu);
}

/* Writes bytes as a zlib stream.  Returns its size. */
static size_t compress_bytes(const unsigned char *bytes, size_t size,
                             token *tokens, unsigned char *out)
{
    bits stream = {out, 2, 0, 0};

    out[0] = 0x78;
    out[1] = 0x01;
    deflate_tokens(&stream, tokens, find_matches(bytes, size, tokens));
    put_big_endian(out + stream.size, adler32(bytes, size));
    return stream.size + 4;
}


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

static uint32_t crc32(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xffffffffu;

    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

/* Writes a chunk: its size, name, bytes and checksum. bytes has space for the
 * name in front and the checksum behind. */
static bool write_chunk(FILE *file, const char *name, unsigned char *bytes,
                        size_t size)
{
    unsigned char length[4];

    put_big_endian(length, (uint32_t)size);
    memcpy(bytes, name, 4);
    put_big_endian(bytes + 4 + size, crc32(bytes, size + 4));
    return fwrite(length, 1, 4, file) == 4 &&
           fwrite(bytes, 1, size + 8, file) == size + 8;
}

static bool write_file(FILE *file, int width, int height, unsigned char *data,
                       size_t size)
{
    static const unsigned char signature[8] = {0x89, 'P',  'N',  'G',
                                               '\r', '\n', 0x1a, '\n'};
    unsigned char header[21] = {0};
    unsigned char end[8];

    put_big_endian(header + 4, (uint32_t)width);
    put_big_endian(header + 8, (uint32_t)height);
    header[12] = 8; /* bits a channel */
    header[13] = 2; /* red, green, blue */
    return fwrite(signature, 1, 8, file) == 8 &&
           write_chunk(file, "IHDR", header, 13) &&
           write_chunk(file, "IDAT", data, size) &&
           write_chunk(file, "IEND", end, 0);
}

static bool write_path(const char *path, int width, int height,
                       unsigned char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool is_written;

    if (!file)
        return false;
    is_written = write_file(file, width, height, data, size);
    return fclose(file) == 0 && is_written;
}

bool png_write(const char *path, int width, int height,
               const unsigned char *rgb)
{
    size_t size = ((size_t)width * PIXEL + 1) * (size_t)height;
    unsigned char *rows = malloc(size);
    token *tokens = malloc(size * sizeof *tokens);
    /* no code is longer than 15 bits: twice the size is enough */
    unsigned char *data = malloc(2 * size + 1024);
    bool is_written = false;

    if (rows && tokens && data) {
        filter_rows(rgb, width * PIXEL, height, rows);
        is_written = write_path(path, width, height, data,
                                compress_bytes(rows, size, tokens, data + 4));
    }
    free(data);
    free(tokens);
    free(rows);
    return is_written;
}
