/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes of shells: plates on each other, a chain of rings, bowls that fall
 * into each other, leaves in a bin, a ball shot at plates.  And two of the
 * paper: boats in a tub, and triangles on pegs (figures 13 and 1 of English,
 * Lentine, Fedkiw 2013).  A build without shells has none of them. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_SHELLS

#define SHEET 5.0 /* kg/m^2 */

/* table numbers of the set of shells */
enum { SHELL_PLATE = 1, SHELL_LEAF, SHELL_RING, SHELL_BOWL };

static piece shell_piece(vec at, uint32_t table)
{
    piece it = table_piece(at, VSP_SHAPE_SHELL, table);

    it.density = SHEET;
    return it;
}

/* Returns a position at a height, up to `far` off the middle along x and z. */
static vec about_height(scene_run *run, double far, double height)
{
    double x = far * next_random(&run->random);
    double z = far * next_random(&run->random);

    return make_vec(x, height, z);
}

static void start_shells(scene_run *run)
{
    add_tables(run, TABLES_SHELLS);
    add_floor(run, 0.3, 0.0);
}

/* Plates of a square metre fall on each other; the scene's number counts
 * them. */
void build_plates(scene_run *run)
{
    start_shells(run);
    for (int i = 0; i < scene_number(run); i++) {
        piece it = shell_piece(about_height(run, 0.05, 0.05 + 0.05 * i),
                               SHELL_PLATE);

        it.turn = about_y(0.2 * next_random(&run->random));
        add_piece(run, &it);
    }
}

/* A chain of linked rings swings, held by the first ring; the scene's number
 * counts the rings. */
void build_mail(scene_run *run)
{
    static const rotation about_x = {0.70710678, 0.0, 0.0, 0.70710678};

    start_shells(run);
    for (int i = 0; i < scene_number(run); i++) {
        piece it = shell_piece(make_vec(0.0, 4.0 - 0.4 * i, 0.0), SHELL_RING);

        it.turn = i % 2 == 0 ? about_z(PI / 2.0) : about_x;
        it.velocity = make_vec(0.2 * i, 0.0, 0.1 * i);
        if (i == 0)
            it.type = VSP_STATIC;
        add_piece(run, &it);
    }
}

/* Bowls fall into each other; the scene's number counts them. */
void build_bowls(scene_run *run)
{
    start_shells(run);
    for (int i = 0; i < scene_number(run); i++) {
        piece it = shell_piece(about_height(run, 0.02, 0.45 + 0.18 * i),
                               SHELL_BOWL);

        it.turn = about_z(0.1 * next_random(&run->random));
        add_piece(run, &it);
    }
}

/* Leaves fall into a bin; the scene's number counts them. */
void build_leaves(scene_run *run)
{
    start_shells(run);
    for (int i = 0; i < 4; i++) {
        double x = i == 0 ? 0.9 : i == 1 ? -0.9 : 0.0;
        double z = i == 2 ? 0.9 : i == 3 ? -0.9 : 0.0;

        add_block(run, make_vec(x, 0.61, z),
                  make_vec(i < 2 ? 0.1 : 0.8, 0.6, i < 2 ? 0.8 : 0.1));
    }
    for (int i = 0; i < scene_number(run); i++) {
        piece it = shell_piece(about_height(run, 0.35, 0.3 + 0.2 * i),
                               SHELL_LEAF);

        it.turn = about_y(3.0 * next_random(&run->random));
        add_piece(run, &it);
    }
}

/* A 14 kg ball hits plates at 100 m/s; the scene's number counts the plates.
 * mark 0: the ball */
void build_pierce(scene_run *run)
{
    piece ball = ball_piece(make_vec(0.1, 4.0, 0.05), 0.15);

    build_plates(run);
    ball.velocity = make_vec(0.0, -100.0, 0.0);
    run->marks[0] = add_piece(run, &ball);
}

/* table numbers of the set of boats */
enum { SHELL_BOAT = 1, SHELL_TUB, SHELL_TRIANGLE };

#define BOATS_ALONG 5 /* boats of a layer along x */
#define BOATS_ACROSS 7

/* Boats fall into a tub; the scene's number counts them. */
void build_boats(scene_run *run)
{
    piece tub = shell_piece(make_vec(0.0, 3.05, 0.0), SHELL_TUB);

    add_tables(run, TABLES_BOATS);
    add_floor(run, 0.3, 0.0);
    tub.type = VSP_STATIC;
    add_piece(run, &tub);
    for (int i = 0; i < scene_number(run); i++) {
        int layer = i / (BOATS_ALONG * BOATS_ACROSS);
        int k = i % (BOATS_ALONG * BOATS_ACROSS);
        vec at = about_height(run, 0.04, 1.5 + 0.35 * layer);
        piece it;

        at.x += 0.75 * (k % BOATS_ALONG - BOATS_ALONG / 2);
        at.z += 0.5 * (k / BOATS_ALONG - BOATS_ACROSS / 2);
        it = shell_piece(at, SHELL_BOAT);
        it.turn = about_y(0.2 * next_random(&run->random));
        add_piece(run, &it);
    }
}

/* Triangles fall onto pegs; the scene's number counts them. */
void build_pegs(scene_run *run)
{
    add_tables(run, TABLES_BOATS);
    add_floor(run, 0.3, 0.0);
    for (int i = 0; i < 25; i++) {
        piece peg = capsule_piece(
            make_vec(0.6 * (i % 5 - 2), 0.5, 0.6 * (i / 5 - 2)), 0.04, 0.5);

        peg.type = VSP_STATIC;
        add_piece(run, &peg);
    }
    for (int i = 0; i < scene_number(run); i++) {
        vec at = about_height(run, 0.05, 1.3 + 0.5 * (i / 25));
        piece it;

        at.x += 0.6 * (i % 5 - 2);
        at.z += 0.6 * (i % 25 / 5 - 2);
        it = shell_piece(at, SHELL_TRIANGLE);
        it.turn = about_y(3.0 * next_random(&run->random));
        add_piece(run, &it);
    }
}

#endif /* SCENES_SHELLS */
