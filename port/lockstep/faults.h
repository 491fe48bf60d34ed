/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A bad network on this computer: datagrams go in, and come out later, out of
 * order, twice or not at all.  Time is in ticks; the faults are a function of
 * the seed.  It needs no libc. */

#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTS_ROOM 256u /* datagrams on their way at once */
#define FAULTS_MAX_SIZE 1200u

typedef struct faults_def {
    uint32_t seed;
    uint32_t latency, jitter;  /* ticks: a datagram takes from latency -
                                * jitter to latency + jitter */
    uint32_t loss, duplicates; /* in a hundred */
} faults_def;

typedef struct faults_packet {
    uint32_t due;    /* the tick in which it comes out */
    uint32_t number; /* in the order in which they went in */
    size_t size;     /* 0: none */
    unsigned char bytes[FAULTS_MAX_SIZE];
} faults_packet;

/* Start with def, and all else zero. */
typedef struct faults {
    faults_def def;
    uint32_t tick;
    uint32_t random;
    uint32_t newest; /* highest number that came out */
    uint32_t sent, lost, duplicated, reordered;
    uint32_t overflowed; /* lost because all places were taken */
    faults_packet packets[FAULTS_ROOM];
} faults;

/* Takes a datagram of 1 to FAULTS_MAX_SIZE bytes. */
void faults_put(faults *it, const void *bytes, size_t size);

/* Returns a datagram that is due, and its size; null when there is none.  Its
 * bytes stay until the next call. */
const unsigned char *faults_get(faults *it, size_t *size);

/* Ends a tick. */
void faults_tick(faults *it);

#endif
