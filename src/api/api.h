/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Module api: the public calls, which vsp.h declares.  This header declares
 * what the files of the module share with each other and with module record. */

#ifndef VSP_API_H
#define VSP_API_H

#include "../step/step.h"


/* ---- mass.c: mass of bodies ---------------------------------------------- */

/* The array of shapes in which the list of a body is: that of the world, or the
 * one that a restore has read.  The tables are the world's in both cases. */
typedef struct vsp__shape_list {
    const vsp_world *world;
    const vsp__shape *shapes;
} vsp__shape_list;

/* Returns the shapes of the world. */
vsp__shape_list vsp__shapes_of(const vsp_world *world);

/* Computes the mass data of a body from its shapes, with the shape `more` (may
 * be null), and without the one in slot `without` (VSP_MAX_SHAPES: with all).
 * Keeps the mass data if they were given, or if the body is not dynamic. */
void vsp__find_body_mass(const vsp__shape_list *list, const vsp__body *body,
                         const vsp__shape *more, uint32_t without,
                         vsp__mass_data *m);

/* Stores mass data in a body, and makes its inertia invertible. */
void vsp__store_mass(vsp__body *body, const vsp__mass_data *m);

/* Stores mass data as vsp__store_mass, and moves the centre of mass, with its
 * velocity, so that the body's frame stays in place. */
void vsp__set_body_mass(vsp__body *body, const vsp__mass_data *m);

/* Reads the mass (kg), centre (m) and inertia (kg m^2) of a def or call into a
 * body: mass_given is 0 (no mass), 1 (mass alone, in given) or 2 (all, in
 * mass_data).  Returns false if they are out of range. */
bool vsp__read_given_mass(vsp_real given, const vsp_vec3 *center,
                          const vsp_vec3 *inertia, vsp__body *body);


/* ---- shape.c: shapes ----------------------------------------------------- */

/* Reads a def.  Returns false if it is not valid. */
bool vsp__read_shape(const vsp_world *world, const vsp_shape_def *def,
                     vsp__shape *shape);

/* Makes the surface of a shape turn by a spin, rad/s; 0 stops it. */
void vsp__set_surface_spin(vsp__shape *shape, const vsp_vec3 *spin);

/* Removes the warm records and sensed pairs of a shape that is destroyed, or
 * becomes another one: the shape in its slot must not get them. */
void vsp__forget_shape_records(vsp_world *world, uint32_t slot);

/* Puts a checked shape into a free slot, first in its body's list. */
void vsp__link_shape(vsp_world *world, uint32_t slot, uint32_t body,
                     const vsp__shape *shape);

/* Removes a shape from its body's list, with its warm records and its pairs in
 * sensors, and frees its slot.  Call vsp__shrink_limits afterwards. */
void vsp__unlink_shape(vsp_world *world, uint32_t slot);


/* ---- hull.c: numbers of tables ------------------------------------------- */

#if VSP_MAX_RUNTIME_HULLS > 0

/* Return the number by which callers know a table or runtime hull; and whether
 * a shape may store the low half of a caller's number: it is not that of a
 * runtime hull that does not exist.  vsp__is_shape checks the rest. */
uint32_t vsp__shown_table(const vsp_world *world, uint32_t number);
bool vsp__is_shown_table(const vsp_world *world, uint32_t table);

#else

static inline uint32_t vsp__shown_table(const vsp_world *world, uint32_t number)
{
    (void)world;
    return number;
}

static inline bool vsp__is_shown_table(const vsp_world *world, uint32_t table)
{
    (void)world;
    return table <= 0xffffu;
}

#endif /* VSP_MAX_RUNTIME_HULLS */


/* ---- shell.c: shells where they are -------------------------------------- */

/* Returns whether a body with the state b and, unless `shape` is null, one more
 * shape in a free slot would keep half of vsp__shell_gap from all other shapes.
 * Pairs without a shell do not count. */
bool vsp__is_place_clear(vsp_world *world, uint32_t body, const vsp__body *b,
                         uint32_t slot, const vsp__shape *shape);


/* ---- gear.c: defs of GEAR and PULLEY ------------------------------------- */

#if VSP_GEARS

/* Returns whether a def has teeth, pulleys and drives only if its type may. */
bool vsp__fits_gear_def(const vsp_joint_def *def);

/* Reads what only these types have, into a joint whose frames were read. */
void vsp__read_gear(const vsp_joint_def *def, vsp__joint *j);

/* Writes to a def what only these types have. */
void vsp__show_gear(const vsp__joint *j, vsp_joint_def *def);

#else

static inline bool vsp__fits_gear_def(const vsp_joint_def *def)
{
    return (def->teeth_a | def->teeth_b) == 0 && def->ratio == 0 &&
           def->pulley_a.x == 0 && def->pulley_a.y == 0 &&
           def->pulley_a.z == 0 && def->pulley_b.x == 0 &&
           def->pulley_b.y == 0 && def->pulley_b.z == 0;
}

static inline void vsp__read_gear(const vsp_joint_def *def, vsp__joint *j)
{
    (void)def;
    (void)j;
}

static inline void vsp__show_gear(const vsp__joint *j, vsp_joint_def *def)
{
    (void)j;
    (void)def;
}

#endif


/* ---- joint.c: joints ----------------------------------------------------- */

/* Destroys all joints of a body, before the body itself is destroyed. */
void vsp__destroy_joints_of(vsp_world *world, uint32_t body);


/* ---- character.c: what a character does to a world ----------------------- */

#if VSP_CHARACTER

/* Checks the numbers and the body of a character in a world.  Returns VSP_OK,
 * VSP_ERR_ARG, VSP_ERR_ID. */
vsp_status vsp__check_character(const vsp_world *world,
                                const vsp_character *character);

/* Returns the velocity, m/s, that takes the body of a character to the
 * character in a step. */
vsp_vec3 vsp__character_body_velocity(const vsp_world *world,
                                      const vsp_character *character);

#endif /* VSP_CHARACTER */

#endif /* VSP_API_H */
