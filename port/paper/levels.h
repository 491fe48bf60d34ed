/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stack heights of bodies and stack layers of contact points: section 4 of
 * Erleben 2007. */

#ifndef LEVELS_H
#define LEVELS_H

#include "contact_problem.h"

typedef struct levels {
    /* Of each body of the problem: the number of bodies on the closest path to
     * one that does not move, which has 0.  Bodies without such a path have the
     * number of layers. */
    int height[VSP_MAX_BODIES];
    int order[VSP_MAX_CONTACTS];   /* indices of points, by layer */
    int first[VSP_MAX_BODIES + 2]; /* of each layer: its first index in order;
                                    * then the number of points */
    int count;                     /* number of layers, 1 or more */
} levels;

/* Finds heights and layers from the problem's contact points.  Layer i has the
 * bodies of heights i and i + 1; those of height i are its bottom. */
void levels_find(levels *out, const contact_problem *from);

#endif
