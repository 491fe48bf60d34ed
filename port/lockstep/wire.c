/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "wire.h"

#include "game.h"

bool wire_poll(wire *it)
{
    unsigned char byte;

    while (it->at < it->size && port_line_put(it->number, it->frame[it->at])) {
        it->at++;
        it->moved++;
    }
    while (port_line_get(it->number, &byte)) {
        it->moved++;
        if (frame_read(&it->receiver, byte))
            return true;
    }
    return false;
}

bool wire_is_idle(const wire *it)
{
    return it->at == it->size;
}

/* Copies the frame to it->frame, and on the way changes, loses or inserts
 * bytes. */
static void spoil_frame(wire *it, const unsigned char *frame, size_t size)
{
    size_t i, made_up = 0;

    it->size = 0;
    for (i = 0; i < size; i++) {
        uint32_t random = game_random(&it->random) >> 8;
        unsigned char other = (unsigned char)(random >> 16);
        uint32_t fault = 0;

        if (it->one_in > 0 && random % it->one_in == 0) {
            fault = 1u + game_random(&it->random) % 3u;
            it->spoilt++;
        }
        if (fault != 1u)
            it->frame[it->size++] = frame[i] ^ (fault == 2u ? other | 1u : 0u);
        if (fault == 3u && made_up++ < WIRE_MAX_SPOILT)
            it->frame[it->size++] = other;
    }
}

void wire_send(wire *it, const void *message, size_t size)
{
    unsigned char frame[FRAME_BYTES(WIRE_MAX_MESSAGE)];

    spoil_frame(it, frame, frame_write(message, size, frame));
    it->at = 0;
    it->frames++;
    it->bytes += (uint32_t)it->size;
}
