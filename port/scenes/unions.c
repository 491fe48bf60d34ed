/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes of unions, in this order: rigid joints; a cube that breaks; a girder,
 * a truss and a crane of steel, which bend.  A build without unions has none of
 * them. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_UNIONS


/* ---- Rigid joints ------------------------------------------------------- */

/* Strength of a rigid joint; 0: unlimited. */
typedef struct strength {
    double force;  /* N: breaks above it */
    double torque; /* N m: bends above it */
    double angle;  /* rad: breaks when it has bent by this */
} strength;

static void weld_bodies(scene_run *run, vsp_body_id a, vsp_body_id b,
                        vec anchor, const strength *most)
{
    vsp_joint_def def = joint_of(a, b);

    place_joint(run, &def, VSP_JOINT_FIXED, anchor, make_vec(1.0, 0.0, 0.0));
    def.rigid = true;
    def.break_impulse = scene_real(most->force * run->scene->dt);
    def.yield_torque = scene_real(most->torque);
    def.break_angle = scene_real(most->angle);
    make_joint(run, &def);
}


/* ---- A cube ------------------------------------------------------------- */

#define CUBE_BOX 0.2   /* edge of a box, m */
#define CUBE_LEAN 0.65 /* tilt of the cube, rad */

/* Converts a point of the cube, in units of a box, to the scene. */
static vec cube_point(int count, double i, double j, double k)
{
    double x = CUBE_BOX * (i - 0.5 * (count - 1));
    double y = CUBE_BOX * (j - 0.5 * (count - 1));

    return make_vec(x * cosine(CUBE_LEAN) - y * sine(CUBE_LEAN),
                    1.0 + CUBE_BOX * count * 0.7 + x * sine(CUBE_LEAN) +
                        y * cosine(CUBE_LEAN),
                    CUBE_BOX * k);
}

/* A tilted cube of boxes falls by a metre; the scene's number is the boxes
 * along an edge, 1 to 6. mark 0: a box at a corner */
void build_cube(scene_run *run)
{
    static const strength most = {2500.0, 0.0, 0.0};
    int count = scene_number(run);
    vsp_body_id ids[6][6][6];

    add_floor(run, 0.5, 0.0);
    if (count < 1 || count > 6) {
        run->failures++;
        return;
    }
    for (int n = 0; n < count * count * count; n++) {
        int i = n % count, j = n / count % count, k = n / count / count;
        piece box = box_piece(
            cube_point(count, i, j, k),
            make_vec(CUBE_BOX / 2.0, CUBE_BOX / 2.0, CUBE_BOX / 2.0));

        box.turn = about_z(CUBE_LEAN);
        ids[i][j][k] = add_piece(run, &box);
        if (i > 0)
            weld_bodies(run, ids[i - 1][j][k], ids[i][j][k],
                        cube_point(count, i - 0.5, j, k), &most);
        if (j > 0)
            weld_bodies(run, ids[i][j - 1][k], ids[i][j][k],
                        cube_point(count, i, j - 0.5, k), &most);
        if (k > 0)
            weld_bodies(run, ids[i][j][k - 1], ids[i][j][k],
                        cube_point(count, i, j, k - 0.5), &most);
    }
    run->marks[0] = ids[0][0][0];
}


/* ---- A girder ----------------------------------------------------------- */

#define GIRDER_BOX 0.2 /* edge of a box, m */

/* A girder sticks out of a wall; a growing force presses its end down.  It
 * bends at the wall, and breaks.  The scene's number counts its boxes. mark 0:
 * the last box */
void build_girder(scene_run *run)
{
    int count = scene_number(run);
    double mass = GIRDER_BOX * GIRDER_BOX * GIRDER_BOX * 1000.0;
    strength most = {0.0, 0.0, 0.6};
    vsp_body_id last = add_block(run, make_vec(-0.5, 2.0, 0.0),
                                 make_vec(0.5, 2.0, 0.5));

    add_floor(run, 0.5, 0.0);
    most.torque = 1.3 * mass * 9.81 * count * GIRDER_BOX * count / 2.0;
    for (int i = 0; i < count; i++) {
        vsp_body_id id = add_box(
            run, make_vec(GIRDER_BOX * (i + 0.5), 3.0, 0.0),
            make_vec(GIRDER_BOX / 2.0, GIRDER_BOX / 2.0, GIRDER_BOX / 2.0));

        weld_bodies(run, last, id, make_vec(GIRDER_BOX * i, 3.0, 0.0), &most);
        last = id;
    }
    run->marks[0] = last;
}

void drive_girder(scene_run *run, uint32_t step)
{
    if (step < 300)
        push_body(run, run->marks[0], make_vec(0.0, -2.0 * step, 0.0));
}


/* ---- Steel -------------------------------------------------------------- */

#define BAY 1.0     /* m: length and height of a bay */
#define BAR 0.06    /* m: half the thickness of a bar */
#define BAR_GAP 0.2 /* m: from a node to the end of a bar */

static const strength steel = {60000.0, 4000.0, 0.4};

/* The lower and upper nodes of a lattice, by the first bar that ends at
 * each. */
typedef struct lattice {
    vsp_body_id first[2][16];
    double x, y; /* of the lower node 0, m */
} lattice;

static vec node_of(const lattice *it, int level, int i)
{
    return make_vec(it->x + BAY * i, it->y + BAY * level, 0.0);
}

/* Adds a bar between two nodes: along a level, upright, or diagonal. */
static void add_bar(scene_run *run, lattice *it, int level, int i, int to_level,
                    int to)
{
    vec a = node_of(it, level, i), b = node_of(it, to_level, to);
    double way = to == i ? PI / 2.0 : to_level == level ? 0.0 : -PI / 4.0;
    double length = to == i || to_level == level ? BAY : BAY * 1.41421356;
    piece bar = box_piece(make_vec((a.x + b.x) / 2.0, (a.y + b.y) / 2.0, 0.0),
                          make_vec(length / 2.0 - BAR_GAP, BAR, BAR));
    vsp_body_id id;

    bar.turn = about_z(way);
    bar.density = 4000.0;
    id = add_piece(run, &bar);
    for (int k = 0; k < 2; k++) {
        vsp_body_id *first = &it->first[k ? to_level : level][k ? to : i];

        if (first->bits != 0)
            weld_bodies(run, *first, id, k ? b : a, &steel);
        else
            *first = id;
    }
}

/* Adds a lattice of bays, with lower, upper, upright and diagonal bars;
 * diagonals fall to the right. */
static void add_lattice(scene_run *run, lattice *it, double x, double y,
                        int bays)
{
    for (int i = 0; i < 16; i++)
        it->first[0][i].bits = it->first[1][i].bits = 0;
    it->x = x;
    it->y = y;
    for (int i = 0; i <= bays; i++) {
        add_bar(run, it, 0, i, 1, i);
        if (i == bays)
            break;
        add_bar(run, it, 0, i, 0, i + 1);
        add_bar(run, it, 1, i, 1, i + 1);
        add_bar(run, it, 1, i, 0, i + 1);
    }
}

/* A truss of eight bays on two piers; a load falls onto its middle.  The
 * scene's number is the load's mass, kg. */
void build_truss(scene_run *run)
{
    lattice it;
    piece load = box_piece(make_vec(0.0, 3.5 + BAY, 0.0),
                           make_vec(0.5, 0.3, 0.5));

    add_floor(run, 0.5, 0.0);
    add_block(run, make_vec(-4.0 * BAY, 1.0, 0.0), make_vec(0.4, 1.0, 0.5));
    add_block(run, make_vec(4.0 * BAY, 1.0, 0.0), make_vec(0.4, 1.0, 0.5));
    add_lattice(run, &it, -4.0 * BAY, 2.0 + BAR, 8);
    load.density = run->variant.number / 0.6;
    run->marks[0] = add_piece(run, &load);
}

/* A crane: a lattice jib on a mast, with a load hanging from its end.  The
 * scene's number is the load's mass, kg. mark 0: the load */
void build_crane(scene_run *run)
{
    lattice it;
    piece load = box_piece(make_vec(4.0 * BAY, 1.4, 0.0),
                           make_vec(0.4, 0.4, 0.4));
    vsp_body_id mast;
    vsp_joint_def def;

    add_floor(run, 0.5, 0.0);
    mast = add_block(run, make_vec(-0.3, 2.0, 0.0), make_vec(0.2, 2.0, 0.3));
    add_lattice(run, &it, 0.0, 3.5, 4);
    weld_bodies(run, mast, it.first[0][0], node_of(&it, 0, 0), &steel);
    weld_bodies(run, mast, it.first[1][0], node_of(&it, 1, 0), &steel);
    load.density = run->variant.number / 0.512;
    run->marks[0] = add_piece(run, &load);
    def = joint_of(it.first[0][4], run->marks[0]);
    place_joint(run, &def, VSP_JOINT_BALL, node_of(&it, 0, 4),
                make_vec(0.0, 1.0, 0.0));
    make_joint(run, &def);
}

#endif
