/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Scenes of shells: plates on each other, a chain of rings, bowls that fall
 * into each other, leaves in a bin, a ball shot at plates.  A build without
 * shells has none of them. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_SHELLS

#define SHEET 5.0 /* kg/m^2 */

/* numbers of the set of shells */
enum { SHELL_PLATE = 1, SHELL_LEAF, SHELL_RING, SHELL_BOWL };

static piece shell_piece(vec at, uint32_t table)
{
    piece it = table_piece(at, VSP_SHAPE_SHELL, table);

    it.density = SHEET;
    return it;
}

static double next_between(scene_run *run, double low, double high)
{
    return low + (high - low) * 0.5 * (1.0 + next_random(&run->random));
}

static void start_shells(scene_run *run)
{
    add_tables(run, TABLES_SHELLS);
    add_floor(run, 0.3, 0.0);
}

/* Plates of a square metre fall on each other; the scene's number is how
 * many. */
void build_plates(scene_run *run)
{
    start_shells(run);
    for (int i = 0; i < scene_number(run); i++) {
        piece it = shell_piece(make_vec(next_between(run, -0.05, 0.05),
                                        0.05 + 0.05 * i,
                                        next_between(run, -0.05, 0.05)),
                               SHELL_PLATE);

        it.turn = about_y(next_between(run, -0.2, 0.2));
        add_piece(run, &it);
    }
}

/* A chain of linked rings that swings; the first one does not move.  The
 * scene's number is how many. */
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

/* Bowls fall into each other; the scene's number is how many. */
void build_bowls(scene_run *run)
{
    start_shells(run);
    for (int i = 0; i < scene_number(run); i++) {
        piece it = shell_piece(make_vec(next_between(run, -0.02, 0.02),
                                        0.45 + 0.18 * i,
                                        next_between(run, -0.02, 0.02)),
                               SHELL_BOWL);

        it.turn = about_z(next_between(run, -0.1, 0.1));
        add_piece(run, &it);
    }
}

/* Leaves fall into a bin; the scene's number is how many. */
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
        piece it = shell_piece(make_vec(next_between(run, -0.35, 0.35),
                                        0.3 + 0.2 * i,
                                        next_between(run, -0.35, 0.35)),
                               SHELL_LEAF);

        it.turn = about_y(next_between(run, -3.0, 3.0));
        add_piece(run, &it);
    }
}

/* A ball of 14 kg falls on plates with 100 m/s; the scene's number is how many
 * plates.  mark 0: the ball */
void build_pierce(scene_run *run)
{
    piece ball = ball_piece(make_vec(0.1, 4.0, 0.05), 0.15);

    build_plates(run);
    ball.velocity = make_vec(0.0, -100.0, 0.0);
    run->marks[0] = add_piece(run, &ball);
}

#endif /* SCENES_SHELLS */
