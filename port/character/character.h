/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A character: an upright capsule that a program moves by hand.  It slides
 * along walls, climbs steps, stands on slopes that are not too steep and
 * slides down the others, falls, and rides on what carries it.  It asks the
 * world (vsp_shape_cast, vsp_ray_cast, vsp_closest_point) and changes
 * nothing: no body of the world stands for it.  Up is y.  It needs no libc. */

#ifndef CHARACTER_H
#define CHARACTER_H

#include "vsp.h"

#include "port/vec.h"

/* Get one from character_def_default and change what you need. */
typedef struct character_def {
    double radius;      /* m, of the capsule; default 0.3 */
    double half_height; /* m, without its caps; default 0.6 */
    double skin;        /* m, kept free around it; default 0.02 */
    double step_height; /* m, that it climbs; default 0.3 */
    double slope;       /* cosine of the steepest one that it stands on;
                           default 0.643, 50 degrees */
    double gravity;     /* m/s^2, along y; default -9.81 */
    vsp_query query;    /* what it collides with */
} character_def;

typedef struct character {
    character_def def;
    vec3 position;      /* m, of the capsule's middle */
    vec3 fall;          /* m/s, while in the air; added to the velocity given */
    bool is_grounded;   /* stands on something that is not too steep */
    vec3 ground_normal; /* of what it stands on */
    vsp_body_id ground;
} character;

character_def character_def_default(void);

/* Puts it at a place, in the air. */
void character_place(character *it, const character_def *def, vec3 position);

/* Moves it for dt seconds, after a step of the world: with the body that
 * carries it, then at this velocity (m/s; y is ignored), and down. */
void character_move(character *it, vsp_world *world, vec3 velocity, double dt);

/* Starts a jump at this speed, m/s, if it stands. */
void character_jump(character *it, double speed);

#endif
