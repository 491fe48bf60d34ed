/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Declarations that the files of characters share: a walker, which is a
 * character while it moves, in the engine's numbers.  They read in this order:
 * walker.c, how a capsule moves along a path; character.c, the parts of a
 * move. */

#ifndef VSP_WALKER_H
#define VSP_WALKER_H

#include "query.h"

#if VSP_CHARACTER

typedef struct vsp__walker {
    vsp_world *world;
    vsp_shape_def capsule; /* shape of the next cast: see lift */
    vsp_transform pose;    /* pose of the capsule */
    vsp_query query;
    uint32_t carrier; /* id of a body that casts ignore, or 0 */
    vsp__v3 at;       /* m, middle of the whole capsule */
    vsp__v3 up;       /* a unit vector */
    vsp__v3 wish;     /* a rate: the velocity of the move, across up */
    vsp__v3 velocity; /* a rate: see vsp_character */
    vsp__num half_height, radius, skin, step_height; /* m */
    vsp__num slope;                                  /* a unit */
    vsp__num lift;       /* m: length at the lower end by which casts are
                            shorter */
    vsp__wide push_most; /* N s, for one body */
    uint32_t is_grounded;
    vsp_body_id ground;
    vsp__v3 ground_normal;
    bool is_carried; /* the move began with is_grounded, at a known place of the
                        ground */
    vsp__v3 carried; /* m: its position after riding the ground */
    uint32_t push_count;
    vsp_character_push pushes[VSP_CHARACTER_PUSHES];
} vsp__walker;

/* How a slide continues at an obstacle. */
typedef enum vsp__slide_kind {
    VSP__SLIDE_WALK, /* up slopes that are not too steep; steep slopes
                        count as walls */
    VSP__SLIDE_FALL, /* along the slope until it lands; turns the velocity */
    VSP__SLIDE_RIDE  /* along the obstacle; does not land */
} vsp__slide_kind;


/* ---- walker.c ------------------------------------------------------------ */

/* Shortens the capsule by this length, m, at its lower end. */
void vsp__lift_walker(vsp__walker *w, vsp__num lift);

/* Casts the capsule by `way`, m, along up, or down if it is negative.  Returns
 * false when nothing stops it, else fills the hit. */
bool vsp__cast_upright(vsp__walker *w, vsp__num way, vsp_hit *hit);

/* Returns whether the walker can stand on what it has hit, and fills the
 * normal. */
bool vsp__is_ground(vsp__walker *w, const vsp_hit *hit, vsp__v3 *normal);

/* Makes the walker stand on what it has hit. */
void vsp__land_walker(vsp__walker *w, const vsp_hit *hit,
                      const vsp__v3 *normal);

/* Moves the walker out of shapes that overlap it.  Returns false, and leaves it
 * where it was, when this takes too many pushes. */
bool vsp__make_room(vsp__walker *w);

/* Moves the walker along a displacement, and slides along obstacles.  Returns
 * whether it was stopped completely, or has landed; of a ride, whether it met
 * an obstacle. */
bool vsp__slide_walker(vsp__walker *w, vsp__v3 way, vsp__slide_kind kind);

#endif /* VSP_CHARACTER */

#endif /* VSP_WALKER_H */
