/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Shared by the fuzzers: gives changed bytes the header and the checksums of
 * this build, so that they get past those checks.  A failed check ends the run.
 * Layouts are those of SPEC.md. */

#ifndef FIX_H
#define FIX_H

#include "vsp.h"

/* Ends the run with a message unless the condition holds. */
#define MUST(condition) must_hold(condition, __FILE__, __LINE__, #condition)
void must_hold(bool holds, const char *file, int line, const char *what);

uint32_t word_of(const unsigned char *bytes);

/* Makes size bytes (whole words, at least a header) a snapshot whose header and
 * checksum are valid. */
void fix_snapshot(unsigned char *bytes, size_t size);

/* The digests of the first 0, 1, ... tables of a world, as snapshots contain
 * them. */
#define MOST_TABLES 8u

typedef struct table_digests {
    uint32_t count;
    uint32_t of[MOST_TABLES + 1];
} table_digests;

table_digests digests_of(const vsp_world *world);

/* Puts a digest of tables into a snapshot, which may be cut short.  Call it
 * before fix_snapshot. */
void fix_digest(unsigned char *bytes, size_t size, uint32_t digest);

/* Makes size bytes (whole words) a replay whose versions and own checksums are
 * valid. */
void fix_header(unsigned char *bytes, size_t size);

/* Like fix_header, and repairs records and the checksums of their snapshots;
 * with digests, makes records and snapshots refer to tables of the world.  The
 * buffer must have space for 12 more bytes.  Returns the size of the replay. */
size_t fix_replay(unsigned char *bytes, size_t size,
                  const table_digests *digests);

/* Makes size bytes (whole words) a lockstep message from the sender of a good
 * one, whose type, number, sender and checksum are valid. */
void fix_message(unsigned char *bytes, size_t size, const unsigned char *good,
                 uint32_t sequence);

#endif
