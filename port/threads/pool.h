/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Threads of POSIX that share the work of a step: see "Workers" in vsp.h.
 *
 *      pool *threads = pool_open(4);
 *      vsp_workers workers = pool_workers(threads);
 *
 *      vsp_world_set_workers(world, &workers);
 *      ...
 *      pool_close(threads);
 *
 * A pool serves one world at a time.  A batch of tasks costs well below a
 * microsecond while its threads are awake; they fall asleep between steps. */

#ifndef POOL_H
#define POOL_H

#include "vsp.h"

#if VSP_WORKERS

#define POOL_MOST 64u /* workers of vsp.h */

typedef struct pool pool;

/* Starts threads, so that there are this many workers, 1 to POOL_MOST, with the
 * thread that steps.  Returns null if that is impossible. */
pool *pool_open(uint32_t workers);

/* Ends the threads.  Null is allowed. */
void pool_close(pool *it);

/* Returns the workers for vsp_world_set_workers; they are valid as long as the
 * pool is open. */
vsp_workers pool_workers(pool *it);

#endif

#endif
