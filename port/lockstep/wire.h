/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Messages between bare machines: frames (frame.h) on a serial line (port.h),
 * some of whose bytes are corrupted on purpose. */

#ifndef WIRE_H
#define WIRE_H

#include "../port.h"
#include "frame.h"

#define WIRE_MAX_MESSAGE 512u
#define WIRE_MAX_SPOILT 16u /* most bytes inserted into one frame */

/* Before use set number, random and one_in, and everything else to zero. */
typedef struct wire {
    uint32_t number; /* number of the serial line */
    uint32_t random; /* state of the fault generator; not 0 */
    uint32_t one_in; /* one byte in this many is corrupted; 0: none */
    frame_reader receiver;
    uint32_t moved;                 /* bytes sent and received */
    uint32_t frames, bytes, spoilt; /* frames and bytes sent, bytes corrupted */
    size_t size, at; /* bytes of the frame being sent; bytes sent so far */
    unsigned char frame[FRAME_BYTES(WIRE_MAX_MESSAGE) + WIRE_MAX_SPOILT];
} wire;

/* Sends as many bytes as the line takes, and receives bytes that have arrived.
 * Returns true when they complete a message: receiver.size bytes in
 * receiver.bytes, which stay until the next call. */
bool wire_poll(wire *it);

/* Whether the last message has been sent. */
bool wire_is_idle(const wire *it);

/* Sends a message, of 1 to WIRE_MAX_MESSAGE bytes; the wire must be idle. */
void wire_send(wire *it, const void *message, size_t size);

#endif
