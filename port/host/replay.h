/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The commands record, replay and diff.  Each returns the exit status: 0 done
 * or equal, 1 diverged, 2 bad file, which stderr names. */

#ifndef REPLAY_H
#define REPLAY_H

#include "port/measure/simulation.h"

typedef struct replay_options {
    const char *output; /* file to write; null: none */
    uint32_t keyframes; /* steps between keyframes; 0: none */
    bool is_list;       /* prints the hash of every step */
    bool has_snapshot;
    uint32_t snapshot;                 /* step whose state to write */
    const struct vsp_workers *workers; /* of the replaying world; null: none */
} replay_options;

/* Runs a scene, and records all calls and steps after it was built. */
int replay_record(const char *name, const simulation_options *simulation,
                  const replay_options *options);

/* Plays a file, and verifies all hashes or writes the snapshot of a step. */
int replay_play(const char *file, const replay_options *options);

/* Prints the first step at which two replays differ, and the first body that
 * differs then; or the differences of two snapshots. */
int replay_diff(const char *a, const char *b);

#endif
