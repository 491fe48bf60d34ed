/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* In this order: checksums, snapshots, replays and their records, messages. */

#include "fix.h"

#include <stdio.h>
#include <stdlib.h>

#define SNAPSHOT_HEADER 40u
#define SNAPSHOT_TABLES (SNAPSHOT_HEADER + 4u * 22u) /* the digest */
#define REPLAY_HEADER 56u
#define MESSAGE_HEADER 40u
#define RECORD_LENGTH(name, words, reals) \
    (words) + (reals) * sizeof(vsp_real) / 4u,
#define SCALAR_KIND (VSP_FIXED ? 2u : 1u)

void must_hold(bool holds, const char *file, int line, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

uint32_t word_of(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
           (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void set_word(unsigned char *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
}

static uint32_t rotl(uint32_t x, uint32_t n)
{
    return x << n | x >> (32 - n);
}

/* SPEC.md, section 4 */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    uint32_t h = 0;

    for (size_t at = 0; at < size; at += 4) {
        h ^= rotl(word_of(bytes + at) * 0x85ebca77u, 13) * 0x9e3779b1u;
        h = rotl(h, 17) * 5u + 0x52dce729u;
    }
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

static void set_words(unsigned char *bytes, const uint32_t *words,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        set_word(bytes + 4 * i, words[i]);
}

void fix_snapshot(unsigned char *bytes, size_t size)
{
    uint32_t words[7] = {0x53505356u,
                         VSP_FORMAT_VERSION,
                         VSP_VERSION,
                         VSP_BITS_VERSION,
                         SCALAR_KIND,
                         (uint32_t)size,
                         0};

    if (size < SNAPSHOT_HEADER)
        return;
    set_words(bytes, words, 7);
    set_word(bytes + 24, checksum(bytes, size));
}

static uint32_t digest_of(const vsp_world *world)
{
    static unsigned char bytes[VSP_SNAPSHOT_BYTES];
    size_t size;

    MUST(vsp_world_snapshot(world, bytes, sizeof bytes, &size) == VSP_OK);
    return word_of(bytes + SNAPSHOT_TABLES);
}

VSP_ARENA(digests_arena, VSP_WORLD_BYTES);

table_digests digests_of(const vsp_world *world)
{
    vsp_world_def def = vsp_world_def_default();
    table_digests it = {0};
    vsp_world *other;
    uint32_t number;

    MUST(vsp_world_create(digests_arena.mem, VSP_WORLD_BYTES, &def, &other) ==
         VSP_OK);
    for (; it.count < vsp_world_table_count(world); it.count++) {
        it.of[it.count] = digest_of(other);
        MUST(vsp_world_add_table(other, vsp_world_table(world, it.count + 1),
                                 &number, NULL) == VSP_OK);
    }
    it.of[it.count] = digest_of(other);
    return it;
}

void fix_digest(unsigned char *bytes, size_t size, uint32_t digest)
{
    if (size >= SNAPSHOT_TABLES + 4)
        set_word(bytes + SNAPSHOT_TABLES, digest);
}

/* Makes a record refer to existing tables. */
static void fix_tables(unsigned char *record, size_t size,
                       const table_digests *digests)
{
    uint32_t count = word_of(record + 4) % (digests->count + 1);

    if (record[0] == VSP_OP_TABLES) {
        set_word(record + 4, count);
        set_word(record + 8, digests->of[count]);
    } else {
        fix_digest(record + 4, size,
                   digests->of[record[4 + 8] % (digests->count + 1)]);
    }
}

/* Changes the head of a record to a known sort that fits into the bytes left.
 * Returns false if none fits. */
static bool fix_record(unsigned char *bytes, size_t left,
                       const table_digests *digests)
{
    static const uint8_t lengths[] = {0, VSP_REPLAY_OPS(RECORD_LENGTH)};
    uint32_t head = word_of(bytes), room = (uint32_t)(left / 4 - 1);
    uint32_t op = (head & 0xff) % VSP_OP_COUNT, words;

    if (op <= VSP_OP_END)
        op = VSP_OP_STEP;
    words = lengths[op];
    if (words == 0)
        words = head >> 8 < room ? head >> 8 : room;
    if (words > room)
        return false;
    set_word(bytes, op | words << 8);
    if (digests && (lengths[op] == 0 || op == VSP_OP_TABLES))
        fix_tables(bytes, 4 * (size_t)words, digests);
    if (lengths[op] == 0)
        fix_snapshot(bytes + 4, 4 * (size_t)words);
    return true;
}

/* Repairs all records.  Returns their end, and counts steps. */
static size_t fix_records(unsigned char *bytes, size_t at, size_t size,
                          const table_digests *digests, uint32_t *steps)
{
    *steps = 0;
    while (at + 4 <= size && fix_record(bytes + at, size - at, digests)) {
        *steps += (bytes[at] == VSP_OP_STEP);
        at += 4 + 4 * (size_t)(word_of(bytes + at) >> 8);
    }
    return at;
}

void fix_header(unsigned char *bytes, size_t size)
{
    uint32_t words[5] = {0x52505356u, VSP_REPLAY_FORMAT_VERSION, VSP_VERSION,
                         VSP_BITS_VERSION, SCALAR_KIND};

    if (size < REPLAY_HEADER + 12)
        return;
    set_words(bytes, words, 5);
    set_word(bytes + 52, checksum(bytes, 52));
    set_word(bytes + size - 4, checksum(bytes, size - 4));
}

size_t fix_replay(unsigned char *bytes, size_t size,
                  const table_digests *digests)
{
    uint32_t seed, steps;
    size_t end;

    if (size < REPLAY_HEADER)
        return size;
    seed = word_of(bytes + 48) & ~3u;
    if (seed > size - REPLAY_HEADER)
        seed = (uint32_t)(size - REPLAY_HEADER) & ~3u;
    set_word(bytes + 48, seed);
    if (digests)
        fix_digest(bytes + REPLAY_HEADER, seed,
                   digests->of[bytes[0] % (digests->count + 1)]);
    fix_snapshot(bytes + REPLAY_HEADER, seed);
    end = fix_records(bytes, REPLAY_HEADER + seed, size, digests, &steps);
    set_word(bytes + end, VSP_OP_END | 2u << 8);
    set_word(bytes + end + 4, steps);
    fix_header(bytes, end + 12);
    return end + 12;
}

void fix_message(unsigned char *bytes, size_t size, const unsigned char *good,
                 uint32_t sequence)
{
    unsigned char rest[2048];
    size_t left = size - MESSAGE_HEADER;

    if (size < MESSAGE_HEADER || size > sizeof rest)
        return;
    for (size_t i = 0; i < 12; i++)
        bytes[i] = good[i];
    set_word(bytes + 12, sequence);
    bytes[32] = good[32];
    for (size_t i = 0; i < 36; i++)
        rest[i] = bytes[i];
    for (size_t i = 0; i < left; i++)
        rest[36 + i] = bytes[MESSAGE_HEADER + i];
    set_word(bytes + 36, checksum(rest, 36 + left));
}
