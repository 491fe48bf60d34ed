/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Messages between bare machines: frames (frame.h) on a serial line (port.h),
 * some of whose bytes are spoilt on purpose as they are sent. */

#ifndef WIRE_H
#define WIRE_H

#include "../port.h"
#include "frame.h"

#define WIRE_MAX_MESSAGE 512u
#define WIRE_MAX_SPOILT 16u /* bytes made up in one frame */

/* Start with number, random and one_in, and all else zero. */
typedef struct wire {
    uint32_t number; /* of the serial line */
    uint32_t random; /* state of the faults; not 0 */
    uint32_t one_in; /* one byte in this many is spoilt; 0: none */
    frame_reader receiver;
    uint32_t moved;                 /* bytes sent and received */
    uint32_t frames, bytes, spoilt; /* sent */
    size_t size, at; /* of the frame that is being sent, and bytes sent */
    unsigned char frame[FRAME_BYTES(WIRE_MAX_MESSAGE) + WIRE_MAX_SPOILT];
} wire;

/* Sends as many bytes as the line takes, and receives bytes that have arrived.
 * Returns true when they end a message: receiver.bytes until the next call,
 * receiver.size. */
bool wire_poll(wire *it);

/* Whether the last message has been sent. */
bool wire_is_idle(const wire *it);

/* Sends a message, of 1 to WIRE_MAX_MESSAGE bytes; the wire must be idle. */
void wire_send(wire *it, const void *message, size_t size);

#endif
