/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Frames, in this order: CRC-32, sending, receiving. */

#include "frame.h"


/* ---- CRC-32 -------------------------------------------------------------- */

/* bit by bit: a table would be larger than all other code of frames */
static uint32_t crc_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xffffffffu;
    size_t i;
    int bit;

    for (i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0u);
    }
    return ~crc;
}


/* ---- Sending ------------------------------------------------------------- */

typedef struct stuffing {
    unsigned char *frame;
    size_t size; /* bytes of the frame so far */
    size_t code; /* index of the code of the current block */
} stuffing;

static void end_block(stuffing *it)
{
    it->frame[it->code] = (unsigned char)(it->size - it->code);
    it->code = it->size++;
}

/* A block is a code and the bytes up to a zero, 254 at most; the code gives the
 * distance to the next block. */
static void stuff_byte(stuffing *it, unsigned char byte)
{
    if (byte != 0)
        it->frame[it->size++] = byte;
    if (byte == 0 || it->size - it->code == 255u)
        end_block(it);
}

size_t frame_write(const void *message, size_t size, unsigned char *frame)
{
    const unsigned char *bytes = message;
    uint32_t crc = crc_of(bytes, size);
    stuffing it;
    size_t i;

    frame[0] = 0;
    it.frame = frame;
    it.code = 1;
    it.size = 2;
    for (i = 0; i < size; i++)
        stuff_byte(&it, bytes[i]);
    for (i = 0; i < FRAME_CHECK; i++)
        stuff_byte(&it, (unsigned char)(crc >> 8 * i & 0xffu));
    end_block(&it);
    frame[it.code] = 0;
    return it.size;
}


/* ---- Receiving ----------------------------------------------------------- */

static void put_byte(frame_reader *it, unsigned char byte)
{
    if (it->size < sizeof it->bytes)
        it->bytes[it->size++] = byte;
    else
        it->is_broken = true;
}

/* Handles a zero: the bytes since the last zero are a message, nothing, or a
 * broken frame.  Returns whether they are a message. */
static bool end_frame(frame_reader *it, bool is_empty)
{
    size_t size = it->size;
    uint32_t crc = 0;
    size_t i;

    it->is_done = true;
    if (is_empty)
        return false;
    if (it->left == 0 && !it->is_broken && size > FRAME_CHECK) {
        size -= FRAME_CHECK;
        for (i = FRAME_CHECK; i > 0; i--)
            crc = crc << 8 | it->bytes[size + i - 1];
        if (crc == crc_of(it->bytes, size)) {
            it->size = size;
            it->good++;
            return true;
        }
    }
    it->bad++;
    return false;
}

static void begin_frame(frame_reader *it)
{
    it->size = 0;
    it->left = 0;
    it->is_short = false;
    it->is_broken = false;
    it->is_done = false;
}

bool frame_read(frame_reader *it, unsigned char byte)
{
    bool is_first;

    if (it->is_done)
        begin_frame(it);
    is_first = it->size == 0 && it->left == 0 && !it->is_short &&
               !it->is_broken;
    if (byte == 0)
        return end_frame(it, is_first);
    if (it->left > 0) {
        put_byte(it, byte);
        it->left--;
        return false;
    }
    if (it->is_short)
        put_byte(it, 0);
    it->left = (unsigned char)(byte - 1u);
    it->is_short = byte < 255u;
    return false;
}
