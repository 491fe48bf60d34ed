/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "faults.h"

/* Returns 0 to range - 1, from a linear congruential generator. */
static uint32_t pick_below(faults *it, uint32_t range)
{
    it->random = it->random * 1664525u + 1013904223u + it->def.seed * 2u;
    return (it->random >> 8) % range;
}

static void queue_packet(faults *it, const unsigned char *bytes, size_t size)
{
    uint32_t longest = it->def.latency + it->def.jitter;
    uint32_t spread = 2u * it->def.jitter;
    faults_packet *packet = 0;
    uint32_t i;

    if (spread > longest)
        spread = longest; /* no datagram leaves before it was put in */
    for (i = 0; i < FAULTS_ROOM && !packet; i++)
        if (it->packets[i].size == 0)
            packet = &it->packets[i];
    if (!packet) {
        it->overflowed++;
        return;
    }
    packet->due = it->tick + longest - pick_below(it, spread + 1u);
    packet->number = it->sent;
    packet->size = size;
    for (i = 0; i < size; i++)
        packet->bytes[i] = bytes[i];
}

void faults_put(faults *it, const void *bytes, size_t size)
{
    it->sent++;
    if (pick_below(it, 100) < it->def.loss) {
        it->lost++;
        return;
    }
    queue_packet(it, bytes, size);
    if (pick_below(it, 100) < it->def.duplicates) {
        it->duplicated++;
        queue_packet(it, bytes, size);
    }
}

const unsigned char *faults_get(faults *it, size_t *size)
{
    uint32_t i;

    for (i = 0; i < FAULTS_ROOM; i++) {
        faults_packet *packet = &it->packets[i];

        if (packet->size == 0 || packet->due > it->tick)
            continue;
        if (packet->number < it->newest)
            it->reordered++;
        else
            it->newest = packet->number;
        *size = packet->size;
        packet->size = 0;
        return packet->bytes;
    }
    return 0;
}

void faults_tick(faults *it)
{
    it->tick++;
}
