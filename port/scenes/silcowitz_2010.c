/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The test cases of figure 2 of Silcowitz, Niebe, Erleben, Projected
 * Gauss-Seidel Subspace Minimization Method for Interactive Rigid Body
 * Dynamics, 2010, in sizes of our own.  In this order: snakes, stacks and
 * slopes, gears, leaning slabs. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_PAPER


/* ---- Snakes -------------------------------------------------------------- */

#define LINK_HALF make_vec(0.18, 0.1, 0.25) /* half extents of a box, m */
#define LINK 0.4                            /* distance of two hinges, m */

/* Adds boxes in a half circle, the first and the last upright.  Each hinge is
 * at its limit, so that the arch cannot flatten, but may bend by a degree the
 * other way.  Returns the arch's height. */
static double add_snake(scene_run *run, int count)
{
    double bend = count > 1 ? PI / (count - 1) : 0.0;
    vec half = LINK_HALF, end = make_vec(0.0, half.x - LINK / 2.0, 0.0);
    vsp_body_id last = {0};
    double top = 0.0;

    for (int i = 0; i < count; i++) {
        double angle = PI / 2.0 - i * bend;
        vec way = make_vec(0.5 * LINK * cosine(angle), 0.5 * LINK * sine(angle),
                           0.0);
        piece box = box_piece(make_vec(end.x + way.x, end.y + way.y, 0.0),
                              half);
        vsp_joint_def def;
        vsp_body_id id;

        box.turn = about_z(angle);
        id = add_piece(run, &box);
        def = joint_of(last, id);
        if (i > 0) {
            place_joint(run, &def, VSP_JOINT_HINGE, end, SIDEWAYS);
            limit_joint(&def, -radians(1.0), 0.0);
            make_joint(run, &def);
        }
        end = make_vec(end.x + 2.0 * way.x, end.y + 2.0 * way.y, 0.0);
        top = box.at.y + half.y > top ? box.at.y + half.y : top;
        last = id;
    }
    return top;
}

void build_snake(scene_run *run)
{
    add_floor(run, 0.6, 0.0);
    add_snake(run, scene_number(run));
}

/* An arch of 11 boxes, and a box on its middle one; the scene's number is the
 * ratio of their masses. */
void build_snake_heavy(scene_run *run)
{
    const int count = 11;
    const double size = 0.3;
    double half_bend = PI / (2.0 * (count - 1));
    double middle = 0.5 * LINK * cosine(half_bend) / sine(half_bend);
    double mass = 8.0 * LINK_HALF.x * LINK_HALF.y * LINK_HALF.z * 1000.0;
    double top;

    add_floor(run, 0.6, 0.0);
    top = add_snake(run, count);
    add_dense_box(run, make_vec(middle, top + size, 0.0),
                  make_vec(size, size, size),
                  mass * run->variant.number / (8.0 * size * size * size));
}


/* ---- Stacks and slopes --------------------------------------------------- */

/* Each layer is offset from the one below, so that a box lies on four. */
void build_stack(scene_run *run)
{
    add_floor(run, 0.5, 0.0);
    for (int layer = 0; layer < scene_number(run); layer++) {
        double shift = (layer & 1) ? 0.15 : -0.15;

        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                add_box(run,
                        make_vec((i - 1.5) * 1.02 + shift, layer + 0.5,
                                 (k - 1.5) * 1.02 + shift),
                        make_vec(0.5, 0.5, 0.5));
    }
}

/* Two layers of nine small boxes, and a large box on them; the scene's number
 * is the ratio of their masses. */
void build_heavy_on_small(scene_run *run)
{
    const double small = 0.25;
    vec half = make_vec(1.0, 0.75, 1.0);
    double mass = 8.0 * small * small * small * 1000.0;

    add_floor(run, 0.5, 0.0);
    for (int i = 0; i < 18; i++)
        add_box(run,
                make_vec((i % 3 - 1) * 0.7, (i / 9 * 2 + 1) * small,
                         (i / 3 % 3 - 1) * 0.7),
                make_vec(small, small, small));
    add_dense_box(run, make_vec(0.0, 4.0 * small + half.y, 0.0), half,
                  mass * run->variant.number /
                      (8.0 * half.x * half.y * half.z));
}

/* A slope with stacks of one to three boxes, in three rows of four; the scene's
 * number is its angle in degrees. */
void build_incline(scene_run *run)
{
    double angle = -radians(run->variant.number);
    double s = sine(angle), c = cosine(angle);
    vec half = make_vec(0.4, 0.2, 0.4);
    piece box = box_piece(make_vec(0.0, 3.0, 0.0), make_vec(4.0, 0.2, 3.0));

    add_floor(run, 0.6, 0.0);
    box.turn = about_z(angle);
    box.type = VSP_STATIC;
    add_piece(run, &box);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k <= i % 3; k++) {
            double x = (i / 3 - 1.5) * 1.6;
            double y = 0.2 + (2 * k + 1) * half.y;

            box = box_piece(
                make_vec(x * c - y * s, 3.0 + x * s + y * c, (i % 3 - 1) * 1.6),
                half);
            box.turn = about_z(angle);
            add_piece(run, &box);
        }
    }
}


/* ---- Gears --------------------------------------------------------------- */

/* A gear is three square boxes about one axis, 30 degrees apart: their twelve
 * corners are teeth of 90 degrees, with gaps of 120 degrees between them. */
#define GEAR 0.5                              /* half a side of a box, m */
#define TOOTH (GEAR * 1.41421356237309504880) /* radius of the tips, m */
#define GAP (GEAR * 1.15470053837925152902)   /* radius of the gaps, m */

static void add_gear(scene_run *run, double x, double y, double angle)
{
    piece box = box_piece(make_vec(x, y, 0.0), make_vec(GEAR, GEAR, 0.3));
    vsp_body_id id;

    box.turn = about_z(angle);
    id = add_piece(run, &box);
    box.at = make_vec(0.0, 0.0, 0.0);
    for (int i = 1; i < 3; i++) {
        box.turn = about_z(radians(30.0 * i));
        add_part(run, id, &box);
    }
}

/* Each gear stands on two of its teeth.  Neighbouring rows are 45 degrees
 * apart: teeth of one are in gaps of the other. */
void build_gears(scene_run *run)
{
    int rows = scene_number(run);
    double step = (TOOTH + GAP) * cosine(PI / 4.0);

    add_floor(run, 0.6, 0.0);
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < rows - row; i++)
            add_gear(run, (2 * i - (rows - 1 - row)) * step,
                     TOOTH * cosine(radians(15.0)) + row * step,
                     (row & 1) ? radians(15.0) : 0.0);
}


/* ---- Slabs --------------------------------------------------------------- */

/* Slabs lean face to face against a pillar, from both sides.  Slabs and pillar
 * carry a plank with the next floor, which has one slab less on each side.
 * Without friction all feet would slide out. */
#define SLAB_HALF make_vec(0.15, 0.8, 0.5)
#define SLAB_TILT radians(15.0)

static void add_slabs(scene_run *run, double base, int count, double side)
{
    vec half = SLAB_HALF;
    double s = sine(SLAB_TILT), c = cosine(SLAB_TILT);

    for (int i = 0; i < count; i++) {
        /* starts where the slab's upper edge meets the pillar */
        double x = 0.2 + half.y * s + half.x * c +
                   (i > 0 ? i * 2.0 * half.x / c : 0.0);
        piece slab = box_piece(
            make_vec(side * x, base + half.y * c + half.x * s, 0.0), half);

        slab.turn = about_z(side * SLAB_TILT);
        add_piece(run, &slab);
    }
}

void build_leaning(scene_run *run)
{
    vec half = SLAB_HALF;
    double rise = 2.0 * (half.y * cosine(SLAB_TILT) + half.x * sine(SLAB_TILT));
    int floors = scene_number(run);

    add_floor(run, 0.6, 0.0);
    for (int i = 0; i < floors; i++) {
        double base = i * (rise + 0.2);
        double reach = 0.9 + (floors - i) * 0.32;

        add_box(run, make_vec(0.0, base + rise * 0.5, 0.0),
                make_vec(0.2, rise * 0.5, 0.5));
        add_slabs(run, base, floors - i, 1.0);
        add_slabs(run, base, floors - i, -1.0);
        add_box(run, make_vec(0.0, base + rise + 0.1, 0.0),
                make_vec(reach, 0.1, 0.5));
    }
}

#endif
