/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Messages on a line of bytes (a UART) that sometimes changes, loses or makes
 * up a byte.  A frame is a zero, the message and its CRC-32 (IEEE 802.3, low
 * byte first) stuffed so that no byte of them is zero (COBS, S.  Cheshire and
 * M.  Baker, Consistent overhead byte stuffing, 1999), and a zero.  So the
 * receiver finds the next frame at the next zero, whatever happened before: an
 * error costs only its own frame.  It needs no libc. */

#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bytes of a message at most */
#ifndef FRAME_MAX_MESSAGE
#define FRAME_MAX_MESSAGE 1200u
#endif

#define FRAME_CHECK 4u /* bytes of the CRC */

/* bytes of the frame of a message of this size, at most */
#define FRAME_BYTES(size) \
    ((size) + FRAME_CHECK + ((size) + FRAME_CHECK) / 254u + 3u)

/* A receiver.  Start from all zero. */
typedef struct frame_reader {
    uint32_t good, bad; /* frames; an empty one does not count */
    size_t size;        /* of the message, bytes */
    unsigned char bytes[FRAME_MAX_MESSAGE + FRAME_CHECK];
    unsigned char left; /* bytes until the next code */
    bool is_short;      /* that code stands for a zero */
    bool is_broken;     /* cannot become a message */
    bool is_done;
} frame_reader;

/* Writes the frame of a message of 1 to FRAME_MAX_MESSAGE bytes, and returns
 * its size. */
size_t frame_write(const void *message, size_t size, unsigned char *frame);

/* Takes a byte.  Returns true when it ends a message of it->size bytes,
 * it->bytes, which stay until the next call. */
bool frame_read(frame_reader *it, unsigned char byte);

#endif
