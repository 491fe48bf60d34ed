/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Worlds for tests: buffers for them, short functions that fill them, and the
 * check that a refused call changed nothing. */

#ifndef FIXTURE_H
#define FIXTURE_H

#include "test.h"

#define ARENA_COUNT 3
#define ARENA_BYTES (VSP_WORLD_BYTES + 16u)

/* Returns buffer 0 to ARENA_COUNT - 1, ARENA_BYTES long and aligned to 16,
 * filled with meaningless bytes. */
unsigned char *arena(uint32_t index);

/* Return an empty world in buffer 0, with default settings or these. */
vsp_world *new_world(void);
vsp_world *new_world_of(const vsp_world_def *def);

/* Returns an empty world in buffer `index`, offset bytes from its start.  With
 * WORKERS=4 in the environment, all worlds of these functions have a crew of
 * four. */
vsp_world *new_world_at(const vsp_world_def *def, uint32_t index,
                        size_t offset);

/* A mesh of four triangles, 4 m along z: a floor from x = -1 m to 1 m at height
 * 0, and at its end a wall 2 m high that faces -x. */
#define CORNER_MESH                                                  \
    {                                                                \
        VSP_TABLE_MESH, 6, 4, 1, 0, corner_places, corner_triangles, \
            corner_nodes                                             \
    }

extern const vsp_place corner_places[6];
extern const vsp_triangle corner_triangles[4];
extern const vsp_mesh_node corner_nodes[1];

/* Convert numbers of either kind to double and back; or round a double to the
 * nearest number of this kind. */
double num(vsp_real x);
vsp_real real(double x);
double rounded(double x);
vsp_vec3 real3(double x, double y, double z);

/* The tolerance of a test in each kind.  In fixed point it is at most 4 times
 * that in float, or the test says why. */
#define TOLERANCE(in_float, in_fixed) (VSP_FIXED ? (in_fixed) : (in_float))

/* Return a rotation by some degrees about an axis of length 1, or none. */
vsp_quat turn(double degrees, double x, double y, double z);
vsp_quat no_turn(void);

/* Returns the definition of a body of one shape at a position. */
vsp_body_def body_def(vsp_body_type type, vsp_shape_def shape, double x,
                      double y, double z);

/* Create a body and return its id; null if it is refused. */
vsp_body_id add_body(vsp_world *world, vsp_body_type type, vsp_shape_def shape,
                     double x, double y, double z);
vsp_body_id add_turned(vsp_world *world, vsp_body_type type,
                       vsp_shape_def shape, double x, double y, double z,
                       vsp_quat rotation);
vsp_body_id add_ground(vsp_world *world);
vsp_body_id add_cube(vsp_world *world, double x, double y, double z);

/* Returns whether long tests should run (LONG=1 in the environment). */
bool is_long(void);

/* Returns whether to print measured figures (SHOW=1 in the environment). */
bool shows(void);

/* Returns a number from the environment, or another if it is not there. */
uint32_t number_of(const char *name, uint32_t otherwise);

/* Returns the number of tries: count in a long test, else a tenth of it. */
int tries_of(int count);

/* Makes n steps, each of which must return VSP_OK. */
void step_world(vsp_world *world, uint32_t n);

/* Calls a check under each stepper, which test_note names. */
void each_stepper(void (*check)(vsp_stepper stepper));

/* Creates a world without sleep, with gravity downwards, m/s^2, and in it a
 * static body without a shape, to which joints may hold. */
vsp_world *new_joint_world(vsp_stepper stepper, double dt, double gravity,
                           vsp_body_id *base);

/* Checks that a world is valid, and that n steps give the same hash again after
 * a restore.  Leaves the world after these steps. */
bool check_replays(vsp_world *world, uint32_t n);

#if VSP_ROLLBACK

/* A match of two players with inputs of a byte. */
typedef struct late_match {
    vsp_world *(*build)(vsp_stepper stepper);
    vsp_status (*step)(void *user, vsp_recorder *recorder,
                       const vsp_turn *turn);
    unsigned char (*input)(uint32_t player, uint32_t step);
    uint32_t steps;
} late_match;

/* Checks that rollback gives a match the same hash when the inputs of player 1
 * come some steps late. */
void check_late_match(const late_match *match, vsp_stepper stepper);

/* The same under each stepper. */
void check_late_matches(const late_match *match);

#endif

#if VSP_DRAW

#define MOST_DRAWN 6144

/* corners of triangles */
typedef struct drawn_points {
    uint32_t count;
    vsp_vec3 points[MOST_DRAWN];
} drawn_points;

/* Fills *seen with the first triangles that a world draws for its shapes. */
void draw_shapes(const vsp_world *world, drawn_points *seen);

#endif

/* Writes a snapshot to a buffer of its own for slot 0 or 1.  Returns its size;
 * 0 if refused. */
size_t save_world(const vsp_world *world, uint32_t slot);
const unsigned char *saved(uint32_t slot);

/* Replaces a word, counted from the end of a snapshot, and its checksum. */
void damage_snapshot(unsigned char *bytes, size_t size, uint32_t from_end,
                     uint32_t word);

/* Checks that a call was refused with this status, and did not change a bit of
 * the buffer of new_world. */
#define CHECK_REFUSED(expected, call)                \
    (remember_world(), CHECK_STATUS(expected, call), \
     check_unchanged(__FILE__, __LINE__, #call))

void remember_world(void);
bool check_unchanged(const char *file, int line, const char *what);

/* Returns numbers outside of all limits: a NaN and the two infinities, or, in
 * fixed point, ends of the format. */
#define BAD_REALS 3
vsp_real bad_real(uint32_t index);

/* Return the next number below or above that counts as different. */
vsp_real next_below(vsp_real x);
vsp_real next_above(vsp_real x);

/* A number of a definition: its address, and its limits. */
typedef struct field {
    const char *name;
    size_t offset;
    vsp_real low, high;
} field;

/* Calls `refuse` with copies of a definition in which one field is outside its
 * limits, and `accept` with copies in which one field is at a limit. */
typedef void try_def(void *def);

void try_fields(void *def, size_t size, const field *fields, size_t count,
                try_def *refuse, try_def *accept);

#if VSP_WORKERS

/* Workers of one thread, which runs tasks one by one, in an order that depends
 * on `random`. */
typedef struct crew {
    vsp_workers workers;
    uint32_t random;
    uint32_t batches; /* so far */
} crew;

void crew_hire(crew *it, uint32_t count, uint32_t seed);

#endif

/* Draws a number from 0 to count - 1. */
uint32_t random_below(uint32_t *random, uint32_t count);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
