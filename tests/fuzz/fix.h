/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the fuzzers share: bytes they changed get the header and the checksums
 * of this build, so that what lies behind those is reached; and a check that
 * ends the run.  Layouts are those of SPEC.md. */

#ifndef FIX_H
#define FIX_H

#include "vsp.h"

/* Ends the run with a message when what must hold does not. */
#define MUST(condition) must_hold(condition, __FILE__, __LINE__, #condition)
void must_hold(bool holds, const char *file, int line, const char *what);

uint32_t word_of(const unsigned char *bytes);

/* Makes size bytes, whole words of at least the header, a snapshot as far as
 * header and checksum go. */
void fix_snapshot(unsigned char *bytes, size_t size);

/* The digests of a world's tables, of the first 0, 1, ... of them: what
 * snapshots say that were made with these. */
#define MOST_TABLES 8u

typedef struct table_digests {
    uint32_t count;
    uint32_t of[MOST_TABLES + 1];
} table_digests;

table_digests digests_of(const vsp_world *world);

/* Lets a snapshot, of which some may be missing, say that it was made with so
 * many tables; before fix_snapshot. */
void fix_digest(unsigned char *bytes, size_t size, uint32_t digest);

/* Makes size bytes, whole words, a replay as far as versions and its own
 * checksums go. */
void fix_header(unsigned char *bytes, size_t size);

/* The same, of records that are whole and snapshots with checksums, from
 * bytes with room for 12 more; unless digests is null, of records and
 * snapshots that name tables of the world.  Returns the size of the replay. */
size_t fix_replay(unsigned char *bytes, size_t size,
                  const table_digests *digests);

/* Makes size bytes, whole words, a message of lockstep from the sender of a
 * good one, as far as kind, number, sender and checksum go. */
void fix_message(unsigned char *bytes, size_t size, const unsigned char *good,
                 uint32_t sequence);

#endif
