/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes that tests, benchmarks and pictures share.  They need the engine
 * alone, no libc and no heap, so they run on bare metal too.
 *
 * A scene is a row of a table: a function that fills a new world and, for
 * changes during the run (a roof falls, a ball is shot, a box is pushed), a
 * function called before every step.  Both depend on scene and step alone. */

#ifndef SCENE_H
#define SCENE_H

#include "vsp.h"

/* Variants of a scene, by suffixes in the order name:40~3^1e-5,2@7:
 *
 *     :40      its number (bodies of a column, mass ratio, rows of a pyramid)
 *     ~3       jitter with seed 3: every dynamic body is off by up to 2 mm
 *              along the ground and 0.3 degrees about the vertical, and higher
 *              by 0.05 %, so that no two overlap
 *     ^1e-5,2  noise with seed 2, or 1 by default: every dynamic body is too
 *              high or too low by up to 1e-5 m, so that some overlap
 *     @7       the whole scene is turned by 7 degrees about the vertical */
typedef struct scene_variant {
    double number;       /* the number after ':', or the scene's default */
    uint32_t seed;       /* 0: no jitter */
    double noise;        /* m */
    uint32_t noise_seed; /* seed of the noise */
    double turn;         /* degrees */
} scene_variant;

/* bits of the user word of bodies in scenes */
#define SCENE_TRACK 1u /* counts in drift, top error and moved */

#define SCENE_MARKS 8

/* A build with small capacities has only the scenes of micro.c. */
#define SCENES_MICRO (VSP_MAX_BODIES < 8)

/* builds that have all kinds of shapes */
#define SCENES_ALL                                                          \
    (VSP_MAX_BODIES >= 32 && VSP_CAPSULES && VSP_HULLS && VSP_MESHES &&     \
     VSP_HEIGHT_FIELDS && VSP_SDFS && VSP_SLEEP && VSP_EVENTS && VSP_CCD && \
     VSP_UNIONS)

/* walk.c: a character */
#define SCENES_WALK (!SCENES_MICRO && VSP_CHARACTER && VSP_MAX_BODIES >= 32)

#if SCENES_WALK
typedef struct scene_walker {
    vsp_character hero;
    uint32_t goal; /* index of the goal that the character walks to */
    uint32_t laps; /* laps completed */
    bool is_waiting;
} scene_walker;
#endif

/* game.c: the game of port/examples/game */
#define SCENES_GAME                                                          \
    (!SCENES_MICRO && VSP_MAX_BODIES >= 32 && VSP_CHARACTER && VSP_ROUNDS && \
     VSP_DRIVES && VSP_EDITS && VSP_EVENTS && VSP_CCD && VSP_LOCKS &&        \
     VSP_MATH && VSP_PAIR_RULES && VSP_ROLLBACK)

#if SCENES_GAME
#include "port/examples/game/level.h"
#define SCENE_HELD 64u
#endif

typedef struct scene_run {
    vsp_world *world;
    vsp_recorder recorder; /* off, unless recording began after scene_start:
                            * then it records all calls of the scene */
    const struct scene *scene;
    scene_variant variant;
    uint32_t random;                /* state of the jitter generator */
    uint32_t noise;                 /* state of the noise generator */
    bool is_count;                  /* the scene's number is a count */
    uint32_t failures;              /* calls that the world refused */
    uint32_t stale;                 /* one random id in this many may be of a
                                     * destroyed object */
    uint32_t wild;                  /* one random number in this many is at an
                                       end of its range; 0: none */
    vsp_body_id marks[SCENE_MARKS]; /* bodies that tests look at; each scene
                                     * defines its own */
    vsp_material material;          /* material of the next pieces */
#if SCENES_WALK
    scene_walker walker;
#endif
#if SCENES_GAME
    level_game game;
    level_bot bots[LEVEL_PLAYERS];
    uint32_t held; /* SCENE_HELD and the input of a person who plays the first
                    * hero; 0: a bot does */
#endif
} scene_run;

/* bits of a scene's traits */
#define SCENE_SLEEPY 1u  /* bodies at rest fall asleep */
#define SCENE_WATCHED 2u /* its world reports all events */
#define SCENE_SENSES 8u  /* its world reports what enters sensors */
#define SCENE_FALLS 4u   /* something knocks it over: it should fall */

typedef struct scene {
    const char *name;
    const char *about;  /* one line for the list of scenes */
    double dt;          /* s */
    uint32_t steps;     /* a run's length by default */
    double number;      /* default of scene_variant.number */
    bool is_resting;    /* the scene starts at rest: any drift is a failure */
    bool is_weightless; /* no gravity */
    void (*build)(scene_run *run);
    void (*drive)(scene_run *run, uint32_t step); /* may be null */
    uint32_t traits;                              /* SCENE_SLEEPY ... */
} scene;

extern const scene scenes[];
extern const uint32_t scene_count;

/* Converts a number as VSP_R converts a constant.  Out of range, returns a
 * number that every call refuses. */
vsp_real scene_real(double number);

/* Finds the scene of a name with suffixes, and reads the suffixes.  Returns
 * null for an unknown name or bad suffix. */
const scene *scene_find(const char *name, scene_variant *variant);

/* Returns the definition of a scene's world (dt, gravity); change it before
 * scene_start. */
vsp_world_def scene_world_def(const scene *which);

/* Fills the empty world run->world.  Returns false if the world is too small
 * for the scene. */
bool scene_start(scene_run *run, const scene *which, scene_variant variant);

/* Returns the recorder, set to the run's world, which may have moved.  A scene
 * makes all calls through it. */
vsp_recorder *scene_recorder(scene_run *run);

/* Makes the scene's changes before a step: bodies appear, forces are
 * applied. */
void scene_drive(scene_run *run, uint32_t step);

/* Makes the scene's changes before a step, then the step.  Returns its
 * status. */
vsp_status scene_step(scene_run *run, uint32_t step);

#endif
