/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#include "levels.h"

#include <limits.h>
#include <string.h>

static int height_of(const levels *it, int body)
{
    return body < 0 ? 0 : it->height[body];
}

/* Gives bodies that touch one of height `level` the next height.  Returns
 * whether there were any. */
static bool climb_level(levels *out, const contact_problem *from, int level)
{
    bool has_any = false;

    for (int i = 0; i < from->point_count; i++) {
        int a = from->points[i].a, b = from->points[i].b;
        int low = height_of(out, a), high = height_of(out, b);

        if (low == level && high == INT_MAX)
            out->height[b] = level + 1;
        else if (high == level && low == INT_MAX)
            out->height[a] = level + 1;
        else
            continue;
        has_any = true;
    }
    return has_any;
}

/* Breadth-first search from all bodies that do not move. */
static void find_heights(levels *out, const contact_problem *from)
{
    int level = 0;

    for (int i = 0; i < from->body_count; i++)
        out->height[i] = from->bodies[i].inverse_mass > 0.0 ? INT_MAX : 0;
    while (climb_level(out, from, level))
        level++;
    out->count = level > 0 ? level : 1;
    for (int i = 0; i < from->body_count; i++)
        if (out->height[i] == INT_MAX)
            out->height[i] = out->count;
}

/* Points of bodies of equal height belong to the layer in which both are
 * free. */
static int layer_of(const levels *it, const contact_point *point)
{
    int a = height_of(it, point->a), b = height_of(it, point->b);

    if (a == b)
        return a > 0 ? a - 1 : 0;
    return a < b ? a : b;
}

void levels_find(levels *out, const contact_problem *from)
{
    static int next[VSP_MAX_BODIES + 2];

    find_heights(out, from);
    memset(out->first, 0, sizeof out->first);
    for (int i = 0; i < from->point_count; i++)
        out->first[layer_of(out, &from->points[i]) + 1]++;
    for (int k = 0; k < out->count; k++)
        out->first[k + 1] += out->first[k];
    memcpy(next, out->first, sizeof next);
    for (int i = 0; i < from->point_count; i++)
        out->order[next[layer_of(out, &from->points[i])]++] = i;
}
