/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds of sheets without thickness: piles, chains, impacts.  Positions are
 * random by 10 um, so that no two bodies are exactly parallel. */

#ifndef SHELL_SCENES_H
#define SHELL_SCENES_H

#include "fixture.h"
#include "port/vec_libm.h"

#define SHELL_BODIES 100 /* most bodies of a scene that are not static */
#define RING_CORNERS 12

typedef struct shell_stage {
    vsp_world *world;
    vsp_body_id bodies[SHELL_BODIES]; /* in the order of creation */
    int count;
    int rings; /* number of rings; they are the first bodies, and each goes
                * through the next */
    uint32_t throws; /* how often all bodies were thrown again */
    uint32_t dice;
    vec3 offset; /* added to all positions, m */
} shell_stage;

typedef struct shell_scene {
    const char *name;
    void (*build)(shell_stage *stage);
    void (*before)(shell_stage *stage, uint32_t step); /* null: none */
    double gravity;                                    /* downwards, m/s^2 */
    double seconds, brief; /* duration with LONG=1, and without */
    double speed;          /* m/s: most speed at the end; 0: not checked */
    double high;           /* m: most height at the end; 0: not checked */
    double lost; /* most fraction that bodies may lose of the paths of their
                  * velocities */
} shell_scene;

/* a null name ends the list */
extern const shell_scene shell_scenes[];

const shell_scene *shell_scene_named(const char *name);

/* Starts an empty world in buffer 0. */
void shell_stage_begin(shell_stage *stage, const vsp_world_def *def,
                       uint32_t seed);

/* Returns the settings of a scene; dt in s. */
vsp_world_def shell_scene_def(double gravity, double dt, vsp_stepper stepper);

/* Returns a random number of the stage's own sequence. */
double shell_between(shell_stage *stage, double low, double high);

/* Writes the corners of the middle line of a ring. */
void shell_ring_line(const shell_stage *stage, int ring,
                     vec3 line[RING_CORNERS]);

/* kg/m^2, unless a scene sets another */
#define SHEET_DENSITY 5.0

/* The shapes of sheets. */
typedef enum shell_form {
    FORM_LEAF,  /* bent, 0.6 m x 0.3 m, 48 triangles */
    FORM_PLATE, /* flat, 1 m x 1 m, 32 triangles */
    FORM_CARD,  /* flat, 0.4 m x 0.3 m, 12 triangles */
    FORM_RING,  /* of radius 0.25 m, 24 triangles */
    FORM_BOWL,  /* of radius 0.4 m, 84 triangles */
    FORM_BALL,  /* closed, of radius 0.15 m, 80 triangles */
    FORM_FLOOR, /* flat, 6 m x 6 m, 2 triangles */
    FORM_WALL,  /* flat, 4 m x 4 m, 32 triangles */
    FORM_BIN,   /* 1.6 m wide, 1.6 m high, open above */
    FORM_COUNT
} shell_form;

const vsp_shell *shell_of_form(shell_form form);

/* Returns a shape of this form, whose table the world has or gets; friction
 * 0.3. */
vsp_shape_def sheet_shape(vsp_world *world, shell_form form);

/* Adds a body of one shape.  A dynamic one is listed on the stage, and
 * displaced at random by 10 um. `turn_by` is a rotation vector, rad. */
vsp_body_id stage_body(shell_stage *stage, vsp_body_type type,
                       vsp_shape_def shape, vec3 at, vec3 turn_by);
vsp_body_id stage_sheet(shell_stage *stage, vsp_body_type type, shell_form form,
                        vec3 at, vec3 turn_by);

/* Sets the velocity and spin of a body. */
void stage_throw(shell_stage *stage, vsp_body_id body, vec3 velocity,
                 vec3 spin);

#endif
