/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Parts of scenes: poses in double, from + - * / alone, and the pieces that
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

/* of angles in rad, up to some thousand turns */
double sine(double angle);
double cosine(double angle);
double radians(double degrees);

vec make_vec(double x, double y, double z);
rotation about_y(double angle);
rotation about_z(double angle);

/* Turns v about the vertical. */
vec turn_vec(vec v, double angle);

vsp_vec3 real_vec(vec v);

/* The next number of a sequence (xorshift), -1 to 1. */
double next_random(uint32_t *state);

/* A body to be made, of one shape. */
typedef struct piece {
    vsp_body_type type;
    vsp_shape_type shape;
    uint32_t table; /* of shapes that have one */
    vec at;         /* m, the centre */
    vec half;       /* m, of a box; a ball's radius in x; a capsule's radius
                       in x, and half of its length without caps in y */
    rotation turn;
    vec velocity;   /* m/s */
    vec spin;       /* rad/s */
    double density; /* kg/m^3 */
    double gravity_scale;
    uint32_t user;
} piece;

/* Return something dynamic with the density of water, at rest. */
piece box_piece(vec at, vec half);
piece ball_piece(vec at, double radius);
piece capsule_piece(vec at, double radius, double half_height);
piece table_piece(vec at, vsp_shape_type shape, uint32_t table);

/* Writes the def of the piece as a body. */
void piece_body(const scene_run *run, const piece *it, vsp_body_def *def);

/* Makes a body. */
vsp_body_id create_body(scene_run *run, const vsp_body_def *def);

/* Puts the piece into the world, with the offset and turn of the variant, which
 * *it then has, too.  Passed by address, since a piece is large for a small
 * stack. */
vsp_body_id add_piece(scene_run *run, piece *it);

/* Adds a second shape to a body, at a place of its own in it. */
void add_part(scene_run *run, vsp_body_id id, const piece *it);

vsp_body_id add_dense_box(scene_run *run, vec at, vec half, double density);
vsp_body_id add_box(scene_run *run, vec at, vec half);
vsp_body_id add_ball(scene_run *run, vec at, double radius);

/* A box or a board that does not move. */
vsp_body_id add_block(scene_run *run, vec at, vec half);

/* A box that moves at a velocity of its own. */
vsp_body_id add_mover(scene_run *run, vec at, vec half, vec velocity);

/* Something shot or dropped into the scene; it is not measured. */
vsp_body_id add_missile(scene_run *run, piece it, double density, vec velocity);

/* The floor, which comes first.  All later bodies have its friction and
 * restitution. */
vsp_body_id add_floor(scene_run *run, double friction, double restitution);

/* The scene's number as a count. */
int scene_number(const scene_run *run);

/* Pushes a body at its centre in the next step; force in N. */
void push_body(scene_run *run, vsp_body_id id, vec force);

/* x goes along a scene, z across */
#define SIDEWAYS make_vec(0.0, 0.0, 1.0)

/* A joint to be made, of two bodies. */
vsp_joint_def joint_of(vsp_body_id a, vsp_body_id b);

/* Places it where the bodies are: its anchor and x axis are those of the
 * scene, before it is turned. */
void place_joint(scene_run *run, vsp_joint_def *def, vsp_joint_type type,
                 vec anchor, vec axis);

/* Gives it limits. */
void limit_joint(vsp_joint_def *def, double low, double high);

/* Makes it. */
void make_joint(scene_run *run, const vsp_joint_def *def);

/* Gives the world tables, numbered from 1. */
void add_tables(scene_run *run, table_set set);

#endif
