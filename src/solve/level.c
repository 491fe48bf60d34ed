/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Levels: which manifolds of a span workers can solve at the same time.
 * Optional: VSP_WORKERS.
 *
 * A manifold is in the first level behind those of all earlier manifolds that
 * share a free body with it.  So two manifolds of one level share none, and a
 * body's manifolds are solved in the order of the span, level by level: the
 * bits are the same as without workers. */

#include "solve.h"

#if VSP_WORKERS

/* The least mean number of manifolds in a level: handing out a level costs as
 * much time as solving some of them. */
#define LEAST_WIDTH VSP__LEAST(40u)

static bool is_key_of(const uint32_t *key, const vsp__span *span)
{
    return key[0] == span->list && key[1] == span->first &&
           key[2] == span->last && key[3] == span->lowest;
}

static void set_key(uint32_t *key, const vsp__span *span)
{
    key[0] = span->list;
    key[1] = span->first;
    key[2] = span->last;
    key[3] = span->lowest;
}

/* Forgets the levels of all bodies of a span. */
static void clear_bodies(vsp_world *world, const vsp__span *span)
{
    uint16_t *after = vsp__crew_of(world)->after;
    uint32_t i;
    vsp__manifold_view s;

    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++)
        after[s.m->body[0]] = after[s.m->body[1]] = 0;
}

/* Finds the level of each manifold.  Returns the number of levels, or 0 if
 * there are too many. */
static uint32_t number_levels(vsp_world *world, const vsp__span *span)
{
    vsp__crew *crew = vsp__crew_of(world);
    uint32_t i, k, count = 0;
    vsp__manifold_view s;

    for (i = span->first; vsp__view_manifold(world, span, i, &s); i++) {
        uint16_t *of[2] = {crew->after + s.m->body[0],
                           crew->after + s.m->body[1]};
        uint32_t level = *of[0] > *of[1] ? *of[0] : *of[1];

        if (level == VSP__LEVELS)
            return 0;
        crew->level[i] = (uint8_t)level;
        for (k = 0; k < 2; k++)
            if (vsp__is_free(world, span, s.m->body[k]))
                *of[k] = (uint16_t)(level + 1u);
        if (count == level)
            count++;
    }
    return count;
}

/* Lists the places of a span by level; within a level, in order. */
static void list_levels(vsp__crew *crew, const vsp__span *span, uint32_t count)
{
    uint16_t *first = crew->level_first;
    uint32_t i, sum = 0;

    for (i = 0; i <= count; i++)
        first[i] = 0;
    for (i = span->first; i < span->last; i++)
        first[crew->level[i]]++;
    for (i = 0; i <= count; i++) { /* counts become ends */
        sum += first[i];
        first[i] = (uint16_t)sum;
    }
    for (i = span->last; i-- > span->first;) /* ends become starts */
        crew->level_order[--first[crew->level[i]]] = (uint16_t)i;
}

bool vsp__find_levels(vsp_world *world, const vsp__span *span)
{
    vsp__crew *crew = vsp__crew_of(world);
    uint32_t size = span->last - span->first, count;

    if (!vsp__has_workers(world) || size < 2u * LEAST_WIDTH ||
        vsp__has_supports(world))
        return false;
    if (is_key_of(crew->level_key, span))
        return crew->level_count > 0;
    clear_bodies(world, span);
    count = number_levels(world, span);
    if (count * LEAST_WIDTH > size)
        count = 0;
    set_key(crew->level_key, span);
    crew->level_count = count;
    if (count > 0)
        list_levels(crew, span, count);
    return count > 0;
}

void vsp__share_levels(vsp_world *world, vsp__do_piece *do_piece,
                       vsp__level_items items, void *work, uint32_t *start,
                       uint32_t least)
{
    const vsp__crew *crew = vsp__crew_of(world);
    const uint16_t *first = items == VSP__LEVEL_BLOCKS ? crew->level_block
                                                       : crew->level_first;
    uint32_t k;

    for (k = 0; k < crew->level_count; k++) {
        *start = first[k];
        vsp__share_work(world, do_piece, work, (uint32_t)first[k + 1u] - *start,
                        least);
    }
}

#endif
