/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Messages on a line of bytes (a UART) that may change, lose or insert bytes.
 * A frame is a zero, the stuffed message with its CRC-32 (IEEE 802.3, low byte
 * first), and a zero.  Stuffing (COBS, S. Cheshire and M. Baker, Consistent
 * overhead byte stuffing, 1999) leaves no zero byte, so the receiver finds the
 * next frame at the next zero, and an error costs only one frame.  It needs no
 * libc. */

#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* most bytes of a message */
#ifndef FRAME_MAX_MESSAGE
#define FRAME_MAX_MESSAGE 1200u
#endif

#define FRAME_CHECK 4u /* bytes of the CRC */

/* most bytes of the frame of a message of this size */
#define FRAME_BYTES(size) \
    ((size) + FRAME_CHECK + ((size) + FRAME_CHECK) / 254u + 3u)

/* A receiver.  Before use set everything to zero. */
typedef struct frame_reader {
    uint32_t good, bad; /* frames received; empty ones do not count */
    size_t size;        /* bytes of the message so far */
    unsigned char bytes[FRAME_MAX_MESSAGE + FRAME_CHECK];
    unsigned char left; /* bytes until the next code of the stuffing */
    bool is_short;      /* the present block ends with a zero */
    bool is_broken;     /* the frame is not valid */
    bool is_done;
} frame_reader;

/* Writes the frame of a message of 1 to FRAME_MAX_MESSAGE bytes.  Returns the
 * frame's size. */
size_t frame_write(const void *message, size_t size, unsigned char *frame);

/* Receives a byte.  Returns true when it completes a message: it->size bytes in
 * it->bytes, which stay until the next call. */
bool frame_read(frame_reader *it, unsigned char byte);

#endif
