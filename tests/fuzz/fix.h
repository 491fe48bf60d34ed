/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* What the fuzzers share: bytes they changed get the header and the checksums
 * of this build, so that what lies behind those is reached; and a check that
 * ends the run.  Layouts are those of SPEC.md. */

#ifndef FIX_H
#define FIX_H

#include "vsp.h"

/* Ends the run with a message when what must hold does not. */
#define MUST(condition) must(condition, __FILE__, __LINE__, #condition)
void must(bool holds, const char *file, int line, const char *what);

uint32_t word_of(const unsigned char *bytes);

/* Makes size bytes, whole words of at least the header, a snapshot as far as
 * header and checksum go. */
void fix_snapshot(unsigned char *bytes, size_t size);

/* Makes size bytes, whole words, a replay as far as versions and its own
 * checksums go. */
void fix_header(unsigned char *bytes, size_t size);

/* The same, of records that are whole and snapshots with checksums, from
 * bytes with room for 12 more.  Returns the size of the replay. */
size_t fix_replay(unsigned char *bytes, size_t size);

/* Makes size bytes, whole words, a message of lockstep from the sender of a
 * good one, as far as kind, number, sender and checksum go. */
void fix_message(unsigned char *bytes, size_t size, const unsigned char *good,
                 uint32_t sequence);

#endif
