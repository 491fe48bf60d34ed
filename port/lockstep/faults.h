/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A simulated bad network: datagrams go in, and come out later, out of order,
 * twice or not at all.  Time is in ticks; the faults are a function of the
 * seed.  It needs no libc. */

#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTS_ROOM 256u /* datagrams in flight at once */
#define FAULTS_MAX_SIZE 1200u

typedef struct faults_def {
    uint32_t seed;
    uint32_t latency, jitter;  /* ticks: a datagram takes from latency -
                                * jitter to latency + jitter */
    uint32_t loss, duplicates; /* faults a hundred datagrams */
} faults_def;

typedef struct faults_packet {
    uint32_t due;    /* tick in which it comes out */
    uint32_t number; /* sequence number of the datagram */
    size_t size;     /* 0: the entry is empty */
    unsigned char bytes[FAULTS_MAX_SIZE];
} faults_packet;

/* Before use set def, and everything else to zero. */
typedef struct faults {
    faults_def def;
    uint32_t tick;
    uint32_t random;
    uint32_t newest; /* highest number that came out */
    uint32_t sent, lost, duplicated, reordered;
    uint32_t overflowed; /* datagrams lost because all entries were in use */
    faults_packet packets[FAULTS_ROOM];
} faults;

/* Puts in a datagram of 1 to FAULTS_MAX_SIZE bytes. */
void faults_put(faults *it, const void *bytes, size_t size);

/* Returns a datagram that is due, and its size; null if there is none.  The
 * bytes stay valid until the next call. */
const unsigned char *faults_get(faults *it, size_t *size);

/* Ends a tick. */
void faults_tick(faults *it);

#endif
