/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Tools to build scenes: poses in double, by + - * / alone, and pieces, which
 * become bodies. */

#ifndef BUILDER_H
#define BUILDER_H

#include "scene.h"
#include "table_sets.h"

#define PI 3.14159265358979323846

typedef struct vec {
    double x, y, z;
} vec;

typedef struct rotation {
    double x, y, z, w;
} rotation;

/* Sine and cosine of an angle in rad, up to some thousand turns. */
double sine(double angle);
double cosine(double angle);
double radians(double degrees);

vec make_vec(double x, double y, double z);
rotation about_y(double angle);
rotation about_z(double angle);

/* Turns v about the vertical. */
vec turn_vec(vec v, double angle);

vsp_vec3 real_vec(vec v);

/* Returns the next number of a xorshift sequence, -1 to 1. */
double next_random(uint32_t *state);

/* The description of a body of one shape. */
typedef struct piece {
    vsp_body_type type;
    vsp_shape_type shape;
    uint32_t table; /* number of its table, if the shape has one */
    vec at;         /* centre, m */
    vec half;       /* m: half extents of a box; x: the radius of a ball or a
                     * capsule; y: half the length of a capsule without caps;
                     * cylinder and cone as in vsp_shape_def */
    rotation turn;
    vec velocity;   /* m/s */
    vec spin;       /* rad/s */
    double density; /* kg/m^3 */
    double gravity_scale;
    uint32_t user;
} piece;

/* Return a dynamic piece at rest, with the density of water. */
piece box_piece(vec at, vec half);
piece ball_piece(vec at, double radius);
piece capsule_piece(vec at, double radius, double half_height);
piece cylinder_piece(vec at, double radius, double half_height);
piece cone_piece(vec at, double below, double half_height, double above);
piece taper_piece(vec at, double below, double half_height, double above);
piece table_piece(vec at, vsp_shape_type shape, uint32_t table);

/* Fills *def with the piece as a body. */
void piece_body(const scene_run *run, const piece *it, vsp_body_def *def);

/* Creates a body.  A refused call counts in run->failures. */
vsp_body_id create_body(scene_run *run, const vsp_body_def *def);

/* Creates the body of a piece.  Applies the jitter and the turn of the variant
 * to *it, which is passed by address since stacks may be small. */
vsp_body_id add_piece(scene_run *run, piece *it);

/* Adds a second shape to a body; its pose is relative to the body. */
void add_part(scene_run *run, vsp_body_id id, const piece *it);

vsp_body_id add_dense_box(scene_run *run, vec at, vec half, double density);
vsp_body_id add_box(scene_run *run, vec at, vec half);
vsp_body_id add_ball(scene_run *run, vec at, double radius);

/* Adds a static box. */
vsp_body_id add_block(scene_run *run, vec at, vec half);

/* Adds a kinematic box with a velocity. */
vsp_body_id add_mover(scene_run *run, vec at, vec half, vec velocity);

/* Adds a body shot or dropped into the scene, which does not count in drift. */
vsp_body_id add_missile(scene_run *run, piece it, double density, vec velocity);

/* Adds the floor, which must be the first body.  All later bodies get its
 * friction and restitution. */
vsp_body_id add_floor(scene_run *run, double friction, double restitution);

/* Returns the scene's number as a count, and notes that it is one. */
int scene_number(scene_run *run);

/* Applies a force, N, at a body's centre in the next step. */
void push_body(scene_run *run, vsp_body_id id, vec force);

/* the axis across a scene, whose length is along x */
#define SIDEWAYS make_vec(0.0, 0.0, 1.0)

/* Returns the default definition of a joint of two bodies. */
vsp_joint_def joint_of(vsp_body_id a, vsp_body_id b);

/* Sets a joint's type and its frames, at the present poses of the bodies:
 * anchor and x axis are in the scene, before the variant turns it. */
void place_joint(scene_run *run, vsp_joint_def *def, vsp_joint_type type,
                 vec anchor, vec axis);

/* Sets the limits of a joint. */
void limit_joint(vsp_joint_def *def, double low, double high);

/* Creates a joint. */
void make_joint(scene_run *run, const vsp_joint_def *def);

/* Adds a set of tables to the world, numbered from 1. */
void add_tables(scene_run *run, table_set set);

#endif
