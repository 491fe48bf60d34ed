/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Work in pieces, which workers share.  Optional: VSP_WORKERS. */

#include "state.h"

#if VSP_WORKERS

VSP_STATIC_ASSERT(crew_fits, sizeof(vsp__crew) <= VSP__WORKER_BYTES);

/* Pieces a worker: more than one, because not all take the same time. */
#define PIECES_OF_WORKER 3u

typedef struct shared_work { /* what tasks of a batch read */
    vsp__do_piece *do_piece;
    void *work;
    uint32_t pieces;
    uint32_t size;  /* items in each piece */
    uint32_t extra; /* pieces that have one item more */
} shared_work;

/* A vsp_task. */
static void do_task(void *work, uint32_t index)
{
    const shared_work *s = (const shared_work *)work;
    uint32_t first = index * s->size + (index < s->extra ? index : s->extra);

    s->do_piece(s->work, index, first,
                first + s->size + (index < s->extra ? 1u : 0));
}

bool vsp__has_workers(const vsp_world *world)
{
    return vsp__crew_of(world)->workers.run != NULL;
}

void vsp__forget_levels(vsp_world *world)
{
    vsp__crew_of(world)->level_count = 0;
    vsp__crew_of(world)->level_key[2] = 0;
}

void vsp__share_work(const vsp_world *world, vsp__do_piece *do_piece,
                     void *work, uint32_t count, uint32_t least)
{
    const vsp_workers *workers = &vsp__crew_of(world)->workers;
    shared_work s;

    if (count == 0)
        return;
    s.pieces = count / least;
    if (!vsp__has_workers(world) || s.pieces < 2) {
        do_piece(work, 0, 0, count);
        return;
    }
    if (s.pieces > PIECES_OF_WORKER * workers->count)
        s.pieces = PIECES_OF_WORKER * workers->count;
    if (s.pieces > VSP__MOST_PIECES)
        s.pieces = VSP__MOST_PIECES;
    s.do_piece = do_piece;
    s.work = work;
    s.size = count / s.pieces;
    s.extra = count - s.size * s.pieces;
    workers->run(workers->context, do_task, &s, s.pieces);
}

#endif
