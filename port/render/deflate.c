/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Deflate (RFC 1951) in one dynamic block, bottom up: a bit stream, Huffman
 * codes, matches, and the stream with its checksum. */

#include "deflate.h"

#include <stdint.h>
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

size_t deflate_bytes(const unsigned char *bytes, size_t size,
                     unsigned char *out)
{
    bits stream = {out, 2, 0, 0};
    token *tokens = malloc(size * sizeof *tokens);
    uint32_t sum = adler32(bytes, size);

    if (!tokens)
        return 0;
    out[0] = 0x78;
    out[1] = 0x01;
    deflate_tokens(&stream, tokens, find_matches(bytes, size, tokens));
    free(tokens);
    for (int i = 24; i >= 0; i -= 8)
        out[stream.size++] = (unsigned char)(sum >> i & 0xffu);
    return stream.size;
}
